#include "engine/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "base/json_writer.h"
#include "base/phase.h"
#include "base/stop.h"
#include "base/supervised.h"
#include "base/text.h"
#include "engine/content.h"
#include "engine/levels_of_dataset.h"
#include "engine/record_content.h"
#include "io/dataset_io.h"
#include "io/file/file_plan.h"
#include "privacy/diversity.h"
#include "privacy/levels_of_data.h"
#include "record/fold_warnings.h"

namespace thicket {

namespace {

using Kind = SensitivityLevels::Kind;

std::string Short(double number) { return fmt::format("{:.4g}", number); }

std::string HowText(const SensitivityLevels& policy, const AttributeLevels& found) {
  if (policy.kind == Kind::kGiven) return "as the policy gives them";
  if (policy.kind == Kind::kFrequency) return "by how often a value occurs, rare is sensitive";
  return fmt::format("by size from {} to {}{}, {} is sensitive", Short(found.sets->min()),
                     Short(found.sets->max()), policy.FromData() ? " (as in the data)" : "",
                     policy.low_is_sensitive ? "low" : "high");
}

std::string RangeText(const SensitivityLevels& policy, const AttributeLevels& found, size_t level) {
  if (!found.sets || !(found.sets->min() < found.sets->max())) return "";
  const std::array<double, 4> bounds = found.sets->Bounds();
  const bool low = policy.low_is_sensitive || policy.kind == Kind::kFrequency;
  const size_t set = low ? SensitivityLevels::kCount + 1 - level : level;
  if (set == 1) return "below " + Short(bounds[0]);
  if (set == SensitivityLevels::kCount) return "above " + Short(bounds[3]);
  return Short(bounds[set - 2]) + " to " + Short(bounds[set - 1]);
}

LevelsReport::Attribute Describe(const Dataset& data, ClassId id, size_t attribute,
                                 const AttributeLevels& found) {
  const VertexClass& type = data.schema->classes[id];
  const size_t slot = type.sensitive_slot(attribute);
  const std::string path = data.schema->PathOf(id);
  LevelsReport::Attribute result;
  result.path =
      path.empty() ? type.sensitive[attribute].name : path + "." + type.sensitive[attribute].name;
  result.how = HowText(type.sensitive[attribute].levels, found);
  std::array<std::set<std::string>, SensitivityLevels::kCount> texts;
  const Dictionary& dictionary = data.dictionaries[id][slot];
  for (Symbol symbol = 0; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    if (found.count_of_symbol[symbol] == 0) continue;
    const size_t i = found.level_of_symbol[symbol] - 1;
    result.levels[i].values += found.count_of_symbol[symbol];
    if (symbol != kMissing) texts[i].emplace(dictionary.text(symbol));
  }
  for (RecordId record = 0; record < data.forest.record_count(); ++record) {
    StopPoint();
    std::array<bool, SensitivityLevels::kCount> has{};
    const Vertex begin = data.forest.root(record);
    for (Vertex v = begin; v < begin + data.forest.record_size(record); ++v) {
      if (data.forest.class_of(v) != id) continue;
      has[found.level_of_symbol[data.forest.value(v, slot)] - 1] = true;
    }
    for (size_t i = 0; i < has.size(); ++i) result.levels[i].records += has[i] ? 1 : 0;
  }
  for (size_t i = 0; i < result.levels.size(); ++i) {
    result.levels[i].range = RangeText(type.sensitive[attribute].levels, found, i + 1);
    result.levels[i].distinct = texts[i].size();
    result.levels[i].texts.assign(texts[i].begin(), texts[i].end());
  }
  return result;
}

// What alpha and k make of the levels.
void AddCapacities(const PrivacyPolicy& privacy, LevelsReport& report) {
  DiversityRule rule;
  rule.alpha = *privacy.alpha;
  for (LevelsReport::Attribute& attribute : report.attributes) {
    for (uint32_t level = 1; level <= attribute.levels.size(); ++level) {
      LevelsReport::Level& of = attribute.levels[level - 1];
      of.most = rule.Capacity(level, privacy.class_size());
      of.least_k = rule.LeastClassSize(level);
      if (*of.most > 0 || of.values == 0) continue;
      report.warnings.push_back(fmt::format(
          "{}: level {} can never be published: alpha allows less than one value of it among k = "
          "{}, so {} {} be suppressed; k = {} would do",
          attribute.path, level, privacy.class_size(), WithCommas(of.values),
          of.values == 1 ? "vertex will" : "vertices will", *of.least_k));
    }
  }
}

}  // namespace

Result<LevelsReport> DescribeLevels(const Policy& policy, const Dataset& data) {
  LevelsReport report;
  report.k = policy.privacy.k;
  size_t attributes = 0;
  for (const VertexClass& type : data.schema->classes) attributes += type.sensitive.size();
  Phase phase("levels", attributes);
  for (size_t id = 0; id < data.schema->classes.size(); ++id) {
    const auto& sensitive = data.schema->classes[id].sensitive;
    for (size_t i = 0; i < sensitive.size(); ++i) {
      phase.Advance();
      if (sensitive[i].levels.kind == Kind::kNone) continue;
      THICKET_ASSIGN(const AttributeLevels found, ReadLevels(data, static_cast<ClassId>(id), i));
      report.attributes.push_back(Describe(data, static_cast<ClassId>(id), i, found));
    }
  }
  if (policy.privacy.alpha) AddCapacities(policy.privacy, report);
  return report;
}

namespace {

Status MustHaveLevels(const Policy& rules) {
  const bool has_levels = std::any_of(
      rules.schema->classes.begin(), rules.schema->classes.end(), [](const VertexClass& type) {
        return std::any_of(type.sensitive.begin(), type.sensitive.end(), [](const auto& attribute) {
          return attribute.levels.kind != Kind::kNone;
        });
      });
  if (!has_levels) {
    return ErrorAt(
        ErrorCode::kUsage, {.file = rules.file},
        "a sensitive attribute must have levels, but none has",
        "add levels: {min: 0, max: 4, sensitive: low}, {1: [a, b], 5: [c]} or frequency");
  }
  return {};
}

// With what is to be said about the data itself.
Result<LevelsReport> LevelsOf(const Policy& rules, const Dataset& data, Progress& progress) {
  std::vector<std::string> warnings;
  for (const Warning& warning : data.warnings) warnings.push_back(warning.message);
  for (const Warning& warning : FoldWarnings(data)) warnings.push_back(warning.message);
  for (const std::string& warning : warnings) progress.Warn(warning);
  THICKET_ASSIGN(LevelsReport report, DescribeLevels(rules, data));
  report.warnings.insert(report.warnings.begin(), warnings.begin(), warnings.end());
  return report;
}

Result<LevelsReport> LevelsOfFileNow(const LoadedPolicy& policy, const std::string& input,
                                     Progress& progress) {
  const Policy& rules = policy.content().policy;
  THICKET_TRY(MustHaveLevels(rules));
  THICKET_ASSIGN(const std::string path, InputOf(policy, input));
  FilePlan files;
  files.ReadPolicy(rules);
  files.ReadData(rules, path, "the input");
  THICKET_TRY(files.Check());
  THICKET_ASSIGN(const Dataset data, ReadDataset(rules, path, ReadAs::kOriginal, progress));
  return LevelsOf(rules, data, progress);
}

}  // namespace

Result<LevelsReport> LevelsOfFile(const LoadedPolicy& policy, const std::string& input,
                                  Progress& progress) {
  return Supervised(progress, [&] { return LevelsOfFileNow(policy, input, progress); });
}

Result<LevelsReport> LevelsOfRecords(const LoadedPolicy& policy, const RecordSet& original,
                                     Progress& progress) {
  return Supervised(progress, [&]() -> Result<LevelsReport> {
    THICKET_TRY(MustHaveLevels(policy.content().policy));
    THICKET_TRY(MustBe(policy, original, RecordsAs::kOriginal));
    return LevelsOf(policy.content().policy, original.content().data, progress);
  });
}

std::string LevelsReport::ToText(bool show_values) const {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const Attribute& attribute : attributes) {
    fmt::format_to(out, "{}: levels {}\n", attribute.path, attribute.how);
    const bool has_most = attribute.levels[0].most.has_value();
    fmt::format_to(out, "  {:>5}  {:<18} {:>10} {:>10} {:>10}", "level", "range", "distinct",
                   "values", "records");
    if (has_most) fmt::format_to(out, " {:>12} {:>8}", fmt::format("most of {}", *k), "least k");
    text += '\n';
    for (size_t i = 0; i < attribute.levels.size(); ++i) {
      const Level& of = attribute.levels[i];
      fmt::format_to(out, "  {:>5}  {:<18} {:>10} {:>10} {:>10}", i + 1, of.range,
                     WithCommas(of.distinct), WithCommas(of.values), WithCommas(of.records));
      if (has_most) fmt::format_to(out, " {:>12} {:>8}", *of.most, *of.least_k);
      text += '\n';
      if (!show_values) continue;
      for (const std::string& value : of.texts) fmt::format_to(out, "         {}\n", value);
    }
  }
  return text;
}

std::string LevelsReport::ToJson(bool show_values) const {
  JsonWriter json;
  json.BeginObject().Key("thicket").String(Version()).Key("k").Optional(k);
  json.Key("attributes").BeginArray();
  for (const Attribute& attribute : attributes) {
    json.BeginObject().Key("path").String(attribute.path).Key("how").String(attribute.how);
    json.Key("levels").BeginArray();
    for (size_t i = 0; i < attribute.levels.size(); ++i) {
      const Level& of = attribute.levels[i];
      json.BeginObject().Key("level").Number(uint64_t{i + 1}).Key("range").String(of.range);
      json.Key("distinct").Number(of.distinct).Key("values").Number(of.values);
      json.Key("records").Number(of.records);
      json.Key("most").Optional(of.most).Key("least_k").Optional(of.least_k);
      if (show_values) {
        json.Key("texts").BeginArray();
        for (const std::string& value : of.texts) json.String(value);
        json.EndArray();
      }
      json.EndObject();
    }
    json.EndArray().EndObject();
  }
  json.EndArray().Key("warnings").BeginArray();
  for (const std::string& warning : warnings) json.String(warning);
  json.EndArray().EndObject();
  return json.text() + "\n";
}

}  // namespace thicket
