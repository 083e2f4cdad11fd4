// Remembers which identifiers were seen, without keeping them: only keyed 128-bit hashes, and where each came from.
//
//   IdSet ids;
//   ids.Add("8841", 1);   // nothing
//   ids.Add("8841", 7);   // 1
//   ids.Find("8842");     // nothing
//
// The key is new for every set, so that nobody can prepare identifiers that collide. O(1) per identifier.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace thicket {

class IdSet {
 public:
  IdSet();

  // Where the identifier was seen before, or nothing if it is new. `place` must not be 0.
  std::optional<uint32_t> Add(std::string_view id, uint32_t place);
  // Where the identifier was seen first, or nothing if it never was.
  std::optional<uint32_t> Find(std::string_view id) const;

  size_t size() const { return count_; }

 private:
  struct Entry {
    uint64_t low = 0;
    uint64_t high = 0;
    uint32_t place = 0;  // 0: free
  };

  Entry Hash(std::string_view id) const;
  // Where the entry stands in the table, or the free place where it would.
  size_t Locate(const Entry& entry) const;
  void Grow();

  std::array<uint64_t, 4> key_;
  std::vector<Entry> table_;
  size_t count_ = 0;
};

}  // namespace thicket
