// How many processors this process may use.
//
// A machine of 64 cores may give a process two of them (taskset, a job of a cluster), and a container the time of one and
// a half (docker run --cpus 1.5, a limit of Kubernetes). More threads than that only take the time from each other.
#pragma once

#include <cstddef>
#include <string>

namespace thicket {

// The processors that this thread may run on, but no more than the quota of its control group or of one above it allows
// in full, and at least one. `root` is put before the paths of /proc and /sys, for tests.
size_t UsableProcessors(const std::string& root = "");

}  // namespace thicket
