#include "grouping/loss_bound.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "grouping/company_prices.h"
#include "grouping/deciding_values.h"
#include "grouping/label_sums.h"
#include "grouping/most_shared.h"
#include "matching/merge.h"

namespace thicket {

namespace {

// Records that look at each block of sums together.
constexpr size_t kQueriesAtOnce = 16;
// Others are listed who have less in common with a record than it keeps, by one part of this many: prices may make the record look at them.
constexpr Units kDepth = 5;
// Up to so many vertices matchings of siblings are exact (WideSiblings::most_entries).
constexpr size_t kMostVertices = 2048;

// What must hold of the others of a class.
struct Company {
  size_t needed;  // how many there are at least
  bool apart;     // no values of vertices that stand together are equal
  LabelSums::Roots roots;
};

// What each record keeps in a publication.
std::vector<Units> KeptOf(const EncodedDataset& data, const Publication& published) {
  std::vector<Units> kept(data.forest().record_count(), 0);
  for (const PublishedTree tree : published.trees()) {
    StopPoint();
    Units each = 0;
    for (size_t p = 0; p < tree.size(); ++p) {
      const auto& domains = data.classes[tree.vertex_class[p]].domains;
      for (size_t slot = 0; slot < domains.size(); ++slot) {
        const Label label = tree.labels(p)[slot];
        const Domain& domain = domains[slot];
        if (domain.IsLeaf(label) && domain.IsMissing(domain.LeafValue(label))) continue;
        each += kLabelUnits - domain.Loss(label);
      }
    }
    for (const RecordId record : tree.records) kept[record] = each;
  }
  return kept;
}

// Finds out what each record can keep at most in one kind of company.
class CompanySearch {
 public:
  CompanySearch(const EncodedDataset& data, const CountedLabels& labels, const Company& company,
                const LossBoundOptions& options, Parallel& parallel)
      : company_(company),
        options_(options),
        labels_(labels),
        model_(data, {.l = IsDiverse(company) ? options.l : 0}),
        values_(company.apart ? SharedLabels::ValuesOf(model_) : std::vector<uint32_t>()),
        sums_(model_, labels, values_),
        parallel_(parallel) {
    for (size_t i = 0; i < parallel.threads(); ++i) workers_.emplace_back(*this);
  }
  CompanySearch(const CompanySearch&) = delete;
  CompanySearch& operator=(const CompanySearch&) = delete;

  // `kept`: what each record is known to keep in some company. Raises `most` to what the record keeps at most in this one. What comes
  // back compares with the help of this object.
  Acquaintances Raise(const std::vector<Units>& kept, std::vector<Units>& most) {
    Acquaintances found;
    found.needed = company_.needed;
    found.lists.resize(kept.size());
    found.rest.resize(kept.size());
    Phase phase("bound", kept.size());
    parallel_.For(kept.size(), kQueriesAtOnce, [&](size_t worker, size_t begin, size_t end) {
      for (size_t from = begin; from < end; from += kQueriesAtOnce) {
        const size_t to = std::min(end, from + kQueriesAtOnce);
        RaiseSome(workers_[worker], from, to, kept, most, found);
        phase.Advance(to - from);
      }
    });
    if (CanCompare()) {
      found.compare = [this](size_t worker, RecordId record, RecordId other) {
        return Compare(workers_[worker], record, other);
      };
    }
    return found;
  }

 private:
  // The buffers of a thread.
  struct Worker {
    explicit Worker(const CompanySearch& search)
        : own(search.labels_, search.values_), merger(search.model_, MergeOptions()) {}
    SharedLabels own;
    LabelSums::Workspace work;
    std::vector<RecordId> looking;
    std::vector<LabelSums::Query> queries;
    std::vector<uint64_t> masks;
    MostShared shared;
    Merger merger;
    Representative tree;
    std::optional<RecordId> record_of_tree;
  };

  static bool IsDiverse(const Company& company) {
    return company.apart || company.roots == LabelSums::Roots::kApart;
  }

  // Whether comparing trees tells more than items do, and never less than any class keeps.
  bool CanCompare() const {
    if (options_.comparisons == 0 || model_.has_once() || model_.has_anywhere()) return false;
    const Forest& forest = model_.forest();
    const auto& roots = model_.data().classes[0].domains;
    if (forest.vertex_count() == forest.record_count() &&
        std::none_of(roots.begin(), roots.end(), [](const Domain& d) { return d.is_numeric(); })) {
      return false;
    }
    for (RecordId record = 0; record < forest.record_count(); ++record) {
      if (forest.record_size(record) > kMostVertices) return false;
    }
    return true;
  }

  void RaiseSome(Worker& worker, size_t begin, size_t end, const std::vector<Units>& kept,
                 std::vector<Units>& most, Acquaintances& found) const {
    worker.looking.clear();
    worker.queries.resize(kQueriesAtOnce);
    for (size_t i = begin; i < end; ++i) {
      StopPoint();
      const auto record = static_cast<RecordId>(i);
      worker.own.Load(record);
      found.rest[record] = worker.own.total();
      // It cannot keep more.
      if (worker.own.items() == 0 || worker.own.total() <= kept[record]) continue;
      sums_.Load(worker.own, record, company_.roots, kept[record] / kDepth * (kDepth - 1),
                 std::max(options_.candidates, 2 * company_.needed),
                 worker.queries[worker.looking.size()]);
      worker.looking.push_back(record);
    }
    sums_.Find({worker.queries.data(), worker.looking.size()}, worker.work);
    for (size_t i = 0; i < worker.looking.size(); ++i) {
      StopPoint();
      const RecordId record = worker.looking[i];
      const Units here = MostOf(worker, worker.queries[i], record, kept[record], found);
      most[record] = std::max(most[record], here);
    }
  }

  // What the record keeps at most, or `kept` where that is more; and its acquaintances.
  Units MostOf(Worker& worker, const LabelSums::Query& query, RecordId record, Units kept,
               Acquaintances& found) const {
    SharedLabels& own = worker.own;
    own.Load(record);
    worker.masks.resize(own.words());
    const Units rest = query.rest();
    const Units least = std::max(rest, kept);
    worker.shared.Begin(own, company_.needed, least);
    for (const LabelSums::Found& other : query.found()) {
      own.Share(other.record, worker.masks.data());
      const Units common = std::min(other.most, own.Weigh(worker.masks.data()));
      if (common > rest) found.lists[record].push_back({other.record, false, common});
      if (common > least) worker.shared.Add(worker.masks.data(), common);
    }
    found.rest[record] = rest;
    // Sums are rounded upwards.
    return std::min(own.total(), worker.shared.Bound(options_.branchings));
  }

  // The similarity of two records, an upper bound of what they keep in a class.
  Units Compare(Worker& worker, RecordId record, RecordId other) const {
    if (worker.record_of_tree != record) {
      // In a class of twice l records no value is full at first.
      const int size = company_.apart ? options_.class_size : 2 * options_.class_size;
      worker.tree = Representative::Of(model_, record, size);
      worker.record_of_tree = record;
    }
    return worker.merger.Similarity(worker.tree, other, 0);
  }

  Company company_;
  LossBoundOptions options_;
  const CountedLabels& labels_;
  TreeModel model_;
  std::vector<uint32_t> values_;  // by vertex; empty where equal values may stand together
  LabelSums sums_;
  Parallel& parallel_;
  std::vector<Worker> workers_;
};

// The kinds of company that a record may be in: see the header.
std::vector<Company> CompaniesOf(const EncodedDataset& data, const LossBoundOptions& options) {
  using Roots = LabelSums::Roots;
  const auto size = static_cast<size_t>(options.class_size);
  const auto l = static_cast<size_t>(options.l);
  if (options.l == 0 || size >= 2 * l) return {{size - 1, false, Roots::kAny}};
  const TreeModel model(data, {.l = options.l});
  bool below_roots = false;
  for (size_t id = 1; id < data.schema().classes.size(); ++id) {
    below_roots = below_roots || OneBitDecides(model, static_cast<ClassId>(id));
  }
  const Roots roots = OneBitDecides(model, 0) ? Roots::kApart : Roots::kAny;
  const Company small = {size - 1, below_roots, roots};
  if (!below_roots && (roots == Roots::kAny || size == l)) return {small};
  return {small, {2 * l - 1, false, Roots::kAny}};
}

}  // namespace

double LossBound::lm() const {
  if (total == 0) return 0;
  // A cost in units is at most half a unit above the exact one, for each label.
  const double labels = static_cast<double>(total) / static_cast<double>(kLabelUnits);
  const double lost = static_cast<double>(total - kept) - labels;
  return std::max(0.0, lost / static_cast<double>(total));
}

GroupingLoss LossOfGrouping(const EncodedDataset& data, const Publication& published) {
  const CountedLabels labels(data);
  GroupingLoss loss;
  for (const Units kept : KeptOf(data, published)) loss.kept += kept;
  for (RecordId record = 0; record < data.forest().record_count(); ++record) {
    loss.total += labels.Total(record);
  }
  return loss;
}

LossBound BoundLoss(const EncodedDataset& data, const Publication& published,
                    const LossBoundOptions& options, Parallel& parallel) {
  const CountedLabels labels(data);
  const std::vector<Units> kept = KeptOf(data, published);
  std::vector<Units> most = kept;
  std::vector<std::unique_ptr<CompanySearch>> searches;
  std::vector<Acquaintances> kinds;
  for (const Company& company : CompaniesOf(data, options)) {
    searches.push_back(std::make_unique<CompanySearch>(data, labels, company, options, parallel));
    kinds.push_back(searches.back()->Raise(kept, most));
  }
  LossBound bound;
  for (RecordId record = 0; record < kept.size(); ++record) bound.total += labels.Total(record);
  const PriceOptions prices = {options.rounds, options.comparisons};
  bound.kept = PriceCompany(std::move(kinds), most, prices, parallel);
  return bound;
}

}  // namespace thicket
