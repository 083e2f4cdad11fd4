#include "verify/combination_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace thicket {

namespace {

std::string NameText(const LabelTrees& trees, uint32_t name) {
  using Kind = LabelTrees::Name::Kind;
  const Kind kind = trees.name(name).kind;
  if (!trees.name(name).legal)
    return trees.Path(name) + " with a label that the policy does not know";
  return fmt::format("{} \"{}\"{}", trees.Path(name), trees.name(name).text,
                     kind == Kind::kAtOrBelow   ? " or below"
                     : kind == Kind::kAtOrAbove ? " or above"
                                                : "");
}

// "a, b and c".
std::string Enumerate(const std::vector<std::string>& parts) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

size_t PlaceOf(const LabelTrees& trees, size_t tree, uint32_t name) {
  const auto names = trees.names_of(tree);
  const auto found = std::lower_bound(names.begin(), names.end(), name);
  return found != names.end() && *found == name ? static_cast<size_t>(found - names.begin())
                                                : names.size();
}

}  // namespace

std::string Combination::Text(const LabelTrees& trees) const {
  // That a label is there goes without saying where a relation says it.
  std::vector<bool> said(names.size(), false);
  for (const Relation& relation : relations) {
    said[relation.above] = true;
    if (relation.holds) said[relation.below] = true;
  }
  std::vector<std::string> present;
  std::vector<std::string> absent;
  for (size_t i = 0; i < names.size(); ++i) {
    if (signs[i] == Sign::kPresent && !said[i]) present.push_back(NameText(trees, names[i]));
    if (signs[i] == Sign::kAbsent) absent.push_back(NameText(trees, names[i]));
  }
  for (const Relation& relation : relations) {
    present.push_back(fmt::format("{} {} {}", NameText(trees, names[relation.above]),
                                  relation.holds ? "above" : "never above",
                                  NameText(trees, names[relation.below])));
  }
  std::string text = Enumerate(present);
  if (absent.empty()) return text;
  return fmt::format("{}no {}", present.empty() ? "" : text + " but ", Enumerate(absent));
}

bool Combination::HoldsIn(const LabelTrees& trees, size_t tree) const {
  std::vector<size_t> places;
  const size_t none = trees.names_of(tree).size();
  for (size_t i = 0; i < names.size(); ++i) {
    const size_t place = PlaceOf(trees, tree, names[i]);
    places.push_back(place);
    if (signs[i] == Sign::kAbsent && place != none) return false;
    if (signs[i] == Sign::kPresent && (place == none || !trees.Shows(tree, place))) return false;
  }
  for (const Relation& relation : relations) {
    const size_t above = places[relation.above];
    const size_t below = places[relation.below];
    if (above == none || !trees.Shows(tree, above)) return false;
    if (relation.holds ? below == none || !trees.AboveShown(tree, above, below)
                       : below != none && trees.Above(tree, above, below)) {
      return false;
    }
  }
  return true;
}

void CombinationFindings::Add(Violator violator) {
  const size_t size = violator.combination.names.size() + violator.combination.relations.size();
  if (by_size_.size() <= size) by_size_.resize(size + 1);
  if (by_size_[size].size() < kKept) by_size_[size].push_back(std::move(violator));
}

void CombinationFindings::Merge(const CombinationFindings& other) {
  label_sets += other.label_sets;
  least = std::min(least, other.least);
  least_diverse = std::min(least_diverse, other.least_diverse);
  total += other.total;
  more = more || other.more;
  for (const auto& of_size : other.by_size_) {
    for (const Violator& violator : of_size) Add(violator);
  }
}

std::vector<Violator> CombinationFindings::Smallest() const {
  std::vector<Violator> smallest;
  for (const auto& of_size : by_size_) {
    if (smallest.size() >= kKept) break;
    std::vector<Violator> sorted = of_size;
    std::sort(sorted.begin(), sorted.end(),
              [](const Violator& a, const Violator& b) { return a.combination < b.combination; });
    smallest.insert(smallest.end(), sorted.begin(), sorted.end());
  }
  if (smallest.size() > kKept) smallest.resize(kKept);
  return smallest;
}

}  // namespace thicket
