// Published sets against the threats of Definition 4.4, counted one by one (tests/testing/literal_sets.h).

#include "verify/set_privacy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "base/random.h"
#include "testing/forest_text.h"
#include "testing/literal_set_rivals.h"
#include "testing/literal_sets.h"
#include "testing/random_sets.h"
#include "verify/itemset_threats.h"
#include "verify/published_sets.h"

namespace thicket::set_privacy_property_test {
namespace {

using testing::AtOrAbove;
using testing::ClassesOfSets;
using testing::GeneralizeSets;
using testing::LargestShare;
using testing::LiteralItemset;
using testing::LiteralNodes;
using testing::LiteralPrivacy;
using testing::LiteralSetCuts;
using testing::LiteralSetData;
using testing::LiteralSets;
using testing::LiteralTaxonomy;
using testing::SmallestClass;

std::string NameOf(int node) { return fmt::format("n{}", node); }

// The sets as a published file has them.
class Published {
 public:
  Published(const LiteralSetData& sets, const std::vector<LiteralNodes>& records) {
    TaxonomyBuilder builder(NameOf(0));
    const LiteralTaxonomy& taxonomy = sets.taxonomy;
    for (size_t node = 1; node < taxonomy.parents.size(); ++node) {
      builder.Add(static_cast<uint32_t>(taxonomy.parents[node]), NameOf(static_cast<int>(node)));
    }
    taxonomies_.emplace("t.csv", std::move(builder).Build());
    const std::shared_ptr<Schema> schema = testing::ParseSchema("basket{item(name)}");
    schema->classes[1].quasi[0].recoding.file = "t.csv";
    schema->classes[1].quasi[0].sensitive_items = {"s0", "s1", "s2", "s3"};
    std::string text;
    for (size_t record = 0; record < records.size(); ++record) {
      text += "basket{";
      for (const int node : records[record]) text += fmt::format("item({})", NameOf(node));
      for (const int item : sets.sensitive[record]) text += fmt::format("item(s{})", item);
      text += "} ";
    }
    data_ = testing::ParseForest(schema, text);
  }

  Verdict Verify(const PrivacyPolicy& privacy) const {
    auto verdict = VerifySets(*data_.schema, privacy, taxonomies_, data_, 1);
    if (!verdict.ok()) throw std::logic_error(verdict.error().message);
    return std::move(*verdict);
  }
  PublishedSets Read() const {
    Violations violations;
    auto sets = PublishedSets::Read(data_, taxonomies_, violations);
    if (!sets.ok()) throw std::logic_error(sets.error().message);
    return std::move(*sets);
  }

 private:
  TaxonomyFiles taxonomies_;
  Dataset data_;
};

PrivacyPolicy PolicyOf(const LiteralPrivacy& privacy, int l) {
  PrivacyPolicy policy;
  policy.of_sets = true;
  policy.k = static_cast<int>(privacy.k);
  policy.l = l;
  policy.m = privacy.m;
  policy.n = privacy.n;
  return policy;
}

// Published data does not tell how the cut goes through groups of which nothing is published: they are taken whole.
LiteralNodes AsSeen(const LiteralTaxonomy& taxonomy, const std::vector<LiteralNodes>& published,
                    int node = 0) {
  LiteralNodes seen;
  bool occurs = false;
  for (const LiteralNodes& record : published) {
    if (record.contains(node)) return {node};
    occurs = occurs || testing::HasNode(taxonomy, record, node);
  }
  if (!occurs) return {node};
  for (const int child : taxonomy.Children(node)) seen.merge(AsSeen(taxonomy, published, child));
  return seen;
}

LiteralItemset ItemsetOf(const PublishedSets& sets, const ItemsetThreat& threat) {
  LiteralItemset itemset;
  const auto number = [&](uint32_t group) { return std::stoi(sets.group(group).text.substr(1)); };
  for (const uint32_t group : threat.there) itemset.there.insert(number(group));
  for (const uint32_t group : threat.absent) itemset.absent.insert(number(group));
  return itemset;
}

// What one database and promise say of one cut.
void CheckCut(const LiteralSetData& sets, LiteralPrivacy privacy, int l, const LiteralNodes& cut) {
  privacy.most_share = {1, l};
  const LiteralSets literal(sets, privacy);
  const std::vector<LiteralNodes> records = GeneralizeSets(sets, cut);
  const Published published(sets, records);
  const std::set<LiteralItemset> threats = literal.Threats(AsSeen(sets.taxonomy, records));
  RC_ASSERT(published.Verify(PolicyOf(privacy, l)).holds == threats.empty());
  // Knowing how the cut goes where nothing is shown tells no more than knowing nothing.
  if (literal.IsValid(cut)) RC_ASSERT(threats.empty());

  const PublishedSets read = published.Read();
  const ItemsetPower power = {static_cast<size_t>(privacy.m), static_cast<uint64_t>(privacy.n)};
  Parallel parallel(1);
  const auto k = static_cast<uint64_t>(privacy.k);
  const ItemsetThreats rare = FindRareItemsets(read, k, power, parallel);
  for (const ItemsetThreat& threat : rare.threats) {
    const LiteralItemset itemset = ItemsetOf(read, threat);
    RC_ASSERT(threats.contains(itemset));
    RC_ASSERT(literal.Support(itemset, cut) == static_cast<int64_t>(threat.support));
  }
  if (l == 1) return;
  const ItemsetThreats told =
      FindTellingItemsets(read, static_cast<uint64_t>(l), power, rare.met == 0 ? k : 1, parallel);
  for (const ItemsetThreat& threat : told.threats) {
    const LiteralItemset itemset = ItemsetOf(read, threat);
    RC_ASSERT(threats.contains(itemset));
    RC_ASSERT(literal.Confidence(itemset, static_cast<int>(threat.item), cut) ==
              testing::LiteralFraction(static_cast<int64_t>(threat.most),
                                       static_cast<int64_t>(threat.support)));
  }
}

RC_GTEST_PROP(SetPrivacyPropertyTest, HoldsWhereNoItemsetIsAThreat, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralSetData sets = testing::RandomLiteralSets(random);
  const LiteralPrivacy privacy = testing::RandomLiteralPrivacy(random, 3, 3);
  const int l = 1 + static_cast<int>(random.Below(3));
  for (const LiteralNodes& cut : LiteralSetCuts(sets.taxonomy)) CheckCut(sets, privacy, l, cut);
}

RC_GTEST_PROP(SetPrivacyPropertyTest, HoldsForAdversariesWhoKnowAlmostEverything, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralSetData sets =
      testing::RandomLiteralSets(random, {.most_records = 20, .most_cuts = 20, .most_leaves = 5});
  const LiteralPrivacy privacy = testing::RandomLiteralPrivacy(random, 6, 6);
  const int l = 1 + static_cast<int>(random.Below(3));
  for (const LiteralNodes& cut : LiteralSetCuts(sets.taxonomy)) CheckCut(sets, privacy, l, cut);
}

// Section 4, introduction: transaction k-anonymity and privacy degree.
RC_GTEST_PROP(SetPrivacyPropertyTest, WithoutMAndNClassesOfEqualSetsCount, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralSetData sets =
      testing::RandomLiteralSets(random, {.most_records = 12, .most_cuts = 20, .most_leaves = 4});
  PrivacyPolicy privacy;
  privacy.of_sets = true;
  privacy.k = 1 + static_cast<int>(random.Below(3));
  privacy.l = 1 + static_cast<int>(random.Below(3));
  const int all = sets.taxonomy.Leaves(0);
  for (const LiteralNodes& cut : LiteralSetCuts(sets.taxonomy)) {
    const std::vector<LiteralNodes> records = GeneralizeSets(sets, cut);
    const bool by_classes =
        (records.empty() || SmallestClass(records) >= static_cast<size_t>(*privacy.k)) &&
        LargestShare(records, sets.sensitive) <= testing::LiteralFraction(1, *privacy.l);
    RC_ASSERT(Published(sets, records).Verify(privacy).holds == by_classes);
    const LiteralSets literal(sets, LiteralPrivacy::Kl(*privacy.k, *privacy.l, all, all));
    RC_ASSERT(literal.IsValid(cut) == by_classes);
  }
}

}  // namespace
}  // namespace thicket::set_privacy_property_test
