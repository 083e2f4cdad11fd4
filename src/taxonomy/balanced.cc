#include "taxonomy/balanced.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/decimal.h"

namespace thicket {

namespace {

void SortValues(std::vector<std::string>& values) {
  std::vector<std::pair<std::optional<Decimal>, std::string>> numbered;
  bool numbers = true;
  for (std::string& value : values) {
    std::optional<Decimal> number = Decimal::Parse(value);
    numbers = numbers && number;
    numbered.emplace_back(std::move(number), std::move(value));
  }
  if (!numbers) {
    for (auto& [number, value] : numbered) number.reset();
  }
  std::sort(numbered.begin(), numbered.end());
  values.clear();
  for (auto& [number, value] : numbered) {
    if (values.empty() || values.back() != value) values.push_back(std::move(value));
  }
}

}  // namespace

Taxonomy BalancedTaxonomy(std::vector<std::string> values, size_t fanout) {
  SortValues(values);
  // The smallest power of the fan-out that covers all values is the root; below it, blocks of each smaller power.
  size_t block = fanout;
  while (block < values.size()) block *= fanout;
  TaxonomyBuilder builder;
  std::vector<std::pair<size_t, TaxonomyBuilder::Handle>> level = {{0, TaxonomyBuilder::root()}};
  for (block /= fanout; block >= fanout; block /= fanout) {
    std::vector<std::pair<size_t, TaxonomyBuilder::Handle>> next;
    for (size_t first = 0, above = 0; first < values.size(); first += block) {
      while (above + 1 < level.size() && level[above + 1].first <= first) ++above;
      const size_t last = std::min(first + block, values.size()) - 1;
      // A block of one value would be its own generalization.
      const bool needless = first == last;
      next.emplace_back(
          first, needless ? level[above].second
                          : builder.Add(level[above].second, values[first] + ".." + values[last]));
    }
    level = std::move(next);
  }
  for (size_t i = 0, above = 0; i < values.size(); ++i) {
    while (above + 1 < level.size() && level[above + 1].first <= i) ++above;
    builder.Add(level[above].second, values[i]);
  }
  return std::move(builder).Build();
}

}  // namespace thicket
