#include "generate/transcripts.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace thicket::transcripts_test {
namespace {

std::string Records(uint64_t n, uint64_t seed) {
  TranscriptWriter writer(seed);
  std::string text;
  for (uint64_t i = 0; i < n; ++i) writer.Append(i, text);
  return text;
}

TEST(TranscriptsTest, TheSameSeedGivesTheSameBytes) {
  EXPECT_EQ(Records(40, 7), Records(40, 7));
  EXPECT_NE(Records(40, 7), Records(40, 8));
}

TEST(TranscriptsTest, TheCatalogueHasFiveThousandDifferentCourses) {
  const auto& codes = TranscriptCodes();
  EXPECT_EQ(std::set<std::string>(codes.begin(), codes.end()).size(), 5000U);
  const std::string taxonomy = TranscriptCourseTaxonomy();
  EXPECT_EQ(std::count(taxonomy.begin(), taxonomy.end(), '\n'), 5000);
  EXPECT_EQ(taxonomy.substr(0, taxonomy.find('\n')), "MATH101;MATH1**;MATH;*");
}

TEST(TranscriptsTest, RecordsAreSparseAndSkewed) {
  const auto& all = TranscriptCodes();
  const std::set<std::string> catalogue(all.begin(), all.end());
  std::map<std::string, size_t> students_of_code;
  std::vector<size_t> sizes;
  simdjson::dom::parser parser;
  std::istringstream lines(Records(3162, 1));
  for (std::string line; std::getline(lines, line);) {
    simdjson::dom::element student = parser.parse(line);
    const double gpa = student["gpa"].get_double();
    EXPECT_TRUE(gpa >= 0 && gpa <= 4);
    std::set<std::string> codes;
    for (simdjson::dom::element course : student["courses"].get_array()) {
      codes.insert(std::string(course["code"].get_string().value()));
    }
    EXPECT_EQ(codes.size(), student["courses"].get_array().value().size());
    sizes.push_back(codes.size());
    for (const std::string& code : codes) {
      EXPECT_TRUE(catalogue.count(code));
      ++students_of_code[code];
    }
  }
  std::sort(sizes.begin(), sizes.end());
  EXPECT_EQ(sizes.front(), 1U);
  EXPECT_EQ(sizes.back(), 70U);
  EXPECT_LT(sizes[sizes.size() / 2], 30U);
  // Many courses have few students, a few have very many.
  std::vector<size_t> popularity;
  for (const auto& [code, students] : students_of_code) popularity.push_back(students);
  std::sort(popularity.begin(), popularity.end());
  EXPECT_GT(popularity.size(), 4000U);
  EXPECT_LT(popularity[popularity.size() / 2], 12U);
  EXPECT_GT(popularity.back(), 300U);
}

}  // namespace
}  // namespace thicket::transcripts_test
