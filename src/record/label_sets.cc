#include "record/label_sets.h"

#include <algorithm>

namespace thicket {

namespace {

void SortDistinct(std::vector<uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

void LabelSets::Add(std::vector<Node> labels, std::vector<uint32_t> secrets) {
  SortDistinct(labels);
  SortDistinct(secrets);
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  first_label_.push_back(labels_.size());
  secrets_.insert(secrets_.end(), secrets.begin(), secrets.end());
  first_secret_.push_back(secrets_.size());
  if (!secrets.empty()) secret_count_ = std::max(secret_count_, secrets.back() + 1);
}

}  // namespace thicket
