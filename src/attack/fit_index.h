// Of many items with a value per slot, those whose values all fit what is asked for.
//
// Items stand in lists by value, slot by slot. Which values fit an asked one is found once; the slot with the fewest items that fit
// leads, and the others are checked item by item. So published siblings find the original ones that they may be, and the other way
// round, without a look at every two of them.
//
//   FitIndex index(2, count, values);   // values by item, then slot
//   index.ForEach(asked, fits, [&](uint32_t item) { ...; return true; });   // false ends it
//
// O(items log items) to build; to ask, O(different values) for each asked value once, then as many steps as the leading slot has items
// that fit. Beyond kMostPairs of asked and held values nothing more is learned, and items are gone through one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/stop.h"

namespace thicket {

class FitIndex {
 public:
  FitIndex(size_t slots, size_t items, std::vector<uint32_t> values)
      : items_(items), values_(std::move(values)), slots_(slots) {
    for (size_t slot = 0; slot < slots; ++slot) Sort(slot);
  }

  // At least as many as there are items that fit. fits(slot, asked value, value of an item).
  template <typename Fits>
  size_t MostFitting(const uint32_t* asked, const Fits& fits) {
    const Fitting* lead = Lead(asked, fits).second;
    return lead == nullptr ? items_ : lead->items;
  }

  // Calls use(item), in no order that means anything, for each item that fits in every slot, until it returns false.
  template <typename Fits, typename Use>
  void ForEach(const uint32_t* asked, const Fits& fits, const Use& use) {
    const auto [leading, lead] = Lead(asked, fits);
    const auto offer = [&, lead_slot = leading](uint32_t item) {
      StopPoint();
      for (size_t slot = 0; slot < slots_.size(); ++slot) {
        if (slot == lead_slot) continue;
        if (!fits(slot, asked[slot], values_[item * slots_.size() + slot])) return true;
      }
      return static_cast<bool>(use(item));
    };
    if (lead == nullptr) {
      for (uint32_t item = 0; item < items_; ++item) {
        if (!offer(item)) return;
      }
      return;
    }
    const Slot& by = slots_[leading];
    for (const uint32_t at : lead->values) {
      for (size_t i = by.first[at]; i < by.first[at + 1]; ++i) {
        if (!offer(by.order[i])) return;
      }
    }
  }

 private:
  static constexpr size_t kMostPairs = size_t{1} << 26;
  // So many entries of all lists of values that fit are kept.
  static constexpr size_t kMostKept = size_t{1} << 24;

  struct Fitting {
    std::vector<uint32_t> values;  // places in Slot::distinct
    size_t items = 0;
  };
  struct Slot {
    std::vector<uint32_t> order;     // items by value
    std::vector<uint32_t> distinct;  // ascending
    std::vector<size_t> first;       // by place in `distinct`, and one more: where its items begin
    std::unordered_map<uint32_t, Fitting> fitting;  // by asked value
  };

  void Sort(size_t slot) {
    Slot& of = slots_[slot];
    const auto value = [&](uint32_t item) { return values_[item * slots_.size() + slot]; };
    of.order.resize(items_);
    std::iota(of.order.begin(), of.order.end(), 0U);
    std::stable_sort(of.order.begin(), of.order.end(),
                     [&](uint32_t a, uint32_t b) { return value(a) < value(b); });
    for (size_t i = 0; i < items_; ++i) {
      if (i > 0 && value(of.order[i]) == value(of.order[i - 1])) continue;
      of.distinct.push_back(value(of.order[i]));
      of.first.push_back(i);
    }
    of.first.push_back(items_);
  }

  // The values of a slot that fit, or null where finding them would take too long.
  template <typename Fits>
  const Fitting* Find(size_t slot, uint32_t asked, const Fits& fits) {
    Slot& of = slots_[slot];
    const auto known = of.fitting.find(asked);
    if (known != of.fitting.end()) return &known->second;
    if (pairs_ + of.distinct.size() > kMostPairs || kept_ > kMostKept) return nullptr;
    pairs_ += of.distinct.size();
    Fitting fitting;
    for (uint32_t at = 0; at < of.distinct.size(); ++at) {
      if (!fits(slot, asked, of.distinct[at])) continue;
      fitting.values.push_back(at);
      fitting.items += of.first[at + 1] - of.first[at];
    }
    kept_ += fitting.values.size();
    return &of.fitting.emplace(asked, std::move(fitting)).first->second;
  }

  // The slot with the fewest items that fit; null where none is known.
  template <typename Fits>
  std::pair<size_t, const Fitting*> Lead(const uint32_t* asked, const Fits& fits) {
    std::pair<size_t, const Fitting*> best{slots_.size(), nullptr};
    for (size_t slot = 0; slot < slots_.size(); ++slot) {
      const Fitting* fitting = Find(slot, asked[slot], fits);
      if (fitting == nullptr || (best.second != nullptr && fitting->items >= best.second->items)) {
        continue;
      }
      best = {slot, fitting};
    }
    return best;
  }

  size_t items_;
  std::vector<uint32_t> values_;
  std::vector<Slot> slots_;
  size_t pairs_ = 0;
  size_t kept_ = 0;
};

}  // namespace thicket
