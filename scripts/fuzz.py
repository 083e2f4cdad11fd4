"""Runs every fuzz target of a build for a while.

A target NAME_fuzz starts from fuzz/corpus/NAME, where it exists, and from what earlier runs found worth keeping in
BUILD/fuzz-corpus/NAME. What makes it fail is kept in the system's folder for temporary files, and its path printed.

A gate should say the same of the same sources each time, so the seed is fixed; --seed 0 takes another one each time, to
hunt. With a fixed seed the same program makes the same inputs again, so a target that has not failed is not run again, in
any checkout, until its program, a library it loads, its first inputs or words, or the number of seconds is another one: a
stamp named by the hash of all these stands in the user's cache.
"""

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import stamps

ROOT = pathlib.Path(__file__).resolve().parent.parent


def key(binary, seeds, dictionary, options):
    """Whatever decides about the inputs of a run, and about what they do."""
    digest = hashlib.sha256(f"{options.seconds} {options.seed}".encode())
    stamps.add_program(digest, binary)
    first = sorted(path for path in seeds.rglob("*") if path.is_file())
    for path in [*first, *([dictionary] if dictionary.is_file() else [])]:
        stamps.add_file(digest, path)
    return digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=1, help="of the inputs; 0 for another each time")
    parser.add_argument("--jobs", type=int, default=1, help="targets at a time")
    options = parser.parse_args()

    targets = sorted(source.stem for source in (ROOT / "fuzz").glob("*_fuzz.cc"))
    artifacts = pathlib.Path(tempfile.mkdtemp(prefix="thicket-fuzz-"))
    known = stamps.Stamps("fuzz")

    def run(target):
        name = target.removesuffix("_fuzz")
        grown = options.build.resolve() / "fuzz-corpus" / name
        grown.mkdir(parents=True, exist_ok=True)
        seeds = ROOT / "fuzz" / "corpus" / name
        dictionary = ROOT / "fuzz" / f"{name}.dict"
        binary = options.build.resolve() / target
        stamp = key(binary, seeds, dictionary, options) if options.seed else None
        if stamp and known.is_there(stamp):
            return name, binary, None, ""
        command = [binary, f"-seed={options.seed}", f"-max_total_time={options.seconds}", "-timeout=20",
                   "-rss_limit_mb=3072", "-print_final_stats=1", f"-artifact_prefix={artifacts}/{name}-"]
        command += [f"-dict={dictionary}"] if dictionary.is_file() else []
        command += [grown] + ([seeds] if seeds.is_dir() else [])
        with open(artifacts / f"{name}.log", "w+", encoding="utf-8", errors="replace") as log:
            # A target that does not come back is a failure like any other.
            try:
                status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=artifacts,
                                        timeout=options.seconds + 120).returncode
            except subprocess.TimeoutExpired:
                status = -1
            if status == 0 and stamp:
                known.of(stamp).touch()
            log.seek(0)
            return name, binary, status, log.read()

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, binary, status, log in pool.map(run, targets):
            if status is None:
                print(f"check: fuzz {name}: unchanged since it ran without a failure")
                continue
            if status == 0:
                runs = re.search(r"stat::number_of_executed_units:\s*(\d+)", log)
                covered = re.findall(r"\bcov: (\d+)", log)
                print(f"check: fuzz {name}: {int(runs[1]) if runs else 0:,} inputs, "
                      f"{covered[-1] if covered else '?'} edges, no failure")
                os.unlink(artifacts / f"{name}.log")
                continue
            failed += 1
            print(f"check: fuzz {name} failed with status {status}")
            lines = log.splitlines()
            first = next((i for i, line in enumerate(lines) if "ERROR: " in line or "runtime error: " in line), 0)
            print("\n".join("  " + line for line in lines[first:first + 30]))
            for reproducer in sorted(artifacts.glob(f"{name}-*")):
                print(f"  reproduce with: {binary} {reproducer}")
            print(f"  whole log: {artifacts / name}.log")
    if not failed:
        artifacts.rmdir()
    print(f"check: fuzz: {len(targets) - failed} targets without a failure, {failed} with one")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
