// Published data looked at from outside: does it keep the promise, how useful is it, what would an adversary find.
//
//   THICKET_ASSIGN(VerifyReport report, VerifyFile(policy, "published.jsonl", "", progress));
//   report.holds;
//
// Threads come from the caller: 0 are as many as the process may use, and the results are the same for any number. Attacks, and
// what is measured without a number of threads, are the calling thread's work alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/records.h"
#include "engine/thicket.h"

namespace thicket {

struct VerifyReport {
  bool holds = false;
  std::string model;
  // What was found, and what the policy asks for.
  std::optional<int> k;
  std::optional<int> l;
  std::optional<int> k_promised;
  std::optional<int> l_promised;
  // By level of sensitivity: the largest share; absent where the policy has no alpha.
  std::optional<std::array<double, 5>> alpha;
  std::optional<std::array<double, 5>> alpha_promised;
  // l+-diversity: the largest share of a value as a part of its threshold; and values that are published as "*".
  std::optional<double> share_of_theta;
  uint64_t suppressed_values = 0;
  // The largest shares of a sensitive value, as in Report::Guarantee.
  std::optional<double> share_at_place;
  std::optional<double> share_anywhere;
  std::optional<std::array<double, 5>> alpha_anywhere;
  // Whether the policy has anywhere: on.
  bool anywhere_promised = false;
  // k^(m,n)-anonymity, which has no classes: how many sets of labels occur and were counted.
  std::optional<int> m_promised;
  std::optional<int> n_promised;
  uint64_t label_sets = 0;
  uint64_t records = 0;
  uint64_t vertices = 0;
  uint64_t classes = 0;
  uint64_t smallest_class = 0;
  uint64_t median_class = 0;
  uint64_t largest_class = 0;
  // Whether every record is a generalization and pruning of a distinct original one; only if there was an original. With a
  // link: of the one that it names.
  std::optional<bool> truthful;
  bool linked = false;
  // Bags: how far a published term may be from the one that it stands for; and, with a link and if all of them are true, how far they
  // are, of the terms of those bags that are published.
  std::optional<int> epsilon_promised;
  std::optional<Report::Bags> bags;
  // Where a person may have several records: about how many people the records of each class are at least; only with a link.
  std::optional<uint64_t> least_owners;
  // And which share of a class is about one of them at most.
  std::optional<double> largest_owner_share;
  uint64_t violations = 0;
  // The first of each kind.
  std::vector<std::string> messages;
  std::vector<std::string> warnings;

  std::string ToJson() const;
  std::string ToText() const;
};

// `original` may be empty; then truthfulness is not checked. `link`: the file of Paths::link, with the original only; empty for
// none.
Result<VerifyReport> VerifyFile(const LoadedPolicy& policy, const std::string& published,
                                const std::string& original, Progress& progress, int threads = 0,
                                const std::string& link = "");
// The same for records in memory; `original` and `link` may be null.
Result<VerifyReport> VerifyRecords(const LoadedPolicy& policy, const RecordSet& published,
                                   const RecordSet* original, Progress& progress, int threads = 0,
                                   const RecordLink* link = nullptr);

struct EvaluateOptions {
  bool lm = true;
  bool queries = true;
  bool dm = false;
  bool dissimilarity = false;
  bool rpd = false;
  bool mining = false;
  // Sets only.
  bool ncp = false;
  bool patterns = false;
  // The least share of records that makes a pattern frequent; above 0, at most 1.
  double support = 0.01;
  // Bags only; bLM needs to know whose bag is whose.
  bool blm = false;
  bool terms = false;
  bool closed = false;
  // How many of the most frequent closed patterns are compared.
  uint64_t closed_count = 1000;
  uint64_t query_count = 1000;
  uint64_t seed = 1;
  // Of queries, mining, patterns and bags.
  int threads = 0;
};

struct EvaluateReport {
  struct Loss {
    std::string path;
    double lm = 0;
    // Values of the original, and those that its vertices could have, but have not.
    uint64_t labels = 0;
    uint64_t absent = 0;
    uint64_t suppressed = 0;
    uint64_t generalized = 0;
    // Of a class: its attributes.
    std::vector<Loss> attributes;
  };
  std::optional<Loss> loss;
  // By class.
  std::vector<Loss> classes;
  struct Queries {
    uint64_t count = 0;
    double mean = 0;
    double mean_bounded = 0;
    double median = 0;
  };
  std::optional<Queries> queries;
  // Among how many people a person cannot be told apart, added up over all; see utility/dm.h.
  struct Discernibility {
    uint64_t dm = 0;
    double mean_group = 0;
    uint64_t records = 0;
    uint64_t suppressed = 0;
  };
  std::optional<Discernibility> dm;
  // How far apart the levels of sensitive values are that stand together; see utility/dissimilarity.h.
  struct Dissimilarity {
    double degree = 0;
    double mean_distance = 0;
    uint64_t classes = 0;
  };
  std::optional<Dissimilarity> dissimilarity;
  // How little the paths of the records say, before and after; see utility/rpd.h.
  struct PathDomain {
    double original = 0;
    double published = 0;
    double approximate_original = 0;
    double approximate_published = 0;
  };
  std::optional<PathDomain> rpd;
  // Which frequent subtrees are lost, and how far the others have moved; see utility/mining_loss.h.
  struct Mining {
    double ml2 = 0;
    double dml2 = 0;
    uint64_t frequent = 0;
    uint64_t kept = 0;
  };
  std::optional<Mining> mining;
  // Sets: the mean share of all leaves that an item's label has; see utility/set_ncp.h.
  struct Ncp {
    double ncp = 0;
    // Whether records were recoded one by one: then NCP, and LM, are at least this.
    bool is_bound = false;
  };
  std::optional<Ncp> ncp;
  // Sets: frequent patterns before and after; see utility/set_patterns.h.
  struct Patterns {
    double support = 0;
    uint64_t original = 0;
    uint64_t published = 0;
    uint64_t common = 0;
    // Absent where no pattern is common.
    std::optional<double> error;
  };
  std::optional<Patterns> patterns;
  // Bags: how much of the terms is lost; see utility/bag_lm.h.
  struct BagLm {
    double blm = 0;
    uint64_t terms = 0;
    uint64_t left_out = 0;
  };
  std::optional<BagLm> blm;
  // Bags: %DistinctTerms and %avgVsize as shares, absent where the original has no terms; see utility/bag_features.h.
  struct Terms {
    struct Side {
      uint64_t bags = 0;
      uint64_t terms = 0;
      uint64_t distinct = 0;
      double mean_size = 0;
    };
    Side original;
    Side published;
    std::optional<double> distinct_share;
    std::optional<double> size_share;
  };
  std::optional<Terms> terms;
  // Bags: what is left of the most frequent closed patterns; see utility/pattern_distance.h. Shares and steps are absent where
  // there are no patterns to compare.
  struct Closed {
    uint64_t count = 0;
    uint64_t original = 0;
    uint64_t published = 0;
    std::optional<double> recall;
    std::optional<double> s_dist;
  };
  std::optional<Closed> closed;
  std::vector<std::string> warnings;

  std::string ToJson() const;
  std::string ToText() const;
};

// What is measured if nobody says what: LM and queries; where labels may be moved, LM, RPD and mining; of sets under KL(m,n)-privacy
// LM, NCP and patterns; of bags terms and closed patterns, and bLM if there is a link.
EvaluateOptions UsualMetrics(const LoadedPolicy& policy, bool linked = false);

// Queries cannot be asked of data whose labels may be moved or merged, nor NCP and patterns of records that are no sets, nor what is for bags of
// others and the other way round: a kUsage error. `link`: as for VerifyFile, for bLM alone.
Result<EvaluateReport> EvaluateFile(const LoadedPolicy& policy, const std::string& published,
                                    const std::string& original, const EvaluateOptions& options,
                                    Progress& progress, const std::string& link = "");
Result<EvaluateReport> EvaluateRecords(const LoadedPolicy& policy, const RecordSet& published,
                                       const RecordSet& original, const EvaluateOptions& options,
                                       Progress& progress, const RecordLink* link = nullptr);

struct AttackRequest {
  // The adversary knows this many random labels of the victim, of bags terms, each as often as it is known; 0: everything.
  int labels = 0;
  // And this many relations between them; if nobody says how many: none, or against k^(m,n)-anonymity n of them, and m labels.
  std::optional<int> relations = std::nullopt;
  // Sets: the adversary knows this many items that the victim does not have; if nobody says how many: under KL(m,n)-privacy n of
  // them, and m of those that the victim has.
  std::optional<int> absent = std::nullopt;
  // The adversary knows labels that the victim does not have, too.
  bool negative = false;
  // Also how sensitive the values of everybody are found to be, by their levels.
  bool similar = false;
  // How many victims; 0: everybody. If nobody says how many: everybody among up to 65,536 records, of sets and of bags; of more
  // records as many victims, drawn at random, as keep victims times records at 2^32, or with labels at 2^31.
  std::optional<uint64_t> trials = std::nullopt;
  uint64_t seed = 1;
};

// How the adversary fares with one kind of knowledge, against the original and against the published data.
struct AttackOutcome {
  struct Against {
    uint64_t victims = 0;
    uint64_t misled = 0;
    double found_share = 0;
    double mean_probability = 0;
    double worst_probability = 0;
    double worst_certainty = 0;
    // That a person has a value in whichever vertex; absent under k^(m,n)-anonymity.
    std::optional<double> worst_certainty_anywhere;
  };
  std::string knowledge;
  Against original;
  Against published;
};

// How well an adversary who knows all quasi-identifiers knows the level of a sensitive attribute; see attack/similarity.h.
struct SimilarityOutcome {
  struct Against {
    uint64_t values = 0;
    double known_share = 0;
    double mean_certainty = 0;
    double worst_certainty = 0;
    double people_share = 0;
  };
  std::string path;
  // "size", "frequency" or "given"; by default where the policy has no levels.
  std::string levels;
  bool by_default = false;
  // The certainty of one who knows nothing but how frequent each level is.
  double guess = 0;
  Against original;
  Against published;
};

struct AttackSummary {
  std::vector<AttackOutcome> outcomes;
  // By sensitive attribute, if it was asked for.
  std::optional<std::vector<SimilarityOutcome>> similarity;
  std::vector<std::string> warnings;

  std::string ToJson() const;
  std::string ToText() const;
};

// `link`: as for VerifyFile and VerifyRecords, of bags only. Without it a victim counts as found wherever it could be: the results are
// upper bounds.
Result<AttackSummary> AttackFile(const LoadedPolicy& policy, const std::string& published,
                                 const std::string& original, const AttackRequest& request,
                                 Progress& progress, const std::string& link = "");
Result<AttackSummary> AttackRecords(const LoadedPolicy& policy, const RecordSet& published,
                                    const RecordSet& original, const AttackRequest& request,
                                    Progress& progress, const RecordLink* link = nullptr);

}  // namespace thicket
