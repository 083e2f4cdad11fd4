#include "base/random.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <numbers>

#include "base/stop.h"

namespace thicket {

Random Random::Seeded(uint64_t seed) { return Random(seed, false); }

Random Random::Secure() { return Random(0, true); }

Random Random::From(std::function<uint64_t()> source) {
  Random random(0, false);
  random.source_ = std::move(source);
  return random;
}

uint64_t Random::Next() {
  if (source_) return source_();
  if (!secure_) {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  if (pool_left_ == 0) {
    // Up to 256 bytes at a time getrandom is never short; a signal before the pool is initialized may interrupt it.
    auto* bytes = reinterpret_cast<unsigned char*>(pool_.data());
    for (size_t done = 0; done < sizeof pool_;) {
      const ssize_t got = getrandom(bytes + done, 256, 0);
      if (got > 0) {
        done += static_cast<size_t>(got);
      } else if (errno != EINTR) {
        throw WorkFailure{
            {ErrorCode::kIo,
             fmt::format("the system must give secure random numbers, but does not: {}",
                         std::strerror(errno)),
             "allow the process getrandom(2), which a filter of system calls may forbid", ""}};
      }
    }
    pool_left_ = pool_.size();
  }
  return pool_[--pool_left_];
}

uint64_t Random::Below(uint64_t bound) {
  // Rejects the few numbers at the bottom that would make the remainder uneven.
  const uint64_t threshold = (0 - bound) % bound;
  uint64_t x = Next();
  while (x < threshold) x = Next();
  return x % bound;
}

double Random::Uniform() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

double Random::Normal() {
  const double u = 1.0 - Uniform();
  const double v = Uniform();
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

}  // namespace thicket
