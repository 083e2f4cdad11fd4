#include "verify/table_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace thicket {

namespace {

std::string Times(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

TableRule::TableRule(const Policy& policy)
    : policy_(&policy), k_(static_cast<uint64_t>(policy.privacy.k.value_or(1))) {
  const std::string& word = policy.method.suppression;
  scheme_ = word == "all-records"         ? Scheme::kAllRecords
            : word == "all-values"        ? Scheme::kAllValues
            : word == "violating-values"  ? Scheme::kViolatingValues
            : word == "violating-records" ? Scheme::kViolatingRecords
                                          : Scheme::kNone;
}

Status TableRule::ReadSecretsOf(const Dataset& published, const Dataset* original) {
  if (!policy_->privacy.l && !policy_->privacy.theta) return {};
  for (size_t i = 0; i < policy_->schema->root().sensitive.size(); ++i) {
    THICKET_ASSIGN(Secrets secrets, ReadSecrets(policy_->privacy, published, original, i));
    secrets_.push_back(std::move(secrets));
  }
  return {};
}

void TableRule::Add(const Dataset& data, RecordId record, bool is_published, uint64_t count,
                    TableClass& to) const {
  to.size += count;
  const Vertex root = data.forest.root(record);
  for (size_t i = 0; i < secrets_.size(); ++i) {
    const std::vector<uint32_t>& secret_of =
        is_published ? secrets_[i].published : secrets_[i].original;
    const size_t slot = data.schema->root().sensitive_slot(i);
    const uint32_t secret = secret_of[data.forest.value(root, slot)];
    if (secret == Secrets::kSuppressed) {
      to.stars[i] += count;
    } else {
      to.counts[i][secret] += count;
    }
  }
}

bool TableRule::Violates(const TableClass& of, size_t attribute) {
  const auto& counts = of.counts[attribute];
  return std::any_of(counts.begin(), counts.end(), [&](const auto& one) {
    return one.second > secrets_[attribute].thresholds[one.first].Most(of.size);
  });
}

bool TableRule::Violates(const TableClass& of) {
  bool violates = of.size < k_;
  for (size_t i = 0; i < secrets_.size(); ++i) violates = violates || Violates(of, i);
  return violates;
}

// The largest size at which every value has room for as many as the size needs.
TableClass TableRule::SuppressFewest(const TableClass& before) {
  TableClass after = before;
  if (secrets_.size() == 1) {
    for (bool changes = true; changes;) {
      uint64_t room = 0;
      for (auto& [secret, count] : after.counts[0]) {
        const uint64_t most = secrets_[0].thresholds[secret].Most(after.size);
        count = std::min(before.counts[0].at(secret), most);
        room += count;
      }
      changes = std::exchange(after.size, room) != room;
    }
    std::erase_if(after.counts[0], [](const auto& one) { return one.second == 0; });
  }
  return after.size < k_ ? TableClass(secrets_.size()) : after;
}

TableClass TableRule::Suppress(const TableClass& before) {
  TableClass after = before;
  switch (scheme_) {
    case Scheme::kNone:
      return after;
    case Scheme::kAllRecords:
      return Violates(before) ? TableClass(secrets_.size()) : after;
    case Scheme::kViolatingRecords:
      return SuppressFewest(before);
    case Scheme::kAllValues:
      for (size_t i = 0; i < secrets_.size(); ++i) {
        if (!Violates(before, i)) continue;
        after.counts[i].clear();
        after.stars[i] = before.size;
      }
      return after;
    case Scheme::kViolatingValues:
      for (size_t i = 0; i < secrets_.size(); ++i) {
        for (const auto& [secret, count] : before.counts[i]) {
          if (count <= secrets_[i].thresholds[secret].Most(before.size)) continue;
          after.counts[i].erase(secret);
          after.stars[i] += count;
        }
      }
      return after;
  }
  return after;
}

uint64_t TableRule::CountTold(const TableClass& published, size_t attribute,
                              const TableClass& occur) {
  const uint64_t stars = published.stars[attribute];
  if (scheme_ != Scheme::kViolatingValues || stars == 0) return 0;
  // All occurrences of a value are suppressed, or none is, and more of them than the threshold allows.
  const auto candidates = std::count_if(
      occur.counts[attribute].begin(), occur.counts[attribute].end(), [&](const auto& one) {
        return !published.counts[attribute].contains(one.first) &&
               secrets_[attribute].thresholds[one.first].Most(published.size) < stars;
      });
  return candidates == 1 ? stars : 0;
}

std::string TableRule::FaultOfStars(const TableClass& published) const {
  const bool may_star = scheme_ == Scheme::kAllValues || scheme_ == Scheme::kViolatingValues;
  for (const uint64_t stars : published.stars) {
    if (stars == 0) continue;
    if (!may_star) {
      return fmt::format(
          "with suppression: {} no sensitive value may be *, but {} of the {} of "
          "this record's class {}",
          policy_->method.suppression, stars, published.size, stars == 1 ? "is" : "are");
    }
    if (scheme_ == Scheme::kAllValues && stars != published.size) {
      return fmt::format(
          "with suppression: all-values a class has all its values or none, but of "
          "the {} of this record's class {} {} *",
          published.size, stars, stars == 1 ? "is" : "are");
    }
  }
  return "";
}

std::string TableRule::Difference(const TableClass& before, const TableClass& expected,
                                  const TableClass& published) const {
  if (published == expected) return "";
  if (published.size != expected.size) {
    return fmt::format(
        "with suppression: {} of the {} of this record's class {} must be "
        "published, but {} {}",
        policy_->method.suppression, Times(before.size, "original record"), expected.size,
        published.size, published.size == 1 ? "is" : "are");
  }
  for (size_t i = 0; i < published.stars.size(); ++i) {
    if (published.stars[i] == expected.stars[i]) continue;
    return fmt::format(
        "with suppression: {} of the {} of this record's class {} must be *, but {} "
        "{}",
        policy_->method.suppression, Times(before.size, "value"), expected.stars[i],
        published.stars[i], published.stars[i] == 1 ? "is" : "are");
  }
  return fmt::format(
      "with suppression: {} as many of each sensitive value must stay in this "
      "record's class as the promise allows, but of some more went and of others "
      "fewer",
      policy_->method.suppression);
}

}  // namespace thicket
