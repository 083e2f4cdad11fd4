#include "loss/suppression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "record/dataset.h"
#include "testing/forest_text.h"
#include "testing/taxonomies.h"

namespace thicket::suppression_test {
namespace {

using ::testing::ElementsAre;
using testing::ParseForest;
using testing::ParseSchema;

TEST(SuppressionTest, AVertexCostsItsLabelsAndOneUnit) {
  VertexClass vertex_class;
  EXPECT_EQ(SuppressionCost(vertex_class), 1);
  vertex_class.quasi.resize(3);
  vertex_class.sensitive.resize(2);
  EXPECT_EQ(SuppressionCost(vertex_class), 3 * kLabelUnits + 1);
}

TEST(SuppressionTest, ASubtreeCostsAllOfItsVertices) {
  const auto schema = ParseSchema("r(a,b|s){c(q){d} e(|s)}");
  const Dataset data = ParseForest(schema, "r{c{d d} e}r");
  EXPECT_THAT(SubtreeCosts(*schema, data.forest),
              ElementsAre(3 * kLabelUnits + 5, kLabelUnits + 3, 1, 1, 1, 2 * kLabelUnits + 1));
}

TEST(SuppressionTest, NoRecordsCostNothing) {
  const auto schema = ParseSchema("r(a)");
  EXPECT_TRUE(SubtreeCosts(*schema, Forest()).empty());
}

// Fig. 3: seven courses, five under CS, two of them under CS2**.
Domain Courses() {
  TaxonomyBuilder builder;
  const auto cs = builder.Add(TaxonomyBuilder::root(), "CS");
  const auto cs2 = builder.Add(cs, "CS2**");
  for (const char* leaf : {"CS201", "CS204"}) builder.Add(cs2, leaf);
  const auto cs3 = builder.Add(cs, "CS3**");
  for (const char* leaf : {"CS301", "CS303", "CS305"}) builder.Add(cs3, leaf);
  for (const char* leaf : {"MATH101", "MATH102"}) builder.Add(TaxonomyBuilder::root(), leaf);
  return Domain::FromTaxonomy(std::move(builder).Build(), false);
}

Label At(const Domain& domain, const char* label) {
  const Node node = *domain.taxonomy().Find(label);
  return {node, node};
}

TEST(LossMetricTest, LabelsOfFigure3CostWhatDefinition39Says) {
  // Section 3.2: LM'(CS) = 4/6 and LM'(CS2**) = 1/6.
  const Domain courses = Courses();
  EXPECT_DOUBLE_EQ(courses.ExactLoss(At(courses, "CS")), 4.0 / 6);
  EXPECT_DOUBLE_EQ(courses.ExactLoss(At(courses, "CS2**")), 1.0 / 6);
  EXPECT_DOUBLE_EQ(courses.ExactLoss(At(courses, "CS3**")), 2.0 / 6);
  EXPECT_DOUBLE_EQ(courses.ExactLoss(At(courses, "*")), 1);
  EXPECT_DOUBLE_EQ(courses.ExactLoss(At(courses, "CS201")), 0);
  EXPECT_EQ(courses.Loss(At(courses, "CS")), 699051);     // 2^20 * 4/6, rounded
  EXPECT_EQ(courses.Loss(At(courses, "CS2**")), 174763);  // 2^20 * 1/6, rounded
}

TEST(LossMetricTest, TheTwoRecordsOfFigure4CostWhatSection32Computes) {
  // Costs of the labels as the text gives them: year of birth 1/10, course 1/3, instructor 2/7, teaching assistant 1/2.
  // 19 labels in both records, 7 of them suppressed.
  const TaxonomyFiles files = {{"major", testing::WithInner(3, 1)},
                               {"year", testing::WithInner(11, 2)},
                               {"course", testing::WithInner(7, 3)},
                               {"teacher", testing::WithInner(8, 3)},
                               {"assistant", testing::WithInner(3, 2)}};
  auto schema = ParseSchema(
      "student(major,year|gpa){course(course|grade){teacher(teacher|score) assistant(assistant)}}");
  for (VertexClass& vertex_class : schema->classes) {
    for (QuasiAttribute& attribute : vertex_class.quasi) attribute.recoding.file = attribute.name;
  }
  // Both have one course alike, which costs nothing; one with the same grade in both is suppressed with all that is
  // below it, four vertices in the upper record and three in the lower one.
  const Result<EncodedDataset> data = Encode(
      ParseForest(
          schema,
          "student(inside0,inside0|3.1){"
          "  course(inside0|A){teacher(inside0|9) assistant(inside0)}"
          "  course(outside1|B)"
          "  course(outside0|A-){teacher(outside0|8) assistant(outside0) assistant(inside1)}}"
          "student(inside0,inside1|2.5){"
          "  course(inside1|B){teacher(inside1|7) assistant(inside1)}"
          "  course(outside1|C)"
          "  course(outside0|A-){teacher(outside0|8) assistant(outside0)}}"),
      files);
  ASSERT_TRUE(data.ok()) << data.error().message;
  const Forest& forest = data->forest();
  ASSERT_EQ(CountLabels(data->schema(), forest).labels, 19U);

  double generalized = 0;
  for (const auto& [upper, lower] :
       {std::pair<Vertex, Vertex>{0, 9}, {1, 10}, {2, 11}, {3, 12}, {4, 13}}) {
    const auto& domains = data->classes[forest.class_of(upper)].domains;
    for (size_t slot = 0; slot < domains.size(); ++slot) {
      const Label both = domains[slot].Merge(domains[slot].Leaf(data->value(upper, slot)),
                                             domains[slot].Leaf(data->value(lower, slot)));
      generalized += 2 * domains[slot].ExactLoss(both);
    }
  }
  EXPECT_DOUBLE_EQ(generalized, (1.0 / 10 + 1.0 / 3 + 2.0 / 7 + 1.0 / 2) * 2);
  const std::vector<Units> costs = SubtreeCosts(data->schema(), forest);
  const Units lost = costs[5] + costs[14];
  EXPECT_EQ(lost, 7 * (kLabelUnits + 1));
  EXPECT_NEAR((generalized + 7) / 19, 0.497, 5e-4);
}

}  // namespace
}  // namespace thicket::suppression_test
