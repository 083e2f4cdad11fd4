"""What can go wrong, as exceptions: whose move is next decides the class."""

from __future__ import annotations

import re


class ThicketError(Exception):
    """Base of all errors.

    The message says where, what must hold and what is, and never quotes a value of the data. A method that was
    given ``show_values=True`` also puts the offending value into ``value``.

    >>> import thicket as th
    >>> try:
    ...     th.Policy({"version": 1, "recrod": {}})
    ... except th.ThicketError as error:
    ...     print(type(error).__name__, "|", error.message, "|", error.hint)
    PolicyError | policy: recrod must be a known key, but is not | did you mean 'record'?
    """

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        record: int | None = None,
        row: int | None = None,
        path: str | None = None,
        value: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        #: The next step; may be None.
        self.hint = hint
        #: The file, table or other source; what a frame is called in messages.
        self.file = file
        #: Counted from 1, as are column, record and row; None where nobody knows.
        self.line = line
        self.column = column
        self.record = record
        self.row = row
        #: In a record "courses[2].code", in a policy "privacy.k".
        self.path = path
        #: The offending value, only with ``show_values=True``.
        self.value = value

    def __str__(self) -> str:
        text = self.message
        if self.hint:
            text += f"\n  {self.hint}"
        if self.value is not None:
            text += f"\n  the value is: {self.value}"
        return text

    def __reduce__(self) -> tuple[object, ...]:
        places = {
            name: getattr(self, name)
            for name in ("file", "line", "column", "record", "row", "path", "value")
        }
        return (_rebuilt, (type(self), self.message, self.hint, places))


class PolicyError(ThicketError):
    """The policy, or an argument, is not what it must be."""


class DataError(ThicketError):
    """The data is not what it must be."""


class PromiseError(ThicketError):
    """The promise could not be kept, or does not hold: nothing was published."""


class StorageError(ThicketError):
    """A file, a database or the network failed."""


_BY_CODE = {1: PromiseError, 2: PolicyError, 3: DataError, 4: StorageError}


def _rebuilt(
    kind: type[ThicketError], message: str, hint: str | None, places: dict[str, object]
) -> ThicketError:
    return kind(message, hint, **places)  # type: ignore[arg-type]


def _for_python(text: str | None) -> str | None:
    """The library may name flags of the command; here they are arguments."""
    if text is None:
        return None
    text = text.replace("--show-values prints", "show_values=True shows")
    text = text.replace("--show-values", "show_values=True")
    return re.sub(r"--([a-z][a-z-]*)", lambda flag: flag[1].replace("-", "_"), text)


def exception_of(
    code: int,
    message: str | None,
    hint: str | None,
    file: str | None,
    line: int | None,
    column: int | None,
    record: int | None,
    row: int | None,
    path: str | None,
    value: str | None,
) -> ThicketError:
    """The exception for an error of the library; called by the extension module."""
    return _BY_CODE.get(code, ThicketError)(
        _for_python(message) or "",
        _for_python(hint),
        file=file,
        line=line,
        column=column,
        record=record,
        row=row,
        path=path,
        value=value,
    )
