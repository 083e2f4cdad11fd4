// What `evaluate` and `attack` do for sets, and what they share with other records: parts of engine/assess.cc.
#pragma once

#include "attack/attack.h"
#include "base/progress.h"
#include "base/result.h"
#include "engine/assess.h"
#include "policy/policy.h"
#include "record/dataset.h"
#include "utility/lm.h"

namespace thicket {

// Whether records are sets and stay so: items merge, and never move.
bool PublishesSets(const Policy& policy);

void AddLoss(const LmReport& lm, EvaluateReport& report);
AttackOutcome::Against AgainstOf(const AttackResult& result);

// What sets have of their own: NCP, patterns, and LM where items merge.
Status MeasureSets(const Policy& policy, const EncodedDataset& original, const Dataset& published,
                   const EvaluateOptions& options, EvaluateReport& report);

// The adversary of KL(m,n)-privacy; of other models too, if what is absent is asked for.
Status PlayOnSets(const Policy& policy, const EncodedDataset& original, const Dataset& published,
                  const AttackRequest& request, Progress& progress, AttackSummary& summary);

}  // namespace thicket
