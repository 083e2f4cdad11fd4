#include "engine/explore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/assess.h"

namespace thicket::explore_test {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// A model: its policy up to `privacy`, how its privacy is written with a k and an l, and its data.
struct Model {
  std::string policy;
  std::string privacy;
  std::string method;
  std::string data;
};

constexpr char kTrees[] = R"(
version: 1
input: {format: jsonl}
record:
  class: patient
  id: number
  quasi: {age: {ranges: [10, 20, 40]}, zip: {mask: 3}}
  sensitive: {illness: {levels: {1: [qxgout, qxflu], 3: [qxgrip, qxacne], 5: [qxhiv, qxcold]}}}
  children:
    - class: visit
      at: visits
      quasi: {ward: {taxonomy: ward.csv}}
)";
constexpr char kTable[] = R"(
version: 1
input: {format: csv}
record:
  class: patient
  quasi: {age: {ranges: [10, 20, 40]}, zip: {mask: 3}}
  sensitive: {illness: {}}
)";
constexpr char kSets[] = R"(
version: 1
input: {format: transactions}
record:
  class: basket
  children:
    - class: item
      at: items
      quasi: {item: {taxonomy: item.csv}}
)";

constexpr std::array kIllnesses = {"qxgout", "qxflu", "qxgrip", "qxacne", "qxhiv", "qxcold"};

std::string Trees(int count) {
  std::string text;
  Random random = Random::Seeded(5);
  for (int i = 0; i < count; ++i) {
    text += R"({"number": "qxid)" + std::to_string(i) + R"(", "age": )" +
            std::to_string(20 + random.Below(60)) + R"(, "zip": "qz)" +
            std::to_string(100 + random.Below(30)) + R"(", "illness": ")" +
            kIllnesses[random.Below(6)] + R"(", "visits": [)";
    const uint64_t visits = random.Below(3);
    for (uint64_t j = 0; j < visits; ++j) {
      text += std::string(j > 0 ? ", " : "") + R"({"ward": "qw)" + std::to_string(random.Below(4)) +
              "\"}";
    }
    text += "]}\n";
  }
  return text;
}

std::string Table(int count) {
  std::string text = "age,zip,illness\n";
  Random random = Random::Seeded(6);
  for (int i = 0; i < count; ++i) {
    text += std::to_string(20 + random.Below(60)) + ",qz" + std::to_string(100 + random.Below(30)) +
            "," + kIllnesses[random.Below(6)] + "\n";
  }
  return text;
}

std::string Sets(int count) {
  std::string text;
  Random random = Random::Seeded(7);
  for (int i = 0; i < count; ++i) {
    text += "qi" + std::to_string(random.Below(6));
    for (uint64_t item = 0; item < 6; ++item) {
      if (random.Below(3) == 0) text += " qi" + std::to_string(item);
    }
    text += "\n";
  }
  return text;
}

PolicyParts Parts() {
  PolicyParts parts;
  parts.taxonomies.emplace("ward.csv", "qw0;qwlow;*\nqw1;qwlow;*\nqw2;qwhigh;*\nqw3;qwhigh;*\n");
  parts.taxonomies.emplace("item.csv",
                           "qi0;qia;*\nqi1;qia;*\nqi2;qib;*\nqi3;qib;*\nqi4;qic;*\nqi5;qic;*\n");
  return parts;
}

// @k and @l stand for the numbers.
std::string PolicyAt(const Model& model, std::optional<int> k, std::optional<int> l) {
  std::string privacy = model.privacy;
  const auto put = [&](const std::string& mark, std::optional<int> number) {
    const size_t at = privacy.find(mark);
    if (at != std::string::npos)
      privacy.replace(at, mark.size(), std::to_string(number.value_or(0)));
  };
  put("@k", k);
  put("@l", l);
  return model.policy + "privacy: " + privacy + "\n" + model.method;
}

LoadedPolicy Load(const std::string& text) {
  PolicyParts parts = Parts();
  if (text.find("ward.csv") == std::string::npos) parts.taxonomies.erase("ward.csv");
  if (text.find("item.csv") == std::string::npos) parts.taxonomies.erase("item.csv");
  Result<LoadedPolicy> policy = LoadPolicyText(text, parts);
  EXPECT_TRUE(policy.ok()) << policy.error().message;
  return *policy;
}

RecordSet Records(const LoadedPolicy& policy, const std::string& text) {
  Progress progress;
  Result<RecordSet> records = ParseRecords(policy, text, RecordsAs::kOriginal, progress);
  EXPECT_TRUE(records.ok()) << records.error().message;
  return *records;
}

Frontier Explored(const LoadedPolicy& policy, const std::string& text,
                  const ExploreOptions& options) {
  Progress progress;
  Result<Frontier> frontier = ExploreRecords(policy, Records(policy, text), options, progress);
  EXPECT_TRUE(frontier.ok()) << frontier.error().message;
  return frontier.ok() ? *frontier : Frontier();
}

// What a run, an evaluation and an attack say, each by itself, of a policy that has this k and l.
void ExpectAsAlone(const Model& model, const FrontierPoint& point, uint64_t seed) {
  const LoadedPolicy policy = Load(PolicyAt(model, point.k, point.l));
  const RecordSet original = Records(policy, model.data);
  Progress progress;
  const Result<AnonymizedRecords> run =
      AnonymizeRecords(policy, original, {.seed = seed, .link = true}, progress);
  ASSERT_EQ(run.ok(), point.kept) << point.Name() << point.failure;
  if (!run.ok()) return;
  EXPECT_EQ(point.lm, run->report.utility.lm);
  EXPECT_EQ(point.suppressed_records, run->report.output.suppressed_records);
  EXPECT_EQ(point.suppressed_vertices, run->report.output.suppressed_vertices);
  const EvaluateOptions usual = UsualMetrics(policy);
  EXPECT_EQ(point.accuracy.has_value(), usual.queries);
  if (usual.queries) {
    EvaluateOptions options = usual;
    options.seed = seed;
    const auto report = EvaluateRecords(policy, run->records, original, options, progress);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(point.accuracy, report->queries->mean_bounded);
    EXPECT_EQ(point.accuracy_mean, report->queries->mean);
    EXPECT_EQ(point.accuracy_median, report->queries->median);
  }
  const auto attack =
      AttackRecords(policy, run->records, original, {.seed = seed}, progress,
                    policy.InputPath().empty() && run->report.bags ? &run->link : nullptr);
  ASSERT_TRUE(attack.ok());
  const AttackOutcome::Against& published = attack->outcomes.front().published;
  ASSERT_TRUE(point.adversary.has_value());
  EXPECT_EQ(point.adversary->found_share, published.found_share);
  EXPECT_EQ(point.adversary->mean_probability, published.mean_probability);
  EXPECT_EQ(point.adversary->worst_probability, published.worst_probability);
  if (point.adversary->worst_certainty) {
    EXPECT_EQ(*point.adversary->worst_certainty, published.worst_certainty);
  }
}

std::map<std::string, Model> Models() {
  const std::string trees = Trees(40);
  const std::string table = Table(40);
  const std::string sets = Sets(60);
  return {
      {"k and l", {kTrees, "{k: @k, l: @l}", "", trees}},
      {"k", {kTrees, "{k: @k}", "", trees}},
      {"l", {kTrees, "{l: @l}", "", trees}},
      {"levels", {kTrees, "{k: @k, alpha: [0.9, 0.9, 0.9, 0.8, 0.8]}", "", trees}},
      {"combinations", {kTrees, "{k: @k, m: 2, n: 1, l: @l}", "", trees}},
      {"drawn",
       {kTrees, "{k: @k, alpha: [0.9, 0.9, 0.9, 0.8, 0.8]}", "method: {name: mlevclutree}\n",
        trees}},
      {"theta", {kTable, "{k: @k, theta: 0.6}", "", table}},
      {"a table",
       {kTable, "{k: @k, l: @l}", "method: {name: lplus, suppression: violating-records}\n",
        table}},
      {"sets", {kSets, "{k: @k, m: 2, n: 1, model: 'KL(m,n)-privacy'}", "", sets}},
      {"secrets", {kSets, "{k: @k, l: @l, m: 2, n: 0, sensitive_items: [qi5]}", "", sets}},
      {"bags", {kSets, "{k: @k, model: vocabulary k-anonymity}", "method: {name: lgbag}\n", sets}}};
}

TEST(ExploreTest, EveryNumberIsThatOfARunWithThisPromise) {
  for (const auto& [name, model] : Models()) {
    SCOPED_TRACE(name);
    ExploreOptions options;
    options.seed = 4;
    if (model.privacy.find("@k") != std::string::npos) options.k = {5, 2, 50};
    if (model.privacy.find("@l") != std::string::npos) options.l = {2, 3};
    const LoadedPolicy policy = Load(PolicyAt(model, 3, 2));
    const Frontier frontier = Explored(policy, model.data, options);
    ASSERT_THAT(frontier.points, SizeIs(std::max<size_t>(1, options.k.size()) *
                                        std::max<size_t>(1, options.l.size())));
    EXPECT_TRUE(frontier.any_kept());
    for (const FrontierPoint& point : frontier.points) ExpectAsAlone(model, point, options.seed);
  }
}

TEST(ExploreTest, WhatIsNotVariedIsThePolicysAndSettingsComeWeakestFirst) {
  const Model model = Models()["k and l"];
  const LoadedPolicy policy = Load(PolicyAt(model, 4, 2));
  const auto names = [&](std::vector<int> k, std::vector<int> l) {
    std::vector<std::string> found;
    ExploreOptions options;
    options.k = std::move(k);
    options.l = std::move(l);
    for (const FrontierPoint& point : Explored(policy, model.data, options).points) {
      found.push_back(point.Name());
    }
    return found;
  };
  EXPECT_THAT(names({5, 2}, {}), ElementsAre("k = 2, l = 2", "k = 5, l = 2"));
  EXPECT_THAT(names({}, {3}), ElementsAre("k = 4, l = 3"));
  EXPECT_THAT(names({3, 2}, {3, 2}),
              ElementsAre("k = 2, l = 2", "k = 2, l = 3", "k = 3, l = 2", "k = 3, l = 3"));
  // A key that the policy does not have makes another model of it.
  const LoadedPolicy plain = Load(PolicyAt(Models()["k"], 4, {}));
  ExploreOptions options;
  options.l = {2};
  const Frontier frontier = Explored(plain, model.data, options);
  EXPECT_EQ(frontier.model, "l-diversity");
  EXPECT_EQ(frontier.points.front().Name(), "k = 4, l = 2");
}

TEST(ExploreTest, APromiseThatCannotBeKeptIsAPointWithoutNumbers) {
  const Model model = Models()["k and l"];
  ExploreOptions options;
  options.k = {2, 41};
  const Frontier frontier = Explored(Load(PolicyAt(model, 2, 2)), model.data, options);
  ASSERT_THAT(frontier.points, SizeIs(2));
  EXPECT_TRUE(frontier.points[0].kept);
  EXPECT_THAT(frontier.points[0].failure, IsEmpty());
  const FrontierPoint& point = frontier.points[1];
  EXPECT_FALSE(point.kept);
  EXPECT_FALSE(point.unbeaten);
  EXPECT_EQ(point.failure, "k = 41 needs at least 41 records, but there are 40");
  EXPECT_FALSE(point.lm || point.suppressed_records || point.suppressed_vertices || point.classes ||
               point.accuracy || point.accuracy_mean || point.accuracy_median || point.adversary ||
               point.seconds);
  for (const std::string& text : {frontier.ToText(), frontier.ToJson(), frontier.ToCsv(),
                                  frontier.ToMarkdown(), frontier.ToSvg()}) {
    EXPECT_THAT(text, Not(HasSubstr("nan")));
    EXPECT_THAT(text, ::testing::AnyOf(HasSubstr("cannot be kept"), HasSubstr("k = 41 needs")));
  }
}

TEST(ExploreTest, WhereNothingCanBeKeptEveryTextSaysSo) {
  const Model model = Models()["k and l"];
  ExploreOptions options;
  options.k = {41};
  const Frontier frontier = Explored(Load(PolicyAt(model, 2, 2)), model.data, options);
  EXPECT_FALSE(frontier.any_kept());
  EXPECT_FALSE(frontier.original.has_value());
  EXPECT_THAT(frontier.ToText(), HasSubstr("cannot be kept"));
  EXPECT_THAT(frontier.ToMarkdown(), HasSubstr("cannot be kept"));
  EXPECT_THAT(frontier.ToSvg(), HasSubstr("1 of 1 settings cannot be kept"));
}

FrontierPoint Point(int k, int l, double lm) {
  FrontierPoint point;
  point.k = k;
  point.l = l;
  point.kept = true;
  point.lm = lm;
  return point;
}

TEST(ExploreTest, BeatingNeedsAsMuchPromiseNoMoreLossAndAnAdvantage) {
  EXPECT_TRUE(Beats(Point(3, 2, 0.2), Point(2, 2, 0.2)));
  EXPECT_TRUE(Beats(Point(2, 3, 0.2), Point(2, 2, 0.2)));
  EXPECT_TRUE(Beats(Point(2, 2, 0.1), Point(2, 2, 0.2)));
  EXPECT_FALSE(Beats(Point(2, 2, 0.2), Point(2, 2, 0.2)));
  EXPECT_FALSE(Beats(Point(3, 2, 0.3), Point(2, 2, 0.2)));
  EXPECT_FALSE(Beats(Point(5, 2, 0.1), Point(2, 3, 0.2)));
  FrontierPoint not_kept = Point(9, 9, 0);
  not_kept.kept = false;
  EXPECT_FALSE(Beats(not_kept, Point(2, 2, 0.2)));
  FrontierPoint only_k = Point(3, 0, 0.1);
  only_k.l.reset();
  EXPECT_FALSE(Beats(only_k, Point(2, 2, 0.2)));
  EXPECT_TRUE(Beats(Point(3, 2, 0.1), only_k));
}

// From the definition: among all that promise as much or more, nobody loses less; and among those that lose as little,
// nobody promises more.
RC_GTEST_PROP(ExploreTest, APointIsUnbeatenExactlyIfNobodyIsBetterAtItsPromiseOrItsLoss, ()) {
  std::vector<FrontierPoint> points;
  const auto count = *rc::gen::inRange<size_t>(0, 12);
  for (size_t i = 0; i < count; ++i) {
    points.push_back(
        Point(*rc::gen::inRange(2, 5), *rc::gen::inRange(2, 5), *rc::gen::inRange(0, 4) / 4.0));
    if (*rc::gen::inRange(0, 5) == 0) {
      points.back().kept = false;
      points.back().lm.reset();
    }
  }
  MarkUnbeaten(points);
  for (const FrontierPoint& point : points) {
    bool expected = point.kept;
    for (const FrontierPoint& other : points) {
      if (!point.kept || !other.kept) continue;
      const std::array<double, 3> mine = {-*point.lm, 1.0 * *point.k, 1.0 * *point.l};
      const std::array<double, 3> theirs = {-*other.lm, 1.0 * *other.k, 1.0 * *other.l};
      size_t at_least = 0;
      for (size_t i = 0; i < 3; ++i) at_least += theirs[i] >= mine[i] ? 1 : 0;
      if (at_least == 3 && theirs != mine) expected = false;
    }
    RC_ASSERT(point.unbeaten == expected);
  }
}

TEST(ExploreTest, ThreadsMakeNoDifference) {
  for (const auto& [name, model] : Models()) {
    SCOPED_TRACE(name);
    const LoadedPolicy policy = Load(PolicyAt(model, 3, 2));
    ExploreOptions options;
    if (model.privacy.find("@k") != std::string::npos) options.k = {2, 3};
    if (model.privacy.find("@l") != std::string::npos) options.l = {2, 3};
    options.threads = 1;
    const Frontier alone = Explored(policy, model.data, options);
    options.threads = 3;
    const Frontier together = Explored(policy, model.data, options);
    EXPECT_EQ(alone.ToCsv(), together.ToCsv());
    EXPECT_EQ(alone.ToSvg(), together.ToSvg());
    EXPECT_EQ(alone.ToText(), together.ToText());
  }
}

// All values of the data begin with q.
TEST(ExploreTest, NoValueLeaves) {
  for (const auto& [name, model] : Models()) {
    SCOPED_TRACE(name);
    ExploreOptions options;
    if (model.privacy.find("@k") != std::string::npos) options.k = {2, 30, 400};
    if (model.privacy.find("@l") != std::string::npos) options.l = {2, 9};
    const Frontier frontier = Explored(Load(PolicyAt(model, 3, 2)), model.data, options);
    for (const std::string& text : {frontier.ToText(), frontier.ToJson(), frontier.ToCsv(),
                                    frontier.ToMarkdown(), frontier.ToSvg()}) {
      for (const char* value : {"qx", "qz", "qw", "qi0", "qia", "qi5"}) {
        EXPECT_THAT(text, Not(HasSubstr(value)));
      }
    }
  }
}

class Counting : public Progress {
 public:
  void Begin(std::string_view phase, uint64_t total) override {
    ++begun[std::string(phase)];
    last_total = total;
  }
  void Advance(uint64_t steps) override { last_done += steps; }

  std::map<std::string, int> begun;
  uint64_t last_total = 0;
  uint64_t last_done = 0;
};

class ExploreFileTest : public ::testing::Test {
 protected:
  ExploreFileTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "data.jsonl") << model_.data;
  }
  ~ExploreFileTest() override { fs::remove_all(folder_); }

  static std::string Content(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  Result<Frontier> Explore(const ExploreOptions& options, Progress& progress) const {
    return ExploreFile(Load(PolicyAt(model_, 3, 2)), (folder_ / "data.jsonl").string(), options,
                       progress);
  }

  const Model model_ = Models()["k and l"];
  const fs::path folder_ = fs::path(::testing::TempDir()) / "explore_test";
};

TEST_F(ExploreFileTest, ReadsOnceAndShowsHowFarItHasCome) {
  Counting progress;
  ExploreOptions options;
  options.k = {2, 3, 50};
  options.l = {2, 3};
  ASSERT_TRUE(Explore(options, progress).ok());
  EXPECT_EQ(progress.begun["read"], 1);
  EXPECT_EQ(progress.begun["explore"], 1);
  EXPECT_EQ(progress.begun.size(), 2U);
  EXPECT_EQ(progress.last_total, 18U);
}

TEST_F(ExploreFileTest, FilesHoldWhatIsReturnedAndAreTheOwnersOnly) {
  Progress progress;
  progress.set_file_mask(022);
  ExploreOptions options;
  options.k = {2, 3};
  options.directory = (folder_ / "new" / "results").string();
  const Result<Frontier> frontier = Explore(options, progress);
  ASSERT_TRUE(frontier.ok()) << frontier.error().message;
  const fs::path results = options.directory;
  EXPECT_EQ(Content(results / "explore.csv"), frontier->ToCsv());
  EXPECT_EQ(Content(results / "explore.json"), frontier->ToJson());
  EXPECT_EQ(Content(results / "explore.md"), frontier->ToMarkdown());
  EXPECT_EQ(Content(results / "explore.svg"), frontier->ToSvg());
  struct stat status = {};
  ASSERT_EQ(stat((results / "explore.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  // In memory the same.
  ExploreOptions again = options;
  again.directory.clear();
  EXPECT_EQ(Explored(Load(PolicyAt(model_, 3, 2)), model_.data, again).ToCsv(), frontier->ToCsv());
}

TEST_F(ExploreFileTest, WhereNothingCanBeKeptNothingIsWritten) {
  Progress progress;
  ExploreOptions options;
  options.k = {50};
  options.directory = (folder_ / "results").string();
  const Result<Frontier> frontier = Explore(options, progress);
  ASSERT_TRUE(frontier.ok());
  EXPECT_FALSE(frontier->any_kept());
  EXPECT_FALSE(fs::exists(options.directory));
}

TEST_F(ExploreFileTest, AStopLeavesNothingBehind) {
  class Impatient : public Progress {
   public:
    void Advance(uint64_t /*steps*/) override {
      if (++steps_ == 4) Cancel();
    }

   private:
    int steps_ = 0;
  };
  Impatient progress;
  ExploreOptions options;
  options.k = {2, 3, 4};
  options.directory = (folder_ / "results").string();
  const Result<Frontier> frontier = Explore(options, progress);
  ASSERT_FALSE(frontier.ok());
  EXPECT_EQ(frontier.error().code, ErrorCode::kInterrupted);
  EXPECT_FALSE(fs::exists(options.directory));
}

TEST_F(ExploreFileTest, NeverWritesOverItsInput) {
  fs::create_directories(folder_ / "results");
  fs::create_symlink(folder_ / "data.jsonl", folder_ / "results" / "explore.csv");
  Progress progress;
  ExploreOptions options;
  options.k = {2};
  options.directory = (folder_ / "results").string();
  const Result<Frontier> frontier = Explore(options, progress);
  ASSERT_FALSE(frontier.ok());
  EXPECT_EQ(frontier.error().code, ErrorCode::kUsage);
  EXPECT_EQ(Content(folder_ / "data.jsonl"), model_.data);
}

std::string Refused(const Model& model, std::vector<int> k, std::vector<int> l) {
  const LoadedPolicy policy = Load(PolicyAt(model, 3, 2));
  ExploreOptions options;
  options.k = std::move(k);
  options.l = std::move(l);
  Progress progress;
  const Result<Frontier> frontier =
      ExploreRecords(policy, Records(policy, model.data), options, progress);
  EXPECT_FALSE(frontier.ok());
  if (frontier.ok()) return "";
  EXPECT_EQ(frontier.error().code, ErrorCode::kUsage);
  EXPECT_THAT(frontier.error().hint, Not(IsEmpty()));
  return frontier.error().message;
}

TEST(ExploreTest, SettingsThatDoNotFitAreRefusedBeforeAnyWork) {
  std::map<std::string, Model> models = Models();
  EXPECT_THAT(Refused(models["k and l"], {}, {}), HasSubstr("must name k or l"));
  EXPECT_THAT(Refused(models["k and l"], {3, 1}, {}), HasSubstr("k must be at least 2"));
  EXPECT_THAT(Refused(models["k and l"], {3}, {-4}), HasSubstr("l must be at least 2"));
  EXPECT_THAT(Refused(models["k and l"], {3, 5, 3}, {}), HasSubstr("3 is there twice"));
  EXPECT_THAT(Refused(models["secrets"], {0}, {}), HasSubstr("k must be at least 1"));
  EXPECT_EQ(Refused(models["levels"], {}, {2}),
            "policy: with k = 3, l = 2, privacy.alpha must stand without l, but l is there, too");
  EXPECT_EQ(Refused(models["theta"], {2}, {2}),
            "policy: with k = 2, l = 2, privacy.theta must stand without l, but l is there, too");
  EXPECT_THAT(Refused(models["bags"], {2}, {2}), HasSubstr("privacy.l must be absent"));
  EXPECT_THAT(Refused(models["sets"], {2}, {2}), HasSubstr("no sensitive_items"));
  Model plain = models["k"];
  plain.policy.erase(plain.policy.find("  sensitive:"),
                     plain.policy.find("  children:") - plain.policy.find("  sensitive:"));
  EXPECT_EQ(Refused(plain, {2}, {2}),
            "policy: with k = 2, l = 2, privacy.l must have sensitive attributes to protect, but "
            "there are none");
  std::vector<int> many;
  for (int i = 2; i < 50; ++i) many.push_back(i);
  EXPECT_THAT(Refused(models["k and l"], many, many), HasSubstr("at most 1,000 settings"));
}

TEST(ExploreTest, AWarningOfAllSettingsIsSaidOnceAndOfSomeWithTheirName) {
  Model model = Models()["k and l"];
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += R"({"number": ")" + std::to_string(i) + R"(", "age": 30, "zip": "1", "hobby": "h)" +
            R"(", "illness": ")" + (i % 5 < 2 ? kIllnesses[4] : kIllnesses[i % 4]) +
            R"(", "visits": [{"ward": "qw1"}]})" + "\n";
  }
  model.data = text;
  ExploreOptions options;
  options.k = {2};
  options.l = {2, 9};
  const Frontier frontier = Explored(Load(PolicyAt(model, 2, 2)), model.data, options);
  size_t of_hobby = 0;
  size_t of_nine = 0;
  for (const std::string& warning : frontier.warnings) {
    if (warning.find("hobby") != std::string::npos) {
      ++of_hobby;
      EXPECT_THAT(warning, Not(HasSubstr("l = ")));
    }
    if (warning.rfind("k = 2, l = 9: ", 0) == 0) ++of_nine;
  }
  EXPECT_EQ(of_hobby, 1U);
  EXPECT_EQ(of_nine, 1U);
}

}  // namespace
}  // namespace thicket::explore_test
