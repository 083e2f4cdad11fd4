#include "utility/dm.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "utility/test_data.h"

namespace thicket::dm_test {
namespace {

std::shared_ptr<const Schema> CourseSchema() {
  return ToySchema(
      {ToyClass("student", 0, {"major"}, {"gpa"}), ToyClass("course", 0, {"code"}, {"grade"})});
}

ToyVertex Student(const std::string& major, const std::vector<std::string>& courses,
                  const std::string& grade) {
  ToyVertex student{0, {major}, {grade}, {}};
  for (const std::string& course : courses) student.children.push_back({1, {course}, {grade}, {}});
  return student;
}

TEST(DmTest, AGroupCountsItsSizeForEachMemberWhateverTheOrderOfSiblingsAndSecrets) {
  ToyData toy(CourseSchema());
  toy.Add(Student("CS", {"a", "b"}, "A"));
  toy.Add(Student("CS", {"b", "a"}, "B"));
  toy.Add(Student("CS", {"a"}, "A"));
  const Dataset data = toy.Build();
  const auto dm = MeasureDm(data, data);
  ASSERT_TRUE(dm.ok());
  EXPECT_EQ(dm->dm, 2U * 2 + 1);
  EXPECT_EQ(dm->groups, 2U);
  EXPECT_EQ(dm->suppressed, 0U);
}

TEST(DmTest, ASuppressedRecordCountsTheWholeDataSet) {
  ToyData before(CourseSchema());
  ToyData after(CourseSchema());
  for (int i = 0; i < 5; ++i) before.Add(Student("CS", {}, "A"));
  for (int i = 0; i < 3; ++i) after.Add(Student("*", {}, "A"));
  const auto dm = MeasureDm(before.Build(), after.Build());
  ASSERT_TRUE(dm.ok());
  EXPECT_EQ(dm->dm, 3U * 3 + 2 * 5);
  EXPECT_EQ(dm->suppressed, 2U);
  EXPECT_DOUBLE_EQ(dm->mean_group(), 19.0 / 5);
}

TEST(DmTest, RejectsMorePublishedThanOriginalRecords) {
  ToyData before(CourseSchema());
  ToyData after(CourseSchema());
  before.Add(Student("CS", {}, "A"));
  after.Add(Student("CS", {}, "A"));
  after.Add(Student("CS", {}, "A"));
  const auto dm = MeasureDm(before.Build(), after.Build());
  ASSERT_FALSE(dm.ok());
  EXPECT_EQ(dm.error().code, ErrorCode::kData);
}

// Definition 9 of Nergiz et al. 2008, pair by pair, on records as sorted lists of their labels.
RC_GTEST_PROP(DmProperty, IsTheNumberOfPairsThatCannotBeToldApart, ()) {
  using Label = std::string;
  const auto people =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::vector<Label>>>(rc::gen::resize(
          3, rc::gen::container<std::vector<Label>>(rc::gen::element<Label>("a", "b", "*")))));
  const auto published = *rc::gen::inRange<size_t>(0, people.size() + 1);
  ToyData before(CourseSchema());
  ToyData after(CourseSchema());
  std::vector<std::vector<Label>> sorted;
  for (size_t i = 0; i < people.size(); ++i) {
    const std::string grade = *rc::gen::element<Label>("A", "B");
    before.Add(Student("CS", people[i], grade));
    if (i >= published) continue;
    after.Add(Student("CS", people[i], grade));
    sorted.push_back(people[i]);
    std::sort(sorted.back().begin(), sorted.back().end());
  }
  uint64_t expected = (people.size() - published) * people.size();
  for (const auto& one : sorted) {
    for (const auto& other : sorted) expected += one == other ? 1 : 0;
  }
  const auto dm = MeasureDm(before.Build(), after.Build());
  RC_ASSERT(dm.ok());
  RC_ASSERT(dm->dm == expected);
}

}  // namespace
}  // namespace thicket::dm_test
