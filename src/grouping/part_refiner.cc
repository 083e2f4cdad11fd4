#include "grouping/part_refiner.h"

#include <algorithm>
#include <limits>

#include "base/stop.h"

namespace thicket {

namespace {

// The part of what its members have in common that a class may lose in an exchange.
constexpr Units kSlack = 8;
// What warmth is counted in.
constexpr Units kWholeWarmth = 65'536;
// How many orders are tried when a class is paired again.
constexpr int kOrders = 60;
// Up to how many members all orders are tried.
constexpr size_t kAllOrders = 4;
// How many spare records are held against growing classes, at most, when new ones are gathered.
constexpr size_t kMostHeld = 400'000;

int SizeOf(const Representative& group) { return static_cast<int>(group.member_count()); }

// What the members have in common, counted once for each of them.
Units KeptByAll(const Representative& group) { return group.member_weight() - group.cost(); }

}  // namespace

std::optional<Representative> BuildClass(const TreeModel& model, Merger& merger,
                                         std::span<const RecordId> records, int class_size) {
  Representative result = Representative::Of(model, records.front(), class_size);
  std::vector<VertexPair> pairs;
  for (const RecordId record : records.subspan(1)) {
    StopPoint();
    if (result.size() == 0) return std::nullopt;
    merger.Pair(result, record, pairs);
    result = result.Absorb(model, record, pairs, class_size);
  }
  if (result.size() == 0) return std::nullopt;
  return result;
}

PartRefiner::PartRefiner(const TreeModel& model, const PartRefinerOptions& options)
    : model_(&model),
      options_(options),
      merger_(model, {.mapping = options.mapping, .cost = MergeCost::kWeighted}),
      columns_(model, kOpenSize),
      probe_(columns_),
      after_(model, kOpenSize),
      before_probe_(after_) {}

Representative PartRefiner::Joined(const Representative& group, RecordId record, int class_size) {
  merger_.Pair(group, record, pairs_);
  return group.Absorb(*model_, record, pairs_, class_size);
}

void PartRefiner::ChooseLeaving(const std::vector<RefinedClass>& classes, Random& random,
                                Units warmth) {
  leaving_.clear();
  indulgence_.clear();
  records_.clear();
  for (const RefinedClass& group : classes) {
    const std::vector<RecordId>& members = group.tree().records();
    leaving_.push_back(random.Below(members.size()));
    records_.push_back(members[leaving_.back()]);
    const Units drawn = warmth > 0 ? static_cast<Units>(random.Below(warmth)) : 0;
    indulgence_.push_back(KeptByAll(group.tree()) / kWholeWarmth * drawn);
  }
}

void PartRefiner::Exchange(std::vector<RefinedClass>& classes, std::vector<RecordId>& suppressed,
                           Random& random, Parallel& parallel, Units warmth) {
  if (classes.empty() || options_.chances == 0) return;
  while (fillers_.size() < parallel.threads()) {
    const ClassColumns& held = options_.everybody != nullptr ? *options_.everybody : columns_;
    fillers_.push_back(std::make_unique<Filler>(*model_, held, options_.mapping));
  }
  ChooseLeaving(classes, random, warmth);
  records_.insert(records_.end(), suppressed.begin(), suppressed.end());
  if (options_.everybody != nullptr) {
    column_of_.assign(model_->forest().record_count(), kNobody);
    for (size_t i = 0; i < records_.size(); ++i) column_of_[records_[i]] = i;
  } else {
    columns_.Clear();
    for (const RecordId record : records_) {
      columns_.Add(Representative::Of(*model_, record, kOpenSize));
    }
  }
  const size_t rows = classes.size();
  const size_t columns = records_.size();
  gains_.assign(rows * columns, 0);
  parallel.For(rows, 4, [&](size_t worker, size_t begin, size_t end) {
    for (size_t hole = begin; hole < end; ++hole) {
      FillRow(*fillers_[worker], classes[hole], hole);
    }
  });
  solver_.Solve(gains_.data(), rows, columns, columns, 0);
  taker_.assign(columns, kNobody);
  for (size_t hole = 0; hole < rows; ++hole) {
    taker_[static_cast<size_t>(solver_.column_of_row()[hole])] = hole;
  }
  // Paths begin where a suppressed record comes in; what is left are cycles.
  done_.assign(rows, false);
  for (size_t record = rows; record < columns; ++record) {
    if (taker_[record] != kNobody) Apply(classes, suppressed, record);
  }
  for (size_t record = 0; record < rows; ++record) {
    if (taker_[record] != kNobody && !done_[taker_[record]]) Apply(classes, suppressed, record);
  }
  if (options_.everybody != nullptr) return;
  // Of very many classes the holes would take more memory than the classes.
  for (size_t hole = 0; hole < rows; ++hole) classes[hole].CloseHoles();
}

Units PartRefiner::SimilarityTo(Filler& filler, const Representative& rest, RecordId record,
                                Units need) {
  return std::max<Units>(0, filler.merger.Similarity(rest, record, need));
}

void PartRefiner::FindChances(Filler& filler, const Representative& rest, Units need, size_t most) {
  const ClassColumns& columns = options_.everybody != nullptr ? *options_.everybody : columns_;
  const ChildBound* closer = options_.child_bound;
  if (closer != nullptr && !closer->active()) closer = nullptr;
  filler.probe.Load(rest);
  if (closer != nullptr) closer->Load(rest, filler.children);
  std::vector<std::pair<Units, Place>>& chances = filler.chances;
  chances.clear();
  for (Place place = 0; place < columns.places(); ++place) {
    Units bound = filler.probe.Most(place);
    if (bound < need) continue;
    if (closer != nullptr) {
      const RecordId record = options_.everybody != nullptr ? place : records_[place];
      bound = std::min(bound, closer->Most(filler.children, record));
    }
    if (bound >= need) chances.emplace_back(-bound, place);
  }
  if (chances.size() <= most) return;
  const auto end = chances.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(chances.begin(), end, chances.end());
  chances.erase(end, chances.end());
}

void PartRefiner::FillRow(Filler& filler, RefinedClass& group, size_t hole) {
  StopPoint();
  int64_t* row = gains_.data() + hole * records_.size();
  const Units kept = KeptByAll(group.tree());
  const Units size = SizeOf(group.tree());
  row[hole] = kept - indulgence_[hole];
  RefinedClass::Hole& of = group.hole(leaving_[hole]);
  if (!of.made) {
    std::vector<RecordId> members = group.tree().records();
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(leaving_[hole]));
    of.tree = BuildClass(*model_, filler.merger, members, SizeOf(group.tree()));
    of.made = true;
  }
  if (!of.tree) return;
  // Along a cycle some classes may lose what others gain, but hardly much. What is needed is the same as long as the class is.
  const Units need = std::max<Units>(1, (kept - kept / kSlack) / size);
  const auto fill = [&](size_t column, Units similarity) {
    // The record that left may come back and be paired otherwise.
    if (column == hole && indulgence_[hole] > 0) return;
    if (similarity >= need) row[column] = std::max(row[column], size * similarity);
  };
  if (options_.everybody != nullptr) {
    if (!of.lists_everybody) {
      FindChances(filler, *of.tree, need, options_.chances * static_cast<size_t>(size));
      of.chances.clear();
      for (const auto& [bound, place] : filler.chances) {
        of.chances.push_back({place, RefinedClass::kUnknown});
      }
      std::sort(of.chances.begin(), of.chances.end());
      of.lists_everybody = true;
    }
    for (RefinedClass::Chance& chance : of.chances) {
      const size_t column = column_of_[chance.record];
      if (column == kNobody) continue;
      if (chance.similarity == RefinedClass::kUnknown) {
        chance.similarity = SimilarityTo(filler, *of.tree, chance.record, need);
      }
      fill(column, chance.similarity);
    }
    return;
  }
  if (columns_.exact()) {
    filler.probe.Load(*of.tree);
    for (Place place = 0; place < records_.size(); ++place) fill(place, filler.probe.Most(place));
    return;
  }
  FindChances(filler, *of.tree, need, options_.chances);
  for (const auto& [bound, place] : filler.chances) {
    const RefinedClass::Chance asked = {records_[place], RefinedClass::kUnknown};
    auto at = std::lower_bound(of.chances.begin(), of.chances.end(), asked);
    if (at == of.chances.end() || at->record != asked.record) {
      at =
          of.chances.insert(at, {asked.record, SimilarityTo(filler, *of.tree, asked.record, need)});
    }
    fill(place, at->similarity);
  }
}

void PartRefiner::Apply(std::vector<RefinedClass>& classes, std::vector<RecordId>& suppressed,
                        size_t first) {
  struct Change {
    size_t hole;
    Representative built;
  };
  const size_t rows = classes.size();
  const bool is_path = first >= rows;
  std::vector<Change> changes;
  Units lowered = is_path ? model_->record_weight(records_[first]) : 0;
  size_t record = first;
  bool possible = true;
  do {
    const size_t hole = taker_[record];
    done_[hole] = true;
    const Representative& old = classes[hole].tree();
    // A class that keeps its record as it is costs nothing to look at.
    const Units content = KeptByAll(old) - indulgence_[hole];
    if (hole == record && gains_[hole * records_.size() + record] == content) return;
    const std::optional<Representative>& rest = classes[hole].hole(leaving_[hole]).tree;
    if (rest) {
      Representative built = Joined(*rest, records_[record], SizeOf(old));
      possible = possible && built.size() > 0;
      lowered += old.cost() - built.cost() + indulgence_[hole];
      changes.push_back({hole, std::move(built)});
    } else {
      possible = false;
    }
    record = hole;
  } while (record != first && taker_[record] != kNobody);
  if (is_path) lowered -= model_->record_weight(records_[record]);
  if (!possible || lowered <= 0) return;
  for (Change& change : changes) classes[change.hole] = RefinedClass(std::move(change.built));
  if (is_path) suppressed[first - rows] = records_[record];
}

std::optional<PartRefiner::Placed> PartRefiner::FindPlace(const std::vector<RefinedClass>& classes,
                                                          RecordId record, size_t except,
                                                          Units most) {
  const Representative single = Representative::Of(*model_, record, kOpenSize);
  const Units weight = model_->record_weight(record);
  probe_.Load(single);
  chances_.clear();
  for (Place place = 0; place < columns_.places(); ++place) {
    if (place == except || !columns_.Contains(place)) continue;
    const Representative& group = classes[place].tree();
    const CostLine line = CostLine::Of(MergeCost::kWeighted, group, weight);
    const Units added = line.At(probe_.Most(place)) - group.cost();
    if (added < most) chances_.emplace_back(added, place);
  }
  const size_t offers = std::min(options_.offers, chances_.size());
  std::partial_sort(chances_.begin(), chances_.begin() + static_cast<std::ptrdiff_t>(offers),
                    chances_.end());
  std::optional<Placed> best;
  for (size_t i = 0; i < offers && chances_[i].first < most; ++i) {
    StopPoint();
    const size_t index = chances_[i].second;
    Representative group = classes[index].tree();
    const int size = SizeOf(group) + 1;
    // What the class needs of diversity can be less in a larger class, but never more: its own records stay as they are.
    group.SetClassSize(*model_, size);
    const CostLine line = CostLine::Of(MergeCost::kWeighted, group, weight);
    const Units need = std::max<Units>(1, line.Need(group.cost() + most - 1));
    if (merger_.Similarity(group, record, need) < need) continue;
    Representative grown = Joined(group, record, size);
    const Units added = grown.cost() - group.cost();
    if (grown.size() == 0 || added >= most) continue;
    most = added;
    best = Placed{index, added, std::move(grown)};
  }
  return best;
}

void PartRefiner::Move(std::vector<RefinedClass>& classes, std::vector<RecordId>& suppressed,
                       Random& random) {
  columns_.Clear();
  for (const RefinedClass& group : classes) columns_.Add(group.tree());
  const auto put = [&](Placed& placed) {
    classes[placed.index] = RefinedClass(std::move(placed.grown));
    columns_.Replace(static_cast<Place>(placed.index), classes[placed.index].tree());
  };
  for (size_t i = 0; i < suppressed.size();) {
    auto placed = FindPlace(classes, suppressed[i], kNobody, model_->record_weight(suppressed[i]));
    if (placed) {
      put(*placed);
      suppressed.erase(suppressed.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  for (size_t i = 0; i < classes.size(); ++i) {
    const Units cost = classes[i].tree().cost();
    if (classes[i].tree().member_count() <= LeastSize()) continue;
    std::vector<RecordId> rest = classes[i].tree().records();
    const size_t leaving = random.Below(rest.size());
    const RecordId record = rest[leaving];
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(leaving));
    auto without = BuildClass(*model_, merger_, rest, static_cast<int>(rest.size()));
    if (!without || without->cost() >= cost) continue;
    auto placed = FindPlace(classes, record, i, cost - without->cost());
    if (!placed) continue;
    put(*placed);
    classes[i] = RefinedClass(std::move(*without));
    columns_.Replace(static_cast<Place>(i), classes[i].tree());
  }
}

void PartRefiner::Dissolve(std::vector<RefinedClass>& classes) {
  columns_.Clear();
  for (const RefinedClass& group : classes) columns_.Add(group.tree());
  std::vector<std::pair<size_t, RefinedClass>> before;
  for (size_t i = 0; i < classes.size(); ++i) {
    Units left = classes[i].tree().cost();
    before.clear();
    columns_.Remove(static_cast<Place>(i));
    const std::vector<RecordId> members = classes[i].tree().records();
    for (const RecordId record : members) {
      auto placed = FindPlace(classes, record, i, left);
      if (!placed) break;
      left -= placed->added;
      before.emplace_back(placed->index, std::move(classes[placed->index]));
      classes[placed->index] = RefinedClass(std::move(placed->grown));
      columns_.Replace(static_cast<Place>(placed->index), classes[placed->index].tree());
    }
    if (before.size() == members.size()) {
      classes[i] = RefinedClass();
      continue;
    }
    // Back to what was there before, the last change first.
    for (; !before.empty(); before.pop_back()) {
      auto& [index, group] = before.back();
      classes[index] = std::move(group);
      columns_.Replace(static_cast<Place>(index), classes[index].tree());
    }
    columns_.Replace(static_cast<Place>(i), classes[i].tree());
  }
  std::erase_if(classes,
                [](const RefinedClass& group) { return group.tree().member_count() == 0; });
}

std::optional<Representative> PartRefiner::GrowFrom(std::vector<RecordId>& left) {
  Representative near = Representative::Of(*model_, left.front(), options_.class_size);
  left.erase(left.begin());
  while (near.member_count() < LeastSize()) {
    std::pair<Units, size_t> best = {std::numeric_limits<Units>::max(), 0};
    for (size_t i = 0; i < left.size(); ++i) {
      const Units similarity = merger_.Similarity(near, left[i], 0);
      if (similarity <= 0) continue;
      const CostLine line =
          CostLine::Of(MergeCost::kWeighted, near, model_->record_weight(left[i]));
      best = std::min(best, {line.At(similarity), i});
    }
    if (best.first == std::numeric_limits<Units>::max()) return std::nullopt;
    near = Joined(near, left[best.second], options_.class_size);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best.second));
  }
  return near;
}

void PartRefiner::Split(std::vector<RefinedClass>& classes) {
  for (size_t i = 0; i < classes.size(); ++i) {
    if (classes[i].tree().member_count() < 2 * LeastSize()) continue;
    StopPoint();
    std::vector<RecordId> left = classes[i].tree().records();
    std::optional<Representative> near = GrowFrom(left);
    if (!near) continue;
    std::optional<Representative> far =
        BuildClass(*model_, merger_, left, static_cast<int>(left.size()));
    if (!far || near->cost() + far->cost() >= classes[i].tree().cost()) continue;
    classes[i] = RefinedClass(std::move(*near));
    classes.emplace_back(std::move(*far));
  }
}

size_t PartRefiner::Nearest(Place place) {
  const Units size = columns_.size(place);
  const Units kept = columns_.kept(place);
  std::pair<Units, size_t> best = {std::numeric_limits<Units>::max(), kNobody};
  for (Place other = 0; other < columns_.places(); ++other) {
    if (other == place) continue;
    const Units size_of_other = columns_.size(other);
    const Units added = size * kept + size_of_other * columns_.kept(other) -
                        (size + size_of_other) * probe_.Most(other);
    best = std::min(best, {added, other});
  }
  return best.second;
}

void PartRefiner::Redivide(std::vector<RefinedClass>& classes, Random& random) {
  if (!columns_.exact() || classes.size() < 2) return;
  columns_.Clear();
  for (const RefinedClass& group : classes) columns_.Add(group.tree());
  for (Place i = 0; i < classes.size(); ++i) {
    StopPoint();
    // Values that are as common as they may be in the class have room in both together.
    Representative open = classes[i].tree();
    open.SetClassSize(*model_, kOpenSize);
    probe_.Load(open);
    const size_t nearest = Nearest(i);
    std::vector<RecordId> left = classes[i].tree().records();
    const std::vector<RecordId>& theirs = classes[nearest].tree().records();
    left.insert(left.end(), theirs.begin(), theirs.end());
    std::swap(left.front(), left[random.Below(left.size())]);
    std::optional<Representative> one = GrowFrom(left);
    if (!one) continue;
    std::optional<Representative> rest =
        BuildClass(*model_, merger_, left, static_cast<int>(left.size()));
    const Units before = classes[i].tree().cost() + classes[nearest].tree().cost();
    if (!rest || one->cost() + rest->cost() >= before) continue;
    classes[i] = RefinedClass(std::move(*one));
    classes[nearest] = RefinedClass(std::move(*rest));
    columns_.Replace(i, classes[i].tree());
    columns_.Replace(static_cast<Place>(nearest), classes[nearest].tree());
  }
}

void PartRefiner::ListSpares(const std::vector<RefinedClass>& classes) {
  columns_.Clear();
  spares_.clear();
  can_give_.assign(classes.size(), 0);
  for (size_t i = 0; i < classes.size(); ++i) {
    StopPoint();
    const Representative& tree = classes[i].tree();
    if (tree.member_count() <= LeastSize()) continue;
    can_give_[i] = tree.member_count() - LeastSize();
    ListSparesOf(tree, i);
  }
}

// Without a member a class is what comes before and what comes after it. Whether what is left is diverse is seen when it is taken out.
void PartRefiner::ListSparesOf(const Representative& tree, size_t index) {
  const std::vector<RecordId>& members = tree.records();
  const size_t count = members.size();
  // By member, from the last one down to the second: those from there on.
  after_.Clear();
  Representative last = Representative::Of(*model_, members.back(), kOpenSize);
  after_.Add(last);
  for (size_t member = count - 1; member-- > 1;) {
    last = Joined(last, members[member], kOpenSize);
    after_.Add(last);
  }
  Representative before;
  for (size_t member = 0; member < count; ++member) {
    const RecordId record = members[member];
    Units kept = member == 0 ? last.kept() : before.kept();
    if (member > 0 && member + 1 < count) {
      before_probe_.Load(before);
      kept = before_probe_.Most(static_cast<Place>(count - member - 2));
    }
    const Units weight = model_->record_weight(record);
    const Units cost = tree.member_weight() - weight - static_cast<Units>(count - 1) * kept;
    spares_.push_back({record, index, tree.cost() - cost});
    columns_.Add(Representative::Of(*model_, record, kOpenSize));
    before = member == 0 ? Representative::Of(*model_, record, kOpenSize)
                         : Joined(before, record, kOpenSize);
  }
}

std::vector<Place> PartRefiner::GatherAround(const std::vector<RefinedClass>& classes, Place first,
                                             Representative& grown) {
  std::vector<Place> places = {first};
  std::vector<size_t> given(classes.size(), 0);
  ++given[spares_[first].index];
  grown = Representative::Of(*model_, spares_[first].record, options_.class_size);
  while (grown.member_count() < LeastSize()) {
    StopPoint();
    probe_.Load(grown);
    std::pair<Units, Place> best = {std::numeric_limits<Units>::max(), 0};
    for (Place place = 0; place < spares_.size(); ++place) {
      const Spare& spare = spares_[place];
      if (!columns_.Contains(place) || given[spare.index] == can_give_[spare.index]) continue;
      const Units similarity = probe_.Most(place);
      if (similarity == 0) continue;
      const CostLine line =
          CostLine::Of(MergeCost::kWeighted, grown, model_->record_weight(spare.record));
      const Units added = line.At(similarity) - spare.saved;
      if (added < best.first && std::find(places.begin(), places.end(), place) == places.end()) {
        best = {added, place};
      }
    }
    if (best.first == std::numeric_limits<Units>::max()) return {};
    places.push_back(best.second);
    ++given[spares_[best.second].index];
    grown = Joined(grown, spares_[best.second].record, options_.class_size);
  }
  return places;
}

bool PartRefiner::TakeOut(std::vector<RefinedClass>& classes, const std::vector<Place>& places,
                          Representative grown) {
  Units lowered = -grown.cost();
  std::vector<std::pair<size_t, std::vector<RecordId>>> rests;
  for (const Place place : places) {
    const Spare& spare = spares_[place];
    const auto same = [&](const auto& rest) { return rest.first == spare.index; };
    auto rest = std::find_if(rests.begin(), rests.end(), same);
    if (rest == rests.end()) {
      rests.emplace_back(spare.index, classes[spare.index].tree().records());
      rest = rests.end() - 1;
      lowered += classes[spare.index].tree().cost();
    }
    std::erase(rest->second, spare.record);
  }
  std::vector<Representative> left;
  for (const auto& [index, records] : rests) {
    auto built = BuildClass(*model_, merger_, records, static_cast<int>(records.size()));
    if (!built) return false;
    lowered -= built->cost();
    left.push_back(std::move(*built));
  }
  if (lowered <= 0) return false;
  for (size_t i = 0; i < rests.size(); ++i) {
    classes[rests[i].first] = RefinedClass(std::move(left[i]));
  }
  classes.emplace_back(std::move(grown));
  return true;
}

void PartRefiner::Gather(std::vector<RefinedClass>& classes, Random& random) {
  if (!columns_.exact()) return;
  ListSpares(classes);
  if (spares_.size() < LeastSize()) return;
  const size_t held = spares_.size() * LeastSize();
  const size_t attempts = std::min(classes.size(), kMostHeld / held + 1);
  Representative grown;
  for (size_t attempt = 0; attempt < attempts; ++attempt) {
    const auto first = static_cast<Place>(random.Below(spares_.size()));
    if (!columns_.Contains(first)) continue;
    const std::vector<Place> places = GatherAround(classes, first, grown);
    if (places.empty() || !TakeOut(classes, places, std::move(grown))) continue;
    // What was known of these classes is not true of what is left of them.
    std::vector<bool> changed(classes.size(), false);
    for (const Place place : places) changed[spares_[place].index] = true;
    for (Place place = 0; place < spares_.size(); ++place) {
      if (changed[spares_[place].index]) columns_.Remove(place);
    }
  }
}

void PartRefiner::PairAgain(RefinedClass& group) {
  const Representative& tree = group.tree();
  std::vector<RecordId> order = tree.records();
  if (order.size() < 3) return;
  std::optional<Representative> best;
  const auto try_order = [&] {
    std::optional<Representative> built = BuildClass(*model_, merger_, order, SizeOf(tree));
    if (built && built->cost() < (best ? *best : tree).cost()) best = std::move(built);
  };
  if (order.size() <= kAllOrders) {
    // Of the first two it does not matter which comes first.
    std::sort(order.begin(), order.end());
    do {
      if (order[0] < order[1]) try_order();
    } while (std::next_permutation(order.begin(), order.end()));
  } else {
    Random random = Random::Seeded(order.front());
    for (int i = 0; i < kOrders; ++i) {
      random.Shuffle(order);
      try_order();
    }
  }
  if (best) group = RefinedClass(std::move(*best));
}

}  // namespace thicket
