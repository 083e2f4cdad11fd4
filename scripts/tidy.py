"""Runs clang-tidy over the sources of src/, skipping those that were clean before and have not changed.

A file's result depends on its bytes, those of the project's headers it reaches, its compile command, .clang-tidy and
the clang-tidy version. A stamp named by the hash of all that stands in the user's cache for every clean file. Paths
count from the checkout, so what was clean in one checkout is not looked at again in another.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT_DAYS = 30  # of a stamp that nobody asks for
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def reached(path, seen):
    """Adds `path` and every project file it includes, directly or not, to `seen`."""
    if path in seen:
        return
    seen.add(path)
    for name in INCLUDE.findall(path.read_text(encoding="utf-8", errors="replace")):
        for folder in (ROOT / "src", ROOT / "tests", path.parent):
            if (folder / name).is_file():
                reached((folder / name).resolve(), seen)
                break


def key(path, command, settings):
    digest = hashlib.sha256(settings)
    digest.update(command.replace(str(ROOT), ".").encode())
    files = set()
    reached(path, files)
    for file in sorted(files):
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def unseen(output, seen):
    """The complaints of `output` not yet in `seen`: one about a header comes with every file that includes it."""
    kept = []
    show = True
    for line in output.split("\n"):
        if re.match(r"\S+:\d+:\d+: (error|warning):", line):
            show = line not in seen
            seen.add(line)
        if show and line.strip():
            kept.append(line)
    return "\n".join(kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=pathlib.Path, help="has compile_commands.json")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--times", action="store_true", help="print the seconds that each file took")
    parser.add_argument("filter", nargs="?", default="", help="only files whose path contains this")
    options = parser.parse_args()

    version = subprocess.run(["clang-tidy", "--version"], check=True, capture_output=True).stdout
    settings = version + (ROOT / ".clang-tidy").read_bytes()
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    stamps = cache / "thicket" / "tidy"
    stamps.mkdir(parents=True, exist_ok=True)

    for stamp in stamps.iterdir():
        if time.time() - stamp.stat().st_mtime > KEPT_DAYS * 86400:
            stamp.unlink(missing_ok=True)

    todo = []
    clean = 0
    for entry in json.loads((options.build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if not path.is_relative_to(ROOT / "src") or options.filter not in str(path) or not path.is_file():
            continue
        stamp = stamps / key(path, entry["command"], settings)
        if stamp.exists():
            stamp.touch()
            clean += 1
        else:
            todo.append((path, stamp))

    def run(job):
        path, stamp = job
        start = time.monotonic()
        result = subprocess.run(["clang-tidy", "--quiet", "-p", str(options.build), str(path)],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if result.returncode == 0:
            stamp.touch()
        return path.relative_to(ROOT), result, time.monotonic() - start

    # The largest first, so that no long one is left over for the end.
    todo.sort(key=lambda job: -job[0].stat().st_size)
    failed = 0
    seen = set()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, result, seconds in pool.map(run, todo):
            if options.times:
                print(f"{seconds:6.1f} s  {path}")
            if result.returncode != 0:
                failed += 1
                print(f"check: clang-tidy complains about {path}")
                print(unseen(result.stdout, seen) if result.stdout.strip() else result.stderr.strip())
                sys.stdout.flush()
    print(f"check: clang-tidy: {clean + len(todo) - failed} files clean ({clean} unchanged), {failed} not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
