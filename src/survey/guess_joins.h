// How tables hang together, judged by names and by values, and which tree of persons they make.
//
// A person-specific database is a snowflake (Nergiz et al. 2008, section IV-A): one table of persons, and every other
// table reaches it by one foreign key. Databases declare their keys; files do not, so there a column is taken for a
// foreign key if (nearly) all its values are keys of another table and its name says so. Numbers are keys by chance all
// too often: without the name they are none.
//
//   std::vector<Join> joins = GuessJoins(tables);         // or those that a database declares
//   ... count the orphans of each join ...
//   JoinTree tree = GrowJoinTree(tables, std::move(joins));
//   tree.person; tree.parent[3];                          // the join to the table above
//
// O(distinct values x keys of other tables), each pair of columns only as long as it looks like a join.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "survey/survey.h"

namespace thicket {

// The hashes of all values of a column (AttributeSurvey::Hash), ascending.
using KeyHashes = std::vector<uint64_t>;

bool HasKey(const KeyHashes& keys, uint64_t hash);

struct JoinColumn {
  std::string name;
  // The values of the rows that were looked at; null if the column cannot be read.
  const AttributeSurvey* values = nullptr;
  // Of all rows, if it can be a key: never missing, and never twice the same.
  std::optional<KeyHashes> keys;
  // Whether it is declared to be the key, and no other column with it.
  bool primary = false;
};

struct JoinTable {
  std::string name;
  std::vector<JoinColumn> columns;
  uint64_t rows = 0;
};

// A foreign key, by numbers of tables and columns, and the key that it leads to.
struct Join {
  size_t table = 0;
  size_t column = 0;
  size_t to = 0;
  size_t key = 0;
  // How many rows have no parent there: the value is missing, or no key.
  uint64_t orphans = 0;
};

// A share of values that must be keys before a column is taken for a foreign key: real exports have orphans.
inline constexpr double kNearlyAll = 0.98;

// At most one join per column.
std::vector<Join> GuessJoins(const std::vector<JoinTable>& tables);

struct JoinTree {
  static constexpr size_t kNone = std::numeric_limits<size_t>::max();

  size_t person = 0;
  std::vector<Join> joins;
  // By table: its join to the table above; kNone for the persons and for tables outside of the tree.
  std::vector<size_t> parent;
  // By table: its key column, kNone if nothing is joined to it and nothing is named like one.
  std::vector<size_t> key;

  bool Holds(size_t table) const { return table == person || parent[table] != kNone; }
};

// The persons are those whom most tables reach; tables with names such as "patients" come first, then those with columns
// such as "birth_date", since everything that persons refer to is reached by even more. With several foreign keys the
// deepest parent wins (of patients and encounters, encounters), as long as it loses (nearly) no row. A table that the
// persons themselves refer to is no part of the tree. `tables` must not be empty.
JoinTree GrowJoinTree(const std::vector<JoinTable>& tables, std::vector<Join> joins);

}  // namespace thicket
