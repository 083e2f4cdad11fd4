// Of whom facts are true: shapes with their weights, or record by record with the sensitive values of each.
//
//   const FactRows rows = FactRows::OfShapes(shapes);
//   const FactRows rows = FactRows::OfRecords(data, shapes);     // for diversity
//   const std::optional<FrequentSecret> found = rows.TooFrequent(l);
//
// A record has every value that stands anywhere in it, each once; a missing value is none. No cut changes that: labels
// are generalized, moved and left out, sensitive values stay in the record. So rows are made once, whatever cuts are
// looked at. Section III-F of Gkountouna et al. 2013.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cutting/kmn/shape_set.h"
#include "cutting/kmn/shapes.h"
#include "record/dataset.h"

namespace thicket {

// A value that too many records have: of which attribute, and how many records.
struct FrequentSecret {
  ClassId class_id = 0;
  size_t attribute = 0;
  uint64_t records = 0;
};

class FactRows {
 public:
  static FactRows OfShapes(const Shapes& shapes);
  // Every record is a row. `shapes` must be the shapes of the data.
  static FactRows OfRecords(const EncodedDataset& data, const Shapes& shapes);

  size_t size() const { return weight_.size(); }
  uint32_t weight(size_t row) const { return weight_[row]; }
  bool one_each() const { return one_each_; }
  // The rows of a shape: [first(shape), first(shape + 1)).
  uint32_t first(size_t shape) const { return first_[shape]; }

  // By secret: who has it. A secret is a bucket of a sensitive attribute; secrets are numbered over all classes.
  const std::vector<ShapeSet>& secrets() const { return secrets_; }
  std::span<const uint32_t> secrets_of(size_t row) const {
    return {held_.data() + first_held_[row], first_held_[row + 1] - first_held_[row]};
  }
  size_t held_count() const { return held_.size(); }
  // The most frequent secret of the first attribute of which one is held by more than 1/l of all records.
  std::optional<FrequentSecret> TooFrequent(uint32_t l) const;

 private:
  struct Attribute {
    ClassId class_id;
    size_t attribute;
  };

  bool one_each_ = true;
  std::vector<uint32_t> weight_;
  std::vector<uint32_t> first_ = {0};
  std::vector<ShapeSet> secrets_;
  // By secret: its attribute.
  std::vector<Attribute> attribute_of_;
  // By row: where its secrets begin in `held_`.
  std::vector<size_t> first_held_ = {0};
  std::vector<uint32_t> held_;
};

}  // namespace thicket
