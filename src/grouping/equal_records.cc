#include "grouping/equal_records.h"

#include <algorithm>
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
void AddLists(const std::vector<RecordId>& equal, size_t size,
              std::vector<std::vector<RecordId>>& lists) {
  const size_t count = std::max<size_t>(1, equal.size() / size);
  for (size_t i = 0; i < count; ++i) {
    const auto begin = equal.begin() + static_cast<std::ptrdiff_t>(i * size);
    const auto end = i + 1 == count ? equal.end() : begin + static_cast<std::ptrdiff_t>(size);
    lists.emplace_back(begin, end);
  }
}

}  // namespace

std::vector<std::vector<RecordId>> EqualRecords(const TreeModel& model, int class_size) {
  const size_t count = model.forest().record_count();
  std::vector<std::vector<RecordId>> lists;
  if (!IsFlat(model) || model.rule().Constrains() || model.has_once()) {
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
    AddLists(equal, static_cast<size_t>(class_size), lists);
    begin = end;
  }
  return lists;
}

}  // namespace thicket
