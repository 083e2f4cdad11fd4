// The policy file as types: what the records look like, what is promised, and how it is to be reached.
//
// ParsePolicy checks everything that can be checked without the data and names file, line and key of what is wrong.
// docs/policy.md describes every key.
//
//   THICKET_ASSIGN(Policy policy, ParsePolicy(yaml_text, "policy.yaml"));
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/decimal.h"
#include "base/result.h"
#include "policy/model.h"
#include "record/schema.h"

namespace thicket {

enum class Format {
  kJsonl,
  kJson,
  kCsv,
  kXml,
  kTables,
  kTransactions,
  kQuerylog,
  kSqlite,
  kPostgresql
};
inline constexpr Format kFormats[] = {Format::kJsonl,    Format::kJson,   Format::kCsv,
                                      Format::kXml,      Format::kTables, Format::kTransactions,
                                      Format::kQuerylog, Format::kSqlite, Format::kPostgresql};

// Whether each class is a table of its own, joined to its parent's by a key.
inline bool HasTables(Format format) {
  return format == Format::kTables || format == Format::kSqlite || format == Format::kPostgresql;
}

// Whether records are sets: a root without attributes, and one class below it with exactly one quasi-identifier or
// sensitive attribute. What format: transactions can hold.
bool HoldsSets(const Schema& schema);
// Whether records are bags of terms and nothing else: the same with a quasi-identifier. What format: querylog can hold.
bool HoldsTerms(const Schema& schema);

// How the bytes of a CSV file are to be read as text.
enum class TextEncoding { kUtf8, kLatin1 };

// The key (column) that --with-class adds to published records; no attribute may have it.
inline constexpr std::string_view kClassKey = "_class";

struct InputPolicy {
  Format format = Format::kJsonl;
  // A file, or a folder of files (kTables), as written in the policy; relative to the policy file. Empty if the policy
  // names none. kPostgresql: a URL or "host=... dbname=..."; empty for what the PG* variables say.
  std::string path;
  // kJson: the keys, separated by dots, that lead from the document to the records (an array, or an object with one
  // member per person); empty if the document itself is it. kXml: the elements, separated by slashes, that lead from the
  // document to the records, both included; empty for the elements right below the document's.
  std::string at;
  // kCsv, kTables: the column separator; 0 means that it is found out from the header. kTransactions: what stands between items; 0
  // means blanks.
  char delimiter = 0;
  // kCsv, kTables: what stands before the fraction of a number, and how text is encoded.
  char decimal = '.';
  TextEncoding encoding = TextEncoding::kUtf8;
  // kPostgresql: the schema that holds the tables; empty for "public".
  std::string schema;
  // kQuerylog: a user's queries are one bag as long as no more than so many seconds pass between them; absent: all of them are.
  std::optional<int64_t> session_gap_s = {};
  // kQuerylog: leave queries out after which nothing was clicked.
  bool clicked = false;
  // Tables: leave rows without a parent out, with a warning, instead of refusing the data.
  bool drop_orphans = false;
};

// l+-diversity: the largest share that each sensitive value may have in a class of look-alikes.
struct ThetaPolicy {
  // A value that has a threshold of its own, as the policy writes it. Data holds it where texts mean the same (base/fold.h).
  struct OfValue {
    std::string value;
    Decimal theta;
    // Where the policy says so; 0 where the policy was not read from text.
    int line = 0;
  };

  // Of all other values; above 0 and up to 1, as all thresholds are.
  Decimal otherwise = 1;
  std::vector<OfValue> values = {};
  // Whether the thresholds of the other values follow from how often each occurs in the original (section 3.6.1.2): the
  // baseline for values that are rarer than the average, and more in proportion for the others.
  bool from_frequency = false;
};

// KL(m,n)-privacy: an item that nobody may learn, as the policy writes it. Data holds it where texts mean the same
// (base/fold.h).
struct SensitiveItem {
  std::string item;
  // Where the policy says so; 0 where the policy was not read from text.
  int line = 0;
};

// The promise: the keys that are there choose the model (policy/model.h).
struct PrivacyPolicy {
  std::optional<int> k;
  std::optional<int> l;
  // k^(m,n)-anonymity: how many labels, and how many relations between them, an adversary knows at most. With k, both or
  // neither. KL(m,n)-privacy: how many items that a person has, and that a person has not; neither where an adversary may know
  // all of them.
  std::optional<int> m = {};
  std::optional<int> n = {};
  // KL(m,n)-privacy, of sets: k or l may be 1, which promises nothing of its own, and an absent one is 1.
  bool of_sets = false;
  std::vector<SensitiveItem> sensitive_items = {};
  // Vocabulary k-anonymity, of bags: how many steps a published term may be from the term that it stands for; absent where
  // terms are generalized instead.
  bool of_bags = false;
  std::optional<int> epsilon = {};
  // k^(m,n)-anonymity: the adversary also knows labels that a person does not have.
  bool negative = false;
  // l+-diversity. With or without k, and without the others.
  std::optional<ThetaPolicy> theta = {};
  // The largest share of aligned values by level of sensitivity, 1 to 5. With k, and without l.
  std::optional<std::array<double, SensitivityLevels::kCount>> alpha = {};

  // The least size of a class that the grouping methods make.
  int class_size() const { return std::max(k.value_or(2), l.value_or(2)); }
  PrivacyModel model() const {
    if (of_bags) return PrivacyModel::kVocabularies;
    if (of_sets) return PrivacyModel::kItems;
    if (m) return PrivacyModel::kCombinations;
    if (alpha) return PrivacyModel::kSensitivityLevels;
    if (theta) return PrivacyModel::kThresholds;
    return l ? PrivacyModel::kDiversity : PrivacyModel::kAnonymity;
  }
  std::string_view model_name() const { return RowOf(model()).name; }
  bool has_classes() const { return RowOf(model()).has_classes; }
  const PublishedStructure& structure() const { return RowOf(model()).structure; }
};

// Which algorithm, with the parameters of all of them: policy/method_table.h says which of them are whose, and what they
// mean. Words stay words here; engine/ turns them into the algorithm's own options. ParsePolicy lets only known words
// through. The values here are the defaults.
struct MethodPolicy {
  std::string name = "clustree";
  // clustree; leftovers also mlevclutree.
  std::string mapping = "lsap";
  bool passes = true;
  double s = 0.5;
  double m = 4;
  std::string cost = "weighted";
  std::string leftovers = "absorb";
  // clustree, agglomerate, mlevclutree: auto, off, or how many records are looked at together.
  std::string neighbourhood = "auto";
  // miracle, miraclex, dmiracle, cdgh.
  int climit = 150;
  double th = 0.1;
  // mlevclutree.
  int candidates = 50;
  // gcs, ocs; cut_cost, the key `cost` of the policy, also acs.
  int g = 2;
  std::string cut_cost = "lm";
  // lplus, incognito, annealing: what is minimized, and who or what is left out where a class breaks the promise.
  std::string metric = "lm";
  std::string suppression = "none";
  // Of a record, or of a value; absent for the least that the thesis allows.
  std::optional<double> suppression_cost;
  // The attribute `class` of the policy: what CM wants classes of look-alikes to have in common.
  std::string class_attribute;
  // How much more than the least the answer may cost, as a share; and among how many of the best it is drawn.
  double alpha = 0;
  int top_h = 1;
  // ssg: what a term costs that finds no partner, absent where fewest of them come first; what is published of terms that stand
  // together; and how they are paired.
  std::optional<double> omega;
  std::string centre = "majority";
  std::string matching = "exact";
  // After any grouping.
  bool refine = false;
  // How long to refine or to search for a cut at most.
  std::optional<double> limit_s;
};

struct Policy {
  // The policy file as the user named it; the paths in it are relative to its directory.
  std::string file;
  InputPolicy input;
  std::shared_ptr<const Schema> schema;
  PrivacyPolicy privacy;
  MethodPolicy method;

  // A path of the policy, seen from where the command runs.
  std::string Resolve(std::string_view path) const;
};

Result<Policy> ParsePolicy(std::string_view yaml, std::string file);

std::string_view FormatName(Format format);

}  // namespace thicket
