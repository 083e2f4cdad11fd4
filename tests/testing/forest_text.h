// Schemas and data sets in a notation short enough for a test.
//
// A vertex is its class, its values in parentheses (quasi | sensitive | keep, commas between values) and its children
// in braces. A schema is written the same way, with attribute names for values:
//
//   auto schema = ParseSchema("student(major,year|gpa|campus){course(code|grade){book(title)}}");
//   Dataset data = ParseForest(schema,
//                              "student(CS,1993|3.81){course(CS201|A) course(CS305|B){book(Databases)}}"
//                              "student(CS,'[1990, 1995)'|2.5)");
//
// An empty value is missing, so are values left out at the end. Text that reads as a number is one; quotes ('...') make
// it a string, and let it hold commas, bars, parentheses and blanks. Empty parentheses and braces may be left out.
// Records are separated by blanks or nothing; the line of a record is its number, from 1. Malformed text throws
// std::invalid_argument, which fails the test that wrote it.
//
// Quasi-identifiers of a parsed schema have a default Recoding; set what the test needs:
//
//   schema->classes[0].quasi[1].recoding.kind = Recoding::Kind::kNumeric;
#pragma once

#include <cctype>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "record/dataset.h"

namespace thicket::testing {

struct ParsedValue {
  ValueKind kind = ValueKind::kNone;
  std::string text;
};

struct ParsedVertex {
  std::string name;
  // Quasi, sensitive, keep.
  std::vector<std::vector<ParsedValue>> values;
  std::vector<ParsedVertex> children;
};

class ForestParser {
 public:
  explicit ForestParser(std::string_view text) : text_(text) {}

  std::vector<ParsedVertex> ParseAll() {
    std::vector<ParsedVertex> vertices = ParseVertices();
    if (at_ < text_.size()) Fail("a vertex must begin with its class");
    return vertices;
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw std::invalid_argument(what + " at: " + std::string(text_.substr(at_, 20)));
  }
  void SkipBlanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool Take(char c) {
    SkipBlanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::vector<ParsedVertex> ParseVertices() {
    std::vector<ParsedVertex> vertices;
    for (SkipBlanks(); at_ < text_.size() && IsName(text_[at_]); SkipBlanks()) {
      vertices.push_back(ParseVertex());
    }
    return vertices;
  }
  static bool IsName(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  }
  ParsedVertex ParseVertex() {
    ParsedVertex vertex;
    while (at_ < text_.size() && IsName(text_[at_])) vertex.name += text_[at_++];
    vertex.values.resize(1);
    if (Take('(') && !Take(')')) ParseValues(vertex.values);
    vertex.values.resize(3);
    if (Take('{')) {
      vertex.children = ParseVertices();
      if (!Take('}')) Fail("children must end with }");
    }
    return vertex;
  }
  void ParseValues(std::vector<std::vector<ParsedValue>>& roles) {
    while (true) {
      roles.back().push_back(ParseValue());
      if (Take(',')) continue;
      // A role without values is written as nothing.
      if (roles.back().size() == 1 && roles.back()[0].kind == ValueKind::kNone)
        roles.back().clear();
      if (Take(')')) break;
      if (!Take('|')) Fail("a value must be followed by , or | or )");
      roles.emplace_back();
    }
    if (roles.size() > 3) Fail("a vertex has three roles of values");
  }
  ParsedValue ParseValue() {
    if (Take('\'')) {
      const size_t end = text_.find('\'', at_);
      if (end == std::string_view::npos) Fail("a quote must be closed");
      ParsedValue value{ValueKind::kString, std::string(text_.substr(at_, end - at_))};
      at_ = end + 1;
      return value;
    }
    const size_t end = text_.find_first_of(",|)", at_);
    if (end == std::string_view::npos) Fail("values must end with )");
    ParsedValue value{ValueKind::kString, std::string(Trim(text_.substr(at_, end - at_)))};
    at_ = end;
    if (value.text.empty()) value.kind = ValueKind::kNone;
    if (ParseNumber(value.text)) value.kind = ValueKind::kNumber;
    return value;
  }

  std::string_view text_;
  size_t at_ = 0;
};

inline void AddClass(const ParsedVertex& vertex, ClassId parent, Schema& schema) {
  const auto id = static_cast<ClassId>(schema.classes.size());
  schema.classes.emplace_back();
  schema.classes[id].name = vertex.name;
  if (id != 0) {
    schema.classes[id].at = vertex.name;
    schema.classes[id].parent = parent;
    schema.classes[parent].children.push_back(id);
  }
  for (const ParsedValue& name : vertex.values[0])
    schema.classes[id].quasi.push_back({name.text, {}});
  for (const ParsedValue& name : vertex.values[1]) {
    schema.classes[id].sensitive.push_back({name.text, {}, {}});
  }
  for (const ParsedValue& name : vertex.values[2]) schema.classes[id].keep.push_back(name.text);
  for (const ParsedVertex& child : vertex.children) AddClass(child, id, schema);
}

inline std::shared_ptr<Schema> ParseSchema(std::string_view text) {
  const std::vector<ParsedVertex> roots = ForestParser(text).ParseAll();
  if (roots.size() != 1) throw std::invalid_argument("a schema must have one root");
  auto schema = std::make_shared<Schema>();
  AddClass(roots[0], 0, *schema);
  return schema;
}

inline void AddValues(const ParsedVertex& vertex, ClassId id, Dataset& data,
                      ForestBuilder& builder) {
  const VertexClass& vertex_class = data.schema->classes[id];
  const size_t begins[] = {0, vertex_class.sensitive_slot(0), vertex_class.keep_slot(0),
                           vertex_class.value_count()};
  for (size_t role = 0; role < 3; ++role) {
    if (vertex.values[role].size() > begins[role + 1] - begins[role]) {
      throw std::invalid_argument("too many values for class " + vertex.name);
    }
    for (size_t i = 0; i < vertex.values[role].size(); ++i) {
      const ParsedValue& value = vertex.values[role][i];
      const size_t slot = begins[role] + i;
      builder.Set(slot, data.dictionaries[id][slot].Intern(value.kind, value.text));
    }
  }
}

inline void AddChildren(const ParsedVertex& vertex, ClassId id, Dataset& data,
                        ForestBuilder& builder) {
  AddValues(vertex, id, data, builder);
  for (const ParsedVertex& child : vertex.children) {
    bool found = false;
    // Further below for vertices that were moved up.
    for (const ClassId child_id : data.schema->ClassesBelow(id)) {
      if (found || data.schema->classes[child_id].name != child.name) continue;
      builder.Open(child_id);
      AddChildren(child, child_id, data, builder);
      builder.Close();
      found = true;
    }
    if (!found) throw std::invalid_argument("class " + vertex.name + " has no child " + child.name);
  }
}

inline Dataset ParseForest(std::shared_ptr<const Schema> schema, std::string_view text,
                           std::string source = "data.jsonl") {
  Dataset data = Dataset::Empty(std::move(schema), std::move(source));
  ForestBuilder builder(*data.schema);
  uint32_t line = 0;
  for (const ParsedVertex& record : ForestParser(text).ParseAll()) {
    if (record.name != data.schema->root().name)
      throw std::invalid_argument("not a record: " + record.name);
    builder.BeginRecord(++line);
    AddChildren(record, 0, data, builder);
    builder.EndRecord();
  }
  data.forest = std::move(builder).Build();
  return data;
}

}  // namespace thicket::testing
