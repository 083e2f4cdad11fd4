#include "utility/bag_lm.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "matching/linear_assignment.h"

namespace thicket {

namespace {

constexpr ClassId kTerms = 1;

// Adds up the loss class by class.
class BagLossCounter {
 public:
  BagLossCounter(const Taxonomy& taxonomy, uint64_t domain)
      : taxonomy_(taxonomy), seen_(taxonomy.leaf_count(), 0), entry_of_(taxonomy.node_count()) {
    loss_.domain = domain;
  }

  void AddBag(size_t terms) { loss_.occurrences += terms; }
  // The terms that stand at one place, one of each member.
  void AddHyperTerm(std::span<const BagLabel> terms) {
    ++stamp_;
    uint64_t different = 0;
    for (const BagLabel term : terms) different += IsNew(term) ? 1 : 0;
    AddPublished(terms.size(), different);
  }
  // Where it is known how many different terms there are.
  void AddPublished(uint64_t occurrences, uint64_t different) {
    published_ += occurrences;
    if (occurrences > 0) loss_.others += occurrences * (different - 1);
  }
  // `labels`: the nodes that each member shows, with repeats.
  void AddClassByLabel(std::span<const Node> labels,
                       const std::vector<std::span<const BagLabel>>& members);

  BagLoss Finish() {
    loss_.suppressed = loss_.occurrences - published_;
    return loss_;
  }

 private:
  struct Entry {
    uint64_t stamp = 0;
    size_t number = 0;
  };
  struct LabelCount {
    uint64_t shown = 0;      // by each member
    uint64_t different = 0;  // terms of all members
    uint64_t published = 0;  // occurrences of all members
    uint64_t own = 0;        // terms of one member
  };

  bool IsNew(BagLabel term) { return std::exchange(seen_[term], stamp_) != stamp_; }
  // The count of the lowest label at or above a leaf; null if there is none.
  LabelCount* Above(Node node) {
    while (entry_of_[node].stamp != stamp_) {
      if (node == Taxonomy::kRoot) return nullptr;
      node = taxonomy_.parent(node);
    }
    return &counts_[entry_of_[node].number];
  }

  const Taxonomy& taxonomy_;
  BagLoss loss_;
  uint64_t published_ = 0;
  // A term or node has been seen since the stamp changed if it has the stamp.
  uint64_t stamp_ = 0;
  std::vector<uint64_t> seen_;
  std::vector<Entry> entry_of_;
  std::vector<LabelCount> counts_;
};

void BagLossCounter::AddClassByLabel(std::span<const Node> labels,
                                     const std::vector<std::span<const BagLabel>>& members) {
  ++stamp_;
  counts_.clear();
  for (const Node label : labels) {
    if (entry_of_[label].stamp != stamp_) {
      entry_of_[label] = {stamp_, counts_.size()};
      counts_.emplace_back();
    }
    ++counts_[entry_of_[label].number].shown;
  }
  for (const auto& member : members) {
    for (LabelCount& count : counts_) count.own = 0;
    for (const BagLabel term : member) {
      LabelCount* count = Above(taxonomy_.first_leaf() + term);
      if (count == nullptr) continue;
      ++count->own;
      if (IsNew(term)) ++count->different;
    }
    for (LabelCount& count : counts_) count.published += std::min(count.own, count.shown);
  }
  for (const LabelCount& count : counts_) AddPublished(count.published, count.different);
}

// Finds which term of a bag each published one stands for.
class TermMatcher {
 public:
  TermMatcher(const BagPair& pair, const TermSteps& steps) : pair_(pair), steps_(steps) {}

  struct Match {
    size_t place;
    uint32_t steps;
    BagLabel term;
  };

  // Of equal labels the first has the nearest term. Equal terms are matched first, since no way round is shorter;
  // only where that leaves a label without a term that others could have had, all of them are matched anew.
  const std::vector<Match>& Of(std::span<const BagLabel> labels, std::span<const BagLabel> terms) {
    MatchEqual(labels, terms);
    MatchRest(labels);
    if (matches_.size() < std::min(labels.size(), terms.size())) {
      matches_.clear();
      places_.resize(labels.size());
      std::iota(places_.begin(), places_.end(), size_t{0});
      rest_.assign(terms.begin(), terms.end());
      MatchRest(labels);
    }
    SortWithinLabels(labels);
    return matches_;
  }

 private:
  std::optional<uint32_t> Steps(BagLabel label, BagLabel term) const {
    if (label == term) return 0;
    if (pair_.IsTerm(label)) return steps_(label, term);
    if (!pair_.HasSeveral(label)) {
      const Node node = pair_.NodeOf(label);
      const Node leaf = pair_.NodeOf(term);
      if (!pair_.taxonomy->Covers(node, leaf)) return std::nullopt;
      return pair_.taxonomy->depth(leaf) - pair_.taxonomy->depth(node);
    }
    std::optional<uint32_t> least;
    for (const BagLabel one : pair_.SeveralOf(label)) {
      const std::optional<uint32_t> steps = one == term ? 0 : steps_(one, term);
      if (steps && (!least || *steps < *least)) least = steps;
    }
    return least;
  }
  // Keeps what is left in places_ and rest_.
  void MatchEqual(std::span<const BagLabel> labels, std::span<const BagLabel> terms);
  void MatchRest(std::span<const BagLabel> labels);
  void SortWithinLabels(std::span<const BagLabel> labels);

  // More than all steps of a bag together, so that as many terms as possible are matched.
  static constexpr int64_t kMatched = int64_t{1} << 40;

  const BagPair& pair_;
  const TermSteps& steps_;
  std::vector<Match> matches_;
  std::vector<size_t> places_;
  std::vector<BagLabel> rest_;
  std::vector<int64_t> gain_;
  AssignmentSolver<int64_t> solver_;
};

void TermMatcher::MatchEqual(std::span<const BagLabel> labels, std::span<const BagLabel> terms) {
  matches_.clear();
  places_.clear();
  rest_.clear();
  size_t term = 0;
  for (size_t place = 0; place < labels.size(); ++place) {
    while (term < terms.size() && terms[term] < labels[place]) rest_.push_back(terms[term++]);
    if (term < terms.size() && terms[term] == labels[place]) {
      matches_.push_back({place, 0, terms[term++]});
    } else {
      places_.push_back(place);
    }
  }
  rest_.insert(rest_.end(), terms.begin() + static_cast<std::ptrdiff_t>(term), terms.end());
}

void TermMatcher::MatchRest(std::span<const BagLabel> labels) {
  if (places_.empty() || rest_.empty()) return;
  const bool places_are_rows = places_.size() <= rest_.size();
  const size_t rows = std::min(places_.size(), rest_.size());
  const size_t columns = std::max(places_.size(), rest_.size());
  gain_.assign(rows * columns, 0);
  const auto at = [&](size_t row, size_t column) {
    return places_are_rows ? std::pair(places_[row], rest_[column])
                           : std::pair(places_[column], rest_[row]);
  };
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      const auto [place, term] = at(row, column);
      const std::optional<uint32_t> steps = Steps(labels[place], term);
      if (steps) gain_[row * columns + column] = kMatched - *steps;
    }
  }
  solver_.Solve(gain_.data(), rows, columns, columns, 0);
  for (size_t row = 0; row < rows; ++row) {
    const auto column = static_cast<size_t>(solver_.column_of_row()[row]);
    const int64_t gain = gain_[row * columns + column];
    if (gain == 0) continue;
    const auto [place, term] = at(row, column);
    matches_.push_back({place, static_cast<uint32_t>(kMatched - gain), term});
  }
}

void TermMatcher::SortWithinLabels(std::span<const BagLabel> labels) {
  std::sort(matches_.begin(), matches_.end(), [&](const Match& a, const Match& b) {
    return std::tie(labels[a.place], a.steps, a.term, a.place) <
           std::tie(labels[b.place], b.steps, b.term, b.place);
  });
  // Where a label begins, its first match stands there, and so on.
  size_t place = 0;
  for (size_t i = 0; i < matches_.size(); ++i) {
    const BagLabel label = labels[matches_[i].place];
    if (i == 0 || label != labels[matches_[i - 1].place]) {
      place = static_cast<size_t>(std::lower_bound(labels.begin(), labels.end(), label) -
                                  labels.begin());
    }
    matches_[i].place = place++;
  }
}

std::vector<size_t> SortedBags(const LabelBags& bags) {
  std::vector<size_t> order(bags.size());
  for (size_t bag = 0; bag < order.size(); ++bag) order[bag] = bag;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const auto x = bags.labels(a);
    const auto y = bags.labels(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  });
  return order;
}

bool AreEqual(std::span<const BagLabel> a, std::span<const BagLabel> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

void AddClassByPlace(const BagPair& pair, std::span<const BagLabel> labels,
                     const std::vector<std::span<const BagLabel>>& members, TermMatcher& matcher,
                     BagLossCounter& counter) {
  std::vector<std::vector<BagLabel>> hyper(labels.size());
  for (const auto& member : members) {
    for (const TermMatcher::Match& match : matcher.Of(labels, member)) {
      hyper[match.place].push_back(match.term);
    }
  }
  for (size_t place = 0; place < labels.size(); ++place) {
    if (pair.HasSeveral(labels[place])) {
      counter.AddPublished(hyper[place].size(), pair.SeveralOf(labels[place]).size());
    } else {
      counter.AddHyperTerm(hyper[place]);
    }
  }
}

// The terms of a record, in the order of its vertices.
void CollectTerms(const EncodedDataset& original, RecordId record, std::vector<BagLabel>& terms) {
  const Domain& domain = original.classes[kTerms].domains[0];
  for (const Vertex vertex : original.forest().Children(original.forest().root(record))) {
    const Value value = original.value(vertex, 0);
    if (!domain.IsMissing(value)) terms.push_back(value);
  }
}

void AddTreeByLabel(const EncodedDataset& original, const PublishedTree& tree,
                    BagLossCounter& counter) {
  std::vector<Node> labels;
  for (size_t position = 1; position < tree.size(); ++position) {
    labels.push_back(tree.labels(position)[0].low);
  }
  std::vector<BagLabel> terms;
  std::vector<size_t> first = {0};
  for (const RecordId record : tree.records) {
    CollectTerms(original, record, terms);
    first.push_back(terms.size());
  }
  std::vector<std::span<const BagLabel>> members;
  for (size_t member = 0; member + 1 < first.size(); ++member) {
    members.emplace_back(terms.data() + first[member], first[member + 1] - first[member]);
  }
  counter.AddClassByLabel(labels, members);
}

void AddTreeByPlace(const EncodedDataset& original, const PublishedTree& tree,
                    BagLossCounter& counter) {
  std::vector<BagLabel> terms;
  for (size_t position = 1; position < tree.size(); ++position) {
    terms.clear();
    for (size_t member = 0; member < tree.records.size(); ++member) {
      const auto sources = tree.sources(member, position);
      if (!sources.empty()) terms.push_back(original.value(sources[0], 0));
    }
    counter.AddHyperTerm(terms);
  }
}

}  // namespace

double BagLoss::blm() const {
  if (occurrences == 0) return 0;
  const double spread = domain > 1 ? static_cast<double>(domain - 1) : 1;
  return (static_cast<double>(others) / spread + static_cast<double>(suppressed)) /
         static_cast<double>(occurrences);
}

TermSteps StepsInTaxonomy(const BagPair& pair) {
  return [&pair](BagLabel a, BagLabel b) -> std::optional<uint32_t> {
    const Taxonomy& taxonomy = *pair.taxonomy;
    const Node x = pair.NodeOf(a);
    const Node y = pair.NodeOf(b);
    return taxonomy.depth(x) + taxonomy.depth(y) - 2 * taxonomy.depth(taxonomy.Lca(x, y));
  };
}

TermSteps StepsNearby(const TermDistances& distances) {
  return [&distances](BagLabel a, BagLabel b) { return distances.Steps(a, b); };
}

BagLoss MeasureBagLm(const EncodedDataset& original, const Publication& published,
                     HyperTerms hyper) {
  const Domain& domain = original.classes[kTerms].domains[0];
  BagLossCounter counter(domain.taxonomy(), domain.value_count() - (domain.has_missing() ? 1 : 0));
  Phase phase("blm", published.tree_count());
  std::vector<BagLabel> terms;
  for (RecordId record = 0; record < original.forest().record_count(); ++record) {
    StopPoint();
    terms.clear();
    CollectTerms(original, record, terms);
    counter.AddBag(terms.size());
  }
  for (const PublishedTree tree : published.trees()) {
    StopPoint();
    if (hyper == HyperTerms::kByLabel) {
      AddTreeByLabel(original, tree, counter);
    } else {
      AddTreeByPlace(original, tree, counter);
    }
    phase.Advance();
  }
  return counter.Finish();
}

BagLoss MeasureBagLm(const BagPair& pair, std::span<const RecordId> original_of, HyperTerms hyper,
                     const TermSteps& steps) {
  BagLossCounter counter(*pair.taxonomy, pair.domain);
  for (size_t bag = 0; bag < pair.original.size(); ++bag) {
    counter.AddBag(pair.original.labels(bag).size());
  }
  TermMatcher matcher(pair, steps);
  const std::vector<size_t> order = SortedBags(pair.published);
  Phase phase("blm", order.size());
  for (size_t begin = 0; begin < order.size();) {
    StopPoint();
    const auto labels = pair.published.labels(order[begin]);
    std::vector<std::span<const BagLabel>> members;
    size_t end = begin;
    for (; end < order.size() && AreEqual(labels, pair.published.labels(order[end])); ++end) {
      members.push_back(pair.original.labels(original_of[order[end]]));
    }
    if (hyper == HyperTerms::kByLabel) {
      std::vector<Node> nodes;
      for (const BagLabel label : labels) {
        if (!pair.HasSeveral(label)) nodes.push_back(pair.NodeOf(label));
      }
      counter.AddClassByLabel(nodes, members);
    } else {
      AddClassByPlace(pair, labels, members, matcher, counter);
    }
    phase.Advance(end - begin);
    begin = end;
  }
  return counter.Finish();
}

}  // namespace thicket
