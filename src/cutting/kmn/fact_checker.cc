#include "cutting/kmn/fact_checker.h"

#include "cutting/kmn/fact_index.h"

namespace thicket {

FactChecker::FactChecker(const ItemHierarchy& items, const Shapes& shapes, const FactRows& rows,
                         const KnowledgeLimits& limits, const FactQuestion& question,
                         bool from_scratch)
    : items_(&items), shapes_(&shapes), rows_(&rows), limits_(limits), question_(question) {
  if (!from_scratch) store_ = std::make_unique<FactStore>(items, shapes, rows);
}

bool FactChecker::MayShow(const std::vector<Item>& label_of, const Fresh& fresh) const {
  return Hold(label_of, BrokenRelations(items_->size()), fresh, false);
}

bool FactChecker::MayPublish(const std::vector<Item>& label_of, const BrokenRelations& broken,
                             const Fresh& fresh) const {
  return Hold(label_of, broken, fresh, true);
}

bool FactChecker::Hold(const std::vector<Item>& label_of, const BrokenRelations& broken,
                       const Fresh& fresh, bool related) const {
  std::optional<FactStore> own;
  if (store_ == nullptr) own.emplace(*items_, *shapes_, *rows_);
  const FactIndex index(store_ != nullptr ? *store_ : *own, label_of, broken,
                        {.relations = related, .fresh = fresh.value_or(std::span<const Item>())});
  FactQuestion question = question_;
  question.only_fresh = fresh.has_value();
  question.only_related = related;
  return FactsHold(index, *items_, {limits_.k, limits_.m, related ? limits_.n : 0}, question);
}

}  // namespace thicket
