// What the benchmark programs share: results or the end of the program, time, and memory in a process of its own.
#pragma once

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>

#include "base/result.h"

namespace thicket {

// Unwraps a result or ends the program: a benchmark has nothing to recover.
template <typename T>
T Must(Result<T> result) {
  if (!result.ok()) {
    fmt::print(stderr, "bench: {}\n", result.error().message);
    std::exit(1);
  }
  return std::move(*result);
}

inline void MustDo(const Status& status) {
  if (status.ok()) return;
  fmt::print(stderr, "bench: {}\n", status.error().message);
  std::exit(1);
}

inline double SecondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The peak memory of `work` in a process of its own, in bytes; 0 if it failed.
inline uint64_t PeakOf(const std::function<void()>& work) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    work();
    std::fflush(stdout);
    std::_Exit(0);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return status == 0 ? static_cast<uint64_t>(usage.ru_maxrss) * 1024 : 0;
}

}  // namespace thicket
