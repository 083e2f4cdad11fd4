// A first policy for data that has none: `thicket init`.
//
// Looks at the data, finds its classes and attributes, and guesses what each is: an identifier, something to drop, a
// quasi-identifier with a recoding, or a sensitive value. The result parses and runs as it is, and every guess stands
// beside its reason, because a guess is no decision: only the steward knows what an adversary may know. When in doubt
// an attribute is a quasi-identifier (protected) and not kept; what can be neither generalized nor listed is dropped.
//
// Of a file of sets, one per line, every item is a quasi-identifier, and a taxonomy is made from all sets (taxonomy/together.h).
//
// Tables are put into a tree first: one of persons, and below it those whose foreign keys lead there.
//
//   THICKET_ASSIGN(Proposal proposal, ProposePolicy("students.jsonl", "policy.yaml", {}));
//   proposal.policy;                // YAML with comments; quotes no value but those that say how the data is written
//   proposal.files;                 // {"taxonomies/major.csv", "Computer Science;*\n..."}
//
// Data in memory needs no file: text is handed to ProposePolicyForText(), records of a program's own are pushed into a
// ProposalBuilder. What comes back is loaded from memory, too:
//
//   PolicyParts parts;              // engine/thicket.h
//   parts.taxonomies = proposal.Taxonomies();
//   THICKET_ASSIGN(LoadedPolicy policy, LoadPolicyText(proposal.policy, parts));
//
// Looks at the first 200,000 records, or rows of each table, at most; keys are compared over all rows. Taxonomies are flat
// lists of the values found; where there were more records than were read, values that turn up later are generalized to "*".
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "base/value_tree.h"
#include "io/arrow/arrow_table.h"

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

  // The files as PolicyParts (engine/thicket.h) has them: by what the policy says after `taxonomy:`.
  std::map<std::string, ValueTree> Taxonomies() const;
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

// The same for a table in Arrow's layout: the policy is that for JSON Lines with the same content, or, where columns are flat and several
// rows are one person's, that for such a CSV file (group_by). `name` is what messages call the table, and what the class of its rows is
// called after.
Result<Proposal> ProposePolicyForTable(const ArrowTable& table, const std::string& name,
                                       const ProposeOptions& options = {});

// Looks at records that a program has in a structure of its own, pushed one by one.
//
//   ProposalBuilder builder("students");
//   THICKET_TRY(builder.BeginRecord());
//   THICKET_TRY(builder.Set("student_id", "S17"));
//   THICKET_TRY(builder.OpenVertex("courses"));          // the key of what stands below: there is no class yet
//   THICKET_TRY(builder.Set("code", "CS305"));
//   THICKET_TRY(builder.CloseVertex());
//   THICKET_TRY(builder.EndRecord());
//   THICKET_ASSIGN(Proposal proposal, std::move(builder).Finish());
//
// The policy is that for JSON Lines with the same content, where what stands below a key is an array if a vertex has two of
// it. It names no input, and ClassesOf() (engine/records.h) tells which class each key became, for a RecordBuilder. A call
// that does not fit is a kUsage error; after an error the builder is of no use any more.
class ProposalBuilder {
 public:
  // `name` is what messages call the records, and what the class of the root is called after. The options' progress must
  // outlive the builder.
  explicit ProposalBuilder(std::string name = "records", const ProposeOptions& options = {});
  ProposalBuilder(ProposalBuilder&&) noexcept;
  ProposalBuilder& operator=(ProposalBuilder&&) noexcept;
  ~ProposalBuilder();

  // Opens the root of a new record.
  Status BeginRecord();
  Status EndRecord();
  // Opens a vertex below the one that is open.
  Status OpenVertex(std::string_view key);
  Status CloseVertex();
  // A value of the open vertex, UTF-8, as it would stand in a file; none where it is missing. A vertex that is nothing but a
  // value, as in a list of texts, has it under "".
  Status Set(std::string_view attribute, std::optional<std::string_view> text);

  // Whether enough records were pushed: more are let pass, and only make the proposal one for a part of the data.
  bool enough() const;
  // kData where there was no record, or nothing that could be published.
  Result<Proposal> Finish() &&;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Proposes a policy and writes it to `policy_path`, its taxonomies beside it. All of them appear, or none. The taxonomies hold
// values of the data, so only their owner may read them. What exists is a kUsage error, unless it is to be replaced.
Result<Proposal> ProposeIntoFiles(const std::string& data_path, const std::string& policy_path,
                                  bool replace, const ProposeOptions& options);

}  // namespace thicket
