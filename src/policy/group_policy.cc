// Long tables: rows of one person (VertexClass::group_by).
#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "policy/policy_reader.h"

namespace thicket {

namespace {

std::vector<std::string> NamesOf(const VertexClass& type) {
  std::vector<std::string> names = type.drop;
  for (size_t slot = 0; slot < type.value_count(); ++slot) names.push_back(type.slot_name(slot));
  return names;
}

}  // namespace

Status ReadGroupBy(const PolicyNode& record, Format format, std::string& group_by) {
  if (!record.Has("group_by")) return {};
  const PolicyNode node = record.Child("group_by");
  if (format != Format::kCsv) {
    return node.Fail(
        fmt::format("must stand beside format: csv, but the format is {}", FormatName(format)),
        HasTables(format)
            ? "describe the persons as a table of their own, which may be a view, and "
              "these rows as one below it, with parent"
            : "remove it");
  }
  THICKET_ASSIGN(group_by, node.Text());
  return {};
}

Status CheckGroups(const PolicyNode& record, const Schema& schema) {
  const VertexClass& root = schema.root();
  if (root.group_by.empty()) return {};
  const PolicyNode node = record.Child("group_by");
  if (schema.classes.size() != 2) {
    return node.Fail(
        fmt::format("must stand beside exactly one class under children, whose columns "
                    "differ from row to row, but there are {}",
                    schema.classes.size() - 1),
        "add children: [{class: row, quasi: {...}}]; a row has no rows below it");
  }
  if (!root.id.empty() && root.id != root.group_by) {
    return record.Child("id").Fail(
        fmt::format("must be {}, which says whose a row is, but is another column", root.group_by),
        "leave id out, and put the column under drop");
  }
  std::set<std::string> taken = {root.group_by};
  for (const std::string& name : NamesOf(root)) taken.insert(name);
  if (taken.size() != NamesOf(root).size() + 1) {
    return node.Fail(fmt::format("must have no other role, but {} has one", root.group_by),
                     "name it in one place only: its values are replaced by new numbers");
  }
  for (const std::string& name : NamesOf(schema.classes[1])) {
    if (taken.count(name) == 0) continue;
    return record.Child("children")
        .Item(0)
        .Fail(fmt::format("must name columns of its own, but {} is one of the record", name),
              "name it in one place only");
  }
  return {};
}

}  // namespace thicket
