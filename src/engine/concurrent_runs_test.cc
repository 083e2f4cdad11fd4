// Several runs in one process: eight at once, of different policies, formats and ends, come out as one after the other.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/assess.h"
#include "engine/records.h"
#include "engine/thicket.h"

namespace thicket::concurrent_runs_test {
namespace {

namespace fs = std::filesystem;

constexpr int kRecords = 60;

std::string PolicyText(const std::string& format, const std::string& privacy,
                       const std::string& method) {
  const bool nested = format != "csv";
  return "version: 1\ninput: {format: " + format + "}\nrecord:\n  class: person\n  quasi:\n" +
         "    age: {ranges: [5, 10, 20]}\n    zip: {mask: 3}\n  sensitive: {illness: {}}\n" +
         (nested ? "  children:\n    - class: visit\n      at: visits\n      quasi: {ward: "
                   "{taxonomy: ward.csv}}\n"
                 : "") +
         "privacy: " + privacy + "\n" + (method.empty() ? "" : "method: {name: " + method + "}\n");
}

PolicyParts Parts(const std::string& format) {
  PolicyParts parts;
  if (format != "csv") parts.taxonomies.emplace("ward.csv", "w0;low;*\nw1;low;*\nw2;high;*\n");
  return parts;
}

std::string Age(int i) { return std::to_string(20 + i * 7 % 50); }
std::string Zip(int i) { return std::to_string(10100 + i * 13 % 40); }
std::string Illness(int i) { return std::array{"flu", "asthma", "none", "gout"}[i * 5 % 4]; }
std::string Ward(int i) { return std::array{"w0", "w1", "w2"}[i % 3]; }

std::string Records(const std::string& format, const std::string& odd_ward = "") {
  std::string text;
  if (format == "csv") text = "age,zip,illness\n";
  if (format == "xml") text = "<people>\n";
  if (format == "json") text = "[";
  for (int i = 0; i < kRecords; ++i) {
    const std::string ward = i == 17 && !odd_ward.empty() ? odd_ward : Ward(i);
    if (format == "csv") {
      text += Age(i) + "," + Zip(i) + "," + Illness(i) + "\n";
    } else if (format == "xml") {
      text += "<person age=\"" + Age(i) + "\" zip=\"" + Zip(i) + "\" illness=\"" + Illness(i) +
              "\"><visits ward=\"" + ward + "\"/></person>\n";
    } else {
      if (format == "json" && i > 0) text += ",\n";
      text += "{\"age\": " + Age(i) + ", \"zip\": \"" + Zip(i) + "\", \"illness\": \"" +
              Illness(i) + "\", \"visits\": [{\"ward\": \"" + ward + "\"}]}";
      if (format == "jsonl") text += "\n";
    }
  }
  if (format == "xml") text += "</people>\n";
  if (format == "json") text += "]\n";
  return text;
}

std::string Tell(const Error& error) {
  return "error " + std::to_string(static_cast<int>(error.code)) + ": " + error.message + "|" +
         error.place.path;
}

std::string Tell(const Report& report) {
  return std::to_string(report.utility.lm) + " " + std::to_string(report.output.classes) + " " +
         std::to_string(report.search.candidates) + "\n";
}

std::string RunText(const std::string& format, const std::string& privacy,
                    const std::string& method, uint64_t seed, Progress& progress,
                    const std::string& odd_ward = "") {
  const auto policy = LoadPolicyText(PolicyText(format, privacy, method), Parts(format));
  if (!policy.ok()) return Tell(policy.error());
  RunOptions options;
  options.seed = seed;
  options.threads = 2;
  const auto result = AnonymizeText(*policy, Records(format, odd_ward), options, progress);
  return result.ok() ? Tell(result->report) + result->data : Tell(result.error());
}

// Stops itself in the middle of the run.
class Impatient : public Progress {
 public:
  void Begin(std::string_view phase, uint64_t /*total*/) override {
    if (phase != "read") Cancel();
  }
};

std::string RunPushed() {
  const auto policy = LoadPolicyText(PolicyText("jsonl", "{k: 4}", ""), Parts("jsonl"));
  if (!policy.ok()) return Tell(policy.error());
  Progress progress;
  RecordBuilder builder(*policy, RecordsAs::kOriginal, progress);
  for (int i = 0; i < kRecords; ++i) {
    bool good = builder.BeginRecord().ok() && builder.Set("age", {.text = Age(i)}).ok() &&
                builder.Set("zip", {.text = Zip(i)}).ok() &&
                builder.Set("illness", {.text = Illness(i)}).ok() &&
                builder.OpenVertex("visit").ok() && builder.Set("ward", {.text = Ward(i)}).ok() &&
                builder.CloseVertex().ok() && builder.EndRecord().ok();
    if (!good) return "not pushed";
  }
  auto records = std::move(builder).Finish();
  if (!records.ok()) return Tell(records.error());
  RunOptions options;
  options.seed = 5;
  const auto result = AnonymizeRecords(*policy, *records, options, progress);
  if (!result.ok()) return Tell(result.error());
  const auto verified = VerifyRecords(*policy, result->records, &*records, progress);
  if (!verified.ok() || !verified->holds) return "does not hold";
  const auto text = FormatRecords(*policy, result->records, progress);
  return text.ok() ? Tell(result->report) + *text : Tell(text.error());
}

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A whole run on files, beside others in one folder.
std::string RunFile(const fs::path& folder) {
  const auto policy = LoadPolicyText(PolicyText("jsonl", "{l: 2}", ""), Parts("jsonl"));
  if (!policy.ok()) return Tell(policy.error());
  Progress progress;
  progress.set_file_mask(027);
  RunOptions options;
  options.seed = 9;
  const Paths paths = {.input = (folder / "in.jsonl").string(),
                       .output = (folder / "out.jsonl").string(),
                       .into = "",
                       .report = (folder / "report.json").string()};
  const auto report = AnonymizeFile(*policy, paths, options, progress);
  if (!report.ok()) return Tell(report.error());
  struct stat status {};
  stat(paths.output.c_str(), &status);
  return Tell(*report) + std::to_string(status.st_mode & 0777) + ReadFile(paths.output);
}

TEST(ConcurrentRuns, EightAtOnceComeOutAsOneAfterTheOther) {
  const fs::path folder =
      fs::path(::testing::TempDir()) / ("thicket_runs_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "in.jsonl") << Records("jsonl");
  using Run = std::function<std::string()>;
  const auto text = [](auto... arguments) {
    return [=] {
      Progress progress;
      return RunText(arguments..., progress);
    };
  };
  const std::vector<Run> runs = {
      text("jsonl", "{l: 2}", "", 1),
      text("csv", "{k: 5}", "", 2),
      text("xml", "{k: 3}", "miracle", 3),
      text("json", "{k: 3, m: 2, n: 1}", "", 4),
      RunPushed,
      [&] { return RunFile(folder); },
      [] {
        Impatient progress;
        return RunText("jsonl", "{l: 3}", "", 6, progress);
      },
      [] {
        Progress progress;
        return RunText("jsonl", "{l: 2}", "", 7, progress, "w9");
      },
  };
  std::vector<std::string> expected;
  for (const Run& run : runs) expected.push_back(run());
  EXPECT_EQ(expected[6].substr(0, 9), "error 130") << expected[6];
  EXPECT_EQ(expected[7].substr(0, 7), "error 3") << expected[7];
  for (const size_t good : {0, 1, 2, 3, 4, 5}) {
    EXPECT_NE(expected[good].substr(0, 5), "error") << good << ": " << expected[good];
  }
  EXPECT_NE(expected[5].find(std::to_string(0640)), std::string::npos);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::string> found(runs.size());
    std::atomic<bool> go = false;
    std::vector<std::thread> threads;
    for (size_t i = 0; i < runs.size(); ++i) {
      threads.emplace_back([&, i] {
        while (!go.load()) std::this_thread::yield();
        found[i] = runs[i]();
      });
    }
    go = true;
    for (std::thread& thread : threads) thread.join();
    for (size_t i = 0; i < runs.size(); ++i) EXPECT_EQ(found[i], expected[i]) << "run " << i;
  }
  // Nothing temporary is left beside what was written.
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    ++files;
    EXPECT_EQ(entry.path().string().find(".thicket-"), std::string::npos) << entry.path();
  }
  EXPECT_EQ(files, 3U);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace thicket::concurrent_runs_test
