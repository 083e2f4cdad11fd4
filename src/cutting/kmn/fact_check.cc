#include "cutting/kmn/fact_check.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "base/simd.h"
#include "base/stop.h"
#include "cutting/kmn/shape_words.h"

namespace thicket {

namespace {

using Words = std::vector<ShapeWord>;

THICKET_SIMD uint64_t CountBits(const ShapeWord* words, size_t count, const uint64_t* also_in) {
  uint64_t bits = 0;
  for (size_t i = 0; i < count; ++i) {
    bits += static_cast<uint64_t>(std::popcount(words[i].bits & also_in[words[i].at]));
  }
  return bits;
}

// A word of every bitmap costs about as much as so many values of a record.
constexpr uint64_t kWordsPerValue = 2;

class FactWalk {
 public:
  FactWalk(const FactIndex& index, const ItemHierarchy& items, const KnowledgeLimits& limits,
           const FactQuestion& question)
      : index_(index),
        rows_(index.rows()),
        weights_{&index.rows(), index.rows().one_each()},
        items_(items),
        limits_(limits),
        question_(question),
        words_(limits.m + size_t{1}),
        related_words_(limits.n + size_t{1}),
        counts_(index.rows().secrets().size(), 0) {}

  bool Holds() {
    const size_t records = rows_.size();
    for (uint32_t at = 0; at < ShapeWordCount(records); ++at) {
      const size_t here = std::min<size_t>(64, records - size_t{at} * 64);
      words_[0].push_back({here == 64 ? ~uint64_t{0} : (uint64_t{1} << here) - 1, at});
    }
    return IsDiverse(words_[0]) &&
           Extend(0, question_.only_fresh ? index_.fresh() : index_.nodes());
  }

 private:
  struct Weights {
    const FactRows* rows;
    bool one_each;
    uint64_t of(size_t row) const { return rows->weight(row); }
  };
  // What is said of a node: something at or below it is there, nothing is, or only what it does not stand below.
  enum class Said { kPresent, kAbsent, kNothing };
  struct Name {
    uint32_t node;
    Said said;
  };
  struct RelationFact {
    uint32_t upper;
    uint32_t lower;
    bool holds;
  };

  uint64_t CountUpToK(const Words& words, const ShapeOperand& fact) const {
    return CountRecords(words, limits_.k, weights_,
                        [&](const ShapeWord& word) { return fact.Of(word); });
  }

  // Whether sensitive values are diverse among the rows of `words`; where l is asked for, rows are records.
  bool IsDiverse(const Words& words) {
    if (question_.l == 0 || words.empty()) return true;
    const uint64_t records = CountRecords(words, ~uint64_t{0}, weights_,
                                          [](const ShapeWord& word) { return word.bits; });
    // Counts by bitmaps or value by value, whichever is less work.
    const uint64_t values = records * (1 + rows_.held_count() / rows_.size());
    if (rows_.secrets().size() * words.size() > values * kWordsPerValue) {
      return IsDiverseByValue(words, records);
    }
    const std::vector<ShapeSet>& secrets = rows_.secrets();
    return std::none_of(secrets.begin(), secrets.end(), [&](const ShapeSet& set) {
      if (set.records * question_.l <= records) return false;
      return CountBits(words.data(), words.size(), set.words.data()) * question_.l > records;
    });
  }
  bool IsDiverseByValue(const Words& words, uint64_t records) {
    uint64_t most = 0;
    for (const ShapeWord& word : words) {
      for (uint64_t rest = word.bits; rest != 0; rest &= rest - 1) {
        const size_t row = size_t{word.at} * 64 + static_cast<size_t>(std::countr_zero(rest));
        for (const uint32_t secret : rows_.secrets_of(row)) {
          if (counts_[secret] == 0) touched_.push_back(secret);
          most = std::max(most, ++counts_[secret]);
        }
      }
    }
    for (const uint32_t secret : touched_) counts_[secret] = 0;
    touched_.clear();
    return most * question_.l <= records;
  }

  bool IsAbove(uint32_t upper, uint32_t lower) const {
    const uint32_t attribute = items_.attribute_of(index_.item(upper));
    // Below the record's root is everything that the record has: no relation says more than its labels.
    return !items_.IsOfRoot(attribute) &&
           items_.MayStandBelow(attribute, items_.attribute_of(index_.item(lower)));
  }

  // Whether something is said to be there that is at or below the node, or above it.
  bool SaysRelative(uint32_t node) const {
    const auto is_below = [&](Item below, Item above) {
      while (below > above && !items_.is_left_out(below)) below = items_.parent(below);
      return below == above;
    };
    return std::any_of(names_.begin(), names_.end(), [&](const Name& name) {
      return name.said == Said::kPresent && (is_below(index_.item(name.node), index_.item(node)) ||
                                             is_below(index_.item(node), index_.item(name.node)));
    });
  }

  // Names one more node, from this one on, below `to`.
  bool Extend(uint32_t from, uint32_t to) {
    if (names_.size() == limits_.m) return true;
    for (uint32_t node = from; node < to; ++node) {
      StopPoint();
      // A node that nobody shows says nothing about anybody.
      if (index_.present(node).records == 0) continue;
      const bool is_label = node < index_.labels();
      // Of two names of which one says the other, only relations can tell something more.
      const bool may_be_there = is_label || (question_.l > 0 && index_.overlaps(node) &&
                                             (limits_.n > 0 || !SaysRelative(node)));
      if (may_be_there && !Say({node, Said::kPresent}, {index_.present(node).words.data(), 0})) {
        return false;
      }
      if (!question_.negative) continue;
      if (!Say({node, Said::kAbsent}, {index_.present(node).words.data(), ~uint64_t{0}})) {
        return false;
      }
      // A record in which a label does not stand below another one either shows that label elsewhere or lacks it: where
      // k is asked for, both cases are looked at by themselves. An item above labels may be there without being a
      // label.
      const bool says_more = question_.l > 0 || !is_label;
      if (limits_.n > 0 && says_more && !SayNothing(node)) return false;
    }
    return true;
  }

  // Whether so few records are too few. They are not where an item above labels is said to be there.
  bool IsRare(uint64_t records) const { return records < limits_.k && general_ == 0; }

  bool Say(const Name& name, const ShapeOperand& fact) {
    const size_t depth = names_.size();
    const uint64_t records = CountUpToK(words_[depth], fact);
    if (records == 0) return true;
    const size_t general = name.said == Said::kPresent && name.node >= index_.labels() ? 1 : 0;
    general_ += general;
    const bool judged = unsaid_ == 0 && !question_.only_related;
    bool holds = !judged || !IsRare(records);
    names_.push_back(name);
    ListRelations();
    const bool asks_l = judged && question_.l > 0;
    if (holds && (asks_l || depth + 1 < limits_.m || !facts_.empty())) {
      Narrow(words_[depth], fact, words_[depth + 1]);
      holds = (!judged || IsDiverse(words_[depth + 1])) && AddRelations(words_[depth + 1], 0) &&
              Extend(name.node + 1, index_.nodes());
    }
    names_.pop_back();
    general_ -= general;
    return holds;
  }
  bool SayNothing(uint32_t node) {
    const size_t depth = names_.size();
    words_[depth + 1] = words_[depth];
    names_.push_back({node, Said::kNothing});
    ++unsaid_;
    ListRelations();
    const bool holds = AddRelations(words_[depth + 1], 0) && Extend(node + 1, index_.nodes());
    --unsaid_;
    names_.pop_back();
    return holds;
  }

  // The relations between the names that may be known to hold, or not to.
  void ListRelations() {
    facts_.clear();
    if (limits_.n == 0) return;
    for (const Name& upper : names_) {
      if (upper.said != Said::kPresent) continue;
      for (const Name& lower : names_) {
        // A label that is absent stands below nothing: no relation says more.
        if (lower.said == Said::kAbsent || !IsAbove(upper.node, lower.node)) continue;
        if (index_.over(upper.node, lower.node) == nullptr) continue;
        if (lower.said == Said::kPresent) facts_.push_back({upper.node, lower.node, true});
        if (question_.negative) facts_.push_back({upper.node, lower.node, false});
      }
    }
  }

  // Looks at every set of relations that adds to the chosen ones.
  bool AddRelations(const Words& words, size_t next) {
    if (chosen_.size() == limits_.n) return true;
    for (; next < facts_.size(); ++next) {
      StopPoint();
      const RelationFact& fact = facts_[next];
      const ShapeOperand operand = {index_.over(fact.upper, fact.lower)->data(),
                                    fact.holds ? 0 : ~uint64_t{0}};
      const uint64_t records = CountUpToK(words, operand);
      if (records == 0) continue;
      chosen_.push_back(fact);
      const bool judged = AllNamed();
      bool holds = !judged || !IsRare(records);
      const bool is_last = chosen_.size() == limits_.n || next + 1 == facts_.size();
      if (holds && (question_.l > 0 || !is_last)) {
        Words& fewer = related_words_[chosen_.size() - 1];
        Narrow(words, operand, fewer);
        holds = (!judged || IsDiverse(fewer)) && AddRelations(fewer, next + 1);
      }
      chosen_.pop_back();
      if (!holds) return false;
    }
    return true;
  }

  // Whether each name stands in some fact.
  bool AllNamed() const {
    if (unsaid_ == 0) return true;
    return std::all_of(names_.begin(), names_.end(), [&](const Name& name) {
      return name.said != Said::kNothing ||
             std::any_of(chosen_.begin(), chosen_.end(),
                         [&](const RelationFact& fact) { return fact.lower == name.node; });
    });
  }

  const FactIndex& index_;
  const FactRows& rows_;
  Weights weights_;
  const ItemHierarchy& items_;
  const KnowledgeLimits limits_;
  const FactQuestion question_;
  std::vector<Name> names_;
  // Of how many names nothing is said but what they do not stand below.
  size_t unsaid_ = 0;
  // How many names that are no labels are said to be there.
  size_t general_ = 0;
  std::vector<RelationFact> facts_;
  std::vector<RelationFact> chosen_;
  // By number of names: the records that the facts so far are true of; and by number of relations.
  std::vector<Words> words_;
  std::vector<Words> related_words_;
  // By secret: how many records have it; zero between questions.
  std::vector<uint64_t> counts_;
  std::vector<uint32_t> touched_;
};

}  // namespace

bool FactsHold(const FactIndex& index, const ItemHierarchy& items, const KnowledgeLimits& limits,
               const FactQuestion& question) {
  return FactWalk(index, items, limits, question).Holds();
}

}  // namespace thicket
