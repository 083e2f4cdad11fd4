#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/documents.h"
#include "io/readers.h"
#include "io/xml/xml_layout.h"
#include "io/xml/xml_record.h"
#include "io/xml/xml_stream.h"

namespace thicket {

namespace {

class XmlDocuments final : public DocumentReader {
 public:
  XmlDocuments(XmlLayout layout, std::vector<std::string> path, Progress& progress,
               DatasetSink& sink)
      : layout_(std::move(layout)),
        progress_(&progress),
        sink_(&sink),
        records_(layout_, std::move(path), sink) {
    records_.ReadDocuments();
  }

  Status Read(Source& source) override {
    const uint64_t before = sink_->records_begun();
    XmlStream stream(source, *progress_, sink_->dataset().source, records_);
    records_.Follow(stream);
    THICKET_TRY(stream.Run());
    THICKET_TRY(records_.EndDocument());
    const uint64_t held = sink_->records_begun() - before;
    if (sink_->published() && held > 1) sink_->TellApart("", kOneRecordPerDocument);
    if (held > 0) return {};
    return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source},
                   "must hold a record, but holds none", "remove the file, or correct input.at");
  }
  Status Finish() override { return records_.Finish(); }

 private:
  XmlLayout layout_;
  Progress* progress_;
  DatasetSink* sink_;
  XmlRecords records_;
};

}  // namespace

Result<std::unique_ptr<DocumentReader>> OpenXmlDocuments(const InputPolicy& input,
                                                         Progress& progress, DatasetSink& sink) {
  THICKET_ASSIGN(XmlLayout layout, XmlLayout::Of(sink.schema(), sink.vertices_move()));
  THICKET_ASSIGN(std::vector<std::string> path, XmlRecordPath(input.at));
  return std::unique_ptr<DocumentReader>(
      std::make_unique<XmlDocuments>(std::move(layout), std::move(path), progress, sink));
}

Status ReadXml(const InputPolicy& input, Source& source, Progress& progress, DatasetSink& sink) {
  THICKET_ASSIGN(const XmlLayout layout, XmlLayout::Of(sink.schema(), sink.vertices_move()));
  THICKET_ASSIGN(std::vector<std::string> path, XmlRecordPath(input.at));
  XmlRecords records(layout, std::move(path), sink);
  XmlStream stream(source, progress, sink.dataset().source, records);
  records.Follow(stream);
  progress.Begin("read", source.stored_bytes());
  THICKET_TRY(stream.Run());
  THICKET_TRY(records.Finish());
  progress.End();
  return {};
}

}  // namespace thicket
