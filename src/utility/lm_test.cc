#include "utility/lm.h"

#include <gtest/gtest.h>

#include "utility/test_data.h"

namespace thicket::lm_test {
namespace {

// (born) -> course (code) -> instructor (professor), assistant (name), as in Fig. 4 of Ozalp et al. 2016.
std::shared_ptr<const Schema> PaperSchema() {
  return ToySchema({ToyClass("student", 0, {"major", "born"}, {"gpa"}),
                    ToyClass("course", 0, {"code"}, {"grade"}),
                    ToyClass("instructor", 1, {"professor"}, {}),
                    ToyClass("assistant", 1, {"name"}, {})});
}

// Hierarchies in which 199* costs 1/10, CS3** 1/3, "DB Prof." 2/7 and "TA" 1/2.
TaxonomyFiles PaperTaxonomies() {
  TaxonomyFiles files;
  files.emplace("major", ToyTaxonomy({{"*", "CS"}, {"*", "EE"}}));
  std::vector<std::vector<std::string>> born = {{"*", "199*", "1994"}, {"*", "199*", "1995"}};
  for (int year = 1981; year < 1990; ++year) born.push_back({"*", "198*", std::to_string(year)});
  files.emplace("born", ToyTaxonomy(born));
  files.emplace("code", ToyTaxonomy({{"*", "CS3**", "CS305"},
                                     {"*", "CS3**", "CS306"},
                                     {"*", "CS3**", "CS307"},
                                     {"*", "CS201"},
                                     {"*", "CS402"},
                                     {"*", "CS404"},
                                     {"*", "CS405"}}));
  files.emplace("professor", ToyTaxonomy({{"*", "DB Prof.", "P1"},
                                          {"*", "DB Prof.", "P2"},
                                          {"*", "DB Prof.", "P3"},
                                          {"*", "P4"},
                                          {"*", "P5"},
                                          {"*", "P6"},
                                          {"*", "P7"},
                                          {"*", "P8"}}));
  files.emplace("name", ToyTaxonomy({{"*", "TA", "TA1"},
                                     {"*", "TA", "TA2"},
                                     {"*", "TA", "TA3"},
                                     {"*", "TA4"},
                                     {"*", "TA5"}}));
  return files;
}

EncodedDataset PaperOriginal() {
  ToyData toy(PaperSchema());
  toy.Add({0,
           {"CS", "1994"},
           {"3.1"},
           {{1, {"CS306"}, {"A"}, {{2, {"P1"}, {}, {}}, {3, {"TA1"}, {}, {}}}},
            {1, {"CS201"}, {"B"}, {}},
            {1, {"CS404"}, {"A-"}, {{2, {"P4"}, {}, {}}, {3, {"TA5"}, {}, {}}}}}});
  toy.Add({0,
           {"CS", "1995"},
           {"2.9"},
           {{1, {"CS305"}, {"B"}, {{2, {"P2"}, {}, {}}, {3, {"TA2"}, {}, {}}}},
            {1, {"CS201"}, {"C"}, {}},
            {1,
             {"CS402"},
             {"A-"},
             {{2, {"P5"}, {}, {}}, {3, {"TA3"}, {}, {}}, {3, {"TA4"}, {}, {}}}}}});
  auto encoded = Encode(toy.Build(), PaperTaxonomies());
  EXPECT_TRUE(encoded.ok());
  return std::move(*encoded);
}

Dataset PaperPublished() {
  ToyData toy(PaperSchema());
  for (const char* gpa : {"3.1", "2.9"}) {
    toy.Add({0,
             {"CS", "199*"},
             {gpa},
             {{1, {"CS3**"}, {"A"}, {{2, {"DB Prof."}, {}, {}}, {3, {"TA"}, {}, {}}}},
              {1, {"CS201"}, {"B"}, {}}}});
  }
  return toy.Build();
}

TEST(LmTest, IsThePapersExample) {
  const auto report = MeasureLm(PaperOriginal(), PaperPublished());
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->labels, 19U);
  EXPECT_EQ(report->suppressed, 7U);
  EXPECT_EQ(report->generalized, 8U);
  // ((1/10 + 1/3 + 2/7 + 1/2) * 2 + 7) / 19 = 1982 / 3990, which the paper prints as 0.497.
  EXPECT_NEAR(report->lm(), 1982.0 / 3990.0, 1e-15);
  EXPECT_NEAR(report->lm(), 0.497, 0.0005);
}

TEST(LmTest, SplitsTheLossByClassAndAttribute) {
  const auto report = MeasureLm(PaperOriginal(), PaperPublished());
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->classes.size(), 4U);
  const ClassLoss& student = report->classes[0];
  EXPECT_EQ(student.name, "student");
  EXPECT_EQ(student.attributes[0].name, "major");
  EXPECT_EQ(student.attributes[0].lm(), 0);
  EXPECT_NEAR(student.attributes[1].lm(), 0.1, 1e-15);
  EXPECT_NEAR(student.lm(), 0.05, 1e-15);
  EXPECT_NEAR(report->classes[1].lm(), (2.0 / 3 + 2) / 6, 1e-15);
  EXPECT_NEAR(report->classes[2].lm(), (4.0 / 7 + 2) / 4, 1e-15);
  EXPECT_NEAR(report->classes[3].lm(), (1.0 + 3) / 5, 1e-15);
  double sum = 0;
  for (const ClassLoss& of_class : report->classes) sum += of_class.loss;
  EXPECT_DOUBLE_EQ(sum, report->loss);
}

TEST(LmTest, IsZeroForThePublishedOriginalAndOneForNothing) {
  ToyData same(PaperSchema());
  same.Add({0, {"EE", "1985"}, {"1"}, {{1, {"CS405"}, {"F"}, {}}}});
  ToyData original(PaperSchema());
  original.Add({0, {"EE", "1985"}, {"1"}, {{1, {"CS405"}, {"F"}, {}}}});
  const auto encoded = Encode(original.Build(), PaperTaxonomies());
  ASSERT_TRUE(encoded.ok());
  EXPECT_EQ(MeasureLm(*encoded, same.Build())->lm(), 0);
  EXPECT_EQ(MeasureLm(*encoded, ToyData(PaperSchema()).Build())->lm(), 1);
}

TEST(LmTest, MeasuresNumbersByWidthAndMissingValuesByTheirLeaf) {
  auto schema = std::make_shared<Schema>();
  VertexClass person = ToyClass("person", 0, {"weight"}, {});
  person.at.clear();
  person.quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  schema->classes = {person};
  ToyData original(schema);
  for (const char* weight : {"50", "60.5", "70", "90", ""}) original.Add({0, {weight}, {}, {}});
  const auto encoded = Encode(original.Build(), {});
  ASSERT_TRUE(encoded.ok()) << encoded.error().message;
  ToyData published(schema);
  for (const char* weight : {"[50, 60.5]", "[50, 60.5]", "70", "*", ""}) {
    published.Add({0, {weight}, {}, {}});
  }
  const auto report = MeasureLm(*encoded, published.Build());
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_NEAR(report->loss, 2 * 10.5 / 40 + 1, 1e-15);
  EXPECT_EQ(report->generalized, 3U);
  EXPECT_EQ(report->labels, 4U);
  EXPECT_EQ(report->absent, 1U);
}

// Persons with a code or none, as "" says.
Dataset Persons(const std::vector<std::string>& codes) {
  static const std::shared_ptr<const Schema> schema =
      ToySchema({ToyClass("person", 0, {"code"}, {})});
  ToyData toy(schema);
  for (const std::string& code : codes) toy.Add({0, {code}, {}, {}});
  return toy.Build();
}

LmReport LossOfPersons(const std::vector<std::string>& original,
                       const std::vector<std::string>& published) {
  const auto encoded = Encode(Persons(original), PaperTaxonomies());
  EXPECT_TRUE(encoded.ok());
  const auto report = MeasureLm(*encoded, Persons(published));
  EXPECT_TRUE(report.ok()) << report.error().message;
  return *report;
}

TEST(LmTest, AnAttributeOfWhichNothingSurvivesIsLostHoweverManyAreAbsent) {
  const LmReport report =
      LossOfPersons({"CS305", "CS201", "", "", "", "", ""}, {"*", "*", "*", "", "", "", ""});
  EXPECT_EQ(report.labels, 2U);
  EXPECT_EQ(report.absent, 5U);
  EXPECT_EQ(report.lm(), 1);
  EXPECT_EQ(report.generalized, 2U);
  EXPECT_EQ(report.suppressed, 0U);
}

TEST(LmTest, ValuesThatAreSuppressedAmongAbsentOnesAreLost) {
  const LmReport report = LossOfPersons({"CS305", "CS306", "CS201", ""}, {"CS3**", "CS3**"});
  EXPECT_EQ(report.labels, 3U);
  EXPECT_EQ(report.suppressed, 1U);
  EXPECT_EQ(report.generalized, 2U);
  // The leaf for absent values is one of eight.
  EXPECT_NEAR(report.lm(), (2 * 2.0 / 7 + 1) / 3, 1e-15);
}

TEST(LmTest, WithoutAnyValueNothingIsLost) {
  EXPECT_EQ(LossOfPersons({"", ""}, {"", ""}).lm(), 0);
  EXPECT_EQ(LossOfPersons({"", ""}, {}).lm(), 0);
}

TEST(LmTest, RejectsMoreValuesThanTheOriginalHas) {
  const auto encoded = Encode(Persons({"CS305", "", ""}), PaperTaxonomies());
  ASSERT_TRUE(encoded.ok());
  const auto report = MeasureLm(*encoded, Persons({"CS305", "CS305", ""}));
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().message,
            "toy: published data must not have more values of code than the original, but has 2 "
            "instead of 1");
}

TEST(LmTest, RejectsALabelThatTheOriginalDoesNotKnowWithoutQuotingIt) {
  for (const char* code : {"CS999", ""}) {
    ToyData published(PaperSchema());
    published.Add({0, {"CS", "1994"}, {"3.1"}, {{1, {code}, {"A"}, {}}}});
    const auto report = MeasureLm(PaperOriginal(), published.Build());
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, ErrorCode::kData);
    EXPECT_EQ(report.error().value, code);
    EXPECT_EQ(report.error().message,
              "toy:1: course[0].code: a published value must be an original one or a "
              "generalization of it, but this one is neither");
  }
}

TEST(LmTest, RejectsIntervalsWhoseEndsAreNoValues) {
  auto schema = std::make_shared<Schema>();
  VertexClass person = ToyClass("person", 0, {"weight"}, {});
  person.at.clear();
  person.quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  schema->classes = {person};
  ToyData original(schema);
  for (const char* weight : {"50", "60"}) original.Add({0, {weight}, {}, {}});
  const auto encoded = Encode(original.Build(), {});
  ASSERT_TRUE(encoded.ok());
  for (const char* weight : {"[50, 61]", "[60, 50]", "[50 60]", "[50, 60", "55", "[,]", "heavy"}) {
    ToyData published(schema);
    published.Add({0, {weight}, {}, {}});
    EXPECT_FALSE(MeasureLm(*encoded, published.Build()).ok()) << weight;
  }
}

TEST(LmTest, RejectsMoreVerticesThanTheOriginalHas) {
  ToyData published(PaperSchema());
  for (int i = 0; i < 3; ++i) published.Add({0, {"CS", "1994"}, {"3.1"}, {}});
  const auto report = MeasureLm(PaperOriginal(), published.Build());
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, ErrorCode::kData);
}

}  // namespace
}  // namespace thicket::lm_test
