#include "cutting/sets/record_threats.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include "base/stop.h"

namespace thicket {

// The record that is looked at, and what is known of it.
struct RecordThreats::Person {
  const Word* row;
  std::vector<Known> known;
  // Labels that may still be tried.
  std::vector<Word> usable;
  const IsCovered& is_covered;
  const OnThreat& on_threat;
};

RecordThreats::RecordThreats(uint64_t k, std::vector<uint32_t> absence, Label there_end)
    : k_(k),
      absence_(std::move(absence)),
      there_end_(there_end),
      words_(std::max<size_t>(1, (absence_.size() + kWordBits - 1) / kWordBits)) {}

void RecordThreats::Add(std::span<const Label> row, uint64_t weight) {
  bits_.resize(bits_.size() + words_, 0);
  Word* words = bits_.data() + bits_.size() - words_;
  for (const Label label : row) words[label / kWordBits] |= Word{1} << label % kWordBits;
  weight_.push_back(weight);
}

void RecordThreats::Merge() {
  std::vector<uint32_t> order(weight_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto row = [&](uint32_t i) { return std::span(bits(i), words_); };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::ranges::lexicographical_compare(row(a), row(b));
  });
  std::vector<Word> merged;
  std::vector<uint64_t> weights;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !std::ranges::equal(row(order[i]), row(order[i - 1]))) {
      merged.insert(merged.end(), row(order[i]).begin(), row(order[i]).end());
      weights.push_back(0);
    }
    weights.back() += weight_[order[i]];
  }
  bits_ = std::move(merged);
  weight_ = std::move(weights);
}

void RecordThreats::FindUsable(const Person& person, uint32_t m, uint32_t n,
                               std::vector<Word>& usable) const {
  for (Label label = 0; label < absence_.size(); ++label) {
    const bool has = (person.row[label / kWordBits] >> label % kWordBits & 1) != 0;
    const bool can = has ? m > 0 && label < there_end_ : absence_[label] <= n;
    if (!can) usable[label / kWordBits] &= ~(Word{1} << label % kWordBits);
  }
}

void RecordThreats::Find(uint32_t m, uint32_t n, const IsCovered& is_covered,
                         const OnThreat& on_threat) {
  // What nobody can know tells nobody apart.
  for (size_t i = 0; i < bits_.size(); ++i) {
    for (size_t bit = 0; bit < kWordBits; ++bit) {
      const size_t label = i % words_ * kWordBits + bit;
      if (label < absence_.size() && (label < there_end_ || absence_[label] <= n)) continue;
      bits_[i] &= ~(Word{1} << bit);
    }
  }
  Merge();
  // Without absent labels, what can be known of a record can be known of one that has all its labels.
  std::vector<uint32_t> looked_at;
  for (const uint32_t record : LargestFirst()) {
    if (weight_[record] >= k_) continue;
    const auto has_all = [&](uint32_t other) { return IsSubset(bits(record), bits(other)); };
    if (n == 0 && std::any_of(looked_at.begin(), looked_at.end(), has_all)) continue;
    if (n == 0) looked_at.push_back(record);
    Person person{bits(record), {}, std::vector<Word>(words_, ~Word{0}), is_covered, on_threat};
    FindUsable(person, m, n, person.usable);
    std::vector<uint32_t> fitting(weight_.size());
    std::iota(fitting.begin(), fitting.end(), 0);
    if (!Search(person, fitting, m, n)) return;
  }
}

std::vector<uint32_t> RecordThreats::LargestFirst() const {
  std::vector<uint32_t> size(weight_.size(), 0);
  for (size_t i = 0; i < bits_.size(); ++i) {
    size[i / words_] += static_cast<uint32_t>(std::popcount(bits_[i]));
  }
  std::vector<uint32_t> order(weight_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return size[a] > size[b]; });
  return order;
}

bool RecordThreats::IsSubset(const Word* part, const Word* whole) const {
  for (size_t word = 0; word < words_; ++word) {
    if ((part[word] & ~whole[word]) != 0) return false;
  }
  return true;
}

bool RecordThreats::AreEnoughAlike(const Person& person,
                                   const std::vector<uint32_t>& fitting) const {
  uint64_t alike = 0;
  for (const uint32_t other : fitting) {
    bool differs = false;
    for (size_t word = 0; word < words_ && !differs; ++word) {
      differs = ((person.row[word] ^ bits(other)[word]) & person.usable[word]) != 0;
    }
    if (differs) continue;
    alike += weight_[other];
    if (alike >= k_) return true;
  }
  return false;
}

uint64_t RecordThreats::MostHits(const Person& person, std::span<const uint64_t> hits, uint32_t m,
                                 uint32_t n) const {
  std::vector<uint64_t> there;
  // Of absent labels by how much one of n does.
  std::vector<std::pair<double, Label>> absent;
  for (size_t word = 0; word < words_; ++word) {
    for (Word left = person.usable[word]; left != 0; left &= left - 1) {
      const auto label = static_cast<Label>(word * kWordBits + std::countr_zero(left));
      if (label >= absence_.size() || hits[label] == 0) continue;
      if ((person.row[word] >> label % kWordBits & 1) != 0) {
        there.push_back(hits[label]);
      } else {
        absent.emplace_back(static_cast<double>(hits[label]) / absence_[label], label);
      }
    }
  }
  uint64_t most = 0;
  std::sort(there.rbegin(), there.rend());
  for (size_t i = 0; i < there.size() && i < m; ++i) most += there[i];
  std::sort(absent.rbegin(), absent.rend());
  for (const auto& [rate, label] : absent) {
    if (n == 0) break;
    // The last one may fit in part only; counting it as a whole is enough.
    most += hits[label];
    n -= std::min(n, absence_[label]);
  }
  return most;
}

// False when enough was found.
bool RecordThreats::Search(Person& person, std::vector<uint32_t>& fitting, uint32_t m, uint32_t n) {
  StopPoint();
  uint64_t weight = 0;
  for (const uint32_t other : fitting) weight += weight_[other];
  if (!person.known.empty() && person.is_covered(person.known)) return true;
  if (weight < k_) return person.on_threat(person.known);
  if (AreEnoughAlike(person, fitting)) return true;
  // Who differs in what may still be known; of each label, how many.
  std::vector<std::pair<uint32_t, uint32_t>> differing;
  std::vector<uint64_t> hits(words_ * kWordBits, 0);
  uint64_t alike = 0;
  for (const uint32_t other : fitting) {
    uint32_t differences = 0;
    for (size_t word = 0; word < words_; ++word) {
      Word left = (person.row[word] ^ bits(other)[word]) & person.usable[word];
      differences += static_cast<uint32_t>(std::popcount(left));
      for (; left != 0; left &= left - 1) {
        hits[word * kWordBits + static_cast<size_t>(std::countr_zero(left))] += weight_[other];
      }
    }
    if (differences == 0) {
      alike += weight_[other];
    } else {
      differing.emplace_back(differences, other);
    }
  }
  if (weight - std::min(weight, MostHits(person, hits, m, n)) >= k_) return true;
  // With those who are alike, k who fit: a threat contains a label in which one of them differs.
  std::sort(differing.begin(), differing.end());
  std::vector<Word> branches(words_, 0);
  uint64_t fit = alike;
  for (size_t i = 0; i < differing.size() && fit < k_; ++i) {
    fit += weight_[differing[i].second];
    for (size_t word = 0; word < words_; ++word) {
      branches[word] |= (person.row[word] ^ bits(differing[i].second)[word]) & person.usable[word];
    }
  }
  std::vector<Label> labels;
  for (size_t word = 0; word < words_; ++word) {
    for (Word left = branches[word]; left != 0; left &= left - 1) {
      labels.push_back(static_cast<Label>(word * kWordBits + std::countr_zero(left)));
    }
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [&](Label a, Label b) { return hits[a] > hits[b]; });
  const std::vector<Word> before = person.usable;
  std::vector<uint32_t> rest;
  for (const Label label : labels) {
    const size_t word = label / kWordBits;
    const Word bit = Word{1} << label % kWordBits;
    const bool has = (person.row[word] & bit) != 0;
    person.usable[word] &= ~bit;
    const std::vector<Word> tried = person.usable;
    rest.clear();
    for (const uint32_t other : fitting) {
      if (((bits(other)[word] ^ person.row[word]) & bit) == 0) rest.push_back(other);
    }
    const uint32_t m_left = m - (has ? 1 : 0);
    const uint32_t n_left = n - (has ? 0 : absence_[label]);
    FindUsable(person, m_left, n_left, person.usable);
    person.known.push_back({label, has});
    const bool goes_on = Search(person, rest, m_left, n_left);
    person.known.pop_back();
    person.usable = tried;
    if (!goes_on) return false;
  }
  person.usable = before;
  return true;
}

}  // namespace thicket
