// Generalized frequent patterns of sets, #Patterns and Error, Liu 2010, Section 4.5.1.2, word for word: for tests.
//
//   const LiteralPatterns original = FrequentPatterns(taxonomy, sets.items, sets.sensitive, {1, 100});
//   const LiteralPatterns anonymized = FrequentPatterns(taxonomy, published, sets.sensitive, {1, 100});
//   anonymized.size();                         // #Patterns
//   PatternError(original, anonymized);        // none, where no pattern is in both
//
// Where the thesis leaves a choice:
//   - A pattern has nodes of any level, the root among them, none above another ([91]), and sensitive items, which are
//     published, too, and have no taxonomy. The empty pattern is none.
//   - A record supports a node if it has, as published, a node at or below it: Liquor is no Beer.
//   - Frequent is at least the threshold's share of all records, and at least one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <tuple>
#include <vector>

#include "testing/literal_sets.h"

namespace thicket::testing {

struct LiteralPattern {
  LiteralNodes nodes;
  std::set<int> sensitive;

  friend bool operator<(const LiteralPattern& a, const LiteralPattern& b) {
    return std::tie(a.nodes, a.sensitive) < std::tie(b.nodes, b.sensitive);
  }
  friend bool operator==(const LiteralPattern& a, const LiteralPattern& b) = default;
  // What GoogleTest prints.
  friend std::ostream& operator<<(std::ostream& out, const LiteralPattern& pattern) {
    for (const int node : pattern.nodes) out << node << " ";
    for (const int item : pattern.sensitive) out << "s" << item << " ";
    return out;
  }
};

// With how many records support each.
using LiteralPatterns = std::map<LiteralPattern, int64_t>;

// Grows a pattern by nodes and then by sensitive items, each in its own order; no superset of a rare one is frequent.
class LiteralPatternMiner {
 public:
  LiteralPatternMiner(const LiteralTaxonomy& taxonomy, const std::vector<LiteralNodes>& published,
                      const std::vector<std::set<int>>& sensitive, const LiteralFraction& share)
      : taxonomy_(taxonomy), published_(published), sensitive_(sensitive) {
    least_ = std::max<int64_t>(1, (share * static_cast<int64_t>(published.size())).Ceiling());
    std::vector<size_t> all(published.size());
    for (size_t record = 0; record < all.size(); ++record) all[record] = record;
    AddNodes({}, 0, all);
  }
  const LiteralPatterns& found() const { return found_; }

 private:
  void AddNodes(const LiteralPattern& pattern, int first, const std::vector<size_t>& records) {
    for (int node = first; node < static_cast<int>(taxonomy_.parents.size()); ++node) {
      // Parents have smaller numbers.
      if (!AtOrAbove(taxonomy_, pattern.nodes, node).empty()) continue;
      std::vector<size_t> left;
      for (const size_t record : records) {
        if (HasNode(taxonomy_, published_[record], node)) left.push_back(record);
      }
      LiteralPattern longer = pattern;
      longer.nodes.insert(node);
      if (Keep(longer, left)) AddNodes(longer, node + 1, left);
    }
    AddSensitive(pattern, records);
  }
  void AddSensitive(const LiteralPattern& pattern, const std::vector<size_t>& records) {
    std::map<int, std::vector<size_t>> having;
    for (const size_t record : records) {
      for (const int item : sensitive_[record]) having[item].push_back(record);
    }
    for (const auto& [item, left] : having) {
      if (!pattern.sensitive.empty() && item <= *pattern.sensitive.rbegin()) continue;
      LiteralPattern longer = pattern;
      longer.sensitive.insert(item);
      if (Keep(longer, left)) AddSensitive(longer, left);
    }
  }
  bool Keep(const LiteralPattern& pattern, const std::vector<size_t>& records) {
    const auto support = static_cast<int64_t>(records.size());
    if (support >= least_) found_[pattern] = support;
    return support >= least_;
  }

  const LiteralTaxonomy& taxonomy_;
  const std::vector<LiteralNodes>& published_;
  const std::vector<std::set<int>>& sensitive_;
  int64_t least_ = 1;
  LiteralPatterns found_;
};

inline LiteralPatterns FrequentPatterns(const LiteralTaxonomy& taxonomy,
                                        const std::vector<LiteralNodes>& published,
                                        const std::vector<std::set<int>>& sensitive,
                                        const LiteralFraction& share) {
  return LiteralPatternMiner(taxonomy, published, sensitive, share).found();
}

inline std::optional<LiteralFraction> PatternError(const LiteralPatterns& original,
                                                   const LiteralPatterns& anonymized) {
  int64_t off = 0;
  int64_t sum = 0;
  for (const auto& [pattern, support] : original) {
    const auto found = anonymized.find(pattern);
    if (found == anonymized.end()) continue;
    off += support > found->second ? support - found->second : found->second - support;
    sum += support;
  }
  if (sum == 0) return std::nullopt;
  return LiteralFraction(off, sum);
}

}  // namespace thicket::testing
