// What two representatives have in common is what all ways of pairing their vertices have at the best.
#include "matching/representative_merge.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/random.h"
#include "testing/random_forest.h"

namespace thicket::representative_merge_test {
namespace {

using testing::ForestShape;
using testing::RandomForest;

// From the definition: every pairing of the children of two positions.
class NaivePairing {
 public:
  NaivePairing(const TreeModel& model, const Representative& a, const Representative& b, int size)
      : model_(model), a_(a), b_(b), size_(size) {}

  Units Best(uint32_t here, uint32_t there) const {
    if (a_.class_of(here) != b_.class_of(there) || !MayMeet(here, there)) return 0;
    const ClassId id = a_.class_of(here);
    Units best = model_.vertex_weight(id);
    const auto& domains = model_.data().classes[id].domains;
    for (size_t slot = 0; slot < domains.size(); ++slot) {
      best -=
          domains[slot].Loss(domains[slot].Merge(a_.labels(here)[slot], b_.labels(there)[slot]));
    }
    std::vector<uint32_t> children;
    std::vector<uint32_t> others;
    for (const uint32_t child : a_.Children(here)) children.push_back(child);
    for (const uint32_t child : b_.Children(there)) others.push_back(child);
    std::vector<bool> taken(others.size(), false);
    return best + BestOfChildren(children, others, 0, taken);
  }

 private:
  bool MayMeet(uint32_t here, uint32_t there) const {
    const ClassId id = a_.class_of(here);
    for (size_t attribute = 0; attribute < model_.sensitive_count(id); ++attribute) {
      std::map<uint32_t, int> counts;
      for (size_t i = 0; i < a_.member_count(); ++i) {
        ++counts[model_.buckets(id, a_.vertex(here, i))[attribute]];
      }
      for (size_t i = 0; i < b_.member_count(); ++i) {
        ++counts[model_.buckets(id, b_.vertex(there, i))[attribute]];
      }
      for (const auto& [value, count] : counts) {
        if (count > model_.rule().MostRepeats(size_)) return false;
      }
    }
    return true;
  }

  Units BestOfChildren(const std::vector<uint32_t>& children, const std::vector<uint32_t>& others,
                       size_t from, std::vector<bool>& taken) const {
    if (from == children.size()) return 0;
    Units best = BestOfChildren(children, others, from + 1, taken);
    for (size_t j = 0; j < others.size(); ++j) {
      if (taken[j]) continue;
      const Units pair = Best(children[from], others[j]);
      if (pair == 0) continue;
      taken[j] = true;
      best = std::max(best, pair + BestOfChildren(children, others, from + 1, taken));
      taken[j] = false;
    }
    return best;
  }

  const TreeModel& model_;
  const Representative& a_;
  const Representative& b_;
  int size_;
};

// A class of some records, as far as their roots may stand together.
Representative ClassOf(const TreeModel& model, RecordId first, size_t count, int class_size) {
  Merger merger(model, {});
  std::vector<VertexPair> pairs;
  Representative group = Representative::Of(model, first, class_size);
  for (RecordId record = first + 1; record < first + count; ++record) {
    merger.Pair(group, record, pairs);
    if (!pairs.empty()) group = group.Absorb(model, record, pairs, class_size);
  }
  return group;
}

RC_GTEST_PROP(RepresentativeMergeTest, SimilarityIsThatOfTheBestPairing, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  ForestShape shape;
  shape.records = 6;
  shape.once = false;
  shape.children = 2;
  shape.plenty = random.Below(2) == 0;
  const EncodedDataset data = RandomForest(random.Next(), shape);
  DiversityRule rule;
  rule.l = static_cast<int>(random.Below(3));
  const TreeModel model(data, rule);
  const int class_size = static_cast<int>(4 + random.Below(3));
  const Representative a = ClassOf(model, 0, 1 + random.Below(3), class_size);
  const Representative b = ClassOf(model, 3, 1 + random.Below(3), class_size);
  const int united =
      std::max<int>(class_size, static_cast<int>(a.member_count() + b.member_count()));
  RepresentativeMerger merger(model, {});
  const Units best = NaivePairing(model, a, b, united).Best(0, 0);
  RC_ASSERT(merger.Similarity(a, b, united) == best);
  RC_ASSERT(merger.Similarity(b, a, united) == best);
  const Representative both = merger.Unite(a, b, united);
  RC_ASSERT((both.size() == 0 ? 0 : both.kept()) == best);
  RC_ASSERT(both.member_count() == a.member_count() + b.member_count());
  RC_ASSERT(both.member_weight() == a.member_weight() + b.member_weight());
  // A need that can be met changes nothing, one that cannot be met says so.
  RC_ASSERT(merger.Similarity(a, b, united, best) == best);
  RC_ASSERT(merger.Similarity(a, b, united, best + 1) <= best);
}

RC_GTEST_PROP(RepresentativeMergeTest, WithLimitsAnywhereAtLeastWhatIsSaidComes, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  ForestShape shape;
  shape.records = 6;
  shape.anywhere = true;
  const EncodedDataset data = RandomForest(random.Next(), shape);
  const TreeModel model(data, {2});
  const Representative a = ClassOf(model, 0, 3, 6);
  const Representative b = ClassOf(model, 3, 3, 6);
  RepresentativeMerger merger(model, {});
  const Units similarity = merger.Similarity(a, b, 6);
  const Representative both = merger.Unite(a, b, 6);
  RC_ASSERT(similarity <= (both.size() == 0 ? 0 : both.kept()));
}

}  // namespace
}  // namespace thicket::representative_merge_test
