#include "grouping/equal_records.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace thicket {

namespace {

bool IsFlat(const TreeModel& model) {
  return model.forest().vertex_count() == model.forest().record_count();
}

// The root's quasi-identifiers of two records: below, equal or above.
int Compare(const TreeModel& model, RecordId a, RecordId b) {
  const size_t slots = model.data().classes[0].domains.size();
  const uint32_t* of_a = model.data().values(model.forest().root(a));
  const uint32_t* of_b = model.data().values(model.forest().root(b));
  for (size_t slot = 0; slot < slots; ++slot) {
    if (of_a[slot] != of_b[slot]) return of_a[slot] < of_b[slot] ? -1 : 1;
  }
  return 0;
}

// Lists of `size` records; what is left over joins the last one, or is a list of its own.
void AddPlain(const std::vector<RecordId>& equal, size_t size,
              std::vector<std::vector<RecordId>>& lists) {
  const size_t count = std::max<size_t>(1, equal.size() / size);
  for (size_t i = 0; i < count; ++i) {
    const auto begin = equal.begin() + static_cast<std::ptrdiff_t>(i * size);
    const auto end = i + 1 == count ? equal.end() : begin + static_cast<std::ptrdiff_t>(size);
    lists.emplace_back(begin, end);
  }
}

// Lists of `size` records with different values, most frequent first, as long as there are as many values; the others alone.
void AddDiverse(const TreeModel& model, const std::vector<RecordId>& equal, size_t size,
                std::vector<std::vector<RecordId>>& lists) {
  std::map<uint32_t, std::vector<RecordId>> by_value;
  for (const RecordId record : equal) {
    by_value[model.buckets(0, model.forest().root(record))[0]].push_back(record);
  }
  std::vector<std::vector<RecordId>> values;
  for (auto& [value, records] : by_value) values.push_back(std::move(records));
  const auto more = [](const auto& a, const auto& b) { return a.size() > b.size(); };
  while (values.size() >= size) {
    std::stable_sort(values.begin(), values.end(), more);
    std::vector<RecordId>& list = lists.emplace_back();
    for (size_t i = 0; i < size; ++i) {
      list.push_back(values[i].back());
      values[i].pop_back();
    }
    std::erase_if(values, [](const auto& records) { return records.empty(); });
  }
  for (const std::vector<RecordId>& records : values) {
    for (const RecordId record : records) lists.push_back({record});
  }
}

}  // namespace

std::vector<std::vector<RecordId>> EqualRecords(const TreeModel& model, int class_size) {
  const size_t count = model.forest().record_count();
  std::vector<std::vector<RecordId>> lists;
  const bool constrained = model.rule().Constrains() || model.has_once();
  const bool diverse = model.rule().l > 0 && model.sensitive_count(0) == 1 && !model.has_once() &&
                       !model.has_anywhere() && model.rule().MostRepeats(class_size) == 1;
  if (!IsFlat(model) || (constrained && !diverse)) {
    for (RecordId record = 0; record < count; ++record) lists.push_back({record});
    return lists;
  }
  std::vector<RecordId> order(count);
  std::iota(order.begin(), order.end(), RecordId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](RecordId a, RecordId b) { return Compare(model, a, b) < 0; });
  for (size_t begin = 0; begin < count;) {
    size_t end = begin + 1;
    while (end < count && Compare(model, order[begin], order[end]) == 0) ++end;
    const std::vector<RecordId> equal(order.begin() + static_cast<std::ptrdiff_t>(begin),
                                      order.begin() + static_cast<std::ptrdiff_t>(end));
    const auto size = static_cast<size_t>(class_size);
    if (diverse) {
      AddDiverse(model, equal, size, lists);
    } else {
      AddPlain(equal, size, lists);
    }
    begin = end;
  }
  return lists;
}

}  // namespace thicket
