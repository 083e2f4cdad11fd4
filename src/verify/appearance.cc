#include "verify/appearance.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/decimal.h"
#include "base/stop.h"
#include "verify/published_values.h"

namespace thicket {

namespace {

void ReportFindings(const Dataset& published, Violations& violations) {
  for (const Finding& finding : published.findings) {
    const ViolationKind kind = finding.kind == Finding::Kind::kUnnamed
                                   ? ViolationKind::kUnnamedContent
                                   : ViolationKind::kTellsApart;
    violations.Add({kind, finding.Text(), finding.count});
  }
}

void CheckSiblings(const Dataset& published, const CanonicalForm& form, const RecordGroups& groups,
                   Violations& violations) {
  const Forest& forest = published.forest;
  for (size_t group = 0; group < groups.size(); ++group) {
    const RecordId leader = groups.member(group, 0);
    const auto begin = form.number.begin() + forest.root(leader);
    for (size_t i = 1; i < groups.size(group); ++i) {
      const RecordId member = groups.member(group, i);
      if (std::equal(begin, begin + static_cast<std::ptrdiff_t>(forest.record_size(leader)),
                     form.number.begin() + forest.root(member))) {
        continue;
      }
      violations.Add({ViolationKind::kTellsApart,
                      fmt::format("{}: records that look alike must have their vertices in the "
                                  "same order, but this one has them in another than {}",
                                  published.Where(member), published.Where(leader)),
                      1});
    }
  }
}

// What a published value of a quasi-identifier means: texts of one meaning are one leaf to whoever publishes.
std::string MeaningOf(const Recoding& recoding, std::string_view text) {
  if (recoding.kind != Recoding::Kind::kNumeric) return std::string(text);
  return Decimal::Key(text).value_or(std::string(text));
}

void CheckSpelling(const Schema& schema, const Dataset& published, Violations& violations) {
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    for (size_t slot = 0; slot < schema.classes[id].quasi.size(); ++slot) {
      const Dictionary& dictionary = published.dictionaries[id][slot];
      std::vector<bool> another(dictionary.size(), false);
      std::unordered_set<std::string> meanings;
      for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
        StopPoint();
        const Recoding& recoding = schema.classes[id].quasi[slot].recoding;
        another[symbol] = !meanings.insert(MeaningOf(recoding, dictionary.text(symbol))).second;
      }
      ReportValues(published, static_cast<ClassId>(id), slot, another, ViolationKind::kTellsApart,
                   "every value must be written in one way throughout", violations);
    }
  }
}

void CheckClassNumbers(const PrivacyPolicy& privacy, const Dataset& published,
                       const RecordGroups& groups, Violations& violations) {
  const std::vector<uint32_t>& numbers = published.class_numbers;
  if (numbers.empty()) return;
  const auto report = [&](RecordId record, std::string_view rule) {
    violations.Add({ViolationKind::kTellsApart,
                    fmt::format("{}: {}: {}", published.Where(record), kClassKey, rule), 1});
  };
  if (!privacy.has_classes()) {
    violations.Add({ViolationKind::kUnnamedContent,
                    fmt::format("{}: {}: there are no classes of records to be numbered, but "
                                "records have a number",
                                published.Where(0), kClassKey),
                    numbers.size()});
    return;
  }
  std::unordered_set<uint32_t> met;
  for (size_t group = 0; group < groups.size(); ++group) {
    const RecordId leader = groups.member(group, 0);
    const uint32_t number = numbers[leader];
    for (size_t i = 1; i < groups.size(group); ++i) {
      const RecordId member = groups.member(group, i);
      if (numbers[member] == number) continue;
      report(member, "records that look alike must have the same number, but this one has not");
      break;
    }
    if (number == Dataset::kNoClassNumber) {
      report(leader, "every record must have the number of its class, but this one has none");
    } else if (number >= groups.size()) {
      report(leader, fmt::format("classes must be numbered from 0 to {}, but this one is not",
                                 groups.size() - 1));
    } else if (!met.insert(number).second) {
      report(leader, "every class must have a number of its own, but this one has another's");
    }
  }
}

}  // namespace

void CheckAppearance(const Schema& schema, const PrivacyPolicy& privacy, const Dataset& published,
                     const CanonicalForm& form, const RecordGroups& groups,
                     Violations& violations) {
  ReportFindings(published, violations);
  CheckSpelling(schema, published, violations);
  CheckSiblings(published, form, groups, violations);
  CheckClassNumbers(privacy, published, groups, violations);
}

}  // namespace thicket
