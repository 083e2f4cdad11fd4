// How a Release places wide siblings: equal ones together, and each among those only whose values fit (fit_index.h).
//
// Siblings with equal trees of labels fit the same, so an injection of thousands of siblings is one of their groups, with as many
// members each (group_injection.h).
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "attack/fit_index.h"
#include "attack/group_injection.h"
#include "attack/release.h"
#include "base/stop.h"

namespace thicket {

namespace {

// So many entries of all lists of what fits are kept.
constexpr size_t kMostKept = size_t{1} << 25;

// Siblings with equal numbers.
struct SiblingGroups {
  std::vector<Vertex> example;
  std::vector<uint32_t> count;

  SiblingGroups(const std::vector<Vertex>& siblings, const CanonicalForm& form) {
    std::vector<std::pair<uint32_t, Vertex>> numbered;
    numbered.reserve(siblings.size());
    for (const Vertex sibling : siblings) numbered.emplace_back(form.number[sibling], sibling);
    std::sort(numbered.begin(), numbered.end());
    for (size_t i = 0; i < numbered.size(); ++i) {
      if (i == 0 || numbered[i].first != numbered[i - 1].first) {
        example.push_back(numbered[i].second);
        count.push_back(0);
      }
      ++count.back();
    }
  }
};

}  // namespace

const CanonicalForm& Release::OriginalForm() {
  if (!original_form_) {
    original_form_ =
        Canonicalize(*schema_, original_->forest(), original_->values(), CompareBy::kQuasi);
  }
  return *original_form_;
}

bool Release::WideSiblingsEmbed(ClassId id, const Level& level, size_t depth) {
  if (level.vertices.size() > level.originals.size()) return false;
  if (!form_) form_ = Canonicalize(*schema_, *forest_, raw_, CompareBy::kQuasi);
  const SiblingGroups published(level.vertices, *form_);
  const SiblingGroups original(level.originals, OriginalForm());
  const size_t slots = labels_[id].size();
  std::vector<uint32_t> values;
  for (const Vertex vertex : original.example) {
    const uint32_t* of = original_->values(vertex);
    values.insert(values.end(), of, of + slots);
  }
  FitIndex index(slots, original.example.size(), std::move(values));
  const auto covers = [&](size_t slot, uint32_t raw, uint32_t value) {
    return Covers(id, slot, raw, value);
  };
  const auto most_fitting = [&](uint32_t group) {
    return index.MostFitting(raw_.of(published.example[group]), covers);
  };
  std::vector<std::pair<size_t, uint32_t>> by_choice;
  for (uint32_t group = 0; group < published.example.size(); ++group) {
    StopPoint();
    by_choice.emplace_back(most_fitting(group), group);
  }
  std::sort(by_choice.begin(), by_choice.end());
  std::vector<uint32_t> order;
  for (const auto& [choice, group] : by_choice) order.push_back(group);
  // By group: all that it fits, once they have been gone through to the end.
  std::vector<std::vector<uint32_t>> fitting(order.size());
  std::vector<bool> is_known(order.size(), false);
  size_t kept = 0;
  std::vector<uint32_t> found;
  GroupInjection injection(published.count, original.count);
  return injection.Exists(order, [&](uint32_t group, const auto& use) {
    if (is_known[group]) {
      std::all_of(fitting[group].begin(), fitting[group].end(), use);
      return;
    }
    const Vertex vertex = published.example[group];
    bool wanted = true;
    found.clear();
    index.ForEach(raw_.of(vertex), covers, [&](uint32_t other) {
      if (!EmbedsAt(vertex, original.example[other], depth + 1)) return true;
      found.push_back(other);
      wanted = use(other);
      return wanted;
    });
    if (!wanted || kept + found.size() > kMostKept) return;
    kept += found.size();
    is_known[group] = true;
    fitting[group] = found;
  });
}

}  // namespace thicket
