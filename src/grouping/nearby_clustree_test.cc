// ClusTree with proposals keeps the promise on any data, and is ClusTree where everybody is proposed and classes grow one by one. The
// cheapest class first is what a naive search finds that remembers nothing but how far each seed has come.
#include "grouping/nearby_clustree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "grouping/clustree.h"
#include "testing/published_check.h"
#include "testing/random_forest.h"

namespace thicket::nearby_clustree_test {
namespace {

using testing::FindFault;
using testing::ForestShape;
using testing::RandomForest;

Publication Grouped(const EncodedDataset& data, const NearbyClusTreeOptions& options, int threads) {
  Parallel parallel(threads);
  Progress progress;
  Result<Grouping> grouping = NearbyClusTree(data, options, parallel, progress);
  EXPECT_TRUE(grouping.ok());
  return std::move(grouping->published);
}

RC_GTEST_PROP(NearbyClusTreeTest, KeepsThePromise, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  ForestShape shape;
  shape.records = random.Below(40);
  shape.classes = 1 + random.Below(5);
  shape.children = random.Below(4);
  shape.secrets = 2 + random.Below(6);
  shape.plenty = random.Below(4) == 0;
  shape.once = random.Below(2) == 0;
  NearbyClusTreeOptions options;
  options.rule.l = static_cast<int>(random.Below(4));
  options.class_size = std::max(2, options.rule.l) * static_cast<int>(1 + random.Below(2));
  options.merge.mapping = static_cast<Mapping>(random.Below(3));
  options.proposals = 1 + random.Below(12);
  options.comparisons = 1 + random.Below(12);
  options.remembered = 1 + random.Below(5);
  options.passes = random.Below(3) > 0;
  const EncodedDataset data = RandomForest(random.Next(), shape);
  const Publication published = Grouped(data, options, 1);
  RC_ASSERT(FindFault(data, published, options.class_size, options.rule.l) == "");
  RC_ASSERT(Grouped(data, options, 3) == published);
}

TEST(NearbyClusTreeTest, IsClusTreeWhereEverybodyIsProposed) {
  // Less than 128 classes of two: one class grows at a time, as in the paper.
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const EncodedDataset data =
        RandomForest(seed, {.records = 90, .classes = 3, .plenty = true, .once = false});
    NearbyClusTreeOptions nearby;
    nearby.rule.l = seed % 2 == 0 ? 0 : 2;
    nearby.proposals = nearby.comparisons = 1000;
    nearby.passes = false;
    ClusTreeOptions whole;
    whole.rule = nearby.rule;
    whole.passes = false;
    whole.leftovers = Leftovers::kSuppress;
    Parallel parallel(1);
    Progress progress;
    const Result<Grouping> expected = ClusTree(data, whole, parallel, progress);
    ASSERT_TRUE(expected.ok());
    EXPECT_TRUE(Grouped(data, nearby, 2) == expected->published);
  }
}

// The cheapest class first, where all seeds go on in every round: at most 32 records.
class NaiveCheapestFirst {
 public:
  NaiveCheapestFirst(const EncodedDataset& data, const NearbyClusTreeOptions& options)
      : options_(options),
        model_(data, options.rule),
        merger_(model_, options.merge),
        taken_(data.forest().record_count(), false),
        hopeless_(taken_.size(), false),
        chains_(taken_.size()) {}

  // The members of each class, in the order in which they are taken in; sorted.
  std::vector<std::vector<RecordId>> Run() {
    while (Round()) {
    }
    std::sort(classes_.begin(), classes_.end());
    return classes_;
  }

 private:
  using Chain =
      std::vector<std::pair<Units, RecordId>>;  // what the class costs then, and with whom

  std::optional<std::pair<Units, RecordId>> Nearest(const Representative& group) {
    std::optional<std::pair<Units, RecordId>> best;
    for (RecordId record = 0; record < taken_.size(); ++record) {
      const auto& members = group.records();
      if (taken_[record] || std::count(members.begin(), members.end(), record) > 0) continue;
      const Units similarity = merger_.Similarity(group, record, 0);
      if (similarity <= 0) continue;
      const CostLine line = CostLine::Of(options_.merge.cost, group, model_.record_weight(record));
      const std::pair<Units, RecordId> found = {line.At(similarity), record};
      if (!best || found < *best) best = found;
    }
    return best;
  }

  // Whom the seed takes in one by one, up to `length`.
  Chain Greedy(RecordId seed, size_t length) {
    Chain chain;
    Representative group = Representative::Of(model_, seed, options_.class_size);
    while (chain.size() < length) {
      const auto nearest = Nearest(group);
      if (!nearest) break;
      chain.push_back(*nearest);
      std::vector<VertexPair> pairs;
      merger_.Pair(group, nearest->second, pairs);
      group = group.Absorb(model_, nearest->second, pairs, options_.class_size);
    }
    return chain;
  }

  void Renew(RecordId seed) {
    const Chain& chain = chains_[seed];
    const auto gone = std::find_if(chain.begin(), chain.end(),
                                   [&](const auto& step) { return taken_[step.second]; });
    if (gone != chain.end()) {
      chains_[seed] = Greedy(seed, static_cast<size_t>(gone - chain.begin()) + 1);
    }
  }

  bool Round() {
    const size_t length = static_cast<size_t>(options_.class_size) - 1;
    std::vector<RecordId> seeds;
    std::vector<std::pair<Units, RecordId>> complete;
    for (RecordId seed = 0; seed < taken_.size(); ++seed) {
      if (taken_[seed] || hopeless_[seed]) continue;
      seeds.push_back(seed);
      Renew(seed);
      if (chains_[seed].size() == length) complete.emplace_back(chains_[seed].back().first, seed);
    }
    std::sort(complete.begin(), complete.end());
    for (const auto& [cost, seed] : complete) Accept(seed);
    for (const RecordId seed : seeds) {
      if (taken_[seed]) continue;
      Renew(seed);
      const size_t before = chains_[seed].size();
      if (before == length) continue;
      chains_[seed] = Greedy(seed, before + 1);
      hopeless_[seed] = chains_[seed].size() == before;
    }
    return !seeds.empty();
  }

  void Accept(RecordId seed) {
    std::vector<RecordId> members = {seed};
    for (const auto& [cost, record] : chains_[seed]) members.push_back(record);
    for (const RecordId record : members) {
      if (taken_[record]) return;
    }
    for (const RecordId record : members) taken_[record] = true;
    std::sort(members.begin(), members.end());
    classes_.push_back(members);
  }

  const NearbyClusTreeOptions& options_;
  TreeModel model_;
  Merger merger_;
  std::vector<bool> taken_;
  std::vector<bool> hopeless_;
  std::vector<Chain> chains_;
  std::vector<std::vector<RecordId>> classes_;
};

RC_GTEST_PROP(NearbyClusTreeTest, WhatSeedsRememberIsWhatTheyWouldFind, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  ForestShape shape;
  shape.records = random.Below(33);
  shape.classes = 1 + random.Below(5);
  shape.children = random.Below(4);
  shape.secrets = 2 + random.Below(6);
  shape.plenty = random.Below(4) == 0;
  shape.once = false;
  NearbyClusTreeOptions options;
  options.rule.l = static_cast<int>(random.Below(4));
  options.class_size = std::max(2, options.rule.l) + static_cast<int>(random.Below(3));
  options.proposals = options.comparisons = options.remembered = 1000;
  const EncodedDataset data = RandomForest(random.Next(), shape);
  std::vector<std::vector<RecordId>> found;
  const Publication published = Grouped(data, options, 2);
  for (const PublishedTree tree : published.trees()) {
    found.emplace_back(tree.records.begin(), tree.records.end());
    std::sort(found.back().begin(), found.back().end());
  }
  std::sort(found.begin(), found.end());
  RC_ASSERT(found == NaiveCheapestFirst(data, options).Run());
}

TEST(NearbyClusTreeTest, CancellingIsInterrupted) {
  Parallel parallel(1);
  Progress progress;
  progress.Cancel();
  const Result<Grouping> grouping =
      NearbyClusTree(RandomForest(1, {.records = 9}), {}, parallel, progress);
  ASSERT_FALSE(grouping.ok());
  EXPECT_EQ(grouping.error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace thicket::nearby_clustree_test
