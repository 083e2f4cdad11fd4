// Multirelational k-anonymity, checked on published tables: the requirements of Definition 5 of Nergiz et al. 2008.
//
//   Snowflake original(schema, original_texts);
//   Snowflake published(schema, published_texts);      // the CSV texts, by table
//   EXPECT_EQ(FindFault(original, published, 2), "");
//
// The tables are joined along their foreign keys into the join JT, as it stands: one tuple per combination of rows, where
// nothing joins none. A view may ask anything about quasi-identifiers and about which rows join, but not which key a row
// has: keys are new. So no view tells two persons apart if and only if their join tuples are the same up to a renaming of
// rows, which is found by trying. Then
//   1. for each sensitive value there are k rows that no view tells apart, each of another person;
//   2. for each person there are k that no view tells apart;
//   3. each person is one of the original ones, with the same sensitive values and quasi-identifiers as they were or more
//      general; no two are the same one. A row that was left out counts as suppressed; none may be added.
// All tables must be there with their columns (structural equivalence, Definition 4), and keys must join as they did: a
// key stands for one row, a foreign key for a row that is there.
//
// A label is more general than another one if that one begins with it, or if it is "*". Texts have no quotes and no
// commas inside values. Nothing here is shared with the project's code. Exponential: for a dozen small persons.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace thicket::testing {

// The first one is that of the persons.
struct SnowflakeTable {
  std::string name;
  std::string key;           // empty if nothing joins here
  std::string foreign_key;   // empty for the persons
  std::string parent_table;  // empty for the persons
  std::vector<std::string> quasi;
  std::vector<std::string> sensitive;
};
using SnowflakeSchema = std::vector<SnowflakeTable>;

struct SnowflakeRow {
  size_t table = 0;
  std::map<std::string, std::string> cells;
};
// One row of each table that has one.
using JoinTuple = std::map<size_t, const SnowflakeRow*>;

// A person's part of the join.
struct SnowflakePerson {
  std::vector<const SnowflakeRow*> rows;  // parents first
  std::set<JoinTuple> tuples;
  std::set<std::pair<const SnowflakeRow*, const SnowflakeRow*>> together;  // in some tuple
};

class Snowflake {
 public:
  Snowflake(SnowflakeSchema schema, const std::map<std::string, std::string>& texts)
      : schema_(std::move(schema)), rows_(schema_.size()) {
    for (size_t table = 0; table < schema_.size() && fault_.empty(); ++table) {
      const auto text = texts.find(schema_[table].name);
      if (text == texts.end()) {
        fault_ = "no table " + schema_[table].name;
      } else {
        ReadRows(table, text->second);
      }
    }
    if (fault_.empty()) CheckKeys();
    if (!fault_.empty()) return;
    for (const SnowflakeRow& row : rows_[0]) persons_.push_back(PersonOf(row));
  }
  Snowflake(const Snowflake&) = delete;
  Snowflake& operator=(const Snowflake&) = delete;

  // What is wrong with tables or keys.
  const std::string& fault() const { return fault_; }
  const SnowflakeSchema& schema() const { return schema_; }
  const std::vector<SnowflakePerson>& persons() const { return persons_; }

 private:
  static std::vector<std::string> Cells(const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
      if (c == ',') {
        cells.emplace_back();
      } else if (c != '\r') {
        cells.back() += c;
      }
    }
    return cells;
  }

  void ReadRows(size_t table, const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> header = Cells(line);
    std::set<std::string> expected(schema_[table].quasi.begin(), schema_[table].quasi.end());
    expected.insert(schema_[table].sensitive.begin(), schema_[table].sensitive.end());
    for (const std::string& key : {schema_[table].key, schema_[table].foreign_key}) {
      if (!key.empty()) expected.insert(key);
    }
    if (std::set<std::string>(header.begin(), header.end()) != expected) {
      fault_ = schema_[table].name + ": other columns";
    }
    while (fault_.empty() && std::getline(lines, line)) {
      const std::vector<std::string> cells = Cells(line);
      SnowflakeRow row{table, {}};
      for (size_t i = 0; i < header.size(); ++i) row.cells[header[i]] = cells.at(i);
      rows_[table].push_back(std::move(row));
    }
  }

  size_t Parent(size_t table) const {
    for (size_t i = 0; i < schema_.size(); ++i) {
      if (schema_[i].name == schema_[table].parent_table) return i;
    }
    return 0;
  }

  void CheckKeys() {
    for (size_t table = 0; table < schema_.size() && fault_.empty(); ++table) {
      std::set<std::string> keys;
      for (const SnowflakeRow& row : rows_[table]) {
        if (schema_[table].key.empty()) break;
        if (!keys.insert(row.cells.at(schema_[table].key)).second) {
          fault_ = schema_[table].name + ": a key stands for two rows";
        }
      }
      for (const SnowflakeRow& row : rows_[table]) {
        if (table > 0 && Above(row) == nullptr) fault_ = schema_[table].name + ": joins nothing";
      }
    }
  }

  const SnowflakeRow* Above(const SnowflakeRow& row) const {
    const size_t parent = Parent(row.table);
    const std::string& key = row.cells.at(schema_[row.table].foreign_key);
    for (const SnowflakeRow& other : rows_[parent]) {
      if (other.cells.at(schema_[parent].key) == key) return &other;
    }
    return nullptr;
  }

  // The join of a row with all that hangs below it.
  std::vector<JoinTuple> Join(const SnowflakeRow& row, SnowflakePerson& person) const {
    person.rows.push_back(&row);
    std::vector<JoinTuple> joined = {{{row.table, &row}}};
    for (size_t table = 1; table < schema_.size(); ++table) {
      if (Parent(table) != row.table) continue;
      std::vector<JoinTuple> below;
      for (const SnowflakeRow& other : rows_[table]) {
        if (Above(other) != &row) continue;
        for (JoinTuple& tuple : Join(other, person)) below.push_back(std::move(tuple));
      }
      if (below.empty()) below.emplace_back();
      std::vector<JoinTuple> product;
      for (const JoinTuple& left : joined) {
        for (const JoinTuple& right : below) {
          product.push_back(left);
          product.back().insert(right.begin(), right.end());
        }
      }
      joined = std::move(product);
    }
    return joined;
  }

  SnowflakePerson PersonOf(const SnowflakeRow& row) const {
    SnowflakePerson person;
    for (const JoinTuple& tuple : Join(row, person)) {
      person.tuples.insert(tuple);
      for (const auto& [i, a] : tuple) {
        for (const auto& [j, b] : tuple) person.together.insert({a, b});
      }
    }
    return person;
  }

  SnowflakeSchema schema_;
  std::vector<std::vector<SnowflakeRow>> rows_;  // by table
  std::vector<SnowflakePerson> persons_;
  std::string fault_;
};

// Gives every row of one person a row of its own of another one, so that what joins still joins.
class RowRenaming {
 public:
  using Fits = std::function<bool(const SnowflakeRow&, const SnowflakeRow&)>;

  // `whole`: the other person may have no more than that.
  RowRenaming(const SnowflakePerson& from, const SnowflakePerson& to, bool whole, Fits fits)
      : from_(from), to_(to), whole_(whole), fits_(std::move(fits)) {}

  bool Exists() {
    if (whole_ && from_.rows.size() != to_.rows.size()) return false;
    return Extend(0);
  }

 private:
  bool Extend(size_t next) {
    if (next == from_.rows.size()) return KeepsTuples();
    const SnowflakeRow* row = from_.rows[next];
    for (const SnowflakeRow* candidate : to_.rows) {
      if (candidate->table != row->table || taken_.count(candidate) > 0) continue;
      if (!fits_(*row, *candidate) || !Joins(row, candidate)) continue;
      renamed_[row] = candidate;
      taken_.insert(candidate);
      if (Extend(next + 1)) return true;
      renamed_.erase(row);
      taken_.erase(candidate);
    }
    return false;
  }

  bool Joins(const SnowflakeRow* row, const SnowflakeRow* candidate) const {
    for (const auto& [a, b] : renamed_) {
      if (from_.together.count({a, row}) > 0 && to_.together.count({b, candidate}) == 0) {
        return false;
      }
    }
    return true;
  }

  // Each tuple, renamed, is one of the other's, or a part of one where rows were left out.
  bool KeepsTuples() const {
    if (whole_ && from_.tuples.size() != to_.tuples.size()) return false;
    return std::all_of(from_.tuples.begin(), from_.tuples.end(), [&](const JoinTuple& tuple) {
      JoinTuple renamed;
      for (const auto& [table, row] : tuple) renamed[table] = renamed_.at(row);
      return std::any_of(to_.tuples.begin(), to_.tuples.end(), [&](const JoinTuple& other) {
        if (whole_) return other == renamed;
        return std::includes(other.begin(), other.end(), renamed.begin(), renamed.end());
      });
    });
  }

  const SnowflakePerson& from_;
  const SnowflakePerson& to_;
  bool whole_;
  Fits fits_;
  std::map<const SnowflakeRow*, const SnowflakeRow*> renamed_;
  std::set<const SnowflakeRow*> taken_;
};

class MultirelationalCheck {
 public:
  MultirelationalCheck(const Snowflake& original, const Snowflake& published, size_t k)
      : original_(original), published_(published), k_(k) {}

  std::string Run() const {
    for (const Snowflake* tables : {&original_, &published_}) {
      if (!tables->fault().empty()) return tables->fault();
    }
    for (const SnowflakePerson& person : published_.persons()) {
      const std::string fault = AnonymityFault(person);
      if (!fault.empty()) return fault;
    }
    return IsCorrect() ? "" : "requirement 3: not a generalization of the original";
  }

 private:
  const SnowflakeTable& TableOf(const SnowflakeRow& row) const {
    return published_.schema()[row.table];
  }

  bool QuasiAreEqual(const SnowflakeRow& a, const SnowflakeRow& b) const {
    const auto& names = TableOf(a).quasi;
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      return a.cells.at(name) == b.cells.at(name);
    });
  }

  // Whether no view tells the persons apart, nor, if rows are given, those rows of theirs.
  bool Alike(const SnowflakePerson& a, const SnowflakePerson& b, const SnowflakeRow* of_a = nullptr,
             const SnowflakeRow* of_b = nullptr) const {
    return RowRenaming(a, b, true,
                       [&](const SnowflakeRow& x, const SnowflakeRow& y) {
                         return QuasiAreEqual(x, y) && (&x == of_a) == (&y == of_b);
                       })
        .Exists();
  }

  std::string AnonymityFault(const SnowflakePerson& person) const {
    std::vector<const SnowflakePerson*> alike;
    for (const SnowflakePerson& other : published_.persons()) {
      if (Alike(person, other)) alike.push_back(&other);
    }
    // Requirement 1, for each row: a sensitive attribute of it, of k persons.
    for (const SnowflakeRow* row : person.rows) {
      if (TableOf(*row).sensitive.empty()) continue;
      size_t persons = 0;
      for (const SnowflakePerson* other : alike) {
        persons += std::any_of(
            other->rows.begin(), other->rows.end(),
            [&](const SnowflakeRow* of_other) { return Alike(person, *other, row, of_other); });
      }
      if (persons < k_) return "requirement 1: too few values in " + TableOf(*row).name;
    }
    return alike.size() < k_ ? "requirement 2: too few persons alike" : "";
  }

  bool Generalizes(const SnowflakeRow& shown, const SnowflakeRow& was) const {
    const SnowflakeTable& table = TableOf(shown);
    const auto more_general = [&](const std::string& name) {
      const std::string& label = shown.cells.at(name);
      return label == "*" || was.cells.at(name).compare(0, label.size(), label) == 0;
    };
    const auto unchanged = [&](const std::string& name) {
      return shown.cells.at(name) == was.cells.at(name);
    };
    return std::all_of(table.quasi.begin(), table.quasi.end(), more_general) &&
           std::all_of(table.sensitive.begin(), table.sensitive.end(), unchanged);
  }

  // Requirement 3: finds an original of its own for everybody.
  bool IsCorrect() const {
    std::map<const SnowflakePerson*, const SnowflakePerson*> person_of;  // by original
    const auto fits = [&](const SnowflakeRow& shown, const SnowflakeRow& was) {
      return Generalizes(shown, was);
    };
    std::function<bool(const SnowflakePerson&, std::set<const SnowflakePerson*>&)> place =
        [&](const SnowflakePerson& person, std::set<const SnowflakePerson*>& tried) {
          for (const SnowflakePerson& was : original_.persons()) {
            if (tried.count(&was) > 0 || !RowRenaming(person, was, false, fits).Exists()) continue;
            tried.insert(&was);
            const auto holder = person_of.find(&was);
            if (holder == person_of.end() || place(*holder->second, tried)) {
              person_of[&was] = &person;
              return true;
            }
          }
          return false;
        };
    return std::all_of(published_.persons().begin(), published_.persons().end(),
                       [&](const SnowflakePerson& person) {
                         std::set<const SnowflakePerson*> tried;
                         return place(person, tried);
                       });
  }

  const Snowflake& original_;
  const Snowflake& published_;
  size_t k_;
};

// What is wrong, or nothing.
inline std::string FindFault(const Snowflake& original, const Snowflake& published, size_t k) {
  return MultirelationalCheck(original, published, k).Run();
}

}  // namespace thicket::testing
