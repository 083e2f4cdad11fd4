// Trees over the hierarchy of Fig. 4 of Gkountouna et al. 2013: patient -> hospital -> disease -> treatment.
#pragma once

#include <string>
#include <vector>

#include "testing/medical.h"
#include "utility/test_data.h"

namespace thicket {

inline constexpr ClassId kPatient = 0;
inline constexpr ClassId kHospital = 1;
inline constexpr ClassId kDisease = 2;
inline constexpr ClassId kTreatment = 3;

inline TaxonomyFiles PatientTaxonomies() { return testing::MedicalTaxonomies("*"); }

inline ToyVertex Patient(std::vector<ToyVertex> below) {
  return {kPatient, {}, {}, std::move(below)};
}
inline ToyVertex Hospital(std::string label, std::vector<ToyVertex> below) {
  return {kHospital, {std::move(label)}, {}, std::move(below)};
}
inline ToyVertex Disease(std::string label, std::vector<ToyVertex> below) {
  return {kDisease, {std::move(label)}, {}, std::move(below)};
}
inline ToyVertex Treatment(std::string label) { return {kTreatment, {std::move(label)}, {}, {}}; }

// The record of Fig. 2.
inline ToyVertex PatientA() {
  return Patient({Hospital("Hospital1", {Disease("Gastritis", {})}),
                  Hospital("Hospital2", {Disease("Flu", {Treatment("Pain killer")}),
                                         Disease("Bronchitis", {Treatment("Antibiotics")})})});
}

inline Dataset Patients(const std::vector<ToyVertex>& records) {
  ToyData toy(testing::MedicalSchema());
  for (const ToyVertex& record : records) toy.Add(record);
  return toy.Build();
}

inline EncodedDataset EncodedPatients(const std::vector<ToyVertex>& records) {
  return *Encode(Patients(records), PatientTaxonomies());
}

}  // namespace thicket
