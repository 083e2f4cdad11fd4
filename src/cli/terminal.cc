#include "cli/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/memory.h"
#include "base/text.h"

namespace thicket {

namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);

constexpr char kEraseLine[] = "\r\x1b[K";

struct Signalled {
  std::atomic<Progress*> progress = nullptr;
  std::atomic<Backstop*> backstop = nullptr;
};
Signalled signalled;

void OnSignal(int signal) {
  const int error = errno;
  if (Progress* progress = signalled.progress.load()) progress->Cancel();
  if (Backstop* backstop = signalled.backstop.load()) backstop->Arm();
  std::signal(signal, SIG_DFL);
  errno = error;
}

std::string TimeText(double seconds) {
  const auto whole = static_cast<uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace

TerminalProgress::TerminalProgress(bool quiet) : visible_(!quiet && isatty(STDERR_FILENO) != 0) {}

TerminalProgress::~TerminalProgress() { Erase(); }

void TerminalProgress::Begin(std::string_view phase, uint64_t total) {
  phase_ = phase;
  total_ = total;
  done_ = 0;
  start_ = std::chrono::steady_clock::now();
  last_ = start_;
  if (visible_) Draw();
}

void TerminalProgress::Advance(uint64_t steps) {
  done_ += steps;
  if (!visible_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kRedraw) return;
  last_ = now;
  Draw();
}

void TerminalProgress::End() { Erase(); }

void TerminalProgress::Draw() {
  const double seconds = std::chrono::duration<double>(last_ - start_).count();
  const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
  std::string line = fmt::format("{}{}: {}", kEraseLine, phase_, WithCommas(done_));
  if (total_ > 0) {
    line += fmt::format(" of {} ({:.0f} %)", WithCommas(total_),
                        100.0 * static_cast<double>(done_) / static_cast<double>(total_));
  }
  if (rate > 0) line += fmt::format(", {}/s", WithCommas(static_cast<uint64_t>(rate)));
  if (total_ > done_ && rate > 0) {
    line += ", " + TimeText(static_cast<double>(total_ - done_) / rate) + " left";
  }
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

void TerminalProgress::Erase() {
  if (!drawn_) return;
  std::fputs(kEraseLine, stderr);
  std::fflush(stderr);
  drawn_ = false;
}

bool OccupyStandardStreams() {
  // Each is opened the wrong way round. The lowest number that is free is given first, so the order matters.
  for (const auto& [descriptor, flags] :
       {std::pair(STDIN_FILENO, O_WRONLY), std::pair(STDOUT_FILENO, O_RDONLY),
        std::pair(STDERR_FILENO, O_RDONLY)}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    if (open("/dev/null", flags) != descriptor) return false;
  }
  return true;
}

CommandProgress::CommandProgress(bool quiet, uint64_t max_memory)
    : TerminalProgress(quiet), quiet_(quiet), backstop_(visible() ? kEraseLine : "") {
  set_max_memory(max_memory > 0 ? max_memory : AvailableMemory());
  // umask(2) can only be read by setting it; for that moment it is the strictest.
  const mode_t mask = umask(077);
  umask(mask);
  set_file_mask(mask);
  signalled.backstop = &backstop_;
  signalled.progress = this;
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  // A reader that goes away and a file-size limit are errors of a write, not ends of the program.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

CommandProgress::~CommandProgress() {
  signalled.progress = nullptr;
  signalled.backstop = nullptr;
}

void CommandProgress::PrintOwnWarnings() {
  End();
  PrintWarnings(warnings(), quiet_);
}

uint64_t PeakMemory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

int Complain(const Error& error, bool show_values) {
  std::string text = "thicket: " + error.message + "\n";
  if (!error.hint.empty()) text += "  " + error.hint + "\n";
  if (show_values && !error.value.empty()) text += "  the value is: " + error.value + "\n";
  std::fputs(text.c_str(), stderr);
  return static_cast<int>(error.code);
}

void PrintWarnings(const std::vector<std::string>& warnings, bool quiet) {
  if (quiet) return;
  for (const std::string& warning : warnings) {
    std::fputs(("thicket: warning: " + warning + "\n").c_str(), stderr);
  }
}

Status Print(std::string_view text, const std::string& done) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    return Error{ErrorCode::kIo, fmt::format("standard output: {}", std::strerror(errno)), done,
                 ""};
  }
  return {};
}

}  // namespace thicket
