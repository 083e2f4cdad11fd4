// Several promises side by side: what each of them would cost, and what it would leave to an adversary.
//
//   ExploreOptions options;
//   options.k = {2, 3, 5, 10};
//   options.l = {2, 3};                                              // every k with every l: 8 settings
//   THICKET_ASSIGN(Frontier frontier, ExploreFile(policy, "students.jsonl", options, progress));
//   for (const FrontierPoint& point : frontier.points) {
//     if (point.unbeaten) Use(point.k, point.l, *point.lm);
//   }
//   frontier.ToText();
//
// The data is read once. For every setting the policy's method runs with this k and l in the place of the policy's,
// what it would publish is checked in memory exactly as a run checks its output, and only then measured: the numbers
// are those that `anonymize`, `evaluate` and `attack` give with the same seed. A promise that cannot be kept is a point
// without numbers that says why. Nothing is published, and nothing leaves but numbers.
//
// A setting beats another if it promises at least as much (no k and no l is lower) and loses no more (LM), and is
// better in one of the two. Those that no other one beats are the frontier: whoever chooses another one gives something
// away. Accuracy and what an adversary finds stand beside, and decide nothing.
//
// As much work as a run, an evaluation and an attack for every setting.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/records.h"
#include "engine/thicket.h"

namespace thicket {

struct ExploreOptions {
  // The settings are all pairs of a k and an l, in any order. An empty list stands for what the policy says, which may
  // be nothing; not both may be empty. What the policy's model or method does not take is a kUsage error that says why.
  std::vector<int> k = {};
  std::vector<int> l = {};
  // Of the runs, the queries and the victims: the same for all settings.
  uint64_t seed = 1;
  // 0: as many as the process may use. The numbers do not depend on it.
  int threads = 0;
  // How many counts are asked of each setting (utility/queries.h).
  uint64_t query_count = 1000;
  // How many people the adversary looks for; 0: everybody.
  uint64_t trials = 0;
  // Where explore.csv, .json, .md and .svg go, readable by their owner only; created if it is missing. Empty: nowhere.
  // Where no promise can be kept, nothing is written.
  std::string directory = {};
};

// How an adversary fares against data (engine/assess.h has more of it).
struct AdversarySuccess {
  // The share of people who are found for certain; and how likely a person is found, on average and at worst.
  double found_share = 0;
  double mean_probability = 0;
  double worst_probability = 0;
  // How surely a sensitive value is known, at worst: at its place; and anywhere in a person's record, where that can be
  // asked. Absent where nothing is sensitive.
  std::optional<double> worst_certainty = {};
  std::optional<double> worst_certainty_anywhere = {};
};

struct FrontierPoint {
  // What is promised; absent where the promise has no such number.
  std::optional<int> k = {};
  std::optional<int> l = {};
  // Whether what would be published has passed the check. If not, `failure` says why, and there are no numbers.
  bool kept = false;
  std::string failure = {};
  // Whether no other setting beats this one.
  bool unbeaten = false;

  // The loss: 0 if nothing is lost, 1 if everything is.
  std::optional<double> lm = {};
  std::optional<uint64_t> suppressed_records = {};
  std::optional<uint64_t> suppressed_vertices = {};
  // Classes of look-alikes; absent where the model has none.
  std::optional<uint64_t> classes = {};
  // Of counting queries, 1 where all are answered exactly: the mean, in which no query is below 0, the mean as the
  // paper has it, and the median. Absent where labels may be moved or merged, so that nobody can count.
  std::optional<double> accuracy = {};
  std::optional<double> accuracy_mean = {};
  std::optional<double> accuracy_median = {};
  std::optional<AdversarySuccess> adversary = {};
  // Of a run without reading: the only number that differs from time to time.
  std::optional<double> seconds = {};

  // "k = 5, l = 2".
  std::string Name() const;
};

struct Frontier {
  std::string model;
  std::string method;
  uint64_t seed = 0;
  uint64_t records = 0;
  uint64_t vertices = 0;
  // How many counts were asked; 0 where none can be.
  uint64_t queries = 0;
  // What the adversary knows about a person, and how far that leads with the original; absent where no setting can be
  // kept.
  std::string knowledge;
  std::optional<AdversarySuccess> original = {};
  // By k, then by l, weakest first.
  std::vector<FrontierPoint> points;
  std::vector<std::string> warnings;

  // Whether some setting can be kept.
  bool any_kept() const;
  std::string ToJson() const;
  // A table for people.
  std::string ToText() const;
  // The same as files: without times, so that the same seed gives the same bytes.
  std::string ToCsv() const;
  std::string ToMarkdown() const;
  std::string ToSvg() const;
};

// Whether `one` promises at least as much as `other` at no greater loss, and is better in one of the two. What is not
// kept beats nothing, and is not beaten.
bool Beats(const FrontierPoint& one, const FrontierPoint& other);
// Sets `unbeaten` of all points, which may come from several frontiers: of two methods, for example.
void MarkUnbeaten(std::vector<FrontierPoint>& points);

// `input` may be empty: the policy's.
Result<Frontier> ExploreFile(const LoadedPolicy& policy, const std::string& input,
                             const ExploreOptions& options, Progress& progress);
// The same for original records in memory.
Result<Frontier> ExploreRecords(const LoadedPolicy& policy, const RecordSet& original,
                                const ExploreOptions& options, Progress& progress);

}  // namespace thicket
