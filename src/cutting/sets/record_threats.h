// What can be known of a record that too few others fit: found record by record, however large m and n are.
//
// Of a record r an adversary knows labels that r has (each takes one of m) and labels that r has not (each takes its
// leaves of n). Another record fits unless the adversary knows a label in which it differs from r. So a threat is a
// set of labels, within the adversary's power, that meets the differences of all records but fewer than k. The search
// looks at k records that still fit and differ least: a threat must contain a label in which one of them differs,
// which leaves few labels to try. What was tried is not tried again, so that soon k records differ in nothing that is
// left, and there is no threat.
//
//   RecordThreats threats(k, {1, 1, 4}, 3);        // three labels; the absence of the last one takes 4 of n
//   threats.Add(row, weight);
//   threats.Find(m, n, is_covered, on_threat);
//
// For k alone (Section 4.1 of Liu 2010): knowing a group instead of a label that the record has below it, more records
// fit; knowing that a group is absent is knowing that of its labels, for the same power. So labels of the cut are
// enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace thicket {

class RecordThreats {
 public:
  // Labels are numbered from 0 here.
  using Label = uint32_t;
  struct Known {
    Label label;
    bool is_there;
    friend bool operator==(const Known&, const Known&) = default;
  };
  // Whether what is known is a threat that was found before, or more than one.
  using IsCovered = std::function<bool(std::span<const Known>)>;
  // False: enough was found.
  using OnThreat = std::function<bool(std::span<const Known>)>;

  // By label: how much of n its absence takes. Labels below `there_end` may be known to be there.
  RecordThreats(uint64_t k, std::vector<uint32_t> absence, Label there_end);

  // Labels ascending.
  void Add(std::span<const Label> row, uint64_t weight);
  // Of every record that was added. A StopPoint() is at each step.
  void Find(uint32_t m, uint32_t n, const IsCovered& is_covered, const OnThreat& on_threat);

 private:
  using Word = uint64_t;
  static constexpr size_t kWordBits = 64;

  struct Person;
  void Merge();
  std::vector<uint32_t> LargestFirst() const;
  bool IsSubset(const Word* part, const Word* whole) const;
  // Whether k records fit whatever else is known.
  bool AreEnoughAlike(const Person& person, const std::vector<uint32_t>& fitting) const;
  bool Search(Person& person, std::vector<uint32_t>& fitting, uint32_t m, uint32_t n);
  void FindUsable(const Person& person, uint32_t m, uint32_t n, std::vector<Word>& usable) const;
  // By what many records, at most, fewer fit once everything is known that m and n allow.
  uint64_t MostHits(const Person& person, std::span<const uint64_t> hits, uint32_t m,
                    uint32_t n) const;
  const Word* bits(size_t record) const { return bits_.data() + record * words_; }

  uint64_t k_;
  std::vector<uint32_t> absence_;
  Label there_end_;
  size_t words_;
  std::vector<Word> bits_;
  std::vector<uint64_t> weight_;
};

}  // namespace thicket
