// A policy with every shape of class, and data sets as text, for the tests of this folder.
#pragma once

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "io/dataset_io.h"

namespace thicket::testing {

inline QuasiAttribute Quasi(std::string name) { return {std::move(name), {}}; }

// student(id, name; major | gpa | campus) with courses(code | grade) with books(title), tags(tag) and address(city).
inline Policy StudentPolicy(Format format = Format::kJsonl) {
  Schema schema;
  VertexClass student;
  student.name = "student";
  student.id = "id";
  student.drop = {"name"};
  student.quasi = {Quasi("major")};
  student.sensitive = {{"gpa", {}, {}}};
  student.keep = {"campus"};
  student.children = {1, 3, 4};
  VertexClass course;
  course.name = "course";
  course.at = "courses";
  course.quasi = {Quasi("code")};
  course.sensitive = {{"grade", {}, {}}};
  course.children = {2};
  VertexClass book;
  book.name = "book";
  book.at = "books";
  book.parent = 1;
  book.quasi = {Quasi("title")};
  VertexClass tag;
  tag.name = "tag";
  tag.at = "tags";
  tag.quasi = {Quasi("tag")};
  VertexClass address;
  address.name = "address";
  address.at = "address";
  address.quasi = {Quasi("city")};
  schema.classes = {student, course, book, tag, address};
  Policy policy;
  policy.file = "policy.yaml";
  policy.input.format = format;
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

// The root alone, for tables.
inline Policy TablePolicy() {
  Policy policy = StudentPolicy(Format::kCsv);
  Schema schema;
  schema.classes = {policy.schema->root()};
  schema.classes[0].children.clear();
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

inline Result<Dataset> Read(const Policy& policy, std::string_view text,
                            ReadAs as = ReadAs::kOriginal) {
  Progress progress;
  return ReadDatasetText(policy, text, "data", as, progress);
}

// Message and hint of what must fail.
inline std::string ErrorOf(const Result<Dataset>& result) {
  if (result.ok()) return "no error";
  return result.error().message +
         (result.error().hint.empty() ? "" : " [" + result.error().hint + "]");
}

inline std::string ValueText(const Dataset& data, Vertex vertex, size_t slot) {
  const Dictionary& dictionary = data.dictionaries[data.forest.class_of(vertex)][slot];
  const Symbol symbol = data.forest.value(vertex, slot);
  switch (dictionary.kind(symbol)) {
    case ValueKind::kNone:
      return "-";
    case ValueKind::kString:
      return "'" + std::string(dictionary.text(symbol)) + "'";
    case ValueKind::kNumber:
    case ValueKind::kBoolean:
      return std::string(dictionary.text(symbol));
  }
  return "?";
}

// "student('CS',3.5,-){course('CS1','A'){book('x')}}"
inline std::string Describe(const Dataset& data, Vertex vertex) {
  const VertexClass& type = data.schema->classes[data.forest.class_of(vertex)];
  std::string text = type.name + "(";
  for (size_t slot = 0; slot < type.value_count(); ++slot) {
    text += (slot > 0 ? "," : "") + ValueText(data, vertex, slot);
  }
  text += ")";
  if (data.forest.is_leaf(vertex)) return text;
  text += "{";
  for (const Vertex child : data.forest.Children(vertex)) text += Describe(data, child);
  return text + "}";
}

// One record per line.
inline std::string Describe(const Dataset& data) {
  std::string text;
  for (RecordId record = 0; record < data.forest.record_count(); ++record) {
    text += Describe(data, data.forest.root(record)) + "\n";
  }
  return text;
}

// A folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = "/tmp/thicket_io_test.XXXXXX";
    path_ = mkdtemp(name.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    const std::string command = "rm -rf '" + path_ + "'";
    if (std::system(command.c_str()) != 0) std::abort();
  }
  const std::string& path() const { return path_; }
  std::string File(const std::string& name, std::string_view content) const {
    std::ofstream(path_ + "/" + name, std::ios::binary) << content;
    return path_ + "/" + name;
  }

 private:
  std::string path_;
};

}  // namespace thicket::testing
