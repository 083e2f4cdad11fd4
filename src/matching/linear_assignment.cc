#include "matching/linear_assignment.h"

#include <algorithm>
#include <limits>

#include "base/simd.h"
#include "base/stop.h"

namespace thicket {

namespace {

template <typename Gain>
constexpr Gain kFar = std::numeric_limits<Gain>::max() / 2;

// How many rows of a search go by between two looks at whether to stop: small problems never look.
constexpr size_t kRowsBetweenLooks = 32;

// What the search needs of the solver's buffers, as plain pointers that do not overlap.
template <typename Gain>
struct Buffers {
  int32_t* column_of_row;
  int32_t* row_of_column;
  Gain* row_potential;
  Gain* column_potential;
  Gain* distance;
  Gain* settled;
  int32_t* predecessor;
  int32_t* tree;
};

template <typename Gain>
THICKET_INLINE size_t FirstMax(const Gain* __restrict values, size_t count, Gain* greatest) {
  Gain best = values[0];
  for (size_t j = 1; j < count; ++j) best = std::max(best, values[j]);
  *greatest = best;
  size_t at = 0;
  while (values[at] != best) ++at;
  return at;
}

template <typename Gain>
THICKET_INLINE Gain Least(const Gain* __restrict values, size_t count) {
  Gain least = values[0];
  for (size_t j = 1; j < count; ++j) least = std::min(least, values[j]);
  return least;
}

// Offers each column outside the tree the way over `row`, which itself is `base` away.
template <typename Gain>
THICKET_INLINE void Relax(const Gain* __restrict gain, size_t columns, Gain base, int32_t row,
                          const Gain* __restrict potential, const int32_t* __restrict in_tree,
                          Gain* __restrict distance, int32_t* __restrict predecessor) {
  for (size_t j = 0; j < columns; ++j) {
    const Gain offer = in_tree[j] != 0 ? kFar<Gain> : base - gain[j] - potential[j];
    const bool nearer = offer < distance[j];
    distance[j] = nearer ? offer : distance[j];
    predecessor[j] = nearer ? row : predecessor[j];
  }
}

// Finds the shortest way from a free row to a free column, flips it and adjusts the potentials. Returns its length, by
// which the greatest possible total falls.
template <typename Gain>
THICKET_INLINE Gain Augment(const Gain* gain, size_t columns, size_t stride, size_t start,
                            int32_t* in_tree, const Buffers<Gain>& b) {
  std::fill(b.distance, b.distance + columns, kFar<Gain>);
  std::fill(in_tree, in_tree + columns, 0);
  size_t tree_size = 0;
  size_t row = start;
  Gain reached = 0;
  size_t column = 0;
  while (true) {
    Relax(gain + row * stride, columns, static_cast<Gain>(reached + b.row_potential[row]),
          static_cast<int32_t>(row), b.column_potential, in_tree, b.distance, b.predecessor);
    reached = Least(b.distance, columns);
    column = 0;
    while (b.distance[column] != reached) ++column;
    if (b.row_of_column[column] < 0) break;
    b.tree[tree_size++] = static_cast<int32_t>(column);
    if (tree_size % kRowsBetweenLooks == 0) StopPoint();
    b.settled[column] = reached;
    b.distance[column] = kFar<Gain>;
    in_tree[column] = 1;
    row = static_cast<size_t>(b.row_of_column[column]);
  }
  b.row_potential[start] -= reached;
  for (size_t t = 0; t < tree_size; ++t) {
    const int32_t j = b.tree[t];
    const Gain slack = reached - b.settled[j];
    b.row_potential[b.row_of_column[j]] -= slack;
    b.column_potential[j] -= slack;
  }
  for (auto j = static_cast<int32_t>(column); j >= 0;) {
    const int32_t i = b.predecessor[j];
    b.row_of_column[j] = i;
    std::swap(b.column_of_row[i], j);
  }
  return reached;
}

template <typename Gain>
THICKET_INLINE int64_t SolveBody(const Gain* gain, size_t rows, size_t columns, size_t stride,
                                 int64_t need, int32_t* in_tree, const Buffers<Gain>& b) {
  int64_t most = 0;
  for (size_t i = 0; i < rows; ++i) {
    const size_t j = FirstMax(gain + i * stride, columns, &b.row_potential[i]);
    most += b.row_potential[i];
    if (b.row_of_column[j] < 0) {
      b.row_of_column[j] = static_cast<int32_t>(i);
      b.column_of_row[i] = static_cast<int32_t>(j);
    }
  }
  if (most < need) return -1;
  for (size_t i = 0; i < rows; ++i) {
    if (b.column_of_row[i] >= 0) continue;
    if (i % kRowsBetweenLooks == kRowsBetweenLooks - 1) StopPoint();
    most -= Augment(gain, columns, stride, i, in_tree, b);
    if (most < need) return -1;
  }
  return most;
}

// The greatest of values[j] + potential[j].
template <typename Gain>
THICKET_INLINE Gain GreatestWith(const Gain* __restrict values, const Gain* __restrict potential,
                                 size_t count) {
  Gain best = values[0] + potential[0];
  for (size_t j = 1; j < count; ++j) {
    best = std::max(best, static_cast<Gain>(values[j] + potential[j]));
  }
  return best;
}

// Row potentials become the least that the gains allow with the column potentials as they are; pairs that are not tight then are given up. A
// column without a row has potential 0, which may loosen others.
template <typename Gain>
THICKET_INLINE void KeepTightPairs(const Gain* gain, size_t rows, size_t columns, size_t stride,
                                   const Buffers<Gain>& b) {
  size_t freed = 0;  // columns to look at, in b.tree
  const auto give_up = [&](size_t i) {
    const int32_t j = b.column_of_row[i];
    b.column_of_row[i] = -1;
    b.row_of_column[j] = -1;
    b.tree[freed++] = j;
  };
  for (size_t i = 0; i < rows; ++i) {
    b.row_potential[i] = GreatestWith(gain + i * stride, b.column_potential, columns);
    const auto j = static_cast<size_t>(b.column_of_row[i]);
    if (gain[i * stride + j] + b.column_potential[j] != b.row_potential[i]) give_up(i);
  }
  while (freed > 0) {
    const auto j = static_cast<size_t>(b.tree[--freed]);
    if (b.column_potential[j] == 0) continue;
    b.column_potential[j] = 0;
    for (size_t i = 0; i < rows; ++i) {
      if (gain[i * stride + j] <= b.row_potential[i]) continue;
      b.row_potential[i] = gain[i * stride + j];
      if (b.column_of_row[i] >= 0) give_up(i);
    }
  }
}

template <typename Gain>
THICKET_INLINE int64_t SolveAgainBody(const Gain* gain, size_t rows, size_t columns, size_t stride,
                                      int64_t need, int32_t* in_tree, const Buffers<Gain>& b) {
  KeepTightPairs(gain, rows, columns, stride, b);
  int64_t most = 0;
  for (size_t i = 0; i < rows; ++i) most += b.row_potential[i];
  for (size_t j = 0; j < columns; ++j) most -= b.column_potential[j];
  for (size_t i = 0; i < rows && most >= need; ++i) {
    if (b.column_of_row[i] >= 0) continue;
    if (i % kRowsBetweenLooks == kRowsBetweenLooks - 1) StopPoint();
    most -= Augment(gain, columns, stride, i, in_tree, b);
  }
  return most < need ? -1 : most;
}

THICKET_SIMD int64_t SolveNarrow(const int32_t* gain, size_t rows, size_t columns, size_t stride,
                                 int64_t need, int32_t* in_tree, const Buffers<int32_t>& b) {
  return SolveBody(gain, rows, columns, stride, need, in_tree, b);
}

THICKET_SIMD int64_t SolveNarrowAgain(const int32_t* gain, size_t rows, size_t columns,
                                      size_t stride, int64_t need, int32_t* in_tree,
                                      const Buffers<int32_t>& b) {
  return SolveAgainBody(gain, rows, columns, stride, need, in_tree, b);
}

THICKET_SIMD int64_t SolveWideAgain(const int64_t* gain, size_t rows, size_t columns, size_t stride,
                                    int64_t need, int32_t* in_tree, const Buffers<int64_t>& b) {
  return SolveAgainBody(gain, rows, columns, stride, need, in_tree, b);
}

THICKET_SIMD int64_t SolveWide(const int64_t* gain, size_t rows, size_t columns, size_t stride,
                               int64_t need, int32_t* in_tree, const Buffers<int64_t>& b) {
  return SolveBody(gain, rows, columns, stride, need, in_tree, b);
}

}  // namespace

template <typename Gain>
int64_t AssignmentSolver<Gain>::Solve(const Gain* gain, size_t rows, size_t columns, size_t stride,
                                      int64_t need) {
  column_of_row_.assign(rows, -1);
  if (rows == 0) return need > 0 ? kOutOfReach : 0;
  row_of_column_.assign(columns, -1);
  column_potential_.assign(columns, 0);
  if (row_potential_.size() < rows) row_potential_.resize(rows);
  if (distance_.size() < columns) {
    distance_.resize(columns);
    settled_.resize(columns);
    predecessor_.resize(columns);
    tree_.resize(2 * columns);
  }
  const Buffers<Gain> buffers{
      column_of_row_.data(), row_of_column_.data(), row_potential_.data(), column_potential_.data(),
      distance_.data(),      settled_.data(),       predecessor_.data(),   tree_.data()};
  int32_t* in_tree = tree_.data() + tree_.size() / 2;
  if constexpr (sizeof(Gain) == 4) {
    return SolveNarrow(gain, rows, columns, stride, need, in_tree, buffers);
  } else {
    return SolveWide(gain, rows, columns, stride, need, in_tree, buffers);
  }
}

template <typename Gain>
int64_t AssignmentSolver<Gain>::SolveAgain(const Gain* gain, size_t rows, size_t columns,
                                           size_t stride, int64_t need) {
  if (rows == 0) return need > 0 ? kOutOfReach : 0;
  const Buffers<Gain> buffers{
      column_of_row_.data(), row_of_column_.data(), row_potential_.data(), column_potential_.data(),
      distance_.data(),      settled_.data(),       predecessor_.data(),   tree_.data()};
  int32_t* in_tree = tree_.data() + tree_.size() / 2;
  if constexpr (sizeof(Gain) == 4) {
    return SolveNarrowAgain(gain, rows, columns, stride, need, in_tree, buffers);
  } else {
    return SolveWideAgain(gain, rows, columns, stride, need, in_tree, buffers);
  }
}

template class AssignmentSolver<int32_t>;
template class AssignmentSolver<int64_t>;

}  // namespace thicket
