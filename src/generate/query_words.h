// The words that people of a generated query log look for: WordNet's nouns of one part, by how common they are, with
// what is near each of them.
//
//   THICKET_ASSIGN(const QueryWords words, QueryWords::Load(progress));
//   words.word(0);        // "line": the more senses are met in texts, the more common
//   words.plural(0);      // "lines"
//   words.NearTo(0);      // words at most four steps away in the network
//
// Half a second, most of it for what is near what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "io/wordnet/wordnet_nouns.h"
#include "taxonomy/taxonomy.h"
#include "taxonomy/term_distances.h"

namespace thicket {

class QueryWords {
 public:
  // From the files of the system; a kIo error where they are missing.
  static Result<QueryWords> Load(const Progress* progress);
  // From any others, which `folder` names in messages.
  static Result<QueryWords> From(WordNetNouns nouns, const std::string& folder);

  size_t size() const { return words_.size(); }
  const std::string& word(uint32_t rank) const { return words_[rank].text; }
  // A form of the word that readers bring back to the word; empty if there is none.
  const std::string& plural(uint32_t rank) const { return words_[rank].plural; }
  // Nearest first; the first is the word itself.
  std::span<const TermDistances::Near> NearTo(uint32_t rank) const { return near_.NearTo(rank); }

  // WordNet's tree above the words with these ranks: each below the synset of its first sense, a synset below the
  // first that it is a kind or an instance of, and the top ones are the root, "*". A synset is called as WordNet calls
  // senses of words: "dog#1" is the first of dog.
  Taxonomy TreeOf(const std::vector<bool>& ranks) const;

 private:
  struct QueryWord {
    std::string text;
    std::string plural;
    uint32_t synset;
  };

  QueryWords(std::vector<WordNetNouns::Synset> synsets, std::vector<QueryWord> words,
             TermDistances near);

  std::vector<WordNetNouns::Synset> synsets_;
  std::vector<QueryWord> words_;
  TermDistances near_;
};

}  // namespace thicket
