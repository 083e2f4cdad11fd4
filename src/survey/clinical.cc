#include "survey/clinical.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/text.h"
#include "io/documents.h"
#include "policy/policy_text.h"
#include "policy/policy_writer.h"
#include "survey/guess_names.h"
#include "survey/value_options.h"

namespace thicket {

namespace {

// Whether a path is one of these, or lies below it.
bool LiesIn(std::string_view path, std::string_view around) {
  return path == around ||
         (path.size() > around.size() && path.starts_with(around) && path[around.size()] == '/');
}

// The shortest part of a path that leads to none of the named ones.
std::string ShortestUnnamed(const std::string& path, const std::vector<std::string>& named) {
  for (size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    std::string part = path.substr(0, end);
    const bool leads = std::any_of(named.begin(), named.end(),
                                   [&](const std::string& name) { return LiesIn(name, part); });
    if (!leads) return part;
  }
  return path;
}

// "code/coding/display" of "condition" -> "condition_display".
std::string FileName(const std::string& name, const std::string& path) {
  return SafeName(name + "_" + path.substr(path.rfind('/') + 1), "values");
}

}  // namespace

ClinicalPolicy::ClinicalPolicy(Format format, std::string_view what, uint64_t documents,
                               const std::string& data_path, const std::string& policy_path) {
  proposal_.format = FormatName(format);
  Line(0, "",
       fmt::format("A first policy for {} {}s. Read every line before you publish: what an",
                   WithCommas(documents), what));
  Line(0, "",
       "adversary may know, and what must stay secret, is your decision. The identifiers of");
  Line(0, "",
       "HIPAA's safe harbour are dropped; of dates of birth years and decades are published,");
  Line(0, "", "and a day only where all look-alikes have the same.");
  Line(0, "version: 1");
  Line(0, "input:");
  Line(1, fmt::format("format: {}", FormatName(format)));
  Line(1, "path: " + YamlScalar(RelativePath(data_path, policy_path)),
       "one document per patient; -i overrides it");
}

void ClinicalPolicy::Line(size_t level, std::string_view text, std::string_view comment) {
  proposal_.policy += PolicyLine(level, text, comment);
}

std::string ClinicalPolicy::AddTaxonomy(const std::string& name, const AttributeSurvey& values) {
  std::string file = name;
  for (int i = 2; !files_.insert(file).second; ++i) file = fmt::format("{}_{}", name, i);
  std::string path = fmt::format("taxonomies/{}.csv", file);
  proposal_.files.emplace_back(path, FlatTaxonomy(values));
  return path;
}

bool ClinicalPolicy::Attributes(const std::string& name, const ClinicalKind& kind,
                                const std::vector<std::vector<ClinicalAttribute>>& attributes,
                                const std::vector<std::string>& around, size_t level, bool needed) {
  std::vector<ClinicalAttribute> found;
  for (const std::vector<ClinicalAttribute>& choice : attributes) {
    const auto first =
        std::find_if(choice.begin(), choice.end(), [&](const ClinicalAttribute& attribute) {
          const auto values = kind.values.find(attribute.path);
          return values != kind.values.end() && values->second.listed() && !values->second.star;
        });
    if (first != choice.end()) found.push_back(*first);
  }
  if (found.empty() && needed) return false;
  std::vector<std::string> named = around;
  for (const ClinicalAttribute& attribute : found) named.push_back(attribute.path);
  std::set<std::string> dropped;
  for (const auto& entry : kind.values) {
    const std::string& path = entry.first;
    const bool inside = std::any_of(around.begin(), around.end(),
                                    [&](const std::string& at) { return LiesIn(path, at); });
    const bool is_named = std::find(named.begin(), named.end(), path) != named.end();
    if (!inside && !is_named) dropped.insert(ShortestUnnamed(path, named));
  }
  if (!dropped.empty()) Line(level, "drop:");
  for (const std::string& path : dropped) Line(level + 1, "- " + YamlScalar(path));
  for (const bool sensitive : {false, true}) {
    bool first = true;
    for (const ClinicalAttribute& attribute : found) {
      if (attribute.sensitive != sensitive) continue;
      if (std::exchange(first, false)) Line(level, sensitive ? "sensitive:" : "quasi:");
      std::string recoding = attribute.recoding;
      if (recoding.empty() && !sensitive) {
        const AttributeSurvey& values = kind.values.find(attribute.path)->second;
        recoding = fmt::format("taxonomy: {}, unknown: generalize",
                               AddTaxonomy(FileName(name, attribute.path), values));
      }
      Line(level + 1, fmt::format("{}: {{{}}}", YamlScalar(attribute.path), recoding),
           attribute.why);
    }
  }
  return true;
}

Proposal ClinicalPolicy::Finish() && {
  Line(0, "privacy:");
  Line(1, "k: 2", "each patient looks like one other at least; 5 or more is usual");
  Line(1, "", "l: 2 keeps sensitive values from being guessed; add it when they are confirmed");
  Line(1, "", "(thicket plan foretells what an l costs)");
  return std::move(proposal_);
}

bool IsTooLargeForOnePatient(const std::string& file) {
  constexpr uintmax_t kLargest = uintmax_t{256} << 20;
  std::error_code failed;
  const uintmax_t size = std::filesystem::file_size(file, failed);
  return !failed && size > kLargest;
}

Result<std::optional<Proposal>> ProposeClinical(const std::string& data_path,
                                                const std::string& policy_path,
                                                const SurveyOptions& options) {
  std::optional<Proposal> none;
  for (const Format format : {Format::kJson, Format::kXml}) {
    std::vector<std::string> files;
    const std::string_view ending = format == Format::kJson ? ".json" : ".xml";
    std::error_code ignored;
    if (HoldsDocuments(format, data_path)) {
      const Result<DocumentFiles> found = FindDocuments(format, data_path, ReadAs::kOriginal);
      if (!found.ok()) continue;
      files = found->paths;
      std::erase_if(
          files, [&](const std::string& file) { return file.find(ending) == std::string::npos; });
    } else if (data_path.ends_with(ending) &&
               std::filesystem::is_regular_file(data_path, ignored)) {
      files = {data_path};
    }
    if (files.empty()) continue;
    THICKET_ASSIGN(none, format == Format::kJson
                             ? ProposeFhir(files, data_path, policy_path, options)
                             : ProposeCcda(files, data_path, policy_path, options));
    if (!none) continue;
    if (files.size() > 1 || HoldsDocuments(format, data_path)) return none;
    return ErrorAt(ErrorCode::kData, {.file = data_path},
                   fmt::format("must hold several records, but is one {}, which is one patient",
                               format == Format::kJson ? "FHIR bundle" : "C-CDA document"),
                   fmt::format("give the folder, or a pattern such as 'folder/*{}'", ending));
  }
  return none;
}

}  // namespace thicket
