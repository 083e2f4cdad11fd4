#include "utility/subtree_fates.h"

#include "base/stop.h"

namespace thicket {

namespace {

constexpr LabelId kNone = LabelSpace::kNone;

template <typename Use>
void EachRecord(const PathTrees& trees, Phase& phase, const Use& use) {
  PathTree tree;
  for (RecordId record = 0; record < trees.record_count(); ++record) {
    StopPoint();
    phase.Advance();
    trees.Read(record, tree);
    use(record, tree);
  }
}

}  // namespace

SubtreeFates::SubtreeFates(const LabelSpace& space, const PathTrees& published, uint32_t least,
                           Phase& phase)
    : space_(&space), least_(least) {
  FindLabels(published, phase);
  FindRelations(published, phase);
}

void SubtreeFates::FindLabels(const PathTrees& published, Phase& phase) {
  RecordCounts counts(space_->size());
  EachRecord(published, phase, [&](RecordId record, const PathTree& tree) {
    for (size_t i = 1; i < tree.nodes.size(); ++i) {
      for (LabelId label = tree.nodes[i].label; label != kNone; label = space_->parent(label)) {
        counts.Add(label, record);
      }
    }
  });
  fate_.assign(space_->size(), kNone);
  rank_.assign(space_->size(), kNone);
  // Parents come before their children.
  for (LabelId label = 0; label < space_->size(); ++label) {
    if (counts.of(label) >= least_) {
      fate_[label] = label;
      rank_[label] = static_cast<uint32_t>(rank_count_++);
    } else if (space_->parent(label) != kNone) {
      fate_[label] = fate_[space_->parent(label)];
    }
  }
}

void SubtreeFates::FindRelations(const PathTrees& published, Phase& phase) {
  relations_ = RecordCounts(rank_count_ * rank_count_);
  EachRecord(published, phase, [&](RecordId record, const PathTree& tree) {
    for (size_t i = 1; i < tree.nodes.size(); ++i) {
      for (uint32_t above = tree.nodes[i].parent; above != 0; above = tree.nodes[above].parent) {
        AddRelations(tree.nodes[above].label, tree.nodes[i].label, record);
      }
    }
  });
}

void SubtreeFates::AddRelations(LabelId above, LabelId below, RecordId record) {
  for (LabelId a = fate_[above]; a != kNone; a = space_->parent(a)) {
    for (LabelId b = fate_[below]; b != kNone; b = space_->parent(b)) {
      relations_.Add(rank_[a] * rank_count_ + rank_[b], record);
    }
  }
}

bool SubtreeFates::IsBroken(LabelId above, LabelId below) const {
  const LabelId a = fate_[above];
  const LabelId b = fate_[below];
  return a == kNone || b == kNone || relations_.of(rank_[a] * rank_count_ + rank_[b]) < least_;
}

double SubtreeFates::Distance(const Subtree& subtree) const {
  const size_t size = subtree.size();
  uint64_t levels = 0;
  for (size_t i = 0; i < size; ++i) {
    const LabelId label = subtree.labels[i];
    const LabelId fate = fate_[label];
    levels += fate == kNone ? space_->level(label) + 1 : space_->level(label) - space_->level(fate);
  }
  const double distance = 0.5 * static_cast<double>(levels) / static_cast<double>(size);
  if (!subtree.is_path || size < 2) return distance;
  uint64_t broken = 0;
  for (size_t i = 0; i < size; ++i) {
    for (size_t j = i + 1; j < size; ++j) {
      broken += IsBroken(subtree.labels[i], subtree.labels[j]) ? 1 : 0;
    }
  }
  const size_t relations = size * (size - 1) / 2;
  return distance + 0.5 * static_cast<double>(broken) / static_cast<double>(relations);
}

}  // namespace thicket
