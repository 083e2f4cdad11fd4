#include <fmt/format.h>

#include <string>

#include "base/memory.h"
#include "cli/commands.h"

namespace thicket {

void AddMaxMemory(CLI::App& command, uint64_t& bytes) {
  const CLI::Validator size(
      [](std::string& text) -> std::string {
        if (ParseSize(text).value_or(0) > 0) return "";
        return fmt::format("must be a size such as 4G, 500M or a number of bytes, but is '{}'",
                           text);
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
