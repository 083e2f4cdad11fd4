#include "experiment/experiment_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiment/liu_bag_experiments.h"
#include "experiment/liu_experiments.h"
#include "experiment/liu_set_experiments.h"
#include "generate/generate.h"

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

// As in the paper, the cost of a cut is RPD.
ExperimentMethod CutSearch(std::string name, std::string method_name, std::string cost = "rpd") {
  MethodPolicy method;
  method.name = std::move(method_name);
  method.cut_cost = std::move(cost);
  return {std::move(name), method};
}

// ACS looks at every cut: on more records than here it would not end.
ExperimentMethod AllCuts() {
  ExperimentMethod all = CutSearch("ACS", "acs");
  all.method.limit_s = 60;
  return all;
}

// Section IV of Gkountouna et al. 2013 keeps k = 20, m = 3, n = 2, where it does not sweep over them.
Sweep Gkountouna(Sweep::Over over, std::vector<double> values) {
  Sweep sweep{over, std::move(values), 20, "", 3, 2};
  sweep.log_x = over == Sweep::Over::kK || over == Sweep::Over::kSize;
  return sweep;
}

const std::vector<double>& GkountounaK() {
  static const std::vector<double> values = {5, 10, 20, 50, 100, 300};
  return values;
}

// Figures 15 to 17: so few records that ACS comes to an end.
std::vector<Experiment> GkountounaAcs() {
  return {
      {"gkountouna-g",
       "Gkountouna et al. 2013, Fig. 15: RPD on customers by g",
       "customers",
       {CutSearch("GCS", "gcs"), AllCuts()},
       {Gkountouna(Sweep::Over::kG, {1, 2, 3, 4})},
       {Measure::kRpd},
       {{{"GCS"}, Measure::kRpd, "as ACS from g = 2 on", {}}},
       5'000},
      {"gkountouna-acs",
       "Gkountouna et al. 2013, Fig. 16 and 17: ACS and GCS by k and m",
       "customers",
       {CutSearch("GCS", "gcs"), AllCuts()},
       {Gkountouna(Sweep::Over::kK, GkountounaK()), Gkountouna(Sweep::Over::kM, {2, 3, 4, 5, 6})},
       {Measure::kRpd, Measure::kSeconds},
       {{{"GCS"}, Measure::kRpd, "mostly the same as ACS", {}},
        {{"GCS"},
         Measure::kSeconds,
         "mostly at most a tenth of ACS's",
         PaperResult::Range{0.1, 0.1, "ACS"}}},
       2'000}};
}

// Figures 18 to 21 have a part for each of k, m, n and the size. `paper` is what the text says of the part beyond dML2.
// The searches with our default cost, LM, and LM itself stand beside what the paper has.
// The paper has 250,000 records for the first three and up to a million for the last; fewer here, so that each takes
// about a minute.
Experiment GkountounaPart(std::string name, const std::string& by, Sweep sweep,
                          std::vector<PaperResult> paper) {
  const uint64_t records = sweep.over == Sweep::Over::kSize ? 1'000'000 : 100'000;
  paper.push_back(
      {{"MiRaCle"}, Measure::kDml2, "1.5 to 5 times GCS's", PaperResult::Range{1.5, 5, "GCS"}});
  return {std::move(name),
          "Gkountouna et al. 2013, Fig. 18 to 21: RPD, ML2, dML2 and time " + by,
          "customers",
          {CutSearch("GCS", "gcs"), CutSearch("OCS", "ocs"), Miracle("MiRaCle", "miracle", false),
           CutSearch("GCS by LM", "gcs", "lm"), CutSearch("OCS by LM", "ocs", "lm")},
          {std::move(sweep)},
          {Measure::kRpd, Measure::kMl2, Measure::kDml2, Measure::kSeconds, Measure::kLm},
          std::move(paper),
          records};
}

std::vector<Experiment> GkountounaParts() {
  constexpr auto kRpd = Measure::kRpd;
  constexpr auto kMl2 = Measure::kMl2;
  constexpr auto kTime = Measure::kSeconds;
  const PaperResult worse = {{"MiRaCle"}, kMl2, "above GCS", {}};
  return {
      GkountounaPart("gkountouna-k", "by k", Gkountouna(Sweep::Over::kK, GkountounaK()),
                     {{{"OCS"},
                       kRpd,
                       "39.5 % above GCS at k = 5, 8.7 % at k = 300",
                       PaperResult::Range{1.087, 1.395, "GCS"}},
                      {{"MiRaCle"}, kRpd, "more than 50 % above GCS at k = 20", {}},
                      worse,
                      {{"GCS"}, kTime, "falls by 97 % to k = 100, by 85.8 % more to 300", {}}}),
      GkountounaPart(
          "gkountouna-m", "by m", Gkountouna(Sweep::Over::kM, {2, 3, 4, 5, 6}),
          {{{"OCS"}, kRpd, "up to 54 % above GCS from m = 6 down to 4", {}},
           {{"MiRaCle"}, kRpd, "more than 50 % above GCS", PaperResult::Range{1.5, 1.5, "GCS"}},
           {{"GCS"}, kMl2, "over 0.8 from m = 5 on", {}},
           {{"MiRaCle"}, kMl2, "below GCS at large m", {}},
           {{"GCS"}, Measure::kDml2, "below 0.11 from m = 5 on", {}},
           {{"GCS"}, kTime, "falls by 70.5 % from m = 3 to 4, then rises", {}}}),
      GkountounaPart("gkountouna-n", "by n", Gkountouna(Sweep::Over::kN, {0, 1, 2, 3}),
                     {{{"GCS"}, kRpd, "stable; 56 % below MiRaCle at n = 0", {}},
                      {{"OCS"}, kRpd, "as GCS at n = 0, 1.5 times it at n = 2 and 3", {}},
                      {{"GCS"}, kMl2, "nearly the same at every n", {}},
                      {{"OCS"}, kMl2, "rises", {}},
                      worse,
                      {{"GCS"}, Measure::kDml2, "nearly the same at every n", {}},
                      {{"OCS"}, Measure::kDml2, "rises", {}},
                      {{"GCS"}, kTime, "rises", {}}}),
      GkountounaPart(
          "gkountouna-size", "by size", Gkountouna(Sweep::Over::kSize, {0.1, 0.25, 1}),
          {{{"GCS"}, kRpd, "falls", {}},
           {{"OCS"}, kRpd, "rises slightly", {}},
           {{"MiRaCle"}, kRpd, "steady, twice GCS on average", PaperResult::Range{2, 2, "GCS"}},
           worse,
           {{"GCS"}, kTime, "rises less than the size", {}}}),
  };
}

std::vector<Experiment> MakeExperiments() {
  const std::string bitmap = "CDGH on bitmap";
  std::vector<Experiment> experiments = {
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
  for (const auto& more : {GkountounaAcs(), GkountounaParts(), LiuExperiments(),
                           LiuSetExperiments(), LiuBagExperiments()}) {
    experiments.insert(experiments.end(), more.begin(), more.end());
  }
  return experiments;
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
    case Measure::kRpd:
      return {"Reverse path domain", "RPD", 3, true};
    case Measure::kMl2:
      return {"Mining loss", "ML2", 3, false};
    case Measure::kDml2:
      return {"Distance of frequent subtrees", "dML2", 3, false};
    case Measure::kCost:
      return {"Cost", "share of the largest cost", 4, false};
    case Measure::kExamined:
      return {"Cuts looked at", "% of all cuts", 3, true};
    case Measure::kNcp:
      return {"Loss", "NCP", 4, false};
    case Measure::kPatterns:
      return {"Frequent patterns", "#Patterns", 0, false};
    case Measure::kError:
      return {"Error of supports", "Error", 4, false};
    case Measure::kThreats:
      return {"Threats", "threats", 0, true};
    case Measure::kItemsets:
      return {"Itemsets looked at", "itemsets", 0, true};
    case Measure::kCutCount:
      return {"Cuts looked at", "cuts", 0, true};
    case Measure::kBagCount:
      return {"Vocabularies", "#vocabularies", 0, true};
    case Measure::kBagSize:
      return {"Average size of a vocabulary", "avgVsize", 2, true};
    case Measure::kHeight:
      return {"Generalization height", "gHeight", 2, false};
    case Measure::kDistinctTerms:
      return {"Different terms", "%DistinctTerms", 1, false};
    case Measure::kSizeShare:
      return {"Size of vocabularies", "%avgVsize", 1, false};
    case Measure::kBlm:
      return {"Loss", "bLM", 3, false};
    case Measure::kRecall:
      return {"Closed patterns", "Recall", 3, false};
    case Measure::kStepDistance:
      return {"Distance of closed patterns", "sDist", 3, false};
    case Measure::kSeconds:
      return {"Time", "seconds", 3, true};
  }
  return {};
}

uint64_t Experiment::DefaultRecords() const {
  return records > 0 ? records : DefaultGenerated(data);
}

Experiment Experiment::On(uint64_t most_records) const {
  Experiment there = *this;
  there.records = most_records;
  for (Sweep& sweep : there.sweeps) {
    if (sweep.over != Sweep::Over::kSize) continue;
    for (double& x : sweep.values) {
      // Of too few records no sample is taken that is too small to be generated.
      x = std::round(x * static_cast<double>(most_records));
      x = std::max(x, static_cast<double>(std::min(most_records, kFewestGenerated)));
    }
    sweep.values.erase(std::unique(sweep.values.begin(), sweep.values.end()), sweep.values.end());
  }
  return there;
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
    case Measure::kRpd:
      return rpd.value_or(0);
    case Measure::kMl2:
      return ml2.value_or(0);
    case Measure::kDml2:
      return dml2.value_or(0);
    case Measure::kCost:
      return cost.value_or(0);
    case Measure::kExamined:
      return examined.value_or(0);
    case Measure::kNcp:
      return ncp.value_or(0);
    case Measure::kPatterns:
      return patterns.value_or(0);
    case Measure::kError:
      return error.value_or(0);
    case Measure::kThreats:
      return threats.value_or(0);
    case Measure::kItemsets:
      return itemsets.value_or(0);
    case Measure::kCutCount:
      return cuts.value_or(0);
    case Measure::kBagCount:
      return bags.value_or(0);
    case Measure::kBagSize:
      return bag_size.value_or(0);
    case Measure::kHeight:
      return height.value_or(0);
    case Measure::kDistinctTerms:
      return distinct_terms.value_or(0);
    case Measure::kSizeShare:
      return size_share.value_or(0);
    case Measure::kBlm:
      return blm.value_or(0);
    case Measure::kRecall:
      return recall.value_or(0);
    case Measure::kStepDistance:
      return step_distance.value_or(std::numeric_limits<double>::quiet_NaN());
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
