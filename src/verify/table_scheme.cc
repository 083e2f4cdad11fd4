#include "verify/table_scheme.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/stop.h"
#include "base/text.h"
#include "verify/free_cuts.h"
#include "verify/one_cut.h"
#include "verify/row_counts.h"
#include "verify/table_class.h"
#include "verify/thresholds.h"

namespace thicket {

namespace {

class TableVerifier {
 public:
  TableVerifier(const Policy& policy, const Dataset& published, const Dataset* original)
      : policy_(policy), published_(published), original_(original), rule_(policy) {}

  Result<TableVerdict> Run(const TaxonomyFiles& taxonomies,
                           const std::vector<std::vector<std::string>>& cut) {
    THICKET_TRY(ReadCuts(taxonomies, cut));
    THICKET_TRY(rule_.ReadSecretsOf(published_, original_));
    const bool is_one_cut = CheckCuts();
    Gather();
    CheckStars();
    WarnOfToldStars();
    // Without one cut there are no classes to compare.
    if (original_ != nullptr && is_one_cut) {
      GatherOriginals();
      CheckClasses();
      CheckLeftOut();
    }
    verdict_.holds = verdict_.violations.empty();
    return std::move(verdict_);
  }

 private:
  using Tuple = std::vector<uint32_t>;

  size_t quasi_count() const { return policy_.schema->root().quasi.size(); }

  Status ReadCuts(const TaxonomyFiles& taxonomies,
                  const std::vector<std::vector<std::string>>& cut) {
    for (size_t slot = 0; slot < quasi_count(); ++slot) {
      THICKET_ASSIGN(
          CutReading reading,
          CutReading::Of(published_, slot, taxonomies,
                         slot < cut.size() ? cut[slot] : std::vector<std::string>(), original_));
      cuts_.push_back(std::move(reading));
    }
    return {};
  }

  bool CheckCuts() {
    bool is_one_cut = true;
    const Forest& forest = published_.forest;
    for (size_t slot = 0; slot < quasi_count(); ++slot) {
      const std::optional<Symbol> below = cuts_[slot].below();
      if (!below) continue;
      is_one_cut = false;
      uint64_t count = 0;
      RecordId first = 0;
      for (RecordId record = 0; record < forest.record_count(); ++record) {
        if (forest.value(forest.root(record), slot) != *below) continue;
        if (count++ == 0) first = record;
      }
      verdict_.violations.Add(
          {ViolationKind::kNotOneCut,
           fmt::format("{}: all records must be recoded by one cut, but another record has a label "
                       "above this one ({} of {})",
                       published_.Where(forest.root(first), slot), WithCommas(count),
                       WithCommas(forest.record_count())),
           count});
    }
    return is_one_cut;
  }

  // Puts the symbols of what is sensitive behind the labels.
  void AddSymbols(const Dataset& data, Vertex root, Tuple& row) const {
    row.resize(quasi_count());
    for (size_t i = 0; i < rule_.attribute_count(); ++i) {
      row.push_back(data.forest.value(root, data.schema->root().sensitive_slot(i)));
    }
  }

  // The classes of the published table.
  void Gather() {
    const Forest& forest = published_.forest;
    RowCounts rows(quasi_count() + rule_.attribute_count());
    Tuple row(quasi_count());
    for (RecordId record = 0; record < forest.record_count(); ++record) {
      StopPoint();
      const Vertex root = forest.root(record);
      for (size_t slot = 0; slot < quasi_count(); ++slot) {
        row[slot] = cuts_[slot].label(forest.value(root, slot));
      }
      AddSymbols(published_, root, row);
      rows.Add(row, record);
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      StopPoint();
      const auto [found, is_new] = class_of_.emplace(LabelsOf(rows.row(i)), classes_.size());
      if (is_new) {
        classes_.emplace_back(rule_.attribute_count());
        leaders_.push_back(rows.first(i));
        before_.emplace_back(rule_.attribute_count());
      }
      rule_.Add(published_, rows.first(i), true, rows.count(i), classes_[found->second]);
    }
  }

  Tuple LabelsOf(std::span<const uint32_t> row) const {
    return {row.begin(), row.begin() + static_cast<ptrdiff_t>(quasi_count())};
  }

  void CheckStars() {
    for (size_t i = 0; i < classes_.size(); ++i) {
      const std::string fault = rule_.FaultOfStars(classes_[i]);
      if (fault.empty()) continue;
      Report(leaders_[i], fault, classes_[i].size);
    }
  }

  // Of what is published alone, or of what occurs in the original: then a reader is taken to know which values there are.
  void WarnOfToldStars() {
    TableClass occur(rule_.attribute_count());
    const Dataset& known = original_ != nullptr ? *original_ : published_;
    RowCounts rows(rule_.attribute_count());
    Tuple row;
    for (RecordId record = 0; record < known.forest.record_count(); ++record) {
      StopPoint();
      AddSymbols(known, known.forest.root(record), row);
      rows.Add(std::span(row).subspan(quasi_count()), record);
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      rule_.Add(known, rows.first(i), original_ == nullptr, rows.count(i), occur);
    }
    for (size_t attribute = 0; attribute < rule_.attribute_count(); ++attribute) {
      uint64_t told = 0;
      uint64_t stars = 0;
      for (const TableClass& one : classes_) {
        told += rule_.CountTold(one, attribute, occur);
        stars += one.stars[attribute];
      }
      if (told == 0) continue;
      verdict_.warnings.push_back(fmt::format(
          "{}: {} of {} suppressed values can be told, since every other value is shown beside "
          "them "
          "or would not have been suppressed; suppression: all-values hides them",
          policy_.schema->root().sensitive[attribute].name, WithCommas(told), WithCommas(stars)));
    }
  }

  void GatherOriginals() {
    for (size_t slot = 0; slot < quasi_count(); ++slot) cuts_[slot].Place(*original_, slot);
    const Forest& forest = original_->forest;
    RowCounts rows(quasi_count() + rule_.attribute_count());
    Tuple row(quasi_count());
    for (RecordId record = 0; record < forest.record_count(); ++record) {
      StopPoint();
      const Vertex root = forest.root(record);
      bool is_free = false;
      for (size_t slot = 0; slot < quasi_count(); ++slot) {
        row[slot] = cuts_[slot].label_of(forest.value(root, slot));
        is_free = is_free || row[slot] == CutReading::kFree;
      }
      if (is_free) {
        free_.push_back(record);
        continue;
      }
      AddSymbols(*original_, root, row);
      rows.Add(row, record);
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      StopPoint();
      const Tuple labels = LabelsOf(rows.row(i));
      const auto found = class_of_.find(labels);
      TableClass& of = found != class_of_.end()
                           ? before_[found->second]
                           : unseen_.emplace(labels, rule_.attribute_count()).first->second;
      rule_.Add(*original_, rows.first(i), false, rows.count(i), of);
    }
  }

  // What the scheme leaves of the originals of each class is what the class shows.
  void CheckClasses() {
    for (size_t i = 0; i < classes_.size(); ++i) {
      StopPoint();
      const TableClass expected = rule_.Suppress(before_[i]);
      const std::string fault = rule_.Difference(before_[i], expected, classes_[i]);
      if (!fault.empty()) Report(leaders_[i], fault, classes_[i].size);
    }
  }

  void CheckLeftOut() {
    uint64_t wrong = 0;
    uint64_t left_out = free_.size();
    for (auto& [tuple, of] : unseen_) {
      StopPoint();
      left_out += of.size;
      if (rule_.Suppress(of).size > 0) wrong += of.size;
    }
    if (!rule_.leaves_records_out() || wrong > 0) {
      const uint64_t count = rule_.leaves_records_out() ? wrong : left_out;
      if (count > 0) ReportLeftOut(count);
      return;
    }
    if (free_.empty()) return;
    switch (FindFreeCut(cuts_, *original_, free_, rule_)) {
      case FreeCut::kFound:
        return;
      case FreeCut::kNone:
        ReportLeftOut(free_.size());
        return;
      case FreeCut::kNotSettled:
        verdict_.warnings.push_back(fmt::format(
            "{} records were left out under labels that nobody is published with, and there are "
            "too many cuts to find out whether the scheme asks for it",
            WithCommas(free_.size())));
    }
  }

  void ReportLeftOut(uint64_t count) {
    const uint64_t all = original_->forest.record_count();
    const std::string rule =
        rule_.leaves_records_out()
            ? fmt::format(
                  "with suppression: {} a record may be left out only where it and its "
                  "look-alikes would break the promise",
                  policy_.method.suppression)
            : fmt::format("with suppression: {} every record must be published",
                          policy_.method.suppression);
    verdict_.violations.Add(
        {ViolationKind::kNotTheScheme,
         fmt::format("{}: {}, but {} of {} {}", published_.source, rule, WithCommas(count),
                     WithCommas(all),
                     rule_.leaves_records_out() ? "were left out without need" : "are not"),
         count});
  }

  void Report(RecordId leader, const std::string& fault, uint64_t count) {
    if (!verdict_.violations.Wants(ViolationKind::kNotTheScheme)) {
      verdict_.violations.Count(ViolationKind::kNotTheScheme);
      return;
    }
    verdict_.violations.Add({ViolationKind::kNotTheScheme,
                             fmt::format("{}: {}", published_.Where(leader), fault), count});
  }

  const Policy& policy_;
  const Dataset& published_;
  const Dataset* original_;
  TableRule rule_;
  std::vector<CutReading> cuts_;
  std::map<Tuple, size_t> class_of_;
  // By class: as it is published, and the originals behind it.
  std::vector<TableClass> classes_;
  std::vector<RecordId> leaders_;
  std::vector<TableClass> before_;
  // Originals whose labels are all published, but not together; and those with a label that is not.
  std::map<Tuple, TableClass> unseen_;
  std::vector<RecordId> free_;
  TableVerdict verdict_;
};

}  // namespace

Result<TableVerdict> VerifyTable(const Policy& policy, const TaxonomyFiles& taxonomies,
                                 const Dataset& published, const Dataset* original,
                                 const std::vector<std::vector<std::string>>& cut) {
  return TableVerifier(policy, published, original).Run(taxonomies, cut);
}

}  // namespace thicket
