// k^(m,n)-anonymity of generated customers: time, memory and loss of whole runs.
//
//   build/bench_cuts [N]      sizes N/10, N/4 and N (1,000,000), by our cost and the paper's; and k, m and n at N/4
//
// Runs on one thread and on two, and at N/50 one that does without bounds and memory, must give the same bytes, or the
// program says so and fails.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "generate/generate.h"
#include "whole_runs.h"

namespace thicket {
namespace {

namespace fs = std::filesystem;

struct Setting {
  int k = 20;
  int m = 3;
  int n = 2;
  std::string cost = "lm";
};

LoadedPolicy PolicyWith(const fs::path& directory, const Setting& setting) {
  std::string text = Must(ReadAll((directory / "policy.yaml").string()));
  text = Replaced(text, "k: 20", fmt::format("k: {}", setting.k));
  text = Replaced(text, "m: 3", fmt::format("m: {}", setting.m));
  text = Replaced(text, "n: 2", fmt::format("n: {}", setting.n));
  text = Replaced(text, "g: 2", "g: 2\n  cost: " + setting.cost);
  const fs::path path = directory / "changed.yaml";
  WriteText(path, text);
  return Must(LoadPolicy(path.string()));
}

void Row(const fs::path& directory, size_t records, const Setting& setting, int threads) {
  const LoadedPolicy policy = PolicyWith(directory, setting);
  const uint64_t peak = PeakOf([&] {
    const Measured run = Anonymize(policy, directory, threads, false);
    size_t labels = 0;
    for (const auto& attribute : run.report.cut->attributes) labels += attribute.labels.size();
    fmt::print("| {} | {} | {} | {} | {} | {} | {:.1f} s | {} | {:.3f} ", records, setting.k,
               setting.m, setting.n, setting.cost, threads, run.seconds, labels,
               run.report.utility.lm);
  });
  if (peak == 0) bench_failed = true;
  fmt::print("| {:.0f} MB |\n", static_cast<double>(peak) / 1e6);
  std::fflush(stdout);
}

int Main(size_t most) {
  const fs::path directory = fs::temp_directory_path() / fmt::format("thicket-bench-{}", getpid());
  Progress progress;
  const auto customers = [&](size_t records) {
    const fs::path path = directory / std::to_string(records);
    fs::create_directories(path);
    MustDo(Generate("customers", records, 1, path.string(), progress));
    return path;
  };

  const fs::path few = customers(most / 50);
  const LoadedPolicy policy = PolicyWith(few, {});
  const Measured two = Anonymize(policy, few, 2, false);
  const Measured one = Anonymize(policy, few, 1, false);
  const Measured plain = Anonymize(policy, few, 1, true);
  Compare("1 and 2 threads", one, two);
  Compare("with and without bounds and memory", one, plain);
  fmt::print("{} customers, GCS, k = 20, m = 3, n = 2: {:.2f} s on 2 threads, {:.2f} s on 1, ",
             most / 50, two.seconds, one.seconds);
  fmt::print("{:.2f} s from scratch\n\n", plain.seconds);

  fmt::print("| records | k | m | n | cost | threads | seconds | labels | LM | peak |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const size_t records : {most / 10, most / 4, most}) {
    const fs::path path = customers(records);
    Row(path, records, {}, 2);
    Row(path, records, {.cost = "rpd"}, 2);
    if (records == most / 4) {
      Row(path, records, {}, 1);
      for (const int k : {5, 100, 300}) Row(path, records, {k, 3, 2}, 2);
      for (const int m : {2, 4, 5, 6}) Row(path, records, {20, m, m == 2 ? 1 : 2}, 2);
      for (const int n : {0, 1, 3}) Row(path, records, {20, 3, n}, 2);
    }
    fs::remove_all(path);
  }
  fs::remove_all(directory);
  return bench_failed ? 1 : 0;
}

}  // namespace
}  // namespace thicket

int main(int argc, char** argv) {
  return thicket::Main(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000000);
}
