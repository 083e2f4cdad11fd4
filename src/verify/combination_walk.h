// Visits every set of up to m names that some tree has, with how its names stand to each other in how many records.
//
//   CombinationWalk<2> walk(trees, holders, 3);
//   walk.Run(first_name, visit);   // bool visit(std::span<const uint32_t> names, std::span<const PatternCount> patterns)
//
// Depth first over names in ascending order. A set carries the trees that have it; one pass over them counts all sets that
// are longer by one name, so that the last and by far largest level needs no lists: O(sum over trees of C(names, m)) steps
// of a few ns. `patterns` of a set differ, and their counts add up to its support.
//
// A pattern is bits. Without ancestors (see LabelTrees) there is one per pair of places, 1 if the first stands above the
// second: pair (i, j), i < j, is bit j (j - 1) / 2 + i. With ancestors place j begins at bit j^2: whether the name itself
// is shown, then two bits for each i < j: whether i stands above a label at or below j, and whether above j itself. Trees
// without relations have no bits for pairs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "verify/label_trees.h"

namespace thicket {

struct PatternCount {
  uint64_t pattern;
  uint64_t count;
};

// Where the bits of place j are in a pattern, and how many.
struct PatternShape {
  bool ancestors;
  bool relations;

  size_t shift(size_t j) const {
    if (ancestors) return relations ? j * j : j;
    return relations ? j * (j - 1) / 2 : 0;
  }
  size_t width(size_t j) const { return shift(j + 1) - shift(j); }
};

// Who has a name, and at which place.
struct NameHolders {
  struct Holder {
    uint32_t tree;
    uint32_t place;
  };
  // By name.
  std::vector<std::vector<Holder>> of;

  explicit NameHolders(const LabelTrees& trees) : of(trees.name_count()) {
    for (uint32_t tree = 0; tree < trees.size(); ++tree) {
      const auto names = trees.names_of(tree);
      for (uint32_t i = 0; i < names.size(); ++i) of[names[i]].push_back({tree, i});
    }
  }
};

// Copies of some trees, close together: a walk comes back to those that have its first name many thousand times.
class TreeCopies {
 public:
  explicit TreeCopies(const LabelTrees& trees) : trees_(trees) {}

  void Clear() {
    copies_.clear();
    names_.clear();
    shown_.clear();
    above_.clear();
    above_shown_.clear();
  }
  // Returns the number of the copy.
  uint32_t Add(uint32_t tree) {
    const auto names = trees_.names_of(tree);
    const LabelTrees::Rows rows = trees_.rows_of(tree);
    copies_.push_back({names_.size(), above_.size(), static_cast<uint32_t>(names.size()),
                       trees_.weight(tree), rows.words});
    names_.insert(names_.end(), names.begin(), names.end());
    above_.insert(above_.end(), rows.above.begin(), rows.above.end());
    if (trees_.options().ancestors) {
      above_shown_.insert(above_shown_.end(), rows.above_shown.begin(), rows.above_shown.end());
      for (size_t i = 0; i < names.size(); ++i) shown_.push_back(trees_.Shows(tree, i) ? 1 : 0);
    }
    return static_cast<uint32_t>(copies_.size() - 1);
  }

  uint32_t weight(uint32_t copy) const { return copies_[copy].weight; }
  std::span<const uint32_t> names_of(uint32_t copy) const {
    return {names_.data() + copies_[copy].first_name, copies_[copy].count};
  }
  // See LabelTrees; Shows and AboveShown are for trees with ancestors.
  bool Shows(uint32_t copy, size_t i) const { return shown_[copies_[copy].first_name + i] != 0; }
  bool Above(uint32_t copy, size_t i, size_t j) const { return Bit(above_, copy, i, j); }
  bool AboveShown(uint32_t copy, size_t i, size_t j) const { return Bit(above_shown_, copy, i, j); }
  // Of up to 64 names: Above(copy, i, j) for every j, as bits.
  uint64_t AboveAll(uint32_t copy, size_t i) const { return above_[copies_[copy].first_word + i]; }

 private:
  struct Copy {
    size_t first_name;
    size_t first_word;
    uint32_t count;
    uint32_t weight;
    size_t words;
  };
  bool Bit(const std::vector<uint64_t>& rows, uint32_t copy, size_t i, size_t j) const {
    const Copy& of = copies_[copy];
    return (rows[of.first_word + i * of.words + j / 64] >> (j % 64) & 1) != 0;
  }

  const LabelTrees& trees_;
  std::vector<Copy> copies_;
  std::vector<uint32_t> names_;
  std::vector<uint8_t> shown_;
  std::vector<uint64_t> above_;
  std::vector<uint64_t> above_shown_;
};

// kPlaces: for how many names of a set, but the last, places are kept; m - 1 where there are relations, else 0.
template <size_t kPlaces>
class CombinationWalk {
 public:
  CombinationWalk(const LabelTrees& trees, const NameHolders& holders, size_t m)
      : trees_(trees),
        name_count_(trees.name_count()),
        holders_(holders),
        m_(m),
        shape_{trees.options().ancestors, trees.options().relations},
        entries_(m),
        patterns_(m),
        cells_(trees.name_count()),
        lengths_(trees.name_count(), 0),
        starts_(trees.name_count(), 0) {}

  // All sets whose first name is this one, until the visit returns false.
  template <typename Visit>
  void Run(uint32_t first, Visit& visit) {
    names_ = {first};
    auto& entries = entries_[0];
    entries.clear();
    trees_.Clear();
    std::array<uint64_t, 2> counts{};
    for (const NameHolders::Holder& holder : holders_.of[first]) {
      StopPoint();
      Entry entry;
      entry.tree = trees_.Add(holder.tree);
      entry.last = holder.place;
      if constexpr (kPlaces > 0) entry.at[0] = PlaceOf(entry.tree, holder.place);
      entry.pattern = shape_.ancestors && trees_.Shows(entry.tree, holder.place) ? 1 : 0;
      counts[entry.pattern] += trees_.weight(entry.tree);
      entries.push_back(entry);
    }
    found_.clear();
    for (const uint64_t pattern : {0, 1}) {
      if (counts[pattern] > 0) found_.push_back({pattern, counts[pattern]});
    }
    stopped_ = !visit(std::span<const uint32_t>(names_), std::span<const PatternCount>(found_));
    if (m_ > 1 && !stopped_) Extend(std::span<Entry>(entries), visit);
  }

 private:
  struct Entry {
    uint32_t tree;  // its copy
    // The place of the last name.
    uint32_t last;
    // The pattern, or its rank among those of the list.
    uint64_t pattern;
    // By name but the last of a longest set: see PlaceOf.
    std::array<uint64_t, kPlaces> at;
  };
  // A table for all names at once has at most this many cells.
  static constexpr size_t kMostCells = size_t{1} << 24;
  static constexpr size_t kMostRanked = size_t{1} << 16;

  // Whether entries hold what their names stand above instead of where they are. Trees are all over the memory: what the
  // last and largest level needs of them had better be in its lists.
  bool KnowsRelations(uint32_t tree) const {
    return shape_.relations && !shape_.ancestors && trees_.names_of(tree).size() <= 64;
  }
  uint64_t PlaceOf(uint32_t tree, size_t i) const {
    return KnowsRelations(tree) ? trees_.AboveAll(tree, i) : i;
  }

  // Of an entry with places.
  uint64_t Bits(const Entry& entry, size_t j, size_t depth) const {
    uint64_t bits = 0;
    if (shape_.ancestors && trees_.Shows(entry.tree, j)) bits = 1;
    if constexpr (kPlaces > 0) {
      if (!shape_.relations) return bits;
      if (shape_.ancestors) {
        for (size_t c = 0; c < depth; ++c) {
          if (trees_.Above(entry.tree, entry.at[c], j)) bits |= uint64_t{2} << (2 * c);
          if (trees_.AboveShown(entry.tree, entry.at[c], j)) bits |= uint64_t{4} << (2 * c);
        }
      } else {
        for (size_t c = 0; c < depth; ++c) {
          bits |= static_cast<uint64_t>(trees_.Above(entry.tree, entry.at[c], j)) << c;
        }
      }
    }
    return bits;
  }

  // Replaces the patterns of a list by their ranks.
  void Rank(std::span<Entry> entries, std::vector<uint64_t>& patterns) {
    patterns.clear();
    uint64_t most = 0;
    for (const Entry& entry : entries) most = std::max(most, entry.pattern);
    if (most < kMostRanked) {
      if (rank_.size() <= most) rank_.resize(most + 1, kNoRank);
      for (Entry& entry : entries) {
        uint32_t& rank = rank_[entry.pattern];
        if (rank == kNoRank) {
          rank = static_cast<uint32_t>(patterns.size());
          patterns.push_back(entry.pattern);
        }
        entry.pattern = rank;
      }
      for (const uint64_t pattern : patterns) rank_[pattern] = kNoRank;
      return;
    }
    std::unordered_map<uint64_t, uint64_t> ranks;
    for (Entry& entry : entries) {
      const auto [place, is_new] = ranks.emplace(entry.pattern, patterns.size());
      if (is_new) patterns.push_back(entry.pattern);
      entry.pattern = place->second;
    }
  }

  // Calls visit(j, bits) for the places from `from` on, below `to`, where bits are Bits(entry, j, depth).
  template <typename Visit>
  void ForEachPlace(const Entry& entry, size_t depth, size_t from, size_t to,
                    const Visit& visit) const {
    if constexpr (kPlaces > 0) {
      if (KnowsRelations(entry.tree)) {
        for (size_t j = from; j < to; ++j) {
          uint64_t bits = 0;
          for (size_t c = 0; c < depth; ++c) bits |= (entry.at[c] >> j & 1) << c;
          visit(j, bits);
        }
        return;
      }
    }
    for (size_t j = from; j < to; ++j) visit(j, Bits(entry, j, depth));
  }

  // Counts the names from `begin` on, below `end`, that stand behind the last one in the trees of the list.
  void Count(std::span<const Entry> entries, size_t depth, size_t stride, uint32_t begin,
             uint32_t end) {
    const size_t width = shape_.width(depth);
    for (const Entry& entry : entries) {
      StopPoint();
      const auto names = trees_.names_of(entry.tree);
      size_t from = entry.last + 1;
      size_t to = names.size();
      while (from < to && names[from] < begin) ++from;
      while (from < to && names[to - 1] >= end) --to;
      const uint32_t weight = trees_.weight(entry.tree);
      const size_t pattern = static_cast<size_t>(entry.pattern) << width;
      ForEachPlace(entry, depth, from, to, [&](size_t j, uint64_t bits) {
        const uint32_t name = names[j];
        const size_t cell = (name - begin) * stride + (pattern | bits);
        if (counts_[cell] == 0) {
          if (cells_[name].empty()) touched_.push_back(name);
          cells_[name].push_back(static_cast<uint32_t>(cell));
        }
        counts_[cell] += weight;
        ++lengths_[name];
      });
    }
  }

  template <typename Visit>
  void Extend(std::span<Entry> entries, Visit& visit) {
    const size_t depth = names_.size();
    std::vector<uint64_t>& patterns = patterns_[depth - 1];
    Rank(entries, patterns);
    const size_t width = shape_.width(depth);
    const size_t stride = patterns.size() << width;
    const auto step =
        static_cast<uint32_t>(std::clamp<size_t>(kMostCells / stride, 1, name_count_));
    std::vector<std::pair<uint32_t, uint32_t>> longer;
    for (uint32_t begin = names_.back() + 1; begin < name_count_; begin += step) {
      const auto end = static_cast<uint32_t>(std::min<size_t>(name_count_, size_t{begin} + step));
      if (counts_.size() < (end - begin) * stride) counts_.resize((end - begin) * stride, 0);
      touched_.clear();
      Count(entries, depth, stride, begin, end);
      for (const uint32_t name : touched_) {
        StopPoint();
        found_.clear();
        for (const uint32_t cell : cells_[name]) {
          const size_t within = cell - (name - begin) * stride;
          const uint64_t bits = within & ((size_t{1} << width) - 1);
          found_.push_back(
              {patterns[within >> width] | bits << shape_.shift(depth), counts_[cell]});
          counts_[cell] = 0;
        }
        cells_[name].clear();
        if (depth + 1 < m_) longer.emplace_back(name, lengths_[name]);
        lengths_[name] = 0;
        if (stopped_) continue;
        names_.push_back(name);
        stopped_ = !visit(std::span<const uint32_t>(names_), std::span<const PatternCount>(found_));
        names_.pop_back();
      }
    }
    if (!longer.empty() && !stopped_) Descend(entries, longer, visit);
  }

  // `longer`: the names that follow, and in how many trees of the list.
  template <typename Visit>
  void Descend(std::span<const Entry> entries,
               const std::vector<std::pair<uint32_t, uint32_t>>& longer, Visit& visit) {
    const size_t depth = names_.size();
    const std::vector<uint64_t>& patterns = patterns_[depth - 1];
    std::vector<Entry>& next = entries_[depth];
    std::vector<size_t> ends;
    size_t total = 0;
    for (const auto& [name, length] : longer) {
      // Where the next entry of the name goes.
      starts_[name] = total;
      total += length;
      ends.push_back(total);
    }
    next.resize(total);
    for (const Entry& entry : entries) {
      StopPoint();
      const auto names = trees_.names_of(entry.tree);
      const uint64_t pattern = patterns[entry.pattern];
      ForEachPlace(entry, depth, entry.last + 1, names.size(), [&](size_t j, uint64_t bits) {
        Entry& added = next[starts_[names[j]]++];
        added = entry;
        added.last = static_cast<uint32_t>(j);
        added.pattern = pattern | bits << shape_.shift(depth);
        if constexpr (kPlaces > 0) {
          if (depth < kPlaces) added.at[depth] = PlaceOf(entry.tree, j);
        }
      });
    }
    size_t begin = 0;
    for (size_t i = 0; i < longer.size() && !stopped_; ++i) {
      names_.push_back(longer[i].first);
      Extend(std::span<Entry>(next).subspan(begin, ends[i] - begin), visit);
      names_.pop_back();
      begin = ends[i];
    }
  }

  static constexpr uint32_t kNoRank = std::numeric_limits<uint32_t>::max();

  // Those that have the first name.
  TreeCopies trees_;
  size_t name_count_;
  const NameHolders& holders_;
  size_t m_;
  PatternShape shape_;
  bool stopped_ = false;
  std::vector<uint32_t> names_;
  // By depth.
  std::vector<std::vector<Entry>> entries_;
  std::vector<std::vector<uint64_t>> patterns_;
  std::vector<uint32_t> rank_;
  std::vector<uint32_t> counts_;
  // By name.
  std::vector<std::vector<uint32_t>> cells_;
  std::vector<uint32_t> lengths_;
  std::vector<size_t> starts_;
  std::vector<uint32_t> touched_;
  std::vector<PatternCount> found_;
};

}  // namespace thicket
