#include "cutting/sets/itemset_tree.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "cutting/sets/itemset_index.h"

namespace thicket {

namespace {

class ItemsetTree {
 public:
  using Transactions = std::vector<uint32_t>;

  ItemsetTree(const ItemSets& sets, const SetPromise& promise, const SetPrunings& prunings,
              Conflicts& conflicts, const std::function<void(std::span<const Item>)>& on_threat)
      : sets_(sets),
        promise_(promise),
        prunings_(prunings),
        conflicts_(conflicts),
        on_threat_(on_threat),
        threats_(sets),
        is_out_(sets.forest().size(), false),
        having_(sets.sensitive_count(), 0) {
    for (Item item = 0; prunings.covered && item < sets.forest().size(); ++item) {
      const Item parent = sets.forest().parent(item);
      is_out_[sets.place(item)] = parent != item && conflicts.is_locked(parent);
    }
    Expand();
  }

  TreeCount Grow() {
    Transactions all(sets_.transaction_count());
    for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    const auto places = static_cast<uint32_t>(sets_.forest().size());
    Phase phase("threats", places);
    phase_ = &phase;
    Grow(all, places, 0);
    phase_ = nullptr;
    return count_;
  }

 private:
  // The transactions of each item in those of one node, for places before some place.
  struct Projection {
    // By item: from first to last.
    std::vector<uint32_t> first;
    std::vector<uint32_t> last;
    std::vector<uint32_t> transactions;
    // Items that occur, in the order of places.
    std::vector<uint32_t> places;
  };

  // The places of all items of each transaction, with those above them.
  void Expand() {
    std::vector<uint32_t> one;
    for (size_t transaction = 0; transaction < sets_.transaction_count(); ++transaction) {
      StopPoint();
      one.clear();
      for (Item item : sets_.items(transaction)) {
        one.push_back(sets_.place(item));
        while (!sets_.forest().is_root(item)) {
          item = sets_.forest().parent(item);
          // Places ascend: what is above both was put in with the one before.
          if (std::find(one.begin(), one.end(), sets_.place(item)) != one.end()) break;
          one.push_back(sets_.place(item));
        }
      }
      std::sort(one.begin(), one.end());
      places_.insert(places_.end(), one.begin(), one.end());
      first_place_.push_back(places_.size());
    }
  }

  std::span<const uint32_t> Places(uint32_t transaction, uint32_t before) const {
    const auto begin = places_.begin() + static_cast<ptrdiff_t>(first_place_[transaction]);
    const auto end = places_.begin() + static_cast<ptrdiff_t>(first_place_[transaction + 1]);
    return {begin, std::lower_bound(begin, end, before)};
  }

  void Project(const Transactions& transactions, uint32_t before, Projection& to) const {
    to.first.resize(sets_.forest().size(), 0);
    to.last.resize(sets_.forest().size(), 0);
    for (const uint32_t place : to.places) to.first[place] = to.last[place] = 0;
    to.places.clear();
    uint32_t total = 0;
    for (const uint32_t transaction : transactions) {
      for (const uint32_t place : Places(transaction, before)) {
        if (is_out_[place]) continue;
        if (to.last[place]++ == 0) to.places.push_back(place);
        ++total;
      }
    }
    std::sort(to.places.begin(), to.places.end());
    uint32_t next = 0;
    for (const uint32_t place : to.places) {
      to.first[place] = next;
      next += std::exchange(to.last[place], next);
    }
    to.transactions.resize(total);
    for (const uint32_t transaction : transactions) {
      for (const uint32_t place : Places(transaction, before)) {
        if (!is_out_[place]) to.transactions[to.last[place]++] = transaction;
      }
    }
  }

  // The children of the node that the path stands for, whose transactions these are.
  void Grow(const Transactions& transactions, uint32_t before, size_t depth) {
    if (there_ >= promise_.m && absent_ >= promise_.n) return;
    if (depth == projections_.size()) projections_.push_back(std::make_unique<Projection>());
    Projection& projection = *projections_[depth];
    Project(transactions, before, projection);
    // Siblings strictly between these places are pruned.
    uint32_t pruned_from = 0;
    uint32_t pruned_to = 0;
    const auto is_pruned = [&](uint32_t place) {
      return is_out_[place] || (pruned_from < place && place < pruned_to);
    };
    Transactions child;
    const auto visit = [&](uint32_t place, bool is_there) {
      if (is_pruned(place) || !IsItemset(place, is_there)) return;
      if (is_there) {
        child.assign(projection.transactions.begin() + projection.first[place],
                     projection.transactions.begin() + projection.last[place]);
      } else {
        child.clear();
        std::set_difference(transactions.begin(), transactions.end(),
                            projection.transactions.begin() + projection.first[place],
                            projection.transactions.begin() + projection.last[place],
                            std::back_inserter(child));
      }
      if (child.empty()) return;
      Push(place, is_there);
      bool prunes_siblings = false;
      if (Visit(child, child.size() == transactions.size() && depth > 0, prunes_siblings)) {
        Grow(child, place, depth + 1);
      }
      if (prunes_siblings) {
        pruned_from = place;
        pruned_to = sets_.end(sets_.at_place(place));
      }
      Pop();
    };
    if (promise_.n == 0) {
      for (const uint32_t place : projection.places) {
        visit(place, true);
        if (depth == 0) AdvanceTo(place);
      }
      return;
    }
    // No record supports both x+ and x-: all places are before that of the parent's item.
    for (uint32_t place = 0; place < before; ++place) {
      visit(place, true);
      visit(place, false);
      if (depth == 0) AdvanceTo(place);
    }
  }

  // All itemsets whose last place this is, and those before it, were looked at.
  void AdvanceTo(uint32_t place) { phase_->Advance(place + 1 - std::exchange(grown_, place + 1)); }

  // Within the adversary's power, and no item above another of its kind. A child's item stands before all others.
  bool IsItemset(uint32_t place, bool is_there) const {
    const Item item = sets_.at_place(place);
    if (is_there ? there_ >= promise_.m : absent_ + sets_.leaves(item) > promise_.n) return false;
    for (const auto& [other, other_is_there] : path_) {
      if (is_there == other_is_there && sets_.IsAtOrAbove(item, other)) return false;
    }
    return true;
  }

  void Push(uint32_t place, bool is_there) {
    const Item item = sets_.at_place(place);
    path_.push_back({item, is_there});
    (is_there ? there_ : absent_) += is_there ? 1 : sets_.leaves(item);
  }
  void Pop() {
    const auto [item, is_there] = path_.back();
    path_.pop_back();
    (is_there ? there_ : absent_) -= is_there ? 1 : sets_.leaves(item);
  }

  // Whether the node's children are to be looked at.
  bool Visit(const Transactions& transactions, bool is_as_parent, bool& prunes_siblings) {
    StopPoint();
    ++count_.nodes;
    std::vector<Item> items;
    for (const auto& [item, is_there] : path_) items.push_back(item);
    const std::vector<Item> undecorated = LowestItems(sets_, items);
    if (prunings_.covered && conflicts_.CoversThreat(undecorated)) {
      prunes_siblings = true;
      return false;
    }
    if (prunings_.global && threats_.HasGeneralizationOf(undecorated)) {
      prunes_siblings = true;
      return false;
    }
    if (prunings_.generic && is_as_parent) return false;
    if (!IsThreat(transactions)) return true;
    ++count_.threats;
    if (on_threat_) on_threat_(undecorated);
    if (prunings_.global) threats_.Add(undecorated);
    conflicts_.AddThreat(undecorated);
    if (prunings_.locked) LockParent(undecorated);
    prunes_siblings = prunings_.local;
    return !prunings_.local;
  }

  bool IsThreat(const Transactions& transactions) {
    uint64_t support = 0;
    for (const uint32_t transaction : transactions) support += sets_.count(transaction);
    if (support < promise_.k) return true;
    if (!promise_.GuardsSensitive()) return false;
    touched_.clear();
    for (const uint32_t transaction : transactions) {
      for (const uint32_t item : sets_.sensitive(transaction)) {
        if (having_[item] == 0) touched_.push_back(item);
        having_[item] += sets_.count(transaction);
      }
    }
    bool is_threat = false;
    for (const uint32_t item : touched_) {
      is_threat |= promise_.most_share.IsExceededBy(having_[item], support);
      having_[item] = 0;
    }
    return is_threat;
  }

  // Pruning IV: where all items are children of one, nothing below that one is looked at any more.
  void LockParent(std::span<const Item> undecorated) {
    const Item parent = sets_.forest().parent(undecorated[0]);
    for (const Item item : undecorated) {
      if (sets_.forest().is_root(item) || sets_.forest().parent(item) != parent) return;
    }
    for (uint32_t place = sets_.place(parent) + 1; place < sets_.end(parent); ++place) {
      is_out_[place] = true;
    }
  }

  struct Decorated {
    Item item;
    bool is_there;
  };

  const ItemSets& sets_;
  const SetPromise promise_;
  const SetPrunings prunings_;
  Conflicts& conflicts_;
  const std::function<void(std::span<const Item>)>& on_threat_;
  TreeCount count_;
  // How far the children of the null root are, while the tree grows.
  Phase* phase_ = nullptr;
  uint32_t grown_ = 0;
  // By transaction.
  std::vector<size_t> first_place_ = {0};
  std::vector<uint32_t> places_;
  ItemsetIndex threats_;
  // By place: whether it is below a locked item.
  std::vector<bool> is_out_;
  // From the null root to the node: its itemset, and how much of the adversary's power that takes.
  std::vector<Decorated> path_;
  uint64_t there_ = 0;
  uint64_t absent_ = 0;
  // By depth.
  std::vector<std::unique_ptr<Projection>> projections_;
  // By sensitive item, 0 but where it is used.
  std::vector<uint64_t> having_;
  std::vector<uint32_t> touched_;
};

}  // namespace

TreeCount GrowItemsetTree(const ItemSets& sets, const SetPromise& promise,
                          const SetPrunings& prunings, Conflicts& conflicts,
                          const std::function<void(std::span<const Item>)>& on_threat) {
  return ItemsetTree(sets, promise, prunings, conflicts, on_threat).Grow();
}

}  // namespace thicket
