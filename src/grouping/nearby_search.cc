#include "grouping/nearby_search.h"

#include <algorithm>
#include <utility>

#include "base/stop.h"

namespace thicket {

namespace {

// All records stand on one shelf of the index.
constexpr size_t kShelf = 0;
// Where a closer bound puts proposals in order, there are at least so many.
constexpr size_t kProposalsOfDeepTrees = 256;

}  // namespace

NearbySearch::NearbySearch(const TreeModel& model, const NearbySearchOptions& options,
                           size_t threads)
    : model_(&model),
      options_(options),
      columns_(model, options.class_size),
      child_bound_(model),
      scan_(model) {
  if (child_bound_.active()) {
    options_.proposals = std::max(options_.proposals, kProposalsOfDeepTrees);
  }
  for (size_t i = 0; i < threads; ++i) {
    workers_.push_back(std::make_unique<Worker>(model, columns_, options.merge));
  }
}

LabelScan::VisitTree NearbySearch::TreeVisitor() const {
  return [this](RecordId record, const std::function<void(const Representative&)>& visit) {
    visit(Representative::Of(*model_, record, options_.class_size));
  };
}

std::vector<RecordId> NearbySearch::Start() {
  std::vector<RecordId> nobody;
  std::vector<RecordId> records;
  std::vector<LabelScan::Weighted> weighted;
  for (RecordId record = 0; record < model_->forest().record_count(); ++record) {
    StopPoint();
    columns_.Add(Representative::Of(*model_, record, options_.class_size));
    if (columns_.kept(record) == 0) {
      nobody.push_back(record);
      continue;
    }
    records.push_back(record);
    weighted.push_back({record, model_->record_weight(record)});
  }
  scan_.ChooseLabels(records, TreeVisitor());
  scan_.Add(kShelf, std::move(weighted), TreeVisitor());
  return nobody;
}

void NearbySearch::CloseGaps() { scan_.Add(kShelf, {}, TreeVisitor()); }

Units NearbySearch::FactorOf(const Look& look) const {
  return CostLine::Of(options_.merge.cost, look.tree, 0).factor;
}

void NearbySearch::Find(size_t worker_number, std::span<Look* const> looks) {
  Worker& worker = *workers_[worker_number];
  if (worker.queries.size() < looks.size()) worker.queries.resize(looks.size());
  for (size_t begin = 0; begin < looks.size();) {
    // Those of one size look together, since a record costs all of them the same.
    const Units factor = FactorOf(*looks[begin]);
    std::vector<LabelScan::Query*> queries;
    size_t end = begin;
    for (; end < looks.size() && FactorOf(*looks[end]) == factor; ++end) {
      queries.push_back(&worker.queries[end]);
      scan_.Load(looks[end]->tree, worker.queries[end]);
    }
    scan_.Find(kShelf, 1, factor, options_.proposals, queries, worker.workspace);
    begin = end;
  }
  for (size_t i = 0; i < looks.size(); ++i) {
    StopPoint();
    FillChances(worker, *looks[i], worker.queries[i].found());
    Compare(worker, *looks[i]);
  }
}

// What the class costs at least with each of those that were proposed, the least first.
void NearbySearch::FillChances(Worker& worker, const Look& look,
                               const std::vector<LabelScan::Found>& found) {
  const CostLine line = CostLine::Of(options_.merge.cost, look.tree, 0);
  const std::vector<RecordId>& members = look.tree.records();
  worker.probe.Load(look.tree);
  if (child_bound_.active()) child_bound_.Load(look.tree, worker.children);
  worker.chances.clear();
  for (const LabelScan::Found& one : found) {
    if (std::find(members.begin(), members.end(), one.item) != members.end()) continue;
    ++worker.candidates;
    Units most = worker.probe.Most(one.item);
    if (most == 0) continue;
    if (child_bound_.active()) most = std::min(most, child_bound_.Most(worker.children, one.item));
    worker.chances.push_back({line.At(most) + model_->record_weight(one.item), one.item});
  }
  std::sort(worker.chances.begin(), worker.chances.end());
}

void NearbySearch::Compare(Worker& worker, Look& look) {
  const CostLine line = CostLine::Of(options_.merge.cost, look.tree, 0);
  const auto later = [](const Candidate& a, const Candidate& b) { return b < a; };
  std::vector<Candidate>& best = look.candidates;
  best.clear();
  const size_t count = std::min(options_.comparisons, worker.chances.size());
  for (size_t i = 0; i < count; ++i) {
    const auto [least, record] = worker.chances[i];
    const bool full = best.size() == options_.remembered;
    if (full && least > best.front().cost && !options_.exhaustive) break;
    ++worker.compared;
    const CostLine own = {line.base + model_->record_weight(record), line.factor};
    const bool bounded = full && !options_.exhaustive;
    const Units need = bounded ? std::max<Units>(1, own.Need(best.front().cost)) : 1;
    const Units similarity = worker.merger.Similarity(look.tree, record, need);
    if (similarity < need) continue;
    const Candidate found = {own.At(similarity), record};
    best.insert(std::lower_bound(best.begin(), best.end(), found, later), found);
    if (best.size() > options_.remembered) best.erase(best.begin());
  }
}

void NearbySearch::Absorb(size_t worker_number, RecordId record, Representative& tree) {
  Worker& worker = *workers_[worker_number];
  worker.merger.Pair(tree, record, worker.pairs);
  tree = tree.Absorb(*model_, record, worker.pairs, options_.class_size);
}

SearchStatistics NearbySearch::statistics() const {
  SearchStatistics all;
  for (const auto& worker : workers_) {
    all.candidates += worker->candidates;
    all.compared += worker->compared;
  }
  return all;
}

}  // namespace thicket
