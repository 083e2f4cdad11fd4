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
#include "record/fetch_ahead.h"
#include "verify/distinct_representatives.h"
#include "verify/embedding.h"
#include "verify/original_search.h"
#include "verify/path_cover.h"
#include "verify/set_cover.h"
#include "verify/sibling_places.h"
#include "verify/source_order.h"

namespace thicket {

namespace {

Error BadCertificate(std::string_view what) {
  return {ErrorCode::kData,
          fmt::format(
              "certificate: it must name an original record for every published one, but {}", what),
          "hand over the one that belongs to these data sets", ""};
}

template <typename Cover>
void CheckCertificate(const Dataset& published, const Dataset& original,
                      std::span<const RecordId> certificate, Cover& cover, TruthVerdict& verdict) {
  std::vector<bool> used(original.forest.record_count(), false);
  Phase phase("verify truth", certificate.size());
  // Originals come in random order, so what is next is fetched in time.
  const Forest& originals = original.forest;
  for (RecordId record = 0; record < certificate.size(); ++record) {
    StopPoint();
    phase.Advance();
    if (record + 2 * kFetchAhead < certificate.size()) {
      FetchVertex(originals, originals.root(certificate[record + 2 * kFetchAhead]));
      FetchValues(originals, originals.root(certificate[record + kFetchAhead]));
    }
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
  OriginalSearch<Cover> search(schema, published, original, askers, things, cover);
  // Most of the time goes into the first search for a record, and these come in turn.
  Phase phase("verify truth", askers.size());
  uint32_t asked = 0;
  const std::vector<uint32_t> shortage =
      FindShortage(demand, capacity, [&](uint32_t asker, size_t number) {
        if (asker >= asked) phase.Advance(asker + 1 - std::exchange(asked, asker + 1));
        return search.At(asker, number);
      });
  std::vector<RecordId> certain(published.forest.record_count(), kNoRecord);
  for (uint32_t asker = 0; asker < shortage.size(); ++asker) {
    if (shortage[asker] == 0) {
      const uint32_t fit = search.At(asker, 0);
      if (demand[asker] == 1 && capacity[fit] == 1 && search.At(asker, 1) == kNoThing) {
        certain[askers.member(asker, 0)] = things.member(fit, 0);
      }
      continue;
    }
    verdict.untrue += shortage[asker];
    const bool none = search.At(asker, 0) == kNoThing;
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
