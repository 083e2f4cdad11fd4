#include "taxonomy/taxonomy.h"

#include <algorithm>
#include <utility>

#include "base/stop.h"
#include "taxonomy/date.h"

namespace thicket {

namespace {

// The number that a text is, unless its zeros say that it is a code.
std::optional<std::string> PlainNumber(std::string_view text) {
  const size_t first = text.find_first_not_of("+-");
  const bool begins_with_zero = first != std::string_view::npos && first + 1 < text.size() &&
                                text[first] == '0' && text[first + 1] >= '0' &&
                                text[first + 1] <= '9';
  if (begins_with_zero) return std::nullopt;
  return Decimal::Key(text);
}

}  // namespace

std::optional<Node> Taxonomy::Find(std::string_view label) const {
  const auto found = by_label_.find(std::string(label));
  if (found != by_label_.end()) return found->second;
  if (by_number_.empty()) return std::nullopt;
  const std::optional<std::string> number = PlainNumber(label);
  if (!number) return std::nullopt;
  const auto same = by_number_.find(*number);
  if (same == by_number_.end() || same->second == kAmbiguous) return std::nullopt;
  return same->second;
}

std::optional<Node> Taxonomy::FindRange(std::string_view value) const {
  Decimal low;
  Decimal high;
  if (dates_) {
    std::optional<Date> date = ParseDate(value);
    if (!date) date = ParseSlashDate(value);
    if (!date) return std::nullopt;
    low = FirstDay(*date);
    high = LastDay(*date);
  } else {
    const std::optional<Decimal> number = Decimal::Parse(value);
    if (!number) return std::nullopt;
    low = high = *number;
  }
  const auto above =
      std::upper_bound(lowest_ranges_.begin(), lowest_ranges_.end(), low,
                       [](const Decimal& bound, const Range& range) { return bound < range.low; });
  if (above == lowest_ranges_.begin()) return std::nullopt;
  const Range& range = *(above - 1);
  if (high > range.high) return std::nullopt;
  return range.node;
}

double Taxonomy::Loss(Node node) const {
  if (is_leaf(node)) return 0;
  if (node == kRoot) return 1;
  if (leaves_[node] == 1) return 0;  // also where the root has no other leaf
  return (leaves_[node] - 1.0) / (leaves_[kRoot] - 1.0);
}

TaxonomyBuilder::TaxonomyBuilder(std::string root_label) {
  parent_.push_back(root());
  by_label_.emplace(root_label, root());
  label_.push_back(std::move(root_label));
}

TaxonomyBuilder::TaxonomyBuilder(const Taxonomy& base)
    : parent_(base.parent_),
      label_(base.label_),
      by_label_(base.by_label_),
      ranges_(base.ranges_),
      dates_(base.dates_) {}

TaxonomyBuilder TaxonomyBuilder::Under(std::string root_label, const Taxonomy& base) {
  TaxonomyBuilder builder(std::move(root_label));
  builder.Add(root(), base.label_[Taxonomy::kRoot]);
  for (Node node = 1; node < base.node_count(); ++node) {
    builder.Add(base.parent_[node] + 1, base.label_[node]);
  }
  builder.ranges_ = base.ranges_;
  for (Taxonomy::Range& range : builder.ranges_) ++range.node;
  builder.dates_ = base.dates_;
  return builder;
}

TaxonomyBuilder TaxonomyBuilder::Without(const Taxonomy& base, const std::vector<bool>& leaves) {
  std::vector<bool> stays(base.node_count(), false);
  stays[Taxonomy::kRoot] = true;
  for (size_t rank = 0; rank < leaves.size(); ++rank) {
    if (leaves[rank]) continue;
    for (Node node = base.first_leaf_ + static_cast<Node>(rank); !stays[node];) {
      stays[node] = true;
      node = base.parent_[node];
    }
  }
  TaxonomyBuilder builder(base.label_[Taxonomy::kRoot]);
  std::vector<Handle> handle(base.node_count(), root());
  for (Node node = 1; node < base.node_count(); ++node) {
    if (stays[node]) handle[node] = builder.Add(handle[base.parent_[node]], base.label_[node]);
  }
  for (const Taxonomy::Range& range : base.ranges_) {
    if (stays[range.node]) builder.ranges_.push_back({handle[range.node], range.low, range.high});
  }
  builder.dates_ = base.dates_;
  return builder;
}

TaxonomyBuilder::Handle TaxonomyBuilder::Add(Handle parent, std::string label) {
  StopPoint();
  const Handle node = static_cast<Handle>(parent_.size());
  parent_.push_back(parent);
  by_label_.emplace(label, node);
  label_.push_back(std::move(label));
  return node;
}

std::optional<TaxonomyBuilder::Handle> TaxonomyBuilder::Find(std::string_view label) const {
  const auto found = by_label_.find(std::string(label));
  if (found == by_label_.end()) return std::nullopt;
  return found->second;
}

void TaxonomyBuilder::SetRange(Handle node, Decimal low, Decimal high, bool dates) {
  ranges_.push_back({node, std::move(low), std::move(high)});
  dates_ = dates;
}

Taxonomy TaxonomyBuilder::Build() && {
  const size_t count = parent_.size();
  std::vector<bool> inner(count, false);
  for (size_t node = 1; node < count; ++node) inner[parent_[node]] = true;

  // Inner nodes keep their order and come first; leaves follow in theirs.
  std::vector<Node> number(count);
  Node next = 0;
  for (size_t node = 0; node < count; ++node) {
    if (inner[node]) number[node] = next++;
  }
  Taxonomy result;
  result.first_leaf_ = next;
  for (size_t node = 0; node < count; ++node) {
    if (!inner[node]) number[node] = next++;
  }

  result.parent_.resize(count);
  result.depth_.resize(count);
  result.leaves_.assign(count, 0);
  result.label_.resize(count);
  for (size_t node = 0; node < count; ++node) {
    result.parent_[number[node]] = number[parent_[node]];
    result.label_[number[node]] = std::move(label_[node]);
    if (node > 0) result.depth_[number[node]] = result.depth_[number[parent_[node]]] + 1;
  }
  for (size_t node = count; node-- > 0;) {
    if (result.is_leaf(static_cast<Node>(node))) result.leaves_[node] = 1;
    if (node > 0) result.leaves_[result.parent_[node]] += result.leaves_[node];
  }
  result.by_label_.reserve(count);
  for (size_t node = 0; node < count; ++node) {
    StopPoint();
    result.by_label_.emplace(result.label_[node], static_cast<Node>(node));
    if (const auto value = PlainNumber(result.label_[node])) {
      const auto [same, is_new] = result.by_number_.emplace(*value, static_cast<Node>(node));
      if (!is_new) same->second = Taxonomy::kAmbiguous;
    }
  }

  std::vector<bool> has_range_below(count, false);
  for (const Taxonomy::Range& range : ranges_) {
    if (range.node != root()) has_range_below[parent_[range.node]] = true;
  }
  result.dates_ = dates_;
  for (const Taxonomy::Range& range : ranges_) {
    result.ranges_.push_back({number[range.node], range.low, range.high});
    if (!has_range_below[range.node]) result.lowest_ranges_.push_back(result.ranges_.back());
  }
  std::sort(result.lowest_ranges_.begin(), result.lowest_ranges_.end(),
            [](const Taxonomy::Range& a, const Taxonomy::Range& b) { return a.low < b.low; });
  return result;
}

}  // namespace thicket
