#include "grouping/refine_exchange.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "base/stop.h"

namespace thicket {

namespace {

constexpr uint32_t kNobody = ~uint32_t{0};
// The part of what its members have in common that a class may lose in an exchange.
constexpr Units kSlack = 8;
// How many records are held against a hole by the closer bound, where there is one.
constexpr size_t kClosely = 512;
// How many orders are tried when a class is paired again.
constexpr int kOrders = 60;

std::vector<RecordId> RecordsWithout(const Representative& group, size_t member) {
  std::vector<RecordId> rest = group.records();
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(member));
  return rest;
}

int SizeOf(const Representative& group) { return static_cast<int>(group.member_count()); }

}  // namespace

std::optional<Representative> BuildClass(const TreeModel& model, Merger& merger,
                                         std::span<const RecordId> records, int class_size) {
  Representative result = Representative::Of(model, records.front(), class_size);
  std::vector<VertexPair> pairs;
  for (const RecordId record : records.subspan(1)) {
    StopPoint();
    if (result.size() == 0) return std::nullopt;
    merger.Pair(result, record, pairs);
    result = result.Absorb(model, record, pairs, class_size);
  }
  if (result.size() == 0) return std::nullopt;
  return result;
}

HoleSearch::HoleSearch(const TreeModel& model, MergeOptions options, const CandidatePool& pool,
                       const ChildBound& child_bound)
    : model_(&model),
      pool_(&pool),
      merger_(model, {.mapping = options.mapping, .cost = MergeCost::kWeighted}),
      bound_(model),
      child_bound_(&child_bound),
      bounds_(pool.places()) {}

void HoleSearch::Fill(RefinedClass& group, size_t leaving,
                      const std::function<bool(RecordId)>& leaves) {
  const Representative& tree = group.tree();
  std::optional<std::vector<Chance>>& chances = group.hole(leaving);
  const auto is_open = [&](const Chance& chance) {
    return chance.similarity == Chance::kUnknown && leaves(chance.record);
  };
  if (chances && std::none_of(chances->begin(), chances->end(), is_open)) return;

  const std::vector<RecordId> records = RecordsWithout(tree, leaving);
  const auto rest = BuildClass(*model_, merger_, records, SizeOf(tree));
  if (!rest) {
    chances.emplace();
    return;
  }
  // Along a cycle some classes may lose what others gain, but hardly much.
  const Units need = std::max<Units>(1, (group.kept() - group.kept() / kSlack) / SizeOf(tree));
  if (!chances) chances = FindChances(*rest, need);
  for (Chance& chance : *chances) {
    if (!is_open(chance)) continue;
    const Units similarity = merger_.Similarity(*rest, chance.record, need);
    chance.similarity = similarity >= need ? similarity : 0;
  }
}

std::vector<Chance> HoleSearch::FindChances(const Representative& rest, Units need) {
  bound_.Load(rest, *pool_);
  bound_.Bound(*pool_, 0, pool_->places(), bounds_.data());
  best_.clear();
  for (RecordId record = 0; record < bounds_.size(); ++record) {
    if (bounds_[record] >= need) best_.push_back(record);
  }
  const std::vector<RecordId>& members = rest.records();
  std::erase_if(best_, [&](RecordId record) {
    return std::find(members.begin(), members.end(), record) != members.end();
  });
  if (child_bound_->active()) {
    KeepBest(kClosely);
    child_bound_->Load(rest, loaded_);
    for (const RecordId record : best_) {
      bounds_[record] = std::min(bounds_[record], child_bound_->Most(loaded_, record));
    }
    std::erase_if(best_, [&](RecordId record) { return bounds_[record] < need; });
  }
  KeepBest(kChances);
  std::sort(best_.begin(), best_.end());
  std::vector<Chance> chances;
  chances.reserve(best_.size());
  for (const RecordId record : best_) chances.push_back({record});
  return chances;
}

void HoleSearch::KeepBest(size_t count) {
  if (best_.size() <= count) return;
  const auto end = best_.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(best_.begin(), end, best_.end(), [&](RecordId a, RecordId b) {
    return bounds_[a] != bounds_[b] ? bounds_[a] > bounds_[b] : a < b;
  });
  best_.erase(end, best_.end());
}

Exchange::Exchange(const TreeModel& model, MergeOptions options)
    : model_(&model),
      merger_(model, {.mapping = options.mapping, .cost = MergeCost::kWeighted}),
      column_(model.forest().record_count(), kNobody) {}

Units Exchange::Run(std::span<RefinedClass* const> classes, std::span<const size_t> leaving,
                    std::span<RecordId> spare) {
  records_.clear();
  for (size_t i = 0; i < classes.size(); ++i) {
    records_.push_back(classes[i]->tree().records()[leaving[i]]);
  }
  records_.insert(records_.end(), spare.begin(), spare.end());
  FillGains(classes, leaving);
  const size_t rows = classes.size();
  const size_t columns = records_.size();
  solver_.Solve(gains_.data(), rows, columns, columns, 0);
  taker_.assign(columns, kNobody);
  for (size_t hole = 0; hole < rows; ++hole) {
    taker_[static_cast<size_t>(solver_.column_of_row()[hole])] = hole;
  }

  // Paths begin where a spare record comes in; what is left are cycles.
  Units lowered = 0;
  done_.assign(rows, false);
  for (size_t record = rows; record < columns; ++record) {
    if (taker_[record] != kNobody) lowered += Apply(classes, leaving, spare, record);
  }
  for (size_t record = 0; record < rows; ++record) {
    if (taker_[record] != kNobody && !done_[taker_[record]]) {
      lowered += Apply(classes, leaving, spare, record);
    }
  }
  return lowered;
}

void Exchange::FillGains(std::span<RefinedClass* const> classes, std::span<const size_t> leaving) {
  for (uint32_t i = 0; i < records_.size(); ++i) column_[records_[i]] = i;
  gains_.assign(classes.size() * records_.size(), 0);
  for (size_t hole = 0; hole < classes.size(); ++hole) {
    StopPoint();
    int64_t* row = gains_.data() + hole * records_.size();
    const auto& chances = classes[hole]->hole(leaving[hole]);
    if (chances) {
      const Units size = SizeOf(classes[hole]->tree());
      for (const Chance& chance : *chances) {
        const uint32_t column = column_[chance.record];
        if (column != kNobody && chance.similarity > 0) row[column] = size * chance.similarity;
      }
    }
    row[hole] = std::max(row[hole], classes[hole]->kept());
  }
  for (const RecordId record : records_) column_[record] = kNobody;
}

void Exchange::PairAgain(RefinedClass& group) {
  std::vector<RecordId> order = group.tree().records();
  if (order.size() < 3) return;
  Random random = Random::Seeded(order.front());
  std::optional<Representative> best;
  for (int i = 0; i < kOrders; ++i) {
    random.Shuffle(order);
    std::optional<Representative> built = BuildClass(*model_, merger_, order, SizeOf(group.tree()));
    if (built && built->cost() < (best ? *best : group.tree()).cost()) best = std::move(built);
  }
  if (best) group.Replace(std::move(*best));
}

std::optional<Representative> Exchange::Rebuild(const Representative& old, size_t leaving,
                                                RecordId record) {
  std::vector<RecordId> records = RecordsWithout(old, leaving);
  records.push_back(record);
  return BuildClass(*model_, merger_, records, SizeOf(old));
}

Units Exchange::Apply(std::span<RefinedClass* const> classes, std::span<const size_t> leaving,
                      std::span<RecordId> spare, size_t first) {
  struct Change {
    size_t hole;
    Representative built;
  };
  const size_t rows = classes.size();
  const bool is_path = first >= rows;
  std::vector<Change> changes;
  Units lowered = is_path ? model_->record_weight(records_[first]) : 0;
  size_t record = first;
  bool possible = true;
  do {
    const size_t hole = taker_[record];
    done_[hole] = true;
    const Representative& old = classes[hole]->tree();
    // A class that keeps its record as it is costs nothing to look at.
    if (hole == record && gains_[hole * records_.size() + record] == classes[hole]->kept())
      return 0;
    std::optional<Representative> built = Rebuild(old, leaving[hole], records_[record]);
    if (built) {
      lowered += old.cost() - built->cost();
      changes.push_back({hole, std::move(*built)});
    } else {
      possible = false;
    }
    record = hole;
  } while (record != first && taker_[record] != kNobody);
  if (is_path) lowered -= model_->record_weight(records_[record]);
  if (!possible || lowered <= 0) return 0;
  for (Change& change : changes) classes[change.hole]->Replace(std::move(change.built));
  if (is_path) spare[first - rows] = records_[record];
  return lowered;
}

}  // namespace thicket
