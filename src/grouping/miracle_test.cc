#include "grouping/miracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "testing/forest_text.h"

namespace thicket::miracle_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ParseForest;
using testing::ParseSchema;
using ::testing::UnorderedElementsAre;

// Fig. 1 of Nergiz et al. 2008 is lost in the text, which gives eight courses, four of them below Science, and that
// History and Religion meet at Social. Chemistry, Art and Law stand for those it does not name; books meet at the root.
TaxonomyFiles Hierarchies() {
  TaxonomyBuilder courses;
  const auto science = courses.Add(TaxonomyBuilder::root(), "Science");
  for (const char* leaf : {"Math", "CS", "Physics", "Chemistry"}) courses.Add(science, leaf);
  const auto social = courses.Add(TaxonomyBuilder::root(), "Social");
  for (const char* leaf : {"History", "Religion", "Art", "Law"}) courses.Add(social, leaf);
  TaxonomyBuilder books;
  for (const char* leaf : {"Discrete", "Calc", "Dyn", "AmHist"}) {
    books.Add(TaxonomyBuilder::root(), leaf);
  }
  TaxonomyFiles files;
  files.emplace("course", std::move(courses).Build());
  files.emplace("book", std::move(books).Build());
  return files;
}

// Courses and GPAs are those of Table V, the books those that sections II to IV mention, the grades made up.
const char* const kTable2 =
    "student(|3.72){course(Math|93){book(Discrete)} course(Physics|91){book(Calc) book(Dyn)}"
    "               course(History|85)}"
    "student(|2.34){course(CS|78){book(Discrete)} course(Physics|80){book(Dyn)}"
    "               course(Religion|81)}"
    "student(|3.12){course(History|82) course(Religion|83) course(Physics|84)}"
    "student(|4.00){course(History|98){book(AmHist)} course(Religion|86)}";

EncodedDataset Encoded(const char* text) {
  auto schema = ParseSchema("student(|gpa){course(course|grade){book(book)}}");
  schema->classes[1].quasi[0].recoding.file = "course";
  schema->classes[2].quasi[0].recoding.file = "book";
  return std::move(*Encode(ParseForest(schema, text), Hierarchies()));
}

Publication Publish(const EncodedDataset& data, const MiracleOptions& options) {
  Parallel parallel(1);
  Progress progress;
  return std::move(Miracle(data, options, parallel, progress)->published);
}

// The labels of a class below its root, each with its depth.
std::vector<std::string> Labels(const EncodedDataset& data, const PublishedTree& group) {
  std::vector<std::string> texts;
  for (size_t p = 1; p < group.size(); ++p) {
    const ClassId id = group.vertex_class[p];
    const Domain& domain = data.classes[id].domains[0];
    texts.push_back(std::string(id, '>') + domain.taxonomy().label(group.labels(p)[0].low));
  }
  return texts;
}

std::vector<std::vector<RecordId>> Classes(const Publication& published) {
  std::vector<std::vector<RecordId>> classes;
  for (const PublishedTree group : published.trees()) {
    classes.emplace_back(group.records.begin(), group.records.end());
  }
  return classes;
}

TEST(MiracleTest, ScienceLosesThreeSeventhsAsInSection2) {
  const EncodedDataset data = Encoded(kTable2);
  const Domain& domain = data.classes[1].domains[0];
  const Node science = *domain.taxonomy().Find("Science");
  EXPECT_DOUBLE_EQ(domain.ExactLoss({science, science}), 3.0 / 7);
}

TEST(MiracleTest, AnonymizesTheStudentsOfTable2InTheClassesOfTable3) {
  // Section II: the classes are {S1, S2} and {S3, S4}; section IV-B and Fig. 3: Math and CS become Science with their
  // common book, Physics stays with Dyn, Calc is suppressed, History and Religion become Social.
  for (const MiracleVariant variant : {MiracleVariant::kMiracle, MiracleVariant::kMiracleX}) {
    MiracleOptions options;
    options.variant = variant;
    options.th = 0.3;
    const EncodedDataset data = Encoded(kTable2);
    const Publication published = Publish(data, options);
    ASSERT_THAT(Classes(published), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
    EXPECT_THAT(published.suppressed(), IsEmpty());
    EXPECT_THAT(Labels(data, published.tree(0)),
                UnorderedElementsAre(">Science", ">>Discrete", ">Physics", ">>Dyn", ">Social"));
    EXPECT_THAT(Labels(data, published.tree(1)), UnorderedElementsAre(">History", ">Religion"));
  }
}

TEST(MiracleTest, MiracleXLooksOnlyAtTheLabelsOfSiblings) {
  // Section IV-C: the first course costs the same with both by its label; only its book tells them apart.
  const char* const text =
      "student{course(Math){book(Dyn)} course(Math){book(Calc)}}"
      "student{course(Math){book(Calc)} course(Math){book(Dyn)}}";
  const EncodedDataset data = Encoded(text);
  MiracleOptions options;
  options.th = 1;
  EXPECT_THAT(Labels(data, Publish(data, options).tree(0)),
              UnorderedElementsAre(">Math", ">>Calc", ">Math", ">>Dyn"));
  options.variant = MiracleVariant::kMiracleX;
  EXPECT_THAT(Labels(data, Publish(data, options).tree(0)),
              UnorderedElementsAre(">Math", ">>*", ">Math", ">>*"));
}

TEST(MiracleTest, BitmapKeepsOnlyWhatIsEqual) {
  // Section III-C, items 3 and 5: Math and CS cannot become Science, and their common book is lost with them.
  MiracleOptions options;
  options.variant = MiracleVariant::kBitmap;
  options.th = 1;
  const EncodedDataset data = Encoded(kTable2);
  const Publication published = Publish(data, options);
  ASSERT_THAT(Classes(published), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  EXPECT_THAT(Labels(data, published.tree(0)), ElementsAre(">Physics", ">>Dyn"));
}

TEST(MiracleTest, OpensAClusterOnlyBeyondTheThresholdAndWithinTheLimit) {
  const char* const text =
      "student{course(Math)} student{course(History)} student{course(Math)}"
      "student{course(History)}";
  const EncodedDataset data = Encoded(text);
  MiracleOptions options;
  EXPECT_THAT(Classes(Publish(data, options)), ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
  options.climit = 1;
  EXPECT_THAT(Classes(Publish(data, options)), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  options.climit = 150;
  options.th = 1;
  EXPECT_THAT(Classes(Publish(data, options)), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
}

TEST(MiracleTest, MergesLeftoverClustersNearestFirstAndSuppressesTheLastRecords) {
  const char* const text =
      "student{course(Math)} student{course(History)} student{course(CS)}"
      "student{course(Religion)} student{course(Law)}";
  MiracleOptions options;
  const Publication published = Publish(Encoded(text), options);
  EXPECT_THAT(Classes(published), ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
  EXPECT_THAT(published.suppressed(), ElementsAre(4));
}

TEST(MiracleTest, DMiracleSuppressesWhatIsNotDiverseWithWhatIsBelowIt) {
  const char* const text =
      "student(|1){course(Math|A){book(Calc)} course(CS|A){book(Dyn)}}"
      "student(|2){course(Math|A){book(Calc)} course(CS|B){book(Dyn)}}";
  const EncodedDataset data = Encoded(text);
  MiracleOptions options;
  options.variant = MiracleVariant::kDMiracle;
  options.rule.l = 2;
  EXPECT_THAT(Labels(data, Publish(data, options).tree(0)), ElementsAre(">CS", ">>Dyn"));
}

TEST(MiracleTest, DMiracleUnitesClassesWhoseRootsAreNotDiverse) {
  const char* const text =
      "student(|1){course(Math)} student(|1){course(Math)} student(|2){course(CS)}"
      "student(|3){course(CS)} student(|4){course(Law)} student(|5){course(Law)}";
  MiracleOptions options;
  options.variant = MiracleVariant::kDMiracle;
  options.rule.l = 2;
  const Publication published = Publish(Encoded(text), options);
  EXPECT_THAT(Classes(published), ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5)));
}

TEST(MiracleTest, DMiracleSuppressesAClassThatNoOtherMakesDiverseAndKeepsTheOthers) {
  const char* const text =
      "student(|1){course(Math)} student(|1){course(Math)} student(|1){course(Law)}"
      "student(|2){course(Law)}";
  MiracleOptions options;
  options.variant = MiracleVariant::kDMiracle;
  options.rule.l = 2;
  const Publication published = Publish(Encoded(text), options);
  EXPECT_THAT(Classes(published), ElementsAre(ElementsAre(2, 3)));
  EXPECT_THAT(published.suppressed(), ElementsAre(0, 1));
}

}  // namespace
}  // namespace thicket::miracle_test
