#include "work.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace thicket::python {

std::exception_ptr Attend(const Watch& watch, WatchedProgress& progress, bool (*wait)(void*),
                          void* context) {
  std::exception_ptr stopped;
  WatchedProgress::State told;
  for (bool done = false; !done;) {
    {
      const nb::gil_scoped_release release;
      done = wait(context);
    }
    // Once the work is to stop, nothing is left to ask.
    if (stopped) continue;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      const WatchedProgress::State now = progress.state();
      if (!watch.callable.is_none() && !(now == told) && !now.stage.empty()) {
        told = now;
        watch.callable(now.stage, now.done, now.total);
      }
    } catch (...) {
      stopped = std::current_exception();
      progress.Cancel();
    }
  }
  return stopped;
}

}  // namespace thicket::python
