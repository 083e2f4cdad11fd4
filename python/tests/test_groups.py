"""Frames with several rows per person: ``record.group_by``, as for long CSV tables."""

from __future__ import annotations

import json
import os
import subprocess

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import thicket as th
from test_thicket import by_value, error_of

COMMAND = os.environ.get("THICKET_COMMAND")

RECORD = {
    "class": "student",
    "group_by": "student",
    "drop": ["name"],
    "keep": ["campus"],
    "quasi": {"born": {"ranges": [5, 10]}, "sex": {"mask": 1}},
    "children": [{"class": "enrolment", "drop": ["note"], "quasi": {"course": {"mask": 3}}, "sensitive": {"grade": {}}, "keep": ["points"]}],
}


def enrolments(persons: int = 40) -> list[dict[str, object]]:
    """Rows of persons, anywhere: some have one, some many, some none that says anything."""
    rows = []
    for i in range(persons * 3):
        who = i * 17 % persons
        nothing = who % 10 == 9
        if i >= persons and (nothing or who % 4 == 0):
            continue
        rows.append(
            {
                "course": None if nothing else f"C{(i * 5 + who) % 7}01",
                "student": f"S{who}",
                "name": f"Person {who}",
                "born": 1960 + who % 13,
                "grade": None if nothing else "ABCD"[(who + i) % 4],
                "sex": "fm"[who % 2],
                "campus": None if who % 7 == 0 else who % 3,
                "points": None if nothing or i % 5 == 0 else i % 4 + 0.5,
                "note": f"note {i}",
            }
        )
    return rows


@pytest.fixture(scope="module")
def rows() -> list[dict[str, object]]:
    return enrolments()


FRAMES = {
    "pandas": lambda rows: pd.DataFrame(rows),
    "polars": lambda rows: pl.DataFrame(rows),
    "pyarrow": lambda rows: pa.Table.from_pylist(rows),
    "duckdb": lambda rows: duckdb.from_arrow(pa.Table.from_pylist(rows)),
    "batches": lambda rows: pa.Table.from_batches(pa.Table.from_pylist(rows).to_batches(max_chunksize=7)),
    "sliced": lambda rows: pa.Table.from_pylist(rows[:3] + rows).slice(3),
    "categories": lambda rows: pd.DataFrame(rows).astype({"student": "category", "course": "category"}),
    "generator": lambda rows: (row for row in rows),
}


@pytest.mark.skipif(COMMAND is None, reason="THICKET_COMMAND names no command")
@pytest.mark.parametrize("privacy", [{"k": 2}, {"k": 3, "l": 2}, {"k": 2, "m": 2, "n": 1}], ids=str)
def test_every_library_gives_the_rows_that_the_command_gives(rows, privacy, tmp_path):
    policy = {"version": 1, "record": RECORD, "privacy": privacy}
    pd.DataFrame(rows).convert_dtypes().to_csv(tmp_path / "d.csv", index=False)
    # YAML is a superset of JSON.
    (tmp_path / "p.yaml").write_text(json.dumps(policy))
    done = subprocess.run(
        [COMMAND, "anonymize", tmp_path / "p.yaml", "-i", tmp_path / "d.csv", "-o", tmp_path / "o.csv", "--seed", "7", "--quiet"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    expected = pd.read_csv(tmp_path / "o.csv", dtype=object, keep_default_na=False, na_values=[""])
    wanted = by_value([{k: v for k, v in row.items() if isinstance(v, str)} for row in expected.to_dict("records")])
    for name, frame in FRAMES.items():
        result = th.anonymize(policy, frame(rows), seed=7)
        assert result.table.column_names == list(expected.columns), name
        assert by_value(result.to_pylist()) == wanted, name
        assert th.verify(policy, result, original=frame(rows)).holds, name
    assert by_value(th.anonymize(policy, tmp_path / "d.csv", seed=7).to_pylist()) == wanted
    # A CSV file has no types: it is compared with a file.
    assert th.verify(policy, tmp_path / "o.csv", original=tmp_path / "d.csv").holds
    assert th.verify(policy, result.to_pandas()).holds


def test_rows_of_a_person_are_one_record(rows, tmp_path):
    policy = {"version": 1, "record": RECORD, "privacy": {"k": 2, "l": 2}}
    frame = pl.DataFrame(rows)
    result = th.anonymize(policy, frame, seed=3, link=True, with_class=True)
    assert result.report.input.records == 40 and len(result.link) == result.report.output.records
    out = result.to_polars()
    assert out["student"].dtype == pl.Int64 and out["campus"].dtype == pl.Int64 and out["points"].dtype == pl.Float64
    assert out["born"].dtype == pl.String
    # New numbers, rows of a person together, and nothing that was dropped.
    assert out["student"].unique(maintain_order=True).to_list() == list(range(1, result.report.output.records + 1))
    assert out["student"].is_sorted() and not {"name", "note"} & set(out.columns)
    assert th.verify(policy, out, original=frame, link=result.link).holds
    assert th.evaluate(policy, result, frame, metrics=["lm"]).utility.lm == pytest.approx(result.report.utility.lm)
    assert "found" in str(th.attack(policy, result, frame, labels=2))
    assert [point.kept for point in th.frontier(policy, frame, k=[2, 3], queries=20, trials=10).points] == [True, True]
    frame.write_parquet(tmp_path / "in.parquet")
    for name in ("out.parquet", "out.jsonl"):
        assert th.anonymize_file(policy, tmp_path / "in.parquet", tmp_path / name, seed=3).guarantee.verified
    assert th.verify(policy, tmp_path / "out.parquet", original=frame).holds


def test_a_person_cannot_hide_behind_their_own_rows():
    policy = {
        "version": 1,
        "record": {"class": "p", "group_by": "id", "quasi": {"zip": {"mask": 1}}, "children": [{"class": "row", "quasi": {"day": {"mask": 1}}}]},
        "privacy": {"k": 2},
    }
    rows = [{"id": 1, "zip": "1", "day": "a"}] * 5 + [{"id": 2, "zip": "2", "day": "a"}] * 2
    out = th.anonymize(policy, rows, seed=1).to_pylist()
    assert {row["zip"] for row in out} == {"*"} and {row["id"] for row in out} == {1, 2}


def test_wrong_rows_are_clear_errors(rows):
    policy = {"version": 1, "record": RECORD, "privacy": {"k": 2}}
    frame = pd.DataFrame(rows)
    error = error_of(th.DataError, lambda: th.anonymize(policy, frame.rename(columns={"student": "studnet"})))
    assert error.path == "student" and error.hint == "did you mean studnet?"
    error = error_of(th.DataError, lambda: th.anonymize(policy, frame.assign(student=[None, *frame["student"][1:]])))
    assert error.row == 1 and error.path == "student" and "whose it is" in error.message
    moved = frame.assign(born=[*frame["born"][:-1], 1999])
    error = error_of(th.DataError, lambda: th.anonymize(policy, moved))
    assert error.row == len(frame) and error.path == "born" and "same value" in error.message and "1999" not in str(error)
    error = error_of(th.DataError, lambda: th.anonymize(policy, frame.assign(born="nineteen"), show_values=True))
    assert error.value == "nineteen" and error.path == "born" and error.row
    error = error_of(th.DataError, lambda: th.anonymize(policy, frame.assign(course=[["x"]] * len(frame))))
    assert error.path == "course" and "lists" in error.message
    published = th.anonymize(policy, frame, seed=1).to_pandas()
    with pytest.raises(th.PromiseError):
        th.verify(policy, published.assign(student=published["student"] + 7))
    with pytest.raises(th.PromiseError):
        th.verify(policy, published.assign(name="Ann"))
    assert not th.verify(policy, published.assign(salary=1)).holds


def test_a_proposal_for_rows_of_persons_groups_them(rows):
    frame = pd.DataFrame(rows).rename(columns={"student": "student_id"})
    proposed = th.propose(frame, name="enrolments")
    assert "group_by: student_id" in proposed.yaml
    result = th.anonymize(proposed, frame, seed=1)
    assert result.report.input.records == 40
    assert "Person" not in str(result.to_pylist()) and "S17" not in str(result.to_pylist())
