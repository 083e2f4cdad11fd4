// A schema with every shape of class, under names of one letter, which a fuzzer finds soon.
#pragma once

#include "record/schema.h"

namespace thicket::fuzz {

// student(i, d; q | s) with courses c(q | k) with books b(q), and tags t(s), which may be plain values.
inline Schema NestedSchema() {
  Schema schema;
  schema.classes.resize(4);
  VertexClass& root = schema.classes[0];
  root.name = "student";
  root.id = "i";
  root.drop = {"d"};
  root.quasi = {{"q", {}}};
  root.sensitive = {{"s", {}, {}}};
  root.children = {1, 3};
  VertexClass& course = schema.classes[1];
  course.name = course.at = "c";
  course.quasi = {{"q", {}}};
  course.keep = {"k"};
  course.children = {2};
  VertexClass& book = schema.classes[2];
  book.name = book.at = "b";
  book.parent = 1;
  book.quasi = {{"q", {}}};
  VertexClass& tag = schema.classes[3];
  tag.name = tag.at = "t";
  tag.sensitive = {{"s", {}, {}}};
  return schema;
}

}  // namespace thicket::fuzz
