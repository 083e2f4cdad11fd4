#include "policy/policy_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace thicket {

namespace {

namespace fs = std::filesystem;

constexpr size_t kCommentColumn = 40;

}  // namespace

std::string SafeName(std::string_view text, std::string_view otherwise) {
  std::string name;
  for (const char c : text) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_';
    name += good ? c : '_';
  }
  const bool any =
      std::any_of(name.begin(), name.end(), [](char c) { return c != '_' && c != '-'; });
  return any ? name : std::string(otherwise);
}

std::string StemOf(const std::string& path) {
  fs::path name = fs::path(path).filename();
  while (!name.extension().empty()) name = name.stem();
  return name.string();
}

std::string PolicyLine(size_t level, std::string_view text, std::string_view comment) {
  std::string line(2 * level, ' ');
  line += text;
  if (!comment.empty()) {
    if (!text.empty()) line.resize(std::max(line.size() + 2, kCommentColumn), ' ');
    line += fmt::format("# {}", comment);
  }
  return line + "\n";
}

std::string RelativePath(const std::string& data_path, const std::string& policy_path) {
  if (policy_path == "-") return data_path;
  std::error_code failure;
  fs::path data = fs::absolute(data_path, failure).lexically_normal();
  if (failure) return data_path;
  if (!data.has_filename()) data = data.parent_path();
  const fs::path policy = fs::absolute(policy_path, failure).lexically_normal();
  if (failure) return data_path;
  const fs::path relative = data.lexically_relative(policy.parent_path());
  const bool outside = relative.empty() || *relative.begin() == "..";
  if (outside && fs::path(data_path).is_absolute()) return data_path;
  return relative.empty() ? data.string() : relative.string();
}

}  // namespace thicket
