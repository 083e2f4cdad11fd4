// Attacks with relations, and attacks on data of k^(m,n)-anonymity, against candidates found from the definitions.

#include "attack/merged_adversary.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/random.h"
#include "testing/forest_text.h"

namespace thicket::merged_adversary_test {
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

AttackReport Play(const std::shared_ptr<Schema>& schema, std::string_view original,
                  std::string_view published, const AttackOptions& options) {
  Progress progress;
  Result<EncodedDataset> encoded = Encode(ParseForest(schema, original), {});
  EXPECT_TRUE(encoded.ok());
  Result<AttackReport> report = Attack(*encoded, ParseForest(schema, published), options, progress);
  EXPECT_TRUE(report.ok()) << report.error().message;
  return std::move(*report);
}

// Fig. 1 of Gkountouna et al. 2013: gastritis at hospital 1 tells two patients apart, until it is moved beside it.
TEST(MergedAdversaryTest, FindsAPatientByARelationUntilItIsTakenApart) {
  const auto schema = MaskedSchema("p(){h(name){d(name)}}");
  const std::string_view original = "p{h(h1){d(ga)} h(h2)} p{h(h1) h(h2){d(ga)}}";
  const std::string_view taken_apart = "p{h(h1) h(h2) d(ga)} p{h(h1) h(h2) d(ga)}";
  const AttackReport labels = Play(schema, original, taken_apart, {.labels = 3, .merged = true});
  ASSERT_EQ(labels.entries.size(), 1U);
  EXPECT_EQ(labels.entries[0].original.worst_probability, 0.5);
  const AttackReport related =
      Play(schema, original, taken_apart, {.labels = 3, .relations = 1, .merged = true});
  EXPECT_EQ(related.entries[0].original.found_share, 1);
  // The relation is shown by nobody: the adversary is misled.
  EXPECT_EQ(related.entries[0].published.worst_probability, 0);
  EXPECT_EQ(related.entries[0].published.misled, 2U);
}

TEST(MergedAdversaryTest, LetsOneVertexStandForSeveralLabels) {
  const auto schema = MaskedSchema("p(){h(name)}");
  const std::string_view original = "p{h(ax) h(ay)} p{h(ax) h(ay)}";
  const AttackReport merged =
      Play(schema, original, "p{h('a*')} p{h('a*')}", {.labels = 2, .merged = true});
  EXPECT_EQ(merged.entries[0].published.misled, 0U);
  EXPECT_EQ(merged.entries[0].published.worst_probability, 0.5);
}

TEST(MergedAdversaryTest, PlaysNoAdversaryWhoKnowsEverything) {
  const auto schema = MaskedSchema("p(q){h(name)}");
  const AttackReport report =
      Play(schema, "p(ax){h(bx)} p(ay)", "p{h(bx)} p('a*')", {.merged = true, .negative = true});
  ASSERT_EQ(report.entries.size(), 2U);
  EXPECT_EQ(report.entries[0].knowledge, Knowledge::kLabels);
  EXPECT_EQ(report.entries[1].knowledge, Knowledge::kAbsence);
}

TEST(MergedAdversaryTest, RejectsANegativeNumberOfRelations) {
  const auto schema = MaskedSchema("p(q)");
  Result<EncodedDataset> encoded = Encode(ParseForest(schema, "p(ax)"), {});
  ASSERT_TRUE(encoded.ok());
  Progress progress;
  const Result<AttackReport> report =
      Attack(*encoded, ParseForest(schema, "p(ax)"), {.relations = -1}, progress);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, ErrorCode::kUsage);
}

TEST(MergedAdversaryTest, LearnsAValueThatAllCandidatesHaveWhereverItStands) {
  const auto schema = MaskedSchema("p(|s){h(name|g) c(name)}");
  const auto certainty = [&](std::string_view published) {
    return Play(schema, "p(|S){h(ax|V) c(by)} p(|T){h(ay|W) h(bz) c(by)}", published,
                {.labels = 1, .merged = true})
        .entries[0]
        .published.worst_certainty;
  };
  EXPECT_EQ(certainty("p(|S){h('a*'|V) c(by)} p(|T){h('a*'|W) c(by)}"), 0.5);
  EXPECT_EQ(certainty("p(|S){h('a*'|V) c(by)} p(|T){h('a*'|V) c(by)}"), 1);
  // Beside the label, and below another one.
  EXPECT_EQ(certainty("p(|S){h('a*') h(|V) c(by)} p(|T){h('a*') h(|V) c(by)}"), 1);
  EXPECT_EQ(certainty("p(|S){h('a*'|V) h(|W)} p(|T){h('a*'|W) h(bz|U)}"), 1);
}

// Four records of F have V at a, four of G have other values there: whoever knows F knows V.
TEST(MergedAdversaryTest, LearnsWhatGoesWithALabelOfTheRoot) {
  const auto schema = MaskedSchema("p(q){d(name|g)}");
  const std::string_view records =
      "p(fx){d(ax|V)} p(fx){d(ax|V)} p(fx){d(ax|V)} p(fx){d(ax|V)}"
      "p(gx){d(ax|W)} p(gx){d(ax|X)} p(gx){d(ax|Y)} p(gx){d(ax|Z)}";
  const AttackReport report = Play(schema, records, records, {.labels = 1, .merged = true});
  EXPECT_EQ(report.entries[0].published.worst_certainty, 1);
}

// A record as a list of paths of labels, with the sensitive values that it has.
struct NaivePaths {
  using Shown = std::pair<std::string, std::string>;  // attribute, text
  std::vector<std::vector<Shown>> paths;
  std::set<std::string> held;
};

void ReadPaths(const Dataset& data, Vertex v, std::vector<NaivePaths::Shown> path,
               NaivePaths& paths) {
  const ClassId id = data.forest.class_of(v);
  const VertexClass& of = data.schema->classes[id];
  std::vector<NaivePaths::Shown> own;
  for (size_t slot = 0; slot < of.quasi.size(); ++slot) {
    const Symbol symbol = data.forest.value(v, slot);
    if (symbol == kMissing) continue;
    own.emplace_back(of.name + std::to_string(slot),
                     std::string(data.dictionaries[id][slot].text(symbol)));
  }
  path.insert(path.end(), own.begin(), own.end());
  paths.paths.push_back(path);
  for (size_t i = 0; i < of.sensitive.size(); ++i) {
    const Symbol symbol = data.forest.value(v, of.sensitive_slot(i));
    if (symbol == kMissing) continue;
    paths.held.insert(of.name + "=" +
                      std::string(data.dictionaries[id][of.sensitive_slot(i)].text(symbol)));
  }
  for (const Vertex child : data.forest.Children(v)) ReadPaths(data, child, path, paths);
}

class NaiveMerged {
 public:
  NaiveMerged(const EncodedDataset& original, const Dataset& seen)
      : original_(original), seen_(seen) {
    for (RecordId r = 0; r < seen.forest.record_count(); ++r) {
      records_.emplace_back();
      ReadPaths(seen, seen.forest.root(r), {}, records_.back());
    }
  }

  bool IsCandidate(RecordId record, const VictimLabels& labels,
                   const VictimRelations& relations) const {
    for (const KnownLabel& label : labels.present) {
      if (!Shows(record, label, true)) return false;
    }
    for (const KnownLabel& label : labels.absent) {
      if (Shows(record, label, false)) return false;
    }
    for (const KnownRelation& relation : relations.present) {
      if (!HasRelation(record, relation, true)) return false;
    }
    for (const KnownRelation& relation : relations.absent) {
      if (HasRelation(record, relation, false)) return false;
    }
    return true;
  }

  double Certainty(const std::vector<RecordId>& candidates) const {
    double worst = 0;
    std::map<std::string, size_t> counts;
    for (const RecordId record : candidates) {
      for (const std::string& value : records_[record].held) ++counts[value];
    }
    for (const auto& [value, count] : counts) {
      worst = std::max(worst, static_cast<double>(count) / static_cast<double>(candidates.size()));
    }
    return worst;
  }

 private:
  bool Matches(const NaivePaths::Shown& shown, const KnownLabel& known, bool general) const {
    const Symbol symbol = original_.classes[known.id].symbol_of_value[known.slot][known.value];
    const std::string value(original_.data.dictionaries[known.id][known.slot].text(symbol));
    if (shown.first != seen_.schema->classes[known.id].name + std::to_string(known.slot)) {
      return false;
    }
    const std::string& label = shown.second;
    if (label == value) return true;
    return general && (label == "*" || (label[1] == '*' && label[0] == value[0]));
  }
  bool Shows(RecordId record, const KnownLabel& label, bool general) const {
    for (const auto& path : records_[record].paths) {
      for (const NaivePaths::Shown& shown : path) {
        if (Matches(shown, label, general)) return true;
      }
    }
    return false;
  }
  bool HasRelation(RecordId record, const KnownRelation& relation, bool general) const {
    for (const auto& path : records_[record].paths) {
      for (size_t j = 1; j < path.size(); ++j) {
        for (size_t i = 0; i < j; ++i) {
          if (Matches(path[i], relation.above, general) &&
              Matches(path[j], relation.below, general)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  const EncodedDataset& original_;
  const Dataset& seen_;
  std::vector<NaivePaths> records_;
};

std::string RandomTree(Random& random, bool published) {
  const auto label = [&] {
    if (random.Below(published ? 3 : 6) == 0) return std::string();
    if (published && random.Below(5) == 0) return std::string("'*'");
    const std::string first(1, "ab"[random.Below(2)]);
    if (published && random.Below(3) == 0) return "'" + first + "*'";
    return first + "xy"[random.Below(2)];
  };
  const auto secret = [&] {
    return random.Below(4) == 0 ? std::string() : std::string(1, "VW"[random.Below(2)]);
  };
  std::string text = "r(" + label() + "|" + secret() + "){";
  for (size_t i = random.Below(3); i-- > 0;) {
    text += "c(" + label() + "," + label() + "|" + secret() + "){";
    if (random.Below(2) == 0) text += "d(" + label() + "|" + secret() + ")";
    text += "}";
  }
  if (published && random.Below(2) == 0) text += "d(" + label() + "|" + secret() + ")";
  return text + "}";
}

void ExpectSame(const AttackResult& found, const std::vector<std::vector<RecordId>>& candidates,
                double certainty) {
  double sum = 0;
  size_t misled = 0;
  for (const auto& list : candidates) {
    if (list.empty()) ++misled;
    if (!list.empty()) sum += 1.0 / static_cast<double>(list.size());
  }
  const auto victims = static_cast<double>(candidates.size());
  RC_ASSERT(found.victims == candidates.size());
  RC_ASSERT(std::abs(found.mean_probability - sum / victims) < 1e-12);
  RC_ASSERT(found.misled == misled);
  RC_ASSERT(found.worst_certainty == certainty);
}

RC_GTEST_PROP(MergedAdversaryPropertyTest, AgreesWithTheDefinitionRecordByRecord, (uint64_t seed)) {
  const auto schema = MaskedSchema("r(q|s){c(q,p|s){d(q|s)}}");
  Random random = Random::Seeded(seed);
  // Every value that can be published occurs.
  std::string before =
      "r(ax){c(ax,ax){d(ax)} c(ay,ay){d(ay)} c(bx,bx){d(bx)} c(by,by){d(by)}}r(ay)r(bx)r(by)";
  std::string after;
  for (size_t i = 2 + random.Below(4); i-- > 0;) before += RandomTree(random, false);
  for (size_t i = 1 + random.Below(6); i-- > 0;) after += RandomTree(random, true);
  const Dataset data = ParseForest(schema, before);
  const Dataset release = ParseForest(schema, after);
  Result<EncodedDataset> encoded = Encode(data, {});
  RC_ASSERT(encoded.ok());
  Progress progress;
  const int known_labels = 1 + static_cast<int>(random.Below(3));
  const int known_relations = static_cast<int>(random.Below(3));
  Result<AttackReport> report = Attack(*encoded, release,
                                       {.labels = known_labels,
                                        .relations = known_relations,
                                        .merged = true,
                                        .negative = true,
                                        .seed = seed},
                                       progress);
  RC_ASSERT(report.ok());
  RC_ASSERT(report->entries.size() == 2U);
  for (const AttackReport::Entry& entry : report->entries) {
    const bool negative = entry.knowledge == Knowledge::kAbsence;
    for (const bool is_original : {true, false}) {
      const Dataset& seen = is_original ? data : release;
      const NaiveMerged naive(*encoded, seen);
      std::vector<std::vector<RecordId>> candidates(data.forest.record_count());
      double certainty = 0;
      const auto learn = [&](const VictimLabels& labels, const VictimRelations& relations) {
        std::vector<RecordId> fitting;
        for (RecordId record = 0; record < seen.forest.record_count(); ++record) {
          if (naive.IsCandidate(record, labels, relations)) fitting.push_back(record);
        }
        if (!fitting.empty()) certainty = std::max(certainty, naive.Certainty(fitting));
        return fitting;
      };
      learn({}, {});
      for (RecordId victim = 0; victim < data.forest.record_count(); ++victim) {
        const VictimLabels labels = DrawDistinct(*encoded, victim, known_labels, negative, seed);
        const VictimRelations relations =
            DrawRelations(*encoded, victim, labels.present, known_relations, negative, true, seed);
        RC_ASSERT(labels.present.size() + labels.absent.size() <=
                  static_cast<size_t>(known_labels));
        RC_ASSERT(relations.present.size() + relations.absent.size() <=
                  static_cast<size_t>(known_relations));
        candidates[victim] = learn(labels, relations);
        for (const KnownLabel& label : DistinctLabels(*encoded, victim)) learn({{label}, {}}, {});
        // What the adversary knows is true, so that in the original the victim is a candidate.
        if (is_original) {
          RC_ASSERT(std::count(candidates[victim].begin(), candidates[victim].end(), victim) == 1);
        }
      }
      ExpectSame(is_original ? entry.original : entry.published, candidates, certainty);
    }
  }
}

// Without merging, vertices must be as many as labels (attack_test.cc); relations are one test more.
RC_GTEST_PROP(MergedAdversaryPropertyTest, RelationsOnlyEverNarrowAnAttackOnOtherData,
              (uint64_t seed)) {
  const auto schema = MaskedSchema("r(q|s){c(q,p|s){d(q|s)}}");
  Random random = Random::Seeded(seed);
  std::string text;
  for (size_t i = 0; i < 6; ++i) text += RandomTree(random, false);
  const Dataset data = ParseForest(schema, text);
  Result<EncodedDataset> encoded = Encode(data, {});
  RC_ASSERT(encoded.ok());
  Progress progress;
  AttackOptions options = {.labels = 3, .seed = seed};
  Result<AttackReport> without = Attack(*encoded, data, options, progress);
  options.relations = 2;
  Result<AttackReport> with = Attack(*encoded, data, options, progress);
  RC_ASSERT(without.ok() && with.ok());
  // Original and published are the same here.
  RC_ASSERT(with->entries[1].original.mean_probability ==
            with->entries[1].published.mean_probability);
  RC_ASSERT(with->entries[1].published.misled == 0U);
  RC_ASSERT(with->entries[1].published.mean_probability >=
            without->entries[1].published.mean_probability);
}

}  // namespace
}  // namespace thicket::merged_adversary_test
