// The experiments as data: which methods, on which data, over which settings, measured how, and what the paper says.
//
// Adding one is a row of Experiments(). What has no number in a paper's text (most results are in figures only) has no
// PaperResult.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"

namespace thicket {

enum class Measure { kLm, kAccuracy, kDm, kSeconds };

struct MeasureText {
  std::string_view title;
  std::string_view axis;
  int decimals;
  bool logarithmic;
};
MeasureText TextOf(Measure measure);

struct ExperimentMethod {
  std::string name;
  MethodPolicy method;
  // Run with th = 0, 0.1, ..., 1, and report the run with the least LM.
  bool best_th = false;
};

struct Sweep {
  enum class Over { kL, kK, kTh };
  Over over = Over::kL;
  std::vector<double> values;
  // kTh only: the k that is kept.
  int k = 0;

  // "l", "k" or "th".
  std::string_view name() const;
};

// What a paper's text says of methods in one measure.
struct PaperResult {
  std::vector<std::string> methods;
  Measure measure = Measure::kLm;
  std::string text;
  // A number between `low` and `high`, or, if `times` names a method, between low and high times its value here.
  struct Range {
    double low = 0;
    double high = 0;
    std::string times;
  };
  std::optional<Range> range;
};

struct Experiment {
  std::string name;
  std::string summary;
  // A data set of generate/, in as many records as it has by default.
  std::string data;
  std::vector<ExperimentMethod> methods;
  // Every sweep is measured in every measure: one panel and one table each.
  std::vector<Sweep> sweeps;
  std::vector<Measure> measures;
  std::vector<PaperResult> paper;
};

const std::vector<Experiment>& Experiments();

// One setting of one method.
struct Measured {
  size_t sweep = 0;
  double x = 0;
  size_t method = 0;
  // Of methods with th.
  std::optional<double> th;
  double lm = 0;
  std::optional<double> accuracy;
  uint64_t dm = 0;
  // Of the method alone, without reading, writing and checking.
  double seconds = 0;
  uint64_t suppressed = 0;
  uint64_t classes = 0;

  double of(Measure measure) const;
};

}  // namespace thicket
