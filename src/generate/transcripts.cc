#include "generate/transcripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "generate/grades.h"
#include "generate/programme.h"
#include "generate/students.h"

namespace thicket {

namespace {

constexpr std::string_view kDepartments[] = {
    "MATH", "CS",   "BUS",  "PSY",  "ECON", "BIO",  "PHYS", "CHEM", "HIST", "LAW",
    "ME",   "EE",   "CE",   "IE",   "POLS", "SOC",  "PHIL", "LIT",  "ART",  "MUS",
    "EDU",  "NURS", "MED",  "DENT", "PHAR", "ARCH", "GEOL", "GEOG", "ASTR", "STAT",
    "LING", "FREN", "GERM", "SPAN", "TURK", "ANTH", "COMM", "JOUR", "THEA", "FILM",
    "AGRI", "FOOD", "ENVR", "MATE", "MINE", "AERO", "TEXT", "SPRT", "TOUR", "LIBR"};
constexpr size_t kCoursesPerDepartment = 100;
static_assert(std::size(kDepartments) * kCoursesPerDepartment == kTranscriptCourses);

constexpr double kOwnDepartment = 0.6;
constexpr double kZipfExponent = 0.9;

std::vector<double> ZipfShares(size_t count) {
  std::vector<double> cumulative(count);
  double sum = 0;
  for (size_t rank = 0; rank < count; ++rank) {
    sum += 1 / std::pow(static_cast<double>(rank + 1), kZipfExponent);
    cumulative[rank] = sum;
  }
  return cumulative;
}

std::vector<std::string> BuildCodes() {
  std::vector<std::string> codes;
  for (const std::string_view department : kDepartments) {
    // Popular courses are those of the first levels: 20 of each level, from 100 to 500.
    for (size_t rank = 0; rank < kCoursesPerDepartment; ++rank) {
      codes.push_back(fmt::format("{}{}{:02}", department, 1 + rank / 20, 1 + rank % 20));
    }
  }
  return codes;
}

}  // namespace

const std::vector<std::string>& TranscriptCodes() {
  static const std::vector<std::string> codes = BuildCodes();
  return codes;
}

std::string TranscriptCourseTaxonomy() {
  std::string text;
  for (const std::string& code : TranscriptCodes()) text += CourseCodeLine(code);
  return text;
}

TranscriptWriter::TranscriptWriter(uint64_t seed)
    : random_(Random::Seeded(seed)),
      department_share_(ZipfShares(std::size(kDepartments))),
      course_share_(ZipfShares(kCoursesPerDepartment)) {}

size_t TranscriptWriter::Draw(const std::vector<double>& cumulative) {
  const double point = random_.Uniform() * cumulative.back();
  const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), point);
  return std::min(static_cast<size_t>(found - cumulative.begin()), cumulative.size() - 1);
}

void TranscriptWriter::Append(uint64_t number, std::string& out) {
  const double gpa = DrawGpa(random_);
  // Most students are in their twenties, some came back later.
  const double age = 22 + 3 * std::abs(random_.Normal()) + (random_.Uniform() < 0.05 ? 12 : 0);
  const long birth_year = 2015 - std::lround(std::min(age, 60.0));
  fmt::format_to(std::back_inserter(out),
                 R"({{"student_id":"T{}","birth_year":{},"gpa":{:.2f},"courses":[)",
                 ScrambledId(number), birth_year, gpa);
  const size_t home = Draw(department_share_);
  // Half of the students have at most 24 courses, one in ten has one or two.
  const auto count =
      static_cast<size_t>(1 + std::floor(static_cast<double>(kMostTranscriptCourses) *
                                         std::pow(random_.Uniform(), 1.6)));
  taken_.clear();
  while (taken_.size() < std::min(count, kMostTranscriptCourses)) {
    const size_t department = random_.Uniform() < kOwnDepartment ? home : Draw(department_share_);
    const auto course =
        static_cast<uint32_t>(department * kCoursesPerDepartment + Draw(course_share_));
    if (std::find(taken_.begin(), taken_.end(), course) == taken_.end()) taken_.push_back(course);
  }
  std::sort(taken_.begin(), taken_.end());
  for (size_t i = 0; i < taken_.size(); ++i) {
    fmt::format_to(std::back_inserter(out), R"({}{{"code":"{}","grade":"{}"}})", i > 0 ? "," : "",
                   TranscriptCodes()[taken_[i]], DrawGrade(gpa, 0, random_));
  }
  out += "]}\n";
}

}  // namespace thicket
