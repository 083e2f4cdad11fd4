#include "grouping/label_sums.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/stop.h"
#include "grouping/deciding_values.h"

namespace thicket {

namespace {

// Vertices at a node are counted in steps, which grow by a quarter from eight on.
constexpr std::array<uint32_t, 20> kVertexSteps = {1,  2,  3,  4,  5,  6,  7,  8,  10, 13,
                                                   16, 20, 25, 31, 39, 49, 61, 76, 95, 119};
constexpr uint32_t kMostRows = 4096;
// What all items of a query add up to.
constexpr Units kSumOfItems = FineBitSums::kMost - 1;

// How many steps a count reaches.
uint32_t StepsUpTo(uint32_t count) {
  return static_cast<uint32_t>(std::upper_bound(kVertexSteps.begin(), kVertexSteps.end(), count) -
                               kVertexSteps.begin());
}

void SetBit(FineBitSums::Row& row, size_t slot) { row[slot / 64] |= uint64_t{1} << (slot % 64); }

uint64_t ValueKey(uint32_t node, uint32_t value) { return (uint64_t{node} << 32) | value; }

}  // namespace

LabelSums::LabelSums(const TreeModel& model, const CountedLabels& labels,
                     const std::vector<uint32_t>& values)
    : model_(&model), labels_(&labels), vertex_values_(&values) {
  ChooseRows();
  const size_t records = model.forest().record_count();
  for (size_t begin = 0; begin < records; begin += FineBitSums::kCount) {
    blocks_.push_back(std::make_unique<Block>());
    blocks_.back()->rows.resize(row_count_);
  }
  for (RecordId record = 0; record < records; ++record) {
    StopPoint();
    Write(record);
  }
}

void LabelSums::List(RecordId record) {
  const Forest& forest = model_->forest();
  const Vertex root = forest.root(record);
  const Vertex end = root + static_cast<Vertex>(forest.record_size(record));
  pairs_.clear();
  for (Vertex v = root; v < end; ++v) {
    const uint32_t value = vertex_values_->empty() ? SharedLabels::kNoValue : (*vertex_values_)[v];
    labels_->ForEach(v, [&](uint32_t node) { pairs_.emplace_back(node, value); });
  }
  std::sort(pairs_.begin(), pairs_.end());
  listed_.clear();
  for (const auto& [node, value] : pairs_) {
    if (listed_.empty() || listed_.back().node != node) listed_.push_back({node, 0, value});
    ++listed_.back().count;
    if (listed_.back().value != value) listed_.back().value = SharedLabels::kNoValue;
  }
}

void LabelSums::ChooseRows() {
  const size_t records = model_->forest().record_count();
  std::vector<std::array<uint32_t, kVertexSteps.size()>> holders(labels_->size());
  std::unordered_map<uint64_t, uint32_t> value_holders;
  for (RecordId record = 0; record < records; ++record) {
    StopPoint();
    List(record);
    for (const Standing& standing : listed_) {
      const uint32_t steps = StepsUpTo(standing.count);
      for (uint32_t step = 0; step < steps; ++step) ++holders[standing.node][step];
      if (standing.value == SharedLabels::kNoValue) continue;
      ++value_holders[ValueKey(standing.node, standing.value)];
    }
  }
  // The nodes that tell most records apart, by what they keep; what one record has keeps nothing.
  std::vector<std::pair<double, uint32_t>> worth;
  node_rows_.resize(labels_->size());
  for (uint32_t node = 0; node < labels_->size(); ++node) {
    node_rows_[node].holders = holders[node][0];
    if (holders[node][0] < 2) continue;
    const double share = static_cast<double>(holders[node][0]) / static_cast<double>(records);
    worth.emplace_back(-static_cast<double>(labels_->gain(node)) * share * (1.0001 - share), node);
  }
  std::sort(worth.begin(), worth.end());
  for (const auto& [less, node] : worth) {
    if (row_count_ >= kMostRows) break;
    NodeRows& rows = node_rows_[node];
    rows.first = row_count_;
    rows.steps = 1;
    while (rows.steps < kVertexSteps.size() && holders[node][rows.steps] >= 2) ++rows.steps;
    row_count_ += rows.steps;
    if (vertex_values_->empty()) continue;
    for (uint32_t value = 0; value < 64; ++value) {
      const auto found = value_holders.find(ValueKey(node, value));
      if (found != value_holders.end()) value_rows_[found->first] = row_count_++;
    }
  }
  if (model_->rule().Constrains() && OneBitDecides(*model_, 0)) {
    root_values_ = row_count_;
    row_count_ += 64;
  }
}

void LabelSums::Write(RecordId record) {
  Block& block = *blocks_[record / FineBitSums::kCount];
  const size_t slot = record % FineBitSums::kCount;
  SetBit(block.present, slot);
  List(record);
  for (const Standing& standing : listed_) {
    const NodeRows& rows = node_rows_[standing.node];
    const uint32_t steps = std::min(StepsUpTo(standing.count), rows.steps);
    for (uint32_t step = 0; step < steps; ++step) SetBit(block.rows[rows.first + step], slot);
    const uint32_t row = ValueRow(standing.node, standing.value);
    if (row != kNoRow) SetBit(block.rows[row], slot);
  }
  if (root_values_ == kNoRow) return;
  const uint32_t bucket = model_->buckets(0, model_->forest().root(record))[0];
  SetBit(block.rows[root_values_ + bucket], slot);
}

uint32_t LabelSums::ValueRow(uint32_t node, uint32_t value) const {
  if (value == SharedLabels::kNoValue) return kNoRow;
  const auto found = value_rows_.find(ValueKey(node, value));
  return found == value_rows_.end() ? kNoRow : found->second;
}

uint32_t LabelSums::RowOf(uint32_t node, uint32_t count) const {
  for (; node != CountedLabels::kNone; node = labels_->parent(node)) {
    const NodeRows& rows = node_rows_[node];
    const uint32_t steps = std::min(StepsUpTo(count), rows.steps);
    if (steps > 0) return rows.first + steps - 1;
  }
  return kNoRow;
}

void LabelSums::Load(const SharedLabels& own, RecordId record, Roots roots, Units least,
                     size_t most, Query& query) const {
  query.record_ = record;
  query.least_ = least;
  query.most_ = most;
  query.base_ = 0;
  query.rest_ = least;
  query.found_.clear();
  query.weights_.clear();
  query.forbidden_ = kNoRow;
  if (roots == Roots::kApart && roots_decide()) {
    query.forbidden_ = root_values_ + model_->buckets(0, model_->forest().root(record))[0];
  }
  for (const SharedLabels::Place& place : own.places()) {
    // Nobody else has the label.
    if (node_rows_[place.node].holders < 2) continue;
    const uint32_t without = ValueRow(place.node, place.value);
    for (uint32_t count = 1; count <= place.count; ++count) {
      const uint32_t row = RowOf(place.node, count);
      const Units weight = labels_->gain(place.node);
      if (row == kNoRow) {
        query.base_ += weight;
      } else {
        query.weights_.push_back({row, without, weight});
      }
    }
  }
  std::sort(query.weights_.begin(), query.weights_.end(),
            [](const Query::Weight& a, const Query::Weight& b) {
              return a.row != b.row ? a.row < b.row : a.without < b.without;
            });
  size_t last = 0;
  Units total = 0;
  for (size_t i = 0; i < query.weights_.size(); ++i) {
    const Query::Weight& weight = query.weights_[i];
    total += weight.weight;
    if (i > 0 && query.weights_[last].row == weight.row &&
        query.weights_[last].without == weight.without) {
      query.weights_[last].weight += weight.weight;
      continue;
    }
    if (i > 0) ++last;
    query.weights_[last] = weight;
  }
  if (!query.weights_.empty()) query.weights_.resize(last + 1);
  query.unit_ = total / kSumOfItems + 1;
  for (const Query::Weight& weight : query.weights_) query.base_ += weight.weight % query.unit_;
  const Units needed = least < query.base_ ? 0 : (least - query.base_) / query.unit_ + 1;
  query.needed_ = static_cast<uint32_t>(std::min<Units>(needed, FineBitSums::kMost + 1));
}

void LabelSums::Shorten(Query& query) {
  std::vector<Found>& found = query.found_;
  const auto better = [](const Found& a, const Found& b) {
    return a.most != b.most ? a.most > b.most : a.record < b.record;
  };
  const auto middle =
      found.begin() + static_cast<std::ptrdiff_t>(std::min(query.most_, found.size()));
  std::nth_element(found.begin(), middle, found.end(), better);
  for (auto it = middle; it != found.end(); ++it) query.rest_ = std::max(query.rest_, it->most);
  found.erase(middle, found.end());
}

void LabelSums::Look(size_t number, Query& query, Workspace& work) const {
  if (query.needed_ > FineBitSums::kMost) return;
  const Block& block = *blocks_[number];
  FineBitSums::Row candidates = block.present;
  if (query.forbidden_ != kNoRow) {
    FineBitSums::Without(block.present.data(), block.rows[query.forbidden_].data(),
                         candidates.data());
  }
  if (query.record_ / FineBitSums::kCount == number) {
    const size_t slot = query.record_ % FineBitSums::kCount;
    candidates[slot / 64] &= ~(uint64_t{1} << (slot % 64));
  }
  work.masked_.resize(std::max(work.masked_.size(), query.weights_.size()));
  work.terms_.clear();
  for (size_t i = 0; i < query.weights_.size(); ++i) {
    const Query::Weight& weight = query.weights_[i];
    const auto times = static_cast<uint32_t>(weight.weight / query.unit_);
    const uint64_t* row = block.rows[weight.row].data();
    if (weight.without != kNoRow) {
      FineBitSums::Without(row, block.rows[weight.without].data(), work.masked_[i].data());
      row = work.masked_[i].data();
    }
    for (uint32_t digit = 0; times >> digit != 0; ++digit) {
      if ((times >> digit & 1) != 0) work.terms_.push_back({row, digit});
    }
  }
  work.sums_.AddUp(work.terms_);
  FineBitSums::Row found;
  work.sums_.AtLeast(query.needed_, candidates, found);
  for (size_t word = 0; word < FineBitSums::kWords; ++word) {
    for (uint64_t bits = found[word]; bits != 0; bits &= bits - 1) {
      const size_t slot = word * 64 + static_cast<size_t>(std::countr_zero(bits));
      query.found_.push_back({query.base_ + work.sums_.at(slot) * query.unit_,
                              static_cast<RecordId>(number * FineBitSums::kCount + slot)});
    }
  }
  if (query.found_.size() <= 2 * query.most_) return;
  Shorten(query);
  // What is no better than the worst of them need not be looked at, but may be what the rest has at most.
  const auto worst =
      std::min_element(query.found_.begin(), query.found_.end(),
                       [](const Found& a, const Found& b) { return a.most < b.most; });
  query.needed_ = static_cast<uint32_t>((worst->most - query.base_) / query.unit_ + 1);
  query.rest_ = std::max(query.rest_, worst->most);
}

void LabelSums::Find(std::span<Query> queries, Workspace& work) const {
  for (size_t number = 0; number < blocks_.size(); ++number) {
    StopPoint();
    for (Query& query : queries) Look(number, query, work);
  }
  for (Query& query : queries) {
    if (query.found_.size() > query.most_) Shorten(query);
    std::sort(query.found_.begin(), query.found_.end(), [](const Found& a, const Found& b) {
      return a.most != b.most ? a.most > b.most : a.record < b.record;
    });
  }
}

}  // namespace thicket
