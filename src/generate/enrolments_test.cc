#include "generate/enrolments.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace thicket::enrolments_test {
namespace {

std::string Records(uint64_t n, uint64_t seed) {
  EnrolmentWriter writer(seed);
  std::string text;
  for (uint64_t i = 0; i < n; ++i) writer.Append(i, text);
  return text;
}

// The first column of a taxonomy file.
std::set<std::string> Leaves(const std::string& taxonomy) {
  std::set<std::string> leaves;
  std::istringstream lines(taxonomy);
  for (std::string line; std::getline(lines, line);) leaves.insert(line.substr(0, line.find(';')));
  return leaves;
}

TEST(EnrolmentsTest, TheSameSeedGivesTheSameBytes) {
  EXPECT_EQ(Records(40, 7), Records(40, 7));
  EXPECT_NE(Records(40, 7), Records(40, 8));
  EXPECT_EQ(Records(50, 7).substr(0, Records(40, 7).size()), Records(40, 7));
}

TEST(EnrolmentsTest, MostRecordsAreSmallAndAFewAreWide) {
  const std::set<std::string> regions = Leaves(EnrolmentRegionTaxonomy());
  const std::set<std::string> modules = Leaves(EnrolmentModuleTaxonomy());
  const std::set<std::string> bands = Leaves(EnrolmentDeprivationTaxonomy());
  std::vector<size_t> widths;
  size_t single = 0;
  std::map<std::string, size_t> results;
  simdjson::dom::parser parser;
  std::istringstream lines(Records(kEnrolmentRecords, 1));
  for (std::string line; std::getline(lines, line);) {
    simdjson::dom::element student = parser.parse(line);
    EXPECT_TRUE(regions.count(std::string(student["region"].get_string().value())));
    EXPECT_TRUE(bands.count(std::string(student["deprivation"].get_string().value())));
    size_t width = 0;
    for (simdjson::dom::element module : student["modules"].get_array()) {
      EXPECT_TRUE(modules.count(std::string(module["code"].get_string().value())));
      ++results[std::string(module["result"].get_string().value())];
      width += module["assessments"].get_array().value().size();
    }
    const size_t enrolments = student["modules"].get_array().value().size();
    EXPECT_TRUE(enrolments >= 1 && enrolments <= kMostEnrolments);
    single += enrolments == 1 ? 1 : 0;
    widths.push_back(width);
  }
  std::sort(widths.begin(), widths.end());
  EXPECT_EQ(widths.size(), kEnrolmentRecords);
  EXPECT_EQ(widths.front(), 0U);
  EXPECT_LT(widths[widths.size() / 2], 15U);
  EXPECT_GT(widths.back(), 70U);
  EXPECT_LT(widths.back(), 130U);
  EXPECT_GT(single, kEnrolmentRecords * 8 / 10);
  ASSERT_EQ(results.size(), 4U);
  EXPECT_GT(results["Pass"], results["Distinction"]);
}

}  // namespace
}  // namespace thicket::enrolments_test
