"""Data as users have it: frames, lists of dictionaries, files."""

from __future__ import annotations

import os
from typing import Any, Union

from . import _thicket
from ._errors import DataError, StorageError
from ._pieces import table_of_pandas
from ._table import Table

#: A frame or table with ``__arrow_c_stream__`` (pandas, polars, pyarrow, DuckDB, ...), a list of dictionaries, or a path.
Data = Any

Source = Union[_thicket.Table, str]

_PARQUET = (".parquet", ".pq")

# Ctrl-C is heard between batches.
_ROWS_OF_A_BATCH = 4096


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
        name = os.path.basename(path)
        data = read_parquet(str(path), name)
    return table_of(data, name, show_values)


def table_of(data: Data, name: str, show_values: bool) -> _thicket.Table:
    if isinstance(data, Table):
        return data._table
    if hasattr(data, "collect") and hasattr(data, "lazy") and not hasattr(data, "__arrow_c_stream__"):
        data = data.collect()  # a lazy frame of polars
    if hasattr(data, "__arrow_c_stream__") or _is_of(data, "pandas", "DataFrame"):
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


def _is_of(data: Data, library: str, kind: str) -> bool:
    """Whether data is a frame of a library, which need not be there."""
    return any(
        base.__name__ == kind and base.__module__.split(".")[0] == library
        for base in type(data).__mro__
    )


def _stream_of(data: Data, name: str, show_values: bool) -> object:
    """The stream of a frame, with as few copies as its library allows.

    pandas converts columns here, and complains with their values: these stay out of the message.
    """
    if _is_of(data, "polars", "DataFrame") and data.n_chunks() > 1:
        # A frame would put its chunks together first; a column of structs hands them over one by one, where they stand.
        return data.to_struct("").__arrow_c_stream__()
    if not _is_of(data, "pandas", "DataFrame"):
        return data.__arrow_c_stream__()
    try:
        return table_of_pandas(data).__arrow_c_stream__()
    except ImportError:
        raise ImportError("data frames of pandas need pyarrow: pip install pyarrow") from None
    except Exception as error:
        raise _conversion_error(error, data, name, show_values) from None


_OTHER_TYPES = "must hold text, numbers, booleans or dates, but holds values of other types"
_SEVERAL_TYPES = "a column must hold values of one type, but has several"
_TOO_LARGE = "whole numbers must fit into 64 bits, but one does not"


def _conversion_error(error: Exception, data: Data, name: str, show_values: bool) -> Exception:
    """What pandas or pyarrow could not convert, without the values that their messages quote."""
    names = [str(column) for column in data.columns]
    twice = next((column for column in names if names.count(column) > 1), None)
    if twice is not None:
        return DataError(
            f"{name}: {twice}: a column must occur once, but occurs twice",
            "rename or remove one of the two",
            file=name,
            path=twice,
        )
    module = type(error).__module__.split(".")[0]
    if module != "pyarrow" and not isinstance(error, (TypeError, ValueError, ArithmeticError, NotImplementedError)):
        return error
    text = " ".join(str(part) for part in error.args)
    column = _first_that_fails(data, names)
    unknown = (
        isinstance(error, NotImplementedError)
        or (module != "pyarrow" and isinstance(error, TypeError))
        or "did not recognize Python value type" in text
    )
    what, hint = (
        (_TOO_LARGE, "make texts of them")
        if isinstance(error, OverflowError)
        else (_OTHER_TYPES if unknown else _SEVERAL_TYPES, "convert them, or leave the column out")
    )
    return DataError(
        f"{name}: {column + ': ' if column else ''}{what}",
        hint,
        file=name,
        path=column,
        value=text if show_values else None,
    )


def _first_that_fails(data: Data, names: list[str]) -> str | None:
    import pyarrow

    for i, column in enumerate(names):
        try:
            pyarrow.Table.from_pandas(data.iloc[:, [i]], preserve_index=False)
        except Exception:
            return column
    return None


def parquet_module() -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise ImportError("Parquet files need pyarrow: pip install pyarrow") from None
    return pyarrow.parquet


def read_parquet(path: str, name: str) -> Any:
    """The table of a file, read in batches, or of a folder of files."""
    parquet = parquet_module()
    import pyarrow

    try:
        if os.path.isdir(path):
            return parquet.read_table(path)
        with parquet.ParquetFile(path, pre_buffer=False) as file:
            batches = list(file.iter_batches(batch_size=_ROWS_OF_A_BATCH))
            return pyarrow.Table.from_batches(batches, file.schema_arrow)
    except pyarrow.ArrowException:
        raise DataError(
            f"{name}: must be a Parquet file, but is not", "check what it was made from", file=name
        ) from None
    except OSError as error:
        raise StorageError(
            f"{path}: cannot be read: {os.strerror(error.errno) if error.errno else 'unknown error'}",
            "check the path",
            file=path,
        ) from None


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
