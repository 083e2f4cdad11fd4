#include <fmt/format.h>

#include <string>
#include <unordered_set>
#include <utility>

#include "base/fold.h"
#include "policy/policy_reader.h"

namespace thicket {

namespace {

constexpr std::string_view kDefault = "default";

Result<Decimal> ReadThreshold(const PolicyNode& node) {
  THICKET_ASSIGN(Decimal theta, node.Exact());
  constexpr int64_t kMostDigits = 18;
  if (theta > Decimal() &&
      static_cast<int64_t>(theta.digit_count()) - theta.magnitude() > kMostDigits) {
    return node.Fail(
        fmt::format("must have at most {} digits behind the point, but has more", kMostDigits),
        "round it");
  }
  if (theta > Decimal() && theta <= Decimal(1)) return theta;
  return node.Fail(fmt::format("must be above 0 and at most 1, but is {}", theta.Text()),
                   "it is the largest share of look-alikes that may have the same value: 0.25 is "
                   "one in four");
}

// The values are sensitive: messages name their places, not them.
Status ReadThresholds(const PolicyNode& node, ThetaPolicy& theta) {
  if (!node.Has(kDefault)) {
    return node.Fail("must have a default for all other values, but has none",
                     "add default: 0.25, or default: 1 where nothing is promised of them");
  }
  std::unordered_set<std::string> meanings;
  size_t place = 0;
  for (const auto& [value, child] : node.Children()) {
    const PolicyNode of_value = child.Called(fmt::format("{}[{}]", node.path(), place++));
    if (value == kDefault) {
      THICKET_ASSIGN(theta.otherwise, ReadThreshold(child));
      continue;
    }
    const std::string meaning = FoldValue(value);
    if (meaning.empty()) {
      return of_value.Fail("must be of a value, but the value is blank",
                           "remove it: a missing value has the default");
    }
    if (SensitiveAttribute::IsSuppressedText(meaning)) {
      return of_value.Fail("must be of a value, but * stands for one that is suppressed",
                           "remove it");
    }
    if (!meanings.insert(meaning).second) {
      return of_value.Fail("must be of a value of its own, but another one means the same",
                           "remove one of the two; letter case, blanks and the way a number is "
                           "written make no difference");
    }
    THICKET_ASSIGN(Decimal of_this, ReadThreshold(of_value));
    theta.values.push_back({value, std::move(of_this), of_value.line()});
  }
  return {};
}

// What else stands in `privacy` must fit.
Status CheckTheta(const PolicyNode& privacy, const ThetaPolicy& theta, const Schema& schema) {
  const PolicyNode node = privacy.Child("theta");
  if (privacy.Has("l")) {
    return node.Fail("must stand without l, but l is there, too",
                     "keep one of them: l: 4 is theta: 0.25 for every value");
  }
  if (privacy.Has("alpha")) {
    return node.Fail("must stand without alpha, but alpha is there, too",
                     "keep one of them: theta limits each value, alpha each level of sensitivity");
  }
  for (const char* key : {"m", "n", "negative"}) {
    if (!privacy.Has(key)) continue;
    return node.Fail(fmt::format("must stand without {}, but {} is there, too", key, key),
                     "keep one of them: theta is for tables, in which records look alike");
  }
  size_t sensitive = 0;
  for (const VertexClass& of : schema.classes) sensitive += of.sensitive.size();
  if (sensitive == 0) {
    return node.Fail("must have a sensitive attribute to protect, but there is none",
                     "name it under sensitive, or use k alone");
  }
  if (!theta.values.empty() && !schema.root().sensitive.empty() &&
      !schema.root().sensitive.front().buckets.empty()) {
    return node.Fail("must be one share where the attribute has buckets, but names values",
                     "give theta: 0.25 for all buckets, or take buckets out of the attribute");
  }
  return {};
}

}  // namespace

Status ReadTheta(const PolicyNode& privacy, const Schema& schema,
                 std::optional<ThetaPolicy>& theta) {
  if (!privacy.Has("theta")) {
    if (!privacy.Has("derive")) return {};
    return privacy.Child("derive").Fail("must stand beside theta, but there is none",
                                        "add theta: 0.25, the share of values that are rare");
  }
  const PolicyNode node = privacy.Child("theta");
  ThetaPolicy read;
  if (node.yaml().is_mapping()) {
    THICKET_TRY(ReadThresholds(node, read));
  } else {
    THICKET_ASSIGN(read.otherwise, ReadThreshold(node));
  }
  if (privacy.Has("derive")) {
    THICKET_TRY(privacy.Child("derive").Word({{"frequency"}, {}}));
    read.from_frequency = true;
  }
  THICKET_TRY(CheckTheta(privacy, read, schema));
  theta = std::move(read);
  return {};
}

}  // namespace thicket
