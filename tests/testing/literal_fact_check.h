// Facts about records, counted one by one: the reference for fact_check.h.
//
// Every set of names is tried, with every set of facts about them, each against every record.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "cutting/knowledge.h"
#include "cutting/record_knowledge.h"

namespace thicket::testing {

struct LiteralRecord {
  std::vector<Item> labels;
  // By two places.
  std::vector<std::vector<bool>> related;
  // By place.
  std::vector<std::set<Secret>> secrets;

  static LiteralRecord Of(const RecordKnowledge& known) {
    LiteralRecord record;
    record.labels = known.labels;
    record.related.assign(known.labels.size(), std::vector<bool>(known.labels.size(), false));
    for (const auto& [a, b] : known.over) record.related[a][b] = record.related[b][a] = true;
    for (const auto& some : known.secrets) record.secrets.emplace_back(some.begin(), some.end());
    return record;
  }
};

// With negative knowledge; l of 0 asks for no diversity.
class LiteralFactCounter {
 public:
  LiteralFactCounter(const ItemHierarchy& items, const KnowledgeLimits& limits, uint32_t l,
                     const std::vector<LiteralRecord>& records)
      : items_(items), limits_(limits), l_(l) {
    std::set<Item> named;
    for (const LiteralRecord& known : records) {
      published_.insert(known.labels.begin() + 1, known.labels.end());
    }
    for (Item label : published_) {
      for (; !items.is_left_out(label); label = items.parent(label)) named.insert(label);
    }
    nodes_.assign(named.begin(), named.end());
    std::map<Record, uint64_t> distinct;
    for (const LiteralRecord& known : records) ++distinct[Read(known)];
    for (const auto& [record, weight] : distinct) {
      records_.push_back(record);
      records_.back().weight = weight;
    }
  }

  bool Holds() {
    std::vector<size_t> chosen;
    std::vector<const Record*> all;
    for (const Record& record : records_) all.push_back(&record);
    return IsDiverse({}, all) && !Choose(chosen, 0);
  }

 private:
  // By node: whether the record shows it as a label, and whether it shows anything at or below it; by pair of nodes: whether
  // the first stands above the second as a label, and above anything at or below it.
  struct Record {
    std::vector<bool> label;
    std::vector<bool> present;
    std::vector<std::vector<bool>> over_label;
    std::vector<std::vector<bool>> over_any;
    // By node, and for the record itself in the last place.
    std::vector<std::set<Secret>> secrets;
    // How many records are like this one.
    uint64_t weight = 0;

    friend bool operator<(const Record& a, const Record& b) {
      return std::tie(a.label, a.over_label, a.secrets) <
             std::tie(b.label, b.over_label, b.secrets);
    }
  };
  struct Fact {
    enum class Kind { kLabel, kAbsent, kOver, kNotOver };
    Kind kind;
    size_t a;
    size_t b;
    bool is_relation() const { return kind == Kind::kOver || kind == Kind::kNotOver; }
  };

  size_t PlaceOf(Item item) const {
    return static_cast<size_t>(std::lower_bound(nodes_.begin(), nodes_.end(), item) -
                               nodes_.begin());
  }

  Record Read(const LiteralRecord& known) const {
    const size_t count = nodes_.size();
    Record record;
    record.label.resize(count);
    record.present.resize(count);
    record.over_label.assign(count, std::vector<bool>(count));
    record.over_any = record.over_label;
    record.secrets.resize(count + 1);
    if (l_ > 0) record.secrets[count] = known.secrets[0];
    for (size_t place = 1; place < known.labels.size(); ++place) {
      const size_t node = PlaceOf(known.labels[place]);
      record.label[node] = true;
      if (l_ > 0) record.secrets[node] = known.secrets[place];
      for (Item item = known.labels[place]; !items_.is_left_out(item); item = items_.parent(item)) {
        record.present[PlaceOf(item)] = true;
      }
      for (size_t below = 1; below < known.labels.size(); ++below) {
        if (!known.related[place][below] || !IsAbove(known.labels[place], known.labels[below])) {
          continue;
        }
        record.over_label[node][PlaceOf(known.labels[below])] = true;
        for (Item item = known.labels[below]; !items_.is_left_out(item);
             item = items_.parent(item)) {
          record.over_any[node][PlaceOf(item)] = true;
        }
      }
    }
    return record;
  }

  bool IsAbove(Item above, Item below) const {
    return items_.MayStandBelow(items_.attribute_of(above), items_.attribute_of(below));
  }

  // Of the records that a set of facts is true of: at the record, and at each label that must be there.
  bool IsDiverse(const std::vector<Fact>& facts, const std::vector<const Record*>& left) const {
    if (l_ == 0) return true;
    std::set<size_t> places = {nodes_.size()};
    for (const Fact& fact : facts) {
      if (fact.kind == Fact::Kind::kAbsent) continue;
      places.insert(fact.a);
      if (fact.kind == Fact::Kind::kOver) places.insert(fact.b);
    }
    uint64_t size = 0;
    for (const Record* record : left) size += record->weight;
    for (const size_t place : places) {
      std::map<Secret, uint64_t> counts;
      for (const Record* record : left) {
        for (const Secret& secret : record->secrets[place]) counts[secret] += record->weight;
      }
      for (const auto& [secret, count] : counts) {
        if (count * l_ > size) return false;
      }
    }
    return true;
  }

  static bool IsTrue(const Fact& fact, const Record& record) {
    switch (fact.kind) {
      case Fact::Kind::kLabel:
        return record.label[fact.a];
      case Fact::Kind::kAbsent:
        return !record.present[fact.a];
      case Fact::Kind::kOver:
        return record.over_label[fact.a][fact.b];
      case Fact::Kind::kNotOver:
        return record.label[fact.a] && !record.over_any[fact.a][fact.b];
    }
    return false;
  }

  bool Choose(std::vector<size_t>& chosen, size_t from) {
    if (!chosen.empty()) {
      std::vector<const Record*> all;
      for (const Record& record : records_) all.push_back(&record);
      std::vector<Fact> asserted;
      if (AddFacts(FactsOf(chosen), 0, asserted, all)) return true;
    }
    if (chosen.size() == limits_.m) return false;
    for (size_t node = from; node < nodes_.size(); ++node) {
      chosen.push_back(node);
      if (Choose(chosen, node + 1)) return true;
      chosen.pop_back();
    }
    return false;
  }

  std::vector<Fact> FactsOf(const std::vector<size_t>& chosen) const {
    std::vector<Fact> facts;
    for (const size_t a : chosen) {
      const bool is_label = published_.count(nodes_[a]) != 0;
      if (is_label) facts.push_back({Fact::Kind::kLabel, a, 0});
      facts.push_back({Fact::Kind::kAbsent, a, 0});
      for (const size_t b : chosen) {
        if (limits_.n == 0 || a == b || !is_label) continue;
        if (!IsAbove(nodes_[a], nodes_[b])) continue;
        if (published_.count(nodes_[b]) != 0) facts.push_back({Fact::Kind::kOver, a, b});
        facts.push_back({Fact::Kind::kNotOver, a, b});
      }
    }
    return facts;
  }

  // Whether some set of the facts from `next` on, beside those of `asserted`, is rare or not diverse; `left` are the records
  // that `asserted` is true of.
  bool AddFacts(const std::vector<Fact>& facts, size_t next, std::vector<Fact>& asserted,
                const std::vector<const Record*>& left) {
    const auto relations = static_cast<uint32_t>(std::count_if(
        asserted.begin(), asserted.end(), [](const Fact& one) { return one.is_relation(); }));
    for (; next < facts.size(); ++next) {
      if (facts[next].is_relation() && relations == limits_.n) continue;
      std::vector<const Record*> fewer;
      uint64_t support = 0;
      for (const Record* record : left) {
        if (!IsTrue(facts[next], *record)) continue;
        fewer.push_back(record);
        support += record->weight;
      }
      if (support == 0) continue;
      asserted.push_back(facts[next]);
      if (support < limits_.k || !IsDiverse(asserted, fewer) ||
          AddFacts(facts, next + 1, asserted, fewer)) {
        return true;
      }
      asserted.pop_back();
    }
    return false;
  }

  const ItemHierarchy& items_;
  const KnowledgeLimits& limits_;
  const uint32_t l_;
  std::set<Item> published_;
  // Published labels and all items above them.
  std::vector<Item> nodes_;
  std::vector<Record> records_;
};

// Without negative knowledge: diversity alone.
class LiteralDiversity {
 public:
  LiteralDiversity(std::vector<LiteralRecord> records, const KnowledgeLimits& limits, uint32_t l)
      : records_(std::move(records)), limits_(limits), l_(l) {}

  bool Holds() {
    std::vector<Entry> all;
    for (uint32_t record = 0; record < records_.size(); ++record) all.push_back({record, {}});
    return AllDiverse(all, 0) && Extend(all, 0, 0);
  }

 private:
  // A record with the places of the labels so far.
  struct Entry {
    uint32_t record;
    std::vector<uint32_t> places;
  };
  using Relations = std::vector<std::pair<uint32_t, uint32_t>>;

  // Of records that have a combination of `depth` labels: at the root, and at each label.
  bool AllDiverse(const std::vector<Entry>& entries, size_t depth) const {
    for (size_t label = 0; label <= depth; ++label) {
      std::map<Secret, uint64_t> counts;
      for (const Entry& entry : entries) {
        const uint32_t place = label == depth ? 0 : entry.places[label];
        for (const Secret& secret : records_[entry.record].secrets[place]) ++counts[secret];
      }
      for (const auto& [secret, count] : counts) {
        if (count * l_ > entries.size()) return false;
      }
    }
    return true;
  }

  // Every set of up to n relations between the labels, beyond `relations`.
  bool Relate(const std::vector<Entry>& entries, size_t depth, const Relations& relations) const {
    if (!relations.empty() && !AllDiverse(entries, depth)) return false;
    if (relations.size() == limits_.n) return true;
    for (uint32_t high = 1; high < depth; ++high) {
      for (uint32_t low = 0; low < high; ++low) {
        const std::pair<uint32_t, uint32_t> pair = {high, low};
        if (!relations.empty() && pair <= relations.back()) continue;
        std::vector<Entry> some;
        for (const Entry& entry : entries) {
          if (records_[entry.record].related[entry.places[high]][entry.places[low]]) {
            some.push_back(entry);
          }
        }
        if (some.empty()) continue;
        Relations more = relations;
        more.push_back(pair);
        if (!Relate(some, depth, more)) return false;
      }
    }
    return true;
  }

  bool Extend(const std::vector<Entry>& entries, size_t depth, Item from) const {
    if (depth == limits_.m) return true;
    std::map<Item, std::vector<Entry>> next;
    for (const Entry& entry : entries) {
      const LiteralRecord& known = records_[entry.record];
      for (uint32_t place = 1; place < known.labels.size(); ++place) {
        if (known.labels[place] < from) continue;
        Entry longer = entry;
        longer.places.push_back(place);
        next[known.labels[place]].push_back(std::move(longer));
      }
    }
    for (const auto& [label, some] : next) {
      if (!AllDiverse(some, depth + 1) || !Relate(some, depth + 1, {})) return false;
      if (!Extend(some, depth + 1, label + 1)) return false;
    }
    return true;
  }

  const std::vector<LiteralRecord> records_;
  const KnowledgeLimits& limits_;
  const uint32_t l_;
};

}  // namespace thicket::testing
