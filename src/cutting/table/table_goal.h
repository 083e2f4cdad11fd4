// What is promised of a published table, what may be suppressed for it, and what a loss costs.
//
// A class is the records that a cut makes look alike. The promise, for each class that is published: at least k records,
// and of these at most a share of theta has the same value of a sensitive attribute, theta by value (Definition 3.1 of
// Liu 2010; l-diversity is theta = 1/l for every value). A suppressed value `*` counts in the size of its class and never
// as a value (Table 3.2).
//
// The schemes of Section 3.1.3, each applied to each class that breaks the promise:
//
//   kNone              nothing is suppressed: a cut with such a class is not valid
//   kAllRecords        all records of the class are left out
//   kAllValues         every value of a sensitive attribute that has a value above its theta is published as `*`
//   kViolatingValues   every value above its theta is published as `*`, and the others stay
//   kViolatingRecords  the fewest records are left out that leave the promise; all of them if fewer than k would stay
//
// Values can be taken out of a class, but no record put in: with the two schemes for values a cut with a class of fewer
// than k records is not valid. The fewest records are the same in number for each value whatever is tried (what may stay
// is closed under taking the larger count of each value), as long as there is one sensitive attribute; with several
// kViolatingRecords is not for use.
//
// The metrics of Section 3.5, each summed over the records:
//
//   kLm   (leaves - 1) / (all leaves - 1) of each label shown, 0 for a leaf and 1 for a root that has children;
//         `suppression_cost` for a record that is left out (then nothing else), or for each value that is suppressed
//   kDm   how many records its class has when published; the size of the table for one that is left out
//   kCm   1 for a record that has not the commonest class label of its published class, or is left out. Of the records
//         that kViolatingRecords may leave out those go that leave the least cost
//
// kDm and kCm are for kNone, kAllRecords and kViolatingRecords.
#pragma once

#include <cstdint>
#include <vector>

#include "cutting/table/fraction.h"
#include "cutting/table/table.h"

namespace thicket {

enum class Suppression : uint8_t {
  kNone,
  kAllRecords,
  kAllValues,
  kViolatingValues,
  kViolatingRecords,
};
enum class TableMetric : uint8_t { kLm, kDm, kCm };

inline bool SuppressesRecords(Suppression scheme) {
  return scheme == Suppression::kAllRecords || scheme == Suppression::kViolatingRecords;
}
inline bool SuppressesValues(Suppression scheme) {
  return scheme == Suppression::kAllValues || scheme == Suppression::kViolatingValues;
}

struct TablePromise {
  uint64_t k = 1;
  // By numbered sensitive value (Table::first_value): the largest share of a class. 1 and more never bind.
  std::vector<Fraction> theta = {};

  // No shares, if the table's sensitive values are nobody's business; and the same share for every value.
  static TablePromise KAnonymity(const Table& table, uint64_t k);
  static TablePromise Uniform(const Table& table, Fraction theta, uint64_t k = 1);
  // Section 3.6.1.2: theta for values below the mean frequency of the attribute's values that occur, and more in
  // proportion, at most 1, for those above.
  static TablePromise ByFrequency(const Table& table, Fraction theta, uint64_t k = 1);
};

struct TableGoal {
  TablePromise promise = {};
  Suppression suppression = Suppression::kViolatingRecords;
  TableMetric metric = TableMetric::kLm;
  // LM only, in labels that show nothing: of a record at least the number of quasi-identifiers (Observation 3.1 b), of a
  // value more than 0.
  Fraction suppression_cost = {0, 1};

  // What the thesis takes (Section 3.5.1.2): one per quasi-identifier for a value, two for a record.
  static Fraction LeastCost(const Table& table, Suppression scheme) {
    return {table.quasi_count() * (SuppressesRecords(scheme) ? 2 : 1), 1};
  }
};

}  // namespace thicket
