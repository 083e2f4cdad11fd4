#include "verify/original_search.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "testing/forest_text.h"
#include "verify/embedding.h"
#include "verify/path_cover.h"

namespace thicket::original_search_test {
namespace {

using testing::ParseForest;
using testing::ParseSchema;

std::shared_ptr<Schema> MaskedSchema() {
  auto schema = ParseSchema("r(q|s|w){c(q|s){d(q)}}");
  for (VertexClass& vertex_class : schema->classes) {
    vertex_class.quasi[0].recoding.kind = Recoding::Kind::kMask;
    vertex_class.quasi[0].recoding.mask = 1;
  }
  return schema;
}

// A random record over few values, so that records often fit each other.
std::string RandomTree(Random& random, bool published) {
  const auto label = [&] {
    if (published && random.Below(3) == 0) return std::string("'*'");
    const std::string first(1, "ab"[random.Below(2)]);
    if (published && random.Below(3) == 0) return "'" + first + "*'";
    return first + "xy"[random.Below(2)];
  };
  std::string text = "r(" + label() + "|" +
                     (random.Below(8) == 0   ? ""
                      : random.Below(4) == 0 ? "S"
                                             : "T") +
                     "|" + "uvw"[random.Below(3)] + "){";
  const size_t children = random.Below(published ? 3 : 5);
  for (size_t i = 0; i < children; ++i) {
    text += "c(" + label() + "|" + (random.Below(3) == 0 ? "U" : "V") + "){";
    if (random.Below(2) == 0) text += random.Below(2) == 0 ? "d(ax)" : "d(bx)";
    text += "}";
  }
  return text + "}";
}

std::vector<OriginalSearchOptions> EveryWay() {
  const OriginalSearchOptions usual;
  OriginalSearchOptions no_bitmaps = usual;
  no_bitmaps.most_words = 0;
  OriginalSearchOptions few_bitmaps = usual;
  few_bitmaps.most_words = 12;
  OriginalSearchOptions by_slots = usual;
  by_slots.most_pairs = 0;
  OriginalSearchOptions nothing_kept = usual;
  nothing_kept.most_kept = 0;
  return {usual, no_bitmaps, few_bitmaps, by_slots, nothing_kept};
}

// Asked for in any order and any number, each asker gets every original that the cover accepts, once.
template <typename Cover>
void FindsWhoFits(uint64_t seed) {
  const auto schema = MaskedSchema();
  Random random = Random::Seeded(seed);
  std::string published;
  std::string original;
  for (size_t i = 0; i < 10 + random.Below(150); ++i) original += RandomTree(random, false);
  for (size_t i = 0; i < 12; ++i) published += RandomTree(random, true);
  const Dataset data = ParseForest(schema, published);
  const Dataset source = ParseForest(schema, original);
  const auto group = [&](const Dataset& of) {
    return GroupRecords(of.forest, Canonicalize(*schema, of.forest, CompareBy::kAllValues));
  };
  const RecordGroups askers = group(data);
  const RecordGroups things = group(source);
  Result<Cover> cover = Cover::Create(*schema, {}, data, source);
  RC_ASSERT(cover.ok());
  for (const OriginalSearchOptions& options : EveryWay()) {
    OriginalSearch<Cover> search(*schema, data, source, askers, things, *cover, options);
    std::vector<std::vector<uint32_t>> found(askers.size());
    for (size_t questions = 40 * askers.size(); questions > 0; --questions) {
      const auto asker = static_cast<uint32_t>(random.Below(askers.size()));
      const size_t number = random.Below(found[asker].size() + 1);
      const uint32_t thing = search.At(asker, number);
      if (number < found[asker].size()) {
        RC_ASSERT(thing == found[asker][number]);
      } else if (thing != kNoThing) {
        found[asker].push_back(thing);
      }
    }
    for (uint32_t asker = 0; asker < askers.size(); ++asker) {
      while (search.At(asker, found[asker].size()) != kNoThing) {
        found[asker].push_back(search.At(asker, found[asker].size()));
      }
      std::sort(found[asker].begin(), found[asker].end());
      std::vector<uint32_t> expected;
      for (uint32_t thing = 0; thing < things.size(); ++thing) {
        if (cover->Embeds(data.forest.root(askers.member(asker, 0)),
                          source.forest.root(things.member(thing, 0)))) {
          expected.push_back(thing);
        }
      }
      RC_ASSERT(found[asker] == expected);
    }
  }
}

RC_GTEST_PROP(OriginalSearchPropertyTest, FindsWhatEmbedsOneByOne, (uint64_t seed)) {
  FindsWhoFits<Embedding>(seed);
}

RC_GTEST_PROP(OriginalSearchPropertyTest, FindsWhatPathsCoverOneByOne, (uint64_t seed)) {
  FindsWhoFits<PathCover>(seed);
}

TEST(VertexKindsTest, TellsVerticesApartByAllValues) {
  VertexKinds kinds;
  const std::vector<std::vector<uint32_t>> values = {{1, 2, 3}, {1, 3, 2}, {1, 2, 3},
                                                     {2, 1, 3}, {1, 2, 4}, {1, 3, 2}};
  for (Vertex v = 0; v < values.size(); ++v) kinds.Note(v, values[v].data(), 3);
  EXPECT_EQ(kinds.size(), 4U);
  for (Vertex v = 0; v < values.size(); ++v) {
    EXPECT_EQ(values[kinds.example(kinds.Find(values[v].data(), 3))], values[v]);
  }
}

}  // namespace
}  // namespace thicket::original_search_test
