#include "survey/person_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thicket::person_finder_test {
namespace {

using ::testing::ElementsAre;
using Rows = std::vector<std::vector<std::string_view>>;

std::optional<PersonFinder::Person> Find(const std::vector<std::string>& columns,
                                         const Rows& rows) {
  PersonFinder finder(columns);
  for (const auto& row : rows) finder.Add(row);
  return finder.Find();
}

TEST(PersonFinderTest, FindsWhoHasSeveralRows) {
  const auto person = Find({"id", "surname", "born", "year", "prize"},
                           {{"6", "Curie", "1867", "1903", "physics"},
                            {"1", "Rontgen", "1845", "1901", "physics"},
                            {"6", "Curie", "1867", "1911", "chemistry"}});
  ASSERT_TRUE(person.has_value());
  EXPECT_EQ(person->column, 0U);
  EXPECT_EQ(person->people, 2U);
  EXPECT_THAT(person->columns_of_people, ElementsAre(1, 2));
  EXPECT_THAT(person->columns_of_rows, ElementsAre(3, 4));
  EXPECT_EQ(person->values[1]->present, 2U);
  EXPECT_EQ(person->values[3]->present, 3U);
}

TEST(PersonFinderTest, ANameThatSaysSoIsEnough) {
  const auto person =
      Find({"course", "id_student", "grade"}, {{"A", "7", "x"}, {"B", "7", "y"}, {"A", "8", "x"}});
  ASSERT_TRUE(person.has_value());
  EXPECT_EQ(person->column, 1U);
}

TEST(PersonFinderTest, KeysOfOtherThingsAreNotPeople) {
  EXPECT_FALSE(Find({"course_id", "title", "sex"},
                    {{"1", "Logic", "f"}, {"1", "Logic", "m"}, {"2", "Sets", "f"}}));
  EXPECT_FALSE(Find({"id", "title"}, {{"1", "Logic"}, {"1", "Logic"}, {"2", "Sets"}}));
}

TEST(PersonFinderTest, RowsThatAreAllDifferentPeopleAreNotGrouped) {
  EXPECT_FALSE(Find({"patient", "sex"}, {{"1", "f"}, {"2", "m"}}));
  EXPECT_FALSE(Find({"patient", "sex"}, {{"1", "f"}, {"1", "f"}}));
  EXPECT_FALSE(Find({"patient", "ward"}, {{"1", "a"}, {"1", "b"}, {"", "a"}, {"2", "b"}}));
  // The same row twice is no second row.
  EXPECT_FALSE(Find({"patient", "sex"}, {{"1", "f"}, {"1", "f"}, {"2", "m"}}));
}

}  // namespace
}  // namespace thicket::person_finder_test
