#include "record/canonical_form.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "base/stop.h"

namespace thicket {

namespace {

// Numbers sequences of words, equal ones equally.
class SequenceTable {
 public:
  SequenceTable() : table_(1024, 0) {}

  uint32_t NumberOf(const std::vector<uint32_t>& words) {
    size_t place = Hash(words) & (table_.size() - 1);
    while (table_[place] != 0) {
      if (Equals(table_[place] - 1, words)) return table_[place] - 1;
      place = (place + 1) & (table_.size() - 1);
    }
    const auto number = static_cast<uint32_t>(first_.size() - 1);
    words_.insert(words_.end(), words.begin(), words.end());
    first_.push_back(words_.size());
    table_[place] = number + 1;
    if (first_.size() * 2 > table_.size()) Grow();
    return number;
  }
  uint32_t size() const { return static_cast<uint32_t>(first_.size() - 1); }

 private:
  template <typename Words>
  static size_t Hash(const Words& words) {
    uint64_t hash = 0x9e3779b97f4a7c15ULL;
    for (const uint32_t word : words) {
      hash = (hash ^ word) * 0xbf58476d1ce4e5b9ULL;
      hash ^= hash >> 29;
    }
    return static_cast<size_t>(hash ^ (hash >> 32));
  }
  std::span<const uint32_t> Words(uint32_t number) const {
    return {words_.data() + first_[number], first_[number + 1] - first_[number]};
  }
  bool Equals(uint32_t number, const std::vector<uint32_t>& words) const {
    const std::span<const uint32_t> known = Words(number);
    return std::equal(known.begin(), known.end(), words.begin(), words.end());
  }
  void Grow() {
    table_.assign(table_.size() * 2, 0);
    for (uint32_t number = 0; number < size(); ++number) {
      size_t place = Hash(Words(number)) & (table_.size() - 1);
      while (table_[place] != 0) place = (place + 1) & (table_.size() - 1);
      table_[place] = number + 1;
    }
  }

  std::vector<uint32_t> words_;
  std::vector<size_t> first_ = {0};
  std::vector<uint32_t> table_;  // open addressing; number + 1, 0 for a free place
};

}  // namespace

CanonicalForm Canonicalize(const Schema& schema, const Forest& forest, CompareBy compare) {
  return Canonicalize(schema, forest, forest.values(), compare);
}

CanonicalForm Canonicalize(const Schema& schema, const Forest& forest, VertexValues values,
                           CompareBy compare) {
  CanonicalForm form;
  form.number.resize(forest.vertex_count());
  for (const VertexClass& of : schema.classes) form.ordered.push_back(of.ordered);
  SequenceTable table;
  std::vector<uint32_t> words;
  // Children stand behind their parents, so backwards they come first.
  for (size_t v = forest.vertex_count(); v-- > 0;) {
    StopPoint();
    const auto vertex = static_cast<Vertex>(v);
    const ClassId id = forest.class_of(vertex);
    const VertexClass& vertex_class = schema.classes[id];
    const size_t slots =
        compare == CompareBy::kQuasi ? vertex_class.quasi.size() : vertex_class.value_count();
    // The class says how many values follow it, so the children's numbers begin where they must.
    words.assign(1, id);
    for (size_t slot = 0; slot < slots; ++slot) words.push_back(values.at(vertex, slot));
    for (const Vertex child : forest.Children(vertex)) {
      if (!form.ordered[forest.class_of(child)]) words.push_back(form.number[child]);
    }
    std::sort(words.begin() + 1 + static_cast<std::ptrdiff_t>(slots), words.end());
    // A number says the class of its vertex, so nobody takes these for the ones before. Siblings are grouped by class.
    for (const Vertex child : forest.Children(vertex)) {
      if (form.ordered[forest.class_of(child)]) words.push_back(form.number[child]);
    }
    form.number[vertex] = table.NumberOf(words);
  }
  form.count = table.size();
  return form;
}

void AppendCanonicalOrder(const Forest& forest, const CanonicalForm& form, RecordId record,
                          std::vector<Vertex>& order) {
  if (forest.record_size(record) == 1) {
    order.push_back(forest.root(record));
    return;
  }
  std::vector<Vertex> pending = {forest.root(record)};
  while (!pending.empty()) {
    const Vertex vertex = pending.back();
    pending.pop_back();
    order.push_back(vertex);
    const auto first = static_cast<std::ptrdiff_t>(pending.size());
    for (const Vertex child : forest.Children(vertex)) pending.push_back(child);
    // Descending, since the last one is taken first. Vertex numbers break ties by the order in the source, and stand for the
    // whole order where that is part of the data.
    const auto key = [&](Vertex v) {
      const ClassId id = forest.class_of(v);
      return form.ordered[id] ? std::tuple(1U, uint32_t{id}, v) : std::tuple(0U, form.number[v], v);
    };
    std::sort(pending.begin() + first, pending.end(),
              [&](Vertex a, Vertex b) { return key(a) > key(b); });
  }
}

RecordGroups GroupRecords(const Forest& forest, const CanonicalForm& form) {
  constexpr uint32_t kNone = ~uint32_t{0};
  RecordGroups groups;
  groups.group_of.resize(forest.record_count());
  std::vector<uint32_t> group_of_number(form.count, kNone);
  std::vector<uint32_t> sizes;
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    StopPoint();
    uint32_t& group = group_of_number[form.number[forest.root(record)]];
    if (group == kNone) {
      group = static_cast<uint32_t>(sizes.size());
      sizes.push_back(0);
    }
    groups.group_of[record] = group;
    ++sizes[group];
  }
  for (const uint32_t size : sizes) groups.first.push_back(groups.first.back() + size);
  groups.members.resize(forest.record_count());
  std::vector<uint32_t> next(groups.first.begin(), groups.first.end() - 1);
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    StopPoint();
    groups.members[next[groups.group_of[record]]++] = record;
  }
  return groups;
}

}  // namespace thicket
