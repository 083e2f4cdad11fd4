#include "engine/attack_bags.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "attack/bag_adversary.h"
#include "base/parallel.h"
#include "engine/assess_sets.h"
#include "record/bag_pair.h"
#include "taxonomy/term_distances.h"

namespace thicket {

namespace {

constexpr ClassId kTermClass = 1;

// Of all terms of the pair; nothing where terms were generalized.
std::optional<TermDistances> DistancesOf(const LoadedPolicy::Content& content,
                                         const BagPair& pair) {
  const PrivacyPolicy& privacy = content.policy.privacy;
  if (!privacy.epsilon) return std::nullopt;
  const auto epsilon = static_cast<uint32_t>(*privacy.epsilon);
  const Recoding& recoding = content.policy.schema->classes[kTermClass].quasi[0].recoding;
  // Attacks are the calling thread's work alone.
  Parallel parallel(1);
  if (recoding.kind == Recoding::Kind::kNetwork) {
    return TermDistances::OfNetwork(*content.networks.at(recoding.file), pair.TermTexts(), epsilon,
                                    parallel);
  }
  std::vector<Node> leaves;
  for (BagLabel term = 0; term < pair.domain; ++term) leaves.push_back(pair.NodeOf(term));
  return TermDistances::OfTaxonomy(*pair.taxonomy, leaves, epsilon, parallel);
}

Error Unfit(std::string_view flag, const Policy& policy, std::string hint) {
  return {
      ErrorCode::kUsage,
      fmt::format("{}: must be left out for {}, but is there", flag, policy.privacy.model_name()),
      std::move(hint), ""};
}

}  // namespace

Status CheckBagAttack(const Policy& policy, const AttackRequest& request, bool linked) {
  if (!policy.privacy.of_bags) {
    if (linked) return Unfit("--link", policy, "the adversary is played without it");
    return {};
  }
  const std::string hint = "say by --labels how many terms of a bag are known";
  if (request.relations) return Unfit("--relations", policy, hint);
  if (request.negative) return Unfit("--negative", policy, hint);
  if (request.absent) return Unfit("--absent", policy, hint);
  if (request.similar) return Unfit("--similar", policy, "bags have no sensitive values");
  return {};
}

Status PlayOnBags(const LoadedPolicy::Content& content, const EncodedDataset& original,
                  const Dataset& published,
                  const std::optional<std::span<const RecordId>>& original_of,
                  const AttackRequest& request, Progress& progress, AttackSummary& summary) {
  THICKET_ASSIGN(const BagPair pair, BagPair::Read(original, published));
  const std::optional<TermDistances> distances = DistancesOf(content, pair);
  const BagAttackData data = {pair, distances ? &*distances : nullptr,
                              static_cast<uint32_t>(content.policy.privacy.epsilon.value_or(0)),
                              original.data.owners, original_of};
  BagAttackOptions options{.trials = request.trials.value_or(0), .seed = request.seed};
  const std::string bound = original_of ? "" : " (published: at most, without a link)";
  const BagAttackReport all = AttackBags(data, options, progress);
  summary.outcomes.push_back(
      {"all terms of a person's bag" + bound, AgainstOf(all.original), AgainstOf(all.published)});
  if (request.labels == 0) return {};
  options.terms = static_cast<uint32_t>(request.labels);
  const BagAttackReport some = AttackBags(data, options, progress);
  summary.outcomes.push_back({fmt::format("{} random term{} of a person's bag{}", request.labels,
                                          request.labels == 1 ? "" : "s", bound),
                              AgainstOf(some.original), AgainstOf(some.published)});
  return {};
}

}  // namespace thicket
