#include "cutting/rare_combinations.h"

#include <algorithm>
#include <bit>

namespace thicket {

RareCombinations::RareCombinations(size_t label_space, const KnowledgeLimits& limits)
    : limits_(limits),
      excluded_(label_space, 0),
      levels_(limits.m + 1),
      count_(label_space, 0),
      slot_(label_space, 0),
      rare_(limits.m + 1) {
  ListRelationSets();
  const uint32_t pairs = limits.n == 0 ? 0 : limits.m * (limits.m - 1) / 2;
  if (pairs <= kMostTableBits) {
    table_bits_ = pairs;
    table_.assign(label_space << pairs, 0);
  }
}

void RareCombinations::ListRelationSets() {
  relation_sets_.resize(limits_.m + 1);
  for (uint32_t labels = 2; labels <= limits_.m; ++labels) {
    const uint32_t pairs = labels * (labels - 1) / 2;
    std::vector<uint32_t>& sets = relation_sets_[labels];
    // Of the sets of one size, the next larger ones come from adding a pair above the highest.
    std::vector<uint32_t> last = {0};
    for (uint32_t size = 1; size <= std::min(limits_.n, pairs); ++size) {
      std::vector<uint32_t> larger;
      for (const uint32_t set : last) {
        for (auto bit = static_cast<uint32_t>(std::bit_width(set)); bit < pairs; ++bit) {
          larger.push_back(set | uint32_t{1} << bit);
        }
      }
      sets.insert(sets.end(), larger.begin(), larger.end());
      last = std::move(larger);
    }
  }
}

std::pair<GraphLabel, GraphLabel> RareCombinations::LabelsOf(uint32_t bit) const {
  uint32_t high = 1;
  while (PairBit(0, high + 1) <= bit) ++high;
  return std::minmax(chosen_[bit - PairBit(0, high)], chosen_[high]);
}

bool RareCombinations::Report(uint32_t depth, uint32_t relations, uint64_t support) {
  RareCombination rare;
  rare.labels.assign(chosen_.begin(), chosen_.begin() + depth);
  std::sort(rare.labels.begin(), rare.labels.end());
  for (uint32_t rest = relations; rest != 0; rest &= rest - 1) {
    rare.relations.push_back(LabelsOf(static_cast<uint32_t>(std::countr_zero(rest))));
  }
  std::sort(rare.relations.begin(), rare.relations.end());
  rare.support = support;
  return (*visit_)(rare);
}

void RareCombinations::CountMasks(const Entry* entries, size_t count) {
  histogram_.clear();
  for (size_t i = 0; i < count; ++i) {
    const uint32_t mask = entries[i].mask;
    auto known = histogram_.begin();
    while (known != histogram_.end() && known->first != mask) ++known;
    if (known == histogram_.end()) known = histogram_.insert(known, {mask, 0});
    known->second += members_[entries[i].member].weight;
  }
}

bool RareCombinations::CheckRelations(uint32_t depth) {
  std::vector<uint32_t>& rare = rare_[depth];
  rare = rare_[depth - 1];
  if (limits_.n == 0 || depth < 2) return true;
  uint32_t all = 0;
  for (const auto& [mask, weight] : histogram_) all |= mask;
  for (const uint32_t set : relation_sets_[depth]) {
    if ((set & all) != set || (set & needed_) != needed_) continue;
    uint64_t support = 0;
    for (const auto& [mask, weight] : histogram_) {
      if ((mask & set) == set) support += weight;
    }
    if (support == 0 || support >= limits_.k) continue;
    if (std::any_of(rare.begin(), rare.end(), [&](uint32_t one) { return (set & one) == one; })) {
      continue;
    }
    rare.push_back(set);
    if (!Report(depth, set, support)) return false;
  }
  return true;
}

bool RareCombinations::ExtendLast(const Entry* entries, size_t count, uint32_t depth,
                                  GraphLabel from) {
  Level& level = levels_[depth];
  level.next.clear();
  const bool relations = limits_.n > 0;
  for (size_t i = 0; i < count; ++i) {
    const Entry& entry = entries[i];
    const GraphRef& graph = members_[entry.member];
    for (uint32_t place = graph.count; place-- > 0;) {
      const GraphLabel label = graph.labels[place];
      if (label < from) break;
      if (excluded_[label] != 0) continue;
      uint32_t mask = 0;
      if (relations) {
        mask = entry.mask;
        const uint64_t* const row = graph.row(place);
        for (uint32_t other = 0; other < depth; ++other) {
          const uint32_t at = entry.place[other];
          mask |= static_cast<uint32_t>(row[at / 64] >> (at % 64) & 1) << PairBit(other, depth);
        }
      }
      if (count_[label]++ == 0) level.next.push_back(label);
      table_[(size_t{label} << table_bits_) + mask] += graph.weight;
    }
  }
  std::sort(level.next.begin(), level.next.end());
  bool go_on = true;
  for (const GraphLabel label : level.next) {
    count_[label] = 0;
    uint32_t* const counts = &table_[size_t{label} << table_bits_];
    histogram_.clear();
    uint64_t support = 0;
    for (uint32_t mask = 0; mask < uint32_t{1} << table_bits_; ++mask) {
      if (counts[mask] == 0) continue;
      histogram_.emplace_back(mask, counts[mask]);
      support += counts[mask];
      counts[mask] = 0;
    }
    if (!go_on) continue;
    chosen_[depth] = label;
    if (support < limits_.k && needed_ == 0) {
      go_on = Report(depth + 1, 0, support);
    } else {
      go_on = CheckRelations(depth + 1);
    }
  }
  return go_on;
}

bool RareCombinations::ExtendTo(uint32_t depth, GraphLabel label, const Entry* entries,
                                size_t count) {
  chosen_[depth] = label;
  uint64_t support = 0;
  for (size_t i = 0; i < count; ++i) support += members_[entries[i].member].weight;
  if (support < limits_.k && needed_ == 0) return Report(depth + 1, 0, support);
  if (limits_.n > 0) CountMasks(entries, count);
  return CheckRelations(depth + 1) && Extend(entries, count, depth + 1, label + 1);
}

bool RareCombinations::Extend(const Entry* entries, size_t count, uint32_t depth, GraphLabel from) {
  if (depth >= limits_.m) return true;
  if (depth + 1 == limits_.m && !table_.empty()) return ExtendLast(entries, count, depth, from);
  Level& level = levels_[depth];
  level.next.clear();
  const auto for_each_next = [&](const GraphRef& graph, const auto& use) {
    for (uint32_t place = graph.count; place-- > 0;) {
      const GraphLabel label = graph.labels[place];
      if (label < from) break;
      if (excluded_[label] == 0) use(label, place);
    }
  };
  for (size_t i = 0; i < count; ++i) {
    for_each_next(members_[entries[i].member], [&](GraphLabel label, uint32_t) {
      if (count_[label]++ == 0) level.next.push_back(label);
    });
  }
  std::sort(level.next.begin(), level.next.end());
  level.first.assign(1, 0);
  for (const GraphLabel label : level.next) {
    slot_[label] = static_cast<uint32_t>(level.first.back());
    level.first.push_back(level.first.back() + count_[label]);
    count_[label] = 0;
  }
  level.entries.resize(level.first.back());
  for (size_t i = 0; i < count; ++i) {
    const Entry& entry = entries[i];
    const GraphRef& graph = members_[entry.member];
    for_each_next(graph, [&](GraphLabel label, uint32_t place) {
      Entry& added = level.entries[slot_[label]++];
      added = entry;
      added.place[depth] = static_cast<uint16_t>(place);
      for (uint32_t other = 0; other < depth; ++other) {
        if (graph.Related(place, entry.place[other])) {
          added.mask |= uint32_t{1} << PairBit(other, depth);
        }
      }
    });
  }
  for (size_t i = 0; i < level.next.size(); ++i) {
    if (!ExtendTo(depth, level.next[i], level.entries.data() + level.first[i],
                  level.first[i + 1] - level.first[i])) {
      return false;
    }
  }
  return true;
}

bool RareCombinations::Find(const std::vector<GraphRef>& members,
                            const std::vector<GraphLabel>& start, bool related,
                            const Visitor& visit) {
  members_ = members.data();
  visit_ = &visit;
  chosen_.assign(limits_.m, 0);
  std::copy(start.begin(), start.end(), chosen_.begin());
  needed_ = related ? 1 : 0;
  const auto depth = static_cast<uint32_t>(start.size());
  start_.clear();
  uint64_t support = 0;
  for (uint32_t member = 0; member < members.size(); ++member) {
    const GraphRef& graph = members[member];
    Entry entry = {member, 0, {}};
    bool has_all = true;
    for (uint32_t i = 0; i < depth && has_all; ++i) {
      const uint32_t place = graph.Find(start[i]);
      has_all = place < graph.count;
      entry.place[i] = static_cast<uint16_t>(place);
      for (uint32_t other = 0; has_all && other < i; ++other) {
        if (graph.Related(place, entry.place[other])) entry.mask |= 1U << PairBit(other, i);
      }
    }
    if (!has_all || (entry.mask & needed_) != needed_) continue;
    start_.push_back(entry);
    support += graph.weight;
  }
  if (support == 0) return true;
  if (support < limits_.k && !related) return Report(depth, 0, support);
  for (std::vector<uint32_t>& rare : rare_) rare.clear();
  CountMasks(start_.data(), start_.size());
  if (!CheckRelations(depth)) return false;
  for (const GraphLabel label : start) Exclude(label);
  const bool done = Extend(start_.data(), start_.size(), depth, 0);
  for (const GraphLabel label : start) Include(label);
  return done;
}

}  // namespace thicket
