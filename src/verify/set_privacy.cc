#include "verify/set_privacy.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/phase.h"
#include "base/stop.h"
#include "verify/itemset_threats.h"
#include "verify/published_sets.h"
#include "verify/published_values.h"

namespace thicket {

namespace {

std::string NameOfGroup(const PublishedSets::Group& group) {
  return group.legal ? fmt::format("\"{}\"", group.text) : "a label that the policy does not know";
}

// '"Beer" and "Wine" but no "Milk"'.
std::string KnowledgeText(const PublishedSets& sets, const ItemsetThreat& threat) {
  std::string text;
  for (const uint32_t group : threat.there) {
    text += (text.empty() ? "" : " and ") + NameOfGroup(sets.group(group));
  }
  bool is_first = true;
  for (const uint32_t group : threat.absent) {
    const bool begins = std::exchange(is_first, false);
    text += !begins ? " and " : text.empty() ? "no " : " but no ";
    text += NameOfGroup(sets.group(group));
  }
  return text;
}

class SetVerifier {
 public:
  SetVerifier(const PrivacyPolicy& privacy, const Dataset& published, int threads)
      : privacy_(privacy), data_(published), parallel_(threads) {}

  Result<Verdict> Run(const TaxonomyFiles& taxonomies) {
    verdict_.records = data_.forest.record_count();
    verdict_.vertices = data_.forest.vertex_count();
    THICKET_TRY(CheckLabels(data_, taxonomies, verdict_.violations));
    THICKET_ASSIGN(const PublishedSets sets,
                   PublishedSets::Read(data_, taxonomies, verdict_.violations));
    verdict_.k = privacy_.k.value_or(1);
    verdict_.l = privacy_.l;
    if (!privacy_.m) {
      CheckClasses(sets);
    } else if (IsCut(sets)) {
      CheckItemsets(sets);
    }
    verdict_.holds = verdict_.violations.empty();
    return std::move(verdict_);
  }

 private:
  uint64_t k() const { return static_cast<uint64_t>(privacy_.k.value_or(1)); }
  uint64_t l() const { return static_cast<uint64_t>(privacy_.l.value_or(1)); }

  void CheckClasses(const PublishedSets& sets) {
    Phase phase("verify classes", sets.size());
    MeasureClasses(sets);
    for (size_t row = 0; row < sets.size(); ++row) {
      StopPoint();
      phase.Advance();
      const uint64_t weight = sets.weight(row);
      if (weight < k()) AddSmallClass(sets, row);
      for (const PublishedSets::Held& held : sets.held(row)) {
        if (held.weight * l() > weight) AddTellingClass(sets, row, held);
      }
    }
  }
  void MeasureClasses(const PublishedSets& sets) {
    std::vector<size_t> sizes;
    for (size_t row = 0; row < sets.size(); ++row) sizes.push_back(sets.weight(row));
    std::sort(sizes.begin(), sizes.end());
    verdict_.classes = sizes.size();
    if (sizes.empty()) return;
    verdict_.smallest_class = sizes.front();
    verdict_.median_class = sizes[(sizes.size() - 1) / 2];
    verdict_.largest_class = sizes.back();
  }
  // What was found where less than promised was.
  void FindK(uint64_t support) { verdict_.k = std::min(*verdict_.k, static_cast<int>(support)); }
  void FindL(uint64_t support, uint64_t most) {
    verdict_.l = std::min(*verdict_.l, static_cast<int>(support / most));
  }

  void AddSmallClass(const PublishedSets& sets, size_t row) {
    const uint64_t weight = sets.weight(row);
    FindK(weight);
    verdict_.violations.Add(
        {ViolationKind::kClassTooSmall,
         fmt::format(
             "{}: at least {} records must have the same items that are not sensitive, but "
             "{}",
             data_.Where(sets.example(row)), k(),
             weight == 1 ? "only this one has these" : fmt::format("only {} have these", weight)),
         weight});
  }
  void AddTellingClass(const PublishedSets& sets, size_t row, const PublishedSets::Held& held) {
    if (l() == 1) return;
    FindL(sets.weight(row), held.weight);
    verdict_.violations.Add(
        {ViolationKind::kNotDiverse,
         fmt::format("{}: among the {} record{} with this one's items no sensitive item may be in "
                     "more than 1/{}, but privacy.sensitive_items[{}] is in {} of {}",
                     data_.Where(sets.example(row)), sets.weight(row),
                     sets.weight(row) == 1 ? "" : "s", l(), held.item, held.weight,
                     sets.weight(row)),
         sets.weight(row)});
  }

  bool IsCut(const PublishedSets& sets) {
    const uint32_t above = sets.FindLabelAboveAnother();
    if (above == PublishedSets::kNone) return true;
    verdict_.violations.Add(
        {ViolationKind::kNotOneCut,
         fmt::format("{}: labels must be of one cut through the taxonomy, none above another, but "
                     "\"{}\" stands above others that are published",
                     data_.source, sets.group(above).text),
         1});
    return false;
  }

  void CheckItemsets(const PublishedSets& sets) {
    const ItemsetPower power = {static_cast<size_t>(*privacy_.m),
                                static_cast<uint64_t>(*privacy_.n)};
    uint64_t known_k = 1;
    if (k() > 1) {
      const ItemsetThreats rare = FindRareItemsets(sets, k(), power, parallel_);
      verdict_.label_sets += rare.counted;
      for (const ItemsetThreat& threat : rare.threats) AddRare(sets, threat);
      verdict_.violations.Count(ViolationKind::kRareCombination, rare.met - rare.threats.size());
      if (rare.met == 0) known_k = k();
    }
    if (l() == 1) return;
    const ItemsetThreats told = FindTellingItemsets(sets, l(), power, known_k, parallel_);
    verdict_.label_sets += told.counted;
    for (const ItemsetThreat& threat : told.threats) AddTelling(sets, threat);
    verdict_.violations.Count(ViolationKind::kNotDiverse, told.met - told.threats.size());
  }

  // The first record that supports it.
  std::string WhereOf(const PublishedSets& sets, const ItemsetThreat& threat) const {
    RecordId first = ~RecordId{0};
    for (size_t row = 0; row < sets.size(); ++row) {
      StopPoint();
      if (sets.example(row) < first && threat.HoldsIn(sets, row)) first = sets.example(row);
    }
    return data_.Where(first);
  }
  void AddRare(const PublishedSets& sets, const ItemsetThreat& threat) {
    FindK(threat.support);
    verdict_.violations.Add(
        {ViolationKind::kRareCombination,
         fmt::format("{}: at least {} records must have {}, but {}", WhereOf(sets, threat), k(),
                     KnowledgeText(sets, threat),
                     threat.support == 1 ? "only this one does"
                                         : fmt::format("only {} do", threat.support)),
         threat.support});
  }
  void AddTelling(const PublishedSets& sets, const ItemsetThreat& threat) {
    FindL(threat.support, threat.most);
    const bool alone = threat.support == 1;
    verdict_.violations.Add(
        {ViolationKind::kNotDiverse,
         fmt::format("{}: {} {} no sensitive item may be in more than 1/{}, but "
                     "privacy.sensitive_items[{}] is in {} of {}",
                     WhereOf(sets, threat),
                     alone ? "in the only record that has"
                           : fmt::format("among the {} records that have", threat.support),
                     KnowledgeText(sets, threat), l(), threat.item, threat.most, threat.support),
         threat.support});
  }

  const PrivacyPolicy& privacy_;
  const Dataset& data_;
  Parallel parallel_;
  Verdict verdict_;
};

}  // namespace

Result<Verdict> VerifySets(const Schema& schema, const PrivacyPolicy& privacy,
                           const TaxonomyFiles& taxonomies, const Dataset& published, int threads) {
  if (schema.classes.size() != 2 || schema.classes[1].quasi.size() != 1) {
    return ErrorAt(ErrorCode::kUsage, {.path = "record"},
                   "KL(m,n)-privacy needs sets, but these records are none",
                   "a set has one class of items with one quasi-identifier");
  }
  return SetVerifier(privacy, published, threads).Run(taxonomies);
}

}  // namespace thicket
