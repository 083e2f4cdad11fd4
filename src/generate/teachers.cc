#include "generate/teachers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "generate/grades.h"

namespace thicket {

namespace {

constexpr size_t kFaculty = 4;
constexpr double kMeanScore = 7;
constexpr double kScoreDeviation = 1.8;
// Tenths per grade point above or below a B.
constexpr double kGratitude = 0.7;

constexpr std::string_view kNames[] = {
    "Adams",  "Bayar",  "Chen",   "Dogan",  "Evans",  "Ferrari", "Gruber", "Hale",
    "Irmak",  "Jansen", "Koch",   "Lange",  "Moreau", "Novak",   "Oz",     "Petit",
    "Reyes",  "Sever",  "Tanaka", "Unal",   "Vogel",  "Weber",   "Xu",     "Yavuz",
    "Zeller", "Arslan", "Blom",   "Castro", "Durand", "Eriksen", "Fuchs",  "Garcia",
    "Haas",   "Ito",    "Jung",   "Kurt",   "Lopez",  "Marino",  "Nagy",   "Olsen",
    "Pavlov", "Rao",    "Silva",  "Turan",  "Urban",  "Vidal",   "Winter", "Yildiz"};

// Areas in the order of their first courses.
const std::vector<std::string>& Areas() {
  static const std::vector<std::string> areas = [] {
    std::vector<std::string> found;
    for (const Course& course : ComputingProgramme().courses) {
      if (std::find(found.begin(), found.end(), course.area) == found.end()) {
        found.push_back(course.area);
      }
    }
    return found;
  }();
  return areas;
}

std::string Teacher(size_t area, size_t place) {
  return fmt::format("Prof. {}", kNames[(area * kFaculty + place) % std::size(kNames)]);
}

}  // namespace

std::array<std::string, 2> TeachersOf(const Course& course) {
  const auto found = std::find(Areas().begin(), Areas().end(), course.area);
  const auto area = static_cast<size_t>(found - Areas().begin());
  // The last digit of the code spreads an area's courses over its faculty.
  const auto place = static_cast<size_t>(course.code.back() - '0') % kFaculty;
  return {Teacher(area, place), Teacher(area, (place + 1) % kFaculty)};
}

int DrawScore(std::string_view grade, Random& random) {
  const double tenths = kMeanScore + kGratitude * (GradePoints(grade) - GradePoints("B")) +
                        kScoreDeviation * random.Normal();
  return static_cast<int>(std::lround(std::clamp(tenths, 0.0, 10.0)));
}

std::string TeacherTaxonomy() {
  std::string text;
  for (size_t area = 0; area < Areas().size(); ++area) {
    for (size_t place = 0; place < kFaculty; ++place) {
      text += fmt::format("{};Faculty of {};*\n", Teacher(area, place), Areas()[area]);
    }
  }
  return text;
}

}  // namespace thicket
