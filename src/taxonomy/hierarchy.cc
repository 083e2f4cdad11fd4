#include "taxonomy/hierarchy.h"

#include <fmt/format.h>

#include <utility>

#include "base/stop.h"
#include "base/text.h"

namespace thicket {

Error Hierarchy::Fail(size_t line, const std::string& what, std::string hint) const {
  return ErrorAt(ErrorCode::kUsage, {.file = file_, .line = line}, what, std::move(hint));
}

size_t Hierarchy::Intern(std::string_view label) {
  StopPoint();
  const auto [at, added] = by_label_.emplace(std::string(label), entries_.size());
  if (added) {
    entries_.emplace_back();
    entries_.back().label = label;
  }
  return at->second;
}

bool Hierarchy::IsAtOrAbove(size_t upper, size_t lower) const {
  while (lower != kNone && lower != upper) lower = entries_[lower].parent;
  return lower == upper;
}

Status Hierarchy::AddParent(std::string_view child, std::string_view parent, size_t line) {
  // A label that is new has nothing below it yet, so only a known one can close a cycle.
  const size_t known = entries_.size();
  const size_t lower = Intern(child);
  const size_t upper = Intern(parent);
  Entry& entry = entries_[lower];
  if (entry.parent == upper) return {};
  if (lower == upper || (lower < known && IsAtOrAbove(lower, upper))) {
    return Fail(
        line,
        fmt::format("a label must not be its own ancestor, but \"{}\" is (a cycle through \"{}\")",
                    child, parent),
        "put each label on one level only");
  }
  if (entry.parent != kNone) {
    return Fail(
        line,
        fmt::format(
            "a label must have one parent, but \"{}\" is under \"{}\" here and under \"{}\" "
            "in line {}",
            child, parent, entries_[entry.parent].label, entry.parent_line),
        "correct one of the two lines, or give the labels different names");
  }
  if (lower == root_) {
    return Fail(
        line,
        fmt::format(
            "there must be one root, but \"{}\" is under \"{}\" here and the root in line {}",
            child, parent, root_line_),
        "end every line in the same root, such as *");
  }
  entry.parent = upper;
  entry.parent_line = line;
  if (entries_[upper].first_child_line == 0) entries_[upper].first_child_line = line;
  return {};
}

void Hierarchy::AddLeaf(std::string_view label, size_t line) {
  Entry& entry = entries_[Intern(label)];
  if (entry.leaf_line == 0) entry.leaf_line = line;
}

Status Hierarchy::AddRoot(std::string_view label, size_t line) {
  const size_t root = Intern(label);
  if (root_ == kNone) {
    root_ = root;
    root_line_ = line;
  }
  if (root == root_) return {};
  return Fail(
      line,
      fmt::format("there must be one root, but this line ends in \"{}\" and line {} in \"{}\"",
                  label, root_line_, entries_[root_].label),
      "end every line in the same root, such as *");
}

Status Hierarchy::CheckLeaves() const {
  for (const Entry& entry : entries_) {
    if (entry.leaf_line == 0 || entry.first_child_line == 0) continue;
    return Fail(entry.leaf_line,
                fmt::format("a label must be a value or a parent, but \"{}\" is a value here and a "
                            "parent in line {}",
                            entry.label, entry.first_child_line),
                "give the value and the group different names");
  }
  return {};
}

Result<size_t> Hierarchy::FindRoot() const {
  size_t root = kNone;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].parent != kNone) continue;
    if (root != kNone) {
      return Fail(entries_[i].first_child_line,
                  fmt::format("there must be one root, but both \"{}\" and \"{}\" have no parent",
                              entries_[root].label, entries_[i].label),
                  "put both under one root");
    }
    root = i;
  }
  if (root != kNone) return root;
  return ErrorAt(ErrorCode::kUsage, {.file = file_},
                 "a taxonomy must have values, but this one has none",
                 "write one line per value: the value, then its generalizations, then *");
}

Result<TaxonomyBuilder> Hierarchy::Finish() const {
  THICKET_TRY(CheckLeaves());
  THICKET_ASSIGN(const size_t root, FindRoot());
  constexpr auto kUnknown = static_cast<TaxonomyBuilder::Handle>(-1);
  TaxonomyBuilder builder(entries_[root].label);
  std::vector<TaxonomyBuilder::Handle> handle(entries_.size(), kUnknown);
  handle[root] = TaxonomyBuilder::root();
  std::vector<size_t> depth(entries_.size(), 0);
  std::vector<size_t> missing;
  for (size_t i = 0; i < entries_.size(); ++i) {
    // There is only one label without a parent, and there are no cycles, so every climb ends at a
    // known node.
    for (size_t at = i; handle[at] == kUnknown; at = entries_[at].parent) missing.push_back(at);
    for (; !missing.empty(); missing.pop_back()) {
      const size_t at = missing.back();
      const Entry& entry = entries_[at];
      handle[at] = builder.Add(handle[entry.parent], entry.label);
      depth[at] = depth[entry.parent] + 1;
      if (depth[at] > kMostLevels) {
        return Fail(entry.parent_line,
                    fmt::format("a taxonomy must have at most {} levels, but this one has more",
                                WithCommas(kMostLevels)),
                    "leave out levels that group little");
      }
    }
  }
  return builder;
}

}  // namespace thicket
