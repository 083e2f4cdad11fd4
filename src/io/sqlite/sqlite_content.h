// What a published SQLite file holds beside the rows of its tables: nothing may be there that the policy does not name.
//
// Further tables, views, indexes and triggers; comments, defaults, rules and types of any text in the statements that
// made the tables; numbers in the file's header that are free for any use; row numbers other than 1, 2, 3 and so on; a
// journal beside the file. What stands in the pages themselves is looked at by io/sqlite/sqlite_pages.h. The sink is told of
// everything (MeetUnnamed).
//
//   FindSqliteJournals(path, sink);                          // before the file is opened
//   THICKET_TRY(FindSqliteContent(database, schema, sink));
//   THICKET_TRY(FindSqliteLeftoversOf(path, trees, sink));   // after it is closed
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/dataset_sink.h"
#include "io/sqlite/sqlite_database.h"
#include "io/sqlite/sqlite_pages.h"

namespace thicket {

void FindSqliteJournals(const std::string& path, DatasetSink& sink);
Status FindSqliteContent(SqliteDatabase& database, const Schema& schema, DatasetSink& sink);
Status FindSqliteLeftoversOf(const std::string& path, const std::vector<SqliteTree>& trees,
                             DatasetSink& sink);

// Whether a CREATE TABLE statement says nothing but `names` (in any case) and the words that declare keys, with no more
// blanks than somebody needs to read it.
bool SaysOnlyNames(std::string_view statement, const std::vector<std::string>& names);

}  // namespace thicket
