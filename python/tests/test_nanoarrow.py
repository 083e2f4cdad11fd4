"""Arrow's C interface, with nanoarrow for an oracle: it reads and builds arrays with code that is neither ours nor pyarrow's.

What is handed out is whole by its checks, and says what pyarrow reads in it. What it builds is read as what pyarrow builds.
"""

from __future__ import annotations

import datetime
import decimal
import io

import nanoarrow as na
import pyarrow as pa
import pytest
import thicket as th
from test_thicket import CODES, POLICY, students

OFFSETS = {"list": "<i4", "large_list": "<i8"}


def check(array: na.c_array.CArray, view: na.c_array.CArrayView) -> int:
    """Checks all buffers of an array as nanoarrow sees them; returns how many leaves there are.

    Making a view looks at the sizes of buffers and the lengths of columns. A leaf is built anew of its buffers, with everything checked;
    nanoarrow does not do so for lists and dictionaries, whose numbers are looked at here.
    """
    leaves = 0
    for i in range(view.n_children):
        leaves += check(array.child(i), view.child(i))
    if view.storage_type in OFFSETS:
        offsets = list(view.buffer(1))
        assert offsets == sorted(offsets) and offsets[0] == 0
        assert offsets[-1] == view.child(0).length and len(offsets) == view.length + 1
    elif view.dictionary is not None:
        codes = list(view.buffer(1))
        assert set(codes) == set(range(view.dictionary.length)) and len(codes) == view.length
        leaves += check(array.dictionary, view.dictionary)
    elif view.n_children == 0 and view.storage_type not in ("na", "struct"):
        built = na.c_array_from_buffers(
            array.schema,
            view.length,
            list(view.buffers),
            null_count=array.null_count,
            offset=array.offset,
            validation_level="full",
        )
        assert built.length == array.length
        leaves += 1
    return leaves


def checked(table: object) -> tuple[int, list[object]]:
    """Checks a table chunk by chunk: how many leaves there are, and the rows as nanoarrow reads them."""
    with na.c_array_stream(table) as stream:
        leaves = sum(check(array, array.view()) for array in stream)
    return leaves, list(na.ArrayStream(table).read_all().iter_py())


@pytest.mark.parametrize("privacy", [{"k": 2}, {"k": 3, "l": 2}, {"k": 2, "m": 2, "n": 1}], ids=str)
def test_what_is_handed_out_is_whole_and_says_what_pyarrow_reads(privacy):
    policy = th.Policy({**POLICY, "privacy": privacy}, taxonomies={"code": CODES})
    rows = students(60)
    frame = pa.Table.from_pylist(rows)
    categories = frame.set_column(2, "campus", frame["campus"].dictionary_encode())
    for data in (rows, frame, categories):
        result = th.anonymize(policy, data, seed=7, with_class="m" not in privacy)
        leaves, read = checked(result.table)
        assert leaves >= 6
        arrow = result.to_arrow()
        arrow.validate(full=True)
        assert read == arrow.to_pylist()
        assert th.verify(policy, na.ArrayStream(result.table), original=rows).holds


# Kept columns of each type, with nulls. nanoarrow 0.9 takes negative decimals for large ones when it makes Python's objects of them.
COLUMNS = {
    "int8": pa.array([1, -5, None] * 2, pa.int8()),
    "uint64": pa.array([1, 2**64 - 1, None] * 2, pa.uint64()),
    "half": pa.array([1.5, -2.0, None] * 2, pa.float16()),
    "double": pa.array([1e300, 0.1, None] * 2),
    "bool": pa.array([True, False, None] * 2),
    "string": pa.array(["", "é", None] * 2),
    "large string": pa.array(["a", "b" * 30, None] * 2, pa.large_string()),
    "decimal": pa.array([decimal.Decimal("12.30"), decimal.Decimal("0.01"), None] * 2),
    "decimal256": pa.array([decimal.Decimal("0.001"), decimal.Decimal("12345678901234567890123456789012345.125"), None] * 2, pa.decimal256(50, 3)),
    "date32": pa.array([datetime.date(1969, 12, 31), datetime.date(2000, 2, 29), None] * 2),
    "date64": pa.array([datetime.date(1, 1, 1), datetime.date(9999, 12, 31), None] * 2, pa.date64()),
    "time": pa.array([datetime.time(23, 59, 59, 1), datetime.time(0), None] * 2),
    "timestamp": pa.array([datetime.datetime(1903, 7, 1, 0, 0, 1), datetime.datetime(2020, 1, 1), None] * 2, pa.timestamp("ms")),
    "zoned": pa.array([datetime.datetime(2020, 7, 1, tzinfo=datetime.timezone.utc), None, None] * 2, pa.timestamp("us", "Europe/Berlin")),
    "dictionary": pa.array(["a", "b", None] * 2).dictionary_encode(),
    "dictionary of numbers": pa.array([5, 7, None] * 2).dictionary_encode(),
    "null": pa.nulls(6),
}
# nanoarrow hands views on, but decodes none from bytes, and 0.9 ends the process when it makes Python's objects of them.
VIEWS = {
    "string view": pa.array(["inside", "longer than twelve bytes", None] * 2, pa.string_view()),
}
KEEP = {"version": 1, "record": {"class": "r", "quasi": {"q": {"mask": 1}}, "keep": ["v"]}, "privacy": {"k": 2}}


def decoded(table: pa.Table, chunk: int) -> na.ArrayStream:
    """The table, built anew by nanoarrow from its form as a stream of bytes."""
    out = io.BytesIO()
    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table, max_chunksize=chunk)
    return na.ArrayStream.from_readable(out.getvalue())


@pytest.mark.parametrize("name", [*COLUMNS, *VIEWS])
def test_what_nanoarrow_builds_is_read_as_what_pyarrow_builds(name):
    column = {**COLUMNS, **VIEWS}[name]
    table = pa.table({"q": ["a"] * 6, "v": column})
    for whole in (table, table.slice(2), pa.concat_tables([table.slice(0, 1), table.slice(1)])):
        expected = th.anonymize(KEEP, whole, seed=3).to_arrow()
        expected.validate(full=True)
        built = [na.ArrayStream(whole)]
        if name in COLUMNS:
            built += [decoded(whole, 4), decoded(whole, 100)]
        for stream in built:
            found = th.anonymize(KEEP, stream, seed=3)
            assert found.to_arrow().equals(expected)
            assert pa.table(na.ArrayStream(found.table)).equals(expected)
            if name in COLUMNS:
                leaves, read = checked(found.table)
                assert read == expected.to_pylist() and leaves >= 1


def test_arrays_with_offsets_inside_are_read_where_they_begin():
    """A struct with an offset around columns with offsets of their own, in a list with one: built part by part."""
    months = na.c_array_from_buffers(na.int32(), 6, [None, pa.array(range(8), pa.int32()).buffers()[1]], offset=2)
    codes = na.c_array(["a", "b", "c", "d", "e", "f"], na.string())
    structs = na.c_array_from_buffers(na.struct({"m": na.int32(), "c": na.string()}), 5, [None], offset=1, children=[months, codes])
    lists = na.c_array_from_buffers(
        na.list_(na.struct({"m": na.int32(), "c": na.string()})),
        2,
        [None, na.c_buffer([0, 1, 3, 5], na.int32())],
        offset=1,
        children=[structs],
    )
    rows = na.c_array_from_buffers(
        na.struct({"v": na.list_(na.struct({"m": na.int32(), "c": na.string()}))}), 2, [None], children=[lists]
    )
    expected = pa.array(rows).to_pylist()
    assert expected == [{"v": [{"m": 4, "c": "c"}, {"m": 5, "c": "d"}]}, {"v": [{"m": 6, "c": "e"}, {"m": 7, "c": "f"}]}]
    policy = {
        "version": 1,
        "record": {"class": "r", "children": [{"class": "c", "at": "v", "quasi": {"c": {"mask": 1}}, "keep": ["m"]}]},
        "privacy": {"k": 2},
    }
    found = th.anonymize(policy, rows, seed=1).to_arrow()
    assert found.equals(th.anonymize(policy, expected, seed=1).to_arrow().cast(found.schema))
    assert sorted(c["m"] for row in found.to_pylist() for c in row["v"]) == [4, 5, 6, 7]
