"""Looks for canaries: values that must not get out, in everything that the command prints, writes and leaves behind.

    python3 tests/canary_test.py --thicket build/thicket [--mutations N] [--seed N]

The data of tests/small_data.py, whole and broken in every way that is known, goes through every command in every format.
No identifier, dropped or sensitive value may stand in standard output, standard error, a report or a proposed policy;
no identifier, dropped or suppressed value in the raw bytes of published data; no file may be left behind. Commands that
read no such data (`taxonomy`, `generate`, `experiment`) work beside it, and where it was before. Beside the
known ways, `--mutations` places of each file are broken at random, the same ones in every run unless `--seed` says
otherwise. PostgreSQL takes part where it is installed.
"""

import argparse
import concurrent.futures
import copy
import gzip
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import postgres_server  # noqa: E402
import small_data  # noqa: E402

THICKET = None
MUTATIONS = 25
SEED = 1
EVERY_METRIC = "lm,queries,dm,dissimilarity,rpd,mining"
NOT_PUBLISHED = ("identifier", "dropped", "suppressed")


class Case:
    """Data that is wrong in one way.

    `apply` takes the path of the data. `honest`: every value stands under the name the policy knows it by, so that what
    is published or proposed can be looked at, too.
    """

    def __init__(self, name, apply, honest=True):
        self.name, self.apply, self.honest = name, apply, honest


# Broken records


def without(records, *names):
    result = copy.deepcopy(records)
    for person in result:
        for name in names:
            person.pop(name, None)
            for course in person["courses"]:
                course.pop(name, None)
    return result


def stripped(records):
    """As if it were published: no identifiers, nothing that is dropped, and for tables new keys, which are numbers."""
    result = without(records, "ssn", "name", "phone", "student_id")
    cid = 0
    for number, person in enumerate(result, 1):
        person["student_id"] = number
        for course in person["courses"]:
            cid += 1
            course.update(cid=cid, student_id=number)
    return result


def broken_records():
    """Names of what is wrong, records that have it, and whether their values stand where they belong."""
    good = small_data.people()

    def changed(at, **values):
        records = copy.deepcopy(good)
        records[at].update(values)
        return records

    def course_changed(at, **values):
        records = copy.deepcopy(good)
        records[at]["courses"][0].update(values)
        return records

    yield "nothing", good, True
    yield "the same identifier twice", changed(3, student_id=good[2]["student_id"]), True
    yield "no identifier", changed(3, student_id=None), True
    yield "a value outside the taxonomy", changed(3, major="QXSENS-M"), False
    yield "an identifier for a quasi-identifier", changed(3, major=good[3]["student_id"]), False
    yield "text for a range", changed(3, born="QXSENS-B"), False
    yield "a sensitive number for a range", changed(3, born="551937261.5.5"), False
    yield "text for a date", changed(3, seen="QXSENS-T"), False
    yield "an impossible date", changed(3, seen="2024-02-31 QXSENS"), False
    yield "no quasi-identifier", changed(3, major=None), True
    yield "no sensitive value", changed(3, diagnosis=None), True
    yield "an asterisk", changed(3, major="*"), True
    yield "a control character", changed(3, diagnosis="QXSENS\x01"), True
    yield "quotes and line ends", changed(3, diagnosis='QXSENS"\n,;"<&>\t\\'), True
    yield "a long text", changed(3, diagnosis="QXSENS" * 20000), True
    yield "a long number", changed(3, salary=551937261 * 10**60 + 1), True
    yield "the same sensitive value everywhere", [{**person, "diagnosis": "QXSENS"} for person in good], True
    yield "one record", good[:1], True
    yield "no records", [], True
    names = small_data.ROOT_COLUMNS
    yield ("values under the next name",
           [{**person, **{name: person[names[i - 1]] for i, name in enumerate(names)}} for person in good], False)
    yield "an unknown code", course_changed(3, code="*"), True
    yield "rows without a parent", course_changed(3, student_id="QXIDENT-999"), True
    yield "rows without a key of a parent", course_changed(3, student_id=None), True
    yield "the same key twice", course_changed(3, cid=good[4]["courses"][0]["cid"]), True
    yield "no key", course_changed(3, cid=None), True
    public = stripped(good)
    yield "not generalized", public, True
    with_ids = copy.deepcopy(public)
    with_ids[0]["name"] = "QXDROP-N0"
    yield "not generalized, one dropped value", with_ids, True
    labels = copy.deepcopy(public)
    labels[0]["major"] = "QXSENS-L"
    yield "not generalized, a label outside the taxonomy", labels, False
    alike = copy.deepcopy(public)
    for person in alike:
        person.update(major="*", born="[1950, 2000)", seen="2024", diagnosis="QXSENS-D1")
        person["courses"] = [{**person["courses"][0], "code": "*****"}]
    yield "generalized, but not diverse", alike, True
    untrue = copy.deepcopy(alike)
    for number, person in enumerate(untrue):
        person["diagnosis"] = f"QXSENS-U{number}"
    yield "generalized, but not true", untrue, True


# Broken files


def replaced(content, old, new):
    assert old in content, old
    return content.replace(old, new, 1)


def broken_files(data_format, content):
    """Ways to break this format's files that records cannot express."""
    if data_format == "jsonl":
        line = content.splitlines(keepends=True)[2]
        for name, text in {
                "an object for a value": replaced(line, b'"QXSENS-D2"', b'{"x": "QXSENS-D2"}'),
                "an array for a value": replaced(line, b'"QXSENS-D2"', b'["QXSENS-D2", "QXSENS"]'),
                "an array for an identifier": replaced(line, b'"QXIDENT-002"', b'["QXIDENT-002"]'),
                "a number for an identifier": replaced(line, b'"QXIDENT-002"', b'771826453001'),
                "a text for children": replaced(line, b'"courses": [', b'"courses": "QXSENS", "others": ['),
                "a text among children": replaced(line, b'"courses": [', b'"courses": ["QXSENS", '),
                "a key twice": replaced(line, b'"major"', b'"name": "QXDROP", "major"'),
                "a text for a record": b'"QXSENS QXIDENT"\n',
                "a number for a record": b'551937261001\n',
                "an array for a record": b'["QXSENS", "QXIDENT"]\n',
                "a misspelt identifier": replaced(line, b'"student_id"', b'"studentid"'),
                "a bare word": replaced(line, b'"QXSENS-D2"', b'QXSENS'),
                "a bad escape": replaced(line, b'QXSENS-D2', b'QXSENS\\q'),
                "half a surrogate": replaced(line, b'QXSENS-D2', b'QXSENS\\ud800'),
                "bad UTF-8": replaced(line, b'QXSENS-D2', b'QXSENS\xff'),
                "two records in a line": line.rstrip() + line,
        }.items():
            yield name, content.replace(line, text)
    if data_format == "csv":
        lines = content.splitlines(keepends=True)
        yield "no header", b"".join(lines[1:])
        yield "a header and nothing else", lines[0]
        yield "semicolons", content.replace(b",", b";")
        yield "tabs in some rows", lines[0] + b"".join(lines[1:]).replace(b",", b"\t")
        yield "a value too many", content + b"QXIDENT-X,QXDROP,QXSENS,1,2,3,4,5,6,7,8,9\n"
        yield "a value too few", content + b"QXIDENT-X,QXDROP\n"
        yield "an open quote", replaced(content, b"QXDROP-N2", b'"QXDROP-N2')
        yield "text behind a quote", replaced(content, b"QXDROP-N2", b'"QXDROP-N2"QXDROP')
        yield "a quote inside", replaced(content, b"QXDROP-N2", b'QXDROP"N2')
        yield "carriage returns alone", content.replace(b"\n", b"\r")
        yield "bad UTF-8", replaced(content, b"QXDROP-N2", b"QXDROP\xff")
        yield "UTF-16", content.decode().encode("utf-16")
        yield "the header twice", lines[0] + content
        yield "two columns of a name", replaced(content, b"name", b"major")
    if data_format == "xml":
        yield "an undefined entity", replaced(content, b"QXSENS-D2", b"&QXSENS;")
        yield "a document type", replaced(content, b"<students>",
                                          b'<!DOCTYPE x [<!ENTITY e "QXSENS">]>\n<students>')
        yield "a wrong end tag", replaced(content, b"<phone>QXDROP-P20</phone>", b"<phone>QXDROP-P20</QXDROP>")
        yield "a value twice", replaced(content, b"<diagnosis>", b"<diagnosis>QXSENS</diagnosis><diagnosis>")
        yield "an element in a value", replaced(content, b"QXSENS-D2", b"<b>QXSENS-D2</b>")
        yield "text between elements", replaced(content, b"<course", b"QXSENS <course")
        yield "text around the records", replaced(content, b"<student ", b"QXSENS <student ")
        yield "a comment and an instruction", replaced(content, b"<course", b"<!-- QXSENS --><?QXSENS QXIDENT?><course")
        yield "an attribute twice", replaced(content, b'score="QXSENS-S20"', b'score="QXSENS-S20" score="QXSENS"')
        yield "a value without quotes", replaced(content, b'"QXSENS-S20"', b"QXSENS-S20")
        yield "another encoding", replaced(content, b"UTF-8", b"UTF-16")
        yield "bad UTF-8", replaced(content, b"QXSENS-D2", b"QXSENS\xff")
        yield "no root element", replaced(content, b"<students>", b"")
    if data_format == "transactions":
        yield "an open quote", b'"QXSENS \n' + content
        yield "text behind a quote", b'"QXSENS"QXSENS\n' + content
        yield "bad UTF-8", b"QXSENS\xff\n" + content
        yield "a zero byte", b"QXSENS\x00\n" + content
    yield "nothing at all", b""
    yield "zero bytes", b"\0" * 100
    yield "cut off", content[:len(content) * 2 // 3]
    yield "gzip, cut off", gzip.compress(content)[:-20]
    yield "gzip, then text", gzip.compress(content) + b"QXSENS"


def mutated(content, count, seed):
    """The content with one place broken, in so many ways."""
    choice = random.Random(seed)
    for number in range(count):
        at = choice.randrange(len(content))
        kind = choice.randrange(4)
        if kind == 0:
            yield f"mutation {number}: without byte {at}", content[:at] + content[at + 1:]
        elif kind == 1:
            end = at + choice.randrange(1, 60)
            yield f"mutation {number}: without bytes {at} to {end}", content[:at] + content[end:]
        elif kind == 2:
            byte = choice.choice(b'"\'{}[]<>&;:,\\\n\r\t\0\xff */=-0aZ')
            yield f"mutation {number}: byte {byte} at {at}", content[:at] + bytes([byte]) + content[at:]
        else:
            end = min(len(content), at + choice.randrange(1, 200))
            yield f"mutation {number}: bytes {at} to {end} twice", content[:end] + content[at:]


def broken_tables(path):
    """Ways to break a folder of tables, as functions of its path."""
    def edit(table, change):
        def apply(folder):
            file = folder / f"{table}.csv"
            file.write_bytes(change(file.read_bytes()))
        return apply

    yield "a table without its header", edit("courses", lambda c: c.partition(b"\n")[2]), False
    yield "a table without a column", edit("courses", lambda c: replaced(c, b"student_id", b"other")), True
    yield "a table with semicolons", edit("courses", lambda c: c.replace(b",", b";")), True
    yield "a ragged row", edit("courses", lambda c: c + b"QXIDENT,QXIDENT-001,QXSENS\n"), True
    yield "an open quote", edit("students", lambda c: replaced(c, b"QXDROP-N2", b'"QXDROP-N2')), True
    yield "no rows", edit("courses", lambda c: c.partition(b"\n")[0] + b"\n"), True
    yield "a missing table", lambda folder: (folder / "courses.csv").unlink(), True
    yield "another table", lambda folder: (folder / "QXIDENT.csv").write_text("QXSENS,QXDROP\n1,QXSENS\n"), False


def broken_sqlite():
    """Statements that break the database, and whether values still stand where they belong."""
    yield "no table", ["DROP TABLE courses"], True
    yield "a blob", ["UPDATE students SET diagnosis = CAST('QXSENS' AS BLOB) WHERE rowid = 3"], True
    yield "blobs as identifiers", ["UPDATE students SET student_id = CAST(student_id AS BLOB)"], True
    yield ("a view that fails", ["ALTER TABLE students RENAME TO people",
                                 "CREATE VIEW students AS SELECT student_id, ssn, name, major, abs(born - born - "
                                 "9223372036854775807 - 1) AS born, seen, diagnosis, salary FROM people"], False)
    yield ("deleted rows in free pages", ["CREATE TABLE t (x)", "INSERT INTO t VALUES (zeroblob(90000) || 'QXIDENT')",
                                          "DELETE FROM t", "DROP TABLE t"], True)
    yield "a trigger", ["CREATE TRIGGER QXIDENT AFTER INSERT ON students BEGIN SELECT 'QXSENS'; END"], True
    yield "another table", ["CREATE TABLE QXIDENT (QXDROP)", "INSERT INTO QXIDENT VALUES ('QXSENS')"], False


class Canaries(unittest.TestCase):
    """What all formats have in common."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="thicket-canary-")))
        self.environment = {**os.environ, "HOME": str(self.folder), "TMPDIR": str(self.folder)}

    def run_thicket(self, folder, arguments, variables=None):
        done = subprocess.run([THICKET, *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=300, env={**self.environment, **(variables or {})})
        return done.returncode, done.stdout + done.stderr

    def check_run(self, folder, arguments, outputs=(), honest=True, suppresses=True, variables=None):
        """Problems of one run, as texts. `outputs`: pairs of a name and what must not stand in it."""
        before = {path for path in folder.rglob("*")}
        (folder / "proposed").mkdir(exist_ok=True)
        status, printed = self.run_thicket(folder, arguments, variables)
        problems = []
        if status not in (0, 1, 2, 3, 4):
            problems.append(f"status {status}")
        if found := small_data.canaries_in(printed):
            problems.append(f"prints {', '.join(found)}")
        allowed = {folder / name: kinds for name, kinds in outputs}
        for path in sorted(folder.rglob("*")):
            if path in before or path.is_dir():
                continue
            place = next((name for name in (path, *path.parents) if name in allowed), None)
            if place is None or status != 0:
                problems.append(f"leaves {path.relative_to(folder)}")
                continue
            kinds = [kind for kind in allowed[place] if kind != "suppressed" or suppresses]
            if place.name.startswith("report") or honest:
                content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
                if found := small_data.canaries_in(content, kinds):
                    problems.append(f"{path.relative_to(folder)} holds {', '.join(found)}")
        for name, _ in outputs:
            path = folder / name
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        return [f"thicket {' '.join(map(str, arguments))}: {problem}\n  {printed.decode(errors='replace')[:400]}"
                for problem in problems]

    def commands(self, data_format, data, models, whole):
        """Every command that can be given this data, with the files it may write."""
        everything = ("identifier", "dropped", "sensitive", "suppressed")
        suffix = pathlib.Path(data).suffix
        public = ("public" + suffix, NOT_PUBLISHED)
        report = ("report.json", everything)
        for model in models if whole else ["diverse"]:
            yield (["anonymize", f"{model}.yaml", "-i", data, "-o", public[0], "--report", report[0], "--seed", 1],
                   [public, report])
        yield ["anonymize", "diverse.yaml", "-i", data, "-o", public[0], "--json"], [public]
        yield ["verify", "diverse.yaml", data], []
        yield ["verify", "diverse.yaml", data, "--original", small_data.name_of(data_format), "--json"], []
        yield ["verify", "diverse.yaml", f"good{suffix}", "--original", data], []
        if whole:
            # A list of values, as it seems.
            for way in WAYS_TO_BUILD:
                yield ["taxonomy", "build", data, *way, "-o", "new.csv"], [("new.csv", ())]
            for model in models:
                yield ["verify", f"{model}.yaml", data], []
            yield (["evaluate", "diverse.yaml", data, "--original", small_data.name_of(data_format), "--metrics",
                    EVERY_METRIC], [])
            yield ["evaluate", "diverse.yaml", f"good{suffix}", "--original", data, "--json"], []
            yield ["attack", "diverse.yaml", data, "--original", small_data.name_of(data_format)], []
            yield ["attack", "diverse.yaml", f"good{suffix}", "--original", data, "--labels", 2, "--json"], []
            yield ["levels", "levels.yaml", "-i", data], []
            yield ["levels", "levels.yaml", "-i", data, "--json"], []
            if data_format != "tables":
                yield ["anonymize", data, "-o", "public"], []
        yield (["convert", "diverse.yaml", "-i", data, "--to", "jsonl", "-o", "private.jsonl", "--policy", "new.yaml"],
               [("private.jsonl", ()), ("new.yaml", everything)])
        # A folder of its own, which then also holds the taxonomies.
        yield ["init", data, "-o", "proposed/policy.yaml"], [("proposed", ("identifier", "dropped", "sensitive"))]

    def check_case(self, data_format, case, models, whole):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        shutil.copytree(self.template, folder, dirs_exist_ok=True)
        data = f"broken{pathlib.Path(small_data.name_of(data_format)).suffix}"
        case.apply(folder / data)
        problems = []
        for arguments, outputs in self.commands(data_format, data, models, whole):
            suppresses = not any("combinations" in str(argument) for argument in arguments)
            problems += self.check_run(folder, arguments, outputs, case.honest, suppresses)
        shutil.rmtree(folder)
        return [f"{data_format}, {case.name}: {problem}" for problem in problems]

    def check_cases(self, data_format, cases):
        self.template = self.folder / "template"
        self.template.mkdir()
        models = small_data.write_policies(data_format, self.template)
        name = small_data.name_of(data_format)
        small_data.write(data_format, small_data.people(), self.template / name)
        status, printed = self.run_thicket(self.template, ["anonymize", "diverse.yaml", "--seed", 1, "-o",
                                                           f"good{pathlib.Path(name).suffix}"])
        self.assertEqual(status, 0, printed)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = pool.map(lambda case: self.check_case(data_format, *case), [(*case[:1], models, case[1])
                                                                               for case in cases])
            problems = [problem for problems in found for problem in problems]
        self.assertEqual(problems, [], "\n".join(problems[:40]))


class Files(Canaries):
    def check_format(self, data_format):
        def writes(content):
            return lambda path: path.write_bytes(content)

        cases = []
        render = small_data.FILES[data_format][1]
        for name, records, honest in broken_records():
            # init takes sets for a table whose header is the first of them.
            honest = honest and data_format != "transactions"
            cases.append((Case(name, writes(render(records)), honest), True))
        content = render(small_data.people())
        for name, broken in broken_files(data_format, content):
            cases.append((Case(name, writes(broken), honest=False), True))
        for name, broken in mutated(content, MUTATIONS, SEED):
            cases.append((Case(name, writes(broken), honest=False), False))
        self.check_cases(data_format, cases)

    def test_jsonl(self):
        self.check_format("jsonl")

    def test_json(self):
        self.check_format("json")

    def test_xml(self):
        self.check_format("xml")

    def test_csv(self):
        self.check_format("csv")

    def test_transactions(self):
        self.check_format("transactions")


class Tables(Canaries):
    def record_cases(self, data_format):
        for name, records, honest in broken_records():
            yield Case(name, lambda path, r=records: small_data.write(data_format, r, path), honest), True

    def test_folders(self):
        cases = list(self.record_cases("tables"))
        for name, change, honest in broken_tables(self.folder):
            def apply(path, change=change):
                small_data.write("tables", small_data.people(), path)
                change(path)
            cases.append((Case(name, apply, honest), True))
        for table in ("students.csv", "courses.csv"):
            rows = small_data.people() if table == "students.csv" else small_data.courses_of(small_data.people())
            columns = small_data.ROOT_COLUMNS if table == "students.csv" else small_data.COURSE_COLUMNS
            for name, content in mutated(small_data.csv_rows(columns, rows), MUTATIONS // 2, SEED):
                def mutate(path, table=table, content=content):
                    small_data.write("tables", small_data.people(), path)
                    (path / table).write_bytes(content)
                cases.append((Case(f"{table}, {name}", mutate, honest=False), False))
        self.check_cases("tables", cases)

    def test_sqlite(self):
        cases = list(self.record_cases("sqlite"))
        for name, statements, honest in broken_sqlite():
            def apply(path, statements=statements):
                small_data.write("sqlite", small_data.people(), path)
                database = sqlite3.connect(path)
                for statement in statements:
                    database.execute(statement)
                database.commit()
                database.close()
            cases.append((Case(name, apply, honest), True))
        small_data.write("sqlite", small_data.people(), self.folder / "whole.db")
        for name, content in mutated((self.folder / "whole.db").read_bytes(), MUTATIONS // 2, SEED):
            cases.append((Case(name, lambda path, c=content: path.write_bytes(c), honest=False), False))
        self.check_cases("sqlite", cases)


WAYS_TO_BUILD = (("--ranges", "5,10"), ("--mask", 3), ("--date", "month,year"), ("--fanout", 2))


class Taxonomies(Canaries):
    """Messages about a taxonomy quote its labels, so canaries stand in the data beside it, or in a list of values."""

    def broken_taxonomies(self):
        good = small_data.TAXONOMY.encode()
        yield "nothing", good
        yield "values missing", b"CS;Engineering;*\n"
        yield "two parents", good + b"CS;Humanities;*\n"
        yield "two roots", good + b"Bio;Science;everything\n"
        yield "a cycle", good + b"Engineering;CS;*\n"
        yield "a label alone", good + b"Bio\n"
        yield "bad UTF-8", good + b"\xff;*\n"
        yield "nothing at all", b""
        yield "text of Amnesia", b"distinct\nname: major\ntype: string\nheight: 1\n\n* has: CS EE\n"
        yield "JSON of Amnesia, cut off", b'{"hierType": "distinct", "hierName": "major", "0": {"*": ["CS"'
        yield from mutated(good, MUTATIONS, SEED)

    def test_of_a_policy(self):
        small_data.write_policies("jsonl", self.folder)
        small_data.write("jsonl", small_data.people(), self.folder / "data.jsonl")
        everything = ("identifier", "dropped", "sensitive", "suppressed")
        problems = []
        for name, content in self.broken_taxonomies():
            (self.folder / "major.csv").write_bytes(content)
            for arguments in (["taxonomy", "check", "major.csv"], ["taxonomy", "show", "major.csv", "--lines", 0],
                              ["verify", "diverse.yaml", "data.jsonl"]):
                problems += [f"{name}: {problem}" for problem in self.check_run(self.folder, arguments)]
            found = self.check_run(self.folder, ["anonymize", "diverse.yaml", "-o", "public.jsonl", "--report",
                                                 "report.json"], [("public.jsonl", NOT_PUBLISHED),
                                                                  ("report.json", everything)])
            problems += [f"{name}: {problem}" for problem in found]
        self.assertEqual(problems, [], "\n".join(problems[:40]))

    def lists(self):
        secrets = [person["diagnosis"].encode() for person in small_data.people()]
        numbers = [str(person["salary"]).encode() for person in small_data.people()]
        yield "texts", b"\n".join(secrets)
        yield "numbers", b"\n".join(numbers)
        yield "a text among numbers", b"\n".join([*numbers, *secrets[:1]])
        yield "a text among dates", b"\n".join([b"2024-01-02", b"2024-01-03 QXSENS", *secrets])
        yield "equal values", b"\n".join([*secrets, *secrets])
        yield "bad UTF-8", b"\n".join(secrets) + b"\xff"
        yield "zero bytes", b"\0\n" + b"\n".join(secrets)
        yield "records", small_data.jsonl(small_data.people())
        yield "gzip, cut off", gzip.compress(b"\n".join(secrets))[:-12]
        yield from mutated(b"\n".join([*numbers, *secrets]), MUTATIONS, SEED)

    def test_built_of_values(self):
        """The taxonomy holds the values, as it should; nothing else does."""
        problems = []
        for name, content in self.lists():
            (self.folder / "values.txt").write_bytes(content)
            for way in WAYS_TO_BUILD:
                for output in ("new.csv", "values.txt", "none/new.csv"):
                    arguments = ["taxonomy", "build", "values.txt", *way, "-o", output]
                    problems += [f"{name}: {problem}"
                                 for problem in self.check_run(self.folder, arguments, [("new.csv", ())])]
                status, printed = self.run_thicket(self.folder, ["taxonomy", "build", "values.txt", *way, "-o", "-"])
                if status != 0 and small_data.canaries_in(printed):
                    problems.append(f"{name}: {way} fails, but prints {printed[:400]}")
        self.assertEqual(problems, [], "\n".join(problems[:40]))


class Generated(Canaries):
    """Commands that read no data: what they find where they write must not get into what they print or write."""

    def left_by_a_kill(self, folder, stem):
        path = folder / f".{stem}.thicket-{'0' * 32}.tmp"
        small_data.write("jsonl", small_data.people(), path)

    def old_content(self, folder, *names):
        """What was there before: the data under the names that the command writes, and what a killed run left of it."""
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            small_data.write("jsonl", small_data.people(), folder / name)
            self.left_by_a_kill((folder / name).parent, (folder / name).name)

    def check_folder(self, folder, arguments, fails=False):
        """Standard output and error, and, if the command does not fail, every file of the folder."""
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        status, printed = self.run_thicket(self.folder, arguments, {"TMPDIR": str(folder)})
        self.assertEqual(status != 0, fails, printed)
        self.assertEqual(small_data.canaries_in(printed), [], printed)
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            if fails:
                self.assertEqual(path.read_bytes(), before.get(path), path)
            else:
                self.assertEqual(small_data.canaries_in(path.read_bytes()), [], path)

    def test_data_takes_the_place_of_what_was_there(self):
        for name, taxonomy in (("students", "major"), ("customers", "nation")):
            folder = self.folder / name
            self.old_content(folder, f"{name}.jsonl", "policy.yaml", f"taxonomies/{taxonomy}.csv")
            self.check_folder(folder, ["generate", name, "-n", 20, "-o", folder])
            self.check_folder(folder, ["anonymize", folder / "policy.yaml", "-o", folder / "public.jsonl"])

    def test_data_that_cannot_be_written(self):
        folder = self.folder / "students"
        self.old_content(folder, "policy.yaml")
        for path in folder.glob(".*"):
            path.unlink()
        (folder / "students.jsonl").mkdir()
        small_data.write("jsonl", small_data.people(), folder / "students.jsonl" / "data.jsonl")
        self.check_folder(folder, ["generate", "students", "-n", 20, "-o", folder], fails=True)
        self.check_folder(folder, ["generate", "students", "-n", 20, "-o", folder / "policy.yaml"], fails=True)
        self.check_folder(folder, ["generate", "student", "-n", 20, "-o", folder], fails=True)
        self.check_folder(folder, ["generate", "students", "-n", 1, "-o", folder], fails=True)

    def test_experiments(self):
        folder = self.folder / "results"
        self.old_content(folder, "ozalp-s.csv", "ozalp-s.md", "ozalp-s.svg")
        left = folder / f".experiment.thicket-{'0' * 32}.tmp"
        self.old_content(left, "students.jsonl", "taxonomies/major.csv")
        self.check_folder(folder, ["experiment", "ozalp-s", "-n", 20, "-o", folder])
        self.assertEqual({path.name for path in folder.iterdir()}, {"ozalp-s.csv", "ozalp-s.md", "ozalp-s.svg"})


class Compressed(Canaries):
    def test_published_bytes(self):
        small_data.write_policies("jsonl", self.folder)
        small_data.write("jsonl", small_data.people(), self.folder / "data.jsonl.gz")
        for out in ("public.jsonl.gz", "public.jsonl.zst"):
            status, printed = self.run_thicket(self.folder, ["anonymize", "diverse.yaml", "-i", "data.jsonl.gz",
                                                             "-o", out])
            self.assertEqual(status, 0, printed)
            self.assertEqual(small_data.canaries_in(printed), [])
            content = (self.folder / out).read_bytes()
            self.assertEqual(small_data.canaries_in(content, NOT_PUBLISHED), [])
            if out.endswith(".gz"):
                content = gzip.decompress(content)
            elif shutil.which("zstd"):
                content = subprocess.run(["zstd", "-dc", out], cwd=self.folder, capture_output=True, check=True).stdout
            else:
                continue
            self.assertEqual(small_data.canaries_in(content), ["sensitive"])


def broken_postgres():
    """Statements that break the tables."""
    yield "no table", "DROP TABLE courses"
    yield "an array", "ALTER TABLE students ALTER diagnosis TYPE text[] USING ARRAY[diagnosis]"
    yield ("a view that fails", "ALTER TABLE students RENAME TO people; CREATE VIEW students AS SELECT student_id, ssn, "
           "name, major, born, seen, diagnosis::numeric AS diagnosis, salary FROM people")
    yield ("a view whose key fails", "ALTER TABLE students RENAME TO people; CREATE VIEW students AS SELECT "
           "student_id::int AS student_id, ssn, name, major, born, seen, diagnosis, salary FROM people")
    yield ("a value taken for a name", "ALTER TABLE students RENAME TO people; CREATE VIEW students AS SELECT student_id, "
           "ssn, name, major, born, seen, (diagnosis::regclass)::text AS diagnosis, salary FROM people")
    yield "another table", "CREATE TABLE \"QXIDENT\" (\"QXDROP\" text)"


class Postgres(Canaries):
    def setUp(self):
        super().setUp()
        try:
            self.server = self.enterContext(postgres_server.Server())
        except postgres_server.NotInstalled as missing:
            self.skipTest(str(missing))
        self.environment.update(self.server.environment())

    def case(self, name, statements, honest):
        database = f"case{self.number}"
        self.number += 1
        self.server.sql(f"CREATE DATABASE {database}")
        self.server.sql(small_data.postgres_sql(small_data.people(), "good"), database)
        self.server.sql(statements, database)
        variables = {"PGDATABASE": database}
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        models = small_data.write_policies("postgresql", folder)
        everything = ("identifier", "dropped", "sensitive", "suppressed")
        problems = []
        for model in models:
            schema = f"public_{model.replace('-', '_')}"
            problems += self.check_run(folder, ["anonymize", f"{model}.yaml", "--into", schema, "--report",
                                                "report.json"], [("report.json", everything)], variables=variables)
            rows = self.server.sql(f"SELECT table_name, query_to_xml('SELECT * FROM {schema}.' || table_name, true, "
                                   f"false, '') FROM information_schema.tables WHERE table_schema = '{schema}'", database)
            kinds = NOT_PUBLISHED if "combinations" not in model else NOT_PUBLISHED[:2]
            if honest and (found := small_data.canaries_in(rows.encode(), kinds)):
                problems.append(f"{schema} holds {found}")
        for arguments in (["verify", "diverse.yaml", "public"],
                          ["verify", "diverse.yaml", "public", "--original", "good"],
                          ["verify", "diverse.yaml", "good", "--original", "public"],
                          ["evaluate", "diverse.yaml", "public", "--original", "good"],
                          ["attack", "diverse.yaml", "public", "--original", "good"],
                          ["levels", "levels.yaml"]):
            problems += self.check_run(folder, arguments, variables=variables)
        problems += self.check_run(folder, ["init", f"postgresql:///{database}", "-o", "proposed/policy.yaml"],
                                   [("proposed", ("identifier", "dropped", "sensitive"))], honest, variables=variables)
        problems += self.check_run(folder, ["convert", "diverse.yaml", "--to", "jsonl", "-o", "private.jsonl"],
                                   [("private.jsonl", ())], variables=variables)
        problems += self.check_run(folder, ["convert", "diverse.yaml", "--to", "postgresql", "--into", "again"],
                                   variables=variables)
        return [f"postgresql, {name}: {problem}" for problem in problems]

    def test_a_server(self):
        self.number = 0
        problems = []
        for name, records, honest in broken_records():
            problems += self.case(name, small_data.postgres_sql(records), honest)
        for name, statements in broken_postgres():
            problems += self.case(name, small_data.postgres_sql(small_data.people()) + ";" + statements, honest=False)
        self.assertEqual(problems, [], "\n".join(problems[:40]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thicket", required=True, type=pathlib.Path, help="the command to test")
    parser.add_argument("--mutations", type=int, default=MUTATIONS, help="how many places of each file are broken")
    parser.add_argument("--seed", type=int, default=SEED, help="which ones")
    options, rest = parser.parse_known_args()
    THICKET, MUTATIONS, SEED = str(options.thicket.resolve()), options.mutations, options.seed
    unittest.main(argv=[sys.argv[0], *rest])
