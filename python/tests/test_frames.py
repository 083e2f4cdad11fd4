"""Columns as users have them: those that can be read, and clear errors for the rest."""

from __future__ import annotations

import datetime
import decimal
import enum
import math

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import thicket as th
from test_thicket import error_of

KEEP = {"version": 1, "record": {"class": "r", "quasi": {"q": {"mask": 1}}, "keep": ["v"]}, "privacy": {"k": 2}}
TREES = {
    "version": 1,
    "record": {"class": "r", "quasi": {"q": {"mask": 1}}, "children": [{"class": "c", "at": "v", "quasi": {"x": {"mask": 1}}}]},
    "privacy": {"k": 2},
}


def published(values: object) -> list[object]:
    """What becomes of a kept column of a frame, without what is missing."""
    frame = pd.DataFrame({"q": ["a"] * 6, "v": values})
    result = th.anonymize(KEEP, frame, seed=1)
    return sorted(str(value) for value in result.to_arrow()["v"].to_pylist() if value is not None)


PANDAS = {
    "Int64": (pd.array([1, 2, None] * 2, dtype="Int64"), ["1", "1", "2", "2"]),
    "boolean": (pd.array([True, None, False] * 2, dtype="boolean"), ["False", "False", "True", "True"]),
    "string": (pd.array(["a", None, "b"] * 2, dtype="string"), ["a", "a", "b", "b"]),
    "Float64": (pd.array([1.0, None, 2.5] * 2, dtype="Float64"), ["1.0", "1.0", "2.5", "2.5"]),
    "a category that no row has": (pd.Categorical(["a", "b"] * 3, categories=["a", "b", "secret"]), list("aaabbb")),
    "categories of numbers": (pd.Categorical([1, 2] * 3, ordered=True), list("111222")),
    "categories with nulls": (pd.Categorical(["a", None] * 3), list("aaa")),
    "zones": (pd.to_datetime(["2020-01-01", None] * 3).tz_localize("Europe/Berlin"), ["2020-01-01 00:00:00+01:00"] * 3),
    "Arrow's decimals": (pd.array([decimal.Decimal("1.5")] * 6, dtype=pd.ArrowDtype(pa.decimal128(5, 2))), ["1.50"] * 6),
    "objects with NA": (pd.Series(["a", pd.NA] * 3, dtype=object), list("aaa")),
    "objects with NaN": (pd.Series(["a", math.nan] * 3, dtype=object), list("aaa")),
    "dates": (pd.Series([datetime.date(2020, 1, 1), None] * 3, dtype=object), ["2020-01-01"] * 3),
}


@pytest.mark.parametrize("name", PANDAS)
def test_columns_of_pandas_are_read(name):
    values, expected = PANDAS[name]
    assert published(values) == expected
    assert "secret" not in str(th.anonymize(KEEP, pd.DataFrame({"q": ["a"] * 6, "v": values}), seed=1).to_arrow())


class Colour(enum.Enum):
    RED = 1


UNREADABLE = {
    "periods": (pd.period_range("2020-01", periods=6, freq="M"), "pandas.period"),
    "durations": (pd.to_timedelta(range(6), unit="D"), "durations"),
    "intervals": (pd.interval_range(0, 6, periods=6), "structs"),
    "sparse": (pd.arrays.SparseArray([0, 0, 1, 0, 0, 1]), "other types"),
    "complex": (np.array([1 + 2j] * 6), "other types"),
    "huge": (pd.Series([2**70] * 6, dtype=object), "64 bits"),
    "objects": (pd.Series([Colour.RED] * 6, dtype=object), "other types"),
    "mixed": (pd.Series([7777, "a"] * 3, dtype=object), "one type"),
    "bytes": (pd.Series([b"a"] * 6, dtype=object), "binary"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_columns_of_pandas_that_cannot_be_read_are_clear_errors(name):
    values, says = UNREADABLE[name]
    frame = pd.DataFrame({"q": ["a"] * 6, "v": values})
    error = error_of(th.DataError, lambda: th.anonymize(KEEP, frame))
    assert error.path == "v" and says in error.message and error.hint and "7777" not in str(error)


def test_extension_types_are_read_where_they_are_text_and_refused_where_they_are_numbers():
    def kept(column: pa.Array) -> list[object]:
        return th.anonymize(KEEP, pa.table({"q": ["a"] * 2, "v": column}), seed=1).to_pylist()

    text = pa.ExtensionArray.from_storage(pa.json_(), pa.array(["{}"] * 2))
    assert [row["v"] for row in kept(text)] == ["{}", "{}"]
    for type, storage in ((pa.bool8(), pa.array([1, 0], pa.int8())), (pa.opaque(pa.int64(), "x", "y"), pa.array([1, 2]))):
        error = error_of(th.DataError, lambda type=type, storage=storage: kept(pa.ExtensionArray.from_storage(type, storage)))
        assert error.path == "v" and "extension type" in error.message and type.extension_name in error.message


def test_columns_of_polars_and_duckdb_are_read():
    frame = pl.DataFrame(
        {
            "q": ["a"] * 4,
            "v": pl.Series(["a", "b"] * 2, dtype=pl.Enum(["a", "b", "secret"])),
        }
    )
    out = th.anonymize(KEEP, frame, seed=1)
    assert sorted(out.to_polars()["v"].to_list()) == list("aabb") and "secret" not in str(out.to_arrow()["v"])
    for values, dtype in (
        ([decimal.Decimal("1.50")] * 4, pl.Decimal(10, 2)),
        ([datetime.datetime(2020, 1, 1)] * 4, pl.Datetime("ms", "Asia/Tokyo")),
        (["x", None] * 2, pl.Categorical),
        ([1.0, math.nan, None, 2.0], pl.Float64),
    ):
        series = pl.Series(values, dtype=dtype, strict=False)
        kept = th.anonymize(KEEP, pl.DataFrame({"q": ["a"] * 4, "v": series}), seed=1).to_polars()["v"]
        assert kept.dtype == series.dtype and kept.null_count() == sum(v is None or v != v for v in values)
    with duckdb.connect() as connection:
        for sql, value in (("1::HUGEINT", 1), ("'a'::ENUM('a', 'secret')", "a"), ("TIME '10:00:00'", "10:00:00"), ("1.5::DECIMAL(10, 2)", 1.5)):
            relation = connection.sql(f"select 'a' as q, {sql} as v from range(4)")
            assert [row["v"] for row in th.anonymize(KEEP, relation, seed=1).to_pylist()] == [value] * 4
        for sql in ("INTERVAL 1 DAY", "MAP {'a': 1}", "[1, 2]", "{'a': 1}", "'a'::BLOB", "union_value(n := 1)"):
            relation = connection.sql(f"select 'a' as q, {sql} as v from range(4)")
            assert error_of(th.DataError, lambda relation=relation: th.anonymize(KEEP, relation)).path == "v"


def test_lists_and_structs_of_every_kind_are_read_or_clear_errors():
    def trees(column: pa.Array) -> list[object]:
        return [row.get("v") for row in th.anonymize(TREES, pa.table({"q": ["a"] * len(column), "v": column}), seed=1).to_pylist()]

    assert sorted(trees(pa.array([None, [{"x": 1}]] * 2)), key=str) == [[], [], [{"x": "1"}], [{"x": "1"}]]
    assert trees(pa.array([[1, None]] * 2)) == [["1", None]] * 2
    assert trees(pa.nulls(2)) == [[], []]
    assert trees(pa.array([[]] * 2, pa.list_(pa.struct([("x", pa.int64())])))) == [[], []]
    sliced = pa.ListArray.from_arrays(pa.array([0, 1, 2]), pa.array([{"x": 5}] * 6).slice(4))
    assert trees(sliced) == [[{"x": "5"}]] * 2
    for column, path in (
        (pa.array([[[1]]] * 2), "v"),
        (pa.array([{}] * 2, pa.struct([])), "v.x"),
        (pa.array([[{}]] * 2, pa.list_(pa.struct([]))), "v.x"),
        (pa.array([[{"x": 1}, None]] * 2), "v[1]"),
    ):
        assert error_of(th.DataError, lambda column=column: trees(column)).path == path


def test_a_missing_value_alone_is_no_child_and_is_published_in_one_way():
    nothing = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, None], pa.int8()), pa.array(["a", None]))
    for column in (pa.array([1.0, math.nan, 1.0, None]), nothing):
        table = pa.table({"q": ["a"] * 4, "v": column})
        result = th.anonymize(TREES, table, seed=1)
        assert result.report.input.vertices == 6
        assert sorted("v" in row for row in result.to_pylist()) == [False, False, True, True]
        # Whoever sees null and NaN side by side can tell look-alikes apart.
        for published in (table, table.set_column(1, "v", pa.ListArray.from_arrays([0, 1, 2, 3, 4], column))):
            assert any("one way" in message for message in th.verify(TREES, published).messages)


def test_an_index_with_a_name_is_a_column_however_it_is_stored():
    frame = pd.DataFrame({"v": range(4)}, index=pd.RangeIndex(4, name="q"))
    assert len(th.anonymize(KEEP, frame, seed=1)) == 4
    levels = pd.MultiIndex.from_tuples([("a", 1)] * 4, names=["q", "z"])
    assert len(th.anonymize(KEEP, pd.DataFrame({"v": range(4)}, index=levels), seed=1)) == 4


def test_objects_that_cannot_be_read_are_clear_errors():
    holds_itself: dict[str, object] = {"q": "a"}
    holds_itself["v"] = [holds_itself]
    for row, path, says in (
        (holds_itself, "v", "100 levels"),
        ({"q": "a", "v": "half \ud800"}, "v", "half of a pair"),
        ({"q": "a", "v": {1, 2}}, "v", "set"),
        ({"q": "a", "v": 2**80}, "v", "64 bits"),
        ({"q": "a", "v": math.inf}, "v", "infinite"),
    ):
        error = error_of(th.DataError, lambda row=row: th.anonymize(KEEP, [row, row]))
        assert error.path == path and says in error.message and error.file == "data", error
    wrong: dict[str, object] = {**KEEP}
    wrong["record"] = wrong
    assert "100 levels" in error_of(th.PolicyError, lambda: th.Policy(wrong)).message
    error = error_of(th.PolicyError, lambda: th.Policy({**KEEP, "privacy": {"k": {2}}}))
    assert error.path == "privacy.k" and "set" in error.message
    error_of(th.PolicyError, lambda: th.Policy({**KEEP, "privacy": {"\ud800": 2}}))
