"""Checks that what docs/papers.md names is there: files, commands, flags, methods, experiments, data sets and metrics.

    python3 tests/papers_test.py --thicket build/thicket

A table of the page has the columns section, what, code, run, check, claim and here. Code and check name files of the project;
run names commands ("thicket ...") and parts of a policy ("method: {...}", "privacy: {...}"). What the command has is asked of the
command itself; the values of a method's parameters are those of docs/policy.md, which a unit test compares with the table of
methods. The other way round, the page must name every method, every experiment and every metric that the command has.
"""

import argparse
import functools
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "papers.md"
COLUMNS = ["section", "what", "code", "run", "check", "claim", "here"]
VERDICTS = re.compile(r"by definition|by other means|holds?\b|in part|does not hold|of that shape|lifted|no answer")
# What the project adds to the papers.
OURS = {"agglomerate"}
THICKET = None

POLICY = """
version: 1
input: {format: csv, path: x.csv}
record: {class: r, quasi: {a: {numeric: true}}}
privacy: {k: 2}
method: {name: nonesuch}
"""


def rows(page):
    """(line number, {column: cell}) of every row of the tables that have our columns."""
    header = None
    for number, line in enumerate(page.split("\n"), 1):
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if header is None:
            header = cells
        elif header == COLUMNS and not set(line) <= set("|- "):
            yield number, dict(zip(COLUMNS, cells)), len(cells)


def spans(cell):
    return re.findall(r"`([^`]*)`", cell)


@functools.cache
def output(*arguments, status=0):
    done = subprocess.run([THICKET, *arguments], text=True, capture_output=True, check=False)
    if done.returncode != status:
        raise AssertionError(f"thicket {' '.join(arguments)}: must end with {status}, but ended with {done.returncode}")
    return done.stdout + done.stderr


def commands():
    return set(re.findall(r"^  ([a-z]+)  ", output("--help").partition("Subcommands:")[2], re.MULTILINE))


def names(command):
    """What experiment and generate can do."""
    return set(re.findall(r"^  ([a-z][a-z-]*)  ", output(command, "--help").partition("NAME is one of\n")[2], re.MULTILINE))


def metrics():
    text = re.search(r"--metrics TEXT \.\.\.\s+(.*?)\n  --", output("evaluate", "--help"), re.DOTALL)[1]
    return set(re.findall(r"\b[a-z]+\b", text)) - {"of", "sets", "bags", "also", "and"}


@functools.cache
def methods():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "policy.yaml"
        path.write_text(POLICY, encoding="utf-8")
        text = output("anonymize", str(path), "-o", str(pathlib.Path(folder) / "out"), status=2)
    return set(re.findall(r"\w+", re.search(r"method\.name must be (.*), but is", text)[1])) - {"or"}


def parameters():
    """{key: the second cell of its row} in the tables of docs/policy.md."""
    found = {}
    for line in (ROOT / "docs" / "policy.md").read_text(encoding="utf-8").split("\n"):
        if row := re.match(r"\| `(\w+)`(?:, `\w+`)* \| ([^|]*) \|", line):
            found[row[1]] = found.get(row[1], "") + row[2]
    return found


def pairs(part):
    """[(key, value)] of "{name: lplus, top_h: 5}"."""
    inside = re.sub(r"\[.*?\]", "[]", part.strip()[1:-1])
    return [tuple(text.strip() for text in pair.split(":", 1)) for pair in re.split(r",(?![^\"]*\"[^\"]*$)", inside)]


def method_complaints(part):
    found = []
    given = dict(pairs(part))
    if given.get("name") not in methods():
        found.append(f"must name a method, but {given.get('name')} is none")
    for key, value in given.items():
        allowed = parameters().get(key)
        if key == "name":
            continue
        if allowed is None:
            found.append(f"{key} must be a parameter of docs/policy.md, but is not")
        elif not re.fullmatch(r"[\d.]+", value) and f"`{value}`" not in allowed:
            found.append(f"{value} must be a value of {key} in docs/policy.md, but is not")
    return found


def command_complaints(span):
    words = span.split()[1:]
    if not words or words[0] not in commands():
        return [f"must be a command, but {span} is none"]
    command, found = words[0], []
    text = output(command, "--help")
    for flag in (word for word in words if word.startswith("--")):
        if not re.search(rf"{flag}[ ,=\n]", text):
            found.append(f"{command} must have {flag}, but has not")
    if command in ("experiment", "generate") and words[1] not in names(command):
        found.append(f"{command} must know {words[1]}, but does not")
    if "--metrics" in words:
        for metric in words[words.index("--metrics") + 1].split(","):
            if metric not in metrics():
                found.append(f"evaluate must have the metric {metric}, but has not")
    return found


def row_complaints(row):
    found = []
    for column in ("code", "check"):
        if row[column] != "none" and not spans(row[column]):
            found.append(f"{column} must name a file or say none, but does neither")
        for path in spans(row[column]):
            if not (ROOT / path).is_file():
                found.append(f"{path} must be a file, but is not")
            elif column == "check" and not re.search(r"_test\.(cc|py)$|^tests/", path):
                found.append(f"{path} must be a test, but is not")
    for span in spans(row["run"]):
        if span.startswith("thicket "):
            found += command_complaints(span)
        elif span.startswith("method: "):
            found += method_complaints(span.removeprefix("method: "))
        elif span.startswith(("privacy: ", "input: ")):
            for key, _ in pairs(span.partition(": ")[2]):
                if f"`{key}`" not in (ROOT / "docs" / "policy.md").read_text(encoding="utf-8"):
                    found.append(f"{key} must be a key of docs/policy.md, but is not")
        else:
            found.append(f"{span} must be a command or a part of a policy, but is neither")
    if row["run"] != "none" and not spans(row["run"]):
        found.append("run must name a command or say none, but does neither")
    if not VERDICTS.match(row["here"]):
        found.append("here must say whether the claim holds, but does not")
    return found


class Page(unittest.TestCase):
    def setUp(self):
        self.page = PAGE.read_text(encoding="utf-8")

    def test_what_the_page_names_is_there(self):
        found = []
        for number, row, cells in rows(self.page):
            if cells != len(COLUMNS):
                found.append(f"docs/papers.md:{number}: must have {len(COLUMNS)} cells, but has {cells}")
                continue
            found += [f"docs/papers.md:{number}: {complaint}" for complaint in row_complaints(row)]
        self.assertEqual(found, [])

    def test_nothing_of_the_papers_is_left_out(self):
        run = "\n".join(row["run"] for _, row, _ in rows(self.page))
        for name in methods() - OURS:
            self.assertRegex(run, rf"name: {name}\b")
        for name in names("experiment"):
            self.assertIn(f"`thicket experiment {name}`", run)
        for name in metrics():
            self.assertRegex(run, rf"--metrics [a-z,]*\b{name}\b")

    def test_the_page_has_rows_of_all_five(self):
        sections = re.split(r"^## ", self.page, flags=re.MULTILINE)[1:]
        self.assertEqual(len(sections), 7)
        for section in sections:
            self.assertGreater(len(list(rows(section))), 2, section.split("\n")[0])


class Complaints(unittest.TestCase):
    def row(self, **cells):
        return {"section": "1", "what": "x", "code": "`src/utility/lm.h`", "run": "`thicket verify`",
                "check": "`src/utility/lm_test.cc`", "claim": "", "here": "holds", **cells}

    def test_a_good_row_has_none(self):
        self.assertEqual(row_complaints(self.row()), [])
        self.assertEqual(row_complaints(self.row(code="none", run="none", check="none")), [])
        self.assertEqual(row_complaints(self.row(run="`method: {name: clustree, mapping: greedy, s: 0.5}`")), [])

    def test_what_is_not_there_is_found(self):
        for cells in ({"code": "`src/nonesuch.h`"}, {"code": "somewhere"}, {"check": "`src/utility/lm.h`"},
                      {"check": "`tests/nonesuch_test.py`"}, {"run": "by hand"}, {"run": "`make demo`"},
                      {"run": "`thicket nonesuch`"}, {"run": "`thicket verify --nonesuch`"},
                      {"run": "`thicket experiment nonesuch`"}, {"run": "`thicket generate nonesuch`"},
                      {"run": "`thicket evaluate --metrics lm,nonesuch`"}, {"run": "`method: {name: nonesuch}`"},
                      {"run": "`method: {name: clustree, nonesuch: 1}`"},
                      {"run": "`method: {name: clustree, mapping: nonesuch}`"}, {"run": "`privacy: {nonesuch: 1}`"},
                      {"here": "probably"}):
            with self.subTest(**cells):
                self.assertEqual(len(row_complaints(self.row(**cells))), 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--thicket", required=True)
    options, rest = parser.parse_known_args()
    THICKET = options.thicket
    unittest.main(argv=[sys.argv[0], *rest])
