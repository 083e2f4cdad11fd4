#include "policy/method_table.h"

#include <algorithm>

#include "base/text.h"

namespace thicket {

namespace {

using P = MethodParameter;
using M = MethodPolicy;

constexpr std::string_view kMappings[] = {"lsap", "greedy", "labels"};
constexpr std::string_view kCosts[] = {"weighted", "faithful"};
constexpr std::string_view kWaysWithLeftovers[] = {"absorb", "suppress"};
constexpr std::string_view kMetrics[] = {"lm", "dm", "cm"};
constexpr std::string_view kSuppressions[] = {"none", "all-records", "all-values",
                                              "violating-values", "violating-records"};
constexpr std::string_view kCutCosts[] = {"lm", "rpd", "rpd_a", "labels"};

// A `cost` or a `limit_s` of another meaning is a parameter of its own, with the same key.
constexpr P kMapping = {"mapping", P::Word{&M::mapping, kMappings},
                        "how the children of two vertices are paired: at the least total cost; "
                        "each child in turn with what costs least; or at the least total cost of "
                        "the children's own labels, whatever is below them"};
constexpr P kPasses = {"passes", P::OnOff{&M::passes},
                       "`on`: a group that costs much more than the others so far is given up and "
                       "tried again in a later pass, with a higher limit; `off` (CToff): every "
                       "group is accepted as it comes, which is quicker and often costs more"};
constexpr P kS = {
    .key = "s",
    .type = P::Positive{&M::s},
    .meaning =
        "by how much the limit rises with each pass, in standard deviations of the groups' costs",
    .in_report = false};
constexpr P kM = {.key = "m",
                  .type = P::Positive{&M::m},
                  .meaning = "where the limit is lifted, in the same unit",
                  .in_report = false};
constexpr P kCost = {
    "cost", P::Word{&M::cost, kCosts},
    "what a generalization counts when candidates are compared: once for every record of the "
    "group, which is what is really lost, or once for the group, as in the paper"};
constexpr P kLeftovers = {"leftovers", P::Word{&M::leftovers, kWaysWithLeftovers},
                          "records that remain when no further group can be filled join the group "
                          "where they cost least, if the promise allows it, or are left out"};

constexpr P kNeighbourhood = {.key = "neighbourhood",
                              .type = P::AutoOffCount{&M::neighbourhood},
                              .meaning =
                                  "how many records are looked at together. `off`: all of them, "
                                  "which takes four times as long for "
                                  "twice as many; a number: records are divided into parts of so "
                                  "many that are much alike; `auto`: "
                                  "`off` for small data, and otherwise a number that the method "
                                  "works well with. In parts of thousands of trees, or of 1,000 "
                                  "if they are large, an index "
                                  "proposes whom to compare, and instead of passes the groups that "
                                  "cost least come first. The promise holds either way",
                              .in_report = false};

constexpr P kRefine = {"refine", P::OnOff{&M::refine},
                       "`on`: finished groups are improved: records change places, move, and large "
                       "groups are split, as long as less is lost. The promise stays the same, and "
                       "so does the result on any number of threads"};
constexpr P kRefineLimit = {"limit_s", P::MaybePositive{&M::limit_s},
                            "only with `refine: on`: improving stops after so many seconds, with "
                            "the best groups so far. How far it comes then depends on the machine; "
                            "without it the result depends on data and policy alone",
                            &kRefine};

constexpr P kClimit = {
    "climit", P::Count{&M::climit},
    "how many groups may be open at a time; more of them find better company and take longer"};
constexpr P kTh = {"th", P::Share{&M::th, "it is a share of what a record can lose; 0.1 is usual"},
                   "a record opens a group of its own where the nearest one would lose more than "
                   "this share of all it could lose"};
constexpr P kCandidates = {"candidates", P::Count{&M::candidates},
                           "how many of the nearest records are considered"};

constexpr P kG = {"g", P::Count{&M::g}, "how many cuts of a level are followed"};
constexpr P kCutCost = {
    "cost", P::Word{&M::cut_cost, kCutCosts},
    "what is minimized: the mean loss of labels (LM, and 2 for what is left out) plus the share of "
    "relations that are broken; the paper's reverse path domain of the data "
    "([report.md](report.md)); the paper's estimate of that, which is dominated by the rarest "
    "short paths; or the reverse path domain of the cut before relations are broken"};
constexpr P kSearchLimit = {"limit_s", P::MaybePositive{&M::limit_s},
                            "the search stops after so many seconds, with the best cut so far"};

constexpr P kMetric = {
    "metric", P::Word{&M::metric, kMetrics},
    "what is minimized: the loss of labels (LM); the number of records that each record cannot be "
    "told apart from (DM); or the records that are not of the class that most of their look-alikes "
    "have (CM)"};
constexpr P kSuppression = {
    "suppression", P::Word{&M::suppression, kSuppressions},
    "what becomes of look-alikes that break the promise: there may be none such; they are left "
    "out; all their sensitive values are published as `*`; those that are too frequent are; or as "
    "few records as it takes are left out. The two of values are for `lm` only"};
constexpr P kSuppressionCost = {
    "suppression_cost", P::MaybePositive{&M::suppression_cost},
    "only with `lm`: what a record that is left out costs, at least the number of "
    "quasi-identifiers and without this key twice that; or a value that is published as `*`, "
    "without this key the number of quasi-identifiers"};
constexpr P kClass = {"class", P::Attribute{&M::class_attribute},
                      "an attribute under `keep`: the class that `cm` looks at"};
constexpr P kAlpha = {"alpha", P::AtLeastZero{&M::alpha},
                      "the search may end as soon as its best cut is known to cost at most (1 + "
                      "alpha) times the least"};
constexpr P kTopH = {"top_h", P::Count{&M::top_h},
                     "one of so many best cuts is drawn and published, so that nobody can reason "
                     "from the cut being the best"};

constexpr std::string_view kCentres[] = {"majority", "hyper", "generalize"};
constexpr std::string_view kMatchings[] = {"exact", "greedy"};

constexpr P kOmega = {
    "omega", P::MaybePositive{&M::omega},
    "what a term costs that finds no partner, in steps, at least `epsilon`; without this key the "
    "fewest such terms come first, and then the fewest steps"};
constexpr P kCentre = {
    "centre", P::Word{&M::centre, kCentres},
    "what is published of terms that stand together: the one that is nearest to the others; all of "
    "them, with a bar between them; or their group, where there is a taxonomy"};
constexpr P kMatching = {"matching", P::Word{&M::matching, kMatchings},
                         "how the terms of two bags are paired: at the least total distance, or "
                         "nearest pairs first"};

std::vector<MethodRow> MakeMethods() {
  using enum PrivacyModel;
  using enum MethodFamily;
  return {
      {.name = "clustree",
       .family = kGrouping,
       .models = {kAnonymity, kDiversity},
       .own = {&kMapping, &kPasses, &kS, &kM, &kCost, &kLeftovers, &kNeighbourhood},
       .may_refine = true,
       .keeps_order = true,
       .meaning =
           "groups grow one after another, each from a record and those that cost least beside it"},
      {.name = "mlevclutree",
       .family = kGrouping,
       .models = {kSensitivityLevels},
       .own = {&kCandidates, &kLeftovers, &kNeighbourhood},
       .may_refine = true,
       .keeps_order = true,
       .meaning = "the same, from records that are drawn at random"},
      {.name = "agglomerate",
       .family = kGrouping,
       .models = {kAnonymity, kDiversity, kSensitivityLevels},
       .own = {&kMapping, &kNeighbourhood},
       .may_refine = true,
       .keeps_order = true,
       .best_for = {kAnonymity, kDiversity},
       .meaning =
           "groups grow everywhere at once, where least is lost by it for each record that has "
           "no group yet; equal records stay together"},
      {.name = "miracle",
       .family = kGrouping,
       .models = {kAnonymity},
       .own = {&kClimit, &kTh},
       .may_refine = true,
       .meaning = "many groups are open at a time, and each record joins one; each child in turn "
                  "takes the one that costs least, with all that is below it"},
      {.name = "miraclex",
       .family = kGrouping,
       .models = {kAnonymity},
       .own = {&kClimit, &kTh},
       .may_refine = true,
       .meaning = "the same, but children are compared by their own labels only"},
      {.name = "dmiracle",
       .family = kGrouping,
       .models = {kDiversity},
       .own = {&kClimit, &kTh},
       .may_refine = true,
       .plain_kin = "miracle",
       .meaning = "`miracle`, and then a repair: a group whose own sensitive values are not "
                  "diverse takes in the nearest groups that help; children that are not diverse "
                  "are left out with all that is below them"},
      {.name = "cdgh",
       .family = kGrouping,
       .models = {kAnonymity},
       .own = {&kClimit, &kTh},
       .may_refine = true,
       .meaning =
           "as `miracle`, but only children whose labels are equal stand together, as if every "
           "label were a column of a bitmap; nothing but the record's own labels is generalized"},
      {.name = "gcs",
       .family = kCutting,
       .models = {kCombinations},
       .own = {&kG, &kCutCost, &kSearchLimit},
       .meaning = "of each level of cuts the `g` cheapest are followed; it ends when a level "
                  "brings nothing better"},
      {.name = "acs",
       .family = kCutting,
       .models = {kCombinations},
       .own = {&kCutCost, &kSearchLimit},
       .meaning = "looks at every cut. The number of cuts grows exponentially: for small "
                  "taxonomies, or with `limit_s`"},
      {.name = "ocs",
       .family = kCutting,
       .models = {kCombinations},
       .own = {&kG, &kCutCost, &kSearchLimit},
       .meaning = "as `gcs`, without cuts under which relations would have to be broken"},
      {.name = "lplus",
       .family = kCutting,
       .models = {kAnonymity, kDiversity, kThresholds},
       .own = {&kMetric, &kSuppression, &kSuppressionCost, &kClass, &kAlpha, &kSearchLimit, &kTopH},
       .flat = true,
       .meaning = "for tables: finds the cut that costs least, and proves that none costs less"},
      {.name = "incognito",
       .family = kCutting,
       .models = {kAnonymity, kDiversity, kThresholds},
       .own = {&kMetric, &kSuppression, &kSuppressionCost, &kClass, &kAlpha, &kSearchLimit, &kTopH},
       .flat = true,
       .meaning = "for tables: the best cut of those that take a whole level of each taxonomy"},
      {.name = "annealing",
       .family = kCutting,
       .models = {kAnonymity, kDiversity, kThresholds},
       .own = {&kMetric, &kSuppression, &kSuppressionCost, &kClass, &kAlpha, &kSearchLimit, &kTopH},
       .flat = true,
       .meaning = "for tables: a good cut, found by random steps; nothing is proven"},
      {.name = "og",
       .family = kCutting,
       .models = {kCombinations, kItems},
       .own = {&kAlpha, &kSearchLimit},
       .sets = MethodRow::SetScope{.l = true, .n = true, .unbounded = true},
       .meaning = "for sets: finds the cut that costs least, and proves that none costs less"},
      {.name = "mog",
       .family = kCutting,
       .models = {kItems},
       .own = {&kAlpha, &kSearchLimit},
       .sets = MethodRow::SetScope{.l = true, .n = true, .rounds = true},
       .meaning = "for sets: `og` in rounds, from m = 1 and n = 0 on; each takes the best cut "
                  "above that of the round before. For large m and n"},
      {.name = "aa",
       .family = kCutting,
       .models = {kItems},
       .own = {&kSearchLimit},
       .sets = MethodRow::SetScope{},
       .meaning = "for sets: Apriori anonymization: combinations that are too rare are "
                  "generalized, short ones first; l = 1 and n = 0 only"},
      {.name = "mm",
       .family = kCutting,
       .models = {kItems},
       .own = {&kSearchLimit},
       .sets = MethodRow::SetScope{.l = true},
       .meaning = "for sets: nothing is generalized; items are left out of all records until "
                  "nothing breaks the promise; n = 0 only"},
      {.name = "ssg",
       .family = kGrouping,
       .models = {kVocabularies},
       .own = {&kOmega, &kCentre, &kMatching},
       .bags = MethodRow::BagScope{.substitutes = true},
       .meaning = "for bags: groups grow one after another from small bags, each by the nearest "
                  "ones; terms are replaced by terms nearby, and what finds no partner is left "
                  "out"},
      {.name = "lg",
       .family = kGrouping,
       .models = {kItems, kVocabularies},
       .own = {&kSearchLimit},
       .sets = MethodRow::SetScope{.bounded = false, .unbounded = true},
       .bags = MethodRow::BagScope{},
       .meaning = "for sets: records are divided as long as parts have k of them, and each part "
                  "has labels of its own; k alone, against those who know everything. Of bags it "
                  "publishes each label once"},
      {.name = "lgbag",
       .family = kGrouping,
       .models = {kVocabularies},
       .own = {&kSearchLimit},
       .bags = MethodRow::BagScope{},
       .meaning = "for bags: `lg`, with each label as often as every bag of its part has it"},
  };
}

}  // namespace

const std::vector<MethodRow>& Methods() {
  static const std::vector<MethodRow> rows = MakeMethods();
  return rows;
}

const std::vector<const MethodParameter*>& MethodParameters() {
  static const std::vector<const P*> all = {&kMapping,
                                            &kPasses,
                                            &kS,
                                            &kM,
                                            &kCost,
                                            &kLeftovers,
                                            &kNeighbourhood,
                                            &kRefine,
                                            &kRefineLimit,
                                            &kClimit,
                                            &kTh,
                                            &kCandidates,
                                            &kG,
                                            &kCutCost,
                                            &kSearchLimit,
                                            &kMetric,
                                            &kSuppression,
                                            &kSuppressionCost,
                                            &kClass,
                                            &kAlpha,
                                            &kTopH,
                                            &kOmega,
                                            &kCentre,
                                            &kMatching};
  return all;
}

const std::vector<const MethodParameter*>& RefineParameters() {
  static const std::vector<const P*> of_refining = {&kRefine, &kRefineLimit};
  return of_refining;
}

const MethodRow& RowOf(const MethodPolicy& method) {
  static const MethodRow none = {};
  const std::vector<MethodRow>& rows = Methods();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const MethodRow& one) { return one.name == method.name; });
  return row != rows.end() ? *row : none;
}

const MethodRow& BestMethod(PrivacyModel model) {
  for (const MethodRow& row : Methods()) {
    if (std::find(row.best_for.begin(), row.best_for.end(), model) != row.best_for.end()) {
      return row;
    }
  }
  return FirstMethod(model);
}

const MethodRow& FirstMethod(PrivacyModel model) {
  static const MethodRow none = {};
  for (const MethodRow& row : Methods()) {
    if (row.Serves(model)) return row;
  }
  return none;
}

std::vector<std::string> MethodsFor(PrivacyModel model) {
  const std::string_view best = BestMethod(model).name;
  std::vector<std::string> names = {std::string(best)};
  for (const MethodRow& row : Methods()) {
    if (row.Serves(model) && row.name != best) names.emplace_back(row.name);
  }
  return names;
}

bool MethodRow::Serves(PrivacyModel model) const {
  return std::find(models.begin(), models.end(), model) != models.end();
}

std::vector<const MethodParameter*> MethodRow::Parameters() const {
  std::vector<const MethodParameter*> all = own;
  if (may_refine) all.insert(all.end(), RefineParameters().begin(), RefineParameters().end());
  return all;
}

namespace {

std::string TextOf(const std::string& word) { return word; }
std::string TextOf(bool on) { return on ? "on" : "off"; }
std::string TextOf(int count) { return std::to_string(count); }
std::string TextOf(double number) { return NumberText(number); }
std::string TextOf(const std::optional<double>& number) {
  return number ? NumberText(*number) : "";
}

}  // namespace

std::string MethodParameter::ValueIn(const MethodPolicy& method) const {
  return std::visit([&](const auto& of_type) { return TextOf(method.*(of_type.field)); }, type);
}

bool MethodParameter::IsDefaultIn(const MethodPolicy& method) const {
  return std::visit(
      [&](const auto& of_type) {
        return method.*(of_type.field) == MethodPolicy().*(of_type.field);
      },
      type);
}

}  // namespace thicket
