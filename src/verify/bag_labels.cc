#include "verify/bag_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/stop.h"
#include "verify/published_values.h"

namespace thicket {

namespace {

// Of a bag.
constexpr ClassId kTerms = 1;
constexpr size_t kTerm = 0;

}  // namespace

Result<BagLabels> BagLabels::Of(const QuasiAttribute& attribute, const TaxonomyFiles& taxonomies,
                                const NetworkFiles& networks) {
  const Recoding& recoding = attribute.recoding;
  const bool is_network = recoding.kind == Recoding::Kind::kNetwork;
  BagLabels labels;
  labels.takes_unknown_ = recoding.unknown == UnknownValues::kGeneralize;
  labels.may_be_several_ = attribute.may_be_several;
  if (is_network) {
    const auto found = networks.find(recoding.file);
    if (found != networks.end()) labels.network_ = found->second.get();
  } else {
    labels.taxonomy_ = FindTaxonomy(taxonomies, attribute);
  }
  if (labels.network_ != nullptr || labels.taxonomy_ != nullptr) return labels;
  return ErrorAt(ErrorCode::kUsage, {.file = recoding.file},
                 fmt::format("the {} of {} must be read before labels are checked, but is not",
                             is_network ? "network" : "taxonomy", attribute.name),
                 "read what the policy names");
}

bool BagLabels::IsWord(std::string_view text) const {
  if (network_ != nullptr) return network_->Find(text).has_value();
  const auto node = taxonomy_->Find(text);
  return node && taxonomy_->is_leaf(*node);
}

std::vector<std::string_view> BagLabels::Alternatives(std::string_view label) const {
  std::vector<std::string_view> words;
  while (may_be_several_) {
    const size_t end = label.find(kAlternativesMark);
    if (end == std::string_view::npos) break;
    words.push_back(label.substr(0, end));
    label.remove_prefix(end + 1);
  }
  words.push_back(label);
  return words;
}

bool BagLabels::IsLegal(std::string_view label) const {
  std::vector<std::string_view> words = Alternatives(label);
  if (words.size() == 1 && taxonomy_ != nullptr && taxonomy_->Find(label)) return true;
  for (const std::string_view word : words) {
    if (word.empty() || !(takes_unknown_ || IsWord(word))) return false;
  }
  std::sort(words.begin(), words.end());
  return std::adjacent_find(words.begin(), words.end()) == words.end();
}

Status CheckBagLabels(const Dataset& published, const TaxonomyFiles& taxonomies,
                      const NetworkFiles& networks, Violations& violations) {
  const QuasiAttribute& attribute = published.schema->classes[kTerms].quasi[kTerm];
  THICKET_ASSIGN(const BagLabels labels, BagLabels::Of(attribute, taxonomies, networks));
  const Dictionary& dictionary = published.dictionaries[kTerms][kTerm];
  std::vector<bool> bad(dictionary.size(), false);
  bad[kMissing] = true;
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    bad[symbol] = !labels.IsLegal(dictionary.text(symbol));
  }
  ReportValues(
      published, kTerms, kTerm, bad, ViolationKind::kIllegalLabel,
      fmt::format("every term must be {} {}{}",
                  labels.network() != nullptr ? "a word of the network" : "a label of",
                  attribute.recoding.file,
                  attribute.may_be_several
                      ? fmt::format(", or several of them with {} between them", kAlternativesMark)
                      : ""),
      violations);
  return {};
}

}  // namespace thicket
