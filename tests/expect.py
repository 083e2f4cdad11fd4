"""Compares output with what a test file or a page of the manual says it must be.

In the expected text `...` stands for any text within a line and, alone on a line, for any number of lines.
"""

import difflib
import re

NO_NEWLINE = "\\ No newline at end"


def lines_of(text):
    """The lines of `text`; a last line that is not ended gets a line after it that says so."""
    if not text:
        return []
    lines = text.split("\n")
    if lines[-1] == "":
        return lines[:-1]
    return lines + [NO_NEWLINE]


def line_matches(expected, actual):
    if "..." not in expected:
        return expected == actual
    return re.fullmatch(".*".join(map(re.escape, expected.split("..."))), actual, re.DOTALL) is not None


def matches(expected, actual):
    """Whether the list of lines `actual` is what the list of lines `expected` describes."""
    e = a = 0
    retry = None  # where to go on when a line does not fit: after the last lone `...`, one actual line further
    while a < len(actual):
        if e < len(expected) and expected[e].strip() == "...":
            e += 1
            retry = (e, a)
        elif e < len(expected) and line_matches(expected[e], actual[a]):
            e += 1
            a += 1
        elif retry is not None:
            e, a = retry[0], retry[1] + 1
            retry = (e, a)
        else:
            return False
    return all(line.strip() == "..." for line in expected[e:])


def difference(expected, actual, name):
    """What to show when `matches` says no."""
    return "\n".join(difflib.unified_diff(expected, actual, f"{name} expected", f"{name} actual", lineterm="", n=2))
