// In how many records of each shape of a release each sensitive value stands, in whichever vertex.
//
// What an adversary learns who does not ask which of a person's diagnoses is HIV, but whether one is. A record counts once for
// a value, and a missing value is none.
//
//   SecretCounts counts(schema, release);
//   counts.Most(shapes);   // of the value that most records of these shapes have
//
// O(vertices) once, then O(different values of the shapes) per question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "attack/release.h"

namespace thicket {

class SecretCounts {
 public:
  SecretCounts(const Schema& schema, const Release& release);

  // The number of records of these shapes that have the value that most of them have.
  uint32_t Most(const std::vector<uint32_t>& shapes);
  // The same of one shape.
  uint32_t Most(size_t shape) const;
  // The same of all shapes.
  uint32_t MostOfAll() const { return most_of_all_; }

 private:
  // `secret` stands for a bucket of an attribute of a class.
  struct Count {
    uint32_t secret;
    uint32_t records;
  };
  std::vector<size_t> first_ = {0};  // by shape, in counts_
  std::vector<Count> counts_;
  std::vector<uint32_t> sums_;  // by secret; all 0 between questions
  uint32_t most_of_all_ = 0;
};

}  // namespace thicket
