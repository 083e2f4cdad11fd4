// Chapter 3 of Liu 2010 by its own examples, with the reference of tests/testing/literal_tables.h: every number that the
// text gives, and what its lemmas and theorems claim.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "testing/literal_table_bounds.h"
#include "testing/literal_tables.h"
#include "testing/patients_table.h"
#include "testing/random_tables.h"

namespace thicket::thesis_examples_test {
namespace {

using ::testing::ElementsAre;
using testing::IsHomogeneous;
using testing::LiteralAnonymization;
using testing::LiteralBound;
using testing::LiteralCutNode;
using testing::LiteralCutTree;
using testing::LiteralFraction;
using testing::LiteralMetric;
using testing::LiteralPromise;
using testing::LiteralScheme;
using testing::LiteralTable;
using testing::LiteralTableCut;
using testing::LiteralTableCuts;
using testing::LiteralTables;
using testing::MostSpecificCut;
using ::testing::Pair;
using testing::PatientsCountries;
using testing::PatientsCut;
using testing::PatientsDiseases;
using testing::PatientsEducations;
using testing::PatientsTable;
using testing::PlaceOf;
using testing::RandomLiteralPromise;
using testing::RandomLiteralTable;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

using enum LiteralScheme;
using enum LiteralMetric;

constexpr LiteralScheme kSchemes[] = {kNone, kAllRecords, kAllValues, kViolatingValues,
                                      kViolatingRecords};

const int kFlu = PlaceOf("Flu", PatientsDiseases());
const int kAsthma = PlaceOf("Asthma", PatientsDiseases());
const int kCancer = PlaceOf("Cancer", PatientsDiseases());

LiteralTableCut CutA() {
  return PatientsCut({"Junior", "Senior", "University", "Europe", "America"});
}
LiteralTableCut CutB() {
  return PatientsCut({"Junior", "Senior", "Bachelor", "Graduate", "Europe", "America"});
}

// Numbers of the thesis, from 1.
std::set<size_t> Numbers(const std::vector<size_t>& records) {
  std::set<size_t> numbers;
  for (const size_t record : records) numbers.insert(record + 1);
  return numbers;
}
std::set<size_t> Deleted(const LiteralAnonymization& tried) {
  return Numbers({tried.deleted.begin(), tried.deleted.end()});
}
std::set<size_t> Starred(const LiteralAnonymization& tried) {
  std::set<size_t> numbers;
  for (const auto& [record, attribute] : tried.starred) numbers.insert(record + 1);
  return numbers;
}

LiteralAnonymization TryPatients(const LiteralTableCut& cut, LiteralScheme scheme,
                                 const LiteralPromise& promise) {
  return LiteralTables(PatientsTable(), {.scheme = scheme}, promise).Try(cut);
}

TEST(ThesisExamples, Example31Table32StarsCountInTheSizeOfTheClass) {
  LiteralPromise promise;
  promise.own = {{{kCancer, {3, 10}}, {kAsthma, {4, 10}}, {kFlu, {5, 10}}}};
  const LiteralTables literal(PatientsTable(), {.scheme = kViolatingValues}, promise);
  // Of the original class Cancer makes up 2/3; of the published one Asthma 1/3, which two stars keep so low.
  EXPECT_THAT(literal.Violating({7, 8, 9}, 0), ElementsAre(kCancer));
  const LiteralAnonymization tried = literal.Try(CutB());
  EXPECT_THAT(tried.classes.at({6, 2}), ElementsAre(7, 8, 9));
  EXPECT_TRUE(tried.starred.contains({8, 0}));
  EXPECT_TRUE(tried.starred.contains({9, 0}));
  EXPECT_FALSE(tried.starred.contains({7, 0}));
}

TEST(ThesisExamples, Examples32To34ClassesOfBothCuts) {
  const LiteralTables literal(PatientsTable(), {}, LiteralPromise::Diversity(2));
  const auto name = [](const std::vector<int>& labels) {
    return PatientsEducations()[static_cast<size_t>(labels[0])] + " " +
           PatientsCountries()[static_cast<size_t>(labels[1])];
  };
  std::map<std::string, std::set<size_t>> a;
  for (const auto& [labels, records] : literal.Classes(CutA())) a[name(labels)] = Numbers(records);
  EXPECT_THAT(a, UnorderedElementsAre(Pair("Junior Europe", ElementsAre(1, 2)),
                                      Pair("Senior Europe", ElementsAre(3, 4)),
                                      Pair("University Europe", ElementsAre(5)),
                                      Pair("University America", ElementsAre(6, 7, 8, 9, 10))));
  std::map<std::string, std::set<size_t>> b;
  for (const auto& [labels, records] : literal.Classes(CutB())) b[name(labels)] = Numbers(records);
  EXPECT_THAT(b, UnorderedElementsAre(Pair("Junior Europe", ElementsAre(1, 2)),
                                      Pair("Senior Europe", ElementsAre(3, 4)),
                                      Pair("Bachelor Europe", ElementsAre(5)),
                                      Pair("Bachelor America", ElementsAre(6, 7)),
                                      Pair("Graduate America", ElementsAre(8, 9, 10))));
}

TEST(ThesisExamples, Example34WhatEachSchemeSuppresses) {
  const LiteralPromise half = LiteralPromise::Diversity(2);
  EXPECT_FALSE(TryPatients(CutA(), kNone, half).is_valid);
  // Only <University, Europe> violates: record 5 is alone.
  EXPECT_THAT(Deleted(TryPatients(CutA(), kAllRecords, half)), ElementsAre(5));
  EXPECT_THAT(Deleted(TryPatients(CutA(), kViolatingRecords, half)), ElementsAre(5));
  EXPECT_THAT(Starred(TryPatients(CutA(), kViolatingValues, half)), ElementsAre(5));
  // In <Graduate, America> Cancer makes up 2/3.
  EXPECT_THAT(Starred(TryPatients(CutB(), kViolatingValues, half)), ElementsAre(5, 9, 10));
  EXPECT_THAT(Starred(TryPatients(CutB(), kAllValues, half)), ElementsAre(5, 8, 9, 10));
  EXPECT_THAT(Deleted(TryPatients(CutB(), kViolatingRecords, half)), ElementsAre(5, 9));
  EXPECT_THAT(Deleted(TryPatients(CutB(), kAllRecords, half)), ElementsAre(5, 8, 9, 10));
}

TEST(ThesisExamples, CostsOfBothCutsByHand) {
  const LiteralPromise half = LiteralPromise::Diversity(2);
  // Europe and America 1/3 for all ten, University 1/3 for records 5 to 10.
  EXPECT_EQ(TryPatients(CutA(), kViolatingValues, half).cost, LiteralFraction(16, 3) + 2);
  EXPECT_EQ(TryPatients(CutB(), kViolatingValues, half).cost, LiteralFraction(10, 3) + 6);
  EXPECT_EQ(TryPatients(CutB(), kAllValues, half).cost, LiteralFraction(10, 3) + 8);
  // Deleted records cost 4, and no generalization.
  EXPECT_EQ(TryPatients(CutB(), kViolatingRecords, half).cost, LiteralFraction(8, 3) + 8);
  EXPECT_EQ(TryPatients(CutB(), kAllRecords, half).cost, LiteralFraction(6, 3) + 16);
  const auto by_dm = [&](LiteralScheme scheme) {
    return LiteralTables(PatientsTable(), {scheme, kDm}, half).Try(CutB()).cost;
  };
  EXPECT_EQ(by_dm(kViolatingRecords), 4 + 4 + 4 + 4 + 2 * 10);
  EXPECT_EQ(by_dm(kAllRecords), 4 + 4 + 4 + 4 * 10);
}

TEST(ThesisExamples, TheOptimaOfThePatientsByHand) {
  const LiteralPromise half = LiteralPromise::Diversity(2);
  // Without suppression record 5 needs company: {Jr, Sr, Uni, AnyCountry} keeps Education best. Of University's six
  // records Asthma has three.
  const auto none = LiteralTables(PatientsTable(), {}, half).Best(1);
  EXPECT_EQ(none[0].cut, PatientsCut({"Junior", "Senior", "University", "AnyCountry"}));
  EXPECT_EQ(none[0].cost, LiteralFraction(6, 3) + 10);
  // Section 3.7.1.1: the three classes that are left when record 5 is deleted.
  const auto records = LiteralTables(PatientsTable(), {kViolatingRecords}, half).Best(1);
  EXPECT_EQ(records[0].cut, CutA());
  EXPECT_THAT(Deleted(records[0]), ElementsAre(5));
  EXPECT_EQ(records[0].cost, LiteralFraction(9 + 5, 3) + 4);
}

TEST(ThesisExamples, Example35TheTreeOfFigure32EnumeratesEachOf25CutsOnce) {
  const LiteralTable table = PatientsTable();
  const std::vector<LiteralCutNode> tree = LiteralCutTree(table.taxonomies);
  EXPECT_THAT(tree, SizeIs(25));
  std::set<LiteralTableCut> enumerated;
  for (const LiteralCutNode& node : tree) enumerated.insert(node.cut);
  const std::vector<LiteralTableCut> all = LiteralTableCuts(table.taxonomies);
  EXPECT_EQ(enumerated, std::set<LiteralTableCut>(all.begin(), all.end()));
  EXPECT_THAT(all, SizeIs(25));
  // Cut_1, Cut_2, Cut_22, with their open values.
  EXPECT_THAT(tree[0].open, ElementsAre(Pair(0, 0), Pair(1, 0)));
  EXPECT_EQ(tree[1].cut, PatientsCut({"Secondary", "University", "AnyCountry"}));
  EXPECT_THAT(tree[1].open, ElementsAre(Pair(0, 1), Pair(0, 2), Pair(1, 0)));
  EXPECT_EQ(tree[21].cut, PatientsCut({"AnyEdu", "Europe", "America"}));
  EXPECT_THAT(tree[21].open, ElementsAre(Pair(1, 1), Pair(1, 2))) << "AnyEdu is locked";
}

TEST(ThesisExamples, Example36ClassesAreSplit) {
  const LiteralTables literal(PatientsTable(), {}, {});
  EXPECT_THAT(literal.Classes(PatientsCut({"AnyEdu", "AnyCountry"})), SizeIs(1));
  const auto split = literal.Classes(PatientsCut({"Secondary", "University", "AnyCountry"}));
  EXPECT_THAT(split, SizeIs(2));
  EXPECT_THAT(Numbers(split.at({1, 0})), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(Numbers(split.at({2, 0})), ElementsAre(5, 6, 7, 8, 9, 10));
}

TEST(ThesisExamples, Example37RecordsAreDeletedUntilNothingViolates) {
  const LiteralTables literal(PatientsTable(), {}, LiteralPromise::Diversity(3));
  const std::vector<size_t> university = {4, 5, 6, 7, 8, 9};
  EXPECT_THAT(literal.Violating(university, 0), ElementsAre(kAsthma));
  EXPECT_EQ(LiteralTables::MinRm(3, 6, {1, 3}), 2);
  EXPECT_EQ(LiteralTables::MinRm(2, 4, {1, 3}), 1);
  EXPECT_THAT(literal.MinRm(university, 0, false), UnorderedElementsAre(Pair(kAsthma, 2)));
  EXPECT_THAT(literal.MinRm(university, 0, true),
              UnorderedElementsAre(Pair(kAsthma, 2), Pair(kCancer, 1)));
}

TEST(ThesisExamples, Example38AClassIsHomogeneousOnceItsOpenValueIsLocked) {
  const LiteralTables literal(PatientsTable(), {}, {});
  const LiteralTable& table = literal.table();
  const std::vector<LiteralCutNode> tree = LiteralCutTree(table.taxonomies);
  LiteralCutNode cut18 = tree[17];
  EXPECT_EQ(cut18.cut, PatientsCut({"Secondary", "University", "Europe", "America"}));
  EXPECT_EQ(cut18.end, 21U) << "before Cut_22";
  EXPECT_EQ(tree[18].cut, PatientsCut({"Secondary", "University", "France", "UK", "America"}));
  EXPECT_EQ(MostSpecificCut(table.taxonomies, cut18), tree[19].cut);
  const std::vector<size_t> secondary_europe = literal.Classes(cut18.cut).at({1, 1});
  EXPECT_THAT(Numbers(secondary_europe), ElementsAre(1, 2, 3, 4));
  EXPECT_FALSE(IsHomogeneous(literal, cut18, secondary_europe));
  // After Cut_19 Europe is locked.
  std::erase(cut18.open, std::pair<size_t, int>(1, 1));
  EXPECT_EQ(MostSpecificCut(table.taxonomies, cut18), tree[20].cut);
  EXPECT_TRUE(IsHomogeneous(literal, cut18, secondary_europe));
}

TEST(ThesisExamples, Section3612ThresholdsOfFrequentValuesAreHigher) {
  // Flu 3, Asthma 4, Cancer 3 of 10: 10/3 on average.
  const LiteralPromise derived = LiteralPromise::Derived(PatientsTable(), {1, 3});
  EXPECT_EQ(derived.Theta(0, kFlu), LiteralFraction(1, 3));
  EXPECT_EQ(derived.Theta(0, kCancer), LiteralFraction(1, 3));
  EXPECT_EQ(derived.Theta(0, kAsthma), LiteralFraction(2, 5));
  EXPECT_EQ(LiteralPromise::Derived(PatientsTable(), {9, 10}).Theta(0, kAsthma), 1) << "not 1.08";
}

// One attribute with the values a1 {u, y} and a2 {s, s, s, t}, theta 2/3: with DM one s less makes the class of four one of
// three, and the nine that are left with the six for s are fewer than the sixteen of Lemma 3.2 and Theorem 3.6.
TEST(ThesisExamples, TheBoundsOf33AreNoneForDmWithViolatingRecords) {
  LiteralTable table;
  table.taxonomies = {{{-1, 0, 0}}};
  table.quasi = {{1}, {1}, {2}, {2}, {2}, {2}};
  table.sensitive = {{0}, {1}, {2}, {2}, {2}, {3}};
  const LiteralTables literal(table, {kViolatingRecords, kDm}, {.theta = {2, 3}});
  const std::vector<LiteralCutNode> tree = LiteralCutTree(table.taxonomies);
  EXPECT_EQ(LiteralBound(literal, tree[0]), 20);
  EXPECT_EQ(literal.Try({{1, 2}}).cost, 19);
  EXPECT_EQ(literal.Best(1)[0].cost, 19);
}

TEST(ThesisExamples, MinorityDecidesWhichRecordsAreDeleted) {
  // Two of four have s, at most half may. Labels: s has 0 and 1, the other record 1.
  LiteralTable table;
  table.taxonomies = {{}};
  table.quasi = {{0}, {0}, {0}};
  table.sensitive = {{0}, {0}, {1}};
  table.labels = {1, 0, 1};
  const LiteralTables literal(table, {kViolatingRecords, kCm}, LiteralPromise::Diversity(2));
  const LiteralAnonymization tried = literal.Try({{0}});
  EXPECT_THAT(tried.deleted, ElementsAre(1)) << "not the first";
  EXPECT_EQ(tried.cost, 1);
}

TEST(ThesisExamples, AClassBelowKViolatesAsAWhole) {
  const LiteralPromise both = LiteralPromise::Diversity(2, 3);
  // Of {8, 9, 10} one Cancer is deleted, and two are too few.
  EXPECT_THAT(Deleted(TryPatients(CutB(), kViolatingRecords, both)), SizeIs(10));
  EXPECT_THAT(Deleted(TryPatients(CutA(), kViolatingRecords, both)), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_FALSE(TryPatients(CutA(), kViolatingValues, both).is_valid) << "no star makes it larger";
  EXPECT_FALSE(TryPatients(CutA(), kAllValues, both).is_valid);
}

TEST(ThesisExamples, SensitiveAttributesAreStarredEachByItself) {
  LiteralTable table;
  table.taxonomies = {{}};
  table.quasi = {{0}, {0}, {0}};
  table.sensitive = {{0, 0}, {0, 1}, {1, 2}};
  const LiteralPromise half = LiteralPromise::Diversity(2);
  EXPECT_THAT(LiteralTables(table, {kViolatingValues}, half).Try({{0}}).starred,
              ElementsAre(Pair(0, 0), Pair(1, 0)));
  EXPECT_THAT(LiteralTables(table, {kAllValues}, half).Try({{0}}).starred,
              ElementsAre(Pair(0, 0), Pair(1, 0), Pair(2, 0)));
  EXPECT_THAT(LiteralTables(table, {kAllRecords}, half).Try({{0}}).deleted, SizeIs(3));
}

// The classes that a reader sees keep the promise, whatever the scheme.
RC_GTEST_PROP(ThesisExamples, WhatIsPublishedKeepsThePromise, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralTable table = RandomLiteralTable(random, {.most_cuts = 40});
  const LiteralPromise promise = RandomLiteralPromise(random, table);
  const LiteralScheme scheme = kSchemes[random.Below(5)];
  const LiteralTables literal(table, {scheme}, promise);
  for (const LiteralTableCut& cut : LiteralTableCuts(table.taxonomies)) {
    const LiteralAnonymization tried = literal.Try(cut);
    if (!tried.is_valid) continue;
    for (const auto& [labels, records] : tried.classes) {
      int64_t size = 0;
      std::map<int, int64_t> shown;
      for (const size_t record : records) {
        if (tried.deleted.contains(record)) continue;
        ++size;
        if (!tried.starred.contains({record, 0})) ++shown[table.sensitive[record][0]];
      }
      RC_ASSERT(size == 0 || size >= promise.k);
      for (const auto& [value, count] : shown) {
        RC_ASSERT(LiteralFraction(count, size) <= promise.Theta(0, value));
      }
    }
  }
}

// Lemma 3.3 repeated deletes as few records as any choice would.
RC_GTEST_PROP(ThesisExamples, FewerDeletedRecordsWouldNotDo, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralTable table = RandomLiteralTable(random, {.most_records = 9, .most_cuts = 10});
  const LiteralTables literal(table, {kViolatingRecords}, RandomLiteralPromise(random, table));
  LiteralTableCut roots(table.taxonomies.size(), {0});
  const size_t left = table.size() - literal.Try(roots).deleted.size();
  for (uint64_t choice = 0; choice < uint64_t{1} << table.size(); ++choice) {
    std::vector<size_t> kept;
    for (size_t i = 0; i < table.size(); ++i) {
      if ((choice >> i & 1) != 0) kept.push_back(i);
    }
    RC_ASSERT(kept.size() <= left || !literal.Keeps(kept));
  }
}

// Theorems 3.5 and 3.6 and Lemma 3.2, for promises without k.
RC_GTEST_PROP(ThesisExamples, TheBoundsOf33HoldButForDmWithViolatingRecords, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralTable table = RandomLiteralTable(random, {.most_records = 7, .most_cuts = 12});
  LiteralPromise promise = RandomLiteralPromise(random, table);
  promise.k = 1;
  const std::vector<LiteralCutNode> tree = LiteralCutTree(table.taxonomies);
  for (const LiteralScheme scheme : kSchemes) {
    for (const LiteralMetric metric : {kLm, kDm, kCm}) {
      if (metric != kLm && (scheme == kAllValues || scheme == kViolatingValues)) continue;
      if (metric == kDm && scheme == kViolatingRecords) continue;
      const LiteralTables literal(table, {scheme, metric}, promise);
      for (size_t i = 0; i < tree.size(); ++i) {
        const LiteralFraction bound = LiteralBound(literal, tree[i]);
        for (size_t below = i; below < tree[i].end; ++below) {
          const LiteralAnonymization tried = literal.Try(tree[below].cut);
          if (tried.is_valid) RC_ASSERT(bound <= tried.cost);
        }
      }
    }
  }
}

}  // namespace
}  // namespace thicket::thesis_examples_test
