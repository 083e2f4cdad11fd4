#include "matching/transport.h"

#include <algorithm>
#include <limits>

#include "base/simd.h"
#include "base/stop.h"

namespace thicket {

namespace {

template <typename Gain>
constexpr Gain kFar = std::numeric_limits<Gain>::max() / 2;

constexpr int64_t kOutside = -2;

// Offers each column outside the tree the way over `row`, which itself is `base` away.
template <typename Gain>
THICKET_INLINE void RelaxBody(const Gain* __restrict gain, size_t columns, Gain base, int32_t row,
                              const Gain* __restrict potential, const int32_t* __restrict in_tree,
                              Gain* __restrict distance, int32_t* __restrict predecessor) {
  for (size_t j = 0; j < columns; ++j) {
    const Gain offer = in_tree[j] != 0 ? kFar<Gain> : base - gain[j] - potential[j];
    const bool nearer = offer < distance[j];
    distance[j] = nearer ? offer : distance[j];
    predecessor[j] = nearer ? row : predecessor[j];
  }
}

THICKET_SIMD void Relax(const int32_t* gain, size_t columns, int32_t base, int32_t row,
                        const int32_t* potential, const int32_t* in_tree, int32_t* distance,
                        int32_t* predecessor) {
  RelaxBody(gain, columns, base, row, potential, in_tree, distance, predecessor);
}

THICKET_SIMD void Relax(const int64_t* gain, size_t columns, int64_t base, int32_t row,
                        const int64_t* potential, const int32_t* in_tree, int64_t* distance,
                        int32_t* predecessor) {
  RelaxBody(gain, columns, base, row, potential, in_tree, distance, predecessor);
}

template <typename Gain>
THICKET_INLINE Gain LeastBody(const Gain* __restrict values, size_t count) {
  Gain least = values[0];
  for (size_t j = 1; j < count; ++j) least = std::min(least, values[j]);
  return least;
}

THICKET_SIMD int32_t Least(const int32_t* values, size_t count) { return LeastBody(values, count); }
THICKET_SIMD int64_t Least(const int64_t* values, size_t count) { return LeastBody(values, count); }

}  // namespace

template <typename Gain>
void TransportSolver<Gain>::Place(uint32_t row, uint32_t column, uint32_t count) {
  for (Standing& standing : standing_[column]) {
    if (standing.row != row) continue;
    standing.count += count;
    return;
  }
  standing_[column].push_back({row, count});
}

template <typename Gain>
void TransportSolver<Gain>::Enter(const Gain* gain, uint32_t row, Gain base) {
  row_distance_[row] = base;
  tree_rows_.push_back(row);
  Relax(gain + row * columns_, columns_, static_cast<Gain>(base + row_potential_[row]),
        static_cast<int32_t>(row), column_potential_.data(), in_tree_.data(), distance_.data(),
        predecessor_.data());
}

// All places of the column are taken: whoever stands there may move on.
template <typename Gain>
void TransportSolver<Gain>::Settle(const Gain* gain, size_t column) {
  StopPoint();
  const Gain reached = distance_[column];
  settled_[column] = reached;
  distance_[column] = kFar<Gain>;
  in_tree_[column] = 1;
  tree_columns_.push_back(static_cast<uint32_t>(column));
  for (const Standing& standing : standing_[column]) {
    if (entered_through_[standing.row] != kOutside) continue;
    entered_through_[standing.row] = static_cast<int64_t>(column);
    Enter(gain, standing.row, reached);
  }
}

template <typename Gain>
int64_t TransportSolver<Gain>::Augment(const Gain* gain, uint32_t start) {
  std::fill(distance_.begin(), distance_.begin() + static_cast<std::ptrdiff_t>(columns_),
            kFar<Gain>);
  std::fill(in_tree_.begin(), in_tree_.begin() + static_cast<std::ptrdiff_t>(columns_), 0);
  for (const uint32_t row : tree_rows_) entered_through_[row] = kOutside;
  tree_rows_.clear();
  tree_columns_.clear();
  entered_through_[start] = -1;
  Enter(gain, start, 0);
  Gain reached = 0;
  size_t column = 0;
  while (true) {
    reached = Least(distance_.data(), columns_);
    column = 0;
    while (distance_[column] != reached) ++column;
    if (places_[column] > 0) break;
    // Of the equally near one with a free place, if there is one.
    size_t other = column + 1;
    while (other < columns_ && (distance_[other] != reached || places_[other] == 0)) ++other;
    if (other < columns_) {
      column = other;
      break;
    }
    Settle(gain, column);
  }
  for (const uint32_t row : tree_rows_) {
    row_potential_[row] -= static_cast<Gain>(reached - row_distance_[row]);
  }
  for (const uint32_t j : tree_columns_) {
    column_potential_[j] -= static_cast<Gain>(reached - settled_[j]);
  }
  // How many can go this way, then the way itself, from its end.
  const auto standing_of = [&](size_t at, uint32_t row) {
    return std::find_if(standing_[at].begin(), standing_[at].end(),
                        [&](const Standing& standing) { return standing.row == row; });
  };
  uint32_t count = std::min(items_[start], places_[column]);
  for (size_t at = column;;) {
    const auto row = static_cast<uint32_t>(predecessor_[at]);
    if (entered_through_[row] < 0) break;
    at = static_cast<size_t>(entered_through_[row]);
    count = std::min(count, standing_of(at, row)->count);
  }
  for (size_t at = column;;) {
    const auto row = static_cast<uint32_t>(predecessor_[at]);
    Place(row, static_cast<uint32_t>(at), count);
    if (entered_through_[row] < 0) break;
    at = static_cast<size_t>(entered_through_[row]);
    const auto standing = standing_of(at, row);
    standing->count -= count;
    if (standing->count == 0) {
      *standing = standing_[at].back();
      standing_[at].pop_back();
    }
  }
  places_[column] -= count;
  items_[start] -= count;
  // What the items gain is the row's potential, which was the greatest gain of the row at first.
  return static_cast<int64_t>(greatest_[start] - row_potential_[start]) * count;
}

template <typename Gain>
int64_t TransportSolver<Gain>::Solve(const Gain* gain, Counts counts, int64_t need) {
  const size_t rows = counts.items.size();
  columns_ = counts.places.size();
  flows_.clear();
  if (rows == 0) return need > 0 ? kOutOfReach : 0;
  items_.assign(counts.items.begin(), counts.items.end());
  places_.assign(counts.places.begin(), counts.places.end());
  if (standing_.size() < columns_) standing_.resize(columns_);
  for (size_t j = 0; j < columns_; ++j) standing_[j].clear();
  row_potential_.resize(rows);
  row_distance_.resize(rows);
  column_potential_.assign(columns_, 0);
  if (distance_.size() < columns_) {
    distance_.resize(columns_);
    settled_.resize(columns_);
    predecessor_.resize(columns_);
    in_tree_.resize(columns_);
  }
  entered_through_.assign(rows, kOutside);
  tree_rows_.clear();

  // Everybody goes where there is most to gain, as far as there is room.
  int64_t most = 0;
  for (uint32_t i = 0; i < rows; ++i) {
    StopPoint();
    const Gain* row = gain + i * columns_;
    row_potential_[i] = *std::max_element(row, row + columns_);
    most += static_cast<int64_t>(row_potential_[i]) * items_[i];
    for (uint32_t j = 0; j < columns_ && items_[i] > 0; ++j) {
      if (row[j] != row_potential_[i] || places_[j] == 0) continue;
      const uint32_t count = std::min(items_[i], places_[j]);
      standing_[j].push_back({i, count});
      items_[i] -= count;
      places_[j] -= count;
    }
  }
  greatest_.assign(row_potential_.begin(), row_potential_.end());
  if (most < need) return kOutOfReach;
  for (uint32_t i = 0; i < rows; ++i) {
    while (items_[i] > 0) {
      most -= Augment(gain, i);
      if (most < need) return kOutOfReach;
    }
  }
  for (uint32_t j = 0; j < columns_; ++j) {
    for (const Standing& standing : standing_[j])
      flows_.push_back({standing.row, j, standing.count});
  }
  return most;
}

template class TransportSolver<int32_t>;
template class TransportSolver<int64_t>;

}  // namespace thicket
