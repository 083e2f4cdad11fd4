#include "verify/path_cover.h"

#include <fmt/format.h>

#include "base/stop.h"

namespace thicket {

Result<PathCover> PathCover::Create(const Schema& schema, const TaxonomyFiles& taxonomies,
                                    const Dataset& published, const Dataset& original) {
  THICKET_ASSIGN(Embedding values, Embedding::Create(schema, taxonomies, published, original));
  return PathCover(schema, published, original, std::move(values));
}

// Whether the path to this vertex has a value for every label.
bool PathCover::LeadsTo(Vertex original) const {
  Vertex at = original;
  for (size_t i = path_.size(); i-- > 0;) {
    const PathLabel& label = path_[i];
    while (at != root_ && original_->class_of(at) != label.id) at = parent_[at - root_];
    if (original_->class_of(at) != label.id) return false;
    if (!Fits(label.id, label.slot, label.label, original_->value(at, label.slot))) return false;
  }
  return true;
}

std::optional<PathCover::Fault> PathCover::CheckVertex(Vertex vertex, size_t own_labels,
                                                       Vertex original) {
  const ClassId id = published_->class_of(vertex);
  const VertexClass& of = schema_->classes[id];
  const Vertex end = original + original_->subtree_size(original);
  if (own_labels > 0) {
    bool found = false;
    for (Vertex at = original; at < end && !found; ++at) found = LeadsTo(at);
    if (!found) return Fault{vertex, path_.back().slot};
  }
  for (size_t slot = of.quasi.size(); slot < of.value_count(); ++slot) {
    const Symbol value = published_->value(vertex, slot);
    if (!Says(value)) continue;
    bool found = false;
    for (Vertex at = original; at < end && !found; ++at) {
      found = original_->class_of(at) == id && Fits(id, slot, value, original_->value(at, slot)) &&
              (own_labels == 0 || LeadsTo(at));
    }
    if (!found) return Fault{vertex, slot};
  }
  return std::nullopt;
}

std::optional<PathCover::Fault> PathCover::FindFault(Vertex published, Vertex original) {
  root_ = original;
  parent_.assign(original_->subtree_size(original), original);
  for (Vertex at = original; at < original + original_->subtree_size(original); ++at) {
    for (const Vertex child : original_->Children(at)) parent_[child - root_] = at;
  }
  path_.clear();
  // By vertex on the path to the current one: where its subtree ends, and how long the path is with it.
  std::vector<std::pair<Vertex, size_t>> open;
  const Vertex end = published + published_->subtree_size(published);
  for (Vertex vertex = published; vertex < end; ++vertex) {
    StopPoint();
    while (!open.empty() && open.back().first <= vertex) open.pop_back();
    path_.resize(open.empty() ? 0 : open.back().second);
    const size_t before = path_.size();
    const ClassId id = published_->class_of(vertex);
    for (size_t slot = 0; slot < schema_->classes[id].quasi.size(); ++slot) {
      const Symbol label = published_->value(vertex, slot);
      if (Says(label)) path_.push_back({id, slot, label});
    }
    open.emplace_back(vertex + published_->subtree_size(vertex), path_.size());
    if (auto fault = CheckVertex(vertex, path_.size() - before, original)) return fault;
  }
  return std::nullopt;
}

Violation PathCover::Explain(Vertex published, Vertex original) {
  const Fault fault = FindFault(published, original).value_or(Fault{published, 0});
  const ClassId id = published_->class_of(fault.vertex);
  const bool is_label = fault.slot < schema_->classes[id].quasi.size();
  return {
      is_label ? ViolationKind::kNotAncestor : ViolationKind::kValueChanged,
      fmt::format("{}: {}, but this one is not", data_->Where(fault.vertex, fault.slot),
                  is_label ? "a label must be an original value or an ancestor of one, on the "
                             "path of the labels above it"
                           : "a published value must be the original one of a vertex with these "
                             "labels"),
      1};
}

}  // namespace thicket
