#include "grouping/agglomerate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "grouping/class_columns.h"
#include "grouping/clustree.h"
#include "grouping/equal_records.h"
#include "grouping/label_scan.h"
#include "grouping/nearby_clustree.h"
#include "grouping/part_refiner.h"
#include "grouping/parts.h"
#include "grouping/refine.h"
#include "matching/representative_merge.h"

namespace thicket {

namespace {

constexpr Place kNobody = ~Place{0};
// How many classes look for partners together.
constexpr size_t kTogether = 64;
// The shelf of finished classes, which are looked at once less than this part of all classes still looks for a partner.
constexpr size_t kFinished = 0;
constexpr size_t kLastOnes = 20;
// What it is worth to bring n records nearer to a class of their own is n to the power of 3/4, in this part of one. With n itself
// large classes meet too early and far apart, with 1 single records wait too long (Adult, k = 5 and 100, before Redivide(): LM 0.0517 and 0.2269;
// with n 0.0524 and 0.2346, with 1 0.0540 and 0.2348).
constexpr double kWorthOfOne = 16;
// What is added to the loss for the worth of one record is counted in this part of a unit.
constexpr Units kKeyScale = 64 * static_cast<Units>(kWorthOfOne);
// The part of the unions that are known that is made before looking for partners again: the cheapest ones.
constexpr size_t kCheapest = 4;
// Where classes begin with ClusTree, a part has at most so many records: ClusTree compares everybody with everybody.
constexpr size_t kMostToFill = 16'384;
constexpr Units kNoKey = std::numeric_limits<Units>::max();

class Agglomeration {
 public:
  Agglomeration(const EncodedDataset& data, const AgglomerateOptions& options, Parallel& parallel,
                Progress& progress)
      : options_(options),
        model_(data, options.rule),
        parallel_(parallel),
        progress_(progress),
        columns_(model_, options.class_size) {
    for (size_t i = 0; i < parallel.threads(); ++i) {
      workers_.push_back(std::make_unique<Worker>(model_, columns_, options.merge));
    }
    for (uint32_t brought = 0; brought < 2 * ClassSize(); ++brought) {
      // Roots are the same on every machine, where other powers may differ.
      const double root = std::sqrt(static_cast<double>(brought));
      worth_.push_back(std::lround(kWorthOfOne * root * std::sqrt(root)));
    }
  }

  Result<Grouping> Run() {
    progress_.Begin("anonymize", model_.forest().record_count());
    Start();
    if (options_.neighbourhood > 0) StartScan();
    while (!open_.empty()) {
      if (progress_.cancelled()) return Interrupted();
      StopPoint();
      FindPartners();
      UniteCheapest();
    }
    progress_.End();
    return Finish();
  }

 private:
  struct Partner {
    Place place = kNobody;
    uint32_t version = 0;
    Units key = kNoKey;
  };

  // What a thread needs to look for partners.
  struct Worker {
    Worker(const TreeModel& model, const ClassColumns& columns, const MergeOptions& options)
        : probe(columns),
          merger(model, options),
          joiner(model, {.mapping = options.mapping, .cost = MergeCost::kWeighted}) {}
    ClassProbe probe;
    RepresentativeMerger merger;
    Merger joiner;
    Representative single;
    Representative other;
    std::vector<std::pair<Units, Place>> chances;
    std::vector<Partner> best;
    std::vector<LabelScan::Query> queries;
    LabelScan::Workspace workspace;
    uint64_t candidates = 0;
    uint64_t compared = 0;
  };

  bool IsOpen(Place place) const {
    return columns_.Contains(place) && columns_.size(place) < ClassSize();
  }
  uint32_t ClassSize() const { return static_cast<uint32_t>(options_.class_size); }
  int UnitedSize(Place a, Place b) const {
    return static_cast<int>(std::max(ClassSize(), columns_.size(a) + columns_.size(b)));
  }

  void Start() {
    for (const std::vector<RecordId>& records : EqualRecords(model_, options_.class_size)) {
      StopPoint();
      Representative tree = Representative::Of(model_, records.front(), options_.class_size);
      if (records.size() > 1) {
        Merger merger(model_, options_.merge);
        std::vector<VertexPair> pairs;
        for (size_t i = 1; i < records.size(); ++i) {
          const int size = static_cast<int>(std::max<size_t>(ClassSize(), i + 1));
          merger.Pair(tree, records[i], pairs);
          tree = tree.Absorb(model_, records[i], pairs, size);
        }
      }
      const Place place = columns_.Add(records.size() == 1 ? MostOf(records.front()) : tree);
      first_record_.push_back(records.front());
      trees_.push_back(records.size() > 1 ? std::make_unique<Representative>(std::move(tree))
                                          : nullptr);
      partners_.emplace_back();
      version_.push_back(0);
      others_.emplace_back();
      if (!IsOpen(place)) {
        progress_.Advance(records.size());
      } else if (columns_.kept(place) > 0) {
        open_.push_back(place);
      }
    }
  }

  // The shelf of classes of about this size; all that are large enough stand on the first one.
  size_t ShelfOf(uint32_t size) const {
    return size < ClassSize() ? static_cast<size_t>(std::bit_width(size)) : kFinished;
  }

  void StartScan() {
    std::vector<Place> places;
    for (Place place = 0; place < columns_.places(); ++place) {
      if (columns_.kept(place) > 0) places.push_back(place);
    }
    scan_.emplace(model_);
    scan_->ChooseLabels(places, TreeVisitor());
    PutOnShelves(places);
  }

  void PutOnShelves(const std::vector<Place>& places) {
    std::vector<std::vector<LabelScan::Weighted>> shelves(
        static_cast<size_t>(std::bit_width(ClassSize())) + 1);
    for (const Place place : places) {
      if (columns_.kept(place) == 0) continue;
      shelves[ShelfOf(columns_.size(place))].push_back({place, columns_.kept(place)});
    }
    for (size_t shelf = 0; shelf < shelves.size(); ++shelf) {
      if (!shelves[shelf].empty()) scan_->Add(shelf, std::move(shelves[shelf]), TreeVisitor());
    }
  }

  LabelScan::VisitTree TreeVisitor() const {
    return [this](Place place, const std::function<void(const Representative&)>& visit) {
      Representative buffer;
      visit(TreeAt(place, buffer));
    };
  }

  // The representative at a place; of a single record it is made anew in `buffer`.
  const Representative& TreeAt(Place place, Representative& buffer) const {
    if (trees_[place] != nullptr) return *trees_[place];
    buffer = Representative::Of(model_, first_record_[place], options_.class_size);
    return buffer;
  }

  // All that a record can show. A vertex for whose level a class of the least size has no room may have it in a larger one.
  Representative MostOf(RecordId record) const {
    return Representative::Of(model_, record,
                              model_.rule().HasLevels() ? kOpenSize : options_.class_size);
  }

  // How many records are nearer to a class of their own when the two are united.
  uint32_t Brought(Place a, Place b) const {
    return (IsOpen(a) ? columns_.size(a) : 0) + (IsOpen(b) ? columns_.size(b) : 0);
  }
  // What uniting them adds to the loss at this similarity, for what it is worth that records are brought nearer.
  Units Key(Place a, Place b, Units similarity) const {
    return Added(a, b, similarity) * kKeyScale / worth_[Brought(a, b)];
  }
  Units Added(Place a, Place b, Units similarity) const {
    const Units size_a = columns_.size(a);
    const Units size_b = columns_.size(b);
    return size_a * columns_.kept(a) + size_b * columns_.kept(b) - (size_a + size_b) * similarity;
  }
  // Whether the class loses no more for each of its records when it is left out; nobody is left out for an equal.
  bool IsBetterLeftOut(Place place, Place other, Units similarity) const {
    return Added(place, other, similarity) >= columns_.kept(place) * Brought(place, other);
  }
  // What no key is above with which the class is not better left out.
  Units MostKey(Place place) const {
    const auto brought = static_cast<uint32_t>(worth_.size() - 1);
    return columns_.kept(place) * brought * kKeyScale / worth_[brought];
  }

  bool IsCurrent(const Partner& partner) const {
    return partner.place != kNobody && columns_.Contains(partner.place) &&
           version_[partner.place] == partner.version;
  }

  void FindPartners() {
    std::vector<Place> looking;
    for (const Place place : open_) {
      std::vector<Partner>& others = others_[place];
      while (!IsCurrent(partners_[place]) && !others.empty()) {
        partners_[place] = others.back();
        others.pop_back();
      }
      if (!IsCurrent(partners_[place])) looking.push_back(place);
    }
    if (scan_) {
      FindByScan(std::move(looking));
      return;
    }
    parallel_.For(looking.size(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        StopPoint();
        Worker& own = *workers_[worker];
        LoadProbe(own, looking[i]);
        own.chances.clear();
        for (Place other = 0; other < columns_.places(); ++other) {
          Consider(own, looking[i], other, options_.exhaustive);
        }
        partners_[looking[i]] = Look(own, looking[i]);
      }
    });
  }

  // Classes of one size and of about the same weight look together: their candidates are much the same.
  void FindByScan(std::vector<Place> looking) {
    std::sort(looking.begin(), looking.end(), [&](Place a, Place b) {
      if (columns_.size(a) != columns_.size(b)) return columns_.size(a) < columns_.size(b);
      return columns_.kept(a) != columns_.kept(b) ? columns_.kept(a) < columns_.kept(b) : a < b;
    });
    std::vector<std::span<const Place>> batches;
    for (size_t begin = 0; begin < looking.size();) {
      size_t end = begin + 1;
      while (end < looking.size() && end - begin < kTogether &&
             columns_.size(looking[end]) == columns_.size(looking[begin])) {
        ++end;
      }
      batches.push_back(std::span(looking).subspan(begin, end - begin));
      begin = end;
    }
    parallel_.For(batches.size(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) FindBatch(*workers_[worker], batches[i]);
    });
  }

  void FindBatch(Worker& worker, std::span<const Place> places) {
    if (worker.queries.size() < places.size()) worker.queries.resize(places.size());
    std::vector<LabelScan::Query*> queries;
    for (size_t i = 0; i < places.size(); ++i) {
      scan_->Load(TreeAt(places[i], worker.single), worker.queries[i]);
      queries.push_back(&worker.queries[i]);
    }
    const auto own = static_cast<Units>(columns_.size(places.front()));
    for (size_t shelf = ShelfOf(1); shelf <= ShelfOf(ClassSize() - 1); ++shelf) {
      const Units theirs = Units{1} << (shelf - 1);
      scan_->Find(shelf, theirs, own + theirs, options_.proposals, queries, worker.workspace);
    }
    // Finished classes take in who is left over in the end.
    if (open_.size() < columns_.places() / kLastOnes) {
      const auto theirs = static_cast<Units>(ClassSize());
      scan_->Find(kFinished, theirs, own + theirs, options_.proposals, queries, worker.workspace);
    }
    for (size_t i = 0; i < places.size(); ++i) {
      StopPoint();
      LoadProbe(worker, places[i]);
      worker.chances.clear();
      for (const LabelScan::Found& found : worker.queries[i].found()) {
        Consider(worker, places[i], found.item, false);
      }
      partners_[places[i]] = Look(worker, places[i]);
    }
  }

  void LoadProbe(Worker& worker, Place place) {
    const Representative& tree = TreeAt(place, worker.single);
    const bool may_show_more = trees_[place] == nullptr && model_.rule().HasLevels();
    if (may_show_more) worker.other = MostOf(first_record_[place]);
    worker.probe.Load(may_show_more ? worker.other : tree);
  }

  // Adds (key at the best, other) to the worker's chances. `unbounded`: as if nothing were known of the other class but its weight.
  void Consider(Worker& worker, Place place, Place other, bool unbounded) {
    if (other == place || !columns_.Contains(other)) return;
    ++worker.candidates;
    const Units most =
        unbounded ? std::min(columns_.kept(place), columns_.kept(other)) : worker.probe.Most(other);
    if (most == 0 || IsBetterLeftOut(place, other, most)) return;
    worker.chances.emplace_back(Key(place, other, most), other);
  }

  // The best partner among the chances; those that come next are kept for when the partner is gone.
  Partner Look(Worker& worker, Place place) {
    const Representative& tree = TreeAt(place, worker.single);
    std::vector<std::pair<Units, Place>>& chances = worker.chances;
    const size_t most = scan_ ? std::min(options_.comparisons, chances.size()) : chances.size();
    const size_t kept = scan_ ? options_.remembered : 1;
    // Best chances first, as far as they are needed.
    const auto worse = [](const auto& a, const auto& b) { return a > b; };
    std::make_heap(chances.begin(), chances.end(), worse);
    const auto later = [](const Partner& a, const Partner& b) {
      return a.key != b.key ? a.key > b.key : a.place > b.place;
    };
    const Partner nobody = {kNobody, 0, MostKey(place)};
    // Best last.
    std::vector<Partner>& best = worker.best;
    best.assign(1, nobody);
    for (size_t i = 0; i < most; ++i) {
      std::pop_heap(chances.begin(), chances.end() - static_cast<std::ptrdiff_t>(i), worse);
      const auto [key, other] = chances[chances.size() - 1 - i];
      if (key > best.front().key) break;
      ++worker.compared;
      const Units similarity = Similarity(worker, place, tree, other, best.front().key);
      if (similarity == 0) continue;
      const Partner found = {other, version_[other], Key(place, other, similarity)};
      if (IsBetterLeftOut(place, other, similarity) || !later(best.front(), found)) continue;
      best.insert(std::lower_bound(best.begin(), best.end(), found, later), found);
      if (best.size() > kept) best.erase(best.begin());
    }
    if (best.front().place == kNobody) best.erase(best.begin());
    if (best.empty()) return nobody;
    const Partner partner = best.back();
    best.pop_back();
    others_[place] = best;
    return partner;
  }

  Units Similarity(Worker& worker, Place place, const Representative& tree, Place other,
                   Units key) {
    const int united = UnitedSize(place, other);
    const Units size_a = columns_.size(place);
    const Units size_b = columns_.size(other);
    // The least similarity at which the key is below the one that is known, and the class not better left out.
    const Units brought = Brought(place, other);
    const Units most_added =
        std::min((key * worth_[static_cast<size_t>(brought)] + kKeyScale - 1) / kKeyScale,
                 columns_.kept(place) * brought - 1);
    const Units base = size_a * columns_.kept(place) + size_b * columns_.kept(other);
    const Units need =
        base <= most_added ? 1 : std::max<Units>(1, (base - most_added) / (size_a + size_b));
    if (trees_[other] == nullptr) {
      return worker.merger.SimilarityWithRecord(tree, first_record_[other], united, need);
    }
    return worker.merger.Similarity(tree, *trees_[other], united, need);
  }

  void UniteCheapest() {
    struct Edge {
      Units key;
      Place from;
      Place to;
    };
    std::vector<Edge> edges;
    std::vector<Place> still_open;
    for (const Place place : open_) {
      const Partner& partner = partners_[place];
      // Who has no partner waits for others to come, and is left over in the end.
      if (partner.place == kNobody) continue;
      edges.push_back({partner.key, place, partner.place});
      still_open.push_back(place);
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
      return a.key != b.key ? a.key < b.key : a.from < b.from;
    });
    const size_t cheaper = (edges.size() + kCheapest - 1) / kCheapest;
    std::vector<std::pair<Place, Place>> unions;
    std::vector<bool> taken(columns_.places(), false);
    for (size_t i = 0; i < cheaper; ++i) {
      const auto [key, from, to] = edges[i];
      if (taken[from] || taken[to]) continue;
      taken[from] = taken[to] = true;
      unions.emplace_back(std::min(from, to), std::max(from, to));
    }
    Unite(unions);
    for (const auto& [a, b] : unions) {
      still_open.push_back(a);
      still_open.push_back(b);
    }
    std::sort(still_open.begin(), still_open.end());
    still_open.erase(std::unique(still_open.begin(), still_open.end()), still_open.end());
    open_.clear();
    for (const Place place : still_open) {
      if (IsOpen(place)) open_.push_back(place);
    }
  }

  // What becomes of two classes: one, or a class of the least size and the rest.
  struct United {
    std::unique_ptr<Representative> whole;
    std::unique_ptr<Representative> rest;
  };

  // The core takes of the other class whom it needs to be finished, nearest first; none, if somebody may not be there.
  std::optional<United> Fill(Merger& merger, const Representative& core,
                             const Representative& other) const {
    const int class_size = static_cast<int>(ClassSize());
    std::vector<RecordId> left = other.records();
    Representative grown = core;
    std::vector<VertexPair> pairs;
    while (grown.member_count() < ClassSize()) {
      std::pair<Units, size_t> best = {kNoKey, 0};
      for (size_t i = 0; i < left.size(); ++i) {
        const Units similarity = merger.Similarity(grown, left[i], 0);
        if (similarity <= 0) continue;
        const CostLine line =
            CostLine::Of(MergeCost::kWeighted, grown, model_.record_weight(left[i]));
        best = std::min(best, {line.At(similarity), i});
      }
      if (best.first == kNoKey) return std::nullopt;
      const auto nearest = left.begin() + static_cast<std::ptrdiff_t>(best.second);
      merger.Pair(grown, *nearest, pairs);
      grown = grown.Absorb(model_, *nearest, pairs, class_size);
      left.erase(nearest);
    }
    std::optional<Representative> rest = BuildClass(model_, merger, left, class_size);
    if (!rest) return std::nullopt;
    return United{std::make_unique<Representative>(std::move(grown)),
                  std::make_unique<Representative>(std::move(*rest))};
  }

  // Two open classes that have more records than a class needs make a smaller one and a rest, if that costs less for each record.
  United UnitedOf(Worker& worker, Place a, Place b) const {
    const Representative& tree_a = TreeAt(a, worker.single);
    const Representative& tree_b = TreeAt(b, worker.other);
    const Units size = columns_.size(a) + columns_.size(b);
    United united;
    united.whole =
        std::make_unique<Representative>(worker.merger.Unite(tree_a, tree_b, UnitedSize(a, b)));
    if (size <= ClassSize() || !IsOpen(a) || !IsOpen(b)) return united;
    const bool a_is_core = columns_.size(a) >= columns_.size(b);
    std::optional<United> filled =
        Fill(worker.joiner, a_is_core ? tree_a : tree_b, a_is_core ? tree_b : tree_a);
    if (!filled || filled->whole->cost() * size >= united.whole->cost() * ClassSize()) {
      return united;
    }
    return std::move(*filled);
  }

  // The united class stands at the first place of each pair; what it left of the other one at the second.
  void Unite(const std::vector<std::pair<Place, Place>>& unions) {
    std::vector<United> united(unions.size());
    parallel_.For(unions.size(), 4, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        StopPoint();
        united[i] = UnitedOf(*workers_[worker], unions[i].first, unions[i].second);
      }
    });
    std::vector<Place> changed;
    for (size_t i = 0; i < unions.size(); ++i) {
      const auto [a, b] = unions[i];
      const uint32_t were_open =
          (IsOpen(a) ? columns_.size(a) : 0) + (IsOpen(b) ? columns_.size(b) : 0);
      if (scan_) {
        scan_->Remove(a);
        scan_->Remove(b);
      }
      columns_.Remove(b);
      Put(a, std::move(united[i].whole));
      changed.push_back(a);
      trees_[b].reset();
      others_[b].clear();
      uint32_t still_open = IsOpen(a) ? were_open : 0;
      if (united[i].rest != nullptr) {
        Put(b, std::move(united[i].rest));
        changed.push_back(b);
        still_open += columns_.size(b);
      }
      progress_.Advance(were_open - still_open);
    }
    if (scan_) PutOnShelves(changed);
  }

  // What is left may be a single record, which stands there as single records do: a larger class may show more of it.
  void Put(Place place, std::unique_ptr<Representative> tree) {
    if (tree->member_count() == 1) {
      first_record_[place] = tree->records().front();
      tree.reset();
    }
    columns_.Replace(place, tree != nullptr ? *tree : MostOf(first_record_[place]));
    trees_[place] = std::move(tree);
    ++version_[place];
    partners_[place] = {};
    others_[place].clear();
  }

  Grouping Finish() {
    Grouping result;
    for (const auto& worker : workers_) {
      result.search.candidates += worker->candidates;
      result.search.compared += worker->compared;
    }
    std::vector<RecordId> suppressed;
    for (Place place = 0; place < columns_.places(); ++place) {
      if (!columns_.Contains(place)) continue;
      // Where values may stand in a part of the records only, nothing may be left of a class.
      if (!IsOpen(place) && trees_[place]->size() > 0) {
        trees_[place]->Publish(result.published);
        continue;
      }
      const std::vector<RecordId> single = {first_record_[place]};
      const std::vector<RecordId>& records =
          trees_[place] != nullptr ? trees_[place]->records() : single;
      suppressed.insert(suppressed.end(), records.begin(), records.end());
    }
    std::sort(suppressed.begin(), suppressed.end());
    result.published.Suppress(std::move(suppressed));
    return result;
  }

  const AgglomerateOptions& options_;
  TreeModel model_;
  Parallel& parallel_;
  Progress& progress_;
  ClassColumns columns_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Units> worth_;  // of bringing so many records nearer to a class of their own
  // By place.
  std::vector<std::unique_ptr<Representative>> trees_;  // null for a single record
  std::vector<RecordId> first_record_;
  std::vector<Partner> partners_;
  std::vector<uint32_t> version_;
  std::vector<std::vector<Partner>> others_;  // who else was found, best last
  std::vector<Place> open_;                   // ascending
  std::optional<LabelScan> scan_;
};

bool IsFlat(const EncodedDataset& data) {
  return data.forest().vertex_count() == data.forest().record_count();
}

// Where all that a record shows stands at its root, and must be diverse there, pairs that are united early leave too many classes
// that lack the same values in the end. ClusTree fills one class after the other.
bool BeginsWithClusTree(const EncodedDataset& data, const DiversityRule& rule) {
  return IsFlat(data) && rule.Constrains();
}

Result<Grouping> FillOneAfterTheOther(const EncodedDataset& data, const AgglomerateOptions& options,
                                      Parallel& parallel, Progress& progress) {
  ClusTreeOptions clustree;
  clustree.class_size = options.class_size;
  clustree.rule = options.rule;
  clustree.merge = options.merge;
  clustree.passes = false;
  clustree.exhaustive = options.exhaustive;
  return ClusTree(data, clustree, parallel, progress);
}

Result<Grouping> GrowByRecords(const EncodedDataset& data, const AgglomerateOptions& options,
                               Parallel& parallel, Progress& progress) {
  const size_t everybody = data.forest().record_count();
  NearbyClusTreeOptions nearby;
  nearby.class_size = options.class_size;
  nearby.rule = options.rule;
  nearby.merge = options.merge;
  nearby.proposals = options.neighbourhood > 0 ? options.proposals : everybody;
  nearby.comparisons = options.neighbourhood > 0 ? options.comparisons : everybody;
  nearby.remembered = options.remembered;
  nearby.exhaustive = options.exhaustive;
  return NearbyClusTree(data, nearby, parallel, progress);
}

Result<Grouping> Begin(const EncodedDataset& data, const AgglomerateOptions& options,
                       Parallel& parallel, Progress& progress) {
  const bool fills = BeginsWithClusTree(data, options.rule);
  const bool by_records = GrowsByRecords(data, options.rule);
  const auto group = [&](const EncodedDataset& part, Parallel& threads,
                         Progress& quiet) -> Result<Grouping> {
    if (fills) return FillOneAfterTheOther(part, options, threads, quiet);
    if (by_records) return GrowByRecords(part, options, threads, quiet);
    return Agglomeration(part, options, threads, quiet).Run();
  };
  const size_t size = fills ? std::min(options.neighbourhood, kMostToFill) : options.neighbourhood;
  if (size == 0) return group(data, parallel, progress);
  return GroupByParts(data, size, group, parallel, progress);
}

}  // namespace

bool GrowsByRecords(const EncodedDataset& data, const DiversityRule& rule) {
  // A class of the least size has no room for some levels, for which a larger one has: only uniting classes finds these.
  return !IsFlat(data) && !rule.HasLevels();
}

Result<Grouping> Agglomerate(const EncodedDataset& data, const AgglomerateOptions& options,
                             Parallel& parallel, Progress& progress) {
  THICKET_ASSIGN(Grouping grouping, Begin(data, options, parallel, progress));
  RefineOptions refine;
  refine.class_size = options.least_size;
  refine.rule = options.rule;
  refine.merge = options.merge;
  refine.rounds = options.rounds;
  refine.chances = options.chances;
  return Refine(data, std::move(grouping), refine, parallel, progress);
}

}  // namespace thicket
