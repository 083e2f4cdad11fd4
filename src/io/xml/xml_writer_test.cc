#include <expat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "io/xml/xml_test_policy.h"

namespace thicket::xml_writer_test {
namespace {

using testing::Describe;
using testing::ErrorOf;
using ::testing::HasSubstr;
using testing::Read;
using ::testing::StartsWith;
using testing::StudentPolicy;
using testing::Students;
using testing::WithSchema;
using testing::XmlPolicy;

constexpr char kHead[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

std::string Written(const Policy& policy, const Dataset& data, WriteOptions options = {}) {
  std::string out;
  DatasetRecords records(data);
  const Status status = WriteRecords(policy, records, options, [&](std::string_view bytes) {
    out += bytes;
    return Status();
  });
  if (status.ok()) return out;
  const Error& error = status.error();
  EXPECT_THAT(error.message, StartsWith(error.place.file + ": " + error.place.path + ": "));
  return "error: " + error.message + " [" + error.hint + "]";
}

std::string Rewritten(const Policy& policy, const std::string& text, WriteOptions options = {}) {
  const auto data = Read(policy, text, ReadAs::kPublished);
  return data.ok() ? Written(policy, *data, options) : ErrorOf(data);
}

// Data of another format, as XML.
std::string Converted(const Policy& from, const Policy& to, const std::string& text) {
  const auto data = Read(from, text, ReadAs::kPublished);
  return data.ok() ? Written(to, *data) : ErrorOf(data);
}

// By a parser that knows namespaces, unlike the reader.
bool IsWellFormed(const std::string& text) {
  XML_Parser parser = XML_ParserCreateNS(nullptr, ' ');
  const bool good =
      XML_Parse(parser, text.data(), static_cast<int>(text.size()), XML_TRUE) == XML_STATUS_OK;
  XML_ParserFree(parser);
  return good;
}

TEST(XmlWriter, WritesEachValueAsItStood) {
  EXPECT_EQ(
      Rewritten(XmlPolicy(),
                Students("<student><tag>b</tag><campus> north </campus><gpa>3.50</gpa><courses>"
                         "<course code='CS1'><book title='p'/><grade>A</grade></course><course/>"
                         "</courses><address city='c'/></student><student major='CS'/>")),
      std::string(kHead) +
          "<students>\n"
          R"(  <student><tag>b</tag><campus>north</campus><gpa>3.50</gpa><courses><course code="CS1">)"
          R"(<book title="p"/><grade>A</grade></course><course/></courses><address city="c"/></student>)"
          "\n"
          R"(  <student major="CS"><courses/></student>)"
          "\n</students>\n");
}

// Where tag and gpa belong is not known before the third record.
TEST(XmlWriter, PutsElementsBehindThoseThatTheyFollowedLater) {
  const std::string rows =
      "  <student><gpa>1</gpa></student>\n"
      "  <student><tag>b</tag><campus>n</campus></student>\n"
      "  <student><gpa>3</gpa><campus>m</campus></student>\n";
  const std::string written = Rewritten(XmlPolicy(), Students(rows));
  EXPECT_THAT(written, HasSubstr("<tag>b</tag><campus>n</campus>"));
  EXPECT_THAT(written, HasSubstr("<gpa>3</gpa><campus>m</campus>"));
  EXPECT_EQ(Rewritten(XmlPolicy(), written), written);
}

TEST(XmlWriter, PutsElementsBehindThoseThatTheyFollowedAtFirst) {
  EXPECT_EQ(Rewritten(XmlPolicy(),
                      Students("<student><gpa>1</gpa><tag>b</tag></student>"
                               "<student><gpa>2</gpa><campus>n</campus><tag>c</tag></student>"
                               "<student><tag>d</tag><campus>m</campus></student>")),
            std::string(kHead) +
                "<students>\n"
                "  <student><gpa>1</gpa><tag>b</tag><courses/></student>\n"
                "  <student><gpa>2</gpa><campus>n</campus><tag>c</tag><courses/></student>\n"
                "  <student><campus>m</campus><tag>d</tag><courses/></student>\n"
                "</students>\n");
}

TEST(XmlWriter, KeepsNamespacesWhereTheyWereDeclared) {
  const Policy policy = WithSchema(XmlPolicy(), [](Schema& schema) {
    schema.classes[0].quasi[0].name = "x:major";
    schema.classes[1].at = "c:courses/c:course";
  });
  const std::string text =
      std::string(kHead) +
      "<s:students xmlns:s=\"urn:s\" xmlns=\"urn:d?a&amp;b\">\n"
      R"(  <student xmlns:x="urn:x" xmlns:c="urn:c" x:major="m"><gpa xmlns="">1</gpa><c:courses>)"
      R"(<c:course code="1"/></c:courses></student>)"
      "\n</s:students>\n";
  EXPECT_EQ(Rewritten(policy, text), text);
  EXPECT_TRUE(IsWellFormed(text));
}

TEST(XmlWriter, KeepsTheElementsAroundTheRecordsOnce) {
  Policy policy = XmlPolicy();
  policy.input.at = "school/class/student";
  EXPECT_EQ(
      Rewritten(policy,
                "<school n='1'><!-- c --><class/><class><student major='a'/><teacher/></class><?p?>"
                "<class><student major='b'/></class></school>"),
      std::string(kHead) +
          "<school>\n  <class>\n    <student major=\"a\"><courses/></student>\n"
          "    <student major=\"b\"><courses/></student>\n  </class>\n</school>\n");
}

TEST(XmlWriter, WritesSharedElementsAroundVerticesOnce) {
  const Policy policy = WithSchema(XmlPolicy(), [](Schema& schema) {
    schema.classes[3].at = "courses/tag";
    schema.classes[4].at = "courses/where/address";
  });
  EXPECT_EQ(
      Rewritten(policy,
                "<s><r><courses><tag>a</tag></courses><courses><where><address city='x'/></where>"
                "<course/></courses></r></s>"),
      std::string(kHead) +
          "<s>\n  <r><courses><where><address city=\"x\"/></where><course/><tag>a</tag></courses>"
          "</r>\n</s>\n");
}

TEST(XmlWriter, EscapesWhatWouldBeTakenForSomethingElse) {
  const std::string text =
      std::string(kHead) +
      "<s>\n"
      R"(  <r major=" &lt;&gt;&amp;&quot;'&#9;&#10;&#13; "><gpa>&lt;]]&gt;"&amp; )"
      "\n\t&#13;x</gpa><courses/>"
      R"(<tag xml:space="preserve"> x </tag><tag xml:space="preserve">&#13;</tag></r>)"
      "\n</s>\n";
  EXPECT_EQ(Rewritten(XmlPolicy(), text), text);
  EXPECT_TRUE(IsWellFormed(text));
}

TEST(XmlWriter, AddsTheClassToTheRecord) {
  WriteOptions options;
  options.with_class = true;
  const std::string text =
      std::string(kHead) + "<s>\n  <r major=\"a\" _class=\"0\"><courses/></r>\n</s>\n";
  EXPECT_EQ(Rewritten(XmlPolicy(), "<s><r major='a'/></s>", options), text);
  EXPECT_EQ(Rewritten(XmlPolicy(), text, options), text);
}

TEST(XmlWriter, MakesAttributesOfDataThatWasNotXml) {
  const Policy json = StudentPolicy();
  const std::string text =
      R"({"major":" a\nb","gpa":3.50,"campus":false,"courses":[{"code":"1","books":[{"title":"t"}]}],"tags":["x",null,)"
      R"(" y"],"address":{"city":"c"}})";
  const std::string record =
      R"(<student major=" a&#10;b" gpa="3.50" campus="false"><courses code="1"><books title="t"/></courses>)"
      R"(<tags>x</tags><tags/><tags xml:space="preserve"> y</tags><address city="c"/></student>)";
  EXPECT_EQ(Converted(json, StudentPolicy(Format::kXml), text),
            std::string(kHead) + "<records>\n  " + record + "\n</records>\n");
  Policy placed = StudentPolicy(Format::kXml);
  placed.input.at = "/a/b/student";
  EXPECT_EQ(Converted(json, placed, text),
            std::string(kHead) + "<a>\n  <b>\n    " + record + "\n  </b>\n</a>\n");
  EXPECT_EQ(Rewritten(placed, Converted(json, placed, text)), Converted(json, placed, text));
}

TEST(XmlWriter, RejectsNamesThatAreNoneInXml) {
  const auto error = [](auto change) {
    const Policy json = WithSchema(StudentPolicy(), change);
    Policy xml = json;
    xml.input.format = Format::kXml;
    const auto data = Read(json, "{}", ReadAs::kPublished);
    DatasetRecords records(*data);
    const Status status = WriteRecords(xml, records, {}, [](std::string_view) { return Status(); });
    if (status.ok()) return std::string("no error");
    EXPECT_THAT(status.error().message, StartsWith(status.error().place.path + ": must be"));
    return std::to_string(static_cast<int>(status.error().code)) + ": " + status.error().message;
  };
  const std::string what =
      ": must be a name in XML (letters, digits, . _ -, no digit first), but is not";
  EXPECT_EQ(error([](Schema& s) { s.classes[0].name = "big student"; }), "2: big student" + what);
  EXPECT_EQ(error([](Schema& s) { s.classes[0].keep[0] = "1st"; }), "2: 1st" + what);
  EXPECT_EQ(error([](Schema& s) { s.classes[0].keep[0] = "x:campus"; }), "2: x:campus" + what);
  EXPECT_EQ(error([](Schema& s) { s.classes[0].keep[0] = "xmlns"; }), "2: xmlns" + what);
  EXPECT_EQ(error([](Schema& s) { s.classes[1].at = "my courses"; }), "2: my courses" + what);
  EXPECT_EQ(error([](Schema& s) { s.classes[0].keep[0] = "text()"; }), "no error");
}

TEST(XmlWriter, RejectsCharactersThatXmlCannotHoldWithoutQuotingThem) {
  for (const char* bad : {R"(\u0001)", R"(\uffff)", R"(\ufffe)", R"(\u0000)"}) {
    EXPECT_EQ(Converted(StudentPolicy(), StudentPolicy(Format::kXml),
                        R"({"courses":[{"code":"secret)" + std::string(bad) + "\"}]}"),
              "error: data: courses.code: every character must be one that XML can hold, but one "
              "is not [remove "
              "control characters from the data, or use another format]");
  }
  EXPECT_THAT(
      Converted(StudentPolicy(), StudentPolicy(Format::kXml), R"({"major":"\uff21\ufffd"})"),
      HasSubstr("major=\"Ａ\xef\xbf\xbd\""));
}

TEST(XmlWriter, PassesXmllintWhereThereIsOne) {
  if (std::system("command -v xmllint >/dev/null 2>&1") != 0) GTEST_SKIP() << "no xmllint here";
  const testing::TemporaryFolder folder;
  const std::string file =
      folder.File("x.xml", Rewritten(XmlPolicy(), Students("<student major='&amp;'/>")));
  EXPECT_EQ(std::system(("xmllint --noout " + file).c_str()), 0);
}

// How a document is written: chosen once, so that every record is written alike.
struct Style {
  Policy policy;
  // By class and slot.
  std::vector<std::vector<XmlForm>> forms;
  // By class.
  std::vector<bool> plain;
  std::vector<std::string> namespaces;
};

// A random piece twice: as XML, written in a way of its own, and as Describe() shows it.
struct Piece {
  std::string xml;
  std::string shown;
};

std::string Blank() {
  return *rc::gen::element<std::string>("", "", " ", "\n\t", "<!-- <a b='c'/> -->", "<?p q?>");
}

std::string RandomText() {
  std::string text;
  for (const std::string& part :
       *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
           "a", "B2", "é", "𝄞", "<", ">", "&", "\"", "'", " ", "]]>", "\n", "\t", "\r", "&lt;"))) {
    text += part;
  }
  return text;
}

std::string CharacterReference(unsigned char c) { return "&#" + std::to_string(c) + ";"; }

std::string WithinAttribute(const std::string& text) {
  std::string xml;
  for (const char c : text) {
    const bool special = c == '<' || c == '&' || c == '"' || c == '\n' || c == '\r' || c == '\t';
    const bool quote = special || (c == 'a' && *rc::gen::arbitrary<bool>());
    xml += quote ? CharacterReference(static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return "\"" + xml + "\"";
}

std::string WithinElement(const std::string& text) {
  if (text.find("]]>") == std::string::npos && text.find('\r') == std::string::npos &&
      *rc::gen::arbitrary<bool>()) {
    return Blank() + "<![CDATA[" + text + "]]>" + Blank();
  }
  std::string xml;
  for (const char c : text) {
    const bool special = c == '<' || c == '&' || c == '>' || c == '\r';
    xml += special ? CharacterReference(static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return Blank() + xml + Blank();
}

std::string Trimmed(std::string text) {
  const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  while (!text.empty() && blank(text.back())) text.pop_back();
  while (!text.empty() && blank(text.front())) text.erase(text.begin());
  return text;
}

std::string Shown(const std::string& text) { return text.empty() ? "-" : "'" + text + "'"; }

Style RandomStyle() {
  Style style;
  style.policy = WithSchema(XmlPolicy(), [](Schema& schema) {
    schema.classes[1].at =
        *rc::gen::element<std::string>("course", "courses/course", "n:a/b/course");
    schema.classes[2].at = *rc::gen::element<std::string>("book", "books/book");
    schema.classes[3].at = *rc::gen::element<std::string>("tag", "courses/tag", "x/tag");
    if (*rc::gen::arbitrary<bool>()) schema.classes[0].keep[0] = "text()";
  });
  if (style.policy.schema->classes[1].at == "course" && *rc::gen::arbitrary<bool>())
    style.policy.input.at = "n:s/o/r";
  for (const VertexClass& type : style.policy.schema->classes) {
    const bool may_be_plain = type.value_count() == 1 && type.children.empty();
    style.plain.push_back(may_be_plain && *rc::gen::arbitrary<bool>());
    style.namespaces.push_back(
        *rc::gen::element<std::string>("", " xmlns='urn:x'", " xmlns:y='u' xmlns:z='v'"));
    std::vector<XmlForm>& forms = style.forms.emplace_back();
    for (size_t slot = 0; slot < type.value_count(); ++slot) {
      const bool text = type.slot_name(slot) == "text()" || style.plain.back();
      forms.push_back(text                          ? XmlForm::kText
                      : *rc::gen::arbitrary<bool>() ? XmlForm::kElement
                                                    : XmlForm::kAttribute);
    }
  }
  return style;
}

// "<a><b>" or "</b></a>" for "a/b/c".
std::string Around(const std::string& at, bool open) {
  std::string text;
  for (size_t begin = 0, end = at.find('/'); end != std::string::npos;
       begin = end + 1, end = at.find('/', begin)) {
    const std::string name = at.substr(begin, end - begin);
    text = open ? text + "<" + name + ">" + Blank() : "</" + name + ">" + Blank() + text;
  }
  return text;
}

Piece RandomVertex(const Style& style, ClassId id, const std::string& name) {
  const VertexClass& type = style.policy.schema->classes[id];
  std::string attributes = style.namespaces[id];
  std::string text;
  std::vector<std::string> elements;
  std::string shown = type.name + "(";
  for (size_t slot = 0; slot < type.value_count(); ++slot) {
    std::string value = RandomText();
    if (style.forms[id][slot] == XmlForm::kAttribute) {
      if (!value.empty() || *rc::gen::arbitrary<bool>()) {
        attributes += *rc::gen::element<std::string>(" ", "\n") + type.slot_name(slot) + " = " +
                      WithinAttribute(value);
      }
    } else if (style.forms[id][slot] == XmlForm::kElement) {
      if (!Trimmed(value).empty() || *rc::gen::arbitrary<bool>()) {
        elements.push_back("<" + type.slot_name(slot) + ">" + WithinElement(value) + "</" +
                           type.slot_name(slot) + " >");
      }
      value = Trimmed(value);
    } else {
      text = WithinElement(value);
      value = Trimmed(value);
    }
    shown += (slot > 0 ? "," : "") + Shown(value);
  }
  std::string below;
  for (const ClassId child : type.children) {
    const std::string& at = style.policy.schema->classes[child].at;
    std::string siblings;
    for (int count = *rc::gen::inRange(0, 4); count > 0; --count) {
      const Piece piece = RandomVertex(style, child, at.substr(at.rfind('/') + 1));
      siblings += piece.xml;
      below += piece.shown;
    }
    if (at.find('/') != std::string::npos)
      siblings = Around(at, true) + siblings + Around(at, false);
    elements.push_back(siblings);
  }
  if (!text.empty()) elements.push_back(text);
  std::string content;
  while (!elements.empty()) {
    const auto next = *rc::gen::inRange<size_t>(0, elements.size());
    content += elements[next] + Blank();
    elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(next));
  }
  const bool closed = content.empty() && *rc::gen::arbitrary<bool>();
  return {"<" + name + attributes + (closed ? "/>" : ">" + content + "</" + name + ">"),
          shown + ")" + (below.empty() ? "" : "{" + below + "}")};
}

RC_GTEST_PROP(Xml, RoundTripGivesTheSameDataSet, ()) {
  const Style style = RandomStyle();
  const bool placed = !style.policy.input.at.empty();
  std::string text = placed ? "<n:s xmlns:n='urn:n'>" + Blank() + "<o>" : "<s xmlns:n='urn:n'>";
  std::string expected;
  for (int count = *rc::gen::inRange(1, 5); count > 0; --count) {
    const Piece record = RandomVertex(style, 0, "r");
    text += Blank() + record.xml + Blank();
    expected += record.shown + "\n";
  }
  text += placed ? "</o></n:s>\n" : "</s>\n";
  const auto first = Read(style.policy, text, ReadAs::kPublished);
  if (!first.ok()) RC_FAIL(ErrorOf(first) + "\n" + text);
  RC_ASSERT(Describe(*first) == expected);
  RC_ASSERT(first->warnings.empty());
  const std::string written = Written(style.policy, *first);
  RC_ASSERT(IsWellFormed(written));
  const auto second = Read(style.policy, written, ReadAs::kPublished);
  if (!second.ok()) RC_FAIL(ErrorOf(second) + "\n" + written);
  RC_ASSERT(Describe(*second) == expected);
  RC_ASSERT(second->warnings.empty());
  RC_ASSERT(Written(style.policy, *second) == written);
}

// What was JSON is the same data set as XML, but for kinds of values, empty texts and whether a class is an array.
RC_GTEST_PROP(Xml, ConversionFromJsonKeepsEveryValue, ()) {
  std::string text;
  for (int count = *rc::gen::inRange(1, 4); count > 0; --count) {
    const auto value = [] {
      const std::string content =
          *rc::gen::container<std::string>(rc::gen::element('a', '<', '&', ' ', '"', '\n'));
      std::string json = "\"";
      for (const char c : "_" + content)
        json += c == '"' ? "\\\"" : c == '\n' ? "\\n" : std::string(1, c);
      return json + "\"";
    };
    text += R"({"major":)" + value() + R"(,"courses":[{"code":)" + value() + R"(},{}],"tags":[)" +
            value() + "," + value() + "]}\n";
  }
  const auto json = Read(StudentPolicy(), text, ReadAs::kPublished);
  RC_ASSERT(json.ok());
  const Policy policy = StudentPolicy(Format::kXml);
  const auto xml = Read(policy, Written(policy, *json), ReadAs::kPublished);
  RC_ASSERT(xml.ok());
  RC_ASSERT(Describe(*xml) == Describe(*json));
}

}  // namespace
}  // namespace thicket::xml_writer_test
