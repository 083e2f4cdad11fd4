#include "grouping/bags/nearest_bag.h"

#include <algorithm>
#include <functional>

#include "base/stop.h"

namespace thicket {

namespace {

// A search that must ask so many rows to the end asks the next one at once.
constexpr uint64_t kRowsAtOnce = 3;

}  // namespace

NearestBag::NearestBag(const BagIndex& index, const Options& options)
    : index_(&index),
      options_(options),
      costs_(options.omega, 1),
      matcher_(options.matching),
      last_mention_(index.distances().term_count(), 0),
      excluded_in_(index.owner_count(), 0),
      seen_in_(index.size(), 0) {}

void NearestBag::StartCentre() {
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

void NearestBag::AddGroup(std::span<const TermDistances::Near> near,
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

void NearestBag::SetCentre(std::span<const uint32_t> terms) {
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

void NearestBag::SetCentre(std::span<const NearList> rows, uint64_t members) {
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

void NearestBag::Exclude(uint32_t owner) { excluded_in_[owner] = exclusion_; }

void NearestBag::ExcludeNobody() { ++exclusion_; }

NearestBag::Found NearestBag::Nearest() {
  best_ = {BagIndex::kNone, kNever};
  ++search_;
  statistics_.candidates += index_->left();
  if (options_.exhaustive) {
    Scan();
    return best_;
  }
  // Of all bags without any relevant term the first is nearest, since it is the smallest.
  Rank first = index_->Next(0);
  while (first != BagIndex::kNone && IsExcluded(first)) first = index_->Next(first + 1);
  if (first == BagIndex::kNone) return best_;
  Look(first);
  if (row_count_ == 0) return best_;
  if (!centre_terms_.empty()) LookAtEqual();
  if (best_.cost == 0 && !has_twins_) return best_;
  open_count_ = 0;
  queue_.clear();
  // The sizes on both sides of the best one: the farther a size is from it, the higher is the bound before anything was
  // asked.
  size_t above = std::min(index_->BinFrom(BestSize()), index_->bins().size() - 1);
  size_t below = above;
  OpenNext(above);
  if (below > 0) OpenNext(--below);
  while (!queue_.empty()) {
    StopPoint();
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    const auto [bound, number] = queue_.back();
    queue_.pop_back();
    if (bound > best_.cost) break;
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

void NearestBag::Scan() {
  for (Rank rank = 0; rank < index_->size(); ++rank) {
    StopPoint();
    if (index_->is_there(rank)) Look(rank);
  }
}

void NearestBag::LookAtEqual() {
  for (const Rank rank : index_->MaybeEqual(centre_terms_)) {
    if (best_.cost == 0) return;
    if (index_->is_there(rank)) Look(rank);
  }
}

// With a term more, matched with a row more, a bag has one unmatched term less, and the steps to that row.
size_t NearestBag::BestSize() {
  SortAhead({});
  size_t size = 0;
  for (const auto& [steps, rows] : ahead_) {
    if (steps * costs_.step() > costs_.nil()) break;
    size += rows;
  }
  // Bags without terms need not be asked for.
  return std::max<size_t>(size, 1);
}

void NearestBag::SortAhead(std::span<const uint32_t> next_ring) {
  ahead_.clear();
  for (size_t group = 0; group < group_count_; ++group) {
    const auto rings = groups_[group].rings;
    const size_t next = next_ring.empty() ? 0 : next_ring[group];
    if (next == rings.size()) continue;
    ahead_.emplace_back(rings[next].steps, groups_[group].rows.size());
  }
  std::sort(ahead_.begin(), ahead_.end());
}

void NearestBag::OpenNext(size_t bin) {
  if (open_count_ == open_.size()) open_.emplace_back();
  OpenBin& open = open_[open_count_];
  open.bin = bin;
  open.next_ring.assign(group_count_, 0);
  open.bound = BoundOf(open);
  // Opened even if its bags have no relevant term, so that the sizes beyond it are reached.
  queue_.emplace_back(open.bound, open_count_++);
  std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
}

NearestBag::Cost NearestBag::BoundOf(const OpenBin& open) {
  const BagIndex::Bin& bin = index_->bins()[open.bin];
  SortAhead(open.next_ring);
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

void NearestBag::Ask(OpenBin& open) {
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
  const Group& group = groups_[least];
  // Where several rows must be asked to the end, there is no point in stopping at each ring.
  const bool is_far = (best_.cost - open.bound) / nil >= 2 * kRowsAtOnce;
  const size_t first = open.next_ring[least];
  const size_t last = is_far ? group.rings.size() - 1 : first;
  open.next_ring[least] = static_cast<uint32_t>(last + 1);
  for (uint32_t i = group.rings[first].begin; i < group.rings[last].end; ++i) {
    for (const Rank rank : index_->WithTerm(open.bin, group.near[i].term)) {
      if (open.bound == best_.cost && rank >= best_.rank) break;
      if (seen_in_[rank] == search_) continue;
      seen_in_[rank] = search_;
      if (index_->is_there(rank)) Look(rank);
    }
  }
}

void NearestBag::Look(Rank rank) {
  ++statistics_.compared;
  ++look_;
  const auto terms = index_->terms(rank);
  if (taken_in_.size() < terms.size()) taken_in_.resize(terms.size(), 0);
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
  if (!options_.exhaustive && !IsNearer(bound, rank)) return;
  if (IsExcluded(rank)) return;
  const Cost cost = matched == 0 ? bound : MeasureExactly(terms.size(), columns, rows);
  if (IsNearer(cost, rank)) best_ = {rank, cost};
}

NearestBag::Cost NearestBag::MeasureExactly(size_t terms, size_t columns, size_t rows) {
  const Cost unmatched = (row_count_ - rows + terms - columns) * costs_.nil();
  if (rows == touched_.size() && !options_.exhaustive && NearestAreDifferent()) {
    Cost weight = 0;
    for (const uint32_t group : touched_) weight += groups_[group].least;
    return unmatched + weight * costs_.step() + (columns - rows) * costs_.nil();
  }
  // Rows and columns without an edge are left out; the others keep their order.
  rows_of_table_.clear();
  for (const uint32_t group : touched_) {
    for (const uint32_t row : groups_[group].rows) rows_of_table_.emplace_back(row, group);
  }
  std::sort(rows_of_table_.begin(), rows_of_table_.end());
  table_.Reset(rows, columns);
  for (uint32_t row = 0; row < rows; ++row) {
    groups_[rows_of_table_[row].second].table_rows.push_back(row);
  }
  size_t column = 0;
  for (size_t i = 0; i < edges_.size(); ++i) {
    if (i > 0 && edges_[i].column != edges_[i - 1].column) ++column;
    for (const uint32_t row : groups_[edges_[i].group].table_rows) {
      table_.at(row, column) = edges_[i].steps;
    }
  }
  for (const uint32_t group : touched_) groups_[group].table_rows.clear();
  return unmatched + costs_.Of(matcher_.Measure(table_, costs_));
}

bool NearestBag::NearestAreDifferent() {
  for (const uint32_t group : touched_) {
    uint64_t& taken = taken_in_[groups_[group].least_column];
    if (taken == look_) return false;
    taken = look_;
  }
  return true;
}

}  // namespace thicket
