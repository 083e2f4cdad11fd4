// Parent-child statements about labels, from the lines of a user's file, checked while they come
// in.
//
// What can be wrong with a hierarchy is the same in every file format: a label under two parents, a
// cycle, two roots, a value that is also a parent. Each is found here, once, with the lines that
// disagree.
//
//   Hierarchy hierarchy("course.csv");
//   THICKET_TRY(hierarchy.AddParent("CS305", "CS3**", 1));
//   THICKET_TRY(hierarchy.AddParent("CS3**", "*", 1));
//   THICKET_ASSIGN(TaxonomyBuilder builder, hierarchy.Finish());
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

class Hierarchy {
 public:
  explicit Hierarchy(std::string file) : file_(std::move(file)) {}

  // Says that `child` stands right below `parent`. The same statement may come again.
  Status AddParent(std::string_view child, std::string_view parent, size_t line);
  // Says that the label is a value: nothing may stand below it.
  void AddLeaf(std::string_view label, size_t line);
  // Says that nothing stands above the label; without it, the root is the one label that has no
  // parent.
  Status AddRoot(std::string_view label, size_t line);

  // All labels, parents first; values are numbered in the order in which they came.
  Result<TaxonomyBuilder> Finish() const;

  // An error at a line of the file.
  Error Fail(size_t line, const std::string& what, std::string hint) const;

 private:
  // Lowest common ancestors are found by climbing.
  static constexpr size_t kMostLevels = 1000;
  static constexpr size_t kNone = static_cast<size_t>(-1);

  struct Entry {
    std::string label;
    size_t parent = kNone;
    size_t parent_line = 0;       // where the parent was named
    size_t first_child_line = 0;  // 0: nothing stands below it
    size_t leaf_line = 0;         // 0: not said to be a value
  };

  size_t Intern(std::string_view label);
  bool IsAtOrAbove(size_t upper, size_t lower) const;
  Status CheckLeaves() const;
  Result<size_t> FindRoot() const;

  std::string file_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, size_t> by_label_;
  size_t root_ = kNone;
  size_t root_line_ = 0;
};

}  // namespace thicket
