// Records of a program's own, for which nobody has written a policy: a first one is proposed, and used as it is. Nothing here
// touches a file.
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "engine/records.h"
#include "engine/thicket.h"
#include "survey/propose.h"

struct Visit {
  std::string date;
  std::string diagnosis;
};
struct Patient {
  std::string id;
  std::string town;
  std::vector<Visit> visits;
};

thicket::Result<thicket::Proposal> Propose(const std::vector<Patient>& patients) {
  thicket::ProposalBuilder builder("patients");
  for (const Patient& patient : patients) {
    THICKET_TRY(builder.BeginRecord());
    THICKET_TRY(builder.Set("patient_id", patient.id));
    THICKET_TRY(builder.Set("town", patient.town));
    for (const Visit& visit : patient.visits) {
      THICKET_TRY(builder.OpenVertex("visits"));
      THICKET_TRY(builder.Set("date", visit.date));
      THICKET_TRY(builder.Set("diagnosis", visit.diagnosis));
      THICKET_TRY(builder.CloseVertex());
    }
    THICKET_TRY(builder.EndRecord());
  }
  return std::move(builder).Finish();
}

thicket::Result<std::string> Publish(const std::vector<Patient>& patients) {
  THICKET_ASSIGN(const thicket::Proposal proposal, Propose(patients));
  std::cout << proposal.policy;  // to be read by whoever knows what an adversary may know
  thicket::PolicyParts parts;
  parts.taxonomies = proposal.Taxonomies();
  THICKET_ASSIGN(const thicket::LoadedPolicy policy,
                 thicket::LoadPolicyText(proposal.policy, parts));

  thicket::Progress progress;
  thicket::RecordBuilder builder(policy, thicket::RecordsAs::kOriginal, progress, "patients");
  for (const Patient& patient : patients) {
    THICKET_TRY(builder.BeginRecord());
    THICKET_TRY(builder.Set("patient_id", {.text = patient.id}));
    THICKET_TRY(builder.Set("town", {.text = patient.town}));
    for (const Visit& visit : patient.visits) {
      THICKET_TRY(builder.OpenVertex("visit"));
      THICKET_TRY(builder.Set("date", {.text = visit.date}));
      THICKET_TRY(builder.Set("diagnosis", {.text = visit.diagnosis}));
      THICKET_TRY(builder.CloseVertex());
    }
    THICKET_TRY(builder.EndRecord());
  }
  THICKET_ASSIGN(thicket::RecordSet original, std::move(builder).Finish());
  thicket::RunOptions options;
  options.seed = 7;
  THICKET_ASSIGN(const thicket::AnonymizedRecords result,
                 thicket::AnonymizeRecords(policy, std::move(original), options, progress));
  return thicket::FormatRecords(policy, result.records, progress);
}

int main() {
  const auto published = Publish({{"P1", "Ulm", {{"2021-03-04", "flu"}, {"2021-05-06", "cold"}}},
                                  {"P2", "Bonn", {{"2021-03-09", "cold"}}},
                                  {"P3", "Ulm", {{"2021-03-11", "flu"}}},
                                  {"P4", "Bonn", {{"2021-03-02", "flu"}}}});
  if (!published.ok()) {
    std::cerr << published.error().message << "\n  " << published.error().hint << "\n";
    return static_cast<int>(published.error().code);
  }
  std::cout << *published;
  return 0;
}
