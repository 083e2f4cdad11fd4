#include "attack/bag_adversary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"

namespace thicket::bag_adversary_test {
namespace {

// Goods: alcohol (wine, vino), dairy (milk, cream), boots.
Taxonomy Goods() {
  TaxonomyBuilder builder("goods");
  const auto alcohol = builder.Add(builder.root(), "alcohol");
  builder.Add(alcohol, "wine");
  builder.Add(alcohol, "vino");
  const auto dairy = builder.Add(builder.root(), "dairy");
  builder.Add(dairy, "milk");
  builder.Add(dairy, "cream");
  builder.Add(builder.root(), "boots");
  return std::move(builder).Build();
}

class BagAdversaryTest : public ::testing::Test {
 protected:
  BagAdversaryTest() {
    pair_.taxonomy = &taxonomy_;
    pair_.domain = taxonomy_.leaf_count();
  }

  // "wine wine|vino": a label per word.
  std::vector<BagLabel> Bag(std::string_view text) {
    std::vector<BagLabel> labels;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find(' ', at), text.size());
      labels.push_back(LabelOf(text.substr(at, end - at)));
      at = end + 1;
    }
    return labels;
  }
  BagLabel LabelOf(std::string_view word) {
    if (word.find('|') == std::string_view::npos) return pair_.LabelOf(*taxonomy_.Find(word));
    std::vector<BagLabel> several;
    for (size_t at = 0; at < word.size();) {
      const size_t end = std::min(word.find('|', at), word.size());
      several.push_back(LabelOf(word.substr(at, end - at)));
      at = end + 1;
    }
    std::sort(several.begin(), several.end());
    pair_.several.push_back(several);
    return static_cast<BagLabel>(taxonomy_.node_count() + pair_.several.size() - 1);
  }
  void Original(std::initializer_list<std::string_view> bags) {
    for (const std::string_view bag : bags) pair_.original.Add(Bag(bag));
  }
  void Published(std::initializer_list<std::string_view> bags) {
    for (const std::string_view bag : bags) pair_.published.Add(Bag(bag));
  }

  BagAttackReport Attack(std::optional<uint32_t> epsilon, BagAttackOptions options,
                         std::optional<std::vector<RecordId>> link,
                         const std::vector<uint32_t>& owners = {}) {
    std::vector<Node> leaves;
    for (BagLabel term = 0; term < pair_.domain; ++term) leaves.push_back(pair_.NodeOf(term));
    Parallel parallel(1);
    std::optional<TermDistances> distances;
    if (epsilon) distances = TermDistances::OfTaxonomy(taxonomy_, leaves, *epsilon, parallel);
    BagAttackData data = {pair_, distances ? &*distances : nullptr, epsilon.value_or(0), owners,
                          std::nullopt};
    if (link) data.link = *link;
    Progress progress;
    return AttackBags(data, options, progress);
  }

  Taxonomy taxonomy_ = Goods();
  BagPair pair_;
};

TEST_F(BagAdversaryTest, OfTheOriginalFitsWhoHasAllKnownTermsAsOften) {
  Original({"wine wine", "wine vino", "wine wine milk", "boots"});
  Published({"wine", "wine", "wine", "wine"});
  const auto report = Attack(2, {.terms = 9}, std::vector<RecordId>{0, 1, 2, 3});
  EXPECT_EQ(report.original.victims, 4U);
  // Two wines have the first and the third; the others are alone.
  EXPECT_DOUBLE_EQ(report.original.mean_probability, (0.5 + 1 + 1 + 1) / 4);
  EXPECT_DOUBLE_EQ(report.original.found_share, 0.75);
  EXPECT_DOUBLE_EQ(report.published.mean_probability, 0.25);
  EXPECT_DOUBLE_EQ(report.published.worst_probability, 0.25);
  EXPECT_EQ(report.published.misled, 0U);
}

TEST_F(BagAdversaryTest, WhoKnowsAllTermsKnowsThatThereAreNoOthers) {
  Original({"wine wine", "wine vino", "wine wine milk", "boots"});
  Published({"wine", "wine", "wine boots", ""});
  const auto report = Attack(2, {}, std::vector<RecordId>{0, 1, 2, 3});
  EXPECT_DOUBLE_EQ(report.original.found_share, 1);
  // The third is taken for one of the first two, since boots are too far; the last is nobody's but an empty bag's.
  EXPECT_DOUBLE_EQ(report.published.mean_probability, (0.5 + 0.5 + 0 + 1) / 4);
  EXPECT_EQ(report.published.misled, 1U);
}

TEST_F(BagAdversaryTest, KnownTermsNeedPublishedTermsOfTheirOwn) {
  Original({"wine vino", "wine vino", "milk wine", "cream wine"});
  Published({"wine wine", "wine wine", "wine milk", "wine milk"});
  const auto report = Attack(2, {}, std::vector<RecordId>{0, 1, 2, 3});
  // Each is found in the right class, of two.
  EXPECT_DOUBLE_EQ(report.published.mean_probability, 0.5);
  EXPECT_DOUBLE_EQ(report.published.worst_probability, 0.5);
}

TEST_F(BagAdversaryTest, WhoFitsBetterElsewhereMisleads) {
  Original({"boots wine", "boots wine", "milk wine", "milk wine"});
  // Of the first two everything but the wine was left out; of the others the milk.
  Published({"milk", "milk", "wine", "wine"});
  const auto report = Attack(2, {.terms = 9}, std::vector<RecordId>{2, 3, 0, 1});
  EXPECT_DOUBLE_EQ(report.published.worst_probability, 0.5);
  // Wine fits the last class as well as milk the first: four candidates for those with milk.
  EXPECT_DOUBLE_EQ(report.published.mean_probability, (0.5 + 0.5 + 0.25 + 0.25) / 4);
  const auto wrong = Attack(2, {.terms = 9}, std::vector<RecordId>{0, 1, 2, 3});
  EXPECT_EQ(wrong.published.misled, 2U);
}

TEST_F(BagAdversaryTest, BagsOfOnePersonDoNotHideEachOther) {
  Original({"wine", "wine", "vino"});
  Published({"wine", "wine", "wine"});
  const auto report = Attack(2, {}, std::vector<RecordId>{0, 1, 2}, {7, 7, 8});
  EXPECT_DOUBLE_EQ(report.original.found_share, 1);
  EXPECT_DOUBLE_EQ(report.published.worst_probability, 2.0 / 3);
  // Without a link nobody knows, but it cannot be more.
  EXPECT_DOUBLE_EQ(Attack(2, {}, std::nullopt, {7, 7, 8}).published.worst_probability, 2.0 / 3);
}

TEST_F(BagAdversaryTest, GeneralizedTermsStandBelowALabelHoweverOftenItIsThere) {
  Original({"wine vino", "vino vino", "milk boots", "cream boots"});
  Published({"alcohol", "alcohol", "goods", "goods"});
  const auto report = Attack(std::nullopt, {.terms = 9}, std::vector<RecordId>{0, 1, 2, 3});
  // Who has wine may be anybody; who has milk is not below alcohol.
  EXPECT_DOUBLE_EQ(report.published.mean_probability, (0.25 + 0.25 + 0.5 + 0.5) / 4);
  EXPECT_EQ(report.published.misled, 0U);
}

TEST_F(BagAdversaryTest, OneOfSeveralWordsIsMeant) {
  Original({"wine", "vino", "milk", "cream"});
  Published({"wine|vino", "wine|vino", "cream|milk", "cream|milk"});
  const auto report = Attack(4, {}, std::vector<RecordId>{0, 1, 2, 3});
  EXPECT_DOUBLE_EQ(report.published.worst_probability, 0.5);
  EXPECT_DOUBLE_EQ(report.published.mean_probability, 0.5);
}

TEST_F(BagAdversaryTest, KnowsAsManyTermsAsAreAskedFor) {
  Original({"wine vino milk boots"});
  EXPECT_EQ(DrawBagKnowledge(pair_, {.terms = 2}, 0).size(), 2U);
  EXPECT_EQ(DrawBagKnowledge(pair_, {.terms = 9}, 0).size(), 4U);
  EXPECT_EQ(DrawBagKnowledge(pair_, {}, 0).size(), 4U);
}

TEST_F(BagAdversaryTest, VictimsAreBagsWithATerm) {
  Original({"wine", "", "milk", "cream"});
  Published({"wine", "milk"});
  EXPECT_EQ(Attack(2, {}, std::vector<RecordId>{0, 2}).published.victims, 3U);
  EXPECT_EQ(Attack(2, {.trials = 2}, std::vector<RecordId>{0, 2}).published.victims, 2U);
}

// The adversary by the definition: every published bag by itself, every way to pair.
struct NaiveAdversary {
  const BagPair& pair;
  std::optional<uint32_t> epsilon;

  uint32_t Steps(Node a, Node b) const {
    uint32_t steps = 0;
    while (a != b) {
      Node& deeper = pair.taxonomy->depth(a) >= pair.taxonomy->depth(b) ? a : b;
      deeper = pair.taxonomy->parent(deeper);
      ++steps;
    }
    return steps;
  }
  bool StandsFor(BagLabel label, BagLabel term) const {
    if (pair.HasSeveral(label)) {
      const auto& several = pair.SeveralOf(label);
      return std::count(several.begin(), several.end(), term) > 0;
    }
    const Node node = pair.NodeOf(label);
    const Node leaf = pair.NodeOf(term);
    if (!epsilon) return pair.taxonomy->Covers(node, leaf);
    const bool below = pair.IsTerm(label) || pair.taxonomy->Covers(node, leaf);
    return below && Steps(node, leaf) <= *epsilon;
  }
  // The most of `known` that have partners among `labels`, each its own, from the i-th on.
  size_t Most(const std::vector<BagLabel>& known, size_t i, std::vector<BagLabel> labels) const {
    if (i == known.size()) return 0;
    size_t most = Most(known, i + 1, labels);
    for (size_t j = 0; j < labels.size(); ++j) {
      if (!StandsFor(labels[j], known[i])) continue;
      std::vector<BagLabel> rest = labels;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(j));
      most = std::max(most, 1 + Most(known, i + 1, rest));
    }
    return most;
  }
  size_t Score(const std::vector<BagLabel>& known, std::span<const BagLabel> labels) const {
    if (epsilon) return Most(known, 0, {labels.begin(), labels.end()});
    return static_cast<size_t>(std::count_if(known.begin(), known.end(), [&](BagLabel term) {
      return std::any_of(labels.begin(), labels.end(),
                         [&](BagLabel label) { return StandsFor(label, term); });
    }));
  }
  std::vector<size_t> Candidates(const std::vector<BagLabel>& known, bool complete) const {
    std::vector<size_t> best;
    size_t most = 0;
    for (size_t bag = 0; bag < pair.published.size(); ++bag) {
      if (complete && !CouldBe(pair.published.labels(bag), known)) continue;
      const size_t score = Score(known, pair.published.labels(bag));
      if (score > most) best.clear();
      if (score >= most) best.push_back(bag);
      most = std::max(most, score);
    }
    return best;
  }
  // Whether the published bag could be that of the original: each label has a term of its own.
  bool CouldBe(std::span<const BagLabel> labels, std::vector<BagLabel> terms, size_t i = 0) const {
    if (i == labels.size()) return true;
    for (size_t j = 0; j < terms.size(); ++j) {
      if (!StandsFor(labels[i], terms[j])) continue;
      std::vector<BagLabel> rest = terms;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(j));
      if (CouldBe(labels, rest, i + 1)) return true;
    }
    return false;
  }
};

RC_GTEST_PROP(BagAdversaryPropertyTest, AgreesWithTheDefinition, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const Taxonomy taxonomy = Goods();
  BagPair pair;
  pair.taxonomy = &taxonomy;
  pair.domain = taxonomy.leaf_count();
  pair.several = {{0, 1}, {1, 4}};
  const bool with_epsilon = random.Below(3) > 0;
  std::optional<uint32_t> epsilon;
  if (with_epsilon) epsilon = static_cast<uint32_t>(random.Below(5));
  const size_t labels = taxonomy.node_count() + pair.several.size();
  const size_t originals = 2 + random.Below(5);
  std::vector<uint32_t> owners;
  for (size_t i = 0; i < originals; ++i) {
    std::vector<BagLabel> terms;
    for (size_t j = random.Below(4); j > 0; --j) {
      terms.push_back(static_cast<BagLabel>(random.Below(taxonomy.leaf_count())));
    }
    pair.original.Add(terms);
    owners.push_back(static_cast<uint32_t>(random.Below(3)));
  }
  std::vector<RecordId> link(originals);
  for (RecordId i = 0; i < originals; ++i) link[i] = i;
  random.Shuffle(link);
  link.resize(1 + random.Below(originals));
  std::vector<std::vector<BagLabel>> kinds(1 + random.Below(3));
  for (auto& kind : kinds) {
    for (size_t j = random.Below(4); j > 0; --j) {
      kind.push_back(static_cast<BagLabel>(random.Below(labels)));
    }
  }
  for (size_t i = 0; i < link.size(); ++i) pair.published.Add(kinds[random.Below(kinds.size())]);

  std::vector<Node> leaves;
  for (BagLabel term = 0; term < pair.domain; ++term) leaves.push_back(pair.NodeOf(term));
  Parallel parallel(1);
  std::optional<TermDistances> distances;
  if (epsilon) distances = TermDistances::OfTaxonomy(taxonomy, leaves, *epsilon, parallel);
  BagAttackOptions options{.seed = seed};
  if (random.Below(2) == 0) options.terms = static_cast<uint32_t>(1 + random.Below(3));
  const bool linked = random.Below(2) == 0;
  BagAttackData data = {pair, distances ? &*distances : nullptr, epsilon.value_or(0), owners,
                        std::nullopt};
  if (linked) data.link = link;
  Progress progress;
  const BagAttackReport report = AttackBags(data, options, progress);

  const NaiveAdversary naive = {pair, epsilon};
  size_t victims = 0;
  double sum = 0;
  double worst = 0;
  size_t misled = 0;
  double sum_before = 0;
  for (size_t victim = 0; victim < originals; ++victim) {
    if (pair.original.labels(victim).empty()) continue;
    ++victims;
    const std::vector<BagLabel> known = DrawBagKnowledge(pair, options, victim);
    const std::vector<size_t> candidates = naive.Candidates(known, !options.terms);
    double own = 0;
    for (size_t bag = 0; bag < originals; ++bag) {
      if (owners[bag] != owners[victim]) continue;
      own += std::any_of(candidates.begin(), candidates.end(), [&](size_t candidate) {
        if (linked) return link[candidate] == bag;
        const auto terms = pair.original.labels(bag);
        return naive.Score(known, pair.published.labels(candidate)) == 0 ||
               naive.CouldBe(pair.published.labels(candidate), {terms.begin(), terms.end()});
      });
    }
    const double chance =
        candidates.empty() ? 0 : std::min(1.0, own / static_cast<double>(candidates.size()));
    sum += chance;
    worst = std::max(worst, chance);
    if (chance == 0) ++misled;
    double all_before = 0;
    double own_before = 0;
    for (size_t bag = 0; bag < originals; ++bag) {
      std::map<BagLabel, int> need;
      for (const BagLabel term : known) ++need[term];
      for (const BagLabel term : pair.original.labels(bag)) --need[term];
      const bool complete = !options.terms;
      if (std::any_of(need.begin(), need.end(),
                      [&](const auto& n) { return n.second > 0 || (complete && n.second < 0); })) {
        continue;
      }
      ++all_before;
      if (owners[bag] == owners[victim]) ++own_before;
    }
    sum_before += own_before / all_before;
  }
  RC_ASSERT(report.published.victims == victims);
  if (victims == 0) return;
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
  RC_ASSERT(near(report.published.mean_probability, sum / static_cast<double>(victims)));
  RC_ASSERT(near(report.published.worst_probability, worst));
  RC_ASSERT(report.published.misled == misled);
  RC_ASSERT(near(report.original.mean_probability, sum_before / static_cast<double>(victims)));
}

}  // namespace
}  // namespace thicket::bag_adversary_test
