#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "io/documents.h"
#include "io/writers.h"
#include "io/xml/xml_layout.h"
#include "io/xml/xml_stream.h"

namespace thicket {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// By byte: whether it may need something else in its place.
const std::array<bool, 256>& SpecialBytes() {
  static const std::array<bool, 256> bytes = [] {
    std::array<bool, 256> special{};
    std::fill_n(special.begin(), 0x20, true);
    // 0xEF: the beginning of U+FFFE and U+FFFF, and of many that are fine.
    for (const unsigned char c : {'&', '<', '>', '"', '\xef'}) special[c] = true;
    return special;
  }();
  return bytes;
}

// What a character is written as; null if XML cannot hold it.
const char* Escape(char c, bool in_attribute) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return in_attribute ? "&quot;" : "\"";
    case '\t':
      return in_attribute ? "&#9;" : "\t";
    case '\n':
      return in_attribute ? "&#10;" : "\n";
    case '\r':
      return "&#13;";
    default:
      return nullptr;
  }
}

// False where XML cannot hold a character.
bool AppendXml(std::string_view text, bool in_attribute, std::string& out) {
  const std::array<bool, 256>& special = SpecialBytes();
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!special[static_cast<unsigned char>(text[i])]) continue;
    if (text[i] == '\xef') {
      const std::string_view character = text.substr(i, 3);
      if (character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf") return false;
      continue;
    }
    const char* escape = Escape(text[i], in_attribute);
    if (escape == nullptr) return false;
    out.append(text, begin, i - begin).append(escape);
    begin = i + 1;
  }
  out.append(text, begin);
  return true;
}

// <name and its namespaces, without the end of the tag.
std::string OpenTag(std::string_view name, const XmlNamespaces& namespaces) {
  std::string tag = "<" + std::string(name);
  for (const auto& [declared, uri] : namespaces) {
    tag += " " + declared + "=\"";
    AppendXml(uri, true, tag);
    tag += '"';
  }
  return tag;
}

std::string EndTag(std::string_view name) { return "</" + std::string(name) + ">"; }

Status CheckName(const std::string& name, bool was_xml) {
  // In data that was XML, prefixes are declared where they were.
  const bool prefixed =
      !was_xml && name.find(':') != std::string::npos && name.substr(0, 4) != "xml:";
  const bool declares = name == "xmlns" || name.substr(0, 6) == "xmlns:";
  if (IsXmlName(name) && !prefixed && !declares) return {};
  return ErrorAt(ErrorCode::kUsage, {.path = name.empty() ? "an empty name" : name},
                 "must be a name in XML (letters, digits, . _ -, no digit first), but is not",
                 "rename it in the data and in the policy, or use another format");
}

// How data that was not XML becomes XML: values are attributes, except those that have no name but their element's.
Result<XmlShape> ShapeFromNames(const InputPolicy& input, const Dataset& data,
                                const XmlLayout& layout) {
  const Schema& schema = *data.schema;
  THICKET_ASSIGN(std::vector<std::string> path, XmlRecordPath(input.at));
  if (path.empty()) path = {"records", schema.root().name};
  XmlShape shape;
  for (size_t i = 0; i + 1 < path.size(); ++i) shape.around.push_back({path[i], {}});
  for (const XmlLayoutElement& element : layout.elements) {
    shape.elements.push_back({element.name, {}});
  }
  shape.elements.front().name = path.back();
  for (const VertexClass& type : schema.classes) {
    shape.values.emplace_back(type.value_count() + type.where.size());
  }
  for (const XmlLayoutElement& element : layout.elements) {
    for (const XmlLayoutValue& value : element.values) {
      if (value.slot != XmlLayoutValue::kNone && value.name == kXmlText) {
        shape.values[element.id][value.slot].form = XmlForm::kText;
      }
    }
  }
  shape.repeated.assign(shape.elements.size(), false);
  return shape;
}

class XmlWriter {
 public:
  XmlWriter(const XmlLayout& layout, XmlShape shape, OutgoingRecords& records,
            const WriteOptions& options)
      : layout_(&layout),
        shape_(std::move(shape)),
        records_(&records),
        with_class_(options.with_class) {
    // Elements around moved vertices are like those in their usual place.
    for (size_t i = shape_.elements.size(); i < layout.elements.size(); ++i) {
      shape_.elements.push_back(XmlElement(shape_.elements[layout.elements[i].usual]));
    }
    shape_.repeated.resize(layout.elements.size(), false);
    for (size_t i = 0; i < layout.elements.size(); ++i) {
      shape_.repeated[i] = shape_.repeated[layout.elements[i].usual];
      tags_.push_back({OpenTag(shape_.elements[i].name, shape_.elements[i].namespaces),
                       EndTag(shape_.elements[i].name)});
    }
    repeats_ =
        std::find(shape_.repeated.begin(), shape_.repeated.end(), true) != shape_.repeated.end();
    const std::vector<bool>& plain = records.data().shape.plain;
    for (size_t id = 0; id < shape_.values.size(); ++id) {
      if (plain[id]) shape_.values[id].front().form = XmlForm::kText;
      value_tags_.emplace_back(shape_.values[id].size());
    }
    for (const XmlLayoutElement& element : layout.elements) {
      for (const XmlLayoutValue& value : element.values) {
        const size_t place = PlaceOfValue(records.schema().classes[element.id], value);
        if (place == XmlLayoutValue::kNone) continue;
        const XmlValueShape& of = shape_.values[element.id][place];
        value_tags_[element.id][place] =
            of.form == XmlForm::kElement
                ? Tag{OpenTag(value.name, of.namespaces), EndTag(value.name)}
                : Tag{" " + value.name + "=\"", "\""};
      }
    }
    for (uint32_t element = 0; element < layout.elements.size(); ++element) {
      members_.push_back(MembersOf(element));
    }
  }

  // Every name that is going to be written.
  Status CheckNames(bool was_xml) const {
    for (const auto* elements : {&shape_.around, &shape_.elements}) {
      for (const XmlElement& element : *elements) THICKET_TRY(CheckName(element.name, was_xml));
    }
    for (const XmlLayoutElement& element : layout_->elements) {
      for (const XmlLayoutValue& value : element.values) {
        const size_t place = PlaceOfValue(records_->schema().classes[element.id], value);
        if (place == XmlLayoutValue::kNone) continue;
        if (shape_.values[element.id][place].form == XmlForm::kText) continue;
        THICKET_TRY(CheckName(value.name, was_xml));
      }
    }
    return {};
  }

  void WriteHead(std::string& out) const {
    out += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    for (size_t i = 0; i < shape_.around.size(); ++i) {
      out.append(2 * i, ' ').append(OpenTag(shape_.around[i].name, shape_.around[i].namespaces));
      out += ">\n";
    }
  }

  void WriteTail(std::string& out) const {
    for (size_t i = shape_.around.size(); i > 0; --i) {
      out.append(2 * (i - 1), ' ').append(EndTag(shape_.around[i - 1].name)) += '\n';
    }
  }

  Status WriteRecord(size_t record, std::string& out) {
    records_->Select(record);
    out_ = &out;
    out.append(2 * shape_.around.size(), ' ');
    if (!WriteVertex(0, 0)) return std::move(*error_);
    out += '\n';
    return {};
  }

 private:
  struct Tag {
    std::string open;
    std::string close;
  };

  // Which of several values an element shows: all of them, or the one at an index.
  static constexpr size_t kAll = ~size_t{0};

  // These run for every value: they return false after an error, which is then in error_.
  bool WriteVertex(uint32_t element, size_t position) {
    const size_t rows = CountRows(position);
    if (rows == 1) return WriteElement(element, position, kAll);
    for (size_t index = 0; index < rows; ++index) {
      if (!WriteElement(element, position, index)) return false;
    }
    return true;
  }

  // How many elements a vertex is: several where an attribute or the text would need several values.
  size_t CountRows(size_t position) {
    if (!records_->sparse()) return 1;
    const ClassId id = records_->vertex_class(position);
    const std::vector<XmlValueShape>& values = shape_.values[id];
    size_t most = 1;
    bool lists = true;
    for (size_t slot = 0; slot < records_->schema().classes[id].value_count(); ++slot) {
      const size_t count = records_->ValueCount(position, slot);
      most = std::max(most, count);
      lists &= count < 2 || values[slot].form == XmlForm::kElement;
    }
    return lists ? 1 : most;
  }

  // With `index`: the values there, and what is below only in the first element.
  bool WriteElement(uint32_t element, size_t position, size_t index) {
    *out_ += tags_[element].open;
    const size_t begin = out_->size();
    size_t length = 0;
    return WriteInside(element, position, index, begin, length);
  }

  // The values of an element, what is below it, and its end. `begin` is where its attributes begin; `length`: how much was written of
  // them and in it.
  bool WriteInside(uint32_t element, size_t position, size_t index, size_t begin, size_t& length) {
    if (!WriteAttributes(element, position, index)) return false;
    const size_t attributes = out_->size() - begin;
    *out_ += '>';
    const size_t empty = out_->size();
    if (!WriteText(element, position, index)) return false;
    for (const XmlMember& member : members_[element]) {
      if (member.is_value) {
        if (!WriteValue(element, member.number, position, index)) return false;
        continue;
      }
      // Elements around values are there in all elements of a vertex, what is below only in the first.
      const XmlLayoutElement& child = layout_->elements[member.number];
      const bool below = child.is_vertex || child.around_vertices;
      if (below && index != 0 && index != kAll) continue;
      if (!WriteBelow(member.number, position, index)) return false;
    }
    length = attributes + out_->size() - empty;
    EndElement(tags_[element], empty);
    return true;
  }

  // The value of an attribute or a text. Labels are the same in all elements of a vertex.
  std::string_view TextOf(ClassId id, size_t position, size_t slot, size_t index) {
    const bool label = slot < records_->schema().classes[id].quasi.size();
    return records_->ValueAt(position, slot, label || index == kAll ? 0 : index).text;
  }

  // An element without content is <element/>; `empty` is where the content began.
  void EndElement(const Tag& tag, size_t empty) {
    if (out_->size() > empty) {
      *out_ += tag.close;
    } else {
      out_->back() = '/';
      *out_ += '>';
    }
  }

  // A value of the vertex, or what its class is told by (PlaceOfValue).
  std::string_view TextAt(ClassId id, size_t place, size_t position, size_t index) {
    const VertexClass& type = records_->schema().classes[id];
    if (place >= type.value_count()) return type.where[place - type.value_count()].second;
    return TextOf(id, position, place, index);
  }

  bool WriteAttributes(uint32_t element, size_t position, size_t index) {
    const XmlLayoutElement& self = layout_->elements[element];
    for (const XmlLayoutValue& value : self.values) {
      const size_t place = PlaceOfValue(records_->schema().classes[self.id], value);
      if (place == XmlLayoutValue::kNone) continue;
      const XmlForm form = shape_.values[self.id][place].form;
      if (form == XmlForm::kElement) continue;
      const std::string_view text = TextAt(self.id, place, position, index);
      if (text.empty()) continue;
      if (form == XmlForm::kText) {
        WritePreserve(text);
        continue;
      }
      *out_ += value_tags_[self.id][place].open;
      if (!AppendXml(text, true, *out_)) return Fail(self.id, place, text);
      *out_ += '"';
    }
    if (with_class_ && element == 0) {
      out_->append(" ").append(kClassKey).append(fmt::format("=\"{}\"", records_->group()));
    }
    return true;
  }

  // Blanks around a text are part of it only where the element says so.
  void WritePreserve(std::string_view text) {
    const bool blanks = kBlanks.find(text.front()) != std::string_view::npos ||
                        kBlanks.find(text.back()) != std::string_view::npos;
    if (blanks) *out_ += " xml:space=\"preserve\"";
  }

  // What stands in an element: in the order of the source, and what the source did not have in that of the schema, values first.
  std::vector<XmlMember> MembersOf(uint32_t element) const {
    std::vector<XmlMember> members;
    const auto add = [&](XmlMember member) {
      const bool known = std::any_of(members.begin(), members.end(), [&](const XmlMember& other) {
        return other.is_value == member.is_value && other.number == member.number;
      });
      if (!known) members.push_back(member);
    };
    const XmlLayoutElement& self = layout_->elements[element];
    if (element < shape_.members.size()) {
      for (const XmlMember& member : shape_.members[element]) add(member);
    }
    for (const XmlLayoutValue& value : self.values) {
      const size_t place = PlaceOfValue(records_->schema().classes[self.id], value);
      if (place != XmlLayoutValue::kNone) add({true, static_cast<uint32_t>(place)});
    }
    std::erase_if(members, [&](const XmlMember& member) {
      return member.is_value && shape_.values[self.id][member.number].form != XmlForm::kElement;
    });
    for (const uint32_t child : self.children) add({false, child});
    return members;
  }

  // The element's own text.
  bool WriteText(uint32_t element, size_t position, size_t index) {
    const XmlLayoutElement& self = layout_->elements[element];
    for (const XmlLayoutValue& value : self.values) {
      const size_t place = PlaceOfValue(records_->schema().classes[self.id], value);
      if (place == XmlLayoutValue::kNone) continue;
      if (shape_.values[self.id][place].form != XmlForm::kText) continue;
      const std::string_view text = TextAt(self.id, place, position, index);
      if (!AppendXml(text, false, *out_)) return Fail(self.id, place, text);
    }
    return true;
  }

  // A value that is an element, or several.
  bool WriteValue(uint32_t element, size_t place, size_t position, size_t index) {
    const ClassId id = layout_->elements[element].id;
    const bool constant = place >= records_->schema().classes[id].value_count();
    const size_t count = index == kAll && !constant ? records_->ValueCount(position, place) : 1;
    for (size_t i = 0; i < count; ++i) {
      const std::string_view text = TextAt(id, place, position, index == kAll ? i : index);
      if (!text.empty() && !WriteValueElement(id, place, text)) return false;
    }
    return true;
  }

  bool WriteValueElement(ClassId id, size_t place, std::string_view text) {
    *out_ += value_tags_[id][place].open;
    WritePreserve(text);
    *out_ += '>';
    if (!AppendXml(text, false, *out_)) return Fail(id, place, text);
    *out_ += value_tags_[id][place].close;
    return true;
  }

  // The vertices of a class below `parent`, or an element around others with what belongs in it.
  bool WriteBelow(uint32_t element, size_t parent, size_t index) {
    const XmlLayoutElement& self = layout_->elements[element];
    if (self.is_vertex) return WriteVertices(element, parent);
    const size_t begin = out_->size();
    *out_ += tags_[element].open;
    size_t length = 0;
    if (!WriteInside(element, parent, index, out_->size(), length)) return false;
    const bool needed = !records_->sparse() && self.usual == element && self.around_vertices &&
                        self.values.empty() && !shape_.repeated[element];
    if (length == 0 && !needed) out_->resize(begin);
    return !shape_.repeated[element] || WriteRepeated(element, element, parent);
  }

  // Those that no element around them stands around anew.
  bool WriteVertices(uint32_t element, size_t parent) {
    if (RepeatedAt(element, parent) != element) return true;
    return ForEachVertex(layout_->elements[element].id, parent,
                         [&](size_t at) { return WriteVertex(element, at); });
  }

  template <typename Use>
  bool ForEachVertex(ClassId id, size_t parent, const Use& use) {
    const size_t end = parent + records_->subtree_size(parent);
    for (size_t at = parent + 1; at < end; at += records_->subtree_size(at)) {
      if (records_->vertex_class(at) == id && !use(at)) return false;
    }
    return true;
  }

  // The elements from below a vertex of the parent's class to vertices of an element, which is the last one.
  std::vector<uint32_t> WayTo(uint32_t element, size_t parent) const {
    std::vector<uint32_t> way;
    FindWay(ElementOf(records_->vertex_class(parent)), element, way);
    return way;
  }
  bool FindWay(uint32_t from, uint32_t element, std::vector<uint32_t>& way) const {
    for (const uint32_t child : layout_->elements[from].children) {
      way.push_back(child);
      if (child == element) return true;
      if (!layout_->elements[child].is_vertex && FindWay(child, element, way)) return true;
      way.pop_back();
    }
    return false;
  }
  uint32_t ElementOf(ClassId id) const {
    uint32_t element = 0;
    while (!layout_->elements[element].is_vertex || layout_->elements[element].id != id) ++element;
    return element;
  }

  // The first element on the way to vertices that stands around each of them anew; their own if there is none.
  uint32_t RepeatedAt(uint32_t element, size_t parent) const {
    if (!repeats_) return element;
    for (const uint32_t at : WayTo(element, parent)) {
      if (shape_.repeated[at]) return at;
    }
    return element;
  }

  // The element at `repeated` around each vertex somewhere below `element`.
  bool WriteRepeated(uint32_t repeated, uint32_t element, size_t parent) {
    for (const uint32_t child : layout_->elements[element].children) {
      if (!layout_->elements[child].is_vertex) {
        if (!WriteRepeated(repeated, child, parent)) return false;
        continue;
      }
      const std::vector<uint32_t> way = WayTo(child, parent);
      const auto first = std::find_if(way.begin(), way.end(),
                                      [&](uint32_t at) { return bool{shape_.repeated[at]}; });
      if (first == way.end() || *first != repeated) continue;
      const bool good = ForEachVertex(layout_->elements[child].id, parent, [&](size_t at) {
        for (auto around = first; *around != child; ++around) *out_ += tags_[*around].open + ">";
        if (!WriteVertex(child, at)) return false;
        for (auto around = way.end() - 1; around != first;) *out_ += tags_[*--around].close;
        return true;
      });
      if (!good) return false;
    }
    return true;
  }

  bool Fail(ClassId id, size_t place, std::string_view text) {
    const Schema& schema = records_->schema();
    const VertexClass& type = schema.classes[id];
    const std::string& name = place < type.value_count()
                                  ? type.slot_name(place)
                                  : type.where[place - type.value_count()].first;
    error_ = ErrorAt(
        ErrorCode::kData, {.file = records_->data().source, .path = schema.PathOf(id, name)},
        "every character must be one that XML can hold, but one is not",
        "remove control characters from the data, or use another format", std::string(text));
    return false;
  }

  const XmlLayout* layout_;
  XmlShape shape_;
  OutgoingRecords* records_;
  bool with_class_;
  // Whether an element stands around each of several vertices anew.
  bool repeats_ = false;
  // By element of the layout; the opening tag without its end.
  std::vector<Tag> tags_;
  // By class and slot.
  std::vector<std::vector<Tag>> value_tags_;
  // By element of the layout.
  std::vector<std::vector<XmlMember>> members_;
  std::string* out_ = nullptr;
  std::optional<Error> error_;
};

// How the records stand, and whether that is how they stood in XML.
Result<XmlShape> ShapeOf(const InputPolicy& input, const OutgoingRecords& records,
                         const XmlLayout& layout, bool documents) {
  XmlShape shape = records.data().shape.xml;
  if (shape.elements.empty()) return ShapeFromNames(input, records.data(), layout);
  // Documents that become one need an element around them.
  if (!documents && shape.around.empty()) shape.around.push_back({"records", {}});
  return shape;
}

class XmlDocuments final : public DocumentWriter {
 public:
  XmlDocuments(XmlLayout layout, XmlShape shape, OutgoingRecords& records,
               const WriteOptions& options)
      : layout_(std::move(layout)), writer_(layout_, std::move(shape), records, options) {}

  Status CheckNames() const { return writer_.CheckNames(true); }
  Status Write(size_t record, std::string& out) override {
    writer_.WriteHead(out);
    THICKET_TRY(writer_.WriteRecord(record, out));
    writer_.WriteTail(out);
    return {};
  }

 private:
  XmlLayout layout_;
  XmlWriter writer_;
};

}  // namespace

Result<std::unique_ptr<DocumentWriter>> WriteXmlDocuments(const InputPolicy& input,
                                                          OutgoingRecords& records,
                                                          const WriteOptions& options) {
  THICKET_ASSIGN(XmlLayout layout, XmlLayout::Of(records.schema(), records.moved()));
  THICKET_ASSIGN(XmlShape shape, ShapeOf(input, records, layout, true));
  auto writer =
      std::make_unique<XmlDocuments>(std::move(layout), std::move(shape), records, options);
  THICKET_TRY(writer->CheckNames());
  return std::unique_ptr<DocumentWriter>(std::move(writer));
}

Status WriteXml(const InputPolicy& input, OutgoingRecords& records, const WriteOptions& options,
                const WriteBytes& write) {
  THICKET_ASSIGN(const XmlLayout layout, XmlLayout::Of(records.schema(), records.moved()));
  const bool was_xml = !records.data().shape.xml.elements.empty();
  THICKET_ASSIGN(XmlShape shape, ShapeOf(input, records, layout, false));
  XmlWriter writer(layout, std::move(shape), records, options);
  THICKET_TRY(writer.CheckNames(was_xml));
  OutputBuffer output(write);
  writer.WriteHead(output.text());
  Phase phase("write", records.count());
  for (size_t i = 0; i < records.count(); ++i) {
    THICKET_TRY(writer.WriteRecord(i, output.text()));
    THICKET_TRY(output.FlushIfLarge());
    phase.Advance();
  }
  writer.WriteTail(output.text());
  return output.Flush();
}

}  // namespace thicket
