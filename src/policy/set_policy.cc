#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/fold.h"
#include "base/text.h"
#include "policy/method_table.h"
#include "policy/policy_reader.h"

namespace thicket {

namespace {

constexpr double kMostSetAlpha = 1'000'000;

// A root without anything to know, and one class of leaves with one quasi-identifier.
bool AreSets(const Schema& schema) {
  if (schema.classes.size() != 2) return false;
  const VertexClass& set = schema.root();
  const VertexClass& item = schema.classes[1];
  return set.quasi.empty() && set.sensitive.empty() && item.quasi.size() == 1 &&
         item.sensitive.empty() && item.keep.empty();
}

PolicyNode ItemNode(const PolicyNode& record, const Schema& schema) {
  return record.Child("children")
      .Item(0)
      .Child("quasi")
      .Child(schema.classes[1].quasi.front().name);
}

Status CheckSets(const PolicyNode& record, std::string_view what, const Schema& schema) {
  if (!AreSets(schema)) {
    return record.Fail(
        fmt::format("must be sets for {}, but is not", what),
        "sets have a class without quasi-identifiers and sensitive attributes, and below it one "
        "class with one quasi-identifier and nothing else; k, m and n without a model are for "
        "trees");
  }
  return {};
}

// How many leaves a group has must be known to whoever checks published data.
Status CheckTaxonomy(const PolicyNode& record, const PrivacyPolicy& privacy, const Schema& schema) {
  const Recoding& recoding = schema.classes[1].quasi.front().recoding;
  if (recoding.kind != Recoding::Kind::kTaxonomy) {
    return ItemNode(record, schema)
        .Fail("must have a taxonomy for KL(m,n)-privacy, but has another recoding",
              "give the items a taxonomy: FILE, which thicket taxonomy build can make");
  }
  if (recoding.unknown == UnknownValues::kLeaveOut) {
    return ItemNode(record, schema)
        .Fail("must be without unknown: missing for KL(m,n)-privacy, but has it",
              "add the items to the taxonomy, or write unknown: generalize");
  }
  if (privacy.n.value_or(0) == 0 || recoding.unknown != UnknownValues::kGeneralize) return {};
  return ItemNode(record, schema)
      .Fail("must be without unknown: generalize where n is above 0, but has it",
            "add the items to the taxonomy, or set n: 0");
}

// The items are sensitive: messages name their places, not them.
Result<std::vector<SensitiveItem>> ReadSensitiveItems(const PolicyNode& node) {
  THICKET_ASSIGN(const std::vector<std::string> texts, node.Texts());
  if (texts.empty()) {
    return node.Fail("must name an item, but is empty", "list the items, or leave the key out");
  }
  std::vector<SensitiveItem> items;
  std::unordered_set<std::string> meanings;
  for (size_t i = 0; i < texts.size(); ++i) {
    const PolicyNode item = node.Item(i);
    const std::string meaning = FoldValue(texts[i]);
    if (meaning.empty()) {
      return item.Fail("must be an item, but is blank", "remove it");
    }
    if (!meanings.insert(meaning).second) {
      return item.Fail("must be an item of its own, but another one means the same",
                       "remove one of the two; letter case, blanks and the way a number is written "
                       "make no difference");
    }
    items.push_back({texts[i], item.line()});
  }
  return items;
}

Status ReadSizes(const PolicyNode& node, PrivacyPolicy& privacy) {
  if (node.Has("k")) {
    THICKET_ASSIGN(privacy.k, node.Child("k").WholeNumber(1));
  }
  if (node.Has("l")) {
    THICKET_ASSIGN(privacy.l, node.Child("l").WholeNumber(1));
  }
  if (node.Has("m")) {
    THICKET_ASSIGN(privacy.m, node.Child("m").WholeNumber(0));
  }
  if (node.Has("n")) {
    THICKET_ASSIGN(privacy.n, node.Child("n").WholeNumber(0));
  }
  return {};
}

Status CheckSizes(const PolicyNode& node, const PrivacyPolicy& privacy) {
  if (privacy.k.value_or(1) == 1 && privacy.l.value_or(1) == 1) {
    return node.Fail("must have k or l above 1 for KL(m,n)-privacy, but has neither",
                     "set k: 5, the least number of records that fit any knowledge, or l: 3 with "
                     "sensitive_items");
  }
  if (privacy.m.has_value() != privacy.n.has_value()) {
    return node.Child(privacy.m ? "m" : "n")
        .Fail(fmt::format("must stand beside {}, but there is none", privacy.m ? "n" : "m"),
              "m is how many items of a person an adversary knows, n how many that the person has "
              "not: m: 3, n: 0; without both an adversary knows everything");
  }
  if (privacy.m && *privacy.m == 0 && *privacy.n == 0) {
    return node.Child("m").Fail("must be above 0 where n is 0, but is 0, too",
                                "nobody would know anything: set m: 3, or n: 1");
  }
  if (privacy.l.value_or(1) > 1 && privacy.sensitive_items.empty()) {
    return node.Child("l").Fail("must have items to protect, but there are no sensitive_items",
                                "add sensitive_items: [...], or leave l out");
  }
  return {};
}

// What a method for sets can promise.
Status CheckScope(const PolicyNode& root, const MethodRow& row, const PrivacyPolicy& privacy) {
  const PolicyNode node = root.Child("privacy");
  const std::string others =
      JoinWords(MethodsForSets(privacy), " or ") + (privacy.m ? " can" : " can, without m and n");
  if (privacy.m && !row.sets->bounded) {
    return node.Child("m").Fail(
        fmt::format("must be absent for method {}, but is there", row.name),
        fmt::format("remove m and n: {} is for those who know everything; or change the method: {}",
                    row.name, others));
  }
  if (privacy.l.value_or(1) > 1 && !row.sets->l) {
    return node.Child("l").Fail(
        fmt::format("must be 1 for method {}, but is {}", row.name, *privacy.l),
        fmt::format("leave it out, or change the method: {}", others));
  }
  if (privacy.n.value_or(0) > 0 && !row.sets->n) {
    return node.Child("n").Fail(
        fmt::format("must be 0 for method {}, but is {}", row.name, *privacy.n),
        fmt::format("set n: 0, or change the method: {}", others));
  }
  if (!privacy.m && !row.sets->unbounded) {
    return node.Fail(fmt::format("must have m and n for method {}, but has neither", row.name),
                     fmt::format("add m: 3 and n: 0, or change the method: {}", others));
  }
  return {};
}

}  // namespace

bool FitsSets(const MethodRow& row, const PrivacyPolicy& privacy) {
  if (!row.sets) return false;
  if (privacy.l.value_or(1) > 1 && !row.sets->l) return false;
  if (privacy.n.value_or(0) > 0 && !row.sets->n) return false;
  return privacy.m ? row.sets->bounded : row.sets->unbounded;
}

std::vector<std::string> MethodsForSets(const PrivacyPolicy& privacy) {
  std::vector<std::string> names;
  for (const MethodRow& row : Methods()) {
    if (FitsSets(row, privacy)) names.emplace_back(row.name);
  }
  return names;
}

bool AsksForItems(const PolicyNode& root) {
  const PolicyNode privacy = root.Child("privacy");
  if (!privacy.yaml().is_mapping()) return false;
  if (privacy.Has("sensitive_items")) return true;
  if (privacy.Has("model")) {
    return privacy.Child("model").yaml().text == RowOf(PrivacyModel::kItems).name;
  }
  if (!root.Has("method") || !root.Child("method").yaml().is_mapping()) return false;
  const PolicyNode method = root.Child("method");
  MethodPolicy named;
  named.name = method.Has("name") ? method.Child("name").yaml().text : "";
  return RowOf(named).sets.has_value();
}

Result<PrivacyPolicy> ReadItemPrivacy(const PolicyNode& root, const Schema& schema) {
  const PolicyNode node = root.Child("privacy");
  const ModelRow& model = RowOf(PrivacyModel::kItems);
  for (const char* key : {"negative", "alpha", "theta", "derive"}) {
    if (!node.Has(key)) continue;
    return node.Child(key).Fail(
        fmt::format("must be absent for {}, but is there", model.name),
        "remove it; k, l, m, n and sensitive_items are the keys of this model");
  }
  if (node.Has("model") && node.Child("model").yaml().text != model.name) {
    return node.Child("model").Fail(
        fmt::format("must be {} beside sensitive_items, but is not", model.name),
        "correct it, or leave it out");
  }
  THICKET_TRY(CheckSets(root.Child("record"), model.name, schema));
  PrivacyPolicy privacy;
  privacy.of_sets = true;
  THICKET_TRY(ReadSizes(node, privacy));
  if (node.Has("sensitive_items")) {
    THICKET_ASSIGN(privacy.sensitive_items, ReadSensitiveItems(node.Child("sensitive_items")));
  }
  THICKET_TRY(CheckSizes(node, privacy));
  THICKET_TRY(CheckTaxonomy(root.Child("record"), privacy, schema));
  return privacy;
}

Status CheckSetMethod(const PolicyNode& root, const Policy& policy, const Schema& schema) {
  const MethodRow& row = RowOf(policy.method);
  THICKET_TRY(CheckSets(root.Child("record"), fmt::format("method {}", row.name), schema));
  if (policy.privacy.negative) {
    return root.Child("privacy")
        .Child("negative")
        .Fail(fmt::format("must be off for method {}, but is on", row.name),
              "model: KL(m,n)-privacy has n for items that a person has not");
  }
  if (policy.method.alpha > kMostSetAlpha) {
    return root.Child("method").Child("alpha").Fail(
        fmt::format("must be at most {}, but is {}", NumberText(kMostSetAlpha),
                    NumberText(policy.method.alpha)),
        "0.1 lets the answer cost a tenth more than the least");
  }
  if (policy.privacy.of_sets) return CheckScope(root, row, policy.privacy);
  // k^(m,n)-anonymity, whose n is about relations: a set has none.
  PrivacyPolicy of_sets = policy.privacy;
  of_sets.n = 0;
  return CheckScope(root, row, of_sets);
}

const MethodRow& BestSetMethod(const PrivacyPolicy& privacy, const Schema& schema) {
  static const MethodRow none = {};
  if (!privacy.of_sets) {
    // Sets under k^(m,n)-anonymity: og loses no more than gcs, and proves it.
    const bool plain = privacy.model() == PrivacyModel::kCombinations && !privacy.l &&
                       !privacy.negative && AreSets(schema);
    if (!plain) return none;
  }
  const MethodRow* best = &none;
  for (const MethodRow& row : Methods()) {
    if (!row.Serves(privacy.model()) || !FitsSets(row, privacy)) continue;
    // What is made for adversaries who know everything loses least against them.
    const bool is_made_for_it = !privacy.m && !row.sets->bounded;
    if (best == &none || is_made_for_it) best = &row;
  }
  return *best;
}

}  // namespace thicket
