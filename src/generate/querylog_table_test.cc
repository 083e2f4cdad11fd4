#include "generate/querylog_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "taxonomy/taxonomy_file.h"

namespace thicket::querylog_table_test {
namespace {

std::string Log() {
  std::string text;
  for (uint64_t i = 0; i < kQueriesInTable; ++i) AppendTableQuery(i, text);
  return text;
}

// Fig. 5.1 (a) of Liu 2010.
TEST(QueryLogTable, BeginsWithTheRowsOfTheFigure) {
  EXPECT_TRUE(
      Log().starts_with("01\tWine\t2006-01-01 01:00:00\t3\ta.c\n"
                        "01\tWine\t2006-01-01 01:00:00\t8\tb.c\n"
                        "01\tJackets,Boots\t2006-01-01 01:15:00\t3\tc.c\n"
                        "01\tJackets,Boots\t2006-01-01 01:15:00\t5\td.c\n"
                        "01\tWine\t2006-01-01 02:05:00\t4\tx.c\n"
                        "02\t"));
}

// Fig. 5.1 (b): rows equal in user, query and time are one query, and a user's queries are one bag.
TEST(QueryLogTable, HasTheVocabulariesOfTheFigure) {
  std::map<std::string, std::vector<std::string>> bags;
  std::set<std::string> queries;
  std::istringstream lines(Log());
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string user;
    std::string query;
    std::string time;
    std::getline(fields, user, '\t');
    std::getline(fields, query, '\t');
    std::getline(fields, time, '\t');
    if (!queries.insert(user + query + time).second) continue;
    std::istringstream terms(query);
    for (std::string term; std::getline(terms, term, ',');) bags[user].push_back(term);
  }
  EXPECT_EQ(queries.size(), kQueriesInTable);
  for (auto& [user, bag] : bags) std::sort(bag.begin(), bag.end());
  const std::map<std::string, std::vector<std::string>> expected = {
      {"01", {"Boots", "Jackets", "Wine", "Wine"}},
      {"02", {"Jackets", "Shoes", "Vino", "Vino"}},
      {"03", {"Jackets", "Raw-milk", "Shoes", "Vino", "Wine"}},
      {"04", {"Homo-milk", "Raw-milk", "Raw-milk", "Vino"}},
      {"05", {"Homo-milk", "Homo-milk", "Jackets", "Pants", "Raw-milk"}}};
  EXPECT_EQ(bags, expected);
}

// Fig. 5.2 (a).
TEST(QueryLogTable, TheTaxonomyIsThatOfTheFigure) {
  const auto taxonomy = ParseTaxonomy(TableTermTaxonomy(), "term.csv");
  ASSERT_TRUE(taxonomy.ok()) << taxonomy.error().message;
  EXPECT_EQ(taxonomy->leaf_count(), 8U);
  EXPECT_EQ(taxonomy->node_count(), 15U);
  EXPECT_EQ(taxonomy->label(Taxonomy::kRoot), "Goods");
  const auto parent = [&](const std::string& label) {
    return taxonomy->label(taxonomy->parent(taxonomy->Find(label).value()));
  };
  EXPECT_EQ(parent("Vino"), "Alcohol");
  EXPECT_EQ(parent("Homo-milk"), "Milk");
  EXPECT_EQ(parent("Milk"), "Edibles");
  EXPECT_EQ(parent("Boots"), "Footwear");
  EXPECT_EQ(parent("Footwear"), "Clothing");
}

}  // namespace
}  // namespace thicket::querylog_table_test
