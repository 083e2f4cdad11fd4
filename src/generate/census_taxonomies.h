// The values of `census` and the taxonomies above them: of the seven quasi-identifiers of the Adult data set, as Table 3.5 of
// Liu 2010 has them.
//
//   age              74 values    5 levels      677 cuts    tens, twenties and forties of years
//   education        16           5              81
//   native-country   41           4              26
//   workclass         7           3               5
//   marital-status    7           3               5
//   sex               2           2               2
//   race              5           3               5
//
// Together they have the 356,440,500 cuts that the thesis counts. Values are written as in Adult, so the taxonomies serve
// that table as well as a generated one. The thesis names ranges of 5, 10, 20 and 40 years and five levels: its fives must
// be the leaves, for 677 cuts. Here years are the leaves, so that a table need not be changed first, and the fives are
// left out, which would make it 241 billion cuts.
//
// For the size of the space of cuts (Sections 3.6.3.1 and 3.6.3.2) there are two coarser forms and two finer ones; only age and
// native-country differ.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace thicket {

inline constexpr size_t kCensusQuasi = 7;

// How many cuts the seven have.
enum class CensusGrain : uint8_t {
  kTop,       // 506,250: ages in forties, countries in two halves of the world (Section 3.6.3.1)
  kCoarse,    // 152,685,000, as in the thesis: ages in tens and forties
  kStandard,  // 356,440,500
  kMedium,    // 11,995,593,750: regions of countries have parts
  kFine,      // 241,310,745,000: ages in fives, too
};

inline constexpr int kYoungest = 17;
inline constexpr int kOldest = 90;

inline constexpr std::array<std::string_view, 16> kEducations = {
    "Preschool", "1st-4th", "5th-6th",     "7th-8th",   "9th",        "10th",
    "11th",      "12th",    "HS-grad",     "Assoc-voc", "Assoc-acdm", "Some-college",
    "Bachelors", "Masters", "Prof-school", "Doctorate"};
inline constexpr std::array<std::string_view, 7> kWorkclasses = {
    "Private",   "Self-emp-not-inc", "Self-emp-inc", "Federal-gov",
    "Local-gov", "State-gov",        "Without-pay"};
inline constexpr std::array<std::string_view, 7> kMaritalStatuses = {"Married-civ-spouse",
                                                                     "Married-AF-spouse",
                                                                     "Married-spouse-absent",
                                                                     "Never-married",
                                                                     "Divorced",
                                                                     "Separated",
                                                                     "Widowed"};
inline constexpr std::array<std::string_view, 2> kSexes = {"Male", "Female"};
inline constexpr std::array<std::string_view, 5> kRaces = {"White", "Black", "Asian-Pac-Islander",
                                                           "Amer-Indian-Eskimo", "Other"};
// Countries in the order of their regions.
struct CensusCountry {
  std::string_view name;
  std::string_view half;
  std::string_view region;
  // Of a region that has parts.
  std::string_view part;
};
inline constexpr std::array<CensusCountry, 41> kCountries = {{
    {"United-States", "America", "North America", ""},
    {"Canada", "America", "North America", ""},
    {"Outlying-US(Guam-USVI-etc)", "America", "North America", ""},
    {"Mexico", "America", "Latin America", "Central America"},
    {"El-Salvador", "America", "Latin America", "Central America"},
    {"Guatemala", "America", "Latin America", "Central America"},
    {"Honduras", "America", "Latin America", "Central America"},
    {"Nicaragua", "America", "Latin America", "Central America"},
    {"Cuba", "America", "Latin America", "Caribbean"},
    {"Dominican-Republic", "America", "Latin America", "Caribbean"},
    {"Haiti", "America", "Latin America", "Caribbean"},
    {"Jamaica", "America", "Latin America", "Caribbean"},
    {"Puerto-Rico", "America", "Latin America", "Caribbean"},
    {"Trinadad&Tobago", "America", "Latin America", "Caribbean"},
    {"Columbia", "America", "Latin America", "South America"},
    {"Ecuador", "America", "Latin America", "South America"},
    {"Peru", "America", "Latin America", "South America"},
    {"England", "Eurasia", "Europe", "Western Europe"},
    {"France", "Eurasia", "Europe", "Western Europe"},
    {"Germany", "Eurasia", "Europe", "Western Europe"},
    {"Holand-Netherlands", "Eurasia", "Europe", "Western Europe"},
    {"Ireland", "Eurasia", "Europe", "Western Europe"},
    {"Scotland", "Eurasia", "Europe", "Western Europe"},
    {"Greece", "Eurasia", "Europe", "Southern and Eastern Europe"},
    {"Hungary", "Eurasia", "Europe", "Southern and Eastern Europe"},
    {"Italy", "Eurasia", "Europe", "Southern and Eastern Europe"},
    {"Poland", "Eurasia", "Europe", "Southern and Eastern Europe"},
    {"Portugal", "Eurasia", "Europe", "Southern and Eastern Europe"},
    {"Yugoslavia", "Eurasia", "Europe", "Southern and Eastern Europe"},
    {"China", "Eurasia", "Asia", "East Asia"},
    {"Hong", "Eurasia", "Asia", "East Asia"},
    {"Japan", "Eurasia", "Asia", "East Asia"},
    {"South", "Eurasia", "Asia", "East Asia"},
    {"Taiwan", "Eurasia", "Asia", "East Asia"},
    {"Cambodia", "Eurasia", "Asia", "Southeast Asia"},
    {"Laos", "Eurasia", "Asia", "Southeast Asia"},
    {"Philippines", "Eurasia", "Asia", "Southeast Asia"},
    {"Thailand", "Eurasia", "Asia", "Southeast Asia"},
    {"Vietnam", "Eurasia", "Asia", "Southeast Asia"},
    {"India", "Eurasia", "Asia", "South and West Asia"},
    {"Iran", "Eurasia", "Asia", "South and West Asia"},
}};

// Of `census-repeated`, where all nine columns are quasi-identifiers, occupation and salary-class have taxonomies, too; the thesis has none.

// The number of cuts, and the grain that has so many.
uint64_t CutsOf(CensusGrain grain);
CensusGrain GrainOf(uint64_t cuts);

// Taxonomy files.
std::string CensusAgeTaxonomy(CensusGrain grain);
std::string CensusEducationTaxonomy();
std::string CensusCountryTaxonomy(CensusGrain grain);
std::string CensusWorkclassTaxonomy();
std::string CensusMaritalTaxonomy();
std::string CensusSexTaxonomy();
std::string CensusRaceTaxonomy();
std::string CensusOccupationTaxonomy();
std::string CensusSalaryTaxonomy();

}  // namespace thicket
