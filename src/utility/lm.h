// LM: how much of the quasi-identifiers is lost, from 0 (nothing) to 1 (everything).
//
// Definition 3.10 of Ozalp et al. 2016. Every quasi-identifier value of the original data counts once: a published one
// by LM' of its label (Definition 3.9), a suppressed one by 1. Averaged per attribute it is also known as NCP. A value that
// the original does not have cannot be lost, and counts apart.
//
// Absent values meet others only at "*", which costs 1 as suppression does. So the loss is exact though nothing says which
// original a published "*" stands for; only where vertices without a value were suppressed, too, some values that are
// published as "*" may be counted as suppressed.
//
//   THICKET_ASSIGN(LmReport report, MeasureLm(original, published));
//   report.lm();                          // of everything
//   report.classes[course].lm();          // of the courses
//   report.classes[course].attributes[0]  // of the course code
//
// O(vertices + distinct labels); sums run over distinct labels, so they are the same in every order of records.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"

namespace thicket {

struct LossCount {
  // Values in the original data, and values that its vertices could have, but have not.
  uint64_t labels = 0;
  uint64_t absent = 0;
  // Of these: left out with their vertex or record; published more general than they were.
  uint64_t suppressed = 0;
  uint64_t generalized = 0;
  // The sum of LM' over the published values and of 1 over the suppressed ones.
  double loss = 0;

  double lm() const { return labels == 0 ? 0 : loss / static_cast<double>(labels); }
  LossCount& operator+=(const LossCount& other);
};

struct AttributeLoss : LossCount {
  std::string name;
};

struct ClassLoss : LossCount {
  std::string name;
  // By quasi-identifier.
  std::vector<AttributeLoss> attributes;
};

struct LmReport : LossCount {
  // By class of the schema.
  std::vector<ClassLoss> classes;
};

// `published` is the published data as it is read back. Fails with kData if it holds a label that the original's
// domains do not have, or more vertices of a class, or values of an attribute, than the original.
Result<LmReport> MeasureLm(const EncodedDataset& original, const Dataset& published);

}  // namespace thicket
