"""Arguments that are not what they must be, as PolicyError: where, what must hold, what is."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable, Sequence
from typing import Any

from ._errors import PolicyError

_MOST_SEED = 2**64 - 1
_MOST = 2**31 - 1
_HINT = "give another number, or leave it out"


def whole(name: str, value: Any, least: int, most: int = _MOST) -> int:
    """A whole number of at least ``least``, whatever library it comes from.

    >>> whole("threads", 3, 0)
    3
    >>> whole("threads", -1, 0)
    Traceback (most recent call last):
    thicket._errors.PolicyError: threads: must be a whole number of at least 0, but is -1
      give another number, or leave it out
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise PolicyError(
            f"{name}: must be a whole number of at least {least}, but is of the type {type(value).__name__}",
            _HINT,
            path=name,
        ) from None
    if not least <= number <= most:
        bound = f"at least {least}" if number < least else f"at most {most}"
        raise PolicyError(f"{name}: must be a whole number of {bound}, but is {number}", _HINT, path=name)
    return number


def seed_of(value: Any) -> int:
    return whole("seed", value, 0, _MOST_SEED)


def wholes(name: str, values: Any, least: int) -> list[int]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise PolicyError(
            f"{name}: must be a list of whole numbers, but is of the type {type(values).__name__}",
            f"write {name}=[2, 3, 5]",
            path=name,
        )
    return [whole(f"{name}[{i}]", value, least) for i, value in enumerate(values)]


def link_of(values: Sequence[int] | None) -> list[int] | None:
    return None if values is None else wholes("link", values, 0)


METRICS = ("lm", "queries", "dm", "dissimilarity", "rpd", "mining", "ncp", "patterns", "blm", "terms", "closed")


def metrics_of(values: Sequence[str] | None) -> list[str] | None:
    if values is None:
        return None
    names = [values] if isinstance(values, str) else list(values)
    for name in names:
        if name not in METRICS:
            near = difflib.get_close_matches(str(name), METRICS, n=1)
            raise PolicyError(
                f"metrics: each must be one of {', '.join(METRICS)}, but {name} is not",
                f"did you mean {near[0]}?" if near else "docs/report.md says what each is",
                path="metrics",
            )
    return names
