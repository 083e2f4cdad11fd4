#include "cli/backstop.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <new>
#include <system_error>
#include <utility>

#include "base/progress.h"
#include "cli/terminal.h"
#include "io/file/remove_temporaries.h"

namespace thicket {

namespace {

constexpr long kPatienceNs = 1'500'000'000;
constexpr long kNsPerSecond = 1'000'000'000;

timespec PatienceFromNow() {
  timespec end{};
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec += kPatienceNs;
  end.tv_sec += end.tv_nsec / kNsPerSecond;
  end.tv_nsec %= kNsPerSecond;
  return end;
}

}  // namespace

Backstop::Backstop(std::string before_message) : before_message_(std::move(before_message)) {
  sem_init(&wake_, 0, 0);
  // Signals are for the thread that works: its system calls may have to be interrupted.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    watcher_ = std::thread([this] { Watch(); });
  } catch (const std::system_error&) {
    // No thread is left: signals are still heard, at the next StopPoint().
  } catch (const std::bad_alloc&) {
    // As above.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Backstop::~Backstop() {
  ended_ = true;
  sem_post(&wake_);
  if (watcher_.joinable()) watcher_.join();
  sem_destroy(&wake_);
}

void Backstop::Watch() {
  while (sem_wait(&wake_) != 0 && errno == EINTR) {
  }
  if (ended_) return;
  const timespec end = PatienceFromNow();
  int woken = 0;
  do {
    woken = sem_timedwait(&wake_, &end);
  } while (woken != 0 && errno == EINTR);
  // Woken before the end of patience: the work has ended, or the user insists.
  if (ended_ || !RemoveTemporaries()) return;
  const Error error = Interrupted();
  std::fputs(before_message_.c_str(), stderr);
  _exit(Complain(error, /*show_values=*/false));
}

}  // namespace thicket
