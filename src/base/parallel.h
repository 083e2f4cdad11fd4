// Loops over index ranges on a given number of threads.
//
// Results must not depend on the number of threads: a body writes only to its own indices, and reductions are made of
// operations whose order does not matter (the smallest of (cost, index) pairs, sums of integers).
//
//   Parallel parallel(2);
//   parallel.For(n, 1024, [&](size_t begin, size_t end) { ... });
//   parallel.For(n, 1024, [&](size_t worker, size_t begin, size_t end) { ... });   // worker < parallel.threads()
//
// Searches run many thousands of loops of 50 to 500 us each, so the threads watch for the next loop for a moment before
// they sleep, and a thread that comes late is not waited for. On two idle cores that halves the time of a loop of 120 us,
// as oneTBB does; workers have numbers here, so that buffers can be theirs.
//
// A machine that refuses a thread (a limit of processes, no room for a stack) gets the work done on those it gave, if need
// be on the caller's alone. A StopPoint() in a body (base/stop.h) stops all of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace thicket {

class Parallel {
 public:
  // 0 threads means all cores of the machine. There may be fewer than were asked for: see threads().
  explicit Parallel(int threads = 0);
  Parallel(const Parallel&) = delete;
  Parallel& operator=(const Parallel&) = delete;
  ~Parallel();

  size_t threads() const { return workers_.size() + 1; }

  // Calls the body for disjoint ranges that cover [0, n), of at most `grain` indices each, or once for all of it. What a
  // body throws is thrown here, when all have stopped. Not to be called from inside a body.
  template <typename Body>
  void For(size_t n, size_t grain, const Body& body) {
    if (n == 0) return;
    if (n <= grain || workers_.empty()) {
      Call(body, 0, 0, n);
      return;
    }
    Run(
        n, grain,
        [](const void* erased, size_t worker, size_t begin, size_t end) {
          Call(*static_cast<const Body*>(erased), worker, begin, end);
        },
        &body);
  }

 private:
  using Caller = void (*)(const void* body, size_t worker, size_t begin, size_t end);

  template <typename Body>
  static void Call(const Body& body, size_t worker, size_t begin, size_t end) {
    if constexpr (std::is_invocable_v<Body, size_t, size_t, size_t>) {
      body(worker, begin, end);
    } else {
      body(begin, end);
    }
  }

  void Run(size_t n, size_t grain, Caller call, const void* body);
  void Work(size_t worker);
  void TakeRanges(size_t worker);

  // The loop that is on; written only while it is closed and nobody is inside.
  size_t size_ = 0;
  size_t grain_ = 1;
  Caller call_ = nullptr;
  const void* body_ = nullptr;
  const std::atomic<bool>* stop_flag_ = nullptr;  // the caller's
  std::atomic<size_t> next_ = 0;

  std::atomic<bool> open_ = false;
  std::atomic<int> inside_ = 0;
  std::atomic<uint32_t> loops_ = 0;  // counts loops, so that workers see a new one
  std::atomic<int> sleeping_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::vector<std::thread> workers_;
};

}  // namespace thicket
