// Random schemas, taxonomies and records for property tests, already encoded.
//
//   EncodedDataset data = RandomForest(seed, {.records = 8, .plenty = true});
//
// Equal arguments give equal data. Schemas have one to six classes, zero to three quasi-identifiers and zero to two
// sensitive attributes per class; recodings are irregular taxonomies, ranges and free intervals. Without `plenty`
// values are few, so that duplicates and ties abound; with it they are many, so that ties are rare.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "record/dataset.h"

namespace thicket::testing {

struct ForestShape {
  size_t records = 8;
  size_t classes = 4;
  // The root has depth 1.
  size_t depth = 4;
  // At most so many children of one class below a vertex.
  size_t children = 3;
  // The same below vertices that are no roots; 0: as many as below roots.
  size_t grandchildren = 0;
  // Different sensitive values per attribute.
  size_t secrets = 5;
  bool plenty = false;
  bool missing = true;
  bool once = true;
  // Some sensitive attributes are diverse over records, too.
  bool anywhere = false;
  // Sensitive values, numbers from 0 to 4, have levels: 5 for 0 to 1 for 4.
  bool levels = false;
};

class RandomForestMaker {
 public:
  RandomForestMaker(uint64_t seed, ForestShape shape)
      : random_(Random::Seeded(seed)), shape_(shape), schema_(std::make_shared<Schema>()) {}

  EncodedDataset Make() {
    MakeSchema();
    data_ = Dataset::Empty(schema_, "random.jsonl");
    ForestBuilder builder(*schema_);
    for (uint32_t r = 0; r < shape_.records; ++r) {
      builder.BeginRecord(r + 1);
      // Duplicates of an earlier record, and records that are roots only.
      const uint64_t kind = shape_.plenty ? 9 : random_.Below(10);
      const Random before = random_;
      if (kind == 0 && r > 0) random_ = last_;
      last_ = random_;
      Fill(0, kind != 1, builder);
      if (kind == 0) random_ = before;
      random_.Next();
      builder.EndRecord();
    }
    data_.forest = std::move(builder).Build();
    Result<EncodedDataset> encoded = Encode(std::move(data_), taxonomies_);
    if (!encoded.ok()) throw std::logic_error(encoded.error().message);
    return std::move(*encoded);
  }

  // Those that the schema names, after Make.
  const TaxonomyFiles& taxonomies() const { return taxonomies_; }

 private:
  bool Chance(uint64_t percent) { return random_.Below(100) < percent; }

  void MakeSchema() {
    const size_t classes = 1 + random_.Below(shape_.classes);
    std::vector<size_t> depth;
    for (size_t id = 0; id < classes; ++id) {
      VertexClass added;
      added.name = "c" + std::to_string(id);
      if (id > 0) {
        size_t parent = 0;
        do {
          parent = random_.Below(id);
        } while (depth[parent] >= shape_.depth);
        added.at = added.name;
        added.parent = static_cast<ClassId>(parent);
        schema_->classes[parent].children.push_back(static_cast<ClassId>(id));
        depth.push_back(depth[parent] + 1);
      } else {
        depth.push_back(1);
      }
      const size_t quasi = shape_.plenty ? 2 + random_.Below(2) : random_.Below(4);
      for (size_t slot = 0; slot < quasi; ++slot) added.quasi.push_back(MakeQuasi(id, slot));
      const size_t sensitive = random_.Below(3);
      for (size_t i = 0; i < sensitive; ++i) added.sensitive.push_back(MakeSensitive(i));
      schema_->classes.push_back(std::move(added));
    }
  }

  QuasiAttribute MakeQuasi(size_t id, size_t slot) {
    QuasiAttribute attribute;
    attribute.name = "q" + std::to_string(slot);
    const uint64_t kind = random_.Below(10);
    if (kind < 2) {
      attribute.recoding.kind = Recoding::Kind::kNumeric;
    } else if (kind < 4) {
      attribute.recoding.kind = Recoding::Kind::kRanges;
      attribute.recoding.widths = {3, 12};
    } else {
      attribute.recoding.file = std::to_string(id) + "_" + std::to_string(slot);
      TaxonomyBuilder builder;
      std::vector<std::string>& leaves = leaves_[attribute.recoding.file];
      Grow(builder, TaxonomyBuilder::root(), shape_.plenty ? 4 : 1 + random_.Below(3), leaves);
      taxonomies_.emplace(attribute.recoding.file, std::move(builder).Build());
    }
    return attribute;
  }

  void Grow(TaxonomyBuilder& builder, TaxonomyBuilder::Handle node, size_t levels,
            std::vector<std::string>& leaves) {
    const size_t children = (shape_.plenty ? 2 : 1) + random_.Below(3);
    for (size_t i = 0; i < children; ++i) {
      const bool inner = levels > 1 && Chance(60);
      const std::string label = (inner ? "n" : "v") + std::to_string(builder.size());
      const TaxonomyBuilder::Handle child = builder.Add(node, label);
      if (inner) {
        Grow(builder, child, levels - 1, leaves);
      } else {
        leaves.push_back(label);
      }
    }
  }

  SensitiveAttribute MakeSensitive(size_t index) {
    SensitiveAttribute attribute;
    attribute.name = "s" + std::to_string(index);
    if (shape_.levels) {
      attribute.levels.kind = SensitivityLevels::Kind::kNumeric;
      attribute.levels.min = 0;
      attribute.levels.max = 4;
      attribute.levels.low_is_sensitive = true;
    }
    if (shape_.anywhere) attribute.anywhere = Chance(60);
    if (Chance(30)) attribute.buckets = {0, 1, 3};
    if (shape_.once && Chance(25)) attribute.once = {"1"};
    return attribute;
  }

  void Fill(ClassId id, bool with_children, ForestBuilder& builder) {
    const VertexClass& vertex_class = schema_->classes[id];
    const uint64_t missing = shape_.missing ? 8 : 0;
    for (size_t slot = 0; slot < vertex_class.quasi.size(); ++slot) {
      if (Chance(missing)) continue;
      builder.Set(slot, data_.dictionaries[id][slot].Intern(ValueKind::kString,
                                                            RandomValue(vertex_class.quasi[slot])));
    }
    for (size_t i = 0; i < vertex_class.sensitive.size(); ++i) {
      if (Chance(missing)) continue;
      const size_t slot = vertex_class.sensitive_slot(i);
      builder.Set(slot, data_.dictionaries[id][slot].Intern(
                            ValueKind::kNumber, std::to_string(random_.Below(shape_.secrets))));
    }
    if (!with_children) return;
    std::vector<ClassId> children;
    const size_t most =
        id == 0 || shape_.grandchildren == 0 ? shape_.children : shape_.grandchildren;
    for (const ClassId child : vertex_class.children) {
      children.insert(children.end(), random_.Below(most + 1), child);
    }
    random_.Shuffle(children);
    for (const ClassId child : children) {
      builder.Open(child);
      Fill(child, true, builder);
      builder.Close();
    }
  }

  std::string RandomValue(const QuasiAttribute& attribute) {
    if (attribute.recoding.kind != Recoding::Kind::kTaxonomy) {
      return std::to_string(random_.Below(shape_.plenty ? 1000 : 20));
    }
    const std::vector<std::string>& leaves = leaves_[attribute.recoding.file];
    return leaves[random_.Below(leaves.size())];
  }

  Random random_;
  Random last_ = Random::Seeded(0);
  ForestShape shape_;
  std::shared_ptr<Schema> schema_;
  std::map<std::string, std::vector<std::string>> leaves_;
  TaxonomyFiles taxonomies_;
  Dataset data_;
};

inline EncodedDataset RandomForest(uint64_t seed, ForestShape shape) {
  return RandomForestMaker(seed, shape).Make();
}

}  // namespace thicket::testing
