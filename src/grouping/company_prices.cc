#include "grouping/company_prices.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/phase.h"
#include "base/stop.h"

namespace thicket {

namespace {

constexpr size_t kRecordsAtOnce = 32;
// The first step of a price, as a part of what a record keeps on average, and after how many rounds in vain it is halved.
constexpr Units kFirstStep = 24;
constexpr size_t kRoundsInVain = 3;

using List = std::vector<Acquaintances::One>;

bool HasMore(const Acquaintances::One& a, const Acquaintances::One& b) {
  return a.common != b.common ? a.common > b.common : a.record < b.record;
}

class Pricing {
 public:
  Pricing(std::vector<Acquaintances> kinds, const std::vector<Units>& most,
          const PriceOptions& options, Parallel& parallel)
      : kinds_(std::move(kinds)),
        most_(most),
        options_(options),
        parallel_(parallel),
        prices_(most.size(), 0),
        buffers_(parallel.threads()) {
    for (Acquaintances& kind : kinds_) {
      scale_ = std::lcm(scale_, static_cast<Units>(kind.needed));
      compared_.emplace_back(most.size(), 0);
      Limit(kind);
    }
  }

  Units Improve() {
    Phase phase("bound", options_.rounds);
    Units best = Round();
    const Units kept = std::accumulate(most_.begin(), most_.end(), Units{0});
    const auto records = static_cast<Units>(std::max<size_t>(1, most_.size()));
    Units step = std::max<Units>(1, kept / records / kFirstStep);
    size_t in_vain = 0;
    for (size_t round = 0; round < options_.rounds; ++round) {
      Move(step);
      const Units sum = Round();
      phase.Advance();
      if (sum < best) {
        best = sum;
        in_vain = 0;
      } else if (++in_vain == kRoundsInVain) {
        step = std::max<Units>(1, step / 2);
        in_vain = 0;
      }
    }
    return best;
  }

 private:
  // A record that may be looked at, and where it stands in the list.
  struct Offer {
    Units price;
    size_t place;
    friend bool operator<(const Offer& a, const Offer& b) {
      return a.price != b.price ? a.price < b.price : a.place < b.place;
    }
  };
  // Whom a record looks at, and in which kind.
  struct Choice {
    std::vector<RecordId> others;
    size_t needed = 1;
  };
  struct Buffer {
    std::vector<Offer> offers;  // a heap, the dearest first
    std::vector<size_t> places;
  };

  // Nobody has more in common with a record than either keeps at most.
  void Limit(Acquaintances& kind) const {
    for (size_t r = 0; r < most_.size(); ++r) {
      kind.rest[r] = std::min(kind.rest[r], most_[r]);
      List& list = kind.lists[r];
      for (auto& one : list) one.common = std::min({one.common, most_[r], most_[one.record]});
      std::erase_if(list, [&](const auto& one) { return one.common <= kind.rest[r]; });
      std::sort(list.begin(), list.end(), HasMore);
    }
  }

  // What a look costs, times scale_.
  Units PriceIn(const Acquaintances& kind, RecordId record) const {
    return prices_[record] * (scale_ / static_cast<Units>(kind.needed));
  }

  // The most that the record gains in a kind, times scale_, and the places in the list of those it looks at then: the cheapest of
  // those who have no less in common with the record than the last of them.
  Units Gain(const Acquaintances& kind, RecordId record, Buffer& buffer) const {
    Units best = scale_ * kind.rest[record];
    Units paid = 0;
    std::vector<Offer>& offers = buffer.offers;
    offers.clear();
    buffer.places.clear();
    const List& list = kind.lists[record];
    for (size_t place = 0; place < list.size(); ++place) {
      if (list[place].common * scale_ <= best) break;
      offers.push_back({PriceIn(kind, list[place].record), place});
      std::push_heap(offers.begin(), offers.end());
      paid += PriceIn(kind, list[place].record);
      if (offers.size() > kind.needed) {
        std::pop_heap(offers.begin(), offers.end());
        paid -= offers.back().price;
        offers.pop_back();
      }
      const Units gain = scale_ * list[place].common - paid;
      if (offers.size() < kind.needed || gain <= best) continue;
      best = gain;
      buffer.places.clear();
      for (const Offer& offer : offers) buffer.places.push_back(offer.place);
    }
    return best;
  }

  // Compares the record with those it would look at; false if all have been compared.
  bool Compare(size_t number, size_t worker, RecordId record, std::vector<size_t>& places) {
    Acquaintances& kind = kinds_[number];
    uint32_t& compared = compared_[number][record];
    if (!kind.compare) return false;
    List& list = kind.lists[record];
    bool changed = false;
    // From the last on, so that places before stay as they are.
    std::sort(places.begin(), places.end(), std::greater<>());
    for (const size_t place : places) {
      if (list[place].compared || compared == options_.comparisons) continue;
      ++compared;
      changed = true;
      Acquaintances::One one = list[place];
      one.compared = true;
      one.common = std::min(one.common, kind.compare(worker, record, one.record));
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(place));
      if (one.common <= kind.rest[record]) continue;
      list.insert(std::upper_bound(list.begin(), list.end(), one, HasMore), one);
    }
    return changed;
  }

  void Choose(size_t worker, RecordId record) {
    Buffer& buffer = buffers_[worker];
    gains_[record] = 0;
    Choice& choice = choices_[record];
    choice.others.clear();
    for (size_t number = 0; number < kinds_.size(); ++number) {
      const Acquaintances& kind = kinds_[number];
      Units gain = Gain(kind, record, buffer);
      while (gain > gains_[record] && Compare(number, worker, record, buffer.places)) {
        gain = Gain(kind, record, buffer);
      }
      if (gain <= gains_[record]) continue;
      gains_[record] = gain;
      choice.needed = kind.needed;
      choice.others.clear();
      for (const size_t place : buffer.places) {
        choice.others.push_back(kind.lists[record][place].record);
      }
    }
  }

  // What all gain, and all prices.
  Units Round() {
    const size_t records = most_.size();
    gains_.resize(records);
    choices_.resize(records);
    parallel_.For(records, kRecordsAtOnce, [&](size_t worker, size_t begin, size_t end) {
      for (size_t record = begin; record < end; ++record) {
        StopPoint();
        Choose(worker, static_cast<RecordId>(record));
      }
    });
    Units sum = 0;
    for (size_t r = 0; r < records; ++r) sum += gains_[r] + scale_ * prices_[r];
    return (sum + scale_ - 1) / scale_;
  }

  // Whoever is looked at too much becomes dearer.
  void Move(Units step) {
    std::vector<Units> excess(most_.size(), -scale_);
    for (const Choice& choice : choices_) {
      for (const RecordId other : choice.others) {
        excess[other] += scale_ / static_cast<Units>(choice.needed);
      }
    }
    for (size_t r = 0; r < prices_.size(); ++r) {
      prices_[r] = std::max<Units>(0, prices_[r] + step * excess[r] / scale_);
    }
  }

  std::vector<Acquaintances> kinds_;
  const std::vector<Units>& most_;
  PriceOptions options_;
  Parallel& parallel_;
  Units scale_ = 1;            // prices of looks are whole multiples of 1 / scale_
  std::vector<Units> prices_;  // what a record is paid by all who look at it
  std::vector<Buffer> buffers_;
  std::vector<std::vector<uint32_t>> compared_;  // by kind and record: how many comparisons it made
  std::vector<Units> gains_;
  std::vector<Choice> choices_;
};

}  // namespace

Units PriceCompany(std::vector<Acquaintances> kinds, const std::vector<Units>& most,
                   const PriceOptions& options, Parallel& parallel) {
  return Pricing(std::move(kinds), most, options, parallel).Improve();
}

}  // namespace thicket
