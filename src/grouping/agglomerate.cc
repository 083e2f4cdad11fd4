#include "grouping/agglomerate.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "grouping/class_columns.h"
#include "grouping/clustree.h"
#include "grouping/equal_records.h"
#include "grouping/neighbourhoods.h"
#include "grouping/parts.h"
#include "grouping/refine.h"
#include "matching/representative_merge.h"

namespace thicket {

namespace {

constexpr Place kNobody = ~Place{0};
// What is added to the loss for one record is counted in this part of a unit.
constexpr Units kKeyScale = 64;
// How many records have a chance in a hole in the last rounds.
constexpr size_t kPolishChances = 16;
// Where classes begin with ClusTree, a part has so many times as many records: a scan of single vertices is quick.
constexpr size_t kRecordsPerPlace = 64;
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
  }

  Result<Grouping> Run() {
    progress_.Begin("anonymize", model_.forest().record_count());
    Start();
    while (!open_.empty()) {
      if (progress_.cancelled()) return Interrupted();
      StopPoint();
      if (options_.neighbourhood > 0 && open_.size() * 3 <= open_when_split_ * 2) SplitAgain();
      FindPartners();
      UniteCheapest();
    }
    progress_.End();
    return Finish();
  }

 private:
  // What a thread needs to look for partners.
  struct Worker {
    Worker(const TreeModel& model, const ClassColumns& columns, const MergeOptions& options)
        : probe(columns), merger(model, options) {}
    ClassProbe probe;
    RepresentativeMerger merger;
    Representative single;
    Representative other;
    std::vector<std::pair<Units, Place>> chances;
    std::vector<uint32_t> seen;  // by place: the last look in which it was seen
    uint32_t look = 0;
    uint64_t candidates = 0;
    uint64_t compared = 0;
  };

  struct Partner {
    Place place = kNobody;
    uint32_t version = 0;
    Units key = kNoKey;
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
      second_.push_back(kNobody);
      if (!IsOpen(place)) {
        progress_.Advance(records.size());
      } else if (columns_.kept(place) > 0) {
        open_.push_back(place);
      }
    }
    open_when_split_ = open_.size() * 2;
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

  void SplitAgain() {
    open_when_split_ = open_.size();
    std::vector<Place> places;
    std::vector<uint8_t> quarters(columns_.places(), 4);
    for (Place place = 0; place < columns_.places(); ++place) {
      if (!columns_.Contains(place) || columns_.kept(place) == 0) continue;
      places.push_back(place);
      if (!IsOpen(place)) quarters[place] = 1;
    }
    const auto visit_tree = [&](Place place,
                                const std::function<void(const Representative&)>& visit) {
      Representative open = trees_[place] != nullptr
                                ? *trees_[place]
                                : Representative::Of(model_, first_record_[place], kOpenSize);
      open.SetClassSize(model_, kOpenSize);
      visit(open);
    };
    parts_.emplace(
        columns_, places, quarters, visit_tree,
        NeighbourhoodOptions{
            .size = options_.neighbourhood, .ways = options_.splits, .seed = ++times_split_},
        parallel_);
    std::fill(second_.begin(), second_.end(), kNobody);
    // Who had found nobody near may find somebody now.
    for (const Place place : open_) {
      if (partners_[place].place == kNobody) partners_[place] = {};
    }
  }

  // How many records are nearer to a class of their own when the two are united.
  Units Brought(Place a, Place b) const {
    return (IsOpen(a) ? columns_.size(a) : 0) + (IsOpen(b) ? columns_.size(b) : 0);
  }
  // What uniting them adds to the loss at this similarity, for each record that is brought nearer.
  Units Key(Place a, Place b, Units similarity) const {
    const Units size_a = columns_.size(a);
    const Units size_b = columns_.size(b);
    const Units added =
        size_a * columns_.kept(a) + size_b * columns_.kept(b) - (size_a + size_b) * similarity;
    return added * kKeyScale / Brought(a, b);
  }
  // What the class loses for each of its records when it is left out.
  Units KeyOfLeavingOut(Place place) const { return columns_.kept(place) * kKeyScale; }

  bool IsCurrent(const Partner& partner) const {
    return partner.place != kNobody && columns_.Contains(partner.place) &&
           version_[partner.place] == partner.version;
  }

  void FindPartners() {
    std::vector<Place> looking;
    for (const Place place : open_) {
      if (!IsCurrent(partners_[place])) looking.push_back(place);
    }
    parallel_.For(looking.size(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        StopPoint();
        partners_[looking[i]] = Look(*workers_[worker], looking[i]);
      }
    });
  }

  // Fills worker.chances with (key at the best, place).
  void FindChances(Worker& worker, Place place) {
    worker.chances.clear();
    const auto consider = [&](Place other) {
      if (other == place || !columns_.Contains(other)) return;
      ++worker.candidates;
      const Units most = options_.exhaustive ? std::min(columns_.kept(place), columns_.kept(other))
                                             : worker.probe.Most(other);
      if (most == 0) return;
      worker.chances.emplace_back(Key(place, other, most), other);
    };
    if (options_.neighbourhood == 0) {
      for (Place other = 0; other < columns_.places(); ++other) consider(other);
      return;
    }
    worker.seen.resize(columns_.places());
    ++worker.look;
    const auto consider_once = [&](Place other) {
      if (worker.seen[other] == worker.look) return;
      worker.seen[other] = worker.look;
      consider(other);
    };
    parts_->ForEach(place, consider_once);
    if (second_[place] != kNobody) parts_->ForEach(second_[place], consider_once);
  }

  Partner Look(Worker& worker, Place place) {
    const Representative& tree = TreeAt(place, worker.single);
    const bool may_show_more = trees_[place] == nullptr && model_.rule().HasLevels();
    if (may_show_more) worker.other = MostOf(first_record_[place]);
    worker.probe.Load(may_show_more ? worker.other : tree);
    FindChances(worker, place);
    std::vector<std::pair<Units, Place>>& chances = worker.chances;
    const size_t most = options_.neighbourhood == 0
                            ? chances.size()
                            : std::min(options_.comparisons, chances.size());
    // Best chances first, as far as they are needed.
    const auto worse = [](const auto& a, const auto& b) { return a > b; };
    std::make_heap(chances.begin(), chances.end(), worse);
    Partner best;
    best.key = KeyOfLeavingOut(place);
    for (size_t i = 0; i < most; ++i) {
      std::pop_heap(chances.begin(), chances.end() - static_cast<std::ptrdiff_t>(i), worse);
      const auto [key, other] = chances[chances.size() - 1 - i];
      if (key > best.key) break;
      ++worker.compared;
      const Units similarity = Similarity(worker, place, tree, other, best.key);
      if (similarity == 0) continue;
      const Units real = Key(place, other, similarity);
      // Of equals the first place; nobody is left out for an equal.
      if (real < best.key || (real == best.key && best.place != kNobody && other < best.place)) {
        best = {other, version_[other], real};
      }
    }
    return best;
  }

  Units Similarity(Worker& worker, Place place, const Representative& tree, Place other,
                   Units key) {
    const int united = UnitedSize(place, other);
    const Units size_a = columns_.size(place);
    const Units size_b = columns_.size(other);
    // The least similarity at which the key is below the one that is known.
    const Units most_added = (key * Brought(place, other) + kKeyScale - 1) / kKeyScale;
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
    const size_t cheaper = (edges.size() + 1) / 2;
    std::vector<std::pair<Place, Place>> unions;
    std::vector<bool> taken(columns_.places(), false);
    for (size_t i = 0; i < cheaper; ++i) {
      const auto [key, from, to] = edges[i];
      if (taken[from] || taken[to]) continue;
      taken[from] = taken[to] = true;
      unions.emplace_back(std::min(from, to), std::max(from, to));
    }
    Unite(unions);
    for (const auto& [a, b] : unions) still_open.push_back(a);
    std::sort(still_open.begin(), still_open.end());
    still_open.erase(std::unique(still_open.begin(), still_open.end()), still_open.end());
    open_.clear();
    for (const Place place : still_open) {
      if (IsOpen(place)) open_.push_back(place);
    }
  }

  // The united class stands at the first place of each pair.
  void Unite(const std::vector<std::pair<Place, Place>>& unions) {
    std::vector<std::unique_ptr<Representative>> united(unions.size());
    parallel_.For(unions.size(), 4, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        StopPoint();
        const auto [a, b] = unions[i];
        Worker& own = *workers_[worker];
        united[i] = std::make_unique<Representative>(
            own.merger.Unite(TreeAt(a, own.single), TreeAt(b, own.other), UnitedSize(a, b)));
      }
    });
    for (size_t i = 0; i < unions.size(); ++i) {
      const auto [a, b] = unions[i];
      const uint32_t were_open =
          (IsOpen(a) ? columns_.size(a) : 0) + (IsOpen(b) ? columns_.size(b) : 0);
      columns_.Remove(b);
      columns_.Replace(a, *united[i]);
      trees_[a] = std::move(united[i]);
      trees_[b].reset();
      second_[a] = b;
      ++version_[a];
      partners_[a] = {};
      if (!IsOpen(a)) progress_.Advance(were_open);
    }
  }

  Grouping Finish() {
    Grouping result;
    for (const auto& worker : workers_) {
      result.search.candidates += worker->candidates;
      result.search.compared += worker->compared;
    }
    result.search.neighbourhood = options_.neighbourhood;
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
      if (columns_.kept(place) > 0) {
        result.costly_leftovers.insert(result.costly_leftovers.end(), records.begin(),
                                       records.end());
      }
    }
    std::sort(suppressed.begin(), suppressed.end());
    std::sort(result.costly_leftovers.begin(), result.costly_leftovers.end());
    result.published.Suppress(std::move(suppressed));
    return result;
  }

  const AgglomerateOptions& options_;
  TreeModel model_;
  Parallel& parallel_;
  Progress& progress_;
  ClassColumns columns_;
  std::vector<std::unique_ptr<Worker>> workers_;
  // By place.
  std::vector<std::unique_ptr<Representative>> trees_;  // null for a single record
  std::vector<RecordId> first_record_;
  std::vector<Partner> partners_;
  std::vector<uint32_t> version_;
  std::vector<Place> second_;  // whose parts are looked at, too
  std::vector<Place> open_;    // ascending
  std::optional<Neighbourhoods> parts_;
  size_t open_when_split_ = 0;
  uint64_t times_split_ = 0;
};

}  // namespace

namespace {

// Where all that a record shows stands at its root, and must be diverse there, pairs that are united early leave too many classes
// that lack the same values in the end. ClusTree fills one class after the other.
bool BeginsWithClusTree(const EncodedDataset& data, const DiversityRule& rule) {
  const bool flat = data.forest().vertex_count() == data.forest().record_count();
  return flat && rule.Constrains();
}

Result<Grouping> Begin(const EncodedDataset& data, const AgglomerateOptions& options,
                       Parallel& parallel, Progress& progress) {
  if (!BeginsWithClusTree(data, options.rule)) {
    return Agglomeration(data, options, parallel, progress).Run();
  }
  ClusTreeOptions clustree;
  clustree.class_size = options.class_size;
  clustree.rule = options.rule;
  clustree.merge = options.merge;
  clustree.passes = false;
  clustree.exhaustive = options.exhaustive;
  const auto group = [&](const EncodedDataset& part, Parallel& threads, Progress& quiet) {
    return ClusTree(part, clustree, threads, quiet);
  };
  const size_t part = options.neighbourhood * kRecordsPerPlace;
  if (options.neighbourhood == 0) return group(data, parallel, progress);
  return GroupByParts(data, part, group, parallel, progress);
}

}  // namespace

Result<Grouping> Agglomerate(const EncodedDataset& data, const AgglomerateOptions& options,
                             Parallel& parallel, Progress& progress) {
  THICKET_ASSIGN(Grouping grouping, Begin(data, options, parallel, progress));
  if (options.rounds == 0) return grouping;
  RefineOptions refine;
  refine.class_size = options.least_size;
  refine.rule = options.rule;
  refine.merge = options.merge;
  refine.rounds = options.rounds;
  refine.chances = kPolishChances;
  return Refine(data, std::move(grouping), refine, parallel, progress);
}

}  // namespace thicket
