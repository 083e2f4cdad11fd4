#include "engine/experiment_table.h"

#include <algorithm>

namespace thicket {

namespace {

ExperimentMethod Tree(std::string name, std::string mapping, bool passes) {
  MethodPolicy method;
  method.mapping = std::move(mapping);
  method.passes = passes;
  return {std::move(name), method, false};
}

ExperimentMethod Miracle(std::string name, std::string method_name, bool best_th) {
  MethodPolicy method;
  method.name = std::move(method_name);
  return {std::move(name), method, best_th};
}

ExperimentMethod Bitmap(std::string name, Absent absent) {
  ExperimentMethod method = Miracle(std::move(name), "cdgh", false);
  method.bitmap = absent;
  return method;
}

std::vector<ExperimentMethod> OzalpMethods() {
  return {Tree("ClusTree-LSAP", "lsap", true), Tree("ClusTree-GRD", "greedy", true),
          Tree("CToff-LSAP", "lsap", false), Tree("CToff-GRD", "greedy", false),
          Miracle("dMiRaCle", "dmiracle", true)};
}

Experiment Ozalp(std::string name, std::string summary, std::string data,
                 std::vector<double> values) {
  return {std::move(name),
          std::move(summary),
          std::move(data),
          OzalpMethods(),
          {{Sweep::Over::kL, std::move(values), 0}},
          {Measure::kLm, Measure::kAccuracy},
          {{{"dMiRaCle"}, Measure::kLm, "rises sharply from l = 2 to 3", {}},
           {{"dMiRaCle"}, Measure::kAccuracy, "falls sharply from l = 2 to 3", {}}}};
}

// Fig. 13 gives curves; the text gives minutes for CToff, and a factor of 10 to 15 for ClusTree.
Experiment OzalpTime() {
  Experiment experiment = Ozalp("ozalp-time", "Ozalp et al. 2016, Fig. 13: time on students by l",
                                "students", {2, 3, 4, 5});
  experiment.measures = {Measure::kSeconds};
  constexpr auto kTime = Measure::kSeconds;
  experiment.paper = {
      {{"CToff-GRD"}, kTime, "2 to 3 min", PaperResult::Range{120, 180, ""}},
      {{"CToff-LSAP"}, kTime, "3 to 4 min", PaperResult::Range{180, 240, ""}},
      {{"ClusTree-GRD"}, kTime, "10 to 15 times CToff", PaperResult::Range{1200, 2700, ""}},
      {{"ClusTree-LSAP"}, kTime, "10 to 15 times CToff", PaperResult::Range{1800, 3600, ""}}};
  return experiment;
}

Experiment Nergiz(std::string name, std::string summary, Measure measure, PaperResult paper) {
  return {std::move(name),
          std::move(summary),
          "electives",
          {Miracle("MiRaCle", "miracle", false), Miracle("MiRaCleX", "miraclex", false),
           Bitmap("CDGH on bitmap", Absent::kUnknown)},
          {{Sweep::Over::kK, {10, 20, 30, 40, 50}, 0},
           {Sweep::Over::kTh, {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}, 50}},
          {measure},
          {std::move(paper)}};
}

// Our bitmap, which compares trees, beside the paper's flat table.
Experiment NergizTime() {
  Experiment experiment = Nergiz(
      "nergiz-time", "Nergiz et al. 2008, Fig. 8: time on electives by k and th", Measure::kSeconds,
      {{"MiRaCleX"},
       Measure::kSeconds,
       "at most a third of the bitmap's",
       PaperResult::Range{1.0 / 3, 1.0 / 3, "CDGH on bitmap"}});
  experiment.methods.push_back(Miracle("CDGH on trees", "cdgh", false));
  return experiment;
}

Experiment NergizComplete() {
  Experiment experiment = Nergiz(
      "nergiz-complete", "Nergiz et al. 2008, Fig. 7: DM on electives by k and th, complete data",
      Measure::kDm,
      {{"MiRaCle", "MiRaCleX", "CDGH on bitmap"}, Measure::kDm, "similar, no obvious winner", {}});
  experiment.methods.back().bitmap = Absent::kNo;
  return experiment;
}

// Figures 5 to 7 are curves without numbers. The paper does not say whether its ClusTree makes passes; CToff, without them, is
// taken because it is much quicker. The paper goes up to k = 6; only from k = 10 on can every level be published.
Experiment Wang(std::string name, std::string summary, Measure measure, std::string claim) {
  MethodPolicy levels;
  levels.name = "mlevclutree";
  ExperimentMethod mlevclutree{"MLevCluTree", levels};
  mlevclutree.runs = 10;
  std::vector<Sweep> sweeps;
  for (const char* data : {"grades", "evaluations"}) {
    sweeps.push_back({Sweep::Over::kLevels, {2, 3, 4, 5, 6, 10, 20}, 0, data});
  }
  return {std::move(name),
          std::move(summary),
          "grades",
          {std::move(mlevclutree), Tree("CToff-LSAP", "lsap", false)},
          std::move(sweeps),
          {measure},
          {{{"MLevCluTree"}, measure, std::move(claim), {}}}};
}

Experiment WangDissimilarity() {
  Experiment experiment =
      Wang("wang-dissimilarity", "Wang et al. 2018, Fig. 6: dissimilarity of levels by k",
           Measure::kDissimilarity, "above ClusTree");
  experiment.measures.push_back(Measure::kLevelDistance);
  return experiment;
}

std::vector<Experiment> MakeExperiments() {
  const std::string bitmap = "CDGH on bitmap";
  return {
      Ozalp("ozalp-s", "Ozalp et al. 2016, Fig. 10: LM and query accuracy on students by l",
            "students", {2, 3, 4, 5}),
      Ozalp("ozalp-t", "Ozalp et al. 2016, Fig. 11: the same on college-years", "college-years",
            {2, 3, 4, 5}),
      Ozalp("ozalp-real", "Ozalp et al. 2016, Fig. 12: the same on transcripts", "transcripts",
            {2, 3, 4}),
      OzalpTime(),
      Nergiz("nergiz-lm", "Nergiz et al. 2008, Fig. 4 and 5: LM on electives by k and th",
             Measure::kLm,
             {{"MiRaCle", "MiRaCleX"},
              Measure::kLm,
              "30 to 40 % below the bitmap",
              PaperResult::Range{0.6, 0.7, bitmap}}),
      Nergiz("nergiz-dm", "Nergiz et al. 2008, Fig. 6: DM on electives by k and th", Measure::kDm,
             {{"MiRaCle", "MiRaCleX"}, Measure::kDm, "slightly below the bitmap", {}}),
      NergizComplete(),
      NergizTime(),
      Wang("wang-loss", "Wang et al. 2018, Fig. 5: LM on grades and evaluations by k", Measure::kLm,
           "below ClusTree"),
      WangDissimilarity(),
      Wang("wang-time", "Wang et al. 2018, Fig. 7: time on grades and evaluations by k",
           Measure::kSeconds, "slightly above ClusTree"),
  };
}

}  // namespace

MeasureText TextOf(Measure measure) {
  switch (measure) {
    case Measure::kLm:
      return {"Loss", "LM", 3, false};
    case Measure::kAccuracy:
      return {"Query accuracy", "mean accuracy", 3, false};
    case Measure::kDm:
      return {"Discernibility", "DM", 0, false};
    case Measure::kDissimilarity:
      return {"Dissimilarity", "DSimDegree", 3, true};
    case Measure::kLevelDistance:
      return {"Distance of two levels", "levels apart", 3, false};
    case Measure::kSeconds:
      return {"Time", "seconds", 3, true};
  }
  return {};
}

std::string_view Sweep::name() const {
  switch (over) {
    case Over::kL:
      return "l";
    case Over::kK:
    case Over::kLevels:
      return "k";
    case Over::kTh:
      return "th";
  }
  return "";
}

std::vector<std::string> Experiment::DataSets() const {
  std::vector<std::string> names;
  for (size_t sweep = 0; sweep < sweeps.size(); ++sweep) {
    const bool is_new = std::find(names.begin(), names.end(), DataOf(sweep)) == names.end();
    if (is_new) names.push_back(DataOf(sweep));
  }
  return names;
}

double Measured::of(Measure measure) const {
  switch (measure) {
    case Measure::kLm:
      return lm;
    case Measure::kAccuracy:
      return accuracy.value_or(0);
    case Measure::kDm:
      return static_cast<double>(dm);
    case Measure::kDissimilarity:
      return dissimilarity.value_or(0);
    case Measure::kLevelDistance:
      return level_distance.value_or(0);
    case Measure::kSeconds:
      return seconds;
  }
  return 0;
}

const std::vector<Experiment>& Experiments() {
  static const std::vector<Experiment> experiments = MakeExperiments();
  return experiments;
}

}  // namespace thicket
