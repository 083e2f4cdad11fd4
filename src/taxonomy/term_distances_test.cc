#include "taxonomy/term_distances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/stop.h"
#include "testing/cases.h"

namespace thicket::term_distances_test {
namespace {

using ::testing::ElementsAre;
using Near = TermDistances::Near;
using Place = SemanticNetwork::Place;

// The taxonomy of Fig. 5.2(a) of Liu 2010.
Taxonomy Goods() {
  TaxonomyBuilder builder("Goods");
  const auto add = [&](const std::string& parent, const std::string& label) {
    builder.Add(*builder.Find(parent), label);
  };
  for (const auto& [parent, label] :
       std::vector<std::pair<std::string, std::string>>{{"Goods", "Edibles"},
                                                        {"Goods", "Clothing"},
                                                        {"Edibles", "Alcohol"},
                                                        {"Edibles", "Milk"},
                                                        {"Alcohol", "Wine"},
                                                        {"Alcohol", "Vino"},
                                                        {"Milk", "Raw-milk"},
                                                        {"Milk", "Homo-milk"},
                                                        {"Clothing", "Outwear"},
                                                        {"Clothing", "Footwear"},
                                                        {"Outwear", "Jackets"},
                                                        {"Outwear", "Pants"},
                                                        {"Footwear", "Boots"},
                                                        {"Footwear", "Shoes"}}) {
    add(parent, label);
  }
  return std::move(builder).Build();
}

std::vector<Near> ListOf(const TermDistances& distances, uint32_t term) {
  const auto near = distances.NearTo(term);
  return {near.begin(), near.end()};
}

// Example 5.4.
TEST(TermDistances, OfATaxonomyAreEdgesBetweenLeaves) {
  const Taxonomy goods = Goods();
  const std::vector<Node> leaves = {*goods.Find("Jackets"), *goods.Find("Wine"),
                                    *goods.Find("Vino"), *goods.Find("Raw-milk")};
  Parallel parallel(2);
  const TermDistances all = TermDistances::OfTaxonomy(goods, leaves, 6, parallel);
  EXPECT_EQ(all.Steps(1, 2), 2U);
  EXPECT_EQ(all.Steps(1, 0), 6U);
  EXPECT_EQ(all.Steps(1, 3), 4U);
  EXPECT_EQ(all.Steps(1, 1), 0U);
  const TermDistances near = TermDistances::OfTaxonomy(goods, leaves, 4, parallel);
  EXPECT_EQ(near.Steps(1, 0), std::nullopt);
  EXPECT_THAT(ListOf(near, 2), ElementsAre(Near{2, 0}, Near{1, 2}, Near{3, 4}));
  EXPECT_THAT(ListOf(near, 0), ElementsAre(Near{0, 0}));
}

TEST(TermDistances, OfATaxonomyMayBeOfInnerNodes) {
  const Taxonomy goods = Goods();
  const std::vector<Node> nodes = {*goods.Find("Goods"), *goods.Find("Outwear"),
                                   *goods.Find("Jackets")};
  Parallel parallel(1);
  const TermDistances distances = TermDistances::OfTaxonomy(goods, nodes, 9, parallel);
  EXPECT_EQ(distances.Steps(0, 2), 3U);
  EXPECT_EQ(distances.Steps(2, 1), 1U);
}

TEST(TermDistances, OfAWordThatTheNetworkDoesNotHaveIsNearItselfOnly) {
  SemanticNetworkBuilder builder;
  const Place pet = builder.AddConcept();
  builder.Link(pet, builder.AddWord("dog"));
  builder.Link(pet, builder.AddWord("cat"));
  const SemanticNetwork network = std::move(builder).Build();
  Parallel parallel(1);
  const std::vector<std::string> terms = {"cat", "zzz", "dog"};
  const TermDistances distances = TermDistances::OfNetwork(network, terms, 5, parallel);
  EXPECT_THAT(ListOf(distances, 0), ElementsAre(Near{0, 0}, Near{2, 2}));
  EXPECT_THAT(ListOf(distances, 1), ElementsAre(Near{1, 0}));
  EXPECT_EQ(distances.Steps(1, 1), 0U);
  EXPECT_EQ(distances.Steps(1, 0), std::nullopt);
  EXPECT_EQ(TermDistances::OfNetwork(network, {}, 5, parallel).term_count(), 0U);
}

TEST(TermDistances, FromListsAreTheLists) {
  const TermDistances distances =
      TermDistances::FromLists({{{0, 0}, {2, 3}, {1, 3}}, {{0, 3}, {1, 0}}, {{2, 0}, {0, 3}}});
  EXPECT_THAT(ListOf(distances, 0), ElementsAre(Near{0, 0}, Near{1, 3}, Near{2, 3}));
  EXPECT_EQ(distances.Steps(1, 0), 3U);
  EXPECT_EQ(distances.Steps(1, 2), std::nullopt);
}

// More steps than a byte has.
TEST(TermDistances, OfALongChainAreRight) {
  SemanticNetworkBuilder builder;
  std::vector<std::string> terms;
  for (int i = 0; i < 600; ++i) {
    terms.push_back(std::to_string(i));
    const Place place = builder.AddWord(terms.back());
    if (i > 0) builder.Link(place, place - 1);
  }
  const SemanticNetwork network = std::move(builder).Build();
  Parallel parallel(2);
  for (const uint32_t epsilon : {253U, 254U, 255U, 256U, 300U}) {
    const TermDistances distances = TermDistances::OfNetwork(network, terms, epsilon, parallel);
    for (uint32_t a = 0; a < 600; a += 53) {
      for (uint32_t b = 0; b < 600; ++b) {
        const uint32_t steps = a < b ? b - a : a - b;
        ASSERT_EQ(distances.Steps(a, b),
                  steps <= epsilon ? std::optional<uint32_t>(steps) : std::nullopt);
      }
    }
  }
}

// What a distance is: the first round of neighbours' neighbours that has the place. Shares nothing with the search.
std::map<Place, uint32_t> Rounds(const std::map<Place, std::set<Place>>& links, Place from) {
  std::map<Place, uint32_t> rounds = {{from, 0}};
  for (uint32_t round = 1;; ++round) {
    std::set<Place> reached;
    for (const auto& [place, before] : rounds) {
      const auto others = links.find(place);
      if (others != links.end()) reached.insert(others->second.begin(), others->second.end());
    }
    const size_t size = rounds.size();
    for (const Place place : reached) rounds.emplace(place, round);
    if (rounds.size() == size) return rounds;
  }
}

void ExpectDistances(const TermDistances& distances,
                     const std::vector<std::map<uint32_t, uint32_t>>& expected, uint32_t epsilon) {
  ASSERT_EQ(distances.term_count(), expected.size());
  for (uint32_t a = 0; a < expected.size(); ++a) {
    std::vector<Near> list;
    for (uint32_t steps = 0; steps <= epsilon; ++steps) {
      for (const auto& [b, apart] : expected[a]) {
        if (apart == steps) list.push_back({b, apart});
      }
    }
    EXPECT_EQ(ListOf(distances, a), list);
    for (uint32_t b = 0; b < expected.size(); ++b) {
      const auto at = expected[a].find(b);
      const bool near = at != expected[a].end() && at->second <= epsilon;
      EXPECT_EQ(distances.Steps(a, b), near ? std::optional(at->second) : std::nullopt);
    }
  }
}

TEST(TermDistances, OfANetworkAreItsShortestPaths) {
  for (uint64_t seed = 0; seed < Cases(150); ++seed) {
    Random random = Random::Seeded(seed);
    SemanticNetworkBuilder builder;
    std::map<Place, std::set<Place>> links;
    std::vector<std::pair<std::string, std::optional<Place>>> words;
    // From a few places to enough for hash tables beside rows of bytes.
    const auto places = static_cast<Place>(1 + random.Below(seed % 15 == 0 ? 250 : 40));
    for (Place place = 0; place < places; ++place) {
      if (random.Below(3) == 0) {
        builder.AddConcept();
        continue;
      }
      const std::string word = "w" + std::to_string(place);
      builder.AddWord(word);
      if (random.Below(4) != 0) words.emplace_back(word, place);
    }
    const uint64_t link_count = random.Below(2 * uint64_t{places});
    for (uint64_t i = 0; i < link_count; ++i) {
      const auto a = static_cast<Place>(random.Below(places));
      const auto b = static_cast<Place>(random.Below(places));
      builder.Link(a, b);
      links[a].insert(b);
      links[b].insert(a);
    }
    words.emplace_back("unknown", std::nullopt);
    random.Shuffle(words);
    std::vector<std::string> terms;
    terms.reserve(words.size());
    std::map<Place, uint32_t> term_at;
    for (const auto& [word, place] : words) {
      if (place) term_at[*place] = static_cast<uint32_t>(terms.size());
      terms.push_back(word);
    }
    std::vector<std::map<uint32_t, uint32_t>> expected(terms.size());
    for (uint32_t term = 0; term < terms.size(); ++term) {
      expected[term][term] = 0;
      if (!words[term].second) continue;
      for (const auto& [place, steps] : Rounds(links, *words[term].second)) {
        const auto other = term_at.find(place);
        if (other != term_at.end()) expected[term][other->second] = steps;
      }
    }
    const SemanticNetwork network = std::move(builder).Build();
    const auto epsilon = static_cast<uint32_t>(random.Below(8));
    for (const int threads : {1, 3}) {
      Parallel parallel(threads);
      ExpectDistances(TermDistances::OfNetwork(network, terms, epsilon, parallel), expected,
                      epsilon);
    }
  }
}

TEST(TermDistances, OfATaxonomyAreWalksUpAndDown) {
  for (uint64_t seed = 0; seed < Cases(100); ++seed) {
    Random random = Random::Seeded(seed);
    TaxonomyBuilder builder;
    const uint64_t nodes = 2 + random.Below(60);
    while (builder.size() < nodes) {
      builder.Add(static_cast<uint32_t>(random.Below(builder.size())),
                  std::to_string(builder.size()));
    }
    const Taxonomy taxonomy = std::move(builder).Build();
    std::vector<Node> leaves;
    for (Node leaf = taxonomy.first_leaf(); leaf < taxonomy.node_count(); ++leaf) {
      if (random.Below(4) != 0) leaves.push_back(leaf);
    }
    random.Shuffle(leaves);
    std::vector<std::map<uint32_t, uint32_t>> expected(leaves.size());
    for (uint32_t a = 0; a < leaves.size(); ++a) {
      for (uint32_t b = 0; b < leaves.size(); ++b) {
        const Node meet = taxonomy.Lca(leaves[a], leaves[b]);
        expected[a][b] =
            taxonomy.depth(leaves[a]) + taxonomy.depth(leaves[b]) - 2 * taxonomy.depth(meet);
      }
    }
    const auto epsilon = static_cast<uint32_t>(random.Below(10));
    Parallel parallel(2);
    ExpectDistances(TermDistances::OfTaxonomy(taxonomy, leaves, epsilon, parallel), expected,
                    epsilon);
  }
}

// A balanced tree of words, all of which are terms.
SemanticNetwork TreeOfWords(uint32_t words, std::vector<std::string>& terms) {
  SemanticNetworkBuilder builder;
  for (uint32_t i = 0; i < words; ++i) {
    terms.push_back(std::to_string(i));
    const Place place = builder.AddWord(terms.back());
    if (i > 0) builder.Link(place, (i - 1) / 4);
  }
  return std::move(builder).Build();
}

TEST(TermDistances, EstimateWhatTheyHold) {
  std::vector<std::string> terms;
  const SemanticNetwork network = TreeOfWords(5000, terms);
  Parallel parallel(2);
  for (const uint32_t epsilon : {0U, 2U, 4U, 8U}) {
    const auto held =
        static_cast<double>(TermDistances::OfNetwork(network, terms, epsilon, parallel).bytes());
    const auto estimated =
        static_cast<double>(TermDistances::EstimateBytes(network, terms, epsilon));
    EXPECT_GT(estimated, 0.7 * held) << epsilon;
    EXPECT_LT(estimated, 1.4 * held) << epsilon;
  }
  EXPECT_EQ(TermDistances::EstimateBytes(network, {}, 4), 0U);
}

TEST(TermDistances, StopWhenTheUserWants) {
  std::vector<std::string> terms;
  const SemanticNetwork network = TreeOfWords(500, terms);
  Parallel parallel(2);
  Progress progress;
  progress.Cancel();
  const StopScope scope(&progress.flag());
  EXPECT_THROW(TermDistances::OfNetwork(network, terms, 4, parallel), StopRequest);
}

}  // namespace
}  // namespace thicket::term_distances_test
