"""Published tables are k-anonymous over their join, as Nergiz et al. 2008 define it (Definition 5).

    python3 tests/join_test.py --thicket build/thicket

Generated students become tables, every tree method publishes them, and the CSV files are checked by what stands here
alone. A person is what hangs together by keys. No query tells two persons apart whose trees are equal in structure and
quasi-identifiers, so

1. each sensitive value stands at a place that at least k persons have,
2. each person is one of at least k that no query tells apart, and
3. each person is one of the original ones, less general or equal label by label, with the same sensitive values; rows may
   be missing, but none is added, and no two persons are the same one.

Keys must be new, stand for one row each and lead to a row.
"""

import argparse
import collections
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

THICKET = None

Table = collections.namedtuple("Table", "name key parent quasi sensitive children")
BOOKS = Table("books", None, "course_key", ["title"], [], [])
COURSES = Table("courses", "course_key", "student_key", ["course"], ["grade"], [BOOKS])
ELECTIVES = Table("student", "student_key", None, [], ["gpa"], [COURSES])
STUDENTS = Table("student", "student_key", None, ["major", "birth_year"], ["gpa", "campus"],
                 [COURSES._replace(quasi=["code"])])

Row = collections.namedtuple("Row", "quasi sensitive children")  # children: by table, a list of rows


class Broken(Exception):
    """The tables do not keep what they must."""


def read_persons(folder, table):
    """The trees of the persons, joined by keys."""
    with open(folder / f"{table.name}.csv", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    below = {child.name: read_persons(folder, child) for child in table.children}
    keys = [row[table.key] for row in rows] if table.key else []
    if len(keys) != len(set(keys)):
        raise Broken(f"{table.name}: a key stands for two rows")
    for child in table.children:
        if not set(below[child.name]) <= set(keys):
            raise Broken(f"{child.name}: joins nothing")
    result = collections.defaultdict(list)
    for row in rows:
        children = [below[child.name].get(row[table.key], []) for child in table.children]
        parent = row[table.parent] if table.parent else None
        result[parent].append(Row(tuple(row[name] for name in table.quasi),
                                  tuple(row[name] for name in table.sensitive), children))
    return result


def shape(row):
    """What queries see of a row and all that hangs below it."""
    return (row.quasi, tuple(tuple(sorted(map(shape, rows))) for rows in row.children))


def places(row, path=()):
    """The places of a person's sensitive values: the shapes on the way down, with the number of the child table."""
    path = (*path, shape(row))
    if row.sensitive:
        yield path
    for number, rows in enumerate(row.children):
        for child in rows:
            yield from places(child, (*path, number))


def covers(label, value, ancestors):
    return label == value or label in ancestors.get(value, ()) or label == "*"


def matched(left, right, fits):
    """Whether everyone of `left` gets one of `right` of its own."""
    holder = {}

    def place(one, tried):
        for other in range(len(right)):
            if other not in tried and fits(left[one], right[other]):
                tried.add(other)
                if other not in holder or place(holder[other], tried):
                    holder[other] = one
                    return True
        return False

    return all(place(one, set()) for one in range(len(left)))


def generalizes(shown, was, table, ancestors):
    return (shown.sensitive == was.sensitive
            and all(covers(label, value, ancestors) for label, value in zip(shown.quasi, was.quasi))
            and all(len(rows) <= len(of_was) and matched(rows, of_was, lambda a, b, t=child: generalizes(a, b, t, ancestors))
                    for child, rows, of_was in zip(table.children, shown.children, was.children)))


def check(original, published, table, ancestors, k):
    persons = read_persons(published, table)[None]
    people = read_persons(original, table)[None]
    if not persons:
        raise Broken("nobody is there")
    at_place = collections.Counter()
    for person in persons:
        at_place.update(set(places(person)))
    if any(count < k for count in at_place.values()):
        raise Broken("requirement 1: a sensitive value of too few persons")
    alike = collections.Counter(map(shape, persons))
    if any(count < k for count in alike.values()):
        raise Broken("requirement 2: too few persons alike")
    if not matched(persons, people, lambda a, b: generalizes(a, b, table, ancestors)):
        raise Broken("requirement 3: not a generalization of the original")
    return len(persons)


def read_ancestors(folder):
    """By value, all labels above it, from the taxonomy files: leaf;parent;...;root."""
    ancestors = collections.defaultdict(set)
    for path in folder.glob("*.csv"):
        for line in path.read_text(encoding="utf-8").splitlines():
            leaf, *above = line.split(";")
            ancestors[leaf].update(above)
    return ancestors


class Join(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="thicket-join-")))

    def thicket(self, *arguments):
        done = subprocess.run([THICKET, *map(str, arguments)], cwd=self.folder, text=True, capture_output=True,
                              timeout=600)
        self.assertEqual(done.returncode, 0, f"thicket {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")

    def make_tables(self, data, count):
        self.thicket("generate", data, "-n", count, "--seed", 3, "-o", "source", "--quiet")
        self.thicket("convert", "source/policy.yaml", "--to", "tables", "-o", "tables", "--policy", "policy.yaml", "--quiet")
        self.policy, _, _ = (self.folder / "policy.yaml").read_text(encoding="utf-8").partition("privacy:\n")
        self.ancestors = read_ancestors(self.folder / "source" / "taxonomies")

    def check(self, table, k, privacy, method):
        name = method.replace(": ", "-").replace(", ", "-")
        (self.folder / f"{name}.yaml").write_text(
            f"{self.policy}privacy: {{{privacy}}}\nmethod: {{name: {method}}}\n", encoding="utf-8")
        self.thicket("anonymize", f"{name}.yaml", "-o", name, "--seed", 7, "--quiet")
        self.thicket("verify", f"{name}.yaml", name, "--original", "tables")
        return check(self.folder / "tables", self.folder / name, table, self.ancestors, k)

    def test_electives_by_every_method(self):
        self.make_tables("electives", 150)
        for method in ("miracle, th: 0.3", "miraclex, th: 0.3", "cdgh, th: 0.3", "clustree", "miracle, refine: on"):
            with self.subTest(method=method):
                self.assertGreater(self.check(ELECTIVES, 5, "k: 5", method), 140)

    def test_diverse_students_by_every_method_that_can(self):
        self.make_tables("students", 60)
        for year in range(1900, 2100):
            for width in (5, 10, 20):
                low = year - year % width
                self.ancestors[str(year)].add(f"[{low}, {low + width})")
        for method in ("dmiracle", "clustree", "dmiracle, refine: on"):
            with self.subTest(method=method):
                self.assertGreater(self.check(STUDENTS, 3, "k: 3, l: 2", method), 30)

    def test_every_planted_error_is_found(self):
        self.make_tables("electives", 60)
        self.check(ELECTIVES, 3, "k: 3", "miraclex")
        public = self.folder / "miraclex"
        whole = {path.name: path.read_text(encoding="utf-8") for path in public.iterdir()}

        def planted(name, change):
            for file, text in whole.items():
                (public / file).write_text(text, encoding="utf-8")
            header, *rows = whole[name].splitlines()
            (public / name).write_text("\n".join([header, *change(rows)]) + "\n", encoding="utf-8")
            try:
                check(self.folder / "tables", public, ELECTIVES, self.ancestors, 3)
            except Broken as error:
                return str(error)
            return "nothing"

        def first_cell(number, text):
            def change(rows):
                cells = rows[0].split(",")
                return [",".join([*cells[:number], text, *cells[number + 1:]]), *rows[1:]]
            return change

        self.assertEqual(planted("books.csv", lambda rows: rows), "nothing")
        self.assertIn("requirement 1", planted("books.csv", lambda rows: rows[1:]))
        self.assertIn("requirement 1", planted("courses.csv", first_cell(2, "Nowhere")))
        self.assertIn("requirement 3", planted("courses.csv", first_cell(3, "Z")))
        self.assertIn("requirement 3", planted("student.csv", first_cell(1, "9.99")))
        self.assertIn("a key stands for two rows", planted("courses.csv", lambda rows: [*rows, rows[0]]))
        self.assertIn("joins nothing", planted("books.csv", first_cell(0, "none")))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--thicket", required=True)
    options, rest = parser.parse_known_args()
    THICKET = os.path.abspath(options.thicket)
    unittest.main(argv=[sys.argv[0], *rest])
