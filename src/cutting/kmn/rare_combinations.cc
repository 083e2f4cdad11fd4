#include "cutting/kmn/rare_combinations.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/stop.h"

namespace thicket {

RareCombinations::RareCombinations(const Shapes& shapes, const KnowledgeLimits& limits,
                                   Stop must_stop)
    : weights_{&shapes, shapes.records() == shapes.size()},
      limits_(limits),
      must_stop_(std::move(must_stop)),
      chosen_(limits.m, 0),
      words_(limits.m + size_t{1}),
      pairs_(PairBit(0, limits.m), nullptr),
      possible_(limits.m + size_t{1}, 0),
      passed_over_(limits.m + size_t{1}) {
  ListRelationSets();
}

void RareCombinations::ListRelationSets() {
  relation_sets_.resize(limits_.m + size_t{1});
  for (uint32_t labels = 2; labels <= limits_.m; ++labels) {
    const uint32_t pairs = labels * (labels - 1) / 2;
    std::vector<uint32_t>& sets = relation_sets_[labels];
    // Of the sets of one size, the next larger ones come from adding a pair above the highest.
    std::vector<uint32_t> last = {0};
    for (uint32_t size = 1; size <= std::min(limits_.n, pairs); ++size) {
      std::vector<uint32_t> larger;
      for (const uint32_t set : last) {
        for (auto bit = static_cast<uint32_t>(std::bit_width(set)); bit < pairs; ++bit) {
          larger.push_back(set | uint32_t{1} << bit);
        }
      }
      sets.insert(sets.end(), larger.begin(), larger.end());
      last = std::move(larger);
    }
  }
}

std::pair<Item, Item> RareCombinations::LabelsOf(uint32_t bit) const {
  uint32_t high = 1;
  while (PairBit(0, high + 1) <= bit) ++high;
  const Item a = knowledge_->label(chosen_[bit - PairBit(0, high)]);
  const Item b = knowledge_->label(chosen_[high]);
  return {std::min(a, b), std::max(a, b)};
}

bool RareCombinations::Report(uint32_t depth, uint32_t relations, uint64_t support) const {
  RareCombination rare;
  for (uint32_t i = 0; i < depth; ++i) rare.labels.push_back(knowledge_->label(chosen_[i]));
  std::sort(rare.labels.begin(), rare.labels.end());
  for (uint32_t rest = relations; rest != 0; rest &= rest - 1) {
    rare.relations.push_back(LabelsOf(static_cast<uint32_t>(std::countr_zero(rest))));
  }
  std::sort(rare.relations.begin(), rare.relations.end());
  rare.support = support;
  return (*visit_)(rare);
}

uint64_t RareCombinations::Count(const Words& base) const {
  const auto count = [&](const auto& bits_of) {
    return CountRecords(base, limits_.k, weights_, bits_of);
  };
  switch (also_in_.size()) {
    case 0:
      return count([](const ShapeWord& word) { return word.bits; });
    case 1:
      return count([a = also_in_[0]](const ShapeWord& word) { return word.bits & a[word.at]; });
    case 2:
      return count([a = also_in_[0], b = also_in_[1]](const ShapeWord& word) {
        return word.bits & a[word.at] & b[word.at];
      });
    default:
      return count([this](const ShapeWord& word) {
        uint64_t bits = word.bits;
        for (const uint64_t* const set : also_in_) bits &= set[word.at];
        return bits;
      });
  }
}

void RareCombinations::NotePairs(uint32_t depth) {
  if (limits_.n == 0) return;
  uint32_t possible = possible_[depth - 1];
  const uint32_t last = depth - 1;
  for (uint32_t i = 0; i < last; ++i) {
    const ShapeSet* const set = knowledge_->related(chosen_[i], chosen_[last]);
    pairs_[PairBit(i, last)] = set;
    if (set != nullptr) possible |= uint32_t{1} << PairBit(i, last);
  }
  possible_[depth] = possible;
}

bool RareCombinations::CheckRelations(uint32_t depth, const Words& base, const ShapeSet* last) {
  std::vector<uint32_t>& passed_over = passed_over_[depth];
  passed_over = passed_over_[depth - 1];
  if (limits_.n == 0) return true;
  for (const uint32_t set : relation_sets_[depth]) {
    if ((set & possible_[depth]) != set || (set & needed_) != needed_ || set == needed_) continue;
    if (std::any_of(passed_over.begin(), passed_over.end(),
                    [&](uint32_t one) { return (set & one) == one; })) {
      continue;
    }
    also_in_.clear();
    for (uint32_t rest = set & ~needed_; rest != 0; rest &= rest - 1) {
      also_in_.push_back(pairs_[static_cast<size_t>(std::countr_zero(rest))]->words.data());
    }
    // Who has a relation with the last label has that label.
    if (last != nullptr && set < uint32_t{1} << PairBit(0, depth - 1)) {
      also_in_.push_back(last->words.data());
    }
    const uint64_t support = Count(base);
    if (support >= limits_.k) continue;
    passed_over.push_back(set);
    if (support > 0 && !Report(depth, set, support)) return false;
  }
  return true;
}

bool RareCombinations::ExtendTo(uint32_t depth, uint32_t slot) {
  if (++added_ % kLooks == 0 && must_stop_ && must_stop_()) return false;
  chosen_[depth] = slot;
  const ShapeSet& set = knowledge_->shapes(slot);
  const bool is_last = depth + 1 == limits_.m;
  also_in_.clear();
  if (is_last) {
    also_in_.push_back(set.words.data());
  } else {
    Narrow(words_[depth], {set.words.data(), 0}, words_[depth + 1]);
  }
  const Words& base = words_[is_last ? depth : depth + 1];
  const uint64_t support = Count(base);
  if (support == 0) return true;
  if (support < limits_.k) return Report(depth + 1, needed_, support);
  NotePairs(depth + 1);
  return CheckRelations(depth + 1, base, is_last ? &set : nullptr) &&
         Extend(depth + 1, slot + 1, knowledge_->size());
}

bool RareCombinations::Extend(uint32_t depth, uint32_t from, uint32_t end) {
  if (depth >= limits_.m) return true;
  for (uint32_t slot = from; slot < end; ++slot) {
    StopPoint();
    if (excluded_[slot] == 0 && !ExtendTo(depth, slot)) return false;
  }
  return true;
}

bool RareCombinations::Begin(const LabelKnowledge& knowledge, const std::vector<uint32_t>& start,
                             bool related, const Visitor& visit, bool& done) {
  knowledge_ = &knowledge;
  visit_ = &visit;
  needed_ = related ? 1 : 0;
  done = true;
  const auto depth = static_cast<uint32_t>(start.size());
  if (excluded_.size() < knowledge.size()) excluded_.resize(knowledge.size(), 0);
  std::copy(start.begin(), start.end(), chosen_.begin());
  Words& base = words_[depth];
  base.clear();
  const ShapeSet* const set =
      related ? knowledge.related(start[0], start[1]) : &knowledge.shapes(start[0]);
  if (set == nullptr) return false;
  for (uint32_t at = 0; at < set->words.size(); ++at) {
    uint64_t bits = set->words[at];
    if (bits == 0) continue;
    for (uint32_t i = 1; i < depth; ++i) bits &= knowledge.shapes(start[i]).words[at];
    if (bits != 0) base.push_back({bits, at});
  }
  also_in_.clear();
  const uint64_t support = Count(base);
  if (support == 0) return false;
  if (support < limits_.k) {
    done = Report(depth, needed_, support);
    return false;
  }
  for (uint32_t i = 0; i < depth; ++i) passed_over_[i].clear();
  for (uint32_t i = 2; i <= depth; ++i) NotePairs(i);
  done = CheckRelations(depth, base, nullptr);
  return done;
}

bool RareCombinations::Find(const LabelKnowledge& knowledge, const std::vector<uint32_t>& start,
                            bool related, const Visitor& visit) {
  bool done = true;
  if (!Begin(knowledge, start, related, visit, done)) return done;
  for (const uint32_t slot : start) Exclude(slot);
  done = Extend(static_cast<uint32_t>(start.size()), 0, knowledge.size());
  for (const uint32_t slot : start) Include(slot);
  return done;
}

bool RareCombinations::FindPart(const LabelKnowledge& knowledge, uint32_t start, uint32_t first,
                                uint32_t last, const Visitor& visit) {
  bool done = true;
  // A rare label is visited by nobody here.
  const Visitor nobody = [](const RareCombination&) { return true; };
  if (!Begin(knowledge, {start}, false, nobody, done)) return done;
  visit_ = &visit;
  Exclude(start);
  done = Extend(1, first, std::min(last, knowledge.size()));
  Include(start);
  return done;
}

}  // namespace thicket
