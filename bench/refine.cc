// What refining gains on ClusTree-LSAP, and what no grouping can.
//
//   build/bench_refine [N]     N records (1,000) of students, college-years and transcripts, k = l = 2..5
//
// "in its time" stops refining after as many seconds as ClusTree took. At l = 2 there is a lower bound of the loss. Put the
// records of a class in a circle: each is at least as similar to the next one as all of them have in common. So no
// grouping saves more than the best assignment of every record to another one. It holds for classes of two and three
// records, where no sensitive value may stand twice.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "engine/content.h"
#include "generate/generate.h"
#include "grouping/clustree.h"
#include "grouping/refine.h"
#include "io/dataset_io.h"
#include "matching/linear_assignment.h"
#include "measure.h"

namespace thicket {
namespace {

namespace fs = std::filesystem;

class Bench {
 public:
  Bench(const EncodedDataset& data, int l)
      : data_(data), l_(l), rule_{.l = l}, model_(data, rule_), parallel_(0) {}

  void Run(const std::string& name) {
    ClusTreeOptions options;
    options.class_size = l_;
    options.rule = rule_;
    std::optional<Grouping> grouping;
    const double seconds =
        SecondsOf([&] { grouping = Must(ClusTree(data_, options, parallel_, progress_)); });
    const double before = Lm(*grouping);
    const double in_time = Lm(Refined(*grouping, seconds));
    std::optional<Grouping> refined;
    const double refining = SecondsOf([&] { refined = Refined(*grouping, std::nullopt); });
    const double after = Lm(*refined);
    fmt::print(
        "| {} | {} | {:.4f} | {:.2f} s | {:.4f} ({:+.1f} %) | {:.4f} ({:+.1f} %) | {:.2f} s | {} "
        "|\n",
        name, l_, before, seconds, in_time, 100 * (in_time / before - 1), after,
        100 * (after / before - 1), refining,
        l_ == 2 ? fmt::format("{:.4f}", LeastPossible()) : "");
    std::fflush(stdout);
  }

 private:
  Grouping Refined(const Grouping& grouping, std::optional<double> limit_s) {
    RefineOptions options;
    options.class_size = l_;
    options.rule = rule_;
    options.limit_s = limit_s;
    return Must(Refine(data_, grouping, options, parallel_, progress_));
  }

  Units Total() const {
    Units total = 0;
    for (RecordId r = 0; r < data_.forest().record_count(); ++r) total += model_.record_weight(r);
    return total;
  }

  double Lm(const Grouping& grouping) const {
    Units loss = 0;
    for (const PublishedTree group : grouping.published.trees()) {
      loss += Representative::From(model_, group).cost();
    }
    for (const RecordId record : grouping.published.suppressed()) {
      loss += model_.record_weight(record);
    }
    return static_cast<double>(loss) / static_cast<double>(Total());
  }

  double LeastPossible() {
    const size_t n = data_.forest().record_count();
    std::vector<int64_t> similarity(n * n);
    std::vector<Merger> mergers(parallel_.threads(), Merger(model_, MergeOptions()));
    parallel_.For(n, 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const Representative one = Representative::Of(model_, static_cast<RecordId>(i), l_);
        for (size_t j = 0; j < n; ++j) {
          if (i == j) continue;
          similarity[i * n + j] = mergers[worker].Similarity(one, static_cast<RecordId>(j), 0);
        }
      }
    });
    AssignmentSolver<int64_t> solver;
    const int64_t most = solver.Solve(similarity.data(), n, n, n, 0);
    return static_cast<double>(Total() - most) / static_cast<double>(Total());
  }

  const EncodedDataset& data_;
  int l_;
  DiversityRule rule_;
  TreeModel model_;
  Parallel parallel_;
  Progress progress_;
};

void RunAll(const std::string& name, uint64_t count, const fs::path& folder) {
  Progress progress;
  const std::string directory = (folder / name).string();
  MustDo(Generate(name, count, 1, directory, progress));
  const LoadedPolicy policy = Must(LoadPolicy(directory + "/policy.yaml"));
  Dataset read =
      Must(ReadDataset(policy.content().policy, policy.InputPath(), ReadAs::kOriginal, progress));
  const EncodedDataset data = Must(Encode(std::move(read), policy.content().taxonomies));
  for (int l = 2; l <= 5; ++l) Bench(data, l).Run(name);
}

}  // namespace
}  // namespace thicket

int main(int argc, char** argv) {
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("thicket-bench-{}", getpid());
  fmt::print(
      "| data | l | ClusTree-LSAP | time | refined in its time | refined | time | no grouping "
      "below |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const char* name : {"students", "college-years", "transcripts"}) {
    thicket::RunAll(name, count, folder);
  }
  std::filesystem::remove_all(folder);
  return 0;
}
