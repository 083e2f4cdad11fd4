#include "survey/value_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "policy/policy_writer.h"
#include "taxonomy/taxonomy_file.h"

namespace thicket {

namespace {

// ", missing: [NA, "?"]"; empty where no value stands for none.
std::string MissingOption(const AttributeSurvey& attribute) {
  std::string list;
  for (const std::string& text : attribute.forms.placeholders()) {
    list += (list.empty() ? "" : ", ") + YamlScalar(text);
  }
  return list.empty() ? "" : fmt::format(", missing: [{}]", list);
}

}  // namespace

void AddValueOptions(const AttributeSurvey& attribute, Guess& guess) {
  if (guess.role != GuessedRole::kQuasi || guess.recoding.empty()) return;
  const bool mask = guess.recoding.starts_with("mask");
  if (!mask && attribute.odd > 0) {
    guess.recoding += ", unknown: missing";
    const bool one = attribute.odd == 1;
    const std::string_view what = attribute.dates ? (one ? "is no such date" : "are no such dates")
                                                  : (one ? "is no number" : "are no numbers");
    guess.reason += fmt::format("; {} of {} values {}, and would be published as missing",
                                WithCommas(attribute.odd), WithCommas(attribute.present), what);
  }
  guess.recoding += MissingOption(attribute);
}

std::string DateRecoding(const AttributeSurvey& attribute) {
  const std::string format = attribute.forms.date_format().value_or("");
  return "date: [month, year, decade]" +
         (format.empty() ? std::string() : ", format: " + YamlScalar(format));
}

std::string DateDoubt(const AttributeSurvey& attribute) {
  return attribute.forms.is_ambiguous_date() ? "; check which is the day and which the month" : "";
}

std::string BucketOptions(const AttributeSurvey& attribute, const std::string& buckets) {
  if (buckets.empty() || attribute.odd > 0) return "";
  return buckets + MissingOption(attribute);
}

std::string FlatTaxonomy(const AttributeSurvey& attribute) {
  std::vector<std::string> values = attribute.values();
  std::sort(values.begin(), values.end());
  TaxonomyBuilder builder("*");
  for (std::string& value : values) builder.Add(TaxonomyBuilder::root(), std::move(value));
  return FormatTaxonomy(std::move(builder).Build());
}

}  // namespace thicket
