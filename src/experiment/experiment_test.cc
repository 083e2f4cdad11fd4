#include "experiment/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "experiment/experiment_report.h"
#include "generate/generate.h"

namespace thicket::experiment_test {
namespace {

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

// Two methods, two settings, and a paper that says: b is at most half of a.
struct Small {
  Experiment experiment{"small",
                        "a small one",
                        "students",
                        {{"a", {}, false}, {"b", {}, true}},
                        {{Sweep::Over::kL, {2, 3}, 0}},
                        {Measure::kLm},
                        {{{"b"}, Measure::kLm, "half of a", PaperResult::Range{0.25, 0.5, "a"}}}};
  ExperimentResult result;

  Small() {
    result.experiment = &experiment;
    experiment.records = 1200;
    result.seed = 7;
    for (const double l : {2.0, 3.0}) {
      result.measured.push_back({0, l, 0, {}, l / 10, 0.5, 40, 0.125, 3, 9});
      result.measured.push_back({0, l, 1, 0.3, l / 20, {}, 50, 0.25, 0, 8});
    }
  }
};

TEST(ExperimentReportTest, MarkdownHasMethodsBySettingsAndWhatThePaperSays) {
  EXPECT_EQ(ToMarkdown(Small().result),
            "# small: a small one\n"
            "\n"
            "1,200 generated records of students, seed 7.\n"
            "\n"
            "Loss by l:\n"
            "\n"
            "| LM | l = 2 | l = 3 | the paper |\n"
            "| --- | ---: | ---: | --- |\n"
            "| a | 0.200 | 0.300 |  |\n"
            "| b | 0.100 (th 0.3) | 0.150 (th 0.3) | half of a |\n");
}

TEST(ExperimentReportTest, ASearchThatDidNotEndIsADashAndNoLineAndNoPoint) {
  Small small;
  small.result.measured.erase(small.result.measured.begin());
  EXPECT_THAT(ToMarkdown(small.result), HasSubstr("| a | - | 0.300 |  |\n"));
  EXPECT_THAT(ToCsv(small.result), Not(HasSubstr("students,1200,7,2,2,,,,a,")));
  EXPECT_EQ(ToPlot(small.result).panels[0].series[0].points.size(), 1U);
}

TEST(ExperimentReportTest, NumbersOfRecordsHaveCommasAndSmallPathDomainsTheirDigits) {
  Small small;
  small.experiment.measures = {Measure::kRpd};
  small.experiment.sweeps = {{Sweep::Over::kSize, {12'000, 30'000}, 20, "", 3, 2, true}};
  small.experiment.records = 30'000;
  small.result.measured.assign(2, {});
  small.result.measured[0].x = 12'000;
  small.result.measured[1].x = 30'000;
  small.result.measured[0].rpd = 0.0055;
  small.result.measured[1].rpd = 4.321e-7;
  const std::string text = ToMarkdown(small.result);
  EXPECT_THAT(text, HasSubstr("30,000 generated records of students, and the first of them, seed"));
  EXPECT_THAT(text, HasSubstr("| RPD | records = 12,000 | records = 30,000 |\n"));
  EXPECT_THAT(text, HasSubstr("| a | 0.00550 | 4.32e-07 |\n"));
  EXPECT_THAT(ToCsv(small.result), HasSubstr("students,12000,7,20,"));
  EXPECT_TRUE(ToPlot(small.result).panels[0].log_x);
}

TEST(ExperimentReportTest, CsvHasALinePerSettingAndMethodAndThePapersRange) {
  std::istringstream csv(ToCsv(Small().result));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line,
            "data,records,seed,k,l,m,n,g,method,th,lm,query_accuracy,dm,dissimilarity,"
            "level_distance,rpd,ml2,dml2,seconds,suppressed_records,classes,paper_low,paper_high,"
            "cost,cuts_examined,ncp,patterns,pattern_error,threats,itemsets,cuts,epsilon,"
            "session_gap_s,closed_patterns,bags,mean_bag_size,height,distinct_terms,size_share,blm,"
            "recall,s_dist");
  std::getline(csv, line);
  EXPECT_EQ(
      line,
      "students,1200,7,2,2,,,,a,,0.200000,0.500000,40,,,,,,0.125000,3,9,,,,,,,,,,,,,,,,,,,,,");
  std::getline(csv, line);
  EXPECT_EQ(
      line,
      "students,1200,7,2,2,,,,b,0.3,0.100000,,50,,,,,,0.250000,0,8,0.05,0.1,,,,,,,,,,,,,,,,,,,");
  int more = 0;
  while (std::getline(csv, line)) ++more;
  EXPECT_EQ(more, 2);
}

TEST(ExperimentReportTest, ThePlotHasAPanelPerSweepAndMeasureAndThePapersBand) {
  const Small small;
  const Plot plot = ToPlot(small.result);
  ASSERT_EQ(plot.panels.size(), 1U);
  EXPECT_EQ(plot.panels[0].title, "Loss by l");
  ASSERT_EQ(plot.panels[0].series.size(), 2U);
  EXPECT_EQ(plot.panels[0].series[1].points[1].y, 0.15);
  ASSERT_EQ(plot.panels[0].bands.size(), 1U);
  EXPECT_EQ(plot.panels[0].bands[0].style, 1U);
  EXPECT_DOUBLE_EQ(plot.panels[0].bands[0].ranges[1].high, 0.15);
}

TEST(ExperimentTableTest, NamesAreDifferentDataIsThereAndThePaperSpeaksOfMethodsThatRun) {
  std::set<std::string> names;
  for (const Experiment& experiment : Experiments()) {
    EXPECT_TRUE(names.insert(experiment.name).second);
    EXPECT_FALSE(ExperimentSummary(experiment.name).empty());
    EXPECT_GT(DefaultGenerated(experiment.data), 0U) << experiment.data;
    EXPECT_FALSE(experiment.sweeps.empty());
    EXPECT_FALSE(experiment.measures.empty());
    std::set<std::string> methods;
    for (const ExperimentMethod& method : experiment.methods) methods.insert(method.name);
    for (const PaperResult& paper : experiment.paper) {
      for (const std::string& method : paper.methods) EXPECT_TRUE(methods.count(method));
      if (paper.range && !paper.range->times.empty()) {
        EXPECT_TRUE(methods.count(paper.range->times));
      }
    }
  }
}

MethodPolicy MethodNamed(const std::string& name) {
  MethodPolicy method;
  method.name = name;
  return method;
}

TEST(SweepTest, OnlyASearchForACutPromisesCombinationsAndNoMoreRelationsThanPairs) {
  const Sweep sweep{Sweep::Over::kM, {2, 3}, 20, "", 0, 2};
  const PrivacyPolicy two = sweep.PrivacyAt(2, MethodNamed("gcs"));
  EXPECT_EQ(two.k, 20);
  EXPECT_EQ(two.m, 2);
  EXPECT_EQ(two.n, 1);
  EXPECT_EQ(sweep.PrivacyAt(3, MethodNamed("gcs")).n, 2);
  const PrivacyPolicy miracle = sweep.PrivacyAt(2, MethodNamed("miracle"));
  EXPECT_EQ(miracle.k, 20);
  EXPECT_EQ(miracle.model(), PrivacyModel::kAnonymity);
}

TEST(SweepTest, SettingsThatAMethodDoesNotKnowDoNotConcernIt) {
  for (const auto over : {Sweep::Over::kM, Sweep::Over::kN}) {
    const Sweep sweep{over, {2}, 20, "", 3, 2};
    EXPECT_TRUE(sweep.Concerns(MethodNamed("acs")));
    EXPECT_FALSE(sweep.Concerns(MethodNamed("miracle")));
  }
  const Sweep by_g{Sweep::Over::kG, {1, 4}, 20, "", 3, 2};
  EXPECT_TRUE(by_g.Concerns(MethodNamed("gcs")));
  EXPECT_FALSE(by_g.Concerns(MethodNamed("acs")));
  EXPECT_EQ(by_g.MethodAt(4, MethodNamed("gcs")).g, 4);
  const Sweep by_k{Sweep::Over::kK, {5}, 0, "", 3, 2};
  EXPECT_TRUE(by_k.Concerns(MethodNamed("miracle")));
}

TEST(SweepTest, ATableIsPromisedDiversityOrThresholdsByFrequency) {
  Sweep sweep{Sweep::Over::kL, {2, 4}};
  EXPECT_EQ(sweep.PrivacyAt(4, MethodNamed("lplus")).l, 4);
  EXPECT_FALSE(sweep.PrivacyAt(4, MethodNamed("lplus")).k);
  sweep.from_frequency = true;
  const PrivacyPolicy privacy = sweep.PrivacyAt(4, MethodNamed("lplus"));
  EXPECT_FALSE(privacy.l);
  ASSERT_TRUE(privacy.theta);
  EXPECT_TRUE(privacy.theta->from_frequency);
  EXPECT_EQ(privacy.theta->otherwise, Decimal(0.25));
}

TEST(SweepTest, BagsArePromisedEpsilonWhereTermsAreReplaced) {
  Sweep sweep{Sweep::Over::kEpsilon, {0, 4}, 5};
  sweep.of_bags = true;
  const PrivacyPolicy ssg = sweep.PrivacyAt(4, MethodNamed("ssg"));
  EXPECT_EQ(ssg.model(), PrivacyModel::kVocabularies);
  EXPECT_EQ(ssg.k, 5);
  EXPECT_EQ(ssg.epsilon, 4);
  EXPECT_FALSE(sweep.PrivacyAt(4, MethodNamed("lgbag")).epsilon);
  EXPECT_TRUE(sweep.Concerns(MethodNamed("ssg")));
  EXPECT_FALSE(sweep.Concerns(MethodNamed("lgbag")));
}

TEST(ExperimentReportTest, SessionGapsAreToldInTheirUnits) {
  Small small;
  Sweep sweep{Sweep::Over::kGap, {60, 5'400, 604'800, Sweep::kNoGap}, 5};
  sweep.of_bags = true;
  sweep.epsilon = 6;
  sweep.measures = {Measure::kBagCount, Measure::kBlm};
  small.experiment.sweeps = {sweep};
  small.result.measured.clear();
  const std::string text = ToMarkdown(small.result);
  EXPECT_THAT(text, HasSubstr("Vocabularies by gap at k = 5, epsilon = 6:"));
  EXPECT_THAT(text, HasSubstr("| bLM | gap = 1m | gap = 90m | gap = 1w | gap = all |"));
  EXPECT_EQ(ToPlot(small.result).panels.size(), 2U);
}

TEST(SweepTest, AMethodRunsInSweepsOfItsGroupWhoseMetricKnowsItsScheme) {
  ExperimentMethod values{"values", MethodNamed("lplus")};
  values.method.suppression = "all-values";
  Sweep sweep{Sweep::Over::kL, {2}};
  sweep.metric = "lm";
  EXPECT_TRUE(sweep.Runs(values));
  sweep.metric = "cm";
  EXPECT_FALSE(sweep.Runs(values));
  EXPECT_EQ(sweep.MethodAt(2, values.method).class_attribute, "salary-class");
  values.method.suppression = "all-records";
  EXPECT_TRUE(sweep.Runs(values));
  values.group = 1;
  EXPECT_FALSE(sweep.Runs(values));
}

TEST(ExperimentTableTest, SizesAreSharesOfTheLargestAndNoneIsTooSmall) {
  const auto& all = Experiments();
  const auto sizes = std::find_if(all.begin(), all.end(), [](const Experiment& experiment) {
    return experiment.name == "gkountouna-size";
  });
  ASSERT_NE(sizes, all.end());
  EXPECT_THAT(sizes->On(1'000'000).sweeps[0].values,
              testing::ElementsAre(100'000, 250'000, 1'000'000));
  EXPECT_THAT(sizes->On(60).sweeps[0].values, testing::ElementsAre(10, 15, 60));
  EXPECT_THAT(sizes->On(10).sweeps[0].values, testing::ElementsAre(10));
}

std::string Read(const fs::path& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

TEST(ExperimentTest, EverythingButTimesIsTheSameOnOneAndOnTwoThreads) {
  const fs::path directory = fs::path(testing::TempDir()) / "thicket_experiment";
  std::string tables[2];
  for (int threads = 1; threads <= 2; ++threads) {
    Progress progress;
    ExperimentOptions options{60, 3, threads, directory.string()};
    const auto table = RunExperiment("nergiz-lm", options, progress);
    ASSERT_TRUE(table.ok()) << table.error().message;
    EXPECT_EQ(Read(directory / "nergiz-lm.md"), table->markdown);
    EXPECT_EQ(Read(directory / "nergiz-lm.csv"), table->csv);
    EXPECT_EQ(Read(directory / "nergiz-lm.svg"), table->svg);
    EXPECT_THAT(Read(directory / "nergiz-lm.svg"), HasSubstr("CDGH on bitmap"));
    EXPECT_THAT(Read(directory / "nergiz-lm.csv"), HasSubstr("electives,60,3,50,,,,,MiRaCleX,1,"));
    tables[threads - 1] = table->markdown;
  }
  EXPECT_EQ(tables[0], tables[1]);
  fs::remove_all(directory);
}

// The cells of the row of a method in a table.
std::vector<std::string> Row(const std::string& markdown, const std::string& title,
                             const std::string& method) {
  const size_t at = markdown.find("| " + method + " |", markdown.find(title));
  std::istringstream line(markdown.substr(at, markdown.find('\n', at) - at));
  std::vector<std::string> cells;
  for (std::string cell; std::getline(line, cell, '|');) cells.push_back(cell);
  return {cells.begin() + 2, cells.end()};
}

TEST(ExperimentTest, WithoutRelationsGcsIsOcsAndMiracleIsTheSameAtEveryN) {
  Progress progress;
  const auto table = RunExperiment("gkountouna-n", {300, 3, 2, ""}, progress);
  ASSERT_TRUE(table.ok()) << table.error().message;
  for (const char* title : {"Reverse path domain", "Mining loss", "Distance of frequent"}) {
    EXPECT_EQ(Row(table->markdown, title, "GCS")[0], Row(table->markdown, title, "OCS")[0]);
    const std::vector<std::string> miracle = Row(table->markdown, title, "MiRaCle");
    for (size_t i = 1; i < 4; ++i) EXPECT_EQ(miracle[i], miracle[0]);
  }
}

TEST(ExperimentTest, AcsIsNeverWorseThanGcs) {
  Progress progress;
  const fs::path directory = fs::path(testing::TempDir()) / "thicket_experiment_acs";
  const auto table = RunExperiment("gkountouna-acs", {300, 3, 2, directory.string()}, progress);
  ASSERT_TRUE(table.ok()) << table.error().message;
  for (const char* title : {"Reverse path domain by k", "Reverse path domain by m"}) {
    const std::vector<std::string> gcs = Row(table->markdown, title, "GCS");
    const std::vector<std::string> acs = Row(table->markdown, title, "ACS");
    for (size_t i = 0; i < 5; ++i) EXPECT_LE(std::stod(acs[i]), std::stod(gcs[i]));
  }
  EXPECT_THAT(Read(directory / "gkountouna-acs.csv"), HasSubstr("customers,300,3,20,,2,1,2,GCS,,"));
  fs::remove_all(directory);
}

TEST(ExperimentTest, TheBestCutOfATableNeverCostsMoreThanTheBestFullDomainCut) {
  Progress progress;
  const auto table = RunExperiment("liu-loss", {40, 3, 2, ""}, progress);
  ASSERT_TRUE(table.ok()) << table.error().message;
  for (const char* title : {"Cost by l, LM", "Cost by l, DM", "Cost by l, CM"}) {
    const std::vector<std::string> levels = Row(table->markdown, title, "Incognito (none)");
    const std::vector<std::string> best = Row(table->markdown, title, "l+-Optimize (none)");
    for (size_t i = 0; i < 5; ++i) EXPECT_LE(std::stod(best[i]), std::stod(levels[i]));
  }
  // DM knows no suppressed values.
  const size_t dm = table->markdown.find("Cost by l, DM");
  EXPECT_EQ(table->markdown.find("violating-values", dm), std::string::npos);
}

TEST(ExperimentTest, WhoKeepsNobodyLosesEverything) {
  Progress progress;
  const auto table = RunExperiment("gkountouna-k", {60, 3, 2, ""}, progress);
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_EQ(Row(table->markdown, "Reverse path domain", "MiRaCle")[5], " 1.00 ");
  EXPECT_EQ(Row(table->markdown, "Reverse path domain", "GCS")[5], " 1.00 ");
  EXPECT_EQ(Row(table->markdown, "Mining loss", "MiRaCle")[5], " 1.000 ");
  EXPECT_EQ(Row(table->markdown, "Distance of frequent", "MiRaCle")[5], " 1.000 ");
}

// The same records, pushed one by one.
Result<RecordSet> PushAgain(const LoadedPolicy& policy, const RecordSet& records,
                            Progress& progress) {
  RecordBuilder builder(policy, RecordsAs::kOriginal, progress);
  for (size_t i = 0; i < records.size(); ++i) {
    THICKET_TRY(builder.BeginRecord());
    for (const RecordVertex& item : records.root(i).children()) {
      THICKET_TRY(builder.OpenVertex(item.class_name()));
      THICKET_TRY(builder.Set(item.name(0), item.value(0)));
      THICKET_TRY(builder.CloseVertex());
    }
    THICKET_TRY(builder.EndRecord());
  }
  return std::move(builder).Finish();
}

TEST(ExperimentTest, RecordsInMemoryGiveWhatTheirFileGives) {
  constexpr char kName[] = "liu-sets-loss";
  const fs::path directory = fs::path(testing::TempDir()) / "thicket_experiment_given";
  Progress progress;
  ASSERT_TRUE(Generate("baskets", 40, 3, directory.string(), progress).ok());
  ExperimentOptions options;
  options.policy = (directory / "policy.yaml").string();
  const auto of_file = RunExperiment(kName, options, progress);
  ASSERT_TRUE(of_file.ok()) << of_file.error().message;

  const auto text = GenerateText("baskets", 40, 3, progress);
  ASSERT_TRUE(text.ok()) << text.error().message;
  const auto policy = LoadPolicyText(text->policy, {.taxonomies = text->taxonomies});
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  const auto parsed = ParseRecords(*policy, text->data, RecordsAs::kOriginal, progress);
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  auto pushed = PushAgain(*policy, *parsed, progress);
  ASSERT_TRUE(pushed.ok()) << pushed.error().message;
  EXPECT_FALSE(RunExperiment(kName, *policy, *pushed, options, progress).ok()) << "two policies";
  options.policy.clear();
  const auto of_records = RunExperiment(kName, *policy, std::move(*pushed), options, progress);
  ASSERT_TRUE(of_records.ok()) << of_records.error().message;
  EXPECT_EQ(of_records->markdown, of_file->markdown);
  EXPECT_THAT(of_records->svg, HasSubstr("<svg"));
  // An experiment on generated data only says so.
  EXPECT_EQ(RunExperiment("ozalp-s", *policy, *parsed, options, progress).error().code,
            ErrorCode::kUsage);
  fs::remove_all(directory);
}

// What is kept in a database has no text to be written and read back.
TEST(ExperimentTest, RecordsOfAnyFormatWillDo) {
  Progress progress;
  const auto text = GenerateText("baskets", 40, 3, progress);
  ASSERT_TRUE(text.ok()) << text.error().message;
  std::string yaml = text->policy;
  const auto change = [&](std::string_view from, std::string_view to) {
    ASSERT_NE(yaml.find(from), std::string::npos) << from;
    yaml.replace(yaml.find(from), from.size(), to);
  };
  change("format: transactions", "format: sqlite");
  change("  class: basket\n", "  class: basket\n  table: baskets\n  key: id\n");
  change("at: items\n", "table: items\n      parent: id\n");
  const auto policy = LoadPolicyText(yaml, {.taxonomies = text->taxonomies});
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  const auto plain = LoadPolicyText(text->policy, {.taxonomies = text->taxonomies});
  ASSERT_TRUE(plain.ok()) << plain.error().message;
  const auto parsed = ParseRecords(*plain, text->data, RecordsAs::kOriginal, progress);
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  const auto pushed = PushAgain(*policy, *parsed, progress);
  ASSERT_TRUE(pushed.ok()) << pushed.error().message;
  const auto of_tables = RunExperiment("liu-sets-loss", *policy, *pushed, {}, progress);
  ASSERT_TRUE(of_tables.ok()) << of_tables.error().message;
  const auto of_text = RunExperiment("liu-sets-loss", *plain, *parsed, {}, progress);
  ASSERT_TRUE(of_text.ok()) << of_text.error().message;
  for (const char* const method : {"OG", "MM"}) {
    EXPECT_EQ(Row(of_tables->markdown, "Loss by m", method),
              Row(of_text->markdown, "Loss by m", method));
  }
}

// A log in memory has its bags already, so no gap is varied; all else is as with its file.
TEST(ExperimentTest, BagsInMemoryHaveOneGap) {
  Progress progress;
  const auto text = GenerateText("querylog-table", 13, 1, progress);
  ASSERT_TRUE(text.ok()) << text.error().message;
  const auto policy = LoadPolicyText(text->policy, {.taxonomies = text->taxonomies});
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  auto bags = ParseRecords(*policy, text->data, RecordsAs::kOriginal, progress);
  ASSERT_TRUE(bags.ok()) << bags.error().message;
  const auto table = RunExperiment("liu-bags-loss", *policy, std::move(*bags), {}, progress);
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_THAT(table->markdown, Not(HasSubstr("by gap at")));
  EXPECT_EQ(Row(table->markdown, "Loss by k", "SSG")[2], " 1.000 ");
}

TEST(ExperimentTest, AnInterruptedRunWritesNothing) {
  const fs::path directory = fs::path(testing::TempDir()) / "thicket_experiment_stopped";
  Progress progress;
  progress.Cancel();
  const auto table = RunExperiment("nergiz-lm", {60, 3, 1, directory.string()}, progress);
  ASSERT_FALSE(table.ok());
  EXPECT_EQ(table.error().code, ErrorCode::kInterrupted);
  EXPECT_FALSE(fs::exists(directory / "nergiz-lm.csv"));
}

}  // namespace
}  // namespace thicket::experiment_test
