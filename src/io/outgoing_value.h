// A value as it goes out: what it is, and its text.
#pragma once

#include <string_view>

#include "record/dictionary.h"

namespace thicket {

// Kind kNone: there is no value, and no text.
struct OutgoingValue {
  ValueKind kind = ValueKind::kNone;
  std::string_view text;
};

}  // namespace thicket
