// Whether a cut keeps what is promised beyond k^(m,n)-anonymity itself: diversity, and that nobody stands out by what
// they lack.
//
//   FactChecker checker(items, shapes, rows, limits, {.l = 3, .negative = true});
//   if (checker.MayShow(label_of, fresh)) ...                    // as far as labels go; if not, no finer cut may
//   if (checker.MayPublish(label_of, broken, fresh)) ...         // with its broken relations
//
// What the search for a cut asks (cut_search.h); fact_check.h says what is counted. `label_of` is as in Cut. `fresh`,
// if it is there, are the labels that are new against a cut that may be shown, or published: only sets of facts that
// name one of them are looked at. What is found out about items stays in a store, so a cut is asked about from what it
// has that no cut before it had. Called from several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cutting/kmn/fact_check.h"
#include "cutting/kmn/fact_rows.h"
#include "cutting/kmn/fact_store.h"
#include "cutting/kmn/item_hierarchy.h"
#include "cutting/kmn/label_knowledge.h"
#include "cutting/kmn/label_tree.h"
#include "cutting/kmn/shapes.h"

namespace thicket {

class FactChecker {
 public:
  using Fresh = std::optional<std::span<const Item>>;

  // All must outlive the checker. `from_scratch`: nothing is kept from one cut to the next: slow, with the same result.
  FactChecker(const ItemHierarchy& items, const Shapes& shapes, const FactRows& rows,
              const KnowledgeLimits& limits, const FactQuestion& question,
              bool from_scratch = false);

  bool MayShow(const std::vector<Item>& label_of, const Fresh& fresh) const;
  // Whether MayPublish() asks for more than MayShow() does.
  bool asks_relations() const { return limits_.n > 0; }
  // Of a cut that may be shown. Finer cuts may be published where this one may not. With `fresh`, nothing may be
  // broken, neither here nor in the cut above.
  bool MayPublish(const std::vector<Item>& label_of, const BrokenRelations& broken,
                  const Fresh& fresh) const;

 private:
  bool Hold(const std::vector<Item>& label_of, const BrokenRelations& broken, const Fresh& fresh,
            bool related) const;

  const ItemHierarchy* items_;
  const Shapes* shapes_;
  const FactRows* rows_;
  KnowledgeLimits limits_;
  FactQuestion question_;
  // None if nothing is kept.
  std::unique_ptr<FactStore> store_;
};

}  // namespace thicket
