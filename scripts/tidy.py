"""Runs clang-tidy over the sources of src/, skipping those that were clean before and have not changed.

A file's result depends on its bytes, those of the project's headers it reaches, the compiler's options, .clang-tidy and
the clang-tidy version. A stamp named by the hash of all that stands in the user's cache for every clean file. Paths
count from the checkout, so what was clean in one checkout is not looked at again in another.

Most of the time goes to the headers of libraries, again for every file. So files are looked at together if they define no
name twice, and those of a batch in which something is found one by one again. Folders are no border for that: all tests
are looked at with the options of all tests, and so are all other sources, which differ in include paths and macros only.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import json
import pathlib
import re
import shlex
import subprocess
import sys
import time

import batches
import stamps

ROOT = pathlib.Path(__file__).resolve().parent.parent
BATCH = 40  # files


def key(path, options, settings):
    digest = hashlib.sha256(settings)
    digest.update("\0".join(options).replace(str(ROOT), ".").encode())
    files = set()
    batches.reached(path, files)
    for file in sorted(files):
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def sources_of(build):
    """(source, compiler and options as a list of lists) for every source; an option may have an argument. Batches
    (thicket_batches in cmake/) are taken apart."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"])
        options = []
        for word in shlex.split(entry["command"]):
            if options and options[-1] in (["-isystem"], ["-I"], ["-include"], ["-o"], ["-c"]):
                options[-1].append(word)
            else:
                options.append([word])
        # How code is made and where it goes is nothing to clang-tidy.
        options = [option for option in options if not re.fullmatch(r"-o|-c|-O.|-fPI[CE]", option[0])]
        if path.is_relative_to(build.resolve()):
            for name in batches.INCLUDE.findall(path.read_text(encoding="utf-8")):
                yield (ROOT / "src" / name).resolve(), options
        else:
            yield path.resolve(), options


def is_test(path):
    return path.name.endswith("_test.cc")


def united(sources):
    """For tests and for all other sources: every option that one of them has, once, as a flat list."""
    found = {True: [], False: []}
    for path, options in sources:
        found[is_test(path)] += [option for option in options if option not in found[is_test(path)]]
    # Warnings are the compilers', and files that stand together shadow each other's names.
    return {kind: [word for option in options for word in option] + ["-w"] for kind, options in found.items()}


@functools.lru_cache(maxsize=None)
def kind_of(path):
    """Files of a kind can be looked at together. Where namespace thicket::testing exists, `testing` is no longer GoogleTest's."""
    files = set()
    batches.reached(path, files)
    return is_test(path), any("namespace thicket::testing" in file.read_text(encoding="utf-8") for file in files)


def batches_of(todo):
    """Lists of files to look at together: of one kind, without a name in common."""
    return [jobs for kind in sorted({kind_of(path) for path, _ in todo})
            for jobs in batches.batches_of([job for job in todo if kind_of(job[0]) == kind], BATCH,
                                           path_of=lambda job: job[0])]


def look_at(jobs, options, folder):
    """clang-tidy's result for a source in `folder` that includes the files of `jobs`."""
    name = hashlib.sha256("".join(str(path) for path, _ in jobs).encode()).hexdigest()[:16]
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    file = (place / "batch.cc").resolve()
    file.write_text("".join(f'#include "{path}"  // NOLINT\n' for path, _ in jobs))
    (place / "compile_commands.json").write_text(json.dumps([{
        "directory": str(folder.parent.resolve()), "file": str(file), "arguments": [*options, "-c", str(file)]}]))
    return subprocess.run(["clang-tidy", "--quiet", "-p", str(place), str(file)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


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
    known = stamps.Stamps("tidy")

    todo = []
    clean = 0
    sources = sorted((path, words) for path, words in sources_of(options.build)
                     if path.is_relative_to(ROOT / "src") and path.is_file())
    compiler = united(sources)
    for path, _ in sources:
        if options.filter not in str(path):
            continue
        stamp = key(path, compiler[is_test(path)], settings)
        if known.is_there(stamp):
            clean += 1
        else:
            todo.append((path, known.of(stamp)))
    todo_batches = batches_of(todo)

    def run(batch):
        """What to print, and how many files are not clean."""
        start = time.monotonic()
        rounds = [batch]
        complaints = []
        for jobs in rounds:
            result = look_at(jobs, compiler[is_test(jobs[0][0])], options.build / "tidy")
            if result.returncode == 0:
                for _, stamp in jobs:
                    stamp.touch()
            elif len(jobs) > 1:
                rounds.extend([job] for job in jobs)
            else:
                complaints.append((jobs[0][0].relative_to(ROOT), result))
        return batch, complaints, time.monotonic() - start

    # The largest first, so that no long one is left over for the end.
    todo_batches.sort(key=lambda batch: -sum(job[0].stat().st_size for job in batch))
    failed = 0
    seen = set()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for batch, complaints, seconds in pool.map(run, todo_batches):
            if options.times:
                print(f"{seconds:6.1f} s ", *(path.relative_to(ROOT) for path, _ in batch))
            for path, result in complaints:
                failed += 1
                print(f"check: clang-tidy complains about {path}")
                print(unseen(result.stdout, seen) if result.stdout.strip() else result.stderr.strip())
                sys.stdout.flush()
    print(f"check: clang-tidy: {clean + len(todo) - failed} files clean ({clean} unchanged), {failed} not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
