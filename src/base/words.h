// The words of a text that somebody typed: a query, a tag, a note.
//
// A word is a run of letters, digits and the marks that belong to them, of any script. An apostrophe, a hyphen or an underscore is
// part of a word where it stands between two of these, by itself: "o'brien", "raw-milk"; everything else separates words. Words
// come in lower case and in Unicode's composed form (NFC), with ' and - for their typographic forms, so that one word has one
// text; nothing else about it is changed.
//
//   Words words;
//   words.Read("Jackets,Boots and O\u2019Brien's raw-milk");
//   while (const std::optional<std::string_view> word = words.Next()) Use(*word);
//   // jackets boots and o'brien's raw-milk
//
// O(length). Bytes that are not UTF-8 separate words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace thicket {

class Words {
 public:
  // From now on the words of this text, which must outlive the calls of Next().
  void Read(std::string_view text) {
    text_ = text;
    at_ = 0;
  }

  // Valid until the next call; nothing when there are no more.
  std::optional<std::string_view> Next();

 private:
  std::string_view text_;
  size_t at_ = 0;
  std::string word_;
};

}  // namespace thicket
