#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace thicket {

std::string WithCommas(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t i = digits.size(); i > 3;) {
    i -= 3;
    digits.insert(i, ",");
  }
  return digits;
}

namespace {

// Insertions, deletions, substitutions, and swaps of two neighbours.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> Nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = EditDistance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::optional<double> ParseNumber(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

std::string NumberText(double number) {
  if (std::abs(number) < 1e15 && number == std::floor(number)) {
    return fmt::format("{}", static_cast<int64_t>(number));
  }
  return fmt::format("{}", number);
}

std::string FigureText(double number) {
  if (number >= 0 && number < 1e15 && number == std::floor(number)) {
    return WithCommas(static_cast<uint64_t>(number));
  }
  return fmt::format("{:.7g}", number);
}

std::string_view Trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool IsUtf8(std::string_view bytes, size_t* position) {
  const auto at = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  size_t i = 0;
  while (i < bytes.size()) {
    const unsigned char lead = at(i);
    size_t length = 0;
    uint32_t point = 0;
    if (lead < 0x80) {
      ++i;
      continue;
    }
    if ((lead & 0xe0) == 0xc0) {
      length = 2;
      point = lead & 0x1fU;
    } else if ((lead & 0xf0) == 0xe0) {
      length = 3;
      point = lead & 0x0fU;
    } else if ((lead & 0xf8) == 0xf0) {
      length = 4;
      point = lead & 0x07U;
    }
    bool good = length != 0 && i + length <= bytes.size();
    for (size_t k = 1; good && k < length; ++k) {
      good = (at(i + k) & 0xc0) == 0x80;
      point = (point << 6) | (at(i + k) & 0x3fU);
    }
    constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    good =
        good && point >= kLeast[length] && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    if (!good) {
      if (position != nullptr) *position = i;
      return false;
    }
    i += length;
  }
  return true;
}

}  // namespace thicket
