#include "base/parallel.h"

#include <algorithm>
#include <new>
#include <system_error>

#include "base/stop.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace thicket {

namespace {

// About a quarter of a millisecond of watching before a worker sleeps.
constexpr int kSpins = 10000;

void Pause() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

Parallel::Parallel(int threads) {
  const size_t wanted = threads > 0 ? static_cast<size_t>(threads)
                                    : std::max(1U, std::thread::hardware_concurrency());
  try {
    workers_.reserve(wanted - 1);
    for (size_t worker = 1; worker < wanted; ++worker) {
      workers_.emplace_back([this, worker] { Work(worker); });
    }
  } catch (const std::system_error&) {
    // No more threads: those that are there do the work.
  } catch (const std::bad_alloc&) {
    // As above; if memory is needed for more than threads, its user will say so.
  }
}

Parallel::~Parallel() {
  stop_ = true;
  ++loops_;
  loops_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Parallel::Run(size_t n, size_t grain, Caller call, const void* body) {
  size_ = n;
  grain_ = std::max<size_t>(grain, 1);
  call_ = call;
  body_ = body;
  stop_flag_ = stop_flag;
  next_ = 0;
  open_ = true;
  ++loops_;
  if (sleeping_ > 0) loops_.notify_all();
  TakeRanges(0);
  // Whoever raised inside_ before this saw the loop open and is waited for; whoever comes after sees it closed.
  open_ = false;
  for (int spins = 0; inside_ != 0; ++spins) {
    if (spins < kSpins) {
      Pause();
    } else {
      std::this_thread::yield();
    }
  }
  if (failure_) {
    const std::exception_ptr failure = failure_;
    failure_ = nullptr;
    std::rethrow_exception(failure);
  }
}

void Parallel::TakeRanges(size_t worker) {
  const StopScope scope(stop_flag_);
  try {
    while (true) {
      StopPoint();
      const size_t begin = next_.fetch_add(grain_);
      if (begin >= size_) return;
      call_(body_, worker, begin, std::min(begin + grain_, size_));
    }
  } catch (...) {
    next_ = size_;
    const std::lock_guard<std::mutex> lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

void Parallel::Work(size_t worker) {
  uint32_t seen = 0;
  while (true) {
    for (int spins = 0; loops_ == seen && spins < kSpins; ++spins) Pause();
    if (loops_ == seen) {
      ++sleeping_;
      loops_.wait(seen);
      --sleeping_;
    }
    seen = loops_;
    if (stop_) return;
    ++inside_;
    if (open_) TakeRanges(worker);
    --inside_;
  }
}

}  // namespace thicket
