// How a taxonomy over items that had none was put together, and the line by which its file says so.
//
//   # thicket taxonomy build --fanout 4 --order together
//
// A taxonomy that fits its data loses less, and one that was made from the data is no property of the items: whoever reads a
// report must know. So the order stands in the first line of the file, and goes from there into the report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thicket {

// Which items stand side by side.
enum class ItemOrder : uint8_t {
  kGiven,    // neighbours in their own order, numbers as numbers
  kRandom,   // any
  kTogether  // those that appear together with the same others; see together.h
};

std::string_view ItemOrderName(ItemOrder order);
std::optional<ItemOrder> ParseItemOrder(std::string_view name);

struct TaxonomyOrigin {
  size_t fanout = 0;
  ItemOrder order = ItemOrder::kGiven;
  // kRandom: as given; none where the order came from the system's random source.
  std::optional<uint64_t> seed = {};

  friend bool operator==(const TaxonomyOrigin&, const TaxonomyOrigin&) = default;
};

// The line, without its end; it holds no separator of columns.
std::string OriginLine(const TaxonomyOrigin& origin);
// Nothing if the line is any other.
std::optional<TaxonomyOrigin> ParseOriginLine(std::string_view line);

}  // namespace thicket
