#include "cutting/kmn/cut_examiner.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

#include "base/stop.h"

namespace thicket {

CutExaminer::CutExaminer(const ItemHierarchy& items, const Shapes& shapes,
                         const CutSearchOptions& options, KnownShapes* known, Parallel* parallel)
    : items_(&items),
      shapes_(&shapes),
      options_(&options),
      known_(known),
      team_(parallel),
      tree_(items),
      counters_(team_.workers(), RareCombinations(shapes, options.limits, options.must_stop)),
      trees_(team_.workers(), LabelTree(items)),
      breaker_(items, shapes, options, team_),
      relations_(items, shapes, known, team_),
      rank_(items.size(), 0) {
  for (Item item = 0; item < items.size(); ++item) {
    uint32_t rank = 0;
    for (const Item child : items.Children(item)) rank_[child] = rank++;
  }
  if (options.cost != CutCost::kLoss) return;
  nodes_of_.assign(items.size(), 0);
  for (size_t shape = 0; shape < shapes.size(); ++shape) {
    StopPoint();
    for (uint32_t node = shapes.first(shape); node < shapes.end(shape); ++node) {
      nodes_of_[shapes.item(node)] += shapes.weight(shape);
      nodes_ += shapes.weight(shape);
    }
  }
}

std::unique_ptr<Cut> CutExaminer::MostGeneralCut() {
  auto cut = std::make_unique<Cut>();
  cut->label_of.resize(items_->size());
  cut->shapes_of.resize(items_->size());
  cut->closed.resize(items_->size(), false);
  std::vector<LabelShapes> of(items_->attributes().size());
  for (LabelShapes& one : of) one.set = ShapeSet(shapes_->size());
  for (uint32_t shape = 0; shape < shapes_->size(); ++shape) {
    StopPoint();
    for (uint32_t node = shapes_->first(shape); node < shapes_->end(shape); ++node) {
      of[items_->attribute_of(shapes_->item(node))].Add(shape, shapes_->weight(shape));
    }
  }
  for (size_t i = 0; i < items_->attributes().size(); ++i) {
    const ItemHierarchy::Attribute& attribute = items_->attributes()[i];
    cut->labels.push_back(attribute.left_out);
    std::fill(cut->label_of.begin() + attribute.left_out, cut->label_of.begin() + attribute.end,
              attribute.left_out);
    cut->shapes_of[attribute.left_out] = std::make_shared<const LabelShapes>(std::move(of[i]));
  }
  AddCosts(nullptr, *cut);
  cut->is_whole = true;
  return cut;
}

void CutExaminer::Specialize(const Cut& cut, Item label) {
  holds_ = false;
  special_.cut = &cut;
  special_.specialized = label;
  special_.label_of = cut.label_of;
  // A parent has a lower number than its children.
  for (Item item = label + 1; item < items_->attribute(label).end; ++item) {
    if (cut.label_of[item] != label) continue;
    const Item above = items_->parent(item);
    special_.label_of[item] = above == label ? item : special_.label_of[above];
  }
}

std::vector<std::shared_ptr<const LabelShapes>> CutExaminer::ShapesOfChildren() const {
  const Item label = special_.specialized;
  const Cut& cut = *special_.cut;
  const size_t children = items_->Children(label).size();
  std::vector<LabelShapes> of_child(children, {{}, ShapeSet(shapes_->size())});
  team_.ForList(cut.shapes_of[label]->list, [&](size_t, uint32_t shape) {
    StopPoint();
    for (uint32_t node = shapes_->first(shape); node < shapes_->end(shape); ++node) {
      const Item item = shapes_->item(node);
      // An item of the shapes may be the label itself, where the shapes hold nothing finer.
      if (cut.label_of[item] != label || item == label) continue;
      of_child[rank_[special_.label_of[item]]].set.words[shape / 64] |= uint64_t{1} << (shape % 64);
    }
  });
  std::vector<std::shared_ptr<const LabelShapes>> result(children);
  team_.For(children, 1, [&](size_t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      of_child[i].List(*shapes_);
      result[i] = std::make_shared<const LabelShapes>(std::move(of_child[i]));
    }
  });
  return result;
}

void CutExaminer::ListChildren() {
  const auto children = items_->Children(special_.specialized);
  special_.children.clear();
  for (const Item child : children) {
    special_.children.emplace_back(child, known_ ? known_->FindShapes(child) : nullptr);
  }
  if (std::any_of(special_.children.begin(), special_.children.end(),
                  [](const auto& child) { return child.second == nullptr; })) {
    const std::vector<std::shared_ptr<const LabelShapes>> shapes = ShapesOfChildren();
    for (size_t i = 0; i < shapes.size(); ++i) {
      special_.children[i].second = shapes[i];
      if (known_ != nullptr) known_->KeepShapes(children[i], shapes[i]);
    }
  }
  holds_ = true;
  related_everywhere_ = false;
}

void CutExaminer::RelateChildren() {
  if (related_everywhere_) return;
  const bool are_known = options_->limits.n > 0 && options_->limits.m > 1;
  relations_.Find(special_,
                  are_known ? &special_.cut->shapes_of[special_.specialized]->list : nullptr);
  related_everywhere_ = true;
}

bool CutExaminer::HasRareChild() const {
  return std::any_of(special_.children.begin(), special_.children.end(), [&](const auto& child) {
    const uint64_t support = child.second->set.records;
    return support > 0 && support < options_->limits.k;
  });
}

bool CutExaminer::Count(const std::vector<Task>& tasks, const RareCombinations::Visitor& visit) {
  std::vector<std::vector<RareCombination>> found(tasks.size());
  std::atomic<bool> done = true;
  team_.For(tasks.size(), 1, [&](size_t worker, size_t begin, size_t end) {
    RareCombinations& counter = counters_[worker];
    for (size_t i = begin; i < end && done; ++i) {
      StopPoint();
      const Task& task = tasks[i];
      const RareCombinations::Visitor keep = [&](const RareCombination& one) {
        found[i].push_back(one);
        return !one.relations.empty();
      };
      for (const uint32_t slot : task.excluded) counter.Exclude(slot);
      const bool all =
          task.start.size() == 1
              ? counter.FindPart(relations_.knowledge(), task.start[0], task.first, task.last, keep)
              : counter.Find(relations_.knowledge(), task.start, false, keep);
      for (const uint32_t slot : task.excluded) counter.Include(slot);
      if (!all) done = false;
    }
  });
  for (const std::vector<RareCombination>& of_task : found) {
    for (const RareCombination& one : of_task) done = done && visit(one);
  }
  return done;
}

bool CutExaminer::FindRareWithChildren(const RareCombinations::Visitor& visit) {
  RelateChildren();
  // Few children are shared among many threads.
  constexpr uint32_t kSlots = 32;
  std::vector<Task> tasks;
  std::vector<uint32_t> before;
  for (const auto& [child, shapes] : special_.children) {
    const uint32_t slot = relations_.slot_of(child);
    for (uint32_t first = 0; first < relations_.knowledge().size(); first += kSlots) {
      tasks.push_back({{slot}, first, first + kSlots, before});
    }
    before.push_back(slot);
  }
  return Count(tasks, visit);
}

bool CutExaminer::FindRareWithBoth(const RareCombinations::Visitor& visit) {
  const auto others = items_->Children(special_.cut->came_from);
  ShapeWords with_other(ShapeWordCount(shapes_->size()), 0);
  for (const Item item : others) {
    StopPoint();
    const ShapeWords& words = special_.cut->shapes_of[item]->set.words;
    for (size_t i = 0; i < words.size(); ++i) with_other[i] |= words[i];
  }
  const ShapeWords& own = special_.cut->shapes_of[special_.specialized]->set.words;
  for (size_t i = 0; i < own.size(); ++i) with_other[i] &= own[i];
  if (options_->limits.n > 0) {
    ShapeList both;
    ForEachShape(with_other, [&](uint32_t shape) { both.push_back(shape); });
    related_everywhere_ = relations_.FindWith(others, special_, both);
  } else {
    relations_.Find(special_, nullptr);
  }
  std::vector<Task> tasks;
  std::vector<uint32_t> before;
  for (const auto& [child, shapes] : special_.children) {
    const uint32_t slot = relations_.slot_of(child);
    std::vector<uint32_t> excluded = before;
    for (const Item item : others) {
      const uint32_t other = relations_.slot_of(item);
      tasks.push_back({{slot, other}, 0, 0, excluded});
      excluded.push_back(other);
    }
    before.push_back(slot);
  }
  return Count(tasks, visit);
}

bool CutExaminer::FindRare(std::vector<RareCombination>& rare) {
  const auto visit = [&](const RareCombination& one) {
    if (one.relations.empty()) return false;
    rare.push_back(one);
    return true;
  };
  const Cut& cut = *special_.cut;
  const auto before = cut.rare_before.find(special_.specialized);
  if (before == cut.rare_before.end() || options_->from_scratch) return FindRareWithChildren(visit);
  if (options_->limits.m >= 2 && !FindRareWithBoth(visit)) return false;
  for (const RareCombination& one : before->second) {
    if (!std::binary_search(one.labels.begin(), one.labels.end(), cut.came_from)) {
      rare.push_back(one);
    }
  }
  return true;
}

Outcome CutExaminer::Examine(const Cut& cut, Item label, std::optional<double> hope) {
  Specialize(cut, label);
  ListChildren();
  Outcome outcome;
  if (HasRareChild() || !FindRare(outcome.rare)) return outcome;
  FactChecker::Fresh fresh;
  if (!options_->from_scratch) fresh = items_->Children(label);
  if (options_->facts != nullptr && !options_->facts->MayShow(special_.label_of, fresh))
    return outcome;
  std::vector<RareCombination> rare = outcome.rare;
  for (const RareCombination& one : cut.rare) {
    StopPoint();
    if (!std::binary_search(one.labels.begin(), one.labels.end(), label)) rare.push_back(one);
  }
  if (options_->method == CutMethod::kOcs && !rare.empty()) {
    // Two relations of one label may become relations of two labels in a finer cut: with one label more
    // than an adversary knows.
    const bool for_good = options_->limits.m <= 2 || options_->limits.n <= 1;
    outcome.kind = for_good ? Outcome::Kind::kRejected : Outcome::Kind::kWithheld;
    return outcome;
  }
  const BrokenRelations none(items_->size());
  const bool free = options_->cost == CutCost::kLabels;
  const bool asks = options_->facts != nullptr && options_->facts->asks_relations();
  BrokenRelations broken = none;
  if (!rare.empty() && (!free || asks)) {
    RelateChildren();
    broken = breaker_.Break(special_.label_of, relations_.knowledge(), std::move(rare));
  }
  outcome.broken = broken.relations();
  outcome.kind = Outcome::Kind::kWithheld;
  if (!cut.is_whole || !broken.empty()) fresh = std::nullopt;
  if (asks && !options_->facts->MayPublish(special_.label_of, broken, fresh)) {
    return outcome;
  }
  outcome.kind = Outcome::Kind::kValid;
  const bool is_hoped_for = free || broken.empty();
  outcome.cost = hope && is_hoped_for ? *hope : Cost(is_hoped_for ? none : broken);
  return outcome;
}

std::vector<Relation> CutExaminer::Break(const Cut& cut) {
  Forget();
  SpecializedCut whole;
  whole.cut = &cut;
  relations_.Find(whole, nullptr);
  return breaker_.Break(cut.label_of, relations_.knowledge(), cut.rare).relations();
}

double CutExaminer::Hope(const Cut& cut, Item label) {
  Specialize(cut, label);
  return Cost(BrokenRelations(items_->size()));
}

double CutExaminer::Bound(const Cut& cut, Item label) const {
  // No part of the synopsis is sure to stay as it is, and the loss of labels itself is found as fast as a bound.
  if (!CostsRpd() || options_->from_scratch) {
    return -std::numeric_limits<double>::infinity();
  }
  // As if the records that change cost nothing afterwards.
  double changing = 0;
  for (const uint32_t shape : cut.shapes_of[label]->list) {
    StopPoint();
    changing += cut.rpd[shape] * shapes_->weight(shape);
  }
  // Sums of doubles in different orders differ by less than this.
  constexpr double kSlack = 1e-9;
  return (cut.rpd_sum - changing - kSlack * cut.rpd_sum) / static_cast<double>(shapes_->records());
}

double CutExaminer::Cost(const BrokenRelations& broken) {
  switch (options_->cost) {
    case CutCost::kRpd:
    case CutCost::kLabels:
      return MeanRpd(broken);
    case CutCost::kSynopsis:
      return SynopsisCost(broken);
    case CutCost::kLoss:
      return MeanLoss() + (broken.empty() ? 0 : breaker_.broken_share());
  }
  return 0;
}

void CutExaminer::AddCosts(const Cut* from, Cut& cut) {
  if (options_->cost == CutCost::kSynopsis) AddSynopsis(cut);
  if (!CostsRpd()) return;
  if (from == nullptr) {
    cut.rpd.assign(shapes_->size(), 1);
  } else {
    cut.rpd = from->rpd;
    FindRpd(from->shapes_of[cut.came_from]->list, cut.label_of, cut.rpd);
  }
  for (size_t i = 0; i < cut.rpd.size(); ++i) cut.rpd_sum += cut.rpd[i] * shapes_->weight(i);
}

void CutExaminer::FindRpd(const ShapeList& list, const std::vector<Item>& label_of,
                          std::vector<double>& rpd) {
  rpd.resize(shapes_->size());
  team_.ForList(list, [&](size_t worker, uint32_t shape) {
    StopPoint();
    trees_[worker].Load(*shapes_, shape, label_of);
    rpd[shape] = trees_[worker].Rpd();
  });
}

double CutExaminer::MeanLoss() const {
  // Of labels that lose the same, such as an only child and its parent, the finer one is better.
  constexpr double kPerLevel = 1e-9;
  double sum = 0;
  for (Item item = 0; item < items_->size(); ++item) {
    if (nodes_of_[item] == 0) continue;
    const Item label = special_.label_of[item];
    const uint32_t levels = items_->level(item) - items_->level(label);
    sum += static_cast<double>(nodes_of_[item]) * (items_->loss(label) + kPerLevel * levels);
  }
  return nodes_ == 0 ? 0 : sum / static_cast<double>(nodes_);
}

double CutExaminer::MeanRpd(const BrokenRelations& broken) {
  const Cut& cut = *special_.cut;
  const ShapeList none;
  const ShapeList& moved = broken.empty() ? none : breaker_.changed_shapes();
  const ShapeList& changed = cut.shapes_of[special_.specialized]->list;
  auto next_moved = moved.begin();
  auto next_changed = changed.begin();
  FindRpd(changed, special_.label_of, rpd_);
  // Added up in the order of the shapes, so that the sum does not depend on the way that led to this cut.
  double sum = 0;
  for (uint32_t shape = 0; shape < shapes_->size(); ++shape) {
    StopPoint();
    const bool is_moved = next_moved != moved.end() && *next_moved == shape;
    const bool is_changed = next_changed != changed.end() && *next_changed == shape;
    next_moved += is_moved ? 1 : 0;
    next_changed += is_changed ? 1 : 0;
    double rpd = cut.rpd[shape];
    if (is_moved) {
      rpd = breaker_.rpd(shape);
    } else if (is_changed) {
      rpd = rpd_[shape];
    }
    sum += rpd * shapes_->weight(shape);
  }
  return sum / static_cast<double>(shapes_->records());
}

void CutExaminer::AddSynopsis(Cut& cut) {
  cut.synopsis = Synopsis();
  cut.synopsis_node.resize(shapes_->node_count());
  std::vector<uint32_t> nodes;
  for (size_t shape = 0; shape < shapes_->size(); ++shape) {
    StopPoint();
    tree_.Load(*shapes_, shape, cut.label_of);
    cut.synopsis.Add(tree_, shapes_->weight(shape), &nodes);
    size_t next = 0;
    for (uint32_t node = shapes_->first(shape); node < shapes_->end(shape); ++node) {
      if (!items_->is_left_out(cut.label_of[shapes_->item(node)])) {
        cut.synopsis_node[node] = nodes[next++];
      } else {
        const uint32_t parent = shapes_->parent(node);
        cut.synopsis_node[node] =
            parent == Shapes::kNoParent ? Synopsis::kRoot : cut.synopsis_node[parent];
      }
    }
  }
}

void CutExaminer::ReplaceInSynopsis(uint32_t shape, const BrokenRelations& broken) {
  const Cut& cut = *special_.cut;
  change_.NextTree(shapes_->weight(shape));
  for (uint32_t node = shapes_->first(shape); node < shapes_->end(shape); ++node) {
    if (cut.synopsis_node[node] != Synopsis::kRoot) change_.Remove(cut.synopsis_node[node]);
  }
  tree_.Load(*shapes_, shape, special_.label_of);
  if (!broken.empty()) tree_.Apply(broken);
  node_of_.resize(tree_.size());
  for (uint32_t i = 0; i < tree_.size(); ++i) {
    const uint32_t above =
        tree_.parent(i) == LabelTree::kNoParent ? Synopsis::kRoot : node_of_[tree_.parent(i)];
    node_of_[i] = change_.Child(above, tree_.label(i));
    change_.Keep(node_of_[i]);
  }
}

double CutExaminer::SynopsisCost(const BrokenRelations& broken) {
  const Cut& cut = *special_.cut;
  change_.Begin(cut.synopsis);
  const ShapeList none;
  const ShapeList& moved = broken.empty() ? none : breaker_.changed_shapes();
  for (const uint32_t shape : moved) ReplaceInSynopsis(shape, broken);
  auto next_moved = moved.begin();
  for (const uint32_t shape : cut.shapes_of[special_.specialized]->list) {
    StopPoint();
    while (next_moved != moved.end() && *next_moved < shape) ++next_moved;
    if (next_moved != moved.end() && *next_moved == shape) continue;
    // A label that was left out comes between others, which may have shared a node of the synopsis with
    // labels that stay where they are.
    if (items_->is_left_out(special_.specialized)) {
      ReplaceInSynopsis(shape, broken);
      continue;
    }
    change_.NextTree(shapes_->weight(shape));
    const uint32_t first = shapes_->first(shape);
    node_of_.resize(shapes_->end(shape) - first);
    for (uint32_t node = first; node < shapes_->end(shape); ++node) {
      const uint32_t parent = shapes_->parent(node);
      const uint32_t above =
          parent == Shapes::kNoParent ? Synopsis::kRoot : node_of_[parent - first];
      const Item label = special_.label_of[shapes_->item(node)];
      uint32_t& place = node_of_[node - first];
      if (items_->is_left_out(label)) {
        place = above;
      } else if (!change_.IsNew(above) && label == cut.label_of[shapes_->item(node)]) {
        place = cut.synopsis_node[node];
      } else {
        place = change_.Child(above, label);
        if (!items_->is_left_out(cut.label_of[shapes_->item(node)])) {
          change_.Remove(cut.synopsis_node[node]);
        }
        change_.Keep(place);
      }
    }
  }
  return change_.Cost(*items_);
}

std::unique_ptr<Cut> CutExaminer::Descend(const Cut& from, Item label, const Outcome& outcome) {
  if (!Holds(from, label)) {
    Specialize(from, label);
    ListChildren();
  }
  RelateChildren();
  Forget();
  auto cut = std::make_unique<Cut>();
  for (const Item one : from.labels) {
    if (one != label) cut->labels.push_back(one);
  }
  for (const auto& [child, shapes] : special_.children) cut->labels.push_back(child);
  std::sort(cut->labels.begin(), cut->labels.end());
  for (const auto& [pair, set] : from.related) {
    if (pair.first != label && pair.second != label) cut->related.emplace(pair, set);
  }
  relations_.MoveTo(*cut);
  cut->shapes_of = from.shapes_of;
  cut->shapes_of[label] = nullptr;
  for (auto& [child, shapes] : special_.children) {
    cut->shapes_of[child] = shapes;
  }
  cut->label_of = special_.label_of;
  cut->came_from = label;
  AddCosts(&from, *cut);
  cut->rare = outcome.rare;
  for (const RareCombination& one : from.rare) {
    StopPoint();
    if (!std::binary_search(one.labels.begin(), one.labels.end(), label)) cut->rare.push_back(one);
  }
  cut->closed = from.closed;
  cut->is_whole = outcome.kind == Outcome::Kind::kValid && cut->rare.empty();
  return cut;
}

}  // namespace thicket
