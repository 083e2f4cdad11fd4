"""Looks for canaries: values that must not get out, in everything that the command prints, writes and leaves behind.

    python3 tests/canary_test.py --thicket build/thicket [--mutations N] [--seed N]

The data of tests/small_data.py, whole and broken in every way that is known, goes through every command in every format.
No identifier, dropped or sensitive value may stand in standard output, standard error, a report, a link or a proposed policy;
no identifier, dropped or suppressed value in the raw bytes of published data; no file may be left behind. Commands that
read no such data (`taxonomy`, `generate`, `experiment`) work beside it, and where it was before. Beside the
known ways, `--mutations` places of each file are broken at random, the same ones in every run unless `--seed` says
otherwise. PostgreSQL takes part where it is installed.
"""

import argparse
import concurrent.futures
import gzip
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import broken_data  # noqa: E402
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
            if place.name.startswith(("report", "link")) or honest:
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
        report, link = ("report.json", everything), ("link.csv", everything)
        for model in models if whole else ["diverse"]:
            yield (["anonymize", f"{model}.yaml", "-i", data, "-o", public[0], "--report", report[0], "--link", link[0],
                    "--seed", 1], [public, report, link])
        yield ["anonymize", "diverse.yaml", "-i", data, "-o", public[0], "--json"], [public]
        yield ["verify", "diverse.yaml", data], []
        yield ["verify", "diverse.yaml", data, "--original", small_data.name_of(data_format), "--json"], []
        yield ["verify", "diverse.yaml", f"good{suffix}", "--original", data], []
        # Data as a link, which it is not.
        yield ["verify", "diverse.yaml", f"good{suffix}", "--original", data, "--link", data], []
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
            yield ["plan", "diverse.yaml", "-i", data], []
            yield ["plan", "diverse.yaml", "-i", data, "--json"], []
            yield ["explore", "diverse.yaml", "-i", data, "--k", "2,3", "--l", "2", "-o", "settings"], [("settings", everything)]
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
        for name, records, honest in broken_data.records():
            # init takes sets for a table whose header is the first of them.
            honest = honest and data_format != "transactions"
            cases.append((Case(name, writes(render(records)), honest), True))
        content = render(small_data.people())
        for name, broken in broken_data.files(data_format, content):
            cases.append((Case(name, writes(broken), honest=False), True))
        for name, broken in broken_data.mutated(content, MUTATIONS, SEED):
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

    def test_querylog(self):
        self.check_format("querylog")


class Tables(Canaries):
    def record_cases(self, data_format):
        for name, records, honest in broken_data.records():
            yield Case(name, lambda path, r=records: small_data.write(data_format, r, path), honest), True

    def test_folders(self):
        cases = list(self.record_cases("tables"))
        for name, change, honest in broken_data.tables(self.folder):
            def apply(path, change=change):
                small_data.write("tables", small_data.people(), path)
                change(path)
            cases.append((Case(name, apply, honest), True))
        for table in ("students.csv", "courses.csv"):
            rows = small_data.people() if table == "students.csv" else small_data.courses_of(small_data.people())
            columns = small_data.ROOT_COLUMNS if table == "students.csv" else small_data.COURSE_COLUMNS
            for name, content in broken_data.mutated(small_data.csv_rows(columns, rows), MUTATIONS // 2, SEED):
                def mutate(path, table=table, content=content):
                    small_data.write("tables", small_data.people(), path)
                    (path / table).write_bytes(content)
                cases.append((Case(f"{table}, {name}", mutate, honest=False), False))
        self.check_cases("tables", cases)

    def test_sqlite(self):
        cases = list(self.record_cases("sqlite"))
        for name, statements, honest in broken_data.sqlite():
            def apply(path, statements=statements):
                small_data.write("sqlite", small_data.people(), path)
                database = sqlite3.connect(path)
                for statement in statements:
                    database.execute(statement)
                database.commit()
                database.close()
            cases.append((Case(name, apply, honest), True))
        small_data.write("sqlite", small_data.people(), self.folder / "whole.db")
        for name, content in broken_data.mutated((self.folder / "whole.db").read_bytes(), MUTATIONS // 2, SEED):
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
        yield from broken_data.mutated(good, MUTATIONS, SEED)

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
        yield from broken_data.mutated(b"\n".join([*numbers, *secrets]), MUTATIONS, SEED)

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
        for name, records, honest in broken_data.records():
            problems += self.case(name, small_data.postgres_sql(records), honest)
        for name, statements in broken_data.postgres():
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
