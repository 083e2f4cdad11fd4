#include "cutting/sets/lg.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/stop.h"
#include "cutting/sets/time_limit.h"

namespace thicket {

namespace {

using Cost = ItemSets::Cost;

// So many records of a transaction.
struct Member {
  uint32_t transaction;
  uint32_t count;
};

// Records that are published alike, if nothing is split any more.
struct Part {
  std::vector<Member> members;
  // Ascending; those that are split when their turn comes, and those that are not.
  std::vector<Item> open;
  std::vector<Item> closed;
};

// Records of a part that have something below the same children of a label.
struct Branch {
  std::vector<Item> children;
  std::vector<Member> members;
  uint64_t records = 0;
  // What is saved, in the units of costs.
  Cost saved = 0;
};

struct Split {
  // At least k records each. None if the label cannot be split.
  std::vector<Branch> branches;
  // Whether no children go with k records: nor do they where there are fewer.
  bool is_hopeless = false;
  std::vector<Member> rest;
  uint64_t rest_records = 0;

  Cost saved() const {
    Cost sum = 0;
    for (const Branch& branch : branches) sum += branch.saved;
    return sum;
  }
};

class LocalGeneralization {
 public:
  LocalGeneralization(const ItemSets& sets, uint64_t k, const LgOptions& options)
      : sets_(sets), k_(std::max<uint64_t>(k, 1)), limit_(options.limit_s) {}

  LgAnswer Run(Progress& progress) {
    FindRecords();
    answer_.set_of_record.assign(sets_.record_count(), LgAnswer::kLeftOut);
    std::vector<Part> parts = FirstParts();
    if (!answer_.is_feasible) return std::move(answer_);
    while (!parts.empty()) {
      StopPoint();
      Part part = std::move(parts.back());
      parts.pop_back();
      answer_.stopped_early = answer_.stopped_early || (!part.open.empty() && limit_.IsOver());
      if (part.open.empty() || answer_.stopped_early || !SplitBest(part, parts)) {
        progress.Advance(Publish(part));
      }
    }
    return std::move(answer_);
  }

 private:
  // What an occurrence costs below a label.
  Cost UnitCost(Item item) const { return sets_.forest().is_leaf(item) ? 0 : sets_.leaves(item); }

  void FindRecords() {
    records_of_.resize(sets_.transaction_count());
    const std::vector<uint32_t>& of = sets_.transaction_of_record();
    for (uint32_t record = 0; record < of.size(); ++record) {
      records_of_[of[record]].push_back(record);
    }
    next_record_.assign(sets_.transaction_count(), 0);
  }

  // All that have items, and those that have none if they are enough.
  std::vector<Part> FirstParts() {
    Part with;
    Part without;
    uint64_t with_records = 0;
    uint64_t without_records = 0;
    for (uint32_t t = 0; t < sets_.transaction_count(); ++t) {
      const bool is_empty = sets_.items(t).empty();
      (is_empty ? without : with).members.push_back({t, sets_.count(t)});
      (is_empty ? without_records : with_records) += sets_.count(t);
    }
    std::vector<Part> parts;
    answer_.is_feasible = with_records == 0 || with_records >= k_;
    if (without_records >= k_) parts.push_back(std::move(without));
    if (without_records < k_) answer_.left_out = without_records;
    if (with_records == 0) return parts;
    const Item root = sets_.forest().roots().front();
    (sets_.forest().is_leaf(root) ? with.closed : with.open).push_back(root);
    parts.push_back(std::move(with));
    return parts;
  }

  // The child of a label that is at or above an item below the label.
  Item ChildAbove(Item label, Item item) const {
    const auto children = sets_.forest().Children(label);
    // Children have ascending places.
    const auto after =
        std::upper_bound(children.begin(), children.end(), sets_.place(item),
                         [&](uint32_t place, Item child) { return place < sets_.place(child); });
    return *(after - 1);
  }

  Split WeighSplit(const Part& part, Item label) {
    ++answer_.weighed;
    std::map<std::vector<Item>, Branch> branches;
    std::vector<Item> children;
    for (const Member& member : part.members) {
      StopPoint();
      children.clear();
      Cost saved = 0;
      const auto items = sets_.items(member.transaction);
      auto at =
          std::lower_bound(items.begin(), items.end(), sets_.place(label),
                           [&](Item item, uint32_t place) { return sets_.place(item) < place; });
      for (; at != items.end() && sets_.place(*at) < sets_.end(label); ++at) {
        const Item child = ChildAbove(label, *at);
        if (children.empty() || children.back() != child) children.push_back(child);
        saved += UnitCost(label) - UnitCost(child);
      }
      Branch& branch = branches[children];
      branch.members.push_back(member);
      branch.records += member.count;
      branch.saved += saved * member.count;
    }
    Split split;
    for (auto& [shown, branch] : branches) {
      if (branch.records >= k_) {
        branch.children = shown;
        split.branches.push_back(std::move(branch));
      } else {
        split.rest.insert(split.rest.end(), branch.members.begin(), branch.members.end());
        split.rest_records += branch.records;
      }
    }
    split.is_hopeless = split.branches.empty();
    FillRest(split);
    return split;
  }

  // So that nobody stays behind, or at least k do.
  void FillRest(Split& split) const {
    if (split.rest_records == 0 || split.rest_records >= k_ || split.branches.empty()) return;
    uint64_t spare = 0;
    for (const Branch& branch : split.branches) spare += branch.records - k_;
    if (split.rest_records + spare < k_) {
      // The branch that saves least stays behind whole.
      const auto least =
          std::min_element(split.branches.begin(), split.branches.end(),
                           [](const Branch& a, const Branch& b) { return a.saved < b.saved; });
      split.rest.insert(split.rest.end(), least->members.begin(), least->members.end());
      split.rest_records += least->records;
      split.branches.erase(least);
      return;
    }
    for (Branch& branch : split.branches) {
      while (split.rest_records < k_ && branch.records > k_) TakeOne(branch, split);
    }
  }

  // Moves as many records of the branch's last member as are asked for and can be spared.
  void TakeOne(Branch& branch, Split& split) const {
    Member& last = branch.members.back();
    const uint64_t most = std::min(k_ - split.rest_records, branch.records - k_);
    const auto taken = static_cast<uint32_t>(std::min<uint64_t>(most, last.count));
    split.rest.push_back({last.transaction, taken});
    split.rest_records += taken;
    branch.records -= taken;
    last.count -= taken;
    if (last.count == 0) branch.members.pop_back();
  }

  // Whether a label of the part could be split; then what has become of it is among the parts.
  bool SplitBest(Part& part, std::vector<Part>& parts) {
    std::optional<Split> best;
    Cost most = 0;
    Item label = 0;
    std::vector<Item> still_open;
    for (const Item open : part.open) {
      Split split = WeighSplit(part, open);
      (split.is_hopeless ? part.closed : still_open).push_back(open);
      if (split.branches.empty()) continue;
      const Cost saved = split.saved();
      if (best && saved <= most) continue;
      most = saved;
      label = open;
      best = std::move(split);
    }
    part.open = std::move(still_open);
    if (!best) return false;
    ++answer_.splits;
    std::erase(part.open, label);
    for (Branch& branch : best->branches) {
      Part finer{std::move(branch.members), part.open, part.closed};
      for (const Item child : branch.children) {
        (sets_.forest().is_leaf(child) ? finer.closed : finer.open).push_back(child);
      }
      std::sort(finer.open.begin(), finer.open.end());
      parts.push_back(std::move(finer));
    }
    if (best->rest_records == 0) return true;
    part.closed.push_back(label);
    parts.push_back({std::move(best->rest), std::move(part.open), std::move(part.closed)});
    return true;
  }

  // How many records that are.
  uint64_t Publish(const Part& part) {
    std::vector<Item> labels = part.closed;
    labels.insert(labels.end(), part.open.begin(), part.open.end());
    std::sort(labels.begin(), labels.end());
    std::vector<Item> by_place = labels;
    std::sort(by_place.begin(), by_place.end(),
              [&](Item a, Item b) { return sets_.place(a) < sets_.place(b); });
    const auto [found, is_new] =
        number_of_set_.try_emplace(labels, static_cast<uint32_t>(answer_.sets.size()));
    if (is_new) answer_.sets.push_back(std::move(labels));
    uint64_t records = 0;
    for (const Member& member : part.members) {
      StopPoint();
      for (uint32_t i = 0; i < member.count; ++i) {
        answer_.set_of_record[records_of_[member.transaction][next_record_[member.transaction]++]] =
            found->second;
      }
      records += member.count;
      answer_.cost += CostOf(member.transaction, by_place) * member.count;
    }
    return records;
  }

  Cost CostOf(uint32_t transaction, const std::vector<Item>& labels_by_place) const {
    Cost cost = 0;
    for (const Item item : sets_.items(transaction)) {
      const auto after =
          std::upper_bound(labels_by_place.begin(), labels_by_place.end(), sets_.place(item),
                           [&](uint32_t place, Item label) { return place < sets_.place(label); });
      cost += UnitCost(*(after - 1));
    }
    return cost;
  }

  const ItemSets& sets_;
  uint64_t k_;
  TimeLimit limit_;
  // By transaction: its records, and how many of them are published.
  std::vector<std::vector<uint32_t>> records_of_;
  std::vector<size_t> next_record_;
  std::map<std::vector<Item>, uint32_t> number_of_set_;
  LgAnswer answer_;
};

}  // namespace

LgAnswer GeneralizeLocally(const ItemSets& sets, uint64_t k, const LgOptions& options,
                           Progress& progress) {
  return LocalGeneralization(sets, k, options).Run(progress);
}

}  // namespace thicket
