#include "generate/grades.h"

#include <algorithm>
#include <cmath>

namespace thicket {

namespace {

constexpr double kMeanGpa = 2.85;
constexpr double kGpaDeviation = 0.6;
constexpr double kGradeDeviation = 0.55;

struct Grade {
  std::string_view letter;
  double points;
};

constexpr Grade kGrades[] = {{"A", 4.0},  {"A-", 3.7}, {"B+", 3.3}, {"B", 3.0},
                             {"B-", 2.7}, {"C+", 2.3}, {"C", 2.0},  {"C-", 1.7},
                             {"D+", 1.3}, {"D", 1.0},  {"F", 0.0}};

}  // namespace

double DrawGpa(Random& random) {
  const double gpa = kMeanGpa + kGpaDeviation * random.Normal();
  return std::round(std::clamp(gpa, 0.0, 4.0) * 100) / 100;
}

std::string_view LetterGrade(double points) {
  const Grade* best = &kGrades[0];
  for (const Grade& grade : kGrades) {
    if (std::abs(grade.points - points) < std::abs(best->points - points)) best = &grade;
  }
  return best->letter;
}

double GradePoints(std::string_view letter) {
  for (const Grade& grade : kGrades) {
    if (grade.letter == letter) return grade.points;
  }
  return -1;
}

std::string_view DrawGrade(double gpa, double easier, Random& random) {
  return LetterGrade(gpa + easier + kGradeDeviation * random.Normal());
}

}  // namespace thicket
