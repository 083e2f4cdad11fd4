#include "survey/guess_joins.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "survey/guess_names.h"

namespace thicket::guess_joins_test {
namespace {

using Texts = std::vector<std::string>;

// Tables for a test: columns with their values, in which "" is missing.
class Tables {
 public:
  Tables& Add(const std::string& name, const std::vector<std::pair<std::string, Texts>>& columns) {
    JoinTable table;
    table.name = name;
    for (const auto& [column_name, values] : columns) {
      AttributeSurvey& survey = surveys_.emplace_back(column_name);
      for (const std::string& value : values) {
        if (!value.empty()) survey.Add(value);
      }
      JoinColumn column;
      column.name = column_name;
      column.values = &survey;
      if (survey.distinct() == values.size() && !values.empty()) {
        column.keys.emplace();
        for (const auto& [hash, holder] : survey.holders()) column.keys->push_back(hash);
        std::sort(column.keys->begin(), column.keys->end());
      }
      table.rows = values.size();
      table.columns.push_back(std::move(column));
    }
    tables_.push_back(std::move(table));
    return *this;
  }

  // "visits.patient -> patients.id", sorted by table and column.
  Texts Joins() const {
    Texts texts;
    for (const Join& join : GuessJoins(tables_)) texts.push_back(Text(join));
    return texts;
  }

  JoinTree Tree() const { return GrowJoinTree(tables_, GuessJoins(tables_)); }

  // The table above, by its name; "" for the persons and for tables outside.
  std::string Above(const JoinTree& tree, const std::string& name) const {
    const size_t parent = tree.parent[Number(name)];
    return parent == JoinTree::kNone ? "" : tables_[tree.joins[parent].to].name;
  }

  std::string Person() const { return tables_[Tree().person].name; }
  const std::vector<JoinTable>& all() const { return tables_; }

  size_t Number(const std::string& name) const {
    const auto found = std::find_if(tables_.begin(), tables_.end(),
                                    [&](const JoinTable& table) { return table.name == name; });
    return static_cast<size_t>(found - tables_.begin());
  }

 private:
  std::string Text(const Join& join) const {
    const JoinTable& from = tables_[join.table];
    const JoinTable& to = tables_[join.to];
    return from.name + "." + from.columns[join.column].name + " -> " + to.name + "." +
           to.columns[join.key].name;
  }

  // Addresses stay.
  std::deque<AttributeSurvey> surveys_;
  std::vector<JoinTable> tables_;
};

// prefix1, prefix2, ...
Texts Numbered(const std::string& prefix, size_t count) {
  Texts texts;
  for (size_t i = 1; i <= count; ++i) texts.push_back(prefix + std::to_string(i));
  return texts;
}

// Of the first `from` texts, over and over.
Texts Cycled(const Texts& texts, size_t from, size_t count) {
  Texts result;
  for (size_t i = 0; i < count; ++i) result.push_back(texts[i % from]);
  return result;
}

TEST(GuessJoinsTest, JoinsByValuesAndByTheTablesName) {
  const Texts people = Numbered("", 30);
  Tables tables;
  tables.Add("patients", {{"ID", people}})
      .Add("encounters", {{"PATIENT", Cycled(people, 30, 40)}})
      .Add("bills", {{"no", Numbered("", 9)}, {"patient_id", Cycled(people, 5, 9)}});
  EXPECT_EQ(tables.Joins(),
            (Texts{"encounters.PATIENT -> patients.ID", "bills.patient_id -> patients.ID"}));
}

TEST(GuessJoinsTest, TakesNoSmallNumbersForKeysByChance) {
  Tables tables;
  tables.Add("people", {{"id", Numbered("", 100)}, {"age", Cycled(Numbered("", 60), 60, 100)}})
      .Add("visits", {{"id", Numbered("", 50)}, {"floor", Cycled(Numbered("", 4), 4, 50)}});
  EXPECT_EQ(tables.Joins(), Texts{});
}

TEST(GuessJoinsTest, TakesTextsForKeysWithoutAName) {
  const Texts people = Numbered("p-", 30);
  Tables tables;
  tables.Add("people", {{"uuid", people}}).Add("visits", {{"who", Cycled(people, 30, 40)}});
  EXPECT_EQ(tables.Joins(), Texts{"visits.who -> people.uuid"});
}

TEST(GuessJoinsTest, TakesNoCategoryForAKeyBecauseItIsUniqueInASmallTable) {
  Tables tables;
  tables.Add("people", {{"id", Numbered("p-", 3)}, {"city", {"Ankara", "Izmir", "Lyon"}}})
      .Add("visits", {{"city", {"Ankara", "Lyon", "Lyon"}}, {"person", {"p-1", "p-2", "p-2"}}});
  EXPECT_EQ(tables.Joins(), Texts{"visits.person -> people.id"});
}

TEST(GuessJoinsTest, FewOrphansHideNoJoinButManyDo) {
  const Texts people = Numbered("p-", 200);
  Texts few = Cycled(people, 200, 300);
  few.insert(few.end(), {"p-x", "p-y"});
  Texts many = Cycled(people, 20, 30);
  many.insert(many.end(), {"p-x", "p-y"});
  Tables tables;
  tables.Add("people", {{"id", people}})
      .Add("visits", {{"person_id", few}})
      .Add("trips", {{"person_id", many}});
  EXPECT_EQ(tables.Joins(), Texts{"visits.person_id -> people.id"});
}

TEST(GuessJoinsTest, KnowsTheDirectionWhereEveryPersonHasOneRow) {
  const Texts people = Numbered("p-", 30);
  Tables tables;
  tables.Add("visits", {{"patient", people}, {"id", Numbered("v-", 30)}})
      .Add("patients", {{"id", people}});
  EXPECT_EQ(tables.Joins(), Texts{"visits.patient -> patients.id"});
}

TEST(GuessJoinsTest, SeesKeysToTheOwnTable) {
  Tables tables;
  tables.Add("employees",
             {{"id", Numbered("", 30)}, {"manager_id", Cycled(Numbered("", 30), 3, 30)}});
  EXPECT_EQ(tables.Joins(), Texts{"employees.manager_id -> employees.id"});
  EXPECT_EQ(tables.Tree().parent[0], JoinTree::kNone);
}

TEST(JoinTreeTest, HangsATableBelowItsDeepestParent) {
  const Texts people = Numbered("p-", 30);
  const Texts visits = Numbered("v-", 50);
  Tables tables;
  tables.Add("conditions", {{"patient", Cycled(people, 30, 60)}, {"visit", Cycled(visits, 50, 60)}})
      .Add("patients", {{"id", people}})
      .Add("visits", {{"id", visits}, {"patient", Cycled(people, 30, 50)}});
  const JoinTree tree = tables.Tree();
  EXPECT_EQ(tables.Person(), "patients");
  EXPECT_EQ(tables.Above(tree, "visits"), "patients");
  EXPECT_EQ(tables.Above(tree, "conditions"), "visits");
}

TEST(JoinTreeTest, PrefersAParentThatLosesNoRows) {
  const Texts people = Numbered("p-", 30);
  const Texts visits = Numbered("v-", 50);
  Tables tables;
  tables.Add("conditions", {{"patient", Cycled(people, 30, 60)}, {"visit", Cycled(visits, 5, 60)}})
      .Add("patients", {{"id", people}})
      .Add("visits", {{"id", visits}, {"patient", Cycled(people, 30, 50)}});
  std::vector<Join> joins = GuessJoins(tables.all());
  for (Join& join : joins) {
    // As if most conditions had no visit.
    if (join.table == 0 && join.to == 2) join.orphans = 40;
  }
  const JoinTree tree = GrowJoinTree(tables.all(), joins);
  EXPECT_EQ(tables.Above(tree, "conditions"), "patients");
}

TEST(JoinTreeTest, TakesNoLookupTableForThePersons) {
  const Texts people = Numbered("p-", 30);
  const Texts hospitals = Numbered("h-", 3);
  Tables tables;
  tables.Add("hospitals", {{"id", hospitals}})
      .Add("patients", {{"id", people}, {"hospital", Cycled(hospitals, 3, 30)}})
      .Add("visits", {{"patient", Cycled(people, 30, 50)}});
  const JoinTree tree = tables.Tree();
  EXPECT_EQ(tables.Person(), "patients");
  EXPECT_FALSE(tree.Holds(tables.Number("hospitals")));
  EXPECT_EQ(tables.Above(tree, "visits"), "patients");
}

TEST(JoinTreeTest, CyclesOfDeclaredKeysLeaveATree) {
  const Texts ids = Numbered("", 4);
  Tables tables;
  tables.Add("a", {{"id", ids}, {"b", ids}})
      .Add("b", {{"id", ids}, {"a", ids}, {"person", ids}})
      .Add("persons", {{"id", ids}});
  const std::vector<Join> joins = {{0, 1, 1, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 2, 0, 0}};
  const JoinTree tree = GrowJoinTree(tables.all(), joins);
  EXPECT_EQ(tree.person, 2U);
  EXPECT_EQ(tables.Above(tree, "b"), "persons");
  EXPECT_EQ(tables.Above(tree, "a"), "b");
}

TEST(JoinTreeTest, NothingIsJoinedToAColumnThatLeadsUpItself) {
  // Details have the key of their person, and notes name details by it.
  const Texts ids = Numbered("", 4);
  Tables tables;
  tables.Add("details", {{"id", ids}})
      .Add("notes", {{"id", ids}, {"detail", ids}, {"person", ids}})
      .Add("persons", {{"id", ids}});
  const std::vector<Join> joins = {{0, 0, 2, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 2, 0, 0}};
  const JoinTree tree = GrowJoinTree(tables.all(), joins);
  EXPECT_EQ(tables.Above(tree, "details"), "persons");
  EXPECT_EQ(tables.Above(tree, "notes"), "persons");
}

// Random snowflakes: table 0 holds the persons, every other table has a key to one before it.
RC_GTEST_PROP(JoinTreeTest, RecoversAnySnowflake, ()) {
  const auto count = *rc::gen::inRange<size_t>(2, 7);
  const bool numbers = *rc::gen::arbitrary<bool>();
  const Texts names = {"patients", "encounters", "conditions", "medications",
                       "orders",   "results",    "notes"};
  std::vector<size_t> above(count, 0);
  std::vector<Texts> keys(count);
  std::vector<std::vector<std::pair<std::string, Texts>>> columns(count);
  for (size_t i = 0; i < count; ++i) {
    const auto rows = *rc::gen::inRange<size_t>(20, 60);
    keys[i] = Numbered(numbers ? "" : names[i] + "-", rows);
    columns[i].emplace_back("id", keys[i]);
    if (i == 0) continue;
    above[i] = *rc::gen::inRange<size_t>(0, i);
    const Texts& parents = keys[above[i]];
    Texts values;
    for (size_t row = 0; row < rows; ++row) {
      values.push_back(parents[*rc::gen::inRange<size_t>(0, parents.size())]);
    }
    columns[i].emplace_back(Singular(names[above[i]]) + "_id", values);
  }
  // In any order.
  std::vector<size_t> order(count);
  for (size_t i = 0; i < count; ++i) order[i] = i;
  const auto turn = *rc::gen::inRange<size_t>(0, count);
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(turn), order.end());
  Tables tables;
  for (const size_t i : order) tables.Add(names[i], columns[i]);
  const JoinTree tree = tables.Tree();
  RC_ASSERT(tables.Person() == names[0]);
  for (size_t i = 1; i < count; ++i) {
    RC_ASSERT(tables.Above(tree, names[i]) == names[above[i]]);
  }
}

TEST(GuessNamesTest, NamesOfKeysSayWhoseTheyAre) {
  EXPECT_TRUE(NamesKeyOf("PATIENT", "patients"));
  EXPECT_TRUE(NamesKeyOf("patientId", "Patients"));
  EXPECT_TRUE(NamesKeyOf("patientid", "patient"));
  EXPECT_TRUE(NamesKeyOf("fk_treating_doctor", "doctors"));
  EXPECT_TRUE(NamesKeyOf("order_line_id", "order_lines"));
  EXPECT_FALSE(NamesKeyOf("id", "patients"));
  EXPECT_FALSE(NamesKeyOf("data", "a"));
  EXPECT_FALSE(NamesKeyOf("impatient", "patients"));
}

TEST(GuessNamesTest, TablesOfPersonsAreKnownByTheirNoun) {
  EXPECT_GT(PersonRank("patients"), 0U);
  EXPECT_GT(PersonRank("dbo_Customers"), 0U);
  EXPECT_GT(PersonRank("StudentData"), 0U);
  EXPECT_EQ(PersonRank("user_roles"), 0U);
  EXPECT_EQ(PersonRank("visits"), 0U);
}

}  // namespace
}  // namespace thicket::guess_joins_test
