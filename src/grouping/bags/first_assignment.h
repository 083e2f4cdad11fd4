// Of many best assignments the first: which is best says the solution of the dual problem, which is first says the
// order of rows and columns.
//
// How terms of bags are matched decides what is published, so of equally good matchings one must be named, whatever
// solver found the first of them.
//
//   FirstAssignment first;
//   first.Find({.rows = 2, .columns = 2, .pairs = {1, 1, 1, 1}, .must = {0, 0}}, column_of_row);   // {0, 1}
//
// A pair is allowed if the pair is tight in the dual solution, a column must have a row if the column's dual is not 0;
// then every assignment of all rows that keeps both is a best one (matching/linear_assignment.h). A row that is to have
// another column sends the column's row along a path of allowed pairs: O(pairs) for each column that a row tries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thicket {

class FirstAssignment {
 public:
  struct Problem {
    size_t rows = 0;
    size_t columns = 0;
    // Row by row: whether the row may have the column.
    std::vector<uint8_t> pairs = {};
    // By column: whether some row must have the column.
    std::vector<uint8_t> must = {};
    // Columns from here on are as good as each other: nobody tries to have an earlier one of them.
    size_t alike_from = 0;
  };

  // `column_of_row` is an assignment that keeps the rules, and becomes the first of them: the first row has the first
  // column that it has in any of them, then the second row of those that are left, and so on.
  void Find(const Problem& problem, std::vector<uint32_t>& column_of_row);

 private:
  static constexpr uint32_t kNobody = ~uint32_t{0};

  // Whether there is an assignment in which rows before `row` stay where they are and `row` has the column; then that
  // is the one.
  bool Give(uint32_t row, uint32_t column);
  // Finds another column for a row after `fixed_` that lost its own: the one that is vacant, or, if allowed, one that
  // nobody has.
  bool Rehome(uint32_t row, uint32_t vacant, bool takes_any);
  // Finds a row after `fixed_` for a column.
  bool Cover(uint32_t column);
  bool MayMove(uint32_t row) const { return row > fixed_; }

  const Problem* problem_ = nullptr;
  std::vector<uint32_t>* column_of_row_ = nullptr;
  std::vector<uint32_t> row_of_column_;
  std::vector<uint8_t> is_seen_;
  std::vector<uint32_t> before_columns_;
  std::vector<uint32_t> before_rows_;
  uint32_t fixed_ = 0;
};

}  // namespace thicket
