// The methods of the policy language as one table: a method is one row, with its name, its family, the models it serves and
// its parameters. All that depends on which method it is follows from here: how `method` is read and what is wrong with
// it, what a method may promise, which one a policy gets that names none, the report's `method` object, a policy that is
// written again, and the tables of docs/policy.md, which a test compares. engine/method.cc has the functions, by name.
//
//   const MethodRow& row = RowOf(policy.method);
//   if (row.family == MethodFamily::kCutting) ...
//   if (row.Takes(&MethodPolicy::g)) ...
//   BestMethod(policy.privacy.model()).name;   // "agglomerate"
//
// No other place compares names of methods (tests/method_names_test.py). A parameter is bound to its field of
// MethodPolicy by a pointer to the member: a name that is mistyped does not compile, and the default is that of the field.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "policy/model.h"
#include "policy/policy.h"

namespace thicket {

enum class MethodFamily {
  kGrouping,  // classes of look-alikes, each recoded by itself
  kCutting,   // one cut through the taxonomies recodes everybody
};

// A key of `method`.
struct MethodParameter {
  // The types. `field` is where the value is kept.
  struct Word {
    std::string MethodPolicy::*field;
    std::span<const std::string_view> words;
  };
  struct OnOff {
    bool MethodPolicy::*field;
  };
  // A whole number, 1 or more.
  struct Count {
    int MethodPolicy::*field;
  };
  // The words auto and off, or a whole number, 2 or more; kept as text.
  struct AutoOffCount {
    std::string MethodPolicy::*field;
  };
  // A number above 0, and the same where there need not be one.
  struct Positive {
    double MethodPolicy::*field;
  };
  struct MaybePositive {
    std::optional<double> MethodPolicy::*field;
  };
  // A number from 0 to 1; `hint` is what to do with any other.
  struct Share {
    double MethodPolicy::*field;
    std::string_view hint;
  };
  // A number, 0 or more.
  struct AtLeastZero {
    double MethodPolicy::*field;
  };
  // The name of an attribute; empty if there is none.
  struct Attribute {
    std::string MethodPolicy::*field;
  };
  using Type = std::variant<Word, OnOff, Count, AutoOffCount, Positive, MaybePositive, Share,
                            AtLeastZero, Attribute>;

  std::string_view key;
  Type type;
  // A sentence for docs/policy.md, in Markdown.
  std::string_view meaning;
  // Another parameter that must be on beside this one.
  const MethodParameter* beside = nullptr;
  // Whether the report shows the value.
  bool in_report = true;

  // As a policy has it: a word, on or off, a number; empty if there is no value.
  std::string ValueIn(const MethodPolicy& method) const;
  bool IsDefaultIn(const MethodPolicy& method) const;
};

struct MethodRow {
  std::string_view name;
  MethodFamily family = MethodFamily::kGrouping;
  // The promises that the method can keep.
  std::vector<PrivacyModel> models;
  std::vector<const MethodParameter*> own;
  // Whether its groups may be refined afterwards, which has parameters of its own.
  bool may_refine = false;
  // Whether the method keeps the order of siblings whose class is ordered.
  bool keeps_order = false;
  // Whether records must be single vertices: a table.
  bool flat = false;
  // Whether records must be sets, and which promises of KL(m,n)-privacy the method can keep of them.
  struct SetScope {
    bool l = false;          // l above 1
    bool n = false;          // n above 0
    bool bounded = true;     // m and n
    bool unbounded = false;  // neither: an adversary knows everything
    bool rounds = false;     // whether one cut is sought after another, for growing m and n
  };
  std::optional<SetScope> sets = {};
  // Whether records must be bags under vocabulary k-anonymity, and how terms are made to look alike.
  struct BagScope {
    bool substitutes = false;  // by terms nearby, instead of groups of a taxonomy: needs epsilon
  };
  std::optional<BagScope> bags = {};
  // The promises for which this method is the default, before others that serve them.
  std::vector<PrivacyModel> best_for = {};
  // What does the same without the method's addition, for policies that do not ask for the addition; empty if nothing does.
  std::string_view plain_kin = {};
  // What the method does, for docs/policy.md, in Markdown.
  std::string_view meaning;

  bool Serves(PrivacyModel model) const;
  // Its own parameters, then those of refining.
  std::vector<const MethodParameter*> Parameters() const;
  // Whether the value of a field means anything to the method.
  template <typename T>
  bool Takes(T MethodPolicy::*field) const;
};

// In the order in which messages and pages name them.
const std::vector<MethodRow>& Methods();

// The row of a method; if there is no such method, a row that serves no model and takes nothing.
const MethodRow& RowOf(const MethodPolicy& method);

// What a policy gets that names no method: the one that is best for the model, or else the first that serves it.
const MethodRow& BestMethod(PrivacyModel model);
const MethodRow& FirstMethod(PrivacyModel model);

// Whether a method for sets can keep what is promised of them, and the names of those that can. set_policy.cc.
bool FitsSets(const MethodRow& row, const PrivacyPolicy& privacy);
std::vector<std::string> MethodsForSets(const PrivacyPolicy& privacy);

// Those that serve a model, in the order of the table.
std::vector<std::string> MethodsFor(PrivacyModel model);

// All parameters, in the order in which messages name their keys; and of them those of refining.
const std::vector<const MethodParameter*>& MethodParameters();
const std::vector<const MethodParameter*>& RefineParameters();

template <typename T>
bool MethodRow::Takes(T MethodPolicy::*field) const {
  for (const MethodParameter* parameter : Parameters()) {
    const bool same = std::visit(
        [&](const auto& type) {
          if constexpr (std::is_same_v<decltype(type.field), T MethodPolicy::*>) {
            return type.field == field;
          } else {
            return false;
          }
        },
        parameter->type);
    if (same) return true;
  }
  return false;
}

}  // namespace thicket
