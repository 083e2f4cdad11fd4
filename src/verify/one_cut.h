// One quasi-identifier of a table that was recoded by one cut: which labels are published, that a single cut can have them
// all, and under which of them an original value stands.
//
//   THICKET_ASSIGN(CutReading cut, CutReading::Of(published, slot, taxonomies, {}, &original));
//   if (cut.below()) ...                                  // one published label is more general than another
//   cut.Place(original, slot);
//   cut.label_of(symbol);                                 // kFree: no published label covers the value
//
// Labels of a cut are never more general than one another (Section 3.1.2 of Liu 2010), and any set of such labels can be
// completed to a cut. Where no label of a value's line is published, since all records there were left out, the cut is not
// known: Lines() has the labels that it may show for the value, which are those below anything that is above a published
// label.
//
// Under masks and dates a value may read like a group, as 1993 among days does; the group is then called "1993 (any)". Which
// is which is known from the original. Without it such a text counts as a value, so what is found is certain, and something
// may be missed.
//
// A missing value is a label of its own, which only "*" is above. O((labels + values) * depth).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"
#include "verify/label_cover.h"

namespace thicket {

class CutReading {
 public:
  static constexpr uint32_t kFree = ~uint32_t{0};

  CutReading(CutReading&&) = default;
  CutReading& operator=(CutReading&&) = default;
  // Texts are looked at where they are.
  CutReading(const CutReading&) = delete;
  CutReading& operator=(const CutReading&) = delete;

  // `known`: labels that the cut has beside those that are published, if somebody knows. The data sets must outlive the
  // reading.
  static Result<CutReading> Of(const Dataset& published, size_t slot,
                               const TaxonomyFiles& taxonomies,
                               const std::vector<std::string>& known, const Dataset* original);

  // The symbol of a published label that another published label is above, if there is one.
  std::optional<Symbol> below() const { return below_; }

  // The number of a published label.
  uint32_t label(Symbol published) const { return label_of_published_[published]; }

  // Finds the labels of the original's values that its records have.
  void Place(const Dataset& original, size_t slot);
  uint32_t label_of(Symbol original) const { return label_of_original_[original]; }
  // What a free value may be published as, the value itself first: numbers that are equal for equal labels of the
  // attribute.
  const std::vector<uint32_t>& Line(Symbol original) const { return lines_.at(original); }
  uint32_t line_label_count() const { return static_cast<uint32_t>(line_labels_.size()); }

 private:
  CutReading(const Dataset& published, size_t slot, LabelReader reader)
      : published_(&published), slot_(slot), reader_(std::move(reader)) {}

  std::vector<std::string> AncestorsOf(std::string_view label) const;
  // Whether the root of the file has a name of its own, and "*" is above it; and whether a label hides everything.
  bool HasNamedRoot() const;
  bool IsTop(std::string_view text) const;
  uint32_t Number(std::string_view text);
  void ReadNames(const Dataset* original);
  void ReadLabels(const std::vector<std::string>& known);
  // Whether a published text of this kind may be a value, for all that is known.
  bool MayBeValue(const std::string& text) const;
  uint32_t FindLabel(std::string_view value, const std::vector<std::string>& ancestors) const;
  void AddLine(Symbol symbol, std::string_view value, const std::vector<std::string>& ancestors);

  const Dataset* published_;
  size_t slot_;
  LabelReader reader_;
  // Numbers of labels by text; the missing one and roots have numbers of their own.
  std::unordered_map<std::string_view, uint32_t> numbers_;
  std::unordered_map<Node, uint32_t> by_node_;
  std::unordered_set<std::string_view> texts_;
  std::vector<std::string> known_;
  // Names of groups whose texts are values of the original, with what they were called; only if there is an original.
  std::unordered_set<std::string> names_;
  std::unordered_set<std::string_view> taken_;
  bool has_original_ = false;
  uint32_t missing_ = kFree;
  uint32_t root_ = kFree;
  uint32_t count_ = 0;
  // Texts above some label.
  std::unordered_set<std::string> above_;
  std::optional<Symbol> below_;
  std::vector<uint32_t> label_of_published_;
  std::vector<uint32_t> label_of_original_;
  std::unordered_map<Symbol, std::vector<uint32_t>> lines_;
  std::unordered_map<std::string, uint32_t> line_labels_;
};

}  // namespace thicket
