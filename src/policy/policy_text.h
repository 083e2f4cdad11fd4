// Names and paths as a policy that is written for the user has them.
//
//   SafeName("e-mail (work)", "attribute");  // e-mail__work_
//   PolicyLine(1, "k: 5", "why");            // "  k: 5                                  # why\n"
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thicket {

// Letters, digits, - and _ only, for file and class names; `otherwise` if nothing of it is left.
std::string SafeName(std::string_view text, std::string_view otherwise);

// The file's name without its extensions.
std::string StemOf(const std::string& path);

// A line at a level of indentation, with its comment in the column of all comments; either may be empty.
std::string PolicyLine(size_t level, std::string_view text, std::string_view comment);

// The data as the policy must name it. What was given as absolute stays so, unless it stands at or below the policy.
std::string RelativePath(const std::string& data_path, const std::string& policy_path);

}  // namespace thicket
