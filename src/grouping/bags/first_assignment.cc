#include "grouping/bags/first_assignment.h"

#include <algorithm>

namespace thicket {

void FirstAssignment::Find(const Problem& problem, std::vector<uint32_t>& column_of_row) {
  problem_ = &problem;
  column_of_row_ = &column_of_row;
  row_of_column_.assign(problem.columns, kNobody);
  for (uint32_t row = 0; row < problem.rows; ++row) row_of_column_[column_of_row[row]] = row;
  for (uint32_t row = 0; row < problem.rows; ++row) {
    const auto last = std::min<size_t>(column_of_row[row], problem.alike_from);
    for (uint32_t column = 0; column < last; ++column) {
      if (problem.pairs[row * problem.columns + column] != 0 && Give(row, column)) break;
    }
  }
}

bool FirstAssignment::Give(uint32_t row, uint32_t column) {
  const uint32_t loser = row_of_column_[column];
  if (loser != kNobody && loser < row) return false;
  fixed_ = row;
  before_columns_ = *column_of_row_;
  before_rows_ = row_of_column_;
  const uint32_t vacant = (*column_of_row_)[row];
  row_of_column_[vacant] = kNobody;
  row_of_column_[column] = row;
  (*column_of_row_)[row] = column;
  const bool must = problem_->must[vacant] != 0;
  is_seen_.assign(problem_->columns, 0);
  bool is_done = loser == kNobody ? !must : Rehome(loser, vacant, !must);
  if (!is_done && must) {
    // The way of the loser and the way to the vacant column have no row in common: there would be a way from one to the
    // other.
    is_seen_.assign(problem_->columns, 0);
    is_done = loser == kNobody || Rehome(loser, vacant, true);
    is_seen_.assign(problem_->columns, 0);
    is_done = is_done && Cover(vacant);
  }
  if (is_done) return true;
  *column_of_row_ = before_columns_;
  row_of_column_ = before_rows_;
  return false;
}

bool FirstAssignment::Rehome(uint32_t row, uint32_t vacant, bool takes_any) {
  for (uint32_t column = 0; column < problem_->columns; ++column) {
    if (problem_->pairs[row * problem_->columns + column] == 0 || is_seen_[column] != 0) continue;
    is_seen_[column] = 1;
    const uint32_t holder = row_of_column_[column];
    const bool is_free = holder == kNobody;
    if (is_free && column != vacant && !takes_any) continue;
    if (!is_free && (!MayMove(holder) || !Rehome(holder, vacant, takes_any))) continue;
    row_of_column_[column] = row;
    (*column_of_row_)[row] = column;
    return true;
  }
  return false;
}

bool FirstAssignment::Cover(uint32_t column) {
  is_seen_[column] = 1;
  for (uint32_t row = fixed_ + 1; row < problem_->rows; ++row) {
    const uint32_t left = (*column_of_row_)[row];
    if (problem_->pairs[row * problem_->columns + column] == 0 || is_seen_[left] != 0) continue;
    row_of_column_[left] = kNobody;
    const uint32_t before = row_of_column_[column];
    (*column_of_row_)[row] = column;
    row_of_column_[column] = row;
    if (problem_->must[left] == 0 || Cover(left)) return true;
    (*column_of_row_)[row] = left;
    row_of_column_[left] = row;
    row_of_column_[column] = before;
  }
  return false;
}

}  // namespace thicket
