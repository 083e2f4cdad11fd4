// Taxonomies by themselves, from files or text: `thicket taxonomy`.
//
//   THICKET_ASSIGN(TaxonomySummary summary, CheckTaxonomyFile("course.csv", progress));
//   THICKET_ASSIGN(std::string picture, ShowTaxonomyText("CS305;CS3**;CS;*\n", "course", 40));
//   THICKET_ASSIGN(std::string csv, BuildTaxonomyText("10115\n10117\n", "zip", {.mask = 5}));
//
// A taxonomy is CSV with one line per leaf, leaf first, or one of Amnesia's formats; docs/formats.md describes them. What is
// wrong with one is a kUsage error with its line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

namespace thicket {

struct TaxonomySummary {
  uint64_t leaves = 0;
  uint64_t nodes = 0;
  // Above the leaves, at most.
  uint64_t levels = 0;
};

Result<TaxonomySummary> CheckTaxonomyFile(const std::string& path, Progress& progress);
// `name` is what messages call the text, here and below.
Result<TaxonomySummary> CheckTaxonomyText(std::string_view text, const std::string& name);

// An indented tree of at most `lines` lines; 0 is all of it.
Result<std::string> ShowTaxonomyFile(const std::string& path, size_t lines, Progress& progress);
Result<std::string> ShowTaxonomyText(std::string_view text, const std::string& name, size_t lines);

// How to put values together: exactly one of these.
struct BuildTaxonomyRequest {
  // Widths of nested intervals.
  std::vector<double> ranges = {};
  // How many characters are masked at most, from the right.
  int mask = 0;
  // Of day, month, quarter, year and decade, from fine to coarse.
  std::vector<std::string> date = {};
  // How many neighbours make a group.
  size_t fanout = 0;

  // With fanout: "given", "random" or "together" (taxonomy/taxonomy_origin.h). Then the text is sets, one per line, items
  // separated by blanks as in transactions; a list of values is the case of one item per line. Empty: values, one per line, as given.
  std::string order = {};
  // Of a random order; none: from the system's secure random source.
  std::optional<uint64_t> seed = {};
  // With order: the character between the items of a set; empty: blanks.
  std::string delimiter = {};
};

// From values, one per line, or sets; CSV. What was built with fanout says so in its first line, and the report of a run that uses the
// taxonomy says so, too.
Result<std::string> BuildTaxonomyText(std::string_view values, const std::string& name,
                                      const BuildTaxonomyRequest& request);
// Reads the values from a file ("-" is standard input) and writes the taxonomy to another: for everybody to read, but for its owner
// alone where the order is "together", which is made from records.
Status BuildTaxonomyFile(const std::string& values, const std::string& output,
                         const BuildTaxonomyRequest& request, Progress& progress);

}  // namespace thicket
