"""Runs the command against a real PostgreSQL server, also one that refuses, goes away or is interrupted.

    python3 tests/postgres_test.py --thicket build/thicket

The test starts its own server (tests/postgres_server.py); status 77 where PostgreSQL is not installed.
"""

import argparse
import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import postgres_proxy  # noqa: E402
import postgres_server  # noqa: E402

THICKET = None
SERVER = None
PASSWORD = "hunter2-correct"
WRONG_PASSWORD = "hunter2-wrong"
DATABASE_NUMBERS = itertools.count(1)
PATIENCE_S = 120

TABLES = """
CREATE TABLE students (sid int PRIMARY KEY, name text, major varchar(20), born int, gpa numeric(3,2), campus text);
CREATE TABLE courses (cid text PRIMARY KEY, sid int REFERENCES students, code text, grade char(2));
"""
ROWS = """
INSERT INTO students VALUES (101, 'Ann', 'CS', 1993, 3.50, 'North'), (102, 'Bob', 'EE', 1994, 2.00, NULL),
  (103, 'Cem', 'Law', 1980, 4.00, ''), (104, 'Dia', 'Art', 1981, NULL, 'South'), (105, 'Eva', NULL, NULL, 1.00, 'X'),
  (106, 'Fay', NULL, NULL, 3.00, 'Y');
INSERT INTO courses VALUES ('c1', 101, 'CS1', 'A'), ('c2', 101, 'EE1', 'B'), ('c3', 102, 'CS2', 'C'),
  ('c4', 103, 'EE1', NULL), ('c5', 104, 'EE2', 'A+');
"""
# About 1.5 MB in few records, for what has to happen in the middle of reading or writing.
MANY_ROWS = """
INSERT INTO students
  SELECT i, 'n' || i, (ARRAY['CS', 'EE', 'Law', 'Art'])[i % 4 + 1], 1980 + i % 20, 2, repeat('x', 5000)
  FROM generate_series(1, 300) i;
INSERT INTO courses SELECT i, i, 'CS1', 'A' FROM generate_series(1, 300) i;
"""
TAXONOMIES = {
    "major.csv": "CS;Engineering;*\nEE;Engineering;*\nLaw;Humanities;*\nArt;Humanities;*\n",
    "code.csv": "CS1;CS;*\nCS2;CS;*\nEE1;EE;*\nEE2;EE;*\n",
}
POLICY = """
version: 1
input: {format: postgresql%(input)s}
record:
  class: student
  table: students
  key: sid
  id: sid
  drop: [name]
  quasi:
    major: {taxonomy: major.csv}
    born: {ranges: [5, 10, 20]}
  sensitive: {gpa: {}}
  keep: [campus]
  children:
    - class: course
      table: courses
      key: cid
      parent: sid
      quasi: {code: {taxonomy: code.csv}}
      sensitive: {grade: {}}
privacy: {k: 2}
"""


class PostgresTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="thicket-postgres-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, content in TAXONOMIES.items():
            (self.folder / name).write_text(content)
        self.write_policy()
        self.roles = set()
        self.database = f"test{next(DATABASE_NUMBERS)}"
        SERVER.sql(f"CREATE DATABASE {self.database}")
        self.addCleanup(lambda: SERVER.sql(f"DROP DATABASE {self.database} WITH (FORCE)"))

    def write_policy(self, text=POLICY, **fields):
        (self.folder / "policy.yaml").write_text(text % {"input": "", **fields})

    def sql(self, statements):
        return SERVER.sql(statements, self.database)

    def environment(self, **variables):
        return {**{key: value for key, value in os.environ.items() if not key.startswith("PG")},
                **SERVER.environment(), "PGDATABASE": self.database, "HOME": str(self.folder), **variables}

    def start(self, *arguments, **variables):
        return subprocess.Popen([THICKET, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment(**variables))

    def finish(self, process):
        """Status, standard output and standard error."""
        try:
            output, errors = process.communicate(timeout=PATIENCE_S)
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()
        return process.returncode, output.decode(), errors.decode()

    def run_thicket(self, *arguments, **variables):
        return self.finish(self.start(*arguments, **variables))

    def publish(self, *arguments, **variables):
        return self.run_thicket("anonymize", "policy.yaml", "--into", "published", "--seed", "1", *arguments,
                                **variables)

    def must_publish(self, *arguments, **variables):
        status, output, errors = self.publish(*arguments, **variables)
        self.assertEqual(status, 0, errors)
        return output

    def must_fail(self, result, status, *parts):
        self.assertEqual(result[0], status, result[2])
        for part in parts:
            self.assertIn(part, result[2])
        self.assertEqual(result[1], "")

    def schemas(self):
        return self.sql("SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' "
                        "ORDER BY 1")

    def via(self, proxy):
        """Variables that lead through a proxy, as a role that needs a password."""
        self.addCleanup(proxy.close)
        self.make_role("writer", f"GRANT CREATE ON DATABASE {self.database} TO writer")
        return {**proxy.environment(), "PGUSER": "writer", "PGPASSWORD": PASSWORD}

    def make_role(self, name, statements=""):
        if name in self.roles:
            return
        self.roles.add(name)
        self.sql(f"CREATE ROLE {name} LOGIN PASSWORD '{PASSWORD}';"
                 f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {name}; {statements}")
        self.addCleanup(lambda: self.sql(f"DROP OWNED BY {name} CASCADE; DROP ROLE {name}"))


class Publishing(PostgresTest):
    def setUp(self):
        super().setUp()
        self.sql(TABLES + ROWS)

    def test_publishes_tables_that_join_with_fresh_keys(self):
        self.must_publish()
        keys = self.sql("SELECT string_agg(sid::text, ' ' ORDER BY sid) FROM published.students")
        self.assertEqual(keys, "1 2 3 4 5 6")
        self.assertEqual(self.sql("SELECT count(*) = max(cid) FROM published.courses"), "t")
        joined = self.sql("SELECT major, born, gpa, code, grade FROM published.students JOIN published.courses "
                          "USING (sid) ORDER BY gpa, code")
        self.assertEqual(joined, "Engineering|[1990, 1995)|2.00|CS|C \nEngineering|[1990, 1995)|3.50|CS|A \n"
                                 "Humanities|[1980, 1985)|4.00|EE|\nHumanities|[1980, 1985)||EE|A+")
        # Foreign and primary keys are declared: the server itself keeps them.
        with self.assertRaisesRegex(RuntimeError, "foreign key"):
            self.sql("INSERT INTO published.courses VALUES (99, 99, 'CS', 'A')")
        with self.assertRaisesRegex(RuntimeError, "duplicate key"):
            self.sql("INSERT INTO published.students (sid) VALUES (1)")

    def test_keeps_columns_and_types_and_leaves_identifiers_and_unnamed_columns_out(self):
        self.sql("ALTER TABLE students ADD ssn text DEFAULT '123'")
        status, _, errors = self.publish()
        self.assertEqual(status, 0)
        self.assertEqual(errors.splitlines()[0], "thicket: warning: students.ssn: not named in the policy, left out")
        self.assertRegex(errors.splitlines()[1], "^thicket: warning: campus: 5 of the 5 values .* are one record's only")
        self.assertEqual(len(errors.splitlines()), 2)
        columns = self.sql("SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' "
                           "ORDER BY attnum) FROM pg_attribute "
                           "WHERE attrelid = 'published.students'::regclass AND attnum > 0")
        self.assertEqual(columns, "sid bigint, major text, born text, gpa numeric(3,2), campus text")

    def test_null_and_the_empty_text_stay_what_they_are(self):
        self.must_publish()
        self.assertEqual(self.sql("SELECT count(*) FROM published.students WHERE campus IS NULL"), "1")
        self.assertEqual(self.sql("SELECT count(*) FROM published.students WHERE campus = ''"), "1")
        self.assertEqual(self.sql("SELECT count(*) FROM published.students WHERE gpa IS NULL"), "1")
        self.assertEqual(self.sql("SELECT count(*) FROM published.students WHERE major IS NULL AND born IS NULL"), "2")

    def test_verify_evaluate_and_attack_take_the_schema(self):
        self.must_publish()
        status, output, errors = self.run_thicket("verify", "policy.yaml", "published", "--original", "postgresql://")
        self.assertEqual(status, 0, errors)
        self.assertIn("The promise holds.", output)
        self.assertIn("truthful     yes", output)
        status, output, errors = self.run_thicket("evaluate", "policy.yaml", "published", "--original", "public",
                                                  "--json")
        self.assertEqual(status, 0, errors)
        self.assertGreater(json.loads(output)["utility"]["lm"], 0)
        status, _, errors = self.run_thicket("attack", "policy.yaml", "published", "--original", "public")
        self.assertEqual(status, 0, errors)

    def test_suppressed_values_make_a_column_one_of_texts(self):
        table = POLICY[:POLICY.index("  children:")] + """
privacy: {theta: {default: 0.5, 2: 0.1}}
method: {name: lplus, suppression: violating-values}
"""
        self.write_policy(table)
        self.must_publish()
        types = self.sql("SELECT attname || ' ' || format_type(atttypid, atttypmod) FROM pg_attribute "
                         "WHERE attrelid = 'published.students'::regclass AND attname = 'gpa'")
        self.assertEqual(types, "gpa text")
        self.assertGreater(int(self.sql("SELECT count(*) FROM published.students WHERE gpa = '*'")), 0)
        self.assertEqual(self.sql("SELECT count(*) FROM published.students WHERE gpa = '2.00'"), "0")
        for command in ("verify", "evaluate", "attack"):
            status, output, errors = self.run_thicket(command, "policy.yaml", "published", "--original", "public")
            self.assertEqual(status, 0, output + errors)
        # Without suppression there is nothing but numbers, and the column keeps its type.
        self.sql("DROP SCHEMA published CASCADE")
        self.write_policy(table.replace("violating-values", "violating-records"))
        self.must_publish()
        self.assertEqual(self.sql("SELECT format_type(atttypid, atttypmod) FROM pg_attribute "
                                  "WHERE attrelid = 'published.students'::regclass AND attname = 'gpa'"),
                         "numeric(3,2)")

    def test_verify_notices_a_broken_promise(self):
        self.must_publish()
        self.sql("UPDATE published.students SET major = 'Law' WHERE sid = (SELECT min(sid) FROM published.students "
                 "WHERE major = 'Humanities')")
        status, output, _ = self.run_thicket("verify", "policy.yaml", "published")
        self.assertEqual(status, 1, output)

    def test_verify_notices_keys_that_are_not_new(self):
        self.must_publish()
        self.sql("ALTER TABLE published.courses DROP CONSTRAINT courses_sid_fkey;"
                 "UPDATE published.students SET sid = sid + 100; UPDATE published.courses SET sid = sid + 100")
        self.must_fail(self.run_thicket("verify", "policy.yaml", "published"), 1, "published.students", "sid")

    def test_verify_notices_what_the_policy_does_not_name(self):
        self.must_publish()
        changes = [
            ("CREATE TABLE published.teachers (name text)", "DROP TABLE published.teachers", "published.teachers"),
            ("CREATE VIEW published.everybody AS SELECT * FROM students", "DROP VIEW published.everybody",
             "published.everybody"),
            ("CREATE FUNCTION published.f() RETURNS text LANGUAGE sql AS $$SELECT 'Ann'::text$$",
             "DROP FUNCTION published.f", "published.f()"),
            ("CREATE TYPE published.t AS ENUM ('Ann')", "DROP TYPE published.t", "published.t"),
            ("CREATE SEQUENCE published.s", "DROP SEQUENCE published.s", "published.s"),
            ("CREATE INDEX i ON published.students ((major || 'Ann'))", "DROP INDEX published.i", "an index"),
            ("CREATE RULE r AS ON DELETE TO published.students DO ALSO SELECT 'Ann'",
             "DROP RULE r ON published.students", "a rule"),
            ("CREATE TRIGGER t BEFORE UPDATE ON published.students FOR EACH ROW "
             "EXECUTE FUNCTION suppress_redundant_updates_trigger()", "DROP TRIGGER t ON published.students",
             "a trigger"),
            ("COMMENT ON COLUMN published.students.major IS 'Ann'", "COMMENT ON COLUMN published.students.major IS NULL",
             "a comment"),
            ("COMMENT ON SCHEMA published IS 'Ann'", "COMMENT ON SCHEMA published IS NULL", "a comment"),
            ("ALTER TABLE published.students ALTER major SET DEFAULT 'Ann'",
             "ALTER TABLE published.students ALTER major DROP DEFAULT", "a default"),
            ("ALTER TABLE published.students ADD CONSTRAINT c CHECK (major <> 'Ann')",
             "ALTER TABLE published.students DROP CONSTRAINT c", "a check"),
            ("ALTER TABLE published.students ADD ssn text", "", "students.ssn"),
            ("ALTER TABLE published.students DROP ssn", "", "what is left of a dropped column"),
        ]
        status, output, errors = self.run_thicket("verify", "policy.yaml", "published")
        self.assertEqual(status, 0, output + errors)
        for change, undo, what in changes:
            with self.subTest(change=change):
                self.sql(change)
                status, output, errors = self.run_thicket("verify", "policy.yaml", "published")
                self.assertEqual((status, errors), (1, ""), output)
                self.assertIn("what is published must be named in the policy", output)
                self.assertIn(what, output)
                self.assertNotIn("Ann", output)
                self.sql(undo or "SELECT")

    def test_verify_notices_rows_that_were_changed_apart(self):
        self.must_publish()
        self.sql("UPDATE published.students SET gpa = gpa WHERE sid = 6")
        status, output, errors = self.run_thicket("verify", "policy.yaml", "published")
        self.assertEqual((status, errors), (1, ""), output)
        self.assertIn("all rows must come from one transaction", output)
        # Rows that stand elsewhere on the disk come in another order.
        self.sql("UPDATE published.students SET gpa = gpa WHERE sid = 1")
        self.must_fail(self.run_thicket("verify", "policy.yaml", "published"), 1,
                       "published data must have the running number of a row in its table as its key")

    def test_the_same_seed_gives_the_same_tables(self):
        rows = "SELECT * FROM published.students ORDER BY sid; SELECT * FROM published.courses ORDER BY cid"
        self.must_publish()
        first = self.sql(rows)
        self.sql("DROP SCHEMA published CASCADE")
        self.must_publish("--threads", "2")
        self.assertEqual(self.sql(rows), first)

    def test_the_url_may_stand_in_the_policy_or_in_the_flag(self):
        self.write_policy(input=f", url: 'postgresql:///{self.database}', schema: public")
        self.must_publish(PGDATABASE="template1")
        self.sql("DROP SCHEMA published CASCADE")
        self.write_policy()
        self.must_publish("-i", f"dbname={self.database}", PGDATABASE="template1")
        self.assertEqual(self.schemas(), "public\npublished")

    def test_reads_another_schema_and_views(self):
        self.sql("CREATE SCHEMA raw; ALTER TABLE students SET SCHEMA raw; CREATE VIEW raw.courses AS "
                 "SELECT cid, sid, code, grade::text FROM public.courses")
        self.write_policy(input=", schema: raw")
        self.must_publish()
        self.assertEqual(self.sql("SELECT count(*) FROM published.courses"), "4")

    def test_values_of_any_content_come_back_exactly(self):
        values = ["tab\there", "line\nbreak", "return\rhere", "back\\slash \\N \\t", "quote'\"",
                  "Größe 😀 \u202e", " blanks ", "\\."]
        for number, value in enumerate(values):
            text = value.replace("'", "''")
            self.sql(f"INSERT INTO students VALUES ({200 + number}, 'x', 'CS', 1993, 1, '{text}')")
        self.must_publish()
        every = "SELECT json_agg(campus ORDER BY campus COLLATE \"C\") FROM {}.students WHERE campus IS NOT NULL"
        self.assertEqual(self.sql(every.format("published")), self.sql(every.format("public")))
        self.assertTrue(set(values) < set(json.loads(self.sql(every.format("published")))))

    def test_names_of_any_content_work(self):
        self.sql('ALTER TABLE students RENAME TO "Stu ""dents"; ALTER TABLE "Stu ""dents" RENAME major TO "Ma""jor é";'
                 'ALTER TABLE courses RENAME sid TO "select";')
        text = POLICY.replace("table: students", "table: 'Stu \"dents'").replace("major:", "'Ma\"jor é':")
        self.write_policy(text.replace("parent: sid", "parent: select"))
        status, _, errors = self.run_thicket("anonymize", "policy.yaml", "--into", 'New "one"')
        self.assertEqual(status, 0, errors)
        self.assertEqual(self.sql('SELECT count(DISTINCT "Ma""jor é") FROM "New ""one"""."Stu ""dents"'), "2")
        status, _, errors = self.run_thicket("verify", "policy.yaml", 'New "one"')
        self.assertEqual(status, 0, errors)

    def test_takes_over_types_of_plain_values(self):
        declared = ["mood DEFAULT 'glad'", "grade DEFAULT 2.5", "uuid DEFAULT gen_random_uuid()",
                    "timestamptz DEFAULT '2020-01-02 03:04:05.678+00'", "inet DEFAULT '10.0.0.1/8'",
                    "boolean DEFAULT true", "float8 DEFAULT 'NaN'", "float4 DEFAULT 0.1", "varchar(5) DEFAULT 'abc'",
                    "date DEFAULT '2020-02-29'", "interval DEFAULT '1 day 2 hours'", "bit(3) DEFAULT B'101'",
                    "money DEFAULT 12.5", "\"char\" DEFAULT 'q'", "bigint DEFAULT 9007199254740993"]
        self.sql("CREATE TYPE mood AS ENUM ('sad', 'glad'); CREATE DOMAIN grade AS numeric(4,1)")
        for number, column in enumerate(declared):
            self.sql(f"ALTER TABLE students ADD c{number} {column}")
        names = ", ".join(f"c{number}" for number in range(len(declared)))
        self.write_policy(POLICY.replace("[campus]", f"[campus, {names}]"))
        self.must_publish()
        types = self.sql("SELECT string_agg(format_type(atttypid, atttypmod), ', ' ORDER BY attnum) FROM pg_attribute "
                         "WHERE attrelid = 'published.students'::regclass AND attnum > 5")
        self.assertEqual(types, "text, numeric(4,1), uuid, timestamp with time zone, inet, boolean, double precision, "
                                "real, character varying(5), date, interval, text, money, text, bigint")
        every = f"SELECT {names} FROM {{}}.students ORDER BY c2"
        self.assertEqual(self.sql(every.format("published")), self.sql(every.format("public")))
        status, output, errors = self.run_thicket("verify", "policy.yaml", "published", "--original", "public")
        self.assertEqual(status, 0, output + errors)

    def test_orphans_are_an_error_or_left_out(self):
        self.sql("ALTER TABLE courses DROP CONSTRAINT courses_sid_fkey;"
                 "INSERT INTO courses VALUES ('c9', 999, 'CS1', 'A')")
        self.must_fail(self.publish(), 3, "orphans: drop",
                       "public.courses: row 6: sid: every row must have its parent in public.students")
        self.write_policy(input=", orphans: drop")
        status, _, errors = self.publish()
        self.assertEqual(status, 0, errors)
        self.assertIn("thicket: warning: public.courses: row 6: sid: no parent", errors)


class Refusing(PostgresTest):
    """Whatever is wrong, the server is as it was."""

    def setUp(self):
        super().setUp()
        self.sql(TABLES + ROWS)
        self.addCleanup(lambda: self.assertEqual(self.schemas(), "public"))

    def test_missing_table(self):
        self.sql("ALTER TABLE courses RENAME TO course")
        self.must_fail(self.publish(), 3, "schema public: must have the table courses, but has none of this name",
                       "did you mean course?")

    def test_missing_column(self):
        self.sql("ALTER TABLE courses RENAME code TO codes")
        self.must_fail(self.publish(), 3, "public.courses: code: every column of the policy must be in its table",
                       "did you mean codes?")

    def test_missing_schema_and_database(self):
        self.write_policy(input=", schema: pubic")
        self.must_fail(self.publish(), 3, "must have the schema pubic, but has none", "did you mean public?")
        self.must_fail(self.publish(PGDATABASE="nowhere"), 4, "database nowhere: cannot connect",
                       'database "nowhere" does not exist')

    def test_columns_that_hold_no_plain_values(self):
        self.sql("CREATE TYPE pair AS (a int, b int)")
        types = (("int[]", "'{1}'", "integer[]"), ("jsonb", "'{}'", "jsonb"), ("bytea", "''", "bytea"),
                 ("xml", "'<a/>'", "xml"), ("pair", "'(1,2)'", "pair"), ("int4range", "'[1,2)'", "int4range"),
                 ("point", "'(1,2)'", "point"))
        for declared, value, shown in types:
            with self.subTest(type=declared):
                self.sql("ALTER TABLE students DROP campus;"
                         f"ALTER TABLE students ADD campus {declared} DEFAULT {value}")
                self.must_fail(self.publish(), 3, "put it under drop, or cast it in a view", "public.students: campus: "
                               f"must have a type of plain values, but is of type {shown}\n")
        self.write_policy(POLICY.replace("drop: [name]", "drop: [name, campus]").replace("  keep: [campus]\n", ""))
        self.must_publish()
        self.sql("DROP SCHEMA published CASCADE")

    def test_key_that_is_null_or_twice(self):
        self.sql("ALTER TABLE courses DROP CONSTRAINT courses_pkey; ALTER TABLE courses ALTER cid DROP NOT NULL;"
                 "UPDATE courses SET cid = NULL WHERE cid = 'c5'")
        self.must_fail(self.publish(), 3, "public.courses: row 5: cid: every row must have its key")
        self.sql("UPDATE courses SET cid = 'c1' WHERE cid IS NULL")
        self.must_fail(self.publish(), 3, "public.courses: row 5: cid: every row must have a key of its own")

    def test_schema_that_exists(self):
        for name, part in (("public", 'schema "public" already exists'), ("pg_mine", "unacceptable schema name"),
                           ("x" * 64, "1 to 63 bytes")):
            self.must_fail(self.run_thicket("anonymize", "policy.yaml", "--into", name), 2, part)

    def test_wrong_and_missing_password(self):
        self.make_role("reader")
        tcp = {"PGHOST": "127.0.0.1", "PGUSER": "reader"}
        result = self.publish("--report", "report.json", PGPASSWORD=WRONG_PASSWORD, **tcp)
        self.must_fail(result, 4, "password authentication failed", "PGPASSWORD")
        self.assertNotIn(WRONG_PASSWORD, "".join(result[1:]))
        self.must_fail(self.publish(**tcp), 4, "no password supplied", "put the password into PGPASSWORD")
        self.assertFalse((self.folder / "report.json").exists())

    def test_password_in_a_connection_string(self):
        for location in (f"postgresql://ann:{PASSWORD}@127.0.0.1/x", f"host=127.0.0.1 password={PASSWORD}"):
            result = self.publish("-i", location)
            self.must_fail(result, 2, "must not hold a password", "PGPASSWORD")
            self.assertNotIn(PASSWORD, "".join(result[1:]))

    def test_role_that_may_not_create_a_schema(self):
        self.make_role("reader")
        self.must_fail(self.publish(PGUSER="reader"), 4, "permission denied for database", "SQLSTATE 42501")

    def test_role_that_may_only_read(self):
        self.make_role("reader", f"GRANT CREATE ON DATABASE {self.database} TO reader;"
                                 "ALTER ROLE reader SET default_transaction_read_only = on")
        self.must_fail(self.publish(PGUSER="reader"), 4, "read-only transaction", "SQLSTATE 25006")

    def test_role_that_may_not_read(self):
        self.make_role("reader", f"GRANT CREATE ON DATABASE {self.database} TO reader;"
                                 "REVOKE SELECT ON courses FROM reader")
        self.must_fail(self.publish(PGUSER="reader"), 4,
                       "cannot read public.courses: permission denied for table courses")

    def test_error_of_a_view_does_not_show_its_values(self):
        self.sql("ALTER TABLE courses RENAME TO raw;"
                 "CREATE VIEW courses AS SELECT cid, sid, code, grade::int AS grade FROM raw")
        result = self.publish()
        self.must_fail(result, 3, "cannot read public.courses: the server refuses (SQLSTATE 22P02)")
        self.assertNotIn('"A', result[2])

    def test_failure_in_the_middle_of_the_write(self):
        self.sql("""CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
              IF to_regclass('published.courses') IS NOT NULL THEN RAISE 'secret of Ann'; END IF; END $$;
            CREATE EVENT TRIGGER refuse ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION refuse()""")
        result = self.publish("--report", "report.json")
        self.must_fail(result, 4, "cannot write published.courses: the server refuses (SQLSTATE P0001)")
        self.assertNotIn("Ann", result[2])
        self.assertFalse((self.folder / "report.json").exists())

    def test_the_old_report_returns_when_the_server_refuses_to_commit(self):
        self.sql("""CREATE TABLE late (i int);
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'secret of Ann'; END $$;
            CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED
              FOR EACH ROW EXECUTE FUNCTION refuse();
            CREATE FUNCTION arm() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.late VALUES (1);
              END $$;
            CREATE EVENT TRIGGER arm ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION arm()""")
        report = self.folder / "report.json"
        report.write_text("what was there before")
        result = self.publish("--report", "report.json")
        self.must_fail(result, 4, "cannot commit: the server refuses (SQLSTATE P0001)")
        self.assertNotIn("Ann", result[2])
        self.assertEqual(report.read_text(), "what was there before")
        self.assertEqual([path.name for path in self.folder.glob(".*.tmp")], [])
        self.assertEqual(self.schemas(), "public")

    def test_nobody_listens(self):
        self.must_fail(self.publish(PGHOST="127.0.0.1", PGPORT=str(postgres_server.free_port())), 4, "cannot connect",
                       "PG* variables")


class Passwords(PostgresTest):
    def test_come_from_the_environment_and_from_pgpass_and_are_never_shown(self):
        self.sql(TABLES + ROWS)
        self.make_role("writer", f"GRANT CREATE ON DATABASE {self.database} TO writer")
        pass_file = self.folder / ".pgpass"
        pass_file.write_text(f"127.0.0.1:*:*:writer:{PASSWORD}\n")
        pass_file.chmod(0o600)
        for variables in ({"PGPASSWORD": PASSWORD, "HOME": "/nonexistent"}, {"PGPASSFILE": str(pass_file)}):
            status, output, errors = self.publish("--report", "report.json", PGHOST="127.0.0.1", PGUSER="writer",
                                                  **variables)
            self.assertEqual(status, 0, errors)
            self.assertNotIn(PASSWORD, output + errors + (self.folder / "report.json").read_text())
            self.sql("DROP SCHEMA published CASCADE")


class InTheMiddle(PostgresTest):
    """A reader who looks, a server or a user who stops, when a proxy has counted enough bytes: in the middle."""

    def setUp(self):
        super().setUp()
        self.sql(TABLES + MANY_ROWS)

    def test_readers_see_all_or_nothing(self):
        seen, stop = set(), threading.Event()

        def look():
            while not stop.is_set():
                seen.add(self.sql("SELECT table_name FROM information_schema.tables WHERE table_schema = 'published' "
                                  "ORDER BY 1"))

        def look_in_between():
            before_commit.append(self.schemas())

        reader = threading.Thread(target=look)
        reader.start()
        before_commit = []
        proxy = postgres_proxy.Bytes(SERVER, 500_000, look_in_between)
        try:
            self.must_publish(**self.via(proxy))
        finally:
            stop.set()
            reader.join()
        self.assertTrue(proxy.done.is_set())
        self.assertEqual(before_commit, ["public"])
        self.assertLessEqual(seen, {"", "courses\nstudents"})
        self.assertEqual(self.schemas(), "public\npublished")

    def check_lost(self, proxy, *parts):
        result = self.publish(**self.via(proxy))
        self.assertTrue(proxy.done.is_set(), "the connection must be cut while thicket works")
        self.must_fail(result, 4, "cannot ", *parts)
        self.assertNotIn(PASSWORD, result[2])
        self.assertEqual(self.schemas(), "public")

    def test_connection_cut_while_reading(self):
        self.check_lost(postgres_proxy.Bytes(SERVER, 500_000, lambda: True, "server"), "cannot read public.students")

    def test_connection_cut_while_writing(self):
        for after in (100_000, 1_000_000):
            with self.subTest(after=after):
                self.check_lost(postgres_proxy.Bytes(SERVER, after, lambda: True), "cannot write published.students")

    def test_connection_cut_while_reading_back(self):
        self.check_lost(postgres_proxy.Bytes(SERVER, 2_500_000, lambda: True, "server"), "cannot read published.students")

    def test_the_report_stays_where_nobody_knows_whether_the_server_has_committed(self):
        report = self.folder / "report.json"
        for source, schemas in (("thicket", "public"), ("server", "public\npublished")):
            with self.subTest(source=source):
                report.write_text("what was there before")
                # The server confirms with the same word.
                proxy = postgres_proxy.Bytes(SERVER, 0, lambda: True, source, b"COMMIT")
                result = self.publish("--report", "report.json", **self.via(proxy))
                self.assertTrue(proxy.done.is_set())
                self.must_fail(result, 4, "cannot commit", "look whether the schema published is there")
                self.assertEqual(json.loads(report.read_text())["input"]["records"], 300)
                self.assertEqual([path.name for path in self.folder.glob(".*.tmp")], [])
                self.assertEqual(self.schemas(), schemas)

    def test_backend_terminated_while_writing(self):
        def terminate():
            self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'thicket'")

        self.check_lost(postgres_proxy.Bytes(SERVER, 500_000, terminate), "cannot write published.")

    def test_server_crashes_while_writing(self):
        proxy = postgres_proxy.Bytes(SERVER, 500_000, lambda: SERVER.stop("immediate"))
        variables = self.via(proxy)
        try:
            result = self.publish(**variables)
        finally:
            SERVER.start()
        self.assertTrue(proxy.done.is_set())
        self.must_fail(result, 4, "cannot write published.")
        self.assertEqual(self.schemas(), "public")
        self.assertEqual(self.sql("SELECT count(*) FROM students"), "300")

    def check_interrupted(self, after, source):
        started = []

        def interrupt():
            started[0].send_signal(signal.SIGINT)
            # The server goes on after a while only: thicket must not wait for it.
            time.sleep(2)

        proxy = postgres_proxy.Bytes(SERVER, after, interrupt, source)
        variables = self.via(proxy)
        started.append(self.start("anonymize", "policy.yaml", "--into", "published", **variables))
        begun = time.monotonic()
        result = self.finish(started[0])
        self.assertTrue(proxy.done.is_set())
        self.assertEqual((result[0], result[1]), (130, ""), result[2])
        self.assertIn("interrupted; nothing was written", result[2])
        self.assertLess(time.monotonic() - begun, 60)
        self.assertEqual(self.schemas(), "public")

    def test_interrupted_while_reading(self):
        self.check_interrupted(500_000, "server")

    def test_interrupted_while_writing(self):
        self.check_interrupted(500_000, "thicket")


def main():
    global THICKET, SERVER
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thicket", required=True, type=pathlib.Path, help="the command to test")
    options, rest = parser.parse_known_args()
    THICKET = str(options.thicket.resolve())
    postgres_server.exit_on_signals()
    try:
        SERVER = postgres_server.Server()
    except postgres_server.NotInstalled as reason:
        print(f"skipped: {reason}", file=sys.stderr)
        return postgres_server.SKIPPED
    with SERVER:
        program = unittest.main(argv=[sys.argv[0], *rest], exit=False)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
