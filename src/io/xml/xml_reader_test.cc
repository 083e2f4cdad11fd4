#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "io/xml/xml_stream.h"
#include "io/xml/xml_test_policy.h"

namespace thicket::xml_reader_test {
namespace {

using testing::Describe;
using ::testing::ElementsAre;
using testing::ErrorOf;
using ::testing::HasSubstr;
using testing::kFullXml;
using testing::kFullXmlText;
using testing::Read;
using ::testing::StartsWith;
using testing::Students;
using testing::WithSchema;
using testing::XmlPolicy;

std::string XmlError(const std::string& text) { return ErrorOf(Read(XmlPolicy(), text)); }

// The error of what follows a record that is good, from line 3 on.
std::string SecondError(const std::string& record) {
  return XmlError(Students(kFullXml + record + "\n"));
}

// What a second record is read as.
std::string Second(const std::string& record) {
  const auto data = Read(XmlPolicy(), Students(kFullXml + record + "\n"));
  if (!data.ok()) return ErrorOf(data);
  return Describe(*data).substr(kFullXmlText.size());
}

std::string WarningsOf(const Result<Dataset>& data) {
  if (!data.ok()) return ErrorOf(data);
  std::string text;
  for (const Warning& warning : data->warnings) text += warning.message + "\n";
  return text;
}

TEST(Xml, ReadsAttributesElementsAndTexts) {
  const auto data = Read(XmlPolicy(), Students(kFullXml));
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), kFullXmlText);
  EXPECT_EQ(data->forest.line(0), 2U);
  EXPECT_TRUE(data->has_lines);
  EXPECT_TRUE(data->warnings.empty());
  EXPECT_THAT(data->shape.plain, ElementsAre(false, false, false, true, false));
  EXPECT_THAT(data->shape.single, ElementsAre(false, false, true, true, true));
}

TEST(Xml, ReadsCdataEntitiesCommentsAndBlanksAsTheTextTheyStandFor) {
  EXPECT_EQ(
      Second(
          "<student id='2' major=' a&lt;&#10;b '><gpa>\n 1<!-- 2 --><![CDATA[<3>]]><?p q?>&#x41; "
          "&amp;\t</gpa><tag> <![CDATA[ x]]> y\r\n</tag></student>"),
      "student(' a<\nb ','1<3>A &',-){tag('x y')}\n");
}

TEST(Xml, TakesEmptyAndNilAndAbsentAsMissing) {
  EXPECT_EQ(
      Second(
          "<student id='2' major=''><gpa/><campus xmlns:xsi='i' xsi:nil='true'>x</campus><courses/>"
          "<tag/><tag>  </tag></student>"),
      "data:3: every element campus must declare the same namespaces, but this one declares others "
      "than the first [declare all namespaces on the document's element]");
  EXPECT_EQ(Second("<student id='2' major=''><gpa/><campus xsi:nil='true'>x</campus><courses/>"
                   "<tag/><tag>  </tag></student>"),
            "student(-,-,-){tag(-)tag(-)}\n");
}

TEST(Xml, KeepsBlanksWhereTheElementSaysSo) {
  EXPECT_EQ(
      Second("<student id='2'><gpa xml:space='preserve'> 1 </gpa><tag xml:space='preserve'> </tag>"
             "<tag xml:space='default'> x </tag></student>"),
      "student(-,' 1 ',-){tag(' ')tag('x')}\n");
}

TEST(Xml, GroupsSiblingsByClassWhateverTheirOrder) {
  EXPECT_EQ(
      Second("<student><tag>a</tag><courses><course><book title='p'/></course></courses><id>2</id>"
             "<tag>b</tag><courses><course code='z'/></courses></student>"),
      "student(-,-,-){course(-,-){book('p')}course('z',-)tag('a')tag('b')}\n");
}

TEST(Xml, ReadsTextThatThePolicyNames) {
  const Policy policy = WithSchema(XmlPolicy(), [](Schema& schema) {
    schema.classes[0].keep = {"text()"};
    schema.classes[2].quasi = {testing::Quasi("text()")};
  });
  const auto data = Read(
      policy,
      Students("<student id='1' major='m'>one <gpa>1</gpa>two<courses><course code='c' grade='g'>"
               "<book>b</book></course></courses><tag>t</tag><address city='x'/></student>"));
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data),
            "student('m','1','one two'){course('c','g'){book('b')}tag('t')address('x')}\n");
  EXPECT_FALSE(data->shape.plain[2]);
}

TEST(Xml, FindsTheRecordsWhereThePolicySaysSo) {
  for (const char* at : {"school/class/student", "/school/class/student"}) {
    Policy policy = XmlPolicy();
    policy.input.at = at;
    const auto data = Read(policy, "<school v='1'><head>x</head><class>" + kFullXml +
                                       "</class>text<class n='2'><student id='2'/>"
                                       "</class></school>");
    ASSERT_TRUE(data.ok()) << ErrorOf(data);
    EXPECT_EQ(Describe(*data), kFullXmlText + "student(-,-,-)\n");
    EXPECT_EQ(WarningsOf(data),
              "school/@v: not named in the policy, left out\n"
              "school/class/@n: not named in the policy, left out\n"
              "school/head: not named in the policy, left out\n"
              "school/text(): not named in the policy, left out\n");
  }
}

TEST(Xml, KnowsHowEachValueAndElementStoodInTheSource) {
  const auto data = Read(
      WithSchema(XmlPolicy(), [](Schema& schema) { schema.classes[0].quasi[0].name = "x:major"; }),
      "<s:students xmlns:s='urn:s' xmlns='urn:d'><student id='1' name='' campus='' "
      "xmlns:x='urn:x'><gpa "
      "xmlns='urn:g'>1</gpa><x:major/><courses xmlns:c='urn:c'><course xmlns='' code='' "
      "grade=''><book "
      "title=''/></course></courses><tag>t</tag><address city=''/></student></s:students>");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  const XmlShape& shape = data->shape.xml;
  using Namespaces = XmlNamespaces;
  ASSERT_EQ(shape.around.size(), 1U);
  EXPECT_EQ(shape.around[0].name, "s:students");
  EXPECT_EQ(shape.around[0].namespaces, (Namespaces{{"xmlns:s", "urn:s"}, {"xmlns", "urn:d"}}));
  EXPECT_EQ(shape.elements[0].name, "student");
  EXPECT_EQ(shape.elements[0].namespaces, (Namespaces{{"xmlns:x", "urn:x"}}));
  EXPECT_EQ(shape.elements[1].name, "courses");
  // No name uses c.
  EXPECT_EQ(shape.elements[1].namespaces, Namespaces());
  EXPECT_EQ(shape.elements[2].name, "course");
  EXPECT_EQ(shape.elements[2].namespaces, (Namespaces{{"xmlns", ""}}));
  EXPECT_EQ(shape.values[0][0].form, XmlForm::kElement);
  EXPECT_EQ(shape.values[0][1].form, XmlForm::kElement);
  EXPECT_EQ(shape.values[0][1].namespaces, (Namespaces{{"xmlns", "urn:g"}}));
  EXPECT_EQ(shape.values[0][2].form, XmlForm::kAttribute);
}

TEST(Xml, WarnsOncePerPathThatThePolicyDoesNotName) {
  const auto data = Read(
      XmlPolicy(),
      Students(kFullXml +
               "<student id='2' x='1'>text<gpa scale='4'>1</gpa>text<y><gpa>z</gpa></y><courses "
               "n='2'>text"
               "<other/><course>text</course><course>text</course></courses><tag lang='en'>t</tag>"
               "<tag><b>u</b></tag></student>"));
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data),
            kFullXmlText + "student(-,'1',-){course(-,-)course(-,-)tag('t')tag(-)}\n");
  EXPECT_EQ(WarningsOf(data),
            "courses/@n: not named in the policy, left out\n"
            "courses/other: not named in the policy, left out\n"
            "courses/text(): not named in the policy, left out\n"
            "gpa/@scale: not named in the policy, left out\n"
            "text(): not named in the policy, left out\n"
            "x: not named in the policy, left out\n"
            "y: not named in the policy, left out\n"
            "courses/course.text(): not named in the policy, left out (2 times)\n"
            "tag.b: not named in the policy, left out\n"
            "tag.lang: not named in the policy, left out\n");
}

TEST(Xml, ReadsEncodingsThatExpatKnows) {
  const std::string record =
      "<student id='1' name='' major='\xe9' gpa='' campus=''><courses/><tag>t</tag><address "
      "city=''/></student>";
  for (const std::string encoding : {"ISO-8859-1", "iso-8859-1"}) {
    const auto data =
        Read(XmlPolicy(), "<?xml version='1.0' encoding='" + encoding + "'?>" + Students(record));
    ASSERT_TRUE(data.ok()) << ErrorOf(data);
    EXPECT_EQ(Describe(*data), "student('é',-,-){tag('t')address(-)}\n");
  }
  std::string wide = "\xff\xfe";
  for (const char c : Students(record)) wide += {c, '\0'};
  const auto data = Read(XmlPolicy(), wide);
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), "student('é',-,-){tag('t')address(-)}\n");
  const auto marked = Read(XmlPolicy(), "\xef\xbb\xbf" + Students(kFullXml));
  EXPECT_TRUE(marked.ok()) << ErrorOf(marked);
}

TEST(Xml, RejectsEncodingsThatAreUnknownOrNotWhatTheyAreSaidToBe) {
  EXPECT_EQ(XmlError("<?xml version='1.0' encoding='windows-1254'?><a/>"),
            "data: must be in UTF-8, UTF-16, ISO-8859-1 or US-ASCII, but declares another encoding "
            "[convert the file, for example with iconv, and correct the XML declaration]");
  EXPECT_EQ(
      SecondError("<student id='2'><gpa>a\xff</gpa></student>"),
      "data:3:23: must be XML, but a byte is not in the encoding of the file, UTF-8 if it declares "
      "none "
      "[say the encoding in the XML declaration, or convert the file, for example with iconv]");
  EXPECT_THAT(SecondError("<student id='2' major='\xc0\x80'/>"),
              HasSubstr("a byte is not in the encoding"));
  EXPECT_THAT(SecondError("<student id='2' major='\xed\xa0\x80'/>"),
              HasSubstr("a byte is not in the encoding"));
  EXPECT_THAT(XmlError("<?xml version='1.0' encoding='UTF-16'?><a/>"),
              HasSubstr("but declares another encoding"));
}

TEST(Xml, LocatesBrokenXml) {
  EXPECT_EQ(
      SecondError("<student id='2'>\n  <gpa>1</gap></student>"),
      "data:4:11: must be XML, but an end tag does not fit the element that is open [close every "
      "element that is opened]");
  EXPECT_THAT(SecondError("<student id='2' major='a<b'/>"),
              HasSubstr("3:25: must be XML, but a character may not"));
  EXPECT_THAT(SecondError("<student id='2' major='a&b'/>"),
              HasSubstr("must be XML, but a character may not"));
  EXPECT_THAT(SecondError("<student id='2' major=\"\x01\"/>"),
              HasSubstr("a character may not stand here"));
  EXPECT_THAT(SecondError("<student id='2'>&#0;</student>"),
              HasSubstr("3:17: must be XML, but reference to invalid character number"));
  EXPECT_THAT(SecondError("<student id='2'>&eacute;</student>"),
              HasSubstr("an entity is not defined [write"));
  EXPECT_THAT(SecondError("<student id='2' id='3'/>"),
              HasSubstr("must be XML, but duplicate attribute"));
  EXPECT_THAT(SecondError("<student id=2/>"), HasSubstr("must be XML, but a character may not"));
  EXPECT_EQ(XmlError("{\"id\":1}"),
            "data:1:1: must be XML, but it does not begin with an element [check that it is the "
            "right file, "
            "and input.format]");
  EXPECT_THAT(XmlError("\n<?xml version='1.0'?><a/>"),
              StartsWith("data:2:1: must be XML, but something stands before the XML declaration"));
}

TEST(Xml, RejectsWhatEndsTooEarlyWhereverItIsCut) {
  const std::string whole = "<?xml version='1.0'?>\n" + Students(kFullXml);
  for (size_t size = 1; size + 2 < whole.size(); ++size) {
    EXPECT_THAT(XmlError(whole.substr(0, size)),
                ::testing::AnyOf(
                    HasSubstr("must be XML, but it ends too early [the file may be cut off]"),
                    HasSubstr("must be XML, but syntax error"), HasSubstr("must hold records")))
        << size;
  }
  EXPECT_THAT(XmlError(whole.substr(0, whole.size() / 2)), HasSubstr("it ends too early"));
}

TEST(Xml, RejectsWhatFollowsTheDocument) {
  const std::string whole = Students(kFullXml);
  EXPECT_THAT(XmlError(whole + "text"),
              HasSubstr("4:1: must be XML, but something follows its end"));
  EXPECT_THAT(XmlError(whole + whole),
              HasSubstr("4:1: must be XML, but something follows its end"));
  EXPECT_THAT(XmlError(whole + "<?xml version='1.0'?>" + whole),
              HasSubstr("something follows its end"));
  EXPECT_EQ(XmlError(whole + "<!-- fine --> <?fine?>\n"), "no error");
}

TEST(Xml, RejectsEveryDocumentTypeDeclaration) {
  const std::string hint = " [remove <!DOCTYPE ...>, and write out the entities that it declares]";
  for (const char* doctype :
       {"<!DOCTYPE students>", "<!DOCTYPE students SYSTEM 'file:///etc/passwd'>",
        "<!DOCTYPE students PUBLIC 'p' 'http://example.com/x.dtd'>",
        "<!DOCTYPE students [<!ENTITY a 'b'>]>",
        "<!DOCTYPE students [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>",
        "<!DOCTYPE students [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]>",
        "<!DOCTYPE students [<!ATTLIST student major CDATA 'CS'>]>",
        "<!DOCTYPE students [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'><!ENTITY c '&b;&b;'>]>"}) {
    EXPECT_EQ(XmlError(doctype + Students("<student id='&c;'>&a;</student>")),
              "data:1: must have no document type declaration, but has one" + hint)
        << doctype;
  }
}

TEST(Xml, RejectsDeepNestingWithoutCrashing) {
  const auto nested = [](size_t depth) {
    std::string text = "<student id='2'>";
    for (size_t i = 0; i < depth; ++i) text += "<a>";
    for (size_t i = 0; i < depth; ++i) text += "</a>";
    return text + "</student>";
  };
  EXPECT_EQ(SecondError(nested(998)), "no error");
  for (const size_t depth : {size_t{999}, size_t{100000}}) {
    EXPECT_THAT(SecondError(nested(depth)),
                HasSubstr("must be XML, but it is nested more than 1,000 levels deep"));
  }
}

TEST(Xml, RejectsDataWithoutRecords) {
  for (const char* empty :
       {"", "\n \r\n", "<!-- nothing -->", "<students/>", "<students>text</students>"}) {
    EXPECT_EQ(XmlError(empty),
              "data: must hold records, but holds no records [check that it is the right file]")
        << empty;
  }
}

TEST(Xml, RejectsAPathThatIsNotInTheDocument) {
  Policy policy = XmlPolicy();
  policy.input.at = "school/students/student";
  EXPECT_EQ(ErrorOf(Read(policy, "<school><a/><student/><studens><student/></studens></school>")),
            "data: school/students: the element that input.at names must be in the document, but "
            "is not [did "
            "you mean studens?]");
  EXPECT_EQ(ErrorOf(Read(policy, "<school><students><teacher/></students><students/></school>")),
            "data: school/students/student: the element that input.at names must be in the "
            "document, but is "
            "not [say in input.at which elements lead to the records]");
  EXPECT_THAT(ErrorOf(Read(policy, "<shool/>")),
              HasSubstr("data: school: the element that input.at names"));
  EXPECT_THAT(ErrorOf(Read(policy, "")), HasSubstr("must hold records"));
}

TEST(Xml, RejectsRecordsOfTwoNamesWhereThePolicyDoesNotSayWhichAreMeant) {
  EXPECT_EQ(SecondError("<teacher/>"),
            "data:3: all elements below students must be records and have one name, but here is "
            "teacher after "
            "student [say in input.at which elements lead to the records]");
}

TEST(Xml, RejectsPathsOfThePolicyThatCannotBe) {
  Policy policy = XmlPolicy();
  for (const char* at : {"student", "/student", "students/", "a//b", "/"}) {
    policy.input.at = at;
    const auto data = Read(policy, Students(kFullXml));
    ASSERT_FALSE(data.ok());
    EXPECT_EQ(data.error().code, ErrorCode::kUsage);
    EXPECT_THAT(ErrorOf(data), HasSubstr("must lead from the document's element to the records"))
        << at;
  }
  const auto error_at = [](ClassId id, const std::string& at) {
    const auto data =
        Read(WithSchema(XmlPolicy(), [&](Schema& schema) { schema.classes[id].at = at; }), "");
    return data.error().code == ErrorCode::kUsage ? ErrorOf(data) : "not usage";
  };
  for (const char* at : {"/course", "courses/", "a//b", "/"}) {
    EXPECT_THAT(error_at(1, at),
                HasSubstr("must be the names of elements with slashes between them"))
        << at;
  }
  EXPECT_THAT(error_at(3, "courses"),
              HasSubstr("tag: at: courses: an element must be a vertex or stand around "
                        "vertices, but courses is both"));
  EXPECT_THAT(error_at(4, "tag/address"), HasSubstr("but tag is both"));
  EXPECT_THAT(error_at(1, "gpa/course"),
              HasSubstr("must begin with an element of its own, but gpa is an attribute"));
  EXPECT_THAT(error_at(1, "name/course"), HasSubstr("but name is an attribute"));
}

TEST(Xml, LetsClassesShareTheElementAroundThem) {
  const Policy policy = WithSchema(XmlPolicy(), [](Schema& schema) {
    schema.classes[3].at = "courses/tag";
    schema.classes[4].at = "courses/where/address";
  });
  const auto data = Read(
      policy,
      Students("<student id='1' major='' gpa='' campus='' name=''><courses><tag>a</tag><course "
               "code='c' grade=''><book title='t'/></course><where><address city='x'/>"
               "</where><tag>b</tag></courses></student>"));
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data),
            "student(-,-,-){course('c',-){book('t')}tag('a')tag('b')address('x')}\n");
}

TEST(Xml, RejectsAValueThatOccursTwice) {
  const std::string hint = " [remove one of the two, or describe it under children]";
  EXPECT_EQ(
      SecondError(
          "<student "
          "id='2'><courses><course/><course><grade>1</grade><grade/></course></courses></student>"),
      "data:3: courses/course[1].grade: a value must occur once, but occurs twice" + hint);
  EXPECT_EQ(SecondError("<student id='2' gpa='1'/>"),
            "data:3: gpa: must be an element as before, but is an attribute [write it in the same "
            "way everywhere]");
  EXPECT_EQ(SecondError("<student id='2'><id>2</id></student>"),
            "data:3: id: a value must occur once, but occurs twice" + hint);
  EXPECT_EQ(SecondError("<student id='2'><name>a</name><name>b</name><x/><x/></student>"),
            "no error");
}

TEST(Xml, RejectsAValueThatIsAnAttributeHereAndAnElementThere) {
  EXPECT_EQ(
      SecondError("<student id='2'><major>CS</major></student>"),
      "data:3: major: must be an attribute as before, but is an element [write it in the same way "
      "everywhere]");
  EXPECT_EQ(SecondError("<student><id>2</id><name>x</name></student>"), "no error");
}

TEST(Xml, RejectsElementsWhereAPlainValueIsDue) {
  const std::string hint = " [describe it under children, or take it out of the policy]";
  EXPECT_EQ(SecondError("<student id='2'><gpa>1<b>2</b></gpa></student>"),
            "data:3: gpa: must be a plain value, but has elements" + hint);
  EXPECT_EQ(SecondError("<student><id><b>2</b></id></student>"),
            "data:3: id: must be a plain value, but has elements" + hint);
  EXPECT_EQ(SecondError("<student id='2'><name><first>a</first></name></student>"), "no error");
  EXPECT_THAT(SecondError("<student id='2' tag='t'/>"),
              StartsWith("data:3: tag: must be an element, as at says, but is an attribute"));
}

TEST(Xml, RejectsAClassOfTextsAndOfValuesWithNames) {
  const std::string hint = " [write it in the same way everywhere]";
  EXPECT_EQ(SecondError("<student id='2'><tag>a</tag><tag tag='b'/></student>"),
            "data:3: tag[1]: must have only text like others of its class, but has attributes or "
            "elements" +
                hint);
  EXPECT_EQ(SecondError("<student id='2'><address>a</address></student>"),
            "data:3: address[0]: must have attributes or elements like others of its class, but "
            "has only text" +
                hint);
  EXPECT_EQ(SecondError("<student id='2'><address/><tag/></student>"), "no error");
}

TEST(Xml, RejectsNamespacesThatAreNotAlike) {
  EXPECT_THAT(SecondError("<student id='2' xmlns='urn:a'/>"),
              HasSubstr("3: every element student must declare"));
  EXPECT_THAT(SecondError("<student id='2'><courses xmlns:a='urn:a'/></student>"),
              HasSubstr("every element courses"));
  EXPECT_THAT(SecondError("<student id='2'><tag xmlns:a='urn:a'/></student>"),
              HasSubstr("every element tag"));
  EXPECT_EQ(XmlError("<students>" + std::string("<student id='1' xmlns:a='1' xmlns:b='2'/>") +
                     "<student id='2' xmlns:b='2' xmlns:a='1'/></students>")
                .find("namespaces"),
            std::string::npos);
}

TEST(Xml, RejectsAMissingIdentifierAndTwoThatAreOne) {
  EXPECT_THAT(SecondError("<student major='CS'/>"),
              StartsWith("data:3: id: every record must have its identifier"));
  EXPECT_THAT(SecondError("<student id=''/>"),
              StartsWith("data:3: id: every record must have its identifier"));
  EXPECT_EQ(SecondError("<student><id> 1 </id></student>"),
            "data:3: id: every record must have an identifier of its own, but this one is also "
            "that of line 2 [each "
            "person must have one record; merge them first]");
}

TEST(Xml, RejectsNamesOfThePolicyThatNeverOccur) {
  const auto without = [](const std::string& name, const std::string& other) {
    std::string text = kFullXml;
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      text.replace(at, name.size(), other);
    }
    return XmlError(Students(text));
  };
  EXPECT_EQ(without("campus", "kampus"),
            "data: campus: every attribute of the policy must occur in the data, but this one does "
            "not [did you mean kampus?]");
  EXPECT_EQ(without("courses", "course"),
            "data: courses/course: every class of the policy must occur in the data, but this one "
            "does not [correct the name in the policy, or take it out]");
  EXPECT_EQ(XmlError(Students(
                "<student id='1' name='' major='' gpa='' "
                "campus=''><courses><kourse/></courses><tag>t</tag><address city=''/></student>")),
            "data: courses/course: every class of the policy must occur in the data, but this one "
            "does not [did you mean courses/kourse?]");
  EXPECT_EQ(XmlError(Students("<student id='1' name='' major='' gpa='' "
                              "campus=''><courses/><tag>t</tag><address city=''/></student>")),
            "no error");
}

TEST(Xml, RejectsPublishedDataWithIdentifiersOrDroppedValues) {
  const auto published = [](const std::string& record) {
    const auto data = Read(XmlPolicy(), Students(record), ReadAs::kPublished);
    return data.ok() || data.error().code == ErrorCode::kPromise ? ErrorOf(data) : "another error";
  };
  EXPECT_THAT(published("<student id='7'/>"),
              HasSubstr("data:2: id: published data must not hold an identifier"));
  EXPECT_THAT(published("<student><id>7</id></student>"), HasSubstr("must not hold an identifier"));
  for (const char* record :
       {"<student name='a'/>", "<student><name>a</name></student>",
        "<student><name><first/></name></student>", "<student><name lang='en'/></student>"}) {
    EXPECT_THAT(published(record), HasSubstr("must not hold a dropped attribute")) << record;
  }
  EXPECT_EQ(published("<student major='x' _class='3'/><student name='' id=''/>"), "no error");
}

TEST(Xml, ReadsTagsAndTextsThatAreLongerThanAPiece) {
  const std::string text(3 << 20, 'y');
  const auto data =
      Read(XmlPolicy(), Students(kFullXml + "<student id='2' major='" + text + "'><gpa>" + text +
                                 "</gpa><!--" + text + "--></student><student id='3'/>"));
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data),
            kFullXmlText + "student('" + text + "','" + text + "',-)\nstudent(-,-,-)\n");
}

TEST(Xml, StopsWhenTheUserWantsTo) {
  Progress progress;
  progress.Cancel();
  const auto data =
      ReadDatasetText(XmlPolicy(), Students(kFullXml), "data", ReadAs::kOriginal, progress);
  ASSERT_FALSE(data.ok());
  EXPECT_EQ(data.error().code, ErrorCode::kInterrupted);
}

TEST(XmlNames, AreThoseThatExpatReads) {
  for (const char* good : {"a", "_a", "a-b.c1", "x:y", "é", "Ağ"})
    EXPECT_TRUE(IsXmlName(good)) << good;
  for (const char* bad :
       {"", "1a", "-a", "a b", "a/b", "a>", "text()", "\xff", "a=\"1\"", "!--", "a/><b"}) {
    EXPECT_FALSE(IsXmlName(bad)) << bad;
  }
}

}  // namespace
}  // namespace thicket::xml_reader_test
