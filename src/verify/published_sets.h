// Published sets as the adversary of KL(m,n)-privacy reads them: which labels each record shows, what is above a label, and
// how many leaves of the taxonomy an absent label stands for.
//
// Records that show the same labels are one class with a weight, whatever their sensitive items; how many records of a class
// have which sensitive item is kept beside it. Everything is read from the published texts and the taxonomy.
//
//   THICKET_ASSIGN(const PublishedSets sets, PublishedSets::Read(data, taxonomies, violations));
//   for (const uint32_t label : sets.labels(row)) sets.text(label);
//
// O(vertices log siblings).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"
#include "verify/verify.h"

namespace thicket {

class PublishedSets {
 public:
  // So many records of a class have the sensitive item.
  struct Held {
    uint32_t item;
    uint64_t weight;
  };
  // A label that is published, or a group above one.
  struct Group {
    std::string text;
    // Leaves of the whole taxonomy at or below it.
    uint64_t leaves = 1;
    // The next group above, or kNone.
    uint32_t parent = kNone;
    // Whether the taxonomy can publish it; what it cannot may be anything, also a value that must not be shown.
    bool legal = true;
  };
  static constexpr uint32_t kNone = ~uint32_t{0};

  // Violations: an item twice in a record, and an item without a value, which nobody publishes.
  static Result<PublishedSets> Read(const Dataset& data, const TaxonomyFiles& taxonomies,
                                    Violations& violations);

  // Labels are the groups from 0 to label_count() - 1.
  size_t label_count() const { return label_count_; }
  size_t group_count() const { return groups_.size(); }
  const Group& group(uint32_t group) const { return groups_[group]; }
  // Of the largest groups of which no record shows anything the one with the fewest leaves, or kNone: it is known to be absent
  // from everybody. Whether the cut goes through or above such a group nobody can see.
  uint32_t least_unseen() const { return least_unseen_; }
  // A label that stands above another one, or kNone.
  uint32_t FindLabelAboveAnother() const;

  size_t size() const { return weight_.size(); }
  uint64_t record_count() const { return record_count_; }
  uint64_t weight(size_t row) const { return weight_[row]; }
  // The first record of the class.
  RecordId example(size_t row) const { return example_[row]; }
  // Ascending, each once.
  std::span<const uint32_t> labels(size_t row) const {
    return {labels_.data() + first_label_[row], first_label_[row + 1] - first_label_[row]};
  }
  size_t sensitive_count() const { return sensitive_count_; }
  std::span<const Held> held(size_t row) const {
    return {held_.data() + first_held_[row], first_held_[row + 1] - first_held_[row]};
  }

 private:
  friend class PublishedSetsReader;

  std::vector<Group> groups_;
  size_t label_count_ = 0;
  uint32_t least_unseen_ = kNone;
  size_t sensitive_count_ = 0;
  uint64_t record_count_ = 0;
  // By class of records.
  std::vector<uint64_t> weight_;
  std::vector<RecordId> example_;
  std::vector<size_t> first_label_ = {0};
  std::vector<uint32_t> labels_;
  std::vector<size_t> first_held_ = {0};
  std::vector<Held> held_;
};

}  // namespace thicket
