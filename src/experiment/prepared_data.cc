#include "experiment/prepared_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/prepare_bags.h"
#include "engine/record_content.h"
#include "experiment/experiment_table.h"
#include "generate/generate.h"
#include "io/dataset_io.h"
#include "privacy/levels_of_data.h"

namespace thicket {

namespace {

Result<PreparedData> Prepare(const LoadedPolicy& policy, Dataset read) {
  THICKET_TRY(PrepareBags(policy.content(), read));
  THICKET_ASSIGN(EncodedDataset data, Encode(std::move(read), policy.content().taxonomies));
  PreparedData prepared{policy, std::move(data)};
  if (policy.content().policy.privacy.alpha) {
    prepared.levels = prepared.data;
    THICKET_TRY(ApplyLevels(*prepared.levels));
  }
  return prepared;
}

// The policy by which data is read with this session gap.
Policy WithGap(const LoadedPolicy& policy, double gap_s) {
  Policy rules = policy.content().policy;
  if (gap_s >= Sweep::kNoGap) {
    rules.input.session_gap_s.reset();
  } else if (gap_s > 0) {
    rules.input.session_gap_s = static_cast<int64_t>(gap_s);
  }
  return rules;
}

// Generated data is there; what is said of it changes.
void Reform(const std::string& name, const CensusForm& form, GeneratedText& generated) {
  generated.policy = CensusPolicyText(name, form.quasi);
  generated.taxonomies["taxonomies/age.csv"] = CensusAgeTaxonomy(form.grain);
  generated.taxonomies["taxonomies/native-country.csv"] = CensusCountryTaxonomy(form.grain);
  std::erase_if(generated.taxonomies, [&](const auto& taxonomy) {
    return generated.policy.find(taxonomy.first) == std::string::npos;
  });
}

// WordNet's tree of its terms instead of its network: what LG(bag) needs, and what the thesis has for both.
void UseTermTree(GeneratedText& generated) {
  constexpr std::string_view kNetwork = "{network: wordnet}";
  const size_t at = generated.policy.find(kNetwork);
  if (at == std::string::npos) return;
  generated.policy.replace(at, kNetwork.size(),
                           "{taxonomy: taxonomies/term.csv, unknown: missing}");
  generated.taxonomies.merge(generated.other_taxonomies);
}

// Of the settings in experiments. What is more frequent than 1/l cannot be protected at all.
constexpr uint64_t kLargestL = 20;

Result<PreparedData> PrepareText(const GeneratedText& generated, const std::string& source,
                                 double gap_s, Progress& progress) {
  THICKET_ASSIGN(
      const LoadedPolicy policy,
      LoadPolicyText(generated.policy, {.name = "policy.yaml", .taxonomies = generated.taxonomies},
                     &progress));
  THICKET_ASSIGN(Dataset read, ReadDatasetText(WithGap(policy, gap_s), generated.data, source,
                                               ReadAs::kOriginal, progress));
  return Prepare(policy, std::move(read));
}

// Sensitive items in the policy of generated sets, whose items are plain numbers.
void NameSecrets(const PreparedData& plain, size_t secrets, uint64_t seed,
                 GeneratedText& generated) {
  const Forest& forest = plain.data.forest();
  const Dictionary& items = plain.data.data.dictionaries[1][0];
  std::vector<uint64_t> records(items.size(), 0);
  for (Vertex v = 0; v < forest.vertex_count(); ++v) {
    if (forest.class_of(v) == 1) ++records[forest.value(v, 0)];
  }
  std::vector<std::string> names;
  for (Symbol symbol = 1; symbol < items.size(); ++symbol) {
    if (records[symbol] > 0 && kLargestL * records[symbol] <= forest.record_count()) {
      names.emplace_back(items.text(symbol));
    }
  }
  std::sort(names.begin(), names.end());
  Random random = Random::Seeded(seed);
  random.Shuffle(names);
  names.resize(std::min(names.size(), secrets));
  generated.policy += fmt::format("  model: KL(m,n)-privacy\n  l: 2\n  sensitive_items: [\"{}\"]\n",
                                  fmt::join(names, "\", \""));
}

}  // namespace

Result<PreparedData> PrepareData(const std::string& name, uint64_t records, uint64_t seed,
                                 Progress& progress, const CensusForm& form, size_t secrets,
                                 double gap_s) {
  THICKET_ASSIGN(GeneratedText generated, GenerateText(name, records, seed, progress));
  const std::string source = GeneratedFile(name);
  if (form != CensusForm{}) Reform(name, form, generated);
  if (gap_s > 0) UseTermTree(generated);
  if (secrets > 0) {
    THICKET_ASSIGN(const PreparedData plain, PrepareText(generated, source, 0, progress));
    NameSecrets(plain, secrets, seed, generated);
  }
  return PrepareText(generated, source, gap_s, progress);
}

Result<PreparedData> PrepareGiven(const LoadedPolicy& policy, Progress& progress, double gap_s) {
  THICKET_ASSIGN(Dataset read, ReadDataset(WithGap(policy, gap_s), policy.InputPath(),
                                           ReadAs::kOriginal, progress));
  return Prepare(policy, std::move(read));
}

Result<PreparedData> PrepareRecords(const LoadedPolicy& policy, RecordSet records) {
  THICKET_TRY(MustBe(policy, records, RecordsAs::kOriginal));
  const std::shared_ptr<RecordSet::Content> content = std::move(records).Take();
  return Prepare(policy,
                 content.use_count() == 1 ? std::move(content->data) : Dataset(content->data));
}

}  // namespace thicket
