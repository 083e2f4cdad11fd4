// How similar a record can be to a cluster at the most, without matching their trees: one record against many clusters.
//
// The bound is that of grouping/similarity_bound.h, without sensitive values; there many records are held against one
// representative. A cluster is known by its profile, how many vertices it has at or below each node of the taxonomies;
// it is made anew when the cluster changes, which is rare beside comparisons.
//
//   ClusterBound bound(model, false);
//   ClusterBound::Profile profile = bound.ProfileOf(cluster);
//   Units most = bound.Most(cluster, profile, record);   // no pairing of their vertices saves more
//   most = bound.Most(cluster, profile, records, bound.CommonOf(records));
//
// Where many records join at once, at most so many vertices of what they have in common lie at or below a node as each
// of them has there.
//
// It holds for every way of pairing children (matching/merge.h), since it holds for the best one. A profile takes as many
// steps as there are nodes; a bound as many as the record has nodes at or above its labels.
#pragma once

#include <cstdint>
#include <vector>

#include "grouping/label_nodes.h"
#include "matching/representative.h"
#include "matching/tree_model.h"

namespace thicket {

class ClusterBound {
 public:
  using Profile = std::vector<uint32_t>;  // by node: vertices at or below it, without the root
  // A node where a record has vertices, or all records have.
  struct Entry {
    uint32_t node;
    uint32_t count;
    uint32_t gain;  // what a pair saves here more than at the parent
  };

  // `equal_only`: only vertices with equal labels may stand together (Mapping::kEqual), so the bound is lower.
  ClusterBound(const TreeModel& model, bool equal_only);

  Profile ProfileOf(const Representative& cluster) const;
  Units Most(const Representative& cluster, const Profile& profile, RecordId record) const;
  // The same for all of the records together; `common` is CommonOf them.
  Units Most(const Representative& cluster, const Profile& profile,
             const std::vector<RecordId>& records, const std::vector<Entry>& common) const;
  std::vector<Entry> CommonOf(const std::vector<RecordId>& records) const;

 private:
  const TreeModel* model_;
  LabelNodes nodes_;
  std::vector<uint64_t> first_entry_;  // by record
  std::vector<Entry> entries_;
};

}  // namespace thicket
