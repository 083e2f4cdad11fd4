#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "policy/policy_reader.h"

namespace thicket {

namespace {

struct Unit {
  char letter;
  int64_t seconds;
};

// Longest first.
constexpr Unit kUnits[] = {{'w', 604'800}, {'d', 86'400}, {'h', 3'600}, {'m', 60}, {'s', 1}};

// "1800", "30m", "1h"; nothing for anything else. Ten digits are three hundred years in seconds already.
std::optional<int64_t> ParseSessionGap(std::string_view text) {
  constexpr size_t kMostDigits = 10;
  int64_t unit = 1;
  for (const Unit& of : kUnits) {
    if (!text.ends_with(of.letter)) continue;
    unit = of.seconds;
    text.remove_suffix(1);
    break;
  }
  const bool digits = text.find_first_not_of("0123456789") == std::string_view::npos;
  if (text.empty() || !digits || text.size() > kMostDigits) return std::nullopt;
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number * unit;
}

}  // namespace

Status ReadQuerylogKeys(const PolicyNode& node, InputPolicy& input) {
  if (node.Has("session_gap")) {
    const PolicyNode gap = node.Child("session_gap");
    THICKET_ASSIGN(const std::string text, gap.Text());
    input.session_gap_s = ParseSessionGap(text);
    if (!input.session_gap_s) {
      return gap.Fail(fmt::format("must be a time such as 30m or 1h, but is {}", text),
                      "write seconds, or a whole number with s, m, h, d or w; without session_gap "
                      "all queries of a user are one bag");
    }
  }
  if (node.Has("clicked")) {
    THICKET_ASSIGN(input.clicked, node.Child("clicked").OnOff());
  }
  return {};
}

std::string SessionGapText(int64_t seconds) {
  for (const Unit& unit : kUnits) {
    if (seconds > 0 && seconds % unit.seconds == 0)
      return fmt::format("{}{}", seconds / unit.seconds, unit.letter);
  }
  return fmt::format("{}s", seconds);
}

}  // namespace thicket
