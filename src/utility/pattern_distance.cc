#include "utility/pattern_distance.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "base/phase.h"
#include "base/stop.h"
#include "matching/linear_assignment.h"

namespace thicket {

namespace {

constexpr uint64_t kUnknown = std::numeric_limits<uint64_t>::max();

// The different labels of patterns, ascending, and the patterns by places in this list.
struct PatternLabels {
  explicit PatternLabels(const std::vector<ClosedPattern>& patterns) {
    for (const ClosedPattern& pattern : patterns) {
      labels.insert(labels.end(), pattern.labels.begin(), pattern.labels.end());
    }
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    for (const ClosedPattern& pattern : patterns) {
      std::vector<uint32_t>& of = places.emplace_back();
      for (const BagLabel label : pattern.labels) {
        of.push_back(static_cast<uint32_t>(std::lower_bound(labels.begin(), labels.end(), label) -
                                           labels.begin()));
      }
    }
  }

  std::vector<BagLabel> labels;
  // By pattern.
  std::vector<std::vector<uint32_t>> places;
};

// Steps between labels of original patterns and labels of published ones, by their places.
class StepTable {
 public:
  StepTable(const PatternLabels& rows, const PatternLabels& columns, const StepsFrom& steps,
            Parallel& parallel)
      : columns_(columns.labels.size()), steps_(rows.labels.size() * columns_) {
    Phase phase("distances", rows.labels.size());
    parallel.For(rows.labels.size(), 1, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row) {
        StopPoint();
        const std::vector<uint32_t> found = steps(rows.labels[row], columns.labels);
        std::copy(found.begin(), found.end(),
                  steps_.begin() + static_cast<std::ptrdiff_t>(row * columns_));
        phase.Advance();
      }
    });
    uint32_t furthest = 0;
    for (const uint32_t steps_here : steps_) {
      if (steps_here != kNoPath) furthest = std::max(furthest, steps_here);
    }
    std::replace(steps_.begin(), steps_.end(), kNoPath, furthest + 1);
  }

  uint32_t at(uint32_t row, uint32_t column) const { return steps_[row * columns_ + column]; }
  std::span<const uint32_t> of(uint32_t row) const {
    return {steps_.data() + row * columns_, columns_};
  }
  size_t columns() const { return columns_; }

 private:
  size_t columns_;
  std::vector<uint32_t> steps_;
};

// Finds the published pattern that is nearest to an original one.
class NearestPattern {
 public:
  NearestPattern(const StepTable& steps, const PatternLabels& published)
      : steps_(steps), published_(published) {}

  uint64_t Distance(const std::vector<uint32_t>& original) {
    // By label: how far the nearest of the original pattern's is.
    nearest_.assign(steps_.columns(), kNoPath);
    for (const uint32_t row : original) {
      const auto of = steps_.of(row);
      for (size_t column = 0; column < of.size(); ++column) {
        nearest_[column] = std::min(nearest_[column], of[column]);
      }
    }
    uint64_t best = kUnknown;
    for (const std::vector<uint32_t>& pattern : published_.places) {
      if (best == 0) break;
      if (LowerBound(original, pattern) >= best) continue;
      best = std::min(best, Between(original, pattern));
    }
    return best;
  }

 private:
  // Each label of the smaller pattern with the nearest of the other.
  uint64_t LowerBound(const std::vector<uint32_t>& original,
                      const std::vector<uint32_t>& pattern) const {
    uint64_t sum = 0;
    if (pattern.size() <= original.size()) {
      for (const uint32_t column : pattern) sum += nearest_[column];
      return sum;
    }
    for (const uint32_t row : original) {
      uint32_t least = kNoPath;
      for (const uint32_t column : pattern) least = std::min(least, steps_.at(row, column));
      sum += least;
    }
    return sum;
  }
  uint64_t Between(const std::vector<uint32_t>& original, const std::vector<uint32_t>& pattern) {
    const bool originals_are_rows = original.size() <= pattern.size();
    const size_t rows = std::min(original.size(), pattern.size());
    const size_t columns = std::max(original.size(), pattern.size());
    if (rows == 1) return LowerBound(original, pattern);
    gain_.resize(rows * columns);
    for (size_t row = 0; row < rows; ++row) {
      for (size_t column = 0; column < columns; ++column) {
        gain_[row * columns + column] =
            kMost - (originals_are_rows ? steps_.at(original[row], pattern[column])
                                        : steps_.at(original[column], pattern[row]));
      }
    }
    const int64_t gain = solver_.Solve(gain_.data(), rows, columns, columns, 0);
    return static_cast<uint64_t>(static_cast<int64_t>(rows) * kMost - gain);
  }

  // More steps than any two labels are apart.
  static constexpr int64_t kMost = int64_t{1} << 40;

  const StepTable& steps_;
  const PatternLabels& published_;
  std::vector<uint32_t> nearest_;
  std::vector<int64_t> gain_;
  AssignmentSolver<int64_t> solver_;
};

// Over the original patterns: how many labels the published pattern shares that shares the most.
uint64_t CountKept(const std::vector<ClosedPattern>& original,
                   const std::vector<ClosedPattern>& published) {
  std::vector<std::vector<uint32_t>> having;
  for (uint32_t pattern = 0; pattern < published.size(); ++pattern) {
    for (const BagLabel label : published[pattern].labels) {
      if (label >= having.size()) having.resize(label + 1);
      having[label].push_back(pattern);
    }
  }
  uint64_t kept = 0;
  std::vector<uint32_t> shared(published.size(), 0);
  for (const ClosedPattern& pattern : original) {
    StopPoint();
    uint32_t most = 0;
    for (const BagLabel label : pattern.labels) {
      if (label >= having.size()) continue;
      for (const uint32_t other : having[label]) most = std::max(most, ++shared[other]);
    }
    for (const BagLabel label : pattern.labels) {
      if (label >= having.size()) continue;
      for (const uint32_t other : having[label]) shared[other] = 0;
    }
    kept += most;
  }
  return kept;
}

// A breadth-first search from one word.
class WordSteps {
 public:
  WordSteps(const BagPair& pair, const SemanticNetwork& network, BagLabel term)
      : pair_(pair), network_(network), term_(term) {}

  // Ends when all labels are reached.
  std::vector<uint32_t> To(std::span<const BagLabel> labels) {
    std::vector<uint32_t> found;
    const std::optional<SemanticNetwork::Place> from = PlaceOf(term_);
    if (from) Walk(*from, labels);
    for (const BagLabel label : labels) {
      if (!pair_.HasSeveral(label)) {
        found.push_back(StepsTo(label));
        continue;
      }
      uint32_t least = kNoPath;
      for (const BagLabel one : pair_.SeveralOf(label)) least = std::min(least, StepsTo(one));
      found.push_back(least);
    }
    return found;
  }

 private:
  using Place = SemanticNetwork::Place;

  std::optional<Place> PlaceOf(BagLabel label) const {
    return network_.Find(pair_.taxonomy->label(pair_.NodeOf(label)));
  }
  uint32_t StepsTo(BagLabel label) const {
    if (label == term_) return 0;
    const std::optional<Place> place = PlaceOf(label);
    return place && !steps_.empty() ? steps_[*place] : kNoPath;
  }
  void Walk(Place from, std::span<const BagLabel> labels) {
    std::vector<bool> is_wanted(network_.place_count(), false);
    size_t wanted = 0;
    const auto want = [&](BagLabel label) {
      const std::optional<Place> place = PlaceOf(label);
      if (!place || is_wanted[*place]) return;
      is_wanted[*place] = true;
      ++wanted;
    };
    for (const BagLabel label : labels) {
      if (pair_.HasSeveral(label)) {
        for (const BagLabel one : pair_.SeveralOf(label)) want(one);
      } else {
        want(label);
      }
    }
    steps_.assign(network_.place_count(), kNoPath);
    steps_[from] = 0;
    std::vector<Place> reached = {from};
    if (is_wanted[from]) --wanted;
    for (size_t next = 0; next < reached.size() && wanted > 0; ++next) {
      for (const Place neighbour : network_.Neighbours(reached[next])) {
        if (steps_[neighbour] != kNoPath) continue;
        steps_[neighbour] = steps_[reached[next]] + 1;
        reached.push_back(neighbour);
        if (is_wanted[neighbour]) --wanted;
      }
    }
  }

  const BagPair& pair_;
  const SemanticNetwork& network_;
  BagLabel term_;
  // By place; empty if the word is not in the network.
  std::vector<uint32_t> steps_;
};

}  // namespace

StepsFrom StepsFromTerms(const BagPair& pair) {
  return [&pair](BagLabel term, std::span<const BagLabel> labels) {
    const Taxonomy& taxonomy = *pair.taxonomy;
    const auto steps = [&](BagLabel label) {
      const Node a = pair.NodeOf(term);
      const Node b = pair.NodeOf(label);
      return taxonomy.depth(a) + taxonomy.depth(b) - 2 * taxonomy.depth(taxonomy.Lca(a, b));
    };
    std::vector<uint32_t> found;
    for (const BagLabel label : labels) {
      if (!pair.HasSeveral(label)) {
        found.push_back(steps(label));
        continue;
      }
      uint32_t least = kNoPath;
      for (const BagLabel one : pair.SeveralOf(label)) least = std::min(least, steps(one));
      found.push_back(least);
    }
    return found;
  };
}

StepsFrom StepsFromWords(const BagPair& pair, const SemanticNetwork& network) {
  return [&pair, &network](BagLabel term, std::span<const BagLabel> labels) {
    return WordSteps(pair, network, term).To(labels);
  };
}

PatternKeeping ComparePatterns(const std::vector<ClosedPattern>& original,
                               const std::vector<ClosedPattern>& published, const StepsFrom& steps,
                               Parallel& parallel) {
  PatternKeeping keeping;
  keeping.original = original.size();
  keeping.published = published.size();
  for (const ClosedPattern& pattern : original) keeping.terms += pattern.labels.size();
  if (original.empty() || published.empty()) return keeping;
  keeping.kept = CountKept(original, published);
  const PatternLabels rows(original);
  const PatternLabels columns(published);
  const StepTable table(rows, columns, steps, parallel);
  std::vector<uint64_t> distance(original.size());
  Phase phase("patterns", original.size());
  parallel.For(original.size(), 16, [&](size_t begin, size_t end) {
    NearestPattern nearest(table, columns);
    for (size_t pattern = begin; pattern < end; ++pattern) {
      StopPoint();
      distance[pattern] = nearest.Distance(rows.places[pattern]);
    }
    phase.Advance(end - begin);
  });
  for (const uint64_t steps_away : distance) keeping.steps += steps_away;
  return keeping;
}

}  // namespace thicket
