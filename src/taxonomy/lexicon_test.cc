#include "taxonomy/lexicon.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thicket::lexicon_test {
namespace {

std::shared_ptr<const SemanticNetwork> NetworkOf(const std::vector<std::string>& words) {
  SemanticNetworkBuilder builder;
  for (const std::string& word : words) builder.AddWord(word);
  builder.AddException("children", "child");
  builder.AddException("mice", "mouse");
  builder.AddException("feet", "foot");
  return std::make_shared<SemanticNetwork>(std::move(builder).Build());
}

TEST(Lexicon, FindsATermWhateverItsLetterCase) {
  const Lexicon lexicon = Lexicon::OfNetwork(NetworkOf({"dog", "hot dog"}));
  EXPECT_EQ(lexicon.WordOf("dog"), "dog");
  EXPECT_EQ(lexicon.WordOf("DoG"), "dog");
  EXPECT_EQ(lexicon.WordOf("Hot Dog"), "hot dog");
  EXPECT_EQ(lexicon.WordOf(" Dogs\n"), "dog");
  EXPECT_EQ(lexicon.WordOf("cat"), std::nullopt);
  EXPECT_EQ(lexicon.WordOf(""), std::nullopt);
}

TEST(Lexicon, TakesEndingsOff) {
  const Lexicon lexicon = Lexicon::OfNetwork(
      NetworkOf({"dog", "bus", "box", "waltz", "church", "dish", "fireman", "city"}));
  EXPECT_EQ(lexicon.WordOf("Dogs"), "dog");
  EXPECT_EQ(lexicon.WordOf("buses"), "bus");
  EXPECT_EQ(lexicon.WordOf("boxes"), "box");
  EXPECT_EQ(lexicon.WordOf("waltzes"), "waltz");
  EXPECT_EQ(lexicon.WordOf("churches"), "church");
  EXPECT_EQ(lexicon.WordOf("dishes"), "dish");
  EXPECT_EQ(lexicon.WordOf("firemen"), "fireman");
  EXPECT_EQ(lexicon.WordOf("Cities"), "city");
  EXPECT_EQ(lexicon.WordOf("dogss"), std::nullopt);
  EXPECT_EQ(lexicon.WordOf("cats"), std::nullopt);
}

// "houses" is a house, not a hous; "axes" with an axe and an ax is an axe.
TEST(Lexicon, TriesTheShortestEndingFirst) {
  const Lexicon lexicon = Lexicon::OfNetwork(NetworkOf({"house", "hous", "axe", "ax"}));
  EXPECT_EQ(lexicon.WordOf("houses"), "house");
  EXPECT_EQ(lexicon.WordOf("axes"), "axe");
}

TEST(Lexicon, TakesAWordForItselfBeforeItsEndingsOrIrregularForms) {
  const Lexicon lexicon =
      Lexicon::OfNetwork(NetworkOf({"glasses", "glass", "children", "child", "mouse"}));
  EXPECT_EQ(lexicon.WordOf("glasses"), "glasses");
  EXPECT_EQ(lexicon.WordOf("children"), "children");
  EXPECT_EQ(lexicon.WordOf("Mice"), "mouse");
}

TEST(Lexicon, LeavesOutIrregularFormsOfUnknownWords) {
  const Lexicon lexicon = Lexicon::OfNetwork(NetworkOf({"dog"}));
  EXPECT_EQ(lexicon.WordOf("feet"), std::nullopt);
}

TEST(Lexicon, TakesNoEndingOffShortWordsAndThoseInDoubleS) {
  const Lexicon lexicon = Lexicon::OfNetwork(NetworkOf({"a", "glas", "ga"}));
  EXPECT_EQ(lexicon.WordOf("as"), std::nullopt);
  EXPECT_EQ(lexicon.WordOf("glass"), std::nullopt);
  EXPECT_EQ(lexicon.WordOf("gas"), "ga");
}

TEST(Lexicon, FindsLeavesOfATaxonomyAsTheTaxonomyWritesThem) {
  TaxonomyBuilder builder("Goods");
  const auto outwear = builder.Add(builder.root(), "Outwear");
  builder.Add(outwear, "Jackets");
  builder.Add(outwear, "Scarf");
  builder.Add(builder.root(), "SCARF");
  const Taxonomy taxonomy = std::move(builder).Build();
  const Lexicon lexicon = Lexicon::OfTaxonomy(taxonomy);
  EXPECT_EQ(lexicon.WordOf("jackets"), "Jackets");
  EXPECT_EQ(lexicon.WordOf("jacket"), std::nullopt);
  EXPECT_EQ(lexicon.WordOf("SCARF"), "SCARF");
  EXPECT_EQ(lexicon.WordOf("Scarf"), "Scarf");
  EXPECT_EQ(lexicon.WordOf("scarfs"), lexicon.WordOf("scarf"));
  EXPECT_EQ(lexicon.WordOf("Outwear"), std::nullopt);
  EXPECT_EQ(lexicon.WordOf("Goods"), std::nullopt);
}

}  // namespace
}  // namespace thicket::lexicon_test
