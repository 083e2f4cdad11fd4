// Facts about records, counted one by one: the reference for fact_check.h.
//
// Records are read from what would be published. Every set of names is tried, with every set of facts about them, each against
// every record.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "cutting/kmn/item_hierarchy.h"
#include "cutting/kmn/label_knowledge.h"
#include "record/publication.h"

namespace thicket::testing {

// A published record: its labels, which stand above which, and the sensitive values anywhere in it.
struct LiteralRecord {
  std::set<Item> labels;
  std::set<std::pair<Item, Item>> over;
  // Class, attribute, bucket.
  std::set<std::tuple<ClassId, size_t, uint32_t>> secrets;

  friend bool operator<(const LiteralRecord& a, const LiteralRecord& b) {
    return std::tie(a.labels, a.over, a.secrets) < std::tie(b.labels, b.over, b.secrets);
  }

  static LiteralRecord Of(const ItemHierarchy& items, const EncodedDataset& data,
                          const PublishedTree& tree) {
    LiteralRecord known;
    known.Read(items, data, tree, 0, {});
    return known;
  }

 private:
  void Read(const ItemHierarchy& items, const EncodedDataset& data, const PublishedTree& tree,
            size_t position, std::vector<Item> path) {
    const ClassId id = tree.vertex_class[position];
    for (uint32_t slot = 0; slot < data.classes[id].domains.size(); ++slot) {
      const Label label = tree.labels(position)[slot];
      if (label == kNoLabel) continue;
      const auto& attribute = items.attributes()[items.first_attribute(id) + slot];
      const Item item = ItemHierarchy::root(attribute) + label.low;
      labels.insert(item);
      for (const Item above : path) over.emplace(above, item);
      path.push_back(item);
    }
    const VertexClass& of = data.schema().classes[id];
    for (const Vertex source : tree.sources(0, position)) {
      for (size_t i = 0; i < of.sensitive.size(); ++i) {
        if (data.forest().value(source, of.sensitive_slot(i)) == kMissing) continue;
        secrets.emplace(id, i, data.Bucket(source, i));
      }
    }
    const size_t end = position + tree.subtree_size[position];
    for (size_t child = position + 1; child < end; child += tree.subtree_size[child]) {
      Read(items, data, tree, child, path);
    }
  }
};

class LiteralFactCounter {
 public:
  // l of 0 asks for no diversity.
  LiteralFactCounter(const ItemHierarchy& items, const KnowledgeLimits& limits, uint32_t l,
                     bool negative, const std::vector<LiteralRecord>& records)
      : items_(items), limits_(limits), l_(l), negative_(negative) {
    std::map<LiteralRecord, uint64_t> distinct;
    for (const LiteralRecord& known : records) ++distinct[known];
    for (const auto& [known, weight] : distinct) {
      records_.emplace_back(known, weight);
      published_.insert(known.labels.begin(), known.labels.end());
    }
    std::set<Item> named;
    for (Item label : published_) {
      for (; !items.is_left_out(label); label = items.parent(label)) named.insert(label);
    }
    nodes_.assign(named.begin(), named.end());
  }

  bool Holds() {
    std::vector<Item> chosen;
    return IsFine({}, All()) && ChooseNames(chosen, 0);
  }

 private:
  using Weighted = std::pair<LiteralRecord, uint64_t>;
  using Group = std::vector<const Weighted*>;
  struct Fact {
    enum class Kind { kPresent, kAbsent, kOver, kNotOver };
    Kind kind;
    Item a;
    Item b;
    bool is_relation() const { return kind == Kind::kOver || kind == Kind::kNotOver; }
  };

  Group All() const {
    Group all;
    for (const Weighted& record : records_) all.push_back(&record);
    return all;
  }

  bool IsAtOrBelow(Item item, Item general) const {
    for (; item != general; item = items_.parent(item)) {
      if (items_.is_left_out(item)) return false;
    }
    return true;
  }
  bool Shows(const LiteralRecord& record, Item general) const {
    return std::any_of(record.labels.begin(), record.labels.end(),
                       [&](Item label) { return IsAtOrBelow(label, general); });
  }
  bool HasOver(const LiteralRecord& record, Item a, Item b) const {
    return std::any_of(record.over.begin(), record.over.end(), [&](const auto& pair) {
      return IsAtOrBelow(pair.first, a) && IsAtOrBelow(pair.second, b);
    });
  }
  bool IsTrue(const Fact& fact, const LiteralRecord& record) const {
    switch (fact.kind) {
      case Fact::Kind::kPresent:
        return Shows(record, fact.a);
      case Fact::Kind::kAbsent:
        return !Shows(record, fact.a);
      case Fact::Kind::kOver:
        return HasOver(record, fact.a, fact.b);
      case Fact::Kind::kNotOver:
        return Shows(record, fact.a) && !HasOver(record, fact.a, fact.b);
    }
    return false;
  }

  // Whether the group of the records that the facts are true of is as it must be.
  bool IsFine(const std::vector<Fact>& facts, const Group& group) const {
    uint64_t size = 0;
    for (const Weighted* record : group) size += record->second;
    if (size == 0) return true;
    // Of those who are asked for k, all that is there is a published label.
    const bool asks_k =
        !facts.empty() && std::all_of(facts.begin(), facts.end(), [&](const Fact& fact) {
          if (fact.kind == Fact::Kind::kAbsent) return true;
          if (!published_.contains(fact.a)) return false;
          return fact.kind != Fact::Kind::kOver || published_.contains(fact.b);
        });
    if (asks_k && size < limits_.k) return false;
    std::map<std::tuple<ClassId, size_t, uint32_t>, uint64_t> counts;
    for (const Weighted* record : group) {
      for (const auto& secret : record->first.secrets) counts[secret] += record->second;
    }
    return std::all_of(counts.begin(), counts.end(),
                       [&](const auto& one) { return one.second * l_ <= size; });
  }

  bool ChooseNames(std::vector<Item>& chosen, size_t from) {
    if (!chosen.empty()) {
      std::vector<Fact> asserted;
      if (!AddFacts(FactsOf(chosen), 0, asserted, All())) return false;
    }
    if (chosen.size() == limits_.m) return true;
    for (size_t node = from; node < nodes_.size(); ++node) {
      chosen.push_back(nodes_[node]);
      if (!ChooseNames(chosen, node + 1)) return false;
      chosen.pop_back();
    }
    return true;
  }

  std::vector<Fact> FactsOf(const std::vector<Item>& chosen) const {
    std::vector<Fact> facts;
    for (const Item a : chosen) {
      facts.push_back({Fact::Kind::kPresent, a, 0});
      if (negative_) facts.push_back({Fact::Kind::kAbsent, a, 0});
      for (const Item b : chosen) {
        if (limits_.n == 0 ||
            !items_.MayStandBelow(items_.attribute_of(a), items_.attribute_of(b))) {
          continue;
        }
        facts.push_back({Fact::Kind::kOver, a, b});
        if (negative_) facts.push_back({Fact::Kind::kNotOver, a, b});
      }
    }
    return facts;
  }

  // Every set of the facts from `next` on, beside those of `asserted`; `left` are the records that `asserted` is true of.
  bool AddFacts(const std::vector<Fact>& facts, size_t next, std::vector<Fact>& asserted,
                const Group& left) {
    const auto relations = static_cast<uint32_t>(std::count_if(
        asserted.begin(), asserted.end(), [](const Fact& one) { return one.is_relation(); }));
    for (; next < facts.size(); ++next) {
      if (facts[next].is_relation() && relations == limits_.n) continue;
      Group fewer;
      for (const Weighted* record : left) {
        if (IsTrue(facts[next], record->first)) fewer.push_back(record);
      }
      if (fewer.empty()) continue;
      asserted.push_back(facts[next]);
      if (!IsFine(asserted, fewer) || !AddFacts(facts, next + 1, asserted, fewer)) return false;
      asserted.pop_back();
    }
    return true;
  }

  const ItemHierarchy& items_;
  const KnowledgeLimits& limits_;
  const uint32_t l_;
  const bool negative_;
  std::vector<Weighted> records_;
  std::set<Item> published_;
  // Published labels and all items above them.
  std::vector<Item> nodes_;
};

}  // namespace thicket::testing
