// What the texts of published data mean, in the terms of the original data: every quasi-identifier's text as a label of
// its domain.
//
// Measuring and attacking need no trace of how the data was anonymized: they read the published file like anybody else and look
// each label up in the domains of the original encoding. ReadLabel() is the inverse of what writes a label (a value's own text,
// or Domain::Text): a leaf's text is a leaf, "CS3**" or "[1990, 1995)" a node of the taxonomy, "[2, 17.5]" an interval of a
// numeric attribute. verify/ reads labels with code of its own (verify/label_cover.h).
//
//   THICKET_ASSIGN(PublishedLabels labels, PublishedLabels::Read(original, published));
//   Label label = labels.of(course, code, published.forest.value(v, code));
//
// O(vertices + distinct texts).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"

namespace thicket {

// The label that is published as this text; nothing if none is. "*" is everything, whatever the root is called.
std::optional<Label> ReadLabel(const Domain& domain, std::string_view text);

class PublishedLabels {
 public:
  // Of a symbol that does not occur and has no meaning, and of a missing value where that is no label.
  static constexpr Label kNone = {~uint32_t{0}, ~uint32_t{0}};

  struct Options {
    // Whether a missing value is a label like others, which the original must have, too; otherwise it is none. Where labels may
    // be moved out of their vertices, it says nothing.
    bool missing_is_label = true;
    // What an error says about a text that is no label: "what must hold, but what is", and the next step.
    std::string_view rule =
        "a published value must be an original one or a generalization of it, but this one is "
        "neither";
    std::string_view hint = "measure it against the data and the policy that it was made from";
  };

  // Both data sets must have the same schema. Fails with kData, saying where, if a text is no label of its domain.
  static Result<PublishedLabels> Read(const EncodedDataset& original, const Dataset& published) {
    return Read(original, published, Options());
  }
  static Result<PublishedLabels> Read(const EncodedDataset& original, const Dataset& published,
                                      const Options& options);

  // The label of a symbol that occurs in the published data.
  Label of(ClassId id, size_t quasi, Symbol symbol) const { return labels_[id][quasi][symbol]; }
  // By symbol.
  const std::vector<Label>& of(ClassId id, size_t quasi) const { return labels_[id][quasi]; }

 private:
  std::vector<std::vector<std::vector<Label>>> labels_;
};

}  // namespace thicket
