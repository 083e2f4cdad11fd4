// What a group of pieces must lose, against every way to put the pieces together.
#include "cutting/table/class_bound.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace thicket::class_bound_property_test {
namespace {

// By piece and value: how many records have it.
using Pieces = std::vector<std::vector<uint32_t>>;

Pieces DrawPieces(Random& random) {
  Pieces pieces(1 + random.Below(6), std::vector<uint32_t>(1 + random.Below(4), 0));
  const uint64_t most = 1 + random.Below(8);
  for (std::vector<uint32_t>& piece : pieces) {
    for (uint32_t& count : piece) {
      if (random.Below(3) > 0) count = static_cast<uint32_t>(random.Below(most + 1));
    }
    piece[random.Below(piece.size())] += 1;
  }
  return pieces;
}

// What a class loses, by the definition of the scheme.
uint64_t LostByClass(const std::vector<uint32_t>& counts, const Fraction& theta, bool all) {
  const uint64_t size = std::accumulate(counts.begin(), counts.end(), uint64_t{0});
  uint64_t lost = 0;
  for (const uint32_t count : counts) {
    if (count * theta.denominator > size * theta.numerator) lost += count;
  }
  return all && lost > 0 ? size : lost;
}

// The least that is lost, over all ways to put the pieces from `next` on into the classes, or into new ones.
uint64_t LeastLost(const Pieces& pieces, size_t next, Pieces& classes, const Fraction& theta,
                   bool all) {
  if (next == pieces.size()) {
    uint64_t lost = 0;
    for (const std::vector<uint32_t>& one : classes) lost += LostByClass(one, theta, all);
    return lost;
  }
  classes.push_back(pieces[next]);
  uint64_t least = LeastLost(pieces, next + 1, classes, theta, all);
  classes.pop_back();
  for (size_t i = 0; i < classes.size(); ++i) {
    const std::vector<uint32_t> before = classes[i];
    for (size_t value = 0; value < before.size(); ++value) {
      classes[i][value] += pieces[next][value];
    }
    least = std::min(least, LeastLost(pieces, next + 1, classes, theta, all));
    classes[i] = before;
  }
  return least;
}

// One quasi-identifier with a leaf for each piece.
TableColumns ColumnsOf(const Pieces& pieces) {
  TableColumns columns;
  columns.quasi.resize(1);
  columns.parents.assign(pieces.size() + 1, 0);
  columns.sensitive.resize(1);
  columns.sensitive[0].value_count = static_cast<uint32_t>(pieces[0].size());
  for (uint32_t piece = 0; piece < pieces.size(); ++piece) {
    for (uint32_t value = 0; value < pieces[piece].size(); ++value) {
      for (uint32_t i = 0; i < pieces[piece][value]; ++i) {
        columns.quasi[0].leaves.push_back(piece + 1);
        columns.sensitive[0].values.push_back(value);
      }
    }
  }
  columns.record_count = columns.quasi[0].leaves.size();
  return columns;
}

RC_GTEST_PROP(ClassBound, LosesNoMoreOfPiecesThanSomeWayToPutThemTogether, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  for (int round = 0; round < 20; ++round) {
    const Pieces pieces = DrawPieces(random);
    const uint64_t below = 2 + random.Below(5);
    Fraction theta = {1 + random.Below(below - 1), below};
    // The same share, or one next to it, in numbers that have no room in 64 bits with a count.
    if (random.Below(4) == 0) {
      theta = {theta.numerator * 1'000'000'000'000 + 1, below * 1'000'000'000'000};
    }
    const bool all = random.Below(2) == 0;
    const Table table(ColumnsOf(pieces));
    TableGoal goal;
    goal.promise = TablePromise::Uniform(table, theta);
    goal.suppression = all ? Suppression::kAllValues : Suppression::kViolatingValues;
    goal.suppression_cost = {1, 1};
    const TableTask task(table, goal);
    ClassBound bound(task);
    for (size_t cell = 0; cell < table.cell_count(); ++cell) bound.Add(table.kinds(cell));
    const uint64_t lemma = bound.Find(/*is_final=*/false).suppressed;
    uint64_t lost = 0;
    for (const uint32_t value : bound.violating()) {
      std::vector<ClassBound::Piece> with_value;
      for (const std::vector<uint32_t>& piece : pieces) {
        const uint64_t size = std::accumulate(piece.begin(), piece.end(), uint64_t{0});
        if (piece[value] > 0) with_value.push_back({piece[value], size});
      }
      lost += bound.LeastOfPieces(value, with_value);
    }
    Pieces classes;
    const uint64_t least = LeastLost(pieces, 0, classes, theta, all);
    RC_ASSERT(lost <= least);
    RC_ASSERT(lemma <= least);
    // Pieces tell no less than Lemma 3.3, value by value; and one piece tells everything.
    if (!all) RC_ASSERT(lost >= lemma);
    if (!all && pieces.size() == 1) RC_ASSERT(lost == least);
  }
}

}  // namespace
}  // namespace thicket::class_bound_property_test
