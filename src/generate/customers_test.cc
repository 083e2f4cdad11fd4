#include "generate/customers.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "taxonomy/taxonomy_file.h"

namespace thicket::customers_test {
namespace {

std::string Records(uint64_t n, uint64_t seed) {
  CustomerWriter writer(seed);
  std::string text;
  for (uint64_t i = 0; i < n; ++i) writer.Append(i, text);
  return text;
}

std::map<std::string, Taxonomy> Taxonomies() {
  const std::map<std::string, std::string> files = {{"nation", NationTaxonomy()},
                                                    {"price", OrderPriceTaxonomy()},
                                                    {"date", OrderDateTaxonomy()},
                                                    {"quantity", QuantityTaxonomy()},
                                                    {"manufacturer", ManufacturerTaxonomy()},
                                                    {"brand", BrandTaxonomy()}};
  std::map<std::string, Taxonomy> taxonomies;
  for (const auto& [name, text] : files) taxonomies.emplace(name, *ParseTaxonomy(text, name));
  return taxonomies;
}

// How often each value of each attribute occurs, and how many items an order has.
struct Counts {
  std::map<std::string, std::map<std::string, int>> values;
  std::map<size_t, int> orders;
  std::map<size_t, int> items;

  void Add(const simdjson::dom::element& of, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const simdjson::dom::element value = of[name];
      ++values[name][value.is_string() ? std::string(value.get_string().value())
                                       : std::to_string(value.get_int64().value())];
    }
  }
};

Counts Count(const std::string& text) {
  Counts counts;
  simdjson::dom::parser parser;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const simdjson::dom::element customer = parser.parse(line);
    counts.Add(customer, {"nation"});
    ++counts.orders[customer["orders"].get_array().value().size()];
    for (const simdjson::dom::element order : customer["orders"].get_array()) {
      counts.Add(order, {"price", "date"});
      ++counts.items[order["items"].get_array().value().size()];
      for (const simdjson::dom::element item : order["items"].get_array()) {
        counts.Add(item, {"quantity", "manufacturer", "brand"});
        const std::string_view maker = item["manufacturer"].get_string().value();
        const std::string_view brand = item["brand"].get_string().value();
        EXPECT_EQ(maker.substr(13), brand.substr(6, 1));
      }
    }
  }
  return counts;
}

TEST(CustomersTest, TheSameSeedGivesTheSameBytes) {
  EXPECT_EQ(Records(40, 7), Records(40, 7));
  EXPECT_NE(Records(40, 7), Records(40, 8));
  EXPECT_EQ(Records(50, 7).rfind(Records(40, 7), 0), 0U);
}

// Table I of Gkountouna et al. 2013.
TEST(CustomersTest, TheSixHierarchiesHave276LeavesAndAFanOutOfFive) {
  size_t leaves = 0;
  double inner = 0;
  double below = 0;
  for (const auto& [name, taxonomy] : Taxonomies()) {
    leaves += taxonomy.leaf_count();
    inner += taxonomy.first_leaf();
    below += static_cast<double>(taxonomy.node_count()) - 1;
    std::map<Node, int> children;
    for (Node node = 1; node < taxonomy.node_count(); ++node) ++children[taxonomy.parent(node)];
    for (const auto& [node, count] : children) EXPECT_GE(count, 2) << taxonomy.label(node);
  }
  EXPECT_EQ(leaves, 276U);
  EXPECT_NEAR(below / inner, 4.8, 0.05);
}

TEST(CustomersTest, EveryValueIsALeafAndEveryLeafOccurs) {
  const Counts counts = Count(Records(60'000, 1));
  for (const auto& [name, taxonomy] : Taxonomies()) {
    const auto& values = counts.values.at(name);
    EXPECT_EQ(values.size(), taxonomy.leaf_count()) << name;
    for (const auto& [value, count] : values) {
      const auto node = taxonomy.Find(value);
      EXPECT_TRUE(node && taxonomy.is_leaf(*node)) << name << " " << value;
    }
  }
}

// As the benchmark's generator does: a third of the customers without orders, an order with one to seven lines, of which
// three are kept.
TEST(CustomersTest, AThirdHasNoOrdersAndOrdersHaveUpToThreeItems) {
  Counts counts = Count(Records(30'000, 1));
  EXPECT_EQ(counts.orders, (std::map<size_t, int>{{0, 10'000}, {2, 20'000}}));
  EXPECT_EQ(counts.items.size(), 3U);
  EXPECT_NEAR(counts.items[1], 40'000.0 / 7, 300);
  EXPECT_NEAR(counts.items[2], 40'000.0 / 7, 300);
}

// Deciles of the real extract: 38,700 and 273,961; and 1995 is a whole year of 6.6.
TEST(CustomersTest, PricesAndDatesAreSpreadAsInTheBenchmark) {
  const Counts counts = Count(Records(30'000, 1));
  int low = 0;
  int high = 0;
  for (const auto& [value, count] : counts.values.at("price")) {
    if (std::stoi(value) + 2'500 <= 38'700) low += count;
    if (std::stoi(value) + 2'500 > 273'961) high += count;
  }
  EXPECT_NEAR(low, 4'000, 500);
  EXPECT_NEAR(high, 4'000, 500);
  int in_1995 = 0;
  for (const auto& [value, count] : counts.values.at("date")) {
    if (value.rfind("1995", 0) == 0) in_1995 += count;
  }
  EXPECT_NEAR(in_1995, 40'000.0 * 365 / 2406, 300);
}

}  // namespace
}  // namespace thicket::customers_test
