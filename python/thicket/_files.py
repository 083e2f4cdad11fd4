"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

from ._data import parquet_module
from ._errors import PolicyError, StorageError

if TYPE_CHECKING:
    import pyarrow

# Ctrl-C is heard between groups of rows.
_ROWS_OF_A_GROUP = 32768


@contextlib.contextmanager
def appearing(path: str, mode: int) -> Iterator[tuple[IO[bytes], str]]:
    """A file to write, and the name that it has for now; its own name once all is done without an exception."""
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        descriptor = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, mode)
    except OSError as error:
        raise _storage_error(path, error) from None
    try:
        with open(descriptor, "wb") as out:
            yield out, beside
            out.flush()
            os.fsync(out.fileno())
        os.replace(beside, path)
    except OSError as error:
        raise _storage_error(path, error) from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)


def must_differ(paths: dict[str, str]) -> None:
    """An error where a file would replace another one of the same run."""
    known: dict[str, str] = {}
    for name, path in paths.items():
        real = os.path.realpath(path)
        if real in known:
            raise PolicyError(
                f"{path}: the {name} must not replace the {known[real]}, but this is the same file",
                "choose another path",
                file=path,
                path=name,
            )
        known[real] = name


def _storage_error(path: str, error: OSError) -> StorageError:
    return StorageError(
        f"{path}: cannot be written: {error.strerror or 'unknown error'}",
        "check the path, its permissions and the free space",
        file=path,
    )


def write_parquet(table: pyarrow.Table, out: IO[bytes]) -> None:
    """Writes groups of rows one after another. No metadata but the columns': nothing is said of how the table was made."""
    writer: Any = parquet_module().ParquetWriter(out, table.schema)
    with writer:
        for begin in range(0, len(table), _ROWS_OF_A_GROUP):
            writer.write_table(table.slice(begin, _ROWS_OF_A_GROUP))
    out.flush()
