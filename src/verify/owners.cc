#include "verify/owners.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/stop.h"
#include "base/text.h"
#include "record/canonical_form.h"

namespace thicket {

OwnersVerdict VerifyOwners(const PrivacyPolicy& privacy, const Dataset& published,
                           const Dataset& original, std::span<const RecordId> certificate) {
  OwnersVerdict verdict;
  if (original.owners.empty() || !privacy.has_classes() || !privacy.k) return verdict;
  const auto k = static_cast<uint64_t>(*privacy.k);
  const RecordGroups looks = GroupRecords(
      published.forest, Canonicalize(*published.schema, published.forest, CompareBy::kQuasi));
  std::vector<uint32_t> owners;
  for (size_t look = 0; look < looks.size(); ++look) {
    StopPoint();
    owners.clear();
    for (size_t i = 0; i < looks.size(look); ++i) {
      owners.push_back(original.owners[certificate[looks.member(look, i)]]);
    }
    std::sort(owners.begin(), owners.end());
    uint64_t people = 0;
    size_t most = 0;
    for (auto owner = owners.begin(); owner != owners.end(); ++people) {
      const auto next = std::upper_bound(owner, owners.end(), *owner);
      most = std::max(most, static_cast<size_t>(next - owner));
      owner = next;
    }
    verdict.largest_share =
        std::max(verdict.largest_share.value_or(0),
                 static_cast<double>(most) / static_cast<double>(owners.size()));
    verdict.least = std::min(verdict.least.value_or(people), people);
    if (people >= k) continue;
    verdict.holds = false;
    verdict.violations.Add(
        {ViolationKind::kTooFewOwners,
         fmt::format("{}: the records that look like this one must be about at least {} different "
                     "people, but the {} of them {} about {}",
                     published.Where(looks.member(look, 0)), k, WithCommas(looks.size(look)),
                     looks.size(look) == 1 ? "is" : "are", WithCommas(people)),
         looks.size(look)});
  }
  return verdict;
}

}  // namespace thicket
