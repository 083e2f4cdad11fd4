// The similarity attack (section 1 of Wang et al. 2018): the adversary does not learn the value, but how sensitive it is.
//
// The adversary knows all quasi-identifiers of a victim, and so the class that the victim stands in. Three grade point
// averages of 0.31, 0.15 and 0.09 are 3-diverse, and yet whoever stands there is a poor student. For every set of aligned
// vertices the certainty is the share of the level that most of its values have; where that is all of them the level is
// known.
//
//   const LevelKnowledge known = LearnLevels(published, levels);
//   known[student][gpa].known_share();        // of how many values the level is known for certain
//   known[student][gpa].mean_certainty();     // how sure the adversary is, on average
//
// Aligned are vertices at the same place of the canonical order of a class's records; siblings that look alike are taken
// in the order of the data, as the verifier takes them. An adversary who cannot tell such siblings apart knows less. A
// class is all records with equal trees: in the original mostly a single one, of whom everything is known.
//
// Counts alone, no code of the search for classes. O(vertices log siblings).
#pragma once

#include <cstdint>
#include <vector>

#include "record/dataset.h"
#include "record/symbol_levels.h"

namespace thicket {

// About one sensitive attribute.
struct LevelsLearned {
  uint64_t values = 0;
  // Values that stand among values of their own level only.
  uint64_t known = 0;
  // Summed over sets of aligned vertices: values of the most frequent level.
  uint64_t most_frequent = 0;
  double worst_certainty = 0;
  // Persons with such a value, and those of whom the level of one is known.
  uint64_t people = 0;
  uint64_t people_known = 0;
  // Values of the level that is most frequent in the whole release: what is guessed without knowing anybody's class.
  uint64_t most_frequent_overall = 0;

  double known_share() const { return Share(known, values); }
  double mean_certainty() const { return Share(most_frequent, values); }
  double people_share() const { return Share(people_known, people); }
  double guess() const { return Share(most_frequent_overall, values); }

 private:
  static double Share(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

// By class and sensitive attribute.
using LevelKnowledge = std::vector<std::vector<LevelsLearned>>;

LevelKnowledge LearnLevels(const Dataset& published, const SymbolLevels& levels);
// From the original as it is: equal are values that the domains hold for one, however they are written.
LevelKnowledge LearnLevels(const EncodedDataset& original, const SymbolLevels& levels);

}  // namespace thicket
