"""Published records that look alike cannot be told apart by how they are written.

    python3 tests/appearance_test.py --thicket build/thicket

Small random data is published in every text format. Then one record is written a little differently, in every way that
leaves its meaning as it is, and `verify` must refuse the file; or all records are written anew in another way, and
`verify` must accept it.
"""

import argparse
import copy
import gzip
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

THICKET = None
ROUNDS = 2

RECORD = """
  class: person
  id: pid
  drop: [name]
  keep: [ward]
  quasi:
    city: {taxonomy: city.csv}
    age: {AGE}
  sensitive:
    income: {}
  children:
    - class: visit
      at: visits
      quasi: {unit: {mask: 1}}
      sensitive: {diagnosis: {}}
      keep: [cost]
      children:
        - class: drug
          at: drugs
          quasi: {code: {mask: 1}}
    - class: job
      at: job
      quasi: {title: {mask: 1}}
"""
AGE = {"classes": "numeric: true", "combinations": "ranges: [2, 4]"}
PRIVACY = {"classes": "k: 2", "combinations": "k: 2\n  m: 2\n  n: 1"}
CITIES = ["Ankara", "Izmir", "Lyon", "Orl\u00e9ans"]


def person(number, rng):
    """With missing values of every role, now and then."""
    record = {"pid": f"p{number}", "name": f"N{number}", "city": rng.choice(CITIES), "age": rng.choice([1, 2, 2.5, 7])}
    maybe = lambda chance: rng.random() < chance
    if maybe(0.3):
        del record["city"]
    if maybe(0.6):
        record["income"] = rng.choice(["low", "high/er", "m\u00e9dium", 12])
    if maybe(0.6):
        record["ward"] = rng.choice(["east", "west"])
    visits = []
    for _ in range(rng.choice([0, 1, 2, 2])):
        visit = {"unit": rng.choice(["a1", "a2", "b1"])}
        if maybe(0.7):
            visit["diagnosis"] = rng.choice(["flu", "cold", "asthma"])
        if maybe(0.7):
            visit["cost"] = rng.choice([10, 20.5])
        if maybe(0.7):
            visit["drugs"] = [{"code": rng.choice(["x1", "x2"])} for _ in range(rng.choice([1, 2]))]
        visits.append(visit)
    if visits or maybe(0.5):
        record["visits"] = visits
    if maybe(0.7):
        record["job"] = {"title": rng.choice(["cook", "nurse"])}
    return record


def vertices(record):
    """All objects of a record."""
    yield record
    for value in record.values():
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, dict):
                yield from vertices(child)


def keys_of(records):
    """By the class of a vertex, known by how deep it stands and under which key: all its keys."""
    keys = {}

    def walk(vertex, name):
        keys.setdefault(name, set()).update(vertex)
        for key, value in vertex.items():
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, dict):
                    walk(child, key)
    for record in records:
        walk(record, "")
    return keys


def walk_named(record, name=""):
    yield name, record
    for key, value in record.items():
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, dict):
                yield from walk_named(child, key)


def dump(record):
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


# Each takes all records, the number of the one to change and a source of chance, and returns the line of that record, or
# None where there is nothing to change.
def reorder_keys(records, number, rng):
    record = copy.deepcopy(records[number])
    several = [vertex for vertex in vertices(record) if len(vertex) > 1]
    if not several:
        return None
    vertex = rng.choice(several)
    items = list(vertex.items())
    vertex.clear()
    vertex.update(items[1:] + items[:1])
    return dump(record)


def add_blank(records, number, rng):
    line = dump(records[number])
    places = [m.end() for m in re.finditer(r'[{\[:,](?=(?:[^"]|"[^"]*")*$)', line)]
    at = rng.choice(places)
    return line[:at] + " " + line[at:]


def blank_at_end(records, number, rng):
    return dump(records[number]) + rng.choice([" ", "\t", "\r"])


def blank_at_begin(records, number, rng):
    return " " + dump(records[number])


def empty_line(records, number, rng):
    return "\n" + dump(records[number])


def null_for_absent(records, number, rng):
    record = copy.deepcopy(records[number])
    keys = keys_of(records)
    lacking = [(vertex, key) for name, vertex in walk_named(record) for key in sorted(keys[name] - set(vertex))
               if sum(key not in v for r in records for n, v in walk_named(r) if n == name) > 1]
    if not lacking:
        return None
    vertex, key = rng.choice(lacking)
    vertex[key] = None
    # In its usual place, so that nothing but the value tells it.
    order = {"city": 0, "age": 1, "income": 2, "ward": 3, "visits": 4, "job": 6, "unit": 0, "diagnosis": 1, "cost": 2,
             "drugs": 5}
    items = sorted(vertex.items(), key=lambda item: order.get(item[0], 9))
    vertex.clear()
    vertex.update(items)
    return dump(record)


def empty_array(records, number, rng):
    record = copy.deepcopy(records[number])
    if "visits" in record or all("visits" in r for i, r in enumerate(records) if i != number):
        return None
    items = list(record.items())
    at = next((i for i, (key, _) in enumerate(items) if key in ("drugs", "job")), len(items))
    record = dict(items[:at] + [("visits", [])] + items[at:])
    return dump(record)


def other_number(records, number, rng):
    record = copy.deepcopy(records[number])
    if not isinstance(record.get("age"), (int, float)):
        return None
    record["age"] = -987654.25
    spelled = "%s0" % records[number]["age"] if isinstance(records[number]["age"], float) else \
        "%s.0" % records[number]["age"]
    return dump(record).replace("-987654.25", spelled)


def escape_letter(records, number, rng):
    line = dump(records[number])
    places = [m.start() for m in re.finditer("[a-z\u00e9/]", line)]
    at = rng.choice(places)
    return line[:at] + "\\u%04x" % ord(line[at]) + line[at + 1:]


def unnamed_key(records, number, rng):
    return dump({**records[number], "note": 1})


def class_text(records, number, rng):
    return dump({**records[number], "_class": rng.choice(["x", -1, 1.5, None, [1], "0", 10**12])})


def swap_siblings(records, number, rng):
    record = copy.deepcopy(records[number])
    twins = [r for i, r in enumerate(records) if i != number and quasi(r) == quasi(record)]
    visits = record.get("visits", [])
    if not twins or len(visits) < 2 or quasi(visits[0]) == quasi(visits[1]):
        return None
    visits[0], visits[1] = visits[1], visits[0]
    return dump(record)


def array_for_single(records, number, rng):
    record = copy.deepcopy(records[number])
    if not isinstance(record.get("job"), dict) or sum(isinstance(r.get("job"), dict) for r in records) < 2:
        return None
    record["job"] = [record["job"]]
    return dump(record)


def quasi(value):
    if isinstance(value, dict):
        return {k: quasi(v) for k, v in value.items() if k not in ("income", "ward", "diagnosis", "cost")}
    return [quasi(v) for v in value] if isinstance(value, list) else value


MARKS = [reorder_keys, add_blank, blank_at_end, blank_at_begin, empty_line, null_for_absent, empty_array, other_number,
         escape_letter, unnamed_key, class_text, swap_siblings, array_for_single]


def with_nulls(records):
    keys = keys_of(records)
    records = copy.deepcopy(records)
    for record in records:
        for name, vertex in list(walk_named(record)):
            filled = {key: vertex.get(key) for key in sorted(keys[name])}
            vertex.clear()
            vertex.update(filled)
    return records


# Each writes all records in another way.
REWRITTEN = {
    "blanks": lambda records: "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records),
    "sorted": lambda records: "".join(json.dumps(r, sort_keys=True, ensure_ascii=False) + "\n" for r in records),
    "escapes": lambda records: "".join(json.dumps(r) + "\n" for r in records),
    "slashes": lambda records: "".join(dump(r).replace("/", "\\/") + "\n" for r in records),
    "nulls": lambda records: "".join(dump(r) + "\n" for r in with_nulls(records)),
    "line ends": lambda records: "".join(dump(r) + "\r\n" for r in records),
    "no last line end": lambda records: "\n".join(map(dump, records)),
    "reversed": lambda records: "".join(dump(r) + "\n" for r in reversed(records)),
}


class Appearance(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="thicket-appearance-")))
        (self.folder / "city.csv").write_text("Ankara;Turkey;*\nIzmir;Turkey;*\nLyon;France;*\nOrl\u00e9ans;France;*\n",
                                              encoding="utf-8")

    def run_thicket(self, *arguments):
        return subprocess.run([THICKET, *map(str, arguments)], cwd=self.folder, text=True, capture_output=True, timeout=600)

    def thicket(self, *arguments):
        done = self.run_thicket(*arguments)
        self.assertEqual(done.returncode, 0, f"thicket {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")

    def verify(self, text, expected, what, policy="policy.yaml", name="changed"):
        path = self.folder / name
        path.write_bytes(text.encode("utf-8"))
        done = self.run_thicket("verify", policy, path, "--quiet")
        self.assertEqual(done.returncode, expected,
                         f"{what}\n{self.run_thicket('verify', policy, path).stdout}{done.stderr}\n{text}")

    def publish(self, model, seed, *more, at=""):
        """Random people, published as JSON Lines."""
        rng = random.Random(seed)
        lines = "".join(json.dumps(person(i, rng)) + "\n" for i in range(1, 25))
        (self.folder / "people.jsonl").write_text(lines, encoding="utf-8")
        (self.folder / "policy.yaml").write_text(
            f"version: 1\ninput: {{format: jsonl, path: people.jsonl}}\nrecord:{RECORD.replace('AGE', AGE[model])}"
            f"privacy:\n  {PRIVACY[model]}\n",
            encoding="utf-8")
        self.thicket("anonymize", "policy.yaml", "-o", "out.jsonl", "--seed", seed, "--quiet", *more)
        return (self.folder / "out.jsonl").read_text(encoding="utf-8")

    def check_lines(self, model):
        done = {mark.__name__: 0 for mark in MARKS}
        for seed in range(ROUNDS):
            text = self.publish(model, seed)
            lines = text.splitlines()
            records = [json.loads(line) for line in lines]
            self.assertEqual(text, "".join(dump(record) + "\n" for record in records))
            for name, rewrite in REWRITTEN.items():
                self.verify(rewrite(records), 0, f"{model}, {seed}: {name}")
            for mark in MARKS:
                rng = random.Random(f"{seed} {mark.__name__}")
                for number in rng.sample(range(len(records)), len(records)):
                    changed = mark(records, number, rng)
                    if changed is not None:
                        break
                else:
                    continue
                if mark is swap_siblings and model == "combinations":
                    continue
                done[mark.__name__] += 1
                self.verify("\n".join(lines[:number] + [changed] + lines[number + 1:]) + "\n", 1,
                            f"{model}, {seed}: {mark.__name__} of record {number + 1}")
        expected = set(done) - ({"swap_siblings", "other_number"} if model == "combinations" else set())
        self.assertEqual({name for name, count in done.items() if count} & expected, expected)

    def test_json_lines_of_classes(self):
        self.check_lines("classes")

    def test_json_lines_of_combinations(self):
        self.check_lines("combinations")

    def test_compressed_files(self):
        text = self.publish("classes", 3).encode("utf-8")
        for name, expected in ((b"published.jsonl", 0), (b"Ann", 1)):
            header = b"\x1f\x8b\x08\x08\0\0\0\0\0\x03" + name + b"\0"
            (self.folder / "published.jsonl.gz").write_bytes(header + gzip.compress(text, mtime=0)[10:])
            done = self.run_thicket("verify", "policy.yaml", "published.jsonl.gz")
            self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
            self.assertNotIn("Ann", done.stdout + done.stderr)

    def test_class_numbers(self):
        text = self.publish("classes", 3, "--with-class")
        records = [json.loads(line) for line in text.splitlines()]
        self.verify(text, 0, "as published")
        for change in (lambda r: r.update(_class=r["_class"] + 1), lambda r: r.pop("_class"),
                       lambda r: r.update(_class=str(r["_class"]))):
            changed = copy.deepcopy(records)
            change(changed[5])
            self.verify("".join(dump(r) + "\n" for r in changed), 1, "one other class number")
        for i, record in enumerate(records):
            record["_class"] = i
        self.verify("".join(dump(r) + "\n" for r in records), 1, "running numbers")

    def test_documents(self):
        self.publish("classes", 1)
        self.thicket("convert", "policy.yaml", "--to", "json", "-o", "people.json", "--policy", "json.yaml", "--quiet")
        self.thicket("anonymize", "json.yaml", "-o", "out.json", "--seed", "1", "--quiet")
        text = (self.folder / "out.json").read_text(encoding="utf-8")
        records = json.loads(text)
        check = lambda changed, expected, what: self.verify(changed, expected, what, policy="json.yaml")
        for indent in (None, 0, 1, 2, "\t"):
            check(json.dumps(records, indent=indent), 0, f"indent {indent}")
        check(json.dumps(with_nulls(records), indent=2), 0, "nulls")
        check(text.replace("\n", "\r\n"), 0, "line ends")
        lines = text.split("\n")
        for what, line in [("blank", lines[4] + " "), ("line", lines[4] + "\n"), ("escape", lines[4].replace("u", "\\u0075")),
                           ("key", lines[4].replace("{", '{"x":1,', 1)), ("blanks inside", lines[4].replace(":", ": ", 1))]:
            check("\n".join(lines[:4] + [line] + lines[5:]), 1, what)
        check(text + " " * 1000, 1, "blanks at the end")

    def test_xml(self):
        for model in PRIVACY:
            for seed in range(ROUNDS):
                self.check_xml(model, seed)

    def check_xml(self, model, seed):
        self.publish(model, seed)
        self.thicket("convert", "policy.yaml", "--to", "xml", "-o", "people.xml", "--policy", "xml.yaml", "--quiet")
        self.thicket("anonymize", "xml.yaml", "-o", "out.xml", "--seed", seed, "--quiet")
        text = (self.folder / "out.xml").read_text(encoding="utf-8")
        check = lambda changed, expected, what: self.verify(changed, expected, f"{model}, {seed}: {what}", policy="xml.yaml")
        check(text, 0, "as published")
        tree = ElementTree.fromstring(text)
        check(ElementTree.tostring(tree, encoding="unicode"), 0, "written by ElementTree")
        for space in ("  ", "\t"):
            ElementTree.indent(tree, space)
            check(ElementTree.tostring(tree, encoding="unicode"), 0, "indented")
        check(ElementTree.tostring(tree, encoding="us-ascii").decode("ascii"), 0, "with references")
        check(ElementTree.tostring(tree, encoding="unicode", short_empty_elements=False), 0, "without short elements")
        check(text.replace('"', "'"), 0, "other quotes")
        lines = text.split("\n")
        rng = random.Random(seed)
        person_lines = [i for i, line in enumerate(lines) if re.match(r" *<person( \w+=\"[^\"]*\"){2,}>", line)]
        number = rng.choice(person_lines)
        line = lines[number]
        attributes = re.search(r"<person( \w+=\"[^\"]*\")( \w+=\"[^\"]*\")", line)
        marks = {
            "a comment": line.replace(">", "><!-- x -->", 1),
            "a comment between": line + "<!--x-->",
            "an instruction": line.replace(">", "><?x y?>", 1),
            "a namespace": line.replace("<person", '<person xmlns:x="y"', 1),
            "an attribute": line.replace("<person", '<person x="y"', 1),
            "an element": line.replace(">", "><x/>", 1),
            "blanks in a tag": line.replace("<person", "<person ", 1),
            "blanks at the end of a tag": line.replace(">", " >", 1),
            "blanks around =": line.replace("=", " =", 1),
            "blanks after": line + " ",
            "blanks before": " " + line,
            "other quotes": re.sub(r'"([^"]*)"', r"'\1'", line, count=1),
            "a reference": line.replace('="', '="&#%d;' % ord(line.split('="')[1][0]), 1).replace(
                ";" + line.split('="')[1][0], ";", 1),
            "order": line.replace(attributes[0], "<person" + attributes[2] + attributes[1]),
            "a long end": re.sub(r"<(\w+)( [^>]*)/>", r"<\1\2></\1>", line, count=1)
            if re.search(r"<(visits|drugs|job)[^>]*/>", line) and min(
                len(re.findall(f"<{name}[^>]*/>", text)) for name in ("visits", "drugs", "job")) > 3 else None,
            "an empty attribute": line.replace("<person", '<person name=""', 1),
            "class": line.replace("<person", '<person _class="x"', 1),
        }
        for what, changed in marks.items():
            if changed is not None:
                self.assertNotEqual(changed, line, what)
                check("\n".join(lines[:number] + [changed] + lines[number + 1:]), 1, what)
        check(text + "<!-- x -->", 1, "a comment at the end")
        check(text.replace("\n", "\n" + " " * 1000, 1), 1, "blanks before the document's element")

    def test_sets(self):
        rng = random.Random(4)
        sets = [sorted({rng.choice(["a1", "a2", "b1", "b 2", "c1"]) for _ in range(rng.choice([1, 2, 3]))})
                for _ in range(30)]
        quote = lambda item: f'"{item}"' if " " in item else item
        (self.folder / "sets.txt").write_text("".join(" ".join(map(quote, s)) + "\n" for s in sets), encoding="utf-8")
        (self.folder / "sets.yaml").write_text(
            "version: 1\ninput: {format: transactions, path: sets.txt}\nrecord:\n  class: basket\n  children:\n"
            "    - {class: item, at: items, quasi: {item: {mask: 1}}}\nprivacy: {k: 2}\n", encoding="utf-8")
        self.thicket("anonymize", "sets.yaml", "-o", "out.txt", "--seed", "1", "--quiet")
        text = (self.folder / "out.txt").read_text(encoding="utf-8")
        check = lambda changed, expected, what: self.verify(changed, expected, what, policy="sets.yaml")
        check(text, 0, "as published")
        check(text.replace("\n", "\r\n"), 0, "line ends")
        plain = text.replace('"b 2"', "b#2")
        check(plain.replace(" ", "  ").replace("b#2", '"b 2"'), 0, "two blanks everywhere")
        check(re.sub(r"([^ \n\"]+|\"[^\"]*\")", lambda m: m[0] if m[0][0] == '"' else f'"{m[0]}"', text), 0, "quotes")
        lines = text.split("\n")
        number = next(i for i, line in enumerate(lines) if len(line.split()) > 1 and '"' not in line
                      and len(set(line.split())) > 1)
        line = lines[number]
        for what, changed in [("two blanks", line.replace(" ", "  ", 1)), ("a tab", line.replace(" ", "\t", 1)),
                              ("at the end", line + " "), ("at the beginning", " " + line), ("line end", line + "\r"),
                              ("quotes", re.sub(r"^(\S+)", r'"\1"', line)), ("order", " ".join(line.split()[::-1]))]:
            check("\n".join(lines[:number] + [changed] + lines[number + 1:]), 1, what)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--thicket", required=True)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    known, rest = parser.parse_known_args()
    THICKET = str(pathlib.Path(known.thicket).resolve())
    ROUNDS = known.rounds
    unittest.main(argv=[sys.argv[0], *rest])
