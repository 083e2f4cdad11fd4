#include "cutting/sets/lg_bags.h"

#include <algorithm>
#include <unordered_map>

#include "base/stop.h"
#include "cutting/sets/item_sets.h"
#include "cutting/sets/lg.h"

namespace thicket {

void LeafBags::Add(std::span<const Node> bag, uint32_t owner) {
  leaves.insert(leaves.end(), bag.begin(), bag.end());
  first_leaf.push_back(leaves.size());
  owners.push_back(owner);
}

namespace {

// Nodes of a taxonomy have higher numbers than their parents, so that they are items as they are.
SetRecords RecordsOf(const LeafBags& bags, const Taxonomy& taxonomy) {
  SetRecords records;
  records.parents.reserve(taxonomy.node_count());
  for (Node node = 0; node < taxonomy.node_count(); ++node) {
    records.parents.push_back(taxonomy.parent(node));
  }
  records.first_leaf = bags.first_leaf;
  records.leaves = bags.leaves;
  records.first_sensitive.assign(bags.size() + 1, 0);
  return records;
}

// Numbered from 0.
std::vector<uint32_t> OwnersOf(const LeafBags& bags) {
  std::unordered_map<uint32_t, uint32_t> number_of;
  std::vector<uint32_t> owners;
  owners.reserve(bags.size());
  for (const uint32_t owner : bags.owners) {
    owners.push_back(
        number_of.try_emplace(owner, static_cast<uint32_t>(number_of.size())).first->second);
  }
  return owners;
}

// Fills in the places of a member's terms, and lowers the counts to the member's.
void AddPlaces(std::span<const Node> leaves, const Taxonomy& taxonomy, LgBagClass& of) {
  for (LgBagClass::Label& label : of.labels) label.places.emplace_back();
  for (uint32_t place = 0; place < leaves.size(); ++place) {
    for (Node node = leaves[place];; node = taxonomy.parent(node)) {
      const auto found =
          std::lower_bound(of.labels.begin(), of.labels.end(), node,
                           [](const LgBagClass::Label& a, Node b) { return a.node < b; });
      if (found == of.labels.end() || found->node != node) continue;
      found->places.back().push_back(place);
      break;
    }
  }
  for (LgBagClass::Label& label : of.labels) {
    label.count = std::min(label.count, static_cast<uint32_t>(label.places.back().size()));
  }
}

}  // namespace

LgBagsAnswer GeneralizeBags(const LeafBags& bags, const Taxonomy& taxonomy, uint64_t k,
                            const LgBagsOptions& options, Progress& progress) {
  const ItemSets sets(RecordsOf(bags, taxonomy));
  const std::vector<uint32_t> owners = OwnersOf(bags);
  const LgAnswer divided =
      GeneralizeLocally(sets, k, {.limit_s = options.limit_s, .owners = owners}, progress);
  LgBagsAnswer answer;
  answer.is_feasible = divided.is_feasible;
  answer.stopped_early = divided.stopped_early;
  answer.splits = divided.splits;
  answer.weighed = divided.weighed;
  if (!divided.is_feasible) return answer;
  answer.classes.resize(divided.parts);
  for (uint32_t bag = 0; bag < bags.size(); ++bag) {
    StopPoint();
    if (divided.part_of_record[bag] == LgAnswer::kLeftOut) {
      answer.left_out.push_back(bag);
      continue;
    }
    LgBagClass& of = answer.classes[divided.part_of_record[bag]];
    if (of.bags.empty()) {
      for (const Item label : divided.sets[divided.set_of_record[bag]]) {
        of.labels.push_back({label, options.as_sets ? 1 : ~uint32_t{0}, {}});
      }
    }
    of.bags.push_back(bag);
    AddPlaces(bags.of(bag), taxonomy, of);
  }
  return answer;
}

}  // namespace thicket
