// What the texts of published data mean, in the terms of the original data: every quasi-identifier's text as a label of
// its domain.
//
// Measuring needs no trace of how the data was anonymized: it reads the published file like anybody else and looks each
// label up in the domains of the original encoding. A leaf's text is a leaf, "CS3**" or "[1990, 1995)" a node of the
// taxonomy, "[2, 17.5]" an interval of a numeric attribute, a missing value the leaf for missing values.
//
//   THICKET_ASSIGN(PublishedLabels labels, PublishedLabels::Read(original, published));
//   Label label = labels.of(course, code, published.forest.value(v, code));
//
// O(vertices + distinct texts).
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"

namespace thicket {

class PublishedLabels {
 public:
  // Of a symbol that does not occur and has no meaning.
  static constexpr Label kNone = {~uint32_t{0}, ~uint32_t{0}};

  // Both data sets must have the same schema. Fails with kData, saying where, if a text is no label of its domain.
  static Result<PublishedLabels> Read(const EncodedDataset& original, const Dataset& published);

  // The label of a symbol that occurs in the published data.
  Label of(ClassId id, size_t quasi, Symbol symbol) const { return labels_[id][quasi][symbol]; }
  // By symbol.
  const std::vector<Label>& of(ClassId id, size_t quasi) const { return labels_[id][quasi]; }

 private:
  std::vector<std::vector<std::vector<Label>>> labels_;
};

}  // namespace thicket
