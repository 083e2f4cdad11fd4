"""How far long work has come: a bar where tqdm is installed, or whatever the caller has for it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

#: Called with (stage, done, total); total is 0 where nobody knows it. An exception in it stops the work.
ProgressCallable = Callable[[str, int, int], object]


class _Bar:
    """A tqdm bar per stage."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None
        self._stage = ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = self._tqdm(total=total or None, desc=stage, unit="", leave=False)
        if total and self._bar.total != total:
            self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


@contextlib.contextmanager
def watching(progress: bool | ProgressCallable) -> Iterator[ProgressCallable | None]:
    """The callable that the extension module tells, for as long as the work goes on."""
    if callable(progress):
        yield progress
        return
    bar: _Bar | None = None
    if progress:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            pass
        else:
            bar = _Bar(tqdm)
    try:
        yield bar
    finally:
        if bar is not None:
            bar.close()
