// A generalization hierarchy: values at the leaves, "*" (anything) at the root.
//
// Every recoding but free numeric intervals is a Taxonomy, given in a file or derived from the values of the data. The
// numbering decides the speed of everything above it: node 0 is the root, inner nodes come before leaves, and a parent
// comes before its children, so that a leaf is also a dense number in [0, leaf_count()).
//
//   TaxonomyBuilder builder("*");
//   auto cs = builder.Add(builder.root(), "CS");
//   builder.Add(cs, "CS305");
//   builder.Add(cs, "CS306");
//   Taxonomy courses = std::move(builder).Build();
//   courses.label(courses.Lca(*courses.Find("CS305"), *courses.Find("CS306")));  // "CS"
//
// Definitions 3.4 and 3.9 of Ozalp et al. 2016.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/decimal.h"
#include "taxonomy/taxonomy_origin.h"

namespace thicket {

using Node = uint32_t;

class Taxonomy {
 public:
  static constexpr Node kRoot = 0;

  size_t node_count() const { return parent_.size(); }
  size_t leaf_count() const { return parent_.size() - first_leaf_; }
  Node first_leaf() const { return first_leaf_; }
  bool is_leaf(Node node) const { return node >= first_leaf_; }

  // The root is its own parent.
  Node parent(Node node) const { return parent_[node]; }
  uint32_t depth(Node node) const { return depth_[node]; }
  // How many leaves lie at or below the node.
  uint32_t leaves(Node node) const { return leaves_[node]; }
  const std::string& label(Node node) const { return label_[node]; }

  // The node with this label; labels are unique. A number that no label has as its text is that of the only label with the
  // same value: 1993.0 is 1993. Numbers that begin with a zero, such as 02139, are codes, and only their texts count.
  std::optional<Node> Find(std::string_view label) const;

  // The lowest node at or above both; climbs, O(depth).
  Node Lca(Node a, Node b) const {
    while (a != b) {
      if (depth_[a] >= depth_[b]) {
        a = parent_[a];
      } else {
        b = parent_[b];
      }
    }
    return a;
  }
  // Whether `node` lies at or below `ancestor`.
  bool Covers(Node ancestor, Node node) const {
    while (depth_[node] > depth_[ancestor]) node = parent_[node];
    return node == ancestor;
  }

  // Some hierarchies end in intervals instead of values: the numbers or dates of the data lie inside them, and become
  // leaves below them when the data is known (TaxonomyBuilder continues a finished taxonomy). Until then an interval is
  // a leaf like any other.
  bool has_ranges() const { return !ranges_.empty(); }
  // The lowest interval that holds the value; where two touch, the upper one. Nothing if the value is not a number (or,
  // where the intervals are of dates, no date), or lies in none of them. O(log intervals).
  std::optional<Node> FindRange(std::string_view value) const;

  // How the items were put together, where that was not by hand; as the file says.
  const std::optional<TaxonomyOrigin>& origin() const { return origin_; }
  void SetOrigin(const TaxonomyOrigin& origin) { origin_ = origin; }

  // LM' of Definition 3.9: 0 for a leaf, 1 for the root, else (leaves - 1) / (all leaves - 1).
  double Loss(Node node) const;

 private:
  friend class TaxonomyBuilder;
  struct Range {
    Node node;
    Decimal low;
    Decimal high;
  };

  std::vector<Node> parent_;
  std::vector<uint32_t> depth_;
  std::vector<uint32_t> leaves_;
  std::vector<std::string> label_;
  std::unordered_map<std::string, Node> by_label_;
  // By Decimal::Key() of labels that are numbers; kAmbiguous where several are the same number.
  std::unordered_map<std::string, Node> by_number_;
  static constexpr Node kAmbiguous = ~Node{0};
  Node first_leaf_ = 0;
  // Of all nodes that are intervals; then which of them are lowest, by their lower bounds.
  std::vector<Range> ranges_;
  std::vector<Range> lowest_ranges_;
  bool dates_ = false;
  std::optional<TaxonomyOrigin> origin_;
};

// Collects the nodes of a Taxonomy in any order that names parents first. Knows nothing of files: what can be wrong
// with a user's hierarchy is checked where it is read.
class TaxonomyBuilder {
 public:
  using Handle = uint32_t;

  explicit TaxonomyBuilder(std::string root_label = "*");
  // A builder that continues a finished taxonomy; the handle of each old node is its number.
  explicit TaxonomyBuilder(const Taxonomy& base);

  // The same under a new root; the handle of each old node is its number + 1.
  static TaxonomyBuilder Under(std::string root_label, const Taxonomy& base);

  // The same without some leaves, by their ranks, and without groups that have no others; the root stays. Handles are those of
  // the new builder.
  static TaxonomyBuilder Without(const Taxonomy& base, const std::vector<bool>& leaves);

  static constexpr Handle root() { return 0; }
  // The label must be new.
  Handle Add(Handle parent, std::string label);
  std::optional<Handle> Find(std::string_view label) const;
  Handle parent(Handle node) const { return parent_[node]; }
  const std::string& label(Handle node) const { return label_[node]; }
  size_t size() const { return parent_.size(); }

  // Says that the node is the interval [low, high], inside its parent's and apart from its siblings'. With `dates` the
  // bounds are days (see date.h); all intervals of a taxonomy are of one kind.
  void SetRange(Handle node, Decimal low, Decimal high, bool dates);

  Taxonomy Build() &&;

 private:
  std::vector<Handle> parent_;
  std::vector<std::string> label_;
  std::unordered_map<std::string, Handle> by_label_;
  std::vector<Taxonomy::Range> ranges_;
  bool dates_ = false;
};

}  // namespace thicket
