#include "verify/bag_truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "verify/label_steps.h"

namespace thicket {

namespace {

constexpr ClassId kTermClass = 1;

// Partners for all rows at the least total cost; nothing if some row gets none. Shortest augmenting paths, row by row.
std::optional<std::vector<size_t>> Match(const std::vector<std::vector<uint32_t>>& cost,
                                         size_t columns) {
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 4;
  constexpr size_t kNobody = ~size_t{0};
  std::vector<int64_t> row_price(cost.size(), 0);
  std::vector<int64_t> column_price(columns, 0);
  std::vector<size_t> row_of(columns, kNobody);
  for (size_t row = 0; row < cost.size(); ++row) {
    StopPoint();
    std::vector<int64_t> reach(columns, kNever);
    std::vector<size_t> before(columns, kNobody);
    std::vector<bool> done(columns, false);
    size_t at_row = row;
    size_t at_column = kNobody;
    int64_t way = 0;
    while (true) {
      size_t nearest = kNobody;
      for (size_t column = 0; column < columns; ++column) {
        if (done[column]) continue;
        if (cost[at_row][column] != LabelSteps::kFar) {
          const int64_t length =
              way + cost[at_row][column] - row_price[at_row] - column_price[column];
          if (length < reach[column]) {
            reach[column] = length;
            before[column] = at_column;
          }
        }
        if (reach[column] < kNever && (nearest == kNobody || reach[column] < reach[nearest])) {
          nearest = column;
        }
      }
      if (nearest == kNobody) return std::nullopt;
      done[nearest] = true;
      way = reach[nearest];
      at_column = nearest;
      if (row_of[nearest] == kNobody) break;
      at_row = row_of[nearest];
    }
    // Prices under which every chosen pair costs nothing more, and no other pair less.
    for (size_t column = 0; column < columns; ++column) {
      if (!done[column] || column == at_column) continue;
      row_price[row_of[column]] += way - reach[column];
      column_price[column] -= way - reach[column];
    }
    row_price[row] += way;
    while (true) {
      const size_t previous = before[at_column];
      row_of[at_column] = previous == kNobody ? row : row_of[previous];
      if (previous == kNobody) break;
      at_column = previous;
    }
  }
  std::vector<size_t> column_of(cost.size(), kNobody);
  for (size_t column = 0; column < columns; ++column) {
    if (row_of[column] != kNobody) column_of[row_of[column]] = column;
  }
  return column_of;
}

class BagChecker {
 public:
  BagChecker(const Dataset& published, const Dataset& original, uint32_t epsilon, LabelSteps& steps)
      : published_(published), original_(original), epsilon_(epsilon), steps_(steps) {}

  BagTruth Run(std::span<const RecordId> certificate) {
    for (size_t record = 0; record < certificate.size(); ++record) {
      StopPoint();
      Read(static_cast<RecordId>(record), certificate[record]);
      for (const Symbol label : labels_) {
        for (const Symbol term : terms_) steps_.Ask(label, term);
      }
    }
    steps_.Find();
    Phase phase("check terms", certificate.size());
    for (size_t record = 0; record < certificate.size(); ++record) {
      StopPoint();
      phase.Advance();
      Read(static_cast<RecordId>(record), certificate[record]);
      Check(static_cast<RecordId>(record));
    }
    truth_.holds = truth_.violations.empty();
    return std::move(truth_);
  }

 private:
  void Read(RecordId published, RecordId original) {
    labels_.clear();
    terms_.clear();
    const auto read = [](const Dataset& data, RecordId record, std::vector<Symbol>& into) {
      for (const Vertex v : data.forest.Children(data.forest.root(record))) {
        if (data.forest.class_of(v) != kTermClass) continue;
        into.push_back(data.forest.value(v, 0));
      }
    };
    read(published_, published, labels_);
    read(original_, original, terms_);
    // A missing term is none.
    terms_.erase(std::remove(terms_.begin(), terms_.end(), kMissing), terms_.end());
  }

  void Check(RecordId record) {
    truth_.published += labels_.size();
    std::vector<std::vector<uint32_t>> cost(labels_.size());
    for (size_t row = 0; row < labels_.size(); ++row) {
      for (const Symbol term : terms_) cost[row].push_back(steps_.Of(labels_[row], term));
    }
    const auto partner =
        labels_.size() <= terms_.size() ? Match(cost, terms_.size()) : std::nullopt;
    if (!partner) {
      Complain(record);
      return;
    }
    for (size_t row = 0; row < labels_.size(); ++row) {
      const uint64_t steps = cost[row][(*partner)[row]];
      truth_.substituted += steps > 0 ? 1 : 0;
      truth_.steps += steps;
      truth_.most_steps = std::max(truth_.most_steps, steps);
    }
  }

  void Complain(RecordId record) {
    constexpr ViolationKind kKind = ViolationKind::kInventedVertex;
    if (!truth_.violations.Wants(kKind)) {
      truth_.violations.Count(kKind);
      return;
    }
    truth_.violations.Add(
        {kKind,
         fmt::format("{}: every published term must stand for a term of its own of the original, "
                     "at most {} step{} away, but one does not",
                     published_.Where(record), epsilon_, epsilon_ == 1 ? "" : "s"),
         1});
  }

  const Dataset& published_;
  const Dataset& original_;
  uint32_t epsilon_;
  LabelSteps& steps_;
  std::vector<Symbol> labels_;
  std::vector<Symbol> terms_;
  BagTruth truth_;
};

}  // namespace

Result<BagTruth> VerifyBagTruth(const Schema& schema, const PrivacyPolicy& privacy,
                                const TaxonomyFiles& taxonomies, const NetworkFiles& networks,
                                const Dataset& published, const Dataset& original,
                                std::span<const RecordId> certificate) {
  if (certificate.size() != published.forest.record_count()) {
    return Error{ErrorCode::kData,
                 "every published record must have an original, but some have none", "", ""};
  }
  for (const RecordId record : certificate) {
    if (record < original.forest.record_count()) continue;
    return Error{ErrorCode::kData, "every original must be one of the data, but one is not", "",
                 ""};
  }
  const Recoding& recoding = schema.classes[kTermClass].quasi[0].recoding;
  const Taxonomy* taxonomy = nullptr;
  const SemanticNetwork* network = nullptr;
  if (recoding.kind == Recoding::Kind::kNetwork) {
    const auto found = networks.find(recoding.file);
    if (found != networks.end()) network = found->second.get();
  } else {
    const auto found = taxonomies.find(recoding.file);
    const auto in_folder =
        taxonomies.find(recoding.file + "/" + schema.classes[kTermClass].quasi[0].name);
    if (found != taxonomies.end()) taxonomy = &found->second;
    if (taxonomy == nullptr && in_folder != taxonomies.end()) taxonomy = &in_folder->second;
  }
  if (taxonomy == nullptr && network == nullptr) {
    return ErrorAt(ErrorCode::kUsage, {.file = recoding.file},
                   "what terms are compared by must be read before bags are checked, but is not",
                   "read the taxonomies and networks that the policy names");
  }
  const auto epsilon = static_cast<uint32_t>(privacy.epsilon.value_or(0));
  LabelSteps steps(taxonomy, network, epsilon, published.dictionaries[kTermClass][0],
                   original.dictionaries[kTermClass][0]);
  return BagChecker(published, original, epsilon, steps).Run(certificate);
}

}  // namespace thicket
