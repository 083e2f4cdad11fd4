#include "engine/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/phase.h"
#include "base/silent_progress.h"
#include "base/supervised.h"
#include "base/text.h"
#include "engine/assess.h"
#include "engine/content.h"
#include "engine/record_content.h"
#include "io/file/file_plan.h"
#include "io/file/result_files.h"
#include "policy/policy_writer.h"

namespace thicket {

namespace {

constexpr size_t kMostSettings = 1000;

// A promise to be tried, and what is said of it.
struct Setting {
  PrivacyPolicy privacy;
  FrontierPoint point;
};

// The numbers that one key takes, weakest first; the policy's own where none are given.
Result<std::vector<std::optional<int>>> NumbersOf(const char* key, const std::vector<int>& given,
                                                  const std::optional<int>& own, int least) {
  std::vector<int> numbers = given;
  std::sort(numbers.begin(), numbers.end());
  if (!numbers.empty() && numbers.front() < least) {
    return Error{ErrorCode::kUsage,
                 fmt::format("explore: {} must be at least {} in every setting, but is {} in one",
                             key, least, numbers.front()),
                 "leave it out", ""};
  }
  const auto twice = std::adjacent_find(numbers.begin(), numbers.end());
  if (twice != numbers.end()) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("explore: every {} must be tried once, but {} is there twice", key, *twice),
        "leave one of them out", ""};
  }
  if (numbers.empty()) return std::vector<std::optional<int>>{own};
  return std::vector<std::optional<int>>(numbers.begin(), numbers.end());
}

// Whether the policy may promise this: its reader is asked, as if the file said so.
Result<PrivacyPolicy> PrivacyWith(const Policy& policy, const FrontierPoint& point) {
  Policy there = policy;
  there.privacy.k = point.k;
  there.privacy.l = point.l;
  const Result<Policy> read = ParsePolicy(FormatPolicy(there), policy.file);
  if (read.ok()) return read->privacy;
  // The line is one of a text that nobody has seen.
  const Error& error = read.error();
  const ErrorPlace place = {.file = policy.file, .path = error.place.path};
  const std::string before =
      ErrorPlace{.file = error.place.file, .line = error.place.line}.Text() + ": ";
  const std::string what =
      error.message.starts_with(before) ? error.message.substr(before.size()) : error.message;
  return Error{ErrorCode::kUsage, fmt::format("{}: with {}, {}", policy.file, point.Name(), what),
               error.hint, "", place};
}

Result<std::vector<Setting>> SettingsOf(const Policy& policy, const ExploreOptions& options) {
  if (options.k.empty() && options.l.empty()) {
    return Error{ErrorCode::kUsage, "explore: the settings must name k or l, but name neither",
                 "say which are to be compared: k of 2, 3, 5 and 10, l of 2 and 3", ""};
  }
  const int least = policy.privacy.of_sets ? 1 : 2;
  THICKET_ASSIGN(const auto all_k, NumbersOf("k", options.k, policy.privacy.k, least));
  THICKET_ASSIGN(const auto all_l, NumbersOf("l", options.l, policy.privacy.l, least));
  if (all_k.size() * all_l.size() > kMostSettings) {
    return Error{ErrorCode::kUsage,
                 fmt::format("explore: there must be at most {} settings, but there are {}",
                             WithCommas(kMostSettings), WithCommas(all_k.size() * all_l.size())),
                 "try fewer of them", ""};
  }
  std::vector<Setting> settings;
  for (const std::optional<int>& k : all_k) {
    for (const std::optional<int>& l : all_l) {
      Setting setting;
      setting.point.k = k;
      setting.point.l = l;
      THICKET_ASSIGN(setting.privacy, PrivacyWith(policy, setting.point));
      settings.push_back(std::move(setting));
    }
  }
  return settings;
}

bool HasSecrets(const Policy& policy) {
  return !policy.privacy.sensitive_items.empty() ||
         std::any_of(policy.schema->classes.begin(), policy.schema->classes.end(),
                     [](const VertexClass& of) { return !of.sensitive.empty(); });
}

// A row of a table says what "nothing was published" says.
std::string WhyNot(std::string message) {
  constexpr std::string_view kEnd = "; nothing was published";
  if (message.ends_with(kEnd)) message.resize(message.size() - kEnd.size());
  return message;
}

std::vector<std::string> FileNames() {
  return {"explore.csv", "explore.json", "explore.md", "explore.svg"};
}

class Explorer {
 public:
  Explorer(const LoadedPolicy& policy, std::vector<Setting> settings, const ExploreOptions& options,
           Progress& progress)
      : settings_(std::move(settings)),
        options_(options),
        progress_(progress),
        content_(std::make_shared<LoadedPolicy::Content>(policy.content())),
        has_secrets_(HasSecrets(policy.content().policy)) {}

  Result<Frontier> Run(const RecordSet& original) {
    const Policy& policy = content_->policy;
    frontier_.model = settings_.front().privacy.model_name();
    frontier_.method = policy.method.name;
    frontier_.seed = options_.seed;
    frontier_.records = original.size();
    frontier_.vertices = original.vertices();
    Phase phase("explore", kSteps * settings_.size());
    for (const Setting& setting : settings_) {
      content_->policy.privacy = setting.privacy;
      THICKET_ASSIGN(FrontierPoint point, Try(original, setting.point, phase));
      frontier_.points.push_back(std::move(point));
    }
    MarkUnbeaten(frontier_.points);
    SortWarnings();
    return std::move(frontier_);
  }

 private:
  // Anonymized and checked; asked; attacked.
  static constexpr uint64_t kSteps = 3;

  Result<FrontierPoint> Try(const RecordSet& original, FrontierPoint point, Phase& phase) {
    const LoadedPolicy policy(content_);
    SilentProgress part(progress_);
    const ProgressScope unseen(part);
    const bool of_bags = content_->policy.privacy.of_bags;
    const Result<AnonymizedRecords> run = AnonymizeRecords(
        policy, original, {.seed = options_.seed, .threads = options_.threads, .link = of_bags},
        part);
    Hear(run.ok() ? run->report.warnings : part.warnings());
    if (!run.ok()) {
      if (run.error().code != ErrorCode::kPromise) return run.error();
      point.failure = WhyNot(run.error().message);
      phase.Advance(kSteps);
      return point;
    }
    phase.Advance();
    const Report& report = run->report;
    if (!report.guarantee.verified) return Unverified();
    point.kept = true;
    point.lm = report.utility.lm;
    point.suppressed_records = report.output.suppressed_records;
    point.suppressed_vertices = report.output.suppressed_vertices;
    if (content_->policy.privacy.has_classes()) point.classes = report.output.classes;
    point.seconds = report.seconds.anonymize + report.seconds.write + report.seconds.verify;
    THICKET_TRY(Ask(policy, *run, original, part, point));
    phase.Advance();
    THICKET_TRY(Attack(policy, *run, original, part, point));
    phase.Advance();
    return point;
  }

  // AnonymizeRecords() hands out nothing that has not passed the check; no number depends on believing so.
  static Error Unverified() {
    return {ErrorCode::kPromise,
            "explore: what is measured must have passed the check, but has not",
            "this is a defect of thicket; please report it with the policy", ""};
  }

  Status Ask(const LoadedPolicy& policy, const AnonymizedRecords& run, const RecordSet& original,
             Progress& progress, FrontierPoint& point) {
    if (!UsualMetrics(policy).queries) return {};
    EvaluateOptions asked;
    asked.lm = false;
    asked.query_count = options_.query_count;
    asked.seed = options_.seed;
    asked.threads = options_.threads;
    THICKET_ASSIGN(const EvaluateReport report,
                   EvaluateRecords(policy, run.records, original, asked, progress));
    if (!report.queries || report.queries->count == 0) return {};
    frontier_.queries = report.queries->count;
    point.accuracy = report.queries->mean_bounded;
    point.accuracy_mean = report.queries->mean;
    point.accuracy_median = report.queries->median;
    return {};
  }

  Status Attack(const LoadedPolicy& policy, const AnonymizedRecords& run, const RecordSet& original,
                Progress& progress, FrontierPoint& point) {
    AttackRequest request;
    request.trials = options_.trials;
    request.seed = options_.seed;
    THICKET_ASSIGN(const AttackSummary summary,
                   AttackRecords(policy, run.records, original, request, progress,
                                 run.link.empty() ? nullptr : &run.link));
    if (summary.outcomes.empty()) return {};
    const AttackOutcome& outcome = summary.outcomes.front();
    frontier_.knowledge = outcome.knowledge;
    frontier_.original = SuccessOf(outcome.original);
    point.adversary = SuccessOf(outcome.published);
    return {};
  }

  AdversarySuccess SuccessOf(const AttackOutcome::Against& against) const {
    AdversarySuccess success = {against.found_share, against.mean_probability,
                                against.worst_probability};
    if (!has_secrets_) return success;
    success.worst_certainty = against.worst_certainty;
    success.worst_certainty_anywhere = against.worst_certainty_anywhere;
    return success;
  }

  void Hear(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) {
      const auto heard = std::find_if(heard_.begin(), heard_.end(),
                                      [&](const Heard& one) { return one.warning == warning; });
      if (heard == heard_.end()) {
        heard_.push_back({warning, frontier_.points.size()});
      } else {
        ++heard->more;
      }
    }
  }

  // What is said of all settings is said once; of some, with the first of them.
  void SortWarnings() {
    for (const Heard& one : heard_) {
      std::string warning = one.warning;
      if (one.more + 1 < frontier_.points.size()) {
        warning = fmt::format("{}{}: {}", frontier_.points[one.first].Name(),
                              one.more > 0 ? fmt::format(" and {} more", one.more) : "", warning);
      }
      progress_.Warn(warning);
      frontier_.warnings.push_back(std::move(warning));
    }
  }

  // A warning, and which settings it is about.
  struct Heard {
    std::string warning;
    size_t first = 0;
    size_t more = 0;
  };

  std::vector<Setting> settings_;
  const ExploreOptions& options_;
  Progress& progress_;
  // The policy, with the promise of the setting that is tried.
  std::shared_ptr<LoadedPolicy::Content> content_;
  bool has_secrets_;
  std::vector<Heard> heard_;
  Frontier frontier_;
};

Result<Frontier> Explore(const LoadedPolicy& policy, std::vector<Setting> settings,
                         const RecordSet& original, const ExploreOptions& options,
                         ResultFiles& files, const FilePlan& plan, Progress& progress) {
  THICKET_TRY(files.CreateFolder());
  THICKET_ASSIGN(Frontier frontier,
                 Explorer(policy, std::move(settings), options, progress).Run(original));
  if (progress.cancelled()) return Interrupted();
  if (options.directory.empty() || !frontier.any_kept()) return frontier;
  THICKET_TRY(
      files.Write({frontier.ToCsv(), frontier.ToJson(), frontier.ToMarkdown(), frontier.ToSvg()},
                  0600 & ~progress.file_mask(), plan));
  return frontier;
}

Result<Frontier> ExploreFileNow(const LoadedPolicy& policy, const std::string& input,
                                const ExploreOptions& options, Progress& progress) {
  const Policy& rules = policy.content().policy;
  THICKET_ASSIGN(std::vector<Setting> settings, SettingsOf(rules, options));
  THICKET_ASSIGN(const std::string path, InputOf(policy, input));
  FilePlan plan;
  plan.ReadPolicy(rules);
  plan.ReadData(rules, path, "the input");
  ResultFiles files(options.directory, FileNames());
  files.AddTo(plan);
  THICKET_TRY(plan.Check());
  THICKET_ASSIGN(const RecordSet original,
                 ReadRecords(policy, path, RecordsAs::kOriginal, progress));
  return Explore(policy, std::move(settings), original, options, files, plan, progress);
}

Result<Frontier> ExploreRecordsNow(const LoadedPolicy& policy, const RecordSet& original,
                                   const ExploreOptions& options, Progress& progress) {
  THICKET_TRY(MustBe(policy, original, RecordsAs::kOriginal));
  THICKET_ASSIGN(std::vector<Setting> settings, SettingsOf(policy.content().policy, options));
  FilePlan plan;
  ResultFiles files(options.directory, FileNames());
  files.AddTo(plan);
  THICKET_TRY(plan.Check());
  return Explore(policy, std::move(settings), original, options, files, plan, progress);
}

}  // namespace

bool Beats(const FrontierPoint& one, const FrontierPoint& other) {
  if (!one.kept || !other.kept || !one.lm || !other.lm) return false;
  const int k = one.k.value_or(1) - other.k.value_or(1);
  const int l = one.l.value_or(1) - other.l.value_or(1);
  if (k < 0 || l < 0 || *one.lm > *other.lm) return false;
  return k > 0 || l > 0 || *one.lm < *other.lm;
}

void MarkUnbeaten(std::vector<FrontierPoint>& points) {
  for (FrontierPoint& point : points) {
    point.unbeaten =
        point.kept && std::none_of(points.begin(), points.end(),
                                   [&](const FrontierPoint& other) { return Beats(other, point); });
  }
}

bool Frontier::any_kept() const {
  return std::any_of(points.begin(), points.end(),
                     [](const FrontierPoint& point) { return point.kept; });
}

Result<Frontier> ExploreFile(const LoadedPolicy& policy, const std::string& input,
                             const ExploreOptions& options, Progress& progress) {
  return Supervised(progress, [&] { return ExploreFileNow(policy, input, options, progress); });
}

Result<Frontier> ExploreRecords(const LoadedPolicy& policy, const RecordSet& original,
                                const ExploreOptions& options, Progress& progress) {
  return Supervised(progress,
                    [&] { return ExploreRecordsNow(policy, original, options, progress); });
}

}  // namespace thicket
