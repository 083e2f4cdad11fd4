"""What crossing between Python's data frames and the library costs.

  python bench/python_bench.py [--rows 1000000] [--students 100000] --thicket build/thicket

Run by scripts/bench where the Python package is built. Prints CPU and wall time; beside each stands what it must stay under.
"""

import argparse
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import pandas as pd
import polars as pl
import thicket as th
from thicket import _thicket
from thicket._data import records_of, table_of


def show(what, bound, wall, cpu):
    verdict = "" if bound is None else f"   (bound: {bound:.2f} s)"
    print(f"  {what:<52} {wall:7.2f} s wall {cpu:7.2f} s CPU{verdict}", flush=True)


def timed(work):
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def measured(what, bound, work):
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    show(what, bound, wall, cpu)
    return result, cpu


def wide_frame(rows):
    random = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "age": random.integers(18, 90, rows),
            "zip": random.integers(10000, 99999, rows).astype(str),
            "sex": random.choice(["f", "m"], rows),
            "city": random.choice([f"city {i}" for i in range(500)], rows),
            "income": random.normal(40000, 10000, rows).round(2),
            "children": random.integers(0, 5, rows),
            "married": random.random(rows) < 0.5,
            "since": pd.Timestamp("2000-01-01") + pd.to_timedelta(random.integers(0, 8000, rows), unit="D"),
            "disease": random.choice([f"disease {i}" for i in range(100)], rows),
        }
    )


def crossing(rows):
    """A frame into records, and out again, without anonymizing: every column is kept."""
    print(f"{rows:,} rows x 9 columns, in and out of pandas without the anonymization")
    frame = wide_frame(rows)
    policy = th.Policy({"version": 1, "record": {"class": "r", "quasi": {"sex": {"mask": 1}}, "keep": [c for c in frame if c != "sex"]}, "privacy": {"k": 2}})._policy
    table, t1 = measured("pandas to Arrow", None, lambda: table_of(frame, "frame", False))
    records, t2 = measured("Arrow to records", None, lambda: _thicket.Records.of_table(policy, table, False, "frame", None, False))
    made, t3 = measured("records to Arrow", None, lambda: th.Table(_thicket.table_of_records(policy, records)))
    _, t4 = measured("Arrow to pandas", None, made.to_pandas)
    print(f"  {'together':<52} {t1 + t2 + t3 + t4:7.2f} s CPU   (bound: 2.00 s)")


def students(command, count):
    print(f"{count:,} students: from a polars frame, and from JSON Lines")
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "students"
        subprocess.run([command, "generate", "students", "-n", str(count), "--seed", "7", "-o", made], check=True, stdout=subprocess.DEVNULL)
        policy = th.Policy.load(made / "policy.yaml")._policy
        lines = str(made / "students.jsonl")
        # The least of three: what a library does once, when it is first asked, is not what crossing costs.
        runs = {}
        for _ in range(3):
            frame = pl.read_ndjson(lines)
            for what, read in (
                ("JSON Lines to records", lambda: _thicket.Records.of_file(policy, lines, False, None, False)),
                (f"polars, {frame.n_chunks()} chunks, to records", lambda frame=frame: records_of(policy, frame, False, "frame", None, False)),
                ("polars, one chunk, to records", lambda frame=frame.rechunk(): records_of(policy, frame, False, "frame", None, False)),
            ):
                runs.setdefault(what, []).append(timed(read))
        bound = None
        for what, times in runs.items():
            wall, cpu = min(times)
            show(what, bound, wall, cpu)
            bound = bound or cpu


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--students", type=int, default=100_000)
    parser.add_argument("--thicket", required=True)
    arguments = parser.parse_args()
    crossing(arguments.rows)
    students(arguments.thicket, arguments.students)
