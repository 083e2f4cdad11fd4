#include "survey/person_finder.h"

#include <algorithm>
#include <utility>

#include "survey/guess_names.h"

namespace thicket {

namespace {

// More columns that might be it are not looked at.
constexpr size_t kMostCandidates = 2;

// What is somebody's for good.
bool NamesWho(std::string_view column) {
  const std::string joined = Joined(WordsOf(column));
  return NamesATrait(column) || joined == "name" || joined == "first" || joined == "last";
}

}  // namespace

PersonFinder::PersonFinder(const std::vector<std::string>& columns) : columns_(columns) {
  for (const bool surely : {true, false}) {
    for (size_t i = 0; i < columns.size() && candidates_.size() < kMostCandidates; ++i) {
      const bool named = NamesThePerson(columns[i]);
      if (surely ? !named : named || !NamesAnIdentifier(WordsOf(columns[i]))) continue;
      Candidate& candidate = candidates_.emplace_back();
      candidate.column = i;
      candidate.surely = surely;
      candidate.others.resize(columns.size(), 0);
      for (const std::string& column : columns) {
        candidate.of_people.push_back(std::make_unique<AttributeSurvey>(column));
        candidate.of_rows.push_back(std::make_unique<AttributeSurvey>(column));
      }
    }
  }
}

void PersonFinder::Add(const std::vector<std::string_view>& fields) {
  ++rows_;
  for (Candidate& candidate : candidates_) {
    if (fields[candidate.column].empty()) ++candidate.missing;
    if (candidate.missing > 0) continue;
    const auto [found, added] =
        candidate.people.try_emplace(AttributeSurvey::Hash(fields[candidate.column]),
                                     static_cast<uint32_t>(candidate.people.size()));
    const uint32_t person = found->second;
    for (size_t i = 0; i < fields.size(); ++i) {
      const uint64_t hash = AttributeSurvey::Hash(fields[i]);
      if (added) {
        candidate.first.push_back(hash);
      } else if (candidate.first[size_t{person} * columns_.size() + i] != hash) {
        ++candidate.others[i];
      }
      if (fields[i].empty()) continue;
      if (added) candidate.of_people[i]->Add(fields[i], person);
      candidate.of_rows[i]->Add(fields[i], person);
    }
  }
}

bool PersonFinder::IsPerson(const Candidate& candidate) const {
  const uint64_t people = candidate.people.size();
  if (candidate.missing > 0 || people < 2 || people == rows_) return false;
  bool varies = false;
  bool told = candidate.surely;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const bool constant = candidate.others[i] == 0;
    varies = varies || !constant;
    if (candidate.surely || i == candidate.column || !NamesWho(columns_[i])) continue;
    // The sex of one person may be that of all rows of a course, but not that of each row.
    if (!constant) return false;
    told = true;
  }
  return told && varies;
}

std::optional<PersonFinder::Person> PersonFinder::Find() {
  for (Candidate& candidate : candidates_) {
    if (!IsPerson(candidate)) continue;
    Person person;
    person.column = candidate.column;
    person.people = candidate.people.size();
    for (size_t i = 0; i < columns_.size(); ++i) {
      const bool constant = candidate.others[i] == 0;
      person.values.push_back(std::move(constant ? candidate.of_people[i] : candidate.of_rows[i]));
      if (i == candidate.column) continue;
      (constant ? person.columns_of_people : person.columns_of_rows).push_back(i);
    }
    return person;
  }
  return std::nullopt;
}

}  // namespace thicket
