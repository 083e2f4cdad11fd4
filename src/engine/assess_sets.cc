#include "engine/assess_sets.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "attack/set_adversary.h"
#include "base/parallel.h"
#include "record/label_sets.h"
#include "utility/set_ncp.h"
#include "utility/set_patterns.h"

namespace thicket {

namespace {

EvaluateReport::Loss LossOf(const LossCount& count, std::string path) {
  return {std::move(path),   count.lm(), count.labels, count.absent, count.suppressed,
          count.generalized, {}};
}

std::string ItemsText(std::optional<uint32_t> count, std::string_view rest) {
  if (!count) return fmt::format("all items {}", rest);
  return fmt::format("up to {} item{} {}", *count, *count == 1 ? "" : "s", rest);
}

}  // namespace

bool PublishesSets(const Policy& policy) {
  const PublishedStructure& structure = policy.privacy.structure();
  return structure.vertices_merge && !structure.vertices_move && AreSets(*policy.schema);
}

void AddLoss(const LmReport& lm, EvaluateReport& report) {
  report.loss = LossOf(lm, "all");
  for (const ClassLoss& of_class : lm.classes) {
    report.classes.push_back(LossOf(of_class, of_class.name));
    for (const AttributeLoss& attribute : of_class.attributes) {
      report.classes.back().attributes.push_back(LossOf(attribute, attribute.name));
    }
  }
}

AttackOutcome::Against AgainstOf(const AttackResult& result) {
  return {result.victims,
          result.misled,
          result.found_share,
          result.mean_probability,
          result.worst_probability,
          result.worst_certainty,
          result.worst_certainty_anywhere};
}

Status MeasureSets(const Policy& policy, const EncodedDataset& original, const Dataset& published,
                   const EvaluateOptions& options, EvaluateReport& report) {
  const bool lm_of_sets = options.lm && PublishesSets(policy);
  if (!lm_of_sets && !options.ncp && !options.patterns) return {};
  THICKET_ASSIGN(const SetPair sets, SetPair::Read(original, published));
  if (lm_of_sets || options.ncp) {
    const SetNcpReport loss = MeasureSetNcp(sets);
    if (options.ncp) report.ncp = EvaluateReport::Ncp{loss.ncp(), loss.is_bound};
    if (lm_of_sets) AddLoss(LmOfSets(original.schema(), loss), report);
    if (loss.is_bound) {
      report.warnings.emplace_back(
          "records were recoded one by one, and do not say whose they are: NCP and LM are at least "
          "what is said; the report of the run has them exactly");
    }
  }
  if (options.patterns) {
    Parallel parallel(options.threads);
    const PatternReport found = MeasurePatterns(*sets.taxonomy, sets.original, sets.published,
                                                {.support = options.support}, parallel);
    report.patterns = EvaluateReport::Patterns{options.support, found.original, found.published,
                                               found.common, found.error()};
  }
  return {};
}

Status PlayOnSets(const Policy& policy, const EncodedDataset& original, const Dataset& published,
                  const AttackRequest& request, Progress& progress, AttackSummary& summary) {
  SetAttackOptions options{.trials = request.trials.value_or(0), .seed = request.seed};
  const auto of = [](std::optional<int> number) {
    return number ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
  };
  options.present = request.labels > 0 ? of(request.labels) : of(policy.privacy.m);
  options.absent = request.absent ? of(request.absent) : of(policy.privacy.n);
  THICKET_ASSIGN(const SetPair sets, SetPair::Read(original, published));
  const SetAttackReport report = AttackSets(sets, options, progress);
  const std::string has_not =
      options.absent == 0U ? ""
                           : " and " + ItemsText(options.absent, "that the person does not have");
  summary.outcomes.push_back({ItemsText(options.present, "that the person has") + has_not,
                              AgainstOf(report.original), AgainstOf(report.published)});
  return {};
}

}  // namespace thicket
