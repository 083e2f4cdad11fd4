#include "cutting/table/descent.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "base/random.h"
#include "base/stop.h"
#include "cutting/table/key_numbers.h"

namespace thicket {

namespace {

using Cost = TableTask::Cost;

// Of an item above the cut.
constexpr Item kAbove = ~Item{0};

// Of large tables one descent is enough: from the leaves if the metric is LM, where it ends at the best cut or near it, otherwise from
// the roots. With LM, and where nothing is suppressed, a search takes hardly longer from a cut that is found among coarse labels, with
// half as many combinations of them as few cells if that can be had, in a tenth of the time. With DM and records that go, fine labels
// lead to a cut that costs half as much.

// Of DescendAgain().
constexpr int kDraws = 10;
constexpr uint64_t kDrawSeed = 1;

class Descent {
 public:
  // The cells have the labels of `floor`, by item the finest label at or above it that may be shown.
  Descent(const TableTask& task, const SearchForest& items, const Atoms& cells,
          std::vector<Item> floor, Parallel& parallel, size_t few_kinds)
      : items_(items), cells_(cells), floor_(std::move(floor)), parallel_(parallel) {
    for (size_t worker = 0; worker < parallel.threads(); ++worker) {
      workers_.push_back({AttributeBound(task, items, few_kinds)});
    }
  }

  // From a cut, given by the label at or above each item that is not above the cut.
  CutAnswer Run(std::vector<Item> label_of) {
    label_of_ = std::move(label_of);
    Cost cost = AttributeBound::kImpossible;
    size_t idle = 0;
    for (size_t quasi = 0; idle < items_.quasi_count();
         quasi = (quasi + 1) % items_.quasi_count()) {
      StopPoint();
      const Cost better = Improve(quasi, cost);
      idle = better < cost ? 0 : idle + 1;
      cost = std::min(cost, better);
    }
    CutAnswer answer;
    answer.cost = cost;
    for (Item item = 0; item < items_.size(); ++item) {
      if (label_of_[item] == item) answer.labels.push_back(item);
    }
    return answer;
  }

  // From the labels of the floor.
  CutAnswer RunFromFloor() {
    std::vector<Item> label_of(items_.size());
    for (Item item = 0; item < items_.size(); ++item) {
      label_of[item] = floor_[item] == item && !IsLowest(item) ? kAbove : floor_[item];
    }
    return Run(std::move(label_of));
  }

 private:
  // Whether nothing below the item is shown.
  bool IsLowest(Item item) const {
    const auto children = items_.forest().Children(item);
    return children.empty() || floor_[children.front()] != children.front();
  }

  // What a thread needs for itself.
  struct Worker {
    AttributeBound bound;
    KeyNumbers numbers = {};
    std::vector<AttributeBound::ItemCost> costs = {};
    // By item; and what the other attributes lose.
    std::vector<Cost> part = {};
    Cost others = 0;
    // Of a bucket: by member its class; by class what the others lose, and where its members begin; members by class.
    std::vector<uint32_t> class_of = {};
    std::vector<Cost> loss = {};
    std::vector<uint32_t> begin = {};
    std::vector<uint32_t> order = {};
  };

  // A cell, what tells its class, and what the other attributes lose there.
  struct InClass {
    Atoms::Key key = 0;
    Cost loss = 0;
    uint32_t cell = 0;
  };

  // The best labels of an attribute, which are taken if the cut is then cheaper than `cost`; what it costs.
  Cost Improve(size_t quasi, Cost cost) {
    const Item first = items_.first_item(quasi);
    const Item end = items_.first_item(quasi + 1);
    const Cost others =
        workers_[0].bound.has_few_kinds() ? CountClasses(quasi) : MeasureClasses(quasi);
    std::vector<Cost> least(end - first, 0);
    std::vector<bool> stays(end - first, true);
    for (Item item = end; item-- > first;) {
      Cost below = 0;
      for (const Item child : items_.forest().Children(item)) {
        below = AttributeBound::Sum(below, least[child - first]);
      }
      least[item - first] = part_[item];
      if (IsLowest(item) || below >= least[item - first]) continue;
      least[item - first] = below;
      stays[item - first] = false;
    }
    const Cost found = AttributeBound::Sum(others, least[0]);
    if (found >= cost) return found;
    for (Item item = first; item < end; ++item) {
      const Item above = item == first ? first : label_of_[items_.forest().parent(item)];
      const bool is_below = item != first && above != kAbove;
      label_of_[item] = is_below ? above : stays[item - first] ? item : kAbove;
    }
    return found;
  }

  // What the items of an attribute cost, with classes that differ in the others, into `part_`; and what the others lose.
  Cost MeasureClasses(size_t quasi) {
    Worker& worker = workers_[0];
    std::vector<Item> floor = label_of_;
    const Item first = items_.first_item(quasi);
    for (Item item = 0; item < items_.size(); ++item) {
      if (items_.quasi_of(item) == quasi || floor[item] == kAbove) floor[item] = item;
    }
    const Atoms atoms = cells_.Merged(floor);
    worker.numbers.Reset(atoms.size());
    worker.class_of.resize(atoms.size());
    Cost others = 0;
    for (size_t atom = 0; atom < atoms.size(); ++atom) {
      worker.class_of[atom] = worker.numbers.Of(atoms.KeyWithout(atom, quasi));
      const Cost loss = atoms.loss(atom) - items_.loss(atoms.label(atom, quasi));
      others += loss * atoms.record_count(atom);
    }
    SortByClass(worker);
    part_.assign(items_.size(), 0);
    for (size_t number = 0; number + 1 < worker.begin.size(); ++number) {
      worker.costs.clear();
      worker.bound.Measure(atoms, MembersOf(worker, number), first, quasi, 0, worker.costs);
      for (const auto& one : worker.costs) {
        part_[one.item] = AttributeBound::Sum(part_[one.item], one.cost);
      }
    }
    return others;
  }

  // The members of each class, by their places in `class_of`, into `begin` and `order`.
  static void SortByClass(Worker& worker) {
    worker.begin.assign(worker.numbers.count() + 1, 0);
    for (const uint32_t number : worker.class_of) ++worker.begin[number];
    for (size_t i = 1; i < worker.begin.size(); ++i) worker.begin[i] += worker.begin[i - 1];
    worker.order.resize(worker.class_of.size());
    // Each end moves to its beginning.
    for (auto i = static_cast<uint32_t>(worker.class_of.size()); i-- > 0;) {
      worker.order[--worker.begin[worker.class_of[i]]] = i;
    }
  }
  static std::span<const uint32_t> MembersOf(const Worker& worker, size_t number) {
    return {worker.order.data() + worker.begin[number],
            worker.begin[number + 1] - worker.begin[number]};
  }

  // The same by counts.
  Cost CountClasses(size_t quasi) {
    for (Worker& worker : workers_) {
      worker.part.assign(items_.size(), 0);
      worker.others = 0;
    }
    const size_t buckets = PutIntoBuckets(quasi);
    parallel_.For(buckets, 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t bucket = begin; bucket < end; ++bucket) {
        CountBucket(quasi, bucket, workers_[worker]);
      }
    });
    part_.assign(items_.size(), 0);
    Cost others = 0;
    for (const Worker& worker : workers_) {
      others += worker.others;
      for (Item item = 0; item < items_.size(); ++item) {
        part_[item] = AttributeBound::Sum(part_[item], worker.part[item]);
      }
    }
    return others;
  }

  // Cells of one class are in one bucket; how many buckets there are.
  size_t PutIntoBuckets(size_t quasi) {
    const size_t buckets = std::bit_ceil(cells_.size() / kCellsOfBucket + 1);
    const int bits = std::countr_zero(buckets);
    std::vector<Atoms::Key> key_of(items_.size(), 0);
    std::vector<Cost> loss_of(items_.size(), 0);
    for (Item item = 0; item < items_.size(); ++item) {
      if (items_.quasi_of(item) == quasi || label_of_[item] == kAbove) continue;
      key_of[item] = cells_.KeyOf(label_of_[item]);
      loss_of[item] = items_.loss(label_of_[item]);
    }
    found_.resize(cells_.size());
    bucket_of_.resize(cells_.size());
    parallel_.For(cells_.size(), kCellsOfBucket, [&](size_t worker, size_t begin, size_t end) {
      Cost others = 0;
      for (size_t cell = begin; cell < end; ++cell) {
        InClass one = {.cell = static_cast<uint32_t>(cell)};
        for (const Item label : cells_.labels(cell)) {
          one.key += key_of[label];
          one.loss += loss_of[label];
        }
        found_[cell] = one;
        bucket_of_[cell] = static_cast<uint32_t>(KeyNumbers::Hash(one.key) >> 32 >> (32 - bits));
        others += one.loss * cells_.record_count(cell);
      }
      workers_[worker].others += others;
    });
    bucket_begin_.assign(buckets + 1, 0);
    for (const uint32_t bucket : bucket_of_) ++bucket_begin_[bucket];
    for (size_t i = 1; i <= buckets; ++i) bucket_begin_[i] += bucket_begin_[i - 1];
    in_bucket_.resize(cells_.size());
    // Each end moves to its beginning.
    for (size_t cell = cells_.size(); cell-- > 0;) {
      in_bucket_[--bucket_begin_[bucket_of_[cell]]] = found_[cell];
    }
    return buckets;
  }

  void CountBucket(size_t quasi, size_t bucket, Worker& worker) {
    const std::span<const InClass> cells(in_bucket_.data() + bucket_begin_[bucket],
                                         bucket_begin_[bucket + 1] - bucket_begin_[bucket]);
    worker.numbers.Reset(cells.size());
    worker.class_of.clear();
    for (const InClass& one : cells) worker.class_of.push_back(worker.numbers.Of(one.key));
    SortByClass(worker);
    worker.loss.resize(worker.numbers.count());
    for (size_t i = 0; i < cells.size(); ++i) worker.loss[worker.class_of[i]] = cells[i].loss;
    for (uint32_t& place : worker.order) place = cells[place].cell;
    for (size_t number = 0; number + 1 < worker.begin.size(); ++number) {
      // Classes may have few members: those of the next ones.
      for (uint32_t i = worker.begin[number]; i < worker.begin[number + 1]; ++i) {
        if (i + 2 * Atoms::kAhead < cells.size()) cells_.Fetch(worker.order[i + 2 * Atoms::kAhead]);
        if (i + Atoms::kAhead < cells.size()) cells_.FetchKinds(worker.order[i + Atoms::kAhead]);
      }
      worker.bound.AddFinalCosts(cells_, MembersOf(worker, number), items_.first_item(quasi), quasi,
                                 worker.loss[number], worker.part);
    }
  }

  static constexpr size_t kCellsOfBucket = 4096;

  const SearchForest& items_;
  const Atoms& cells_;
  const std::vector<Item> floor_;
  Parallel& parallel_;
  std::vector<Worker> workers_;
  std::vector<Item> label_of_;
  // By item.
  std::vector<Cost> part_;
  // By cell: what is known of its class, and the bucket that has its class; by bucket, where its cells begin; cells by bucket.
  std::vector<InClass> found_;
  std::vector<uint32_t> bucket_of_;
  std::vector<uint32_t> bucket_begin_;
  std::vector<InClass> in_bucket_;
};

// By item, the label at or above it of a cut that is given by its labels.
std::vector<Item> LabelsAbove(const SearchForest& items, const std::vector<Item>& labels) {
  std::vector<Item> label_of(items.size(), kAbove);
  for (const Item label : labels) label_of[label] = label;
  for (Item item = 0; item < items.size(); ++item) {
    if (label_of[item] != kAbove || items.forest().is_root(item)) continue;
    label_of[item] = label_of[items.forest().parent(item)];
  }
  return label_of;
}

// Any labels of an attribute, fine or coarse ones.
void DrawLabels(const SearchForest& items, size_t quasi, Random& random,
                std::vector<Item>& label_of) {
  const Item first = items.first_item(quasi);
  const double stays = random.Uniform();
  for (Item item = first; item < items.first_item(quasi + 1); ++item) {
    const Item above = item == first ? kAbove : label_of[items.forest().parent(item)];
    const bool is_label = items.forest().is_leaf(item) || random.Uniform() < stays;
    label_of[item] = above != kAbove ? above : is_label ? item : kAbove;
  }
}

constexpr uint32_t kAnyDepth = ~uint32_t{0};

// By item: its ancestor at a depth, or itself if it is no deeper.
std::vector<Item> FloorAt(const SearchForest& items, uint32_t most) {
  std::vector<uint32_t> depth(items.size(), 0);
  std::vector<Item> floor(items.size());
  for (Item item = 0; item < items.size(); ++item) {
    const Item parent = items.forest().parent(item);
    if (!items.forest().is_root(item)) depth[item] = depth[parent] + 1;
    floor[item] = depth[item] <= most ? item : floor[parent];
  }
  return floor;
}

// The largest depth, 1 at least, at which there are not too many combinations of labels.
uint32_t CoarseDepth(const SearchForest& items, double most_combinations) {
  for (uint32_t most = 2;; ++most) {
    const std::vector<Item> floor = FloorAt(items, most);
    double combinations = 1;
    bool is_whole = true;
    for (size_t quasi = 0; quasi < items.quasi_count(); ++quasi) {
      double labels = 0;
      for (Item item = items.first_item(quasi); item < items.first_item(quasi + 1); ++item) {
        is_whole = is_whole && floor[item] == item;
        const auto children = items.forest().Children(item);
        const bool is_lowest = children.empty() || floor[children.front()] != children.front();
        if (floor[item] == item && is_lowest) ++labels;
      }
      combinations *= labels;
    }
    if (combinations > most_combinations) return most - 1;
    if (is_whole) return most;
  }
}

}  // namespace

CutAnswer DescendAgain(const TableTask& task, const SearchForest& items, const Atoms& cells,
                       Parallel& parallel, CutAnswer best, const std::function<bool()>& is_over) {
  Descent descent(task, items, cells, FloorAt(items, kAnyDepth), parallel,
                  AttributeBound::kFewKinds);
  Random random = Random::Seeded(kDrawSeed);
  for (int draw = 0; draw < kDraws && !is_over(); ++draw) {
    std::vector<Item> label_of = LabelsAbove(items, best.labels);
    for (size_t quasi = 0; quasi < items.quasi_count(); ++quasi) {
      if (draw % 2 == 0 || random.Below(items.quasi_count()) < 2) {
        DrawLabels(items, quasi, random, label_of);
      }
    }
    CutAnswer answer = descent.Run(std::move(label_of));
    if (answer.cost < best.cost) best = std::move(answer);
  }
  return best;
}

std::vector<CutAnswer> Descend(const TableTask& task, const SearchForest& items, const Atoms& cells,
                               Parallel& parallel, size_t few_kinds, size_t few_cells) {
  if (items.quasi_count() == 0 || task.table().record_count() == 0) return {};
  const bool is_lm = task.goal().metric == TableMetric::kLm;
  const bool suppresses = task.goal().suppression != Suppression::kNone;
  const bool is_large = task.table().cell_count() > few_cells;
  const bool is_coarse = is_large && (is_lm || !suppresses);
  std::vector<Item> floor = FloorAt(
      items, is_coarse ? CoarseDepth(items, static_cast<double>(few_cells) / 2) : kAnyDepth);
  const Atoms coarse = is_coarse ? cells.Merged(floor) : cells.Empty();
  Descent descent(task, items, is_coarse ? coarse : cells, std::move(floor), parallel, few_kinds);
  std::vector<Item> roots(items.size());
  for (Item item = 0; item < items.size(); ++item) {
    roots[item] = items.first_item(items.quasi_of(item));
  }
  std::vector<CutAnswer> answers;
  if (!(is_large && is_lm && suppresses)) answers.push_back(descent.Run(std::move(roots)));
  if (suppresses && (is_lm || !is_large)) answers.push_back(descent.RunFromFloor());
  const auto best = std::min_element(answers.begin(), answers.end(),
                                     [](const auto& a, const auto& b) { return a.cost < b.cost; });
  std::iter_swap(answers.begin(), best);
  answers.resize(1);
  if (answers[0].cost >= AttributeBound::kImpossible) answers.clear();
  return answers;
}

}  // namespace thicket
