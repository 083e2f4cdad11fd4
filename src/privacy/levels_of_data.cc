#include "privacy/levels_of_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/fold.h"
#include "base/stop.h"
#include "base/text.h"

namespace thicket {

namespace {

using Kind = SensitivityLevels::Kind;

class LevelReader {
 public:
  LevelReader(const Dataset& data, ClassId id, size_t attribute)
      : data_(data),
        id_(id),
        slot_(data.schema->classes[id].sensitive_slot(attribute)),
        policy_(data.schema->classes[id].sensitive[attribute].levels),
        dictionary_(data.dictionaries[id][slot_]) {}

  Result<AttributeLevels> Read() {
    Count();
    levels_.level_of_symbol.assign(dictionary_.size(), 1);
    bad_.assign(dictionary_.size(), false);
    for (Symbol symbol = 0; symbol < dictionary_.size(); ++symbol) {
      StopPoint();
      folded_.push_back(FoldValue(dictionary_.text(symbol)));
    }
    switch (policy_.kind) {
      case Kind::kNumeric:
        THICKET_TRY(ByNumber());
        break;
      case Kind::kFrequency:
        ByFrequency();
        break;
      case Kind::kGiven:
        THICKET_TRY(AsGiven());
        break;
      case Kind::kNone:
        return ErrorAt(ErrorCode::kUsage, {.path = data_.schema->classes[id_].slot_name(slot_)},
                       "levels must be given for every sensitive attribute, but are not",
                       "add levels");
    }
    return std::move(levels_);
  }

 private:
  void Count() {
    levels_.count_of_symbol.assign(dictionary_.size(), 0);
    for (Vertex v = 0; v < data_.forest.vertex_count(); ++v) {
      StopPoint();
      if (data_.forest.class_of(v) == id_) ++levels_.count_of_symbol[data_.forest.value(v, slot_)];
    }
  }
  bool Occurs(Symbol symbol) const { return levels_.count_of_symbol[symbol] > 0; }
  // A blank value is as good as missing.
  bool IsBlank(Symbol symbol) const { return folded_[symbol].empty(); }

  Status ByNumber() {
    std::vector<Decimal> numbers(dictionary_.size());
    std::optional<Decimal> least;
    std::optional<Decimal> greatest;
    for (Symbol symbol = 1; symbol < dictionary_.size(); ++symbol) {
      StopPoint();
      if (!Occurs(symbol) || IsBlank(symbol)) continue;
      const std::optional<Decimal> number = FoldNumber(dictionary_.text(symbol));
      bad_[symbol] = !number;
      if (!number) continue;
      numbers[symbol] = *number;
      if (!least || *number < *least) least = number;
      if (!greatest || *number > *greatest) greatest = number;
    }
    THICKET_TRY(
        MustBeGood("every value must be a number, since its levels go by size, but this one "
                   "is not",
                   "mend the data, or give the levels in the policy: {1: [a, b], 2: [c]}"));
    levels_.sets.emplace(policy_.min.value_or(least.value_or(Decimal())),
                         policy_.max.value_or(greatest.value_or(Decimal())));
    for (Symbol symbol = 1; symbol < dictionary_.size(); ++symbol) {
      StopPoint();
      if (!Occurs(symbol) || IsBlank(symbol)) continue;
      levels_.level_of_symbol[symbol] =
          static_cast<uint32_t>(levels_.sets->Level(numbers[symbol], policy_.low_is_sensitive));
    }
    return {};
  }

  void ByFrequency() {
    std::map<std::string_view, uint64_t> count_of_value;
    for (Symbol symbol = 1; symbol < dictionary_.size(); ++symbol) {
      StopPoint();
      if (!Occurs(symbol) || IsBlank(symbol)) continue;
      count_of_value[folded_[symbol]] += levels_.count_of_symbol[symbol];
    }
    uint64_t least = count_of_value.empty() ? 0 : ~uint64_t{0};
    uint64_t greatest = 0;
    for (const auto& [value, count] : count_of_value) {
      least = std::min(least, count);
      greatest = std::max(greatest, count);
    }
    levels_.sets.emplace(static_cast<double>(least), static_cast<double>(greatest));
    for (Symbol symbol = 1; symbol < dictionary_.size(); ++symbol) {
      StopPoint();
      if (!Occurs(symbol) || IsBlank(symbol)) continue;
      const auto count = static_cast<double>(count_of_value[folded_[symbol]]);
      levels_.level_of_symbol[symbol] = static_cast<uint32_t>(levels_.sets->Level(count, true));
    }
  }

  Status AsGiven() {
    std::map<std::string, uint32_t> level_of_value;
    for (size_t i = 0; i < policy_.given.size(); ++i) {
      for (const std::string& text : policy_.given[i]) {
        level_of_value.emplace(FoldValue(text), static_cast<uint32_t>(i + 1));
      }
    }
    for (Symbol symbol = 1; symbol < dictionary_.size(); ++symbol) {
      StopPoint();
      if (IsBlank(symbol)) continue;
      const auto found = level_of_value.find(folded_[symbol]);
      bad_[symbol] = found == level_of_value.end() && Occurs(symbol);
      if (found != level_of_value.end()) levels_.level_of_symbol[symbol] = found->second;
    }
    return MustBeGood(
        "every value must be in one of the levels that the policy gives, but this one "
        "is in none",
        "add it to a level; --show-values prints it");
  }

  Status MustBeGood(std::string_view what, std::string hint) const {
    if (std::find(bad_.begin(), bad_.end(), true) == bad_.end()) return {};
    uint64_t all = 0;
    uint64_t wrong = 0;
    for (Symbol symbol = 0; symbol < bad_.size(); ++symbol) {
      all += levels_.count_of_symbol[symbol];
      if (bad_[symbol]) wrong += levels_.count_of_symbol[symbol];
    }
    Vertex first = 0;
    while (data_.forest.class_of(first) != id_ || !bad_[data_.forest.value(first, slot_)]) ++first;
    return ErrorAt(ErrorCode::kData, data_.PlaceOf(first, slot_),
                   fmt::format("{} ({} of {})", what, WithCommas(wrong), WithCommas(all)),
                   std::move(hint),
                   std::string(dictionary_.text(data_.forest.value(first, slot_))));
  }

  const Dataset& data_;
  ClassId id_;
  size_t slot_;
  const SensitivityLevels& policy_;
  const Dictionary& dictionary_;
  AttributeLevels levels_;
  std::vector<bool> bad_;
  // By symbol: what it means.
  std::vector<std::string> folded_;
};

}  // namespace

Result<AttributeLevels> ReadLevels(const Dataset& data, ClassId id, size_t attribute) {
  return LevelReader(data, id, attribute).Read();
}

Status ApplyLevels(EncodedDataset& data) {
  for (size_t id = 0; id < data.classes.size(); ++id) {
    ClassEncoding& encoding = data.classes[id];
    for (size_t i = 0; i < data.schema().classes[id].sensitive.size(); ++i) {
      THICKET_ASSIGN(AttributeLevels levels, ReadLevels(data.data, static_cast<ClassId>(id), i));
      encoding.bucket_of_symbol[i] = std::move(levels.level_of_symbol);
      encoding.bucket_count[i] = SensitivityLevels::kCount + 1;
      encoding.once[i].assign(encoding.bucket_count[i], false);
    }
  }
  data.EncodeBuckets();
  return {};
}

}  // namespace thicket
