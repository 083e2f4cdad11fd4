#include "verify/owners.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "testing/forest_text.h"

namespace thicket::owners_test {
namespace {

using testing::ParseForest;
using testing::ParseSchema;

class OwnersTest : public ::testing::Test {
 protected:
  OwnersVerdict Verify(std::vector<uint32_t> owners, const std::vector<RecordId>& certificate) {
    privacy_.k = 2;
    const Dataset published =
        ParseForest(schema_, "bag{term(a)} bag{term(b)} bag{term(a)} bag{term(b)}", "published");
    Dataset original = ParseForest(
        schema_, "bag{term(a)} bag{term(b)} bag{term(a)} bag{term(b)} bag{term(b)}", "original");
    original.owners = std::move(owners);
    return VerifyOwners(privacy_, published, original, certificate);
  }

  std::shared_ptr<Schema> schema_ = ParseSchema("bag{term(q)}");
  PrivacyPolicy privacy_;
};

TEST_F(OwnersTest, CountsThePeopleBehindLookAlikes) {
  const OwnersVerdict verdict = Verify({7, 7, 8, 9, 9}, {2, 1, 0, 3});
  EXPECT_TRUE(verdict.holds);
  EXPECT_EQ(verdict.least, 2U);
  EXPECT_EQ(verdict.largest_share, 0.5);
  EXPECT_TRUE(verdict.violations.empty());
}

TEST_F(OwnersTest, RefusesAClassOfOnePersonsRecords) {
  const OwnersVerdict verdict = Verify({7, 7, 8, 9, 9}, {2, 4, 0, 3});
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.least, 1U);
  EXPECT_EQ(verdict.largest_share, 1);
  ASSERT_EQ(verdict.violations.total(ViolationKind::kTooFewOwners), 1U);
  EXPECT_EQ(verdict.violations.shown()[0].message,
            "published:2: the records that look like this one must be about at least 2 different "
            "people, but the 2 of them are about 1");
  EXPECT_EQ(verdict.violations.shown()[0].count, 2U);
}

TEST_F(OwnersTest, HoldsWhereEachRecordIsAPersonOfItsOwn) {
  const OwnersVerdict verdict = Verify({}, {2, 4, 0, 3});
  EXPECT_TRUE(verdict.holds);
  EXPECT_EQ(verdict.least, std::nullopt);
}

}  // namespace
}  // namespace thicket::owners_test
