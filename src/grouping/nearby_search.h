// Who of very many records fits a growing class best, among few that an index proposes.
//
// An index of labels (grouping/label_scan.h) proposes some dozen records that have much in common with the class. Closer bounds
// (grouping/class_columns.h, and in trees of four levels and more grouping/child_bound.h) put these in order, and those with the
// best chances are compared with the class. What is remembered of a look are the best few: records only ever leave, so the next one of
// them is the best when the first is gone.
//
//   NearbySearch search(model, options, parallel.threads());
//   const std::vector<RecordId> nobody = search.Start();
//   NearbySearch::Look look = {Representative::Of(model, seed, class_size), {}};
//   NearbySearch::Look* const looks[] = {&look};
//   search.Find(worker, looks);
//   if (!look.candidates.empty()) Take(look.candidates.back().record);
//
// A look takes O(n) sums of bits, about two cycles for each record, and `comparisons` comparisons of trees. Several looks at once read
// the index while it is in the cache; what is found is a function of all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grouping/candidate_search.h"
#include "grouping/child_bound.h"
#include "grouping/class_columns.h"
#include "grouping/label_scan.h"
#include "matching/merge.h"

namespace thicket {

struct NearbySearchOptions {
  // How many records a class has in the end.
  int class_size = 2;
  MergeOptions merge;
  // How many records are proposed to a growing class, and how many of these are compared.
  size_t proposals = 96;
  size_t comparisons = 96;
  // How many records of those that were compared are remembered.
  size_t remembered = 4;
  // Compares whom bounds would leave out: slow, for tests.
  bool exhaustive = false;
};

class NearbySearch {
 public:
  // How many looks are best taken at once.
  static constexpr size_t kTogether = 16;

  // A record, and what the class costs with it.
  struct Candidate {
    Units cost;
    RecordId record;
    bool operator<(const Candidate& other) const {
      return cost != other.cost ? cost < other.cost : record < other.record;
    }
  };
  struct Look {
    Representative tree;
    std::vector<Candidate> candidates;  // best last
  };

  // `model` must stay. Each of the threads has a number, from 0 on.
  NearbySearch(const TreeModel& model, const NearbySearchOptions& options, size_t threads);

  // Puts everybody into the index but those of whom nothing may be shown, whom it returns, ascending.
  std::vector<RecordId> Start();
  void Remove(RecordId record) { scan_.Remove(record); }
  // Makes up for what was removed; now and then.
  void CloseGaps();

  // Fills the candidates of all looks: none of whom a record of the index may join.
  void Find(size_t worker, std::span<Look* const> looks);
  // Takes a record in.
  void Absorb(size_t worker, RecordId record, Representative& tree);

  SearchStatistics statistics() const;

 private:
  struct Worker {
    Worker(const TreeModel& model, const ClassColumns& columns, const MergeOptions& options)
        : probe(columns), merger(model, options) {}
    ClassProbe probe;
    ChildBound::Loaded children;
    Merger merger;
    std::vector<LabelScan::Query> queries;
    LabelScan::Workspace workspace;
    std::vector<Candidate> chances;
    std::vector<VertexPair> pairs;
    uint64_t candidates = 0;
    uint64_t compared = 0;
  };

  LabelScan::VisitTree TreeVisitor() const;
  Units FactorOf(const Look& look) const;
  void FillChances(Worker& worker, const Look& look, const std::vector<LabelScan::Found>& found);
  void Compare(Worker& worker, Look& look);

  const TreeModel* model_;
  NearbySearchOptions options_;
  ClassColumns columns_;
  ChildBound child_bound_;
  LabelScan scan_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace thicket
