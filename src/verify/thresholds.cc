#include "verify/thresholds.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/fold.h"
#include "verify/published_values.h"

namespace thicket {

Threshold::Threshold(Decimal theta, uint32_t part, uint32_t times, uint32_t whole)
    : theta_(std::move(theta)), part_(part), times_(times), whole_(whole) {}

uint64_t Threshold::Most(uint64_t size) {
  const auto [found, is_new] = most_.emplace(size, 0);
  if (!is_new) return found->second;
  const auto may_have = [&](uint64_t count) {
    return Decimal(static_cast<double>(count)).Times(whole_) <=
           theta_.Times(part_).Times(times_).Times(static_cast<uint32_t>(size));
  };
  uint64_t low = 0;
  uint64_t high = size;
  while (low < high) {
    const uint64_t middle = (low + high + 1) / 2;
    if (may_have(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return found->second = low;
}

double Threshold::ToDouble() const {
  return std::min(1.0, theta_.Times(part_).Times(times_).ToDouble() / whole_);
}

namespace {

// How often each secret of the original occurs.
struct Frequencies {
  std::vector<uint32_t> count;
  // Secrets that occur, and records.
  uint32_t different = 0;
  uint32_t all = 0;
};

Frequencies CountSecrets(const Dataset& original, const std::vector<uint32_t>& secret_of,
                         size_t slot, size_t secrets) {
  Frequencies found;
  found.count.assign(secrets, 0);
  const Forest& forest = original.forest;
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    ++found.count[secret_of[forest.value(forest.root(record), slot)]];
    ++found.all;
  }
  for (const uint32_t count : found.count) found.different += count > 0 ? 1 : 0;
  return found;
}

// By symbol; meanings that are new get the next number.
std::vector<uint32_t> NumberSecrets(const Dataset& data, size_t attribute, bool is_published,
                                    std::vector<std::string>& meanings,
                                    std::unordered_map<std::string, uint32_t>& known) {
  const VertexClass& root = data.schema->root();
  const Dictionary& dictionary = data.dictionaries[0][root.sensitive_slot(attribute)];
  std::vector<uint32_t> numbers;
  std::vector<std::string> texts = ReadMeanings(data, 0, attribute);
  for (Symbol symbol = 0; symbol < texts.size(); ++symbol) {
    if (is_published && symbol != kMissing &&
        root.sensitive[attribute].IsSuppressed(dictionary.text(symbol))) {
      numbers.push_back(Secrets::kSuppressed);
      continue;
    }
    const auto [found, is_new] = known.emplace(texts[symbol], meanings.size());
    if (is_new) meanings.push_back(std::move(texts[symbol]));
    numbers.push_back(found->second);
  }
  return numbers;
}

std::vector<Threshold> FindThetas(const ThetaPolicy& theta,
                                  const std::vector<std::string>& meanings,
                                  const Frequencies* frequencies) {
  std::unordered_map<std::string, Decimal> given;
  for (const ThetaPolicy::OfValue& of : theta.values) given.emplace(FoldValue(of.value), of.theta);
  std::vector<Threshold> thresholds;
  for (size_t i = 0; i < meanings.size(); ++i) {
    const auto own = given.find(meanings[i]);
    if (own != given.end()) {
      thresholds.emplace_back(own->second);
      continue;
    }
    // At or above the average where count >= all / different.
    const bool is_frequent =
        frequencies != nullptr &&
        uint64_t{frequencies->count[i]} * frequencies->different >= frequencies->all;
    if (is_frequent) {
      thresholds.emplace_back(theta.otherwise, frequencies->count[i], frequencies->different,
                              frequencies->all);
    } else {
      thresholds.emplace_back(theta.otherwise);
    }
  }
  return thresholds;
}

}  // namespace

Result<Secrets> ReadSecrets(const PrivacyPolicy& privacy, const Dataset& published,
                            const Dataset* original, size_t attribute) {
  Secrets secrets;
  std::vector<std::string> meanings;
  std::unordered_map<std::string, uint32_t> known;
  secrets.published = NumberSecrets(published, attribute, true, meanings, known);
  if (original != nullptr) {
    secrets.original = NumberSecrets(*original, attribute, false, meanings, known);
  }
  if (!privacy.theta) {
    const auto l = static_cast<uint32_t>(privacy.l.value_or(1));
    secrets.thresholds.assign(meanings.size(), Threshold(1, 1, 1, l));
    return secrets;
  }
  if (!privacy.theta->from_frequency) {
    secrets.thresholds = FindThetas(*privacy.theta, meanings, nullptr);
    return secrets;
  }
  if (original == nullptr) {
    return ErrorAt(ErrorCode::kUsage, {.path = "privacy.derive"},
                   "the thresholds follow from how often each value occurs in the original, so the "
                   "original must be given, but is not",
                   "give --original IN, or put the thresholds into the policy");
  }
  const size_t slot = original->schema->root().sensitive_slot(attribute);
  const Frequencies frequencies = CountSecrets(*original, secrets.original, slot, meanings.size());
  secrets.thresholds = FindThetas(*privacy.theta, meanings, &frequencies);
  return secrets;
}

}  // namespace thicket
