#!/usr/bin/env python3
"""A newcomer's walk over data of many kinds: init, anonymize with the proposal as it is, verify, attack.

A folder of tests/documents/ is a kind: documents of made-up people, and kind.json, which says

  data         what `init` is given, relative to the folder
  published    what the output is called; its ending belongs to the format
  identifiers  keys, columns or elements ("phone", "orders.from") of which no value may be published
  sensitive    attributes that the proposal must find to be sensitive
  shape        paths ("terms.party"; tables: "orders.day") that must be published
  taxonomies   attributes that the proposal must give a taxonomy: kinds, also where they are written as numbers
  tuples       optional: keys of arrays of numbers, such as coordinates, whose order must be kept
  recodings    by attribute, what the proposal must say of it: a regular expression
  said         what else must stand in the proposal, such as a comment on what is left out
  encoding     of CSV, where it is not UTF-8; and delimiter, where it is no comma
  grouped      the column that must be proposed as group_by; absent where each row, or document, is a person

Whatever the folder says, nothing that is absent becomes null or an empty array; no number of five digits or more that only one person has may be published, unless it is a sensitive
value; and no path may be published that the original does not have. To add a kind, add a folder.
"""

import argparse
import collections
import csv
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "documents")
THICKET = None
# How the documents that are looked at are written, as kind.json says.
WRITTEN = {"encoding": "utf-8", "delimiter": ","}
LONG_NUMBER = re.compile(r"\d{5,}")


def leaves_of_json(node, path=""):
    """(path, text) of every plain value; arrays leave no trace in the path."""
    if isinstance(node, dict):
        for key, child in node.items():
            yield from leaves_of_json(child, path + "." + key if path else key)
    elif isinstance(node, list):
        for child in node:
            yield from leaves_of_json(child, path)
    elif node is not None:
        yield path, node if isinstance(node, str) else json.dumps(node)


def leaves_of_xml(element, path=""):
    for name, value in element.attrib.items():
        yield (path + "." + name if path else name), value
    for child in element:
        name = re.sub(r"\{.*\}", "", child.tag)
        yield from leaves_of_xml(child, path + "." + name if path else name)
    if path and not len(element) and (element.text or "").strip():
        yield path, element.text.strip()


def leaves_of_csv(path, prefix=""):
    """By row; rows of tables are not put together here, so that a value is at most more people's than it seems."""
    with open(path, newline="", encoding=WRITTEN["encoding"]) as file:
        for row in csv.DictReader(file, delimiter=WRITTEN["delimiter"]):
            yield [(prefix + name, value) for name, value in row.items() if value]


def records_of(path):
    """The records of a document, each a list of (path, text)."""
    if os.path.isdir(path):
        tables = sorted(glob.glob(os.path.join(path, "*.csv")))
        if tables:
            for table in tables:
                yield from leaves_of_csv(table, os.path.basename(table)[:-4] + ".")
        else:
            for document in sorted(glob.glob(os.path.join(path, "*"))):
                yield [leaf for record in records_of(document) for leaf in record]
        return
    if path.endswith(".csv"):
        yield from leaves_of_csv(path)
    elif path.endswith(".xml"):
        for record in xml.etree.ElementTree.parse(path).getroot():
            yield list(leaves_of_xml(record))
    elif path.endswith(".json"):
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        for record in document if isinstance(document, list) else [document]:
            yield list(leaves_of_json(record))
    else:
        with open(path, encoding="utf-8") as file:
            for line in file:
                if path.endswith(".jsonl"):
                    yield list(leaves_of_json(json.loads(line)))
                else:
                    yield [("", item) for item in line.split()]


def objects_of(path):
    """The records of a JSON document, or nothing."""
    with open(path, encoding="utf-8") as file:
        if path.endswith(".jsonl"):
            return [json.loads(line) for line in file]
        document = json.load(file) if path.endswith(".json") else []
    return document if isinstance(document, list) else [document]


def empties_of(node):
    """What stands for nothing in an object or below it. An element of an array may be null, since it has its place."""
    if isinstance(node, list):
        return [empty for child in node for empty in empties_of(child)]
    if not isinstance(node, dict):
        return []
    found = [key for key, child in node.items() if child is None or child == []]
    return found + [empty for child in node.values() for empty in empties_of(child)]


def bounds_of(label):
    """The least and the greatest number of a published one: 5 or "[3, 7]"."""
    if not isinstance(label, str):
        return label, label
    low, high = label.strip("[]").split(", ")
    return float(low), float(high)


def is_named(path, name):
    """Whether a path leads to what kind.json calls a name: "phone" is "terms.phone", too."""
    return path == name or path.endswith("." + name)


def bytes_of(path):
    paths = [path]
    if os.path.isdir(path):
        paths = [os.path.join(folder, file) for folder, _, files in os.walk(path) for file in files]
    texts = []
    for one in sorted(paths):
        with open(one, encoding=WRITTEN["encoding"]) as file:
            texts.append(file.read())
    return "\n".join(texts)


class Documents(unittest.TestCase):
    def run_thicket(self, *arguments):
        done = subprocess.run([THICKET, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300,
                              check=False)
        self.assertEqual(done.returncode, 0, "thicket %s\n%s%s" % (" ".join(arguments), done.stdout, done.stderr))
        return done.stdout

    def walk(self, kind):
        with open(os.path.join(HERE, kind, "kind.json"), encoding="utf-8") as file:
            expected = json.load(file)
        WRITTEN.update(encoding=expected.get("encoding", "utf-8"), delimiter=expected.get("delimiter", ","))
        self.folder = tempfile.mkdtemp(prefix="thicket_documents_")
        self.addCleanup(shutil.rmtree, self.folder)
        source = os.path.join(self.folder, "in")
        shutil.copytree(os.path.join(HERE, kind), source)
        data = os.path.join("in", expected["data"])
        self.run_thicket("init", data, "-o", "policy.yaml")
        with open(os.path.join(self.folder, "policy.yaml"), encoding="utf-8") as file:
            policy = file.read()
        self.check_proposal(policy, expected)
        # Data in which an identifier is missing or repeated would be refused: the proposal must not.
        self.run_thicket("anonymize", "policy.yaml", "-o", expected["published"], "--seed", "1", "--quiet")
        self.run_thicket("verify", "policy.yaml", expected["published"], "--original", data)
        self.check_output(os.path.join(self.folder, data), os.path.join(self.folder, expected["published"]), expected,
                          policy)
        attack = json.loads(self.run_thicket("attack", "policy.yaml", expected["published"], "--original", data,
                                             "--seed", "1", "--json"))
        self.check_attack(attack)

    def check_proposal(self, policy, expected):
        sensitive = re.findall(r"^ *sensitive:\n((?: +[^\n]*\{[^\n]*\n)+)", policy, re.M)
        for name in expected["sensitive"]:
            self.assertTrue(any(re.search(r"^ *\"?%s\"?: \{" % re.escape(name), block, re.M) for block in sensitive),
                            "%s must be sensitive in\n%s" % (name, policy))
        for name in expected["taxonomies"]:
            self.assertRegex(policy, r"(?m)^ *\"?%s\"?: \{taxonomy: " % re.escape(name), policy)
        for name, recoding in expected.get("recodings", {}).items():
            self.assertRegex(policy, r"(?m)^ *\"?%s\"?: \{%s" % (re.escape(name), recoding), policy)
        for words in expected.get("said", []):
            self.assertIn(words, policy)
        if "grouped" in expected:
            self.assertRegex(policy, r"(?m)^ *group_by: %s\b" % re.escape(expected["grouped"]), policy)
        kept = re.search(r"^ *keep:\n((?: +\S[^\n]*\n)+)", policy, re.M)
        if kept:
            self.assertIn("constant:", kept.group(1).splitlines()[0], policy)

    def check_output(self, original, published, expected, policy):
        before = list(records_of(original))
        after = list(records_of(published))
        text = bytes_of(published)
        values = collections.defaultdict(set)
        holders = collections.defaultdict(set)
        for number, record in enumerate(before):
            for path, value in record:
                values[path].add(value)
                holders[(path, value)].add(number)
        shown = {(path, value) for record in after for path, value in record}
        for name in expected["identifiers"]:
            paths = [path for path in values if is_named(path, name)]
            self.assertTrue(paths, "kind.json: %s must be in the data, but is not" % name)
            for path in paths:
                for value in values[path]:
                    self.assertNotIn((path, value), shown, "%s is published\n%s" % (path, policy))
                    if len(value) > 4:
                        self.assertNotIn(value, text, "a value of %s is published\n%s" % (path, policy))
        numbers = set(LONG_NUMBER.findall(text))
        for (path, value), who in holders.items():
            is_sensitive = any(is_named(path, name) for name in expected["sensitive"])
            if len(who) == 1 and LONG_NUMBER.fullmatch(value) and not is_sensitive:
                self.assertNotIn(value, numbers, "a single record's number of %s is published\n%s" % (path, policy))
        if published.endswith((".json", ".jsonl")):
            self.assertEqual(empties_of(objects_of(published)), [], "must be absent")
        for key in expected.get("tuples", []):
            self.check_tuples(key, objects_of(original), objects_of(published), policy)
        paths = {path for record in after for path, _ in record}
        self.assertLessEqual(paths, set(values), "paths that the original does not have")
        for path in expected["shape"]:
            self.assertIn(path, paths, "must be published\n%s" % policy)

    def check_tuples(self, key, before, after, policy):
        """The i-th number is one of the i-th ones, not of others."""
        self.assertRegex(policy, r"(?m)^ *at: %s\n *ordered: true\b" % re.escape(key), policy)
        own = list(zip(*(record[key] for record in before if key in record)))
        for record in after:
            for place, label in enumerate(record.get(key, [])):
                low, high = bounds_of(label)
                self.assertTrue(min(own[place]) <= low <= high <= max(own[place]), (key, place, label))

    def check_attack(self, attack):
        """Whoever knows what the policy lets an adversary know finds nobody in what is published."""
        self.assertTrue(attack["attacks"])
        for outcome in attack["attacks"]:
            self.assertEqual(outcome["published"]["found_share"], 0, outcome)


def add_kind(kind):
    def test(self):
        self.walk(kind)

    test.__doc__ = "The walk over tests/documents/%s" % kind
    setattr(Documents, "test_" + kind, test)


for one in sorted(os.listdir(HERE)):
    add_kind(one)

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--thicket", required=True)
    options, rest = parser.parse_known_args()
    THICKET = os.path.abspath(options.thicket)
    unittest.main(argv=[sys.argv[0]] + rest)
