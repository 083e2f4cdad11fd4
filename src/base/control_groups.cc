#include "base/control_groups.h"

#include <fstream>

namespace thicket {

std::vector<ControlGroup> ControlGroupsOf(std::string_view controller, const std::string& root) {
  const std::string mount = root + "/sys/fs/cgroup";
  const std::string wanted = "," + std::string(controller) + ",";
  std::vector<ControlGroup> groups;
  // A group and those above it; of the top, the path is empty.
  const auto climb = [&](const std::string& top, std::string path, int version) {
    while (path.size() > 1) {
      groups.push_back({top + path, version});
      path.resize(path.rfind('/'));
    }
    groups.push_back({top, version});
  };
  // Lines are "NUMBER:CONTROLLERS:PATH"; version 2 has no controllers there. Beside version 1 it is called "unified".
  std::ifstream file(root + "/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,") {
      climb(mount, path, 2);
      climb(mount + "/unified", path, 2);
    } else if (controllers.find(wanted) != std::string::npos) {
      climb(mount + "/" + std::string(controller), path, 1);
    }
  }
  return groups;
}

}  // namespace thicket
