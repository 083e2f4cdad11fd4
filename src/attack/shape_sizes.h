// How many records have the shapes of a bitmap.
//
//   ShapeSizes sizes(release.shapes());
//   sizes.Count(shapes);
//
// The sizes of all shapes are kept as bitmaps, one for each binary digit. O(shapes / 64 * digits), whichever shapes are asked for.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "attack/record_bits.h"
#include "record/canonical_form.h"

namespace thicket {

class ShapeSizes {
 public:
  explicit ShapeSizes(const RecordGroups& shapes) {
    for (size_t shape = 0; shape < shapes.size(); ++shape) {
      const size_t size = shapes.size(shape);
      while (digits_.size() < static_cast<size_t>(std::bit_width(size))) {
        digits_.emplace_back((shapes.size() + 63) / 64, 0);
      }
      for (size_t digit = 0; digit < digits_.size(); ++digit) {
        if ((size >> digit & 1) == 0) continue;
        digits_[digit][shape / 64] |= uint64_t{1} << (shape % 64);
      }
    }
  }

  size_t Count(const Bitmap& shapes) const {
    size_t records = 0;
    for (size_t digit = 0; digit < digits_.size(); ++digit) {
      records += CountCommon(shapes, digits_[digit]) << digit;
    }
    return records;
  }

 private:
  std::vector<Bitmap> digits_;
};

}  // namespace thicket
