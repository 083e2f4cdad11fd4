#include "generate/students.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "generate/grades.h"
#include "generate/teachers.h"

namespace thicket {

namespace {

constexpr size_t kCoreCourses = 6;
constexpr size_t kFewestElectives = 3;
constexpr size_t kMostElectives = 7;

constexpr int kFirstGraduation = 2012;
constexpr uint64_t kCohorts = 6;
constexpr double kGraduationAge = 22.4;
constexpr double kAgeDeviation = 0.9;

constexpr std::string_view kFirstNames[] = {
    "Ada",     "Alan",  "Barbara", "Can",   "Defne", "Edgar", "Elif",  "Emre",
    "Frances", "Grace", "Hande",   "Ilker", "Jean",  "Kemal", "Leyla", "Mert",
    "Niklaus", "Ozan",  "Pelin",   "Radia", "Selin", "Tony",  "Umut",  "Zeynep"};
constexpr std::string_view kLastNames[] = {"Aksoy", "Baker",  "Celik",  "Demir", "Erdem", "Fischer",
                                           "Gunes", "Hopper", "Inan",   "Jones", "Kaya",  "Lovell",
                                           "Meyer", "Nergis", "Ozturk", "Polat", "Quinn", "Rossi",
                                           "Sahin", "Toprak", "Ulusoy", "Varga", "Wood",  "Yilmaz"};
constexpr std::string_view kCampuses[] = {"Main", "Harbour", "Hill"};

// The position that a point of [0, 1) falls into when the first shares are these and the last takes
// the rest.
template <size_t count>
size_t Pick(const std::array<double, count>& shares, double point) {
  size_t position = 0;
  while (position < count && point >= shares[position]) point -= shares[position++];
  return position;
}

double EasierBy(CourseKind kind) {
  switch (kind) {
    case CourseKind::kObligatory:
      return 0.3;
    case CourseKind::kCore:
      return -0.2;
    case CourseKind::kElective:
      return 0;
  }
  return 0;
}

template <typename... Values>
void Add(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
}

}  // namespace

uint64_t ScrambledId(uint64_t number) {
  // 48,271,903 and 90,000,000 have no common factor, so this is a permutation.
  constexpr uint64_t kIds = 90'000'000;
  return 10'000'000 + (number % kIds * 48'271'903 + 31'415'926) % kIds;
}

StudentWriter::StudentWriter(uint64_t seed, Shape shape)
    : random_(Random::Seeded(seed)), shape_(shape), programme_(ComputingProgramme()) {
  taken_.resize(programme_.courses.size());
  year_.resize(programme_.courses.size());
}

void StudentWriter::DrawCourses() {
  std::fill(taken_.begin(), taken_.end(), false);
  for (const uint16_t course : programme_.obligatory) taken_[course] = true;
  const auto take_from = [&](const std::vector<uint16_t>& pool, size_t count) {
    pool_ = pool;
    for (size_t i = 0; i < count; ++i) {
      std::swap(pool_[i], pool_[i + static_cast<size_t>(random_.Below(pool_.size() - i))]);
      taken_[pool_[i]] = true;
    }
  };
  take_from(programme_.core, kCoreCourses);
  take_from(
      programme_.electives,
      kFewestElectives + static_cast<size_t>(random_.Below(kMostElectives - kFewestElectives + 1)));
}

void StudentWriter::DrawYears() {
  const int last = static_cast<int>(CollegeYears().size()) - 1;
  for (size_t course = 0; course < taken_.size(); ++course) {
    const int shift = static_cast<int>(Pick<2>({0.12, 0.7}, random_.Uniform())) - 1;
    year_[course] = std::clamp(programme_.courses[course].year + shift, 0, last);
  }
  // Later courses first, so that a whole chain of prerequisites moves.
  for (size_t course = taken_.size(); course-- > 0;) {
    if (!taken_[course]) continue;
    for (const uint16_t earlier : programme_.courses[course].prerequisites) {
      year_[earlier] = std::min(year_[earlier], std::max(0, year_[course] - 1));
    }
  }
}

void StudentWriter::AppendPerson(uint64_t number, std::string& out) {
  const uint64_t id = ScrambledId(number);
  const std::string_view first = kFirstNames[random_.Below(std::size(kFirstNames))];
  const std::string_view last = kLastNames[random_.Below(std::size(kLastNames))];
  Add(out, R"({{"student_id":"S{}","name":"{} {}")", id, first, last);
  Add(out, R"(,"email":"{}.{}.{}@students.example.edu")", first, last, id);
  Add(out, R"(,"campus":"{}")", kCampuses[Pick<2>({0.6, 0.3}, random_.Uniform())]);
  // Nine of ten study what the programme is named after; the others share the rest evenly.
  const size_t other = 1 + static_cast<size_t>(random_.Below(Majors().size() - 1));
  Add(out, R"(,"major":"{}")", Majors()[random_.Uniform() < 0.9 ? 0 : other]);
  const int graduation = kFirstGraduation + static_cast<int>(random_.Below(kCohorts));
  const double age = std::clamp(kGraduationAge + kAgeDeviation * random_.Normal(), 20.0, 30.0);
  Add(out, R"(,"birth_year":{},"gpa":{:.2f})", graduation - std::lround(age), gpa_);
}

void StudentWriter::AppendBooks(const Course& course, std::string& out) {
  out += R"(,"books":[)";
  const size_t count = Pick<2>({0.25, 0.45}, random_.Uniform());
  size_t first = 0;
  for (size_t i = 0; i < count; ++i) {
    // Half of the buyers take the usual book first.
    size_t book =
        random_.Uniform() < 0.5 ? 0 : static_cast<size_t>(random_.Below(course.books.size()));
    if (i > 0 && book == first) book = (book + 1) % course.books.size();
    Add(out, R"({}{{"title":"{}"}})", i > 0 ? "," : "", course.books[book]);
    first = book;
  }
  out += ']';
}

void StudentWriter::AppendTeachers(const Course& course, std::string_view grade, std::string& out) {
  const std::array<std::string, 2> teachers = TeachersOf(course);
  const size_t count = random_.Uniform() < 0.6 ? 1 : 2;
  const size_t first = random_.Uniform() < 0.7 ? 0 : 1;
  out += R"(,"teachers":[)";
  for (size_t i = 0; i < count; ++i) {
    Add(out, R"({}{{"name":"{}","score":{}}})", i > 0 ? "," : "", teachers[(first + i) % 2],
        DrawScore(grade, random_) / 10.0);
  }
  out += ']';
}

void StudentWriter::AppendCourses(int year, std::string& out) {
  out += R"("courses":[)";
  bool comma = false;
  for (size_t i = 0; i < taken_.size(); ++i) {
    if (!taken_[i] || (year >= 0 && year_[i] != year)) continue;
    const Course& course = programme_.courses[i];
    const std::string_view grade = DrawGrade(gpa_, EasierBy(course.kind), random_);
    Add(out, R"({}{{"code":"{}","grade":"{}")", comma ? "," : "", course.code, grade);
    if (shape_ == Shape::kEvaluations) {
      AppendTeachers(course, grade, out);
    } else if (shape_ != Shape::kGrades) {
      AppendBooks(course, out);
    }
    out += '}';
    comma = true;
  }
  out += ']';
}

void StudentWriter::Append(uint64_t number, std::string& out) {
  gpa_ = DrawGpa(random_);
  AppendPerson(number, out);
  DrawCourses();
  out += ',';
  if (shape_ != Shape::kYears) {
    AppendCourses(-1, out);
  } else {
    DrawYears();
    out += R"("years":[)";
    bool comma = false;
    for (size_t year = 0; year < CollegeYears().size(); ++year) {
      bool any = false;
      for (size_t i = 0; i < taken_.size(); ++i) {
        any = any || (taken_[i] && year_[i] == static_cast<int>(year));
      }
      if (!any) continue;
      Add(out, R"({}{{"year":"{}",)", comma ? "," : "", CollegeYears()[year]);
      AppendCourses(static_cast<int>(year), out);
      out += '}';
      comma = true;
    }
    out += ']';
  }
  out += "}\n";
}

}  // namespace thicket
