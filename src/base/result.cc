#include "base/result.h"

#include <fmt/format.h>

namespace thicket {

std::string ErrorPlace::Text() const {
  std::string text = file;
  if (line > 0) text += fmt::format(":{}", line);
  if (column > 0) text += fmt::format(":{}", column);
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ": ") + part; };
  if (record > 0) add(fmt::format("record {}", record));
  if (row > 0) add(fmt::format("row {}", row));
  if (!path.empty()) add(path);
  return text;
}

Error ErrorAt(ErrorCode code, ErrorPlace place, std::string_view what, std::string hint,
              std::string value) {
  std::string message = place.Text();
  message += message.empty() ? "" : ": ";
  message += what;
  return {code, std::move(message), std::move(hint), std::move(value), std::move(place)};
}

}  // namespace thicket
