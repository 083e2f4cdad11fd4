#include "record/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/fold.h"
#include "base/phase.h"
#include "base/stop.h"
#include "base/text.h"
#include "record/encode_quasi.h"
#include "record/unknown_values.h"

namespace thicket {

namespace {

// How often each symbol of each quasi-identifier occurs, by class and slot.
using Occurrences = std::vector<std::vector<std::vector<uint32_t>>>;

// Vertices between two reports of how far the encoding is.
constexpr Vertex kBatch = 4096;

Occurrences CountSymbols(const Dataset& data, Phase& phase) {
  Occurrences counts(data.schema->classes.size());
  for (size_t id = 0; id < counts.size(); ++id) {
    counts[id].resize(data.schema->classes[id].value_count());
    for (size_t slot = 0; slot < counts[id].size(); ++slot) {
      counts[id][slot].assign(data.dictionaries[id][slot].size(), 0);
    }
  }
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    StopPoint();
    if (v % kBatch == kBatch - 1) phase.Advance(kBatch);
    auto& of_class = counts[data.forest.class_of(v)];
    const uint32_t* values = data.forest.values(v);
    for (size_t slot = 0; slot < of_class.size(); ++slot) ++of_class[slot][values[slot]];
  }
  return counts;
}

// Buckets are numbered: 0 the missing value, 1 below the first bound, then one per interval (the last one closed),
// and one above the last bound.
uint32_t BucketOf(const std::vector<Decimal>& bounds, const Decimal& number) {
  if (number == bounds.back()) return static_cast<uint32_t>(bounds.size());
  const auto above = std::upper_bound(bounds.begin(), bounds.end(), number);
  return static_cast<uint32_t>(above - bounds.begin()) + 1;
}

Status EncodeSensitive(const Dataset& data, ClassId id, size_t index,
                       const std::vector<uint32_t>& counts, ClassEncoding& encoding) {
  const VertexClass& vertex_class = data.schema->classes[id];
  const SensitiveAttribute& attribute = vertex_class.sensitive[index];
  const size_t slot = vertex_class.sensitive_slot(index);
  const Dictionary& dictionary = data.dictionaries[id][slot];
  std::vector<uint32_t>& buckets = encoding.bucket_of_symbol[index];
  buckets.resize(dictionary.size(), 0);
  std::vector<bool> bad(dictionary.size(), false);
  std::vector<bool> too_large(dictionary.size(), false);
  std::vector<std::string> folded(dictionary.size());
  std::unordered_map<std::string_view, Symbol> first_like;
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    const std::string_view text = dictionary.text(symbol);
    folded[symbol] = FoldValue(text);
    // What is blank is as good as missing.
    if (folded[symbol].empty()) continue;
    if (attribute.buckets.empty()) {
      buckets[symbol] = first_like.emplace(folded[symbol], symbol).first->second;
      continue;
    }
    const std::optional<Decimal> number = FoldNumber(text);
    if (number) buckets[symbol] = BucketOf(attribute.buckets, *number);
    too_large[symbol] = !number && Decimal::IsNumber(text);
    bad[symbol] = !number && !too_large[symbol];
  }
  const auto any = [](const std::vector<bool>& symbols) {
    return std::find(symbols.begin(), symbols.end(), true) != symbols.end();
  };
  if (any(bad)) {
    return BadValues(
        data, id, slot, bad, counts,
        "every value must be a number, since the policy gives buckets, but this one is not",
        "mend the data, or remove buckets from the policy");
  }
  if (any(too_large)) return BadExponents(data, id, slot, too_large, counts);
  encoding.bucket_count[index] = 1 + *std::max_element(buckets.begin(), buckets.end());
  encoding.once[index].assign(encoding.bucket_count[index], false);
  std::unordered_set<std::string> once;
  for (const std::string& value : attribute.once) once.insert(FoldValue(value));
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    if (buckets[symbol] != 0 && once.contains(folded[symbol]))
      encoding.once[index][buckets[symbol]] = true;
  }
  return {};
}

bool IsWrittenBefore(const Dictionary& dictionary, Symbol a, Symbol b) {
  const int order = dictionary.text(a).compare(dictionary.text(b));
  return order != 0 ? order < 0 : dictionary.kind(a) < dictionary.kind(b);
}

Status EncodeClass(Dataset& data, ClassId id, const TaxonomyFiles& taxonomies,
                   const std::vector<std::vector<uint32_t>>& counts, ClassEncoding& encoding,
                   std::vector<std::vector<uint32_t>>& value_of_symbol, Phase& phase) {
  const VertexClass& vertex_class = data.schema->classes[id];
  encoding.symbol_of_value.resize(vertex_class.quasi.size());
  value_of_symbol.resize(vertex_class.quasi.size());
  for (size_t slot = 0; slot < vertex_class.quasi.size(); ++slot) {
    THICKET_ASSIGN(AttributeEncoding attribute,
                   EncodeQuasi(data, id, slot, taxonomies, counts[slot]));
    phase.Advance(data.dictionaries[id][slot].size());
    std::vector<Symbol>& symbols = encoding.symbol_of_value[slot];
    symbols.assign(attribute.domain.value_count(), kMissing);
    for (Symbol symbol = 1; symbol < attribute.value_of_symbol.size(); ++symbol) {
      // Of several ways to write it the least, which says nothing about the order of the data.
      Symbol& chosen = symbols[attribute.value_of_symbol[symbol]];
      if (chosen == kMissing || IsWrittenBefore(data.dictionaries[id][slot], symbol, chosen)) {
        chosen = symbol;
      }
    }
    encoding.domains.push_back(std::move(attribute.domain));
    encoding.secret_of_value.push_back(std::move(attribute.secret_of_value));
    value_of_symbol[slot] = std::move(attribute.value_of_symbol);
  }
  const size_t sensitive = vertex_class.sensitive.size();
  encoding.bucket_of_symbol.resize(sensitive);
  encoding.bucket_count.resize(sensitive);
  encoding.once.resize(sensitive);
  for (size_t index = 0; index < sensitive; ++index) {
    THICKET_TRY(
        EncodeSensitive(data, id, index, counts[vertex_class.sensitive_slot(index)], encoding));
    phase.Advance(data.dictionaries[id][vertex_class.sensitive_slot(index)].size());
  }
  return {};
}

// Every vertex is looked at twice, and every distinct value of what is encoded once.
uint64_t EncodingSteps(const Dataset& data) {
  uint64_t steps = 2 * uint64_t{data.forest.vertex_count()};
  for (size_t id = 0; id < data.schema->classes.size(); ++id) {
    const VertexClass& type = data.schema->classes[id];
    const size_t encoded = type.quasi.size() + type.sensitive.size();
    for (size_t slot = 0; slot < encoded; ++slot) steps += data.dictionaries[id][slot].size();
  }
  return steps;
}

}  // namespace

std::string Finding::Text() const {
  const std::string times = count == 1 ? "" : fmt::format(" ({} times)", WithCommas(count));
  return fmt::format("{}: {}{}", where, rule, times);
}

const Taxonomy* FindTaxonomy(const TaxonomyFiles& taxonomies, const QuasiAttribute& attribute) {
  const auto given = LocateTaxonomy(taxonomies, attribute);
  return given != taxonomies.end() ? &given->second : nullptr;
}

Dataset Dataset::Empty(std::shared_ptr<const Schema> schema, std::string source) {
  Dataset data;
  data.schema = std::move(schema);
  data.source = std::move(source);
  for (const VertexClass& vertex_class : data.schema->classes) {
    data.dictionaries.emplace_back(vertex_class.value_count());
  }
  data.shape = SourceShape::Empty(data.schema->classes.size());
  return data;
}

ErrorPlace Dataset::PlaceOfRow(Vertex vertex) const {
  ErrorPlace place = {.file = table_sources[forest.class_of(vertex)]};
  (has_lines ? place.line : place.row) = vertex_places[vertex];
  return place;
}

ErrorPlace Dataset::PlaceOf(RecordId record) const {
  if (!vertex_places.empty()) return PlaceOfRow(forest.root(record));
  if (!record_sources.empty()) return {.file = record_sources[record]};
  ErrorPlace place = {.file = source};
  (has_lines ? place.line : place.record) = forest.line(record);
  return place;
}

ErrorPlace Dataset::PlaceOf(Vertex vertex, size_t slot) const {
  const ClassId vertex_class = forest.class_of(vertex);
  if (!vertex_places.empty()) {
    ErrorPlace place = PlaceOfRow(vertex);
    place.path = schema->classes[vertex_class].slot_name(slot);
    return place;
  }
  const RecordId record = forest.record_of(vertex);
  std::string path;
  Vertex at = forest.root(record);
  while (at != vertex) {
    size_t index = 0;
    ClassId id = 0;
    for (const Vertex child : forest.Children(at)) {
      index = forest.class_of(child) == id ? index + 1 : 0;
      id = forest.class_of(child);
      if (vertex < child + forest.subtree_size(child)) {
        at = child;
        break;
      }
    }
    path += path.empty() ? "" : ".";
    path += schema->classes[id].at;
    if (!shape.single[id]) path += fmt::format("[{}]", index);
  }
  if (!shape.plain[vertex_class]) {
    path += (path.empty() ? "" : ".") + schema->classes[vertex_class].slot_name(slot);
  }
  ErrorPlace place = PlaceOf(record);
  place.path = std::move(path);
  return place;
}

Result<EncodedDataset> Encode(Dataset data, const TaxonomyFiles& taxonomies) {
  data = LeaveOutUnknown(std::move(data), taxonomies);
  Phase phase("encode", EncodingSteps(data));
  const Occurrences counts = CountSymbols(data, phase);
  EncodedDataset result;
  result.classes.resize(data.schema->classes.size());
  std::vector<std::vector<std::vector<uint32_t>>> value_of_symbol(result.classes.size());
  for (size_t id = 0; id < result.classes.size(); ++id) {
    THICKET_TRY(EncodeClass(data, static_cast<ClassId>(id), taxonomies, counts[id],
                            result.classes[id], value_of_symbol[id], phase));
  }
  result.data = std::move(data);
  const Forest& forest = result.forest();
  result.codes.assign(forest.value_count(), 0);
  for (Vertex v = 0; v < forest.vertex_count(); ++v) {
    StopPoint();
    if (v % kBatch == kBatch - 1) phase.Advance(kBatch);
    const auto& of_class = value_of_symbol[forest.class_of(v)];
    const uint32_t* symbols = forest.values(v);
    uint32_t* codes = result.codes.data() + forest.first_value(v);
    for (size_t slot = 0; slot < of_class.size(); ++slot) {
      codes[slot] = of_class[slot][symbols[slot]];
    }
  }
  result.EncodeBuckets();
  return result;
}

void EncodedDataset::EncodeBuckets() {
  for (Vertex v = 0; v < forest().vertex_count(); ++v) {
    StopPoint();
    const ClassId id = forest().class_of(v);
    const size_t first = schema().classes[id].sensitive_slot(0);
    const uint32_t* symbols = forest().values(v) + first;
    uint32_t* buckets = codes.data() + forest().first_value(v) + first;
    for (size_t i = 0; i < classes[id].bucket_of_symbol.size(); ++i) {
      buckets[i] = classes[id].bucket_of_symbol[i][symbols[i]];
    }
  }
}

LabelCount CountLabels(const Schema& schema, const Forest& forest) {
  LabelCount count;
  for (Vertex v = 0; v < forest.vertex_count(); ++v) {
    StopPoint();
    const size_t quasi = schema.classes[forest.class_of(v)].quasi.size();
    const uint32_t* symbols = forest.values(v);
    for (size_t i = 0; i < quasi; ++i) ++(symbols[i] == kMissing ? count.absent : count.labels);
  }
  return count;
}

}  // namespace thicket
