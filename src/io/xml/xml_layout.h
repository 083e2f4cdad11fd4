// Which elements stand where in a record, from the names of the policy alone.
//
// A class's `at` is a path: "courses/course" is an element <course> for each vertex, in an element <courses> around them.
// Classes whose paths begin alike share the elements around them. So may an attribute's name lead through elements:
// "code/displayName" is the attribute displayName of the element <code>, and of several such elements the first counts. The layout is
// the tree of all these elements; number 0 is the record's own. Reader and writer walk the same tree. Where classes are told by values
// (VertexClass::where), each has an element of its own, and these have the same name.
//
// In k^(m,n)-anonymous data a vertex may also stand below an ancestor of its class's parent, at the end of the same path:
// the layout then has its element in several places. Elements around it are further ones, with numbers after all others.
//
//   THICKET_ASSIGN(XmlLayout layout, XmlLayout::Of(schema));
//   for (uint32_t child : layout.elements[0].children) ... layout.elements[child].name ...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "record/schema.h"

namespace thicket {

// The attribute that is an element's own text.
inline constexpr std::string_view kXmlText = "text()";

// A name of the policy that stands in an element: an attribute, an element with text, or the element's text.
struct XmlLayoutValue {
  static constexpr size_t kNone = ~size_t{0};
  // In the element, and as the policy writes it.
  std::string name;
  std::string path;
  // What it is of the class: the slot, or its number in VertexClass::where; both kNone for what is not published.
  size_t slot = kNone;
  size_t where = kNone;
};

struct XmlLayoutElement {
  // Empty for the record's, which the policy or the data names.
  std::string name;
  // Whether it is a vertex of class `id`, or stands around vertices, below a vertex of class `id`.
  bool is_vertex = false;
  ClassId id = 0;
  // Below the vertex of class `id`: "courses/"; empty for a vertex.
  std::string path;
  std::vector<XmlLayoutValue> values = {};
  // Whether vertices stand in it, at any depth; not of a vertex.
  bool around_vertices = false;
  // In the order of the schema, those of moved vertices last.
  std::vector<uint32_t> children = {};
  // Around moved vertices only: the element that stands around them in their usual place. Otherwise its own number.
  uint32_t usual = 0;
};

struct XmlLayout {
  std::vector<XmlLayoutElement> elements;

  // Fails with kUsage where a path has an empty step, or where an element would have two meanings.
  static Result<XmlLayout> Of(const Schema& schema, bool moved = false);
};

// Where the form of a value stands in XmlShape::values of its class: slots first, then the values of `where`; kNone if it is not
// published.
inline size_t PlaceOfValue(const VertexClass& type, const XmlLayoutValue& value) {
  return value.where == XmlLayoutValue::kNone ? value.slot : type.value_count() + value.where;
}

// The steps of a path, "a/b/c"; one slash may lead.
std::vector<std::string> SplitXmlPath(std::string_view path);

// The element names that `input.at` leads through, the record's last; empty if it says nothing.
Result<std::vector<std::string>> XmlRecordPath(std::string_view at);

}  // namespace thicket
