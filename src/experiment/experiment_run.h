// One run of an experiment: a method on prepared data, its output written, read back, checked and measured.
//
//   THICKET_ASSIGN(PreparedData data, PrepareData("customers", 2000, 1, progress));
//   ExperimentRunner runner(experiment, data, 1, parallel, progress);
//   THICKET_ASSIGN(RunOutcome outcome, runner.Run(policy, method, 1));
//   outcome.measured.rpd;
//
// Measures that take long are made only where the experiment asks for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "experiment/experiment_table.h"
#include "experiment/prepared_data.h"
#include "grouping/bitmap.h"
#include "record/dataset.h"
#include "record/publication.h"

namespace thicket {

// What was measured, and what it was measured on, unless nobody is published.
struct RunOutcome {
  Measured measured;
  std::optional<Dataset> published;
  // Whether the method's limit_s ended the search for a cut; then nothing was measured but the time.
  bool stopped_early = false;
};

class ExperimentRunner {
 public:
  // Everything given must outlive it.
  ExperimentRunner(const Experiment& experiment, const PreparedData& prepared, uint64_t seed,
                   Parallel& parallel, Progress& progress)
      : experiment_(experiment),
        prepared_(prepared),
        seed_(seed),
        parallel_(parallel),
        progress_(progress) {
    for (const Sweep& sweep : experiment.sweeps) {
      keeps_stopped_ = keeps_stopped_ || sweep.over == Sweep::Over::kLimit;
    }
  }

  // Of bags: how many of the most frequent closed patterns the runs that follow compare.
  void CompareClosed(size_t count) { closed_count_ = count; }
  // kPromise if the output does not keep its promise. `random_seed`: for methods that draw records.
  Result<RunOutcome> Run(const Policy& policy, const ExperimentMethod& method,
                         uint64_t random_seed);
  // Query accuracy, if it is asked for. Slower than the other measures: of runs over th only for the best.
  Status AskQueries(const Dataset& published, Measured& measured);

  bool Asks(Measure measure) const;

 private:
  // What a method made of the data.
  struct Product {
    Publication published;
    bool stopped_early = false;
    // By CDGH on a bitmap: DM of its rows.
    uint64_t bitmap_dm = 0;
    // Of a table's cut.
    std::optional<double> cost = {};
    std::optional<double> examined = {};
    // Of sets.
    std::optional<double> threats = {};
    std::optional<double> itemsets = {};
    std::optional<double> cuts = {};
  };

  Result<Product> Produce(const Policy& policy, const ExperimentMethod& method,
                          uint64_t random_seed, Progress& progress);
  Result<Product> RunPartial(const Policy& policy, const ExperimentMethod::Partial& partial,
                             Progress& progress);
  Product RunSetPartial(const Policy& policy, OgOptions options, Progress& progress);
  // NCP and patterns.
  Status FillSets(const Dataset& published, const Publication& publication, Measured& measured);
  // bLM, terms, sizes, heights and closed patterns.
  Status FillBags(const Policy& policy, const Dataset& published, const Publication& publication,
                  Measured& measured);
  // Over all that is published: how many levels a label is above the term that it stands for.
  double MeanHeight(const Publication& publication) const;
  // As a share of the largest that a metric can have.
  double ShareOfCost(const Policy& policy, double cost) const;
  Result<BitmapGrouping> RunBitmap(const Policy& policy, Absent absent, Progress& progress);
  void FillForNobody(Measured& measured) const;
  Result<Dataset> WriteAndRead(const Policy& policy, const Publication& published,
                               Progress& progress) const;
  Status Check(const Policy& policy, const Dataset& published) const;
  Status Fill(const Dataset& published, bool rearranged, Progress& progress, Measured& measured);

  static constexpr double kShortSeconds = 0.25;

  const Experiment& experiment_;
  const PreparedData& prepared_;
  uint64_t seed_;
  Parallel& parallel_;
  Progress& progress_;
  // Whether what a search had found when its time was over is a result.
  bool keeps_stopped_ = false;
  size_t closed_count_ = 0;
};

}  // namespace thicket
