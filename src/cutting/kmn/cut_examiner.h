// Looks at one specialization of a cut: whether its labels are rare, which relations must be broken, and what it costs.
//
//   CutExaminer examiner(items, shapes, options);
//   Outcome outcome = examiner.Examine(cut, label);
//   if (outcome.kind == Outcome::Kind::kValid) next = examiner.Descend(cut, label, std::move(outcome));
//
// Only what changes is counted: combinations with a child of the specialized label. Where the label was looked at in
// the cut above already, only combinations are counted that have a child of this label and a child of the label that
// was specialized since. With `from_scratch` all combinations are counted; the outcome is the same.
//
// An examiner has threads of its own to look at one cut, or works on the caller's thread alone, and is one of several then. It
// keeps its buffers. What is found does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "cutting/kmn/child_relations.h"
#include "cutting/kmn/cut.h"
#include "cutting/kmn/cut_search.h"
#include "cutting/kmn/known_shapes.h"
#include "cutting/kmn/rare_combinations.h"
#include "cutting/kmn/relation_breaker.h"
#include "cutting/kmn/shape_team.h"
#include "cutting/kmn/synopsis.h"

namespace thicket {

// What becomes of a specialization.
struct Outcome {
  enum class Kind {
    kRareLabels,  // labels alone are rare or may not be shown, in this cut and in every cut below it
    kRejected,    // OCS: relations would have to be broken, in this cut and in every cut below it
    kWithheld,    // this cut may not be published, or OCS will not publish it; cuts below it may be
    kValid,
  };
  Kind kind = Kind::kRareLabels;
  // The combinations with a child of the specialized label that are rare while nothing is broken.
  std::vector<RareCombination> rare;
  // The relations to break. Under CutCost::kLabels only if FactChecker::MayPublish() must know of them.
  std::vector<Relation> broken;
  double cost = std::numeric_limits<double>::infinity();

  bool is_dead() const { return kind == Kind::kRareLabels || kind == Kind::kRejected; }
};

class CutExaminer {
 public:
  // `known` is shared by the examiners of a search. Without it, everything is found out anew. Without `parallel`, the examiner works on
  // the caller's thread alone.
  CutExaminer(const ItemHierarchy& items, const Shapes& shapes, const CutSearchOptions& options,
              KnownShapes* known = nullptr, Parallel* parallel = nullptr);

  // The cut in which every attribute is left out.
  std::unique_ptr<Cut> MostGeneralCut();
  // What a specialization would cost if no relation had to be broken; and a lower bound on that cost, which is found
  // much faster.
  double Hope(const Cut& cut, Item label);
  double Bound(const Cut& cut, Item label) const;
  // `hope`: what Hope() says of the specialization, if that is known.
  Outcome Examine(const Cut& cut, Item label, std::optional<double> hope = std::nullopt);
  // The relations that must be broken under a cut.
  std::vector<Relation> Break(const Cut& cut);
  // The cut that an examined specialization leads to. If this examiner still holds the specialization (see Holds()),
  // its children need not be listed again.
  std::unique_ptr<Cut> Descend(const Cut& cut, Item label, const Outcome& outcome);
  // Whether this specialization was the last one that was examined here, so that its children are listed. Forget() must
  // be called before a cut that was examined is gone.
  bool Holds(const Cut& cut, Item label) const {
    return holds_ && special_.cut == &cut && special_.specialized == label;
  }
  void Forget() { holds_ = false; }

 private:
  void Specialize(const Cut& cut, Item label);
  void ListChildren();
  // The shapes of each child.
  std::vector<std::shared_ptr<const LabelShapes>> ShapesOfChildren() const;
  // Finds the relations of the children in all shapes that have the specialized label.
  void RelateChildren();
  // Finds the rare combinations; false as soon as one without relations is among them.
  bool FindRare(std::vector<RareCombination>& rare);
  bool FindRareWithChildren(const RareCombinations::Visitor& visit);
  // Combinations with a child of the specialized label and one of the label that was specialized before it.
  bool FindRareWithBoth(const RareCombinations::Visitor& visit);
  // Combinations to count: those with all labels of `start`; with a single one those whose next label has a slot in [first, last).
  struct Task {
    std::vector<uint32_t> start;
    uint32_t first;
    uint32_t last;
    std::vector<uint32_t> excluded;
  };
  // False if a visitor ended one of the tasks. What is found is visited in the order of the tasks, on the caller's thread.
  bool Count(const std::vector<Task>& tasks, const RareCombinations::Visitor& visit);
  bool HasRareChild() const;
  void AddCosts(const Cut* from, Cut& cut);
  void AddSynopsis(Cut& cut);
  double Cost(const BrokenRelations& broken);
  double MeanRpd(const BrokenRelations& broken);
  // The RPD of each shape of the list, into `rpd` by shape.
  void FindRpd(const ShapeList& list, const std::vector<Item>& label_of, std::vector<double>& rpd);
  double MeanLoss() const;
  bool CostsRpd() const {
    return options_->cost == CutCost::kRpd || options_->cost == CutCost::kLabels;
  }
  double SynopsisCost(const BrokenRelations& broken);
  void ReplaceInSynopsis(uint32_t shape, const BrokenRelations& broken);

  const ItemHierarchy* items_;
  const Shapes* shapes_;
  const CutSearchOptions* options_;
  KnownShapes* known_;
  ShapeTeam team_;
  LabelTree tree_;
  // By worker.
  std::vector<RareCombinations> counters_;
  std::vector<LabelTree> trees_;
  RelationBreaker breaker_;
  SynopsisChange change_;
  SpecializedCut special_;
  // Whether the children of `special_` are listed.
  bool holds_ = false;
  ChildRelations relations_;
  bool related_everywhere_ = false;
  // CutCost::kLoss: by item, at how many nodes of all records it stands; and how many nodes there are.
  std::vector<uint64_t> nodes_of_;
  uint64_t nodes_ = 0;
  // By item: its place among the children of its parent.
  std::vector<uint32_t> rank_;
  std::vector<uint32_t> node_of_;
  // CutCost::kRpd, kLabels: by shape that the specialization changes, its RPD while nothing is broken.
  std::vector<double> rpd_;
};

}  // namespace thicket
