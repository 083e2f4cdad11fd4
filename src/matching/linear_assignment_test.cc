#include "matching/linear_assignment.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace thicket::linear_assignment_test {
namespace {

// Tries every injective assignment of rows to columns.
int64_t BestByBruteForce(const std::vector<int64_t>& gain, size_t rows, size_t columns) {
  std::vector<size_t> order(columns);
  std::iota(order.begin(), order.end(), size_t{0});
  int64_t best = -1;
  do {
    int64_t total = 0;
    for (size_t i = 0; i < rows; ++i) total += gain[i * columns + order[i]];
    best = std::max(best, total);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

template <typename Gain>
void ExpectOptimal(const std::vector<int64_t>& gain, size_t rows, size_t columns) {
  const std::vector<Gain> typed(gain.begin(), gain.end());
  AssignmentSolver<Gain> solver;
  const int64_t best = BestByBruteForce(gain, rows, columns);
  RC_ASSERT(solver.Solve(typed.data(), rows, columns, columns, 0) == best);
  int64_t total = 0;
  std::set<int32_t> used;
  for (size_t i = 0; i < rows; ++i) {
    const int32_t j = solver.column_of_row()[i];
    RC_ASSERT(j >= 0 && static_cast<size_t>(j) < columns);
    RC_ASSERT(used.insert(j).second);
    total += gain[i * columns + static_cast<size_t>(j)];
  }
  RC_ASSERT(total == best);
  RC_ASSERT(solver.Solve(typed.data(), rows, columns, columns, best) == best);
  RC_ASSERT(solver.Solve(typed.data(), rows, columns, columns, best + 1) ==
            AssignmentSolver<Gain>::kOutOfReach);
}

TEST(LinearAssignment, IsOptimalAndStopsOnlyWhenTheNeedIsOutOfReach) {
  EXPECT_TRUE(rc::check([] {
    const auto columns = *rc::gen::inRange<size_t>(1, 7);
    const auto rows = *rc::gen::inRange<size_t>(1, columns + 1);
    const int64_t top = *rc::gen::element<int64_t>(1, 3, 1000, int64_t{1} << 28);
    const auto gain = *rc::gen::container<std::vector<int64_t>>(
        rows * columns, rc::gen::inRange<int64_t>(0, top + 1));
    ExpectOptimal<int32_t>(gain, rows, columns);
    ExpectOptimal<int64_t>(gain, rows, columns);
  }));
}

TEST(LinearAssignment, NarrowAndWideChooseTheSameColumns) {
  EXPECT_TRUE(rc::check([] {
    const auto columns = *rc::gen::inRange<size_t>(1, 40);
    const auto rows = *rc::gen::inRange<size_t>(1, columns + 1);
    const auto narrow =
        *rc::gen::container<std::vector<int32_t>>(rows * columns, rc::gen::inRange(0, 20));
    const std::vector<int64_t> wide(narrow.begin(), narrow.end());
    AssignmentSolver<int32_t> a;
    AssignmentSolver<int64_t> b;
    RC_ASSERT(a.Solve(narrow.data(), rows, columns, columns, 0) ==
              b.Solve(wide.data(), rows, columns, columns, 0));
    RC_ASSERT(std::equal(a.column_of_row().begin(), a.column_of_row().end(),
                         b.column_of_row().begin(), b.column_of_row().end()));
  }));
}

template <typename Gain>
void ExpectTheSameAgain() {
  const auto columns = *rc::gen::inRange<size_t>(1, 12);
  const auto rows = *rc::gen::inRange<size_t>(1, columns + 1);
  const Gain top = *rc::gen::element<Gain>(1, 3, 1000);
  const auto draw = rc::gen::inRange<Gain>(0, top + 1);
  auto gain = *rc::gen::container<std::vector<Gain>>(rows * columns, draw);
  AssignmentSolver<Gain> solver;
  solver.Solve(gain.data(), rows, columns, columns, 0);
  for (int round = 0; round < 5; ++round) {
    const auto changes = *rc::gen::inRange<size_t>(0, gain.size() + 1);
    for (size_t change = 0; change < changes; ++change) {
      // Mostly those that were chosen.
      const auto row = *rc::gen::inRange<size_t>(0, rows);
      const auto chosen = static_cast<size_t>(solver.column_of_row()[row]);
      const auto column = *rc::gen::element(chosen, *rc::gen::inRange<size_t>(0, columns));
      gain[row * columns + column] = *draw;
    }
    AssignmentSolver<Gain> anew;
    const int64_t best = anew.Solve(gain.data(), rows, columns, columns, 0);
    RC_ASSERT(solver.SolveAgain(gain.data(), rows, columns, columns, best) == best);
    int64_t total = 0;
    std::set<int32_t> used;
    for (size_t i = 0; i < rows; ++i) {
      const int32_t j = solver.column_of_row()[i];
      RC_ASSERT(used.insert(j).second);
      total += gain[i * columns + static_cast<size_t>(j)];
    }
    RC_ASSERT(total == best);
    AssignmentSolver<Gain> copy = solver;
    RC_ASSERT(copy.SolveAgain(gain.data(), rows, columns, columns, best + 1) ==
              AssignmentSolver<Gain>::kOutOfReach);
  }
}

TEST(LinearAssignment, SolvedAgainItIsAsGoodAsFromScratch) {
  EXPECT_TRUE(rc::check([] { ExpectTheSameAgain<int32_t>(); }));
  EXPECT_TRUE(rc::check([] { ExpectTheSameAgain<int64_t>(); }));
}

TEST(LinearAssignment, EmptyProblemGainsNothing) {
  AssignmentSolver<int32_t> solver;
  EXPECT_EQ(solver.Solve(nullptr, 0, 3, 3, 0), 0);
  EXPECT_TRUE(solver.column_of_row().empty());
}

TEST(LinearAssignment, HeaderExampleHolds) {
  const int32_t gain[] = {4, 9, 2, 8};
  AssignmentSolver<int32_t> solver;
  EXPECT_EQ(solver.Solve(gain, 2, 2, 2, 0), 12);
  EXPECT_EQ(solver.column_of_row()[0], 0);
  EXPECT_EQ(solver.column_of_row()[1], 1);
}

}  // namespace
}  // namespace thicket::linear_assignment_test
