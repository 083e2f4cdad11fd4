// Truthfulness where equal vertices are merged and labels moved, as k^(m,n)-anonymity does.

#include "verify/path_cover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "base/random.h"
#include "testing/forest_text.h"
#include "verify/truthful.h"

namespace thicket::path_cover_test {
namespace {

using ::testing::HasSubstr;
using testing::ParseForest;
using testing::ParseSchema;

PrivacyPolicy Combinations() {
  PrivacyPolicy privacy;
  privacy.k = 2;
  privacy.m = 2;
  privacy.n = 1;
  return privacy;
}

class PathCoverTest : public ::testing::Test {
 protected:
  PathCoverTest() {
    for (VertexClass& of : schema_->classes) {
      for (QuasiAttribute& attribute : of.quasi) {
        attribute.recoding.kind = Recoding::Kind::kMask;
        attribute.recoding.mask = 1;
      }
    }
  }

  TruthVerdict Verify(std::string_view published, std::optional<RecordId> source = std::nullopt) {
    const Dataset data = ParseForest(schema_, published, "published.jsonl");
    const Dataset original = ParseForest(schema_, kOriginal, "original.jsonl");
    std::vector<RecordId> certificate;
    if (source) certificate.push_back(*source);
    Result<TruthVerdict> verdict = VerifyTruthful(
        *schema_, Combinations(), {}, data, original,
        source ? std::optional<std::span<const RecordId>>(certificate) : std::nullopt);
    EXPECT_TRUE(verdict.ok()) << verdict.error().message;
    return std::move(*verdict);
  }
  void ExpectTrue(std::string_view published) {
    EXPECT_TRUE(Verify(published, RecordId{0}).holds);
    EXPECT_TRUE(Verify(published).holds);
  }
  void ExpectUntrue(std::string_view published, ViolationKind kind, std::string_view where) {
    const TruthVerdict verdict = Verify(published, RecordId{0});
    EXPECT_FALSE(verdict.holds);
    EXPECT_EQ(verdict.untrue, 1U);
    ASSERT_EQ(verdict.violations.total(kind), 1U);
    EXPECT_THAT(verdict.violations.shown()[0].message, HasSubstr(where));
    EXPECT_EQ(Verify(published).violations.total(ViolationKind::kNoOriginal), 1U);
  }

  static constexpr std::string_view kOriginal =
      "c(PE|x|north){o(p1,d1|A){i(b1|2) i(b2|3)} o(p1,d2|B){i(b3|4)} o(p2,|C)}"
      "c(FR|y|south){o(p3,d1|A){i(b1|2)}}";
  std::shared_ptr<Schema> schema_ =
      ParseSchema("c(nation|s|campus){o(price,date|grade){i(brand|n)}}");
};

TEST_F(PathCoverTest, AcceptsTheOriginalItself) { EXPECT_TRUE(Verify(kOriginal).holds); }

TEST_F(PathCoverTest, AcceptsMergedAndGeneralizedVertices) {
  ExpectTrue("c(PE|x|north){o('p*','d*'|A){i('b*'|2) i('b*'|3) i('b*'|4)} o('p*','d*'|B)}");
}

TEST_F(PathCoverTest, AcceptsLabelsThatWereMovedToPlacesOfTheirOwn) {
  ExpectTrue("c(PE){o(p1|A) i(b3) i(b1) o(,d2|B){i(b3|4)}}");
}

TEST_F(PathCoverTest, AcceptsValuesOfVerticesThatShowNoLabel) {
  ExpectTrue("c(PE){o(|C) o(p1){i(|4)}}");
}

TEST_F(PathCoverTest, RejectsLabelsOfTwoPathsOnOne) {
  ExpectUntrue("c(PE){o(p1,d2){i(b1)}}", ViolationKind::kNotAncestor,
               "published.jsonl:1: o[0].i[0].brand: a label must be");
}

TEST_F(PathCoverTest, RejectsALabelThatIsNoAncestor) {
  ExpectUntrue("c(PE){o(p3)}", ViolationKind::kNotAncestor, "o[0].price");
}

// A missing value is no label, which nothing covers.
TEST_F(PathCoverTest, RejectsAStarForAMissingValue) {
  ExpectUntrue("c(PE){o(p2,'*')}", ViolationKind::kNotAncestor, "o[0].date");
}

TEST_F(PathCoverTest, RejectsAValueOfAVertexWithOtherLabels) {
  ExpectUntrue("c(PE){o(p2|A)}", ViolationKind::kValueChanged, "o[0].grade");
  ExpectUntrue("c(PE||south)", ViolationKind::kValueChanged, "campus");
}

TEST_F(PathCoverTest, RejectsOneOriginalBehindTwoRecords) {
  const TruthVerdict verdict = Verify("c(PE) c(PE)");
  EXPECT_EQ(verdict.violations.total(ViolationKind::kSharedOriginal), 1U);
}

// By attribute on the path: its value.
using NaivePath = std::map<std::string, std::string>;

struct NaiveVertex {
  std::string name;
  bool has_label;
  NaivePath path;
  std::map<std::string, std::string> secrets;
};

void ListVertices(const Dataset& data, Vertex v, NaivePath path, std::vector<NaiveVertex>& list) {
  const ClassId id = data.forest.class_of(v);
  const VertexClass& of = data.schema->classes[id];
  NaiveVertex vertex{of.name, false, {}, {}};
  for (size_t slot = 0; slot < of.value_count(); ++slot) {
    const Symbol symbol = data.forest.value(v, slot);
    if (symbol == kMissing) continue;
    const std::string text(data.dictionaries[id][slot].text(symbol));
    if (slot < of.quasi.size()) {
      path[of.name + "." + of.slot_name(slot)] = text;
      vertex.has_label = true;
    } else {
      vertex.secrets[of.slot_name(slot)] = text;
    }
  }
  vertex.path = path;
  list.push_back(vertex);
  for (const Vertex child : data.forest.Children(v)) ListVertices(data, child, path, list);
}

bool PathCovers(const NaivePath& published, const NaivePath& original) {
  for (const auto& [attribute, label] : published) {
    const auto found = original.find(attribute);
    if (found == original.end()) return false;
    const std::string& value = found->second;
    if (label != "*" && label != value && label != value.substr(0, value.size() - 1) + "*") {
      return false;
    }
  }
  return true;
}

bool NaiveFits(const Dataset& published, RecordId p, const Dataset& original, RecordId o) {
  std::vector<NaiveVertex> shown;
  std::vector<NaiveVertex> real;
  ListVertices(published, published.forest.root(p), {}, shown);
  ListVertices(original, original.forest.root(o), {}, real);
  for (const NaiveVertex& vertex : shown) {
    const bool path_found = std::any_of(real.begin(), real.end(), [&](const NaiveVertex& of) {
      return PathCovers(vertex.path, of.path);
    });
    if (vertex.has_label && !path_found) return false;
    for (const auto& secret : vertex.secrets) {
      const bool found = std::any_of(real.begin(), real.end(), [&](const NaiveVertex& of) {
        const auto held = of.secrets.find(secret.first);
        return of.name == vertex.name && held != of.secrets.end() &&
               held->second == secret.second &&
               (!vertex.has_label || PathCovers(vertex.path, of.path));
      });
      if (!found) return false;
    }
  }
  return true;
}

// Two levels below the root, few values; published ones with stars and moved vertices.
std::string RandomRecord(Random& random, bool published) {
  const auto value = [&](const char* letters) {
    if (random.Below(published ? 3 : 8) == 0) return std::string();
    std::string text = std::string(1, letters[0]) + std::string(1, "12"[random.Below(2)]);
    if (published && random.Below(2) == 0) text = std::string(1, letters[0]) + "*";
    if (published && random.Below(6) == 0) text = "*";
    return "'" + text + "'";
  };
  const auto secret = [&] {
    return random.Below(published ? 5 : 2) == 0 ? std::string(1, "AB"[random.Below(2)]) : "";
  };
  std::string text = "c(" + value("n") + "|" + secret() + "){";
  for (size_t i = random.Below(3); i > 0; --i) {
    text += "o(" + value("p") + "," + value("d") + "|" + secret() + "){";
    for (size_t j = random.Below(2); j > 0; --j) text += "i(" + value("b") + "|" + secret() + ")";
    text += "}";
  }
  if (published && random.Below(3) == 0) text += "i(" + value("b") + ")";
  return text + "}";
}

RC_GTEST_PROP(PathCoverPropertyTest, AgreesWithTryingEveryAssignmentOfOriginals, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  auto schema = ParseSchema("c(nation|s){o(price,date|grade){i(brand|n)}}");
  for (VertexClass& of : schema->classes) {
    for (QuasiAttribute& attribute : of.quasi) {
      attribute.recoding.kind = Recoding::Kind::kMask;
      attribute.recoding.mask = 1;
    }
  }
  std::string before;
  std::string after;
  const size_t count = 1 + random.Below(4);
  for (size_t i = 0; i < count; ++i) {
    before += RandomRecord(random, false);
    if (random.Below(4) != 0) after += RandomRecord(random, true);
  }
  const Dataset original = ParseForest(schema, before);
  const Dataset published = ParseForest(schema, after);
  std::vector<RecordId> order(original.forest.record_count());
  std::iota(order.begin(), order.end(), RecordId{0});
  bool some = false;
  bool first = true;
  do {
    bool all = true;
    for (RecordId p = 0; p < published.forest.record_count(); ++p) {
      all = all && NaiveFits(published, p, original, order[p]);
    }
    if (first) {
      const std::span<const RecordId> certificate(order.data(), published.forest.record_count());
      const auto certified =
          VerifyTruthful(*schema, Combinations(), {}, published, original, certificate);
      RC_ASSERT(certified.ok());
      RC_ASSERT(certified->holds == all);
    }
    first = false;
    some = some || all;
  } while (std::next_permutation(order.begin(), order.end()));
  const auto found = VerifyTruthful(*schema, Combinations(), {}, published, original);
  RC_ASSERT(found.ok());
  RC_TAG(some ? "true" : "untrue");
  RC_ASSERT(found->holds == some);
}

}  // namespace
}  // namespace thicket::path_cover_test
