"""What the package does: anonymize, verify, evaluate, attack."""

from __future__ import annotations

import difflib
import html
import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _thicket
from ._arguments import link_of, metrics_of, seed_of, whole, wholes
from ._data import Data, Source, is_parquet, is_path, read_parquet, records_of, source_of, table_of
from ._errors import DataError, PolicyError, PromiseError
from ._files import appearing, must_differ, write_parquet
from ._policy import Policy
from ._progress import ProgressCallable, watching
from ._report import AttackReport, Evaluation, Frontier, Report, Verdict
from ._table import Table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

#: A Policy, a dictionary, or the path of a policy file.
PolicyLike = Union[Policy, Mapping[str, Any], str, "os.PathLike[str]"]


def policy_of(policy: PolicyLike, show_values: bool) -> _thicket.Policy:
    if isinstance(policy, Policy):
        return policy._policy
    if isinstance(policy, Mapping):
        return Policy(policy, show_values=show_values)._policy
    if not is_path(policy):
        raise PolicyError(
            f"policy: must be a Policy, a dictionary or a path, but is of the type {type(policy).__name__}",
            "the policy comes first, the data second",
        )
    return Policy.load(policy, show_values=show_values)._policy


class Result:
    """What ``anonymize`` published, and the report about it.

    In a notebook it shows what was done, never values.
    """

    def __init__(self, table: Table, report: Report, link: list[int] | None) -> None:
        #: The published records; hand it to any library that reads ``__arrow_c_stream__``.
        self.table = table
        #: What was done and what it cost.
        self.report = report
        #: With ``link=True``: by published record, the place of the original that it stands for, from 0 on. It undoes the work.
        self.link = link

    def to_arrow(self) -> pyarrow.Table:
        """The published records as a pyarrow table."""
        return self.table.to_arrow()

    def to_pandas(self, **arguments: Any) -> pandas.DataFrame:
        """The published records as a pandas data frame."""
        return self.table.to_pandas(**arguments)

    def to_polars(self) -> polars.DataFrame:
        """The published records as a polars data frame."""
        return self.table.to_polars()

    def to_pylist(self) -> list[dict[str, Any]]:
        """The published records as dictionaries."""
        return self.table.to_pylist()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return len(self.table)

    def _rows(self) -> list[tuple[str, str]]:
        report = self.report
        promise = " ".join(
            f"{name} = {value}"
            for name, value in report.guarantee.to_dict().items()
            if name in ("k", "l", "m", "n") and value is not None
        )
        out = report.output.to_dict()
        rows = [
            ("records", f"{out['records']:,} of {report.input.records:,}"),
            ("promise", f"{report.guarantee.model}: {promise}" if promise else report.guarantee.model),
            ("verified", "yes" if report.guarantee.verified else "no"),
            ("method", str(report.to_dict()["method"]["name"])),
            ("suppressed records", f"{out['suppressed_records']:,}"),
            ("suppressed vertices", f"{out['suppressed_vertices']:,}"),
            ("LM", f"{report.utility.lm:.4f}"),
        ]
        if out.get("classes"):
            rows.insert(3, ("classes", f"{out['classes']:,}"))
        return rows

    def __repr__(self) -> str:
        return "<thicket.Result: " + ", ".join(f"{name} {value}" for name, value in self._rows()) + ">"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
            for name, value in self._rows()
        )
        return f"<table>{rows}</table>"


def anonymize(
    policy: PolicyLike,
    data: Data = None,
    *,
    seed: int | None = None,
    threads: int = 0,
    progress: bool | ProgressCallable = False,
    with_class: bool = False,
    link: bool = False,
    max_memory: int = 0,
    show_values: bool = False,
) -> Result:
    """Anonymizes data and returns what may be published.

    What is returned has passed the check of ``verify``, read from the very buffers that are handed out. Where the promise
    cannot be kept, ``PromiseError`` is raised and nothing is published.

    ``data`` is a data frame (pandas, polars, pyarrow, DuckDB, or anything with ``__arrow_c_stream__``), a list of
    dictionaries, or a path; without it, what the policy names. With a ``seed`` a run can be repeated, on any number of
    ``threads`` (0: all), and gives the records that the command gives. ``progress=True`` shows a tqdm bar, a callable is
    told (stage, done, total). ``with_class`` adds the number of each record's class, ``link`` keeps which original
    record each published one stands for. ``max_memory`` bounds the memory of the process, in bytes.

    >>> import thicket as th
    >>> people = [
    ...     {"name": "A", "age": 31, "disease": "flu"},
    ...     {"name": "B", "age": 33, "disease": "cold"},
    ...     {"name": "C", "age": 58, "disease": "flu"},
    ...     {"name": "D", "age": 57, "disease": "angina"},
    ... ]
    >>> policy = {
    ...     "version": 1,
    ...     "record": {
    ...         "class": "person",
    ...         "drop": ["name"],
    ...         "quasi": {"age": {"ranges": [5, 10, 50]}},
    ...         "sensitive": {"disease": {}},
    ...     },
    ...     "privacy": {"l": 2},
    ... }
    >>> result = th.anonymize(policy, people, seed=1)
    >>> sorted({row["age"] for row in result.to_pylist()})
    ['[30, 35)', '[55, 60)']
    >>> result.report.guarantee.l
    2
    """
    return _anonymized(
        policy_of(policy, show_values), data, seed, threads, progress, with_class, link, max_memory, show_values
    )


def _anonymized(
    loaded: _thicket.Policy,
    data: Data,
    seed: int | None,
    threads: int,
    progress: bool | ProgressCallable,
    with_class: bool,
    link: bool,
    max_memory: int,
    show_values: bool,
) -> Result:
    chosen_seed = None if seed is None else seed_of(seed)
    workers = whole("threads", threads, 0)
    memory = whole("max_memory", max_memory, 0, 2**63)
    source: Source = "" if data is None else source_of(data, "data", show_values)
    with watching(progress) as told:
        published, report, text, pairs = _thicket.anonymize(
            loaded,
            None if isinstance(source, str) else source,
            "data",
            source if isinstance(source, str) else "",
            chosen_seed,
            workers,
            with_class,
            link,
            memory,
            told,
            show_values,
        )
    return Result(Table(published), Report(json.loads(report), text), pairs if link else None)


def anonymize_file(
    policy: PolicyLike,
    input: str | os.PathLike[str] | None,
    output: str | os.PathLike[str],
    *,
    report: str | os.PathLike[str] | None = None,
    link: str | os.PathLike[str] | None = None,
    into: str = "",
    seed: int | None = None,
    threads: int = 0,
    progress: bool | ProgressCallable = False,
    with_class: bool = False,
    max_memory: int = 0,
    show_values: bool = False,
) -> Report:
    """What the command does: reads a file, publishes another one, and returns the report.

    ``input`` None is what the policy names. The output appears whole or not at all. Parquet files, in and out, need
    pyarrow. ``report`` and ``link`` are private files (mode 0600).
    """
    loaded = policy_of(policy, show_values)
    source = "" if input is None else os.fspath(input)
    target = os.fspath(output)
    if is_parquet(source) or is_parquet(target):
        return _anonymize_parquet(
            loaded,
            input,
            target,
            report,
            link,
            into,
            seed,
            threads,
            progress,
            with_class,
            max_memory,
            show_values,
        )
    with watching(progress) as told:
        fields, text = _thicket.anonymize_file(
            loaded,
            source,
            target,
            into,
            "" if report is None else os.fspath(report),
            "" if link is None else os.fspath(link),
            None if seed is None else seed_of(seed),
            whole("threads", threads, 0),
            with_class,
            whole("max_memory", max_memory, 0, 2**63),
            told,
            show_values,
        )
    return Report(json.loads(fields), text)


def _anonymize_parquet(
    loaded: _thicket.Policy,
    input: str | os.PathLike[str] | None,
    target: str,
    report: str | os.PathLike[str] | None,
    link: str | os.PathLike[str] | None,
    into: str,
    seed: int | None,
    threads: int,
    progress: bool | ProgressCallable,
    with_class: bool,
    max_memory: int,
    show_values: bool,
) -> Report:
    """From or to Parquet, or both. What is published is checked as it stands in the file before the file has its name."""
    if link is not None or into:
        name = "into" if into else "link"
        raise PolicyError(
            f"{name}: must be absent for Parquet files, but is there", "use anonymize(..., link=True)", path=name
        )
    if not is_parquet(target) and not target.lower().endswith((".jsonl", ".ndjson")):
        raise PolicyError(
            "output: must be a Parquet file or JSON Lines where the input is a Parquet file, but is neither",
            "end its name in .parquet or .jsonl",
            file=target,
        )
    files = {"input": input, "output": target, "report": report}
    must_differ({name: os.fspath(path) for name, path in files.items() if path is not None})
    result = _anonymized(loaded, input, seed, threads, progress, with_class, False, max_memory, show_values)
    with watching(progress) as told, appearing(target, 0o666) as (out, beside):
        if is_parquet(target):
            verified_table = result.to_arrow()
            write_parquet(verified_table, out)
            file_table = read_parquet(beside, os.path.basename(target))
            written = table_of(file_table, "published", show_values)
            # Parquet has fewer types than Arrow: the same values are enough.
            same = file_table.equals(verified_table) or _thicket.json_of(written) == _thicket.json_of(
                result.table._table
            )
        else:
            verified = _thicket.json_of(result.table._table)
            out.write(verified.encode())
            out.flush()
            with open(beside, encoding="utf-8", newline="\n") as lines:
                same = lines.read() == verified
                lines.seek(0)
                written = table_of((json.loads(line) for line in lines), "published", show_values)
        # From the file alone: what is there must keep the promise by itself, and be what was verified beside the original.
        records = _thicket.Records.of_table(loaded, written, True, "published", told, show_values)
        fields, _ = _thicket.verify(loaded, records, None, None, threads, told, show_values)
        if not same or not json.loads(fields)["holds"]:
            raise PromiseError(
                f"{target}: the file must hold the records that were verified, but does not; nothing was published",
                "this is a defect of what wrote the file: choose another format",
                file=target,
            )
        if report is not None:
            with appearing(os.fspath(report), 0o600) as (private, _):
                private.write(str.encode(json.dumps(result.report.to_dict()) + "\n"))
    return result.report


def _published_of(data: Data) -> tuple[Data, list[int] | None]:
    """A result stands for its table, and brings its link along."""
    if isinstance(data, Result):
        return data.table, data.link
    return data, None


def verify(
    policy: PolicyLike,
    published: Data,
    *,
    original: Data = None,
    link: Sequence[int] | None = None,
    threads: int = 0,
    progress: bool | ProgressCallable = False,
    show_values: bool = False,
) -> Verdict:
    """Checks the promise from the published data alone; with the ``original`` also that it is truthful.

    >>> import thicket as th
    >>> policy = {"version": 1, "record": {"class": "p", "quasi": {"age": {"ranges": [10]}}}, "privacy": {"k": 2}}
    >>> th.verify(policy, [{"age": "[30, 40)"}, {"age": "[30, 40)"}]).holds
    True
    >>> th.verify(policy, [{"age": "[30, 40)"}, {"age": "31"}]).holds
    False
    """
    loaded = policy_of(policy, show_values)
    data, own_link = _published_of(published)
    known = link_of(link) if link is not None else own_link
    workers = whole("threads", threads, 0)
    with watching(progress) as told:
        records = records_of(loaded, data, True, "published", told, show_values)
        against = (
            None
            if original is None
            else records_of(loaded, original, False, "original", told, show_values)
        )
        fields, text = _thicket.verify(
            loaded, records, against, known if against is not None else None, workers, told, show_values
        )
    return Verdict(json.loads(fields), text)


def evaluate(
    policy: PolicyLike,
    published: Data,
    original: Data,
    *,
    metrics: Sequence[str] | None = None,
    queries: int = 1000,
    link: Sequence[int] | None = None,
    seed: int = 1,
    threads: int = 0,
    progress: bool | ProgressCallable = False,
    show_values: bool = False,
) -> Evaluation:
    """How useful the published data still is, beside the original: LM, accuracy of queries and more (docs/report.md).

    >>> import thicket as th
    >>> policy = {"version": 1, "record": {"class": "p", "quasi": {"age": {"ranges": [10]}}}, "privacy": {"k": 2}}
    >>> original = [{"age": 31}, {"age": 35}]
    >>> th.evaluate(policy, th.anonymize(policy, original), original, metrics=["lm"]).utility.lm > 0
    True
    """
    loaded = policy_of(policy, show_values)
    data, _ = _published_of(published)
    known = link_of(link)
    wanted = metrics_of(metrics)
    numbers = whole("queries", queries, 0), seed_of(seed), whole("threads", threads, 0)
    with watching(progress) as told:
        records = records_of(loaded, data, True, "published", told, show_values)
        against = records_of(loaded, original, False, "original", told, show_values)
        fields, text = _thicket.evaluate(
            loaded,
            records,
            against,
            known,
            wanted,
            *numbers,
            told,
            show_values,
        )
    return Evaluation(json.loads(fields), text)


def attack(
    policy: PolicyLike,
    published: Data,
    original: Data,
    *,
    labels: int = 0,
    relations: int | None = None,
    absent: int | None = None,
    negative: bool = False,
    similar: bool = False,
    trials: int = 0,
    link: Sequence[int] | None = None,
    seed: int = 1,
    progress: bool | ProgressCallable = False,
    show_values: bool = False,
) -> AttackReport:
    """Plays an adversary who knows ``labels`` of each victim (0: all): how many people are found, before and after."""
    loaded = policy_of(policy, show_values)
    data, _ = _published_of(published)
    known = link_of(link)
    labels = whole("labels", labels, 0)
    relations = None if relations is None else whole("relations", relations, 0)
    absent = None if absent is None else whole("absent", absent, 0)
    numbers = whole("trials", trials, 0), seed_of(seed)
    with watching(progress) as told:
        records = records_of(loaded, data, True, "published", told, show_values)
        against = records_of(loaded, original, False, "original", told, show_values)
        fields, text = _thicket.attack(
            loaded,
            records,
            against,
            known,
            labels,
            relations,
            absent,
            negative,
            similar,
            *numbers,
            told,
            show_values,
        )
    return AttackReport(json.loads(fields), text)


def frontier(
    policy: PolicyLike,
    data: Data = None,
    *,
    k: Sequence[int] = (),
    l: Sequence[int] = (),  # noqa: E741
    seed: int = 1,
    threads: int = 0,
    queries: int = 1000,
    trials: int = 0,
    progress: bool | ProgressCallable = False,
    show_values: bool = False,
) -> Frontier:
    """Loss against promise: runs every pair of ``k`` and ``l`` in the place of the policy's, reading the data once.

    What each setting loses, how well counts are answered and what an adversary finds stand side by side; those settings that
    no other one beats are marked. Nothing is published. An empty list stands for what the policy says.

    >>> import thicket as th
    >>> policy = {"version": 1, "record": {"class": "p", "quasi": {"age": {"ranges": [5, 10, 50]}}}, "privacy": {"k": 2}}
    >>> found = th.frontier(policy, [{"age": 20 + i % 40} for i in range(80)], k=[2, 4])
    >>> [(point.k, point.kept) for point in found.points]
    [(2, True), (4, True)]
    """
    loaded = policy_of(policy, show_values)
    settings = wholes("k", k, 1), wholes("l", l, 1)
    numbers = (
        seed_of(seed),
        whole("threads", threads, 0),
        whole("queries", queries, 0),
        whole("trials", trials, 0),
    )
    with watching(progress) as told:
        if data is None:
            records = _thicket.Records.of_file(loaded, "", False, told, show_values)
        else:
            records = records_of(loaded, data, False, "data", told, show_values)
        fields, text, svg = _thicket.frontier(
            loaded, records, *settings, *numbers, told, show_values
        )
    return Frontier(json.loads(fields), text, svg)


def _steps_to(path: str, columns: list[Any]) -> list[str]:
    """The columns that a path leads through: a dot leads to what stands below, unless it is in the name of a column.

    Of lists of plain values the last step is the value itself.
    """
    steps: list[str] = []
    rest = path
    while True:
        names = [name for name, _, _ in columns]
        step = max((name for name in names if rest == name or rest.startswith(name + ".")), key=len, default=None)
        if step is None:
            near = difflib.get_close_matches(rest, names, n=1)
            raise DataError(
                f"data: {path}: a column must be there, but is not",
                f"did you mean {'.'.join([*steps, near[0]])}?" if near else "check its name",
                file="data",
                path=path,
            )
        steps.append(step)
        _, format, columns = columns[names.index(step)]
        is_list = format.startswith("+") and format != "+s"
        if is_list:
            _, format, columns = columns[0]
        if rest != step:
            rest = rest[len(step) + 1 :]
        elif format == "+s":
            raise DataError(
                f"data: {path}: a column must hold plain values, but holds structs",
                f"a dot leads to what stands below: {path}.{columns[0][0]}" if columns else "leave it out",
                file="data",
                path=path,
            )
        else:
            return [*steps, step] if is_list else steps


def _flat_policy(quasi: Sequence[Sequence[str]], sensitive: Sequence[Sequence[str]]) -> dict[str, Any]:
    """A policy in which values stand for themselves, at any depth."""
    root: dict[str, Any] = {"class": "record"}

    def written(step: str) -> str:
        return step.replace("~", "~0").replace("/", "~1")

    def vertex(steps: Sequence[str]) -> tuple[dict[str, Any], str]:
        at = root
        for depth, step in enumerate(steps[:-1]):
            children = at.setdefault("children", [])
            for child in children:
                if child["at"] == written(step):
                    at = child
                    break
            else:
                at = {"class": ".".join(steps[: depth + 1]), "at": written(step)}
                children.append(at)
        return at, written(steps[-1])

    for path in quasi:
        at, attribute = vertex(path)
        at.setdefault("quasi", {})[attribute] = {"mask": 1}
    for path in sensitive:
        at, attribute = vertex(path)
        at.setdefault("sensitive", {})[attribute] = {}
    return {"version": 1, "record": root, "privacy": {"l": 2} if sensitive else {"k": 2}}


def k_anonymity(data: Data, quasi: Sequence[str], *, show_values: bool = False) -> int:
    """In how small a group somebody stands who is known by the columns ``quasi``: the k of the data as it is.

    No policy is needed. A dot leads to what stands below: ``courses.code``.

    >>> import thicket as th
    >>> th.k_anonymity([{"age": 30, "zip": "1"}, {"age": 30, "zip": "1"}, {"age": 41, "zip": "2"}], quasi=["age", "zip"])
    1
    """
    return _found(data, quasi, [], show_values)["k"]


def l_diversity(
    data: Data, quasi: Sequence[str], sensitive: str | Sequence[str], *, show_values: bool = False
) -> int:
    """The l of the data as it is: in each group of look-alikes a value is that of at most one in l.

    >>> import thicket as th
    >>> people = [{"age": 30, "disease": "flu"}, {"age": 30, "disease": "cold"}]
    >>> th.l_diversity(people, quasi=["age"], sensitive="disease")
    2
    """
    secrets = [sensitive] if isinstance(sensitive, str) else list(sensitive)
    return _found(data, quasi, secrets, show_values)["l"]


def _found(
    data: Data, quasi: Sequence[str], sensitive: Sequence[str], show_values: bool
) -> dict[str, int]:
    if isinstance(quasi, str) or not quasi:
        raise PolicyError("quasi: must be a list of columns, but is not", 'write quasi=["age", "zip"]')
    source = source_of(data, "data", show_values)
    if isinstance(source, str):
        raise PolicyError(
            "data: must be a data frame or a list of dictionaries here, but is a path",
            "read the file first, or use verify with a policy",
        )
    columns = source.type()[2]
    paths = [[_steps_to(path, columns) for path in some] for some in (quasi, sensitive)]
    policy = Policy(_flat_policy(*paths), show_values=show_values)._policy
    # As original data first: what is wrong with a value is an error.
    _thicket.Records.of_table(policy, source, False, "data", None, show_values)
    records = _thicket.Records.of_table(policy, source, True, "data", None, show_values)
    fields, _ = _thicket.verify(policy, records, None, None, 0, None, show_values)
    guarantee: dict[str, int] = json.loads(fields)["guarantee"]
    return guarantee
