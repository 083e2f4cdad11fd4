// How a quasi-identifier may be made more general, as the policy says it, and the taxonomies that follow from it.
//
//   ranges: [5, 10, 20]     1993 -> [1990, 1995) -> [1990, 2000) -> [1980, 2000) -> *
//   mask: 2                 12345 -> 1234* -> 123** -> *; of a ZIP+4 code 12345-6789 -> 12345 -> 1234* -> 123** -> *
//   date: [month, year]     1993-04-17 -> 1993-04 -> 1993 -> *
//   numeric: true           any interval [min, max]; not a taxonomy, see domain.h
//   taxonomy: FILE          as given; see taxonomy_file.h
//   network: wordnet        not generalized but replaced by words nearby; see semantic_network.h
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/decimal.h"
#include "base/result.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

// What becomes of a value that does not fit: one that a taxonomy or a network does not have, or that is no number or no date.
enum class UnknownValues {
  kError,  // the data is refused
  kGeneralize,  // a leaf right under the root; in a network, a word that has nothing to do with any other
  kLeaveOut,  // as if the value were not there: `missing`
};

enum class DateUnit { kDay, kMonth, kQuarter, kYear, kDecade };

struct Recoding {
  enum class Kind { kTaxonomy, kRanges, kNumeric, kMask, kDate, kNetwork };
  Kind kind = Kind::kTaxonomy;
  // kTaxonomy: the path as the policy gives it. kNetwork: "wordnet", or the path of a folder with its files.
  std::string file;
  // Every text fits a mask.
  UnknownValues unknown = UnknownValues::kError;
  // kRanges: widths, each a multiple of the one before; intervals are aligned at 0.
  std::vector<Decimal> widths;
  // kMask: how many characters may be masked, from the right.
  int mask = 0;
  // kDate: from fine to coarse.
  std::vector<DateUnit> units;
  // kDate: how dates are written (taxonomy/date_format.h); empty for yyyy-mm-dd and what FitsRecoding says of it.
  std::string format = {};
};

// Whether a value can be recoded this way at all (a number for ranges and numeric, a date for date). Dates are
// yyyy-mm-dd, also with a time behind it, yyyy-mm or yyyy, or as the recoding's format says; 00 is a month or a day that nobody
// knows. Numbers are exact (base/decimal.h), and may be of any length. What a taxonomy has is not known here.
bool FitsRecoding(const Recoding& recoding, std::string_view value);

// What a value must be to fit, for messages: "a number", "a date (yyyy-mm-dd)".
std::string RecodingExpectation(const Recoding& recoding);

// The ancestors of a value under ranges, mask or date, nearest first, without the root; none for a value that does not fit. Labels: the
// interval "[1990, 1995)"; the masked text; the day "1993-04-17", month "1993-04", quarter "1993-Q2", year "1993" and
// decade "1990s". A date that lacks a day or a month has no ancestors in units finer than itself, and none is equal to
// the value. Masking counts characters (UTF-8 code points), and stops when all of them are masked. A ZIP+4 code (five digits, a
// hyphen, four digits) loses the four first, and is masked as the five are.
std::vector<std::string> RecodingAncestors(const Recoding& recoding, std::string_view value);

// The taxonomy over these values under ranges, mask, date or a network, which has nothing between its words and the root. Values may
// come in any order and more than once; the result depends only on the set of them. Two texts of one number are two leaves. A value
// that does not fit stands right under the root.
//
// A value may read like an inner label: "1993" beside "1993-04-17" under [year], or "1234*" beside "12345" under a
// mask. The value keeps its text as a leaf, and the inner node, which covers it, is called "1993 (any)".
Taxonomy DeriveTaxonomy(const Recoding& recoding, std::vector<std::string> values);

}  // namespace thicket
