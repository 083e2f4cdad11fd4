#include "io/arrow/arrow_cells.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "io/arrow/arrow_check.h"
#include "io/arrow/arrow_column.h"

namespace thicket::arrow_cells_test {
namespace {

ArrowType Dictionary(std::string_view format, size_t index_bytes, bool signed_index) {
  ArrowType type = PlainType(format);
  type.dictionary = true;
  type.index_bytes = index_bytes;
  type.signed_index = signed_index;
  return type;
}

// A column of the values, made and read again; "-" stands for null.
std::vector<std::string> Again(const ArrowType& type, ValueKind kind,
                               const std::vector<std::string>& values, ArrowType* made = nullptr) {
  ArrowCells table = ArrowCells::Struct("");
  ArrowCells& column = table.Add(ArrowCells::Leaf("v", type));
  for (const std::string& value : values) {
    if (value == "-") {
      column.AppendNull();
    } else {
      column.Append({kind, value});
    }
    table.EndStruct();
  }
  const ArrowTable finished = std::move(table).Finish();
  const auto found = ArrowType::Of(finished.schema(), "table");
  EXPECT_TRUE(found.ok());
  const ArrowArray& chunk = finished.chunks().front();
  const Status whole = CheckArrow(*found, chunk, "table");
  EXPECT_TRUE(whole.ok()) << whole.error().message;
  const ArrowColumn read(found->children[0], *chunk.children[0]);
  std::vector<std::string> texts;
  ArrowScratch scratch;
  for (int64_t row = 0; row < chunk.length; ++row) {
    texts.emplace_back(read.IsNull(row) ? "-" : read.Value(row, scratch).text);
  }
  if (made != nullptr) *made = found->children[0];
  return texts;
}

TEST(ArrowCells, DictionariesOfAnyValuesStayDictionaries) {
  const std::vector<std::string> numbers = {"5", "-", "-7", "5", "70000"};
  ArrowType made;
  for (const size_t bytes : {1, 2, 4, 8}) {
    for (const bool is_signed : {true, false}) {
      EXPECT_EQ(Again(Dictionary("l", bytes, is_signed), ValueKind::kNumber, numbers, &made),
                numbers);
      EXPECT_TRUE(made.dictionary);
      EXPECT_EQ(made.index_bytes, bytes);
      EXPECT_EQ(made.signed_index, is_signed);
      EXPECT_EQ(made.format, "l");
    }
  }
  const std::vector<std::string> dates = {"2000-02-29", "-", "1969-12-31"};
  EXPECT_EQ(Again(Dictionary("tdD", 4, true), ValueKind::kString, dates), dates);
  const std::vector<std::string> truths = {"true", "-", "false", "true"};
  EXPECT_EQ(Again(Dictionary("b", 1, true), ValueKind::kBoolean, truths, &made), truths);
  EXPECT_FALSE(made.dictionary);
  EXPECT_EQ(Again(Dictionary("u", 1, true), ValueKind::kString, {"-", "-"}),
            (std::vector<std::string>{"-", "-"}));
}

// Nothing is cut off where a dictionary has more values than the source's numbers can count.
TEST(ArrowCells, NumbersOfADictionaryGrowWithIt) {
  for (const size_t count : {128, 129, 256, 257, 70000}) {
    std::vector<std::string> values;
    for (size_t i = 0; i < count; ++i) values.push_back(std::to_string(i));
    for (const size_t bytes : {1, 2}) {
      for (const bool is_signed : {true, false}) {
        EXPECT_EQ(Again(Dictionary("u", bytes, is_signed), ValueKind::kString, values), values);
      }
    }
  }
}

TEST(ArrowCells, ViewsOfTextsStayViews) {
  const std::vector<std::string> texts = {
      "",  "twelve bytes", "-", "thirteen byte", "a longer text than views hold inside",
      "x", "thirteen byte"};
  ArrowType made;
  EXPECT_EQ(Again(PlainType("vu"), ValueKind::kString, texts, &made), texts);
  EXPECT_EQ(made.format, "vu");
  EXPECT_EQ(Again(Dictionary("vu", 4, false), ValueKind::kString, texts, &made), texts);
  EXPECT_TRUE(made.dictionary && made.is_view());
  EXPECT_EQ(Again(PlainType("vu"), ValueKind::kString, {}), (std::vector<std::string>{}));
}

// Nanoseconds end in the year 2262, and years somewhere.
TEST(ArrowCells, DatesBeyondWhatCanBeCountedDoNotFit) {
  EXPECT_TRUE(FitsArrow(PlainType("tsn:"), {ValueKind::kString, "2262-01-01"}));
  EXPECT_TRUE(FitsArrow(PlainType("tsn:"), {ValueKind::kString, "1678-01-01T00:00:00.000000001"}));
  EXPECT_FALSE(FitsArrow(PlainType("tsn:"), {ValueKind::kString, "9999-12-31"}));
  EXPECT_TRUE(FitsArrow(PlainType("tss:"), {ValueKind::kString, "9999-12-31"}));
  EXPECT_FALSE(FitsArrow(PlainType("tdD"), {ValueKind::kString, "99999999-12-31"}));
  EXPECT_FALSE(FitsArrow(PlainType("tss:"), {ValueKind::kString, "999999999999999999-12-31"}));
}

}  // namespace
}  // namespace thicket::arrow_cells_test
