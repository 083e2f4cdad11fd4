#include "verify/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/forest_text.h"

namespace thicket::verify_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::ParseForest;
using testing::ParseSchema;

// Students with courses, evaluated instructors and teaching assistants, as in Fig. 4 of Ozalp et al. 2016.
class VerifyTest : public ::testing::Test {
 protected:
  VerifyTest() {
    for (VertexClass& vertex_class : schema_->classes) {
      for (QuasiAttribute& quasi : vertex_class.quasi) quasi.recoding.file = quasi.name;
    }
    schema_->classes[0].quasi[1].recoding.kind = Recoding::Kind::kRanges;
    schema_->classes[0].quasi[1].recoding.widths = {10};
    schema_->classes[0].sensitive[0].buckets = {0, 1, 2, 3, 4};
    AddTaxonomy("major", {{"CS", "Science"}, {"EE", "Science"}, {"ART", "Humanities"}});
    AddTaxonomy("code",
                {{"CS201", "CS2**"}, {"CS305", "CS3**"}, {"CS306", "CS3**"}, {"CS404", "CS4**"}});
    AddTaxonomy("name", {{"Saygin", "DB Prof."},
                         {"Nergiz", "DB Prof."},
                         {"Levi", "Crypto Prof."},
                         {"TA1", "TA"},
                         {"TA2", "TA"}});
  }

  void AddTaxonomy(const std::string& file,
                   const std::vector<std::pair<std::string, std::string>>& leaves) {
    TaxonomyBuilder builder("*");
    for (const auto& [leaf, parent] : leaves) {
      const auto known = builder.Find(parent);
      builder.Add(known ? *known : builder.Add(TaxonomyBuilder::root(), parent), leaf);
    }
    taxonomies_.emplace(file, std::move(builder).Build());
  }

  Verdict Verify(std::string_view text) {
    const Dataset published = ParseForest(schema_, text, "published.jsonl");
    Result<Verdict> verdict = VerifyPublished(*schema_, privacy_, taxonomies_, published);
    EXPECT_TRUE(verdict.ok()) << verdict.error().message;
    return std::move(*verdict);
  }

  // Expects exactly these violations, all of one kind, and returns the first message.
  static std::string Only(const Verdict& verdict, ViolationKind kind, uint64_t count = 1) {
    EXPECT_FALSE(verdict.holds);
    EXPECT_EQ(verdict.violations.total(kind), count);
    EXPECT_EQ(verdict.violations.total(), count);
    return verdict.violations.shown().empty() ? "" : verdict.violations.shown()[0].message;
  }

  std::shared_ptr<Schema> schema_ =
      ParseSchema("student(major,year|gpa|campus){course(code|grade){instructor(name|score)}}");
  TaxonomyFiles taxonomies_;
  PrivacyPolicy privacy_{std::nullopt, 2};
};

constexpr std::string_view kDiverse =
    "student(CS,'[1990, 2000)'|3.81){"
    "  course(CS201|A){instructor(Levi|9) instructor(TA|8)} course('CS3**'|B){instructor('DB "
    "Prof.'|7)}}"
    "student(CS,'[1990, 2000)'|2.67){"
    "  course(CS201|A-){instructor(Levi|8) instructor(TA|10)} course('CS3**'|B-){instructor('DB "
    "Prof.'|6)}}";

TEST_F(VerifyTest, RejectsLookAlikesWhoseSiblingsStandInDifferentOrders) {
  const Verdict verdict = Verify(
      "student(CS|1){course(CS201|A) course(CS305|B)}"
      "student(CS|2){course(CS305|C) course(CS201|D)}");
  EXPECT_EQ(
      Only(verdict, ViolationKind::kTellsApart),
      "published.jsonl:2: records that look alike must have their vertices in the same order, "
      "but this one has them in another than published.jsonl:1");
  EXPECT_EQ(verdict.l, 2);
}

TEST_F(VerifyTest, AcceptsATwoDiverseClass) {
  const Verdict verdict = Verify(kDiverse);
  EXPECT_TRUE(verdict.holds);
  EXPECT_EQ(verdict.k, 2);
  EXPECT_EQ(verdict.l, 2);
  EXPECT_EQ(verdict.records, 2U);
  EXPECT_EQ(verdict.vertices, 12U);
  EXPECT_EQ(verdict.classes, 1U);
}

TEST_F(VerifyTest, EveryFindingOfTheReaderIsAViolation) {
  Dataset data = ParseForest(schema_, "student(CS|1)student(CS|2)");
  data.findings = {{Finding::Kind::kUnnamed, "published.jsonl: ssn", "must not be", 3},
                   {Finding::Kind::kTellsApart, "published.jsonl:2", "must be alike", 1}};
  const Result<Verdict> verdict = VerifyPublished(*schema_, privacy_, taxonomies_, data);
  ASSERT_TRUE(verdict.ok());
  EXPECT_FALSE(verdict->holds);
  ASSERT_EQ(verdict->violations.shown().size(), 2U);
  EXPECT_EQ(verdict->violations.shown()[0].message, "published.jsonl: ssn: must not be (3 times)");
  EXPECT_EQ(verdict->violations.total(ViolationKind::kUnnamedContent), 1U);
  EXPECT_EQ(verdict->violations.shown()[1].message, "published.jsonl:2: must be alike");
  EXPECT_EQ(verdict->violations.total(ViolationKind::kTellsApart), 1U);
}

TEST_F(VerifyTest, ClassNumbersSayNothingButWhichRecordsLookAlike) {
  constexpr uint32_t kNone = Dataset::kNoClassNumber;
  const std::vector<std::pair<std::vector<uint32_t>, std::string>> cases = {
      {{0, 1, 0, 1}, ""},
      {{1, 0, 1, 0}, ""},
      {{0, 1, 1, 1},
       "3: _class: records that look alike must have the same number, but this one has not"},
      {{0, 1, kNone, 1},
       "3: _class: records that look alike must have the same number, but this one has not"},
      {{0, kNone, 0, kNone},
       "2: _class: every record must have the number of its class, but this one has none"},
      {{0, 2, 0, 2}, "2: _class: classes must be numbered from 0 to 1, but this one is not"},
      {{1, 1, 1, 1},
       "2: _class: every class must have a number of its own, but this one has another's"},
  };
  for (const auto& [numbers, message] : cases) {
    Dataset data = ParseForest(schema_, "student(CS|1)student(EE|1)student(CS|2)student(EE|2)");
    data.class_numbers = numbers;
    const Result<Verdict> verdict = VerifyPublished(*schema_, privacy_, taxonomies_, data);
    ASSERT_TRUE(verdict.ok());
    EXPECT_EQ(verdict->holds, message.empty());
    if (!message.empty()) {
      EXPECT_EQ(Only(*verdict, ViolationKind::kTellsApart), "data.jsonl:" + message);
    }
  }
}

TEST_F(VerifyTest, AcceptsNoRecords) {
  const Verdict verdict = Verify("");
  EXPECT_TRUE(verdict.holds);
  EXPECT_EQ(verdict.k, std::nullopt);
  EXPECT_EQ(verdict.l, std::nullopt);
}

TEST_F(VerifyTest, RejectsAClassThatIsTooSmall) {
  privacy_ = {3, std::nullopt};
  const Verdict verdict = Verify("student(CS)student(CS)student(CS)student(EE)student(EE)");
  EXPECT_EQ(Only(verdict, ViolationKind::kClassTooSmall),
            "published.jsonl:4: at least 3 records must have the same quasi-identifiers and "
            "structure, but a class of only 2 does");
  EXPECT_EQ(verdict.k, 2);
  EXPECT_EQ(verdict.smallest_class, 2U);
  EXPECT_EQ(verdict.median_class, 2U);
  EXPECT_EQ(verdict.largest_class, 3U);
}

TEST_F(VerifyTest, NeedsClassesAsLargeAsKWhenKIsAboveL) {
  privacy_ = {3, 2};
  Only(Verify("student(CS|1)student(CS|2)"), ViolationKind::kClassTooSmall);
}

TEST_F(VerifyTest, RejectsRecordsThatDifferInStructureOnly) {
  Only(Verify("student(CS|1){course(CS201|A)}"
              "student(CS|2){course(CS201|B) course(CS201|C)}"),
       ViolationKind::kClassTooSmall, 2);
}

TEST_F(VerifyTest, RejectsTheSameVerticesUnderDifferentParents) {
  Only(Verify("student(CS|1){course(CS201|A){instructor(TA1|1)} course(CS305|A)}"
              "student(CS|2){course(CS201|B) course(CS305|B){instructor(TA1|2)}}"),
       ViolationKind::kClassTooSmall, 2);
}

TEST_F(VerifyTest, RejectsOneDifferentLabelDeepInTheTree) {
  Only(Verify("student(CS|1){course(CS201|A){instructor(TA1|1)}}"
              "student(CS|2){course(CS201|B){instructor(TA|2)}}"),
       ViolationKind::kClassTooSmall, 2);
}

TEST_F(VerifyTest, DoesNotTakeStarOrMissingForAValue) {
  privacy_ = {2, std::nullopt};
  Only(Verify("student(CS)student('*')student()"), ViolationKind::kClassTooSmall, 3);
}

TEST_F(VerifyTest, RejectsAValueThatIsTooFrequentAtItsPosition) {
  const Verdict verdict = Verify(
      "student(CS|1){course(CS201|A) course(CS305|B)}"
      "student(CS|2){course(CS201|C) course(CS305|B)}");
  const std::string message = Only(verdict, ViolationKind::kNotDiverse);
  EXPECT_EQ(message,
            "published.jsonl:1: course[1].grade: among the 2 aligned values of this record's class "
            "none may make up more than 1/2, but one makes up 2 of 2");
  EXPECT_EQ(verdict.l, 1);
}

TEST_F(VerifyTest, AllowsAValueAsOftenAsItsShareIsOneInL) {
  EXPECT_TRUE(Verify("student(CS|1)student(CS|1)student(CS|2)student(CS|3)").holds);
  const Verdict verdict = Verify("student(CS|1)student(CS|1)student(CS|2)");
  Only(verdict, ViolationKind::kNotDiverse);
  EXPECT_EQ(verdict.l, 1);
}

TEST_F(VerifyTest, AlignsSiblingsWithEqualLabelsByTheirOrderInTheFile) {
  // In the first pair another order of the siblings would be diverse, but the file does not show it.
  Only(Verify("student(CS|1){course(CS201|A) course(CS201|B)}"
              "student(CS|2){course(CS201|A) course(CS201|B)}"),
       ViolationKind::kNotDiverse, 2);
  EXPECT_TRUE(Verify("student(CS|1){course(CS201|A) course(CS201|B)}"
                     "student(CS|2){course(CS201|B) course(CS201|A)}")
                  .holds);
}

TEST_F(VerifyTest, ComparesBucketsOfAContinuousAttribute) {
  Only(Verify("student(CS|3.1)student(CS|3.9)"), ViolationKind::kNotDiverse);
  Only(Verify("student(CS|3.1)student(CS|4)"), ViolationKind::kNotDiverse);
  Only(Verify("student(CS|5)student(CS|6)"), ViolationKind::kNotDiverse);
  Only(Verify("student(CS|-5)student(CS|-6)"), ViolationKind::kNotDiverse);
  EXPECT_TRUE(Verify("student(CS|2.9)student(CS|3)").holds);
  EXPECT_TRUE(Verify("student(CS|4)student(CS|4.1)").holds);
  EXPECT_TRUE(Verify("student(CS|-0.1)student(CS|0)").holds);
}

TEST_F(VerifyTest, CountsMissingAsAValueOfItsOwn) {
  EXPECT_TRUE(Verify("student(CS|)student(CS|1)").holds);
  Only(Verify("student(CS|)student(CS|)"), ViolationKind::kNotDiverse);
}

TEST_F(VerifyTest, TakesANumberAndTheSameTextForOneSensitiveValue) {
  Only(Verify("student(CS|1){course(CS201|1)}student(CS|2){course(CS201|'1')}"),
       ViolationKind::kNotDiverse);
}

TEST_F(VerifyTest, ChecksEverySensitiveAttributeByItself) {
  schema_ = ParseSchema("person(city|illness,income)");
  schema_->classes[0].quasi[0].recoding.kind = Recoding::Kind::kMask;
  EXPECT_TRUE(Verify("person(A|flu,1)person(A|cold,2)").holds);
  EXPECT_THAT(Only(Verify("person(A|flu,1)person(A|cold,1)"), ViolationKind::kNotDiverse),
              HasSubstr("income"));
}

TEST_F(VerifyTest, DoesNotAskForDiversityWhereOnlyKIsPromised) {
  privacy_ = {2, std::nullopt};
  const Verdict verdict = Verify("student(CS|1)student(CS|1)");
  EXPECT_TRUE(verdict.holds);
  EXPECT_EQ(verdict.l, 1);
}

TEST_F(VerifyTest, RejectsAOnceValueThatOccursTwiceInAClass) {
  schema_->classes[1].sensitive[0].once = {"F"};
  EXPECT_TRUE(Verify("student(CS|1){course(CS201|F) course(CS305|A)}"
                     "student(CS|2){course(CS201|B) course(CS305|C)}")
                  .holds);
  const Verdict verdict = Verify(
      "student(CS|1){course(CS201|F) course(CS305|A)}"
      "student(CS|2){course(CS201|B) course(CS305|F)}");
  EXPECT_EQ(
      Only(verdict, ViolationKind::kOnceRepeated),
      "published.jsonl:1: course[0].grade: a value that the policy lists under once may occur "
      "only once in a class of 2 records, but occurs 2 times");
}

// Who made the classes does not matter: readers cannot tell those apart that look alike.
TEST_F(VerifyTest, RejectsAOnceValueThatOccursTwiceInTwoClassesThatLookAlike) {
  schema_->classes[0].sensitive[0].buckets.clear();
  schema_->classes[0].sensitive[0].once = {"F"};
  EXPECT_TRUE(Verify("student(CS|F)student(CS|A)student(CS|C)student(CS|B)").holds);
  Only(Verify("student(CS|F)student(CS|A)student(CS|F)student(CS|B)"),
       ViolationKind::kOnceRepeated);
}

TEST_F(VerifyTest, RejectsAClassWhoseValuesOnlyLookDifferent) {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"1", "1.0"},
      {"2.5", "25e-1"},
      {"'7'", "07"},
      {"HIV", "'HIV '"},
      {"HIV", "hiv"},
      {"caf\u00e9", "cafe\u0301"},
      {"''", ""},
      {"' '", ""},
      {"'H\u200bIV'", "HIV"},
      {"'flu\u00a0A'", "'flu A'"},
      {"-0", "0"},
      {"+5", "5"},
      {"1e400", "10e399"},
      {"9007199254740993", "9007199254740993.0"}};
  for (const auto& [a, b] : pairs) {
    const std::string text =
        "student(CS|1){course(CS201|" + a + ")}student(CS|2){course(CS201|" + b + ")}";
    Only(Verify(text), ViolationKind::kNotDiverse);
  }
  EXPECT_TRUE(Verify("student(CS|1){course(CS201|9007199254740992)}"
                     "student(CS|2){course(CS201|9007199254740993)}")
                  .holds);
}

TEST_F(VerifyTest, CountsBucketsExactlyAtTheirBounds) {
  schema_->classes[0].sensitive[0].buckets = {0, *Decimal::Parse("9007199254740993"), 1e20};
  EXPECT_TRUE(Verify("student(CS|9007199254740992)student(CS|9007199254740993)").holds);
  Only(Verify("student(CS|9007199254740993)student(CS|9007199254740994)"),
       ViolationKind::kNotDiverse);
  Only(Verify("student(CS|'')student(CS|)"), ViolationKind::kNotDiverse);
}

TEST_F(VerifyTest, KnowsAOnceValueHoweverItIsWritten) {
  schema_->classes[1].sensitive[0].once = {"Hiv", "1.0"};
  for (const std::string other : {"'HIV '", "hiv", "'h\u00adiv'"}) {
    Only(Verify("student(CS|1){course(CS201|HIV) course(CS305|A)}"
                "student(CS|2){course(CS201|B) course(CS305|" +
                other + ")}"),
         ViolationKind::kOnceRepeated);
  }
  Only(Verify("student(CS|1){course(CS201|1) course(CS305|A)}"
              "student(CS|2){course(CS201|B) course(CS305|10e-1)}"),
       ViolationKind::kOnceRepeated);
}

TEST_F(VerifyTest, RejectsAOnceValueThatOneRecordHasTwice) {
  privacy_ = {2, std::nullopt};
  schema_->classes[1].sensitive[0].once = {"F"};
  Only(Verify("student(CS|1){course(CS201|F) course(CS305|F)}"
              "student(CS|2){course(CS201|B) course(CS305|C)}"),
       ViolationKind::kOnceRepeated);
}

// Two grades at two places each, and yet everybody has an F.
constexpr std::string_view kCrossed =
    "student(CS|1){course(CS201|F) course(CS305|A)}"
    "student(CS|2){course(CS201|B) course(CS305|F)}";

TEST_F(VerifyTest, CountsAValueOverRecordsWhereThePolicySaysAnywhere) {
  const Verdict loose = Verify(kCrossed);
  EXPECT_TRUE(loose.holds);
  EXPECT_EQ(loose.share_at_place, 0.5);
  EXPECT_EQ(loose.share_anywhere, 1);
  schema_->classes[1].sensitive[0].anywhere = true;
  EXPECT_EQ(Only(Verify(kCrossed), ViolationKind::kAnywhereTooOften),
            "published.jsonl:1: course[0].grade: anywhere in this record's class a value may stand "
            "in at most 1/2 of the records, but this one stands in 2 of 2");
  EXPECT_TRUE(Verify("student(CS|1){course(CS201|F) course(CS305|F)}"
                     "student(CS|2){course(CS201|B) course(CS305|A)}")
                  .holds);
}

TEST_F(VerifyTest, CountsBucketsAnywhereAndNoMissingValues) {
  schema_->classes[2].sensitive[0].anywhere = true;
  schema_->classes[2].sensitive[0].buckets = {0, 5, 10};
  privacy_ = {2, std::nullopt};
  privacy_.l = 2;
  const std::string_view missing =
      "student(CS|1){course(CS201|A){instructor(TA1|) instructor(TA2|7)}}"
      "student(CS|2){course(CS201|B){instructor(TA1|3) instructor(TA2|)}}";
  EXPECT_TRUE(Verify(missing).holds);
  Only(Verify("student(CS|1){course(CS201|A){instructor(TA1|2) instructor(TA2|7)}}"
              "student(CS|2){course(CS201|B){instructor(TA1|8) instructor(TA2|3)}}"),
       ViolationKind::kAnywhereTooOften, 2);
}

TEST_F(VerifyTest, HasNoSharesWhereNothingIsSensitive) {
  for (VertexClass& vertex_class : schema_->classes) vertex_class.sensitive.clear();
  privacy_ = {2, std::nullopt};
  const Dataset published = ParseForest(schema_, "student(CS)student(CS)", "published.jsonl");
  const Result<Verdict> verdict = VerifyPublished(*schema_, privacy_, taxonomies_, published);
  ASSERT_TRUE(verdict.ok());
  EXPECT_EQ(verdict->share_at_place, std::nullopt);
  EXPECT_EQ(verdict->share_anywhere, std::nullopt);
}

TEST_F(VerifyTest, RejectsALabelThatNoRecodingPublishes) {
  const Verdict verdict = Verify(
      "student(CS,'[1991, 2001)'|1)student(CS,'[1991, 2001)'|2)"
      "student(PHY,1993|1)student(PHY,1993|2)");
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.violations.total(ViolationKind::kIllegalLabel), 2U);
  EXPECT_EQ(verdict.violations.total(), 2U);
  EXPECT_EQ(verdict.violations.shown()[0].count, 2U);
  EXPECT_EQ(verdict.violations.shown()[0].message,
            "published.jsonl:3: major: every label must be one that the policy's recoding can "
            "publish, but this one is not (2 of 4)");
}

TEST_F(VerifyTest, RejectsASensitiveValueThatHasNoBucket) {
  Only(Verify("student(CS|1)student(CS|high)"), ViolationKind::kNotANumber);
}

TEST_F(VerifyTest, NeverQuotesASensitiveValue) {
  schema_->classes[1].sensitive[0].once = {"SECRET"};
  const Verdict verdict = Verify(
      "student(CS|1){course(CS201|SECRET) course(CS305|SECRET)}"
      "student(CS|SECRET){course(CS201|SECRET) course(CS305|SECRET)}");
  EXPECT_EQ(verdict.violations.total(), 4U);
  for (const Violation& violation : verdict.violations.shown()) {
    EXPECT_THAT(violation.message, Not(HasSubstr("SECRET")));
  }
}

TEST_F(VerifyTest, CountsWhatItDoesNotShow) {
  std::string text;
  for (int year = 1900; year < 2000; ++year) text += "student(CS," + std::to_string(year) + "|1)";
  const Verdict verdict = Verify(text);
  EXPECT_EQ(verdict.violations.total(ViolationKind::kClassTooSmall), 100U);
  EXPECT_EQ(verdict.violations.shown().size(), Violations::kShown);
}

TEST_F(VerifyTest, NeedsAPromise) {
  privacy_ = {};
  const Result<Verdict> verdict =
      VerifyPublished(*schema_, privacy_, taxonomies_, ParseForest(schema_, "student(CS)"));
  ASSERT_FALSE(verdict.ok());
  EXPECT_EQ(verdict.error().code, ErrorCode::kUsage);
}

TEST_F(VerifyTest, NeedsItsTaxonomies) {
  taxonomies_.erase("code");
  const Result<Verdict> verdict =
      VerifyPublished(*schema_, privacy_, taxonomies_, ParseForest(schema_, "student(CS)"));
  ASSERT_FALSE(verdict.ok());
  EXPECT_EQ(verdict.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace thicket::verify_test
