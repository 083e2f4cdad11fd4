// What a data file looks like, before there is a policy for it: its format, its nested classes, and for each attribute
// how many values it has and what they have in common.
//
// This is what `thicket init` guesses roles and recodings from. At most the first kMostSurveyed records are read.
//
//   THICKET_ASSIGN(Survey survey, SurveyData("students.jsonl"));
//   survey.root.attributes[0]->distinct();
//
// O(bytes read); memory grows with the number of distinct values, up to a limit per attribute.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"

namespace thicket {

inline constexpr uint64_t kMostSurveyed = 200'000;

class AttributeSurvey {
 public:
  // An attribute with more distinct values than this keeps no list of them; beyond the second it is not counted on.
  static constexpr size_t kMostListed = 20'000;
  static constexpr size_t kMostCounted = size_t{1} << 20;

  explicit AttributeSurvey(std::string_view attribute_name) : name(attribute_name) {}

  void Add(std::string_view text);

  uint64_t distinct() const { return hashes_.size(); }
  // Every distinct text; empty if there are more than kMostListed.
  const std::vector<std::string>& values() const { return values_; }
  bool listed() const { return hashes_.size() <= kMostListed; }
  // Distinct values as a share of all, 1 if no value occurs twice.
  double unique_share() const {
    return present == 0 ? 0 : static_cast<double>(distinct()) / static_cast<double>(present);
  }

  std::string name;
  // How many vertices have a value.
  uint64_t present = 0;
  // Whether all values are of this form.
  bool numbers = true;
  bool integers = true;
  bool dates = true;   // with a month at least
  bool digits = true;  // digits only, as a text
  bool codes = true;   // letters, then at least two digits: CS305
  // Whether any value is.
  bool leading_zero = false;
  bool star = false;  // the text "*", which a taxonomy uses for its root
  double least = 0;
  double greatest = 0;
  // In bytes.
  size_t shortest = 0;
  size_t longest = 0;
  // `codes`: how many digits every value ends with.
  size_t least_digits = 0;

 private:
  void Examine(std::string_view text);

  std::unordered_set<uint64_t> hashes_;
  std::vector<std::string> values_;
};

struct ClassSurvey {
  // The key below the parent; empty for the root.
  std::string key;
  uint64_t vertices = 0;
  // Whether its vertices are objects, plain values, something that is neither (an array in an array), and whether one
  // stands in an array.
  bool objects = false;
  bool plain = false;
  bool odd = false;
  bool array = false;
  // In the order in which they first occur. A key can be in both lists, which no policy can describe.
  std::vector<std::unique_ptr<AttributeSurvey>> attributes;
  std::vector<std::unique_ptr<ClassSurvey>> children;
  // Keys that were met, but only with null.
  std::vector<std::string> nulls;

  AttributeSurvey& Attribute(std::string_view name);
  ClassSurvey& Child(std::string_view name);
  void MeetNull(std::string_view name);
  bool HasAttribute(std::string_view name) const;
  bool HasChild(std::string_view name) const;
};

struct Survey {
  Format format = Format::kJsonl;
  // kJson: the keys that lead to the records, separated by dots.
  std::string at;
  uint64_t records = 0;
  // Whether there are more records than were read.
  bool partial = false;
  ClassSurvey root;
};

// The format is told by the name (.jsonl, .ndjson, .json, .csv, .tsv, each also with .gz or .zst), otherwise by the
// content. `path` may be "-".
Result<Survey> SurveyData(const std::string& path);

}  // namespace thicket
