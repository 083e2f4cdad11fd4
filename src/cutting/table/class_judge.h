// What becomes of a class, the records that a cut makes look alike: whether it keeps the promise, what is suppressed if it
// does not, and what it costs. The same for every search.
//
//   ClassJudge judge(task);
//   const ClassOutcome outcome = judge.Judge(kinds);
//   cost += judge.CostOf(outcome, loss_of_labels);
//
// O(kinds of the class), and with kViolatingRecords as often as Lemma 3.3 of Liu 2010 has to be applied.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cutting/table/table_task.h"

namespace thicket {

// What becomes of a class.
struct ClassOutcome {
  // Otherwise the cut is not valid.
  bool valid = true;
  // Whether the class broke the promise before anything was suppressed.
  bool violates = false;
  uint64_t size = 0;
  // How many of its records are published, how many values of these are not.
  uint64_t kept = 0;
  uint64_t suppressed_values = 0;
  // CM: how many of the published ones have not the commonest label.
  uint64_t minority = 0;
};

class ClassJudge {
 public:
  // The task must outlive the judge.
  explicit ClassJudge(const TableTask& task);

  // The records of the class by kind, in any order; a kind may come several times.
  ClassOutcome Judge(std::span<const Table::KindCount> kinds);
  // Of the class that was judged last. How many records with this (numbered) value stay; only with kViolatingRecords.
  uint64_t KeptWith(uint32_t value) const { return kept_[value]; }
  // Whether this value is published as `*`.
  bool IsStarred(uint32_t value) const { return starred_[value]; }
  // CM with kViolatingRecords: the label whose records stay if they can.
  uint32_t favoured_label() const { return favoured_label_; }

  // What a class costs of which each record loses so much by its labels (LM; 0 otherwise).
  TableTask::Cost CostOf(const ClassOutcome& outcome, TableTask::Cost loss_of_record) const;

 private:
  void Count(std::span<const Table::KindCount> kinds);
  bool Violates(uint64_t size) const;
  void SuppressValues(ClassOutcome& outcome);
  void SuppressRecords(ClassOutcome& outcome);
  void FindMinority(ClassOutcome& outcome, std::span<const Table::KindCount> kinds);

  const TableTask* task_;
  // By numbered value; of values that do not occur in the class 0, or false. Which of them do.
  std::vector<uint64_t> count_;
  std::vector<uint64_t> kept_;
  std::vector<bool> starred_;
  std::vector<uint32_t> touched_;
  std::vector<uint64_t> of_label_;
  std::vector<Table::KindCount> merged_;
  uint32_t favoured_label_ = 0;
};

}  // namespace thicket
