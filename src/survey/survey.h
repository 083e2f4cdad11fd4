// What data looks like, before there is a policy for it: its format, its nested classes or joined tables, and for each
// attribute how many values it has and what they have in common.
//
// This is what `thicket init` guesses roles and recodings from. At most the first kMostSurveyed records (of tables: the
// first rows of each) are looked at; keys are compared over all rows.
//
//   THICKET_ASSIGN(Survey survey, SurveyData("students.jsonl"));
//   survey.root.attributes[0]->distinct();
//
// O(bytes read); memory grows with the number of distinct values, up to a limit per attribute, and with 8 bytes for each
// row's key where a table has more rows than are looked at.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "policy/policy.h"
#include "survey/identifiers.h"
#include "survey/propose.h"
#include "survey/value_forms.h"
#include "taxonomy/together.h"

namespace thicket {

inline constexpr uint64_t kMostSurveyed = 200'000;

class AttributeSurvey {
 public:
  // An attribute with more distinct values than this keeps no list of them; beyond the second it is not counted on.
  static constexpr size_t kMostListed = 20'000;
  static constexpr size_t kMostCounted = size_t{1} << 20;

  explicit AttributeSurvey(std::string_view attribute_name) : name(attribute_name) {}

  // Who has a value.
  struct Holder {
    uint64_t vertices = 0;
    // The record that had it last, and whether another one had it before.
    uint64_t record = 0;
    bool several = false;
  };
  // By the hash of every distinct text, up to kMostCounted of them.
  using Holders = std::unordered_map<uint64_t, Holder>;

  // `record`: any number that tells records apart. Values of one record come one after another; where they do
  // not, what one record has twice may count as held twice, but never as another record's.
  void Add(std::string_view text, uint64_t record);
  // A value of a record of its own.
  void Add(std::string_view text) { Add(text, present); }

  uint64_t distinct() const { return holders_.size(); }
  const Holders& holders() const { return holders_; }
  static uint64_t Hash(std::string_view text) { return std::hash<std::string_view>()(text); }
  // Every distinct text; empty if there are more than kMostListed.
  const std::vector<std::string>& values() const { return values_; }
  bool listed() const { return holders_.size() <= kMostListed; }
  // Distinct values as a share of what records have, a value that stands in one of them several times counted once: 1 if no two
  // records have a value in common.
  double unique_share() const {
    return held_ == 0 ? 0 : static_cast<double>(distinct()) / static_cast<double>(held_);
  }
  // How many distinct values only one record has. O(distinct values).
  uint64_t singles() const;
  // The share of the vertices that have the most frequent value, of those that have one. O(distinct values).
  double greatest_share() const;
  // What nearly all distinct values are by their form.
  IdentifierKind identifier() const { return identifiers_.kind(); }

  std::string name;
  // How many vertices have a value.
  uint64_t present = 0;
  // What nearly all values are, and which of them stand for none.
  ValueForms forms;
  // Takes over what nearly all values are into the fields below, once all are known.
  void Settle(char decimal);

  // Whether all values are of this form, those left out that stand for none; once settled, whether nearly all are.
  bool numbers = true;
  bool integers = true;
  bool dates = true;  // with a month at least, as a rule
  // How many are not, where they are nearly all.
  uint64_t odd = 0;
  // Whether all values are of this form.
  bool digits = true;  // digits only, as a text
  bool codes = true;   // letters, then at least two digits: CS305
  // Whether any value is.
  bool leading_zero = false;
  bool star = false;  // the text "*", which a taxonomy uses for its root
  double least = 0;
  double greatest = 0;
  // In bytes.
  size_t shortest = 0;
  size_t longest = 0;
  // `codes`: how many digits every value ends with.
  size_t least_digits = 0;

 private:
  void Examine(std::string_view text);

  Holders holders_;
  // Pairs of a record and a value that it has, and vertices, as far as values are counted.
  uint64_t held_ = 0;
  uint64_t counted_ = 0;
  IdentifierCount identifiers_;
  // Whether any text was looked at.
  bool examined_ = false;
  std::vector<std::string> values_;
};

// The columns by which a table is joined to others; everything empty where the data is no table.
struct TableJoins {
  std::string table;
  // Its own key, and the foreign key to the table above.
  std::string key;
  std::string parent;
  // Further foreign keys: to a table of the tree, or to one that is left out.
  struct Second {
    std::string column;
    std::string table;
    bool in_tree = false;
  };
  std::vector<Second> seconds;
  // Whether the database declares its foreign keys; else they were guessed.
  bool declared = false;
  // How many rows there are, also beyond those that were looked at, and how many of them have no parent.
  uint64_t rows = 0;
  uint64_t orphans = 0;

  const Second* FindSecond(std::string_view column) const;
};

struct ClassSurvey {
  // The key below the parent (elements: separated by slashes); empty for the root.
  std::string key;
  uint64_t vertices = 0;
  // Whether its vertices are objects, plain values, something that is neither (an array in an array), and whether one
  // stands in an array.
  bool objects = false;
  bool plain = false;
  bool odd = false;
  bool array = false;
  // In the order in which they first occur. A key can be in both lists, which no policy can describe.
  std::vector<std::unique_ptr<AttributeSurvey>> attributes;
  std::vector<std::unique_ptr<ClassSurvey>> children;
  // How many vertices stand below one parent, where any do: at the least and at the most; 0 if nobody counted.
  uint64_t shortest = 0;
  uint64_t longest = 0;
  // Keys that were met, but only with null.
  std::vector<std::string> nulls;
  // Further keys that no policy can describe, each with the reason.
  std::vector<std::pair<std::string, std::string>> left_out;
  TableJoins joins;

  AttributeSurvey& Attribute(std::string_view name);
  ClassSurvey& Child(std::string_view name);
  void MeetNull(std::string_view name);
  void MeetLength(uint64_t length);
  // Whether the vertices are tuples of numbers, such as coordinates: then their order means something.
  bool AreTuples() const;
  bool HasAttribute(std::string_view name) const;
  bool HasChild(std::string_view name) const;
};

// What a file of sets holds (kTransactions): all of them, since a taxonomy is made from them.
struct SetsSurvey {
  // What stands between items; 0: blanks do.
  char delimiter = 0;
  SetsOfItems sets;
};

// What a query log holds (kQuerylog).
struct QuerylogSurvey {
  uint64_t users = 0;
  // Whether some query was followed by a click, and can be told from those that were not.
  bool clicked = false;
};

struct Survey {
  Format format = Format::kJsonl;
  // kCsv, kTables: how the files are encoded, and what stands before the fractions of their numbers.
  TextEncoding encoding = TextEncoding::kUtf8;
  char decimal = '.';
  // kJson: the keys that lead to the records, separated by dots. kXml: the elements, separated by slashes.
  std::string at;
  uint64_t records = 0;
  // Whether there is more data than was looked at.
  bool partial = false;
  // kCsv: the column whose rows with equal values are one record; empty where each row is one.
  std::string group_by = {};
  ClassSurvey root;
  SetsSurvey sets;
  QuerylogSurvey querylog;
  // Tables that do not belong to the tree, each with the reason.
  std::vector<std::pair<std::string, std::string>> other_tables;
};

using SurveyOptions = ProposeOptions;

// A folder is kTables, a connection string ("postgresql://...", or "host=... dbname=..." where no such file exists)
// kPostgresql. The format of a file is told by its first bytes (SQLite) or its name (.jsonl, .ndjson, .csv, .tsv, .xml, each
// also with .gz or .zst), otherwise by its content; query logs are told by their columns, and sets, one per line, by their content,
// whatever the name says (survey_querylog.cc, survey_sets.cc). `path` may be "-".
Result<Survey> SurveyData(const std::string& path, const SurveyOptions& options = {});
// Text in memory, of a format that is one stream of bytes.
Result<Survey> SurveyText(std::string_view text, const std::string& name,
                          const SurveyOptions& options = {});
// What every survey ends with: there are records, and what Thicket itself adds to them is no attribute of theirs. `name` is what
// messages call the data.
Status FinishSurvey(const std::string& name, Survey& survey);
// The policy for what was found. `data_path` and `policy_path` are those of ProposePolicy(); of data in memory the first is only
// its name, and the policy names no input.
Result<Proposal> ProposeFor(const Survey& survey, const SurveyOptions& options,
                            const std::string& data_path, const std::string& policy_path,
                            bool in_memory);

}  // namespace thicket
