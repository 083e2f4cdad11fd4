// A first policy for data that has none: `thicket init`.
//
// Looks at the data, finds its classes and attributes, and guesses what each is: an identifier, something to drop, a
// quasi-identifier with a recoding, or a sensitive value. The result parses and runs as it is, and every guess stands
// beside its reason, because a guess is no decision: only the steward knows what an adversary may know. When in doubt
// an attribute is a quasi-identifier (protected) and not kept; what can be neither generalized nor listed is dropped.
//
// Tables are put into a tree first: one of persons, and below it those whose foreign keys lead there.
//
//   THICKET_ASSIGN(Proposal proposal, ProposePolicy("students.jsonl", "policy.yaml", {}));
//   proposal.policy;                // YAML with comments; never quotes a value of the data
//   proposal.files;                 // {"taxonomies/major.csv", "Computer Science;*\n..."}
//
// Looks at the first 200,000 records, or rows of each table, at most; keys are compared over all rows. Taxonomies are flat lists of the values found; where there were more records
// than were read, values that turn up later are generalized to "*".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

namespace thicket {

struct ProposeOptions {
  // postgresql: the schema that holds the tables; empty for "public".
  std::string schema = {};
  // How far the look has come, whether to stop, and how much may be held; null: nobody asks.
  Progress* progress = nullptr;
};

struct Proposal {
  std::string policy;
  // How the data is kept, as the policy says it: "jsonl".
  std::string format;
  // Files that the policy names: the path relative to the policy, and the content. They hold values of the data.
  std::vector<std::pair<std::string, std::string>> files;
};

// `data_path` is a file, a folder of tables or a connection string; `policy_path` is where the policy will stand, and paths in
// it are relative to that place. Either may be "-".
Result<Proposal> ProposePolicy(const std::string& data_path, const std::string& policy_path,
                               const ProposeOptions& options = {});
// The same for text in memory, not compressed, of a format that is one stream of bytes. `name` is what messages call it, and
// tells the format by its ending ("students.jsonl"), or, where it has none, leaves that to the content. The policy names
// no input.
Result<Proposal> ProposePolicyForText(std::string_view text, const std::string& name,
                                      const ProposeOptions& options = {});

// Proposes a policy and writes it to `policy_path`, its taxonomies beside it. All of them appear, or none. The taxonomies hold
// values of the data, so only their owner may read them. What exists is a kUsage error, unless it is to be replaced.
Result<Proposal> ProposeIntoFiles(const std::string& data_path, const std::string& policy_path,
                                  bool replace, const ProposeOptions& options);

}  // namespace thicket
