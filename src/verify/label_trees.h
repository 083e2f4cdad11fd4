// Published records as the adversary of k^(m,n)-anonymity reads them: which labels a record shows, and which stand above
// which.
//
// A vertex is a chain of its labels, in the order of the policy, below the labels of its ancestors; a missing value is no
// label. a stands above b if some path from the root has both. Merging equal siblings changes neither labels nor
// paths, so nothing is merged here. Labels of one attribute are equal when their texts are.
//
//   THICKET_ASSIGN(LabelTrees trees, LabelTrees::Read(data, taxonomies, {.relations = true}));
//   trees.name(trees.names_of(t)[i]).text;
//   trees.Above(t, i, j);
//
// Trees that say the same are one, with a weight. Names are numbered by class and attribute, so what stands above has the
// lower number. Rows of bits hold who stands above whom: O(labels^2 / 64) words a tree.
//
// With `secrets` a tree also has the sensitive values of the record, and names are all that can be known of labels: the group
// of those who show one of two labels need not be diverse where the groups of either are. So a name is a published label, or
// "at or below" one that has published labels below it; and where labels of an attribute stand above each other, which no cut
// does, "at or above" the lower one, since that fits who is known to have it. Shows() and AboveShown() then say the same as
// having the name and as Above(), and Above() is true of two names where labels that they are true of stand so.
//
// Section II-A of Gkountouna et al. 2013; what papers leave open is settled in combinations.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"
#include "verify/verify.h"

namespace thicket {

// Whether a label of one attribute can stand above one of another: earlier in the same class, or in an ancestor class.
bool MayStandAbove(const Schema& schema, ClassId above, size_t above_slot, ClassId below,
                   size_t below_slot);

class LabelTrees {
 public:
  struct Options {
    // Names are also what is more general than a label: a tree has such a name if it shows a label at or below it.
    bool ancestors = false;
    bool relations = false;
    // Sensitive values, too, and every name that somebody who is after them may know; not with `ancestors`.
    bool secrets = false;
  };
  struct Name {
    enum class Kind : uint8_t { kLabel, kAtOrBelow, kAtOrAbove };
    ClassId id;
    size_t slot;
    std::string text;
    // Only with `secrets` other than kLabel.
    Kind kind = Kind::kLabel;
    // With `secrets`: whether it says more than labels do, that a record has the name, and that it has not. Where no record
    // shows two labels below a name, those who have it are those who show one of these labels, each of them once: where they
    // are diverse by label, they are diverse. And nobody who knows what a person lacks knows which labels were not shown.
    bool may_have = true;
    bool may_lack = true;
    // Whether the policy's recoding can publish it; what it cannot may be anything, also a value that must not be shown.
    bool legal = true;
  };
  // A bucket of a sensitive attribute; `number` numbers the attributes of all classes.
  struct Secret {
    ClassId id;
    size_t attribute;
    uint32_t number;
  };

  // What must be diverse goes wrong in `violations` where a value has no bucket.
  static Result<LabelTrees> Read(const Dataset& data, const TaxonomyFiles& taxonomies,
                                 const Options& options, Violations& violations);

  const Options& options() const { return options_; }
  size_t name_count() const { return names_.size(); }
  const Name& name(uint32_t name) const { return names_[name]; }
  // "orders.price".
  std::string Path(uint32_t name) const;
  bool MayRelate(uint32_t above, uint32_t below) const {
    return may_relate_[attribute_of_[above] * attribute_count_ + attribute_of_[below]];
  }
  // Whether any two names may.
  bool any_relation() const { return any_relation_; }

  size_t size() const { return weight_.size(); }
  uint64_t record_count() const { return record_count_; }
  uint32_t weight(size_t tree) const { return weight_[tree]; }
  // The first record with this tree.
  RecordId example(size_t tree) const { return example_[tree]; }

  // Ascending. Below, i and j are places in this list.
  std::span<const uint32_t> names_of(size_t tree) const {
    return {tree_names_.data() + first_name_[tree], first_name_[tree + 1] - first_name_[tree]};
  }
  // Whether a vertex shows the name itself.
  bool Shows(size_t tree, size_t i) const { return shown_[first_name_[tree] + i] != 0; }
  // Whether the i-th name, shown as it is, stands above a label at or below the j-th.
  bool Above(size_t tree, size_t i, size_t j) const { return Bit(above_, tree, i, j); }
  // Whether the i-th stands above the j-th, both shown as they are.
  bool AboveShown(size_t tree, size_t i, size_t j) const {
    return Bit(options_.ancestors ? above_shown_ : above_, tree, i, j);
  }

  // The bits behind Above and AboveShown: row by row, so many words each; empty without relations.
  struct Rows {
    size_t words;
    std::span<const uint64_t> above;
    std::span<const uint64_t> above_shown;
  };
  Rows rows_of(size_t tree) const {
    const size_t first = first_word_[tree];
    const size_t size = first_word_[tree + 1] - first;
    const std::span<const uint64_t> shown(above_shown_);
    return {(names_of(tree).size() + 63) / 64, std::span(above_).subspan(first, size),
            options_.ancestors ? shown.subspan(first, size) : shown.first(0)};
  }

  size_t secret_count() const { return secrets_.size(); }
  const Secret& secret(uint32_t secret) const { return secrets_[secret]; }
  // How many sensitive attributes the classes have.
  uint32_t secret_attributes() const { return secret_attributes_; }
  // What stands anywhere in the record; ascending, each once. A missing value is none.
  std::span<const uint32_t> SecretsOf(size_t tree) const {
    return {held_.data() + first_held_[tree], first_held_[tree + 1] - first_held_[tree]};
  }

 private:
  friend class LabelTreeReader;

  bool Bit(const std::vector<uint64_t>& rows, size_t tree, size_t i, size_t j) const {
    const size_t words = (first_name_[tree + 1] - first_name_[tree] + 63) / 64;
    return (rows[first_word_[tree] + i * words + j / 64] >> (j % 64) & 1) != 0;
  }

  const Schema* schema_ = nullptr;
  Options options_;
  uint64_t record_count_ = 0;
  std::vector<Name> names_;
  std::vector<uint32_t> attribute_of_;
  size_t attribute_count_ = 0;
  std::vector<bool> may_relate_;
  bool any_relation_ = false;
  std::vector<Secret> secrets_;
  uint32_t secret_attributes_ = 0;
  // By tree, and one more.
  std::vector<size_t> first_name_ = {0};
  std::vector<size_t> first_word_ = {0};
  std::vector<size_t> first_held_ = {0};
  // By tree.
  std::vector<uint32_t> weight_;
  std::vector<RecordId> example_;
  // By tree and name.
  std::vector<uint32_t> tree_names_;
  std::vector<uint8_t> shown_;
  // By tree, name and word.
  std::vector<uint64_t> above_;
  std::vector<uint64_t> above_shown_;
  // By tree and secret.
  std::vector<uint32_t> held_;
};

}  // namespace thicket
