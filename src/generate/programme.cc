#include "generate/programme.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

namespace thicket {

namespace {

struct CourseRow {
  std::string_view code;
  std::string_view name;
  std::string_view area;
  int year;
  std::string_view prerequisites;
};

constexpr CourseRow kObligatoryRows[] = {
    {"MATH101", "Calculus I", "Mathematics", 0, ""},
    {"PHYS101", "Mechanics", "Natural Science", 0, ""},
    {"HUM101", "Academic Writing", "Society", 0, ""},
    {"CS201", "Introductory Programming", "Programming", 0, ""},
    {"MATH102", "Calculus II", "Mathematics", 0, "MATH101"},
    {"MATH201", "Linear Algebra", "Mathematics", 1, "MATH101"},
    {"MATH203", "Probability", "Mathematics", 1, "MATH102"},
    {"CS202", "Discrete Structures", "Theory", 1, "MATH101"},
    {"CS204", "Advanced Programming", "Programming", 1, "CS201"},
};

constexpr CourseRow kCoreRows[] = {
    {"CS300", "Data Structures", "Programming", 1, "CS204"},
    {"CS301", "Algorithms", "Theory", 2, "CS300 CS202"},
    {"CS302", "Automata and Languages", "Theory", 2, "CS202"},
    {"CS303", "Logic Design", "Hardware", 1, "CS202"},
    {"CS305", "Programming Languages", "Programming", 2, "CS204"},
    {"CS306", "Database Systems", "Data", 2, "CS300"},
    {"CS307", "Operating Systems", "Systems", 2, "CS300"},
    {"CS308", "Software Engineering", "Programming", 2, "CS204"},
    {"CS309", "Computer Networks", "Systems", 2, "CS204"},
    {"CS310", "Computer Organization", "Hardware", 2, "CS303"},
    {"MATH204", "Numerical Methods", "Mathematics", 1, "MATH201"},
    {"MATH306", "Statistics", "Mathematics", 2, "MATH203"},
    {"EE202", "Circuit Theory", "Hardware", 1, "PHYS101"},
    {"EE301", "Signals and Systems", "Hardware", 2, "EE202"},
};

constexpr CourseRow kElectiveRows[] = {
    {"CS401", "Computer Architecture", "Hardware", 3, "CS310"},
    {"CS402", "Compilers", "Programming", 3, "CS302"},
    {"CS403", "Distributed Systems", "Systems", 3, "CS307"},
    {"CS404", "Artificial Intelligence", "Intelligence", 3, "CS301"},
    {"CS405", "Computer Graphics", "Applications", 3, "CS300"},
    {"CS406", "Parallel Computing", "Systems", 3, "CS307"},
    {"CS407", "Theory of Computation", "Theory", 3, "CS302"},
    {"CS408", "Network Security", "Security", 3, "CS309"},
    {"CS409", "Cryptography", "Security", 3, "CS301"},
    {"CS410", "Automated Reasoning", "Theory", 3, "CS302"},
    {"CS411", "Machine Learning", "Intelligence", 3, "CS301"},
    {"CS412", "Data Mining", "Data", 3, "CS306"},
    {"CS413", "Advanced Databases", "Data", 3, "CS306"},
    {"CS414", "Information Retrieval", "Data", 3, "CS300"},
    {"CS415", "Embedded Systems", "Hardware", 3, "CS310"},
    {"CS416", "Human Computer Interaction", "Applications", 3, ""},
    {"CS417", "Computer Vision", "Intelligence", 3, "CS300"},
    {"CS418", "Natural Language Processing", "Intelligence", 3, "CS300"},
    {"CS419", "Robotics", "Intelligence", 3, ""},
    {"CS420", "Software Testing", "Programming", 3, "CS308"},
    {"CS421", "Web Applications", "Applications", 2, "CS204"},
    {"CS422", "Mobile Applications", "Applications", 2, "CS204"},
    {"CS423", "Game Development", "Applications", 3, "CS300"},
    {"CS424", "Privacy and Data Protection", "Security", 3, ""},
    {"CS425", "Cloud Computing", "Systems", 3, "CS309"},
    {"CS426", "Functional Programming", "Programming", 2, "CS305"},
    {"CS427", "Approximation Methods", "Theory", 3, "CS301"},
    {"CS428", "Bioinformatics", "Data", 3, ""},
    {"EE302", "Electronics", "Hardware", 2, "EE202"},
    {"EE303", "Communication Systems", "Hardware", 3, "EE301"},
    {"EE401", "Digital Signal Processing", "Hardware", 3, "EE301"},
    {"EE402", "Control Theory", "Hardware", 3, "EE301"},
    {"MATH301", "Abstract Algebra", "Mathematics", 2, "MATH201"},
    {"MATH302", "Real Analysis", "Mathematics", 2, "MATH102"},
    {"MATH401", "Graph Theory", "Mathematics", 3, "CS202"},
    {"MATH402", "Optimization", "Mathematics", 3, "MATH201"},
    {"IE301", "Operations Research", "Management", 2, "MATH201"},
    {"IE302", "Simulation", "Management", 2, "MATH203"},
    {"IE401", "Supply Chains", "Management", 3, ""},
    {"IE402", "Project Management", "Management", 3, ""},
    {"PHYS201", "Electromagnetism", "Natural Science", 1, "PHYS101"},
    {"PHYS202", "Modern Physics", "Natural Science", 1, "PHYS101"},
    {"HUM201", "Ethics of Technology", "Society", 1, ""},
    {"HUM202", "History of Science", "Society", 1, ""},
    {"ECON201", "Microeconomics", "Society", 1, ""},
    {"ECON202", "Game Theory", "Society", 2, ""},
};

struct MajorRow {
  std::string_view major;
  std::string_view field;
};

constexpr MajorRow kMajorRows[] = {
    {"Computer Science", "Computing"},
    {"Software Engineering", "Computing"},
    {"Information Systems", "Computing"},
    {"Data Science", "Computing"},
    {"Computer Engineering", "Engineering"},
    {"Electronics Engineering", "Engineering"},
    {"Industrial Engineering", "Engineering"},
    {"Applied Mathematics", "Science"},
    {"Physics", "Science"},
};

std::vector<std::string> BooksOf(const CourseRow& row, size_t position) {
  std::vector<std::string> books = {
      fmt::format("{}: A First Course", row.name),
      fmt::format("Principles of {}", row.name),
      fmt::format("{} in Practice", row.name),
      fmt::format("Problems in {}", row.name),
  };
  books.resize(2 + position * 7 % 3);
  return books;
}

uint16_t PositionOf(const std::vector<Course>& courses, const std::string& code) {
  const auto found = std::find_if(courses.begin(), courses.end(),
                                  [&](const Course& course) { return course.code == code; });
  return static_cast<uint16_t>(found - courses.begin());
}

template <size_t count>
void AddCourses(const CourseRow (&rows)[count], CourseKind kind, Programme& programme,
                std::vector<uint16_t>& positions) {
  for (const CourseRow& row : rows) {
    Course course;
    course.code = row.code;
    course.name = row.name;
    course.area = row.area;
    course.kind = kind;
    course.year = row.year;
    std::istringstream codes{std::string(row.prerequisites)};
    for (std::string code; codes >> code;) {
      course.prerequisites.push_back(PositionOf(programme.courses, code));
    }
    course.books = BooksOf(row, programme.courses.size());
    positions.push_back(static_cast<uint16_t>(programme.courses.size()));
    programme.courses.push_back(std::move(course));
  }
}

Programme BuildProgramme() {
  Programme programme;
  AddCourses(kObligatoryRows, CourseKind::kObligatory, programme, programme.obligatory);
  AddCourses(kCoreRows, CourseKind::kCore, programme, programme.core);
  AddCourses(kElectiveRows, CourseKind::kElective, programme, programme.electives);
  return programme;
}

std::vector<std::string> BuildMajors() {
  std::vector<std::string> majors;
  for (const MajorRow& row : kMajorRows) majors.emplace_back(row.major);
  return majors;
}

}  // namespace

const Programme& ComputingProgramme() {
  static const Programme programme = BuildProgramme();
  return programme;
}

const std::vector<std::string>& Majors() {
  static const std::vector<std::string> majors = BuildMajors();
  return majors;
}

const std::vector<std::string>& CollegeYears() {
  static const std::vector<std::string> years = {"freshman", "sophomore", "junior", "senior"};
  return years;
}

std::string MajorTaxonomy() {
  std::string text;
  for (const MajorRow& row : kMajorRows) text += fmt::format("{};{};*\n", row.major, row.field);
  return text;
}

std::string CollegeYearTaxonomy() {
  std::string text;
  for (size_t year = 0; year < CollegeYears().size(); ++year) {
    text += fmt::format("{};{};*\n", CollegeYears()[year],
                        year < 2 ? "lower division" : "upper division");
  }
  return text;
}

std::string CourseCodeLine(const std::string& code) {
  const size_t digits = code.find_first_of("0123456789");
  return fmt::format("{};{}**;{};*\n", code, code.substr(0, digits + 1), code.substr(0, digits));
}

std::string CourseTaxonomy() {
  std::vector<std::string> codes;
  for (const Course& course : ComputingProgramme().courses) codes.push_back(course.code);
  std::sort(codes.begin(), codes.end());
  std::string text;
  for (const std::string& code : codes) text += CourseCodeLine(code);
  return text;
}

std::string BookTaxonomy() {
  std::string text;
  for (const Course& course : ComputingProgramme().courses) {
    for (const std::string& book : course.books) {
      text += fmt::format("{};{};{};*\n", book, course.name, course.area);
    }
  }
  return text;
}

}  // namespace thicket
