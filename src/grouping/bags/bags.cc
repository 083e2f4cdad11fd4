#include "grouping/bags/bags.h"

namespace thicket {

void Bags::Add(std::span<const uint32_t> terms, uint32_t owner) {
  terms_.insert(terms_.end(), terms.begin(), terms.end());
  first_term_.push_back(terms_.size());
  owners_.push_back(owner);
}

}  // namespace thicket
