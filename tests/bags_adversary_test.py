"""Plays the adversary against published bags of words (vocabulary k-anonymity by ssg, lg and lgbag).

    python3 tests/bags_adversary_test.py --thicket build/thicket [--bags N] [--seed N]

Random small bags over random taxonomies and networks, in JSON and in query logs, where a user may have several bags. What is
published is read from the file alone, and held against the original by the link:

1. every published bag is there at least k times, and such a class is about at least k users,
2. every published term stands for a term of its own of the original bag, at most epsilon steps away by a breadth-first search of this
   test; several words joined by | for one of them, and a group for a word below it,
3. nobody who knows all terms of a bag finds the user with more than the largest share that a user has of a class, and `attack`
   says exactly how often,
4. the report counts substituted terms, steps, terms that were left out and empty bags as this test does,
5. `verify` agrees, with the original, with the link and without both, also on published files that were changed.
"""

import argparse
import collections
import itertools
import json
import pathlib
import random
import stat
import subprocess
import sys
import tempfile
import unittest

THICKET = None
BAGS = 25
SEED = 1
GAP_S = 3600

Setting = collections.namedtuple("Setting", "k epsilon method centre extra style unknown")
Bag = collections.namedtuple("Bag", "owner terms")


class World:
    """Words and what is one step apart. `below`: by group, the words below it; a group's own steps are counted downwards."""

    def steps_from(self, start, downwards=False):
        steps, queue = {start: 0}, collections.deque([start])
        while queue:
            place = queue.popleft()
            for following in self.down[place] if downwards else self.near[place]:
                if following not in steps:
                    steps[following] = steps[place] + 1
                    queue.append(following)
        return steps

    def may_stand(self, label, term, epsilon):
        """How many steps the label is from the term that it stands for; None if it may not."""
        parts = label.split("|")
        if len(parts) > 1:
            fits = term in parts and all(self.word_steps(part, term, epsilon) is not None for part in parts)
            return 0 if fits else None
        if label in self.groups:
            steps = self.steps_from(label, downwards=True).get(term)
            return 0 if steps is not None and (epsilon is None or steps <= epsilon) else None
        return self.word_steps(label, term, epsilon)

    def word_steps(self, word, term, epsilon):
        if word == term:
            return 0
        if word not in self.near or epsilon is None:
            return None
        steps = self.steps_from(word).get(term)
        return steps if steps is not None and steps <= epsilon else None


class Taxonomy(World):
    def __init__(self, choose):
        self.parent = {"root": None}
        inner = ["root"]
        for i in range(choose.randint(1, 4)):
            self.parent[f"group{i}"] = choose.choice(inner)
            inner.append(f"group{i}")
        self.words = [f"w{letter}" for letter in "abcdefgh"[:choose.randint(3, 8)]]
        for word in self.words:
            self.parent[word] = choose.choice(inner)
        # A group without words is none.
        used = {node for word in self.words for node in self.path(word)}
        self.groups = {node for node in inner if node in used}
        nodes = self.groups | set(self.words)
        self.down = {node: [child for child in nodes if self.parent[child] == node] for node in nodes}
        self.near = {node: self.down[node] + ([self.parent[node]] if self.parent[node] else []) for node in nodes}

    def path(self, node):
        return [node, *self.path(self.parent[node])] if self.parent[node] else [node]

    def write(self, folder):
        (folder / "terms.csv").write_text("".join(";".join(self.path(word)) + "\n" for word in self.words), encoding="utf-8")

    recoding = "taxonomy: terms.csv"


class Network(World):
    """A folder as WordNet has it: words hang below the synset of their first sense, and synsets below others."""

    def __init__(self, choose):
        self.words = [f"w{letter}" for letter in "abcdefgh"[:choose.randint(3, 8)]]
        self.synsets = [f"{10 * (i + 1):08d}" for i in range(choose.randint(2, 6))]
        self.above = {synset: choose.sample(self.synsets[:i], min(i, choose.randint(0, 2)))
                      for i, synset in enumerate(self.synsets)}
        self.senses = {word: choose.sample(self.synsets, choose.randint(1, 2)) for word in self.words}
        # A synset has a word at least, if only one that nobody uses.
        for i, synset in enumerate(self.synsets):
            if not any(synset in senses for senses in self.senses.values()):
                self.senses[f"unused{'abcdef'[i]}"] = [synset]
        self.groups, self.down = set(), {}
        self.near = {place: set() for place in (*self.synsets, *self.senses)}
        for synset, broader in self.above.items():
            for other in broader:
                self.near[synset].add(other)
                self.near[other].add(synset)
        for word, senses in self.senses.items():
            self.near[word].add(senses[0])
            self.near[senses[0]].add(word)

    def write(self, folder):
        (folder / "wn").mkdir(exist_ok=True)
        lines = []
        for synset in self.synsets:
            words = [word for word, senses in self.senses.items() if synset in senses]
            pointers = [("@", other) for other in self.above[synset]]
            pointers += [("~", other) for other in self.synsets if synset in self.above[other]]
            lines.append(f"{synset} 03 n {len(words):02x} " + " ".join(f"{word} 0" for word in words)
                         + f" {len(pointers):03d} " + "".join(f"{kind} {other} n 0000 " for kind, other in pointers)
                         + "| a meaning  \n")
        (folder / "wn" / "data.noun").write_text("".join(lines), encoding="utf-8")
        (folder / "wn" / "index.noun").write_text(
            "".join(f"{word} n {len(senses)} 0 {len(senses)} 0 {' '.join(senses)}  \n"
                    for word, senses in sorted(self.senses.items())), encoding="utf-8")
        (folder / "wn" / "noun.exc").write_text("", encoding="utf-8")

    recoding = "network: wn"


def best_pairing(world, labels, terms, epsilon):
    """The fewest (steps, substituted terms) of all ways to give each label a term of its own; None if there is none."""
    if not labels:
        return (0, 0)
    best = None
    for i in {terms.index(term): None for term in terms}:
        steps = world.may_stand(labels[0], terms[i], epsilon)
        if steps is None:
            continue
        rest = best_pairing(world, labels[1:], terms[:i] + terms[i + 1:], epsilon)
        if rest is not None:
            found = (steps + rest[0], (steps > 0) + rest[1])
            best = found if best is None else min(best, found)
    return best


def assignable(fits):
    """Whether every row has a column of its own. `fits`: by row, the columns."""
    row_of = {}

    def augment(row, seen):
        for column in fits[row]:
            if column not in seen:
                seen.add(column)
                if column not in row_of or augment(row_of[column], seen):
                    row_of[column] = row
                    return True
        return False

    return all(augment(row, set()) for row in range(len(fits)))


def most_matched(world, known, labels, epsilon):
    """How many of the known terms have a label that may stand for them: with epsilon one of their own."""
    fits = [[i for i, label in enumerate(labels) if world.may_stand(label, term, epsilon) is not None] for term in known]
    if epsilon is None:
        return sum(map(bool, fits))
    return max(size for size in range(len(known) + 1)
               for chosen in itertools.combinations(fits, size) if assignable(chosen))


class BagsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="thicket-bags-")))

    def thicket(self, *arguments):
        return subprocess.run([THICKET, *map(str, arguments)], cwd=self.folder, text=True, capture_output=True, timeout=600)

    def write_policy(self, world, setting):
        unknown = ", unknown: generalize" if setting.unknown else ""
        source = "format: jsonl" if setting.style == "jsonl" else f"format: querylog, session_gap: {GAP_S}"
        promise = f"k: {setting.k}" + (f", epsilon: {setting.epsilon}" if setting.epsilon is not None else
                                       ", model: vocabulary k-anonymity")
        centre = f", centre: {setting.centre}" if setting.centre else ""
        (self.folder / "policy.yaml").write_text(
            f"version: 1\ninput: {{{source}, path: data}}\nrecord:\n  class: vocabulary\n  children:\n    - class: term\n"
            f"      at: terms\n      quasi: {{term: {{{world.recoding}{unknown}}}}}\nprivacy: {{{promise}}}\n"
            f"method: {{name: {setting.method}{centre}{setting.extra}}}\n", encoding="utf-8")

    def write_data(self, choose, bags, style):
        """Bags of an owner stand one after the other; in a log they are sessions, with queries in between."""
        if style == "jsonl":
            text = "".join(json.dumps({"terms": bag.terms}) + "\n" for bag in bags)
        else:
            text, time, before = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n", 0, None
            for bag in bags:
                time = 0 if bag.owner != before else time + GAP_S + 1
                before = bag.owner
                terms = list(bag.terms)
                while terms:
                    size = choose.randint(1, 3)
                    # A query is a set of words.
                    while len(set(terms[:size])) < len(terms[:size]):
                        size -= 1
                    query, terms = terms[:size], terms[size:]
                    text += f"{bag.owner}\t{' '.join(query)}\t2006-01-{1 + time // 86400:02d} " \
                            f"{time // 3600 % 24:02d}:{time // 60 % 60:02d}:{time % 60:02d}\t\t\n"
                    time += 60
        (self.folder / "data").write_text(text, encoding="utf-8")

    def read(self, name, style):
        text = (self.folder / name).read_text(encoding="utf-8")
        if style == "jsonl":
            return [json.loads(line).get("terms", []) for line in text.splitlines()]
        bags = collections.OrderedDict()
        for line in text.splitlines()[1:]:
            number, term = line.split("\t")
            bags.setdefault(number, []).extend([term] if term else [])
        return list(bags.values())

    def write_published(self, name, bags, style):
        if style == "jsonl":
            text = "".join(json.dumps({"terms": bag} if bag else {}, separators=(",", ":")) + "\n" for bag in bags)
        else:
            text = "AnonID\tQuery\n" + "".join(f"{number}\t{term}\n" for number, bag in enumerate(bags, 1)
                                               for term in (bag or [""]))
        (self.folder / name).write_text(text, encoding="utf-8")

    def read_link(self, name):
        path = self.folder / name
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        header, *rows = path.read_text(encoding="utf-8").splitlines()
        self.assertEqual(header, "published,original")
        pairs = [tuple(map(int, row.split(","))) for row in rows]
        self.assertEqual([published for published, _ in pairs], list(range(1, len(pairs) + 1)))
        return [original - 1 for _, original in pairs]

    def problems(self, world, bags, published, link, setting):
        """What is wrong with published bags, by the definitions."""
        found = []
        classes = collections.defaultdict(list)
        for number, labels in enumerate(published):
            classes[tuple(sorted(labels))].append(number)
        if min(map(len, classes.values()), default=0) < setting.k:
            found.append("too few look alike")
        if link is None:
            fits = [[original for original, bag in enumerate(bags)
                     if best_pairing(world, labels, bag.terms, setting.epsilon) is not None] for labels in published]
            return found + ([] if assignable(fits) else ["no originals fit"])
        if min((len({bags[link[number]].owner for number in members}) for members in classes.values()), default=0) < setting.k:
            found.append("too few owners")
        if any(best_pairing(world, labels, bags[original].terms, setting.epsilon) is None
               for labels, original in zip(published, link)):
            found.append("a term is too far")
        return found

    def chances(self, world, bags, published, link, epsilon):
        """By bag with a term: how surely somebody who knows all terms of the bag points at a bag of its owner."""
        labels_of = {tuple(sorted(labels)): labels for labels in published}
        for victim in bags:
            if not victim.terms:
                continue
            scores = {key: most_matched(world, victim.terms, labels, epsilon) for key, labels in labels_of.items()
                      if best_pairing(world, labels, victim.terms, epsilon) is not None}
            best = [key for key, score in scores.items() if score == max(scores.values())]
            candidates = [number for number, labels in enumerate(published) if tuple(sorted(labels)) in best]
            own = sum(bags[link[number]].owner == victim.owner for number in candidates)
            yield own / len(candidates) if candidates else 0

    def check(self, choose, world, bags, setting):
        """Whether something was published."""
        world.write(self.folder)
        self.write_policy(world, setting)
        self.write_data(choose, bags, setting.style)
        # What the program may use: with a network, words that it has, unless others are kept.
        bags = [Bag(bag.owner, [term for term in bag.terms if term in world.words or setting.unknown]) for bag in bags]
        done = self.thicket("anonymize", "policy.yaml", "-o", "public", "--link", "link.csv", "--report", "report.json",
                            "--seed", 3)
        if len({bag.owner for bag in bags if bag.terms}) < setting.k:
            self.assertIn(done.returncode, (1, 3), done.stderr)
            self.assertFalse((self.folder / "public").exists() or (self.folder / "link.csv").exists())
            return False
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("PRIVATE", done.stdout)
        published, link = self.read("public", setting.style), self.read_link("link.csv")
        self.assertEqual(len(published), len(link))
        self.assertEqual(sorted(link), [number for number, bag in enumerate(bags) if bag.terms])
        self.assertEqual(self.problems(world, bags, published, link, setting), [])
        self.check_report(world, bags, published, link, setting)
        self.check_attack(world, bags, published, link, setting)
        for arguments in ((), ("--original", "data"), ("--original", "data", "--link", "link.csv")):
            done = self.thicket("verify", "policy.yaml", "public", *arguments)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.check_changed(choose, world, bags, published, link, setting)
        return True

    def check_report(self, world, bags, published, link, setting):
        report = json.loads((self.folder / "report.json").read_text(encoding="utf-8"))["bags"]
        pairings = [best_pairing(world, labels, bags[original].terms, setting.epsilon)
                    for labels, original in zip(published, link)]
        terms = sum(len(bag.terms) for bag in bags)
        self.assertEqual(report["terms"], terms)
        if setting.epsilon is None:
            return
        self.assertEqual(report["left_out_terms"], terms - sum(map(len, published)))
        self.assertEqual(report["empty_bags"], sum(not labels for labels in published))
        substituted = sum(count for _, count in pairings)
        self.assertEqual(report["substituted_terms"], substituted)
        if substituted:
            self.assertAlmostEqual(report["mean_steps"], sum(steps for steps, _ in pairings) / substituted, 4)

    def check_attack(self, world, bags, published, link, setting):
        done = self.thicket("attack", "policy.yaml", "public", "--original", "data", "--link", "link.csv", "--labels", 2,
                            "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        everything, some = (attack["published"] for attack in json.loads(done.stdout)["attacks"])
        chances = list(self.chances(world, bags, published, link, setting.epsilon))
        self.assertEqual(everything["victims"], len(chances))
        self.assertAlmostEqual(everything["mean_probability"], sum(chances) / len(chances), 5)
        self.assertAlmostEqual(everything["worst_probability"], max(chances), 5)
        bound = max(max(collections.Counter(bags[original].owner for original, labels in zip(link, published)
                                            if sorted(labels) == sorted(key)).values())
                    / sum(sorted(labels) == sorted(key) for labels in published) for key in published)
        self.assertLessEqual(everything["worst_probability"], bound + 1e-6)
        self.assertLessEqual(some["worst_probability"], bound + 1e-6)
        if setting.style == "jsonl":
            self.assertLessEqual(bound, 1 / setting.k + 1e-9)
        done = self.thicket("attack", "policy.yaml", "public", "--original", "data", "--json")
        at_most = json.loads(done.stdout)["attacks"][0]["published"]
        self.assertGreaterEqual(at_most["mean_probability"], everything["mean_probability"] - 1e-5)

    def check_changed(self, choose, world, bags, published, link, setting):
        """One term of a class is another one in all its bags, or is there twice; or the link is another one."""
        several = setting.centre == "hyper"
        for _ in range(4):
            changed, linked = [list(labels) for labels in published], list(link)
            if choose.random() < 0.7:
                chosen = choose.choice(changed)
                # All of them: they are changed alike.
                alike = [labels for labels in changed if labels == chosen]
                place, word = choose.randrange(len(chosen) + 1), choose.choice(world.words)
                if several and choose.random() < 0.3:
                    word = "|".join(sorted({word, choose.choice(world.words)}))
                for labels in alike:
                    labels[place:place + 1] = [word]
            else:
                choose.shuffle(linked)
            # What looks alike now is written alike, too.
            first = {}
            changed = [first.setdefault(tuple(sorted(labels)), labels) for labels in changed]
            self.write_published("changed", changed, setting.style)
            (self.folder / "changed.csv").write_text("published,original\n" + "".join(
                f"{number},{original + 1}\n" for number, original in enumerate(linked, 1)), encoding="utf-8")
            for arguments, expected in (
                    ((), []), (("--original", "data"), self.problems(world, bags, changed, None, setting)),
                    (("--original", "data", "--link", "changed.csv"), self.problems(world, bags, changed, linked, setting))):
                if not arguments:
                    expected = [p for p in self.problems(world, bags, changed, linked, setting) if "alike" in p]
                done = self.thicket("verify", "policy.yaml", "changed", *arguments)
                self.assertEqual(done.returncode, 1 if expected else 0,
                                 (arguments, expected, changed, linked, done.stdout + done.stderr))

    def bags_of(self, choose, world, style, foreign):
        owners = choose.randint(2, 6)
        bags = []
        for owner in range(1, owners + 1):
            for _ in range(1 if style == "jsonl" else choose.randint(1, 3)):
                if len(bags) == 10:
                    break
                terms = [choose.choice(world.words + (["qqq"] if foreign else [])) for _ in range(choose.randint(1, 4))]
                bags.append(Bag(owner, terms))
        return bags

    def setting_of(self, choose, world, method):
        tree = isinstance(world, Taxonomy)
        epsilon = choose.randint(0, 5) if method == "ssg" else None
        centre = choose.choice(["majority", "hyper", "generalize"] if tree else ["majority", "hyper"]) if epsilon is not None else ""
        extra = ""
        if method == "ssg":
            extra += choose.choice(["", ", matching: greedy"]) + choose.choice(["", f", omega: {max(1, epsilon)}"])
        return Setting(choose.randint(2, 3), epsilon, method, centre, extra, choose.choice(["jsonl", "querylog"]),
                       not tree and choose.random() < 0.3)

    def test_nobody_is_found(self):
        choose = random.Random(SEED)
        published = collections.Counter()
        for number in range(BAGS):
            for method in ("ssg", "ssg", "lg", "lgbag"):
                world = Network(choose) if method == "ssg" and choose.random() < 0.5 else Taxonomy(choose)
                setting = self.setting_of(choose, world, method)
                bags = self.bags_of(choose, world, setting.style, isinstance(world, Network) and choose.random() < 0.5)
                with self.subTest(number=number, setting=setting, near=world.near, bags=bags):
                    published[method] += self.check(choose, world, bags, setting)
                for name in ("public", "link.csv", "report.json", "changed", "changed.csv"):
                    (self.folder / name).unlink(missing_ok=True)
        for method in ("ssg", "lg", "lgbag"):
            self.assertGreater(published[method], BAGS // 4, published)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--thicket", required=True)
    parser.add_argument("--bags", type=int, default=BAGS)
    parser.add_argument("--seed", type=int, default=SEED)
    options, rest = parser.parse_known_args()
    THICKET, BAGS, SEED = str(pathlib.Path(options.thicket).resolve()), options.bags, options.seed
    unittest.main(argv=[sys.argv[0], *rest])
