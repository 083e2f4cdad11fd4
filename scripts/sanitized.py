"""Runs the tests of a build with sanitizers, skipping those that passed before and of which nothing has changed.

What a test does follows from its program and the libraries that this loads, from the files of the checkout that it reads, and from
settings. A stamp named by the hash of all these stands in the user's cache for each test that passed; so a test that passed in
one checkout is not run again in another. Every file outside src/ counts as read, whoever reads it, and those of src/ too where the
test is more than a program of the build. Random cases are drawn anew in each run of `make test`, which runs everything always.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import stamps

ROOT = pathlib.Path(__file__).resolve().parent.parent
SETTINGS = re.compile(r"THICKET_|RC_|ASAN_|UBSAN_|GTEST_")


def files_of_the_checkout():
    """Lists of those outside src/ and of those in it, without what builds have made."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, check=False)
    if listed.returncode == 0:
        paths = [ROOT / name for name in os.fsdecode(listed.stdout).split("\0") if name]
    else:
        paths = [path for top in ROOT.iterdir() if not top.name.startswith(("build", "."))
                 for path in ([top] if top.is_file() else top.rglob("*"))]
    found = ([], [])
    for path in sorted(set(paths)):
        if path.is_file() and "__pycache__" not in path.parts:
            found[path.is_relative_to(ROOT / "src")].append(path)
    return found


def hash_of(paths):
    digest = hashlib.sha256()
    for path in paths:
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0")
        stamps.add_file(digest, path)
    return digest.digest()


def settings():
    """What the tests are told by the environment, and which packages are installed."""
    digest = hashlib.sha256()
    for name, value in sorted(os.environ.items()):
        if SETTINGS.match(name):
            digest.update(f"{name}={value}\0".encode())
    if shutil.which("dpkg-query"):
        digest.update(subprocess.run(["dpkg-query", "-W"], check=True, capture_output=True).stdout)
    return digest.digest()


def programs_of(command, build):
    return [word for word in command if pathlib.Path(word).is_relative_to(build) and os.access(word, os.X_OK)
            and pathlib.Path(word).is_file()]


def key(command, build, outside, inside):
    """Of a test, or None for one without a program of the build."""
    programs = programs_of(command, build)
    if not programs:
        return None
    digest = hashlib.sha256(outside)
    if command[0] not in programs:
        digest.update(inside)
    digest.update("\0".join(command).replace(str(build), "build").replace(str(ROOT), ".").encode())
    for program in programs:
        stamps.add_program(digest, program)
    return digest.hexdigest()


def passed_in(report):
    """The names of tests that ran, and did so well: one that was skipped did not."""
    if not report.exists():
        return set()
    cases = xml.etree.ElementTree.parse(report).getroot().iter("testcase")
    return {case.get("name") for case in cases if case.get("status") == "run"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1, help="tests at a time")
    options = parser.parse_args()

    build = options.build.resolve()
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True).stdout
    tests = {test["name"]: test["command"] for test in json.loads(listed)["tests"]}
    if not tests:
        print("check: there are no tests to run under sanitizers", file=sys.stderr)
        return 1
    outside, inside = map(hash_of, files_of_the_checkout())
    outside += settings()
    keys = {name: key(command, build, outside, inside) for name, command in tests.items()}
    known = stamps.Stamps("sanitized")
    todo = [name for name in tests if keys[name] is None or not known.is_there(keys[name])]

    failed = 0
    if todo:
        with tempfile.TemporaryDirectory(prefix="thicket-sanitized-") as folder:
            report = pathlib.Path(folder, "report.xml")
            names = "|".join(map(re.escape, todo))
            failed = subprocess.run(["ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error", "--output-junit",
                                     report, "-j", str(options.jobs), "-R", f"^({names})$"], check=False).returncode
            for name in passed_in(report) & set(todo):
                if keys[name]:
                    known.of(keys[name]).touch()
    print(f"check: sanitizers: {len(todo)} tests run, {len(tests) - len(todo)} unchanged since they passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
