// How far a bag is from a centre: terms of one are matched with terms of the other, each with one at most, by the
// weights of a table.
//
// Section 5.2.2 of Liu 2010 has two models. Without omega the matching is a largest one, and of the largest ones a
// lightest: what counts first is how many terms are left unmatched on both sides, then the weight. With omega each
// unmatched term costs omega beside the weight (the thesis pads both sides with nil terms), and the matching costs
// least. Either is found exactly, by an assignment problem, or greedily: the lightest edge first (Section 5.4.3).
//
//   MatchingTable table(2, 1);          // two terms of the centre, one of the bag
//   table.at(0, 0) = 3;
//   table.at(1, 0) = 2;
//   BagMatcher matcher(BagMatching::kExact);
//   matcher.Measure(table, BagCosts());  // one unmatched, weight 2
//
// The first model is the second with an omega above all weights, so that one number says how near a bag is (BagCosts).
// Whole numbers throughout: sums do not depend on their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grouping/bags/first_assignment.h"
#include "matching/linear_assignment.h"

namespace thicket {

enum class BagMatching { kExact, kGreedy };

struct BagDistance {
  // Terms on either side that have no partner.
  uint32_t unmatched = 0;
  // Steps between partners, in all.
  uint64_t weight = 0;

  friend bool operator==(const BagDistance&, const BagDistance&) = default;
};

// What distances cost, in whole units: less is nearer.
class BagCosts {
 public:
  using Cost = uint64_t;

  // Fewest unmatched terms first.
  BagCosts() = default;
  // With omega, in steps, rounded to 1/1024. Weights to a hyper vocabulary of so many members are sums over these, and
  // so is what an unmatched term costs.
  BagCosts(std::optional<double> omega, uint64_t members);

  Cost Of(const BagDistance& distance) const {
    return distance.weight * step_ + distance.unmatched * nil_;
  }
  Cost step() const { return step_; }
  // Of an unmatched term.
  Cost nil() const { return nil_; }

 private:
  // Weights stay below this: terms of a bag * members * epsilon.
  static constexpr Cost kAboveAllWeights = Cost{1} << 40;

  Cost step_ = 1;
  Cost nil_ = kAboveAllWeights;
};

// Weights of pairs: rows are terms of the centre, columns those of the bag.
class MatchingTable {
 public:
  static constexpr uint32_t kIrrelevant = ~uint32_t{0};

  MatchingTable() = default;
  MatchingTable(size_t rows, size_t columns) { Reset(rows, columns); }

  // Nothing is relevant.
  void Reset(size_t rows, size_t columns) {
    rows_ = rows;
    columns_ = columns;
    weights_.assign(rows * columns, kIrrelevant);
  }
  size_t rows() const { return rows_; }
  size_t columns() const { return columns_; }
  uint32_t& at(size_t row, size_t column) { return weights_[row * columns_ + column]; }
  uint32_t at(size_t row, size_t column) const { return weights_[row * columns_ + column]; }

 private:
  size_t rows_ = 0;
  size_t columns_ = 0;
  std::vector<uint32_t> weights_;
};

// Keeps its buffers; one per thread.
class BagMatcher {
 public:
  static constexpr uint32_t kUnmatched = ~uint32_t{0};

  explicit BagMatcher(BagMatching kind) : kind_(kind) {}

  BagDistance Measure(const MatchingTable& table, const BagCosts& costs);
  // The same, and who is matched with whom: by row its column, or kUnmatched. Of several best matchings the one that
  // gives the first row the first column, and so on; kUnmatched comes last. Greedily: of equal edges that of the first
  // row, then of the first column.
  BagDistance Match(const MatchingTable& table, const BagCosts& costs,
                    std::vector<uint32_t>& column_of_row);

 private:
  struct Edge {
    uint32_t weight;
    uint32_t row;
    uint32_t column;
  };

  void MatchGreedily(const MatchingTable& table, const BagCosts& costs,
                     std::vector<uint32_t>& column_of_row);
  void MatchExactly(const MatchingTable& table, const BagCosts& costs,
                    std::vector<uint32_t>& column_of_row);
  void MatchFirst(const MatchingTable& table, const BagCosts& costs,
                  std::vector<uint32_t>& column_of_row);

  BagMatching kind_;
  std::vector<Edge> edges_;
  std::vector<uint8_t> is_taken_;
  std::vector<uint32_t> columns_;
  std::vector<int64_t> gains_;
  AssignmentSolver<int64_t> solver_;
  FirstAssignment::Problem ties_;
  FirstAssignment first_;
};

}  // namespace thicket
