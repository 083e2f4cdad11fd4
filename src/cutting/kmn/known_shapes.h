// Which shapes have a label, and in which of them two labels are related: what was found out once, for all cuts.
//
// Neither depends on a cut, as long as nothing is broken: a shape has a label if one of its items is the label or below it, and
// two labels are related where such items stand on one path. So what a specialization needs to know was mostly found out when
// the same label was looked at in the cut above, and only what the children of the label are to the newest labels is missing.
//
//   KnownShapes known(shapes);
//   known.KeepRelated(child, other, set);
//   if (const KnownShapes::Related* related = known.FindRelated(child, other)) related->Fill(set);
//
// Relations that few records have are kept as lists. Beyond kMostBytes nothing more is kept, and whoever asks finds out again. All
// examiners of a search share one object: any of them may ask and keep at the same time, but not while Retain() forgets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cutting/kmn/cut.h"

namespace thicket {

class KnownShapes {
 public:
  // Of two labels: a bitmap that may be shared, or a list of the shapes and how many records these have.
  struct Related {
    std::shared_ptr<const ShapeSet> set;
    ShapeList list;
    uint64_t records = 0;

    // Makes a bitmap of the list.
    void Fill(ShapeSet& to, size_t words) const {
      to.words.assign(words, 0);
      for (const uint32_t shape : list) to.words[shape / 64] |= uint64_t{1} << (shape % 64);
      to.records = records;
    }
  };
  static constexpr size_t kMostBytes = size_t{1} << 29;

  explicit KnownShapes(const Shapes& shapes) : words_(ShapeWordCount(shapes.size())) {}

  // Null if nobody has kept it. What is found holds until Retain() forgets it.
  std::shared_ptr<const LabelShapes> FindShapes(Item label) const;
  const Related* FindRelated(Item a, Item b) const;
  void KeepShapes(Item label, const std::shared_ptr<const LabelShapes>& shapes);
  // `set`: all shapes in which the two are related, of which there may be none.
  void KeepRelated(Item a, Item b, const ShapeSet& set);
  // Forgets what is known of labels for which `is_needed` does not hold, by item.
  void Retain(const std::vector<bool>& is_needed);

 private:
  static uint64_t KeyOf(Item a, Item b) {
    return a < b ? uint64_t{a} << 32 | b : uint64_t{b} << 32 | a;
  }
  static size_t BytesOf(const LabelShapes& shapes) {
    return shapes.list.size() * sizeof(uint32_t) + shapes.set.words.size() * sizeof(uint64_t);
  }
  static size_t BytesOf(const Related& related) {
    constexpr size_t kOfEntry = 96;
    return kOfEntry + related.list.size() * sizeof(uint32_t) +
           (related.set ? related.set->words.size() * sizeof(uint64_t) : 0);
  }

  const size_t words_;
  mutable std::mutex mutex_;
  size_t bytes_ = 0;
  std::unordered_map<Item, std::shared_ptr<const LabelShapes>> shapes_;
  std::unordered_map<uint64_t, Related> related_;
};

}  // namespace thicket
