#include "policy/moved_vertices.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "policy/policy_reader.h"
#include "record/vertex_path.h"

namespace thicket {

namespace {

// The attributes of a class, published or not.
std::vector<std::string> AttributesOf(const VertexClass& type) {
  std::vector<std::string> names = type.drop;
  if (!type.id.empty()) names.push_back(type.id);
  for (size_t slot = 0; slot < type.value_count(); ++slot) names.push_back(type.slot_name(slot));
  return names;
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> ColumnsOf(const VertexClass& type) {
  std::vector<std::string> names = AttributesOf(type);
  names.insert(names.end(), {type.key, type.parent_key});
  return names;
}

// Whether one path is the other, or leads through it: "a/b" and "a".
bool Overlap(const std::string& a, const std::string& b, bool paths) {
  const auto through = [&](const std::string& path, const std::string& begin) {
    return paths && path.size() > begin.size() && path[begin.size()] == '/' &&
           path.compare(0, begin.size(), begin) == 0;
  };
  return a == b || through(a, b) || through(b, a);
}

class Check {
 public:
  Check(const Schema& schema, Format format) : schema_(&schema), format_(format) {}

  // The class and, in the order in which they were numbered, those below it.
  Status Class(const PolicyNode& node, ClassId id) const {
    THICKET_TRY(HasTables(format_) ? Columns(node, id) : Keys(node, id));
    const std::vector<ClassId>& children = schema_->classes[id].children;
    for (size_t i = 0; i < children.size(); ++i) {
      THICKET_TRY(Class(node.Child("children").Item(i), children[i]));
    }
    return {};
  }

 private:
  // The key of a class must mean nothing else in any ancestor above its parent.
  Status Keys(const PolicyNode& node, ClassId id) const {
    if (id == 0) return {};
    for (ClassId above = schema_->classes[id].parent; above != 0;) {
      above = schema_->classes[above].parent;
      const std::optional<std::string> other = OtherMeaning(above, id);
      if (!other) continue;
      return node.Child("at").Fail(
          fmt::format(
              "must have a name of its own in every class above it, since k^(m,n)-anonymity "
              "may move its vertices there, but in {} it is {}, too",
              schema_->classes[above].name, *other),
          "rename it in the data and in the policy");
    }
    return {};
  }

  std::optional<std::string> OtherMeaning(ClassId above, ClassId id) const {
    const bool paths = format_ == Format::kXml;
    const std::string at = PathOfVertices(schema_->classes[id]);
    for (const std::string& name : AttributesOf(schema_->classes[above])) {
      if (Overlap(at, name, paths)) return "an attribute";
    }
    for (const ClassId other : schema_->ClassesBelow(above)) {
      const VertexClass& type = schema_->classes[other];
      if (other != id && Overlap(at, PathOfVertices(type), paths)) return "the at of " + type.name;
    }
    return {};
  }

  Status Columns(const PolicyNode& node, ClassId id) const {
    std::vector<std::string> taken = ColumnsOf(schema_->classes[id]);
    for (const AncestorColumn& column : AncestorColumns(*schema_, id)) {
      if (Contains(taken, column.name)) {
        return node.Child("table").Fail(
            fmt::format("must have room for a column that leads to {}, since k^(m,n)-anonymity may "
                        "move its rows there, but {} is taken",
                        schema_->classes[column.ancestor].table, column.name),
            "rename that column in the data and in the policy");
      }
      taken.push_back(column.name);
    }
    return {};
  }

  const Schema* schema_;
  Format format_;
};

}  // namespace

std::vector<AncestorColumn> AncestorColumns(const Schema& schema, ClassId id) {
  std::vector<AncestorColumn> columns;
  std::vector<std::string> taken = ColumnsOf(schema.classes[id]);
  for (ClassId below = schema.classes[id].parent; below != 0;) {
    const VertexClass& type = schema.classes[below];
    std::string name = type.parent_key;
    if (Contains(taken, name)) name = schema.classes[type.parent].table + "_" + name;
    taken.push_back(name);
    columns.push_back({type.parent, std::move(name)});
    below = type.parent;
  }
  return columns;
}

Status CheckMovedVertices(const PolicyNode& record, const Schema& schema, Format format) {
  return Check(schema, format).Class(record, 0);
}

}  // namespace thicket
