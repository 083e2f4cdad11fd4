// WordNet's files as a network, and the distances of as many of its words as the query log of Liu 2010 has terms.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"
#include "io/wordnet/wordnet_nouns.h"
#include "io/wordnet/wordnet_reader.h"
#include "taxonomy/term_distances.h"

namespace thicket {
namespace {

void BM_ReadWordNet(benchmark::State& state) {
  for (auto _ : state) {
    const auto network = ReadWordNet(WordNetFolder());
    if (!network.ok()) {
      state.SkipWithError(network.error().hint.c_str());
      break;
    }
    benchmark::DoNotOptimize(network->place_count());
  }
}

void BM_ParseWordNet(benchmark::State& state) {
  const auto texts = ReadWordNetTexts(WordNetFolder(), kNoWordNet, nullptr);
  if (!texts.ok()) {
    state.SkipWithError(texts.error().hint.c_str());
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(ParseWordNet(*texts, "").ok());
}

// 19,029 single words.
std::vector<std::string> Terms(const SemanticNetwork& network) {
  constexpr size_t kTerms = 19'029;
  Random random = Random::Seeded(1);
  std::vector<std::string> words;
  for (SemanticNetwork::Place place = 0; place < network.place_count(); ++place) {
    const std::string_view word = network.word(place);
    if (!word.empty() && word.find_first_of(" '-.0123456789") == std::string_view::npos) {
      words.emplace_back(word);
    }
  }
  random.Shuffle(words);
  words.resize(std::min(words.size(), kTerms));
  return words;
}

void BM_TermDistances(benchmark::State& state) {
  const auto network = ReadWordNet(WordNetFolder());
  if (!network.ok()) {
    state.SkipWithError(network.error().hint.c_str());
    return;
  }
  const std::vector<std::string> terms = Terms(*network);
  const auto epsilon = static_cast<uint32_t>(state.range(0));
  Parallel parallel;
  uint64_t bytes = 0;
  uint64_t near = 0;
  for (auto _ : state) {
    const auto distances = TermDistances::OfNetwork(*network, terms, epsilon, parallel);
    bytes = distances.bytes();
    near = 0;
    for (uint32_t term = 0; term < terms.size(); ++term) near += distances.NearTo(term).size();
  }
  state.counters["MB"] = static_cast<double>(bytes) / 1e6;
  state.counters["estimated_MB"] =
      static_cast<double>(TermDistances::EstimateBytes(*network, terms, epsilon)) / 1e6;
  state.counters["near"] = static_cast<double>(near) / static_cast<double>(terms.size());
}

void BM_Steps(benchmark::State& state) {
  const auto network = ReadWordNet(WordNetFolder());
  if (!network.ok()) {
    state.SkipWithError(network.error().hint.c_str());
    return;
  }
  const std::vector<std::string> terms = Terms(*network);
  Parallel parallel;
  const auto distances =
      TermDistances::OfNetwork(*network, terms, static_cast<uint32_t>(state.range(0)), parallel);
  Random random = Random::Seeded(2);
  std::vector<uint32_t> drawn(1 << 16);
  for (uint32_t& term : drawn) term = static_cast<uint32_t>(random.Below(terms.size()));
  size_t i = 0;
  for (auto _ : state) {
    // Three terms of a bag, each with each of three others.
    uint32_t sum = 0;
    for (size_t a = 0; a < 3; ++a) {
      for (size_t b = 3; b < 6; ++b) {
        sum += distances.Steps(drawn[(i + a) & 0xffff], drawn[(i + b) & 0xffff]).value_or(0);
      }
    }
    benchmark::DoNotOptimize(sum);
    i += 6;
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * 9);
}

BENCHMARK(BM_ReadWordNet)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ParseWordNet)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_TermDistances)
    ->Arg(6)
    ->Arg(8)
    ->Arg(10)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->UseRealTime();
BENCHMARK(BM_Steps)->Arg(6)->Arg(10);

}  // namespace
}  // namespace thicket
