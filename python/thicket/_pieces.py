"""Conversions that other libraries do in one go, done in pieces: Ctrl-C is heard between them.

pyarrow makes columns of Python's objects, and Python's objects of columns, without looking after signals. Each piece takes some
hundredths of a second, however wide its rows are.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import pyarrow

_FIRST_ROWS = 128
_LONG_SECONDS = 0.04


class Pieces:
    """Ranges of rows, each about as long as takes the time of a piece.

    >>> pieces = Pieces(300)
    >>> next(iter(pieces))
    (0, 128)
    """

    def __init__(self, rows: int) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[tuple[int, int]]:
        begin, size = 0, _FIRST_ROWS
        while begin < self._rows:
            end = min(begin + size, self._rows)
            began = time.monotonic()
            yield begin, end
            took = time.monotonic() - began
            if took < _LONG_SECONDS / 2:
                size *= 2
            elif took > _LONG_SECONDS:
                size = max(1, size // 2)
            begin = end


def _merged(a: pyarrow.DataType, b: pyarrow.DataType) -> pyarrow.DataType | None:
    """The type that pyarrow finds for values of both types; None where only a look at all of them tells."""
    import pyarrow
    from pyarrow import types

    if a.equals(b) or types.is_null(b):
        return a
    if types.is_null(a):
        return b
    if types.is_int64(a) and types.is_float64(b) or types.is_float64(a) and types.is_int64(b):
        return pyarrow.float64()
    if types.is_list(a) and types.is_list(b):
        element = _merged(a.value_type, b.value_type)
        return None if element is None else pyarrow.list_(element)
    if types.is_struct(a) and types.is_struct(b):
        fields = {field.name: field.type for field in a}
        for field in b:
            both = _merged(fields[field.name], field.type) if field.name in fields else field.type
            if both is None:
                return None
            fields[field.name] = both
        return pyarrow.struct(list(fields.items()))
    return None


def _column_of_objects(values: Any) -> pyarrow.ChunkedArray | None:
    """An array of Python's objects as a column, as pyarrow would make it; None where it must be made in one go."""
    import pyarrow

    pieces: list[tuple[int, int, Any]] = []
    whole = pyarrow.null()
    for begin, end in Pieces(len(values)):
        try:
            made = pyarrow.array(values[begin:end], from_pandas=True)
        except (pyarrow.ArrowException, ValueError, TypeError):
            return None
        merged = _merged(whole, made.type)
        if merged is None:
            return None
        whole = merged
        pieces.append((begin, end, made))
    chunks = []
    for begin, end, made in pieces:
        for part in made.chunks if isinstance(made, pyarrow.ChunkedArray) else [made]:
            if not part.type.equals(whole):
                try:
                    part = pyarrow.array(values[begin:end], type=whole, from_pandas=True)
                except (pyarrow.ArrowException, ValueError, TypeError):
                    return None
            chunks.append(part)
    return pyarrow.chunked_array(chunks, whole)


def table_of_pandas(frame: pandas.DataFrame) -> pyarrow.Table:
    """A data frame of pandas as a table, columns of objects in pieces. An index with a name is a column like others."""
    import pyarrow

    index = any(name is not None for name in frame.index.names)
    names = list(frame.columns)
    objects = [i for i, dtype in enumerate(frame.dtypes) if dtype == object]
    usual = len(set(names)) == len(names) and all(isinstance(name, str) for name in names)
    columns: dict[str, Any] = {}
    for i in objects if usual else []:
        column = _column_of_objects(frame.iloc[:, i].to_numpy())
        if column is not None:
            columns[names[i]] = column
    if not columns:
        return pyarrow.Table.from_pandas(frame, preserve_index=index)
    others = [i for i, name in enumerate(names) if name not in columns]
    rest = pyarrow.Table.from_pandas(frame.iloc[:, others], preserve_index=index)
    levels = [name for name in rest.column_names if name not in names]
    return pyarrow.table(
        {name: columns[name] if name in columns else rest[name] for name in [*names, *levels]}
    )


def pandas_of_table(table: pyarrow.Table) -> pandas.DataFrame:
    """What ``table.to_pandas()`` gives, lists and structs in pieces."""
    import numpy
    from pyarrow import types

    nested = [i for i, field in enumerate(table.schema) if types.is_nested(field.type)]
    frame: pandas.DataFrame = table.drop_columns([table.column_names[i] for i in nested]).to_pandas()
    for i in nested:
        column = table.column(i)
        values = numpy.empty(len(column), dtype=object)
        for begin, end in Pieces(len(column)):
            values[begin:end] = column.slice(begin, end - begin).to_pandas().to_numpy()
        frame.insert(i, table.column_names[i], values)
    return frame
