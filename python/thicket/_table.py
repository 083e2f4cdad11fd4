"""Tables that any library reads which speaks Arrow's C stream interface."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from . import _thicket
from ._pieces import pandas_of_table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Table:
    """Published records: one row each, structs and lists for what stands below them.

    Hand it to whatever reads ``__arrow_c_stream__``: ``pyarrow.table(t)``, ``polars.DataFrame(t)``,
    ``duckdb.from_arrow(t)``. The buffers are those that were verified; nothing is copied.
    """

    def __init__(self, table: _thicket.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.stream()

    def __len__(self) -> int:
        return self._table.rows()

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in their order."""
        return [name for name, _, _ in self._table.type()[2]]

    def to_arrow(self) -> pyarrow.Table:
        """As a pyarrow table; needs pyarrow."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self, **arguments: Any) -> pandas.DataFrame:
        """As a pandas data frame; needs pandas and pyarrow. Arguments go to ``pyarrow.Table.to_pandas``."""
        table = self.to_arrow()
        return table.to_pandas(**arguments) if arguments else pandas_of_table(table)

    def to_polars(self) -> polars.DataFrame:
        """As a polars data frame; needs polars."""
        import polars

        return polars.DataFrame(self)

    def to_pylist(self) -> list[dict[str, Any]]:
        """As a list of dictionaries, dates as texts, and without what is missing; needs no other library."""
        # Texts may hold what else splits lines.
        return [json.loads(line) for line in _thicket.json_of(self._table).split("\n") if line]

    def __repr__(self) -> str:
        return f"<thicket.Table: {len(self)} rows, {', '.join(self.column_names)}>"
