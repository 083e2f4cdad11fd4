// What a sweep of an experiment asks of methods at each of its settings.
#include <fmt/format.h>

#include <algorithm>

#include "experiment/experiment_table.h"
#include "policy/method_table.h"

namespace thicket {

std::string_view Sweep::name() const {
  switch (over) {
    case Over::kL:
      return "l";
    case Over::kK:
    case Over::kLevels:
      return "k";
    case Over::kTh:
      return "th";
    case Over::kM:
      return "m";
    case Over::kN:
      return "n";
    case Over::kG:
      return "g";
    case Over::kSize:
      return "records";
    case Over::kLimit:
      return "seconds";
    case Over::kCuts:
      return "cuts";
    case Over::kQuasi:
      return "quasi-identifiers";
    case Over::kMn:
      return "m = n";
    case Over::kSecrets:
      return "sensitive items";
    case Over::kGap:
      return "gap";
    case Over::kEpsilon:
      return "epsilon";
    case Over::kClosed:
      return "patterns";
  }
  return "";
}

namespace {

// KL(m,n)-privacy. LG knows no m and n.
PrivacyPolicy SetPrivacyAt(const Sweep& sweep, int x, const MethodPolicy& method) {
  using Over = Sweep::Over;
  PrivacyPolicy privacy;
  privacy.of_sets = true;
  privacy.k = sweep.over == Over::kK ? x : sweep.k;
  const int l = sweep.over == Over::kL ? x : sweep.l;
  if (l > 1) privacy.l = l;
  if (!RowOf(method).sets || !RowOf(method).sets->bounded) return privacy;
  privacy.m = sweep.over == Over::kM || sweep.over == Over::kMn ? x : sweep.m;
  privacy.n = sweep.over == Over::kN || sweep.over == Over::kMn ? x : sweep.n;
  return privacy;
}

// Vocabulary k-anonymity. Methods that generalize know no epsilon.
PrivacyPolicy BagPrivacyAt(const Sweep& sweep, int x, const MethodPolicy& method) {
  PrivacyPolicy privacy;
  privacy.of_bags = true;
  privacy.k = sweep.over == Sweep::Over::kK ? x : sweep.k;
  if (!RowOf(method).bags || !RowOf(method).bags->substitutes) return privacy;
  privacy.epsilon = sweep.over == Sweep::Over::kEpsilon ? x : sweep.epsilon;
  return privacy;
}

}  // namespace

PrivacyPolicy Sweep::PrivacyAt(double x, const MethodPolicy& method) const {
  const auto whole = static_cast<int>(x);
  if (of_sets) return SetPrivacyAt(*this, whole, method);
  if (of_bags) return BagPrivacyAt(*this, whole, method);
  PrivacyPolicy privacy;
  if (RowOf(method).flat) {
    const int of_l = over == Over::kL ? whole : l;
    if (!from_frequency) {
      privacy.l = of_l;
      return privacy;
    }
    privacy.theta.emplace();
    privacy.theta->otherwise = *Decimal::Parse(fmt::format("{:.9f}", 1.0 / of_l));
    privacy.theta->from_frequency = true;
    return privacy;
  }
  const bool by_k = over == Over::kL || over == Over::kK || over == Over::kLevels;
  privacy.k = by_k ? whole : k;
  if (over == Over::kLevels && RowOf(method).Serves(PrivacyModel::kSensitivityLevels)) {
    privacy.alpha = {0.8, 0.6, 0.4, 0.2, 0.1};
  } else if (over == Over::kLevels || over == Over::kL) {
    privacy.l = whole;
  }
  if (RowOf(method).Serves(PrivacyModel::kCombinations)) {
    privacy.m = over == Over::kM ? whole : m;
    privacy.n = std::min(over == Over::kN ? whole : n, *privacy.m * (*privacy.m - 1) / 2);
  }
  return privacy;
}

MethodPolicy Sweep::MethodAt(double x, const MethodPolicy& method) const {
  MethodPolicy there = method;
  if (over == Over::kTh) there.th = x;
  if (over == Over::kG) there.g = static_cast<int>(x);
  if (over == Over::kLimit) there.limit_s = x;
  if (!metric.empty()) there.metric = metric;
  if (metric == "cm") there.class_attribute = "salary-class";
  return there;
}

bool Sweep::Concerns(const MethodPolicy& method) const {
  const MethodRow& row = RowOf(method);
  const bool by_power = over == Over::kM || over == Over::kN || over == Over::kMn;
  if (of_sets && by_power) return row.sets && row.sets->bounded;
  if (over == Over::kM || over == Over::kN) return row.Serves(PrivacyModel::kCombinations);
  if (over == Over::kG) return row.Takes(&MethodPolicy::g);
  if (over == Over::kEpsilon) return row.bags && row.bags->substitutes;
  return true;
}

bool SuppressesValues(const MethodPolicy& method) {
  return method.suppression == "all-values" || method.suppression == "violating-values";
}

bool Sweep::Runs(const ExperimentMethod& method) const {
  if (method.group != group) return false;
  return !SuppressesValues(method.method) || metric.empty() || metric == "lm";
}

CensusGrain Sweep::GrainAt(double x) const {
  return over == Over::kCuts ? GrainOf(static_cast<uint64_t>(x)) : grain;
}

size_t Sweep::QuasiAt(double x) const {
  return over == Over::kQuasi ? static_cast<size_t>(x) : kCensusQuasi;
}

size_t Sweep::SecretsAt(double x) const {
  return over == Over::kSecrets ? static_cast<size_t>(x) : secrets;
}

double Sweep::GapAt(double x) const { return over == Over::kGap ? x : gap_s; }

size_t Sweep::ClosedAt(double x) const {
  return over == Over::kClosed ? static_cast<size_t>(x) : closed;
}

}  // namespace thicket
