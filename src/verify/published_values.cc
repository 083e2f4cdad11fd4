#include "verify/published_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/fold.h"
#include "base/stop.h"
#include "base/text.h"
#include "verify/label_cover.h"

namespace thicket {

namespace {

uint32_t BucketOf(const std::vector<Decimal>& bounds, const Decimal& number) {
  // 1 stands for everything below the first bound, bounds.size() + 1 for everything above the last.
  uint32_t bucket = 1;
  for (size_t i = 0; i < bounds.size(); ++i) {
    const bool is_last = i + 1 == bounds.size();
    if (number > bounds[i] || (number == bounds[i] && !is_last)) ++bucket;
  }
  return bucket;
}

}  // namespace

void ReportValues(const Dataset& data, ClassId id, size_t slot, const std::vector<bool>& bad,
                  ViolationKind kind, std::string_view must_hold, Violations& violations) {
  if (std::find(bad.begin(), bad.end(), true) == bad.end()) return;
  const Forest& forest = data.forest;
  uint64_t count = 0;
  uint64_t all = 0;
  Vertex first = 0;
  for (Vertex v = 0; v < forest.vertex_count(); ++v) {
    StopPoint();
    if (forest.class_of(v) != id) continue;
    ++all;
    if (!bad[forest.value(v, slot)]) continue;
    if (count++ == 0) first = v;
  }
  if (count == 0) return;
  violations.Add({kind,
                  fmt::format("{}: {}, but this one is not ({} of {})", data.Where(first, slot),
                              must_hold, WithCommas(count), WithCommas(all)),
                  count});
}

Status CheckLabels(const Dataset& data, const TaxonomyFiles& taxonomies, Violations& violations) {
  const Schema& schema = *data.schema;
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    for (size_t slot = 0; slot < schema.classes[id].quasi.size(); ++slot) {
      THICKET_ASSIGN(const LabelReader reader,
                     LabelReader::Of(schema.classes[id].quasi[slot], taxonomies));
      const Dictionary& dictionary = data.dictionaries[id][slot];
      std::vector<bool> bad(dictionary.size(), false);
      for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
        StopPoint();
        bad[symbol] = !reader.IsLegal(dictionary.text(symbol));
      }
      ReportValues(data, static_cast<ClassId>(id), slot, bad, ViolationKind::kIllegalLabel,
                   "every label must be one that the policy's recoding can publish", violations);
    }
  }
  return {};
}

std::vector<uint32_t> ReadBuckets(const Dataset& data, ClassId id, size_t attribute,
                                  Violations& violations) {
  const SensitiveAttribute& of = data.schema->classes[id].sensitive[attribute];
  const size_t slot = data.schema->classes[id].sensitive_slot(attribute);
  const Dictionary& dictionary = data.dictionaries[id][slot];
  std::vector<uint32_t> buckets(dictionary.size(), 0);
  std::vector<bool> bad(dictionary.size(), false);
  std::unordered_map<std::string, uint32_t> meanings;
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    const std::string_view text = dictionary.text(symbol);
    if (of.IsSuppressed(text)) {
      buckets[symbol] = kSuppressedBucket;
      continue;
    }
    std::string meaning = FoldValue(text);
    if (meaning.empty()) continue;
    if (of.buckets.empty()) {
      const auto next = static_cast<uint32_t>(meanings.size() + 1);
      buckets[symbol] = meanings.emplace(std::move(meaning), next).first->second;
      continue;
    }
    const std::optional<Decimal> number = FoldNumber(text);
    bad[symbol] = !number;
    if (number) buckets[symbol] = BucketOf(of.buckets, *number);
  }
  ReportValues(data, id, slot, bad, ViolationKind::kNotANumber,
               "every value must be a number, since the policy gives buckets", violations);
  return buckets;
}

std::vector<std::string> ReadMeanings(const Dataset& data, ClassId id, size_t attribute) {
  const SensitiveAttribute& of = data.schema->classes[id].sensitive[attribute];
  const Dictionary& dictionary =
      data.dictionaries[id][data.schema->classes[id].sensitive_slot(attribute)];
  std::vector<std::string> meanings = {""};
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    const std::string_view text = dictionary.text(symbol);
    meanings.push_back(FoldValue(text));
    if (of.buckets.empty() || meanings.back().empty() || of.IsSuppressed(text)) continue;
    const std::optional<Decimal> number = FoldNumber(text);
    meanings.back() = number ? std::to_string(BucketOf(of.buckets, *number)) : "?";
  }
  return meanings;
}

}  // namespace thicket
