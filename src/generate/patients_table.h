// The table of `patients-table`: the ten patients of Table 3.1(a) of Liu 2010, with the taxonomies of Fig. 3.1 and the
// thresholds of Example 3.1, to follow the examples of its chapter 3 by hand.
//
//   id;education;country;disease
//   1;Junior;France;Flu
//
// Nothing is drawn: every seed gives the same table, and it has ten records.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thicket {

inline constexpr std::string_view kPatientsHeader = "id;education;country;disease\n";
inline constexpr uint64_t kPatientsInTable = 10;

// A row; `number` is below kPatientsInTable, the patient's id is one more.
void AppendPatient(uint64_t number, std::string& out);

// Taxonomy files: 5 cuts each, 25 together.
std::string PatientEducationTaxonomy();
std::string PatientCountryTaxonomy();

}  // namespace thicket
