#include "generate/enrolments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "generate/students.h"

namespace thicket {

namespace {

struct Region {
  std::string_view name;
  std::string_view part;
};

constexpr Region kRegions[] = {
    {"North Coast", "North"},  {"Lakes", "North"},          {"Highlands", "North"},
    {"Old Towns", "Midlands"}, {"River Plain", "Midlands"}, {"Capital", "Midlands"},
    {"East Fens", "East"},     {"Harbours", "East"},        {"Vineyards", "South"},
    {"South Downs", "South"},  {"Moors", "West"},           {"Western Isles", "West"}};
constexpr int kRegionShares[] = {6, 9, 11, 8, 10, 14, 12, 7, 6, 9, 5, 3};

constexpr std::string_view kSchooling[] = {"none", "school", "college", "degree", "postgraduate"};
constexpr int kSchoolingShares[] = {1, 40, 43, 15, 1};

constexpr std::string_view kAges[] = {"under 35", "35 to 54", "55 and over"};
constexpr int kAgeShares[] = {70, 29, 1};

constexpr int kBandShares[] = {10, 11, 11, 11, 10, 10, 9, 10, 9, 9};

constexpr int kCredits[] = {30, 60, 90, 120, 150, 180, 240};
constexpr int kCreditShares[] = {10, 50, 10, 18, 6, 3, 3};

struct Module {
  std::string_view code;
  std::string_view subject;
  // Assessments that tutors mark, that computers mark, and exams.
  int essays;
  int quizzes;
  int exams;
};

constexpr Module kModules[] = {{"ART1", "humanities", 5, 0, 0},  {"SOC1", "humanities", 6, 5, 1},
                               {"LAW1", "humanities", 4, 0, 1},  {"BUS1", "business", 4, 6, 1},
                               {"ECO2", "business", 3, 8, 1},    {"COM1", "technology", 6, 7, 0},
                               {"NET2", "technology", 4, 10, 1}, {"ENG1", "technology", 5, 2, 1},
                               {"MAT1", "science", 4, 20, 0},    {"PHY2", "science", 3, 12, 1}};
constexpr int kModuleShares[] = {3, 25, 4, 14, 6, 20, 12, 6, 6, 4};

constexpr std::string_view kPresentations[] = {"2023B", "2023J", "2024B", "2024J"};
constexpr int kPresentationShares[] = {15, 27, 24, 34};

constexpr std::string_view kResults[] = {"Pass", "Withdrawn", "Fail", "Distinction"};
constexpr size_t kWithdrawn = 1;
constexpr double kWithdraws = 0.3;
// That there is a second module; after each further one another; and that it is the same again.
constexpr double kSecondModule = 0.12;
constexpr double kAnotherModule = 0.4;
constexpr double kRetake = 0.3;
// That an assessment is not handed in.
constexpr double kLeftOut = 0.06;
constexpr int kDays = 240;

// The n-th assessment of a module: tutors' and computers' in turn over the year, then the exam.
struct Assessment {
  std::string_view type;
  int day;
  int weight;
};

Assessment AssessmentOf(const Module& module, int n) {
  const int before_exam = module.essays + module.quizzes;
  if (n >= before_exam) return {"exam", kDays + 14, 100};
  const int day = 14 + (kDays - 14) * n / before_exam;
  // Spread evenly: the essays are those n where the share of essays grows by one.
  const bool essay = (n + 1) * module.essays / before_exam > n * module.essays / before_exam;
  if (essay) return {"essay", day, 100 / module.essays};
  return {"quiz", day, module.quizzes > 8 ? 1 : 5};
}

}  // namespace

EnrolmentWriter::EnrolmentWriter(uint64_t seed) : random_(Random::Seeded(seed)) {}

template <size_t kCount>
size_t EnrolmentWriter::Draw(const int (&shares)[kCount]) {
  int sum = 0;
  for (const int share : shares) sum += share;
  auto point = static_cast<int>(random_.Below(static_cast<uint64_t>(sum)));
  size_t i = 0;
  while (point >= shares[i]) point -= shares[i++];
  return i;
}

void EnrolmentWriter::Append(uint64_t number, std::string& out) {
  const size_t education = Draw(kSchoolingShares);
  const size_t band = Draw(kBandShares);
  const double ability = random_.Normal() + 0.3 * (static_cast<double>(education) - 1.5) +
                         0.05 * (static_cast<double>(band) - 4.5);
  fmt::format_to(std::back_inserter(out),
                 R"({{"student_id":"E{}","region":"{}","education":"{}","deprivation":"{}-{}%",)"
                 R"("age":"{}","gender":"{}","credits":{},"modules":[)",
                 ScrambledId(number), kRegions[Draw(kRegionShares)].name, kSchooling[education],
                 10 * band, 10 * band + 10, kAges[Draw(kAgeShares)],
                 random_.Uniform() < 0.55 ? "male" : "female", kCredits[Draw(kCreditShares)]);
  size_t count = 1;
  while (count < kMostEnrolments &&
         random_.Uniform() < (count == 1 ? kSecondModule : kAnotherModule)) {
    ++count;
  }
  size_t module = Draw(kModuleShares);
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) {
      out += ',';
      if (random_.Uniform() >= kRetake) module = Draw(kModuleShares);
    }
    AppendModule(ability, module, out);
  }
  out += "]}\n";
}

void EnrolmentWriter::AppendModule(double ability, size_t module, std::string& out) {
  const double outcome = ability + random_.Normal();
  const size_t result = random_.Uniform() < kWithdraws ? kWithdrawn
                        : outcome < -0.7               ? 2
                        : outcome < 1.7                ? 0
                                                       : 3;
  fmt::format_to(
      std::back_inserter(out), R"({{"code":"{}","presentation":"{}","result":"{}","assessments":[)",
      kModules[module].code, kPresentations[Draw(kPresentationShares)], kResults[result]);
  AppendAssessments(outcome, module, result, out);
  out += "]}";
}

void EnrolmentWriter::AppendAssessments(double ability, size_t module, size_t result,
                                        std::string& out) {
  const Module& of = kModules[module];
  const int planned = of.essays + of.quizzes + of.exams;
  const int end = result == kWithdrawn
                      ? static_cast<int>(random_.Below(static_cast<uint64_t>(planned)))
                      : planned;
  bool first = true;
  for (int n = 0; n < end; ++n) {
    if (random_.Uniform() < kLeftOut) continue;
    const Assessment assessment = AssessmentOf(of, n);
    const double points = 72 + 11 * ability + 9 * random_.Normal();
    fmt::format_to(std::back_inserter(out), R"({}{{"type":"{}","day":{},"weight":{},"score":{}}})",
                   first ? "" : ",", assessment.type, assessment.day, assessment.weight,
                   std::lround(std::clamp(points, 0.0, 100.0)));
    first = false;
  }
}

std::string EnrolmentRegionTaxonomy() {
  std::string text;
  for (const Region& region : kRegions) text += fmt::format("{};{};*\n", region.name, region.part);
  return text;
}

std::string EnrolmentEducationTaxonomy() {
  return "none;no degree;*\nschool;no degree;*\ncollege;no degree;*\n"
         "degree;a degree;*\npostgraduate;a degree;*\n";
}

std::string EnrolmentDeprivationTaxonomy() {
  std::string text;
  for (int low = 0; low < 100; low += 10) {
    const int wide = low / 20 * 20;
    text += fmt::format("{}-{}%;{}-{}%;*\n", low, low + 10, wide, wide + 20);
  }
  return text;
}

std::string EnrolmentAgeTaxonomy() { return "under 35;*\n35 to 54;*\n55 and over;*\n"; }

std::string EnrolmentGenderTaxonomy() { return "female;*\nmale;*\n"; }

std::string EnrolmentModuleTaxonomy() {
  std::string text;
  for (const Module& module : kModules) {
    text += fmt::format("{};{};*\n", module.code, module.subject);
  }
  return text;
}

std::string EnrolmentPresentationTaxonomy() {
  std::string text;
  for (const std::string_view presentation : kPresentations) {
    text += fmt::format("{};{};*\n", presentation, presentation.substr(0, 4));
  }
  return text;
}

std::string EnrolmentAssessmentTaxonomy() {
  return "essay;coursework;*\nquiz;coursework;*\nexam;*\n";
}

}  // namespace thicket
