// Gives every row its own column at the greatest total gain.
//
// Merging two trees pairs their children with it, so that as little as possible is generalized or suppressed. The
// problems are small (a few to a few hundred rows), dense and solved by the million, so the solver keeps its buffers
// and stops early when the gain that is needed is out of reach.
//
//   AssignmentSolver<int32_t> solver;
//   const int32_t gain[] = {4, 9,
//                           2, 8};
//   solver.Solve(gain, 2, 2, 2, 0);   // 12: rows 0 and 1 go to columns 0 and 1 (4 + 8 > 9 + 2)
//   solver.column_of_row();           // {0, 1}
//
// Shortest augmenting paths (Jonker and Volgenant 1987) after a greedy start; O(rows^2 * columns), and O(rows * columns)
// when the rows want different columns. Whole numbers only: equal matrices give equal assignments on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thicket {

template <typename Gain>
class AssignmentSolver {
 public:
  static constexpr int64_t kOutOfReach = -1;

  // `gain` is row-major with `stride` entries from row to row, entries are not negative; rows <= columns. Returns the
  // greatest total, or kOutOfReach as soon as it is certain to be below `need`. Among equal totals the choice is fixed
  // but unspecified. Int32 gains must stay below 2^29.
  int64_t Solve(const Gain* gain, size_t rows, size_t columns, size_t stride, int64_t need);
  // The same for a problem of the size of the last one, which must not have been out of reach, with other gains. It begins with the pairs
  // and the duals of that one, as far as they still hold, and is the quicker the fewer gains have changed. The total is that of Solve; the choice
  // among equal ones may be another.
  int64_t SolveAgain(const Gain* gain, size_t rows, size_t columns, size_t stride, int64_t need);

  // By row, after a Solve that was not out of reach.
  std::span<const int32_t> column_of_row() const { return column_of_row_; }
  // The dual solution, after such a Solve: an assignment of all rows is a best one exactly if each of its pairs has
  // row_dual(row) == gain + column_dual(column), and each column whose dual is not 0 has a row.
  Gain row_dual(size_t row) const { return row_potential_[row]; }
  Gain column_dual(size_t column) const { return column_potential_[column]; }

 private:
  std::vector<int32_t> column_of_row_;
  std::vector<int32_t> row_of_column_;
  std::vector<Gain> row_potential_;     // greatest gain of the row, less its dual
  std::vector<Gain> column_potential_;  // the column's dual, never positive
  std::vector<Gain> distance_;          // per column; kDone where the column is in the tree already
  std::vector<Gain> settled_;           // per column in the tree, its final distance
  std::vector<int32_t> predecessor_;
  std::vector<int32_t> tree_;  // columns in the tree, in order
};

extern template class AssignmentSolver<int32_t>;
extern template class AssignmentSolver<int64_t>;

}  // namespace thicket
