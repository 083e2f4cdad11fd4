"""Lets `thicket init` look at a real PostgreSQL server, and uses what it proposes.

    python3 tests/postgres_init_test.py --thicket build/thicket

The test starts its own server (tests/postgres_server.py); status 77 where PostgreSQL is not installed.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import postgres_server  # noqa: E402

THICKET = None
SERVER = None

# Two schemas with the same rows: one declares its keys, and one does not.
CLINIC = """
CREATE SCHEMA declared;
CREATE TABLE declared.wards (id int PRIMARY KEY, name text);
CREATE TABLE declared.patients (
  id uuid PRIMARY KEY, name text, sex char(1), born date, ward int REFERENCES declared.wards, guardian uuid REFERENCES
  declared.patients, active boolean, tags text[], scan bytea, extra jsonb);
CREATE TABLE declared.visits (
  id bigint PRIMARY KEY, patient uuid NOT NULL REFERENCES declared.patients, at timestamptz, cost numeric(8, 2));
CREATE TABLE declared.diagnoses (
  visit bigint REFERENCES declared.visits, pos int, patient uuid REFERENCES declared.patients, code text,
  PRIMARY KEY (visit, pos));
INSERT INTO declared.wards VALUES (1, 'a'), (2, 'b');
INSERT INTO declared.patients SELECT md5(i::text)::uuid, 'n' || i, substr('fm', i % 2 + 1, 1), date '1970-01-01' + 100 * i,
  i % 2 + 1, CASE WHEN i % 5 = 0 THEN md5('1')::uuid END, i % 3 = 0, ARRAY['x'], 'y', '{}' FROM generate_series(1, 60) i;
INSERT INTO declared.visits SELECT i, md5((i % 60 + 1)::text)::uuid, timestamptz '2020-01-01 10:00+00' + i * interval '1 day',
  i % 7 * 10 FROM generate_series(1, 120) i;
INSERT INTO declared.diagnoses SELECT i, 1, md5((i % 60 + 1)::text)::uuid, (ARRAY['flu', 'cold', 'pox'])[i % 3 + 1]
  FROM generate_series(1, 120) i;
CREATE VIEW declared.report AS SELECT p.sex, v.cost FROM declared.patients p JOIN declared.visits v ON v.patient = p.id;

CREATE SCHEMA plain;
CREATE TABLE plain.patients AS SELECT id, name, sex, born FROM declared.patients;
CREATE TABLE plain.visits AS SELECT id, patient, at FROM declared.visits;
CREATE TABLE plain.diagnoses AS SELECT visit, patient, code FROM declared.diagnoses;
CREATE TABLE plain.towns AS SELECT i AS id, 'town ' || i AS name FROM generate_series(1, 5) i;
CREATE SCHEMA empty;
"""


class InitTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.environment = {**os.environ, **SERVER.environment()}

    def thicket(self, *arguments):
        return subprocess.run([THICKET, *arguments], cwd=self.folder.name, env=self.environment, capture_output=True,
                              text=True, check=False)

    def propose(self, schema, data="postgresql://"):
        done = self.thicket("init", data, "--schema", schema)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("thicket anonymize policy.yaml --into published\n", done.stdout)
        return (pathlib.Path(self.folder.name) / "policy.yaml").read_text()

    def publish_and_verify(self, into):
        done = self.thicket("anonymize", "policy.yaml", "--into", into, "--seed", "1", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = self.thicket("verify", "policy.yaml", into)
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, "The promise holds."), done.stderr)

    def assert_says(self, policy, *lines):
        """The lines stand in the policy in this order, with any comments."""
        rest = iter(line.split("  #")[0].rstrip() for line in policy.splitlines())
        for line in lines:
            self.assertIn(line, rest, policy)

    def test_follows_declared_keys(self):
        policy = self.propose("declared")
        self.assert_says(
            policy, "  format: postgresql", '  path: "postgresql://"', "  schema: declared", "  table: patients", "  key: id",
            "  id: id", "    - guardian", "  quasi:", "    ward: {taxonomy: taxonomies/ward.csv}", "      table: visits",
            "      key: id", "      parent: patient", "          table: diagnoses", "          parent: visit",
            "            - patient")
        for column in ("tags", "scan", "extra"):
            self.assertIn(f"# left out: {column} (neither text nor a number)", policy)
        for table in ("wards", "report"):
            self.assertIn(f"# left out: the table {table} (no key leads from its rows to patients)", policy)
        self.assertNotIn("orphans", policy)
        self.publish_and_verify("published_declared")

    def test_guesses_keys_that_are_not_declared(self):
        policy = self.propose("plain")
        self.assert_says(policy, "  table: patients", "  key: id", "      table: visits", "      parent: patient",
                         "          table: diagnoses", "          parent: visit", "            - patient")
        self.assertIn("# left out: the table towns (no key leads from its rows to patients)", policy)
        self.publish_and_verify("published_plain")

    def test_takes_a_connection_of_keywords(self):
        environment = SERVER.environment()
        data = f"host={environment['PGHOST']} port={environment['PGPORT']} user=postgres dbname=postgres"
        for name in environment:
            self.environment.pop(name)
        policy = self.propose("plain", data)
        self.assertIn(f'path: "{data}"', policy)
        self.publish_and_verify("published_keywords")

    def test_reads_with_a_role_that_may_only_read(self):
        SERVER.sql("CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA plain TO reader; "
                   "GRANT SELECT ON ALL TABLES IN SCHEMA plain TO reader")
        self.environment["PGUSER"] = "reader"
        self.propose("plain")

    def test_says_what_is_missing(self):
        for schema in ("empty", "nowhere"):
            done = self.thicket("init", "postgresql://", "--schema", schema)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(schema, done.stderr)
            self.assertEqual(os.listdir(self.folder.name), [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--thicket", required=True)
    arguments, rest = parser.parse_known_args()
    global THICKET, SERVER
    THICKET = str(pathlib.Path(arguments.thicket).resolve())
    postgres_server.exit_on_signals()
    try:
        server = postgres_server.Server()
    except postgres_server.NotInstalled as reason:
        print(f"skipped: {reason}", file=sys.stderr)
        return postgres_server.SKIPPED
    with server:
        SERVER = server
        server.sql(CLINIC)
        return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
