#include <gtest/gtest.h>

#include <string>

#include "survey/propose.h"
#include "survey/propose_test.h"
#include "survey/survey.h"

namespace thicket::propose_xml_test {
namespace {

std::string Repeat(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST_F(ProposeTest, DescribesTheElementsOfAnXmlDocument) {
  std::string xml = "<?xml version='1.0'?><uni xmlns='urn:u'><meta><of>x</of></meta><all>";
  for (int i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i % 3);
    xml += "<student id='s" + std::to_string(i) + "'><major>m" + n + "</major><home><city>c" + n +
           "</city></home><courses><course code='CS10" + n + "'><grade>A" + n +
           "</grade><book>b</book><book>c" + n + "</book></course></courses><tag>t" + n +
           "</tag><tag>u</tag><note lang='l" + n + "'>hm " + n + "</note><nothing/></student>";
  }
  const Policy policy = ProposeAndRead(Put("a.xml", xml + "</all></uni>"));
  ASSERT_TRUE(policy.schema) << text_;
  EXPECT_EQ(policy.input.format, Format::kXml);
  EXPECT_EQ(policy.input.at, "uni/all/student");
  ASSERT_EQ(policy.schema->classes.size(), 6U) << text_;
  const VertexClass& student = policy.schema->root();
  EXPECT_EQ(student.name, "student");
  EXPECT_EQ(student.id, "id");
  EXPECT_EQ(QuasiNames(student), (Names{"major"}));
  EXPECT_EQ(policy.schema->classes[1].at, "home");
  EXPECT_EQ(QuasiNames(policy.schema->classes[1]), (Names{"city"}));
  const VertexClass& course = policy.schema->classes[2];
  EXPECT_EQ(course.name, "course");
  EXPECT_EQ(course.at, "courses/course");
  EXPECT_EQ(QuasiNames(course), (Names{"code"}));
  EXPECT_EQ(SensitiveNames(course), (Names{"grade"}));
  EXPECT_EQ(policy.schema->classes[3].at, "book");
  EXPECT_EQ(QuasiNames(policy.schema->classes[3]), (Names{"book"}));
  EXPECT_EQ(policy.schema->classes[4].at, "tag");
  const VertexClass& note = policy.schema->classes[5];
  EXPECT_EQ(note.at, "note");
  EXPECT_EQ(QuasiNames(note), (Names{"lang", "text()"}));
  EXPECT_NE(text_.find("# left out: nothing (always missing)"), std::string::npos);
  EXPECT_NE(text_.find("taxonomies/note.csv"), std::string::npos);
}

TEST_F(ProposeTest, FindsTheRecordsOfAnXmlDocument) {
  const auto at = [&](const std::string& xml) {
    const auto survey = SurveyData(Put("find.xml", xml));
    return survey.ok() ? survey->at : survey.error().message;
  };
  const std::string person = "<p><a>1</a></p>";
  EXPECT_EQ(at("<l>" + Repeat(person, 3) + "</l>"), "l/p");
  EXPECT_EQ(at("<l>" + person + "</l>"), "l/p");
  EXPECT_EQ(at("<d><m/><l>" + Repeat(person, 3) + "</l></d>"), "d/l/p");
  // Texts alone are no records, and what is nearest to the document's element counts.
  EXPECT_EQ(at("<d><r>x</r><r>y</r>" + Repeat("<q><s b='1'/><s b='2'/></q>", 2) + "</d>"), "d/q");
  // Among equals the most frequent, unless one is called a person.
  EXPECT_EQ(at("<d>" + Repeat("<e a='1'/>", 3) + Repeat("<f a='1'/>", 4) + "</d>"), "d/f");
  EXPECT_EQ(at("<d>" + Repeat("<patient a='1'/>", 3) + Repeat("<f a='1'/>", 4) + "</d>"),
            "d/patient");
}

TEST_F(ProposeTest, LeavesOutWhatXmlSaysInTwoWays) {
  const Policy policy = ProposeAndRead(
      Put("two.xml", "<l><p sex='f' a=''><a>1</a></p><p sex='m'><sex>x</sex><b>x</b></p></l>"));
  ASSERT_TRUE(policy.schema) << text_;
  EXPECT_EQ(QuasiNames(policy.schema->root()), (Names{"b"}));
  EXPECT_NE(text_.find("# left out: sex (both an attribute and an element)"), std::string::npos);
  EXPECT_NE(text_.find("# left out: a (both an attribute and an element)"), std::string::npos);
}

TEST_F(ProposeTest, RejectsXmlThatItCannotUse) {
  const auto fails = [&](const std::string& content) {
    const auto proposal = ProposePolicy(Put("bad.xml", content), Path("policy.yaml"));
    if (proposal.ok()) return std::string("accepted");
    EXPECT_EQ(proposal.error().code, ErrorCode::kData);
    return proposal.error().message.substr(directory_.string().size() + 1);
  };
  EXPECT_EQ(fails(""), "bad.xml: must hold records, but holds none");
  EXPECT_EQ(fails("<l><p a='1'/>").substr(0, 10), "bad.xml:1:");
  EXPECT_EQ(fails("<!DOCTYPE l [<!ENTITY a 'b'>]><l><p>&a;</p></l>"),
            "bad.xml:1: must have no document type declaration, but has one");
  EXPECT_EQ(fails("<l>text</l>").substr(0, 43), "bad.xml: must hold one element for each rec");
}

TEST_F(ProposeTest, SurvivesStrangeXml) {
  // As deep as a reader goes, and an element for each value.
  const std::string deep = "<l>" + Repeat("<p>", 900) + Repeat("</p>", 900) + "</l>";
  EXPECT_FALSE(ProposePolicy(Put("deep.xml", deep), Path("policy.yaml")).ok());
  std::string keyed = "<l><p sex='f'/><p sex='m'>";
  for (int i = 0; i < 5000; ++i) keyed += "<k" + std::to_string(i) + " a='1'/>";
  EXPECT_FALSE(ProposePolicy(Put("keyed.xml", keyed + "</p></l>"), Path("policy.yaml")).ok());
}

TEST_F(ProposeTest, TellsXmlByItsContent) {
  EXPECT_EQ(SurveyData(Put("x", "  <l><p a='1'/><p a='2'/></l>"))->format, Format::kXml);
  EXPECT_EQ(SurveyData(Put("y", "\xef\xbb\xbf<l><p a='1'/></l>"))->format, Format::kXml);
}

}  // namespace
}  // namespace thicket::propose_xml_test
