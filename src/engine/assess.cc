#include "engine/assess.h"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "attack/attack.h"
#include "attack/similarity.h"
#include "base/parallel.h"
#include "base/supervised.h"
#include "base/text.h"
#include "engine/assess_bags.h"
#include "engine/assess_sets.h"
#include "engine/attack_bags.h"
#include "engine/content.h"
#include "engine/levels_for_assessment.h"
#include "engine/prepare_bags.h"
#include "engine/record_content.h"
#include "io/dataset_io.h"
#include "io/file/file_plan.h"
#include "io/link_file.h"
#include "policy/method_table.h"
#include "record/fold_warnings.h"
#include "record/label_sets.h"
#include "utility/cut_lm.h"
#include "utility/dissimilarity.h"
#include "utility/dm.h"
#include "utility/lm.h"
#include "utility/mining_loss.h"
#include "utility/queries.h"
#include "utility/rpd.h"
#include "verify/bag_truth.h"
#include "verify/owners.h"
#include "verify/table_scheme.h"
#include "verify/truthful.h"
#include "verify/value_reading.h"
#include "verify/verify.h"

namespace thicket {

namespace {

std::vector<std::string> WarningsOf(const Dataset& data) {
  std::vector<std::string> warnings;
  for (const Warning& warning : data.warnings)
    warnings.push_back(data.source + ": " + warning.message);
  for (const Warning& warning : FoldWarnings(data))
    warnings.push_back(data.source + ": " + warning.message);
  return warnings;
}

// Published data; what is to be said of it is said also where the work then fails.
Result<Dataset> ReadPublished(const Policy& policy, const std::string& path, Progress& progress) {
  THICKET_ASSIGN(Dataset data, ReadDataset(policy, path, ReadAs::kPublished, progress));
  for (std::string& warning : WarningsOf(data)) progress.Warn(std::move(warning));
  return data;
}

// What `verify` refuses: a measurement goes on without it.
void AddFindings(const Dataset& published, std::vector<std::string>& warnings) {
  for (const Finding& finding : published.findings) warnings.push_back(finding.Text());
}

void AddViolations(const Violations& violations, VerifyReport& report) {
  report.violations += violations.total();
  for (const Violation& violation : violations.shown())
    report.messages.push_back(violation.message);
}

// Nothing is written, but what is printed must not go into what is read.
Status CheckFiles(const Policy& policy, const std::string& published, const std::string& original,
                  const std::string& link = "") {
  FilePlan files;
  files.ReadPolicy(policy);
  files.ReadData(policy, published, "the published data");
  files.ReadData(policy, original, "the original");
  files.Read(link, "the link");
  return files.Check();
}

// A link names records of the original.
Status CheckLink(const std::string& link, const std::string& original) {
  if (link == "-") {
    return Error{ErrorCode::kUsage, "--link must be a file of its own, but is standard input",
                 "give --link the file that anonymize --link wrote", ""};
  }
  if (link.empty() || !original.empty()) return {};
  return Error{ErrorCode::kUsage,
               "--link must come with --original, whose records it names, but that is missing",
               "add --original FILE", ""};
}

// An original in the terms of its domains, and what was published of it.
struct Pair {
  EncodedDataset original;
  Dataset published;
};

Result<Pair> ReadPair(const LoadedPolicy& policy, const std::string& published,
                      const std::string& original, Progress& progress) {
  const LoadedPolicy::Content& content = policy.content();
  THICKET_TRY(CheckFiles(content.policy, published, original));
  THICKET_ASSIGN(Dataset before,
                 ReadDataset(content.policy, original, ReadAs::kOriginal, progress));
  THICKET_TRY(PrepareBags(content, before));
  THICKET_ASSIGN(EncodedDataset encoded, Encode(std::move(before), content.taxonomies));
  THICKET_ASSIGN(Dataset after, ReadPublished(content.policy, published, progress));
  return Pair{std::move(encoded), std::move(after)};
}

Result<Pair> PairOf(const LoadedPolicy& policy, const RecordSet& published,
                    const RecordSet& original) {
  THICKET_TRY(MustBe(policy, published, RecordsAs::kPublished));
  THICKET_TRY(MustBe(policy, original, RecordsAs::kOriginal));
  Dataset before = original.content().data;
  THICKET_TRY(PrepareBags(policy.content(), before));
  THICKET_ASSIGN(EncodedDataset encoded, Encode(std::move(before), policy.content().taxonomies));
  return Pair{std::move(encoded), published.content().data};
}

Status CheckMetrics(const Policy& policy, const EvaluateOptions& options, bool linked) {
  THICKET_TRY(CheckBagMetrics(policy, options, linked));
  if (options.queries && policy.privacy.structure().changes()) {
    return Error{ErrorCode::kUsage,
                 fmt::format("--metrics: must be without queries for {}, whose labels may be {}, "
                             "but has them",
                             policy.privacy.model_name(),
                             policy.privacy.structure().vertices_move ? "moved" : "merged"),
                 PublishesSets(policy) ? "choose of lm, ncp, patterns and dm"
                                       : "choose of lm, rpd, mining and dm",
                 ""};
  }
  if ((options.ncp || options.patterns) && !AreSets(*policy.schema)) {
    return Error{ErrorCode::kUsage,
                 fmt::format("--metrics: {} must be of records that are sets, a root above one "
                             "class of items, but these are not",
                             options.ncp ? "ncp" : "patterns"),
                 "choose of lm, queries, dm, dissimilarity, rpd and mining", ""};
  }
  return {};
}

Status MeasurePaths(const Pair& pair, const EvaluateOptions& options, Progress& progress,
                    EvaluateReport& report) {
  if (options.rpd) {
    THICKET_ASSIGN(const RpdReport rpd, MeasureRpd(pair.original, pair.published));
    THICKET_ASSIGN(const RpdReport synopsis, MeasureSynopsisRpd(pair.original, pair.published));
    report.rpd = EvaluateReport::PathDomain{rpd.original, rpd.published, synopsis.original,
                                            synopsis.published};
  }
  if (options.mining) {
    Parallel parallel(options.threads);
    THICKET_ASSIGN(const MiningLossReport mining,
                   MeasureMiningLoss(pair.original, pair.published, {}, parallel, progress));
    report.mining =
        EvaluateReport::Mining{mining.ml2(), mining.dml2(), mining.frequent(), mining.kept()};
  }
  return {};
}

// By published record, the original; absent where nobody has the link.
using Certificate = std::optional<std::vector<RecordId>>;

// What a file is checked for when it is read.
Status CheckRecordLink(const RecordLink& link, const Forest& published, const Forest& original) {
  std::vector<bool> used(original.record_count(), false);
  bool fits = link.size() == published.record_count();
  for (size_t i = 0; i < link.size() && fits; ++i) {
    fits = link[i] < used.size() && !used[link[i]];
    if (fits) used[link[i]] = true;
  }
  if (fits) return {};
  return Error{ErrorCode::kData,
               "link: it must name an original record of its own for every published one, but does "
               "not",
               "hand over the one that belongs to these records", ""};
}

Report::Bags BagsOf(const BagTruth& truth) {
  Report::Bags bags;
  bags.terms = truth.published + truth.left_out;
  bags.left_out = truth.left_out;
  bags.published = truth.published;
  bags.substituted = truth.substituted;
  bags.steps = truth.steps;
  bags.most_steps = truth.most_steps;
  bags.empty = truth.empty_bags;
  return bags;
}

Status CheckTruth(const LoadedPolicy::Content& content, const Dataset& after, const Dataset& before,
                  const Certificate& certificate, VerifyReport& report) {
  const Policy& rules = content.policy;
  std::optional<std::span<const RecordId>> originals;
  if (certificate) originals = *certificate;
  TruthVerdict truth;
  if (rules.privacy.epsilon) {
    THICKET_ASSIGN(const BagTruth bags,
                   VerifyBagTruth(*rules.schema, rules.privacy, content.taxonomies,
                                  content.networks, after, before, originals,
                                  /*judge_order=*/true));
    if (originals && bags.holds) report.bags = BagsOf(bags);
    truth = bags;
  } else {
    THICKET_ASSIGN(truth, VerifyTruthful(*rules.schema, rules.privacy, content.taxonomies, after,
                                         before, originals, /*judge_order=*/true));
  }
  report.truthful = truth.holds;
  report.holds = report.holds && truth.holds && !truth.in_source_order;
  AddViolations(truth.violations, report);
  if (!originals) return {};
  report.linked = true;
  const OwnersVerdict owners = VerifyOwners(rules.privacy, after, before, *originals);
  report.least_owners = owners.least;
  report.largest_owner_share = owners.largest_share;
  report.holds = report.holds && owners.holds;
  AddViolations(owners.violations, report);
  return {};
}

// `before` may be null.
Result<VerifyReport> VerifyData(const LoadedPolicy& policy, const Dataset& after,
                                const Dataset* before, const Certificate& certificate,
                                int threads) {
  const LoadedPolicy::Content& content = policy.content();
  const Policy& rules = content.policy;
  std::optional<Dataset> meant;
  if (before != nullptr && LeavesUnknownOut(*rules.schema)) {
    meant = WithUnknownMissing(*before, content.taxonomies);
    before = &*meant;
  }
  THICKET_ASSIGN(const Verdict verdict,
                 VerifyPublished(*rules.schema, rules.privacy, content.taxonomies, after, before,
                                 threads, content.networks));
  VerifyReport report;
  report.holds = verdict.holds;
  report.model = rules.privacy.model_name();
  report.k = verdict.k;
  report.l = verdict.l;
  report.k_promised = rules.privacy.k;
  report.l_promised = rules.privacy.l;
  report.alpha = verdict.alpha;
  report.alpha_promised = rules.privacy.alpha;
  report.share_at_place = verdict.share_at_place;
  report.share_anywhere = verdict.share_anywhere;
  report.alpha_anywhere = verdict.alpha_anywhere;
  for (const VertexClass& of : rules.schema->classes) {
    for (const SensitiveAttribute& attribute : of.sensitive) {
      report.anywhere_promised = report.anywhere_promised || attribute.anywhere;
    }
  }
  report.epsilon_promised = rules.privacy.epsilon;
  report.m_promised = rules.privacy.m;
  report.n_promised = rules.privacy.n;
  report.label_sets = verdict.label_sets;
  report.records = verdict.records;
  report.vertices = verdict.vertices;
  report.classes = verdict.classes;
  report.smallest_class = verdict.smallest_class;
  report.median_class = verdict.median_class;
  report.largest_class = verdict.largest_class;
  AddViolations(verdict.violations, report);
  report.warnings = WarningsOf(after);
  report.warnings.insert(report.warnings.end(), verdict.warnings.begin(), verdict.warnings.end());
  report.suppressed_values = verdict.suppressed_values;
  report.share_of_theta = verdict.share_of_theta;
  if (RowOf(rules.method).flat) {
    THICKET_ASSIGN(const TableVerdict table, VerifyTable(rules, content.taxonomies, after, before));
    report.holds = report.holds && table.holds;
    AddViolations(table.violations, report);
    report.warnings.insert(report.warnings.end(), table.warnings.begin(), table.warnings.end());
  }
  if (before != nullptr) THICKET_TRY(CheckTruth(content, after, *before, certificate, report));
  return report;
}

Result<VerifyReport> VerifyFileNow(const LoadedPolicy& policy, const std::string& published,
                                   const std::string& original, const std::string& link,
                                   Progress& progress, int threads) {
  const Policy& rules = policy.content().policy;
  THICKET_TRY(CheckLink(link, original));
  THICKET_TRY(CheckFiles(rules, published, original, link));
  THICKET_ASSIGN(const Dataset after, ReadPublished(rules, published, progress));
  std::optional<Dataset> before;
  if (!original.empty()) {
    THICKET_ASSIGN(before, ReadDataset(rules, original, ReadAs::kOriginal, progress));
    THICKET_TRY(PrepareBags(policy.content(), *before));
  }
  Certificate certificate;
  if (!link.empty()) {
    THICKET_ASSIGN(certificate, ReadLink(link, after.forest.record_count(),
                                         before->forest.record_count(), progress));
  }
  return VerifyData(policy, after, before ? &*before : nullptr, certificate, threads);
}

}  // namespace

Result<VerifyReport> VerifyFile(const LoadedPolicy& policy, const std::string& published,
                                const std::string& original, Progress& progress, int threads,
                                const std::string& link) {
  return Supervised(progress, [&] {
    return VerifyFileNow(policy, published, original, link, progress, threads);
  });
}

Result<VerifyReport> VerifyRecords(const LoadedPolicy& policy, const RecordSet& published,
                                   const RecordSet* original, Progress& progress, int threads,
                                   const RecordLink* link) {
  return Supervised(progress, [&]() -> Result<VerifyReport> {
    THICKET_TRY(MustBe(policy, published, RecordsAs::kPublished));
    if (original != nullptr) THICKET_TRY(MustBe(policy, *original, RecordsAs::kOriginal));
    Certificate certificate;
    if (link != nullptr && original != nullptr) certificate = *link;
    if (original == nullptr || !policy.content().policy.privacy.of_bags) {
      return VerifyData(policy, published.content().data,
                        original != nullptr ? &original->content().data : nullptr, certificate,
                        threads);
    }
    Dataset before = original->content().data;
    THICKET_TRY(PrepareBags(policy.content(), before));
    return VerifyData(policy, published.content().data, &before, certificate, threads);
  });
}

EvaluateOptions UsualMetrics(const LoadedPolicy& policy, bool linked) {
  EvaluateOptions options;
  if (policy.content().policy.privacy.of_bags) {
    options.lm = false;
    options.queries = false;
    options.terms = true;
    options.closed = true;
    options.blm = linked;
    return options;
  }
  const bool moved = policy.content().policy.privacy.structure().vertices_move;
  const bool sets = PublishesSets(policy.content().policy);
  options.queries = !moved && !sets;
  options.ncp = sets;
  options.patterns = sets;
  options.rpd = moved;
  options.mining = moved;
  return options;
}

namespace {

Result<EvaluateReport> EvaluatePair(const LoadedPolicy& policy, const Pair& pair,
                                    const Certificate& certificate, const EvaluateOptions& options,
                                    Progress& progress) {
  const PrivacyPolicy& privacy = policy.content().policy.privacy;
  EvaluateReport report;
  report.warnings = WarningsOf(pair.published);
  AddFindings(pair.published, report.warnings);
  if (options.lm && !PublishesSets(policy.content().policy)) {
    THICKET_ASSIGN(const LmReport lm,
                   MeasureLm(pair.original, pair.published, privacy.structure().changes()));
    AddLoss(lm, report);
  }
  THICKET_TRY(MeasureSets(policy.content().policy, pair.original, pair.published, options, report));
  if (options.queries) {
    Parallel parallel(options.threads);
    THICKET_ASSIGN(
        const QueryReport queries,
        MeasureQueries(pair.original, pair.published,
                       {.queries = options.query_count, .seed = options.seed}, parallel, progress));
    report.queries = EvaluateReport::Queries{queries.queries, queries.mean, queries.mean_bounded,
                                             queries.median};
  }
  if (options.dm) {
    THICKET_ASSIGN(const DmReport dm, MeasureDm(pair.original.data, pair.published));
    report.dm = EvaluateReport::Discernibility{dm.dm, dm.mean_group(), dm.records, dm.suppressed};
  }
  if (options.dissimilarity) {
    THICKET_ASSIGN(const LevelsForAssessment levels,
                   FindLevels(pair.original.data, pair.published));
    const DissimilarityReport found = MeasureDissimilarity(pair.published, levels.published);
    report.dissimilarity =
        EvaluateReport::Dissimilarity{found.degree, found.mean_distance, found.classes};
  }
  THICKET_TRY(MeasurePaths(pair, options, progress, report));
  std::optional<std::span<const RecordId>> original_of;
  if (certificate) original_of = *certificate;
  THICKET_TRY(MeasureBags(policy.content(), pair.original, pair.published, original_of, options,
                          progress, report));
  return report;
}

Result<EvaluateReport> EvaluateFileNow(const LoadedPolicy& policy, const std::string& published,
                                       const std::string& original, const std::string& link,
                                       const EvaluateOptions& options, Progress& progress) {
  THICKET_TRY(CheckMetrics(policy.content().policy, options, !link.empty()));
  THICKET_TRY(CheckLink(link, original));
  THICKET_TRY(CheckFiles(policy.content().policy, published, original, link));
  THICKET_ASSIGN(const Pair pair, ReadPair(policy, published, original, progress));
  Certificate certificate;
  if (!link.empty()) {
    THICKET_ASSIGN(certificate, ReadLink(link, pair.published.forest.record_count(),
                                         pair.original.forest().record_count(), progress));
  }
  return EvaluatePair(policy, pair, certificate, options, progress);
}

}  // namespace

Result<EvaluateReport> EvaluateFile(const LoadedPolicy& policy, const std::string& published,
                                    const std::string& original, const EvaluateOptions& options,
                                    Progress& progress, const std::string& link) {
  return Supervised(progress, [&] {
    return EvaluateFileNow(policy, published, original, link, options, progress);
  });
}

Result<EvaluateReport> EvaluateRecords(const LoadedPolicy& policy, const RecordSet& published,
                                       const RecordSet& original, const EvaluateOptions& options,
                                       Progress& progress, const RecordLink* link) {
  return Supervised(progress, [&]() -> Result<EvaluateReport> {
    THICKET_TRY(CheckMetrics(policy.content().policy, options, link != nullptr));
    THICKET_ASSIGN(const Pair pair, PairOf(policy, published, original));
    Certificate certificate;
    if (link != nullptr) {
      THICKET_TRY(CheckRecordLink(*link, pair.published.forest, pair.original.forest()));
      certificate = *link;
    }
    return EvaluatePair(policy, pair, certificate, options, progress);
  });
}

namespace {

std::string KnowledgeText(Knowledge knowledge, const AttackOptions& options) {
  const int labels = options.labels.value_or(kDefaultLabels);
  const int relations = options.relations.value_or(0);
  std::string text = labels == 1 ? "1 random label" : fmt::format("{} random labels", labels);
  if (relations > 0) {
    text +=
        fmt::format(" with up to {} relation{} between them", relations, relations == 1 ? "" : "s");
  }
  switch (knowledge) {
    case Knowledge::kEverything:
      return "all quasi-identifiers and the structure";
    case Knowledge::kLabels:
      return text;
    case Knowledge::kAbsence:
      if (options.merged) return text + ", some of which the person does not have";
      return fmt::format("{}, and {} that the person does not have", text, labels);
  }
  return "";
}

// Against k^(m,n)-anonymity the adversary of the promise is played, if nobody asks for another one.
AttackOptions OptionsOf(const AttackRequest& request, const PrivacyPolicy& privacy,
                        size_t records) {
  AttackOptions options;
  if (request.labels > 0) options.labels = request.labels;
  options.relations = request.relations;
  options.merged = privacy.structure().vertices_merge;
  if (privacy.model() == PrivacyModel::kCombinations) {
    if (!options.labels) options.labels = privacy.m;
    if (!options.relations) options.relations = privacy.n;
  }
  options.negative = request.negative;
  options.trials = request.trials.value_or(AffordableVictims(records, options.labels.has_value()));
  options.seed = request.seed;
  return options;
}

SimilarityOutcome::Against AgainstOf(const LevelsLearned& learned) {
  return {learned.values, learned.known_share(), learned.mean_certainty(), learned.worst_certainty,
          learned.people_share()};
}

Result<std::vector<SimilarityOutcome>> PlaySimilarity(const Pair& pair) {
  THICKET_ASSIGN(const LevelsForAssessment levels, FindLevels(pair.original.data, pair.published));
  const LevelKnowledge before = LearnLevels(pair.original, levels.original);
  const LevelKnowledge after = LearnLevels(pair.published, levels.published);
  const Schema& schema = pair.original.schema();
  std::vector<SimilarityOutcome> outcomes;
  for (size_t id = 0; id < before.size(); ++id) {
    for (size_t i = 0; i < before[id].size(); ++i) {
      const std::string& name = schema.classes[id].sensitive[i].name;
      const LevelsForAssessment::Source& source = levels.sources[id][i];
      outcomes.push_back({schema.PathOf(static_cast<ClassId>(id), name), source.how,
                          source.by_default, before[id][i].guess(), AgainstOf(before[id][i]),
                          AgainstOf(after[id][i])});
    }
  }
  return outcomes;
}

Status CheckAttack(const Policy& policy, const AttackRequest& request, bool linked) {
  THICKET_TRY(CheckBagAttack(policy, request, linked));
  if (request.absent && !AreSets(*policy.schema)) {
    return Error{ErrorCode::kUsage,
                 "--absent: must be of records that are sets, a root above one class of items, but "
                 "these are not",
                 "choose --negative for other records", ""};
  }
  if (PublishesSets(policy) && (request.relations || request.negative)) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("{}: must be left out for {}, whose records are sets, but is there",
                    request.relations ? "--relations" : "--negative", policy.privacy.model_name()),
        "say what is known by --labels and --absent", ""};
  }
  return {};
}

Result<AttackSummary> AttackPair(const LoadedPolicy& policy, const Pair& pair,
                                 const Certificate& certificate, const AttackRequest& request,
                                 Progress& progress) {
  const Policy& rules = policy.content().policy;
  AttackSummary summary;
  summary.warnings = WarningsOf(pair.published);
  AddFindings(pair.published, summary.warnings);
  if (rules.privacy.of_bags) {
    std::optional<std::span<const RecordId>> original_of;
    if (certificate) original_of = *certificate;
    THICKET_TRY(PlayOnBags(policy.content(), pair.original, pair.published, original_of, request,
                           progress, summary));
    return summary;
  }
  if (!PublishesSets(rules)) {
    const AttackOptions options =
        OptionsOf(request, rules.privacy, pair.original.forest().record_count());
    THICKET_ASSIGN(const AttackReport report,
                   Attack(pair.original, pair.published, options, progress));
    const size_t records = pair.original.forest().record_count();
    if (!request.trials && options.trials > 0 && options.trials < records) {
      summary.warnings.push_back(fmt::format(
          "{} of {} people, drawn at random, were looked for: what is worst is worst among these; "
          "--trials 0 looks for everybody",
          WithCommas(options.trials), WithCommas(records)));
    }
    for (const AttackReport::Entry& entry : report.entries) {
      summary.outcomes.push_back({KnowledgeText(entry.knowledge, options),
                                  AgainstOf(entry.original), AgainstOf(entry.published)});
    }
  }
  if (PublishesSets(rules) || request.absent) {
    THICKET_TRY(PlayOnSets(rules, pair.original, pair.published, request, progress, summary));
  }
  if (request.similar) {
    THICKET_ASSIGN(summary.similarity, PlaySimilarity(pair));
  }
  return summary;
}

Result<AttackSummary> AttackFileNow(const LoadedPolicy& policy, const std::string& published,
                                    const std::string& original, const std::string& link,
                                    const AttackRequest& request, Progress& progress) {
  THICKET_TRY(CheckAttack(policy.content().policy, request, !link.empty()));
  THICKET_TRY(CheckLink(link, original));
  THICKET_TRY(CheckFiles(policy.content().policy, published, original, link));
  THICKET_ASSIGN(const Pair pair, ReadPair(policy, published, original, progress));
  Certificate certificate;
  if (!link.empty()) {
    THICKET_ASSIGN(certificate, ReadLink(link, pair.published.forest.record_count(),
                                         pair.original.forest().record_count(), progress));
  }
  return AttackPair(policy, pair, certificate, request, progress);
}

}  // namespace

Result<AttackSummary> AttackFile(const LoadedPolicy& policy, const std::string& published,
                                 const std::string& original, const AttackRequest& request,
                                 Progress& progress, const std::string& link) {
  return Supervised(progress, [&] {
    return AttackFileNow(policy, published, original, link, request, progress);
  });
}

Result<AttackSummary> AttackRecords(const LoadedPolicy& policy, const RecordSet& published,
                                    const RecordSet& original, const AttackRequest& request,
                                    Progress& progress, const RecordLink* link) {
  return Supervised(progress, [&]() -> Result<AttackSummary> {
    THICKET_TRY(CheckAttack(policy.content().policy, request, link != nullptr));
    THICKET_ASSIGN(const Pair pair, PairOf(policy, published, original));
    Certificate certificate;
    if (link != nullptr) {
      THICKET_TRY(CheckRecordLink(*link, pair.published.forest, pair.original.forest()));
      certificate = *link;
    }
    return AttackPair(policy, pair, certificate, request, progress);
  });
}

}  // namespace thicket
