// Adds up what happens to the victims of an attack.
#pragma once

#include <algorithm>
#include <cstddef>

#include "attack/attack.h"

namespace thicket {

class Tally {
 public:
  void Add(size_t candidates, size_t victims) {
    result_.victims += victims;
    if (candidates == 0) {
      result_.misled += victims;
      return;
    }
    const double probability = 1.0 / static_cast<double>(candidates);
    if (candidates == 1) found_ += victims;
    probability_ += probability * static_cast<double>(victims);
    result_.worst_probability = std::max(result_.worst_probability, probability);
  }
  // A victim who is picked with this probability.
  void AddChance(double probability) {
    ++result_.victims;
    if (probability == 0) ++result_.misled;
    if (probability == 1) ++found_;
    probability_ += probability;
    result_.worst_probability = std::max(result_.worst_probability, probability);
  }
  void AddCertainty(double share) {
    result_.worst_certainty = std::max(result_.worst_certainty, share);
  }
  double worst_certainty() const { return result_.worst_certainty; }
  void AddCertaintyAnywhere(double share) {
    result_.worst_certainty_anywhere = std::max(worst_certainty_anywhere(), share);
  }
  double worst_certainty_anywhere() const { return result_.worst_certainty_anywhere.value_or(0); }
  AttackResult Result() const {
    AttackResult result = result_;
    if (result.victims == 0) return result;
    result.found_share = static_cast<double>(found_) / static_cast<double>(result.victims);
    result.mean_probability = probability_ / static_cast<double>(result.victims);
    return result;
  }

 private:
  AttackResult result_;
  size_t found_ = 0;
  double probability_ = 0;
};

}  // namespace thicket
