"""Plays the adversary against published tables (l+-diversity, k-anonymity, l-diversity by `lplus`).

    python3 tests/tables_adversary_test.py --thicket build/thicket [--tables N] [--seed N]

Random small tables with random taxonomies go through every suppression scheme, metric and kind of promise. What stands in
the published CSV file alone is held against tests/naive_tables.py, which tries every cut:

1. nobody who knows a person's quasi-identifiers learns more than the promise allows,
2. some cut and the scheme make exactly these rows of the original: nothing is invented, and nothing more is suppressed,
3. they cost as little as any cut, and the report says so,
4. where a star can stand for one value only, a warning counts it,
5. `attack` finds what the adversary here finds,
6. `verify` agrees, with and without the original, and refuses whatever is changed so that 1 or 2 no longer holds,
7. no sensitive value stands in anything but the published file.
"""

import argparse
import collections
import csv
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import naive_tables  # noqa: E402
from naive_tables import STAR, Promise, Row, Table, Taxonomy  # noqa: E402

THICKET = None
TABLES = 2
SEED = 1
# What the tables have to hide: in no message, summary or report.
SECRETS = r"(?i)\b(flu|cold|hiv)\b"
KINDS = ["theta", "theta map", "derived", "derived map", "k and theta", "k", "l", "k and l"]
THETAS = ["0.25", "0.34", "0.4", "0.5", "0.6", "0.67", "0.75"]


def promises(choose, table):
    """Kinds of promises: the policy's text, and what it means."""
    secrets = sorted({row.secret for row in table.rows} - {""})
    theta = choose.choice(THETAS)
    k, l = choose.randint(2, 4), choose.randint(2, 3)
    own = {secret: choose.choice([*THETAS, "1"]) for secret in secrets if choose.random() < 0.6}
    exact = {secret: Fraction(text) for secret, text in own.items()}
    map_text = ", ".join([f"default: {theta}", *(f"{secret}: {text}" for secret, text in own.items())])
    return {
        "theta": (f"theta: {theta}", Promise(Fraction(theta))),
        "theta map": (f"theta: {{{map_text}}}", Promise(Fraction(theta), exact)),
        "derived": (f"theta: {theta}, derive: frequency", Promise.derived(table.rows, Fraction(theta))),
        "derived map": (f"theta: {{{map_text}}}, derive: frequency",
                        Promise.derived(table.rows, Fraction(theta), exact)),
        "k and theta": (f"k: {k}, theta: {{{map_text}}}", Promise(Fraction(theta), exact, k)),
        "k": (f"k: {k}", Promise(k=k)),
        "l": (f"l: {l}", Promise(Fraction(1, l))),
        "k and l": (f"k: {k}, l: {l}", Promise(Fraction(1, l), k=k)),
    }


class Case(collections.namedtuple("Case", "kind metric scheme table privacy promise")):
    def name(self):
        return f"{self.metric} {self.scheme} {self.kind}"

    def method(self):
        return (f"name: lplus, metric: {self.metric}, suppression: {self.scheme}"
                + (", class: label" if self.metric == "cm" else ""))

    def cost_of_nothing(self):
        return naive_tables.suppression_cost(self.table, self.scheme, self.metric) * len(self.table.rows)

    def explains(self, published):
        """Whether some cut and the scheme make these rows of the table."""
        return any(naive_tables.explained_by(self.table, self.promise, self.scheme, published, cut)
                   for cut in naive_tables.all_cuts(self.table))


def names_of(table):
    return [f"q{place}" for place in range(len(table.taxonomies))]


class TableTest(unittest.TestCase):
    """Runs the command on tables in a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="thicket-tables-")))

    def thicket(self, *arguments):
        done = subprocess.run([THICKET, *map(str, arguments)], cwd=self.folder, text=True, capture_output=True, timeout=600)
        self.assertNotRegex(done.stdout + done.stderr, SECRETS)
        return done

    def write(self, table, privacy, method):
        for name, taxonomy in zip(names_of(table), table.taxonomies):
            (self.folder / f"{name}.csv").write_text(taxonomy.text(), encoding="utf-8")
        self.write_rows("data.csv", table.rows, table)
        quasi = ", ".join(f"{name}: {{taxonomy: {name}.csv}}" for name in names_of(table))
        (self.folder / "policy.yaml").write_text(
            "version: 1\ninput: {format: csv, path: data.csv}\n"
            f"record:\n  class: person\n  keep: [label]\n  quasi: {{{quasi}}}\n  sensitive: {{secret: {{}}}}\n"
            f"privacy: {{{privacy}}}\nmethod: {{{method}}}\n", encoding="utf-8")

    def write_rows(self, name, rows, table):
        with open(self.folder / name, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([*names_of(table), "secret", "label"])
            writer.writerows([*row.quasi, row.secret, row.label] for row in rows)

    def read_rows(self, name, table):
        with open(self.folder / name, encoding="utf-8", newline="") as file:
            return [Row(tuple(row[name] for name in names_of(table)), row["secret"], row["label"])
                    for row in csv.DictReader(file)]

    def publish(self, table, privacy, method, *arguments, refusal=1):
        """What is published, and the report; None and what was said where nothing is."""
        self.write(table, privacy, method)
        (self.folder / "public.csv").unlink(missing_ok=True)
        seed = () if "--seed" in arguments else ("--seed", 3)
        done = self.thicket("anonymize", "policy.yaml", "-o", "public.csv", "--report", "report.json", "--quiet", *seed,
                            *arguments)
        if done.returncode == refusal:
            self.assertFalse((self.folder / "public.csv").exists(), done.stderr)
            return None, done.stderr
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        text = (self.folder / "report.json").read_text(encoding="utf-8")
        self.assertNotRegex(text, SECRETS)
        report = json.loads(text)
        return self.read_rows("public.csv", table), report

    def verify(self, *arguments):
        done = self.thicket("verify", "policy.yaml", "public.csv", *arguments)
        self.assertIn(done.returncode, (0, 1, 2, 3), done.stdout + done.stderr)
        return done.returncode


def cases(tables, choose, schemes=naive_tables.SCHEMES):
    """Every scheme, metric and kind of promise, with random tables."""
    for metric, of_metric in schemes.items():
        for scheme, kind, _ in itertools.product(of_metric, KINDS, range(tables)):
            if kind == "k" and scheme.endswith("values"):
                continue  # no star makes a class larger
            table = naive_tables.random_table(choose)
            yield Case(kind, metric, scheme, table, *promises(choose, table)[kind])


class Adversary(TableTest):
    def test_published_tables(self):
        published_tables = 0
        for case in cases(TABLES, random.Random(SEED)):
            with self.subTest(case=case.name(), privacy=case.privacy, table=table_text(case.table)):
                costs = naive_tables.best_costs(case.table, case.promise, case.scheme, case.metric)
                published, report = self.publish(case.table, case.privacy, case.method())
                if published is None:
                    self.assertTrue(not costs or costs[0] == case.cost_of_nothing(), report)
                    continue
                published_tables += 1
                self.check(case, published, report, costs)
        self.assertGreater(published_tables, 30 * TABLES)

    def check(self, case, published, report, costs):
        self.assertIsNone(naive_tables.learned(published, case.table, case.promise))
        self.assertTrue(case.explains(published), published)
        self.assertEqual(naive_tables.cost_of_published(case.table, published, case.scheme, case.metric), costs[0])
        self.assertAlmostEqual(report["cut"]["cost"], float(costs[0]), delta=1e-5 * float(costs[0]))
        self.assertEqual((report["cut"]["proof"], report["cut"]["gap"]), ("optimal", 0))
        self.assertEqual(report["output"]["suppressed_records"], len(case.table.rows) - len(published))
        self.assertEqual(report["output"]["suppressed_values"], sum(row.secret == STAR for row in published))
        warned = [int(warning.split()[1]) for warning in report["warnings"] if "can be told" in warning]
        told = naive_tables.told(published, case.table, case.promise) if case.scheme == "violating-values" else 0
        self.assertEqual(sum(warned), told)
        attack = json.loads(self.thicket("attack", "policy.yaml", "public.csv", "--original", "data.csv", "--json").stdout)
        self.assertAlmostEqual(attack["attacks"][0]["published"]["worst_certainty"] or 0,
                               naive_tables.worst_certainty(published, case.table), 5)
        self.assertEqual(self.verify("--original", "data.csv"), 0)
        self.assertEqual(self.verify(), 2 if case.kind.startswith("derived") else 0)

    def test_verify_agrees_about_changed_tables(self):
        """Whatever is changed in a published table, `verify` says what the adversary finds."""
        choose = random.Random(SEED)
        refused = collections.Counter()
        for case in cases(1, choose):
            published, _ = self.publish(case.table, case.privacy, case.method())
            if not published:
                continue
            for name, change in CHANGES.items():
                changed = change(list(published), case.table, choose)
                if changed is None:
                    continue
                with self.subTest(case=case.name(), privacy=case.privacy, change=name, table=table_text(case.table),
                                  published=rows_text(changed)):
                    self.write_rows("public.csv", changed, case.table)
                    refused[name, "original"] += self.agree_with_original(case, changed)
                    refused[name, "alone"] += self.agree_alone(case, changed)
        for name in CHANGES:
            self.assertGreater(refused[name, "original"], 0, name)
        for name in ("value changed", "star turned back", "label specialized"):
            self.assertGreater(refused[name, "alone"], 0, name)

    def agree_with_original(self, case, changed):
        """Whether the table was refused, as it must be if and only if no cut and the scheme explain it."""
        status = self.verify("--original", "data.csv")
        self.assertEqual(status == 0, case.explains(changed))
        return status != 0

    def agree_alone(self, case, changed):
        """The same for the promise alone. What is no cut, or no doing of the scheme, may be refused as well."""
        if case.kind.startswith("derived"):
            return False
        status = self.verify()
        if naive_tables.learned(changed, case.table, case.promise):
            self.assertNotEqual(status, 0)
        elif case.explains(changed):
            self.assertEqual(status, 0)
        return status != 0


class Answers(TableTest):
    """Answers that need not be the best, or not the best of all cuts."""

    def some_cases(self, schemes, count, kinds=("theta", "k and l")):
        chosen = (case for case in cases(count, random.Random(SEED + 1), schemes) if case.kind in kinds)
        for case in chosen:
            costs = naive_tables.best_costs(case.table, case.promise, case.scheme, case.metric)
            if costs and costs[0] != case.cost_of_nothing():
                yield case, costs

    def cost(self, case, published, unit=None):
        self.assertIsNone(naive_tables.learned(published, case.table, case.promise))
        self.assertTrue(case.explains(published), published)
        self.assertEqual(self.verify("--original", "data.csv"), 0)
        return naive_tables.cost_of_published(case.table, published, case.scheme, case.metric, unit)

    def test_suppression_cost(self):
        for case, _ in self.some_cases({"lm": naive_tables.SCHEMES["lm"][1:]}, 2):
            unit = len(case.table.taxonomies) + random.Random(SEED).choice([0, Fraction(1, 2), 3])
            with self.subTest(case=case.name(), privacy=case.privacy, unit=unit, table=table_text(case.table)):
                best = naive_tables.best_costs(case.table, case.promise, case.scheme, case.metric, unit)
                published, report = self.publish(case.table, case.privacy,
                                                 f"{case.method()}, suppression_cost: {float(unit)}")
                if published is None:
                    self.assertEqual(best[0], unit * len(case.table.rows))
                    continue
                self.assertEqual(self.cost(case, published, unit), best[0])

    def test_alpha(self):
        for case, costs in self.some_cases({"lm": ["none"], "dm": ["all-records"], "cm": ["violating-records"]}, 2):
            with self.subTest(case=case.name(), privacy=case.privacy, table=table_text(case.table)):
                published, report = self.publish(case.table, case.privacy, f"{case.method()}, alpha: 0.5")
                if published is not None:
                    cost = self.cost(case, published)
                    self.assertLessEqual(cost, Fraction(3, 2) * costs[0])
                    self.assertLessEqual(report["cut"]["bound"], float(costs[0]) + 1e-9)
                    self.assertIn(report["cut"]["proof"], ("optimal", "within-alpha"))

    def test_a_search_that_is_stopped(self):
        """Whatever is found by then keeps the promise, and the bound is one."""
        proofs = set()
        for case, costs in self.some_cases({"lm": ["none", "violating-values"], "dm": ["violating-records"]}, 2):
            with self.subTest(case=case.name(), privacy=case.privacy, table=table_text(case.table)):
                published, report = self.publish(case.table, case.privacy, f"{case.method()}, limit_s: 0.000001")
                if published is None:
                    continue
                cost = self.cost(case, published)
                self.assertGreaterEqual(cost, costs[0])
                self.assertLessEqual(report["cut"]["bound"], float(costs[0]) * (1 + 1e-5))
                self.assertEqual(report["cut"]["stopped_early"], report["cut"]["proof"] == "bound")
                proofs.add(report["cut"]["proof"])
        self.assertIn("bound", proofs)

    def test_a_pick_among_the_best(self):
        """Against who knows that the best is published: any of the best may be."""
        for case, costs in self.some_cases({"lm": ["violating-values"], "dm": ["none"]}, 2, kinds=("theta", "l")):
            for seed in range(4):
                with self.subTest(case=case.name(), privacy=case.privacy, table=table_text(case.table), seed=seed):
                    published, report = self.publish(case.table, case.privacy, f"{case.method()}, top_h: 4", "--seed", seed)
                    cost = self.cost(case, published)
                    self.assertLessEqual(cost, costs[:4][-1])
                    self.assertAlmostEqual(report["cut"]["bound"], float(costs[0]), delta=1e-5 * float(costs[0]))
        taxonomy = Taxonomy(STAR)
        for label, parent in [("A", STAR), ("B", STAR), ("C", STAR), *((f"{x}{i}", x.upper()) for x in "abc" for i in (1, 2))]:
            taxonomy.add(label, parent)
        # Nobody has c1 or c2: what the cut makes of them is no other table.
        table = Table([taxonomy], [Row((leaf,), secret, "") for leaf in ("a1", "a2", "b1") for secret in ("flu", "HIV")])
        picked = set()
        for seed in range(12):
            published, report = self.publish(table, "l: 2", "name: lplus, top_h: 4", "--seed", seed)
            picked.add(tuple(sorted(row.quasi for row in published)))
            self.assertEqual(report["cut"]["gap"], round(float(naive_tables.cost_of_published(table, published, "none", "lm")), 4))
        self.assertGreaterEqual(len(picked), 3)

    def test_rivals(self):
        for name in ("incognito", "annealing"):
            for case, costs in self.some_cases(naive_tables.SCHEMES, 1):
                with self.subTest(case=case.name(), method=name, privacy=case.privacy, table=table_text(case.table)):
                    method = case.method().replace("lplus", name)
                    published, report = self.publish(case.table, case.privacy, method)
                    if published is not None:
                        cost = self.cost(case, published)
                        self.assertGreaterEqual(cost, costs[0])
                        self.assertAlmostEqual(report["cut"]["cost"], float(cost), delta=1e-5 * float(cost))


def change_value(rows, table, choose):
    place = choose.randrange(len(rows))
    others = {row.secret for row in table.rows} - {rows[place].secret, ""}
    if not others or rows[place].secret == STAR:
        return None
    rows[place] = rows[place]._replace(secret=choose.choice(sorted(others)))
    return rows


def swap_values(rows, _, choose):
    first, second = choose.randrange(len(rows)), choose.randrange(len(rows))
    if rows[first].quasi == rows[second].quasi or rows[first].secret == rows[second].secret:
        return None
    rows[first], rows[second] = (rows[first]._replace(secret=rows[second].secret),
                                 rows[second]._replace(secret=rows[first].secret))
    return rows


def change_kept(rows, _, choose):
    place = choose.randrange(len(rows))
    rows[place] = rows[place]._replace(label=choose.choice(sorted({"x", "y", "z"} - {rows[place].label})))
    return rows


def turn_star_back(rows, table, choose):
    places = [place for place, row in enumerate(rows) if row.secret == STAR]
    if not places:
        return None
    fit = [row.secret for row in table.rows if covered(rows[places[0]], row, table)]
    rows[places[0]] = rows[places[0]]._replace(secret=choose.choice(fit))
    return rows


def star_more(rows, _, choose):
    places = [place for place, row in enumerate(rows) if row.secret != STAR]
    if not places:
        return None
    place = choose.choice(places)
    rows[place] = rows[place]._replace(secret=STAR)
    return rows


def leave_out(rows, _, choose):
    del rows[choose.randrange(len(rows))]
    return rows if rows else None


def put_twice(rows, _, choose):
    return [*rows, choose.choice(rows)]


def specialize(rows, table, choose):
    place = choose.randrange(len(rows))
    which = choose.randrange(len(table.taxonomies))
    below = [label for label in table.taxonomies[which].children(rows[place].quasi[which]) if label != ""]
    return with_label(rows, place, which, choose.choice(below)) if below else None


def generalize(rows, table, choose):
    place = choose.randrange(len(rows))
    which = choose.randrange(len(table.taxonomies))
    above = table.taxonomies[which].parent[rows[place].quasi[which]]
    return with_label(rows, place, which, above) if above is not None else None


def with_label(rows, place, which, label):
    quasi = rows[place].quasi
    rows[place] = rows[place]._replace(quasi=(*quasi[:which], label, *quasi[which + 1:]))
    return rows


def covered(published, original, table):
    return all(taxonomy.covers(label, leaf)
               for taxonomy, label, leaf in zip(table.taxonomies, published.quasi, original.quasi))


CHANGES = {"value changed": change_value, "values swapped": swap_values, "kept value changed": change_kept,
           "star turned back": turn_star_back, "value starred": star_more, "row left out": leave_out, "row twice": put_twice,
           "label specialized": specialize, "label generalized": generalize}


def flat(*secrets, leaves="xxxx"):
    """A table of one attribute, all records alike unless `leaves` says otherwise."""
    taxonomy = Taxonomy(STAR)
    for leaf in sorted(set(leaves)):
        taxonomy.add(leaf, STAR)
    return Table([taxonomy], [Row((leaf,), secret, "") for leaf, secret in zip(leaves * len(secrets), secrets)])


class Form(TableTest):
    """What tells nobody anything: order, spelling, and a star that is not one."""

    def test_values_that_mean_the_same_count_as_one(self):
        table = flat("HIV", "hiv ", "flu", "cold")
        self.assertIsNone(self.publish(table, "theta: 0.49", "name: lplus")[0])
        published, _ = self.publish(table, "theta: 0.49", "name: lplus, suppression: violating-values")
        self.assertEqual(sorted(row.secret for row in published), [STAR, STAR, "cold", "flu"])
        published, _ = self.publish(table, 'theta: {default: 1, "Hiv": 0.34}',
                                    "name: lplus, suppression: violating-records")
        self.assertEqual(len(published), 3)

    def test_a_star_in_the_data_is_no_suppressed_value(self):
        """Four people with the same value "*" must not pass as four whose value is not told."""
        for star in (STAR, " * ", "\uff0a"):
            table = flat(star, star, star, "flu")
            for method in ("name: lplus", "name: lplus, suppression: violating-values"):
                with self.subTest(star=star, method=method):
                    published, said = self.publish(table, "theta: 0.5", method, refusal=3)
                    self.assertIsNone(published, said)

    def test_the_order_of_records_is_shuffled(self):
        table = flat(*(f"s{i}" for i in range(12)))
        first = {self.publish(table, "k: 2", "name: lplus", "--seed", seed)[0][0].secret for seed in range(6)}
        self.assertGreater(len(first), 2)

    def test_which_of_equals_is_deleted_says_nothing_about_the_order(self):
        """Records that differ in what is kept alone: the seed decides which of them stay."""
        rows = [Row(("x",), "HIV" if i < 6 else f"other {i}", f"kept {i}") for i in range(8)]
        table = flat("flu")._replace(rows=rows)
        kept = set()
        for seed in range(8):
            published, _ = self.publish(table, "theta: 0.5", "name: lplus, suppression: violating-records", "--seed", seed)
            kept.add(tuple(sorted(row.label for row in published)))
        self.assertGreater(len(kept), 1)

    def test_same_bytes_on_any_number_of_threads(self):
        table = naive_tables.random_table(random.Random(SEED), 10)
        written = set()
        for threads in (1, 2, 5):
            self.publish(table, "l: 2", "name: lplus, suppression: violating-records, top_h: 3", "--threads", threads)
            path = self.folder / "public.csv"
            written.add(path.read_bytes() if path.exists() else None)
        self.assertEqual(len(written), 1)

    def test_several_sensitive_attributes_each_keep_the_promise(self):
        """A second attribute beside: with a star in one of both, the other is still told."""
        choose = random.Random(SEED)
        for scheme in ("none", "all-records", "all-values", "violating-values"):
            for _ in range(TABLES):
                table = naive_tables.random_table(choose)
                self.write(table, "theta: 0.5", f"name: lplus, suppression: {scheme}")
                policy = self.folder / "policy.yaml"
                policy.write_text(policy.read_text(encoding="utf-8").replace("keep: [label]\n  ", "").replace(
                    "secret: {}", "secret: {}, label: {}"), encoding="utf-8")
                with self.subTest(scheme=scheme, table=table_text(table)):
                    done = self.thicket("anonymize", "policy.yaml", "-o", "public.csv", "--quiet")
                    self.assertIn(done.returncode, (0, 1), done.stderr)
                    if done.returncode == 1:
                        continue
                    published = self.read_rows("public.csv", table)
                    promise = Promise(Fraction(1, 2))
                    self.assertIsNone(naive_tables.learned(published, table, promise))
                    swapped = [row._replace(secret=row.label) for row in published]
                    self.assertIsNone(naive_tables.learned(swapped, table, promise))
                    self.assertEqual(self.verify("--original", "data.csv"), 0)
                    (self.folder / "public.csv").unlink()


def rows_text(rows):
    return " | ".join(",".join([*row.quasi, row.secret, row.label]) for row in rows)


def table_text(table):
    return rows_text(table.rows) + " in " + " and ".join(taxonomy.text().replace("\n", " ") for taxonomy in table.taxonomies)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--thicket", required=True)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seed", type=int, default=SEED)
    options, rest = parser.parse_known_args()
    THICKET, TABLES, SEED = os.path.abspath(options.thicket), options.tables, options.seed
    unittest.main(argv=[sys.argv[0], *rest])
