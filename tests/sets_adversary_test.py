"""Plays the adversary against published sets (KL(m,n)-privacy by og, mog, aa, mm and lg).

    python3 tests/sets_adversary_test.py --thicket build/thicket [--sets N] [--seed N]

Random small sets with random taxonomies, in transactions files, JSON and joined tables. An adversary knows up to m items of a
person, exactly or by a group, and up to n items that the person has not, and looks at the published file alone:

1. nobody finds fewer than k records that fit, other than none, nor a sensitive item in more than 1/l of these,
2. the report's cut makes exactly the published sets of the original ones, and sensitive items stay as they are,
3. og costs as little as any cut that keeps 1, and says so; where no cut keeps it, nothing is published,
4. `verify` agrees, with and without the original, and refuses a published file of which 1 no longer holds,
5. no sensitive item stands in anything but the published file.
"""

import argparse
import collections
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

THICKET = None
SETS = 25
SEED = 1
SECRETS = ["zebrapill", "yakpill"]

Promise = collections.namedtuple("Promise", "k l m n")


class Taxonomy:
    """Nodes by name; the root is r, and a node's children have its name in front of theirs."""

    def __init__(self, choose):
        self.parent = {"r": None}
        nodes = ["r"]
        while len(nodes) < choose.randint(4, 9):
            above = choose.choice(nodes[-3:])
            name = f"{above}{sum(parent == above for parent in self.parent.values())}"
            self.parent[name] = above
            nodes.append(name)
        self.nodes = nodes
        self.leaves = [node for node in nodes if node not in self.parent.values()]
        self.below = {node: {leaf for leaf in self.leaves if node in self.path(leaf)} for node in nodes}

    def path(self, node):
        path = []
        while node is not None:
            path.append(node)
            node = self.parent[node]
        return path

    def text(self):
        return "".join(";".join(self.path(leaf)) + "\n" for leaf in self.leaves)

    def cuts(self, node="r"):
        children = [child for child in self.nodes if self.parent[child] == node]
        yield {node}
        if children:
            for parts in itertools.product(*(list(self.cuts(child)) for child in children)):
                yield set().union(*parts)


def label_of(taxonomy, cut, leaf):
    return next(node for node in taxonomy.path(leaf) if node in cut)


def recode(taxonomy, cut, records):
    return [(frozenset(label_of(taxonomy, cut, leaf) for leaf in items), secrets) for items, secrets in records]


def ncp(taxonomy, cut, records):
    occurrences = [leaf for items, _ in records for leaf in items]
    cost = {label: Fraction(0 if label in taxonomy.leaves else len(taxonomy.below[label]), len(taxonomy.leaves)) for label in cut}
    return sum(cost[label_of(taxonomy, cut, leaf)] for leaf in occurrences) / max(1, len(occurrences))


def subsets(items, most):
    return itertools.chain.from_iterable(itertools.combinations(items, size) for size in range(most + 1))


def breach(taxonomy, published, promise, labels):
    """What somebody may know and must not, or None. `labels` are those of the cut as far as it is known."""
    nodes, leaves = taxonomy.nodes, taxonomy.leaves
    m = len(nodes) if promise.m is None else promise.m
    n = len(leaves) if promise.n is None else promise.n
    for absent in subsets(leaves, min(n, len(leaves))):
        gone = {label for label in labels if taxonomy.below[label] <= set(absent)}
        fitting = [record for record in published if not record[0] & gone]
        for there in subsets(nodes, min(m, 2 if promise.m is None else m)):
            if not there and not gone:
                continue  # nothing that the published file speaks of
            # A label fits a known group that it is at, below or above.
            fits = [secrets for shown, secrets in fitting
                    if all(any(taxonomy.below[label] & taxonomy.below[node]
                               and (label in taxonomy.path(node) or node in taxonomy.path(label)) for label in shown)
                           for node in there)]
            if not fits:
                continue
            most = max((sum(item in secrets for secrets in fits) for item in SECRETS), default=0)
            if len(fits) < promise.k or most * promise.l > len(fits):
                return there, absent, len(fits), most
    return None


class SetsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="thicket-sets-")))

    def thicket(self, *arguments):
        done = subprocess.run([THICKET, *map(str, arguments)], cwd=self.folder, text=True, capture_output=True, timeout=600)
        for secret in SECRETS:
            self.assertNotIn(secret, done.stdout + done.stderr)
        return done

    def write(self, style, name, records):
        rows = [[*sorted(items), *sorted(secrets)] for items, secrets in records]
        if style == "transactions":
            (self.folder / name).write_text("".join(" ".join(row) + "\n" for row in rows), encoding="utf-8")
        elif style == "jsonl":
            text = "".join(json.dumps({"items": row} if row else {}) + "\n" for row in rows)
            (self.folder / name).write_text(text, encoding="utf-8")
        else:
            (self.folder / name).mkdir(exist_ok=True)
            (self.folder / name / "basket.csv").write_text(
                "id\n" + "".join(f"{number}\n" for number, _ in enumerate(rows, 1)), encoding="utf-8")
            (self.folder / name / "item.csv").write_text(
                "basket;item\n" + "".join(f"{number};{item}\n" for number, row in enumerate(rows, 1) for item in row),
                encoding="utf-8")

    def read(self, style, name):
        if style == "transactions":
            rows = [line.split() for line in (self.folder / name).read_text(encoding="utf-8").splitlines()]
        elif style == "jsonl":
            text = (self.folder / name).read_text(encoding="utf-8")
            rows = [json.loads(line).get("items", []) for line in text.splitlines()]
        else:
            keys = (self.folder / name / "basket.csv").read_text(encoding="utf-8").split()[1:]
            of_key = {key: [] for key in keys}
            for line in (self.folder / name / "item.csv").read_text(encoding="utf-8").split()[1:]:
                key, item = line.split(";")
                of_key[key].append(item)
            rows = list(of_key.values())
        for row in rows:
            self.assertEqual(len(row), len(set(row)))
        return [(frozenset(set(row) - set(SECRETS)), frozenset(set(row) & set(SECRETS))) for row in rows]

    def write_policy(self, style, promise, method, secrets):
        tables = style == "tables"
        sensitive = f", sensitive_items: [{', '.join(secrets)}]" if secrets else ""
        known = "" if promise.m is None else f", m: {promise.m}, n: {promise.n}"
        (self.folder / "policy.yaml").write_text(
            f"version: 1\ninput: {{format: {style}, path: data}}\nrecord:\n  class: basket\n"
            + ("  table: basket\n  key: id\n" if tables else "")
            + "  children:\n    - class: item\n" + ("      table: item\n      parent: basket\n" if tables else "      at: items\n")
            + "      quasi: {item: {taxonomy: taxonomy.csv}}\n"
            + f"privacy: {{model: 'KL(m,n)-privacy', k: {promise.k}, l: {promise.l}{known}{sensitive}}}\n"
            + f"method: {{name: {method}}}\n", encoding="utf-8")

    def check(self, style, method, taxonomy, records, promise):
        secrets = [secret for secret in SECRETS if any(secret in of for _, of in records)]
        (self.folder / "taxonomy.csv").write_text(taxonomy.text(), encoding="utf-8")
        self.write_policy(style, promise, method, secrets)
        self.write(style, "data", records)
        done = self.thicket("anonymize", "policy.yaml", "-o", "public", "--report", "report.json", "--seed", 3, "--quiet")
        valid = [cut for cut in taxonomy.cuts()
                 if len(records) >= promise.k and not breach(taxonomy, recode(taxonomy, cut, records), promise, cut)]
        if method in ("og", "mog", "aa") and not valid:
            self.assertEqual(done.returncode, 1, done.stderr)
        if done.returncode == 1:
            self.assertFalse((self.folder / "public").exists())
            self.assertTrue(not valid or method == "mm", done.stderr)
            return False
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "report.json").read_text(encoding="utf-8")
        for secret in SECRETS:
            self.assertNotIn(secret, text)
        report = json.loads(text)
        published = self.read(style, "public")
        self.assertIsNone(breach(taxonomy, published, promise, {label for shown, _ in published for label in shown}))
        self.check_truth(method, taxonomy, records, published, report)
        if method == "og":
            least = min(ncp(taxonomy, cut, records) for cut in valid)
            self.assertAlmostEqual(report["utility"]["ncp"], float(least), 5)
            self.assertEqual(report["cut"]["proof"], "optimal")
        for arguments in ((), ("--original", "data")):
            done = self.thicket("verify", "policy.yaml", "public", *arguments)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return True

    def check_truth(self, method, taxonomy, records, published, report):
        if method == "lg":
            kept = sorted(tuple(sorted(secrets)) for _, secrets in published)
            self.assertLessEqual(collections.Counter(kept),
                                 collections.Counter(tuple(sorted(secrets)) for _, secrets in records))
            return
        (cut,) = report["cut"]["attributes"].values()
        if method == "mm":
            recoded = [(items & frozenset(cut), secrets) for items, secrets in records]
        else:
            recoded = recode(taxonomy, set(cut), records)
        self.assertEqual(collections.Counter(recoded), collections.Counter(published))

    def check_broken(self, style, taxonomy, records, promise):
        """Whatever is published, verify says what the adversary finds."""
        self.write_policy(style, promise, "og" if promise.m is not None else "lg" if promise.l == 1 else "og",
                          [secret for secret in SECRETS if any(secret in of for _, of in records)])
        (self.folder / "taxonomy.csv").write_text(taxonomy.text(), encoding="utf-8")
        for number, cut in enumerate(taxonomy.cuts()):
            if number >= 4:
                break
            published = recode(taxonomy, cut, records)
            self.write(style, "other", published)
            labels = {label for shown, _ in published for label in shown}
            done = self.thicket("verify", "policy.yaml", "other")
            self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
            found = breach(taxonomy, published, promise, labels)
            if found:
                self.assertEqual(done.returncode, 1, (found, done.stdout))
            elif promise.n == 0:
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def records_of(self, choose, taxonomy):
        with_secrets = choose.random() < 0.6
        records = []
        for _ in range(choose.randint(3, 10)):
            items = frozenset(choose.choice(taxonomy.leaves) for _ in range(choose.randint(0, 4)))
            records.append((items, frozenset(secret for secret in SECRETS if with_secrets and choose.random() < 0.25)))
        return records

    def test_nobody_is_found(self):
        choose = random.Random(SEED)
        published = collections.Counter()
        for _ in range(SETS):
            for method in ("og", "mog", "aa", "mm", "lg"):
                taxonomy = Taxonomy(choose)
                records = self.records_of(choose, taxonomy)
                has_secrets = any(secrets for _, secrets in records)
                l = choose.randint(1, 3) if has_secrets and method in ("og", "mog", "mm") else 1
                k = choose.randint(2 if l == 1 else 1, 3)
                m, n = choose.randint(1, 3), 0
                if method in ("og", "mog"):
                    n = choose.randint(0, 2)
                if method == "lg":
                    m = n = None
                style = choose.choice(["transactions", "jsonl", "tables"])
                if style == "transactions" and not any(items or secrets for items, secrets in records):
                    continue
                promise = Promise(k, l, m, n)
                with self.subTest(method=method, style=style, promise=promise, taxonomy=taxonomy.parent, records=records):
                    published[method] += self.check(style, method, taxonomy, records, promise)
                    self.check_broken(style, taxonomy, records, promise)
                for name in ("public", "data", "other"):
                    path = self.folder / name
                    if path.is_dir():
                        for file in path.iterdir():
                            file.unlink()
                        path.rmdir()
                    else:
                        path.unlink(missing_ok=True)
        for method in ("og", "mog", "aa", "mm", "lg"):
            self.assertGreater(published[method], SETS // 4, published)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--thicket", required=True)
    parser.add_argument("--sets", type=int, default=SETS)
    parser.add_argument("--seed", type=int, default=SEED)
    options, rest = parser.parse_known_args()
    THICKET, SETS, SEED = str(pathlib.Path(options.thicket).resolve()), options.sets, options.seed
    unittest.main(argv=[sys.argv[0], *rest])
