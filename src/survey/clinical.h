// Health records in HL7's formats, known by their content: FHIR bundles and C-CDA documents, one file per patient.
//
// What they hold is standardized, so a policy follows from which parts occur: the 18 identifiers of HIPAA's safe harbour are dropped (names,
// addresses below the state, dates of events, numbers, contacts), demographic values become quasi-identifiers, and diagnoses, procedures
// and drugs are sensitive. Of dates of birth years and decades are published. Resources and sections that are not known here are left out.
//
//   THICKET_ASSIGN(std::optional<Proposal> proposal, ProposeClinical("bundles", "policy.yaml", options));
//
// Looks at the first kMostSurveyed documents. Comments hold no value of the data.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "survey/propose.h"
#include "survey/survey.h"

namespace thicket {

// Nothing where the data is something else. A single bundle or document is an error: it is one patient.
Result<std::optional<Proposal>> ProposeClinical(const std::string& data_path,
                                                const std::string& policy_path,
                                                const SurveyOptions& options);

// Whether a file is larger than any patient's: such a file is not read whole to find out what it is.
bool IsTooLargeForOnePatient(const std::string& file);

// What objects or elements of one kind hold: paths to their values ("code/coding/display"), of arrays the first element.
struct ClinicalKind {
  uint64_t vertices = 0;
  std::map<std::string, AttributeSurvey, std::less<>> values = {};

  void Add(const std::string& path, std::string_view text, uint64_t record) {
    values.try_emplace(path, path).first->second.Add(text, record);
  }
  bool Has(std::string_view path) const { return values.find(path) != values.end(); }
};

// An attribute that is published where it occurs. An empty recoding of a quasi-identifier is a list of its values.
struct ClinicalAttribute {
  std::string path;
  bool sensitive = false;
  std::string recoding = {};
  std::string why = {};
};

// Writes a policy line by line.
class ClinicalPolicy {
 public:
  ClinicalPolicy(Format format, std::string_view what, uint64_t documents,
                 const std::string& data_path, const std::string& policy_path);

  void Line(size_t level, std::string_view text, std::string_view comment = "");
  // The attributes of a kind, those that occur, and what else it has under `drop`, but for what stands at the paths in `around`. Which
  // attributes a name stands for is the first of several that occurs. False, and nothing is written, where none occurs and
  // `needed` says that one must.
  bool Attributes(const std::string& name, const ClinicalKind& kind,
                  const std::vector<std::vector<ClinicalAttribute>>& attributes,
                  const std::vector<std::string>& around, size_t level, bool needed);
  Proposal Finish() &&;

 private:
  std::string AddTaxonomy(const std::string& name, const AttributeSurvey& values);

  Proposal proposal_;
  std::set<std::string> files_;
};

// Their parts.
Result<std::optional<Proposal>> ProposeFhir(const std::vector<std::string>& files,
                                            const std::string& data_path,
                                            const std::string& policy_path,
                                            const SurveyOptions& options);
Result<std::optional<Proposal>> ProposeCcda(const std::vector<std::string>& files,
                                            const std::string& data_path,
                                            const std::string& policy_path,
                                            const SurveyOptions& options);

}  // namespace thicket
