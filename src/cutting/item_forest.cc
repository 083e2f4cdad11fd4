#include "cutting/item_forest.h"

#include <utility>

namespace thicket {

ItemForest::ItemForest(std::vector<Item> parents)
    : parent_(std::move(parents)), first_child_(parent_.size() + 1, 0) {
  for (Item item = 0; item < size(); ++item) {
    if (is_root(item)) {
      roots_.push_back(item);
    } else {
      ++first_child_[parent_[item] + 1];
    }
  }
  for (size_t item = 0; item < size(); ++item) first_child_[item + 1] += first_child_[item];
  children_.resize(first_child_.back());
  std::vector<uint32_t> next(first_child_.begin(), first_child_.end() - 1);
  for (Item item = 0; item < size(); ++item) {
    if (!is_root(item)) children_[next[parent_[item]]++] = item;
  }
}

double ItemForest::CountCuts() const {
  double all = 1;
  // By item: the product over its children; the cuts of a leaf are the leaf alone.
  std::vector<double> below(size(), 1);
  for (auto item = static_cast<Item>(size()); item-- > 0;) {
    const double cuts = is_leaf(item) ? 1 : 1 + below[item];
    (is_root(item) ? all : below[parent_[item]]) *= cuts;
  }
  return all;
}

}  // namespace thicket
