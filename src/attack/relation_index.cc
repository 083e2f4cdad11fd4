#include "attack/relation_index.h"

#include <algorithm>

#include "base/stop.h"
#include "record/label_chains.h"

namespace thicket {

RelationIndex::RelationIndex(const Schema& schema, const Release& release) : release_(release) {
  size_t attributes = 0;
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    first_attribute_.push_back(attributes);
    attributes += schema.classes[id].quasi.size();
    for (size_t slot = 0; slot < schema.classes[id].quasi.size(); ++slot) {
      most_raw_ = std::max<uint64_t>(most_raw_, release.raw_count(static_cast<ClassId>(id), slot));
    }
  }
  const Forest& forest = release.forest();
  std::unordered_map<uint64_t, std::unordered_map<uint64_t, size_t>> places;
  std::vector<uint64_t> path;
  LabelChains<size_t> chains;  // a node is the number of labels on the path to it
  for (uint32_t shape = 0; shape < release.shapes().size(); ++shape) {
    StopPoint();
    chains.Walk(schema, forest, release.Example(shape), 0,
                [&](size_t above, Vertex v, size_t slot) {
                  path.resize(above);
                  const ClassId id = forest.class_of(v);
                  const uint32_t raw = release.raw().at(v, slot);
                  if (!release.IsLabel(id, slot, raw)) return above;
                  const uint64_t key = Key(AttributeOf(id, slot), raw);
                  for (const uint64_t upper : path) {
                    std::vector<Below>& lists = below_[upper];
                    const auto [place, is_new] = places[upper].emplace(key, lists.size());
                    if (is_new) lists.push_back({key, {}});
                    std::vector<uint32_t>& shapes = lists[place->second].shapes;
                    if (shapes.empty() || shapes.back() != shape) shapes.push_back(shape);
                  }
                  path.push_back(key);
                  return path.size();
                });
  }
}

template <typename Accept>
std::vector<uint32_t> RelationIndex::FindWhere(const KnownRelation& relation,
                                               const Accept& accept) const {
  std::vector<uint32_t> found;
  const size_t above = AttributeOf(relation.above.id, relation.above.slot);
  const size_t below = AttributeOf(relation.below.id, relation.below.slot);
  const size_t raws = release_.raw_count(relation.above.id, relation.above.slot);
  for (uint32_t raw = 0; raw < raws; ++raw) {
    StopPoint();
    const auto lists = below_.find(Key(above, raw));
    if (lists == below_.end() || !accept(relation.above, raw)) continue;
    for (const Below& list : lists->second) {
      if (list.key / most_raw_ != below) continue;
      if (!accept(relation.below, static_cast<uint32_t>(list.key % most_raw_))) continue;
      found.insert(found.end(), list.shapes.begin(), list.shapes.end());
    }
  }
  return found;
}

std::vector<uint32_t> RelationIndex::Find(const KnownRelation& relation) const {
  return FindWhere(relation, [&](const KnownLabel& label, uint32_t raw) {
    return release_.Covers(label.id, label.slot, raw, label.value);
  });
}

std::vector<uint32_t> RelationIndex::FindExactly(const KnownRelation& relation) const {
  return FindWhere(relation, [&](const KnownLabel& label, uint32_t raw) {
    return release_.IsExactly(label.id, label.slot, raw, label.value);
  });
}

}  // namespace thicket
