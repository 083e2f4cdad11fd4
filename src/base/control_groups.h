// The control groups of Linux that this process is in: where a container's limits of memory and processors stand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace thicket {

struct ControlGroup {
  std::string folder;  // where the files of its limits are, if it has any
  int version = 2;     // 1 or 2: they have other names
};

// The group of this process and those above it that may limit what `controller` ("memory", "cpu") counts, as far as they
// can be seen; the least limit of all is what holds. Inside a container the path of a group may be one of the host, which
// /sys does not show; the top of what it does show is always among them. `root` is put before the paths of /proc and /sys,
// for tests.
std::vector<ControlGroup> ControlGroupsOf(std::string_view controller, const std::string& root);

}  // namespace thicket
