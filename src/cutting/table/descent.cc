#include "cutting/table/descent.h"

#include <algorithm>
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

// Of tables with more cells one descent is enough: from the leaves if the metric is LM, where it ends at the best cut or near it,
// otherwise from the roots.
constexpr size_t kMostCells = 200'000;

// Of DescendAgain().
constexpr int kDraws = 10;
constexpr uint64_t kDrawSeed = 1;

class Descent {
 public:
  Descent(const TableTask& task, const SearchForest& items)
      : items_(items), cells_(Atoms::Of(task.table(), items)), bound_(task, items) {}

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

 private:
  // The best labels of an attribute, which are taken if the cut is then cheaper than `cost`; what it costs.
  Cost Improve(size_t quasi, Cost cost) {
    const Item first = items_.first_item(quasi);
    const Item end = items_.first_item(quasi + 1);
    std::vector<Item> floor = label_of_;
    for (Item item = first; item < end; ++item) floor[item] = item;
    const Atoms atoms = cells_.Merged(floor);
    KeyNumbers numbers;
    numbers.Reset(atoms.size());
    std::vector<uint32_t> class_of(atoms.size());
    Cost others = 0;
    for (size_t atom = 0; atom < atoms.size(); ++atom) {
      class_of[atom] = numbers.Of(atoms.KeyWithout(atom, quasi));
      const Cost loss = atoms.loss(atom) - items_.loss(atoms.label(atom, quasi));
      others += loss * atoms.record_count(atom);
    }
    Measure(atoms, class_of, numbers.count(), quasi);
    std::vector<Cost> least(end - first, 0);
    std::vector<bool> stays(end - first, true);
    for (Item item = end; item-- > first;) {
      Cost below = 0;
      for (const Item child : items_.forest().Children(item)) {
        below = AttributeBound::Sum(below, least[child - first]);
      }
      least[item - first] = part_[item];
      if (items_.forest().is_leaf(item) || below >= least[item - first]) continue;
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

  // What the items of an attribute cost, with classes that differ in the others, into `part_`.
  void Measure(const Atoms& atoms, const std::vector<uint32_t>& class_of, size_t class_count,
               size_t quasi) {
    std::vector<uint32_t> begin(class_count + 1, 0);
    for (const uint32_t number : class_of) ++begin[number + 1];
    for (size_t i = 1; i <= class_count; ++i) begin[i] += begin[i - 1];
    std::vector<uint32_t> order(atoms.size());
    std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
    for (uint32_t atom = 0; atom < atoms.size(); ++atom) order[next[class_of[atom]]++] = atom;
    part_.assign(items_.size(), 0);
    for (size_t number = 0; number < class_count; ++number) {
      const std::span<const uint32_t> members(order.data() + begin[number],
                                              begin[number + 1] - begin[number]);
      costs_.clear();
      bound_.Measure(atoms, members, items_.first_item(quasi), quasi, 0, costs_);
      for (const auto& one : costs_) {
        part_[one.item] = AttributeBound::Sum(part_[one.item], one.cost);
      }
    }
  }

  const SearchForest& items_;
  const Atoms cells_;
  AttributeBound bound_;
  std::vector<Item> label_of_;
  // By item.
  std::vector<Cost> part_;
  std::vector<AttributeBound::ItemCost> costs_;
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

}  // namespace

CutAnswer DescendAgain(const TableTask& task, const SearchForest& items, CutAnswer best,
                       const std::function<bool()>& is_over) {
  Descent descent(task, items);
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

std::vector<CutAnswer> Descend(const TableTask& task, const SearchForest& items) {
  if (items.quasi_count() == 0 || task.table().record_count() == 0) return {};
  Descent descent(task, items);
  std::vector<Item> roots(items.size());
  for (Item item = 0; item < items.size(); ++item) {
    roots[item] = items.first_item(items.quasi_of(item));
  }
  const bool is_lm = task.goal().metric == TableMetric::kLm;
  const bool is_large = task.table().cell_count() > kMostCells;
  const bool suppresses = task.goal().suppression != Suppression::kNone;
  std::vector<CutAnswer> answers;
  if (!(is_large && is_lm && suppresses)) answers.push_back(descent.Run(std::move(roots)));
  if (suppresses && (is_lm || !is_large)) {
    std::vector<Item> leaves(items.size());
    for (Item item = 0; item < items.size(); ++item) {
      leaves[item] = items.forest().is_leaf(item) ? item : kAbove;
    }
    answers.push_back(descent.Run(std::move(leaves)));
  }
  const auto best = std::min_element(answers.begin(), answers.end(),
                                     [](const auto& a, const auto& b) { return a.cost < b.cost; });
  std::iter_swap(answers.begin(), best);
  answers.resize(1);
  if (answers[0].cost >= AttributeBound::kImpossible) answers.clear();
  return answers;
}

}  // namespace thicket
