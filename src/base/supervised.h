// What the functions of the engine do their work in.
//
//   Result<VerifyReport> VerifyFile(..., Progress& progress) {
//     return Supervised(progress, [&] { return VerifyNow(..., progress); });
//   }
//
// Inside, a StopPoint() asks the caller's Progress (base/stop.h), a Phase reports to it (base/phase.h), and a WorkFailure
// becomes the Error that it holds.
#pragma once

#include "base/phase.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/stop.h"

namespace thicket {

// Calls `work`, which returns a Result.
template <typename Work>
auto Supervised(Progress& progress, const Work& work) -> decltype(work()) {
  const ProgressScope shown(progress);
  try {
    return Stoppable(progress, work);
  } catch (const WorkFailure& failure) {
    return failure.error;
  }
}

}  // namespace thicket
