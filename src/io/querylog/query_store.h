// The queries of a log while it is read: of each a few numbers instead of its text, so that logs fit into memory that do not fit
// as text.
//
//   QueryStore store;
//   store.Add({.user = 0, .time = 1141197432, .line = 2, .text_hash = hash, .terms = symbols});
//   THICKET_TRY(store.ForEachUser(order, progress, [&](std::span<const LoggedQuery> queries) { ... return Status(); }));
//
// 20 bytes per query and 4 per term. A log whose users and times stand in order is handed out as it came, and given back block by
// block meanwhile; any other is sorted, O(queries log queries of a user), with 8 bytes more per query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "record/dictionary.h"

namespace thicket {

struct LoggedQuery {
  uint32_t user = 0;
  // In seconds.
  int64_t time = 0;
  uint32_t line = 0;
  // Of its text: queries of equal terms may have been written differently.
  uint32_t text_hash = 0;
  std::span<const Symbol> terms = {};

  // Whether two rows of one user are one query.
  bool IsSameAs(const LoggedQuery& other) const;
};

class QueryStore {
 public:
  static constexpr size_t kMostTerms = (size_t{1} << 24) - 1;

  // The terms are copied; there may be kMostTerms at most. `first_of_user`: whether no query of the user came before, and the
  // user comes after all that did in the order of users.
  void Add(const LoggedQuery& query, bool first_of_user);

  size_t size() const { return size_; }
  uint64_t term_count() const { return term_count_; }
  // Whether queries came in the order in which they are handed out.
  bool in_order() const { return in_order_; }

  // Hands out the queries of each user by time, and where times are equal by line; users in the given order. Nothing is left
  // afterwards. `source` is what messages about memory call the log.
  using UseQueries = std::function<Status(std::span<const LoggedQuery> queries)>;
  Status ForEachUser(std::span<const uint32_t> users, std::string_view source, Progress& progress,
                     const UseQueries& use);

 private:
  // Queries stand one after another, each with its terms behind it, never across the end of a block.
  struct Block {
    std::unique_ptr<uint32_t[]> words;
    size_t used = 0;
    size_t size = 0;
  };
  struct Place {
    uint32_t block = 0;
    uint32_t word = 0;
  };

  LoggedQuery At(Place place) const;
  // The place of the query behind another.
  bool Next(Place& place) const;
  Status HandOutAsTheyCame(Progress& progress, const UseQueries& use);
  Status HandOutSorted(std::span<const uint32_t> users, std::string_view source, Progress& progress,
                       const UseQueries& use);

  std::vector<Block> blocks_;
  size_t size_ = 0;
  uint64_t term_count_ = 0;
  bool in_order_ = true;
  uint32_t last_user_ = 0;
  int64_t last_time_ = 0;
};

}  // namespace thicket
