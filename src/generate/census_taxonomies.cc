#include "generate/census_taxonomies.h"

#include <fmt/format.h>

#include <vector>

namespace thicket {

namespace {

// Widths of ranges of years, each a multiple of the one before.
std::vector<int> WidthsOf(CensusGrain grain) {
  switch (grain) {
    case CensusGrain::kTop:
      return {40};
    case CensusGrain::kCoarse:
      return {10, 40};
    case CensusGrain::kStandard:
    case CensusGrain::kMedium:
      return {10, 20, 40};
    case CensusGrain::kFine:
      return {5, 10, 20, 40};
  }
  return {};
}

// All ranges begin here: the 80 years from 15 to 94 are two forties.
constexpr int kFirstYear = 15;

}  // namespace

uint64_t CutsOf(CensusGrain grain) {
  switch (grain) {
    case CensusGrain::kTop:
      return 506'250;
    case CensusGrain::kCoarse:
      return 152'685'000;
    case CensusGrain::kStandard:
      return 356'440'500;
    case CensusGrain::kMedium:
      return 11'995'593'750;
    case CensusGrain::kFine:
      return 241'310'745'000;
  }
  return 0;
}

CensusGrain GrainOf(uint64_t cuts) {
  for (const auto grain :
       {CensusGrain::kTop, CensusGrain::kCoarse, CensusGrain::kMedium, CensusGrain::kFine}) {
    if (CutsOf(grain) == cuts) return grain;
  }
  return CensusGrain::kStandard;
}

std::string CensusAgeTaxonomy(CensusGrain grain) {
  std::string text;
  for (int age = kYoungest; age <= kOldest; ++age) {
    text += fmt::format("{}", age);
    for (const int width : WidthsOf(grain)) {
      const int low = kFirstYear + (age - kFirstYear) / width * width;
      text += fmt::format(";{}-{}", low, low + width - 1);
    }
    text += ";*\n";
  }
  return text;
}

std::string CensusEducationTaxonomy() {
  return "Preschool;Primary;Elementary;School;*\n"
         "1st-4th;Primary;Elementary;School;*\n"
         "5th-6th;Primary;Elementary;School;*\n"
         "7th-8th;Middle;Elementary;School;*\n"
         "9th;Middle;Elementary;School;*\n"
         "10th;10th-12th;High school;School;*\n"
         "11th;10th-12th;High school;School;*\n"
         "12th;10th-12th;High school;School;*\n"
         "HS-grad;High school;School;*\n"
         "Assoc-voc;Undergraduate;Higher;*\n"
         "Assoc-acdm;Undergraduate;Higher;*\n"
         "Some-college;Undergraduate;Higher;*\n"
         "Bachelors;Undergraduate;Higher;*\n"
         "Masters;Graduate;Higher;*\n"
         "Prof-school;Graduate;Higher;*\n"
         "Doctorate;Graduate;Higher;*\n";
}

std::string CensusCountryTaxonomy(CensusGrain grain) {
  std::string text;
  for (const CensusCountry& country : kCountries) {
    if (grain == CensusGrain::kTop) {
      text += fmt::format("{};{};*\n", country.name, country.half);
      continue;
    }
    const bool has_part = grain == CensusGrain::kMedium && !country.part.empty();
    text += fmt::format("{};{}{}{};{};*\n", country.name, has_part ? country.part : "",
                        has_part ? ";" : "", country.region, country.half);
  }
  return text;
}

std::string CensusWorkclassTaxonomy() {
  return "Private;*\n"
         "Self-emp-not-inc;Self-employed;*\n"
         "Self-emp-inc;Self-employed;*\n"
         "Federal-gov;Government;*\n"
         "Local-gov;Government;*\n"
         "State-gov;Government;*\n"
         "Without-pay;*\n";
}

std::string CensusMaritalTaxonomy() {
  return "Married-civ-spouse;Married;*\n"
         "Married-AF-spouse;Married;*\n"
         "Married-spouse-absent;Married;*\n"
         "Never-married;*\n"
         "Divorced;Was-married;*\n"
         "Separated;Was-married;*\n"
         "Widowed;Was-married;*\n";
}

std::string CensusSexTaxonomy() { return "Male;*\nFemale;*\n"; }

std::string CensusRaceTaxonomy() {
  return "White;White-or-Black;*\n"
         "Black;White-or-Black;*\n"
         "Asian-Pac-Islander;Neither;*\n"
         "Amer-Indian-Eskimo;Neither;*\n"
         "Other;Neither;*\n";
}

std::string CensusOccupationTaxonomy() {
  return "Adm-clerical;Office;*\n"
         "Exec-managerial;Office;*\n"
         "Prof-specialty;Office;*\n"
         "Sales;Office;*\n"
         "Tech-support;Office;*\n"
         "Craft-repair;Manual;*\n"
         "Farming-fishing;Manual;*\n"
         "Handlers-cleaners;Manual;*\n"
         "Machine-op-inspct;Manual;*\n"
         "Transport-moving;Manual;*\n"
         "Armed-Forces;Service;*\n"
         "Other-service;Service;*\n"
         "Priv-house-serv;Service;*\n"
         "Protective-serv;Service;*\n";
}

std::string CensusSalaryTaxonomy() { return "<=50K;*\n>50K;*\n"; }

}  // namespace thicket
