// Random small tables with random taxonomies, for tests/testing/literal_tables.h.
//
//   Random random = Random::Seeded(seed);
//   const LiteralTable table = RandomLiteralTable(random, {.most_records = 12});
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "testing/literal_tables.h"

namespace thicket::testing {

struct RandomTableLimits {
  size_t most_records = 12;
  size_t most_cuts = 150;
  // 1 to so many.
  size_t most_sensitive = 1;
};

// Of any shape, with only children and a single leaf among them.
inline LiteralTaxonomy RandomLiteralTaxonomy(Random& random) {
  LiteralTaxonomy taxonomy;
  const size_t nodes = 1 + random.Below(11);
  // A small window makes deep trees, a large one bushes.
  const size_t window = 1 + random.Below(6);
  while (taxonomy.parents.size() < nodes) {
    const size_t size = taxonomy.parents.size();
    const size_t back = 1 + random.Below(window < size ? window : size);
    taxonomy.parents.push_back(static_cast<int>(size - back));
  }
  return taxonomy;
}

// One to three attributes. Some leaves never occur, many records are alike, sensitive values are few and uneven.
inline LiteralTable RandomLiteralTable(Random& random, const RandomTableLimits& limits = {}) {
  LiteralTable table;
  const size_t attributes = 1 + random.Below(3);
  while (table.taxonomies.size() < attributes) {
    table.taxonomies.push_back(RandomLiteralTaxonomy(random));
    if (LiteralTableCuts(table.taxonomies).size() <= limits.most_cuts) continue;
    table.taxonomies.pop_back();
    if (!table.taxonomies.empty()) break;
  }
  const size_t sensitive = 1 + random.Below(limits.most_sensitive);
  const uint64_t values = 1 + random.Below(4);
  const bool is_last_frequent = random.Below(2) == 0;
  const size_t records = 1 + random.Below(limits.most_records);
  while (table.size() < records) {
    table.quasi.emplace_back();
    for (const LiteralTaxonomy& taxonomy : table.taxonomies) {
      std::vector<int> leaves;
      for (int node = 0; node < static_cast<int>(taxonomy.parents.size()); ++node) {
        if (taxonomy.IsLeaf(node)) leaves.push_back(node);
      }
      table.quasi.back().push_back(leaves[random.Below(1 + random.Below(leaves.size()))]);
    }
    table.sensitive.emplace_back();
    for (size_t i = 0; i < sensitive; ++i) {
      const uint64_t value = random.Below(1 + random.Below(values));
      table.sensitive.back().push_back(
          static_cast<int>(is_last_frequent ? values - 1 - value : value));
    }
    table.labels.push_back(static_cast<int>(random.Below(3)));
  }
  return table;
}

// k, l, both, one threshold, or one per value, of few and of many records.
inline LiteralPromise RandomLiteralPromise(Random& random, const LiteralTable& table) {
  const auto theta = [&] {
    const auto below = static_cast<int64_t>(1 + random.Below(6));
    return LiteralFraction(1 + static_cast<int64_t>(random.Below(static_cast<uint64_t>(below))),
                           below);
  };
  const auto some = [&](uint64_t most) { return static_cast<int64_t>(1 + random.Below(most)); };
  switch (random.Below(6)) {
    case 0:
      return {.k = some(4)};
    case 1:
      return LiteralPromise::Diversity(some(4));
    case 2:
      return LiteralPromise::Diversity(some(3), some(5));
    case 3:
      return LiteralPromise::Derived(table, theta());
    case 4:
      return {.theta = theta()};
    default: {
      LiteralPromise promise{.theta = theta()};
      for (size_t i = 0; i < table.sensitive_attributes(); ++i) {
        promise.own.push_back({{0, theta()}, {1, theta()}});
      }
      return promise;
    }
  }
}

}  // namespace thicket::testing
