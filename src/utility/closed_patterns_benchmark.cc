// The most frequent closed patterns of bags as they come from query logs: few terms each, some of them very frequent.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/random.h"
#include "utility/closed_patterns.h"

namespace thicket {
namespace {

// Terms by Zipf's law, with neighbours that go along with a third of them.
LabelBags RandomBags(size_t count) {
  constexpr double kTerms = 20'000;
  Random random = Random::Seeded(count);
  LabelBags bags;
  for (size_t bag = 0; bag < count; ++bag) {
    std::vector<BagLabel> labels;
    do {
      const auto label = static_cast<BagLabel>(std::pow(kTerms, random.Uniform())) - 1;
      labels.push_back(label);
      if (random.Below(3) == 0) labels.push_back(label + 1);
    } while (random.Below(5) < 3);
    bags.Add(labels);
  }
  return bags;
}

void ClosedPatternsOfQueries(benchmark::State& state) {
  const LabelBags bags = RandomBags(static_cast<size_t>(state.range(0)));
  Parallel parallel;
  size_t found = 0;
  for (auto _ : state) {
    found =
        MineClosedPatterns(bags, {.count = static_cast<size_t>(state.range(1))}, parallel).size();
  }
  if (found != static_cast<size_t>(state.range(1))) std::abort();
  state.counters["bags"] = static_cast<double>(bags.size());
  state.counters["size"] =
      static_cast<double>(bags.occurrences()) / static_cast<double>(bags.size());
}
BENCHMARK(ClosedPatternsOfQueries)
    ->Args({383'000, 1'000})
    ->Args({383'000, 5'000})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thicket
