#include "generate/teachers.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <map>
#include <set>
#include <sstream>
#include <string>

#include "generate/students.h"

namespace thicket::teachers_test {
namespace {

TEST(TeachersTest, EveryTeacherStandsOnceInTheTaxonomy) {
  std::set<std::string> teachers;
  std::istringstream lines(TeacherTaxonomy());
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    teachers.insert(line.substr(0, line.find(';')));
  }
  EXPECT_EQ(count, 48U);
  EXPECT_EQ(teachers.size(), count);
  for (const Course& course : ComputingProgramme().courses) {
    const auto both = TeachersOf(course);
    EXPECT_NE(both[0], both[1]);
    EXPECT_TRUE(teachers.count(both[0]) == 1 && teachers.count(both[1]) == 1) << course.code;
  }
}

// Dataset B of Wang et al. 2018: about 20 courses, one or two teachers each, scores from 0 to 1.
TEST(TeachersTest, EvaluationsHaveTheShapeOfThePaper) {
  StudentWriter writer(5, StudentWriter::Shape::kEvaluations);
  simdjson::dom::parser parser;
  std::map<size_t, size_t> courses_by_teachers;
  size_t courses = 0;
  double scores = 0;
  size_t teachers = 0;
  for (uint64_t i = 0; i < 200; ++i) {
    std::string line;
    writer.Append(i, line);
    simdjson::dom::element student = parser.parse(line);
    for (simdjson::dom::element course : student["courses"].get_array()) {
      ++courses;
      EXPECT_TRUE(course["books"].error() != simdjson::SUCCESS);
      const simdjson::dom::array list = course["teachers"].get_array();
      ++courses_by_teachers[list.size()];
      for (simdjson::dom::element teacher : list) {
        ++teachers;
        double score = -1;
        EXPECT_EQ(teacher["score"].get(score), simdjson::SUCCESS);
        EXPECT_TRUE(score >= 0 && score <= 1);
        scores += score;
      }
    }
  }
  EXPECT_NEAR(static_cast<double>(courses) / 200, 20, 1);
  EXPECT_EQ(courses_by_teachers.size(), 2U);
  EXPECT_NEAR(static_cast<double>(courses_by_teachers[1]) / static_cast<double>(courses), 0.6,
              0.05);
  EXPECT_NEAR(scores / static_cast<double>(teachers), 0.7, 0.05);
}

TEST(TeachersTest, GradesHaveNothingBelowCourses) {
  StudentWriter writer(5, StudentWriter::Shape::kGrades);
  std::string line;
  writer.Append(0, line);
  EXPECT_EQ(line.find("books"), std::string::npos);
  EXPECT_EQ(line.find("teachers"), std::string::npos);
}

TEST(TeachersTest, PoorGradesComeWithLowerScores) {
  Random random = Random::Seeded(3);
  int good = 0;
  int poor = 0;
  for (int i = 0; i < 2000; ++i) {
    good += DrawScore("A", random);
    poor += DrawScore("D", random);
  }
  EXPECT_GT(good, poor);
}

}  // namespace
}  // namespace thicket::teachers_test
