#include "grouping/miracle_repair.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/stop.h"

namespace thicket {

namespace {

class DiversityRepair {
 public:
  DiversityRepair(std::vector<Representative> classes, DiversityRule rule, ClusterSearch& search)
      : rule_(rule),
        search_(search),
        data_(search.model().data()),
        classes_(std::move(classes)),
        there_(classes_.size(), true) {}

  Result<Repaired> Run(const Progress& progress) {
    Repaired result;
    for (size_t i = 0; i < classes_.size(); ++i) {
      StopPoint();
      if (progress.cancelled()) return Interrupted();
      if (there_[i] && !RepairRoot(i)) {
        there_[i] = false;
        const std::vector<RecordId>& records = classes_[i].records();
        result.suppressed.insert(result.suppressed.end(), records.begin(), records.end());
      }
    }
    for (size_t i = 0; i < classes_.size(); ++i) {
      StopPoint();
      if (there_[i]) result.classes.push_back(PruneAnywhere(Prune(classes_[i])));
    }
    return result;
  }

 private:
  using Members = std::vector<Vertex>;

  static Members MembersAt(const Representative& group, uint32_t position) {
    Members members;
    for (size_t i = 0; i < group.member_count(); ++i) members.push_back(group.vertex(position, i));
    return members;
  }

  // How far from diverse the vertices are if they stand together; 0 if they are diverse.
  size_t Excess(const Members& members) const {
    const size_t attributes =
        data_.schema().classes[data_.forest().class_of(members.front())].sensitive.size();
    size_t excess = 0;
    std::vector<uint32_t> buckets(members.size());
    for (size_t attribute = 0; attribute < attributes; ++attribute) {
      for (size_t i = 0; i < members.size(); ++i) buckets[i] = data_.Bucket(members[i], attribute);
      int most = 0;
      for (const uint32_t bucket : buckets) {
        most = std::max(most, CountBucket(buckets.data(), buckets.size(), bucket));
      }
      const size_t needed = static_cast<size_t>(most) * static_cast<size_t>(rule_.l);
      if (needed > members.size()) excess += needed - members.size();
    }
    return excess;
  }

  // False, and nothing has changed, if no classes make the root diverse.
  bool RepairRoot(size_t index) {
    Representative group = classes_[index];
    std::vector<bool> free = there_;
    free[index] = false;
    for (size_t excess = Excess(MembersAt(group, 0)); excess > 0;) {
      const auto nearest = search_.NearestTo(group, classes_, Improving(group, excess, free));
      if (!nearest) return false;
      std::optional<Representative> united = search_.Unite(group, classes_[nearest->cluster]);
      if (!united) return false;
      group = std::move(*united);
      free[nearest->cluster] = false;
      excess = Excess(MembersAt(group, 0));
    }
    classes_[index] = std::move(group);
    free[index] = true;
    there_ = std::move(free);
    return true;
  }

  // The free classes with which the root comes closer to being diverse.
  std::vector<bool> Improving(const Representative& group, size_t excess,
                              const std::vector<bool>& free) const {
    std::vector<bool> improving(classes_.size(), false);
    const Members own = MembersAt(group, 0);
    for (size_t i = 0; i < classes_.size(); ++i) {
      StopPoint();
      if (!free[i]) continue;
      Members both = MembersAt(classes_[i], 0);
      both.insert(both.end(), own.begin(), own.end());
      improving[i] = Excess(both) < excess;
    }
    return improving;
  }

  Representative Prune(const Representative& group) const {
    std::vector<uint32_t> kept;
    for (uint32_t p = 0; p < group.size();) {
      if (Excess(MembersAt(group, p)) > 0) {
        p += group.subtree_size(p);
      } else {
        kept.push_back(p++);
      }
    }
    if (kept.size() == group.size()) return group;
    return group.Keep(search_.model(), kept, static_cast<int>(group.member_count()));
  }

  // Suppresses what stands in too many records, in whichever vertex.
  Representative PruneAnywhere(Representative group) {
    const TreeModel& model = search_.model();
    if (model.anywhere().empty()) return group;
    std::vector<Vertex> vertices;
    std::vector<uint32_t> sizes;
    std::vector<Units> worth;
    for (uint32_t p = 0; p < group.size(); ++p) {
      const Members members = MembersAt(group, p);
      vertices.insert(vertices.end(), members.begin(), members.end());
      sizes.push_back(group.subtree_size(p));
      const auto& domains = data_.classes[group.class_of(p)].domains;
      worth.push_back(model.vertex_weight(group.class_of(p)));
      for (size_t slot = 0; slot < domains.size(); ++slot) {
        worth.back() -= domains[slot].Loss(group.labels(p)[slot]);
      }
    }
    const int size = static_cast<int>(group.member_count());
    if (pruner_.Prune(model.anywhere(), rule_, size,
                      {group.member_count(), vertices, sizes, worth}))
      return group;
    std::vector<uint32_t> kept;
    for (uint32_t p = 0; p < group.size(); ++p) {
      if (pruner_.kept()[p]) kept.push_back(p);
    }
    return group.Keep(model, kept, size);
  }

  DiversityRule rule_;
  AnywherePruner pruner_;
  ClusterSearch& search_;
  const EncodedDataset& data_;
  std::vector<Representative> classes_;
  std::vector<bool> there_;  // by class: not taken in by another one, not suppressed
};

}  // namespace

Result<Repaired> RepairDiversity(std::vector<Representative> classes, DiversityRule rule,
                                 ClusterSearch& search, const Progress& progress) {
  return DiversityRepair(std::move(classes), rule, search).Run(progress);
}

}  // namespace thicket
