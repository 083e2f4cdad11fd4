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

// Names that lead through others, and classes that are told by values: r(o/p | e/d) with x and y at e/v, where k is a or b, and z below x.
inline Schema PathSchema() {
  Schema schema;
  schema.classes.resize(4);
  VertexClass& root = schema.classes[0];
  root.name = "r";
  root.quasi = {{"o/p", {}}};
  root.keep = {"o/s"};
  root.drop = {"e/d"};
  root.children = {1, 3};
  VertexClass& first = schema.classes[1];
  first.name = "x";
  first.at = "e/v[k=a]";
  first.where = {{"k", "a"}};
  first.quasi = {{"q", {}}};
  first.children = {2};
  VertexClass& below = schema.classes[2];
  below.name = "z";
  below.at = "z/b";
  below.parent = 1;
  below.sensitive = {{"o/s", {}, {}}};
  VertexClass& second = schema.classes[3];
  second.name = "y";
  second.at = "e/v[k=b]";
  second.where = {{"k", "b"}};
  second.sensitive = {{"s", {}, {}}};
  return schema;
}

// A long table: p(i; q) with a row(s | k) each.
inline Schema RowsSchema() {
  Schema schema;
  schema.classes.resize(2);
  VertexClass& person = schema.classes[0];
  person.name = "p";
  person.group_by = "i";
  person.drop = {"d"};
  person.quasi = {{"q", {}}};
  person.children = {1};
  VertexClass& row = schema.classes[1];
  row.name = row.at = "r";
  row.sensitive = {{"s", {}, {}}};
  row.keep = {"k"};
  return schema;
}

}  // namespace thicket::fuzz
