// Numbers with a comma before their fraction, as half of the world writes them: 1,5 instead of 1.5.
//
// Everything between readers and writers has points. A number with a comma gets a point when it is read, and its comma back when it is
// written, and so do the ends of an interval: [1.5, 2) stands in the file as [1,5, 2), where a comma and a blank stand between
// the ends. What has a point in such a file is no number: it gets a comma while it is read, and its point back. So a text that
// was read is written as it was.
//
//   DecimalComma numbers(input, vertex_class);
//   std::string scratch;
//   numbers.Turn(slot, "1,5", scratch);   // "1.5"
//   numbers.Turn(slot, "1.5", scratch);   // "1,5"
//
// Only what may be a number is turned: quasi-identifiers with ranges or numeric: true, and sensitive values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"

namespace thicket {

class DecimalComma {
 public:
  DecimalComma(const InputPolicy& input, const VertexClass& type);

  // Whether anything is ever turned.
  bool any() const { return any_; }
  // The text with points for commas and commas for points, if that is a number, or an interval of numbers, in either way; otherwise
  // the text itself. Turned twice, it is what it was. Valid as long as the text and the scratch.
  std::string_view Turn(size_t slot, std::string_view text, std::string& scratch) const;

 private:
  bool any_ = false;
  // By slot: whether it may hold numbers.
  std::vector<bool> numbers_;
};

}  // namespace thicket
