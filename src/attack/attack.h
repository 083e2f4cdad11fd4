// The adversary of the introduction of Ozalp et al. 2016, played against original and published data.
//
// The adversary sees a release, knows something about a victim who is in the original data, and keeps the records of
// the release that agree with it: the candidates. Sensitive values the adversary does not know.
//
//   THICKET_ASSIGN(AttackReport report, Attack(original, published, {.labels = 3, .negative = true}, progress));
//
// Three kinds of knowledge:
//   everything  All quasi-identifiers and the structure. In the original, candidates are the records with an equal
//               tree. In the published data they are those that can be the victim's tree, generalized and pruned.
//   labels      M labels of the victim drawn at random (all, where the victim has fewer), each with its path: a course
//               with code CS305. A candidate shows them all, as they are or generalized: for every attribute the known
//               values are shown by as many different vertices. Which labels belong to one vertex is not known. A
//               missing value is no label.
//   absence     The same M labels, and up to M labels that the victim does not have. They are drawn from the labels of
//               the original data, frequent ones more often. A candidate shows none of them ungeneralized.
//
//
// With relations, N of those that hold between the known labels of the victim are known, too: that one stands above the
// other on a path. A candidate shows each of them somewhere, as they are or generalized. Under absence up to N relations
// between known labels that the victim does not have are known as well, and a candidate shows none of them ungeneralized.
//
// Against k^(m,n)-anonymous data (`merged`: vertices may be merged, labels moved to other places, missing means not shown)
// knowledge is about sets: M different labels, each shown by some vertex, and one published vertex may stand for several of
// them. Under absence the M labels are some that the victim has and some that it has not, and the N relations likewise,
// since the promise is about M and N in all. `everything` is not played: the promise says nothing about it. The certainty
// is the share of candidates that have the most frequent bucket of a sensitive attribute anywhere in the record
// (held_counts.h): whoever must be one of them has it with that probability, wherever it stands. With l it is at most 1/l.
// It is the highest for what was drawn, for every single label of a victim, and for knowing nothing.
//
// With c candidates the victim is found with probability 1/c; with one for certain; with none the adversary was misled
// (the record, or a vertex that the adversary knows of, is suppressed), and the probability is 0.
//
// Certainty about a sensitive value: the share of the most frequent bucket among the candidates' vertices that can be
// the victim's vertex. These are the roots for the root. Under `everything` they are, for every other vertex of the
// victim, the vertices whose labels cover its labels, as do their parents' its parent's, and so on. Under the others
// they are, for every known label, the vertices that show it. In an l-diverse release it is at most 1/l: aligned
// vertices have equal labels, so they are counted together or not at all.
//
// Certainty that the victim has a sensitive value anywhere: the share of the candidates that have the most frequent one in
// whichever vertex, a missing value being none. l-diversity alone does not bound it (two records with [HIV, flu] and [flu, HIV]);
// `anywhere: on` in the policy does, by 1/l where the candidates are whole classes.
//
// Records with equal trees are handled together; bitmaps of who has how many of which labels (cover_index.h) leave few
// pairs for the exact test, and candidates are added up only where they may tell more than others did (certainty_bound.h). Time
// grows with victims times records. Seeded: the same knowledge is tried on both releases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "record/dataset.h"

namespace thicket {

struct AttackOptions {
  // M; absent: only an adversary who knows everything is played.
  std::optional<int> labels = std::nullopt;
  // N; absent: none. M is kDefaultLabels if `labels` is absent.
  std::optional<int> relations = std::nullopt;
  // The published data is of k^(m,n)-anonymity; an adversary who knows labels is always played, one who knows everything
  // never.
  bool merged = false;
  // Also plays an adversary who knows what is absent; M is kDefaultLabels if `labels` is absent.
  bool negative = false;
  // How many victims, drawn at random; 0 or more than there are records: everybody.
  size_t trials = 0;
  uint64_t seed = 1;
  // From so many pairs of siblings on these are looked at by groups of equals and by their values, with the same result; absent: as
  // many as repay it. For tests.
  std::optional<size_t> wide_from = std::nullopt;
};
inline constexpr int kDefaultLabels = 2;

// How many victims can be looked for in minutes: everybody among up to 65,536 records, and of more records as many as keep
// victims times records at 2^32, or at half of that where the adversary knows labels, which takes longer. Who may be whom is looked at
// for every victim and everybody.
size_t AffordableVictims(size_t records, bool by_labels);

enum class Knowledge { kEverything, kLabels, kAbsence };

// Against one release.
struct AttackResult {
  size_t victims = 0;
  // The share of victims with exactly one candidate.
  double found_share = 0;
  // The mean and the highest probability that a victim is found.
  double mean_probability = 0;
  double worst_probability = 0;
  // The highest certainty about any sensitive value of any victim; 0 if there are no sensitive attributes.
  double worst_certainty = 0;
  // The highest certainty that any victim has some sensitive value anywhere; absent against merged data.
  std::optional<double> worst_certainty_anywhere = {};
  // Victims without candidates.
  size_t misled = 0;
};

struct AttackReport {
  struct Entry {
    Knowledge knowledge;
    AttackResult original;
    AttackResult published;
  };
  // In the order of Knowledge.
  std::vector<Entry> entries;
};

// kUsage if M is not positive or N is negative, kData where a published label is none of the original's domain.
Result<AttackReport> Attack(const EncodedDataset& original, const Dataset& published,
                            const AttackOptions& options, Progress& progress);

}  // namespace thicket
