// The promises that a policy can make, as one table: what each is called, which keys ask for it, and what follows from it
// for those who read what is published.
//
//   RowOf(policy.privacy.model()).name;                          // "l-diversity"
//   RowOf(policy.privacy.model()).structure.vertices_move;       // may a vertex stand in another one than its parent?
//
// Which algorithm keeps a promise is another matter: policy/method_table.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thicket {

enum class PrivacyModel {
  kAnonymity,          // k-anonymity, Definition 3.12 of Ozalp et al. 2016
  kDiversity,          // l-diversity, Definition 3.15 of Ozalp et al. 2016
  kThresholds,         // l+-diversity, Definition 3.1 of Liu 2010
  kSensitivityLevels,  // (alpha_lev^h, k)-anonymity, Definition 5 of Wang et al. 2018
  kCombinations,       // k^(m,n)-anonymity, Definition 1 of Gkountouna et al. 2013
  kItems,              // KL(m,n)-privacy, Definition 4.4 of Liu 2010
  kVocabularies,       // vocabulary k-anonymity, Definition 5.2 of Liu 2010
};

// How published records may differ in structure from their originals, beside vertices that are left out. Readers must
// expect it, whichever method has published the data.
struct PublishedStructure {
  // A vertex may stand in any ancestor of its class, under its own class's key.
  bool vertices_move = false;
  // Vertices that have become equal are one vertex, whose sensitive and kept values are lists.
  bool vertices_merge = false;

  // Whether a published record is more than its original with labels generalized and vertices left out.
  bool changes() const { return vertices_move || vertices_merge; }
};

struct ModelRow {
  PrivacyModel model;
  std::string_view name;
  // What asks for the model in `privacy` beside k, as messages call it; empty if k alone does.
  std::string_view keys;
  // Whether records stand in classes of look-alikes. If not, the promise counts the records that fit a combination of
  // labels, and no two records need look alike.
  bool has_classes;
  PublishedStructure structure;
};

// In the order of the enumeration: a later model needs keys that an earlier one does not have.
std::span<const ModelRow> Models();
const ModelRow& RowOf(PrivacyModel model);

}  // namespace thicket
