#include "io/postgres/postgres_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace thicket::postgres_copy_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;

std::vector<CopyField> Parsed(std::string_view row) {
  // The texts must outlive the row that holds them.
  static CopyRow parsed;
  EXPECT_TRUE(parsed.Parse(row));
  return parsed.fields();
}

TEST(CopyRow, CutsFieldsAtTabs) {
  EXPECT_THAT(Parsed("a\tb c\t\n"), ElementsAre("a", "b c", ""));
  EXPECT_THAT(Parsed("a"), ElementsAre("a"));
  EXPECT_THAT(Parsed("\n"), ElementsAre(""));
}

TEST(CopyRow, TellsNullFromItsLettersAndFromNothing) {
  EXPECT_THAT(Parsed("\\N\t\\\\N\tN\t\n"), ElementsAre(Eq(std::nullopt), "\\N", "N", ""));
}

TEST(CopyRow, UndoesTheEscapesOfTheManual) {
  EXPECT_THAT(Parsed("\\b\\f\\n\\r\\t\\v\\\\"), ElementsAre("\b\f\n\r\t\v\\"));
  EXPECT_THAT(Parsed("\\101\\7x\\x41\\x4g\\xg\\q"), ElementsAre("A\7xA\4gxgq"));
}

TEST(CopyRow, RefusesWhatIsNotARow) {
  CopyRow row;
  for (const char* text : {"a\\", "a\tb\\\n", "a\nb\n", "a\rb\n"}) {
    EXPECT_FALSE(row.Parse(text)) << text;
  }
}

TEST(CopyRow, FieldsStayWhileLaterOnesAreUnescaped) {
  const std::string long_text(1000, 'x');
  const std::string text = "\\t" + long_text + "\t\\n" + long_text + "\n";
  EXPECT_THAT(Parsed(text), ElementsAre("\t" + long_text, "\n" + long_text));
}

TEST(AppendCopyRow, EscapesWhatWouldBeTakenForSomethingElse) {
  std::string out;
  AppendCopyRow({"a\tb", std::nullopt, "", "\\N", "c\nd\re"}, out);
  EXPECT_EQ(out, "a\\tb\t\\N\t\t\\\\N\tc\\nd\\re\n");
}

RC_GTEST_PROP(AppendCopyRow, GivesBackWhatItWasGiven, ()) {
  using Values = std::vector<std::pair<bool, std::string>>;
  const auto values = *rc::gen::nonEmpty(rc::gen::container<Values>(
      rc::gen::pair(rc::gen::arbitrary<bool>(),
                    rc::gen::container<std::string>(rc::gen::oneOf(
                        rc::gen::element('\\', '\t', '\n', '\r', 'N', 'n', '0', 'x', '.'),
                        rc::gen::arbitrary<char>())))));
  std::vector<CopyField> fields;
  for (const auto& [is_null, text] : values) {
    fields.push_back(is_null ? CopyField() : CopyField(text));
  }
  std::string out;
  AppendCopyRow(fields, out);
  RC_ASSERT(out.find('\n') == out.size() - 1);
  CopyRow row;
  RC_ASSERT(row.Parse(out));
  RC_ASSERT(row.fields() == fields);
}

RC_GTEST_PROP(CopyRow, TakesAnyBytesWithoutHarm, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::element('\\', '\t', '\n', 'x', '7'), rc::gen::arbitrary<char>()));
  CopyRow row;
  if (!row.Parse(text)) return;
  size_t bytes = 0;
  for (const CopyField& field : row.fields()) bytes += field ? field->size() : 0;
  RC_ASSERT(bytes <= text.size());
}

}  // namespace
}  // namespace thicket::postgres_copy_test
