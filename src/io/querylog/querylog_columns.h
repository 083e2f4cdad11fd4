// The columns of a query log, and which column of a header is which.
#pragma once

#include <string_view>

namespace thicket {

inline constexpr std::string_view kAnonId = "AnonID";
inline constexpr std::string_view kQuery = "Query";
inline constexpr std::string_view kQueryTime = "QueryTime";
inline constexpr std::string_view kItemRank = "ItemRank";
inline constexpr std::string_view kClickUrl = "ClickURL";

// What every original log has.
inline constexpr std::string_view kLogColumns[] = {kAnonId, kQuery, kQueryTime};

// A field of an original log without the quotes that stand around it: between tabs they are characters like any others.
std::string_view WithoutQuotes(std::string_view field);

// Whether a column of an original log has this name, whatever its letter case.
bool IsColumn(std::string_view text, std::string_view name);

}  // namespace thicket
