// The best cut of sets, proven: time, memory, threats and cuts looked at.
//
//   build/bench_sets [N]        N baskets like those of POS (515,597), whole runs
//
// With WebView-1 at hand (transactions/bms_webview1.dat in $THICKET_DATA, or ../shared/data) the same of its 59,601
// sets under contiguous taxonomies of fan-out 15 and 4 over its sorted items. Runs on one thread and on two must give
// the same bytes, cuts of `og` must be proven, and of WebView-1 not be above what `gcs` finds, or the program says so
// and fails.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "adult.h"
#include "generate/generate.h"
#include "whole_runs.h"

namespace thicket {
namespace {

namespace fs = std::filesystem;

struct Setting {
  // As in a policy.
  std::string method;
  int k;
  int m;
  int n;
  // What another method reaches, where that is known.
  std::optional<double> most_ncp = std::nullopt;
  bool must_be_proven = true;
};

LoadedPolicy PolicyWith(const fs::path& directory, const fs::path& input, const fs::path& taxonomy,
                        const Setting& setting) {
  const fs::path path = directory / "sets.yaml";
  WriteText(path, fmt::format("version: 1\n"
                              "input: {{format: transactions, path: \"{}\"}}\n"
                              "record:\n"
                              "  class: basket\n"
                              "  children:\n"
                              "    - class: item\n"
                              "      at: items\n"
                              "      quasi:\n"
                              "        item: {{taxonomy: \"{}\"}}\n"
                              "privacy: {{model: \"KL(m,n)-privacy\", k: {}, m: {}, n: {}}}\n"
                              "method: {}\n",
                              fs::absolute(input).string(), fs::absolute(taxonomy).string(),
                              setting.k, setting.m, setting.n, setting.method));
  return Must(LoadPolicy(path.string()));
}

// Groups of neighbours among the sorted items, and groups of groups.
fs::path ContiguousTaxonomy(const fs::path& directory, const fs::path& input, size_t fanout) {
  const std::string text = Must(ReadAll(input.string()));
  std::set<unsigned long> items;
  const char* at = text.c_str();
  char* end = nullptr;
  for (unsigned long item = std::strtoul(at, &end, 10); end != at;
       item = std::strtoul(at, &end, 10)) {
    items.insert(item);
    at = end;
  }
  std::string rows;
  size_t place = 0;
  for (const unsigned long item : items) {
    rows += std::to_string(item);
    size_t size = items.size();
    size_t group = place++;
    for (size_t level = 1; size > fanout; ++level) {
      size = (size + fanout - 1) / fanout;
      group /= fanout;
      rows += fmt::format(";level {} group {}", level, group);
    }
    rows += ";*\n";
  }
  const fs::path path = directory / fmt::format("fanout-{}.csv", fanout);
  WriteText(path, rows);
  return path;
}

void Row(const std::string& name, const LoadedPolicy& policy, const fs::path& directory,
         const Setting& setting) {
  const uint64_t peak = PeakOf([&] {
    const Measured run = Anonymize(policy, directory, 2, false);
    const Report::Sets& sets = *run.report.sets;
    const std::string kind = run.report.cut->proof ? run.report.cut->proof->kind : "none";
    fmt::print("| {} | {} | {} | {} | {} | {:.2f} | {:.2f} | {} | {:.4f} | {} | {} | {} ", name,
               setting.method, setting.k, setting.m, setting.n, run.seconds,
               run.report.seconds.anonymize, kind, sets.ncp, sets.threats, sets.itemsets,
               run.report.search.candidates);
    const bool is_unproven = setting.must_be_proven && kind != "optimal";
    const bool is_above = setting.most_ncp && sets.ncp > *setting.most_ncp + 0.00005;
    if (!is_unproven && !is_above) return;
    fmt::print("{} ", is_unproven ? "NOT PROVEN" : "NOT THE BEST");
    std::fflush(stdout);
    std::_Exit(1);
  });
  if (peak == 0) bench_failed = true;
  fmt::print("| {:.0f} MB |\n", static_cast<double>(peak) / 1e6);
  std::fflush(stdout);
}

int Main(size_t most) {
  const fs::path directory = fs::temp_directory_path() / fmt::format("thicket-bench-{}", getpid());
  const fs::path baskets = directory / "baskets";
  fs::create_directories(baskets);
  Progress progress;
  MustDo(Generate("baskets", most, 1, baskets.string(), progress));
  const fs::path input = baskets / "baskets.txt";
  const fs::path taxonomy = baskets / "taxonomies" / "item.csv";
  fmt::print("| sets | method | k | m | n | seconds | of them the search | proof | NCP | threats ");
  fmt::print("| itemsets | cuts | peak |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  const fs::path real = RealData() / "transactions" / "bms_webview1.dat";
  if (fs::exists(real)) {
    for (const size_t fanout : {15, 4}) {
      const fs::path contiguous = ContiguousTaxonomy(directory, real, fanout);
      const bool is_fine = fanout == 4;
      const auto known = [&](double ncp) { return is_fine ? std::optional(ncp) : std::nullopt; };
      for (const Setting& setting : std::vector<Setting>{{"{name: og}", 5, 3, 0, known(0.1522)},
                                                         {"{name: og}", 5, 2, 0, known(0.0747)},
                                                         {"{name: og}", 25, 3, 0, known(0.1648)},
                                                         {"{name: og}", 5, 10, 10, {}},
                                                         {"{name: mog}", 5, 10, 10, {}, false}}) {
        Row(fmt::format("WebView-1, fan-out {}", fanout),
            PolicyWith(directory, real, contiguous, setting), directory, setting);
      }
    }
  }
  const Setting first{"{name: og}", 5, 3, 0, {}};
  const LoadedPolicy policy = PolicyWith(directory, input, taxonomy, first);
  Compare("1 and 2 threads", Anonymize(policy, directory, 1, false),
          Anonymize(policy, directory, 2, false));
  for (const Setting& setting :
       std::vector<Setting>{first, {"{name: mog}", 5, 10, 10, {}, false}}) {
    Row(fmt::format("baskets, {}", most), PolicyWith(directory, input, taxonomy, setting),
        directory, setting);
  }
  fs::remove_all(directory);
  return bench_failed ? 1 : 0;
}

}  // namespace
}  // namespace thicket

int main(int argc, char** argv) {
  const long most = argc > 1 ? std::atol(argv[1]) : 515'597;
  return thicket::Main(most > 0 ? static_cast<size_t>(most) : 515'597);
}
