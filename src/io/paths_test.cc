// Names that lead through objects, arrays and elements, and classes that are told by values: what is written is what was read.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "io/test_policy.h"
#include "policy/policy.h"

namespace thicket::paths_test {
namespace {

using testing::Describe;
using testing::ErrorOf;
using testing::Read;

Policy PathPolicy(const std::string& format) {
  const auto policy = ParsePolicy("version: 1\ninput: {format: " + format + R"(}
record:
  class: r
  quasi: {a/b: {mask: 1}, a/c/d: {mask: 1}}
  keep: [e]
  drop: [t/z]
  children:
    - {class: x, at: t/v, where: {k: x}, keep: [o/p, n]}
    - {class: y, at: t/v, where: {k: y}, keep: [n], children: [{class: w, at: u/w, keep: [n]}]}
privacy: {k: 2}
)",
                                  "policy.yaml");
  EXPECT_TRUE(policy.ok());
  return *policy;
}

std::string Written(const Policy& policy, const Dataset& data) {
  std::string out;
  DatasetRecords records(data);
  EXPECT_TRUE(WriteRecords(policy, records, {}, [&](std::string_view bytes) {
                out += bytes;
                return Status();
              }).ok());
  return out;
}

TEST(Paths, LeadThroughObjectsAndArraysOfJson) {
  const Policy policy = PathPolicy("jsonl");
  const auto data = Read(
      policy,
      R"({"a":[{"b":"1","c":{"d":"2"}},{"b":"3"}],"e":4,"t":[{"z":0,"v":{"n":5,"k":"y","u":[{"w":[{"n":6}]},{"w":[{"n":7}]}]}},{"z":1,"v":[{"k":"x","n":9,"o":{"p":8}},{"k":"z"}]}]})"
      "\n");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), "r('1','2',4){x(8,9)y(5){w(6)w(7)}}\n");
  EXPECT_EQ(
      Written(policy, *data),
      R"({"a":[{"b":"1","c":{"d":"2"}}],"e":4,"t":[{"v":[{"k":"x","o":{"p":8},"n":9}]},{"v":[{"k":"y","n":5,"u":[{"w":[{"n":6}]},{"w":[{"n":7}]}]}]}]})"
      "\n");
}

TEST(Paths, LeadThroughElementsOfXml) {
  const Policy policy = PathPolicy("xml");
  const auto data = Read(
      policy,
      "<l><r e='4'><a b='1'><c><d>2</d></c></a><a b='3'/><t z='0'><v n='5' k='y'><u><w n='6'/><w "
      "n='7'/></u></v></t><t><v n='9'><k>x</k><o p='8'/></v></t></r></l>");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), "r('1','2','4'){x('8','9')y('5'){w('6')w('7')}}\n");
  const std::string written = Written(policy, *data);
  const auto again = Read(policy, written, ReadAs::kPublished);
  ASSERT_TRUE(again.ok()) << ErrorOf(again);
  EXPECT_EQ(Describe(*again), Describe(*data));
  EXPECT_TRUE(again->findings.empty()) << again->findings.front().Text();
  EXPECT_NE(written.find("<t><v n=\"9\"><k>x</k>"), std::string::npos) << written;
}

// A record in either format, from the same choices.
struct Texts {
  std::string json;
  std::string xml;
};

Texts RandomRecord() {
  Texts texts;
  const auto coin = [] { return *rc::gen::arbitrary<bool>(); };
  const std::string b = coin() ? "1" : "2";
  texts.json = R"({"a":{"b":")" + b + R"("},"t":[)";
  texts.xml = "<r><a b='" + b + "'/>";
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(*rc::gen::inRange(0, 3));
    const bool x = coin();
    texts.json += std::string(i > 0 ? "," : "") + R"({"v":{"k":")" + (x ? "x" : "y") +
                  R"(","n":")" + n + R"("}})";
    texts.xml += std::string("<t><v n='") + n + "' k='" + (x ? "x" : "y") + "'/></t>";
  }
  texts.json += "]}\n";
  texts.xml += "</r>";
  return texts;
}

RC_GTEST_PROP(Paths, JsonAndXmlGiveTheSameTreesAndTheSameAgainAfterWriting, ()) {
  Texts all;
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i) {
    const Texts one = RandomRecord();
    all.json += one.json;
    all.xml += one.xml;
  }
  // Every name of the policy occurs.
  all.json +=
      R"({"a":{"b":"1","c":{"d":"2"}},"e":"4","t":[{"z":0,"v":{"k":"x","n":"5","o":{"p":"6"}}},{"v":{"k":"y","n":"5","u":{"w":[{"n":"7"},{"n":"8"}]}}}]})"
      "\n";
  all.xml +=
      "<r e='4'><a b='1'><c d='2'/></a><t z='0'><v k='x' n='5'><o p='6'/></v></t><t><v k='y' "
      "n='5'><u><w n='7'/><w n='8'/></u></v></t></r>";
  const Policy json = PathPolicy("jsonl");
  const Policy xml = PathPolicy("xml");
  const auto of_json = Read(json, all.json);
  const auto of_xml = Read(xml, "<l>" + all.xml + "</l>");
  RC_ASSERT(of_json.ok());
  RC_ASSERT(of_xml.ok());
  RC_ASSERT(Describe(*of_json) == Describe(*of_xml));
  const auto json_again = Read(json, Written(json, *of_json), ReadAs::kWhole);
  const auto xml_again = Read(xml, Written(xml, *of_xml), ReadAs::kPublished);
  RC_ASSERT(json_again.ok());
  RC_ASSERT(xml_again.ok());
  RC_ASSERT(Describe(*json_again) == Describe(*of_json));
  RC_ASSERT(Describe(*xml_again) == Describe(*of_json));
  RC_ASSERT(xml_again->findings.empty());
}

}  // namespace
}  // namespace thicket::paths_test
