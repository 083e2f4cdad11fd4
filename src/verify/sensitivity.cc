#include "verify/sensitivity.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/fold.h"
#include "base/stop.h"

namespace thicket {

namespace {

constexpr uint32_t kMostSensitive = 5;

// By symbol: how many vertices show it.
std::vector<uint64_t> CountSymbols(const Dataset& data, ClassId id, size_t slot) {
  std::vector<uint64_t> count(data.dictionaries[id][slot].size(), 0);
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    StopPoint();
    if (data.forest.class_of(v) == id) ++count[data.forest.value(v, slot)];
  }
  return count;
}

// Whether the number lies `parts` 36ths of the range from min to max, or more, above min.
bool IsAtLeast(const Decimal& number, const Decimal& min, const Decimal& max, uint32_t parts) {
  // 36 number >= 36 min + parts (max - min), with everything on the side where it is added.
  return number.Times(36) + min.Times(parts) >= min.Times(36) + max.Times(parts);
}

uint32_t LevelOf(const Decimal& number, const Decimal& min, const Decimal& max,
                 bool low_is_sensitive) {
  if (!(min < max)) return 3;
  // 2/9, 5/12, 7/12 and 7/9 of the range.
  constexpr std::array<uint32_t, 4> kBounds = {8, 15, 21, 28};
  uint32_t level = 1;
  for (const uint32_t bound : kBounds) {
    // Seen from above, the range lies between the negative numbers.
    if (low_is_sensitive ? IsAtLeast(-number, -max, -min, bound)
                         : IsAtLeast(number, min, max, bound)) {
      ++level;
    }
  }
  return level;
}

// By symbol: the number that decides, its own or its frequency; absent where it has none or is not shown.
using Numbers = std::vector<std::optional<Decimal>>;

void SetLevels(const Numbers& numbers, std::optional<Decimal> min, std::optional<Decimal> max,
               bool low_is_sensitive, Sensitivity& result) {
  std::vector<Decimal> shown;
  for (const std::optional<Decimal>& number : numbers) {
    if (number) shown.push_back(*number);
  }
  if (shown.empty()) return;
  const Decimal from = min ? *min : *std::min_element(shown.begin(), shown.end());
  const Decimal to = max ? *max : *std::max_element(shown.begin(), shown.end());
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
  const std::vector<uint64_t> count = CountSymbols(published, id, slot);
  Sensitivity result;
  result.level.assign(dictionary.size(), kMostSensitive);
  result.level[kMissing] = 1;
  result.none.assign(dictionary.size(), false);
  std::unordered_map<std::string, uint64_t> frequency;
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    if (count[symbol] > 0) frequency[FoldValue(dictionary.text(symbol))] += count[symbol];
  }
  std::unordered_map<std::string, uint32_t> given;
  for (uint32_t i = 0; i < policy.given.size(); ++i) {
    for (const std::string& value : policy.given[i]) given[FoldValue(value)] = i + 1;
  }
  Numbers numbers(dictionary.size());
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    if (count[symbol] == 0) continue;
    const std::string meaning = FoldValue(dictionary.text(symbol));
    // What is blank is as good as missing.
    if (meaning.empty()) {
      result.level[symbol] = 1;
      continue;
    }
    if (policy.kind == SensitivityLevels::Kind::kFrequency) {
      numbers[symbol] = Decimal(static_cast<double>(frequency[meaning]));
    } else if (policy.kind == SensitivityLevels::Kind::kNumeric) {
      numbers[symbol] = FoldNumber(dictionary.text(symbol));
      result.none[symbol] = !numbers[symbol];
    } else {
      const auto found = given.find(meaning);
      result.none[symbol] = found == given.end();
      if (found != given.end()) result.level[symbol] = found->second;
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
  // Of several ways to write a value one that is shown: only those were given a level.
  const std::vector<uint64_t> count = CountSymbols(from, id, slot);
  std::unordered_map<std::string, Symbol> symbol_of;
  for (Symbol symbol = 1; symbol < before.size(); ++symbol) {
    StopPoint();
    Symbol& same = symbol_of[FoldValue(before.text(symbol))];
    if (same == kMissing || count[symbol] > 0) same = symbol;
  }
  symbol_of[""] = kMissing;
  const Dictionary& after = to.dictionaries[id][slot];
  Sensitivity result;
  result.level.assign(after.size(), kMostSensitive);
  result.none.assign(after.size(), true);
  result.level[kMissing] = found.level[kMissing];
  result.none[kMissing] = found.none[kMissing];
  for (Symbol symbol = 1; symbol < after.size(); ++symbol) {
    StopPoint();
    const auto same = symbol_of.find(FoldValue(after.text(symbol)));
    if (same == symbol_of.end()) continue;
    result.level[symbol] = found.level[same->second];
    result.none[symbol] = found.none[same->second];
  }
  return result;
}

}  // namespace thicket
