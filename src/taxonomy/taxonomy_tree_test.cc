#include "taxonomy/taxonomy_tree.h"

#include <gtest/gtest.h>

#include "taxonomy/taxonomy_file.h"

namespace thicket::taxonomy_tree_test {
namespace {

ValueTree Courses() {
  ValueTree tree = ValueTree::Mapping();
  ValueTree& root = tree.Set("*", ValueTree::Mapping());
  ValueTree& cs = root.Set("CS", ValueTree::Mapping());
  cs.Set("CS3**", ValueTree::List({"CS305", "CS306"}));
  cs.Set("CS201", ValueTree());
  root.Set("numbers", ValueTree::List({1, ValueTree::Number("2.5")}));
  return tree;
}

TEST(TaxonomyTree, IsTheSameAsItsLines) {
  const auto tree = ReadTaxonomyTree(Courses(), "course");
  ASSERT_TRUE(tree.ok()) << tree.error().message;
  EXPECT_EQ(FormatTaxonomy(*tree),
            "CS305;CS3**;CS;*\nCS306;CS3**;CS;*\nCS201;CS;*\n1;numbers;*\n2.5;numbers;*\n");
}

TEST(TaxonomyTree, AValueMayHaveTheNameOfItsGroup) {
  ValueTree tree = ValueTree::Mapping();
  ValueTree& root = tree.Set("food", ValueTree::Mapping());
  root.Set("sausage", ValueTree::List({"ham", "sausage"}));
  root.Set("pork", ValueTree::List({"pork"}));
  root.Set("food", ValueTree());
  const auto read = ReadTaxonomyTree(tree, "item");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(FormatTaxonomy(*read),
            "ham;sausage (any);food (any)\nsausage;sausage (any);food (any)\n"
            "pork;food (any)\nfood;food (any)\n");
  root.Set("sausage (any)", ValueTree());
  const auto taken = ReadTaxonomyTree(tree, "item");
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().message,
            "item: food.sausage (any): a label must occur once, but is there twice");
  // A value of the name of a group elsewhere.
  EXPECT_FALSE(
      ReadTaxonomyTree(
          ValueTree::Mapping({{"*", ValueTree::Mapping({{"sausage", ValueTree::List({"ham"})},
                                                        {"fish", ValueTree::List({"sausage"})}})}}),
          "item")
          .ok());
}

TEST(TaxonomyTree, SaysWhereALabelIsWrong) {
  EXPECT_FALSE(
      ReadTaxonomyTree(ValueTree::Mapping({{"a", ValueTree()}, {"b", ValueTree()}}), "t").ok());
  EXPECT_FALSE(ReadTaxonomyTree(ValueTree(), "t").ok());
  EXPECT_FALSE(ReadTaxonomyTree(ValueTree::Mapping({{"*", ValueTree()}}), "t").ok());
  const auto same =
      ReadTaxonomyTree(ValueTree::Mapping({{"*", ValueTree::List({"a", "b", "a"})}}), "major");
  ASSERT_FALSE(same.ok());
  EXPECT_EQ(same.error().message, "major: *[2]: a label must occur once, but is there twice");
  EXPECT_EQ(same.error().code, ErrorCode::kUsage);
  const auto list = ReadTaxonomyTree(
      ValueTree::Mapping({{"*", ValueTree::List({ValueTree::List({"a"})})}}), "major");
  ASSERT_FALSE(list.ok());
  EXPECT_EQ(list.error().place.path, "*[0]");
}

}  // namespace
}  // namespace thicket::taxonomy_tree_test
