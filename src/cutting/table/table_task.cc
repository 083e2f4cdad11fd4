#include "cutting/table/table_task.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace thicket {

namespace {

__extension__ using Wide = unsigned __int128;

// No sum of costs of a table may come near the largest number: twice as much has room still.
constexpr Wide kMostCost = Wide{1} << 62;

// LM of an item as a fraction.
Fraction LossOf(const Table& table, Item item) {
  const ItemForest& forest = table.forest();
  if (forest.is_leaf(item)) return {0, 1};
  if (forest.is_root(item)) return {1, 1};
  const uint64_t lost = table.leaves(item) - 1;
  if (lost == 0) return {0, 1};
  return {lost, table.leaves(table.first_item(table.quasi_of(item))) - 1};
}

// Rounded to the nearest; exact where the unit is a multiple of the denominator.
uint64_t ToUnits(const Fraction& fraction, uint64_t unit) {
  const Wide twice = Wide{fraction.numerator} * unit * 2 / fraction.denominator;
  return static_cast<uint64_t>((twice + 1) / 2);
}

}  // namespace

TableTask::TableTask(const Table& table, TableGoal goal)
    : table_(&table), goal_(std::move(goal)), loss_(table.forest().size(), 0) {
  if (goal_.metric == TableMetric::kDm) record_cost_ = table.record_count();
  if (goal_.metric == TableMetric::kCm) record_cost_ = 1;
  if (goal_.metric != TableMetric::kLm) return;
  FindUnit();
  for (Item item = 0; item < table.forest().size(); ++item) {
    loss_[item] = ToUnits(LossOf(table, item), unit_);
  }
  const Cost cost = ToUnits(goal_.suppression_cost, unit_);
  if (SuppressesRecords(goal_.suppression)) record_cost_ = cost;
  if (SuppressesValues(goal_.suppression)) value_cost_ = cost;
}

void TableTask::FindUnit() {
  // What a record may cost at most, in labels: all of them, and its suppression or that of each value, rounded up.
  const Fraction& cost = goal_.suppression_cost;
  const Wide of_record = Wide{table_->quasi_count()} + 1 +
                         (Wide{cost.numerator / cost.denominator} + 1) *
                             std::max<size_t>(1, table_->sensitive_count());
  const Wide most =
      kMostCost / std::max<Wide>(1, of_record * std::max<size_t>(1, table_->record_count()));
  // Products with units must have room in 128 bits, too, which they have.
  Wide unit = cost.denominator;
  for (size_t quasi = 0; quasi < table_->quasi_count() && unit <= most; ++quasi) {
    const uint64_t leaves = table_->leaves(table_->first_item(quasi));
    if (leaves > 2) unit = unit / std::gcd(static_cast<uint64_t>(unit), leaves - 1) * (leaves - 1);
  }
  if (unit <= most) {
    unit_ = static_cast<Cost>(unit);
    return;
  }
  is_exact_ = false;
  unit_ = 1;
  while (Wide{unit_} * 2 <= std::min<Wide>(most, Wide{1} << 40)) unit_ *= 2;
}

}  // namespace thicket
