// The users of a query log, numbered as they appear.
//
// Identifiers that mean the same (base/fold.h: 7 and 007, Ann and ann) are one user: whoever took one person for two would let
// that person's sessions hide each other. Identifiers are forgotten with this object; what stays of a user is a number.
//
//   LogUsers users;
//   uint32_t ann = users.Number("0017");
//   users.Before(ann, users.Number("142"));   // whole numbers by value, before all others, which stand by their texts
//
// O(length of the identifier) where it was met before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "record/dictionary.h"

namespace thicket {

class LogUsers {
 public:
  // kNobody where the identifier means nothing: it is empty or blank.
  static constexpr uint32_t kNobody = ~uint32_t{0};
  uint32_t Number(std::string_view id);

  size_t size() const { return ids_.size() - 1; }
  // Whether the first of two users comes first in the order of users, which does not depend on the log's.
  bool Before(uint32_t a, uint32_t b) const;
  // All numbers, in that order.
  std::vector<uint32_t> InOrder() const;

 private:
  uint32_t NumberOf(std::string_view id);

  // Users by what their identifiers mean; whole numbers are kNumber.
  Dictionary ids_;
  // Identifiers as they were written, and by symbol the user.
  Dictionary written_;
  std::vector<uint32_t> user_of_written_ = {kNobody};
  // The one that was looked for last: queries of a user mostly stand together.
  std::string last_id_;
  uint32_t last_ = kNobody;
};

}  // namespace thicket
