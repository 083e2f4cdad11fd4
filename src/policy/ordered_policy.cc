// Classes whose siblings are a sequence: where `ordered` may stand, and what it may stand beside.
#include <fmt/format.h>

#include <algorithm>

#include "policy/method_table.h"
#include "policy/policy_reader.h"

namespace thicket {

namespace {

class OrderCheck {
 public:
  OrderCheck(const Policy& policy, const Schema& schema) : policy_(policy), schema_(schema) {}

  // The class and those below it.
  Status Class(const PolicyNode& node, ClassId id) const {
    if (schema_.classes[id].ordered) THICKET_TRY(Fits(node.Child("ordered"), id));
    const std::vector<ClassId>& children = schema_.classes[id].children;
    for (size_t i = 0; i < children.size(); ++i) {
      THICKET_TRY(Class(node.Child("children").Item(i), children[i]));
    }
    return {};
  }

 private:
  Status Fits(const PolicyNode& node, ClassId id) const {
    if (!policy_.privacy.has_classes() || policy_.privacy.m) {
      return node.Fail(fmt::format("must be off under {}, which counts labels wherever they stand, "
                                   "but is on",
                                   policy_.privacy.model_name()),
                       "remove it, or ask for k or l without m and n");
    }
    const MethodRow& row = RowOf(policy_.method);
    if (!row.keeps_order) {
      return node.Fail(
          fmt::format(
              "must stand beside a method that keeps the order of siblings, but {} does not",
              policy_.method.name),
          "use " + Methods(policy_.privacy.model()));
    }
    for (const VertexClass& of : schema_.classes) {
      for (const SensitiveAttribute& attribute : of.sensitive) {
        if (attribute.once.empty()) continue;
        return node.Fail(
            fmt::format("must be off beside once, which may take out any vertex, but {} has once",
                        attribute.name),
            "remove one of the two");
      }
    }
    THICKET_TRY(Below(node, id));
    for (const ClassId below : schema_.ClassesBelow(id)) THICKET_TRY(Below(node, below));
    return {};
  }

  // What would take single vertices out of the middle of a sequence.
  Status Below(const PolicyNode& node, ClassId id) const {
    for (const SensitiveAttribute& attribute : schema_.classes[id].sensitive) {
      if (!attribute.anywhere && !policy_.privacy.alpha) continue;
      return node.Fail(
          fmt::format(
              "must be off where {} is counted by {}, which may take out any element, but is "
              "on",
              schema_.PathOf(id, attribute.name), attribute.anywhere ? "anywhere: on" : "levels"),
          "remove one of the two");
    }
    return {};
  }

  static std::string Methods(PrivacyModel model) {
    std::vector<std::string> names;
    for (const MethodRow& row : thicket::Methods()) {
      if (row.keeps_order && row.Serves(model)) names.emplace_back(row.name);
    }
    return names.empty() ? "another model" : JoinWords(names, " or ");
  }

  const Policy& policy_;
  const Schema& schema_;
};

}  // namespace

Status ReadOrdered(const PolicyNode& node, Format format, VertexClass& result) {
  if (!node.Has("ordered")) return {};
  const PolicyNode ordered = node.Child("ordered");
  THICKET_ASSIGN(result.ordered, ordered.OnOff());
  if (!result.ordered || format == Format::kJson || format == Format::kJsonl ||
      format == Format::kXml) {
    return {};
  }
  return ordered.Fail(
      fmt::format("must stand beside format: jsonl, json or xml, but the format is {}, where rows "
                  "and items have no order of their own",
                  FormatName(format)),
      "remove it; a column that says the order can be a quasi-identifier");
}

Status CheckOrdered(const PolicyNode& root, const Policy& policy, const Schema& schema) {
  return OrderCheck(policy, schema).Class(root.Child("record"), 0);
}

}  // namespace thicket
