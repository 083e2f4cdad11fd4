// How far published labels of bags are from terms of the original, from the texts of both alone.
//
//   LabelSteps steps(recoding, taxonomy, network, epsilon, labels, terms);
//   steps.Ask(label, term);        // every pair that will be looked up, in any order
//   steps.Find();
//   steps.Of(label, term);         // 3, or LabelSteps::kFar
//
// Pairs are collected first, so that the network is searched once per label. verify/bag_truth.h says which label may stand for which
// term. Internal to verify/.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "record/dictionary.h"
#include "taxonomy/recoding.h"
#include "taxonomy/semantic_network.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

class LabelSteps {
 public:
  static constexpr uint32_t kFar = ~uint32_t{0};

  // `taxonomy` or `network` is that of the recoding, the other one null. All must outlive this.
  LabelSteps(const Taxonomy* taxonomy, const SemanticNetwork* network, uint32_t epsilon,
             const Dictionary& labels, const Dictionary& terms);

  void Ask(Symbol label, Symbol term) { pairs_.push_back(Key(label, term)); }
  void Find();
  // kFar if the label may not stand for the term; 0 for the term itself, several terms of which one is meant, and groups.
  uint32_t Of(Symbol label, Symbol term) const;

 private:
  static uint64_t Key(Symbol label, Symbol term) { return uint64_t{label} << 32 | term; }

  uint32_t InTaxonomy(std::string_view label, std::string_view term) const;
  // Of all pairs [begin, end), which have the same label.
  void FindInNetwork(size_t begin, size_t end);
  // By place: how far it is from the word; only places within epsilon steps.
  std::unordered_map<SemanticNetwork::Place, uint32_t> Around(SemanticNetwork::Place word) const;

  const Taxonomy* taxonomy_;
  const SemanticNetwork* network_;
  uint32_t epsilon_;
  const Dictionary* labels_;
  const Dictionary* terms_;
  // Ascending once they are found.
  std::vector<uint64_t> pairs_;
  std::vector<uint32_t> steps_;
};

}  // namespace thicket
