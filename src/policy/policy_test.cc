#include "policy/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "policy/policy_test.h"
#include "policy/policy_writer.h"

namespace thicket::policy_test {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kStudents = R"(version: 1
input:
  format: jsonl
  path: students.jsonl
record:
  class: student
  id: student_id
  drop: [name, email]
  keep: [campus]
  quasi:
    major:      {taxonomy: taxonomies/major.csv}
    birth_year: {ranges: [5, 10, 20]}
  sensitive:
    gpa: {buckets: [0, 0.5, 1, 4]}
  children:
    - class: course
      at: courses
      quasi: {code: {taxonomy: taxonomies/course.csv, unknown: generalize}}
      sensitive: {grade: {once: [F]}}
      children:
        - class: book
          at: books
          quasi: {title: {mask: 2}}
    - class: stay
      at: stays
      quasi:
        since: {date: [month, year]}
        rent: {numeric: true}
privacy:
  k: 3
  l: 2
method:
  name: clustree
  mapping: greedy
  passes: off
)";

TEST(Policy, ReadsEveryPartOfTheExample) {
  const Policy policy = Parse(kStudents);
  EXPECT_EQ(policy.input.format, Format::kJsonl);
  EXPECT_EQ(policy.input.path, "students.jsonl");
  EXPECT_EQ(policy.privacy.k, 3);
  EXPECT_EQ(policy.privacy.l, 2);
  EXPECT_EQ(policy.privacy.model_name(), "l-diversity");
  EXPECT_EQ(policy.method.mapping, "greedy");
  EXPECT_FALSE(policy.method.passes);
  EXPECT_EQ(policy.method.s, 0.5);

  ASSERT_EQ(policy.schema->classes.size(), 4U);
  const VertexClass& student = policy.schema->classes[0];
  EXPECT_EQ(student.name, "student");
  EXPECT_EQ(student.id, "student_id");
  EXPECT_THAT(student.drop, ElementsAre("name", "email"));
  EXPECT_THAT(student.keep, ElementsAre("campus"));
  ASSERT_EQ(student.quasi.size(), 2U);
  EXPECT_EQ(student.quasi[0].recoding.file, "taxonomies/major.csv");
  EXPECT_EQ(student.quasi[0].recoding.unknown, UnknownValues::kError);
  EXPECT_THAT(student.quasi[1].recoding.widths, ElementsAre(5, 10, 20));
  EXPECT_THAT(student.sensitive[0].buckets, ElementsAre(0, 0.5, 1, 4));
  EXPECT_THAT(policy.schema->classes[1].sensitive[0].once, ElementsAre("F"));
  EXPECT_EQ(policy.schema->classes[1].quasi[0].recoding.unknown, UnknownValues::kGeneralize);
  EXPECT_EQ(policy.schema->classes[2].quasi[0].recoding.mask, 2);
  EXPECT_THAT(policy.schema->classes[3].quasi[0].recoding.units,
              ElementsAre(DateUnit::kMonth, DateUnit::kYear));
  EXPECT_EQ(policy.schema->classes[3].quasi[1].recoding.kind, Recoding::Kind::kNumeric);
}

TEST(Policy, NumbersClassesInPreorder) {
  const Policy policy = Parse(kStudents);
  const auto& classes = policy.schema->classes;
  EXPECT_THAT(classes[0].children, ElementsAre(1, 3));
  EXPECT_THAT(classes[1].children, ElementsAre(2));
  EXPECT_EQ(classes[2].parent, 1);
  EXPECT_EQ(classes[3].parent, 0);
  EXPECT_EQ(policy.schema->PathOf(2), "courses.books");
}

TEST(Policy, ResolvesPathsFromItsOwnDirectory) {
  const Policy policy = Parse(kStudents);
  EXPECT_EQ(policy.Resolve("students.jsonl"), "dir/students.jsonl");
  EXPECT_EQ(policy.Resolve("/data/x.csv"), "/data/x.csv");
  EXPECT_EQ(policy.Resolve("-"), "-");
  EXPECT_EQ(policy.Resolve(""), "");
}

TEST(Policy, TheMethodOfATableFollowsFromThePromiseAndTheKeys) {
  const auto name = [](const std::string& method) {
    return Parse(Small(kZip) + method).method.name;
  };
  EXPECT_EQ(name(""), "agglomerate");
  EXPECT_EQ(name("method: {refine: on, mapping: greedy}\n"), "agglomerate");
  EXPECT_EQ(name("method: {passes: off}\n"), "clustree");
  EXPECT_EQ(name("method: {refine: on, leftovers: suppress}\n"), "clustree");
  EXPECT_EQ(name("method: {name: clustree}\n"), "clustree");
}

TEST(Policy, TakesTheDefaultsOfTheDocumentation) {
  const Policy policy = Parse(Small(kZip));
  EXPECT_EQ(policy.input.format, Format::kJsonl);
  EXPECT_EQ(policy.input.path, "");
  EXPECT_EQ(policy.method.name, "agglomerate");
  EXPECT_EQ(policy.method.mapping, "lsap");
  EXPECT_TRUE(policy.method.passes);
  EXPECT_EQ(policy.method.m, 4);
  EXPECT_EQ(policy.method.cost, "weighted");
  EXPECT_EQ(policy.method.leftovers, "absorb");
  EXPECT_EQ(policy.privacy.model_name(), "k-anonymity");
}

TEST(Policy, RejectsAnUnknownKeyAndSuggestsTheNearest) {
  const Error near = ErrorOf(Small("  quais: {zip: {mask: 2}}\n"));
  EXPECT_EQ(near.message, "policy.yaml:4: record.quais must be a known key, but is not");
  EXPECT_EQ(near.hint, "did you mean 'quasi'?");
  const Error far = ErrorOf(Small(kZip) + "banana: 1\n");
  EXPECT_EQ(far.message, "policy.yaml:6: banana must be a known key, but is not");
  EXPECT_EQ(far.hint, "use version, input, record, privacy or method");
  EXPECT_THAT(MessageOf("  quasi: {zip: {mas: 2}}\n"), HasSubstr("record.quasi.zip.mas"));
  EXPECT_THAT(MessageOf(std::string(kZip) + "  sensitive: {d: {bucket: [1, 2]}}\n"),
              HasSubstr("record.sensitive.d.bucket"));
}

TEST(Policy, RejectsKAndLBelowTwo) {
  EXPECT_EQ(MessageOf(kZip, "privacy:\n  k: 1\n"),
            "policy.yaml:6: privacy.k must be at least 2, but is 1");
  EXPECT_EQ(MessageOf(kZip, "privacy:\n  l: 1\n"),
            "policy.yaml:6: privacy.l must be at least 2, but is 1");
  EXPECT_THAT(MessageOf(kZip, "privacy: {k: -3}\n"), EndsWith("must be at least 2, but is -3"));
  for (const char* bad : {"2.5", "many", "[2]", "", "99999999999", "3x"}) {
    const Error error = ErrorOf(Small(kZip, "privacy: {k: " + std::string(bad) + "}\n"));
    EXPECT_THAT(error.message, HasSubstr("privacy.k must be a whole number of at least 2")) << bad;
    EXPECT_EQ(error.hint, "write a whole number, such as 2");
  }
}

TEST(Policy, RejectsPrivacyWithoutKAndL) {
  EXPECT_EQ(MessageOf(kZip, "privacy: {}\n"),
            "policy.yaml:5: privacy must have k or l, but has neither");
  EXPECT_THAT(MessageOf(kZip, ""), HasSubstr("must have the section privacy"));
}

TEST(Policy, RejectsLWithoutSensitiveAttributes) {
  EXPECT_THAT(MessageOf(kZip, "privacy: {l: 2}\n"),
              HasSubstr("privacy.l must have sensitive attributes to protect"));
  Parse(Small(std::string(kZip) + "  sensitive: {disease: }\n", "privacy: {k: 2}\n"));
}

TEST(Policy, RejectsAModelThatDoesNotFitTheKeys) {
  const std::string record = std::string(kZip) + "  sensitive: {disease: {}}\n";
  Parse(Small(record, "privacy: {k: 2, model: k-anonymity}\n"));
  Parse(Small(record, "privacy: {k: 2, l: 2, model: l-diversity}\n"));
  EXPECT_THAT(MessageOf(record, "privacy: {l: 2, model: k-anonymity}\n"),
              HasSubstr("privacy.model must fit the keys"));
  EXPECT_THAT(MessageOf(record, "privacy: {k: 2, model: l-diversity}\n"),
              HasSubstr("privacy.model must fit the keys"));
  EXPECT_THAT(MessageOf(record, "privacy: {k: 2, model: l+-diversity}\n"),
              HasSubstr("privacy.model must fit the keys"));
  EXPECT_THAT(MessageOf(record, "privacy: {k: 2, model: vocabulary k-anonymity}\n"),
              HasSubstr("record must be bags for vocabulary k-anonymity, but is not"));
}

TEST(Policy, CombinationsAreProtectedFromKAndMAndN) {
  const Policy policy = Parse(Small(kZip, "privacy: {k: 5, m: 3, n: 2}\n"));
  EXPECT_EQ(policy.privacy.model_name(), "k^(m,n)-anonymity");
  EXPECT_EQ(policy.method.name, "gcs");
  EXPECT_EQ(policy.method.g, 2);
  EXPECT_FALSE(policy.privacy.negative);
  EXPECT_TRUE(Parse(Small(kZip, "privacy: {k: 5, m: 2, n: 0, negative: true}\n")).privacy.negative);
  const auto message = [](const std::string& privacy) {
    return MessageOf(kZip, "privacy: " + privacy + "\n");
  };
  EXPECT_THAT(message("{k: 2, m: 2}"), HasSubstr("privacy.m must stand beside k, m and n"));
  EXPECT_THAT(message("{m: 2, n: 1}"),
              HasSubstr("privacy.m must stand beside k, but there is none"));
  EXPECT_THAT(message("{k: 2, m: 2, n: 2}"),
              HasSubstr("privacy.n must be at most 1, the pairs of m = 2 labels, but is 2"));
  EXPECT_THAT(message("{k: 2, negative: true}"), HasSubstr("privacy.negative must stand beside"));
  EXPECT_THAT(message("{k: 2, m: 9, n: 0}"), HasSubstr("privacy.m must be at most 8, but is 9"));
}

TEST(Policy, TransactionsAreSetsAndNothingElse) {
  const auto of = [](const std::string& record, const std::string& children) {
    return Small(record + "  children:\n" + children) + "input: {format: transactions}\n";
  };
  const std::string items = "    - {class: item, at: items, quasi: {item: {mask: 1}}}\n";
  EXPECT_EQ(Parse(of("", items)).input.format, Format::kTransactions);
  Parse(of("", "    - {class: item, at: items, sensitive: {item: {}}}\n"));
  const std::string absent = " must be absent for format transactions, but is there";
  EXPECT_EQ(ErrorOf(of("  id: a\n", items)).message, "policy.yaml:4: record.id" + absent);
  EXPECT_EQ(ErrorOf(of("  drop: [a]\n", items)).message, "policy.yaml:4: record.drop" + absent);
  EXPECT_EQ(ErrorOf(of("  keep: [a]\n", items)).message, "policy.yaml:4: record.keep" + absent);
  EXPECT_EQ(ErrorOf(of("  quasi: {a: {mask: 1}}\n", items)).message,
            "policy.yaml:4: record.quasi" + absent);
  EXPECT_EQ(ErrorOf(of("", items + "    - {class: b, at: b, quasi: {b: {mask: 1}}}\n")).message,
            "policy.yaml:2: record must have exactly one class below it for format transactions, "
            "but has 2");
  EXPECT_EQ(ErrorOf(of("",
                       "    - {class: a, at: a, quasi: {a: {mask: 1}}, children: [{class: b, "
                       "at: b, quasi: {b: {mask: 1}}}]}\n"))
                .message,
            "policy.yaml:5: record.children[0].children" + absent);
  EXPECT_EQ(ErrorOf(of("", "    - {class: a, at: a, keep: [b]}\n")).message,
            "policy.yaml:5: record.children[0].keep" + absent);
  const Error two =
      ErrorOf(of("", "    - {class: a, at: a, quasi: {a: {mask: 1}}, sensitive: {b: {}}}\n"));
  EXPECT_EQ(two.message,
            "policy.yaml:5: record.children[0] must have exactly one attribute for format "
            "transactions, but has 2");
  EXPECT_THAT(two.hint, StartsWith("a line is a set: "));
}

TEST(Policy, RejectsWordsThatNobodyKnows) {
  const Error format = ErrorOf(Small(kZip) + "input: {format: jsnl}\n");
  EXPECT_EQ(format.message,
            "policy.yaml:6: input.format must be jsonl, json, csv, xml, tables, transactions, "
            "querylog, sqlite or postgresql, but is jsnl");
  EXPECT_EQ(format.hint, "did you mean 'jsonl'?");
  EXPECT_THAT(ErrorOf(Small(kZip) + "method: {name: magic}\n").message,
              HasSubstr("method.name must be clustree, "));
  EXPECT_THAT(ErrorOf(Small(kZip) + "method: {mapping: best}\n").message,
              EndsWith("must be lsap, greedy or labels, but is best"));
  const Error passes = ErrorOf(Small(kZip) + "method: {passes: maybe}\n");
  EXPECT_THAT(passes.message, EndsWith("must be on or off, but is maybe"));
  EXPECT_EQ(passes.hint, "write on or off");
}

TEST(Policy, RejectsAQuasiIdentifierWithoutRecoding) {
  for (const char* zip : {"{}", "", "mask"}) {
    const Error error = ErrorOf(Small("  quasi:\n    zip: " + std::string(zip) + "\n"));
    EXPECT_EQ(error.message,
              "policy.yaml:5: record.quasi.zip must say how it is generalized, but does not");
    for (const char* recoding : {"taxonomy", "ranges", "numeric", "mask", "date"}) {
      EXPECT_THAT(error.hint, HasSubstr(recoding));
    }
  }
  EXPECT_THAT(MessageOf("  quasi: [zip]\n"), HasSubstr("record.quasi must be a mapping"));
  EXPECT_THAT(MessageOf("  quasi: {zip: {mask: 2, numeric: true}}\n"),
              HasSubstr("must have one recoding, but has mask and numeric"));
}

TEST(Policy, RejectsRangesThatDoNotNest) {
  const auto message = [](const std::string& widths) {
    return MessageOf("  quasi: {age: {ranges: " + widths + "}}\n");
  };
  EXPECT_EQ(message("[0, 5]"),
            "policy.yaml:4: record.quasi.age.ranges must hold positive widths, but one is 0");
  EXPECT_THAT(message("[10, 5]"), EndsWith("must ascend, but 5 comes after 10"));
  EXPECT_THAT(message("[5, 5]"), EndsWith("must ascend, but 5 comes after 5"));
  EXPECT_THAT(message("[5, 12]"), EndsWith("must nest, but 12 is not a multiple of 5"));
  EXPECT_THAT(message("[]"), HasSubstr("must be a list of numbers"));
  EXPECT_THAT(message("5"), HasSubstr("must be a list of numbers"));
  EXPECT_THAT(message("[a]"), HasSubstr("ranges[0] must be a number, but is a"));
  Parse(Small("  quasi: {age: {ranges: [0.1, 0.3, 3]}}\n"));
}

TEST(Policy, RejectsDateUnitsThatDoNotAscend) {
  const auto message = [](const std::string& units) {
    return MessageOf("  quasi: {born: {date: " + units + "}}\n");
  };
  EXPECT_THAT(message("[year, month]"), EndsWith("must ascend, but month comes after year"));
  EXPECT_THAT(message("[year, year]"), HasSubstr("must ascend"));
  EXPECT_THAT(message("[week]"), HasSubstr("must be day, month, quarter, year or decade"));
  EXPECT_THAT(message("[]"), EndsWith("must have at least one unit, but has none"));
}

TEST(Policy, RejectsOtherBadRecodings) {
  EXPECT_THAT(MessageOf("  quasi: {zip: {mask: 0}}\n"), EndsWith("must be at least 1, but is 0"));
  EXPECT_THAT(MessageOf("  quasi: {zip: {mask: 1000}}\n"), HasSubstr("must be at most 100"));
  EXPECT_THAT(MessageOf("  quasi: {age: {numeric: false}}\n"),
              EndsWith("must be true, but is not"));
  EXPECT_THAT(MessageOf("  quasi: {zip: {taxonomy: }}\n"), HasSubstr("must be a text"));
  EXPECT_THAT(MessageOf("  quasi: {zip: {taxonomy: t.csv, unknown: ignore}}\n"),
              EndsWith("must be error, generalize or missing, but is ignore"));
}

TEST(Policy, ReadsAnywhereAndWritesItAgain) {
  const std::string text = Small(std::string(kZip) + "  sensitive: {disease: {anywhere: on}}\n",
                                 "privacy: {k: 4, l: 2}\n");
  EXPECT_TRUE(Parse(text).schema->classes[0].sensitive[0].anywhere);
  EXPECT_THAT(FormatPolicy(Parse(text)), HasSubstr("disease: {anywhere: on}"));
  EXPECT_TRUE(Parse(FormatPolicy(Parse(text))).schema->classes[0].sensitive[0].anywhere);
}

TEST(Policy, RejectsBadBucketsAndOnce) {
  const auto message = [](const std::string& options) {
    return MessageOf(std::string(kZip) + "  sensitive: {pay: {" + options + "}}\n");
  };
  EXPECT_THAT(message("buckets: [1]"), HasSubstr("must have at least 2 bounds"));
  EXPECT_THAT(message("buckets: [2, 1]"), EndsWith("must ascend, but 1 comes after 2"));
  EXPECT_THAT(message("buckets: [1, 1]"), HasSubstr("must ascend"));
  EXPECT_THAT(message("buckets: 3"), HasSubstr("must be a list of numbers"));
  EXPECT_THAT(message("once: []"), EndsWith("must have at least one value, but has none"));
  EXPECT_THAT(message("once: a"), EndsWith("must be a list of values, but is not"));
  EXPECT_THAT(message("levels: [1]"), HasSubstr("must be a mapping"));
}

TEST(Policy, NeverQuotesASensitiveValue) {
  const Error error =
      ErrorOf(Small(std::string(kZip) + "  sensitive: {disease: {once: plague}}\n"));
  EXPECT_THAT(error.message, Not(HasSubstr("plague")));
  EXPECT_THAT(error.hint, Not(HasSubstr("plague")));
}

TEST(Policy, RejectsAnAttributeWithTwoRoles) {
  EXPECT_EQ(
      MessageOf("  drop: [zip]\n  quasi: {zip: {mask: 2}}\n"),
      "policy.yaml:5: record.quasi.zip must have one role, but \"zip\" is both drop and quasi");
  EXPECT_THAT(MessageOf("  id: zip\n  keep: [zip]\n"), HasSubstr("both id and keep"));
  EXPECT_THAT(MessageOf(std::string(kZip) + "  sensitive: {zip: {}}\n"),
              HasSubstr("both quasi and sensitive"));
  EXPECT_THAT(MessageOf("  keep: [a, a]\n"), HasSubstr("must be named once"));
}

TEST(Policy, RejectsTheKeyOfWithClassAsAName) {
  const std::string child = "  children: [{class: c, at: ";
  for (const std::string& record :
       {std::string("  id: _class\n") + kZip, std::string("  drop: [_class]\n") + kZip,
        std::string("  keep: [_class]\n"), std::string("  quasi: {_class: {mask: 2}}\n"),
        kZip + std::string("  sensitive: {_class: {}}\n"), child + "_class, keep: [x]}]\n",
        child + "cs, keep: [_class]}]\n"}) {
    const Error error = ErrorOf(Small(record));
    EXPECT_THAT(
        error.message,
        EndsWith("must have another name, but \"_class\" is the key that --with-class adds"))
        << record;
    EXPECT_EQ(error.hint, "rename it in the data, or take it out of the policy");
  }
}

TEST(Policy, GivesTheNextStepWhateverIsWrong) {
  const std::string quasi = std::string(kZip);
  for (const std::string& text :
       {Small("  quasi: {zip: {taxonomy: }}\n"), Small("  quasi: {zip: {taxonomy: [a]}}\n"),
        Small("  quasi: {zip: {ranges: [a]}}\n"), Small("  quasi: {'': {mask: 1}}\n"),
        Small(quasi + "  sensitive: {d: {once: [[a]]}}\n"),
        Small(quasi) + "input: {format: [csv]}\n", Small(quasi) + "method: {m: x}\n",
        Small(quasi) + "input: {session_gap: 5}\n"}) {
    EXPECT_NE(ErrorOf(text).hint, "") << text;
  }
}

TEST(Policy, RejectsChildrenThatCannotBeToldApart) {
  const std::string child = "    - {class: c, at: cs, keep: [x]}\n";
  EXPECT_THAT(MessageOf("  children:\n" + child + "    - {class: d, at: cs, keep: [x]}\n"),
              HasSubstr("record.children[1].at must be named once, but \"cs\" is there twice"));
  EXPECT_THAT(MessageOf("  children:\n" + child + "    - {class: c, at: ds, keep: [x]}\n"),
              HasSubstr("record.children[1].class must be a name of its own"));
  EXPECT_THAT(MessageOf("  children: [{class: person, at: ds, keep: [x]}]\n"),
              HasSubstr("must be a name of its own, but record is called person too"));
  EXPECT_THAT(MessageOf("  keep: [cs]\n  children:\n" + child),
              HasSubstr("\"cs\" is both keep and at"));
}

TEST(Policy, RejectsIncompleteClasses) {
  EXPECT_THAT(ErrorOf("version: 1\nrecord: {keep: [a]}\nprivacy: {k: 2}\n").message,
              HasSubstr("record must have a class"));
  EXPECT_THAT(MessageOf(""), HasSubstr("record must have attributes or children"));
  EXPECT_THAT(MessageOf("  children: [{at: cs, keep: [x]}]\n"), HasSubstr("must have a class"));
  EXPECT_THAT(MessageOf("  children: [{class: c, keep: [x]}]\n"), HasSubstr("has no at"));
  EXPECT_THAT(MessageOf("  children: [{class: c, at: cs}]\n"), HasSubstr("must have attributes"));
  EXPECT_THAT(MessageOf("  children: [{class: c, at: cs, id: x}]\n"),
              HasSubstr("record.children[0].id must stand in record"));
  EXPECT_THAT(MessageOf("  children: [c]\n"), HasSubstr("record.children[0] must be a mapping"));
  EXPECT_THAT(MessageOf("  children: c\n"), HasSubstr("must be a list of classes"));
  EXPECT_THAT(MessageOf("  at: people\n"), HasSubstr("must stand in a child class"));
}

TEST(Policy, ReadsInputOptionsOfTheirFormatOnly) {
  EXPECT_EQ(Parse(Small(kZip) + "input: {format: json, at: data.people}\n").input.at,
            "data.people");
  EXPECT_EQ(Parse(Small(kZip) + "input: {format: csv, delimiter: ;}\n").input.delimiter, ';');
  EXPECT_EQ(Parse(Small(kZip) + "input: {format: csv, delimiter: tab}\n").input.delimiter, '\t');
  EXPECT_EQ(Parse(Small(kZip) + "input: {format: csv, delimiter: \"\\t\"}\n").input.delimiter,
            '\t');
  EXPECT_THAT(ErrorOf(Small(kZip) + "input: {format: jsonl, at: x}\n").message,
              HasSubstr("input.at must stand beside format: json"));
  EXPECT_THAT(ErrorOf(Small(kZip) + "input: {delimiter: ','}\n").message,
              HasSubstr("input.delimiter must stand beside format: csv"));
  EXPECT_THAT(ErrorOf(Small(kZip) + "input: {format: csv, delimiter: abc}\n").message,
              HasSubstr("must be one character"));
}

// A person table with one child table; `record`, `child` and `input` are flow YAML, added to what must be there.
std::string Joined(const std::string& record, const std::string& child,
                   const std::string& input = "") {
  return "version: 1\ninput: {format: tables" + input +
         "}\nrecord: {class: patient, table: patients" + record +
         ", children: [{class: visit, table: visits" + child + "}]}\nprivacy: {k: 2}\n";
}

TEST(Policy, ReadsJoinedTables) {
  const Policy policy =
      Parse(Joined(", key: ID, id: ID", ", parent: PATIENT, keep: [x]", ", orphans: drop"));
  EXPECT_EQ(policy.input.format, Format::kTables);
  EXPECT_TRUE(policy.input.drop_orphans);
  const VertexClass& patient = policy.schema->classes[0];
  EXPECT_EQ(patient.table, "patients");
  EXPECT_EQ(patient.key, "ID");
  EXPECT_EQ(patient.id, "ID");
  const VertexClass& visit = policy.schema->classes[1];
  EXPECT_EQ(visit.table, "visits");
  EXPECT_EQ(visit.at, "visits");
  EXPECT_EQ(visit.key, "");
  EXPECT_EQ(visit.parent_key, "PATIENT");
}

// Nergiz et al. 2008, section IV-A: each rule of the snowflake has a message of its own.
TEST(Policy, SaysWhichRuleOfTheSnowflakeIsBroken) {
  const auto message = [](const std::string& record, const std::string& child) {
    return ErrorOf(Joined(record, child)).message;
  };
  EXPECT_EQ(message(", key: ID, parent: CLINIC", ", parent: PATIENT, keep: [x]"),
            "policy.yaml:3: record.parent must be absent, but is there: the person table joins to "
            "no other");
  EXPECT_EQ(message(", key: ID", ", keep: [x]"),
            "policy.yaml:3: record.children[0] must join to the class above it, but has no parent");
  EXPECT_EQ(message(", key: ID", ", parent: [PATIENT, CLINIC], keep: [x]"),
            "policy.yaml:3: record.children[0].parent must have as many columns as the key of "
            "patient, which "
            "is 1, but has 2");
  EXPECT_EQ(message("", ", parent: PATIENT, keep: [x]"),
            "policy.yaml:3: record must have a key, since other tables join to it, but has none");
  EXPECT_EQ(message(", key: ID", ", parent: PATIENT, quasi: {PATIENT: {mask: 1}}"),
            "policy.yaml:3: record.children[0].quasi.PATIENT must not be a quasi-identifier, but "
            "is: it is the parent that tables are joined by");
  EXPECT_EQ(message(", key: ID, sensitive: {ID: {}}", ", parent: PATIENT, keep: [x]"),
            "policy.yaml:3: record.sensitive.ID must not be a sensitive attribute, but is: it is "
            "the key that tables are joined by");
  EXPECT_EQ(message(", key: ID", ", parent: PATIENT, keep: [PATIENT]"),
            "policy.yaml:3: record.children[0].keep[0] must have one role, but \"PATIENT\" is both "
            "parent and keep");
  EXPECT_EQ(message(", key: ID",
                    ", parent: P, keep: [x], key: K, children: [{class: c, table: "
                    "visits, parent: V, keep: [y]}]"),
            "policy.yaml:3: record.children[0].children[0].table must be a table of its own, but "
            "record.children[0] is visits too");
  EXPECT_EQ(message(", key: ID", ", at: visits, parent: P, keep: [x]"),
            "policy.yaml:3: record.children[0].at must be absent for format tables, but is there");
}

TEST(Policy, ReadsTheKeysOfAFormatBesideItOnly) {
  EXPECT_THAT(MessageOf("  table: people\n"),
              HasSubstr("record.table must stand beside format: tables, sqlite or postgresql, but "
                        "the format is jsonl"));
  EXPECT_THAT(ErrorOf(Small(kZip) + "input: {orphans: drop}\n").message,
              HasSubstr("input.orphans must stand beside format: tables, sqlite or postgresql"));
  EXPECT_THAT(ErrorOf(Small(kZip) + "input: {format: csv, schema: s}\n").message,
              HasSubstr("input.schema must stand beside format: postgresql"));
  EXPECT_THAT(ErrorOf(Small(kZip) + "input: {url: x}\n").message,
              HasSubstr("input.url must stand beside format: postgresql"));
  EXPECT_EQ(Parse(Small(kZip) + "input: {format: xml, at: a/b}\n").input.at, "a/b");
}

TEST(Policy, RefusesAPassword) {
  const auto policy = [](const std::string& input) {
    return Small("  table: people\n" + std::string(kZip)) + "input: {format: postgresql, " + input +
           "}\n";
  };
  EXPECT_EQ(Parse(policy("url: \"postgresql://ann@server:5433/clinic\"")).input.path,
            "postgresql://ann@server:5433/clinic");
  EXPECT_EQ(Parse(policy("path: host=server, schema: raw")).input.schema, "raw");
  for (const char* input :
       {"url: \"postgresql://ann:secret@server/clinic\"", "url: \"postgres://ann:@server\"",
        "path: \"host=server password=secret\"",
        "url: \"postgresql://server/x?password=secret\""}) {
    const Error error = ErrorOf(policy(input));
    EXPECT_THAT(error.message, HasSubstr("must not hold a password, but does")) << input;
    EXPECT_THAT(error.message, Not(HasSubstr("secret")));
  }
  EXPECT_THAT(ErrorOf(policy("path: a=b, url: c=d")).message, HasSubstr("must stand alone"));
}

TEST(Policy, IsTheSameAfterItWasWritten) {
  const std::string joined =
      Joined(", key: ID, id: ID, drop: [\"a b\", \"no\"]",
             ", parent: PATIENT, key: V, sensitive: {d: {once: [\"1\", x y]}}",
             ", path: \"my data\", orphans: drop, delimiter: tab");
  for (const std::string& text : {std::string(kStudents), joined}) {
    const std::string once = FormatPolicy(Parse(text));
    EXPECT_EQ(FormatPolicy(Parse(once)), once);
  }
  EXPECT_EQ(
      FormatPolicy(Parse(joined)),
      "version: 1\ninput:\n  format: tables\n  path: \"my data\"\n  delimiter: tab\n"
      "  orphans: drop\nrecord:\n  class: patient\n  table: patients\n  key: ID\n  id: ID\n"
      "  drop: [\"a b\", \"no\"]\n  children:\n    - class: visit\n      table: visits\n"
      "      key: V\n      parent: PATIENT\n      sensitive:\n"
      "        d: {once: [\"1\", \"x y\"]}\n"
      "privacy:\n  k: 2\nmethod:\n  name: agglomerate\n  mapping: lsap\n  neighbourhood: auto\n");
}

TEST(Policy, RejectsChildrenInACsvTable) {
  EXPECT_THAT(
      ErrorOf(Small("  children: [{class: c, at: cs, keep: [x]}]\n") + "input: {format: csv}\n")
          .message,
      HasSubstr("record.children must be absent for format csv"));
}

TEST(Policy, RequiresItsVersion) {
  EXPECT_THAT(ErrorOf("record: {class: a}\nprivacy: {k: 2}\n").message,
              HasSubstr("the policy must have a version"));
  EXPECT_THAT(ErrorOf("version: 2\n").message, EndsWith("version must be 1, but is 2"));
}

}  // namespace
}  // namespace thicket::policy_test
