#include "record/dictionary.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace thicket::dictionary_test {
namespace {

TEST(DictionaryTest, KnowsTheMissingValueFromTheStart) {
  Dictionary dictionary;
  EXPECT_EQ(dictionary.size(), 1U);
  EXPECT_EQ(dictionary.kind(kMissing), ValueKind::kNone);
  EXPECT_EQ(dictionary.text(kMissing), "");
  EXPECT_EQ(dictionary.Intern(ValueKind::kNone, ""), kMissing);
  EXPECT_EQ(dictionary.size(), 1U);
}

TEST(DictionaryTest, AnEmptyStringIsNotMissing) {
  Dictionary dictionary;
  const Symbol empty = dictionary.Intern(ValueKind::kString, "");
  EXPECT_NE(empty, kMissing);
  EXPECT_EQ(dictionary.text(empty), "");
  EXPECT_EQ(dictionary.Intern(ValueKind::kString, ""), empty);
}

TEST(DictionaryTest, TheKindIsPartOfAValue) {
  Dictionary dictionary;
  const Symbol number = dictionary.Intern(ValueKind::kNumber, "1");
  const Symbol text = dictionary.Intern(ValueKind::kString, "1");
  const Symbol yes = dictionary.Intern(ValueKind::kBoolean, "true");
  const Symbol yes_text = dictionary.Intern(ValueKind::kString, "true");
  EXPECT_NE(number, text);
  EXPECT_NE(yes, yes_text);
  EXPECT_EQ(dictionary.kind(number), ValueKind::kNumber);
  EXPECT_EQ(dictionary.kind(text), ValueKind::kString);
  EXPECT_EQ(dictionary.kind(yes), ValueKind::kBoolean);
  EXPECT_EQ(dictionary.text(number), dictionary.text(text));
}

TEST(DictionaryTest, NumbersWrittenDifferentlyAreDifferent) {
  Dictionary dictionary;
  EXPECT_NE(dictionary.Intern(ValueKind::kNumber, "1.0"),
            dictionary.Intern(ValueKind::kNumber, "1"));
}

TEST(DictionaryTest, KeepsManyValuesApart) {
  Dictionary dictionary;
  std::vector<Symbol> symbols;
  for (int i = 0; i < 100'000; ++i) {
    symbols.push_back(dictionary.Intern(ValueKind::kString, "value " + std::to_string(i)));
  }
  EXPECT_EQ(dictionary.size(), 100'001U);
  for (int i = 0; i < 100'000; ++i) {
    const std::string text = "value " + std::to_string(i);
    ASSERT_EQ(dictionary.text(symbols[static_cast<size_t>(i)]), text);
    ASSERT_EQ(dictionary.Intern(ValueKind::kString, text), symbols[static_cast<size_t>(i)]);
  }
}

TEST(DictionaryTest, TextsStayWhereTheyAre) {
  Dictionary dictionary;
  const std::string_view first = dictionary.text(dictionary.Intern(ValueKind::kString, "first"));
  for (int i = 0; i < 10'000; ++i) dictionary.Intern(ValueKind::kNumber, std::to_string(i));
  EXPECT_EQ(first, "first");
}

TEST(DictionaryTest, HoldsTextsOfAnyLengthAndBytes) {
  Dictionary dictionary;
  const std::string large(1'000'000, 'x');
  const std::string with_zero("a\0b", 3);
  const Symbol a = dictionary.Intern(ValueKind::kString, large);
  const Symbol b = dictionary.Intern(ValueKind::kString, with_zero);
  const Symbol c = dictionary.Intern(ValueKind::kString, large + "y");
  const Symbol d = dictionary.Intern(ValueKind::kString, "a");
  EXPECT_EQ(dictionary.text(a), large);
  EXPECT_EQ(dictionary.text(b), with_zero);
  EXPECT_EQ(dictionary.text(c), large + "y");
  EXPECT_NE(d, b);
  EXPECT_EQ(dictionary.Intern(ValueKind::kString, large), a);
}

RC_GTEST_PROP(DictionaryTest, NumbersDistinctValuesInTheOrderTheyCome,
              (const std::vector<std::pair<bool, std::string>>& values)) {
  Dictionary dictionary;
  std::map<std::pair<bool, std::string>, Symbol> expected;
  for (const auto& value : values) {
    const auto next = static_cast<Symbol>(expected.size() + 1);
    const Symbol wanted = expected.emplace(value, next).first->second;
    const ValueKind kind = value.first ? ValueKind::kString : ValueKind::kNumber;
    RC_ASSERT(dictionary.Intern(kind, value.second) == wanted);
    RC_ASSERT(dictionary.text(wanted) == value.second);
  }
  RC_ASSERT(dictionary.size() == expected.size() + 1);
}

}  // namespace
}  // namespace thicket::dictionary_test
