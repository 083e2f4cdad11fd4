#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "attack/attack.h"
#include "attack/fit_index.h"
#include "attack/group_injection.h"
#include "base/injection.h"
#include "base/random.h"
#include "testing/forest_text.h"

namespace thicket::wide_siblings_test {
namespace {

using testing::ParseForest;
using testing::ParseSchema;
using Lists = std::vector<std::vector<uint32_t>>;

bool Exists(const std::vector<uint32_t>& demand, const std::vector<uint32_t>& supply,
            const Lists& lists) {
  std::vector<uint32_t> order(demand.size());
  std::iota(order.begin(), order.end(), 0U);
  GroupInjection groups(demand, supply);
  return groups.Exists(order, [&](uint32_t left, const auto& use) {
    std::all_of(lists[left].begin(), lists[left].end(), use);
  });
}

TEST(GroupInjectionTest, MovesGroupsAsideInParts) {
  EXPECT_TRUE(Exists({1, 1}, {1, 1}, {{0, 1}, {0}}));
  EXPECT_TRUE(Exists({3, 2}, {2, 3}, {{0, 1}, {0}}));
  EXPECT_TRUE(Exists({5, 2, 2}, {4, 5}, {{0, 1}, {0}, {0}}));
  EXPECT_TRUE(Exists({}, {1}, {}));
}

TEST(GroupInjectionTest, SaysNoWhereSomebodyGoesWithout) {
  EXPECT_FALSE(Exists({5, 2, 3}, {4, 5}, {{0, 1}, {0}, {0}}));
  EXPECT_FALSE(Exists({1}, {1}, {{}}));
  EXPECT_FALSE(Exists({1, 1, 1}, {1, 3}, {{0}, {0}, {0, 1}}));
}

RC_GTEST_PROP(GroupInjectionPropertyTest, SaysOfGroupsWhatHoldsOfTheirMembers, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const size_t lefts = 1 + random.Below(7);
  const size_t rights = 1 + random.Below(7);
  const uint64_t density = 1 + random.Below(5);
  std::vector<uint32_t> demand;
  std::vector<uint32_t> supply;
  std::vector<uint32_t> left_of;   // by member
  std::vector<uint32_t> right_of;  // by member
  Lists lists(lefts);
  for (uint32_t left = 0; left < lefts; ++left) {
    demand.push_back(static_cast<uint32_t>(1 + random.Below(3)));
    left_of.insert(left_of.end(), demand.back(), left);
    for (uint32_t right = 0; right < rights; ++right) {
      if (random.Below(6) < density) lists[left].push_back(right);
    }
  }
  for (uint32_t right = 0; right < rights; ++right) {
    supply.push_back(static_cast<uint32_t>(1 + random.Below(4)));
    right_of.insert(right_of.end(), supply.back(), right);
  }
  InjectionSpace space;
  const bool members_fit = HasInjection(
      left_of.size(), right_of.size(),
      [&](size_t l, size_t r) {
        const std::vector<uint32_t>& list = lists[left_of[l]];
        return std::find(list.begin(), list.end(), right_of[r]) != list.end();
      },
      space);
  RC_ASSERT(Exists(demand, supply, lists) == members_fit);
}

RC_GTEST_PROP(FitIndexPropertyTest, FindsWhatFitsInEverySlot, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const size_t slots = random.Below(4);
  const size_t items = random.Below(12);
  std::vector<uint32_t> values;
  for (size_t i = 0; i < slots * items; ++i) {
    values.push_back(static_cast<uint32_t>(random.Below(6)));
  }
  // What fits is anything at all.
  const uint64_t fit_bits = random.Next();
  const auto fits = [&](size_t slot, uint32_t asked, uint32_t value) {
    return (fit_bits >> ((slot * 36 + asked * 6 + value) % 64) & 1) != 0;
  };
  FitIndex index(slots, items, values);
  for (int question = 0; question < 4; ++question) {
    std::vector<uint32_t> asked;
    for (size_t slot = 0; slot < slots; ++slot) {
      asked.push_back(static_cast<uint32_t>(random.Below(6)));
    }
    std::vector<uint32_t> expected;
    for (uint32_t item = 0; item < items; ++item) {
      bool all = true;
      for (size_t slot = 0; slot < slots; ++slot) {
        all = all && fits(slot, asked[slot], values[item * slots + slot]);
      }
      if (all) expected.push_back(item);
    }
    std::vector<uint32_t> found;
    index.ForEach(asked.data(), fits, [&](uint32_t item) {
      found.push_back(item);
      return true;
    });
    std::sort(found.begin(), found.end());
    RC_ASSERT(found == expected);
    RC_ASSERT(index.MostFitting(asked.data(), fits) >= expected.size());
    size_t taken = 0;
    index.ForEach(asked.data(), fits, [&](uint32_t) { return ++taken < 2; });
    RC_ASSERT(taken == std::min<size_t>(2, expected.size()));
  }
}

// Two quasi-identifiers of two letters, of which the last may be masked.
std::string RandomLabels(Random& random, bool published) {
  std::string text;
  for (int slot = 0; slot < 2; ++slot) {
    if (slot > 0) text += ",";
    const char first = random.Below(2) == 0 ? 'a' : 'b';
    const char second = published && random.Below(3) > 0 ? '*' : random.Below(2) == 0 ? 'x' : 'y';
    text += std::string("'") + first + second + "'";
  }
  return text;
}

std::string RandomWideTree(Random& random, bool published) {
  std::string text = "r(" + RandomLabels(random, published) + "|S){";
  for (size_t i = random.Below(9); i-- > 0;) {
    text += "c(" + RandomLabels(random, published) + "|" + std::to_string(random.Below(3)) + "){";
    for (size_t j = random.Below(3); j-- > 0;) {
      text += "d(" + RandomLabels(random, published) + "|" + std::to_string(random.Below(2)) + ")";
    }
    text += "}";
  }
  return text + "}";
}

void ExpectEqual(const AttackResult& a, const AttackResult& b) {
  RC_ASSERT(a.victims == b.victims);
  RC_ASSERT(a.found_share == b.found_share);
  RC_ASSERT(a.mean_probability == b.mean_probability);
  RC_ASSERT(a.worst_probability == b.worst_probability);
  RC_ASSERT(a.worst_certainty == b.worst_certainty);
  RC_ASSERT(a.worst_certainty_anywhere == b.worst_certainty_anywhere);
  RC_ASSERT(a.misled == b.misled);
}

// The plain comparison is held against enumerating all candidates in attack_test.cc.
RC_GTEST_PROP(WideSiblingsPropertyTest, AttackAsTheySayOneByOne, (uint64_t seed)) {
  const auto schema = ParseSchema("r(p,q|s){c(p,q|s){d(p,q|s)}}");
  for (VertexClass& vertex_class : schema->classes) {
    for (QuasiAttribute& quasi : vertex_class.quasi) {
      quasi.recoding.kind = Recoding::Kind::kMask;
      quasi.recoding.mask = 1;
    }
  }
  Random random = Random::Seeded(seed);
  // Every value that can be published occurs, and so does every first letter.
  std::string original;
  for (const char* value : {"ax", "ay", "bx", "by"}) {
    const std::string both = std::string(value) + "," + value;
    original += "r(" + both + "|S){c(" + both + "|1){d(" + both + "|1)}}";
  }
  std::string published;
  for (size_t i = 2 + random.Below(4); i-- > 0;) original += RandomWideTree(random, false);
  for (size_t i = 1 + random.Below(6); i-- > 0;) published += RandomWideTree(random, true);
  const Dataset release = ParseForest(schema, published);
  Result<EncodedDataset> encoded = Encode(ParseForest(schema, original), {});
  RC_ASSERT(encoded.ok());
  Progress progress;
  const auto attack = [&](size_t wide_from) {
    Result<AttackReport> report =
        Attack(*encoded, release, {.seed = seed, .wide_from = wide_from}, progress);
    RC_ASSERT(report.ok());
    RC_ASSERT(report->entries.size() == 1U);
    return report->entries[0];
  };
  const AttackReport::Entry one_by_one = attack(~size_t{0});
  for (const size_t wide_from : {size_t{1}, size_t{12}}) {
    const AttackReport::Entry by_groups = attack(wide_from);
    ExpectEqual(by_groups.original, one_by_one.original);
    ExpectEqual(by_groups.published, one_by_one.published);
  }
}

}  // namespace
}  // namespace thicket::wide_siblings_test
