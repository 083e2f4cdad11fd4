#include "io/outgoing_reader.h"

#include <utility>
#include <vector>

#include "base/stop.h"
#include "io/dataset_sink.h"

namespace thicket {

namespace {

class OutgoingReader {
 public:
  OutgoingReader(OutgoingRecords& records, DatasetSink& sink) : records_(records), sink_(sink) {}

  Status ReadRecord(uint32_t place, bool with_class) {
    THICKET_TRY(sink_.BeginRecord(place));
    if (with_class) sink_.SetClassNumber(std::to_string(records_.group()));
    // The places behind the vertices that are open, the root's first.
    std::vector<size_t> ends = {records_.size()};
    ReadValues(0);
    for (size_t position = 1; position < records_.size(); ++position) {
      for (; position == ends.back(); ends.pop_back()) {
        if (!sink_.CloseVertex()) return sink_.Full();
      }
      const ClassId id = records_.vertex_class(position);
      sink_.MeetArray(id);
      sink_.MeetShape(id, false, 0);
      if (!sink_.OpenVertex(id, 0)) return sink_.Full();
      ends.push_back(position + records_.subtree_size(position));
      ReadValues(position);
    }
    for (; ends.size() > 1; ends.pop_back()) {
      if (!sink_.CloseVertex()) return sink_.Full();
    }
    return sink_.EndRecord();
  }

 private:
  void ReadValues(size_t position) {
    const size_t width = sink_.schema().classes[records_.vertex_class(position)].value_count();
    for (size_t slot = 0; slot < width; ++slot) {
      const size_t count = records_.ValueCount(position, slot);
      for (size_t i = 0; i < count; ++i) {
        const OutgoingValue value = records_.ValueAt(position, slot, i);
        if (value.kind == ValueKind::kNone) continue;
        if (i == 0) {
          sink_.SetValue(slot, value.kind, value.text);
        } else {
          sink_.AddListValue(slot, value.kind, value.text);
        }
      }
    }
  }

  OutgoingRecords& records_;
  DatasetSink& sink_;
};

}  // namespace

Result<Dataset> ReadOutgoing(const Policy& policy, OutgoingRecords& records,
                             const WriteOptions& options, const std::string& source,
                             Progress& progress) {
  DatasetSink sink(policy, source, ReadAs::kPublished);
  sink.LimitMemory(progress);
  sink.dataset().has_lines = false;
  OutgoingReader reader(records, sink);
  progress.Begin("read", records.count());
  for (size_t i = 0; i < records.count(); ++i) {
    StopPoint();
    if (progress.cancelled()) return Interrupted();
    records.Select(i);
    THICKET_TRY(reader.ReadRecord(static_cast<uint32_t>(i + 1), options.with_class));
    progress.Advance(1);
  }
  progress.End();
  return std::move(sink).Finish();
}

}  // namespace thicket
