#include "grouping/neighbourhoods.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "base/stop.h"

namespace thicket {

// One way of splitting.
class Neighbourhoods::Splitter {
 public:
  Splitter(const ClassColumns& columns, const std::vector<uint8_t>& quarters_of,
           const VisitTree& tree, const NeighbourhoodOptions& options, uint64_t seed)
      : columns_(columns),
        quarters_of_(quarters_of),
        tree_(tree),
        most_quarters_(4 * options.size),
        random_(Random::Seeded(seed)),
        probe_(columns) {}

  Way Split(const std::vector<Place>& places) {
    Way way;
    items_.reserve(places.size());
    for (const Place place : places) items_.push_back({0, random_.Next(), place});
    way.part_of.assign(columns_.places(), kNoPart);
    SplitRange(0, items_.size(), way);
    way.part_begin.push_back(static_cast<uint32_t>(items_.size()));
    for (const Item& item : items_) way.order.push_back(item.place);
    return way;
  }

 private:
  struct Item {
    Units lean;     // how much nearer to the second of the two that the range is split by
    uint64_t draw;  // decides between equals
    Place place;
  };

  void SplitRange(size_t begin, size_t end, Way& way) {
    StopPoint();
    uint64_t quarters = 0;
    for (size_t i = begin; i < end; ++i) quarters += quarters_of_[items_[i].place];
    if (end - begin < 2 || quarters <= most_quarters_) {
      way.part_begin.push_back(static_cast<uint32_t>(begin));
      for (size_t i = begin; i < end; ++i) {
        way.part_of[items_[i].place] = static_cast<uint32_t>(way.part_begin.size()) - 1;
      }
      return;
    }
    Lean(begin, end);
    const size_t middle = begin + (end - begin) / 2;
    const auto at = [&](size_t i) { return items_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end), [](const Item& a, const Item& b) {
      return a.lean != b.lean ? a.lean < b.lean : a.draw < b.draw;
    });
    SplitRange(begin, middle, way);
    SplitRange(middle, end, way);
  }

  void Lean(size_t begin, size_t end) {
    const size_t first = begin + random_.Below(end - begin);
    size_t second = begin + random_.Below(end - begin - 1);
    if (second >= first) ++second;
    const Place from = items_[first].place;
    const Place to = items_[second].place;
    // As if they stood on a line: a class leans by the difference of its distances, of which its own weight is no part.
    for (size_t i = begin; i < end; ++i) items_[i].lean = 0;
    tree_(from, [&](const Representative& tree) {
      probe_.Load(tree);
      for (size_t i = begin; i < end; ++i) items_[i].lean -= probe_.Most(items_[i].place);
    });
    tree_(to, [&](const Representative& tree) {
      probe_.Load(tree);
      for (size_t i = begin; i < end; ++i) items_[i].lean += probe_.Most(items_[i].place);
    });
  }

  const ClassColumns& columns_;
  const std::vector<uint8_t>& quarters_of_;
  const VisitTree& tree_;
  uint64_t most_quarters_;
  Random random_;
  ClassProbe probe_;
  std::vector<Item> items_;
};

Neighbourhoods::Neighbourhoods(const ClassColumns& columns, const std::vector<Place>& places,
                               const std::vector<uint8_t>& quarters, const VisitTree& tree,
                               const NeighbourhoodOptions& options, Parallel& parallel)
    : ways_(options.ways) {
  parallel.For(options.ways, 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      ways_[i] =
          Splitter(columns, quarters, tree, options, options.seed * options.ways + i).Split(places);
    }
  });
}

std::vector<std::span<const Place>> Neighbourhoods::Parts(size_t way) const {
  const Way& one = ways_[way];
  std::vector<std::span<const Place>> parts;
  for (size_t i = 0; i + 1 < one.part_begin.size(); ++i) {
    parts.push_back(
        std::span(one.order).subspan(one.part_begin[i], one.part_begin[i + 1] - one.part_begin[i]));
  }
  return parts;
}

}  // namespace thicket
