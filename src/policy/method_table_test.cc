// The table of methods: that it is whole, and that docs/policy.md says the same.
#include "policy/method_table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "policy/policy_reader.h"

namespace thicket::method_table_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(MethodTable, EveryModelHasAMethodAndEveryMethodAModel) {
  for (const ModelRow& model : Models()) {
    EXPECT_TRUE(BestMethod(model.model).Serves(model.model)) << model.name;
    EXPECT_TRUE(FirstMethod(model.model).Serves(model.model)) << model.name;
  }
  for (const MethodRow& row : Methods()) {
    EXPECT_FALSE(row.models.empty()) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
  }
}

TEST(MethodTable, NamesOneMethodOnce) {
  std::set<std::string> names;
  for (const MethodRow& row : Methods()) {
    EXPECT_TRUE(names.insert(std::string(row.name)).second) << row.name;
    MethodPolicy method;
    method.name = row.name;
    EXPECT_EQ(&RowOf(method), &row);
    if (!row.plain_kin.empty()) {
      MethodPolicy kin;
      kin.name = row.plain_kin;
      EXPECT_FALSE(RowOf(kin).models.empty()) << row.name;
    }
  }
}

TEST(MethodTable, AnUnknownMethodServesNothingAndTakesNothing) {
  MethodPolicy method;
  method.name = "clusstree";
  for (const ModelRow& model : Models()) EXPECT_FALSE(RowOf(method).Serves(model.model));
  EXPECT_TRUE(RowOf(method).Parameters().empty());
}

TEST(MethodTable, NoKeyTwiceInAMethodAndWhatNeedsAnotherComesAfterIt) {
  for (const MethodRow& row : Methods()) {
    std::set<std::string_view> keys = {"name"};
    std::vector<const MethodParameter*> before;
    for (const MethodParameter* parameter : row.Parameters()) {
      EXPECT_TRUE(keys.insert(parameter->key).second) << row.name << " " << parameter->key;
      EXPECT_THAT(MethodParameters(), Contains(parameter)) << row.name << " " << parameter->key;
      if (parameter->beside != nullptr) {
        EXPECT_THAT(before, Contains(parameter->beside));
      }
      before.push_back(parameter);
    }
  }
}

TEST(MethodTable, EveryParameterIsSomebodysAndHasAWordForItsDefault) {
  for (const MethodParameter* parameter : MethodParameters()) {
    const bool is_used = std::any_of(Methods().begin(), Methods().end(), [&](const MethodRow& row) {
      const auto all = row.Parameters();
      return std::find(all.begin(), all.end(), parameter) != all.end();
    });
    EXPECT_TRUE(is_used) << parameter->key;
    EXPECT_TRUE(parameter->IsDefaultIn(MethodPolicy()));
    if (const auto* type = std::get_if<MethodParameter::Word>(&parameter->type)) {
      EXPECT_THAT(std::vector<std::string>(type->words.begin(), type->words.end()),
                  Contains(parameter->ValueIn(MethodPolicy())));
    }
  }
}

TEST(MethodTable, KnowsWhatAMethodTakesByTheField) {
  MethodPolicy method;
  method.name = "acs";
  EXPECT_FALSE(RowOf(method).Takes(&MethodPolicy::g));
  EXPECT_TRUE(RowOf(method).Takes(&MethodPolicy::cut_cost));
  EXPECT_FALSE(RowOf(method).Takes(&MethodPolicy::cost));
  EXPECT_FALSE(RowOf(method).Takes(&MethodPolicy::refine));
  method.name = "miracle";
  EXPECT_TRUE(RowOf(method).Takes(&MethodPolicy::th));
  EXPECT_TRUE(RowOf(method).Takes(&MethodPolicy::limit_s));
  EXPECT_FALSE(RowOf(method).Takes(&MethodPolicy::s));
}

// docs/policy.md, line by line.
class Page {
 public:
  Page() {
    std::ifstream file("docs/policy.md");
    EXPECT_TRUE(file.is_open()) << "this program must run in the folder of the checkout";
    for (std::string line; std::getline(file, line);) lines_.push_back(std::move(line));
  }

  // From a heading to the next one.
  std::string Section(const std::string& heading) const {
    const auto begin = std::find(lines_.begin(), lines_.end(), heading);
    EXPECT_NE(begin, lines_.end()) << "docs/policy.md has no " << heading;
    std::string text;
    for (auto line = begin; line != lines_.end(); ++line) {
      if (line != begin && line->starts_with("#")) break;
      text += *line + "\n";
    }
    return text;
  }

  // Headings of one or more names of methods, and these names: "### gcs, acs, ocs".
  std::map<std::string, std::vector<std::string>> MethodHeadings() const {
    std::map<std::string, std::vector<std::string>> found;
    for (const std::string& line : lines_) {
      if (!line.starts_with("### ")) continue;
      std::vector<std::string> names;
      std::istringstream words(line.substr(4));
      for (std::string word; words >> word;) {
        if (word.ends_with(',')) word.pop_back();
        names.push_back(word);
      }
      MethodPolicy first;
      first.name = names.front();
      if (!RowOf(first).models.empty()) found[line] = names;
    }
    return found;
  }

 private:
  std::vector<std::string> lines_;
};

std::string Code(std::string_view text) { return fmt::format("`{}`", text); }

std::string CodeList(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + Code(word);
  return list;
}

// What may stand behind a key, in words.
struct Values {
  std::string operator()(const MethodParameter::Word& type) const {
    return CodeList({type.words.begin(), type.words.end()});
  }
  std::string operator()(const MethodParameter::OnOff&) const { return "`on`, `off`"; }
  std::string operator()(const MethodParameter::Count&) const { return "1 or more"; }
  std::string operator()(const MethodParameter::AutoOffCount&) const {
    return "`auto`, `off`, 2 or more";
  }
  std::string operator()(const MethodParameter::Positive&) const { return "more than 0"; }
  std::string operator()(const MethodParameter::MaybePositive&) const { return "more than 0"; }
  std::string operator()(const MethodParameter::Share&) const { return "0 to 1"; }
  std::string operator()(const MethodParameter::AtLeastZero&) const { return "0 or more"; }
  std::string operator()(const MethodParameter::Attribute&) const { return "an attribute"; }
};

// A table stands alone: a blank line before and behind it.
std::string Table(std::string_view head, const std::vector<std::string>& rows) {
  std::string rule = "|";
  for (ptrdiff_t i = std::count(head.begin(), head.end(), '|'); i > 1; --i) rule += " --- |";
  std::string table = fmt::format("\n\n{}\n{}\n", head, rule);
  for (const std::string& row : rows) table += row + "\n";
  return table + "\n";
}

constexpr std::string_view kParameterHead = "| key | values | default | meaning |";

std::string ParameterRow(const MethodParameter& parameter, const std::string& whose) {
  const std::string value = parameter.ValueIn(MethodPolicy());
  return fmt::format("| {} | {} | {} | {}{} |", Code(parameter.key),
                     std::visit(Values(), parameter.type), value.empty() ? "none" : Code(value),
                     whose.empty() ? "" : whose + ": ", parameter.meaning);
}

// Of methods that share a section: a parameter that some of them lack begins with the names of those that have it.
std::string OwnParameters(const std::vector<std::string>& names) {
  std::vector<const MethodParameter*> in_order;
  std::map<const MethodParameter*, std::vector<std::string>> takers;
  for (const std::string& name : names) {
    MethodPolicy method;
    method.name = name;
    for (const MethodParameter* parameter : RowOf(method).own) {
      if (takers[parameter].empty()) in_order.push_back(parameter);
      takers[parameter].push_back(name);
    }
  }
  std::vector<std::string> rows;
  for (const MethodParameter* parameter : in_order) {
    const std::vector<std::string>& whose = takers[parameter];
    rows.push_back(ParameterRow(*parameter, whose.size() == names.size() ? "" : CodeList(whose)));
  }
  return Table(kParameterHead, rows);
}

TEST(PolicyPage, ListsTheMethodsWithTheirFamiliesAndPromises) {
  std::vector<std::string> rows;
  for (const MethodRow& row : Methods()) {
    std::string models;
    for (const PrivacyModel model : row.models) {
      models += (models.empty() ? "" : ", ") + std::string(RowOf(model).name);
    }
    rows.push_back(fmt::format("| {} | {} | {} | {} |", Code(row.name),
                               row.family == MethodFamily::kCutting ? "cutting" : "grouping",
                               models, row.meaning));
  }
  EXPECT_THAT(Page().Section("## method: how it is reached"),
              HasSubstr(Table("| name | family | promise | what it does |", rows)));
}

TEST(PolicyPage, SaysWhichMethodAPolicyGetsThatNamesNone) {
  std::vector<std::string> rows;
  for (const ModelRow& model : Models()) {
    rows.push_back(fmt::format("| {} | {} |", model.name, CodeList(MethodsFor(model.model))));
  }
  EXPECT_THAT(Page().Section("## method: how it is reached"),
              HasSubstr(Table("| promise | methods, the default first |", rows)));
}

TEST(PolicyPage, DescribesTheParametersOfEveryMethodOnce) {
  const Page page;
  std::multiset<std::string> described;
  for (const auto& [heading, names] : page.MethodHeadings()) {
    described.insert(names.begin(), names.end());
    EXPECT_THAT(page.Section(heading), HasSubstr(OwnParameters(names)));
  }
  std::multiset<std::string> all;
  for (const MethodRow& row : Methods()) all.emplace(row.name);
  EXPECT_EQ(described, all);
}

TEST(PolicyPage, DescribesRefiningAndWhoMayRefine) {
  const std::string section = Page().Section("### Refining");
  std::vector<std::string> rows;
  for (const MethodParameter* parameter : RefineParameters()) {
    rows.push_back(ParameterRow(*parameter, ""));
  }
  EXPECT_THAT(section, HasSubstr(Table(kParameterHead, rows)));
  std::vector<std::string> names;
  for (const MethodRow& row : Methods()) {
    if (row.may_refine) names.push_back(Code(row.name));
  }
  EXPECT_THAT(section, HasSubstr(JoinWords(names, " and ") + " "));
}

TEST(PolicyPage, NamesTheModels) {
  std::vector<std::string> names;
  for (const ModelRow& model : Models()) names.emplace_back(model.name);
  EXPECT_THAT(Page().Section("## privacy: the promise"),
              HasSubstr(fmt::format("| `model` | {} |", CodeList(names))));
}

}  // namespace
}  // namespace thicket::method_table_test
