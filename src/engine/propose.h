// A first policy for data that has none: `thicket init`.
//
// Looks at the data, finds its classes and attributes, and guesses what each is: an identifier, something to drop, a
// quasi-identifier with a recoding, or a sensitive value. The result parses and runs as it is, and every guess stands
// beside its reason, because a guess is no decision: only the steward knows what an adversary may know. When in doubt
// an attribute is a quasi-identifier (protected) and not kept; what can be neither generalized nor listed is dropped.
//
//   THICKET_ASSIGN(Proposal proposal, ProposePolicy("students.jsonl", "policy.yaml"));
//   proposal.policy;                // YAML with comments; never quotes a value of the data
//   proposal.files;                 // {"taxonomies/major.csv", "Computer Science;*\n..."}
//
// Reads at most the first 200,000 records. Taxonomies are flat lists of the values found; where there were more records
// than were read, values that turn up later are generalized to "*".
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace thicket {

struct Proposal {
  std::string policy;
  // Files that the policy names: the path relative to the policy, and the content. They hold values of the data.
  std::vector<std::pair<std::string, std::string>> files;
};

// `policy_path` is where the policy will stand; paths in it are relative to that place. Either path may be "-".
Result<Proposal> ProposePolicy(const std::string& data_path, const std::string& policy_path);

}  // namespace thicket
