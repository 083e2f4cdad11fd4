// Random small tables with what is asked for of them, in the form of the reference (tests/testing/literal_tables.h) and in
// that of the searches, for property tests.
//
//   const TableCase one = DrawTableCase(seed);
//   one.CostIs(answer.cost, one.literal.Best(1)[0].cost);
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.h"
#include "cutting/table/table_task.h"
#include "testing/literal_tables.h"
#include "testing/random_tables.h"

namespace thicket::table_case_test {

using testing::LiteralFraction;
using testing::LiteralMetric;
using testing::LiteralPromise;
using testing::LiteralScheme;
using testing::LiteralSettings;
using testing::LiteralTable;
using testing::LiteralTableCut;
using testing::LiteralTables;
using testing::RandomLiteralPromise;
using testing::RandomLiteralTable;

inline TableColumns ColumnsOfLiteral(const LiteralTable& literal) {
  TableColumns columns;
  columns.record_count = literal.size();
  for (size_t attribute = 0; attribute < literal.taxonomies.size(); ++attribute) {
    TableColumns::Quasi quasi{.first = static_cast<Item>(columns.parents.size())};
    const std::vector<int>& parents = literal.taxonomies[attribute].parents;
    columns.parents.push_back(quasi.first);
    for (size_t node = 1; node < parents.size(); ++node) {
      columns.parents.push_back(quasi.first + static_cast<Item>(parents[node]));
    }
    for (const std::vector<int>& record : literal.quasi) {
      quasi.leaves.push_back(quasi.first + static_cast<Item>(record[attribute]));
    }
    columns.quasi.push_back(std::move(quasi));
  }
  for (size_t attribute = 0; attribute < literal.sensitive_attributes(); ++attribute) {
    TableColumns::Sensitive sensitive;
    for (const std::vector<int>& record : literal.sensitive) {
      sensitive.values.push_back(static_cast<uint32_t>(record[attribute]));
      sensitive.value_count = std::max(sensitive.value_count, sensitive.values.back() + 1);
    }
    columns.sensitive.push_back(std::move(sensitive));
  }
  for (const int label : literal.labels) columns.labels.push_back(static_cast<uint32_t>(label));
  return columns;
}

inline Fraction ToFraction(const LiteralFraction& literal) {
  return {static_cast<uint64_t>(literal.above()), static_cast<uint64_t>(literal.below())};
}

// A random table with what is asked for of it, in both forms.
struct TableCase {
  LiteralTable literal_table;
  LiteralTables literal;
  Table table;
  TableTask task;

  TableCase(const LiteralTable& drawn, const LiteralSettings& settings,
            const LiteralPromise& promise)
      : literal_table(drawn),
        literal(drawn, settings, promise),
        table(ColumnsOfLiteral(drawn)),
        task(table, GoalOf(settings, promise)) {}

  TableGoal GoalOf(const LiteralSettings& settings, const LiteralPromise& promise) const {
    TableGoal goal;
    goal.promise = TablePromise::KAnonymity(table, static_cast<uint64_t>(promise.k));
    for (size_t attribute = 0; attribute < table.sensitive_count(); ++attribute) {
      for (uint32_t value = table.first_value(attribute); value < table.first_value(attribute + 1);
           ++value) {
        const auto number = static_cast<int>(value - table.first_value(attribute));
        goal.promise.theta[value] = ToFraction(promise.Theta(attribute, number));
      }
    }
    goal.suppression = static_cast<Suppression>(settings.scheme);
    goal.metric = static_cast<TableMetric>(settings.metric);
    goal.suppression_cost = ToFraction(literal.SuppressionCost());
    return goal;
  }
  bool CostIs(TableTask::Cost cost, const LiteralFraction& wanted) const {
    return LiteralFraction(static_cast<int64_t>(cost), static_cast<int64_t>(task.unit())) == wanted;
  }
  LiteralTableCut ToLiteral(const std::vector<Item>& labels) const {
    LiteralTableCut cut(literal_table.taxonomies.size());
    for (const Item label : labels) {
      const uint32_t quasi = table.quasi_of(label);
      cut[quasi].insert(static_cast<int>(label - table.first_item(quasi)));
    }
    return cut;
  }
};

// Such a root loses 1 here, as everywhere in Thicket, and nothing in the reference.
inline bool HasRootAboveOneLeaf(const LiteralTable& table) {
  return std::any_of(table.taxonomies.begin(), table.taxonomies.end(), [](const auto& taxonomy) {
    return taxonomy.parents.size() > 1 && taxonomy.Leaves(0) == 1;
  });
}

inline TableCase DrawTableCase(uint64_t seed) {
  Random random = Random::Seeded(seed);
  const bool several = random.Below(4) == 0;
  LiteralTable table;
  do {
    table = RandomLiteralTable(random, {.most_records = 10, .most_sensitive = several ? 2U : 1U});
  } while (HasRootAboveOneLeaf(table));
  const LiteralPromise promise = RandomLiteralPromise(random, table);
  LiteralSettings settings;
  do {
    settings.scheme = static_cast<LiteralScheme>(random.Below(5));
    settings.metric = static_cast<LiteralMetric>(random.Below(3));
  } while (
      (settings.metric != LiteralMetric::kLm &&
       (settings.scheme == LiteralScheme::kAllValues ||
        settings.scheme == LiteralScheme::kViolatingValues)) ||
      (settings.scheme == LiteralScheme::kViolatingRecords && table.sensitive_attributes() > 1));
  // What a record must cost at least is less than the thesis takes.
  if (settings.metric == LiteralMetric::kLm && random.Below(2) == 0) {
    settings.suppression_cost = static_cast<int64_t>(table.taxonomies.size() + random.Below(2));
  }
  return {table, settings, promise};
}

}  // namespace thicket::table_case_test
