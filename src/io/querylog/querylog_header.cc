#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "io/querylog/querylog_columns.h"
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

std::string_view WithoutQuotes(std::string_view field) {
  if (field.size() < 2 || field.front() != '"' || field.back() != '"') return field;
  return field.substr(1, field.size() - 2);
}

bool IsColumn(std::string_view text, std::string_view name) {
  text = Trim(WithoutQuotes(text));
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
  // By column: its name as the log should write it.
  std::vector<std::string_view> texts = header;
  std::vector<std::string_view> others;
  for (size_t column = 0; column < header.size(); ++column) {
    const auto known = std::find_if(names.begin(), names.end(), [&](const Name& name) {
      return original_ ? IsColumn(header[column], name.name) : header[column] == name.name;
    });
    if (known == names.end()) {
      others.push_back(header[column]);
    } else {
      known->column = std::min(known->column, column);
      texts[column] = known->name;
    }
  }
  const bool complete = std::all_of(names.begin(), names.end(), [](const Name& name) {
    return !name.required || name.column != kNone;
  });
  if (!complete) return Missing(line, names);
  std::map<std::string_view, size_t> column_of_name;
  for (size_t column = 0; column < texts.size(); ++column) {
    const auto [before, added] = column_of_name.emplace(texts[column], column + 1);
    if (added) continue;
    return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source, .line = line},
                   fmt::format("columns {} and {} must have names of their own, but have the same",
                               before->second, column + 1),
                   "rename one of them, or take it out");
  }
  for (const std::string_view other : others) sink_->CountOutside(other);
  return {};
}

}  // namespace thicket
