#include "experiment/experiment_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/text.h"
#include "policy/method_table.h"

namespace thicket {

namespace {

const PaperResult* PaperOn(const Experiment& experiment, const std::string& method,
                           Measure measure) {
  for (const PaperResult& paper : experiment.paper) {
    const auto& named = paper.methods;
    if (paper.measure == measure && std::find(named.begin(), named.end(), method) != named.end()) {
      return &paper;
    }
  }
  return nullptr;
}

// The paper's range in the terms of this run, or nothing.
std::optional<PlotBand::Range> RangeAt(const ExperimentResult& result, const PaperResult& paper,
                                       size_t sweep, double x) {
  if (!paper.range) return {};
  if (paper.range->times.empty()) return PlotBand::Range{x, paper.range->low, paper.range->high};
  const std::vector<ExperimentMethod>& methods = result.experiment->methods;
  for (size_t method = 0; method < methods.size(); ++method) {
    if (methods[method].name != paper.range->times) continue;
    const Measured* base = result.Find(sweep, x, method);
    if (base == nullptr) return {};
    const double value = base->of(paper.measure);
    return PlotBand::Range{x, paper.range->low * value, paper.range->high * value};
  }
  return {};
}

std::string Title(const ExperimentResult& result) {
  return fmt::format("{}: {}", result.experiment->name, result.experiment->summary);
}

std::string DataText(const ExperimentResult& result) {
  const auto& sweeps = result.experiment->sweeps;
  const bool sizes = std::any_of(sweeps.begin(), sweeps.end(), [](const Sweep& sweep) {
    return sweep.over == Sweep::Over::kSize;
  });
  std::string text = result.is_given
                         ? fmt::format("{} records of the user's, seed {}",
                                       WithCommas(result.experiment->records), result.seed)
                         : fmt::format("{} generated records of {}{}, seed {}",
                                       WithCommas(result.experiment->records),
                                       fmt::join(result.experiment->DataSets(), " and of "),
                                       sizes ? ", and the first of them" : "", result.seed);
  std::string last;
  for (const ExperimentMethod& method : result.experiment->methods) {
    if (method.runs == 1) continue;
    // Schemes stand in parentheses.
    std::string name = method.name.substr(0, method.name.find(" ("));
    if (name == last) continue;
    text += fmt::format("; {}: mean of {} runs", name, method.runs);
    last = std::move(name);
  }
  return text;
}

std::string MetricText(const std::string& metric) {
  return metric == "lm" ? "LM" : metric == "dm" ? "DM" : "CM";
}

// What is kept of the promise for sets.
std::string SetText(const Sweep& sweep) {
  using Over = Sweep::Over;
  std::vector<std::string> kept;
  const auto add = [&](std::string_view name, int value, bool is_swept) {
    if (!is_swept && value > 0) kept.push_back(fmt::format("{} = {}", name, value));
  };
  const bool by_power = sweep.over == Over::kMn;
  add("k", sweep.k, sweep.over == Over::kK);
  add("l", sweep.l, sweep.over == Over::kL);
  add("m", sweep.m, sweep.over == Over::kM || by_power);
  add("n", sweep.n, sweep.over == Over::kN || by_power);
  add("sensitive items", static_cast<int>(sweep.secrets), sweep.over == Over::kSecrets);
  return fmt::format(" at {}", fmt::join(kept, ", "));
}

// "1m", "8h", "1d", "1w", "all".
std::string GapText(double seconds) {
  if (seconds >= Sweep::kNoGap) return "all";
  const struct {
    double seconds;
    char letter;
  } units[] = {{604'800, 'w'}, {86'400, 'd'}, {3'600, 'h'}, {60, 'm'}};
  for (const auto& unit : units) {
    if (seconds >= unit.seconds && std::fmod(seconds, unit.seconds) == 0) {
      return fmt::format("{}{}", NumberText(seconds / unit.seconds), unit.letter);
    }
  }
  return NumberText(seconds) + "s";
}

// What is kept of the promise for bags.
std::string BagText(const Sweep& sweep) {
  using Over = Sweep::Over;
  std::vector<std::string> kept;
  if (sweep.over != Over::kGap && sweep.gap_s > 0) {
    kept.push_back(fmt::format("gap = {}", GapText(sweep.gap_s)));
  }
  if (sweep.over != Over::kK) kept.push_back(fmt::format("k = {}", sweep.k));
  if (sweep.over != Over::kEpsilon) kept.push_back(fmt::format("epsilon = {}", sweep.epsilon));
  return fmt::format(" at {}", fmt::join(kept, ", "));
}

std::string PanelTitle(const Sweep& sweep, Measure measure) {
  std::string title = fmt::format("{} by {}{}", TextOf(measure).title, sweep.name(),
                                  sweep.data.empty() ? "" : fmt::format(" on {}", sweep.data));
  if (!sweep.metric.empty()) title += ", " + MetricText(sweep.metric);
  if (sweep.of_sets) return title + SetText(sweep);
  if (sweep.of_bags) return title + BagText(sweep);
  if (sweep.l > 0) title += fmt::format(" at l = {}", sweep.l);
  if (sweep.from_frequency) title += ", thresholds by frequency";
  if (sweep.grain != CensusGrain::kStandard) {
    title += fmt::format(", taxonomies of {} cuts", WithCommas(CutsOf(sweep.grain)));
  }
  return sweep.over == Sweep::Over::kTh ? fmt::format("{} at k = {}", title, sweep.k) : title;
}

std::string SettingText(const Sweep& sweep, double x) {
  if (sweep.over == Sweep::Over::kGap) return GapText(x);
  const bool large = sweep.over == Sweep::Over::kSize || sweep.over == Sweep::Over::kCuts ||
                     sweep.over == Sweep::Over::kClosed;
  return large ? WithCommas(static_cast<uint64_t>(x)) : NumberText(x);
}

std::string Number(double value, Measure measure) {
  const bool is_count = measure == Measure::kDm || measure == Measure::kPatterns ||
                        measure == Measure::kThreats || measure == Measure::kItemsets ||
                        measure == Measure::kCutCount || measure == Measure::kBagCount;
  if (is_count) return WithCommas(static_cast<uint64_t>(value));
  // Of long paths it has many zeros behind the point; so have few of many cuts.
  if (measure == Measure::kRpd || measure == Measure::kExamined)
    return fmt::format("{:#.{}g}", value, TextOf(measure).decimals);
  return fmt::format("{:.{}f}", value, TextOf(measure).decimals);
}

std::string Cell(const Experiment& experiment, const Measured* measured, Measure measure) {
  if (measured == nullptr || std::isnan(measured->of(measure))) return "-";
  std::string text = Number(measured->of(measure), measure);
  if (experiment.methods[measured->method].best_th && measured->th) {
    text += fmt::format(" (th {})", NumberText(*measured->th));
  }
  return text;
}

std::string Table(const ExperimentResult& result, size_t sweep_index, Measure measure) {
  const Experiment& experiment = *result.experiment;
  const Sweep& sweep = experiment.sweeps[sweep_index];
  const bool quoted =
      std::any_of(experiment.paper.begin(), experiment.paper.end(),
                  [&](const PaperResult& paper) { return paper.measure == measure; });
  std::string text = "| " + std::string(TextOf(measure).axis) + " |";
  std::string rule = "| --- |";
  for (const double x : sweep.values) {
    text += fmt::format(" {} = {} |", sweep.name(), SettingText(sweep, x));
    rule += " ---: |";
  }
  text += (quoted ? " the paper |\n" : "\n") + rule + (quoted ? " --- |\n" : "\n");
  for (size_t method = 0; method < experiment.methods.size(); ++method) {
    if (!sweep.Runs(experiment.methods[method])) continue;
    const std::string& name = experiment.methods[method].name;
    text += "| " + name + " |";
    for (const double x : sweep.values) {
      text += fmt::format(" {} |", Cell(experiment, result.Find(sweep_index, x, method), measure));
    }
    const PaperResult* paper = PaperOn(experiment, name, measure);
    if (quoted) text += fmt::format(" {} |", paper != nullptr ? paper->text : "");
    text += "\n";
  }
  return text;
}

}  // namespace

const Measured* ExperimentResult::Find(size_t sweep, double x, size_t method) const {
  for (const Measured& one : measured) {
    if (one.sweep == sweep && one.x == x && one.method == method) return &one;
  }
  return nullptr;
}

std::string ToCsv(const ExperimentResult& result) {
  const Experiment& experiment = *result.experiment;
  std::string text =
      "data,records,seed,k,l,m,n,g,method,th,lm,query_accuracy,dm,dissimilarity,level_distance,rpd,"
      "ml2,dml2,seconds,suppressed_records,classes,paper_low,paper_high,cost,cuts_examined,ncp,"
      "patterns,pattern_error,threats,itemsets,cuts,epsilon,session_gap_s,closed_patterns,bags,"
      "mean_bag_size,height,distinct_terms,size_share,blm,recall,s_dist\n";
  auto out = std::back_inserter(text);
  const auto whole = [](const std::optional<int>& value) {
    return value ? std::to_string(*value) : "";
  };
  const auto optional = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.6f}", *value) : "";
  };
  for (const Measured& one : result.measured) {
    const Sweep& sweep = experiment.sweeps[one.sweep];
    const ExperimentMethod& method = experiment.methods[one.method];
    const PrivacyPolicy privacy = sweep.PrivacyAt(one.x, method.method);
    const bool has_g = RowOf(method.method).Takes(&MethodPolicy::g);
    fmt::format_to(out, "{},{},{},{},{},{},{},{},{},{},", experiment.DataOf(one.sweep),
                   experiment.RecordsAt(one.sweep, one.x), result.seed, whole(privacy.k),
                   whole(privacy.l), whole(privacy.m), whole(privacy.n),
                   has_g ? std::to_string(sweep.MethodAt(one.x, method.method).g) : "", method.name,
                   one.th ? NumberText(*one.th) : "");
    fmt::format_to(out, "{:.6f},{},{},{},{},{},{},{},{:.6f},{},{},", one.lm, optional(one.accuracy),
                   one.dm, optional(one.dissimilarity), optional(one.level_distance),
                   one.rpd ? fmt::format("{:.9g}", *one.rpd) : "", optional(one.ml2),
                   optional(one.dml2), one.seconds, one.suppressed, one.classes);
    const PaperResult* paper = PaperOn(experiment, method.name, experiment.measures.front());
    const auto range = paper != nullptr ? RangeAt(result, *paper, one.sweep, one.x) : std::nullopt;
    text += range ? fmt::format("{:.6g},{:.6g},", range->low, range->high) : ",,";
    text += fmt::format("{},{},", optional(one.cost),
                        one.examined ? fmt::format("{:.9g}", *one.examined) : "");
    const auto count = [](const std::optional<double>& value) {
      return value ? fmt::format("{:.0f}", *value) : "";
    };
    text +=
        fmt::format("{},{},{},{},{},{},", optional(one.ncp), count(one.patterns),
                    optional(one.error), count(one.threats), count(one.itemsets), count(one.cuts));
    const double gap = sweep.GapAt(one.x);
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", whole(privacy.epsilon),
                        gap > 0 && gap < Sweep::kNoGap ? NumberText(gap) : "",
                        sweep.of_bags ? std::to_string(sweep.ClosedAt(one.x)) : "", count(one.bags),
                        optional(one.bag_size), optional(one.height), optional(one.distinct_terms),
                        optional(one.size_share), optional(one.blm), optional(one.recall),
                        optional(one.step_distance));
  }
  return text;
}

std::string ToMarkdown(const ExperimentResult& result) {
  std::string text = fmt::format("# {}\n\n{}.\n", Title(result), DataText(result));
  for (size_t sweep = 0; sweep < result.experiment->sweeps.size(); ++sweep) {
    for (const Measure measure : result.experiment->MeasuresOf(sweep)) {
      text += fmt::format("\n{}:\n\n{}", PanelTitle(result.experiment->sweeps[sweep], measure),
                          Table(result, sweep, measure));
    }
  }
  return text;
}

Plot ToPlot(const ExperimentResult& result) {
  const Experiment& experiment = *result.experiment;
  Plot plot{Title(result), DataText(result), {}};
  for (size_t i = 0; i < experiment.sweeps.size(); ++i) {
    const Sweep& sweep = experiment.sweeps[i];
    for (const Measure measure : experiment.MeasuresOf(i)) {
      const MeasureText text = TextOf(measure);
      PlotPanel panel{PanelTitle(sweep, measure),
                      std::string(sweep.name()),
                      std::string(text.axis),
                      text.logarithmic,
                      {},
                      {},
                      sweep.log_x};
      for (size_t method = 0; method < experiment.methods.size(); ++method) {
        if (!sweep.Runs(experiment.methods[method])) continue;
        PlotSeries series{experiment.methods[method].name, method, {}};
        for (const double x : sweep.values) {
          const Measured* one = result.Find(i, x, method);
          if (one != nullptr && !std::isnan(one->of(measure))) {
            series.points.push_back({x, one->of(measure)});
          }
        }
        panel.series.push_back(std::move(series));
      }
      for (const PaperResult& paper : experiment.paper) {
        if (!paper.range || paper.measure != measure) continue;
        PlotBand band{"paper, " + paper.methods.front() + ": " + paper.text, PlotBand::kGrey, {}};
        for (size_t method = 0; method < experiment.methods.size(); ++method) {
          if (paper.methods.size() == 1 && experiment.methods[method].name == paper.methods[0]) {
            band.style = method;
          }
        }
        if (paper.methods.size() > 1) band.name = "paper: " + paper.text;
        for (const double x : sweep.values) {
          const auto range = RangeAt(result, paper, i, x);
          if (range) band.ranges.push_back(*range);
        }
        panel.bands.push_back(std::move(band));
      }
      plot.panels.push_back(std::move(panel));
    }
  }
  return plot;
}

}  // namespace thicket
