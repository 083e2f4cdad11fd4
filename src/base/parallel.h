// Loops over index ranges on a given number of threads.
//
// Results must not depend on the number of threads: a body writes only to its own indices, and reductions are made of
// operations whose order does not matter (the smallest of (cost, index) pairs, sums of integers).
//
//   Parallel parallel(2);
//   parallel.For(n, 1024, [&](size_t begin, size_t end) { ... });
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstddef>

namespace thicket {

class Parallel {
 public:
  // 0 threads means all cores of the machine.
  explicit Parallel(int threads = 0)
      : limit_(tbb::global_control::max_allowed_parallelism,
               threads > 0 ? static_cast<size_t>(threads)
                           : tbb::global_control::active_value(
                                 tbb::global_control::max_allowed_parallelism)),
        arena_(threads > 0 ? threads : tbb::task_arena::automatic) {}

  int threads() { return arena_.max_concurrency(); }

  // Calls body(begin, end) for disjoint ranges that cover [0, n), each at least `grain` long where n allows it.
  template <typename Body>
  void For(size_t n, size_t grain, const Body& body) {
    if (n == 0) return;
    if (n <= grain || threads() == 1) {
      body(size_t{0}, n);
      return;
    }
    arena_.execute([&] {
      tbb::parallel_for(tbb::blocked_range<size_t>(0, n, grain),
                        [&](const tbb::blocked_range<size_t>& range) {
                          body(range.begin(), range.end());
                        });
    });
  }

 private:
  tbb::global_control limit_;  // lets more threads be asked for than there are cores
  tbb::task_arena arena_;
};

}  // namespace thicket
