#include "matching/transport.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

#include "matching/linear_assignment.h"

namespace thicket::transport_test {
namespace {

// Every item and every place written out.
int64_t BestWrittenOut(const std::vector<int64_t>& gain, const std::vector<uint32_t>& items,
                       const std::vector<uint32_t>& places) {
  std::vector<int64_t> matrix;
  size_t rows = 0;
  size_t columns = 0;
  for (const uint32_t count : places) columns += count;
  for (size_t i = 0; i < items.size(); ++i) {
    for (uint32_t n = 0; n < items[i]; ++n, ++rows) {
      for (size_t j = 0; j < places.size(); ++j) {
        matrix.insert(matrix.end(), places[j], gain[i * places.size() + j]);
      }
    }
  }
  AssignmentSolver<int64_t> solver;
  return solver.Solve(matrix.data(), rows, columns, columns, 0);
}

template <typename Gain>
void ExpectOptimal(const std::vector<int64_t>& gain, const std::vector<uint32_t>& items,
                   const std::vector<uint32_t>& places, int64_t best) {
  const std::vector<Gain> typed(gain.begin(), gain.end());
  TransportSolver<Gain> solver;
  RC_ASSERT(solver.Solve(typed.data(), {items, places}, best + 1) ==
            TransportSolver<Gain>::kOutOfReach);
  RC_ASSERT(solver.Solve(typed.data(), {items, places}, best) == best);
  int64_t total = 0;
  std::vector<uint32_t> items_left = items;
  std::vector<uint32_t> places_left = places;
  for (const auto& flow : solver.flows()) {
    RC_ASSERT(flow.count > 0U);
    RC_ASSERT(items_left[flow.row] >= flow.count);
    RC_ASSERT(places_left[flow.column] >= flow.count);
    items_left[flow.row] -= flow.count;
    places_left[flow.column] -= flow.count;
    total += gain[flow.row * places.size() + flow.column] * flow.count;
  }
  for (const uint32_t left : items_left) RC_ASSERT(left == 0U);
  RC_ASSERT(total == best);
}

TEST(Transport, GainsAsMuchAsTheAssignmentOfEveryItem) {
  EXPECT_TRUE(rc::check([] {
    const auto counts = rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange(1U, 9U));
    auto items = *rc::gen::nonEmpty(counts);
    auto places = *rc::gen::nonEmpty(counts);
    uint32_t item_sum = 0;
    uint32_t place_sum = 0;
    for (const uint32_t count : items) item_sum += count;
    for (const uint32_t count : places) place_sum += count;
    if (item_sum > place_sum) std::swap(items, places);
    const int64_t top = *rc::gen::element<int64_t>(1, 3, 1000, int64_t{1} << 28);
    const auto gain = *rc::gen::container<std::vector<int64_t>>(
        items.size() * places.size(), rc::gen::inRange<int64_t>(0, top + 1));
    const int64_t best = BestWrittenOut(gain, items, places);
    ExpectOptimal<int32_t>(gain, items, places, best);
    ExpectOptimal<int64_t>(gain, items, places, best);
  }));
}

TEST(Transport, NothingGainsNothing) {
  TransportSolver<int32_t> solver;
  EXPECT_EQ(solver.Solve(nullptr, {}, 0), 0);
  EXPECT_EQ(solver.Solve(nullptr, {}, 1), TransportSolver<int32_t>::kOutOfReach);
  EXPECT_TRUE(solver.flows().empty());
}

TEST(Transport, HeaderExampleHolds) {
  TransportSolver<int32_t> solver;
  const int32_t gain[] = {4, 9, 2, 8};
  const uint32_t items[] = {3, 1};
  const uint32_t places[] = {2, 5};
  EXPECT_EQ(solver.Solve(gain, {items, places}, 0), 35);
  ASSERT_EQ(solver.flows().size(), 2U);
  EXPECT_EQ(solver.flows()[0].column, 1U);
  EXPECT_EQ(solver.flows()[0].count, 3U);
}

}  // namespace
}  // namespace thicket::transport_test
