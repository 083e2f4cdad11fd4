#include "grouping/shared_labels.h"

#include <algorithm>

#include "base/stop.h"
#include "grouping/deciding_values.h"

namespace thicket {

namespace {

constexpr uint32_t kNoPlace = ~uint32_t{0};

}  // namespace

SharedLabels::SharedLabels(const CountedLabels& labels, const std::vector<uint32_t>& values)
    : labels_(&labels), vertex_values_(&values), place_of_(labels.size(), kNoPlace) {}

std::vector<uint32_t> SharedLabels::ValuesOf(const TreeModel& model) {
  const Forest& forest = model.forest();
  std::vector<uint32_t> values(forest.vertex_count(), kNoValue);
  std::vector<uint32_t> deciders;
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    StopPoint();
    const Vertex root = forest.root(record);
    const Vertex end = root + static_cast<Vertex>(forest.record_size(record));
    FindDeciders(model, forest, root, end, deciders);
    for (Vertex v = root; v < end; ++v) {
      const Vertex decider = deciders[v - root];
      if (decider == kNoDecider) continue;
      values[v] = model.buckets(forest.class_of(decider), decider)[0];
    }
  }
  return values;
}

template <typename Visit>
void SharedLabels::ForEachStanding(RecordId record, const Visit& visit) const {
  const Forest& forest = labels_->data().forest();
  const Vertex root = forest.root(record);
  const Vertex end = root + static_cast<Vertex>(forest.record_size(record));
  for (Vertex v = root; v < end; ++v) {
    const uint32_t value = vertex_values_->empty() ? kNoValue : (*vertex_values_)[v];
    labels_->ForEach(v, [&](uint32_t node) { visit(node, value); });
  }
}

void SharedLabels::Load(RecordId record) {
  for (const Place& place : places_) place_of_[place.node] = kNoPlace;
  places_.clear();
  values_.clear();
  weights_.clear();
  standings_.clear();
  ForEachStanding(record, [&](uint32_t node, uint32_t value) {
    standings_.push_back({node, value});
  });
  std::sort(standings_.begin(), standings_.end(), [](const Standing& a, const Standing& b) {
    return a.node != b.node ? a.node < b.node : a.value < b.value;
  });
  for (size_t begin = 0; begin < standings_.size();) {
    size_t end = begin + 1;
    while (end < standings_.size() && standings_[end].node == standings_[begin].node) ++end;
    AddPlace(begin, end);
    begin = end;
  }
  total_ = labels_->Total(record);
  counts_.assign(places_.size(), 0);
  FillSums();
}

void SharedLabels::AddPlace(size_t begin, size_t end) {
  Place place{};
  place.node = standings_[begin].node;
  place.count = static_cast<uint32_t>(end - begin);
  place.first_item = static_cast<uint32_t>(weights_.size());
  place.value = place.count == 1 ? standings_[begin].value : kNoValue;
  place.first_value = static_cast<uint32_t>(values_.size());
  for (size_t i = begin; i < end; ++i) {
    const uint32_t value = standings_[i].value;
    if (value == kNoValue) break;
    if (i == begin || standings_[i - 1].value != value) values_.push_back({value, 0, 0});
    ++values_.back().own;
  }
  place.values = static_cast<uint32_t>(values_.size()) - place.first_value;
  weights_.insert(weights_.end(), place.count, labels_->gain(place.node));
  place_of_[place.node] = static_cast<uint32_t>(places_.size());
  places_.push_back(place);
}

void SharedLabels::FillSums() {
  sums_.assign(words() * 8 * 256, 0);
  for (size_t byte = 0; byte * 8 < items(); ++byte) {
    int32_t* sums = &sums_[byte * 256];
    for (size_t bit = 0; bit < 8; ++bit) {
      const size_t item = byte * 8 + bit;
      const auto weight = static_cast<int32_t>(item < items() ? weights_[item] : 0);
      for (size_t below = 0; below < size_t{1} << bit; ++below) {
        sums[(size_t{1} << bit) + below] = sums[below] + weight;
      }
    }
  }
}

void SharedLabels::Share(RecordId other, uint64_t* mask) {
  std::fill(mask, mask + words(), 0);
  touched_.clear();
  ForEachStanding(other, [&](uint32_t node, uint32_t value) {
    const uint32_t number = place_of_[node];
    if (number == kNoPlace) return;
    if (counts_[number]++ == 0) touched_.push_back(number);
    if (value == kNoValue) return;
    const Place& place = places_[number];
    for (uint32_t i = place.first_value; i < place.first_value + place.values; ++i) {
      if (values_[i].value == value) ++values_[i].others;
    }
  });
  for (const uint32_t number : touched_) {
    const Place& place = places_[number];
    const uint32_t count = counts_[number];
    uint32_t pairs = std::min(place.count, count);
    for (uint32_t i = place.first_value; i < place.first_value + place.values; ++i) {
      ValueCount& of = values_[i];
      pairs = std::min(pairs, place.count - of.own + count - of.others);
      of.others = 0;
    }
    counts_[number] = 0;
    for (uint32_t i = place.first_item; i < place.first_item + pairs; ++i) {
      mask[i / 64] |= uint64_t{1} << (i % 64);
    }
  }
}

}  // namespace thicket
