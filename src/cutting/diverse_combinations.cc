#include "cutting/diverse_combinations.h"

#include <map>
#include <utility>
#include <vector>

#include "cutting/record_knowledge.h"

namespace thicket {

namespace {

class Walk {
 public:
  Walk(std::vector<RecordKnowledge> records, const KnowledgeLimits& limits, uint32_t l)
      : records_(std::move(records)), limits_(limits), l_(l) {}

  bool Run() {
    std::vector<Entry> all;
    for (uint32_t record = 0; record < records_.size(); ++record) all.push_back({record, {}});
    return AllDiverse(all, 0) && Extend(all, 0, 0);
  }

 private:
  // A record with the places of the labels so far.
  struct Entry {
    uint32_t record;
    std::vector<uint32_t> places;
  };
  using Relations = std::vector<std::pair<uint32_t, uint32_t>>;

  // Of records that have a combination of `depth` labels: at the root, and at each label.
  bool AllDiverse(const std::vector<Entry>& entries, size_t depth) const {
    for (size_t label = 0; label <= depth; ++label) {
      std::map<Secret, uint64_t> counts;
      for (const Entry& entry : entries) {
        const uint32_t place = label == depth ? 0 : entry.places[label];
        for (const Secret& secret : records_[entry.record].secrets[place]) ++counts[secret];
      }
      for (const auto& [secret, count] : counts) {
        if (count * l_ > entries.size()) return false;
      }
    }
    return true;
  }

  // Every set of up to n relations between the labels, beyond `relations`.
  bool Relate(const std::vector<Entry>& entries, size_t depth, const Relations& relations) const {
    if (!relations.empty() && !AllDiverse(entries, depth)) return false;
    if (relations.size() == limits_.n) return true;
    for (uint32_t high = 1; high < depth; ++high) {
      for (uint32_t low = 0; low < high; ++low) {
        const std::pair<uint32_t, uint32_t> pair = {high, low};
        if (!relations.empty() && pair <= relations.back()) continue;
        std::vector<Entry> some;
        for (const Entry& entry : entries) {
          if (records_[entry.record].related[entry.places[high]][entry.places[low]]) {
            some.push_back(entry);
          }
        }
        if (some.empty()) continue;
        Relations more = relations;
        more.push_back(pair);
        if (!Relate(some, depth, more)) return false;
      }
    }
    return true;
  }

  bool Extend(const std::vector<Entry>& entries, size_t depth, Item from) const {
    if (depth == limits_.m) return true;
    std::map<Item, std::vector<Entry>> next;
    for (const Entry& entry : entries) {
      const RecordKnowledge& known = records_[entry.record];
      for (uint32_t place = 1; place < known.labels.size(); ++place) {
        if (known.labels[place] < from) continue;
        Entry longer = entry;
        longer.places.push_back(place);
        next[known.labels[place]].push_back(std::move(longer));
      }
    }
    for (const auto& [label, some] : next) {
      if (!AllDiverse(some, depth + 1) || !Relate(some, depth + 1, {})) return false;
      if (!Extend(some, depth + 1, label + 1)) return false;
    }
    return true;
  }

  const std::vector<RecordKnowledge> records_;
  const KnowledgeLimits& limits_;
  const uint32_t l_;
};

}  // namespace

bool AllCombinationsDiverse(const ItemHierarchy& items, const EncodedDataset& data,
                            const Recoded& recoded, const KnowledgeLimits& limits, uint32_t l) {
  return Walk(ReadKnowledge(items, data, recoded), limits, l).Run();
}

}  // namespace thicket
