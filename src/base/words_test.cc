#include "base/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"

namespace thicket::words_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> WordsOf(std::string_view text) {
  Words words;
  words.Read(text);
  std::vector<std::string> all;
  while (const auto word = words.Next()) all.emplace_back(*word);
  return all;
}

TEST(Words, AreSeparatedByWhatIsNoLetterAndNoDigit) {
  EXPECT_THAT(WordsOf("Jackets,Boots"), ElementsAre("jackets", "boots"));
  EXPECT_THAT(WordsOf(" www.a1.com/?q=x&y  \"3.5 mm\"\t"),
              ElementsAre("www", "a1", "com", "q", "x", "y", "3", "5", "mm"));
  EXPECT_THAT(WordsOf(""), IsEmpty());
  EXPECT_THAT(WordsOf(" ... - ' _ "), IsEmpty());
}

TEST(Words, HaveApostrophesHyphensAndUnderscoresInsideOnly) {
  EXPECT_THAT(WordsOf("Raw-Milk o'brien's new_york"),
              ElementsAre("raw-milk", "o'brien's", "new_york"));
  EXPECT_THAT(WordsOf("'quoted' -minus- a--b a-'b x- -"),
              ElementsAre("quoted", "minus", "a", "b", "a", "b", "x"));
}

TEST(Words, ComeInLowerCaseAndInOneForm) {
  EXPECT_THAT(WordsOf("CAF\u00c9 caf\u00e9 CAFE\u0301 cafe\u0301"),
              ElementsAre("caf\u00e9", "caf\u00e9", "caf\u00e9", "caf\u00e9"));
  EXPECT_THAT(WordsOf("H\u0331 h\u0331"), ElementsAre("\u1e96", "\u1e96"));
  EXPECT_THAT(WordsOf("O\u2019Brien T\u2010shirt t\u2011Shirt"),
              ElementsAre("o'brien", "t-shirt", "t-shirt"));
}

TEST(Words, AreThoseOfAnyScriptAndAreNotMangled) {
  EXPECT_THAT(
      WordsOf("\u041c\u041e\u0421\u041a\u0412\u0410, stra\u00dfe \u7d05\u9152\u3002\u0663"),
      ElementsAre("\u043c\u043e\u0441\u043a\u0432\u0430", "stra\u00dfe", "\u7d05\u9152", "\u0663"));
  // A mark belongs to the letter before it, and to nothing where there is none.
  EXPECT_THAT(WordsOf("\u0301a \u0301 b"), ElementsAre("a", "b"));
  EXPECT_THAT(WordsOf("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u200ca\u200c"),
              ElementsAre("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "a"));
  EXPECT_THAT(WordsOf("wine\U0001f377bar"), ElementsAre("wine", "bar"));
}

TEST(Words, AreSeparatedByBytesThatAreNoUtf8) {
  EXPECT_THAT(WordsOf("a\xff"
                      "b\xc3"),
              ElementsAre("a", "b"));
}

RC_GTEST_PROP(Words, OfAWordAreTheWordItself, ()) {
  std::string text;
  for (const int piece : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 14))) {
    const char* const pieces[] = {"a",      "B",      "7",      "-",      "'",
                                  "_",      " ",      "\u00c9", "\u0301", "\u2019",
                                  "\u200d", "\u0130", "\u03a3", "\u212b"};
    text += pieces[piece];
  }
  for (const std::string& word : WordsOf(text)) {
    RC_ASSERT(IsUtf8(word));
    RC_ASSERT(WordsOf(word) == std::vector<std::string>{word});
  }
}

}  // namespace
}  // namespace thicket::words_test
