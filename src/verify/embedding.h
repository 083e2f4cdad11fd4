// Whether a published tree can come from an original one by generalizing labels and pruning subtrees.
//
// It can if its vertices map to different vertices of the original, the root to the root and children to children of
// the same class, so that every label is the original value or an ancestor of it, and sensitive and kept values are the
// original ones: of the same kind, and numbers of the same value or equal texts. "*" stands for any sensitive value where
// the policy lets values be suppressed.
//
//   THICKET_ASSIGN(Embedding embedding, Embedding::Create(schema, taxonomies, published, original));
//   embedding.Embeds(published.forest.root(3), original.forest.root(17));
//
// Siblings are matched class by class (base/injection.h), wide ones by groups of equals (verify/wide_embedding.cc), and of an ordered
// class the i-th with the i-th. Definitions 3.5, 3.6 and 3.16 of Ozalp et al. 2016.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/injection.h"
#include "base/result.h"
#include "record/canonical_form.h"
#include "record/dataset.h"
#include "verify/label_cover.h"
#include "verify/verify.h"

namespace thicket {

class Embedding {
 public:
  // The data sets must outlive the embedding.
  static Result<Embedding> Create(const Schema& schema, const TaxonomyFiles& taxonomies,
                                  const Dataset& published, const Dataset& original);

  // Siblings are placed by groups of equals from so many pairs on.
  void PlaceByGroupsFrom(size_t pairs) { wide_from_ = pairs; }

  // Whether the published subtree embeds with its root at this vertex.
  bool Embeds(Vertex published, Vertex original) { return EmbedsAt(published, original, 0); }
  // Why it does not: a violation that names the place in the published data.
  Violation Explain(Vertex published, Vertex original);

  // Whether the published value of a slot may stand for the original one.
  bool Fits(ClassId id, size_t slot, Symbol published, Symbol original) const {
    const auto& covers = covers_[id];
    if (slot < covers.size()) return covers[slot].Covers(published, original);
    const SameValues& same = same_[id][slot - covers.size()];
    return same.published[published] == kAnyValue ||
           same.published[published] == same.original[original];
  }
  // Calls `use` with every original value that the published value of a slot may stand for.
  template <typename Use>
  void ForEachFitting(ClassId id, size_t slot, Symbol published, const Use& use) const {
    if (slot >= covers_[id].size()) {
      const SameValues& same = same_[id][slot - covers_[id].size()];
      const uint32_t number = same.published[published];
      if (number != kAnyValue) {
        for (const Symbol value : same.OriginalsWith(number)) use(value);
        return;
      }
    }
    for (Symbol value = 0; value < originals_->dictionaries[id][slot].size(); ++value) {
      if (Fits(id, slot, published, value)) use(value);
    }
  }
  bool IsOrdered(ClassId id) const { return schema_->classes[id].ordered; }
  // A published vertex stands for one original vertex, with all of its values.
  static constexpr bool kVerticesStay = true;
  // Whether a published value says anything: that it is missing does.
  static bool Says(Symbol /*published*/) { return true; }

 private:
  // A sensitive value that was suppressed may stand for any.
  static constexpr uint32_t kAnyValue = ~uint32_t{0};
  // One sensitive or kept attribute, by symbol of either side: numbers that are equal for equal values.
  struct SameValues {
    // `sensitive` is null for a kept one.
    SameValues(const Dictionary& of_published, const Dictionary& of_original,
               const SensitiveAttribute* sensitive);
    // The symbols of the original whose value has this number.
    std::span<const Symbol> OriginalsWith(uint32_t number) const;

    std::vector<uint32_t> published;
    std::vector<uint32_t> original;
    // The symbols of the original, by their numbers.
    std::vector<Symbol> by_number;
  };

  // What one level of the recursion works with.
  struct Level {
    std::vector<Vertex> published;
    std::vector<Vertex> original;
    InjectionSpace space;
  };

  Embedding(const Schema& schema, const Dataset& published, const Dataset& original)
      : schema_(&schema),
        data_(&published),
        originals_(&original),
        published_(&published.forest),
        original_(&original.forest) {}

  class WideSearch;

  bool ValuesFit(Vertex published, Vertex original) const;
  bool EmbedsAt(Vertex published, Vertex original, size_t depth);
  // Whether the children embed; otherwise `unplaced` is one that does not.
  bool ChildrenEmbed(Vertex published, Vertex original, size_t depth, Vertex* unplaced);
  // The same for the siblings of one class that is a sequence, and for many of one that is none.
  bool OrderedSiblingsEmbed(const Level& level, size_t depth, Vertex* unplaced);
  bool WideSiblingsEmbed(ClassId id, const Level& level, size_t depth, Vertex* unplaced);

  const Schema* schema_;
  const Dataset* data_;
  const Dataset* originals_;
  const Forest* published_;
  const Forest* original_;
  // By class and quasi-identifier.
  std::vector<std::vector<CoverTable>> covers_;
  // By class and other slot.
  std::vector<std::vector<SameValues>> same_;
  std::deque<Level> levels_;
  size_t wide_from_ = size_t{1} << 16;
  // Once there are wide siblings.
  std::optional<CanonicalForm> published_form_;
  std::optional<CanonicalForm> original_form_;
};

}  // namespace thicket
