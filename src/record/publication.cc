#include "record/publication.h"

#include <algorithm>
#include <numeric>

namespace thicket {

PublishedTree Publication::tree(size_t tree) const {
  const uint32_t begin = first_position_[tree];
  const uint32_t end = first_position_[tree + 1];
  const size_t labels_begin = begin < first_label_.size() ? first_label_[begin] : labels_.size();
  const size_t labels_end = end < first_label_.size() ? first_label_[end] : labels_.size();
  PublishedTree view;
  view.vertex_class = {vertex_class_.data() + begin, end - begin};
  view.subtree_size = {subtree_size_.data() + begin, end - begin};
  view.label_values = {labels_.data() + labels_begin, labels_end - labels_begin};
  view.records = {records_.data() + first_record_[tree],
                  first_record_[tree + 1] - first_record_[tree]};
  view.first_label = first_label_.data() + begin;
  view.first_source = first_source_.empty() ? nullptr : first_source_.data();
  view.all_sources = sources_.data();
  view.first_place = first_place_[tree];
  return view;
}

Publication::Place Publication::PlaceOf(size_t number) const {
  const auto after = std::upper_bound(first_record_.begin(), first_record_.end(), number);
  const auto tree = static_cast<uint32_t>(after - first_record_.begin()) - 1;
  return {tree, static_cast<uint32_t>(number) - first_record_[tree]};
}

bool Publication::IsSuppressed(Vertex vertex, size_t slot) const {
  return std::binary_search(suppressed_values_.begin(), suppressed_values_.end(),
                            SuppressedValue{vertex, static_cast<uint32_t>(slot)});
}

uint32_t Publication::Open(ClassId id, std::span<const Label> labels, uint32_t subtree_size) {
  const auto position = static_cast<uint32_t>(vertex_class_.size());
  vertex_class_.push_back(id);
  subtree_size_.push_back(subtree_size);
  first_label_.push_back(static_cast<uint32_t>(labels_.size()));
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  return position;
}

void Publication::AddSources(std::span<const Vertex> sources) {
  if (sources.size() != 1 && first_source_.empty()) {
    first_source_.resize(sources_.size() + 1);
    std::iota(first_source_.begin(), first_source_.end(), uint32_t{0});
  }
  sources_.insert(sources_.end(), sources.begin(), sources.end());
  if (!first_source_.empty()) first_source_.push_back(static_cast<uint32_t>(sources_.size()));
}

Label Publication::AddAlternatives(const std::vector<Label>& labels) {
  const auto [known, is_new] =
      number_of_alternatives_.emplace(labels, static_cast<uint32_t>(alternatives_.size()));
  if (is_new) alternatives_.push_back(labels);
  return {kAlternatives, known->second};
}

void Publication::EndTree() {
  first_position_.push_back(static_cast<uint32_t>(vertex_class_.size()));
  first_record_.push_back(static_cast<uint32_t>(records_.size()));
  first_place_.push_back(static_cast<uint32_t>(place_count()));
}

void Publication::CopyPositions(const PublishedTree& tree) {
  const auto shift = static_cast<uint32_t>(labels_.size());
  vertex_class_.insert(vertex_class_.end(), tree.vertex_class.begin(), tree.vertex_class.end());
  subtree_size_.insert(subtree_size_.end(), tree.subtree_size.begin(), tree.subtree_size.end());
  labels_.insert(labels_.end(), tree.label_values.begin(), tree.label_values.end());
  for (size_t p = 0; p < tree.size(); ++p) {
    first_label_.push_back(shift + tree.first_label[p] - tree.first_label[0]);
  }
}

void Publication::CopyRecords(const PublishedTree& tree) {
  for (size_t member = 0; member < tree.records.size(); ++member) {
    AddRecord(tree.records[member]);
    for (size_t p = 0; p < tree.size(); ++p) AddSources(tree.sources(member, p));
  }
}

void Publication::ReorderSubtrees(size_t tree, size_t member, size_t first, size_t size,
                                  std::span<const size_t> order) {
  const size_t positions = first_position_[tree + 1] - first_position_[tree];
  const size_t place = first_place_[tree] + member * positions + first;
  const size_t places = size * order.size();
  const auto first_source = [&](size_t i) {
    return first_source_.empty() ? place + i : size_t{first_source_[place + i]};
  };
  const size_t begin = first_source(0);
  const std::vector<Vertex> before(
      sources_.begin() + static_cast<std::ptrdiff_t>(begin),
      sources_.begin() + static_cast<std::ptrdiff_t>(first_source(places)));
  std::vector<uint32_t> counts;
  size_t next = begin;
  for (const size_t from : order) {
    const size_t from_begin = first_source(from * size) - begin;
    const size_t from_end = first_source((from + 1) * size) - begin;
    std::copy(before.begin() + static_cast<std::ptrdiff_t>(from_begin),
              before.begin() + static_cast<std::ptrdiff_t>(from_end),
              sources_.begin() + static_cast<std::ptrdiff_t>(next));
    next += from_end - from_begin;
    for (size_t i = from * size; i < (from + 1) * size && !first_source_.empty(); ++i) {
      counts.push_back(first_source_[place + i + 1] - first_source_[place + i]);
    }
  }
  for (size_t i = 0; i < counts.size(); ++i) {
    first_source_[place + i + 1] = first_source_[place + i] + counts[i];
  }
}

void Publication::SuppressValues(std::vector<SuppressedValue> values) {
  suppressed_values_ = std::move(values);
  std::sort(suppressed_values_.begin(), suppressed_values_.end());
}

}  // namespace thicket
