// Thicket as a library: read a policy, hand over records, get the published data and the report back.
//
//   auto policy = thicket::LoadPolicy("policy.yaml");
//   if (!policy.ok()) return Complain(policy.error());
//   thicket::Progress progress;
//   auto result = thicket::AnonymizeText(*policy, records, {}, progress);   // records: JSON Lines, as the policy says
//   if (!result.ok()) return Complain(result.error());                      // nothing is published
//   Use(result->data, result->report.utility.lm);
//
// Nothing is returned, or written, that an independent check of the finished output has not passed. What comes from the
// caller: progress and cancellation (Progress), threads, randomness. Nothing is kept for the process, so several runs may
// go on at once, each with a Progress of its own. docs/library.md leads through all public headers: records that are
// pushed and pulled (engine/records.h), assessing (engine/assess.h), converting (engine/convert.h), levels, proposals.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
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

namespace thicket {

std::string_view Version();

// A policy and the taxonomies that it names, checked.
class LoadedPolicy {
 public:
  struct Content;
  explicit LoadedPolicy(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
  const Content& content() const { return *content_; }
  // The data that the policy names, seen from where the program runs; empty if it names none.
  std::string InputPath() const;

 private:
  std::shared_ptr<const Content> content_;
};

// `progress` says how much may be held, hears of taxonomies, and may stop their reading; null: nobody asks.
Result<LoadedPolicy> LoadPolicy(const std::string& path, Progress* progress = nullptr);

// What belongs to a policy that is in memory.
struct PolicyParts {
  // What messages call the policy, and where it stands: paths in it are relative to this place, as to a file.
  std::string name = "policy";
  // By what the policy says after `taxonomy:`. Each is a text, as it would stand in its file ("CS305;CS;*\n..."), or a
  // mapping: {"*": {"CS": ["CS305", "CS306"], "MATH": [...]}}. What is not among them is read from files, or is an error.
  std::map<std::string, ValueTree> taxonomies = {};
  bool read_files = false;
};

// A policy as YAML, or as a tree of values. Errors in the first have line and column, in both the path: "privacy.k".
Result<LoadedPolicy> LoadPolicyText(std::string_view yaml, const PolicyParts& parts = {},
                                    Progress* progress = nullptr);
Result<LoadedPolicy> LoadPolicyTree(const ValueTree& tree, const PolicyParts& parts = {},
                                    Progress* progress = nullptr);

struct RunOptions {
  // Reproduces a run to the byte; without it shuffle and keys come from the system's secure random source.
  std::optional<uint64_t> seed;
  // Without a seed: where random numbers come from, 64 bits at each call, all on one thread. None: the system's secure source.
  std::function<uint64_t()> random = {};
  // 0: as many as the process may use (affinity, a quota of its container). The output does not depend on it.
  int threads = 0;
  // Adds the number of its class to each published record, under "_class".
  bool with_class = false;
  // Compares every pair of records instead of pruning: slow, with the same output.
  bool exhaustive = false;
  // Runs in memory: hand back AnonymizedText::link or AnonymizedRecords::link. To files: Paths::link.
  bool link = false;
  // What the report gives as peak_rss_bytes, asked when the work is done: the memory of a process is its program's business.
  // None: 0.
  std::function<uint64_t()> peak_memory = {};
};

// By published record, the original one that it stands for: places in the order of reading, from 0. Whoever has a link undoes
// the work, so it is made only where somebody asks for it.
using RecordLink = std::vector<uint32_t>;

// What a run did and what it cost. ToJson gives the report of `--report` and `--json`; docs/report.md describes it.
struct Report {
  std::optional<uint64_t> seed;
  struct Method {
    struct Parameter {
      std::string name;
      std::string text;
      // A word, or a number or boolean that stands in the report as it is.
      bool is_word = true;
    };
    std::string name;
    std::vector<Parameter> parameters;
  } method;
  struct Input {
    std::string format;
    uint64_t records = 0;
    uint64_t vertices = 0;
    // Quasi-identifier values that are there, and those that a vertex could have, but has not.
    uint64_t labels = 0;
    uint64_t absent_labels = 0;
  } input;
  // A taxonomy that `thicket taxonomy build --fanout` made, as its file says: how the items were put together.
  struct BuiltTaxonomy {
    std::string path;
    std::string order;
    uint64_t fanout = 0;
    std::optional<uint64_t> seed = {};
  };
  std::vector<BuiltTaxonomy> taxonomies;
  struct Output {
    uint64_t records = 0;
    uint64_t vertices = 0;
    uint64_t classes = 0;
    uint64_t smallest_class = 0;
    uint64_t median_class = 0;
    uint64_t largest_class = 0;
    uint64_t suppressed_records = 0;
    uint64_t suppressed_vertices = 0;
    // Of the suppressed records, those that a class would have taken, but at a higher cost; absent where a method has no leftovers.
    std::optional<uint64_t> costly_leftovers = {};
    // Vertices that became part of another one of their record; absent where that cannot be.
    std::optional<uint64_t> merged_vertices = {};
    // Sensitive values that are published as "*".
    uint64_t suppressed_values = 0;
    uint64_t generalized_labels = 0;
    // Whether something was there before under the name of the output.
    bool replaced = false;
    // Whether somebody has the link (RecordLink), which must stay private.
    bool link = false;
  } output;
  struct Guarantee {
    std::string model;
    // As found in the output, not as asked for.
    std::optional<int> k;
    std::optional<int> l;
    bool verified = false;
    bool truthful = false;
    // By level of sensitivity: the largest share; absent where alpha is not promised.
    std::optional<std::array<double, 5>> alpha = {};
    // k^(m,n)-anonymity: what was promised.
    std::optional<int> m = {};
    std::optional<int> n = {};
    bool negative = false;
    // KL(m,n)-privacy: k, l, m and n are as promised, m and n of adversaries who know everything are absent.
    bool of_sets = false;
    // The largest share that a sensitive value has in a set of aligned vertices, and of the records of a class that have it in
    // whichever vertex; absent where there is nothing sensitive, and under k^(m,n)-anonymity.
    std::optional<double> share_at_place = {};
    std::optional<double> share_anywhere = {};
    // By level of sensitivity: the largest share of the records of a class that have a value of it anywhere; as alpha.
    std::optional<std::array<double, 5>> alpha_anywhere = {};
    // l+-diversity: the threshold of the values that the policy does not name, how many it names, whether thresholds follow
    // from frequencies; and the largest share of a value as a part of its threshold, at most 1.
    struct Theta {
      double otherwise = 1;
      uint64_t named = 0;
      bool from_frequency = false;
      std::optional<double> reached = {};
    };
    std::optional<Theta> theta = {};
    // Vocabulary k-anonymity: how many steps a published term may be from what it stands for; absent where terms are generalized.
    std::optional<int> epsilon = {};
  } guarantee;
  struct AttributeUtility {
    std::string path;
    double lm = 0;
  };
  struct Utility {
    double lm = 0;
    // No grouping of the data that keeps the same promise loses less; absent where nobody knows.
    std::optional<double> at_least = {};
    std::vector<AttributeUtility> attributes;
  } utility;
  struct Search {
    uint64_t candidates = 0;
    uint64_t compared = 0;
    // How many records were looked at together, where it was not all of them.
    uint64_t neighbourhood = 0;
    // Into how many parts records were divided for that; 0: none.
    uint64_t parts = 0;
    // An estimate of what that cost: how much more a sample of records lost so than as a whole, as a part of the latter; and how many records
    // the sample had.
    std::optional<double> neighbourhood_cost = {};
    uint64_t neighbourhood_sample = 0;
  } search;
  // The cut that all records were recoded by, if one was.
  struct Cut {
    struct Attribute {
      std::string path;
      std::vector<std::string> labels;
      // Not published at all, since even its root would be too rare.
      bool left_out = false;
    };
    // `below` stood below `above` in `support` records, and was moved beside it in all of them.
    struct Disassociation {
      std::string above_path;
      std::string above;
      std::string below_path;
      std::string below;
      uint64_t support = 0;
    };
    std::vector<Attribute> attributes;
    std::vector<Disassociation> disassociated;
    // What the search minimized.
    double cost = 0;
    // Whether limit_s ended the search.
    bool stopped_early = false;
    // Tables: what is known of all other cuts.
    struct Proof {
      std::string metric;
      // "optimal": no cut costs less; "optimal-levels": none that takes whole levels of the taxonomies does; "within-alpha";
      // "bound": the search ended early; "none".
      std::string kind;
      // No cut costs less than this; absent where nothing is known.
      std::optional<double> bound = {};
      // How many cuts there are, and which share of them was not looked at.
      double all_cuts = 0;
      double pruned = 0;
    };
    std::optional<Proof> proof = {};
  };
  std::optional<Cut> cut;
  // Sets only: how the promise was reached.
  struct Sets {
    // Itemsets that break the promise and had to be broken up, and itemsets that were looked at (Tables 4.4 and 4.5 of Liu
    // 2010); 0 of a method that looks at none.
    uint64_t threats = 0;
    uint64_t itemsets = 0;
    // Of mog.
    std::optional<uint32_t> rounds = {};
    // Items that no published record shows, though some have them; of mm.
    uint64_t suppressed_items = 0;
    // NCP of what is published, over the occurrences of items that are not sensitive.
    double ncp = 0;
  };
  std::optional<Sets> sets = {};
  // Bags only: what became of their terms.
  struct Bags {
    // Of the original, as far as they can be used; of them, those that stand for nothing that is published.
    uint64_t terms = 0;
    uint64_t left_out = 0;
    uint64_t published = 0;
    // Published terms that the person does not have, by how many steps they differ from what they stand for: together, and at most.
    uint64_t substituted = 0;
    uint64_t steps = 0;
    uint64_t most_steps = 0;
    // Published bags without a term.
    uint64_t empty = 0;
    // Whether terms may be replaced by others at all.
    bool substitutes = false;

    double mean_steps() const {
      return substituted == 0 ? 0 : static_cast<double>(steps) / static_cast<double>(substituted);
    }
  };
  std::optional<Bags> bags = {};
  struct Seconds {
    double read = 0;
    double anonymize = 0;
    double verify = 0;
    double write = 0;
  } seconds;
  uint64_t peak_rss_bytes = 0;
  std::vector<std::string> warnings;

  std::string ToJson() const;
  // A table for people.
  std::string ToText() const;
};

struct AnonymizedText {
  std::string data;
  Report report;
  // Empty unless RunOptions::link is set.
  RecordLink link = {};
};

// Records in memory, in the policy's format, not compressed.
Result<AnonymizedText> AnonymizeText(const LoadedPolicy& policy, std::string_view records,
                                     const RunOptions& options, Progress& progress);

struct Paths {
  // Overrides the policy's input; "-" is standard input.
  std::string input;
  // A file ("-" is standard output), or a folder for a policy whose format is tables.
  std::string output;
  // postgresql: the schema to make, on the server that the data came from.
  std::string into;
  // A private file (mode 0600) for the report as JSON; empty for none.
  std::string report;
  // A private file (mode 0600) that says which original record each published one stands for (io/link_file.h); empty for none.
  std::string link = {};
};

// Reads, anonymizes, verifies, publishes. On any error the output, the report and the link stay as they were, and
// progress.warnings() has what was noticed before it. Link and report appear before the output: whoever ends the process in
// between finds a report without data, never data without its report.
Result<Report> AnonymizeFile(const LoadedPolicy& policy, const Paths& paths,
                             const RunOptions& options, Progress& progress);

}  // namespace thicket
