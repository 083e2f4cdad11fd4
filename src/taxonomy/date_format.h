// Dates that are written in a way of their own, as a policy's `format` says it.
//
//   ParseDateAs("%Y%m%d", "19930417");      // {1993, 4, 17}
//   ParseDateAs("%d.%m.%Y", "00.04.1993");  // {1993, 4, 0}: nobody knows the day
//   FaultOfDateFormat("%m-%d");             // "must have a year (%Y or %y), but has none"
//
// The conversions are those of strptime that a date can have: %Y, %y (69 to 99 are of the 20th century, as for strptime), %m, %d, %b
// and %B (the English names of months, or their first three letters), and of a time, which is read and not looked at, %H, %M and %S.
// %% is a percent sign; whatever else stands in the format stands in the text. A month or a day has one digit or two, but two where
// another number stands right beside it.
//
// A month or a day of 00 is one that nobody knows. A text of four digits that the format does not fit is a year.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "taxonomy/date.h"

namespace thicket {

// The date that the text says, or nothing. The format must have no fault.
std::optional<Date> ParseDateAs(std::string_view format, std::string_view text);

// What is wrong with a format: "must ..., but ..."; empty if nothing is.
std::string FaultOfDateFormat(std::string_view format);

}  // namespace thicket
