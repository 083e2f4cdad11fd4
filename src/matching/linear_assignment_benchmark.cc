// The assignment solver beside a textbook Hungarian method, on gains like those of matching courses.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/random.h"
#include "matching/linear_assignment.h"

namespace thicket {
namespace {

std::vector<int32_t> RandomGains(size_t n) {
  Random random = Random::Seeded(n);
  std::vector<int32_t> gain(n * n);
  for (int32_t& value : gain) value = static_cast<int32_t>(random.Below(5) * random.Below(1 << 18));
  return gain;
}

// The O(n^3) method with potentials, on costs, as textbooks give it.
int64_t Textbook(const std::vector<int32_t>& gain, size_t n) {
  std::vector<int64_t> u(n + 1, 0);
  std::vector<int64_t> v(n + 1, 0);
  std::vector<size_t> match(n + 1, 0);
  std::vector<size_t> way(n + 1, 0);
  for (size_t row = 1; row <= n; ++row) {
    match[0] = row;
    size_t column = 0;
    std::vector<int64_t> least(n + 1, std::numeric_limits<int64_t>::max());
    std::vector<bool> used(n + 1, false);
    do {
      used[column] = true;
      const size_t i = match[column];
      int64_t delta = std::numeric_limits<int64_t>::max();
      size_t next = 0;
      for (size_t j = 1; j <= n; ++j) {
        if (used[j]) continue;
        const int64_t reduced = -int64_t{gain[(i - 1) * n + j - 1]} - u[i] - v[j];
        if (reduced < least[j]) {
          least[j] = reduced;
          way[j] = column;
        }
        if (least[j] < delta) {
          delta = least[j];
          next = j;
        }
      }
      for (size_t j = 0; j <= n; ++j) {
        if (used[j]) {
          u[match[j]] += delta;
          v[j] -= delta;
        } else {
          least[j] -= delta;
        }
      }
      column = next;
    } while (match[column] != 0);
    while (column != 0) {
      match[column] = match[way[column]];
      column = way[column];
    }
  }
  return v[0];
}

void BM_Solver(benchmark::State& state) {
  const auto n = static_cast<size_t>(state.range(0));
  const std::vector<int32_t> gain = RandomGains(n);
  AssignmentSolver<int32_t> solver;
  if (solver.Solve(gain.data(), n, n, n, 0) != Textbook(gain, n))
    state.SkipWithError("wrong total");
  for (auto _ : state) benchmark::DoNotOptimize(solver.Solve(gain.data(), n, n, n, 0));
}

void BM_Textbook(benchmark::State& state) {
  const auto n = static_cast<size_t>(state.range(0));
  const std::vector<int32_t> gain = RandomGains(n);
  for (auto _ : state) benchmark::DoNotOptimize(Textbook(gain, n));
}

BENCHMARK(BM_Solver)->Arg(5)->Arg(20)->Arg(100);
BENCHMARK(BM_Textbook)->Arg(5)->Arg(20)->Arg(100);

}  // namespace
}  // namespace thicket
