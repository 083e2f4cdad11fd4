#include "verify/distinct_representatives.h"

#include <algorithm>
#include <cstddef>

#include "base/stop.h"

namespace thicket {

namespace {

class Distribution {
 public:
  Distribution(const std::vector<uint32_t>& demand, const std::vector<uint32_t>& capacity,
               const CandidateAt& candidate)
      : candidate_(candidate),
        free_(capacity),
        holders_(capacity.size()),
        thing_seen_(capacity.size(), 0),
        asker_seen_(demand.size(), 0),
        reached_from_(capacity.size(), 0),
        gave_up_(demand.size(), 0) {}

  // How many of `need` the asker gets, greedily from what is free, then by moving others aside.
  uint32_t Serve(uint32_t asker, uint32_t need) {
    uint32_t left = need;
    for (size_t number = 0; left > 0; ++number) {
      const uint32_t thing = candidate_(asker, number);
      if (thing == kNoThing) break;
      const uint32_t amount = std::min(left, free_[thing]);
      if (amount == 0) continue;
      free_[thing] -= amount;
      left -= amount;
      Hold(thing, asker, amount);
    }
    while (left > 0) {
      const uint32_t amount = Augment(asker, left);
      if (amount == 0) break;
      left -= amount;
    }
    return need - left;
  }

 private:
  struct Holder {
    uint32_t asker;
    uint32_t amount;
  };
  static constexpr uint32_t kDead = ~uint32_t{0};

  void Hold(uint32_t thing, uint32_t asker, uint32_t amount) {
    for (Holder& holder : holders_[thing]) {
      if (holder.asker != asker) continue;
      holder.amount += amount;
      return;
    }
    holders_[thing].push_back({asker, amount});
  }
  Holder& HolderOf(uint32_t thing, uint32_t asker) {
    return *std::find_if(holders_[thing].begin(), holders_[thing].end(),
                         [&](const Holder& holder) { return holder.asker == asker; });
  }
  void Release(uint32_t thing, uint32_t asker, uint32_t amount) {
    Holder& holder = HolderOf(thing, asker);
    holder.amount -= amount;
    if (holder.amount > 0) return;
    holder = holders_[thing].back();
    holders_[thing].pop_back();
  }
  static bool Seen(uint32_t mark, uint32_t search) { return mark == search || mark == kDead; }

  // Finds a way to something free, and moves up to `most` along it. 0 if there is none.
  uint32_t Augment(uint32_t start, uint32_t most) {
    if (asker_seen_[start] == kDead) return 0;
    ++search_;
    asker_seen_[start] = search_;
    queue_.assign(1, start);
    reached_.clear();
    for (size_t next = 0; next < queue_.size(); ++next) {
      StopPoint();
      const uint32_t asker = queue_[next];
      for (size_t number = 0;; ++number) {
        const uint32_t thing = candidate_(asker, number);
        if (thing == kNoThing) break;
        if (Seen(thing_seen_[thing], search_)) continue;
        thing_seen_[thing] = search_;
        reached_.push_back(thing);
        reached_from_[thing] = asker;
        if (free_[thing] > 0) return Shift(start, thing, most);
        for (const Holder& holder : holders_[thing]) {
          if (Seen(asker_seen_[holder.asker], search_)) continue;
          asker_seen_[holder.asker] = search_;
          gave_up_[holder.asker] = thing;
          queue_.push_back(holder.asker);
        }
      }
    }
    for (const uint32_t asker : queue_) asker_seen_[asker] = kDead;
    for (const uint32_t thing : reached_) thing_seen_[thing] = kDead;
    return 0;
  }

  uint32_t Shift(uint32_t start, uint32_t last, uint32_t most) {
    uint32_t amount = std::min(most, free_[last]);
    for (uint32_t asker = reached_from_[last]; asker != start;) {
      amount = std::min(amount, HolderOf(gave_up_[asker], asker).amount);
      asker = reached_from_[gave_up_[asker]];
    }
    free_[last] -= amount;
    uint32_t thing = last;
    while (true) {
      const uint32_t asker = reached_from_[thing];
      Hold(thing, asker, amount);
      if (asker == start) return amount;
      thing = gave_up_[asker];
      Release(thing, asker, amount);
    }
  }

  const CandidateAt& candidate_;
  std::vector<uint32_t> free_;
  std::vector<std::vector<Holder>> holders_;
  // By thing and by asker: the last search that came by, kDead if none needs to again.
  std::vector<uint32_t> thing_seen_;
  std::vector<uint32_t> asker_seen_;
  // How the search came there: to a thing from an asker, to an asker from a thing that it holds.
  std::vector<uint32_t> reached_from_;
  std::vector<uint32_t> gave_up_;
  std::vector<uint32_t> queue_;
  std::vector<uint32_t> reached_;
  uint32_t search_ = 0;
};

}  // namespace

std::vector<uint32_t> FindShortage(const std::vector<uint32_t>& demand,
                                   const std::vector<uint32_t>& capacity,
                                   const CandidateAt& candidate) {
  Distribution distribution(demand, capacity, candidate);
  std::vector<uint32_t> shortage(demand.size());
  for (uint32_t asker = 0; asker < demand.size(); ++asker) {
    StopPoint();
    shortage[asker] = demand[asker] - distribution.Serve(asker, demand[asker]);
  }
  return shortage;
}

std::vector<uint32_t> FindShortage(const std::vector<uint32_t>& demand,
                                   const std::vector<uint32_t>& capacity,
                                   const CandidatesOf& candidates) {
  uint32_t last = kNoThing;
  const std::vector<uint32_t>* list = nullptr;
  return FindShortage(demand, capacity, CandidateAt([&](uint32_t asker, size_t number) {
                        if (asker != last) list = &candidates(asker);
                        last = asker;
                        return number < list->size() ? (*list)[number] : kNoThing;
                      }));
}

}  // namespace thicket
