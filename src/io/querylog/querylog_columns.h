// The columns of a query log.
#pragma once

#include <string_view>

namespace thicket {

inline constexpr std::string_view kAnonId = "AnonID";
inline constexpr std::string_view kQuery = "Query";
inline constexpr std::string_view kQueryTime = "QueryTime";
inline constexpr std::string_view kItemRank = "ItemRank";
inline constexpr std::string_view kClickUrl = "ClickURL";

}  // namespace thicket
