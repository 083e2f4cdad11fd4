#include "generate/census.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>

#include "generate/census_taxonomies.h"

namespace thicket {

namespace {

constexpr std::array<std::string_view, 14> kOccupations = {
    "Adm-clerical",    "Armed-Forces",      "Craft-repair",      "Exec-managerial",
    "Farming-fishing", "Handlers-cleaners", "Machine-op-inspct", "Other-service",
    "Priv-house-serv", "Prof-specialty",    "Protective-serv",   "Sales",
    "Tech-support",    "Transport-moving"};
constexpr std::array<std::string_view, 2> kSalaryClasses = {"<=50K", ">50K"};

enum Column : uint8_t {
  kAge,
  kEducation,
  kCountry,
  kWorkclass,
  kMarital,
  kSex,
  kRace,
  kOccupation,
  kSalary
};
constexpr std::array<size_t, 7> kQuasiSizes = {
    kOldest - kYoungest + 1, kEducations.size(), kCountries.size(), kWorkclasses.size(),
    kMaritalStatuses.size(), kSexes.size(),      kRaces.size()};

// The number of one of the weights, each as likely as it is heavy.
uint8_t Pick(Random& random, std::span<const int> weights) {
  const int sum = std::accumulate(weights.begin(), weights.end(), 0);
  int left = static_cast<int>(random.Below(static_cast<uint64_t>(sum)));
  uint8_t number = 0;
  while (left >= weights[number]) left -= weights[number++];
  return number;
}

bool Chance(Random& random, int percent) {
  return random.Below(100) < static_cast<uint64_t>(percent);
}

// Weights of ages: many from 22 to 45, ever fewer above.
std::array<int, kOldest - kYoungest + 1> AgeWeights() {
  std::array<int, kOldest - kYoungest + 1> weights{};
  for (int age = kYoungest; age <= kOldest; ++age) {
    int& weight = weights[static_cast<size_t>(age - kYoungest)];
    if (age < 22) {
      weight = 500 + 110 * (age - kYoungest);
    } else if (age <= 40) {
      weight = 1'150;
    } else if (age <= 64) {
      weight = 1'150 - 39 * (age - 40);
    } else {
      weight = 210 * (91 - age) * (91 - age) / (27 * 27) + 2;
    }
  }
  return weights;
}

constexpr std::array<int, 5> kRaceWeights = {860, 94, 28, 10, 8};

// By race: its percentage of people from the United States, and which other countries how often.
constexpr std::array<int, 5> kBornHere = {94, 90, 35, 97, 45};
constexpr std::array<std::array<int, 41>, 5> kFrom = {{
    // White: Mexico, Germany and Canada first.
    {0, 16, 1, 75, 11, 7, 1, 4, 12, 5, 0, 0, 12, 0, 6, 3, 3, 11, 3, 17, 1,
     3, 2,  5, 2,  10, 8, 6, 2, 0,  0, 0, 0, 0,  0, 0, 1, 0, 0,  3, 5},
    // Black: the Caribbean.
    {0, 1, 1, 1, 1, 0, 1, 1, 4, 6, 26, 38, 4, 9, 1, 0, 0, 3, 1, 2, 0,
     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0, 0, 0, 0, 0, 0, 0, 0},
    // Asian or of the Pacific.
    {0, 1, 4, 0, 0, 0, 0, 0, 0,  0, 0,  0,  0,  1, 0, 0,  0, 1,  0,  0, 0,
     0, 0, 0, 0, 0, 0, 0, 0, 34, 9, 24, 30, 17, 8, 6, 88, 8, 26, 36, 4},
    // American Indian.
    {0, 2, 0, 10, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 1, 1, 0, 0, 0, 0,
     0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0},
    // Other.
    {0, 0, 1, 30, 6, 4, 1, 2, 3, 12, 1, 1, 16, 2, 8, 6, 5, 0, 0, 0, 0,
     0, 0, 0, 0,  0, 0, 0, 0, 0, 0,  0, 0, 0,  0, 0, 1, 0, 0, 8, 5},
}};

// By age group (17 and 18, to 22, to 59, older): how common each education is.
constexpr std::array<std::array<int, 16>, 4> kEducationWeights = {{
    {0, 1, 3, 10, 25, 130, 340, 120, 190, 1, 1, 180, 0, 0, 0, 0},
    {1, 3, 8, 12, 14, 25, 40, 25, 340, 28, 22, 420, 60, 1, 0, 0},
    {1, 4, 9, 13, 12, 20, 24, 9, 325, 50, 37, 205, 192, 63, 18, 13},
    {4, 14, 18, 62, 20, 36, 26, 8, 340, 28, 18, 150, 130, 68, 34, 24},
}};
// Of whom comes from elsewhere, these are added.
constexpr std::array<int, 16> kEducationElsewhere = {12, 45, 80, 30, 25, 10, 8,  8,
                                                     0,  0,  0,  0,  60, 40, 12, 18};

std::array<int, 16> EducationWeights(int age, bool born_here) {
  std::array<int, 16> weights = kEducationWeights[age <= 18 ? 0 : age <= 22 ? 1 : age < 60 ? 2 : 3];
  if (!born_here && age > 22) {
    for (size_t i = 0; i < weights.size(); ++i) weights[i] += kEducationElsewhere[i];
  }
  return weights;
}

std::array<int, 7> MaritalWeights(int age, bool male) {
  // In the order of kMaritalStatuses.
  const int grown = std::clamp(age - 18, 0, 22);
  const int single = std::max(40, 1'000 - 46 * grown) + (male ? 0 : 30);
  const int married = (male ? 34 : 19) * grown;
  const int divorced = (male ? 6 : 12) * grown;
  const int widowed = age < 45 ? 4 : (age - 44) * (male ? 3 : 18);
  return {married, 1, 12, single, divorced, 20 + grown, widowed};
}

std::array<int, 7> WorkclassWeights(int age, uint8_t education) {
  // In the order of kWorkclasses.
  const int grown = std::clamp(age - 20, 0, 45);
  const bool higher = education >= 12;
  const bool graduate = education >= 13;
  return {graduate ? 520 : 760,
          20 + 3 * grown,
          2 + (higher ? 3 : 1) * grown,
          10 + grown / 2 + (higher ? 10 : 0),
          graduate ? 180
          : higher ? 110
                   : 20 + grown,
          graduate ? 110
          : higher ? 55
                   : 30,
          age < 20 || age > 60 ? 2 : 0};
}

// By education (to 9th, to 12th, HS-grad, associates and some college, Bachelors, above): occupations of men, then of women,
// in the order of kOccupations.
constexpr std::array<std::array<int, 14>, 6> kMen = {{
    {15, 0, 230, 25, 130, 110, 190, 110, 2, 8, 15, 35, 3, 130},
    {40, 1, 240, 40, 70, 150, 130, 130, 1, 15, 25, 80, 8, 130},
    {60, 1, 290, 80, 55, 90, 125, 75, 1, 20, 40, 105, 20, 115},
    {110, 1, 180, 130, 35, 50, 60, 65, 0, 85, 50, 135, 60, 55},
    {75, 1, 70, 265, 25, 15, 15, 30, 0, 220, 30, 230, 50, 15},
    {30, 1, 20, 235, 15, 5, 5, 10, 0, 520, 12, 95, 25, 5},
}};
constexpr std::array<std::array<int, 14>, 6> kWomen = {{
    {45, 0, 35, 25, 25, 35, 250, 330, 110, 12, 4, 80, 3, 10},
    {130, 0, 22, 35, 12, 35, 110, 350, 50, 20, 10, 200, 10, 12},
    {330, 0, 25, 85, 8, 22, 90, 230, 18, 30, 12, 130, 18, 12},
    {350, 0, 15, 125, 6, 12, 25, 150, 8, 110, 14, 125, 60, 6},
    {190, 0, 10, 215, 5, 4, 8, 55, 3, 330, 10, 130, 35, 3},
    {65, 0, 4, 200, 3, 2, 3, 15, 1, 660, 5, 30, 15, 1},
}};

std::array<int, 14> OccupationWeights(uint8_t education, bool male, uint8_t workclass) {
  const size_t step = education <= 4    ? 0
                      : education <= 7  ? 1
                      : education == 8  ? 2
                      : education <= 11 ? 3
                      : education == 12 ? 4
                                        : 5;
  std::array<int, 14> weights = (male ? kMen : kWomen)[step];
  const bool self_employed = workclass == 1 || workclass == 2;
  const bool government = workclass >= 3 && workclass <= 5;
  if (self_employed) {
    weights[4] *= 4;               // Farming-fishing
    weights[3] += weights[3] / 2;  // Exec-managerial
    weights[0] /= 4;               // Adm-clerical
    weights[6] /= 4;               // Machine-op-inspct
    weights[10] = 0;               // Protective-serv
  }
  if (government) {
    weights[10] *= 6;  // Protective-serv
    weights[9] *= 2;   // Prof-specialty
    weights[11] /= 8;  // Sales
    weights[6] /= 6;   // Machine-op-inspct
    weights[8] = 0;    // Priv-house-serv
  } else {
    weights[10] /= 2;
  }
  weights[1] *= workclass == 3 ? 8 : 0;  // Armed-Forces: Federal-gov
  return weights;
}

// In percent: who earns more than 50,000.
int HighIncome(int age, uint8_t education, bool married, bool male, uint8_t occupation) {
  int percent = married ? 24 : 2;
  percent += 4 * std::max(0, education - 8);
  percent += std::clamp(age - 30, -10, 15) * (married ? 1 : 0);
  if (occupation == 3 || occupation == 9) percent += married ? 16 : 4;
  if (occupation == 7 || occupation == 5 || occupation == 8) percent -= 15;
  if (age < 25) percent /= 8;
  if (!male && !married) percent /= 2;
  return std::clamp(percent, 0, 95);
}

std::string_view TextOf(size_t column, uint8_t value) {
  switch (column) {
    case kEducation:
      return kEducations[value];
    case kCountry:
      return kCountries[value].name;
    case kWorkclass:
      return kWorkclasses[value];
    case kMarital:
      return kMaritalStatuses[value];
    case kSex:
      return kSexes[value];
    case kRace:
      return kRaces[value];
    case kOccupation:
      return kOccupations[value];
    default:
      return kSalaryClasses[value];
  }
}

}  // namespace

CensusWriter::CensusWriter(uint64_t seed, Shape shape)
    : random_(Random::Seeded(seed)), shape_(shape) {}

CensusWriter::Row CensusWriter::Draw() {
  static const auto age_weights = AgeWeights();
  Row row{};
  row[kAge] = Pick(random_, age_weights);
  const int age = kYoungest + row[kAge];
  row[kSex] = Chance(random_, 67) ? 0 : 1;
  const bool male = row[kSex] == 0;
  row[kRace] = Pick(random_, kRaceWeights);
  const bool born_here = Chance(random_, kBornHere[row[kRace]]);
  row[kCountry] = born_here ? uint8_t{0} : Pick(random_, kFrom[row[kRace]]);
  row[kEducation] = Pick(random_, EducationWeights(age, born_here));
  row[kMarital] = Pick(random_, MaritalWeights(age, male));
  row[kWorkclass] = Pick(random_, WorkclassWeights(age, row[kEducation]));
  row[kOccupation] = Pick(random_, OccupationWeights(row[kEducation], male, row[kWorkclass]));
  const bool married = row[kMarital] <= 1;
  row[kSalary] =
      Chance(random_, HighIncome(age, row[kEducation], married, male, row[kOccupation])) ? 1 : 0;
  return row;
}

CensusWriter::Row CensusWriter::Vary(Row row) {
  std::array<uint8_t, kQuasiSizes.size()> columns{};
  std::iota(columns.begin(), columns.end(), uint8_t{0});
  random_.Shuffle(columns);
  const uint64_t changed = 1 + random_.Below(columns.size());
  for (size_t i = 0; i < changed; ++i) {
    row[columns[i]] = static_cast<uint8_t>(random_.Below(kQuasiSizes[columns[i]]));
  }
  return row;
}

CensusWriter::Row CensusWriter::Repeat(Row row) {
  for (size_t column = 0; column < row.size(); ++column) {
    if (Chance(random_, 10)) row[column] = first_[random_.Below(first_.size())][column];
  }
  return row;
}

void CensusWriter::Append(uint64_t number, std::string& out) {
  const bool is_first = shape_ == Shape::kPlain || number < kCensusRecords;
  const Row row = is_first                     ? Draw()
                  : shape_ == Shape::kVariants ? Vary(first_[number % kCensusRecords])
                                               : Repeat(first_[number % kCensusRecords]);
  if (shape_ != Shape::kPlain && is_first) first_.push_back(row);
  fmt::format_to(std::back_inserter(out), "{}", kYoungest + row[kAge]);
  for (size_t column = 1; column < row.size(); ++column) {
    out += ';';
    out += TextOf(column, row[column]);
  }
  out += '\n';
}

}  // namespace thicket
