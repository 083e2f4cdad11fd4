#include "verify/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/text.h"

namespace thicket {

namespace {

constexpr uint32_t kMostSensitive = 5;

// How far a number lies on the way from the end that is not sensitive (0) to the one that is (1).
uint32_t LevelAt(double way) {
  constexpr double kBounds[] = {2.0 / 9, 5.0 / 12, 7.0 / 12, 7.0 / 9};
  // A value on a bound may have been rounded to either side of it.
  constexpr double kRounding = 1e-10;
  uint32_t level = 1;
  for (const double bound : kBounds) {
    if (way >= bound - kRounding) ++level;
  }
  return level;
}

uint32_t LevelOf(double number, double min, double max, bool low_is_sensitive) {
  if (min >= max) return 3;
  // In halves, so that the widest range does not overflow.
  const double way = (number / 2 - min / 2) / (max / 2 - min / 2);
  return LevelAt(low_is_sensitive ? 1 - way : way);
}

// By symbol: the number that decides, its own or its frequency; absent where it has none or is not shown.
using Numbers = std::vector<std::optional<double>>;

void SetLevels(const Numbers& numbers, std::optional<double> min, std::optional<double> max,
               bool low_is_sensitive, Sensitivity& result) {
  std::vector<double> shown;
  for (const std::optional<double>& number : numbers) {
    if (number) shown.push_back(*number);
  }
  if (shown.empty()) return;
  const double from = min ? *min : *std::min_element(shown.begin(), shown.end());
  const double to = max ? *max : *std::max_element(shown.begin(), shown.end());
  for (size_t symbol = 0; symbol < numbers.size(); ++symbol) {
    if (numbers[symbol]) {
      result.level[symbol] = LevelOf(*numbers[symbol], from, to, low_is_sensitive);
    }
  }
}

}  // namespace

Sensitivity FindSensitivity(const SensitivityLevels& policy, const Dataset& published, ClassId id,
                            size_t slot) {
  const Dictionary& dictionary = published.dictionaries[id][slot];
  std::unordered_map<std::string, double> frequency;
  std::vector<bool> is_shown(dictionary.size(), false);
  for (Vertex v = 0; v < published.forest.vertex_count(); ++v) {
    if (published.forest.class_of(v) != id) continue;
    const Symbol symbol = published.forest.value(v, slot);
    is_shown[symbol] = true;
    if (symbol != kMissing) ++frequency[std::string(dictionary.text(symbol))];
  }
  Sensitivity result;
  result.level.assign(dictionary.size(), kMostSensitive);
  result.level[kMissing] = 1;
  result.none.assign(dictionary.size(), false);
  Numbers numbers(dictionary.size());
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    if (!is_shown[symbol]) continue;
    const std::string text(dictionary.text(symbol));
    if (policy.kind == SensitivityLevels::Kind::kFrequency) {
      numbers[symbol] = frequency[text];
    } else if (policy.kind == SensitivityLevels::Kind::kNumeric) {
      numbers[symbol] = ParseNumber(text);
      result.none[symbol] = !numbers[symbol];
    } else {
      result.none[symbol] = true;
      for (uint32_t i = 0; i < policy.given.size(); ++i) {
        const auto& values = policy.given[i];
        if (std::find(values.begin(), values.end(), text) == values.end()) continue;
        result.level[symbol] = i + 1;
        result.none[symbol] = false;
      }
    }
  }
  if (policy.kind == SensitivityLevels::Kind::kFrequency) {
    SetLevels(numbers, {}, {}, true, result);
  } else if (policy.kind == SensitivityLevels::Kind::kNumeric) {
    SetLevels(numbers, policy.min, policy.max, policy.low_is_sensitive, result);
  }
  return result;
}

Sensitivity CarryOver(const Sensitivity& found, const Dataset& from, const Dataset& to, ClassId id,
                      size_t slot) {
  const Dictionary& before = from.dictionaries[id][slot];
  std::unordered_map<std::string_view, Symbol> symbol_of_text;
  for (Symbol symbol = 1; symbol < before.size(); ++symbol) {
    symbol_of_text.emplace(before.text(symbol), symbol);
  }
  const Dictionary& after = to.dictionaries[id][slot];
  Sensitivity result;
  result.level.assign(after.size(), kMostSensitive);
  result.none.assign(after.size(), true);
  result.level[kMissing] = found.level[kMissing];
  result.none[kMissing] = found.none[kMissing];
  for (Symbol symbol = 1; symbol < after.size(); ++symbol) {
    const auto same = symbol_of_text.find(after.text(symbol));
    if (same == symbol_of_text.end()) continue;
    result.level[symbol] = found.level[same->second];
    result.none[symbol] = found.none[same->second];
  }
  return result;
}

}  // namespace thicket
