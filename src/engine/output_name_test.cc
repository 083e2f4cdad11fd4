#include "engine/output_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thicket::output_name_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(OutputNameTest, WarnsOfANameThatSaysAnotherFormat) {
  EXPECT_THAT(NameWarnings(Format::kJsonl, "a/o.csv"),
              ElementsAre("a/o.csv: its name says CSV, but it is jsonl, the format of the data; "
                          "thicket convert --published changes the format"));
  EXPECT_THAT(NameWarnings(Format::kCsv, "o.jsonl.gz"), SizeIs(1));
  EXPECT_THAT(NameWarnings(Format::kTables, "o.csv"), SizeIs(1));
  EXPECT_THAT(NameWarnings(Format::kCsv, "o.xlsx"), SizeIs(1));
}

TEST(OutputNameTest, SaysNothingOfOtherNames) {
  for (const char* name :
       {"o", "-", "o.txt", "o.out.zst", "csv", "o.jsonl", "o.json", "o.ndjson.gz"}) {
    EXPECT_THAT(NameWarnings(Format::kJsonl, name), IsEmpty()) << name;
  }
  EXPECT_THAT(NameWarnings(Format::kTransactions, "o.csv"), IsEmpty());
  EXPECT_THAT(NameWarnings(Format::kSqlite, "o.db"), IsEmpty());
}

}  // namespace
}  // namespace thicket::output_name_test
