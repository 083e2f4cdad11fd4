#include <fmt/format.h>

#include <string>

#include "base/memory.h"
#include "cli/commands.h"

namespace thicket {

void AddMaxMemory(CLI::App& command, uint64_t& bytes) {
  const CLI::Validator size(
      [](std::string& text) -> std::string {
        const uint64_t most = ParseSize(text).value_or(0);
        if (most == 0) {
          return fmt::format("must be a size such as 4G, 500M or a number of bytes, but is '{}'",
                             text);
        }
        if (most >= kLeastMemory) return "";
        return fmt::format("must be at least {}, which the program itself may need, but is '{}'",
                           SizeText(kLeastMemory), text);
      },
      "");
  command
      .add_option_function<std::string>(
          "--max-memory", [&bytes](const std::string& text) { bytes = *ParseSize(text); },
          "What may be held while reading, as 4G or 500M (default: what the machine or container "
          "has)")
      ->type_name("SIZE")
      ->check(size);
}

}  // namespace thicket
