// The adversary of KL(m,n)-privacy (Liu 2010, Section 4.1), played against sets and what was published of them.
//
// The adversary knows up to M items that the victim has and up to N that the victim has not, leaves of the taxonomy all of them, and
// no sensitive items. Candidates are the records that may be the victim's (Section 4.1.3): a published record shows every known item, as it is or
// generalized, and no label all of whose leaves are known to be absent. That Wine is absent says nothing of a record with Liquor; that Beer and Wine are, does. An
// item that nothing published shows was left out of all records, and knowing it is of no use.
//
//   const SetAttackReport report = AttackSets(pair, {.present = 3, .absent = 2}, progress);
//   report.published.worst_probability;      // at most 1/k where M and N are at most m and n of the promise
//
// For each victim M items are drawn at random, and absent ones until N leaves are: around items of other records, frequent ones more often, whole
// groups that the victim has nothing of where N has room for them, since these say most. The certainty is the largest share of the candidates that
// have the same sensitive item, for what was drawn and for each drawn item that is there by itself. Seeded: the same knowledge is tried on both.
//
// Equal sets are one; a bitmap of these for each item. O(M * sets / 64 + candidates) for a victim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "attack/attack.h"
#include "base/progress.h"
#include "record/label_sets.h"

namespace thicket {

struct SetAttackOptions {
  // M and N; nothing: all items that the victim has, or has not.
  std::optional<uint32_t> present = std::nullopt;
  std::optional<uint32_t> absent = std::nullopt;
  // As in AttackOptions.
  size_t trials = 0;
  uint64_t seed = 1;
};

struct SetAttackReport {
  AttackResult original;
  AttackResult published;
};

SetAttackReport AttackSets(const SetPair& pair, const SetAttackOptions& options,
                           Progress& progress);

// What is known of a victim: leaves, sorted.
struct SetKnowledge {
  std::vector<Node> present;
  std::vector<Node> absent;
  // All that is not there: `absent` is empty then.
  bool all_absent = false;
};

// What AttackSets tries on the victim; for tests.
SetKnowledge DrawSetKnowledge(const SetPair& pair, const SetAttackOptions& options, size_t victim);

// How many of some records may be the victim's, and the largest share of them with the same sensitive item; for tests.
struct SetCandidates {
  uint64_t records = 0;
  double certainty = 0;
};
SetCandidates FindSetCandidates(const SetPair& pair, const LabelSets& release,
                                const SetKnowledge& knowledge, size_t victim);

}  // namespace thicket
