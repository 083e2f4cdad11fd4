#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/phase.h"
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
    std::vector<XmlValueShape>& values = shape.values.emplace_back(type.value_count());
    for (size_t slot = 0; slot < values.size(); ++slot) {
      if (type.slot_name(slot) == kXmlText) values[slot].form = XmlForm::kText;
    }
  }
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
    for (const XmlElement& element : shape_.elements) {
      tags_.push_back({OpenTag(element.name, element.namespaces), EndTag(element.name)});
    }
    const std::vector<bool>& plain = records.data().shape.plain;
    for (size_t id = 0; id < shape_.values.size(); ++id) {
      const VertexClass& type = records.schema().classes[id];
      if (plain[id]) shape_.values[id].front().form = XmlForm::kText;
      std::vector<Tag>& tags = value_tags_.emplace_back();
      for (size_t slot = 0; slot < type.value_count(); ++slot) {
        const XmlValueShape& value = shape_.values[id][slot];
        const std::string& name = type.slot_name(slot);
        tags.push_back(value.form == XmlForm::kElement
                           ? Tag{OpenTag(name, value.namespaces), EndTag(name)}
                           : Tag{" " + name + "=\"", "\""});
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
    for (size_t id = 0; id < shape_.values.size(); ++id) {
      for (size_t slot = 0; slot < shape_.values[id].size(); ++slot) {
        if (shape_.values[id][slot].form == XmlForm::kText) continue;
        THICKET_TRY(CheckName(records_->schema().classes[id].slot_name(slot), was_xml));
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
    const std::vector<XmlValueShape>& values = shape_.values[records_->vertex_class(position)];
    size_t most = 1;
    bool lists = true;
    for (size_t slot = 0; slot < values.size(); ++slot) {
      const size_t count = records_->ValueCount(position, slot);
      most = std::max(most, count);
      lists &= count < 2 || values[slot].form == XmlForm::kElement;
    }
    return lists ? 1 : most;
  }

  // With `index`: the values there, and what is below only in the first element.
  bool WriteElement(uint32_t element, size_t position, size_t index) {
    const ClassId id = records_->vertex_class(position);
    *out_ += tags_[element].open;
    if (!WriteAttributes(id, position, index)) return false;
    *out_ += '>';
    const size_t empty = out_->size();
    if (!WriteText(id, position, index)) return false;
    for (const XmlMember& member : members_[element]) {
      if (member.is_value) {
        if (!WriteValue(id, member.number, position, index)) return false;
      } else if (index == 0 || index == kAll) {
        if (!WriteBelow(member.number, position)) return false;
      }
    }
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

  bool WriteAttributes(ClassId id, size_t position, size_t index) {
    const std::vector<XmlValueShape>& values = shape_.values[id];
    for (size_t slot = 0; slot < values.size(); ++slot) {
      if (values[slot].form == XmlForm::kElement) continue;
      const std::string_view text = TextOf(id, position, slot, index);
      if (text.empty()) continue;
      if (values[slot].form == XmlForm::kText) {
        WritePreserve(text);
        continue;
      }
      *out_ += value_tags_[id][slot].open;
      if (!AppendXml(text, true, *out_)) return Fail(id, slot, text);
      *out_ += '"';
    }
    if (with_class_ && position == 0) {
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
    if (self.is_vertex) {
      const std::vector<XmlValueShape>& values = shape_.values[self.id];
      for (uint32_t slot = 0; slot < values.size(); ++slot) add({true, slot});
      std::erase_if(members, [&](const XmlMember& member) {
        return member.is_value && values[member.number].form != XmlForm::kElement;
      });
    }
    for (const uint32_t child : self.children) add({false, child});
    return members;
  }

  // The element's own text.
  bool WriteText(ClassId id, size_t position, size_t index) {
    const std::vector<XmlValueShape>& values = shape_.values[id];
    for (size_t slot = 0; slot < values.size(); ++slot) {
      if (values[slot].form != XmlForm::kText) continue;
      const std::string_view text = TextOf(id, position, slot, index);
      if (!AppendXml(text, false, *out_)) return Fail(id, slot, text);
    }
    return true;
  }

  // A value that is an element, or several.
  bool WriteValue(ClassId id, size_t slot, size_t position, size_t index) {
    const size_t count = index == kAll ? records_->ValueCount(position, slot) : 1;
    for (size_t i = 0; i < count; ++i) {
      const std::string_view text = TextOf(id, position, slot, index == kAll ? i : index);
      if (!text.empty() && !WriteValueElement(id, slot, text)) return false;
    }
    return true;
  }

  bool WriteValueElement(ClassId id, size_t slot, std::string_view text) {
    *out_ += value_tags_[id][slot].open;
    WritePreserve(text);
    *out_ += '>';
    if (!AppendXml(text, false, *out_)) return Fail(id, slot, text);
    *out_ += value_tags_[id][slot].close;
    return true;
  }

  // The vertices of a class below `parent`, or an element around vertices with what belongs in it.
  bool WriteBelow(uint32_t element, size_t parent) {
    const XmlLayoutElement& self = layout_->elements[element];
    if (!self.is_vertex) {
      const size_t begin = out_->size();
      *out_ += tags_[element].open;
      *out_ += '>';
      const size_t empty = out_->size();
      for (const XmlMember& member : members_[element]) {
        if (!WriteBelow(member.number, parent)) return false;
      }
      const bool needed = !records_->sparse() && self.usual == element;
      if (out_->size() == empty && !needed) {
        out_->resize(begin);
      } else {
        EndElement(tags_[element], empty);
      }
      return true;
    }
    const size_t end = parent + records_->subtree_size(parent);
    for (size_t at = parent + 1; at < end; at += records_->subtree_size(at)) {
      if (records_->vertex_class(at) == self.id && !WriteVertex(element, at)) return false;
    }
    return true;
  }

  bool Fail(ClassId id, size_t slot, std::string_view text) {
    const Schema& schema = records_->schema();
    error_ = ErrorAt(ErrorCode::kData,
                     {.file = records_->data().source,
                      .path = schema.PathOf(id, schema.classes[id].slot_name(slot))},
                     "every character must be one that XML can hold, but one is not",
                     "remove control characters from the data, or use another format",
                     std::string(text));
    return false;
  }

  const XmlLayout* layout_;
  XmlShape shape_;
  OutgoingRecords* records_;
  bool with_class_;
  // By element of the layout; the opening tag without its end.
  std::vector<Tag> tags_;
  // By class and slot.
  std::vector<std::vector<Tag>> value_tags_;
  // By element of the layout.
  std::vector<std::vector<XmlMember>> members_;
  std::string* out_ = nullptr;
  std::optional<Error> error_;
};

}  // namespace

Status WriteXml(const InputPolicy& input, OutgoingRecords& records, const WriteOptions& options,
                const WriteBytes& write) {
  THICKET_ASSIGN(const XmlLayout layout, XmlLayout::Of(records.schema(), records.moved()));
  XmlShape shape = records.data().shape.xml;
  const bool was_xml = !shape.around.empty();
  if (!was_xml) {
    THICKET_ASSIGN(shape, ShapeFromNames(input, records.data(), layout));
  }
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
