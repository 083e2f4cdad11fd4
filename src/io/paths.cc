#include "io/paths.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace thicket {

bool SameFile(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-" || a.empty() || b.empty()) return false;
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored) ||
         std::filesystem::weakly_canonical(a, ignored) ==
             std::filesystem::weakly_canonical(b, ignored);
}

Status MustNotReplace(const std::string& target, const std::string& role, const std::string& source,
                      const std::string& what) {
  if (!SameFile(target, source)) return {};
  return Error{
      ErrorCode::kUsage,
      fmt::format("{}: {} must not replace {}, but this is the same file", target, role, what),
      "choose another path", ""};
}

}  // namespace thicket
