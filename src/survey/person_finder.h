// Whether the rows of a table are people, or several rows are one person's: a column that names the person and repeats.
//
//   PersonFinder finder({"id", "surname", "born", "year", "prize"});
//   finder.Add({"6", "Curie", "1867", "1903", "physics"});
//   finder.Add({"6", "Curie", "1867", "1911", "chemistry"});
//   ...
//   finder.Find()->column;                    // 0
//   finder.Find()->columns_of_rows;           // {3, 4}: the others are the same in all rows of a person
//
// A column is taken for the person's if its name says so ("patient", "id_student"), or if its name is an identifier's and what people have
// (a name, a birthday, a sex) is the same in all rows with the same value. What is found of a column is counted twice: by person as far as it
// is the same in all rows, and by row.
//
// O(rows x candidates x columns) time; a hash per person and column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "survey/survey.h"

namespace thicket {

class PersonFinder {
 public:
  explicit PersonFinder(const std::vector<std::string>& columns);

  void Add(const std::vector<std::string_view>& fields);

  struct Person {
    size_t column = 0;
    uint64_t people = 0;
    std::vector<size_t> columns_of_people;
    std::vector<size_t> columns_of_rows;
    // By column: its values, one of each person, or of each row.
    std::vector<std::unique_ptr<AttributeSurvey>> values;
  };
  // Nothing where each row is a person of its own, where rows of a person are all the same, or where nobody can tell. Once.
  std::optional<Person> Find();

 private:
  struct Candidate {
    size_t column = 0;
    // Whether the name says more than "id".
    bool surely = false;
    std::unordered_map<uint64_t, uint32_t> people = {};
    // By person and column: the hash of the first row's value.
    std::vector<uint64_t> first = {};
    // By column: how many rows differ from their person's first one.
    std::vector<uint64_t> others = {};
    // Rows without the value are nobody's.
    uint64_t missing = 0;
    std::vector<std::unique_ptr<AttributeSurvey>> of_people = {};
    std::vector<std::unique_ptr<AttributeSurvey>> of_rows = {};
  };

  bool IsPerson(const Candidate& candidate) const;

  std::vector<std::string> columns_;
  std::vector<Candidate> candidates_;
  uint64_t rows_ = 0;
};

}  // namespace thicket
