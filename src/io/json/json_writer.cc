#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "base/phase.h"
#include "io/writers.h"

namespace thicket {

namespace {

void AppendNumber(uint64_t number, std::string& out) {
  char digits[20];
  const auto [end, code] = std::to_chars(digits, digits + sizeof digits, number);
  out.append(digits, end);
}

class JsonWriter {
 public:
  JsonWriter(OutgoingRecords& records, const WriteOptions& options)
      : records_(&records), with_class_(options.with_class) {
    const Schema& schema = records.schema();
    for (size_t id = 0; id < schema.classes.size(); ++id) {
      const VertexClass& type = schema.classes[id];
      std::vector<std::string>& keys = keys_.emplace_back();
      for (size_t slot = 0; slot < type.value_count(); ++slot) AddKey(type.slot_name(slot), keys);
      below_.push_back(records.moved() ? schema.ClassesBelow(static_cast<ClassId>(id))
                                       : type.children);
      for (const ClassId child : below_.back()) AddKey(schema.classes[child].at, keys);
    }
    if (with_class_) AddKey(kClassKey, class_key_);
  }

  void WriteRecord(size_t record, std::string& out) {
    records_->Select(record);
    out_ = &out;
    WriteVertex(0);
  }

 private:
  static void AddKey(std::string_view name, std::vector<std::string>& keys) {
    AppendJsonString(name, keys.emplace_back());
    keys.back() += ':';
  }

  void BeginMember(const std::string& key) {
    if (out_->back() != '{') *out_ += ',';
    *out_ += key;
  }

  void WriteVertex(size_t position) {
    const ClassId id = records_->vertex_class(position);
    const size_t slots = records_->schema().classes[id].value_count();
    const std::vector<std::string>& keys = keys_[id];
    *out_ += '{';
    for (size_t slot = 0; slot < slots; ++slot) WriteSlot(position, slot, keys[slot]);
    if (!records_->sparse() || records_->subtree_size(position) > 1) {
      for (size_t i = 0; i < below_[id].size(); ++i) {
        WriteChildren(position, below_[id][i], keys[slots + i]);
      }
    }
    if (position == 0 && with_class_) {
      BeginMember(class_key_.front());
      AppendNumber(records_->group(), *out_);
    }
    *out_ += '}';
  }

  void WriteSlot(size_t position, size_t slot, const std::string& key) {
    const size_t count = records_->ValueCount(position, slot);
    if (count == 0) return;
    BeginMember(key);
    if (count > 1) *out_ += '[';
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) *out_ += ',';
      WriteValue(records_->ValueAt(position, slot, i));
    }
    if (count > 1) *out_ += ']';
  }

  void WriteChildren(size_t parent, ClassId child, const std::string& key) {
    const bool plain = records_->data().shape.plain[child];
    const size_t end = parent + records_->subtree_size(parent);
    size_t count = 0;
    for (size_t at = parent + 1; at < end; at += records_->subtree_size(at)) {
      if (records_->vertex_class(at) == child) count += plain ? PlainCount(at) : 1;
    }
    const bool direct = records_->schema().classes[child].parent == records_->vertex_class(parent);
    if (count == 0 && (records_->sparse() || !direct)) return;
    BeginMember(key);
    const bool array = !records_->data().shape.single[child] || count > 1;
    if (!array && count == 0) {
      *out_ += "null";
      return;
    }
    if (array) *out_ += '[';
    bool first = true;
    for (size_t at = parent + 1; at < end; at += records_->subtree_size(at)) {
      if (records_->vertex_class(at) != child) continue;
      for (size_t i = 0; i < (plain ? PlainCount(at) : 1); ++i) {
        if (!first) *out_ += ',';
        first = false;
        if (plain) {
          WriteValue(records_->ValueAt(at, 0, i));
        } else {
          WriteVertex(at);
        }
      }
    }
    if (array) *out_ += ']';
  }

  // How many elements a vertex is where its class stands as plain values.
  size_t PlainCount(size_t position) {
    return std::max<size_t>(1, records_->ValueCount(position, 0));
  }

  void WriteValue(const OutgoingValue& value) {
    switch (value.kind) {
      case ValueKind::kNone:
        *out_ += "null";
        break;
      case ValueKind::kString:
        AppendJsonString(value.text, *out_);
        break;
      case ValueKind::kNumber:
      case ValueKind::kBoolean:
        *out_ += value.text;
        break;
    }
  }

  OutgoingRecords* records_;
  bool with_class_;
  // By class: slots, then the classes whose vertices may stand in it, each as it stands before its value.
  std::vector<std::vector<std::string>> keys_;
  std::vector<std::vector<ClassId>> below_;
  std::vector<std::string> class_key_;
  std::string* out_ = nullptr;
};

// What stands around the records of a document: {"result":{"people":[ ... ]}}.
struct Frame {
  std::string before;
  std::string after;
};

Frame FrameOf(const InputPolicy& input, bool keyed) {
  Frame frame;
  for (std::string_view rest = input.at; !rest.empty();) {
    const size_t dot = rest.find('.');
    frame.before += '{';
    AppendJsonString(rest.substr(0, dot), frame.before);
    frame.before += ':';
    frame.after += '}';
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  }
  frame.before += keyed ? "{\n" : "[\n";
  frame.after = (keyed ? "\n}" : "\n]") + frame.after + "\n";
  return frame;
}

}  // namespace

Status WriteJson(const InputPolicy& input, OutgoingRecords& records, const WriteOptions& options,
                 const WriteBytes& write) {
  const bool lines = input.format == Format::kJsonl;
  const bool keyed = !lines && records.data().shape.keyed;
  const Frame frame = lines ? Frame() : FrameOf(input, keyed);
  JsonWriter writer(records, options);
  OutputBuffer output(write);
  std::string& out = output.text();
  out += frame.before;
  Phase phase("write", records.count());
  for (size_t i = 0; i < records.count(); ++i) {
    if (!lines && i > 0) out += ",\n";
    if (keyed) {
      out += '"';
      AppendNumber(i + 1, out);
      out += "\":";
    }
    writer.WriteRecord(i, out);
    if (lines) out += '\n';
    THICKET_TRY(output.FlushIfLarge());
    phase.Advance();
  }
  out += frame.after;
  return output.Flush();
}

}  // namespace thicket
