// The policies that come with generated data, as text for a reader to learn from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thicket {

std::string_view StudentsPolicy();
std::string_view CollegeYearsPolicy();
std::string_view TranscriptsPolicy();
std::string_view ElectivesPolicy();
std::string_view GradesPolicy();
std::string_view EvaluationsPolicy();
std::string_view EnrolmentsPolicy();
std::string_view CustomersPolicy();
std::string_view PatientsTablePolicy();
// The first so many quasi-identifiers of a census are known, the others are not published.
std::string CensusPolicyText(std::string_view name, size_t quasi);
std::string_view CensusPolicy();
std::string_view CensusVariantsPolicy();
std::string_view CensusRepeatedPolicy();
std::string_view BasketsPolicy();
std::string_view BasketsTablePolicy();
std::string_view QueryLogPolicy();
std::string_view QueryLogTablePolicy();

}  // namespace thicket
