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


class Progress(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="thicket-progress-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.run_quietly("generate", "students", "-n", "120", "-o", "students", "--seed", "1")
        cls.run_quietly("anonymize", "students/policy.yaml", "-o", "public.jsonl", "--seed", "1")
        (cls.folder / "items.csv").write_text("".join(f"i{i};g{i // 4};*\n" for i in range(16)))
        (cls.folder / "sets.jsonl").write_text("".join(
            '{"items": [' + ", ".join(f'{{"item": "i{(i * j) % 16}", "price": {(7 * i + 11 * j) % 50}}}' for j in range(1, 4)) +
            "]}\n" for i in range(60)))
        for name, privacy in (("sets", ""), ("diverse", ", l: 2"), ("negative", ", negative: true")):
            (cls.folder / f"{name}.yaml").write_text(SETS.replace("PRIVACY", privacy))
        cls.run_quietly("anonymize", "sets.yaml", "-o", "sets-public.jsonl", "--seed", "1")

    @classmethod
    def run_quietly(cls, *arguments):
        subprocess.run([THICKET, *arguments, "--quiet"], cwd=cls.folder, check=True, stdout=subprocess.DEVNULL)

    def on_terminal(self, *arguments):
        """What the command writes to a terminal that is its standard error."""
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
                                   stdout=subprocess.DEVNULL, stderr=theirs)
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
        self.assertEqual(shown, phases.split(", "), arguments)
        self.check_silence(*arguments)

    def check_silence(self, *arguments):
        """The same command in a pipe, and with --quiet on a terminal."""
        process = subprocess.run([THICKET, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True)
        self.assertEqual(process.returncode, 0)
        for line in process.stderr.splitlines():
            self.assertTrue(line.startswith("thicket: warning: "), line)
        if arguments[0] != "init":
            self.assertEqual(self.on_terminal(*arguments, "--quiet"), "")

    def anonymize(self, policy, *rest):
        return ("anonymize", policy, "-o", "out.jsonl", "--seed", "1", *rest)

    def test_grouping(self):
        self.check_phases("read, anonymize, write, read, verify, lm, verify truth", *self.anonymize("students/policy.yaml"))

    def test_refining(self):
        policy = (self.folder / "students" / "policy.yaml").read_text()
        (self.folder / "students" / "refine.yaml").write_text(policy.replace("mapping: lsap", "mapping: lsap\n  refine: on"))
        self.check_phases("read, anonymize, refine, write, read, verify, lm, verify truth",
                          *self.anonymize("students/refine.yaml"))

    def test_cutting(self):
        self.check_phases("read, search*, write, read, verify combinations, lm, verify truth", *self.anonymize("sets.yaml"))

    def test_cutting_with_diversity(self):
        self.check_phases("read, search*, write, read, verify combinations, verify diversity, lm, verify truth",
                          *self.anonymize("diverse.yaml"))

    def test_cutting_with_negative_knowledge(self):
        self.check_phases("read, search*, write, read, verify combinations, lm, verify truth",
                          *self.anonymize("negative.yaml"))

    def test_verifying(self):
        self.check_phases("read, verify", "verify", "students/policy.yaml", "public.jsonl")
        self.check_phases("read, read, verify, verify truth", "verify", "students/policy.yaml", "public.jsonl",
                          "--original", "students/students.jsonl")
        self.check_phases("read, read, verify combinations, verify truth", "verify", "sets.yaml", "sets-public.jsonl",
                          "--original", "sets.jsonl")

    def test_evaluating(self):
        self.check_phases("read, read, lm, queries", "evaluate", "students/policy.yaml", "public.jsonl", "--original",
                          "students/students.jsonl", "--metrics", "lm,queries", "--queries", "20")
        self.check_phases("read, read, lm, rpd, rpd, rpd, rpd, mining", "evaluate", "sets.yaml", "sets-public.jsonl",
                          "--original", "sets.jsonl", "--metrics", "lm,rpd,mining")

    def test_attacking(self):
        self.check_phases("read, read, attack", "attack", "students/policy.yaml", "public.jsonl", "--original",
                          "students/students.jsonl", "--labels", "2", "--negative")
        self.check_phases("read, read, attack", "attack", "sets.yaml", "sets-public.jsonl", "--original", "sets.jsonl")

    def test_proposing(self):
        self.check_phases("read", "init", "students/students.jsonl", "-o", "-")

    def test_every_format(self):
        for data_format, name in (("json", "x.json"), ("xml", "x.xml"), ("tables", "x"), ("sqlite", "x.db")):
            with self.subTest(data_format):
                self.check_phases("read, write, read", "convert", "students/policy.yaml", "--to", data_format, "-o", name,
                                  "--policy", f"{data_format}.yaml")
                phases = "read*" if data_format in ("tables", "sqlite") else "read"
                self.check_phases(phases, "init", name, "-o", "-")

    def test_generating(self):
        self.check_phases("generate", "generate", "students", "-n", "50", "-o", "again")

    def test_experimenting(self):
        phases = {match["phase"] for match in self.lines("experiment", "nergiz-lm", "-n", "60")}
        self.assertEqual(phases, {"generate", "read", "nergiz-lm"})

    def test_rate_and_time_left(self):
        # Seconds of work on any machine: the total is known, so time is left for as long as it goes on.
        self.run_quietly("generate", "students", "-n", "2500", "-o", "many", "--seed", "1")
        anonymize = [match for match in self.lines(*self.anonymize("many/policy.yaml")) if match["phase"] == "anonymize"]
        under_way = [match for match in anonymize if match["done"] not in ("0", match["total"])]
        self.assertGreater(len(under_way), 1)
        for match in under_way:
            self.assertTrue(match["rate"] and match["left"], match[0])
            self.assertEqual(match["total"], "2,500")
        counts = [int(match["done"].replace(",", "")) for match in anonymize]
        self.assertEqual(counts, sorted(counts))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thicket", required=True, type=pathlib.Path, help="the command to test")
    options, rest = parser.parse_known_args()
    THICKET = str(options.thicket.resolve())
    unittest.main(argv=[sys.argv[0], *rest])
