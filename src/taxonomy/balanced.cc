#include "taxonomy/balanced.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/decimal.h"

namespace thicket {

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

Taxonomy RandomTaxonomy(std::vector<std::string> values, size_t fanout, Random& random) {
  SortValues(values);
  std::vector<uint32_t> place(values.size());
  std::iota(place.begin(), place.end(), 0);
  random.Shuffle(place);
  std::vector<std::vector<uint32_t>> levels;
  for (size_t count = values.size(); count > fanout; count = (count + fanout - 1) / fanout) {
    std::vector<uint32_t> group_of(count);
    for (size_t i = 0; i < count; ++i) {
      group_of[i] = static_cast<uint32_t>((levels.empty() ? place[i] : i) / fanout);
    }
    levels.push_back(std::move(group_of));
  }
  return GroupedTaxonomy(values, levels);
}

namespace {

// A group, or a value below one.
struct Member {
  // In the values' order.
  uint32_t first_value = 0;
  // Whose name a group has.
  uint32_t named_after = 0;
  uint32_t values = 1;
  std::vector<uint32_t> below = {};
};

std::string NameOf(const Member& group, const std::vector<std::string>& values,
                   const TaxonomyBuilder& builder, const std::unordered_set<std::string>& taken) {
  std::string name = values[group.named_after] + "+" + std::to_string(group.values - 1);
  while (taken.count(name) > 0 || builder.Find(name)) name += "+";
  return name;
}

}  // namespace

Taxonomy GroupedTaxonomy(const std::vector<std::string>& values,
                         const std::vector<std::vector<uint32_t>>& levels,
                         const std::vector<uint64_t>& weights) {
  constexpr uint32_t kNobody = ~uint32_t{0};
  const auto comes_before = [&](uint32_t a, uint32_t b) {
    if (b == kNobody) return true;
    if (!weights.empty() && weights[a] != weights[b]) return weights[a] > weights[b];
    return a < b;
  };
  // By level, the values first, then the groups of each level, the root last.
  std::vector<std::vector<Member>> members(1);
  for (uint32_t i = 0; i < values.size(); ++i) members[0].push_back({i, i});
  for (size_t level = 0; level <= levels.size(); ++level) {
    const bool is_last = level == levels.size();
    std::vector<Member> groups;
    if (is_last) groups.push_back({kNobody, kNobody, 0});
    for (uint32_t i = 0; i < members[level].size(); ++i) {
      const Member& member = members[level][i];
      const uint32_t group = is_last ? 0 : levels[level][i];
      if (group >= groups.size()) groups.resize(group + 1, {kNobody, kNobody, 0});
      groups[group].first_value = std::min(groups[group].first_value, member.first_value);
      if (comes_before(member.named_after, groups[group].named_after)) {
        groups[group].named_after = member.named_after;
      }
      groups[group].values += member.values;
      groups[group].below.push_back(i);
    }
    for (Member& group : groups) {
      std::sort(group.below.begin(), group.below.end(), [&](uint32_t a, uint32_t b) {
        return members[level][a].first_value < members[level][b].first_value;
      });
    }
    members.push_back(std::move(groups));
  }
  const std::unordered_set<std::string> taken(values.begin(), values.end());
  TaxonomyBuilder builder;
  const auto add = [&](const auto& add_below, size_t level, uint32_t index,
                       TaxonomyBuilder::Handle parent) -> void {
    const Member& member = members[level][index];
    if (level == 0) {
      builder.Add(parent, values[index]);
      return;
    }
    const bool is_root = level + 1 == members.size();
    if (!is_root && member.below.size() > 1) {
      parent = builder.Add(parent, NameOf(member, values, builder, taken));
    }
    for (const uint32_t below : member.below) add_below(add_below, level - 1, below, parent);
  };
  add(add, members.size() - 1, 0, TaxonomyBuilder::root());
  return std::move(builder).Build();
}

}  // namespace thicket
