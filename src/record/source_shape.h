// How the records stood in their source, beside the trees themselves: what a writer needs to publish them the same way.
//
// Only the readers and writers of io/ look inside. Nothing here holds a value of the data.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace thicket {

// A published column of a table.
struct TableColumn {
  enum class Role : uint8_t { kValue, kKey, kParent };
  Role role = Role::kValue;
  // kValue: the slot of the class.
  size_t slot = 0;
  // The type that a database declares for it; empty if it declares none.
  std::string type;
  // Long tables: its name, where it is a column of the class below; empty otherwise.
  std::string name = {};
};

// The table of a class, its published columns in the order of the source.
struct TableShape {
  std::vector<TableColumn> columns;
  char delimiter = ',';
};

// The namespaces declared on an XML element: xmlns="..." and xmlns:x="...", as name and value.
using XmlNamespaces = std::vector<std::pair<std::string, std::string>>;

struct XmlElement {
  std::string name;
  XmlNamespaces namespaces;
};

// How a value stands in its element: as an attribute, as the text of an element of its own, or as the element's text.
enum class XmlForm : uint8_t { kAttribute, kElement, kText };

struct XmlValueShape {
  XmlForm form = XmlForm::kAttribute;
  // kElement: of its own element.
  XmlNamespaces namespaces;
};

// What stands in an element: the element of a value, by its slot, or an element of the XmlLayout, by its number.
struct XmlMember {
  bool is_value = false;
  uint32_t number = 0;
};

// Empty where the source was not XML.
struct XmlShape {
  // The elements around the records, outermost first.
  std::vector<XmlElement> around;
  // The elements of classes and those around them, by their number in the XmlLayout (io/xml/xml_layout.h): first the record's.
  std::vector<XmlElement> elements;
  // By class and slot.
  std::vector<std::vector<XmlValueShape>> values;
  // By element, as above: what stands in it, in the order of the source. Vocabularies ask for one.
  std::vector<std::vector<XmlMember>> members;
  // By element: whether one around vertices stands around each of them anew.
  std::vector<bool> repeated = {};
};

// How a class stands in JSON, where names lead through objects and arrays (record/vertex_path.h).
struct JsonClassShape {
  // The paths below its objects, up to the classes below, at which an array stands: "entry", "code/coding".
  std::set<std::string> arrays;
  // By value of VertexClass::where: whether it stands without quotes.
  std::vector<bool> bare;
};

struct SourceShape {
  // By class: whether its vertices stand in the source as plain values, and whether never more than one, outside an
  // array. They are published the same way.
  std::vector<bool> plain;
  std::vector<bool> single;
  // JSON document: whether the records are the members of an object, one per person, instead of an array's elements.
  bool keyed = false;
  // JSON, XML: whether each document is a file of its own in a folder.
  bool documents = false;
  // JSON, by class; empty where the source was not JSON.
  std::vector<JsonClassShape> json;
  // Tables of any format, by class.
  std::vector<TableShape> tables;
  XmlShape xml;
  // Query log: what stands between its columns.
  char log_delimiter = '\t';

  static SourceShape Empty(size_t classes) {
    SourceShape shape;
    shape.plain.assign(classes, false);
    shape.single.assign(classes, false);
    shape.tables.resize(classes);
    return shape;
  }
};

}  // namespace thicket
