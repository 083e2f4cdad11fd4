#include "grouping/label_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/stop.h"
#include "grouping/deciding_values.h"

namespace thicket {

namespace {

// Vertices at a label are counted in steps, which grow by a quarter from six on.
constexpr std::array<uint32_t, 20> kSteps = {1,  2,  3,  4,  5,  6,  8,  10, 13,  16,
                                             20, 25, 31, 39, 49, 61, 76, 95, 119, 149};

// How many steps a count reaches, and how many vertices the step stands for.
uint32_t StepsOf(size_t count) {
  return static_cast<uint32_t>(std::upper_bound(kSteps.begin(), kSteps.end(), count) -
                               kSteps.begin());
}
Units VerticesOf(uint32_t step) { return kSteps[step] - (step == 0 ? 0 : kSteps[step - 1]); }

// How many bitmaps there are at the most, but for the values of the last label.
constexpr uint32_t kMostRows = 4096;
// What all labels of a query together add up to, at most, but for rounding, which at most doubles it.
constexpr Units kSumOfLabels = BitSums::kMost / 5 * 2;

void Set(BitSums::Row& row, size_t slot) { row[slot / 64] |= uint64_t{1} << (slot % 64); }

bool Has(const BitSums::Row& row, size_t slot) { return (row[slot / 64] >> (slot % 64) & 1) != 0; }

bool Less(const LabelScan::Found& a, const LabelScan::Found& b) {
  return a.key != b.key ? a.key < b.key : a.item < b.item;
}

void KeepBest(std::vector<LabelScan::Found>& found, size_t most) {
  if (found.size() <= most) return;
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(found.begin(), end, found.end(), Less);
  found.erase(end, found.end());
}

// Rounded to its two highest binary digits.
uint32_t RoundToTwoDigits(uint32_t number) {
  if (number < 4) return number;
  const uint32_t grain = 1U << (std::bit_width(number) - 2);
  return (number + grain / 2) / grain * grain;
}

}  // namespace

LabelScan::LabelScan(const TreeModel& model) : model_(&model), nodes_(model) {}

void LabelScan::ListNodes(const Representative& tree, std::vector<uint32_t>& nodes) const {
  nodes.clear();
  for (uint32_t p = 0; p < tree.size(); ++p) {
    if (p > 0) nodes.push_back(nodes_.of_class(tree.class_of(p)));
    nodes_.ForEachOf(tree, p, [&](uint32_t node) {
      if (nodes_.gain(node) > 0) nodes.push_back(node);
    });
  }
  std::sort(nodes.begin(), nodes.end());
}

void LabelScan::ChooseLabels(const std::vector<Item>& items, const VisitTree& tree) {
  // By node and count: how many items have at least so many vertices there.
  std::vector<std::array<uint32_t, kSteps.size()>> holders(nodes_.size());
  for (const Item item : items) {
    StopPoint();
    tree(item, [&](const Representative& group) { ListNodes(group, listed_); });
    ForEachNode(listed_, [&](uint32_t node, size_t count) {
      for (uint32_t step = 0; step < StepsOf(count); ++step) ++holders[node][step];
    });
  }
  // The labels that tell most items apart, by what they save.
  std::vector<std::pair<double, uint32_t>> worth;
  for (uint32_t node = 0; node < nodes_.size(); ++node) {
    // What only one has in common with nobody, and a kept vertex alone, tell nothing.
    if (nodes_.gain(node) <= 1 || holders[node][0] < 2) continue;
    const double share = static_cast<double>(holders[node][0]) / static_cast<double>(items.size());
    // A label that all have may still have values.
    worth.emplace_back(-static_cast<double>(nodes_.gain(node)) * share * (1.0001 - share), node);
  }
  std::sort(worth.begin(), worth.end());
  node_rows_.assign(nodes_.size(), {});
  row_count_ = 0;
  for (const auto& [less, node] : worth) {
    if (row_count_ >= kMostRows) break;
    uint32_t steps = 1;
    while (steps < kSteps.size() && holders[node][steps] >= 2) ++steps;
    GiveRows(node, steps);
  }
  if (OneBitDecides(*model_, 0)) {
    root_values_ = row_count_;
    row_count_ += static_cast<uint32_t>(model_->data().classes[0].bucket_count[0]);
  }
  light_ = row_count_;
  row_count_ += kLightDigits;
}

void LabelScan::GiveRows(uint32_t node, uint32_t steps) {
  NodeRows& rows = node_rows_[node];
  rows.first = row_count_;
  rows.steps = steps;
  row_count_ += steps;
  const LabelSpace& labels = nodes_.labels();
  if (node >= labels.size() || !labels.is_leaf(node)) return;
  // The first label of a vertex stands for the vertex.
  const LabelSpace::Attribute& attribute = labels.attribute(node);
  const ClassId id = attribute.class_id;
  if (attribute.slot != 0 || id == 0 || !OneBitDecides(*model_, id)) return;
  rows.values = row_count_;
  row_count_ += static_cast<uint32_t>(model_->data().classes[id].bucket_count[0]);
}

uint32_t LabelScan::ValueRows(const Representative& tree, uint32_t position) const {
  const ClassId id = tree.class_of(position);
  const auto& domains = model_->data().classes[id].domains;
  if (!OneBitDecides(*model_, id) || domains.empty() || domains[0].is_numeric()) return kNoRow;
  return node_rows_[nodes_.labels().Id(id, 0, tree.labels(position)[0].low)].values;
}

void LabelScan::Add(size_t shelf_number, std::vector<Weighted> items, const VisitTree& tree) {
  if (shelves_.size() <= shelf_number) shelves_.resize(shelf_number + 1);
  Shelf& shelf = shelves_[shelf_number];
  Pack(shelf, items);
  std::sort(items.begin(), items.end(), [](const Weighted& a, const Weighted& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.item < b.item;
  });
  for (size_t begin = 0; begin < items.size(); begin += BitSums::kCount) {
    const size_t count = std::min(BitSums::kCount, items.size() - begin);
    shelf.blocks.push_back(MakeBlock(shelf_number, std::span(items).subspan(begin, count), tree));
    shelf.slots += count;
    shelf.present += count;
  }
  std::stable_sort(shelf.blocks.begin(), shelf.blocks.end(),
                   [](const auto& a, const auto& b) { return a->least < b->least; });
}

// Where blocks have many gaps, or most of them are small, their items are laid out anew with those that are added.
void LabelScan::Pack(Shelf& shelf, std::vector<Weighted>& items) {
  const size_t room = shelf.blocks.size() * BitSums::kCount;
  if (3 * room <= 4 * (shelf.present + items.size()) + 3 * BitSums::kCount) return;
  for (const auto& block : shelf.blocks) {
    for (size_t slot = 0; slot < block->items.size(); ++slot) {
      if (Has(block->present, slot)) items.push_back(block->items[slot]);
    }
  }
  shelf = {};
}

std::unique_ptr<LabelScan::Block> LabelScan::MakeBlock(size_t shelf,
                                                       std::span<const Weighted> items,
                                                       const VisitTree& tree) {
  auto block = std::make_unique<Block>();
  block->rows.resize(row_count_);
  block->items.assign(items.begin(), items.end());
  block->least = items.front().weight;
  block->most = items.back().weight;
  block->left = items.size();
  const Units range = std::max<Units>(1, block->most - block->least);
  for (size_t slot = 0; slot < items.size(); ++slot) {
    StopPoint();
    const Item item = items[slot].item;
    if (where_.size() <= item) where_.resize(item + 1);
    where_[item] = {shelf, block.get(), slot};
    Set(block->present, slot);
    tree(item, [&](const Representative& group) { Write(*block, slot, group); });
    const Units lighter = block->most - items[slot].weight;
    const Units level = (lighter * kLightLevels + range / 2) / range;
    for (uint32_t digit = 0; digit < kLightDigits; ++digit) {
      if ((level >> digit & 1) != 0) Set(block->rows[light_ + digit], slot);
    }
  }
  return block;
}

void LabelScan::Write(Block& block, size_t slot, const Representative& tree) {
  ListNodes(tree, listed_);
  ForEachNode(listed_, [&](uint32_t node, size_t count) {
    const NodeRows& rows = node_rows_[node];
    for (uint32_t step = 0; step < std::min(StepsOf(count), rows.steps); ++step) {
      Set(block.rows[rows.first + step], slot);
    }
  });
  for (uint32_t p = 0; p < tree.size(); ++p) {
    const uint32_t values = p == 0 ? root_values_ : ValueRows(tree, p);
    if (values == kNoRow) continue;
    for (size_t member = 0; member < tree.member_count(); ++member) {
      const uint32_t bucket = model_->buckets(tree.class_of(p), tree.vertex(p, member))[0];
      Set(block.rows[values + bucket], slot);
    }
  }
}

void LabelScan::Remove(Item item) {
  if (item >= where_.size() || where_[item].block == nullptr) return;
  const auto [shelf, block, slot] = std::exchange(where_[item], {});
  block->present[slot / 64] &= ~(uint64_t{1} << (slot % 64));
  --block->left;
  --shelves_[shelf].present;
}

void LabelScan::Load(const Representative& group, Query& query) const {
  query.found_.clear();
  query.steps_.clear();
  query.masked_.clear();
  query.kept_ = group.kept();
  query.sum_most_ = 0;
  ListNodes(group, query.nodes_);
  LoadMasks(group, query);
  Units total = 0;
  ForEachNode(query.nodes_, [&](uint32_t node, size_t count) {
    const uint32_t steps = std::min(StepsOf(count), node_rows_[node].steps);
    if (steps > 0) total += kSteps[steps - 1] * nodes_.gain(node);
  });
  query.unit_ = total / kSumOfLabels + 1;
  ForEachNode(query.nodes_, [&](uint32_t node, size_t count) {
    const NodeRows& rows = node_rows_[node];
    const uint32_t mask = query.mask_of_node_[node];
    for (uint32_t step = 0; step < std::min(StepsOf(count), rows.steps); ++step) {
      const Units saved = VerticesOf(step) * nodes_.gain(node);
      if (count == 1 && mask != kNoRow) {
        AddSteps(saved, static_cast<uint32_t>(query.masked_.size()), true, query);
        query.masked_.push_back({rows.first, mask});
      } else {
        AddSteps(saved, rows.first + step, false, query);
      }
    }
  });
}

// Whoever has a full value at the label of a position has nothing in common with what stands there, nor below.
void LabelScan::LoadMasks(const Representative& group, Query& query) const {
  query.masks_.clear();
  query.conflicts_.clear();
  query.forbidden_.clear();
  const auto add_full = [&](uint32_t position, uint32_t values, std::vector<uint32_t>& rows) {
    for (uint64_t full = group.full_bits(position, 0); full != 0; full &= full - 1) {
      rows.push_back(values + static_cast<uint32_t>(std::countr_zero(full)));
    }
  };
  if (root_values_ != kNoRow && group.size() > 0) add_full(0, root_values_, query.forbidden_);
  FindDeciders(*model_, group, 0, static_cast<uint32_t>(group.size()), query.deciders_);
  query.mask_of_position_.assign(group.size(), kNoRow);
  query.mask_of_node_.resize(nodes_.size());
  for (const uint32_t node : query.nodes_) query.mask_of_node_[node] = kNoRow;
  for (uint32_t p = 1; p < group.size(); ++p) {
    const uint32_t decider = query.deciders_[p];
    if (decider == kNoDecider) continue;
    if (decider == p) {
      const uint32_t values = ValueRows(group, p);
      const auto first = static_cast<uint32_t>(query.conflicts_.size());
      if (values != kNoRow) add_full(p, values, query.conflicts_);
      const auto count = static_cast<uint32_t>(query.conflicts_.size()) - first;
      if (count > 0) {
        query.mask_of_position_[p] = static_cast<uint32_t>(query.masks_.size());
        query.masks_.push_back({first, count});
      }
    }
    // Only where the label has a single vertex, this is asked.
    nodes_.ForEachOf(group, p, [&](uint32_t node) {
      query.mask_of_node_[node] = query.mask_of_position_[decider];
    });
  }
}

void LabelScan::AddSteps(Units saved, uint32_t row, bool masked, Query& query) {
  const uint32_t times =
      RoundToTwoDigits(static_cast<uint32_t>((saved + query.unit_ / 2) / query.unit_));
  query.sum_most_ += times;
  for (uint32_t digit = 0; times >> digit != 0; ++digit) {
    if ((times >> digit & 1) != 0) query.steps_.push_back({row, digit, masked});
  }
}

void LabelScan::FillTerms(const Block& block, Units part, Units of, const Query& query,
                          Workspace& work) const {
  work.mask_rows_.resize(std::max(work.mask_rows_.size(), query.masks_.size()));
  work.masked_rows_.resize(std::max(work.masked_rows_.size(), query.masked_.size()));
  for (size_t i = 0; i < query.masks_.size(); ++i) {
    const Query::Mask& mask = query.masks_[i];
    work.mask_rows_[i] = block.rows[query.conflicts_[mask.first]];
    for (uint32_t j = 1; j < mask.count; ++j) {
      BitSums::With(block.rows[query.conflicts_[mask.first + j]].data(), work.mask_rows_[i].data());
    }
  }
  for (size_t i = 0; i < query.masked_.size(); ++i) {
    const auto [row, mask] = query.masked_[i];
    BitSums::Without(block.rows[row].data(), work.mask_rows_[mask].data(),
                     work.masked_rows_[i].data());
  }
  work.terms_.clear();
  for (const Query::Step& step : query.steps_) {
    const BitSums::Row& row = step.masked ? work.masked_rows_[step.row] : block.rows[step.row];
    work.terms_.push_back({row.data(), step.digit});
  }
  // Items that are lighter than the heaviest of the block count for more, as far as there is room in the sums.
  const Units room = BitSums::kMost - query.sum_most_ - kLightDigits;
  const Units most = std::min(room, (block.most - block.least) * part / of / query.unit_);
  for (uint32_t light = 0; light < kLightDigits; ++light) {
    const auto times = static_cast<uint32_t>(((most << light) + kLightLevels / 2) / kLightLevels);
    for (uint32_t digit = 0; times >> digit != 0; ++digit) {
      if ((times >> digit & 1) == 0) continue;
      work.terms_.push_back({block.rows[light_ + light].data(), digit});
    }
  }
}

void LabelScan::Look(const Block& block, Units part, Units of, size_t most, Query& query,
                     Workspace& work) const {
  BitSums::Row candidates = block.present;
  for (const uint32_t row : query.forbidden_) {
    const BitSums::Row all = candidates;
    BitSums::Without(all.data(), block.rows[row].data(), candidates.data());
  }
  FillTerms(block, part, of, query, work);
  BitSums& sums = work.sums_;
  sums.AddUp(work.terms_);
  const Units weight = block.most * part / of;
  uint32_t least = 0;
  if (query.bar_ == kNoBar) {
    least = sums.Quantile(candidates, most);
  } else if (weight > query.bar_) {
    const Units needed = (weight - query.bar_ + query.unit_ - 1) / query.unit_;
    if (needed > BitSums::kMost) return;
    least = static_cast<uint32_t>(needed);
  }
  BitSums::Row found;
  sums.AtLeast(least, candidates, found);
  for (size_t word = 0; word < BitSums::kWords; ++word) {
    for (uint64_t bits = found[word]; bits != 0; bits &= bits - 1) {
      const size_t slot = word * 64 + static_cast<size_t>(std::countr_zero(bits));
      query.best_.push_back({weight - sums.at(slot) * query.unit_, block.items[slot].item});
    }
  }
  const bool first = query.bar_ == kNoBar && query.best_.size() >= most;
  if (!first && query.best_.size() < 2 * most) return;
  KeepBest(query.best_, most);
  query.bar_ = std::max_element(query.best_.begin(), query.best_.end(), Less)->key;
}

void LabelScan::Find(size_t shelf, Units part, Units of, size_t most,
                     std::span<Query* const> queries, Workspace& work) const {
  if (shelf >= shelves_.size() || queries.empty() || most == 0) return;
  Units own = 0;
  for (Query* query : queries) {
    query->best_.clear();
    query->bar_ = kNoBar;
    own += query->kept_ / static_cast<Units>(queries.size());
  }
  // From the block whose weight is nearest outwards.
  const auto& blocks = shelves_[shelf].blocks;
  size_t up = 0;
  while (up < blocks.size() && blocks[up]->most < own) ++up;
  size_t down = up;
  while (down > 0 || up < blocks.size()) {
    const bool upwards = down == 0 || (up < blocks.size() &&
                                       blocks[up]->least - own <= own - blocks[down - 1]->most);
    const Block& block = *blocks[upwards ? up++ : --down];
    if (block.left == 0) continue;
    StopPoint();
    for (Query* query : queries) {
      // Nobody has more in common than the lighter one keeps.
      const Units common = std::min(query->kept_, block.most);
      if (query->bar_ != kNoBar && block.least * part / of - common > query->bar_) continue;
      Look(block, part, of, most, *query, work);
    }
  }
  for (Query* query : queries) {
    KeepBest(query->best_, most);
    query->found_.insert(query->found_.end(), query->best_.begin(), query->best_.end());
  }
}

}  // namespace thicket
