// Time, memory and loss by the number of records, and how they grow: the tables of sizes of docs/performance.md, and their plot.
//
//   build/bench_sizes                     students up to 100,000 and a table of 100,000 rows, a few minutes
//   build/bench_sizes million             up to a million of both as well: half an hour, 6 GB of disk
//   build/bench_sizes csv FILE            also writes what was measured as rows
//   build/bench_sizes plot CSV SVG        draws such rows, and measures nothing
//
// Runs are whole: read, group, write, read back, verify. Each has a process of its own, so that its memory is its own.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "generate/generate.h"
#include "plot/plot.h"
#include "whole_runs.h"

namespace thicket {
namespace {

namespace fs = std::filesystem;

struct Row {
  std::string data;
  std::string method;
  double records = 0;
  double seconds = 0;
  double processor = 0;  // seconds
  double lm = 0;
  double megabytes = 0;
};

// How it grows from one row to the next: as n to this power.
double Exponent(const Row& from, const Row& to, double Row::*what) {
  return std::log(to.*what / from.*what) / std::log(to.records / from.records);
}

Row Measure(const std::string& data, const std::string& method, uint64_t records,
            const fs::path& directory) {
  Progress progress;
  MustDo(Generate(data, records, 1, directory.string(), progress));
  const std::string text = Must(ReadAll((directory / "policy.yaml").string()));
  // The method that the policy names, if any, gives way to the one that is measured.
  const size_t named = text.find("\nmethod:");
  const fs::path path = directory / "measured.yaml";
  WriteText(path, (named == std::string::npos ? text : text.substr(0, named + 1)) +
                      fmt::format("method: {{name: {}}}\n", method));
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) std::exit(1);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const LoadedPolicy policy = Must(LoadPolicy(path.string()));
    RunOptions options;
    options.seed = 1;
    const std::string out = (directory / "out").string();
    Report report;
    std::array<double, 2> found{};
    found[0] = SecondsOf([&] {
      report = Must(AnonymizeFile(policy, {"", out, "", ""}, options, progress));
    });
    found[1] = report.utility.lm;
    const bool told = write(ends[1], found.data(), sizeof found) == sizeof found;
    std::_Exit(told ? 0 : 1);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  std::array<double, 2> found{};
  if (status != 0 || read(ends[0], found.data(), sizeof found) != sizeof found) bench_failed = true;
  close(ends[0]);
  close(ends[1]);
  fs::remove_all(directory);
  const auto seconds = [](const timeval& of) {
    return static_cast<double>(of.tv_sec) + static_cast<double>(of.tv_usec) / 1e6;
  };
  return {data,
          method,
          static_cast<double>(records),
          found[0],
          seconds(usage.ru_utime) + seconds(usage.ru_stime),
          found[1],
          static_cast<double>(usage.ru_maxrss) * 1024 / 1e6};
}

void MeasureSizes(const std::string& data, const std::string& method,
                  const std::vector<uint64_t>& sizes, const fs::path& directory,
                  std::vector<Row>& rows) {
  fmt::print("\n{}, {}\n{:>10} {:>9} {:>9} {:>8} {:>8} {:>9} {:>9}\n", data, method, "records",
             "seconds", "processor", "LM", "MB", "time as", "memory as");
  std::optional<Row> before;
  for (const uint64_t size : sizes) {
    const Row row = Measure(data, method, size, directory);
    const auto growth = [&](double Row::*what) {
      return before ? fmt::format("n^{:.2f}", Exponent(*before, row, what)) : std::string();
    };
    fmt::print("{:>10} {:>9.1f} {:>9.1f} {:>8.4f} {:>8.0f} {:>9} {:>9}\n", size, row.seconds,
               row.processor, row.lm, row.megabytes, growth(&Row::processor),
               growth(&Row::megabytes));
    std::fflush(stdout);
    before = row;
    rows.push_back(row);
  }
}

std::string ToCsv(const std::vector<Row>& rows) {
  std::string text = "data,method,records,seconds,lm,megabytes\n";
  for (const Row& row : rows) {
    text += fmt::format("{},{},{:.0f},{:.1f},{:.4f},{:.0f}\n", row.data, row.method, row.records,
                        row.seconds, row.lm, row.megabytes);
  }
  return text;
}

std::vector<Row> FromCsv(std::string_view text) {
  std::vector<Row> rows;
  text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    const auto cell = [&] {
      const size_t comma = std::min(line.find(','), line.size());
      const std::string_view value = line.substr(0, comma);
      line.remove_prefix(std::min(line.size(), comma + 1));
      return value;
    };
    const auto number = [&] {
      const std::string_view value = cell();
      double result = 0;
      std::from_chars(value.data(), value.data() + value.size(), result);
      return result;
    };
    Row row;
    row.data = cell();
    row.method = cell();
    for (double Row::*what : {&Row::records, &Row::seconds, &Row::lm, &Row::megabytes}) {
      row.*what = number();
    }
    rows.push_back(row);
  }
  return rows;
}

// Time, memory and loss over records, a line for each data set and method.
std::string Draw(const std::vector<Row>& rows) {
  Plot plot{.title = "Sizes", .subtitle = "whole runs on two cores", .panels = {}};
  struct Quantity {
    const char* title;
    double Row::*what;
    bool log;
  };
  for (const Quantity& of :
       {Quantity{"seconds", &Row::seconds, true}, Quantity{"memory, MB", &Row::megabytes, true},
        Quantity{"LM", &Row::lm, false}}) {
    PlotPanel panel{.title = of.title,
                    .x_label = "records",
                    .y_label = of.title,
                    .log_y = of.log,
                    .series = {},
                    .bands = {},
                    .log_x = true};
    for (const Row& row : rows) {
      const std::string name = row.data + ", " + row.method;
      if (panel.series.empty() || panel.series.back().name != name) {
        panel.series.push_back({name, panel.series.size(), {}});
      }
      panel.series.back().points.push_back({row.records, row.*of.what});
    }
    plot.panels.push_back(std::move(panel));
  }
  return ToSvg(plot);
}

int Main(const std::vector<std::string_view>& arguments) {
  bool million = false;
  std::string csv;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "million") million = true;
    if (arguments[i] == "csv" && i + 1 < arguments.size()) csv = arguments[i + 1];
    if (arguments[i] == "plot" && i + 2 < arguments.size()) {
      const std::string rows = Must(ReadAll(std::string(arguments[i + 1])));
      WriteText(fs::path(arguments[i + 2]), Draw(FromCsv(rows)));
      return 0;
    }
  }
  const fs::path directory = fs::temp_directory_path() / fmt::format("thicket-sizes-{}", getpid());
  std::vector<Row> rows;
  std::vector<uint64_t> students = {10'000, 30'000, 100'000};
  std::vector<uint64_t> people = {10'000, 100'000};
  if (million) {
    students.push_back(1'000'000);
    people.push_back(1'000'000);
  }
  for (const char* method : {"clustree", "agglomerate"}) {
    MeasureSizes("students", method, students, directory, rows);
    MeasureSizes("census-repeated", method, people, directory, rows);
  }
  if (!csv.empty()) WriteText(csv, ToCsv(rows));
  return bench_failed ? 1 : 0;
}

}  // namespace
}  // namespace thicket

int main(int argc, char** argv) { return thicket::Main({argv + 1, argv + argc}); }
