#include "generate/querylog_table.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>
#include <vector>

namespace thicket {
namespace {

struct Click {
  int rank;
  std::string_view url;
};

struct TableQuery {
  std::string_view user;
  std::string_view text;
  std::string_view time;
  std::vector<Click> clicks;
};

const std::array<TableQuery, kQueriesInTable>& Queries() {
  static const std::array<TableQuery, kQueriesInTable> queries = {{
      {"01", "Wine", "01:00", {{3, "a.c"}, {8, "b.c"}}},
      {"01", "Jackets,Boots", "01:15", {{3, "c.c"}, {5, "d.c"}}},
      {"01", "Wine", "02:05", {{4, "x.c"}}},
      {"02", "Vino", "01:00", {{1, "a.c"}}},
      {"02", "Jackets,Shoes", "01:10", {{2, "c.c"}}},
      {"02", "Vino", "01:30", {{5, "e.c"}, {6, "f.c"}}},
      {"03", "Wine,Vino", "08:00", {{1, "a.c"}}},
      {"03", "Raw-milk", "08:20", {{7, "m.c"}}},
      {"03", "Jackets,Shoes", "09:10", {{1, "c.c"}}},
      {"04", "Vino,Raw-milk", "12:00", {{2, "m.c"}}},
      {"04", "Raw-milk,Homo-milk", "12:05", {{1, "m.c"}, {3, "n.c"}}},
      {"05", "Raw-milk,Homo-milk", "20:30", {{1, "n.c"}}},
      {"05", "Homo-milk,Jackets,Pants", "20:45", {{4, "p.c"}}},
  }};
  return queries;
}

}  // namespace

void AppendTableQuery(uint64_t i, std::string& out) {
  const TableQuery& query = Queries()[i];
  for (const Click& click : query.clicks) {
    fmt::format_to(std::back_inserter(out), "{}\t{}\t2006-01-01 {}:00\t{}\t{}\n", query.user,
                   query.text, query.time, click.rank, click.url);
  }
}

std::string TableTermTaxonomy() {
  return R"(Wine;Alcohol;Edibles;Goods
Vino;Alcohol;Edibles;Goods
Raw-milk;Milk;Edibles;Goods
Homo-milk;Milk;Edibles;Goods
Jackets;Outwear;Clothing;Goods
Pants;Outwear;Clothing;Goods
Boots;Footwear;Clothing;Goods
Shoes;Footwear;Clothing;Goods
)";
}

}  // namespace thicket
