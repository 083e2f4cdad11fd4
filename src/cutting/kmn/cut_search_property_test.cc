// The cut search against one written straight from the paper: every cut, every combination, on explicit trees.
#include "cutting/kmn/cut_search.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "cutting/kmn/cut_examiner.h"
#include "cutting/kmn/recode.h"
#include "testing/literal_cut_search.h"
#include "testing/random_cut_data.h"

namespace thicket::cut_search_property_test {
namespace {

using testing::LiteralCut;
using testing::LiteralCutSearch;
using testing::LiteralFacts;
using testing::LiteralLabels;
using testing::LiteralOutcome;
using testing::LiteralRecords;
using testing::RandomCutData;

constexpr std::array kCosts = {CutCost::kRpd, CutCost::kSynopsis, CutCost::kLabels, CutCost::kLoss};

// Random data, random limits, and what becomes of every cut.
class Case {
 public:
  explicit Case(uint64_t seed) : Case(Random::Seeded(seed)) {}

  CutSearchOptions Options(CutMethod method, CutCost cost) const {
    CutSearchOptions options;
    options.method = method;
    options.cost = cost;
    options.limits = limits;
    options.g = 1000000;
    options.patience = 1000000;
    return options;
  }

  CutSolution Search(const CutSearchOptions& options, int threads = 1) const {
    Parallel parallel(threads);
    Progress progress;
    Result<std::optional<CutSolution>> found =
        SearchCut(items, shapes, options, parallel, progress);
    RC_ASSERT(found.ok());
    RC_ASSERT(found->has_value());
    return std::move(**found);
  }

  const LiteralOutcome& OutcomeOf(const CutSolution& found) const {
    return outcomes.at(LiteralCut(found.labels.begin(), found.labels.end()));
  }

  // The least cost of all cuts that may be published.
  double LeastCost(CutCost cost) const {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [cut, outcome] : outcomes) {
      if (!outcome.has_rare_labels) least = std::min(least, CostOf(outcome, cost));
    }
    return least;
  }
  // Leaving everything out is the last resort, whatever the cost is measured by.
  double CostOf(const LiteralOutcome& outcome, CutCost cost) const {
    const bool shows_any = std::any_of(outcome.cut.begin(), outcome.cut.end(),
                                       [&](Item label) { return !items.is_left_out(label); });
    if (!shows_any) return std::numeric_limits<double>::infinity();
    return cost == CutCost::kRpd      ? outcome.rpd
           : cost == CutCost::kLabels ? outcome.rpd_of_labels
           : cost == CutCost::kLoss   ? outcome.loss
                                      : outcome.rpd_a;
  }
  size_t ValidCuts() const {
    return static_cast<size_t>(
        std::count_if(outcomes.begin(), outcomes.end(),
                      [](const auto& entry) { return !entry.second.has_rare_labels; }));
  }

  KnowledgeLimits limits;
  EncodedDataset data;
  ItemHierarchy items;
  Shapes shapes;
  LiteralCutSearch literal;
  std::map<LiteralCut, LiteralOutcome> outcomes;

 private:
  explicit Case(Random random)
      : limits(RandomLimits(random)),
        data(RandomCutData(random, limits.m > 3 ? 150 : 500).Make()),
        items(data),
        shapes(Shapes::Of(items, data)),
        literal(items, data, limits) {
    const bool or_left_out = literal.Try(literal.Roots()).has_rare_labels;
    for (const LiteralCut& cut : literal.Cuts(or_left_out)) outcomes[cut] = literal.Try(cut);
  }

  static KnowledgeLimits RandomLimits(Random& random) {
    KnowledgeLimits chosen;
    chosen.k = static_cast<uint32_t>(random.Below(8) == 0 ? 1 : 2 + random.Below(3));
    chosen.m = static_cast<uint32_t>(random.Below(8) == 0 ? 1 : 2 + random.Below(3));
    chosen.n = static_cast<uint32_t>(random.Below(8) == 0 ? 0 : 1 + random.Below(3));
    return chosen;
  }
};

bool Near(double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * std::abs(b); }

std::string LabelsText(const LiteralCut& cut) {
  std::string text;
  for (const Item label : cut) text += (text.empty() ? "" : " ") + std::to_string(label);
  return text;
}

std::vector<std::string> Texts(const LiteralRecords& records) {
  std::vector<std::string> texts;
  for (const LiteralLabels& record : records) texts.push_back(record.Text());
  return texts;
}

// Reads published vertices as chains of labels, equal siblings merged.
LiteralRecords ReadBack(const ItemHierarchy& items, const Publication& published) {
  LiteralRecords records(published.record_count());
  for (size_t r = 0; r < records.size(); ++r) {
    const PublishedTree tree = published.tree(r);
    RC_ASSERT(tree.records.size() == 1U && tree.records[0] == r);
    // Where what is below each vertex hangs; a label stays where it is in a map.
    std::vector<std::pair<size_t, LiteralLabels*>> open;
    for (size_t p = 0; p < tree.size(); ++p) {
      while (!open.empty() && open.back().first <= p) open.pop_back();
      LiteralLabels* at = open.empty() ? &records[r] : open.back().second;
      const uint32_t first = items.first_attribute(tree.vertex_class[p]);
      for (uint32_t slot = 0; slot < tree.labels(p).size(); ++slot) {
        const ItemHierarchy::Attribute& attribute = items.attributes()[first + slot];
        const Label label = tree.labels(p)[slot];
        if (label != kNoLabel) at = &at->children[ItemHierarchy::root(attribute) + label.low];
      }
      open.emplace_back(p + tree.subtree_size[p], at);
    }
  }
  return records;
}

// Distinct trees with how many records have them; siblings must be distinct.
std::map<std::string, uint64_t> WeightsOf(const Shapes& shapes) {
  std::map<std::string, uint64_t> weights;
  for (size_t shape = 0; shape < shapes.size(); ++shape) {
    LiteralLabels tree;
    std::map<uint32_t, LiteralLabels*> at = {{Shapes::kNoParent, &tree}};
    for (uint32_t node = shapes.first(shape); node < shapes.end(shape); ++node) {
      at[node] = &at.at(shapes.parent(node))->children[shapes.item(node)];
    }
    RC_ASSERT(tree.Size() == shapes.end(shape) - shapes.first(shape));
    RC_ASSERT(weights.emplace(tree.Text(), shapes.weight(shape)).second);
  }
  return weights;
}
std::map<std::string, uint64_t> WeightsOf(const LiteralRecords& records) {
  std::map<std::string, uint64_t> weights;
  for (const std::string& text : Texts(records)) ++weights[text];
  return weights;
}

void CheckAgainst(const Case& one, const LiteralOutcome& literal, const CutSolution& found,
                  CutCost cost) {
  RC_ASSERT(!literal.has_rare_labels);
  RC_ASSERT(found.broken == literal.broken);
  RC_ASSERT(found.broken_support == literal.broken_support);
  RC_ASSERT(Near(found.cost, one.CostOf(literal, cost)));
}

void CheckSame(const CutSolution& a, const CutSolution& b) {
  RC_ASSERT(a.labels == b.labels);
  RC_ASSERT(a.broken == b.broken);
  RC_ASSERT(a.broken_support == b.broken_support);
  RC_ASSERT(a.cost == b.cost);
}

RC_GTEST_PROP(CutSearchProperty, ShapesAreTheMergedTreesOfTheRecords, (uint64_t seed)) {
  const Case one(seed);
  RC_ASSERT(WeightsOf(one.shapes) == WeightsOf(one.literal.records()));
  RC_ASSERT(one.shapes.records() == one.literal.records().size());
}

RC_GTEST_PROP(CutSearchProperty, AllCutSearchFindsTheCheapestOfAllCuts, (uint64_t seed)) {
  const Case one(seed);
  for (const CutCost cost : kCosts) {
    const CutSolution found = one.Search(one.Options(CutMethod::kAcs, cost));
    CheckAgainst(one, one.OutcomeOf(found), found, cost);
    RC_ASSERT(Near(found.cost, one.LeastCost(cost)));
    RC_ASSERT(found.valid_cuts == one.ValidCuts());
  }
}

RC_GTEST_PROP(CutSearchProperty, GreedyCutSearchWithoutLimitsFindsItToo, (uint64_t seed)) {
  const Case one(seed);
  for (const CutCost cost : kCosts) {
    const CutSolution found = one.Search(one.Options(CutMethod::kGcs, cost));
    CheckAgainst(one, one.OutcomeOf(found), found, cost);
    RC_ASSERT(Near(found.cost, one.LeastCost(cost)));
  }
}

// Also where the greedy search ends early.
RC_GTEST_PROP(CutSearchProperty, GreedyCutSearchBreaksWhatTheCutNeeds, (uint64_t seed, bool all)) {
  const Case one(seed);
  for (const CutCost cost : kCosts) {
    CutSearchOptions options = one.Options(CutMethod::kGcs, cost);
    options.g = 1 + seed % 3;
    options.patience = all ? 1000000 : 1;
    const CutSolution found = one.Search(options);
    CheckAgainst(one, one.OutcomeOf(found), found, cost);
  }
}

// With two relations between three labels a cut may need broken relations though one below it needs none: a record with
// a1 over b and a2 over c has A over b and A over c. What is below a rejected cut is not looked at.
RC_GTEST_PROP(CutSearchProperty, OnlyCutSearchFindsTheCheapestCutThatNeedsNoBreaking,
              (uint64_t seed)) {
  const Case one(seed);
  const LiteralOutcome roots = one.literal.Try(one.literal.Roots());
  const bool or_left_out = roots.has_rare_labels || !roots.broken.empty();
  for (const CutCost cost : kCosts) {
    const CutSolution found = one.Search(one.Options(CutMethod::kOcs, cost));
    double least = std::numeric_limits<double>::infinity();
    for (const LiteralCut& cut : one.literal.Cuts(or_left_out)) {
      const LiteralOutcome outcome = one.literal.Try(cut);
      if (outcome.has_rare_labels || !outcome.broken.empty()) continue;
      least = std::min(least, one.CostOf(outcome, cost));
    }
    const LiteralOutcome outcome =
        one.literal.Try(LiteralCut(found.labels.begin(), found.labels.end()));
    RC_ASSERT(found.broken.empty());
    CheckAgainst(one, outcome, found, cost);
    const bool may_miss = one.limits.m > 2 && one.limits.n > 1;
    RC_ASSERT(Near(found.cost, least) || (may_miss && found.cost > least));
  }
}

RC_GTEST_PROP(CutSearchProperty, NeitherThreadsNorCountingFromScratchChangeAnything,
              (uint64_t seed)) {
  const Case one(seed);
  for (const CutMethod method : {CutMethod::kAcs, CutMethod::kGcs, CutMethod::kOcs}) {
    for (const CutCost cost : kCosts) {
      CutSearchOptions options = one.Options(method, cost);
      if (seed % 2 == 0) options.g = 2;
      if (seed % 4 < 2) options.patience = 1;
      const CutSolution found = one.Search(options);
      CheckSame(one.Search(options, 2), found);
      options.from_scratch = true;
      CheckSame(one.Search(options), found);
      CheckSame(one.Search(options, 2), found);
    }
  }
}

// The greedy search by the book: one thread, every specialization of a level is examined, whether its turn comes or
// not. What a cut costs is the examiner's word, which other tests compare with the paper's; which cuts are followed is
// not.
class PlainGreedySearch {
 public:
  PlainGreedySearch(const Case& one, const CutSearchOptions& options)
      : items_(one.items), options_(options), examiner_(one.items, one.shapes, options) {
    std::vector<Step> level = {Start()};
    size_t in_vain = 0;
    while (!level.empty() && in_vain < options.patience) {
      const double before = least_;
      level = Next(level);
      for (const Step& step : level) Note(step);
      in_vain = least_ < before ? 0 : in_vain + 1;
    }
  }

  const std::vector<Item>& labels() const { return labels_; }

 private:
  struct Step {
    std::shared_ptr<Cut> cut;
    std::optional<double> cost;
    // By label: what it added to the cost when it was last looked at.
    std::map<Item, double> added;
    size_t from = 0;
    Item label = 0;
    Outcome outcome = {};
    double at_least = 0;
  };

  Step Start() {
    std::shared_ptr<Cut> most_general = examiner_.MostGeneralCut();
    std::shared_ptr<Cut> cut = most_general;
    Outcome outcome;
    for (const ItemHierarchy::Attribute& attribute : items_.attributes()) {
      outcome = examiner_.Examine(*cut, attribute.left_out);
      if (outcome.is_dead()) break;
      cut = examiner_.Descend(*cut, attribute.left_out, outcome);
    }
    Step start;
    start.cut = most_general;
    if (outcome.kind == Outcome::Kind::kValid) {
      start.cut = cut;
      start.cost = outcome.cost;
      least_ = outcome.cost;
    } else if (options_.cost != CutCost::kSynopsis) {
      least_ = options_.cost == CutCost::kLoss ? 3 : 1;
    }
    labels_ = start.cut->labels;
    return start;
  }

  void Note(const Step& step) {
    if (!step.cost || *step.cost >= least_) return;
    least_ = *step.cost;
    labels_ = step.cut->labels;
  }

  // The cheapest specializations of a level, as they get their turn.
  std::vector<Step> Next(const std::vector<Step>& level) {
    std::vector<Step> waiting = Specializations(level);
    std::stable_sort(waiting.begin(), waiting.end(),
                     [](const Step& a, const Step& b) { return a.at_least < b.at_least; });
    std::vector<Step> chosen;
    std::vector<std::map<Item, double>> added;
    for (const Step& step : level) added.push_back(step.added);
    for (Step& step : waiting) {
      if (chosen.size() >= options_.g && chosen[options_.g - 1].outcome.cost <= step.at_least) {
        break;
      }
      const Step& above = level[step.from];
      if (step.outcome.is_dead()) {
        above.cut->closed[step.label] = true;
        continue;
      }
      if (step.outcome.kind == Outcome::Kind::kValid) {
        step.cost = step.outcome.cost;
        if (above.cost) added[step.from][step.label] = *step.cost - *above.cost;
      }
      const auto dearer = std::upper_bound(
          chosen.begin(), chosen.end(), step,
          [](const Step& a, const Step& b) { return a.outcome.cost < b.outcome.cost; });
      chosen.insert(dearer, step);
    }
    if (chosen.size() > options_.g) chosen.resize(options_.g);
    for (Step& step : chosen) {
      step.cut = examiner_.Descend(*level[step.from].cut, step.label, step.outcome);
      step.added = added[step.from];
    }
    return chosen;
  }

  std::vector<Step> Specializations(const std::vector<Step>& level) {
    std::vector<Step> steps;
    std::set<LiteralCut> seen;
    for (size_t from = 0; from < level.size(); ++from) {
      const Step& above = level[from];
      for (const Item label : above.cut->labels) {
        if (above.cut->closed[label] || items_.is_leaf(label)) continue;
        LiteralCut labels(above.cut->labels.begin(), above.cut->labels.end());
        labels.erase(label);
        for (const Item child : items_.Children(label)) labels.insert(child);
        if (!seen.insert(labels).second) continue;
        Step step;
        step.from = from;
        step.label = label;
        step.outcome = examiner_.Examine(*above.cut, label);
        step.at_least = examiner_.Hope(*above.cut, label);
        const auto added = above.added.find(label);
        if (options_.cost == CutCost::kLoss && above.cost && added != above.added.end()) {
          step.at_least = std::max(step.at_least, *above.cost + added->second);
        }
        steps.push_back(std::move(step));
      }
    }
    return steps;
  }

  const ItemHierarchy& items_;
  const CutSearchOptions& options_;
  CutExaminer examiner_;
  double least_ = std::numeric_limits<double>::infinity();
  std::vector<Item> labels_;
};

RC_GTEST_PROP(CutSearchProperty, GreedyCutSearchFollowsTheCheapestOfALevel, (uint64_t seed)) {
  const Case one(seed);
  for (const CutCost cost : kCosts) {
    CutSearchOptions options = one.Options(CutMethod::kGcs, cost);
    options.g = 1 + seed % 3;
    if (seed % 4 < 2) options.patience = 1;
    const CutSolution found = one.Search(options, seed % 2 == 0 ? 1 : 2);
    RC_ASSERT(found.labels == PlainGreedySearch(one, options).labels());
  }
}

// What is wrong with how one specialization is judged; empty if nothing is.
std::string FaultOf(const Case& one, const CutSearchOptions& options, const LiteralOutcome& literal,
                    const Outcome& outcome) {
  if ((outcome.kind == Outcome::Kind::kRareLabels) != literal.has_rare_labels) return "kind";
  if (literal.has_rare_labels) return "";
  if (outcome.broken != literal.broken) return "broken relations";
  return Near(outcome.cost, one.CostOf(literal, options.cost)) ? "" : "cost";
}

// From everything left out down to a cut that cannot be specialized, by a random way; every step off it is looked at,
// too.
std::string FaultOnTheWayDown(const Case& one, const CutSearchOptions& options, Random& random) {
  CutExaminer examiner(one.items, one.shapes, options);
  for (std::unique_ptr<Cut> cut = examiner.MostGeneralCut(); cut != nullptr;) {
    std::vector<Item> labels = cut->labels;
    random.Shuffle(labels);
    std::unique_ptr<Cut> next;
    for (const Item label : labels) {
      if (one.items.is_leaf(label)) continue;
      LiteralCut specialized(labels.begin(), labels.end());
      specialized.erase(label);
      for (const Item child : one.items.Children(label)) specialized.insert(child);
      const LiteralOutcome literal = one.literal.Try(specialized);
      const Outcome outcome = examiner.Examine(*cut, label);
      const std::string fault = FaultOf(one, options, literal, outcome);
      if (!fault.empty()) return fault + " of " + LabelsText(specialized);
      if (next == nullptr && !literal.has_rare_labels)
        next = examiner.Descend(*cut, label, outcome);
    }
    cut = std::move(next);
  }
  return "";
}

RC_GTEST_PROP(CutSearchProperty, EverySpecializationIsJudgedAsThePaperSays, (uint64_t seed)) {
  const Case one(seed);
  Random random = Random::Seeded(seed);
  for (const CutCost cost : {CutCost::kRpd, CutCost::kSynopsis, CutCost::kLoss}) {
    CutSearchOptions options = one.Options(CutMethod::kAcs, cost);
    options.from_scratch = random.Below(4) == 0;
    RC_ASSERT(FaultOnTheWayDown(one, options, random) == "");
  }
}

// Rare combinations of three labels that are rare already when a smaller one is settled, and whose third label is not
// in the records that lose a relation then.
TEST(CutSearch, WhatIsRareStaysRareWhenOtherRecordsLoseARelation) {
  for (const uint64_t seed : {1151, 1485, 2514, 3407, 4722}) {
    const Case one(seed);
    Random random = Random::Seeded(seed);
    for (int way = 0; way < 8; ++way) {
      const CutSearchOptions options = one.Options(CutMethod::kAcs, CutCost::kRpd);
      ASSERT_EQ(FaultOnTheWayDown(one, options, random), "") << "seed " << seed;
    }
  }
}

// The same label below an attribute that was left out until now, and not below it: 1(4) 4, where both were 4 before.
TEST(CutSearch, TheSynopsisKeepsWhatDoesNotStandBelowTheNewLabel) {
  for (const uint64_t seed : {1242, 1303, 1313}) {
    const Case one(seed);
    Random random = Random::Seeded(seed);
    for (int way = 0; way < 8; ++way) {
      const CutSearchOptions options = one.Options(CutMethod::kAcs, CutCost::kSynopsis);
      ASSERT_EQ(FaultOnTheWayDown(one, options, random), "") << "seed " << seed;
    }
  }
}

// Any cut that may be published, not only the cheapest.
RC_GTEST_PROP(CutSearchProperty, RecodedRecordsAreTheMovedTreesAndKeepThePromise, (uint64_t seed)) {
  const Case one(seed);
  for (const auto& [cut, outcome] : one.outcomes) {
    std::vector<Item> label_of(one.items.size());
    for (Item item = 0; item < one.items.size(); ++item) {
      Item label = item;
      while (!cut.contains(label) && label != one.items.parent(label)) {
        label = one.items.parent(label);
      }
      label_of[item] = label;
    }
    RC_ASSERT(WeightsOf(one.shapes.Generalized(one.items, label_of)) ==
              WeightsOf(one.literal.Generalized(cut)));
    if (outcome.has_rare_labels) continue;
    const LiteralRecords read =
        ReadBack(one.items, Recode(one.items, one.data, label_of, outcome.broken));
    RC_ASSERT(Texts(read) == Texts(outcome.published));
    RC_ASSERT(LiteralFacts(read).Rare(one.limits).empty());
  }
}

RC_GTEST_PROP(CutSearchProperty, TheFoundCutRecodesAsThePaperSays, (uint64_t seed)) {
  const Case one(seed);
  for (const CutMethod method : {CutMethod::kAcs, CutMethod::kGcs}) {
    const CutSolution found = one.Search(one.Options(method, CutCost::kRpd));
    const Publication published = Recode(one.items, one.data, found.label_of, found.broken);
    const LiteralRecords read = ReadBack(one.items, published);
    RC_ASSERT(Texts(read) == Texts(one.OutcomeOf(found).published));
    RC_ASSERT(LiteralFacts(read).Rare(one.limits).empty());
  }
}

// Eight of sixty labels are more combinations than anybody can wait for.
TEST(CutSearchLimit, EndsASearchInTheMiddleOfACut) {
  auto schema = std::make_shared<Schema>();
  schema->classes.resize(2);
  schema->classes[0].name = "basket";
  schema->classes[0].children = {1};
  schema->classes[1].name = schema->classes[1].at = "item";
  schema->classes[1].quasi.emplace_back();
  schema->classes[1].quasi[0].name = schema->classes[1].quasi[0].recoding.file = "item";
  Dataset data = Dataset::Empty(schema, "baskets.jsonl");
  TaxonomyBuilder taxonomy;
  ForestBuilder forest(*schema);
  for (uint32_t record = 0; record < 2; ++record) {
    forest.BeginRecord(record + 1);
    for (int item = 0; item < 60; ++item) {
      const std::string text = std::to_string(item);
      if (record == 0) taxonomy.Add(TaxonomyBuilder::root(), text);
      forest.Open(1);
      forest.Set(0, data.dictionaries[1][0].Intern(ValueKind::kString, text));
      forest.Close();
    }
    forest.EndRecord();
  }
  data.forest = std::move(forest).Build();
  TaxonomyFiles taxonomies;
  taxonomies.emplace("item", std::move(taxonomy).Build());
  const Result<EncodedDataset> encoded = Encode(std::move(data), taxonomies);
  ASSERT_TRUE(encoded.ok()) << encoded.error().message;
  const ItemHierarchy items(*encoded);
  Parallel parallel(1);
  Progress progress;
  for (const CutMethod method : {CutMethod::kGcs, CutMethod::kAcs}) {
    CutSearchOptions options;
    options.method = method;
    options.limits = {.k = 2, .m = 8, .n = 0};
    options.limit_s = 0.05;
    const Result<std::optional<CutSolution>> found =
        SearchCut(items, Shapes::Of(items, *encoded), options, parallel, progress);
    ASSERT_TRUE(found.ok() && found->has_value());
    EXPECT_TRUE((*found)->stopped_early);
    // The root, which was looked at before.
    EXPECT_EQ((*found)->labels, std::vector<Item>{1});
  }
}

}  // namespace
}  // namespace thicket::cut_search_property_test
