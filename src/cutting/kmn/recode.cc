#include "cutting/kmn/recode.h"

#include <algorithm>
#include <utility>

#include "base/stop.h"
#include "record/label_chains.h"

namespace thicket {

namespace {

class Recoder {
 public:
  Recoder(const ItemHierarchy& items, const EncodedDataset& data, const std::vector<Item>& label_of,
          const std::vector<Relation>& broken)
      : items_(items),
        data_(data),
        label_of_(label_of),
        broken_(items.size() + 1),
        no_label_(static_cast<Item>(items.size())),
        tree_(items) {
    for (const Relation& relation : broken) broken_.Add(relation);
    for (const VertexClass& one : data.schema().classes) {
      has_values_.push_back(one.sensitive.size() + one.keep.size() > 0);
    }
  }

  Publication Run() {
    const Forest& forest = data_.forest();
    published_.SetRearranged();
    for (RecordId record = 0; record < forest.record_count(); ++record) {
      StopPoint();
      Load(record);
      if (!broken_.empty()) tree_.Apply(broken_);
      Merge();
      PlaceValues();
      published_.AddRecord(record);
      EmitRoot();
      published_.EndTree();
    }
    return std::move(published_);
  }

 private:
  static constexpr uint32_t kNone = LabelTree::kNoParent;

  // A vertex of the data set: its own nodes are [first, end).
  struct Source {
    Vertex vertex;
    ClassId class_id;
    uint32_t first;
    uint32_t end;
  };
  // A node of the merged tree. Its children ascend by class, then by label; a child without a label stands for the
  // values of vertices of one class that show no label.
  struct Merged {
    ClassId class_id;
    Item label;
    std::vector<uint32_t> children;
    std::vector<Vertex> values;
    // Whether it is the last one that some vertex of the data set shows.
    bool is_home = false;
  };

  void Load(RecordId record) {
    const Forest& forest = data_.forest();
    tree_.Clear();
    sources_.clear();
    class_of_node_.clear();
    chains_.WalkVertices(forest, record, kNone, [&](uint32_t above, Vertex v) {
      const ClassId id = forest.class_of(v);
      Source source = {v, id, static_cast<uint32_t>(tree_.size()), 0};
      uint32_t node = above;
      for (size_t slot = 0; slot < data_.classes[id].domains.size(); ++slot) {
        const auto leaf = items_.Leaf(id, slot, data_.value(v, slot));
        if (!leaf || items_.is_left_out(label_of_[*leaf])) continue;
        node = tree_.Add(node, label_of_[*leaf]);
        class_of_node_.push_back(id);
      }
      // The root's values need no place of their own.
      if (tree_.size() == source.first && has_values_[id] && v != forest.root(record)) {
        tree_.Add(above, no_label_);
        class_of_node_.push_back(id);
      }
      source.end = static_cast<uint32_t>(tree_.size());
      sources_.push_back(source);
      return node;
    });
  }

  void Merge() {
    merged_.clear();
    merged_.push_back({0, no_label_, {}, {}, false});
    merged_of_.resize(tree_.size());
    for (uint32_t node = 0; node < tree_.size(); ++node) {
      const uint32_t above = tree_.parent(node) == kNone ? 0 : merged_of_[tree_.parent(node)];
      merged_of_[node] = Child(above, class_of_node_[node], tree_.label(node));
    }
  }

  uint32_t Child(uint32_t parent, ClassId id, Item label) {
    const auto order = [&](uint32_t child) {
      return std::pair(merged_[child].class_id, merged_[child].label);
    };
    std::vector<uint32_t>& children = merged_[parent].children;
    auto place = children.begin();
    while (place != children.end() && order(*place) < std::pair(id, label)) ++place;
    if (place != children.end() && order(*place) == std::pair(id, label)) return *place;
    const auto added = static_cast<uint32_t>(merged_.size());
    children.insert(place, added);
    merged_.push_back({id, label, {}, {}, false});
    return added;
  }

  void PlaceValues() {
    housed_ = 0;
    for (const Source& source : sources_) {
      if (source.class_id == 0) continue;
      if (source.first == source.end) {
        published_.CountMerged(0, 1);
        continue;
      }
      uint32_t place = source.end - 1;
      for (uint32_t node = source.end; node-- > source.first;) {
        if (tree_.moved(node)) continue;
        place = node;
        break;
      }
      Merged& home = merged_[merged_of_[place]];
      home.is_home = true;
      ++housed_;
      if (has_values_[source.class_id]) home.values.push_back(source.vertex);
    }
  }

  void EmitRoot() {
    const uint32_t root = Open(0);
    uint32_t node = 0;
    // Relations of the root are never broken: its labels are one chain, and everything else hangs below it.
    chain_.clear();
    while (!merged_[node].children.empty() && merged_[merged_[node].children[0]].class_id == 0) {
      node = merged_[node].children[0];
      Show(root, merged_[node].label);
    }
    published_.AddSources({&sources_.front().vertex, 1});
    EmitBelow(node, 0);
    published_.Close(root);
    published_.CountMerged(housed_, 0);
  }

  // The vertices of other classes below a node.
  void EmitBelow(uint32_t node, ClassId id) {
    for (const uint32_t child : merged_[node].children) {
      if (merged_[child].class_id == id) continue;
      const size_t before = chain_.size();
      EmitFrom(child, before);
      chain_.resize(before);
    }
  }

  // The vertices whose labels are a chain through the node; chain_[first...] are those above it.
  void EmitFrom(uint32_t node, size_t first) {
    const ClassId id = merged_[node].class_id;
    if (merged_[node].label != no_label_) chain_.push_back(merged_[node].label);
    bool goes_on = false;
    bool ends_here = !merged_[node].values.empty();
    for (const uint32_t child : merged_[node].children) {
      (merged_[child].class_id == id ? goes_on : ends_here) = true;
    }
    if (ends_here || !goes_on) {
      const uint32_t vertex = Open(id);
      for (size_t i = first; i < chain_.size(); ++i) Show(vertex, chain_[i]);
      if (merged_[node].is_home) --housed_;
      published_.AddSources(merged_[node].values);
      EmitBelow(node, id);
      published_.Close(vertex);
    }
    const size_t length = chain_.size();
    for (const uint32_t child : merged_[node].children) {
      if (merged_[child].class_id != id) continue;
      EmitFrom(child, first);
      chain_.resize(length);
    }
  }

  uint32_t Open(ClassId id) {
    nothing_shown_.resize(data_.classes[id].domains.size(), kNoLabel);
    return published_.Open(id, nothing_shown_);
  }
  void Show(uint32_t vertex, Item label) {
    published_.SetLabel(vertex, items_.attribute(label).slot, items_.label(label));
  }

  const ItemHierarchy& items_;
  const EncodedDataset& data_;
  const std::vector<Item>& label_of_;
  BrokenRelations broken_;
  // Stands in the tree for a vertex that shows no label but has values.
  const Item no_label_;
  LabelTree tree_;
  std::vector<bool> has_values_;
  std::vector<Source> sources_;
  std::vector<ClassId> class_of_node_;
  LabelChains<uint32_t> chains_;
  std::vector<Merged> merged_;
  // How many vertices of the record show something, less those that are published ones.
  uint64_t housed_ = 0;
  std::vector<uint32_t> merged_of_;
  std::vector<Item> chain_;
  std::vector<Label> nothing_shown_;
  Publication published_;
};

}  // namespace

Publication Recode(const ItemHierarchy& items, const EncodedDataset& data,
                   const std::vector<Item>& label_of, const std::vector<Relation>& broken) {
  return Recoder(items, data, label_of, broken).Run();
}

}  // namespace thicket
