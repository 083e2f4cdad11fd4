#include "verify/embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/decimal.h"
#include "base/stop.h"

namespace thicket {

namespace {

// By symbol: a number that is equal for equal values, 0 for the missing one.
std::vector<uint32_t> NumberValues(const Dictionary& dictionary, bool by_text,
                                   std::unordered_map<std::string, uint32_t>& known) {
  std::vector<uint32_t> numbers(dictionary.size(), 0);
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    const std::string_view text = dictionary.text(symbol);
    // Whoever reads 1 and writes 1.0 has changed nothing, but who makes a text of it has.
    const std::optional<std::string> number = Decimal::Key(text);
    std::string value;
    // A column that has to hold "*" may be one of texts.
    if (!by_text) value = static_cast<char>('0' + static_cast<int>(dictionary.kind(symbol)));
    value += number ? '#' + *number : '=' + std::string(text);
    const auto next = static_cast<uint32_t>(known.size() + 1);
    numbers[symbol] = known.emplace(std::move(value), next).first->second;
  }
  return numbers;
}

}  // namespace

Embedding::SameValues::SameValues(const Dictionary& of_published, const Dictionary& of_original,
                                  const SensitiveAttribute* sensitive) {
  std::unordered_map<std::string, uint32_t> known;
  const bool by_text = sensitive != nullptr && sensitive->may_be_suppressed;
  published = NumberValues(of_published, by_text, known);
  original = NumberValues(of_original, by_text, known);
  for (Symbol symbol = 1; symbol < of_published.size() && sensitive != nullptr; ++symbol) {
    if (sensitive->IsSuppressed(of_published.text(symbol))) published[symbol] = kAnyValue;
  }
  by_number.resize(original.size());
  std::iota(by_number.begin(), by_number.end(), Symbol{0});
  std::stable_sort(by_number.begin(), by_number.end(),
                   [&](Symbol a, Symbol b) { return original[a] < original[b]; });
}

std::span<const Symbol> Embedding::SameValues::OriginalsWith(uint32_t number) const {
  const auto first = std::partition_point(by_number.begin(), by_number.end(),
                                          [&](Symbol symbol) { return original[symbol] < number; });
  const auto last = std::partition_point(first, by_number.end(),
                                         [&](Symbol symbol) { return original[symbol] == number; });
  return {first, last};
}

Result<Embedding> Embedding::Create(const Schema& schema, const TaxonomyFiles& taxonomies,
                                    const Dataset& published, const Dataset& original) {
  Embedding embedding(schema, published, original);
  embedding.covers_.resize(schema.classes.size());
  embedding.same_.resize(schema.classes.size());
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    const VertexClass& vertex_class = schema.classes[id];
    for (size_t slot = 0; slot < vertex_class.value_count(); ++slot) {
      const Dictionary& labels = published.dictionaries[id][slot];
      const Dictionary& values = original.dictionaries[id][slot];
      if (slot < vertex_class.quasi.size()) {
        THICKET_ASSIGN(const LabelReader reader,
                       LabelReader::Of(vertex_class.quasi[slot], taxonomies));
        embedding.covers_[id].emplace_back(reader, labels, values);
      } else {
        const size_t other = slot - vertex_class.quasi.size();
        embedding.same_[id].emplace_back(
            labels, values,
            other < vertex_class.sensitive.size() ? &vertex_class.sensitive[other] : nullptr);
      }
    }
  }
  return embedding;
}

bool Embedding::ValuesFit(Vertex published, Vertex original) const {
  const ClassId id = published_->class_of(published);
  if (id != original_->class_of(original)) return false;
  const size_t slots = schema_->classes[id].value_count();
  const uint32_t* labels = published_->values(published);
  const uint32_t* values = original_->values(original);
  for (size_t slot = 0; slot < slots; ++slot) {
    if (!Fits(id, slot, labels[slot], values[slot])) return false;
  }
  return true;
}

bool Embedding::EmbedsAt(Vertex published, Vertex original, size_t depth) {
  if (published_->subtree_size(published) > original_->subtree_size(original)) return false;
  if (!ValuesFit(published, original)) return false;
  return published_->is_leaf(published) || ChildrenEmbed(published, original, depth, nullptr);
}

bool Embedding::ChildrenEmbed(Vertex published, Vertex original, size_t depth, Vertex* unplaced) {
  while (levels_.size() <= depth) levels_.emplace_back();
  Level& level = levels_[depth];
  for (const ClassId id : schema_->classes[published_->class_of(published)].children) {
    level.published.clear();
    level.original.clear();
    for (const Vertex child : published_->Children(published)) {
      if (published_->class_of(child) == id) level.published.push_back(child);
    }
    if (level.published.empty()) continue;
    for (const Vertex child : original_->Children(original)) {
      if (original_->class_of(child) == id) level.original.push_back(child);
    }
    if (level.published.size() * level.original.size() >= wide_from_) {
      if (IsOrdered(id) ? OrderedSiblingsEmbed(level, depth, unplaced)
                        : WideSiblingsEmbed(id, level, depth, unplaced)) {
        continue;
      }
      return false;
    }
    const auto fits = [&](size_t left, size_t right) {
      return (left == right || !IsOrdered(id)) &&
             EmbedsAt(level.published[left], level.original[right], depth + 1);
    };
    if (HasInjection(level.published.size(), level.original.size(), fits, level.space)) continue;
    if (unplaced != nullptr) *unplaced = level.published[level.space.unplaced];
    return false;
  }
  return true;
}

bool Embedding::OrderedSiblingsEmbed(const Level& level, size_t depth, Vertex* unplaced) {
  for (size_t i = 0; i < level.published.size(); ++i) {
    if (i < level.original.size() && EmbedsAt(level.published[i], level.original[i], depth + 1)) {
      continue;
    }
    if (unplaced != nullptr) *unplaced = level.published[i];
    return false;
  }
  return true;
}

Violation Embedding::Explain(Vertex published, Vertex original) {
  const ClassId id = published_->class_of(published);
  for (size_t slot = 0; slot < schema_->classes[id].value_count(); ++slot) {
    if (Fits(id, slot, published_->value(published, slot), original_->value(original, slot)))
      continue;
    const bool is_label = slot < schema_->classes[id].quasi.size();
    return {is_label ? ViolationKind::kNotAncestor : ViolationKind::kValueChanged,
            fmt::format("{}: a published value must be the original one{}, but this one is not",
                        data_->Where(published, slot), is_label ? " or an ancestor of it" : ""),
            1};
  }
  // The values fit, so it is a child that does not. With one vertex of its class to come from, it says why itself.
  Vertex unplaced = published;
  if (!ChildrenEmbed(published, original, 0, &unplaced)) {
    const ClassId child_class = published_->class_of(unplaced);
    std::vector<Vertex> sources;
    for (const Vertex child : original_->Children(original)) {
      if (original_->class_of(child) == child_class) sources.push_back(child);
    }
    if (sources.size() == 1 && !Embeds(unplaced, sources[0])) return Explain(unplaced, sources[0]);
  }
  const bool has_slot = schema_->classes[published_->class_of(unplaced)].value_count() > 0;
  return {ViolationKind::kInventedVertex,
          fmt::format(
              "{}: every published vertex must come from a vertex of its own in the original "
              "record, but this one has none",
              has_slot ? data_->Where(unplaced, 0) : data_->Where(published_->record_of(unplaced))),
          1};
}

}  // namespace thicket
