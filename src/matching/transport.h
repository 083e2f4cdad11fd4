// Gives the items of each row places in columns at the greatest total gain: an assignment problem in which rows and columns
// stand for many equal ones (the transportation problem).
//
// Wide records have thousands of children of a few kinds. Two of the same kind have the same similarity with everything, so the
// matrix has one row and one column per kind, and a number of items or places each. The total is that of the assignment
// problem with every row and column written out (linear_assignment.h).
//
//   TransportSolver<int32_t> solver;
//   const int32_t gain[] = {4, 9,
//                           2, 8};
//   const uint32_t items[] = {3, 1}, places[] = {2, 5};
//   solver.Solve(gain, {items, places}, 0);   // 35: all of the first row and the one of the second go to column 1
//   solver.flows();                           // {0, 1, 3}, {1, 1, 1}
//
// Shortest augmenting paths, each of which moves as many items as it has room for. O(paths * rows * columns), with mostly not
// many more paths than rows and columns together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thicket {

template <typename Gain>
class TransportSolver {
 public:
  static constexpr int64_t kOutOfReach = -1;

  // So many items of a row stand at places of a column.
  struct Flow {
    uint32_t row;
    uint32_t column;
    uint32_t count;
  };
  // No row and no column is without; there are at most as many items as places.
  struct Counts {
    std::span<const uint32_t> items;   // by row
    std::span<const uint32_t> places;  // by column
  };

  // `gain` is row-major, entries are not negative. Returns the greatest total, or kOutOfReach as soon as it is certain to be
  // below `need`. Among equal totals the choice is fixed but unspecified. Int32 gains must stay below 2^29.
  int64_t Solve(const Gain* gain, Counts counts, int64_t need);

  // Of all items, after a Solve that was not out of reach; by column.
  std::span<const Flow> flows() const { return flows_; }

 private:
  // Items of a row that stand in a column.
  struct Standing {
    uint32_t row;
    uint32_t count;
  };

  // Moves some items of the row, which has some left, along the shortest way to a free place. How much the greatest possible total falls.
  int64_t Augment(const Gain* gain, uint32_t start);
  void Enter(const Gain* gain, uint32_t row, Gain base);
  void Settle(const Gain* gain, size_t column);
  void Place(uint32_t row, uint32_t column, uint32_t count);

  size_t columns_ = 0;
  std::vector<uint32_t> items_;                  // by row: those without a place
  std::vector<uint32_t> places_;                 // by column: those without an item
  std::vector<std::vector<Standing>> standing_;  // by column
  std::vector<Gain> row_potential_;              // as in AssignmentSolver
  std::vector<Gain> column_potential_;
  std::vector<Gain> greatest_;        // by row: its greatest gain
  std::vector<Gain> distance_;        // by column; kFar where it is in the tree already
  std::vector<int32_t> in_tree_;      // by column
  std::vector<int32_t> predecessor_;  // by column: the row before it
  std::vector<int64_t>
      entered_through_;  // by row in the tree: the column before it, or -1; kOutside outside
  std::vector<Gain> row_distance_;  // by row in the tree
  std::vector<Gain> settled_;       // by column in the tree
  std::vector<uint32_t> tree_rows_;
  std::vector<uint32_t> tree_columns_;
  std::vector<Flow> flows_;
};

extern template class TransportSolver<int32_t>;
extern template class TransportSolver<int64_t>;

}  // namespace thicket
