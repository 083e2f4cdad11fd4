"""Makes the system fail, at every place where it can, and looks at what is there afterwards.

    python3 tests/faults_test.py --thicket build/thicket --faults build/tests/libfaults.so [--every] [--seed N]

A library that is loaded before all others (tests/faults/faults.cc) fails the n-th `write`, `fsync`, `rename`, `open`,
`mmap`, `getrandom`, `malloc` or `pthread_create` of a small run, for every n, in every format; of `malloc` the first 200 and 300
others, the same ones in every run unless `--seed` says otherwise (`--every`: all of them, which takes half an hour).
Runs are also killed, at each of these calls and at 200 random instants, calls never return, and PostgreSQL loses its
connection at each message. After each of them:

- the target is what it was or what it should become, whole, and there is no new target without its report and its link;
- the status is right: 4, or 0 where the run got over it; and nothing says "Published" unless it is;
- no temporary file is left, or, after a kill, none once the next run is through;
- no message holds an identifier, a dropped or a sensitive value.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import postgres_proxy  # noqa: E402
import postgres_server  # noqa: E402
import small_data  # noqa: E402

THICKET = None
FAULTS = None
EVERY = False
KINDS = ("write", "fsync", "rename", "open", "mmap", "read", "random", "malloc")
SEED = 1
WORKERS = 2
# Runs that wait only, and how long they may: two seconds after a signal, and more on a machine that has other things to do.
HANGING = 16
ENDS_WITHIN_S = 15
STAYS_S = 3
FIRST_MALLOCS, OTHER_MALLOCS, CONNECTING_MALLOCS = 200, 300, 300
KILLS = 200
MESSAGES = 200
PATIENCE_S = 120
OLD = b"what was there before\n"
OLD_REPORT = b'{"old": true}\n'
OLD_LINK = b"published,original\n1,2\n"


def content_of(path):
    """The bytes of a file, of all files of a folder, or None."""
    if path.is_dir():
        return {file.name: file.read_bytes() for file in path.iterdir()}
    return path.read_bytes() if path.exists() else None


def remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


class Scenario:
    """A small run in a folder of its own that can be brought back to its beginning."""

    def __init__(self, folder, data_format, threads=1, suffix=""):
        self.folder = folder
        self.folder.mkdir()
        small_data.write_policies(data_format, folder)
        name = small_data.name_of(data_format)
        small_data.write(data_format, small_data.people(), folder / name)
        self.target = folder / ("public" + pathlib.Path(name).suffix + suffix)
        self.report = folder / "report.json"
        self.link = folder / "link.csv"
        self.old = {"students.csv": OLD, "courses.csv": OLD} if data_format == "tables" else OLD
        self.arguments = ["anonymize", "diverse.yaml", "-o", self.target.name, "--report", "report.json", "--link",
                          "link.csv", "--seed", "1", "--threads", str(threads)]
        self.inputs = {path.name for path in folder.iterdir()}

    def reset(self):
        remove(self.target)
        if isinstance(self.old, dict):
            self.target.mkdir()
            for name, content in self.old.items():
                (self.target / name).write_bytes(content)
        else:
            self.target.write_bytes(self.old)
        self.report.write_bytes(OLD_REPORT)
        self.link.write_bytes(OLD_LINK)
        for name in self.leftovers():
            remove(self.folder / name)

    def leftovers(self):
        known = self.inputs | {self.target.name, self.report.name, self.link.name}
        return sorted({path.name for path in self.folder.iterdir()} - known)

    def start(self, fault=None, counts=None):
        variables = {**os.environ, "TMPDIR": str(self.folder), "LD_PRELOAD": FAULTS}
        if fault:
            variables["THICKET_FAULT"] = fault
        if counts:
            variables["THICKET_FAULT_COUNTS"] = str(counts)
        return subprocess.Popen([THICKET, *self.arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables)

    def run(self, fault=None, counts=None):
        process = self.start(fault, counts)
        try:
            output, errors = process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return "still running", b"", b""
        return process.returncode, output, errors

    def learn(self):
        """What an undisturbed run publishes, and how many calls of each kind it makes."""
        self.reset()
        counts = self.folder.parent / f"{self.folder.name}.counts"
        status, _, errors = self.run(counts=counts)
        assert status == 0, errors
        self.new, self.new_link = content_of(self.target), content_of(self.link)
        assert self.new != self.old and self.new_link.startswith(b"published,original\n1,") and not self.leftovers()
        self.calls = {kind: int(count) for kind, count in map(str.split, counts.read_text().splitlines())}

    def same_as(self, other):
        self.new, self.new_link, self.calls = other.new, other.new_link, other.calls

    def problems(self, status, output, errors, killed=False, stuck=False):
        """`stuck`: no file can be renamed any more, so that an old report cannot get its name back."""
        found = []
        target, report = content_of(self.target), content_of(self.report)
        published = target == self.new
        if not published and target != self.old:
            found.append("the target is neither old nor new")
        try:
            reported = json.loads(report)["guarantee"]["verified"] is True
        except (ValueError, TypeError, KeyError):
            reported = False
        if not reported and report != OLD_REPORT:
            found.append("the report is neither old nor new")
        link = content_of(self.link)
        if link not in (OLD_LINK, self.new_link):
            found.append("the link is neither old nor new")
        if published and not reported:
            found.append("published without a report")
        if published and link != self.new_link:
            found.append("published without its link")
        if not published and reported and not killed and not stuck:
            found.append("a report of what was not published")
        if not published and link == self.new_link and not killed and not stuck:
            found.append("a link of what was not published")
        if status not in ((0, 4, -signal.SIGKILL) if killed else (0, 4)):
            found.append(f"status {status}")
        if status == 0 and not published:
            found.append("status 0, but not published")
        if b"Published" in output and not published:
            found.append("says that it is published, but it is not")
        if status == 4 and not errors.startswith(b"thicket: "):
            found.append("no message")
        if kinds := small_data.canaries_in(output + errors):
            found.append(f"prints {kinds}")
        if not killed and not stuck and self.leftovers():
            found.append(f"leaves {self.leftovers()}")
        return found

    def next_run_problems(self):
        """After a kill: what the next run does not put in order."""
        status, _, errors = self.run()
        found = [] if status == 0 else [f"the next run fails: {errors.decode()}"]
        if content_of(self.target) != self.new:
            found.append("the next run does not publish")
        if self.leftovers():
            found.append(f"the next run leaves {self.leftovers()}")
        return found


class Faults(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="thicket-faults-")))

    def scenarios(self, data_format, **options):
        """One for each worker, in a queue from which workers take them."""
        free = queue.Queue()
        first = None
        for number in range(WORKERS):
            scenario = Scenario(self.folder / f"{data_format}{number}", data_format, **options)
            if first is None:
                first = scenario
                first.learn()
            scenario.same_as(first)
            free.put(scenario)
        return free, first.calls

    def check_all(self, free, jobs, check):
        """Runs check(scenario, job) for every job, and fails with all that it finds."""
        def one(job):
            scenario = free.get()
            try:
                scenario.reset()
                return [f"{job}: {problem}" for problem in check(scenario, job)]
            finally:
                free.put(scenario)

        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            problems = [problem for found in pool.map(one, jobs) for problem in found]
        self.assertEqual(problems, [], f"{len(problems)} problems:\n" + "\n".join(problems))

    def check_fault(self, scenario, fault):
        status, output, errors = scenario.run(fault)
        # SQLite takes a disk that cannot be read for a damaged database.
        if fault.startswith("read") and b"SQLite database, but is damaged" in errors and status == 3:
            status = 4
        found = scenario.problems(status, output, errors, killed=fault.endswith("!"),
                                  stuck=fault.startswith("rename") and fault.endswith("+"))
        if fault.startswith("malloc") and status == 4 and b"memory" not in errors:
            found.append("does not speak of memory")
        if fault.startswith("random") and not fault.endswith("!") and (
                status != 4 or b"the system must give secure random numbers, but does not: " not in errors):
            found.append("does not speak of random numbers")
        if fault.endswith("!") and scenario.leftovers():
            found += scenario.next_run_problems()
        return [f"{problem}\n    {errors.decode(errors='replace')[:300]}" for problem in found]

    def jobs(self, calls):
        choice = random.Random(SEED)
        for kind in KINDS:
            if kind == "malloc":
                continue
            for number in range(1, calls[kind] + 1):
                yield f"{kind}:{number}"
                yield f"{kind}:{number}+"
                if KILLS > 0:
                    yield f"{kind}:{number}!"
        count = calls["malloc"] if "malloc" in KINDS else 0
        numbers = range(1, count + 1)
        if not EVERY:
            others = range(FIRST_MALLOCS + 1, count + 1)
            numbers = [*range(1, min(count, FIRST_MALLOCS) + 1), *choice.sample(others, min(len(others), OTHER_MALLOCS))]
        for number in numbers:
            yield f"malloc:{number}"
        for number in choice.sample(numbers, min(len(numbers), 50)):
            yield f"malloc:{number}+"

    def check_format(self, data_format, **options):
        free, calls = self.scenarios(data_format, **options)
        self.assertGreater(calls["write"] * calls["fsync"] * calls["rename"] * calls["open"] * calls["malloc"], 0)
        self.check_all(free, self.jobs(calls), self.check_fault)

    def check_kills(self, data_format):
        free, _ = self.scenarios(data_format)
        scenario = free.get()
        start = time.monotonic()
        scenario.reset()
        scenario.run()
        duration = time.monotonic() - start
        free.put(scenario)
        choice = random.Random(SEED)

        def check(one, instant):
            process = one.start()
            time.sleep(instant)
            process.kill()
            output, errors = process.communicate(timeout=PATIENCE_S)
            found = one.problems(process.returncode, output, errors, killed=True)
            return found + (one.next_run_problems() if one.leftovers() else [])

        self.check_all(free, [choice.uniform(0, duration) for _ in range(KILLS)], check)

    def check_whole(self, data_format):
        """Writes of a byte, and calls that are interrupted: the output must be the same."""
        free, _ = self.scenarios(data_format)

        def check(scenario, fault):
            status, _, errors = scenario.run(fault)
            same = content_of(scenario.target) == scenario.new
            return [] if status == 0 and same and not scenario.leftovers() else [f"status {status}: {errors.decode()}"]

        self.check_all(free, ["write:short", "write:again", "read:again", "random:again"], check)

    def check_threads(self, data_format):
        free, calls = self.scenarios(data_format, threads=4)
        self.assertGreater(calls["thread"], 0)
        jobs = [f"thread:{n}{how}" for n in range(1, calls["thread"] + 1) for how in ("", "+")]
        self.check_all(free, [*jobs, *jobs, *jobs], self.check_fault)


def add_tests():
    for data_format in small_data.FORMATS:
        if data_format == "postgresql":
            continue
        for what in ("format", "kills", "whole", "threads"):
            def test(self, what=what, data_format=data_format):
                getattr(self, f"check_{what}")(data_format)
            setattr(Faults, f"test_{data_format}_{what}", test)


class Hangs(unittest.TestCase):
    """A call that never returns. After a signal only the last resort (src/cli/backstop.h) can end the process."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="thicket-hangs-")))

    def wait_for_hang(self, process, hung):
        while not hung.exists():
            self.assertIsNone(process.poll(), "the call must be made")
            time.sleep(0.01)

    def end(self, process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def check_ends(self, process, fault):
        """What is wrong with the end of a process that hangs, after the first signal."""
        process.send_signal(random.Random(f"{SEED} {fault}").choice([signal.SIGTERM, signal.SIGINT]))
        try:
            output, errors = process.communicate(timeout=ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            return ["does not end"]
        ending = (process.returncode, output, errors)
        return [] if ending == (130, b"", b"thicket: interrupted; nothing was written\n") else [f"ends with {ending}"]

    def check_stays(self, process):
        """While what was checked gets its names, the first signal must not end it half done; the second does."""
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=STAYS_S)
            return ["ends while files get their names"]
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            return ["does not end after the second signal"]
        return [] if process.returncode == -signal.SIGTERM else [f"status {process.returncode}"]

    def check(self, job):
        """Problems of a run, and whether something temporary was there when the call hung."""
        scenario, fault, naming = job
        hung = scenario.folder.parent / f"{scenario.folder.name}.hung"
        scenario.reset()
        process = scenario.start(fault, counts=hung)
        try:
            self.wait_for_hang(process, hung)
            begun = scenario.leftovers()
            found = self.check_stays(process) if naming else self.check_ends(process, fault)
        finally:
            self.end(process)
        if naming:
            found += scenario.problems(-signal.SIGKILL, b"", b"", killed=True) + scenario.next_run_problems()
        else:
            found += [f"leaves {scenario.leftovers()}"] if scenario.leftovers() else []
            if tuple(map(content_of, (scenario.target, scenario.report, scenario.link))) != (
                    scenario.old, OLD_REPORT, OLD_LINK):
                found.append("target, report and link are not what they were")
        return [f"{scenario.folder.name} {fault}: {problem}" for problem in found], bool(begun) and not naming

    def jobs(self, data_format):
        first = Scenario(self.folder / data_format, data_format)
        first.learn()

        def job(kind, number, naming=False):
            scenario = Scenario(self.folder / f"{data_format}-{kind}-{number}", data_format)
            scenario.same_as(first)
            return scenario, f"{kind}:{number}~", naming

        last = first.calls
        for kind, number in (("write", 1), ("write", 2), ("fsync", 1), ("open", last["open"] // 2),
                             ("read", last["read"] // 2), ("read", last["read"]), ("malloc", last["malloc"] * 3 // 4)):
            yield job(kind, number)
        yield job("rename", last["rename"], naming=True)

    def test_end_after_a_signal(self):
        formats = [data_format for data_format in small_data.FORMATS if data_format != "postgresql"]
        jobs = [(data_format, job) for data_format in formats for job in self.jobs(data_format)]
        with concurrent.futures.ThreadPoolExecutor(HANGING) as pool:
            results = list(pool.map(lambda job: self.check(job[1]), jobs))
        problems = [problem for found, _ in results for problem in found]
        self.assertEqual(problems, [], "\n".join(problems))
        begun = {data_format for (data_format, _), (_, begun) in zip(jobs, results) if begun}
        self.assertEqual(begun, set(formats), "some calls must hang while a file is written")


class Connection(unittest.TestCase):
    def setUp(self):
        try:
            self.server = self.enterContext(postgres_server.Server())
        except postgres_server.NotInstalled as missing:
            self.skipTest(str(missing))
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="thicket-cut-", dir="/tmp")))
        small_data.write_policies("postgresql", self.folder)
        self.server.sql(small_data.postgres_sql(small_data.people()))

    def publish(self, schema, at, fault=None, counts=None):
        """Status, output, errors, and how many messages there were."""
        where = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        cutter = postgres_proxy.Messages(self.server, where, at)
        variables = {**os.environ, **self.server.environment(), **cutter.environment(), "HOME": str(self.folder)}
        if fault or counts:
            variables.update(LD_PRELOAD=FAULTS, THICKET_FAULT=fault or "", THICKET_FAULT_COUNTS=counts or "/dev/null")
        report, link = where / "report.json", where / "link.csv"
        try:
            done = subprocess.run([THICKET, "anonymize", "diverse.yaml", "--into", schema, "--seed", "1", "--report",
                                   str(report), "--link", str(link)], cwd=self.folder, env=variables, capture_output=True,
                                  timeout=PATIENCE_S, check=False)
        finally:
            cutter.close()
        return done.returncode, done.stdout, done.stderr, cutter.messages, report.exists() and link.exists()

    def rows(self, schema):
        """All rows of a schema, or nothing."""
        if not self.server.sql(f"SELECT 1 FROM pg_namespace WHERE nspname = '{schema}'"):
            return ""
        return self.server.sql(f"SELECT * FROM {schema}.students ORDER BY 1; SELECT * FROM {schema}.courses ORDER BY 1")

    def test_is_lost_at_each_message(self):
        status, _, errors, messages, _ = self.publish("whole", None)
        self.assertEqual(status, 0, errors)
        self.assertGreater(messages, 30)
        self.check_all([(f"cut{at}", at, None) for at in range(1, min(messages, MESSAGES) + 1)])

    def test_survives_without_memory(self):
        counts = self.folder / "counts"
        status, _, errors, _, _ = self.publish("whole", None, counts=str(counts))
        self.assertEqual(status, 0, errors)
        count = int(dict(line.split() for line in counts.read_text().splitlines())["malloc"])
        numbers = range(1, count + 1) if EVERY else random.Random(SEED).sample(range(1, count + 1), 80)
        self.check_all([(f"malloc{number}", None, f"malloc:{number}") for number in numbers])

    def test_connects_without_memory(self):
        """Where there is no server, a run ends with connecting: each of its last allocations fails."""
        counts = self.folder / "counts"

        def run(**faults):
            # With a user named, libpq does not ask the C library who runs it, whose answer is no better than a crash.
            variables = {**os.environ, **self.server.environment(), "PGHOST": str(self.folder),
                         "HOME": str(self.folder), "LD_PRELOAD": FAULTS, **faults}
            done = subprocess.run([THICKET, "anonymize", "diverse.yaml", "--into", "published"], cwd=self.folder,
                                  env=variables, capture_output=True, timeout=PATIENCE_S, check=False)
            return done.returncode, done.stdout, done.stderr

        self.assertEqual(run(THICKET_FAULT_COUNTS=str(counts))[0], 4)
        count = int(dict(line.split() for line in counts.read_text().splitlines())["malloc"])
        numbers = range(count - CONNECTING_MALLOCS, count + 1)
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            results = list(pool.map(lambda number: run(THICKET_FAULT=f"malloc:{number}"), numbers))
        problems = [f"malloc:{number}: {result}" for number, result in zip(numbers, results) if result[:2] != (4, b"")]
        self.assertEqual(problems, [], "\n".join(problems[:20]))
        self.assertTrue(any(b"out of memory" in errors for _, _, errors in results))

    def check_all(self, jobs):
        """Jobs are a schema, the message at which the connection is cut, and what fails besides."""
        whole = self.rows("whole")

        def one(job):
            schema, at, fault = job
            status, output, errors, _, reported = self.publish(schema, at, fault)
            found = []
            # The last message of all says goodbye, and nobody has to hear it.
            if status != 4 and not (status == 0 and self.rows(schema) == whole):
                found.append(f"status {status}")
            if status == 4 and b"Published" in output:
                found.append("says that it is published")
            if self.rows(schema) == whole and not reported:
                found.append("published without a report and a link")
            if kinds := small_data.canaries_in(output + errors):
                found.append(f"prints {kinds}")
            return [f"{schema}: {problem}\n    {errors.decode()}" for problem in found]

        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            problems = [p for found in pool.map(one, jobs) for p in found]
        # A transaction whose connection is gone ends soon.
        deadline = time.monotonic() + PATIENCE_S
        while self.server.sql("SELECT count(*) FROM pg_stat_activity WHERE state LIKE '%transaction%'") != "0":
            self.assertLess(time.monotonic(), deadline, "a transaction must end with its connection")
            time.sleep(0.05)
        for schema, _, _ in jobs:
            if self.rows(schema) not in ("", whole):
                problems.append(f"{schema}: neither absent nor whole")
        self.assertEqual(problems, [], "\n".join(problems[:20]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thicket", required=True, type=pathlib.Path, help="the command to test")
    parser.add_argument("--faults", required=True, type=pathlib.Path, help="the library that makes calls fail")
    parser.add_argument("--every", action="store_true", help="fail every malloc, not only some")
    parser.add_argument("--kinds", default=",".join(KINDS), help="which calls fail")
    parser.add_argument("--kills", type=int, default=KILLS, help="at how many instants a run is killed; 0: nor at calls")
    parser.add_argument("--seed", type=int, default=SEED, help="which mallocs, and when to kill")
    options, rest = parser.parse_known_args()
    THICKET, FAULTS = str(options.thicket.resolve()), str(options.faults.resolve())
    EVERY, SEED, KINDS, KILLS = options.every, options.seed, options.kinds.split(","), options.kills
    add_tests()
    # Sockets are closed when their threads end.
    unittest.main(argv=[sys.argv[0], *rest], warnings="ignore")
