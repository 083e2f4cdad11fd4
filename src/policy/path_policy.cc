// Names that lead through objects and arrays, and classes that are told by values of their objects (record/vertex_path.h).
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "policy/policy_reader.h"
#include "record/vertex_path.h"

namespace thicket {

namespace {

bool HasPaths(Format format) {
  return format == Format::kJson || format == Format::kJsonl || format == Format::kXml;
}

Result<WhereValues> ReadWhereValues(const PolicyNode& node) {
  const std::string hint = "write where: {resourceType: Condition}";
  if (!node.yaml().is_mapping() || node.Children().empty()) {
    return node.Fail("must be a mapping from key to value, but is not", hint);
  }
  WhereValues where;
  for (const auto& [key, value] : node.Children()) {
    if (key.empty()) return value.Fail("must have a name, but the name is empty", hint);
    if (!value.yaml().is_scalar() || value.yaml().text.empty()) {
      return value.Fail("must be a plain value, but is not", hint);
    }
    where.emplace_back(key, value.yaml().text);
  }
  return where;
}

struct Named {
  std::string name;
  std::string_view role;
};

// Whether `name` leads through what is called `begin`.
bool LeadsPast(const std::string& name, const std::string& begin) {
  return name.size() > begin.size() && name[begin.size()] == '/' &&
         name.compare(0, begin.size(), begin) == 0;
}

// A name must not lead through what is a value itself, or is left out whole.
Status CheckClass(const PolicyNode& node, const Schema& schema, ClassId id) {
  const VertexClass& type = schema.classes[id];
  std::vector<Named> names;
  if (!type.id.empty()) names.push_back({type.id, "id"});
  for (const std::string& name : type.drop) names.push_back({name, "drop"});
  for (size_t slot = 0; slot < type.value_count(); ++slot) {
    const bool quasi = slot < type.quasi.size();
    const bool kept = slot >= type.quasi.size() + type.sensitive.size();
    names.push_back({type.slot_name(slot), quasi ? "quasi" : kept ? "keep" : "sensitive"});
  }
  const size_t attributes = names.size();
  for (const auto& [key, value] : type.where) names.push_back({key, "where"});
  for (const ClassId child : type.children) {
    names.push_back({PathOfVertices(schema.classes[child]), "at"});
  }
  for (size_t i = 0; i < names.size(); ++i) {
    const std::vector<std::string> steps = StepsOf(names[i].name);
    if (i < attributes && steps.size() > 1 && std::count(steps.begin(), steps.end(), "") > 0) {
      return node.Fail(
          fmt::format("must have attributes with a name between any two slashes, but \"{}\" has "
                      "none somewhere",
                      names[i].name),
          "write ~1 for a slash that is part of a key");
    }
    for (const Named& other : names) {
      if (!LeadsPast(names[i].name, other.name)) continue;
      // Elements around vertices are judged where the classes are laid out.
      if (names[i].role == "at" && other.role == "at") continue;
      return node.Fail(
          fmt::format("must have one use for each key, but \"{}\" ({}) leads through \"{}\" ({})",
                      names[i].name, names[i].role, other.name, other.role),
          "name what is in an object (code/text), or the object, but not both");
    }
  }
  for (size_t i = 0; i < type.children.size(); ++i) {
    THICKET_TRY(CheckClass(node.Child("children").Item(i), schema, type.children[i]));
  }
  return {};
}

// Objects are of the first class whose values they have: one that takes all of them must come last.
Status CheckOrder(const PolicyNode& node, const Schema& schema, ClassId id) {
  const std::vector<ClassId>& children = schema.classes[id].children;
  for (size_t i = 0; i < children.size(); ++i) {
    const VertexClass& type = schema.classes[children[i]];
    for (size_t j = i + 1; j < children.size() && type.where.empty(); ++j) {
      const VertexClass& after = schema.classes[children[j]];
      if (PathOfVertices(after) != type.at) continue;
      return node.Child("children")
          .Item(i)
          .Fail(fmt::format(
                    "must come after {}, since it takes all objects at {}, but comes before it",
                    after.name, type.at),
                "put it last, or add where");
    }
    THICKET_TRY(CheckOrder(node.Child("children").Item(i), schema, children[i]));
  }
  return {};
}

}  // namespace

Status ReadAt(const PolicyNode& node, Format format, VertexClass& type) {
  THICKET_ASSIGN(type.at, node.Child("at").Text());
  if (!node.Has("where")) return {};
  const PolicyNode where = node.Child("where");
  if (!HasPaths(format)) {
    return where.Fail(fmt::format("must stand beside format: json, jsonl or xml, but the format is "
                                  "{}",
                                  FormatName(format)),
                      "remove it");
  }
  THICKET_ASSIGN(type.where, ReadWhereValues(where));
  type.at += WhereText(type.where);
  return {};
}

Status CheckPaths(const PolicyNode& record, const Schema& schema, Format format) {
  if (!HasPaths(format)) return {};
  THICKET_TRY(CheckOrder(record, schema, 0));
  return CheckClass(record, schema, 0);
}

}  // namespace thicket
