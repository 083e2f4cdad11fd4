#include "grouping/similarity_bound.h"

#include <algorithm>

#include "base/simd.h"
#include "base/stop.h"
#include "grouping/deciding_values.h"

namespace thicket {

namespace {

// sums[i] -= loss[values[i]]
THICKET_SIMD void Subtract(const int32_t* __restrict loss, const uint32_t* __restrict values,
                           size_t count, int32_t* __restrict sums) {
  for (size_t i = 0; i < count; ++i) sums[i] -= loss[values[i]];
}

// sums[i] += before[values[i]] - after[values[i]]
THICKET_SIMD void ExchangeLosses(const int32_t* __restrict before, const int32_t* __restrict after,
                                 const uint32_t* __restrict values, size_t count,
                                 int32_t* __restrict sums) {
  for (size_t i = 0; i < count; ++i) sums[i] += before[values[i]] - after[values[i]];
}

THICKET_SIMD void Widen(const int32_t* __restrict sums, size_t count, Units* __restrict bounds) {
  for (size_t i = 0; i < count; ++i) bounds[i] = sums[i];
}

// bounds[i] = 0 where a bit is full.
THICKET_SIMD void ClearFull(uint64_t full, const uint64_t* __restrict bits, size_t count,
                            Units* __restrict bounds) {
  for (size_t i = 0; i < count; ++i) bounds[i] = (bits[i] & full) != 0 ? 0 : bounds[i];
}

}  // namespace

SimilarityBound::SimilarityBound(const TreeModel& model) : model_(&model), label_nodes_(model) {
  const Forest& forest = model.forest();
  first_entry_.push_back(0);
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    StopPoint();
    if (forest.record_size(record) > 1) flat_ = false;
    AddRecordEntries(record);
    first_entry_.push_back(entries_.size());
  }
  NumberNodes();
  root_labels_.resize(model.data().classes[0].domains.size());
}

void SimilarityBound::NumberNodes() {
  std::vector<uint32_t> records(label_nodes_.size(), 0);  // by node: how many have it
  for (const Entry& entry : entries_) ++records[entry.node];
  number_.assign(label_nodes_.size(), kNotShared);
  for (uint32_t node = 0; node < label_nodes_.size(); ++node) {
    if (records[node] < 2) continue;
    number_[node] = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({0, static_cast<int32_t>(label_nodes_.gain(node)), 0});
  }
  size_t kept = 0;
  size_t next = 0;
  for (size_t record = 0; record + 1 < first_entry_.size(); ++record) {
    const size_t end = first_entry_[record + 1];
    first_entry_[record] = kept;
    for (; next < end; ++next) {
      Entry entry = entries_[next];
      entry.node = number_[entry.node];
      if (entry.node != kNotShared) entries_[kept++] = entry;
    }
  }
  first_entry_.back() = kept;
  entries_.resize(kept);
  entries_.shrink_to_fit();
}

void SimilarityBound::AddRecordEntries(RecordId record) {
  const Forest& forest = model_->forest();
  struct Seen {
    uint32_t node;
    uint32_t bit;
  };
  std::vector<Seen> seen;
  const Vertex root = forest.root(record);
  const Vertex end_of_record = root + static_cast<Vertex>(forest.record_size(record));
  FindDeciders(*model_, forest, root, end_of_record, deciders_);
  for (Vertex v = root + 1; v < end_of_record; ++v) {
    const ClassId id = forest.class_of(v);
    seen.push_back({label_nodes_.of_class(id), Entry::kNoBit});
    const uint32_t decider = deciders_[v - root];
    const uint32_t bit = decider != kNoDecider
                             ? model_->buckets(forest.class_of(decider), decider)[0] & 63
                             : Entry::kNoBit;
    label_nodes_.ForEachOf(v, [&](uint32_t node) {
      if (label_nodes_.gain(node) > 0) seen.push_back({node, bit});
    });
  }
  std::sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) { return a.node < b.node; });
  for (size_t i = 0; i < seen.size();) {
    size_t end = i + 1;
    while (end < seen.size() && seen[end].node == seen[i].node) ++end;
    Entry entry{};
    entry.node = seen[i].node;
    entry.bit = (end - i == 1 ? seen[i].bit : Entry::kNoBit) & 0x7f;
    entry.count = static_cast<uint32_t>(end - i) & 0x1ffffff;
    entries_.push_back(entry);
    i = end;
  }
}

void SimilarityBound::Load(const Representative& group, const CandidatePool& pool) {
  group_ = &group;
  for (const uint32_t node : touched_) nodes_[node].count = 0;
  touched_.clear();
  FindDeciders(*model_, group, 0, static_cast<uint32_t>(group.size()), deciders_);
  const auto count = [&](uint32_t label_node, uint64_t full) {
    const uint32_t number = number_[label_node];
    if (number == kNotShared) return;
    NodeState& node = nodes_[number];
    if (node.count++ == 0) {
      touched_.push_back(number);
      node.full = full;
    } else {
      node.full &= full;
    }
  };
  for (uint32_t p = 1; p < group.size(); ++p) {
    const ClassId id = group.class_of(p);
    count(label_nodes_.of_class(id), 0);
    const uint64_t full = deciders_[p] != kNoDecider ? group.full_bits(deciders_[p], 0) : 0;
    label_nodes_.ForEachOf(group, p, [&](uint32_t node) { count(node, full); });
  }
  if (group.size() > 0) LoadRoot(group, pool);
}

void SimilarityBound::LoadRoot(const Representative& group, const CandidatePool& pool) {
  const size_t slots = root_labels_.size();
  from_scratch_ = root_sums_.empty() || generation_ != pool.generation();
  generation_ = pool.generation();
  root_sums_.resize(pool.places());
  std::swap(root_labels_, old_root_labels_);
  root_labels_.resize(slots);
  changed_.clear();
  for (size_t slot = 0; slot < slots; ++slot) {
    const Domain& domain = model_->data().classes[0].domains[slot];
    RootLabel& now = root_labels_[slot];
    now.label = group.labels(0)[slot];
    if (!from_scratch_ && old_root_labels_[slot].label == now.label) {
      std::swap(now, old_root_labels_[slot]);
      continue;
    }
    changed_.push_back(slot);
    now.loss = domain.MergeLossRow(now.label);
    if (now.loss != nullptr) continue;
    now.own.resize(domain.value_count());
    for (Value value = 0; value < domain.value_count(); ++value) {
      now.own[value] = static_cast<int32_t>(domain.MergeLoss(now.label, value));
    }
    now.loss = now.own.data();
  }
  // Exchanging a label reads two tables, starting over reads one per label.
  if (2 * changed_.size() >= slots) from_scratch_ = true;
}

Units SimilarityBound::BelowRoot(RecordId record) const {
  Units bound = 0;
  const Entry* end = entries_.data() + first_entry_[record + 1];
  for (const Entry* entry = entries_.data() + first_entry_[record]; entry != end; ++entry) {
    const NodeState& node = nodes_[entry->node];
    const uint32_t pairs = std::min<uint32_t>(node.count, entry->count);
    // Shifted twice, so that kNoBit shifts everything out.
    const bool full = (((node.full >> (entry->bit / 2)) >> (entry->bit - entry->bit / 2)) & 1) != 0;
    bound += full ? 0 : static_cast<Units>(pairs) * node.gain;
  }
  return bound;
}

void SimilarityBound::Bound(const CandidatePool& pool, size_t begin, size_t end, Units* bounds) {
  const size_t count = end - begin;
  if (group_->size() == 0) {
    std::fill(bounds, bounds + count, 0);
    return;
  }
  int32_t* sums = &root_sums_[begin];
  if (from_scratch_) {
    std::fill(sums, sums + count, static_cast<int32_t>(model_->vertex_weight(0)));
    for (size_t slot = 0; slot < root_labels_.size(); ++slot) {
      Subtract(root_labels_[slot].loss, pool.values(slot) + begin, count, sums);
    }
  } else {
    for (const size_t slot : changed_) {
      ExchangeLosses(old_root_labels_[slot].loss, root_labels_[slot].loss,
                     pool.values(slot) + begin, count, sums);
    }
  }
  Widen(sums, count, bounds);
  for (size_t a = 0; a < model_->sensitive_count(0); ++a) {
    if (model_->bits_decide(0, a))
      ClearFull(group_->full_bits(0, a), pool.bits(a) + begin, count, bounds);
  }
  if (flat_) return;
  const Units* weights = pool.weights() + begin;
  for (size_t i = 0; i < count; ++i) {
    if (bounds[i] != 0 && weights[i] != CandidatePool::kGone) {
      bounds[i] += BelowRoot(pool.record(begin + i));
    }
  }
}

}  // namespace thicket
