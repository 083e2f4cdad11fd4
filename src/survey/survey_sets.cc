#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/text.h"
#include "io/sets_of_items_io.h"
#include "survey/survey_formats.h"

namespace thicket {

namespace {

using Words = std::vector<std::string_view>;

// Enough to tell a form.
constexpr size_t kMostLines = 1000;
// A table with a mistake here and there is still a table.
constexpr size_t kLeastShareOfOtherLengths = 5;
// So many lines whose first items all differ are those of so many people.
constexpr size_t kFewestIdentified = 10;

// Roughly: quotes are looked at by the reader.
Words Split(std::string_view line, std::string_view separators) {
  Words words;
  while (!line.empty()) {
    const size_t end = std::min(line.find_first_of(separators), line.size());
    if (end > 0) words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < kMostLines) {
    const size_t end = text.find('\n');
    // What is not complete says nothing of its length.
    if (end == std::string_view::npos && !lines.empty()) break;
    const std::string_view line = Trim(text.substr(0, end));
    if (!line.empty()) lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

bool LookLikeSets(const std::vector<Words>& lines) {
  std::map<size_t, size_t> lengths;
  std::unordered_set<std::string_view> elsewhere;
  for (size_t i = 0; i < lines.size(); ++i) {
    ++lengths[lines[i].size()];
    if (i > 0) elsewhere.insert(lines[i].begin(), lines[i].end());
  }
  if (lines.size() < 2 || lengths.rbegin()->first < 2) return false;
  size_t most_common = 0;
  for (const auto& [length, count] : lengths) most_common = std::max(most_common, count);
  const bool uneven = (lines.size() - most_common) * kLeastShareOfOtherLengths >= lines.size();
  const bool recurs = std::any_of(lines.front().begin(), lines.front().end(),
                                  [&](std::string_view word) { return elsewhere.count(word) > 0; });
  return uneven && recurs;
}

// A person's number in front of each set would be published as an item, or as the name of a group of items.
Status MustHaveNoIdentifiers(const SetsOfItems& sets, const std::string& name) {
  const std::unordered_set<uint32_t> distinct(sets.first_items.begin(), sets.first_items.end());
  if (distinct.size() < kFewestIdentified || distinct.size() < sets.first_items.size() ||
      sets.members.size() < 2 * sets.first_items.size()) {
    return {};
  }
  return ErrorAt(ErrorCode::kData, {.file = name},
                 "the first item of a set must be an item like others, but looks like an "
                 "identifier: no two sets have the same",
                 "take it out of the data, for example with cut -d' ' -f2-");
}

}  // namespace

std::optional<char> FindSets(std::string_view text) {
  const std::vector<std::string_view> lines = LinesOf(text);
  const bool has_delimiters = std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return line.find_first_of(",;|") != std::string_view::npos;
  });
  std::vector<Words> words;
  if (!has_delimiters) {
    for (const std::string_view line : lines) words.push_back(Split(line, " \t"));
    return LookLikeSets(words) ? std::optional<char>(0) : std::nullopt;
  }
  for (const char delimiter : {';', ',', '|'}) {
    words.clear();
    for (const std::string_view line : lines) {
      words.push_back(Split(line, std::string_view(&delimiter, 1)));
    }
    if (LookLikeSets(words)) return delimiter;
  }
  return std::nullopt;
}

Status SurveySets(SurveyInput& input, Survey& survey) {
  THICKET_ASSIGN(survey.sets.sets,
                 ReadSetsOfItems(input, input.name(), survey.sets.delimiter, input.progress));
  const SetsOfItems& sets = survey.sets.sets;
  survey.records = sets.first.size() - 1;
  survey.root.vertices = survey.records;
  survey.root.objects = true;
  ClassSurvey& items = survey.root.Child("items");
  items.vertices = sets.members.size();
  items.plain = true;
  items.array = true;
  return MustHaveNoIdentifiers(sets, input.name());
}

}  // namespace thicket
