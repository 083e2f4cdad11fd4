// The promise, checked on published data alone, from scratch.
//
// Everything is read from the published texts and the policy: which records are equivalent, which vertices are aligned,
// how diverse they are. Nothing is shared with the code that anonymizes, so a mistake there is caught here.
//
//   THICKET_ASSIGN(Verdict verdict, VerifyPublished(*policy.schema, policy.privacy, taxonomies, published));
//   if (!verdict.holds) return verdict.violations;
//
// What must hold (Ozalp et al. 2016):
//   - Records whose trees are equal up to the order of siblings, with sensitive and kept values erased, form a class
//     (Definitions 3.11 and 3.12). Every class has at least max(k, l) records.
//   - Vertices at the same position of the canonical order of a class's records are aligned. In every set of aligned
//     vertices, no bucket of any sensitive attribute makes up more than 1/l (Definitions 3.7, 3.8, 3.13, 3.15).
//     Siblings with equal subtrees are aligned in the order of the file: the definition asks for one set of bijections
//     that is diverse, and the publisher writes siblings in the order of the one that it found. A file whose siblings
//     stand in another order may be rejected though some bijections would do; what is accepted is diverse.
//   - An attribute with `anywhere: on` is diverse over records, too: no bucket stands in more than 1/l of the records of a
//     class, whichever of their vertices has it; under alpha a value of level i stands in at most alpha[i] of them. A missing
//     value is none (verify/record_shares.h).
//   - Under l+-diversity (Definition 3.1 of Liu 2010) no sensitive value has a larger share of a class than its threshold
//     (verify/thresholds.h), and every class has at least k records, where k is promised, too. A value that is published as
//     "*" counts among the records of its class, and never as a value; so it does under l-diversity where the policy's method
//     may suppress values, and a class is then not too small for l alone.
//   - A `once` value occurs at most once in all vertices of all records of a class, as its readers see it: two classes that
//     were made apart and look alike are one.
//   - Under (alpha_lev^h, k)-anonymity (Definition 5 of Wang et al. 2018), in every set of aligned vertices the share of the
//     values of level i is at most alpha[i]. Levels are found out here from the policy; where it leaves them to the data,
//     they are those of the original, or without it those of the published values, and a warning says so
//     (verify/sensitivity.h).
//   - Under k^(m,n)-anonymity (Gkountouna et al. 2013) there are no classes: verify/combinations.h says what must hold.
//   - Under KL(m,n)-privacy (Liu 2010), of sets, there are none either: verify/set_privacy.h.
//   - Under vocabulary k-anonymity (Definition 5.2 of Liu 2010), of bags, the terms are the label of a record, each as often as it
//     is there.
//   - Every label is one that the recoding can publish.
//   - Nothing is there that the policy does not name, and records that look alike cannot be told apart by anything but their
//     sensitive and kept values (verify/appearance.h).
//
// Values of a categorical sensitive attribute are equal when they mean the same (base/fold.h), whether they stand there as
// numbers or as strings; a missing or blank value is a value of its own. Buckets are [b_i, b_i+1), the last one closed; what lies below the
// first or above the last bound is one bucket each.
//
// O(vertices log siblings).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"
#include "record/dataset.h"
#include "taxonomy/semantic_network.h"

namespace thicket {

enum class ViolationKind {
  kClassTooSmall,     // a class has fewer records than promised
  kNotDiverse,        // a bucket is too frequent among aligned vertices
  kLevelTooFrequent,  // a level of sensitivity is too frequent among aligned vertices
  kNoLevel,           // a sensitive value without a level
  kOnceRepeated,      // a `once` value occurs more than once in a class
  kAnywhereTooOften,  // a bucket, or a level, stands in too many records of a class
  kIllegalLabel,      // a label that the recoding cannot publish
  kNotANumber,        // a sensitive value without a bucket
  kNoOriginal,        // no original record fits the published one
  kSharedOriginal,    // the originals that fit stand behind other published records
  kNotAncestor,       // a label is neither the original value nor more general
  kValueChanged,      // a sensitive or kept value is not the original one
  kInventedVertex,    // a vertex that the original record does not have
  kRareCombination,   // too few records show a combination of labels and relations
  kIllegalPlace,      // a vertex stands below one of a class that is no ancestor of its own
  kSourceOrder,       // records stand in the order of their originals
  kUnnamedContent,    // something that the policy does not name
  kNotOneCut,         // labels of an attribute that no single cut has
  kNotTheScheme,      // more, or less, was suppressed than the policy's scheme asks for
  kTellsApart,        // records that look alike can be told apart by how they are written
  kTooFewOwners,      // records that look alike are about too few people
  kTooFar,            // a term of a bag is too far from those that it could stand for
};
inline constexpr size_t kViolationKinds = 22;

struct Violation {
  ViolationKind kind;
  // "where: what must hold, but what is"; never a sensitive value.
  std::string message;
  // How many records, or values of the data set, it concerns.
  uint64_t count = 0;
};

// The first violations of each kind in full, and how many there are of each.
class Violations {
 public:
  // Beyond this many of a kind, violations are only counted.
  static constexpr uint64_t kShown = 20;

  // Whether a message for one more of this kind would be kept.
  bool Wants(ViolationKind kind) const { return total(kind) < kShown; }
  void Add(Violation violation) {
    const ViolationKind kind = violation.kind;
    if (Wants(kind)) shown_.push_back(std::move(violation));
    ++totals_[static_cast<size_t>(kind)];
  }
  void Count(ViolationKind kind, uint64_t more = 1) { totals_[static_cast<size_t>(kind)] += more; }

  const std::vector<Violation>& shown() const { return shown_; }
  uint64_t total(ViolationKind kind) const { return totals_[static_cast<size_t>(kind)]; }
  uint64_t total() const {
    uint64_t sum = 0;
    for (const uint64_t count : totals_) sum += count;
    return sum;
  }
  bool empty() const { return total() == 0; }

 private:
  std::vector<Violation> shown_;
  std::array<uint64_t, kViolationKinds> totals_{};
};

struct Verdict {
  bool holds = false;
  // The size of the smallest class; absent if there are no records. Under k^(m,n)-anonymity the least support of any
  // combination; absent if there are no labels.
  std::optional<int> k;
  // The largest l for which every set of aligned vertices is diverse; absent if no vertex has a sensitive attribute. Under
  // k^(m,n)-anonymity the same for the records that show a combination; absent where l is not promised.
  std::optional<int> l;
  // By level of sensitivity: the largest share in any set of aligned vertices; absent where alpha is not promised.
  std::optional<std::array<double, SensitivityLevels::kCount>> alpha;
  // l+-diversity: the largest share of a value of its threshold, 1 where it is reached; absent elsewhere.
  std::optional<double> share_of_theta;
  // Values that are published as "*".
  uint64_t suppressed_values = 0;
  // The largest share of a bucket in any set of aligned vertices, and of the records of any class that have a bucket in
  // whichever vertex, of all sensitive attributes. What an adversary who knows the class guesses right with: the value at a
  // place, and that the person has it. Absent where l is, and under k^(m,n)-anonymity.
  std::optional<double> share_at_place;
  std::optional<double> share_anywhere;
  // By level of sensitivity: the largest share of the records of a class that have a value of it in whichever vertex; absent
  // where alpha is not promised.
  std::optional<std::array<double, SensitivityLevels::kCount>> alpha_anywhere;
  size_t records = 0;
  size_t vertices = 0;
  // Under k^(m,n)-anonymity, how many sets of labels occur and were counted; there are no classes then.
  uint64_t label_sets = 0;
  size_t classes = 0;
  size_t smallest_class = 0;
  // The lower one of the two in the middle.
  size_t median_class = 0;
  size_t largest_class = 0;
  Violations violations;
  // What the check had to assume.
  std::vector<std::string> warnings;
};

// kUsage if the policy promises nothing, a taxonomy that it names is not among the files, thresholds follow from an original
// that is not given, or counting every combination
// would take hours. `threads`: how many may count combinations, 0 for as many as the process may use. `networks`: those that the
// policy names, whose words terms of bags must be.
Result<Verdict> VerifyPublished(const Schema& schema, const PrivacyPolicy& privacy,
                                const TaxonomyFiles& taxonomies, const Dataset& published,
                                const Dataset* original = nullptr, int threads = 0,
                                const NetworkFiles& networks = {});

}  // namespace thicket
