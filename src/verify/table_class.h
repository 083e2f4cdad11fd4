// The look-alikes of a table by their secrets, and what each scheme of suppression leaves of them.
//
// Internal to verify/table_scheme.h, which says what must hold.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"
#include "record/dataset.h"
#include "verify/thresholds.h"

namespace thicket {

struct TableClass {
  explicit TableClass(size_t attributes) : counts(attributes), stars(attributes, 0) {}
  friend bool operator==(const TableClass&, const TableClass&) = default;

  uint64_t size = 0;
  // By sensitive attribute: how many have each secret, and how many are suppressed.
  std::vector<std::map<uint32_t, uint64_t>> counts;
  std::vector<uint64_t> stars;
};

class TableRule {
 public:
  // The policy must outlive the rule.
  explicit TableRule(const Policy& policy);

  // Of the attributes that are protected; none where k alone is promised. kUsage as in ReadSecrets.
  Status ReadSecretsOf(const Dataset& published, const Dataset* original);
  size_t attribute_count() const { return secrets_.size(); }

  bool leaves_records_out() const {
    return scheme_ == Scheme::kAllRecords || scheme_ == Scheme::kViolatingRecords;
  }

  // So many records with the secrets of this one.
  void Add(const Dataset& data, RecordId record, bool is_published, uint64_t count,
           TableClass& to) const;
  // What stays of a class.
  TableClass Suppress(const TableClass& before);

  // How many suppressed values of a published class anybody can tell: all of them, with violating-values, if of the values
  // that `occur` in the table a single one is not shown in the class and may be so frequent there.
  uint64_t CountTold(const TableClass& published, size_t attribute, const TableClass& occur);

  // What is wrong with the suppressed values of a published class by itself; empty if nothing is.
  std::string FaultOfStars(const TableClass& published) const;
  // What is wrong with a published class, of which `expected` should stay; empty if nothing is.
  std::string Difference(const TableClass& before, const TableClass& expected,
                         const TableClass& published) const;

 private:
  enum class Scheme { kNone, kAllRecords, kAllValues, kViolatingValues, kViolatingRecords };

  bool Violates(const TableClass& of);
  bool Violates(const TableClass& of, size_t attribute);
  TableClass SuppressFewest(const TableClass& before);

  const Policy* policy_;
  Scheme scheme_;
  uint64_t k_;
  std::vector<Secrets> secrets_;
};

}  // namespace thicket
