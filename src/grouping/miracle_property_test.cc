// Whatever the data: every variant keeps its promise, and threads change nothing.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>

#include "grouping/miracle.h"
#include "testing/published_check.h"
#include "testing/random_forest.h"

namespace thicket::miracle_property_test {
namespace {

using testing::FindFault;
using testing::ForestShape;
using testing::RandomForest;

struct Case {
  ForestShape shape;
  MiracleOptions options;
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
  MiracleOptions& options = result.options;
  options.variant = static_cast<MiracleVariant>(random.Below(4));
  options.class_size = static_cast<int>(2 + random.Below(4));
  if (options.variant == MiracleVariant::kDMiracle) {
    const auto most = static_cast<uint64_t>(options.class_size);
    options.rule.l = static_cast<int>(2 + random.Below(most - 1));
  }
  options.climit = static_cast<int>(1 + random.Below(12));
  options.th = static_cast<double>(random.Below(11)) / 10;
  result.data = RandomForest(random.Next(), shape);
  return result;
}

Grouping RunWhole(const Case& given, int threads) {
  Parallel parallel(threads);
  Progress progress;
  Result<Grouping> grouping = Miracle(given.data, given.options, parallel, progress);
  RC_ASSERT(grouping.ok());
  return std::move(*grouping);
}

Publication Run(const Case& given, int threads) { return RunWhole(given, threads).published; }

// A property's hundred cases are small: each tries several data sets.
template <typename Check>
void ForSomeCases(uint64_t count, size_t most_records, const Check& check) {
  const auto first = *rc::gen::arbitrary<uint64_t>();
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t seed = first * count + i;
    RC_LOG() << "MakeCase(" << seed << ", " << most_records << ") ";
    check(MakeCase(seed, most_records));
  }
}

RC_GTEST_PROP(MiraclePropertyTest, KeepsThePromise, ()) {
  ForSomeCases(5, 30, [](const Case& given) {
    const std::string fault =
        FindFault(given.data, Run(given, 1), given.options.class_size, given.options.rule.l);
    RC_ASSERT(fault == "");
  });
}

RC_GTEST_PROP(MiraclePropertyTest, ThreadsChangeNothing, ()) {
  ForSomeCases(1, 60, [](const Case& given) {
    const Grouping one = RunWhole(given, 1);
    const Grouping four = RunWhole(given, 4);
    RC_ASSERT(one.published == four.published);
    RC_ASSERT(one.search.candidates == four.search.candidates);
    RC_ASSERT(one.search.compared == four.search.compared);
  });
}

RC_GTEST_PROP(MiraclePropertyTest, BoundsChangeNothing, ()) {
  ForSomeCases(3, 40, [](Case given) {
    const Publication pruned = Run(given, 1);
    given.options.exhaustive = true;
    RC_ASSERT(pruned == Run(given, 1));
  });
}

RC_GTEST_PROP(MiraclePropertyTest, LeavesOutFewerRecordsThanAClass, ()) {
  // But for values that may occur only once, everybody may stand with everybody.
  ForSomeCases(2, 30, [](Case given) {
    given.options.variant = static_cast<MiracleVariant>(given.options.class_size % 2);
    given.shape.once = false;
    given.data = RandomForest(given.data.forest().vertex_count(), given.shape);
    RC_ASSERT(Run(given, 1).suppressed().size() < static_cast<size_t>(given.options.class_size));
  });
}

RC_GTEST_PROP(MiraclePropertyTest, BitmapGeneralizesNothingBelowRoots, ()) {
  ForSomeCases(2, 30, [](Case given) {
    given.options.variant = MiracleVariant::kBitmap;
    const Publication published = Run(given, 1);
    for (const PublishedTree group : published.trees()) {
      for (size_t p = 1; p < group.size(); ++p) {
        const auto& domains = given.data.classes[group.vertex_class[p]].domains;
        for (size_t slot = 0; slot < domains.size(); ++slot) {
          RC_ASSERT(domains[slot].Loss(group.labels(p)[slot]) == 0);
        }
      }
    }
  });
}

}  // namespace
}  // namespace thicket::miracle_property_test
