#include <fmt/format.h>

#include <charconv>
#include <string>
#include <system_error>

#include "base/text.h"
#include "cli/commands.h"

namespace thicket {

CLI::Validator WholeNumber(uint64_t least, uint64_t most) {
  const std::string range = most == std::numeric_limits<uint64_t>::max()
                                ? fmt::format("of at least {}", WithCommas(least))
                                : fmt::format("from {} to {}", WithCommas(least), WithCommas(most));
  return CLI::Validator(
      [least, most, range](std::string& text) -> std::string {
        uint64_t number = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (code == std::errc() && end == text.data() + text.size() && number >= least &&
            number <= most) {
          return "";
        }
        return fmt::format("must be a whole number {}, but is '{}'", range, text);
      },
      "");
}

}  // namespace thicket
