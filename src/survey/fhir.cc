// FHIR bundles: https://hl7.org/fhir/. One bundle is one patient, with everything that is known of the patient in one array.
#include <simdjson.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "io/file/source.h"
#include "policy/policy_writer.h"
#include "record/vertex_path.h"
#include "survey/clinical.h"

namespace thicket {

namespace {

using simdjson::SUCCESS;
using JsonArray = simdjson::dom::array;
using JsonElement = simdjson::dom::element;
using JsonObject = simdjson::dom::object;

constexpr size_t kDeepest = 8;
constexpr size_t kBeginning = size_t{64} << 10;

struct Resource {
  std::string type;
  std::string name;
  std::vector<std::vector<ClinicalAttribute>> attributes;
};

std::vector<ClinicalAttribute> Coded(const std::string& path, bool sensitive,
                                     const std::string& why) {
  return {{path + "/coding/display", sensitive, "", why},
          {path + "/text", sensitive, "", why},
          {path + "/coding/code", sensitive, "", why}};
}

const std::vector<Resource>& Resources() {
  static const std::vector<Resource> resources = {
      {"Patient",
       "patient",
       {{{"gender"}},
        {{"birthDate", false, "date: [year, decade]", "a date: years at the finest"}},
        {{"address/state"}},
        {{"address/country"}},
        {{"maritalStatus/coding/code"}, {"maritalStatus/text"}},
        {{"communication/language/coding/code"}}}},
      {"Encounter", "encounter", {{{"class/code"}}, Coded("type", false, "")}},
      {"Condition", "condition", {Coded("code", true, "diagnoses")}},
      {"Procedure", "procedure", {Coded("code", true, "procedures")}},
      {"Observation", "observation", {Coded("code", true, "what was observed")}},
      {"DiagnosticReport", "report", {Coded("code", true, "what was examined")}},
      {"MedicationRequest", "prescription", {Coded("medicationCodeableConcept", true, "drugs")}},
      {"MedicationStatement", "medication", {Coded("medicationCodeableConcept", true, "drugs")}},
      {"AllergyIntolerance", "allergy", {Coded("code", true, "allergies")}},
      {"Immunization", "immunization", {Coded("vaccineCode", false, "")}},
  };
  return resources;
}

class BundleSurvey {
 public:
  // False if the document is no bundle.
  bool Add(JsonElement document) {
    JsonObject bundle;
    std::string_view type;
    if (document.get(bundle) != SUCCESS || bundle["resourceType"].get(type) != SUCCESS ||
        type != "Bundle") {
      return false;
    }
    ++documents_;
    for (const auto member : bundle) {
      const std::string key = StepOf(member.key);
      if (member.key == "entry") {
        AddEntries(member.value);
      } else {
        Flatten(member.value, key, 1, root_);
      }
    }
    return true;
  }

  Proposal Write(const std::string& data_path, const std::string& policy_path) {
    ClinicalPolicy policy(Format::kJson, "FHIR bundle", documents_, data_path, policy_path);
    policy.Line(0, "record:");
    policy.Line(1, "class: bundle");
    Keep(policy);
    policy.Attributes("bundle", root_, {}, {"entry/resource"}, 1, false);
    policy.Line(1, "children:");
    for (const Resource& resource : Resources()) {
      const auto kind = kinds_.find(resource.type);
      if (kind == kinds_.end()) continue;
      ClinicalPolicy probe = policy;
      probe.Line(2, "- class: " + resource.name);
      probe.Line(3, "at: entry/resource");
      probe.Line(3, "where: {resourceType: " + resource.type + "}");
      kind->second.values.erase("resourceType");
      if (probe.Attributes(resource.name, kind->second, resource.attributes, {}, 3, true)) {
        policy = std::move(probe);
        kinds_.erase(kind);
      }
    }
    for (const auto& [type, kind] : kinds_) {
      policy.Line(1, "", "left out: resources of type " + YamlScalar(type));
    }
    return std::move(policy).Finish();
  }

 private:
  // What says how a bundle is written, where all of them say the same.
  void Keep(ClinicalPolicy& policy) {
    bool first = true;
    for (const char* key : {"resourceType", "type"}) {
      const auto found = root_.values.find(key);
      if (found == root_.values.end() || found->second.distinct() != 1) continue;
      if (std::exchange(first, false)) policy.Line(1, "keep:");
      policy.Line(
          2, std::string(key) + ": {constant: " + YamlScalar(found->second.values().front()) + "}");
      root_.values.erase(found);
    }
  }

  void AddEntries(JsonElement value) {
    JsonArray entries;
    if (value.get(entries) != SUCCESS) return;
    for (const JsonElement entry : entries) {
      JsonObject object;
      if (entry.get(object) != SUCCESS) continue;
      for (const auto member : object) {
        if (member.key == "resource") {
          AddResource(member.value);
        } else {
          Flatten(member.value, "entry/" + StepOf(member.key), 2, root_);
        }
      }
    }
  }

  void AddResource(JsonElement resource) {
    JsonObject object;
    std::string_view type;
    if (resource.get(object) != SUCCESS || object["resourceType"].get(type) != SUCCESS) return;
    ClinicalKind& kind = kinds_[std::string(type)];
    ++kind.vertices;
    for (const auto member : object) Flatten(member.value, StepOf(member.key), 1, kind);
  }

  void Flatten(JsonElement value, const std::string& path, size_t depth, ClinicalKind& into) {
    JsonArray array;
    JsonObject object;
    while (value.get(array) == SUCCESS) {
      if (array.begin() == array.end()) return;
      value = *array.begin();
    }
    if (value.get(object) == SUCCESS) {
      if (depth > kDeepest) return;
      for (const auto member : object) {
        Flatten(member.value, path + "/" + StepOf(member.key), depth + 1, into);
      }
      return;
    }
    std::string_view text;
    if (value.get(text) == SUCCESS) {
      into.Add(path, text, documents_);
    } else if (!value.is_null()) {
      into.Add(path, simdjson::minify(value), documents_);
    }
  }

  uint64_t documents_ = 0;
  ClinicalKind root_;
  std::map<std::string, ClinicalKind> kinds_;
};

// Whether the beginning of a file names the type of a resource, as that of every bundle does: others are not read whole to find out.
bool MayBeFhir(const std::string& file) {
  const Result<std::unique_ptr<Source>> source = Source::Open(file);
  if (!source.ok()) return false;
  std::string beginning(kBeginning, '\0');
  size_t size = 0;
  while (size < beginning.size()) {
    const Result<size_t> got = (*source)->Read(beginning.data() + size, beginning.size() - size);
    if (!got.ok()) return false;
    if (*got == 0) break;
    size += *got;
  }
  return std::string_view(beginning).substr(0, size).find("\"resourceType\"") !=
         std::string_view::npos;
}

}  // namespace

Result<std::optional<Proposal>> ProposeFhir(const std::vector<std::string>& files,
                                            const std::string& data_path,
                                            const std::string& policy_path,
                                            const SurveyOptions& options) {
  BundleSurvey survey;
  simdjson::dom::parser parser;
  for (size_t i = 0; i < std::min<size_t>(files.size(), kMostSurveyed); ++i) {
    if (options.progress != nullptr && options.progress->cancelled()) return Interrupted();
    if (IsTooLargeForOnePatient(files[i]) || !MayBeFhir(files[i])) return std::optional<Proposal>();
    ReadAllOptions reading;
    reading.what = "a document";
    reading.progress = options.progress;
    const Result<std::string> text = ReadAll(files[i], reading);
    // What is wrong with a document is said where it is read as one.
    if (!text.ok()) return std::optional<Proposal>();
    JsonElement document;
    if (parser.parse(*text).get(document) != SUCCESS || !survey.Add(document)) {
      return std::optional<Proposal>();
    }
  }
  return std::optional<Proposal>(survey.Write(data_path, policy_path));
}

}  // namespace thicket
