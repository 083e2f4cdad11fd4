#include "experiment/liu_bag_experiments.h"

#include <string>
#include <utility>

namespace thicket {

namespace {

// The thesis has 383,000 vocabularies; fewer here, so that each takes a minute or two.
constexpr uint64_t kQueries = 400'000;

ExperimentMethod Method(std::string name, std::string method_name, int group = 0) {
  MethodPolicy method;
  method.name = std::move(method_name);
  ExperimentMethod found{std::move(name), method};
  found.group = group;
  return found;
}

std::vector<ExperimentMethod> BothMethods() {
  return {Method("SSG", "ssg"), Method("LG(bag)", "lgbag")};
}

// Section 5.6 keeps a session gap of an hour, k = 5, epsilon = 6 and 1,000 patterns, where it does not sweep over them.
Sweep Bags(Sweep::Over over, std::vector<double> values) {
  Sweep sweep{over, std::move(values)};
  sweep.of_bags = true;
  sweep.k = 5;
  sweep.epsilon = 6;
  sweep.gap_s = 3'600;
  sweep.closed = 1'000;
  return sweep;
}

Sweep ByGap() {
  Sweep sweep =
      Bags(Sweep::Over::kGap, {60, 300, 1'800, 3'600, 28'800, 86'400, 604'800, Sweep::kNoGap});
  sweep.log_x = true;
  return sweep;
}

Sweep ByK() { return Bags(Sweep::Over::kK, {2, 5, 10, 20, 30}); }
Sweep ByEpsilon() { return Bags(Sweep::Over::kEpsilon, {0, 2, 4, 6, 8, 10}); }

// Fig. 5.7 is about the data and what LG(bag) makes of it, 5.8 about what is left.
Experiment Features() {
  Sweep data = ByGap();
  data.group = 1;
  data.measures = {Measure::kBagCount, Measure::kBagSize, Measure::kHeight};
  std::vector<ExperimentMethod> methods = BothMethods();
  methods.push_back(Method("vocabularies, and LG(bag) on them", "lgbag", 1));
  return {"liu-bags-features",
          "Liu 2010, Fig. 5.7 and 5.8: vocabularies, their terms and sizes by gap, k and epsilon",
          "querylog",
          std::move(methods),
          {std::move(data), ByGap(), ByK(), ByEpsilon()},
          {Measure::kDistinctTerms, Measure::kSizeShare},
          {{{"SSG"}, Measure::kDistinctTerms, "46 to 62 by gap, 15 to 86 by k", {}},
           {{"LG(bag)"}, Measure::kDistinctTerms, "3 to 49 by gap, 9 to 58 by k", {}},
           {{"SSG"}, Measure::kSizeShare, "75 to 99 by gap, 75 to 98 by k", {}},
           {{"LG(bag)"}, Measure::kSizeShare, "31 to 94 by gap, 66 to 76 by k", {}}}};
}

// Fig. 5.9.
Experiment Loss() {
  return {"liu-bags-loss",
          "Liu 2010, Fig. 5.9: bLM of bags by gap, k and epsilon",
          "querylog",
          BothMethods(),
          {ByGap(), ByK(), ByEpsilon()},
          {Measure::kBlm},
          {{{"SSG"}, Measure::kBlm, "0.007 to 0.25 by gap, 0.02 to 0.25 by k", {}},
           {{"LG(bag)"}, Measure::kBlm, "0.054 to 0.71 by gap, 0.23 to 0.34 by k", {}}}};
}

// Fig. 5.10.
Experiment Mining() {
  return {"liu-bags-mining",
          "Liu 2010, Fig. 5.10: Recall and sDist by gap, k, epsilon and number of patterns",
          "querylog",
          BothMethods(),
          {ByGap(), ByK(), ByEpsilon(),
           Bags(Sweep::Over::kClosed, {1'000, 2'000, 3'000, 4'000, 5'000})},
          {Measure::kRecall, Measure::kStepDistance},
          {{{"SSG"}, Measure::kRecall, "around 0.8", {}},
           {{"LG(bag)"}, Measure::kRecall, "0.09 to 0.4", {}},
           {{"SSG"}, Measure::kStepDistance, "below 1", {}},
           {{"LG(bag)"}, Measure::kStepDistance, "3 to 4", {}}}};
}

// Fig. 5.11; the thesis matches greedily.
Experiment Time() {
  std::vector<ExperimentMethod> methods = BothMethods();
  methods.push_back(Method("SSG, greedy matching", "ssg"));
  methods.back().method.matching = "greedy";
  return {"liu-bags-time",
          "Liu 2010, Fig. 5.11: time on bags by gap, k and epsilon",
          "querylog",
          std::move(methods),
          {ByGap(), ByK(), ByEpsilon()},
          {Measure::kSeconds},
          {{{"SSG, greedy matching"}, Measure::kSeconds, "200 to 3,635 (383K vocabularies)", {}},
           {{"LG(bag)"}, Measure::kSeconds, "below 100, less than SSG", {}}}};
}

}  // namespace

std::vector<Experiment> LiuBagExperiments() {
  std::vector<Experiment> experiments = {Features(), Loss(), Mining(), Time()};
  for (Experiment& experiment : experiments) {
    experiment.records = kQueries;
    experiment.takes_policy = true;
  }
  return experiments;
}

}  // namespace thicket
