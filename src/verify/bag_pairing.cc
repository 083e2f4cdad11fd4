#include "verify/bag_pairing.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/stop.h"

namespace thicket {

void BagPairing::Clear() {
  needed_.clear();
  left_.clear();
  edges_.clear();
}

uint32_t BagPairing::AddLabel(uint64_t count) {
  needed_.push_back(count);
  return static_cast<uint32_t>(needed_.size()) - 1;
}

uint32_t BagPairing::AddTerm(uint64_t count) {
  left_.push_back(count);
  return static_cast<uint32_t>(left_.size()) - 1;
}

void BagPairing::Allow(uint32_t label, uint32_t term, uint64_t cost) {
  edges_.push_back({label, term, cost});
}

// Dijkstra's search. The potentials of all nodes are their distances so far, which makes the cost of every edge that can be used,
// in either direction, at least 0.
bool BagPairing::FindDistances() {
  const size_t labels = needed_.size();
  distance_.assign(potential_.size(), kFar);
  heap_.clear();
  for (uint32_t label = 0; label < labels; ++label) {
    if (needed_[label] == 0) continue;
    distance_[label] = 0;
    heap_.emplace_back(0, label);
  }
  const auto reach = [&](uint32_t node, uint64_t distance) {
    if (distance >= distance_[node]) return;
    distance_[node] = distance;
    heap_.emplace_back(distance, node);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  };
  // The distance to the nearest term that is left bounds those that matter.
  uint64_t least = kFar;
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const auto [distance, node] = heap_.back();
    heap_.pop_back();
    if (distance > distance_[node]) continue;
    if (distance > least) break;
    StopPoint();
    for (const uint32_t id : edges_of_[node]) {
      const Edge& edge = edges_[id];
      const uint32_t term = TermNode(edge.term);
      if (node < labels) {
        reach(term, distance + edge.cost + potential_[edge.label] - potential_[term]);
      } else if (edge.flow > 0) {
        reach(edge.label, distance + potential_[term] - potential_[edge.label] - edge.cost);
      }
    }
    if (node >= labels && left_[node - labels] > 0) least = std::min(least, distance);
  }
  if (least == kFar) return false;
  for (size_t node = 0; node < potential_.size(); ++node) {
    potential_[node] += std::min(distance_[node], least);
  }
  return true;
}

uint64_t BagPairing::Send(uint32_t label) {
  const size_t labels = needed_.size();
  path_.clear();
  for (uint32_t node = label;;) {
    visited_[node] = true;
    if (node >= labels && left_[node - labels] > 0) break;
    bool goes_on = false;
    for (size_t& i = next_edge_[node]; i < edges_of_[node].size(); ++i) {
      const Edge& edge = edges_[edges_of_[node][i]];
      const uint32_t term = TermNode(edge.term);
      const uint32_t other = node < labels ? term : edge.label;
      if (visited_[other] || potential_[edge.label] + edge.cost != potential_[term]) continue;
      if (node >= labels && edge.flow == 0) continue;
      path_.push_back(edges_of_[node][i]);
      node = other;
      goes_on = true;
      break;
    }
    if (goes_on) continue;
    if (path_.empty()) return 0;
    // Back to where the last edge of the path came from, and on with the next one.
    const Edge& last = edges_[path_.back()];
    node = node < labels ? TermNode(last.term) : last.label;
    ++next_edge_[node];
    path_.pop_back();
  }
  // Labels and terms take turns, so every second edge gives back what it had.
  uint64_t& left = left_[edges_[path_.back()].term];
  uint64_t sent = std::min(needed_[label], left);
  for (size_t i = 1; i < path_.size(); i += 2) sent = std::min(sent, edges_[path_[i]].flow);
  for (size_t i = 0; i < path_.size(); ++i) {
    Edge& edge = edges_[path_[i]];
    edge.flow = i % 2 == 0 ? edge.flow + sent : edge.flow - sent;
  }
  left -= sent;
  needed_[label] -= sent;
  return sent;
}

uint64_t BagPairing::Solve() {
  const size_t nodes = needed_.size() + left_.size();
  if (edges_of_.size() < nodes) edges_of_.resize(nodes);
  for (size_t node = 0; node < nodes; ++node) edges_of_[node].clear();
  for (uint32_t id = 0; id < edges_.size(); ++id) {
    edges_of_[edges_[id].label].push_back(id);
    edges_of_[TermNode(edges_[id].term)].push_back(id);
  }
  potential_.assign(nodes, 0);
  uint64_t missing = 0;
  for (const uint64_t needed : needed_) missing += needed;
  while (missing > 0 && FindDistances()) {
    for (bool more = true; more;) {
      more = false;
      visited_.assign(nodes, false);
      next_edge_.assign(nodes, 0);
      for (uint32_t label = 0; label < needed_.size(); ++label) {
        if (needed_[label] == 0 || visited_[label]) continue;
        const uint64_t sent = Send(label);
        missing -= sent;
        more = more || sent > 0;
      }
    }
  }
  return missing;
}

}  // namespace thicket
