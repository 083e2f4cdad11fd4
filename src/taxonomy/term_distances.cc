#include "taxonomy/term_distances.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/stop.h"

namespace thicket {

namespace {

constexpr uint32_t kNone = ~uint32_t{0};
// Terms whose lists are worked out by one worker at a time, and allocated together.
constexpr size_t kBlockTerms = 128;
// How many terms an estimate looks at.
constexpr size_t kSample = 400;

}  // namespace

// A graph of places, some of which are terms.
struct TermDistances::Paths {
  std::vector<uint32_t> first;       // by place, and the end: in `neighbours`
  std::vector<uint32_t> neighbours;  // one step away
  std::vector<uint32_t> term_at;     // by place; kNone: no term
  std::vector<uint32_t> place_of;    // by term; kNone: nowhere

  // The places that can lie on a path between two terms. `neighbours_of(place)` calls its second argument for each.
  template <typename Neighbours>
  static Paths Between(size_t places, std::vector<uint32_t> place_of,
                       const Neighbours& neighbours_of);
  static Paths OfNetwork(const SemanticNetwork& network, std::span<const std::string> terms);
  static Paths OfTaxonomy(const Taxonomy& taxonomy, std::span<const Node> leaves);
};

template <typename Neighbours>
TermDistances::Paths TermDistances::Paths::Between(size_t places, std::vector<uint32_t> place_of,
                                                   const Neighbours& neighbours_of) {
  std::vector<uint32_t> term_at(places, kNone);
  for (uint32_t term = 0; term < place_of.size(); ++term) {
    if (place_of[term] != kNone) term_at[place_of[term]] = term;
  }
  // A place with at most one neighbour that is no term ends every path; without it the next one may be such a place.
  std::vector<uint32_t> degree(places, 0);
  std::vector<uint32_t> dead_ends;
  for (uint32_t place = 0; place < places; ++place) {
    neighbours_of(place, [&](uint32_t) { ++degree[place]; });
    if (degree[place] <= 1 && term_at[place] == kNone) dead_ends.push_back(place);
  }
  std::vector<bool> is_cut(places, false);
  for (const uint32_t place : dead_ends) is_cut[place] = true;
  while (!dead_ends.empty()) {
    const uint32_t place = dead_ends.back();
    dead_ends.pop_back();
    neighbours_of(place, [&](uint32_t other) {
      if (is_cut[other] || --degree[other] > 1 || term_at[other] != kNone) return;
      is_cut[other] = true;
      dead_ends.push_back(other);
    });
  }
  std::vector<uint32_t> number(places, kNone);
  uint32_t kept = 0;
  for (uint32_t place = 0; place < places; ++place) {
    if (!is_cut[place]) number[place] = kept++;
  }
  Paths paths;
  paths.first.reserve(kept + 1);
  paths.first.push_back(0);
  paths.term_at.reserve(kept);
  for (uint32_t place = 0; place < places; ++place) {
    if (is_cut[place]) continue;
    neighbours_of(place, [&](uint32_t other) {
      if (!is_cut[other]) paths.neighbours.push_back(number[other]);
    });
    paths.first.push_back(static_cast<uint32_t>(paths.neighbours.size()));
    paths.term_at.push_back(term_at[place]);
  }
  for (uint32_t& place : place_of) {
    if (place != kNone) place = number[place];
  }
  paths.place_of = std::move(place_of);
  return paths;
}

TermDistances::Paths TermDistances::Paths::OfNetwork(const SemanticNetwork& network,
                                                     std::span<const std::string> terms) {
  std::vector<uint32_t> place_of;
  place_of.reserve(terms.size());
  for (const std::string& term : terms) place_of.push_back(network.Find(term).value_or(kNone));
  return Between(network.place_count(), std::move(place_of), [&](uint32_t place, const auto& see) {
    for (const uint32_t other : network.Neighbours(place)) see(other);
  });
}

TermDistances::Paths TermDistances::Paths::OfTaxonomy(const Taxonomy& taxonomy,
                                                      std::span<const Node> leaves) {
  const size_t nodes = taxonomy.node_count();
  std::vector<uint32_t> first(nodes + 1, 0);
  for (Node node = 1; node < nodes; ++node) ++first[taxonomy.parent(node) + 1];
  for (size_t node = 0; node < nodes; ++node) first[node + 1] += first[node];
  std::vector<Node> children(first.back());
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  for (Node node = 1; node < nodes; ++node) children[next[taxonomy.parent(node)]++] = node;
  return Between(nodes, {leaves.begin(), leaves.end()}, [&](uint32_t node, const auto& see) {
    if (node != Taxonomy::kRoot) see(taxonomy.parent(node));
    for (uint32_t child = first[node]; child < first[node + 1]; ++child) see(children[child]);
  });
}

// A worker's searches, one after another.
class TermDistances::Walk {
 public:
  Walk(const Paths& paths, uint32_t epsilon)
      : paths_(paths), epsilon_(epsilon), seen_(paths.term_at.size(), kNone) {}

  // Appends what is near the term to the list.
  void From(uint32_t term, std::vector<Near>& list) {
    list.push_back({term, 0});
    if (paths_.place_of[term] == kNone) return;
    frontier_.assign(1, paths_.place_of[term]);
    seen_[frontier_.front()] = term;
    for (uint32_t steps = 1; steps <= epsilon_ && !frontier_.empty(); ++steps) {
      const size_t begin = list.size();
      next_.clear();
      for (const uint32_t place : frontier_) {
        for (uint32_t at = paths_.first[place]; at < paths_.first[place + 1]; ++at) {
          const uint32_t other = paths_.neighbours[at];
          if (seen_[other] == term) continue;
          seen_[other] = term;
          next_.push_back(other);
          if (paths_.term_at[other] != kNone) list.push_back({paths_.term_at[other], steps});
        }
      }
      std::sort(list.begin() + static_cast<ptrdiff_t>(begin), list.end(),
                [](const Near& a, const Near& b) { return a.term < b.term; });
      frontier_.swap(next_);
    }
  }

 private:
  const Paths& paths_;
  uint32_t epsilon_;
  std::vector<uint32_t> seen_;  // by place: the last term from which it was reached
  std::vector<uint32_t> frontier_;
  std::vector<uint32_t> next_;
};

// Between a third and two thirds of the slots are taken.
uint32_t TermDistances::SlotsFor(size_t near) {
  return std::bit_ceil(static_cast<uint32_t>(near + near / 2 + 1));
}

uint64_t TermDistances::RowBytes(size_t near, size_t terms) {
  return sizeof(Row) + near * sizeof(Near) +
         std::min<uint64_t>(uint64_t{SlotsFor(near)} * sizeof(uint32_t), terms);
}

void TermDistances::FillRows(size_t begin, std::span<const Near> lists,
                             std::span<const uint32_t> near_counts, Block& block) {
  block.near.assign(lists.begin(), lists.end());
  uint64_t slots = 0;
  uint64_t bytes = 0;
  const Near* near = block.near.data();
  for (size_t i = 0; i < near_counts.size(); ++i) {
    Row& row = rows_[begin + i];
    row.near = near;
    row.near_count = near_counts[i];
    near += row.near_count;
    // The last in the list is the farthest.
    if (rows_.size() > kMaxTerms || row.near[row.near_count - 1].steps >= kFar) continue;
    const uint32_t row_slots = SlotsFor(row.near_count);
    if (uint64_t{row_slots} * sizeof(uint32_t) < rows_.size()) {
      row.kind = Row::kHashed;
      row.mask = row_slots - 1;
      row.shift = static_cast<uint8_t>(32 - std::countr_zero(row_slots));
      slots += row_slots;
    } else {
      row.kind = Row::kBytes;
      bytes += rows_.size();
    }
  }
  block.slots.assign(slots, kEmpty);
  block.bytes.assign(bytes, static_cast<uint8_t>(kFar));
  uint32_t* next_slots = block.slots.data();
  uint8_t* next_bytes = block.bytes.data();
  for (size_t i = 0; i < near_counts.size(); ++i) {
    Row& row = rows_[begin + i];
    const std::span<const Near> row_near(row.near, row.near_count);
    if (row.kind == Row::kHashed) {
      row.slots = next_slots;
      for (const Near& other : row_near) {
        uint32_t slot = Hash(other.term) >> row.shift;
        while (next_slots[slot] != kEmpty) slot = (slot + 1) & row.mask;
        next_slots[slot] = other.term << kStepBits | other.steps;
      }
      next_slots += row.mask + 1;
    } else if (row.kind == Row::kBytes) {
      row.bytes = next_bytes;
      for (const Near& other : row_near) next_bytes[other.term] = static_cast<uint8_t>(other.steps);
      next_bytes += rows_.size();
    }
  }
}

TermDistances TermDistances::Of(const Paths& paths, uint32_t epsilon, Parallel& parallel) {
  const size_t terms = paths.place_of.size();
  TermDistances distances(terms);
  const size_t blocks = (terms + kBlockTerms - 1) / kBlockTerms;
  distances.blocks_.resize(blocks);
  std::vector<Walk> walks(parallel.threads(), Walk(paths, epsilon));
  std::vector<std::vector<Near>> lists(parallel.threads());
  parallel.For(blocks, 1, [&](size_t worker, size_t from, size_t to) {
    for (size_t block = from; block < to; ++block) {
      const size_t begin = block * kBlockTerms;
      const size_t end = std::min(begin + kBlockTerms, terms);
      std::vector<uint32_t> near_counts;
      lists[worker].clear();
      for (size_t term = begin; term < end; ++term) {
        StopPoint();
        const size_t before = lists[worker].size();
        walks[worker].From(static_cast<uint32_t>(term), lists[worker]);
        near_counts.push_back(static_cast<uint32_t>(lists[worker].size() - before));
      }
      distances.FillRows(begin, lists[worker], near_counts, distances.blocks_[block]);
    }
  });
  return distances;
}

TermDistances TermDistances::OfNetwork(const SemanticNetwork& network,
                                       std::span<const std::string> terms, uint32_t epsilon,
                                       Parallel& parallel) {
  return Of(Paths::OfNetwork(network, terms), epsilon, parallel);
}

TermDistances TermDistances::OfTaxonomy(const Taxonomy& taxonomy, std::span<const Node> leaves,
                                        uint32_t epsilon, Parallel& parallel) {
  return Of(Paths::OfTaxonomy(taxonomy, leaves), epsilon, parallel);
}

TermDistances TermDistances::FromLists(std::vector<std::vector<Near>> lists) {
  TermDistances distances(lists.size());
  distances.blocks_.resize(1);
  std::vector<Near> all;
  std::vector<uint32_t> near_counts;
  for (std::vector<Near>& list : lists) {
    std::sort(list.begin(), list.end(), [](const Near& a, const Near& b) {
      return a.steps != b.steps ? a.steps < b.steps : a.term < b.term;
    });
    all.insert(all.end(), list.begin(), list.end());
    near_counts.push_back(static_cast<uint32_t>(list.size()));
  }
  distances.FillRows(0, all, near_counts, distances.blocks_.front());
  return distances;
}

uint64_t TermDistances::Estimate(const Paths& paths, uint32_t epsilon) {
  const size_t terms = paths.place_of.size();
  if (terms == 0) return 0;
  Walk walk(paths, epsilon);
  std::vector<Near> list;
  uint64_t bytes = 0;
  const size_t sample = std::min(terms, kSample);
  for (size_t i = 0; i < sample; ++i) {
    StopPoint();
    list.clear();
    walk.From(static_cast<uint32_t>(i * terms / sample), list);
    bytes += RowBytes(list.size(), terms);
  }
  return static_cast<uint64_t>(static_cast<double>(bytes) / static_cast<double>(sample) *
                               static_cast<double>(terms));
}

uint64_t TermDistances::EstimateBytes(const SemanticNetwork& network,
                                      std::span<const std::string> terms, uint32_t epsilon) {
  return Estimate(Paths::OfNetwork(network, terms), epsilon);
}

uint64_t TermDistances::EstimateBytes(const Taxonomy& taxonomy, std::span<const Node> leaves,
                                      uint32_t epsilon) {
  return Estimate(Paths::OfTaxonomy(taxonomy, leaves), epsilon);
}

// Each number of steps is a range of the list that is sorted by term.
std::optional<uint32_t> TermDistances::Search(uint32_t a, uint32_t b) const {
  const std::span<const Near> near = NearTo(a);
  for (auto from = near.begin(); from != near.end();) {
    const auto to =
        std::upper_bound(from, near.end(), from->steps,
                         [](uint32_t steps, const Near& other) { return steps < other.steps; });
    const auto at = std::lower_bound(
        from, to, b, [](const Near& other, uint32_t term) { return other.term < term; });
    if (at != to && at->term == b) return at->steps;
    from = to;
  }
  return std::nullopt;
}

uint64_t TermDistances::bytes() const {
  uint64_t bytes = rows_.capacity() * sizeof(Row);
  for (const Block& block : blocks_) {
    bytes += block.near.capacity() * sizeof(Near) + block.slots.capacity() * sizeof(uint32_t) +
             block.bytes.capacity();
  }
  return bytes;
}

}  // namespace thicket
