#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "io/file/atomic_file.h"
#include "io/file/file_plan.h"
#include "io/file/source.h"
#include "io/file/temporary.h"
#include "io/taxonomy_io.h"
#include "taxonomy/balanced.h"
#include "taxonomy/recoding.h"
#include "taxonomy/taxonomy_file.h"

namespace thicket {

namespace {

struct Flags {
  std::vector<std::string> files;
  size_t lines = 40;
  std::string values;
  std::string output;
  std::vector<double> ranges;
  int mask = 0;
  std::vector<std::string> date;
  size_t fanout = 0;
  uint64_t max_memory = 0;
};

Result<int> Check(const Flags& flags) {
  const CommandProgress progress(/*quiet=*/true, flags.max_memory);
  for (const std::string& file : flags.files) {
    THICKET_ASSIGN(const Taxonomy taxonomy, LoadTaxonomy(file, &progress));
    uint32_t height = 0;
    for (Node node = taxonomy.first_leaf(); node < taxonomy.node_count(); ++node) {
      height = std::max(height, taxonomy.depth(node));
    }
    THICKET_TRY(Print(fmt::format(
        "{}: a good taxonomy of {} {} and {} nodes, {} {} above the leaves\n", file,
        WithCommas(taxonomy.leaf_count()), taxonomy.leaf_count() == 1 ? "leaf" : "leaves",
        WithCommas(taxonomy.node_count()), height, height == 1 ? "level" : "levels")));
  }
  return 0;
}

Result<int> Show(const Flags& flags) {
  const CommandProgress progress(/*quiet=*/true, flags.max_memory);
  THICKET_ASSIGN(const Taxonomy taxonomy, LoadTaxonomy(flags.files.front(), &progress));
  THICKET_TRY(Print(ShowTaxonomy(taxonomy, flags.lines)));
  return 0;
}

Result<DateUnit> ParseDateUnit(const std::string& name) {
  const std::pair<const char*, DateUnit> units[] = {{"day", DateUnit::kDay},
                                                    {"month", DateUnit::kMonth},
                                                    {"quarter", DateUnit::kQuarter},
                                                    {"year", DateUnit::kYear},
                                                    {"decade", DateUnit::kDecade}};
  for (const auto& [known, unit] : units) {
    if (name == known) return unit;
  }
  return Error{ErrorCode::kUsage,
               "--date: must be of day, month, quarter, year, decade, but one is '" + name + "'",
               "", ""};
}

Result<Recoding> RecodingOf(const Flags& flags) {
  Recoding recoding;
  if (!flags.ranges.empty()) {
    recoding.kind = Recoding::Kind::kRanges;
    for (const double flag : flags.ranges) {
      const Decimal width = flag;
      if (!std::isfinite(flag) || width <= Decimal() ||
          (!recoding.widths.empty() &&
           (width <= recoding.widths.back() || width.FloorTo(recoding.widths.back()) != width))) {
        return Error{ErrorCode::kUsage,
                     "--ranges: widths must be positive and each a multiple of the one before", "",
                     ""};
      }
      recoding.widths.push_back(width);
    }
  } else if (flags.mask > 0) {
    recoding.kind = Recoding::Kind::kMask;
    recoding.mask = flags.mask;
  } else {
    recoding.kind = Recoding::Kind::kDate;
    for (const std::string& name : flags.date) {
      THICKET_ASSIGN(const DateUnit unit, ParseDateUnit(name));
      if (!recoding.units.empty() && unit <= recoding.units.back()) {
        return Error{ErrorCode::kUsage, "--date: units must go from fine to coarse", "", ""};
      }
      recoding.units.push_back(unit);
    }
  }
  return recoding;
}

Result<int> Build(const Flags& flags) {
  const int chosen = (flags.ranges.empty() ? 0 : 1) + (flags.mask > 0 ? 1 : 0) +
                     (flags.date.empty() ? 0 : 1) + (flags.fanout > 0 ? 1 : 0);
  if (chosen != 1) {
    return Error{ErrorCode::kUsage,
                 "exactly one of --ranges, --mask, --date, --fanout must be given",
                 "see thicket taxonomy build --help", ""};
  }
  const CommandProgress progress(/*quiet=*/true, flags.max_memory);
  FilePlan plan;
  plan.Read(flags.values, "the values");
  plan.Write(flags.output, "the taxonomy");
  THICKET_TRY(plan.Check());
  THICKET_ASSIGN(const std::string text,
                 ReadAll(flags.values, {.what = "a list of values", .progress = &progress}));
  std::vector<std::string> values;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view value = Trim(std::string_view(text).substr(begin, end - begin));
    if (!value.empty()) values.emplace_back(value);
    begin = end + 1;
  }
  if (values.empty() || !IsUtf8(text)) {
    return Error{ErrorCode::kData,
                 flags.values + ": must hold one value per line in UTF-8, but does not",
                 "jq -r or cut can list the values of an attribute", ""};
  }
  Taxonomy taxonomy;
  if (flags.fanout > 0) {
    taxonomy = BalancedTaxonomy(std::move(values), flags.fanout);
  } else {
    THICKET_ASSIGN(const Recoding recoding, RecodingOf(flags));
    for (size_t line = 0; line < values.size(); ++line) {
      if (!FitsRecoding(recoding, values[line])) {
        return Error{ErrorCode::kData,
                     fmt::format("{}: every value must be {}, but value {} is not", flags.values,
                                 RecodingExpectation(recoding), line + 1),
                     "mend it, or choose another way to build", ""};
      }
    }
    taxonomy = DeriveTaxonomy(recoding, std::move(values));
  }
  THICKET_ASSIGN(auto file, AtomicFile::Create(flags.output, 0644));
  THICKET_TRY(file->Write(FormatTaxonomy(taxonomy)));
  THICKET_TRY(file->Close());
  CommitScope commit;
  THICKET_TRY(file->Commit());
  commit.Done();
  return 0;
}

}  // namespace

void AddTaxonomyCommand(CLI::App& program, Invocation& invocation) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = program.add_subcommand("taxonomy", "Check, show or build a taxonomy file");
  command->require_subcommand(1);
  command->footer("\nExample:\n  thicket taxonomy check taxonomies/course.csv\n");

  CLI::App* check = command->add_subcommand("check", "Say whether taxonomy files are good");
  check->add_option("FILE", flags->files, "Taxonomy files, CSV or Amnesia's formats")->required();
  AddMaxMemory(*check, flags->max_memory);
  check->footer("\nExample:\n  thicket taxonomy check taxonomies/course.csv\n");
  check->callback([flags, &invocation] { invocation.run = [flags] { return Check(*flags); }; });

  CLI::App* show = command->add_subcommand("show", "Print a taxonomy as an indented tree");
  show->add_option("FILE", flags->files, "A taxonomy file")->required()->expected(1);
  show->add_option("--lines", flags->lines, "At most this many lines; 0 is all of it")
      ->check(WholeNumber(0));
  AddMaxMemory(*show, flags->max_memory);
  show->footer("\nExample:\n  thicket taxonomy show taxonomies/course.csv --lines 20\n");
  show->callback([flags, &invocation] { invocation.run = [flags] { return Show(*flags); }; });

  CLI::App* build = command->add_subcommand("build", "Make a taxonomy from values, one per line");
  build->add_option("VALUES", flags->values, "A file with one value per line; - is standard input")
      ->required();
  build->add_option("-o,--output", flags->output, "The taxonomy file; - is standard output")
      ->required();
  build->add_option("--ranges", flags->ranges, "Nested intervals of these widths, as 5,10,20")
      ->delimiter(',')
      ->allow_extra_args(false);
  build->add_option("--mask", flags->mask, "Mask up to N characters from the right")
      ->check(WholeNumber(1, 1000));
  build->add_option("--date", flags->date, "Of day,month,quarter,year,decade")
      ->delimiter(',')
      ->allow_extra_args(false);
  build
      ->add_option("--fanout", flags->fanout,
                   "Groups of N neighbours in order, and groups of groups: a draft to edit")
      ->check(WholeNumber(2, 1000000));
  AddMaxMemory(*build, flags->max_memory);
  build->footer(
      "\nExample:\n  jq -r .zip people.jsonl | thicket taxonomy build - --mask 5 -o zip.csv\n");
  build->callback([flags, &invocation] { invocation.run = [flags] { return Build(*flags); }; });
}

}  // namespace thicket
