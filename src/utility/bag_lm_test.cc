#include "utility/bag_lm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "testing/cases.h"
#include "testing/literal_bag_measures.h"
#include "testing/thesis_bags.h"
#include "utility/bag_features.h"

namespace thicket::bag_lm_test {
namespace {

using testing::BagData;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::LiteralBag;
using testing::TextBags;

EncodedDataset Encoded(const TextBags& bags) {
  TaxonomyFiles files;
  files.emplace("term", testing::ThesisGoods());
  Result<EncodedDataset> encoded = Encode(BagData(bags), files);
  EXPECT_TRUE(encoded.ok()) << encoded.error().message;
  return std::move(encoded).value();
}

std::vector<RecordId> Everybody(size_t count) {
  std::vector<RecordId> originals;
  for (RecordId record = 0; record < count; ++record) originals.push_back(record);
  return originals;
}

BagLoss Measure(const TextBags& original, const TextBags& published, HyperTerms hyper) {
  const EncodedDataset encoded = Encoded(original);
  Result<BagPair> pair = BagPair::Read(encoded, BagData(published));
  EXPECT_TRUE(pair.ok()) << pair.error().message;
  return MeasureBagLm(*pair, Everybody(published.size()), hyper, StepsInTaxonomy(*pair));
}

// A publication with one tree; `places[position][member]` is the occurrence of the member's bag that stands there.
void AddTree(const EncodedDataset& data, const std::vector<RecordId>& records,
             const std::vector<std::string>& labels, const std::vector<std::vector<Vertex>>& places,
             Publication& publication) {
  const Taxonomy& taxonomy = data.classes[1].domains[0].taxonomy();
  publication.Open(0, {}, static_cast<uint32_t>(labels.size()) + 1);
  for (const std::string& text : labels) {
    const Node node = *taxonomy.Find(text);
    const Label label{node, node};
    publication.Open(1, {&label, 1});
  }
  for (size_t member = 0; member < records.size(); ++member) {
    const Vertex root = data.forest().root(records[member]);
    publication.AddRecord(records[member]);
    publication.AddSources({&root, 1});
    for (size_t position = 0; position < labels.size(); ++position) {
      const Vertex source = root + 1 + places[position][member];
      publication.AddSources({&source, 1});
    }
  }
  publication.EndTree();
}

// Example 5.11 of Liu 2010.
TEST(BagLmTest, TheRunningExampleLosesWhatTheThesisSaysBySsg) {
  const EncodedDataset data = Encoded(testing::ThesisVocabularies());
  Publication publication;
  AddTree(data, {0, 1, 2}, {"Wine", "Vino", "Jackets", "Shoes"},
          {{0, 0, 0}, {1, 1, 1}, {2, 2, 3}, {3, 3, 4}}, publication);
  AddTree(data, {3, 4}, {"Raw-milk", "Raw-milk", "Homo-milk"}, {{1, 0}, {2, 1}, {3, 2}},
          publication);
  const BagLoss loss = MeasureBagLm(data, publication, HyperTerms::kByPlace);
  EXPECT_EQ(loss.occurrences, 22U);
  EXPECT_EQ(loss.suppressed, 4U);
  EXPECT_EQ(loss.others, 11U);
  EXPECT_EQ(loss.domain, 8U);
  EXPECT_DOUBLE_EQ(loss.blm(), (11.0 / 7 + 4) / 22);
  EXPECT_NEAR(loss.blm(), 0.253, 0.0005);
}

TEST(BagLmTest, TheRunningExampleLosesWhatTheThesisSaysByLgBag) {
  const EncodedDataset data = Encoded(testing::ThesisVocabularies());
  Publication publication;
  AddTree(data, {0, 3}, {"Goods", "Goods", "Goods", "Goods"}, {{0, 0}, {1, 1}, {2, 2}, {3, 3}},
          publication);
  AddTree(data, {1, 2, 4}, {"Edibles", "Edibles", "Clothing", "Clothing"},
          {{0, 0, 0}, {1, 1, 1}, {2, 3, 3}, {3, 4, 4}}, publication);
  const BagLoss loss = MeasureBagLm(data, publication, HyperTerms::kByLabel);
  EXPECT_EQ(loss.suppressed, 2U);
  EXPECT_DOUBLE_EQ(loss.blm(), 12.0 / 22);
  EXPECT_NEAR(loss.blm(), 0.545, 0.0005);
}

TEST(BagLmTest, FilesAndTheirLinkSayTheSameAsTheRun) {
  EXPECT_DOUBLE_EQ(
      Measure(testing::ThesisVocabularies(), testing::ThesisBySsg(), HyperTerms::kByPlace).blm(),
      (11.0 / 7 + 4) / 22);
  EXPECT_DOUBLE_EQ(
      Measure(testing::ThesisVocabularies(), testing::ThesisByLgBag(), HyperTerms::kByLabel).blm(),
      12.0 / 22);
}

// LG publishes each label once: what else is below it is lost.
TEST(BagLmTest, SetsOfLabelsLoseRepeats) {
  const TextBags published = {{"Goods"},
                              {"Edibles", "Clothing"},
                              {"Edibles", "Clothing"},
                              {"Goods"},
                              {"Edibles", "Clothing"}};
  const BagLoss loss = Measure(testing::ThesisVocabularies(), published, HyperTerms::kByLabel);
  EXPECT_EQ(loss.suppressed, 14U);
  EXPECT_EQ(loss.others, 2U * 5 + 3 * 3 + 3 * 2);
}

TEST(BagLmTest, NothingIsLostOfWhatIsPublishedAsItWas) {
  const TextBags bags = {{"Wine", "Wine", "Boots"}, {"Boots", "Wine", "Wine"}, {}};
  const BagLoss loss = Measure(bags, bags, HyperTerms::kByPlace);
  EXPECT_EQ(loss.occurrences, 6U);
  EXPECT_EQ(loss.blm(), 0);
}

TEST(BagLmTest, BagsThatAreLeftOutOrEmptyAreLostWhole) {
  const EncodedDataset data = Encoded({{"Wine"}, {"Vino"}, {"Pants", "Pants"}});
  const auto pair = BagPair::Read(data, BagData({{}, {"Wine"}}));
  ASSERT_TRUE(pair.ok());
  const BagLoss loss = MeasureBagLm(*pair, std::vector<RecordId>{2, 1}, HyperTerms::kByPlace,
                                    StepsInTaxonomy(*pair));
  EXPECT_EQ(loss.occurrences, 4U);
  EXPECT_EQ(loss.suppressed, 3U);
  EXPECT_EQ(loss.others, 0U);
  EXPECT_DOUBLE_EQ(loss.blm(), 0.75);
}

TEST(BagLmTest, ALabelOfSeveralTermsIsAsAmbiguousAsItSays) {
  const BagLoss loss =
      Measure({{"Wine", "Pants"}, {"Vino", "Pants"}},
              {{"Vino|Wine", "Pants"}, {"Vino|Wine", "Pants"}}, HyperTerms::kByPlace);
  EXPECT_EQ(loss.suppressed, 0U);
  EXPECT_EQ(loss.others, 2U);
}

// Nothing but boots is near shoes, and pants are near boots.
TEST(BagLmTest, EqualTermsGiveWayWhereAnotherLabelHadNone) {
  const EncodedDataset data = Encoded({{"Boots", "Pants"}});
  const auto pair = BagPair::Read(data, BagData({{"Boots", "Shoes"}}));
  ASSERT_TRUE(pair.ok());
  const TermSteps steps = [&](BagLabel label, BagLabel of) -> std::optional<uint32_t> {
    const bool is_boots = pair->taxonomy->label(pair->NodeOf(label)) == "Boots";
    const bool of_boots = pair->taxonomy->label(pair->NodeOf(of)) == "Boots";
    if (!is_boots && !of_boots) return std::nullopt;
    return label == of ? 0 : 2;
  };
  const BagLoss loss = MeasureBagLm(*pair, std::vector<RecordId>{0}, HyperTerms::kByPlace, steps);
  EXPECT_EQ(loss.suppressed, 0U);
}

TEST(BagLmTest, ALabelThatTheOriginalDoesNotHaveIsAnError) {
  const EncodedDataset data = Encoded({{"Wine"}});
  for (const char* text : {"Beer", "Wine|Beer", "Wine|Alcohol", "|"}) {
    const auto pair = BagPair::Read(data, BagData({{"Wine"}, {text}}));
    ASSERT_FALSE(pair.ok()) << text;
    EXPECT_EQ(pair.error().code, ErrorCode::kData);
    EXPECT_THAT(pair.error().message, HasSubstr("bags:2: terms[0].term: a published term must be"));
    EXPECT_EQ(pair.error().value, text);
  }
}

TEST(BagLmTest, FeaturesCountTermsAndSizes) {
  const EncodedDataset data = Encoded(testing::ThesisVocabularies());
  const auto pair = BagPair::Read(data, BagData(testing::ThesisBySsg()));
  ASSERT_TRUE(pair.ok());
  const BagFeatures features = CompareBags(*pair);
  EXPECT_EQ(features.original.distinct, 8U);
  EXPECT_EQ(features.published.distinct, 6U);
  EXPECT_DOUBLE_EQ(*features.distinct_share(), 6.0 / 8);
  EXPECT_DOUBLE_EQ(*features.size_share(), 18.0 / 22);
}

TEST(BagLmTest, BagsThatCameOutEmptyCountAndThoseThatWereEmptyDoNot) {
  const EncodedDataset data = Encoded({{"Wine", "Vino"}, {}, {"Pants", "Boots"}});
  const auto pair = BagPair::Read(data, BagData({{"Wine", "Vino"}, {}}));
  ASSERT_TRUE(pair.ok());
  const BagFeatures features = CompareBags(*pair);
  EXPECT_EQ(features.original.bags, 2U);
  EXPECT_EQ(features.published.bags, 2U);
  EXPECT_DOUBLE_EQ(*features.size_share(), 0.5);
}

TEST(BagLmTest, FeaturesOfNothingAreNone) {
  const EncodedDataset data = Encoded({{}});
  const auto pair = BagPair::Read(data, BagData({}));
  ASSERT_TRUE(pair.ok());
  EXPECT_FALSE(CompareBags(*pair).distinct_share().has_value());
  EXPECT_FALSE(CompareBags(*pair).size_share().has_value());
  EXPECT_EQ(MeasureBagLm(*pair, {}, HyperTerms::kByPlace, StepsInTaxonomy(*pair)).blm(), 0);
}

// The matching must be one of the best: what is measured is what one of them loses.
TEST(BagLmTest, RandomClassesLoseWhatABestMatchingLoses) {
  const Taxonomy goods = testing::ThesisGoods();
  for (uint64_t seed = 0; seed < Cases(400); ++seed) {
    SCOPED_TRACE(seed);
    Random random = Random::Seeded(seed);
    const auto draw = [&](size_t most) {
      std::vector<std::string> bag;
      for (size_t size = 1 + random.Below(most); bag.size() < size;) {
        bag.push_back(goods.label(goods.first_leaf() + static_cast<Node>(random.Below(8))));
      }
      return bag;
    };
    TextBags original;
    for (size_t size = 1 + random.Below(3); original.size() < size;) original.push_back(draw(4));
    const EncodedDataset data = Encoded(original);
    const auto pair = BagPair::Read(data, BagData(TextBags(original.size(), draw(3))));
    ASSERT_TRUE(pair.ok());
    const TermSteps steps = StepsInTaxonomy(*pair);
    const BagLoss loss =
        MeasureBagLm(*pair, Everybody(original.size()), HyperTerms::kByPlace, steps);
    const auto list = [](std::span<const BagLabel> labels) {
      return LiteralBag(labels.begin(), labels.end());
    };
    const LiteralBag published = list(pair->published.labels(0));
    std::vector<LiteralBag> members;
    uint64_t suppressed = 0;
    for (size_t bag = 0; bag < original.size(); ++bag) {
      members.push_back(list(pair->original.labels(bag)));
      suppressed += members.back().size() - std::min(members.back().size(), published.size());
    }
    EXPECT_EQ(loss.suppressed, suppressed);
    const auto possible = testing::LiteralOthers(
        published, members, [&](uint32_t a, uint32_t b) { return *steps(a, b); });
    EXPECT_THAT(possible, Contains(loss.others));
  }
}

}  // namespace
}  // namespace thicket::bag_lm_test
