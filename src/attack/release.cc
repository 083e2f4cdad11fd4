#include "attack/release.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/fold.h"
#include "base/stop.h"

namespace thicket {

namespace {

std::optional<uint32_t> RankOf(const std::vector<Decimal>& numbers, std::string_view text) {
  const std::optional<Decimal> number = Decimal::Parse(text);
  if (!number) return std::nullopt;
  const auto place = std::lower_bound(numbers.begin(), numbers.end(), *number);
  if (place == numbers.end() || *place != *number) return std::nullopt;
  return static_cast<uint32_t>(place - numbers.begin());
}

// "[2, 17.5]", a number, or "*".
std::optional<Label> ReadNumericLabel(const Domain& domain, std::string_view text) {
  const std::vector<Decimal>& numbers = domain.numbers();
  if (text == "*") return Label{0, static_cast<uint32_t>(domain.value_count() - 1)};
  const size_t comma = text.find(", ");
  std::string_view low = text;
  std::string_view high = text;
  if (comma != std::string_view::npos && text.front() == '[' && text.back() == ']') {
    low = text.substr(1, comma - 1);
    high = text.substr(comma + 2, text.size() - comma - 3);
  }
  const std::optional<uint32_t> first = RankOf(numbers, low);
  const std::optional<uint32_t> last = RankOf(numbers, high);
  if (!first || !last || *first > *last) return std::nullopt;
  return Label{*first, *last};
}

std::optional<Label> ReadLabel(const Domain& domain, const Dictionary& dictionary, Symbol symbol) {
  if (symbol == kMissing) {
    if (!domain.has_missing()) return std::nullopt;
    return domain.Leaf(static_cast<Value>(domain.value_count() - 1));
  }
  const std::string_view text = dictionary.text(symbol);
  if (domain.is_numeric()) return ReadNumericLabel(domain, text);
  const std::optional<Node> node = domain.taxonomy().Find(text);
  if (node) return Label{*node, *node};
  if (text == "*") return Label{Taxonomy::kRoot, Taxonomy::kRoot};
  return std::nullopt;
}

// By published symbol: the bucket of the original's value that means the same, or one of its own.
std::vector<uint32_t> PublishedBuckets(const Dictionary& published, const Dictionary& original,
                                       const std::vector<uint32_t>& bucket_of_symbol,
                                       uint32_t& bucket_count) {
  std::unordered_map<std::string, uint32_t> bucket_of;
  bucket_of[""] = bucket_of_symbol[kMissing];
  for (Symbol symbol = 1; symbol < original.size(); ++symbol) {
    bucket_of.emplace(FoldValue(original.text(symbol)), bucket_of_symbol[symbol]);
  }
  std::vector<uint32_t> buckets(published.size());
  buckets[kMissing] = bucket_of_symbol[kMissing];
  for (Symbol symbol = 1; symbol < published.size(); ++symbol) {
    StopPoint();
    const auto [found, is_new] = bucket_of.emplace(FoldValue(published.text(symbol)), bucket_count);
    if (is_new) ++bucket_count;
    buckets[symbol] = found->second;
  }
  return buckets;
}

Error UnknownLabel(const Dataset& published, ClassId id, size_t slot, Symbol symbol) {
  for (Vertex v = 0; v < published.forest.vertex_count(); ++v) {
    StopPoint();
    if (published.forest.class_of(v) != id || published.forest.value(v, slot) != symbol) continue;
    return {
        ErrorCode::kData,
        fmt::format("{}: every label must be a value of the original data or an ancestor of one, "
                    "but this one is not",
                    published.Where(v, slot)),
        "check that the published and the original data belong together; --show-values prints it",
        std::string(published.dictionaries[id][slot].text(symbol))};
  }
  return {};
}

// By symbol: whether the forest uses it.
std::vector<bool> UsedSymbols(const Dataset& data, ClassId id, size_t slot) {
  std::vector<bool> used(data.dictionaries[id][slot].size(), false);
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    StopPoint();
    if (data.forest.class_of(v) == id) used[data.forest.value(v, slot)] = true;
  }
  return used;
}

}  // namespace

void Release::FindShapes() {
  const CanonicalForm form = Canonicalize(*schema_, *forest_, raw_, CompareBy::kQuasi);
  shapes_ = GroupRecords(*forest_, form);
  aligned_.reserve(forest_->vertex_count());
  for (size_t shape = 0; shape < shapes_.size(); ++shape) {
    StopPoint();
    first_aligned_.push_back(aligned_.size());
    for (size_t member = 0; member < shapes_.size(shape); ++member) {
      AppendCanonicalOrder(*forest_, form, shapes_.member(shape, member), aligned_);
    }
  }
}

Release Release::FromOriginal(const EncodedDataset& original) {
  Release release(original, original.forest(), original.values());
  release.is_original_ = true;
  for (const ClassEncoding& encoding : original.classes) {
    auto& labels = release.labels_.emplace_back();
    for (const Domain& domain : encoding.domains) {
      auto& of_domain = labels.emplace_back();
      for (Value value = 0; value < domain.value_count(); ++value) {
        of_domain.push_back(domain.Leaf(value));
      }
    }
    release.buckets_.push_back(encoding.bucket_of_symbol);
    release.bucket_counts_.push_back(encoding.bucket_count);
  }
  release.FindShapes();
  return release;
}

Result<Release> Release::FromPublished(const EncodedDataset& original, const Dataset& published,
                                       bool merged) {
  Release release(original, published.forest, published.forest.values());
  const size_t classes = original.classes.size();
  release.labels_.resize(classes);
  release.buckets_.resize(classes);
  release.bucket_counts_.resize(classes);
  for (size_t i = 0; i < classes; ++i) {
    const auto id = static_cast<ClassId>(i);
    const ClassEncoding& encoding = original.classes[id];
    for (size_t slot = 0; slot < encoding.domains.size(); ++slot) {
      const Dictionary& dictionary = published.dictionaries[id][slot];
      const std::vector<bool> used = UsedSymbols(published, id, slot);
      auto& labels = release.labels_[id].emplace_back(dictionary.size());
      for (Symbol symbol = 0; symbol < dictionary.size(); ++symbol) {
        StopPoint();
        if (!used[symbol]) continue;
        if (merged && symbol == kMissing) {
          labels[symbol] = kNothing;
          continue;
        }
        const std::optional<Label> label = ReadLabel(encoding.domains[slot], dictionary, symbol);
        if (!label) return UnknownLabel(published, id, slot, symbol);
        labels[symbol] = *label;
      }
    }
    for (size_t attribute = 0; attribute < encoding.bucket_of_symbol.size(); ++attribute) {
      const size_t slot = original.schema().classes[id].sensitive_slot(attribute);
      uint32_t& count = release.bucket_counts_[id].emplace_back(encoding.bucket_count[attribute]);
      release.buckets_[id].push_back(PublishedBuckets(published.dictionaries[id][slot],
                                                      original.data.dictionaries[id][slot],
                                                      encoding.bucket_of_symbol[attribute], count));
    }
  }
  release.FindShapes();
  return release;
}

bool Release::CoversVertex(Vertex vertex, Vertex original) const {
  const ClassId id = forest_->class_of(vertex);
  if (original_->forest().class_of(original) != id) return false;
  const size_t slots = labels_[id].size();
  const uint32_t* raw = raw_.of(vertex);
  const uint32_t* values = original_->values(original);
  for (size_t slot = 0; slot < slots; ++slot) {
    if (!Covers(id, slot, raw[slot], values[slot])) return false;
  }
  return true;
}

bool Release::EmbedsAt(Vertex vertex, Vertex original, size_t depth) {
  const Forest& originals = original_->forest();
  if (forest_->subtree_size(vertex) > originals.subtree_size(original)) return false;
  if (!CoversVertex(vertex, original)) return false;
  if (forest_->is_leaf(vertex)) return true;
  if (levels_.empty()) levels_.resize(schema_->classes.size());
  Level& level = levels_[depth];
  for (const ClassId id : schema_->classes[forest_->class_of(vertex)].children) {
    level.vertices.clear();
    level.originals.clear();
    for (const Vertex child : forest_->Children(vertex)) {
      if (forest_->class_of(child) == id) level.vertices.push_back(child);
    }
    if (level.vertices.empty()) continue;
    for (const Vertex child : originals.Children(original)) {
      if (originals.class_of(child) == id) level.originals.push_back(child);
    }
    const auto fits = [&](size_t left, size_t right) {
      return EmbedsAt(level.vertices[left], level.originals[right], depth + 1);
    };
    if (!HasInjection(level.vertices.size(), level.originals.size(), fits, level.space))
      return false;
  }
  return true;
}

}  // namespace thicket
