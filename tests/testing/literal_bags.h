// Bags of words, Chapter 5 of Liu 2010 word for word: the reference for tests.
//
// Plain numbers instead of the project's types, every matching and every bag tried. Nothing of grouping/ is used. For
// bags of up to about seven terms.
//
//   LiteralBags literal{.bags = {{0, 0, 1}, {0, 2}}, .owners = {0, 1}, .steps = {{0, 2, -1}, {2, 0, -1}, {-1, -1, 0}}};
//   literal.Ssg({.k = 2});       // Algorithm 5.1
//
// Where the thesis leaves a choice:
//   - nearness without omega is the number of unmatched terms, then the weight: by the weight alone Example 5.7 would
//     not come out;
//   - of equally good matchings the one that gives the first term of the centre the first term of the bag, and so on;
//   - a class holds bags of k different owners; while k owners are left only owners that the class does not have may
//     join;
//   - ties of bags go to the first in ascending size, ties of classes to the first class, ties of typical terms to the
//     one that joined first;
//   - an unmatched hyper term costs omega for each of its members, since weights are sums over these; classes are
//     compared by the mean.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace thicket::testing {

// By row its column, -1 where it has none.
struct LiteralMatching {
  int64_t unmatched = 0;
  int64_t weight = 0;
  std::vector<int> column_of_row = {};
};

struct LiteralBagClass {
  std::vector<int> bags;
  // By hyper term and member: the place of its occurrence in the member's bag.
  std::vector<std::vector<int>> places;
  // By hyper term.
  std::vector<int> typical;

  friend bool operator==(const LiteralBagClass&, const LiteralBagClass&) = default;
};

struct LiteralSsgOptions {
  size_t k = 2;
  // In halves of a step; negative: none.
  int64_t omega_halves = -1;
  bool is_greedy = false;
  // Whether bags are compared with the hyper vocabulary instead of the typical terms.
  bool is_hyper = false;
};

struct LiteralBags {
  using Bag = std::vector<int>;
  // Hyper terms: the terms of each.
  using Hyper = std::vector<std::vector<int>>;

  std::vector<Bag> bags;
  std::vector<int> owners;
  // By term and term; -1 where they are irrelevant.
  std::vector<std::vector<int>> steps;

  // Of a term and a hyper term; -1 where they are irrelevant.
  int64_t Weight(const std::vector<int>& hyper, int term) const {
    int64_t sum = 0;
    for (const int one : hyper) {
      if (steps[one][term] < 0) return -1;
      sum += steps[one][term];
    }
    return sum;
  }

  // What a matching costs for the members that there are, in halves; without omega an unmatched term costs more than
  // all weights.
  static int64_t Cost(const LiteralMatching& matching, int64_t members, int64_t omega_halves) {
    const int64_t nil = omega_halves < 0 ? 1'000'000 : omega_halves;
    return 2 * matching.weight + nil * members * matching.unmatched;
  }

  // Every matching, in the order of columns, unmatched last.
  LiteralMatching MatchExactly(const Hyper& hyper, const Bag& bag, int64_t omega_halves) const {
    const int64_t members = hyper.empty() ? 1 : static_cast<int64_t>(hyper.front().size());
    std::optional<LiteralMatching> best;
    std::vector<int> columns;
    std::vector<bool> is_taken(bag.size(), false);
    const std::function<void(int64_t, int64_t)> go = [&](int64_t matched, int64_t weight) {
      if (columns.size() == hyper.size()) {
        const LiteralMatching one{static_cast<int64_t>(hyper.size() + bag.size()) - 2 * matched,
                                  weight, columns};
        if (!best || Cost(one, members, omega_halves) < Cost(*best, members, omega_halves)) {
          best = one;
        }
        return;
      }
      const std::vector<int>& row = hyper[columns.size()];
      for (size_t column = 0; column < bag.size(); ++column) {
        const int64_t apart = Weight(row, bag[column]);
        if (is_taken[column] || apart < 0) continue;
        is_taken[column] = true;
        columns.push_back(static_cast<int>(column));
        go(matched + 1, weight + apart);
        columns.pop_back();
        is_taken[column] = false;
      }
      columns.push_back(-1);
      go(matched, weight);
      columns.pop_back();
    };
    go(0, 0);
    return *best;
  }

  // Section 5.4.3: the lightest edge between unmatched terms, again and again.
  LiteralMatching MatchGreedily(const Hyper& hyper, const Bag& bag, int64_t omega_halves) const {
    const int64_t members = hyper.empty() ? 1 : static_cast<int64_t>(hyper.front().size());
    LiteralMatching matching{static_cast<int64_t>(hyper.size() + bag.size()), 0,
                             std::vector<int>(hyper.size(), -1)};
    std::vector<bool> is_taken(bag.size(), false);
    while (true) {
      int64_t least = -1;
      std::pair<size_t, size_t> edge;
      for (size_t row = 0; row < hyper.size(); ++row) {
        for (size_t column = 0; column < bag.size(); ++column) {
          const int64_t apart = Weight(hyper[row], bag[column]);
          if (matching.column_of_row[row] >= 0 || is_taken[column] || apart < 0) continue;
          if (omega_halves >= 0 && 2 * apart > 2 * omega_halves * members) continue;
          if (least >= 0 && apart >= least) continue;
          least = apart;
          edge = {row, column};
        }
      }
      if (least < 0) return matching;
      matching.column_of_row[edge.first] = static_cast<int>(edge.second);
      is_taken[edge.second] = true;
      matching.unmatched -= 2;
      matching.weight += least;
    }
  }

  LiteralMatching Match(const Hyper& hyper, const Bag& bag,
                        const LiteralSsgOptions& options) const {
    return options.is_greedy ? MatchGreedily(hyper, bag, options.omega_halves)
                             : MatchExactly(hyper, bag, options.omega_halves);
  }

  // A cluster while it grows, or when it is done.
  struct Cluster {
    std::vector<int> members;
    Hyper hyper;
    std::vector<std::vector<int>> places;
  };

  int Typical(const std::vector<int>& hyper) const {
    int64_t least = -1;
    int typical = 0;
    for (const int one : hyper) {
      int64_t sum = 0;
      for (const int other : hyper) sum += steps[one][other];
      if (least >= 0 && sum >= least) continue;
      least = sum;
      typical = one;
    }
    return typical;
  }

  Cluster Begin(int bag) const {
    Cluster cluster{{bag}, {}, {}};
    for (size_t place = 0; place < bags[bag].size(); ++place) {
      cluster.hyper.push_back({bags[bag][place]});
      cluster.places.push_back({static_cast<int>(place)});
    }
    return cluster;
  }

  void Join(Cluster& cluster, int bag, const LiteralSsgOptions& options) const {
    const LiteralMatching matching = Match(cluster.hyper, bags[bag], options);
    Cluster joined{cluster.members, {}, {}};
    joined.members.push_back(bag);
    for (size_t row = 0; row < cluster.hyper.size(); ++row) {
      const int place = matching.column_of_row[row];
      if (place < 0) continue;
      joined.hyper.push_back(cluster.hyper[row]);
      joined.hyper.back().push_back(bags[bag][place]);
      joined.places.push_back(cluster.places[row]);
      joined.places.back().push_back(place);
    }
    cluster = joined;
  }

  // distance(bag, centre): the cost and the members that it is shared by.
  std::pair<int64_t, int64_t> Distance(const Cluster& cluster, int bag,
                                       const LiteralSsgOptions& options) const {
    Hyper centre = cluster.hyper;
    if (!options.is_hyper) {
      for (std::vector<int>& hyper : centre) hyper = {Typical(hyper)};
    }
    const int64_t members = options.is_hyper ? static_cast<int64_t>(cluster.members.size()) : 1;
    return {Cost(Match(centre, bags[bag], options), members, options.omega_halves), members};
  }

  // Algorithm 5.1. Nothing if there are fewer than k owners, unless there are no bags.
  std::optional<std::vector<LiteralBagClass>> Ssg(const LiteralSsgOptions& options) const {
    std::vector<int> left(bags.size());
    std::iota(left.begin(), left.end(), 0);
    std::stable_sort(left.begin(), left.end(),
                     [&](int a, int b) { return bags[a].size() < bags[b].size(); });
    const auto owners_of = [&](const std::vector<int>& some) {
      std::set<int> all;
      for (const int bag : some) all.insert(owners[bag]);
      return all;
    };
    if (!bags.empty() && owners_of(left).size() < options.k) return std::nullopt;
    std::vector<Cluster> clusters;
    while (!left.empty() && owners_of(left).size() >= options.k) {
      Cluster cluster = Begin(left.front());
      left.erase(left.begin());
      while (cluster.members.size() < options.k) {
        const std::set<int> had = owners_of(cluster.members);
        int64_t least = -1;
        size_t nearest = 0;
        for (size_t i = 0; i < left.size(); ++i) {
          if (had.contains(owners[left[i]])) continue;
          const int64_t cost = Distance(cluster, left[i], options).first;
          if (least >= 0 && cost >= least) continue;
          least = cost;
          nearest = i;
        }
        Join(cluster, left[nearest], options);
        left.erase(left.begin() + static_cast<ptrdiff_t>(nearest));
      }
      clusters.push_back(cluster);
    }
    for (const int bag : left) {
      size_t nearest = 0;
      std::pair<int64_t, int64_t> least = Distance(clusters[0], bag, options);
      for (size_t i = 1; i < clusters.size(); ++i) {
        const auto one = Distance(clusters[i], bag, options);
        if (one.first * least.second >= least.first * one.second) continue;
        least = one;
        nearest = i;
      }
      Join(clusters[nearest], bag, options);
    }
    std::vector<LiteralBagClass> classes;
    for (const Cluster& cluster : clusters) {
      LiteralBagClass one{cluster.members, cluster.places, {}};
      for (const std::vector<int>& hyper : cluster.hyper) one.typical.push_back(Typical(hyper));
      classes.push_back(one);
    }
    return classes;
  }
};

}  // namespace thicket::testing
