"""Checks that nothing but the table of methods and the engine's dispatch knows methods by their names.

A method is a row of src/policy/method_table.cc. Whoever asks what a method is, asks its row (its family, the models it
serves, the parameters it takes), and engine/method.cc finds its function by name. A name that is compared elsewhere is a
place that the next method will miss.
"""

import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = "src/policy/method_table.cc"
DISPATCH = "src/engine/method.cc"
# A policy that is made in memory begins with a default, and experiments and benchmarks name the methods that they run.
MAY_NAME = {TABLE, DISPATCH, "src/policy/policy.h", "src/experiment/experiment_table.cc",
            "src/experiment/liu_experiments.cc", "src/experiment/liu_set_experiments.cc",
            "src/experiment/liu_bag_experiments.cc", "bench/sizes.cc"}


def names_in(table):
    """The methods that the table has, and those it keeps for later."""
    names = re.findall(r'\.name = "(\w+)"', table)
    later = re.search(r"LaterMethods\(\) \{.*?\{(.*?)\};", table, re.DOTALL)
    return set(names) | set(re.findall(r'"(\w+)"', later[1] if later else ""))


def complaints(root):
    """What is wrong in the tree at `root`, one sentence each."""
    names = names_in((root / TABLE).read_text(encoding="utf-8"))
    if not names:
        return [f"{TABLE}: must name methods, but none was found"]
    word = "|".join(sorted(names))
    compared = re.compile(rf'[=!]=\s*"({word})"|"({word})"\s*[=!]=|case\s+"({word})"')
    quoted = re.compile(rf'"({"|".join(sorted(name for name in names if len(name) > 2))})"')
    found = []
    for path in sorted(p for folder in ("src", "fuzz", "bench", "examples") for p in (root / folder).glob("**/*")):
        name = str(path.relative_to(root))
        if path.suffix not in (".h", ".cc") or path.stem.endswith("_test") or path.name.startswith("test_"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            line = line.split("//")[0]
            if compared.search(line):
                found.append(f"{name}:{number}: must ask the row of the method, but compares its name")
            elif name not in MAY_NAME and quoted.search(line):
                found.append(f"{name}:{number}: must leave methods to {TABLE}, but names one")
    return found


class ThisTree(unittest.TestCase):
    def test_only_the_tables_know_methods_by_their_names(self):
        self.assertEqual(complaints(ROOT), [])


class Complaints(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        self.write(TABLE, '{.name = "gcs"},\nLaterMethods() {\n names = {"og"};\n}')

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def test_a_table_alone_is_right(self):
        self.assertEqual(complaints(self.root), [])

    def test_a_name_that_is_compared_is_found_everywhere(self):
        self.write(DISPATCH, 'if (method.name == "gcs") {}')
        self.write("src/io/reader.cc", 'if ("og" != name) {}')
        self.assertEqual(len(complaints(self.root)), 2)

    def test_a_name_is_found_outside_of_the_tables(self):
        self.write("src/survey/propose.cc", 'Use("gcs");')
        self.write(DISPATCH, '{"gcs", Run},')
        self.assertEqual(complaints(self.root), [
            f"src/survey/propose.cc:1: must leave methods to {TABLE}, but names one"])

    def test_tests_may_name_methods(self):
        self.write("src/io/reader_test.cc", 'if (name == "gcs") {}')
        self.assertEqual(complaints(self.root), [])

    def test_a_table_without_methods_is_wrong(self):
        self.write(TABLE, "")
        self.assertEqual(len(complaints(self.root)), 1)


if __name__ == "__main__":
    unittest.main()
