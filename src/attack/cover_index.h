// Which records of a list have at least so many vertices with a value of some kind.
//
// The quick test before an expensive one: a bitmap over the records, found from lists of who has which value, and kept
// for the next question. What "of some kind" means is the caller's: all values that a label covers, or all labels that
// cover a value.
//
//   CoverIndex index(schema, forest, values, records);
//   const Bitmap& some = index.Find(course, code, label, 2, [&](uint32_t raw) { return ...; });
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "attack/record_bits.h"
#include "record/forest.h"
#include "record/schema.h"

namespace thicket {

class CoverIndex {
 public:
  CoverIndex(const Schema& schema, const Forest& forest, VertexValues values,
             const std::vector<RecordId>& records);

  // Records with at least `least` vertices of class `id` whose raw value in `slot` is accepted. Questions with equal
  // (id, slot, key, least) must be equal. The result holds until the next question.
  const Bitmap& Find(ClassId id, size_t slot, uint32_t key, uint32_t least,
                     const std::function<bool(uint32_t raw)>& accept);

  // All records.
  Bitmap All() const;

 private:
  struct Holder {
    uint32_t record;  // in the list
    uint32_t count;
  };
  // Bitmaps beyond this size in all are forgotten.
  static constexpr size_t kMostWords = size_t{1} << 25;

  size_t record_count_;
  // By class, slot and raw value.
  std::vector<std::vector<std::vector<std::vector<Holder>>>> holders_;
  // By class and slot; the key and the least count in one.
  std::vector<std::vector<std::unordered_map<uint64_t, Bitmap>>> known_;
  size_t known_words_ = 0;
  std::vector<uint32_t> counts_;
  std::vector<uint32_t> touched_;
};

}  // namespace thicket
