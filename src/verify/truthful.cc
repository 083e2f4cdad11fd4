#include "verify/truthful.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "base/text.h"
#include "record/canonical_form.h"
#include "verify/distinct_representatives.h"
#include "verify/embedding.h"
#include "verify/path_cover.h"
#include "verify/set_cover.h"
#include "verify/sibling_places.h"
#include "verify/source_order.h"

namespace thicket {

namespace {

// Candidate lists are kept while there are at most this many entries in all, and computed anew beyond.
constexpr size_t kMostKept = size_t{1} << 27;
// Bitmaps of who holds what are made while they have at most this many words in all.
constexpr size_t kMostWords = size_t{1} << 25;

Error BadCertificate(std::string_view what) {
  return {ErrorCode::kData,
          fmt::format(
              "certificate: it must name an original record for every published one, but {}", what),
          "hand over the one that belongs to these data sets", ""};
}

// Proposes, for groups of equal published records, the groups of equal originals that fit. Cover is Embedding or
// PathCover.
template <typename Cover>
class CandidateSearch {
 public:
  // One per group of originals.
  using Bits = std::vector<uint64_t>;

  CandidateSearch(const Schema& schema, const Dataset& published, const Dataset& original,
                  const RecordGroups& askers, const RecordGroups& things, Cover& cover)
      : schema_(schema),
        published_(published.forest),
        original_(original.forest),
        askers_(askers),
        things_(things),
        cover_(cover),
        holders_(schema.classes.size()),
        holder_counts_(schema.classes.size()),
        holder_bits_(schema.classes.size()),
        proposed_(things.size(), 0),
        kept_(askers.size()),
        is_kept_(askers.size(), false) {
    BuildIndex(published, original);
  }

  const std::vector<uint32_t>& Find(uint32_t asker) {
    if (is_kept_[asker]) return kept_[asker];
    std::vector<uint32_t>& list = kept_count_ < kMostKept ? kept_[asker] : scratch_;
    list.clear();
    Propose(asker, list);
    if (&list != &scratch_) {
      is_kept_[asker] = true;
      kept_count_ += list.size();
    }
    return list;
  }

 private:
  void BuildIndex(const Dataset& published, const Dataset& original) {
    for (size_t id = 0; id < holders_.size(); ++id) {
      const size_t slots = schema_.classes[id].value_count();
      holders_[id].resize(slots);
      holder_bits_[id].resize(slots);
      holder_counts_[id].resize(slots);
      for (size_t slot = 0; slot < slots; ++slot) {
        holders_[id][slot].resize(original.dictionaries[id][slot].size());
        holder_bits_[id][slot].resize(published.dictionaries[id][slot].size());
        holder_counts_[id][slot].assign(published.dictionaries[id][slot].size(), kUnknown);
      }
    }
    for (uint32_t thing = 0; thing < things_.size(); ++thing) {
      StopPoint();
      const RecordId record = things_.member(thing, 0);
      for (Vertex v = original_.root(record); v < original_.root(record + 1); ++v) {
        auto& of_class = holders_[original_.class_of(v)];
        for (size_t slot = 0; slot < of_class.size(); ++slot) {
          std::vector<uint32_t>& holders = of_class[slot][original_.value(v, slot)];
          if (holders.empty() || holders.back() != thing) holders.push_back(thing);
        }
      }
    }
  }

  // How many originals hold a value that this published one may stand for; an original counts for every such value.
  uint64_t HolderCount(ClassId id, size_t slot, Symbol published) {
    uint64_t& count = holder_counts_[id][slot][published];
    if (count != kUnknown) return count;
    count = 0;
    const auto& of_value = holders_[id][slot];
    for (Symbol value = 0; value < of_value.size(); ++value) {
      StopPoint();
      if (!of_value[value].empty() && cover_.Fits(id, slot, published, value)) {
        count += of_value[value].size();
      }
    }
    return count;
  }

  void Propose(uint32_t asker, std::vector<uint32_t>& list) {
    const RecordId record = askers_.member(asker, 0);
    const Vertex root = published_.root(record);
    // The rarest value of the record. A root without values leaves all originals.
    uint64_t least = kUnknown;
    Vertex rarest = root;
    size_t rarest_slot = 0;
    for (Vertex v = root; v < published_.root(record + 1); ++v) {
      const ClassId id = published_.class_of(v);
      for (size_t slot = 0; slot < schema_.classes[id].value_count(); ++slot) {
        const Symbol value = published_.value(v, slot);
        if (!Cover::Says(value)) continue;
        const uint64_t count = HolderCount(id, slot, value);
        if (count >= least) continue;
        least = count;
        rarest = v;
        rarest_slot = slot;
      }
    }
    ++search_;
    FindFilters(record);
    if (least == kUnknown) {
      for (uint32_t thing = 0; thing < things_.size(); ++thing) {
        StopPoint();
        Consider(root, thing, list);
      }
      return;
    }
    const ClassId id = published_.class_of(rarest);
    const Symbol label = published_.value(rarest, rarest_slot);
    const auto& of_value = holders_[id][rarest_slot];
    for (Symbol value = 0; value < of_value.size(); ++value) {
      StopPoint();
      if (of_value[value].empty() || !cover_.Fits(id, rarest_slot, label, value)) continue;
      for (const uint32_t thing : of_value[value]) {
        StopPoint();
        Consider(root, thing, list);
      }
    }
  }

  // Who holds a value that the published label may stand for; null where it would be too much to keep.
  const Bits* HolderBits(ClassId id, size_t slot, Symbol label) {
    Bits& bits = holder_bits_[id][slot][label];
    if (!bits.empty()) return &bits;
    const size_t words = things_.size() / 64 + 1;
    if (words_ + words > kMostWords) return nullptr;
    words_ += words;
    bits.assign(words, 0);
    const auto& of_value = holders_[id][slot];
    for (Symbol value = 0; value < of_value.size(); ++value) {
      StopPoint();
      if (of_value[value].empty() || !cover_.Fits(id, slot, label, value)) continue;
      for (const uint32_t thing : of_value[value]) bits[thing / 64] |= uint64_t{1} << (thing % 64);
    }
    return &bits;
  }

  // An original must hold something for every label of the published record, which is quickly seen; rare labels first.
  void FindFilters(RecordId record) {
    std::vector<std::pair<uint64_t, const Bits*>> found;
    for (Vertex v = published_.root(record); v < published_.root(record + 1); ++v) {
      const ClassId id = published_.class_of(v);
      for (size_t slot = 0; slot < schema_.classes[id].quasi.size(); ++slot) {
        const Symbol label = published_.value(v, slot);
        if (!Cover::Says(label)) continue;
        const Bits* bits = HolderBits(id, slot, label);
        if (bits != nullptr) found.emplace_back(HolderCount(id, slot, label), bits);
      }
    }
    std::sort(found.begin(), found.end());
    filters_.clear();
    for (const auto& [count, bits] : found) {
      if (filters_.empty() || filters_.back() != bits) filters_.push_back(bits);
    }
  }

  void Consider(Vertex root, uint32_t thing, std::vector<uint32_t>& list) {
    if (proposed_[thing] == search_) return;
    proposed_[thing] = search_;
    for (const Bits* bits : filters_) {
      if (((*bits)[thing / 64] >> (thing % 64) & 1) == 0) return;
    }
    if (cover_.Embeds(root, original_.root(things_.member(thing, 0)))) list.push_back(thing);
  }

  static constexpr uint64_t kUnknown = ~uint64_t{0};

  const Schema& schema_;
  const Forest& published_;
  const Forest& original_;
  const RecordGroups& askers_;
  const RecordGroups& things_;
  Cover& cover_;
  // By class, slot and original symbol: the groups of originals that have it somewhere.
  std::vector<std::vector<std::vector<std::vector<uint32_t>>>> holders_;
  // By class, slot and published symbol.
  std::vector<std::vector<std::vector<uint64_t>>> holder_counts_;
  std::vector<std::vector<std::vector<Bits>>> holder_bits_;
  size_t words_ = 0;
  std::vector<const Bits*> filters_;
  std::vector<uint32_t> proposed_;
  uint32_t search_ = 0;
  std::vector<std::vector<uint32_t>> kept_;
  std::vector<bool> is_kept_;
  size_t kept_count_ = 0;
  std::vector<uint32_t> scratch_;
};

template <typename Cover>
void CheckCertificate(const Dataset& published, const Dataset& original,
                      std::span<const RecordId> certificate, Cover& cover, TruthVerdict& verdict) {
  std::vector<bool> used(original.forest.record_count(), false);
  Phase phase("verify truth", certificate.size());
  for (RecordId record = 0; record < certificate.size(); ++record) {
    StopPoint();
    phase.Advance();
    const RecordId source = certificate[record];
    const Vertex root = published.forest.root(record);
    bool is_true = true;
    if (used[source]) {
      is_true = false;
      verdict.violations.Add(
          {ViolationKind::kSharedOriginal,
           fmt::format("{}: every published record must have an original of its own, but this one "
                       "shares its with another",
                       published.Where(record)),
           1});
    }
    used[source] = true;
    if (!cover.Embeds(root, original.forest.root(source))) {
      is_true = false;
      verdict.violations.Add(cover.Explain(root, original.forest.root(source)));
    }
    if (!is_true) ++verdict.untrue;
  }
}

// By published record: the original that alone can stand behind it, kNoRecord if there is no such.
constexpr RecordId kNoRecord = ~RecordId{0};

void AddOrderFault(const Dataset& published, std::string_view what, size_t count,
                   std::string_view fault, TruthVerdict& verdict) {
  verdict.in_source_order = true;
  verdict.violations.Add({ViolationKind::kSourceOrder,
                          fmt::format("{}: {} must stand in random order, but the {} whose "
                                      "originals are certain {}",
                                      published.source, what, WithCommas(count), fault),
                          count});
}

// One record of each class speaks for the order of siblings in it. Recoding merges equal siblings.
template <typename Cover>
void CheckSiblingOrder(const Dataset& published, const Dataset& original, const CanonicalForm& form,
                       const RecordGroups& looks, const std::vector<RecordId>& certain,
                       Cover& cover, TruthVerdict& verdict) {
  if constexpr (std::is_same_v<Cover, Embedding>) {
    std::vector<std::vector<uint32_t>> sets;
    for (size_t look = 0; look < looks.size(); ++look) {
      for (size_t i = 0; i < looks.size(look); ++i) {
        const RecordId record = looks.member(look, i);
        if (certain[record] == kNoRecord) continue;
        AppendSiblingPlaces(published.forest, form, original.forest, cover,
                            published.forest.root(record), original.forest.root(certain[record]),
                            sets);
        break;
      }
    }
    size_t count = 0;
    for (const auto& set : sets) count += set.size();
    if (!StandInOrder(std::move(sets))) return;
    AddOrderFault(published, "siblings that look alike", count,
                  "stand in the order of their originals, or against it", verdict);
  }
}

template <typename Cover>
void CheckOrder(const Schema& schema, const Dataset& published, const Dataset& original,
                const std::vector<RecordId>& certain, Cover& cover, TruthVerdict& verdict) {
  const CanonicalForm form = Canonicalize(schema, published.forest, CompareBy::kQuasi);
  const RecordGroups looks = GroupRecords(published.forest, form);
  std::vector<KnownPlace> places;
  for (RecordId record = 0; record < certain.size(); ++record) {
    StopPoint();
    if (certain[record] != kNoRecord) places.push_back({certain[record], looks.group_of[record]});
  }
  if (const auto fault = FindSourceOrder(places)) {
    AddOrderFault(published, "records", places.size(), *fault, verdict);
  }
  CheckSiblingOrder(published, original, form, looks, certain, cover, verdict);
}

template <typename Cover>
void FindOriginals(const Schema& schema, const Dataset& published, const Dataset& original,
                   Cover& cover, TruthVerdict& verdict) {
  const RecordGroups askers =
      GroupRecords(published.forest, Canonicalize(schema, published.forest, CompareBy::kAllValues));
  const RecordGroups things =
      GroupRecords(original.forest, Canonicalize(schema, original.forest, CompareBy::kAllValues));
  std::vector<uint32_t> demand;
  std::vector<uint32_t> capacity;
  for (size_t g = 0; g < askers.size(); ++g)
    demand.push_back(static_cast<uint32_t>(askers.size(g)));
  for (size_t g = 0; g < things.size(); ++g) {
    capacity.push_back(static_cast<uint32_t>(things.size(g)));
  }
  CandidateSearch<Cover> search(schema, published, original, askers, things, cover);
  // Most of the time goes into the first search for a record, and these come in turn.
  Phase phase("verify truth", askers.size());
  uint32_t asked = 0;
  const std::vector<uint32_t> shortage =
      FindShortage(demand, capacity, [&](uint32_t asker) -> const std::vector<uint32_t>& {
        if (asker >= asked) phase.Advance(asker + 1 - std::exchange(asked, asker + 1));
        return search.Find(asker);
      });
  std::vector<RecordId> certain(published.forest.record_count(), kNoRecord);
  for (uint32_t asker = 0; asker < shortage.size(); ++asker) {
    if (shortage[asker] == 0) {
      const std::vector<uint32_t>& fit = search.Find(asker);
      if (demand[asker] == 1 && fit.size() == 1 && capacity[fit.front()] == 1) {
        certain[askers.member(asker, 0)] = things.member(fit.front(), 0);
      }
      continue;
    }
    verdict.untrue += shortage[asker];
    const bool none = search.Find(asker).empty();
    verdict.violations.Add(
        {none ? ViolationKind::kNoOriginal : ViolationKind::kSharedOriginal,
         fmt::format(
             "{}: every published record must be a generalization and pruning of an original "
             "record of its own, but {}",
             published.Where(askers.member(asker, 0)),
             none ? "no original record fits"
                  : "those that fit stand behind other published records"),
         shortage[asker]});
  }
  verdict.holds = verdict.violations.empty();
  CheckOrder(schema, published, original, certain, cover, verdict);
}

template <typename Cover>
Result<TruthVerdict> Verify(const Schema& schema, const Dataset& published, const Dataset& original,
                            std::optional<std::span<const RecordId>> certificate, bool judge_order,
                            Cover& cover) {
  TruthVerdict verdict;
  verdict.records = published.forest.record_count();
  if (certificate) {
    if (certificate->size() != verdict.records) return BadCertificate("its length differs");
    for (const RecordId source : *certificate) {
      if (source >= original.forest.record_count()) {
        return BadCertificate("one of them does not exist");
      }
    }
    CheckCertificate(published, original, *certificate, cover, verdict);
    verdict.holds = verdict.violations.empty();
    if (judge_order && verdict.holds) {
      CheckOrder(schema, published, original, {certificate->begin(), certificate->end()}, cover,
                 verdict);
    }
  } else {
    FindOriginals(schema, published, original, cover, verdict);
  }
  return verdict;
}

}  // namespace

Result<TruthVerdict> VerifyTruthful(const Schema& schema, const PrivacyPolicy& privacy,
                                    const TaxonomyFiles& taxonomies, const Dataset& published,
                                    const Dataset& original,
                                    std::optional<std::span<const RecordId>> certificate,
                                    bool judge_order) {
  if (privacy.of_sets) {
    THICKET_ASSIGN(SetCover cover, SetCover::Create(schema, taxonomies, published, original));
    return Verify(schema, published, original, certificate, judge_order, cover);
  }
  if (privacy.structure().changes()) {
    THICKET_ASSIGN(PathCover cover, PathCover::Create(schema, taxonomies, published, original));
    return Verify(schema, published, original, certificate, judge_order, cover);
  }
  THICKET_ASSIGN(Embedding cover, Embedding::Create(schema, taxonomies, published, original));
  return Verify(schema, published, original, certificate, judge_order, cover);
}

}  // namespace thicket
