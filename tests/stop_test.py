"""Checks that the first SIGTERM or Ctrl-C ends the command soon wherever it is: reading, matching, verifying, measuring.

    python3 tests/stop_test.py --thicket build/thicket

Each run would take minutes. The signal comes at a random instant; --seed N repeats the instants of a run that failed.
Work stops within a fifth of a second, and the process ends within two; the test is generous, for machines that have
other things to do, but far below what the work itself would take.
"""

import argparse
import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import postgres_server  # noqa: E402

THICKET = None
SEED = None
STOPS_WITHIN_S = 20
OLD = "what was there before\n"
MESSAGE = "thicket: interrupted; nothing was written\n"
STOPS_OF_A_SERVER = 8  # of each command

WIDE = """version: 1
input: {format: jsonl, path: wide.jsonl}
record:
  class: patient
  children:
    - class: visit
      at: visits
      quasi: {day: {numeric: true}, cost: {numeric: true}}
privacy: {k: 2}
"""
SETS = """version: 1
input: {format: transactions, path: sets.txt}
record:
  class: basket
  children:
    - class: item
      at: items
      quasi: {item: {taxonomy: items.csv}}
privacy: {k: 2, m: 5, n: 0PRIVACY}
method: {name: gcs}
"""
ITEMS = SETS.replace("privacy: {k: 2, m: 5, n: 0PRIVACY}", "privacy: {model: 'KL(m,n)-privacy', k: 2, m: 6, n: 3}").replace(
    "gcs", "og")
DIVERSE = """version: 1
input: {format: jsonl, path: diverse.jsonl}
record:
  class: basket
  children:
    - class: item
      at: items
      quasi: {item: {taxonomy: items.csv}}
      sensitive: {price: {}}
privacy: {k: 2, l: 2, m: 4, n: 0PRIVACY}
"""
LOG = """version: 1
input: {format: querylog, path: log.tsv, session_gap: 1h}
record:
  class: vocabulary
  children:
    - {class: term, at: terms, quasi: {term: {taxonomy: items.csv}}}
privacy: {k: 2, epsilon: 2}
"""
FLAT = """version: 1
input: {format: FORMAT, path: PATH}
record:
  class: person
  quasi: {age: {numeric: true}, zip: {numeric: true}}
  sensitive: {wage: {}}
privacy: {k: 2}
"""


ROWS = """
CREATE TABLE people AS SELECT i AS id, i * 7919 % 1000 AS age, i * 104729 % 1000 AS zip, i * 1299709 % 1000 AS wage
  FROM generate_series(1, NUMBER::bigint) i;
"""
SERVED = """version: 1
input: {format: postgresql}
record:
  class: person
  table: people
  key: id
  id: id
  quasi: {age: {numeric: true}, zip: {numeric: true}}
  sensitive: {wage: {}}
privacy: {k: 2}
"""


class Stop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="thicket-stop-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        draw = random.Random(1)
        with open(cls.folder / "wide.jsonl", "w") as file:
            for _ in range(2):
                visits = [{"day": draw.randrange(10**6), "cost": draw.randrange(10**6)} for _ in range(4000)]
                file.write(json.dumps({"visits": visits}) + "\n")
        (cls.folder / "wide.yaml").write_text(WIDE)
        with open(cls.folder / "sets.txt", "w") as file:
            for _ in range(20000):
                file.write(" ".join(f"i{item}" for item in draw.sample(range(400), 25)) + "\n")
        (cls.folder / "items.csv").write_text("".join(f"i{i};g{i // 20};*\n" for i in range(400)))
        (cls.folder / "sets.yaml").write_text(SETS.replace("PRIVACY", ""))
        (cls.folder / "items.yaml").write_text(ITEMS)
        (cls.folder / "negative.yaml").write_text(SETS.replace("PRIVACY", ", negative: true").replace("m: 5", "m: 3"))
        with open(cls.folder / "diverse.jsonl", "w") as file:
            for _ in range(3000):
                items = [{"item": f"i{draw.randrange(400)}", "price": draw.randrange(1000)} for _ in range(25)]
                file.write(json.dumps({"items": items}) + "\n")
        (cls.folder / "diverse.yaml").write_text(DIVERSE.replace("PRIVACY", ""))
        (cls.folder / "diverse-negative.yaml").write_text(
            DIVERSE.replace("PRIVACY", ", negative: true").replace("m: 4", "m: 3"))
        with open(cls.folder / "flat.csv", "w") as file:
            file.write("age,zip,wage\n")
            for _ in range(100000):
                file.write(f"{draw.randrange(10**6)},{draw.randrange(10**6)},{draw.randrange(10**6)}\n")
        (cls.folder / "flat.yaml").write_text(FLAT.replace("FORMAT", "csv").replace("PATH", "flat.csv"))
        with open(cls.folder / "log.tsv", "w") as file:
            file.write("AnonID\tQuery\tQueryTime\n")
            for _ in range(300000):
                words = " ".join(f"i{draw.randrange(400)}" for _ in range(3))
                file.write(f"{draw.randrange(20000)}\t{words}\t{draw.randrange(10**7)}\n")
        (cls.folder / "log.yaml").write_text(LOG)
        (cls.folder / "out" / "students" / "taxonomies").mkdir(parents=True)
        (cls.folder / "out" / "old").write_text(OLD)

    def snapshot(self):
        return {str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest()
                if path.is_file() else "folder" for path in self.folder.rglob("*")}

    def stop(self, *arguments, least=0.1, most=2.0, stdin=subprocess.DEVNULL, may_end=False):
        """Runs the command and stops it at some instant of the first seconds; the status, 130 unless it may end.

        Where the machine is so fast that the work is done by then, the signal comes sooner in another run.
        """
        draw = random.Random(f"{SEED} {self.id()}")
        number = draw.choice([signal.SIGTERM, signal.SIGINT])
        delay = draw.uniform(least, most)
        # A run that another test let end may have replaced it.
        (self.folder / "out" / "old").write_text(OLD)
        before = self.snapshot()
        while True:
            status = self.stop_after(delay, number, before, arguments, stdin, may_end)
            if status is not None:
                return status
            delay /= 2

    def stop_after(self, delay, number, before, arguments, stdin, may_end):
        """The same after `delay` seconds; None if the work was done before the signal."""
        process = subprocess.Popen([THICKET, *arguments], cwd=self.folder, stdin=stdin, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(self.folder)})
        try:
            time.sleep(delay)
            ended = process.poll() is not None
            process.send_signal(number)
            signalled = time.monotonic()
            output, errors = process.communicate(timeout=STOPS_WITHIN_S)
            took = time.monotonic() - signalled
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()
        where = f"{number.name} after {delay:.3f} s, seed {SEED}: {errors.decode()}"
        if may_end and (ended or process.returncode == 0):
            return process.returncode
        if ended:
            self.assertGreater(delay, 0.05, f"the work must be under way for a while; {where}")
            for path in set(self.snapshot()) - set(before):
                (self.folder / path).unlink()
            (self.folder / "out" / "old").write_text(OLD)
            return None
        self.assertEqual((process.returncode, output, errors.decode()), (130, b"", MESSAGE), where)
        self.assertEqual(self.snapshot(), before, where)
        print(f"{self.id().rsplit('.', 1)[1]}: {took:.2f} s", file=sys.stderr)
        return process.returncode

    def test_reading(self):
        self.stop("anonymize", "flat.yaml", "-o", "out/old", most=0.3)

    def test_reading_a_query_log_that_is_not_sorted(self):
        self.stop("anonymize", "log.yaml", "-o", "out/old")

    def test_reading_a_pipe_that_nobody_writes_to(self):
        ours, theirs = os.pipe()
        self.addCleanup(os.close, theirs)
        self.addCleanup(os.close, ours)
        self.stop("anonymize", "flat.yaml", "-i", "-", "-o", "out/old", stdin=ours, most=0.5)

    def test_reading_a_named_pipe_that_nobody_opens(self):
        with tempfile.TemporaryDirectory() as other:
            os.mkfifo(other + "/pipe")
            self.stop("anonymize", "flat.yaml", "-i", other + "/pipe", "-o", "out/old", most=0.5)

    def test_matching_wide_siblings(self):
        self.stop("anonymize", "wide.yaml", "-o", "out/old", least=0.5)

    def test_matching_wide_siblings_on_one_thread(self):
        self.stop("anonymize", "wide.yaml", "-o", "out/old", "--threads", "1", least=0.5)

    def test_matching_wide_siblings_greedily(self):
        (self.folder / "wide.yaml").write_text(WIDE)
        policy = self.folder / "greedy.yaml"
        policy.write_text(WIDE + "method: {name: clustree, mapping: greedy}\n")
        self.stop("anonymize", "greedy.yaml", "-o", "out/old", may_end=True)

    def test_grouping(self):
        self.stop("anonymize", "flat.yaml", "-o", "out/old", "--threads", "1", least=1.0, most=4.0)

    def test_cutting(self):
        self.stop("anonymize", "sets.yaml", "-o", "out/old", least=0.2, most=0.8, may_end=True)

    def test_cutting_sets(self):
        self.stop("anonymize", "items.yaml", "-o", "out/old", may_end=True)

    def test_verifying_itemsets(self):
        self.stop("verify", "items.yaml", "sets.txt", may_end=True)

    def test_cutting_with_negative_knowledge(self):
        self.stop("anonymize", "negative.yaml", "-o", "out/old", most=1.0, may_end=True)

    def test_cutting_with_diversity(self):
        self.stop("anonymize", "diverse.yaml", "-o", "out/old", least=0.3, may_end=True)

    def test_cutting_with_diversity_and_negative_knowledge(self):
        self.stop("anonymize", "diverse-negative.yaml", "-o", "out/old", least=0.3, may_end=True)

    def test_verifying_diversity_of_combinations(self):
        self.stop("verify", "diverse.yaml", "diverse.jsonl", least=0.3, may_end=True)

    def test_reading_taxonomies(self):
        (self.folder / "ages.csv").write_text("".join(f"{i};{i // 10}x;{i // 1000}xxx;*\n" for i in range(200000)))
        (self.folder / "ages.yaml").write_text(FLAT.replace("FORMAT", "csv").replace("PATH", "flat.csv").replace(
            "age: {numeric: true}", "age: {taxonomy: ages.csv, unknown: generalize}"))
        self.stop("anonymize", "ages.yaml", "-o", "out/old", most=0.4)

    def test_verifying_combinations(self):
        self.stop("verify", "sets.yaml", "sets.txt", least=0.5, most=3.0)

    def test_verifying_signed_combinations(self):
        self.stop("verify", "negative.yaml", "sets.txt", least=0.5, most=3.0, may_end=True)

    def test_verifying_that_wide_siblings_are_truthful(self):
        self.stop("verify", "wide.yaml", "wide.jsonl", "--original", "wide.jsonl", may_end=True)

    def test_answering_queries(self):
        self.stop("evaluate", "flat.yaml", "flat.csv", "--original", "flat.csv", "--queries", "1000000",
                  least=1.0, most=3.0)

    def test_mining(self):
        self.stop("evaluate", "sets.yaml", "sets.txt", "--original", "sets.txt", "--metrics", "mining,rpd",
                  least=0.5, may_end=True)

    def test_attacking(self):
        self.stop("attack", "flat.yaml", "flat.csv", "--original", "flat.csv", least=1.0, most=3.0, may_end=True)

    def test_learning_levels(self):
        self.stop("attack", "flat.yaml", "flat.csv", "--original", "flat.csv", "--similar", most=1.5, may_end=True)

    def test_attacking_with_labels(self):
        self.stop("attack", "sets.yaml", "sets.txt", "--original", "sets.txt", "--labels", "4", least=0.5, most=3.0,
                  may_end=True)

    def test_looking_at_data(self):
        self.stop("init", "flat.csv", "-o", "out/policy.yaml", most=0.2, may_end=True)
        (self.folder / "out" / "policy.yaml").unlink(missing_ok=True)

    def test_planning(self):
        self.stop("plan", "flat.yaml", least=0.2, most=1.5, may_end=True)

    def test_exploring(self):
        self.stop("explore", "flat.yaml", "--k", "2,3,5,10", "-o", "out/settings", least=1.0, most=4.0)

    def test_generating(self):
        self.stop("generate", "students", "-n", "1000000", "-o", "out/students", least=0.3)

    def test_experimenting(self):
        self.stop("experiment", "ozalp-s", least=0.5)

    def test_preparing_an_experiment(self):
        self.stop("experiment", "gkountouna-k", "-n", "200000", most=1.0)

    def test_filling_and_reading_a_database(self):
        subprocess.run([THICKET, "convert", "flat.yaml", "--to", "sqlite", "-o", "flat.db", "--policy", "db.yaml",
                        "--quiet"], cwd=self.folder, check=True)
        self.stop("anonymize", "db.yaml", "-o", "out/old", most=0.5)
        if self.stop("convert", "db.yaml", "--to", "sqlite", "-o", "out/again.db", most=2.0, may_end=True) == 0:
            (self.folder / "out" / "again.db").unlink()


class StopWithAServer(unittest.TestCase):
    """The same where PostgreSQL keeps the data: the schema is not there, or whole, and no transaction stays open."""

    @classmethod
    def setUpClass(cls):
        try:
            cls.server = cls.enterClassContext(postgres_server.Server())
        except postgres_server.NotInstalled as missing:
            raise unittest.SkipTest(str(missing))
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="thicket-stop-")))
        (cls.folder / "policy.yaml").write_text(SERVED)

    def run_for(self, seconds, number, arguments):
        """Status, standard output and error, and how long the process took to end; stopped after some seconds."""
        process = subprocess.Popen([THICKET, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, **self.server.environment()})
        try:
            try:
                output, errors = process.communicate(timeout=seconds)
                return process.returncode, output, errors, 0.0
            except subprocess.TimeoutExpired:
                process.send_signal(number)
            signalled = time.monotonic()
            output, errors = process.communicate(timeout=STOPS_WITHIN_S)
            return process.returncode, output, errors, time.monotonic() - signalled
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()

    def rows(self, schema):
        """How many rows the schema has; None if there is none."""
        if not self.server.sql(f"SELECT 1 FROM pg_namespace WHERE nspname = '{schema}'"):
            return None
        return int(self.server.sql(f"SELECT count(*) FROM {schema}.people"))

    def open_transactions(self):
        return self.server.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'thicket' "
                               "AND state LIKE '%transaction%'") != "0"

    def stop_at_random(self, records, *arguments, schema=None):
        """Runs the command once in peace, and then stops it at random instants of that time."""
        self.server.sql("DROP TABLE IF EXISTS people;" + ROWS.replace("NUMBER", str(records)))
        report = self.folder / "report.json"
        begun = time.monotonic()
        status, _, errors, _ = self.run_for(120, None, [*arguments, *(["--into", "whole"] if schema else [])])
        duration = time.monotonic() - begun
        self.assertEqual(status, 0, errors)
        self.server.sql("DROP SCHEMA IF EXISTS whole CASCADE")
        report.unlink(missing_ok=True)
        draw = random.Random(f"{SEED} {self.id()}")
        stopped = 0
        for turn in range(STOPS_OF_A_SERVER):
            # One of each eighth of the time, so that every phase is hit.
            delay = draw.uniform(turn, turn + 1) / STOPS_OF_A_SERVER * duration
            number = draw.choice([signal.SIGTERM, signal.SIGINT])
            where = f"{number.name} after {delay:.3f} of {duration:.3f} s, seed {SEED}"
            into = f"{schema}{turn}" if schema else None
            status, output, errors, took = self.run_for(delay, number, [*arguments, *(["--into", into] if into else [])])
            where += f": {errors}"
            deadline = time.monotonic() + STOPS_WITHIN_S
            while self.open_transactions():
                self.assertLess(time.monotonic(), deadline, f"a transaction stays open; {where}")
                time.sleep(0.02)
            if status == 0:
                # The signal came when all was done; of what was published nothing is missing.
                self.assertEqual(self.rows(into) if into else records, records, where)
                self.assertEqual(report.exists(), "--report" in arguments, where)
                report.unlink(missing_ok=True)
                continue
            # Before the command listens, the signal itself ends it.
            if status != -number or output or errors:
                self.assertEqual((status, output, errors), (130, "", MESSAGE), where)
                stopped += 1
            self.assertIsNone(self.rows(into) if into else None, where)
            self.assertEqual([path.name for path in self.folder.iterdir()], ["policy.yaml"], where)
            print(f"{self.id().rsplit('.', 1)[1]}: {took:.2f} s", file=sys.stderr)
        self.assertGreater(stopped, STOPS_OF_A_SERVER // 3, "most signals must come while the command works")

    def test_publishing(self):
        self.stop_at_random(4000, "anonymize", "policy.yaml", "--report", "report.json", "--seed", "1", schema="published")

    def test_converting(self):
        self.stop_at_random(20000, "convert", "policy.yaml", "--to", "postgresql", schema="converted")

    def test_looking_at_data(self):
        self.stop_at_random(60000, "attack", "policy.yaml", "public", "--original", "public")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thicket", required=True, type=pathlib.Path, help="the command to test")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="chooses the instants")
    options, rest = parser.parse_known_args()
    THICKET = str(options.thicket.resolve())
    SEED = options.seed
    unittest.main(argv=[sys.argv[0], *rest])
