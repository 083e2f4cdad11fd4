#include "engine/method.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/phase.h"
#include "base/silent_progress.h"
#include "cutting/kmn/cut_search.h"
#include "engine/bag_method.h"
#include "engine/cut_method.h"
#include "engine/least_loss.h"
#include "engine/neighbourhood_cost.h"
#include "engine/no_class.h"
#include "engine/set_method.h"
#include "engine/table_method.h"
#include "engine/word_meaning.h"
#include "grouping/agglomerate.h"
#include "grouping/clustree.h"
#include "grouping/miracle.h"
#include "grouping/mlevclutree.h"
#include "grouping/nearby_clustree.h"
#include "grouping/parts.h"
#include "grouping/refine.h"
#include "grouping/unite.h"

namespace thicket {

namespace {

constexpr WordMeaning<Mapping> kMappings[] = {
    {"lsap", Mapping::kLsap}, {"greedy", Mapping::kGreedy}, {"labels", Mapping::kLabels}};
constexpr WordMeaning<MergeCost> kMergeCosts[] = {{"weighted", MergeCost::kWeighted},
                                                  {"faithful", MergeCost::kFaithful}};
constexpr WordMeaning<Leftovers> kLeftovers[] = {{"absorb", Leftovers::kAbsorb},
                                                 {"suppress", Leftovers::kSuppress}};

// What every method is given.
struct Job {
  const Policy& policy;
  const MethodOptions& run;
  const EncodedDataset& data;
  Parallel& parallel;
  Progress& progress;
};

// What is done across the borders of parts. One part has no borders, and one round mends most of what proposals missed.
constexpr int kRoundsOfOnePart = 1;
constexpr int kRoundsAcrossParts = 2;
constexpr size_t kMostVerticesToExchange = 128;
constexpr size_t kChancesAcrossParts = 6;

// The size that classes are grown to. In a class of k > l records a value may stand only k / l times in a vertex, rounded
// down: the next multiple of l leaves the values much more room for at most l - 1 records more.
int GrownSize(const PrivacyPolicy& privacy, size_t records) {
  const int least = privacy.class_size();
  const int l = privacy.l.value_or(1);
  const int multiple = (least + l - 1) / l * l;
  return records >= static_cast<size_t>(multiple) ? multiple : least;
}

// How vertices are paired: by the policy's parameters, where the method has them, or as the method always does.
Result<MergeOptions> MergeOfPolicy(const MethodPolicy& method) {
  MergeOptions merge;
  THICKET_ASSIGN(merge.mapping, MeaningOf("mapping", method.mapping, kMappings));
  THICKET_ASSIGN(merge.cost, MeaningOf("cost", method.cost, kMergeCosts));
  return merge;
}
Result<MergeOptions> MergeOfMLevCluTree(const MethodPolicy& /*method*/) {
  return MLevCluTreeOptions().merge;
}

// From how many records on, and how many of them at a time, methods look at neighbourhoods by themselves.
struct Neighbourhood {
  size_t from;
  size_t size;
};
// In how many rounds classes of single vertices are improved: the larger the classes, the more there is to move, and what must be
// diverse has been brought together one after the other (grouping/agglomerate.cc). Of very many records the first rounds gain most.
constexpr size_t kVeryMany = 200'000;
int RoundsOfTables(int class_size, const DiversityRule& rule, size_t records) {
  if (rule.Constrains()) return records > kVeryMany ? 12 : 32;
  return std::clamp(2 * class_size, 8, 32);
}
constexpr size_t kManyToAgglomerate = 2'000;
constexpr size_t kTogether = 100'000;
constexpr Neighbourhood kPartsNeighbourhood = {40'000, 4'000};
// From so many trees on a part is grouped by what an index proposes, and a smaller one by the method as it is. If they have more
// than so many vertices, fewer of them are many.
constexpr size_t kManyTrees = 4'000;
constexpr size_t kFewestManyTrees = 1'000;
constexpr size_t kManyVertices = 168'000;
// How many vertices are compared with a class, about, before the best record is taken; and how many records that are.
constexpr size_t kComparedVertices = 1'700;
constexpr size_t kFewestComparisons = 16;
constexpr size_t kMostComparisons = 96;
// The same with passes: how many pairs of vertices, twice as many where so many records are near each other that more of those that are
// proposed may be the best; or if that is more, how many vertices; and how many records are proposed.
constexpr size_t kComparedPairs = 20'000;
constexpr size_t kManyToCompareMore = 20'000;
constexpr size_t kComparedWithPasses = 540;
constexpr size_t kFewestWithPasses = 3;
constexpr size_t kFewestProposals = 24;
constexpr size_t kMostProposals = 96;

bool IsFlat(const EncodedDataset& data) {
  return data.forest().vertex_count() == data.forest().record_count();
}

// How many vertices a record has, about.
size_t VerticesOf(const EncodedDataset& data) {
  const size_t records = std::max<size_t>(1, data.forest().record_count());
  return std::max<size_t>(1, data.forest().vertex_count() / records);
}

size_t ManyTrees(const EncodedDataset& data) {
  return std::clamp(kManyVertices / VerticesOf(data), kFewestManyTrees, kManyTrees);
}

Neighbourhood OfClusTree(const EncodedDataset& data) {
  if (IsFlat(data)) return kPartsNeighbourhood;
  return {ManyTrees(data), kTogether};
}

Neighbourhood OfAgglomerate(const EncodedDataset& data) {
  return {IsFlat(data) ? kManyToAgglomerate : std::min(kManyToAgglomerate, ManyTrees(data)),
          kTogether};
}

// Single vertices are compared in no time, so they need no proposals.
bool NeedsProposals(const EncodedDataset& data, size_t size, size_t records) {
  return !IsFlat(data) && std::min(size, records) >= ManyTrees(data);
}

// How many records are looked at together; 0: all.
size_t NeighbourhoodOf(const Policy& policy, size_t records, const Neighbourhood& by_itself) {
  const std::string& text = policy.method.neighbourhood;
  if (text == "off") return 0;
  if (text != "auto") return std::stoul(text);
  return records < by_itself.from ? 0 : by_itself.size;
}

// How many records there are in all.
size_t RecordsOf(const Job& job) {
  return std::max(job.data.forest().record_count(), job.run.drawn_from);
}

// Large trees take longer to compare, so fewer of them are.
size_t ComparisonsOf(const EncodedDataset& data) {
  return std::clamp(kComparedVertices / VerticesOf(data), kFewestComparisons, kMostComparisons);
}

// With passes there are three times as many looks, and the first few comparisons of each gain most. How long one takes grows with the
// square of the vertices.
size_t ComparisonsWithPasses(const EncodedDataset& data, size_t records) {
  const size_t vertices = VerticesOf(data);
  const size_t pairs = records < kManyToCompareMore ? kComparedPairs : 2 * kComparedPairs;
  return std::clamp(std::max(pairs / (vertices * vertices), kComparedWithPasses / vertices),
                    kFewestWithPasses, kMostComparisons);
}

// What is proposed and compared where the cheapest classes come first.
template <typename Options>
void ProposeWithPasses(const EncodedDataset& data, size_t records, Options& options) {
  options.comparisons = ComparisonsWithPasses(data, records);
  options.proposals = std::clamp(3 * options.comparisons, kFewestProposals, kMostProposals);
  // The more are remembered, the fewer comparisons are given up early.
  options.remembered = std::clamp<size_t>(options.comparisons / 3, 1, options.remembered);
}

// In how many rounds classes of trees are improved that were found in parts of this size (0: in the whole). At least one, in which who
// is left over finds a place.
int RoundsOfTrees(size_t size, size_t records) {
  return size > 0 && size < records ? kRoundsAcrossParts : kRoundsOfOnePart;
}
// How many records are compared with a hole in each of them. Of large trees, a round of exchanges gains a thousandth of what is lost and
// takes a fifth of the time.
size_t ChancesOfTrees(const EncodedDataset& data, size_t size, size_t records) {
  const bool in_parts = size > 0 && size < records;
  if (!in_parts && VerticesOf(data) > kMostVerticesToExchange) return 0;
  return std::min(kChancesAcrossParts, ComparisonsWithPasses(data, records));
}

// Runs the method on the whole, or on parts of `size` by themselves, whose classes are then improved across their borders.
template <typename GroupPart>
Result<Grouping> InParts(const Job& job, size_t size, const MergeOptions& merge,
                         const GroupPart& group) {
  THICKET_ASSIGN(Grouping grouping,
                 GroupByParts(job.data, size, group, job.parallel, job.progress));
  RefineOptions options;
  options.class_size = job.policy.privacy.class_size();
  options.rule = RuleOf(job.policy.privacy);
  options.merge = merge;
  options.rounds = RoundsOfTrees(size, RecordsOf(job));
  options.chances = ChancesOfTrees(job.data, size, RecordsOf(job));
  return Refine(job.data, std::move(grouping), options, job.parallel, job.progress);
}

Result<Grouping> RunClusTree(const Job& job) {
  const MethodPolicy& method = job.policy.method;
  ClusTreeOptions options;
  options.class_size = GrownSize(job.policy.privacy, job.data.forest().record_count());
  options.rule = RuleOf(job.policy.privacy);
  THICKET_ASSIGN(options.merge, MergeOfPolicy(method));
  options.passes = method.passes;
  options.s = method.s;
  options.m = method.m;
  THICKET_ASSIGN(options.leftovers, MeaningOf("leftovers", method.leftovers, kLeftovers));
  options.exhaustive = job.run.exhaustive;
  NearbyClusTreeOptions nearby;
  nearby.class_size = options.class_size;
  nearby.rule = options.rule;
  nearby.merge = options.merge;
  nearby.passes = options.passes;
  nearby.comparisons = ComparisonsOf(job.data);
  if (options.passes) ProposeWithPasses(job.data, RecordsOf(job), nearby);
  const size_t size = NeighbourhoodOf(job.policy, RecordsOf(job), OfClusTree(job.data));
  const bool proposes = NeedsProposals(job.data, size, RecordsOf(job));
  const auto group = [&](const EncodedDataset& data, Parallel& parallel, Progress& progress) {
    return proposes ? NearbyClusTree(data, nearby, parallel, progress)
                    : ClusTree(data, options, parallel, progress);
  };
  const size_t records = job.data.forest().record_count();
  if (size == 0 || (!proposes && size >= records))
    return group(job.data, job.parallel, job.progress);
  return InParts(job, size, options.merge, group);
}

Result<Grouping> RunAgglomerate(const Job& job) {
  AgglomerateOptions options;
  options.neighbourhood = NeighbourhoodOf(job.policy, RecordsOf(job), OfAgglomerate(job.data));
  options.least_size = job.policy.privacy.class_size();
  options.exhaustive = job.run.exhaustive;
  options.class_size = GrownSize(job.policy.privacy, job.data.forest().record_count());
  options.rule = RuleOf(job.policy.privacy);
  THICKET_ASSIGN(options.merge, MergeOfPolicy(job.policy.method));
  if (GrowsByRecords(job.data, options.rule)) {
    ProposeWithPasses(job.data, RecordsOf(job), options);
  } else {
    options.comparisons = std::min(options.comparisons, ComparisonsOf(job.data));
  }
  // Classes of single vertices are improved in no time. Of trees, little more is worth the time than mending what proposals missed and
  // parts have torn apart.
  if (IsFlat(job.data)) {
    options.rounds = RoundsOfTables(options.class_size, options.rule, RecordsOf(job));
  } else {
    options.rounds = RoundsOfTrees(options.neighbourhood, RecordsOf(job));
    options.chances = ChancesOfTrees(job.data, options.neighbourhood, RecordsOf(job));
  }
  return Agglomerate(job.data, options, job.parallel, job.progress);
}

template <MiracleVariant kVariant>
Result<Grouping> RunMiracle(const Job& job) {
  MiracleOptions options;
  options.exhaustive = job.run.exhaustive;
  options.variant = kVariant;
  options.class_size = job.policy.privacy.class_size();
  options.rule = RuleOf(job.policy.privacy);
  options.climit = job.policy.method.climit;
  options.th = job.policy.method.th;
  return Miracle(job.data, options, job.parallel, job.progress);
}

Result<Grouping> RunMLevCluTree(const Job& job) {
  MLevCluTreeOptions options;
  options.random_seed = job.run.random_seed;
  options.exhaustive = job.run.exhaustive;
  options.class_size = job.policy.privacy.class_size();
  options.rule = RuleOf(job.policy.privacy);
  options.candidates = static_cast<size_t>(job.policy.method.candidates);
  THICKET_ASSIGN(options.leftovers,
                 MeaningOf("leftovers", job.policy.method.leftovers, kLeftovers));
  const auto group = [&](const EncodedDataset& data, Parallel& parallel, Progress& progress) {
    return MLevCluTree(data, options, parallel, progress);
  };
  const size_t size = NeighbourhoodOf(job.policy, RecordsOf(job), kPartsNeighbourhood);
  if (size == 0 || size >= job.data.forest().record_count()) {
    return group(job.data, job.parallel, job.progress);
  }
  return InParts(job, size, options.merge, group);
}

template <CutMethod kMethod>
Result<MethodResult> RunKmn(const Job& job) {
  return RunKmnSearch(job.policy, kMethod, job.run.exhaustive, job.data, job.parallel,
                      job.progress);
}

template <TableSearch kSearch>
Result<MethodResult> RunTable(const Job& job) {
  return RunTableSearch(job.policy, kSearch, job.run.random_seed, job.data, job.parallel,
                        job.progress);
}

template <SetSearch kSearch>
Result<MethodResult> RunSet(const Job& job) {
  return RunSetSearch(job.policy, kSearch, job.data, job.parallel, job.progress);
}

template <BagSearch kSearch>
Result<MethodResult> RunBag(const Job& job) {
  static const NetworkFiles none;
  return RunBagSearch(job.policy, kSearch, job.run.networks != nullptr ? *job.run.networks : none,
                      job.data, job.run.exhaustive, job.parallel, job.progress);
}

Result<MethodResult> RunLg(const Job& job) {
  return job.policy.privacy.of_bags ? RunBag<BagSearch::kLg>(job) : RunSet<SetSearch::kLg>(job);
}

struct GroupingMethod {
  std::string_view name;
  Result<Grouping> (*run)(const Job& job);
  // For refining what comes of it.
  Result<MergeOptions> (*merge)(const MethodPolicy& method);
};

// Hands back what is published, whatever the family.
struct WholeMethod {
  std::string_view name;
  MethodFamily family;
  Result<MethodResult> (*run)(const Job& job);
};

constexpr GroupingMethod kGroupingMethods[] = {
    {"clustree", RunClusTree, MergeOfPolicy},
    {"agglomerate", RunAgglomerate, MergeOfPolicy},
    {"mlevclutree", RunMLevCluTree, MergeOfMLevCluTree},
    {"miracle", RunMiracle<MiracleVariant::kMiracle>, MergeOfPolicy},
    {"miraclex", RunMiracle<MiracleVariant::kMiracleX>, MergeOfPolicy},
    {"dmiracle", RunMiracle<MiracleVariant::kDMiracle>, MergeOfPolicy},
    {"cdgh", RunMiracle<MiracleVariant::kBitmap>, MergeOfPolicy},
};

constexpr WholeMethod kWholeMethods[] = {
    {"gcs", MethodFamily::kCutting, RunKmn<CutMethod::kGcs>},
    {"acs", MethodFamily::kCutting, RunKmn<CutMethod::kAcs>},
    {"ocs", MethodFamily::kCutting, RunKmn<CutMethod::kOcs>},
    {"lplus", MethodFamily::kCutting, RunTable<TableSearch::kLplus>},
    {"incognito", MethodFamily::kCutting, RunTable<TableSearch::kIncognito>},
    {"annealing", MethodFamily::kCutting, RunTable<TableSearch::kAnnealing>},
    {"og", MethodFamily::kCutting, RunSet<SetSearch::kOg>},
    {"mog", MethodFamily::kCutting, RunSet<SetSearch::kMog>},
    {"aa", MethodFamily::kCutting, RunSet<SetSearch::kAa>},
    {"mm", MethodFamily::kCutting, RunSet<SetSearch::kMm>},
    {"ssg", MethodFamily::kGrouping, RunBag<BagSearch::kSsg>},
    {"lg", MethodFamily::kGrouping, RunLg},
    {"lgbag", MethodFamily::kGrouping, RunBag<BagSearch::kLgBag>},
};

template <typename Method, size_t N>
const Method* Find(const Method (&methods)[N], const std::string& name) {
  for (const Method& method : methods) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

Result<Grouping> Group(const GroupingMethod& method, const Job& job) {
  THICKET_ASSIGN(Grouping grouping, method.run(job));
  if (!job.policy.method.refine) return grouping;
  RefineOptions options;
  options.class_size = job.policy.privacy.class_size();
  options.rule = RuleOf(job.policy.privacy);
  THICKET_ASSIGN(options.merge, method.merge(job.policy.method));
  options.limit_s = job.policy.method.limit_s;
  return Refine(job.data, std::move(grouping), options, job.parallel, job.progress);
}

// Fills in what it cost to look at neighbourhoods, where that can be estimated in a part of the run's time.
Status EstimateNeighbourhoodCost(const GroupingMethod& method, const Job& job,
                                 Report::Search& search) {
  const size_t records = job.data.forest().record_count();
  const size_t sample = NeighbourhoodSample(records, search.neighbourhood, search.parts);
  // How far refining comes in some seconds says nothing.
  if (sample == 0 || job.run.drawn_from > 0 || job.policy.method.limit_s) return {};
  const Phase phase("estimate");
  SilentProgress silent(job.progress);
  const ProgressScope scope(silent);
  MethodOptions drawn = job.run;
  drawn.drawn_from = records;
  Policy alone = job.policy;
  alone.method.neighbourhood = "off";
  const auto nearby = [&](const EncodedDataset& data) {
    return Group(method, {job.policy, drawn, data, job.parallel, silent});
  };
  const auto whole = [&](const EncodedDataset& data) {
    return Group(method, {alone, job.run, data, job.parallel, silent});
  };
  THICKET_ASSIGN(search.neighbourhood_cost, NeighbourhoodCost(job.data, sample, nearby, whole));
  if (search.neighbourhood_cost) search.neighbourhood_sample = sample;
  return {};
}

// Of the methods that take in who is left over.
Result<std::optional<uint64_t>> CostlyLeftovers(const GroupingMethod& method, const Job& job,
                                                const Publication& published) {
  const MethodPolicy& policy = job.policy.method;
  if (!RowOf(policy).Takes(&MethodPolicy::neighbourhood)) return std::optional<uint64_t>();
  THICKET_ASSIGN(const Leftovers leftovers, MeaningOf("leftovers", policy.leftovers, kLeftovers));
  if (leftovers == Leftovers::kSuppress) return std::optional<uint64_t>(0);
  THICKET_ASSIGN(const MergeOptions merge, method.merge(policy));
  return std::optional<uint64_t>(
      CountCostlyLeftovers(job.data, RuleOf(job.policy.privacy), merge, published));
}

Result<MethodResult> RunGrouping(const GroupingMethod& method, const Job& job) {
  THICKET_ASSIGN(Grouping grouping, Group(method, job));
  MethodResult result;
  THICKET_ASSIGN(result.costly_leftovers, CostlyLeftovers(method, job, grouping.published));
  // Nobody who reads the output can tell equal classes apart, so they are one, also for --with-class and for the check.
  result.published = UniteEqualClasses(job.data, std::move(grouping.published));
  result.search = {grouping.search.candidates, grouping.search.compared,
                   grouping.search.neighbourhood, grouping.search.parts};
  THICKET_TRY(EstimateNeighbourhoodCost(method, job, result.search));
  if (result.published.empty()) return NoClassFound(job.policy, job.data);
  // What is drawn from larger data says nothing of it.
  if (job.run.drawn_from == 0) {
    result.at_least = LeastLoss(job.policy, job.data, result.published, job.parallel);
  }
  return result;
}

}  // namespace

DiversityRule RuleOf(const PrivacyPolicy& privacy) {
  DiversityRule rule;
  rule.l = privacy.l.value_or(0);
  if (privacy.alpha) rule.alpha = *privacy.alpha;
  return rule;
}

Growth GrowthOf(const Policy& policy, const EncodedDataset& data, size_t records) {
  if (!RowOf(policy.method).Takes(&MethodPolicy::neighbourhood)) return {};
  // Agglomerate unites single vertices by proposals as well.
  const bool passes = RowOf(policy.method).Takes(&MethodPolicy::passes);
  const bool levels = RowOf(policy.method).Takes(&MethodPolicy::candidates);
  if (!passes && !levels) {
    return {0, NeighbourhoodOf(policy, records, OfAgglomerate(data)) > 0};
  }
  const size_t size =
      NeighbourhoodOf(policy, records, levels ? kPartsNeighbourhood : OfClusTree(data));
  return {size, !levels && NeedsProposals(data, size, records)};
}

Result<MethodResult> RunMethod(const Policy& policy, const MethodOptions& run,
                               const EncodedDataset& data, Parallel& parallel, Progress& progress) {
  const Job job = {policy, run, data, parallel, progress};
  if (const GroupingMethod* method = Find(kGroupingMethods, policy.method.name)) {
    return RunGrouping(*method, job);
  }
  if (const WholeMethod* method = Find(kWholeMethods, policy.method.name)) {
    return method->run(job);
  }
  return Error{ErrorCode::kUsage,
               "method.name must be that of a method, but is " + policy.method.name,
               "docs/policy.md lists the methods", ""};
}

std::vector<RunnableMethod> RunnableMethods() {
  std::vector<RunnableMethod> all;
  for (const GroupingMethod& method : kGroupingMethods) {
    all.push_back({method.name, MethodFamily::kGrouping});
  }
  for (const WholeMethod& method : kWholeMethods) all.push_back({method.name, method.family});
  return all;
}

namespace {

// In JSON on and off are true and false, numbers are numbers, and words are strings.
Report::Method::Parameter Describe(const MethodParameter& parameter, const MethodPolicy& method) {
  std::string text = parameter.ValueIn(method);
  if (const auto* type = std::get_if<MethodParameter::OnOff>(&parameter.type)) {
    text = method.*(type->field) ? "true" : "false";
  }
  const bool is_word = std::holds_alternative<MethodParameter::Word>(parameter.type) ||
                       std::holds_alternative<MethodParameter::Attribute>(parameter.type);
  return {std::string(parameter.key), std::move(text), is_word};
}

}  // namespace

Report::Method DescribeMethod(const MethodPolicy& method) {
  const MethodRow& row = RowOf(method);
  Report::Method described;
  described.name = method.name;
  for (const MethodParameter* parameter : row.own) {
    if (!parameter->in_report || parameter->ValueIn(method).empty()) continue;
    described.parameters.push_back(Describe(*parameter, method));
  }
  if (!row.may_refine) return described;
  for (const MethodParameter* parameter : RefineParameters()) {
    if (parameter->IsDefaultIn(method)) continue;
    described.parameters.push_back(Describe(*parameter, method));
  }
  return described;
}

}  // namespace thicket
