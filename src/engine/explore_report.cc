#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include "base/json_writer.h"
#include "base/text.h"
#include "engine/explore.h"
#include "plot/plot.h"

namespace thicket {

namespace {

// How much k or l must vary before small ones would crowd at the left of an axis.
constexpr int kWideRange = 5;

std::string Percent(double share) {
  const double percent = 100 * share;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return fmt::format("{:.1f} %", share < 1 ? std::min(percent, 99.9) : percent);
}

double ShareOf(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// A measure of a point as the tables show it. What it says of the original stands beside; empty where that is not
// known.
struct Column {
  std::string name;
  std::function<std::string(const FrontierPoint&)> cell;
  std::string of_original;
  std::string meaning;
};

std::string WholeText(const std::optional<int>& number) {
  return number ? std::to_string(*number) : "-";
}

// The columns that say what the setting is.
std::vector<Column> KeyColumns(const Frontier& frontier) {
  std::vector<Column> columns;
  const auto add = [&](const char* name, std::optional<int> FrontierPoint::*key) {
    const bool there =
        std::any_of(frontier.points.begin(), frontier.points.end(),
                    [&](const FrontierPoint& point) { return (point.*key).has_value(); });
    if (!there) return;
    columns.push_back(
        {name, [key](const FrontierPoint& point) { return WholeText(point.*key); }, "", ""});
  };
  add("k", &FrontierPoint::k);
  add("l", &FrontierPoint::l);
  return columns;
}

void AddAdversary(const Frontier& frontier, std::vector<Column>& columns) {
  if (!frontier.original) return;
  const auto add = [&](std::string name, auto of, std::string meaning) {
    columns.push_back({std::move(name),
                       [of](const FrontierPoint& point) {
                         return point.adversary ? Percent(of(*point.adversary)) : "-";
                       },
                       Percent(of(*frontier.original)), std::move(meaning)});
  };
  add(
      "found", [](const AdversarySuccess& success) { return success.found_share; },
      "people found for certain by an adversary who knows " + frontier.knowledge);
  add(
      "chance", [](const AdversarySuccess& success) { return success.mean_probability; },
      "of this adversary to find a person, on average");
  if (!frontier.original->worst_certainty) return;
  add(
      "certainty",
      [](const AdversarySuccess& success) { return success.worst_certainty.value_or(0); },
      "of this adversary about a sensitive value, at worst");
}

// The columns that say what the setting comes to; only of points that are kept.
std::vector<Column> MeasureColumns(const Frontier& frontier) {
  std::vector<Column> columns;
  columns.push_back({"LM",
                     [](const FrontierPoint& point) { return fmt::format("{:.3f}", *point.lm); },
                     "0.000", "0: nothing lost, 1: everything"});
  const uint64_t records = frontier.records;
  const uint64_t vertices = frontier.vertices;
  columns.push_back({"records lost",
                     [records](const FrontierPoint& point) {
                       return Percent(ShareOf(*point.suppressed_records, records));
                     },
                     "0.0 %", "left out whole"});
  columns.push_back({"vertices lost",
                     [vertices](const FrontierPoint& point) {
                       return Percent(ShareOf(*point.suppressed_vertices, vertices));
                     },
                     "0.0 %", "of these and of other records"});
  if (frontier.queries > 0) {
    columns.push_back({"accuracy",
                       [](const FrontierPoint& point) {
                         return fmt::format("{:.3f}", point.accuracy.value_or(0));
                       },
                       "1.000",
                       fmt::format("mean over {} count queries, each at least 0; 1 is exact",
                                   WithCommas(frontier.queries))});
  }
  AddAdversary(frontier, columns);
  return columns;
}

std::string DataText(const Frontier& frontier) {
  return fmt::format("{} record{} with {} vertices under {}, by {}, seed {}",
                     WithCommas(frontier.records), frontier.records == 1 ? "" : "s",
                     WithCommas(frontier.vertices), frontier.model, frontier.method, frontier.seed);
}

constexpr std::string_view kUnbeaten =
    "no other setting promises at least as much and loses no more";

void WriteAdversary(const std::optional<AdversarySuccess>& success, JsonWriter& json) {
  if (!success) {
    json.Null();
    return;
  }
  json.BeginObject().Key("found_share").Number(success->found_share);
  json.Key("mean_probability").Number(success->mean_probability);
  json.Key("worst_probability").Number(success->worst_probability);
  json.Key("worst_certainty").Optional(success->worst_certainty);
  json.Key("worst_certainty_anywhere").Optional(success->worst_certainty_anywhere).EndObject();
}

// What is drawn of the settings: one line for each value of the other key.
class Drawn {
 public:
  explicit Drawn(const Frontier& frontier) : frontier_(frontier) {
    const auto values = [&](std::optional<int> FrontierPoint::*key) {
      std::set<int> found;
      for (const FrontierPoint& point : frontier.points) {
        if (point.kept && point.*key) found.insert(*(point.*key));
      }
      return found;
    };
    const std::set<int> all_k = values(&FrontierPoint::k);
    const std::set<int> all_l = values(&FrontierPoint::l);
    // Along the key that takes more values.
    along_k_ = all_k.size() > 1 || all_l.size() <= 1;
    if (all_l.size() > all_k.size()) along_k_ = false;
    const std::set<int>& along = along_k_ ? all_k : all_l;
    log_x_ = along.size() > 1 && *along.rbegin() >= kWideRange * *along.begin();
    for (const FrontierPoint& point : frontier.points) others_.insert(Other(point));
  }

  template <typename Measure>
  PlotPanel Panel(std::string title, std::string axis, Measure measure) const {
    PlotPanel panel;
    panel.title = fmt::format("{} by {}", title, along_k_ ? "k" : "l");
    panel.x_label = along_k_ ? "k" : "l";
    panel.y_label = std::move(axis);
    panel.log_x = log_x_;
    size_t style = 0;
    for (const int other : others_) {
      PlotSeries series{NameOf(other), style++, {}};
      for (const FrontierPoint& point : frontier_.points) {
        if (!point.kept || Other(point) != other) continue;
        if (const std::optional<double> value = measure(point)) {
          const std::optional<int>& at = along_k_ ? point.k : point.l;
          series.points.push_back({static_cast<double>(at.value_or(1)), *value, point.unbeaten});
        }
      }
      panel.series.push_back(std::move(series));
    }
    return panel;
  }

 private:
  // 0 if there is none.
  int Other(const FrontierPoint& point) const { return (along_k_ ? point.l : point.k).value_or(0); }
  std::string NameOf(int other) const {
    if (other == 0) return frontier_.model;
    return fmt::format("{} = {}", along_k_ ? "l" : "k", other);
  }

  const Frontier& frontier_;
  bool along_k_ = true;
  bool log_x_ = false;
  std::set<int> others_;
};

// As CSV has it: in quotes, which are doubled inside.
std::string Quoted(const std::string& text) {
  if (text.empty()) return "";
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::string FrontierPoint::Name() const {
  std::string name;
  if (k) name = fmt::format("k = {}", *k);
  if (l) name += fmt::format("{}l = {}", name.empty() ? "" : ", ", *l);
  return name;
}

std::string Frontier::ToText() const {
  std::string text = DataText(*this) + "\n\n   ";
  const auto out = std::back_inserter(text);
  const std::vector<Column> keys = KeyColumns(*this);
  const std::vector<Column> measures = any_kept() ? MeasureColumns(*this) : std::vector<Column>();
  // Together as wide as the word that stands there for the original.
  const size_t key_width = keys.size() == 1 ? 8 : 4;
  const auto width = [](const Column& column) {
    return std::max<size_t>(column.name.size(), 7) + 2;
  };
  for (const Column& key : keys) fmt::format_to(out, "{:>{}}", key.name, key_width);
  for (const Column& measure : measures)
    fmt::format_to(out, "{:>{}}", measure.name, width(measure));
  text += '\n';
  for (const FrontierPoint& point : points) {
    text += point.unbeaten ? "  *" : "   ";
    for (const Column& key : keys) fmt::format_to(out, "{:>{}}", key.cell(point), key_width);
    if (!point.kept) fmt::format_to(out, "  cannot be kept: {}", point.failure);
    for (const Column& measure : measures) {
      if (point.kept) fmt::format_to(out, "{:>{}}", measure.cell(point), width(measure));
    }
    text += '\n';
  }
  if (measures.empty()) return text;
  text += "   original";
  for (const Column& measure : measures) {
    fmt::format_to(out, "{:>{}}", measure.of_original, width(measure));
  }
  fmt::format_to(out, "\n\n  {:<13}  {}\n", "*", kUnbeaten);
  for (const Column& measure : measures) {
    fmt::format_to(out, "  {:<13}  {}\n", measure.name, measure.meaning);
  }
  return text;
}

std::string Frontier::ToMarkdown() const {
  std::string text = fmt::format("# explore: {} by {}\n\n{}.\n\n|", model, method, DataText(*this));
  const auto out = std::back_inserter(text);
  const std::vector<Column> keys = KeyColumns(*this);
  const std::vector<Column> measures = any_kept() ? MeasureColumns(*this) : std::vector<Column>();
  std::string rule = "|";
  const auto head = [&](const std::string& name) {
    fmt::format_to(out, " {} |", name);
    rule += " ---: |";
  };
  for (const Column& key : keys) head(key.name);
  for (const Column& measure : measures) head(measure.name);
  text += " unbeaten |\n" + rule + " :---: |\n";
  std::string failures;
  for (const FrontierPoint& point : points) {
    text += '|';
    for (const Column& key : keys) fmt::format_to(out, " {} |", key.cell(point));
    for (const Column& measure : measures) {
      fmt::format_to(out, " {} |", point.kept ? measure.cell(point) : "-");
    }
    fmt::format_to(out, " {} |\n", point.unbeaten ? "yes" : "");
    if (!point.kept)
      failures += fmt::format("- {} cannot be kept: {}\n", point.Name(), point.failure);
  }
  if (!measures.empty()) {
    text += "| original |";
    for (size_t i = 1; i < keys.size(); ++i) text += "  |";
    for (const Column& measure : measures) fmt::format_to(out, " {} |", measure.of_original);
    fmt::format_to(out, "  |\n\n- unbeaten: {}\n", kUnbeaten);
    for (const Column& measure : measures) {
      fmt::format_to(out, "- {}: {}\n", measure.name, measure.meaning);
    }
  }
  if (!failures.empty()) text += "\n" + failures;
  return text;
}

std::string Frontier::ToCsv() const {
  std::string text =
      "k,l,kept,unbeaten,records,vertices,lm,suppressed_records,suppressed_vertices,classes,"
      "accuracy,"
      "accuracy_mean,accuracy_median,found_share,mean_probability,worst_probability,"
      "worst_certainty,worst_certainty_anywhere,failure\n";
  const auto whole = [](const auto& number) { return number ? std::to_string(*number) : ""; };
  const auto real = [](const std::optional<double>& number) {
    return number ? fmt::format("{:.6f}", *number) : "";
  };
  for (const FrontierPoint& point : points) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},", whole(point.k), whole(point.l),
                        point.kept, point.unbeaten, records, vertices, real(point.lm),
                        whole(point.suppressed_records), whole(point.suppressed_vertices),
                        whole(point.classes), real(point.accuracy), real(point.accuracy_mean),
                        real(point.accuracy_median));
    if (point.adversary) {
      const AdversarySuccess& success = *point.adversary;
      text += fmt::format("{},{},{},{},{},", real(success.found_share),
                          real(success.mean_probability), real(success.worst_probability),
                          real(success.worst_certainty), real(success.worst_certainty_anywhere));
    } else {
      text += ",,,,,";
    }
    text += Quoted(point.failure) + "\n";
  }
  return text;
}

std::string Frontier::ToJson() const {
  JsonWriter json;
  json.BeginObject().Key("thicket").String(Version()).Key("model").String(model);
  json.Key("method").String(method).Key("seed").Number(seed);
  json.Key("records").Number(records).Key("vertices").Number(vertices);
  json.Key("queries").Number(queries).Key("knowledge").String(knowledge).Key("original");
  WriteAdversary(original, json);
  json.Key("points").BeginArray();
  for (const FrontierPoint& point : points) {
    json.BeginObject().Key("k").Optional(point.k).Key("l").Optional(point.l);
    json.Key("kept").Boolean(point.kept).Key("unbeaten").Boolean(point.unbeaten);
    json.Key("lm").Optional(point.lm);
    json.Key("suppressed_records").Optional(point.suppressed_records);
    json.Key("suppressed_vertices").Optional(point.suppressed_vertices);
    json.Key("classes").Optional(point.classes).Key("accuracy").Optional(point.accuracy);
    json.Key("accuracy_mean").Optional(point.accuracy_mean);
    json.Key("accuracy_median").Optional(point.accuracy_median).Key("adversary");
    WriteAdversary(point.adversary, json);
    json.Key("seconds").Optional(point.seconds).Key("failure");
    point.kept ? json.Null() : json.String(point.failure);
    json.EndObject();
  }
  json.EndArray().Key("warnings").BeginArray();
  for (const std::string& warning : warnings) json.String(warning);
  json.EndArray().EndObject();
  return json.text() + "\n";
}

std::string Frontier::ToSvg() const {
  const auto kept = static_cast<size_t>(std::count_if(
      points.begin(), points.end(), [](const FrontierPoint& point) { return point.kept; }));
  Plot plot;
  plot.title = fmt::format("{} by {}: what each setting costs", model, method);
  plot.subtitle = fmt::format("{} records, seed {}", WithCommas(records), seed);
  if (kept < points.size()) {
    plot.subtitle += fmt::format("; {} of {} settings cannot be kept and are not shown",
                                 points.size() - kept, points.size());
  }
  plot.columns = 2;
  plot.filled = kept > 0 ? "unbeaten: " + std::string(kUnbeaten) : "";
  const Drawn drawn(*this);
  plot.panels.push_back(
      drawn.Panel("Loss", "LM", [](const FrontierPoint& point) { return point.lm; }));
  if (queries > 0) {
    plot.panels.push_back(drawn.Panel("Query accuracy", "mean accuracy",
                                      [](const FrontierPoint& point) { return point.accuracy; }));
  } else {
    plot.panels.push_back(
        drawn.Panel("Suppression", "share of vertices lost", [&](const FrontierPoint& point) {
          return std::optional(ShareOf(point.suppressed_vertices.value_or(0), vertices));
        }));
  }
  const auto of_adversary = [](auto measure) {
    return [measure](const FrontierPoint& point) -> std::optional<double> {
      if (!point.adversary) return {};
      return measure(*point.adversary);
    };
  };
  plot.panels.push_back(drawn.Panel(
      "Chance of finding a person", "mean probability",
      of_adversary([](const AdversarySuccess& success) { return success.mean_probability; })));
  if (original && original->worst_certainty) {
    plot.panels.push_back(drawn.Panel(
        "Certainty about a secret", "worst certainty",
        of_adversary([](const AdversarySuccess& success) { return success.worst_certainty; })));
  }
  return thicket::ToSvg(plot);
}

}  // namespace thicket
