// How deep loops notice that the user wants to stop, without a Progress in every signature.
//
// Functions of the engine hand their Progress to Stoppable(), which makes it the one that this thread, and the threads of
// a Parallel that it uses, ask at every StopPoint(). Once the progress is cancelled, the next StopPoint() unwinds to
// Stoppable(), which returns Interrupted(); what was begun is undone by destructors on the way.
//
//   Result<VerifyReport> VerifyFile(..., Progress& progress) {
//     return Stoppable(progress, [&] { return VerifyNow(..., progress); });
//   }
//   for (const Record& record : records) {
//     StopPoint();        // a nanosecond; where no Stoppable() is around, it never stops
//     ...
//   }
//
// A loop needs a StopPoint() where a round, or a few thousand of them, may take longer than a tenth of a second. It must
// not stand where an exception cannot pass: in callbacks of C libraries, in destructors, and after what is published has
// its name. UnstoppableScope marks the last of these.
#pragma once

#include <atomic>

#include "base/progress.h"
#include "base/result.h"

namespace thicket {

// Thrown by StopPoint() and caught by Stoppable() only; no std::exception, so that nothing between takes it for an error.
struct StopRequest {};

// Thrown where the work cannot go on and no Error can be returned: random numbers that end in the middle of a shuffle. Caught by
// Supervised() (base/supervised.h), which returns the error.
struct WorkFailure {
  Error error;
};

// What StopPoint() asks on this thread; null: nobody.
inline constinit thread_local const std::atomic<bool>* stop_flag = nullptr;

inline bool StopRequested() {
  return stop_flag != nullptr && stop_flag->load(std::memory_order_relaxed);
}

inline void StopPoint() {
  if (StopRequested()) [[unlikely]] {
    throw StopRequest();
  }
}

// Lets this thread ask another flag for as long as the object lives.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* flag) : before_(stop_flag) { stop_flag = flag; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope() { stop_flag = before_; }

 private:
  const std::atomic<bool>* before_;
};

// What begins here is finished, whatever the user wants meanwhile.
class UnstoppableScope : public StopScope {
 public:
  UnstoppableScope() : StopScope(nullptr) {}
};

// Calls `work`, which returns a Result; Interrupted() if a StopPoint() inside it saw the progress cancelled.
template <typename Work>
auto Stoppable(const Progress& progress, const Work& work) -> decltype(work()) {
  const StopScope scope(&progress.flag());
  try {
    return work();
  } catch (const StopRequest&) {
    return Interrupted();
  }
}

}  // namespace thicket
