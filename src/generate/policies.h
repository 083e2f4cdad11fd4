// The policies that come with generated data, as text for a reader to learn from.
#pragma once

#include <string_view>

namespace thicket {

std::string_view StudentsPolicy();
std::string_view CollegeYearsPolicy();
std::string_view TranscriptsPolicy();
std::string_view ElectivesPolicy();
std::string_view GradesPolicy();
std::string_view EvaluationsPolicy();
std::string_view CustomersPolicy();

}  // namespace thicket
