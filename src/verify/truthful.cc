#include "verify/truthful.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "record/canonical_form.h"
#include "verify/distinct_representatives.h"
#include "verify/embedding.h"

namespace thicket {

namespace {

// Candidate lists are kept while there are at most this many entries in all, and computed anew beyond.
constexpr size_t kMostKept = size_t{1} << 27;

Error BadCertificate(std::string_view what) {
  return {ErrorCode::kData,
          fmt::format(
              "certificate: it must name an original record for every published one, but {}", what),
          "hand over the one that belongs to these data sets", ""};
}

// Proposes, for groups of equal published records, the groups of equal originals that fit.
class CandidateSearch {
 public:
  CandidateSearch(const Schema& schema, const Dataset& published, const Dataset& original,
                  const RecordGroups& askers, const RecordGroups& things, Embedding& embedding)
      : schema_(schema),
        published_(published.forest),
        original_(original.forest),
        askers_(askers),
        things_(things),
        embedding_(embedding),
        holders_(schema.classes.size()),
        holder_counts_(schema.classes.size()),
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
      holder_counts_[id].resize(slots);
      for (size_t slot = 0; slot < slots; ++slot) {
        holders_[id][slot].resize(original.dictionaries[id][slot].size());
        holder_counts_[id][slot].assign(published.dictionaries[id][slot].size(), kUnknown);
      }
    }
    for (uint32_t thing = 0; thing < things_.size(); ++thing) {
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
      if (!of_value[value].empty() && embedding_.Fits(id, slot, published, value)) {
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
        const uint64_t count = HolderCount(id, slot, published_.value(v, slot));
        if (count >= least) continue;
        least = count;
        rarest = v;
        rarest_slot = slot;
      }
    }
    ++search_;
    if (least == kUnknown) {
      for (uint32_t thing = 0; thing < things_.size(); ++thing) Consider(root, thing, list);
      return;
    }
    const ClassId id = published_.class_of(rarest);
    const Symbol label = published_.value(rarest, rarest_slot);
    const auto& of_value = holders_[id][rarest_slot];
    for (Symbol value = 0; value < of_value.size(); ++value) {
      if (of_value[value].empty() || !embedding_.Fits(id, rarest_slot, label, value)) continue;
      for (const uint32_t thing : of_value[value]) Consider(root, thing, list);
    }
  }

  void Consider(Vertex root, uint32_t thing, std::vector<uint32_t>& list) {
    if (proposed_[thing] == search_) return;
    proposed_[thing] = search_;
    if (embedding_.Embeds(root, original_.root(things_.member(thing, 0)))) list.push_back(thing);
  }

  static constexpr uint64_t kUnknown = ~uint64_t{0};

  const Schema& schema_;
  const Forest& published_;
  const Forest& original_;
  const RecordGroups& askers_;
  const RecordGroups& things_;
  Embedding& embedding_;
  // By class, slot and original symbol: the groups of originals that have it somewhere.
  std::vector<std::vector<std::vector<std::vector<uint32_t>>>> holders_;
  // By class, slot and published symbol.
  std::vector<std::vector<std::vector<uint64_t>>> holder_counts_;
  std::vector<uint32_t> proposed_;
  uint32_t search_ = 0;
  std::vector<std::vector<uint32_t>> kept_;
  std::vector<bool> is_kept_;
  size_t kept_count_ = 0;
  std::vector<uint32_t> scratch_;
};

void CheckCertificate(const Dataset& published, const Dataset& original,
                      std::span<const RecordId> certificate, Embedding& embedding,
                      TruthVerdict& verdict) {
  std::vector<bool> used(original.forest.record_count(), false);
  for (RecordId record = 0; record < certificate.size(); ++record) {
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
    if (!embedding.Embeds(root, original.forest.root(source))) {
      is_true = false;
      verdict.violations.Add(embedding.Explain(root, original.forest.root(source)));
    }
    if (!is_true) ++verdict.untrue;
  }
}

void FindOriginals(const Schema& schema, const Dataset& published, const Dataset& original,
                   Embedding& embedding, TruthVerdict& verdict) {
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
  CandidateSearch search(schema, published, original, askers, things, embedding);
  const std::vector<uint32_t> shortage = FindShortage(
      demand, capacity,
      [&](uint32_t asker) -> const std::vector<uint32_t>& { return search.Find(asker); });
  for (uint32_t asker = 0; asker < shortage.size(); ++asker) {
    if (shortage[asker] == 0) continue;
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
}

}  // namespace

Result<TruthVerdict> VerifyTruthful(const Schema& schema, const TaxonomyFiles& taxonomies,
                                    const Dataset& published, const Dataset& original,
                                    std::optional<std::span<const RecordId>> certificate) {
  THICKET_ASSIGN(Embedding embedding, Embedding::Create(schema, taxonomies, published, original));
  TruthVerdict verdict;
  verdict.records = published.forest.record_count();
  if (certificate) {
    if (certificate->size() != verdict.records) return BadCertificate("its length differs");
    for (const RecordId source : *certificate) {
      if (source >= original.forest.record_count()) {
        return BadCertificate("one of them does not exist");
      }
    }
    CheckCertificate(published, original, *certificate, embedding, verdict);
  } else {
    FindOriginals(schema, published, original, embedding, verdict);
  }
  verdict.holds = verdict.violations.empty();
  return verdict;
}

}  // namespace thicket
