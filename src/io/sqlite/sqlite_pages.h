// The bytes of a SQLite file that belong to no row: what SQLite leaves behind when rows are changed or deleted.
//
// A file may show nothing but published rows and still hold private ones: in free pages, in the gaps between the rows of
// a page, at the end of overflow pages, or in values of a row beyond the last column. SQL shows none of these, so the pages
// themselves are looked at, as the "Database File Format" of SQLite's documentation describes them. So are the numbers of the
// header: how often the file and its catalogue were changed is SQLite's own count, which anybody can set to anything.
//
//   THICKET_ASSIGN(std::vector<SqliteTree> trees, ListSqliteTrees(database));
//   ...                                               // close the database: SQLite's locks end with any descriptor
//   THICKET_TRY(WipeSqliteFile(path, name, trees));   // a file that was just written
//   THICKET_ASSIGN(SqliteLeftovers left, FindSqliteLeftovers(path, trees));
//
// Each page is read once; one bit of memory per page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/sqlite/sqlite_database.h"

namespace thicket {

// A table or an index of the file, or its catalogue.
struct SqliteTree {
  uint32_t root = 0;
  // How many values its rows may have; 0 for an index.
  size_t columns = 0;
};

Result<std::vector<SqliteTree>> ListSqliteTrees(SqliteDatabase& database);

struct SqliteLeftovers {
  // Pages that belong to no table and no index.
  uint64_t pages = 0;
  // Ranges of bytes between or behind rows that are not zero.
  uint64_t gaps = 0;
  // Rows with values that no column shows.
  uint64_t rows = 0;
  // Whether the file is put together in a way that SQLite does not write.
  bool odd = false;
  // Whether a number of the file's header is one that a file just written does not have.
  bool numbers = false;
  // Whether the file keeps pages of its own to shrink by itself (PRAGMA auto_vacuum). They are not among `pages`.
  bool auto_vacuum = false;

  bool any() const { return pages > 0 || gaps > 0 || rows > 0 || odd || numbers || auto_vacuum; }
};

// kIo if the file cannot be read.
Result<SqliteLeftovers> FindSqliteLeftovers(const std::string& path,
                                            const std::vector<SqliteTree>& trees);

// Overwrites the gaps with zeros. `name` is what messages call the file.
Status WipeSqliteFile(const std::string& path, const std::string& name,
                      const std::vector<SqliteTree>& trees);

}  // namespace thicket
