#include "engine/least_loss.h"

#include "grouping/loss_bound.h"

namespace thicket {

namespace {

// Up to which size the bound takes little time beside the method, and beside refining, which takes long.
struct Affordable {
  size_t rows;
  size_t trees;
  size_t vertices;
};
constexpr Affordable kBesideMethod = {5'000, 2'000, 100'000};
constexpr Affordable kBesideRefining = {50'000, 20'000, 1'000'000};

}  // namespace

std::optional<double> LeastLoss(const Policy& policy, const EncodedDataset& data,
                                const Publication& published, Parallel& parallel) {
  const size_t records = data.forest().record_count();
  const size_t vertices = data.forest().vertex_count();
  const bool flat = vertices == records;
  const bool refined = policy.method.refine;
  const Affordable& affordable = refined ? kBesideRefining : kBesideMethod;
  if (records > (flat ? affordable.rows : affordable.trees) || vertices > affordable.vertices) {
    return std::nullopt;
  }
  LossBoundOptions options;
  options.class_size = policy.privacy.class_size();
  // Shares of levels only forbid more, and are not looked at.
  options.l = policy.privacy.alpha ? 0 : policy.privacy.l.value_or(0);
  options.branchings = 4;
  options.candidates = refined && !flat ? 128 : 64;
  options.comparisons = refined ? 24 : 12;
  options.rounds = refined ? 48 : 24;
  return BoundLoss(data, published, options, parallel).lm();
}

}  // namespace thicket
