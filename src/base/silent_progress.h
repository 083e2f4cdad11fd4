// A part of larger work that shows no progress of its own, but stops with the whole and is bound to the same memory.
#pragma once

#include "base/progress.h"

namespace thicket {

class SilentProgress final : public Progress {
 public:
  // The whole must outlive the part.
  explicit SilentProgress(Progress& whole) : Progress(&whole) {}
};

}  // namespace thicket
