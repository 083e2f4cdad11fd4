#include "base/processors.h"

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <thread>

#include "base/control_groups.h"

namespace thicket {

namespace {

constexpr size_t kNone = std::numeric_limits<size_t>::max();

// The system refuses a set that is smaller than its own, which may have room for thousands.
size_t ProcessorsToRunOn() {
  for (size_t most = 1024; most <= (size_t{1} << 20); most *= 2) {
    cpu_set_t* set = CPU_ALLOC(most);
    if (set == nullptr) break;
    const size_t bytes = CPU_ALLOC_SIZE(most);
    const int failed = sched_getaffinity(0, bytes, set);
    const int count = failed == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (failed == 0 && count > 0) return static_cast<size_t>(count);
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

// Time per period in microseconds: "150000 100000" in version 2 ("max 100000": no quota), a file each in version 1 (-1).
size_t QuotaOf(const ControlGroup& group) {
  int64_t time = 0;
  int64_t period = 0;
  if (group.version == 2) {
    std::ifstream file(group.folder + "/cpu.max");
    if (!(file >> time >> period)) return kNone;
  } else {
    std::ifstream times(group.folder + "/cpu.cfs_quota_us");
    std::ifstream periods(group.folder + "/cpu.cfs_period_us");
    if (!(times >> time) || !(periods >> period)) return kNone;
  }
  if (time <= 0 || period <= 0) return kNone;
  // Of a processor and a half a second thread would use up the half, also by waiting, and then both would stand still.
  return static_cast<size_t>(std::max<int64_t>(time / period, 1));
}

}  // namespace

size_t UsableProcessors(const std::string& root) {
  size_t processors = ProcessorsToRunOn();
  for (const ControlGroup& group : ControlGroupsOf("cpu", root)) {
    processors = std::min(processors, QuotaOf(group));
  }
  return processors;
}

}  // namespace thicket
