#include "generate/students.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "generate/grades.h"

namespace thicket::students_test {
namespace {

std::string Records(StudentWriter::Shape shape, uint64_t n, uint64_t seed) {
  StudentWriter writer(seed, shape);
  std::string text;
  for (uint64_t i = 0; i < n; ++i) writer.Append(i, text);
  return text;
}

// The first columns of a taxonomy file.
std::set<std::string> Leaves(const std::string& taxonomy) {
  std::set<std::string> leaves;
  std::istringstream lines(taxonomy);
  for (std::string line; std::getline(lines, line);) leaves.insert(line.substr(0, line.find(';')));
  return leaves;
}

struct Statistics {
  size_t students = 0;
  size_t courses = 0;
  size_t vertices = 0;
  size_t fewest_courses = 1000;
  size_t most_courses = 0;
  std::set<std::string> ids;
  std::set<std::string> majors, codes, titles, grades, years;
  std::map<std::string, size_t> students_of_code;
  std::vector<double> gpa, mean_points;
  std::vector<int64_t> birth_years;
  size_t most_books = 0;
};

void CountCourses(simdjson::dom::element holder, Statistics& statistics, size_t& courses,
                  double& points) {
  for (simdjson::dom::element course : holder["courses"].get_array()) {
    ++courses;
    ++statistics.vertices;
    const std::string code(course["code"].get_string().value());
    statistics.codes.insert(code);
    ++statistics.students_of_code[code];
    const std::string grade(course["grade"].get_string().value());
    statistics.grades.insert(grade);
    points += GradePoints(grade);
    std::set<std::string> titles;
    for (simdjson::dom::element book : course["books"].get_array()) {
      ++statistics.vertices;
      titles.insert(std::string(book["title"].get_string().value()));
    }
    EXPECT_EQ(titles.size(), course["books"].get_array().value().size());
    statistics.most_books = std::max(statistics.most_books, titles.size());
    statistics.titles.insert(titles.begin(), titles.end());
  }
}

Statistics Measure(const std::string& text, bool by_year) {
  Statistics statistics;
  simdjson::dom::parser parser;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    simdjson::dom::element student = parser.parse(line);
    ++statistics.students;
    ++statistics.vertices;
    statistics.ids.insert(std::string(student["student_id"].get_string().value()));
    statistics.majors.insert(std::string(student["major"].get_string().value()));
    statistics.gpa.push_back(student["gpa"].get_double());
    statistics.birth_years.push_back(student["birth_year"].get_int64());
    EXPECT_TRUE(student["name"].is_string());
    EXPECT_TRUE(student["email"].is_string());
    EXPECT_TRUE(student["campus"].is_string());
    size_t courses = 0;
    double points = 0;
    if (by_year) {
      for (simdjson::dom::element year : student["years"].get_array()) {
        ++statistics.vertices;
        statistics.years.insert(std::string(year["year"].get_string().value()));
        EXPECT_GT(year["courses"].get_array().value().size(), 0U);
        CountCourses(year, statistics, courses, points);
      }
    } else {
      CountCourses(student, statistics, courses, points);
    }
    statistics.courses += courses;
    statistics.fewest_courses = std::min(statistics.fewest_courses, courses);
    statistics.most_courses = std::max(statistics.most_courses, courses);
    statistics.mean_points.push_back(points / static_cast<double>(courses));
  }
  return statistics;
}

double Correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    syy += y[i] * y[i];
    sxy += x[i] * y[i];
  }
  return (sxy - sx * sy / n) / std::sqrt((sxx - sx * sx / n) * (syy - sy * sy / n));
}

bool IsSubset(const std::set<std::string>& some, const std::set<std::string>& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

TEST(StudentsTest, TheSameSeedGivesTheSameBytes) {
  for (const auto shape : {StudentWriter::Shape::kCourses, StudentWriter::Shape::kYears}) {
    EXPECT_EQ(Records(shape, 50, 7), Records(shape, 50, 7));
    EXPECT_NE(Records(shape, 50, 7), Records(shape, 50, 8));
  }
}

TEST(StudentsTest, MoreRecordsOnlyAppend) {
  const std::string few = Records(StudentWriter::Shape::kCourses, 20, 3);
  EXPECT_EQ(Records(StudentWriter::Shape::kCourses, 40, 3).substr(0, few.size()), few);
}

TEST(StudentsTest, AThousandStudentsHaveAboutFortyTwoThousandVertices) {
  const Statistics students = Measure(Records(StudentWriter::Shape::kCourses, 1000, 1), false);
  EXPECT_EQ(students.students, 1000U);
  EXPECT_NEAR(static_cast<double>(students.vertices), 42000, 700);
  EXPECT_NEAR(static_cast<double>(students.courses), 20000, 300);
  EXPECT_EQ(students.fewest_courses, 18U);
  EXPECT_EQ(students.most_courses, 22U);
  EXPECT_EQ(students.most_books, 2U);
}

TEST(StudentsTest, EverybodyTakesTheObligatoryCourses) {
  const Statistics students = Measure(Records(StudentWriter::Shape::kCourses, 200, 2), false);
  const Programme& programme = ComputingProgramme();
  for (const uint16_t course : programme.obligatory) {
    EXPECT_EQ(students.students_of_code.at(programme.courses[course].code), 200U);
  }
  for (const uint16_t course : programme.core) {
    EXPECT_LT(students.students_of_code.at(programme.courses[course].code), 200U);
  }
}

TEST(StudentsTest, EveryValueIsInItsTaxonomy) {
  for (const bool by_year : {false, true}) {
    const Statistics students = Measure(
        Records(by_year ? StudentWriter::Shape::kYears : StudentWriter::Shape::kCourses, 1000, 5),
        by_year);
    EXPECT_TRUE(IsSubset(students.majors, Leaves(MajorTaxonomy())));
    EXPECT_TRUE(IsSubset(students.codes, Leaves(CourseTaxonomy())));
    EXPECT_TRUE(IsSubset(students.titles, Leaves(BookTaxonomy())));
    EXPECT_TRUE(IsSubset(students.years, Leaves(CollegeYearTaxonomy())));
    EXPECT_EQ(students.years.size(), by_year ? 4U : 0U);
  }
}

TEST(StudentsTest, GradesFollowTheAverage) {
  const Statistics students = Measure(Records(StudentWriter::Shape::kCourses, 1000, 1), false);
  EXPECT_GT(Correlation(students.gpa, students.mean_points), 0.8);
}

TEST(StudentsTest, NumbersStayInTheirRanges) {
  const Statistics students = Measure(Records(StudentWriter::Shape::kCourses, 5000, 9), false);
  double sum = 0;
  for (const double gpa : students.gpa) {
    EXPECT_GE(gpa, 0);
    EXPECT_LE(gpa, 4);
    sum += gpa;
  }
  EXPECT_NEAR(sum / 5000, 2.85, 0.05);
  for (const int64_t year : students.birth_years) {
    EXPECT_GE(year, 1982);
    EXPECT_LE(year, 1997);
  }
  for (const std::string& grade : students.grades) EXPECT_GE(GradePoints(grade), 0);
}

TEST(StudentsTest, IdentifiersAreUnique) {
  EXPECT_EQ(Measure(Records(StudentWriter::Shape::kCourses, 3000, 1), false).ids.size(), 3000U);
  std::set<uint64_t> ids;
  for (uint64_t i = 0; i < 100'000; ++i) ids.insert(ScrambledId(i * 97));
  EXPECT_EQ(ids.size(), 100'000U);
}

TEST(StudentsTest, APrerequisiteIsNeverTakenLater) {
  const std::vector<std::string>& years = CollegeYears();
  const Programme& programme = ComputingProgramme();
  simdjson::dom::parser parser;
  std::istringstream lines(Records(StudentWriter::Shape::kYears, 300, 4));
  for (std::string line; std::getline(lines, line);) {
    simdjson::dom::element student = parser.parse(line);
    std::map<std::string, long> year_of;
    for (simdjson::dom::element year : student["years"].get_array()) {
      const std::string name(year["year"].get_string().value());
      for (simdjson::dom::element course : year["courses"].get_array()) {
        year_of[std::string(course["code"].get_string().value())] =
            std::find(years.begin(), years.end(), name) - years.begin();
      }
    }
    for (const Course& course : programme.courses) {
      if (year_of.count(course.code) == 0) continue;
      for (const uint16_t earlier : course.prerequisites) {
        const std::string& code = programme.courses[earlier].code;
        if (year_of.count(code) == 0) continue;
        EXPECT_LE(year_of[code], year_of[course.code]);
      }
    }
  }
}

TEST(ProgrammeTest, TaxonomyLabelsAreUniqueAcrossLevels) {
  for (const std::string& text :
       {MajorTaxonomy(), CollegeYearTaxonomy(), CourseTaxonomy(), BookTaxonomy()}) {
    std::map<std::string, std::string> parent;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::vector<std::string> columns;
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ';');) columns.push_back(cell);
      ASSERT_GE(columns.size(), 3U);
      EXPECT_EQ(columns.back(), "*");
      EXPECT_EQ(parent.count(columns[0]), 0U) << columns[0];
      for (size_t i = 0; i + 1 < columns.size(); ++i) {
        EXPECT_EQ(parent.try_emplace(columns[i], columns[i + 1]).first->second, columns[i + 1]);
      }
    }
  }
}

TEST(ProgrammeTest, PrerequisitesComeFirst) {
  const Programme& programme = ComputingProgramme();
  EXPECT_GE(programme.courses.size(), 60U);
  for (size_t i = 0; i < programme.courses.size(); ++i) {
    EXPECT_GE(programme.courses[i].books.size(), 2U);
    EXPECT_LE(programme.courses[i].books.size(), 4U);
    for (const uint16_t earlier : programme.courses[i].prerequisites) EXPECT_LT(earlier, i);
  }
}

TEST(ProgrammeTest, CourseCodesGeneralizeByTheirDigits) {
  EXPECT_EQ(CourseCodeLine("CS305"), "CS305;CS3**;CS;*\n");
}

TEST(GradesTest, LettersAreTheNearestGrades) {
  EXPECT_EQ(LetterGrade(4.6), "A");
  EXPECT_EQ(LetterGrade(3.2), "B+");
  EXPECT_EQ(LetterGrade(0.4), "F");
  EXPECT_EQ(LetterGrade(-1), "F");
  EXPECT_EQ(GradePoints("C-"), 1.7);
  EXPECT_EQ(GradePoints("E"), -1);
}

}  // namespace
}  // namespace thicket::students_test
