// Table 3.1 (a) of Liu 2010, ten patients, with the taxonomies of Fig. 3.1: by number for tests/testing/literal_tables.h,
// and by name.
//
//   LiteralTable table = PatientsTable();
//   LiteralTableCut cut = PatientsCut({"Junior", "Senior", "University", "Europe", "America"});
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "testing/literal_tables.h"

namespace thicket::testing {

// A node's number is its place here. Both figures have the same shape.
inline const std::vector<std::string>& PatientsEducations() {
  static const std::vector<std::string> kNames = {"AnyEdu", "Secondary", "University", "Junior",
                                                  "Senior", "Bachelor",  "Graduate"};
  return kNames;
}
inline const std::vector<std::string>& PatientsCountries() {
  static const std::vector<std::string> kNames = {"AnyCountry", "Europe", "America", "France",
                                                  "UK",         "USA",    "Canada"};
  return kNames;
}
inline const std::vector<std::string>& PatientsDiseases() {
  static const std::vector<std::string> kNames = {"Flu", "Asthma", "Cancer"};
  return kNames;
}

// Record 1 first.
inline const std::vector<std::array<std::string, 3>>& PatientsRows() {
  static const std::vector<std::array<std::string, 3>> kRows = {
      {"Junior", "France", "Flu"},      {"Junior", "UK", "Asthma"},
      {"Senior", "France", "Flu"},      {"Senior", "UK", "Cancer"},
      {"Bachelor", "UK", "Asthma"},     {"Bachelor", "Canada", "Asthma"},
      {"Bachelor", "USA", "Flu"},       {"Graduate", "USA", "Asthma"},
      {"Graduate", "Canada", "Cancer"}, {"Graduate", "Canada", "Cancer"}};
  return kRows;
}

inline int PlaceOf(const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::logic_error(name);
  return static_cast<int>(found - names.begin());
}

inline LiteralTable PatientsTable() {
  LiteralTable table;
  table.taxonomies = {{{-1, 0, 0, 1, 1, 2, 2}}, {{-1, 0, 0, 1, 1, 2, 2}}};
  for (const auto& [education, country, disease] : PatientsRows()) {
    table.quasi.push_back(
        {PlaceOf(education, PatientsEducations()), PlaceOf(country, PatientsCountries())});
    table.sensitive.push_back({PlaceOf(disease, PatientsDiseases())});
  }
  return table;
}

inline LiteralTableCut PatientsCut(const std::vector<std::string>& names) {
  LiteralTableCut cut(2);
  for (const std::string& name : names) {
    const std::vector<std::string>& educations = PatientsEducations();
    if (std::count(educations.begin(), educations.end(), name) > 0) {
      cut[0].insert(PlaceOf(name, educations));
    } else {
      cut[1].insert(PlaceOf(name, PatientsCountries()));
    }
  }
  return cut;
}

}  // namespace thicket::testing
