#include "io/postgres/postgres_content.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/tables/sql_name.h"

namespace thicket {

namespace {

constexpr char kDoing[] = "look at its catalogue";

// Whatever belongs to the schema itself: what it is, and for a plain table its name.
constexpr char kObjects[] =
    "SELECT pg_catalog.pg_describe_object(d.classid, d.objid, 0), "
    "  CASE WHEN c.relkind = 'r' THEN c.relname END "
    "FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_namespace n ON n.oid = d.refobjid "
    "LEFT JOIN pg_catalog.pg_class c "
    "  ON c.oid = d.objid AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass "
    "WHERE n.nspname = $1 AND d.refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass "
    "ORDER BY 1";

// What hangs on relations of the schema: what it is, and the relation. Comments, defaults and checks may quote anything, so
// only the relation is named.
constexpr char kAttachments[] =
    "WITH relation AS (SELECT c.oid, c.relname, c.relnamespace, c.relkind FROM pg_catalog.pg_class "
    "  c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1) "
    "SELECT 'an index', t.relname FROM pg_catalog.pg_index i JOIN relation t ON t.oid = i.indrelid "
    "  WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conindid = i.indexrelid) "
    "UNION ALL SELECT 'a trigger', t.relname FROM pg_catalog.pg_trigger g "
    "  JOIN relation t ON t.oid = g.tgrelid WHERE NOT g.tgisinternal "
    "UNION ALL SELECT 'a rule', t.relname FROM pg_catalog.pg_rewrite r "
    "  JOIN relation t ON t.oid = r.ev_class WHERE t.relkind = 'r' "
    "UNION ALL SELECT 'a policy for rows', t.relname FROM pg_catalog.pg_policy p "
    "  JOIN relation t ON t.oid = p.polrelid "
    "UNION ALL SELECT 'a default', t.relname FROM pg_catalog.pg_attrdef d "
    "  JOIN relation t ON t.oid = d.adrelid "
    "UNION ALL SELECT 'a check', t.relname FROM pg_catalog.pg_constraint k "
    "  JOIN relation t ON t.oid = k.conrelid WHERE k.contype NOT IN ('p', 'f', 'u', 'n') "
    "UNION ALL SELECT 'a key to another schema', t.relname FROM pg_catalog.pg_constraint k "
    "  JOIN relation t ON t.oid = k.conrelid WHERE k.contype = 'f' "
    "  AND NOT EXISTS (SELECT FROM relation o WHERE o.oid = k.confrelid) "
    "UNION ALL SELECT 'a table that inherits', t.relname FROM pg_catalog.pg_inherits h "
    "  JOIN relation t ON t.oid IN (h.inhparent, h.inhrelid) "
    "UNION ALL SELECT 'what is left of a dropped column', t.relname "
    "  FROM pg_catalog.pg_attribute a JOIN relation t ON t.oid = a.attrelid "
    "  WHERE a.attnum > 0 AND a.attisdropped AND t.relkind = 'r' "
    "UNION ALL SELECT 'a comment', t.relname FROM pg_catalog.pg_description d "
    "  JOIN relation t ON t.oid = d.objoid "
    "  WHERE d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass "
    "UNION ALL SELECT 'a comment', t.relname FROM pg_catalog.pg_description d "
    "  JOIN pg_catalog.pg_constraint k ON k.oid = d.objoid JOIN relation t ON t.oid = k.conrelid "
    "  WHERE d.classoid = 'pg_catalog.pg_constraint'::pg_catalog.regclass "
    "UNION ALL SELECT 'a comment', NULL FROM pg_catalog.pg_description d "
    "  JOIN pg_catalog.pg_namespace n ON n.oid = d.objoid AND n.nspname = $1 "
    "  WHERE d.classoid = 'pg_catalog.pg_namespace'::pg_catalog.regclass "
    "ORDER BY 1, 2";

Status CheckTransactions(PostgresConnection& connection, const PostgresTable& table,
                         DatasetSink& sink) {
  const std::string name = QuoteSqlName(table.schema) + "." + QuoteSqlName(table.name);
  THICKET_ASSIGN(const PostgresRows several,
                 connection.Query(fmt::format("SELECT EXISTS (SELECT FROM {0} WHERE xmin <> "
                                              "(SELECT xmin FROM {0} LIMIT 1))",
                                              name),
                                  {}, "look at " + table.path()));
  if (several.IsTrue(0, 0)) {
    sink.TellApartAt(table.path(),
                     "all rows must come from one transaction, but come from several (xmin)");
  }
  return {};
}

}  // namespace

Status FindPostgresContent(PostgresConnection& connection, const std::string& schema,
                           const std::vector<PostgresTable>& tables, DatasetSink& sink) {
  THICKET_ASSIGN(const PostgresRows objects, connection.Query(kObjects, {schema}, kDoing));
  for (int i = 0; i < objects.count(); ++i) {
    const std::string table = objects.Text(i, 1);
    const bool named = std::any_of(tables.begin(), tables.end(),
                                   [&](const PostgresTable& one) { return one.name == table; });
    if (!named) sink.CountOutside(objects.Text(i, 0));
  }
  THICKET_ASSIGN(const PostgresRows attached, connection.Query(kAttachments, {schema}, kDoing));
  for (int i = 0; i < attached.count(); ++i) {
    const std::string relation = attached.Text(i, 1);
    sink.MeetUnnamedAt("schema " + schema + (relation.empty() ? "" : ": " + relation),
                       attached.Text(i, 0));
  }
  for (const PostgresTable& table : tables) {
    if (!table.view) THICKET_TRY(CheckTransactions(connection, table, sink));
  }
  return {};
}

}  // namespace thicket
