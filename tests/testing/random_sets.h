// Random small sets with a random taxonomy and a random promise, for tests/testing/literal_sets.h.
//
//   Random random = Random::Seeded(seed);
//   const LiteralSetData sets = RandomLiteralSets(random, {.most_records = 8});
//   const LiteralSets literal(sets, RandomLiteralPrivacy(random, 3, 2));
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "testing/literal_sets.h"
#include "testing/random_tables.h"

namespace thicket::testing {

struct RandomSetLimits {
  size_t most_records = 10;
  size_t most_cuts = 40;
  int most_leaves = 8;
};

// Some leaves never occur, some records are empty or alike, sensitive items are few, uneven and often none.
inline LiteralSetData RandomLiteralSets(Random& random, const RandomSetLimits& limits = {}) {
  LiteralSetData sets;
  do {
    sets.taxonomy = RandomLiteralTaxonomy(random);
  } while (sets.taxonomy.Leaves(0) > limits.most_leaves ||
           LiteralSetCuts(sets.taxonomy).size() > limits.most_cuts);
  const LiteralNodes all = LeavesBelow(sets.taxonomy, 0);
  const std::vector<int> leaves(all.begin(), all.end());
  const size_t records = random.Below(limits.most_records + 1);
  const size_t sensitive = random.Below(4);
  const size_t longest = random.Below(2) == 0 ? leaves.size() : 3;
  while (sets.size() < records) {
    if (sets.size() > 0 && random.Below(3) == 0) {
      const size_t like = random.Below(sets.size());
      sets.items.push_back(LiteralNodes(sets.items[like]));
    } else {
      sets.items.emplace_back();
      for (size_t left = random.Below(longest + 1); left > 0; --left) {
        sets.items.back().insert(leaves[random.Below(1 + random.Below(leaves.size()))]);
      }
    }
    sets.sensitive.emplace_back();
    for (size_t item = 0; item < sensitive; ++item) {
      if (random.Below(2 + item) == 0) sets.sensitive.back().insert(static_cast<int>(item));
    }
  }
  return sets;
}

// m and n up to these, at least one of them above 0; k and l may be 1, 1/l may be any fraction.
inline LiteralPrivacy RandomLiteralPrivacy(Random& random, int most_m, int most_n) {
  const auto some = [&](int most) {
    return static_cast<int>(random.Below(static_cast<uint64_t>(most) + 1));
  };
  LiteralPrivacy privacy{.k = 1 + some(3), .m = some(most_m), .n = some(most_n)};
  if (privacy.m + privacy.n == 0) privacy.m = 1;
  if (random.Below(2) == 0) privacy.most_share = {3 + some(2), 6};
  return privacy;
}

}  // namespace thicket::testing
