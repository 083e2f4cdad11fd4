// What the command says to people: messages, warnings, the progress line; and how it hears Ctrl-C.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "base/stop.h"
#include "cli/backstop.h"

namespace thicket {

// A line on a terminal's standard error with share, rate and time left, redrawn in place; silent in a pipe or when quiet.
class TerminalProgress : public Progress {
 public:
  explicit TerminalProgress(bool quiet);
  ~TerminalProgress() override;

  void Begin(std::string_view phase, uint64_t total) override;
  void Advance(uint64_t steps) override;
  void End() override;

 protected:
  bool visible() const { return visible_; }

 private:
  void Draw();
  void Erase();

  bool visible_;
  bool drawn_ = false;
  std::string phase_;
  uint64_t total_ = 0;
  uint64_t done_ = 0;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

// Opens what of standard input, output and error is closed, so that no file that is opened later is taken for one of them.
// Reading and writing them still fails. False if that cannot be done.
bool OccupyStandardStreams();

// The progress of a whole command. Ctrl-C and SIGTERM cancel it; a second one ends the program at once. All that this
// thread does while it lives stops at the next StopPoint() after that (base/stop.h), which main() turns into a message.
// What does not stop by itself is ended by a Backstop.
class CommandProgress final : public TerminalProgress {
 public:
  // `max_memory`: what may be held while reading; 0: what the machine or container has.
  explicit CommandProgress(bool quiet, uint64_t max_memory = 0);
  ~CommandProgress() override;

  // Hands on what the library returned. An error comes without a report, so what was noticed before it is printed here.
  template <typename ResultType>
  ResultType WithWarnings(ResultType result) {
    if (!result.ok()) PrintOwnWarnings();
    return result;
  }

 private:
  void PrintOwnWarnings();

  bool quiet_;
  StopScope scope_{&flag()};
  Backstop backstop_;
};

// The most memory that the program has had so far, in bytes.
uint64_t PeakMemory();

// Prints "thicket: message" and the hint to standard error; returns the exit status.
int Complain(const Error& error, bool show_values);

void PrintWarnings(const std::vector<std::string>& warnings, bool quiet);

// To standard output; an error if that fails, as on a full disk or a closed pipe. `done` is what was done all the same:
// "out.jsonl is published".
Status Print(std::string_view text, const std::string& done = "");

}  // namespace thicket
