// Looks at one specialization of a cut: whether its labels are rare, which relations must be broken, and what it costs.
//
//   CutExaminer examiner(items, shapes, options);
//   Outcome outcome = examiner.Examine(cut, label);
//   if (outcome.kind == Outcome::Kind::kValid) next = examiner.Descend(cut, label, std::move(outcome));
//
// Only what changes is counted: combinations with a child of the specialized label. Where the label was looked at in the cut
// above already, only those with a child of both, of this label and of the one that was specialized since. `from_scratch`
// does without that; the outcome is the same.
//
// One object per thread: it keeps its buffers.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "cutting/kmn/child_relations.h"
#include "cutting/kmn/cut.h"
#include "cutting/kmn/cut_search.h"
#include "cutting/kmn/rare_combinations.h"
#include "cutting/kmn/relation_breaker.h"
#include "cutting/kmn/synopsis.h"

namespace thicket {

// What becomes of a specialization.
struct Outcome {
  enum class Kind {
    kRareLabels,  // labels alone are rare, or may not be shown; here and in every cut below
    kRejected,    // OCS: relations would have to be broken, here and in every cut below
    kWithheld,    // it may not be published, or OCS will not; cuts below it may
    kValid,
  };
  Kind kind = Kind::kRareLabels;
  // What is rare with a child of the specialized label while nothing is broken.
  std::vector<RareCombination> rare;
  // Under CutCost::kLabels only if FactChecker::MayPublish() must know of them.
  std::vector<Relation> broken;
  double cost = std::numeric_limits<double>::infinity();

  bool is_dead() const { return kind == Kind::kRareLabels || kind == Kind::kRejected; }
};

class CutExaminer {
 public:
  CutExaminer(const ItemHierarchy& items, const Shapes& shapes, const CutSearchOptions& options);

  // Every attribute left out.
  std::unique_ptr<Cut> Nothing();
  // What a specialization would cost if nothing had to be broken; and what it cannot cost less than in that case, which is
  // found much faster.
  double Hope(const Cut& cut, Item label);
  double Bound(const Cut& cut, Item label) const;
  // `hope`, if it is known.
  Outcome Examine(const Cut& cut, Item label, std::optional<double> hope = std::nullopt);
  // What must be broken under a cut.
  std::vector<Relation> Break(const Cut& cut);
  // The cut that an examined specialization leads to. If it was examined last, and here, its children need not be listed again.
  std::unique_ptr<Cut> Descend(const Cut& cut, Item label, const Outcome& outcome);
  // Whether that is so; until Forget(), which must be called before a cut that was examined is gone.
  bool Holds(const Cut& cut, Item label) const {
    return holds_ && special_.cut == &cut && special_.specialized == label;
  }
  void Forget() { holds_ = false; }

 private:
  void Specialize(const Cut& cut, Item label);
  void ListChildren();
  // Finds the relations of the children in all shapes.
  void RelateChildren();
  // False as soon as labels alone are rare.
  bool FindRare(std::vector<RareCombination>& rare);
  bool FindRareWithChildren(const RareCombinations::Visitor& visit);
  // Combinations with a child of the specialized label and one of the label that was specialized before it.
  bool FindRareWithBoth(const RareCombinations::Visitor& visit);
  bool HasRareChild() const;
  void AddCosts(const Cut* from, Cut& cut);
  void AddSynopsis(Cut& cut);
  double Cost(const BrokenRelations& broken);
  double MeanRpd(const BrokenRelations& broken);
  double MeanLoss() const;
  bool CostsRpd() const {
    return options_->cost == CutCost::kRpd || options_->cost == CutCost::kLabels;
  }
  double SynopsisCost(const BrokenRelations& broken);
  void ReplaceInSynopsis(uint32_t shape, const BrokenRelations& broken);

  const ItemHierarchy* items_;
  const Shapes* shapes_;
  const CutSearchOptions* options_;
  LabelTree tree_;
  RareCombinations counter_;
  RelationBreaker breaker_;
  SynopsisChange change_;
  SpecializedCut special_;
  // Whether the children of `special_` are listed.
  bool holds_ = false;
  ChildRelations relations_;
  bool related_everywhere_ = false;
  // CutCost::kLoss: by item, how many nodes of all records it is at; and how many nodes there are.
  std::vector<uint64_t> nodes_of_;
  uint64_t nodes_ = 0;
  // By item: where it stands among the children of its parent.
  std::vector<uint32_t> rank_;
  std::vector<uint32_t> node_of_;
};

}  // namespace thicket
