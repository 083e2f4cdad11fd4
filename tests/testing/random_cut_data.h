// Random small data sets for k^(m,n)-anonymity.
//
//   Random random = Random::Seeded(seed);
//   const EncodedDataset data = RandomCutData(random, 400).Make();
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "record/dataset.h"

namespace thicket::testing {

// One to four classes, up to three quasi-identifiers each, irregular taxonomies; as many attributes as leave at most
// `most_cuts` cuts, left-out attributes among them. Values are few, some are missing, records may be empty or copies. Most
// data sets are dense: records have nearly all labels, and differ in what stands below what.
class RandomCutData {
 public:
  // Sensitive values are few, too, unless it is said how many.
  RandomCutData(Random& random, size_t most_cuts, size_t secrets = 3)
      : random_(&random),
        cuts_left_(most_cuts),
        secrets_(secrets),
        schema_(std::make_shared<Schema>()) {}

  // So many records, instead of a few.
  RandomCutData& WithRecords(size_t records) {
    records_ = records;
    return *this;
  }

  EncodedDataset Make() {
    is_dense_ = Chance(75);
    const size_t classes = is_dense_ ? 2 + random_->Below(3) : 1 + random_->Below(4);
    for (size_t id = 0; id < classes; ++id) AddClass(id);
    data_ = Dataset::Empty(schema_, "random.jsonl");
    ForestBuilder builder(*schema_);
    const size_t few = 3 + random_->Below(Chance(50) ? 8 : 20);
    const size_t records = records_ > 0 ? records_ : few;
    missing_ = random_->Below(5) * 8;
    most_children_ = (is_dense_ ? 2 : 1) + random_->Below(3);
    for (uint32_t r = 0; r < records; ++r) {
      builder.BeginRecord(r + 1);
      const Random before = *random_;
      const bool is_copy = r > 0 && Chance(25);
      if (is_copy) *random_ = last_;
      last_ = *random_;
      if (!Chance(is_dense_ ? 2 : 7)) Fill(0, builder);
      if (is_copy) *random_ = before;
      random_->Next();
      builder.EndRecord();
    }
    data_.forest = std::move(builder).Build();
    Result<EncodedDataset> encoded = Encode(std::move(data_), taxonomies_);
    if (!encoded.ok()) throw std::logic_error(encoded.error().message);
    return std::move(*encoded);
  }

 private:
  bool Chance(uint64_t percent) { return random_->Below(100) < percent; }

  void AddClass(size_t id) {
    VertexClass added;
    added.name = "c" + std::to_string(id);
    if (id > 0) {
      added.at = added.name;
      added.parent = static_cast<ClassId>(Chance(60) ? id - 1 : random_->Below(id));
      schema_->classes[added.parent].children.push_back(static_cast<ClassId>(id));
    }
    const bool is_bare_root = id == 0 && is_dense_ && Chance(70);
    for (size_t quasi = (id == 0 ? 0 : 1) + random_->Below(3); quasi > 0 && !is_bare_root;
         --quasi) {
      AddQuasi(added);
    }
    if (Chance(30)) {
      SensitiveAttribute secret;
      secret.name = "s";
      added.sensitive.push_back(secret);
    }
    schema_->classes.push_back(std::move(added));
  }

  void AddQuasi(VertexClass& to) {
    QuasiAttribute attribute;
    attribute.name = "q" + std::to_string(to.quasi.size());
    attribute.recoding.file = to.name + attribute.name;
    for (size_t levels = 1 + random_->Below(is_dense_ ? 2 : 3); levels > 0; --levels) {
      TaxonomyBuilder builder;
      std::vector<std::string> leaves;
      const size_t cuts = 1 + Grow(builder, TaxonomyBuilder::root(), levels, leaves);
      if (cuts > cuts_left_) continue;
      cuts_left_ /= cuts;
      taxonomies_.emplace(attribute.recoding.file, std::move(builder).Build());
      leaves_[attribute.recoding.file] = std::move(leaves);
      to.quasi.push_back(attribute);
      return;
    }
  }

  // How many cuts there are.
  size_t Grow(TaxonomyBuilder& builder, TaxonomyBuilder::Handle node, size_t levels,
              std::vector<std::string>& leaves) {
    size_t cuts = 1;
    for (size_t children = 1 + random_->Below(3); children > 0; --children) {
      const std::string label = std::to_string(builder.size());
      const TaxonomyBuilder::Handle child = builder.Add(node, label);
      if (levels > 1 && Chance(60)) {
        cuts *= Grow(builder, child, levels - 1, leaves);
      } else {
        leaves.push_back(label);
      }
    }
    return cuts + 1;
  }

  void Fill(ClassId id, ForestBuilder& builder) {
    const VertexClass& of = schema_->classes[id];
    for (size_t slot = 0; slot < of.quasi.size(); ++slot) {
      if (Chance(missing_)) continue;
      const std::vector<std::string>& leaves = leaves_[of.quasi[slot].recoding.file];
      const std::string& text = leaves[random_->Below(leaves.size())];
      builder.Set(slot, data_.dictionaries[id][slot].Intern(ValueKind::kString, text));
    }
    for (size_t i = 0; i < of.sensitive.size(); ++i) {
      if (Chance(30)) continue;
      const size_t slot = of.sensitive_slot(i);
      const std::string text = std::to_string(random_->Below(secrets_));
      builder.Set(slot, data_.dictionaries[id][slot].Intern(ValueKind::kString, text));
    }
    for (const ClassId child : of.children) {
      const size_t least = is_dense_ && id == 0 ? most_children_ : 0;
      for (size_t i = least + random_->Below(most_children_ + 1); i > 0; --i) {
        builder.Open(child);
        Fill(child, builder);
        builder.Close();
      }
    }
  }

  Random* random_;
  Random last_ = Random::Seeded(0);
  size_t cuts_left_;
  size_t secrets_;
  size_t records_ = 0;
  bool is_dense_ = false;
  uint64_t missing_ = 0;
  size_t most_children_ = 1;
  std::shared_ptr<Schema> schema_;
  std::map<std::string, std::vector<std::string>> leaves_;
  TaxonomyFiles taxonomies_;
  Dataset data_;
};

}  // namespace thicket::testing
