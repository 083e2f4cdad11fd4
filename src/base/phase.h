// A stretch of long work that shows how far it has come, without a Progress in every signature.
//
// It reports to the Progress of the ProgressScope around it, where there is one; functions of the engine have one
// (base/supervised.h).
//
//   Phase phase("verify", records);
//   parallel.For(records, 64, [&](size_t begin, size_t end) {
//     for (size_t i = begin; i < end; ++i) Check(i);
//     phase.Advance(end - begin);
//   });
//
// Any thread may advance it. What others than the one that began it have done is counted, and reported when that one
// advances next, so that a Progress is only ever used by one thread, and a step costs others an addition. One phase is on
// at a time: part of larger work that has a line of its own is done under a SilentProgress and a ProgressScope.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "base/progress.h"

namespace thicket {

// What a Phase reports to on this thread; null: nobody.
inline constinit thread_local Progress* current_progress = nullptr;

// Lets phases that begin on this thread report to a Progress for as long as the object lives.
class ProgressScope {
 public:
  explicit ProgressScope(Progress& progress) : before_(current_progress) {
    current_progress = &progress;
  }
  ProgressScope(const ProgressScope&) = delete;
  ProgressScope& operator=(const ProgressScope&) = delete;
  ~ProgressScope() { current_progress = before_; }

 private:
  Progress* before_;
};

class Phase {
 public:
  // `total`: how many steps there are; 0 if that is not known. The name is one or two words for the user.
  explicit Phase(std::string_view name, uint64_t total = 0) : progress_(current_progress) {
    if (progress_ != nullptr) progress_->Begin(name, total);
  }
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;
  ~Phase() {
    if (progress_ != nullptr) progress_->End();
  }

  void Advance(uint64_t steps = 1) {
    if (progress_ == nullptr) return;
    if (thread_ != &current_progress) {
      by_others_.fetch_add(steps, std::memory_order_relaxed);
      return;
    }
    if (by_others_.load(std::memory_order_relaxed) != 0) {
      steps += by_others_.exchange(0, std::memory_order_relaxed);
    }
    progress_->Advance(steps);
  }

 private:
  Progress* progress_;
  // Each thread has a variable of its own.
  Progress* const* thread_ = &current_progress;
  std::atomic<uint64_t> by_others_ = 0;
};

}  // namespace thicket
