#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "io/querylog/querylog_reader.h"

namespace thicket {

namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// "a, b and c".
std::string JoinNames(const std::vector<std::string_view>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace

bool QuerylogHeader::IsNamed(std::string_view text, std::string_view name) const {
  if (!ignore_case_) return text == name;
  text = Trim(text);
  return std::equal(text.begin(), text.end(), name.begin(), name.end(),
                    [](char a, char b) { return Lower(a) == Lower(b); });
}

Error QuerylogHeader::Missing(size_t line, const std::vector<Name>& names) const {
  std::vector<std::string_view> required;
  std::vector<std::string_view> missing;
  for (const Name& name : names) {
    if (!name.required) continue;
    required.push_back(name.name);
    if (name.column == kNone) missing.push_back(name.name);
  }
  return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source, .line = line},
                 fmt::format("the header must have the columns {}, but lacks {}",
                             JoinNames(required), JoinNames(missing)),
                 missing.size() == required.size()
                     ? "is the header line missing, or are columns not separated by tabs or commas?"
                     : "add what is missing, or correct the names of columns");
}

Status QuerylogHeader::Find(const std::vector<std::string_view>& header, size_t line,
                            std::vector<Name>& names) {
  // Where the header is missing, a name is a person's value: messages quote none.
  std::vector<std::string_view> others;
  std::map<std::string_view, size_t> column_of_name;
  for (size_t column = 0; column < header.size(); ++column) {
    std::string_view text = header[column];
    const auto known = std::find_if(names.begin(), names.end(),
                                    [&](const Name& name) { return IsNamed(text, name.name); });
    if (known != names.end()) {
      known->column = std::min(known->column, column);
      text = known->name;
    } else {
      others.push_back(text);
    }
    const auto [before, added] = column_of_name.emplace(text, column + 1);
    if (added) continue;
    return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source, .line = line},
                   fmt::format("columns {} and {} must have names of their own, but have the same",
                               before->second, column + 1),
                   "is the header line missing?");
  }
  const bool complete = std::all_of(names.begin(), names.end(), [](const Name& name) {
    return !name.required || name.column != kNone;
  });
  if (!complete) return Missing(line, names);
  for (const std::string_view other : others) sink_->CountOutside(other);
  return {};
}

}  // namespace thicket
