// The worked examples of Gkountouna et al. 2013 that concern cuts, relations and the search.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutting/kmn/cut_examiner.h"
#include "cutting/kmn/cut_search.h"
#include "cutting/kmn/medical_example_test.h"
#include "cutting/kmn/recode.h"
#include "cutting/kmn/shapes.h"
#include "cutting/kmn/synopsis.h"

namespace thicket::paper_examples_test {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class PaperExamples : public ::testing::Test {
 protected:
  // "Hospital1 > Flu" with its support, for every node of the synopsis.
  std::map<std::string, uint32_t> SupportsUnder(const std::vector<std::string>& cut,
                                                const std::vector<Relation>& broken = {}) const {
    const std::vector<Item> label_of = names_.Cut(cut);
    BrokenRelations relations(items_.size());
    for (const Relation& relation : broken) relations.Add(relation);
    Synopsis synopsis;
    LabelTree tree(items_);
    for (size_t shape = 0; shape < shapes_.size(); ++shape) {
      tree.Load(shapes_, shape, label_of);
      tree.Apply(relations);
      synopsis.Add(tree, shapes_.weight(shape));
    }
    std::map<std::string, uint32_t> supports;
    std::vector<std::string> path(synopsis.size());
    for (uint32_t node = 1; node < synopsis.size(); ++node) {
      const uint32_t parent = synopsis.node(node).parent;
      path[node] =
          (parent == 0 ? "" : path[parent] + " > ") + names_.label(synopsis.node(node).label);
      supports[path[node]] = synopsis.support(node);
    }
    return supports;
  }

  Result<std::optional<CutSolution>> Search(CutMethod method, KnowledgeLimits limits,
                                            size_t g = 2) {
    CutSearchOptions options;
    options.method = method;
    options.cost = CutCost::kRpd;
    options.limits = limits;
    options.g = g;
    Parallel parallel(1);
    Progress progress;
    return SearchCut(items_, shapes_, options, parallel, progress);
  }

  const EncodedDataset data_ = MedicalDataset(Figure10());
  const ItemHierarchy items_{data_};
  const MedicalItems names_{items_, data_};
  const Shapes shapes_ = Shapes::Of(items_, data_);
  const std::vector<std::string> leaves_ = {
      "Hospital1", "Hospital2", "Rea",          "Gaia",       "Flu",         "Bronchitis",
      "Diarrhea",  "Gastritis", "Neurological", "Orthopedic", "Pain killer", "Antibiotics"};
};

TEST_F(PaperExamples, TheSynopsisTreeHasTheSupportsOfFigure11) {  // Example 4
  EXPECT_EQ(SupportsUnder(leaves_),
            (std::map<std::string, uint32_t>{{"Hospital1", 4},
                                             {"Hospital1 > Gastritis", 3},
                                             {"Hospital1 > Gastritis > Pain killer", 1},
                                             {"Hospital1 > Flu", 1},
                                             {"Hospital1 > Flu > Pain killer", 1},
                                             {"Hospital1 > Bronchitis", 2},
                                             {"Hospital1 > Bronchitis > Antibiotics", 1},
                                             {"Hospital2", 3},
                                             {"Hospital2 > Flu", 3},
                                             {"Hospital2 > Flu > Pain killer", 3},
                                             {"Hospital2 > Bronchitis", 2},
                                             {"Hospital2 > Bronchitis > Antibiotics", 2}}));
}

TEST_F(PaperExamples, TheProjectedSynopsisTreeHasTheSupportsOfFigure12) {  // Example 5
  EXPECT_EQ(SupportsUnder({"Hospital1", "Hospital2", "Lung Disease", "Stomach Disorder",
                           "Pain killer", "Antibiotics", "Maternity Hosp.", "Physiotherapy"}),
            (std::map<std::string, uint32_t>{{"Hospital1", 4},
                                             {"Hospital1 > Stomach Disorder", 3},
                                             {"Hospital1 > Stomach Disorder > Pain killer", 1},
                                             {"Hospital1 > Lung Disease", 3},
                                             {"Hospital1 > Lung Disease > Pain killer", 1},
                                             {"Hospital1 > Lung Disease > Antibiotics", 1},
                                             {"Hospital2", 3},
                                             {"Hospital2 > Lung Disease", 3},
                                             {"Hospital2 > Lung Disease > Pain killer", 3},
                                             {"Hospital2 > Lung Disease > Antibiotics", 2}}));
}

// Example 7: under the cut {Lung Disease, Gastritis, Diarrhea, Medicine, Hospital1, Hospital2, Rea, Gaia} exactly
// Gastritis over Medicine is broken. (Nobody has physiotherapy, so the paper does not list it.) The paper says k = 3,
// but two records, r1 and r2, have both Gastritis and Hospital2, so the labels of its solution are rare for k = 3.
TEST_F(PaperExamples, UnderTheCutOfExample7GastritisOverMedicineIsBroken) {
  CutSearchOptions options;
  options.limits = {2, 2, 1};
  CutExaminer examiner(items_, shapes_, options);
  std::unique_ptr<Cut> cut = examiner.MostGeneralCut();
  Outcome outcome;
  std::vector<Item> specialized;
  for (const ItemHierarchy::Attribute& attribute : items_.attributes()) {
    specialized.push_back(attribute.left_out);
  }
  for (const char* label : {"Medical Center", "General Hosp.", "Maternity Hosp.", "Disease",
                            "Stomach Disorder", "Treatment"}) {
    specialized.push_back(names_[label]);
  }
  for (const Item label : specialized) {
    outcome = examiner.Examine(*cut, label);
    ASSERT_EQ(outcome.kind, Outcome::Kind::kValid);
    cut = examiner.Descend(*cut, label, outcome);
  }
  EXPECT_THAT(names_.labels(cut->labels),
              UnorderedElementsAre("Lung Disease", "Gastritis", "Diarrhea", "Medicine",
                                   "Physiotherapy", "Hospital1", "Hospital2", "Rea", "Gaia"));
  EXPECT_THAT(outcome.broken, ElementsAre(Relation{names_["Gastritis"], names_["Medicine"]}));
}

TEST_F(PaperExamples, TheCutOfExample7HasLabelsThatAreRareForThree) {
  CutSearchOptions options;
  options.limits = {3, 2, 1};
  CutExaminer examiner(items_, shapes_, options);
  std::unique_ptr<Cut> cut = examiner.MostGeneralCut();
  for (const ItemHierarchy::Attribute& attribute : items_.attributes()) {
    cut = examiner.Descend(*cut, attribute.left_out, examiner.Examine(*cut, attribute.left_out));
  }
  for (const char* label : {"Medical Center", "General Hosp."}) {
    cut = examiner.Descend(*cut, names_[label], examiner.Examine(*cut, names_[label]));
  }
  EXPECT_EQ(examiner.Examine(*cut, names_["Disease"]).kind, Outcome::Kind::kRareLabels);
}

// Figure 14, Example 6: every cut is looked at once. A class has its root, or two groups that are each specialized or
// not: 5 cuts; three classes have 125 (and one in which all is "*").
TEST_F(PaperExamples, AllCutSearchLooksAtEveryCutOnce) {
  const auto found = Search(CutMethod::kAcs, {1, 2, 1});
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->cuts, 125);
  EXPECT_EQ((*found)->valid_cuts, 125);
}

// Example 8: GCS with g = 2 follows two cuts of a level. From c2 and c3 there are 4 + 4 specializations, one of them
// twice.
TEST_F(PaperExamples, GreedyCutSearchFollowsTwoCutsOfALevel) {
  const auto found = Search(CutMethod::kGcs, {1, 2, 1});
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_LT((*found)->cuts, 125);
}

TEST_F(PaperExamples, WhatNotEvenRootsCanKeepIsLeftOut) {
  const auto found = Search(CutMethod::kAcs, {5, 1, 0});
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_THAT(names_.labels((*found)->labels), ElementsAre("left out", "left out", "left out"));
}

TEST_F(PaperExamples, Figure13HasMedicineBesideGastritis) {
  EXPECT_EQ(SupportsUnder({"Lung Disease", "Gastritis", "Diarrhea", "Medicine", "Hospital1",
                           "Hospital2", "Rea", "Gaia", "Physiotherapy"},
                          {{names_["Gastritis"], names_["Medicine"]}}),
            (std::map<std::string, uint32_t>{{"Hospital1", 4},
                                             {"Hospital1 > Gastritis", 3},
                                             {"Hospital1 > Medicine", 1},
                                             {"Hospital1 > Lung Disease", 3},
                                             {"Hospital1 > Lung Disease > Medicine", 2},
                                             {"Hospital2", 3},
                                             {"Hospital2 > Lung Disease", 3},
                                             {"Hospital2 > Lung Disease > Medicine", 3}}));
}

TEST_F(PaperExamples, OnlyCutSearchKeepsWhatNeedsNoBrokenRelation) {
  const auto found = Search(CutMethod::kOcs, {3, 2, 1});
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_TRUE((*found)->broken.empty());
  EXPECT_THAT(names_.labels((*found)->labels), ::testing::Not(::testing::Contains("Gastritis")));
}

// Figure 7: Hospital2 over Bronchitis is broken in the record of Figure 2, and the hospital adopts Bronchitis' child.
TEST_F(PaperExamples, ABrokenRelationMovesTheLowerLabelAndLeavesItsChildrenAsInFigure7) {
  LabelTree tree(items_);
  tree.Load(shapes_, 0, names_.Cut(leaves_));
  BrokenRelations broken(items_.size());
  broken.Add({names_["Hospital2"], names_["Bronchitis"]});
  tree.Apply(broken);
  std::vector<std::string> paths(tree.size());
  for (uint32_t node = 0; node < tree.size(); ++node) {
    const uint32_t parent = tree.parent(node);
    paths[node] = (parent == LabelTree::kNoParent ? "" : paths[parent] + " > ") +
                  names_.label(tree.label(node));
  }
  EXPECT_THAT(paths, UnorderedElementsAre("Hospital1", "Hospital1 > Gastritis", "Hospital2",
                                          "Hospital2 > Flu", "Hospital2 > Flu > Pain killer",
                                          "Bronchitis", "Hospital2 > Antibiotics"));
}

}  // namespace
}  // namespace thicket::paper_examples_test
