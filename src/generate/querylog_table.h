// The queries of `querylog-table`: the five users of Fig. 5.1 of Liu 2010 with the taxonomy of Fig. 5.2 (a), to follow
// the examples of its chapter 5.
//
// The figure has the queries of the first user, five rows for three queries, and of the others only what they looked
// for; when and in which queries they did is made up.
#pragma once

#include <cstdint>
#include <string>

namespace thicket {

inline constexpr uint64_t kQueriesInTable = 13;

// Query number i, a row for each click.
void AppendTableQuery(uint64_t i, std::string& out);

// Fig. 5.2 (a).
std::string TableTermTaxonomy();

}  // namespace thicket
