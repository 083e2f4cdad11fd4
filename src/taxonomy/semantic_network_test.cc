#include "taxonomy/semantic_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "base/random.h"
#include "testing/cases.h"

namespace thicket::semantic_network_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Place = SemanticNetwork::Place;

TEST(SemanticNetwork, HasWordsConceptsAndLinksInBothDirections) {
  SemanticNetworkBuilder builder;
  const Place pet = builder.AddConcept();
  const Place dog = builder.AddWord("dog");
  const Place cat = builder.AddWord("house cat");
  builder.Link(cat, pet);
  builder.Link(pet, dog);
  const SemanticNetwork network = std::move(builder).Build();
  EXPECT_EQ(network.place_count(), 3U);
  EXPECT_EQ(network.word_count(), 2U);
  EXPECT_FALSE(network.IsWord(pet));
  EXPECT_TRUE(network.IsWord(dog));
  EXPECT_EQ(network.word(cat), "house cat");
  EXPECT_EQ(network.word(pet), "");
  EXPECT_EQ(network.Find("dog"), dog);
  EXPECT_EQ(network.Find("Dog"), std::nullopt);
  EXPECT_EQ(network.Find(""), std::nullopt);
  EXPECT_THAT(network.Neighbours(pet), ElementsAre(dog, cat));
  EXPECT_THAT(network.Neighbours(dog), ElementsAre(pet));
}

TEST(SemanticNetwork, HasNothingTwice) {
  SemanticNetworkBuilder builder;
  const Place dog = builder.AddWord("dog");
  EXPECT_EQ(builder.AddWord("dog"), dog);
  const Place pet = builder.AddConcept();
  builder.Link(dog, pet);
  builder.Link(pet, dog);
  builder.Link(dog, dog);
  builder.AddException("axes", "axe");
  builder.AddException("axes", "axis");
  const SemanticNetwork network = std::move(builder).Build();
  EXPECT_EQ(network.word_count(), 1U);
  EXPECT_THAT(network.Neighbours(dog), ElementsAre(pet));
  EXPECT_EQ(network.exceptions().at("axes"), "axe");
}

TEST(SemanticNetwork, MayBeEmpty) {
  const SemanticNetwork network = SemanticNetworkBuilder().Build();
  EXPECT_EQ(network.place_count(), 0U);
  EXPECT_EQ(network.Find("dog"), std::nullopt);
  EXPECT_THAT(network.exceptions(), IsEmpty());
}

TEST(SemanticNetwork, HasWhatWasPutIn) {
  for (uint64_t seed = 0; seed < Cases(50); ++seed) {
    Random random = Random::Seeded(seed);
    SemanticNetworkBuilder builder;
    std::map<std::string, Place> words;
    std::map<Place, std::set<Place>> neighbours;
    const uint64_t places = 1 + random.Below(200);
    while (neighbours.size() < places) {
      if (random.Below(2) == 0) {
        neighbours[builder.AddConcept()];
        continue;
      }
      const std::string word = "w" + std::to_string(random.Below(1000));
      const Place place = builder.AddWord(word);
      EXPECT_EQ(words.emplace(word, place).first->second, place);
      neighbours[place];
    }
    for (uint64_t links = random.Below(400); links > 0; --links) {
      const auto a = static_cast<Place>(random.Below(places));
      const auto b = static_cast<Place>(random.Below(places));
      builder.Link(a, b);
      if (a == b) continue;
      neighbours[a].insert(b);
      neighbours[b].insert(a);
    }
    const SemanticNetwork network = std::move(builder).Build();
    ASSERT_EQ(network.place_count(), places);
    EXPECT_EQ(network.word_count(), words.size());
    for (const auto& [place, expected] : neighbours) {
      const auto found = network.Neighbours(place);
      EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
    }
    for (int word = 0; word < 1000; ++word) {
      const std::string text = "w" + std::to_string(word);
      const auto known = words.find(text);
      const auto found = network.Find(text);
      ASSERT_EQ(found.has_value(), known != words.end()) << text;
      if (!found) continue;
      EXPECT_EQ(*found, known->second);
      EXPECT_EQ(network.word(*found), text);
    }
  }
}

}  // namespace
}  // namespace thicket::semantic_network_test
