#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/silent_progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "survey/guess_joins.h"
#include "survey/guess_names.h"
#include "survey/survey_formats.h"
#include "survey/survey_stores.h"

namespace thicket {

namespace {

// What was seen of one table.
struct TableLook {
  // By column of the catalogue; null for one that cannot be read.
  std::vector<std::unique_ptr<AttributeSurvey>> columns;
  // Rows that were looked at, and whether there are more.
  uint64_t rows = 0;
  bool partial = false;
};

class TablesSurveyor {
 public:
  TablesSurveyor(const TableStore& store, Survey& survey)
      : store_(&store), tables_(&store.tables()), survey_(&survey), looks_(tables_->size()) {}

  // `name` is what messages call the data.
  Status Run(const std::string& name) {
    for (size_t table = 0; table < tables_->size(); ++table) {
      THICKET_TRY(Look(table));
      THICKET_TRY(FindKeys(table));
    }
    std::vector<Join> joins = DeclaredJoins();
    declared_ = !joins.empty();
    if (!declared_) joins = GuessJoins(joined_);
    THICKET_TRY(CountOrphans(joins));
    tree_ = GrowJoinTree(joined_, std::move(joins));
    if (looks_[tree_.person].rows == 0) {
      return ErrorAt(ErrorCode::kData, {.file = name},
                     fmt::format("must hold records, but the table {} has no rows",
                                 joined_[tree_.person].name),
                     "");
    }
    THICKET_TRY(MustBePeople(name));
    THICKET_TRY(CountByPerson());
    NameOthers();
    survey_->records = looks_[tree_.person].rows;
    for (const TableLook& look : looks_) survey_->partial |= look.partial;
    Describe(tree_.person, survey_->root);
    return {};
  }

 private:
  const CatalogueTable& At(size_t table) const { return (*tables_)[table]; }

  // The first rows of a table, with every column that can be read.
  Status Look(size_t table) {
    TableLook& look = looks_[table];
    look.columns.resize(At(table).columns.size());
    std::vector<size_t> readable;
    for (size_t i = 0; i < At(table).columns.size(); ++i) {
      // What --with-class adds is no column of the data, and no policy may name it.
      const CatalogueColumn& column = At(table).columns[i];
      if (column.plain && column.name != kClassKey) readable.push_back(i);
    }
    Status status = LookAt(table, readable);
    if (status.ok() || status.error().code != ErrorCode::kData || readable.size() < 2 ||
        survey_->format != Format::kSqlite) {
      return status;
    }
    // A column may hold anything in SQLite, whatever it declares: those that hold BLOBs are left out.
    std::vector<size_t> good;
    for (const size_t column : readable) {
      if (LookAt(table, {column}).ok()) good.push_back(column);
    }
    for (const size_t column : readable) look.columns[column].reset();
    return LookAt(table, good);
  }

  Status LookAt(size_t table, const std::vector<size_t>& columns) {
    TableLook& look = looks_[table];
    look.rows = 0;
    for (const size_t i : columns) {
      look.columns[i] = std::make_unique<AttributeSurvey>(At(table).columns[i].name);
    }
    return store_->ForEachRow(At(table).name, NamesOf(table, columns), kMostSurveyed + 1,
                              [&](const std::vector<TableJoin::Field>& fields) {
                                StopPoint();
                                phase_.Advance();
                                look.partial = look.rows == kMostSurveyed;
                                if (look.partial) return Status();
                                ++look.rows;
                                for (size_t i = 0; i < fields.size(); ++i) {
                                  if (fields[i].kind == ValueKind::kNone) continue;
                                  look.columns[columns[i]]->Add(fields[i].text);
                                }
                                return Status();
                              });
  }

  std::vector<std::string> NamesOf(size_t table, const std::vector<size_t>& columns) const {
    std::vector<std::string> names;
    for (const size_t column : columns) names.push_back(At(table).columns[column].name);
    return names;
  }

  // Which columns can be keys. Of a table with more rows than were looked at, these columns are read to the end.
  Status FindKeys(size_t table) {
    const TableLook& look = looks_[table];
    JoinTable joined;
    joined.name = At(table).name;
    joined.rows = look.rows;
    const auto& columns = At(table).columns;
    const auto primaries = std::count_if(columns.begin(), columns.end(),
                                         [](const auto& column) { return column.primary_key; });
    std::vector<size_t> candidates;
    for (size_t i = 0; i < columns.size(); ++i) {
      JoinColumn column;
      column.name = columns[i].name;
      column.values = look.columns[i].get();
      column.primary = primaries == 1 && columns[i].primary_key;
      if (column.values != nullptr && column.values->present == look.rows &&
          column.values->distinct() == look.rows && look.rows > 0) {
        column.keys.emplace();
        for (const auto& [hash, holder] : column.values->holders()) column.keys->push_back(hash);
        candidates.push_back(i);
      }
      joined.columns.push_back(std::move(column));
    }
    if (look.partial) THICKET_TRY(ReadKeys(joined, table, candidates));
    for (const size_t i : candidates) SortKeys(joined, joined.columns[i]);
    joined_.push_back(std::move(joined));
    return {};
  }

  Status ReadKeys(JoinTable& joined, size_t table, const std::vector<size_t>& candidates) const {
    for (const size_t i : candidates) joined.columns[i].keys->clear();
    joined.rows = 0;
    return store_->ForEachRow(
        At(table).name, NamesOf(table, candidates), 0,
        [&](const std::vector<TableJoin::Field>& fields) {
          StopPoint();
          phase_.Advance();
          ++joined.rows;
          for (size_t i = 0; i < candidates.size(); ++i) {
            if (fields[i].kind == ValueKind::kNone) continue;
            joined.columns[candidates[i]].keys->push_back(AttributeSurvey::Hash(fields[i].text));
          }
          return Status();
        });
  }

  // A column that has not a key of its own for each row after all is none.
  static void SortKeys(const JoinTable& table, JoinColumn& column) {
    KeyHashes& keys = *column.keys;
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    if (keys.size() < table.rows) column.keys.reset();
  }

  std::vector<Join> DeclaredJoins() const {
    std::vector<Join> joins;
    for (size_t table = 0; table < tables_->size(); ++table) {
      for (const CatalogueForeignKey& key : At(table).foreign_keys) {
        const size_t to = FindTable(key.table);
        if (to == JoinTree::kNone) continue;
        const size_t from = FindColumn(table, key.column);
        const size_t column = FindColumn(to, key.referenced_column);
        if (from == JoinTree::kNone || column == JoinTree::kNone) continue;
        const bool again = std::any_of(joins.begin(), joins.end(), [&](const Join& join) {
          return join.table == table && join.column == from;
        });
        if (!again) joins.push_back({table, from, to, column, 0});
      }
    }
    return joins;
  }

  size_t FindTable(const std::string& name) const {
    const auto found = std::find_if(tables_->begin(), tables_->end(),
                                    [&](const auto& table) { return table.name == name; });
    return found == tables_->end() ? JoinTree::kNone
                                   : static_cast<size_t>(found - tables_->begin());
  }

  size_t FindColumn(size_t table, const std::string& name) const {
    const auto& columns = At(table).columns;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].name == name && looks_[table].columns[i] != nullptr) return i;
    }
    return JoinTree::kNone;
  }

  // Over all rows, since a single orphan ends a run.
  Status CountOrphans(std::vector<Join>& joins) const {
    for (size_t table = 0; table < tables_->size(); ++table) {
      std::vector<Join*> own;
      std::vector<size_t> columns;
      for (Join& join : joins) {
        if (join.table != table) continue;
        own.push_back(&join);
        columns.push_back(join.column);
      }
      if (own.empty()) continue;
      THICKET_TRY(store_->ForEachRow(At(table).name, NamesOf(table, columns), 0,
                                     [&](const std::vector<TableJoin::Field>& fields) {
                                       StopPoint();
                                       phase_.Advance();
                                       for (size_t i = 0; i < fields.size(); ++i) {
                                         const auto& keys =
                                             joined_[own[i]->to].columns[own[i]->key].keys;
                                         const bool found =
                                             fields[i].kind != ValueKind::kNone && keys &&
                                             HasKey(*keys, AttributeSurvey::Hash(fields[i].text));
                                         own[i]->orphans += found ? 0 : 1;
                                       }
                                       return Status();
                                     }));
    }
    return {};
  }

  // Where a column names people and repeats, and no table has them as its rows, the rows of whatever table seems to be the
  // middle (courses, orders) are no people: a person would be in several records.
  Status MustBePeople(const std::string& name) const {
    if (PersonRank(joined_[tree_.person].name) > 0) return {};
    for (size_t table = 0; table < tables_->size(); ++table) {
      for (size_t column = 0; column < joined_[table].columns.size(); ++column) {
        const JoinColumn& of = joined_[table].columns[column];
        if (of.values == nullptr || of.keys || !NamesThePerson(of.name)) continue;
        const bool joined =
            std::any_of(tree_.joins.begin(), tree_.joins.end(), [&](const Join& join) {
              return join.table == table && join.column == column && join.to == tree_.person;
            });
        if (joined || of.values->distinct() < 2) continue;
        return ErrorAt(
            ErrorCode::kData, {.file = name},
            fmt::format(
                "one table must have a row for each {}, but none has: {} has {} rows for {} "
                "of them",
                of.name, joined_[table].name, WithCommas(looks_[table].rows),
                WithCommas(of.values->distinct())),
            "write a table with this column, each value once, and with what is the same in all "
            "rows "
            "of a person; the others are then joined to it");
      }
    }
    return {};
  }

  // Once more through the tables below the persons', now that it is known whose a row is: which values only one person has.
  Status CountByPerson() {
    // By table: the hash of a row's key, and that of its person's.
    std::vector<std::unordered_map<uint64_t, uint64_t>> persons(tables_->size());
    std::vector<size_t> order = {tree_.person};
    for (size_t i = 0; i < order.size(); ++i) {
      for (size_t table = 0; table < tables_->size(); ++table) {
        const size_t parent = tree_.parent[table];
        if (parent != JoinTree::kNone && tree_.joins[parent].to == order[i]) order.push_back(table);
      }
    }
    for (size_t i = 1; i < order.size(); ++i) THICKET_TRY(CountByPerson(order[i], persons));
    return {};
  }

  Status CountByPerson(size_t table, std::vector<std::unordered_map<uint64_t, uint64_t>>& persons) {
    TableLook& look = looks_[table];
    const Join& join = tree_.joins[tree_.parent[table]];
    std::vector<size_t> columns;
    for (size_t i = 0; i < look.columns.size(); ++i) {
      if (look.columns[i] == nullptr) continue;
      columns.push_back(i);
      *look.columns[i] = AttributeSurvey(At(table).columns[i].name);
    }
    uint64_t rows = 0;
    return store_->ForEachRow(
        At(table).name, NamesOf(table, columns), kMostSurveyed,
        [&](const std::vector<TableJoin::Field>& fields) {
          StopPoint();
          phase_.Advance();
          // A row without a parent is a person's of its own.
          uint64_t person = ++rows;
          for (size_t i = 0; i < fields.size(); ++i) {
            if (columns[i] != join.column || fields[i].kind == ValueKind::kNone) continue;
            person = AttributeSurvey::Hash(fields[i].text);
            const auto above = persons[join.to].find(person);
            if (above != persons[join.to].end()) person = above->second;
          }
          for (size_t i = 0; i < fields.size(); ++i) {
            if (fields[i].kind == ValueKind::kNone) continue;
            look.columns[columns[i]]->Add(fields[i].text, person);
            if (columns[i] == tree_.key[table]) {
              persons[table].emplace(AttributeSurvey::Hash(fields[i].text), person);
            }
          }
          return Status();
        });
  }

  void NameOthers() {
    survey_->other_tables = store_->others();
    const std::string& person = joined_[tree_.person].name;
    for (size_t table = 0; table < tables_->size(); ++table) {
      if (tree_.Holds(table)) continue;
      const bool empty = looks_[table].rows == 0;
      survey_->other_tables.emplace_back(
          At(table).name,
          empty ? "it has no rows" : fmt::format("no key leads from its rows to {}", person));
    }
  }

  void Describe(size_t table, ClassSurvey& into) {
    TableLook& look = looks_[table];
    into.vertices = look.rows;
    into.objects = true;
    into.array = true;
    DescribeJoins(table, into.joins);
    for (size_t i = 0; i < look.columns.size(); ++i) {
      const std::string& name = At(table).columns[i].name;
      if (name == into.joins.key || name == into.joins.parent || name == kClassKey) continue;
      if (look.columns[i] == nullptr) {
        into.left_out.emplace_back(name, "neither text nor a number");
      } else if (look.columns[i]->present == 0) {
        into.MeetNull(name);
      } else {
        into.attributes.push_back(std::move(look.columns[i]));
      }
    }
    for (size_t child = 0; child < tables_->size(); ++child) {
      const size_t parent = tree_.parent[child];
      if (parent == JoinTree::kNone || tree_.joins[parent].to != table) continue;
      Describe(child, into.Child(At(child).name));
    }
  }

  void DescribeJoins(size_t table, TableJoins& joins) const {
    const auto name_of = [&](size_t column) { return At(table).columns[column].name; };
    joins.table = At(table).name;
    joins.declared = declared_;
    joins.rows = joined_[table].rows;
    if (tree_.key[table] != JoinTree::kNone) joins.key = name_of(tree_.key[table]);
    const size_t parent = tree_.parent[table];
    if (parent != JoinTree::kNone) {
      joins.parent = name_of(tree_.joins[parent].column);
      joins.orphans = tree_.joins[parent].orphans;
    }
    for (const Join& join : tree_.joins) {
      if (join.table != table) continue;
      const std::string name = name_of(join.column);
      if (name == joins.parent || name == joins.key) continue;
      joins.seconds.push_back({name, At(join.to).name, tree_.Holds(join.to)});
    }
    for (size_t column = 0; column < At(table).columns.size(); ++column) {
      const std::string name = name_of(column);
      if (name == joins.parent || name == joins.key || joins.FindSecond(name) != nullptr) continue;
      const size_t to = FindHiddenKey(table, column);
      if (to != JoinTree::kNone) joins.seconds.push_back({name, At(to).name, true});
    }
  }

  // The table of the tree whose keys are the values of a column, whatever its name is. Published as they are they would
  // be the old keys beside the new ones, which the join refuses.
  size_t FindHiddenKey(size_t table, size_t column) const {
    const AttributeSurvey* values = looks_[table].columns[column].get();
    if (values == nullptr || values->distinct() == 0) return JoinTree::kNone;
    if (values->numbers && !IsKeyName(table, At(table).columns[column].name)) {
      return JoinTree::kNone;
    }
    for (size_t to = 0; to < tables_->size(); ++to) {
      const size_t key = tree_.key[to];
      if (!tree_.Holds(to) || key == JoinTree::kNone || !joined_[to].columns[key].keys) continue;
      const KeyHashes& keys = *joined_[to].columns[key].keys;
      const auto missing = std::count_if(values->holders().begin(), values->holders().end(),
                                         [&](const auto& one) { return !HasKey(keys, one.first); });
      const double most = (1 - kNearlyAll) * static_cast<double>(values->distinct());
      if (static_cast<double>(missing) <= most) return to;
    }
    return JoinTree::kNone;
  }

  // Whether another table of the tree is joined by a column of this name.
  bool IsKeyName(size_t table, const std::string& column) const {
    for (size_t other = 0; other < tables_->size(); ++other) {
      if (other == table || !tree_.Holds(other)) continue;
      const size_t key = tree_.key[other];
      const size_t parent = tree_.parent[other];
      if (key != JoinTree::kNone && At(other).columns[key].name == column) return true;
      if (parent != JoinTree::kNone &&
          At(other).columns[tree_.joins[parent].column].name == column) {
        return true;
      }
    }
    return false;
  }

  // Which tables are read again, and how many rows they have, turns out on the way.
  mutable Phase phase_{"read"};
  const TableStore* store_;
  const std::vector<CatalogueTable>* tables_;
  Survey* survey_;
  std::vector<TableLook> looks_;
  std::vector<JoinTable> joined_;
  bool declared_ = false;
  JoinTree tree_;
};

}  // namespace

Status SurveyTables(const std::string& location, const SurveyOptions& options, Survey& survey) {
  // The line counts rows, and a folder of files would count bytes.
  Progress own;
  SilentProgress unseen(options.progress != nullptr ? *options.progress : own);
  THICKET_ASSIGN(
      const std::unique_ptr<TableStore> store,
      TableStore::Open(survey.format, location, options.schema, &unseen, survey.encoding));
  const bool server = survey.format == Format::kPostgresql;
  const std::string name =
      server ? fmt::format("the schema {}", options.schema.empty() ? "public" : options.schema)
             : location;
  if (store->tables().empty()) {
    return ErrorAt(ErrorCode::kData, {.file = name}, "must hold tables, but holds none",
                   server ? "choose another with --schema" : "");
  }
  return TablesSurveyor(*store, survey).Run(name);
}

}  // namespace thicket
