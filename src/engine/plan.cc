#include "engine/plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "base/phase.h"
#include "base/random.h"
#include "base/silent_progress.h"
#include "base/stop.h"
#include "base/supervised.h"
#include "engine/content.h"
#include "engine/diversity_forecast.h"
#include "engine/method.h"
#include "engine/prepare_bags.h"
#include "engine/record_content.h"
#include "io/dataset_io.h"
#include "io/file/file_plan.h"
#include "privacy/levels_of_data.h"
#include "record/copy_record.h"
#include "record/fold_warnings.h"

namespace thicket {

namespace {

constexpr uint64_t kFirstTried = 125;
// Where trials are too short to tell how the time grows: what grouping needs, with its bounds.
constexpr double kUsualPower = 1.75;
constexpr double kLeastPower = 1.6;
// Where an index proposes whom to compare.
constexpr double kPowerOfProposals = 1.2;
constexpr double kMeasurable = 0.005;
// How much longer writing, reading back and checking take than reading.
constexpr double kAfterwards = 4;
// A loss is laid to a single attribute from this share on.
constexpr double kWorthAsking = 0.05;

double Since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Some records of a data set, as a data set of their own.
Dataset Take(const Dataset& data, const std::vector<RecordId>& records) {
  Dataset taken = Dataset::Empty(data.schema, data.source);
  taken.dictionaries = data.dictionaries;
  taken.has_lines = data.has_lines;
  taken.shape = data.shape;
  ForestBuilder builder(*data.schema);
  for (const RecordId record : records) {
    CopyRecord(data.forest, record, *data.schema, builder,
               [](ClassId /*id*/, size_t /*slot*/, Symbol symbol) { return symbol; });
    if (!data.owners.empty()) taken.owners.push_back(data.owners[record]);
  }
  taken.forest = std::move(builder).Build();
  return taken;
}

// One attribute's values are no longer in anybody's way: each vertex has one of its own.
void Relax(EncodedDataset& data, ClassId id, size_t attribute) {
  const size_t slot = data.schema().classes[id].sensitive_slot(attribute);
  uint32_t next = 0;
  for (Vertex v = 0; v < data.forest().vertex_count(); ++v) {
    if (data.forest().class_of(v) == id) data.codes[data.forest().first_value(v) + slot] = next++;
  }
  ClassEncoding& encoding = data.classes[id];
  encoding.bucket_count[attribute] = next + 1;
  encoding.once[attribute].assign(next + 1, false);
}

class Planner {
 public:
  Planner(const LoadedPolicy& policy, const PlanOptions& options, Progress& progress)
      : content_(policy.content()),
        policy_(content_.policy),
        options_(options),
        progress_(progress),
        parallel_(options.threads) {
    // A search that has a limit of its own has found something by then.
    limit_s_ = policy_.method.limit_s;
    policy_.method.limit_s =
        std::min(limit_s_.value_or(options.trial_seconds), options.trial_seconds);
  }

  Result<Plan> Run(Dataset data, double seconds_read) {
    plan_.model = policy_.privacy.model_name();
    plan_.method = policy_.method.name;
    plan_.k = policy_.privacy.k;
    plan_.l = policy_.privacy.l;
    plan_.records = data.forest.record_count();
    plan_.vertices = data.forest.vertex_count();
    for (const Warning& warning : data.warnings) Warn(warning.message);
    for (const Warning& warning : FoldWarnings(data)) Warn(warning.message);
    THICKET_TRY(PrepareBags(content_, data));
    THICKET_ASSIGN(EncodedDataset all, Encode(std::move(data), content_.taxonomies));
    if (policy_.privacy.alpha) THICKET_TRY(ApplyLevels(all));
    for (DiversityForecast& of : Forecasts(all)) {
      plan_.attributes.push_back({std::move(of)});
    }
    THICKET_TRY(TryOut(all.data));
    plan_.seconds = seconds_read * (1 + kAfterwards) + Extrapolated();
    return std::move(plan_);
  }

 private:
  struct Timed {
    uint64_t records;
    double seconds;
  };

  void Warn(const std::string& warning) {
    plan_.warnings.push_back(warning);
    progress_.Warn(warning);
  }

  std::vector<DiversityForecast> Forecasts(const EncodedDataset& data) {
    std::vector<DiversityForecast> forecasts = ForecastDiversity(policy_, data);
    for (const std::string& warning : ForecastWarnings(policy_, forecasts)) Warn(warning);
    return forecasts;
  }

  // Drawn at random, in the order of the data.
  std::vector<RecordId> Draw(uint64_t count) const {
    std::vector<RecordId> records(plan_.records);
    std::iota(records.begin(), records.end(), RecordId{0});
    if (count >= plan_.records) return records;
    Random random = Random::Seeded(options_.seed);
    random.Shuffle(records);
    records.resize(count);
    std::sort(records.begin(), records.end());
    return records;
  }

  Result<EncodedDataset> Sample(const Dataset& data, uint64_t count) const {
    SilentProgress unseen(progress_);
    const ProgressScope scope(unseen);
    THICKET_ASSIGN(EncodedDataset sample, Encode(Take(data, Draw(count)), content_.taxonomies));
    if (policy_.privacy.alpha) THICKET_TRY(ApplyLevels(sample));
    return sample;
  }

  // Vertices that were lost by the policy's method, as a share; what cannot be kept loses all.
  Result<Plan::Trial> Try(const EncodedDataset& sample) {
    SilentProgress unseen(progress_);
    const ProgressScope scope(unseen);
    const MethodOptions how = {false, options_.seed, &content_.networks, plan_.records};
    growth_ = GrowthOf(policy_, sample, plan_.records);
    const auto start = std::chrono::steady_clock::now();
    const Result<MethodResult> result = RunMethod(policy_, how, sample, parallel_, unseen);
    Plan::Trial trial;
    trial.records = sample.forest().record_count();
    trial.seconds = Since(start);
    trial.lost_records = 1;
    trial.lost_vertices = 1;
    if (!result.ok()) {
      if (result.error().code != ErrorCode::kPromise) return result.error();
      trial.failure = result.error().message;
      return trial;
    }
    const auto share = [](uint64_t part, uint64_t whole) {
      return static_cast<double>(part) / static_cast<double>(whole);
    };
    trial.lost_records = share(trial.records - result->published.record_count(), trial.records);
    trial.lost_vertices.reset();
    if (result->sets || result->bags) return trial;
    trial.lost_vertices = share(result->published.SuppressedVertices(sample.forest()),
                                sample.forest().vertex_count());
    return trial;
  }

  Status TryOut(const Dataset& data) {
    Phase phase("try");
    const auto least = static_cast<uint64_t>(std::max(policy_.privacy.class_size(), 1));
    for (uint64_t count = std::max(kFirstTried, 4 * least);; count *= 2) {
      count = std::min(count, plan_.records);
      if (count < least) return {};
      THICKET_ASSIGN(const EncodedDataset sample, Sample(data, count));
      THICKET_ASSIGN(plan_.trial, Try(sample));
      phase.Advance();
      timed_.push_back({count, plan_.trial->seconds});
      const bool last = count == plan_.records || 2 * count > options_.most_tried ||
                        plan_.trial->seconds > options_.trial_seconds / 4;
      if (last) return Blame(sample, phase);
    }
  }

  // The same without each attribute, one after the other, where much is lost.
  Status Blame(const EncodedDataset& sample, Phase& phase) {
    const bool diverse = policy_.privacy.l && policy_.privacy.model() == PrivacyModel::kDiversity &&
                         RowOf(policy_.method).family == MethodFamily::kGrouping;
    if (!diverse || plan_.trial->lost_vertices.value_or(0) < kWorthAsking ||
        plan_.attributes.size() > kMostBlamed) {
      return {};
    }
    size_t number = 0;
    for (size_t id = 0; id < sample.schema().classes.size(); ++id) {
      for (size_t i = 0; i < sample.schema().classes[id].sensitive.size(); ++i) {
        const std::string path = sample.schema().PathOf(
            static_cast<ClassId>(id), sample.schema().classes[id].sensitive[i].name);
        while (number < plan_.attributes.size() && plan_.attributes[number].path != path) ++number;
        if (number == plan_.attributes.size()) return {};
        EncodedDataset relaxed = sample;
        Relax(relaxed, static_cast<ClassId>(id), i);
        THICKET_ASSIGN(const Plan::Trial without, Try(relaxed));
        phase.Advance();
        plan_.attributes[number].blamed =
            std::max(0.0, *plan_.trial->lost_vertices - without.lost_vertices.value_or(1));
      }
    }
    return {};
  }

  // How the time grew from the first trial that can be measured to the last one it goes on growing: with the square at most,
  // and nearly so where records are grouped, whatever short trials seem to say; but in proportion where neighbourhoods are looked at.
  double Extrapolated() const {
    if (timed_.empty()) return 0;
    const bool groups = RowOf(policy_.method).family == MethodFamily::kGrouping;
    const Timed& last = timed_.back();
    const auto first = std::find_if(timed_.begin(), timed_.end(),
                                    [](const Timed& timed) { return timed.seconds > kMeasurable; });
    double power = kUsualPower;
    if (first != timed_.end() && first->records * 2 <= last.records) {
      const double more = static_cast<double>(last.records) / static_cast<double>(first->records);
      power = std::log(last.seconds / first->seconds) / std::log(more);
    }
    power = std::clamp(power, groups && !growth_.proposes ? kLeastPower : 1.0,
                       growth_.proposes ? kPowerOfProposals : 2.0);
    const auto times = [](uint64_t more, uint64_t less) {
      return static_cast<double>(more) / static_cast<double>(less);
    };
    const uint64_t part = growth_.part == 0 || growth_.proposes
                              ? plan_.records
                              : std::clamp<uint64_t>(growth_.part, last.records, plan_.records);
    const double seconds =
        last.seconds * std::pow(times(part, last.records), power) * times(plan_.records, part);
    return limit_s_ ? std::min(seconds, *limit_s_) : seconds;
  }

  static constexpr size_t kMostBlamed = 8;

  const LoadedPolicy::Content& content_;
  Policy policy_;
  PlanOptions options_;
  Progress& progress_;
  Parallel parallel_;
  std::optional<double> limit_s_;
  std::vector<Timed> timed_;
  Growth growth_;
  Plan plan_;
};

Result<Plan> PlanFileNow(const LoadedPolicy& policy, const std::string& input,
                         const PlanOptions& options, Progress& progress) {
  const Policy& rules = policy.content().policy;
  THICKET_ASSIGN(const std::string path, InputOf(policy, input));
  FilePlan files;
  files.ReadPolicy(rules);
  files.ReadData(rules, path, "the input");
  THICKET_TRY(files.Check());
  const auto start = std::chrono::steady_clock::now();
  THICKET_ASSIGN(Dataset data, ReadDataset(rules, path, ReadAs::kOriginal, progress));
  return Planner(policy, options, progress).Run(std::move(data), Since(start));
}

}  // namespace

Result<Plan> PlanFile(const LoadedPolicy& policy, const std::string& input,
                      const PlanOptions& options, Progress& progress) {
  return Supervised(progress, [&] { return PlanFileNow(policy, input, options, progress); });
}

Result<Plan> PlanRecords(const LoadedPolicy& policy, const RecordSet& original,
                         const PlanOptions& options, Progress& progress) {
  return Supervised(progress, [&]() -> Result<Plan> {
    THICKET_TRY(MustBe(policy, original, RecordsAs::kOriginal));
    return Planner(policy, options, progress).Run(Dataset(original.content().data), 0);
  });
}

}  // namespace thicket
