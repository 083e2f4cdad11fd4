#include "utility/bag_features.h"

#include <vector>

#include "base/stop.h"

namespace thicket {

namespace {

BagFeatures::Side SideOf(const LabelBags& bags) {
  BagFeatures::Side side;
  side.bags = bags.size();
  side.occurrences = bags.occurrences();
  std::vector<bool> seen;
  for (size_t bag = 0; bag < bags.size(); ++bag) {
    StopPoint();
    for (const BagLabel label : bags.labels(bag)) {
      if (label >= seen.size()) seen.resize(label + 1, false);
      if (!seen[label]) ++side.distinct;
      seen[label] = true;
    }
  }
  return side;
}

}  // namespace

BagFeatures CompareBags(const BagPair& pair) {
  return {SideOf(pair.original), SideOf(pair.published)};
}

}  // namespace thicket
