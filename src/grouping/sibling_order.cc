#include "grouping/sibling_order.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
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
               PublishedClass& group)
      : data_(data), rule_(rule), random_(random), group_(group) {
    const auto members = static_cast<int>(group.records.size());
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
  size_t LabelsEnd(size_t position) const {
    return position < group_.size() ? group_.first_label[position] : group_.label_values.size();
  }

  // Canonical order inside both makes equal subtrees equal position by position.
  bool SameSubtree(size_t a, size_t b) const {
    const size_t size = group_.subtree_size[a];
    if (group_.subtree_size[b] != size) return false;
    for (size_t i = 0; i < size; ++i) {
      if (group_.vertex_class[a + i] != group_.vertex_class[b + i]) return false;
      if (group_.subtree_size[a + i] != group_.subtree_size[b + i]) return false;
    }
    const Label* labels = group_.label_values.data();
    return std::equal(labels + LabelsEnd(a), labels + LabelsEnd(a + size), labels + LabelsEnd(b),
                      labels + LabelsEnd(b + size));
  }

  // In canonical order equal siblings stand side by side.
  Run RunFrom(size_t first, size_t end) const {
    Run run = {first, group_.subtree_size[first], 1};
    for (size_t next = first + run.size; next < end && SameSubtree(first, next); next += run.size) {
      ++run.count;
    }
    return run;
  }

  Vertex* Vertices(size_t member, const Run& run) {
    return group_.vertices.data() + member * group_.size() + run.first;
  }

  void MixRun(const Run& run) {
    const size_t members = group_.records.size();
    if (!Constrains(run)) {
      for (size_t member = 0; member < members; ++member) {
        DrawOrder(run.count);
        Reorder(Vertices(member, run), run);
      }
      return;
    }
    ExchangePairs(run);
    DrawOrder(run.count);
    for (size_t member = 0; member < members; ++member) Reorder(Vertices(member, run), run);
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
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), size_t{0});
    random_.Shuffle(order_);
  }
  void Reorder(Vertex* vertices, const Run& run) {
    before_.assign(vertices, vertices + run.size * run.count);
    for (size_t i = 0; i < run.count; ++i) {
      std::copy_n(before_.begin() + static_cast<std::ptrdiff_t>(order_[i] * run.size), run.size,
                  vertices + i * run.size);
    }
  }

  // As many attempts per record as there are siblings.
  void ExchangePairs(const Run& run) {
    counts_.clear();
    for (size_t member = 0; member < group_.records.size(); ++member) {
      const Vertex* vertices = Vertices(member, run);
      for (size_t i = 0; i < run.count; ++i) CountSubtree(run, vertices + i * run.size, i, 1);
    }
    for (size_t member = 0; member < group_.records.size(); ++member) {
      Vertex* vertices = Vertices(member, run);
      for (size_t attempt = 0; attempt < run.count; ++attempt) {
        const size_t a = static_cast<size_t>(random_.Below(run.count));
        const size_t b = static_cast<size_t>(random_.Below(run.count));
        if (a != b) TryExchange(run, vertices, a, b);
      }
    }
  }

  void TryExchange(const Run& run, Vertex* vertices, size_t a, size_t b) {
    Vertex* of_a = vertices + a * run.size;
    Vertex* of_b = vertices + b * run.size;
    const auto move = [&](size_t from_a, size_t from_b, int by) {
      CountSubtree(run, of_a, from_a, by);
      CountSubtree(run, of_b, from_b, by);
    };
    move(a, b, -1);
    move(b, a, 1);
    if (HasRoom(run, of_a, b) && HasRoom(run, of_b, a)) {
      std::swap_ranges(of_a, of_a + run.size, of_b);
      return;
    }
    move(b, a, -1);
    move(a, b, 1);
  }

  // The sensitive values of a subtree of one record as if it stood at place `place` of the run.
  template <typename Use>
  void ForEachBucket(const Run& run, const Vertex* subtree, size_t place, const Use& use) {
    for (size_t i = 0; i < run.size; ++i) {
      const size_t attributes = SensitiveCount(run.first + i);
      for (size_t attribute = 0; attribute < attributes; ++attribute) {
        const uint32_t bucket = data_.Bucket(subtree[i], attribute);
        use(std::array<size_t, 3>{place * run.size + i, attribute, bucket});
      }
    }
  }
  void CountSubtree(const Run& run, const Vertex* subtree, size_t place, int by) {
    ForEachBucket(run, subtree, place, [&](const Key& key) { counts_[key] += by; });
  }
  bool HasRoom(const Run& run, const Vertex* subtree, size_t place) {
    bool room = true;
    ForEachBucket(run, subtree, place, [&](const Key& key) {
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
  PublishedClass& group_;
  int most_repeats_ = 0;
  std::array<int, 6> capacities_{};
  // How many records of the class show a bucket at a position.
  std::unordered_map<Key, int, KeyHash> counts_;
  std::vector<size_t> order_;
  std::vector<Vertex> before_;
};

}  // namespace

void MixEqualSiblings(const EncodedDataset& data, const DiversityRule& rule, Random& random,
                      PublishedClass& group) {
  SiblingMixer(data, rule, random, group).Mix();
}

}  // namespace thicket
