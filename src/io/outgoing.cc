#include "io/outgoing.h"

#include <algorithm>

#include "base/stop.h"
#include "record/fetch_ahead.h"

namespace thicket {

namespace {

// Per attribute; free intervals can have many texts, and each is cheap to make again.
constexpr size_t kMostTexts = size_t{1} << 16;

}  // namespace

LabelTexts::LabelTexts(const EncodedDataset& data) : encoded_(&data) {
  for (const ClassEncoding& encoding : data.classes) {
    attributes_.emplace_back(encoding.domains.size());
    for (Attribute& attribute : attributes_.back()) attribute.lately.resize(kLately);
  }
}

OutgoingValue LabelTexts::Of(ClassId id, size_t attribute, Label label) {
  Lately& lately = attributes_[id][attribute].lately[(label.low ^ label.high * 7) % kLately];
  if (!(lately.label == label)) lately = {label, Find(id, attribute, label)};
  return lately.value;
}

OutgoingValue LabelTexts::Find(ClassId id, size_t attribute, Label label) {
  const ClassEncoding& encoding = encoded_->classes[id];
  const Domain& domain = encoding.domains[attribute];
  if (domain.IsLeaf(label)) {
    const Symbol symbol = encoding.symbol_of_value[attribute][domain.LeafValue(label)];
    const Dictionary& dictionary = encoded_->data.dictionaries[id][attribute];
    return {dictionary.kind(symbol), dictionary.text(symbol)};
  }
  auto& texts = attributes_[id][attribute].texts;
  const uint64_t key = uint64_t{label.low} << 32 | label.high;
  const auto known = texts.find(key);
  if (known != texts.end()) return {ValueKind::kString, known->second};
  if (texts.size() >= kMostTexts) {
    texts.clear();
    attributes_[id][attribute].lately.assign(kLately, {});
  }
  return {ValueKind::kString, texts.emplace(key, domain.Text(label)).first->second};
}

PublicationRecords::PublicationRecords(const EncodedDataset& data, const Publication& publication,
                                       const std::vector<uint32_t>& order)
    : OutgoingRecords(data.data, order.size()),
      encoded_(&data),
      publication_(&publication),
      order_(&order),
      texts_(data) {
  sparse_ = true;
  moved_ = publication.rearranged();
  if (!moved_) missing_ = WrittenMissing(data.data);
}

PublicationRecords::PublicationRecords(const EncodedDataset& data, const Publication& publication)
    : OutgoingRecords(data.data, publication.record_count()),
      encoded_(&data),
      publication_(&publication),
      texts_(data) {
  sparse_ = true;
  moved_ = publication.rearranged();
  if (!moved_) missing_ = WrittenMissing(data.data);
}

void PublicationRecords::FetchAhead(size_t record) const {
  if (order_ == nullptr || record + 2 * kFetchAhead >= count_) return;
  const Forest& forest = encoded_->forest();
  const auto root_of = [&](size_t one) { return forest.root(publication_->record(number(one))); };
  FetchVertex(forest, root_of(record + 2 * kFetchAhead));
  FetchValues(forest, root_of(record + kFetchAhead));
}

void PublicationRecords::Select(size_t record) {
  FetchAhead(record);
  place_ = publication_->PlaceOf(number(record));
  tree_ = publication_->tree(place_.tree);
  vertex_class_ = tree_.vertex_class.data();
  subtree_size_ = tree_.subtree_size.data();
  collected_position_ = kNowhere;
}

OutgoingValue PublicationRecords::LabelAt(size_t position, size_t slot) {
  const Label label = tree_.labels(position)[slot];
  if (label == kNoLabel) return {};
  if (label.low != kAlternatives) {
    const OutgoingValue value = texts_.Of(vertex_class_[position], slot, label);
    if (value.kind != ValueKind::kNone) return value;
    return missing_.Of(vertex_class_[position], slot);
  }
  joined_.clear();
  for (const Label one : publication_->alternatives(label)) {
    if (!joined_.empty()) joined_ += kAlternativesMark;
    joined_ += texts_.Of(vertex_class_[position], slot, one).text;
  }
  return {ValueKind::kString, joined_};
}

OutgoingValue PublicationRecords::ValueOf(Vertex source, ClassId id, size_t slot) const {
  if (publication_->IsSuppressed(source, slot)) return {ValueKind::kString, kSuppressedText};
  const Symbol symbol = encoded_->forest().value(source, slot);
  if (symbol == kMissing) return missing_.Of(id, slot);
  const Dictionary& dictionary = data_->dictionaries[id][slot];
  return {dictionary.kind(symbol), dictionary.text(symbol)};
}

void PublicationRecords::Collect(size_t position, size_t slot) {
  if (position == collected_position_ && slot == collected_slot_) return;
  collected_position_ = position;
  collected_slot_ = slot;
  collected_.clear();
  for (const Vertex source : tree_.sources(place_.member, position)) {
    const OutgoingValue value = ValueOf(source, vertex_class_[position], slot);
    if (value.kind != ValueKind::kNone) collected_.push_back(value);
  }
  if (collected_.size() < 2) return;
  std::sort(collected_.begin(), collected_.end(),
            [](const OutgoingValue& a, const OutgoingValue& b) {
              const int order = a.text.compare(b.text);
              return order != 0 ? order < 0 : a.kind < b.kind;
            });
  const auto same = [](const OutgoingValue& a, const OutgoingValue& b) {
    return a.kind == b.kind && a.text == b.text;
  };
  collected_.erase(std::unique(collected_.begin(), collected_.end(), same), collected_.end());
}

size_t PublicationRecords::ValueCount(size_t position, size_t slot) {
  if (slot < encoded_->classes[vertex_class_[position]].domains.size()) {
    return LabelAt(position, slot).kind == ValueKind::kNone ? 0 : 1;
  }
  Collect(position, slot);
  return collected_.size();
}

OutgoingValue PublicationRecords::ValueAt(size_t position, size_t slot, size_t index) {
  if (slot < encoded_->classes[vertex_class_[position]].domains.size()) {
    return LabelAt(position, slot);
  }
  Collect(position, slot);
  return index < collected_.size() ? collected_[index] : OutgoingValue();
}

bool PublicationRecords::HasSuppressed(ClassId id, size_t slot) const {
  const auto& values = publication_->suppressed_values();
  return std::any_of(values.begin(), values.end(), [&](const auto& value) {
    return value.slot == slot && encoded_->forest().class_of(value.vertex) == id;
  });
}

uint32_t PublicationRecords::group() {
  if (group_numbers_.empty()) {
    constexpr uint32_t kNone = ~uint32_t{0};
    group_numbers_.assign(publication_->tree_count(), kNone);
    uint32_t next = 0;
    for (size_t record = 0; record < count(); ++record) {
      uint32_t& of_tree = group_numbers_[publication_->PlaceOf(number(record)).tree];
      if (of_tree == kNone) of_tree = next++;
    }
  }
  return group_numbers_[place_.tree];
}

DatasetRecords::DatasetRecords(const Dataset& data, bool is_published, bool write_missing)
    : OutgoingRecords(data, data.forest.record_count()) {
  sparse_ = is_published;
  if (write_missing) missing_ = WrittenMissing(data);
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

size_t DatasetRecords::ValueCount(size_t position, size_t slot) {
  return sparse_ && ValueAt(position, slot, 0).kind == ValueKind::kNone ? 0 : 1;
}

bool DatasetRecords::HasSuppressed(ClassId id, size_t slot) const {
  const VertexClass& type = data_->schema->classes[id];
  if (slot < type.quasi.size() || slot >= type.keep_slot(0)) return false;
  const SensitiveAttribute& attribute = type.sensitive[slot - type.quasi.size()];
  const Dictionary& dictionary = data_->dictionaries[id][slot];
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    if (attribute.IsSuppressed(dictionary.text(symbol))) return true;
  }
  return false;
}

OutgoingValue DatasetRecords::ValueAt(size_t position, size_t slot, size_t /*index*/) {
  const Vertex vertex = root_ + static_cast<Vertex>(position);
  const Symbol symbol = data_->forest.value(vertex, slot);
  if (symbol == kMissing) return missing_.Of(vertex_class_[position], slot);
  const Dictionary& dictionary = data_->dictionaries[vertex_class_[position]][slot];
  return {dictionary.kind(symbol), dictionary.text(symbol)};
}

}  // namespace thicket
