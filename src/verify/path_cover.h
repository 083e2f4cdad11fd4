// Whether a published tree of global recoding can come from an original one: by generalizing labels, merging vertices
// that became equal, and moving labels to places of their own.
//
// None of the three makes a path that was not there: the labels on a published path are those of one path of the original,
// as they are or generalized, some of them left out. So it is checked that
//   - for every vertex that shows a label, some vertex of the original has on the path to it, for every label on the
//     published path, a value of the same attribute that the label covers; a missing value is covered by nothing;
//   - every sensitive and kept value is that of an original vertex of the same class, to which the published path leads in
//     this way if the vertex shows a label, and of any vertex of the class if it shows none.
//
//   THICKET_ASSIGN(PathCover cover, PathCover::Create(schema, taxonomies, published, original));
//   cover.Embeds(published.forest.root(3), original.forest.root(17));
//
// O(published vertices * original vertices * labels on a path) a pair of records. Section II-D of Gkountouna et al. 2013.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"
#include "verify/embedding.h"
#include "verify/verify.h"

namespace thicket {

class PathCover {
 public:
  // The data sets must outlive it.
  static Result<PathCover> Create(const Schema& schema, const TaxonomyFiles& taxonomies,
                                  const Dataset& published, const Dataset& original);

  // Both are roots of records.
  bool Embeds(Vertex published, Vertex original) { return !FindFault(published, original); }
  // Why it does not: a violation that names the place in the published data.
  Violation Explain(Vertex published, Vertex original);

  // Whether a published value may stand for an original one, and whether it says anything at all.
  bool Fits(ClassId id, size_t slot, Symbol published, Symbol original) const {
    return original != kMissing && values_.Fits(id, slot, published, original);
  }
  // Vertices may have been merged, and their labels moved.
  static constexpr bool kVerticesStay = false;
  // Calls `use` with every original value that a published value may stand for.
  template <typename Use>
  void ForEachFitting(ClassId id, size_t slot, Symbol published, const Use& use) const {
    values_.ForEachFitting(id, slot, published, [&](Symbol original) {
      if (original != kMissing) use(original);
    });
  }
  static bool Says(Symbol published) { return published != kMissing; }

 private:
  struct PathLabel {
    ClassId id;
    size_t slot;
    Symbol label;
  };
  struct Fault {
    Vertex vertex;
    size_t slot;
  };

  PathCover(const Schema& schema, const Dataset& published, const Dataset& original,
            Embedding values)
      : schema_(&schema),
        data_(&published),
        published_(&published.forest),
        original_(&original.forest),
        values_(std::move(values)) {}

  // The first vertex, and its slot, that does not fit.
  std::optional<Fault> FindFault(Vertex published, Vertex original);
  std::optional<Fault> CheckVertex(Vertex vertex, size_t own_labels, Vertex original);
  bool LeadsTo(Vertex original) const;

  const Schema* schema_;
  const Dataset* data_;
  const Forest* published_;
  const Forest* original_;
  Embedding values_;
  // The labels from the root to the vertex that is checked.
  std::vector<PathLabel> path_;
  // Of the original record: by vertex, from its root on, the parent.
  std::vector<Vertex> parent_;
  Vertex root_ = 0;
};

}  // namespace thicket
