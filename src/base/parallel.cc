#include "base/parallel.h"

#include <pthread.h>

#include <algorithm>
#include <new>
#include <system_error>

#include "base/processors.h"
#include "base/stop.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace thicket {

namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace): 20us

// About a quarter of a millisecond of watching before a worker sleeps.
constexpr int kSpins = 10000;
// A moment of watching before the caller looks at clocks, and then sleeps.
constexpr int kSpinsForTheLast = 1000;
// A worker that was off the processor for this long while the caller waited is left out for a while: at first, at most.
constexpr nanoseconds kTooLate = 300us;
constexpr nanoseconds kLeftOutFirst = 16ms;
constexpr nanoseconds kLeftOutMost = 512ms;

void Pause() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

nanoseconds Now() { return std::chrono::steady_clock::now().time_since_epoch(); }

// What a thread has used of processors; 0 where the system does not say.
nanoseconds ProcessorTime(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return 0ns;
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

}  // namespace

Parallel::Parallel(int threads) {
  const size_t wanted = threads > 0 ? static_cast<size_t>(threads) : UsableProcessors();
  try {
    workers_.reserve(wanted - 1);
    for (size_t number = 1; number < wanted; ++number) {
      auto worker = std::make_unique<Worker>();
      worker->thread = std::thread([this, number, at = worker.get()] { Work(number, *at); });
      pthread_getcpuclockid(worker->thread.native_handle(), &worker->processor_time);
      workers_.push_back(std::move(worker));
    }
  } catch (const std::system_error&) {
    // No more threads: those that are there do the work.
  } catch (const std::bad_alloc&) {
    // As above; if memory is needed for more than threads, its user will say so.
  }
}

Parallel::~Parallel() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  ++loops_;
  loops_.notify_all();
  for (const std::unique_ptr<Worker>& worker : workers_) worker->thread.join();
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
  // Whoever was inside before this saw the loop open and is waited for; whoever comes after sees it closed.
  open_ = false;
  AwaitWorkers();
  if (failure_) {
    const std::exception_ptr failure = failure_;
    failure_ = nullptr;
    std::rethrow_exception(failure);
  }
}

void Parallel::AwaitWorkers() {
  for (const std::unique_ptr<Worker>& worker : workers_) {
    for (int spins = 0; worker->inside != 0 && spins < kSpinsForTheLast; ++spins) Pause();
    if (worker->inside != 0) Await(*worker);
  }
}

// What the worker does for longer than a moment is either work, or waiting for a processor. Its own clock tells.
void Parallel::Await(Worker& worker) {
  const nanoseconds began = Now();
  const nanoseconds used = ProcessorTime(worker.processor_time);
  while (worker.inside != 0) worker.inside.wait(1);
  const nanoseconds waited = Now() - began;
  if (waited > kTooLate && waited - (ProcessorTime(worker.processor_time) - used) > kTooLate) {
    LeaveOut(worker);
  }
}

// Twice as long as before, unless it has worked for longer than that since.
void Parallel::LeaveOut(Worker& worker) {
  const nanoseconds now = Now();
  const nanoseconds worked = now - nanoseconds(worker.left_out_until.load());
  worker.left_out_for = worked > worker.left_out_for
                            ? kLeftOutFirst
                            : std::min(2 * worker.left_out_for, kLeftOutMost);
  worker.left_out_until = (now + worker.left_out_for).count();
  ++times_left_out_;
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
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

void Parallel::Work(size_t number, Worker& worker) {
  uint32_t seen = 0;
  nanoseconds sat_out_until = 0ns;
  while (true) {
    for (int spins = 0; loops_ == seen && spins < kSpins; ++spins) Pause();
    if (loops_ == seen) {
      ++sleeping_;
      loops_.wait(seen);
      --sleeping_;
    }
    seen = loops_;
    if (stop_) return;
    const nanoseconds until(worker.left_out_until.load());
    if (until != sat_out_until) {
      sat_out_until = until;
      SitOut(worker);
      continue;
    }
    worker.inside = 1;
    if (open_) TakeRanges(number);
    worker.inside = 0;
    worker.inside.notify_one();
  }
}

void Parallel::SitOut(const Worker& worker) {
  const std::chrono::steady_clock::time_point until{nanoseconds(worker.left_out_until.load())};
  std::unique_lock<std::mutex> lock(mutex_);
  stopped_.wait_until(lock, until, [this] { return stop_.load(); });
}

}  // namespace thicket
