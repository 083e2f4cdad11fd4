#include "engine/cut_method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cutting/kmn/fact_checker.h"
#include "cutting/kmn/fact_rows.h"
#include "cutting/kmn/recode.h"
#include "cutting/kmn/shapes.h"
#include "engine/word_meaning.h"

namespace thicket {

namespace {

constexpr WordMeaning<CutCost> kCutCosts[] = {{"lm", CutCost::kLoss},
                                              {"rpd", CutCost::kRpd},
                                              {"rpd_a", CutCost::kSynopsis},
                                              {"labels", CutCost::kLabels}};

std::string PathOf(const ItemHierarchy& items, const Schema& schema, Item item) {
  const ItemHierarchy::Attribute& attribute = items.attribute(item);
  return schema.PathOf(attribute.class_id,
                       schema.classes[attribute.class_id].quasi[attribute.slot].name);
}

std::string TextOf(const ItemHierarchy& items, const EncodedDataset& data, Item item) {
  const ItemHierarchy::Attribute& attribute = items.attribute(item);
  const Domain& domain = data.classes[attribute.class_id].domains[attribute.slot];
  return domain.taxonomy().label(items.label(item).low);
}

Report::Cut Describe(const ItemHierarchy& items, const EncodedDataset& data,
                     const CutSolution& solution) {
  const Schema& schema = data.schema();
  Report::Cut cut;
  for (const ItemHierarchy::Attribute& attribute : items.attributes()) {
    cut.attributes.push_back({PathOf(items, schema, attribute.left_out), {}, false});
  }
  for (const Item label : solution.labels) {
    Report::Cut::Attribute& attribute = cut.attributes[items.attribute_of(label)];
    attribute.left_out = items.is_left_out(label);
    if (!attribute.left_out) attribute.labels.push_back(TextOf(items, data, label));
  }
  for (size_t i = 0; i < solution.broken.size(); ++i) {
    const Relation& relation = solution.broken[i];
    cut.disassociated.push_back({PathOf(items, schema, relation.above),
                                 TextOf(items, data, relation.above),
                                 PathOf(items, schema, relation.below),
                                 TextOf(items, data, relation.below), solution.broken_support[i]});
  }
  cut.cost = solution.cost;
  cut.stopped_early = solution.stopped_early;
  return cut;
}

// Attributes of which only the root is published though more values occur, and whose taxonomies have nothing between: one value that
// is too rare takes all others along. Of two values there is nothing to put between.
std::vector<std::string> AllOrNothing(const ItemHierarchy& items, const EncodedDataset& data,
                                      const CutSolution& solution) {
  std::vector<std::string> paths;
  for (const Item label : solution.labels) {
    if (items.is_left_out(label) || label != ItemHierarchy::root(items.attribute(label))) continue;
    const std::span<const Item> values = items.Children(label);
    const bool is_flat =
        std::all_of(values.begin(), values.end(), [&](Item value) { return items.is_leaf(value); });
    if (is_flat && values.size() > 2) paths.push_back(PathOf(items, data.schema(), label));
  }
  return paths;
}

std::vector<std::string> WarningsOf(const Report::Cut& cut, bool diverse,
                                    const std::vector<std::string>& all_or_nothing) {
  std::vector<std::string> warnings;
  if (!all_or_nothing.empty()) {
    warnings.push_back(fmt::format(
        "{} {} published as the root of {} only: where nothing stands between the values and the "
        "root, one value that is too rare takes all others along; put groups between them",
        fmt::join(all_or_nothing, ", "), all_or_nothing.size() == 1 ? "is" : "are",
        all_or_nothing.size() == 1 ? "its taxonomy" : "their taxonomies"));
  }
  for (const Report::Cut::Attribute& attribute : cut.attributes) {
    if (!attribute.left_out) continue;
    warnings.push_back(
        fmt::format("{} is not published: fewer than k records have it, or it together with other "
                    "labels{}",
                    attribute.path, diverse ? ", or their sensitive values are too alike" : ""));
  }
  if (cut.stopped_early) {
    warnings.emplace_back("limit_s ended the search: a better cut may exist");
  }
  return warnings;
}

// What no cut changes: whoever knows nothing of a person knows that much.
Error TooAlike(const Schema& schema, const FrequentSecret& found, uint64_t l, uint64_t records) {
  const std::string& name = schema.classes[found.class_id].sensitive[found.attribute].name;
  return ErrorAt(
      ErrorCode::kPromise, {.path = schema.PathOf(found.class_id, name)},
      fmt::format("no value may occur in more than 1/{} of the records, but one occurs in {} "
                  "of {}, so no cut through the taxonomies keeps the promise",
                  l, found.records, records),
      "lower l, or take the attribute out of sensitive and into drop; nothing was published");
}

}  // namespace

Result<MethodResult> RunKmnSearch(const Policy& policy, CutMethod method, bool exhaustive,
                                  const EncodedDataset& data, Parallel& parallel,
                                  Progress& progress) {
  const PrivacyPolicy& privacy = policy.privacy;
  CutSearchOptions options;
  options.method = method;
  THICKET_ASSIGN(options.cost, MeaningOf("cost", policy.method.cut_cost, kCutCosts));
  options.limits = {static_cast<uint32_t>(*privacy.k), static_cast<uint32_t>(*privacy.m),
                    static_cast<uint32_t>(*privacy.n)};
  options.g = static_cast<size_t>(policy.method.g);
  options.limit_s = policy.method.limit_s;
  options.from_scratch = exhaustive;
  const ItemHierarchy items(data);
  const Shapes shapes = Shapes::Of(items, data);
  const FactQuestion question = {static_cast<uint32_t>(privacy.l.value_or(0)), privacy.negative};
  // Sensitive values differ between records of one shape.
  const FactRows rows =
      question.l > 0 ? FactRows::OfRecords(data, shapes) : FactRows::OfShapes(shapes);
  if (const std::optional<FrequentSecret> frequent = rows.TooFrequent(question.l)) {
    return TooAlike(data.schema(), *frequent, question.l, rows.size());
  }
  const FactChecker checker(items, shapes, rows, options.limits, question, exhaustive);
  if (question.l > 0 || question.negative) options.facts = &checker;
  THICKET_ASSIGN(const std::optional<CutSolution> found,
                 SearchCut(items, shapes, options, parallel, progress));
  if (!found) {
    return Error{ErrorCode::kPromise,
                 "no cut through the taxonomies keeps the promise, so nothing was published",
                 "lower k, l, m or n", ""};
  }
  MethodResult result;
  result.published = Recode(items, data, found->label_of, found->broken);
  result.cut = Describe(items, data, *found);
  result.search = {found->cuts, found->valid_cuts};
  result.warnings = WarningsOf(*result.cut, question.l > 0, AllOrNothing(items, data, *found));
  return result;
}

}  // namespace thicket
