// The best cut of a table, proven: time, memory and cuts looked at.
//
//   build/bench_tables [N]      of the census (45,222 rows) every scheme and metric; of N rows (1,000,000) some of them
//
// With the Adult data set at hand ($THICKET_DATA, or ../shared/data) the same of its 45,222 rows under the census's
// taxonomies, and k = 5 over nine attributes under its own. Runs on one thread and on two must give the same bytes, and
// the best cuts of 45,222 rows and fewer must be proven, or the program says so and fails. Of N rows a search ends after two
// minutes, with what it has found.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "adult.h"
#include "generate/generate.h"
#include "whole_runs.h"

namespace thicket {
namespace {

namespace fs = std::filesystem;

struct Setting {
  std::string metric;
  std::string suppression;
  // Otherwise the search may end after two minutes.
  bool must_be_proven = true;
};

std::vector<Setting> Settings() {
  std::vector<Setting> settings;
  for (const char* scheme :
       {"none", "all-records", "all-values", "violating-values", "violating-records"}) {
    settings.push_back({"lm", scheme});
  }
  for (const char* metric : {"dm", "cm"}) {
    for (const char* scheme : {"none", "all-records", "violating-records"}) {
      settings.push_back({metric, scheme});
    }
  }
  return settings;
}

LoadedPolicy PolicyWith(const fs::path& directory, const std::string& input, int l,
                        const Setting& setting) {
  std::string text = Must(ReadAll((directory / "policy.yaml").string()));
  if (!input.empty()) {
    const size_t path = text.find("path: ");
    text.replace(path, text.find('\n', path) - path, fmt::format("path: \"{}\"", input));
  }
  text = Replaced(text, "theta: 0.25", fmt::format("l: {}", l));
  text =
      Replaced(text, "suppression: violating-records",
               fmt::format("suppression: {}\n  metric: {}{}{}", setting.suppression, setting.metric,
                           setting.metric == "cm" ? "\n  class: salary-class" : "",
                           setting.must_be_proven ? "" : "\n  limit_s: 120"));
  const fs::path changed = directory / "changed.yaml";
  WriteText(changed, text);
  return Must(LoadPolicy(changed.string()));
}

void Row(const std::string& name, const LoadedPolicy& policy, const fs::path& directory, int l,
         const Setting& setting) {
  const uint64_t peak = PeakOf([&] {
    const Measured run = Anonymize(policy, directory, 2, false);
    const Report::Cut& cut = *run.report.cut;
    fmt::print("| {} | {} | {} | {} | {:.2f} | {:.2f} | {} | {:.3f} | {:.0f} ", name,
               setting.metric, setting.suppression, l, run.seconds, run.report.seconds.anonymize,
               cut.proof->kind, run.report.utility.lm,
               (1 - cut.proof->pruned) * cut.proof->all_cuts);
    if (!setting.must_be_proven || cut.proof->kind == "optimal") return;
    fmt::print("NOT PROVEN ");
    std::fflush(stdout);
    std::_Exit(1);
  });
  if (peak == 0) bench_failed = true;
  fmt::print("| {:.0f} MB |\n", static_cast<double>(peak) / 1e6);
  std::fflush(stdout);
}

int Main(size_t most) {
  const fs::path directory = fs::temp_directory_path() / fmt::format("thicket-bench-{}", getpid());
  Progress progress;
  const fs::path census = directory / "census";
  fs::create_directories(census);
  MustDo(Generate("census", 45'222, 1, census.string(), progress));

  const LoadedPolicy one_policy = PolicyWith(census, "", 3, {"lm", "all-records"});
  Compare("1 and 2 threads", Anonymize(one_policy, census, 1, false),
          Anonymize(one_policy, census, 2, false));

  fmt::print(
      "| table | metric | suppression | l | seconds | of them the search | proof | LM | cuts ");
  fmt::print("looked at | peak |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  const fs::path adult = RealData() / "adult";
  const bool has_adult = fs::exists(adult / "adult_45222.csv");
  for (const int l : {2, 3, 4, 5, 6}) {
    for (const Setting& setting : Settings()) {
      if (has_adult) {
        const std::string input = fs::absolute(adult / "adult_45222.csv").string();
        Row("Adult", PolicyWith(census, input, l, setting), census, l, setting);
      } else {
        Row("census", PolicyWith(census, "", l, setting), census, l, setting);
      }
    }
  }
  if (has_adult) {
    for (const char* scheme : {"all-records", "violating-records"}) {
      Row("Adult, 9 attributes, k = 5",
          AdultPolicy(adult, census,
                      fmt::format("{{name: lplus, suppression: {}, suppression_cost: 9}}", scheme)),
          census, 1, {"lm", scheme});
    }
  }
  const fs::path variants = directory / "variants";
  fs::create_directories(variants);
  MustDo(Generate("census-variants", most, 1, variants.string(), progress));
  for (const Setting& setting : std::vector<Setting>{{"lm", "none", false},
                                                     {"lm", "violating-records", false},
                                                     {"dm", "violating-records", false}}) {
    Row(fmt::format("census-variants, {}", most), PolicyWith(variants, "", 4, setting), variants, 4,
        setting);
  }
  fs::remove_all(directory);
  return bench_failed ? 1 : 0;
}

}  // namespace
}  // namespace thicket

int main(int argc, char** argv) {
  const long most = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  return thicket::Main(most > 0 ? static_cast<size_t>(most) : 1'000'000);
}
