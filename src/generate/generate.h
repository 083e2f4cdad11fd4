// Synthetic data sets of the papers' shape, each with a policy and taxonomies, ready for `thicket
// anonymize`.
//
// Real student records cannot be handed around, so experiments, examples and tests run on these. They follow the
// descriptions of the data in section 6 of Ozalp et al. 2016, section V of Nergiz et al. 2008 (electives), section 5
// of Wang et al. 2018 (grades, evaluations), section IV of Gkountouna et al. 2013 (customers) and chapters 3 to 5 of
// Liu 2010 (patients-table, census; baskets, baskets-table; querylog, querylog-table):
//
//   students       syntheticS: (major, birth year | GPA) -> courses (code | grade) -> books (title)
//   college-years  syntheticT: the same, with the college year between student and course
//   transcripts    like `real`: (birth year | GPA) -> courses (code | grade), sparse and skewed
//   electives      (| GPA) -> five to seven courses (name | grade) -> a book (title)
//   grades         dataset A: (major, birth year | GPA) -> courses (code | grade), with levels of sensitivity
//   evaluations    dataset B: the same, and below each course one or two teachers (name | score)
//   enrolments     an open university: (region, ..., credits) -> modules (code, presentation | result) -> assessments
//                  (type, day, weight | score), up to a hundred below a student
//   customers      TPC-H: (nation) -> orders (price, date) -> items (quantity, manufacturer, brand)
//   patients-table   Table 3.1: ten rows (education, country | disease), always the same
//   census           of Adult's shape: rows (age, education, ..., race | occupation), and a class of income
//   census-variants  the same, widened as in Section 3.6.3.4
//   census-repeated  the same again and again with noise, and all nine columns are quasi-identifiers
//   baskets          of BMS-POS's shape: sets of items, one per line
//   baskets-table    Table 4.1: five sets with sensitive items, always the same
//   querylog         of AOL's shape: queries of users with interests, in words of WordNet, which must be installed
//   querylog-table   Fig. 5.1: the queries of five users, always the same
//
//   THICKET_TRY(Generate("students", 1000, 7, "demo", progress));
//   // demo/students.jsonl, demo/policy.yaml, demo/taxonomies/{major,course,book}.csv
//
//   THICKET_ASSIGN(GeneratedText demo, GenerateText("students", 1000, 7, progress));   // without a folder
//   THICKET_ASSIGN(LoadedPolicy policy, LoadPolicyText(demo.policy, {.taxonomies = demo.taxonomies}));
//   THICKET_ASSIGN(RecordSet students, ParseRecords(policy, demo.data, RecordsAs::kOriginal, progress));
//
// Records are drawn and written one after the other: time is linear in n, memory constant. The same
// name, n and seed give the same bytes, and a larger n only appends records.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "base/value_tree.h"

namespace thicket {

inline constexpr uint64_t kFewestGenerated = 10;
inline constexpr uint64_t kMostGenerated = 10'000'000;

std::vector<std::string> GeneratorNames();

// One sentence on what the generator makes, for --help; empty for an unknown name.
std::string_view GeneratorSummary(std::string_view name);

// How many records the paper's data set has: 1000, 3162 for transcripts, 28,785 for enrolments, 250,000 for customers, 10 for patients-table,
// 45,222 for census, a million for census-variants and census-repeated, half a million for baskets, 5 for baskets-table, two million for
// querylog, 13 for querylog-table; 0 for an unknown name. A record of a query log is a query, whose clicks are rows.
uint64_t DefaultGenerated(std::string_view name);

// What the file with the records is called: NAME.jsonl, of a flat table NAME.csv, of sets NAME.txt, of a query log
// NAME.tsv; empty for an unknown name.
std::string GeneratedFile(std::string_view name);

// Writes GeneratedFile(name), policy.yaml and taxonomies/*.csv into `directory`, which is created if it is missing.
// The files appear when all of them are complete. An unknown name, an n out of range or any n but its own for
// patients-table, baskets-table and querylog-table is a kUsage error; querylog is a kIo error where WordNet is not
// installed.
Status Generate(std::string_view name, uint64_t n, uint64_t seed, const std::string& directory,
                Progress& progress);

// What Generate() writes, in memory.
struct GeneratedText {
  // YAML.
  std::string policy;
  // As PolicyParts (engine/thicket.h) has them: by what the policy says after `taxonomy:`.
  std::map<std::string, ValueTree> taxonomies;
  // Those that the policy does not name, but could, by what it would say: of querylog the tree of its words, which
  // some methods need.
  std::map<std::string, ValueTree> other_taxonomies = {};
  // The records in the policy's format.
  std::string data;
};

Result<GeneratedText> GenerateText(std::string_view name, uint64_t n, uint64_t seed,
                                   Progress& progress);

}  // namespace thicket
