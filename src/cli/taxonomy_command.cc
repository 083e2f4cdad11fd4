#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "engine/taxonomies.h"

namespace thicket {

namespace {

struct TaxonomyFlags {
  std::vector<std::string> files;
  size_t lines = 40;
  std::string values;
  std::string output;
  BuildTaxonomyRequest how;
  uint64_t max_memory = 0;
};

Result<int> Check(const TaxonomyFlags& flags) {
  CommandProgress progress(/*quiet=*/true, flags.max_memory);
  for (const std::string& file : flags.files) {
    THICKET_ASSIGN(const TaxonomySummary taxonomy, CheckTaxonomyFile(file, progress));
    THICKET_TRY(Print(fmt::format(
        "{}: a good taxonomy of {} {} and {} nodes, {} {} above the leaves\n", file,
        WithCommas(taxonomy.leaves), taxonomy.leaves == 1 ? "leaf" : "leaves",
        WithCommas(taxonomy.nodes), taxonomy.levels, taxonomy.levels == 1 ? "level" : "levels")));
  }
  return 0;
}

Result<int> ShowTaxonomy(const TaxonomyFlags& flags) {
  CommandProgress progress(/*quiet=*/true, flags.max_memory);
  THICKET_ASSIGN(const std::string picture,
                 ShowTaxonomyFile(flags.files.front(), flags.lines, progress));
  THICKET_TRY(Print(picture));
  return 0;
}

Result<int> Build(const TaxonomyFlags& flags) {
  CommandProgress progress(/*quiet=*/true, flags.max_memory);
  THICKET_TRY(BuildTaxonomyFile(flags.values, flags.output, flags.how, progress));
  return 0;
}

}  // namespace

void AddTaxonomyCommand(CLI::App& program, Invocation& invocation) {
  auto flags = std::make_shared<TaxonomyFlags>();
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
  show->callback(
      [flags, &invocation] { invocation.run = [flags] { return ShowTaxonomy(*flags); }; });

  CLI::App* build =
      command->add_subcommand("build", "Make a taxonomy from values, one per line, or from sets");
  build
      ->add_option("VALUES", flags->values,
                   "A file with one value per line, with --order with one set per line; - is "
                   "standard input")
      ->required();
  build->add_option("-o,--output", flags->output, "The taxonomy file; - is standard output")
      ->required();
  build->add_option("--ranges", flags->how.ranges, "Nested intervals of these widths, as 5,10,20")
      ->delimiter(',')
      ->allow_extra_args(false);
  build->add_option("--mask", flags->how.mask, "Mask up to N characters from the right")
      ->check(WholeNumber(1, 1000));
  build->add_option("--date", flags->how.date, "Of day,month,quarter,year,decade")
      ->delimiter(',')
      ->allow_extra_args(false);
  build
      ->add_option("--fanout", flags->how.fanout,
                   "Groups of N neighbours in order, and groups of groups: a draft to edit")
      ->check(WholeNumber(2, 1000000));
  build->add_option(
      "--order", flags->how.order,
      "With --fanout, which items of sets stand together: given (neighbours), random, "
      "or together (those that appear with the same others: loses least)");
  build->add_option("--delimiter", flags->how.delimiter,
                    "With --order, the character between the items of a set, instead of blanks");
  build->add_option("--seed", flags->how.seed, "The same seed gives the same random order")
      ->check(WholeNumber(0));
  AddMaxMemory(*build, flags->max_memory);
  build->footer(
      "\nExample:\n  jq -r .zip people.jsonl | thicket taxonomy build - --mask 5 -o zip.csv\n"
      "  thicket taxonomy build baskets.txt --fanout 4 --order together -o item.csv\n");
  build->callback([flags, &invocation] { invocation.run = [flags] { return Build(*flags); }; });
}

}  // namespace thicket
