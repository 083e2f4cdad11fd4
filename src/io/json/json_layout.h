// Which keys of a JSON record lead where, from the names of the policy alone.
//
// A name may lead through objects and arrays: the attribute "code/coding/code" is the key code of the object coding of the object
// code, and a class at "entry/resource" the objects under the key resource of every element of the array entry. Of an array on the way
// to an attribute the first element counts. Several classes may stand at one place, told apart by values of their objects
// (VertexClass::where). The layout is the tree of all these keys below each class's objects; reader, writer and what looks at
// published text walk the same tree.
//
// In k^(m,n)-anonymous data a vertex may stand below any ancestor, at the end of the same path.
//
//   THICKET_ASSIGN(JsonLayout layout, JsonLayout::Of(schema, moved));
//   for (uint32_t below : layout.places[id].below) ... layout.places[below].name ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/schema.h"

namespace thicket {

struct JsonPlace {
  enum class Kind : uint8_t { kObject, kValue, kChildren };

  Kind kind = Kind::kObject;
  // The key; empty for the object of a vertex.
  std::string name;
  // The class of the vertex that it belongs to.
  ClassId id = 0;
  // From that vertex on, as the policy writes it: "code/coding"; empty for the vertex itself.
  std::string path;
  uint32_t parent = 0;
  // kObject: its keys; what is published in the order in which it is written.
  std::vector<uint32_t> below = {};
  // kObject: whether vertices stand in it, at any depth.
  bool around_vertices = false;
  // kValue: the slot, or where the class is told by it its number in VertexClass::where; kNone for what is not published.
  static constexpr size_t kNone = ~size_t{0};
  size_t slot = kNone;
  size_t where = kNone;
  // kChildren: the classes that stand there, in the order of the schema.
  std::vector<ClassId> classes = {};
  // kChildren: whether a class is told by values.
  bool chooses = false;
  // How many steps lead here from the vertex.
  size_t depth = 0;
};

struct JsonLayout {
  // First the objects of the classes, by class.
  std::vector<JsonPlace> places;
  // By class: whether a name leads through others, or a class below is told by values.
  std::vector<bool> nested;

  // Fails with kUsage where a key would have two meanings.
  static Result<JsonLayout> Of(const Schema& schema, bool moved = false);
};

}  // namespace thicket
