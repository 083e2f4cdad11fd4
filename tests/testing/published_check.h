// Says what is wrong with published classes, by the definitions (3.11 to 3.16 of Ozalp et al. 2016): the reference for
// tests of grouping.
//
//   EXPECT_EQ(FindFault(data, published, 3, 3), "");
//
// A label is the nearest above the values that stand together, until equal siblings are mixed (grouping/sibling_order.h): then other
// values stand together, of which it may be further above.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "record/publication.h"
#include "testing/literal_clustree.h"

namespace thicket::testing {

class PublishedChecker {
 public:
  PublishedChecker(const EncodedDataset& data, int class_size, int l, bool mixed = false)
      : data_(&data), class_size_(class_size), l_(l), mixed_(mixed) {}

  std::string Check(const Publication& published) const {
    std::multiset<RecordId> seen(published.suppressed().begin(), published.suppressed().end());
    for (const PublishedTree group : published.trees()) {
      seen.insert(group.records.begin(), group.records.end());
      if (group.size() == 0) return "a class is empty";
      if (group.records.size() < static_cast<size_t>(class_size_)) return "a class is too small";
      if (std::string fault = CheckTrees(group); !fault.empty()) return fault;
      if (std::string fault = CheckSecrets(group); !fault.empty()) return fault;
    }
    const size_t records = data_->forest().record_count();
    if (seen.size() != records || std::set<RecordId>(seen.begin(), seen.end()).size() != records) {
      return "a record is lost or there twice";
    }
    return "";
  }

 private:
  // By position; the root is its own parent.
  static std::vector<size_t> Parents(const PublishedTree& group) {
    std::vector<size_t> parents(group.size(), 0);
    for (size_t p = 0; p < group.size(); ++p) {
      for (size_t child = p + 1; child < p + group.subtree_size[p];
           child += group.subtree_size[child]) {
        parents[child] = p;
      }
    }
    return parents;
  }
  Vertex ParentInRecord(Vertex root, Vertex vertex) const {
    for (Vertex v = root; v < vertex; ++v) {
      for (const Vertex child : data_->forest().Children(v)) {
        if (child == vertex) return v;
      }
    }
    return root;
  }

  std::string CheckTrees(const PublishedTree& group) const {
    const std::vector<size_t> parents = Parents(group);
    for (size_t member = 0; member < group.records.size(); ++member) {
      const Vertex root = data_->forest().root(group.records[member]);
      std::set<Vertex> used;
      for (size_t p = 0; p < group.size(); ++p) {
        const Vertex v = group.vertex(member, p);
        if (!used.insert(v).second) return "a vertex stands at two positions";
        if (v < root || v >= root + data_->forest().record_size(group.records[member])) {
          return "a vertex is not of its record";
        }
        if (data_->forest().class_of(v) != group.vertex_class[p]) return "classes differ";
        const Vertex parent = p == 0 ? root : group.vertex(member, parents[p]);
        if ((p == 0 && v != root) || ParentInRecord(root, v) != parent) {
          return "it is not a pruning of the record";
        }
      }
    }
    for (size_t p = 0; p < group.size(); ++p) {
      const auto& domains = data_->classes[group.vertex_class[p]].domains;
      for (size_t slot = 0; slot < domains.size(); ++slot) {
        Label all = domains[slot].Leaf(data_->value(group.vertex(0, p), slot));
        for (size_t member = 1; member < group.records.size(); ++member) {
          const Value value = data_->value(group.vertex(member, p), slot);
          all = LiteralDomain(domains[slot]).Mrca(all, domains[slot].Leaf(value));
        }
        const Label label = group.labels(p)[slot];
        if (LiteralDomain(domains[slot]).Mrca(all, label) != label)
          return "a label is not above its values";
        if (!mixed_ && label != all) return "a label is not the nearest that covers its values";
      }
    }
    return "";
  }

  std::string CheckSecrets(const PublishedTree& group) const {
    std::map<std::tuple<ClassId, size_t, uint32_t>, int> in_class;
    for (size_t p = 0; p < group.size(); ++p) {
      const ClassId id = group.vertex_class[p];
      for (size_t i = 0; i < data_->schema().classes[id].sensitive.size(); ++i) {
        std::map<uint32_t, size_t> count;
        for (size_t member = 0; member < group.records.size(); ++member) {
          const uint32_t bucket = data_->Bucket(group.vertex(member, p), i);
          ++count[bucket];
          if (data_->classes[id].once[i][bucket] && ++in_class[{id, i, bucket}] > 1) {
            return "a value that may occur only once occurs twice";
          }
        }
        for (const auto& [bucket, times] : count) {
          if (times * static_cast<size_t>(l_) > group.records.size()) {
            return "a vertex is not diverse";
          }
        }
      }
    }
    return "";
  }

  const EncodedDataset* data_;
  int class_size_;
  int l_;
  bool mixed_;
};

inline std::string FindFault(const EncodedDataset& data, const Publication& published,
                             int class_size, int l) {
  return PublishedChecker(data, class_size, l).Check(published);
}
inline std::string FindFaultOfMixed(const EncodedDataset& data, const Publication& published,
                                    int class_size, int l) {
  return PublishedChecker(data, class_size, l, /*mixed=*/true).Check(published);
}

}  // namespace thicket::testing
