// The policy of test_policy.h for XML: wrapped, repeated, plain and single elements.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "io/test_policy.h"

namespace thicket::testing {

// student(id, name; major | gpa | campus) with courses/course(code | grade) with book(title), tag(tag) and
// address(city).
inline Policy XmlPolicy() {
  Policy policy = StudentPolicy(Format::kXml);
  Schema schema = *policy.schema;
  schema.classes[1].at = "courses/course";
  schema.classes[2].at = "book";
  schema.classes[3].at = "tag";
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

// The policy with something else about its schema.
template <typename Change>
Policy WithSchema(Policy policy, Change change) {
  Schema schema = *policy.schema;
  change(schema);
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

// A record with every name of the policy, and one more.
inline const std::string kFullXml =
    R"(<student id="1" name="x" major="CS"><gpa>3.50</gpa><campus>north</campus><courses><course code="CS1">)"
    R"(<grade>A</grade><book title="b"/></course></courses><tag>t</tag><address city="c"/></student>)"
    "\n";
inline const std::string kFullXmlText =
    "student('CS','3.50','north'){course('CS1','A'){book('b')}tag('t')address('c')}\n";

inline std::string Students(const std::string& records) {
  return "<students>\n" + records + "</students>\n";
}

}  // namespace thicket::testing
