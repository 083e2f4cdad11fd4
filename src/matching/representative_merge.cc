#include "matching/representative_merge.h"

#include <algorithm>

#include "base/stop.h"

namespace thicket {

namespace {

// Costs are always weighted here, since that is what is lost.
MergeOptions Weighted(MergeOptions options) {
  options.cost = MergeCost::kWeighted;
  return options;
}

// Beyond so many pairs of vertices a matrix of all siblings may not fit: a Merger knows how to do without.
constexpr size_t kMostPairs = size_t{1} << 24;

bool IsWide(const Representative& a, const Representative& b) {
  return a.size() * b.size() > kMostPairs;
}

}  // namespace

RepresentativeMerger::RepresentativeMerger(const TreeModel& model, MergeOptions options)
    : model_(&model), merger_(model, Weighted(options)) {}

RepresentativeMerger::Level& RepresentativeMerger::LevelAt(size_t depth) {
  while (levels_.size() <= depth) levels_.emplace_back();
  return levels_[depth];
}

const Representative& RepresentativeMerger::Sized(const Representative& a, int class_size) {
  const DiversityRule& rule = model_->rule();
  const bool same = a.class_size() == class_size ||
                    (!rule.HasLevels() && !model_->has_anywhere() &&
                     rule.MostRepeats(a.class_size()) == rule.MostRepeats(class_size));
  if (same) return a;
  resized_ = a;
  resized_.SetClassSize(*model_, class_size);
  return resized_;
}

bool RepresentativeMerger::JoinsOneByOne(const Representative& a, const Representative& b) const {
  return model_->has_anywhere() || IsWide(a, b);
}

Units RepresentativeMerger::OneByOne(const Representative& a, const Representative& b,
                                     int class_size, Representative* united) {
  Representative both = Sized(a, class_size);
  for (const RecordId record : b.records()) {
    merger_.Pair(both, record, vertex_pairs_);
    both = both.Absorb(*model_, record, vertex_pairs_, class_size);
    if (both.size() == 0) break;
  }
  const Units kept = both.size() == 0 ? 0 : both.kept();
  if (united != nullptr) *united = std::move(both);
  return kept;
}

Units RepresentativeMerger::Similarity(const Representative& a, const Representative& b,
                                       int class_size, Units need) {
  StopPoint();
  if (a.size() == 0 || b.size() == 0) return 0;
  if (b.member_count() == 1) return SimilarityWithRecord(a, b.records().front(), class_size, need);
  if (a.member_count() == 1) return SimilarityWithRecord(b, a.records().front(), class_size, need);
  a_ = &a;
  b_ = &b;
  class_size_ = class_size;
  if (IsOutOfReach(need)) return 0;
  if (!JoinsOneByOne(a, b)) return SubtreeSimilarity(0, 0, 0);
  // One by one, records may be paired better than in their class. Bounds of classes are not about that.
  const Units one_by_one = OneByOne(a, b, class_size, nullptr);
  return IsWide(a, b) ? std::min({one_by_one, a.kept(), b.kept()})
                      : std::min(one_by_one, SubtreeSimilarity(0, 0, 0));
}

Units RepresentativeMerger::SimilarityWithRecord(const Representative& a, RecordId record,
                                                 int class_size, Units need) {
  return std::max<Units>(0, merger_.Similarity(Sized(a, class_size), record, need));
}

Representative RepresentativeMerger::Unite(const Representative& a, const Representative& b,
                                           int class_size) {
  if (b.member_count() == 1 || a.member_count() == 1) {
    const Representative& group = b.member_count() == 1 ? a : b;
    const RecordId record = b.member_count() == 1 ? b.records().front() : a.records().front();
    const Representative& sized = Sized(group, class_size);
    merger_.Pair(sized, record, vertex_pairs_);
    return sized.Absorb(*model_, record, vertex_pairs_, class_size);
  }
  if (JoinsOneByOne(a, b)) {
    Representative united;
    OneByOne(a, b, class_size, &united);
    return united;
  }
  a_ = &a;
  b_ = &b;
  class_size_ = class_size;
  pairs_.clear();
  if (a.size() > 0 && b.size() > 0 && a.MayStandWith(*model_, 0, b, 0, class_size)) {
    pairs_.push_back({0, 0});
    PairChildren(0, 0, 0);
  }
  return a.Unite(*model_, b, pairs_, class_size);
}

Units RepresentativeMerger::VertexSimilarity(uint32_t here, uint32_t there) const {
  const ClassId id = a_->class_of(here);
  const auto& domains = model_->data().classes[id].domains;
  Units similarity = model_->vertex_weight(id);
  for (size_t slot = 0; slot < domains.size(); ++slot) {
    const Domain& domain = domains[slot];
    similarity -= domain.Loss(domain.Merge(a_->labels(here)[slot], b_->labels(there)[slot]));
  }
  return similarity;
}

Units RepresentativeMerger::SubtreeSimilarity(uint32_t here, uint32_t there, size_t depth) {
  if (!a_->MayStandWith(*model_, here, *b_, there, class_size_)) return 0;
  return VertexSimilarity(here, there) + ChildrenSimilarity(here, there, depth);
}

template <typename Visit>
void RepresentativeMerger::ForEachClass(uint32_t here, uint32_t there, size_t depth,
                                        const Visit& visit) {
  if (a_->subtree_size(here) == 1 || b_->subtree_size(there) == 1) return;
  StopPoint();
  Level& level = LevelAt(depth);
  level.here.clear();
  level.there.clear();
  for (const uint32_t child : a_->Children(here)) level.here.push_back(child);
  for (const uint32_t child : b_->Children(there)) level.there.push_back(child);
  // Siblings are grouped by class on both sides, in the same order of classes.
  size_t i = 0;
  size_t j = 0;
  while (i < level.here.size() && j < level.there.size()) {
    const ClassId id = std::max(a_->class_of(level.here[i]), b_->class_of(level.there[j]));
    while (i < level.here.size() && a_->class_of(level.here[i]) < id) ++i;
    while (j < level.there.size() && b_->class_of(level.there[j]) < id) ++j;
    size_t i_end = i;
    size_t j_end = j;
    while (i_end < level.here.size() && a_->class_of(level.here[i_end]) == id) ++i_end;
    while (j_end < level.there.size() && b_->class_of(level.there[j_end]) == id) ++j_end;
    if (i_end > i && j_end > j) {
      visit(SiblingSets{&level.here[i], i_end - i, &level.there[j], j_end - j, id});
    }
    i = i_end;
    j = j_end;
  }
}

Units RepresentativeMerger::ChildrenSimilarity(uint32_t here, uint32_t there, size_t depth) {
  Units total = 0;
  ForEachClass(here, there, depth, [&](const SiblingSets& sets) { total += Assign(sets, depth); });
  return total;
}

Units RepresentativeMerger::AssignInOrder(const SiblingSets& sets, size_t depth) {
  Units total = 0;
  for (size_t i = 0; i < std::min(sets.here_count, sets.there_count); ++i) {
    const Units similarity = SubtreeSimilarity(sets.here[i], sets.there[i], depth + 1);
    // 0 only of vertices that may not stand together.
    if (similarity == 0) break;
    LevelAt(depth).partner[i] = static_cast<int32_t>(i);
    total += similarity;
  }
  return total;
}

Units RepresentativeMerger::Assign(const SiblingSets& sets, size_t depth) {
  Level& level = LevelAt(depth);
  level.partner.assign(sets.here_count, -1);
  if (model_->schema().classes[sets.id].ordered) return AssignInOrder(sets, depth);
  const bool transposed = sets.here_count > sets.there_count;
  const size_t rows = std::min(sets.here_count, sets.there_count);
  const size_t columns = std::max(sets.here_count, sets.there_count);
  level.gains.resize(rows * columns);
  for (size_t i = 0; i < sets.here_count; ++i) {
    for (size_t j = 0; j < sets.there_count; ++j) {
      const size_t place = transposed ? j * columns + i : i * columns + j;
      level.gains[place] = SubtreeSimilarity(sets.here[i], sets.there[j], depth + 1);
    }
  }
  const Units total = level.solver.Solve(level.gains.data(), rows, columns, columns, 0);
  for (size_t row = 0; row < rows; ++row) {
    const auto column = static_cast<size_t>(level.solver.column_of_row()[row]);
    if (level.gains[row * columns + column] == 0) continue;
    level.partner[transposed ? column : row] = static_cast<int32_t>(transposed ? row : column);
  }
  return total;
}

void RepresentativeMerger::PairChildren(uint32_t here, uint32_t there, size_t depth) {
  ForEachClass(here, there, depth, [&](const SiblingSets& sets) {
    Assign(sets, depth);
    // The next level has buffers of its own, so the partners stay as they are while children are paired.
    const std::vector<int32_t>& partner = LevelAt(depth).partner;
    for (size_t i = 0; i < sets.here_count; ++i) {
      if (partner[i] < 0) continue;
      const uint32_t other = sets.there[static_cast<size_t>(partner[i])];
      pairs_.push_back({sets.here[i], other});
      PairChildren(sets.here[i], other, depth + 1);
    }
  });
}

}  // namespace thicket
