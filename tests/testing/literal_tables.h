// l+-diversity of tables, Chapter 3 of Liu 2010 word for word: the reference for tests.
//
// Plain numbers instead of the project's types, every cut tried, every class formed anew, fractions exact. Nothing of
// cutting/ is used. For tables of about a dozen records: 2^records for CM with violating-records.
//
//   LiteralTables literal(table, {.scheme = LiteralScheme::kViolatingRecords, .metric = LiteralMetric::kDm},
//                         LiteralPromise::Diversity(2));
//   literal.Best(1)[0].cost;     // the least of all valid cuts
//   literal.Try(cut).deleted;    // which records the scheme leaves out
//
// Where the thesis leaves a choice:
//   - A threshold of 1 is never violated. A value without a threshold of its own has the general one.
//   - violating-values stars every occurrence of a violating value, once: the size of the class stays, and with it all
//     other shares (Table 3.2). The stars themselves are no value, whatever their share.
//   - violating-records: #MinRm (Lemma 3.3) records of any violating value are deleted, until nothing violates. The order
//     of values does not matter: of two ways to keep counts c_i <= theta_i * sum(c) the larger count of each value is a
//     third, so there is a largest way, and #MinRm never goes below it. Which records of a value are deleted makes a
//     difference for CM only: those that leave the smallest minority (Section 3.5.3).
//   - k is of the project: a class of 1 to k - 1 records violates as a whole, before suppression and after it. Schemes of
//     records delete such a class; no star mends it, so with the other schemes the cut is invalid.
//   - Several sensitive attributes are of the project, too: each must keep the promise by itself, and all-values stars
//     only those that do not. Not with violating-records, whose fewest records nothing in the thesis tells.
//   - LM of a taxonomy with one leaf is 0. Of classes as frequent as each other any is the majority (CM). Suppressed records
//     cost nothing beside their suppression (Table 3.4), starred ones their generalization as well.
//   - The table may be published empty: a cut whose records are all deleted is valid.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace thicket::testing {

class LiteralFraction {
 public:
  LiteralFraction(int64_t above = 0, int64_t below = 1) : above_(above), below_(below) {
    const int64_t common = std::gcd(above, below);
    above_ /= common;
    below_ /= common;
  }
  int64_t above() const { return above_; }
  int64_t below() const { return below_; }
  // Rounded up.
  int64_t Ceiling() const { return above_ > 0 ? (above_ + below_ - 1) / below_ : above_ / below_; }

  friend LiteralFraction operator+(const LiteralFraction& a, const LiteralFraction& b) {
    return {a.above_ * b.below_ + b.above_ * a.below_, a.below_ * b.below_};
  }
  friend LiteralFraction operator-(const LiteralFraction& a, const LiteralFraction& b) {
    return {a.above_ * b.below_ - b.above_ * a.below_, a.below_ * b.below_};
  }
  friend LiteralFraction operator*(const LiteralFraction& a, const LiteralFraction& b) {
    return {a.above_ * b.above_, a.below_ * b.below_};
  }
  friend LiteralFraction operator/(const LiteralFraction& a, const LiteralFraction& b) {
    return {a.above_ * b.below_, a.below_ * b.above_};
  }
  friend std::strong_ordering operator<=>(const LiteralFraction& a, const LiteralFraction& b) {
    return a.above_ * b.below_ <=> b.above_ * a.below_;
  }
  friend bool operator==(const LiteralFraction& a, const LiteralFraction& b) = default;
  // What GoogleTest prints.
  friend std::ostream& operator<<(std::ostream& out, const LiteralFraction& fraction) {
    return out << fraction.above_ << "/" << fraction.below_;
  }

 private:
  int64_t above_;
  int64_t below_;
};

// Node 0 is the root; the parent of every other node stands before the node.
struct LiteralTaxonomy {
  std::vector<int> parents = {-1};

  std::vector<int> Children(int node) const {
    std::vector<int> children;
    for (int other = 1; other < static_cast<int>(parents.size()); ++other) {
      if (parents[static_cast<size_t>(other)] == node) children.push_back(other);
    }
    return children;
  }
  bool IsLeaf(int node) const { return Children(node).empty(); }
  int Leaves(int node) const {
    int leaves = IsLeaf(node) ? 1 : 0;
    for (const int child : Children(node)) leaves += Leaves(child);
    return leaves;
  }
};

// By attribute: the nodes of its taxonomy, exactly one on each way from the root to a leaf.
using LiteralTableCut = std::vector<std::set<int>>;

inline std::vector<std::set<int>> LiteralCutsBelow(const LiteralTaxonomy& taxonomy, int node) {
  std::vector<std::set<int>> cuts = {{}};
  for (const int child : taxonomy.Children(node)) {
    std::vector<std::set<int>> longer;
    for (const std::set<int>& cut : cuts) {
      for (std::set<int> more : LiteralCutsBelow(taxonomy, child)) {
        more.insert(cut.begin(), cut.end());
        longer.push_back(std::move(more));
      }
    }
    cuts = std::move(longer);
  }
  if (taxonomy.IsLeaf(node)) return {{node}};
  cuts.push_back({node});
  return cuts;
}

inline std::vector<LiteralTableCut> LiteralTableCuts(
    const std::vector<LiteralTaxonomy>& taxonomies) {
  std::vector<LiteralTableCut> cuts = {{}};
  for (const LiteralTaxonomy& taxonomy : taxonomies) {
    std::vector<LiteralTableCut> longer;
    for (const LiteralTableCut& cut : cuts) {
      for (const std::set<int>& more : LiteralCutsBelow(taxonomy, 0)) {
        longer.push_back(cut);
        longer.back().push_back(more);
      }
    }
    cuts = std::move(longer);
  }
  return cuts;
}

// By record: a leaf per taxonomy, a value per sensitive attribute (a missing value is one of them), a class label (CM).
struct LiteralTable {
  std::vector<LiteralTaxonomy> taxonomies;
  std::vector<std::vector<int>> quasi;
  std::vector<std::vector<int>> sensitive;
  std::vector<int> labels;

  size_t size() const { return quasi.size(); }
  size_t sensitive_attributes() const { return sensitive.empty() ? 0 : sensitive[0].size(); }
  // By value of a sensitive attribute: how many of some records have it.
  std::map<int, int64_t> Count(const std::vector<size_t>& records, size_t attribute) const {
    std::map<int, int64_t> counts;
    for (const size_t record : records) ++counts[sensitive[record][attribute]];
    return counts;
  }
};

struct LiteralPromise {
  int64_t k = 1;
  // Of every value without one of its own.
  LiteralFraction theta = 1;
  // By sensitive attribute and value; may be shorter than the attributes are many.
  std::vector<std::map<int, LiteralFraction>> own = {};

  static LiteralPromise Diversity(int64_t l, int64_t k = 1) { return {k, {1, l}, {}}; }
  // Section 3.6.1.2: a value that is more frequent than the average is less sensitive.
  static LiteralPromise Derived(const LiteralTable& table, LiteralFraction theta) {
    LiteralPromise promise{1, theta, {}};
    std::vector<size_t> all(table.size());
    std::iota(all.begin(), all.end(), size_t{0});
    for (size_t attribute = 0; attribute < table.sensitive_attributes(); ++attribute) {
      const std::map<int, int64_t> counts = table.Count(all, attribute);
      const LiteralFraction average(static_cast<int64_t>(table.size()),
                                    static_cast<int64_t>(counts.size()));
      promise.own.emplace_back();
      for (const auto& [value, count] : counts) {
        if (count < average) continue;
        promise.own.back()[value] = std::min(LiteralFraction(1), theta * count / average);
      }
    }
    return promise;
  }

  LiteralFraction Theta(size_t attribute, int value) const {
    if (attribute >= own.size()) return theta;
    const auto found = own[attribute].find(value);
    return found == own[attribute].end() ? theta : found->second;
  }
};

enum class LiteralScheme { kNone, kAllRecords, kAllValues, kViolatingValues, kViolatingRecords };
enum class LiteralMetric { kLm, kDm, kCm };

struct LiteralSettings {
  LiteralScheme scheme = LiteralScheme::kNone;
  LiteralMetric metric = LiteralMetric::kLm;
  // Of a record or of a value; without it the least of Section 3.5.
  std::optional<LiteralFraction> suppression_cost = std::nullopt;
};

struct LiteralAnonymization {
  LiteralTableCut cut;
  bool is_valid = true;
  // By generalized quasi-identifiers: all its records, also those that are deleted.
  std::map<std::vector<int>, std::vector<size_t>> classes = {};
  std::set<size_t> deleted = {};
  // Record and sensitive attribute.
  std::set<std::pair<size_t, size_t>> starred = {};
  LiteralFraction cost = 0;
};

class LiteralTables {
 public:
  using Records = std::vector<size_t>;

  LiteralTables(LiteralTable table, LiteralSettings settings, LiteralPromise promise)
      : table_(std::move(table)), settings_(settings), promise_(std::move(promise)) {
    const bool of_values = settings.scheme == LiteralScheme::kAllValues ||
                           settings.scheme == LiteralScheme::kViolatingValues;
    if (of_values && settings.metric != LiteralMetric::kLm) {
      throw std::logic_error("DM and CM know no suppressed values");
    }
    if (settings.scheme == LiteralScheme::kViolatingRecords && table_.sensitive_attributes() > 1) {
      throw std::logic_error("violating-records is for one sensitive attribute");
    }
  }

  const LiteralTable& table() const { return table_; }
  const LiteralSettings& settings() const { return settings_; }

  // Definition 3.1: values of an attribute that too many of the class have.
  std::vector<int> Violating(const Records& records, size_t attribute) const {
    std::vector<int> violating;
    const auto size = static_cast<int64_t>(records.size());
    for (const auto& [value, count] : table_.Count(records, attribute)) {
      if (LiteralFraction(count, size) > promise_.Theta(attribute, value)) {
        violating.push_back(value);
      }
    }
    return violating;
  }
  bool IsTooSmall(const Records& records) const {
    return !records.empty() && static_cast<int64_t>(records.size()) < promise_.k;
  }
  bool Keeps(const Records& records) const {
    if (IsTooSmall(records)) return false;
    for (size_t attribute = 0; attribute < table_.sensitive_attributes(); ++attribute) {
      if (!Violating(records, attribute).empty()) return false;
    }
    return true;
  }

  // Lemma 3.3, once.
  static int64_t MinRm(int64_t count, int64_t size, const LiteralFraction& theta) {
    return ((LiteralFraction(count) - theta * size) / (LiteralFraction(1) - theta)).Ceiling();
  }
  // Lemma 3.3 for each violating value, and until nothing violates where records are deleted, as in Example 3.7: how many
  // of each value are suppressed at least.
  std::map<int, int64_t> MinRm(const Records& records, size_t attribute, bool of_records) const {
    std::map<int, int64_t> counts = table_.Count(records, attribute);
    std::map<int, int64_t> suppressed;
    auto size = static_cast<int64_t>(records.size());
    for (bool again = true; again;) {
      again = false;
      for (auto& [value, count] : counts) {
        const LiteralFraction theta = promise_.Theta(attribute, value);
        if (count == 0 || LiteralFraction(count, size) <= theta) continue;
        const int64_t minimum = MinRm(count, size, theta);
        suppressed[value] += minimum;
        if (!of_records) continue;
        count -= minimum;
        size -= minimum;
        again = true;
      }
    }
    return suppressed;
  }

  std::map<std::vector<int>, Records> Classes(const LiteralTableCut& cut) const {
    std::map<std::vector<int>, Records> classes;
    for (size_t record = 0; record < table_.size(); ++record) {
      std::vector<int> labels = table_.quasi[record];
      for (size_t attribute = 0; attribute < labels.size(); ++attribute) {
        int& label = labels[attribute];
        while (!cut[attribute].contains(label)) {
          label = table_.taxonomies[attribute].parents[static_cast<size_t>(label)];
        }
      }
      classes[labels].push_back(record);
    }
    return classes;
  }

  LiteralAnonymization Try(const LiteralTableCut& cut) const {
    LiteralAnonymization tried{cut};
    tried.classes = Classes(cut);
    for (const auto& [labels, records] : tried.classes) {
      Suppress(records, tried);
      tried.cost = tried.cost + CostOfKept(labels, Without(records, tried.deleted));
    }
    const auto suppressed = static_cast<int64_t>(tried.deleted.size() + tried.starred.size());
    tried.cost = tried.cost + SuppressionCost() * suppressed;
    return tried;
  }

  // The valid cuts of least cost, at most so many, cheapest first.
  std::vector<LiteralAnonymization> Best(size_t most) const {
    std::vector<LiteralAnonymization> valid;
    for (const LiteralTableCut& cut : LiteralTableCuts(table_.taxonomies)) {
      valid.push_back(Try(cut));
      if (!valid.back().is_valid) valid.pop_back();
    }
    std::stable_sort(valid.begin(), valid.end(),
                     [](const auto& a, const auto& b) { return a.cost < b.cost; });
    if (valid.size() > most) valid.erase(valid.begin() + static_cast<int64_t>(most), valid.end());
    return valid;
  }

  // Section 3.5: of a record, or of a value.
  LiteralFraction SuppressionCost() const {
    if (settings_.suppression_cost.has_value()) return *settings_.suppression_cost;
    const auto quasi = static_cast<int64_t>(table_.taxonomies.size());
    if (settings_.metric == LiteralMetric::kDm) return static_cast<int64_t>(table_.size());
    if (settings_.metric == LiteralMetric::kCm) return 1;
    const bool of_records = settings_.scheme == LiteralScheme::kAllRecords ||
                            settings_.scheme == LiteralScheme::kViolatingRecords;
    return of_records ? 2 * quasi : quasi;
  }

  // cost_g of all records that are left of a class.
  LiteralFraction CostOfKept(const std::vector<int>& labels, const Records& kept) const {
    const auto size = static_cast<int64_t>(kept.size());
    if (settings_.metric == LiteralMetric::kDm) return size * size;
    if (settings_.metric == LiteralMetric::kCm) return Minority(kept);
    LiteralFraction of_record = 0;
    for (size_t attribute = 0; attribute < labels.size(); ++attribute) {
      const LiteralTaxonomy& taxonomy = table_.taxonomies[attribute];
      const int all = taxonomy.Leaves(0);
      if (all == 1) continue;
      of_record = of_record + LiteralFraction(taxonomy.Leaves(labels[attribute]) - 1, all - 1);
    }
    return of_record * size;
  }

 private:
  static Records Without(const Records& records, const std::set<size_t>& deleted) {
    Records left;
    for (const size_t record : records) {
      if (!deleted.contains(record)) left.push_back(record);
    }
    return left;
  }

  int64_t Minority(const Records& records) const {
    std::map<int, int64_t> counts;
    int64_t majority = 0;
    for (const size_t record : records) {
      majority = std::max(majority, ++counts[table_.labels[record]]);
    }
    return static_cast<int64_t>(records.size()) - majority;
  }

  void Suppress(const Records& records, LiteralAnonymization& tried) const {
    if (Keeps(records)) return;
    switch (settings_.scheme) {
      case LiteralScheme::kNone:
        tried.is_valid = false;
        break;
      case LiteralScheme::kAllRecords:
        tried.deleted.insert(records.begin(), records.end());
        break;
      case LiteralScheme::kAllValues:
      case LiteralScheme::kViolatingValues:
        if (IsTooSmall(records)) tried.is_valid = false;
        Star(records, tried);
        break;
      case LiteralScheme::kViolatingRecords:
        DeleteFewest(records, tried);
        break;
    }
  }

  void Star(const Records& records, LiteralAnonymization& tried) const {
    for (size_t attribute = 0; attribute < table_.sensitive_attributes(); ++attribute) {
      const std::vector<int> violating = Violating(records, attribute);
      if (violating.empty()) continue;
      for (const size_t record : records) {
        const bool is_violating =
            std::count(violating.begin(), violating.end(), table_.sensitive[record][attribute]) > 0;
        if (is_violating || settings_.scheme == LiteralScheme::kAllValues) {
          tried.starred.insert({record, attribute});
        }
      }
    }
  }

  void DeleteFewest(const Records& records, LiteralAnonymization& tried) const {
    std::map<int, int64_t> to_delete;
    if (table_.sensitive_attributes() == 1) to_delete = MinRm(records, 0, true);
    std::set<size_t> deleted;
    std::optional<std::set<size_t>> best;
    ChooseDeleted(records, 0, to_delete, deleted, best);
    if (IsTooSmall(Without(records, *best))) best->insert(records.begin(), records.end());
    tried.deleted.insert(best->begin(), best->end());
  }

  // Tries every choice of so many records of each value; the first of those that leave the smallest minority wins.
  void ChooseDeleted(const Records& records, size_t next, std::map<int, int64_t>& to_delete,
                     std::set<size_t>& deleted, std::optional<std::set<size_t>>& best) const {
    const bool by_minority = settings_.metric == LiteralMetric::kCm;
    if (best.has_value() && !by_minority) return;
    if (next == records.size()) {
      for (const auto& [value, count] : to_delete) {
        if (count > 0) return;
      }
      if (!best.has_value() ||
          Minority(Without(records, deleted)) < Minority(Without(records, *best))) {
        best = deleted;
      }
      return;
    }
    int64_t none = 0;
    const size_t record = records[next];
    const auto found = table_.sensitive_attributes() == 1
                           ? to_delete.find(table_.sensitive[record][0])
                           : to_delete.end();
    int64_t& left = found == to_delete.end() ? none : found->second;
    if (left > 0) {
      --left;
      deleted.insert(record);
      ChooseDeleted(records, next + 1, to_delete, deleted, best);
      deleted.erase(record);
      ++left;
    }
    ChooseDeleted(records, next + 1, to_delete, deleted, best);
  }

  LiteralTable table_;
  LiteralSettings settings_;
  LiteralPromise promise_;
};

}  // namespace thicket::testing
