// How a Merger matches wide siblings: by kinds (sibling_kinds.h) instead of one by one.
//
// Siblings of one kind have the same similarity with everything, so an assignment problem of thousands of siblings of a few kinds is a
// transportation problem of a few rows and columns with the same total (transport.h).
//
// Where even the kinds are too many for a matrix, they are cut into blocks. The siblings of both sides are sorted by the ways
// from the roots of their taxonomies to their labels, one level of all attributes after the other, and matched from the longest common ways
// upwards: as many as possible at the lowest level, and what is left over with what is left over next to it.
//
// For leaves with one label and no secrets this is exactly the best matching. With f(n) for the similarity of two labels that meet at node n,
// d(n) = f(n) - f(parent of n) >= 0, and c(n) the number of pairs that meet at n or below, a matching is worth f(root) c(root) + the sum of
// d(n) c(n) over all other nodes n. Of the siblings below n there are so many on each side, and c(n) is at most the smaller number. Matching
// upwards reaches that number at every node at once. Elsewhere blocks lose something: each is matched as well as can be, but what
// would match better across blocks is not seen.
#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <limits>
#include <numeric>

#include "base/stop.h"
#include "matching/merge.h"

namespace thicket {

namespace {

// Of a block with more entries than this only a part is looked at in one go; less where each entry is itself a matching.
constexpr size_t kBlockEntries = size_t{1} << 14;
constexpr size_t kDeepBlockEntries = size_t{1} << 11;
constexpr int kMostRounds = 32;
constexpr size_t kMostStalls = 8;

// The way from the root of the domain to the label, without the root.
void AppendWay(const Domain& domain, Label label, std::vector<uint32_t>& way) {
  if (!domain.is_numeric()) {
    const size_t begin = way.size();
    for (uint32_t node = label.low; node != Taxonomy::kRoot;
         node = domain.taxonomy().parent(node)) {
      way.push_back(node);
    }
    std::reverse(way.begin() + static_cast<std::ptrdiff_t>(begin), way.end());
    return;
  }
  const auto numbers = static_cast<uint32_t>(domain.numbers().size());
  if (label.high >= numbers) {
    // No number: meets others only where everything does.
    if (label.low == label.high) way.push_back(label.low);
    return;
  }
  for (int shift = std::bit_width(numbers); shift-- > 0;) {
    if (label.low >> shift != label.high >> shift) return;
    way.push_back(label.low >> shift);
  }
}

}  // namespace

bool Merger::IsWide(const SiblingSets& group) const {
  return record_kinds_ != nullptr && group_->kinds() != nullptr &&
         std::min(group.position_count, group.vertex_count) >= kWideSiblings &&
         group.position_count * group.vertex_count >= options_.wide.entries;
}

bool Merger::IsTooWide(const SiblingSets& group) const {
  return (options_.mapping == Mapping::kGreedy || options_.mapping == Mapping::kGreedyLabels) &&
         group.position_count * group.vertex_count > options_.wide.most_entries && IsWide(group);
}

// Whether the record's vertex may stand with any position at all, as far as its own values decide.
bool Merger::IsFree(Vertex vertex) const {
  bool free = !model_->IsBlocked(vertex);
  if (model_->has_once()) {
    model_->ForEachOnce(vertex,
                        [&](uint32_t number) { free = free && !group_->ShowsOnce(number); });
  }
  if (strict_) {
    model_->anywhere().ForEach(vertex, [&](uint32_t number) {
      free = free && !std::binary_search(full_.begin(), full_.end(), number);
    });
  }
  return free;
}

void Merger::Kinds::Fill(std::vector<std::pair<uint64_t, uint32_t>>& keyed) {
  std::sort(keyed.begin(), keyed.end());
  members.clear();
  first.clear();
  left.clear();
  for (size_t i = 0; i < keyed.size(); ++i) {
    if (i == 0 || keyed[i].first != keyed[i - 1].first) {
      first.push_back(static_cast<uint32_t>(i));
      left.push_back(0);
    }
    ++left.back();
    members.push_back(keyed[i].second);
  }
  first.push_back(static_cast<uint32_t>(keyed.size()));
}

void Merger::FindKinds(const SiblingSets& group, WideLevel& wide) const {
  wide.keyed.clear();
  for (uint32_t i = 0; i < group.position_count; ++i) {
    wide.keyed.emplace_back(group_->kinds()[group.positions[i]].kind, i);
  }
  wide.positions.Fill(wide.keyed);
  wide.keyed.clear();
  const bool values_decide = model_->has_once() || strict_;
  for (uint32_t j = 0; j < group.vertex_count; ++j) {
    const Vertex vertex = group.vertices[j];
    uint64_t kind = record_kinds_[vertex - record_root_].kind;
    if (values_decide) {
      if (!IsFree(vertex)) continue;
      // Kinds know nothing of these values: what has any below it is a kind of its own.
      bool free = true;
      for (uint32_t i = 1; i < model_->forest().subtree_size(vertex); ++i) {
        free = free && IsFree(vertex + i);
      }
      if (!free) kind = MixWord(kind, vertex);
    }
    wide.keyed.emplace_back(kind, j);
  }
  wide.vertices.Fill(wide.keyed);
}

template <typename Gain>
Units Merger::MatchBlock(const SiblingSets& group, size_t depth,
                         std::span<const uint32_t> positions, std::span<const uint32_t> vertices,
                         Units need) {
  Level& level = LevelAt(depth);
  WideLevel& wide = level.wide_siblings;
  wide.block_positions.clear();
  wide.block_vertices.clear();
  wide.block_items.clear();
  wide.block_places.clear();
  uint64_t items = 0;
  uint64_t places = 0;
  for (const uint32_t kind : positions) {
    wide.block_positions.push_back(group.positions[wide.positions.Example(kind)]);
    wide.block_items.push_back(wide.positions.left[kind]);
    items += wide.block_items.back();
  }
  for (const uint32_t kind : vertices) {
    wide.block_vertices.push_back(group.vertices[wide.vertices.Example(kind)]);
    wide.block_places.push_back(wide.vertices.left[kind]);
    places += wide.block_places.back();
  }
  const SiblingSets block{wide.block_positions.data(),
                          positions.size(),
                          wide.block_vertices.data(),
                          vertices.size(),
                          group.id,
                          wide.block_items.data()};
  const bool transposed = items > places;
  if (!FillMatrix<Gain>(block, depth, transposed, ByLabels(), need)) {
    return -1;
  }
  auto& solver = Transport<Gain>(wide);
  const std::vector<Gain>& matrix = Matrix<Gain>(level);
  const auto& rows = transposed ? wide.block_places : wide.block_items;
  const auto& columns = transposed ? wide.block_items : wide.block_places;
  const Units total = solver.Solve(matrix.data(), {rows, columns}, need);
  if (total < 0) return total;
  for (const auto& flow : solver.flows()) {
    const Gain gain = matrix[flow.row * columns.size() + flow.column];
    if (gain == 0) continue;
    const uint32_t position = positions[transposed ? flow.column : flow.row];
    const uint32_t vertex = vertices[transposed ? flow.row : flow.column];
    Join(wide, {position, vertex, flow.count, gain});
  }
  return total;
}

void Merger::Join(WideLevel& wide, const KindFlow& flow) {
  wide.positions.left[flow.position] -= flow.count;
  wide.vertices.left[flow.vertex] -= flow.count;
  wide.flows.push_back(flow);
}

// Any pair is as good as any other: as many as there are.
void Merger::MatchAny(const SiblingSets& group, WideLevel& wide,
                      std::span<const uint32_t> positions, std::span<const uint32_t> vertices) {
  size_t i = 0;
  size_t j = 0;
  while (i < positions.size() && j < vertices.size()) {
    const uint32_t items = wide.positions.left[positions[i]];
    const uint32_t places = wide.vertices.left[vertices[j]];
    const uint32_t count = std::min(items, places);
    if (count > 0) {
      const Units similarity =
          VertexSimilarity(group.positions[wide.positions.Example(positions[i])],
                           group.vertices[wide.vertices.Example(vertices[j])]);
      Join(wide, {positions[i], vertices[j], count, similarity});
    }
    i += items == count ? 1 : 0;
    j += places == count ? 1 : 0;
  }
}

template <typename Gain>
void Merger::MatchInRounds(const SiblingSets& group, size_t depth, std::vector<uint32_t> positions,
                           std::vector<uint32_t> vertices) {
  WideLevel& wide = LevelAt(depth).wide_siblings;
  if (wide.along_taxonomy) return MatchAny(group, wide, positions, vertices);
  size_t stalled = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    StopPoint();
    std::erase_if(positions, [&](uint32_t kind) { return wide.positions.left[kind] == 0; });
    std::erase_if(vertices, [&](uint32_t kind) { return wide.vertices.left[kind] == 0; });
    if (positions.empty() || vertices.empty()) return;
    const double entries =
        static_cast<double>(positions.size()) * static_cast<double>(vertices.size());
    const auto parts = std::clamp<size_t>(
        static_cast<size_t>(std::ceil(std::sqrt(entries / static_cast<double>(wide.most_entries)))),
        1, std::min(positions.size(), vertices.size()));
    Units gained = 0;
    for (size_t part = 0; part < parts; ++part) {
      const auto slice = [&](const std::vector<uint32_t>& of) {
        const size_t begin = part * of.size() / parts;
        return std::span(of).subspan(begin, (part + 1) * of.size() / parts - begin);
      };
      gained += MatchBlock<Gain>(group, depth, slice(positions), slice(vertices), 0);
    }
    stalled = gained == 0 ? stalled + 1 : 0;
    if (parts == 1 || stalled == std::min<size_t>(parts, kMostStalls)) return;
    // Others stand opposite each other in the next round.
    const size_t step = (vertices.size() / parts + 1) % vertices.size();
    std::rotate(vertices.begin(), vertices.begin() + static_cast<std::ptrdiff_t>(step),
                vertices.end());
  }
}

// Sorts the kinds of both sides by the ways to their labels.
void Merger::SortByWays(const SiblingSets& group, WideLevel& wide) const {
  const auto& domains = model_->data().classes[group.id].domains;
  const bool below = !wide.along_taxonomy && !model_->schema().classes[group.id].children.empty();
  wide.words.clear();
  wide.items.clear();
  std::vector<std::vector<uint32_t>> ways(domains.size());
  const auto add = [&](bool is_vertex, uint32_t kind, uint64_t look, const auto& label_at) {
    size_t levels = 0;
    for (size_t slot = 0; slot < domains.size(); ++slot) {
      ways[slot].clear();
      AppendWay(domains[slot], label_at(slot), ways[slot]);
      levels = std::max(levels, ways[slot].size());
    }
    const auto first = static_cast<uint32_t>(wide.words.size());
    for (size_t at = 0; at < levels; ++at) {
      for (const auto& way : ways) wide.words.push_back(at < way.size() ? way[at] + 1 : 0);
    }
    if (below) {
      wide.words.push_back(static_cast<uint32_t>(look >> 32));
      wide.words.push_back(static_cast<uint32_t>(look));
    }
    wide.items.push_back(
        {is_vertex, kind, first, static_cast<uint32_t>(wide.words.size()) - first});
  };
  for (uint32_t kind = 0; kind < wide.positions.size(); ++kind) {
    const uint32_t position = group.positions[wide.positions.Example(kind)];
    add(false, kind, group_->kinds()[position].look,
        [&](size_t slot) { return group_->labels(position)[slot]; });
  }
  for (uint32_t kind = 0; kind < wide.vertices.size(); ++kind) {
    const Vertex vertex = group.vertices[wide.vertices.Example(kind)];
    add(true, kind, record_kinds_[vertex - record_root_].look,
        [&](size_t slot) { return domains[slot].Leaf(model_->data().value(vertex, slot)); });
  }
  std::sort(wide.items.begin(), wide.items.end(), [&](const WideItem& a, const WideItem& b) {
    const auto way = [&](const WideItem& of) {
      return std::span(wide.words).subspan(of.first_word, of.word_count);
    };
    const auto x = way(a);
    const auto y = way(b);
    const auto order =
        std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
    if (std::is_neq(order)) return std::is_lt(order);
    return a.is_vertex != b.is_vertex ? b.is_vertex : a.kind < b.kind;
  });
}

// Matches the items [begin, end), whose ways are the same up to `word`. What is left over goes to `positions` and `vertices`.
template <typename Gain>
void Merger::MatchUpwards(const SiblingSets& group, size_t depth, size_t begin, size_t end,
                          size_t word, std::vector<uint32_t>& positions,
                          std::vector<uint32_t>& vertices) {
  StopPoint();
  WideLevel& wide = LevelAt(depth).wide_siblings;
  const auto word_of = [&](size_t item, size_t at) {
    const WideItem& of = wide.items[item];
    return at < of.word_count ? wide.words[of.first_word + at] : 0;
  };
  std::vector<uint32_t> own_positions;
  std::vector<uint32_t> own_vertices;
  const auto take_all = [&] {
    for (size_t item = begin; item < end; ++item) {
      (wide.items[item].is_vertex ? own_vertices : own_positions).push_back(wide.items[item].kind);
    }
  };
  const auto hand_up = [&] {
    for (const uint32_t kind : own_positions) {
      if (wide.positions.left[kind] > 0) positions.push_back(kind);
    }
    for (const uint32_t kind : own_vertices) {
      if (wide.vertices.left[kind] > 0) vertices.push_back(kind);
    }
  };
  const auto count =
      static_cast<size_t>(std::count_if(wide.items.begin() + static_cast<std::ptrdiff_t>(begin),
                                        wide.items.begin() + static_cast<std::ptrdiff_t>(end),
                                        [](const WideItem& item) { return item.is_vertex; }));
  if (count == 0 || count == end - begin) {
    take_all();
    return hand_up();
  }
  // In canonical order the first and the last differ as soon as any two do.
  const size_t most_words = std::max(wide.items[begin].word_count, wide.items[end - 1].word_count);
  while (word < most_words && word_of(begin, word) == word_of(end - 1, word)) ++word;
  const bool small = !wide.along_taxonomy && count * (end - begin - count) <= wide.most_entries;
  if (small || word >= most_words) {
    take_all();
  } else {
    for (size_t first = begin; first < end;) {
      size_t last = first + 1;
      while (last < end && word_of(last, word) == word_of(first, word)) ++last;
      MatchUpwards<Gain>(group, depth, first, last, word + 1, own_positions, own_vertices);
      first = last;
    }
  }
  MatchInRounds<Gain>(group, depth, own_positions, own_vertices);
  hand_up();
}

template <typename Gain>
bool Merger::MatchKinds(const SiblingSets& group, size_t depth, Units need) {
  WideLevel& wide = LevelAt(depth).wide_siblings;
  FindKinds(group, wide);
  wide.flows.clear();
  const bool labels_only = ByLabels();
  const auto& domains = model_->data().classes[group.id].domains;
  const bool leaves = labels_only || model_->schema().classes[group.id].children.empty();
  wide.along_taxonomy = leaves && model_->sensitive_count(group.id) == 0 &&
                        (domains.empty() || (domains.size() == 1 && !domains.front().is_numeric()));
  if (wide.vertices.size() == 0) return need <= 0;
  const size_t entries = wide.positions.size() * wide.vertices.size();
  if (!wide.along_taxonomy && entries <= options_.wide.most_entries) {
    wide.all_positions.resize(wide.positions.size());
    wide.all_vertices.resize(wide.vertices.size());
    std::iota(wide.all_positions.begin(), wide.all_positions.end(), 0U);
    std::iota(wide.all_vertices.begin(), wide.all_vertices.end(), 0U);
    return MatchBlock<Gain>(group, depth, wide.all_positions, wide.all_vertices,
                            labels_only ? 0 : need) >= 0;
  }
  wide.most_entries =
      std::min(options_.wide.most_entries, leaves ? kBlockEntries : kDeepBlockEntries);
  SortByWays(group, wide);
  std::vector<uint32_t> positions;
  std::vector<uint32_t> vertices;
  MatchUpwards<Gain>(group, depth, 0, wide.items.size(), 0, positions, vertices);
  return true;
}

Units Merger::WideSimilarity(const SiblingSets& group, size_t depth, Units need) {
  const bool reached = FitsNarrow(group) ? MatchKinds<int32_t>(group, depth, need)
                                         : MatchKinds<int64_t>(group, depth, need);
  if (!reached) return -1;
  const WideLevel& wide = LevelAt(depth).wide_siblings;
  Units total = 0;
  for (const KindFlow& flow : wide.flows) {
    const Units each =
        !ByLabels()
            ? flow.similarity
            : SubtreeSimilarity(group.positions[wide.positions.Example(flow.position)],
                                group.vertices[wide.vertices.Example(flow.vertex)], depth + 1);
    total += each * flow.count;
  }
  return total;
}

void Merger::AssignWide(const SiblingSets& group, size_t depth) {
  if (FitsNarrow(group)) {
    MatchKinds<int32_t>(group, depth, 0);
  } else {
    MatchKinds<int64_t>(group, depth, 0);
  }
  Level& level = LevelAt(depth);
  WideLevel& wide = level.wide_siblings;
  // From the end of each kind's members: `left` are those that stay without a partner.
  for (const KindFlow& flow : wide.flows) {
    uint32_t& i = wide.positions.left[flow.position];
    uint32_t& j = wide.vertices.left[flow.vertex];
    for (uint32_t n = 0; n < flow.count; ++n) {
      const uint32_t position = wide.positions.members[wide.positions.first[flow.position] + i++];
      const uint32_t vertex = wide.vertices.members[wide.vertices.first[flow.vertex] + j++];
      level.partner[position] = static_cast<int32_t>(vertex);
    }
  }
}

}  // namespace thicket
