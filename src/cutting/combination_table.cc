#include "cutting/combination_table.h"

namespace thicket {

void CombinationTable::Sort(const GraphRef& graph, const std::vector<uint32_t>& slot_of,
                            Slotted& slotted) {
  slotted.slot.resize(graph.count);
  slotted.place.resize(graph.count);
  for (uint32_t i = 0; i < graph.count; ++i) {
    const uint32_t slot = slot_of[graph.labels[i]];
    uint32_t at = i;
    for (; at > 0 && slotted.slot[at - 1] > slot; --at) {
      slotted.slot[at] = slotted.slot[at - 1];
      slotted.place[at] = slotted.place[at - 1];
    }
    slotted.slot[at] = slot;
    slotted.place[at] = i;
  }
}

void CombinationTable::Add(const GraphRef& graph, const Slotted& slotted, uint32_t weight,
                           uint32_t from) {
  const auto count = static_cast<uint32_t>(slotted.slot.size());
  for (uint32_t z = count; z-- > 0 && slotted.slot[z] >= from;) {
    const uint64_t* const z_row = graph.row(slotted.place[z]);
    const size_t z_pairs = Pairs(slotted.slot[z]);
    uint32_t* const z_triples = triples_.data() + Triples(slotted.slot[z]) * 8;
    for (uint32_t y = 0; y < z; ++y) {
      const uint32_t y_place = slotted.place[y];
      const auto zy = static_cast<uint32_t>(z_row[y_place / 64] >> (y_place % 64) & 1);
      pairs_[(z_pairs + slotted.slot[y]) * 2 + zy] += weight;
      const uint64_t* const y_row = graph.row(y_place);
      uint32_t* const triples = z_triples + Pairs(slotted.slot[y]) * 8;
      for (uint32_t x = 0; x < y; ++x) {
        const uint32_t place = slotted.place[x];
        const auto yx = static_cast<uint32_t>(y_row[place / 64] >> (place % 64) & 1);
        const auto zx = static_cast<uint32_t>(z_row[place / 64] >> (place % 64) & 1);
        triples[slotted.slot[x] * 8 + (yx | zx << 1 | zy << 2)] += weight;
      }
    }
  }
}

}  // namespace thicket
