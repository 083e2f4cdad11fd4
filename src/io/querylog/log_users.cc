#include "io/querylog/log_users.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/fold.h"
#include "base/text.h"

namespace thicket {

uint32_t LogUsers::Number(std::string_view id) {
  if (last_ != kNobody && id == last_id_) return last_;
  const Symbol written = written_.Intern(ValueKind::kString, id);
  if (written == user_of_written_.size()) user_of_written_.push_back(NumberOf(id));
  last_id_ = id;
  last_ = user_of_written_[written];
  return last_;
}

uint32_t LogUsers::NumberOf(std::string_view id) {
  std::string meaning = FoldValue(id);
  if (meaning.empty()) return kNobody;
  // 1e2 is a hexadecimal identifier rather than a hundred.
  if (id.find_first_of("eE") != std::string_view::npos && Decimal::IsNumber(Trim(id))) {
    meaning = LowerCased(Trim(id));
  } else if (const std::optional<Decimal> number = FoldNumber(id)) {
    const std::string text = number->Text();
    const bool whole = text.find_first_not_of("0123456789") == std::string::npos;
    if (whole) return ids_.Intern(ValueKind::kNumber, text) - 1;
  }
  return ids_.Intern(ValueKind::kString, meaning) - 1;
}

bool LogUsers::Before(uint32_t a, uint32_t b) const {
  const bool number = ids_.kind(a + 1) == ValueKind::kNumber;
  if (number != (ids_.kind(b + 1) == ValueKind::kNumber)) return number;
  const std::string_view left = ids_.text(a + 1);
  const std::string_view right = ids_.text(b + 1);
  // Of whole numbers without leading zeros, the shorter one is less.
  if (number && left.size() != right.size()) return left.size() < right.size();
  return left < right;
}

std::vector<uint32_t> LogUsers::InOrder() const {
  std::vector<uint32_t> users(size());
  std::iota(users.begin(), users.end(), 0U);
  std::sort(users.begin(), users.end(), [&](uint32_t a, uint32_t b) { return Before(a, b); });
  return users;
}

}  // namespace thicket
