// The time at which a query was asked, as logs write it.
//
//   ParseQueryTime("2006-03-01 07:17:12");     // 1141197432
//   ParseQueryTime("2006-03-01T07:17+01:00");
//   ParseQueryTime("2006-03-01");              // midnight
//   ParseQueryTime("1141197432");              // seconds since 1970
//
// Blanks around are left out, and so are fractions of a second. A time without a zone is taken for UTC, which makes no difference
// where no time of a log has one: only the time between two queries counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace thicket {

// In seconds since 1970, of years 0 to 9999; nothing if the text is no such time.
std::optional<int64_t> ParseQueryTime(std::string_view text);

}  // namespace thicket
