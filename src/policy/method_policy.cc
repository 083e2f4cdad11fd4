#include <fmt/format.h>

#include <algorithm>

#include "policy/policy_reader.h"

namespace thicket {

namespace {

const KeySet& Methods() {
  static const KeySet words = {
      {"clustree", "mlevclutree", "miracle", "miraclex", "dmiracle", "cdgh", "gcs", "acs", "ocs"},
      {"lplus", "incognito", "annealing", "og", "mog", "aa", "mm", "lg", "ssg", "lgbag"}};
  return words;
}

// The parameters of a method; those of the others are known, too, but do not belong here.
std::vector<std::string> ParametersOf(const std::string& name) {
  if (name == "gcs" || name == "ocs") return {"name", "g", "cost", "limit_s"};
  if (name == "acs") return {"name", "cost", "limit_s"};
  std::vector<std::string> keys = {"name", "refine", "limit_s"};
  if (name == "clustree") {
    keys.insert(keys.end(), {"mapping", "passes", "s", "m", "cost", "leftovers"});
  } else if (name == "mlevclutree") {
    keys.insert(keys.end(), {"candidates", "leftovers"});
  } else {
    keys.insert(keys.end(), {"climit", "th"});
  }
  return keys;
}

Status CheckKeys(const PolicyNode& node, const std::string& name) {
  static const KeySet known = {{"name", "mapping", "passes", "s", "m", "cost", "leftovers",
                                "refine", "limit_s", "climit", "th", "candidates", "g"},
                               {"metric", "suppression", "suppression_cost", "alpha", "top_h",
                                "omega", "centre", "matching"}};
  THICKET_TRY(node.MustHaveOnly(known));
  const std::vector<std::string> own = ParametersOf(name);
  for (const auto& [key, child] : node.Children()) {
    if (std::find(own.begin(), own.end(), key) != own.end()) continue;
    return child.Fail(fmt::format("must be a parameter of {}, but is none", name),
                      fmt::format("remove it; {} has {}", name, JoinWords(own, " and ")));
  }
  return {};
}

// What each method can promise.
Status CheckModel(const PolicyNode& node, const std::string& name, const PrivacyPolicy& privacy) {
  const bool cuts = name == "gcs" || name == "acs" || name == "ocs";
  if (cuts != (privacy.model() == PrivacyModel::kCombinations)) {
    return node.Child("name").Fail(
        cuts ? fmt::format("must not be {} for {}, but is", name, privacy.model_name())
             : fmt::format("must be gcs, acs or ocs for {}, but is {}", privacy.model_name(), name),
        cuts ? "leave the name out, or add m and n to privacy"
             : "leave the name out, or take m and n out of privacy");
  }
  if (cuts) return {};
  if ((name == "mlevclutree") != privacy.alpha.has_value()) {
    return node.Child("name").Fail(
        privacy.alpha
            ? fmt::format("must be mlevclutree for {}, but is {}", privacy.model_name(), name)
            : fmt::format("must not be mlevclutree for {}, but is", privacy.model_name()),
        privacy.alpha ? "leave the name out, or take alpha out of privacy"
                      : "leave the name out, or add alpha to privacy");
  }
  if (privacy.alpha) return {};
  if (name == "dmiracle" && !privacy.l) {
    return node.Child("name").Fail("must be miracle for k-anonymity, but is dmiracle",
                                   "dmiracle is for l-diversity: add l, or use miracle");
  }
  if (name != "clustree" && name != "dmiracle" && privacy.l) {
    return node.Child("name").Fail(
        fmt::format("must be clustree or dmiracle for l-diversity, but is {}", name),
        fmt::format("take l out of privacy: {} does k-anonymity only", name));
  }
  return {};
}

Status ReadClusTree(const PolicyNode& node, MethodPolicy& method) {
  if (node.Has("mapping")) {
    THICKET_ASSIGN(method.mapping, node.Child("mapping").Word({{"lsap", "greedy", "labels"}, {}}));
  }
  if (node.Has("passes")) {
    THICKET_ASSIGN(method.passes, node.Child("passes").OnOff());
  }
  if (node.Has("s")) {
    THICKET_ASSIGN(method.s, node.Child("s").PositiveNumber());
  }
  if (node.Has("m")) {
    THICKET_ASSIGN(method.m, node.Child("m").PositiveNumber());
  }
  if (node.Has("cost") && method.IsCutSearch()) {
    THICKET_ASSIGN(method.cut_cost,
                   node.Child("cost").Word({{"lm", "rpd", "rpd_a", "labels"}, {}}));
  } else if (node.Has("cost")) {
    THICKET_ASSIGN(method.cost, node.Child("cost").Word({{"weighted", "faithful"}, {}}));
  }
  if (node.Has("leftovers")) {
    THICKET_ASSIGN(method.leftovers, node.Child("leftovers").Word({{"absorb", "suppress"}, {}}));
  }
  return {};
}

Status ReadMiracle(const PolicyNode& node, MethodPolicy& method) {
  if (node.Has("climit")) {
    THICKET_ASSIGN(method.climit, node.Child("climit").WholeNumber(1));
  }
  if (node.Has("th")) {
    const PolicyNode th = node.Child("th");
    THICKET_ASSIGN(method.th, th.Number());
    if (method.th < 0 || method.th > 1) {
      return th.Fail("must lie between 0 and 1, but does not",
                     "it is a share of what a record can lose; 0.1 is usual");
    }
  }
  return {};
}

}  // namespace

std::string BestMethod(const PrivacyPolicy& privacy) {
  if (privacy.model() == PrivacyModel::kCombinations) return "gcs";
  return privacy.alpha ? "mlevclutree" : "clustree";
}

Result<MethodPolicy> ReadMethod(const PolicyNode& node, const PrivacyPolicy& privacy) {
  MethodPolicy method;
  method.name = BestMethod(privacy);
  // The name first: the parameters of another method are no mistake of their own.
  if (node.yaml().is_mapping() && node.Has("name")) {
    THICKET_ASSIGN(method.name, node.Child("name").Word(Methods()));
  }
  THICKET_TRY(CheckKeys(node, method.name));
  THICKET_TRY(CheckModel(node, method.name, privacy));
  THICKET_TRY(ReadClusTree(node, method));
  THICKET_TRY(ReadMiracle(node, method));
  if (node.Has("candidates")) {
    THICKET_ASSIGN(method.candidates, node.Child("candidates").WholeNumber(1));
  }
  if (node.Has("g")) {
    THICKET_ASSIGN(method.g, node.Child("g").WholeNumber(1));
  }
  if (node.Has("refine")) {
    THICKET_ASSIGN(method.refine, node.Child("refine").OnOff());
  }
  if (node.Has("limit_s")) {
    if (!method.refine && !method.IsCutSearch()) {
      return node.Child("limit_s").Fail("must stand beside refine: on, but does not",
                                        "add refine: on, or remove it");
    }
    THICKET_ASSIGN(method.limit_s, node.Child("limit_s").PositiveNumber());
  }
  return method;
}

}  // namespace thicket
