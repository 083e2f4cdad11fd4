#include "utility/bag_features.h"

#include <vector>

#include "base/stop.h"

namespace thicket {

namespace {

BagFeatures::Side SideOf(const LabelBags& bags, bool counts_empty) {
  BagFeatures::Side side;
  side.occurrences = bags.occurrences();
  std::vector<bool> seen;
  for (size_t bag = 0; bag < bags.size(); ++bag) {
    StopPoint();
    if (counts_empty || !bags.labels(bag).empty()) ++side.bags;
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
  return {SideOf(pair.original, false), SideOf(pair.published, true)};
}

}  // namespace thicket
