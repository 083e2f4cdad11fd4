#include "engine/experiment.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "base/parallel.h"
#include "base/text.h"
#include "engine/content.h"
#include "engine/experiment_report.h"
#include "engine/experiment_table.h"
#include "engine/levels_for_assessment.h"
#include "engine/method.h"
#include "engine/plot.h"
#include "generate/generate.h"
#include "grouping/bitmap.h"
#include "io/atomic_file.h"
#include "io/dataset_io.h"
#include "io/outgoing.h"
#include "privacy/levels_of_data.h"
#include "utility/dissimilarity.h"
#include "utility/dm.h"
#include "utility/lm.h"
#include "utility/queries.h"
#include "verify/verify.h"

namespace thicket {

namespace {

namespace fs = std::filesystem;

// One run of many: draws no progress of its own, and hands on that the user wants to stop.
class PartProgress final : public Progress {
 public:
  explicit PartProgress(const Progress& whole) : whole_(whole) {}
  void Begin(std::string_view /*phase*/, uint64_t /*total*/) override { Look(); }
  void Advance(uint64_t /*steps*/) override { Look(); }
  void End() override { Look(); }

 private:
  void Look() {
    if (whole_.cancelled()) Cancel();
  }
  const Progress& whole_;
};

// A folder that goes away with the object.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> Create() {
    std::error_code failure;
    std::string path = (fs::temp_directory_path(failure) / "thicket-XXXXXX").string();
    if (!failure && mkdtemp(path.data()) != nullptr) return TemporaryFolder(std::move(path));
    return CannotWrite(path, failure ? failure.value() : errno);
  }
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

struct Prepared {
  LoadedPolicy policy;
  EncodedDataset data;
  // The same with levels of sensitivity as buckets, where the policy has alpha.
  std::optional<EncodedDataset> levels = {};
};

Result<Prepared> Prepare(const std::string& name, uint64_t records, uint64_t seed,
                         Progress& progress) {
  THICKET_ASSIGN(const TemporaryFolder folder, TemporaryFolder::Create());
  THICKET_TRY(Generate(name, records, seed, folder.path(), progress));
  THICKET_ASSIGN(LoadedPolicy policy, LoadPolicy(folder.path() + "/policy.yaml"));
  THICKET_ASSIGN(Dataset read, ReadDataset(policy.content().policy, policy.InputPath(),
                                           ReadAs::kOriginal, progress));
  THICKET_ASSIGN(EncodedDataset data, Encode(std::move(read), policy.content().taxonomies));
  Prepared prepared{std::move(policy), std::move(data)};
  if (prepared.policy.content().policy.privacy.alpha) {
    prepared.levels = prepared.data;
    THICKET_TRY(ApplyLevels(*prepared.levels));
  }
  return prepared;
}

// What was measured, and what it was measured on, unless nobody is published.
struct Outcome {
  Measured measured;
  std::optional<Dataset> published;
};

// Runs the sweeps of an experiment over one data set.
class Laboratory {
 public:
  Laboratory(const Experiment& experiment, std::string data, Prepared prepared,
             const ExperimentOptions& options, Progress& progress)
      : experiment_(experiment),
        data_(std::move(data)),
        prepared_(std::move(prepared)),
        seed_(options.seed),
        parallel_(options.threads),
        progress_(progress) {}

  Result<std::vector<Measured>> RunAll() {
    progress_.Begin(experiment_.name, CountRuns());
    std::vector<Measured> all;
    for (size_t sweep = 0; sweep < experiment_.sweeps.size(); ++sweep) {
      if (experiment_.DataOf(sweep) != data_) continue;
      for (const double x : experiment_.sweeps[sweep].values) {
        for (size_t method = 0; method < experiment_.methods.size(); ++method) {
          Result<Measured> one = Best(sweep, x, method);
          if (!one.ok()) {
            progress_.End();
            return Located(std::move(one.error()), sweep, x, method);
          }
          all.push_back(*one);
        }
      }
    }
    progress_.End();
    return all;
  }

 private:
  size_t CountRuns() const {
    size_t runs = 0;
    for (size_t sweep = 0; sweep < experiment_.sweeps.size(); ++sweep) {
      if (experiment_.DataOf(sweep) != data_) continue;
      for (const ExperimentMethod& method : experiment_.methods) {
        const auto each = static_cast<size_t>(method.best_th ? kThresholds : method.runs);
        runs += experiment_.sweeps[sweep].values.size() * each;
      }
    }
    return runs;
  }

  Error Located(Error error, size_t sweep, double x, size_t method) const {
    if (error.code != ErrorCode::kInterrupted) {
      error.message =
          fmt::format("{}: {} at {} = {}: {}", experiment_.name, experiment_.methods[method].name,
                      experiment_.sweeps[sweep].name(), NumberText(x), error.message);
    }
    return error;
  }

  // The run, or of those over th the one with the least LM, of equals the first.
  Result<Measured> Best(size_t sweep, double x, size_t method) {
    const int runs = experiment_.methods[method].best_th ? kThresholds : 1;
    std::optional<Outcome> best;
    for (int i = 0; i < runs; ++i) {
      Policy policy = PolicyAt(experiment_.sweeps[sweep], x, experiment_.methods[method].method);
      if (runs > 1) policy.method.th = i / 10.0;
      THICKET_ASSIGN(Outcome one, RunOften(policy, experiment_.methods[method]));
      if (!best || one.measured.lm < best->measured.lm) best = std::move(one);
      if (progress_.cancelled()) return Interrupted();
      progress_.Advance(1);
    }
    best->measured.sweep = sweep;
    best->measured.x = x;
    best->measured.method = method;
    if (best->published) THICKET_TRY(AskQueries(*best->published, best->measured));
    return best->measured;
  }

  Policy PolicyAt(const Sweep& sweep, double x, const MethodPolicy& method) const {
    Policy policy = prepared_.policy.content().policy;
    policy.method = method;
    policy.privacy = {};
    if (sweep.over == Sweep::Over::kLevels) {
      policy.privacy.k = static_cast<int>(x);
      if (method.name == "mlevclutree") {
        policy.privacy.alpha = {0.8, 0.6, 0.4, 0.2, 0.1};
      } else {
        policy.privacy.l = policy.privacy.k;
      }
    } else if (sweep.over == Sweep::Over::kTh) {
      policy.method.th = x;
      policy.privacy.k = sweep.k;
    } else {
      policy.privacy.k = static_cast<int>(x);
      if (sweep.over == Sweep::Over::kL) policy.privacy.l = static_cast<int>(x);
    }
    return policy;
  }

  // CDGH on one flat table, as `method: cdgh` has it otherwise.
  Result<BitmapGrouping> RunBitmap(const Policy& policy, Absent absent, Progress& progress) {
    BitmapOptions options;
    options.class_size = policy.privacy.class_size();
    options.climit = policy.method.climit;
    options.th = policy.method.th;
    options.absent = absent;
    return CdghOnBitmap(prepared_.data, options, parallel_, progress);
  }

  // The mean of the runs; what was published is that of the last.
  Result<Outcome> RunOften(const Policy& policy, const ExperimentMethod& method) {
    Outcome mean;
    Measured& sum = mean.measured;
    double dissimilarity = 0;
    double level_distance = 0;
    for (int i = 0; i < method.runs; ++i) {
      if (i > 0) progress_.Advance(1);
      if (progress_.cancelled()) return Interrupted();
      THICKET_ASSIGN(Outcome one, Run(policy, method, seed_ + static_cast<uint64_t>(i)));
      if (method.runs == 1) return one;
      sum.lm += one.measured.lm;
      sum.dm += one.measured.dm;
      sum.seconds += one.measured.seconds;
      sum.suppressed += one.measured.suppressed;
      sum.classes += one.measured.classes;
      dissimilarity += one.measured.dissimilarity.value_or(0);
      level_distance += one.measured.level_distance.value_or(0);
      mean.published = std::move(one.published);
    }
    const auto runs = static_cast<uint64_t>(method.runs);
    sum.lm /= method.runs;
    sum.dm /= runs;
    sum.seconds /= method.runs;
    sum.suppressed /= runs;
    sum.classes /= runs;
    if (Asks(Measure::kDissimilarity)) {
      sum.dissimilarity = dissimilarity / method.runs;
      sum.level_distance = level_distance / method.runs;
    }
    return mean;
  }

  bool Asks(Measure measure) const {
    const auto& asked = experiment_.measures;
    return std::find(asked.begin(), asked.end(), measure) != asked.end();
  }

  Result<Outcome> Run(const Policy& policy, const ExperimentMethod& method, uint64_t random_seed) {
    PartProgress part(progress_);
    Outcome outcome;
    Measured& measured = outcome.measured;
    if (policy.method.IsMiracle()) measured.th = policy.method.th;
    BitmapGrouping found;
    // Where time is what is measured, of short runs the shortest of three.
    const auto& asked = experiment_.measures;
    const bool timed =
        method.runs == 1 && std::find(asked.begin(), asked.end(), Measure::kSeconds) != asked.end();
    for (int i = 0; i < (timed ? 3 : 1) && measured.seconds < kShortSeconds; ++i) {
      const auto start = std::chrono::steady_clock::now();
      if (method.bitmap) {
        THICKET_ASSIGN(found, RunBitmap(policy, *method.bitmap, part));
      } else {
        const EncodedDataset& data = policy.privacy.alpha ? *prepared_.levels : prepared_.data;
        THICKET_ASSIGN(found.grouping,
                       RunMethod(policy, {.random_seed = random_seed}, data, parallel_, part));
      }
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      measured.seconds = i == 0 ? seconds : std::min(measured.seconds, seconds);
    }
    const Grouping& grouping = found.grouping;
    if (grouping.published.classes.empty()) {
      // Nobody is published: all is lost, and every count is answered with 0.
      const uint64_t records = prepared_.data.forest().record_count();
      measured.lm = 1;
      measured.accuracy = 0;
      measured.dm = records * records;
      measured.suppressed = records;
      return outcome;
    }
    THICKET_ASSIGN(outcome.published, WriteAndRead(policy, grouping.published, part));
    THICKET_TRY(Check(policy, *outcome.published));
    THICKET_TRY(Fill(*outcome.published, measured));
    // Trees do not say what all of a class lack.
    if (method.bitmap == Absent::kNo) measured.dm = found.dm;
    return outcome;
  }

  Result<Dataset> WriteAndRead(const Policy& policy, const Published& published,
                               Progress& progress) const {
    std::vector<Place> order;
    for (uint32_t group = 0; group < published.classes.size(); ++group) {
      for (uint32_t member = 0; member < published.classes[group].records.size(); ++member) {
        order.push_back({group, member});
      }
    }
    PublishedRecords records(prepared_.data, published, order);
    std::string text;
    THICKET_TRY(WriteRecords(policy, records, {}, [&](std::string_view bytes) {
      text.append(bytes);
      return Status();
    }));
    return ReadDatasetText(policy, text, "published records", ReadAs::kPublished, progress);
  }

  Status Check(const Policy& policy, const Dataset& published) const {
    THICKET_ASSIGN(const Verdict verdict,
                   VerifyPublished(*policy.schema, policy.privacy,
                                   prepared_.policy.content().taxonomies, published));
    if (verdict.holds) return {};
    return Error{ErrorCode::kPromise,
                 "the output must keep its promise, but does not: " +
                     (verdict.violations.empty() ? "it holds no records"
                                                 : verdict.violations.shown().front().message),
                 "this is a defect of thicket; please report it", ""};
  }

  Status Fill(const Dataset& published, Measured& measured) const {
    THICKET_ASSIGN(const LmReport lm, MeasureLm(prepared_.data, published));
    measured.lm = lm.lm();
    THICKET_ASSIGN(const DmReport dm, MeasureDm(prepared_.data.data, published));
    measured.dm = dm.dm;
    measured.suppressed = dm.suppressed;
    measured.classes = dm.groups;
    if (Asks(Measure::kDissimilarity)) {
      THICKET_ASSIGN(const LevelsForAssessment levels, FindLevels(prepared_.data.data, published));
      const DissimilarityReport found = MeasureDissimilarity(published, levels.published);
      measured.dissimilarity = found.degree;
      measured.level_distance = found.mean_distance;
    }
    return {};
  }

  // Slower than the other measures: only where it is asked for, and of runs over th only for the best.
  Status AskQueries(const Dataset& published, Measured& measured) {
    if (!Asks(Measure::kAccuracy)) return {};
    PartProgress part(progress_);
    THICKET_ASSIGN(const QueryReport queries,
                   MeasureQueries(prepared_.data, published, {.seed = seed_}, parallel_, part));
    measured.accuracy = queries.mean;
    return {};
  }

  static constexpr int kThresholds = 11;
  static constexpr double kShortSeconds = 0.25;

  const Experiment& experiment_;
  std::string data_;
  Prepared prepared_;
  uint64_t seed_;
  Parallel parallel_;
  Progress& progress_;
};

const Experiment* FindExperiment(std::string_view name) {
  for (const Experiment& experiment : Experiments()) {
    if (experiment.name == name) return &experiment;
  }
  return nullptr;
}

Error UnknownExperiment(std::string_view name) {
  std::string list;
  for (const std::string& known : ExperimentNames()) list += (list.empty() ? "" : ", ") + known;
  const auto nearest = Nearest(name, ExperimentNames());
  return {ErrorCode::kUsage,
          fmt::format("experiment: the name must be one of {}, but is '{}'", list, name),
          nearest ? fmt::format("did you mean {}?", *nearest) : "choose one of them", ""};
}

Status WriteFiles(const ExperimentResult& result, const std::string& directory) {
  std::vector<std::unique_ptr<AtomicFile>> files;
  const auto write = [&](const std::string& extension, const std::string& content) -> Status {
    const fs::path path = fs::path(directory) / (result.experiment->name + extension);
    THICKET_ASSIGN(auto file, AtomicFile::Create(path.string(), 0644));
    THICKET_TRY(file->Write(content));
    THICKET_TRY(file->Close());
    files.push_back(std::move(file));
    return {};
  };
  THICKET_TRY(write(".csv", ToCsv(result)));
  THICKET_TRY(write(".md", ToMarkdown(result)));
  THICKET_TRY(write(".svg", ToSvg(ToPlot(result))));
  for (const auto& file : files) THICKET_TRY(file->Commit());
  return {};
}

// Before the work, so that a place that cannot be used is found out at once.
Status CreateFolder(const std::string& directory) {
  if (directory.empty()) return {};
  std::error_code failure;
  fs::create_directories(directory, failure);
  if (!failure) return {};
  return Error{ErrorCode::kIo,
               fmt::format("{}: the directory must be there or be created, but: {}", directory,
                           failure.message()),
               "choose a directory that you may write to", ""};
}

}  // namespace

std::vector<std::string> ExperimentNames() {
  std::vector<std::string> names;
  for (const Experiment& experiment : Experiments()) names.push_back(experiment.name);
  return names;
}

std::string_view ExperimentSummary(std::string_view name) {
  const Experiment* experiment = FindExperiment(name);
  return experiment != nullptr ? std::string_view(experiment->summary) : std::string_view();
}

Result<std::string> RunExperiment(std::string_view name, const ExperimentOptions& options,
                                  Progress& progress) {
  const Experiment* experiment = FindExperiment(name);
  if (experiment == nullptr) return UnknownExperiment(name);
  ExperimentResult result;
  result.experiment = experiment;
  result.records = options.records.value_or(DefaultGenerated(experiment->data));
  result.seed = options.seed;
  for (const std::string& data : experiment->DataSets()) {
    THICKET_ASSIGN(Prepared prepared, Prepare(data, result.records, options.seed, progress));
    THICKET_TRY(CreateFolder(options.directory));
    Laboratory laboratory(*experiment, data, std::move(prepared), options, progress);
    THICKET_ASSIGN(const std::vector<Measured> measured, laboratory.RunAll());
    result.measured.insert(result.measured.end(), measured.begin(), measured.end());
  }
  if (!options.directory.empty()) THICKET_TRY(WriteFiles(result, options.directory));
  return ToMarkdown(result);
}

}  // namespace thicket
