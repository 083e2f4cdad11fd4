#include "generate/electives.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace thicket::electives_test {
namespace {

std::string Records(uint64_t n, uint64_t seed) {
  ElectiveWriter writer(seed);
  std::string text;
  for (uint64_t i = 0; i < n; ++i) writer.Append(i, text);
  return text;
}

TEST(ElectivesTest, TheSameSeedGivesTheSameBytes) {
  EXPECT_EQ(Records(40, 7), Records(40, 7));
  EXPECT_NE(Records(40, 7), Records(40, 8));
}

// Section V of Nergiz et al. 2008.
TEST(ElectivesTest, ThereAre22CoursesWithTwoToFourBooks) {
  EXPECT_EQ(ElectiveCourses().size(), 22U);
  std::set<std::string> names;
  std::set<std::string> shared;
  size_t books = 0;
  for (const ElectiveCourse& course : ElectiveCourses()) {
    names.insert(std::string(course.name));
    EXPECT_TRUE(course.books >= 2 && course.books <= 4) << course.name;
    std::set<std::string> titles;
    for (int book = 0; book < course.books; ++book) titles.insert(ElectiveBook(course, book));
    EXPECT_EQ(titles.size(), static_cast<size_t>(course.books)) << course.name;
    shared.insert(titles.begin(), titles.end());
    books += static_cast<size_t>(course.books);
  }
  EXPECT_EQ(names.size(), 22U);
  EXPECT_LT(shared.size(), books);
}

TEST(ElectivesTest, StudentsTakeOneObligatoryAndTwoOrThreeCoursesOfTheOtherKinds) {
  std::map<std::string, ElectiveCourse> courses;
  for (const ElectiveCourse& course : ElectiveCourses()) courses.emplace(course.name, course);
  std::map<std::pair<ElectiveCourse::Kind, size_t>, size_t> students_of_count;
  std::set<std::string> chosen;
  simdjson::dom::parser parser;
  std::istringstream lines(Records(1000, 1));
  for (std::string line; std::getline(lines, line);) {
    simdjson::dom::element student = parser.parse(line);
    std::map<ElectiveCourse::Kind, std::set<std::string>> taken;
    for (simdjson::dom::element course : student["courses"].get_array()) {
      const std::string name(course["course"].get_string().value());
      EXPECT_TRUE(taken[courses.at(name).kind].insert(name).second);
      chosen.insert(name);
      EXPECT_EQ(course["books"].get_array().value().size(), 1U);
      const std::string title(course["books"].at(0)["title"].get_string().value());
      const std::string area(courses.at(name).area);
      EXPECT_EQ(title.rfind(area + ": ", 0), 0U);
    }
    for (const auto& [kind, names] : taken) ++students_of_count[{kind, names.size()}];
  }
  using enum ElectiveCourse::Kind;
  EXPECT_EQ(students_of_count.size(), 5U);
  EXPECT_EQ((students_of_count[{kObligatory, 1}]), 1000U);
  for (const auto kind : {kTechnical, kOther}) {
    EXPECT_GT((students_of_count[{kind, 2}]), 400U);
    EXPECT_EQ((students_of_count[{kind, 2}] + students_of_count[{kind, 3}]), 1000U);
  }
  EXPECT_EQ(chosen.size(), 22U);
}

}  // namespace
}  // namespace thicket::electives_test
