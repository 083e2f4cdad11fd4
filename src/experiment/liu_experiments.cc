#include "experiment/liu_experiments.h"

#include <string>
#include <utility>

namespace thicket {

namespace {

constexpr auto kCost = Measure::kCost;
constexpr auto kTime = Measure::kSeconds;
constexpr auto kExamined = Measure::kExamined;

// The thesis has 45,222 records, and up to a million for the sizes; fewer here, so that each takes about a minute.
constexpr uint64_t kRecords = 10'000;
constexpr uint64_t kMostRecords = 200'000;
// So long a search for a cut that lacks a technique may take, in seconds.
constexpr double kPatience = 5;

const char* const kSchemes[] = {"none", "all-records", "all-values", "violating-values",
                                "violating-records"};

ExperimentMethod Search(std::string name, std::string method_name, std::string suppression) {
  MethodPolicy method;
  method.name = std::move(method_name);
  method.suppression = std::move(suppression);
  return {std::move(name), method};
}

ExperimentMethod Lplus(const std::string& suppression) {
  return Search("l+-Optimize (" + suppression + ")", "lplus", suppression);
}

Sweep ByL(std::string metric, bool from_frequency) {
  Sweep sweep{Sweep::Over::kL, {2, 3, 4, 5, 6}};
  sweep.metric = std::move(metric);
  sweep.from_frequency = from_frequency;
  return sweep;
}

// Fig. 3.4 and 3.5 have a part for each metric; their last part, the error of a classifier, is bench/classify.py's. Incognito
// does without suppression, as in the thesis.
Experiment Loss(std::string name, std::string summary, bool from_frequency,
                std::vector<PaperResult> paper) {
  std::vector<ExperimentMethod> methods = {Search("Incognito (none)", "incognito", "none")};
  for (const char* scheme : kSchemes) methods.push_back(Lplus(scheme));
  std::vector<Sweep> sweeps;
  for (const char* metric : {"lm", "dm", "cm"}) sweeps.push_back(ByL(metric, from_frequency));
  return {std::move(name), std::move(summary), "census", std::move(methods), std::move(sweeps),
          {kCost},         std::move(paper)};
}

// Fig. 3.6: who has come how far after so many seconds. A scheme each.
Experiment Annealing() {
  Experiment experiment{"liu-annealing",
                        "Liu 2010, Fig. 3.6: cost by time, beside simulated annealing",
                        "census",
                        {},
                        {},
                        {kCost},
                        {}};
  int group = 0;
  for (const char* scheme : kSchemes) {
    ExperimentMethod annealing =
        Search(std::string("annealing (") + scheme + ")", "annealing", scheme);
    annealing.runs = 3;
    for (ExperimentMethod method : {Lplus(scheme), annealing}) {
      method.group = group;
      experiment.methods.push_back(std::move(method));
    }
    Sweep sweep{Sweep::Over::kLimit, {0.05, 0.2, 0.8}};
    sweep.metric = "lm";
    sweep.l = 5;
    sweep.log_x = true;
    sweep.group = group++;
    experiment.sweeps.push_back(std::move(sweep));
  }
  return experiment;
}

ExperimentMethod Partly(std::string name, ExperimentMethod::Partial partial) {
  ExperimentMethod method = Search(std::move(name), "lplus", "all-records");
  method.group = 1;
  method.partial = partial;
  method.method.limit_s = kPatience;
  return method;
}

// Fig. 3.7, and Fig. 3.8 a and b: what the techniques of Section 3.4 save, on taxonomies of fewer cuts as in the thesis.
Experiment Pruning() {
  std::vector<ExperimentMethod> methods;
  for (const char* scheme : kSchemes) methods.push_back(Lplus(scheme));
  methods.push_back(Partly("all techniques", {}));
  methods.push_back(Partly("without ours", {.probe = false}));
  methods.push_back(Partly("without ours and updates", {.tighten = false, .probe = false}));
  methods.push_back(Partly("without ours and order", {.by_weight = false, .probe = false}));
  Sweep partial = ByL("dm", false);
  partial.group = 1;
  partial.grain = CensusGrain::kTop;
  return {"liu-pruning",
          "Liu 2010, Fig. 3.7 and 3.8 a, b: time and cuts looked at, by l and technique",
          "census",
          std::move(methods),
          {ByL("lm", false), ByL("dm", false), ByL("cm", false), partial},
          {kTime, kExamined},
          {{{"l+-Optimize (none)", "l+-Optimize (all-records)", "l+-Optimize (violating-records)"},
            kExamined,
            "0.01 to 0.03 mostly",
            PaperResult::Range{0.01, 0.03, ""}},
           {{"l+-Optimize (all-records)"}, kTime, "hundreds to a thousand s", {}},
           {{"without ours and updates"}, kTime, "2 to 3 times as long", {}},
           {{"without ours and order"}, kTime, "orders of magnitude longer", {}}}};
}

// The rest of Fig. 3.8: DM, l = 4, and the schemes that DM knows.
Experiment Scaling(std::string name, std::string summary, std::string data, Sweep sweep,
                   std::vector<PaperResult> paper) {
  sweep.metric = "dm";
  sweep.l = 4;
  return {std::move(name),    std::move(summary),
          std::move(data),    {Lplus("none"), Lplus("all-records"), Lplus("violating-records")},
          {std::move(sweep)}, {kTime, kExamined},
          std::move(paper)};
}

Sweep ByCuts() {
  Sweep sweep{Sweep::Over::kCuts, {}};
  for (const auto grain :
       {CensusGrain::kCoarse, CensusGrain::kStandard, CensusGrain::kMedium, CensusGrain::kFine}) {
    sweep.values.push_back(static_cast<double>(CutsOf(grain)));
  }
  sweep.log_x = true;
  return sweep;
}

}  // namespace

std::vector<Experiment> LiuExperiments() {
  const std::string all = "l+-Optimize (all-records)";
  Sweep sizes{Sweep::Over::kSize, {0.25, 0.5, 1}};
  sizes.log_x = true;
  std::vector<Experiment> experiments = {
      Loss("liu-loss", "Liu 2010, Fig. 3.4: LM, DM and CM on a census by l", false,
           {{{"Incognito (none)"}, kCost, "never below l+-Optimize", {}},
            {{"l+-Optimize (violating-records)"}, kCost, "least of all schemes", {}}}),
      Loss("liu-theta", "Liu 2010, Fig. 3.5: the same with thresholds that follow from frequencies",
           true,
           {{{"l+-Optimize (none)"},
             kCost,
             "below liu-loss: LM by 13 to 22 %, CM by 8 to 26 %",
             {}}}),
      Annealing(),
      Pruning(),
      Scaling("liu-taxonomy", "Liu 2010, Fig. 3.8 c, d: time and cuts looked at, by all cuts",
              "census", ByCuts(),
              {{{all}, kExamined, "0.02 of 152,685,000, 0.0017 of 7 billion", {}}}),
      Scaling("liu-qi", "Liu 2010, Fig. 3.8 e, f: the same by the number of quasi-identifiers",
              "census", {Sweep::Over::kQuasi, {1, 2, 3, 4, 5, 6, 7}},
              {{{all}, kTime, "rises", {}}, {{all}, kExamined, "falls", {}}}),
      Scaling("liu-size", "Liu 2010, Fig. 3.8 g, h: the same by the number of records",
              "census-variants", std::move(sizes),
              {{{all}, kTime, "in proportion", {}}, {{all}, kExamined, "hardly changes", {}}}),
  };
  for (Experiment& experiment : experiments) experiment.records = kRecords;
  experiments.back().records = kMostRecords;
  return experiments;
}

}  // namespace thicket
