// The best cut of a table, proven: time, memory and cuts looked at.
//
//   build/bench_tables [N]            of the census (45,222 rows) every scheme and metric, l = 2..6; of N rows (1,000,000) l = 4
//   build/bench_tables million [N]    l = 4 only
//
// With the Adult data set at hand ($THICKET_DATA, or ../shared/data) the same of its 45,222 rows under the census's
// taxonomies, and k = 5 over nine attributes under its own. Runs on one thread and on two must give the same bytes, and
// the best cuts of 45,222 rows and fewer must be proven, or the program says so and fails. Of N rows a search ends after two
// minutes, with what it has found; the last table has their times beside those of the 45,222 rows of the same run, without reading.
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

// What a run took beside reading, in seconds.
double Row(const std::string& name, const LoadedPolicy& policy, const fs::path& directory, int l,
           const Setting& setting) {
  const fs::path seconds = directory / "seconds";
  const uint64_t peak = PeakOf([&] {
    const Measured run = Anonymize(policy, directory, 2, false);
    WriteText(seconds, fmt::format("{}", run.seconds - run.report.seconds.read));
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
  return peak == 0 ? 0 : std::stod(Must(ReadAll(seconds.string())));
}

int Main(size_t most, bool only_four) {
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
  const std::string input =
      has_adult ? fs::absolute(adult / "adult_45222.csv").string() : std::string();
  // By setting, at l = 4.
  std::vector<double> of_adult;
  for (const int l : {2, 3, 4, 5, 6}) {
    if (only_four && l != 4) continue;
    for (const Setting& setting : Settings()) {
      const double seconds = Row(has_adult ? "Adult" : "census",
                                 PolicyWith(census, input, l, setting), census, l, setting);
      if (l == 4) of_adult.push_back(seconds);
    }
  }
  if (has_adult && !only_four) {
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
  std::vector<double> of_most;
  std::vector<Setting> settings = Settings();
  for (Setting& setting : settings) {
    setting.must_be_proven = false;
    of_most.push_back(Row(fmt::format("census-variants, {}", most),
                          PolicyWith(variants, "", 4, setting), variants, 4, setting));
  }
  fmt::print("\n| metric | suppression | {} | {} rows | times |\n| --- | --- | --- | --- | --- |\n",
             has_adult ? "Adult" : "census", most);
  for (size_t i = 0; i < settings.size(); ++i) {
    fmt::print("| {} | {} | {:.2f} s | {:.1f} s | {:.0f} |\n", settings[i].metric,
               settings[i].suppression, of_adult[i], of_most[i], of_most[i] / of_adult[i]);
  }
  fs::remove_all(directory);
  return bench_failed ? 1 : 0;
}

}  // namespace
}  // namespace thicket

int main(int argc, char** argv) {
  const bool only_four = argc > 1 && std::string(argv[1]) == "million";
  const int place = only_four ? 2 : 1;
  const long most = argc > place ? std::atol(argv[place]) : 1'000'000;
  return thicket::Main(most > 0 ? static_cast<size_t>(most) : 1'000'000, only_four);
}
