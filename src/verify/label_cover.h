// What a published label says: which labels there can be, and which original values each of them covers.
//
// The verifier reads published texts by itself, without the domains that the anonymization worked with: a label is an
// original value, an ancestor of it in the taxonomy file, an interval, a masked text, a period, or "*".
//
//   LabelReader reader(recoding, nullptr);           // ranges: [5, 10]
//   reader.IsLegal("[1990, 1995)");                  // true
//   reader.Covers("[1990, 1995)", "1993");           // true
//
// CoverTable answers the same question for symbols of two dictionaries, with every text read once: O(depth) a question.
//
// Definitions 3.4 and 3.5 of Ozalp et al. 2016.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"
#include "record/dictionary.h"
#include "taxonomy/recoding.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

class LabelReader {
 public:
  // `taxonomy` is what recoding.file names, null for the other kinds; both must outlive the reader.
  LabelReader(const Recoding& recoding, const Taxonomy* taxonomy)
      : recoding_(&recoding), taxonomy_(taxonomy) {}
  // With items of sets that stand in no group and are published as they are.
  LabelReader(const Recoding& recoding, const Taxonomy* taxonomy,
              const std::vector<std::string>& sensitive_items);

  // The reader of an attribute; kUsage if its taxonomy is not among the files.
  static Result<LabelReader> Of(const QuasiAttribute& attribute, const TaxonomyFiles& taxonomies);

  const Recoding& recoding() const { return *recoding_; }
  const Taxonomy* taxonomy() const { return taxonomy_; }

  // Whether the text is a sensitive item: no other label covers it, and it covers nothing else.
  bool IsSecret(std::string_view text) const;
  // Whether the recoding can publish this text at all.
  bool IsLegal(std::string_view label) const;
  // Whether the label hides everything, a missing value as well.
  bool IsRoot(std::string_view label) const;
  // Whether the label is the value or more general. A missing value has no text: it is covered by missing and by roots.
  bool Covers(std::string_view label, std::string_view value) const;

 private:
  bool IsLegalAlone(std::string_view label) const;

  const Recoding* recoding_;
  const Taxonomy* taxonomy_;
  // Whether a label may be several terms, each of which must be legal then.
  bool may_be_several_ = false;
  // What sensitive items mean (base/fold.h).
  std::unordered_set<std::string> secrets_;
};

class CoverTable {
 public:
  CoverTable(const LabelReader& reader, const Dictionary& labels, const Dictionary& values);

  bool Covers(Symbol label, Symbol value) const {
    const Entry& general = labels_[label];
    if (general.is_secret || values_[value].is_secret) {
      return general.is_secret && general.text == values_[value].text;
    }
    if (general.is_root) return true;
    if (label == kMissing || value == kMissing) return label == value;
    const Entry& special = values_[value];
    if (general.text == special.text) return true;
    if (general.low <= special.low && special.low <= general.high) return true;
    if (taxonomy_ != nullptr) {
      return general.node != kNone && special.node != kNone &&
             taxonomy_->Covers(general.node, special.node);
    }
    for (uint32_t i = special.first_cover; i < special.last_cover; ++i) {
      if (covers_[i] == general.text) return true;
    }
    return false;
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  struct Entry {
    // Equal for equal texts, on both sides.
    uint32_t text = kNone;
    bool is_root = false;
    bool is_secret = false;
    // kTaxonomy.
    Node node = kNone;
    // A number, or under kNumeric the ends of an interval, as ranks among all numbers of both sides, so that they compare
    // exactly; an empty interval for anything else, which no number lies in.
    uint32_t low = kNone;
    uint32_t high = 0;
    // Values under ranges, mask and date: the published ancestors' texts, in `covers_`.
    uint32_t first_cover = 0;
    uint32_t last_cover = 0;
  };

  // The numbers of both sides.
  void RankNumbers(const LabelReader& reader, const Dictionary& labels, const Dictionary& values);

  const Taxonomy* taxonomy_;
  std::vector<Entry> labels_;
  std::vector<Entry> values_;
  std::vector<uint32_t> covers_;
};

}  // namespace thicket
