// Whatever a policy's method publishes of random records, written and read back, keeps the promise.
#include "engine/method.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/test_published_text.h"
#include "grouping/unite.h"
#include "io/dataset_io.h"
#include "testing/random_forest.h"
#include "verify/verify.h"

namespace thicket::method_test {
namespace {

using testing::ForestShape;
using testing::RandomForestMaker;

Dataset Reread(const Policy& policy, const EncodedDataset& data, const Published& published) {
  Progress progress;
  auto read = ReadDatasetText(policy, PublishedText(policy, data, published), "published",
                              ReadAs::kPublished, progress);
  if (!read.ok()) RC_FAIL(read.error().message);
  return std::move(*read);
}

void CheckMethod(const std::string& name, bool diverse) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  const uint64_t seed = random.Next();
  ForestShape shape;
  shape.records = 6 + random.Below(20);
  RandomForestMaker maker(seed, shape);
  const EncodedDataset data = maker.Make();

  Policy policy;
  policy.schema = data.data.schema;
  policy.input.format = Format::kJsonl;
  policy.privacy.k = static_cast<int>(2 + random.Below(3));
  if (diverse) policy.privacy.l = static_cast<int>(2 + random.Below(2));
  policy.method.name = name;
  policy.method.refine = random.Below(2) == 0;
  policy.method.climit = static_cast<int>(1 + random.Below(8));
  policy.method.th = static_cast<double>(random.Below(11)) / 10;
  RC_LOG() << "seed " << seed << ", " << shape.records << " records, k " << *policy.privacy.k
           << (policy.method.refine ? ", refined" : "") << "\n";

  Parallel parallel(1);
  Progress progress;
  auto grouping = RunMethod(policy, {}, data, parallel, progress);
  RC_ASSERT(grouping.ok());
  const Published united = UniteEqualClasses(data, std::move(grouping->published));
  if (united.classes.empty()) RC_DISCARD("nothing can be published");
  const Dataset published = Reread(policy, data, united);
  const auto verdict =
      VerifyPublished(*policy.schema, policy.privacy, maker.taxonomies(), published);
  if (!verdict.ok()) RC_FAIL(verdict.error().message);
  for (const Violation& violation : verdict->violations.shown()) RC_LOG() << violation.message;
  RC_ASSERT(verdict->holds);
}

RC_GTEST_PROP(MethodTest, MiracleKeepsThePromise, ()) { CheckMethod("miracle", false); }
RC_GTEST_PROP(MethodTest, MiracleXKeepsThePromise, ()) { CheckMethod("miraclex", false); }
RC_GTEST_PROP(MethodTest, CdghKeepsThePromise, ()) { CheckMethod("cdgh", false); }
RC_GTEST_PROP(MethodTest, DMiracleKeepsThePromise, ()) { CheckMethod("dmiracle", true); }
RC_GTEST_PROP(MethodTest, ClusTreeKeepsThePromise, ()) {
  CheckMethod("clustree", *rc::gen::arbitrary<bool>());
}

}  // namespace
}  // namespace thicket::method_test
