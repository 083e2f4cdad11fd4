#include "engine/method.h"

#include <utility>

#include "base/text.h"
#include "grouping/clustree.h"
#include "grouping/miracle.h"
#include "grouping/mlevclutree.h"
#include "grouping/refine.h"

namespace thicket {

namespace {

// The size that classes are grown to. In a class of k > l records a value may stand only k / l times in a vertex, rounded
// down: the next multiple of l leaves the values much more room for at most l - 1 records more.
int GrownSize(const PrivacyPolicy& privacy, size_t records) {
  const int least = privacy.class_size();
  const int l = privacy.l.value_or(1);
  const int multiple = (least + l - 1) / l * l;
  return records >= static_cast<size_t>(multiple) ? multiple : least;
}

MergeOptions MergeOf(const MethodPolicy& method) {
  if (method.name == "mlevclutree") return MLevCluTreeOptions().merge;
  MergeOptions merge;
  merge.mapping = method.mapping == "greedy"   ? Mapping::kGreedy
                  : method.mapping == "labels" ? Mapping::kLabels
                                               : Mapping::kLsap;
  merge.cost = method.cost == "faithful" ? MergeCost::kFaithful : MergeCost::kWeighted;
  return merge;
}

Result<Grouping> RunClusTree(const Policy& policy, bool exhaustive, const EncodedDataset& data,
                             Parallel& parallel, Progress& progress) {
  ClusTreeOptions options;
  options.class_size = GrownSize(policy.privacy, data.forest().record_count());
  options.rule = RuleOf(policy.privacy);
  options.merge = MergeOf(policy.method);
  options.passes = policy.method.passes;
  options.s = policy.method.s;
  options.m = policy.method.m;
  options.leftovers =
      policy.method.leftovers == "suppress" ? Leftovers::kSuppress : Leftovers::kAbsorb;
  options.exhaustive = exhaustive;
  return ClusTree(data, options, parallel, progress);
}

Result<Grouping> RunMiracle(const Policy& policy, bool exhaustive, const EncodedDataset& data,
                            Parallel& parallel, Progress& progress) {
  MiracleOptions options;
  options.exhaustive = exhaustive;
  options.variant = policy.method.name == "miraclex"   ? MiracleVariant::kMiracleX
                    : policy.method.name == "dmiracle" ? MiracleVariant::kDMiracle
                    : policy.method.name == "cdgh"     ? MiracleVariant::kBitmap
                                                       : MiracleVariant::kMiracle;
  options.class_size = policy.privacy.class_size();
  options.rule = RuleOf(policy.privacy);
  options.climit = policy.method.climit;
  options.th = policy.method.th;
  return Miracle(data, options, parallel, progress);
}

Result<Grouping> RunMLevCluTree(const Policy& policy, const MethodOptions& run,
                                const EncodedDataset& data, Parallel& parallel,
                                Progress& progress) {
  MLevCluTreeOptions options;
  options.random_seed = run.random_seed;
  options.exhaustive = run.exhaustive;
  options.class_size = policy.privacy.class_size();
  options.rule = RuleOf(policy.privacy);
  options.candidates = static_cast<size_t>(policy.method.candidates);
  options.leftovers =
      policy.method.leftovers == "suppress" ? Leftovers::kSuppress : Leftovers::kAbsorb;
  return MLevCluTree(data, options, parallel, progress);
}

}  // namespace

DiversityRule RuleOf(const PrivacyPolicy& privacy) {
  DiversityRule rule;
  rule.l = privacy.l.value_or(0);
  if (privacy.alpha) rule.alpha = *privacy.alpha;
  return rule;
}

Result<Grouping> RunMethod(const Policy& policy, const MethodOptions& run,
                           const EncodedDataset& data, Parallel& parallel, Progress& progress) {
  THICKET_ASSIGN(Grouping grouping,
                 policy.method.IsMiracle()
                     ? RunMiracle(policy, run.exhaustive, data, parallel, progress)
                 : policy.method.name == "mlevclutree"
                     ? RunMLevCluTree(policy, run, data, parallel, progress)
                     : RunClusTree(policy, run.exhaustive, data, parallel, progress));
  if (!policy.method.refine) return grouping;
  RefineOptions options;
  options.class_size = policy.privacy.class_size();
  options.rule = RuleOf(policy.privacy);
  options.merge = MergeOf(policy.method);
  options.limit_s = policy.method.limit_s;
  return Refine(data, std::move(grouping), options, parallel, progress);
}

Report::Method DescribeMethod(const MethodPolicy& method) {
  Report::Method described;
  described.name = method.name;
  const auto word = [&](std::string name, std::string text) {
    described.parameters.push_back({std::move(name), std::move(text), true});
  };
  const auto plain = [&](std::string name, std::string text) {
    described.parameters.push_back({std::move(name), std::move(text), false});
  };
  if (method.IsCutSearch()) {
    if (method.name != "acs") plain("g", std::to_string(method.g));
    word("cost", method.cut_cost);
  } else if (method.IsMiracle()) {
    plain("climit", std::to_string(method.climit));
    plain("th", NumberText(method.th));
  } else if (method.name == "mlevclutree") {
    plain("candidates", std::to_string(method.candidates));
    word("leftovers", method.leftovers);
  } else {
    word("mapping", method.mapping);
    plain("passes", method.passes ? "true" : "false");
    word("cost", method.cost);
    word("leftovers", method.leftovers);
  }
  if (method.refine) plain("refine", "true");
  if (method.limit_s) plain("limit_s", NumberText(*method.limit_s));
  return described;
}

}  // namespace thicket
