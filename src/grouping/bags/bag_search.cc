#include "grouping/bags/bag_search.h"

#include <algorithm>
#include <functional>

#include "base/stop.h"

namespace thicket {

BagSearch::BagSearch(const BagIndex& index, const Options& options)
    : index_(&index),
      options_(options),
      costs_(options.omega, 1),
      matcher_(options.matching),
      last_mention_(index.distances().term_count(), 0),
      excluded_in_(index.owner_count(), 0),
      seen_in_(index.size(), 0) {}

void BagSearch::StartCentre() {
  row_count_ = 0;
  group_count_ = 0;
  centre_terms_.clear();
  has_twins_ = false;
  const size_t next = first_mention_ + mentions_.size();
  mentions_.clear();
  first_mention_ = static_cast<uint32_t>(next);
  // Long before the numbers of mentions run out.
  if (next >= uint64_t{1} << 31) {
    std::fill(last_mention_.begin(), last_mention_.end(), 0);
    first_mention_ = 1;
  }
}

void BagSearch::AddGroup(std::span<const TermDistances::Near> near,
                         std::span<const BagIndex::Ring> rings) {
  // Farther terms are better left unmatched. There are none where omega is at least epsilon.
  const uint64_t farthest = 2 * costs_.nil() / costs_.step();
  while (!rings.empty() && rings.back().steps > farthest) {
    near = near.first(rings.back().begin);
    rings = rings.first(rings.size() - 1);
  }
  if (group_count_ == groups_.size()) groups_.emplace_back();
  Group& group = groups_[group_count_];
  group.near = near;
  group.rings = rings;
  group.rows.clear();
  for (const TermDistances::Near& other : near) {
    uint32_t& last = last_mention_[other.term];
    mentions_.push_back({last, static_cast<uint32_t>(group_count_), other.steps});
    last = first_mention_ + static_cast<uint32_t>(mentions_.size()) - 1;
  }
  ++group_count_;
}

void BagSearch::SetCentre(std::span<const uint32_t> terms) {
  StartCentre();
  costs_ = BagCosts(options_.omega, 1);
  centre_terms_.assign(terms.begin(), terms.end());
  for (size_t row = 0; row < terms.size(); ++row) {
    const auto same =
        std::find(terms.begin(), terms.begin() + static_cast<ptrdiff_t>(row), terms[row]);
    size_t group = group_count_;
    if (same != terms.begin() + static_cast<ptrdiff_t>(row)) {
      const auto first = static_cast<uint32_t>(same - terms.begin());
      for (group = 0; groups_[group].rows.front() != first;) ++group;
    } else {
      const auto rings = index_->rings(terms[row]);
      has_twins_ = has_twins_ || rings.front().end > 1;
      AddGroup(index_->distances().NearTo(terms[row]), rings);
    }
    groups_[group].rows.push_back(static_cast<uint32_t>(row));
  }
  row_count_ = terms.size();
}

void BagSearch::SetCentre(std::span<const NearList> rows, uint64_t members) {
  StartCentre();
  costs_ = BagCosts(options_.omega, members);
  own_rings_.clear();
  has_twins_ = true;
  std::vector<size_t> first_ring;
  for (const NearList& row : rows) {
    first_ring.push_back(own_rings_.size());
    AppendRings(row, *index_, own_rings_);
  }
  first_ring.push_back(own_rings_.size());
  for (size_t row = 0; row < rows.size(); ++row) {
    AddGroup(rows[row],
             std::span(own_rings_).subspan(first_ring[row], first_ring[row + 1] - first_ring[row]));
    groups_[row].rows.push_back(static_cast<uint32_t>(row));
  }
  row_count_ = rows.size();
}

void BagSearch::Exclude(uint32_t owner) { excluded_in_[owner] = exclusion_; }

void BagSearch::ExcludeNobody() { ++exclusion_; }

BagSearch::Found BagSearch::Nearest() {
  best_ = {BagIndex::kNone, kNever};
  ++search_;
  statistics_.candidates += index_->left();
  if (options_.exhaustive) {
    Scan();
    return best_;
  }
  // Of all bags without any relevant term the first is nearest, since it is the smallest.
  Rank first = index_->Next(0);
  while (first != BagIndex::kNone && !IsAllowed(first)) first = index_->Next(first + 1);
  if (first == BagIndex::kNone) return best_;
  Look(first);
  if (row_count_ == 0) return best_;
  if (!centre_terms_.empty()) LookAtEqual();
  if (best_.cost == 0 && !has_twins_) return best_;
  open_count_ = 0;
  queue_.clear();
  const size_t start = std::min(index_->BinFrom(row_count_), index_->bins().size() - 1);
  OpenNext(start);
  size_t below = start;
  size_t above = start;
  while (!queue_.empty()) {
    StopPoint();
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    const auto [bound, number] = queue_.back();
    queue_.pop_back();
    if (bound > best_.cost) break;
    // The bound of the next size is not below the bound of this one before anything was asked.
    if (open_[number].bin == above && above + 1 < index_->bins().size()) OpenNext(++above);
    if (open_[number].bin == below && below > 0) OpenNext(--below);
    OpenBin& open = open_[number];
    if (bound == best_.cost && index_->bins()[open.bin].begin > best_.rank) continue;
    Ask(open);
    open.bound = BoundOf(open);
    if (open.bound == kNever) continue;
    queue_.emplace_back(open.bound, number);
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  }
  return best_;
}

void BagSearch::Scan() {
  for (Rank rank = 0; rank < index_->size(); ++rank) {
    StopPoint();
    if (IsAllowed(rank)) Look(rank);
  }
}

void BagSearch::LookAtEqual() {
  for (const Rank rank : index_->MaybeEqual(centre_terms_)) {
    if (best_.cost == 0) return;
    if (IsAllowed(rank)) Look(rank);
  }
}

void BagSearch::OpenNext(size_t bin) {
  if (open_count_ == open_.size()) open_.emplace_back();
  OpenBin& open = open_[open_count_];
  open.bin = bin;
  open.next_ring.assign(group_count_, 0);
  open.bound = BoundOf(open);
  // Opened even if its bags have no relevant term, so that the sizes beyond it are reached.
  queue_.emplace_back(open.bound, open_count_++);
  std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
}

BagSearch::Cost BagSearch::BoundOf(const OpenBin& open) {
  const BagIndex::Bin& bin = index_->bins()[open.bin];
  ahead_.clear();
  for (size_t group = 0; group < group_count_; ++group) {
    const auto rings = groups_[group].rings;
    if (open.next_ring[group] == rings.size()) continue;
    ahead_.emplace_back(rings[open.next_ring[group]].steps, groups_[group].rows.size());
  }
  std::sort(ahead_.begin(), ahead_.end());
  Cost least = kNever;
  uint64_t matched = 0;
  uint64_t weight = 0;
  for (const auto& [steps, rows] : ahead_) {
    for (uint32_t i = 0; i < rows && matched < bin.most; ++i) {
      ++matched;
      weight += steps;
      const uint64_t terms = std::max<uint64_t>(bin.least, matched);
      least = std::min(least,
                       weight * costs_.step() + (row_count_ + terms - 2 * matched) * costs_.nil());
    }
  }
  return least;
}

void BagSearch::Ask(OpenBin& open) {
  size_t least = group_count_;
  uint64_t least_bags = 0;
  // While a bag may have more partners than the best one, some row must be asked to the end; otherwise a few steps more
  // are enough.
  const Cost nil = std::max<Cost>(costs_.nil(), 1);
  const bool is_to_the_end = open.bound / nil < best_.cost / nil;
  for (size_t group = 0; group < group_count_; ++group) {
    const auto rings = groups_[group].rings;
    if (open.next_ring[group] == rings.size()) continue;
    const BagIndex::Ring& ring = rings[open.next_ring[group]];
    const uint64_t bags = is_to_the_end ? ring.bags_from_here : ring.bags;
    if (least != group_count_ && bags >= least_bags) continue;
    least = group;
    least_bags = bags;
  }
  if (least == group_count_) return;
  const BagIndex::Ring& ring = groups_[least].rings[open.next_ring[least]++];
  for (uint32_t i = ring.begin; i < ring.end; ++i) {
    for (const Rank rank : index_->WithTerm(open.bin, groups_[least].near[i].term)) {
      if (open.bound == best_.cost && rank >= best_.rank) break;
      if (seen_in_[rank] == search_) continue;
      seen_in_[rank] = search_;
      if (IsAllowed(rank)) Look(rank);
    }
  }
}

void BagSearch::Look(Rank rank) {
  ++statistics_.compared;
  ++look_;
  const auto terms = index_->terms(rank);
  edges_.clear();
  touched_.clear();
  uint64_t rows = 0;
  uint64_t columns = 0;
  uint64_t columns_weight = 0;
  for (uint32_t column = 0; column < terms.size(); ++column) {
    uint32_t at = last_mention_[terms[column]];
    if (at < first_mention_) continue;
    ++columns;
    uint32_t least = ~uint32_t{0};
    for (; at >= first_mention_;) {
      const Mention& mention = mentions_[at - first_mention_];
      Group& group = groups_[mention.group];
      if (group.seen_in != look_) {
        group.seen_in = look_;
        group.least = ~uint32_t{0};
        touched_.push_back(mention.group);
        rows += group.rows.size();
      }
      if (mention.steps < group.least) {
        group.least = mention.steps;
        group.least_column = column;
      }
      least = std::min(least, mention.steps);
      edges_.push_back({mention.group, column, mention.steps});
      at = mention.next;
    }
    columns_weight += least;
  }
  const uint64_t matched = std::min(rows, columns);
  uint64_t weight = columns == matched ? columns_weight : 0;
  uint64_t rows_weight = 0;
  for (const uint32_t group : touched_) {
    rows_weight += groups_[group].rows.size() * groups_[group].least;
  }
  if (rows == matched) weight = std::max(weight, rows_weight);
  const Cost bound =
      weight * costs_.step() + (row_count_ + terms.size() - 2 * matched) * costs_.nil();
  if (!IsNearer(bound, rank)) return;
  const Cost cost = matched == 0 ? bound : MeasureExactly(terms.size());
  if (IsNearer(cost, rank)) best_ = {rank, cost};
}

BagSearch::Cost BagSearch::MeasureExactly(size_t columns) {
  table_.Reset(row_count_, columns);
  for (const Edge& edge : edges_) {
    for (const uint32_t row : groups_[edge.group].rows) table_.at(row, edge.column) = edge.steps;
  }
  return costs_.Of(matcher_.Measure(table_, costs_));
}

}  // namespace thicket
