// The experiments as data: which methods, on which data, over which settings, measured how, and what the paper says.
//
// Adding one is a row of Experiments(). What has no number in a paper's text (most results are in figures only) has no
// PaperResult.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cutting/sets/og.h"
#include "generate/census_taxonomies.h"
#include "grouping/bitmap.h"
#include "policy/policy.h"

namespace thicket {

enum class Measure {
  kLm,
  kAccuracy,
  kDm,
  kDissimilarity,
  kLevelDistance,
  kRpd,
  kMl2,
  kDml2,
  kCost,      // of a table's cut, as a share of the largest that the metric can have
  kExamined,  // which percentage of all cuts of a table was looked at
  kNcp,       // of sets
  kPatterns,  // how many generalized frequent patterns published sets have
  kError,     // how far their supports are off
  kThreats,  // itemsets that had to be broken up, itemsets and cuts that were looked at (Tables 4.4 and 4.5 of Liu 2010)
  kItemsets,
  kCutCount,
  kBagCount,  // how many bags there are, and how large they are on average
  kBagSize,
  kHeight,         // how many levels published labels are above the terms that they stand for
  kDistinctTerms,  // of bags: what is left of different terms and of an average bag, in percent
  kSizeShare,
  kBlm,     // of bags
  kRecall,  // of the most frequent closed patterns of bags
  kStepDistance,
  kSeconds
};

struct MeasureText {
  std::string_view title;
  std::string_view axis;
  int decimals;
  bool logarithmic;
};
MeasureText TextOf(Measure measure);

struct ExperimentMethod {
  std::string name;
  MethodPolicy method;
  // Run with th = 0, 0.1, ..., 1, and report the run with the least LM.
  bool best_th = false;
  // CDGH on one flat table instead, with climit and th of `method`; what absence means there.
  std::optional<Absent> bitmap = {};
  // Methods that draw records at random: so many runs with different seeds, and the mean is reported.
  int runs = 1;
  // Sweeps of this number alone run the method.
  int group = 0;
  // lplus without techniques of Section 3.4 of Liu 2010; nothing is published.
  struct Partial {
    bool by_weight = true;
    bool tighten = true;
    bool probe = true;
  };
  std::optional<Partial> partial = {};
  // og the thesis's way, without some of its techniques; nothing is published.
  std::optional<OgOptions> set_partial = {};
};

struct Sweep {
  enum class Over {
    kL,
    kK,
    kTh,
    kLevels,  // k, with alpha as in Wang et al. 2018 for mlevclutree and l = k for other methods
    kM,
    kN,
    kG,
    kSize,     // the number of records; in the table of experiments a share of the largest
    kLimit,    // the seconds after which a search for a table's cut ends
    kCuts,     // how many cuts the taxonomies of a census have
    kQuasi,    // how many of the quasi-identifiers of a census are known
    kMn,       // m and n at once
    kSecrets,  // how many items of sets are sensitive
    kGap,  // the session gap of a query log in seconds; kNoGap: all queries of a user are one bag
    kEpsilon,
    kClosed,  // how many closed patterns are compared
  };
  // More seconds than a query log has.
  static constexpr double kNoGap = 1e8;
  Over over = Over::kL;
  std::vector<double> values;
  // What is kept of the k that is not swept over.
  int k = 0;
  // A data set of its own; empty: the experiment's.
  std::string data = {};
  // k^(m,n)-anonymity, for methods that search for a cut: what is kept of m and n. No more relations are asked for than
  // m labels have pairs.
  int m = 0;
  int n = 0;
  // Whether the values are plotted on a logarithmic axis.
  bool log_x = false;
  // Tables: what is minimized, and what is kept of l.
  std::string metric = {};
  int l = 0;
  // Whether thresholds follow from frequencies, 1/l for rare values (Section 3.6.1.2 of Liu 2010).
  bool from_frequency = false;
  // See ExperimentMethod::group.
  int group = 0;
  // Of a census.
  CensusGrain grain = CensusGrain::kStandard;
  // KL(m,n)-privacy, with what is kept of k, l, m and n; and how many items are sensitive.
  bool of_sets = false;
  size_t secrets = 0;
  // Vocabulary k-anonymity, with what is kept of k, of epsilon, of the session gap and of the closed patterns.
  bool of_bags = false;
  int epsilon = 0;
  double gap_s = 0;
  size_t closed = 0;
  // What is measured in this sweep; empty: what the experiment measures.
  std::vector<Measure> measures = {};

  // "l", "k", "th", "m", "n", "g", "records", "seconds", "cuts", "quasi-identifiers", "m = n", "sensitive items", "gap",
  // "epsilon" or "patterns".
  std::string_view name() const;
  // What a method must promise at a setting, and its parameters there.
  PrivacyPolicy PrivacyAt(double x, const MethodPolicy& method) const;
  MethodPolicy MethodAt(double x, const MethodPolicy& method) const;
  // Whether the setting changes what the method does: MiRaCle knows no m and no n, and only GCS and OCS a g.
  bool Concerns(const MethodPolicy& method) const;
  // Whether the method runs in this sweep: DM and CM know no suppressed values.
  bool Runs(const ExperimentMethod& method) const;
  // The taxonomies and the number of quasi-identifiers of a census there.
  CensusGrain GrainAt(double x) const;
  size_t QuasiAt(double x) const;
  size_t SecretsAt(double x) const;
  // Of bags; 0 seconds where records are none.
  double GapAt(double x) const;
  size_t ClosedAt(double x) const;
};

// Whether sensitive values may be published as `*`.
bool SuppressesValues(const MethodPolicy& method);

// What a paper's text says of methods in one measure.
struct PaperResult {
  std::vector<std::string> methods;
  Measure measure = Measure::kLm;
  std::string text;
  // A number between `low` and `high`, or, if `times` names a method, between low and high times its value here.
  struct Range {
    double low = 0;
    double high = 0;
    std::string times;
  };
  std::optional<Range> range;
};

struct Experiment {
  std::string name;
  std::string summary;
  // A data set of generate/, in as many records as it has by default.
  std::string data;
  std::vector<ExperimentMethod> methods;
  // Every sweep is measured in every measure, unless it has its own: one panel and one table each.
  std::vector<Sweep> sweeps;
  std::vector<Measure> measures;
  std::vector<PaperResult> paper;
  // How many records, where the paper's would take too long; 0: as many as the data set has by default.
  uint64_t records = 0;
  // Whether a policy of the user's with data of its own may take the place of what is generated.
  bool takes_policy = false;

  uint64_t DefaultRecords() const;
  // The same on so many records: settings of kSize are numbers of records then.
  Experiment On(uint64_t most_records) const;

  // What a sweep runs on, and all of these in the order of the sweeps.
  const std::string& DataOf(size_t sweep) const {
    return sweeps[sweep].data.empty() ? data : sweeps[sweep].data;
  }
  std::vector<std::string> DataSets() const;
  const std::vector<Measure>& MeasuresOf(size_t sweep) const {
    return sweeps[sweep].measures.empty() ? measures : sweeps[sweep].measures;
  }
  // How many records a setting runs on. After On().
  uint64_t RecordsAt(size_t sweep, double x) const {
    return sweeps[sweep].over == Sweep::Over::kSize ? static_cast<uint64_t>(x) : records;
  }
};

const std::vector<Experiment>& Experiments();

// One setting of one method.
struct Measured {
  size_t sweep = 0;
  double x = 0;
  size_t method = 0;
  // Of methods with th.
  std::optional<double> th;
  double lm = 0;
  std::optional<double> accuracy;
  uint64_t dm = 0;
  // Of the method alone, without reading, writing and checking.
  double seconds = 0;
  uint64_t suppressed = 0;
  uint64_t classes = 0;
  // DSimDegree, and the mean distance of two levels that stand together.
  std::optional<double> dissimilarity = {};
  std::optional<double> level_distance = {};
  // Of the published data: see utility/rpd.h and utility/mining_loss.h.
  std::optional<double> rpd = {};
  std::optional<double> ml2 = {};
  std::optional<double> dml2 = {};
  // Of a table's cut.
  std::optional<double> cost = {};
  std::optional<double> examined = {};
  // Of sets.
  std::optional<double> ncp = {};
  std::optional<double> patterns = {};
  std::optional<double> error = {};
  std::optional<double> threats = {};
  std::optional<double> itemsets = {};
  std::optional<double> cuts = {};
  // Of bags: of the original; and of what is published, shares as percentages.
  std::optional<double> bags = {};
  std::optional<double> bag_size = {};
  std::optional<double> height = {};
  std::optional<double> distinct_terms = {};
  std::optional<double> size_share = {};
  std::optional<double> blm = {};
  std::optional<double> recall = {};
  std::optional<double> step_distance = {};

  // Not a number where there is nothing to measure: no patterns.
  double of(Measure measure) const;
};

}  // namespace thicket
