// ClusTree's short cuts change nothing: bounds, memory of earlier passes, early ends and threads.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "grouping/clustree.h"
#include "testing/published_check.h"
#include "testing/random_forest.h"

namespace thicket::clustree_property_test {
namespace {

using testing::FindFault;
using testing::ForestShape;
using testing::RandomForest;

struct Case {
  ForestShape shape;
  ClusTreeOptions options;
  EncodedDataset data;
};

Case MakeCase(uint64_t seed, size_t most_records) {
  Random random = Random::Seeded(seed);
  Case result;
  ForestShape& shape = result.shape;
  shape.records = random.Below(most_records + 1);
  shape.classes = 1 + random.Below(6);
  shape.children = random.Below(4);
  shape.secrets = 2 + random.Below(6);
  shape.plenty = random.Below(4) == 0;
  shape.missing = random.Below(4) != 0;
  shape.once = random.Below(2) == 0;
  ClusTreeOptions& options = result.options;
  options.class_size = static_cast<int>(2 + random.Below(4));
  options.rule.l = static_cast<int>(random.Below(static_cast<uint64_t>(options.class_size) + 1));
  options.merge.mapping = static_cast<Mapping>(random.Below(3));
  options.merge.cost = static_cast<MergeCost>(random.Below(2));
  options.passes = random.Below(4) != 0;
  options.s = random.Below(2) == 0 ? 0.5 : 0.1;
  options.m = random.Below(2) == 0 ? 4 : 1;
  options.leftovers = static_cast<Leftovers>(random.Below(2));
  result.data = RandomForest(random.Next(), shape);
  return result;
}

Publication Run(const Case& given, bool exhaustive, int threads) {
  ClusTreeOptions options = given.options;
  options.exhaustive = exhaustive;
  Parallel parallel(threads);
  Progress progress;
  Result<Grouping> grouping = ClusTree(given.data, options, parallel, progress);
  RC_ASSERT(grouping.ok());
  return std::move(grouping->published);
}

// A property's hundred cases are small: each tries several data sets.
template <typename Check>
void ForSomeCases(uint64_t count, size_t most_records, const Check& check) {
  const auto first = *rc::gen::arbitrary<uint64_t>();
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t seed = first * count + i;
    const Case given = MakeCase(seed, most_records);
    RC_LOG() << "MakeCase(" << seed << ", " << most_records << ") ";
    check(given);
  }
}

RC_GTEST_PROP(ClusTreePropertyTest, PrunedIsExhaustive, ()) {
  ForSomeCases(10, 30,
               [](const Case& given) { RC_ASSERT(Run(given, false, 1) == Run(given, true, 1)); });
}

RC_GTEST_PROP(ClusTreePropertyTest, ThreadsChangeNothing, ()) {
  ForSomeCases(1, 40, [](const Case& given) {
    const Publication one = Run(given, false, 1);
    RC_ASSERT(one == Run(given, false, 2));
    RC_ASSERT(one == Run(given, false, 4));
    RC_ASSERT(one == Run(given, true, 2));
  });
}

// Hears how far the work has come.
class HeardProgress : public Progress {
 public:
  void Begin(std::string_view /*phase*/, uint64_t total) override { total_ = total; }
  void Advance(uint64_t steps) override {
    done_ += steps;
    most_at_once_ = std::max(most_at_once_, steps);
  }
  uint64_t total() const { return total_; }
  uint64_t done() const { return done_; }
  uint64_t most_at_once() const { return most_at_once_; }

 private:
  uint64_t total_ = 0;
  uint64_t done_ = 0;
  uint64_t most_at_once_ = 0;
};

RC_GTEST_PROP(ClusTreePropertyTest, TheProgressComesToItsEndInSmallSteps, ()) {
  ForSomeCases(5, 40, [](const Case& given) {
    Parallel parallel(1);
    HeardProgress progress;
    RC_ASSERT(ClusTree(given.data, given.options, parallel, progress).ok());
    RC_ASSERT(progress.total() == given.data.forest().record_count());
    RC_ASSERT(progress.done() == progress.total());
    RC_ASSERT(progress.most_at_once() <= 1U);
  });
}

RC_GTEST_PROP(ClusTreePropertyTest, KeepsThePromise, ()) {
  ForSomeCases(5, 25, [](const Case& given) {
    const std::string fault =
        FindFault(given.data, Run(given, false, 1), given.options.class_size, given.options.rule.l);
    RC_ASSERT(fault == "");
  });
}

RC_GTEST_PROP(ClusTreePropertyTest, LeavesOutOnlyWhatCannotStandAnywhere, ()) {
  // Without secrets everybody may stand with everybody, so fewer records than a class are left over.
  ForSomeCases(2, 25, [](Case given) {
    given.options.rule.l = 0;
    given.shape.once = false;
    given.data = RandomForest(given.data.forest().vertex_count(), given.shape);
    const Publication published = Run(given, false, 1);
    RC_ASSERT(published.suppressed().size() < static_cast<size_t>(given.options.class_size));
  });
}

// Wide records with many secrets: more than 64 buckets, and subtrees heavier than 2^29 units.
EncodedDataset Wide(size_t records, size_t courses, size_t books) {
  auto schema = std::make_shared<Schema>();
  schema->classes.resize(3);
  const char* names[] = {"student", "course", "book"};
  for (ClassId id = 0; id < 3; ++id) {
    VertexClass& added = schema->classes[id];
    added.name = names[id];
    added.at = id == 0 ? "" : names[id];
    added.parent = id == 2 ? 1 : 0;
    if (id < 2) added.children = {static_cast<ClassId>(id + 1)};
    for (size_t slot = 0; slot < 3; ++slot) {
      added.quasi.emplace_back();
      added.quasi.back().name = "q" + std::to_string(slot);
      added.quasi.back().recoding.file = "t";
      // No table: numbers are looked up by search.
      if (slot == 2) added.quasi.back().recoding.kind = Recoding::Kind::kNumeric;
    }
    added.sensitive.push_back({"s", {}, {}});
  }
  TaxonomyBuilder taxonomy;
  for (int i = 0; i < 6; ++i) {
    const auto inner = taxonomy.Add(TaxonomyBuilder::root(), "n" + std::to_string(i));
    for (int j = 0; j <= i; ++j) taxonomy.Add(inner, std::to_string(i * 10 + j));
  }
  Random random = Random::Seeded(7);
  Dataset data = Dataset::Empty(schema, "wide.jsonl");
  ForestBuilder builder(*schema);
  const auto fill = [&](ClassId id) {
    for (size_t slot = 0; slot < 3; ++slot) {
      const uint64_t i = random.Below(6);
      const std::string text = std::to_string(i * 10 + random.Below(i + 1));
      builder.Set(slot, data.dictionaries[id][slot].Intern(ValueKind::kNumber, text));
    }
    const std::string secret = std::to_string(random.Below(id == 1 ? 150 : 4));
    builder.Set(3, data.dictionaries[id][3].Intern(ValueKind::kNumber, secret));
  };
  for (uint32_t r = 0; r < records; ++r) {
    builder.BeginRecord(r + 1);
    fill(0);
    for (size_t c = random.Below(courses / 4 + 1); c < courses; ++c) {
      builder.Open(1);
      fill(1);
      for (size_t b = random.Below(books / 4 + 1); b < books; ++b) {
        builder.Open(2);
        fill(2);
        builder.Close();
      }
      builder.Close();
    }
    builder.EndRecord();
  }
  data.forest = std::move(builder).Build();
  TaxonomyFiles files;
  files.emplace("t", std::move(taxonomy).Build());
  return std::move(*Encode(std::move(data), files));
}

void ExpectSameWhenPruned(EncodedDataset data, int class_size, int l) {
  Case given;
  given.data = std::move(data);
  given.options.class_size = class_size;
  given.options.rule.l = l;
  for (const Mapping mapping : {Mapping::kLsap, Mapping::kGreedy, Mapping::kLabels}) {
    given.options.merge.mapping = mapping;
    const Publication pruned = Run(given, false, 2);
    EXPECT_TRUE(pruned == Run(given, true, 1));
    EXPECT_EQ(FindFault(given.data, pruned, class_size, l), "");
    EXPECT_FALSE(pruned.empty());
  }
}

TEST(ClusTreePropertyTest, PrunedIsExhaustiveOnWideRecords) {
  ExpectSameWhenPruned(Wide(6, 30, 40), 2, 2);
}

TEST(ClusTreePropertyTest, PrunedIsExhaustiveWhereWeightsNeed64Bits) {
  // Six courses of 200 books with three labels each: a course weighs 600 * 2^20 units and more.
  const EncodedDataset data = Wide(4, 6, 260);
  EXPECT_GT(TreeModel(data, {2}).subtree_weight(1), Units{1} << 29);
  ExpectSameWhenPruned(Wide(4, 6, 260), 2, 2);
}

TEST(ClusTreePropertyTest, PrunedIsExhaustiveOnManySmallRecords) {
  ExpectSameWhenPruned(Wide(300, 1, 0), 6, 3);
}

}  // namespace
}  // namespace thicket::clustree_property_test
