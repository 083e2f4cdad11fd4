// Pairs every published term of a bag with a term of the original bag of its own, at the least cost.
//
// Equal terms are handled together: label l is there count(l) times, term t count(t) times. A minimum-cost flow in phases: a
// shortest-path search finds the next least cost of a path, then as much as possible goes along all paths of that cost. Most labels are
// their own terms, which is the first phase.
//
//   BagPairing pairing;
//   pairing.Clear();
//   const uint32_t wine = pairing.AddLabel(2), vino = pairing.AddTerm(1), same = pairing.AddTerm(1);
//   pairing.Allow(wine, same, 0);
//   pairing.Allow(wine, vino, 2);
//   pairing.Solve();                 // 0: no published term is without a partner
//   pairing.ForEachPair(use);        // use(1, 2), use(1, 0): how many, at which cost each
//
// O(phases * edges log terms), and as many phases as different costs of paths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace thicket {

class BagPairing {
 public:
  void Clear();
  uint32_t AddLabel(uint64_t count);
  uint32_t AddTerm(uint64_t count);
  void Allow(uint32_t label, uint32_t term, uint64_t cost);

  // How many published terms cannot have a partner. Of all ways in which as many as possible have one, the cheapest is taken.
  uint64_t Solve();

  template <typename Use>
  void ForEachPair(const Use& use) const {
    for (const Edge& edge : edges_) {
      if (edge.flow > 0) use(edge.flow, edge.cost);
    }
  }

 private:
  static constexpr uint64_t kFar = ~uint64_t{0};
  struct Edge {
    uint32_t label;
    uint32_t term;
    uint64_t cost;
    uint64_t flow = 0;
  };

  // Distances of all nodes from the labels that still need terms; whether a term that is left can be reached.
  bool FindDistances();
  // Sends what the label needs to a term that is left, along a path of the least cost whose nodes nobody has visited; how much
  // arrived.
  uint64_t Send(uint32_t label);

  // Nodes: labels first, then terms.
  uint32_t TermNode(uint32_t term) const { return static_cast<uint32_t>(needed_.size()) + term; }

  std::vector<uint64_t> needed_;
  std::vector<uint64_t> left_;
  std::vector<Edge> edges_;
  // By node: its edges.
  std::vector<std::vector<uint32_t>> edges_of_;
  std::vector<uint64_t> distance_;
  std::vector<uint64_t> potential_;
  std::vector<bool> visited_;
  std::vector<size_t> next_edge_;
  std::vector<uint32_t> path_;
  std::vector<std::pair<uint64_t, uint32_t>> heap_;
};

}  // namespace thicket
