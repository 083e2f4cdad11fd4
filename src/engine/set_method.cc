#include "engine/set_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "base/text.h"
#include "cutting/sets/aa.h"
#include "cutting/sets/dataset_sets.h"
#include "cutting/sets/lg.h"
#include "cutting/sets/mm.h"
#include "cutting/sets/mog.h"
#include "cutting/sets/og.h"

namespace thicket {

namespace {

constexpr ClassId kItemClass = 1;

struct SetJob {
  const Policy& policy;
  const EncodedDataset& data;
  const DatasetSets& found;
  SetPromise promise;
  Parallel& parallel;
  Progress& progress;

  const ItemSets& sets() const { return found.sets; }
};

// What a misspelled item would leave unprotected.
Status CheckSensitiveItems(const Policy& policy, const EncodedDataset& data) {
  const std::vector<SensitiveItem>& items = policy.privacy.sensitive_items;
  std::vector<bool> occurs(items.size(), false);
  const Forest& forest = data.forest();
  for (Vertex v = 0; v < forest.vertex_count() && !items.empty(); ++v) {
    StopPoint();
    if (forest.class_of(v) != kItemClass) continue;
    const uint32_t secret = data.classes[kItemClass].SecretOf(0, data.value(v, 0));
    if (secret != ClassEncoding::kNoSecret) occurs[secret] = true;
  }
  for (size_t i = 0; i < items.size(); ++i) {
    if (occurs[i]) continue;
    return ErrorAt(ErrorCode::kUsage,
                   {.file = policy.file,
                    .line = static_cast<uint64_t>(items[i].line),
                    .path = fmt::format("privacy.sensitive_items[{}]", i)},
                   "every sensitive item must occur in the data, but this one does not",
                   "mend its spelling, or remove it; --show-values prints it", items[i].item);
  }
  return {};
}

SetPromise PromiseOf(const PrivacyPolicy& privacy, const ItemSets& sets) {
  const auto all = static_cast<uint32_t>(std::max<uint64_t>(sets.all_leaves(), 1));
  SetPromise promise;
  promise.k = static_cast<uint64_t>(privacy.k.value_or(1));
  promise.most_share = {1, static_cast<uint64_t>(privacy.of_sets ? privacy.l.value_or(1) : 1)};
  promise.m = privacy.m ? static_cast<uint32_t>(*privacy.m) : all;
  promise.n = privacy.n ? static_cast<uint32_t>(*privacy.n) : all;
  // The n of k^(m,n)-anonymity is about relations, and a set has none.
  if (!privacy.of_sets) promise.n = 0;
  return promise;
}

// What even the roots show, whatever is generalized: who has any item, and what sensitive items they have.
struct WhoHasItems {
  uint64_t records = 0;
  // By sensitive item.
  std::vector<uint64_t> with;
};
WhoHasItems FindWhoHasItems(const ItemSets& sets) {
  WhoHasItems found;
  found.with.resize(sets.sensitive_count(), 0);
  for (size_t i = 0; i < sets.transaction_count(); ++i) {
    StopPoint();
    if (sets.items(i).empty()) continue;
    found.records += sets.count(i);
    for (const uint32_t item : sets.sensitive(i)) found.with[item] += sets.count(i);
  }
  return found;
}

Status CheckFrequencies(const SetJob& job) {
  if (job.promise.m == 0 || !job.promise.GuardsSensitive()) return {};
  const WhoHasItems who = FindWhoHasItems(job.sets());
  const auto l = static_cast<uint64_t>(*job.policy.privacy.l);
  for (size_t i = 0; i < who.with.size(); ++i) {
    if (who.with[i] * l <= who.records) continue;
    const SensitiveItem& item = job.policy.privacy.sensitive_items[i];
    return ErrorAt(
        ErrorCode::kPromise,
        {.file = job.policy.file,
         .line = static_cast<uint64_t>(item.line),
         .path = fmt::format("privacy.sensitive_items[{}]", i)},
        fmt::format("a sensitive item must be in at most 1/{} of the records that have other "
                    "items, but this one is in {} of {}, so nothing was published",
                    l, WithCommas(who.with[i]), WithCommas(who.records)),
        "lower l, or leave the item out of the data; --show-values prints it", item.item);
  }
  return {};
}

Error NoSetCut(const SetJob& job, bool stopped) {
  if (stopped) {
    return {
        ErrorCode::kPromise,
        "limit_s ended the search before a cut that keeps the promise was found, so nothing was "
        "published",
        "raise limit_s, or leave it out", ""};
  }
  const WhoHasItems who = FindWhoHasItems(job.sets());
  if (who.records > 0 && who.records < job.promise.k) {
    return {ErrorCode::kPromise,
            fmt::format("at least k = {} records must have items, but only {} {}; nothing was "
                        "published",
                        job.promise.k, who.records, who.records == 1 ? "does" : "do"),
            "lower k, or publish more records together", ""};
  }
  return {ErrorCode::kPromise,
          "no cut through the taxonomy keeps the promise, not even with every item at the root, so "
          "nothing was published",
          "lower k, l, m or n", ""};
}

// Labels of a record: each once, ascending, which says nothing of how they stood.
class SetPublisher {
 public:
  explicit SetPublisher(const SetJob& job) : job_(job) {}

  // Whatever label each leaf has under one cut; kNone for items that are left out.
  Publication OfCut(const std::vector<Item>& label_of) {
    Publication published;
    published.SetRearranged();
    for (RecordId record = 0; record < job_.data.forest().record_count(); ++record) {
      StopPoint();
      Begin(record);
      for (const Item leaf : leaves_) {
        if (label_of[leaf] != DatasetSets::kNone) {
          labels_.push_back(job_.found.label_of_item[label_of[leaf]]);
        }
      }
      const size_t items = labels_.size();
      Emit(record, published);
      published.CountMerged(items - labels_.size(), 0);
    }
    return published;
  }
  // As parts say; LgAnswer::kLeftOut is left out.
  Publication OfParts(const LgAnswer& answer) {
    Publication published;
    published.SetRearranged();
    std::vector<RecordId> left_out;
    for (RecordId record = 0; record < job_.data.forest().record_count(); ++record) {
      StopPoint();
      const uint32_t set = answer.set_of_record[record];
      if (set == LgAnswer::kLeftOut) {
        left_out.push_back(record);
        continue;
      }
      Begin(record);
      for (const Item item : answer.sets[set]) labels_.push_back(job_.found.label_of_item[item]);
      Emit(record, published);
    }
    published.Suppress(std::move(left_out));
    return published;
  }

 private:
  // Fills `leaves_` with the record's items, and `labels_` with its sensitive ones.
  void Begin(RecordId record) {
    leaves_.clear();
    labels_.clear();
    const Forest& forest = job_.data.forest();
    for (const Vertex vertex : forest.Children(forest.root(record))) {
      const LabelId leaf = job_.found.labels.Leaf(kItemClass, 0, job_.data.value(vertex, 0));
      if (leaf == LabelSpace::kNone) continue;
      if (job_.found.item_of_label[leaf] != DatasetSets::kNone) {
        leaves_.push_back(job_.found.item_of_label[leaf]);
      } else {
        labels_.push_back(leaf);
      }
    }
  }
  void Emit(RecordId record, Publication& published) {
    std::sort(labels_.begin(), labels_.end());
    labels_.erase(std::unique(labels_.begin(), labels_.end()), labels_.end());
    published.AddRecord(record);
    const uint32_t root = published.Open(0, {});
    const Vertex source = job_.data.forest().root(record);
    published.AddSources({&source, 1});
    for (const LabelId id : labels_) {
      const Label label = job_.found.labels.label(id);
      published.Open(kItemClass, {&label, 1});
      published.AddSources({});
    }
    published.Close(root);
    published.EndTree();
  }

  const SetJob& job_;
  std::vector<Item> leaves_;
  std::vector<LabelId> labels_;
};

// By item of the forest: the label of the cut at or above it.
std::vector<Item> LabelsUnder(const ItemSets& sets, const std::vector<Item>& cut) {
  std::vector<Item> label_of(sets.forest().size(), DatasetSets::kNone);
  for (const Item label : cut) label_of[label] = label;
  for (Item item = 0; item < label_of.size(); ++item) {
    if (label_of[item] == DatasetSets::kNone && !sets.forest().is_root(item)) {
      label_of[item] = label_of[sets.forest().parent(item)];
    }
  }
  return label_of;
}

Report::Cut DescribeCut(const SetJob& job, const std::vector<Item>& cut, double ncp) {
  const Schema& schema = job.data.schema();
  const Taxonomy& taxonomy = job.data.classes[kItemClass].domains[0].taxonomy();
  Report::Cut described;
  described.attributes.push_back(
      {schema.PathOf(kItemClass, schema.classes[kItemClass].quasi.front().name), {}, false});
  for (const Item item : cut) {
    const Label label = job.found.labels.label(job.found.label_of_item[item]);
    described.attributes.front().labels.push_back(taxonomy.label(label.low));
  }
  described.cost = ncp;
  return described;
}

std::string_view ProofKind(const BestCuts& best, bool in_rounds) {
  if (in_rounds) return "none";
  switch (best.proof) {
    case BestCuts::Proof::kOptimal:
      return "optimal";
    case BestCuts::Proof::kWithinAlpha:
      return "within-alpha";
    case BestCuts::Proof::kStopped:
    case BestCuts::Proof::kInfeasible:
      break;
  }
  return "bound";
}

Result<MethodResult> RunOptimal(const SetJob& job, bool in_rounds) {
  OgOptions options;
  options.alpha = job.policy.method.alpha;
  options.limit_s = job.policy.method.limit_s;
  const SetAnswer answer =
      in_rounds ? FindCutInRounds(job.sets(), job.promise, options, job.parallel, job.progress)
                : FindOptimalCut(job.sets(), job.promise, options, job.parallel, job.progress);
  const bool stopped = answer.best.proof == BestCuts::Proof::kStopped;
  if (answer.best.cuts.empty()) return NoSetCut(job, stopped);
  const BestCuts::Answer& cut = answer.best.cuts.front();
  MethodResult result;
  result.published = SetPublisher(job).OfCut(LabelsUnder(job.sets(), cut.labels));
  result.cut = DescribeCut(job, cut.labels, job.sets().Ncp(cut.cost));
  result.cut->stopped_early = stopped;
  Report::Cut::Proof proof;
  proof.metric = "ncp";
  proof.kind = ProofKind(answer.best, in_rounds);
  proof.all_cuts = answer.all_cuts;
  proof.pruned = 1 - std::min(1.0, static_cast<double>(answer.cuts) / answer.all_cuts);
  if (!in_rounds) proof.bound = job.sets().Ncp(std::min(answer.best.bound, cut.cost));
  result.cut->proof = std::move(proof);
  result.sets = Report::Sets{.threats = answer.threats,
                             .itemsets = answer.nodes,
                             .rounds = in_rounds ? std::optional(answer.rounds) : std::nullopt};
  result.search = {answer.cuts, answer.best.judged};
  if (stopped && in_rounds) {
    result.warnings.emplace_back("limit_s ended the search: a better cut may exist");
  } else if (stopped) {
    result.warnings.push_back(
        fmt::format("limit_s ended the search: the cut costs {}, and no other costs less than {}",
                    FigureText(result.cut->cost), FigureText(*result.cut->proof->bound)));
  }
  return result;
}

// A cut of which nothing is proven.
void AddUnproven(const SetJob& job, const std::vector<Item>& cut, double ncp, bool stopped,
                 MethodResult& result) {
  result.cut = DescribeCut(job, cut, ncp);
  result.cut->stopped_early = stopped;
  if (stopped) result.warnings.emplace_back("limit_s ended the search: a better cut may exist");
}

Result<MethodResult> RunApriori(const SetJob& job) {
  job.progress.Begin("search", 0);
  const AaAnswer answer =
      FindAprioriCut(job.sets(), job.promise, {.limit_s = job.policy.method.limit_s}, job.progress);
  if (!answer.is_feasible) return NoSetCut(job, false);
  MethodResult result;
  result.published = SetPublisher(job).OfCut(LabelsUnder(job.sets(), answer.cut));
  AddUnproven(job, answer.cut, job.sets().Ncp(job.sets().SumCosts(answer.cut)),
              answer.stopped_early, result);
  result.sets = Report::Sets{.threats = answer.threats, .itemsets = answer.nodes};
  return result;
}

Result<MethodResult> RunSuppression(const SetJob& job) {
  job.progress.Begin("search", 0);
  const MmAnswer answer = FindSuppressedItems(job.sets(), job.promise,
                                              {.limit_s = job.policy.method.limit_s}, job.progress);
  const ItemSets& sets = job.sets();
  std::vector<bool> is_out(sets.forest().size(), false);
  for (const Item item : answer.suppressed) is_out[item] = true;
  std::vector<Item> cut;
  std::vector<Item> label_of(sets.forest().size(), DatasetSets::kNone);
  for (Item item = 0; item < sets.forest().size(); ++item) {
    if (!sets.forest().is_leaf(item) || is_out[item]) continue;
    label_of[item] = item;
    cut.push_back(item);
  }
  const double lost = sets.all_occurrences() == 0
                          ? 0
                          : static_cast<double>(answer.suppressed_occurrences) /
                                static_cast<double>(sets.all_occurrences());
  MethodResult result;
  result.published = SetPublisher(job).OfCut(label_of);
  AddUnproven(job, cut, lost, answer.stopped_early, result);
  result.sets = Report::Sets{.threats = answer.threats,
                             .itemsets = answer.nodes,
                             .suppressed_items = answer.suppressed.size()};
  if (!answer.suppressed.empty()) {
    result.warnings.push_back(
        fmt::format("{} of {} items {} left out of every record: {} occurrences of {}",
                    WithCommas(answer.suppressed.size()), WithCommas(sets.all_leaves()),
                    answer.suppressed.size() == 1 ? "is" : "are",
                    WithCommas(answer.suppressed_occurrences), WithCommas(sets.all_occurrences())));
  }
  return result;
}

Result<MethodResult> RunLocal(const SetJob& job) {
  job.progress.Begin("search", job.sets().record_count());
  const LgAnswer answer = GeneralizeLocally(job.sets(), job.promise.k,
                                            {.limit_s = job.policy.method.limit_s}, job.progress);
  if (!answer.is_feasible) return NoSetCut(job, false);
  MethodResult result;
  result.published = SetPublisher(job).OfParts(answer);
  result.sets = Report::Sets{};
  result.search = {answer.weighed, answer.splits};
  if (answer.left_out > 0) {
    result.warnings.push_back(fmt::format("{} record{} without items {} left out: fewer than k are",
                                          answer.left_out, answer.left_out == 1 ? "" : "s",
                                          answer.left_out == 1 ? "is" : "are"));
  }
  if (answer.stopped_early) {
    result.warnings.emplace_back("limit_s ended the search: parts could have been divided further");
  }
  if (!result.published.empty()) return result;
  return NoSetCut(job, false);
}

}  // namespace

Result<MethodResult> RunSetSearch(const Policy& policy, SetSearch search,
                                  const EncodedDataset& data, Parallel& parallel,
                                  Progress& progress) {
  THICKET_TRY(CheckSensitiveItems(policy, data));
  const DatasetSets found = SetsOf(data);
  const SetJob job = {policy,   data,    found, PromiseOf(policy.privacy, found.sets),
                      parallel, progress};
  THICKET_TRY(CheckFrequencies(job));
  switch (search) {
    case SetSearch::kOg:
      return RunOptimal(job, false);
    case SetSearch::kMog:
      return RunOptimal(job, true);
    case SetSearch::kAa:
      return RunApriori(job);
    case SetSearch::kMm:
      return RunSuppression(job);
    case SetSearch::kLg:
      break;
  }
  return RunLocal(job);
}

}  // namespace thicket
