#include "attack/release.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/fold.h"
#include "base/stop.h"
#include "record/published_labels.h"

namespace thicket {

namespace {

// By published symbol: the bucket of the original's value that means the same, or one of its own.
std::vector<uint32_t> PublishedBuckets(const Dictionary& published, const Dictionary& original,
                                       const std::vector<uint32_t>& bucket_of_symbol,
                                       uint32_t& bucket_count) {
  std::unordered_map<std::string, uint32_t> bucket_of;
  bucket_of[""] = bucket_of_symbol[kMissing];
  for (Symbol symbol = 1; symbol < original.size(); ++symbol) {
    StopPoint();
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
  THICKET_ASSIGN(
      const PublishedLabels labels,
      PublishedLabels::Read(
          original, published,
          {.missing_is_label = !merged,
           .rule = "every label must be a value of the original data or an ancestor of one, but "
                   "this one is not",
           .hint = "check that the published and the original data belong together; --show-values "
                   "prints it"}));
  Release release(original, published.forest, published.forest.values());
  const size_t classes = original.classes.size();
  release.labels_.resize(classes);
  release.buckets_.resize(classes);
  release.bucket_counts_.resize(classes);
  release.suppressed_.resize(classes);
  for (size_t i = 0; i < classes; ++i) {
    const auto id = static_cast<ClassId>(i);
    const ClassEncoding& encoding = original.classes[id];
    for (size_t slot = 0; slot < encoding.domains.size(); ++slot) {
      release.labels_[id].push_back(labels.of(id, slot));
    }
    for (size_t attribute = 0; attribute < encoding.bucket_of_symbol.size(); ++attribute) {
      const size_t slot = original.schema().classes[id].sensitive_slot(attribute);
      uint32_t& count = release.bucket_counts_[id].emplace_back(encoding.bucket_count[attribute]);
      release.buckets_[id].push_back(PublishedBuckets(published.dictionaries[id][slot],
                                                      original.data.dictionaries[id][slot],
                                                      encoding.bucket_of_symbol[attribute], count));
      const SensitiveAttribute& sensitive = original.schema().classes[id].sensitive[attribute];
      const Dictionary& dictionary = published.dictionaries[id][slot];
      uint32_t& suppressed = release.suppressed_[id].emplace_back(kNoBucket);
      for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
        if (!sensitive.IsSuppressed(dictionary.text(symbol))) continue;
        suppressed = release.buckets_[id][attribute][symbol];
        break;
      }
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
    if (level.vertices.size() * level.originals.size() >= wide_from_) {
      if (!WideSiblingsEmbed(id, level, depth)) return false;
      continue;
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
