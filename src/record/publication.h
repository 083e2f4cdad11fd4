// What any method hands back: trees, the records that are published as each of them, where every position comes from,
// and what was suppressed.
//
// A class of records that look alike is one tree with many records (a representative, Definition 3.14 of Ozalp et al.
// 2016). Where one cut recodes everybody, each record may have a tree of its own. A tree shows labels in preorder. For
// each of its records every position has sources: the vertices of the data set whose sensitive and kept values stand
// there. That is one vertex as a rule; several where equal vertices were merged; none where a label was moved away from
// its vertex (Definition 2 of Gkountouna et al. 2013), or was put in. The values themselves stay in the data set.
//
//   for (const PublishedTree tree : publication.trees())
//     for (size_t position = 0; position < tree.size(); ++position)
//       for (size_t member = 0; member < tree.records.size(); ++member)
//         Use(tree.labels(position), tree.sources(member, position));
//
// Published records are numbered tree by tree, each tree's in the order of its records. All trees stand in one array
// per field: a tree costs 12 bytes, a position 10 and 8 per label, a record 4 and 4 per source. Lists of sources cost 4
// more per record and position, from the moment on that some position has not exactly one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "record/forest.h"
#include "taxonomy/domain.h"

namespace thicket {

// A label that a vertex does not show.
inline constexpr Label kNoLabel = {~uint32_t{0}, ~uint32_t{0}};

// The low end of a label that stands for one of several labels, which no domain has a label for (Publication::AddAlternatives).
inline constexpr uint32_t kAlternatives = ~uint32_t{0} - 1;

// One tree of a Publication; valid while the publication lives and no tree is added to it.
struct PublishedTree {
  // By position, in preorder.
  std::span<const ClassId> vertex_class;
  std::span<const uint32_t> subtree_size;
  // All labels of the tree, position by position.
  std::span<const Label> label_values;
  // Who is published as this tree; below, a member is a place in this list.
  std::span<const RecordId> records;

  size_t size() const { return vertex_class.size(); }
  // One per quasi-identifier of the position's class.
  std::span<const Label> labels(size_t position) const {
    const size_t begin = first_label[position] - first_label[0];
    const size_t end =
        position + 1 < size() ? first_label[position + 1] - first_label[0] : label_values.size();
    return label_values.subspan(begin, end - begin);
  }
  std::span<const Vertex> sources(size_t member, size_t position) const {
    const size_t place = first_place + member * size() + position;
    if (first_source == nullptr) return {all_sources + place, 1};
    return {all_sources + first_source[place], first_source[place + 1] - first_source[place]};
  }
  // The only source.
  Vertex vertex(size_t member, size_t position) const { return sources(member, position)[0]; }

  // Where the publication keeps the rest; see there.
  const uint32_t* first_label = nullptr;
  const uint32_t* first_source = nullptr;
  const Vertex* all_sources = nullptr;
  size_t first_place = 0;
};

class Publication {
 public:
  class TreeIterator {
   public:
    TreeIterator(const Publication* publication, size_t tree)
        : publication_(publication), tree_(tree) {}
    PublishedTree operator*() const { return publication_->tree(tree_); }
    TreeIterator& operator++() {
      ++tree_;
      return *this;
    }
    bool operator!=(const TreeIterator& other) const { return tree_ != other.tree_; }

   private:
    const Publication* publication_;
    size_t tree_;
  };
  class Trees {
   public:
    explicit Trees(const Publication& publication) : publication_(&publication) {}
    TreeIterator begin() const { return {publication_, 0}; }
    TreeIterator end() const { return {publication_, publication_->tree_count()}; }

   private:
    const Publication* publication_;
  };
  // A value of a vertex, by its slot.
  struct SuppressedValue {
    Vertex vertex;
    uint32_t slot;
    friend bool operator==(const SuppressedValue&, const SuppressedValue&) = default;
    friend bool operator<(const SuppressedValue& a, const SuppressedValue& b) {
      return std::tie(a.vertex, a.slot) < std::tie(b.vertex, b.slot);
    }
  };
  // Where a published record is.
  struct Place {
    uint32_t tree;
    uint32_t member;
  };

  friend bool operator==(const Publication&, const Publication&) = default;

  size_t tree_count() const { return first_record_.size() - 1; }
  bool empty() const { return tree_count() == 0; }
  PublishedTree tree(size_t tree) const;
  Trees trees() const& { return Trees(*this); }
  Trees trees() const&& = delete;

  size_t record_count() const { return records_.size(); }
  // Of a published record by its number: whom it is about, and its place; the second takes O(log trees).
  RecordId record(size_t number) const { return records_[number]; }
  Place PlaceOf(size_t number) const;

  // Whether a vertex may stand apart from its labels or above its place in the schema, and for several vertices.
  bool rearranged() const { return rearranged_; }

  // Records that are left out whole.
  const std::vector<RecordId>& suppressed() const { return suppressed_; }
  // How many of the data set's vertices are left out, those of suppressed records among them. Where the publication is
  // rearranged, these are vertices of which nothing is shown.
  uint64_t SuppressedVertices(const Forest& forest) const {
    return rearranged_ ? vanished_vertices_ : forest.vertex_count() - sources_.size();
  }
  // Where the publication is rearranged: how many vertices are part of another one of their record, because both came to look
  // the same, or all that one shows is shown by the other.
  uint64_t merged_vertices() const { return merged_vertices_; }
  // Whether a sensitive or kept value of a source is not shown; O(log suppressed values).
  bool IsSuppressed(Vertex vertex, size_t slot) const;
  // Ascending.
  const std::vector<SuppressedValue>& suppressed_values() const { return suppressed_values_; }

  // Trees are added one by one. First the tree: its positions in preorder, each with a label per quasi-identifier of
  // its class. What is opened without a size is closed behind its last descendant. Then its records, each with its
  // sources, position by position; the sources of a single record may also come as positions are opened. EndTree() ends it.
  // Open() returns the position's number in the publication.
  uint32_t Open(ClassId id, std::span<const Label> labels, uint32_t subtree_size = 1);
  void SetLabel(uint32_t position, size_t slot, Label label) {
    labels_[first_label_[position] + slot] = label;
  }
  void Close(uint32_t position) {
    subtree_size_[position] = static_cast<uint32_t>(vertex_class_.size()) - position;
  }
  void AddRecord(RecordId record) { records_.push_back(record); }
  void AddSources(std::span<const Vertex> sources);
  void EndTree();
  // The positions, and the records, of a tree of another publication.
  void CopyPositions(const PublishedTree& tree);
  void CopyRecords(const PublishedTree& tree);

  // For siblings that show the same: `order.size()` subtrees of `size` positions each, one after another from `first`
  // on. The member's sources that stood at the order[i]-th of them stand at the i-th afterwards.
  void ReorderSubtrees(size_t tree, size_t member, size_t first, size_t size,
                       std::span<const size_t> order);

  // The label that says "one of these", of which there are at least two: equal lists have equal labels. Published as the texts
  // of the labels with kAlternativesMark between them.
  Label AddAlternatives(const std::vector<Label>& labels);
  const std::vector<Label>& alternatives(Label label) const { return alternatives_[label.high]; }
  bool has_alternatives() const { return !alternatives_.empty(); }

  void Suppress(std::vector<RecordId> records) { suppressed_ = std::move(records); }
  void SuppressValues(std::vector<SuppressedValue> values);
  void SetRearranged() { rearranged_ = true; }
  void CountMerged(uint64_t merged, uint64_t vanished) {
    merged_vertices_ += merged;
    vanished_vertices_ += vanished;
  }

 private:
  // How many places have their sources.
  size_t place_count() const {
    return first_source_.empty() ? sources_.size() : first_source_.size() - 1;
  }

  // By tree, and one more.
  std::vector<uint32_t> first_position_ = {0};
  std::vector<uint32_t> first_record_ = {0};
  std::vector<uint32_t> first_place_ = {0};
  // By position.
  std::vector<ClassId> vertex_class_;
  std::vector<uint32_t> subtree_size_;
  std::vector<uint32_t> first_label_;
  std::vector<Label> labels_;
  // By published record.
  std::vector<RecordId> records_;
  // A place is a tree's record and a position of it: by place, and one more, where its sources begin. Empty as long as
  // each place has exactly one, which stands at the place's number.
  std::vector<uint32_t> first_source_;
  std::vector<Vertex> sources_;
  std::vector<RecordId> suppressed_;
  std::vector<SuppressedValue> suppressed_values_;
  std::vector<std::vector<Label>> alternatives_;
  std::map<std::vector<Label>, uint32_t> number_of_alternatives_;
  bool rearranged_ = false;
  uint64_t merged_vertices_ = 0;
  uint64_t vanished_vertices_ = 0;
};

}  // namespace thicket
