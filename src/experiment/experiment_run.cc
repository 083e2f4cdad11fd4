#include "experiment/experiment_run.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/silent_progress.h"
#include "cutting/sets/dataset_sets.h"
#include "cutting/sets/mog.h"
#include "cutting/table/dataset_table.h"
#include "cutting/table/lplus.h"
#include "engine/levels_for_assessment.h"
#include "engine/method.h"
#include "io/dataset_io.h"
#include "io/outgoing.h"
#include "io/outgoing_reader.h"
#include "policy/method_table.h"
#include "record/bag_pair.h"
#include "record/label_sets.h"
#include "utility/bag_features.h"
#include "utility/bag_lm.h"
#include "utility/closed_patterns.h"
#include "utility/cut_lm.h"
#include "utility/dissimilarity.h"
#include "utility/dm.h"
#include "utility/lm.h"
#include "utility/mining_loss.h"
#include "utility/pattern_distance.h"
#include "utility/queries.h"
#include "utility/rpd.h"
#include "utility/set_loss.h"
#include "utility/set_patterns.h"
#include "verify/verify.h"

namespace thicket {

bool ExperimentRunner::Asks(Measure measure) const {
  const auto is_asked = [&](const std::vector<Measure>& asked) {
    return std::find(asked.begin(), asked.end(), measure) != asked.end();
  };
  return is_asked(experiment_.measures) ||
         std::any_of(experiment_.sweeps.begin(), experiment_.sweeps.end(),
                     [&](const Sweep& sweep) { return is_asked(sweep.measures); });
}

Result<RunOutcome> ExperimentRunner::Run(const Policy& policy, const ExperimentMethod& method,
                                         uint64_t random_seed) {
  SilentProgress part(progress_);
  const ProgressScope unseen(part);
  RunOutcome outcome;
  Measured& measured = outcome.measured;
  if (RowOf(policy.method).Takes(&MethodPolicy::th)) measured.th = policy.method.th;
  Product product;
  // Where time is what is measured, of short runs the shortest of three.
  const bool timed = method.runs == 1 && Asks(Measure::kSeconds);
  for (int i = 0; i < (timed ? 3 : 1) && measured.seconds < kShortSeconds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    THICKET_ASSIGN(product, Produce(policy, method, random_seed, part));
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    measured.seconds = i == 0 ? seconds : std::min(measured.seconds, seconds);
  }
  outcome.stopped_early = product.stopped_early;
  if (outcome.stopped_early) return outcome;
  measured.cost = product.cost;
  measured.examined = product.examined;
  measured.threats = product.threats;
  measured.itemsets = product.itemsets;
  measured.cuts = product.cuts;
  if (method.partial || method.set_partial) return outcome;
  if (product.published.empty()) {
    FillForNobody(measured);
    return outcome;
  }
  THICKET_ASSIGN(outcome.published, WriteAndRead(policy, product.published, part));
  THICKET_TRY(Check(policy, *outcome.published));
  if (policy.privacy.of_sets) {
    THICKET_TRY(FillSets(*outcome.published, product.published, measured));
    return outcome;
  }
  if (policy.privacy.of_bags) {
    THICKET_TRY(FillBags(policy, *outcome.published, product.published, measured));
    return outcome;
  }
  THICKET_TRY(Fill(*outcome.published, product.published.rearranged(), part, measured));
  // Trees do not say what all of a class lack.
  if (method.bitmap == Absent::kNo) measured.dm = product.bitmap_dm;
  return outcome;
}

Result<ExperimentRunner::Product> ExperimentRunner::Produce(const Policy& policy,
                                                            const ExperimentMethod& method,
                                                            uint64_t random_seed,
                                                            Progress& progress) {
  Product product;
  if (method.bitmap) {
    THICKET_ASSIGN(BitmapGrouping found, RunBitmap(policy, *method.bitmap, progress));
    product.published = std::move(found.grouping.published);
    product.bitmap_dm = found.dm;
    return product;
  }
  if (method.partial) return RunPartial(policy, *method.partial, progress);
  if (method.set_partial) return RunSetPartial(policy, *method.set_partial, progress);
  const EncodedDataset& data = policy.privacy.alpha ? *prepared_.levels : prepared_.data;
  Result<MethodResult> found = RunMethod(
      policy, {.random_seed = random_seed, .networks = &prepared_.policy.content().networks}, data,
      parallel_, progress);
  // Nobody can be published: a finding.
  if (!found.ok() && found.error().code == ErrorCode::kPromise) return product;
  if (!found.ok()) return found.error();
  product.published = std::move(found->published);
  product.stopped_early = found->cut && found->cut->stopped_early && !keeps_stopped_;
  if (found->cut && found->cut->proof) {
    product.cost = ShareOfCost(policy, found->cut->cost);
    product.examined = 100 * (1 - found->cut->proof->pruned);
  }
  if (found->sets) {
    product.cost.reset();
    product.threats = static_cast<double>(found->sets->threats);
    product.itemsets = static_cast<double>(found->sets->itemsets);
    product.cuts = static_cast<double>(found->search.candidates);
  }
  return product;
}

// The thesis's two phases, without some of their techniques. No sensitive items.
ExperimentRunner::Product ExperimentRunner::RunSetPartial(const Policy& policy, OgOptions options,
                                                          Progress& progress) {
  const DatasetSets found = SetsOf(prepared_.data);
  const SetPromise promise{.k = static_cast<uint64_t>(policy.privacy.k.value_or(1)),
                           .m = static_cast<uint32_t>(policy.privacy.m.value_or(1)),
                           .n = static_cast<uint32_t>(policy.privacy.n.value_or(0))};
  options.limit_s = policy.method.limit_s;
  const SetAnswer answer = RowOf(policy.method).sets->rounds
                               ? FindCutInRounds(found.sets, promise, options, parallel_, progress)
                               : FindOptimalCut(found.sets, promise, options, parallel_, progress);
  Product product;
  product.stopped_early = answer.best.proof == BestCuts::Proof::kStopped;
  product.threats = static_cast<double>(answer.threats);
  product.itemsets = static_cast<double>(answer.nodes);
  product.cuts = static_cast<double>(answer.cuts);
  return product;
}

// l+-diversity with one threshold for all values, by lplus without some of its techniques.
Result<ExperimentRunner::Product> ExperimentRunner::RunPartial(
    const Policy& policy, const ExperimentMethod::Partial& partial, Progress& progress) {
  const Table table(ColumnsOf(prepared_.data, LabelSpace(prepared_.data), std::nullopt));
  TableGoal goal;
  goal.promise = TablePromise::Uniform(table, {1, static_cast<uint64_t>(*policy.privacy.l)});
  goal.suppression = Suppression::kAllRecords;
  goal.metric = TableMetric::kDm;
  const TableTask task(table, std::move(goal));
  const TableAnswer answer = FindBestTableCuts(task,
                                               {.limit_s = policy.method.limit_s,
                                                .by_weight = partial.by_weight,
                                                .tighten = partial.tighten,
                                                .probe = partial.probe},
                                               parallel_, progress);
  Product product;
  product.stopped_early = answer.best.proof == BestCuts::Proof::kStopped;
  product.examined = 100 * (1 - answer.Pruned());
  if (!answer.best.cuts.empty()) {
    product.cost = ShareOfCost(policy, task.ToDouble(answer.best.cuts.front().cost));
  }
  return product;
}

double ExperimentRunner::ShareOfCost(const Policy& policy, double cost) const {
  const auto records = static_cast<double>(prepared_.data.forest().record_count());
  const auto quasi = static_cast<double>(policy.schema->root().quasi.size());
  if (policy.method.metric == "lm") return cost / records / quasi;
  if (policy.method.metric == "dm") return cost / records / records;
  return cost / records;
}

// CDGH on one flat table, as `method: cdgh` has it otherwise.
Result<BitmapGrouping> ExperimentRunner::RunBitmap(const Policy& policy, Absent absent,
                                                   Progress& progress) {
  BitmapOptions options;
  options.class_size = policy.privacy.class_size();
  options.climit = policy.method.climit;
  options.th = policy.method.th;
  options.absent = absent;
  return CdghOnBitmap(prepared_.data, options, parallel_, progress);
}

// Nobody is published: all is lost, and every count is answered with 0.
void ExperimentRunner::FillForNobody(Measured& measured) const {
  const uint64_t records = prepared_.data.forest().record_count();
  measured.lm = 1;
  measured.accuracy = 0;
  measured.dm = records * records;
  measured.suppressed = records;
  if (Asks(Measure::kRpd)) measured.rpd = 1;
  if (Asks(Measure::kMl2)) measured.ml2 = 1;
  if (Asks(Measure::kDml2)) measured.dml2 = 1;
  if (Asks(Measure::kNcp)) measured.ncp = 1;
  if (Asks(Measure::kPatterns)) measured.patterns = 0;
  if (Asks(Measure::kBlm)) measured.blm = 1;
}

Result<Dataset> ExperimentRunner::WriteAndRead(const Policy& policy, const Publication& published,
                                               Progress& progress) const {
  PublicationRecords records(prepared_.data, published);
  if (!IsStream(policy.input.format)) {
    return ReadOutgoing(policy, records, {}, "published records", progress);
  }
  std::string text;
  THICKET_TRY(WriteRecords(policy, records, {}, [&](std::string_view bytes) {
    text.append(bytes);
    return Status();
  }));
  return ReadDatasetText(policy, text, "published records", ReadAs::kPublished, progress);
}

Status ExperimentRunner::Check(const Policy& policy, const Dataset& published) const {
  // Thresholds that follow from frequencies are only known from the original.
  const bool needs_original = policy.privacy.theta && policy.privacy.theta->from_frequency;
  THICKET_ASSIGN(
      const Verdict verdict,
      VerifyPublished(*policy.schema, policy.privacy, prepared_.policy.content().taxonomies,
                      published, needs_original ? &prepared_.data.data : nullptr,
                      static_cast<int>(parallel_.threads()), prepared_.policy.content().networks));
  if (verdict.holds) return {};
  return Error{ErrorCode::kPromise,
               "the output must keep its promise, but does not: " +
                   (verdict.violations.empty() ? "it holds no records"
                                               : verdict.violations.shown().front().message),
               "this is a defect of thicket; please report it", ""};
}

Status ExperimentRunner::Fill(const Dataset& published, bool rearranged, Progress& progress,
                              Measured& measured) {
  THICKET_ASSIGN(const LmReport lm, MeasureLm(prepared_.data, published, rearranged));
  measured.lm = lm.lm();
  THICKET_ASSIGN(const DmReport dm, MeasureDm(prepared_.data.data, published));
  measured.dm = dm.dm;
  measured.suppressed = dm.suppressed;
  measured.classes = dm.groups;
  if (Asks(Measure::kDissimilarity)) {
    THICKET_ASSIGN(const LevelsForAssessment levels, FindLevels(prepared_.data.data, published));
    const DissimilarityReport found = MeasureDissimilarity(published, levels.published);
    measured.dissimilarity = found.degree;
    measured.level_distance = found.mean_distance;
  }
  if (Asks(Measure::kRpd)) {
    THICKET_ASSIGN(const RpdReport rpd, MeasureRpd(prepared_.data, published));
    measured.rpd = rpd.published;
  }
  if (Asks(Measure::kMl2) || Asks(Measure::kDml2)) {
    THICKET_ASSIGN(const MiningLossReport mining,
                   MeasureMiningLoss(prepared_.data, published, {}, parallel_, progress));
    measured.ml2 = mining.ml2();
    measured.dml2 = mining.dml2();
  }
  return {};
}

Status ExperimentRunner::FillSets(const Dataset& published, const Publication& publication,
                                  Measured& measured) {
  std::vector<RecordId> original_of;
  for (size_t i = 0; i < published.forest.record_count(); ++i) {
    original_of.push_back(publication.record(i));
  }
  THICKET_ASSIGN(const SetLoss loss, MeasureSetLoss(prepared_.data, published, original_of));
  measured.lm = loss.lm.lm();
  measured.ncp = loss.ncp();
  measured.suppressed = prepared_.data.forest().record_count() - original_of.size();
  if (!Asks(Measure::kPatterns)) return {};
  THICKET_ASSIGN(const SetPair pair, SetPair::Read(prepared_.data, published));
  const PatternReport patterns = MeasurePatterns(*pair.taxonomy, pair.original, pair.published,
                                                 {.count_original = false}, parallel_);
  measured.patterns = static_cast<double>(patterns.published);
  measured.error = patterns.error();
  return {};
}

Status ExperimentRunner::FillBags(const Policy& policy, const Dataset& published,
                                  const Publication& publication, Measured& measured) {
  const BagLoss loss =
      MeasureBagLm(prepared_.data, publication,
                   policy.privacy.epsilon ? HyperTerms::kByPlace : HyperTerms::kByLabel);
  measured.blm = loss.blm();
  measured.lm = loss.blm();
  measured.suppressed = prepared_.data.forest().record_count() - published.forest.record_count();
  measured.classes = publication.tree_count();
  THICKET_ASSIGN(const BagPair pair, BagPair::Read(prepared_.data, published));
  const BagFeatures features = CompareBags(pair);
  measured.bags = static_cast<double>(features.original.bags);
  measured.bag_size = features.original.mean_size();
  measured.distinct_terms = 100 * features.distinct_share().value_or(0);
  measured.size_share = 100 * features.size_share().value_or(0);
  if (Asks(Measure::kHeight)) measured.height = MeanHeight(publication);
  if (!Asks(Measure::kRecall)) return {};
  const ClosedPatternOptions options{.count = closed_count_};
  const Recoding& recoding = policy.schema->classes[1].quasi[0].recoding;
  const bool has_network = recoding.kind == Recoding::Kind::kNetwork;
  const PatternKeeping kept = ComparePatterns(
      MineClosedPatterns(pair.original, options, parallel_),
      MineClosedPatterns(pair.published, options, parallel_),
      has_network ? StepsFromWords(pair, *prepared_.policy.content().networks.at(recoding.file))
                  : StepsFromTerms(pair),
      parallel_);
  measured.recall = kept.recall();
  measured.step_distance = kept.s_dist();
  return {};
}

double ExperimentRunner::MeanHeight(const Publication& publication) const {
  const Taxonomy& taxonomy = prepared_.data.classes[1].domains[0].taxonomy();
  uint64_t published = 0;
  uint64_t levels = 0;
  for (const PublishedTree tree : publication.trees()) {
    for (size_t position = 1; position < tree.size(); ++position) {
      const Node label = tree.labels(position)[0].low;
      for (size_t member = 0; member < tree.records.size(); ++member) {
        const Value value = prepared_.data.value(tree.vertex(member, position), 0);
        const Node leaf = taxonomy.first_leaf() + value;
        levels += taxonomy.depth(leaf) - std::min(taxonomy.depth(leaf), taxonomy.depth(label));
        ++published;
      }
    }
  }
  return published == 0 ? 0 : static_cast<double>(levels) / static_cast<double>(published);
}

Status ExperimentRunner::AskQueries(const Dataset& published, Measured& measured) {
  if (!Asks(Measure::kAccuracy)) return {};
  SilentProgress part(progress_);
  const ProgressScope unseen(part);
  THICKET_ASSIGN(const QueryReport queries,
                 MeasureQueries(prepared_.data, published, {.seed = seed_}, parallel_, part));
  measured.accuracy = queries.mean;
  return {};
}

}  // namespace thicket
