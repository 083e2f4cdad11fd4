// Bags of terms and what was published of them, as numbers: what the measures of chapter 5 of Liu 2010 work on.
//
// A term is a leaf of the original's domain. Published data shows labels: a term, which may stand for another one; a
// group of the taxonomy; or several terms of which one is meant, as in "vino|wine". Labels are numbered alike in
// every run over the same domain, whatever the order of the records: terms by their ranks, then the inner nodes of
// the taxonomy, then labels of several terms by their texts.
//
//   THICKET_ASSIGN(const BagPair pair, BagPair::Read(original, published));
//   for (const BagLabel label : pair.published.labels(record)) pair.IsTerm(label);
//
// A missing value is no term. O(vertices + distinct texts).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

using BagLabel = uint32_t;

// Bags with repeats, all in one array.
class LabelBags {
 public:
  // In any order.
  void Add(std::vector<BagLabel> labels);

  size_t size() const { return first_.size() - 1; }
  // Ascending.
  std::span<const BagLabel> labels(size_t bag) const {
    return {labels_.data() + first_[bag], first_[bag + 1] - first_[bag]};
  }
  // Of all bags together.
  size_t occurrences() const { return labels_.size(); }

 private:
  std::vector<size_t> first_ = {0};
  std::vector<BagLabel> labels_;
};

struct BagPair {
  // Of the original, which must outlive this. Under a network its leaves stand right below the root.
  const Taxonomy* taxonomy = nullptr;
  // How many terms there may be: the leaves of the taxonomy, or with a network the terms that occur in the original.
  // The missing value is none.
  uint64_t domain = 0;
  LabelBags original;
  LabelBags published;
  // Labels of several terms, each with its terms, ascending. Their numbers follow those of all nodes.
  std::vector<std::vector<BagLabel>> several = {};

  // Fails with kUsage if records are no bags, with kData where a published text is no label.
  static Result<BagPair> Read(const EncodedDataset& original, const Dataset& published);

  BagLabel LabelOf(Node node) const {
    return taxonomy->is_leaf(node) ? node - taxonomy->first_leaf()
                                   : static_cast<BagLabel>(taxonomy->leaf_count()) + node;
  }
  bool IsTerm(BagLabel label) const { return label < taxonomy->leaf_count(); }
  bool HasSeveral(BagLabel label) const { return label >= taxonomy->node_count(); }
  const std::vector<BagLabel>& SeveralOf(BagLabel label) const {
    return several[label - taxonomy->node_count()];
  }
  // By term: the word itself.
  std::vector<std::string> TermTexts() const;
  // Of a term or a group.
  Node NodeOf(BagLabel label) const {
    return IsTerm(label) ? taxonomy->first_leaf() + label
                         : label - static_cast<BagLabel>(taxonomy->leaf_count());
  }
};

}  // namespace thicket
