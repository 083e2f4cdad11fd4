#include "grouping/nearby_clustree.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "grouping/class_columns.h"
#include "grouping/label_scan.h"

namespace thicket {

namespace {

// How many classes grow at the same time, if that is less than this part of all classes.
constexpr size_t kMostSeeds = 256;
constexpr size_t kPartOfClasses = 64;
// How many of them look at the same time, on one thread.
constexpr size_t kTogether = 16;
// How many records of those that were compared are remembered for when the best one is taken.
constexpr size_t kRemembered = 4;
constexpr size_t kShelf = 0;

class NearbyClustering {
 public:
  NearbyClustering(const EncodedDataset& data, const NearbyClusTreeOptions& options,
                   Parallel& parallel, Progress& progress)
      : options_(options),
        model_(data, options.rule),
        parallel_(parallel),
        progress_(progress),
        columns_(model_, options.class_size),
        scan_(model_),
        taken_(data.forest().record_count(), false) {
    for (size_t i = 0; i < parallel.threads(); ++i) {
      workers_.push_back(std::make_unique<Worker>(model_, columns_, options.merge));
    }
  }

  Result<Grouping> Run() {
    progress_.Begin("anonymize", taken_.size());
    Start();
    const size_t classes = taken_.size() / static_cast<size_t>(options_.class_size);
    const size_t at_once = std::clamp<size_t>(classes / kPartOfClasses, 1, kMostSeeds);
    for (RecordId next = 0; next < taken_.size();) {
      if (progress_.cancelled()) return Interrupted();
      growing_.clear();
      for (; next < taken_.size() && growing_.size() < at_once; ++next) {
        if (taken_[next]) continue;
        Take(next);
        growing_.push_back({Representative::Of(model_, next, options_.class_size), {}, kNobody});
      }
      Grow();
      for (const Growing& group : growing_) Close(group);
      scan_.Add(kShelf, {}, TreeVisitor());  // closes gaps
    }
    progress_.End();
    return Finish();
  }

 private:
  static constexpr RecordId kNobody = ~RecordId{0};

  struct Candidate {
    Units cost;
    RecordId record;
    bool operator<(const Candidate& other) const {
      return cost != other.cost ? cost < other.cost : record < other.record;
    }
  };
  // A class that grows.
  struct Growing {
    Representative tree;
    std::vector<Candidate> candidates;  // best last
    RecordId joins;                     // who is taken in next
  };
  struct Worker {
    Worker(const TreeModel& model, const ClassColumns& columns, const MergeOptions& options)
        : probe(columns), merger(model, options) {}
    ClassProbe probe;
    Merger merger;
    std::vector<LabelScan::Query> queries;
    LabelScan::Workspace workspace;
    std::vector<Candidate> chances;
    std::vector<VertexPair> pairs;
    uint64_t candidates = 0;
    uint64_t compared = 0;
  };

  LabelScan::VisitTree TreeVisitor() const {
    return [this](RecordId record, const std::function<void(const Representative&)>& visit) {
      visit(Representative::Of(model_, record, options_.class_size));
    };
  }

  void Start() {
    std::vector<RecordId> records;
    std::vector<LabelScan::Weighted> weighted;
    for (RecordId record = 0; record < taken_.size(); ++record) {
      StopPoint();
      columns_.Add(Representative::Of(model_, record, options_.class_size));
      // Of whom nothing may be shown, nobody can take in anything.
      if (columns_.kept(record) == 0) {
        taken_[record] = true;
        left_over_.push_back(record);
        continue;
      }
      records.push_back(record);
      weighted.push_back({record, model_.record_weight(record)});
    }
    scan_.ChooseLabels(records, TreeVisitor());
    scan_.Add(kShelf, std::move(weighted), TreeVisitor());
  }

  void Take(RecordId record) {
    taken_[record] = true;
    scan_.Remove(record);
  }

  // Until every class is complete, or finds nobody.
  void Grow() {
    std::vector<Growing*> open;
    for (Growing& group : growing_) open.push_back(&group);
    while (!open.empty()) {
      FindCandidates(open);
      std::vector<Growing*> still_open;
      std::vector<Growing*> joined;
      for (Growing* group : open) {
        const bool found_any = !group->candidates.empty();
        while (!group->candidates.empty() && taken_[group->candidates.back().record]) {
          group->candidates.pop_back();
        }
        if (group->candidates.empty()) {
          // Others were quicker: the class looks again.
          if (found_any) still_open.push_back(group);
          continue;
        }
        group->joins = group->candidates.back().record;
        group->candidates.clear();
        Take(group->joins);
        joined.push_back(group);
      }
      parallel_.For(joined.size(), 4, [&](size_t worker, size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) Absorb(*workers_[worker], *joined[i]);
      });
      for (Growing* group : joined) {
        if (!IsComplete(*group)) still_open.push_back(group);
      }
      std::sort(still_open.begin(), still_open.end());
      open = std::move(still_open);
    }
  }

  bool IsComplete(const Growing& group) const {
    return group.tree.member_count() >= static_cast<size_t>(options_.class_size);
  }

  void Absorb(Worker& worker, Growing& group) {
    worker.merger.Pair(group.tree, group.joins, worker.pairs);
    group.tree = group.tree.Absorb(model_, group.joins, worker.pairs, options_.class_size);
  }

  void Close(const Growing& group) {
    const std::vector<RecordId>& members = group.tree.records();
    progress_.Advance(members.size());
    if (IsComplete(group) && group.tree.size() > 0) {
      group.tree.Publish(result_.published);
    } else {
      left_over_.insert(left_over_.end(), members.begin(), members.end());
    }
  }

  void FindCandidates(const std::vector<Growing*>& open) {
    const size_t batches = (open.size() + kTogether - 1) / kTogether;
    parallel_.For(batches, 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t batch = begin; batch < end; ++batch) {
        const size_t from = batch * kTogether;
        const size_t count = std::min(kTogether, open.size() - from);
        FindBatch(*workers_[worker], std::span(open).subspan(from, count));
      }
    });
  }

  void FindBatch(Worker& worker, std::span<Growing* const> groups) {
    if (worker.queries.size() < groups.size()) worker.queries.resize(groups.size());
    for (size_t begin = 0; begin < groups.size();) {
      // Those of one size look together, since a record costs all of them the same.
      const Units factor = FactorOf(*groups[begin]);
      std::vector<LabelScan::Query*> queries;
      size_t end = begin;
      for (; end < groups.size() && FactorOf(*groups[end]) == factor; ++end) {
        queries.push_back(&worker.queries[end]);
        scan_.Load(groups[end]->tree, worker.queries[end]);
      }
      scan_.Find(kShelf, 1, factor, options_.proposals, queries, worker.workspace);
      begin = end;
    }
    for (size_t i = 0; i < groups.size(); ++i) {
      StopPoint();
      Compare(worker, *groups[i], worker.queries[i].found());
    }
  }

  Units FactorOf(const Growing& group) const {
    return CostLine::Of(options_.merge.cost, group.tree, 0).factor;
  }

  // Fills group.candidates from the proposals with the best chances.
  void Compare(Worker& worker, Growing& group, const std::vector<LabelScan::Found>& proposals) {
    const CostLine line = CostLine::Of(options_.merge.cost, group.tree, 0);
    worker.probe.Load(group.tree);
    worker.chances.clear();
    for (const LabelScan::Found& found : proposals) {
      ++worker.candidates;
      const Units most = worker.probe.Most(found.item);
      if (most == 0) continue;
      worker.chances.push_back({line.At(most) + model_.record_weight(found.item), found.item});
    }
    std::sort(worker.chances.begin(), worker.chances.end());
    const auto later = [](const Candidate& a, const Candidate& b) { return b < a; };
    std::vector<Candidate>& best = group.candidates;
    const size_t count = std::min(options_.comparisons, worker.chances.size());
    for (size_t i = 0; i < count; ++i) {
      const auto [least, record] = worker.chances[i];
      const bool full = best.size() == kRemembered;
      if (full && least > best.front().cost) break;
      ++worker.compared;
      const CostLine own = {line.base + model_.record_weight(record), line.factor};
      const Units need = full ? std::max<Units>(1, own.Need(best.front().cost)) : 1;
      const Units similarity = worker.merger.Similarity(group.tree, record, need);
      if (similarity < need) continue;
      const Candidate found = {own.At(similarity), record};
      best.insert(std::lower_bound(best.begin(), best.end(), found, later), found);
      if (best.size() > kRemembered) best.erase(best.begin());
    }
  }

  Grouping Finish() {
    for (const auto& worker : workers_) {
      result_.search.candidates += worker->candidates;
      result_.search.compared += worker->compared;
    }
    std::sort(left_over_.begin(), left_over_.end());
    result_.published.Suppress(std::move(left_over_));
    return std::move(result_);
  }

  const NearbyClusTreeOptions& options_;
  TreeModel model_;
  Parallel& parallel_;
  Progress& progress_;
  ClassColumns columns_;
  LabelScan scan_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<bool> taken_;  // by record
  std::vector<Growing> growing_;
  std::vector<RecordId> left_over_;
  Grouping result_;
};

}  // namespace

Result<Grouping> NearbyClusTree(const EncodedDataset& data, const NearbyClusTreeOptions& options,
                                Parallel& parallel, Progress& progress) {
  return NearbyClustering(data, options, parallel, progress).Run();
}

}  // namespace thicket
