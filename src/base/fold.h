// What a value means, whatever way it is written: the form in which sensitive values are compared and counted.
//
// Two people with "HIV" and "hiv " have the same secret. Where diversity, `once`, levels and buckets are counted, a value
// stands for everything that a reader would take for the same:
//   - numbers by value: 1, 1.0, +1, 01 and 10e-1;
//   - texts after Unicode's compatibility decomposition (NFKD) and case folding, so that composed and decomposed letters,
//     wide and narrow forms and ligatures are the same; what cannot be seen (zero-width characters, soft hyphens, control
//     characters) is left out, any run of blanks is one blank, and there is none at the ends; dashes, quotes and digits of
//     any script are ASCII's;
//   - what is then empty is a missing value.
// To fold too much only costs utility, to fold too little costs the promise: of two forms the one that folds more is
// taken. Letters of different scripts that look alike (Latin A, Greek Alpha) stay different.
//
//   FoldValue("2.50") == FoldValue("25e-1");
//   FoldValue(" Flu\u00a0A ") == FoldValue("flu a");
//   FoldValue("\u200b").empty();
//
// What is published keeps its text. O(length).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/decimal.h"

namespace thicket {

// Equal for values that mean the same; empty for those that mean nothing.
std::string FoldValue(std::string_view text);

// The number that the text means; nothing if it means none, or one whose exponent is too large. Texts with equal
// FoldValue() have equal numbers.
std::optional<Decimal> FoldNumber(std::string_view text);

// The text in small letters, of any script, and otherwise as it is; bytes that are not UTF-8 stay.
std::string LowerCased(std::string_view text);

}  // namespace thicket
