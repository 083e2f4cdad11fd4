#include "attack/attack.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "attack/known_labels.h"
#include "base/random.h"
#include "testing/forest_text.h"

namespace thicket::attack_test {
namespace {

using testing::ParseForest;
using testing::ParseSchema;

// Values are two letters, of which the last may be masked.
std::shared_ptr<Schema> MaskedSchema(std::string_view text) {
  std::shared_ptr<Schema> schema = ParseSchema(text);
  for (VertexClass& vertex_class : schema->classes) {
    for (QuasiAttribute& quasi : vertex_class.quasi) {
      quasi.recoding.kind = Recoding::Kind::kMask;
      quasi.recoding.mask = 1;
    }
  }
  return schema;
}

EncodedDataset EncodeText(const std::shared_ptr<Schema>& schema, std::string_view text) {
  Result<EncodedDataset> encoded = Encode(ParseForest(schema, text, "original.jsonl"), {});
  EXPECT_TRUE(encoded.ok()) << encoded.error().message;
  return std::move(*encoded);
}

AttackReport Play(const std::shared_ptr<Schema>& schema, std::string_view original,
                  std::string_view published, const AttackOptions& options) {
  Progress progress;
  Result<AttackReport> report =
      Attack(EncodeText(schema, original), ParseForest(schema, published), options, progress);
  EXPECT_TRUE(report.ok()) << report.error().message;
  return std::move(*report);
}

TEST(AttackTest, FindsEverybodyInTheOriginalAndNobodyForCertainInATwoAnonymousRelease) {
  const auto schema = MaskedSchema("s(q|g){c(q|g)}");
  const AttackReport report =
      Play(schema, "s(ax|1){c(mx|A)}s(ay|2){c(my|B) c(nx|C)}s(bx|3)s(by|4)",
           "s('a*'|1){c('m*'|A)}s('a*'|2){c('m*'|B)}s('b*'|3)s('b*'|4)", {});
  ASSERT_EQ(report.entries.size(), 1U);
  EXPECT_EQ(report.entries[0].knowledge, Knowledge::kEverything);
  const AttackResult& before = report.entries[0].original;
  EXPECT_EQ(before.victims, 4U);
  EXPECT_EQ(before.found_share, 1);
  EXPECT_EQ(before.mean_probability, 1);
  EXPECT_EQ(before.worst_certainty, 1);
  EXPECT_EQ(before.misled, 0U);
  const AttackResult& after = report.entries[0].published;
  EXPECT_EQ(after.found_share, 0);
  EXPECT_EQ(after.mean_probability, 0.5);
  EXPECT_EQ(after.worst_probability, 0.5);
  EXPECT_EQ(after.worst_certainty, 0.5);
  EXPECT_EQ(after.misled, 0U);
}

TEST(AttackTest, LearnsAValueHoweverItIsWritten) {
  const auto schema = MaskedSchema("s(q|g)");
  const auto certainty = [&](const std::string& a, const std::string& b) {
    const std::string original = "s(ax|" + a + ")s(ay|" + b + ")";
    const std::string published = "s('a*'|" + a + ")s('a*'|" + b + ")";
    return Play(schema, original, published, {}).entries[0].published.worst_certainty;
  };
  EXPECT_EQ(certainty("1", "2"), 0.5);
  EXPECT_EQ(certainty("1", "1.0"), 1);
  EXPECT_EQ(certainty("'1'", "1"), 1);
  EXPECT_EQ(certainty("HIV", "'hiv '"), 1);
  EXPECT_EQ(certainty("caf\u00e9", "cafe\u0301"), 1);
}

TEST(AttackTest, LearnsAValueThatAllCandidatesShare) {
  const auto schema = MaskedSchema("s(q|g){c(q|g)}");
  const auto published = [&](std::string_view text) {
    return Play(schema, "s(ax|1){c(mx|A)}s(ax|2){c(mx|A)}", text, {}).entries[0].published;
  };
  // The root is diverse, the course is not.
  EXPECT_EQ(published("s(ax|1){c(mx|A)}s(ax|2){c(mx|A)}").worst_certainty, 1);
  EXPECT_EQ(published("s(ax|1)s(ax|2)").worst_certainty, 0.5);
}

TEST(AttackTest, LearnsThatAPersonHasAValueThoughNotWhere) {
  const auto schema = MaskedSchema("s(q){c(q|g)}");
  const AttackResult after = Play(schema, "s(ax){c(mx|H) c(nx|F)}s(ax){c(mx|F) c(nx|H)}",
                                  "s(ax){c(mx|H) c(nx|F)}s(ax){c(mx|F) c(nx|H)}", {.labels = 1})
                                 .entries[0]
                                 .published;
  EXPECT_EQ(after.worst_certainty, 0.5);
  EXPECT_EQ(after.worst_certainty_anywhere, 1);
}

TEST(AttackTest, DoesNotCountMissingValuesAnywhere) {
  const auto schema = MaskedSchema("s(q){c(q|g)}");
  const AttackResult after = Play(schema, "s(ax){c(mx|)}s(ax){c(mx|)}s(ax){c(mx|A)}",
                                  "s(ax){c(mx|)}s(ax){c(mx|)}s(ax){c(mx|A)}", {})
                                 .entries[0]
                                 .published;
  EXPECT_DOUBLE_EQ(*after.worst_certainty_anywhere, 1.0 / 3);
}

TEST(AttackTest, KeepsRecordsOfSeveralClassesAsCandidates) {
  const auto schema = MaskedSchema("s(q|g)");
  const AttackResult after =
      Play(schema, "s(ax|1)s(ax|2)s(ay|3)s(bx|4)", "s(ax|1)s(ax|2)s('a*'|3)s('*'|4)", {})
          .entries[0]
          .published;
  // 4 candidates for each ax; 'a*' and '*' for ay; only '*' for bx.
  EXPECT_DOUBLE_EQ(after.mean_probability, (0.25 + 0.25 + 0.5 + 1) / 4);
  EXPECT_EQ(after.found_share, 0.25);
  EXPECT_EQ(after.worst_certainty, 1);
}

TEST(AttackTest, IsMisledWhereTheVictimIsSuppressed) {
  const auto schema = MaskedSchema("s(q|g)");
  const AttackResult after =
      Play(schema, "s(ax|1)s(ax|2)s(bx|3)", "s(ax|1)s(ax|2)", {}).entries[0].published;
  EXPECT_EQ(after.misled, 1U);
  EXPECT_DOUBLE_EQ(after.mean_probability, 1.0 / 3);
}

TEST(AttackTest, NeedsAsManyVerticesAsLabelsAreKnown) {
  const auto schema = MaskedSchema("s(|g){c(q|g)}");
  // All labels are known: the victim's two courses must be shown by two vertices.
  const AttackReport report = Play(schema, "s(|1){c(mx|A) c(my|B)}s(|2){c(mx|C)}",
                                   "s(|1){c('m*'|A) c('m*'|B)}s(|2){c('m*'|C)}", {.labels = 2});
  ASSERT_EQ(report.entries.size(), 2U);
  EXPECT_EQ(report.entries[1].knowledge, Knowledge::kLabels);
  // The first victim has one candidate, the second (who has one label) both.
  EXPECT_EQ(report.entries[1].published.found_share, 0.5);
  EXPECT_DOUBLE_EQ(report.entries[1].published.mean_probability, 0.75);
  // In the original the second victim's course mx stands in both records.
  EXPECT_DOUBLE_EQ(report.entries[1].original.mean_probability, 0.75);
}

TEST(AttackTest, DropsCandidatesThatShowWhatTheVictimDoesNotHave) {
  const auto schema = MaskedSchema("s(|g){c(q)}");
  const std::string_view original = "s(|1){c(mx)}s(|2){c(mx) c(nx)}";
  const AttackReport report = Play(schema, original, original, {.labels = 2, .negative = true});
  ASSERT_EQ(report.entries.size(), 3U);
  EXPECT_EQ(report.entries[2].knowledge, Knowledge::kAbsence);
  EXPECT_DOUBLE_EQ(report.entries[1].original.mean_probability, 0.75);
  // nx is the only label that the first victim lacks, so the second record is dropped.
  EXPECT_DOUBLE_EQ(report.entries[2].original.mean_probability, 1);
  // Generalized, it does not say so.
  const AttackReport hidden =
      Play(schema, original, "s(|1){c(mx)}s(|2){c(mx) c('n*')}", {.labels = 2, .negative = true});
  EXPECT_DOUBLE_EQ(hidden.entries[2].published.mean_probability, 0.75);
}

TEST(AttackTest, PlaysAbsenceAloneWhenAsked) {
  const auto schema = MaskedSchema("s(q|g)");
  const AttackReport report = Play(schema, "s(ax|1)s(ay|2)", "s(ax|1)s(ay|2)", {.negative = true});
  ASSERT_EQ(report.entries.size(), 2U);
  EXPECT_EQ(report.entries[1].knowledge, Knowledge::kAbsence);
}

TEST(AttackTest, TakesAMissingValueForAValueOfItsOwn) {
  const auto schema = MaskedSchema("s(q|g)");
  const AttackResult after =
      Play(schema, "s(ax|1)s(|2)s(|3)", "s(ax|1)s(|2)s(|3)", {}).entries[0].published;
  EXPECT_DOUBLE_EQ(after.mean_probability, 2.0 / 3);
  EXPECT_EQ(
      Play(schema, "s(ax|1)s(|2)", "s('*'|1)s('*'|2)", {}).entries[0].published.mean_probability,
      0.5);
}

TEST(AttackTest, ReadsIntervals) {
  const auto schema = ParseSchema("s(age|g)");
  schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  const AttackResult after = Play(schema, "s(20|1)s(25|2)s(30|3)s(|4)",
                                  "s('[20, 25]'|1)s('[20, 25]'|2)s('*'|3)s('*'|4)", {})
                                 .entries[0]
                                 .published;
  EXPECT_DOUBLE_EQ(after.mean_probability, (0.25 + 0.25 + 0.5 + 0.5) / 4);
}

TEST(AttackTest, DrawsTheVictimsItIsAskedFor) {
  const auto schema = MaskedSchema("s(q|g)");
  const std::string_view text = "s(ax|1)s(ay|2)s(bx|3)s(by|4)";
  const AttackReport report = Play(schema, text, text, {.labels = 1, .trials = 3});
  EXPECT_EQ(report.entries[0].published.victims, 3U);
  EXPECT_EQ(report.entries[1].published.victims, 3U);
  EXPECT_EQ(Play(schema, text, text, {.trials = 9}).entries[0].original.victims, 4U);
}

TEST(AttackTest, LooksForEverybodyAsLongAsThatIsAffordable) {
  for (const bool by_labels : {false, true}) {
    EXPECT_EQ(AffordableVictims(0, by_labels), 0U);
    EXPECT_EQ(AffordableVictims(65536, by_labels), 65536U);
    EXPECT_EQ(AffordableVictims(size_t{1} << 33, by_labels), 1U);
  }
  EXPECT_EQ(AffordableVictims(65537, false), 65535U);
  EXPECT_EQ(AffordableVictims(65537, true), 32767U);
  EXPECT_EQ(AffordableVictims(1000000, false), 4294U);
  EXPECT_EQ(AffordableVictims(1000000, true), 2147U);
}

TEST(AttackTest, RejectsLabelsOfAnotherDataSetAndAnAdversaryWithoutLabels) {
  const auto schema = MaskedSchema("s(q|g)");
  const EncodedDataset original = EncodeText(schema, "s(ax|1)s(ay|2)");
  Progress progress;
  const Result<AttackReport> unknown =
      Attack(original, ParseForest(schema, "s(zz|1)"), {}, progress);
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::kData);
  EXPECT_EQ(unknown.error().value, "zz");
  const Result<AttackReport> none =
      Attack(original, ParseForest(schema, "s(ax|1)"), {.labels = 0}, progress);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kUsage);
}

TEST(AttackTest, StopsWhenItIsCancelled) {
  const auto schema = MaskedSchema("s(q|g)");
  Progress progress;
  progress.Cancel();
  const Result<AttackReport> report =
      Attack(EncodeText(schema, "s(ax|1)"), ParseForest(schema, "s(ax|1)"), {}, progress);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, ErrorCode::kInterrupted);
}

// The same on plain data sets, record by record, with texts and every permutation.
class NaiveAdversary {
 public:
  NaiveAdversary(const Dataset& original, const Dataset& release, bool is_original)
      : original_(original), release_(release), is_original_(is_original) {}

  bool IsCandidate(RecordId record, RecordId victim) const {
    return Embeds(release_.forest.root(record), original_.forest.root(victim));
  }
  bool IsCandidate(RecordId record, const VictimLabels& labels, bool negative,
                   const EncodedDataset& encoded) const {
    std::map<std::pair<ClassId, size_t>, std::vector<std::string>> known;
    for (const KnownLabel& label : labels.present) {
      known[{label.id, label.slot}].push_back(TextOf(encoded, label));
    }
    for (auto& [path, texts] : known) {
      std::vector<std::string> shown = Shown(record, path.first, path.second);
      std::sort(shown.begin(), shown.end());
      bool found = false;
      do {
        found =
            shown.size() >= texts.size() &&
            std::equal(texts.begin(), texts.end(), shown.begin(),
                       [&](const auto& value, const auto& label) { return Covers(label, value); });
      } while (!found && std::next_permutation(shown.begin(), shown.end()));
      if (!found) return false;
    }
    for (size_t i = 0; negative && i < labels.absent.size(); ++i) {
      const std::vector<std::string> shown =
          Shown(record, labels.absent[i].id, labels.absent[i].slot);
      if (std::count(shown.begin(), shown.end(), TextOf(encoded, labels.absent[i])) > 0)
        return false;
    }
    return true;
  }
  // The certainty about every vertex of the victim, or only about roots and what shows a known label.
  double Certainty(const std::vector<RecordId>& candidates, RecordId victim) const {
    double worst = 0;
    const Forest& forest = original_.forest;
    for (Vertex v = forest.root(victim); v < forest.root(victim + 1); ++v) {
      std::vector<Vertex> pool;
      for (const RecordId record : candidates) {
        for (Vertex c = release_.forest.root(record); c < release_.forest.root(record + 1); ++c) {
          if (PathCovers(c, v)) pool.push_back(c);
        }
      }
      worst = std::max(worst, Share(pool));
    }
    return worst;
  }
  double Certainty(const std::vector<RecordId>& candidates, const VictimLabels& labels,
                   const EncodedDataset& encoded) const {
    std::vector<Vertex> pool;
    pool.reserve(candidates.size());
    for (const RecordId record : candidates) pool.push_back(release_.forest.root(record));
    double worst = Share(pool);
    for (const KnownLabel& label : labels.present) {
      pool.clear();
      for (const RecordId record : candidates) {
        for (Vertex c = release_.forest.root(record); c < release_.forest.root(record + 1); ++c) {
          if (release_.forest.class_of(c) == label.id &&
              Covers(Text(release_, c, label.slot), TextOf(encoded, label))) {
            pool.push_back(c);
          }
        }
      }
      worst = std::max(worst, Share(pool));
    }
    return worst;
  }

 private:
  static std::string Text(const Dataset& data, Vertex v, size_t slot) {
    return std::string(
        data.dictionaries[data.forest.class_of(v)][slot].text(data.forest.value(v, slot)));
  }
  static std::string TextOf(const EncodedDataset& encoded, const KnownLabel& label) {
    const Symbol symbol = encoded.classes[label.id].symbol_of_value[label.slot][label.value];
    return std::string(encoded.data.dictionaries[label.id][label.slot].text(symbol));
  }
  std::vector<std::string> Shown(RecordId record, ClassId id, size_t slot) const {
    std::vector<std::string> shown;
    for (Vertex c = release_.forest.root(record); c < release_.forest.root(record + 1); ++c) {
      if (release_.forest.class_of(c) == id) shown.push_back(Text(release_, c, slot));
    }
    return shown;
  }
  // Every class has one quasi-identifier with values of two letters, the empty text for missing.
  static bool Covers(const std::string& label, const std::string& value) {
    if (label == value || label == "*") return true;
    return label.size() == 2 && value.size() == 2 && label[1] == '*' && label[0] == value[0];
  }
  bool Embeds(Vertex c, Vertex v) const {
    if (release_.forest.class_of(c) != original_.forest.class_of(v)) return false;
    if (!Covers(Text(release_, c, 0), Text(original_, v, 0))) return false;
    std::vector<Vertex> shown;
    std::vector<Vertex> children;
    for (const Vertex child : release_.forest.Children(c)) shown.push_back(child);
    for (const Vertex child : original_.forest.Children(v)) children.push_back(child);
    if (shown.size() > children.size() || (is_original_ && shown.size() != children.size()))
      return false;
    do {
      bool all = true;
      for (size_t i = 0; i < shown.size() && all; ++i) all = Embeds(shown[i], children[i]);
      if (all) return true;
    } while (std::next_permutation(children.begin(), children.end()));
    return false;
  }
  static std::vector<Vertex> Path(const Forest& forest, Vertex v) {
    std::vector<Vertex> path;
    for (Vertex a = forest.root(forest.record_of(v)); a <= v; ++a) {
      if (v < a + forest.subtree_size(a)) path.push_back(a);
    }
    return path;
  }
  bool PathCovers(Vertex c, Vertex v) const {
    const std::vector<Vertex> shown = Path(release_.forest, c);
    const std::vector<Vertex> known = Path(original_.forest, v);
    if (shown.size() != known.size()) return false;
    for (size_t i = 0; i < shown.size(); ++i) {
      if (release_.forest.class_of(shown[i]) != original_.forest.class_of(known[i])) return false;
      if (!Covers(Text(release_, shown[i], 0), Text(original_, known[i], 0))) return false;
    }
    return true;
  }
  double Share(const std::vector<Vertex>& pool) const {
    std::map<std::string, size_t> counts;
    size_t most = 0;
    for (const Vertex v : pool) {
      if (release_.schema->classes[release_.forest.class_of(v)].sensitive.empty()) return 0;
      most = std::max(most, ++counts[Text(release_, v, 1)]);
    }
    return pool.empty() ? 0 : static_cast<double>(most) / static_cast<double>(pool.size());
  }

  const Dataset& original_;
  const Dataset& release_;
  bool is_original_;
};

std::string RandomTree(Random& random, bool published) {
  const auto label = [&] {
    if (published && random.Below(4) == 0) return std::string("'*'");
    const std::string first(1, "ab"[random.Below(2)]);
    if (published && random.Below(3) == 0) return "'" + first + "*'";
    return first + "xy"[random.Below(2)];
  };
  std::string text = "r(" + label() + "|" + "STU"[random.Below(3)] + "){";
  for (size_t i = random.Below(3); i-- > 0;) {
    text += "c(" + label() + "|" + "VW"[random.Below(2)] + "){";
    if (random.Below(3) == 0) text += "d(" + label() + ")";
    text += "}";
  }
  return text + "}";
}

// The greatest share of the candidates of any victim that have a value of some class anywhere.
double NaiveAnywhere(const Dataset& seen, const std::vector<std::vector<RecordId>>& candidates) {
  double worst = 0;
  for (const auto& list : candidates) {
    std::map<std::pair<ClassId, std::string>, std::set<RecordId>> holders;
    for (const RecordId record : list) {
      for (Vertex v = seen.forest.root(record); v < seen.forest.root(record + 1); ++v) {
        const ClassId id = seen.forest.class_of(v);
        if (seen.schema->classes[id].sensitive.empty()) continue;
        const std::string_view text = seen.dictionaries[id][1].text(seen.forest.value(v, 1));
        holders[{id, std::string(text)}].insert(record);
      }
    }
    for (const auto& [secret, records] : holders) {
      const auto share = static_cast<double>(records.size()) / static_cast<double>(list.size());
      worst = std::max(worst, share);
    }
  }
  return worst;
}

void ExpectSame(const AttackResult& found, const std::vector<std::vector<RecordId>>& candidates,
                double certainty, const Dataset& seen) {
  double sum = 0;
  size_t sole = 0;
  size_t misled = 0;
  for (const auto& list : candidates) {
    if (list.size() == 1) ++sole;
    if (list.empty()) ++misled;
    if (!list.empty()) sum += 1.0 / static_cast<double>(list.size());
  }
  const auto victims = static_cast<double>(candidates.size());
  RC_ASSERT(found.victims == candidates.size());
  RC_ASSERT(std::abs(found.mean_probability - sum / victims) < 1e-12);
  RC_ASSERT(found.misled == misled);
  RC_ASSERT(found.found_share == static_cast<double>(sole) / victims);
  RC_ASSERT(found.worst_certainty == certainty);
  RC_ASSERT(found.worst_certainty_anywhere.value_or(0) == NaiveAnywhere(seen, candidates));
}

RC_GTEST_PROP(AttackPropertyTest, AgreesWithEnumeratingAllCandidates, (uint64_t seed)) {
  const auto schema = MaskedSchema("r(q|s){c(q|s){d(q)}}");
  Random random = Random::Seeded(seed);
  // Every value that can be published occurs, and so does every first letter.
  std::string original =
      "r(ax|S){c(ax|V){d(ax)} c(ay|V){d(ay)} c(bx|V){d(bx)} c(by|V){d(by)}}r(ay|S)r(bx|S)r(by|S)";
  std::string published;
  for (size_t i = 2 + random.Below(4); i-- > 0;) original += RandomTree(random, false);
  for (size_t i = 1 + random.Below(6); i-- > 0;) published += RandomTree(random, true);
  const Dataset data = ParseForest(schema, original);
  const Dataset release = ParseForest(schema, published);
  Result<EncodedDataset> encoded = Encode(data, {});
  RC_ASSERT(encoded.ok());
  const int known = 1 + static_cast<int>(random.Below(4));
  Progress progress;
  Result<AttackReport> report =
      Attack(*encoded, release, {.labels = known, .negative = true, .seed = seed}, progress);
  RC_ASSERT(report.ok());
  for (const AttackReport::Entry& entry : report->entries) {
    for (const bool is_original : {true, false}) {
      const Dataset& seen = is_original ? data : release;
      const NaiveAdversary naive(data, seen, is_original);
      std::vector<std::vector<RecordId>> candidates(data.forest.record_count());
      double certainty = 0;
      for (RecordId victim = 0; victim < data.forest.record_count(); ++victim) {
        const VictimLabels labels = DrawLabels(*encoded, victim, static_cast<size_t>(known), seed);
        const bool negative = entry.knowledge == Knowledge::kAbsence;
        const bool everything = entry.knowledge == Knowledge::kEverything;
        for (RecordId record = 0; record < seen.forest.record_count(); ++record) {
          if (everything ? naive.IsCandidate(record, victim)
                         : naive.IsCandidate(record, labels, negative, *encoded)) {
            candidates[victim].push_back(record);
          }
        }
        certainty =
            std::max(certainty, everything ? naive.Certainty(candidates[victim], victim)
                                           : naive.Certainty(candidates[victim], labels, *encoded));
      }
      ExpectSame(is_original ? entry.original : entry.published, candidates, certainty, seen);
    }
  }
}

RC_GTEST_PROP(KnownLabelsPropertyTest, DrawsWhatTheVictimHasAndWhatItHasNot, (uint64_t seed)) {
  const auto schema = MaskedSchema("r(q|s){c(q|s){d(q)}}");
  Random random = Random::Seeded(seed);
  std::string original;
  for (size_t i = 0; i < 4; ++i) original += RandomTree(random, false);
  Result<EncodedDataset> encoded = Encode(ParseForest(schema, original), {});
  RC_ASSERT(encoded.ok());
  const Forest& forest = encoded->forest();
  std::multiset<KnownLabel> has;
  for (Vertex v = forest.root(1); v < forest.root(2); ++v) {
    has.insert({forest.class_of(v), 0, encoded->value(v, 0)});
  }
  const VictimLabels labels = DrawLabels(*encoded, 1, 2, seed);
  RC_ASSERT(labels.present.size() == std::min<size_t>(2, has.size()));
  for (const KnownLabel& label : labels.absent) RC_ASSERT(!has.contains(label));
  for (const KnownLabel& label : labels.present) {
    const auto found = has.find(label);
    RC_ASSERT(found != has.end());
    has.erase(found);
  }
}

}  // namespace
}  // namespace thicket::attack_test
