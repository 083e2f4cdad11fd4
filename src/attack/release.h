// A data set as an adversary sees it: trees of labels, in terms of the original's domains, with sensitive values.
//
// The original and the published data become the same thing here, one with leaves for labels. Records with equal trees
// of labels are one shape: nothing that an adversary knows tells them apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/injection.h"
#include "base/result.h"
#include "record/canonical_form.h"
#include "record/dataset.h"
#include "record/published_labels.h"

namespace thicket {

class Release {
 public:
  static Release FromOriginal(const EncodedDataset& original);
  // kData where a published label is none of the original's domain. `merged`: a missing value is no label, and covers
  // nothing; otherwise it is one.
  static Result<Release> FromPublished(const EncodedDataset& original, const Dataset& published,
                                       bool merged = false);

  const Forest& forest() const { return *forest_; }
  // Whether this is the original itself, in which no raw value covers two different values.
  bool is_original() const { return is_original_; }
  // The raw values of quasi-identifiers: those of the original's domains, or the symbols of what was published.
  VertexValues raw() const { return raw_; }
  // Records by shape.
  const RecordGroups& shapes() const { return shapes_; }
  // A record of the shape.
  RecordId Example(size_t shape) const { return shapes_.member(shape, 0); }
  // The vertices of a shape's records in canonical order: those at one position look alike.
  size_t shape_size(size_t shape) const { return forest_->record_size(Example(shape)); }
  Vertex Aligned(size_t shape, size_t member, size_t position) const {
    return aligned_[first_aligned_[shape] + member * shape_size(shape) + position];
  }

  // What a raw value says, and whether that covers a value of the original.
  Label LabelOf(ClassId id, size_t slot, uint32_t raw) const { return labels_[id][slot][raw]; }
  size_t raw_count(ClassId id, size_t slot) const { return labels_[id][slot].size(); }
  bool Covers(ClassId id, size_t slot, uint32_t raw, Value value) const {
    return CoversLabel(id, slot, labels_[id][slot][raw], value);
  }
  // Whether a raw value is a label at all, not a missing value; and whether it is a value of the original itself.
  bool IsLabel(ClassId id, size_t slot, uint32_t raw) const {
    if (!is_original_) return raw != kMissing;
    return !original_->classes[id].domains[slot].IsMissing(raw);
  }
  bool IsExactly(ClassId id, size_t slot, uint32_t raw, Value value) const {
    return labels_[id][slot][raw] == original_->classes[id].domains[slot].Leaf(value);
  }
  // Whether all labels of the vertex cover the values of a vertex of the original, and both are of one class.
  bool CoversVertex(Vertex vertex, Vertex original) const;
  // Whether the subtree can be the original one, generalized and pruned. Siblings are placed one by one, or from `wide_from` pairs of
  // them on by groups of equals (wide_siblings.cc), with the same answer.
  bool Embeds(Vertex vertex, Vertex original) { return EmbedsAt(vertex, original, 0); }
  static constexpr size_t kWideFrom = size_t{1} << 16;
  void PlaceByGroupsFrom(size_t pairs) { wide_from_ = pairs; }
  size_t wide_from() const { return wide_from_; }
  // Numbers that are equal for vertices of the original with equal trees of labels; found when they are first asked for.
  const CanonicalForm& OriginalForm();

  // What must be diverse of a sensitive attribute, in the original's numbering; values that the original does not have
  // come after it.
  uint32_t Bucket(Vertex vertex, size_t attribute) const {
    const ClassId id = forest_->class_of(vertex);
    const size_t slot = schema_->classes[id].sensitive_slot(attribute);
    return buckets_[id][attribute][forest_->value(vertex, slot)];
  }
  // Whether the bucket is that of values that were suppressed: somebody has something, and nobody knows what.
  bool IsSuppressed(ClassId id, size_t attribute, uint32_t bucket) const {
    return !suppressed_.empty() && suppressed_[id][attribute] == bucket;
  }
  // Buckets of an attribute are below this.
  uint32_t bucket_count(ClassId id, size_t attribute) const {
    return bucket_counts_[id][attribute];
  }

 private:
  struct Level {
    std::vector<Vertex> vertices;
    std::vector<Vertex> originals;
    InjectionSpace space;
  };

  Release(const EncodedDataset& original, const Forest& forest, VertexValues raw)
      : schema_(&original.schema()), original_(&original), forest_(&forest), raw_(raw) {}

  bool CoversLabel(ClassId id, size_t slot, Label label, Value value) const {
    // A missing value says nothing in merged data.
    if (label == PublishedLabels::kNone) return false;
    const Domain& domain = original_->classes[id].domains[slot];
    if (domain.is_numeric()) return domain.Covers(label, domain.Leaf(value));
    const Taxonomy& taxonomy = domain.taxonomy();
    return taxonomy.Covers(label.low, taxonomy.first_leaf() + value);
  }
  bool EmbedsAt(Vertex vertex, Vertex original, size_t depth);
  // Of the siblings of one class.
  bool WideSiblingsEmbed(ClassId id, const Level& level, size_t depth);
  void FindShapes();

  const Schema* schema_;
  const EncodedDataset* original_;
  const Forest* forest_;
  VertexValues raw_;
  bool is_original_ = false;
  RecordGroups shapes_;
  std::vector<Vertex> aligned_;
  std::vector<size_t> first_aligned_;
  // By class, quasi-identifier and raw value.
  std::vector<std::vector<std::vector<Label>>> labels_;
  // By class, sensitive attribute and symbol.
  std::vector<std::vector<std::vector<uint32_t>>> buckets_;
  std::vector<std::vector<uint32_t>> bucket_counts_;
  // Published data, by class and sensitive attribute: the bucket of suppressed values, kNoBucket if there is none.
  static constexpr uint32_t kNoBucket = ~uint32_t{0};
  std::vector<std::vector<uint32_t>> suppressed_;
  std::vector<Level> levels_;
  size_t wide_from_ = kWideFrom;
  // Once there are wide siblings.
  std::optional<CanonicalForm> form_;
  std::optional<CanonicalForm> original_form_;
};

}  // namespace thicket
