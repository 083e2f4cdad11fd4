#include "verify/label_steps.h"

#include <algorithm>
#include <deque>
#include <string>

#include "base/stop.h"
#include "record/schema.h"

namespace thicket {

namespace {

// "a|b" -> a, b; a label that is one term is that term.
std::vector<std::string_view> Alternatives(std::string_view label) {
  std::vector<std::string_view> found;
  for (size_t begin = 0; begin <= label.size();) {
    const size_t end = std::min(label.find(kAlternativesMark, begin), label.size());
    found.push_back(label.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

}  // namespace

LabelSteps::LabelSteps(const Taxonomy* taxonomy, const SemanticNetwork* network, uint32_t epsilon,
                       const Dictionary& labels, const Dictionary& terms)
    : taxonomy_(taxonomy), network_(network), epsilon_(epsilon), labels_(&labels), terms_(&terms) {}

uint32_t LabelSteps::InTaxonomy(std::string_view label, std::string_view term) const {
  if (label == term) return 0;
  const std::optional<Node> from = taxonomy_->Find(label);
  const std::optional<Node> to = taxonomy_->Find(term);
  if (!from || !to) return kFar;
  // Everything above the term, the term itself first.
  std::vector<Node> above = {*to};
  while (above.back() != Taxonomy::kRoot) above.push_back(taxonomy_->parent(above.back()));
  uint32_t up = 0;
  for (Node node = *from;; node = taxonomy_->parent(node), ++up) {
    const auto meeting = std::find(above.begin(), above.end(), node);
    if (meeting != above.end()) {
      const uint32_t steps = up + static_cast<uint32_t>(meeting - above.begin());
      // A group stands only for what is below it, and is no other term.
      if (!taxonomy_->is_leaf(*from)) return up == 0 && steps <= epsilon_ ? 0 : kFar;
      return steps <= epsilon_ ? steps : kFar;
    }
    if (node == Taxonomy::kRoot) return kFar;
  }
}

std::unordered_map<SemanticNetwork::Place, uint32_t> LabelSteps::Around(
    SemanticNetwork::Place word) const {
  std::unordered_map<SemanticNetwork::Place, uint32_t> steps = {{word, 0}};
  std::deque<SemanticNetwork::Place> next = {word};
  while (!next.empty()) {
    const SemanticNetwork::Place place = next.front();
    next.pop_front();
    const uint32_t here = steps[place];
    if (here == epsilon_) continue;
    for (const SemanticNetwork::Place neighbour : network_->Neighbours(place)) {
      if (steps.emplace(neighbour, here + 1).second) next.push_back(neighbour);
    }
  }
  return steps;
}

void LabelSteps::FindInNetwork(size_t begin, size_t end) {
  const std::string_view label = labels_->text(static_cast<Symbol>(pairs_[begin] >> 32));
  const auto term = [&](size_t pair) { return terms_->text(static_cast<Symbol>(pairs_[pair])); };
  // Most terms stand for themselves: nothing is searched for them.
  bool all_equal = true;
  for (size_t pair = begin; pair < end; ++pair) {
    steps_[pair] = term(pair) == label ? 0 : kFar;
    all_equal = all_equal && steps_[pair] == 0;
  }
  if (all_equal) return;
  const std::vector<std::string_view> alternatives = Alternatives(label);
  // The farthest of the alternatives decides, and the term must be one of them where there are several.
  std::vector<uint32_t> farthest(end - begin, 0);
  for (const std::string_view alternative : alternatives) {
    StopPoint();
    const std::optional<SemanticNetwork::Place> word = network_->Find(alternative);
    const auto around = word ? Around(*word) : decltype(Around(0))();
    for (size_t pair = begin; pair < end; ++pair) {
      uint32_t steps = term(pair) == alternative ? 0 : kFar;
      const std::optional<SemanticNetwork::Place> place = network_->Find(term(pair));
      if (steps == kFar && place) {
        const auto found = around.find(*place);
        if (found != around.end()) steps = found->second;
      }
      farthest[pair - begin] = std::max(farthest[pair - begin], steps);
    }
  }
  for (size_t pair = begin; pair < end; ++pair) {
    if (farthest[pair - begin] == kFar) continue;
    if (alternatives.size() == 1) {
      steps_[pair] = farthest[pair - begin];
    } else if (std::find(alternatives.begin(), alternatives.end(), term(pair)) !=
               alternatives.end()) {
      steps_[pair] = 0;
    }
  }
}

void LabelSteps::Find() {
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  steps_.assign(pairs_.size(), kFar);
  for (size_t begin = 0; begin < pairs_.size();) {
    StopPoint();
    size_t end = begin;
    while (end < pairs_.size() && pairs_[end] >> 32 == pairs_[begin] >> 32) ++end;
    if (network_ != nullptr) {
      FindInNetwork(begin, end);
    } else {
      const std::string_view label = labels_->text(static_cast<Symbol>(pairs_[begin] >> 32));
      const std::vector<std::string_view> alternatives = Alternatives(label);
      for (size_t pair = begin; pair < end; ++pair) {
        const std::string_view term = terms_->text(static_cast<Symbol>(pairs_[pair]));
        uint32_t farthest = 0;
        for (const std::string_view alternative : alternatives) {
          farthest = std::max(farthest, InTaxonomy(alternative, term));
        }
        const bool one_of =
            std::find(alternatives.begin(), alternatives.end(), term) != alternatives.end();
        if (alternatives.size() == 1 || label == term) {
          steps_[pair] = label == term ? 0 : farthest;
        } else if (one_of && farthest != kFar) {
          steps_[pair] = 0;
        }
      }
    }
    begin = end;
  }
}

uint32_t LabelSteps::Of(Symbol label, Symbol term) const {
  const auto found = std::lower_bound(pairs_.begin(), pairs_.end(), Key(label, term));
  const bool known = found != pairs_.end() && *found == Key(label, term);
  return known ? steps_[static_cast<size_t>(found - pairs_.begin())] : kFar;
}

}  // namespace thicket
