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

namespace thicket {

namespace {

// A label that no file and no data can hold, for the leaf that stands for the missing value.
constexpr char kMissingLabel[] = "\x01missing";

constexpr uint32_t kNoValue = ~uint32_t{0};

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

// Where the first vertex is whose symbol is `bad`, `what` is wrong with it, and how many values are.
Error BadValues(const Dataset& data, ClassId id, size_t slot, const std::vector<bool>& bad,
                const std::vector<uint32_t>& counts, const std::string& what, std::string hint) {
  uint64_t all = 0;
  uint64_t wrong = 0;
  for (Symbol symbol = 0; symbol < bad.size(); ++symbol) {
    all += counts[symbol];
    if (bad[symbol]) wrong += counts[symbol];
  }
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    StopPoint();
    if (data.forest.class_of(v) != id || !bad[data.forest.value(v, slot)]) continue;
    return ErrorAt(ErrorCode::kData, data.PlaceOf(v, slot),
                   fmt::format("{} ({} of {})", what, WithCommas(wrong), WithCommas(all)),
                   std::move(hint),
                   std::string(data.dictionaries[id][slot].text(data.forest.value(v, slot))));
  }
  return ErrorAt(ErrorCode::kData, {.file = data.source}, what, std::move(hint));
}

bool Any(const std::vector<bool>& symbols) {
  return std::find(symbols.begin(), symbols.end(), true) != symbols.end();
}

Error BadExponents(const Dataset& data, ClassId id, size_t slot, const std::vector<bool>& bad,
                   const std::vector<uint32_t>& counts) {
  return BadValues(data, id, slot, bad, counts,
                   fmt::format("the exponent of every number must be from -{0} to {0}, but that of "
                               "this one is not",
                               Decimal::kMostExponent),
                   "mend the data; --show-values prints it");
}

// A domain and the value of each symbol in it; kNoValue where the symbol has none.
struct AttributeEncoding {
  Domain domain;
  std::vector<uint32_t> value_of_symbol;
  // See ClassEncoding.
  std::vector<uint32_t> secret_of_value = {};
};

Domain WithMissing(Taxonomy taxonomy, bool has_missing) {
  if (!has_missing) return Domain::FromTaxonomy(std::move(taxonomy), false);
  TaxonomyBuilder builder(taxonomy);
  builder.Add(TaxonomyBuilder::root(), kMissingLabel);
  return Domain::FromTaxonomy(std::move(builder).Build(), true);
}

// A million values take longer to sort than a user who wants to stop should wait.
constexpr auto kIsBefore = [](const auto& a, const auto& b) {
  StopPoint();
  return a < b;
};

// Labels are published in the order of their taxonomy, which must not be that of the source.
std::vector<std::string> SortedTexts(const Dictionary& dictionary) {
  std::vector<std::string> texts;
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    texts.emplace_back(dictionary.text(symbol));
  }
  std::sort(texts.begin(), texts.end(), kIsBefore);
  return texts;
}

// Numbers of the data that lie in an interval of the taxonomy become leaves below it.
Taxonomy WithRangeLeaves(const Taxonomy& given, const Dictionary& dictionary) {
  TaxonomyBuilder builder(given);
  for (const std::string& text : SortedTexts(dictionary)) {
    if (builder.Find(text)) continue;
    if (const std::optional<Node> range = given.FindRange(text)) builder.Add(*range, text);
  }
  return std::move(builder).Build();
}

// By meaning, the places of an attribute's sensitive items in the policy's list.
using SecretPlaces = std::unordered_map<std::string, uint32_t>;

SecretPlaces PlacesOf(const std::vector<std::string>& sensitive_items) {
  SecretPlaces places;
  for (const std::string& item : sensitive_items) {
    places.emplace(FoldValue(item), static_cast<uint32_t>(places.size()));
  }
  return places;
}

// By value; empty if there are no sensitive items.
std::vector<uint32_t> SecretsOf(const Taxonomy& taxonomy, const SecretPlaces& places) {
  if (places.empty()) return {};
  std::vector<uint32_t> secrets(taxonomy.leaf_count(), ClassEncoding::kNoSecret);
  for (Node leaf = taxonomy.first_leaf(); leaf < taxonomy.node_count(); ++leaf) {
    const auto place = places.find(FoldValue(taxonomy.label(leaf)));
    if (place != places.end()) secrets[leaf - taxonomy.first_leaf()] = place->second;
  }
  return secrets;
}

AttributeEncoding FromFile(const QuasiAttribute& attribute, const Taxonomy& given,
                           const Dictionary& dictionary, bool has_missing) {
  Taxonomy known = given.has_ranges() ? WithRangeLeaves(given, dictionary) : given;
  const SecretPlaces places = PlacesOf(attribute.sensitive_items);
  std::vector<std::string> unknown;
  std::vector<std::string> secret;
  for (std::string& text : SortedTexts(dictionary)) {
    if (!places.empty() && places.contains(FoldValue(text))) {
      secret.push_back(std::move(text));
    } else if (attribute.recoding.unknown == UnknownValues::kGeneralize && !known.Find(text)) {
      unknown.push_back(std::move(text));
    }
  }
  // A root such as "Europe" or "0-19" says something that need not be true of an unknown or a missing value.
  // And a root that is an item itself has nothing below it.
  const bool is_item = !secret.empty() && known.is_leaf(Taxonomy::kRoot);
  if ((has_missing || !unknown.empty() || is_item) && !known.Find("*")) {
    known = TaxonomyBuilder::Under("*", known).Build();
  }
  TaxonomyBuilder builder(known);
  for (std::string& text : unknown) {
    StopPoint();
    if (!builder.Find(text)) builder.Add(TaxonomyBuilder::root(), std::move(text));
  }
  for (std::string& text : secret) {
    if (!builder.Find(text)) builder.Add(TaxonomyBuilder::root(), std::move(text));
  }
  AttributeEncoding result;
  result.domain = WithMissing(std::move(builder).Build(), has_missing);
  const Taxonomy& taxonomy = result.domain.taxonomy();
  result.secret_of_value = SecretsOf(taxonomy, places);
  result.value_of_symbol.assign(dictionary.size(), kNoValue);
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    const std::optional<Node> node = taxonomy.Find(dictionary.text(symbol));
    if (node && taxonomy.is_leaf(*node)) {
      result.value_of_symbol[symbol] = *node - taxonomy.first_leaf();
    }
  }
  return result;
}

AttributeEncoding FromValues(const Recoding& recoding, const Dictionary& dictionary,
                             bool has_missing) {
  std::vector<std::string> texts;
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    texts.emplace_back(dictionary.text(symbol));
  }
  AttributeEncoding result;
  result.domain = WithMissing(DeriveTaxonomy(recoding, std::move(texts)), has_missing);
  const Taxonomy& taxonomy = result.domain.taxonomy();
  result.value_of_symbol.assign(dictionary.size(), kNoValue);
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    result.value_of_symbol[symbol] =
        *taxonomy.Find(dictionary.text(symbol)) - taxonomy.first_leaf();
  }
  return result;
}

AttributeEncoding FromNumbers(const Dictionary& dictionary, bool has_missing) {
  std::vector<Decimal> numbers;
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    numbers.push_back(*Decimal::Parse(dictionary.text(symbol)));
  }
  std::vector<Decimal> distinct = numbers;
  std::sort(distinct.begin(), distinct.end(), kIsBefore);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  AttributeEncoding result;
  result.value_of_symbol.assign(dictionary.size(), kNoValue);
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), numbers[symbol - 1]);
    result.value_of_symbol[symbol] = static_cast<uint32_t>(place - distinct.begin());
  }
  result.domain = Domain::FromNumbers(std::move(distinct), has_missing);
  return result;
}

// Of more than a handful of values: one that is wrong may be all that there is.
bool AllUnknown(const std::vector<bool>& unknown, const std::vector<uint32_t>& counts) {
  constexpr uint64_t kHandful = 3;
  uint64_t wrong = 0;
  for (Symbol symbol = 1; symbol < unknown.size(); ++symbol) {
    if (!unknown[symbol] && counts[symbol] > 0) return false;
    wrong += unknown[symbol] ? 1 : 0;
  }
  return wrong >= kHandful;
}

// A value must be a leaf of the file's taxonomy; `unknown: generalize` is about values that are not in it at all.
Status CheckLeaves(const Dataset& data, ClassId id, size_t slot, const AttributeEncoding& encoding,
                   const std::vector<uint32_t>& counts, const std::string& file) {
  const Dictionary& dictionary = data.dictionaries[id][slot];
  std::vector<bool> unknown(dictionary.size(), false);
  std::vector<bool> groups(dictionary.size(), false);
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    if (encoding.value_of_symbol[symbol] != kNoValue) continue;
    groups[symbol] = encoding.domain.taxonomy().Find(dictionary.text(symbol)).has_value();
    unknown[symbol] = !groups[symbol];
  }
  if (Any(unknown) && !Any(groups) && AllUnknown(unknown, counts)) {
    return BadValues(
        data, id, slot, unknown, counts,
        fmt::format("every value must be in {}, but none of them is", file),
        fmt::format("is {} the right file? its first column must hold the values of {}; "
                    "--show-values prints the first one of the data",
                    file, data.schema->classes[id].slot_name(slot)));
  }
  if (Any(unknown)) {
    return BadValues(data, id, slot, unknown, counts,
                     fmt::format("every value must be in {}, but this one is not", file),
                     "add it there, or set unknown: generalize; --show-values prints it");
  }
  if (Any(groups)) {
    return BadValues(
        data, id, slot, groups, counts,
        fmt::format("every value must be a leaf of {}, but this one is a group there", file),
        "use a value instead of a group, or make it a leaf of its own");
  }
  return {};
}

TaxonomyFiles::const_iterator Locate(const TaxonomyFiles& taxonomies,
                                     const QuasiAttribute& attribute) {
  const std::string& file = attribute.recoding.file;
  const auto given = taxonomies.find(file);
  return given != taxonomies.end() ? given : taxonomies.find(file + "/" + attribute.name);
}

Result<AttributeEncoding> EncodeQuasi(const Dataset& data, ClassId id, size_t slot,
                                      const TaxonomyFiles& taxonomies,
                                      const std::vector<uint32_t>& counts) {
  const QuasiAttribute& attribute = data.schema->classes[id].quasi[slot];
  const Recoding& recoding = attribute.recoding;
  const Dictionary& dictionary = data.dictionaries[id][slot];
  const bool has_missing = counts[kMissing] > 0;

  if (recoding.kind == Recoding::Kind::kTaxonomy) {
    const auto given = Locate(taxonomies, attribute);
    if (given == taxonomies.end()) {
      return ErrorAt(ErrorCode::kUsage, {.file = recoding.file}, "this taxonomy was not loaded",
                     "");
    }
    AttributeEncoding result = FromFile(attribute, given->second, dictionary, has_missing);
    THICKET_TRY(CheckLeaves(data, id, slot, result, counts, given->first));
    if (has_missing)
      result.value_of_symbol[kMissing] = static_cast<uint32_t>(result.domain.value_count() - 1);
    return result;
  }

  const bool numbers =
      recoding.kind == Recoding::Kind::kNumeric || recoding.kind == Recoding::Kind::kRanges;
  std::vector<bool> bad(dictionary.size(), false);
  std::vector<bool> too_large(dictionary.size(), false);
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    if (FitsRecoding(recoding, dictionary.text(symbol))) continue;
    too_large[symbol] = numbers && Decimal::IsNumber(dictionary.text(symbol));
    bad[symbol] = !too_large[symbol];
  }
  if (Any(bad)) {
    return BadValues(
        data, id, slot, bad, counts,
        fmt::format("every value must be {}, but this one is not", RecodingExpectation(recoding)),
        "mend the data, or choose another recoding; --show-values prints it");
  }
  if (Any(too_large)) return BadExponents(data, id, slot, too_large, counts);
  AttributeEncoding result = recoding.kind == Recoding::Kind::kNumeric
                                 ? FromNumbers(dictionary, has_missing)
                                 : FromValues(recoding, dictionary, has_missing);
  if (has_missing)
    result.value_of_symbol[kMissing] = static_cast<uint32_t>(result.domain.value_count() - 1);
  return result;
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
  if (Any(bad)) {
    return BadValues(
        data, id, slot, bad, counts,
        "every value must be a number, since the policy gives buckets, but this one is not",
        "mend the data, or remove buckets from the policy");
  }
  if (Any(too_large)) return BadExponents(data, id, slot, too_large, counts);
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
  const auto given = Locate(taxonomies, attribute);
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
