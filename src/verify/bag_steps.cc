#include "verify/bag_steps.h"

#include <algorithm>
#include <numeric>

#include "base/stop.h"

namespace thicket {

BagSteps::BagSteps(const BagLabels& labels, const Dictionary& published, const Dictionary& original,
                   uint32_t epsilon, size_t most_kept)
    : labels_(labels), published_(published), epsilon_(epsilon), most_kept_(most_kept) {
  if (labels_.taxonomy() != nullptr) BuildTree(published, original);
  const size_t places =
      labels_.network() != nullptr ? labels_.network()->place_count() : parent_.size();
  seen_.assign(places, 0);
  for (Symbol symbol = 1; symbol < original.size(); ++symbol) {
    StopPoint();
    symbols_of_text_[original.text(symbol)].push_back(symbol);
    const Place place = PlaceOf(original.text(symbol));
    if (place != kNowhere) terms_at_.emplace_back(place, symbol);
  }
  std::sort(terms_at_.begin(), terms_at_.end());
  first_term_at_.assign(places + 1, 0);
  for (const auto& [place, symbol] : terms_at_) ++first_term_at_[place + 1];
  std::partial_sum(first_term_at_.begin(), first_term_at_.end(), first_term_at_.begin());
}

BagSteps::Place BagSteps::PlaceOf(std::string_view word) const {
  if (labels_.network() != nullptr) return labels_.network()->Find(word).value_or(kNowhere);
  if (const auto node = labels_.taxonomy()->Find(word)) return *node;
  const auto unknown = unknown_.find(word);
  return unknown == unknown_.end() ? kNowhere : unknown->second;
}

void BagSteps::BuildTree(const Dictionary& published, const Dictionary& original) {
  const Taxonomy& taxonomy = *labels_.taxonomy();
  for (Node node = 0; node < taxonomy.node_count(); ++node)
    parent_.push_back(taxonomy.parent(node));
  const auto add = [&](std::string_view word) {
    if (taxonomy.Find(word)) return;
    const auto [known, is_new] = unknown_.emplace(word, static_cast<Place>(parent_.size()));
    if (is_new) parent_.push_back(Taxonomy::kRoot);
  };
  if (labels_.takes_unknown()) {
    for (Symbol symbol = 1; symbol < original.size(); ++symbol) add(original.text(symbol));
    for (Symbol symbol = 1; symbol < published.size(); ++symbol) {
      for (const std::string_view word : labels_.Alternatives(published.text(symbol))) add(word);
    }
  }
  first_child_.assign(parent_.size() + 1, 0);
  for (Place place = 1; place < parent_.size(); ++place) ++first_child_[parent_[place] + 1];
  std::partial_sum(first_child_.begin(), first_child_.end(), first_child_.begin());
  children_.resize(parent_.size() - 1);
  std::vector<uint32_t> next(first_child_.begin(), first_child_.end() - 1);
  for (Place place = 1; place < parent_.size(); ++place) children_[next[parent_[place]]++] = place;
}

template <typename Visit>
void BagSteps::VisitNeighbours(Place place, const Visit& visit) const {
  if (labels_.network() != nullptr) {
    for (const Place next : labels_.network()->Neighbours(place)) visit(next);
    return;
  }
  visit(parent_[place]);
  for (uint32_t i = first_child_[place]; i < first_child_[place + 1]; ++i) visit(children_[i]);
}

// All terms within epsilon steps of the word, ascending.
void BagSteps::Search(std::string_view word, std::vector<Near>& near) {
  near.clear();
  const Place start = PlaceOf(word);
  if (start == kNowhere) {
    const auto same = symbols_of_text_.find(word);
    if (same == symbols_of_text_.end()) return;
    for (const Symbol symbol : same->second) near.push_back({symbol, 0});
    return;
  }
  const Taxonomy* taxonomy = labels_.taxonomy();
  const bool is_group =
      taxonomy != nullptr && start < taxonomy->node_count() && !taxonomy->is_leaf(start);
  ++search_;
  queue_.assign(1, start);
  seen_[start] = search_;
  size_t level_end = 1;
  uint32_t steps = 0;
  for (size_t i = 0; i < queue_.size(); ++i) {
    StopPoint();
    if (i == level_end) {
      ++steps;
      level_end = queue_.size();
    }
    const Place place = queue_[i];
    for (uint32_t at = first_term_at_[place]; at < first_term_at_[place + 1]; ++at) {
      near.push_back({terms_at_[at].second, is_group ? 0 : steps});
    }
    if (steps == epsilon_) continue;
    VisitNeighbours(place, [&](Place next) {
      // Below a group there is no way back up.
      if (seen_[next] == search_ || (is_group && next == parent_[place])) return;
      seen_[next] = search_;
      queue_.push_back(next);
    });
  }
  std::sort(near.begin(), near.end(), [](const Near& a, const Near& b) { return a.term < b.term; });
}

// Those of the words that are terms of the original and near all the others.
void BagSteps::FindOneOf(const std::vector<std::string_view>& words, std::vector<Near>& near) {
  const auto by_term = [](const Near& a, const Near& b) { return a.term < b.term; };
  for (const std::string_view word : words) {
    const auto same = symbols_of_text_.find(word);
    if (same == symbols_of_text_.end()) continue;
    for (const Symbol symbol : same->second) near.push_back({symbol, 0});
  }
  std::sort(near.begin(), near.end(), by_term);
  std::vector<Near> around;
  for (const std::string_view word : words) {
    Search(word, around);
    const auto is_far = [&](const Near& one) {
      return !std::binary_search(around.begin(), around.end(), one, by_term);
    };
    near.erase(std::remove_if(near.begin(), near.end(), is_far), near.end());
  }
}

const std::vector<BagSteps::Near>& BagSteps::NearTo(Symbol label) {
  const auto known = kept_.find(label);
  if (known != kept_.end()) return known->second;
  if (kept_count_ > most_kept_) {
    kept_.clear();
    kept_count_ = 0;
  }
  std::vector<Near>& near = kept_[label];
  if (label == kMissing) return near;
  const std::vector<std::string_view> words = labels_.Alternatives(published_.text(label));
  if (words.size() == 1) {
    Search(words.front(), near);
  } else {
    FindOneOf(words, near);
  }
  near.shrink_to_fit();
  kept_count_ += near.size() + 1;
  return near;
}

}  // namespace thicket
