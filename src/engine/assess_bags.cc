#include "engine/assess_bags.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "base/parallel.h"
#include "record/bag_pair.h"
#include "taxonomy/semantic_network.h"
#include "taxonomy/term_distances.h"
#include "utility/bag_features.h"
#include "utility/bag_lm.h"
#include "utility/closed_patterns.h"
#include "utility/pattern_distance.h"

namespace thicket {

namespace {

constexpr ClassId kTermClass = 1;

struct Metric {
  std::string_view name;
  bool EvaluateOptions::*chosen;
};
constexpr Metric kOfBags[] = {{"blm", &EvaluateOptions::blm},
                              {"terms", &EvaluateOptions::terms},
                              {"closed", &EvaluateOptions::closed}};
constexpr Metric kNotOfBags[] = {{"lm", &EvaluateOptions::lm},
                                 {"queries", &EvaluateOptions::queries},
                                 {"dissimilarity", &EvaluateOptions::dissimilarity},
                                 {"rpd", &EvaluateOptions::rpd},
                                 {"mining", &EvaluateOptions::mining},
                                 {"ncp", &EvaluateOptions::ncp},
                                 {"patterns", &EvaluateOptions::patterns}};

// Null where terms have a taxonomy.
const SemanticNetwork* NetworkOf(const LoadedPolicy::Content& content) {
  const Recoding& recoding = content.policy.schema->classes[kTermClass].quasi[0].recoding;
  if (recoding.kind != Recoding::Kind::kNetwork) return nullptr;
  return content.networks.at(recoding.file).get();
}

// One that was read from a file has been checked there.
Status CheckOriginals(const BagPair& pair, std::span<const RecordId> original_of) {
  const bool is_right = original_of.size() == pair.published.size() &&
                        std::all_of(original_of.begin(), original_of.end(),
                                    [&](RecordId record) { return record < pair.original.size(); });
  if (is_right) return {};
  return Error{ErrorCode::kData,
               "the link must name an original record for each published one, but does not",
               "hand over the link of the run that published these records", ""};
}

Result<BagLoss> MeasureLoss(const LoadedPolicy::Content& content, const BagPair& pair,
                            std::span<const RecordId> original_of, Parallel& parallel,
                            Progress& progress) {
  THICKET_TRY(CheckOriginals(pair, original_of));
  const std::optional<int>& epsilon = content.policy.privacy.epsilon;
  const HyperTerms hyper = epsilon ? HyperTerms::kByPlace : HyperTerms::kByLabel;
  const SemanticNetwork* network = NetworkOf(content);
  if (network == nullptr || !epsilon) {
    return MeasureBagLm(pair, original_of, hyper, StepsInTaxonomy(pair));
  }
  const auto steps = static_cast<uint32_t>(*epsilon);
  const std::vector<std::string> words = pair.TermTexts();
  THICKET_TRY(CheckMemory(progress, fmt::format("the terms within {} steps of each other", steps),
                          TermDistances::EstimateBytes(*network, words, steps)));
  const TermDistances distances = TermDistances::OfNetwork(*network, words, steps, parallel);
  return MeasureBagLm(pair, original_of, hyper, StepsNearby(distances));
}

EvaluateReport::Terms TermsOf(const BagFeatures& features) {
  const auto side = [](const BagFeatures::Side& of) {
    return EvaluateReport::Terms::Side{of.bags, of.occurrences, of.distinct, of.mean_size()};
  };
  return {side(features.original), side(features.published), features.distinct_share(),
          features.size_share()};
}

EvaluateReport::Closed CompareClosed(const LoadedPolicy::Content& content, const BagPair& pair,
                                     uint64_t count, Parallel& parallel) {
  const ClosedPatternOptions options{.count = count};
  const auto original = MineClosedPatterns(pair.original, options, parallel);
  const auto published = MineClosedPatterns(pair.published, options, parallel);
  const SemanticNetwork* network = NetworkOf(content);
  const PatternKeeping kept = ComparePatterns(
      original, published,
      network != nullptr ? StepsFromWords(pair, *network) : StepsFromTerms(pair), parallel);
  return {count, kept.original, kept.published, kept.recall(), kept.s_dist()};
}

}  // namespace

Status CheckBagMetrics(const Policy& policy, const EvaluateOptions& options, bool linked) {
  if (!policy.privacy.of_bags) {
    for (const auto& [name, chosen] : kOfBags) {
      if (!(options.*chosen)) continue;
      return Error{
          ErrorCode::kUsage,
          fmt::format("--metrics: {} must be of bags under vocabulary k-anonymity, but the "
                      "policy promises {}",
                      name, policy.privacy.model_name()),
          "choose of lm, queries, dm, dissimilarity, rpd and mining; of sets also of ncp "
          "and patterns",
          ""};
    }
  } else {
    for (const auto& [name, chosen] : kNotOfBags) {
      if (!(options.*chosen)) continue;
      return Error{ErrorCode::kUsage,
                   fmt::format("--metrics: {} must be of values that are published as they were or "
                               "more general, but terms of bags may be replaced",
                               name),
                   "choose of blm, terms, closed and dm", ""};
    }
  }
  if (options.blm && !linked) {
    return Error{ErrorCode::kUsage,
                 "--metrics: blm must come with --link, which says whose bag is whose, but that is "
                 "missing",
                 "add --link FILE, which anonymize --link writes; the report of the run has bLM, "
                 "too",
                 ""};
  }
  if (linked && !options.blm) {
    return Error{
        ErrorCode::kUsage,
        "--link must come with the metric blm, the only one that it is for, but that is "
        "missing",
        policy.privacy.of_bags ? "add blm to --metrics, or leave --link out" : "leave --link out",
        ""};
  }
  return {};
}

Status MeasureBags(const LoadedPolicy::Content& content, const EncodedDataset& original,
                   const Dataset& published,
                   const std::optional<std::span<const RecordId>>& original_of,
                   const EvaluateOptions& options, Progress& progress, EvaluateReport& report) {
  if (!options.blm && !options.terms && !options.closed) return {};
  THICKET_ASSIGN(const BagPair pair, BagPair::Read(original, published));
  Parallel parallel(options.threads);
  if (options.blm && original_of) {
    THICKET_ASSIGN(const BagLoss loss,
                   MeasureLoss(content, pair, *original_of, parallel, progress));
    report.blm = EvaluateReport::BagLm{loss.blm(), loss.occurrences, loss.suppressed};
  }
  if (options.terms) report.terms = TermsOf(CompareBags(pair));
  if (options.closed) report.closed = CompareClosed(content, pair, options.closed_count, parallel);
  return {};
}

}  // namespace thicket
