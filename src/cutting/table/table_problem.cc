#include "cutting/table/table_problem.h"

#include <algorithm>
#include <utility>

namespace thicket {

using Cost = CutProblem::Cost;

TableProblem::TableProblem(const TableTask& task, const SearchForest& items, Options options,
                           Parallel& parallel)
    : items_(&items),
      options_(options),
      parallel_(&parallel),
      judge_(task),
      measures_(kAtOnce, AttributeBound(task, items, options.few_kinds)),
      known_(items.quasi_count()),
      part_(items.size(), 0),
      is_locked_(items.size(), false),
      if_stays_(items.size(), 0),
      top_(items.size()),
      floor_(items.size()),
      last_least_(items.quasi_count(), 0),
      least_(items.size(), 0),
      below_(items.size(), 0),
      rest_(items.size(), 0) {
  for (Item item = 0; item < items.size(); ++item) is_locked_[item] = forest().is_leaf(item);
  AddLayer(Atoms::Of(task.table(), items));
  Classes whole;
  whole.of_atom.assign(layer().atoms.size(), 0);
  whole.count = layer().atoms.size() == 0 ? 0 : 1;
  whole.known.resize(items.quasi_count());
  if (whole.count > 0) whole.Forget(0);
  layers_.back().classes.push_back(std::move(whole));
}

void TableProblem::Classes::Forget(uint32_t number) {
  if (number >= bound.size()) bound.resize(number + 1);
  bound[number] = kUnknownCost;
  for (std::vector<uint32_t>& of_attribute : known) {
    if (number >= of_attribute.size()) of_attribute.resize(number + 1);
    of_attribute[number] = kUnknown;
  }
}

void TableProblem::AddLayer(Atoms atoms) {
  Layer added;
  added.loss.assign(items_->quasi_count(), 0);
  for (size_t atom = 0; atom < atoms.size(); ++atom) {
    for (size_t quasi = 0; quasi < items_->quasi_count(); ++quasi) {
      added.loss[quasi] += atoms.record_count(atom) * items_->loss(atoms.label(atom, quasi));
    }
  }
  added.bytes = atoms.MemoryBytes();
  added.atoms = std::move(atoms);
  bytes_ += added.bytes;
  layers_.push_back(std::move(added));
}

void TableProblem::Save() {
  std::vector<uint32_t> known;
  for (const Known& one : known_) known.push_back(static_cast<uint32_t>(one.first.size() - 1));
  frames_.push_back({layers_.size(), layer().classes.size(), locked_.size(), is_settled_,
                     raised_.size(), std::move(known), has_bound_, bound_, least_known_});
}

void TableProblem::Restore() {
  const Frame frame = std::move(frames_.back());
  frames_.pop_back();
  for (; layers_.size() > frame.layers; layers_.pop_back()) bytes_ -= layer().bytes;
  layers_.back().classes.resize(frame.classes);
  for (size_t quasi = 0; quasi < known_.size(); ++quasi) {
    known_[quasi].first.resize(frame.known[quasi] + 1);
    known_[quasi].costs.resize(known_[quasi].first.back());
    // The classes themselves may have been measured since, if nothing was specialized.
    for (uint32_t& known : layers_.back().classes.back().known[quasi]) {
      if (known != kUnknown && known >= frame.known[quasi]) known = kUnknown;
    }
  }
  for (; locked_.size() > frame.locked; locked_.pop_back()) is_locked_[locked_.back()] = false;
  for (; raised_.size() > frame.raised; raised_.pop_back()) {
    if_stays_[raised_.back().item] = raised_.back().before;
  }
  has_bound_ = frame.has_bound;
  bound_ = frame.bound;
  least_known_ = frame.least;
  is_settled_ = frame.is_settled;
}

void TableProblem::Specialize(const OpenCut& /*cut*/, Item value) {
  const ItemForest& items = forest();
  const size_t quasi = items_->quasi_of(value);
  const Atoms& atoms = layer().atoms;
  Classes next = classes();
  // The first child that a class has keeps the number of the class.
  std::vector<Item> first_child(next.count, 0);
  numbers_.Reset(atoms.size());
  std::vector<uint32_t> number_of_key;
  for (size_t atom = 0; atom < atoms.size(); ++atom) {
    const Item label = atoms.label(atom, quasi);
    if (items_->place(label) <= items_->place(value) ||
        items_->place(label) >= items_->end(value)) {
      continue;
    }
    Item child = label;
    while (items.parent(child) != value) child = items.parent(child);
    uint32_t& number = next.of_atom[atom];
    if (first_child[number] == 0) {
      first_child[number] = child;
      next.Forget(number);
    }
    if (first_child[number] == child) continue;
    const uint32_t key = numbers_.Of(KeyNumbers::Key{number} << 32 | child);
    if (key == number_of_key.size()) {
      number_of_key.push_back(static_cast<uint32_t>(next.count++));
      next.Forget(number_of_key.back());
    }
    number = number_of_key[key];
  }
  layers_.back().classes.push_back(std::move(next));
  has_bound_ = false;
}

void TableProblem::RaiseIfStays(Item item, Cost cost) {
  if (if_stays_[item] >= cost) return;
  raised_.push_back({item, if_stays_[item]});
  if_stays_[item] = cost;
}

void TableProblem::Lock(const OpenCut& /*cut*/, Item value) {
  least_known_ = std::max(least_known_, if_stays_[value]);
  if (is_locked_[value]) return;
  is_locked_[value] = true;
  locked_.push_back(value);
  is_settled_ = false;
  has_bound_ = false;
}

void TableProblem::FindTop(const OpenCut& cut) {
  for (Item item = 0; item < items_->size(); ++item) {
    const bool is_above = cut.is_above(item) || cut.is_label(item);
    top_[item] = is_above ? item : top_[forest().parent(item)];
  }
}

void TableProblem::Settle() {
  if (is_settled_) return;
  is_settled_ = true;
  for (Item item = 0; item < items_->size(); ++item) {
    const Item parent = forest().parent(item);
    const bool is_free =
        forest().is_root(item) || (floor_[parent] == parent && MayBeSpecialized(parent));
    floor_[item] = is_free ? item : floor_[parent];
  }
  const Atoms& atoms = layer().atoms;
  std::vector<uint32_t> changed;
  for (size_t atom = 0; atom < atoms.size(); ++atom) {
    bool changes = false;
    for (size_t quasi = 0; quasi < items_->quasi_count(); ++quasi) {
      changes = changes || floor_[atoms.label(atom, quasi)] != atoms.label(atom, quasi);
    }
    if (changes) changed.push_back(classes().of_atom[atom]);
  }
  if (changed.empty()) return;
  Atoms merged = atoms.Merged(floor_);
  const bool is_full = bytes_ + merged.MemoryBytes() > kMemory;
  if (is_full && merged.size() > atoms.size() / 4 * 3) return;
  Classes of_merged;
  of_merged.count = classes().count;
  of_merged.of_atom.resize(merged.size());
  of_merged.bound = classes().bound;
  of_merged.known = classes().known;
  for (const uint32_t number : changed) of_merged.Forget(number);
  for (size_t atom = 0; atom < atoms.size(); ++atom) {
    of_merged.of_atom[merged.merged_into()[atom]] = classes().of_atom[atom];
  }
  // Atoms that nobody comes back to are replaced.
  if (!frames_.empty() && layers_.size() > frames_.back().layers) {
    bytes_ -= layer().bytes;
    layers_.pop_back();
  }
  merged.ForgetMerging();
  AddLayer(std::move(merged));
  layers_.back().classes.push_back(std::move(of_merged));
}

Cost TableProblem::ClassesBound() {
  std::vector<Cost>& bounds = layers_.back().classes.back().bound;
  std::vector<bool> is_known(classes().count);
  for (size_t number = 0; number < classes().count; ++number) {
    is_known[number] = bounds[number] != kUnknownCost;
  }
  measures_[0].MeasureClasses(layer().atoms, classes().of_atom, is_known, bounds);
  Cost sum = 0;
  for (const Cost bound : bounds) sum = AttributeBound::Sum(sum, bound);
  for (const Cost loss : layer().loss) sum = AttributeBound::Sum(sum, loss);
  return sum;
}

void TableProblem::Measure(size_t quasi, AttributeBound& measure) {
  const std::vector<uint32_t>& known = classes().known[quasi];
  std::vector<bool> is_known(classes().count);
  for (size_t number = 0; number < classes().count; ++number) {
    is_known[number] = known[number] != kUnknown;
  }
  measure.MeasureSome(layer().atoms, classes().of_atom, classes().count, top_, quasi, is_known);
}

void TableProblem::SumUp(size_t quasi, const AttributeBound& measured) {
  Known& known = known_[quasi];
  std::fill(part_.begin() + items_->first_item(quasi),
            part_.begin() + items_->first_item(quasi + 1), 0);
  const auto before = static_cast<uint32_t>(known.costs.size());
  known.costs.insert(known.costs.end(), measured.costs().begin(), measured.costs().end());
  size_t next = 0;
  for (uint32_t& number : layers_.back().classes.back().known[quasi]) {
    if (number == kUnknown) {
      number = static_cast<uint32_t>(known.first.size() - 1);
      known.first.push_back(before + measured.ends()[next++]);
    }
    for (uint32_t i = known.first[number]; i < known.first[number + 1]; ++i) {
      Cost& part = part_[known.costs[i].item];
      part = AttributeBound::Sum(part, known.costs[i].cost);
    }
  }
}

Cost TableProblem::Bound(const OpenCut& /*cut*/) {
  if (!has_bound_) {
    Settle();
    bound_ = std::max(least_known_, ClassesBound());
    has_bound_ = true;
  }
  return bound_ >= AttributeBound::kImpossible ? kNever : bound_;
}

CutProblem::Verdict TableProblem::Judge(const OpenCut& cut) {
  FindTop(cut);
  const Atoms& atoms = layer().atoms;
  std::vector<uint32_t> first(classes().count + 1, 0);
  for (const uint32_t number : classes().of_atom) ++first[number + 1];
  for (size_t i = 0; i < classes().count; ++i) first[i + 1] += first[i];
  std::vector<uint32_t> order(atoms.size());
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  for (uint32_t atom = 0; atom < atoms.size(); ++atom) {
    order[next[classes().of_atom[atom]]++] = atom;
  }
  Verdict verdict;
  for (size_t number = 0; number < classes().count; ++number) {
    kinds_.clear();
    for (uint32_t i = first[number]; i < first[number + 1]; ++i) {
      const auto kinds = atoms.kinds(order[i]);
      kinds_.insert(kinds_.end(), kinds.begin(), kinds.end());
    }
    const ClassOutcome outcome = judge_.Judge(kinds_);
    // A class that is too small, or violates where nothing is suppressed, leaves such a class in every finer cut.
    if (!outcome.valid) return {Validity::kAllInvalid};
    Cost loss = 0;
    for (size_t quasi = 0; quasi < items_->quasi_count(); ++quasi) {
      loss += items_->loss(top_[atoms.label(order[first[number]], quasi)]);
    }
    verdict.cost += judge_.CostOf(outcome, loss);
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
    Settle();
    if (!has_bound_) bound_ = std::max(least_known_, ClassesBound());
    has_bound_ = true;
    if (bound_ >= enough || bound_ >= AttributeBound::kImpossible) break;
    bool has_locked = false;
    std::vector<size_t> open = OpenAttributes(cut);
    // What ruled out most the last time may rule out everything now. Two at a time, on however many threads, so that
    // the search is the same on all of them.
    std::sort(open.begin(), open.end(), [&](size_t a, size_t b) {
      return last_least_[a] != last_least_[b] ? last_least_[a] > last_least_[b] : a < b;
    });
    for (size_t i = 0; i < open.size() && bound_ < enough; i += kAtOnce) {
      const size_t some = std::min(kAtOnce, open.size() - i);
      const size_t grain = layer().atoms.size() < kFewAtoms ? some : 1;
      parallel_->For(some, grain, [&](size_t begin, size_t end) {
        for (size_t one = begin; one < end; ++one) Measure(open[i + one], measures_[one]);
      });
      for (size_t one = 0; one < some; ++one) {
        const size_t quasi = open[i + one];
        SumUp(quasi, measures_[one]);
        last_least_[quasi] = LockPointless(cut, quasi, enough, has_locked);
        bound_ = std::max(bound_, last_least_[quasi]);
      }
    }
    if (!has_locked || bound_ >= enough) break;
    is_settled_ = false;
    // The bound of the coarser floor is found in the next round, and is no lower.
    if (round + 1 < kMostRounds) {
      Settle();
      bound_ = std::max(bound_, ClassesBound());
    }
  }
  for (const Item value : cut.open()) {
    if (!MayBeSpecialized(value)) values.push_back(value);
  }
  return enough != kNever;
}

Cost TableProblem::LockPointless(const OpenCut& cut, size_t quasi, Cost enough, bool& has_locked) {
  constexpr Cost kImpossible = AttributeBound::kImpossible;
  const ItemForest& items = forest();
  const Item first = items_->first_item(quasi);
  const Item end = items_->first_item(quasi + 1);
  const Cost limit = std::min(enough, kImpossible);
  // What the other attributes lose at the floor, and the cheapest cut of this one.
  Cost total = 0;
  for (size_t other = 0; other < items_->quasi_count(); ++other) {
    if (other != quasi) total += layer().loss[other];
  }
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
