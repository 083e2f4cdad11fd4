#include "verify/free_cuts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/phase.h"
#include "base/stop.h"

namespace thicket {

namespace {

// How many records are looked at in all, over all cuts that are tried.
constexpr uint64_t kMostWork = 50'000'000;

// The labels that the free values of one attribute may have: trees, whose cuts are numbered.
class FreeForest {
 public:
  // Lines go up from a value: each label stands right below the next.
  void Add(const std::vector<uint32_t>& line) {
    for (size_t i = 0; i < line.size(); ++i) {
      const bool is_top = i + 1 == line.size();
      Node& node = nodes_[line[i]];
      if (node.is_known) return;
      node.is_known = true;
      if (is_top) {
        roots_.push_back(line[i]);
      } else {
        nodes_[line[i + 1]].children.push_back(line[i]);
      }
    }
  }

  // At most kMostWork + 1.
  uint64_t CutCount() const { return Product(roots_); }

  // By label at the end of a line: the label of the cut with this number. Number 0 is the most general cut, and the last
  // one has all values as they are.
  std::map<uint32_t, uint32_t> Cut(uint64_t number) const {
    std::map<uint32_t, uint32_t> label_of;
    Choose(roots_, number, label_of);
    return label_of;
  }

 private:
  struct Node {
    std::vector<uint32_t> children;
    bool is_known = false;
  };

  uint64_t Product(const std::vector<uint32_t>& labels) const {
    uint64_t product = 1;
    for (const uint32_t label : labels) product = std::min(product * Count(label), kMostWork + 1);
    return product;
  }
  uint64_t Count(uint32_t label) const {
    const std::vector<uint32_t>& children = nodes_.at(label).children;
    return children.empty() ? 1 : std::min(1 + Product(children), kMostWork + 1);
  }
  void Choose(const std::vector<uint32_t>& labels, uint64_t number,
              std::map<uint32_t, uint32_t>& label_of) const {
    for (const uint32_t label : labels) {
      const uint64_t count = Count(label);
      const uint64_t own = number % count;
      number /= count;
      const std::vector<uint32_t>& children = nodes_.at(label).children;
      if (own == 0) {
        Cover(label, label, label_of);
      } else {
        Choose(children, own - 1, label_of);
      }
    }
  }
  void Cover(uint32_t label, uint32_t above, std::map<uint32_t, uint32_t>& label_of) const {
    label_of[label] = above;
    for (const uint32_t child : nodes_.at(label).children) Cover(child, above, label_of);
  }

  std::map<uint32_t, Node> nodes_;
  std::vector<uint32_t> roots_;
};

class Search {
 public:
  Search(const std::vector<CutReading>& cuts, const Dataset& original,
         const std::vector<RecordId>& records, TableRule& rule)
      : cuts_(cuts), original_(original), records_(records), rule_(rule), forests_(cuts.size()) {
    for (const RecordId record : records_) {
      for (size_t slot = 0; slot < cuts_.size(); ++slot) {
        if (IsFree(record, slot)) forests_[slot].Add(cuts_[slot].Line(ValueOf(record, slot)));
      }
    }
  }

  FreeCut Find() {
    uint64_t all = 1;
    for (const FreeForest& forest : forests_) {
      all = std::min(all * forest.CutCount(), kMostWork + 1);
    }
    const uint64_t most = std::max<uint64_t>(2, kMostWork / records_.size());
    Phase phase("verify cuts", all <= most ? all : 2);
    if (all <= most) {
      for (uint64_t number = 0; number < all; ++number) {
        if (LeavesNobody(number)) return FreeCut::kFound;
        phase.Advance();
      }
      return FreeCut::kNone;
    }
    // The most general one, and values as they are.
    return LeavesNobody(0) || LeavesNobody(kLast) ? FreeCut::kFound : FreeCut::kNotSettled;
  }

 private:
  static constexpr uint64_t kLast = ~uint64_t{0};

  Symbol ValueOf(RecordId record, size_t slot) const {
    return original_.forest.value(original_.forest.root(record), slot);
  }
  bool IsFree(RecordId record, size_t slot) const {
    return cuts_[slot].label_of(ValueOf(record, slot)) == CutReading::kFree;
  }

  bool LeavesNobody(uint64_t number) {
    std::vector<std::map<uint32_t, uint32_t>> label_of(cuts_.size());
    for (size_t slot = 0; slot < cuts_.size() && number != kLast; ++slot) {
      const uint64_t count = forests_[slot].CutCount();
      label_of[slot] = forests_[slot].Cut(number % count);
      number /= count;
    }
    std::map<std::vector<std::pair<bool, uint32_t>>, TableClass> classes;
    std::vector<std::pair<bool, uint32_t>> tuple(cuts_.size());
    for (const RecordId record : records_) {
      StopPoint();
      for (size_t slot = 0; slot < tuple.size(); ++slot) {
        const Symbol value = ValueOf(record, slot);
        tuple[slot] = {false, cuts_[slot].label_of(value)};
        if (tuple[slot].second != CutReading::kFree) continue;
        const uint32_t own = cuts_[slot].Line(value).front();
        tuple[slot] = {true, number == kLast ? own : label_of[slot].at(own)};
      }
      rule_.Add(original_, record, false, 1,
                classes.emplace(tuple, rule_.attribute_count()).first->second);
    }
    return std::all_of(classes.begin(), classes.end(),
                       [&](const auto& one) { return rule_.Suppress(one.second).size == 0; });
  }

  const std::vector<CutReading>& cuts_;
  const Dataset& original_;
  const std::vector<RecordId>& records_;
  TableRule& rule_;
  std::vector<FreeForest> forests_;
};

}  // namespace

FreeCut FindFreeCut(const std::vector<CutReading>& cuts, const Dataset& original,
                    const std::vector<RecordId>& records, TableRule& rule) {
  return Search(cuts, original, records, rule).Find();
}

}  // namespace thicket
