#include "verify/sibling_places.h"

#include <map>
#include <optional>
#include <utility>

namespace thicket {

namespace {

// The only child of `origin` that the published subtree can come from; none if there are several, or none.
std::optional<Vertex> OriginOf(const Forest& original, Embedding& embedding, Vertex vertex,
                               ClassId id, Vertex origin) {
  std::optional<Vertex> found;
  for (const Vertex child : original.Children(origin)) {
    if (original.class_of(child) != id || !embedding.Embeds(vertex, child)) continue;
    if (found) return std::nullopt;
    found = child;
  }
  return found;
}

}  // namespace

void AppendSiblingPlaces(const Forest& published, const CanonicalForm& looks,
                         const Forest& original, Embedding& embedding, Vertex vertex, Vertex origin,
                         std::vector<std::vector<uint32_t>>& sets) {
  std::map<uint32_t, std::vector<uint32_t>> places;
  std::vector<std::pair<Vertex, Vertex>> certain;
  size_t children = 0;
  for (const Vertex child : published.Children(vertex)) {
    if (++children > kMostSiblings) break;
    if (embedding.IsOrdered(published.class_of(child))) continue;
    const auto found = OriginOf(original, embedding, child, published.class_of(child), origin);
    if (!found) continue;
    places[looks.number[child]].push_back(*found);
    if (!published.is_leaf(child)) certain.emplace_back(child, *found);
  }
  for (auto& [look, set] : places) {
    if (set.size() > 1) sets.push_back(std::move(set));
  }
  for (const auto& [child, found] : certain) {
    AppendSiblingPlaces(published, looks, original, embedding, child, found, sets);
  }
}

}  // namespace thicket
