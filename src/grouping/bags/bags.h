// Bags of terms with their owners: the vocabularies of Liu 2010, Section 5.1.1.
//
// Terms are numbers from 0; a term may stand in a bag several times. An owner may have several bags, which do not hide
// each other.
//
//   Bags bags;
//   bags.Add({wine, wine, jackets, boots}, /*owner=*/0);
//   bags.terms(0)[3];   // boots: the occurrence at place 3
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace thicket {

class Bags {
 public:
  // Terms in any order, with repeats.
  void Add(std::span<const uint32_t> terms, uint32_t owner);
  void Add(std::initializer_list<uint32_t> terms, uint32_t owner) {
    Add(std::span(terms.begin(), terms.size()), owner);
  }

  size_t size() const { return owners_.size(); }
  // In the order in which they were added.
  std::span<const uint32_t> terms(size_t bag) const {
    return {terms_.data() + first_term_[bag], first_term_[bag + 1] - first_term_[bag]};
  }
  uint32_t owner(size_t bag) const { return owners_[bag]; }
  // Terms of all bags.
  size_t occurrences() const { return terms_.size(); }

 private:
  std::vector<size_t> first_term_ = {0};
  std::vector<uint32_t> terms_;
  std::vector<uint32_t> owners_;
};

}  // namespace thicket
