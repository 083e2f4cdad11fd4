// In how many records of each shape of a release each sensitive value is held by a vertex that shows a known label.
//
// As the promise of k^(m,n)-anonymity counts: a vertex holds its own values and those of descendants without labels, if
// none with a label is in between; the root likewise. A record counts once for a value, and a missing value is none.
//
//   const HeldCounts::ByShape& counts = held.OfLabel(label);
//   for (const HeldCounts::Count& count : counts.Of(shape)) Use(count.secret, count.records);
//
// Counted once per label, since many victims share it: O(vertices).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "attack/known_labels.h"
#include "attack/release.h"

namespace thicket {

class HeldCounts {
 public:
  // `secret` stands for a bucket of an attribute of a class.
  struct Count {
    uint32_t secret;
    uint32_t records;
  };
  struct ByShape {
    std::vector<uint32_t> first = {0};
    std::vector<Count> counts;
    std::span<const Count> Of(size_t shape) const {
      return {counts.data() + first[shape], first[shape + 1] - first[shape]};
    }
  };

  HeldCounts(const Schema& schema, const Release& release);

  size_t secret_count() const { return secret_count_; }
  // The result of either holds until the next question.
  const ByShape& OfRoots();
  const ByShape& OfLabel(const KnownLabel& label);

 private:
  // Beyond this many counts in all, everything is forgotten.
  static constexpr size_t kMostCounts = size_t{1} << 25;

  template <typename Accept>
  ByShape CountWhere(const Accept& accept) const;
  void AppendSecrets(Vertex vertex, std::vector<uint32_t>& secrets) const;

  const Schema& schema_;
  const Release& release_;
  // By class and attribute: the number of its first bucket.
  std::vector<std::vector<uint32_t>> first_secret_;
  uint32_t secret_count_ = 0;
  // By vertex.
  std::vector<Vertex> holder_;
  std::vector<ByShape> roots_;
  std::map<KnownLabel, ByShape> labels_;
  size_t kept_ = 0;
};

}  // namespace thicket
