#include "verify/combinations.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "testing/forest_text.h"

namespace thicket::combinations_test {
namespace {

using ::testing::HasSubstr;
using testing::ParseForest;
using testing::ParseSchema;

class CombinationsTest : public ::testing::Test {
 protected:
  CombinationsTest() {
    for (VertexClass& vertex_class : schema_->classes) {
      for (QuasiAttribute& quasi : vertex_class.quasi) quasi.recoding.file = "dgh";
    }
    // Fig. 4.
    TaxonomyBuilder builder("*");
    for (const auto& [leaf, parent] :
         std::vector<std::pair<std::string, std::string>>{{"Flu", "Lung Disease"},
                                                          {"Bronchitis", "Lung Disease"},
                                                          {"Diarrhea", "Stomach Disorder"},
                                                          {"Gastritis", "Stomach Disorder"},
                                                          {"Pain killer", "Medicine"},
                                                          {"Antibiotics", "Medicine"},
                                                          {"Hospital1", "General Hosp."},
                                                          {"Hospital2", "General Hosp."}}) {
      const auto known = builder.Find(parent);
      builder.Add(known ? *known : builder.Add(TaxonomyBuilder::root(), parent), leaf);
    }
    taxonomies_.emplace("dgh", std::move(builder).Build());
    privacy_.k = 3;
    privacy_.m = 2;
    privacy_.n = 1;
  }

  Verdict Verify(std::string_view text) {
    const Dataset published = ParseForest(schema_, text, "published.jsonl");
    Result<Verdict> verdict = VerifyPublished(*schema_, privacy_, taxonomies_, published);
    EXPECT_TRUE(verdict.ok()) << verdict.error().message;
    return std::move(*verdict);
  }
  static std::string First(const Verdict& verdict) {
    return verdict.violations.shown().empty() ? "" : verdict.violations.shown()[0].message;
  }

  // Hospitals with diseases with treatments, as in Fig. 10 of Gkountouna et al. 2013.
  std::shared_ptr<Schema> schema_ = ParseSchema("r(){h(name|ward){d(name|grade){t(name)}}}");
  TaxonomyFiles taxonomies_;
  PrivacyPolicy privacy_;
};

// Fig. 10: records 1 to 4.
constexpr std::string_view kFig10 =
    "r{h(Hospital1){d(Gastritis)}"
    "  h(Hospital2){d(Flu){t('Pain killer')} d(Bronchitis){t(Antibiotics)}}}"
    "r{h(Hospital1){d(Gastritis) d(Bronchitis){t(Antibiotics)}}"
    "  h(Hospital2){d(Flu){t('Pain killer')} d(Bronchitis){t(Antibiotics)}}}"
    "r{h(Hospital1){d(Flu){t('Pain killer')}} h(Hospital2){d(Flu){t('Pain killer')}}}"
    "r{h(Hospital1){d(Gastritis){t('Pain killer')} d(Bronchitis)}}";

// The same after Example 7's cut, without and with Gastritis over Medicine taken apart (Fig. 13).
constexpr std::string_view kFig13Records123 =
    "r{h(Hospital1){d(Gastritis)} h(Hospital2){d('Lung Disease'){t(Medicine)}}}"
    "r{h(Hospital1){d(Gastritis) d('Lung Disease'){t(Medicine)}}"
    "  h(Hospital2){d('Lung Disease'){t(Medicine)}}}"
    "r{h(Hospital1){d('Lung Disease'){t(Medicine)}} h(Hospital2){d('Lung Disease'){t(Medicine)}}}";

// Figs. 11 and 12: the lists of records behind labels and paths.
TEST_F(CombinationsTest, CountsTheSupportsOfTheSynopsisTree) {
  privacy_.k = 5;  // so that everything is rare and named
  privacy_.m = 1;
  privacy_.n = 0;
  const Verdict verdict = Verify(kFig10);
  EXPECT_EQ(verdict.k, 2);  // Antibiotics [1, 2]
  EXPECT_EQ(verdict.violations.total(ViolationKind::kRareCombination), 7U);
  std::map<std::string, uint64_t> supports;
  for (const Violation& violation : verdict.violations.shown()) {
    const size_t quote = violation.message.find('"');
    supports[violation.message.substr(quote + 1, violation.message.rfind('"') - quote - 1)] =
        violation.count;
  }
  EXPECT_EQ(supports, (std::map<std::string, uint64_t>{{"Hospital1", 4},
                                                       {"Hospital2", 3},
                                                       {"Bronchitis", 3},
                                                       {"Flu", 3},
                                                       {"Gastritis", 3},
                                                       {"Pain killer", 4},
                                                       {"Antibiotics", 2}}));
}

// Example 7 and Fig. 13 call this 3^(2,1)-anonymous. It is not quite, since Hospital2 and Gastritis stand together in
// records 1 and 2 only (Fig. 12: [1,2,3] and [1,2,4]); everything else is.
TEST_F(CombinationsTest, FindsTheOnePairThatExampleSevenOverlooks) {
  const Verdict verdict = Verify(std::string(kFig13Records123) +
                                 "r{h(Hospital1){d(Gastritis) d('Lung Disease') t(Medicine)}}");
  EXPECT_EQ(verdict.k, 2);
  EXPECT_EQ(verdict.violations.total(), 1U);
  EXPECT_EQ(First(verdict),
            "published.jsonl:1: at least 3 records must have h.name \"Hospital2\" and h.d.name "
            "\"Gastritis\", but only 2 do");
}

TEST_F(CombinationsTest, RejectsExampleSevenWithoutItsDisassociation) {
  const Verdict verdict = Verify(std::string(kFig13Records123) +
                                 "r{h(Hospital1){d(Gastritis){t(Medicine)} d('Lung Disease')}}");
  EXPECT_EQ(verdict.k, 1);
  EXPECT_EQ(verdict.violations.total(), 2U);
  EXPECT_EQ(verdict.violations.shown()[1].message,
            "published.jsonl:4: at least 3 records must have h.d.name \"Gastritis\" above "
            "h.d.t.name \"Medicine\", but only this one does");
}

TEST_F(CombinationsTest, AcceptsNoRecordsAndRecordsWithoutLabels) {
  EXPECT_TRUE(Verify("").holds);
  const Verdict verdict = Verify("r{h(|W)} r");
  EXPECT_TRUE(verdict.holds);
  EXPECT_EQ(verdict.k, std::nullopt);
  EXPECT_EQ(verdict.records, 2U);
}

TEST_F(CombinationsTest, FindsARelationThatIsRareThoughItsLabelsAreNot) {
  privacy_.k = 2;
  const std::string together = "r{h(Hospital1){d(Flu)}}";
  const std::string apart = "r{h(Hospital1) d(Flu)}";
  EXPECT_TRUE(Verify(together + together + apart).holds);
  const Verdict verdict = Verify(together + apart + apart);
  EXPECT_EQ(verdict.k, 1);
  EXPECT_EQ(verdict.violations.total(ViolationKind::kRareCombination), 1U);
  EXPECT_THAT(First(verdict), HasSubstr("h.name \"Hospital1\" above h.d.name \"Flu\""));
  privacy_.n = 0;
  EXPECT_TRUE(Verify(together + apart + apart).holds);
}

// Each relation may hold at a place of its own.
TEST_F(CombinationsTest, CountsRelationsEachByItself) {
  privacy_.k = 2;
  privacy_.m = 3;
  privacy_.n = 2;
  EXPECT_TRUE(Verify("r{h(Hospital1){d(Flu) t(Medicine)}}"
                     "r{h(Hospital1){d(Flu)} h(Hospital1){t(Medicine)}}")
                  .holds);
  privacy_.n = 3;
  EXPECT_FALSE(Verify("r{h(Hospital1){d(Flu){t(Medicine)}}}"
                      "r{h(Hospital1){d(Flu) t(Medicine)} }")
                   .holds);
}

TEST_F(CombinationsTest, TakesStarForALabelAndMissingForNone) {
  privacy_.k = 2;
  EXPECT_FALSE(Verify("r{h('*')} r{h()} r{h(Hospital1)} r{h(Hospital1)}").holds);
  EXPECT_TRUE(Verify("r{h('*')} r{h()} r{h('*')}").holds);
}

TEST_F(CombinationsTest, RejectsALabelThatIsNone) {
  privacy_.k = 2;
  const Verdict verdict = Verify("r{h(Hospital9)} r{h(Hospital9)}");
  EXPECT_EQ(verdict.violations.total(ViolationKind::kIllegalLabel), 1U);
  EXPECT_FALSE(verdict.holds);
}

TEST_F(CombinationsTest, RejectsAVertexBelowOneOfItsOwnOrALowerClass) {
  Dataset published = Dataset::Empty(schema_, "published.jsonl");
  ForestBuilder builder(*schema_);
  builder.BeginRecord(1);
  builder.Open(2);
  builder.Open(1);
  builder.Close();
  builder.Close();
  builder.EndRecord();
  published.forest = std::move(builder).Build();
  const Result<Verdict> verdict = VerifyPublished(*schema_, privacy_, taxonomies_, published);
  ASSERT_TRUE(verdict.ok());
  EXPECT_FALSE(verdict->holds);
  EXPECT_EQ(First(*verdict),
            "published.jsonl:1: a vertex must stand below vertices of classes above its own, but a "
            "h stands below a d");
}

TEST_F(CombinationsTest, AsksForDiverseValuesAmongThoseWhoShowALabel) {
  privacy_.k = 2;
  privacy_.l = 2;
  const Verdict diverse = Verify("r{h(Hospital1){d(Flu|A)}} r{h(Hospital1){d(Flu|B)}}");
  EXPECT_TRUE(diverse.holds);
  EXPECT_EQ(diverse.l, 2);
  const Verdict verdict =
      Verify("r{h(Hospital1){d(Flu|A)}} r{h(Hospital1){d(Flu|A)}} r{h(Hospital2)} r{h(Hospital2)}");
  EXPECT_EQ(verdict.l, 1);
  EXPECT_GT(verdict.violations.total(ViolationKind::kNotDiverse), 0U);
  EXPECT_EQ(
      First(verdict),
      "published.jsonl:1: among the 2 records that have h.name \"Hospital1\" no value of h.d.grade "
      "may occur in more than 1/2, but one occurs in 2 of 2");
}

// What stands at one label must be diverse among those who show another one, and for those who know nothing.
TEST_F(CombinationsTest, CountsValuesWhereverTheyStand) {
  privacy_.k = 2;
  privacy_.m = 1;
  privacy_.n = 0;
  privacy_.l = 2;
  // Hospital1 goes with A, at a disease that is the same everywhere.
  const std::string apart =
      "r{h(Hospital1){d(Flu|A)}} r{h(Hospital1){d(Flu|A)}}"
      "r{h(Hospital2){d(Flu|B)}} r{h(Hospital2){d(Flu|C)}}";
  EXPECT_FALSE(Verify(apart).holds);
  EXPECT_TRUE(Verify("r{h(Hospital1){d(Flu|A)}} r{h(Hospital1){d(Flu|B)}}"
                     "r{h(Hospital2){d(Flu|A)}} r{h(Hospital2){d(Flu|C)}}")
                  .holds);
  const Verdict verdict = Verify("r{d(|A)} r{d(|A)}");
  EXPECT_EQ(
      First(verdict),
      "published.jsonl:1: among the 2 records no value of h.d.grade may occur in more than 1/2, "
      "but one occurs in 2 of 2");
  // Once at each of two vertices is once in the record, but every value counts.
  EXPECT_FALSE(Verify("r{d(|A) d(|B)} r{d(|C) d(|B)}").holds);
  EXPECT_TRUE(Verify("r{d(|A) d(|A)} r{d(|B) d(|C)}").holds);
  // A missing value is none, and its record is one of those that fit.
  EXPECT_TRUE(Verify("r{d(|A)} r{d(Flu)} r{h(Hospital1|B)} r{d(Flu)} r{h(Hospital1)}").holds);
}

// Each sensitive attribute by itself, and each counts one violation.
TEST_F(CombinationsTest, CountsEverySensitiveAttributeByItself) {
  privacy_.k = 2;
  privacy_.l = 2;
  EXPECT_TRUE(Verify("r{h(|A) d(|A)} r{h(|B) d(|B)}").holds);
  EXPECT_TRUE(Verify("r{h(|A)} r{d(|A)}").holds);
  EXPECT_EQ(Verify("r{h(|A) d(|A)} r{h(|A) d(|A)}").violations.total(ViolationKind::kNotDiverse),
            2U);
}

// Who has flu is diverse, and who has bronchitis, but of three who have a lung disease two have A.
TEST_F(CombinationsTest, AsksForDiverseValuesOfThoseWhoHaveOneOfTwoLabels) {
  privacy_.k = 1;
  privacy_.m = 1;
  privacy_.l = 2;
  const std::string records =
      "r{d(Flu|A)} r{d(Bronchitis|A)} r{d(Flu) d(Bronchitis)} r{d(Gastritis)} r{d(Gastritis)}";
  const Verdict verdict = Verify(records);
  EXPECT_EQ(
      First(verdict),
      "published.jsonl:1: among the 3 records that have h.d.name \"Lung Disease\" or below no "
      "value of h.d.grade may occur in more than 1/2, but one occurs in 2 of 3");
}

TEST_F(CombinationsTest, CountsTwoValuesOfOneVertex) {
  privacy_.k = 2;
  privacy_.l = 2;
  // Two values of one vertex, of which each is in one record.
  EXPECT_TRUE(Verify("r{h(Hospital1){d(|A) d(|B)}} r{h(Hospital1){d(|C)}}").holds);
}

TEST_F(CombinationsTest, CountsWhatIsAbsentOnlyWhereThePromiseSaysSo) {
  privacy_.k = 2;
  privacy_.n = 0;
  const std::string text =
      "r{h(Hospital1)} r{h(Hospital1)} r{h(Hospital1) h(Hospital2)}"
      "r{h(Hospital1) h(Hospital2)} r{h(Hospital2)}";
  EXPECT_TRUE(Verify(text).holds);
  privacy_.negative = true;
  const Verdict verdict = Verify(text);
  EXPECT_EQ(verdict.k, 1);
  EXPECT_EQ(
      First(verdict),
      "published.jsonl:5: at least 2 records must have no h.name \"Hospital1\", but only this "
      "one does");
}

TEST_F(CombinationsTest, CountsRelationsThatAreAbsent) {
  privacy_.k = 2;
  privacy_.negative = true;
  const Verdict verdict =
      Verify("r{h(Hospital1){d(Flu)}} r{h(Hospital1){d(Flu)}} r{h(Hospital1) d(Flu)}");
  EXPECT_EQ(verdict.k, 1);
  EXPECT_THAT(First(verdict), HasSubstr("h.name \"Hospital1\" never above h.d.name"));
}

TEST_F(CombinationsTest, DoesNotBeginWhatWouldTakeHours) {
  const Dataset published = ParseForest(schema_, kFig10, "published.jsonl");
  const Result<Verdict> verdict =
      VerifyCombinations(*schema_, privacy_, taxonomies_, published, {.most_steps = 20});
  ASSERT_FALSE(verdict.ok());
  EXPECT_EQ(verdict.error().code, ErrorCode::kUsage);
  EXPECT_EQ(verdict.error().message,
            "privacy: counting every combination must take at most 20 steps, about two hours, but "
            "would take 76");
  EXPECT_TRUE(
      VerifyCombinations(*schema_, privacy_, taxonomies_, published, {.most_steps = 76}).ok());
}

TEST_F(CombinationsTest, NamesTheSameCombinationsOnAnyNumberOfThreads) {
  const Dataset published = ParseForest(schema_, kFig10, "published.jsonl");
  for (const bool negative : {false, true}) {
    privacy_.negative = negative;
    privacy_.m = 3;
    privacy_.n = 2;
    std::vector<std::string> before;
    for (const int threads : {1, 2, 3}) {
      const Result<Verdict> verdict =
          VerifyCombinations(*schema_, privacy_, taxonomies_, published, {.threads = threads});
      ASSERT_TRUE(verdict.ok());
      std::vector<std::string> messages;
      for (const Violation& violation : verdict->violations.shown()) {
        messages.push_back(violation.message);
      }
      EXPECT_EQ(messages.size(), Violations::kShown);
      if (threads > 1) {
        EXPECT_EQ(messages, before);
      }
      before = messages;
    }
  }
}

// More labels than a word has bits.
TEST(CombinationsOfLargeRecordsTest, FindsTheOneRelationThatIsRareAmongManyLabels) {
  auto schema = ParseSchema("r(){i(item){x(part)}}");
  for (VertexClass& of : schema->classes) {
    for (QuasiAttribute& quasi : of.quasi) quasi.recoding.kind = Recoding::Kind::kMask;
  }
  PrivacyPolicy privacy;
  privacy.k = 2;
  privacy.m = 2;
  privacy.n = 1;
  // Relations of up to 64 labels are one word.
  for (const size_t items : {32, 33, 100}) {
    const auto record = [&](bool moved) {
      std::string text = "r{";
      for (size_t i = 0; i + 1 < items; ++i) text += fmt::format("i(i{0}){{x(x{0})}}", i);
      return text + (moved ? "i(last) x(part)}" : "i(last){x(part)}}");
    };
    const Dataset published = ParseForest(schema, record(false) + record(true));
    const Result<Verdict> verdict = VerifyPublished(*schema, privacy, {}, published);
    ASSERT_TRUE(verdict.ok());
    EXPECT_EQ(verdict->label_sets, 2 * items + 2 * items * (2 * items - 1) / 2);
    ASSERT_EQ(verdict->violations.total(), 1U);
    EXPECT_EQ(verdict->violations.shown()[0].message,
              "data.jsonl:1: at least 2 records must have i.item \"last\" above i.x.part \"part\", "
              "but only this one does");
  }
}

TEST(CombinationsOfLargeRecordsTest, CountsSetsOfEightLabels) {
  auto schema = ParseSchema("r(a,b,c,d,e,f,g,h,i)");
  for (QuasiAttribute& quasi : schema->classes[0].quasi) {
    quasi.recoding.kind = Recoding::Kind::kMask;
  }
  PrivacyPolicy privacy;
  privacy.k = 3;
  privacy.m = 8;
  privacy.n = 2;
  const Dataset published =
      ParseForest(schema, "r(a,b,c,d,e,f,g,h,i) r(a,b,c,d,e,f,g,h,i) r(,b,c,d,e,f,g,h,i)");
  const Result<Verdict> verdict = VerifyPublished(*schema, privacy, {}, published);
  ASSERT_TRUE(verdict.ok());
  EXPECT_EQ(verdict->k, 2);
  EXPECT_EQ(verdict->label_sets, 510U);  // all but none and all
  // Those with the first label, which one record lacks: sets of the others, with up to two of the pairs.
  uint64_t rare = 0;
  const uint64_t choose_of_eight[] = {1, 8, 28, 56, 70, 56, 28, 8};
  for (uint64_t size = 1; size <= 8; ++size) {
    const uint64_t pairs = size * (size - 1) / 2;
    const uint64_t pairs_of_pairs = pairs == 0 ? 0 : pairs * (pairs - 1) / 2;
    rare += choose_of_eight[size - 1] * (1 + pairs + pairs_of_pairs);
  }
  EXPECT_EQ(verdict->violations.total(ViolationKind::kRareCombination), rare);
}

}  // namespace
}  // namespace thicket::combinations_test
