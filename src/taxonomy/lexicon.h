// Which word a term of a text means: "Dogs" is the noun dog of WordNet, "children" is child, "asdf" is nothing.
//
// A term is what it says, in lower case, if there is such a word; else what the network's list of irregular forms
// says; else what is left when an ending of the plural is taken off, the first that gives a word: s, ses -> s, xes ->
// x, zes -> z, ches -> ch, shes -> sh, men -> man, ies -> y. Terms of two letters and those in -ss keep their endings.
// These are WordNet's rules for nouns (morphy(7)), but for their order: there a plural that is a word itself, such as
// "men", is taken for an irregular form first.
//
// The leaves of a taxonomy are found in the same way, whatever their letter case; a taxonomy has no irregular forms.
//
//   const Lexicon lexicon = Lexicon::OfNetwork(network);
//   lexicon.WordOf("Churches");   // "church"
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "taxonomy/semantic_network.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

class Lexicon {
 public:
  static Lexicon OfNetwork(std::shared_ptr<const SemanticNetwork> network);
  // The taxonomy must outlive the lexicon. Of leaves that differ in letter case only, a term means the one that is
  // written like the term, else the first.
  static Lexicon OfTaxonomy(const Taxonomy& taxonomy);

  // The word as the network or taxonomy writes it; nothing if the term means none.
  std::optional<std::string> WordOf(std::string_view term) const;

 private:
  Lexicon() = default;

  // Exactly this word in lower case.
  std::optional<std::string> Word(std::string_view lower) const;

  std::shared_ptr<const SemanticNetwork> network_;
  // Of a taxonomy.
  const Taxonomy* taxonomy_ = nullptr;
  std::unordered_map<std::string, Node> leaves_;  // by their label in lower case
};

}  // namespace thicket
