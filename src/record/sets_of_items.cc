#include "record/sets_of_items.h"

#include <algorithm>

#include "base/stop.h"

namespace thicket {

SetsOfItems SetsOfItemsIn(const Dataset& data) {
  constexpr ClassId kItem = 1;
  SetsOfItems sets;
  const Dictionary& dictionary = data.dictionaries[kItem][0];
  // Symbols begin at 1: 0 is the missing value.
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    sets.items.emplace_back(dictionary.text(symbol));
  }
  const Forest& forest = data.forest;
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    StopPoint();
    const size_t first = sets.members.size();
    for (const Vertex item : forest.Children(forest.root(record))) {
      const Symbol symbol = forest.value(item, 0);
      if (symbol != kMissing) sets.members.push_back(symbol - 1);
    }
    if (sets.members.size() > first) sets.first_items.push_back(sets.members[first]);
    const auto begin = sets.members.begin() + static_cast<ptrdiff_t>(first);
    std::sort(begin, sets.members.end());
    sets.members.erase(std::unique(begin, sets.members.end()), sets.members.end());
    sets.first.push_back(sets.members.size());
  }
  return sets;
}

}  // namespace thicket
