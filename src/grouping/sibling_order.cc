#include "grouping/sibling_order.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace thicket {

namespace {

// Equal siblings: `count` subtrees of `size` positions each, one after another.
struct Run {
  size_t first = 0;
  size_t size = 0;
  size_t count = 0;
};

class SiblingMixer {
 public:
  SiblingMixer(const EncodedDataset& data, const DiversityRule& rule, Random& random,
               Publication& publication, size_t tree)
      : data_(data),
        rule_(rule),
        random_(random),
        publication_(publication),
        tree_(tree),
        group_(publication.tree(tree)) {
    const auto members = static_cast<int>(group_.records.size());
    most_repeats_ = rule.MostRepeats(members);
    if (rule.HasLevels()) capacities_ = rule.Capacities(members);
  }

  void Mix() {
    // Parents before children: what stands below two siblings moves with them, and is mixed at its new place.
    for (size_t parent = 0; parent < group_.size(); ++parent) {
      const size_t end = parent + group_.subtree_size[parent];
      for (size_t child = parent + 1; child < end;) {
        const Run run = RunFrom(child, end);
        if (run.count > 1) MixRun(run);
        child += run.size * run.count;
      }
    }
  }

 private:
  // Canonical order inside both makes equal subtrees equal position by position.
  bool SameSubtree(size_t a, size_t b) const {
    const size_t size = group_.subtree_size[a];
    if (group_.subtree_size[b] != size) return false;
    for (size_t i = 0; i < size; ++i) {
      if (group_.vertex_class[a + i] != group_.vertex_class[b + i]) return false;
      if (group_.subtree_size[a + i] != group_.subtree_size[b + i]) return false;
      const std::span<const Label> labels = group_.labels(a + i);
      const std::span<const Label> others = group_.labels(b + i);
      if (!std::equal(labels.begin(), labels.end(), others.begin(), others.end())) return false;
    }
    return true;
  }

  // In canonical order equal siblings stand side by side.
  Run RunFrom(size_t first, size_t end) const {
    Run run = {first, group_.subtree_size[first], 1};
    if (data_.schema().classes[group_.vertex_class[first]].ordered) return run;
    for (size_t next = first + run.size; next < end && SameSubtree(first, next); next += run.size) {
      ++run.count;
    }
    return run;
  }

  void MixRun(const Run& run) {
    const size_t members = group_.records.size();
    if (!Constrains(run)) {
      for (size_t member = 0; member < members; ++member) {
        DrawOrder(run.count);
        Reorder(member, run);
      }
      return;
    }
    ExchangePairs(run);
    DrawOrder(run.count);
    for (size_t member = 0; member < members; ++member) Reorder(member, run);
  }
  void Reorder(size_t member, const Run& run) {
    publication_.ReorderSubtrees(tree_, member, run.first, run.size, order_);
  }

  // Whether some position of the run has to be diverse.
  bool Constrains(const Run& run) const {
    if (!rule_.Constrains()) return false;
    for (size_t i = 0; i < run.size; ++i) {
      if (SensitiveCount(run.first + i) > 0) return true;
    }
    return false;
  }
  size_t SensitiveCount(size_t position) const {
    return data_.schema().classes[group_.vertex_class[position]].sensitive.size();
  }

  void DrawOrder(size_t count) {
    ResetOrder(count);
    random_.Shuffle(order_);
  }
  void ResetOrder(size_t count) {
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), size_t{0});
  }

  // As many attempts per record as there are siblings.
  void ExchangePairs(const Run& run) {
    counts_.clear();
    for (size_t member = 0; member < group_.records.size(); ++member) {
      for (size_t i = 0; i < run.count; ++i) CountSubtree({run, member, i}, i, 1);
    }
    for (size_t member = 0; member < group_.records.size(); ++member) {
      ResetOrder(run.count);
      for (size_t attempt = 0; attempt < run.count; ++attempt) {
        const size_t a = static_cast<size_t>(random_.Below(run.count));
        const size_t b = static_cast<size_t>(random_.Below(run.count));
        if (a != b) TryExchange(run, member, a, b);
      }
      Reorder(member, run);
    }
  }

  // One of the equal siblings of a record, by its place before the exchanges.
  struct Subtree {
    const Run& run;
    size_t member;
    size_t index;
  };

  // Of a record's siblings that stand at places a and b now.
  void TryExchange(const Run& run, size_t member, size_t a, size_t b) {
    const Subtree of_a = {run, member, order_[a]};
    const Subtree of_b = {run, member, order_[b]};
    const auto move = [&](size_t from_a, size_t from_b, int by) {
      CountSubtree(of_a, from_a, by);
      CountSubtree(of_b, from_b, by);
    };
    move(a, b, -1);
    move(b, a, 1);
    if (HasRoom(of_a, b) && HasRoom(of_b, a)) {
      std::swap(order_[a], order_[b]);
      return;
    }
    move(b, a, -1);
    move(a, b, 1);
  }

  // The sensitive values of a subtree of one record as if it stood at place `place` of the run.
  template <typename Use>
  void ForEachBucket(const Subtree& subtree, size_t place, const Use& use) {
    const Run& run = subtree.run;
    for (size_t i = 0; i < run.size; ++i) {
      const size_t attributes = SensitiveCount(run.first + i);
      if (attributes == 0) continue;
      const size_t position = run.first + subtree.index * run.size + i;
      for (const Vertex source : group_.sources(subtree.member, position)) {
        for (size_t attribute = 0; attribute < attributes; ++attribute) {
          const uint32_t bucket = data_.Bucket(source, attribute);
          use(std::array<size_t, 3>{place * run.size + i, attribute, bucket});
        }
      }
    }
  }
  void CountSubtree(const Subtree& subtree, size_t place, int by) {
    ForEachBucket(subtree, place, [&](const Key& key) { counts_[key] += by; });
  }
  bool HasRoom(const Subtree& subtree, size_t place) {
    bool room = true;
    ForEachBucket(subtree, place, [&](const Key& key) {
      const int most = rule_.HasLevels() ? capacities_[key[2]] : most_repeats_;
      room = room && counts_[key] <= most;
    });
    return room;
  }

  // A position of the run, a sensitive attribute there, and a bucket.
  using Key = std::array<size_t, 3>;
  struct KeyHash {
    size_t operator()(const Key& key) const {
      uint64_t hash = 0x9e3779b97f4a7c15ULL;
      for (const size_t part : key) {
        hash = (hash ^ part) * 0xbf58476d1ce4e5b9ULL;
        hash ^= hash >> 29;
      }
      return static_cast<size_t>(hash);
    }
  };

  const EncodedDataset& data_;
  const DiversityRule& rule_;
  Random& random_;
  Publication& publication_;
  size_t tree_;
  PublishedTree group_;
  int most_repeats_ = 0;
  std::array<int, 6> capacities_{};
  // How many records of the class show a bucket at a position.
  std::unordered_map<Key, int, KeyHash> counts_;
  // By place of a run, which of its siblings comes there.
  std::vector<size_t> order_;
};

}  // namespace

void MixEqualSiblings(const EncodedDataset& data, const DiversityRule& rule, Random& random,
                      Publication& publication, size_t tree) {
  SiblingMixer(data, rule, random, publication, tree).Mix();
}

}  // namespace thicket
