#include <string>
#include <utility>
#include <vector>

#include "io/readers.h"
#include "io/xml/xml_layout.h"
#include "io/xml/xml_record.h"
#include "io/xml/xml_stream.h"

namespace thicket {

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
