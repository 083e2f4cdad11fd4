#include "engine/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/experiment_report.h"
#include "generate/generate.h"

namespace thicket {
namespace {

using testing::HasSubstr;

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
    result.records = 1200;
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

TEST(ExperimentReportTest, CsvHasALinePerSettingAndMethodAndThePapersRange) {
  std::istringstream csv(ToCsv(Small().result));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line,
            "data,records,seed,k,l,method,th,lm,query_accuracy,dm,dissimilarity,level_distance,"
            "seconds,suppressed_records,"
            "classes,paper_low,paper_high");
  std::getline(csv, line);
  EXPECT_EQ(line, "students,1200,7,2,2,a,,0.200000,0.500000,40,,,0.125000,3,9,,");
  std::getline(csv, line);
  EXPECT_EQ(line, "students,1200,7,2,2,b,0.3,0.100000,,50,,,0.250000,0,8,0.05,0.1");
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
    EXPECT_EQ(Read(directory / "nergiz-lm.md"), *table);
    EXPECT_THAT(Read(directory / "nergiz-lm.svg"), HasSubstr("CDGH on bitmap"));
    EXPECT_THAT(Read(directory / "nergiz-lm.csv"), HasSubstr("electives,60,3,50,,MiRaCleX,1,"));
    tables[threads - 1] = *table;
  }
  EXPECT_EQ(tables[0], tables[1]);
  fs::remove_all(directory);
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
}  // namespace thicket
