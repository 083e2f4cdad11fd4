#!/usr/bin/env python3
"""Tables, side by side: what the full-domain optimum, clustree and lplus lose, how long they take, and what a classifier
makes of what they publish.

    bench/adult.py loss  [DIR]    k = 5 over all quasi-identifiers: LM, suppressed records, seconds
    bench/adult.py times [DIR]    lplus for every metric, scheme and l = 2..6: cost, proof, seconds, memory
    bench/adult.py error [DIR]    the error of a decision tree on original and published data (needs scikit-learn); a dash where
                                  no cut keeps the promise, or the search for the best one took more than 20 s

DIR holds the Adult data set: adult_30162.csv and hierarchies/adult_hierarchy_ATTRIBUTE.csv (loss), adult_45222.csv (times,
error), whose taxonomies are those of `thicket generate census`. Without DIR a generated census stands in for all of them.
Needs build/thicket (`make build`). Prints Markdown.
"""

import argparse
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
QUASI = ["age", "education", "native-country", "workclass", "marital-status", "sex", "race"]
# What lplus takes: metrics, and the schemes of each.
SCHEMES = {"lm": ["none", "all-records", "all-values", "violating-values", "violating-records"],
           "dm": ["none", "all-records", "violating-records"], "cm": ["none", "all-records", "violating-records"]}


class Table:
    """A CSV file, the taxonomies of its quasi-identifiers, and a folder to work in."""

    def __init__(self, options, folder, small):
        self.thicket = options.thicket
        self.folder = pathlib.Path(folder)
        census = self.folder / "census"
        subprocess.run([self.thicket, "generate", "census", "--seed", "1", "-o", census, "--quiet"], check=True)
        self.path = census / "census.csv"
        self.taxonomies = {name: census / "taxonomies" / f"{name}.csv" for name in QUASI}
        if options.data and small:
            self.path = options.data / "adult_30162.csv"
            given = options.data / "hierarchies"
            self.taxonomies = {name: given / f"adult_hierarchy_{name}.csv" for name in self.columns()}
        elif options.data:
            self.path = options.data / "adult_45222.csv"

    def columns(self):
        with open(self.path, newline="") as file:
            return next(csv.reader(file, delimiter=";"))

    def run(self, privacy, method, sensitive=None, keep=None):
        """The report of a run, and the path of what it published; nothing if no cut keeps the promise."""
        rest = [name for name in self.columns() if name not in self.taxonomies and name not in (sensitive, keep)]
        lines = ["version: 1", f"input: {{format: csv, path: {self.path}}}", "record:", "  class: person"]
        lines += [f"  drop: [{', '.join(rest)}]"] if rest else []
        lines += [f"  keep: [{keep}]"] if keep else []
        lines += ["  quasi:", *(f"    {name}: {{taxonomy: {path}}}" for name, path in self.taxonomies.items())]
        lines += [f"  sensitive: {{{sensitive}: {{}}}}"] if sensitive else []
        lines += [f"privacy: {{{privacy}}}", f"method: {{{method}}}"]
        policy = self.folder / "policy.yaml"
        policy.write_text("\n".join(lines) + "\n")
        published = self.folder / "published.csv"
        done = subprocess.run([self.thicket, "anonymize", policy, "-o", published, "--seed", "1", "--json", "--quiet"],
                              capture_output=True, text=True, check=False)
        if done.returncode == 1:
            return None, None
        if done.returncode != 0:
            sys.exit(done.stderr)
        return json.loads(done.stdout), published


def loss(options, folder):
    table = Table(options, folder, small=True)
    # A record that is left out costs as much as one with all labels at their roots: LM itself is minimized.
    out = f"suppression: all-records, suppression_cost: {len(table.taxonomies)}"
    print(f"{table.path.name}, {len(table.taxonomies)} quasi-identifiers, k = 5\n")
    print("| method | LM | suppressed records | classes | seconds | proof |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for name, method in [("incognito", f"name: incognito, metric: lm, {out}"), ("lplus", f"name: lplus, metric: lm, {out}, limit_s: 60"),
                         ("lplus, nothing suppressed", "name: lplus, metric: lm, suppression: none, limit_s: 60"),
                         ("annealing", f"name: annealing, metric: lm, {out}, limit_s: 10"), ("clustree", "name: clustree")]:
        report, _ = table.run("k: 5", method)
        if report is None:
            print(f"| {name} | - | - | - | - | - |")
            continue
        output = report["output"]
        print(f"| {name} | {report['utility']['lm']:.4f} | {output['suppressed_records']:,} | {output['classes']:,} | "
              f"{report['seconds']['anonymize']:.2f} | {report.get('cut', {}).get('proof', '')} |", flush=True)


def times(options, folder):
    table = Table(options, folder, small=False)
    print(f"{table.path.name}, lplus, seconds of the search\n")
    print("| metric, scheme | " + " | ".join(f"l = {l}" for l in range(2, 7)) + " |")
    print("| --- |" + " ---: |" * 5)
    most = 0
    for metric, schemes in SCHEMES.items():
        for scheme in schemes:
            cells = []
            for l in range(2, 7):
                of_class = ", class: salary-class" if metric == "cm" else ""
                report, _ = table.run(f"l: {l}", f"name: lplus, metric: {metric}, suppression: {scheme}{of_class}",
                                      "occupation", "salary-class")
                cells.append("-" if report is None else f"{report['seconds']['anonymize']:.2f}")
                most = max(most, report["peak_rss_bytes"] if report else 0)
            print(f"| {metric}, {scheme} | " + " | ".join(cells) + " |", flush=True)
    print(f"\nat most {most / 1e6:.0f} MB")


def error_of(path):
    """The share of records of the last third that a decision tree of the first two thirds gets wrong, mean of two orders."""
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    wrong = 0.0
    for seed in range(2):
        random.Random(seed).shuffle(rows)
        cells = OneHotEncoder(handle_unknown="ignore").fit_transform([[row[name] for name in QUASI] for row in rows])
        labels = [row["salary-class"] for row in rows]
        split = len(rows) * 2 // 3
        tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=15, random_state=0)
        tree.fit(cells[:split], labels[:split])
        wrong += 1 - tree.score(cells[split:], labels[split:])
    return wrong / 2


def error(options, folder):
    table = Table(options, folder, small=False)
    print(f"{table.path.name}, error of a decision tree for salary-class, in percent; original: {100 * error_of(table.path):.1f}\n")
    print("| method | " + " | ".join(f"l = {l}" for l in range(2, 7)) + " |")
    print("| --- |" + " ---: |" * 5)
    for derive in ("", ", derive: frequency"):
        for name, scheme in [("incognito", "none"), *(("lplus", scheme) for scheme in SCHEMES["cm"])]:
            cells = []
            for l in range(2, 7):
                theta = f"theta: {{default: {1 / l:.6f}}}{derive}" if derive else f"l: {l}"
                report, path = table.run(theta, f"name: {name}, metric: cm, suppression: {scheme}, class: salary-class, limit_s: 20",
                                         "occupation", "salary-class")
                stopped = report is not None and report["cut"]["proof"] == "bound"
                cells.append("-" if report is None or stopped else f"{100 * error_of(path):.1f}")
            print(f"| {name}, {scheme}{', thresholds by frequency' if derive else ''} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["loss", "times", "error"])
    parser.add_argument("data", nargs="?", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--thicket", type=pathlib.Path, default=ROOT / "build" / "thicket")
    options = parser.parse_args()
    options.data = options.data and options.data.resolve()
    options.thicket = options.thicket.resolve()
    with tempfile.TemporaryDirectory() as folder:
        {"loss": loss, "times": times, "error": error}[options.what](options, folder)


if __name__ == "__main__":
    main()
