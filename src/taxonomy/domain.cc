#include "taxonomy/domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace thicket {

namespace {

// A table beyond this many entries falls out of the caches and gains nothing over climbing.
constexpr size_t kLargestTable = size_t{1} << 20;
// The same of ancestors by level, of which a look-up reads few.
constexpr size_t kMostAncestors = size_t{1} << 24;

// By level below the root, then leaf: the ancestor there; ~0 below the leaf. Nothing where that is too much.
std::vector<uint32_t> AncestorsByLevel(const Taxonomy& taxonomy) {
  size_t levels = 0;
  for (Node leaf = taxonomy.first_leaf(); leaf < taxonomy.node_count(); ++leaf) {
    levels = std::max<size_t>(levels, taxonomy.depth(leaf));
  }
  const size_t leaves = taxonomy.leaf_count();
  if (levels * leaves > kMostAncestors) return {};
  std::vector<uint32_t> ancestors(levels * leaves, ~uint32_t{0});
  for (size_t value = 0; value < leaves; ++value) {
    Node node = taxonomy.first_leaf() + static_cast<Node>(value);
    for (; node != Taxonomy::kRoot; node = taxonomy.parent(node)) {
      ancestors[(taxonomy.depth(node) - 1) * leaves + value] = node;
    }
  }
  return ancestors;
}

// Numbers as large or as small as this have room in a double, and so have their sums and quotients.
constexpr int64_t kMostMagnitude = 250;

Units ToUnits(double loss) { return std::llround(loss * static_cast<double>(kLabelUnits)); }

}  // namespace

Domain Domain::FromTaxonomy(Taxonomy taxonomy, bool has_missing) {
  Domain domain;
  domain.value_count_ = taxonomy.leaf_count();
  domain.has_missing_ = has_missing;
  const size_t nodes = taxonomy.node_count();
  domain.node_loss_.resize(nodes);
  for (Node node = 0; node < nodes; ++node) domain.node_loss_[node] = ToUnits(taxonomy.Loss(node));
  if (nodes * domain.value_count_ <= kLargestTable) {
    domain.merge_loss_.resize(nodes * domain.value_count_);
    for (Node node = 0; node < nodes; ++node) {
      for (Value value = 0; value < domain.value_count_; ++value) {
        const Node both = taxonomy.Lca(node, taxonomy.first_leaf() + value);
        domain.merge_loss_[node * domain.value_count_ + value] =
            static_cast<int32_t>(domain.node_loss_[both]);
      }
    }
  } else {
    domain.ancestors_ = AncestorsByLevel(taxonomy);
  }
  domain.taxonomy_ = std::make_shared<const Taxonomy>(std::move(taxonomy));
  return domain;
}

Domain Domain::FromNumbers(std::vector<Decimal> numbers, bool has_missing,
                           std::vector<std::string> others) {
  Domain domain;
  if (!numbers.empty()) {
    const int64_t size = (numbers.back() - numbers.front()).magnitude();
    const int64_t unit = size > kMostMagnitude || size < -kMostMagnitude ? -size : 0;
    for (const Decimal& number : numbers) {
      domain.offsets_.push_back((number - numbers.front()).Shifted(unit).ToDouble());
    }
  }
  domain.value_count_ = numbers.size() + others.size() + (has_missing ? 1 : 0);
  domain.numbers_ = std::move(numbers);
  domain.others_ = std::move(others);
  domain.has_missing_ = has_missing;
  return domain;
}

Label Domain::Merge(Label a, Label b) const {
  if (taxonomy_) {
    const Node both = taxonomy_->Lca(a.low, b.low);
    return {both, both};
  }
  if (a == b) return a;
  if (a.high >= numbers_.size() || b.high >= numbers_.size()) return Anything();
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

double Domain::ExactLoss(Label label) const {
  if (taxonomy_) return taxonomy_->Loss(label.low);
  if (label.low == label.high) return 0;
  if (label.high >= numbers_.size()) return 1;
  return (offsets_[label.high] - offsets_[label.low]) / offsets_.back();
}

Units Domain::Loss(Label label) const {
  return taxonomy_ ? node_loss_[label.low] : ToUnits(ExactLoss(label));
}

std::string Domain::Text(Label label) const {
  if (taxonomy_) return taxonomy_->label(label.low);
  if (label.high >= numbers_.size()) return "*";
  return fmt::format("[{}, {}]", numbers_[label.low].Text(), numbers_[label.high].Text());
}

}  // namespace thicket
