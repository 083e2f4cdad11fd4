#include "io/outgoing.h"

namespace thicket {

namespace {

// Per attribute; free intervals can have many texts, and each is cheap to make again.
constexpr size_t kMostTexts = size_t{1} << 16;

}  // namespace

PublishedRecords::PublishedRecords(const EncodedDataset& data, const Published& published,
                                   const std::vector<Place>& order)
    : OutgoingRecords(data.data, order.size()),
      encoded_(&data),
      published_(&published),
      order_(&order) {
  for (const ClassEncoding& encoding : data.classes) texts_.emplace_back(encoding.domains.size());
}

void PublishedRecords::Select(size_t record) {
  place_ = (*order_)[record];
  class_ = &published_->classes[place_.group];
  vertex_class_ = class_->vertex_class.data();
  subtree_size_ = class_->subtree_size.data();
}

std::string_view PublishedRecords::TextOf(ClassId id, size_t attribute, Label label) {
  auto& texts = texts_[id][attribute];
  const uint64_t key = uint64_t{label.low} << 32 | label.high;
  const auto known = texts.find(key);
  if (known != texts.end()) return known->second;
  if (texts.size() >= kMostTexts) texts.clear();
  return texts.emplace(key, encoded_->classes[id].domains[attribute].Text(label)).first->second;
}

OutgoingValue PublishedRecords::Value(size_t position, size_t slot) {
  const ClassId id = vertex_class_[position];
  const ClassEncoding& encoding = encoded_->classes[id];
  Symbol symbol = kMissing;
  if (slot < encoding.domains.size()) {
    const Label label = class_->labels(position)[slot];
    const Domain& domain = encoding.domains[slot];
    if (!domain.IsLeaf(label)) return {ValueKind::kString, TextOf(id, slot, label)};
    symbol = encoding.symbol_of_value[slot][domain.LeafValue(label)];
  } else {
    symbol = encoded_->forest().value(class_->vertex(place_.member, position), slot);
  }
  const Dictionary& dictionary = data_->dictionaries[id][slot];
  return {dictionary.kind(symbol), dictionary.text(symbol)};
}

DatasetRecords::DatasetRecords(const Dataset& data)
    : OutgoingRecords(data, data.forest.record_count()) {}

void DatasetRecords::Select(size_t record) {
  root_ = data_->forest.root(static_cast<RecordId>(record));
  vertex_class_ = data_->forest.vertex_classes() + root_;
  subtree_size_ = data_->forest.subtree_sizes() + root_;
}

OutgoingValue DatasetRecords::Value(size_t position, size_t slot) {
  const Vertex vertex = root_ + static_cast<Vertex>(position);
  const Symbol symbol = data_->forest.value(vertex, slot);
  const Dictionary& dictionary = data_->dictionaries[vertex_class_[position]][slot];
  return {dictionary.kind(symbol), dictionary.text(symbol)};
}

}  // namespace thicket
