#include "taxonomy/hierarchy.h"

#include <fmt/format.h>

#include <utility>

#include "base/stop.h"
#include "base/text.h"

namespace thicket {

Error Hierarchy::Fail(size_t line, const std::string& what, std::string hint) const {
  return ErrorAt(ErrorCode::kUsage, {.file = file_, .line = line}, what, std::move(hint));
}

size_t Hierarchy::Intern(std::string_view label, size_t line) {
  StopPoint();
  const auto [at, added] = by_label_.emplace(std::string(label), entries_.size());
  if (added) {
    entries_.emplace_back();
    entries_.back().label = label;
    entries_.back().first_line = line;
  }
  return at->second;
}

size_t Hierarchy::InternValue(std::string_view label, size_t line) {
  StopPoint();
  const auto [at, added] = value_by_label_.emplace(std::string(label), entries_.size());
  if (added) {
    entries_.emplace_back();
    entries_.back().label = label;
    entries_.back().is_value = true;
    entries_.back().first_line = line;
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
  const size_t lower = Intern(child, line);
  const size_t upper = Intern(parent, line);
  Entry& entry = entries_[lower];
  if (entry.parent == upper) return {};
  if (lower == upper || (lower < known && IsAtOrAbove(lower, upper))) {
    return Fail(
        line,
        fmt::format("a label must not be its own ancestor, but \"{}\" is (a cycle through \"{}\")",
                    child, parent),
        "put each label on one level only");
  }
  if (entry.parent != kNone) return TwoParents(child, parent, line, entry);
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

Error Hierarchy::TwoParents(std::string_view child, std::string_view parent, size_t line,
                            const Entry& before) const {
  return Fail(
      line,
      fmt::format("a label must have one parent, but \"{}\" is under \"{}\" here and under \"{}\" "
                  "in line {}",
                  child, parent, entries_[before.parent].label, before.parent_line),
      "correct one of the two lines, or give the labels different names");
}

Status Hierarchy::AddValue(std::string_view value, std::string_view group, size_t line) {
  const size_t lower = InternValue(value, line);
  const size_t upper = Intern(group, line);
  Entry& entry = entries_[lower];
  if (value == group) {
    if (entry.own_line == 0) entry.own_line = line;
    return {};
  }
  if (entry.parent == upper) return {};
  if (entry.parent != kNone) return TwoParents(value, group, line, entry);
  entry.parent = upper;
  entry.parent_line = line;
  if (entries_[upper].first_child_line == 0) entries_[upper].first_child_line = line;
  return {};
}

Status Hierarchy::AddRoot(std::string_view label, size_t line) {
  const size_t root = Intern(label, line);
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

Status Hierarchy::PlaceInGroup(Entry& value, size_t group) {
  const Entry& named = entries_[group];
  // Without another place the value stands right below its group; so it does where it was put beside the group.
  const bool beside = value.parent != kNone && value.parent == named.parent;
  if (value.parent == kNone || beside) {
    value.parent = group;
    if (value.own_line != 0) value.parent_line = value.own_line;
    return {};
  }
  if (!IsAtOrAbove(group, value.parent)) {
    const std::string place = named.parent == kNone
                                  ? std::string("is the root")
                                  : fmt::format("is under \"{}\" in line {}",
                                                entries_[named.parent].label, named.parent_line);
    return Fail(
        value.parent_line,
        fmt::format("a value with the name of a group must belong to that group, but \"{}\" is "
                    "under \"{}\" here and the group {}",
                    value.label, entries_[value.parent].label, place),
        "give the value and the group different names");
  }
  if (value.own_line != 0) return TwoParents(value.label, value.label, value.own_line, value);
  return {};
}

Status Hierarchy::PlaceInsteadOfGroup(Entry& value, size_t group) {
  Entry& named = entries_[group];
  if (named.parent == kNone) {
    return Fail(
        value.own_line,
        fmt::format("a label must not be its own ancestor, but \"{}\" is (a cycle)", value.label),
        "put each label on one level only");
  }
  if (value.parent != kNone && value.parent != named.parent) {
    return TwoParents(value.label, entries_[named.parent].label, named.parent_line, value);
  }
  value.parent = named.parent;
  value.parent_line = named.parent_line;
  named.left_out = true;
  return {};
}

Status Hierarchy::PlaceNamesakes() {
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].is_value) continue;
    Entry& value = entries_[i];
    const auto namesake = by_label_.find(value.label);
    if (namesake == by_label_.end()) continue;
    const size_t group = namesake->second;
    if (entries_[group].first_child_line == 0) {
      THICKET_TRY(PlaceInsteadOfGroup(value, group));
      continue;
    }
    THICKET_TRY(PlaceInGroup(value, group));
    std::string name = value.label + " (any)";
    for (const auto* labels : {&by_label_, &value_by_label_}) {
      const auto taken = labels->find(name);
      if (taken == labels->end()) continue;
      return Fail(value.first_line,
                  fmt::format("\"{}\" is a value and a group, which must be called \"{}\" then, "
                              "but that is another label in line {}",
                              value.label, name, entries_[taken->second].first_line),
                  "give one of them another name");
    }
    entries_[group].label = std::move(name);
  }
  return {};
}

Result<size_t> Hierarchy::FindRoot() const {
  size_t root = kNone;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].parent != kNone || entries_[i].left_out) continue;
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

Result<TaxonomyBuilder> Hierarchy::Finish() {
  THICKET_TRY(PlaceNamesakes());
  THICKET_ASSIGN(const size_t root, FindRoot());
  constexpr auto kUnknown = static_cast<TaxonomyBuilder::Handle>(-1);
  TaxonomyBuilder builder(entries_[root].label);
  std::vector<TaxonomyBuilder::Handle> handle(entries_.size(), kUnknown);
  handle[root] = TaxonomyBuilder::root();
  std::vector<size_t> depth(entries_.size(), 0);
  std::vector<size_t> missing;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].left_out) continue;
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
