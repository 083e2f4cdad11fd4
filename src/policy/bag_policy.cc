#include <fmt/format.h>

#include <string>

#include "base/text.h"
#include "policy/method_table.h"
#include "policy/policy_reader.h"

namespace thicket {

namespace {

const ModelRow& Model() { return RowOf(PrivacyModel::kVocabularies); }

// A root without anything to know, and one class of leaves with one quasi-identifier, the term.
bool AreBags(const Schema& schema) {
  if (schema.classes.size() != 2) return false;
  const VertexClass& bag = schema.root();
  const VertexClass& term = schema.classes[1];
  return bag.value_count() == 0 && term.value_count() == 1 && term.quasi.size() == 1;
}

PolicyNode TermNode(const PolicyNode& root, const Schema& schema) {
  return root.Child("record")
      .Child("children")
      .Item(0)
      .Child("quasi")
      .Child(schema.classes[1].quasi.front().name);
}

Status CheckSchema(const PolicyNode& root, const Schema& schema) {
  if (!AreBags(schema)) {
    return root.Child("record").Fail(
        fmt::format("must be bags for {}, but is not", Model().name),
        "a bag has a class without quasi-identifiers, sensitive and kept attributes, and below it "
        "one class with one quasi-identifier and nothing else");
  }
  const Recoding::Kind kind = schema.classes[1].quasi.front().recoding.kind;
  if (kind == Recoding::Kind::kNetwork || kind == Recoding::Kind::kTaxonomy) return {};
  return TermNode(root, schema)
      .Fail(fmt::format("must have a network or a taxonomy for {}, but has another recoding",
                        Model().name),
            "write network: wordnet, or taxonomy: FILE: how far terms are from each other follows "
            "from it");
}

Error MustBeAbsent(const PolicyNode& key) {
  return key.Fail(fmt::format("must be absent for {}, but is there", Model().name),
                  "remove it; k and epsilon are the keys of this model");
}

}  // namespace

bool AsksForBags(const PolicyNode& root, Format format) {
  const PolicyNode privacy = root.Child("privacy");
  if (!privacy.yaml().is_mapping()) return false;
  if (format == Format::kQuerylog || privacy.Has("epsilon")) return true;
  if (privacy.Has("model")) return privacy.Child("model").yaml().text == Model().name;
  if (!root.Has("method") || !root.Child("method").yaml().is_mapping()) return false;
  const PolicyNode method = root.Child("method");
  MethodPolicy named;
  named.name = method.Has("name") ? method.Child("name").yaml().text : "";
  return RowOf(named).bags.has_value() && !RowOf(named).sets.has_value();
}

Result<PrivacyPolicy> ReadBagPrivacy(const PolicyNode& root, const Schema& schema) {
  const PolicyNode node = root.Child("privacy");
  for (const char* key :
       {"l", "m", "n", "negative", "alpha", "theta", "derive", "sensitive_items"}) {
    if (node.Has(key)) return MustBeAbsent(node.Child(key));
  }
  if (node.Has("model") && node.Child("model").yaml().text != Model().name) {
    return node.Child("model").Fail(fmt::format("must be {} for bags, but is not", Model().name),
                                    "correct it, or leave it out");
  }
  PrivacyPolicy privacy;
  privacy.of_bags = true;
  if (!node.Has("k")) {
    return node.Fail(fmt::format("must have k for {}, but has none", Model().name),
                     "add k: 5, the least number of people whose bags look alike");
  }
  THICKET_ASSIGN(privacy.k, node.Child("k").WholeNumber(2));
  if (node.Has("epsilon")) {
    THICKET_ASSIGN(privacy.epsilon, node.Child("epsilon").WholeNumber(0));
  }
  THICKET_TRY(CheckSchema(root, schema));
  return privacy;
}

Status CheckBagMethod(const PolicyNode& root, const Policy& policy, const Schema& schema) {
  const MethodRow& row = RowOf(policy.method);
  const std::optional<int>& epsilon = policy.privacy.epsilon;
  const PolicyNode privacy = root.Child("privacy");
  if (row.bags->substitutes && !epsilon) {
    return privacy.Fail(fmt::format("must have epsilon for method {}, but has none", row.name),
                        "add epsilon: 6, how many steps a published term may be from the one that "
                        "it stands for");
  }
  if (!row.bags->substitutes && epsilon) {
    return privacy.Child("epsilon").Fail(
        fmt::format("must be absent for method {}, but is there", row.name),
        fmt::format("remove it, and say model: {}: the method generalizes terms instead of "
                    "replacing them",
                    Model().name));
  }
  const bool generalizes = !row.bags->substitutes || policy.method.centre == "generalize";
  const Recoding& recoding = schema.classes[1].quasi.front().recoding;
  if (generalizes && recoding.kind != Recoding::Kind::kTaxonomy) {
    return TermNode(root, schema)
        .Fail(row.bags->substitutes
                  ? "must have a taxonomy for centre: generalize, but has a network"
                  : fmt::format("must have a taxonomy for method {}, but has a network", row.name),
              "write taxonomy: FILE; in a network words have more than one way up");
  }
  if (policy.method.omega && *policy.method.omega < *epsilon) {
    return root.Child("method").Child("omega").Fail(
        fmt::format("must be at least epsilon = {}, but is {}", *epsilon,
                    NumberText(*policy.method.omega)),
        "raise it: a term without a partner costs no less than one with the farthest; or leave it "
        "out: fewest terms without a partner come first then");
  }
  return {};
}

bool PublishesAlternatives(const MethodPolicy& method) {
  return RowOf(method).Takes(&MethodPolicy::centre) && method.centre == "hyper";
}

Status CheckNetworks(const PolicyNode& record, const Schema& schema) {
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    for (const QuasiAttribute& attribute : schema.classes[id].quasi) {
      const std::string path = schema.PathOf(static_cast<ClassId>(id), attribute.name);
      if (attribute.recoding.kind == Recoding::Kind::kNetwork) {
        return record.Fail(
            fmt::format("must be bags, with epsilon in privacy, where a term has a network, but {} "
                        "has one and the records are not",
                        path),
            "add epsilon: 6, or give the attribute a taxonomy");
      }
    }
  }
  return {};
}

}  // namespace thicket
