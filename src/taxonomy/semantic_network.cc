#include "taxonomy/semantic_network.h"

#include <algorithm>
#include <functional>

namespace thicket {

size_t SemanticNetwork::SlotOf(std::string_view word) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = std::hash<std::string_view>()(word) & mask;
  while (slots_[slot] != kEmpty && this->word(slots_[slot]) != word) slot = (slot + 1) & mask;
  return slot;
}

std::optional<SemanticNetwork::Place> SemanticNetwork::Find(std::string_view word) const {
  const Place place = slots_[SlotOf(word)];
  if (place == kEmpty) return std::nullopt;
  return place;
}

SemanticNetworkBuilder::Place SemanticNetworkBuilder::AddConcept() {
  network_.first_letter_.push_back(network_.first_letter_.back());
  return static_cast<Place>(network_.place_count() - 1);
}

SemanticNetworkBuilder::Place SemanticNetworkBuilder::AddWord(std::string_view word) {
  if (const Place known = network_.slots_[network_.SlotOf(word)];
      known != SemanticNetwork::kEmpty) {
    return known;
  }
  if (2 * (network_.word_count_ + 1) > network_.slots_.size()) GrowSlots();
  network_.letters_ += word;
  network_.first_letter_.push_back(static_cast<uint32_t>(network_.letters_.size()));
  const auto place = static_cast<Place>(network_.place_count() - 1);
  network_.slots_[network_.SlotOf(word)] = place;
  ++network_.word_count_;
  return place;
}

void SemanticNetworkBuilder::GrowSlots() {
  std::vector<Place> before(2 * network_.slots_.size(), SemanticNetwork::kEmpty);
  before.swap(network_.slots_);
  for (const Place place : before) {
    if (place != SemanticNetwork::kEmpty) {
      network_.slots_[network_.SlotOf(network_.word(place))] = place;
    }
  }
}

void SemanticNetworkBuilder::Link(Place a, Place b) {
  if (a != b) links_.emplace_back(a, b);
}

void SemanticNetworkBuilder::AddException(std::string form, std::string base) {
  network_.exceptions_.emplace(std::move(form), std::move(base));
}

SemanticNetwork SemanticNetworkBuilder::Build() && {
  const size_t places = network_.place_count();
  // A counting sort by either end; what is linked twice stands in a list twice, until the list is sorted.
  std::vector<uint32_t> next(places + 1, 0);
  for (const auto& [a, b] : links_) {
    ++next[a];
    ++next[b];
  }
  uint32_t total = 0;
  for (uint32_t& count : next) {
    const uint32_t begin = total;
    total += count;
    count = begin;
  }
  const std::vector<uint32_t> begin = next;
  std::vector<Place> all(total);
  for (const auto& [a, b] : links_) {
    all[next[a]++] = b;
    all[next[b]++] = a;
  }
  network_.first_neighbour_.assign(places + 1, 0);
  network_.neighbours_.reserve(total);
  for (size_t place = 0; place < places; ++place) {
    const auto from = all.begin() + begin[place];
    const auto to = all.begin() + begin[place + 1];
    std::sort(from, to);
    network_.neighbours_.insert(network_.neighbours_.end(), from, std::unique(from, to));
    network_.first_neighbour_[place + 1] = static_cast<uint32_t>(network_.neighbours_.size());
  }
  return std::move(network_);
}

}  // namespace thicket
