#include "grouping/bags/hyper_vocabulary.h"

#include <algorithm>
#include <utility>

namespace thicket {

void HyperVocabulary::Start(std::span<const uint32_t> terms) {
  members_ = 1;
  hyper_.clear();
  steps_.assign(terms.size(), {0});
  for (uint32_t place = 0; place < terms.size(); ++place) {
    hyper_.push_back({{terms[place]}, {place}, terms[place]});
  }
}

void HyperVocabulary::FillTable(std::span<const uint32_t> terms, MatchingTable& table) const {
  table.Reset(hyper_.size(), terms.size());
  for (size_t row = 0; row < hyper_.size(); ++row) {
    for (size_t column = 0; column < terms.size(); ++column) {
      uint32_t weight = 0;
      for (const uint32_t member : hyper_[row].terms) {
        const std::optional<uint32_t> steps = distances_->Steps(member, terms[column]);
        if (!steps) {
          weight = MatchingTable::kIrrelevant;
          break;
        }
        weight += *steps;
      }
      table.at(row, column) = weight;
    }
  }
}

BagDistance HyperVocabulary::Measure(std::span<const uint32_t> terms, BagMatcher& matcher,
                                     std::optional<double> omega) const {
  MatchingTable table;
  FillTable(terms, table);
  return matcher.Measure(table, BagCosts(omega, members_));
}

void HyperVocabulary::Join(std::span<const uint32_t> terms, BagMatcher& matcher,
                           std::optional<double> omega) {
  MatchingTable table;
  FillTable(terms, table);
  std::vector<uint32_t> place_of;
  matcher.Match(table, BagCosts(omega, members_), place_of);
  ++members_;
  size_t kept = 0;
  for (size_t hyper = 0; hyper < hyper_.size(); ++hyper) {
    const uint32_t place = place_of[hyper];
    if (place == BagMatcher::kUnmatched) continue;
    Add(hyper, terms[place], place);
    if (kept != hyper) {
      hyper_[kept] = std::move(hyper_[hyper]);
      steps_[kept] = std::move(steps_[hyper]);
    }
    ++kept;
  }
  hyper_.resize(kept);
  steps_.resize(kept);
}

void HyperVocabulary::Add(size_t hyper, uint32_t term, uint32_t place) {
  HyperTerm& all = hyper_[hyper];
  std::vector<uint64_t>& steps = steps_[hyper];
  uint64_t own = 0;
  for (size_t member = 0; member < all.terms.size(); ++member) {
    const uint32_t apart = distances_->Steps(all.terms[member], term).value_or(0);
    steps[member] += apart;
    own += apart;
  }
  all.terms.push_back(term);
  all.places.push_back(place);
  steps.push_back(own);
  all.typical =
      all.terms[static_cast<size_t>(std::min_element(steps.begin(), steps.end()) - steps.begin())];
}

std::vector<uint32_t> HyperVocabulary::Typical() const {
  std::vector<uint32_t> typical;
  typical.reserve(hyper_.size());
  for (const HyperTerm& hyper : hyper_) typical.push_back(hyper.typical);
  return typical;
}

}  // namespace thicket
