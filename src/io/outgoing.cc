#include "io/outgoing.h"

#include <algorithm>

#include "base/stop.h"

namespace thicket {

namespace {

// Per attribute; free intervals can have many texts, and each is cheap to make again.
constexpr size_t kMostTexts = size_t{1} << 16;

}  // namespace

LabelTexts::LabelTexts(const EncodedDataset& data) : encoded_(&data) {
  for (const ClassEncoding& encoding : data.classes) texts_.emplace_back(encoding.domains.size());
}

OutgoingValue LabelTexts::Of(ClassId id, size_t attribute, Label label) {
  const ClassEncoding& encoding = encoded_->classes[id];
  const Domain& domain = encoding.domains[attribute];
  if (domain.IsLeaf(label)) {
    const Symbol symbol = encoding.symbol_of_value[attribute][domain.LeafValue(label)];
    const Dictionary& dictionary = encoded_->data.dictionaries[id][attribute];
    return {dictionary.kind(symbol), dictionary.text(symbol)};
  }
  auto& texts = texts_[id][attribute];
  const uint64_t key = uint64_t{label.low} << 32 | label.high;
  const auto known = texts.find(key);
  if (known != texts.end()) return {ValueKind::kString, known->second};
  if (texts.size() >= kMostTexts) texts.clear();
  return {ValueKind::kString, texts.emplace(key, domain.Text(label)).first->second};
}

PublishedRecords::PublishedRecords(const EncodedDataset& data, const Published& published,
                                   const std::vector<Place>& order)
    : OutgoingRecords(data.data, order.size()),
      encoded_(&data),
      published_(&published),
      order_(&order),
      texts_(data) {
  sparse_ = true;
}

void PublishedRecords::Select(size_t record) {
  place_ = (*order_)[record];
  class_ = &published_->classes[place_.group];
  vertex_class_ = class_->vertex_class.data();
  subtree_size_ = class_->subtree_size.data();
}

size_t PublishedRecords::ValueCount(size_t position, size_t slot) {
  return Value(position, slot).kind == ValueKind::kNone ? 0 : 1;
}

OutgoingValue PublishedRecords::ValueAt(size_t position, size_t slot, size_t /*index*/) {
  const ClassId id = vertex_class_[position];
  if (slot < encoded_->classes[id].domains.size()) {
    return texts_.Of(id, slot, class_->labels(position)[slot]);
  }
  const Symbol symbol = encoded_->forest().value(class_->vertex(place_.member, position), slot);
  const Dictionary& dictionary = data_->dictionaries[id][slot];
  return {dictionary.kind(symbol), dictionary.text(symbol)};
}

RecodedRecords::RecodedRecords(const EncodedDataset& data, const Recoded& recoded,
                               const std::vector<RecordId>& order)
    : OutgoingRecords(data.data, order.size()),
      encoded_(&data),
      recoded_(&recoded),
      order_(&order),
      texts_(data) {
  sparse_ = true;
  moved_ = true;
}

void RecodedRecords::Select(size_t record) {
  root_ = recoded_->root[(*order_)[record]];
  vertex_class_ = recoded_->vertex_class.data() + root_;
  subtree_size_ = recoded_->subtree_size.data() + root_;
}

void RecodedRecords::CollectSymbols(size_t position, size_t slot) {
  const uint32_t vertex = root_ + static_cast<uint32_t>(position);
  if (vertex == symbols_vertex_ && slot == symbols_slot_) return;
  symbols_vertex_ = vertex;
  symbols_slot_ = slot;
  symbols_.clear();
  for (const Vertex source : recoded_->sources_of(vertex)) {
    const Symbol symbol = encoded_->forest().value(source, slot);
    if (symbol != kMissing) symbols_.push_back(symbol);
  }
  if (symbols_.size() < 2) return;
  const Dictionary& dictionary = data_->dictionaries[vertex_class_[position]][slot];
  std::sort(symbols_.begin(), symbols_.end(), [&](Symbol a, Symbol b) {
    const int order = dictionary.text(a).compare(dictionary.text(b));
    return order != 0 ? order < 0 : dictionary.kind(a) < dictionary.kind(b);
  });
  symbols_.erase(std::unique(symbols_.begin(), symbols_.end()), symbols_.end());
}

size_t RecodedRecords::ValueCount(size_t position, size_t slot) {
  if (slot < encoded_->classes[vertex_class_[position]].domains.size()) {
    return Value(position, slot).kind == ValueKind::kNone ? 0 : 1;
  }
  CollectSymbols(position, slot);
  return symbols_.size();
}

OutgoingValue RecodedRecords::ValueAt(size_t position, size_t slot, size_t index) {
  const ClassId id = vertex_class_[position];
  if (slot < encoded_->classes[id].domains.size()) {
    const Label label = recoded_->label(root_ + static_cast<uint32_t>(position), slot);
    return label == kNoLabel ? OutgoingValue() : texts_.Of(id, slot, label);
  }
  CollectSymbols(position, slot);
  if (index >= symbols_.size()) return {};
  const Dictionary& dictionary = data_->dictionaries[id][slot];
  return {dictionary.kind(symbols_[index]), dictionary.text(symbols_[index])};
}

DatasetRecords::DatasetRecords(const Dataset& data)
    : OutgoingRecords(data, data.forest.record_count()) {
  const Forest& forest = data.forest;
  for (Vertex v = 0; v < forest.vertex_count() && !moved_; ++v) {
    StopPoint();
    for (const Vertex child : forest.Children(v)) {
      moved_ |= data.schema->classes[forest.class_of(child)].parent != forest.class_of(v);
    }
  }
}

void DatasetRecords::Select(size_t record) {
  root_ = data_->forest.root(static_cast<RecordId>(record));
  vertex_class_ = data_->forest.vertex_classes() + root_;
  subtree_size_ = data_->forest.subtree_sizes() + root_;
}

OutgoingValue DatasetRecords::ValueAt(size_t position, size_t slot, size_t /*index*/) {
  const Vertex vertex = root_ + static_cast<Vertex>(position);
  const Symbol symbol = data_->forest.value(vertex, slot);
  const Dictionary& dictionary = data_->dictionaries[vertex_class_[position]][slot];
  return {dictionary.kind(symbol), dictionary.text(symbol)};
}

}  // namespace thicket
