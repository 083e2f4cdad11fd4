// Which terms of a data set are near each other: at most epsilon steps apart in a network or a taxonomy (relevant, in
// Liu's words).
//
// Everything about bags of words asks this in its innermost loop, so the answer is worked out once for all terms that
// occur.
//
//   const TermDistances distances = TermDistances::OfNetwork(network, {"wine", "vino", "jacket"}, 6, parallel);
//   distances.Steps(0, 1);    // 2
//   distances.NearTo(0);      // {0, 0}, {1, 2}
//
// A bounded breadth-first search per term, in parallel, in the part of the network that can lie between two terms:
// places where no path goes on are cut off first, which leaves some 40,000 of WordNet's 200,000 for 19,000 terms. What
// is near a term stands in one list, and beside it in a table by term: a row of bytes where that is shorter, else a
// hash table, so that Steps() is one or two look-ups. Section 5.2.1 of Liu 2010.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "taxonomy/semantic_network.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

class TermDistances {
 public:
  struct Near {
    uint32_t term;
    uint32_t steps;
    friend bool operator==(const Near&, const Near&) = default;
  };

  // terms[i] is term number i, no word twice; a term that is not in the network is near itself only.
  static TermDistances OfNetwork(const SemanticNetwork& network, std::span<const std::string> terms,
                                 uint32_t epsilon, Parallel& parallel);
  // Term number i is the node leaves[i] of the taxonomy, no node twice; steps are edges of the tree. Inner nodes may
  // be terms, too.
  static TermDistances OfTaxonomy(const Taxonomy& taxonomy, std::span<const Node> leaves,
                                  uint32_t epsilon, Parallel& parallel);
  // As given, in any order; each list has the term itself at 0, and what is near is near in both lists.
  static TermDistances FromLists(std::vector<std::vector<Near>> lists);

  // How many bytes the result would take, about: from a sample of the terms. To be asked before, where terms are many.
  static uint64_t EstimateBytes(const SemanticNetwork& network, std::span<const std::string> terms,
                                uint32_t epsilon);
  static uint64_t EstimateBytes(const Taxonomy& taxonomy, std::span<const Node> leaves,
                                uint32_t epsilon);

  TermDistances(const TermDistances&) = delete;
  TermDistances& operator=(const TermDistances&) = delete;
  TermDistances(TermDistances&&) = default;
  TermDistances& operator=(TermDistances&&) = default;
  ~TermDistances() = default;

  size_t term_count() const { return rows_.size(); }
  // Ascending by (steps, term), so that the first is the term itself.
  std::span<const Near> NearTo(uint32_t term) const {
    return {rows_[term].near, rows_[term].near_count};
  }
  // Nothing if the terms are more than epsilon steps apart.
  std::optional<uint32_t> Steps(uint32_t a, uint32_t b) const {
    const Row& row = rows_[a];
    if (row.kind == Row::kHashed) {
      for (uint32_t slot = Hash(b) >> row.shift;; slot = (slot + 1) & row.mask) {
        const uint32_t content = row.slots[slot];
        if (content >> kStepBits == b) return content & kFar;
        if (content == kEmpty) return std::nullopt;
      }
    }
    if (row.kind == Row::kBytes) {
      const uint8_t steps = row.bytes[b];
      if (steps == kFar) return std::nullopt;
      return steps;
    }
    return Search(a, b);
  }
  // What this object holds, in bytes.
  uint64_t bytes() const;

 private:
  // A slot of a hash table is the term and the steps. Where one of them is too large for that, rows are searched.
  static constexpr uint32_t kStepBits = 8;
  static constexpr uint32_t kFar = (1U << kStepBits) - 1;
  static constexpr uint32_t kEmpty = ~uint32_t{0};
  static constexpr uint32_t kMaxTerms = kEmpty >> kStepBits;

  struct Row {
    enum Kind : uint8_t { kHashed, kBytes, kSearched };
    const Near* near = nullptr;
    union {
      const uint32_t* slots = nullptr;  // kHashed: a power of two of them
      const uint8_t* bytes;             // kBytes: by term
    };
    uint32_t near_count = 0;
    uint32_t mask = 0;   // slots - 1
    uint8_t shift = 32;  // 32 - log2(slots)
    Kind kind = kSearched;
  };
  // What the rows of terms that were worked out together point into, so that no list is copied when all are known.
  struct Block {
    std::vector<Near> near;
    std::vector<uint32_t> slots;
    std::vector<uint8_t> bytes;
  };
  struct Paths;
  class Walk;

  static uint32_t Hash(uint32_t term) { return term * 0x9E3779B1U; }
  static uint32_t SlotsFor(size_t near);
  static uint64_t RowBytes(size_t near, size_t terms);

  explicit TermDistances(size_t terms) : rows_(terms) {}
  static TermDistances Of(const Paths& paths, uint32_t epsilon, Parallel& parallel);
  static uint64_t Estimate(const Paths& paths, uint32_t epsilon);
  // Makes the rows of the terms from `begin` on, of which there are near_counts.size(), from their lists one after
  // another.
  void FillRows(size_t begin, std::span<const Near> lists, std::span<const uint32_t> near_counts,
                Block& block);
  std::optional<uint32_t> Search(uint32_t a, uint32_t b) const;

  std::vector<Row> rows_;
  std::vector<Block> blocks_;
};

}  // namespace thicket
