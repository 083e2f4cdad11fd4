#include "taxonomy/taxonomy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "taxonomy/date.h"

namespace thicket::taxonomy_test {
namespace {

// Fig. 3 of Ozalp et al. 2016: seven leaves, five of them under CS.
Taxonomy Courses() {
  TaxonomyBuilder builder("*");
  const auto cs = builder.Add(TaxonomyBuilder::root(), "CS");
  const auto cs2 = builder.Add(cs, "CS2**");
  const auto cs3 = builder.Add(cs, "CS3**");
  const auto math = builder.Add(TaxonomyBuilder::root(), "MATH");
  builder.Add(cs2, "CS201");
  builder.Add(cs2, "CS204");
  for (const char* course : {"CS301", "CS303", "CS305"}) builder.Add(cs3, course);
  for (const char* course : {"MATH101", "MATH102"}) builder.Add(math, course);
  return std::move(builder).Build();
}

// A random taxonomy: node i + 1 stands below a node before it.
Taxonomy FromParents(const std::vector<uint32_t>& parents) {
  TaxonomyBuilder builder("*");
  for (size_t i = 0; i < parents.size(); ++i) {
    builder.Add(parents[i] % static_cast<uint32_t>(i + 1), "n" + std::to_string(i));
  }
  return std::move(builder).Build();
}

// From the node up to the root, both included.
std::vector<Node> Path(const Taxonomy& taxonomy, Node node) {
  std::vector<Node> path = {node};
  while (path.back() != Taxonomy::kRoot) path.push_back(taxonomy.parent(path.back()));
  return path;
}

TEST(Taxonomy, LossIsThatOfTheWorkedExample) {
  const Taxonomy courses = Courses();
  EXPECT_DOUBLE_EQ(courses.Loss(*courses.Find("CS")), 4.0 / 6);
  EXPECT_DOUBLE_EQ(courses.Loss(*courses.Find("CS2**")), 1.0 / 6);
  EXPECT_EQ(courses.Loss(*courses.Find("CS305")), 0);
  EXPECT_EQ(courses.Loss(Taxonomy::kRoot), 1);
}

TEST(Taxonomy, LcaIsTheNearestCommonGroup) {
  const Taxonomy courses = Courses();
  const auto lca = [&](const char* a, const char* b) {
    return courses.label(courses.Lca(*courses.Find(a), *courses.Find(b)));
  };
  EXPECT_EQ(lca("CS301", "CS305"), "CS3**");
  EXPECT_EQ(lca("CS301", "CS201"), "CS");
  EXPECT_EQ(lca("CS301", "MATH101"), "*");
  EXPECT_EQ(lca("CS301", "CS301"), "CS301");
  EXPECT_EQ(lca("CS301", "CS3**"), "CS3**");
}

TEST(Taxonomy, FindsLabelsThatItHasAndNoOthers) {
  const Taxonomy courses = Courses();
  for (Node node = 0; node < courses.node_count(); ++node) {
    EXPECT_EQ(courses.Find(courses.label(node)), node);
  }
  EXPECT_FALSE(courses.Find("CS999"));
  EXPECT_FALSE(courses.Find(""));
}

TEST(Taxonomy, ASingleNodeIsItsOwnLeaf) {
  const Taxonomy alone = TaxonomyBuilder("*").Build();
  EXPECT_EQ(alone.node_count(), 1U);
  EXPECT_EQ(alone.leaf_count(), 1U);
  EXPECT_EQ(alone.Loss(Taxonomy::kRoot), 0);
}

TEST(TaxonomyBuilder, ContinuesAFinishedTaxonomy) {
  const Taxonomy courses = Courses();
  TaxonomyBuilder builder(courses);
  builder.Add(*builder.Find("MATH"), "MATH203");
  builder.Add(*builder.Find("CS305"), "CS305-A");
  const Taxonomy more = std::move(builder).Build();
  EXPECT_EQ(more.leaf_count(), 8U);
  EXPECT_EQ(more.leaves(*more.Find("MATH")), 3U);
  EXPECT_FALSE(more.is_leaf(*more.Find("CS305")));
  EXPECT_EQ(more.parent(*more.Find("CS305-A")), *more.Find("CS305"));
}

TEST(TaxonomyBuilder, LeavesOutLeavesAndGroupsThatHaveNoOthers) {
  const Taxonomy courses = Courses();
  std::vector<bool> out(courses.leaf_count(), false);
  for (Node leaf = courses.first_leaf(); leaf < courses.node_count(); ++leaf) {
    const bool is_math = courses.Covers(*courses.Find("MATH"), leaf);
    out[leaf - courses.first_leaf()] = is_math || courses.label(leaf) == "CS305";
  }
  const Taxonomy fewer = TaxonomyBuilder::Without(courses, out).Build();
  EXPECT_FALSE(fewer.Find("MATH"));
  EXPECT_FALSE(fewer.Find("CS305"));
  EXPECT_EQ(fewer.leaf_count(),
            courses.leaf_count() - static_cast<size_t>(std::count(out.begin(), out.end(), true)));
  for (Node node = 0; node < fewer.node_count(); ++node) {
    const Node before = *courses.Find(fewer.label(node));
    EXPECT_EQ(fewer.label(fewer.parent(node)), courses.label(courses.parent(before)));
  }
}

RC_GTEST_PROP(Taxonomy, NumbersParentsBeforeChildrenAndInnerNodesBeforeLeaves,
              (const std::vector<uint32_t>& parents)) {
  const Taxonomy taxonomy = FromParents(parents);
  std::set<Node> inner;
  for (Node node = 1; node < taxonomy.node_count(); ++node) {
    RC_ASSERT(taxonomy.parent(node) < node);
    RC_ASSERT(taxonomy.depth(node) == taxonomy.depth(taxonomy.parent(node)) + 1);
    inner.insert(taxonomy.parent(node));
  }
  for (Node node = 0; node < taxonomy.node_count(); ++node) {
    RC_ASSERT(taxonomy.is_leaf(node) == !inner.contains(node));
  }
}

RC_GTEST_PROP(Taxonomy, CountsTheLeavesThatAnExhaustiveSearchFinds,
              (const std::vector<uint32_t>& parents)) {
  const Taxonomy taxonomy = FromParents(parents);
  for (Node node = 0; node < taxonomy.node_count(); ++node) {
    uint32_t leaves = 0;
    for (Node leaf = taxonomy.first_leaf(); leaf < taxonomy.node_count(); ++leaf) {
      const std::vector<Node> path = Path(taxonomy, leaf);
      leaves += std::find(path.begin(), path.end(), node) != path.end() ? 1 : 0;
    }
    RC_ASSERT(taxonomy.leaves(node) == leaves);
  }
}

RC_GTEST_PROP(Taxonomy, LcaAndCoversAgreeWithComparingWholePaths,
              (const std::vector<uint32_t>& parents, uint32_t x, uint32_t y)) {
  const Taxonomy taxonomy = FromParents(parents);
  const auto count = static_cast<Node>(taxonomy.node_count());
  const Node a = x % count;
  const Node b = y % count;
  const std::vector<Node> above_a = Path(taxonomy, a);
  const std::vector<Node> above_b = Path(taxonomy, b);
  const auto common = std::find_if(above_a.begin(), above_a.end(), [&](Node node) {
    return std::find(above_b.begin(), above_b.end(), node) != above_b.end();
  });
  RC_ASSERT(taxonomy.Lca(a, b) == *common);
  RC_ASSERT(taxonomy.Covers(a, b) ==
            (std::find(above_b.begin(), above_b.end(), a) != above_b.end()));
}

Taxonomy Ages() {
  TaxonomyBuilder builder("0-19");
  builder.SetRange(TaxonomyBuilder::root(), 0, 19, false);
  const auto young = builder.Add(TaxonomyBuilder::root(), "0-9");
  builder.SetRange(young, 0, 9, false);
  const auto old = builder.Add(TaxonomyBuilder::root(), "9-19");
  builder.SetRange(old, 9, 19, false);
  const auto four = builder.Add(young, "0-4");
  builder.SetRange(four, 0, 4, false);
  return std::move(builder).Build();
}

TEST(TaxonomyRanges, FindsTheLowestIntervalThatHoldsANumber) {
  const Taxonomy ages = Ages();
  EXPECT_TRUE(ages.has_ranges());
  EXPECT_EQ(ages.FindRange("0"), ages.Find("0-4"));
  EXPECT_EQ(ages.FindRange("4"), ages.Find("0-4"));
  EXPECT_EQ(ages.FindRange("9"), ages.Find("9-19"));
  EXPECT_EQ(ages.FindRange("19"), ages.Find("9-19"));
  for (const char* outside : {"-1", "19.5", "5", "x", ""}) {
    EXPECT_FALSE(ages.FindRange(outside)) << outside;
  }
  EXPECT_FALSE(Courses().has_ranges());
  EXPECT_FALSE(Courses().FindRange("5"));
}

TEST(TaxonomyRanges, SurviveLeavesThatAreAddedBelow) {
  const Taxonomy ages = Ages();
  TaxonomyBuilder builder(ages);
  builder.Add(*ages.FindRange("3"), "3");
  builder.Add(*ages.FindRange("15"), "15");
  const Taxonomy more = std::move(builder).Build();
  EXPECT_EQ(more.leaf_count(), 2U);
  EXPECT_EQ(more.FindRange("2"), more.Find("0-4"));
  EXPECT_EQ(more.parent(*more.Find("15")), *more.Find("9-19"));
}

TEST(Date, TakesDatesThatExist) {
  const auto same = [](std::string_view text, int year, int month, int day) {
    const std::optional<Date> date = ParseDate(text);
    return date && date->year == year && date->month == month && date->day == day;
  };
  EXPECT_TRUE(same("1993", 1993, 0, 0));
  EXPECT_TRUE(same("1993-04", 1993, 4, 0));
  EXPECT_TRUE(same("1873-00-00", 1873, 0, 0));
  EXPECT_TRUE(same("1873-04-00", 1873, 4, 0));
  EXPECT_TRUE(same("1873-00", 1873, 0, 0));
  EXPECT_TRUE(same("2000-02-29", 2000, 2, 29));
  EXPECT_TRUE(same("1993-04-17T10:30:00Z", 1993, 4, 17));
  EXPECT_TRUE(same("1993-04-17 10:30", 1993, 4, 17));
  for (const char* text :
       {"", "93", "1993-", "1993-13", "1993-00-17", "1993-4-17", "1900-02-29", "1993-04-31",
        "1993-04-17T", "1993-04-17x", "17/04/1993", "1993-04-17T25:00"}) {
    EXPECT_FALSE(ParseDate(text)) << text;
  }
}

TEST(Date, CountsDaysWithoutGaps) {
  int expected = FirstDay({1895, 1, 1});
  for (int year = 1895; year < 2005; ++year) {
    EXPECT_EQ(FirstDay({year, 0, 0}), expected) << year;
    for (int month = 1; month <= 12; ++month) {
      EXPECT_EQ(FirstDay({year, month, 0}), expected) << year << "-" << month;
      expected = LastDay({year, month, 0}) + 1;
    }
    EXPECT_EQ(LastDay({year, 0, 0}) + 1, expected) << year;
  }
  EXPECT_EQ(FirstDay({2000, 1, 1}) - FirstDay({1900, 1, 1}), 36524);
}

}  // namespace
}  // namespace thicket::taxonomy_test
