// What WordNet says about nouns: sets of synonyms ("synsets"), which of them is a kind or an instance of which, and
// the words with the synset of their first sense, which is the most usual one.
//
// Three files in the format of wndb(5): data.noun has a line per synset, index.noun a line per word, noun.exc the
// irregular plurals.
//
//   THICKET_ASSIGN(const WordNetTexts texts, ReadWordNetTexts(folder, "check the path", nullptr));
//   THICKET_ASSIGN(const WordNetNouns nouns, ParseWordNet(texts, folder));
//
// O(length), less than 0.1 s for the 20 MB of WordNet 3.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

namespace thicket {

struct WordNetTexts {
  std::string data;
  std::string index;
  std::string exceptions;
};

struct WordNetNouns {
  static constexpr uint32_t kNone = ~uint32_t{0};

  struct Synset {
    // The first of its words, with blanks for WordNet's underscores, and with its capitals.
    std::string name;
    // Which sense of that word this synset is, from 1, as WordNet counts; 0 if index.noun does not say. No two synsets
    // have the same name, whatever its capitals, and the same sense.
    uint32_t sense = 0;
    // The first synset that this one is a kind of, else an instance of; kNone at the top.
    uint32_t hypernym = kNone;
  };
  struct Word {
    // In lower case, with blanks.
    std::string text;
    // Of its first sense.
    uint32_t synset = 0;
    uint32_t senses = 0;
    // How many of them WordNet's makers met in texts: what is common has some.
    uint32_t met_senses = 0;
    // Of index.noun.
    uint32_t line = 0;
  };

  // In the order of the files.
  std::vector<Synset> synsets;
  std::vector<Word> words;
  // Synsets of which one is a kind or an instance of the other; from either of them, so that a pair may be there twice.
  std::vector<std::pair<uint32_t, uint32_t>> links;
  // Irregular form and base form, both in lower case. The first base form of a form is the usual one.
  std::vector<std::pair<std::string, std::string>> exceptions;
};

// "folder/file".
std::string WordNetPath(const std::string& folder, std::string_view file);
// The next step where a file is broken.
inline constexpr char kWordNetFormat[] =
    "see wndb(5) for the format; apt-get install --reinstall wordnet-base brings Debian's files "
    "back";

// A file that is missing or cannot be read is a kIo error, and `if_missing` the next step. `progress` says how much
// may be held; null: as much as there is.
Result<WordNetTexts> ReadWordNetTexts(const std::string& folder, std::string_view if_missing,
                                      const Progress* progress);

// A kData error names the line that is not what wndb(5) says.
Result<WordNetNouns> ParseWordNet(const WordNetTexts& texts, const std::string& folder);

}  // namespace thicket
