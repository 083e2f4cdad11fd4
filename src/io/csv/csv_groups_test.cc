// Long tables: rows of one person.
#include <gtest/gtest.h>

#include <string>

#include "io/test_policy.h"

namespace thicket::csv_groups_test {
namespace {

using testing::Describe;
using testing::ErrorOf;
using testing::Read;

Policy GroupPolicy() {
  const auto policy = ParsePolicy(R"(version: 1
input: {format: csv}
record:
  class: p
  group_by: id
  quasi: {born: {mask: 1}}
  children: [{class: row, quasi: {c: {mask: 1}}, sensitive: {g: {}}}]
privacy: {k: 2}
)",
                                  "policy.yaml");
  EXPECT_TRUE(policy.ok());
  return *policy;
}

TEST(CsvGroups, PutRowsOfAPersonTogetherWhereverTheyStand) {
  const auto data = Read(GroupPolicy(), "born,id,c,g\n1,a,x,A\n2,b,y,B\n1,a,z,\n3,c,,\n2,b,,C\n");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data),
            "p('1'){row('x','A')row('z',-)}\np('2'){row('y','B')row(-,'C')}\np('3')\n");
  EXPECT_EQ(data->Where(Vertex{2}, 0), "data:4: c");
  std::string out;
  DatasetRecords records(*data);
  ASSERT_TRUE(WriteRecords(GroupPolicy(), records, {}, [&](std::string_view bytes) {
                out += bytes;
                return Status();
              }).ok());
  EXPECT_EQ(out, "born,id,c,g\n1,1,x,A\n1,1,z,\n2,2,y,B\n2,2,,C\n3,3,,\n");
  const auto again = Read(GroupPolicy(), out, ReadAs::kPublished);
  ASSERT_TRUE(again.ok()) << ErrorOf(again);
  EXPECT_EQ(Describe(*again), Describe(*data));
  EXPECT_TRUE(again->findings.empty());
}

TEST(CsvGroups, RefuseAValueOfThePersonThatChanges) {
  const auto data = Read(GroupPolicy(), "born,id,c,g\n1,a,x,A\n,a,y,B\n");
  EXPECT_EQ(
      ErrorOf(data),
      "data:3: born: every row of a person must have the same value here as the first (line "
      "2), but this one has another [put the column into the class under children, or correct "
      "the data]");
}

}  // namespace
}  // namespace thicket::csv_groups_test
