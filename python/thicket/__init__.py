"""Thicket anonymizes tree-shaped personal records, and proves that the promise holds.

Data frames with nested columns go in and come out; nothing is published that an independent check of the finished
output has not passed. See docs/python.md.

>>> import thicket as th
>>> people = [{"age": 31 + i % 20, "disease": "flu" if i % 3 else "cold"} for i in range(60)]
>>> policy = th.propose(people)
>>> result = th.anonymize(policy, people, seed=7)
>>> result.report.guarantee.verified
True
>>> th.verify(policy, result, original=people).holds
True
"""

from __future__ import annotations

from ._api import (
    Result,
    anonymize,
    anonymize_file,
    attack,
    evaluate,
    frontier,
    k_anonymity,
    l_diversity,
    verify,
)
from ._errors import DataError, PolicyError, PromiseError, StorageError, ThicketError
from ._policy import Policy, propose
from ._report import AttackReport, Evaluation, Frontier, FrontierPoint, Report, Verdict
from ._table import Table
from ._thicket import __version__

__all__ = [
    "AttackReport",
    "DataError",
    "Evaluation",
    "Frontier",
    "FrontierPoint",
    "Policy",
    "PolicyError",
    "PromiseError",
    "Report",
    "Result",
    "StorageError",
    "Table",
    "ThicketError",
    "Verdict",
    "__version__",
    "anonymize",
    "anonymize_file",
    "attack",
    "evaluate",
    "frontier",
    "k_anonymity",
    "l_diversity",
    "propose",
    "verify",
]
