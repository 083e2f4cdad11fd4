// Random numbers: reproducible when a seed is given, from the system's secure source when none is.
//
// A shuffle that hides the order of records, and keys that stand in for identifiers, must not be guessable: without a
// seed every number comes from getrandom(2), or else the work ends with a WorkFailure (base/stop.h). With a seed the
// sequence is the same on every machine (SplitMix64, Steele et al. 2014), for tests, benchmarks and runs to be repeated.
//
//   Random random = Random::Seeded(7);
//   size_t die = 1 + random.Below(6);
//   random.Shuffle(records);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace thicket {

class Random {
 public:
  static Random Seeded(uint64_t seed);
  static Random Secure();
  // From somebody else's source, which gives 64 random bits at each call. Not for several threads.
  static Random From(std::function<uint64_t()> source);

  uint64_t Next();
  // Uniform in [0, bound), without modulo bias; bound must be positive.
  uint64_t Below(uint64_t bound);
  // Uniform in [0, 1).
  double Uniform();
  // Standard normal (Box-Muller on Uniform, so it is reproducible too).
  double Normal();

  template <typename Container>
  void Shuffle(Container& items) {
    for (size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[static_cast<size_t>(Below(i))]);
    }
  }

 private:
  Random(uint64_t state, bool secure) : state_(state), secure_(secure) {}

  uint64_t state_;
  bool secure_;
  std::function<uint64_t()> source_ = {};
  std::array<uint64_t, 64> pool_{};
  size_t pool_left_ = 0;
};

}  // namespace thicket
