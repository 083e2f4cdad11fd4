#include "verify/combination_diversity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"

namespace thicket {

namespace {

constexpr uint32_t kNoPlace = std::numeric_limits<uint32_t>::max();

class DiversityWalk {
 public:
  DiversityWalk(const LabelTrees& trees, const DiversityQuestion& question,
                CombinationFindings& findings)
      : trees_(trees),
        question_(question),
        findings_(findings),
        counts_(trees.secret_count(), 0),
        most_(trees.secret_attributes()) {}

  void CheckNothingKnown() {
    FillAll();
    Judge(levels_[0]);
  }

  // All combinations whose first name is this one.
  void Run(uint32_t first) {
    if (!IsKnowable(first)) return;
    FillAll();
    std::vector<Link> links;
    for (uint32_t tree = 0; tree < trees_.size(); ++tree) {
      const auto names = trees_.names_of(tree);
      const auto found = std::lower_bound(names.begin(), names.end(), first);
      if (found == names.end() || *found != first) continue;
      links.push_back({tree, static_cast<uint32_t>(found - names.begin())});
    }
    Try(first, links, 0);
  }

 private:
  // The trees that support a combination, with the places of its names, kNoPlace where a tree lacks one.
  struct Level {
    std::vector<uint32_t> trees;
    std::vector<uint32_t> places;  // by tree and name
  };
  // A tree of a level that has a name.
  struct Link {
    uint32_t index;
    uint32_t place;
  };
  using Sign = Combination::Sign;

  // Whether anything that may be known of the name says more than other names do.
  bool IsKnowable(uint32_t name) const {
    return trees_.name(name).may_have || (question_.negative && trees_.name(name).may_lack);
  }

  void FillAll() {
    levels_.resize(question_.m + 1);
    known_ = {};
    levels_[0].places.clear();
    levels_[0].trees.resize(trees_.size());
    for (uint32_t tree = 0; tree < trees_.size(); ++tree) levels_[0].trees[tree] = tree;
  }

  // The names that trees of the level have behind the last one of the combination, with who has them where.
  using Behind = std::vector<std::pair<uint32_t, std::vector<Link>>>;
  Behind NamesBehind(const Level& level, uint32_t first) const {
    std::vector<std::vector<Link>> links(trees_.name_count());
    for (uint32_t i = 0; i < level.trees.size(); ++i) {
      StopPoint();
      const auto names = trees_.names_of(level.trees[i]);
      for (auto at = std::lower_bound(names.begin(), names.end(), first); at != names.end(); ++at) {
        links[*at].push_back({i, static_cast<uint32_t>(at - names.begin())});
      }
    }
    Behind behind;
    for (uint32_t name = first; name < links.size(); ++name) {
      if (!IsKnowable(name) || (links[name].empty() && !question_.negative)) continue;
      behind.emplace_back(name, std::move(links[name]));
    }
    return behind;
  }

  // Adds a name, in every way that it can be known.
  void Try(uint32_t name, const std::vector<Link>& links, size_t depth) {
    known_.names.push_back(name);
    known_.signs.push_back(Sign::kNamed);
    ChooseRelations(links, depth, 0, known_.relations.size());
    known_.names.pop_back();
    known_.signs.pop_back();
  }

  // Relations of the new name, from place `from` of the others on; those from `first` on are new.
  void ChooseRelations(const std::vector<Link>& links, size_t depth, size_t from, size_t first) {
    const size_t fresh = known_.relations.size() - first;
    bool only_missing = true;
    for (size_t i = first; i < known_.relations.size(); ++i) {
      only_missing = only_missing && !known_.relations[i].holds;
    }
    const LabelTrees::Name& name = trees_.name(known_.names[depth]);
    const bool may_lack = question_.negative && name.may_lack;
    if (name.may_have) Follow(Sign::kPresent, links, depth, first);
    if (may_lack && fresh == 0) Follow(Sign::kAbsent, links, depth, first);
    if (may_lack && fresh > 0 && only_missing) Follow(Sign::kNamed, links, depth, first);
    if (known_.relations.size() == question_.n) return;
    for (size_t above = from; above < depth; ++above) {
      // Below a label of the root is everything that the record has: it says no more than both names do.
      if (known_.signs[above] != Sign::kPresent || trees_.name(known_.names[above]).id == 0 ||
          !trees_.MayRelate(known_.names[above], known_.names[depth])) {
        continue;
      }
      for (const bool holds : {true, false}) {
        if (holds ? !name.may_have : !may_lack) continue;
        known_.relations.push_back({above, depth, holds});
        ChooseRelations(links, depth, above + 1, first);
        known_.relations.pop_back();
      }
    }
  }

  bool Fits(uint32_t tree, const uint32_t* places, uint32_t place, Sign sign, size_t first) const {
    if (sign == Sign::kPresent && (place == kNoPlace || !trees_.Shows(tree, place))) return false;
    if (sign == Sign::kAbsent && place != kNoPlace) return false;
    for (size_t i = first; i < known_.relations.size(); ++i) {
      const Combination::Relation& relation = known_.relations[i];
      const uint32_t above = places[relation.above];
      if (relation.holds) {
        if (place == kNoPlace || !trees_.AboveShown(tree, above, place)) return false;
      } else if (place != kNoPlace && trees_.Above(tree, above, place)) {
        return false;
      }
    }
    return true;
  }

  // Goes on with the trees that support the longer combination.
  void Follow(Sign sign, const std::vector<Link>& links, size_t depth, size_t first) {
    StopPoint();
    if (findings_.more) return;
    const Level& from = levels_[depth];
    Level& to = levels_[depth + 1];
    to.trees.clear();
    to.places.clear();
    const auto take = [&](size_t i, uint32_t place) {
      const uint32_t* places = from.places.data() + i * depth;
      if (!Fits(from.trees[i], places, place, sign, first)) return;
      to.trees.push_back(from.trees[i]);
      to.places.insert(to.places.end(), places, places + depth);
      to.places.push_back(place);
    };
    size_t link = 0;
    for (size_t i = 0; sign != Sign::kPresent && i < from.trees.size(); ++i) {
      const bool has = link < links.size() && links[link].index == i;
      take(i, has ? links[link++].place : kNoPlace);
    }
    for (; sign == Sign::kPresent && link < links.size(); ++link) {
      take(links[link].index, links[link].place);
    }
    if (to.trees.empty()) return;
    known_.signs[depth] = sign;
    Judge(to);
    if (depth + 1 < question_.m) {
      const Behind behind = NamesBehind(to, known_.names.back() + 1);
      for (const auto& [name, next] : behind) Try(name, next, depth + 1);
    }
    known_.signs[depth] = Sign::kNamed;
  }

  // Every sensitive attribute by itself: in how many of the records its most frequent bucket stands anywhere.
  void Judge(const Level& level) {
    uint64_t support = 0;
    for (const uint32_t tree : level.trees) {
      const uint32_t weight = trees_.weight(tree);
      support += weight;
      for (const uint32_t secret : trees_.SecretsOf(tree)) {
        if (counts_[secret] == 0) touched_.push_back(secret);
        counts_[secret] += weight;
      }
    }
    std::fill(most_.begin(), most_.end(), Most{});
    for (const uint32_t secret : touched_) {
      Most& most = most_[trees_.secret(secret).number];
      // Of equally frequent ones the first.
      if (counts_[secret] > most.records ||
          (counts_[secret] == most.records && secret < most.secret)) {
        most = {counts_[secret], secret};
      }
      counts_[secret] = 0;
    }
    touched_.clear();
    for (const Most& most : most_) {
      if (most.records > 0) Note(support, most);
    }
  }

  struct Most {
    uint64_t records = 0;
    uint32_t secret = 0;
  };
  void Note(uint64_t support, const Most& most) {
    findings_.least_diverse = std::min(findings_.least_diverse, support / most.records);
    if (most.records * question_.l <= support) return;
    ++findings_.total;
    findings_.more =
        findings_.least_diverse == 1 && findings_.total >= CombinationFindings::kEnough;
    if (!findings_.WantsSize(known_.names.size() + known_.relations.size())) return;
    findings_.Add({known_, support, most.records, most.secret});
  }

  const LabelTrees& trees_;
  const DiversityQuestion& question_;
  CombinationFindings& findings_;
  Combination known_;
  std::vector<Level> levels_;
  // By secret; zero between questions.
  std::vector<uint64_t> counts_;
  std::vector<uint32_t> touched_;
  // By sensitive attribute.
  std::vector<Most> most_;
};

}  // namespace

double DiversitySteps(const LabelTrees& trees, const DiversityQuestion& question) {
  const auto sets = [&](double names) {
    double all = 0;
    double of_size = 1;
    for (size_t size = 1; size <= question.m && static_cast<double>(size) <= names; ++size) {
      of_size *= (names - static_cast<double>(size) + 1) / static_cast<double>(size);
      all += of_size;
    }
    return all;
  };
  const double related = trees.any_relation() ? 1 + static_cast<double>(question.n) : 1;
  const double each = related * 8 * static_cast<double>(question.m + 1);
  if (question.negative) {
    return sets(static_cast<double>(trees.name_count())) *
           std::pow(2.0, static_cast<double>(std::min<size_t>(question.m, 64))) *
           static_cast<double>(trees.size()) * each;
  }
  double steps = 0;
  for (size_t tree = 0; tree < trees.size(); ++tree) {
    steps += sets(static_cast<double>(trees.names_of(tree).size()));
  }
  return steps * each;
}

CombinationFindings CheckCombinationDiversity(const LabelTrees& trees,
                                              const DiversityQuestion& question,
                                              Parallel& parallel) {
  CombinationFindings all;
  if (trees.size() == 0) return all;
  DiversityWalk(trees, question, all).CheckNothingKnown();
  std::vector<CombinationFindings> findings(trees.name_count());
  Phase phase("verify diversity", trees.name_count());
  parallel.For(trees.name_count(), 1, [&](size_t begin, size_t end) {
    for (size_t name = begin; name < end; ++name) {
      DiversityWalk(trees, question, findings[name]).Run(static_cast<uint32_t>(name));
      phase.Advance();
    }
  });
  for (const CombinationFindings& found : findings) all.Merge(found);
  return all;
}

}  // namespace thicket
