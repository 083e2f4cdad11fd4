#include "record/fold_warnings.h"

#include <fmt/format.h>

#include <string>
#include <unordered_set>

#include "base/fold.h"
#include "base/stop.h"
#include "base/text.h"

namespace thicket {

namespace {

// By symbol: whether the forest shows it.
std::vector<bool> ShownSymbols(const Dataset& data, ClassId id, size_t slot) {
  std::vector<bool> shown(data.dictionaries[id][slot].size(), false);
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    StopPoint();
    if (data.forest.class_of(v) == id) shown[data.forest.value(v, slot)] = true;
  }
  return shown;
}

void Examine(const Dataset& data, ClassId id, size_t attribute, std::vector<Warning>& warnings) {
  const VertexClass& type = data.schema->classes[id];
  if (!type.sensitive[attribute].buckets.empty()) return;
  const size_t slot = type.sensitive_slot(attribute);
  const Dictionary& dictionary = data.dictionaries[id][slot];
  const std::vector<bool> shown = ShownSymbols(data, id, slot);
  // No value is a text of its own, beside the blank ones that mean the same.
  std::unordered_set<std::string> texts;
  std::unordered_set<std::string> meanings;
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    if (!shown[symbol]) continue;
    texts.emplace(dictionary.text(symbol));
    meanings.insert(FoldValue(dictionary.text(symbol)));
  }
  if (shown[kMissing]) meanings.insert("");
  const size_t ways = texts.size() + (shown[kMissing] ? 1 : 0);
  if (ways == meanings.size()) return;
  const std::string& name = type.sensitive[attribute].name;
  warnings.push_back({fmt::format(
      "{}: {} texts mean only {} {}, and count as {}: numbers go by value, and letter case, blanks "
      "and Unicode forms make no difference",
      data.schema->PathOf(id, name), WithCommas(ways), WithCommas(meanings.size()),
      meanings.size() == 1 ? "value" : "values", meanings.size() == 1 ? "one" : "those")});
}

}  // namespace

std::vector<Warning> FoldWarnings(const Dataset& data) {
  std::vector<Warning> warnings;
  for (size_t id = 0; id < data.schema->classes.size(); ++id) {
    for (size_t i = 0; i < data.schema->classes[id].sensitive.size(); ++i) {
      Examine(data, static_cast<ClassId>(id), i, warnings);
    }
  }
  return warnings;
}

}  // namespace thicket
