#include "base/memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <system_error>

#include "base/control_groups.h"

namespace thicket {

namespace {

constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();

// The whole number that a small file of the system begins with ("max" and a missing file are none).
uint64_t NumberIn(const std::string& path) {
  std::ifstream file(path);
  uint64_t number = 0;
  return file >> number ? number : kNone;
}

uint64_t AvailableOnMachine(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  std::string line;
  while (std::getline(file, line)) {
    constexpr std::string_view kKey = "MemAvailable:";
    if (line.rfind(kKey, 0) != 0) continue;
    return std::strtoull(line.c_str() + kKey.size(), nullptr, 10) * 1024;
  }
  const int64_t pages = sysconf(_SC_PHYS_PAGES);
  const int64_t size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(size) : kNone;
}

uint64_t LimitOfContainer(const std::string& root) {
  uint64_t least = kNone;
  for (const ControlGroup& group : ControlGroupsOf("memory", root)) {
    const char* file = group.version == 2 ? "/memory.max" : "/memory.limit_in_bytes";
    least = std::min(least, NumberIn(group.folder + file));
  }
  return least;
}

}  // namespace

uint64_t HeldMemory() {
  const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[128];
  const ssize_t got = read(fd, text, sizeof text);
  close(fd);
  if (got <= 0) return 0;
  // size, resident, shared, in pages
  uint64_t pages[3] = {};
  const char* at = text;
  for (uint64_t& number : pages) {
    const auto [end, error] = std::from_chars(at, text + got, number);
    if (error != std::errc()) return 0;
    at = std::find(end, static_cast<const char*>(text + got), ' ');
    if (at != text + got) ++at;
  }
  static const auto kPage = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return (pages[1] - std::min(pages[1], pages[2])) * kPage;
}

uint64_t AvailableMemory(const std::string& root) {
  const uint64_t least = std::min(AvailableOnMachine(root), LimitOfContainer(root));
  return least == kNone ? 0 : least;
}

std::optional<uint64_t> ParseSize(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  std::string unit(end, text.data() + text.size());
  for (char& c : unit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (unit.empty() || unit == "B") return number;
  constexpr std::string_view kUnits = "KMGT";
  const size_t power = kUnits.find(unit.front());
  const std::string rest = unit.substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "B" && rest != "IB")) {
    return std::nullopt;
  }
  const size_t shift = 10 * (power + 1);
  if (number > (std::numeric_limits<uint64_t>::max() >> shift)) return std::nullopt;
  return number << shift;
}

std::string SizeText(uint64_t bytes) {
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes");
  double size = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  while (size >= 1024 && unit < 3) {
    size /= 1024;
    ++unit;
  }
  const double rounded = std::round(size * 10) / 10;
  return fmt::format("{} {}", rounded, kUnits[unit]);
}

Status CheckMemory(const Progress& progress, std::string_view where, uint64_t more) {
  const uint64_t most = progress.max_memory();
  if (most == 0) return {};
  if (more <= most && HeldMemory() <= most - more) return {};
  return ErrorAt(
      ErrorCode::kData, {.file = std::string(where)},
      fmt::format("what is held while reading must fit into {} of memory, but needs more",
                  SizeText(most)),
      "give a larger --max-memory, use a machine with more memory, or split the data");
}

}  // namespace thicket
