#include "record/encode_quasi.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/fold.h"
#include "base/stop.h"
#include "base/text.h"
#include "taxonomy/date.h"

namespace thicket {

namespace {

// A label that no file and no data can hold, for the leaf that stands for the missing value.
constexpr char kMissingLabel[] = "\x01missing";

bool Any(const std::vector<bool>& symbols) {
  return std::find(symbols.begin(), symbols.end(), true) != symbols.end();
}

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

// Texts that are no numbers come behind the numbers.
AttributeEncoding FromNumbers(const Dictionary& dictionary, bool has_missing) {
  std::vector<std::optional<Decimal>> numbers = {std::nullopt};
  std::vector<Decimal> distinct;
  std::vector<std::string> others;
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    numbers.push_back(Decimal::Parse(dictionary.text(symbol)));
    if (numbers.back()) {
      distinct.push_back(*numbers.back());
    } else {
      others.emplace_back(dictionary.text(symbol));
    }
  }
  std::sort(distinct.begin(), distinct.end(), kIsBefore);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::sort(others.begin(), others.end(), kIsBefore);
  others.erase(std::unique(others.begin(), others.end()), others.end());
  const auto rank_in = [](const auto& ascending, const auto& value) {
    return static_cast<uint32_t>(std::lower_bound(ascending.begin(), ascending.end(), value) -
                                 ascending.begin());
  };
  AttributeEncoding result;
  result.value_of_symbol.assign(dictionary.size(), kNoValue);
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    result.value_of_symbol[symbol] =
        numbers[symbol] ? rank_in(distinct, *numbers[symbol])
                        : static_cast<uint32_t>(distinct.size()) +
                              rank_in(others, std::string(dictionary.text(symbol)));
  }
  result.domain = Domain::FromNumbers(std::move(distinct), has_missing, std::move(others));
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

}  // namespace

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

Error BadExponents(const Dataset& data, ClassId id, size_t slot, const std::vector<bool>& bad,
                   const std::vector<uint32_t>& counts) {
  return BadValues(data, id, slot, bad, counts,
                   fmt::format("the exponent of every number must be from -{0} to {0}, but that of "
                               "this one is not",
                               Decimal::kMostExponent),
                   "mend the data; --show-values prints it");
}

TaxonomyFiles::const_iterator LocateTaxonomy(const TaxonomyFiles& taxonomies,
                                             const QuasiAttribute& attribute) {
  const std::string& file = attribute.recoding.file;
  const auto given = taxonomies.find(file);
  return given != taxonomies.end() ? given : taxonomies.find(file + "/" + attribute.name);
}

namespace {

// 1993-Q2, 1990s, and the dates that labels are written as.
bool ReadsLikePeriod(std::string_view text) {
  if (ParseDate(text)) return true;
  const auto has_digits = [&](size_t count) {
    return text.substr(0, count).find_first_not_of("0123456789") == std::string_view::npos;
  };
  return (text.size() == 7 && has_digits(4) && text.substr(4, 2) == "-Q") ||
         (text.size() == 5 && has_digits(4) && text.back() == 's');
}

// Whether a text that does not fit reads like what groups are published as: it could not be told from them.
bool ReadsLikeLabel(Recoding::Kind kind, std::string_view text) {
  switch (kind) {
    case Recoding::Kind::kNumeric:
      return text == "*" || (text.starts_with('[') && text.ends_with(']'));
    case Recoding::Kind::kRanges:
      return text.starts_with('[') && text.ends_with(')');
    case Recoding::Kind::kDate:
      return ReadsLikePeriod(text);
    case Recoding::Kind::kMask:
    case Recoding::Kind::kTaxonomy:
    case Recoding::Kind::kNetwork:
      break;
  }
  return false;
}

// Every value must fit, unless what does not is a leaf of its own.
Status CheckValues(const Dataset& data, ClassId id, size_t slot,
                   const std::vector<uint32_t>& counts) {
  const Recoding& recoding = data.schema->classes[id].quasi[slot].recoding;
  const Dictionary& dictionary = data.dictionaries[id][slot];
  const bool lenient = recoding.unknown == UnknownValues::kGeneralize;
  const bool numbers =
      recoding.kind == Recoding::Kind::kNumeric || recoding.kind == Recoding::Kind::kRanges;
  std::vector<bool> bad(dictionary.size(), false);
  std::vector<bool> too_large(dictionary.size(), false);
  std::vector<bool> like_labels(dictionary.size(), false);
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    const std::string_view text = dictionary.text(symbol);
    if (FitsRecoding(recoding, text)) continue;
    too_large[symbol] = numbers && Decimal::IsNumber(text);
    bad[symbol] = !too_large[symbol] && !lenient;
    like_labels[symbol] = lenient && ReadsLikeLabel(recoding.kind, text);
  }
  if (Any(bad)) {
    return BadValues(
        data, id, slot, bad, counts,
        fmt::format("every value must be {}, but this one is not", RecodingExpectation(recoding)),
        "mend the data, name such texts under missing, or set unknown: generalize or unknown: "
        "missing; --show-values prints it");
  }
  if (Any(too_large)) return BadExponents(data, id, slot, too_large, counts);
  if (Any(like_labels)) {
    return BadValues(data, id, slot, like_labels, counts,
                     "every value must differ from what groups of values are published as, but "
                     "this one reads like one",
                     "mend the data, or set unknown: missing; --show-values prints it");
  }
  return {};
}

}  // namespace

Result<AttributeEncoding> EncodeQuasi(const Dataset& data, ClassId id, size_t slot,
                                      const TaxonomyFiles& taxonomies,
                                      const std::vector<uint32_t>& counts) {
  const QuasiAttribute& attribute = data.schema->classes[id].quasi[slot];
  const Recoding& recoding = attribute.recoding;
  const Dictionary& dictionary = data.dictionaries[id][slot];
  const bool has_missing = counts[kMissing] > 0;

  if (recoding.kind == Recoding::Kind::kTaxonomy) {
    const auto given = LocateTaxonomy(taxonomies, attribute);
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

  THICKET_TRY(CheckValues(data, id, slot, counts));
  AttributeEncoding result = recoding.kind == Recoding::Kind::kNumeric
                                 ? FromNumbers(dictionary, has_missing)
                                 : FromValues(recoding, dictionary, has_missing);
  if (has_missing)
    result.value_of_symbol[kMissing] = static_cast<uint32_t>(result.domain.value_count() - 1);
  return result;
}

}  // namespace thicket
