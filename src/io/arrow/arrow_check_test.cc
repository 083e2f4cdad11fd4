#include "io/arrow/arrow_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/arrow/arrow_column.h"
#include "io/arrow/arrow_table.h"

namespace thicket::arrow_check_test {
namespace {

using ::testing::HasSubstr;

// A column of a table, whose parts tests break before the check.
struct Column {
  ArrowSchema schema{};
  ArrowArray array{};
  std::vector<const void*> buffers;
  std::vector<ArrowSchema*> schemas_below;
  std::vector<ArrowArray*> arrays_below;

  Column(const char* format, const char* name, int64_t length,
         std::vector<const void*> with = {nullptr}) {
    schema.format = format;
    schema.name = name;
    schema.release = [](ArrowSchema*) {};
    array.length = length;
    array.release = [](ArrowArray*) {};
    buffers = std::move(with);
    array.n_buffers = static_cast<int64_t>(buffers.size());
    array.buffers = buffers.data();
  }
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;
  void Add(Column& below) {
    schemas_below.push_back(&below.schema);
    arrays_below.push_back(&below.array);
    schema.n_children = array.n_children = static_cast<int64_t>(arrays_below.size());
    schema.children = schemas_below.data();
    array.children = arrays_below.data();
  }
  void SetDictionary(Column& values) {
    schema.dictionary = &values.schema;
    array.dictionary = &values.array;
  }
  std::string Fault() const {
    const auto type = ArrowType::Of(schema, "t");
    if (!type.ok()) return type.error().message;
    const Status status = CheckArrow(*type, array, "t");
    return status.ok() ? "" : status.error().message;
  }
};

constexpr int32_t kOffsets[] = {0, 2, 3};
constexpr int32_t kBack[] = {0, 3, 2};
constexpr int32_t kNegative[] = {-1, 0, 1};
constexpr int32_t kNumbers[] = {0, 1, 2};

// Two rows of a list of structs of texts, at the path "c.code".
struct Nested {
  Column text{"u", "code", 3, {nullptr, kOffsets, "abc"}};
  Column course{"+s", "item", 3};
  Column courses{"+l", "c", 2, {nullptr, kOffsets}};
  Column table{"+s", "", 2};
  int32_t text_offsets[4] = {0, 1, 2, 3};
  Nested() {
    text.buffers[1] = text_offsets;
    course.Add(text);
    courses.Add(course);
    table.Add(courses);
  }
};

TEST(CheckArrow, TakesWhatHoldsTogether) {
  Nested nested;
  EXPECT_EQ(nested.table.Fault(), "");
  // Offsets need not begin at 0, and the last elements need not be used.
  nested.courses.array.offset = 1;
  nested.courses.array.length = 1;
  nested.table.array.length = 1;
  EXPECT_EQ(nested.table.Fault(), "");
}

// Each is what a defect of a library may be; the path is that of the column.
TEST(CheckArrow, NamesWhatIsBrokenAndWhere) {
  const std::vector<std::pair<std::function<void(Nested&)>, std::string>> cases = {
      {[](Nested& n) { n.courses.buffers[1] = kBack; },
       "t: c: must be laid out as Arrow says, but an offset is negative, or before the one"},
      {[](Nested& n) { n.courses.buffers[1] = kNegative; },
       "t: c: must be laid out as Arrow says, but an offset is negative"},
      {[](Nested& n) { n.course.array.length = 2; }, "a list ends after the last element"},
      {[](Nested& n) { n.text.array.length = 2; },
       "t: c.code: must be laid out as Arrow says, but a column is shorter"},
      {[](Nested& n) { n.text_offsets[2] = -5; },
       "t: c.code: must be laid out as Arrow says, but an offset is negative"},
      {[](Nested& n) { n.text.buffers[2] = nullptr; },
       "t: c.code: must be laid out as Arrow says, but the texts are not there"},
      {[](Nested& n) { n.text.buffers[1] = nullptr; }, "an array has no values"},
      {[](Nested& n) { n.text.array.n_buffers = 2; }, "an array has not the buffers of its type"},
      {[](Nested& n) { n.text.array.null_count = 1; }, "it is not said which rows are null"},
      {[](Nested& n) { n.text.array.null_count = 4; }, "more nulls than rows"},
      {[](Nested& n) { n.text.array.offset = -1; }, "a negative length"},
      {[](Nested& n) { n.text.array.length = std::numeric_limits<int64_t>::max(); },
       "a negative length"},
      {[](Nested& n) { n.text.array.release = nullptr; }, "an array is not there"},
      {[](Nested& n) { n.course.arrays_below[0] = nullptr; },
       "t: c.code: must be laid out as Arrow says, but an array is not there"},
      {[](Nested& n) { n.course.array.n_children = 0; }, "not the columns of its type"},
      {[](Nested& n) { n.text.array.dictionary = &n.course.array; },
       "no dictionary, or one too many"},
      {[](Nested& n) { n.courses.schema.n_children = 0; }, "a list has not one kind of elements"},
      {[](Nested& n) { n.text.schema.name = "\xff"; }, "the name of a column is no UTF-8"},
      {[](Nested& n) { n.text.schema.format = nullptr; }, "a type is not there"},
  };
  for (const auto& [break_one, expected] : cases) {
    Nested nested;
    break_one(nested);
    EXPECT_THAT(nested.table.Fault(), HasSubstr(expected));
  }
}

TEST(CheckArrow, NumbersOfADictionaryAreThoseOfItsValues) {
  Column values("u", "", 2, {nullptr, kOffsets, "abc"});
  Column codes("i", "v", 3, {nullptr, kNumbers});
  codes.SetDictionary(values);
  EXPECT_THAT(codes.Fault(), HasSubstr("a number is not one of a value of the dictionary"));
  // What is null may have any number.
  const uint8_t validity = 0b011;
  codes.buffers[0] = &validity;
  codes.array.null_count = -1;
  EXPECT_EQ(codes.Fault(), "");
  // A large number without a sign is none that is negative.
  const uint64_t large = ~uint64_t{0};
  Column wide("L", "v", 1, {nullptr, &large});
  wide.SetDictionary(values);
  EXPECT_THAT(wide.Fault(), HasSubstr("a number is not one of a value"));
}

TEST(CheckArrow, ViewsStayInTheirBuffers) {
  struct View {
    int32_t length;
    char prefix[4];
    int32_t buffer;
    int32_t offset;
  };
  const std::string text = "longer than twelve bytes";
  const int64_t size = static_cast<int64_t>(text.size());
  View view = {20, {'l', 'o', 'n', 'g'}, 0, 4};
  Column column("vu", "v", 1, {nullptr, &view, text.data(), &size});
  EXPECT_EQ(column.Fault(), "");
  view.offset = 5;
  EXPECT_THAT(column.Fault(), HasSubstr("a text reaches beyond its buffer"));
  view = {20, {}, 1, 0};
  EXPECT_THAT(column.Fault(), HasSubstr("a text stands in no buffer"));
  view = {-1, {}, 0, 0};
  EXPECT_THAT(column.Fault(), HasSubstr("a text stands in no buffer"));
  const int32_t begin = 2;
  int32_t count = 2;
  Column elements("i", "item", 3, {nullptr, kNumbers});
  Column list("+vl", "v", 1, {nullptr, &begin, &count});
  list.Add(elements);
  EXPECT_THAT(list.Fault(), HasSubstr("a list reaches beyond its elements"));
  count = 1;
  EXPECT_EQ(list.Fault(), "");
  Column pairs("+w:2", "v", 2);
  pairs.Add(elements);
  EXPECT_THAT(pairs.Fault(), HasSubstr("a list ends after the last element"));
}

TEST(CheckArrow, TypesAreNestedOnlySoDeep) {
  Column leaf("i", "item", 3, {nullptr, kNumbers});
  std::vector<std::unique_ptr<Column>> lists;
  for (int i = 0; i < 120; ++i) {
    lists.push_back(std::make_unique<Column>("+l", "item", 0, std::vector<const void*>(2)));
    lists.back()->Add(i == 0 ? leaf : *lists[lists.size() - 2]);
  }
  EXPECT_THAT(lists.back()->Fault(), HasSubstr("nested beyond"));
  EXPECT_EQ(lists[20]->Fault(), "");
}

// The largest texts of the types that are written to a scratch.
TEST(ArrowColumn, TheLongestValuesFitTheScratch) {
  char bytes[32];
  std::memset(bytes, 0xff, sizeof bytes);
  bytes[31] = static_cast<char>(0x80);
  const auto text = [&](const char* format, const void* value) {
    Column column(format, "v", 1, {nullptr, value});
    const auto type = ArrowType::Of(column.schema, "t");
    ArrowScratch scratch;
    return std::string(ArrowColumn(*type, column.array).Value(0, scratch).text);
  };
  EXPECT_EQ(text("d:76,-60,256", bytes).size(), 1U + 77U + 60U);
  EXPECT_EQ(text("d:76,80,256", bytes).substr(0, 6), "-0.000");
  const int64_t least = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(text("tsn:", &least), "1677-09-21T00:12:43.145224192");
  EXPECT_EQ(text("tss:UTC", &least).substr(0, 13), "-292277022657");
  EXPECT_EQ(text("tdm", &least).substr(0, 10), "-292275055");
}

TEST(ArrowColumn, BuffersMayStandAnywhere) {
  char bytes[9] = {};
  const int64_t number = 1234567;
  std::memcpy(bytes + 1, &number, sizeof number);
  Column column("l", "v", 1, {nullptr, bytes + 1});
  const auto type = ArrowType::Of(column.schema, "t");
  ArrowScratch scratch;
  EXPECT_EQ(ArrowColumn(*type, column.array).Value(0, scratch).text, "1234567");
}

}  // namespace
}  // namespace thicket::arrow_check_test
