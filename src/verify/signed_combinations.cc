#include "verify/signed_combinations.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "verify/combination_walk.h"

namespace thicket {

namespace {

// Counts of patterns that may be kept at a time; 16 bytes each.
constexpr uint64_t kMostCounts = uint64_t{1} << 27;

// The patterns of sets of names.
class PatternStore {
 public:
  explicit PatternStore(uint64_t name_count) : base_(name_count + 1) {}

  void Add(std::span<const uint32_t> names, std::span<const PatternCount> patterns) {
    places_.emplace(Key(names), std::pair<size_t, size_t>{counts_.size(), patterns.size()});
    counts_.insert(counts_.end(), patterns.begin(), patterns.end());
  }
  std::span<const PatternCount> Find(std::span<const uint32_t> names) const {
    const auto found = places_.find(Key(names));
    if (found == places_.end()) return {};
    return {counts_.data() + found->second.first, found->second.second};
  }

 private:
  uint64_t Key(std::span<const uint32_t> names) const {
    uint64_t key = 0;
    for (const uint32_t name : names) key = key * base_ + name + 1;
    return key;
  }

  uint64_t base_;
  std::unordered_map<uint64_t, std::pair<size_t, size_t>> places_;
  std::vector<PatternCount> counts_;
};

// Spreads the low bits over the places that are set.
uint64_t Deposit(uint64_t bits, uint64_t places) {
  uint64_t spread = 0;
  for (; places != 0; places &= places - 1, bits >>= 1) {
    if ((bits & 1) != 0) spread |= places & -places;
  }
  return spread;
}

// Judges one set of names after another.
class SignedJudge {
 public:
  SignedJudge(const LabelTrees& trees, uint64_t k, size_t n, CombinationFindings& findings)
      : trees_(trees), k_(k), n_(n), shape_{true, trees.options().relations}, findings_(findings) {}

  // `find`: the patterns of a subset.
  template <typename Find>
  void Judge(std::span<const uint32_t> names, const Find& find) {
    SplitRecords(names, find);
    uint64_t least = CombinationFindings::kNone;
    for (const Kind& kind : kinds_) least = std::min(least, static_cast<uint64_t>(kind.count));
    if (least >= k_ && least >= findings_.least) return;
    supports_.clear();
    for (const Kind& kind : kinds_) AddFacts(names, kind);
    std::sort(supports_.begin(), supports_.end());
    for (size_t begin = 0; begin < supports_.size();) {
      uint64_t support = 0;
      size_t end = begin;
      for (; end < supports_.size() && supports_[end].first == supports_[begin].first; ++end) {
        support += supports_[end].second;
      }
      findings_.least = std::min(findings_.least, support);
      if (support < k_) AddRare(names, supports_[begin].first, support);
      begin = end;
    }
    findings_.more = findings_.least == 1 && findings_.total >= CombinationFindings::kEnough;
  }
  // Whether enough was found.
  bool done() const { return findings_.more; }

 private:
  // Records that have exactly these of the names, with this pattern among them.
  struct Kind {
    uint32_t has;
    uint64_t pattern;
    int64_t count;
    friend bool operator<(const Kind& a, const Kind& b) {
      return std::tie(a.has, a.pattern) < std::tie(b.has, b.pattern);
    }
  };

  // The bits of a pattern that speak of these names only.
  uint64_t BitsOf(uint32_t has, size_t size) const {
    uint64_t bits = 0;
    for (size_t j = 0; j < size; ++j) {
      if ((has >> j & 1) == 0) continue;
      bits |= uint64_t{1} << shape_.shift(j);
      for (size_t i = 0; shape_.relations && i < j; ++i) {
        if ((has >> i & 1) != 0) bits |= uint64_t{6} << (shape_.shift(j) + 2 * i);
      }
    }
    return bits;
  }

  template <typename Find>
  void SplitRecords(std::span<const uint32_t> names, const Find& find) {
    const uint32_t all = (uint32_t{1} << names.size()) - 1;
    if (bits_of_.size() != all + 1) {
      bits_of_.clear();
      for (uint32_t has = 0; has <= all; ++has) bits_of_.push_back(BitsOf(has, names.size()));
    }
    added_.clear();
    added_.push_back({0, 0, static_cast<int64_t>(trees_.record_count())});
    for (uint32_t has = 1; has <= all; ++has) {
      subset_.clear();
      for (size_t j = 0; j < names.size(); ++j) {
        if ((has >> j & 1) != 0) subset_.push_back(names[j]);
      }
      for (const PatternCount& found : find(subset_)) {
        const uint64_t pattern = Deposit(found.pattern, bits_of_[has]);
        const auto count = static_cast<int64_t>(found.count);
        // Those who have all of these are taken from those who have some of them.
        for (uint32_t some = has;; some = (some - 1) & has) {
          const bool odd = (std::popcount(has ^ some) & 1) != 0;
          added_.push_back({some, pattern & bits_of_[some], odd ? -count : count});
          if (some == 0) break;
        }
      }
    }
    std::sort(added_.begin(), added_.end());
    kinds_.clear();
    for (size_t begin = 0; begin < added_.size();) {
      Kind kind = added_[begin];
      size_t end = begin + 1;
      for (; end < added_.size() && !(added_[begin] < added_[end]); ++end) {
        kind.count += added_[end].count;
      }
      if (kind.count > 0) kinds_.push_back(kind);
      begin = end;
    }
  }

  static uint64_t PresentBit(size_t j) { return uint64_t{1} << (2 * j); }
  static uint64_t AbsentBit(size_t j) { return uint64_t{2} << (2 * j); }
  // Whether i stands above j; the next bit: that it never does.
  static size_t PairBit(size_t size, size_t i, size_t j) {
    return 2 * size + 2 * (j * (j - 1) / 2 + i);
  }

  // Adds all sets of facts about exactly these names that are true of this kind of records.
  void AddFacts(std::span<const uint32_t> names, const Kind& kind) {
    const size_t size = names.size();
    const auto shows = [&](size_t j) {
      return (kind.has >> j & 1) != 0 && (kind.pattern >> shape_.shift(j) & 1) != 0;
    };
    signs_ = 0;
    for (size_t j = 0; j < size; ++j) {
      if (shows(j)) signs_ |= PresentBit(j);
      if ((kind.has >> j & 1) == 0) signs_ |= AbsentBit(j);
    }
    relations_.clear();
    for (size_t j = 1; n_ > 0 && j < size; ++j) {
      for (size_t i = 0; i < j; ++i) {
        if (!shows(i) || !trees_.MayRelate(names[i], names[j])) continue;
        const uint64_t pair = kind.pattern >> (shape_.shift(j) + 1 + 2 * i);
        const bool above = (kind.has >> j & 1) != 0 && (pair & 1) != 0;
        if (!above) relations_.push_back({i, j, false});
        if (above && (pair & 2) != 0) relations_.push_back({i, j, true});
      }
    }
    chosen_.clear();
    ChooseRelations(size, 0, static_cast<uint64_t>(kind.count));
  }

  void ChooseRelations(size_t size, size_t from, uint64_t count) {
    AddSigns(size, count);
    if (chosen_.size() == n_) return;
    for (size_t i = from; i < relations_.size(); ++i) {
      chosen_.push_back(relations_[i]);
      ChooseRelations(size, i + 1, count);
      chosen_.pop_back();
    }
  }

  void AddSigns(size_t size, uint64_t count) {
    uint64_t facts = 0;
    uint32_t needed = 0;
    uint32_t named = 0;
    for (const Combination::Relation& relation : chosen_) {
      facts |=
          uint64_t{1} << (PairBit(size, relation.above, relation.below) + (relation.holds ? 0 : 1));
      needed |= uint32_t{1} << relation.above;
      (relation.holds ? needed : named) |= uint32_t{1} << relation.below;
    }
    // Only named, or present as well.
    std::array<uint64_t, kMostSigned> free{};
    size_t free_count = 0;
    for (size_t j = 0; j < size; ++j) {
      const uint64_t present = signs_ & PresentBit(j);
      if ((needed >> j & 1) != 0) {
        facts |= present;
      } else if ((named >> j & 1) != 0) {
        if (present != 0) free[free_count++] = present;
      } else if ((signs_ & (PresentBit(j) | AbsentBit(j))) != 0) {
        facts |= signs_ & (PresentBit(j) | AbsentBit(j));
      } else {
        return;  // nothing can be said about this name
      }
    }
    for (uint32_t choice = 0; choice < uint32_t{1} << free_count; ++choice) {
      uint64_t more = facts;
      for (size_t i = 0; i < free_count; ++i) {
        if ((choice >> i & 1) != 0) more |= free[i];
      }
      supports_.emplace_back(more, count);
    }
  }

  void AddRare(std::span<const uint32_t> names, uint64_t facts, uint64_t support) {
    ++findings_.total;
    const size_t size = names.size();
    Violator rare;
    rare.support = support;
    rare.combination.names.assign(names.begin(), names.end());
    for (size_t j = 0; j < size; ++j) {
      rare.combination.signs.push_back((facts & PresentBit(j)) != 0  ? Combination::Sign::kPresent
                                       : (facts & AbsentBit(j)) != 0 ? Combination::Sign::kAbsent
                                                                     : Combination::Sign::kNamed);
      for (size_t i = 0; i < j; ++i) {
        const uint64_t pair = facts >> PairBit(size, i, j);
        if ((pair & 1) != 0) rare.combination.relations.push_back({i, j, true});
        if ((pair & 2) != 0) rare.combination.relations.push_back({i, j, false});
      }
    }
    findings_.Add(std::move(rare));
  }

  const LabelTrees& trees_;
  uint64_t k_;
  size_t n_;
  PatternShape shape_;
  CombinationFindings& findings_;
  // By set of places, for the number of names of the last question.
  std::vector<uint64_t> bits_of_;
  std::vector<uint32_t> subset_;
  std::vector<Kind> added_;
  std::vector<Kind> kinds_;
  uint64_t signs_ = 0;
  std::vector<Combination::Relation> relations_;
  std::vector<Combination::Relation> chosen_;
  std::vector<std::pair<uint64_t, uint64_t>> supports_;
};

class SignedCounter {
 public:
  using Walk = CombinationWalk<kMostSigned - 1>;

  SignedCounter(const LabelTrees& trees, uint64_t k, size_t m, size_t n)
      : trees_(trees),
        holders_(trees),
        k_(k),
        m_(m),
        n_(n),
        stores_(trees.name_count(), PatternStore(trees.name_count())),
        findings_(trees.name_count()) {}

  Result<CombinationFindings> Run(Parallel& parallel) {
    Phase phase("verify combinations", (m_ > 1 ? 2 : 1) * trees_.name_count());
    if (m_ > 1) {
      std::vector<Walk> walks(parallel.threads(), Walk(trees_, holders_, m_ - 1));
      parallel.For(trees_.name_count(), 1, [&](size_t worker, size_t begin, size_t end) {
        for (size_t name = begin; name < end; ++name) {
          Keep(name, walks[worker]);
          phase.Advance();
        }
      });
    }
    std::vector<Walk> walks(parallel.threads(), Walk(trees_, holders_, m_));
    parallel.For(trees_.name_count(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t name = begin; name < end; ++name) {
        JudgeFrom(name, walks[worker]);
        phase.Advance();
      }
    });
    if (kept_ > kMostCounts) {
      return ErrorAt(ErrorCode::kUsage, {.path = "privacy"},
                     "the counts of combinations with negative facts must fit into about 2 "
                     "GiB, but do not",
                     "lower m, or leave out negative");
    }
    CombinationFindings all;
    for (const CombinationFindings& found : findings_) all.Merge(found);
    return all;
  }

 private:
  // Whether there is room for more.
  bool Reserve(size_t count) { return kept_.fetch_add(count) + count <= kMostCounts; }

  void Keep(size_t first, Walk& walk) {
    const auto keep = [&](std::span<const uint32_t> names, std::span<const PatternCount> patterns) {
      if (!Reserve(patterns.size())) return false;
      stores_[first].Add(names, patterns);
      return true;
    };
    walk.Run(static_cast<uint32_t>(first), keep);
  }

  // The sets of all m names that begin with this one are kept only while they are judged.
  void JudgeFrom(size_t first, Walk& walk) {
    PatternStore longest(trees_.name_count());
    size_t count = 0;
    const auto keep = [&](std::span<const uint32_t> names, std::span<const PatternCount> patterns) {
      ++findings_[first].label_sets;
      if (names.size() < m_) return true;
      if (kept_ > kMostCounts || !Reserve(patterns.size())) return false;
      longest.Add(names, patterns);
      count += patterns.size();
      return true;
    };
    walk.Run(static_cast<uint32_t>(first), keep);
    if (kept_ > kMostCounts) return;
    const auto find = [&](std::span<const uint32_t> names) {
      return names.size() == m_ ? longest.Find(names) : stores_[names.front()].Find(names);
    };
    SignedJudge judge(trees_, k_, n_, findings_[first]);
    std::vector<uint32_t> names = {static_cast<uint32_t>(first)};
    JudgeAll(names, judge, find);
    kept_ -= count;
  }

  template <typename Find>
  void JudgeAll(std::vector<uint32_t>& names, SignedJudge& judge, const Find& find) {
    StopPoint();
    judge.Judge(names, find);
    if (names.size() == m_ || judge.done()) return;
    for (uint32_t next = names.back() + 1; next < trees_.name_count(); ++next) {
      names.push_back(next);
      JudgeAll(names, judge, find);
      names.pop_back();
      if (judge.done()) return;
    }
  }

  const LabelTrees& trees_;
  NameHolders holders_;
  uint64_t k_;
  size_t m_;
  size_t n_;
  // By first name.
  std::vector<PatternStore> stores_;
  std::vector<CombinationFindings> findings_;
  std::atomic<uint64_t> kept_ = 0;
};

}  // namespace

double SignedSteps(const LabelTrees& trees, size_t m) {
  double sets = 1;
  const auto names = static_cast<double>(trees.name_count());
  for (size_t size = 0; size < m; ++size) {
    sets *= (names - static_cast<double>(size)) / static_cast<double>(size + 1);
  }
  return sets * 8 * std::pow(3.0, static_cast<double>(m));
}

Result<CombinationFindings> CountSigned(const LabelTrees& trees, uint64_t k, size_t m, size_t n,
                                        Parallel& parallel) {
  return SignedCounter(trees, k, m, n).Run(parallel);
}

}  // namespace thicket
