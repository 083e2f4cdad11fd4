// How many steps published terms of bags are from original ones, up to epsilon: found out for the check alone.
//
// A plain breadth-first search from each published word that is asked for, through the network, or up and down the tree of the
// taxonomy. A word that is in neither stands for itself; in a taxonomy that takes unknown words, right below the root. A label of
// several words, one of which is meant, is near those of its words that all others are within epsilon steps of; and a group of a
// taxonomy is near the words up to epsilon steps below it: they say less than the original, but nothing else, so that is no
// step.
//
//   BagSteps steps(labels, published.dictionaries[1][0], original.dictionaries[1][0], epsilon);
//   for (const BagSteps::Near& near : steps.NearTo(label)) Use(near.term, near.steps);
//
// O(places within epsilon steps) per word, once as long as there is room to keep what was found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "record/dictionary.h"
#include "verify/bag_labels.h"

namespace thicket {

class BagSteps {
 public:
  struct Near {
    // A symbol of the original.
    Symbol term;
    uint32_t steps;
    friend bool operator==(const Near&, const Near&) = default;
  };

  // All must outlive this object. `most_kept`: so many entries of lists are kept.
  BagSteps(const BagLabels& labels, const Dictionary& published, const Dictionary& original,
           uint32_t epsilon, size_t most_kept = size_t{1} << 25);

  // The original's terms within epsilon steps of the published label, ascending by symbol; valid until the next call.
  const std::vector<Near>& NearTo(Symbol label);

 private:
  using Place = uint32_t;

  // The word's place, kNowhere if it has none.
  static constexpr Place kNowhere = ~Place{0};
  Place PlaceOf(std::string_view word) const;
  // Of the taxonomy, with a place for each unknown word below the root, where they are taken.
  void BuildTree(const Dictionary& published, const Dictionary& original);
  template <typename Visit>
  void VisitNeighbours(Place place, const Visit& visit) const;
  void Search(std::string_view word, std::vector<Near>& near);
  void FindOneOf(const std::vector<std::string_view>& words, std::vector<Near>& near);

  const BagLabels& labels_;
  const Dictionary& published_;
  uint32_t epsilon_;
  size_t most_kept_;
  // The original's symbols with each text, and by place: several where a text stands there as a number, too.
  std::unordered_map<std::string_view, std::vector<Symbol>> symbols_of_text_;
  std::vector<std::pair<Place, Symbol>> terms_at_;
  std::vector<uint32_t> first_term_at_;
  // Of the tree: by place its parent, and where its children begin in `children_`.
  std::vector<Place> parent_;
  std::vector<uint32_t> first_child_;
  std::vector<Place> children_;
  std::unordered_map<std::string_view, Place> unknown_;
  // By place: the last search that was here.
  std::vector<uint32_t> seen_;
  uint32_t search_ = 0;
  std::vector<Place> queue_;
  // By label, where it is known.
  std::unordered_map<Symbol, std::vector<Near>> kept_;
  size_t kept_count_ = 0;
};

}  // namespace thicket
