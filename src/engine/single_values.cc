#include "engine/single_values.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/decimal.h"
#include "base/stop.h"
#include "base/text.h"

namespace thicket {

namespace {

// Fewer values than this are no pattern.
constexpr size_t kFewShown = 4;

// Who has a value of the original.
struct Holder {
  RecordId record = 0;
  bool several = false;
};

// What tells values of the attribute apart: numbers by what they are, others by their text.
std::string KeyOf(std::string_view text, bool numeric) {
  if (!numeric) return std::string(text);
  return Decimal::Key(text).value_or(std::string(text));
}

std::unordered_map<std::string, Holder> FindHolders(const Dataset& data, ClassId id, size_t slot,
                                                    bool numeric) {
  const Dictionary& dictionary = data.dictionaries[id][slot];
  std::vector<Holder> of_symbol(dictionary.size());
  std::vector<bool> met(dictionary.size(), false);
  for (RecordId record = 0; record < data.forest.record_count(); ++record) {
    StopPoint();
    for (Vertex v = data.forest.root(record); v < data.forest.root(record + 1); ++v) {
      if (data.forest.class_of(v) != id) continue;
      const Symbol symbol = data.forest.value(v, slot);
      Holder& holder = of_symbol[symbol];
      if (met[symbol] && holder.record != record) holder.several = true;
      holder.record = record;
      met[symbol] = true;
    }
  }
  std::unordered_map<std::string, Holder> holders;
  for (Symbol symbol = kMissing + 1; symbol < dictionary.size(); ++symbol) {
    if (!met[symbol]) continue;
    const Holder& holder = of_symbol[symbol];
    const auto [found, added] = holders.emplace(KeyOf(dictionary.text(symbol), numeric), holder);
    if (added) continue;
    Holder& same = found->second;
    same.several = same.several || holder.several || same.record != holder.record;
  }
  return holders;
}

// The values that a published text shows: itself, or the ends of "[1, 5]".
void AddShown(std::string_view text, bool numeric, std::unordered_set<std::string>& shown) {
  const size_t comma = text.find(',');
  if (!numeric || !text.starts_with('[') || comma == std::string_view::npos) {
    shown.insert(KeyOf(text, numeric));
    return;
  }
  shown.insert(KeyOf(Trim(text.substr(1, comma - 1)), numeric));
  const std::string_view end = text.substr(comma + 1);
  shown.insert(KeyOf(Trim(end.substr(0, end.size() - 1)), numeric));
}

std::unordered_set<std::string> FindShown(const Dataset& data, ClassId id, size_t slot,
                                          bool numeric) {
  const Dictionary& dictionary = data.dictionaries[id][slot];
  std::vector<bool> met(dictionary.size(), false);
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    StopPoint();
    if (data.forest.class_of(v) == id) met[data.forest.value(v, slot)] = true;
  }
  std::unordered_set<std::string> shown;
  for (Symbol symbol = kMissing + 1; symbol < dictionary.size(); ++symbol) {
    if (met[symbol]) AddShown(dictionary.text(symbol), numeric, shown);
  }
  return shown;
}

}  // namespace

std::vector<std::string> SingleValueWarnings(const Dataset& original, const Dataset& published) {
  const Schema& schema = *original.schema;
  std::vector<std::string> warnings;
  for (size_t i = 0; i < schema.classes.size(); ++i) {
    const auto id = static_cast<ClassId>(i);
    const VertexClass& type = schema.classes[i];
    for (size_t slot = 0; slot < type.value_count(); ++slot) {
      const bool numeric =
          slot < type.quasi.size() && type.quasi[slot].recoding.kind == Recoding::Kind::kNumeric;
      const bool kept =
          slot >= type.keep_slot(0) && type.constants.count(type.slot_name(slot)) == 0;
      if (!numeric && !kept) continue;
      const auto shown = FindShown(published, id, slot, numeric);
      if (shown.size() < kFewShown) continue;
      const auto holders = FindHolders(original, id, slot, numeric);
      size_t single = 0;
      for (const std::string& value : shown) {
        const auto holder = holders.find(value);
        if (holder != holders.end() && !holder->second.several) ++single;
      }
      if (2 * single <= shown.size()) continue;
      warnings.push_back(fmt::format(
          "{}: {} of the {} values that are published {} one record's only, so that whoever knows "
          "one knows whose it is; {}",
          schema.PathOf(id, type.slot_name(slot)), WithCommas(single), WithCommas(shown.size()),
          single == 1 ? "is" : "are",
          numeric ? "give it ranges, which show no single value, or drop it"
                  : "drop it, or make it a quasi-identifier"));
    }
  }
  return warnings;
}

}  // namespace thicket
