"""Data as users have it: frames, lists of dictionaries, files."""

from __future__ import annotations

import os
import re
from typing import Any, Union

from . import _thicket
from ._errors import DataError
from ._table import Table

#: A frame or table with ``__arrow_c_stream__`` (pandas, polars, pyarrow, DuckDB, ...), a list of dictionaries, or a path.
Data = Any

Source = Union[_thicket.Table, str]

_PARQUET = (".parquet", ".pq")


def is_path(data: Data) -> bool:
    return isinstance(data, (str, os.PathLike))


def is_parquet(path: str) -> bool:
    return path.lower().endswith(_PARQUET)


def source_of(data: Data, name: str, show_values: bool) -> Source:
    """A table, or the path of a file that the library reads itself."""
    if is_path(data):
        path = os.fspath(data)
        if not is_parquet(path):
            return str(path)
        data = _read_parquet(str(path))
        name = os.path.basename(path)
    return table_of(data, name, show_values)


def table_of(data: Data, name: str, show_values: bool) -> _thicket.Table:
    if isinstance(data, Table):
        return data._table
    if hasattr(data, "collect") and hasattr(data, "lazy") and not hasattr(data, "__arrow_c_stream__"):
        data = data.collect()  # a lazy frame of polars
    if hasattr(data, "__arrow_c_stream__"):
        return _thicket.Table.of_stream(_stream_of(data, name, show_values), name, show_values)
    if hasattr(data, "__arrow_c_array__"):
        schema, array = data.__arrow_c_array__()
        return _thicket.Table.of_array(schema, array, name, show_values)
    if isinstance(data, dict) or isinstance(data, (bytes, bytearray)):
        raise DataError(
            f"{name}: must be a data frame, a list of dictionaries or a path, but is of the type {type(data).__name__}",
            "hand over a list with one dictionary per record",
            file=name,
        )
    try:
        rows = iter(data)
    except TypeError:
        raise DataError(
            f"{name}: must be a data frame, a list of dictionaries or a path, but is of the type {type(data).__name__}",
            "hand over something with __arrow_c_stream__",
            file=name,
        ) from None
    return _thicket.Table.of_objects(rows, name, show_values)


def _stream_of(data: Data, name: str, show_values: bool) -> object:
    """The stream of a frame. pandas converts columns here, and complains with their values: these stay out of the message."""
    try:
        return data.__arrow_c_stream__()
    except Exception as error:
        if not type(error).__module__.startswith("pyarrow"):
            raise
        text = " ".join(str(part) for part in error.args)
        found = re.search(r"Conversion failed for column (.+?) with type", text)
        column = found.group(1) if found else None
        raise DataError(
            f"{name}: {column + ': ' if column else ''}a column must hold values of one type, but has several",
            "convert them to one type",
            file=name,
            path=column,
            value=text if show_values else None,
        ) from None


def _read_parquet(path: str) -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise ImportError("Parquet files need pyarrow: pip install pyarrow") from None
    return pyarrow.parquet.read_table(path)


def records_of(
    policy: _thicket.Policy,
    data: Data,
    published: bool,
    name: str,
    progress: object,
    show_values: bool,
) -> _thicket.Records:
    """The records of data for a policy, read as original or as published ones."""
    source = source_of(data, name, show_values)
    if isinstance(source, str):
        return _thicket.Records.of_file(policy, source, published, progress, show_values)
    return _thicket.Records.of_table(policy, source, published, name, progress, show_values)
