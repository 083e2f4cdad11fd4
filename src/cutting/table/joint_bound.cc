#include "cutting/table/joint_bound.h"

#include <algorithm>

#include "cutting/table/attribute_bound.h"

namespace thicket {

namespace {

using Cost = JointBound::Cost;
__extension__ using Wide = unsigned __int128;

constexpr Cost kImpossible = AttributeBound::kImpossible;

Cost Weighted(Cost shared, JointBound::Weight weight) {
  return static_cast<Cost>(Wide{shared} * weight / JointBound::kOne);
}

}  // namespace

JointBound::JointBound(const TableTask& task, const SearchForest& items, Parallel& parallel)
    : items_(&items),
      parallel_(&parallel),
      all_general_(items.size(), 0),
      general_(items.size(), 0),
      part_(items.size(), 0),
      least_(items.size(), 0),
      place_(items.size(), Place::kBelow),
      best_part_(items.size(), 0) {
  if (task.goal().metric != TableMetric::kLm) return;
  for (Item item = 0; item < items.size(); ++item) {
    all_general_[item] = items.occurrences(item) * items.loss(item);
  }
}

void JointBound::Begin(size_t class_count, std::span<const size_t> attributes) {
  class_count_ = class_count;
  open_ = attributes.size();
  if (attributes_.size() < open_) attributes_.resize(open_);
  best_least_.assign(open_, 0);
  for (size_t place = 0; place < open_; ++place) {
    attributes_[place].quasi = attributes[place];
    attributes_[place].entries.clear();
  }
  general_ = all_general_;
}

void JointBound::Add(size_t place, uint32_t number, Item item, Cost shared, Cost own) {
  if (shared >= kImpossible) {
    general_[item] = kImpossible;
    return;
  }
  general_[item] = AttributeBound::Sum(general_[item], own);
  if (shared > 0) attributes_[place].entries.push_back({number, item, shared});
}

void JointBound::Balance(std::span<Weight> weights) const {
  const size_t width = items_->quasi_count();
  for (size_t number = 0; number < class_count_; ++number) {
    Weight* of_class = weights.data() + number * width;
    uint32_t sum = 0;
    for (size_t place = 0; place < open_; ++place) sum += of_class[attributes_[place].quasi];
    for (size_t place = 0; place < open_; ++place) {
      Weight& weight = of_class[attributes_[place].quasi];
      const uint64_t share = sum > 0 ? uint64_t{weight} * kOne / sum : kOne / open_;
      weight = static_cast<Weight>(share);
    }
  }
}

void JointBound::Solve(const OpenCut& cut, const std::vector<bool>& is_locked,
                       std::span<const Weight> weights, Attribute& attribute) {
  const size_t width = items_->quasi_count();
  const ItemForest& forest = items_->forest();
  const Item first = items_->first_item(attribute.quasi);
  const Item end = items_->first_item(attribute.quasi + 1);
  std::copy(general_.begin() + first, general_.begin() + end, part_.begin() + first);
  for (const Entry& entry : attribute.entries) {
    const Weight weight = weights[entry.number * width + attribute.quasi];
    part_[entry.item] = AttributeBound::Sum(part_[entry.item], Weighted(entry.shared, weight));
  }
  attribute.least = 0;
  for (Item item = end; item-- > first;) {
    place_[item] = Place::kAbove;
    if (cut.is_above(item)) continue;
    Cost below = 0;
    for (const Item child : forest.Children(item)) {
      below = AttributeBound::Sum(below, least_[child]);
    }
    const bool is_shown = is_locked[item] || part_[item] <= below;
    least_[item] = is_shown ? part_[item] : below;
    place_[item] = is_shown ? Place::kShown : Place::kAbove;
    if (cut.is_label(item)) attribute.least = AttributeBound::Sum(attribute.least, least_[item]);
  }
  for (Item item = first; item < end; ++item) {
    if (cut.is_above(item) || cut.is_label(item)) continue;
    if (place_[forest.parent(item)] != Place::kAbove) place_[item] = Place::kBelow;
  }
  attribute.paid.assign(class_count_, 0);
  for (const Entry& entry : attribute.entries) {
    if (place_[entry.item] == Place::kShown) attribute.paid[entry.number] += entry.shared;
  }
}

JointBound::Total JointBound::SumUp(Cost rest) const {
  Total total = {rest, rest};
  for (size_t place = 0; place < open_; ++place) {
    const Attribute& attribute = attributes_[place];
    total.bound = AttributeBound::Sum(total.bound, attribute.least);
    const Item end = items_->first_item(attribute.quasi + 1);
    for (Item item = items_->first_item(attribute.quasi); item < end; ++item) {
      if (place_[item] == Place::kShown)
        total.most = AttributeBound::Sum(total.most, general_[item]);
    }
  }
  for (size_t number = 0; number < class_count_; ++number) {
    Cost dearest = 0;
    for (size_t place = 0; place < open_; ++place) {
      dearest = std::max(dearest, attributes_[place].paid[number]);
    }
    total.most = AttributeBound::Sum(total.most, dearest);
  }
  return total;
}

void JointBound::Step(uint64_t step, std::span<Weight> weights) {
  const size_t width = items_->quasi_count();
  std::vector<uint64_t> next(open_);
  for (size_t number = 0; number < class_count_; ++number) {
    Cost dearest = 0;
    for (size_t place = 0; place < open_; ++place) {
      dearest = std::max(dearest, attributes_[place].paid[number]);
    }
    if (dearest == 0) continue;
    Weight* of_class = weights.data() + number * width;
    uint64_t sum = 0;
    for (size_t place = 0; place < open_; ++place) {
      const double share =
          static_cast<double>(attributes_[place].paid[number]) / static_cast<double>(dearest);
      // A weight that has come down to nothing can still grow.
      const uint64_t weight = of_class[attributes_[place].quasi] + uint64_t{4};
      next[place] = weight * (kStepUnit + static_cast<uint64_t>(static_cast<double>(step) * share));
      sum += next[place];
    }
    for (size_t place = 0; place < open_; ++place) {
      of_class[attributes_[place].quasi] = static_cast<Weight>(next[place] * kOne / sum);
    }
  }
}

Cost JointBound::Raise(const OpenCut& cut, const std::vector<bool>& is_locked, Cost rest,
                       Cost enough, std::span<Weight> weights) {
  Balance(weights);
  Cost best = 0;
  int hopeless = 0;
  uint64_t step = 2 * kStepUnit;
  for (int steps = 1;; ++steps) {
    parallel_->For(open_, 1, [&](size_t begin, size_t end) {
      for (size_t place = begin; place < end; ++place) {
        Solve(cut, is_locked, weights, attributes_[place]);
      }
    });
    const Total total = SumUp(rest);
    if (steps == 1 || total.bound > best) {
      best = total.bound;
      best_part_ = part_;
      for (size_t place = 0; place < open_; ++place) best_least_[place] = attributes_[place].least;
    }
    hopeless += total.most < enough ? 1 : 0;
    if (best >= enough || steps == kMostSteps || hopeless == kHopelessSteps) return best;
    if (total.bound >= total.most) return best;
    Step(step, weights);
    step = step * 15 / 16;
  }
}

}  // namespace thicket
