// How long a search may take at most.
//
//   const TimeLimit limit(options.limit_s);
//   if (limit.IsOver()) ...
#pragma once

#include <chrono>
#include <optional>

namespace thicket {

class TimeLimit {
 public:
  // From now on; nothing: for ever.
  explicit TimeLimit(std::optional<double> seconds) : seconds_(seconds) {}

  bool IsOver() const {
    if (!seconds_) return false;
    return std::chrono::duration<double>(Clock::now() - start_).count() >= *seconds_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<double> seconds_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace thicket
