#include "record/unknown_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/stop.h"
#include "base/text.h"
#include "record/copy_record.h"

namespace thicket {

namespace {

bool IsKnown(const QuasiAttribute& attribute, const Taxonomy* taxonomy, std::string_view text) {
  if (attribute.recoding.kind != Recoding::Kind::kTaxonomy) {
    return FitsRecoding(attribute.recoding, text);
  }
  if (taxonomy == nullptr || taxonomy->Find(text)) return true;
  return taxonomy->has_ranges() && taxonomy->FindRange(text).has_value();
}

std::string What(const QuasiAttribute& attribute, bool several) {
  const Recoding& recoding = attribute.recoding;
  if (recoding.kind == Recoding::Kind::kTaxonomy) {
    return fmt::format("{} not in {}", several ? "are" : "is", recoding.file);
  }
  return fmt::format("{} not {}", several ? "are" : "is", RecodingExpectation(recoding));
}

// By symbol: how many vertices have it.
std::vector<uint64_t> CountOf(const Dataset& data, ClassId id, size_t slot) {
  std::vector<uint64_t> count(data.dictionaries[id][slot].size(), 0);
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    StopPoint();
    if (data.forest.class_of(v) == id) ++count[data.forest.value(v, slot)];
  }
  return count;
}

}  // namespace

Dataset DropValues(Dataset data, const std::vector<ValuesToDrop>& values) {
  if (values.empty()) return data;
  // By class and slot: what becomes of each symbol; empty where nothing does.
  std::vector<std::vector<std::vector<Symbol>>> becomes(data.schema->classes.size());
  for (size_t id = 0; id < becomes.size(); ++id) {
    becomes[id].resize(data.schema->classes[id].value_count());
  }
  for (const ValuesToDrop& of : values) {
    const Dictionary& before = data.dictionaries[of.id][of.slot];
    Dictionary after;
    std::vector<Symbol>& symbols = becomes[of.id][of.slot];
    symbols.assign(before.size(), kMissing);
    for (Symbol symbol = 1; symbol < before.size(); ++symbol) {
      StopPoint();
      if (of.symbols[symbol]) continue;
      symbols[symbol] = after.Intern(before.kind(symbol), before.text(symbol));
    }
    data.dictionaries[of.id][of.slot] = std::move(after);
  }
  ForestBuilder builder(*data.schema);
  for (RecordId record = 0; record < data.forest.record_count(); ++record) {
    CopyRecord(data.forest, record, *data.schema, builder,
               [&](ClassId id, size_t slot, Symbol symbol) {
                 const std::vector<Symbol>& symbols = becomes[id][slot];
                 return symbols.empty() ? symbol : symbols[symbol];
               });
  }
  data.forest = std::move(builder).Build();
  return data;
}

Dataset LeaveOutUnknown(Dataset data, const TaxonomyFiles& taxonomies) {
  std::vector<ValuesToDrop> values;
  for (size_t i = 0; i < data.schema->classes.size(); ++i) {
    const auto id = static_cast<ClassId>(i);
    const VertexClass& type = data.schema->classes[id];
    for (size_t slot = 0; slot < type.quasi.size(); ++slot) {
      const QuasiAttribute& attribute = type.quasi[slot];
      if (attribute.recoding.unknown != UnknownValues::kLeaveOut) continue;
      const Taxonomy* taxonomy = FindTaxonomy(taxonomies, attribute);
      const Dictionary& dictionary = data.dictionaries[id][slot];
      ValuesToDrop of = {id, slot, std::vector<bool>(dictionary.size(), false)};
      for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
        StopPoint();
        of.symbols[symbol] = !IsKnown(attribute, taxonomy, dictionary.text(symbol));
      }
      if (std::find(of.symbols.begin(), of.symbols.end(), true) == of.symbols.end()) continue;
      const std::vector<uint64_t> count = CountOf(data, id, slot);
      uint64_t unknown = 0;
      uint64_t all = 0;
      for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
        all += count[symbol];
        if (of.symbols[symbol]) unknown += count[symbol];
      }
      if (unknown > 0) {
        data.warnings.push_back({fmt::format(
            "{}: {} of {} values {}, and {} as missing", data.schema->PathOf(id, attribute.name),
            WithCommas(unknown), WithCommas(all), What(attribute, unknown > 1),
            unknown > 1 ? "count" : "counts")});
      }
      values.push_back(std::move(of));
    }
  }
  return DropValues(std::move(data), values);
}

}  // namespace thicket
