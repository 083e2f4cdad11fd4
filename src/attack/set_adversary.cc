#include "attack/set_adversary.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "attack/record_bits.h"
#include "attack/tally.h"
#include "base/random.h"
#include "base/stop.h"

namespace thicket {

namespace {

// The leaves that are known to be absent, and the nodes of which all leaves are.
class AbsentNodes {
 public:
  explicit AbsentNodes(const SetPair& pair)
      : pair_(pair), leaves_(pair.taxonomy->node_count(), 0) {}

  void Know(const SetKnowledge& knowledge, std::span<const Node> items) {
    for (const Node node : touched_) leaves_[node] = 0;
    touched_.clear();
    all_others_ = knowledge.all_absent;
    for (const Node leaf : all_others_ ? items : std::span<const Node>(knowledge.absent)) {
      for (Node node = leaf;; node = pair_.taxonomy->parent(node)) {
        if (leaves_[node]++ == 0) touched_.push_back(node);
        if (node == Taxonomy::kRoot) break;
      }
    }
  }
  // Whether anything can be ruled out.
  bool any() const { return all_others_ || !touched_.empty(); }
  // Whether no leaf below the node can be there.
  bool IsOut(Node node) const {
    // All others: what is counted is what is there.
    return all_others_ ? leaves_[node] == 0 : leaves_[node] == pair_.leaves[node];
  }

 private:
  const SetPair& pair_;
  std::vector<uint32_t> leaves_;
  std::vector<Node> touched_;
  bool all_others_ = false;
};

// Equal sets of a release as one, with what sensitive items stand with it.
class SetRelease {
 public:
  SetRelease(const SetPair& pair, const LabelSets& sets)
      : pair_(pair),
        showing_(pair.taxonomy->node_count()),
        shown_below_(pair.taxonomy->node_count()),
        absent_(pair),
        counts_(sets.secret_count(), 0) {
    std::vector<uint32_t> order(sets.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto is_less = [&](uint32_t a, uint32_t b) {
      const auto x = sets.labels(a);
      const auto y = sets.labels(b);
      return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
    };
    std::sort(order.begin(), order.end(), is_less);
    for (size_t i = 0; i < order.size(); ++i) {
      StopPoint();
      if (i == 0 || is_less(order[i - 1], order[i])) AddSet(sets.labels(order[i]));
      ++records_.back();
      for (const uint32_t secret : sets.secrets(order[i])) ++secrets_.back()[secret];
    }
  }

  SetCandidates Find(const SetKnowledge& knowledge, std::span<const Node> items) {
    absent_.Know(knowledge, items);
    Bitmap possible((labels_.size() + 63) / 64, ~uint64_t{0});
    if (labels_.size() % 64 != 0) possible.back() = (uint64_t{1} << labels_.size() % 64) - 1;
    for (const Node leaf : knowledge.present) {
      const std::optional<Bitmap>& showing = Showing(leaf);
      if (showing) Intersect(possible, *showing);
    }
    SetCandidates found;
    std::vector<uint32_t> touched;
    uint64_t most = 0;
    ForEachBit(possible, [&](uint32_t set) {
      if (absent_.any() && IsRuledOut(set)) return;
      found.records += records_[set];
      for (const auto& [secret, count] : secrets_[set]) {
        if (counts_[secret] == 0) touched.push_back(secret);
        most = std::max(most, counts_[secret] += count);
      }
    });
    for (const uint32_t secret : touched) counts_[secret] = 0;
    if (found.records > 0) {
      found.certainty = static_cast<double>(most) / static_cast<double>(found.records);
    }
    return found;
  }

 private:
  void AddSet(std::span<const Node> labels) {
    const auto set = static_cast<uint32_t>(labels_.size());
    labels_.emplace_back(labels.begin(), labels.end());
    records_.push_back(0);
    secrets_.emplace_back();
    for (const Node label : labels) showing_[label].push_back(set);
  }

  // The sets that show an item, as it is or generalized; nothing if none does.
  const std::optional<Bitmap>& Showing(Node leaf) {
    std::optional<std::optional<Bitmap>>& known = shown_below_[leaf];
    if (known) return *known;
    known.emplace();
    for (Node node = leaf;; node = pair_.taxonomy->parent(node)) {
      if (!showing_[node].empty() && !*known) known->emplace((labels_.size() + 63) / 64, 0);
      for (const uint32_t set : showing_[node]) (**known)[set / 64] |= uint64_t{1} << set % 64;
      if (node == Taxonomy::kRoot) return *known;
    }
  }

  bool IsRuledOut(uint32_t set) const {
    return std::any_of(labels_[set].begin(), labels_[set].end(),
                       [&](Node label) { return absent_.IsOut(label); });
  }

  const SetPair& pair_;
  // By set.
  std::vector<std::vector<Node>> labels_;
  std::vector<uint64_t> records_;
  std::vector<std::map<uint32_t, uint64_t>> secrets_;
  // By node: the sets that have it for a label.
  std::vector<std::vector<uint32_t>> showing_;
  // By leaf, once it was asked for.
  std::vector<std::optional<std::optional<Bitmap>>> shown_below_;
  AbsentNodes absent_;
  // By secret; zero between calls.
  std::vector<uint64_t> counts_;
};

// Where absent items are drawn from: all occurrences, so that frequent items are drawn more often.
std::optional<Node> DrawOccurrence(const LabelSets& sets, Random& random) {
  constexpr int kTries = 8;
  for (int i = 0; i < kTries && sets.size() > 0; ++i) {
    const auto labels = sets.labels(random.Below(sets.size()));
    if (!labels.empty()) return labels[random.Below(labels.size())];
  }
  return std::nullopt;
}

bool HasBelow(const Taxonomy& taxonomy, std::span<const Node> items, Node node) {
  return std::any_of(items.begin(), items.end(),
                     [&](Node item) { return taxonomy.Covers(node, item); });
}

// All leaves below a node that are items.
void AddLeaves(const SetPair& pair, Node node, std::vector<Node>& leaves) {
  const Taxonomy& taxonomy = *pair.taxonomy;
  for (Node leaf = taxonomy.first_leaf(); leaf < taxonomy.node_count(); ++leaf) {
    if (pair.leaves[leaf] > 0 && taxonomy.Covers(node, leaf)) leaves.push_back(leaf);
  }
}

std::vector<Node> DrawAbsent(const SetPair& pair, std::span<const Node> items, uint32_t most,
                             Random& random) {
  constexpr int kTries = 16;
  const Taxonomy& taxonomy = *pair.taxonomy;
  std::vector<Node> absent;
  for (int i = 0; i < kTries && absent.size() < most; ++i) {
    const std::optional<Node> drawn = DrawOccurrence(pair.original, random);
    if (!drawn || HasBelow(taxonomy, items, *drawn)) continue;
    if (std::find(absent.begin(), absent.end(), *drawn) != absent.end()) continue;
    Node node = *drawn;
    // As high as there is room for, or not so high.
    while (node != Taxonomy::kRoot && random.Below(4) > 0) {
      const Node above = taxonomy.parent(node);
      if (pair.leaves[above] > most - absent.size() || HasBelow(taxonomy, items, above)) break;
      node = above;
    }
    AddLeaves(pair, node, absent);
    std::sort(absent.begin(), absent.end());
    absent.erase(std::unique(absent.begin(), absent.end()), absent.end());
  }
  return absent;
}

std::vector<size_t> DrawVictims(size_t records, const SetAttackOptions& options) {
  std::vector<size_t> victims(records);
  std::iota(victims.begin(), victims.end(), size_t{0});
  if (options.trials == 0 || options.trials >= records) return victims;
  Random random = Random::Seeded(options.seed);
  random.Shuffle(victims);
  victims.resize(options.trials);
  std::sort(victims.begin(), victims.end());
  return victims;
}

}  // namespace

SetKnowledge DrawSetKnowledge(const SetPair& pair, const SetAttackOptions& options, size_t victim) {
  Random random = Random::Seeded(options.seed ^ (uint64_t{victim} + 1) * 0xc4ceb9fe1a85ec53ULL);
  SetKnowledge knowledge;
  const auto items = pair.original.labels(victim);
  knowledge.present.assign(items.begin(), items.end());
  if (options.present && *options.present < items.size()) {
    random.Shuffle(knowledge.present);
    knowledge.present.resize(*options.present);
    std::sort(knowledge.present.begin(), knowledge.present.end());
  }
  knowledge.all_absent = !options.absent.has_value();
  if (options.absent) knowledge.absent = DrawAbsent(pair, items, *options.absent, random);
  return knowledge;
}

SetCandidates FindSetCandidates(const SetPair& pair, const LabelSets& release,
                                const SetKnowledge& knowledge, size_t victim) {
  return SetRelease(pair, release).Find(knowledge, pair.original.labels(victim));
}

SetAttackReport AttackSets(const SetPair& pair, const SetAttackOptions& options,
                           Progress& progress) {
  const std::vector<size_t> victims = DrawVictims(pair.original.size(), options);
  SetRelease before(pair, pair.original);
  SetRelease after(pair, pair.published);
  Tally on_original;
  Tally on_published;
  std::vector<bool> asked(pair.taxonomy->node_count(), false);
  progress.Begin("attack", victims.size());
  for (const size_t victim : victims) {
    StopPoint();
    const SetKnowledge knowledge = DrawSetKnowledge(pair, options, victim);
    const auto items = pair.original.labels(victim);
    for (auto [release, tally] :
         {std::pair(&before, &on_original), std::pair(&after, &on_published)}) {
      const SetCandidates found = release->Find(knowledge, items);
      tally->Add(found.records, 1);
      tally->AddCertainty(found.certainty);
    }
    for (const Node item : knowledge.present) {
      if (asked[item]) continue;
      asked[item] = true;
      const SetKnowledge alone{{item}, {}, false};
      on_original.AddCertainty(before.Find(alone, items).certainty);
      on_published.AddCertainty(after.Find(alone, items).certainty);
    }
    progress.Advance(1);
  }
  progress.End();
  return {on_original.Result(), on_published.Result()};
}

}  // namespace thicket
