// The threads that look at one cut together, and how shapes are shared among them.
//
//   ShapeTeam team(parallel);                    // or ShapeTeam(nullptr): the caller's thread alone
//   team.ForShapes(shapes.size(), [&](size_t worker, uint32_t begin, uint32_t end) { ... });
//
// Ranges of shapes are whole words of a ShapeSet, so that workers may add shapes of their ranges to the same set: each writes words of
// its own. What they count goes into numbers of each worker, which are added up afterwards. Sums of whole numbers do not depend on
// who counted what, so neither does any result.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.h"

namespace thicket {

class ShapeTeam {
 public:
  // Without a Parallel, or inside a loop of one, the caller's thread does everything.
  explicit ShapeTeam(Parallel* parallel) : parallel_(parallel) {}

  size_t workers() const { return parallel_ == nullptr ? 1 : parallel_->threads(); }

  // As Parallel::For.
  template <typename Body>
  void For(size_t n, size_t grain, const Body& body) const {
    if (n == 0) return;
    if (parallel_ == nullptr) {
      body(size_t{0}, size_t{0}, n);
    } else {
      parallel_->For(n, grain, body);
    }
  }

  // Calls the body for disjoint ranges of shapes that cover [0, shapes).
  template <typename Body>
  void ForShapes(size_t shapes, const Body& body) const {
    For((shapes + kShapes - 1) / kShapes, 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        body(worker, static_cast<uint32_t>(i * kShapes),
             static_cast<uint32_t>(std::min((i + 1) * kShapes, shapes)));
      }
    });
  }

  // Calls `use` with a worker and a shape, for each shape of an ascending list; each worker gets whole words.
  template <typename Use>
  void ForList(const std::vector<uint32_t>& list, const Use& use) const {
    if (list.empty()) return;
    ForShapes(size_t{list.back()} + 1, [&](size_t worker, uint32_t begin, uint32_t end) {
      auto shape = std::lower_bound(list.begin(), list.end(), begin);
      for (; shape != list.end() && *shape < end; ++shape) use(worker, *shape);
    });
  }

 private:
  static constexpr size_t kShapes = 1024;

  Parallel* parallel_;
};

}  // namespace thicket
