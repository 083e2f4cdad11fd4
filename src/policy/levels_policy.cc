#include <fmt/format.h>

#include <string>
#include <unordered_map>

#include "base/fold.h"
#include "policy/policy_reader.h"

namespace thicket {

namespace {

// The values of the levels that the policy gives outright. They are sensitive: messages name only their places.
Status ReadGivenLevels(const PolicyNode& node, SensitivityLevels& levels) {
  levels.kind = SensitivityLevels::Kind::kGiven;
  THICKET_TRY(node.MustHaveOnly({{"1", "2", "3", "4", "5"}, {}}));
  std::unordered_map<std::string, std::string> level_of;
  for (const auto& [key, values] : node.Children()) {
    if (!values.yaml().is_list()) {
      return values.Fail("must be a list of values, but is not", "write it in brackets: [a, b]");
    }
    for (size_t i = 0; i < values.yaml().items.size(); ++i) {
      const PolicyNode item = values.Item(i);
      if (!item.yaml().is_scalar()) {
        return item.Fail("must be a plain value, but is not",
                         "write it without brackets or braces");
      }
      if (FoldValue(item.yaml().text).empty()) {
        return item.Fail("must be a value, but is blank",
                         "remove it: a missing value is of level 1");
      }
      const auto [other, added] = level_of.emplace(FoldValue(item.yaml().text), key);
      if (!added) {
        return item.Fail(
            fmt::format("must be in one level, but is in level {} already", other->second),
            "remove it from one of the two; letter case, blanks and the way a number is written "
            "make no difference");
      }
      levels.given[static_cast<size_t>(key[0] - '1')].push_back(item.yaml().text);
    }
  }
  return {};
}

Status ReadNumericLevels(const PolicyNode& node, SensitivityLevels& levels) {
  levels.kind = SensitivityLevels::Kind::kNumeric;
  if (node.Has("min")) {
    THICKET_ASSIGN(levels.min, node.Child("min").Exact());
  }
  if (node.Has("max")) {
    THICKET_ASSIGN(levels.max, node.Child("max").Exact());
  }
  if (levels.min && levels.max && !(*levels.min < *levels.max)) {
    return node.Child("max").Fail(fmt::format("must be above min, but is {} where min is {}",
                                              levels.max->Text(), levels.min->Text()),
                                  "give the range of the attribute");
  }
  if (node.Has("sensitive")) {
    THICKET_ASSIGN(const std::string end, node.Child("sensitive").Word({{"low", "high"}, {}}));
    levels.low_is_sensitive = end == "low";
  }
  return {};
}

}  // namespace

Result<SensitivityLevels> ReadLevels(const PolicyNode& node) {
  SensitivityLevels levels;
  if (node.yaml().is_scalar()) {
    THICKET_ASSIGN(const std::string word, node.Word({{"frequency"}, {}}));
    levels.kind = SensitivityLevels::Kind::kFrequency;
    return levels;
  }
  THICKET_TRY(node.MustHaveOnly({{"min", "max", "sensitive", "1", "2", "3", "4", "5"}, {}}));
  bool given = false;
  bool numeric = false;
  for (const auto& [key, child] : node.Children()) {
    const bool is_level = key.size() == 1;
    given = given || is_level;
    numeric = numeric || !is_level;
  }
  if (given && numeric) {
    return node.Fail("must give either the values of each level or a range, but gives both",
                     "use {1: [a, b], 5: [c]}, or {min: 0, max: 4, sensitive: low}");
  }
  THICKET_TRY(given ? ReadGivenLevels(node, levels) : ReadNumericLevels(node, levels));
  return levels;
}

}  // namespace thicket
