#include "generate/census.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cutting/item_forest.h"
#include "generate/census_taxonomies.h"
#include "taxonomy/taxonomy_file.h"

namespace thicket::census_test {
namespace {

constexpr size_t kQuasi = 7;

std::string Records(uint64_t n, uint64_t seed, CensusWriter::Shape shape) {
  CensusWriter writer(seed, shape);
  std::string text;
  for (uint64_t i = 0; i < n; ++i) writer.Append(i, text);
  return text;
}

std::vector<std::vector<std::string>> Rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ';');) rows.back().push_back(cell);
  }
  return rows;
}

// As many as Adult has.
const std::vector<std::vector<std::string>>& Census() {
  static const auto rows = Rows(Records(kCensusRecords, 1, CensusWriter::Shape::kPlain));
  return rows;
}

// In the order of the columns.
std::vector<Taxonomy> Taxonomies(CensusGrain grain) {
  std::vector<Taxonomy> taxonomies;
  for (const std::string& file :
       {CensusAgeTaxonomy(grain), CensusEducationTaxonomy(), CensusCountryTaxonomy(grain),
        CensusWorkclassTaxonomy(), CensusMaritalTaxonomy(), CensusSexTaxonomy(),
        CensusRaceTaxonomy()}) {
    taxonomies.push_back(*ParseTaxonomy(file, "file"));
  }
  return taxonomies;
}

double CountCuts(const std::vector<Taxonomy>& taxonomies) {
  std::vector<Item> parents;
  for (const Taxonomy& taxonomy : taxonomies) {
    const auto first = static_cast<Item>(parents.size());
    for (Node node = 0; node < taxonomy.node_count(); ++node) {
      parents.push_back(first + taxonomy.parent(node));
    }
  }
  return ItemForest(parents).CountCuts();
}

size_t LevelsOf(const Taxonomy& taxonomy) {
  uint32_t deepest = 0;
  for (Node node = 0; node < taxonomy.node_count(); ++node) {
    deepest = std::max(deepest, taxonomy.depth(node));
  }
  return deepest + 1;
}

size_t DistinctQuasi(const std::vector<std::vector<std::string>>& rows) {
  std::set<std::vector<std::string>> distinct;
  for (const auto& row : rows) distinct.emplace(row.begin(), row.begin() + kQuasi);
  return distinct.size();
}

// Table 3.5 of Liu 2010, and the number of cuts in Section 3.6.
TEST(CensusTaxonomiesTest, HaveTheThesisShape) {
  const std::vector<Taxonomy> taxonomies = Taxonomies(CensusGrain::kStandard);
  std::vector<size_t> leaves;
  std::vector<size_t> levels;
  for (const Taxonomy& taxonomy : taxonomies) {
    leaves.push_back(taxonomy.leaf_count());
    levels.push_back(LevelsOf(taxonomy));
  }
  EXPECT_EQ(leaves, (std::vector<size_t>{74, 16, 41, 7, 7, 2, 5}));
  EXPECT_EQ(levels, (std::vector<size_t>{5, 5, 4, 3, 3, 2, 3}));
  EXPECT_EQ(CountCuts(taxonomies), 356'440'500);
}

// Section 3.6.3.2; the coarse one has the thesis's number.
TEST(CensusTaxonomiesTest, AreToBeHadCoarserAndFiner) {
  for (const auto grain : {CensusGrain::kTop, CensusGrain::kCoarse, CensusGrain::kStandard,
                           CensusGrain::kMedium, CensusGrain::kFine}) {
    EXPECT_EQ(CountCuts(Taxonomies(grain)), static_cast<double>(CutsOf(grain)));
    EXPECT_EQ(GrainOf(CutsOf(grain)), grain);
  }
  EXPECT_EQ(CutsOf(CensusGrain::kCoarse), 152'685'000U);
}

TEST(CensusTest, TheSameSeedGivesTheSameBytesAndMoreOnlyAppend) {
  for (const auto shape : {CensusWriter::Shape::kPlain, CensusWriter::Shape::kVariants,
                           CensusWriter::Shape::kRepeated}) {
    EXPECT_EQ(Records(40, 7, shape), Records(40, 7, shape));
    EXPECT_NE(Records(40, 7, shape), Records(40, 8, shape));
    EXPECT_EQ(Records(50, 7, shape).rfind(Records(40, 7, shape), 0), 0U);
  }
}

TEST(CensusTest, EveryValueIsALeafAndEveryLeafOccurs) {
  const std::vector<Taxonomy> taxonomies = Taxonomies(CensusGrain::kStandard);
  const auto& rows = Census();
  for (size_t column = 0; column < kQuasi; ++column) {
    std::set<std::string> values;
    for (const auto& row : rows) values.insert(row[column]);
    EXPECT_EQ(values.size(), taxonomies[column].leaf_count()) << column;
    for (const std::string& value : values) {
      const auto node = taxonomies[column].Find(value);
      EXPECT_TRUE(node && taxonomies[column].is_leaf(*node)) << value;
    }
  }
}

// As Adult: 14,668 combinations of 45,222 records, 14 occupations, the most common one 13 % (so that six are diverse when
// everything is generalized), a quarter of high incomes.
TEST(CensusTest, IsSpreadAsAdultIs) {
  const auto& rows = Census();
  EXPECT_NEAR(static_cast<double>(DistinctQuasi(rows)), 15'000, 1'000);
  std::map<std::string, int> occupations;
  int high = 0;
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 9U);
    ++occupations[row[7]];
    high += row[8] == ">50K" ? 1 : 0;
  }
  EXPECT_EQ(occupations.size(), 14U);
  for (const auto& [name, count] : occupations) EXPECT_LT(count, 45'222 / 7) << name;
  EXPECT_NEAR(high, 45'222 / 4.0, 1'500);
}

// What a classifier and an adversary could use: education says something of occupation and of income.
TEST(CensusTest, ColumnsDependOnEachOther) {
  const auto& rows = Census();
  std::map<bool, std::array<double, 3>> by_degree;
  for (const auto& row : rows) {
    auto& [all, professionals, high] =
        by_degree[row[1] == "Bachelors" || row[1] == "Masters" || row[1] == "Doctorate"];
    ++all;
    professionals += row[7] == "Prof-specialty" ? 1 : 0;
    high += row[8] == ">50K" ? 1 : 0;
  }
  const auto& without = by_degree[false];
  const auto& with = by_degree[true];
  EXPECT_GT(with[1] / with[0], 3 * without[1] / without[0]);
  EXPECT_GT(with[2] / with[0], 1.5 * without[2] / without[0]);
}

// Section 3.6.3.4.
TEST(CensusTest, VariantsDifferInOneToSevenColumnsAndKeepTheRest) {
  constexpr uint64_t kVariants = 5'000;
  const auto rows = Rows(Records(kCensusRecords + kVariants, 1, CensusWriter::Shape::kVariants));
  ASSERT_EQ(rows.size(), kCensusRecords + kVariants);
  ASSERT_TRUE(std::equal(Census().begin(), Census().end(), rows.begin()));
  size_t differences = 0;
  for (size_t i = 0; i < kVariants; ++i) {
    const auto& original = rows[i];
    const auto& variant = rows[kCensusRecords + i];
    EXPECT_EQ(original[7], variant[7]);
    EXPECT_EQ(original[8], variant[8]);
    for (size_t column = 0; column < kQuasi; ++column) {
      differences += original[column] != variant[column] ? 1 : 0;
    }
  }
  // Four of seven columns in the mean, of which a value may be drawn again: of sex every second time.
  EXPECT_NEAR(static_cast<double>(differences) / kVariants, 4.0 / 7 * 5.9, 0.1);
  EXPECT_GT(DistinctQuasi(rows), 19'000U);
}

TEST(CensusTest, RepetitionsHaveATenthOfTheirValuesFromOthers) {
  constexpr uint64_t kRepetitions = 5'000;
  const auto rows = Rows(Records(kCensusRecords + kRepetitions, 1, CensusWriter::Shape::kRepeated));
  ASSERT_EQ(rows.size(), kCensusRecords + kRepetitions);
  ASSERT_TRUE(std::equal(Census().begin(), Census().end(), rows.begin()));
  // By column: how many differ, and how often two of the first records do.
  for (size_t column = 0; column < 9; ++column) {
    size_t differences = 0;
    std::map<std::string, double> counts;
    for (const auto& row : Census()) ++counts[row[column]];
    double differing = 1;
    for (const auto& [value, count] : counts) differing -= (count / 45'222) * (count / 45'222);
    for (size_t i = 0; i < kRepetitions; ++i) {
      differences += rows[i][column] != rows[kCensusRecords + i][column] ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(differences) / kRepetitions, 0.1 * differing, 0.02) << column;
  }
}

TEST(CensusTest, OccupationsAndSalariesAreLeaves) {
  const Taxonomy occupations = *ParseTaxonomy(CensusOccupationTaxonomy(), "file");
  const Taxonomy salaries = *ParseTaxonomy(CensusSalaryTaxonomy(), "file");
  EXPECT_EQ(occupations.leaf_count(), 14U);
  EXPECT_EQ(salaries.leaf_count(), 2U);
  for (const auto& row : Census()) {
    const auto occupation = occupations.Find(row[7]);
    ASSERT_TRUE(occupation && occupations.is_leaf(*occupation)) << row[7];
    const auto salary = salaries.Find(row[8]);
    ASSERT_TRUE(salary && salaries.is_leaf(*salary)) << row[8];
  }
}

}  // namespace
}  // namespace thicket::census_test
