#include "verify/bag_truth.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.h"
#include "testing/forest_text.h"
#include "verify/bag_labels.h"

namespace thicket::bag_truth_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ParseForest;
using testing::ParseSchema;

// Goods over Edibles (Alcohol: wine, vino; Dairy: milk, cream) and Clothing (Outwear: jacket, pants; Footwear: boot, shoe).
Taxonomy Goods() {
  TaxonomyBuilder builder("goods");
  const auto edibles = builder.Add(builder.root(), "edibles");
  const auto alcohol = builder.Add(edibles, "alcohol");
  builder.Add(alcohol, "wine");
  builder.Add(alcohol, "vino");
  const auto dairy = builder.Add(edibles, "dairy");
  builder.Add(dairy, "milk");
  builder.Add(dairy, "cream");
  const auto clothing = builder.Add(builder.root(), "clothing");
  const auto outwear = builder.Add(clothing, "outwear");
  builder.Add(outwear, "jacket");
  builder.Add(outwear, "pants");
  const auto footwear = builder.Add(clothing, "footwear");
  builder.Add(footwear, "boot");
  builder.Add(footwear, "shoe");
  return std::move(builder).Build();
}

// The same as a network, in which wine is a synonym of vino, and of which only words have names.
std::shared_ptr<const SemanticNetwork> GoodsNetwork() {
  SemanticNetworkBuilder builder;
  const auto edibles = builder.AddConcept();
  const auto alcohol = builder.AddConcept();
  const auto dairy = builder.AddConcept();
  builder.Link(edibles, alcohol);
  builder.Link(edibles, dairy);
  builder.Link(builder.AddWord("wine"), alcohol);
  builder.Link(builder.AddWord("vino"), alcohol);
  builder.Link(builder.AddWord("milk"), dairy);
  builder.Link(builder.AddWord("cream"), dairy);
  builder.AddWord("boot");
  return std::make_shared<const SemanticNetwork>(std::move(builder).Build());
}

class BagTruthTest : public ::testing::Test {
 protected:
  BagTruthTest() {
    taxonomies_.emplace("goods.csv", Goods());
    networks_.emplace("wordnet", GoodsNetwork());
    Recoding& recoding = schema_->classes[1].quasi[0].recoding;
    recoding.file = "goods.csv";
    privacy_.of_bags = true;
    privacy_.k = 2;
    privacy_.epsilon = 2;
  }

  void UseNetwork(UnknownValues unknown) {
    Recoding& recoding = schema_->classes[1].quasi[0].recoding;
    recoding.kind = Recoding::Kind::kNetwork;
    recoding.file = "wordnet";
    recoding.unknown = unknown;
  }

  // Bags are written "wine vino,milk": two bags.
  Dataset Bags(std::string_view text, const std::string& name) const {
    std::string records = "bag{";
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find_first_of(" ,", at), text.size());
      if (end > at) records += fmt::format("t('{}')", text.substr(at, end - at));
      if (end < text.size() && text[end] == ',') records += "}bag{";
      at = end + 1;
    }
    return ParseForest(schema_, records + "}", name);
  }

  BagTruth Verify(std::string_view published, std::string_view original,
                  std::optional<std::vector<RecordId>> certificate) const {
    std::optional<std::span<const RecordId>> span;
    if (certificate) span = *certificate;
    Result<BagTruth> truth =
        VerifyBagTruth(*schema_, privacy_, taxonomies_, networks_, Bags(published, "published"),
                       Bags(original, "original"), span);
    EXPECT_TRUE(truth.ok()) << truth.error().message;
    return std::move(*truth);
  }
  std::string FirstMessage(std::string_view published, std::string_view original,
                           std::optional<std::vector<RecordId>> certificate) const {
    const BagTruth truth = Verify(published, original, std::move(certificate));
    EXPECT_FALSE(truth.holds);
    if (truth.violations.shown().empty()) return "";
    return truth.violations.shown().front().message;
  }

  std::shared_ptr<Schema> schema_ = ParseSchema("bag{t(term)}");
  PrivacyPolicy privacy_;
  TaxonomyFiles taxonomies_;
  NetworkFiles networks_;
};

TEST_F(BagTruthTest, MeasuresTheRunningExample) {
  // The first cluster of Example 5.3, and the second.
  const BagTruth truth = Verify(
      "wine vino jacket shoe,wine vino jacket shoe,wine vino jacket shoe,milk milk cream,"
      "milk milk cream",
      "wine wine jacket boot,vino vino jacket shoe,wine vino milk jacket shoe,"
      "vino milk milk cream,milk cream cream jacket pants",
      std::vector<RecordId>{0, 1, 2, 3, 4});
  EXPECT_TRUE(truth.holds);
  EXPECT_EQ(truth.published, 18U);
  // Of the first bag a wine and the boot, of the second a vino, of the last a cream.
  EXPECT_EQ(truth.substituted, 4U);
  EXPECT_EQ(truth.steps, 8U);
  EXPECT_EQ(truth.most_steps, 2U);
  EXPECT_EQ(truth.left_out, 4U);
  EXPECT_EQ(truth.empty_bags, 0U);
}

TEST_F(BagTruthTest, RefusesATermThatIsTooFar) {
  EXPECT_EQ(
      FirstMessage("jacket milk", "wine jacket", std::vector<RecordId>{0}),
      "published:1: t[1].term: a term must be at most 2 steps from the one that it stands for, "
      "but is farther from every term of the original bag");
  EXPECT_EQ(FirstMessage("jacket milk", "wine jacket", std::nullopt),
            "published:1: every published bag must stand for an original one of its own, its terms "
            "at most 2 steps away, but no original bag fits");
  privacy_.epsilon = 4;
  EXPECT_TRUE(Verify("jacket milk", "wine jacket", std::vector<RecordId>{0}).holds);
  EXPECT_TRUE(Verify("jacket milk", "wine jacket", std::nullopt).holds);
}

TEST_F(BagTruthTest, RefusesAnInventedTerm) {
  EXPECT_EQ(FirstMessage("wine vino", "wine", std::vector<RecordId>{0}),
            "published:1: a bag must not have more terms than its original, but has 1 more");
  EXPECT_FALSE(Verify("wine vino", "wine", std::nullopt).holds);
}

TEST_F(BagTruthTest, RefusesAnOccurrenceThatIsUsedTwice) {
  EXPECT_EQ(FirstMessage("wine wine", "wine jacket", std::vector<RecordId>{0}),
            "published:1: every term of a bag must stand for another term of the original bag, at "
            "most 2 steps away, but 1 of 2 cannot");
  EXPECT_FALSE(Verify("wine wine", "wine jacket", std::nullopt).holds);
  EXPECT_TRUE(Verify("wine wine", "vino wine", std::vector<RecordId>{0}).holds);
}

TEST_F(BagTruthTest, RefusesAnOriginalThatIsUsedTwice) {
  const BagTruth truth = Verify("wine,wine", "wine,vino", std::vector<RecordId>{1, 1});
  EXPECT_FALSE(truth.holds);
  EXPECT_EQ(truth.violations.total(ViolationKind::kSharedOriginal), 1U);
  EXPECT_EQ(truth.untrue, 1U);
  const BagTruth found = Verify("wine,wine", "wine,milk", std::nullopt);
  EXPECT_FALSE(found.holds);
  EXPECT_EQ(found.violations.total(ViolationKind::kSharedOriginal), 1U);
  EXPECT_TRUE(Verify("wine,wine", "wine,vino", std::nullopt).holds);
}

TEST_F(BagTruthTest, OneOfSeveralWordsIsMeantAndTheOthersAreNear) {
  schema_->classes[1].quasi[0].may_be_several = true;
  const BagTruth truth = Verify("vino|wine", "wine", std::vector<RecordId>{0});
  EXPECT_TRUE(truth.holds);
  EXPECT_EQ(truth.steps, 0U);
  EXPECT_EQ(truth.substituted, 0U);
  EXPECT_FALSE(Verify("milk|wine", "wine", std::vector<RecordId>{0}).holds);
  privacy_.epsilon = 4;
  EXPECT_TRUE(Verify("milk|wine", "wine", std::vector<RecordId>{0}).holds);
  // Near both, but neither.
  EXPECT_FALSE(Verify("milk|wine", "vino", std::vector<RecordId>{0}).holds);
}

TEST_F(BagTruthTest, AGroupLiesAboveWhatItStandsFor) {
  const BagTruth truth = Verify("alcohol,edibles", "wine,milk", std::vector<RecordId>{0, 1});
  EXPECT_TRUE(truth.holds);
  EXPECT_EQ(truth.steps, 0U);
  EXPECT_FALSE(Verify("goods", "wine", std::vector<RecordId>{0}).holds);
  privacy_.epsilon = 6;
  EXPECT_TRUE(Verify("goods", "wine", std::vector<RecordId>{0}).holds);
  // Three steps up and down, but wine is not below it.
  EXPECT_FALSE(Verify("dairy", "wine", std::vector<RecordId>{0}).holds);
}

TEST_F(BagTruthTest, AnEmptyBagStandsForAnything) {
  const BagTruth truth = Verify("wine,", "wine,jacket milk", std::vector<RecordId>{0, 1});
  EXPECT_TRUE(truth.holds);
  EXPECT_EQ(truth.empty_bags, 1U);
  EXPECT_EQ(truth.left_out, 2U);
  EXPECT_TRUE(Verify("wine,", "wine,jacket milk", std::nullopt).holds);
}

TEST_F(BagTruthTest, StepsOfANetworkAreItsLinks) {
  UseNetwork(UnknownValues::kLeaveOut);
  EXPECT_TRUE(Verify("wine", "vino", std::vector<RecordId>{0}).holds);
  EXPECT_FALSE(Verify("wine", "milk", std::vector<RecordId>{0}).holds);
  EXPECT_FALSE(Verify("wine", "boot", std::vector<RecordId>{0}).holds);
  privacy_.epsilon = 4;
  const BagTruth truth = Verify("wine", "milk", std::vector<RecordId>{0});
  EXPECT_TRUE(truth.holds);
  EXPECT_EQ(truth.steps, 4U);
}

TEST_F(BagTruthTest, AWordThatIsInNoNetworkStandsForItself) {
  UseNetwork(UnknownValues::kGeneralize);
  EXPECT_TRUE(Verify("asdf wine", "wine asdf", std::vector<RecordId>{0}).holds);
  EXPECT_FALSE(Verify("asdf", "wine", std::vector<RecordId>{0}).holds);
  EXPECT_FALSE(Verify("wine", "asdf", std::vector<RecordId>{0}).holds);
}

TEST_F(BagTruthTest, AnUnknownWordOfATaxonomyIsBelowTheRoot) {
  schema_->classes[1].quasi[0].recoding.unknown = UnknownValues::kGeneralize;
  EXPECT_TRUE(Verify("asdf qwer", "qwer fdsa", std::vector<RecordId>{0}).holds);
  EXPECT_FALSE(Verify("asdf", "wine", std::vector<RecordId>{0}).holds);
  EXPECT_TRUE(Verify("goods", "asdf", std::vector<RecordId>{0}).holds);
}

TEST_F(BagTruthTest, RefusesACertificateOfOtherData) {
  const Dataset data = Bags("wine,vino", "bags");
  for (const std::vector<RecordId>& wrong : {std::vector<RecordId>{0}, {0, 2}}) {
    const auto truth = VerifyBagTruth(*schema_, privacy_, taxonomies_, networks_, data, data,
                                      std::span<const RecordId>(wrong));
    ASSERT_FALSE(truth.ok());
    EXPECT_EQ(truth.error().code, ErrorCode::kData);
  }
}

TEST_F(BagTruthTest, AsksForALinkWhereThereAreTooManyPairs) {
  const Dataset data = Bags("wine,vino,milk", "bags");
  const auto truth = VerifyBagTruth(*schema_, privacy_, taxonomies_, networks_, data, data,
                                    std::nullopt, false, 8);
  ASSERT_FALSE(truth.ok());
  EXPECT_EQ(truth.error().code, ErrorCode::kUsage);
  EXPECT_EQ(truth.error().message,
            "without a link at most 8 pairs of different bags can be compared, but there are 3 "
            "times 3");
  EXPECT_TRUE(
      VerifyBagTruth(*schema_, privacy_, taxonomies_, networks_, data, data, std::nullopt, false, 9)
          ->holds);
}

TEST_F(BagTruthTest, BagsInTheOrderOfTheirOriginalsAreSeenByWhoAsks) {
  std::string text = "wine";
  for (int i = 1; i < 12; ++i) text += i % 2 == 0 ? ",wine" : ",vino";
  const Dataset data = Bags(text, "bags");
  std::vector<RecordId> certificate(12);
  std::iota(certificate.begin(), certificate.end(), RecordId{0});
  const auto verify = [&](bool judge_order) {
    return *VerifyBagTruth(*schema_, privacy_, taxonomies_, networks_, data, data,
                           std::span<const RecordId>(certificate), judge_order);
  };
  EXPECT_FALSE(verify(false).in_source_order);
  EXPECT_TRUE(verify(true).in_source_order);
  certificate = {6, 3, 10, 1, 8, 11, 0, 5, 2, 9, 4, 7};
  EXPECT_FALSE(verify(true).in_source_order);
}

TEST_F(BagTruthTest, LabelsAreWordsOrGroupsOrSeveralWords) {
  schema_->classes[1].quasi[0].may_be_several = true;
  const auto violations = [&](std::string_view text) {
    Violations found;
    EXPECT_TRUE(CheckBagLabels(Bags(text, "published"), taxonomies_, networks_, found).ok());
    return found.total(ViolationKind::kIllegalLabel);
  };
  EXPECT_EQ(violations("wine vino|wine,edibles"), 0U);
  EXPECT_EQ(violations("wine asdf"), 1U);
  EXPECT_EQ(violations("asdf|wine"), 1U);
  EXPECT_EQ(violations("wine|wine"), 1U);
  EXPECT_EQ(violations("wine|"), 1U);
  EXPECT_EQ(violations("wine|edibles"), 1U);
  UseNetwork(UnknownValues::kLeaveOut);
  EXPECT_EQ(violations("wine vino|wine"), 0U);
  EXPECT_EQ(violations("edibles"), 1U);
  EXPECT_EQ(violations("*"), 1U);
  UseNetwork(UnknownValues::kGeneralize);
  EXPECT_EQ(violations("wine asdf|vino"), 0U);
  schema_->classes[1].quasi[0].may_be_several = false;
  UseNetwork(UnknownValues::kLeaveOut);
  EXPECT_EQ(violations("wine vino|wine"), 1U);
  Violations found;
  const Dataset missing = ParseForest(schema_, "bag{t(wine) t()}", "published");
  EXPECT_TRUE(CheckBagLabels(missing, taxonomies_, networks_, found).ok());
  EXPECT_EQ(found.total(ViolationKind::kIllegalLabel), 1U);
  networks_.clear();
  const Status status = CheckBagLabels(missing, taxonomies_, networks_, found);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kUsage);
}

// The definition, word by word: all distances by Floyd and Warshall, all ways to pair.
constexpr uint32_t kFar = 1000;

struct NaiveWorld {
  std::vector<std::string> words;
  std::vector<std::vector<uint32_t>> steps;
};

uint32_t NaiveSteps(const NaiveWorld& world, uint32_t epsilon, std::string_view label,
                    std::string_view term) {
  const auto number = [&](std::string_view word) {
    return static_cast<size_t>(std::find(world.words.begin(), world.words.end(), word) -
                               world.words.begin());
  };
  if (label.size() == 1) return world.steps[number(label)][number(term)];
  uint32_t most = 0;
  for (size_t at = 0; at < label.size(); at += 2) {
    most = std::max(most, world.steps[number(label.substr(at, 1))][number(term)]);
  }
  return label.find(term) == std::string_view::npos ? kFar : most <= epsilon ? 0 : kFar;
}

// (steps, substituted) of the best way to pair; kFar steps and more if there is none.
std::pair<uint32_t, uint32_t> NaivePairing(const NaiveWorld& world, uint32_t epsilon,
                                           const std::vector<std::string>& labels,
                                           std::vector<std::string> terms) {
  std::pair<uint32_t, uint32_t> best = {kFar, 0};
  if (labels.size() > terms.size()) return best;
  std::sort(terms.begin(), terms.end());
  do {
    std::pair<uint32_t, uint32_t> sum = {0, 0};
    for (size_t i = 0; i < labels.size(); ++i) {
      const uint32_t steps = NaiveSteps(world, epsilon, labels[i], terms[i]);
      sum.first += steps > epsilon ? kFar : steps;
      if (steps > 0) ++sum.second;
    }
    best = std::min(best, sum);
  } while (std::next_permutation(terms.begin(), terms.end()));
  return best;
}

std::string TextOf(const std::vector<std::vector<std::string>>& bags) {
  std::string text;
  for (const auto& bag : bags) {
    text += "bag{";
    for (const std::string& term : bag) text += "t('" + term + "')";
    text += "}";
  }
  return text;
}

RC_GTEST_PROP(BagTruthPropertyTest, AgreesWithTryingEveryWayToPair, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  // A random network of words and concepts.
  NaiveWorld world;
  SemanticNetworkBuilder builder;
  const size_t words = 3 + random.Below(4);
  for (size_t i = 0; i < words; ++i) {
    world.words.emplace_back(1, static_cast<char>('a' + i));
    builder.AddWord(world.words.back());
  }
  const size_t places = words + random.Below(5);
  while (builder.place_count() < places) builder.AddConcept();
  world.steps.assign(places, std::vector<uint32_t>(places, kFar));
  for (size_t i = 0; i < places; ++i) world.steps[i][i] = 0;
  for (size_t i = 0; i < places + random.Below(4); ++i) {
    const size_t a = random.Below(places);
    const size_t b = random.Below(places);
    if (a == b) continue;
    builder.Link(static_cast<uint32_t>(a), static_cast<uint32_t>(b));
    world.steps[a][b] = world.steps[b][a] = 1;
  }
  for (size_t via = 0; via < places; ++via) {
    for (size_t a = 0; a < places; ++a) {
      for (size_t b = 0; b < places; ++b) {
        world.steps[a][b] = std::min(world.steps[a][b], world.steps[a][via] + world.steps[via][b]);
      }
    }
  }
  const NetworkFiles networks = {
      {"n", std::make_shared<const SemanticNetwork>(std::move(builder).Build())}};
  auto schema = ParseSchema("bag{t(term)}");
  schema->classes[1].quasi[0].recoding.kind = Recoding::Kind::kNetwork;
  schema->classes[1].quasi[0].recoding.file = "n";
  schema->classes[1].quasi[0].may_be_several = true;
  PrivacyPolicy privacy;
  privacy.of_bags = true;
  privacy.epsilon = static_cast<int>(random.Below(5));
  const auto epsilon = static_cast<uint32_t>(*privacy.epsilon);

  std::vector<std::vector<std::string>> original(2 + random.Below(3));
  for (auto& bag : original) {
    for (size_t i = 0; i < 1 + random.Below(4); ++i) {
      bag.push_back(world.words[random.Below(words)]);
    }
  }
  // Few changes to copies of originals, so that about half of them are true.
  std::vector<std::vector<std::string>> published(1 + random.Below(original.size()));
  std::vector<RecordId> certificate;
  for (size_t i = 0; i < published.size(); ++i) {
    certificate.push_back(static_cast<RecordId>(i));
    published[i] = original[i];
    if (random.Below(2) == 0) published[i].pop_back();
    for (std::string& term : published[i]) {
      if (random.Below(3) == 0) term = world.words[random.Below(words)];
      if (random.Below(6) == 0) {
        const std::string& other = world.words[random.Below(words)];
        if (other != term) term += "|" + other;
      }
    }
    if (random.Below(8) == 0) published[i].push_back(world.words[random.Below(words)]);
  }
  const Dataset after = ParseForest(schema, TextOf(published), "published");
  const Dataset before = ParseForest(schema, TextOf(original), "original");

  bool all_true = true;
  BagTruth expected;
  for (size_t i = 0; i < published.size(); ++i) {
    const auto [steps, substituted] = NaivePairing(world, epsilon, published[i], original[i]);
    all_true = all_true && steps < kFar;
    expected.steps += steps;
    expected.substituted += substituted;
    expected.published += published[i].size();
    expected.left_out += original[i].size() - published[i].size();
    if (published[i].empty()) ++expected.empty_bags;
  }
  const auto certified = VerifyBagTruth(*schema, privacy, {}, networks, after, before,
                                        std::span<const RecordId>(certificate));
  RC_ASSERT(certified.ok());
  RC_TAG(all_true ? "true" : "untrue");
  RC_ASSERT(certified->holds == all_true);
  if (all_true) {
    RC_ASSERT(certified->steps == expected.steps);
    RC_ASSERT(certified->substituted == expected.substituted);
    RC_ASSERT(certified->published == expected.published);
    RC_ASSERT(certified->left_out == expected.left_out);
    RC_ASSERT(certified->empty_bags == expected.empty_bags);
  }

  bool some_assignment = false;
  std::vector<size_t> sources(original.size());
  std::iota(sources.begin(), sources.end(), size_t{0});
  do {
    bool fits = true;
    for (size_t i = 0; i < published.size() && fits; ++i) {
      fits = NaivePairing(world, epsilon, published[i], original[sources[i]]).first < kFar;
    }
    some_assignment = some_assignment || fits;
  } while (std::next_permutation(sources.begin(), sources.end()));
  const auto found = VerifyBagTruth(*schema, privacy, {}, networks, after, before);
  RC_ASSERT(found.ok());
  RC_ASSERT(found->holds == some_assignment);
}

}  // namespace
}  // namespace thicket::bag_truth_test
