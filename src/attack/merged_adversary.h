// The adversary of k^(m,n)-anonymity: knows that labels stand in a record and some above others, not how often or where.
//
//   MergedAdversary adversary(original, release);
//   THICKET_ASSIGN(AttackResult result, adversary.Play(victims, {.labels = 3, .relations = 2}, progress));
//
// Published vertices may be merged and labels moved (Section II-D of Gkountouna et al. 2013), so one published label may
// stand for several known ones, and what is not shown is not known to be absent. attack.h says what is known and what a
// candidate is. Bitmaps over shapes: O(victims * shapes / 64), and the records of the candidates for certainties.
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
  Bitmap Candidates(const VictimLabels& labels, const VictimRelations& relations);
  void AddCertainty(const HeldCounts::ByShape& counts, const std::vector<uint32_t>& shapes,
                    size_t candidates, Tally& tally);

  const EncodedDataset& original_;
  const Release& release_;
  CoverIndex showing_;
  CoverIndex showing_exactly_;
  RelationIndex relations_;
  HeldCounts held_;
  std::vector<uint32_t> counts_;
};

}  // namespace thicket
