// How much a record may keep together with some number of others at the most: the heaviest set of its items that so many others all have.
//
// A class of K records keeps of each member what all K have in common. Seen from one member: K - 1 others are to be chosen among candidates, each with a
// bitmap of the items that it may keep with the record (grouping/shared_labels.h), and what all chosen ones have is to weigh as
// much as possible. Branch and bound over items: an item is kept by all who are chosen, or by none.
//
// Bounds. A candidate is worth at most what its items weigh that are still allowed, and at most what is known of it otherwise; of the
// candidates that have all items that must be kept, as many as are needed must be worth more than the best solution so far. Whoever is worth no more
// drops out, an item that fewer than the needed number of the others have is no longer allowed, and so on until nothing changes.
// What the worst of the needed best candidates is worth bounds all solutions from there.
//
//   MostShared search;
//   search.Begin(own, 4, least);
//   for (...) search.Add(mask, most);
//   Units bound = search.Bound(32);
//
// With a limit on the branchings the answer is an upper bound; without one it is the greatest weight, where it is above `least`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grouping/shared_labels.h"

namespace thicket {

class MostShared {
 public:
  // For the record that `own` has loaded; `needed` others are to be chosen, and what weighs no more than `least` is of no interest.
  void Begin(const SharedLabels& own, size_t needed, Units least);
  // A candidate: its items, and what it keeps with the record at most for other reasons.
  void Add(const uint64_t* mask, Units most);
  // At least `least`, and at least what any choice keeps. Of at most so many branchings.
  Units Bound(size_t branchings);

 private:
  struct Branch {
    Units bound = 0;
    std::vector<uint64_t> allowed;
    std::vector<uint64_t> kept;  // by all who are chosen
    std::vector<uint32_t> candidates;
  };

  const uint64_t* mask(uint32_t candidate) const { return &masks_[candidate * words_]; }
  // Drops candidates and items that cannot matter, and fills in the bound; false if there is nothing better than the best.
  bool Tighten(Branch& branch);
  // Drops who is worth no more than the best; false if too few are left.
  bool DropCandidates(Branch& branch);
  // Drops items that too few have; true if there were some. `lost`: one of them must be kept.
  bool DropItems(Branch& branch, bool& lost);
  // The item to branch by, or items() if the best candidates agree on all.
  size_t Choose(const Branch& branch);

  const SharedLabels* own_ = nullptr;
  size_t needed_ = 1;
  size_t words_ = 0;
  Units best_ = 0;
  std::vector<uint64_t> masks_;
  std::vector<Units> most_;
  std::vector<Units> worth_;  // by candidate
  std::vector<uint64_t> buffer_;
  std::vector<uint64_t>
      planes_;                // by binary digit, then word: by how many candidates an item is had
  std::vector<Branch> open_;  // a heap, the greatest bound first
};

}  // namespace thicket
