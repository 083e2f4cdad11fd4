// The join against one by std::map, on random trees whose rows stand in random order.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "io/tables/test_tables.h"

namespace thicket::table_join_property_test {
namespace {

using testing::Describe;
using testing::JoinedPolicy;
using testing::ReadTexts;

struct NaiveRow {
  std::string key;
  std::string parent;
  std::string value;
};
using NaiveTable = std::vector<NaiveRow>;

// `count` rows below random rows of `parents`, one in ten of them below nothing, in random order.
NaiveTable RandomChildren(const NaiveTable& parents, const std::string& prefix, bool orphans) {
  const size_t count = parents.empty() ? 0 : *rc::gen::inRange<size_t>(0, 12);
  std::vector<size_t> keys(count);
  for (size_t i = 0; i < count; ++i) keys[i] = i;
  for (size_t i = count; i > 1; --i) std::swap(keys[i - 1], keys[*rc::gen::inRange<size_t>(0, i)]);
  NaiveTable table;
  for (const size_t key : keys) {
    const bool orphan = orphans && *rc::gen::inRange(0, 10) == 0;
    const std::string parent =
        orphan ? "nobody" : parents[*rc::gen::inRange<size_t>(0, parents.size())].key;
    const int value = *rc::gen::inRange(0, 4);
    table.push_back(
        {prefix + std::to_string(key), parent, value == 0 ? "" : std::to_string(value)});
  }
  return table;
}

std::string TextOf(const NaiveTable& table, const std::string& header,
                   const std::vector<char>& columns) {
  std::string text = header + "\n";
  for (const NaiveRow& row : table) {
    for (size_t i = 0; i < columns.size(); ++i) {
      text += i > 0 ? "," : "";
      text += columns[i] == 'k' ? row.key : columns[i] == 'p' ? row.parent : "";
      text += columns[i] == 'v' ? row.value : "";
    }
    text += "\n";
  }
  return text;
}

std::multimap<std::string, NaiveRow> ByParent(const NaiveTable& table) {
  std::multimap<std::string, NaiveRow> rows;
  for (const NaiveRow& row : table) rows.emplace(row.parent, row);
  return rows;
}

std::string Shown(const std::string& value) { return value.empty() ? "-" : "'" + value + "'"; }

std::string DescribeNaively(const NaiveTable& persons, const NaiveTable& courses,
                            const NaiveTable& books, const NaiveTable& tags) {
  const auto courses_of = ByParent(courses);
  const auto books_of = ByParent(books);
  const auto tags_of = ByParent(tags);
  std::string text;
  for (const NaiveRow& person : persons) {
    std::string below;
    const auto [course, last_course] = courses_of.equal_range(person.key);
    for (auto at = course; at != last_course; ++at) {
      std::string inside;
      const auto [book, last_book] = books_of.equal_range(at->second.key);
      for (auto it = book; it != last_book; ++it) inside += "book(" + Shown(it->second.value) + ")";
      below +=
          "course(" + Shown(at->second.value) + ",-)" + (inside.empty() ? "" : "{" + inside + "}");
    }
    const auto [tag, last_tag] = tags_of.equal_range(person.key);
    for (auto it = tag; it != last_tag; ++it) below += "tag(" + Shown(it->second.value) + ")";
    text += "student(" + Shown(person.value) + ",-,-)" + (below.empty() ? "" : "{" + below + "}") +
            "\n";
  }
  return text;
}

RC_GTEST_PROP(TableJoinProperty, IsTheJoinOfTheTables, (bool orphans)) {
  NaiveTable persons;
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    persons.push_back({"s" + std::to_string(i), "", std::to_string(*rc::gen::inRange(1, 4))});
  }
  const NaiveTable courses = RandomChildren(persons, "c", orphans);
  const NaiveTable books = RandomChildren(courses, "b", orphans);
  const NaiveTable tags = RandomChildren(persons, "t", orphans);
  Policy policy = JoinedPolicy();
  policy.input.drop_orphans = orphans;
  const auto data =
      ReadTexts(policy, {TextOf(persons, "ID,id,major,gpa,campus", {'k', 'k', 'v', '-', '-'}),
                         TextOf(courses, "code,SID,CID,grade", {'v', 'p', 'k', '-'}),
                         TextOf(books, "CID,other,title", {'p', 'k', 'v'}),
                         TextOf(tags, "tag,SID", {'v', 'p'})});
  RC_ASSERT(data.ok());
  RC_ASSERT(Describe(*data) == DescribeNaively(persons, courses, books, tags));
  RC_ASSERT(data->vertex_places.size() == data->forest.vertex_count());
}

}  // namespace
}  // namespace thicket::table_join_property_test
