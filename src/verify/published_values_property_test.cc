// Publisher and verifier find out by themselves which sensitive values count as one: both against what was put in.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "testing/forest_text.h"
#include "verify/published_values.h"

namespace thicket::published_values_property_test {
namespace {

using testing::ParseForest;
using testing::ParseSchema;

// Each line is one value in many ways. No quote or bar: they mean something to ParseForest.
const std::vector<std::vector<std::string>>& Meanings() {
  static const std::vector<std::vector<std::string>> meanings = {
      {"", "''", "' '", "'\u00a0'", "'\u200b'"},
      {"1", "1.0", "'1'", "'01'", "'+1'", "10e-1", "'\uff11'", "' 1 '"},
      {"-1", "'\u22121'", "-1.00"},
      {"2.5", "2.50", "25e-1", "'02.5'"},
      {"9007199254740992", "9007199254740992.0"},
      {"9007199254740993", "'9007199254740993'", "9007199254740993e0"},
      {"HIV", "hiv", "' HIV'", "'H\u00adIV'", "'\uff28\uff29\uff36'"},
      {"caf\u00e9", "cafe\u0301", "CAF\u00c9"},
      {"cafe", "Cafe"},
      {"'flu A'", "'flu\u00a0\u00a0a'", "'FLU\tA '"},
      {"flua"},
  };
  return meanings;
}

RC_GTEST_PROP(PublishedValuesProperty, ValuesCountAsOneExactlyWhenTheyMeanTheSame,
              (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const auto schema = ParseSchema("r(|s)");
  std::string text;
  std::vector<uint64_t> meaning;
  for (uint64_t i = 0; i < 12; ++i) {
    meaning.push_back(random.Below(Meanings().size()));
    const std::vector<std::string>& ways = Meanings()[meaning.back()];
    text += "r(|" + ways[random.Below(ways.size())] + ")";
  }
  const Dataset data = ParseForest(schema, text);
  Violations violations;
  const std::vector<uint32_t> verified = ReadBuckets(data, 0, 0, violations);
  RC_ASSERT(violations.empty());
  const Result<EncodedDataset> encoded = Encode(data, {});
  RC_ASSERT(encoded.ok());
  for (Vertex a = 0; a < meaning.size(); ++a) {
    const uint32_t bucket = verified[data.forest.value(a, 0)];
    RC_ASSERT((bucket == 0) == (meaning[a] == 0));
    RC_ASSERT((encoded->Bucket(a, 0) == 0) == (meaning[a] == 0));
    for (Vertex b = 0; b < a; ++b) {
      const bool same = meaning[a] == meaning[b];
      RC_ASSERT((bucket == verified[data.forest.value(b, 0)]) == same);
      RC_ASSERT((encoded->Bucket(a, 0) == encoded->Bucket(b, 0)) == same);
    }
  }
}

// Half units around 2^53, where doubles have no room for them, against whole numbers.
RC_GTEST_PROP(PublishedValuesProperty, BucketsAreExact, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  constexpr int64_t kAround = int64_t{1} << 54;
  const auto written = [&](int64_t halves) {
    const std::string whole = std::to_string(halves / 2);
    if (halves % 2 != 0) return whole + ".5";
    return random.Below(2) == 0 ? whole : whole + ".00";
  };
  auto schema = ParseSchema("r(|s)");
  std::vector<int64_t> bounds;
  for (int64_t bound = kAround; bounds.size() < 4;
       bound += 1 + static_cast<int64_t>(random.Below(4))) {
    bounds.push_back(bound);
    schema->classes[0].sensitive[0].buckets.push_back(*Decimal::Parse(written(bound)));
  }
  std::vector<uint32_t> expected;
  std::string text;
  for (int i = 0; i < 12; ++i) {
    const int64_t halves = kAround - 3 + static_cast<int64_t>(random.Below(20));
    uint32_t bucket = 1;
    for (size_t b = 0; b < bounds.size(); ++b) {
      if (halves > bounds[b] || (halves == bounds[b] && b + 1 < bounds.size())) ++bucket;
    }
    expected.push_back(bucket);
    text += "r(|" + written(halves) + ")";
  }
  const Dataset data = ParseForest(schema, text);
  Violations violations;
  const std::vector<uint32_t> verified = ReadBuckets(data, 0, 0, violations);
  const Result<EncodedDataset> encoded = Encode(data, {});
  RC_ASSERT(encoded.ok());
  for (Vertex v = 0; v < expected.size(); ++v) {
    RC_ASSERT(verified[data.forest.value(v, 0)] == expected[v]);
    RC_ASSERT(encoded->Bucket(v, 0) == expected[v]);
  }
}

}  // namespace
}  // namespace thicket::published_values_property_test
