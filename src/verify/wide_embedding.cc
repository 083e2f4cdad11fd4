// How an Embedding places wide siblings: equal ones together, and each among those only that share its rarest value.
//
// Siblings are told apart by their canonical numbers. Each group of equal published siblings asks for as many original ones, of whose groups
// there are so many; candidates are looked up by the value that the fewest originals have, and who has fewest candidates is served
// first, so that hardly anybody has to be moved aside (verify/distinct_representatives.h).
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/stop.h"
#include "verify/distinct_representatives.h"
#include "verify/embedding.h"

namespace thicket {

namespace {

// Candidate lists are kept while there are at most this many entries in all, and computed anew beyond.
constexpr size_t kMostKept = size_t{1} << 25;
// A quasi-identifier is looked up only if no more labels and values than this have to be held against each other.
constexpr size_t kMostLookedUp = size_t{1} << 26;

// Equal siblings of one side.
struct EqualSiblings {
  std::vector<Vertex> example;
  std::vector<uint32_t> count;

  EqualSiblings(const std::vector<Vertex>& siblings, const CanonicalForm& form) {
    std::vector<std::pair<uint32_t, Vertex>> numbered;
    for (const Vertex sibling : siblings) numbered.emplace_back(form.number[sibling], sibling);
    std::sort(numbered.begin(), numbered.end());
    for (size_t i = 0; i < numbered.size(); ++i) {
      if (i == 0 || numbered[i].first != numbered[i - 1].first) {
        example.push_back(numbered[i].second);
        count.push_back(0);
      }
      ++count.back();
    }
  }
  size_t size() const { return example.size(); }
};

// One slot: which groups of originals have which value.
struct SlotIndex {
  std::vector<uint32_t> values;               // different ones
  std::vector<std::vector<uint32_t>> groups;  // by value
  // By published label: the values that it covers, as indices of `values`, and how many groups have them.
  struct Covered {
    std::vector<uint32_t> values;
    size_t groups = 0;
  };
  std::unordered_map<Symbol, Covered> covered;
  bool usable = true;
};

}  // namespace

class Embedding::WideSearch {
 public:
  WideSearch(Embedding& embedding, ClassId id, const EqualSiblings& published,
             const EqualSiblings& original, size_t depth)
      : embedding_(embedding),
        id_(id),
        published_(published),
        original_(original),
        depth_(depth),
        slots_(embedding.schema_->classes[id].value_count()),
        kept_(published.size()),
        is_kept_(published.size(), false) {
    for (size_t slot = 0; slot < slots_.size(); ++slot) BuildIndex(slot);
  }

  const std::vector<uint32_t>& Find(uint32_t asker) {
    if (is_kept_[asker]) return kept_[asker];
    std::vector<uint32_t>& list = kept_count_ < kMostKept ? kept_[asker] : scratch_;
    list.clear();
    Propose(published_.example[asker], list);
    if (&list != &scratch_) {
      is_kept_[asker] = true;
      kept_count_ += list.size();
    }
    return list;
  }

 private:
  void BuildIndex(size_t slot) {
    SlotIndex& index = slots_[slot];
    std::unordered_map<uint32_t, uint32_t> known;
    for (uint32_t group = 0; group < original_.size(); ++group) {
      const Symbol value = embedding_.original_->value(original_.example[group], slot);
      const auto [at, added] = known.emplace(value, static_cast<uint32_t>(index.values.size()));
      if (added) {
        index.values.push_back(value);
        index.groups.emplace_back();
      }
      index.groups[at->second].push_back(group);
    }
    std::unordered_map<Symbol, uint32_t> labels;
    for (const Vertex vertex : published_.example) {
      labels.emplace(embedding_.published_->value(vertex, slot), 0);
    }
    index.usable = labels.size() * index.values.size() <= kMostLookedUp;
  }

  const SlotIndex::Covered& CoveredBy(size_t slot, Symbol label) {
    SlotIndex& index = slots_[slot];
    const auto [at, added] = index.covered.try_emplace(label);
    SlotIndex::Covered& covered = at->second;
    if (!added) return covered;
    StopPoint();
    for (uint32_t value = 0; value < index.values.size(); ++value) {
      if (!embedding_.Fits(id_, slot, label, index.values[value])) continue;
      covered.values.push_back(value);
      covered.groups += index.groups[value].size();
    }
    return covered;
  }

  void Propose(Vertex vertex, std::vector<uint32_t>& list) {
    StopPoint();
    const SlotIndex::Covered* best = nullptr;
    size_t best_slot = 0;
    for (size_t slot = 0; slot < slots_.size(); ++slot) {
      if (!slots_[slot].usable) continue;
      const auto& covered = CoveredBy(slot, embedding_.published_->value(vertex, slot));
      if (best != nullptr && covered.groups >= best->groups) continue;
      best = &covered;
      best_slot = slot;
    }
    const auto consider = [&](uint32_t group) {
      if (embedding_.EmbedsAt(vertex, original_.example[group], depth_)) list.push_back(group);
    };
    if (best == nullptr) {
      for (uint32_t group = 0; group < original_.size(); ++group) {
        StopPoint();
        consider(group);
      }
      return;
    }
    for (const uint32_t value : best->values) {
      StopPoint();
      for (const uint32_t group : slots_[best_slot].groups[value]) consider(group);
    }
  }

  Embedding& embedding_;
  ClassId id_;
  const EqualSiblings& published_;
  const EqualSiblings& original_;
  size_t depth_;
  std::vector<SlotIndex> slots_;
  std::vector<std::vector<uint32_t>> kept_;
  std::vector<bool> is_kept_;
  size_t kept_count_ = 0;
  std::vector<uint32_t> scratch_;
};

bool Embedding::WideSiblingsEmbed(ClassId id, const Level& level, size_t depth, Vertex* unplaced) {
  if (level.published.size() > level.original.size()) {
    if (unplaced != nullptr) *unplaced = level.published.back();
    return false;
  }
  if (!published_form_) {
    published_form_ = Canonicalize(*schema_, *published_, CompareBy::kAllValues);
    original_form_ = Canonicalize(*schema_, *original_, CompareBy::kAllValues);
  }
  const EqualSiblings published(level.published, *published_form_);
  const EqualSiblings original(level.original, *original_form_);
  WideSearch search(*this, id, published, original, depth + 1);
  std::vector<std::pair<size_t, uint32_t>> by_candidates;
  for (uint32_t asker = 0; asker < published.size(); ++asker) {
    by_candidates.emplace_back(search.Find(asker).size(), asker);
  }
  std::sort(by_candidates.begin(), by_candidates.end());
  std::vector<uint32_t> demand;
  for (const auto& [candidates, asker] : by_candidates) demand.push_back(published.count[asker]);
  const std::vector<uint32_t> shortage =
      FindShortage(demand, original.count, [&](uint32_t place) -> const std::vector<uint32_t>& {
        return search.Find(by_candidates[place].second);
      });
  const auto missing = std::find_if(shortage.begin(), shortage.end(),
                                    [](uint32_t short_of) { return short_of > 0; });
  if (missing == shortage.end()) return true;
  if (unplaced != nullptr) {
    const auto place = static_cast<size_t>(missing - shortage.begin());
    *unplaced = published.example[by_candidates[place].second];
  }
  return false;
}

}  // namespace thicket
