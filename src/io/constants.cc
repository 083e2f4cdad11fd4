#include "io/constants.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/text.h"

namespace thicket {

namespace {

// By symbol: whether it is the constant. Of texts that are the same but for their kind (1 and "1"), only the first is.
std::vector<bool> FindConstant(const Dictionary& dictionary, const std::string& constant) {
  std::vector<bool> is_constant(dictionary.size(), false);
  for (Symbol symbol = kMissing + 1; symbol < dictionary.size(); ++symbol) {
    if (dictionary.text(symbol) != constant) continue;
    is_constant[symbol] = true;
    break;
  }
  return is_constant;
}

Status CheckConstant(const Dataset& data, ClassId id, size_t slot, const std::string& constant,
                     bool published) {
  const Dictionary& dictionary = data.dictionaries[id][slot];
  const std::vector<bool> is_constant = FindConstant(dictionary, constant);
  const Forest& forest = data.forest;
  uint64_t all = 0;
  uint64_t others = 0;
  Vertex first = 0;
  for (Vertex v = 0; v < forest.vertex_count(); ++v) {
    if (forest.class_of(v) != id) continue;
    ++all;
    const Symbol symbol = forest.value(v, slot);
    if (is_constant[symbol] || (published && symbol == kMissing)) continue;
    if (others++ == 0) first = v;
  }
  if (others == 0) return {};
  const Symbol symbol = forest.value(first, slot);
  Error error = ErrorAt(
      published ? ErrorCode::kPromise : ErrorCode::kData, data.PlaceOf(first, slot),
      fmt::format("every value must be the policy's constant, but this one is {} ({} of {})",
                  symbol == kMissing ? "missing" : "another", WithCommas(others), WithCommas(all)),
      published ? "do not hand this file out; publish again with thicket anonymize"
                : "it tells people apart: make the attribute a quasi-identifier, or drop it; "
                  "--show-values prints it");
  error.value = dictionary.text(symbol);
  return error;
}

}  // namespace

Status CheckConstants(const Dataset& data, ReadAs as) {
  const Schema& schema = *data.schema;
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    const VertexClass& type = schema.classes[id];
    for (size_t i = 0; i < type.keep.size(); ++i) {
      const auto constant = type.constants.find(type.keep[i]);
      if (constant == type.constants.end()) continue;
      THICKET_TRY(CheckConstant(data, static_cast<ClassId>(id), type.keep_slot(i), constant->second,
                                as == ReadAs::kPublished));
    }
  }
  return {};
}

}  // namespace thicket
