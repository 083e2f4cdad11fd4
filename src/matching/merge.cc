#include "matching/merge.h"

#include <algorithm>
#include <limits>

#include "base/simd.h"
#include "base/stop.h"

namespace thicket {

namespace {

constexpr Units kNarrowLimit = Units{1} << 29;
// After so many rounds every pair is looked into.
constexpr int kLazyRounds = 8;

// row[j] -= loss[values[j]]
THICKET_SIMD void SubtractLosses(const int32_t* __restrict loss, const uint32_t* __restrict values,
                                 size_t count, int32_t* __restrict row) {
  for (size_t j = 0; j < count; ++j) row[j] -= loss[values[j]];
}

// row[j] += gain where the node is the vertex's.
THICKET_SIMD void AddWhereEqual(uint32_t node, int32_t gain, const uint32_t* __restrict nodes,
                                size_t count, int32_t* __restrict row) {
  for (size_t j = 0; j < count; ++j) row[j] += nodes[j] == node ? gain : 0;
}

// most[j] += min(below[j], most_below) where the row is not 0.
THICKET_SIMD void AddBelow(const int32_t* __restrict row, const int32_t* __restrict below,
                           int32_t most_below, size_t count, int32_t* __restrict most) {
  for (size_t j = 0; j < count; ++j) {
    most[j] += row[j] == 0 ? 0 : std::min(below[j], most_below);
  }
}

// row[j] = 0 where a bit of the vertex is full.
THICKET_SIMD void ClearFull(uint64_t full, const uint64_t* __restrict bits, size_t count,
                            int32_t* __restrict row) {
  for (size_t j = 0; j < count; ++j) row[j] = (bits[j] & full) != 0 ? 0 : row[j];
}

// The greatest of row[j] + min(below[j], most_below), over the j where the row is not 0.
THICKET_SIMD int32_t RowMost(const int32_t* __restrict row, const int32_t* __restrict below,
                             int32_t most_below, size_t count) {
  int32_t most = 0;
  for (size_t j = 0; j < count; ++j) {
    const int32_t reach = row[j] == 0 ? 0 : row[j] + std::min(below[j], most_below);
    most = std::max(most, reach);
  }
  return most;
}

// row[j] -= the loss of the node at which the label meets the j-th value: that of the root, less what each node below it that is
// above both saves. `ancestors` by level below the root, then vertex.
void AddAncestorGains(const Domain& domain, Label label, const uint32_t* ancestors, size_t count,
                      int32_t* row) {
  const Taxonomy& taxonomy = domain.taxonomy();
  const auto loss = [&](Node node) { return static_cast<int32_t>(domain.Loss({node, node})); };
  const int32_t most = loss(Taxonomy::kRoot);
  for (size_t j = 0; j < count; ++j) row[j] -= most;
  for (Node node = label.low; node != Taxonomy::kRoot; node = taxonomy.parent(node)) {
    AddWhereEqual(node, loss(taxonomy.parent(node)) - loss(node),
                  ancestors + (taxonomy.depth(node) - 1) * count, count, row);
  }
}

}  // namespace

CostLine CostLine::Of(MergeCost cost, const Representative& group, Units record_weight) {
  if (cost == MergeCost::kFaithful) return {group.weight() + record_weight, 2};
  return {group.member_weight() + record_weight, static_cast<Units>(group.member_count()) + 1};
}

Merger::Merger(const TreeModel& model, MergeOptions options) : model_(&model), options_(options) {
  const std::vector<VertexClass>& classes = model.schema().classes;
  has_ordered_ =
      std::any_of(classes.begin(), classes.end(), [](const VertexClass& of) { return of.ordered; });
}

Merger::Level& Merger::LevelAt(size_t depth) {
  while (levels_.size() <= depth) levels_.emplace_back();
  return levels_[depth];
}

Units Merger::VertexSimilarity(uint32_t position, Vertex vertex) const {
  const ClassId id = group_->class_of(position);
  const auto& domains = model_->data().classes[id].domains;
  const int32_t* const* rows = group_->loss_rows(position);
  const uint32_t* values = model_->data().values(vertex);
  Units similarity = model_->vertex_weight(id);
  for (size_t slot = 0; slot < domains.size(); ++slot) {
    similarity -= rows[slot] != nullptr
                      ? rows[slot][values[slot]]
                      : domains[slot].MergeLoss(group_->labels(position)[slot], values[slot]);
  }
  return similarity;
}

bool Merger::MayMeet(uint32_t position, Vertex vertex) const {
  if (!group_->MayJoin(*model_, position, vertex)) return false;
  if (!strict_) return true;
  bool free = true;
  model_->anywhere().ForEach(vertex, [&](uint32_t number) {
    free = free && !std::binary_search(full_.begin(), full_.end(), number);
  });
  return free;
}

Units Merger::LeafSimilarity(uint32_t position, Vertex vertex) const {
  if (!MayMeet(position, vertex)) return 0;
  return VertexSimilarity(position, vertex);
}

Units Merger::SubtreeSimilarity(uint32_t position, Vertex vertex, size_t depth) {
  if (!MayMeet(position, vertex)) return 0;
  return VertexSimilarity(position, vertex) + ChildrenSimilarity(position, vertex, depth, 0);
}

template <typename Visit>
void Merger::ForEachClass(uint32_t position, Vertex vertex, size_t depth, const Visit& visit) {
  if (group_->subtree_size(position) == 1 || model_->forest().is_leaf(vertex)) return;
  StopPoint();
  Level& level = LevelAt(depth);
  level.positions.clear();
  level.vertices.clear();
  for (const uint32_t child : group_->Children(position)) level.positions.push_back(child);
  for (const Vertex child : model_->forest().Children(vertex)) level.vertices.push_back(child);
  // Siblings are grouped by class on both sides, in the same order of classes.
  size_t i = 0;
  size_t j = 0;
  while (i < level.positions.size() && j < level.vertices.size()) {
    const ClassId a = group_->class_of(level.positions[i]);
    const ClassId b = model_->forest().class_of(level.vertices[j]);
    if (a < b) {
      ++i;
      continue;
    }
    if (b < a) {
      ++j;
      continue;
    }
    size_t i_end = i + 1;
    size_t j_end = j + 1;
    while (i_end < level.positions.size() && group_->class_of(level.positions[i_end]) == a) ++i_end;
    while (j_end < level.vertices.size() && model_->forest().class_of(level.vertices[j_end]) == a) {
      ++j_end;
    }
    visit(SiblingSets{&level.positions[i], i_end - i, &level.vertices[j], j_end - j, a});
    i = i_end;
    j = j_end;
  }
}

namespace {

// The pairing of one with one to many, or of two with two; leaf(i, j) is the similarity of the i-th and the j-th. Leaves
// weigh the same, so what is most similar costs least; greedily, the first position chooses.
template <typename Leaf>
Units BestOfFew(uint32_t positions, uint32_t vertices, bool greedy, const Leaf& leaf) {
  if (positions == 2 && vertices == 2) {
    if (greedy) {
      const Units first = leaf(1, 1);
      const Units second = leaf(1, 2);
      return second > first ? second + leaf(2, 1) : first + leaf(2, 2);
    }
    return std::max(leaf(1, 1) + leaf(2, 2), leaf(1, 2) + leaf(2, 1));
  }
  Units best = 0;
  for (uint32_t i = 1; i <= positions; ++i) {
    for (uint32_t j = 1; j <= vertices; ++j) best = std::max(best, leaf(i, j));
  }
  return best;
}

}  // namespace

// The children of both are leaves of one class, and few: no lists, no matrix. They are most of what there is to match
// in trees whose lowest vertices have one or two children.
Units Merger::FewLeavesSimilarity(uint32_t position, Vertex vertex) const {
  const uint32_t positions = group_->subtree_size(position) - 1;
  const uint32_t vertices = model_->forest().subtree_size(vertex) - 1;
  const ClassId id = group_->class_of(position + 1);
  const bool greedy = options_.mapping != Mapping::kLsap;
  if (model_->is_one_label(id)) {
    const Units weight = model_->vertex_weight(id);
    const int32_t* const* rows = group_->loss_rows(position + 1);
    const uint32_t* values = model_->data().values(vertex + 1);
    const size_t stride = model_->schema().classes[id].value_count();
    return BestOfFew(positions, vertices, greedy, [&](uint32_t i, uint32_t j) {
      return weight - rows[i - 1][values[(j - 1) * stride]];
    });
  }
  return BestOfFew(positions, vertices, greedy, [&](uint32_t i, uint32_t j) {
    return LeafSimilarity(position + i, vertex + j);
  });
}

Units Merger::ChildrenSimilarity(uint32_t position, Vertex vertex, size_t depth, Units need) {
  if (options_.mapping != Mapping::kLabels && options_.mapping != Mapping::kEqual && need <= 0 &&
      !has_ordered_ && model_->has_only_leaves(group_->class_of(position))) {
    const uint32_t positions = group_->subtree_size(position) - 1;
    const uint32_t vertices = model_->forest().subtree_size(vertex) - 1;
    if (positions == 0 || vertices == 0) return 0;
    if (positions == 1 || vertices == 1 || (positions == 2 && vertices == 2)) {
      return FewLeavesSimilarity(position, vertex);
    }
  }
  Units total = 0;
  if (need <= 0) {
    ForEachClass(position, vertex, depth,
                 [&](const SiblingSets& group) { total += GroupSimilarity(group, depth, 0); });
    return total;
  }
  // What each class can add at the most: the smaller of what both sides weigh there.
  Units rest = 0;
  const auto most_of = [&](const SiblingSets& group) {
    Units of_positions = 0;
    Units of_vertices = 0;
    for (size_t i = 0; i < group.position_count; ++i) {
      of_positions += group_->subtree_weight(group.positions[i]);
    }
    for (size_t j = 0; j < group.vertex_count; ++j) {
      of_vertices += model_->subtree_weight(group.vertices[j]);
    }
    return std::min(of_positions, of_vertices);
  };
  ForEachClass(position, vertex, depth, [&](const SiblingSets& group) { rest += most_of(group); });
  ForEachClass(position, vertex, depth, [&](const SiblingSets& group) {
    if (total < 0) return;
    rest -= most_of(group);
    const Units gained = GroupSimilarity(group, depth, need - total - rest);
    total = gained < 0 ? -1 : total + gained;
  });
  return total < need ? -1 : total;
}

Units Merger::OrderedSimilarity(const SiblingSets& group, size_t depth) {
  Units total = 0;
  for (size_t i = 0; i < std::min(group.position_count, group.vertex_count); ++i) {
    const Units similarity = SubtreeSimilarity(group.positions[i], group.vertices[i], depth + 1);
    // 0 only of vertices that may not stand together.
    if (similarity == 0) break;
    total += similarity;
  }
  return total;
}

void Merger::AssignInOrder(const SiblingSets& group, size_t depth) {
  std::vector<int32_t>& partner = LevelAt(depth).partner;
  for (size_t i = 0; i < std::min(group.position_count, group.vertex_count); ++i) {
    if (!MayMeet(group.positions[i], group.vertices[i])) break;
    partner[i] = static_cast<int32_t>(i);
  }
}

Units Merger::GroupSimilarity(const SiblingSets& group, size_t depth, Units need) {
  if (IsOrdered(group.id)) return OrderedSimilarity(group, depth);
  if (IsTooWide(group)) return WideSimilarity(group, depth, need);
  if (options_.mapping == Mapping::kGreedy) return GreedySimilarity(group, depth);
  if (options_.mapping == Mapping::kGreedyLabels || options_.mapping == Mapping::kEqual) {
    return ChosenSimilarity(group, depth);
  }
  const bool small = group.position_count == 1 || group.vertex_count == 1 ||
                     (group.position_count == 2 && group.vertex_count == 2);
  if (small && options_.mapping == Mapping::kLsap) return SmallSimilarity(group, depth);
  if (IsWide(group)) return WideSimilarity(group, depth, need);
  return FitsNarrow(group) ? AssignedSimilarity<int32_t>(group, depth, need)
                           : AssignedSimilarity<int64_t>(group, depth, need);
}

// The smallest problems need no matrix; they are most of the problems when leaves have few children.
Units Merger::SmallSimilarity(const SiblingSets& group, size_t depth) {
  if (group.position_count == 2 && group.vertex_count == 2) {
    const auto s = [&](size_t i, size_t j) {
      return SubtreeSimilarity(group.positions[i], group.vertices[j], depth + 1);
    };
    return std::max(s(0, 0) + s(1, 1), s(0, 1) + s(1, 0));
  }
  Units best = 0;
  for (size_t i = 0; i < group.position_count; ++i) {
    for (size_t j = 0; j < group.vertex_count; ++j) {
      best = std::max(best, SubtreeSimilarity(group.positions[i], group.vertices[j], depth + 1));
    }
  }
  return best;
}

bool Merger::FitsNarrow(const SiblingSets& group) const {
  Units most = 0;
  for (size_t j = 0; j < group.vertex_count; ++j) {
    most = std::max(most, model_->subtree_weight(group.vertices[j]));
  }
  return most < kNarrowLimit;
}

template <typename Gain>
Units Merger::AssignedSimilarity(const SiblingSets& group, size_t depth, Units need) {
  Level& level = LevelAt(depth);
  const bool labels_only = options_.mapping == Mapping::kLabels;
  const bool transposed = group.position_count > group.vertex_count;
  const size_t rows = std::min(group.position_count, group.vertex_count);
  const size_t columns = std::max(group.position_count, group.vertex_count);
  if (labels_only) need = 0;
  if (sizeof(Gain) == sizeof(int32_t) && !labels_only &&
      !model_->schema().classes[group.id].children.empty() && !model_->has_only_leaves(group.id)) {
    return LazySimilarity(group, depth, need);
  }
  if (!FillMatrix<Gain>(group, depth, transposed, labels_only, need)) return -1;
  const Units best =
      Solver<Gain>(level).Solve(Matrix<Gain>(level).data(), rows, columns, columns, need);
  if (!labels_only) return best;
  Units total = 0;
  for (size_t r = 0; r < rows; ++r) {
    const auto c = static_cast<size_t>(Solver<Gain>(level).column_of_row()[r]);
    total += SubtreeSimilarity(group.positions[transposed ? c : r],
                               group.vertices[transposed ? r : c], depth + 1);
  }
  return total;
}

// What the children of a vertex weigh, by class; `add(place of the class, weight)`.
template <typename Tree, typename Weight, typename Add>
void AddChildWeights(const Tree& tree, uint32_t vertex, const std::vector<ClassId>& classes,
                     const Weight& weight, const Add& add) {
  size_t at = 0;
  // Siblings stand in the order of their classes.
  for (const uint32_t child : tree.Children(vertex)) {
    while (classes[at] != tree.class_of(child)) ++at;
    add(at, static_cast<int32_t>(std::min(weight(child), kNarrowLimit)));
  }
}

// Fills the matrix with the most that each pair can have in common, and level.open with those that may have less.
bool Merger::FillMost(const SiblingSets& group, size_t depth, bool transposed, Units need) {
  Level& level = LevelAt(depth);
  LoadVertices(group, level);
  const Forest& forest = model_->forest();
  const std::vector<ClassId>& classes = model_->schema().classes[group.id].children;
  const size_t count = group.vertex_count;
  const size_t columns = transposed ? group.position_count : count;
  level.class_below.assign(classes.size() * count, 0);
  for (size_t j = 0; j < count; ++j) {
    AddChildWeights(
        forest, group.vertices[j], classes,
        [&](Vertex child) { return model_->subtree_weight(child); },
        [&](size_t at, int32_t weight) { level.class_below[at * count + j] += weight; });
  }
  level.narrow.resize(group.position_count * count);
  level.open.assign(level.narrow.size(), 0);
  level.column_most.assign(count, 0);
  std::vector<int32_t>& below_position = level.position_below;
  Units most = 0;
  for (size_t i = 0; i < group.position_count; ++i) {
    StopPoint();
    FillRow(group, group.positions[i], level);
    below_position.assign(classes.size(), 0);
    AddChildWeights(
        *group_, group.positions[i], classes,
        [&](uint32_t child) { return group_->subtree_weight(child); },
        [&](size_t at, int32_t weight) { below_position[at] += weight; });
    level.most.assign(level.row.begin(), level.row.end());
    for (size_t at = 0; at < classes.size(); ++at) {
      if (below_position[at] == 0) continue;
      AddBelow(level.row.data(), &level.class_below[at * count], below_position[at], count,
               level.most.data());
    }
    int32_t row_most = 0;
    for (size_t j = 0; j < count; ++j) {
      const size_t entry = transposed ? j * columns + i : i * columns + j;
      level.narrow[entry] = level.most[j];
      level.open[entry] = level.most[j] != level.row[j] ? 1 : 0;
      row_most = std::max(row_most, level.most[j]);
      level.column_most[j] = std::max(level.column_most[j], level.most[j]);
    }
    most += row_most;
  }
  if (most < need) return false;
  Units most_of_vertices = 0;
  for (size_t j = 0; j < count; ++j) most_of_vertices += level.column_most[j];
  return most_of_vertices >= need;
}

// For siblings with more below them than leaves of one class, which are compared sooner than a matching is solved again.
// The greatest total without a look at what is below every pair: pairs are matched by the most that they can have in common, and those that
// were chosen are looked into, until all that are chosen have been. The total is then the greatest one, since no pair has more than it
// was taken for; which pairs reach it is not asked here.
Units Merger::LazySimilarity(const SiblingSets& group, size_t depth, Units need) {
  Level& level = LevelAt(depth);
  const bool transposed = group.position_count > group.vertex_count;
  const size_t rows = std::min(group.position_count, group.vertex_count);
  const size_t columns = std::max(group.position_count, group.vertex_count);
  if (!FillMost(group, depth, transposed, need)) return -1;
  // True if the pair has less in common than it was taken for.
  const auto look_below = [&](size_t r, size_t c) {
    const size_t entry = r * columns + c;
    if (level.open[entry] == 0) return false;
    level.open[entry] = 0;
    const uint32_t position = group.positions[transposed ? c : r];
    const Vertex vertex = group.vertices[transposed ? r : c];
    const auto similarity = static_cast<int32_t>(
        VertexSimilarity(position, vertex) + ChildrenSimilarity(position, vertex, depth + 1, 0));
    const bool less = similarity < level.narrow[entry];
    level.narrow[entry] = similarity;
    return less;
  };
  for (int round = 0;; ++round) {
    StopPoint();
    // Where few pairs have less in common than they were taken for, most of the matching stays as it is.
    const Units best =
        round == 0
            ? level.narrow_solver.Solve(level.narrow.data(), rows, columns, columns, need)
            : level.narrow_solver.SolveAgain(level.narrow.data(), rows, columns, columns, need);
    if (best < 0) return -1;
    bool less = false;
    for (size_t r = 0; r < rows; ++r) {
      const auto c = static_cast<size_t>(level.narrow_solver.column_of_row()[r]);
      less = look_below(r, c) || less;
    }
    if (!less) return best;
    if (round + 1 < kLazyRounds) continue;
    for (size_t r = 0; r < rows; ++r) {
      for (size_t c = 0; c < columns; ++c) look_below(r, c);
    }
  }
}

void Merger::LoadVertices(const SiblingSets& group, Level& level) const {
  const size_t slots = model_->data().classes[group.id].domains.size();
  const size_t attributes = model_->sensitive_count(group.id);
  level.values.resize(slots * group.vertex_count);
  level.bits.resize(attributes * group.vertex_count);
  level.row.resize(group.vertex_count);
  level.below.resize(group.vertex_count);
  const auto& domains = model_->data().classes[group.id].domains;
  level.first_ancestor.assign(slots, 0);
  level.ancestors.clear();
  for (size_t slot = 0; slot < slots; ++slot) {
    level.first_ancestor[slot] = level.ancestors.size();
    for (size_t at = 1; at <= domains[slot].level_count(); ++at) {
      const uint32_t* ancestors = domains[slot].AncestorsAt(at);
      for (size_t j = 0; j < group.vertex_count; ++j) {
        level.ancestors.push_back(ancestors[model_->data().value(group.vertices[j], slot)]);
      }
    }
  }
  for (size_t j = 0; j < group.vertex_count; ++j) {
    const uint32_t* values = model_->data().values(group.vertices[j]);
    for (size_t slot = 0; slot < slots; ++slot)
      level.values[slot * group.vertex_count + j] = values[slot];
    const Units below = model_->subtree_weight(group.vertices[j]) - model_->vertex_weight(group.id);
    level.below[j] = static_cast<int32_t>(std::min(below, kNarrowLimit));
    const uint32_t* buckets = model_->buckets(group.id, group.vertices[j]);
    for (size_t a = 0; a < attributes; ++a) {
      level.bits[a * group.vertex_count + j] = BucketBit(buckets[a]);
    }
  }
}

void Merger::FillRow(const SiblingSets& group, uint32_t position, Level& level) const {
  const size_t count = group.vertex_count;
  const auto& domains = model_->data().classes[group.id].domains;
  const Label* labels = group_->labels(position);
  std::fill(level.row.begin(), level.row.end(),
            static_cast<int32_t>(model_->vertex_weight(group.id)));
  for (size_t slot = 0; slot < domains.size(); ++slot) {
    const uint32_t* values = &level.values[slot * count];
    if (const int32_t* loss = domains[slot].MergeLossRow(labels[slot])) {
      SubtractLosses(loss, values, count, level.row.data());
    } else if (domains[slot].level_count() > 0) {
      AddAncestorGains(domains[slot], labels[slot], &level.ancestors[level.first_ancestor[slot]],
                       count, level.row.data());
    } else {
      for (size_t j = 0; j < count; ++j) {
        level.row[j] -= static_cast<int32_t>(domains[slot].MergeLoss(labels[slot], values[j]));
      }
    }
  }
  for (size_t a = 0; a < model_->sensitive_count(group.id); ++a) {
    const uint64_t full = group_->full_bits(position, a);
    if (model_->bits_decide(group.id, a)) {
      ClearFull(full, &level.bits[a * count], count, level.row.data());
      continue;
    }
    for (size_t j = 0; j < count; ++j) {
      if ((level.bits[a * count + j] & full) != 0 &&
          !group_->HasRoom(*model_, position, a, model_->buckets(group.id, group.vertices[j])[a])) {
        level.row[j] = 0;
      }
    }
  }
  if (model_->has_once() || strict_) {
    for (size_t j = 0; j < count; ++j) {
      if (level.row[j] != 0 && !MayMeet(position, group.vertices[j])) level.row[j] = 0;
    }
  }
}

template <typename Gain>
bool Merger::FillMatrix(const SiblingSets& group, size_t depth, bool transposed, bool labels_only,
                        Units need) {
  Level& level = LevelAt(depth);
  LoadVertices(group, level);
  const Forest& forest = model_->forest();
  std::vector<Gain>& matrix = Matrix<Gain>(level);
  const size_t columns = transposed ? group.position_count : group.vertex_count;
  matrix.resize(group.position_count * group.vertex_count);
  const bool below = !labels_only && !model_->schema().classes[group.id].children.empty();
  const auto entry = [&](size_t i, size_t j) -> Gain& {
    return matrix[transposed ? j * columns + i : i * columns + j];
  };

  // First the vertices themselves, with all that could possibly match below them.
  Units most = 0;
  level.row_most.resize(group.position_count);
  for (size_t i = 0; i < group.position_count; ++i) {
    StopPoint();
    FillRow(group, group.positions[i], level);
    for (size_t j = 0; j < group.vertex_count; ++j) entry(i, j) = level.row[j];
    level.row_most[i] = group_->subtree_weight(group.positions[i]);
    if (sizeof(Gain) == sizeof(int32_t)) {
      const Units below_position =
          below ? group_->subtree_weight(group.positions[i]) - model_->vertex_weight(group.id) : 0;
      level.row_most[i] =
          RowMost(level.row.data(), level.below.data(),
                  static_cast<int32_t>(std::min(below_position, kNarrowLimit)), group.vertex_count);
    }
    most += group.count(i) * level.row_most[i];
  }
  if (most < need) return false;
  if (!below) return true;

  // Then what really matches below, as long as it can still be enough.
  for (size_t i = 0; i < group.position_count; ++i) {
    StopPoint();
    const uint32_t position = group.positions[i];
    if (group_->subtree_size(position) == 1) continue;
    Units best = 0;
    for (size_t j = 0; j < group.vertex_count; ++j) {
      Gain& similarity = entry(i, j);
      if (similarity != 0 && !forest.is_leaf(group.vertices[j])) {
        similarity +=
            static_cast<Gain>(ChildrenSimilarity(position, group.vertices[j], depth + 1, 0));
      }
      best = std::max<Units>(best, similarity);
    }
    most -= group.count(i) * (level.row_most[i] - best);
    if (most < need) return false;
  }
  return true;
}

// Also for wide siblings.
template bool Merger::FillMatrix<int32_t>(const SiblingSets&, size_t, bool, bool, Units);
template bool Merger::FillMatrix<int64_t>(const SiblingSets&, size_t, bool, bool, Units);

// Algorithm 2, class by class: the smaller side's children in order, each taking the free one that costs least, the
// first of equals. The similarity of a pair that may not stand together is 0, and it is taken all the same if it costs
// least: it uses up its vertex, as in the paper.
Units Merger::GreedySimilarity(const SiblingSets& group, size_t depth) {
  Assign(group, depth);
  Units total = 0;
  Level& level = LevelAt(depth);
  for (size_t i = 0; i < group.position_count; ++i) {
    const int32_t j = level.partner[i];
    if (j >= 0) total += level.wide[i * group.vertex_count + static_cast<size_t>(j)];
  }
  return total;
}

Units Merger::ChosenSimilarity(const SiblingSets& group, size_t depth) {
  Assign(group, depth);
  Units total = 0;
  // The next level has buffers of its own, so the partners stay as they are while it is compared.
  const std::vector<int32_t>& partner = LevelAt(depth).partner;
  for (size_t i = 0; i < group.position_count; ++i) {
    if (partner[i] < 0) continue;
    const Vertex other = group.vertices[static_cast<size_t>(partner[i])];
    total += SubtreeSimilarity(group.positions[i], other, depth + 1);
  }
  return total;
}

template <typename Gain>
void Merger::AssignBy(const SiblingSets& group, size_t depth) {
  Level& level = LevelAt(depth);
  const bool transposed = group.position_count > group.vertex_count;
  const size_t rows = std::min(group.position_count, group.vertex_count);
  const size_t columns = std::max(group.position_count, group.vertex_count);
  FillMatrix<Gain>(group, depth, transposed, options_.mapping == Mapping::kLabels, 0);
  Solver<Gain>(level).Solve(Matrix<Gain>(level).data(), rows, columns, columns, 0);
  for (size_t r = 0; r < rows; ++r) {
    const int32_t c = Solver<Gain>(level).column_of_row()[r];
    level.partner[transposed ? static_cast<size_t>(c) : r] =
        transposed ? static_cast<int32_t>(r) : c;
  }
}

void Merger::Assign(const SiblingSets& group, size_t depth) {
  LevelAt(depth).partner.assign(group.position_count, -1);
  if (IsOrdered(group.id)) return AssignInOrder(group, depth);
  switch (options_.mapping) {
    case Mapping::kGreedy:
    case Mapping::kGreedyLabels:
      if (IsTooWide(group)) return AssignWide(group, depth);
      return AssignGreedily(group, depth);
    case Mapping::kEqual:
      return AssignEqual(group, depth);
    case Mapping::kLsap:
    case Mapping::kLabels:
      if (IsWide(group)) return AssignWide(group, depth);
      return FitsNarrow(group) ? AssignBy<int32_t>(group, depth) : AssignBy<int64_t>(group, depth);
  }
}

bool Merger::LabelsAreEqual(uint32_t position, Vertex vertex) const {
  const auto& domains = model_->data().classes[group_->class_of(position)].domains;
  const Label* labels = group_->labels(position);
  const uint32_t* values = model_->data().values(vertex);
  for (size_t slot = 0; slot < domains.size(); ++slot) {
    if (labels[slot] != domains[slot].Leaf(values[slot])) return false;
  }
  return true;
}

void Merger::AssignEqual(const SiblingSets& group, size_t depth) {
  Level& level = LevelAt(depth);
  level.taken.assign(group.vertex_count, false);
  for (size_t i = 0; i < group.position_count; ++i) {
    StopPoint();
    for (size_t j = 0; j < group.vertex_count; ++j) {
      if (level.taken[j] || !LabelsAreEqual(group.positions[i], group.vertices[j]) ||
          !MayMeet(group.positions[i], group.vertices[j])) {
        continue;
      }
      level.taken[j] = true;
      level.partner[i] = static_cast<int32_t>(j);
      break;
    }
  }
}

void Merger::AssignGreedily(const SiblingSets& group, size_t depth) {
  Level& level = LevelAt(depth);
  const bool labels_only = options_.mapping == Mapping::kGreedyLabels;
  // What is below two vertices is matched only where it decides.
  FillMatrix<int64_t>(group, depth, false, true, 0);
  const bool below = !labels_only && !model_->schema().classes[group.id].children.empty();
  const Units members =
      options_.cost == MergeCost::kFaithful ? 1 : static_cast<Units>(group_->member_count());
  const bool by_position = group.position_count <= group.vertex_count;
  const size_t takers = std::min(group.position_count, group.vertex_count);
  const size_t offers = std::max(group.position_count, group.vertex_count);
  level.taken.assign(offers, false);
  level.offers.resize(offers);
  for (size_t taker = 0; taker < takers; ++taker) {
    StopPoint();
    size_t first = offers;
    for (size_t offer = 0; offer < offers; ++offer) {
      if (level.taken[offer]) continue;
      const size_t i = by_position ? taker : offer;
      const size_t j = by_position ? offer : taker;
      // The taker's own weight is the same for all offers; so is an offer's, without what is below it.
      const Units lost = labels_only   ? 0
                         : by_position ? model_->subtree_weight(group.vertices[j])
                                       : members * group_->subtree_weight(group.positions[i]);
      const Units own = level.wide[i * group.vertex_count + j];
      const Units most = below && own != 0 ? own + MostBelow(group, i, j) : own;
      level.offers[offer] = lost - (members + 1) * most;
      if (first == offers || level.offers[offer] < level.offers[first]) first = offer;
    }
    const size_t choice = below ? CheapestOffer(group, depth, taker, first, members + 1) : first;
    level.taken[choice] = true;
    level.partner[by_position ? taker : choice] =
        static_cast<int32_t>(by_position ? choice : taker);
  }
}

Units Merger::MostBelow(const SiblingSets& group, size_t i, size_t j) const {
  return std::min(group_->subtree_weight(group.positions[i]),
                  model_->subtree_weight(group.vertices[j])) -
         model_->vertex_weight(group.id);
}

// level.offers has the least that each may cost, `first` the least of these. The first of the equally cheap, as if all had been
// looked into.
size_t Merger::CheapestOffer(const SiblingSets& group, size_t depth, size_t taker, size_t first,
                             Units factor) {
  Level& level = LevelAt(depth);
  const bool by_position = group.position_count <= group.vertex_count;
  // Replaces the least cost by the real one.
  const auto look_below = [&](size_t offer) {
    const size_t i = by_position ? taker : offer;
    const size_t j = by_position ? offer : taker;
    int64_t& similarity = level.wide[i * group.vertex_count + j];
    if (similarity == 0) return;
    const Units below = ChildrenSimilarity(group.positions[i], group.vertices[j], depth + 1, 0);
    level.offers[offer] += factor * (MostBelow(group, i, j) - below);
    similarity += below;
  };
  look_below(first);
  size_t best = first;
  for (size_t offer = 0; offer < level.taken.size(); ++offer) {
    if (level.taken[offer] || offer == first) continue;
    const auto is_better = [&] {
      return level.offers[offer] < level.offers[best] ||
             (level.offers[offer] == level.offers[best] && offer < best);
    };
    if (!is_better()) continue;
    look_below(offer);
    if (is_better()) best = offer;
  }
  return best;
}

void Merger::PairChildren(uint32_t position, Vertex vertex, size_t depth,
                          std::vector<VertexPair>& pairs) {
  ForEachClass(position, vertex, depth, [&](const SiblingSets& group) {
    Assign(group, depth);
    // The next level has buffers of its own, so the partners stay as they are while it pairs.
    const std::vector<int32_t>& partner = LevelAt(depth).partner;
    for (size_t i = 0; i < group.position_count; ++i) {
      if (partner[i] < 0) continue;
      const Vertex other = group.vertices[static_cast<size_t>(partner[i])];
      if (!MayMeet(group.positions[i], other)) continue;
      pairs.push_back({group.positions[i], other});
      PairChildren(group.positions[i], other, depth + 1, pairs);
    }
  });
}

Units Merger::Similarity(const Representative& group, RecordId record, Units need) {
  StopPoint();
  group_ = &group;
  const Vertex root = model_->forest().root(record);
  record_kinds_ = model_->kinds(record);
  record_root_ = root;
  if (group.size() == 0 || !group.MayJoin(*model_, 0, root)) return need > 0 ? -1 : 0;
  // Only the best pairing is at least as good as those within limits; others cannot end the comparison early.
  const bool within_limits = model_->has_anywhere();
  if (!within_limits || options_.mapping == Mapping::kLsap) {
    const Units own = VertexSimilarity(0, root);
    const Units below = ChildrenSimilarity(0, root, 0, need - own);
    if (below < 0) return -1;
    if (!within_limits) return own + below;
  }
  const Units similarity = PairWithin(root, tried_);
  return similarity < need ? -1 : similarity;
}

void Merger::PairRoots(Vertex root, std::vector<VertexPair>& pairs) {
  pairs.clear();
  pairs.push_back({0, root});
  PairChildren(0, root, 0, pairs);
}

Units Merger::PairWithin(Vertex root, std::vector<VertexPair>& pairs) {
  bool given_up = false;
  PairRoots(root, pairs);
  const Units similarity = GiveUp(pairs, given_up);
  if (!given_up) return similarity;
  FindFull();
  strict_ = true;
  PairRoots(root, strict_pairs_);
  strict_ = false;
  const Units strictly = GiveUp(strict_pairs_, given_up);
  if (strictly <= similarity) return similarity;
  pairs.swap(strict_pairs_);
  return strictly;
}

void Merger::FindFull() {
  const AnywhereValues& values = model_->anywhere();
  holders_.clear();
  for (uint32_t position = 0; position < group_->size(); ++position) {
    for (size_t member = 0; member < group_->member_count(); ++member) {
      values.ForEach(group_->vertex(position, member),
                     [&](uint32_t number) { holders_.emplace_back(number, member); });
    }
  }
  std::sort(holders_.begin(), holders_.end());
  holders_.erase(std::unique(holders_.begin(), holders_.end()), holders_.end());
  full_.clear();
  for (size_t begin = 0; begin < holders_.size();) {
    size_t end = begin + 1;
    while (end < holders_.size() && holders_[end].first == holders_[begin].first) ++end;
    const uint32_t number = holders_[begin].first;
    const auto most =
        static_cast<size_t>(values.Limit(number, model_->rule(), group_->class_size()));
    if (end - begin >= most) full_.push_back(number);
    begin = end;
  }
}

Units Merger::GiveUp(std::vector<VertexPair>& pairs, bool& given_up) {
  const size_t members = group_->member_count() + 1;
  tried_vertices_.clear();
  tried_worth_.clear();
  tried_sizes_.assign(pairs.size(), 1);
  Units total = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const uint32_t position = pairs[i].position;
    for (size_t member = 0; member + 1 < members; ++member) {
      tried_vertices_.push_back(group_->vertex(position, member));
    }
    tried_vertices_.push_back(pairs[i].vertex);
    tried_worth_.push_back(VertexSimilarity(position, pairs[i].vertex));
    total += tried_worth_.back();
    const uint32_t end = position + group_->subtree_size(position);
    size_t next = i + 1;
    while (next < pairs.size() && pairs[next].position < end) ++next;
    tried_sizes_[i] = static_cast<uint32_t>(next - i);
  }
  const AnywherePruner::Tree tree{members, tried_vertices_, tried_sizes_, tried_worth_};
  given_up = !pruner_.Prune(model_->anywhere(), model_->rule(), group_->class_size(), tree);
  if (!given_up) return total;
  size_t left = 0;
  total = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!pruner_.kept()[i]) continue;
    total += tried_worth_[i];
    pairs[left++] = pairs[i];
  }
  pairs.resize(left);
  return total;
}

void Merger::Pair(const Representative& group, RecordId record, std::vector<VertexPair>& pairs) {
  group_ = &group;
  pairs.clear();
  const Vertex root = model_->forest().root(record);
  record_kinds_ = model_->kinds(record);
  record_root_ = root;
  if (group.size() == 0 || !group.MayJoin(*model_, 0, root)) return;
  if (model_->has_anywhere()) {
    PairWithin(root, pairs);
  } else {
    PairRoots(root, pairs);
  }
}

}  // namespace thicket
