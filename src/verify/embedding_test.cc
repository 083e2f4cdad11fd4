#include "verify/embedding.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "testing/random_forest.h"

namespace thicket::embedding_test {
namespace {

using testing::ForestShape;
using testing::RandomForestMaker;

// The records with some labels suppressed, some subtrees pruned, and now and then a value changed.
class Coarsening {
 public:
  Coarsening(const Dataset& original, uint64_t seed)
      : original_(original),
        random_(Random::Seeded(seed)),
        result_(Dataset::Empty(original.schema, "published.jsonl")),
        builder_(*original.schema) {}

  Dataset Make() {
    result_.dictionaries = original_.dictionaries;
    for (RecordId record = 0; record < original_.forest.record_count(); ++record) {
      builder_.BeginRecord(record + 1);
      Fill(original_.forest.root(record));
      builder_.EndRecord();
    }
    result_.forest = std::move(builder_).Build();
    return std::move(result_);
  }

 private:
  void Fill(Vertex vertex) {
    const Forest& forest = original_.forest;
    const ClassId id = forest.class_of(vertex);
    const VertexClass& of = original_.schema->classes[id];
    for (size_t slot = 0; slot < of.value_count(); ++slot) {
      Symbol symbol = forest.value(vertex, slot);
      Dictionary& dictionary = result_.dictionaries[id][slot];
      if (slot < of.quasi.size() && random_.Below(3) == 0) {
        symbol = dictionary.Intern(ValueKind::kString, "*");
      } else if (random_.Below(400) == 0) {
        symbol = static_cast<Symbol>(random_.Below(dictionary.size()));
      }
      builder_.Set(slot, symbol);
    }
    for (const Vertex child : forest.Children(vertex)) {
      if (random_.Below(20) == 0) continue;
      builder_.Open(forest.class_of(child));
      Fill(child);
      builder_.Close();
    }
  }

  const Dataset& original_;
  Random random_;
  Dataset result_;
  ForestBuilder builder_;
};

RC_GTEST_PROP(EmbeddingTest, GroupsOfEqualsArePlacedWhereEachOfThemCanBe, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  ForestShape shape;
  shape.records = 5;
  shape.classes = 3;
  shape.depth = 3;
  shape.children = 2 + random.Below(30);
  shape.grandchildren = 2;
  shape.secrets = 3;
  shape.plenty = random.Below(2) == 0;
  RandomForestMaker maker(random.Next(), shape);
  const EncodedDataset encoded = maker.Make();
  const Dataset& original = encoded.data;
  const Dataset published = Coarsening(original, random.Next()).Make();
  Result<Embedding> one_by_one =
      Embedding::Create(encoded.schema(), maker.taxonomies(), published, original);
  Result<Embedding> by_groups =
      Embedding::Create(encoded.schema(), maker.taxonomies(), published, original);
  RC_ASSERT(one_by_one.ok());
  by_groups->PlaceByGroupsFrom(0);
  for (RecordId a = 0; a < published.forest.record_count(); ++a) {
    for (RecordId b = 0; b < original.forest.record_count(); ++b) {
      const Vertex from = published.forest.root(a);
      const Vertex to = original.forest.root(b);
      const bool embeds = one_by_one->Embeds(from, to);
      RC_ASSERT(by_groups->Embeds(from, to) == embeds);
      if (!embeds) {
        RC_ASSERT(by_groups->Explain(from, to).kind == one_by_one->Explain(from, to).kind);
      }
      RC_CLASSIFY(a == b && embeds, "embeds");
      RC_CLASSIFY(a == b && !embeds, "does not");
    }
  }
}

}  // namespace
}  // namespace thicket::embedding_test
