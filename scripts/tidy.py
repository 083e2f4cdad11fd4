"""Runs clang-tidy over the sources of src/, skipping those that were clean before and have not changed.

A file's result depends on its bytes, those of the project's headers it reaches, its compile command, .clang-tidy and
the clang-tidy version. A stamp named by the hash of all that stands in the user's cache for every clean file. Paths
count from the checkout, so what was clean in one checkout is not looked at again in another.

Most of the time goes to the headers of libraries, again for every file. So files of one target are looked at together
if they define no name twice; and those of a batch in which something is found one by one again.
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

import batches

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT_DAYS = 30  # of a stamp that nobody asks for
BATCH = 24  # files


def key(path, command, settings):
    digest = hashlib.sha256(settings)
    digest.update(command.replace(str(ROOT), ".").encode())
    files = set()
    batches.reached(path, files)
    for file in sorted(files):
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def sources_of(build):
    """(source, entry of compile_commands.json) for every source; batches (thicket_batches in cmake/) are taken apart."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"])
        command = entry["command"].replace(entry["file"], "FILE")
        target = re.sub(r"/[^/]*$", "", entry.get("output") or re.search(r"-o (\S+)", command)[1])
        command = re.sub(r"-o \S+", "-o OUT", command)
        if path.is_relative_to(build.resolve()):
            for name in batches.INCLUDE.findall(path.read_text(encoding="utf-8")):
                yield (ROOT / "src" / name).resolve(), {"command": command, "target": target}
        else:
            yield path.resolve(), {"command": command, "target": target}


def batches_of(todo):
    """Lists of files to look at together: of one target, with one compile command, and without a name in common."""
    by_entry = {}
    for path, stamp, entry in todo:
        by_entry.setdefault((entry["target"], entry["command"]), []).append((path, stamp))
    return [{"command": command, "jobs": jobs}
            for (_, command), alike in by_entry.items()
            for jobs in batches.batches_of(alike, BATCH, path_of=lambda job: job[0])]


def look_at(jobs, command, folder):
    """clang-tidy's result for a source in `folder` that includes the files of `jobs`."""
    name = hashlib.sha256("".join(str(path) for path, _ in jobs).encode()).hexdigest()[:16]
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    file = (place / "batch.cc").resolve()
    file.write_text("".join(f'#include "{path}"  // NOLINT\n' for path, _ in jobs))
    (place / "compile_commands.json").write_text(json.dumps([{
        "directory": str(folder.parent.resolve()), "file": str(file), "command": command.replace("FILE", str(file))}]))
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
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    stamps = cache / "thicket" / "tidy"
    stamps.mkdir(parents=True, exist_ok=True)

    for stamp in stamps.iterdir():
        if time.time() - stamp.stat().st_mtime > KEPT_DAYS * 86400:
            stamp.unlink(missing_ok=True)

    todo = []
    clean = 0
    for path, entry in sorted(sources_of(options.build)):
        if not path.is_relative_to(ROOT / "src") or options.filter not in str(path) or not path.is_file():
            continue
        stamp = stamps / key(path, entry["command"], settings)
        if stamp.exists():
            stamp.touch()
            clean += 1
        else:
            todo.append((path, stamp, entry))
    todo_batches = batches_of(todo)

    def run(batch):
        """What to print, and how many files are not clean."""
        start = time.monotonic()
        rounds = [batch["jobs"]]
        complaints = []
        for jobs in rounds:
            result = look_at(jobs, batch["command"], options.build / "tidy")
            if result.returncode == 0:
                for _, stamp in jobs:
                    stamp.touch()
            elif len(jobs) > 1:
                rounds.extend([job] for job in jobs)
            else:
                complaints.append((jobs[0][0].relative_to(ROOT), result))
        return batch, complaints, time.monotonic() - start

    # The largest first, so that no long one is left over for the end.
    todo_batches.sort(key=lambda batch: -sum(job[0].stat().st_size for job in batch["jobs"]))
    failed = 0
    seen = set()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for batch, complaints, seconds in pool.map(run, todo_batches):
            if options.times:
                print(f"{seconds:6.1f} s ", *(path.relative_to(ROOT) for path, _ in batch["jobs"]))
            for path, result in complaints:
                failed += 1
                print(f"check: clang-tidy complains about {path}")
                print(unseen(result.stdout, seen) if result.stdout.strip() else result.stderr.strip())
                sys.stdout.flush()
    print(f"check: clang-tidy: {clean + len(todo) - failed} files clean ({clean} unchanged), {failed} not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
