// What the cuts of a subtree cost at least, and what the cut itself costs.
#include <algorithm>
#include <numeric>

#include "cutting/table/table_problem.h"

namespace thicket {

using Cost = CutProblem::Cost;

template <typename Body>
void TableProblem::ForClasses(std::span<const uint32_t> numbers, const Body& body) {
  const std::vector<size_t> ends = TaskEnds(numbers, kAtomsToMeasure);
  parallel_->For(ends.size(), 1, [&](size_t worker, size_t begin, size_t end) {
    for (size_t i = begin == 0 ? 0 : ends[begin - 1]; i < ends[end - 1]; ++i) {
      body(workers_[worker], i);
    }
  });
}

Cost TableProblem::ClassesBound() {
  Level& level = OwnLevel();
  std::vector<uint32_t> unknown;
  for (uint32_t number = 0; number < level.classes.size(); ++number) {
    if (level.classes[number].bound == kUnknownCost) unknown.push_back(number);
  }
  ForClasses(unknown, [&](Worker& worker, size_t i) {
    Class& one = level.classes[unknown[i]];
    one.bound = worker.measure.MeasureWhole(AtomsOf(one), Members(one));
  });
  Cost sum = 0;
  for (const Class& one : level.classes) sum = AttributeBound::Sum(sum, one.bound);
  for (const Cost loss : level.loss) sum = AttributeBound::Sum(sum, loss);
  return sum;
}

// The sums of squares that DM adds to what is suppressed are small as long as atoms are. To measure them takes much longer than to
// count, so that they are left out where groups that are sixteen times as large as atoms would add less than a tenth of what is
// enough: 160 = 16 * 10.
bool TableProblem::CountsSuffice(Cost enough) const {
  if (!has_few_kinds_) return false;
  if (is_measured_once_) return true;
  if (!may_count_ || enough == kNever) return false;
  size_t atoms = 0;
  for (const Class& one : level().classes) atoms += one.end - one.begin;
  const auto records = static_cast<double>(record_count_);
  return options_.squares * records * records <
         static_cast<double>(enough) * static_cast<double>(atoms);
}

void TableProblem::MeasureClass(uint32_t number, std::span<const size_t> attributes, bool by_counts,
                                Level& level, Worker& worker, std::span<Found> found) const {
  Class& one = level.classes[number];
  const Cost loss = LossOf(one);
  const std::span<const Item> labels = SomeLabels(one);
  worker.asked.clear();
  worker.ends.clear();
  size_t begin = worker.costs.size();
  for (size_t j = 0; j < attributes.size(); ++j) {
    const size_t quasi = attributes[j];
    if (level.known[number * items_->quasi_count() + quasi] != kUnknown) continue;
    const Item top = top_[labels[quasi]];
    worker.asked.push_back({quasi, top});
    if (by_counts) continue;
    worker.measure.Measure(AtomsOf(one), Members(one), top, quasi, loss - items_->loss(top),
                           worker.costs);
    worker.ends.push_back(worker.costs.size());
  }
  if (by_counts) {
    const LeastSuppression whole = worker.measure.MeasureCounts(
        AtomsOf(one), Members(one), worker.asked, loss, worker.costs, worker.ends);
    // With these schemes what is suppressed at least is what the cut suppresses.
    if (is_measured_once_) {
      const ClassOutcome outcome = {.size = whole.size, .kept = whole.size - whole.suppressed};
      one.cost =
          whole.possible ? worker.judge.CostOf(outcome, loss) : Cost{AttributeBound::kImpossible};
    }
  }
  for (size_t i = 0, j = 0; i < worker.asked.size(); ++i, ++j) {
    while (attributes[j] != worker.asked[i].quasi) ++j;
    found[j] = {&worker, begin, worker.ends[i]};
    begin = worker.ends[i];
  }
}

void TableProblem::Measure(std::span<const size_t> attributes, bool by_counts) {
  Level& level = OwnLevel();
  const size_t width = items_->quasi_count();
  std::vector<uint32_t> unknown;
  for (uint32_t number = 0; number < level.classes.size(); ++number) {
    if (std::any_of(attributes.begin(), attributes.end(), [&](size_t quasi) {
          return level.known[number * width + quasi] == kUnknown;
        })) {
      unknown.push_back(number);
    }
  }
  // Attribute by attribute of each class.
  std::vector<Found> found(unknown.size() * attributes.size());
  for (Worker& worker : workers_) worker.costs.clear();
  // All attributes of a class while its atoms are near.
  ForClasses(unknown, [&](Worker& worker, size_t i) {
    MeasureClass(unknown[i], attributes, by_counts, level, worker,
                 std::span(found).subspan(i * attributes.size(), attributes.size()));
  });
  for (size_t i = 0; i < found.size(); ++i) {
    const auto [worker, begin, end] = found[i];
    if (worker == nullptr) continue;
    const size_t quasi = attributes[i % attributes.size()];
    Known& known = known_[quasi];
    known.costs.insert(known.costs.end(), worker->costs.begin() + static_cast<ptrdiff_t>(begin),
                       worker->costs.begin() + static_cast<ptrdiff_t>(end));
    level.known[unknown[i / attributes.size()] * width + quasi] =
        static_cast<uint32_t>(known.first.size() - 1);
    known.first.push_back(static_cast<uint32_t>(known.costs.size()));
  }
}

void TableProblem::SumUp(size_t quasi) {
  const size_t width = items_->quasi_count();
  const Known& known = known_[quasi];
  std::fill(part_.begin() + items_->first_item(quasi),
            part_.begin() + items_->first_item(quasi + 1), 0);
  for (size_t number = 0; number < level().classes.size(); ++number) {
    const uint32_t found = level().known[number * width + quasi];
    for (uint32_t i = known.first[found]; i < known.first[found + 1]; ++i) {
      Cost& part = part_[known.costs[i].item];
      part = AttributeBound::Sum(part, known.costs[i].cost);
    }
  }
}

Cost TableProblem::Bound(const OpenCut& cut) {
  if (!has_bound_) {
    FindTop(cut);
    Settle();
    bound_ = std::max(least_known_, ClassesBound());
    has_bound_ = true;
  }
  return bound_ >= AttributeBound::kImpossible ? kNever : bound_;
}

CutProblem::Verdict TableProblem::Judge(const OpenCut& cut) {
  FindTop(cut);
  Level& level = OwnLevel();
  std::vector<uint32_t> unknown;
  for (uint32_t number = 0; number < level.classes.size(); ++number) {
    if (level.classes[number].cost == kUnknownCost) unknown.push_back(number);
  }
  ForClasses(unknown, [&](Worker& worker, size_t i) {
    Class& one = level.classes[unknown[i]];
    worker.kinds.clear();
    for (const uint32_t atom : Members(one)) {
      const auto kinds = AtomsOf(one).kinds(atom);
      worker.kinds.insert(worker.kinds.end(), kinds.begin(), kinds.end());
    }
    const ClassOutcome outcome = worker.judge.Judge(worker.kinds);
    one.cost = outcome.valid ? worker.judge.CostOf(outcome, LossOf(one))
                             : Cost{AttributeBound::kImpossible};
  });
  Verdict verdict;
  for (const Class& one : level.classes) {
    // A class that is too small, or violates where nothing is suppressed, leaves such a class in every finer cut.
    if (one.cost == AttributeBound::kImpossible) return {Validity::kAllInvalid};
    verdict.cost += one.cost;
  }
  return verdict;
}

std::vector<size_t> TableProblem::OpenAttributes(const OpenCut& cut) const {
  std::vector<bool> is_open(items_->quasi_count(), false);
  for (const Item value : cut.open()) {
    if (MayBeSpecialized(value)) is_open[items_->quasi_of(value)] = true;
  }
  std::vector<size_t> open;
  for (size_t quasi = 0; quasi < is_open.size(); ++quasi) {
    if (is_open[quasi]) open.push_back(quasi);
  }
  return open;
}

bool TableProblem::ListPointless(const OpenCut& cut, Cost enough, std::vector<Item>& values) {
  if (!options_.probe) return false;
  const bool is_done = least_known_ >= enough;
  if (is_done) {
    bound_ = least_known_;
    has_bound_ = true;
  }
  FindTop(cut);
  for (int round = 0; round < kMostRounds && !is_done; ++round) {
    by_counts_ = CountsSuffice(enough);
    Settle();
    by_counts_ = CountsSuffice(enough);
    if (!has_bound_) bound_ = std::max(least_known_, is_measured_once_ ? 0 : ClassesBound());
    has_bound_ = true;
    if (bound_ >= enough || bound_ >= AttributeBound::kImpossible) break;
    bool has_locked = false;
    std::vector<size_t> open = OpenAttributes(cut);
    // What ruled out most the last time may rule out everything now.
    std::sort(open.begin(), open.end(), [&](size_t a, size_t b) {
      return last_least_[a] != last_least_[b] ? last_least_[a] > last_least_[b] : a < b;
    });
    if (is_measured_once_) Measure(open, by_counts_);
    for (size_t i = 0; i < open.size() && bound_ < enough && !is_measured_once_; ++i) {
      const size_t quasi = open[i];
      // One may be enough.
      if (by_counts_) {
        if (i == 0) Measure(open, by_counts_);
      } else if (i < 2) {
        Measure(std::span(open).subspan(i, i == 0 ? 1 : open.size() - i), by_counts_);
      }
      SumUp(quasi);
      last_least_[quasi] = LockPointless(cut, quasi, LossBeside(quasi), enough, has_locked);
      bound_ = std::max(bound_, last_least_[quasi]);
    }
    if (options_.joint && bound_ < enough && open.size() > (is_measured_once_ ? 0U : 1U)) {
      bound_ = std::max(bound_, LockPointlessJointly(cut, open, enough, has_locked));
    }
    if (!has_locked || bound_ >= enough) break;
    is_settled_ = false;
    // The bound of the coarser floor is found in the next round, and is no lower.
    if (round + 1 < kMostRounds && !is_measured_once_) {
      Settle();
      bound_ = std::max(bound_, ClassesBound());
    }
  }
  for (const Item value : cut.open()) {
    if (!MayBeSpecialized(value)) values.push_back(value);
  }
  return enough != kNever;
}

Cost TableProblem::LossBeside(size_t quasi) const {
  const std::vector<Cost>& loss = level().loss;
  return std::accumulate(loss.begin(), loss.end(), Cost{0}) - loss[quasi];
}

Cost TableProblem::LockPointlessJointly(const OpenCut& cut, std::span<const size_t> open,
                                        Cost enough, bool& has_locked) {
  Level& level = OwnLevel();
  const size_t width = items_->quasi_count();
  joint_.Begin(level.classes.size(), open);
  for (size_t place = 0; place < open.size(); ++place) {
    const Known& known = known_[open[place]];
    for (uint32_t number = 0; number < level.classes.size(); ++number) {
      const uint32_t found = level.known[number * width + open[place]];
      for (uint32_t i = known.first[found]; i < known.first[found + 1]; ++i) {
        const AttributeBound::ItemCost& one = known.costs[i];
        joint_.Add(place, number, one.item, one.shared, one.own);
      }
    }
  }
  // Attributes that are not open show what the cut shows.
  Cost rest = 0;
  for (Item item = 0; item < items_->size(); ++item) {
    if (!cut.is_label(item)) continue;
    if (std::find(open.begin(), open.end(), items_->quasi_of(item)) != open.end()) continue;
    rest += items_->occurrences(item) * items_->loss(item);
  }
  const Cost bound = joint_.Raise(cut, is_locked_, rest, enough, level.weights);
  for (size_t place = 0; place < open.size() && bound < enough; ++place) {
    const size_t quasi = open[place];
    for (Item item = items_->first_item(quasi); item < items_->first_item(quasi + 1); ++item) {
      part_[item] = joint_.part(item);
    }
    LockPointless(cut, quasi, bound - joint_.least(place), enough, has_locked);
  }
  return bound;
}

Cost TableProblem::LockPointless(const OpenCut& cut, size_t quasi, Cost others, Cost enough,
                                 bool& has_locked) {
  constexpr Cost kImpossible = AttributeBound::kImpossible;
  const ItemForest& items = forest();
  const Item first = items_->first_item(quasi);
  const Item end = items_->first_item(quasi + 1);
  const Cost limit = std::min(enough, kImpossible);
  Cost total = others;
  for (Item item = end; item-- > first;) {
    if (cut.is_above(item)) continue;
    least_[item] = part_[item];
    below_[item] = 0;
    for (const Item child : items.Children(item)) {
      below_[item] = AttributeBound::Sum(below_[item], least_[child]);
    }
    if (MayBeSpecialized(item)) least_[item] = std::min(least_[item], below_[item]);
    if (cut.is_label(item)) total = AttributeBound::Sum(total, least_[item]);
  }
  if (total >= limit) return total;
  // By item: the cheapest cut in which all above it are specialized, without what is at or below it.
  for (Item item = first; item < end; ++item) {
    if (cut.is_above(item)) continue;
    if (cut.is_label(item)) {
      rest_[item] = total - least_[item];
    } else {
      const Item parent = items.parent(item);
      if (!MayBeSpecialized(parent) || rest_[parent] >= kImpossible) {
        rest_[item] = kImpossible;
        continue;
      }
      // The parent is not locked, so that the sum over its children is possible.
      rest_[item] = rest_[parent] + below_[parent] - least_[item];
    }
    if (cut.is_label(item) && MayBeSpecialized(item)) {
      RaiseIfStays(item, AttributeBound::Sum(rest_[item], part_[item]));
    }
    if (!MayBeSpecialized(item) || AttributeBound::Sum(rest_[item], below_[item]) < limit) continue;
    is_locked_[item] = true;
    locked_.push_back(item);
    has_locked = true;
  }
  return total;
}

}  // namespace thicket
