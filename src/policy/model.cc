#include "policy/model.h"

namespace thicket {

namespace {

constexpr PublishedStructure kAsItWas = {};
constexpr PublishedStructure kMerged = {.vertices_move = false, .vertices_merge = true};
constexpr PublishedStructure kMovedAndMerged = {.vertices_move = true, .vertices_merge = true};

constexpr ModelRow kModels[] = {
    {PrivacyModel::kAnonymity, "k-anonymity", "", true, kAsItWas},
    {PrivacyModel::kDiversity, "l-diversity", "l", true, kAsItWas},
    {PrivacyModel::kThresholds, "l+-diversity", "theta", true, kAsItWas},
    {PrivacyModel::kSensitivityLevels, "(alpha_lev^h, k)-anonymity", "alpha", true, kAsItWas},
    {PrivacyModel::kCombinations, "k^(m,n)-anonymity", "m and n", false, kMovedAndMerged},
    {PrivacyModel::kItems, "KL(m,n)-privacy", "sensitive_items", false, kMerged},
    {PrivacyModel::kVocabularies, "vocabulary k-anonymity", "epsilon", true, kAsItWas},
};

constexpr bool IsInOrder() {
  size_t i = 0;
  for (const ModelRow& row : kModels) {
    if (static_cast<size_t>(row.model) != i++) return false;
  }
  return true;
}
static_assert(IsInOrder());

}  // namespace

std::span<const ModelRow> Models() { return kModels; }

const ModelRow& RowOf(PrivacyModel model) { return kModels[static_cast<size_t>(model)]; }

}  // namespace thicket
