#include "taxonomy/together.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/stop.h"
#include "taxonomy/balanced.h"

namespace thicket {

namespace {

constexpr size_t kMostCompared = 4096;
constexpr size_t kLargestSet = 256;
constexpr uint32_t kLeastCompany = 2;
// Shares are whole numbers of this part, so that every machine chooses alike.
constexpr int64_t kWhole = int64_t{1} << 30;

// Items or groups of one level, numbered from the most frequent to the least.
class Level {
 public:
  Level(const SetsOfItems& sets, size_t count) : rank_of_(count), support_(count, 0) {
    Rank(sets);
    compared_ = std::min(count, kMostCompared);
    words_ = (compared_ + 63) / 64;
    CountPairs(sets);
    FindCompany();
  }

  // By number in the sets: the group. There are ceil(count / fanout) of them.
  std::vector<uint32_t> Group(size_t fanout) {
    const size_t groups = (rank_of_.size() + fanout - 1) / fanout;
    std::vector<uint32_t> group_of_rank(rank_of_.size());
    std::iota(group_of_rank.begin(), group_of_rank.begin() + static_cast<ptrdiff_t>(groups), 0);
    for (size_t begin = groups; begin < rank_of_.size(); begin += groups) {
      const size_t end = std::min(begin + groups, rank_of_.size());
      std::vector<bool> has_room(groups, true);
      for (size_t item = begin; item < end; ++item) {
        StopPoint();
        const size_t group = BestGroup(item, has_room);
        has_room[group] = false;
        group_of_rank[item] = static_cast<uint32_t>(group);
        if (item < compared_) Join(item, group);
      }
    }
    std::vector<uint32_t> group_of(rank_of_.size());
    for (size_t i = 0; i < rank_of_.size(); ++i) group_of[i] = group_of_rank[rank_of_[i]];
    return group_of;
  }

 private:
  void Rank(const SetsOfItems& sets) {
    std::vector<uint32_t> counts(support_.size(), 0);
    for (const uint32_t item : sets.members) ++counts[item];
    std::vector<uint32_t> by_rank(counts.size());
    std::iota(by_rank.begin(), by_rank.end(), 0);
    std::stable_sort(by_rank.begin(), by_rank.end(),
                     [&](uint32_t a, uint32_t b) { return counts[a] > counts[b]; });
    for (uint32_t rank = 0; rank < by_rank.size(); ++rank) {
      rank_of_[by_rank[rank]] = rank;
      support_[rank] = counts[by_rank[rank]];
    }
  }

  void CountPairs(const SetsOfItems& sets) {
    pairs_.assign(compared_ * compared_, 0);
    std::vector<uint32_t> ranks;
    for (size_t set = 0; set + 1 < sets.first.size(); ++set) {
      StopPoint();
      if (sets.first[set + 1] - sets.first[set] > kLargestSet) continue;
      ranks.clear();
      for (size_t i = sets.first[set]; i < sets.first[set + 1]; ++i) {
        if (rank_of_[sets.members[i]] < compared_) ranks.push_back(rank_of_[sets.members[i]]);
      }
      for (const size_t rank : ranks) {
        uint32_t* row = &pairs_[rank * compared_];
        for (const uint32_t other : ranks) ++row[other];
      }
    }
    for (size_t rank = 0; rank < compared_; ++rank) pairs_[rank * compared_ + rank] = 0;
    for (uint32_t& count : pairs_) {
      if (count < kLeastCompany) count = 0;
    }
  }

  void FindCompany() {
    company_.assign(compared_ * words_, 0);
    company_size_.assign(compared_, 0);
    for (size_t item = 0; item < compared_; ++item) {
      for (size_t other = 0; other < compared_; ++other) {
        if (pairs_[item * compared_ + other] == 0) continue;
        company_[item * words_ + other / 64] |= uint64_t{1} << (other % 64);
        ++company_size_[item];
      }
    }
  }

  // The group, of those that have room, that the item fits best; of equals the one whose first item is most frequent. A group
  // has the rows of its first item.
  size_t BestGroup(size_t item, const std::vector<bool>& has_room) const {
    size_t best = has_room.size();
    int64_t most = 0;
    for (size_t group = 0; group < has_room.size(); ++group) {
      if (!has_room[group]) continue;
      const int64_t fit = item < compared_ ? Fit(item, group) : 0;
      if (best == has_room.size() || fit > most) {
        best = group;
        most = fit;
      }
      if (item >= compared_) break;
    }
    return best;
  }

  int64_t Fit(size_t item, size_t group) const {
    int64_t common = 0;
    for (size_t word = 0; word < words_; ++word) {
      common += std::popcount(company_[item * words_ + word] & company_[group * words_ + word]);
    }
    const int64_t company = std::max<int64_t>(1, company_size_[item]);
    const int64_t support = std::max<int64_t>(1, support_[item]);
    const int64_t direct = pairs_[group * compared_ + item];
    return common * kWhole / company - direct * kWhole / support;
  }

  void Join(size_t item, size_t group) {
    for (size_t other = 0; other < compared_; ++other) {
      pairs_[group * compared_ + other] += pairs_[item * compared_ + other];
    }
    for (size_t word = 0; word < words_; ++word) {
      company_[group * words_ + word] |= company_[item * words_ + word];
    }
  }

  std::vector<uint32_t> rank_of_;
  std::vector<uint32_t> support_;
  size_t compared_ = 0;
  size_t words_ = 0;
  // How many sets have both; after Join() the sums over a group in the row of its first item.
  std::vector<uint32_t> pairs_;
  // A bit for each item that an item appears with, and how many there are.
  std::vector<uint64_t> company_;
  std::vector<uint32_t> company_size_;
};

// Puts groups in the place of their items, each once per set.
void Replace(const std::vector<uint32_t>& group_of, SetsOfItems& sets) {
  size_t kept = 0;
  size_t begin = 0;
  for (size_t set = 0; set + 1 < sets.first.size(); ++set) {
    StopPoint();
    const size_t end = sets.first[set + 1];
    const size_t first = kept;
    for (size_t i = begin; i < end; ++i) sets.members[kept++] = group_of[sets.members[i]];
    const auto from = sets.members.begin() + static_cast<ptrdiff_t>(first);
    const auto to = sets.members.begin() + static_cast<ptrdiff_t>(kept);
    std::sort(from, to);
    kept = static_cast<size_t>(std::unique(from, to) - sets.members.begin());
    sets.first[set + 1] = kept;
    begin = end;
  }
  sets.members.resize(kept);
}

// Numbers items in the values' order, whatever order they came in.
void SortItems(SetsOfItems& sets) {
  std::vector<std::string> sorted = sets.items;
  SortValues(sorted);
  std::unordered_map<std::string, uint32_t> place;
  for (uint32_t i = 0; i < sorted.size(); ++i) place.emplace(sorted[i], i);
  std::vector<uint32_t> place_of(sets.items.size());
  for (size_t i = 0; i < sets.items.size(); ++i) place_of[i] = place.at(sets.items[i]);
  for (uint32_t& item : sets.members) item = place_of[item];
  sets.items = std::move(sorted);
}

}  // namespace

Taxonomy TogetherTaxonomy(SetsOfItems sets, size_t fanout) {
  SortItems(sets);
  const std::vector<std::string> items = std::move(sets.items);
  std::vector<uint64_t> frequency(items.size(), 0);
  for (const uint32_t item : sets.members) ++frequency[item];
  std::vector<std::vector<uint32_t>> levels;
  for (size_t count = items.size(); count > fanout; count = (count + fanout - 1) / fanout) {
    levels.push_back(Level(sets, count).Group(fanout));
    Replace(levels.back(), sets);
  }
  return GroupedTaxonomy(items, levels, frequency);
}

}  // namespace thicket
