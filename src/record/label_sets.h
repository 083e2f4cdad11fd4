// Records as sets: for each the labels of one taxonomy, and sensitive items apart, which have no taxonomy.
//
// What Chapter 4 of Liu 2010 speaks of, for whoever measures or attacks sets: the original data has leaves for labels, published
// data any nodes. A label that stands twice in a record counts once, and a missing value is none.
//
//   LabelSets sets;
//   sets.Add({milk, wine}, {});
//   for (const Node label : sets.labels(record)) ...
//
// Two arrays each, O(labels) memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

class LabelSets {
 public:
  // Sorts both, and leaves out what is there twice.
  void Add(std::vector<Node> labels, std::vector<uint32_t> secrets);

  size_t size() const { return first_label_.size() - 1; }
  // Ascending.
  std::span<const Node> labels(size_t record) const {
    return {labels_.data() + first_label_[record], first_label_[record + 1] - first_label_[record]};
  }
  // Numbers of sensitive items, ascending and below secret_count().
  std::span<const uint32_t> secrets(size_t record) const {
    return {secrets_.data() + first_secret_[record],
            first_secret_[record + 1] - first_secret_[record]};
  }
  uint32_t secret_count() const { return secret_count_; }

 private:
  std::vector<size_t> first_label_ = {0};
  std::vector<Node> labels_;
  std::vector<size_t> first_secret_ = {0};
  std::vector<uint32_t> secrets_;
  uint32_t secret_count_ = 0;
};

// Whether records are a root without quasi-identifiers above one class of leaves with one quasi-identifier.
bool AreSets(const Schema& schema);

// An original and what was published of it, in the nodes of the original's domain.
struct SetPair {
  // Of the original, which must outlive this.
  const Taxonomy* taxonomy = nullptr;
  LabelSets original;
  LabelSets published;
  // By node: how many leaves at or below it are non-sensitive items. Sensitive items and the missing value stand beside the root's
  // groups, and count among no leaves.
  std::vector<uint32_t> leaves;

  // Fails with kUsage if records are no sets with a taxonomy, with kData where a published text is no label.
  static Result<SetPair> Read(const EncodedDataset& original, const Dataset& published);

  bool IsGeneral(Node node) const { return !taxonomy->is_leaf(node); }
  // NCP (Section 4.2.3 of Liu 2010) and LM' of a label.
  double Ncp(Node node) const;
  double Lm(Node node) const;
};

}  // namespace thicket
