#include "verify/combinations.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/phase.h"
#include "base/stop.h"
#include "verify/combination_diversity.h"
#include "verify/combination_findings.h"
#include "verify/combination_walk.h"
#include "verify/label_trees.h"
#include "verify/published_values.h"
#include "verify/signed_combinations.h"

namespace thicket {

namespace {

// Patterns have 64 bits: 11 names have 55 pairs.
constexpr size_t kMostRelated = 11;

// The sets of up to m of `names`.
double SetsUpTo(double names, size_t m) {
  double sets = 0;
  double of_size = 1;
  for (size_t size = 1; size <= m && static_cast<double>(size) <= names; ++size) {
    of_size *= (names - static_cast<double>(size) + 1) / static_cast<double>(size);
    sets += of_size;
  }
  return sets;
}

double CountingSteps(const LabelTrees& trees, size_t m) {
  double steps = 0;
  for (size_t tree = 0; tree < trees.size(); ++tree) {
    StopPoint();
    steps += SetsUpTo(static_cast<double>(trees.names_of(tree).size()), m);
  }
  return steps;
}

// By name: of these steps, the ones for sets in which it is the first.
std::vector<uint64_t> StepsByName(const LabelTrees& trees, size_t m) {
  std::vector<double> steps(trees.name_count(), 0);
  for (size_t tree = 0; tree < trees.size(); ++tree) {
    StopPoint();
    const auto names = trees.names_of(tree);
    for (size_t i = 0; i < names.size(); ++i) {
      steps[names[i]] += 1 + SetsUpTo(static_cast<double>(names.size() - 1 - i), m - 1);
    }
  }
  std::vector<uint64_t> whole;
  for (const double each : steps) whole.push_back(static_cast<uint64_t>(each));
  return whole;
}

size_t MostNames(const LabelTrees& trees) {
  size_t most = 0;
  for (size_t tree = 0; tree < trees.size(); ++tree) {
    StopPoint();
    most = std::max(most, trees.names_of(tree).size());
  }
  return most;
}

Error TooMuch(double steps, double most) {
  return ErrorAt(ErrorCode::kUsage, {.path = "privacy"},
                 fmt::format("counting every combination must take at most {:.2g} steps, about two "
                             "hours, but would take {:.2g}",
                             most, steps),
                 "lower m, or leave out negative or l where the policy has them");
}

// Judges the sets of names that a walk visits: the support of each with up to n relations.
class SupportJudge {
 public:
  SupportJudge(uint64_t k, size_t n, CombinationFindings& findings)
      : k_(k), n_(n), findings_(findings), few_(n > 0 ? kTable : 1, 0) {}

  // Whether to go on.
  bool operator()(std::span<const uint32_t> names, std::span<const PatternCount> patterns) {
    ++findings_.label_sets;
    uint64_t least = CombinationFindings::kNone;
    for (const PatternCount& found : patterns) least = std::min(least, found.count);
    // Whatever is supported is so by all records of at least one pattern.
    if (least >= k_ && least >= findings_.least) return true;
    subsets_.clear();
    for (const PatternCount& found : patterns) AddSubsets(found.pattern, 0, 0, found.count);
    for (const uint64_t subset : subsets_) {
      uint64_t& support = Support(subset);
      findings_.least = std::min(findings_.least, support);
      if (support < k_) AddRare(names, subset, support);
      support = 0;
    }
    if (!many_.empty()) many_.clear();
    findings_.more = findings_.least == 1 && findings_.total >= CombinationFindings::kEnough;
    return !findings_.more;
  }

 private:
  // The relations of up to 6 names have a table.
  static constexpr uint64_t kTable = uint64_t{1} << 15;
  uint64_t& Support(uint64_t subset) { return subset < few_.size() ? few_[subset] : many_[subset]; }

  // All sets of at most n of the relations.
  void AddSubsets(uint64_t rest, uint64_t chosen, size_t size, uint64_t count) {
    uint64_t& support = Support(chosen);
    if (support == 0) subsets_.push_back(chosen);
    support += count;
    if (size == n_) return;
    for (; rest != 0; rest &= rest - 1) {
      AddSubsets(rest & (rest - 1), chosen | (rest & -rest), size + 1, count);
    }
  }

  void AddRare(std::span<const uint32_t> names, uint64_t relations, uint64_t support) {
    ++findings_.total;
    if (!findings_.WantsSize(names.size() + static_cast<size_t>(std::popcount(relations)))) return;
    Violator rare;
    rare.support = support;
    rare.combination.names.assign(names.begin(), names.end());
    rare.combination.signs.assign(names.size(), Combination::Sign::kPresent);
    for (size_t j = 1; j < names.size(); ++j) {
      for (size_t i = 0; i < j; ++i) {
        if ((relations >> (j * (j - 1) / 2 + i) & 1) == 0) continue;
        rare.combination.relations.push_back({i, j, true});
      }
    }
    findings_.Add(std::move(rare));
  }

  uint64_t k_;
  size_t n_;
  CombinationFindings& findings_;
  std::vector<uint64_t> few_;
  std::unordered_map<uint64_t, uint64_t> many_;
  // Those with a support.
  std::vector<uint64_t> subsets_;
};

template <size_t kPlaces>
CombinationFindings CountPresent(const LabelTrees& trees, uint64_t k, size_t m, size_t n,
                                 Parallel& parallel) {
  const NameHolders holders(trees);
  // By first name: which rare combinations are named must not depend on who counted what.
  std::vector<CombinationFindings> findings(trees.name_count());
  std::vector<CombinationWalk<kPlaces>> walks(parallel.threads(),
                                              CombinationWalk<kPlaces>(trees, holders, m));
  const std::vector<uint64_t> steps = StepsByName(trees, m);
  Phase phase("verify combinations", std::accumulate(steps.begin(), steps.end(), uint64_t{0}));
  parallel.For(trees.name_count(), 1, [&](size_t worker, size_t begin, size_t end) {
    for (size_t name = begin; name < end; ++name) {
      SupportJudge judge(k, n, findings[name]);
      walks[worker].Run(static_cast<uint32_t>(name), judge);
      phase.Advance(steps[name]);
    }
  });
  CombinationFindings all;
  for (const CombinationFindings& found : findings) all.Merge(found);
  return all;
}

class CombinationVerifier {
 public:
  CombinationVerifier(const Schema& schema, const PrivacyPolicy& privacy, const Dataset& published,
                      const CombinationOptions& options)
      : schema_(schema),
        privacy_(privacy),
        data_(published),
        options_(options),
        parallel_(options.threads) {}

  Result<Verdict> Run(const TaxonomyFiles& taxonomies);

 private:
  bool CheckPlaces();
  Status CountSupports(const TaxonomyFiles& taxonomies);
  Status CheckDiversity(const TaxonomyFiles& taxonomies);
  void WarnOfMore(const CombinationFindings& found);
  std::string WhereOf(const LabelTrees& trees, const Combination& combination) const;

  const Schema& schema_;
  const PrivacyPolicy& privacy_;
  const Dataset& data_;
  const CombinationOptions& options_;
  Parallel parallel_;
  Verdict verdict_;
};

// One class once on a path, in the order of the classes.
bool CombinationVerifier::CheckPlaces() {
  const Forest& forest = data_.forest;
  for (Vertex v = 0; v < forest.vertex_count(); ++v) {
    StopPoint();
    for (const Vertex child : forest.Children(v)) {
      ClassId above = forest.class_of(child);
      while (above > forest.class_of(v)) above = schema_.classes[above].parent;
      if (above == forest.class_of(v) && forest.class_of(child) != above) continue;
      verdict_.violations.Add(
          {ViolationKind::kIllegalPlace,
           fmt::format("{}: a vertex must stand below vertices of classes above its own, but a {} "
                       "stands below a {}",
                       data_.Where(forest.record_of(child)),
                       schema_.classes[forest.class_of(child)].name,
                       schema_.classes[forest.class_of(v)].name),
           1});
    }
  }
  return verdict_.violations.total(ViolationKind::kIllegalPlace) == 0;
}

// The first record that supports it.
std::string CombinationVerifier::WhereOf(const LabelTrees& trees,
                                         const Combination& combination) const {
  for (size_t tree = 0; tree < trees.size(); ++tree) {
    StopPoint();
    if (combination.HoldsIn(trees, tree)) return data_.Where(trees.example(tree));
  }
  return data_.source;
}

void CombinationVerifier::WarnOfMore(const CombinationFindings& found) {
  if (!found.more || !verdict_.warnings.empty()) return;
  verdict_.warnings.emplace_back(
      "so many combinations break the promise that not all of them were counted");
}

Status CombinationVerifier::CountSupports(const TaxonomyFiles& taxonomies) {
  const auto k = static_cast<uint64_t>(*privacy_.k);
  const auto n = static_cast<size_t>(privacy_.n.value_or(0));
  THICKET_ASSIGN(
      const LabelTrees trees,
      LabelTrees::Read(data_, taxonomies, {.ancestors = privacy_.negative, .relations = n > 0},
                       verdict_.violations));
  const size_t names = privacy_.negative ? trees.name_count() : MostNames(trees);
  const size_t m = std::min(static_cast<size_t>(*privacy_.m), names);
  if (m == 0) return {};
  double steps = CountingSteps(trees, m);
  if (privacy_.negative) steps += SignedSteps(trees, m);
  if (!(steps <= options_.most_steps)) return TooMuch(steps, options_.most_steps);
  const bool related = n > 0 && trees.any_relation();
  if (related && m > (privacy_.negative ? kMostSigned : kMostRelated)) {
    return ErrorAt(ErrorCode::kUsage, {.path = "privacy.m"},
                   fmt::format("combinations with relations can be counted up to m = {}, "
                               "but it is {}",
                               privacy_.negative ? kMostSigned : kMostRelated, m),
                   "lower m, or set n: 0");
  }
  CombinationFindings found;
  if (privacy_.negative) {
    THICKET_ASSIGN(found, CountSigned(trees, k, m, n, parallel_));
  } else if (!related) {
    found = CountPresent<0>(trees, k, m, 0, parallel_);
  } else {
    found = m <= 3   ? CountPresent<2>(trees, k, m, n, parallel_)
            : m <= 6 ? CountPresent<5>(trees, k, m, n, parallel_)
                     : CountPresent<10>(trees, k, m, n, parallel_);
  }
  verdict_.label_sets = found.label_sets;
  if (found.least != CombinationFindings::kNone) verdict_.k = static_cast<int>(found.least);
  WarnOfMore(found);
  uint64_t rest = found.total;
  for (const Violator& rare : found.Smallest()) {
    --rest;
    verdict_.violations.Add(
        {ViolationKind::kRareCombination,
         fmt::format(
             "{}: at least {} records must have {}, but {}", WhereOf(trees, rare.combination), k,
             rare.combination.Text(trees),
             rare.support == 1 ? "only this one does" : fmt::format("only {} do", rare.support)),
         rare.support});
  }
  verdict_.violations.Count(ViolationKind::kRareCombination, rest);
  return {};
}

Status CombinationVerifier::CheckDiversity(const TaxonomyFiles& taxonomies) {
  const auto n = static_cast<size_t>(privacy_.n.value_or(0));
  THICKET_ASSIGN(
      const LabelTrees trees,
      LabelTrees::Read(data_, taxonomies, {.ancestors = false, .relations = n > 0, .secrets = true},
                       verdict_.violations));
  const DiversityQuestion question = {static_cast<uint64_t>(*privacy_.l),
                                      static_cast<size_t>(*privacy_.m), n, privacy_.negative};
  const double steps = DiversitySteps(trees, question);
  if (!(steps <= options_.most_steps)) return TooMuch(steps, options_.most_steps);
  const CombinationFindings found = CheckCombinationDiversity(trees, question, parallel_);
  if (found.least_diverse != CombinationFindings::kNone) {
    verdict_.l = static_cast<int>(found.least_diverse);
  }
  WarnOfMore(found);
  uint64_t rest = found.total;
  for (const Violator& violator : found.Smallest()) {
    --rest;
    const LabelTrees::Secret& secret = trees.secret(violator.secret);
    const std::string path = schema_.PathOf(secret.id);
    const std::string& attribute = schema_.classes[secret.id].sensitive[secret.attribute].name;
    const bool alone = violator.support == 1;
    verdict_.violations.Add(
        {ViolationKind::kNotDiverse,
         fmt::format(
             "{}: {}{} no value of {} may occur in more than 1/{}, but one occurs in {} "
             "of {}",
             WhereOf(trees, violator.combination),
             alone ? "in the only record" : fmt::format("among the {} records", violator.support),
             violator.combination.names.empty() ? ""
                                                : fmt::format(" that {} {}", alone ? "has" : "have",
                                                              violator.combination.Text(trees)),
             path.empty() ? attribute : path + "." + attribute, *privacy_.l, violator.most,
             violator.support),
         violator.support});
  }
  verdict_.violations.Count(ViolationKind::kNotDiverse, rest);
  return {};
}

Result<Verdict> CombinationVerifier::Run(const TaxonomyFiles& taxonomies) {
  if (!privacy_.k || !privacy_.m) {
    return ErrorAt(ErrorCode::kUsage, {.path = "privacy"},
                   "k and m must be given, but one of them is not",
                   "say in the policy what is promised");
  }
  verdict_.records = data_.forest.record_count();
  verdict_.vertices = data_.forest.vertex_count();
  THICKET_TRY(CheckLabels(data_, taxonomies, verdict_.violations));
  if (CheckPlaces()) {
    THICKET_TRY(CountSupports(taxonomies));
    if (privacy_.l) THICKET_TRY(CheckDiversity(taxonomies));
  }
  verdict_.holds = verdict_.violations.empty();
  return std::move(verdict_);
}

}  // namespace

Result<Verdict> VerifyCombinations(const Schema& schema, const PrivacyPolicy& privacy,
                                   const TaxonomyFiles& taxonomies, const Dataset& published,
                                   const CombinationOptions& options) {
  return CombinationVerifier(schema, privacy, published, options).Run(taxonomies);
}

}  // namespace thicket
