#include "taxonomy/taxonomy_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/text.h"

namespace thicket {

namespace {

// As in a taxonomy's file.
constexpr size_t kMostLevels = 1000;

bool IsEmpty(const ValueTree& tree) {
  return tree.is_null() || (tree.items().empty() && tree.entries().empty());
}

size_t CountBelow(const ValueTree& tree) { return tree.items().size() + tree.entries().size(); }

// Whether a value right below the label has its name.
bool HasNamesake(const std::string& label, const ValueTree& below) {
  return std::any_of(below.items().begin(), below.items().end(),
                     [&](const ValueTree& item) {
                       return item.kind() == ValueTree::Kind::kString && item.text() == label;
                     }) ||
         std::any_of(below.entries().begin(), below.entries().end(), [&](const auto& entry) {
           return entry.first == label && IsEmpty(entry.second);
         });
}

// What a group is called: its label, or "label (any)" beside a value of the same name.
std::string GroupName(const std::string& label, const ValueTree& below) {
  return HasNamesake(label, below) && CountBelow(below) > 1 ? label + " (any)" : label;
}

class TreeReader {
 public:
  explicit TreeReader(const std::string& name) : name_(name) {}

  Result<Taxonomy> Read(const ValueTree& tree) {
    if (tree.kind() != ValueTree::Kind::kMapping || tree.entries().size() != 1) {
      return Fail("", "a taxonomy must be a mapping with one key, its root, but is not",
                  "write {\"*\": {...}}");
    }
    const auto& [root, below] = tree.entries().front();
    const std::string name = GroupName(root, below);
    THICKET_TRY(Meet(name, root));
    TaxonomyBuilder builder(name);
    THICKET_TRY(ReadBelow(below, TaxonomyBuilder::root(), root, 1, builder));
    if (labels_.size() == 1) {
      return Fail(root, "a taxonomy must have values, but this one has none",
                  "write {\"*\": [\"a\", \"b\"]}");
    }
    return std::move(builder).Build();
  }

 private:
  Error Fail(const std::string& path, std::string_view what, std::string hint) const {
    return ErrorAt(ErrorCode::kUsage, {.file = name_, .path = path}, what, std::move(hint));
  }

  Status Meet(const std::string& label, const std::string& path) {
    if (label.empty()) return Fail(path, "a label must not be empty, but is", "give it a name");
    if (!IsUtf8(label)) return Fail("", "a label must be UTF-8, but is not", "convert it");
    if (!labels_.insert(label).second) {
      return Fail(path, "a label must occur once, but is there twice",
                  "take one of the two out, or give them different names");
    }
    return {};
  }

  Status ReadBelow(const ValueTree& tree, TaxonomyBuilder::Handle parent, const std::string& path,
                   size_t depth, TaxonomyBuilder& builder) {
    if (depth > kMostLevels) {
      return Fail(path,
                  fmt::format("a taxonomy must have at most {} levels, but this one has more",
                              WithCommas(kMostLevels)),
                  "leave out levels that group little");
    }
    switch (tree.kind()) {
      case ValueTree::Kind::kNull:
        return {};
      case ValueTree::Kind::kMapping:
        for (const auto& [label, below] : tree.entries()) {
          std::string inner = path;
          inner.append(".").append(label);
          const std::string name = GroupName(label, below);
          THICKET_TRY(Meet(name, inner));
          const TaxonomyBuilder::Handle node = builder.Add(parent, name);
          // A group of nothing but the value of its own name is that value.
          if (CountBelow(below) == 1 && HasNamesake(label, below)) continue;
          THICKET_TRY(ReadBelow(below, node, inner, depth + 1, builder));
        }
        return {};
      case ValueTree::Kind::kList:
        for (size_t i = 0; i < tree.items().size(); ++i) {
          const ValueTree& item = tree.items()[i];
          const std::string inner = fmt::format("{}[{}]", path, i);
          if (item.kind() != ValueTree::Kind::kString && item.kind() != ValueTree::Kind::kNumber) {
            return Fail(inner, "a value must be a text or a number, but is neither",
                        "nest groups as mappings: {\"group\": [\"a\", \"b\"]}");
          }
          const std::string label = item.text();
          THICKET_TRY(Meet(label, inner));
          builder.Add(parent, label);
        }
        return {};
      default:
        return Fail(path, "what is below a label must be a mapping or a list, but is neither",
                    "write a list of values: [\"a\", \"b\"]");
    }
  }

  const std::string& name_;
  std::unordered_set<std::string> labels_;
};

}  // namespace

Result<Taxonomy> ReadTaxonomyTree(const ValueTree& tree, const std::string& name) {
  return TreeReader(name).Read(tree);
}

}  // namespace thicket
