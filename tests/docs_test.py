"""Runs the examples of README.md and docs/*.md and compares what they print with what the page says.

    python3 tests/docs_test.py --thicket build/thicket [PAGE...]

Every fenced block marked `console` runs, in the order of the page, in one fresh folder per page. A line that starts
with `$ ` is a command (a last `\\` continues it on the next line); the lines up to the next command are what it prints,
output and errors together. A command that shows no output may print anything. `...` stands for any text within a line
and, alone on a line, for any number of lines. Before a block may stand

    <!-- exit: 1 -->          the status of the block's last command; all others must return 0
    <!-- file: NAME -->       the block, of whatever language, is a file that the commands after it find
    <!-- append: NAME -->     the same, at the end of a file
    <!-- not run -->          the block is not run
    <!-- needs: postgresql -->  the block runs with a PostgreSQL server of its own, where one is installed

Files of the project that a page names in backquotes (`src/...`, `tests/...`, `docs/...`) must exist.
"""

import argparse
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import expect  # noqa: E402
import postgres_server  # noqa: E402

FENCE = re.compile(r"^(\s*)(```+|~~~+)\s*([\w-]*)[^`]*$")
DIRECTIVE = re.compile(r"^\s*<!--\s*(exit|file|append|not run|needs)\s*(?::\s*(.*?))?\s*-->\s*$")
NAMED_FILE = re.compile(r"`((?:src|tests|docs|fuzz|bench|scripts|examples)/[\w./-]*)`")
TIMEOUT = 300


def blocks(page):
    """Yields (line number, language, directives, lines) of every fenced block."""
    directives = {}
    fence = None
    for number, line in enumerate(page.split("\n"), 1):
        if fence is not None:
            if line.strip() == fence:
                yield start, language, directives, content
                fence, directives = None, {}
            else:
                content.append(line.removeprefix(indent))
        elif opening := FENCE.match(line):
            indent, fence, language = opening.groups()
            start, content = number, []
        elif directive := DIRECTIVE.match(line):
            directives[directive[1]] = directive[2]
        elif line.strip():
            directives = {}
    if fence is not None:
        raise ValueError(f"line {start}: a block must end, but this one does not")


def commands(start, lines):
    """Yields (line number, command, expected lines) of a console block."""
    current = None
    for number, line in enumerate(lines, start + 1):
        if current and current[1].endswith("\\") and not current[2]:
            current[1] += "\n" + line.removeprefix("> ")
        elif line.startswith("$ "):
            if current:
                yield tuple(current)
            current = [number, line[2:], []]
        elif current:
            current[2].append(line)
        elif line.strip():
            raise ValueError(f"line {number}: a console block must begin with a command, but this is none")
    if current:
        yield tuple(current)


class Page:
    """One page, run in a folder of its own."""

    def __init__(self, text, folder, path):
        self.text = text
        self.folder = folder
        self.path = path
        self.ran = 0
        # Started when a block needs it; False where it cannot be.
        self.server = None
        self.stack = contextlib.ExitStack()

    def has_server(self):
        if self.server is None:
            try:
                self.server = self.stack.enter_context(postgres_server.Server())
            except postgres_server.NotInstalled as missing:
                print(f"without the examples of PostgreSQL: {missing}")
                self.server = False
        return bool(self.server)

    def run(self):
        """Returns the first thing that is wrong, or nothing: what follows a failure is rarely worth reading."""
        here = self.folder
        for start, language, directives, lines in blocks(self.text):
            for directive in ("file", "append"):
                if directive in directives:
                    target = self.folder / directives[directive]
                    target.parent.mkdir(parents=True, exist_ok=True)
                    with open(target, "w" if directive == "file" else "a", encoding="utf-8") as out:
                        out.write("".join(line + "\n" for line in lines))
            if language != "console" or "not run" in directives or {"file", "append"} & directives.keys():
                continue
            if "needs" in directives:
                if directives["needs"] != "postgresql":
                    return f"line {start}: a block can need postgresql, but not {directives['needs']}"
                if not self.has_server():
                    continue
            steps = list(commands(start, lines))
            for number, command, expected in steps:
                last = number == steps[-1][0]
                status = int(directives["exit"]) if last and "exit" in directives else 0
                problem, here = self.step(command, expected, status, here)
                if problem:
                    return f"line {number}: $ {command}\n{problem}"
        return None

    def step(self, command, expected, status, here):
        # The folder that the command changes to is where the next one starts.
        place = self.folder.parent / "place"
        script = f"trap 'pwd >{place}' EXIT\n{command}\n"
        environment = os.environ | {"PATH": self.path, "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "TZ": "UTC",
                                    "COLUMNS": "100", "TERM": "dumb"}
        if self.server:
            environment |= self.server.environment()
        try:
            done = subprocess.run(["bash", "-c", script], cwd=here, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            return f"did not end within {TIMEOUT} s", here
        self.ran += 1
        actual = expect.lines_of(done.stdout.decode("utf-8", errors="backslashreplace"))
        if done.returncode != status:
            return f"the exit status must be {status}, but is {done.returncode}\n" + "\n".join(actual), here
        # Empty lines at the end separate it from the next command.
        while expected and not expected[-1].strip():
            expected = expected[:-1]
        while actual and not actual[-1].strip():
            actual = actual[:-1]
        if expected and not expect.matches(expected, actual):
            return expect.difference(expected, actual, "output"), here
        return None, pathlib.Path(place.read_text(encoding="utf-8").rstrip("\n"))


def missing_file(text):
    """The first file of the project that the page names in backquotes and that does not exist, as a problem."""
    for number, line in enumerate(text.split("\n"), 1):
        for name in NAMED_FILE.findall(line):
            if not (ROOT / name).exists():
                return f"line {number}: {name} must exist, but does not"
    return None


def run_page(text, thicket):
    """Returns (problem or nothing, number of commands)."""
    if problem := missing_file(text):
        return problem, 0
    with tempfile.TemporaryDirectory(prefix="thicket-docs-") as outer:
        outer = pathlib.Path(outer).resolve()
        (outer / "bin").mkdir()
        (outer / "page").mkdir()
        (outer / "bin" / "thicket").symlink_to(thicket)
        page = Page(text, outer / "page", f"{outer / 'bin'}:{os.environ.get('PATH', '/usr/bin:/bin')}")
        try:
            with page.stack:
                return page.run(), page.ran
        except ValueError as problem:
            return str(problem), page.ran


class DocsRunner(unittest.TestCase):
    """The runner on pages with one mistake each."""

    def run_text(self, text):
        return run_page(text, "/bin/echo")

    def rejects(self, text, reason):
        problem, _ = self.run_text(text)
        self.assertIsNotNone(problem)
        self.assertIn(reason, problem)

    def test_accepts_what_is_as_shown(self):
        self.assertEqual(self.run_text(
            "Text\n<!-- file: in/a.txt -->\n```yaml\nk: 3\n```\n\n<!-- append: in/a.txt -->\n```yaml\nl: 3\n```\n\n"
            "```console\n$ cat in/a.txt\nk: 3\nl: ...\n$ thicket is \\\n> here\nis here\n\n$ cd in\n$ ls\na.txt\n```\n"
            "```sh\nfalse\n```\n<!-- not run -->\n```console\n$ false\n```\n"
            "<!-- exit: 3 -->\n```console\n$ true\n$ echo a; echo b; echo c; exit 3\na\n...\n```\n"), (None, 6))

    def test_rejects_other_output(self):
        self.rejects("```console\n$ thicket a\nb\n```\n", "line 2: $ thicket a")
        self.rejects("```console\n$ echo a; echo b\na\n```\n", "+b")

    def test_rejects_another_status(self):
        self.rejects("```console\n$ false\n```\n", "must be 0, but is 1")
        self.rejects("<!-- exit: 1 -->\n```console\n$ false\n$ false\n```\n", "must be 0, but is 1")
        self.rejects("<!-- exit: 1 -->\n```console\n$ true\n```\n", "must be 1, but is 0")
        self.rejects("<!-- exit: 1 -->\n\nText between\n\n```console\n$ false\n```\n", "must be 0, but is 1")

    def test_rejects_a_need_that_it_does_not_know(self):
        self.rejects("<!-- needs: luck -->\n```console\n$ true\n```\n", "but not luck")

    def test_rejects_files_that_are_not_there(self):
        self.rejects("See `src/base/text.h`.\nAnd `src/base/nowhere.h`.\n", "line 2: src/base/nowhere.h must exist")

    def test_rejects_what_it_cannot_read(self):
        self.rejects("```console\noutput\n```\n", "must begin with a command")
        self.rejects("```console\n$ true\n", "must end")


def main():
    if sys.argv[1:] == ["--self-test"]:
        unittest.main(argv=sys.argv[:1])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thicket", required=True, type=pathlib.Path, help="the command")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    options = parser.parse_args()

    failed = 0
    for page in options.pages or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if not page.is_file():
            print(f"skipped {page}: there is no such page")
            continue
        problem, ran = run_page(page.read_text(encoding="utf-8"), options.thicket.resolve())
        print(f"{'FAILED' if problem else 'passed'} {page.relative_to(ROOT) if page.is_relative_to(ROOT) else page}: "
              f"{ran} commands")
        if problem:
            failed += 1
            print("\n".join("  " + line for line in problem.split("\n")))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
