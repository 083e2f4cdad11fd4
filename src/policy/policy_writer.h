// A policy as YAML again, for data that was brought into another shape (`thicket convert`).
//
//   WriteFile("policy.yaml", FormatPolicy(policy));
//
// ParsePolicy(FormatPolicy(p)) says what p says. Comments and layout of the file that p came from are not kept.
#pragma once

#include <string>
#include <string_view>

#include "policy/policy.h"

namespace thicket {

std::string FormatPolicy(const Policy& policy);

// A YAML scalar that reads as this text: plain where that is safe, else in double quotes.
std::string YamlScalar(std::string_view text);

}  // namespace thicket
