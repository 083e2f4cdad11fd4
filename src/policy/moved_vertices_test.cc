#include "policy/moved_vertices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace thicket::moved_vertices_test {
namespace {

using ::testing::HasSubstr;

// Message and hint, or "fine".
std::string Outcome(const std::string& format, const std::string& record,
                    const std::string& privacy = "{k: 2, m: 2, n: 1}") {
  const Result<Policy> policy =
      ParsePolicy("version: 1\ninput: {format: " + format + "}\nrecord:\n  class: customer\n" +
                      record + "privacy: " + privacy + "\n",
                  "policy.yaml");
  if (policy.ok()) return "fine";
  return policy.error().message + " [" + policy.error().hint + "]";
}

std::string Nested(const std::string& root, const std::string& order_at,
                   const std::string& item_at) {
  return root + "  children:\n    - {class: order, at: " + order_at +
         ", quasi: {price: {mask: 1}}, children: [{class: item, at: " + item_at +
         ", quasi: {brand: {mask: 1}}}]}\n";
}

TEST(MovedVertices, AClassMayNotBeCalledLikeAnAttributeOfAnAncestor) {
  for (const std::string root : {"  quasi: {items: {mask: 1}}\n", "  sensitive: {items: {}}\n",
                                 "  keep: [items]\n", "  drop: [items]\n", "  id: items\n"}) {
    EXPECT_EQ(
        Outcome("jsonl", Nested(root, "orders", "items")),
        "policy.yaml:7: record.children[0].children[0].at must have a name of its own in every "
        "class above it, since k^(m,n)-anonymity may move its vertices there, but in customer "
        "it is an attribute, too [rename it in the data and in the policy]")
        << root;
    EXPECT_EQ(Outcome("jsonl", Nested(root, "orders", "items"), "{k: 2}"), "fine") << root;
  }
}

TEST(MovedVertices, AClassMayNotBeCalledLikeAnotherBelowTheSameAncestor) {
  EXPECT_THAT(Outcome("json", Nested("  keep: [a]\n", "items", "items")),
              HasSubstr("but in customer it is the at of order, too"));
  EXPECT_THAT(
      Outcome("json", Nested("  keep: [a]\n", "orders", "items") +
                          "    - {class: return, at: returns, children: [{class: sent, at: items, "
                          "quasi: {brand: {mask: 1}}}]}\n"),
      HasSubstr(
          "record.children[0].children[0].at must have a name of its own in every class above "
          "it, since k^(m,n)-anonymity may move its vertices there, but in customer it is the "
          "at of sent, too"));
  EXPECT_EQ(Outcome("json", Nested("  keep: [a]\n", "orders", "items")), "fine");
}

TEST(MovedVertices, InXmlOnePathMayNotLeadThroughAnother) {
  EXPECT_EQ(Outcome("xml", Nested("  keep: [a]\n", "list/order", "list/item")), "fine");
  EXPECT_THAT(Outcome("xml", Nested("  keep: [a]\n", "list", "list/item")),
              HasSubstr("but in customer it is the at of order, too"));
  EXPECT_THAT(Outcome("xml", Nested("  keep: [a]\n", "list/order", "list")),
              HasSubstr("but in customer it is the at of order, too"));
  EXPECT_THAT(Outcome("xml", Nested("  keep: [items]\n", "order", "items/item")),
              HasSubstr("but in customer it is an attribute, too"));
  EXPECT_EQ(Outcome("xml", Nested("  keep: [item]\n", "order", "items/item")), "fine");
}

const char* const kTables =
    "  table: a\n  key: id\n  children:\n    - {class: b, table: b, key: id, parent: up, children: "
    "["
    "{class: c, table: c, key: id, parent: b_id, children: [{class: d, table: d, parent: PARENT, "
    "keep: [KEEP]}]}]}\n";

std::string Tables(const std::string& parent, const std::string& keep) {
  std::string text = kTables;
  text.replace(text.find("PARENT"), 6, parent);
  text.replace(text.find("KEEP"), 4, keep);
  return text;
}

TEST(MovedVertices, AColumnThatLeadsToAnAncestorIsCalledAsItsChildrenCallIt) {
  const auto names = [](const std::string& parent, const std::string& keep) {
    const Result<Policy> policy =
        ParsePolicy("version: 1\ninput: {format: tables}\nrecord:\n  class: a\n" +
                        Tables(parent, keep) + "privacy: {k: 2}\n",
                    "policy.yaml");
    EXPECT_TRUE(policy.ok()) << policy.error().message;
    std::string text;
    for (const AncestorColumn& column : AncestorColumns(*policy->schema, 3)) {
      text += std::to_string(column.ancestor) + ":" + column.name + " ";
    }
    return text;
  };
  EXPECT_EQ(names("c_id", "x"), "1:b_id 0:up ");
  EXPECT_EQ(names("up", "x"), "1:b_id 0:a_up ");
  EXPECT_EQ(names("c_id", "b_id"), "1:b_b_id 0:up ");
}

TEST(MovedVertices, ATableMustHaveRoomForSuchAColumn) {
  EXPECT_EQ(Outcome("tables", Tables("up", "x")), "fine");
  EXPECT_EQ(Outcome("tables", Tables("up", "a_up")),
            "policy.yaml:8: record.children[0].children[0].children[0].table must have room for a "
            "column that leads to a, since k^(m,n)-anonymity may move its rows there, but a_up is "
            "taken [rename that column in the data and in the policy]");
  EXPECT_EQ(Outcome("tables", Tables("up", "a_up"), "{k: 2}"), "fine");
}

}  // namespace
}  // namespace thicket::moved_vertices_test
