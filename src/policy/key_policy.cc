// Keys that tables are joined by, of one column or of several.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "policy/policy_reader.h"

namespace thicket {

namespace {

// The columns under `key` or `parent`, at least one.
Result<std::vector<std::string>> ReadColumns(const PolicyNode& node) {
  std::vector<std::string> columns;
  if (!node.yaml().is_list()) {
    THICKET_ASSIGN(columns.emplace_back(), node.Text());
    return columns;
  }
  THICKET_ASSIGN(columns, node.Texts());
  if (columns.empty()) return node.Fail("must have a column, but has none", "name it: [a, b]");
  for (size_t i = 0; i < columns.size(); ++i) {
    if (std::count(columns.begin(), columns.end(), columns[i]) == 1) continue;
    return node.Fail("must have each column once, but one is there twice", "remove one of the two");
  }
  return columns;
}

// Whether the class says what becomes of a column.
bool HasRole(const PolicyNode& node, const std::string& column) {
  for (const char* role : {"quasi", "sensitive", "keep", "drop"}) {
    if (!node.Has(role)) continue;
    const YamlNode& named = node.Child(role).yaml();
    if (named.is_mapping() && named.Find(column) != nullptr) return true;
    if (named.is_list() && std::any_of(named.items.begin(), named.items.end(),
                                       [&](const auto& item) { return item->text == column; })) {
      return true;
    }
  }
  return false;
}

}  // namespace

Status ReadKey(const PolicyNode& node, VertexClass& type) {
  const PolicyNode key = node.Child("key");
  THICKET_ASSIGN(std::vector<std::string> columns, ReadColumns(key));
  type.key = columns.front();
  if (columns.size() == 1) return {};
  std::vector<std::string> parents;
  if (node.Has("parent")) {
    THICKET_ASSIGN(parents, ReadColumns(node.Child("parent")));
  }
  const auto own = std::find_if(columns.begin(), columns.end(), [&](const std::string& column) {
    return !HasRole(node, column) &&
           std::find(parents.begin(), parents.end(), column) == parents.end();
  });
  if (own == columns.end()) {
    return key.Fail(
        "must have a column that is no attribute and does not lead to the parent, but has none",
        "take one of them out of quasi, sensitive, keep and drop: new keys are published in it");
  }
  type.key = *own;
  type.key_columns = std::move(columns);
  return {};
}

Status ReadParent(const PolicyNode& node, const VertexClass& above, VertexClass& type) {
  const PolicyNode parent = node.Child("parent");
  THICKET_ASSIGN(std::vector<std::string> columns, ReadColumns(parent));
  const size_t needed = std::max<size_t>(above.key_columns.size(), 1);
  if (columns.size() != needed) {
    return parent.Fail(
        fmt::format("must have as many columns as the key of {}, which is {}, but has {}",
                    above.name, needed, columns.size()),
        "name them in the order of that key; other keys are left out");
  }
  type.parent_key = columns.front();
  if (columns.size() == 1) return {};
  const auto place = std::find(above.key_columns.begin(), above.key_columns.end(), above.key);
  type.parent_key = columns[static_cast<size_t>(place - above.key_columns.begin())];
  if (HasRole(node, type.parent_key)) {
    return parent.Fail(
        fmt::format("must not be an attribute where the new key of {} stands, but {} is",
                    above.name, type.parent_key),
        fmt::format("take {} out of quasi, sensitive, keep and drop", type.parent_key));
  }
  type.parent_columns = std::move(columns);
  return {};
}

}  // namespace thicket
