#include "verify/truthful.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.h"
#include "testing/forest_text.h"

namespace thicket::truthful_test {
namespace {

using ::testing::HasSubstr;
using testing::ParseForest;
using testing::ParseSchema;

class TruthfulTest : public ::testing::Test {
 protected:
  TruthfulTest() {
    Recoding& major = schema_->classes[0].quasi[0].recoding;
    major.kind = Recoding::Kind::kMask;
    major.mask = 1;
    Recoding& year = schema_->classes[0].quasi[1].recoding;
    year.kind = Recoding::Kind::kRanges;
    year.widths = {5, 10};
    Recoding& code = schema_->classes[1].quasi[0].recoding;
    code.kind = Recoding::Kind::kMask;
    code.mask = 2;
    Recoding& title = schema_->classes[2].quasi[0].recoding;
    title.kind = Recoding::Kind::kMask;
  }

  TruthVerdict Verify(std::string_view published,
                      std::optional<std::vector<RecordId>> certificate) {
    const Dataset data = ParseForest(schema_, published, "published.jsonl");
    const Dataset original = ParseForest(schema_, kOriginal, "original.jsonl");
    std::optional<std::span<const RecordId>> span;
    if (certificate) span = *certificate;
    Result<TruthVerdict> verdict = VerifyTruthful(*schema_, {}, {}, data, original, span);
    EXPECT_TRUE(verdict.ok()) << verdict.error().message;
    return std::move(*verdict);
  }
  // A record that claims to come from original 0 is rejected, with the certificate for this reason.
  void ExpectUntrue(std::string_view published, ViolationKind kind, std::string_view where) {
    const TruthVerdict certified = Verify(published, std::vector<RecordId>{0});
    EXPECT_FALSE(certified.holds);
    EXPECT_EQ(certified.untrue, 1U);
    EXPECT_EQ(certified.violations.total(kind), 1U);
    ASSERT_EQ(certified.violations.shown().size(), 1U);
    EXPECT_THAT(certified.violations.shown()[0].message, HasSubstr(where));
    const TruthVerdict found = Verify(published, std::nullopt);
    EXPECT_FALSE(found.holds);
    EXPECT_EQ(found.violations.total(ViolationKind::kNoOriginal), 1U);
  }

  static constexpr std::string_view kOriginal =
      "student(CS,1993|3.8|north){course(CS201|A) course(CS204|B){book(Algorithms)} "
      "course(CS305|A)}"
      "student(CS,1994|2.1|south){course(CS201|C)}"
      "student(EE,|2.1|south)";
  std::shared_ptr<Schema> schema_ =
      ParseSchema("student(major,year|gpa|campus){course(code|grade){book(title)}}");
};

TEST_F(TruthfulTest, AcceptsGeneralizedPrunedAndReorderedRecords) {
  const std::string_view published =
      "student('*','*'|2.1|south)"
      "student(CS,'[1990, 2000)'|3.8|north){course('CS3**'|A) course('CS2**'|B){book(Algorithms)}}"
      "student('C*',1994|2.1|south){course(CS201|C)}";
  EXPECT_TRUE(Verify(published, std::vector<RecordId>{2, 0, 1}).holds);
  EXPECT_TRUE(Verify(published, std::nullopt).holds);
  EXPECT_TRUE(Verify(kOriginal, std::nullopt).holds);
  EXPECT_TRUE(Verify("", std::nullopt).holds);
}

TEST_F(TruthfulTest, TheIthElementOfAnOrderedClassComesFromTheIth) {
  schema_->classes[1].ordered = true;
  const auto holds = [&](std::string_view courses) {
    return Verify("student(CS,'*'|3.8|north){" + std::string(courses) + "}",
                  std::vector<RecordId>{0})
        .holds;
  };
  EXPECT_TRUE(holds("course('CS2**'|A) course('CS2**'|B){book(Algorithms)} course(CS305|A)"));
  EXPECT_TRUE(holds("course(CS201|A) course(CS204|B)"));
  EXPECT_FALSE(holds("course(CS204|B) course(CS201|A)"));
  EXPECT_FALSE(holds("course(CS201|A) course('CS3**'|A)"));
  EXPECT_FALSE(holds("course(CS204|B){book(Algorithms)}"));
  schema_->classes[1].ordered = false;
  EXPECT_TRUE(holds("course(CS204|B) course(CS201|A)"));
}

TEST_F(TruthfulTest, FindsTheOneAssignmentThatGivesEachItsOwn) {
  // The first published record fits both originals with this average, the second only the student of EE.
  EXPECT_TRUE(Verify("student('*','*'|2.1|south)student(CS,'*'|2.1|south)", std::nullopt).holds);
  EXPECT_TRUE(Verify("student('*','*'|2.1|south)student(EE,|2.1|south)", std::nullopt).holds);
}

// Students whose averages tell them apart, each with two courses that only their grades tell apart.
std::string Student(int number, bool in_order) {
  const std::string first = fmt::format("course(CS200|{}a)", number);
  const std::string second = fmt::format("course(CS200|{}b)", number);
  return fmt::format("student(CS,1993|{}|north){{{} {}}}", number, in_order ? first : second,
                     in_order ? second : first);
}

std::string Students(const std::vector<int>& numbers, const std::vector<bool>& in_order) {
  std::string text;
  for (const int number : numbers) {
    text += Student(number, in_order[static_cast<size_t>(number)]);
  }
  return text;
}

TEST_F(TruthfulTest, LooksAtTheOrderOfRecordsWhoseOriginalsAreCertain) {
  std::vector<int> numbers(40);
  std::iota(numbers.begin(), numbers.end(), 0);
  const std::vector<bool> in_order(40, true);
  const Dataset original = ParseForest(schema_, Students(numbers, in_order), "original.jsonl");
  std::vector<bool> turned(40, true);
  for (size_t i = 0; i < 40; i += 2) turned[i] = false;
  Random random = Random::Seeded(1);
  const auto verify = [&](const std::string& text) {
    return *VerifyTruthful(*schema_, {}, {}, ParseForest(schema_, text, "published.jsonl"),
                           original);
  };
  const TruthVerdict raw = verify(Students(numbers, turned));
  EXPECT_TRUE(raw.holds);
  EXPECT_TRUE(raw.in_source_order);
  EXPECT_EQ(raw.violations.total(ViolationKind::kSourceOrder), 1U);
  random.Shuffle(numbers);
  EXPECT_FALSE(verify(Students(numbers, turned)).in_source_order);
  // Records that are equal, or fit several originals, have no order.
  std::string alike;
  for (int i = 0; i < 40; ++i) alike += "student(CS,1993|7|north)";
  const auto same = VerifyTruthful(*schema_, {}, {}, ParseForest(schema_, alike, "published.jsonl"),
                                   ParseForest(schema_, alike, "original.jsonl"));
  EXPECT_TRUE(same->holds);
  EXPECT_FALSE(same->in_source_order);
}

// One record of each class speaks for it, so the classes differ in their years.
TEST_F(TruthfulTest, LooksAtTheOrderOfEqualSiblings) {
  std::string original;
  std::vector<std::string> in_order;
  std::vector<std::string> mixed;
  for (int i = 0; i < 30; ++i) {
    const auto student = [&](bool turned) {
      std::string text = Student(i, !turned);
      return text.replace(text.find("1993"), 4, std::to_string(1900 + i));
    };
    original += student(false);
    in_order.push_back(student(false));
    mixed.push_back(student(i % 2 == 0));
  }
  const auto verify = [&](std::vector<std::string> records) {
    Random::Seeded(2).Shuffle(records);
    std::string text;
    for (const std::string& record : records) text += record;
    return *VerifyTruthful(*schema_, {}, {}, ParseForest(schema_, text, "published.jsonl"),
                           ParseForest(schema_, original, "original.jsonl"));
  };
  const TruthVerdict raw = verify(in_order);
  EXPECT_TRUE(raw.holds);
  ASSERT_TRUE(raw.in_source_order);
  EXPECT_THAT(raw.violations.shown()[0].message,
              HasSubstr("siblings that look alike must stand in random order, but the 60"));
  EXPECT_FALSE(verify(mixed).in_source_order);
}

TEST_F(TruthfulTest, RejectsALabelThatIsNoAncestor) {
  ExpectUntrue("student(CS,'[1995, 2000)'|3.8|north)", ViolationKind::kNotAncestor,
               "published.jsonl:1: year: ");
  ExpectUntrue("student(CS,|3.8|north)", ViolationKind::kNotAncestor, ": year: ");
  ExpectUntrue("student(E*,1993|3.8|north)", ViolationKind::kNotAncestor, ": major: ");
}

TEST_F(TruthfulTest, RejectsAMissingValueThatWasThere) {
  EXPECT_FALSE(Verify("student(CS,|2.1|south)", std::vector<RecordId>{1}).holds);
}

TEST_F(TruthfulTest, RejectsAValueWhereNoneWas) {
  EXPECT_FALSE(Verify("student(EE,'[1990, 2000)'|2.1|south)", std::vector<RecordId>{2}).holds);
}

TEST_F(TruthfulTest, RejectsAChangedSensitiveValue) {
  ExpectUntrue("student(CS,1993|3.9|north)", ViolationKind::kValueChanged, ": gpa: ");
  ExpectUntrue("student(CS,1993||north)", ViolationKind::kValueChanged, ": gpa: ");
  ExpectUntrue("student(CS,1993|'3.8'|north)", ViolationKind::kValueChanged, ": gpa: ");
  ExpectUntrue("student(CS,1993|3.8|north){course(CS204|C)}", ViolationKind::kInventedVertex,
               ": course[0].code: ");
}

TEST_F(TruthfulTest, ComparesNumbersByValue) {
  EXPECT_TRUE(Verify("student(CS,1993.0|3.80|north)", std::vector<RecordId>{0}).holds);
  EXPECT_TRUE(Verify("student(CS,1.993e3|38e-1|north)", std::nullopt).holds);
  ExpectUntrue("student(CS,1993.1|3.8|north)", ViolationKind::kNotAncestor, ": year: ");
  ExpectUntrue("student(CS,1993|3.80000000000000000001|north)", ViolationKind::kValueChanged,
               ": gpa: ");
}

TEST(TruthfulNumbersTest, RejectsANeighbourBeyondTheDoubles) {
  const auto schema = ParseSchema("r(n|s)");
  const Dataset original = ParseForest(schema, "r(9007199254740993|9007199254740993)");
  const auto holds = [&](std::string_view published) {
    return VerifyTruthful(*schema, {}, {}, ParseForest(schema, published), original, std::nullopt)
        ->holds;
  };
  for (const Recoding::Kind kind : {Recoding::Kind::kNumeric, Recoding::Kind::kRanges}) {
    schema->classes[0].quasi[0].recoding.kind = kind;
    schema->classes[0].quasi[0].recoding.widths = {1};
    EXPECT_TRUE(holds("r(9007199254740993|9007199254740993)"));
    EXPECT_TRUE(holds("r(9007199254740993.0|9007199254740993.0)"));
    EXPECT_FALSE(holds("r(9007199254740992|9007199254740993)"));
    EXPECT_FALSE(holds("r(9007199254740993|9007199254740992)"));
  }
  EXPECT_TRUE(holds("r('[9007199254740993, 9007199254740994)'|9007199254740993)"));
  EXPECT_FALSE(holds("r('[9007199254740992, 9007199254740993)'|9007199254740993)"));
  schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  EXPECT_TRUE(holds("r('[9007199254740992, 9007199254740993]'|9007199254740993)"));
  EXPECT_FALSE(holds("r('[9007199254740991, 9007199254740992]'|9007199254740993)"));
  EXPECT_FALSE(holds("r('[9007199254740994, 9007199254740995]'|9007199254740993)"));
}

TEST_F(TruthfulTest, RejectsAChangedKeptValue) {
  ExpectUntrue("student(CS,1993|3.8|south)", ViolationKind::kValueChanged, ": campus: ");
}

TEST_F(TruthfulTest, RejectsAnInventedVertex) {
  ExpectUntrue("student(CS,1993|3.8|north){course(CS201|A) course('CS***'|F)}",
               ViolationKind::kInventedVertex, ": course[1].code: ");
  ExpectUntrue("student(CS,1993|3.8|north){course(CS201|A){book(Algorithms)}}",
               ViolationKind::kInventedVertex, ": course[0].code: ");
  // Two published courses, one original that fits either.
  ExpectUntrue("student(CS,1993|3.8|north){course('CS2**'|A) course(CS201|A)}",
               ViolationKind::kInventedVertex, ": course[1].code: ");
}

TEST_F(TruthfulTest, RejectsOneOriginalBehindTwoPublishedRecords) {
  const std::string_view published = "student(CS,1993|3.8|north)student('C*',1993|3.8|north)";
  const TruthVerdict certified = Verify(published, std::vector<RecordId>{0, 0});
  EXPECT_FALSE(certified.holds);
  EXPECT_EQ(certified.violations.total(ViolationKind::kSharedOriginal), 1U);
  const TruthVerdict found = Verify(published, std::nullopt);
  EXPECT_FALSE(found.holds);
  EXPECT_EQ(found.untrue, 1U);
  EXPECT_EQ(found.violations.total(ViolationKind::kSharedOriginal), 1U);
}

TEST_F(TruthfulTest, RejectsACopyOfAPublishedRecord) {
  const TruthVerdict verdict =
      Verify("student(CS,1993|3.8|north)student(CS,1993|3.8|north)", std::nullopt);
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.untrue, 1U);
}

TEST_F(TruthfulTest, RejectsACertificateOfAnotherDataSet) {
  const Dataset data = ParseForest(schema_, "student(CS,1993|3.8|north)");
  const Dataset original = ParseForest(schema_, kOriginal);
  const std::vector<RecordId> short_one;
  const std::vector<RecordId> unknown = {3};
  for (const auto& certificate : {short_one, unknown}) {
    const Result<TruthVerdict> verdict =
        VerifyTruthful(*schema_, {}, {}, data, original, std::span<const RecordId>(certificate));
    ASSERT_FALSE(verdict.ok());
    EXPECT_EQ(verdict.error().code, ErrorCode::kData);
  }
}

// Whether the published subtree embeds, by trying every injection of its children.
bool NaiveEmbeds(const Schema& schema, const Dataset& published, Vertex p, const Dataset& original,
                 Vertex o) {
  const ClassId id = published.forest.class_of(p);
  if (original.forest.class_of(o) != id) return false;
  for (size_t slot = 0; slot < schema.classes[id].value_count(); ++slot) {
    const Symbol label = published.forest.value(p, slot);
    const Symbol value = original.forest.value(o, slot);
    const std::string label_text(published.dictionaries[id][slot].text(label));
    const std::string value_text(original.dictionaries[id][slot].text(value));
    const bool same = label_text == value_text && (label == kMissing) == (value == kMissing);
    const bool masked =
        slot < schema.classes[id].quasi.size() &&
        (label_text == "*" || (label_text.size() == 2 && value_text.size() == 2 &&
                               label_text[1] == '*' && label_text[0] == value_text[0]));
    if (!same && !masked) return false;
  }
  std::vector<Vertex> children;
  std::vector<Vertex> sources;
  for (const Vertex child : published.forest.Children(p)) children.push_back(child);
  for (const Vertex child : original.forest.Children(o)) sources.push_back(child);
  if (children.size() > sources.size()) return false;
  do {
    bool all = true;
    for (size_t i = 0; i < children.size() && all; ++i) {
      all = NaiveEmbeds(schema, published, children[i], original, sources[i]);
    }
    if (all) return true;
  } while (std::next_permutation(sources.begin(), sources.end()));
  return false;
}

bool NaiveTruthful(const Schema& schema, const Dataset& published, const Dataset& original) {
  std::vector<RecordId> sources(original.forest.record_count());
  std::iota(sources.begin(), sources.end(), 0U);
  const size_t count = published.forest.record_count();
  if (count > sources.size()) return false;
  do {
    bool all = true;
    for (RecordId i = 0; i < count && all; ++i) {
      all = NaiveEmbeds(schema, published, published.forest.root(i), original,
                        original.forest.root(sources[i]));
    }
    if (all) return true;
  } while (std::next_permutation(sources.begin(), sources.end()));
  return false;
}

TEST(TruthfulOrderTest, WithACertificateTheOrderOfLookAlikesIsSeenByWhoAsks) {
  auto schema = ParseSchema("r(q|s)");
  schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kMask;
  std::string text;
  for (int i = 0; i < 12; ++i) text += i % 2 == 0 ? "r(a|S)" : "r(a|T)";
  const Dataset data = ParseForest(schema, text);
  std::vector<RecordId> certificate(12);
  std::iota(certificate.begin(), certificate.end(), RecordId{0});
  const auto verify = [&](bool judge_order) {
    Result<TruthVerdict> verdict = VerifyTruthful(
        *schema, {}, {}, data, data, std::span<const RecordId>(certificate), judge_order);
    EXPECT_TRUE(verdict.ok()) << verdict.error().message;
    return std::move(*verdict);
  };
  EXPECT_FALSE(verify(false).in_source_order);
  EXPECT_TRUE(verify(true).in_source_order);
  EXPECT_TRUE(verify(true).holds);
  EXPECT_EQ(verify(true).violations.total(ViolationKind::kSourceOrder), 1U);
  certificate = {6, 3, 10, 1, 8, 11, 0, 5, 2, 9, 4, 7};
  EXPECT_TRUE(verify(true).holds);
  EXPECT_FALSE(verify(true).in_source_order);
}

// A random record over few values, so that records often fit each other.
std::string RandomTree(Random& random, bool published) {
  const auto label = [&] {
    if (published && random.Below(3) == 0) return std::string("'*'");
    const std::string first(1, "ab"[random.Below(2)]);
    if (published && random.Below(3) == 0) return "'" + first + "*'";
    return first + "xy"[random.Below(2)];
  };
  std::string text = "r(" + label() + "|" + (random.Below(4) == 0 ? "S" : "T") + "){";
  const size_t children = random.Below(published ? 3 : 4);
  for (size_t i = 0; i < children; ++i) {
    text += "c(" + label() + "|" + (random.Below(3) == 0 ? "U" : "V") + "){";
    if (random.Below(2) == 0) text += random.Below(2) == 0 ? "d(ax)" : "d(bx)";
    text += "}";
  }
  return text + "}";
}

RC_GTEST_PROP(TruthfulPropertyTest, AgreesWithTryingEveryAssignmentOfOriginals, (uint64_t seed)) {
  auto schema = ParseSchema("r(q|s){c(q|s){d(q)}}");
  for (VertexClass& vertex_class : schema->classes) {
    vertex_class.quasi[0].recoding.kind = Recoding::Kind::kMask;
    vertex_class.quasi[0].recoding.mask = 1;
  }
  Random random = Random::Seeded(seed);
  std::string published;
  std::string original;
  for (size_t i = 0; i < 4; ++i) original += RandomTree(random, false);
  for (size_t i = 0; i < 1 + random.Below(3); ++i) published += RandomTree(random, true);
  const Dataset data = ParseForest(schema, published);
  const Dataset source = ParseForest(schema, original);
  Result<TruthVerdict> verdict = VerifyTruthful(*schema, {}, {}, data, source);
  RC_ASSERT(verdict.ok());
  const bool expected = NaiveTruthful(*schema, data, source);
  RC_TAG(expected ? "true" : "untrue");
  RC_ASSERT(verdict->holds == expected);
}

}  // namespace
}  // namespace thicket::truthful_test
