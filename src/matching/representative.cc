#include "matching/representative.h"

#include <algorithm>
#include <array>
#include <span>

namespace thicket {

namespace {

// Whether a class of this size has no room for a level of the vertex, whoever else stands there.
bool HasNoRoom(const TreeModel& model, Vertex v, const std::array<int, 6>& capacities) {
  const ClassId id = model.forest().class_of(v);
  const uint32_t* levels = model.buckets(id, v);
  const size_t count = model.sensitive_count(id);
  return std::any_of(levels, levels + count,
                     [&](uint32_t level) { return capacities[level] == 0; });
}

// The vertices of a record that are not blocked and have no blocked ancestor, in preorder.
std::vector<Vertex> ShownVertices(const TreeModel& model, RecordId record, int class_size) {
  const Forest& forest = model.forest();
  const bool levels = model.rule().HasLevels();
  const std::array<int, 6> capacities =
      levels ? model.rule().Capacities(class_size) : std::array<int, 6>{};
  std::vector<Vertex> shown;
  const Vertex begin = forest.root(record);
  const Vertex end = begin + static_cast<Vertex>(forest.record_size(record));
  for (Vertex v = begin; v < end;) {
    if (model.IsBlocked(v) || (levels && HasNoRoom(model, v, capacities))) {
      v += forest.subtree_size(v);
    } else {
      shown.push_back(v++);
    }
  }
  return shown;
}

}  // namespace

Representative Representative::Of(const TreeModel& model, RecordId record, int class_size) {
  const Forest& forest = model.forest();
  Representative result;
  result.records_ = {record};
  for (const Vertex v : ShownVertices(model, record, class_size)) {
    const ClassId id = forest.class_of(v);
    result.AddVertex(id, 1);
    const auto& domains = model.data().classes[id].domains;
    for (size_t slot = 0; slot < domains.size(); ++slot) {
      result.labels_.push_back(domains[slot].Leaf(model.data().value(v, slot)));
    }
    result.vertices_.push_back(v);
    const uint32_t* buckets = model.buckets(id, v);
    result.buckets_.insert(result.buckets_.end(), buckets, buckets + model.sensitive_count(id));
  }
  // Subtree sizes, without the blocked vertices: a vertex's subtree ends where the original one ends.
  for (uint32_t p = 0; p < result.size(); ++p) {
    const Vertex end = result.vertices_[p] + forest.subtree_size(result.vertices_[p]);
    const auto last = std::lower_bound(result.vertices_.begin() + p, result.vertices_.end(), end);
    result.subtree_size_[p] = static_cast<uint32_t>(last - result.vertices_.begin()) - p;
  }
  result.Finish(model, class_size);
  return result;
}

Representative Representative::Absorb(const TreeModel& model, RecordId record,
                                      const std::vector<VertexPair>& pairs, int class_size) const {
  Representative result;
  result.records_ = records_;
  result.records_.push_back(record);
  const size_t members = records_.size();
  for (const VertexPair& pair : pairs) {
    const ClassId id = vertex_class_[pair.position];
    result.AddVertex(id, members + 1);
    const auto& domains = model.data().classes[id].domains;
    for (size_t slot = 0; slot < domains.size(); ++slot) {
      const Label added = domains[slot].Leaf(model.data().value(pair.vertex, slot));
      result.labels_.push_back(domains[slot].Merge(labels(pair.position)[slot], added));
    }
    const auto from = vertices_.begin() + static_cast<std::ptrdiff_t>(pair.position * members);
    result.vertices_.insert(result.vertices_.end(), from,
                            from + static_cast<std::ptrdiff_t>(members));
    result.vertices_.push_back(pair.vertex);
    for (size_t attribute = 0; attribute < model.sensitive_count(id); ++attribute) {
      const uint32_t* old = buckets(pair.position, attribute);
      result.buckets_.insert(result.buckets_.end(), old, old + members);
      result.buckets_.push_back(model.buckets(id, pair.vertex)[attribute]);
    }
  }
  for (uint32_t p = 0; p < pairs.size(); ++p) {
    const uint32_t end = pairs[p].position + subtree_size_[pairs[p].position];
    uint32_t next = p + 1;
    while (next < pairs.size() && pairs[next].position < end) ++next;
    result.subtree_size_[p] = next - p;
  }
  result.Finish(model, class_size);
  return result;
}

Representative Representative::Unite(const TreeModel& model, const Representative& other,
                                     const std::vector<PositionPair>& pairs, int class_size) const {
  Representative result;
  result.records_ = records_;
  result.records_.insert(result.records_.end(), other.records_.begin(), other.records_.end());
  const size_t members = records_.size();
  const size_t others = other.records_.size();
  for (const PositionPair& pair : pairs) {
    const ClassId id = vertex_class_[pair.position];
    result.AddVertex(id, members + others);
    const auto& domains = model.data().classes[id].domains;
    for (size_t slot = 0; slot < domains.size(); ++slot) {
      result.labels_.push_back(
          domains[slot].Merge(labels(pair.position)[slot], other.labels(pair.other)[slot]));
    }
    const Vertex* here = vertices_.data() + pair.position * members;
    const Vertex* there = other.vertices_.data() + pair.other * others;
    result.vertices_.insert(result.vertices_.end(), here, here + members);
    result.vertices_.insert(result.vertices_.end(), there, there + others);
    for (size_t attribute = 0; attribute < model.sensitive_count(id); ++attribute) {
      const uint32_t* old = buckets(pair.position, attribute);
      const uint32_t* added = other.buckets(pair.other, attribute);
      result.buckets_.insert(result.buckets_.end(), old, old + members);
      result.buckets_.insert(result.buckets_.end(), added, added + others);
    }
  }
  for (uint32_t p = 0; p < pairs.size(); ++p) {
    const uint32_t end = pairs[p].position + subtree_size_[pairs[p].position];
    uint32_t next = p + 1;
    while (next < pairs.size() && pairs[next].position < end) ++next;
    result.subtree_size_[p] = next - p;
  }
  result.Finish(model, class_size);
  return result;
}

Representative Representative::From(const TreeModel& model, const PublishedTree& published) {
  Representative result;
  result.records_.assign(published.records.begin(), published.records.end());
  const size_t members = published.records.size();
  for (size_t p = 0; p < published.size(); ++p) {
    const ClassId id = published.vertex_class[p];
    result.AddVertex(id, members);
    const std::span<const Label> labels = published.labels(p);
    result.labels_.insert(result.labels_.end(), labels.begin(), labels.end());
    for (size_t member = 0; member < members; ++member) {
      result.vertices_.push_back(published.vertex(member, p));
    }
    for (size_t attribute = 0; attribute < model.sensitive_count(id); ++attribute) {
      for (size_t member = 0; member < members; ++member) {
        result.buckets_.push_back(model.buckets(id, published.vertex(member, p))[attribute]);
      }
    }
  }
  result.subtree_size_.assign(published.subtree_size.begin(), published.subtree_size.end());
  result.Finish(model, static_cast<int>(members));
  return result;
}

Representative Representative::Keep(const TreeModel& model, const std::vector<uint32_t>& positions,
                                    int class_size) const {
  Representative result;
  result.records_ = records_;
  const size_t members = records_.size();
  for (const uint32_t position : positions) {
    const ClassId id = vertex_class_[position];
    result.AddVertex(id, members);
    const Label* kept = labels(position);
    result.labels_.insert(result.labels_.end(), kept,
                          kept + model.data().classes[id].domains.size());
    for (size_t member = 0; member < members; ++member) {
      result.vertices_.push_back(vertex(position, member));
    }
    const uint32_t* sensitive = buckets(position, 0);
    result.buckets_.insert(result.buckets_.end(), sensitive,
                           sensitive + model.sensitive_count(id) * members);
  }
  for (size_t p = 0; p < positions.size(); ++p) {
    const uint32_t end = positions[p] + subtree_size_[positions[p]];
    const auto first = positions.begin() + static_cast<std::ptrdiff_t>(p);
    result.subtree_size_[p] =
        static_cast<uint32_t>(std::lower_bound(first, positions.end(), end) - first);
  }
  result.Finish(model, class_size);
  return result;
}

void Representative::AddVertex(ClassId id, size_t members) {
  vertex_class_.push_back(id);
  subtree_size_.push_back(1);
  first_label_.push_back(static_cast<uint32_t>(labels_.size()));
  first_sensitive_.push_back(static_cast<uint32_t>(buckets_.size() / members));
}

void Representative::Finish(const TreeModel& model, int class_size) {
  const size_t members = records_.size();
  schema_ = &model.schema();
  SetClassSize(model, class_size);
  Units loss = 0;
  loss_rows_.resize(labels_.size());
  subtree_weight_.resize(size());
  for (uint32_t p = static_cast<uint32_t>(size()); p-- > 0;) {
    const ClassId id = vertex_class_[p];
    subtree_weight_[p] = model.vertex_weight(id);
    for (const uint32_t child : Children(p)) subtree_weight_[p] += subtree_weight_[child];
    const auto& domains = model.data().classes[id].domains;
    for (size_t slot = 0; slot < domains.size(); ++slot) {
      loss += domains[slot].Loss(labels(p)[slot]);
      loss_rows_[first_label_[p] + slot] = domains[slot].MergeLossRow(labels(p)[slot]);
    }
  }
  for (const RecordId record : records_) member_weight_ += model.record_weight(record);
  kept_ = weight() - loss;
  cost_ = member_weight_ - static_cast<Units>(members) * kept_;
  if (model.has_once()) {
    once_shown_.assign(model.once_count(), false);
    for (const Vertex v : vertices_) {
      model.ForEachOnce(v, [&](uint32_t number) { once_shown_[number] = true; });
    }
  }
}

void Representative::SetClassSize(const TreeModel& model, int class_size) {
  const size_t members = records_.size();
  class_size_ = class_size;
  most_repeats_ = model.rule().MostRepeats(class_size);
  full_.resize(buckets_.size() / members);
  if (model.rule().HasLevels()) {
    const std::array<int, 6> capacities = model.rule().Capacities(class_size);
    for (size_t i = 0; i < full_.size(); ++i) {
      full_[i] = FullLevels(buckets_.data() + i * members, members, capacities);
    }
  } else {
    for (size_t i = 0; i < full_.size(); ++i) {
      full_[i] = FullBuckets(buckets_.data() + i * members, members, most_repeats_);
    }
  }
  kinds_.clear();
  if (HasWideSiblings(*this, 0, static_cast<uint32_t>(size()))) FillKindsOfPositions(model);
}

void Representative::FillKindsOfPositions(const TreeModel& model) {
  const size_t members = records_.size();
  kinds_.resize(size());
  std::vector<uint32_t> full;
  const auto add_own = [&](uint32_t p, SiblingKind& of) {
    const ClassId id = vertex_class_[p];
    const size_t slots = model.data().classes[id].domains.size();
    for (size_t slot = 0; slot < slots; ++slot) {
      const Label label = labels(p)[slot];
      of.look = MixWord(MixWord(of.look, label.low), label.high);
      of.kind = MixWord(MixWord(of.kind, label.low), label.high);
    }
    for (size_t a = 0; a < model.sensitive_count(id); ++a) {
      of.kind = MixWord(of.kind, full_bits(p, a));
      if (model.bits_decide(id, a)) continue;
      // The bits are those of several values each: the full values themselves tell kinds apart.
      full.assign(buckets(p, a), buckets(p, a) + members);
      std::erase_if(full, [&](uint32_t bucket) { return HasRoom(model, p, a, bucket); });
      std::sort(full.begin(), full.end());
      full.erase(std::unique(full.begin(), full.end()), full.end());
      for (const uint32_t bucket : full) of.kind = MixWord(of.kind, bucket);
    }
  };
  FillKinds(model.schema(), *this, 0, static_cast<uint32_t>(size()), kinds_.data(), add_own);
}

bool Representative::MayJoin(const TreeModel& model, uint32_t position, Vertex vertex) const {
  const ClassId id = vertex_class_[position];
  for (size_t attribute = 0; attribute < model.sensitive_count(id); ++attribute) {
    if (!HasRoom(model, position, attribute, model.buckets(id, vertex)[attribute])) return false;
  }
  if (!model.has_once()) return true;
  bool free = !model.IsBlocked(vertex);
  model.ForEachOnce(vertex, [&](uint32_t number) { free = free && !once_shown_[number]; });
  return free;
}

bool Representative::MayStandWith(const TreeModel& model, uint32_t position,
                                  const Representative& other, uint32_t other_position,
                                  int class_size) const {
  const ClassId id = vertex_class_[position];
  const size_t members = records_.size();
  const size_t others = other.records_.size();
  const DiversityRule& rule = model.rule();
  for (size_t attribute = 0; attribute < model.sensitive_count(id); ++attribute) {
    const uint32_t* here = buckets(position, attribute);
    const uint32_t* there = other.buckets(other_position, attribute);
    for (size_t i = 0; i < others; ++i) {
      const int most =
          rule.HasLevels() ? rule.Capacity(there[i], class_size) : rule.MostRepeats(class_size);
      const int count = CountBucket(here, members, there[i]) + CountBucket(there, others, there[i]);
      if (count > most) return false;
    }
  }
  if (!model.has_once()) return true;
  bool free = true;
  for (size_t i = 0; i < others; ++i) {
    model.ForEachOnce(other.vertex(other_position, i),
                      [&](uint32_t number) { free = free && !once_shown_[number]; });
  }
  return free;
}

void Representative::Publish(Publication& publication) const {
  // The canonical text of each subtree, bottom up: its class, labels and size, then its children's texts in order.
  std::vector<std::vector<uint32_t>> text(size());
  std::vector<std::vector<uint32_t>> children(size());
  for (uint32_t p = static_cast<uint32_t>(size()); p-- > 0;) {
    const uint32_t labels_end =
        p + 1 < size() ? first_label_[p + 1] : static_cast<uint32_t>(labels_.size());
    text[p].push_back(vertex_class_[p]);
    for (uint32_t i = first_label_[p]; i < labels_end; ++i) {
      text[p].push_back(labels_[i].low);
      text[p].push_back(labels_[i].high);
    }
    text[p].push_back(subtree_size_[p]);
    for (const uint32_t child : Children(p)) children[p].push_back(child);
    std::stable_sort(children[p].begin(), children[p].end(), [&](uint32_t a, uint32_t b) {
      if (vertex_class_[a] != vertex_class_[b]) return vertex_class_[a] < vertex_class_[b];
      return !schema_->classes[vertex_class_[a]].ordered && text[a] < text[b];
    });
    for (const uint32_t child : children[p]) {
      text[p].insert(text[p].end(), text[child].begin(), text[child].end());
      std::vector<uint32_t>().swap(text[child]);
    }
  }

  std::vector<uint32_t> order;
  std::vector<uint32_t> pending;
  if (size() > 0) pending.push_back(0);
  while (!pending.empty()) {
    const uint32_t p = pending.back();
    pending.pop_back();
    order.push_back(p);
    pending.insert(pending.end(), children[p].rbegin(), children[p].rend());
  }

  for (const uint32_t p : order) {
    const size_t labels_end = p + 1 < size() ? first_label_[p + 1] : labels_.size();
    publication.Open(vertex_class_[p],
                     std::span(labels_).subspan(first_label_[p], labels_end - first_label_[p]),
                     subtree_size_[p]);
  }
  for (size_t member = 0; member < records_.size(); ++member) {
    publication.AddRecord(records_[member]);
    for (const uint32_t p : order) {
      const Vertex source = vertex(p, member);
      publication.AddSources({&source, 1});
    }
  }
  publication.EndTree();
}

}  // namespace thicket
