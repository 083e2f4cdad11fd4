#include "grouping/most_shared.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace thicket {

void MostShared::Begin(const SharedLabels& own, size_t needed, Units least) {
  own_ = &own;
  needed_ = needed;
  words_ = own.words();
  best_ = least;
  masks_.clear();
  most_.clear();
  open_.clear();
}

void MostShared::Add(const uint64_t* mask, Units most) {
  masks_.insert(masks_.end(), mask, mask + words_);
  most_.push_back(most);
}

bool MostShared::DropCandidates(Branch& branch) {
  const auto is_worthless = [&](uint32_t candidate) {
    for (size_t word = 0; word < words_; ++word) {
      buffer_[word] = mask(candidate)[word] & branch.allowed[word];
    }
    worth_[candidate] = std::min(most_[candidate], own_->Weigh(buffer_.data()));
    return worth_[candidate] <= best_;
  };
  std::erase_if(branch.candidates, is_worthless);
  return branch.candidates.size() >= needed_;
}

bool MostShared::DropItems(Branch& branch, bool& lost) {
  const auto digits = static_cast<size_t>(std::bit_width(branch.candidates.size()));
  planes_.assign(digits * words_, 0);
  for (const uint32_t candidate : branch.candidates) {
    for (size_t word = 0; word < words_; ++word) {
      uint64_t carry = mask(candidate)[word];
      for (size_t digit = 0; carry != 0; ++digit) {
        uint64_t& plane = planes_[digit * words_ + word];
        const uint64_t next = plane & carry;
        plane ^= carry;
        carry = next;
      }
    }
  }
  bool dropped = false;
  for (size_t word = 0; word < words_; ++word) {
    uint64_t equal = ~uint64_t{0};
    uint64_t more = 0;
    for (size_t digit = digits; digit-- > 0;) {
      const uint64_t plane = planes_[digit * words_ + word];
      if ((needed_ >> digit & 1) != 0) {
        equal &= plane;
      } else {
        more |= equal & plane;
        equal &= ~plane;
      }
    }
    const uint64_t enough = more | equal;
    if ((branch.kept[word] & ~enough) != 0) lost = true;
    if ((branch.allowed[word] & ~enough) == 0) continue;
    branch.allowed[word] &= enough;
    dropped = true;
  }
  return dropped;
}

bool MostShared::Tighten(Branch& branch) {
  bool lost = false;
  do {
    if (!DropCandidates(branch)) return false;
  } while (DropItems(branch, lost) && !lost);
  if (lost) return false;
  // The best come first, so that they can be branched by.
  const auto better = [&](uint32_t a, uint32_t b) {
    return worth_[a] != worth_[b] ? worth_[a] > worth_[b] : a < b;
  };
  const auto last = branch.candidates.begin() + static_cast<std::ptrdiff_t>(needed_) - 1;
  std::nth_element(branch.candidates.begin(), last, branch.candidates.end(), better);
  branch.bound = worth_[*last];
  // What the best ones have in common is a solution.
  buffer_.assign(branch.allowed.begin(), branch.allowed.end());
  for (size_t i = 0; i < needed_; ++i) {
    for (size_t word = 0; word < words_; ++word) {
      buffer_[word] &= mask(branch.candidates[i])[word];
    }
  }
  best_ = std::max(best_, std::min(branch.bound, own_->Weigh(buffer_.data())));
  return branch.bound > best_;
}

size_t MostShared::Choose(const Branch& branch) {
  // Of the items that the best candidates do not agree on, the one that weighs most together with how many of them lack it.
  size_t chosen = own_->items();
  Units greatest = 0;
  for (size_t word = 0; word < words_; ++word) {
    uint64_t some = 0;
    uint64_t all = ~uint64_t{0};
    for (size_t i = 0; i < needed_; ++i) {
      const uint64_t bits = mask(branch.candidates[i])[word];
      some |= bits;
      all &= bits;
    }
    for (uint64_t bits = some & ~all & branch.allowed[word]; bits != 0; bits &= bits - 1) {
      const auto bit = static_cast<size_t>(std::countr_zero(bits));
      Units having = 0;
      for (size_t i = 0; i < needed_; ++i) {
        having += static_cast<Units>(mask(branch.candidates[i])[word] >> bit & 1);
      }
      const Units divided = std::min(having, static_cast<Units>(needed_) - having);
      const Units value = own_->weight(word * 64 + bit) * divided;
      if (value > greatest) {
        greatest = value;
        chosen = word * 64 + bit;
      }
    }
  }
  return chosen;
}

Units MostShared::Bound(size_t branchings) {
  if (most_.size() < needed_) return best_;
  worth_.resize(most_.size());
  buffer_.resize(words_);
  const auto less = [](const Branch& a, const Branch& b) { return a.bound < b.bound; };
  Branch all;
  all.allowed.assign(words_, ~uint64_t{0});
  all.kept.assign(words_, 0);
  for (uint32_t i = 0; i < most_.size(); ++i) all.candidates.push_back(i);
  if (Tighten(all)) open_.push_back(std::move(all));
  for (; !open_.empty() && open_.front().bound > best_; --branchings) {
    if (branchings == 0) return open_.front().bound;
    std::pop_heap(open_.begin(), open_.end(), less);
    Branch without = std::move(open_.back());
    open_.pop_back();
    const size_t item = Choose(without);
    // The best agree, so that they reach the bound.
    if (item == own_->items()) {
      best_ = without.bound;
      break;
    }
    Branch with = without;
    const uint64_t bit = uint64_t{1} << (item % 64);
    with.kept[item / 64] |= bit;
    std::erase_if(with.candidates,
                  [&](uint32_t candidate) { return (mask(candidate)[item / 64] & bit) == 0; });
    without.allowed[item / 64] &= ~bit;
    for (Branch* branch : {&with, &without}) {
      if (!Tighten(*branch)) continue;
      open_.push_back(std::move(*branch));
      std::push_heap(open_.begin(), open_.end(), less);
    }
  }
  return best_;
}

}  // namespace thicket
