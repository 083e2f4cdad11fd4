#include "grouping/class_columns.h"

#include <algorithm>

#include "grouping/deciding_values.h"

namespace thicket {

namespace {

// A table beyond this many entries falls out of the caches and gains nothing over climbing.
constexpr size_t kLargestTable = size_t{1} << 20;

// By node, then node: what the lowest label above both loses.
std::vector<int32_t> PairLosses(const Domain& domain) {
  if (domain.is_numeric()) return {};
  const size_t nodes = domain.taxonomy().node_count();
  if (nodes * nodes > kLargestTable) return {};
  std::vector<int32_t> losses(nodes * nodes);
  for (Node a = 0; a < nodes; ++a) {
    for (Node b = 0; b < nodes; ++b) {
      const Label both = domain.Merge({a, a}, {b, b});
      losses[a * nodes + b] = static_cast<int32_t>(domain.Loss(both));
    }
  }
  return losses;
}

bool IsFlat(const Forest& forest) { return forest.vertex_count() == forest.record_count(); }

// Whether bits say which roots may stand together.
bool BitsDecide(const TreeModel& model) {
  bool decide = !model.has_once() && !model.has_anywhere();
  for (size_t attribute = 0; attribute < model.sensitive_count(0); ++attribute) {
    decide = decide && model.bits_decide(0, attribute);
  }
  return decide;
}

}  // namespace

ClassColumns::ClassColumns(const TreeModel& model, int class_size)
    : model_(&model),
      class_size_(class_size),
      flat_(IsFlat(model.forest())),
      exact_(flat_ && BitsDecide(model)),
      nodes_(model),
      slots_(model.data().classes[0].domains.size()),
      attributes_(model.sensitive_count(0)) {
  for (const Domain& domain : model.data().classes[0].domains) {
    pair_loss_.push_back(PairLosses(domain));
  }
}

void ClassColumns::Clear() {
  size_.clear();
  kept_.clear();
  root_labels_.clear();
  present_.clear();
  first_entry_.clear();
  entry_count_.clear();
  entries_.clear();
  live_entries_ = 0;
}

Place ClassColumns::Add(const Representative& group) {
  const auto place = static_cast<Place>(size_.size());
  size_.push_back(0);
  kept_.push_back(0);
  root_labels_.resize(root_labels_.size() + slots_);
  present_.resize(present_.size() + attributes_);
  if (!flat_) {
    first_entry_.push_back(entries_.size());
    entry_count_.push_back(0);
  }
  Replace(place, group);
  return place;
}

void ClassColumns::Replace(Place place, const Representative& group) {
  size_[place] = static_cast<uint32_t>(group.member_count());
  kept_[place] = group.size() == 0 ? 0 : group.kept();
  if (group.size() > 0) WriteRoot(place, group);
  if (flat_) return;
  live_entries_ -= entry_count_[place];
  entry_count_[place] = 0;
  if (entries_.size() > 2 * live_entries_ + 1'000'000) CloseEntries();
  first_entry_[place] = entries_.size();
  AppendEntries(group);
  entry_count_[place] = static_cast<uint32_t>(entries_.size() - first_entry_[place]);
  live_entries_ += entry_count_[place];
}

void ClassColumns::WriteRoot(Place place, const Representative& group) {
  std::copy_n(group.labels(0), slots_,
              root_labels_.begin() + static_cast<std::ptrdiff_t>(place * slots_));
  for (size_t attribute = 0; attribute < attributes_; ++attribute) {
    uint64_t present = 0;
    for (size_t member = 0; member < group.member_count(); ++member) {
      present |= BucketBit(model_->buckets(0, group.vertex(0, member))[attribute]);
    }
    present_[place * attributes_ + attribute] = present;
  }
}

void ClassColumns::AppendEntries(const Representative& group) {
  seen_.clear();
  FindDeciders(*model_, group, 0, static_cast<uint32_t>(group.size()), deciders_);
  for (uint32_t p = 1; p < group.size(); ++p) {
    const ClassId id = group.class_of(p);
    seen_.push_back({nodes_.of_class(id), Entry::kNoBit});
    const uint32_t decider = deciders_[p];
    const uint32_t bit =
        decider != kNoDecider && group.member_count() == 1
            ? model_->buckets(group.class_of(decider), group.vertex(decider, 0))[0] & 63
            : Entry::kNoBit;
    nodes_.ForEachOf(group, p, [&](uint32_t node) {
      if (nodes_.gain(node) > 0) seen_.push_back({node, bit});
    });
  }
  std::sort(seen_.begin(), seen_.end(),
            [](const Seen& a, const Seen& b) { return a.node < b.node; });
  for (size_t i = 0; i < seen_.size();) {
    size_t end = i + 1;
    while (end < seen_.size() && seen_[end].node == seen_[i].node) ++end;
    Entry entry{};
    entry.node = seen_[i].node;
    entry.bit = (end - i == 1 ? seen_[i].bit : Entry::kNoBit) & 0x7f;
    entry.count = static_cast<uint32_t>(end - i) & 0x1ffffff;
    entries_.push_back(entry);
    i = end;
  }
}

void ClassColumns::CloseEntries() {
  std::vector<Entry> kept;
  kept.reserve(live_entries_ + live_entries_ / 4);
  for (Place place = 0; place < places(); ++place) {
    const auto from = entries_.begin() + static_cast<std::ptrdiff_t>(first_entry_[place]);
    const size_t count = Contains(place) ? entry_count_[place] : 0;
    if (count == 0) live_entries_ -= entry_count_[place];
    entry_count_[place] = static_cast<uint32_t>(count);
    first_entry_[place] = kept.size();
    kept.insert(kept.end(), from, from + static_cast<std::ptrdiff_t>(count));
  }
  entries_.swap(kept);
}

ClassProbe::ClassProbe(const ClassColumns& columns)
    : columns_(&columns), rows_(columns.slots_), full_(columns.attributes_) {
  if (columns.flat_) return;
  nodes_.resize(columns.nodes_.size());
  for (uint32_t node = 0; node < nodes_.size(); ++node) {
    nodes_[node].gain = static_cast<int32_t>(columns.nodes_.gain(node));
  }
}

void ClassProbe::Load(const Representative& group) {
  group_ = &group;
  if (group.size() == 0) return;
  LoadRoot();
  if (columns_->flat_) return;
  for (const uint32_t node : touched_) nodes_[node].count = 0;
  touched_.clear();
  FindDeciders(*columns_->model_, group, 0, static_cast<uint32_t>(group.size()), deciders_);
  const auto count = [&](uint32_t number, uint64_t full) {
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
    count(columns_->nodes_.of_class(id), 0);
    const uint64_t full = deciders_[p] != kNoDecider ? group.full_bits(deciders_[p], 0) : 0;
    columns_->nodes_.ForEachOf(group, p, [&](uint32_t node) { count(node, full); });
  }
}

void ClassProbe::LoadRoot() {
  const auto& domains = columns_->model_->data().classes[0].domains;
  for (size_t slot = 0; slot < rows_.size(); ++slot) {
    const std::vector<int32_t>& losses = columns_->pair_loss_[slot];
    rows_[slot] = losses.empty() ? nullptr
                                 : losses.data() + group_->labels(0)[slot].low *
                                                       domains[slot].taxonomy().node_count();
  }
  for (size_t attribute = 0; attribute < full_.size(); ++attribute) {
    full_[attribute] = group_->full_bits(0, attribute);
  }
}

bool ClassProbe::RootsMayMeet(Place place) const {
  // In classes that are larger than need be, values have more room than the bits say.
  if (group_->member_count() + columns_->size_[place] >
      static_cast<size_t>(columns_->class_size_)) {
    return true;
  }
  for (size_t attribute = 0; attribute < full_.size(); ++attribute) {
    if (!columns_->model_->bits_decide(0, attribute)) continue;
    if ((columns_->present_[place * full_.size() + attribute] & full_[attribute]) != 0)
      return false;
  }
  return true;
}

Units ClassProbe::RootSimilarity(Place place) const {
  const auto& domains = columns_->model_->data().classes[0].domains;
  const Label* labels = columns_->root_labels_.data() + place * columns_->slots_;
  Units similarity = columns_->model_->vertex_weight(0);
  for (size_t slot = 0; slot < columns_->slots_; ++slot) {
    similarity -=
        rows_[slot] != nullptr
            ? rows_[slot][labels[slot].low]
            : domains[slot].Loss(domains[slot].Merge(group_->labels(0)[slot], labels[slot]));
  }
  return similarity;
}

Units ClassProbe::Most(Place place) const {
  if (group_->size() == 0 || columns_->kept_[place] == 0 || !RootsMayMeet(place)) return 0;
  Units most = RootSimilarity(place);
  if (columns_->flat_) return most;
  // Whose values are full, is known for the size that classes need.
  const uint64_t heed =
      group_->member_count() + columns_->size_[place] <= static_cast<size_t>(columns_->class_size_)
          ? ~uint64_t{0}
          : 0;
  const ClassColumns::Entry* entry = columns_->entries_.data() + columns_->first_entry_[place];
  const ClassColumns::Entry* end = entry + columns_->entry_count_[place];
  for (; entry != end; ++entry) {
    const NodeState& node = nodes_[entry->node];
    const uint32_t pairs = std::min<uint32_t>(node.count, entry->count);
    // Shifted twice, so that kNoBit shifts everything out.
    const uint64_t full = ((node.full & heed) >> (entry->bit / 2)) >> (entry->bit - entry->bit / 2);
    most += (full & 1) != 0 ? 0 : static_cast<Units>(pairs) * node.gain;
  }
  return std::min({most, columns_->kept_[place], group_->kept()});
}

}  // namespace thicket
