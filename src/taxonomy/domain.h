// The values that one quasi-identifier takes in a data set, and their generalizations with what they cost.
//
// Two kinds behind one face: a Taxonomy, or free intervals over the numbers that occur. Data values are dense numbers
// (a leaf's rank, or the rank of a number); a generalized value is a Label. A missing value is a value of its own that
// meets others only at "*", and among numbers so is a text that is no number.
//
// Costs are whole units of 1/2^20 of a label, so that sums are exact in any order: this is what makes pruned, unpruned,
// scalar, vectorized and parallel runs agree to the bit.
//
//   Label both = domain.Merge(domain.Leaf(a), domain.Leaf(b));
//   Units cost = domain.Loss(both);
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/decimal.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

// What a suppressed label costs, and LM' = 1.
using Units = int64_t;
inline constexpr Units kLabelUnits = Units{1} << 20;

// A value of a Domain as data holds it: a rank in [0, value_count()).
using Value = uint32_t;

// A generalized value. In a taxonomy both members are the node; over numbers they are the ranks of the ends.
struct Label {
  uint32_t low = 0;
  uint32_t high = 0;
  friend bool operator==(const Label&, const Label&) = default;
  friend bool operator<(const Label& a, const Label& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  }
};

class Domain {
 public:
  // A domain without values, to be assigned to.
  Domain() = default;
  // `has_missing`: the taxonomy's last leaf stands for the missing value, a child of the root.
  static Domain FromTaxonomy(Taxonomy taxonomy, bool has_missing);
  // `numbers`: ascending and distinct. Behind them come `others`, texts that are no numbers, ascending and distinct, too, and with
  // `has_missing` the missing value last.
  static Domain FromNumbers(std::vector<Decimal> numbers, bool has_missing,
                            std::vector<std::string> others = {});

  bool is_numeric() const { return !taxonomy_; }
  const Taxonomy& taxonomy() const { return *taxonomy_; }
  const std::vector<Decimal>& numbers() const { return numbers_; }
  // The texts that are no numbers; the first of them has the rank numbers().size().
  const std::vector<std::string>& others() const { return others_; }
  // Over numbers: what covers everything, also what is no number.
  Label Anything() const {
    const size_t behind = value_count_ > numbers_.size() ? value_count_ - 1 : numbers_.size();
    return {0, static_cast<uint32_t>(behind)};
  }
  // By rank: how far the number lies above the least one, in a unit of the domain's own where a double has no room for
  // it. For costs and measures; only numbers() are exact.
  const std::vector<double>& offsets() const { return offsets_; }
  // Without the missing value, which then has the rank value_count() - 1.
  bool has_missing() const { return has_missing_; }
  size_t value_count() const { return value_count_; }
  bool IsMissing(Value value) const { return has_missing_ && value + 1 == value_count_; }

  Label Leaf(Value value) const {
    return taxonomy_ ? Label{taxonomy_->first_leaf() + value, taxonomy_->first_leaf() + value}
                     : Label{value, value};
  }
  bool IsLeaf(Label label) const {
    return taxonomy_ ? taxonomy_->is_leaf(label.low) : label.low == label.high;
  }
  // The value of a leaf label.
  Value LeafValue(Label label) const {
    return taxonomy_ ? label.low - taxonomy_->first_leaf() : label.low;
  }

  // The least general label that covers both.
  Label Merge(Label a, Label b) const;
  bool Covers(Label general, Label special) const { return Merge(general, special) == general; }

  // LM' (Definition 3.9), exactly and in units. Over numbers: the width of the interval over the width of all.
  double ExactLoss(Label label) const;
  Units Loss(Label label) const;
  // Loss(Merge(label, Leaf(value))).
  Units MergeLoss(Label label, Value value) const {
    if (!merge_loss_.empty()) return merge_loss_[label.low * value_count_ + value];
    if (!ancestors_.empty()) {
      Node node = label.low;
      for (uint32_t level = taxonomy_->depth(node); level > 0; --level) {
        if (AncestorsAt(level)[value] == node) break;
        node = taxonomy_->parent(node);
      }
      return node_loss_[node];
    }
    return Loss(Merge(label, Leaf(value)));
  }
  bool has_table() const { return !merge_loss_.empty(); }
  // MergeLoss(label, value) for every value, as an array; null where the taxonomy is too large for a table, or numeric.
  const int32_t* MergeLossRow(Label label) const {
    return merge_loss_.empty() ? nullptr : &merge_loss_[label.low * value_count_];
  }

  // How many levels of a taxonomy that is too large for a table stand below its root; 0 where there is a table, no
  // taxonomy, or too many of them.
  size_t level_count() const { return ancestors_.empty() ? 0 : ancestors_.size() / value_count_; }
  // By value: the node above it, or the leaf itself, at a level from 1 to level_count(); a number of no node below a leaf.
  const uint32_t* AncestorsAt(size_t level) const {
    return &ancestors_[(level - 1) * value_count_];
  }

  // How a generalized (not a leaf) label is published: "CS3**", "[1990, 1995)", "[2, 17.5]", "*".
  std::string Text(Label label) const;

 private:
  std::shared_ptr<const Taxonomy> taxonomy_;
  std::vector<Decimal> numbers_;
  std::vector<std::string> others_;
  std::vector<double> offsets_;
  std::vector<Units> node_loss_;
  std::vector<int32_t> merge_loss_;
  std::vector<uint32_t> ancestors_;  // by level, then value
  size_t value_count_ = 0;
  bool has_missing_ = false;
};

}  // namespace thicket
