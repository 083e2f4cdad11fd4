// A table and what is asked for of it, with all costs in units: what every search is given.
//
//   const TableTask task(table, goal);
//   CutJudge judge(task);                                   // cut_judge.h
//   const CutOutcome outcome = judge.Judge(labels);
//
// Costs are whole numbers of units, so that sums are exact in any order. DM and CM count in ones. LM counts in one over the
// common denominator of all labels and of the cost of suppression; if that leaves no room in 64 bits, in 1/2^n of a label,
// each cost rounded to the nearest unit once, where it comes from.
#pragma once

#include <cstdint>
#include <vector>

#include "cutting/table/table.h"
#include "cutting/table/table_goal.h"

namespace thicket {

class TableTask {
 public:
  using Cost = uint64_t;

  // The table must outlive the task.
  TableTask(const Table& table, TableGoal goal);

  const Table& table() const { return *table_; }
  const TableGoal& goal() const { return goal_; }
  // How many units a label that shows nothing costs (LM), or 1.
  Cost unit() const { return unit_; }
  // Whether LM costs are exact, not rounded to units.
  bool is_exact() const { return is_exact_; }
  // LM of a label, in units; 0 with the other metrics.
  Cost loss(Item item) const { return loss_[item]; }
  // Of a record that is left out, and of a value that is suppressed.
  Cost record_cost() const { return record_cost_; }
  Cost value_cost() const { return value_cost_; }
  // LM: what is lost of all that could be, from 0 to 1, a record that is left out counting as one with all labels at their
  // roots whatever its cost is. Other metrics: the cost.
  double ToDouble(Cost cost) const {
    return static_cast<double>(cost) / static_cast<double>(unit_);
  }

 private:
  void FindUnit();

  const Table* table_;
  TableGoal goal_;
  Cost unit_ = 1;
  bool is_exact_ = true;
  std::vector<Cost> loss_;
  Cost record_cost_ = 0;
  Cost value_cost_ = 0;
};

}  // namespace thicket
