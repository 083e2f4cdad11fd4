#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "policy/method_table.h"
#include "policy/policy_reader.h"

namespace thicket {

namespace {

const KeySet& MethodNames() {
  static const KeySet words = [] {
    KeySet names;
    for (const MethodRow& row : Methods()) names.known.emplace_back(row.name);
    return names;
  }();
  return words;
}

const KeySet& MethodKeys() {
  static const KeySet keys = [] {
    KeySet all = {{"name"}, {}};
    for (const MethodParameter* parameter : MethodParameters()) {
      const std::string key(parameter->key);
      if (std::find(all.known.begin(), all.known.end(), key) == all.known.end()) {
        all.known.push_back(key);
      }
    }
    return all;
  }();
  return keys;
}

// What may stand beside a name: first what many methods have.
std::vector<std::string> KeysOf(const MethodRow& row) {
  std::vector<std::string> keys = {"name"};
  if (row.may_refine) {
    for (const MethodParameter* parameter : RefineParameters()) keys.emplace_back(parameter->key);
  }
  for (const MethodParameter* parameter : row.own) keys.emplace_back(parameter->key);
  return keys;
}

// The parameters of other methods are known, too, but do not belong here.
Status CheckKeys(const PolicyNode& node, const MethodRow& row) {
  THICKET_TRY(node.MustHaveOnly(MethodKeys()));
  const std::vector<std::string> own = KeysOf(row);
  for (const auto& [key, child] : node.Children()) {
    if (std::find(own.begin(), own.end(), key) != own.end()) continue;
    return child.Fail(fmt::format("must be a parameter of {}, but is none", row.name),
                      fmt::format("remove it; {} has {}", row.name, JoinWords(own, " and ")));
  }
  return {};
}

// The method cannot keep the promise, whose keys are too much for it.
Error AsksTooMuch(const PolicyNode& node, const MethodRow& row, const ModelRow& model) {
  const bool more_than_k = model.model == PrivacyModel::kDiversity;
  return node.Child("name").Fail(
      fmt::format("must be {} for {}, but is {}", JoinWords(MethodsFor(model.model), " or "),
                  model.name, row.name),
      more_than_k
          ? fmt::format("take {} out of privacy: {} does k-anonymity only", model.keys, row.name)
          : fmt::format("leave the name out, or take {} out of privacy", model.keys));
}

// The method is for another promise, for which keys are missing.
Error AsksTooLittle(const PolicyNode& node, const MethodRow& row, const ModelRow& model,
                    const ModelRow& served) {
  if (row.plain_kin.empty()) {
    return node.Child("name").Fail(
        fmt::format("must not be {} for {}, but is", row.name, model.name),
        fmt::format("leave the name out, or add {} to privacy", served.keys));
  }
  return node.Child("name").Fail(
      fmt::format("must be {} for {}, but is {}", row.plain_kin, model.name, row.name),
      fmt::format("{} is for {}: add {}, or use {}", row.name, served.name, served.keys,
                  row.plain_kin));
}

// What each method can promise. Of two models the later one asks for more: its keys are too much for a method of the
// earlier one, and are missing where the method is for the later one.
Status CheckModel(const PolicyNode& node, const MethodRow& row, const PrivacyPolicy& privacy) {
  const ModelRow& model = RowOf(privacy.model());
  if (row.Serves(model.model)) return {};
  const PrivacyModel most = *std::max_element(row.models.begin(), row.models.end());
  if (most < model.model) return AsksTooMuch(node, row, model);
  if (model.model == PrivacyModel::kThresholds) return AsksTooMuch(node, row, model);
  return AsksTooLittle(node, row, model, RowOf(most));
}

// One function per type: reads the value into its field.
class ParameterReader {
 public:
  ParameterReader(const PolicyNode& node, MethodPolicy& method) : node_(node), method_(method) {}

  Status operator()(const MethodParameter::Word& type) const {
    THICKET_ASSIGN(method_.*(type.field), node_.Word({{type.words.begin(), type.words.end()}, {}}));
    return {};
  }
  Status operator()(const MethodParameter::OnOff& type) const {
    THICKET_ASSIGN(method_.*(type.field), node_.OnOff());
    return {};
  }
  Status operator()(const MethodParameter::Count& type) const {
    THICKET_ASSIGN(method_.*(type.field), node_.WholeNumber(1));
    return {};
  }
  Status operator()(const MethodParameter::AutoOffCount& type) const {
    THICKET_ASSIGN(std::string text, node_.Text());
    // YAML has more than one word for off.
    if (const auto off = node_.OnOff(); off.ok() && !*off) text = "off";
    if (text != "auto" && text != "off") {
      const auto count = node_.WholeNumber(2);
      if (!count.ok()) {
        return node_.Fail(
            fmt::format("must be auto, off or a number of records, 2 or more, but is {}", text),
            "leave it out, which is auto");
      }
      text = fmt::format("{}", *count);
    }
    method_.*(type.field) = text;
    return {};
  }
  Status operator()(const MethodParameter::Positive& type) const {
    THICKET_ASSIGN(method_.*(type.field), node_.PositiveNumber());
    return {};
  }
  Status operator()(const MethodParameter::MaybePositive& type) const {
    THICKET_ASSIGN(method_.*(type.field), node_.PositiveNumber());
    return {};
  }
  Status operator()(const MethodParameter::Share& type) const {
    THICKET_ASSIGN(const double share, node_.Number());
    if (share < 0 || share > 1) {
      return node_.Fail("must lie between 0 and 1, but does not", std::string(type.hint));
    }
    method_.*(type.field) = share;
    return {};
  }
  Status operator()(const MethodParameter::AtLeastZero& type) const {
    THICKET_ASSIGN(const double number, node_.Number());
    if (number < 0) {
      return node_.Fail(fmt::format("must be 0 or more, but is {}", NumberText(number)),
                        "set it to 0 or more, such as 0.05");
    }
    method_.*(type.field) = number;
    return {};
  }
  Status operator()(const MethodParameter::Attribute& type) const {
    THICKET_ASSIGN(method_.*(type.field), node_.Text());
    return {};
  }

 private:
  const PolicyNode& node_;
  MethodPolicy& method_;
};

}  // namespace

const MethodRow& DefaultMethod(const PolicyNode& root, PrivacyModel model) {
  const MethodRow& best = BestMethod(model);
  if (!root.Has("method") || !root.Child("method").yaml().is_mapping()) return best;
  const std::vector<std::string> own = KeysOf(best);
  for (const auto& [key, child] : root.Child("method").Children()) {
    if (std::find(own.begin(), own.end(), key) == own.end()) return FirstMethod(model);
  }
  return best;
}

Result<MethodPolicy> ReadMethod(const PolicyNode& node, const PrivacyPolicy& privacy,
                                std::string_view otherwise) {
  MethodPolicy method;
  method.name = otherwise;
  // The name first: the parameters of another method are no mistake of their own.
  if (node.yaml().is_mapping() && node.Has("name")) {
    THICKET_ASSIGN(method.name, node.Child("name").Word(MethodNames()));
  }
  const MethodRow& row = RowOf(method);
  THICKET_TRY(CheckKeys(node, row));
  THICKET_TRY(CheckModel(node, row, privacy));
  for (const MethodParameter* parameter : row.Parameters()) {
    if (!node.Has(parameter->key)) continue;
    const PolicyNode value = node.Child(parameter->key);
    // A parameter that needs another comes after it in the table.
    if (parameter->beside != nullptr && parameter->beside->ValueIn(method) != "on") {
      return value.Fail(
          fmt::format("must stand beside {}: on, but does not", parameter->beside->key),
          fmt::format("add {}: on, or remove it", parameter->beside->key));
    }
    THICKET_TRY(std::visit(ParameterReader(value, method), parameter->type));
  }
  return method;
}

}  // namespace thicket
