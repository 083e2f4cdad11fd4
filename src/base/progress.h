// How far long work has come, and whether it should stop.
//
// Library code reports to a Progress and asks it whether the user wants to stop; it knows neither terminals nor
// signals. cli/ draws the progress line and sets the flag on Ctrl-C.
//
//   progress.Begin("anonymize", records);
//   for (...) {
//     if (progress.cancelled()) return Interrupted();
//     progress.Advance(1);
//   }
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace thicket {

class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;

  // A new phase with `total` steps (0: unknown).
  virtual void Begin(std::string_view /*phase*/, uint64_t /*total*/) {}
  virtual void Advance(uint64_t /*steps*/) {}
  virtual void End() {}

  // Safe from a signal handler.
  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_ = false;
};

// The error that a function returns when it has seen cancelled().
inline Error Interrupted() {
  return {ErrorCode::kInterrupted, "interrupted; nothing was written", "", ""};
}

}  // namespace thicket
