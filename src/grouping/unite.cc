#include "grouping/unite.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "matching/representative.h"
#include "matching/tree_model.h"

namespace thicket {

namespace {

// What tells classes apart.
using Tree = std::tuple<std::vector<ClassId>, std::vector<uint32_t>, std::vector<Label>>;

Tree TreeOf(const PublishedTree& group) {
  return {{group.vertex_class.begin(), group.vertex_class.end()},
          {group.subtree_size.begin(), group.subtree_size.end()},
          {group.label_values.begin(), group.label_values.end()}};
}

class Uniting {
 public:
  explicit Uniting(const EncodedDataset& data) {
    for (const VertexClass& of : data.schema().classes) {
      for (const SensitiveAttribute& attribute : of.sensitive) {
        if (!attribute.once.empty() && !model_) model_.emplace(data, DiversityRule{});
      }
    }
  }

  Publication Run(Publication published) {
    std::vector<RecordId> suppressed = published.suppressed();
    bool as_they_were = true;
    for (const PublishedTree group : published.trees()) {
      // What became of the class: a publication of it alone.
      std::optional<Publication> changed;
      PublishedTree own = group;
      bool there = true;
      while (there && Clashes(own)) {
        changed = Change(own);
        there = changed.has_value();
        if (there) own = changed->tree(0);
      }
      if (there) {
        as_they_were = Add(own) && !changed && as_they_were;
      } else {
        suppressed.insert(suppressed.end(), group.records.begin(), group.records.end());
        as_they_were = false;
      }
      if (changed) changed_.push_back(std::move(*changed));
    }
    std::sort(suppressed.begin(), suppressed.end());
    if (!as_they_were) {
      Publication united = United();
      united.SuppressValues(published.suppressed_values());
      published = std::move(united);
    }
    published.Suppress(std::move(suppressed));
    return published;
  }

 private:
  struct Known {
    size_t index;
    // The `once` values that it shows, ascending.
    std::vector<uint32_t> shown;
  };

  std::vector<uint32_t> ShownBy(const PublishedTree& group) const {
    std::vector<uint32_t> shown;
    if (!model_) return shown;
    for (size_t member = 0; member < group.records.size(); ++member) {
      for (size_t p = 0; p < group.size(); ++p) {
        model_->ForEachOnce(group.vertex(member, p),
                            [&](uint32_t number) { shown.push_back(number); });
      }
    }
    std::sort(shown.begin(), shown.end());
    return shown;
  }

  // Whether a class with the same tree shows a `once` value of this one.
  bool Clashes(const PublishedTree& group) const {
    if (!model_) return false;
    const auto known = known_.find(TreeOf(group));
    if (known == known_.end()) return false;
    const std::vector<uint32_t> shown = ShownBy(group);
    return std::any_of(shown.begin(), shown.end(), [&](uint32_t number) {
      return std::binary_search(known->second.shown.begin(), known->second.shown.end(), number);
    });
  }

  // Whether no class before has the same tree.
  bool Add(const PublishedTree& group) {
    const auto [known, added] = known_.try_emplace(TreeOf(group), Known{parts_.size(), {}});
    std::vector<uint32_t>& shown = known->second.shown;
    const std::vector<uint32_t> more = ShownBy(group);
    shown.insert(shown.end(), more.begin(), more.end());
    std::sort(shown.begin(), shown.end());
    if (added) parts_.emplace_back();
    parts_[known->second.index].push_back(group);
    return added;
  }

  Publication United() const {
    Publication result;
    for (const std::vector<PublishedTree>& parts : parts_) {
      result.CopyPositions(parts.front());
      for (const PublishedTree& part : parts) result.CopyRecords(part);
      result.EndTree();
    }
    return result;
  }

  // One way to make a tree more general.
  struct Step {
    Units cost;  // in each of its records
    size_t position;
    // The label that takes the place of the one at this slot; without one the subtree is suppressed.
    size_t slot = 0;
    std::optional<Label> label = {};
  };

  // The class after the cheapest change that ends the clash, of equals the first; if none does, after the cheapest one.
  // Nothing if there is nothing left to change.
  std::optional<Publication> Change(const PublishedTree& group) const {
    const std::vector<Step> steps = StepsOf(group);
    std::optional<Publication> cheapest;
    for (const Step& step : steps) {
      Publication changed = After(group, step);
      const bool clashes = Clashes(changed.tree(0));
      if (!clashes || !cheapest) cheapest = std::move(changed);
      if (!clashes) break;
    }
    return cheapest;
  }

  // Cheapest first.
  std::vector<Step> StepsOf(const PublishedTree& group) const {
    std::vector<Step> steps;
    std::vector<Units> worth(group.size(), 0);
    for (size_t p = group.size(); p-- > 0;) {
      const ClassId id = group.vertex_class[p];
      const auto& domains = model_->data().classes[id].domains;
      worth[p] += model_->vertex_weight(id);
      for (size_t slot = 0; slot < domains.size(); ++slot) {
        const Label label = group.labels(p)[slot];
        worth[p] -= domains[slot].Loss(label);
        for (const Label wider : MoreGeneral(domains[slot], label)) {
          steps.push_back({domains[slot].Loss(wider) - domains[slot].Loss(label), p, slot, wider});
        }
      }
      for (size_t child = p + 1; child < p + group.subtree_size[p];
           child += group.subtree_size[child]) {
        worth[p] += worth[child];
      }
      if (p > 0) steps.push_back({worth[p], p});
    }
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
      const Label none{};
      return std::tuple(a.cost, a.position, a.slot, a.label.has_value(), a.label.value_or(none)) <
             std::tuple(b.cost, b.position, b.slot, b.label.has_value(), b.label.value_or(none));
    });
    return steps;
  }

  // The next labels above one; none above the most general.
  static std::vector<Label> MoreGeneral(const Domain& domain, Label label) {
    if (!domain.is_numeric()) {
      if (label.low == Taxonomy::kRoot) return {};
      const uint32_t parent = domain.taxonomy().parent(label.low);
      return {{parent, parent}};
    }
    std::vector<Label> wider;
    if (label.low > 0) wider.push_back(domain.Merge(label, domain.Leaf(label.low - 1)));
    if (label.high + 1 < domain.value_count()) {
      wider.push_back(domain.Merge(label, domain.Leaf(label.high + 1)));
    }
    std::erase(wider, label);
    return wider;
  }

  Publication After(const PublishedTree& group, const Step& step) const {
    Publication result;
    if (step.label) {
      Publication wider;
      wider.CopyPositions(group);
      wider.SetLabel(static_cast<uint32_t>(step.position), step.slot, *step.label);
      wider.CopyRecords(group);
      wider.EndTree();
      // Siblings may have to change places.
      Representative::From(*model_, wider.tree(0)).Publish(result);
      return result;
    }
    std::vector<uint32_t> kept;
    const size_t end = step.position + group.subtree_size[step.position];
    for (uint32_t p = 0; p < group.size(); ++p) {
      if (p < step.position || p >= end) kept.push_back(p);
    }
    const Representative whole = Representative::From(*model_, group);
    whole.Keep(*model_, kept, static_cast<int>(group.records.size())).Publish(result);
    return result;
  }

  // Only if there are `once` values.
  std::optional<TreeModel> model_;
  std::map<Tree, Known> known_;
  // By united class, the classes that it is made of.
  std::vector<std::vector<PublishedTree>> parts_;
  // Keeps alive what parts_ shows of changed classes.
  std::deque<Publication> changed_;
};

}  // namespace

Publication UniteEqualClasses(const EncodedDataset& data, Publication published) {
  return Uniting(data).Run(std::move(published));
}

}  // namespace thicket
