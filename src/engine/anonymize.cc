#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "base/phase.h"
#include "base/random.h"
#include "base/supervised.h"
#include "base/text.h"
#include "engine/content.h"
#include "engine/cut_method.h"
#include "engine/diversity_forecast.h"
#include "engine/levels_of_dataset.h"
#include "engine/method.h"
#include "engine/output_name.h"
#include "engine/prepare_bags.h"
#include "engine/record_content.h"
#include "engine/records.h"
#include "engine/single_values.h"
#include "engine/table_content.h"
#include "engine/tables.h"
#include "engine/thicket.h"
#include "grouping/sibling_order.h"
#include "io/arrow/arrow_writer.h"
#include "io/dataset_io.h"
#include "io/documents.h"
#include "io/file/atomic_file.h"
#include "io/file/commit.h"
#include "io/file/file_plan.h"
#include "io/file/source.h"
#include "io/link_file.h"
#include "io/outgoing_reader.h"
#include "io/taxonomy_io.h"
#include "io/wordnet/wordnet_reader.h"
#include "policy/policy_tree.h"
#include "privacy/levels_of_data.h"
#include "record/fold_warnings.h"
#include "record/unknown_values.h"
#include "taxonomy/taxonomy_file.h"
#include "taxonomy/taxonomy_tree.h"
#include "utility/cut_lm.h"
#include "utility/lm.h"
#include "utility/set_loss.h"
#include "verify/bag_truth.h"
#include "verify/owners.h"
#include "verify/table_scheme.h"
#include "verify/truthful.h"
#include "verify/verify.h"

namespace thicket {

namespace {

class Stopwatch {
 public:
  // Seconds since the last call, or since the start.
  double Lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Error PromiseBroken(const std::string& what) {
  return {ErrorCode::kPromise,
          "the check of the finished output failed, so nothing was published: " + what,
          "this is a defect of thicket; please report it with the policy", ""};
}

// One run from the data as it was read to published data that has passed its checks. The caller writes Records(), reads
// them back and hands them to Check().
class Run {
 public:
  Run(const LoadedPolicy::Content& content, const RunOptions& options, Progress& progress)
      : content_(content), options_(options), progress_(progress), parallel_(options.threads) {}

  Status Anonymize(Dataset data) {
    report_.seconds.read = watch_.Lap();
    const Policy& policy = content_.policy;
    THICKET_TRY(PrepareBags(content_, data));
    data = LeaveOutUnknown(std::move(data), content_.taxonomies);
    report_.seed = options_.seed;
    report_.method = DescribeMethod(policy.method);
    const LabelCount labels = CountLabels(*policy.schema, data.forest);
    report_.input = {std::string(FormatName(policy.input.format)), data.forest.record_count(),
                     data.forest.vertex_count(), labels.labels, labels.absent};
    DescribeTaxonomies();
    for (const Warning& warning : data.warnings) Warn(warning.message);
    for (const Warning& warning : FoldWarnings(data)) Warn(warning.message);
    THICKET_TRY(CheckSize(data.forest.record_count()));
    if (!policy.privacy.has_classes() && options_.with_class) {
      return Error{
          ErrorCode::kUsage,
          fmt::format("--with-class must be absent for {}, which has no classes of records, "
                      "but is there",
                      policy.privacy.model_name()),
          "leave it out", ""};
    }

    THICKET_ASSIGN(encoded_, Encode(std::move(data), content_.taxonomies));
    if (policy.privacy.alpha) {
      THICKET_ASSIGN(const LevelsReport levels, DescribeLevels(policy, encoded_.data));
      for (const std::string& warning : levels.warnings) Warn(warning);
      THICKET_TRY(ApplyLevels(encoded_));
    }
    // Without either no value is too frequent, and levels have been looked at.
    if (policy.privacy.l || policy.privacy.theta) {
      for (const std::string& warning :
           ForecastWarnings(policy, ForecastDiversity(policy, encoded_))) {
        Warn(warning);
      }
    }
    THICKET_TRY(ApplyMethod());
    Shuffle();
    report_.seconds.anonymize = watch_.Lap();
    return {};
  }

  // Valid as long as the run.
  std::unique_ptr<OutgoingRecords> Records() const {
    return std::make_unique<PublicationRecords>(encoded_, published_, order_);
  }
  WriteOptions HowToWrite() const { return {.with_class = options_.with_class}; }

  // `published`: what was written, read back.
  Status Check(const Dataset& published) {
    report_.seconds.write += watch_.Lap();
    const Policy& policy = content_.policy;
    THICKET_ASSIGN(const Verdict verdict,
                   VerifyPublished(*policy.schema, policy.privacy, content_.taxonomies, published,
                                   &encoded_.data, options_.threads, content_.networks));
    for (const std::string& warning : verdict.warnings) Warn(warning);
    if (!verdict.holds) {
      return PromiseBroken(verdict.violations.empty() ? "it holds no records"
                                                      : verdict.violations.shown().front().message);
    }
    THICKET_TRY(CheckTableScheme(published));
    const std::vector<RecordId> certificate = Certificate();
    THICKET_ASSIGN(const LmReport loss, Measure(published, certificate));
    THICKET_TRY(CheckTruth(published, certificate));
    const OwnersVerdict owners =
        VerifyOwners(policy.privacy, published, encoded_.data, certificate);
    if (!owners.holds) return PromiseBroken(owners.violations.shown().front().message);
    for (const std::string& warning : SingleValueWarnings(encoded_.data, published)) Warn(warning);
    Fill(verdict, loss);
    report_.seconds.verify = watch_.Lap();
    if (options_.peak_memory) report_.peak_rss_bytes = options_.peak_memory();
    return {};
  }

  const Report& report() const { return report_; }

  // For the report, and for whoever gets an error instead of it.
  void Warn(const std::string& warning) {
    report_.warnings.push_back(warning);
    progress_.Warn(warning);
  }

  // By record as it is written: the original that it stands for.
  std::vector<RecordId> Certificate() const {
    std::vector<RecordId> certificate;
    certificate.reserve(order_.size());
    for (const uint32_t number : order_) certificate.push_back(published_.record(number));
    return certificate;
  }
  // Where the caller asked for it, and empty otherwise.
  RecordLink Link() {
    report_.output.link = options_.link;
    return options_.link ? Certificate() : RecordLink();
  }

 private:
  Result<LmReport> Measure(const Dataset& published, std::span<const RecordId> certificate) {
    if (bag_loss_) return LossOfBags();
    if (!report_.sets) return MeasureLm(encoded_, published, published_.rearranged());
    THICKET_ASSIGN(SetLoss loss, MeasureSetLoss(encoded_, published, certificate));
    report_.sets->ncp = loss.ncp();
    return std::move(loss.lm);
  }

  // bLM is that of what the method paired; nothing of it shows in published data.
  LmReport LossOfBags() const {
    const Schema& schema = *content_.policy.schema;
    LmReport report;
    static_cast<LossCount&>(report) = *bag_loss_;
    for (const VertexClass& of : schema.classes) {
      ClassLoss& loss = report.classes.emplace_back();
      loss.name = of.name;
      if (of.quasi.empty()) continue;
      static_cast<LossCount&>(loss) = *bag_loss_;
      static_cast<LossCount&>(loss.attributes.emplace_back()) = *bag_loss_;
      loss.attributes.back().name = of.quasi.front().name;
    }
    return report;
  }

  Status CheckTruth(const Dataset& published, std::span<const RecordId> certificate) {
    const Policy& policy = content_.policy;
    if (policy.privacy.epsilon) return CheckNearness(published, certificate);
    THICKET_ASSIGN(const TruthVerdict truth,
                   VerifyTruthful(*policy.schema, policy.privacy, content_.taxonomies, published,
                                  encoded_.data, certificate));
    if (truth.holds) return {};
    return PromiseBroken(truth.violations.empty() ? "a record is not truthful"
                                                  : truth.violations.shown().front().message);
  }

  // In the place of truth, where terms may be replaced by others nearby.
  Status CheckNearness(const Dataset& published, std::span<const RecordId> certificate) {
    const Policy& policy = content_.policy;
    THICKET_ASSIGN(const BagTruth truth,
                   VerifyBagTruth(*policy.schema, policy.privacy, content_.taxonomies,
                                  content_.networks, published, encoded_.data, certificate));
    if (!truth.holds) {
      return PromiseBroken(truth.violations.empty() ? "a term is too far from what it stands for"
                                                    : truth.violations.shown().front().message);
    }
    report_.bags->substituted = truth.substituted;
    report_.bags->steps = truth.steps;
    report_.bags->most_steps = truth.most_steps;
    return {};
  }

  // Tables that one cut recodes: that it was one, and that the scheme of suppression was followed.
  Status CheckTableScheme(const Dataset& published) {
    if (!RowOf(content_.policy.method).flat || !report_.cut) return {};
    std::vector<std::vector<std::string>> cut;
    for (const Report::Cut::Attribute& attribute : report_.cut->attributes) {
      cut.push_back(attribute.labels);
    }
    THICKET_ASSIGN(const TableVerdict verdict, VerifyTable(content_.policy, content_.taxonomies,
                                                           published, &encoded_.data, cut));
    for (const std::string& warning : verdict.warnings) Warn(warning);
    if (verdict.holds) return {};
    return PromiseBroken(verdict.violations.shown().front().message);
  }

  // Those that say how they were built.
  void DescribeTaxonomies() {
    const Schema& schema = *content_.policy.schema;
    for (size_t id = 0; id < schema.classes.size(); ++id) {
      for (const QuasiAttribute& attribute : schema.classes[id].quasi) {
        const Taxonomy* taxonomy = FindTaxonomy(content_.taxonomies, attribute);
        if (taxonomy == nullptr || !taxonomy->origin()) continue;
        const TaxonomyOrigin& origin = *taxonomy->origin();
        report_.taxonomies.push_back({schema.PathOf(static_cast<ClassId>(id), attribute.name),
                                      std::string(ItemOrderName(origin.order)), origin.fanout,
                                      origin.seed});
      }
    }
  }

  Random NewRandom() const {
    if (options_.seed) return Random::Seeded(*options_.seed);
    return options_.random ? Random::From(options_.random) : Random::Secure();
  }

  Status ApplyMethod() {
    const MethodOptions how = {options_.exhaustive,
                               options_.seed ? *options_.seed : NewRandom().Next(),
                               &content_.networks};
    THICKET_ASSIGN(MethodResult result,
                   RunMethod(content_.policy, how, encoded_, parallel_, progress_));
    published_ = std::move(result.published);
    report_.search = result.search;
    report_.utility.at_least = result.at_least;
    report_.output.costly_leftovers = result.costly_leftovers;
    report_.cut = std::move(result.cut);
    report_.sets = result.sets;
    report_.bags = result.bags;
    bag_loss_ = result.bag_loss;
    for (const std::string& warning : result.warnings) Warn(warning);
    return {};
  }

  Status CheckSize(size_t records) const {
    const PrivacyPolicy& privacy = content_.policy.privacy;
    if (privacy.theta && !privacy.k) {
      if (records > 0) return {};
      return Error{ErrorCode::kPromise,
                   "theta needs at least 1 record, but there is none; nothing was published",
                   "publish some records", ""};
    }
    if (privacy.of_sets && records == 0) {
      return Error{
          ErrorCode::kPromise,
          fmt::format("{} needs at least 1 record, but there is none; nothing was published",
                      privacy.model_name()),
          "publish some records", ""};
    }
    const int needed =
        privacy.theta || privacy.of_sets ? privacy.k.value_or(1) : privacy.class_size();
    if (records >= static_cast<size_t>(needed)) return {};
    const bool by_k = privacy.k.value_or(0) == needed;
    return Error{
        ErrorCode::kPromise,
        fmt::format("{} = {} needs at least {} records, but there {} {}; nothing was published",
                    by_k ? "k" : "l", needed, needed, records == 1 ? "is" : "are", records),
        fmt::format("lower {} in the policy, or publish more records together", by_k ? "k" : "l"),
        ""};
  }

  // Neither records nor siblings stand in the order of the input afterwards.
  void Shuffle() {
    order_.resize(published_.record_count());
    std::iota(order_.begin(), order_.end(), uint32_t{0});
    Random random = NewRandom();
    random.Shuffle(order_);
    const DiversityRule rule = RuleOf(content_.policy.privacy);
    std::vector<bool> mixed(published_.tree_count(), false);
    for (const uint32_t number : order_) {
      StopPoint();
      const uint32_t tree = published_.PlaceOf(number).tree;
      if (mixed[tree]) continue;
      mixed[tree] = true;
      MixEqualSiblings(encoded_, rule, random, published_, tree);
    }
  }

  void Fill(const Verdict& verdict, const LmReport& loss) {
    report_.output.records = verdict.records;
    report_.output.vertices = verdict.vertices;
    report_.output.classes = verdict.classes;
    report_.output.smallest_class = verdict.smallest_class;
    report_.output.median_class = verdict.median_class;
    report_.output.largest_class = verdict.largest_class;
    report_.output.suppressed_records = report_.input.records - verdict.records;
    report_.output.suppressed_vertices = published_.SuppressedVertices(encoded_.forest());
    // Of sets every occurrence is in some label, or was left out.
    if (report_.sets) {
      report_.output.suppressed_vertices = report_.output.suppressed_records + loss.suppressed;
    }
    // Which of its own items a set of a part stands for nobody counts.
    if (published_.rearranged() && report_.cut) {
      report_.output.merged_vertices = published_.merged_vertices();
    }
    report_.output.suppressed_values = verdict.suppressed_values;
    report_.output.generalized_labels = loss.generalized;
    report_.guarantee = {std::string(content_.policy.privacy.model_name()),
                         verdict.k,
                         verdict.l,
                         true,
                         !report_.bags || !report_.bags->substitutes,
                         verdict.alpha,
                         content_.policy.privacy.m,
                         content_.policy.privacy.n,
                         content_.policy.privacy.negative,
                         content_.policy.privacy.of_sets,
                         verdict.share_at_place,
                         verdict.share_anywhere,
                         verdict.alpha_anywhere};
    if (const std::optional<ThetaPolicy>& theta = content_.policy.privacy.theta) {
      report_.guarantee.theta = {theta->otherwise.ToDouble(), theta->values.size(),
                                 theta->from_frequency, verdict.share_of_theta};
    }
    report_.guarantee.epsilon = content_.policy.privacy.epsilon;
    report_.utility.lm = loss.lm();
    for (size_t id = 0; id < loss.classes.size(); ++id) {
      for (const AttributeLoss& attribute : loss.classes[id].attributes) {
        report_.utility.attributes.push_back(
            {content_.policy.schema->PathOf(static_cast<ClassId>(id), attribute.name),
             attribute.lm()});
      }
    }
  }

  const LoadedPolicy::Content& content_;
  const RunOptions& options_;
  Progress& progress_;
  Parallel parallel_;
  Stopwatch watch_;
  EncodedDataset encoded_;
  Publication published_;
  std::optional<LossCount> bag_loss_;
  // The numbers of the published records as they are written.
  std::vector<uint32_t> order_;
  Report report_;
};

// Documents of a folder stay documents of a folder, unless JSON Lines are asked for.
bool BecomesDocuments(const Policy& policy, const std::string& input, const std::string& output) {
  return HoldsDocuments(policy.input.format, input) &&
         FormatOfFile(policy.input.format, output) == policy.input.format;
}

FilePlan PlanFiles(const Policy& policy, const std::string& input, const Paths& paths) {
  FilePlan files;
  files.ReadData(policy, input, "the input");
  files.ReadPolicy(policy);
  files.WriteData(policy.input.format, paths.output, "the output",
                  BecomesDocuments(policy, input, paths.output));
  files.Write(paths.report, "the report");
  files.Write(paths.link, "the link");
  return files;
}

// Where a format publishes to: a file, a folder, or a schema.
Result<OutputPlace> PlaceOf(const Policy& policy, const std::string& input, const Paths& paths,
                            const Progress& progress) {
  const bool postgresql = policy.input.format == Format::kPostgresql;
  if (postgresql && paths.into.empty()) {
    return ErrorAt(ErrorCode::kUsage, {.file = policy.file},
                   "data of a PostgreSQL server must go into a new schema of it, but "
                   "none is named",
                   "give --into SCHEMA instead of -o");
  }
  if (!postgresql && !paths.into.empty()) {
    return ErrorAt(ErrorCode::kUsage, {.file = policy.file},
                   fmt::format("--into must name a schema of a PostgreSQL server, but the format "
                               "is {}",
                               FormatName(policy.input.format)),
                   "give -o instead");
  }
  if (postgresql && !paths.output.empty()) {
    return Error{ErrorCode::kUsage, "-o must be absent where --into names a schema, but is there",
                 "leave -o out", ""};
  }
  if (paths.output == "-" && !IsStream(policy.input.format)) {
    return Error{ErrorCode::kUsage,
                 fmt::format("-o must be a path for format {}, but is standard output",
                             FormatName(policy.input.format)),
                 "give -o PATH", ""};
  }
  const bool documents = HoldsDocuments(policy.input.format, input);
  if (documents && paths.output == "-") {
    return Error{ErrorCode::kUsage,
                 "-o must be a folder for documents that are files of their own, but is standard "
                 "output",
                 policy.input.format == Format::kJson ? "give -o FOLDER, or -o FILE.jsonl"
                                                      : "give -o FOLDER",
                 ""};
  }
  return OutputPlace{.path = postgresql ? paths.input : paths.output,
                     .schema = paths.into,
                     .mask = progress.file_mask(),
                     .documents = documents};
}

}  // namespace

std::string LoadedPolicy::InputPath() const {
  const Policy& policy = content_->policy;
  if (policy.input.format == Format::kPostgresql) {
    // An empty URL leaves everything to the PG* variables.
    return policy.input.path.empty() ? "postgresql://" : policy.input.path;
  }
  return policy.input.path.empty() ? "" : policy.Resolve(policy.input.path);
}

Result<std::string> InputOf(const LoadedPolicy& policy, const std::string& given,
                            std::string hint) {
  std::string input = given.empty() ? policy.InputPath() : given;
  if (!input.empty()) return input;
  return ErrorAt(ErrorCode::kUsage, {.file = policy.content().policy.file},
                 "the policy must name an input, but does not", std::move(hint));
}

namespace {

// Supervised where somebody asks; else by whoever supervises the caller.
template <typename Load>
Result<LoadedPolicy> LoadFor(Progress* progress, const Load& load) {
  return progress != nullptr ? Supervised(*progress, load) : load();
}

Result<TaxonomyFiles> ParseTaxonomies(const PolicyParts& parts) {
  TaxonomyFiles taxonomies;
  if (parts.taxonomies.empty()) return taxonomies;
  Phase phase("taxonomies", parts.taxonomies.size());
  for (const auto& [name, taxonomy] : parts.taxonomies) {
    THICKET_ASSIGN(Taxonomy tree, taxonomy.kind() == ValueTree::Kind::kString
                                      ? ParseTaxonomy(taxonomy.text(), name)
                                      : ReadTaxonomyTree(taxonomy, name));
    taxonomies.emplace(name, std::move(tree));
    phase.Advance();
  }
  return taxonomies;
}

Result<LoadedPolicy> WithTaxonomies(Policy policy, const PolicyParts& parts,
                                    const Progress* progress) {
  auto content = std::make_shared<LoadedPolicy::Content>();
  content->policy = std::move(policy);
  THICKET_ASSIGN(TaxonomyFiles given, ParseTaxonomies(parts));
  THICKET_ASSIGN(content->taxonomies,
                 TakeTaxonomies(content->policy, std::move(given), parts.read_files, progress));
  THICKET_ASSIGN(content->networks, LoadNetworks(content->policy, progress));
  return LoadedPolicy(std::move(content));
}

}  // namespace

Result<LoadedPolicy> LoadPolicy(const std::string& path, Progress* progress) {
  return LoadFor(progress, [&]() -> Result<LoadedPolicy> {
    THICKET_ASSIGN(
        const std::string text,
        ReadAll(path, {.what = "a policy", .most = kLongestPolicy, .progress = progress}));
    auto content = std::make_shared<LoadedPolicy::Content>();
    THICKET_ASSIGN(content->policy, ParsePolicy(text, path));
    THICKET_ASSIGN(content->taxonomies, LoadTaxonomies(content->policy, progress));
    THICKET_ASSIGN(content->networks, LoadNetworks(content->policy, progress));
    return LoadedPolicy(std::move(content));
  });
}

Result<LoadedPolicy> LoadPolicyText(std::string_view yaml, const PolicyParts& parts,
                                    Progress* progress) {
  return LoadFor(progress, [&]() -> Result<LoadedPolicy> {
    THICKET_ASSIGN(Policy policy, ParsePolicy(yaml, parts.name));
    return WithTaxonomies(std::move(policy), parts, progress);
  });
}

Result<LoadedPolicy> LoadPolicyTree(const ValueTree& tree, const PolicyParts& parts,
                                    Progress* progress) {
  return LoadFor(progress, [&]() -> Result<LoadedPolicy> {
    THICKET_ASSIGN(Policy policy, ReadPolicyTree(tree, parts.name));
    return WithTaxonomies(std::move(policy), parts, progress);
  });
}

namespace {

Result<AnonymizedText> AnonymizeTextNow(const LoadedPolicy& policy, std::string_view records,
                                        const RunOptions& options, Progress& progress) {
  const Policy& rules = policy.content().policy;
  Run run(policy.content(), options, progress);
  THICKET_ASSIGN(Dataset data,
                 ReadDatasetText(rules, records, "records", ReadAs::kOriginal, progress));
  THICKET_TRY(run.Anonymize(std::move(data)));
  AnonymizedText result;
  const std::unique_ptr<OutgoingRecords> outgoing = run.Records();
  THICKET_TRY(WriteRecords(rules, *outgoing, run.HowToWrite(), [&](std::string_view bytes) {
    result.data.append(bytes);
    return Status();
  }));
  THICKET_ASSIGN(const Dataset published, ReadDatasetText(rules, result.data, "published records",
                                                          ReadAs::kPublished, progress));
  THICKET_TRY(run.Check(published));
  result.link = run.Link();
  result.report = run.report();
  return result;
}

Result<AnonymizedRecords> AnonymizeRecordsNow(const LoadedPolicy& policy, RecordSet original,
                                              const RunOptions& options, Progress& progress) {
  const Policy& rules = policy.content().policy;
  THICKET_TRY(MustBe(policy, original, RecordsAs::kOriginal));
  Run run(policy.content(), options, progress);
  {
    const std::shared_ptr<RecordSet::Content> content = std::move(original).Take();
    // Somebody else may still read what is not copied.
    THICKET_TRY(run.Anonymize(content.use_count() == 1 ? std::move(content->data)
                                                       : Dataset(content->data)));
  }
  const std::unique_ptr<OutgoingRecords> outgoing = run.Records();
  THICKET_ASSIGN(Dataset published,
                 ReadOutgoing(rules, *outgoing, run.HowToWrite(), "published records", progress));
  THICKET_TRY(run.Check(published));
  if (progress.cancelled()) return Interrupted();
  RecordLink link = run.Link();
  return AnonymizedRecords{MakeRecordSet(std::move(published), RecordsAs::kPublished), run.report(),
                           std::move(link)};
}

Result<AnonymizedTable> AnonymizeTableNow(const LoadedPolicy& policy, RecordSet original,
                                          const ArrowTable* like, const RunOptions& options,
                                          Progress& progress) {
  const Policy& rules = policy.content().policy;
  THICKET_TRY(MustBe(policy, original, RecordsAs::kOriginal));
  Run run(policy.content(), options, progress);
  {
    const std::shared_ptr<RecordSet::Content> content = std::move(original).Take();
    THICKET_TRY(run.Anonymize(content.use_count() == 1 ? std::move(content->data)
                                                       : Dataset(content->data)));
  }
  const std::unique_ptr<OutgoingRecords> outgoing = run.Records();
  THICKET_ASSIGN(ArrowTable table, WriteArrow(rules, *outgoing, run.HowToWrite(), like));
  THICKET_ASSIGN(const Dataset again,
                 ReadTableAs(rules, table, ReadAs::kPublished, "published table", progress));
  THICKET_TRY(run.Check(again));
  if (progress.cancelled()) return Interrupted();
  RecordLink link = run.Link();
  return AnonymizedTable{std::move(table), run.report(), std::move(link)};
}

// None where no path is given.
Result<std::unique_ptr<AtomicFile>> PrivateFile(const std::string& path, const Progress& progress) {
  if (path.empty()) return std::unique_ptr<AtomicFile>();
  return AtomicFile::Create(path, 0600 & ~progress.file_mask());
}

Result<Report> AnonymizeFileNow(const LoadedPolicy& policy, const Paths& paths,
                                const RunOptions& options, Progress& progress) {
  const Policy& rules = policy.content().policy;
  THICKET_ASSIGN(const std::string input, InputOf(policy, paths.input));
  if (paths.report == "-") {
    return Error{ErrorCode::kUsage,
                 "--report must be a file of its own, since it is private, but is standard output",
                 "give --report a file, or --json to print it", ""};
  }
  if (paths.link == "-") {
    return Error{ErrorCode::kUsage,
                 "--link must be a file of its own, since it is private, but is standard output",
                 "give --link a file", ""};
  }
  const FilePlan files = PlanFiles(rules, input, paths);
  THICKET_TRY(files.Check());
  // Before the work, so that a place that cannot be used is found out at once.
  THICKET_ASSIGN(const OutputPlace place, PlaceOf(rules, input, paths, progress));
  THICKET_ASSIGN(const auto output, DataTarget::Create(rules, place));
  THICKET_ASSIGN(const auto link, PrivateFile(paths.link, progress));
  THICKET_ASSIGN(const auto report, PrivateFile(paths.report, progress));
  Run run(policy.content(), options, progress);
  for (const std::string& warning : NameWarnings(rules.input.format, paths.output)) {
    run.Warn(warning);
  }
  THICKET_ASSIGN(Dataset data, ReadDataset(rules, input, ReadAs::kOriginal, progress));
  THICKET_TRY(run.Anonymize(std::move(data)));

  const std::unique_ptr<OutgoingRecords> records = run.Records();
  THICKET_TRY(output->Write(*records, run.HowToWrite(), progress));
  THICKET_ASSIGN(const Dataset published, output->ReadBack(progress));
  THICKET_TRY(run.Check(published));
  if (progress.cancelled()) return Interrupted();
  Report result = run.report();
  result.output.replaced = output->Replaces();
  result.output.link = link != nullptr;
  if (link) THICKET_TRY(WriteLink(*link, run.Certificate()));
  if (report) THICKET_TRY(report->Write(result.ToJson()));
  AtomicFile* const descriptions[] = {link.get(), report.get()};
  THICKET_TRY(CommitBehind(descriptions, *output, files));
  return result;
}

}  // namespace

Result<AnonymizedText> AnonymizeText(const LoadedPolicy& policy, std::string_view records,
                                     const RunOptions& options, Progress& progress) {
  return Supervised(progress, [&] { return AnonymizeTextNow(policy, records, options, progress); });
}

Result<AnonymizedRecords> AnonymizeRecords(const LoadedPolicy& policy, RecordSet original,
                                           const RunOptions& options, Progress& progress) {
  return Supervised(progress, [&] {
    return AnonymizeRecordsNow(policy, std::move(original), options, progress);
  });
}

Result<AnonymizedTable> AnonymizeTable(const LoadedPolicy& policy, RecordSet original,
                                       const ArrowTable* like, const RunOptions& options,
                                       Progress& progress) {
  return Supervised(progress, [&] {
    return AnonymizeTableNow(policy, std::move(original), like, options, progress);
  });
}

Result<Report> AnonymizeFile(const LoadedPolicy& policy, const Paths& paths,
                             const RunOptions& options, Progress& progress) {
  return Supervised(progress, [&] { return AnonymizeFileNow(policy, paths, options, progress); });
}

}  // namespace thicket
