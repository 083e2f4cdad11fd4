"""Which sources can be compiled, or looked at, together: those that define no name of another one, nor of its headers.

Most of the time that a small C++ source takes goes to the headers of libraries. Files that are included into one pay for
them once.

    scripts/batches.py --size 2 a.cc b.cc c.cc d.cc      prints a line per batch, with semicolons between files
"""

import argparse
import functools
import math
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)

# At the beginning of a line: class X, constexpr T X =, or T X(
DEFINED = re.compile(r"^(?:(?:class|struct|enum class|enum|using) (\w+)|(?:constexpr|const|inline)[^=({\n]* (\w+)(?:\[\])? ?[={]"
                     r"|[A-Za-z_][\w:<>,*& ]* [*&]?(\w+)\()", re.MULTILINE)


def find(name, path):
    """The project's file that `path` includes under this name, if it is one."""
    for folder in (ROOT / "src", ROOT / "tests", path.parent):
        if (folder / name).is_file():
            return (folder / name).resolve()
    return None


@functools.lru_cache(maxsize=None)
def look_into(path):
    """What the file defines outside of classes and functions, as far as a look at the beginnings of its lines tells, and the
    files that it includes. A test has a namespace of its own."""
    text = path.read_text(encoding="utf-8", errors="replace")
    included = frozenset(file for name in INCLUDE.findall(text) if (file := find(name, path)))
    if f"namespace thicket::{path.stem} {{" in text:
        return frozenset(), included
    return frozenset(name for names in DEFINED.findall(text) for name in names if name), included


def reached(path, seen):
    """Adds `path` and every project file it includes, directly or not, to `seen`."""
    if path in seen:
        return
    seen.add(path)
    for file in look_into(path)[1]:
        reached(file, seen)


def batches_of(items, size, path_of=lambda item: item):
    """Lists of at most `size` items; each goes to the first list that will have it. What a file defines for itself, and no
    header that it includes has, nobody else in the list may define or include."""
    batches = []
    for item in items:
        path = path_of(item).resolve()
        defined = look_into(path)[0]
        files = set()
        reached(path, files)
        included = {name for file in files - {path} for name in look_into(file)[0]}
        own = defined - included
        for batch, all_own, all_seen in batches:
            if len(batch) < size and not own & all_seen and not all_own & (defined | included):
                break
        else:
            batch, all_own, all_seen = [], set(), set()
            batches.append((batch, all_own, all_seen))
        batch.append(item)
        all_own |= own
        all_seen |= defined | included
    return [batch for batch, _, _ in batches]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("source", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    # No small rest: 17 files are 9 and 8, rather than 16 and 1.
    count = math.ceil(len(options.source) / options.size)
    for batch in batches_of(options.source, math.ceil(len(options.source) / count)):
        print(";".join(str(path) for path in batch))


if __name__ == "__main__":
    main()
