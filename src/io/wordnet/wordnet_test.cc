#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "io/test_policy.h"
#include "io/wordnet/wordnet_nouns.h"
#include "io/wordnet/wordnet_reader.h"
#include "taxonomy/lexicon.h"
#include "taxonomy/term_distances.h"

namespace thicket::wordnet_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kData =
    "  1 A licence  \n"
    "  2   \n"
    "00000010 03 n 01 entity 0 001 ~ 00000020 n 0000 | anything  \n"
    "00000020 05 n 02 Domestic_animal 0 pet 1 004 @ 00000010 n 0000 ~ 00000030 n 0000 "
    "%p 00000099 n 0000 + 00000077 v 0101 | kept at home | or in it \n"
    "00000030 05 n 02 dog 0 domestic_dog 0 002 @ 00000020 n 0000 ~i 00000040 n 0000 | barks  \n"
    "00000040 05 n 01 Lassie 0 002 @i 00000030 n 0000 @ 00000010 n 0000 | a dog  \n";
constexpr std::string_view kIndex =
    "  1 A licence  \n"
    "dog n 2 3 @ ~ %p 2 1 00000030 00000040  \n"
    "domestic_animal n 1 1 ~ 1 0 00000020  \n"
    "domestic_dog n 1 0 1 0 00000030  \n"
    "entity n 1 1 ~ 1 1 00000010  \n"
    "lassie n 1 1 @i 1 0 00000040  \n"
    "pet n 3 1 ~ 3 2 00000020 00000030 00000010  \n";
constexpr std::string_view kExceptions = "puppies dog puppy\nhot_dogs hot_dog\n";

WordNetTexts Tiny() { return {std::string(kData), std::string(kIndex), std::string(kExceptions)}; }

Result<SemanticNetwork> Parse(const WordNetTexts& texts) {
  THICKET_ASSIGN(const WordNetNouns nouns, ParseWordNet(texts, "wn"));
  return NetworkOf(nouns, "wn");
}

// The number of steps between two words.
std::optional<uint32_t> Steps(const SemanticNetwork& network, const std::string& a,
                              const std::string& b) {
  Parallel parallel(1);
  const std::vector<std::string> terms = {a, b};
  return TermDistances::OfNetwork(network, terms, 50, parallel).Steps(0, 1);
}

TEST(WordNet, HasWordsBelowTheSynsetOfTheirFirstSense) {
  const auto network = Parse(Tiny());
  ASSERT_TRUE(network.ok()) << network.error().message;
  EXPECT_EQ(network->place_count(), 4U + 6U);
  EXPECT_EQ(network->word_count(), 6U);
  EXPECT_EQ(Steps(*network, "dog", "domestic dog"), 2U);
  EXPECT_EQ(Steps(*network, "pet", "domestic animal"), 2U);
  EXPECT_EQ(Steps(*network, "pet", "dog"), 3U);
  EXPECT_EQ(Steps(*network, "dog", "entity"), 4U);
  EXPECT_EQ(network->Find("Domestic animal"), std::nullopt);
  EXPECT_EQ(network->exceptions().at("puppies"), "dog");
  EXPECT_EQ(network->exceptions().at("hot dogs"), "hot dog");
}

TEST(WordNet, TakesInstancesForOneStepLikeKinds) {
  const auto network = Parse(Tiny());
  ASSERT_TRUE(network.ok());
  EXPECT_EQ(Steps(*network, "lassie", "dog"), 3U);
  EXPECT_EQ(Steps(*network, "lassie", "entity"), 3U);
}

TEST(WordNet, KnowsNamesFirstHypernymsAndSenses) {
  const auto nouns = ParseWordNet(Tiny(), "wn");
  ASSERT_TRUE(nouns.ok());
  ASSERT_EQ(nouns->synsets.size(), 4U);
  EXPECT_EQ(nouns->synsets[0].name, "entity");
  EXPECT_EQ(nouns->synsets[0].hypernym, WordNetNouns::kNone);
  EXPECT_EQ(nouns->synsets[1].name, "Domestic animal");
  EXPECT_EQ(nouns->synsets[1].hypernym, 0U);
  EXPECT_EQ(nouns->synsets[3].name, "Lassie");
  EXPECT_EQ(nouns->synsets[3].sense, 1U);
  EXPECT_EQ(nouns->synsets[1].sense, 1U);
  // A kind comes before an instance.
  EXPECT_EQ(nouns->synsets[3].hypernym, 0U);
  EXPECT_EQ(nouns->words[5].text, "pet");
  EXPECT_EQ(nouns->words[5].synset, 1U);
  EXPECT_EQ(nouns->words[5].senses, 3U);
  EXPECT_EQ(nouns->words[5].met_senses, 2U);
}

TEST(WordNet, DoesNotAskForSynsetsInOrder) {
  WordNetTexts texts = Tiny();
  texts.data =
      "00000020 05 n 01 dog 0 001 @ 00000010 n 0000 |\r\n"
      "00000010 05 n 01 animal 0 000 |\r\n";
  texts.index = "dog n 1 0 1 0 00000020\r\nanimal n 1 0 1 0 00000010\r\n";
  const auto network = Parse(texts);
  ASSERT_TRUE(network.ok()) << network.error().message;
  EXPECT_EQ(Steps(*network, "dog", "animal"), 3U);
}

std::string Replaced(std::string_view text, const std::string& from, const std::string& to) {
  std::string result(text);
  const size_t at = result.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) result.replace(at, from.size(), to);
  return result;
}

void ExpectWrong(const WordNetTexts& texts, const std::string& message) {
  const auto network = Parse(texts);
  ASSERT_FALSE(network.ok()) << message;
  EXPECT_EQ(network.error().code, ErrorCode::kData);
  EXPECT_EQ(network.error().message, message);
  EXPECT_THAT(network.error().hint, HasSubstr("wndb(5)"));
}

void ExpectWrongData(const std::string& from, const std::string& to, const std::string& message) {
  WordNetTexts texts = Tiny();
  texts.data = Replaced(texts.data, from, to);
  ExpectWrong(texts, message);
}

TEST(WordNet, RefusesSynsetsThatAreNotWhole) {
  ExpectWrongData("00000020 05", "0000002x 05",
                  "wn/data.noun:4: a synset must begin with its offset, but does not");
  ExpectWrongData("05 n 02 dog", "05 v 02 dog",
                  "wn/data.noun:5: a synset must be of nouns (n), but is not");
  ExpectWrongData("n 02 dog", "n zz dog",
                  "wn/data.noun:5: a synset must say how many words it has, at least 1, but does "
                  "not");
  ExpectWrongData("n 02 dog", "n 00 dog",
                  "wn/data.noun:5: a synset must say how many words it has, at least 1, but does "
                  "not");
  ExpectWrongData(
      "n 02 dog", "n ff dog",
      "wn/data.noun:5: a synset must have as many words as it says, 255, but its line ends "
      "after 7");
  ExpectWrongData("n 02 dog", "n 01 dog",
                  "wn/data.noun:5: a synset must say how many pointers it has, but does not");
  ExpectWrongData("0 002 @ 00000020", "0 009 @ 00000020",
                  "wn/data.noun:5: a synset must have as many pointers as it says, 9, of four "
                  "parts each, but pointer 3 is not of four parts");
  ExpectWrongData("@ 00000020", "@ 00000021",
                  "wn/data.noun:5: a synset must point to synsets of the file, but one of its "
                  "pointers does not");
  ExpectWrongData("\n00000030", "\n00000020",
                  "wn/data.noun:5: a synset must have an offset of its own, but has that of "
                  "another one");
}

TEST(WordNet, RefusesWordsThatAreNotWhole) {
  const auto expect = [](const std::string& from, const std::string& to,
                         const std::string& message) {
    WordNetTexts texts = Tiny();
    texts.index = Replaced(texts.index, from, to);
    ExpectWrong(texts, message);
  };
  expect("dog n 2", "dog v 2", "wn/index.noun:2: a word must be a noun (n), but is not");
  expect("dog n 2", "dog n 0",
         "wn/index.noun:2: a word must say how many synsets, at least 1, and kinds of pointers it "
         "has, but does not");
  expect(
      "dog n 2 3", "dog n 2 9",
      "wn/index.noun:2: a word must have its 2 synsets behind its kinds of pointers, but has not");
  expect(
      "dog n 2 3", "dog n 3 3",
      "wn/index.noun:2: a word must have its 3 synsets behind its kinds of pointers, but has not");
  expect("00000030 00000040", "00000031 00000040",
         "wn/index.noun:2: a word must name synsets of data.noun, but one of them is not there");
  expect("00000030 00000040", "00000030 00000041",
         "wn/index.noun:2: a word must name synsets of data.noun, but one of them is not there");
  expect("pet n 3", "dog n 3",
         "wn/index.noun:7: a word must stand in the file once, but this one stands above, too");
}

TEST(WordNet, RefusesFilesThatHoldNothing) {
  WordNetTexts texts = Tiny();
  texts.data = "  1 A licence\n";
  ExpectWrong(texts, "wn/data.noun: must hold synsets, but holds none");
  texts = Tiny();
  texts.index.clear();
  ExpectWrong(texts, "wn/index.noun: must hold words, but holds none");
  texts = Tiny();
  texts.exceptions.clear();
  EXPECT_TRUE(Parse(texts).ok());
  texts.exceptions = "mice mouse\nfeet\n";
  ExpectWrong(texts,
              "wn/noun.exc:2: an irregular form must have its base form behind it, but has "
              "nothing");
}

class WordNetFiles : public ::testing::Test {
 protected:
  WordNetFiles() {
    std::filesystem::create_directory(folder_.path() + "/wn");
    Write("data.noun", kData);
    Write("index.noun", kIndex);
    Write("noun.exc", kExceptions);
  }

  void Write(const std::string& file, std::string_view text) const {
    std::ofstream(folder_.path() + "/wn/" + file) << text;
  }
  Policy PolicyWith(std::vector<std::string> networks) const {
    Schema schema;
    schema.classes.resize(2);
    schema.classes[0].name = "bag";
    schema.classes[0].children = {1};
    schema.classes[1].name = schema.classes[1].at = "terms";
    for (std::string& network : networks) {
      Recoding recoding;
      recoding.kind = Recoding::Kind::kNetwork;
      recoding.file = std::move(network);
      schema.classes[1].quasi.push_back({"term", recoding});
    }
    Policy policy;
    policy.file = folder_.path() + "/policy.yaml";
    policy.schema = std::make_shared<const Schema>(std::move(schema));
    return policy;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(WordNetFiles, AreFoundBesideThePolicyOrInTheSystem) {
  const auto networks = LoadNetworks(PolicyWith({"wn", "wordnet", "wn"}));
  ASSERT_TRUE(networks.ok()) << networks.error().message;
  ASSERT_EQ(networks->size(), 2U);
  EXPECT_EQ(networks->at("wn")->word_count(), 6U);
  EXPECT_GT(networks->at("wordnet")->word_count(), 100000U);
  const auto none = LoadNetworks(PolicyWith({}));
  ASSERT_TRUE(none.ok());
  EXPECT_THAT(*none, IsEmpty());
}

TEST_F(WordNetFiles, ThatAreMissingAreNamedWithTheNextStep) {
  std::filesystem::remove(folder_.path() + "/wn/noun.exc");
  const auto networks = LoadNetworks(PolicyWith({"wn"}));
  ASSERT_FALSE(networks.ok());
  EXPECT_EQ(networks.error().code, ErrorCode::kIo);
  EXPECT_THAT(networks.error().message, HasSubstr("policy.yaml: terms.term: network "));
  EXPECT_THAT(networks.error().message, HasSubstr("/wn/noun.exc"));
  EXPECT_THAT(networks.error().hint, HasSubstr("data.noun, index.noun and noun.exc"));
}

TEST_F(WordNetFiles, OfTheSystemThatAreMissingAreAPackage) {
  ASSERT_EQ(setenv("WNSEARCHDIR", "/nonexistent", 1), 0);
  const auto networks = LoadNetworks(PolicyWith({"wordnet"}));
  const auto network = ReadWordNet(WordNetFolder());
  ASSERT_EQ(unsetenv("WNSEARCHDIR"), 0);
  ASSERT_FALSE(networks.ok());
  EXPECT_EQ(networks.error().code, ErrorCode::kIo);
  EXPECT_THAT(networks.error().message, HasSubstr("/nonexistent/data.noun"));
  EXPECT_THAT(networks.error().hint, HasSubstr("apt-get install wordnet-base"));
  ASSERT_FALSE(network.ok());
  EXPECT_THAT(network.error().hint, HasSubstr("apt-get install wordnet-base"));
}

TEST_F(WordNetFiles, ThatAreBrokenAreNamedWithTheirLine) {
  Write("noun.exc", "feet\n");
  const auto networks = LoadNetworks(PolicyWith({"wn"}));
  ASSERT_FALSE(networks.ok());
  EXPECT_EQ(networks.error().code, ErrorCode::kData);
  EXPECT_THAT(networks.error().message, HasSubstr("/wn/noun.exc:1: "));
}

TEST(WordNetOfTheSystem, IsTheNetworkOfItsNouns) {
  const auto network = ReadWordNet(WordNetFolder());
  ASSERT_TRUE(network.ok()) << network.error().message << " " << network.error().hint;
  EXPECT_EQ(network->place_count() - network->word_count(), 82115U);
  EXPECT_EQ(network->word_count(), 117798U);
  EXPECT_EQ(Steps(*network, "dog", "cat"), 5U);
  EXPECT_EQ(Steps(*network, "wine", "beer"), 5U);
  EXPECT_EQ(Steps(*network, "wine", "vino"), 2U);
  EXPECT_EQ(Steps(*network, "car", "automobile"), 2U);
  const Lexicon lexicon = Lexicon::OfNetwork(std::make_shared<SemanticNetwork>(*network));
  EXPECT_EQ(lexicon.WordOf("Dogs"), "dog");
  EXPECT_EQ(lexicon.WordOf("children"), "child");
  EXPECT_EQ(lexicon.WordOf("geese"), "goose");
  EXPECT_EQ(lexicon.WordOf("hot dogs"), "hot dog");
  EXPECT_EQ(lexicon.WordOf("the"), std::nullopt);
}

}  // namespace
}  // namespace thicket::wordnet_test
