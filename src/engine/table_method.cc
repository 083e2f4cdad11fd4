#include "engine/table_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/fold.h"
#include "base/random.h"
#include "base/stop.h"
#include "base/text.h"
#include "cutting/table/annealing.h"
#include "cutting/table/cut_judge.h"
#include "cutting/table/dataset_table.h"
#include "cutting/table/incognito.h"
#include "cutting/table/lplus.h"
#include "cutting/table/table_task.h"
#include "engine/no_class.h"
#include "engine/word_meaning.h"

namespace thicket {

namespace {

constexpr WordMeaning<TableMetric> kMetrics[] = {
    {"lm", TableMetric::kLm}, {"dm", TableMetric::kDm}, {"cm", TableMetric::kCm}};
constexpr WordMeaning<Suppression> kSuppressions[] = {
    {"none", Suppression::kNone},
    {"all-records", Suppression::kAllRecords},
    {"all-values", Suppression::kAllValues},
    {"violating-values", Suppression::kViolatingValues},
    {"violating-records", Suppression::kViolatingRecords}};

// Nobody could tell an original "*" from a suppressed value.
Status CheckOriginals(const EncodedDataset& data) {
  const VertexClass& root = data.schema().root();
  const Forest& forest = data.forest();
  for (size_t i = 0; i < root.sensitive.size(); ++i) {
    if (!root.sensitive[i].may_be_suppressed) continue;
    const size_t slot = root.sensitive_slot(i);
    const Dictionary& dictionary = data.data.dictionaries[0][slot];
    std::vector<bool> bad(dictionary.size(), false);
    for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
      bad[symbol] = SensitiveAttribute::IsSuppressedText(FoldValue(dictionary.text(symbol)));
    }
    uint64_t count = 0;
    Vertex first = 0;
    for (RecordId record = 0; record < forest.record_count(); ++record) {
      if (bad[forest.value(forest.root(record), slot)] && count++ == 0) first = forest.root(record);
    }
    if (count == 0) continue;
    return ErrorAt(
        ErrorCode::kData, data.data.PlaceOf(first, slot),
        fmt::format(
            "no sensitive value may be *, which stands for suppressed ones, but this one is "
            "({} of {})",
            WithCommas(count), WithCommas(forest.record_count())),
        "leave unknown values empty, or write them in another way");
  }
  return {};
}

Result<Fraction> FractionOf(std::string_view key, const Decimal& number) {
  const std::optional<Fraction> fraction = Fraction::Of(number);
  if (fraction) return *fraction;
  return Error{
      ErrorCode::kUsage,
      fmt::format("{} must have at most 18 digits before and behind the point, but has more", key),
      "round it", ""};
}

// The values that have a threshold of their own.
Status SetThresholds(const Policy& policy, const EncodedDataset& data, const Table& table,
                     TablePromise& promise) {
  const VertexClass& root = data.schema().root();
  const std::vector<ThetaPolicy::OfValue>& values = policy.privacy.theta->values;
  std::vector<bool> occurs(values.size(), false);
  std::unordered_map<std::string, size_t> place;
  for (size_t i = 0; i < values.size(); ++i) place.emplace(FoldValue(values[i].value), i);
  for (size_t attribute = 0; attribute < root.sensitive.size(); ++attribute) {
    const Dictionary& dictionary = data.data.dictionaries[0][root.sensitive_slot(attribute)];
    for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
      const auto found = place.find(FoldValue(dictionary.text(symbol)));
      if (found == place.end()) continue;
      const uint32_t value =
          table.first_value(attribute) + data.classes[0].bucket_of_symbol[attribute][symbol];
      if (table.value_occurrences(value) == 0) continue;
      occurs[found->second] = true;
      THICKET_ASSIGN(promise.theta[value], FractionOf("theta", values[found->second].theta));
    }
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (occurs[i]) continue;
    Error error = ErrorAt(
        ErrorCode::kUsage, {.file = policy.file, .line = static_cast<uint64_t>(values[i].line)},
        "privacy.theta: every value that has a threshold must occur in the data, but this one does "
        "not",
        "mend its spelling, or remove it");
    error.value = values[i].value;
    return error;
  }
  return {};
}

Result<TablePromise> PromiseOf(const Policy& policy, const EncodedDataset& data,
                               const Table& table) {
  const PrivacyPolicy& privacy = policy.privacy;
  const auto k = static_cast<uint64_t>(privacy.k.value_or(1));
  if (privacy.l) {
    return TablePromise::Uniform(table, {1, static_cast<uint64_t>(*privacy.l)}, k);
  }
  if (!privacy.theta) return TablePromise::KAnonymity(table, k);
  THICKET_ASSIGN(const Fraction theta, FractionOf("theta", privacy.theta->otherwise));
  TablePromise promise = privacy.theta->from_frequency ? TablePromise::ByFrequency(table, theta, k)
                                                       : TablePromise::Uniform(table, theta, k);
  THICKET_TRY(SetThresholds(policy, data, table, promise));
  return promise;
}

Result<TableGoal> GoalOf(const Policy& policy, const EncodedDataset& data, const Table& table) {
  TableGoal goal;
  THICKET_ASSIGN(goal.promise, PromiseOf(policy, data, table));
  THICKET_ASSIGN(goal.suppression,
                 MeaningOf("suppression", policy.method.suppression, kSuppressions));
  THICKET_ASSIGN(goal.metric, MeaningOf("metric", policy.method.metric, kMetrics));
  goal.suppression_cost = TableGoal::LeastCost(table, goal.suppression);
  if (policy.method.suppression_cost) {
    THICKET_ASSIGN(goal.suppression_cost,
                   FractionOf("method.suppression_cost", Decimal(*policy.method.suppression_cost)));
  }
  return goal;
}

TableAnswer Search(const TableTask& task, TableSearch search, const MethodPolicy& method,
                   Random& random, Parallel& parallel, Progress& progress) {
  const auto top_h = static_cast<size_t>(method.top_h);
  switch (search) {
    case TableSearch::kIncognito:
      return FindBestFullDomainCuts(task, {.limit_s = method.limit_s, .top_h = top_h}, parallel,
                                    progress);
    case TableSearch::kAnnealing:
      return FindCutsByAnnealing(task, {.limit_s = method.limit_s, .top_h = top_h}, random,
                                 progress);
    case TableSearch::kLplus:
      break;
  }
  return FindBestTableCuts(task, {.alpha = method.alpha, .limit_s = method.limit_s, .top_h = top_h},
                           parallel, progress);
}

Error NoCut(const Policy& policy, const BestCuts& best, const EncodedDataset& data) {
  if (best.proof == BestCuts::Proof::kStopped) {
    return {
        ErrorCode::kPromise,
        "limit_s ended the search before a cut that keeps the promise was found, so nothing was "
        "published",
        "raise limit_s, or leave it out", ""};
  }
  const PrivacyPolicy& privacy = policy.privacy;
  const std::string_view weaker = privacy.theta ? "raise theta" : privacy.l ? "lower l" : "lower k";
  // Whatever else is suppressed, every label at its root will do. The fewest records are for one attribute only.
  const bool is_one = policy.schema->root().sensitive.size() == 1;
  const std::string_view scheme = is_one                         ? "violating-records"
                                  : policy.method.metric == "lm" ? "all-values"
                                                                 : "all-records";
  std::string what =
      "no cut through the taxonomies keeps the promise, not even with every label at its root, so "
      "nothing was published";
  if (const auto found = privacy.l ? FindTooAlikeRoots(data, *privacy.l) : std::nullopt) {
    what += ": " + found->why;
  }
  return {ErrorCode::kPromise, std::move(what),
          fmt::format("let suppression be {}, or {}", scheme, weaker), ""};
}

// A tree per class, and who and what goes.
Publication Publish(const TableTask& task, const LabelSpace& space, std::span<const Item> cut,
                    const EncodedDataset& data, Random& random) {
  const Table& table = task.table();
  CutJudge judge(task);
  const TableSuppression suppression = judge.Suppress(cut, random);
  const std::vector<uint32_t>& class_of = judge.class_of_cell();
  std::vector<std::vector<RecordId>> members;
  std::vector<uint32_t> a_cell;
  auto next_out = suppression.records.begin();
  for (RecordId record = 0; record < table.record_count(); ++record) {
    StopPoint();
    const uint32_t cell = table.cell_of(record);
    if (class_of[cell] >= members.size()) {
      members.resize(class_of[cell] + 1);
      a_cell.resize(class_of[cell] + 1);
    }
    a_cell[class_of[cell]] = cell;
    if (next_out != suppression.records.end() && *next_out == record) {
      ++next_out;
    } else {
      members[class_of[cell]].push_back(record);
    }
  }
  std::vector<bool> is_label(table.forest().size(), false);
  for (const Item item : cut) is_label[item] = true;
  Publication published;
  std::vector<Label> labels(table.quasi_count());
  for (size_t number = 0; number < members.size(); ++number) {
    if (members[number].empty()) continue;
    for (size_t quasi = 0; quasi < labels.size(); ++quasi) {
      Item item = table.cell(a_cell[number])[quasi];
      while (!is_label[item] && !table.forest().is_root(item)) item = table.forest().parent(item);
      labels[quasi] = space.label(item);
    }
    published.Open(0, labels);
    for (const RecordId record : members[number]) {
      const Vertex root = data.forest().root(record);
      published.AddRecord(record);
      published.AddSources({&root, 1});
    }
    published.EndTree();
  }
  published.Suppress({suppression.records.begin(), suppression.records.end()});
  std::vector<Publication::SuppressedValue> values;
  const VertexClass& schema = data.schema().root();
  for (const TableSuppression::Value& value : suppression.values) {
    values.push_back({data.forest().root(value.record),
                      static_cast<uint32_t>(schema.sensitive_slot(value.attribute))});
  }
  published.SuppressValues(std::move(values));
  return published;
}

std::string_view ProofName(TableSearch search, BestCuts::Proof proof) {
  if (search == TableSearch::kAnnealing) return "none";
  switch (proof) {
    case BestCuts::Proof::kOptimal:
      return search == TableSearch::kIncognito ? "optimal-levels" : "optimal";
    case BestCuts::Proof::kWithinAlpha:
      return "within-alpha";
    case BestCuts::Proof::kStopped:
    case BestCuts::Proof::kInfeasible:
      break;
  }
  return "bound";
}

Report::Cut Describe(const TableTask& task, const LabelSpace& space, const TableAnswer& answer,
                     const BestCuts::Answer& cut, TableSearch search, const EncodedDataset& data,
                     const Policy& policy) {
  Report::Cut described;
  for (const QuasiAttribute& attribute : data.schema().root().quasi) {
    described.attributes.push_back({attribute.name, {}, false});
  }
  for (const Item item : cut.labels) {
    const LabelSpace::Attribute& attribute = space.attribute(item);
    // A missing value has no text, and is published as missing.
    if (item == attribute.missing) continue;
    const Taxonomy& taxonomy = data.classes[0].domains[attribute.slot].taxonomy();
    described.attributes[attribute.slot].labels.push_back(taxonomy.label(space.label(item).low));
  }
  described.cost = task.ToDouble(cut.cost);
  described.stopped_early =
      search != TableSearch::kAnnealing && answer.best.proof == BestCuts::Proof::kStopped;
  Report::Cut::Proof proof;
  proof.metric = policy.method.metric;
  proof.kind = ProofName(search, answer.best.proof);
  proof.all_cuts = answer.all_cuts;
  proof.pruned = answer.Pruned();
  if (search != TableSearch::kAnnealing) {
    // What no cut undercuts, the other answers among them.
    proof.bound = task.ToDouble(std::min(answer.best.bound, answer.best.cuts.front().cost));
  }
  described.proof = std::move(proof);
  return described;
}

// Something is suppressed where a threshold is passed: with a single threshold everybody knows whose.
bool TellsWhatIsSuppressed(const Policy& policy) {
  const std::optional<ThetaPolicy>& theta = policy.privacy.theta;
  if (!theta || policy.privacy.k || policy.method.suppression == "none") return false;
  const auto below_one =
      std::count_if(theta->values.begin(), theta->values.end(),
                    [](const ThetaPolicy::OfValue& of) { return of.theta < Decimal(1); });
  return theta->otherwise >= Decimal(1) && below_one == 1;
}

}  // namespace

Result<MethodResult> RunTableSearch(const Policy& policy, TableSearch search, uint64_t random_seed,
                                    const EncodedDataset& data, Parallel& parallel,
                                    Progress& progress) {
  THICKET_TRY(CheckOriginals(data));
  const std::vector<std::string>& keep = data.schema().root().keep;
  const auto of_class = std::find(keep.begin(), keep.end(), policy.method.class_attribute);
  std::optional<size_t> label;
  if (of_class != keep.end() && policy.method.metric == "cm") {
    label = static_cast<size_t>(of_class - keep.begin());
  }
  const LabelSpace space(data);
  const Table table(ColumnsOf(data, space, label));
  THICKET_ASSIGN(TableGoal goal, GoalOf(policy, data, table));
  const TableTask task(table, std::move(goal));
  Random random = Random::Seeded(random_seed);
  const TableAnswer answer = Search(task, search, policy.method, random, parallel, progress);
  if (answer.best.cuts.empty()) return NoCut(policy, answer.best, data);
  const BestCuts::Answer& cut = answer.best.cuts[random.Below(answer.best.cuts.size())];
  MethodResult result;
  result.published = Publish(task, space, cut.labels, data, random);
  if (result.published.empty()) {
    return Error{ErrorCode::kPromise,
                 "the cut that costs least leaves every record out, so nothing was published",
                 "raise suppression_cost, or ask for less: a larger theta, a lower k or l", ""};
  }
  result.cut = Describe(task, space, answer, cut, search, data, policy);
  result.search = {answer.best.examined, answer.best.judged};
  if (TellsWhatIsSuppressed(policy)) {
    result.warnings.emplace_back(
        "only one value has a threshold below 1, so whoever knows the policy knows that this value "
        "was too frequent wherever something is suppressed; set theta.default below 1, or "
        "suppression: none");
  }
  if (result.cut->stopped_early) {
    result.warnings.push_back(
        fmt::format("limit_s ended the search: the cut costs {}, and no other costs less than {}",
                    FigureText(result.cut->cost), FigureText(*result.cut->proof->bound)));
  }
  return result;
}

}  // namespace thicket
