#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/text.h"
#include "policy/method_table.h"
#include "policy/policy_reader.h"

namespace thicket {

namespace {

bool SuppressesValues(const MethodPolicy& method) {
  return method.suppression.ends_with("-values");
}

constexpr double kMostCost = 1'000'000;
constexpr double kMostAlpha = 1'000'000;
constexpr int kMostCuts = 10'000;

// The data must be a table, with a hierarchy for every quasi-identifier.
Status CheckRecord(const PolicyNode& record, const MethodPolicy& method, const Schema& schema) {
  if (schema.classes.size() > 1) {
    return record.Child("children")
        .Fail(fmt::format("must be absent for method {}, but is there", method.name),
              "it is for tables, whose records are single vertices; clustree, for k and l, is for "
              "trees");
  }
  const VertexClass& root = schema.root();
  if (root.quasi.empty()) {
    return record.Fail(
        fmt::format("must have quasi-identifiers for method {}, but has none", method.name),
        "name under quasi what an adversary may know");
  }
  for (const QuasiAttribute& attribute : root.quasi) {
    if (attribute.recoding.kind != Recoding::Kind::kNumeric) continue;
    return record.Child("quasi")
        .Child(attribute.name)
        .Fail(
            fmt::format("must have a hierarchy for method {}, but has free intervals", method.name),
            "replace numeric: true by ranges, for example ranges: [5, 10, 20]");
  }
  for (const SensitiveAttribute& attribute : root.sensitive) {
    if (attribute.once.empty()) continue;
    return record.Child("sensitive")
        .Child(attribute.name)
        .Fail(fmt::format("must be without once for method {}, but has it", method.name),
              "give these values a small share of their own: theta: {default: 0.5, VALUE: 0.05}");
  }
  return {};
}

// The fewest records are not the same whatever is tried where several attributes ask for some to be left out.
Status CheckSensitive(const PolicyNode& record, const MethodPolicy& method,
                      const PrivacyPolicy& privacy, const Schema& schema) {
  const size_t count = schema.root().sensitive.size();
  if (count <= 1 || (!privacy.l && !privacy.theta)) return {};
  if (method.suppression != "violating-records") return {};
  return record.Child("sensitive")
      .Fail(fmt::format("must be one attribute for suppression: violating-records, but are {}",
                        count),
            "set suppression: all-records or violating-values, or take the others under drop");
}

Status CheckSuppression(const PolicyNode& root, const MethodPolicy& method,
                        const PrivacyPolicy& privacy, const Schema& schema) {
  if (SuppressesValues(method)) {
    const PolicyNode suppression = root.Child("method").Child("suppression");
    if (method.metric != "lm") {
      return suppression.Fail(
          fmt::format("must be none, all-records or violating-records for metric {}, but is {}",
                      method.metric, method.suppression),
          fmt::format("{} does not know what a suppressed value costs: set metric: lm, or suppress "
                      "records",
                      method.metric));
    }
    if (!privacy.l && !privacy.theta) {
      return suppression.Fail(
          fmt::format("must be none, all-records or violating-records for {}, but is {}",
                      privacy.model_name(), method.suppression),
          "suppressed values make no class larger: suppress records, or promise l or theta");
    }
  }
  if (!method.suppression_cost) return {};
  const PolicyNode cost = root.Child("method").Child("suppression_cost");
  if (method.metric != "lm") {
    return cost.Fail(
        fmt::format("must stand beside metric: lm, but the metric is {}", method.metric),
        "remove it: dm and cm say themselves what a suppressed record costs");
  }
  if (method.suppression == "none") {
    return cost.Fail("must stand beside suppression, but nothing may be suppressed",
                     "add suppression: violating-records, or remove it");
  }
  const auto quasi = static_cast<double>(schema.root().quasi.size());
  if (*method.suppression_cost > kMostCost) {
    return cost.Fail(fmt::format("must be at most {}, but is {}", NumberText(kMostCost),
                                 NumberText(*method.suppression_cost)),
                     "set it to what a record is worth, in labels");
  }
  if (SuppressesValues(method) || *method.suppression_cost >= quasi) return {};
  return cost.Fail(fmt::format("must be at least {}, the number of quasi-identifiers, but is {}",
                               NumberText(quasi), NumberText(*method.suppression_cost)),
                   "leaving a record out must not cost less than any generalization of it");
}

Status CheckClass(const PolicyNode& root, const MethodPolicy& method, const Schema& schema) {
  const std::vector<std::string>& keep = schema.root().keep;
  if (method.class_attribute.empty()) {
    if (method.metric != "cm") return {};
    return root.Child("method").Child("metric").Fail(
        "must stand beside class for cm, but there is none",
        "add class: ATTRIBUTE, one of those under keep, which look-alikes are to have in common");
  }
  if (std::find(keep.begin(), keep.end(), method.class_attribute) != keep.end()) return {};
  return root.Child("method").Child("class").Fail(
      fmt::format("must be an attribute under keep, but {} is none", method.class_attribute),
      keep.empty() ? "add it to keep" : fmt::format("use {}", JoinWords(keep, " or ")));
}

Status CheckSearch(const PolicyNode& root, const MethodPolicy& method) {
  if (method.alpha > kMostAlpha) {
    return root.Child("method").Child("alpha").Fail(
        fmt::format("must be at most {}, but is {}", NumberText(kMostAlpha),
                    NumberText(method.alpha)),
        "0.1 lets the answer cost a tenth more than the least");
  }
  if (method.top_h <= kMostCuts) return {};
  return root.Child("method").Child("top_h").Fail(
      fmt::format("must be at most {}, but is {}", WithCommas(kMostCuts), method.top_h),
      "a few are enough: 5");
}

}  // namespace

Status CheckTable(const PolicyNode& root, const Policy& policy, const Schema& schema) {
  const PolicyNode record = root.Child("record");
  THICKET_TRY(CheckRecord(record, policy.method, schema));
  THICKET_TRY(CheckSensitive(record, policy.method, policy.privacy, schema));
  THICKET_TRY(CheckSearch(root, policy.method));
  THICKET_TRY(CheckSuppression(root, policy.method, policy.privacy, schema));
  return CheckClass(root, policy.method, schema);
}

bool MaySuppressValues(const Policy& policy) {
  return policy.privacy.theta.has_value() || SuppressesValues(policy.method);
}

}  // namespace thicket
