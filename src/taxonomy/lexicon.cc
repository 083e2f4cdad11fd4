#include "taxonomy/lexicon.h"

#include <array>
#include <utility>

#include "base/fold.h"
#include "base/text.h"

namespace thicket {
namespace {

struct Ending {
  std::string_view plural;
  std::string_view singular;
};

constexpr std::array<Ending, 8> kEndings = {{{"s", ""},
                                             {"ses", "s"},
                                             {"xes", "x"},
                                             {"zes", "z"},
                                             {"ches", "ch"},
                                             {"shes", "sh"},
                                             {"men", "man"},
                                             {"ies", "y"}}};

}  // namespace

Lexicon Lexicon::OfNetwork(std::shared_ptr<const SemanticNetwork> network) {
  Lexicon lexicon;
  lexicon.network_ = std::move(network);
  return lexicon;
}

Lexicon Lexicon::OfTaxonomy(const Taxonomy& taxonomy) {
  Lexicon lexicon;
  lexicon.taxonomy_ = &taxonomy;
  for (Node leaf = taxonomy.first_leaf(); leaf < taxonomy.node_count(); ++leaf) {
    lexicon.leaves_.emplace(LowerCased(taxonomy.label(leaf)), leaf);
  }
  return lexicon;
}

std::optional<std::string> Lexicon::Word(std::string_view lower) const {
  if (network_ != nullptr) {
    const auto place = network_->Find(lower);
    if (!place) return std::nullopt;
    return std::string(lower);
  }
  const auto leaf = leaves_.find(std::string(lower));
  if (leaf == leaves_.end()) return std::nullopt;
  return taxonomy_->label(leaf->second);
}

std::optional<std::string> Lexicon::WordOf(std::string_view term) const {
  if (taxonomy_ != nullptr) {
    const auto node = taxonomy_->Find(term);
    if (node && taxonomy_->is_leaf(*node)) return taxonomy_->label(*node);
  }
  std::string lower = LowerCased(term);
  if (auto word = Word(lower)) return word;
  if (const std::string_view trimmed = Trim(lower); trimmed.size() < lower.size()) {
    lower = std::string(trimmed);
    if (auto word = Word(lower)) return word;
  }
  if (network_ != nullptr) {
    const auto irregular = network_->exceptions().find(lower);
    if (irregular != network_->exceptions().end()) {
      if (auto word = Word(irregular->second)) return word;
    }
  }
  if (lower.size() <= 2 || lower.ends_with("ss")) return std::nullopt;
  for (const Ending& ending : kEndings) {
    if (!lower.ends_with(ending.plural)) continue;
    std::string base = lower.substr(0, lower.size() - ending.plural.size());
    base += ending.singular;
    if (auto word = Word(base)) return word;
  }
  return std::nullopt;
}

}  // namespace thicket
