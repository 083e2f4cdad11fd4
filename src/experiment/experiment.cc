#include "experiment/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "base/supervised.h"
#include "base/text.h"
#include "experiment/experiment_report.h"
#include "experiment/experiment_run.h"
#include "experiment/experiment_table.h"
#include "io/file/file_plan.h"
#include "io/file/result_files.h"
#include "plot/plot.h"
#include "policy/method_table.h"
#include "record/label_sets.h"

namespace thicket {

namespace {

// What settings run on: a data set, and the first so many of its records.
struct Source {
  std::string data;
  uint64_t records = 0;
  CensusForm form = {};
  size_t secrets = 0;
  // Of a query log, in seconds.
  double gap_s = 0;

  friend bool operator==(const Source&, const Source&) = default;
};

Source SourceOf(const Experiment& experiment, size_t sweep, double x) {
  const Sweep& of = experiment.sweeps[sweep];
  return {experiment.DataOf(sweep),
          experiment.RecordsAt(sweep, x),
          {of.GrainAt(x), of.QuasiAt(x)},
          of.SecretsAt(x),
          of.GapAt(x)};
}

// All of an experiment, in the order of its settings.
std::vector<Source> SourcesOf(const Experiment& experiment) {
  std::vector<Source> sources;
  for (size_t sweep = 0; sweep < experiment.sweeps.size(); ++sweep) {
    for (const double x : experiment.sweeps[sweep].values) {
      Source source = SourceOf(experiment, sweep, x);
      if (std::find(sources.begin(), sources.end(), source) == sources.end()) {
        sources.push_back(std::move(source));
      }
    }
  }
  return sources;
}

// Runs the settings of an experiment over one source.
class Laboratory {
 public:
  Laboratory(const Experiment& experiment, Source source, PreparedData prepared,
             const ExperimentOptions& options, Progress& progress)
      : experiment_(experiment),
        source_(std::move(source)),
        prepared_(std::move(prepared)),
        seed_(options.seed),
        parallel_(options.threads),
        progress_(progress),
        runner_(experiment_, prepared_, seed_, parallel_, progress_) {}

  Result<std::vector<Measured>> RunAll() {
    progress_.Begin(experiment_.name, CountRuns());
    std::vector<Measured> all;
    for (size_t sweep = 0; sweep < experiment_.sweeps.size(); ++sweep) {
      // By method: what its first setting gave.
      std::vector<std::optional<Measured>> first(experiment_.methods.size());
      bool is_first = true;
      for (const double x : ValuesOf(sweep)) {
        for (size_t method = 0; method < experiment_.methods.size(); ++method) {
          if (!experiment_.sweeps[sweep].Runs(experiment_.methods[method])) continue;
          if (is_first || Changes(sweep, method)) {
            Result<std::optional<Measured>> one = Best(sweep, x, method);
            if (!one.ok()) {
              progress_.End();
              return Located(std::move(one.error()), sweep, x, method);
            }
            first[method] = *one;
          }
          if (!first[method]) continue;
          all.push_back(*first[method]);
          all.back().x = x;
        }
        is_first = false;
      }
    }
    progress_.End();
    return all;
  }

 private:
  // Settings of the sweep that run on this source.
  std::vector<double> ValuesOf(size_t sweep) const {
    std::vector<double> values;
    for (const double x : experiment_.sweeps[sweep].values) {
      if (SourceOf(experiment_, sweep, x) == source_) values.push_back(x);
    }
    return values;
  }

  // Whether a further setting of the sweep would change what the method does.
  bool Changes(size_t sweep, size_t method) const {
    return experiment_.sweeps[sweep].Concerns(experiment_.methods[method].method);
  }

  size_t CountRuns() const {
    size_t runs = 0;
    for (size_t sweep = 0; sweep < experiment_.sweeps.size(); ++sweep) {
      const size_t settings = ValuesOf(sweep).size();
      for (size_t i = 0; i < experiment_.methods.size(); ++i) {
        const ExperimentMethod& method = experiment_.methods[i];
        if (!experiment_.sweeps[sweep].Runs(method)) continue;
        const auto each = static_cast<size_t>(method.best_th ? kThresholds : method.runs);
        runs += (Changes(sweep, i) ? settings : std::min<size_t>(settings, 1)) * each;
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

  // The run, or of those over th the one with the least LM, of equals the first. Nothing if it did not come to an end.
  Result<std::optional<Measured>> Best(size_t sweep, double x, size_t method) {
    const int runs = experiment_.methods[method].best_th ? kThresholds : 1;
    std::optional<RunOutcome> best;
    for (int i = 0; i < runs; ++i) {
      Policy policy = PolicyAt(experiment_.sweeps[sweep], x, experiment_.methods[method].method);
      if (runs > 1) policy.method.th = i / 10.0;
      runner_.CompareClosed(experiment_.sweeps[sweep].ClosedAt(x));
      THICKET_ASSIGN(RunOutcome one, RunOften(policy, experiment_.methods[method]));
      if (progress_.cancelled()) return Interrupted();
      progress_.Advance(1);
      if (one.stopped_early) return std::optional<Measured>();
      if (!best || one.measured.lm < best->measured.lm) best = std::move(one);
    }
    best->measured.sweep = sweep;
    best->measured.x = x;
    best->measured.method = method;
    if (best->published) THICKET_TRY(runner_.AskQueries(*best->published, best->measured));
    return std::optional<Measured>(best->measured);
  }

  Policy PolicyAt(const Sweep& sweep, double x, const MethodPolicy& method) const {
    Policy policy = prepared_.policy.content().policy;
    policy.method = sweep.MethodAt(x, method);
    policy.privacy = sweep.PrivacyAt(x, method);
    policy.privacy.sensitive_items = prepared_.policy.content().policy.privacy.sensitive_items;
    if (SuppressesValues(method)) {
      Schema schema = *policy.schema;
      for (SensitiveAttribute& attribute : schema.classes[0].sensitive) {
        attribute.may_be_suppressed = true;
      }
      policy.schema = std::make_shared<const Schema>(std::move(schema));
    }
    return policy;
  }

  // The mean of the runs; what was published is that of the last.
  Result<RunOutcome> RunOften(const Policy& policy, const ExperimentMethod& method) {
    RunOutcome mean;
    Measured& sum = mean.measured;
    double dissimilarity = 0;
    double level_distance = 0;
    double cost = 0;
    double examined = 0;
    for (int i = 0; i < method.runs; ++i) {
      if (i > 0) progress_.Advance(1);
      if (progress_.cancelled()) return Interrupted();
      THICKET_ASSIGN(RunOutcome one, runner_.Run(policy, method, seed_ + static_cast<uint64_t>(i)));
      if (method.runs == 1) return one;
      sum.lm += one.measured.lm;
      cost += one.measured.cost.value_or(0);
      examined += one.measured.examined.value_or(0);
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
    if (runner_.Asks(Measure::kDissimilarity)) {
      sum.dissimilarity = dissimilarity / method.runs;
      sum.level_distance = level_distance / method.runs;
    }
    if (runner_.Asks(Measure::kCost)) {
      sum.cost = cost / method.runs;
      sum.examined = examined / method.runs;
    }
    return mean;
  }

  static constexpr int kThresholds = 11;

  const Experiment& experiment_;
  Source source_;
  PreparedData prepared_;
  uint64_t seed_;
  Parallel parallel_;
  Progress& progress_;
  ExperimentRunner runner_;
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

namespace {

// Data of the caller's in place of what is generated.
struct GivenData {
  PreparedData prepared;
  // Whether the data can be read again, with another session gap.
  bool is_log = false;
};

// Of bags the session gap stays as it is where the data is no query log, and only methods run that terms are right for.
Status FitBags(const Policy& policy, bool is_log, Experiment& experiment) {
  if (!policy.privacy.of_bags) {
    return Error{ErrorCode::kUsage,
                 fmt::format("--policy: must promise {} for {}, but promises {}",
                             RowOf(PrivacyModel::kVocabularies).name, experiment.name,
                             policy.privacy.model_name()),
                 "choose a policy for bags", ""};
  }
  if (!is_log) {
    std::erase_if(experiment.sweeps,
                  [](const Sweep& sweep) { return sweep.over == Sweep::Over::kGap; });
    for (Sweep& sweep : experiment.sweeps) sweep.gap_s = 0;
  }
  const Recoding& recoding = policy.schema->classes[1].quasi[0].recoding;
  if (recoding.kind == Recoding::Kind::kNetwork) {
    std::erase_if(experiment.methods, [](const ExperimentMethod& method) {
      return !RowOf(method.method).bags->substitutes;
    });
    std::erase_if(experiment.sweeps, [&](const Sweep& sweep) {
      return std::none_of(experiment.methods.begin(), experiment.methods.end(),
                          [&](const ExperimentMethod& method) { return sweep.Runs(method); });
    });
  }
  return {};
}

// An experiment on the user's data: the same settings, but those of sizes and of sensitive items, which are the data's.
Result<Experiment> OnGiven(const Experiment& found, const ExperimentOptions& options,
                           const GivenData& given) {
  if (!found.takes_policy) {
    return Error{ErrorCode::kUsage,
                 "--policy: must be left out for " + found.name +
                     ", which runs on generated data only, but is there",
                 "run a liu-sets or liu-bags experiment on it", ""};
  }
  if (options.records) {
    return Error{ErrorCode::kUsage,
                 "-n: must be left out beside --policy, whose data has its own number of records, "
                 "but is there",
                 "leave one of them out", ""};
  }
  const PreparedData& prepared = given.prepared;
  const Policy& policy = prepared.policy.content().policy;
  const bool of_bags = found.sweeps.front().of_bags;
  if (!of_bags && !AreSets(prepared.data.schema())) {
    return Error{ErrorCode::kUsage,
                 "--policy: the records must be sets, a root above one class of items, but are not",
                 "choose a policy for sets", ""};
  }
  Experiment experiment = found;
  experiment.records = prepared.data.forest().record_count();
  if (of_bags) {
    THICKET_TRY(FitBags(policy, given.is_log, experiment));
    return experiment;
  }
  const bool has_secrets = !policy.privacy.sensitive_items.empty();
  std::erase_if(experiment.sweeps, [&](const Sweep& sweep) {
    return sweep.over == Sweep::Over::kSize || sweep.over == Sweep::Over::kSecrets ||
           (sweep.over == Sweep::Over::kL && !has_secrets);
  });
  for (Sweep& sweep : experiment.sweeps) {
    sweep.secrets = 0;
    if (!has_secrets) sweep.l = 0;
  }
  return experiment;
}

Result<ExperimentText> RunExperimentNow(std::string_view name, const ExperimentOptions& options,
                                        std::optional<GivenData> given, Progress& progress) {
  const Experiment* found = FindExperiment(name);
  if (found == nullptr) return UnknownExperiment(name);
  if (!given && !options.policy.empty()) {
    THICKET_ASSIGN(const LoadedPolicy policy, LoadPolicy(options.policy, &progress));
    THICKET_ASSIGN(PreparedData prepared, PrepareGiven(policy, progress));
    const bool is_log = policy.content().policy.input.format == Format::kQuerylog;
    given = GivenData{std::move(prepared), is_log};
  }
  Experiment experiment = found->On(options.records.value_or(found->DefaultRecords()));
  if (given) {
    THICKET_ASSIGN(experiment, OnGiven(*found, options, *given));
  }
  const std::string& called = experiment.name;
  ResultFiles files(options.directory, {called + ".csv", called + ".md", called + ".svg"});
  FilePlan plan;
  files.AddTo(plan);
  THICKET_TRY(plan.Check());
  ExperimentResult result;
  result.experiment = &experiment;
  result.seed = options.seed;
  result.is_given = given.has_value();
  for (const Source& source : SourcesOf(experiment)) {
    std::optional<PreparedData> prepared;
    if (given && source.gap_s > 0) {
      THICKET_ASSIGN(prepared, PrepareGiven(given->prepared.policy, progress, source.gap_s));
    } else if (given) {
      prepared = given->prepared;
    } else {
      THICKET_ASSIGN(prepared, PrepareData(source.data, source.records, options.seed, progress,
                                           source.form, source.secrets, source.gap_s));
    }
    THICKET_TRY(files.CreateFolder());
    Laboratory laboratory(experiment, source, std::move(*prepared), options, progress);
    THICKET_ASSIGN(const std::vector<Measured> measured, laboratory.RunAll());
    result.measured.insert(result.measured.end(), measured.begin(), measured.end());
  }
  ExperimentText text{ToCsv(result), ToMarkdown(result), ToSvg(ToPlot(result))};
  THICKET_TRY(files.Write({text.csv, text.markdown, text.svg}, 0644 & ~progress.file_mask(), plan));
  return text;
}

}  // namespace

Result<ExperimentText> RunExperiment(std::string_view name, const ExperimentOptions& options,
                                     Progress& progress) {
  return Supervised(progress,
                    [&] { return RunExperimentNow(name, options, std::nullopt, progress); });
}

Result<ExperimentText> RunExperiment(std::string_view name, const LoadedPolicy& policy,
                                     RecordSet records, const ExperimentOptions& options,
                                     Progress& progress) {
  return Supervised(progress, [&]() -> Result<ExperimentText> {
    if (!options.policy.empty()) {
      return Error{
          ErrorCode::kUsage,
          "experiment: the policy must come with the records alone, but a file is named, too",
          "leave ExperimentOptions::policy empty", ""};
    }
    THICKET_ASSIGN(PreparedData prepared, PrepareRecords(policy, std::move(records)));
    return RunExperimentNow(name, options, GivenData{std::move(prepared)}, progress);
  });
}

}  // namespace thicket
