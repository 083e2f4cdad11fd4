#include "generate/electives.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "generate/grades.h"
#include "generate/students.h"

namespace thicket {

namespace {

// The shelf of an area.
constexpr std::string_view kBookKinds[] = {"An Introduction", "Theory and Practice",
                                           "The Essentials",  "A Companion",
                                           "Selected Topics", "Worked Examples"};

}  // namespace

const std::vector<ElectiveCourse>& ElectiveCourses() {
  using enum ElectiveCourse::Kind;
  static const std::vector<ElectiveCourse> courses = {
      {"Calculus", "Mathematics", "Science", kObligatory, 4},
      {"Programming", "Computing", "Science", kObligatory, 4},
      {"Mechanics", "Physics", "Science", kObligatory, 3},
      {"Writing", "Language", "Humanities", kObligatory, 2},
      {"Databases", "Computing", "Science", kTechnical, 3},
      {"Algorithms", "Computing", "Science", kTechnical, 4},
      {"Networks", "Computing", "Science", kTechnical, 2},
      {"Graphics", "Computing", "Science", kTechnical, 2},
      {"Algebra", "Mathematics", "Science", kTechnical, 3},
      {"Statistics", "Mathematics", "Science", kTechnical, 4},
      {"Optimization", "Mathematics", "Science", kTechnical, 2},
      {"Electronics", "Physics", "Science", kTechnical, 3},
      {"Optics", "Physics", "Science", kTechnical, 2},
      {"World History", "History", "Humanities", kOther, 4},
      {"Ottoman History", "History", "Humanities", kOther, 2},
      {"American History", "History", "Humanities", kOther, 3},
      {"Ethics", "Philosophy", "Humanities", kOther, 3},
      {"Logic", "Philosophy", "Humanities", kOther, 2},
      {"World Religions", "Philosophy", "Humanities", kOther, 2},
      {"French", "Language", "Humanities", kOther, 3},
      {"German", "Language", "Humanities", kOther, 2},
      {"Film", "Language", "Humanities", kOther, 2},
  };
  return courses;
}

std::string ElectiveBook(const ElectiveCourse& course, int book) {
  // Courses of an area begin at different places of its shelf, and so share books.
  const size_t start = course.name.size();
  return fmt::format("{}: {}", course.area,
                     kBookKinds[(start + static_cast<size_t>(book)) % std::size(kBookKinds)]);
}

std::string ElectiveCourseTaxonomy() {
  std::string text;
  for (const ElectiveCourse& course : ElectiveCourses()) {
    text += fmt::format("{};{};{};*\n", course.name, course.area, course.field);
  }
  return text;
}

std::string ElectiveBookTaxonomy() {
  std::set<std::string> lines;
  for (const ElectiveCourse& course : ElectiveCourses()) {
    for (int book = 0; book < course.books; ++book) {
      lines.insert(fmt::format("{};{} books;{} books;*\n", ElectiveBook(course, book), course.area,
                               course.field));
    }
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

ElectiveWriter::ElectiveWriter(uint64_t seed) : random_(Random::Seeded(seed)) {}

void ElectiveWriter::Draw(ElectiveCourse::Kind kind, size_t count) {
  std::vector<size_t> pool;
  for (size_t i = 0; i < ElectiveCourses().size(); ++i) {
    if (ElectiveCourses()[i].kind == kind) pool.push_back(i);
  }
  for (; count > 0; --count) {
    const uint64_t drawn = std::min(random_.Below(pool.size()), random_.Below(pool.size()));
    taken_.push_back(pool[drawn]);
    pool.erase(pool.begin() + static_cast<std::ptrdiff_t>(drawn));
  }
}

void ElectiveWriter::Append(uint64_t number, std::string& out) {
  const double gpa = DrawGpa(random_);
  fmt::format_to(std::back_inserter(out), R"({{"student_id":"E{}","gpa":{:.2f},"courses":[)",
                 ScrambledId(number), gpa);
  taken_.clear();
  Draw(ElectiveCourse::Kind::kObligatory, 1);
  Draw(ElectiveCourse::Kind::kTechnical, 2 + random_.Below(2));
  Draw(ElectiveCourse::Kind::kOther, 2 + random_.Below(2));
  for (size_t i = 0; i < taken_.size(); ++i) {
    const ElectiveCourse& course = ElectiveCourses()[taken_[i]];
    const bool usual = random_.Uniform() < 0.5;
    const uint64_t book = usual ? 0 : random_.Below(static_cast<uint64_t>(course.books));
    fmt::format_to(std::back_inserter(out),
                   R"({}{{"course":"{}","grade":"{}","books":[{{"title":"{}"}}]}})",
                   i > 0 ? "," : "", course.name, DrawGrade(gpa, 0, random_),
                   ElectiveBook(course, static_cast<int>(book)));
  }
  out += "]}\n";
}

}  // namespace thicket
