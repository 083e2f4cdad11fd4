#include "grouping/bitmap.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "grouping/threshold_clustering.h"
#include "matching/merge.h"

namespace thicket {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr size_t kGrain = 8;

using Cell = uint8_t;
constexpr Cell kUnknownCell = 0;
constexpr Cell kHasCell = 1;
constexpr Cell kHasNotCell = 2;
constexpr size_t kCells = 3;

// A column as a quasi-identifier like any other: by label and value, what the merged label saves of its weight.
struct Column {
  Units weight = 0;
  std::array<Units, kCells * kCells> saved{};
};

class BitmapTable {
 public:
  BitmapTable(const TreeModel& model, Absent absent) : model_(&model) {
    const Forest& forest = model.forest();
    std::vector<std::vector<uint32_t>> ones(forest.record_count());
    for (RecordId record = 0; record < forest.record_count(); ++record) {
      StopPoint();
      AddColumns(forest.root(record), 0, ones[record]);
    }
    const Cell absence = absent == Absent::kNo ? kHasNotCell : kUnknownCell;
    cells_.assign(forest.record_count() * columns_.size(), absence);
    for (RecordId record = 0; record < forest.record_count(); ++record) {
      StopPoint();
      for (const uint32_t column : ones[record]) {
        cells_[record * columns_.size() + column] = kHasCell;
      }
    }
  }

  size_t column_count() const { return columns_.size(); }
  const Column& column(size_t number) const { return columns_[number]; }
  const Cell* row(RecordId record) const { return cells_.data() + record * columns_.size(); }
  // What the row would lose if all of it were suppressed.
  Units weight(RecordId record) const {
    Units weight = model_->vertex_weight(0);
    for (size_t c = 0; c < columns_.size(); ++c) {
      if (row(record)[c] != kUnknownCell) weight += columns_[c].weight;
    }
    return weight;
  }

 private:
  // `above` is the column of the vertex's parent, counted from 1; 0 for the root.
  void AddColumns(Vertex vertex, uint32_t above, std::vector<uint32_t>& ones) {
    const Forest& forest = model_->forest();
    std::map<std::vector<uint32_t>, uint32_t> equal_before;
    for (const Vertex child : forest.Children(vertex)) {
      const ClassId id = forest.class_of(child);
      std::vector<uint32_t> name = {above, id};
      const size_t slots = model_->schema().classes[id].quasi.size();
      for (size_t slot = 0; slot < slots; ++slot) name.push_back(model_->data().value(child, slot));
      const uint32_t ordinal = equal_before[name]++;
      name.push_back(ordinal);
      const auto [at, added] = numbers_.emplace(name, static_cast<uint32_t>(columns_.size()));
      if (added) columns_.push_back(ColumnOf(model_->vertex_weight(id)));
      ones.push_back(at->second);
      AddColumns(child, at->second + 1, ones);
    }
  }

  static Column ColumnOf(Units weight) {
    Column column;
    column.weight = weight;
    for (const Cell same : {kHasCell, kHasNotCell}) column.saved[same * kCells + same] = weight;
    return column;
  }

  const TreeModel* model_;
  std::map<std::vector<uint32_t>, uint32_t> numbers_;
  std::vector<Column> columns_;
  std::vector<Cell> cells_;  // by record, then column
};

class RowCluster {
 public:
  size_t member_count() const { return records_.size(); }
  const std::vector<RecordId>& records() const { return records_; }

 private:
  friend class RowSearch;
  std::vector<RecordId> records_;
  std::vector<Label> labels_;  // of the root
  std::vector<Cell> cells_;
  Units weight_ = 0;  // of its records
};

// A space of ThresholdClustering.
class RowSearch {
 public:
  using Cluster = RowCluster;

  RowSearch(const TreeModel& model, const BitmapTable& table, Parallel& parallel)
      : model_(model),
        domains_(model.data().classes[0].domains),
        table_(table),
        parallel_(parallel) {}

  Cluster Open(RecordId record) const {
    Cluster cluster;
    cluster.records_ = {record};
    for (size_t slot = 0; slot < domains_.size(); ++slot) {
      cluster.labels_.push_back(domains_[slot].Leaf(RootValue(record, slot)));
    }
    cluster.cells_.assign(table_.row(record), table_.row(record) + table_.column_count());
    cluster.weight_ = table_.weight(record);
    return cluster;
  }

  std::optional<NearestCluster> NearestOf(const std::vector<Cluster>& clusters, RecordId record,
                                          double /*most*/) {
    const Units weight = table_.weight(record);
    distances_.assign(clusters.size(), kNever);
    compared_ += clusters.size();
    parallel_.For(clusters.size(), kGrain, [&](size_t /*worker*/, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        StopPoint();
        distances_[i] = Distance(Similarity(clusters[i], record), clusters[i].weight_ + weight,
                                 clusters[i].member_count() + 1);
      }
    });
    return Least();
  }

  std::optional<NearestCluster> NearestTo(const Cluster& cluster,
                                          const std::vector<Cluster>& others,
                                          const std::vector<bool>& eligible) {
    distances_.assign(others.size(), kNever);
    parallel_.For(others.size(), kGrain, [&](size_t /*worker*/, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        StopPoint();
        if (!eligible[i]) continue;
        const Cluster united = *Unite(cluster, others[i]);
        distances_[i] = Distance(Saved(united), united.weight_, united.member_count());
      }
    });
    compared_ += static_cast<uint64_t>(std::count(eligible.begin(), eligible.end(), true));
    return Least();
  }

  std::optional<Cluster> Join(const Cluster& cluster, RecordId record) const {
    return Unite(cluster, Open(record));
  }

  std::optional<Cluster> Unite(const Cluster& cluster, const Cluster& other) const {
    Cluster united = cluster;
    united.records_.insert(united.records_.end(), other.records_.begin(), other.records_.end());
    for (size_t slot = 0; slot < domains_.size(); ++slot) {
      united.labels_[slot] = domains_[slot].Merge(cluster.labels_[slot], other.labels_[slot]);
    }
    for (size_t c = 0; c < united.cells_.size(); ++c) {
      if (united.cells_[c] != other.cells_[c]) united.cells_[c] = kUnknownCell;
    }
    united.weight_ += other.weight_;
    return united;
  }

  uint64_t compared() const { return compared_; }

  // The sum of the squares of the numbers of records with equal rows.
  static uint64_t Discernibility(const std::vector<Cluster>& clusters) {
    std::map<std::pair<std::vector<Label>, std::vector<Cell>>, uint64_t> records;
    for (const Cluster& cluster : clusters) {
      records[{cluster.labels_, cluster.cells_}] += cluster.member_count();
    }
    uint64_t sum = 0;
    for (const auto& [row, count] : records) sum += count * count;
    return sum;
  }

 private:
  Value RootValue(RecordId record, size_t slot) const {
    return model_.data().value(model_.forest().root(record), slot);
  }

  static double Distance(Units similarity, Units weight, size_t members) {
    return static_cast<double>(weight - static_cast<Units>(members) * similarity) /
           static_cast<double>(weight);
  }

  // What the cluster's row would save if the record joined.
  Units Similarity(const Cluster& cluster, RecordId record) const {
    Units similarity = model_.vertex_weight(0);
    for (size_t slot = 0; slot < domains_.size(); ++slot) {
      similarity -= domains_[slot].MergeLoss(cluster.labels_[slot], RootValue(record, slot));
    }
    const Cell* row = table_.row(record);
    for (size_t c = 0; c < cluster.cells_.size(); ++c) {
      similarity += table_.column(c).saved[cluster.cells_[c] * kCells + row[c]];
    }
    return similarity;
  }

  Units Saved(const Cluster& cluster) const {
    Units saved = model_.vertex_weight(0);
    for (size_t slot = 0; slot < domains_.size(); ++slot) {
      saved -= domains_[slot].Loss(cluster.labels_[slot]);
    }
    for (size_t c = 0; c < cluster.cells_.size(); ++c) {
      if (cluster.cells_[c] != kUnknownCell) saved += table_.column(c).weight;
    }
    return saved;
  }

  std::optional<NearestCluster> Least() const {
    const auto least = std::min_element(distances_.begin(), distances_.end());
    if (least == distances_.end() || *least == kNever) return std::nullopt;
    return NearestCluster{static_cast<size_t>(least - distances_.begin()), *least};
  }

  const TreeModel& model_;
  const std::vector<Domain>& domains_;
  const BitmapTable& table_;
  Parallel& parallel_;
  std::vector<double> distances_;
  uint64_t compared_ = 0;
};

// The class as trees: what is equal in all of them stands together.
Representative TreesOf(const TreeModel& model, const std::vector<RecordId>& records) {
  Merger merger(model, {.mapping = Mapping::kEqual});
  const auto size = static_cast<int>(records.size());
  Representative group = Representative::Of(model, records.front(), size);
  std::vector<VertexPair> pairs;
  for (size_t i = 1; i < records.size(); ++i) {
    merger.Pair(group, records[i], pairs);
    group = group.Absorb(model, records[i], pairs, size);
  }
  return group;
}

}  // namespace

Result<BitmapGrouping> CdghOnBitmap(const EncodedDataset& data, const BitmapOptions& options,
                                    Parallel& parallel, Progress& progress) {
  const TreeModel model(data, DiversityRule{});
  if (model.has_once()) {
    return Error{ErrorCode::kUsage, "a bitmap must have no values that may occur only once",
                 "leave out `once`, or use method: cdgh", ""};
  }
  const BitmapTable table(model, options.absent);
  RowSearch search(model, table, parallel);
  ThresholdClustering<RowSearch> clustering({options.class_size, options.climit, options.th},
                                            search);
  const auto records = static_cast<RecordId>(data.forest().record_count());
  progress.Begin("anonymize", records);
  THICKET_TRY(clustering.Run(records, progress));
  BitmapGrouping result;
  result.columns = table.column_count();
  result.grouping.search = {search.compared(), search.compared()};
  std::vector<RecordId>& suppressed = clustering.suppressed();
  std::sort(suppressed.begin(), suppressed.end());
  result.dm = RowSearch::Discernibility(clustering.closed()) + suppressed.size() * records;
  for (const RowCluster& cluster : clustering.closed()) {
    TreesOf(model, cluster.records()).Publish(result.grouping.published);
  }
  result.grouping.published.Suppress(std::move(suppressed));
  progress.End();
  return result;
}

}  // namespace thicket
