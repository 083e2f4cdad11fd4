"""Runs the golden tests: small text files that say what the command prints, writes and returns.

    python3 tests/golden/run.py --thicket build/thicket [-k FILTER] [--update]

A test is a file tests/golden/**/*.test. Its first line is `# ` and a claim; further `#` lines may follow. Then come
sections, each with a line that starts with `--- `. First what is there before the command runs:

    --- file NAME                 the lines that follow are the file's content
    --- file-bytes NAME           the same, but with Python's escapes (\\xff, \\t, \\\\), and without line ends
    --- mode OCTAL NAME           sets permissions; such tests run without root's right to ignore them
    --- small-disk BYTES NAME     a folder on a disk of its own that is soon full (needs root; skipped without)

Then steps. Each starts with one of these two lines, and runs with `sh -c` in a fresh folder that holds the files:

    --- run ARGS                  thicket ARGS
    --- $ COMMAND                 any command; `thicket` is on the PATH

and is followed by what it is given and what must come of it:

    --- stdin                     what it reads (else nothing)
    --- limit-file-size BYTES     writing more than this to a file fails, as on a full disk
    --- stdout, --- stderr        what it prints; where the section is left out: nothing
    --- exit N                    its status; where the section is left out: 0
    --- matches NAME              what a file holds afterwards
    --- absent NAME...            what must not exist afterwards
    --- creates NAME...           files that may appear or change although the command does not name them

In stdout, stderr and matches, `...` stands for any text within a line and, alone on a line, for any number of lines; a
last line `\\ No newline at end` says that the output does not end with one. The folder's path is shown as {dir}.

Without being asked, every step also checks that nothing is left behind: new files must be named in the command (or
lie in a folder that is) and must not look like temporary ones; a step that fails must not create, change or remove
any file.

--update writes the actual output into those sections that do not match. Read the difference before you keep it.
"""

import argparse
import concurrent.futures
import ctypes
import dataclasses
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
import expect  # noqa: E402

FILE_SECTIONS = {"file", "file-bytes", "mode", "small-disk"}
STEP_SECTIONS = {"stdin", "limit-file-size", "stdout", "stderr", "exit", "matches", "absent", "creates"}
WITH_CONTENT = {"file", "file-bytes", "stdin", "stdout", "stderr", "matches"}
WITHOUT_ARGUMENT = {"stdin", "stdout", "stderr"}
TEMPORARY = re.compile(r"^\.|\.(tmp|temp|part|partial)(\b|$)|~$|[._-](tmp|temp)[._-]")
CLONE_NEWNS = 0x00020000


class BadTest(Exception):
    """The test file itself is wrong."""


class Skip(Exception):
    """The test cannot run here."""


@dataclasses.dataclass
class Section:
    kind: str
    argument: str
    content: list
    line: int


@dataclasses.dataclass
class Step:
    head: Section
    sections: list

    def command(self):
        return f"thicket {self.head.argument}" if self.head.kind == "run" else self.head.argument

    def all(self, kind):
        return [section for section in self.sections if section.kind == kind]

    def one(self, kind):
        found = self.all(kind)
        if len(found) > 1:
            raise BadTest(f"line {found[1].line}: a step may have one section {kind}, but this is its second")
        return found[0] if found else None

    def names(self, kind):
        return [name for section in self.all(kind) for name in section.argument.split()]


@dataclasses.dataclass
class Test:
    path: pathlib.Path
    comments: list
    setup: list
    steps: list


def parse(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    if not lines or not lines[0].startswith("# "):
        raise BadTest("line 1: the first line must be '# ' and what the test claims")
    sections, comments = [], []
    for number, line in enumerate(lines, 1):
        if line.startswith("--- "):
            kind, _, argument = line[4:].partition(" ")
            known = FILE_SECTIONS | STEP_SECTIONS | {"run", "$"}
            if kind not in known:
                raise BadTest(f"line {number}: a section must be one of {', '.join(sorted(known))}, but is {kind}")
            if bool(argument.strip()) == (kind in WITHOUT_ARGUMENT):
                raise BadTest(f"line {number}: {kind} {'takes no' if argument.strip() else 'needs an'} argument")
            sections.append(Section(kind, argument.strip(), [], number))
        elif not sections:
            if line and not line.startswith("#"):
                raise BadTest(f"line {number}: only '#' lines may stand before the first section")
            comments.append(line)
        elif sections[-1].kind in WITH_CONTENT:
            sections[-1].content.append(line)
        elif line and not line.startswith("#"):
            raise BadTest(f"line {number}: {sections[-1].kind} has no content, but a line follows")

    test = Test(path, comments, [], [])
    for section in sections:
        # An empty line before the next section is for the reader, not part of the content.
        if section.kind in WITH_CONTENT and section is not sections[-1] and section.content[-1:] == [""]:
            section.content.pop()
        if section.kind in ("run", "$"):
            test.steps.append(Step(section, []))
        elif section.kind in FILE_SECTIONS:
            if test.steps:
                raise BadTest(f"line {section.line}: {section.kind} must stand before the first step")
            test.setup.append(section)
        elif not test.steps:
            raise BadTest(f"line {section.line}: {section.kind} belongs to a step, but none came before it")
        else:
            test.steps[-1].sections.append(section)
    if not test.steps:
        raise BadTest("a test must run something, but has neither '--- run' nor '--- $'")
    for step in test.steps:
        for kind in ("stdin", "stdout", "stderr", "exit", "limit-file-size"):
            step.one(kind)
    return test


def text_of(lines):
    if lines[-1:] == [expect.NO_NEWLINE]:
        return "\n".join(lines[:-1])
    return "".join(line + "\n" for line in lines)


def decode(data):
    return data.decode("utf-8", errors="backslashreplace")


def write_lines(test):
    """The test file again, from its parts."""
    out = list(test.comments)
    while out and out[-1] == "":
        out.pop()
    for section in test.setup + [part for step in test.steps for part in [step.head] + step.sections]:
        # One empty line before each file and each step.
        if section.kind in FILE_SECTIONS | {"run", "$"}:
            out.append("")
        out.append(f"--- {section.kind} {section.argument}".rstrip())
        out += section.content
    return "\n".join(out) + "\n"


def snapshot(folder):
    """What is in the folder: path -> a hash of the content."""
    found = {}
    for base, folders, files in os.walk(folder):
        for name in folders + files:
            path = pathlib.Path(base, name)
            relative = str(path.relative_to(folder))
            try:
                if path.is_symlink():
                    found[relative] = f"-> {os.readlink(path)}"
                else:
                    found[relative] = "folder" if path.is_dir() else hashlib.sha256(path.read_bytes()).hexdigest()
            except OSError:
                found[relative] = "unreadable"
    return found


def named_in(command):
    """The paths that a command line names, roughly: all its words, and what follows `=` or `>` in them."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    parts = [part for word in words for part in re.split(r"[=<>;|&\s]+", word)]
    return {os.path.normpath(part) for part in words + parts if part and not part.startswith("-")} - {"."}


def lies_in(path, named):
    return path in named or any(str(parent) in named for parent in pathlib.PurePath(path).parents)


class Run:
    """One test, run once in a folder of its own."""

    def __init__(self, test, options):
        self.test = test
        self.options = options
        self.problems = []
        self.updated = False
        self.mounts = []

    def go(self):
        outer = pathlib.Path(tempfile.mkdtemp(prefix="thicket-golden-")).resolve()
        self.folder = outer / "work"
        self.bin = outer / "bin"
        try:
            self.folder.mkdir()
            self.bin.mkdir()
            (self.bin / "thicket").symlink_to(self.options.thicket)
            self.prepare()
            for number, step in enumerate(self.test.steps, 1):
                self.run(step, f"step {number}" if len(self.test.steps) > 1 else "")
        finally:
            for mount in self.mounts:
                subprocess.run(["umount", "-l", mount], check=False, stderr=subprocess.DEVNULL)
            for base, _, _ in os.walk(outer):
                os.chmod(base, 0o700)
            shutil.rmtree(outer, ignore_errors=True)
        return self

    def prepare(self):
        for section in self.test.setup:
            if section.kind in ("file", "file-bytes"):
                path = self.folder / section.argument
                path.parent.mkdir(parents=True, exist_ok=True)
                if section.kind == "file":
                    path.write_text(text_of(section.content), encoding="utf-8")
                else:
                    escaped = "".join(section.content).encode("ascii", errors="backslashreplace")
                    path.write_bytes(escaped.decode("unicode_escape").encode("latin-1"))
            elif section.kind == "small-disk":
                self.mount(*section.argument.split())
        # Last, because they may make it impossible to add files.
        for section in self.test.setup:
            if section.kind == "mode":
                mode, name = section.argument.split()
                path = self.folder / name
                if not path.exists():
                    path.mkdir(parents=True)
                path.chmod(int(mode, 8))

    def mount(self, size, name):
        path = self.folder / name
        path.mkdir(parents=True, exist_ok=True)
        if not self.options.may_mount:
            raise Skip("a disk of its own needs root and the right to mount")
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", path],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise Skip(f"mount says: {decode(done.stderr).strip()}")
        self.mounts.append(path)

    def wrapped(self, step):
        """The command as arguments of a process, with the limits that the test asks for."""
        script = step.command()
        limit = step.one("limit-file-size")
        if limit:
            # The shell counts in blocks of 512 bytes; without the trap the first long write would kill the command.
            script = f"trap '' XFSZ; ulimit -f {max(1, int(limit.argument) // 512)}; {script}"
        arguments = ["sh", "-c", script]
        if os.geteuid() == 0 and any(section.kind == "mode" for section in self.test.setup):
            if not self.options.may_drop:
                raise Skip("root's right to ignore permissions cannot be given up here")
            arguments = DROP + arguments
        return arguments

    def run(self, step, where):
        before = snapshot(self.folder)
        stdin = step.one("stdin")
        environment = {name: value for name, value in os.environ.items()
                       if name.startswith(("ASAN", "UBSAN", "LSAN", "LD_", "TMPDIR"))}
        environment |= {"PATH": f"{self.bin}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(self.folder),
                        "LC_ALL": "C.UTF-8", "TZ": "UTC", "COLUMNS": "100", "TERM": "dumb"}
        process = subprocess.Popen(self.wrapped(step), cwd=self.folder, env=environment, start_new_session=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = process.communicate(text_of(stdin.content).encode() if stdin else b"",
                                           timeout=self.options.timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            self.fail(where, f"did not end within {self.options.timeout} s: {step.command()}")
            return
        status = process.returncode
        if status < 0:
            status = 128 - status
        self.compare_output(step, "stdout", out, where)
        self.compare_output(step, "stderr", err, where)
        self.compare_status(step, status, where)
        for section in step.all("matches"):
            self.compare_file(section, where)
        for name in step.names("absent"):
            if os.path.lexists(self.folder / name):
                self.fail(where, f"{name} must not exist, but does")
        self.check_leftovers(step, status, before, where)

    def fail(self, where, message):
        self.problems.append(f"{where}: {message}" if where else message)

    def compare_output(self, step, kind, data, where):
        actual = expect.lines_of(decode(data).replace(str(self.folder), "{dir}"))
        section = step.one(kind)
        if expect.matches(section.content if section else [], actual):
            return
        if self.options.update:
            if not section:
                section = Section(kind, "", [], 0)
                step.sections.append(section)
            section.content = actual
            self.updated = True
            return
        self.fail(where, f"{kind} differs\n" + expect.difference(section.content if section else [], actual, kind))

    def compare_status(self, step, status, where):
        section = step.one("exit")
        expected = int(section.argument) if section else 0
        if status == expected:
            return
        if self.options.update:
            if not section:
                section = Section("exit", "", [], 0)
                step.sections.append(section)
            section.argument = str(status)
            self.updated = True
            return
        self.fail(where, f"the exit status must be {expected}, but is {status}")

    def compare_file(self, section, where):
        path = self.folder / section.argument
        if not path.is_file():
            self.fail(where, f"{section.argument} must exist, but does not")
            return
        actual = expect.lines_of(decode(path.read_bytes()))
        if expect.matches(section.content, actual):
            return
        if self.options.update:
            section.content = actual
            self.updated = True
            return
        self.fail(where, f"{section.argument} differs\n" + expect.difference(section.content, actual, section.argument))

    def check_leftovers(self, step, status, before, where):
        after = snapshot(self.folder)
        created = {os.path.normpath(name) for name in step.names("creates")}
        named = created | (named_in(step.command()) if status == 0 else set())
        for path in sorted(after.keys() - before.keys()):
            # A folder on the way to a named file comes with it.
            on_the_way = any(name.startswith(path + "/") for name in named)
            if not lies_in(path, named) and not on_the_way:
                self.fail(where, f"{path} was left behind")
            elif TEMPORARY.search(os.path.basename(path)) and path not in named:
                self.fail(where, f"{path} looks like a temporary file that was left behind")
        if status != 0:
            for path in sorted(before):
                if lies_in(path, created):
                    continue
                if path not in after:
                    self.fail(where, f"{path} is gone after a step that failed")
                elif before[path] != after[path]:
                    self.fail(where, f"{path} was changed by a step that failed")


# Root without the right to ignore permissions.
DROP = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--"]


def find_rights(options, tests):
    """Finds out what this machine lets us do, only where a test needs it."""
    kinds = {section.kind for test in tests for section in test.setup}
    options.may_mount = options.may_drop = False
    if os.geteuid() != 0:
        return
    if "small-disk" in kinds and ctypes.CDLL(None).unshare(CLONE_NEWNS) == 0:
        # In a mount table of our own: nothing stays mounted, however this process ends.
        options.may_mount = subprocess.run(["mount", "--make-rprivate", "/"], check=False,
                                           stderr=subprocess.DEVNULL).returncode == 0
    if "mode" in kinds:
        options.may_drop = subprocess.run(DROP + ["true"], check=False, stderr=subprocess.DEVNULL).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thicket", required=True, type=pathlib.Path, help="the command to test")
    parser.add_argument("--tests", type=pathlib.Path, default=HERE, help="where the .test files are")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=120, help="seconds for one step")
    parser.add_argument("--update", action="store_true", help="rewrite what does not match")
    parser.add_argument("-k", dest="filter", default="", help="only tests whose path contains this")
    options = parser.parse_args()
    options.thicket = options.thicket.resolve()
    if not os.access(options.thicket, os.X_OK):
        parser.error(f"{options.thicket} is not a program")

    passed = failed = skipped = 0
    tests = []
    for path in sorted(options.tests.rglob("*.test")):
        if options.filter not in str(path.relative_to(options.tests)):
            continue
        try:
            tests.append(parse(path))
        except (BadTest, ValueError) as problem:
            failed += 1
            print(f"FAILED {path.relative_to(options.tests)}\n  {problem}")
    find_rights(options, tests)

    def run(test):
        try:
            return test, Run(test, options).go()
        except (Skip, BadTest, ValueError, OSError) as problem:
            return test, problem

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for test, result in pool.map(run, tests):
            name = f"{test.path.relative_to(options.tests)}: {test.comments[0][2:]}"
            if isinstance(result, Skip):
                skipped += 1
                print(f"skipped {name}\n  {result}")
            elif isinstance(result, Exception) or result.problems:
                failed += 1
                problems = [str(result)] if isinstance(result, Exception) else result.problems
                print(f"FAILED {name}")
                print("\n".join("  " + line for problem in problems for line in problem.split("\n")))
            else:
                passed += 1
                if result.updated:
                    test.path.write_text(write_lines(test), encoding="utf-8")
                    print(f"updated {name}")
            sys.stdout.flush()
    if passed + failed + skipped == 0:
        print(f"there must be a test to run, but {options.tests} has none whose path contains '{options.filter}'")
        return 1
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
