// Whether a published set can come from an original one: every label covers an item of the original, and the sensitive items are
// those of the original, no more and no fewer.
//
// Generalizing, merging and leaving out items is what path_cover.h allows. Sensitive items are neither generalized (verify/
// label_cover.h) nor left out: who counts them in published data counts what is true.
//
//   THICKET_ASSIGN(SetCover cover, SetCover::Create(schema, taxonomies, published, original));
//   cover.Embeds(published.forest.root(3), original.forest.root(17));
#pragma once

#include <utility>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"
#include "verify/path_cover.h"

namespace thicket {

class SetCover {
 public:
  // The data sets must outlive it.
  static Result<SetCover> Create(const Schema& schema, const TaxonomyFiles& taxonomies,
                                 const Dataset& published, const Dataset& original);

  // Both are roots of records.
  bool Embeds(Vertex published, Vertex original) {
    return HasItsSecrets(published, original) && paths_.Embeds(published, original);
  }
  // Why it does not: a violation that names the place in the published data.
  Violation Explain(Vertex published, Vertex original);

  // Whether a published value may stand for an original one, and whether it says anything at all.
  bool Fits(ClassId id, size_t slot, Symbol published, Symbol original) const {
    return paths_.Fits(id, slot, published, original);
  }
  static constexpr bool kVerticesStay = PathCover::kVerticesStay;
  template <typename Use>
  void ForEachFitting(ClassId id, size_t slot, Symbol published, const Use& use) const {
    paths_.ForEachFitting(id, slot, published, use);
  }
  static bool Says(Symbol published) { return PathCover::Says(published); }

 private:
  SetCover(const Dataset& published, const Dataset& original, PathCover paths);
  bool HasItsSecrets(Vertex published, Vertex original);
  // Numbers of sensitive items in a record, ascending, each once.
  static void Find(const Forest& forest, Vertex root, const std::vector<uint32_t>& secret_of,
                   std::vector<uint32_t>& found);

  const Dataset* published_;
  const Dataset* original_;
  PathCover paths_;
  // By symbol: which sensitive item the value is, or kNone.
  std::vector<uint32_t> secret_of_published_;
  std::vector<uint32_t> secret_of_original_;
  std::vector<uint32_t> found_published_;
  std::vector<uint32_t> found_original_;
};

}  // namespace thicket
