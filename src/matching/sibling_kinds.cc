#include "matching/sibling_kinds.h"

#include "base/stop.h"
#include "matching/tree_model.h"

namespace thicket {

RecordKinds::RecordKinds(const TreeModel& model) {
  const Forest& forest = model.forest();
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    const Vertex root = forest.root(record);
    const Vertex end = root + static_cast<Vertex>(forest.record_size(record));
    if (!HasWideSiblings(forest, root, end)) continue;
    StopPoint();
    if (first_.empty()) first_.assign(forest.record_count(), kNone);
    first_[record] = kinds_.size();
    kinds_.resize(kinds_.size() + forest.record_size(record));
    SiblingKind* kinds = kinds_.data() + first_[record];
    FillKinds(model.schema(), forest, root, end, kinds, [&](Vertex v, SiblingKind& of) {
      const ClassId id = forest.class_of(v);
      const auto& domains = model.data().classes[id].domains;
      for (size_t slot = 0; slot < domains.size(); ++slot) {
        const Label label = domains[slot].Leaf(model.data().value(v, slot));
        of.look = MixWord(MixWord(of.look, label.low), label.high);
        of.kind = MixWord(MixWord(of.kind, label.low), label.high);
      }
      const uint32_t* buckets = model.buckets(id, v);
      for (size_t a = 0; a < model.sensitive_count(id); ++a) of.kind = MixWord(of.kind, buckets[a]);
    });
  }
}

}  // namespace thicket
