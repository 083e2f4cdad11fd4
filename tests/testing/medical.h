// The hierarchy of Figure 4 of Gkountouna et al. 2013: patients, their hospitals, diseases and treatments.
//
//   EncodedDataset data = *Encode(ParseForest(MedicalSchema(), "patient{hospital(Rea){disease(Flu)}}"), MedicalTaxonomies());
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "record/dataset.h"
#include "testing/forest_text.h"

namespace thicket::testing {

inline std::shared_ptr<Schema> MedicalSchema() {
  auto schema = ParseSchema("patient{hospital(center){disease(disease){treatment(treatment)}}}");
  for (VertexClass& one : schema->classes) {
    for (QuasiAttribute& attribute : one.quasi) attribute.recoding.file = attribute.name;
  }
  return schema;
}

// `root`: what all three roots are called instead of their own names; missing values need a "*".
inline TaxonomyFiles MedicalTaxonomies(const std::string& root = "") {
  TaxonomyFiles files;
  const auto add =
      [&](const std::string& name, const std::string& own,
          const std::vector<std::pair<std::string, std::vector<std::string>>>& groups) {
        TaxonomyBuilder builder(root.empty() ? own : root);
        for (const auto& [group, leaves] : groups) {
          const auto node = builder.Add(TaxonomyBuilder::root(), group);
          for (const std::string& leaf : leaves) builder.Add(node, leaf);
        }
        files.emplace(name, std::move(builder).Build());
      };
  add("center", "Medical Center",
      {{"General Hosp.", {"Hospital1", "Hospital2"}}, {"Maternity Hosp.", {"Rea", "Gaia"}}});
  add("disease", "Disease",
      {{"Lung Disease", {"Flu", "Bronchitis"}}, {"Stomach Disorder", {"Diarrhea", "Gastritis"}}});
  add("treatment", "Treatment",
      {{"Physiotherapy", {"Neurological", "Orthopedic"}},
       {"Medicine", {"Pain killer", "Antibiotics"}}});
  return files;
}

}  // namespace thicket::testing
