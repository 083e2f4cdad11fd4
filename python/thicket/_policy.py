"""Policies: what records look like, what an adversary may know, and how strong the promise is."""

from __future__ import annotations

import html
import os
import pathlib
from collections.abc import Mapping
from typing import Any

from . import _thicket
from ._data import Data, source_of
from ._errors import DataError
from ._progress import ProgressCallable, watching


class Policy:
    """A policy, checked; the same keys as in a policy file (docs/policy.md).

    ``source`` is a dictionary, or YAML as text. Taxonomies may come along, by what the policy says after
    ``taxonomy:``, each as text in the form of a taxonomy file or as nested dictionaries and lists.

    >>> import thicket as th
    >>> policy = th.Policy(
    ...     {
    ...         "version": 1,
    ...         "record": {
    ...             "class": "student",
    ...             "quasi": {"major": {"taxonomy": "major"}, "born": {"ranges": [5, 10]}},
    ...             "sensitive": {"gpa": {"buckets": [0, 1, 2, 3, 4]}},
    ...         },
    ...         "privacy": {"l": 2},
    ...     },
    ...     taxonomies={"major": {"*": {"science": ["CS", "MATH"], "arts": ["ART"]}}},
    ... )
    >>> policy.classes
    ['student']
    >>> policy.attributes()
    {'major': 'quasi', 'born': 'quasi', 'gpa': 'sensitive'}
    """

    def __init__(
        self,
        source: Mapping[str, Any] | str,
        *,
        taxonomies: Mapping[str, Any] | None = None,
        folder: str | os.PathLike[str] | None = None,
        show_values: bool = False,
    ) -> None:
        """``folder``: where files stand that the policy names; without it no file is read."""
        name = "policy" if folder is None else os.path.join(os.fspath(folder), "policy")
        read_files = folder is not None
        self._yaml: str | None = source if isinstance(source, str) else None
        self._taxonomies = dict(taxonomies or {})
        if isinstance(source, str):
            self._policy = _thicket.Policy.of_text(
                source, name, self._taxonomies, read_files, show_values
            )
        else:
            self._policy = _thicket.Policy.of_tree(
                source, name, self._taxonomies, read_files, show_values
            )

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, show_values: bool = False) -> Policy:
        """Reads a policy file; paths in it are relative to the file."""
        policy = cls.__new__(cls)
        policy._policy = _thicket.Policy.of_file(os.fspath(path), None, show_values)
        policy._yaml = pathlib.Path(path).read_text(encoding="utf-8")
        policy._taxonomies = {}
        return policy

    @property
    def yaml(self) -> str | None:
        """The policy's text, comments included; None where it was a dictionary."""
        return self._yaml

    @property
    def taxonomies(self) -> dict[str, Any]:
        """The taxonomies that came along with the policy. They hold values of the data."""
        return dict(self._taxonomies)

    @property
    def classes(self) -> list[str]:
        """The classes of vertices, the root's first."""
        return [name for name, _, _, _ in self._policy.classes()]

    def attributes(self) -> dict[str, str]:
        """By path, what each attribute is: 'quasi', 'sensitive', 'keep', 'drop' or 'id'."""
        roles: dict[str, str] = {}
        paths: list[str] = []
        for _, at, parent, attributes in self._policy.classes():
            above = paths[parent] if paths else ""
            path = f"{above}.{at}" if above and at else at
            paths.append(path)
            for attribute, role in attributes:
                roles[f"{path}.{attribute}" if path else attribute] = role
        return roles

    @property
    def input_path(self) -> str | None:
        """The data that the policy names, if it names any."""
        return self._policy.input_path() or None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the policy's text, and beside it the taxonomies that came along, readable by their owner only.

        Nothing is replaced: where a file of one of the names exists, FileExistsError is raised before anything is written.
        """
        if self._yaml is None:
            raise ValueError("a policy that was a dictionary has no text; save the dictionary")
        target = pathlib.Path(path)
        contents = {target: self._yaml}
        for name, content in self._taxonomies.items():
            if not isinstance(content, str):
                raise ValueError(f"the taxonomy {name} has no text; save what it was made from")
            contents[target.parent / name] = content
        for file in contents:
            if file.exists():
                raise FileExistsError(f"{file} must not exist, but does: choose another place")
        for file, content in contents.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            with open(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as out:
                out.write(content)

    def __repr__(self) -> str:
        return f"<thicket.Policy: {', '.join(self.classes)}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(path)}</td><td>{role}</td></tr>"
            for path, role in self.attributes().items()
        )
        return f"<table><tr><th>attribute</th><th>what it is</th></tr>{rows}</table>"


def propose(
    data: Data,
    *,
    name: str = "records",
    progress: bool | ProgressCallable = False,
    show_values: bool = False,
) -> Policy:
    """A first policy for data that has none: runs as it is, with the reason for each guess in its ``yaml``.

    A guess is no decision: read it, and decide what an adversary may know. ``policy.save("policy.yaml")`` writes it down
    with its taxonomies.

    >>> import thicket as th
    >>> people = [{"id": i, "age": 20 + i % 50, "disease": "flu" if i % 2 else "cold"} for i in range(100)]
    >>> policy = th.propose(people, name="people")
    >>> policy.attributes()["disease"]
    'sensitive'
    """
    source = source_of(data, name, show_values)
    with watching(progress) as told:
        if isinstance(source, str):
            text, files = _thicket.propose_file(
                source, os.path.join(os.path.dirname(source), "policy.yaml"), told, show_values
            )
        elif source.rows() == 0:
            raise DataError(
                f"{name}: a table must have rows, but this one is empty",
                "check what it was made from",
                file=name,
            )
        else:
            text, files = _thicket.propose_table(source, name, told, show_values)
    folder = os.path.dirname(os.path.abspath(source)) if isinstance(source, str) else None
    return Policy(text, taxonomies=dict(files), folder=folder, show_values=show_values)
