#include "experiment/liu_set_experiments.h"

#include <string>
#include <utility>

namespace thicket {

namespace {

constexpr auto kNcp = Measure::kNcp;
constexpr auto kTime = Measure::kSeconds;

// The thesis has 515,597 records; fewer here, so that each takes about a minute.
constexpr uint64_t kRecords = 20'000;
constexpr uint64_t kMostRecords = 100'000;
// The thesis's baselines look at millions of itemsets.
constexpr uint64_t kFewRecords = 2'000;
// So long a search may take, in seconds; a dash stands for one that takes longer.
constexpr double kPatience = 20;

ExperimentMethod Search(std::string name, std::string method_name, int group = 0) {
  MethodPolicy method;
  method.name = std::move(method_name);
  method.limit_s = kPatience;
  ExperimentMethod found{std::move(name), method};
  found.group = group;
  return found;
}

std::vector<ExperimentMethod> AllMethods() {
  return {Search("OG", "og"), Search("mOG", "mog"), Search("AA", "aa"), Search("MM", "mm"),
          Search("LG", "lg")};
}

Sweep Sets(Sweep::Over over, std::vector<double> values, int m, int n) {
  Sweep sweep{over, std::move(values)};
  sweep.of_sets = true;
  sweep.k = 5;
  sweep.m = m;
  sweep.n = n;
  return sweep;
}

Sweep ByK(int m, int n) { return Sets(Sweep::Over::kK, {5, 10, 25, 50}, m, n); }

// Fig. 4.4.
Experiment Loss() {
  return {"liu-sets-loss",
          "Liu 2010, Fig. 4.4: NCP of sets by k and m, beside the rivals",
          "baskets",
          AllMethods(),
          {ByK(3, 0), Sets(Sweep::Over::kM, {1, 2, 3, 4, 5}, 0, 0)},
          {kNcp},
          {{{"OG"}, kNcp, "least of all", {}},
           {{"mOG"}, kNcp, "almost as OG", {}},
           {{"AA"}, kNcp, "OG is 1/4 to 1/2 below", PaperResult::Range{4.0 / 3, 2, "OG"}},
           {{"LG"}, kNcp, "above AA", {}},
           {{"MM"}, kNcp, "the highest from m = 2 on", {}}}};
}

// Fig. 4.5: m = n.
Experiment Mining() {
  return {"liu-sets-mining",
          "Liu 2010, Fig. 4.5: frequent patterns of sets by k and m",
          "baskets",
          {Search("mOG", "mog"), Search("LG", "lg")},
          {ByK(3, 3), Sets(Sweep::Over::kMn, {1, 2, 3, 5, 10}, 0, 0)},
          {Measure::kPatterns, Measure::kError},
          {{{"mOG"}, Measure::kPatterns, "many more than LG", {}},
           {{"mOG"}, Measure::kError, "0", PaperResult::Range{0, 0, ""}},
           {{"LG"}, Measure::kError, "around 0.4", {}}}};
}

// Fig. 4.6: m = n = 3, l = 5 and 60 sensitive items, where they do not change.
Experiment General() {
  std::vector<Sweep> sweeps = {Sets(Sweep::Over::kMn, {1, 3, 10, 30}, 0, 0),
                               Sets(Sweep::Over::kSecrets, {20, 60, 100}, 3, 3),
                               Sets(Sweep::Over::kL, {3, 5, 10, 20}, 3, 3)};
  for (Sweep& sweep : sweeps) {
    if (sweep.over != Sweep::Over::kL) sweep.l = 5;
    if (sweep.over != Sweep::Over::kSecrets) sweep.secrets = 60;
  }
  return {"liu-sets-general",
          "Liu 2010, Fig. 4.6: NCP of sets with sensitive items by m = n, items and l",
          "baskets",
          {Search("mOG", "mog")},
          std::move(sweeps),
          {kNcp},
          {{{"mOG"}, kNcp, "at most 0.07", PaperResult::Range{0, 0.07, ""}}}};
}

// Fig. 4.7 and 4.8.
Experiment Time() {
  std::vector<ExperimentMethod> methods = AllMethods();
  methods.push_back(Search("OG by size", "og", 1));
  methods.push_back(Search("mOG by size", "mog", 1));
  Sweep sizes = Sets(Sweep::Over::kSize, {0.1, 0.25, 0.5, 1}, 3, 0);
  sizes.log_x = true;
  sizes.group = 1;
  Sweep by_k = ByK(3, 0);
  Sweep by_m = Sets(Sweep::Over::kM, {1, 2, 3, 4, 5}, 0, 0);
  return {"liu-sets-time",
          "Liu 2010, Fig. 4.7 and 4.8: time on sets by k, m and size",
          "baskets",
          std::move(methods),
          {std::move(by_k), std::move(by_m), std::move(sizes)},
          {kTime},
          {{{"LG"}, kTime, "the least", {}},
           {{"OG"}, kTime, "2 to 4 times as fast as AA", {}},
           {{"OG by size", "mOG by size"}, kTime, "nearly linear", {}}}};
}

ExperimentMethod Partly(std::string name, OgOptions options, std::string method_name = "og") {
  ExperimentMethod method = Search(std::move(name), std::move(method_name));
  options.thesis = true;
  method.set_partial = options;
  return method;
}

// Tables 4.4 and 4.5. Their first rows are the thesis's baselines.
Experiment Pruning() {
  const auto prunings = [](bool global, bool local, bool generic, bool locked) {
    OgOptions options;
    options.prunings = {global, local, generic, locked};
    return options;
  };
  const auto phase2 = [](bool by_cost, bool by_weight, bool tighten, bool reduce) {
    OgOptions options;
    options.by_cost = by_cost;
    options.by_weight = by_weight;
    options.tighten = tighten;
    options.reduce = reduce;
    return options;
  };
  return {"liu-sets-pruning",
          "Liu 2010, Tables 4.4 and 4.5: threats, itemsets and cuts by technique",
          "baskets",
          {Partly("no pruning", prunings(false, false, false, false)),
           Partly("I (global)", prunings(true, false, false, false)),
           Partly("II (local)", prunings(false, true, false, false)),
           Partly("III (generic)", prunings(false, false, true, false)),
           Partly("I to III", prunings(true, true, true, false)),
           Partly("IV (locked)", prunings(false, false, false, true)),
           Partly("all prunings (OG)", {}), Partly("all prunings in rounds (mOG)", {}, "mog"),
           Partly("cuts: validity only", phase2(false, false, false, false)),
           Partly("cuts: I (cost)", phase2(true, false, false, false)),
           Partly("cuts: I and II (order)", phase2(true, true, false, false)),
           Partly("cuts: I to III (bounds)", phase2(true, true, true, false)),
           Partly("cuts: IV (reduction)", phase2(false, false, false, true)),
           Search("OG as it is here", "og")},
          {Sets(Sweep::Over::kK, {5, 25}, 3, 0)},
          {Measure::kThreats, Measure::kItemsets, Measure::kCutCount, kTime},
          {{{"I (global)"}, Measure::kThreats, "25 % of no pruning", {}},
           {{"IV (locked)"}, Measure::kThreats, "1.5 %", {}},
           {{"all prunings (OG)"}, Measure::kThreats, "0.9 %", {}},
           {{"all prunings (OG)"}, Measure::kItemsets, "7 % of no pruning", {}},
           {{"all prunings (OG)"}, Measure::kCutCount, "0.4 % of validity only", {}}}};
}

}  // namespace

std::vector<Experiment> LiuSetExperiments() {
  std::vector<Experiment> experiments = {Loss(), Mining(), General(), Time(), Pruning()};
  for (Experiment& experiment : experiments) {
    experiment.records = kRecords;
    experiment.takes_policy = true;
  }
  experiments[3].records = kMostRecords;
  experiments[4].records = kFewRecords;
  return experiments;
}

}  // namespace thicket
