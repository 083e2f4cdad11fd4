#include "cutting/kmn/known_shapes.h"

#include "base/stop.h"

namespace thicket {

std::shared_ptr<const LabelShapes> KnownShapes::FindShapes(Item label) const {
  const std::lock_guard lock(mutex_);
  const auto found = shapes_.find(label);
  return found == shapes_.end() ? nullptr : found->second;
}

const KnownShapes::Related* KnownShapes::FindRelated(Item a, Item b) const {
  const std::lock_guard lock(mutex_);
  const auto found = related_.find(KeyOf(a, b));
  return found == related_.end() ? nullptr : &found->second;
}

void KnownShapes::KeepShapes(Item label, const std::shared_ptr<const LabelShapes>& shapes) {
  const std::lock_guard lock(mutex_);
  const size_t bytes = BytesOf(*shapes);
  if (bytes_ + bytes > kMostBytes || !shapes_.emplace(label, shapes).second) return;
  bytes_ += bytes;
}

void KnownShapes::KeepRelated(Item a, Item b, const ShapeSet& set) {
  Related related;
  related.records = set.records;
  // A shape has a record at least, so a list of as many shapes takes no more room than the bitmap.
  const bool is_list = set.records * sizeof(uint32_t) <= words_ * sizeof(uint64_t);
  if (is_list) {
    related.list.reserve(set.records);
    if (set.records > 0) {
      ForEachShape(set.words, [&](uint32_t shape) { related.list.push_back(shape); });
    }
  }
  const size_t bytes = BytesOf(related) + (is_list ? 0 : words_ * sizeof(uint64_t));
  const std::lock_guard lock(mutex_);
  if (bytes_ + bytes > kMostBytes || related_.contains(KeyOf(a, b))) return;
  if (!is_list) related.set = std::make_shared<const ShapeSet>(set);
  related_.emplace(KeyOf(a, b), std::move(related));
  bytes_ += bytes;
}

void KnownShapes::Retain(const std::vector<bool>& is_needed) {
  const std::lock_guard lock(mutex_);
  for (auto at = shapes_.begin(); at != shapes_.end();) {
    StopPoint();
    if (is_needed[at->first]) {
      ++at;
      continue;
    }
    bytes_ -= BytesOf(*at->second);
    at = shapes_.erase(at);
  }
  for (auto at = related_.begin(); at != related_.end();) {
    StopPoint();
    const auto a = static_cast<Item>(at->first >> 32);
    const auto b = static_cast<Item>(at->first & ~uint32_t{0});
    if (is_needed[a] && is_needed[b]) {
      ++at;
      continue;
    }
    bytes_ -= BytesOf(at->second);
    at = related_.erase(at);
  }
}

}  // namespace thicket
