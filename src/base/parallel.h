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
// A machine that has other things to do takes the processor away from a worker in the middle of a range, for as long as
// thirty loops take, and then all the others wait. A worker to which this happens is left out for a while (longer each
// time, up to half a second), and leaves its share of the machine to the rest. So more threads are never much slower than
// one, however little of the machine there is.
//
// A machine that refuses a thread (a limit of processes, no room for a stack) gets the work done on those it gave, if need
// be on the caller's alone. A StopPoint() in a body (base/stop.h) stops all of them.
#pragma once

#include <time.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace thicket {

class Parallel {
 public:
  // 0 threads means as many as this process may use (base/processors.h). There may be fewer than were asked for: see
  // threads().
  explicit Parallel(int threads = 0);
  Parallel(const Parallel&) = delete;
  Parallel& operator=(const Parallel&) = delete;
  ~Parallel();

  size_t threads() const { return workers_.size() + 1; }
  // How often a worker has been left out so far.
  uint64_t times_left_out() const { return times_left_out_; }

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

  // A thread beside the caller's. Each has a cache line of its own, since it writes to it twice in every loop.
  struct alignas(64) Worker {
    std::atomic<uint32_t> inside = 0;  // 1: looks at the loop that is on, and may work at it
    // When it takes part again, in nanoseconds of the steady clock.
    std::atomic<int64_t> left_out_until = 0;
    // The caller's: for how long it was left out the last time.
    std::chrono::nanoseconds left_out_for{0};
    clockid_t processor_time{};
    std::thread thread;
  };

  void Run(size_t n, size_t grain, Caller call, const void* body);
  void AwaitWorkers();
  void Await(Worker& worker);
  void LeaveOut(Worker& worker);
  void Work(size_t number, Worker& worker);
  void SitOut(const Worker& worker);
  void TakeRanges(size_t worker);

  // The loop that is on; written only while it is closed and nobody is inside.
  size_t size_ = 0;
  size_t grain_ = 1;
  Caller call_ = nullptr;
  const void* body_ = nullptr;
  const std::atomic<bool>* stop_flag_ = nullptr;  // the caller's
  std::atomic<size_t> next_ = 0;

  std::atomic<bool> open_ = false;
  std::atomic<uint32_t> loops_ = 0;  // counts loops, so that workers see a new one
  std::atomic<int> sleeping_ = 0;
  std::atomic<bool> stop_ = false;
  uint64_t times_left_out_ = 0;
  std::mutex mutex_;  // of what follows
  std::condition_variable stopped_;
  std::exception_ptr failure_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace thicket
