// What a run of any method comes to: what is published, and what the report says of how it was found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/thicket.h"
#include "record/publication.h"
#include "utility/lm.h"

namespace thicket {

struct MethodResult {
  // Never empty.
  Publication published;
  // Grouping: pairs of records and classes. Cutting: the cuts that were looked at; those that could be published were
  // compared.
  Report::Search search;
  // Of a method that recodes everybody by one cut.
  std::optional<Report::Cut> cut;
  // Of a method that groups: suppressed records that would have cost more in a class.
  std::optional<uint64_t> costly_leftovers = {};
  // Of a method for sets.
  std::optional<Report::Sets> sets = {};
  // Of a method for bags, as far as the method knows, and bLM in the place of LM.
  std::optional<Report::Bags> bags = {};
  std::optional<LossCount> bag_loss = {};
  // Of a method that groups: LM that no grouping with the same promise is below, where that was found out.
  std::optional<double> at_least = {};
  std::vector<std::string> warnings;
};

}  // namespace thicket
