// Small data sets for the tests of this folder, written down as nested lists.
//
//   ToyData toy(schema);
//   toy.Add({0, {"CS", "1993"}, {"3.5"}, {{1, {"CS305"}, {"A"}, {}}}});
//   Dataset data = toy.Build();
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "record/dataset.h"

namespace thicket {

struct ToyVertex {
  ClassId vertex_class = 0;
  // "" is missing.
  std::vector<std::string> quasi;
  std::vector<std::string> sensitive;
  std::vector<ToyVertex> children;
};

class ToyData {
 public:
  explicit ToyData(const std::shared_ptr<const Schema>& schema)
      : data_(Dataset::Empty(schema, "toy")), builder_(*schema) {}

  void Add(const ToyVertex& root) {
    builder_.BeginRecord(++line_);
    Fill(root);
    builder_.EndRecord();
  }

  Dataset Build() {
    data_.forest = std::move(builder_).Build();
    return std::move(data_);
  }

 private:
  void Fill(const ToyVertex& vertex) {
    const VertexClass& vertex_class = data_.schema->classes[vertex.vertex_class];
    std::vector<std::string> values = vertex.quasi;
    values.insert(values.end(), vertex.sensitive.begin(), vertex.sensitive.end());
    for (size_t slot = 0; slot < values.size() && slot < vertex_class.value_count(); ++slot) {
      if (values[slot].empty()) continue;
      builder_.Set(slot, data_.dictionaries[vertex.vertex_class][slot].Intern(ValueKind::kString,
                                                                              values[slot]));
    }
    for (const ToyVertex& child : vertex.children) {
      builder_.Open(child.vertex_class);
      Fill(child);
      builder_.Close();
    }
  }

  Dataset data_;
  ForestBuilder builder_;
  uint32_t line_ = 0;
};

// A class with taxonomy quasi-identifiers (files named after the attributes) and categorical sensitive attributes.
inline VertexClass ToyClass(std::string name, ClassId parent, const std::vector<std::string>& quasi,
                            const std::vector<std::string>& sensitive) {
  VertexClass vertex_class;
  vertex_class.name = name;
  vertex_class.at = std::move(name);
  vertex_class.parent = parent;
  for (const std::string& attribute : quasi) {
    QuasiAttribute added;
    added.name = attribute;
    added.recoding.file = attribute;
    vertex_class.quasi.push_back(std::move(added));
  }
  for (const std::string& attribute : sensitive)
    vertex_class.sensitive.push_back({attribute, {}, {}});
  return vertex_class;
}

inline std::shared_ptr<const Schema> ToySchema(std::vector<VertexClass> classes) {
  auto schema = std::make_shared<Schema>();
  classes.front().at.clear();
  for (size_t id = 1; id < classes.size(); ++id) {
    classes[classes[id].parent].children.push_back(static_cast<ClassId>(id));
  }
  schema->classes = std::move(classes);
  return schema;
}

// A taxonomy from lines of labels, root first: {"*", "CS", "CS305"}.
inline Taxonomy ToyTaxonomy(const std::vector<std::vector<std::string>>& paths) {
  TaxonomyBuilder builder("*");
  for (const std::vector<std::string>& path : paths) {
    TaxonomyBuilder::Handle at = TaxonomyBuilder::root();
    for (size_t i = 1; i < path.size(); ++i) {
      const auto found = builder.Find(path[i]);
      at = found ? *found : builder.Add(at, path[i]);
    }
  }
  return std::move(builder).Build();
}

}  // namespace thicket
