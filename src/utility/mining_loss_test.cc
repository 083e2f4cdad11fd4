#include "utility/mining_loss.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/phase.h"
#include "base/random.h"
#include "utility/frequent_subtrees.h"
#include "utility/patients_test.h"
#include "utility/subtree_fates.h"

namespace thicket::mining_loss_test {
namespace {

MiningLossReport Measure(const std::vector<ToyVertex>& original,
                         const std::vector<ToyVertex>& published, double support = 0.01) {
  Progress progress;
  Parallel parallel(2);
  MiningLossOptions options;
  options.support = support;
  const auto report = MeasureMiningLoss(EncodedPatients(original), Patients(published), options,
                                        parallel, progress);
  EXPECT_TRUE(report.ok()) << report.error().message;
  return report.ok() ? *report : MiningLossReport{};
}

// The label trees of one published record, and names for their labels.
class OneRecord {
 public:
  OneRecord(const ToyVertex& original, const ToyVertex& published)
      : original_(EncodedPatients({original})),
        published_(Patients({published})),
        space_(original_),
        trees_(*PathTrees::OfPublished(space_, original_, published_)) {}

  Subtree Path(const std::string& disease, const std::string& treatment) const {
    return {{Id(kDisease, disease), Id(kTreatment, treatment), LabelSpace::kNone}, true};
  }
  double Distance(const Subtree& subtree) {
    return SubtreeFates(space_, trees_, 1, phase_).Distance(subtree);
  }
  bool IsFrequent(const Subtree& subtree, uint32_t level) {
    const auto found = FrequentSubtrees(space_, trees_, level, 1, phase_);
    return std::find(found.begin(), found.end(), subtree) != found.end();
  }

 private:
  LabelId Id(ClassId id, const std::string& label) const {
    return space_.Id(id, 0, *original_.classes[id].domains[0].taxonomy().Find(label));
  }

  EncodedDataset original_;
  Dataset published_;
  LabelSpace space_;
  PathTrees trees_;
  Phase phase_{"mining"};
};

// r -> a -> b of Example 2: a is Flu below Lung Disease, b is Pain killer below Medicine.
ToyVertex ExampleOriginal() {
  return Patient({Hospital("", {Disease("Flu", {Treatment("Pain killer")})})});
}
// r -> A -> b.
ToyVertex ExampleGeneralized() {
  return Patient({Disease("Lung Disease", {Treatment("Pain killer")})});
}
// A over b disassociated.
ToyVertex ExampleDisassociated() {
  return Patient({Disease("Lung Disease", {}), Treatment("Pain killer")});
}

// Example 2.
TEST(MiningLossTest, AGeneralizedSubtreeIsFoundOnlyAtTheHigherLevel) {
  OneRecord record(ExampleOriginal(), ExampleGeneralized());
  EXPECT_FALSE(record.IsFrequent(record.Path("Flu", "Pain killer"), 2));
  EXPECT_TRUE(record.IsFrequent(record.Path("Lung Disease", "Medicine"), 1));
}

// Example 2.
TEST(MiningLossTest, ADisassociatedSubtreeIsFoundAtNoLevel) {
  OneRecord record(ExampleOriginal(), ExampleDisassociated());
  EXPECT_FALSE(record.IsFrequent(record.Path("Flu", "Pain killer"), 2));
  EXPECT_FALSE(record.IsFrequent(record.Path("Lung Disease", "Medicine"), 1));
}

// Example 3.
TEST(MiningLossTest, TheDistanceOfTheExampleIsAQuarterAndThreeQuarters) {
  OneRecord generalized(ExampleOriginal(), ExampleGeneralized());
  EXPECT_DOUBLE_EQ(generalized.Distance(generalized.Path("Flu", "Pain killer")), 0.25);
  EXPECT_DOUBLE_EQ(generalized.Distance(generalized.Path("Lung Disease", "Medicine")), 0);
  OneRecord disassociated(ExampleOriginal(), ExampleDisassociated());
  EXPECT_DOUBLE_EQ(disassociated.Distance(disassociated.Path("Flu", "Pain killer")), 0.75);
  EXPECT_DOUBLE_EQ(disassociated.Distance(disassociated.Path("Lung Disease", "Medicine")), 0.5);
}

// Three subtrees at each of three levels: r -> a, r -> b, r -> a -> b.
TEST(MiningLossTest, OfTheExampleCountsTheSubtreesOfAllLevels) {
  const MiningLossReport generalized = Measure({ExampleOriginal()}, {ExampleGeneralized()});
  EXPECT_EQ(generalized.frequent(), 9U);
  EXPECT_EQ(generalized.kept(), 7U);
  EXPECT_DOUBLE_EQ(generalized.ml2(), 2.0 / 9);
  // a: 0.5; a -> b: 0.25.
  EXPECT_DOUBLE_EQ(generalized.dml2(), 0.75 / 9);
  const MiningLossReport disassociated = Measure({ExampleOriginal()}, {ExampleDisassociated()});
  EXPECT_DOUBLE_EQ(disassociated.ml2(), 4.0 / 9);
  // a: 0.5; a -> b: 0.75; A -> B and the roots: 0.5 each.
  EXPECT_DOUBLE_EQ(disassociated.dml2(), 2.25 / 9);
}

// A set {a1, a2, x} with an item x of another class: at the leaves three labels and three pairs, at the roots two and one.
TEST(MiningLossTest, LabelsThatAreNeverOnOnePathArePairs) {
  const auto schema = ToySchema({ToyClass("basket", 0, {}, {}), ToyClass("item", 0, {"item"}, {}),
                                 ToyClass("gift", 0, {"gift"}, {})});
  TaxonomyFiles files;
  files.emplace("item", ToyTaxonomy({{"*", "a1"}, {"*", "a2"}}));
  files.emplace("gift", ToyTaxonomy({{"*", "x"}, {"*", "y"}}));
  const auto data = [&](const std::vector<std::string>& items) {
    ToyVertex basket = {0, {}, {}, {{2, {"x"}, {}, {}}}};
    for (const std::string& item : items) basket.children.push_back({1, {item}, {}, {}});
    ToyData toy(schema);
    toy.Add(basket);
    return toy.Build();
  };
  Parallel parallel(1);
  Progress progress;
  const auto report =
      MeasureMiningLoss(*Encode(data({"a1", "a2"}), files), data({"*"}), {}, parallel, progress);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->levels[0].frequent, 3U);
  EXPECT_EQ(report->levels[0].kept, 3U);
  EXPECT_EQ(report->levels[1].frequent, 6U);
  EXPECT_EQ(report->levels[1].kept, 1U);
  // a1, a2: 0.5 each; {a1, a2}: 0.5; {a1, x}, {a2, x}: 0.25 each.
  EXPECT_DOUBLE_EQ(report->dml2(), 2.0 / 9);
}

TEST(MiningLossTest, OfTheSameDataIsNothing) {
  const MiningLossReport report = Measure({PatientA()}, {PatientA()});
  EXPECT_EQ(report.levels.size(), 3U);
  EXPECT_GT(report.frequent(), 0U);
  EXPECT_DOUBLE_EQ(report.ml2(), 0);
  EXPECT_DOUBLE_EQ(report.dml2(), 0);
}

TEST(MiningLossTest, WhereNothingIsPublishedEverySubtreeIsLost) {
  const MiningLossReport report = Measure({Patient({Hospital("Hospital1", {})})}, {Patient({})});
  EXPECT_EQ(report.frequent(), 3U);
  EXPECT_DOUBLE_EQ(report.ml2(), 1);
  // Three levels down to where nothing is left, two, one.
  EXPECT_DOUBLE_EQ(report.dml2(), 0.5 * (3 + 2 + 1) / 3);
}

TEST(MiningLossTest, OnePercentOf300RecordsAreThree) {
  const auto data = [](size_t flu) {
    std::vector<ToyVertex> records(300, Patient({}));
    for (size_t i = 0; i < flu; ++i) records[i] = Patient({Disease("Flu", {})});
    return records;
  };
  EXPECT_EQ(Measure(data(2), data(2)).frequent(), 0U);
  EXPECT_DOUBLE_EQ(Measure(data(2), data(2)).ml2(), 0);
  EXPECT_EQ(Measure(data(3), data(3)).frequent(), 3U);
  EXPECT_DOUBLE_EQ(Measure(data(3), data(2)).ml2(), 1);
}

TEST(MiningLossTest, StopsWhenItIsInterrupted) {
  Parallel parallel(1);
  Progress progress;
  progress.Cancel();
  const auto report = MeasureMiningLoss(EncodedPatients({PatientA()}), Patients({PatientA()}), {},
                                        parallel, progress);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, ErrorCode::kInterrupted);
}

// The measure from its definition, on texts: every record is the set of its paths from the root, every path is the texts of
// the labels on it.
class NaiveMining {
 public:
  using Texts = std::vector<std::string>;
  using Paths = std::set<Texts>;

  NaiveMining(const std::vector<ToyVertex>& original, const std::vector<ToyVertex>& published,
              size_t least)
      : least_(least) {
    for (const auto& [file, taxonomy] : PatientTaxonomies()) {
      for (Node node = 0; node < taxonomy.node_count(); ++node) {
        const std::string name = file + ":" + taxonomy.label(node);
        chain_[name] = {name};
        if (node == 0) continue;
        const Texts& above = chain_[file + ":" + taxonomy.label(taxonomy.parent(node))];
        chain_[name].insert(chain_[name].end(), above.begin(), above.end());
      }
    }
    for (const ToyVertex& record : original) before_.push_back(PathsOf(record));
    for (const ToyVertex& record : published) after_.push_back(PathsOf(record));
  }

  MiningLossReport Run() const {
    MiningLossReport report;
    for (size_t level = 0; level < 3; ++level) {
      MiningLossLevel of_level;
      const std::set<Texts> still = Frequent(after_, level);
      for (const Texts& subtree : Frequent(before_, level)) {
        ++of_level.frequent;
        of_level.kept += still.count(subtree);
        of_level.distance += Distance(subtree);
      }
      report.levels.push_back(of_level);
    }
    return report;
  }

 private:
  static void Walk(const ToyVertex& vertex, Texts path, Paths& paths) {
    static const std::vector<std::string> names = {"", "center", "disease", "treatment"};
    for (const std::string& label : vertex.quasi) {
      if (label.empty()) continue;
      path.push_back(names[vertex.vertex_class] + ":" + label);
      paths.insert(path);
    }
    for (const ToyVertex& child : vertex.children) Walk(child, path, paths);
  }
  static Paths PathsOf(const ToyVertex& record) {
    Paths paths;
    Walk(record, {}, paths);
    return paths;
  }

  // All taxonomies have three levels.
  size_t Level(const std::string& label) const { return chain_.at(label).size() - 1; }
  bool AtOrBelow(const std::string& label, const std::string& above) const {
    const Texts& chain = chain_.at(label);
    return std::find(chain.begin(), chain.end(), above) != chain.end();
  }

  // The subtrees of a record, "path" or "set" and the labels.
  std::set<Texts> Subtrees(const Paths& paths, size_t level) const {
    std::set<Texts> subtrees;
    std::set<std::string> all;
    for (const Texts& path : paths) {
      Texts projected;
      for (const std::string& label : path) {
        if (Level(label) >= level) projected.push_back(chain_.at(label)[Level(label) - level]);
      }
      all.insert(projected.begin(), projected.end());
      for (size_t i = 0; i < projected.size(); ++i) {
        subtrees.insert({"path", projected[i]});
        for (size_t j = i + 1; j < projected.size(); ++j) {
          subtrees.insert({"path", projected[i], projected[j]});
          for (size_t k = j + 1; k < projected.size(); ++k) {
            subtrees.insert({"path", projected[i], projected[j], projected[k]});
          }
        }
      }
    }
    for (const std::string& a : all) {
      for (const std::string& b : all) {
        // Labels of one attribute; all others may be above each other.
        const bool one = a.substr(0, a.find(':')) == b.substr(0, b.find(':'));
        if (one && a < b) subtrees.insert({"set", a, b});
      }
    }
    return subtrees;
  }

  std::set<Texts> Frequent(const std::vector<Paths>& data, size_t level) const {
    std::map<Texts, size_t> support;
    for (const Paths& paths : data) {
      for (const Texts& subtree : Subtrees(paths, level)) ++support[subtree];
    }
    std::set<Texts> frequent;
    for (const auto& [subtree, count] : support) {
      if (count >= least_) frequent.insert(subtree);
    }
    return frequent;
  }

  // How many published records have labels at or below these on a path, in this order.
  size_t Support(const Texts& labels) const {
    size_t support = 0;
    for (const Paths& paths : after_) {
      support += std::any_of(paths.begin(), paths.end(), [&](const Texts& path) {
        size_t matched = 0;
        for (const std::string& label : path) {
          if (matched < labels.size() && AtOrBelow(label, labels[matched])) ++matched;
        }
        return matched == labels.size();
      });
    }
    return support;
  }

  double Distance(const Texts& subtree) const {
    const Texts labels(subtree.begin() + 1, subtree.end());
    Texts fates;
    double levels = 0;
    for (const std::string& label : labels) {
      const Texts& chain = chain_.at(label);
      size_t up = 0;
      while (up < chain.size() && Support({chain[up]}) < least_) ++up;
      levels += static_cast<double>(up);
      fates.push_back(up < chain.size() ? chain[up] : "");
    }
    const double distance = 0.5 * levels / static_cast<double>(labels.size());
    double relations = 0;
    double broken = 0;
    for (size_t i = 0; i < labels.size(); ++i) {
      for (size_t j = i + 1; j < labels.size(); ++j) {
        ++relations;
        const bool gone = fates[i].empty() || fates[j].empty();
        broken += gone || Support({fates[i], fates[j]}) < least_ ? 1 : 0;
      }
    }
    return subtree[0] == "set" || relations == 0 ? distance : distance + 0.5 * broken / relations;
  }

  size_t least_;
  // By label: itself and all above it.
  std::map<std::string, Texts> chain_;
  std::vector<Paths> before_;
  std::vector<Paths> after_;
};

// Original and published records that have little to do with each other: any label, any place that the classes allow.
class RandomPatients {
 public:
  explicit RandomPatients(uint64_t seed) : random_(Random::Seeded(seed)) {}

  std::vector<ToyVertex> Records(size_t count, bool published) {
    std::vector<ToyVertex> records;
    for (size_t i = 0; i < count; ++i) records.push_back(Vertex(kPatient, published));
    return records;
  }

 private:
  ToyVertex Vertex(ClassId id, bool published) {
    ToyVertex vertex = {id, {}, {}, {}};
    if (id != kPatient) vertex.quasi.push_back(Text(id, published));
    for (ClassId child = id + 1; child <= kTreatment; ++child) {
      const bool usual = child == id + 1;
      if (!usual && !published) continue;
      for (uint64_t i = random_.Below(usual ? 3 : 2); i > 0; --i) {
        vertex.children.push_back(Vertex(child, published));
      }
    }
    return vertex;
  }

  std::string Text(ClassId id, bool published) {
    static const TaxonomyFiles files = PatientTaxonomies();
    static const std::vector<std::string> names = {"", "center", "disease", "treatment"};
    const Taxonomy& taxonomy = files.at(names[id]);
    if (random_.Below(10) == 0) return "";
    const uint64_t first = published && random_.Below(2) == 0 ? 0 : taxonomy.first_leaf();
    return taxonomy.label(static_cast<Node>(first + random_.Below(taxonomy.node_count() - first)));
  }

  Random random_;
};

RC_GTEST_PROP(MiningLossPropertyTest, EqualsTheDefinition, ()) {
  RandomPatients patients(*rc::gen::arbitrary<uint64_t>());
  const auto records = *rc::gen::inRange<size_t>(1, 9);
  const auto original = patients.Records(records, false);
  const auto published = patients.Records(records, true);
  const auto least = *rc::gen::inRange<size_t>(1, 4);
  const MiningLossReport expected = NaiveMining(original, published, least).Run();
  const MiningLossReport report =
      Measure(original, published, static_cast<double>(least) / static_cast<double>(records));
  // Where no record has a label of an attribute its taxonomy is there all the same.
  RC_ASSERT(report.levels.size() == expected.levels.size());
  for (size_t level = 0; level < report.levels.size(); ++level) {
    RC_ASSERT(report.levels[level].frequent == expected.levels[level].frequent);
    RC_ASSERT(report.levels[level].kept == expected.levels[level].kept);
    RC_ASSERT(std::abs(report.levels[level].distance - expected.levels[level].distance) < 1e-9);
  }
}

}  // namespace
}  // namespace thicket::mining_loss_test
