// The numbers of docs/performance.md: speed, pruning, loss and memory of whole runs.
//
//   make bench                    everything, a few minutes
//   build/bench_anonymize quick   without the unpruned ClusTree runs and the larger sets
//
// Every pruned run is compared with its unpruned one, and runs on one thread with runs on all: outputs must be the same
// bytes, or the program says so and fails. Real data is looked for in $THICKET_DATA, then in ../shared/data.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include "adult.h"
#include "base/processors.h"
#include "base/progress.h"
#include "base/text.h"
#include "engine/content.h"
#include "engine/thicket.h"
#include "generate/generate.h"
#include "io/dataset_io.h"
#include "measure.h"
#include "whole_runs.h"

namespace thicket {
namespace {

namespace fs = std::filesystem;

// The generated policy with another l (and k), and with passes on or off.
LoadedPolicy PolicyWith(const fs::path& directory, int l, bool passes) {
  std::string text = Must(ReadAll((directory / "policy.yaml").string()));
  text = Replaced(text, "k: 3", fmt::format("k: {}", l));
  text = Replaced(text, "l: 3", fmt::format("l: {}", l));
  if (!passes) text = Replaced(text, "mapping: lsap", "mapping: lsap\n  passes: off");
  const fs::path path = directory / fmt::format("l{}{}.yaml", l, passes ? "" : "off");
  WriteText(path, text);
  return Must(LoadPolicy(path.string()));
}

void Students(const fs::path& directory, bool quick) {
  Progress progress;
  MustDo(Generate("students", 1000, 7, directory.string(), progress));
  fmt::print("\n1,000 students, LSAP. Seconds are whole runs: read, anonymize, write, verify.\n");
  fmt::print("{:<10} {:>2} {:>9} {:>9} {:>9} {:>7} {:>9} {:>7}\n", "method", "l", "2 threads",
             "1 thread", "unpruned", "faster", "compared", "LM");
  for (const bool passes : {false, true}) {
    for (int l = 2; l <= 5; ++l) {
      const LoadedPolicy policy = PolicyWith(directory, l, passes);
      const Measured two = Anonymize(policy, directory, 2, false);
      const Measured one = Anonymize(policy, directory, 1, false);
      Compare("1 and 2 threads", one, two);
      std::string unpruned = "-";
      std::string faster = "-";
      if (!passes || (l == 3 && !quick)) {
        const Measured all = Anonymize(policy, directory, 1, true);
        Compare("pruned and unpruned", one, all);
        unpruned = fmt::format("{:.2f}", all.seconds);
        faster = fmt::format("{:.1f}x", all.seconds / one.seconds);
      }
      const double compared = 100.0 * static_cast<double>(one.report.search.compared) /
                              static_cast<double>(one.report.search.candidates);
      fmt::print("{:<10} {:>2} {:>9.2f} {:>9.2f} {:>9} {:>7} {:>8.1f}% {:>7.3f}\n",
                 passes ? "ClusTree" : "CToff", l, two.seconds, one.seconds, unpruned, faster,
                 compared, one.report.utility.lm);
      std::fflush(stdout);
    }
  }
}

// The texts of all values that the policy names, as often as they occur.
uint64_t ValueBytes(const Dataset& data) {
  uint64_t bytes = 0;
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    const ClassId id = data.forest.class_of(v);
    for (size_t slot = 0; slot < data.schema->classes[id].value_count(); ++slot) {
      bytes += data.dictionaries[id][slot].text(data.forest.value(v, slot)).size();
    }
  }
  return bytes;
}

void LargerStudents(const fs::path& directory) {
  Progress progress;
  MustDo(Generate("students", 10000, 7, directory.string(), progress));
  const uint64_t peak = PeakOf([&] {
    const Measured run = Anonymize(PolicyWith(directory, 3, false), directory, 2, false);
    fmt::print("\n10,000 students, CToff-LSAP, l = 3, 2 threads: {:.1f} s, LM {:.3f}\n",
               run.seconds, run.report.utility.lm);
  });
  if (peak == 0) bench_failed = true;
  const LoadedPolicy policy = PolicyWith(directory, 3, false);
  const Dataset data =
      Must(ReadDataset(policy.content().policy, policy.InputPath(), ReadAs::kOriginal, progress));
  const uint64_t values = ValueBytes(data);
  fmt::print("  peak memory {:.1f} MB, the file's values {:.1f} MB: {:.1f} times\n",
             static_cast<double>(peak) / 1e6, static_cast<double>(values) / 1e6,
             static_cast<double>(peak) / static_cast<double>(values));
}

// Every record published as it is, to measure writing alone.
Publication AsItIs(const EncodedDataset& data) {
  const Forest& forest = data.forest();
  Publication published;
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    published.AddRecord(record);
    for (Vertex v = forest.root(record); v < forest.root(record + 1); ++v) {
      const ClassId id = forest.class_of(v);
      std::vector<Label> labels;
      for (size_t slot = 0; slot < data.classes[id].domains.size(); ++slot) {
        labels.push_back(data.classes[id].domains[slot].Leaf(data.value(v, slot)));
      }
      published.Open(id, labels, forest.subtree_size(v));
      published.AddSources({&v, 1});
    }
    published.EndTree();
  }
  return published;
}

void Streams(const fs::path& directory) {
  Progress progress;
  MustDo(Generate("students", 50000, 7, directory.string(), progress));
  const LoadedPolicy policy = PolicyWith(directory, 3, false);
  const double size = static_cast<double>(fs::file_size(policy.InputPath()));
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  Dataset data =
      Must(ReadDataset(policy.content().policy, policy.InputPath(), ReadAs::kOriginal, progress));
  const double read = std::chrono::duration<double>(Clock::now() - start).count();
  const EncodedDataset encoded = Must(Encode(std::move(data), policy.content().taxonomies));
  const Publication published = AsItIs(encoded);
  auto file = Must(AtomicFile::Create((directory / "copy.jsonl").string(), 0644));
  const auto begin = Clock::now();
  uint64_t written = 0;
  PublicationRecords records(encoded, published);
  MustDo(WriteRecords(policy.content().policy, records, {}, [&](std::string_view bytes) {
    written += bytes.size();
    return file->Write(bytes);
  }));
  const double write = std::chrono::duration<double>(Clock::now() - begin).count();
  fmt::print(
      "\nJSON Lines, 50,000 students: read {:.0f} MB/s ({:.0f} MB), write {:.0f} MB/s ({:.0f} "
      "MB)\n",
      size / 1e6 / read, size / 1e6, static_cast<double>(written) / 1e6 / write,
      static_cast<double>(written) / 1e6);
}

void Adult(const fs::path& directory) {
  const fs::path adult = RealData() / "adult";
  if (!fs::exists(adult / "adult_30162.csv")) {
    fmt::print(
        "\nAdult: skipped, adult/adult_30162.csv is not in $THICKET_DATA or ../shared/data\n");
    return;
  }
  fs::create_directories(directory);
  fmt::print(
      "\nAdult, 30,162 rows, 9 quasi-identifiers, k = 5. LM is NCP averaged over all cells "
      "here.\n");
  for (const bool passes : {false, true}) {
    const LoadedPolicy policy =
        AdultPolicy(adult, directory, fmt::format("{{passes: {}}}", passes ? "on" : "off"));
    const Measured two = Anonymize(policy, directory, 2, false);
    const Measured one = Anonymize(policy, directory, 1, false);
    Compare("1 and 2 threads", one, two);
    fmt::print("  {:<10} {:>6.2f} s on 2 threads, {:>6.2f} s on 1, loss {:.3f}\n",
               passes ? "ClusTree" : "CToff", two.seconds, one.seconds, one.report.utility.lm);
  }
}

int Main(bool quick) {
  const fs::path directory = fs::temp_directory_path() / fmt::format("thicket-bench-{}", getpid());
  fs::create_directories(directory);
  fmt::print("{} processors\n", UsableProcessors());
  if (!quick) LargerStudents(directory / "larger");
  Students(directory / "students", quick);
  Adult(directory / "adult");
  if (!quick) Streams(directory / "streams");
  fs::remove_all(directory);
  return bench_failed ? 1 : 0;
}

}  // namespace
}  // namespace thicket

int main(int argc, char** argv) {
  return thicket::Main(argc > 1 && std::string_view(argv[1]) == "quick");
}
