// An encoded data set in the form that merging reads: weights, buckets and the vertices that may never meet.
//
// Built once per run and shared by all threads.
//
// Sensitive values that may occur only once in a class of records (`once` in the policy, proposed in the conclusion of Ozalp et al.
// 2016) are handled before trees are matched. Of several vertices of a record with the same such value only one may be
// published, the one with the most below it (the first of equals); and none while the representative shows the value.
#pragma once

#include <cstdint>
#include <vector>

#include "matching/anywhere.h"
#include "matching/sibling_kinds.h"
#include "privacy/diversity.h"
#include "record/dataset.h"

namespace thicket {

class TreeModel {
 public:
  // The number of no value that may occur only once.
  static constexpr uint32_t kNotOnce = ~uint32_t{0};

  TreeModel(const EncodedDataset& data, DiversityRule rule);

  const EncodedDataset& data() const { return *data_; }
  const Forest& forest() const { return data_->forest(); }
  const Schema& schema() const { return data_->schema(); }
  const DiversityRule& rule() const { return rule_; }

  // What a kept vertex of the class saves when nothing is generalized: its suppression cost.
  Units vertex_weight(ClassId id) const { return vertex_weight_[id]; }
  // What it costs to suppress the whole subtree.
  Units subtree_weight(Vertex v) const { return subtree_weight_[v]; }
  Units record_weight(RecordId r) const { return subtree_weight_[forest().root(r)]; }

  // Whether the class's children are all of one class that itself has no children: then the children of a vertex are the
  // vertices right behind it.
  bool has_only_leaves(ClassId id) const {
    const auto& children = schema().classes[id].children;
    return children.size() == 1 && schema().classes[children.front()].children.empty();
  }

  // Whether similarity in this class is a matter of one table look-up: one quasi-identifier with a table, nothing sensitive.
  bool is_one_label(ClassId id) const {
    const auto& domains = data_->classes[id].domains;
    return domains.size() == 1 && domains.front().has_table() && sensitive_count_[id] == 0 &&
           !has_once();
  }

  // How many sensitive attributes must be diverse in the class: all of them, or none where nothing asks for it.
  size_t sensitive_count(ClassId id) const { return sensitive_count_[id]; }
  // Whether 64 bits tell all values of the attribute apart.
  bool bits_decide(ClassId id, size_t attribute) const {
    return data_->classes[id].bucket_count[attribute] <= 64;
  }
  // What must be diverse of a vertex of the class, by attribute.
  const uint32_t* buckets(ClassId id, Vertex v) const {
    return data_->values(v) + first_sensitive_[id];
  }

  // The kinds of the record's vertices (matching/sibling_kinds.h), beginning with its root; null where no siblings are wide.
  const SiblingKind* kinds(RecordId record) const { return kinds_.of(record); }

  // Whether values may stand in a part of a class's records only (matching/anywhere.h).
  bool has_anywhere() const { return rule_.Constrains() && !anywhere_.empty(); }
  // Those of the policy, whatever the rule.
  const AnywhereValues& anywhere() const { return anywhere_; }

  // Whether the policy has values that may occur only once.
  bool has_once() const { return once_count_ > 0; }
  uint32_t once_count() const { return once_count_; }
  // Whether the vertex must be suppressed in any case: another one of its record has the same value.
  bool IsBlocked(Vertex v) const { return has_once() && blocked_[v]; }
  // Calls use(number) for each value of the vertex that may occur only once.
  template <typename Use>
  void ForEachOnce(Vertex v, const Use& use) const {
    const ClassId id = forest().class_of(v);
    for (size_t attribute = 0; attribute < once_number_[id].size(); ++attribute) {
      const uint32_t number = once_number_[id][attribute][data_->Bucket(v, attribute)];
      if (number != kNotOnce) use(number);
    }
  }

 private:
  void FindOnce();
  void BlockRepeats();

  const EncodedDataset* data_;
  DiversityRule rule_;
  std::vector<Units> vertex_weight_;
  std::vector<Units> subtree_weight_;
  std::vector<size_t> sensitive_count_;
  std::vector<size_t> first_sensitive_;
  AnywhereValues anywhere_;
  RecordKinds kinds_;
  uint32_t once_count_ = 0;
  std::vector<std::vector<std::vector<uint32_t>>> once_number_;  // by class, attribute, bucket
  std::vector<bool> blocked_;
};

}  // namespace thicket
