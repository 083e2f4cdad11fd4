#include "verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/fold.h"
#include "base/phase.h"
#include "base/stop.h"
#include "base/text.h"
#include "record/canonical_form.h"
#include "record/fetch_ahead.h"
#include "verify/appearance.h"
#include "verify/bag_labels.h"
#include "verify/combinations.h"
#include "verify/published_values.h"
#include "verify/record_shares.h"
#include "verify/sensitivity.h"
#include "verify/set_privacy.h"
#include "verify/thresholds.h"

namespace thicket {

namespace {

constexpr uint32_t kNoOnce = ~uint32_t{0};

// One sensitive attribute of a class, by symbol.
struct SensitiveReading {
  std::vector<uint32_t> bucket;
  // 1 to 5; empty where levels are not promised.
  std::vector<uint32_t> level;
  // Bucket and level, but RecordShares::kNone for a value that means nothing.
  std::vector<uint32_t> bucket_of_record;
  std::vector<uint32_t> level_of_record;
  // Which `once` value the symbol is, kNoOnce for none.
  std::vector<uint32_t> once;
  size_t once_count = 0;
};

class Verifier {
 public:
  Verifier(const Schema& schema, const PrivacyPolicy& privacy, const Dataset& published,
           const Dataset* original)
      : schema_(schema),
        privacy_(privacy),
        data_(published),
        forest_(published.forest),
        original_(original) {}

  Result<Verdict> Run(const TaxonomyFiles& taxonomies, const NetworkFiles& networks);
  // Of the published trees, once Run() is over.
  const CanonicalForm& form() const { return form_; }
  const RecordGroups& groups() const { return groups_; }

 private:
  // Where values are suppressed, what l asks for is asked of those that are shown.
  size_t least_size() const {
    const int l = has_suppressed_ ? 1 : privacy_.l.value_or(1);
    return static_cast<size_t>(std::max(privacy_.k.value_or(1), l));
  }
  Status ReadThresholds();
  void ReadSensitive();
  SensitiveReading ReadAttribute(ClassId id, size_t attribute);
  std::vector<uint32_t> ReadLevels(ClassId id, size_t attribute);
  void CheckClass(size_t group);
  void CheckPosition(size_t position, size_t size, size_t positions);
  size_t MostAlike(const std::vector<uint32_t>& bucket_of, size_t slot, size_t position,
                   size_t size, size_t positions);
  void CheckLevels(ClassId id, size_t attribute, size_t position, size_t size, size_t positions);
  void CheckAnywhere(ClassId id, size_t attribute, size_t size, size_t positions);
  void AddAnywhere(const std::string& must_hold, size_t slot, uint32_t code, size_t size);
  void CheckTheta(size_t attribute, size_t size, size_t positions);
  void CheckOnce(size_t size);
  void Measure();

  const Schema& schema_;
  const PrivacyPolicy& privacy_;
  const Dataset& data_;
  const Forest& forest_;
  const Dataset* original_;
  CanonicalForm form_;
  RecordGroups groups_;
  // By class and sensitive attribute.
  std::vector<std::vector<SensitiveReading>> sensitive_;
  // l+-diversity: by sensitive attribute of the root.
  std::vector<Secrets> secrets_;
  std::vector<uint64_t> secret_counts_;
  bool has_once_ = false;
  // Whether "*" may be a suppressed value of some attribute.
  bool has_suppressed_ = false;
  Verdict verdict_;
  // The vertices of the class that is being checked, by member and position.
  std::vector<Vertex> aligned_;
  // By bucket, how many vertices at a position have it, all 0 in between; those that occur.
  std::vector<size_t> in_bucket_;
  std::vector<uint32_t> buckets_;
  RecordShares shares_;
};

SensitiveReading Verifier::ReadAttribute(ClassId id, size_t attribute) {
  const SensitiveAttribute& of = schema_.classes[id].sensitive[attribute];
  const Dictionary& dictionary =
      data_.dictionaries[id][schema_.classes[id].sensitive_slot(attribute)];
  SensitiveReading reading;
  reading.bucket = ReadBuckets(data_, id, attribute, verdict_.violations);
  reading.once.assign(dictionary.size(), kNoOnce);
  reading.once_count = of.once.size();
  has_once_ = has_once_ || !of.once.empty();
  std::unordered_map<std::string, uint32_t> once;
  for (uint32_t i = 0; i < of.once.size(); ++i) once.emplace(FoldValue(of.once[i]), i);
  for (Symbol symbol = 1; symbol < dictionary.size() && !once.empty(); ++symbol) {
    StopPoint();
    const std::string meaning = FoldValue(dictionary.text(symbol));
    const auto found = meaning.empty() ? once.end() : once.find(meaning);
    if (found != once.end()) reading.once[symbol] = found->second;
  }
  if (privacy_.alpha) reading.level = ReadLevels(id, attribute);
  reading.bucket_of_record = reading.bucket;
  reading.level_of_record = reading.level;
  for (Symbol symbol = 0; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    const bool is_value = symbol != kMissing && reading.bucket[symbol] != kSuppressedBucket &&
                          !FoldValue(dictionary.text(symbol)).empty();
    if (is_value) continue;
    reading.bucket_of_record[symbol] = RecordShares::kNone;
    if (privacy_.alpha) reading.level_of_record[symbol] = RecordShares::kNone;
  }
  return reading;
}

// By symbol.
std::vector<uint32_t> Verifier::ReadLevels(ClassId id, size_t attribute) {
  const SensitiveAttribute& of = schema_.classes[id].sensitive[attribute];
  const size_t slot = schema_.classes[id].sensitive_slot(attribute);
  const bool as_original = of.levels.FromData() && original_ != nullptr;
  Sensitivity sensitivity = FindSensitivity(of.levels, as_original ? *original_ : data_, id, slot);
  if (as_original) sensitivity = CarryOver(sensitivity, *original_, data_, id, slot);
  ReportValues(data_, id, slot, sensitivity.none, ViolationKind::kNoLevel,
               "every value must have a level of sensitivity", verdict_.violations);
  if (of.levels.FromData() && !as_original) {
    verdict_.warnings.push_back(fmt::format(
        "{}: its levels of sensitivity depend on the data, and were checked as the published "
        "values alone give them; the original data, or levels in the policy, would settle them",
        schema_.PathOf(id, of.name)));
  }
  return std::move(sensitivity.level);
}

Status Verifier::ReadThresholds() {
  if (!privacy_.theta) return {};
  for (size_t i = 0; i < schema_.root().sensitive.size(); ++i) {
    THICKET_ASSIGN(Secrets secrets, ReadSecrets(privacy_, data_, original_, i));
    secrets_.push_back(std::move(secrets));
  }
  return {};
}

void Verifier::ReadSensitive() {
  sensitive_.resize(schema_.classes.size());
  for (size_t id = 0; id < schema_.classes.size(); ++id) {
    for (size_t i = 0; i < schema_.classes[id].sensitive.size(); ++i) {
      has_suppressed_ = has_suppressed_ || schema_.classes[id].sensitive[i].may_be_suppressed;
      sensitive_[id].push_back(ReadAttribute(static_cast<ClassId>(id), i));
    }
  }
}

// `aligned_` holds the class's vertices. How many of those at `position` have the commonest bucket; counts those that have none.
size_t Verifier::MostAlike(const std::vector<uint32_t>& bucket_of, size_t slot, size_t position,
                           size_t size, size_t positions) {
  size_t most = 0;
  for (size_t member = 0; member < size; ++member) {
    StopPoint();
    const size_t place = member * positions + position;
    if (member + kFetchAhead < size) {
      FetchValues(forest_, aligned_[place + kFetchAhead * positions]);
    }
    const uint32_t bucket = bucket_of[forest_.value(aligned_[place], slot)];
    if (bucket == kSuppressedBucket) {
      ++verdict_.suppressed_values;
      continue;
    }
    if (bucket >= in_bucket_.size()) in_bucket_.resize(bucket + 1, 0);
    if (in_bucket_[bucket]++ == 0) buckets_.push_back(bucket);
    most = std::max(most, in_bucket_[bucket]);
  }
  for (const uint32_t bucket : buckets_) in_bucket_[bucket] = 0;
  buckets_.clear();
  return most;
}

// `aligned_` holds the class's vertices; those at `position` are checked for diversity.
void Verifier::CheckPosition(size_t position, size_t size, size_t positions) {
  const ClassId id = forest_.class_of(aligned_[position]);
  for (size_t i = 0; i < sensitive_[id].size(); ++i) {
    const size_t slot = schema_.classes[id].sensitive_slot(i);
    const size_t most = MostAlike(sensitive_[id][i].bucket, slot, position, size, positions);
    // Nobody learns anything where all are suppressed.
    if (most == 0) continue;
    const int found = static_cast<int>(size / most);
    verdict_.l = std::min(verdict_.l.value_or(found), found);
    const double share = static_cast<double>(most) / static_cast<double>(size);
    verdict_.share_at_place = std::max(verdict_.share_at_place.value_or(0), share);
    if (privacy_.alpha) CheckLevels(id, i, position, size, positions);
    // A class smaller than l cannot be diverse; that it is too small says so already.
    if (!privacy_.l || (!has_suppressed_ && size < static_cast<size_t>(*privacy_.l))) continue;
    if (most * static_cast<size_t>(*privacy_.l) <= size) continue;
    if (!verdict_.violations.Wants(ViolationKind::kNotDiverse)) {
      verdict_.violations.Count(ViolationKind::kNotDiverse);
      continue;
    }
    verdict_.violations.Add(
        {ViolationKind::kNotDiverse,
         fmt::format("{}: among the {} aligned values of this record's class none may make up more "
                     "than 1/{}, but one makes up {} of {}",
                     data_.Where(aligned_[position], slot), size, *privacy_.l, most, size),
         size});
  }
}

void Verifier::CheckLevels(ClassId id, size_t attribute, size_t position, size_t size,
                           size_t positions) {
  const size_t slot = schema_.classes[id].sensitive_slot(attribute);
  std::array<size_t, SensitivityLevels::kCount> counts{};
  for (size_t member = 0; member < size; ++member) {
    StopPoint();
    const Vertex vertex = aligned_[member * positions + position];
    ++counts[sensitive_[id][attribute].level[forest_.value(vertex, slot)] - 1];
  }
  for (size_t i = 0; i < counts.size(); ++i) {
    // Both sides are the nearest floating-point numbers to what they stand for, so that 1 of 10 is not above 0.1.
    const double share = static_cast<double>(counts[i]) / static_cast<double>(size);
    double& largest = (*verdict_.alpha)[i];
    largest = std::max(largest, share);
    if (share <= (*privacy_.alpha)[i]) continue;
    if (!verdict_.violations.Wants(ViolationKind::kLevelTooFrequent)) {
      verdict_.violations.Count(ViolationKind::kLevelTooFrequent);
      continue;
    }
    verdict_.violations.Add(
        {ViolationKind::kLevelTooFrequent,
         fmt::format("{}: among the {} aligned value{} of this record's class at most {} may be of "
                     "sensitivity level {}, but {} of {} {}",
                     data_.Where(aligned_[position], slot), size, size == 1 ? "" : "s",
                     NumberText((*privacy_.alpha)[i]), i + 1, counts[i], size,
                     size == 1 ? "is" : "are"),
         counts[i]});
  }
}

// `aligned_` holds the class's vertices; how many of its records have a value of the attribute in whichever of them.
void Verifier::CheckAnywhere(ClassId id, size_t attribute, size_t size, size_t positions) {
  const SensitiveReading& reading = sensitive_[id][attribute];
  const size_t slot = schema_.classes[id].sensitive_slot(attribute);
  const bool promised = schema_.classes[id].sensitive[attribute].anywhere;
  const auto share_of = [&](uint32_t code) {
    return static_cast<double>(shares_.records(code)) / static_cast<double>(size);
  };
  shares_.Count(forest_, aligned_, positions, id, slot, reading.bucket_of_record);
  double& largest = verdict_.share_anywhere.emplace(verdict_.share_anywhere.value_or(0));
  largest = std::max(largest, share_of(shares_.most_common()));
  if (promised && privacy_.l && size >= static_cast<size_t>(*privacy_.l)) {
    for (const uint32_t bucket : shares_.codes()) {
      if (shares_.records(bucket) * static_cast<size_t>(*privacy_.l) <= size) continue;
      AddAnywhere(fmt::format("a value may stand in at most 1/{} of the records", *privacy_.l),
                  slot, bucket, size);
    }
  }
  if (!privacy_.alpha) return;
  shares_.Count(forest_, aligned_, positions, id, slot, reading.level_of_record);
  for (uint32_t level = 1; level <= privacy_.alpha->size(); ++level) {
    double& most = (*verdict_.alpha_anywhere)[level - 1];
    most = std::max(most, share_of(level));
    if (!promised || share_of(level) <= (*privacy_.alpha)[level - 1]) continue;
    AddAnywhere(fmt::format("values of sensitivity level {} may stand in at most {} of the records",
                            level, NumberText((*privacy_.alpha)[level - 1])),
                slot, level, size);
  }
}

void Verifier::AddAnywhere(const std::string& must_hold, size_t slot, uint32_t code, size_t size) {
  if (!verdict_.violations.Wants(ViolationKind::kAnywhereTooOften)) {
    verdict_.violations.Count(ViolationKind::kAnywhereTooOften);
    return;
  }
  verdict_.violations.Add(
      {ViolationKind::kAnywhereTooOften,
       fmt::format("{}: anywhere in this record's class {}, but this one stands in {} of {}",
                   data_.Where(shares_.example(code), slot), must_hold, shares_.records(code),
                   size),
       shares_.records(code)});
}

// `aligned_` holds the class's vertices: a root per member, and nothing else, since l+-diversity is for tables.
void Verifier::CheckTheta(size_t attribute, size_t size, size_t positions) {
  Secrets& secrets = secrets_[attribute];
  const size_t slot = schema_.root().sensitive_slot(attribute);
  secret_counts_.assign(secrets.thresholds.size(), 0);
  const auto secret_of = [&](size_t member) {
    return secrets.published[forest_.value(aligned_[member * positions], slot)];
  };
  for (size_t member = 0; member < size; ++member) {
    if (secret_of(member) != Secrets::kSuppressed) ++secret_counts_[secret_of(member)];
  }
  for (size_t member = 0; member < size; ++member) {
    StopPoint();
    if (secret_of(member) == Secrets::kSuppressed) continue;
    // Each value once, with the first record that has it.
    const uint64_t count = std::exchange(secret_counts_[secret_of(member)], 0);
    if (count == 0) continue;
    Threshold& threshold = secrets.thresholds[secret_of(member)];
    const double share = static_cast<double>(count) / static_cast<double>(size);
    verdict_.share_of_theta =
        std::max(verdict_.share_of_theta.value_or(0), share / threshold.ToDouble());
    if (count <= threshold.Most(size)) continue;
    if (!verdict_.violations.Wants(ViolationKind::kNotDiverse)) {
      verdict_.violations.Count(ViolationKind::kNotDiverse);
      continue;
    }
    verdict_.violations.Add(
        {ViolationKind::kNotDiverse,
         fmt::format("{}: among the {} record{} of this record's class at most {:.4g} may have "
                     "this value, but {} of {} {} it",
                     data_.Where(aligned_[member * positions], slot), size, size == 1 ? "" : "s",
                     threshold.ToDouble(), count, size, count == 1 ? "has" : "have"),
         size});
  }
}

void Verifier::CheckOnce(size_t size) {
  for (size_t id = 0; id < schema_.classes.size(); ++id) {
    for (size_t i = 0; i < sensitive_[id].size(); ++i) {
      const SensitiveReading& reading = sensitive_[id][i];
      if (reading.once_count == 0) continue;
      const size_t slot = schema_.classes[id].sensitive_slot(i);
      std::vector<uint64_t> counts(reading.once_count, 0);
      std::vector<Vertex> first(reading.once_count, 0);
      for (const Vertex vertex : aligned_) {
        if (forest_.class_of(vertex) != id) continue;
        const uint32_t once = reading.once[forest_.value(vertex, slot)];
        if (once != kNoOnce && counts[once]++ == 0) first[once] = vertex;
      }
      for (size_t once = 0; once < counts.size(); ++once) {
        if (counts[once] <= 1) continue;
        verdict_.violations.Add(
            {ViolationKind::kOnceRepeated,
             fmt::format("{}: a value that the policy lists under once may occur only once in a "
                         "class of {} record{}, but occurs {} times",
                         data_.Where(first[once], slot), size, size == 1 ? "" : "s", counts[once]),
             counts[once]});
      }
    }
  }
}

void Verifier::CheckClass(size_t group) {
  const size_t size = groups_.size(group);
  const RecordId leader = groups_.member(group, 0);
  if (size < least_size()) {
    if (verdict_.violations.Wants(ViolationKind::kClassTooSmall)) {
      verdict_.violations.Add(
          {ViolationKind::kClassTooSmall,
           fmt::format(
               "{}: at least {} records must have the same quasi-identifiers and structure, "
               "but {} does",
               data_.Where(leader), least_size(),
               size == 1 ? "only this one" : fmt::format("a class of only {}", size)),
           size});
    } else {
      verdict_.violations.Count(ViolationKind::kClassTooSmall);
    }
  }
  const size_t positions = forest_.record_size(leader);
  aligned_.clear();
  for (size_t member = 0; member < size; ++member) {
    StopPoint();
    AppendCanonicalOrder(forest_, form_, groups_.member(group, member), aligned_);
  }
  for (size_t position = 0; position < positions; ++position) {
    StopPoint();
    CheckPosition(position, size, positions);
  }
  for (size_t id = 0; id < schema_.classes.size(); ++id) {
    for (size_t i = 0; i < sensitive_[id].size(); ++i) {
      CheckAnywhere(static_cast<ClassId>(id), i, size, positions);
    }
  }
  for (size_t i = 0; i < secrets_.size(); ++i) CheckTheta(i, size, positions);
  if (has_once_) CheckOnce(size);
}

void Verifier::Measure() {
  verdict_.records = forest_.record_count();
  verdict_.vertices = forest_.vertex_count();
  verdict_.classes = groups_.size();
  if (groups_.size() == 0) return;
  std::vector<size_t> sizes;
  for (size_t group = 0; group < groups_.size(); ++group) sizes.push_back(groups_.size(group));
  std::sort(sizes.begin(), sizes.end());
  verdict_.smallest_class = sizes.front();
  verdict_.median_class = sizes[(sizes.size() - 1) / 2];
  verdict_.largest_class = sizes.back();
  verdict_.k = static_cast<int>(sizes.front());
}

Result<Verdict> Verifier::Run(const TaxonomyFiles& taxonomies, const NetworkFiles& networks) {
  if (!privacy_.k && !privacy_.l && !privacy_.theta) {
    return ErrorAt(ErrorCode::kUsage, {.path = "privacy"},
                   "k, l or theta must be given, but none is",
                   "say in the policy what is promised");
  }
  if (privacy_.alpha) {
    verdict_.alpha.emplace();
    verdict_.alpha_anywhere.emplace();
  }
  Phase phase("verify", forest_.record_count());
  THICKET_TRY(privacy_.of_bags && privacy_.epsilon
                  ? CheckBagLabels(data_, taxonomies, networks, verdict_.violations)
                  : CheckLabels(data_, taxonomies, verdict_.violations));
  ReadSensitive();
  THICKET_TRY(ReadThresholds());
  form_ = Canonicalize(schema_, forest_, CompareBy::kQuasi);
  groups_ = GroupRecords(forest_, form_);
  for (size_t group = 0; group < groups_.size(); ++group) {
    StopPoint();
    CheckClass(group);
    phase.Advance(groups_.size(group));
  }
  if (!verdict_.l) verdict_.share_anywhere.reset();
  Measure();
  verdict_.holds = verdict_.violations.empty();
  return std::move(verdict_);
}

}  // namespace

Result<Verdict> VerifyPublished(const Schema& schema, const PrivacyPolicy& privacy,
                                const TaxonomyFiles& taxonomies, const Dataset& published,
                                const Dataset* original, int threads,
                                const NetworkFiles& networks) {
  if (privacy.of_sets || privacy.model() == PrivacyModel::kCombinations) {
    THICKET_ASSIGN(Verdict verdict,
                   privacy.of_sets ? VerifySets(schema, privacy, taxonomies, published, threads)
                                   : VerifyCombinations(schema, privacy, taxonomies, published,
                                                        {.threads = threads}));
    const CanonicalForm form = Canonicalize(schema, published.forest, CompareBy::kQuasi);
    CheckAppearance(schema, privacy, published, form, GroupRecords(published.forest, form),
                    verdict.violations);
    verdict.holds = verdict.holds && verdict.violations.empty();
    return verdict;
  }
  Verifier verifier(schema, privacy, published, original);
  THICKET_ASSIGN(Verdict verdict, verifier.Run(taxonomies, networks));
  CheckAppearance(schema, privacy, published, verifier.form(), verifier.groups(),
                  verdict.violations);
  verdict.holds = verdict.holds && verdict.violations.empty();
  return verdict;
}

}  // namespace thicket
