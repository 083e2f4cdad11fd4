#include "grouping/neighbourhoods.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "base/stop.h"

namespace thicket {

namespace {

class Splitter {
 public:
  Splitter(const ClassColumns& columns, const VisitTree& tree, const NeighbourhoodOptions& options)
      : tree_(tree), size_(options.size), random_(Random::Seeded(options.seed)), probe_(columns) {
    for (Place place = 0; place < columns.places(); ++place) {
      items_.push_back({0, random_.Next(), place});
    }
  }

  std::vector<std::vector<Place>> Split() && {
    SplitRange(0, items_.size());
    return std::move(parts_);
  }

 private:
  struct Item {
    Units lean;     // how much nearer to the second of the two that the range is split by
    uint64_t draw;  // decides between equals
    Place place;
  };

  void SplitRange(size_t begin, size_t end) {
    StopPoint();
    if (end - begin <= std::max<size_t>(size_, 1)) {
      std::vector<Place>& part = parts_.emplace_back();
      for (size_t i = begin; i < end; ++i) part.push_back(items_[i].place);
      return;
    }
    Lean(begin, end);
    const size_t middle = begin + (end - begin) / 2;
    const auto at = [&](size_t i) { return items_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end), [](const Item& a, const Item& b) {
      return a.lean != b.lean ? a.lean < b.lean : a.draw < b.draw;
    });
    SplitRange(begin, middle);
    SplitRange(middle, end);
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

  const VisitTree& tree_;
  size_t size_;
  Random random_;
  ClassProbe probe_;
  std::vector<Item> items_;
  std::vector<std::vector<Place>> parts_;
};

}  // namespace

std::vector<std::vector<Place>> Neighbourhoods(const ClassColumns& columns, const VisitTree& tree,
                                               const NeighbourhoodOptions& options) {
  return Splitter(columns, tree, options).Split();
}

}  // namespace thicket
