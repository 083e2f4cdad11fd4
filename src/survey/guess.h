// What an attribute might be, judged by its name and by what its values have in common.
//
//   Guess guess = GuessAttribute(*survey.root.attributes[0], {.root = true, .vertices = survey.records});
//   guess.role, guess.recoding, guess.reason;   // kQuasi, "ranges: [5, 10, 20]", "looks like years; 9 distinct values"
//
// The lists of names are English and short on purpose: they only order the steward's reading, and a miss leaves the
// attribute protected as a quasi-identifier.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "survey/survey.h"

namespace thicket {

enum class GuessedRole { kId, kDrop, kKeep, kQuasi, kSensitive };

struct Guess {
  GuessedRole role = GuessedRole::kQuasi;
  // kQuasi: the policy's recoding, "numeric: true"; empty if a list of values is needed (a taxonomy file).
  // kSensitive: "buckets: [...]" or empty.
  std::string recoding;
  // For a comment; never holds a value of the data.
  std::string reason;
};

// Where the attribute stands.
struct AttributePlace {
  // In the record's root, or in an object that a record has only one of.
  bool one_per_record = false;
  bool root = false;
  // In one of several rows of a person (group_by): a name in it is the person's, written differently or by mistake.
  bool row_of_person = false;
  // Whether records have nothing below their roots: a table, for which hierarchies are better than free intervals, since
  // methods that recode all rows alike need them.
  bool flat = false;
  // How many vertices the class has.
  uint64_t vertices = 0;
  // Whether an attribute before this one already is the identifier.
  bool id_taken = false;
  // The key of the class.
  std::string_view class_key = {};
  // Whether there is more data than was looked at.
  bool partial = false;
  // A foreign key: the table that it leads to, and whether that one is published.
  std::string_view key_of = {};
  bool key_published = false;
};

Guess GuessAttribute(const AttributeSurvey& attribute, const AttributePlace& place);

}  // namespace thicket
