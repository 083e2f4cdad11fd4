// What a word of the policy means to an algorithm: a table from words to its options.
//
//   constexpr WordMeaning<Mapping> kMappings[] = {{"lsap", Mapping::kLsap}, {"greedy", Mapping::kGreedy}};
//   THICKET_ASSIGN(merge.mapping, MeaningOf("mapping", method.mapping, kMappings));
//
// No word stands for all others: one that the table does not have is an error, so a word that is added to
// policy/method_table.cc alone runs nothing.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace thicket {

template <typename T>
struct WordMeaning {
  std::string_view word;
  T means;
};

template <typename T, size_t N>
Result<T> MeaningOf(std::string_view key, std::string_view word,
                    const WordMeaning<T> (&meanings)[N]) {
  for (const WordMeaning<T>& meaning : meanings) {
    if (meaning.word == word) return meaning.means;
  }
  return Error{ErrorCode::kUsage,
               "method." + std::string(key) + " must be a word that its method knows, but is " +
                   std::string(word),
               "docs/policy.md lists the words", ""};
}

}  // namespace thicket
