#include "grouping/child_bound.h"

#include <algorithm>
#include <array>

#include "base/stop.h"

namespace thicket {

namespace {

// Of wider roots nothing is known: their counts would not fit, and holding all pairs of children against each other takes longer
// than matching them by kinds.
constexpr size_t kMostCounts = size_t{1} << 24;
constexpr size_t kMostPairs = size_t{1} << 16;

// How many levels there are below the class.
size_t Height(const Schema& schema, ClassId id) {
  size_t height = 0;
  for (const ClassId child : schema.classes[id].children) {
    height = std::max(height, 1 + Height(schema, child));
  }
  return height;
}

}  // namespace

ChildBound::ChildBound(const TreeModel& model)
    : model_(&model), active_(Height(model.schema(), 0) >= 3), nodes_(model) {
  if (!active_) return;
  const Forest& forest = model.forest();
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    StopPoint();
    first_child_.push_back(children_.size());
    for (const Vertex child : forest.Children(forest.root(record))) AddChild(child);
  }
  first_child_.push_back(children_.size());
  children_.push_back({0, entries_.size()});
}

void ChildBound::AddChild(Vertex child) {
  const Forest& forest = model_->forest();
  children_.push_back({child, entries_.size()});
  below_.clear();
  for (Vertex v = child + 1; v < child + forest.subtree_size(child); ++v) {
    below_.push_back(nodes_.of_class(forest.class_of(v)));
    nodes_.ForEachOf(v, [&](uint32_t node) { below_.push_back(node); });
  }
  std::sort(below_.begin(), below_.end());
  for (size_t begin = 0; begin < below_.size();) {
    const uint32_t node = below_[begin];
    size_t end = begin + 1;
    while (end < below_.size() && below_[end] == node) ++end;
    const Units gain = nodes_.gain(node);
    const auto count = static_cast<uint32_t>(end - begin);
    if (gain > 0) entries_.push_back({node, count, static_cast<uint32_t>(gain)});
    begin = end;
  }
}

void ChildBound::Load(const Representative& group, Loaded& loaded) const {
  for (const size_t at : loaded.touched) loaded.counts[at] = 0;
  loaded.touched.clear();
  loaded.positions.clear();
  loaded.group = &group;
  if (group.size() == 0) return;
  for (const uint32_t position : group.Children(0)) loaded.positions.push_back(position);
  const size_t needed = loaded.positions.size() * nodes_.size();
  loaded.too_wide = needed > kMostCounts;
  if (loaded.too_wide) return;
  if (loaded.counts.size() < needed) loaded.counts.resize(needed, 0);
  for (size_t place = 0; place < loaded.positions.size(); ++place) {
    const uint32_t position = loaded.positions[place];
    for (uint32_t p = position + 1; p < position + group.subtree_size(position); ++p) {
      const auto count = [&](uint32_t node) {
        const size_t at = place * nodes_.size() + node;
        if (loaded.counts[at]++ == 0) loaded.touched.push_back(at);
      };
      count(nodes_.of_class(group.class_of(p)));
      nodes_.ForEachOf(group, p, count);
    }
  }
}

Units ChildBound::PairMost(const Loaded& loaded, size_t place, size_t child) const {
  Units most = nodes_.Saved(*loaded.group, loaded.positions[place], children_[child].vertex);
  const uint32_t* counts = &loaded.counts[place * nodes_.size()];
  const Entry* end = entries_.data() + children_[child + 1].first_entry;
  for (const Entry* at = entries_.data() + children_[child].first_entry; at != end; ++at) {
    const Units pairs = std::min(counts[at->node], at->count);
    most += pairs * at->gain;
  }
  return most;
}

Units ChildBound::Most(const Loaded& loaded, RecordId record) const {
  const Representative& group = *loaded.group;
  if (group.size() == 0) return 0;
  const uint64_t width = first_child_[record + 1] - first_child_[record];
  if (loaded.too_wide || width * loaded.positions.size() > kMostPairs) return kUnknown;
  const Forest& forest = model_->forest();
  // Of more children than this only the side of the representative is added up.
  constexpr size_t kMostChildren = 64;
  std::array<Units, kMostChildren> of_vertex{};
  const uint64_t first = first_child_[record];
  const uint64_t count = first_child_[record + 1] - first;
  Units by_position = 0;
  for (size_t place = 0; place < loaded.positions.size(); ++place) {
    Units best = 0;
    for (uint64_t i = 0; i < count; ++i) {
      const Vertex vertex = children_[first + i].vertex;
      if (forest.class_of(vertex) != group.class_of(loaded.positions[place])) continue;
      const Units most = PairMost(loaded, place, first + i);
      best = std::max(best, most);
      if (i < kMostChildren) of_vertex[i] = std::max(of_vertex[i], most);
    }
    by_position += best;
  }
  const Units root = nodes_.Saved(group, 0, forest.root(record));
  if (count > kMostChildren) return root + by_position;
  Units by_vertex = 0;
  for (uint64_t i = 0; i < count; ++i) by_vertex += of_vertex[i];
  return root + std::min(by_position, by_vertex);
}

}  // namespace thicket
