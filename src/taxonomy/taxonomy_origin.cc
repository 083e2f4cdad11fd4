#include "taxonomy/taxonomy_origin.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"

namespace thicket {

namespace {

constexpr std::array<std::pair<ItemOrder, std::string_view>, 3> kOrders = {
    {{ItemOrder::kGiven, "given"},
     {ItemOrder::kRandom, "random"},
     {ItemOrder::kTogether, "together"}}};

// Takes a text from the front, if it is there.
bool Take(std::string_view& text, std::string_view head) {
  if (!text.starts_with(head)) return false;
  text.remove_prefix(head.size());
  return true;
}

// Takes digits from the front.
template <typename Number>
bool TakeNumber(std::string_view& text, Number& number) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

}  // namespace

std::string_view ItemOrderName(ItemOrder order) {
  for (const auto& [known, name] : kOrders) {
    if (known == order) return name;
  }
  return "";
}

std::optional<ItemOrder> ParseItemOrder(std::string_view name) {
  for (const auto& [order, known] : kOrders) {
    if (known == name) return order;
  }
  return std::nullopt;
}

std::string OriginLine(const TaxonomyOrigin& origin) {
  std::string line = fmt::format("# thicket taxonomy build --fanout {} --order {}", origin.fanout,
                                 ItemOrderName(origin.order));
  if (origin.seed) line += fmt::format(" --seed {}", *origin.seed);
  return line;
}

std::optional<TaxonomyOrigin> ParseOriginLine(std::string_view line) {
  line = Trim(line);
  TaxonomyOrigin origin;
  if (!Take(line, "# thicket taxonomy build --fanout ") || !TakeNumber(line, origin.fanout) ||
      !Take(line, " --order ")) {
    return std::nullopt;
  }
  const std::optional<ItemOrder> order = ParseItemOrder(line.substr(0, line.find(' ')));
  if (!order) return std::nullopt;
  origin.order = *order;
  Take(line, ItemOrderName(*order));
  if (Take(line, " --seed ")) {
    uint64_t seed = 0;
    if (!TakeNumber(line, seed)) return std::nullopt;
    origin.seed = seed;
  }
  if (!line.empty()) return std::nullopt;
  return origin;
}

}  // namespace thicket
