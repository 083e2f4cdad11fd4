#include "utility/queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/fold.h"
#include "base/stop.h"

namespace thicket {

namespace {

// For each class on the path from the root to the target, by depth: the class, and the probability that each value of
// a slot meets a condition.
struct PathStep {
  struct Test {
    size_t slot;
    std::vector<double> probability;  // by value of the slot
  };
  ClassId vertex_class;
  std::vector<Test> tests;

  double Probability(VertexValues values, Vertex vertex) const {
    double probability = 1;
    for (const Test& test : tests) probability *= test.probability[values.at(vertex, test.slot)];
    return probability;
  }
};

std::vector<ClassId> PathTo(const Schema& schema, ClassId target) {
  std::vector<ClassId> path = {target};
  while (path.back() != 0) path.push_back(schema.classes[path.back()].parent);
  std::reverse(path.begin(), path.end());
  return path;
}

// `table` gives the probabilities of one condition.
template <typename Table>
std::vector<PathStep> Steps(const Schema& schema, const Query& query, const Table& table) {
  std::vector<PathStep> steps;
  for (const ClassId id : PathTo(schema, query.target)) {
    steps.push_back({id, {}});
    for (const Condition& condition : query.conditions) {
      if (condition.vertex_class != id) continue;
      steps.back().tests.push_back({condition.slot, table(condition)});
    }
  }
  return steps;
}

// What is counted: the original with its codes, or the published data with its symbols.
struct Trees {
  const Forest& forest;
  VertexValues values;
};

// P(v) of the header.
double RecordProbability(const Trees& trees, const std::vector<PathStep>& steps, size_t depth,
                         Vertex vertex) {
  const double own = steps[depth].Probability(trees.values, vertex);
  if (own == 0 || depth + 1 == steps.size()) return own;
  double none = 1;
  for (const Vertex child : trees.forest.Children(vertex)) {
    if (trees.forest.class_of(child) != steps[depth + 1].vertex_class) continue;
    none *= 1 - RecordProbability(trees, steps, depth + 1, child);
    if (none == 0) break;
  }
  return own * (1 - none);
}

double VertexCount(const Trees& trees, const std::vector<PathStep>& steps, size_t depth,
                   Vertex vertex) {
  const double own = steps[depth].Probability(trees.values, vertex);
  if (own == 0 || depth + 1 == steps.size()) return own;
  double count = 0;
  for (const Vertex child : trees.forest.Children(vertex)) {
    if (trees.forest.class_of(child) != steps[depth + 1].vertex_class) continue;
    count += VertexCount(trees, steps, depth + 1, child);
  }
  return own * count;
}

double Count(const Trees& trees, const std::vector<PathStep>& steps, bool count_records) {
  double sum = 0;
  for (RecordId record = 0; record < trees.forest.record_count(); ++record) {
    StopPoint();
    const Vertex root = trees.forest.root(record);
    sum += count_records ? RecordProbability(trees, steps, 0, root)
                         : VertexCount(trees, steps, 0, root);
  }
  return sum;
}

// The same in columns, for a part of the records: P(v) and its sums, with the same operations in the same order.
class ColumnCount {
 public:
  ColumnCount(const VertexColumns& columns, const std::vector<PathStep>& steps, bool count_records)
      : columns_(columns), count_records_(count_records) {
    for (const PathStep& step : steps) {
      levels_.push_back({step.vertex_class, {}});
      for (const PathStep::Test& test : step.tests) {
        levels_.back().tests.push_back(
            {columns.column(step.vertex_class, test.slot), test.probability.data()});
      }
    }
  }

  // Goes on with the records from `begin` to `end`; records must come in turn.
  void Add(RecordId begin, RecordId end) {
    for (RecordId record = begin; record < end; ++record) {
      sum_ += count_records_ ? RecordProbability(0, record) : VertexCount(0, record);
    }
  }
  double sum() const { return sum_; }

 private:
  struct Test {
    const uint32_t* values;
    const double* probability;
  };
  struct Level {
    ClassId vertex_class;
    std::vector<Test> tests;

    double Probability(uint32_t vertex) const {
      double probability = 1;
      for (const Test& test : tests) probability *= test.probability[test.values[vertex]];
      return probability;
    }
  };

  double RecordProbability(size_t depth, uint32_t vertex) const {
    const double own = levels_[depth].Probability(vertex);
    if (own == 0 || depth + 1 == levels_.size()) return own;
    const ClassId below = levels_[depth + 1].vertex_class;
    const uint32_t end = columns_.first(below, vertex + 1);
    double none = 1;
    for (uint32_t child = columns_.first(below, vertex); child < end && none != 0; ++child) {
      none *= 1 - RecordProbability(depth + 1, child);
    }
    return own * (1 - none);
  }
  double VertexCount(size_t depth, uint32_t vertex) const {
    const double own = levels_[depth].Probability(vertex);
    if (own == 0 || depth + 1 == levels_.size()) return own;
    const ClassId below = levels_[depth + 1].vertex_class;
    const uint32_t end = columns_.first(below, vertex + 1);
    double count = 0;
    for (uint32_t child = columns_.first(below, vertex); child < end; ++child) {
      count += VertexCount(depth + 1, child);
    }
    return own * count;
  }

  const VertexColumns& columns_;
  bool count_records_;
  std::vector<Level> levels_;
  double sum_ = 0;
};

// Answers several questions at once: the records pass by in parts that stay in the processor's cache while all questions are asked.
std::vector<double> CountInColumns(const VertexColumns& columns, size_t records,
                                   const std::vector<std::vector<PathStep>>& steps,
                                   std::span<const Query> queries) {
  constexpr size_t kPart = 512;
  std::vector<ColumnCount> counts;
  for (size_t i = 0; i < queries.size(); ++i) {
    counts.emplace_back(columns, steps[i], queries[i].count_records);
  }
  for (size_t begin = 0; begin < records; begin += kPart) {
    const size_t end = std::min(records, begin + kPart);
    for (ColumnCount& count : counts) {
      StopPoint();
      count.Add(static_cast<RecordId>(begin), static_cast<RecordId>(end));
    }
  }
  std::vector<double> sums;
  for (const ColumnCount& count : counts) sums.push_back(count.sum());
  return sums;
}

// The overlap of two closed intervals as a fraction of the first.
double Overlap(double low, double high, double region_low, double region_high) {
  if (low == high) return region_low <= low && low <= region_high ? 1 : 0;
  const double width = std::min(high, region_high) - std::max(low, region_low);
  return std::max(0.0, width) / (high - low);
}

double NumericFraction(const Domain& domain, Label published, Label region) {
  const std::vector<double>& numbers = domain.offsets();
  const size_t count = numbers.size();
  // What is no number, and what is missing, is a value of its own.
  const auto is_other = [&](Label label) { return label.low == label.high && label.low >= count; };
  if (is_other(published)) return region == published ? 1 : 0;
  const bool anything = published.high >= count;
  const auto values = static_cast<double>(domain.value_count());
  if (is_other(region)) return anything ? 1 / values : 0;
  const double other_share = anything ? (values - static_cast<double>(count)) / values : 0;
  const double high = anything ? numbers.back() : numbers[published.high];
  return (1 - other_share) *
         Overlap(numbers[published.low], high, numbers[region.low], numbers[region.high]);
}

constexpr uint32_t kNoBucket = ~uint32_t{0};
// Of a value that was suppressed.
constexpr uint32_t kAnyBucket = kNoBucket - 1;

// The bucket of each symbol of `published`, by what the original makes of a value that means the same.
std::vector<uint32_t> BucketsOf(const Dictionary& original, const std::vector<uint32_t>& buckets,
                                const Dictionary& published, const SensitiveAttribute& attribute) {
  std::unordered_map<std::string, uint32_t> bucket_of;
  for (Symbol symbol = 0; symbol < original.size(); ++symbol) {
    StopPoint();
    bucket_of.emplace(FoldValue(original.text(symbol)), buckets[symbol]);
  }
  std::vector<uint32_t> result(published.size(), kNoBucket);
  for (Symbol symbol = 0; symbol < published.size(); ++symbol) {
    StopPoint();
    const auto found = bucket_of.find(FoldValue(published.text(symbol)));
    if (found != bucket_of.end()) result[symbol] = found->second;
    if (attribute.IsSuppressed(published.text(symbol))) result[symbol] = kAnyBucket;
  }
  return result;
}

// A suppressed value may be any of the original's, each as likely as any other.
std::vector<double> BucketTable(const std::vector<uint32_t>& buckets, uint32_t wanted,
                                const std::vector<uint32_t>& originals) {
  const std::set<uint32_t> different(originals.begin(), originals.end());
  std::vector<double> table(buckets.size());
  for (size_t i = 0; i < buckets.size(); ++i) {
    table[i] = buckets[i] == wanted       ? 1
               : buckets[i] == kAnyBucket ? 1 / static_cast<double>(different.size())
                                          : 0;
  }
  return table;
}

std::vector<double> OriginalTable(const EncodedDataset& data, const Condition& condition) {
  const ClassEncoding& encoding = data.classes[condition.vertex_class];
  const size_t quasi = encoding.domains.size();
  if (condition.slot >= quasi) {
    std::vector<double> table(encoding.bucket_count[condition.slot - quasi], 0);
    table[condition.label.low] = 1;
    return table;
  }
  const Domain& domain = encoding.domains[condition.slot];
  std::vector<double> table(domain.value_count());
  for (Value value = 0; value < table.size(); ++value) {
    table[value] = MatchFraction(domain, domain.Leaf(value), condition.label);
  }
  return table;
}

std::vector<PathStep> OriginalSteps(const EncodedDataset& data, const Query& query) {
  return Steps(data.schema(), query,
               [&](const Condition& condition) { return OriginalTable(data, condition); });
}

QueryReport Summarize(std::vector<double> accuracies) {
  QueryReport report;
  report.queries = accuracies.size();
  if (accuracies.empty()) return report;
  report.mean = 0;
  report.mean_bounded = 0;
  for (const double accuracy : accuracies) {
    report.mean += accuracy;
    report.mean_bounded += std::max(0.0, accuracy);
  }
  report.mean /= static_cast<double>(accuracies.size());
  report.mean_bounded /= static_cast<double>(accuracies.size());
  std::sort(accuracies.begin(), accuracies.end());
  const size_t middle = accuracies.size() / 2;
  report.median = accuracies.size() % 2 == 1 ? accuracies[middle]
                                             : (accuracies[middle - 1] + accuracies[middle]) / 2;
  return report;
}

}  // namespace

double MatchFraction(const Domain& domain, Label published, Label region) {
  if (domain.is_numeric()) return NumericFraction(domain, published, region);
  const Taxonomy& taxonomy = domain.taxonomy();
  if (taxonomy.Covers(region.low, published.low)) return 1;
  if (!taxonomy.Covers(published.low, region.low)) return 0;
  return static_cast<double>(taxonomy.leaves(region.low)) /
         static_cast<double>(taxonomy.leaves(published.low));
}

QueryDrawer::QueryDrawer(const EncodedDataset& data, uint64_t seed)
    : data_(&data), random_(Random::Seeded(seed)), vertices_(data.classes.size()) {
  for (Vertex v = 0; v < data.forest().vertex_count(); ++v) {
    StopPoint();
    vertices_[data.forest().class_of(v)].push_back(v);
  }
  for (size_t i = 0; i < vertices_.size(); ++i) {
    const auto target = static_cast<ClassId>(i);
    size_t attributes = 0;
    for (const ClassId id : PathTo(data.schema(), target)) {
      attributes += data.schema().classes[id].keep_slot(0);
    }
    if (attributes > 0 && !vertices_[target].empty()) targets_.push_back(target);
  }
}

Condition QueryDrawer::DrawCondition(Vertex vertex, size_t slot) {
  const ClassId id = data_->forest().class_of(vertex);
  const size_t quasi = data_->schema().classes[id].quasi.size();
  if (slot >= quasi) return {id, slot, {data_->Bucket(vertex, slot - quasi), 0}};
  const Domain& domain = data_->classes[id].domains[slot];
  const Value value = data_->value(vertex, slot);
  if (domain.is_numeric()) {
    const auto count = static_cast<uint32_t>(domain.numbers().size());
    if (value >= count) return {id, slot, domain.Leaf(value)};
    const auto low = static_cast<uint32_t>(random_.Below(value + 1));
    const auto high = value + static_cast<uint32_t>(random_.Below(count - value));
    return {id, slot, {low, high}};
  }
  const Taxonomy& taxonomy = domain.taxonomy();
  Node node = domain.Leaf(value).low;
  // A leaf right under the root has depth 1 and only itself to choose; a taxonomy may also be a single node.
  const uint32_t choices = std::max<uint32_t>(1, taxonomy.depth(node));
  for (uint64_t up = random_.Below(choices); up > 0; --up) node = taxonomy.parent(node);
  return {id, slot, {node, node}};
}

Query QueryDrawer::Draw() {
  const Forest& forest = data_->forest();
  Query query;
  query.target = targets_[random_.Below(targets_.size())];
  query.count_records = query.target == 0 || random_.Below(2) == 0;
  const std::vector<Vertex>& candidates = vertices_[query.target];
  const Vertex chosen = candidates[random_.Below(candidates.size())];

  // The vertices from the root to the chosen one, with their attributes.
  std::vector<std::pair<Vertex, size_t>> attributes;
  size_t own = 0;
  for (Vertex at = forest.root(forest.record_of(chosen));;) {
    own = data_->schema().classes[forest.class_of(at)].keep_slot(0);
    for (size_t slot = 0; slot < own; ++slot) attributes.emplace_back(at, slot);
    if (at == chosen) break;
    for (const Vertex child : forest.Children(at)) {
      if (chosen < child + forest.subtree_size(child)) {
        at = child;
        break;
      }
    }
  }
  if (own > 0) {
    const size_t pick = attributes.size() - own + static_cast<size_t>(random_.Below(own));
    std::swap(attributes.front(), attributes[pick]);
  }
  const size_t wanted = 1 + static_cast<size_t>(random_.Below(3));
  for (size_t i = 0; i < std::min(wanted, attributes.size()); ++i) {
    if (i > 0 || own == 0) {
      const size_t pick = i + static_cast<size_t>(random_.Below(attributes.size() - i));
      std::swap(attributes[i], attributes[pick]);
    }
    query.conditions.push_back(DrawCondition(attributes[i].first, attributes[i].second));
  }
  return query;
}

double AnswerOnOriginal(const EncodedDataset& data, const Query& query) {
  return Count({data.forest(), data.values()}, OriginalSteps(data, query), query.count_records);
}

Result<PublishedAnswers> PublishedAnswers::Read(const EncodedDataset& original,
                                                const Dataset& published) {
  THICKET_ASSIGN(PublishedLabels labels, PublishedLabels::Read(original, published));
  PublishedAnswers answers(original, published, std::move(labels));
  THICKET_TRY(answers.ReadBuckets());
  return answers;
}

Status PublishedAnswers::ReadBuckets() {
  const Schema& schema = original_->schema();
  buckets_.resize(schema.classes.size());
  for (size_t id = 0; id < buckets_.size(); ++id) {
    for (size_t i = 0; i < schema.classes[id].sensitive.size(); ++i) {
      const size_t slot = schema.classes[id].sensitive_slot(i);
      buckets_[id].push_back(BucketsOf(
          original_->data.dictionaries[id][slot], original_->classes[id].bucket_of_symbol[i],
          published_->dictionaries[id][slot], schema.classes[id].sensitive[i]));
    }
  }
  const Forest& forest = published_->forest;
  for (Vertex v = 0; v < forest.vertex_count(); ++v) {
    StopPoint();
    const auto& of_class = buckets_[forest.class_of(v)];
    for (size_t i = 0; i < of_class.size(); ++i) {
      const size_t slot = schema.classes[forest.class_of(v)].sensitive_slot(i);
      if (of_class[i][forest.value(v, slot)] != kNoBucket) continue;
      return ErrorAt(ErrorCode::kData, published_->PlaceOf(v, slot),
                     "a published sensitive value must be an original one, but this one is not",
                     "measure it against the data that it was made from");
    }
  }
  return {};
}

std::vector<double> PublishedAnswers::Table(const Condition& condition) const {
  const ClassEncoding& encoding = original_->classes[condition.vertex_class];
  const size_t quasi = encoding.domains.size();
  if (condition.slot >= quasi) {
    return BucketTable(buckets_[condition.vertex_class][condition.slot - quasi],
                       condition.label.low, encoding.bucket_of_symbol[condition.slot - quasi]);
  }
  const Domain& domain = encoding.domains[condition.slot];
  const std::vector<Label>& labels = labels_.of(condition.vertex_class, condition.slot);
  std::vector<double> table(labels.size(), 0);
  for (size_t symbol = 0; symbol < labels.size(); ++symbol) {
    if (labels[symbol] == PublishedLabels::kNone) continue;
    table[symbol] = MatchFraction(domain, labels[symbol], condition.label);
  }
  return table;
}

double PublishedAnswers::Answer(const Query& query) const {
  const auto steps = Steps(original_->schema(), query,
                           [&](const Condition& condition) { return Table(condition); });
  return Count({published_->forest, published_->forest.values()}, steps, query.count_records);
}

std::vector<double> PublishedAnswers::Answer(const VertexColumns& columns,
                                             std::span<const Query> queries) const {
  std::vector<std::vector<PathStep>> steps;
  for (const Query& query : queries) {
    steps.push_back(Steps(original_->schema(), query,
                          [&](const Condition& condition) { return Table(condition); }));
  }
  return CountInColumns(columns, published_->forest.record_count(), steps, queries);
}

std::vector<double> AnswerOnOriginal(const EncodedDataset& data, const VertexColumns& columns,
                                     std::span<const Query> queries) {
  std::vector<std::vector<PathStep>> steps;
  for (const Query& query : queries) steps.push_back(OriginalSteps(data, query));
  return CountInColumns(columns, data.forest().record_count(), steps, queries);
}

Result<QueryReport> MeasureQueries(const EncodedDataset& original, const Dataset& published,
                                   const QueryOptions& options, Parallel& parallel,
                                   Progress& progress) {
  THICKET_ASSIGN(const PublishedAnswers answers, PublishedAnswers::Read(original, published));
  std::vector<Query> queries;
  {
    QueryDrawer drawer(original, options.seed);
    while (drawer.can_draw() && queries.size() < options.queries) {
      StopPoint();
      queries.push_back(drawer.Draw());
    }
  }
  const VertexColumns before(original.schema(), original.forest(), original.values());
  const VertexColumns after(original.schema(), published.forest, published.forest.values());

  // So many are asked at once, by each thread.
  constexpr size_t kTogether = 32;
  const size_t batch = kTogether * parallel.threads();
  std::vector<double> accuracies(queries.size());
  progress.Begin("queries", queries.size());
  for (size_t first = 0; first < queries.size(); first += batch) {
    if (progress.cancelled()) return Interrupted();
    const size_t count = std::min(batch, queries.size() - first);
    parallel.For(count, kTogether, [&](size_t begin, size_t end) {
      const std::span<const Query> some(queries.data() + first + begin, end - begin);
      const std::vector<double> exact = AnswerOnOriginal(original, before, some);
      const std::vector<double> found = answers.Answer(after, some);
      for (size_t i = 0; i < some.size(); ++i) {
        accuracies[first + begin + i] = 1 - std::abs(found[i] - exact[i]) / exact[i];
      }
    });
    progress.Advance(count);
  }
  progress.End();
  return Summarize(std::move(accuracies));
}

}  // namespace thicket
