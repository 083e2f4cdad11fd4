"""Values that mean the same count as one in every format, in the publisher, the verifier and the attack.

    python3 tests/values_test.py --thicket build/thicket

Two records that differ in nothing but the way their secret is written are kept in every format. Neither may they be
published as 2-diverse, nor does a file of them pass, and an adversary is certain. PostgreSQL takes part where its
programs are installed; the test starts a server of its own.

Texts that stand for no value, values that do not fit, and dates in a way of their own come out the same from every format.
"""

import argparse
import json
import pathlib
import random
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import every_format  # noqa: E402

OUTPUT = {**every_format.OUTPUT, "csv": "data.csv"}
POLICY = """
version: 1
input: {format: jsonl, path: source.jsonl}
record:
  class: person
  quasi: {city: {mask: 2}}
  sensitive: {secret: {}}
privacy: {k: 2, l: 2}
"""
# Texts of a JSON value: of each pair one is the other in disguise.
SAME = {
    "whole": ("1", "1.0"),
    "decimal": ("2.5", "2.50"),
    "exponent": ("2.5", "25e-1"),
    "big": ("9007199254740993", "9007199254740993.0"),
    "case": ('"HIV"', '"hiv"'),
    "blank": ('"flu A"', '"flu\\u00a0 A"'),
    "composed": ('"caf\\u00e9"', '"cafe\\u0301"'),
    "unseen": ('"HIV"', '"H\\u200bIV"'),
}
DIFFERENT = {"neighbours": ("9007199254740992", "9007199254740993"), "words": ('"HIV"', '"flu"')}
ODD_POLICY = """
version: 1
input: {format: jsonl, path: source.jsonl}
record:
  class: person
  quasi:
    age: {numeric: true, unknown: missing, missing: [NA, -9]}
    size: {ranges: [10, 20], unknown: generalize, missing: [""]}
    born: {date: [year, decade], format: "%Y%m%d", unknown: generalize}
    zip: {mask: 3, missing: ["?"]}
  sensitive: {secret: {missing: [none]}}
privacy: {k: 3}
"""
ODD_VALUES = {
    "age": [31, 32, 35, "40", -9, "NA", " na", "old", "older", None],
    "size": [170, 175.5, "181", "tall", "", "  ", None],
    "born": ["19930417", "19930501", "19990000", "1999", "long ago", None],
    "zip": ["12345", "12345-6789", "12399", "?", None],
    "secret": ["a", "b", "c", "None", "none", None],
}


class Values(every_format.TestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.formats.append("csv")

    def keep(self, name, pair, to):
        """Writes two records in a format, and returns the policy and where they are."""
        (self.folder / "policy.yaml").write_text(POLICY, encoding="utf-8")
        with open(self.folder / "source.jsonl", "w", encoding="utf-8") as source:
            for secret in pair:
                source.write(f'{{"city": "A1", "secret": {secret}}}\n')
        where = f"{name}_{to}" if to == "postgresql" else f"{name}-{to}-{OUTPUT[to]}"
        policy = f"{name}-{to}.yaml"
        self.thicket("convert", "policy.yaml", "--to", to, "--into" if to == "postgresql" else "-o", where, "--policy",
                     policy)
        return policy, where

    def published(self, name, to):
        return ["--into", f"{name}_{to}_public"] if to == "postgresql" else ["-o", f"{name}-{to}-public"]

    def certainty(self, policy, where):
        report = json.loads(self.thicket("attack", policy, where, "--original", where, "--json"))
        return report["attacks"][0]["published"]["worst_certainty"]

    def test_same(self):
        for name, pair in SAME.items():
            for to in self.formats:
                with self.subTest(values=name, format=to):
                    policy, where = self.keep(name, pair, to)
                    self.thicket("anonymize", policy, *self.published(name, to), status=1)
                    self.thicket("verify", policy, where, status=1)
                    self.assertEqual(self.certainty(policy, where), 1)

    def test_different(self):
        for name, pair in DIFFERENT.items():
            for to in self.formats:
                with self.subTest(values=name, format=to):
                    policy, where = self.keep(name, pair, to)
                    self.thicket("anonymize", policy, *self.published(name, to))
                    self.thicket("verify", policy, where)
                    self.thicket("verify", policy, self.published(name, to)[1], "--original", where)
                    self.assertEqual(self.certainty(policy, where), 0.5)

    def test_odd_values(self):
        draw = random.Random(16)
        (self.folder / "policy.yaml").write_text(ODD_POLICY, encoding="utf-8")
        with open(self.folder / "source.jsonl", "w", encoding="utf-8") as source:
            for _ in range(200):
                person = {name: draw.choice(values) for name, values in ODD_VALUES.items()}
                source.write(json.dumps({name: value for name, value in person.items() if value is not None}) + "\n")
        seen = {}
        for to in self.formats:
            with self.subTest(format=to):
                where = f"odd_{to}" if to == "postgresql" else f"odd-{to}-{OUTPUT[to]}"
                policy = f"odd-{to}.yaml"
                self.thicket("convert", "policy.yaml", "--to", to, "--into" if to == "postgresql" else "-o", where,
                             "--policy", policy)
                self.thicket("anonymize", policy, *self.published("odd", to), "--seed", "1")
                public = self.published("odd", to)[1]
                self.thicket("verify", policy, public, "--original", where)
                self.thicket("evaluate", policy, public, "--original", where)
                self.thicket("convert", policy, "-i", public, "--published", "--to", "jsonl", "-o", f"{to}.jsonl")
                lines = (self.folder / f"{to}.jsonl").read_text(encoding="utf-8").splitlines()
                seen[to] = [{name: str(value) for name, value in json.loads(line).items() if value is not None}
                            for line in lines]
                text = json.dumps(seen[to])
                self.assertIn('"NA"', text)
                self.assertIn("tall", text)
                for gone in ("old", "-9", "na", "None", "  "):
                    self.assertNotIn(f'"{gone}"', text)
        for to, content in seen.items():
            self.assertEqual(content, seen["jsonl"], to)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--thicket", required=True)
    arguments, rest = parser.parse_known_args()
    every_format.THICKET = str(pathlib.Path(arguments.thicket).resolve())
    unittest.main(argv=[sys.argv[0], *rest])
