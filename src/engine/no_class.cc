#include "engine/no_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"

namespace thicket {

namespace {

struct RootAttribute {
  std::string name;
  uint64_t different = 0;
  // Of the value that most records have.
  uint64_t most = 0;
};

std::vector<RootAttribute> CountRootValues(const EncodedDataset& data) {
  const Forest& forest = data.forest();
  std::vector<RootAttribute> found;
  const std::vector<SensitiveAttribute>& sensitive = data.schema().root().sensitive;
  for (size_t i = 0; i < sensitive.size(); ++i) {
    // A missing value counts as a value.
    std::vector<uint64_t> counts(data.classes[0].bucket_count[i] + 1, 0);
    for (RecordId record = 0; record < forest.record_count(); ++record) {
      const uint32_t bucket = data.Bucket(forest.root(record), i);
      if (bucket >= counts.size()) counts.resize(bucket + 1, 0);
      ++counts[bucket];
    }
    RootAttribute& attribute = found.emplace_back();
    attribute.name = sensitive[i].name;
    for (const uint64_t count : counts) {
      attribute.different += count > 0 ? 1 : 0;
      attribute.most = std::max(attribute.most, count);
    }
  }
  return found;
}

}  // namespace

std::optional<TooAlikeRoots> FindTooAlikeRoots(const EncodedDataset& data, int l) {
  const auto needed = static_cast<uint64_t>(l);
  const std::vector<RootAttribute> attributes = CountRootValues(data);
  const auto fewest =
      std::min_element(attributes.begin(), attributes.end(),
                       [](const auto& a, const auto& b) { return a.different < b.different; });
  if (fewest == attributes.end()) return std::nullopt;
  if (fewest->different < needed) {
    const std::string lower =
        fewest->different < 2 ? "" : fmt::format("lower l to {}, or ", fewest->different);
    return TooAlikeRoots{
        fmt::format("l = {} needs {} different values of {} among look-alikes, but "
                    "all records together have {}",
                    l, l, fewest->name, fewest->different),
        fmt::format("{}take {} out of sensitive", lower, fewest->name)};
  }
  const uint64_t records = data.forest().record_count();
  const auto commonest =
      std::max_element(attributes.begin(), attributes.end(),
                       [](const auto& a, const auto& b) { return a.most < b.most; });
  if (commonest->most * needed <= records) return std::nullopt;
  return TooAlikeRoots{
      fmt::format(
          "l = {} allows a value of {} in 1 of {} look-alikes, but one value stands in {} of "
          "{} records",
          l, commonest->name, l, WithCommas(commonest->most), WithCommas(records)),
      fmt::format("lower l, give {} finer buckets, or take it out of sensitive", commonest->name)};
}

Error NoClassFound(const Policy& policy, const EncodedDataset& data) {
  const std::string nothing =
      "no class of records could be formed that keeps the promise, so nothing was published";
  if (policy.privacy.alpha) {
    return {ErrorCode::kPromise, nothing,
            "too many records may be of the same level: raise k or alpha, and see thicket levels",
            ""};
  }
  if (const auto found = FindTooAlikeRoots(data, policy.privacy.l.value_or(1))) {
    return {ErrorCode::kPromise, nothing + ": " + found->why, found->hint, ""};
  }
  return {ErrorCode::kPromise, nothing,
          "the sensitive values of the records may be too alike: lower l, give buckets, or shorten "
          "once",
          ""};
}

}  // namespace thicket
