#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/json_writer.h"
#include "base/text.h"
#include "engine/plan.h"

namespace thicket {

namespace {

std::string Percent(double share) {
  const double percent = 100 * share;
  if (percent > 0 && percent < 0.1) return "below 0.1 %";
  return fmt::format("{:.1f} %", share < 1 ? std::min(percent, 99.9) : percent);
}

}  // namespace

// Rounded so that nobody takes it for exact.
std::string Plan::TimeText() const {
  if (seconds < 1) return "less than a second";
  if (seconds < 90) return fmt::format("about {:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("about {:.0f} minutes", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("about {:.0f} hours", seconds / 3600);
  return fmt::format("about {:.0f} days", seconds / (24 * 3600));
}

std::string Plan::ToText() const {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{} records with {} vertices under {}", WithCommas(records),
                 WithCommas(vertices), model);
  if (k) fmt::format_to(out, ", k = {}", *k);
  if (l) fmt::format_to(out, ", l = {}", *l);
  fmt::format_to(out, ", by {}\n", method);
  if (!attributes.empty()) {
    const bool blamed = std::any_of(attributes.begin(), attributes.end(),
                                    [](const Attribute& of) { return of.blamed.has_value(); });
    fmt::format_to(out, "\n  {:<28} {:>8} {:>14} {:>10} {:>12}{}\n", "sensitive attribute",
                   "values", "most frequent", "largest l", "must go",
                   blamed ? "   lost for it" : "");
    for (const Attribute& of : attributes) {
      fmt::format_to(out, "  {:<28} {:>8} {:>14} {:>10} {:>12}", of.path, WithCommas(of.values),
                     Percent(of.greatest_share), WithCommas(of.largest_l), WithCommas(of.lost));
      if (of.blamed) fmt::format_to(out, " {:>13}", Percent(*of.blamed));
      text += '\n';
    }
  }
  text += '\n';
  if (trial) {
    const bool all = trial->records == records;
    fmt::format_to(out, "  tried on     {} records{}\n", WithCommas(trial->records),
                   all ? ", all of them" : " drawn at random; all of them lose less as a rule");
    if (!trial->failure.empty()) {
      fmt::format_to(out, "  outcome      {}\n", trial->failure);
    } else {
      fmt::format_to(out, "  lost         {} of the records", Percent(trial->lost_records));
      if (trial->lost_vertices) {
        fmt::format_to(out, ", {} of the vertices", Percent(*trial->lost_vertices));
      }
      text += '\n';
    }
  }
  fmt::format_to(out, "  time         {}\n", TimeText());
  return text;
}

std::string Plan::ToJson() const {
  JsonWriter json;
  json.BeginObject().Key("thicket").String(Version()).Key("model").String(model);
  json.Key("method").String(method).Key("k").Optional(k).Key("l").Optional(l);
  json.Key("records").Number(records).Key("vertices").Number(vertices);
  json.Key("attributes").BeginArray();
  for (const Attribute& of : attributes) {
    json.BeginObject().Key("path").String(of.path).Key("of_records").Boolean(of.of_records);
    json.Key("vertices").Number(of.vertices).Key("values").Number(of.values);
    json.Key("greatest_share").Number(of.greatest_share).Key("largest_l").Number(of.largest_l);
    json.Key("must_go").Number(of.lost).Key("lost_for_it").Optional(of.blamed).EndObject();
  }
  json.EndArray().Key("trial");
  if (trial) {
    json.BeginObject().Key("records").Number(trial->records).Key("seconds").Number(trial->seconds);
    json.Key("lost_records").Number(trial->lost_records);
    json.Key("lost_vertices").Optional(trial->lost_vertices);
    json.Key("published").Boolean(trial->failure.empty()).EndObject();
  } else {
    json.Null();
  }
  json.Key("seconds").Number(seconds).Key("warnings").BeginArray();
  for (const std::string& warning : warnings) json.String(warning);
  json.EndArray().EndObject();
  return json.text() + "\n";
}

}  // namespace thicket
