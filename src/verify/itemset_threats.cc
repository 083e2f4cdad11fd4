#include "verify/itemset_threats.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/phase.h"
#include "base/stop.h"

namespace thicket {

namespace {

// What is asked, and by class of records what may be known: facts are groups, numbered so that rare ones come first.
struct Question {
  const PublishedSets& sets;
  ItemsetPower power;
  // Telling itemsets if l > 1, rare ones otherwise.
  uint64_t k = 1;
  uint64_t l = 1;

  bool tells() const { return l > 1; }
};

class KnowledgeIndex {
 public:
  explicit KnowledgeIndex(const Question& question) : question_(question) {
    FindFacts();
    FindHot();
  }

  size_t fact_count() const { return group_of_.size(); }
  uint32_t group(uint32_t fact) const { return group_of_[fact]; }
  // Ascending.
  std::span<const uint32_t> facts(uint32_t row) const {
    return {facts_.data() + first_fact_[row], first_fact_[row + 1] - first_fact_[row]};
  }
  // Classes that have the fact, and where in their list it stands.
  struct Place {
    uint32_t row;
    uint32_t next;
  };
  std::span<const Place> having(uint32_t fact) const {
    return {places_.data() + first_place_[fact], first_place_[fact + 1] - first_place_[fact]};
  }
  // Whether a threat can hold of the class at all: 4 and 5 of the header.
  bool is_hot(uint32_t row) const { return is_hot_[row]; }

 private:
  // By class: labels, and for telling itemsets the groups above them.
  std::vector<std::vector<uint32_t>> GroupsByRow() const {
    const PublishedSets& sets = question_.sets;
    std::vector<std::vector<uint32_t>> groups(sets.size());
    for (size_t row = 0; row < sets.size(); ++row) {
      StopPoint();
      for (const uint32_t label : sets.labels(row)) {
        groups[row].push_back(label);
        if (!question_.tells()) continue;
        uint32_t above = sets.group(label).parent;
        for (; above != PublishedSets::kNone; above = sets.group(above).parent) {
          groups[row].push_back(above);
        }
      }
      std::sort(groups[row].begin(), groups[row].end());
      groups[row].erase(std::unique(groups[row].begin(), groups[row].end()), groups[row].end());
    }
    return groups;
  }

  void FindFacts() {
    const PublishedSets& sets = question_.sets;
    const std::vector<std::vector<uint32_t>> groups = GroupsByRow();
    std::vector<uint64_t> weight(sets.group_count(), 0);
    for (size_t row = 0; row < sets.size(); ++row) {
      for (const uint32_t group : groups[row]) weight[group] += sets.weight(row);
    }
    // A group that holds what one below it holds says nothing more.
    std::vector<bool> says_more(sets.group_count(), true);
    for (uint32_t group = 0; group < sets.group_count(); ++group) {
      const uint32_t parent = sets.group(group).parent;
      if (parent != PublishedSets::kNone && weight[parent] == weight[group]) {
        says_more[parent] = false;
      }
    }
    for (uint32_t group = 0; group < sets.group_count(); ++group) {
      if (weight[group] > 0 && says_more[group]) group_of_.push_back(group);
    }
    std::sort(group_of_.begin(), group_of_.end(), [&](uint32_t a, uint32_t b) {
      return std::tie(weight[a], a) < std::tie(weight[b], b);
    });
    std::vector<uint32_t> fact_of(sets.group_count(), PublishedSets::kNone);
    for (uint32_t fact = 0; fact < group_of_.size(); ++fact) fact_of[group_of_[fact]] = fact;
    first_fact_ = {0};
    std::vector<size_t> counts(group_of_.size() + 1, 0);
    for (size_t row = 0; row < sets.size(); ++row) {
      for (const uint32_t group : groups[row]) {
        if (fact_of[group] == PublishedSets::kNone) continue;
        facts_.push_back(fact_of[group]);
        ++counts[fact_of[group] + 1];
      }
      std::sort(facts_.begin() + static_cast<ptrdiff_t>(first_fact_.back()), facts_.end());
      first_fact_.push_back(facts_.size());
    }
    std::partial_sum(counts.begin(), counts.end(), counts.begin());
    first_place_ = counts;
    places_.resize(facts_.size());
    for (uint32_t row = 0; row < sets.size(); ++row) {
      for (uint32_t i = 0; i < facts(row).size(); ++i) {
        places_[counts[facts(row)[i]]++] = {row, i + 1};
      }
    }
  }

  void FindHot() {
    const PublishedSets& sets = question_.sets;
    is_hot_.assign(sets.size(), false);
    for (uint32_t row = 0; row < sets.size(); ++row) {
      StopPoint();
      if (!question_.tells()) {
        is_hot_[row] = !HasManyAlike(row);
        continue;
      }
      for (const PublishedSets::Held& held : sets.held(row)) {
        if (held.weight * question_.l > sets.weight(row)) is_hot_[row] = true;
      }
    }
  }

  // Whether k records support whatever the class supports.
  bool HasManyAlike(uint32_t row) const {
    const PublishedSets& sets = question_.sets;
    uint64_t alike = sets.weight(row);
    if (alike >= question_.k) return true;
    const auto own = sets.labels(row);
    const auto consider = [&](uint32_t other) {
      if (other == row) return;
      const auto labels = sets.labels(other);
      if (labels.size() <= own.size()) return;
      if (!std::includes(labels.begin(), labels.end(), own.begin(), own.end())) return;
      for (const uint32_t label : labels) {
        const bool is_own = std::binary_search(own.begin(), own.end(), label);
        if (!is_own && sets.group(label).leaves <= question_.power.n) return;
      }
      alike += sets.weight(other);
    };
    if (own.empty()) {
      for (uint32_t other = 0; other < sets.size() && alike < question_.k; ++other) consider(other);
      return alike >= question_.k;
    }
    // The rarest one comes first.
    for (const Place& place : having(facts(row).front())) {
      if (alike >= question_.k) break;
      consider(place.row);
    }
    return alike >= question_.k;
  }

  const Question& question_;
  std::vector<uint32_t> group_of_;
  std::vector<size_t> first_fact_;
  std::vector<uint32_t> facts_;
  std::vector<size_t> first_place_;
  std::vector<Place> places_;
  std::vector<bool> is_hot_;
};

// Goes through the itemsets that begin with one fact, or have absent labels only. One per thread.
class ItemsetWalk {
 public:
  using Place = KnowledgeIndex::Place;

  ItemsetWalk(const Question& question, const KnowledgeIndex& index)
      : question_(question),
        sets_(question.sets),
        index_(index),
        weight_(index.fact_count(), 0),
        held_(index.fact_count() * Secrets(), 0),
        is_hot_(index.fact_count(), 0),
        shown_(sets_.label_count(), 0),
        shown_held_(sets_.label_count() * Secrets(), 0) {}

  // Those of which `fact` is the first that is there.
  ItemsetThreats Begin(uint32_t fact) {
    found_ = {};
    const std::span<const Place> having = index_.having(fact);
    std::vector<Place> places(having.begin(), having.end());
    there_ = {fact};
    const Support support = SupportOf(places);
    if (!Judge(support) && MayHaveMore(support)) Extend(places, support, question_.power.m - 1);
    there_.clear();
    return std::move(found_);
  }
  // Those without any that is there.
  ItemsetThreats OnlyAbsent() {
    found_ = {};
    std::vector<Place> places;
    for (uint32_t row = 0; row < sets_.size(); ++row) places.push_back({row, 0});
    const Support support = SupportOf(places);
    const uint32_t unseen = sets_.least_unseen();
    if (unseen != PublishedSets::kNone && sets_.group(unseen).leaves <= question_.power.n) {
      absent_ = {unseen};
      Judge(support);
      absent_.clear();
    }
    if (MayHaveMore(support)) Negate(places, support, question_.power.n);
    return std::move(found_);
  }

 private:
  struct Support {
    uint64_t weight = 0;
    bool is_hot = false;
    // Of sensitive items: the most frequent one.
    uint32_t item = 0;
    uint64_t most = 0;
  };
  struct Next {
    uint32_t fact;
    Support support;
  };

  size_t Secrets() const { return question_.tells() ? sets_.sensitive_count() : 0; }
  bool IsEnough() const { return found_.met >= ItemsetThreats::kShown; }

  Support SupportOf(const std::vector<Place>& places) {
    Support support;
    std::vector<uint64_t> held(Secrets(), 0);
    for (const Place& place : places) {
      support.weight += sets_.weight(place.row);
      support.is_hot = support.is_hot || index_.is_hot(place.row);
      if (Secrets() == 0) continue;
      for (const PublishedSets::Held& of : sets_.held(place.row)) held[of.item] += of.weight;
    }
    FindMost(held.data(), support);
    return support;
  }
  void FindMost(const uint64_t* held, Support& support) const {
    for (uint32_t item = 0; item < Secrets(); ++item) {
      if (held[item] <= support.most) continue;
      support.most = held[item];
      support.item = item;
    }
  }

  // Whether the itemset in `there_` and `absent_` is a threat.
  bool Judge(const Support& support) {
    ++found_.counted;
    const bool is_threat = question_.tells() ? support.most * question_.l > support.weight
                                             : support.weight < question_.k;
    if (support.weight == 0 || !is_threat) return false;
    ++found_.met;
    if (found_.threats.size() >= ItemsetThreats::kShown) return true;
    ItemsetThreat threat;
    for (const uint32_t fact : there_) threat.there.push_back(index_.group(fact));
    threat.absent = absent_;
    std::sort(threat.there.begin(), threat.there.end());
    std::sort(threat.absent.begin(), threat.absent.end());
    threat.support = support.weight;
    threat.item = support.item;
    threat.most = support.most;
    found_.threats.push_back(std::move(threat));
    return true;
  }
  // Whether a larger itemset may be a threat: 4 and 5 of the header.
  bool MayHaveMore(const Support& support) const {
    if (!support.is_hot) return false;
    return !question_.tells() || support.most * question_.l > question_.k;
  }

  // `places` support what is in `there_`; each has its further facts from `next` on.
  void Extend(const std::vector<Place>& places, const Support& support, size_t m) {
    StopPoint();
    if (question_.power.n > 0) Negate(places, support, question_.power.n);
    if (m == 0 || IsEnough()) return;
    const std::vector<Next> next = CountNext(places, support);
    std::vector<Next> further;
    for (const Next& one : next) {
      there_.push_back(one.fact);
      const bool is_threat = Judge(one.support);
      there_.pop_back();
      if (IsEnough()) return;
      const bool has_power = m > 1 || question_.power.n > 0;
      if (!is_threat && has_power && MayHaveMore(one.support)) further.push_back(one);
    }
    if (further.empty()) return;
    // Facts ascend in each class, so the classes of a fact are found in one pass over all.
    std::sort(further.begin(), further.end(),
              [](const Next& a, const Next& b) { return a.fact < b.fact; });
    std::vector<std::vector<Place>> having(further.size());
    for (const Place& place : places) {
      const auto facts = index_.facts(place.row);
      size_t at = 0;
      for (uint32_t i = place.next; i < facts.size() && at < further.size(); ++i) {
        while (at < further.size() && further[at].fact < facts[i]) ++at;
        if (at < further.size() && further[at].fact == facts[i]) {
          having[at].push_back({place.row, i + 1});
        }
      }
    }
    for (size_t i = 0; i < further.size() && !IsEnough(); ++i) {
      there_.push_back(further[i].fact);
      Extend(having[i], further[i].support, m - 1);
      there_.pop_back();
      having[i] = {};
    }
  }

  // The facts that some but not all of the places have (3 of the header), with what they leave.
  std::vector<Next> CountNext(const std::vector<Place>& places, const Support& support) {
    touched_.clear();
    for (const Place& place : places) {
      const auto facts = index_.facts(place.row);
      const uint64_t weight = sets_.weight(place.row);
      const bool is_hot = index_.is_hot(place.row);
      const auto held = sets_.held(place.row);
      for (uint32_t i = place.next; i < facts.size(); ++i) {
        const uint32_t fact = facts[i];
        if (weight_[fact] == 0) touched_.push_back(fact);
        weight_[fact] += weight;
        is_hot_[fact] = static_cast<uint8_t>(is_hot_[fact] != 0 || is_hot);
        if (Secrets() == 0) continue;
        for (const PublishedSets::Held& of : held) held_[fact * Secrets() + of.item] += of.weight;
      }
    }
    std::vector<Next> next;
    for (const uint32_t fact : touched_) {
      Support found = {.weight = weight_[fact], .is_hot = is_hot_[fact] != 0};
      if (Secrets() > 0) {
        uint64_t* held = &held_[fact * Secrets()];
        FindMost(held, found);
        std::fill(held, held + Secrets(), 0);
      }
      weight_[fact] = 0;
      is_hot_[fact] = 0;
      if (found.weight < support.weight) next.push_back({fact, found});
    }
    return next;
  }

  // A label that can be known to be absent, and what goes with those who show it.
  struct Absent {
    uint32_t label;
    uint64_t leaves;
    uint64_t weight;
    std::vector<uint64_t> held;
  };

  // The labels that some but not all of the places show and that can be afforded.
  std::vector<Absent> CountAbsent(const std::vector<Place>& places, const Support& support,
                                  uint64_t n) {
    shown_labels_.clear();
    for (const Place& place : places) {
      for (const uint32_t label : sets_.labels(place.row)) {
        if (sets_.group(label).leaves > n || IsForbidden(label)) continue;
        if (shown_[label] == 0) shown_labels_.push_back(label);
        shown_[label] += sets_.weight(place.row);
        if (Secrets() == 0) continue;
        for (const PublishedSets::Held& of : sets_.held(place.row)) {
          shown_held_[label * Secrets() + of.item] += of.weight;
        }
      }
    }
    std::vector<Absent> absent;
    for (const uint32_t label : shown_labels_) {
      Absent one = {label, sets_.group(label).leaves, std::exchange(shown_[label], 0), {}};
      if (Secrets() > 0) {
        uint64_t* held = &shown_held_[label * Secrets()];
        one.held.assign(held, held + Secrets());
        std::fill(held, held + Secrets(), 0);
      }
      if (one.weight < support.weight) absent.push_back(std::move(one));
    }
    return absent;
  }
  // Labels of branches that were tried before: an itemset is met once.
  bool IsForbidden(uint32_t label) const { return !forbidden_.empty() && forbidden_[label] > 0; }

  // At most so many records can be taken away: 6 of the header.
  uint64_t MostTakenAway(const std::vector<Place>& places, std::vector<Absent>& absent,
                         uint64_t n) {
    // The best for their leaves first.
    std::sort(absent.begin(), absent.end(), [](const Absent& a, const Absent& b) {
      const uint64_t left = a.weight * b.leaves;
      const uint64_t right = b.weight * a.leaves;
      return left != right ? left > right : a.label < b.label;
    });
    uint64_t most = 0;
    for (const Absent& one : absent) {
      const uint64_t share = std::min(one.leaves, n);
      most += (one.weight * share + one.leaves - 1) / one.leaves;
      n -= share;
      if (n == 0) break;
    }
    for (const Absent& one : absent) shown_[one.label] = 1;
    uint64_t may_go = 0;
    for (const Place& place : places) {
      const auto labels = sets_.labels(place.row);
      const bool may = std::any_of(labels.begin(), labels.end(),
                                   [&](uint32_t label) { return shown_[label] != 0; });
      if (may) may_go += sets_.weight(place.row);
    }
    for (const Absent& one : absent) shown_[one.label] = 0;
    return std::min(most, may_go);
  }

  void Negate(const std::vector<Place>& places, const Support& support, uint64_t n) {
    StopPoint();
    std::vector<Absent> absent = CountAbsent(places, support, n);
    if (absent.empty()) return;
    const uint64_t most = MostTakenAway(places, absent, n);
    if (!MayTakeEnough(support, most)) return;
    const std::vector<uint64_t> held = HeldBy(places);
    std::vector<size_t> further;
    for (size_t i = 0; i < absent.size() && !IsEnough(); ++i) {
      Support left = {.weight = support.weight - absent[i].weight, .is_hot = true};
      std::vector<uint64_t> held_left = held;
      for (size_t item = 0; item < held_left.size(); ++item)
        held_left[item] -= absent[i].held[item];
      FindMost(held_left.data(), left);
      absent_.push_back(absent[i].label);
      const bool is_threat = Judge(left);
      absent_.pop_back();
      if (!is_threat && n > absent[i].leaves && MayHaveMore(left)) further.push_back(i);
    }
    if (forbidden_.empty()) forbidden_.assign(sets_.label_count(), 0);
    for (const size_t i : further) {
      if (IsEnough()) break;
      NegateWithout(places, absent[i].label, n - absent[i].leaves);
      ++forbidden_[absent[i].label];
    }
    for (const size_t i : further) {
      if (forbidden_[absent[i].label] > 0) --forbidden_[absent[i].label];
    }
  }
  void NegateWithout(const std::vector<Place>& places, uint32_t label, uint64_t n) {
    std::vector<Place> left;
    for (const Place& place : places) {
      const auto labels = sets_.labels(place.row);
      if (!std::binary_search(labels.begin(), labels.end(), label)) left.push_back(place);
    }
    const Support support = SupportOf(left);
    if (!MayHaveMore(support)) return;
    absent_.push_back(label);
    Negate(left, support, n);
    absent_.pop_back();
  }
  bool MayTakeEnough(const Support& support, uint64_t most) const {
    if (!question_.tells()) return support.weight - most < question_.k;
    const uint64_t threshold = support.most * question_.l;
    return threshold > support.weight || most > support.weight - threshold;
  }
  std::vector<uint64_t> HeldBy(const std::vector<Place>& places) const {
    std::vector<uint64_t> held(Secrets(), 0);
    if (held.empty()) return held;
    for (const Place& place : places) {
      for (const PublishedSets::Held& of : sets_.held(place.row)) held[of.item] += of.weight;
    }
    return held;
  }

  const Question& question_;
  const PublishedSets& sets_;
  const KnowledgeIndex& index_;
  ItemsetThreats found_;
  // What is known: facts, and labels.
  std::vector<uint32_t> there_;
  std::vector<uint32_t> absent_;
  std::vector<uint32_t> forbidden_;
  // By fact, and by fact and sensitive item; 0 between counts.
  std::vector<uint64_t> weight_;
  std::vector<uint64_t> held_;
  std::vector<uint8_t> is_hot_;
  std::vector<uint32_t> touched_;
  // The same by label.
  std::vector<uint64_t> shown_;
  std::vector<uint64_t> shown_held_;
  std::vector<uint32_t> shown_labels_;
};

bool IsSmaller(const ItemsetThreat& a, const ItemsetThreat& b) {
  const size_t a_size = a.there.size() + a.absent.size();
  const size_t b_size = b.there.size() + b.absent.size();
  return std::tie(a_size, a.there, a.absent) < std::tie(b_size, b.there, b.absent);
}

ItemsetThreats Find(const Question& question, Parallel& parallel) {
  const KnowledgeIndex index(question);
  const size_t facts = question.power.m > 0 ? index.fact_count() : 0;
  // By first fact, and those without one last: which threats are shown must not depend on who found what.
  std::vector<ItemsetThreats> found(facts + 1);
  std::vector<ItemsetWalk> walks(parallel.threads(), ItemsetWalk(question, index));
  Phase phase("verify itemsets", facts + 1);
  parallel.For(facts + 1, 1, [&](size_t worker, size_t begin, size_t end) {
    for (size_t fact = begin; fact < end; ++fact) {
      if (fact < facts) found[fact] = walks[worker].Begin(static_cast<uint32_t>(fact));
      if (fact == facts && question.power.n > 0) found[fact] = walks[worker].OnlyAbsent();
      phase.Advance();
    }
  });
  ItemsetThreats all;
  for (ItemsetThreats& one : found) {
    all.met += one.met;
    all.counted += one.counted;
    for (ItemsetThreat& threat : one.threats) all.threats.push_back(std::move(threat));
  }
  std::sort(all.threats.begin(), all.threats.end(), IsSmaller);
  if (all.threats.size() > ItemsetThreats::kShown) all.threats.resize(ItemsetThreats::kShown);
  return all;
}

bool Shows(const PublishedSets& sets, size_t row, uint32_t group) {
  for (uint32_t label : sets.labels(row)) {
    while (label != PublishedSets::kNone && label != group) label = sets.group(label).parent;
    if (label == group) return true;
  }
  return false;
}

}  // namespace

bool ItemsetThreat::HoldsIn(const PublishedSets& sets, size_t row) const {
  const auto shows = [&](uint32_t group) { return Shows(sets, row, group); };
  return std::all_of(there.begin(), there.end(), shows) &&
         std::none_of(absent.begin(), absent.end(), shows);
}

ItemsetThreats FindRareItemsets(const PublishedSets& sets, uint64_t k, const ItemsetPower& power,
                                Parallel& parallel) {
  return Find({.sets = sets, .power = power, .k = k}, parallel);
}

ItemsetThreats FindTellingItemsets(const PublishedSets& sets, uint64_t l, const ItemsetPower& power,
                                   uint64_t k, Parallel& parallel) {
  return Find({.sets = sets, .power = power, .k = k, .l = l}, parallel);
}

}  // namespace thicket
