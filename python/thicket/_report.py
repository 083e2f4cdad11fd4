"""What a run did, as objects with attributes: the same names as in the JSON report (docs/report.md)."""

from __future__ import annotations

import html
import json
from typing import Any


class View:
    """A part of a report. Its fields are attributes; ``to_dict()`` has all of them."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            value = self._fields[name]
        except KeyError:
            if name in _annotated(type(self)):
                return None
            raise AttributeError(
                f"the report has no {name}; it has {', '.join(self._fields)}"
            ) from None
        return View(value) if isinstance(value, dict) else value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as dictionaries and lists."""
        return json.loads(json.dumps(self._fields))  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._fields!r})"


def _annotated(kind: type) -> set[str]:
    names: set[str] = set()
    for base in kind.__mro__:
        names.update(vars(base).get("__annotations__", {}))
    return names


class ClassSize(View):
    min: int
    median: int
    max: int


class Input(View):
    records: int
    vertices: int
    labels: int


class Output(View):
    records: int
    vertices: int
    classes: int
    suppressed_records: int
    suppressed_vertices: int

    @property
    def class_size(self) -> ClassSize:
        """How many records the smallest, a median and the largest class have."""
        return ClassSize(self._fields["class_size"])


class Guarantee(View):
    model: str
    k: int | None
    l: int | None
    m: int | None
    n: int | None
    verified: bool
    truthful: bool | None


class Utility(View):
    lm: float
    at_least: float | None


class _Whole(View):
    """A report of its own, with its text."""

    def __init__(self, fields: dict[str, Any], text: str) -> None:
        super().__init__(fields)
        self._text = text

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


class Report(_Whole):
    """The report of a run. ``str(report)`` is the table that the command prints."""

    thicket: str
    seed: int | None
    warnings: list[str]
    peak_rss_bytes: int

    @property
    def input(self) -> Input:
        return Input(self._fields["input"])

    @property
    def output(self) -> Output:
        return Output(self._fields["output"])

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(self._fields["guarantee"])

    @property
    def utility(self) -> Utility:
        return Utility(self._fields["utility"])


class Violations(View):
    count: int
    first: list[str]


class Verdict(_Whole):
    """What ``verify`` found. True where the promise holds."""

    holds: bool
    warnings: list[str]

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(self._fields["guarantee"])

    @property
    def output(self) -> Output:
        return Output(self._fields["output"])

    @property
    def violations(self) -> Violations:
        return Violations(self._fields["violations"])

    @property
    def messages(self) -> list[str]:
        """The first violation of each kind."""
        return list(self.violations.first)

    @property
    def k(self) -> int | None:
        """As found, not as promised."""
        return self.guarantee.k

    @property
    def l(self) -> int | None:  # noqa: E743
        """As found, not as promised."""
        return self.guarantee.l

    @property
    def truthful(self) -> bool | None:
        """None where there was no original to compare with."""
        return self.guarantee.truthful

    def __bool__(self) -> bool:
        return bool(self.holds)


class Evaluation(_Whole):
    """What ``evaluate`` measured."""

    warnings: list[str]

    @property
    def utility(self) -> Utility:
        return Utility(self._fields["utility"])


class AttackReport(_Whole):
    """What an adversary finds, in the original and in what is published."""

    warnings: list[str]


class FrontierPoint(View):
    """A promise, what it costs, and what it leaves to an adversary."""

    k: int | None
    l: int | None
    #: Whether the promise can be kept; if not, there are no numbers, and ``failure`` says why.
    kept: bool
    failure: str | None
    #: Whether no other setting promises as much for less.
    unbeaten: bool
    lm: float | None
    suppressed_records: int | None
    suppressed_vertices: int | None
    classes: int | None
    accuracy: float | None


class Frontier(_Whole):
    """Several promises side by side: loss against promise. ``str(frontier)`` is the command's table."""

    model: str
    method: str
    seed: int
    records: int
    warnings: list[str]

    def __init__(self, fields: dict[str, Any], text: str, svg: str) -> None:
        super().__init__(fields, text)
        #: The plot, as SVG.
        self.svg = svg

    @property
    def points(self) -> list[FrontierPoint]:
        """All settings, by k and then by l, the weakest first."""
        return [FrontierPoint(point) for point in self._fields["points"]]

    @property
    def unbeaten(self) -> list[FrontierPoint]:
        """The settings that no other one beats: none promises as much for less."""
        return [point for point in self.points if point.unbeaten]

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self.svg
