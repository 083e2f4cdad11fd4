#include "grouping/bags/bag_matching.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "grouping/bags/first_assignment.h"

namespace thicket {

BagCosts::BagCosts(std::optional<double> omega, uint64_t members) {
  if (!omega) return;
  constexpr double kParts = 1024;
  step_ = static_cast<Cost>(kParts);
  const double nil = std::round(*omega * kParts) * static_cast<double>(members);
  nil_ = static_cast<Cost>(std::clamp(nil, 0.0, static_cast<double>(kAboveAllWeights)));
}

namespace {

// What matching a pair saves: both terms would cost nil.
int64_t Gain(uint32_t weight, const BagCosts& costs) {
  return static_cast<int64_t>(2 * costs.nil()) - static_cast<int64_t>(weight * costs.step());
}

BagDistance DistanceOf(const MatchingTable& table, const std::vector<uint32_t>& column_of_row) {
  BagDistance distance{static_cast<uint32_t>(table.rows() + table.columns()), 0};
  for (size_t row = 0; row < table.rows(); ++row) {
    if (column_of_row[row] == BagMatcher::kUnmatched) continue;
    distance.unmatched -= 2;
    distance.weight += table.at(row, column_of_row[row]);
  }
  return distance;
}

}  // namespace

BagDistance BagMatcher::Measure(const MatchingTable& table, const BagCosts& costs) {
  if (kind_ == BagMatching::kGreedy) {
    MatchGreedily(table, costs, columns_);
  } else {
    MatchExactly(table, costs, columns_);
  }
  return DistanceOf(table, columns_);
}

BagDistance BagMatcher::Match(const MatchingTable& table, const BagCosts& costs,
                              std::vector<uint32_t>& column_of_row) {
  if (kind_ == BagMatching::kGreedy) {
    MatchGreedily(table, costs, column_of_row);
  } else {
    MatchFirst(table, costs, column_of_row);
  }
  return DistanceOf(table, column_of_row);
}

void BagMatcher::MatchGreedily(const MatchingTable& table, const BagCosts& costs,
                               std::vector<uint32_t>& column_of_row) {
  column_of_row.assign(table.rows(), kUnmatched);
  edges_.clear();
  for (uint32_t row = 0; row < table.rows(); ++row) {
    for (uint32_t column = 0; column < table.columns(); ++column) {
      const uint32_t weight = table.at(row, column);
      if (weight == MatchingTable::kIrrelevant || Gain(weight, costs) < 0) continue;
      edges_.push_back({weight, row, column});
    }
  }
  std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.weight, a.row, a.column) < std::tie(b.weight, b.row, b.column);
  });
  is_taken_.assign(table.columns(), 0);
  for (const Edge& edge : edges_) {
    if (is_taken_[edge.column] != 0 || column_of_row[edge.row] != kUnmatched) continue;
    is_taken_[edge.column] = 1;
    column_of_row[edge.row] = edge.column;
  }
}

// Pairs that are not relevant gain nothing, which is to be unmatched.
void BagMatcher::MatchExactly(const MatchingTable& table, const BagCosts& costs,
                              std::vector<uint32_t>& column_of_row) {
  const bool is_turned = table.rows() > table.columns();
  const size_t rows = is_turned ? table.columns() : table.rows();
  const size_t columns = is_turned ? table.rows() : table.columns();
  gains_.resize(rows * columns);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      const uint32_t weight = is_turned ? table.at(j, i) : table.at(i, j);
      gains_[i * columns + j] =
          weight == MatchingTable::kIrrelevant ? 0 : std::max<int64_t>(Gain(weight, costs), 0);
    }
  }
  solver_.Solve(gains_.data(), rows, columns, columns, 0);
  column_of_row.assign(table.rows(), kUnmatched);
  for (size_t i = 0; i < rows; ++i) {
    const auto j = static_cast<size_t>(solver_.column_of_row()[i]);
    if (gains_[i * columns + j] == 0) continue;
    if (is_turned) {
      column_of_row[j] = static_cast<uint32_t>(i);
    } else {
      column_of_row[i] = static_cast<uint32_t>(j);
    }
  }
}

// Each row may have a column in which it is unmatched, so that a best matching is a best assignment of all rows.
void BagMatcher::MatchFirst(const MatchingTable& table, const BagCosts& costs,
                            std::vector<uint32_t>& column_of_row) {
  const size_t rows = table.rows();
  const size_t columns = table.columns() + rows;
  column_of_row.clear();
  if (rows == 0) return;
  gains_.assign(rows * columns, 0);
  ties_.rows = rows;
  ties_.columns = columns;
  ties_.alike_from = table.columns();
  ties_.pairs.assign(rows * columns, 1);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < table.columns(); ++j) {
      const uint32_t weight = table.at(i, j);
      const bool is_edge = weight != MatchingTable::kIrrelevant && Gain(weight, costs) >= 0;
      if (is_edge) gains_[i * columns + j] = Gain(weight, costs);
      ties_.pairs[i * columns + j] = is_edge ? 1 : 0;
    }
  }
  solver_.Solve(gains_.data(), rows, columns, columns, 0);
  const auto solved = solver_.column_of_row();
  column_of_row.assign(solved.begin(), solved.end());
  is_taken_.assign(columns, 0);
  for (const uint32_t column : column_of_row) is_taken_[column] = 1;
  // A pair that is no edge gains nothing: the row is as well off in a column of the unmatched, of which one is free.
  size_t free = table.columns();
  for (size_t i = 0; i < rows; ++i) {
    if (ties_.pairs[i * columns + column_of_row[i]] != 0) continue;
    while (is_taken_[free] != 0) ++free;
    column_of_row[i] = static_cast<uint32_t>(free++);
  }
  ties_.must.resize(columns);
  for (size_t j = 0; j < columns; ++j) ties_.must[j] = solver_.column_dual(j) != 0 ? 1 : 0;
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      const bool is_tight = solver_.row_dual(i) == gains_[i * columns + j] + solver_.column_dual(j);
      if (!is_tight) ties_.pairs[i * columns + j] = 0;
    }
  }
  first_.Find(ties_, column_of_row);
  for (uint32_t& column : column_of_row) {
    if (column >= table.columns()) column = kUnmatched;
  }
}

}  // namespace thicket
