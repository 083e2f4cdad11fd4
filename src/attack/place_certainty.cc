#include "attack/place_certainty.h"

#include <algorithm>
#include <utility>

#include "attack/fit_index.h"
#include "base/stop.h"

namespace thicket {

PlaceCertainty::PlaceCertainty(const EncodedDataset& original, Release& release,
                               CertaintyBound& bound)
    : original_(original),
      schema_(original.schema()),
      release_(release),
      bound_(bound),
      has_secrets_(original.schema().classes.size(), false) {
  // Children have higher numbers than their parents.
  for (size_t id = schema_.classes.size(); id-- > 0;) {
    if (!schema_.classes[id].sensitive.empty()) has_secrets_[id] = true;
    if (has_secrets_[id]) has_secrets_[schema_.classes[id].parent] = true;
  }
}

void PlaceCertainty::Add(RecordId victim, const std::vector<uint32_t>& shapes, Tally& tally) {
  std::vector<Place> roots;
  roots.reserve(shapes.size());
  for (const uint32_t shape : shapes) roots.push_back({shape, 0});
  AddBelow(original_.forest().root(victim), roots, tally);
}

// The share of the most frequent bucket among all vertices at these places.
void PlaceCertainty::AddShares(ClassId id, const std::vector<Place>& pool, Tally& tally) {
  for (size_t attribute = 0; attribute < schema_.classes[id].sensitive.size(); ++attribute) {
    counts_.assign(release_.bucket_count(id, attribute), 0);
    uint32_t most = 0;
    size_t total = 0;
    for (const Place& place : pool) {
      StopPoint();
      const size_t members = release_.shapes().size(place.shape);
      for (size_t member = 0; member < members; ++member) {
        const Vertex vertex = release_.Aligned(place.shape, member, place.position);
        const uint32_t bucket = release_.Bucket(vertex, attribute);
        if (release_.IsSuppressed(id, attribute, bucket)) continue;
        most = std::max(most, ++counts_[bucket]);
      }
      total += members;
    }
    tally.AddCertainty(static_cast<double>(most) / static_cast<double>(total));
  }
}

// Whether something may be more certain in this pool than anything was so far.
bool PlaceCertainty::MayBeSurer(const std::vector<Place>& pool, const Tally& tally) {
  if (tally.worst_certainty() >= 1) return false;
  const Bitmap& surer = bound_.AtPlace(tally.worst_certainty());
  return std::any_of(pool.begin(), pool.end(),
                     [&](const Place& place) { return HasBit(surer, place.shape); });
}

// Where the children of one class of what stands in the pool are.
std::vector<PlaceCertainty::Place> PlaceCertainty::PlacesBelow(
    ClassId id, const std::vector<Place>& pool) const {
  std::vector<Place> below;
  for (const Place& place : pool) {
    StopPoint();
    const auto vertex_at = [&](uint32_t position) {
      return release_.Aligned(place.shape, 0, position);
    };
    const auto size_at = [&](uint32_t position) {
      return release_.forest().subtree_size(vertex_at(position));
    };
    const uint32_t end = place.position + size_at(place.position);
    for (uint32_t at = place.position + 1; at < end; at += size_at(at)) {
      if (release_.forest().class_of(vertex_at(at)) == id) below.push_back({place.shape, at});
    }
  }
  return below;
}

// `pool` is where the target vertex can be; goes on to the target's children.
void PlaceCertainty::AddBelow(Vertex target, const std::vector<Place>& pool, Tally& tally) {
  if (!MayBeSurer(pool, tally)) return;
  const Forest& originals = original_.forest();
  const ClassId target_class = originals.class_of(target);
  AddShares(target_class, pool, tally);
  std::vector<Vertex> children;
  for (const ClassId id : schema_.classes[target_class].children) {
    if (!has_secrets_[id]) continue;
    children.clear();
    for (const Vertex child : originals.Children(target)) {
      if (originals.class_of(child) == id) children.push_back(child);
    }
    if (children.empty() || !MayBeSurer(pool, tally)) continue;
    const std::vector<Place> below = PlacesBelow(id, pool);
    if (children.size() * below.size() >= release_.wide_from()) {
      AddWide(id, children, below, tally);
      continue;
    }
    std::vector<Place> fitting;
    for (const Vertex child : children) {
      StopPoint();
      if (!MayBeSurer(pool, tally)) return;
      fitting.clear();
      for (const Place& place : below) {
        if (release_.CoversVertex(release_.Aligned(place.shape, 0, place.position), child)) {
          fitting.push_back(place);
        }
      }
      AddBelow(child, fitting, tally);
    }
  }
}

// The same for many children of one class: equal ones once, and each held against those places only whose labels cover its values.
void PlaceCertainty::AddWide(ClassId id, std::vector<Vertex> children,
                             const std::vector<Place>& below, Tally& tally) {
  const std::vector<uint32_t>& number = release_.OriginalForm().number;
  std::sort(children.begin(), children.end(),
            [&](Vertex a, Vertex b) { return number[a] < number[b]; });
  children.erase(std::unique(children.begin(), children.end(),
                             [&](Vertex a, Vertex b) { return number[a] == number[b]; }),
                 children.end());
  const size_t slots = schema_.classes[id].quasi.size();
  std::vector<uint32_t> labels;
  for (const Place& place : below) {
    const uint32_t* raw = release_.raw().of(release_.Aligned(place.shape, 0, place.position));
    labels.insert(labels.end(), raw, raw + slots);
  }
  FitIndex index(slots, below.size(), std::move(labels));
  const auto covered = [&](size_t slot, uint32_t value, uint32_t raw) {
    return release_.Covers(id, slot, raw, value);
  };
  std::vector<Place> fitting;
  for (const Vertex child : children) {
    StopPoint();
    if (!MayBeSurer(below, tally)) return;
    fitting.clear();
    index.ForEach(original_.values(child), covered, [&](uint32_t place) {
      fitting.push_back(below[place]);
      return true;
    });
    AddBelow(child, fitting, tally);
  }
}

}  // namespace thicket
