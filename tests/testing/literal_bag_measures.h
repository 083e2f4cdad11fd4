// The measures of Liu 2010, Sections 5.5 and 5.6, word for word, on small bags of numbers: for tests.
//
//   LiteralClosedPatterns(bags);                     // all of them, the best first
//   LiteralRecall(original, published);
//   LiteralSDist(original, published, steps);        // every pairing is tried
//   LiteralBlmOthers(...);                           // every matching is tried
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace thicket::testing {

using LiteralLabels = std::set<uint32_t>;
using LiteralBag = std::vector<uint32_t>;
using LiteralSteps = std::function<uint32_t(uint32_t, uint32_t)>;

struct LiteralClosed {
  LiteralLabels labels;
  uint64_t support = 0;
};

// Of every subset of a bag that at least two bags have, whether one more label changes its support.
inline std::vector<LiteralClosed> LiteralClosedPatterns(const std::vector<LiteralBag>& bags,
                                                        uint64_t least_support = 2) {
  std::vector<LiteralLabels> sets;
  LiteralLabels all;
  for (const LiteralBag& bag : bags) {
    sets.emplace_back(bag.begin(), bag.end());
    all.insert(bag.begin(), bag.end());
  }
  const auto support = [&](const LiteralLabels& pattern) {
    return static_cast<uint64_t>(
        std::count_if(sets.begin(), sets.end(), [&](const LiteralLabels& set) {
          return std::includes(set.begin(), set.end(), pattern.begin(), pattern.end());
        }));
  };
  std::set<LiteralLabels> candidates;
  for (const LiteralLabels& set : sets) {
    const std::vector<uint32_t> labels(set.begin(), set.end());
    for (uint64_t bits = 1; bits < (uint64_t{1} << labels.size()); ++bits) {
      LiteralLabels pattern;
      for (size_t i = 0; i < labels.size(); ++i) {
        if ((bits >> i & 1) != 0) pattern.insert(labels[i]);
      }
      candidates.insert(std::move(pattern));
    }
  }
  std::vector<LiteralClosed> closed;
  for (const LiteralLabels& pattern : candidates) {
    const uint64_t here = support(pattern);
    if (here < least_support) continue;
    const bool is_closed = std::all_of(all.begin(), all.end(), [&](uint32_t label) {
      LiteralLabels larger = pattern;
      return !larger.insert(label).second || support(larger) < here;
    });
    if (is_closed) closed.push_back({pattern, here});
  }
  // std::set has put them into the order of their labels.
  std::stable_sort(closed.begin(), closed.end(), [](const auto& a, const auto& b) {
    if (a.support != b.support) return a.support > b.support;
    return a.labels.size() < b.labels.size();
  });
  return closed;
}

// The numerator of Recall.
inline uint64_t LiteralKept(const std::vector<LiteralClosed>& original,
                            const std::vector<LiteralClosed>& published) {
  uint64_t kept = 0;
  for (const LiteralClosed& o : original) {
    size_t most = 0;
    for (const LiteralClosed& a : published) {
      LiteralBag both;
      std::set_intersection(o.labels.begin(), o.labels.end(), a.labels.begin(), a.labels.end(),
                            std::back_inserter(both));
      most = std::max(most, both.size());
    }
    kept += most;
  }
  return kept;
}

// The least weight of a maximum matching: every order of the larger side is tried.
inline uint64_t LiteralDistance(const LiteralLabels& x, const LiteralLabels& y,
                                const LiteralSteps& steps) {
  std::vector<uint32_t> small(x.begin(), x.end());
  std::vector<uint32_t> large(y.begin(), y.end());
  const bool swapped = small.size() > large.size();
  if (swapped) std::swap(small, large);
  uint64_t least = std::numeric_limits<uint64_t>::max();
  std::vector<size_t> order(large.size());
  std::iota(order.begin(), order.end(), size_t{0});
  do {
    uint64_t sum = 0;
    for (size_t i = 0; i < small.size(); ++i) {
      sum += swapped ? steps(large[order[i]], small[i]) : steps(small[i], large[order[i]]);
    }
    least = std::min(least, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

// The numerator of sDist.
inline uint64_t LiteralStepsAway(const std::vector<LiteralClosed>& original,
                                 const std::vector<LiteralClosed>& published,
                                 const LiteralSteps& steps) {
  uint64_t sum = 0;
  for (const LiteralClosed& o : original) {
    uint64_t least = std::numeric_limits<uint64_t>::max();
    for (const LiteralClosed& a : published) {
      least = std::min(least, LiteralDistance(o.labels, a.labels, steps));
    }
    sum += least;
  }
  return sum;
}

// All matchings of a bag with the published one, of as many terms as possible and the least weight: by place the
// term, or -1.
inline std::vector<std::vector<int64_t>> LiteralBestMatchings(const LiteralBag& published,
                                                              const LiteralBag& terms,
                                                              const LiteralSteps& steps) {
  std::vector<int64_t> choices(std::max(published.size(), terms.size()), -1);
  std::iota(choices.begin(), choices.begin() + static_cast<std::ptrdiff_t>(terms.size()), 0);
  std::sort(choices.begin(), choices.end());
  std::map<uint64_t, std::set<std::vector<int64_t>>> found;
  do {
    uint64_t sum = 0;
    std::vector<int64_t> by_place;
    for (size_t place = 0; place < published.size(); ++place) {
      const int64_t choice = choices[place];
      by_place.push_back(choice < 0 ? -1 : int64_t{terms[static_cast<size_t>(choice)]});
      if (choice >= 0) sum += steps(published[place], terms[static_cast<size_t>(choice)]);
    }
    found[sum].insert(std::move(by_place));
  } while (std::next_permutation(choices.begin(), choices.end()));
  const auto& best = found.begin()->second;
  return {best.begin(), best.end()};
}

// Of a class that is published as one bag: what BagLoss::others may be, over all best matchings of all members.
inline std::set<uint64_t> LiteralOthers(const LiteralBag& published,
                                        const std::vector<LiteralBag>& members,
                                        const LiteralSteps& steps) {
  std::set<uint64_t> possible;
  std::vector<std::vector<int64_t>> chosen;
  const std::function<void(size_t)> choose = [&](size_t member) {
    if (member < members.size()) {
      for (const auto& matching : LiteralBestMatchings(published, members[member], steps)) {
        chosen.push_back(matching);
        choose(member + 1);
        chosen.pop_back();
      }
      return;
    }
    uint64_t others = 0;
    for (size_t place = 0; place < published.size(); ++place) {
      std::multiset<int64_t> hyper;
      for (const auto& matching : chosen) {
        if (matching[place] >= 0) hyper.insert(matching[place]);
      }
      const std::set<int64_t> different(hyper.begin(), hyper.end());
      if (!hyper.empty()) others += hyper.size() * (different.size() - 1);
    }
    possible.insert(others);
  };
  choose(0);
  return possible;
}

}  // namespace thicket::testing
