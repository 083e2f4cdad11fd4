#include "attack/bag_adversary.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "attack/tally.h"
#include "base/random.h"
#include "base/stop.h"

namespace thicket {

namespace {

struct LabelCount {
  BagLabel label;
  uint32_t count;
};
using LabelCounts = std::vector<LabelCount>;

LabelCounts CountLabels(std::span<const BagLabel> labels) {
  LabelCounts counts;
  for (const BagLabel label : labels) {
    if (counts.empty() || counts.back().label != label) counts.push_back({label, 0});
    ++counts.back().count;
  }
  return counts;
}

// Which published labels may stand for which terms.
class Stands {
 public:
  explicit Stands(const BagAttackData& data) : data_(data) {}

  bool For(BagLabel label, BagLabel term) const {
    const BagPair& pair = data_.pair;
    if (label == term) return true;
    if (pair.HasSeveral(label)) {
      const std::vector<BagLabel>& several = pair.SeveralOf(label);
      return std::binary_search(several.begin(), several.end(), term);
    }
    if (pair.IsTerm(label)) {
      return data_.distances != nullptr && data_.distances->Steps(label, term).has_value();
    }
    const Taxonomy& taxonomy = *pair.taxonomy;
    const Node group = pair.NodeOf(label);
    const Node leaf = pair.NodeOf(term);
    return taxonomy.Covers(group, leaf) &&
           (data_.distances == nullptr ||
            taxonomy.depth(leaf) - taxonomy.depth(group) <= data_.epsilon);
  }

 private:
  const BagAttackData& data_;
};

// How many of the things of one side can each have a partner of its own on the other side. Augmenting paths over equal things.
class Matching {
 public:
  // `may`: by place of both sides.
  template <typename May>
  uint32_t Most(const LabelCounts& from, const LabelCounts& to, const May& may) {
    columns_ = to.size();
    flow_.assign(from.size() * columns_, 0);
    allowed_.assign(from.size() * columns_, false);
    left_.clear();
    for (const LabelCount& one : to) left_.push_back(one.count);
    for (size_t row = 0; row < from.size(); ++row) {
      for (size_t column = 0; column < columns_; ++column) {
        allowed_[row * columns_ + column] = may(row, column);
      }
    }
    uint32_t matched = 0;
    for (size_t row = 0; row < from.size(); ++row) {
      for (uint32_t i = 0; i < from[row].count; ++i) {
        StopPoint();
        visited_.assign(columns_, false);
        if (!Augment(row, from.size())) break;
        ++matched;
      }
    }
    return matched;
  }

 private:
  // Breadth first, so that paths are short; one unit.
  bool Augment(size_t start, size_t rows) {
    constexpr size_t kNone = ~size_t{0};
    std::vector<size_t>& queue = queue_;
    queue.assign(1, start);
    row_before_.assign(columns_, kNone);
    column_before_.assign(rows, kNone);
    for (size_t i = 0; i < queue.size(); ++i) {
      const size_t row = queue[i];
      for (size_t column = 0; column < columns_; ++column) {
        if (visited_[column] || !allowed_[row * columns_ + column]) continue;
        visited_[column] = true;
        row_before_[column] = row;
        if (left_[column] > 0) {
          --left_[column];
          Shift(column, start);
          return true;
        }
        for (size_t other = 0; other < rows; ++other) {
          if (flow_[other * columns_ + column] == 0 || other == start) continue;
          if (column_before_[other] != kNone) continue;
          column_before_[other] = column;
          queue.push_back(other);
        }
      }
    }
    return false;
  }
  void Shift(size_t column, size_t start) {
    while (true) {
      const size_t row = row_before_[column];
      ++flow_[row * columns_ + column];
      if (row == start) return;
      column = column_before_[row];
      --flow_[row * columns_ + column];
    }
  }

  size_t columns_ = 0;
  std::vector<uint32_t> flow_;
  std::vector<bool> allowed_;
  std::vector<uint32_t> left_;
  std::vector<bool> visited_;
  std::vector<size_t> queue_;
  std::vector<size_t> row_before_;
  std::vector<size_t> column_before_;
};

uint32_t OwnerOf(const BagAttackData& data, size_t bag) {
  return data.owners.empty() ? static_cast<uint32_t>(bag) : data.owners[bag];
}

// The original, by the terms that its bags have.
class OriginalBags {
 public:
  explicit OriginalBags(const BagAttackData& data)
      : data_(data), holders_(data.pair.taxonomy->leaf_count()) {
    for (uint32_t bag = 0; bag < data.pair.original.size(); ++bag) {
      StopPoint();
      for (const BagLabel term : data.pair.original.labels(bag)) {
        std::vector<uint32_t>& holders = holders_[term];
        if (holders.empty() || holders.back() != bag) holders.push_back(bag);
      }
    }
  }

  // The share of the owner's among the bags that have all known terms, and if these are `complete` no others.
  double Chance(std::span<const BagLabel> known, bool complete, uint32_t owner) const {
    const BagLabel rarest = *std::min_element(
        known.begin(), known.end(),
        [&](BagLabel a, BagLabel b) { return holders_[a].size() < holders_[b].size(); });
    uint64_t all = 0;
    uint64_t own = 0;
    for (const uint32_t bag : holders_[rarest]) {
      const auto terms = data_.pair.original.labels(bag);
      if (!std::includes(terms.begin(), terms.end(), known.begin(), known.end())) continue;
      if (complete && terms.size() != known.size()) continue;
      ++all;
      if (OwnerOf(data_, bag) == owner) ++own;
    }
    return static_cast<double>(own) / static_cast<double>(all);
  }

 private:
  const BagAttackData& data_;
  // By term.
  std::vector<std::vector<uint32_t>> holders_;
};

// The published bags, equal ones as one, by the labels that they show.
class PublishedBags {
 public:
  explicit PublishedBags(const BagAttackData& data) : data_(data), stands_(data) {
    AddBags();
    for (BagLabel label = 0; label < shown_by_.size(); ++label) {
      if (shown_by_[label].empty() || !data.pair.HasSeveral(label)) continue;
      for (const BagLabel term : data.pair.SeveralOf(label)) several_with_[term].push_back(label);
    }
    for (uint32_t bag = 0; bag < data.pair.original.size(); ++bag) {
      bags_of_owner_[OwnerOf(data, bag)].push_back(bag);
    }
  }

  // The share of the owner's among the bags that fit best; `complete`: the victim's bag has no other terms.
  double Chance(const LabelCounts& known, bool complete, uint32_t owner) {
    FindBest(known, complete);
    if (best_.empty() && complete) return 0;
    uint64_t all = best_.empty() ? data_.pair.published.size() : 0;
    for (const uint32_t one : best_) all += size_[one];
    if (all == 0) return 0;
    const uint64_t own = data_.link ? CountLinked(owner) : CountPossible(owner);
    return std::min(1.0, static_cast<double>(own) / static_cast<double>(all));
  }

 private:
  void AddBags() {
    const LabelBags& bags = data_.pair.published;
    shown_by_.resize(data_.pair.taxonomy->node_count() + data_.pair.several.size());
    std::vector<uint32_t> order(bags.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto is_less = [&](uint32_t a, uint32_t b) {
      const auto x = bags.labels(a);
      const auto y = bags.labels(b);
      return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
    };
    std::sort(order.begin(), order.end(), is_less);
    for (size_t i = 0; i < order.size(); ++i) {
      StopPoint();
      if (i == 0 || is_less(order[i - 1], order[i])) {
        const auto number = static_cast<uint32_t>(size_.size());
        labels_.push_back(CountLabels(bags.labels(order[i])));
        size_.push_back(0);
        for (const LabelCount& label : labels_.back()) {
          shown_by_[label.label].push_back({number, label.count});
        }
      }
      ++size_.back();
      if (!data_.link) continue;
      auto& classes = classes_of_owner_[OwnerOf(data_, (*data_.link)[order[i]])];
      const auto number = static_cast<uint32_t>(size_.size()) - 1;
      if (classes.empty() || classes.back().first != number) classes.emplace_back(number, 0);
      ++classes.back().second;
    }
    covered_.assign(size_.size(), 0);
    bound_.assign(size_.size(), 0);
    chosen_.assign(size_.size(), 0);
  }

  // All labels that are published and may stand for the term.
  template <typename Use>
  void ForEachLabelOf(BagLabel term, const Use& use) const {
    if (data_.distances != nullptr) {
      for (const TermDistances::Near& near : data_.distances->NearTo(term)) use(near.term);
    } else {
      use(term);
    }
    const auto several = several_with_.find(term);
    if (several != several_with_.end()) {
      for (const BagLabel label : several->second) use(label);
    }
    const Taxonomy& taxonomy = *data_.pair.taxonomy;
    for (Node node = data_.pair.NodeOf(term); node != Taxonomy::kRoot;) {
      node = taxonomy.parent(node);
      const BagLabel group = data_.pair.LabelOf(node);
      if (!stands_.For(group, term)) break;
      use(group);
    }
  }

  // Finds the classes that fit best; none where nothing published stands for any known term. A class in which something could is found
  // through the labels of the term, and how many could is at least how many do.
  void FindBest(const LabelCounts& known, bool complete) {
    touched_.clear();
    for (const LabelCount& term : known) {
      near_.clear();
      ForEachLabelOf(term.label, [&](BagLabel label) {
        for (const auto& [number, count] : shown_by_[label]) {
          if (covered_[number] == 0) near_.push_back(number);
          covered_[number] += count;
        }
      });
      for (const uint32_t number : near_) {
        if (bound_[number] == 0) touched_.push_back(number);
        const bool own = data_.distances != nullptr;
        bound_[number] += own ? std::min(covered_[number], term.count) : term.count;
        covered_[number] = 0;
      }
    }
    std::sort(touched_.begin(), touched_.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(bound_[b], a) < std::pair(bound_[a], b);
    });
    best_.clear();
    uint32_t most = 0;
    for (const uint32_t number : touched_) {
      StopPoint();
      if (bound_[number] < most) break;
      if (complete && !CouldBe(labels_[number], known)) continue;
      const uint32_t fits = data_.distances != nullptr ? Fits(known, number) : bound_[number];
      if (fits < most) continue;
      if (fits > most) best_.clear();
      most = fits;
      best_.push_back(number);
    }
    for (const uint32_t number : touched_) bound_[number] = 0;
    // An empty bag could be anybody's.
    if (complete && best_.empty() && !labels_.empty() && labels_.front().empty()) best_ = {0};
  }

  uint32_t Fits(const LabelCounts& known, uint32_t number) {
    const LabelCounts& labels = labels_[number];
    return matching_.Most(known, labels, [&](size_t term, size_t label) {
      return stands_.For(labels[label].label, known[term].label);
    });
  }

  uint64_t CountLinked(uint32_t owner) {
    const auto classes = classes_of_owner_.find(owner);
    if (classes == classes_of_owner_.end()) return 0;
    ++round_;
    for (const uint32_t number : best_) chosen_[number] = round_;
    uint64_t own = 0;
    for (const auto& [number, count] : classes->second) {
      if (best_.empty() || chosen_[number] == round_) own += count;
    }
    return own;
  }

  // How many of the owner's bags some class that fits could stand for.
  uint64_t CountPossible(uint32_t owner) {
    const std::vector<uint32_t>& bags = bags_of_owner_.find(owner)->second;
    if (best_.empty()) return bags.size();
    uint64_t own = 0;
    for (const uint32_t bag : bags) {
      const LabelCounts terms = CountLabels(data_.pair.original.labels(bag));
      own += std::any_of(best_.begin(), best_.end(),
                         [&](uint32_t number) { return CouldBe(labels_[number], terms); });
    }
    return own;
  }

  bool CouldBe(const LabelCounts& labels, const LabelCounts& terms) {
    uint32_t count = 0;
    for (const LabelCount& label : labels) count += label.count;
    return matching_.Most(labels, terms, [&](size_t label, size_t term) {
      return stands_.For(labels[label].label, terms[term].label);
    }) == count;
  }

  const BagAttackData& data_;
  Stands stands_;
  // By class of equal bags.
  std::vector<LabelCounts> labels_;
  std::vector<uint64_t> size_;
  // By label: the classes that show it, with how often.
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> shown_by_;
  std::unordered_map<BagLabel, std::vector<BagLabel>> several_with_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> bags_of_owner_;
  // With a link: the classes of an owner's bags, with how many.
  std::unordered_map<uint32_t, std::vector<std::pair<uint32_t, uint64_t>>> classes_of_owner_;
  // By class, zero between calls: labels that cover the term that is looked at, and known terms that could be there.
  std::vector<uint32_t> covered_;
  std::vector<uint32_t> bound_;
  std::vector<uint32_t> near_;
  std::vector<uint32_t> touched_;
  std::vector<uint32_t> best_;
  std::vector<uint32_t> chosen_;
  uint32_t round_ = 0;
  Matching matching_;
};

std::vector<size_t> DrawBagVictims(const LabelBags& bags, const BagAttackOptions& options) {
  std::vector<size_t> victims;
  for (size_t bag = 0; bag < bags.size(); ++bag) {
    if (!bags.labels(bag).empty()) victims.push_back(bag);
  }
  if (options.trials == 0 || options.trials >= victims.size()) return victims;
  Random random = Random::Seeded(options.seed);
  random.Shuffle(victims);
  victims.resize(options.trials);
  std::sort(victims.begin(), victims.end());
  return victims;
}

}  // namespace

std::vector<BagLabel> DrawBagKnowledge(const BagPair& pair, const BagAttackOptions& options,
                                       size_t victim) {
  const auto terms = pair.original.labels(victim);
  std::vector<BagLabel> known(terms.begin(), terms.end());
  if (!options.terms || *options.terms >= known.size()) return known;
  Random random = Random::Seeded(options.seed ^ (uint64_t{victim} + 1) * 0xc4ceb9fe1a85ec53ULL);
  random.Shuffle(known);
  known.resize(*options.terms);
  std::sort(known.begin(), known.end());
  return known;
}

BagAttackReport AttackBags(const BagAttackData& data, const BagAttackOptions& options,
                           Progress& progress) {
  const std::vector<size_t> victims = DrawBagVictims(data.pair.original, options);
  const OriginalBags before(data);
  PublishedBags after(data);
  Tally on_original;
  Tally on_published;
  const bool complete = !options.terms;
  progress.Begin("attack", victims.size());
  for (const size_t victim : victims) {
    StopPoint();
    const std::vector<BagLabel> known = DrawBagKnowledge(data.pair, options, victim);
    const uint32_t owner = OwnerOf(data, victim);
    on_original.AddChance(before.Chance(known, complete, owner));
    on_published.AddChance(after.Chance(CountLabels(known), complete, owner));
    progress.Advance(1);
  }
  progress.End();
  return {on_original.Result(), on_published.Result()};
}

}  // namespace thicket
