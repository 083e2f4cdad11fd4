#include "grouping/refine_exchange.h"

#include <algorithm>
#include <utility>

namespace thicket {

namespace {

constexpr size_t kNobody = ~size_t{0};
// The part of its similarity that a class may lose in an exchange.
constexpr Units kSlack = 32;

}  // namespace

std::optional<Representative> BuildClass(const TreeModel& model, Merger& merger,
                                         std::span<const RecordId> records, int class_size) {
  Representative result = Representative::Of(model, records.front(), class_size);
  std::vector<VertexPair> pairs;
  for (const RecordId record : records.subspan(1)) {
    if (result.size() == 0) return std::nullopt;
    merger.Pair(result, record, pairs);
    result = result.Absorb(model, record, pairs, class_size);
  }
  if (result.size() == 0) return std::nullopt;
  return result;
}

Exchange::Exchange(const TreeModel& model, MergeOptions options, const CandidatePool& pool)
    : model_(&model),
      pool_(&pool),
      merger_(model, {.mapping = options.mapping, .cost = MergeCost::kWeighted}),
      bound_(model),
      bounds_(pool.places()) {}

Units Exchange::Run(std::span<Representative* const> classes, std::span<const size_t> leaving,
                    std::span<RecordId> spare, const std::function<bool()>& stop) {
  OpenHoles(classes, leaving);
  records_.insert(records_.end(), spare.begin(), spare.end());
  if (!FillGains(classes, stop)) return 0;
  const size_t rows = holes_.size();
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
    if (taker_[record] != kNobody) lowered += Apply(classes, spare, record);
  }
  for (size_t record = 0; record < rows; ++record) {
    if (taker_[record] != kNobody && !done_[taker_[record]]) {
      lowered += Apply(classes, spare, record);
    }
  }
  return lowered;
}

void Exchange::OpenHoles(std::span<Representative* const> classes,
                         std::span<const size_t> leaving) {
  holes_.clear();
  records_.clear();
  std::vector<RecordId> rest;
  for (size_t i = 0; i < classes.size(); ++i) {
    rest = classes[i]->records();
    records_.push_back(rest[leaving[i]]);
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(leaving[i]));
    const int size = static_cast<int>(rest.size()) + 1;
    holes_.push_back({BuildClass(*model_, merger_, rest, size), size});
  }
}

bool Exchange::FillGains(std::span<Representative* const> classes,
                         const std::function<bool()>& stop) {
  gains_.assign(holes_.size() * records_.size(), 0);
  for (size_t hole = 0; hole < holes_.size(); ++hole) {
    if (stop()) return false;
    int64_t* row = gains_.data() + hole * records_.size();
    const Units size = holes_[hole].size;
    const Units kept = classes[hole]->member_weight() - classes[hole]->cost();
    if (holes_[hole].rest) {
      const Representative& rest = *holes_[hole].rest;
      // Along a cycle some classes may lose what others gain, but hardly much.
      const Units need = std::max<Units>(1, (kept - kept / kSlack) / size);
      FindChances(rest, need);
      for (const size_t record : chances_) {
        const Units similarity = merger_.Similarity(rest, records_[record], need);
        if (similarity >= need) row[record] = size * similarity;
      }
    }
    row[hole] = std::max(row[hole], kept);
  }
  return true;
}

void Exchange::FindChances(const Representative& rest, Units need) {
  bound_.Load(rest, *pool_);
  bound_.Bound(*pool_, 0, pool_->places(), bounds_.data());
  chances_.clear();
  for (size_t record = 0; record < records_.size(); ++record) {
    if (bounds_[records_[record]] >= need) chances_.push_back(record);
  }
  if (chances_.size() <= kCompared) return;
  const auto middle = chances_.begin() + kCompared;
  std::nth_element(chances_.begin(), middle, chances_.end(), [&](size_t a, size_t b) {
    const RecordId x = records_[a];
    const RecordId y = records_[b];
    return bounds_[x] != bounds_[y] ? bounds_[x] > bounds_[y] : x < y;
  });
  chances_.erase(middle, chances_.end());
}

Units Exchange::Apply(std::span<Representative* const> classes, std::span<RecordId> spare,
                      size_t first) {
  struct Change {
    size_t hole;
    Representative built;
  };
  const size_t rows = holes_.size();
  std::vector<Change> changes;
  Units lowered = first >= rows ? model_->record_weight(records_[first]) : 0;
  size_t record = first;
  bool possible = true;
  do {
    const size_t hole = taker_[record];
    done_[hole] = true;
    if (holes_[hole].rest) {
      merger_.Pair(*holes_[hole].rest, records_[record], pairs_);
      possible = possible && !pairs_.empty();
      changes.push_back(
          {hole, holes_[hole].rest->Absorb(*model_, records_[record], pairs_, holes_[hole].size)});
      lowered += classes[hole]->cost() - changes.back().built.cost();
    } else {
      possible = false;
    }
    record = hole;
  } while (record != first && taker_[record] != kNobody);
  const bool is_path = first >= rows;
  if (is_path) lowered -= model_->record_weight(records_[record]);
  if (!possible || lowered <= 0) return 0;
  for (Change& change : changes) *classes[change.hole] = std::move(change.built);
  if (is_path) spare[first - rows] = records_[record];
  return lowered;
}

}  // namespace thicket
