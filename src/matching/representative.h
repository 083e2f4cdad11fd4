// The tree that the records of a growing class have in common (Definition 3.14 of Ozalp et al. 2016).
//
// A representative begins as one record and shrinks and generalizes with each record that it absorbs. Sensitive values are
// not copied as text: each vertex remembers which vertex of each member it stands for, and the buckets found there.
//
//   Representative group = Representative::Of(model, seed, class_size);
//   merger.Pair(group, record, pairs);
//   group = group.Absorb(model, record, pairs, class_size);
#pragma once

#include <cstdint>
#include <vector>

#include "matching/tree_model.h"
#include "record/publication.h"

namespace thicket {

// Vertices that stand together from now on.
struct VertexPair {
  uint32_t position;  // in the representative
  Vertex vertex;      // in the record
};

// Positions of two representatives that stand together from now on.
struct PositionPair {
  uint32_t position;
  uint32_t other;
};

class Representative {
 public:
  // `class_size`: the size that the class is to have in the end; it decides when a sensitive value is full.
  // Where levels have shares (privacy/diversity.h), vertices for which a class of that size has no room are left out, and
  // nothing is left where the root is one.
  static Representative Of(const TreeModel& model, RecordId record, int class_size);
  // A new representative of the paired vertices; pairs are in preorder of positions, and a vertex's parent is paired with
  // its partner's parent.
  Representative Absorb(const TreeModel& model, RecordId record,
                        const std::vector<VertexPair>& pairs, int class_size) const;

  // The same of two representatives: the members of the other one come behind. Pairs are in preorder of positions.
  Representative Unite(const TreeModel& model, const Representative& other,
                       const std::vector<PositionPair>& pairs, int class_size) const;

  // That of a finished class, with the vertices that stand together there.
  static Representative From(const TreeModel& model, const PublishedTree& published);

  // Only the positions given, in preorder, each with its parent; the rest is suppressed.
  Representative Keep(const TreeModel& model, const std::vector<uint32_t>& positions,
                      int class_size) const;

  size_t size() const { return vertex_class_.size(); }
  size_t member_count() const { return records_.size(); }
  const std::vector<RecordId>& records() const { return records_; }
  ClassId class_of(uint32_t position) const { return vertex_class_[position]; }
  uint32_t subtree_size(uint32_t position) const { return subtree_size_[position]; }
  Siblings Children(uint32_t position) const {
    return {position + 1, position + subtree_size_[position], subtree_size_.data()};
  }
  const Label* labels(uint32_t position) const { return labels_.data() + first_label_[position]; }
  // By slot: what each value of the domain would cost here (Domain::MergeLossRow), or null.
  const int32_t* const* loss_rows(uint32_t position) const {
    return loss_rows_.data() + first_label_[position];
  }
  Vertex vertex(uint32_t position, size_t member) const {
    return vertices_[position * records_.size() + member];
  }

  // By position (matching/sibling_kinds.h); null where no siblings are wide.
  const SiblingKind* kinds() const { return kinds_.empty() ? nullptr : kinds_.data(); }

  // What it costs to suppress the subtree in one record.
  Units subtree_weight(uint32_t position) const { return subtree_weight_[position]; }
  Units weight() const { return size() == 0 ? 0 : subtree_weight_[0]; }
  // What it would cost to suppress all of its records whole.
  Units member_weight() const { return member_weight_; }
  // What each of its records keeps: the vertices that are shown, less what their labels lost.
  Units kept() const { return kept_; }
  // What the class costs so far: the labels of all its records as they stand, and all that they lost.
  Units cost() const { return cost_; }

  // The full values of a sensitive attribute, as bits (privacy/diversity.h).
  uint64_t full_bits(uint32_t position, size_t attribute) const {
    return full_[first_sensitive_[position] + attribute];
  }
  // Whether the value may stand here once more.
  bool HasRoom(const TreeModel& model, uint32_t position, size_t attribute, uint32_t bucket) const {
    if ((full_bits(position, attribute) & BucketBit(bucket)) == 0) return true;
    if (model.bits_decide(vertex_class_[position], attribute)) return false;
    return CountBucket(buckets(position, attribute), records_.size(), bucket) < most_repeats_;
  }
  // Whether all sensitive values of the vertex may stand here. `model` must be the one it was built with.
  bool MayJoin(const TreeModel& model, uint32_t position, Vertex vertex) const;
  // The same of all that stands at a position of another representative, in a united class of `class_size`.
  bool MayStandWith(const TreeModel& model, uint32_t position, const Representative& other,
                    uint32_t other_position, int class_size) const;
  // Whether a value that may occur only once is shown by some vertex.
  bool ShowsOnce(uint32_t number) const { return once_shown_[number]; }

  // The size that the class is to have in the end.
  int class_size() const { return class_size_; }
  // The same for another final size of the class.
  void SetClassSize(const TreeModel& model, int class_size);

  // Adds the finished class as a tree; siblings are put into canonical order (class, then labels, then subtree), but those of an
  // ordered class stay as they stand.
  void Publish(Publication& publication) const;

 private:
  const uint32_t* buckets(uint32_t position, size_t attribute) const {
    return buckets_.data() + (first_sensitive_[position] + attribute) * records_.size();
  }
  void AddVertex(ClassId id, size_t members);
  void FillKindsOfPositions(const TreeModel& model);
  // Fills what follows from structure, labels and vertices.
  void Finish(const TreeModel& model, int class_size);

  const Schema* schema_ = nullptr;
  std::vector<ClassId> vertex_class_;
  std::vector<uint32_t> subtree_size_;
  std::vector<uint32_t> first_label_;
  std::vector<Label> labels_;
  std::vector<const int32_t*> loss_rows_;
  std::vector<RecordId> records_;
  std::vector<Vertex> vertices_;  // by position, then member
  std::vector<uint32_t> first_sensitive_;
  std::vector<uint32_t> buckets_;  // by position and attribute, then member
  std::vector<uint64_t> full_;     // by position and attribute
  std::vector<SiblingKind> kinds_;
  std::vector<Units> subtree_weight_;
  std::vector<bool> once_shown_;
  Units member_weight_ = 0;
  Units kept_ = 0;
  Units cost_ = 0;
  int class_size_ = 0;
  int most_repeats_ = 0;
};

}  // namespace thicket
