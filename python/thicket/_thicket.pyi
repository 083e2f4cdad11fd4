"""The extension module; private to the package."""

from collections.abc import Iterable, Mapping
from typing import Any, final

__version__: str

# (name, format, columns) of a column; (class, at, parent, [(attribute, role)]) of a class.
_Type = tuple[str, str, list[Any]]
_Class = tuple[str, str, int, list[tuple[str, str]]]

@final
class Policy:
    @staticmethod
    def of_file(path: str, progress: object, show_values: bool) -> Policy: ...
    @staticmethod
    def of_text(
        yaml: str, name: str, taxonomies: Mapping[str, Any] | None, read_files: bool, show_values: bool
    ) -> Policy: ...
    @staticmethod
    def of_tree(
        tree: Mapping[str, Any],
        name: str,
        taxonomies: Mapping[str, Any] | None,
        read_files: bool,
        show_values: bool,
    ) -> Policy: ...
    def classes(self) -> list[_Class]: ...
    def input_path(self) -> str: ...

@final
class Table:
    @staticmethod
    def of_stream(capsule: object, name: str, show_values: bool) -> Table: ...
    @staticmethod
    def of_array(schema: object, array: object, name: str, show_values: bool) -> Table: ...
    @staticmethod
    def of_objects(objects: Iterable[object], name: str, show_values: bool) -> Table: ...
    def stream(self) -> object: ...
    def rows(self) -> int: ...
    def type(self) -> _Type: ...

@final
class Records:
    @staticmethod
    def of_table(
        policy: Policy, table: Table, published: bool, name: str, progress: object, show_values: bool
    ) -> Records: ...
    @staticmethod
    def of_file(
        policy: Policy, path: str, published: bool, progress: object, show_values: bool
    ) -> Records: ...
    def size(self) -> int: ...
    def warnings(self) -> list[str]: ...

def anonymize(
    policy: Policy,
    table: Table | None,
    name: str,
    path: str,
    seed: int | None,
    threads: int,
    with_class: bool,
    link: bool,
    max_memory: int,
    progress: object,
    show_values: bool,
) -> tuple[Table, str, str, list[int]]: ...
def anonymize_file(
    policy: Policy,
    input: str,
    output: str,
    into: str,
    report: str,
    link: str,
    seed: int | None,
    threads: int,
    with_class: bool,
    max_memory: int,
    progress: object,
    show_values: bool,
) -> tuple[str, str]: ...
def verify(
    policy: Policy,
    published: Records,
    original: Records | None,
    link: list[int] | None,
    threads: int,
    progress: object,
    show_values: bool,
) -> tuple[str, str]: ...
def evaluate(
    policy: Policy,
    published: Records,
    original: Records,
    link: list[int] | None,
    metrics: list[str] | None,
    queries: int,
    seed: int,
    threads: int,
    progress: object,
    show_values: bool,
) -> tuple[str, str]: ...
def attack(
    policy: Policy,
    published: Records,
    original: Records,
    link: list[int] | None,
    labels: int,
    relations: int | None,
    absent: int | None,
    negative: bool,
    similar: bool,
    trials: int,
    seed: int,
    progress: object,
    show_values: bool,
) -> tuple[str, str]: ...
def frontier(
    policy: Policy,
    original: Records,
    k: list[int],
    l: list[int],
    seed: int,
    threads: int,
    queries: int,
    trials: int,
    progress: object,
    show_values: bool,
) -> tuple[str, str, str]: ...
def propose_table(
    table: Table, name: str, progress: object, show_values: bool
) -> tuple[str, list[tuple[str, str]]]: ...
def propose_file(
    path: str, policy_path: str, progress: object, show_values: bool
) -> tuple[str, list[tuple[str, str]]]: ...
def table_of_records(policy: Policy, records: Records) -> Table: ...
def json_of(table: Table) -> str: ...
