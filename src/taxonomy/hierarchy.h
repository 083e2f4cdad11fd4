// Parent-child statements about labels, from the lines of a user's file, checked while they come
// in.
//
// What can be wrong with a hierarchy is the same in every file format: a label under two parents, a
// cycle, two roots. Each is found here, once, with the lines that disagree.
//
//   Hierarchy hierarchy("course.csv");
//   THICKET_TRY(hierarchy.AddValue("CS305", "CS3**", 1));
//   THICKET_TRY(hierarchy.AddParent("CS3**", "*", 1));
//   THICKET_ASSIGN(TaxonomyBuilder builder, hierarchy.Finish());
//
// A value may have the name of a group that it belongs to: "sausage" beside "ham" in the group "sausage". The value keeps its
// text as one more leaf below the group, and the group is called "sausage (any)". A group of nothing but the value of its own
// name is left out. A value that has the name of a group elsewhere is an error: what it belongs to would be a guess.
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

  // Says that `child`, a group, or a value of which nothing else is said, stands right below the group `parent`. The same
  // statement may come again.
  Status AddParent(std::string_view child, std::string_view parent, size_t line);
  // Says that the value stands below the group, which may have the same name. A value that has the name of another group may
  // also stand beside that group.
  Status AddValue(std::string_view value, std::string_view group, size_t line);
  // Says that nothing stands above the label; without it, the root is the one label that has no
  // parent.
  Status AddRoot(std::string_view label, size_t line);

  // All labels, parents first; values are numbered in the order in which they came.
  Result<TaxonomyBuilder> Finish();

  // An error at a line of the file.
  Error Fail(size_t line, const std::string& what, std::string hint) const;

 private:
  // Lowest common ancestors are found by climbing.
  static constexpr size_t kMostLevels = 1000;
  static constexpr size_t kNone = static_cast<size_t>(-1);

  // A group, a value, or of AddParent() a label that is one of the two. A name may have an entry as a value and another one.
  struct Entry {
    std::string label;
    bool is_value = false;
    size_t parent = kNone;
    size_t parent_line = 0;  // where the parent was named
    size_t first_child_line =
        0;                  // 0: nothing stands below it but a value of the same name, if that
    size_t own_line = 0;    // of a value: where it was said to stand below the group of its name
    size_t first_line = 0;  // where the label was met first
    bool left_out = false;  // of a group: nothing but a value of its own name
  };

  size_t Intern(std::string_view label, size_t line);
  size_t InternValue(std::string_view label, size_t line);
  bool IsAtOrAbove(size_t upper, size_t lower) const;
  Error TwoParents(std::string_view child, std::string_view parent, size_t line,
                   const Entry& before) const;
  // Gives values that have the name of a group their places, and these groups their names.
  Status PlaceNamesakes();
  Status PlaceInGroup(Entry& value, size_t group);
  Status PlaceInsteadOfGroup(Entry& value, size_t group);
  Result<size_t> FindRoot() const;

  std::string file_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, size_t> by_label_;
  std::unordered_map<std::string, size_t> value_by_label_;
  size_t root_ = kNone;
  size_t root_line_ = 0;
};

}  // namespace thicket
