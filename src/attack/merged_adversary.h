// The adversary of k^(m,n)-anonymity: knows that labels stand in a record and some above others, not how often or where.
//
//   MergedAdversary adversary(original, release);
//   THICKET_ASSIGN(AttackResult result, adversary.Play(victims, {.labels = 3, .relations = 2}, progress));
//
// Published vertices may be merged and labels moved (Section II-D of Gkountouna et al. 2013), so one published label may
// stand for several known ones, and what is not shown is not known to be absent. attack.h says what is known and what a
// candidate is. Bitmaps over shapes: O(victims * shapes / 64), and the records of the candidates for certainties.
//
// Whoever knows M labels may be surest by fewer of them, and a draw may miss those. So certainties are also those of whoever
// knows nothing, and of whoever knows any one label of any victim; each label is asked once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "attack/attack.h"
#include "attack/cover_index.h"
#include "attack/held_counts.h"
#include "attack/known_labels.h"
#include "attack/relation_index.h"
#include "attack/release.h"
#include "attack/tally.h"
#include "base/progress.h"

namespace thicket {

class MergedAdversary {
 public:
  struct Knows {
    size_t labels = 1;
    size_t relations = 0;
    bool negative = false;
    uint64_t seed = 1;
  };

  // Both must outlive it.
  MergedAdversary(const EncodedDataset& original, const Release& release);

  Result<AttackResult> Play(const std::vector<RecordId>& victims, const Knows& knows,
                            Progress& progress);

 private:
  // Shapes, and how many records they have.
  struct Pool {
    std::vector<uint32_t> shapes;
    size_t records = 0;
  };
  Pool Candidates(const VictimLabels& labels, const VictimRelations& relations);
  void AddCertainty(const Pool& candidates, Tally& tally);

  const EncodedDataset& original_;
  const Release& release_;
  CoverIndex showing_;
  CoverIndex showing_exactly_;
  RelationIndex relations_;
  HeldCounts held_;
  // By secret; zero between victims.
  std::vector<uint32_t> counts_;
};

}  // namespace thicket
