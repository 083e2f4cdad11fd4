#include "io/id_set.h"

#include <gtest/gtest.h>

#include <string>

namespace thicket::id_set_test {
namespace {

TEST(IdSet, RemembersWhereEachIdentifierWasSeenFirst) {
  IdSet ids;
  for (uint32_t i = 1; i <= 20000; ++i) EXPECT_FALSE(ids.Add("person-" + std::to_string(i), i));
  for (uint32_t i = 1; i <= 20000; ++i)
    EXPECT_EQ(ids.Add("person-" + std::to_string(i), 1 << 30), i);
  EXPECT_EQ(ids.size(), 20000U);
}

TEST(IdSet, FindsWhatWasAddedAndNothingElse) {
  IdSet ids;
  EXPECT_FALSE(ids.Find(""));
  for (uint32_t i = 1; i <= 1000; ++i) ids.Add(std::to_string(i), i);
  for (uint32_t i = 1; i <= 1000; ++i) EXPECT_EQ(ids.Find(std::to_string(i)), i);
  EXPECT_FALSE(ids.Find("0"));
  EXPECT_FALSE(ids.Find("1001"));
}

TEST(IdSet, TellsIdentifiersOfZerosApart) {
  IdSet ids;
  std::string id;
  for (uint32_t i = 1; i <= 40; ++i, id += '\0') EXPECT_FALSE(ids.Add(id, i));
}

}  // namespace
}  // namespace thicket::id_set_test
