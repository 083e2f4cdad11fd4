// What any cut below must suppress of a group of records, at least: Lemma 3.3 of Liu 2010 and what follows from it.
//
// A group is records of one class. A finer cut may split it, in any way for all that is known here, and then suppresses in
// each part what the scheme asks for. If the group is final, no cut of the subtree splits it: what is suppressed is
// known.
//
//   ClassBound bound(task);
//   bound.Clear();
//   bound.Add(atoms.kinds(atom)); ...
//   const LeastSuppression least = bound.Find(/*is_final=*/false);
//
// The proofs. Let K be the records of the group that stay with value s (records that stay, and where values are suppressed
// the records of parts in which s does not violate). Every part that K is made of keeps the promise, and shares only
// mix when parts are put together (Observation 3.2), so s has at most theta |K| records of K. With n records and n_s of them
// with s, r of which are lost: n_s - r <= theta (n - r). That is Lemma 3.3. With records it holds for every value at once,
// so that the largest counts that keep the promise (ClassJudge) are an upper bound on what stays of each value, and in sum.
// A part that is published has k records, and as many as some value needs for a single record of its own to be no more than theta; if
// fewer than that can stay, none does. With values no record goes, so that a group of fewer than k records, or whatever violates under
// kNone, has a part that does so in every finer cut: there is no
// valid one.
//
// With kAllValues and one sensitive attribute a part loses all its values or none: K is the same records for every value, and
// no larger than with records.
//
// Where values are suppressed, more follows if it is known in which pieces the group falls that no cut splits: the parts in
// which s violates are made of pieces. For a piece with a records of s among n let e = a - theta n, which is below 0 where s
// is rare. The e of what stays sum up to at most 0, so that those of the pieces that lose s sum up to at least that of the
// whole group, E. The least sum of a over pieces whose e sum up to E is a knapsack, for which only pieces with e > 0 are of
// use. It is no less than if one piece could be lost in part, where pieces go in the order of a / e, which is that of their
// shares of s, until E is reached within some piece b. With pieces of one record each that is Lemma 3.3 again. And in
// whole pieces b is lost or not (as Martello and Toth bound a knapsack). If b is lost, e(b) less what was missing may stay of the
// others, at no more than a / e of the last piece before b. If it is not, what was missing is made up for at no less than
// a / e of the first piece after b. The lesser of both is the bound, rounded up to whole records.
//
// O(kinds of the group), as for ClassJudge. Where kinds are few a group may also be given as an array with a count for each
// kind, which is what groups that are put together from others have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cutting/table/class_judge.h"
#include "cutting/table/table_task.h"

namespace thicket {

struct LeastSuppression {
  // Whether any cut below is valid, as far as this group goes.
  bool possible = true;
  uint64_t size = 0;
  // Records, or values, by the scheme; exactly, if the group is final.
  uint64_t suppressed = 0;
  // CM, of a final group: its cost.
  uint64_t minority_cost = 0;
};

class ClassBound {
 public:
  // The task must outlive the bound.
  explicit ClassBound(const TableTask& task);

  void Clear();
  void Add(std::span<const Table::KindCount> kinds);
  uint64_t size() const { return size_; }
  LeastSuppression Find(bool is_final);
  // Of a group that is given by its counts, one for each kind.
  LeastSuppression Find(std::span<const uint32_t> of_kind, uint64_t size, bool is_final);

  // Schemes for values: those of the group found last that violate, if pieces may tell more about them: it is not final.
  std::span<const uint32_t> violating() const { return violating_; }
  // Records that no cut splits: how many have the value, of how many.
  struct Piece {
    uint64_t count;
    uint64_t size;
  };
  // How many records with this violating value lose it at least, if these are all pieces of the group that have it, which
  // are put in another order. O(pieces log pieces).
  uint64_t LeastOfPieces(uint32_t value, std::vector<Piece>& pieces) const;

 private:
  LeastSuppression FindCounted(bool is_final);
  // CM: how many of the group's records have not its commonest label.
  uint64_t Minority();
  bool Violates() const;
  uint64_t LeastRecordsOfKinds(std::span<const uint32_t> of_kind, uint64_t size);
  uint64_t LeastValues();
  uint64_t ExactValues() const;
  uint64_t LeastRecords();
  uint64_t MinorityCost(bool is_whole);

  // A threshold, prepared for comparing: whether count * denominator > numerator * size fits 64 bits for all of them.
  struct Share {
    uint64_t numerator;
    uint64_t denominator;
  };
  bool Exceeds(uint32_t value, uint64_t count, uint64_t size) const;
  // The most records with the value beside `rest` others: share (rest + m) >= m. The share is below 1.
  uint64_t MostBeside(uint32_t value, uint64_t rest) const;

  const TableTask* task_;
  const Table* table_;
  std::vector<Share> share_;
  // The same by kind, if a kind is a value and products with counts fit 64 bits; empty otherwise.
  std::vector<uint32_t> numerator_of_kind_;
  std::vector<uint32_t> denominator_of_kind_;
  std::vector<uint64_t> kept_of_kind_;
  bool is_narrow_ = true;
  bool has_labels_ = false;
  bool one_attribute_ = false;
  // In groups of fewer records every value violates.
  uint64_t least_size_ = 1;
  uint64_t size_ = 0;
  // By value, those that occur in the group, and how many of them stay.
  std::vector<uint64_t> count_;
  std::vector<uint32_t> touched_;
  std::vector<uint64_t> kept_;
  std::vector<uint32_t> violating_;
  // CM: by kind.
  std::vector<uint64_t> of_kind_;
  std::vector<uint32_t> touched_kinds_;
  std::vector<uint64_t> of_label_;
};

}  // namespace thicket
