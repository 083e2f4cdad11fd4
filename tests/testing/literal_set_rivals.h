// What the rivals of OG promise, Liu 2010, Sections 2.2 and 4 (introduction), word for word: for tests.
//
//   CombinationThreats(published, sets.sensitive, privacy).empty();    // k^m-anonymity (AA), coherence (MM)
//   SmallestClass(published) >= k;                                     // transaction k-anonymity (LG)
//   IsLocalGeneralization(sets, published);                            // and nothing invented, nothing dropped
//   LeastSuppression(sets, privacy);                                   // no MM is below this
//
// The thesis defines none of the three algorithms, only what comes out: AA is one cut for all (so its answer is compared with
// LiteralSets::Best), MM removes leaves from all records, LG generalizes record by record.
//
// Where the thesis leaves a choice:
//   - Combinations are of published items only: the adversary of [95] and [108] knows no group above them. KL(m, 0) of the
//     same records promises more for l > 1, where the group of two harmless items may be none.
//   - A record published empty is like the other empty ones (LG); no combination tells anything of it (AA, MM).
//   - A published record of LG has no node above another of its nodes, so that each occurrence has one loss. Beer in one
//     record and Liquor in another may be ("both co-occur in the data").
//   - A suppressed occurrence costs 1, as the root does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "testing/literal_sets.h"

namespace thicket::testing {

// All combinations of 1 to `most` of some items.
inline std::set<LiteralNodes> CombinationsOf(const LiteralNodes& items, int most) {
  std::set<LiteralNodes> combinations = {{}};
  for (const int item : items) {
    std::set<LiteralNodes> longer;
    for (LiteralNodes combination : combinations) {
      combination.insert(item);
      if (static_cast<int>(combination.size()) <= most) longer.insert(combination);
    }
    combinations.merge(longer);
  }
  combinations.erase(LiteralNodes{});
  return combinations;
}

// k, m and 1/l of the promise count, n does not.
inline std::set<LiteralNodes> CombinationThreats(const std::vector<LiteralNodes>& published,
                                                 const std::vector<std::set<int>>& sensitive,
                                                 const LiteralPrivacy& privacy) {
  std::set<LiteralNodes> combinations;
  for (const LiteralNodes& record : published) {
    combinations.merge(CombinationsOf(record, privacy.m));
  }
  std::set<LiteralNodes> threats;
  for (const LiteralNodes& combination : combinations) {
    int64_t support = 0;
    std::map<int, int64_t> with;
    for (size_t record = 0; record < published.size(); ++record) {
      if (!std::includes(published[record].begin(), published[record].end(), combination.begin(),
                         combination.end())) {
        continue;
      }
      ++support;
      for (const int item : sensitive[record]) ++with[item];
    }
    if (support < privacy.k) threats.insert(combination);
    for (const auto& [item, count] : with) {
      if (LiteralFraction(count, support) > privacy.most_share) threats.insert(combination);
    }
  }
  return threats;
}

// Records that are published alike.
inline std::map<LiteralNodes, std::vector<size_t>> ClassesOfSets(
    const std::vector<LiteralNodes>& published) {
  std::map<LiteralNodes, std::vector<size_t>> classes;
  for (size_t record = 0; record < published.size(); ++record) {
    classes[published[record]].push_back(record);
  }
  return classes;
}
// Transaction k-anonymity is k or more; 0 of no records, which are anonymous.
inline size_t SmallestClass(const std::vector<LiteralNodes>& published) {
  size_t smallest = published.size();
  for (const auto& [items, records] : ClassesOfSets(published)) {
    smallest = std::min(smallest, records.size());
  }
  return smallest;
}
// Privacy degree p is 1/p or less.
inline LiteralFraction LargestShare(const std::vector<LiteralNodes>& published,
                                    const std::vector<std::set<int>>& sensitive) {
  LiteralFraction largest = 0;
  for (const auto& [items, records] : ClassesOfSets(published)) {
    std::map<int, int64_t> with;
    for (const size_t record : records) {
      for (const int item : sensitive[record]) ++with[item];
    }
    for (const auto& [item, count] : with) {
      largest = std::max(largest, {count, static_cast<int64_t>(records.size())});
    }
  }
  return largest;
}

// Each item has one node at or above it, and each node an item at or below it.
inline bool IsLocalGeneralization(const LiteralSetData& sets,
                                  const std::vector<LiteralNodes>& published) {
  if (published.size() != sets.size()) return false;
  for (size_t record = 0; record < sets.size(); ++record) {
    LiteralNodes used;
    for (const int leaf : sets.items[record]) {
      const LiteralNodes groups = AtOrAbove(sets.taxonomy, published[record], leaf);
      if (groups.size() != 1) return false;
      used.insert(groups.begin(), groups.end());
    }
    if (used != published[record]) return false;
  }
  return true;
}

// Total suppression: some leaves are left out of all records.
inline std::vector<LiteralNodes> SuppressLeaves(const LiteralSetData& sets,
                                                const LiteralNodes& suppressed) {
  std::vector<LiteralNodes> published;
  for (const LiteralNodes& record : sets.items) {
    published.emplace_back();
    for (const int leaf : record) {
      if (!suppressed.contains(leaf)) published.back().insert(leaf);
    }
  }
  return published;
}
// The least loss of a total suppression that keeps coherence. 2^leaves.
inline LiteralFraction LeastSuppression(const LiteralSetData& sets, const LiteralPrivacy& privacy) {
  const LiteralNodes leaves = LeavesBelow(sets.taxonomy, 0);
  std::set<LiteralNodes> choices = CombinationsOf(leaves, static_cast<int>(leaves.size()));
  choices.insert(LiteralNodes{});
  LiteralFraction least = 1;
  for (const LiteralNodes& suppressed : choices) {
    const std::vector<LiteralNodes> published = SuppressLeaves(sets, suppressed);
    const LiteralFraction loss = MeanLoss(sets, published);
    if (loss < least && CombinationThreats(published, sets.sensitive, privacy).empty()) {
      least = loss;
    }
  }
  return least;
}

}  // namespace thicket::testing
