// What readers of the output see, whatever the method: classes of records that look alike, in which a value stands in a part of
// the records only (`anywhere`), and some values only once. Checked by the verifier and by a reference that is written from the
// definitions and knows texts only.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/method.h"
#include "engine/test_published_text.h"
#include "io/dataset_io.h"
#include "privacy/levels_of_data.h"
#include "testing/random_forest.h"
#include "verify/verify.h"

namespace thicket::reader_promise_test {
namespace {

using testing::ForestShape;
using testing::RandomForestMaker;

// What a reader sees of a subtree, sensitive values erased.
std::string Look(const Dataset& data, Vertex v) {
  const ClassId id = data.forest.class_of(v);
  std::string text = std::to_string(id) + "(";
  for (size_t slot = 0; slot < data.schema->classes[id].quasi.size(); ++slot) {
    const Symbol symbol = data.forest.value(v, slot);
    text += symbol == kMissing ? "-" : "'" + std::string(data.dictionaries[id][slot].text(symbol));
    text += ";";
  }
  std::vector<std::string> below;
  for (const Vertex child : data.forest.Children(v)) below.push_back(Look(data, child));
  std::sort(below.begin(), below.end());
  for (const std::string& child : below) text += child;
  return text + ")";
}

// Values of random forests are the numbers 0 to 4.
int BucketOf(const SensitiveAttribute& attribute, const std::string& value) {
  const int number = std::stoi(value);
  if (attribute.buckets.empty()) return number;
  // [0, 1), [1, 3], above.
  return number < 1 ? 0 : number <= 3 ? 1 : 2;
}

// Which of the promises that a reader can check is broken.
std::string NaiveFault(const Dataset& data, const PrivacyPolicy& privacy) {
  std::map<std::string, std::vector<RecordId>> classes;
  for (RecordId r = 0; r < data.forest.record_count(); ++r) {
    classes[Look(data, data.forest.root(r))].push_back(r);
  }
  for (const auto& [look, records] : classes) {
    if (records.size() < static_cast<size_t>(privacy.class_size())) return "too small";
    // By class of vertices, attribute and bucket (or level): the records.
    std::map<std::tuple<ClassId, size_t, int>, std::set<RecordId>> holders;
    std::map<std::tuple<ClassId, size_t, std::string>, int> times;
    for (const RecordId r : records) {
      for (Vertex v = data.forest.root(r); v < data.forest.root(r + 1); ++v) {
        const ClassId id = data.forest.class_of(v);
        for (size_t i = 0; i < data.schema->classes[id].sensitive.size(); ++i) {
          const SensitiveAttribute& attribute = data.schema->classes[id].sensitive[i];
          const size_t slot = data.schema->classes[id].sensitive_slot(i);
          if (data.forest.value(v, slot) == kMissing) continue;
          const std::string value(data.dictionaries[id][slot].text(data.forest.value(v, slot)));
          const int code = privacy.alpha ? 5 - std::stoi(value) : BucketOf(attribute, value);
          if (attribute.anywhere) holders[{id, i, code}].insert(r);
          const bool once = std::find(attribute.once.begin(), attribute.once.end(), value) !=
                            attribute.once.end();
          if (once && ++times[{id, i, value}] > 1) return "more than once";
        }
      }
    }
    for (const auto& [secret, some] : holders) {
      const double share = static_cast<double>(some.size()) / static_cast<double>(records.size());
      if (privacy.l && some.size() * static_cast<size_t>(*privacy.l) > records.size()) {
        return "in too many records";
      }
      if (privacy.alpha &&
          share > (*privacy.alpha)[static_cast<size_t>(std::get<2>(secret) - 1)] + 1e-12) {
        return "a level in too many records";
      }
    }
  }
  return "";
}

Publication Run(const Policy& policy, const EncodedDataset& data, bool exhaustive, int threads) {
  Parallel parallel(threads);
  Progress progress;
  auto grouping = RunMethod(policy, {.exhaustive = exhaustive}, data, parallel, progress);
  if (!grouping.ok() && grouping.error().code == ErrorCode::kPromise) return {};
  RC_ASSERT(grouping.ok());
  return std::move(grouping->published);
}

Policy RandomPolicy(const std::string& name, bool levels, Random& random) {
  Policy policy;
  policy.input.format = Format::kJsonl;
  policy.privacy.k = static_cast<int>(2 + random.Below(4));
  if (levels) {
    policy.privacy.alpha = {0.8, 0.6, 0.5, 0.4, 0.34};
  } else {
    policy.privacy.l = static_cast<int>(2 + random.Below(2));
  }
  policy.method.name = name;
  const char* const mappings[] = {"lsap", "greedy", "labels"};
  if (name == "clustree") policy.method.mapping = mappings[random.Below(3)];
  if (name == "clustree") policy.method.cost = random.Below(4) == 0 ? "faithful" : "weighted";
  policy.method.refine = random.Below(2) == 0;
  policy.method.leftovers = random.Below(3) == 0 ? "suppress" : "absorb";
  policy.method.climit = static_cast<int>(1 + random.Below(8));
  policy.method.th = static_cast<double>(random.Below(11)) / 10;
  // Agglomerate compares only some of a neighbourhood, so there a run without bounds may find others.
  if (name != "agglomerate" && random.Below(3) == 0) {
    policy.method.neighbourhood = std::to_string(4 + random.Below(12));
  }
  return policy;
}

// `few`: hardly any quasi-identifiers, so that classes come out equal.
void CheckReaders(const std::string& name, bool levels, bool few) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  const uint64_t seed = random.Next();
  ForestShape shape;
  shape.records = 6 + random.Below(25);
  shape.depth = few ? 2 : 3;
  shape.classes = few ? 2 : 4;
  shape.anywhere = true;
  shape.levels = levels;
  shape.once = !levels;
  RandomForestMaker maker(seed, shape);
  EncodedDataset data = maker.Make();
  Policy policy = RandomPolicy(name, levels, random);
  policy.schema = data.data.schema;
  if (levels) RC_ASSERT(ApplyLevels(data).ok());
  RC_LOG() << "seed " << seed << ", " << shape.records << " records, k " << *policy.privacy.k
           << (policy.method.refine ? ", refined" : "") << "\n";

  const Publication published = Run(policy, data, false, 1);
  size_t records = published.suppressed().size();
  for (const PublishedTree group : published.trees()) records += group.records.size();
  RC_ASSERT(published.empty() || records == shape.records);
  const std::string text = PublishedText(policy, data, published);
  RC_ASSERT(text == PublishedText(policy, data, Run(policy, data, true, 1)));
  RC_ASSERT(text == PublishedText(policy, data, Run(policy, data, false, 3)));
  if (published.empty()) RC_DISCARD("nothing can be published");

  Progress progress;
  auto read = ReadDatasetText(policy, text, "published", ReadAs::kPublished, progress);
  if (!read.ok()) RC_FAIL(read.error().message);
  RC_ASSERT(NaiveFault(*read, policy.privacy).empty());
  const auto verdict = VerifyPublished(*policy.schema, policy.privacy, maker.taxonomies(), *read);
  if (!verdict.ok()) RC_FAIL(verdict.error().message);
  for (const Violation& violation : verdict->violations.shown()) RC_LOG() << violation.message;
  RC_ASSERT(verdict->holds);
}

RC_GTEST_PROP(ReaderPromiseTest, ClusTreeKeepsIt, (bool few)) {
  CheckReaders("clustree", false, few);
}
RC_GTEST_PROP(ReaderPromiseTest, AgglomerateKeepsIt, (bool few)) {
  CheckReaders("agglomerate", false, few);
}
RC_GTEST_PROP(ReaderPromiseTest, AgglomerateKeepsItOfLevels, (bool few)) {
  CheckReaders("agglomerate", true, few);
}
RC_GTEST_PROP(ReaderPromiseTest, DMiracleKeepsIt, (bool few)) {
  CheckReaders("dmiracle", false, few);
}
RC_GTEST_PROP(ReaderPromiseTest, MLevCluTreeKeepsIt, (bool few)) {
  CheckReaders("mlevclutree", true, few);
}

// The verifier and the reference agree on records that nobody has grouped.
RC_GTEST_PROP(ReaderPromiseTest, TheVerifierAgreesWithTheDefinition, (uint64_t seed, bool levels)) {
  Random random = Random::Seeded(seed);
  ForestShape shape;
  shape.records = 2 + random.Below(5);
  shape.classes = 2;
  shape.depth = 2;
  shape.children = 2;
  shape.anywhere = true;
  shape.levels = levels;
  shape.once = !levels;
  RandomForestMaker maker(random.Next(), shape);
  const EncodedDataset data = maker.Make();
  Policy policy = RandomPolicy("clustree", levels, random);
  policy.schema = data.data.schema;
  policy.privacy.k = 2;
  if (!levels) policy.privacy.l = 2;
  // All in one class, whatever they hold.
  Parallel parallel(1);
  Progress progress;
  Policy loose = policy;
  loose.privacy = {static_cast<int>(shape.records), std::nullopt};
  auto grouping = RunMethod(loose, {}, data, parallel, progress);
  if (!grouping.ok()) RC_DISCARD("roots may not stand together");
  const std::string text = PublishedText(policy, data, grouping->published);
  auto read = ReadDatasetText(policy, text, "published", ReadAs::kPublished, progress);
  RC_ASSERT(read.ok());
  const auto verdict = VerifyPublished(*policy.schema, policy.privacy, maker.taxonomies(), *read);
  RC_ASSERT(verdict.ok());
  const uint64_t found = verdict->violations.total(ViolationKind::kAnywhereTooOften) +
                         verdict->violations.total(ViolationKind::kOnceRepeated);
  const std::string fault = NaiveFault(*read, policy.privacy);
  RC_TAG(fault);
  RC_ASSERT((found > 0) == (!fault.empty() && fault != "too small"));
}

}  // namespace
}  // namespace thicket::reader_promise_test
