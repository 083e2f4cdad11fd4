#include "generate/query_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/wordnet/wordnet_reader.h"
#include "taxonomy/lexicon.h"
#include "taxonomy/taxonomy_file.h"

namespace thicket::query_words_test {
namespace {

WordNetNouns Tiny() {
  WordNetNouns nouns;
  nouns.synsets = {{.name = "entity", .sense = 1},
                   {.name = "pet", .sense = 2, .hypernym = 0},
                   {.name = "dog", .sense = 1, .hypernym = 1},
                   {.name = "Dog", .sense = 1, .hypernym = 1},
                   {.name = "loop", .sense = 1, .hypernym = 5},
                   {.name = "pool", .sense = 1, .hypernym = 4}};
  for (uint32_t i = 1; i < nouns.synsets.size(); ++i) {
    nouns.links.emplace_back(i, nouns.synsets[i].hypernym);
  }
  const auto add = [&](const std::string& text, uint32_t synset, uint32_t senses, uint32_t met) {
    nouns.words.push_back({.text = text, .synset = synset, .senses = senses, .met_senses = met});
  };
  add("city", 1, 1, 0);
  add("dog", 2, 3, 0);
  add("hound", 3, 1, 2);
  add("hounds", 3, 1, 0);
  add("thing", 0, 1, 1);
  add("hot dog", 2, 9, 9);
  add("ox", 2, 9, 9);
  add("loop", 4, 2, 0);
  return nouns;
}

std::vector<std::string> WordsOf(const QueryWords& words) {
  std::vector<std::string> texts;
  for (uint32_t rank = 0; rank < words.size(); ++rank) texts.push_back(words.word(rank));
  return texts;
}

TEST(QueryWords, AreNounsOfOnePartByHowCommonTheyAre) {
  const auto words = QueryWords::From(Tiny(), "wn");
  ASSERT_TRUE(words.ok());
  std::vector<std::string> texts = WordsOf(*words);
  ASSERT_EQ(texts.size(), 6U);
  EXPECT_EQ(texts[0], "hound");
  EXPECT_EQ(texts[1], "thing");
  EXPECT_EQ(texts[2], "dog");
  EXPECT_EQ(texts[3], "loop");
  std::sort(texts.begin() + 4, texts.end());
  EXPECT_EQ(texts[4], "city");
  EXPECT_EQ(texts[5], "hounds");
}

TEST(QueryWords, HavePluralsThatAreNoWordsOfTheirOwn) {
  const auto words = QueryWords::From(Tiny(), "wn");
  ASSERT_TRUE(words.ok());
  for (uint32_t rank = 0; rank < words->size(); ++rank) {
    const std::string& text = words->word(rank);
    const std::string expected = text == "hound" ? "" : text == "city" ? "cities" : text + "s";
    EXPECT_EQ(words->plural(rank), text == "hounds" ? "houndses" : expected);
  }
}

// A loop among synsets, which WordNet does not have, is cut.
TEST(QueryWords, StandInATreeOfTheirSynsets) {
  const auto words = QueryWords::From(Tiny(), "wn");
  ASSERT_TRUE(words.ok());
  std::vector<bool> ranks(words->size(), true);
  for (uint32_t rank = 0; rank < words->size(); ++rank) {
    if (words->word(rank) == "city" || words->word(rank) == "hounds") ranks[rank] = false;
  }
  EXPECT_EQ(FormatTaxonomy(words->TreeOf(ranks)),
            "hound;Dog#1;pet#2;*\n"
            "thing;*\n"
            "dog;dog#1;pet#2;*\n"
            "loop;loop#1;pool#1;*\n");
}

TEST(QueryWords, OfTheSystemAreNearOthersAndHaveATree) {
  const auto words = QueryWords::Load(nullptr);
  ASSERT_TRUE(words.ok()) << words.error().message;
  EXPECT_GT(words->size(), 20'000U);
  const auto network = ReadWordNet(WordNetFolder());
  ASSERT_TRUE(network.ok());
  const Lexicon lexicon = Lexicon::OfNetwork(std::make_shared<SemanticNetwork>(*network));
  size_t plurals = 0;
  size_t with_near = 0;
  for (uint32_t rank = 0; rank < words->size(); ++rank) {
    EXPECT_EQ(words->NearTo(rank).front().term, rank);
    if (words->NearTo(rank).size() > 1) ++with_near;
    if (words->plural(rank).empty()) continue;
    ++plurals;
    EXPECT_EQ(lexicon.WordOf(words->plural(rank)), words->word(rank));
  }
  EXPECT_GT(plurals, words->size() * 9 / 10);
  EXPECT_GT(with_near, words->size() * 8 / 10);

  const Taxonomy tree = words->TreeOf(std::vector<bool>(words->size(), true));
  EXPECT_EQ(tree.leaf_count(), words->size());
  const auto again = ParseTaxonomy(FormatTaxonomy(tree), "term.csv");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->node_count(), tree.node_count());
  const auto parent = [&](const std::string& label) {
    return tree.label(tree.parent(tree.Find(label).value()));
  };
  EXPECT_EQ(parent("dog"), "dog#1");
  EXPECT_EQ(parent("dog#1"), "canine#2");
  EXPECT_EQ(parent("physical entity#1"), "*");
}

}  // namespace
}  // namespace thicket::query_words_test
