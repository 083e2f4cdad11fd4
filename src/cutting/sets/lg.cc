#include "cutting/sets/lg.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/stop.h"
#include "cutting/sets/time_limit.h"

namespace thicket {

namespace {

using Cost = ItemSets::Cost;

// So many records of a transaction. Where owners matter, those of one owner, which are never divided: they begin at
// `first` of the transaction's.
struct Member {
  uint32_t transaction;
  uint32_t count;
  uint32_t owner = 0;
  uint32_t first = 0;
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
  // By member: what a record saves, in the units of costs.
  std::vector<Cost> savings;
  // How many different owners there are.
  uint64_t owners = 0;

  Cost saved() const {
    Cost sum = 0;
    for (size_t i = 0; i < members.size(); ++i) sum += savings[i] * members[i].count;
    return sum;
  }
};

struct Split {
  // At least k owners each. None if the label cannot be split.
  std::vector<Branch> branches;
  // Whether no children go with k owners: nor do they where there are fewer.
  bool is_hopeless = false;
  std::vector<Member> rest;

  Cost saved() const {
    Cost sum = 0;
    for (const Branch& branch : branches) sum += branch.saved();
    return sum;
  }
};

// Members that stay behind though they could go.
struct Spare {
  Cost saved;
  uint32_t branch;
  uint32_t member;
  // How many records of the member.
  uint32_t count = 0;

  bool operator<(const Spare& other) const {
    return std::tie(saved, branch, member) < std::tie(other.saved, other.branch, other.member);
  }
};

class LocalGeneralization {
 public:
  LocalGeneralization(const ItemSets& sets, uint64_t k, const LgOptions& options)
      : sets_(sets),
        k_(std::max<uint64_t>(k, 1)),
        owners_(options.owners),
        limit_(options.limit_s) {}

  LgAnswer Run(Progress& progress) {
    FindRecords();
    answer_.set_of_record.assign(sets_.record_count(), LgAnswer::kLeftOut);
    answer_.part_of_record.assign(sets_.record_count(), LgAnswer::kLeftOut);
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
    if (owners_.empty()) return;
    // Records of an owner stand together, so that members can be told which are theirs.
    for (std::vector<uint32_t>& records : records_of_) {
      std::stable_sort(records.begin(), records.end(),
                       [&](uint32_t a, uint32_t b) { return owners_[a] < owners_[b]; });
    }
    last_seen_.assign(*std::max_element(owners_.begin(), owners_.end()) + size_t{1}, 0);
  }

  void AddMembers(uint32_t transaction, std::vector<Member>& members) const {
    if (owners_.empty()) {
      members.push_back({transaction, sets_.count(transaction)});
      return;
    }
    const std::vector<uint32_t>& records = records_of_[transaction];
    for (uint32_t i = 0; i < records.size(); ++i) {
      const uint32_t owner = owners_[records[i]];
      if (i == 0 || owner != members.back().owner) members.push_back({transaction, 0, owner, i});
      ++members.back().count;
    }
  }

  // Different owners; where everybody has one record, records.
  uint64_t CountOwners(const std::vector<Member>& members) {
    uint64_t owners = 0;
    ++seen_;
    for (const Member& member : members) {
      if (owners_.empty()) owners += member.count;
      if (owners_.empty() || last_seen_[member.owner] == seen_) continue;
      last_seen_[member.owner] = seen_;
      ++owners;
    }
    return owners;
  }

  static uint64_t CountRecords(const std::vector<Member>& members) {
    uint64_t records = 0;
    for (const Member& member : members) records += member.count;
    return records;
  }

  // All that have items, and those that have none if they are enough.
  std::vector<Part> FirstParts() {
    Part with;
    Part without;
    for (uint32_t t = 0; t < sets_.transaction_count(); ++t) {
      AddMembers(t, (sets_.items(t).empty() ? without : with).members);
    }
    const bool has_items = !with.members.empty();
    answer_.is_feasible = !has_items || CountOwners(with.members) >= k_;
    std::vector<Part> parts;
    if (CountOwners(without.members) >= k_) {
      parts.push_back(std::move(without));
    } else {
      answer_.left_out = CountRecords(without.members);
    }
    if (!has_items) return parts;
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
      branch.savings.push_back(saved);
    }
    Split split;
    for (auto& [shown, branch] : branches) {
      branch.owners = CountOwners(branch.members);
      if (branch.owners >= k_) {
        branch.children = shown;
        split.branches.push_back(std::move(branch));
      } else {
        split.rest.insert(split.rest.end(), branch.members.begin(), branch.members.end());
      }
    }
    split.is_hopeless = split.branches.empty();
    FillRest(split);
    return split;
  }

  // So that nobody stays behind, or at least k owners do.
  void FillRest(Split& split) {
    if (split.rest.empty() || split.branches.empty()) return;
    const uint64_t rest_owners = CountOwners(split.rest);
    if (rest_owners >= k_) return;
    const std::vector<Spare> spares = FindSpares(split, k_ - rest_owners);
    if (!spares.empty()) {
      for (const Spare& spare : spares) {
        Branch& branch = split.branches[spare.branch];
        split.rest.push_back(branch.members[spare.member]);
        split.rest.back().count = spare.count;
        branch.members[spare.member].count -= spare.count;
      }
      for (Branch& branch : split.branches) Close(branch);
      return;
    }
    // The branch that saves least stays behind whole.
    const auto least =
        std::min_element(split.branches.begin(), split.branches.end(),
                         [](const Branch& a, const Branch& b) { return a.saved() < b.saved(); });
    split.rest.insert(split.rest.end(), least->members.begin(), least->members.end());
    split.branches.erase(least);
  }

  // Members that bring as many more owners to the rest and leave k owners to each branch, of those that save least;
  // none if there are not enough. CountOwners() has just counted the rest.
  std::vector<Spare> FindSpares(const Split& split, uint64_t more) {
    std::vector<Spare> all;
    // By branch and owner: how many members.
    std::unordered_map<uint64_t, uint32_t> times;
    const auto key = [](uint32_t branch, uint32_t owner) { return uint64_t{branch} << 32 | owner; };
    std::vector<uint64_t> owners;
    for (uint32_t number = 0; number < split.branches.size(); ++number) {
      const Branch& branch = split.branches[number];
      owners.push_back(branch.owners);
      for (uint32_t i = 0; i < branch.members.size(); ++i) {
        all.push_back({branch.savings[i], number, i});
        if (!owners_.empty()) ++times[key(number, branch.members[i].owner)];
      }
    }
    std::sort(all.begin(), all.end());
    std::vector<Spare> spares;
    for (Spare spare : all) {
      if (more == 0) break;
      const Member& member = split.branches[spare.branch].members[spare.member];
      uint64_t& left = owners[spare.branch];
      if (owners_.empty()) {
        spare.count = static_cast<uint32_t>(std::min<uint64_t>({more, left - k_, member.count}));
        left -= spare.count;
        more -= spare.count;
      } else if (last_seen_[member.owner] != seen_) {
        uint32_t& here = times[key(spare.branch, member.owner)];
        if (here == 1 && left == k_) continue;
        if (--here == 0) --left;
        last_seen_[member.owner] = seen_;
        spare.count = member.count;
        --more;
      }
      if (spare.count > 0) spares.push_back(spare);
    }
    if (more > 0) spares.clear();
    return spares;
  }

  // Without members that have no records any more.
  static void Close(Branch& branch) {
    size_t kept = 0;
    for (size_t i = 0; i < branch.members.size(); ++i) {
      if (branch.members[i].count == 0) continue;
      branch.members[kept] = branch.members[i];
      branch.savings[kept++] = branch.savings[i];
    }
    branch.members.resize(kept);
    branch.savings.resize(kept);
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
    if (best->rest.empty()) return true;
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
        const uint32_t at = owners_.empty() ? next_record_[member.transaction]++ : member.first + i;
        const uint32_t record = records_of_[member.transaction][at];
        answer_.set_of_record[record] = found->second;
        answer_.part_of_record[record] = static_cast<uint32_t>(answer_.parts);
      }
      records += member.count;
      answer_.cost += CostOf(member.transaction, by_place) * member.count;
    }
    ++answer_.parts;
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
  std::span<const uint32_t> owners_;
  TimeLimit limit_;
  // By owner: in which count the owner was seen last.
  std::vector<uint64_t> last_seen_;
  uint64_t seen_ = 0;
  // By transaction: its records, and how many of them are published.
  std::vector<std::vector<uint32_t>> records_of_;
  std::vector<uint32_t> next_record_;
  std::map<std::vector<Item>, uint32_t> number_of_set_;
  LgAnswer answer_;
};

}  // namespace

LgAnswer GeneralizeLocally(const ItemSets& sets, uint64_t k, const LgOptions& options,
                           Progress& progress) {
  return LocalGeneralization(sets, k, options).Run(progress);
}

}  // namespace thicket
