#include "matching/anywhere.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/fold.h"
#include "base/stop.h"

namespace thicket {

namespace {

// What it counts to take a value that is too frequent out of a record.
constexpr int64_t kCredit = int64_t{1} << 20;

}  // namespace

AnywhereValues::AnywhereValues(const EncodedDataset& data) : data_(&data) {
  const Schema& schema = data.schema();
  attributes_.resize(schema.classes.size());
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    const VertexClass& of = schema.classes[id];
    for (size_t attribute = 0; attribute < of.sensitive.size(); ++attribute) {
      if (!of.sensitive[attribute].anywhere) continue;
      const size_t slot = of.sensitive_slot(attribute);
      const Dictionary& dictionary = data.data.dictionaries[id][slot];
      std::vector<uint32_t> numbers = data.classes[id].bucket_of_symbol[attribute];
      for (Symbol symbol = 0; symbol < numbers.size(); ++symbol) {
        StopPoint();
        const bool means_nothing = symbol == kMissing || FoldValue(dictionary.text(symbol)).empty();
        numbers[symbol] = means_nothing ? kNoValue : count_ + numbers[symbol];
      }
      attributes_[id].push_back({slot, std::move(numbers)});
      const uint32_t buckets = data.classes[id].bucket_count[attribute];
      for (uint32_t bucket = 0; bucket < buckets; ++bucket) bucket_of_number_.push_back(bucket);
      count_ += buckets;
    }
  }
}

void AnywherePruner::Collect(const AnywhereValues& values, const Tree& tree) {
  places_.clear();
  for (uint32_t position = 0; position < tree.subtree_size.size(); ++position) {
    for (uint32_t member = 0; member < tree.members; ++member) {
      values.ForEach(tree.vertices[position * tree.members + member], [&](uint32_t number) {
        places_.push_back({number, member, position});
      });
    }
  }
  std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return std::tie(a.number, a.member, a.position) < std::tie(b.number, b.member, b.position);
  });
}

bool AnywherePruner::FindExcess(const AnywhereValues& values, const DiversityRule& rule,
                                int class_size) {
  holdings_.clear();
  excess_.clear();
  bool found = false;
  const auto end = static_cast<uint32_t>(places_.size());
  for (uint32_t begin = 0; begin < end;) {
    const uint32_t number = places_[begin].number;
    const auto value = static_cast<uint32_t>(excess_.size());
    excess_.push_back(-values.Limit(number, rule, class_size));
    while (begin < end && places_[begin].number == number) {
      uint32_t next = begin + 1;
      while (next < end && places_[next].number == number &&
             places_[next].member == places_[begin].member) {
        ++next;
      }
      holdings_.push_back({value, begin, next, next - begin});
      ++excess_.back();
      begin = next;
    }
    found = found || excess_.back() > 0;
  }
  return found;
}

void AnywherePruner::IndexPositions(size_t positions) {
  first_.assign(positions + 1, 0);
  for (const Place& place : places_) ++first_[place.position + 1];
  for (size_t p = 0; p < positions; ++p) first_[p + 1] += first_[p];
  of_place_.resize(places_.size());
  std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
  for (uint32_t holding = 0; holding < holdings_.size(); ++holding) {
    for (uint32_t i = holdings_[holding].begin; i < holdings_[holding].end; ++i) {
      of_place_[next[places_[i].position]++] = holding;
    }
  }
}

size_t AnywherePruner::Choose(const Tree& tree) {
  const size_t positions = kept_.size();
  credit_.assign(positions, 0);
  worth_.assign(positions, 0);
  size_t best = 0;
  double best_rate = -1;
  for (size_t p = positions; p-- > 1;) {
    if (!kept_[p]) continue;
    worth_[p] += tree.worth[p];
    for (uint32_t i = first_[p]; i < first_[p + 1]; ++i) {
      const Holding& holding = holdings_[of_place_[i]];
      // A record that has the value in several vertices loses it with the last of them.
      if (excess_[holding.value] > 0) credit_[p] += kCredit / holding.left;
    }
    for (size_t child = p + 1; child < p + tree.subtree_size[p];
         child += tree.subtree_size[child]) {
      worth_[p] += worth_[child];
      credit_[p] += credit_[child];
    }
    // Whole numbers below 2^53, and one division: the same everywhere.
    const double rate =
        static_cast<double>(credit_[p]) / static_cast<double>(std::max<Units>(1, worth_[p]));
    if (credit_[p] > 0 && rate >= best_rate) {
      best = p;
      best_rate = rate;
    }
  }
  return best;
}

void AnywherePruner::Drop(size_t position, const Tree& tree) {
  for (size_t p = position; p < position + tree.subtree_size[position]; ++p) {
    if (!kept_[p]) continue;
    kept_[p] = false;
    for (uint32_t i = first_[p]; i < first_[p + 1]; ++i) {
      Holding& holding = holdings_[of_place_[i]];
      if (--holding.left == 0) --excess_[holding.value];
    }
  }
}

void AnywherePruner::BringBack(const Tree& tree) {
  for (size_t p = 1; p < kept_.size();) {
    if (kept_[p]) {
      ++p;
      continue;
    }
    // The parent is there: what is below a vertex that is not is passed over.
    for (uint32_t i = first_[p]; i < first_[p + 1]; ++i) {
      Holding& holding = holdings_[of_place_[i]];
      if (holding.left++ == 0) ++excess_[holding.value];
    }
    kept_[p] = true;
    const bool fits =
        std::all_of(of_place_.begin() + first_[p], of_place_.begin() + first_[p + 1],
                    [&](uint32_t holding) { return excess_[holdings_[holding].value] <= 0; });
    if (fits) {
      ++p;
      continue;
    }
    kept_[p] = false;
    for (uint32_t i = first_[p]; i < first_[p + 1]; ++i) {
      Holding& holding = holdings_[of_place_[i]];
      if (--holding.left == 0) --excess_[holding.value];
    }
    p += tree.subtree_size[p];
  }
}

bool AnywherePruner::Prune(const AnywhereValues& values, const DiversityRule& rule, int class_size,
                           const Tree& tree) {
  Collect(values, tree);
  if (!FindExcess(values, rule, class_size)) return true;
  const size_t positions = tree.subtree_size.size();
  IndexPositions(positions);
  kept_.assign(positions, true);
  while (const size_t position = Choose(tree)) Drop(position, tree);
  BringBack(tree);
  return false;
}

}  // namespace thicket
