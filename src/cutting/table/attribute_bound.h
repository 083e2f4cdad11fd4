// What the cuts of a subtree cost at least, by what becomes of one attribute.
//
// The subtree of a cut C has a floor S, its finest cut (atoms.h). Take any cut U of the subtree, and of it only the labels
// of attribute A, with all other attributes as in S: that cut U' is as fine as U or finer, and loses no more by
// generalization. And take the labels of A with all others as in C: the classes of that cut C' are unions of classes of U, so
// that U suppresses at least what any cut below C' must (class_bound.h). Both fall into parts by the label y of A:
//
//   cost(U)  >=  sum over the labels y of U in A of  part(y),  where part(y) is the sum over classes P of C of bound(P, y)
//
// and bound(P, y) is about the records of P below y: the cost of generalizing them as in U', joined with the least that is
// suppressed. So one pass over the atoms, A by A, gives part(y) for every item between C and S, and the cheapest cut of A
// follows from the leaves up: least(y) = min(part(y), sum of least(child)). No cut of the subtree costs less; and if it
// specializes an item, no less than the cheapest cut of A that does.
//
// This is what the thesis does not have: its bounds (Section 3.3) are those of the cut with nothing chosen, which are part()
// of C's own labels, and see a value that cannot pay only when it has been specialized.
//
// bound(P, y), with n records of P below y, d the least number that is suppressed of them, and the atoms of A's label y
// (the groups that U' makes of them):
//
//   LM, values    d c                   beside what generalization loses, which is the sum over all records (Theorem 3.5);
//                                       d is found with the groups as pieces (class_bound.h)
//   LM, records   d (c - m)             beside that sum, m the largest loss of a record: those that go lose c instead of at
//                                       most m (Theorem 3.6, Corollary 3.7)
//   DM            sum of f(g) + d (|T| - e)   over the groups of g records; the largest has e records, or 2e - 1 if the
//                                       scheme is kViolatingRecords, at most |T|; and at least d |T| + n - d, since a record that
//                                       goes costs |T|, and one that stays costs the size of its class, which is 1 or more
//   CM            max(d, sum of minorities of the groups)   a record that goes costs 1, and so does one of a minority
//
// DM with kNone and kAllRecords: a record that stays costs the size of its class, at least that of its group, so f(g) = g^2,
// and one that goes costs |T| instead of at most e. With kViolatingRecords (where Lemma 3.2 and Theorem 3.6 of the thesis
// are wrong: leaving out a record makes the others of its class cheaper) a class of q records of which m stay costs
// m^2 + (q - m)|T|, which is the sum of 2j - 1 for j up to m and of |T| for the others. With h(j) = min(2j - 1, |T|) that is
// at least the sum of h(j) for j up to q, and at least that sum over each of its groups, since h only rises: f(g) is the sum
// of h(j) for j up to g. Of the d records that go each costs |T| and not h(j) for some j of its group, at most 2e - 1.
// CM: the minority of a union is at least that of its parts, and leaving records out takes at most one each from it.
//
// If a group is final (all its records have the same labels in all other attributes of S), its bound is its cost.
//
// With LM and kNone or kViolatingRecords a group is known by its counts, whatever S is, and so is the second bound of DM: then
// all attributes of a class are measured in one pass over its atoms (MeasureCounts(), place_counts.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cutting/table/atoms.h"
#include "cutting/table/class_bound.h"
#include "cutting/table/key_numbers.h"
#include "cutting/table/place_counts.h"
#include "cutting/table/search_forest.h"
#include "cutting/table/table_task.h"

namespace thicket {

class AttributeBound {
 public:
  using Cost = TableTask::Cost;
  // What is not possible costs so much; sums end here.
  static constexpr Cost kImpossible = Cost{1} << 62;
  static Cost Sum(Cost a, Cost b) { return a + b < kImpossible ? a + b : kImpossible; }

  // How many kinds are few: groups then have a count for each of them, and are put together from groups.
  static constexpr size_t kFewKinds = 64;

  // Both must outlive the bound.
  AttributeBound(const TableTask& task, const SearchForest& items, size_t few_kinds = kFewKinds);

  struct ItemCost {
    Item item;
    Cost cost;
    // What of it attributes share, and what they pay beside it (joint_bound.h).
    Cost shared;
    Cost own;
  };
  // Adds bound(P, y) to `costs`, for the items y of the attribute from the labels of the class P up to the cut's label of it,
  // `top`. Without what other attributes lose by generalization (LM), which is at most `others` for a record. The members are
  // atoms, all those of the class.
  void Measure(const Atoms& atoms, std::span<const uint32_t> members, Item top, size_t quasi,
               Cost others, std::vector<ItemCost>& costs);
  // The same of several attributes from counts alone; DM: the second bound. Where kinds are few. Items that share nothing and pay
  // nothing beside may be left out with LM. A record of the class loses `loss` at the cut. By attribute that is asked for, where
  // its costs end is added to `ends`. What becomes of the class as it is.
  struct Asked {
    size_t quasi;
    Item top;
  };
  LeastSuppression MeasureCounts(const Atoms& atoms, std::span<const uint32_t> members,
                                 std::span<const Asked> asked, Cost loss,
                                 std::vector<ItemCost>& costs, std::vector<size_t>& ends);
  // Adds what the class costs with each item of the attribute to `part`, where no cut splits the groups. The members are any atoms
  // that make up the class; `others` is what a record loses by all other attributes.
  void AddFinalCosts(const Atoms& atoms, std::span<const uint32_t> members, Item top, size_t quasi,
                     Cost others, std::vector<Cost>& part);
  bool has_few_kinds() const { return few_kinds_; }
  // The bound of the class as it is (Section 3.3 of the thesis; for LM without what is lost at the floor).
  Cost MeasureWhole(const Atoms& atoms, std::span<const uint32_t> members);

 private:
  struct Group {
    LeastSuppression least;
    bool is_final = false;
    // LM: the largest loss of a record by the other attributes.
    Cost most_loss = 0;
    // DM, CM: the sum over the atoms as they are with the label.
    Cost general = 0;
    uint64_t largest = 0;
  };

  // An atom as the attribute sees it.
  struct Row {
    Item label;
    // SearchForest::place of the label.
    uint32_t place;
    uint32_t records;
    // What the other attributes lose, and their labels.
    Cost loss;
    Atoms::Key key;
    std::span<const Table::KindCount> kinds;
  };

  // Measures a class of which nothing but counts matters: groups are put together by place, without sorting the atoms.
  void MeasureByPlace(const Atoms& atoms, std::span<const uint32_t> members, Item top);
  // The atoms of a class, by their labels of the attribute.
  void Sort(const Atoms& atoms, std::span<const uint32_t> members, Item top);
  void NumberPeers();
  // The bounds of the records [begin, end) of the order, all below the item, and of what is below it. Where kinds are few,
  // groups are put together from those below, in `merged_[depth]`; otherwise each is counted anew.
  void Walk(Item item, uint32_t begin, uint32_t end, size_t depth);
  // The end of the records from `begin` on that are below the item.
  uint32_t EndBelow(Item item, uint32_t begin, uint32_t end) const;
  Group Look(uint32_t begin, uint32_t end);
  // What is known of a group that is put together.
  struct Merged {
    std::vector<uint32_t> of_kind;
    uint64_t size = 0;
    bool is_final = true;
    Atoms::Key key = 0;
    Cost most_loss = 0;
  };
  void Clear(Merged& merged) const;
  static void AddRow(const Row& row, Merged& merged);
  static void AddMerged(const Merged& other, Merged& merged);
  Group LookMerged(uint32_t begin, uint32_t end, const Merged& merged);
  // DM, CM: what the groups cost that the rows [begin, end) fall into.
  void AddGroups(uint32_t begin, uint32_t end, Group& group);
  // The same where each row is a group, and where rows are put together.
  void AddRows(uint32_t begin, uint32_t end, Group& group);
  void AddPeers(uint32_t begin, uint32_t end, Group& group);
  // Whether rows [begin, end) have different labels in other attributes, as atoms with the same label of this one do.
  bool AreAtoms(uint32_t begin, uint32_t end) const {
    return whole_ || rows_[begin].label == rows_[end - 1].label;
  }
  // Schemes for values: what is lost at least, since no cut splits records with the same labels in all other attributes.
  void AddPieces(uint32_t begin, uint32_t end, Group& group);
  Cost CostOf(const Group& group, Cost loss) const;
  ItemCost ItemCostOf(const Group& group, Item item) const;
  Cost GeneralCost(uint64_t size) const;
  // The child of the item that the label is below.
  Item ChildTowards(Item item, Item label) const;

  const TableTask* task_;
  const SearchForest* items_;
  ClassBound bound_;
  // CM: how many records of a group have each label.
  std::vector<uint64_t> of_label_;
  bool few_kinds_ = false;
  std::vector<Merged> merged_;
  std::optional<PlaceCounts> counts_;
  // By place below the top: groups, all empty between classes. By place: the item.
  std::vector<Merged> by_place_;
  std::vector<Item> item_of_place_;
  // Whether groups are all that matters.
  bool only_groups_ = false;
  bool records_ = false;
  bool values_ = false;
  TableMetric metric_;
  // Of the class that is measured: the attribute, if not the class as it is.
  size_t quasi_ = 0;
  bool whole_ = false;
  Cost others_ = 0;
  Cost top_loss_ = 0;
  std::vector<ItemCost>* costs_ = nullptr;
  // Places and numbers of members, to be sorted.
  std::vector<uint64_t> places_;
  std::vector<uint32_t> begin_of_place_;
  std::vector<uint32_t> sorted_;
  std::vector<Row> rows_;
  // By row, the number of those that have the same labels in all other attributes (with LM only where that is asked for); by
  // number, how many records of the group have it, and their rows, in lists.
  KeyNumbers numbers_;
  bool has_peers_ = false;
  std::vector<uint32_t> peers_of_;
  std::vector<uint32_t> peer_records_;
  std::vector<uint32_t> first_of_peers_;
  std::vector<uint32_t> next_peer_;
  std::vector<uint32_t> touched_;
  // Schemes for values: by sensitive value, its number among those that violate; by piece and number, how often it occurs,
  // and by piece its records.
  std::vector<uint32_t> violating_number_;
  std::vector<uint32_t> in_piece_;
  std::vector<uint32_t> piece_size_;
  std::vector<ClassBound::Piece> pieces_;
};

}  // namespace thicket
