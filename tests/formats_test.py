"""The same records give the same published content, whatever shape they are kept in.

    python3 tests/formats_test.py --thicket build/thicket

A generated data set is converted to every format, anonymized there with one seed, and the published data is converted
back to JSON Lines: all must be equal, text by text. What was converted must also lead back to the data it came from.
PostgreSQL takes part where its programs are installed; the test starts a server of its own.
"""

import argparse
import json
import os
import pathlib
import stat
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import every_format  # noqa: E402
from every_format import OUTPUT  # noqa: E402


def texts(value):
    """A record with every plain value as its text, and nothing for a missing one: not all formats know numbers."""
    if isinstance(value, dict):
        members = {key: texts(member) for key, member in value.items()}
        return {key: member for key, member in members.items() if member not in (None, [])}
    if isinstance(value, list):
        return [texts(item) for item in value]
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value)


def read(path):
    # Numbers as they stand there: 3.50 is not 3.5.
    with open(path, encoding="utf-8") as lines:
        return [texts(json.loads(line, parse_float=str, parse_int=str)) for line in lines]


class Formats(every_format.TestCase):
    def setUp(self):
        super().setUp()
        self.links = set()

    def convert(self, policy, to, name, *more):
        """Converts, and returns the policy of the result."""
        result = f"{name}-{to}.yaml"
        where = ["--into", name] if to == "postgresql" else ["-o", f"{name}-{OUTPUT[to]}"]
        self.thicket("convert", policy, "--to", to, *where, "--policy", result, *more)
        return result

    def published(self, policy, to, name):
        """Anonymizes, verifies, and returns the published records."""
        where = f"{name}_public"
        link = f"{where}-link.csv"
        self.thicket("anonymize", policy, "--seed", 7, "--into" if to == "postgresql" else "-o", where, "--link", link)
        self.thicket("verify", policy, where, "--original", self.original(policy))
        # Records are numbered as they are read, in every format: the same records have the same link.
        self.thicket("verify", policy, where, "--original", self.original(policy), "--link", link)
        self.assertEqual(stat.S_IMODE((self.folder / link).stat().st_mode), 0o600)
        self.links.add((self.folder / link).read_text(encoding="utf-8"))
        self.assertEqual(len(self.links), 1)
        self.thicket("convert", policy, "-i", where, "--published", "--to", "jsonl", "-o", f"{where}.jsonl", "--quiet")
        return read(self.folder / f"{where}.jsonl")

    def original(self, policy):
        text = (self.folder / policy).read_text(encoding="utf-8")
        for line in text.splitlines():
            if line.startswith("  schema: "):
                return line.removeprefix("  schema: ")
        if text.startswith("version: 1\ninput: {"):
            return text.partition("path: ")[2].partition("}")[0]
        return next(line.removeprefix("  path: ") for line in text.splitlines() if line.startswith("  path: "))

    def check(self, data, count):
        self.thicket("generate", data, "-n", count, "--seed", 3, "-o", "source")
        source = read(self.folder / "source" / f"{data}.jsonl")
        policies = {to: self.convert("source/policy.yaml", to, f"from_{to}") for to in self.formats}
        expected = self.published(policies["jsonl"], "jsonl", "from_jsonl")
        self.assertGreater(len(expected), count * 0.8)
        for to in self.formats:
            with self.subTest(format=to):
                back = self.convert(policies[to], "jsonl", f"back_from_{to}")
                self.assertEqual(read(self.folder / f"back_from_{to}-data.jsonl"),
                                 read(self.folder / "from_jsonl-data.jsonl"))
                self.assertTrue((self.folder / back).exists())
                if to != "jsonl":
                    self.assertEqual(self.published(policies[to], to, f"from_{to}"), expected)
        # Nothing is lost on the way, in any order of keys.
        self.assertEqual([sorted(record) for record in read(self.folder / "from_jsonl-data.jsonl")],
                         [sorted(record) for record in source])

    def test_students(self):
        self.check("students", 120)

    def test_college_years_of_four_levels(self):
        self.check("college-years", 40)

    def test_transcripts(self):
        self.check("transcripts", 60)

    def test_moved_labels_and_merged_vertices(self):
        policy = ("version: 1\ninput: {format: jsonl, path: customers.jsonl}\nrecord:\n  class: customer\n"
                  "  quasi: {nation: {mask: 1}}\n  children:\n    - class: order\n      at: orders\n"
                  "      quasi: {price: {mask: 1}}\n      sensitive: {status: {}}\n      children:\n"
                  "        - {class: item, at: items, quasi: {brand: {mask: 1}}, keep: [note]}\n"
                  "privacy: {k: 3, m: 2, n: 1}\n")
        customers = [{"nation": "FG"[i % 2], "orders": [
            {"price": "K", "status": "open", "items": [{"brand": b, "note": str(i)} for b in "pqt"]},
            {"price": "K", "status": "paid", "items": [{"brand": "p", "note": "x"}]},
            {"price": "N", "status": "paid", "items": [{"brand": b, "note": "9"} for b in ("rp" if i < 2 else "r")]},
        ]} for i in range(20)]
        (self.folder / "policy.yaml").write_text(policy, encoding="utf-8")
        (self.folder / "customers.jsonl").write_text("".join(json.dumps(c) + "\n" for c in customers), encoding="utf-8")
        policies = {to: self.convert("policy.yaml", to, f"from_{to}") for to in self.formats}
        expected = self.published(policies["jsonl"], "jsonl", "from_jsonl")
        # Two customers' brand was moved out of its order; every customer has two orders in one.
        self.assertEqual(sum("items" in customer for customer in expected), 2)
        self.assertTrue(all(len(customer["orders"]) == 3 for customer in expected))
        for to in self.formats[1:]:
            with self.subTest(format=to):
                self.assertEqual(self.published(policies[to], to, f"from_{to}"), expected)

    def test_sets_are_the_same_as_transactions(self):
        (self.folder / "policy.yaml").write_text(
            "version: 1\ninput: {format: transactions, path: sets.txt}\nrecord:\n  class: set\n  children:\n"
            "    - {class: item, at: items, quasi: {item: {ranges: [10, 100]}}}\nprivacy: {k: 3}\n", encoding="utf-8")
        (self.folder / "sets.txt").write_text(
            "".join(" ".join(str(7 * i * j % 90) for j in range(i % 4)) + "\n" for i in range(40)), encoding="utf-8")
        expected = self.published("policy.yaml", "transactions", "sets")
        self.assertEqual(len(expected), 40)
        for to in self.formats:
            with self.subTest(format=to):
                sets = self.published(self.convert("policy.yaml", to, f"from_{to}"), to, f"from_{to}")
                # Rows have columns, so what comes from tables is objects.
                plain = [{key: [i["item"] if isinstance(i, dict) else i for i in items] for key, items in one.items()}
                         for one in sets]
                self.assertEqual(plain, expected)

    def test_bags_are_the_same_as_those_of_a_query_log(self):
        words = ["wine", "vino", "beer", "milk", "boots", "shoes", "jackets", "pants"]
        (self.folder / "words.csv").write_text("".join(f"{word};{'drinks' if i < 4 else 'clothes'};*\n"
                                                       for i, word in enumerate(words)), encoding="utf-8")
        (self.folder / "policy.yaml").write_text(
            "version: 1\ninput: {format: querylog, path: log.tsv}\nrecord:\n  class: vocabulary\n  children:\n"
            "    - {class: term, at: terms, quasi: {term: {taxonomy: words.csv}}}\nprivacy: {k: 3, epsilon: 2}\n",
            encoding="utf-8")
        (self.folder / "log.tsv").write_text("AnonID\tQuery\tQueryTime\n" + "".join(
            f"{40 - i}\t{words[i * j % 8]} {words[(i + j) % 8].upper()}\t{100 - j}\n" for i in range(40) for j in range(i % 4)),
            encoding="utf-8")
        expected = self.published("policy.yaml", "querylog", "log")
        self.assertEqual(len(expected), 30)
        for to in self.formats:
            with self.subTest(format=to):
                bags = self.published(self.convert("policy.yaml", to, f"from_{to}"), to, f"from_{to}")
                plain = [{key: [i["term"] if isinstance(i, dict) else i for i in items] for key, items in one.items()}
                         for one in bags]
                self.assertEqual(plain, expected)
        # Published bags of any format may become a query log.
        for to in self.formats:
            with self.subTest(format=to):
                where = f"from_{to}_public"
                self.thicket("convert", f"from_{to}-{to}.yaml", "-i", where, "--published", "--to", "querylog", "-o",
                             f"{where}.tsv", "--quiet")
                self.assertEqual((self.folder / f"{where}.tsv").read_bytes(), (self.folder / "log_public").read_bytes())

    def shares_in_source_order(self, name, privacy, diagnosis):
        """By format: the share of pairs of equal siblings that are published in the order of the source."""
        self.links.clear()
        (self.folder / "policy.yaml").write_text(
            "version: 1\ninput: {format: jsonl, path: people.jsonl}\nrecord:\n  class: person\n"
            "  quasi: {born: {ranges: [10]}}\n  children:\n    - class: visit\n      at: visits\n"
            "      quasi: {ward: {mask: 1}}\n      sensitive: {diagnosis: {}}\n      keep: [number]\n"
            f"privacy: {privacy}\n", encoding="utf-8")
        people = [{"born": 1950 + i % 40, "visits": [{"ward": "AB"[j % 2], "diagnosis": diagnosis(i, j), "number": j}
                                                     for j in range(6)]} for i in range(240)]
        (self.folder / "people.jsonl").write_text("".join(json.dumps(p) + "\n" for p in people), encoding="utf-8")
        shares = {}
        for to in self.formats:
            ordered = pairs = 0
            for person in self.published(self.convert("policy.yaml", to, f"{name}_{to}"), to, f"{name}_{to}"):
                for ward in "AB":
                    numbers = [int(v["number"]) for v in person["visits"] if v["ward"] == ward]
                    ordered += sum(a < b for i, a in enumerate(numbers) for b in numbers[i + 1:])
                    pairs += len(numbers) * (len(numbers) - 1) // 2
            self.assertGreater(pairs, 1000, to)
            shares[to] = ordered / pairs
        return shares

    def test_equal_siblings_do_not_stand_as_in_the_source(self):
        promises = {
            "{k: 3}": lambda i, j: "flu",
            "{k: 4, l: 2}": lambda i, j: f"d{(i * 7 + j * 3) % 11}",
            "{l: 3}": lambda i, j: f"d{i % 9}{j}",
        }
        for i, (privacy, diagnosis) in enumerate(promises.items()):
            for to, share in self.shares_in_source_order(f"siblings{i}", privacy, diagnosis).items():
                with self.subTest(format=to, privacy=privacy):
                    self.assertLess(abs(share - 0.5), 0.08)

    def test_equal_items_do_not_stand_as_in_the_source(self):
        (self.folder / "policy.yaml").write_text(
            "version: 1\ninput: {format: transactions, path: sets.txt}\nrecord:\n  class: set\n  children:\n"
            "    - {class: item, at: items, sensitive: {item: {}}}\nprivacy: {l: 2}\n", encoding="utf-8")
        (self.folder / "sets.txt").write_text(
            "".join(" ".join(f"{j}-{i}" for j in range(4)) + "\n" for i in range(300)), encoding="utf-8")
        self.thicket("anonymize", "policy.yaml", "--seed", 7, "-o", "public.txt")
        orders = [line.split() for line in (self.folder / "public.txt").read_text(encoding="utf-8").splitlines()]
        pairs = [a < b for items in orders for i, a in enumerate(items) for b in items[i + 1:]]
        self.assertGreater(len(pairs), 1000)
        self.assertLess(abs(sum(pairs) / len(pairs) - 0.5), 0.08)

    def test_converted_data_is_private(self):
        self.thicket("generate", "students", "-n", 20, "-o", "source")
        for to in self.formats:
            if to == "postgresql":
                continue
            self.convert("source/policy.yaml", to, f"from_{to}")
            path = self.folder / f"from_{to}-{OUTPUT[to]}"
            mode = stat.S_IMODE(path.stat().st_mode)
            self.assertEqual(mode, 0o700 if path.is_dir() else 0o600, to)

    def test_a_flat_table_goes_everywhere_and_back(self):
        rows = "".join(f"{i},{20 + i % 7},{'AB'[i % 2]}\n" for i in range(30))
        (self.folder / "people.csv").write_text("pid,age,grade\n" + rows, encoding="utf-8")
        (self.folder / "policy.yaml").write_text(
            "version: 1\ninput: {format: csv, path: people.csv}\nrecord:\n  class: person\n  id: pid\n"
            "  quasi: {age: {ranges: [5, 10]}}\n  sensitive: {grade: {}}\nprivacy: {k: 2}\n", encoding="utf-8")
        self.thicket("anonymize", "policy.yaml", "--seed", 7, "-o", "public.csv")
        self.thicket("convert", "policy.yaml", "-i", "public.csv", "--published", "--to", "jsonl", "-o", "public.jsonl")
        expected = read(self.folder / "public.jsonl")
        for to in self.formats:
            with self.subTest(format=to):
                policy = self.convert("policy.yaml", to, f"flat_{to}")
                self.assertEqual(self.published(policy, to, f"flat_{to}"), expected)
                self.thicket("convert", policy, "--to", "csv", "-o", f"back_{to}.csv")
                lines = (self.folder / f"back_{to}.csv").read_text(encoding="utf-8").splitlines()
                self.assertEqual(len(lines), 31)
                self.assertEqual(sorted(lines[0].split(",")), ["age", "grade", "pid"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--thicket", required=True)
    options, rest = parser.parse_known_args()
    every_format.THICKET = os.path.abspath(options.thicket)
    unittest.main(argv=[sys.argv[0], *rest])
