#include "cutting/table/table_problem.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace thicket {

using Cost = CutProblem::Cost;

TableProblem::TableProblem(const TableTask& task, const SearchForest& items, Options options,
                           Parallel& parallel, Atoms cells)
    : items_(&items),
      options_(options),
      by_loss_(options.probe && task.goal().metric == TableMetric::kLm &&
               task.goal().suppression == Suppression::kViolatingRecords),
      is_measured_once_(options.probe && options.joint && task.goal().metric == TableMetric::kLm &&
                        (task.goal().suppression == Suppression::kViolatingRecords ||
                         task.goal().suppression == Suppression::kNone)),
      may_count_(task.goal().metric == TableMetric::kDm &&
                 task.goal().suppression != Suppression::kAllRecords),
      has_few_kinds_(task.table().kind_count() <= options.few_kinds),
      record_count_(task.table().record_count()),
      parallel_(&parallel),
      known_(items.quasi_count()),
      joint_(task, items, parallel),
      part_(items.size(), 0),
      is_locked_(items.size(), false),
      if_stays_(items.size(), 0),
      top_(items.size()),
      floor_(items.size()),
      last_least_(items.quasi_count(), 0),
      least_(items.size(), 0),
      below_(items.size(), 0),
      rest_(items.size(), 0) {
  for (size_t worker = 0; worker < parallel.threads(); ++worker) {
    workers_.push_back({AttributeBound(task, items, options.few_kinds), ClassJudge(task)});
  }
  for (Item item = 0; item < items.size(); ++item) is_locked_[item] = forest().is_leaf(item);
  AddPart(std::move(cells));
  const Atoms& atoms = parts_[0].atoms;
  Level whole;
  whole.loss.assign(items.quasi_count(), 0);
  for (size_t atom = 0; atom < atoms.size(); ++atom) {
    for (size_t quasi = 0; quasi < items.quasi_count(); ++quasi) {
      whole.loss[quasi] += atoms.record_count(atom) * items.loss(atoms.label(atom, quasi));
    }
  }
  if (atoms.size() > 0) {
    whole.classes.push_back({.end = static_cast<uint32_t>(atoms.size())});
    whole.known.assign(items.quasi_count(), kUnknown);
    whole.weights.assign(items.quasi_count(), 0);
  }
  levels_.push_back(std::move(whole));
}

void TableProblem::AddPart(Atoms atoms) {
  Part added;
  added.order.resize(atoms.size());
  std::iota(added.order.begin(), added.order.end(), 0);
  added.bytes = atoms.MemoryBytes() + added.order.size() * sizeof(uint32_t);
  added.atoms = std::move(atoms);
  bytes_ += added.bytes;
  parts_.push_back(std::move(added));
}

TableProblem::Level& TableProblem::OwnLevel() {
  if (!frames_.empty() && levels_.size() == frames_.back().levels) {
    Level copy = levels_.back();
    levels_.push_back(std::move(copy));
  }
  return levels_.back();
}

std::vector<size_t> TableProblem::TaskEnds(std::span<const uint32_t> numbers, size_t atoms) const {
  std::vector<size_t> ends;
  size_t some = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const Class& one = level().classes[numbers[i]];
    some += one.end - one.begin;
    if (some < atoms && i + 1 < numbers.size()) continue;
    ends.push_back(i + 1);
    some = 0;
  }
  return ends;
}

void TableProblem::Save() {
  std::vector<uint32_t> known;
  for (const Known& one : known_) known.push_back(static_cast<uint32_t>(one.first.size() - 1));
  frames_.push_back({levels_.size(), parts_.size(), locked_.size(), merged_, is_settled_,
                     raised_.size(), std::move(known), has_bound_, bound_, least_known_});
}

void TableProblem::Restore() {
  const Frame frame = std::move(frames_.back());
  frames_.pop_back();
  for (; parts_.size() > frame.parts; parts_.pop_back()) bytes_ -= parts_.back().bytes;
  while (levels_.size() > frame.levels) levels_.pop_back();
  for (size_t quasi = 0; quasi < known_.size(); ++quasi) {
    known_[quasi].first.resize(frame.known[quasi] + 1);
    known_[quasi].costs.resize(known_[quasi].first.back());
  }
  for (; locked_.size() > frame.locked; locked_.pop_back()) is_locked_[locked_.back()] = false;
  for (; raised_.size() > frame.raised; raised_.pop_back()) {
    if_stays_[raised_.back().item] = raised_.back().before;
  }
  has_bound_ = frame.has_bound;
  bound_ = frame.bound;
  least_known_ = frame.least;
  merged_ = frame.merged;
  is_settled_ = frame.is_settled;
}

void TableProblem::Specialize(const OpenCut& /*cut*/, Item value) {
  const size_t quasi = items_->quasi_of(value);
  const uint32_t first = items_->place(value);
  child_of_place_.assign(items_->end(value) - first, 0);
  uint32_t child_number = 0;
  for (const Item child : forest().Children(value)) {
    for (uint32_t place = items_->place(child); place < items_->end(child); ++place) {
      child_of_place_[place - first] = child_number;
    }
    ++child_number;
  }
  Level& next = OwnLevel();
  const auto count = static_cast<uint32_t>(next.classes.size());
  for (uint32_t number = 0; number < count; ++number) {
    const uint32_t place = items_->place(SomeLabels(next.classes[number])[quasi]);
    if (place > first && place < items_->end(value)) Split(number, value, quasi, next);
  }
  if (is_measured_once_) is_settled_ = false;
  has_bound_ = false;
}

// The first child that the class has keeps the number of the class.
void TableProblem::Split(uint32_t number, Item value, size_t quasi, Level& next) {
  const Class whole = next.classes[number];
  const Atoms& atoms = AtomsOf(whole);
  const uint32_t first = items_->place(value);
  const auto child_of = [&](uint32_t atom) {
    return child_of_place_[items_->place(atoms.label(atom, quasi)) - first];
  };
  begin_of_child_.assign(forest().Children(value).size() + 1, 0);
  for (const uint32_t atom : Members(whole)) ++begin_of_child_[child_of(atom) + 1];
  for (size_t i = 1; i < begin_of_child_.size(); ++i) begin_of_child_[i] += begin_of_child_[i - 1];
  split_.resize(whole.end - whole.begin);
  for (const uint32_t atom : Members(whole)) split_[begin_of_child_[child_of(atom)]++] = atom;
  std::copy(split_.begin(), split_.end(), parts_[whole.part].order.begin() + whole.begin);
  // Each beginning has moved to its end.
  uint32_t begin = 0;
  for (size_t child = 0; child + 1 < begin_of_child_.size(); ++child) {
    const uint32_t end = begin_of_child_[child];
    if (begin == end) continue;
    const Class part = {.part = whole.part, .begin = whole.begin + begin, .end = whole.begin + end};
    if (begin == 0) {
      next.classes[number] = part;
      std::fill_n(next.known.begin() + number * items_->quasi_count(), items_->quasi_count(),
                  kUnknown);
    } else {
      next.classes.push_back(part);
      next.known.resize(next.known.size() + items_->quasi_count(), kUnknown);
      for (size_t i = 0; i < items_->quasi_count(); ++i) {
        next.weights.push_back(next.weights[number * items_->quasi_count() + i]);
      }
    }
    begin = end;
  }
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

void TableProblem::FindFloor() {
  for (Item item = 0; item < items_->size(); ++item) {
    const Item parent = forest().parent(item);
    const bool is_free =
        forest().is_root(item) || (floor_[parent] == parent && MayBeSpecialized(parent));
    floor_[item] = is_free ? item : floor_[parent];
  }
}

std::vector<uint32_t> TableProblem::MovedClasses() const {
  // By label of the cut: whether something at or below it was locked.
  std::vector<bool> is_moved(items_->size(), false);
  for (size_t i = is_measured_once_ ? 0 : merged_; i < locked_.size(); ++i) {
    is_moved[top_[locked_[i]]] = true;
  }
  std::vector<uint32_t> moved;
  const size_t width = items_->quasi_count();
  for (uint32_t number = 0; number < level().classes.size(); ++number) {
    const auto known = level().known.begin() + static_cast<ptrdiff_t>(number * width);
    // Attributes that are not open are never measured.
    if (is_measured_once_ && std::any_of(known, known + static_cast<ptrdiff_t>(width),
                                         [](uint32_t one) { return one != kUnknown; })) {
      continue;
    }
    const std::span<const Item> labels = SomeLabels(level().classes[number]);
    if (std::any_of(labels.begin(), labels.end(), [&](Item one) { return is_moved[top_[one]]; })) {
      moved.push_back(number);
    }
  }
  return moved;
}

TableProblem::MergedClasses TableProblem::Merge(std::span<const uint32_t> numbers,
                                                const Atoms::Rise& rise, Worker& worker) const {
  MergedClasses merged;
  merged.atoms = parts_[0].atoms.Empty();
  merged.more_loss.assign(items_->quasi_count(), 0);
  for (const uint32_t number : numbers) {
    const Class& one = level().classes[number];
    const Atoms& atoms = AtomsOf(one);
    const std::span<const uint32_t> members = Members(one);
    merged.all_before += members.size();
    const bool changes = std::any_of(members.begin(), members.end(),
                                     [&](uint32_t atom) { return atoms.Changes(atom, rise); });
    if (changes) {
      merged.atoms.AppendMerged(atoms, members, rise, worker.merging);
      merged.before += members.size();
      for (const uint32_t atom : members) {
        for (const size_t quasi : rise.changed) {
          const Cost more = rise.loss[atoms.label(atom, quasi)];
          merged.more_loss[quasi] += atoms.record_count(atom) * more;
        }
      }
    }
    merged.ends.push_back(static_cast<uint32_t>(merged.atoms.size()));
  }
  return merged;
}

bool TableProblem::MergeTasks(std::span<const uint32_t> numbers, std::span<const size_t> task_ends,
                              std::vector<MergedClasses>& merged) {
  const Atoms::Rise rise = cells().RiseTo(floor_);
  const auto merge = [&](size_t task, size_t worker) {
    const size_t begin = task == 0 ? 0 : task_ends[task - 1];
    merged[task] = Merge(numbers.subspan(begin, task_ends[task] - begin), rise, workers_[worker]);
  };
  const bool tries_some = is_measured_once_ || by_counts_;
  if (tries_some) {
    const size_t tries = (merged.size() + kTasksToTry - 1) / kTasksToTry;
    parallel_->For(tries, 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) merge(i * kTasksToTry, worker);
    });
    size_t before = 0;
    size_t after = 0;
    for (size_t i = 0; i < tries; ++i) {
      const MergedClasses& some = merged[i * kTasksToTry];
      before += some.all_before;
      after += some.all_before - some.before + some.atoms.size();
    }
    if (2 * after > before) return false;
  }
  parallel_->For(merged.size(), 1, [&](size_t worker, size_t begin, size_t end) {
    for (size_t task = begin; task < end; ++task) {
      if (!tries_some || task % kTasksToTry != 0) merge(task, worker);
    }
  });
  return true;
}

void TableProblem::Settle() {
  if (is_settled_) return;
  is_settled_ = true;
  FindFloor();
  const std::vector<uint32_t> numbers = MovedClasses();
  const std::vector<size_t> task_ends = TaskEnds(numbers, kAtomsToMerge);
  const auto task_begin = [&](size_t task) { return task == 0 ? 0 : task_ends[task - 1]; };
  std::vector<MergedClasses> merged(task_ends.size());
  if (!MergeTasks(numbers, task_ends, merged)) return;
  size_t bytes = bytes_;
  size_t before = 0;
  size_t after = 0;
  for (const MergedClasses& some : merged) {
    bytes += some.atoms.MemoryBytes();
    before += some.before;
    after += some.atoms.size();
  }
  if (bytes > kMemory && after > before / 4 * 3) return;
  merged_ = locked_.size();
  if (after == 0) return;
  Level& next = OwnLevel();
  for (size_t task = 0; task < merged.size(); ++task) {
    MergedClasses& some = merged[task];
    if (some.atoms.size() == 0) continue;
    uint32_t begin = 0;
    for (size_t i = 0; i < some.ends.size(); ++i) {
      if (some.ends[i] == begin) continue;
      const uint32_t number = numbers[task_begin(task) + i];
      Class& one = next.classes[number];
      one = {.part = static_cast<uint32_t>(parts_.size()),
             .begin = begin,
             .end = some.ends[i],
             .cost = one.cost};
      std::fill_n(next.known.begin() + number * items_->quasi_count(), items_->quasi_count(),
                  kUnknown);
      begin = some.ends[i];
    }
    for (size_t quasi = 0; quasi < next.loss.size(); ++quasi) {
      next.loss[quasi] += some.more_loss[quasi];
    }
    AddPart(std::move(some.atoms));
  }
  DropUnused();
}

void TableProblem::DropUnused() {
  const size_t first = FirstOwnPart();
  size_t all = 0;
  for (size_t part = first; part < parts_.size(); ++part) all += parts_[part].order.size();
  size_t used = 0;
  std::vector<Class*> classes;
  for (Class& one : levels_.back().classes) {
    if (one.part < first) continue;
    classes.push_back(&one);
    used += one.end - one.begin;
  }
  if (all <= 2 * used) return;
  Atoms kept = parts_[0].atoms.Empty();
  for (Class* one : classes) {
    const auto begin = static_cast<uint32_t>(kept.size());
    kept.AppendSame(AtomsOf(*one), Members(*one));
    one->part = static_cast<uint32_t>(first);
    one->begin = begin;
    one->end = static_cast<uint32_t>(kept.size());
  }
  for (; parts_.size() > first; parts_.pop_back()) bytes_ -= parts_.back().bytes;
  AddPart(std::move(kept));
}

}  // namespace thicket
