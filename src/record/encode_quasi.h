// The domain of one quasi-identifier, and the value of each of its symbols there: a part of Encode() (record/dataset.h).
//
//   THICKET_ASSIGN(AttributeEncoding encoding, EncodeQuasi(data, id, slot, taxonomies, counts));
//   encoding.domain.Leaf(encoding.value_of_symbol[symbol]);
//
// O(distinct values), and O(vertices) where one of them is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"
#include "taxonomy/domain.h"

namespace thicket {

// Of a symbol that is no value of its domain.
inline constexpr uint32_t kNoValue = ~uint32_t{0};

// A domain and the value of each symbol in it; kNoValue where the symbol has none.
struct AttributeEncoding {
  Domain domain;
  std::vector<uint32_t> value_of_symbol;
  // See ClassEncoding.
  std::vector<uint32_t> secret_of_value = {};
};

// `counts`: how often each symbol occurs. Fails with kData as Encode() says.
Result<AttributeEncoding> EncodeQuasi(const Dataset& data, ClassId id, size_t slot,
                                      const TaxonomyFiles& taxonomies,
                                      const std::vector<uint32_t>& counts);

// The taxonomy of an attribute, under its file, or in its folder under the attribute's name.
TaxonomyFiles::const_iterator LocateTaxonomy(const TaxonomyFiles& taxonomies,
                                             const QuasiAttribute& attribute);

// Where the first vertex is whose symbol is `bad`, `what` is wrong with it, and how many values are.
Error BadValues(const Dataset& data, ClassId id, size_t slot, const std::vector<bool>& bad,
                const std::vector<uint32_t>& counts, const std::string& what, std::string hint);
// The same of numbers whose exponents are too large.
Error BadExponents(const Dataset& data, ClassId id, size_t slot, const std::vector<bool>& bad,
                   const std::vector<uint32_t>& counts);

}  // namespace thicket
