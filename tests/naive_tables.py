"""l+-diversity of tables by brute force, from Liu 2010, Chapter 3, alone: for tests of the command.

    table = random_table(random.Random(7))
    promise = Promise(theta=Fraction(1, 2))
    best(table, promise, "violating-records", "dm")       # cost of the cheapest cut, None where none is valid
    learned(rows, table, promise)                         # what an adversary learns beyond the promise, from published rows

A row is a tuple: labels of the quasi-identifiers, the sensitive value, the class label. "" is a missing value, "*" in the
place of a sensitive value a suppressed one. Every cut is tried.
"""

import collections
import itertools
from fractions import Fraction

SCHEMES = {"lm": ["none", "all-records", "all-values", "violating-values", "violating-records"],
           "dm": ["none", "all-records", "violating-records"],
           "cm": ["none", "all-records", "violating-records"]}
STAR = "*"


class Taxonomy:
    """A tree of labels, "*" or another name at the root."""

    def __init__(self, root):
        self.root = root
        self.parent = {root: None}

    def add(self, label, parent):
        self.parent[label] = parent

    def children(self, label):
        return [child for child, parent in self.parent.items() if parent == label]

    def leaves(self, label=None):
        """All leaves below a label, the label itself where it is one."""
        label = self.root if label is None else label
        below = self.children(label)
        return [label] if not below else [leaf for child in below for leaf in self.leaves(child)]

    def path(self, label):
        """From a label up to the root."""
        return [] if label is None else [label, *self.path(self.parent[label])]

    def covers(self, label, leaf):
        return label in self.path(leaf)

    def cuts(self, label=None):
        label = self.root if label is None else label
        below = self.children(label)
        if not below:
            return [{label}]
        product = itertools.product(*(self.cuts(child) for child in below))
        return [{label}, *(set().union(*parts) for parts in product)]

    def loss(self, label):
        of_all = len(self.leaves()) - 1
        return Fraction(len(self.leaves(label)) - 1, of_all) if of_all else Fraction(0)

    def text(self):
        """As a file of the command's; the missing value has no row."""
        return "".join(";".join(self.path(leaf)) + "\n" for leaf in self.leaves() if leaf != "")


Row = collections.namedtuple("Row", "quasi secret label")
Table = collections.namedtuple("Table", "taxonomies rows")


class Promise:
    """Thresholds by value, the size of classes, or both."""

    def __init__(self, theta=Fraction(1), own=None, k=1):
        self.theta, self.own, self.k = theta, own or {}, k

    @staticmethod
    def derived(rows, theta, own=None):
        """Section 3.6.1.2, but for values that have a threshold of their own."""
        counts = collections.Counter(row.secret for row in rows)
        average = Fraction(len(rows), len(counts))
        return Promise(theta, {value: min(Fraction(1), theta * count / average)
                               for value, count in counts.items() if count >= average} | (own or {}))

    def of(self, value):
        return self.own.get(value, self.theta)

    def violating(self, secrets):
        """Values that too many have."""
        return {value for value, count in collections.Counter(secrets).items()
                if value != STAR and Fraction(count, len(secrets)) > self.of(value)}

    def holds(self, secrets):
        return not secrets or (len(secrets) >= self.k and not self.violating(secrets))


def largest_kept(secrets, promise):
    """How many of each value the largest part keeps that holds the promise: every number of each value is tried."""
    counts = collections.Counter(secrets)
    best = {}
    for numbers in itertools.product(*(range(count + 1) for count in counts.values())):
        kept = dict(zip(counts, numbers))
        if sum(numbers) > sum(best.values()) and promise.holds([v for v, n in kept.items() for _ in range(n)]):
            best = kept
    return best


def smallest_minority(rows, kept):
    """Of rows with so many of each value kept: every class label is tried as the majority."""
    together = collections.Counter((row.secret, row.label) for row in rows)
    majority = max((sum(min(number, together[value, label]) for value, number in kept.items())
                    for label in {row.label for row in rows}), default=0)
    return sum(kept.values()) - majority


class Outcome:
    """What a scheme makes of a class: how many of each secret are published, None where the cut is invalid."""

    def __init__(self, rows, promise, scheme):
        secrets = [row.secret for row in rows]
        self.size = len(rows)
        self.shown = collections.Counter(secrets)
        if promise.holds(secrets):
            return
        if scheme == "all-records":
            self.shown = collections.Counter()
        elif scheme == "violating-records":
            self.shown = +collections.Counter(largest_kept(secrets, promise))
        elif scheme == "none" or len(rows) < promise.k:
            self.shown = None
        else:
            starred = promise.violating(secrets) if scheme == "violating-values" else set(secrets)
            self.shown = collections.Counter(STAR if secret in starred else secret for secret in secrets)

    @property
    def deleted(self):
        return self.size - sum(self.shown.values())


def generalize(quasi, cut):
    return tuple(next(label for label in taxonomy.path(leaf) if label in labels)
                 for leaf, (taxonomy, labels) in zip(quasi, cut))


def all_cuts(table):
    """Each as pairs of a taxonomy and labels."""
    for labels in itertools.product(*(taxonomy.cuts() for taxonomy in table.taxonomies)):
        yield list(zip(table.taxonomies, labels))


def classes_of(table, cut):
    classes = collections.defaultdict(list)
    for row in table.rows:
        classes[generalize(row.quasi, cut)].append(row)
    return classes


def suppression_cost(table, scheme, metric):
    if metric != "lm":
        return len(table.rows) if metric == "dm" else 1
    return len(table.taxonomies) * (2 if scheme.endswith("records") else 1)


def try_cut(table, promise, scheme, cut):
    """By class what is published; None where the cut is invalid."""
    outcomes = {quasi: Outcome(rows, promise, scheme) for quasi, rows in classes_of(table, cut).items()}
    return None if any(outcome.shown is None for outcome in outcomes.values()) else outcomes


def cost_of_class(table, quasi, rows, outcome, metric, unit):
    size = sum(outcome.shown.values())
    cost = unit * (outcome.deleted + (outcome.shown[STAR] if STAR not in {row.secret for row in rows} else 0))
    if metric == "dm":
        return cost + size * size
    if metric == "cm":
        return cost + smallest_minority(rows, outcome.shown)
    return cost + size * sum(taxonomy.loss(label) for taxonomy, label in zip(table.taxonomies, quasi))


def cost_of_cut(table, promise, scheme, metric, cut, unit=None):
    outcomes = try_cut(table, promise, scheme, cut)
    if outcomes is None:
        return None
    unit = suppression_cost(table, scheme, metric) if unit is None else unit
    classes = classes_of(table, cut)
    return sum((cost_of_class(table, quasi, classes[quasi], outcome, metric, unit)
                for quasi, outcome in outcomes.items()), Fraction(0))


def best_costs(table, promise, scheme, metric, unit=None):
    """Of all valid cuts, ascending; cuts that make the same of every record count once."""
    costs = {}
    for cut in all_cuts(table):
        costs[tuple(generalize(row.quasi, cut) for row in table.rows)] = cost_of_cut(
            table, promise, scheme, metric, cut, unit)
    return sorted(cost for cost in costs.values() if cost is not None)


def cost_of_published(table, published, scheme, metric, unit=None):
    """From the published rows, and how many there were."""
    unit = suppression_cost(table, scheme, metric) if unit is None else unit
    suppressed = len(table.rows) - len(published) + sum(row.secret == STAR for row in published)
    cost = Fraction(unit) * suppressed
    classes = collections.defaultdict(list)
    for row in published:
        classes[row.quasi].append(row)
    for quasi, rows in classes.items():
        if metric == "dm":
            cost += len(rows) ** 2
        elif metric == "cm":
            cost += len(rows) - max(collections.Counter(row.label for row in rows).values())
        else:
            cost += len(rows) * sum(taxonomy.loss(label) for taxonomy, label in zip(table.taxonomies, quasi))
    return cost


def explained_by(table, promise, scheme, published, cut):
    """Whether the scheme makes exactly these rows of the table, up to which records of a value are deleted."""
    if any(label not in labels for row in published for label, (_, labels) in zip(row.quasi, cut)):
        return False
    outcomes = try_cut(table, promise, scheme, cut)
    if outcomes is None:
        return False
    classes = classes_of(table, cut)
    shown = collections.defaultdict(list)
    for row in published:
        shown[row.quasi].append(row)
    if set(shown) - set(classes):
        return False
    for quasi, rows in classes.items():
        if collections.Counter(row.secret for row in shown[quasi]) != +outcomes[quasi].shown:
            return False
        was = collections.Counter((row.secret, row.label) for row in rows)
        now = collections.Counter((row.secret, row.label) for row in shown[quasi] if row.secret != STAR)
        stars = collections.Counter(row.label for row in shown[quasi] if row.secret == STAR)
        hidden = collections.Counter(row.label for row in rows if outcomes[quasi].shown[row.secret] == 0)
        if now - was or (stars and stars != hidden):
            return False
    return True


def told(published, table, promise):
    """How many stars of violating-values stand for one value whatever the original was, for who knows which values occur."""
    domain = {row.secret for row in table.rows}
    count = 0
    for quasi in {row.quasi for row in published}:
        secrets = [row.secret for row in published if row.quasi == quasi]
        shown = [secret for secret in secrets if secret != STAR]
        stars = len(secrets) - len(shown)
        possible = [hidden for hidden in itertools.combinations_with_replacement(sorted(domain - set(shown)), stars)
                    if set(hidden) <= promise.violating([*shown, *hidden])]
        if stars and len(possible) == 1:
            count += stars
    return count


def learned(published, table, promise):
    """What somebody learns who knows the quasi-identifiers of a person: a sentence, or None where the promise holds.

    Of every combination of values that a person may have, all rows that may be that person's are counted.
    """
    for quasi in itertools.product(*(taxonomy.leaves() for taxonomy in table.taxonomies)):
        fit = [row.secret for row in published
               if all(taxonomy.covers(label, leaf) for taxonomy, label, leaf in zip(table.taxonomies, row.quasi, quasi))]
        if fit and len(fit) < promise.k:
            return f"{quasi}: one of {len(fit)}"
        if promise.violating(fit):
            return f"{quasi}: {sorted(promise.violating(fit))} of {sorted(fit)}"
    return None


def worst_certainty(published, table):
    """The largest share of a value among the rows that may be those of one of the table's people."""
    shares = [0.0]
    for person in table.rows:
        fit = [row.secret for row in published
               if all(taxonomy.covers(*pair) for taxonomy, *pair in zip(table.taxonomies, row.quasi, person.quasi))]
        shown = collections.Counter(secret for secret in fit if secret != STAR)
        shares += [count / len(fit) for count in shown.values()]
    return max(shares)


def random_taxonomy(random, name, has_missing):
    """Of any shape, with single children, and with leaves right under the root."""
    taxonomy = Taxonomy(STAR if has_missing else random.choice([STAR, f"any {name}"]))
    inner = [taxonomy.root]
    for i in range(random.randint(1, 3)):
        inner.append(f"{name.upper()}{i}")
        taxonomy.add(inner[-1], random.choice(inner[:-1]))
    for i in range(random.randint(1, 4)):
        taxonomy.add(f"{name}{i}", random.choice(inner))
    for label in inner[1:]:
        if not taxonomy.children(label):
            taxonomy.add(f"{name} of {label}", label)
    if has_missing:
        taxonomy.add("", taxonomy.root)
    return taxonomy


def random_table(random, most_rows=10, most_cuts=80):
    """Many equal rows, rare and frequent values, a single row at times; values that no row has in the taxonomies."""
    taxonomies = []
    for name in "abc"[:random.choice([1, 2, 2, 3])]:
        taxonomies.append(random_taxonomy(random, name, random.random() < 0.25))
        cuts = 1
        for taxonomy in taxonomies:
            cuts *= len(taxonomy.cuts())
        if cuts > most_cuts:
            taxonomies.pop()
    if not taxonomies:
        return random_table(random, most_rows, most_cuts)
    secrets = ["flu", "cold", "HIV", ""][:random.choice([1, 2, 2, 3, 3, 3, 4, 4])]
    weights = [random.choice([1, 1, 3]) for _ in secrets]
    rows = []
    for _ in range(1 if random.random() < 0.08 else random.randint(4, most_rows)):
        if rows and random.random() < 0.2:
            rows.append(rows[-1])
            continue
        quasi = tuple(random.choice(taxonomy.leaves()) for taxonomy in taxonomies)
        rows.append(Row(quasi, random.choices(secrets, weights)[0], random.choice("xyz")))
    # The leaf of missing values is there when somebody misses the value.
    for place, taxonomy in enumerate(taxonomies):
        if "" in taxonomy.parent and all(row.quasi[place] != "" for row in rows):
            del taxonomy.parent[""]
    return Table(taxonomies, rows)
