#include "base/result.h"

#include <gtest/gtest.h>

namespace thicket::result_test {
namespace {

TEST(ErrorPlaceTest, ShowsWhatIsKnown) {
  EXPECT_EQ(ErrorPlace{}.Text(), "");
  EXPECT_EQ((ErrorPlace{.file = "a.jsonl"}).Text(), "a.jsonl");
  EXPECT_EQ((ErrorPlace{.file = "a.jsonl", .line = 17, .column = 3}).Text(), "a.jsonl:17:3");
  EXPECT_EQ((ErrorPlace{.file = "a.jsonl", .line = 17, .path = "courses[2].code"}).Text(),
            "a.jsonl:17: courses[2].code");
  EXPECT_EQ((ErrorPlace{.file = "a.json", .record = 2, .path = "major"}).Text(),
            "a.json: record 2: major");
  EXPECT_EQ((ErrorPlace{.file = "a.db: student", .row = 4}).Text(), "a.db: student: row 4");
  EXPECT_EQ((ErrorPlace{.path = "privacy.k"}).Text(), "privacy.k");
}

TEST(ErrorPlaceTest, MessageAndPlaceSayTheSame) {
  const Error error = ErrorAt(ErrorCode::kData, {.file = "a.csv", .line = 2},
                              "must be UTF-8, but a byte is not", "convert it", "secret");
  EXPECT_EQ(error.message, "a.csv:2: must be UTF-8, but a byte is not");
  EXPECT_EQ(error.hint, "convert it");
  EXPECT_EQ(error.value, "secret");
  EXPECT_EQ(error.place.file, "a.csv");
  EXPECT_EQ(error.place.line, 2U);
  EXPECT_EQ(ErrorAt(ErrorCode::kUsage, {}, "must be there", "").message, "must be there");
}

}  // namespace
}  // namespace thicket::result_test
