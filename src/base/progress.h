// What a run has of its caller: who hears how far long work has come, whether it should stop, how much it may hold while it
// reads, who may read what it writes, and who hears what it noticed. Several runs may go on at once in a process, each with
// a Progress of its own.
//
// Library code reports to a Progress and asks it whether the user wants to stop; it knows neither terminals nor
// signals. cli/ draws the progress line and sets the flag on Ctrl-C.
//
//   progress.Begin("anonymize", records);
//   for (...) {
//     if (progress.cancelled()) return Interrupted();
//     progress.Advance(1);
//   }
//
// Loops below that level ask StopPoint() (base/stop.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  void Cancel() { flag_->store(true, std::memory_order_relaxed); }
  bool cancelled() const { return flag_->load(std::memory_order_relaxed); }
  // What may be held while reading, in bytes (base/memory.h); 0: as much as there is.
  void set_max_memory(uint64_t bytes) { max_memory_ = bytes; }
  uint64_t max_memory() const { return max_memory_; }
  // The permissions that no file has which is written, as of umask(2): the command sets the user's. Where nobody says, only
  // the owner may read what is written.
  void set_file_mask(uint32_t mask) { file_mask_ = mask; }
  uint32_t file_mask() const { return file_mask_; }
  // For loops that see no Progress (base/stop.h).
  const std::atomic<bool>& flag() const { return *flag_; }
  // What the user should know whether or not the work succeeds: an error comes without the report that has the warnings
  // of a success. Kept in their order, from one thread.
  void Warn(std::string warning) { warnings_.push_back(std::move(warning)); }
  const std::vector<std::string>& warnings() const { return warnings_; }

 protected:
  // A part of larger work: it is cancelled with the whole, which must outlive it.
  explicit Progress(Progress* whole)
      : flag_(whole->flag_), max_memory_(whole->max_memory_), file_mask_(whole->file_mask_) {}

 private:
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool>* flag_ = &cancelled_;
  uint64_t max_memory_ = 0;
  uint32_t file_mask_ = 077;
  std::vector<std::string> warnings_;
};

// The error that a function returns when it has seen cancelled().
inline Error Interrupted() {
  return {ErrorCode::kInterrupted, "interrupted; nothing was written", "", ""};
}

}  // namespace thicket
