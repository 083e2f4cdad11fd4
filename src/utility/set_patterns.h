// #Patterns and Error: what of the frequent patterns of sets is left, and how far their supports are off (Liu 2010, Section
// 4.5.1.2).
//
// A pattern is a set of nodes of the taxonomy, at any levels and none above another, and of sensitive items. A record supports a
// node if it has a label at or below the node, so Liquor in a published record supports Nutrient, and no Beer. Frequent is what at
// least a share of the records support, in the original and in the published data each by itself.
//
//   const PatternReport report = MeasurePatterns(taxonomy, original, published, {.support = 0.01}, parallel);
//   report.published;                  // #Patterns
//   report.error();                    // 0 for one cut for everybody, above 0 for local recoding
//
// Both data sets are mined at once, so no pattern is kept: a pattern is followed while it is frequent in either of them. Equal
// records are one with a weight, and so are equal rests of records below every pattern (conditional databases of pattern growth). Time is
// about linear in the patterns times the records that support them: WebView-1 takes well under a second. There may be exponentially many
// patterns where a share of the records as large as the support has very many items: then a larger support is what helps.
#pragma once

#include <cstdint>
#include <optional>

#include "base/parallel.h"
#include "record/label_sets.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

struct PatternOptions {
  // The least share of the records that makes a pattern frequent, above 0 and up to 1. At least one record.
  double support = 0.01;
  // Whether patterns are counted that are frequent in the original alone, of which there may be very many. Without it only
  // PatternReport::original is less: what is common.
  bool count_original = true;
};

struct PatternReport {
  // How many patterns are frequent: in the original, in the published data (|AFP|), in both.
  uint64_t original = 0;
  uint64_t published = 0;
  uint64_t common = 0;
  // Over the common ones: the sum of the differences of their supports, and the sum of their supports in the original.
  uint64_t off = 0;
  uint64_t support = 0;

  // Nothing where no pattern is common.
  std::optional<double> error() const {
    if (support == 0) return std::nullopt;
    return static_cast<double>(off) / static_cast<double>(support);
  }
};

// Labels are nodes of the taxonomy; sensitive items have the same numbers in both.
PatternReport MeasurePatterns(const Taxonomy& taxonomy, const LabelSets& original,
                              const LabelSets& published, const PatternOptions& options,
                              Parallel& parallel);

}  // namespace thicket
