#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "io/documents.h"
#include "io/json/json_layout.h"
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
  JsonWriter(const JsonLayout& layout, OutgoingRecords& records, const WriteOptions& options)
      : layout_(&layout), records_(&records), with_class_(options.with_class) {
    for (const JsonPlace& place : layout.places) {
      AppendJsonString(place.name, keys_.emplace_back());
      keys_.back() += ':';
      is_array_.push_back(IsArray(place));
    }
    for (uint32_t i = 0; i < layout.places.size(); ++i) repeated_.push_back(RepeatedAt(i));
    AppendJsonString(kClassKey, class_key_);
    class_key_ += ':';
  }

  void WriteRecord(size_t record, std::string& out) {
    records_->Select(record);
    out_ = &out;
    WriteVertex(0);
  }

 private:
  // Whether an array stood there in the source.
  bool IsArray(const JsonPlace& place) const {
    if (place.path.empty() || place.kind == JsonPlace::Kind::kValue) return false;
    const SourceShape& shape = records_->data().shape;
    const bool known = !shape.json.empty();
    if (place.kind == JsonPlace::Kind::kChildren && (place.depth == 1 || !known)) {
      return std::any_of(place.classes.begin(), place.classes.end(),
                         [&](ClassId id) { return !shape.single[id]; });
    }
    if (!known) return false;
    const auto has = [&](ClassId id) { return shape.json[id].arrays.count(place.path) > 0; };
    // Below an ancestor that vertices were moved to, paths are as in their usual place.
    const std::vector<ClassId> below = records_->schema().ClassesBelow(place.id);
    return has(place.id) || (records_->moved() && std::any_of(below.begin(), below.end(), has));
  }

  // Of a place with vertices: the first array on the way to it, which has an element per vertex; the place itself if there is
  // none.
  uint32_t RepeatedAt(uint32_t place) const {
    uint32_t repeated = place;
    for (uint32_t at = place; !layout_->places[at].path.empty(); at = layout_->places[at].parent) {
      if (is_array_[at]) repeated = at;
    }
    return repeated;
  }

  void BeginMember(const std::string& key) {
    if (out_->back() != '{') *out_ += ',';
    *out_ += key;
  }
  void BeginElement() {
    if (out_->back() != '[') *out_ += ',';
  }

  void WriteVertex(size_t position) {
    const ClassId id = records_->vertex_class(position);
    *out_ += '{';
    WriteMembers(id, position);
    if (position == 0 && with_class_) {
      BeginMember(class_key_);
      AppendNumber(records_->group(), *out_);
    }
    *out_ += '}';
  }

  // The keys of an object that belongs to the vertex.
  void WriteMembers(uint32_t object, size_t position) {
    for (const uint32_t place : layout_->places[object].below) {
      const JsonPlace& of = layout_->places[place];
      if (of.kind == JsonPlace::Kind::kObject) {
        WriteInner(place, position);
      } else if (of.kind == JsonPlace::Kind::kChildren) {
        if (repeated_[place] == place) WriteChildren(place, position);
      } else if (of.where != JsonPlace::kNone) {
        WriteWhere(place);
      } else if (of.slot != JsonPlace::kNone) {
        WriteSlot(place, position);
      }
    }
  }

  // An object on the way to values and vertices; nothing where there are none. In an array, what is there once comes first.
  void WriteInner(uint32_t place, size_t position) {
    const size_t begin = out_->size();
    BeginMember(keys_[place]);
    if (is_array_[place]) *out_ += '[';
    const size_t before = out_->size();
    *out_ += '{';
    WriteMembers(place, position);
    *out_ += '}';
    if (out_->size() == before + 2) out_->resize(before);
    if (is_array_[place]) {
      WriteRepeated(place, place, position);
      *out_ += ']';
    }
    if (out_->size() == before + (is_array_[place] ? 1 : 0)) out_->resize(begin);
  }

  // An element of the array at `array` for each vertex somewhere below `place`.
  void WriteRepeated(uint32_t array, uint32_t place, size_t position) {
    for (const uint32_t below : layout_->places[place].below) {
      if (layout_->places[below].kind == JsonPlace::Kind::kObject) {
        WriteRepeated(array, below, position);
      } else if (layout_->places[below].kind == JsonPlace::Kind::kChildren &&
                 repeated_[below] == array) {
        ForEachVertex(below, position, [&](size_t vertex) {
          BeginElement();
          WriteAround(array, below, vertex);
        });
      }
    }
  }

  // The objects around one vertex, from below `object` on.
  void WriteAround(uint32_t object, uint32_t place, size_t vertex) {
    if (object == place) {
      WriteElement(vertex);
      return;
    }
    uint32_t next = place;
    while (layout_->places[next].parent != object) next = layout_->places[next].parent;
    *out_ += '{';
    *out_ += keys_[next];
    if (is_array_[next]) *out_ += '[';
    WriteAround(next, place, vertex);
    if (is_array_[next]) *out_ += ']';
    *out_ += '}';
  }

  void WriteWhere(uint32_t place) {
    const JsonPlace& of = layout_->places[place];
    const std::string& value = records_->schema().classes[of.id].where[of.where].second;
    const std::vector<JsonClassShape>& shape = records_->data().shape.json;
    BeginMember(keys_[place]);
    if (!shape.empty() && shape[of.id].bare[of.where]) {
      *out_ += value;
    } else {
      AppendJsonString(value, *out_);
    }
  }

  void WriteSlot(uint32_t place, size_t position) {
    const JsonPlace& of = layout_->places[place];
    const size_t count = records_->ValueCount(position, of.slot);
    if (count == 0) return;
    // An object that holds nothing but null is not worth it.
    if (of.depth > 1 && records_->ValueAt(position, of.slot, 0).kind == ValueKind::kNone) return;
    BeginMember(keys_[place]);
    if (count > 1) *out_ += '[';
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) *out_ += ',';
      WriteValue(records_->ValueAt(position, of.slot, i));
    }
    if (count > 1) *out_ += ']';
  }

  template <typename Use>
  void ForEachVertex(uint32_t place, size_t parent, const Use& use) {
    const size_t end = parent + records_->subtree_size(parent);
    for (const ClassId id : layout_->places[place].classes) {
      for (size_t at = parent + 1; at < end; at += records_->subtree_size(at)) {
        if (records_->vertex_class(at) == id) use(at);
      }
    }
  }

  void WriteChildren(uint32_t place, size_t parent) {
    const JsonPlace& of = layout_->places[place];
    if (records_->sparse() && records_->subtree_size(parent) == 1) return;
    size_t count = 0;
    ForEachVertex(place, parent, [&](size_t at) { count += PlainCount(at); });
    const bool direct = std::any_of(of.classes.begin(), of.classes.end(), [&](ClassId id) {
      return records_->schema().classes[id].parent == of.id;
    });
    if (count == 0 && (records_->sparse() || !direct || of.depth > 1)) return;
    BeginMember(keys_[place]);
    const bool array = is_array_[place] || count > 1;
    if (!array && count == 0) {
      *out_ += "null";
      return;
    }
    if (array) *out_ += '[';
    bool first = true;
    ForEachVertex(place, parent, [&](size_t at) {
      if (!first) *out_ += ',';
      first = false;
      WriteElement(at);
    });
    if (array) *out_ += ']';
  }

  // A vertex, or where its class stands as plain values its values.
  void WriteElement(size_t vertex) {
    const ClassId id = records_->vertex_class(vertex);
    if (!records_->data().shape.plain[id]) {
      WriteVertex(vertex);
      return;
    }
    const size_t count = PlainCount(vertex);
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) *out_ += ',';
      WriteValue(records_->ValueAt(vertex, 0, i));
    }
  }

  // How many elements a vertex is.
  size_t PlainCount(size_t position) {
    if (!records_->data().shape.plain[records_->vertex_class(position)]) return 1;
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

  const JsonLayout* layout_;
  OutgoingRecords* records_;
  bool with_class_;
  // By place: its key as it stands before its value, whether it is an array, and see RepeatedAt().
  std::vector<std::string> keys_;
  std::vector<bool> is_array_;
  std::vector<uint32_t> repeated_;
  std::string class_key_;
  std::string* out_ = nullptr;
};

// What stands around the records of a document: {"result":{"people":[ ... ]}}.
struct Frame {
  std::string before;
  std::string after;
};

// Without keys that lead to it, a document that holds one record is the record.
Frame FrameOf(const InputPolicy& input, bool keyed, bool documents = false) {
  if (documents && input.at.empty()) return {"", "\n"};
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

class JsonDocuments final : public DocumentWriter {
 public:
  JsonDocuments(const InputPolicy& input, JsonLayout layout, OutgoingRecords& records,
                const WriteOptions& options)
      : keyed_(records.data().shape.keyed),
        frame_(FrameOf(input, keyed_, true)),
        layout_(std::move(layout)),
        writer_(layout_, records, options) {}

  Status Write(size_t record, std::string& out) override {
    out += frame_.before;
    if (keyed_) {
      out += '"';
      AppendNumber(record + 1, out);
      out += "\":";
    }
    writer_.WriteRecord(record, out);
    out += frame_.after;
    return {};
  }

 private:
  bool keyed_;
  Frame frame_;
  JsonLayout layout_;
  JsonWriter writer_;
};

}  // namespace

Result<std::unique_ptr<DocumentWriter>> WriteJsonDocuments(const InputPolicy& input,
                                                           OutgoingRecords& records,
                                                           const WriteOptions& options) {
  THICKET_ASSIGN(JsonLayout layout, JsonLayout::Of(records.schema(), records.moved()));
  return std::unique_ptr<DocumentWriter>(
      std::make_unique<JsonDocuments>(input, std::move(layout), records, options));
}

Status WriteJson(const InputPolicy& input, OutgoingRecords& records, const WriteOptions& options,
                 const WriteBytes& write) {
  const bool lines = input.format == Format::kJsonl;
  const bool keyed = !lines && records.data().shape.keyed;
  const Frame frame = lines ? Frame() : FrameOf(input, keyed);
  THICKET_ASSIGN(const JsonLayout layout, JsonLayout::Of(records.schema(), records.moved()));
  JsonWriter writer(layout, records, options);
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
