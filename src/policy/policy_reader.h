// What all parts of the policy reader share: values with the key path and line that an error about them names.
//
//   PolicyNode k = privacy.Child("k");
//   THICKET_ASSIGN(int number, k.WholeNumber(2));   // "policy.yaml:12: privacy.k must be at least 2, but is 1"
//
// Internal to policy/.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/decimal.h"
#include "base/result.h"
#include "policy/method_table.h"
#include "policy/policy.h"
#include "policy/yaml.h"

namespace thicket {

// Names that the policy language has, but this version does not do; apart from names that nobody knows.
struct KeySet {
  std::vector<std::string> known;
  std::vector<std::string> later;
  // What to do where one of the later ones is asked for; empty for what this version does.
  std::string instead = "";
};

class PolicyNode {
 public:
  PolicyNode(const std::string& file, const YamlNode& node, std::string path, int line, int column)
      : file_(&file), node_(&node), path_(std::move(path)), line_(line), column_(column) {}

  const std::string& path() const { return path_; }
  int line() const { return line_; }
  const YamlNode& yaml() const { return *node_; }

  bool Has(std::string_view key) const { return node_->Find(key) != nullptr; }
  // The same under another name, where the key itself must not be quoted.
  PolicyNode Called(std::string path) const {
    return {*file_, *node_, std::move(path), line_, column_};
  }
  // The value of a key that is there.
  PolicyNode Child(std::string_view key) const;
  PolicyNode Item(size_t index) const;
  // In the order of the document.
  std::vector<std::pair<std::string, PolicyNode>> Children() const;

  // "policy.yaml:12: privacy.k WHAT".
  Error Fail(std::string_view what, std::string hint) const;
  Error NotInThisVersion(std::string hint) const;

  Status MustBeMapping() const;
  // A mapping (or nothing) with these keys only.
  Status MustHaveOnly(const KeySet& keys) const;
  // One of these words.
  Result<std::string> Word(const KeySet& words) const;
  // A text that is not empty.
  Result<std::string> Text() const;
  Result<std::vector<std::string>> Texts() const;
  Result<int> WholeNumber(int least) const;
  Result<double> Number() const;
  Result<double> PositiveNumber() const;
  // A number as it is written.
  Result<Decimal> Exact() const;
  Result<std::vector<Decimal>> Numbers() const;
  Result<bool> OnOff() const;

 private:
  // What stands there, for messages: "abc", "a list", "empty".
  std::string Seen() const;

  const std::string* file_;
  const YamlNode* node_;
  std::string path_;
  // Of the key, or of the value where it has none; 0 where the policy was not read from text.
  int line_;
  int column_;
};

// policy.cc: the whole policy, from a document that is text no more; `file` is its name in messages.
Result<Policy> ReadPolicy(const YamlNode& document, std::string file);

// querylog_policy.cc: the keys of `input` that only a query log has; and a gap between sessions as a policy writes it.
Status ReadQuerylogKeys(const PolicyNode& node, InputPolicy& input);
std::string SessionGapText(int64_t seconds);

// record_policy.cc: the classes and attributes below `record`.
Result<Schema> ReadSchema(const PolicyNode& record, Format format);

// keep_policy.cc: the kept attributes of a class, a list of names or a mapping from names to what is known of them.
Status ReadKeep(const PolicyNode& keep, VertexClass& result);

// ordered_policy.cc: whether the siblings of a class are a sequence; and whether promise, method and attributes let them be.
Status ReadOrdered(const PolicyNode& node, Format format, VertexClass& result);
Status CheckOrdered(const PolicyNode& root, const Policy& policy, const Schema& schema);

// value_policy.cc: texts that stand for no value, of `input` and of single attributes, once the rest of the schema is known; how
// numbers and texts are written; what becomes of values that do not fit; and how dates are written.
Status ReadMissing(const PolicyNode& root, Format format, Schema& schema);
Status ReadTextKeys(const PolicyNode& node, InputPolicy& input);
Status ReadUnknown(const PolicyNode& node, Recoding& recoding);
Status ReadDateFormat(const PolicyNode& node, Recoding& recoding);

// path_policy.cc: where the vertices of a class stand, and which of them are taken; and that no name leads through what has another
// use.
Status ReadAt(const PolicyNode& node, Format format, VertexClass& type);
Status CheckPaths(const PolicyNode& record, const Schema& schema, Format format);

// group_policy.cc: which rows of a flat table are one person's; and that the rest fits.
Status ReadGroupBy(const PolicyNode& record, Format format, std::string& group_by);
Status CheckGroups(const PolicyNode& record, const Schema& schema);

// key_policy.cc: the columns that a table is known by, and those that lead to the table of the class above.
Status ReadKey(const PolicyNode& node, VertexClass& type);
Status ReadParent(const PolicyNode& node, const VertexClass& above, VertexClass& type);

// levels_policy.cc: how sensitive the values of an attribute are.
Result<SensitivityLevels> ReadLevels(const PolicyNode& node);

// method_policy.cc: the algorithm and its parameters, which must fit the promise.
// What a policy gets that names no method. Keys that the best method has not ask for the first one that serves the model.
const MethodRow& DefaultMethod(const PolicyNode& root, PrivacyModel model);
// `otherwise` is the method of a policy that names none.
Result<MethodPolicy> ReadMethod(const PolicyNode& node, const PrivacyPolicy& privacy,
                                std::string_view otherwise);

// theta_policy.cc: the thresholds of l+-diversity, if there are any, which must fit the rest of `privacy`.
Status ReadTheta(const PolicyNode& privacy, const Schema& schema,
                 std::optional<ThetaPolicy>& theta);

// table_policy.cc: what methods for tables need, and how their parameters fit together; and whether sensitive values may be
// published as "*".
Status CheckTable(const PolicyNode& root, const Policy& policy, const Schema& schema);
bool MaySuppressValues(const Policy& policy);

// set_policy.cc: whether the policy asks for KL(m,n)-privacy, by its model, its sensitive items or its method; what stands in
// `privacy` then; what methods for sets need; and which of them a policy gets that names none, a row without a name if none.
bool AsksForItems(const PolicyNode& root);
Result<PrivacyPolicy> ReadItemPrivacy(const PolicyNode& root, const Schema& schema);
Status CheckSetMethod(const PolicyNode& root, const Policy& policy, const Schema& schema);
const MethodRow& BestSetMethod(const PrivacyPolicy& privacy, const Schema& schema);

// bag_policy.cc: whether the policy asks for vocabulary k-anonymity, by its epsilon, its model, its method or its format; what
// stands in `privacy` then; what methods for bags need; whether a published label may be one of several terms; and that nothing else has
// a network.
bool AsksForBags(const PolicyNode& root, Format format);
Result<PrivacyPolicy> ReadBagPrivacy(const PolicyNode& root, const Schema& schema);
Status CheckBagMethod(const PolicyNode& root, const Policy& policy, const Schema& schema);
bool PublishesAlternatives(const MethodPolicy& method);
Status CheckNetworks(const PolicyNode& record, const Schema& schema);

// "a, b or c".
std::string JoinWords(const std::vector<std::string>& words, std::string_view last_separator);

}  // namespace thicket
