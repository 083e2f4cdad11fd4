// Ends the program when it was told to stop and has not done so after a second and a half.
//
// Work notices a cancelled Progress within a fifth of a second, as a rule. This is for the exceptions: a system call that
// does not return, a library that asks nobody, gigabytes that have to be freed. What the program was writing is removed
// first, so that the end is as clean as the usual one; where something has its final name already, nothing is done.
//
//   Backstop backstop;
//   ... backstop.Arm() in the signal handler ...
#pragma once

#include <semaphore.h>

#include <atomic>
#include <string>
#include <thread>

namespace thicket {

class Backstop {
 public:
  // `before_message` is printed to standard error before the message, to clear a line of progress.
  explicit Backstop(std::string before_message);
  Backstop(const Backstop&) = delete;
  Backstop& operator=(const Backstop&) = delete;
  // The work has ended by itself.
  ~Backstop();

  // Safe from a signal handler.
  void Arm() { sem_post(&wake_); }

 private:
  void Watch();

  std::string before_message_;
  sem_t wake_;
  std::atomic<bool> ended_ = false;
  // None where the system gives none: then the program ends as fast as it can.
  std::thread watcher_;
};

}  // namespace thicket
