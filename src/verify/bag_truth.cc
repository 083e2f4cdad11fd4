#include "verify/bag_truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "base/text.h"
#include "record/canonical_form.h"
#include "verify/bag_labels.h"
#include "verify/bag_pairing.h"
#include "verify/bag_steps.h"
#include "verify/distinct_representatives.h"
#include "verify/source_order.h"

namespace thicket {

namespace {

// Of a bag.
constexpr ClassId kTerms = 1;
constexpr size_t kTerm = 0;

// The terms of a bag, each once, with how often it is there; ascending.
struct TermCount {
  Symbol term;
  uint32_t count;
};
using TermCounts = std::vector<TermCount>;

void CountTerms(const Forest& forest, RecordId record, TermCounts& counts) {
  std::vector<Symbol> terms;
  for (Vertex v = forest.root(record) + 1; v < forest.root(record + 1); ++v) {
    terms.push_back(forest.value(v, kTerm));
  }
  std::sort(terms.begin(), terms.end());
  counts.clear();
  for (const Symbol term : terms) {
    if (counts.empty() || counts.back().term != term) counts.push_back({term, 0});
    ++counts.back().count;
  }
}

class BagChecker {
 public:
  BagChecker(const BagLabels& labels, const Dataset& published, const Dataset& original,
             uint32_t epsilon)
      : published_(published),
        epsilon_(epsilon),
        steps_(labels, published.dictionaries[kTerms][kTerm], original.dictionaries[kTerms][kTerm],
               epsilon) {}

  // How many terms of the published bag have no partner in the original one; pairing_ has the others.
  uint64_t Unpaired(const TermCounts& published, const TermCounts& original) {
    pairing_.Clear();
    for (const TermCount& term : original) pairing_.AddTerm(term.count);
    for (const TermCount& label : published) {
      const uint32_t number = pairing_.AddLabel(label.count);
      ForEachNear(label.term, original, [&](uint32_t term, uint32_t steps) {
        pairing_.Allow(number, term, CostOf(steps));
      });
    }
    return pairing_.Solve();
  }

  // Whether every term can have a partner at all, which is soon seen.
  bool MayFit(const TermCounts& published, const TermCounts& original) {
    for (const TermCount& label : published) {
      bool found = false;
      ForEachNear(label.term, original, [&](uint32_t, uint32_t) { found = true; });
      if (!found) return false;
    }
    return true;
  }

  void AddDistances(const TermCounts& published, const TermCounts& original,
                    BagTruth& truth) const {
    uint64_t terms = 0;
    uint64_t all = 0;
    for (const TermCount& label : published) terms += label.count;
    for (const TermCount& term : original) all += term.count;
    truth.published += terms;
    truth.left_out += all - terms;
    if (terms == 0) ++truth.empty_bags;
    pairing_.ForEachPair([&](uint64_t count, uint64_t cost) {
      const uint64_t steps = cost / kPerStep;
      truth.steps += count * steps;
      if (steps > 0) truth.substituted += count;
      truth.most_steps = std::max(truth.most_steps, steps);
    });
  }

  // After Unpaired().
  Violation Explain(RecordId record, const TermCounts& original, uint64_t unpaired) {
    const Vertex root = published_.forest.root(record);
    const Vertex end = published_.forest.root(record + 1);
    uint64_t count = 0;
    for (const TermCount& term : original) count += term.count;
    if (end - root - 1 > count) {
      return {ViolationKind::kInventedVertex,
              fmt::format("{}: a bag must not have more terms than its original, but has {} more",
                          published_.Where(record), WithCommas(end - root - 1 - count)),
              1};
    }
    for (Vertex v = root + 1; v < end; ++v) {
      bool found = false;
      ForEachNear(published_.forest.value(v, kTerm), original,
                  [&](uint32_t, uint32_t) { found = true; });
      if (found) continue;
      return {ViolationKind::kTooFar,
              fmt::format("{}: a term must be at most {} from the one that it stands for, but is "
                          "farther from every term of the original bag",
                          published_.Where(v, kTerm), StepsText()),
              unpaired};
    }
    return {ViolationKind::kTooFar,
            fmt::format("{}: every term of a bag must stand for another term of the original bag, "
                        "at most {} away, but {} of {} cannot",
                        published_.Where(record), StepsText(), WithCommas(unpaired),
                        WithCommas(end - root - 1)),
            unpaired};
  }

  const std::vector<BagSteps::Near>& NearTo(Symbol label) { return steps_.NearTo(label); }
  // "2 steps".
  std::string StepsText() const {
    return fmt::format("{} step{}", epsilon_, epsilon_ == 1 ? "" : "s");
  }

 private:
  // Steps count first, then whether there are any.
  static constexpr uint64_t kPerStep = uint64_t{1} << 32;
  static uint64_t CostOf(uint32_t steps) { return steps * kPerStep + (steps > 0 ? 1 : 0); }

  // Of the terms of a bag those near the label, by their places in the bag.
  template <typename Use>
  void ForEachNear(Symbol label, const TermCounts& terms, const Use& use) {
    const std::vector<BagSteps::Near>& near = steps_.NearTo(label);
    auto from = near.begin();
    for (uint32_t i = 0; i < terms.size(); ++i) {
      from = std::lower_bound(from, near.end(), terms[i].term,
                              [](const BagSteps::Near& a, Symbol term) { return a.term < term; });
      if (from == near.end()) return;
      if (from->term == terms[i].term) use(i, from->steps);
    }
  }

  const Dataset& published_;
  uint32_t epsilon_;
  BagSteps steps_;
  BagPairing pairing_;
};

Error BadCertificate(std::string_view what) {
  return {ErrorCode::kData,
          fmt::format(
              "certificate: it must name an original record for every published one, but {}", what),
          "hand over the one that belongs to these data sets", ""};
}

// Look-alikes one after another, since they show the same labels.
Status CheckPairs(const Dataset& published, const Dataset& original,
                  std::span<const RecordId> certificate, const RecordGroups& looks,
                  BagChecker& checker, BagTruth& verdict) {
  if (certificate.size() != published.forest.record_count()) {
    return BadCertificate("its length differs");
  }
  std::vector<bool> used(original.forest.record_count(), false);
  for (const RecordId source : certificate) {
    if (source >= used.size()) return BadCertificate("one of them does not exist");
  }
  TermCounts labels;
  TermCounts terms;
  Phase phase("verify truth", certificate.size());
  for (size_t look = 0; look < looks.size(); ++look) {
    CountTerms(published.forest, looks.member(look, 0), labels);
    for (size_t i = 0; i < looks.size(look); ++i) {
      StopPoint();
      phase.Advance();
      const RecordId record = looks.member(look, i);
      const RecordId source = certificate[record];
      CountTerms(original.forest, source, terms);
      const uint64_t unpaired = checker.Unpaired(labels, terms);
      const bool shared = used[source];
      used[source] = true;
      if (!shared && unpaired == 0) {
        checker.AddDistances(labels, terms, verdict);
        continue;
      }
      ++verdict.untrue;
      if (shared) {
        verdict.violations.Add(
            {ViolationKind::kSharedOriginal,
             fmt::format("{}: every published record must have an original of its own, but this "
                         "one shares its with another",
                         published.Where(record)),
             1});
      }
      if (unpaired > 0) verdict.violations.Add(checker.Explain(record, terms, unpaired));
    }
  }
  verdict.holds = verdict.violations.empty();
  return {};
}

void CheckBagOrder(const Dataset& published, std::span<const RecordId> certificate,
                   const RecordGroups& looks, BagTruth& verdict) {
  std::vector<KnownPlace> places;
  for (RecordId record = 0; record < certificate.size(); ++record) {
    places.push_back({certificate[record], looks.group_of[record]});
  }
  const auto fault = FindSourceOrder(places);
  if (!fault) return;
  verdict.in_source_order = true;
  verdict.violations.Add(
      {ViolationKind::kSourceOrder,
       fmt::format("{}: records must stand in random order, but the {} whose originals are certain "
                   "{}",
                   published.source, WithCommas(places.size()), *fault),
       places.size()});
}

// Which different originals would do for each different published bag.
class FittingBags {
 public:
  FittingBags(const Dataset& published, const Dataset& original, const RecordGroups& looks,
              const RecordGroups& things, BagChecker& checker)
      : published_(published),
        looks_(looks),
        checker_(checker),
        holders_(original.dictionaries[kTerms][kTerm].size()),
        proposed_(things.size(), 0),
        known_(looks.size()),
        is_known_(looks.size(), false) {
    terms_.resize(things.size());
    for (uint32_t thing = 0; thing < things.size(); ++thing) {
      CountTerms(original.forest, things.member(thing, 0), terms_[thing]);
      for (const TermCount& term : terms_[thing]) holders_[term.term].push_back(thing);
    }
  }

  const std::vector<uint32_t>& Find(uint32_t look) {
    std::vector<uint32_t>& list = known_[look];
    if (is_known_[look]) return list;
    is_known_[look] = true;
    CountTerms(published_.forest, looks_.member(look, 0), labels_);
    ++search_;
    if (labels_.empty()) {
      for (uint32_t thing = 0; thing < terms_.size(); ++thing) list.push_back(thing);
      return list;
    }
    for (const BagSteps::Near& near : std::vector(checker_.NearTo(RarestLabel()))) {
      for (const uint32_t thing : holders_[near.term]) {
        StopPoint();
        if (std::exchange(proposed_[thing], search_) == search_) continue;
        if (!checker_.MayFit(labels_, terms_[thing])) continue;
        if (checker_.Unpaired(labels_, terms_[thing]) == 0) list.push_back(thing);
      }
    }
    std::sort(list.begin(), list.end());
    return list;
  }

 private:
  // Of the bag that is looked for: the label for which the fewest originals come into question.
  Symbol RarestLabel() {
    Symbol rarest = labels_.front().term;
    uint64_t least = ~uint64_t{0};
    for (const TermCount& label : labels_) {
      uint64_t count = 0;
      for (const BagSteps::Near& near : checker_.NearTo(label.term)) {
        count += holders_[near.term].size();
      }
      if (count >= least) continue;
      least = count;
      rarest = label.term;
    }
    return rarest;
  }

  const Dataset& published_;
  const RecordGroups& looks_;
  BagChecker& checker_;
  // By thing, and by term of the original: who has it.
  std::vector<TermCounts> terms_;
  std::vector<std::vector<uint32_t>> holders_;
  std::vector<uint32_t> proposed_;
  uint32_t search_ = 0;
  TermCounts labels_;
  std::vector<std::vector<uint32_t>> known_;
  std::vector<bool> is_known_;
};

Status FindBags(const Schema& schema, const Dataset& published, const Dataset& original,
                const RecordGroups& looks, uint64_t most_pairs, BagChecker& checker,
                BagTruth& verdict) {
  const RecordGroups things =
      GroupRecords(original.forest, Canonicalize(schema, original.forest, CompareBy::kQuasi));
  if (looks.size() * things.size() > most_pairs) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("without a link at most {} pairs of different bags can be compared, "
                    "but there are {} times {}",
                    WithCommas(most_pairs), WithCommas(looks.size()), WithCommas(things.size())),
        "give --link the file that anonymize --link wrote", ""};
  }
  std::vector<uint32_t> demand;
  std::vector<uint32_t> capacity;
  for (size_t g = 0; g < looks.size(); ++g) demand.push_back(static_cast<uint32_t>(looks.size(g)));
  for (size_t g = 0; g < things.size(); ++g) {
    capacity.push_back(static_cast<uint32_t>(things.size(g)));
  }
  FittingBags fitting(published, original, looks, things, checker);
  Phase phase("verify truth", looks.size());
  uint32_t asked = 0;
  const std::vector<uint32_t> shortage =
      FindShortage(demand, capacity, [&](uint32_t look) -> const std::vector<uint32_t>& {
        if (look >= asked) phase.Advance(look + 1 - std::exchange(asked, look + 1));
        return fitting.Find(look);
      });
  for (uint32_t look = 0; look < shortage.size(); ++look) {
    if (shortage[look] == 0) continue;
    verdict.untrue += shortage[look];
    const bool none = fitting.Find(look).empty();
    verdict.violations.Add(
        {none ? ViolationKind::kNoOriginal : ViolationKind::kSharedOriginal,
         fmt::format(
             "{}: every published bag must stand for an original one of its own, its terms "
             "at most {} away, but {}",
             published.Where(looks.member(look, 0)), checker.StepsText(),
             none ? "no original bag fits" : "those that fit stand behind other published bags"),
         shortage[look]});
  }
  verdict.holds = verdict.violations.empty();
  return {};
}

}  // namespace

Result<BagTruth> VerifyBagTruth(const Schema& schema, const PrivacyPolicy& privacy,
                                const TaxonomyFiles& taxonomies, const NetworkFiles& networks,
                                const Dataset& published, const Dataset& original,
                                std::optional<std::span<const RecordId>> certificate,
                                bool judge_order, uint64_t most_pairs) {
  THICKET_ASSIGN(const BagLabels labels,
                 BagLabels::Of(schema.classes[kTerms].quasi[kTerm], taxonomies, networks));
  BagChecker checker(labels, published, original,
                     static_cast<uint32_t>(privacy.epsilon.value_or(0)));
  const RecordGroups looks =
      GroupRecords(published.forest, Canonicalize(schema, published.forest, CompareBy::kQuasi));
  BagTruth verdict;
  verdict.records = published.forest.record_count();
  if (!certificate) {
    THICKET_TRY(FindBags(schema, published, original, looks, most_pairs, checker, verdict));
    return verdict;
  }
  THICKET_TRY(CheckPairs(published, original, *certificate, looks, checker, verdict));
  if (judge_order && verdict.holds) CheckBagOrder(published, *certificate, looks, verdict);
  return verdict;
}

}  // namespace thicket
