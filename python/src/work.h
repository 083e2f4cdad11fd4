// Long work of the library on a thread of its own, while the thread that called from Python waits without the GIL, asks now and then whether
// somebody pressed Ctrl-C, and tells Python how far the work has come.
//
//   Report report = RunWork(watch, [&](Progress& progress) { return AnonymizeFile(policy, paths, options, progress); });
//
// An exception that a signal handler or the callable raises stops the work, which takes a fifth of a second at most, and goes on
// to the caller.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/progress.h"
#include "failure.h"

namespace thicket::python {

// What a caller wants to know of the work.
struct Watch {
  // Called with (stage, done, total); None: nobody.
  nanobind::object callable = nanobind::none();
  bool show_values = false;
  uint64_t max_memory = 0;
};

// How far the work has come, told by one thread and asked by another.
class WatchedProgress final : public Progress {
 public:
  struct State {
    std::string stage;
    uint64_t done = 0;
    uint64_t total = 0;
    bool operator==(const State&) const = default;
  };

  void Begin(std::string_view stage, uint64_t total) override {
    const std::lock_guard lock(mutex_);
    state_ = {std::string(stage), 0, total};
  }
  void Advance(uint64_t steps) override {
    const std::lock_guard lock(mutex_);
    state_.done += steps;
  }
  State state() const {
    const std::lock_guard lock(mutex_);
    return state_;
  }

 private:
  mutable std::mutex mutex_;
  State state_;
};

// Waits for the work: calls `wait`, which returns true when the work is done, without the GIL, and looks after signals and the callable
// in between. The first exception of these, if any.
std::exception_ptr Attend(const Watch& watch, WatchedProgress& progress, bool (*wait)(void*),
                          void* context);

// Calls `work` with a Progress; it returns a Result, and must not touch Python.
template <typename Work>
auto RunWork(const Watch& watch, const Work& work) {
  using Outcome = decltype(work(std::declval<Progress&>()));
  struct Shared {
    std::mutex mutex;
    std::condition_variable done_changed;
    bool done = false;
    std::optional<Outcome> outcome = {};
    std::exception_ptr thrown = nullptr;
  } shared;
  WatchedProgress progress;
  progress.set_max_memory(watch.max_memory);
  std::thread worker([&] {
    try {
      shared.outcome.emplace(work(progress));
    } catch (...) {
      shared.thrown = std::current_exception();
    }
    const std::lock_guard lock(shared.mutex);
    shared.done = true;
    shared.done_changed.notify_all();
  });
  const std::exception_ptr stopped = Attend(
      watch, progress,
      [](void* context) {
        auto& of = *static_cast<Shared*>(context);
        std::unique_lock lock(of.mutex);
        return of.done_changed.wait_for(lock, std::chrono::milliseconds(20),
                                        [&] { return of.done; });
      },
      &shared);
  {
    const nanobind::gil_scoped_release release;
    worker.join();
  }
  if (stopped) std::rethrow_exception(stopped);
  if (shared.thrown) std::rethrow_exception(shared.thrown);
  return ValueOf(std::move(*shared.outcome), watch.show_values);
}

}  // namespace thicket::python
