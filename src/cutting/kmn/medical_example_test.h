// The tree data base of Figure 10 of Gkountouna et al. 2013 with the hierarchy of Figure 4, for tests.
//
// Hospitals, diseases and treatments are classes of one attribute each, below a record without attributes.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cutting/kmn/item_hierarchy.h"
#include "record/dataset.h"
#include "testing/medical.h"

namespace thicket {

// A hospital with its diseases, each with its treatments.
using MedicalRecord = std::vector<
    std::pair<std::string, std::vector<std::pair<std::string, std::vector<std::string>>>>>;

inline EncodedDataset MedicalDataset(const std::vector<MedicalRecord>& records) {
  const auto schema = testing::MedicalSchema();
  Dataset data = Dataset::Empty(schema, "medical.jsonl");
  ForestBuilder builder(*schema);
  const auto open = [&](ClassId id, const std::string& value) {
    builder.Open(id);
    builder.Set(0, data.dictionaries[id][0].Intern(ValueKind::kString, value));
  };
  for (const MedicalRecord& record : records) {
    builder.BeginRecord(1);
    for (const auto& [hospital, diseases] : record) {
      open(1, hospital);
      for (const auto& [disease, treatments] : diseases) {
        open(2, disease);
        for (const std::string& treatment : treatments) {
          open(3, treatment);
          builder.Close();
        }
        builder.Close();
      }
      builder.Close();
    }
    builder.EndRecord();
  }
  data.forest = std::move(builder).Build();
  Result<EncodedDataset> encoded = Encode(std::move(data), testing::MedicalTaxonomies());
  if (!encoded.ok()) throw std::logic_error(encoded.error().message);
  return std::move(*encoded);
}

// r1 to r4.
inline std::vector<MedicalRecord> Figure10() {
  return {
      {{"Hospital1", {{"Gastritis", {}}}},
       {"Hospital2", {{"Flu", {"Pain killer"}}, {"Bronchitis", {"Antibiotics"}}}}},
      {{"Hospital1", {{"Gastritis", {}}, {"Bronchitis", {"Antibiotics"}}}},
       {"Hospital2", {{"Bronchitis", {"Antibiotics"}}, {"Flu", {"Pain killer"}}}}},
      {{"Hospital1", {{"Flu", {"Pain killer"}}}}, {"Hospital2", {{"Flu", {"Pain killer"}}}}},
      {{"Hospital1", {{"Bronchitis", {}}, {"Gastritis", {"Pain killer"}}}}},
  };
}

// Items of the example by their labels.
class MedicalItems {
 public:
  MedicalItems(const ItemHierarchy& items, const EncodedDataset& data) : items_(&items) {
    for (Item item = 0; item < items.size(); ++item) {
      if (items.is_left_out(item)) continue;
      const ItemHierarchy::Attribute& attribute = items.attribute(item);
      const Domain& domain = data.classes[attribute.class_id].domains[attribute.slot];
      const std::string& label = domain.taxonomy().label(items.label(item).low);
      by_label_[label] = item;
      label_of_[item] = label;
    }
  }
  Item operator[](const std::string& label) const { return by_label_.at(label); }
  const std::string& label(Item item) const { return label_of_.at(item); }
  std::vector<std::string> labels(const std::vector<Item>& items) const {
    std::vector<std::string> labels;
    for (const Item item : items) {
      labels.push_back(items_->is_left_out(item) ? "left out" : label(item));
    }
    return labels;
  }
  // By item: the label of the cut at or above it.
  std::vector<Item> Cut(const std::vector<std::string>& labels) const {
    std::vector<Item> label_of(items_->size(), 0);
    for (const std::string& label : labels) label_of[by_label_.at(label)] = by_label_.at(label);
    for (Item item = 0; item < items_->size(); ++item) {
      if (label_of[item] == 0 && !items_->is_left_out(item)) {
        label_of[item] = label_of[items_->parent(item)];
      }
    }
    return label_of;
  }

 private:
  const ItemHierarchy* items_;
  std::map<std::string, Item> by_label_;
  std::map<Item, std::string> label_of_;
};

}  // namespace thicket
