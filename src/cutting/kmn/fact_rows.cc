#include "cutting/kmn/fact_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace thicket {

FactRows FactRows::OfShapes(const Shapes& shapes) {
  FactRows rows;
  for (uint32_t shape = 0; shape < shapes.size(); ++shape) {
    rows.weight_.push_back(shapes.weight(shape));
    rows.one_each_ = rows.one_each_ && shapes.weight(shape) == 1;
    rows.first_.push_back(shape + 1);
  }
  return rows;
}

FactRows FactRows::OfRecords(const EncodedDataset& data, const Shapes& shapes) {
  const Forest& forest = data.forest();
  FactRows rows;
  for (size_t shape = 0; shape < shapes.size(); ++shape) {
    rows.first_.push_back(rows.first_.back() + shapes.weight(shape));
  }
  const size_t count = forest.record_count();
  rows.weight_.assign(count, 1);
  std::vector<RecordId> record_at(count);
  std::vector<uint32_t> next = rows.first_;
  for (RecordId record = 0; record < count; ++record) {
    record_at[next[shapes.shape_of(record)]++] = record;
  }
  std::map<std::tuple<ClassId, size_t, uint32_t>, uint32_t> numbers;
  for (uint32_t row = 0; row < count; ++row) {
    std::vector<uint32_t> held;
    for (Vertex v = forest.root(record_at[row]); v < forest.root(record_at[row] + 1); ++v) {
      const ClassId id = forest.class_of(v);
      const VertexClass& of = data.schema().classes[id];
      for (size_t i = 0; i < of.sensitive.size(); ++i) {
        if (forest.value(v, of.sensitive_slot(i)) == kMissing) continue;
        const auto [number, is_new] = numbers.try_emplace(
            {id, i, data.Bucket(v, i)}, static_cast<uint32_t>(rows.secrets_.size()));
        if (is_new) {
          rows.secrets_.emplace_back(count);
          rows.attribute_of_.push_back({id, i});
        }
        rows.secrets_[number->second].Add(row, 1);
        held.push_back(number->second);
      }
    }
    std::sort(held.begin(), held.end());
    held.erase(std::unique(held.begin(), held.end()), held.end());
    rows.held_.insert(rows.held_.end(), held.begin(), held.end());
    rows.first_held_.push_back(rows.held_.size());
  }
  return rows;
}

std::optional<FrequentSecret> FactRows::TooFrequent(uint32_t l) const {
  std::optional<FrequentSecret> found;
  const auto place = [](const auto& of) { return std::tie(of.class_id, of.attribute); };
  for (size_t secret = 0; secret < secrets_.size(); ++secret) {
    const Attribute& attribute = attribute_of_[secret];
    const uint64_t records = secrets_[secret].records;
    if (records * l <= size()) continue;
    if (!found || place(attribute) < place(*found) ||
        (place(attribute) == place(*found) && records > found->records)) {
      found = {attribute.class_id, attribute.attribute, records};
    }
  }
  return found;
}

}  // namespace thicket
