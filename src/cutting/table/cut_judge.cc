#include "cutting/table/cut_judge.h"

#include <algorithm>
#include <utility>

namespace thicket {

namespace {

constexpr Item kUncut = ~Item{0};

}  // namespace

CutJudge::CutJudge(const TableTask& task)
    : task_(&task), judge_(task), class_of_cell_(task.table().cell_count(), 0) {}

void CutJudge::FindClasses(std::span<const Item> labels) {
  const Table& table = task_->table();
  label_of_.assign(table.forest().size(), kUncut);
  // By quasi-identifier: how many labels; by label: its rank among these.
  std::vector<uint64_t> label_count(table.quasi_count(), 0);
  std::vector<uint64_t> rank(table.forest().size(), 0);
  for (const Item label : labels) {
    label_of_[label] = label;
    rank[label] = label_count[table.quasi_of(label)]++;
  }
  for (Item item = 0; item < table.forest().size(); ++item) {
    if (label_of_[item] == kUncut) label_of_[item] = label_of_[table.forest().parent(item)];
  }
  keys_.assign(table.cell_count(), 0);
  uint64_t room = ~uint64_t{0};
  for (size_t quasi = 0; quasi < table.quasi_count(); ++quasi) {
    const uint64_t count = label_count[quasi];
    if (room < count) {
      // Keys become numbers of classes so far.
      NumberKeys();
      std::copy(class_of_cell_.begin(), class_of_cell_.end(), keys_.begin());
      room = ~uint64_t{0} / std::max<uint64_t>(1, numbers_.count());
    }
    room /= std::max<uint64_t>(1, count);
    for (size_t cell = 0; cell < table.cell_count(); ++cell) {
      keys_[cell] = keys_[cell] * count + rank[label_of_[table.cell(cell)[quasi]]];
    }
  }
  NumberKeys();
  SortCells();
}

void CutJudge::NumberKeys() {
  numbers_.Reset(keys_.size());
  for (size_t cell = 0; cell < keys_.size(); ++cell)
    class_of_cell_[cell] = numbers_.Of(keys_[cell]);
}

void CutJudge::SortCells() {
  const Table& table = task_->table();
  first_cell_.assign(numbers_.count() + 1, 0);
  for (const uint32_t number : class_of_cell_) ++first_cell_[number + 1];
  for (size_t i = 1; i < first_cell_.size(); ++i) first_cell_[i] += first_cell_[i - 1];
  cells_.resize(table.cell_count());
  std::vector<uint32_t> next(first_cell_.begin(), first_cell_.end() - 1);
  for (uint32_t cell = 0; cell < table.cell_count(); ++cell) {
    cells_[next[class_of_cell_[cell]]++] = cell;
  }
}

TableTask::Cost CutJudge::GatherKinds(size_t number) {
  const Table& table = task_->table();
  kinds_.clear();
  for (uint32_t i = first_cell_[number]; i < first_cell_[number + 1]; ++i) {
    const auto kinds = table.kinds(cells_[i]);
    kinds_.insert(kinds_.end(), kinds.begin(), kinds.end());
  }
  TableTask::Cost loss = 0;
  for (const Item leaf : table.cell(cells_[first_cell_[number]]))
    loss += task_->loss(label_of_[leaf]);
  return loss;
}

CutOutcome CutJudge::Judge(std::span<const Item> labels) {
  FindClasses(labels);
  CutOutcome result;
  for (size_t number = 0; number < numbers_.count(); ++number) {
    const TableTask::Cost loss = GatherKinds(number);
    const ClassOutcome outcome = judge_.Judge(kinds_);
    if (!outcome.valid) return {.valid = false};
    result.cost += judge_.CostOf(outcome, loss);
    result.classes += outcome.kept > 0 ? 1 : 0;
    result.violating_classes += outcome.violates ? 1 : 0;
    result.suppressed_records += outcome.size - outcome.kept;
    result.suppressed_values += outcome.suppressed_values;
  }
  return result;
}

TableSuppression CutJudge::Suppress(std::span<const Item> labels, Random& random) {
  const Table& table = task_->table();
  FindClasses(labels);
  std::vector<std::vector<uint32_t>> records(numbers_.count());
  for (uint32_t record = 0; record < table.record_count(); ++record) {
    records[class_of_cell_[table.cell_of(record)]].push_back(record);
  }
  TableSuppression result;
  for (size_t number = 0; number < records.size(); ++number) {
    GatherKinds(number);
    const ClassOutcome outcome = judge_.Judge(kinds_);
    if (outcome.suppressed_values > 0) StarValues(records[number], result);
    if (outcome.kept == 0) {
      result.records.insert(result.records.end(), records[number].begin(), records[number].end());
    } else if (outcome.kept < outcome.size) {
      DrawRecords(records[number], random, result);
    }
  }
  std::sort(result.records.begin(), result.records.end());
  std::sort(result.values.begin(), result.values.end(), [](const auto& a, const auto& b) {
    return a.record != b.record ? a.record < b.record : a.attribute < b.attribute;
  });
  return result;
}

void CutJudge::StarValues(std::span<const uint32_t> records, TableSuppression& result) {
  const Table& table = task_->table();
  for (const uint32_t record : records) {
    const std::span<const uint32_t> values = table.values(table.kind_of(record));
    for (uint32_t attribute = 0; attribute < values.size(); ++attribute) {
      if (judge_.IsStarred(values[attribute])) result.values.push_back({record, attribute});
    }
  }
}

// Of each value the judge says how many stay: in random order, those of the favoured label first.
void CutJudge::DrawRecords(std::vector<uint32_t>& records, Random& random,
                           TableSuppression& result) {
  const Table& table = task_->table();
  random.Shuffle(records);
  if (task_->goal().metric == TableMetric::kCm) {
    std::stable_partition(records.begin(), records.end(), [&](uint32_t record) {
      return table.label(table.kind_of(record)) == judge_.favoured_label();
    });
  }
  std::vector<uint64_t> left(table.value_count(), 0);
  for (const uint32_t record : records) {
    const uint32_t value = table.values(table.kind_of(record))[0];
    if (left[value]++ >= judge_.KeptWith(value)) result.records.push_back(record);
  }
}

}  // namespace thicket
