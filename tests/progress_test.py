"""Checks that long work shows on a terminal how far it has come, in every command and phase, and nothing anywhere else.

    python3 tests/progress_test.py --thicket build/thicket

Each command runs with a terminal as standard error. A phase shows its line when it begins, so that it is seen however
quick the machine is.
"""

import argparse
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import threading
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import postgres_server  # noqa: E402

THICKET = None
ERASE = "\r\x1b[K"
COUNT = r"\d{1,3}(,\d{3})*"
LINE = re.compile(rf"(?P<phase>[a-z][a-z -]*): (?P<done>{COUNT})( of (?P<total>{COUNT}) \(\d+ %\))?"
                  rf"(?P<rate>, {COUNT}/s)?(?P<left>, \d+( s|:\d\d min|:\d\d h) left)?$")
SETS = """version: 1
input: {format: jsonl, path: sets.jsonl}
record:
  class: patient
  children:
    - class: item
      at: items
      quasi: {item: {taxonomy: items.csv}}
      sensitive: {price: {}}
privacy: {k: 2, m: 2, n: 0PRIVACY}
"""

BASKETS = """version: 1
input: {format: transactions, path: baskets.txt}
record:
  class: basket
  children:
    - class: item
      at: items
      quasi: {item: {taxonomy: items.csv}}
privacy: {k: 2, PRIVACY}
method: {name: METHOD}
"""

SERVED = """version: 1
input: {format: postgresql}
record:
  class: person
  table: people
  key: id
  id: id
  quasi: {age: {numeric: true}}
  sensitive: {wage: {}}
privacy: {k: 2}
"""


class OnTerminal(unittest.TestCase):
    """Commands in a folder of the test's own, with a terminal."""

    environment = {}

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="thicket-progress-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    @classmethod
    def run_quietly(cls, *arguments):
        subprocess.run([THICKET, *arguments, "--quiet"], cwd=cls.folder, check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, **cls.environment})

    def before(self):
        """Called before each run."""

    def on_terminal(self, *arguments):
        """What the command writes to a terminal that is its standard error."""
        self.before()
        ours, theirs = pty.openpty()
        pieces = []

        def read():
            try:
                while piece := os.read(ours, 65536):
                    pieces.append(piece)
            except OSError:
                pass

        reader = threading.Thread(target=read)
        reader.start()
        process = subprocess.Popen([THICKET, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, **self.environment})
        os.close(theirs)
        status = process.wait()
        reader.join()
        os.close(ours)
        text = b"".join(pieces).decode()
        self.assertEqual(status, 0, text)
        return text

    def lines(self, *arguments):
        """The matches of LINE for all that the command shows; the last line must be gone in the end."""
        text = self.on_terminal(*arguments)
        before, *shown = text.split(ERASE)
        self.assertEqual(before, "")
        self.assertTrue(shown and (shown[-1] == "" or shown[-1].startswith("thicket: warning: ")), repr(text))
        matches = []
        for line in shown:
            if not line or line.startswith("thicket: warning: "):
                continue
            match = LINE.match(line)
            self.assertTrue(match, repr(line))
            matches.append(match)
        return matches

    def check_phases(self, phases, *arguments):
        """Which phases show a line, in which order; a star says that the total is not known."""
        shown = []
        for match in self.lines(*arguments):
            phase = match["phase"] + ("" if match["total"] else "*")
            if not shown or shown[-1] != phase or match["done"] == "0":
                shown.append(phase)
        self.assertEqual(self.searches_as_one(shown), phases.split(", "), arguments)
        self.check_silence(*arguments)

    @staticmethod
    def searches_as_one(phases):
        """A search may have several parts, and look for threats between them: each of these once."""
        result = []
        begun = set()
        for phase in phases:
            begun = begun | {phase} if phase in ("search*", "threats") else set()
            if not begun or result[-len(begun):].count(phase) == 0:
                result.append(phase)
        return result

    def check_silence(self, *arguments):
        """The same command in a pipe, and with --quiet on a terminal."""
        self.before()
        process = subprocess.run([THICKET, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True, env={**os.environ, **self.environment})
        self.assertEqual(process.returncode, 0)
        for line in process.stderr.splitlines():
            self.assertTrue(line.startswith("thicket: warning: "), line)
        if arguments[0] not in ("init", "levels", "plan"):
            self.assertEqual(self.on_terminal(*arguments, "--quiet"), "")


class Progress(OnTerminal):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_quietly("generate", "students", "-n", "40", "-o", "students", "--seed", "1")
        cls.run_quietly("anonymize", "students/policy.yaml", "-o", "public.jsonl", "--seed", "1")
        (cls.folder / "items.csv").write_text("".join(f"i{i};g{i // 4};*\n" for i in range(16)))
        (cls.folder / "sets.jsonl").write_text("".join(
            '{"items": [' + ", ".join(f'{{"item": "i{(i * j) % 16}", "price": {(7 * i + 11 * j) % 50}}}' for j in range(1, 4)) +
            "]}\n" for i in range(60)))
        for name, privacy in (("sets", ""), ("diverse", ", l: 2"), ("negative", ", negative: true")):
            (cls.folder / f"{name}.yaml").write_text(SETS.replace("PRIVACY", privacy))
        cls.run_quietly("anonymize", "sets.yaml", "-o", "sets-public.jsonl", "--seed", "1")
        (cls.folder / "baskets.txt").write_text("".join(
            " ".join(f"i{(i * j) % 16}" for j in range(1, 4)) + (" secret\n" if i % 9 == 0 else "\n") for i in range(60)))
        for method in ("og", "mog", "mm"):
            (cls.folder / f"{method}.yaml").write_text(BASKETS.replace("METHOD", method).replace(
                "PRIVACY", "l: 2, m: 2, n: 0, sensitive_items: [secret]"))
        (cls.folder / "aa.yaml").write_text(BASKETS.replace("METHOD", "aa").replace(
            "PRIVACY", "m: 2, n: 0, sensitive_items: [secret]"))
        (cls.folder / "lg.yaml").write_text(BASKETS.replace("METHOD", "lg").replace("PRIVACY", "sensitive_items: [secret]"))

    def anonymize(self, policy, *rest):
        return ("anonymize", policy, "-o", "out.jsonl", "--seed", "1", *rest)

    def test_grouping(self):
        self.check_phases("taxonomies, read, encode, anonymize, bound, bound, bound, write, read, verify, lm, verify truth",
                          *self.anonymize("students/policy.yaml"))

    def test_refining(self):
        policy = (self.folder / "students" / "policy.yaml").read_text()
        (self.folder / "students" / "refine.yaml").write_text(policy.replace("mapping: lsap", "mapping: lsap\n  refine: on"))
        self.check_phases("taxonomies, read, encode, anonymize, refine, bound, bound, bound, write, read, verify, lm, verify truth",
                          *self.anonymize("students/refine.yaml"))

    def test_cutting(self):
        self.check_phases("taxonomies, read, encode, search*, write, read, verify combinations, lm, verify truth",
                          *self.anonymize("sets.yaml"))

    def test_cutting_with_diversity(self):
        self.check_phases("taxonomies, read, encode, search*, write, read, verify combinations, verify diversity, lm, "
                          "verify truth", *self.anonymize("diverse.yaml"))

    def test_cutting_with_negative_knowledge(self):
        self.check_phases("taxonomies, read, encode, search*, write, read, verify combinations, lm, verify truth",
                          *self.anonymize("negative.yaml"))

    def test_cutting_tables(self):
        self.run_quietly("generate", "patients-table", "-n", "10", "-o", "patients")
        self.check_phases("taxonomies, read, encode, search*, write, read, verify, lm, verify truth",
                          *self.anonymize("patients/policy.yaml"))

    def test_cutting_sets(self):
        for method, search in (("og", "search*, threats"), ("mog", "search*, threats"), ("mm", "search*")):
            self.check_phases(f"taxonomies, read, encode, {search}, write, read, verify, verify itemsets, verify itemsets, lm, "
                              "verify truth", *self.anonymize(f"{method}.yaml"))
        self.check_phases("taxonomies, read, encode, search*, write, read, verify, verify itemsets, lm, verify truth",
                          *self.anonymize("aa.yaml"))
        self.check_phases("taxonomies, read, encode, search, write, read, verify, verify classes, lm, verify truth",
                          *self.anonymize("lg.yaml"))

    def test_verifying(self):
        self.check_phases("taxonomies, read, verify", "verify", "students/policy.yaml", "public.jsonl")
        self.check_phases("taxonomies, read, read, verify, verify truth", "verify", "students/policy.yaml", "public.jsonl",
                          "--original", "students/students.jsonl")
        self.check_phases("taxonomies, read, read, verify combinations, verify truth", "verify", "sets.yaml", "sets-public.jsonl",
                          "--original", "sets.jsonl")

    def test_evaluating(self):
        self.check_phases("taxonomies, read, encode, read, lm, queries", "evaluate", "students/policy.yaml", "public.jsonl",
                          "--original", "students/students.jsonl", "--metrics", "lm,queries", "--queries", "20")
        self.check_phases("taxonomies, read, encode, read, lm, rpd, rpd, rpd, rpd, mining", "evaluate", "sets.yaml",
                          "sets-public.jsonl", "--original", "sets.jsonl", "--metrics", "lm,rpd,mining")

        self.check_phases("taxonomies, read, encode, read, dm, levels, dissimilarity", "evaluate", "students/policy.yaml",
                          "public.jsonl", "--original", "students/students.jsonl", "--metrics", "dm,dissimilarity")

    def test_attacking(self):
        self.check_phases("taxonomies, read, encode, read, attack", "attack", "students/policy.yaml", "public.jsonl",
                          "--original", "students/students.jsonl", "--labels", "2", "--negative")
        self.check_phases("taxonomies, read, encode, read, attack", "attack", "sets.yaml", "sets-public.jsonl",
                          "--original", "sets.jsonl")
        self.check_phases("taxonomies, read, encode, read, attack, levels, similarity, similarity", "attack",
                          "students/policy.yaml", "public.jsonl", "--original", "students/students.jsonl", "--similar")

    def test_levels(self):
        self.run_quietly("generate", "grades", "-n", "40", "-o", "grades", "--seed", "1")
        self.check_phases("taxonomies, read, levels", "levels", "grades/policy.yaml")
        self.check_phases("taxonomies, read, encode, levels, anonymize, bound, bound, write, read, verify, lm, verify truth",
                          *self.anonymize("grades/policy.yaml"))

    def test_planning(self):
        self.check_phases("taxonomies, read, encode, try*", "plan", "students/policy.yaml")

    def test_exploring(self):
        self.check_phases("taxonomies, read, explore", "explore", "students/policy.yaml", "--k", "2,3", "--queries", "20")

    def test_proposing(self):
        self.check_phases("read", "init", "students/students.jsonl", "-o", "-")

    def test_every_format(self):
        for data_format, name in (("json", "x.json"), ("xml", "x.xml"), ("tables", "x"), ("sqlite", "x.db")):
            with self.subTest(data_format):
                self.check_phases("taxonomies, read, write, read", "convert", "students/policy.yaml", "--to", data_format,
                                  "-o", name, "--policy", f"{data_format}.yaml")
                phases = "read*" if data_format in ("tables", "sqlite") else "read"
                self.check_phases(phases, "init", name, "-o", "-")

    def test_generating(self):
        self.check_phases("generate", "generate", "students", "-n", "50", "-o", "again")

    def test_experimenting(self):
        phases = {match["phase"] for match in self.lines("experiment", "nergiz-lm", "-n", "60")}
        self.assertEqual(phases, {"generate", "taxonomies", "read", "encode", "nergiz-lm"})

    def test_rate_and_time_left(self):
        # Work for a second on any machine: the total is known, so time is left for as long as it goes on.
        for records in (160, 320, 640, 1280, 2560, 5120):
            self.run_quietly("generate", "students", "-n", str(records), "-o", "many", "--seed", "1")
            shown = self.lines(*self.anonymize("many/policy.yaml"))
            anonymize = [match for match in shown if match["phase"] == "anonymize"]
            under_way = [match for match in anonymize if match["done"] not in ("0", match["total"])]
            if len(under_way) > 3:
                break
        self.assertGreater(len(under_way), 1)
        for match in under_way:
            self.assertTrue(match["rate"] and match["left"], match[0])
            self.assertEqual(match["total"], f"{records:,}")
        counts = [int(match["done"].replace(",", "")) for match in anonymize]
        self.assertEqual(counts, sorted(counts))


class ProgressWithAServer(OnTerminal):
    """The same where PostgreSQL keeps the data."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        try:
            cls.server = cls.enterClassContext(postgres_server.Server())
        except postgres_server.NotInstalled as missing:
            raise unittest.SkipTest(str(missing))
        cls.environment = cls.server.environment()
        cls.server.sql("CREATE TABLE people AS SELECT i AS id, i % 7 AS age, i % 3 AS wage FROM generate_series(1, 60) i")
        (cls.folder / "served.yaml").write_text(SERVED)

    def before(self):
        self.server.sql("DROP SCHEMA IF EXISTS fresh CASCADE")

    def test_reading_and_writing(self):
        # How many rows a table has is what the server knows without counting: of a new table nothing, until it is analyzed.
        self.run_quietly("anonymize", "served.yaml", "--into", "published", "--seed", "1")
        self.check_phases("read*, encode, anonymize, refine, bound, bound, write, read, verify, lm, verify truth", "anonymize",
                          "served.yaml", "--into", "fresh", "--seed", "1")
        self.check_phases("read*, write, read", "convert", "served.yaml", "--to", "postgresql", "--into", "fresh")
        self.check_phases("read, verify", "verify", "served.yaml", "published")
        self.check_phases("read*", "init", "postgresql://", "-o", "-")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thicket", required=True, type=pathlib.Path, help="the command to test")
    options, rest = parser.parse_known_args()
    THICKET = str(options.thicket.resolve())
    unittest.main(argv=[sys.argv[0], *rest])
