// What a second thread is worth, on a machine that is idle and on one that is not.
//
//   build/bench_neighbours [N]     N students (2,500), CToff-LSAP, k = l = 3: alone, and beside two processes that do
//                                  nothing but take processor time
//
// All runs take turns, five times, so that whatever else the machine does falls on all of them; medians are shown. Beside
// others, two threads must not be slower than one, nor use much more of the machine for the same work.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/processors.h"
#include "base/text.h"
#include "engine/content.h"
#include "generate/generate.h"
#include "io/file/source.h"
#include "measure.h"
#include "whole_runs.h"

namespace thicket {
namespace {

namespace fs = std::filesystem;

constexpr int kRounds = 5;

// Processes that take processor time for as long as the object lives.
class Neighbours {
 public:
  explicit Neighbours(int count) {
    for (int i = 0; i < count; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (std::atomic<uint64_t> n = 0;;) n.fetch_add(1, std::memory_order_relaxed);
      }
      if (child > 0) children_.push_back(child);
    }
  }
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;
  ~Neighbours() {
    for (const pid_t child : children_) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }

 private:
  std::vector<pid_t> children_;
};

double ProcessorSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double MedianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Times {
  std::vector<double> seconds;
  std::vector<double> processor_seconds;
};

void Run(uint64_t count, const fs::path& folder) {
  Progress progress;
  MustDo(Generate("students", count, 1, folder.string(), progress));
  const std::string text = Must(ReadAll((folder / "policy.yaml").string()));
  WriteText(folder / "off.yaml", Replaced(text, "mapping: lsap", "mapping: lsap\n  passes: off"));
  const LoadedPolicy policy = Must(LoadPolicy((folder / "off.yaml").string()));
  std::map<std::pair<int, int>, Times> times;  // by processes beside and threads
  for (int round = 0; round < kRounds; ++round) {
    for (const int beside : {0, 2}) {
      const Neighbours neighbours(beside);
      std::vector<Measured> runs;
      for (const int threads : {1, 2}) {
        const double before = ProcessorSeconds();
        runs.push_back(Anonymize(policy, folder, threads, false));
        Times& row = times[{beside, threads}];
        row.seconds.push_back(runs.back().seconds);
        row.processor_seconds.push_back(ProcessorSeconds() - before);
      }
      Compare("1 and 2 threads", runs[0], runs[1]);
    }
  }
  fmt::print("{} students, CToff-LSAP, k = l = 3, on {} processors\n\n", WithCommas(count),
             UsableProcessors());
  fmt::print("| busy processes beside | threads | seconds | processor seconds |\n");
  fmt::print("| --- | --- | --- | --- |\n");
  for (const auto& [key, row] : times) {
    fmt::print("| {} | {} | {:.2f} | {:.2f} |\n", key.first, key.second, MedianOf(row.seconds),
               MedianOf(row.processor_seconds));
  }
}

}  // namespace
}  // namespace thicket

int main(int argc, char** argv) {
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2500;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("thicket-bench-{}", getpid());
  thicket::Run(count, folder);
  std::filesystem::remove_all(folder);
  return thicket::bench_failed ? 1 : 0;
}
