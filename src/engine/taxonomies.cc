#include "engine/taxonomies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/phase.h"
#include "base/random.h"
#include "base/stop.h"
#include "base/supervised.h"
#include "base/text.h"
#include "io/file/atomic_file.h"
#include "io/file/file_plan.h"
#include "io/file/source.h"
#include "io/file/temporary.h"
#include "io/sets_of_items_io.h"
#include "io/taxonomy_io.h"
#include "taxonomy/balanced.h"
#include "taxonomy/recoding.h"
#include "taxonomy/taxonomy_file.h"
#include "taxonomy/taxonomy_origin.h"
#include "taxonomy/together.h"

namespace thicket {

namespace {

TaxonomySummary SummaryOf(const Taxonomy& taxonomy) {
  uint32_t height = 0;
  for (Node node = taxonomy.first_leaf(); node < taxonomy.node_count(); ++node) {
    height = std::max(height, taxonomy.depth(node));
  }
  return {taxonomy.leaf_count(), taxonomy.node_count(), height};
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

Result<Recoding> RecodingOf(const BuildTaxonomyRequest& request) {
  Recoding recoding;
  if (!request.ranges.empty()) {
    recoding.kind = Recoding::Kind::kRanges;
    for (const double asked : request.ranges) {
      const Decimal width = asked;
      if (!std::isfinite(asked) || width <= Decimal() ||
          (!recoding.widths.empty() &&
           (width <= recoding.widths.back() || width.FloorTo(recoding.widths.back()) != width))) {
        return Error{ErrorCode::kUsage,
                     "--ranges: widths must be positive and each a multiple of the one before", "",
                     ""};
      }
      recoding.widths.push_back(width);
    }
  } else if (request.mask > 0) {
    recoding.kind = Recoding::Kind::kMask;
    recoding.mask = request.mask;
  } else {
    recoding.kind = Recoding::Kind::kDate;
    for (const std::string& name : request.date) {
      THICKET_ASSIGN(const DateUnit unit, ParseDateUnit(name));
      if (!recoding.units.empty() && unit <= recoding.units.back()) {
        return Error{ErrorCode::kUsage, "--date: units must go from fine to coarse", "", ""};
      }
      recoding.units.push_back(unit);
    }
  }
  return recoding;
}

Status MustChooseOne(const BuildTaxonomyRequest& request) {
  const int chosen = (request.ranges.empty() ? 0 : 1) + (request.mask > 0 ? 1 : 0) +
                     (request.date.empty() ? 0 : 1) + (request.fanout > 0 ? 1 : 0);
  if (chosen == 1) return {};
  return Error{ErrorCode::kUsage, "exactly one of --ranges, --mask, --date, --fanout must be given",
               "see thicket taxonomy build --help", ""};
}

}  // namespace

Result<TaxonomySummary> CheckTaxonomyFile(const std::string& path, Progress& progress) {
  return Supervised(progress, [&]() -> Result<TaxonomySummary> {
    const Phase phase("taxonomies", 1);
    THICKET_ASSIGN(const Taxonomy taxonomy, LoadTaxonomy(path, &progress));
    return SummaryOf(taxonomy);
  });
}

Result<TaxonomySummary> CheckTaxonomyText(std::string_view text, const std::string& name) {
  THICKET_ASSIGN(const Taxonomy taxonomy, ParseTaxonomy(text, name));
  return SummaryOf(taxonomy);
}

Result<std::string> ShowTaxonomyFile(const std::string& path, size_t lines, Progress& progress) {
  return Supervised(progress, [&]() -> Result<std::string> {
    const Phase phase("taxonomies", 1);
    THICKET_ASSIGN(const Taxonomy taxonomy, LoadTaxonomy(path, &progress));
    return ShowTaxonomy(taxonomy, lines);
  });
}

Result<std::string> ShowTaxonomyText(std::string_view text, const std::string& name, size_t lines) {
  THICKET_ASSIGN(const Taxonomy taxonomy, ParseTaxonomy(text, name));
  return ShowTaxonomy(taxonomy, lines);
}

namespace {

// Of --order: sets, or a list, which is sets of one item.
Result<Taxonomy> BuildFromSets(std::string_view text, const std::string& name,
                               const BuildTaxonomyRequest& request) {
  if (request.order.empty()) {
    return Error{ErrorCode::kUsage, "--seed and --delimiter must come with --order, but do not",
                 "say how the items of sets stand together, for example --order together", ""};
  }
  const std::optional<ItemOrder> order = ParseItemOrder(request.order);
  if (!order) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("--order: must be given, random or together, but is '{}'", request.order),
        "together loses least", ""};
  }
  if (request.fanout == 0) {
    return Error{ErrorCode::kUsage, "--order must come with --fanout, but does not",
                 "say how many items make a group, for example --fanout 4", ""};
  }
  if (request.seed && *order != ItemOrder::kRandom) {
    return Error{ErrorCode::kUsage, "--seed must come with --order random, but does not",
                 "leave it out: nothing else is drawn", ""};
  }
  if (request.delimiter.size() > 1) {
    return Error{ErrorCode::kUsage, "--delimiter: must be one character, but is not",
                 "leave it out where blanks stand between items", ""};
  }
  Progress progress;
  const std::unique_ptr<Source> source = Source::FromText(text);
  THICKET_ASSIGN(SetsOfItems sets,
                 ReadSetsOfItems(*source, name,
                                 request.delimiter.empty() ? 0 : request.delimiter[0], progress));
  if (sets.items.empty()) {
    return ErrorAt(ErrorCode::kData, {.file = name}, "must hold items, but every set is empty",
                   "check that it is the right file");
  }
  const TaxonomyOrigin origin = {request.fanout, *order, request.seed};
  Taxonomy taxonomy;
  switch (*order) {
    case ItemOrder::kGiven:
      taxonomy = BalancedTaxonomy(std::move(sets.items), request.fanout);
      break;
    case ItemOrder::kRandom: {
      Random random = request.seed ? Random::Seeded(*request.seed) : Random::Secure();
      taxonomy = RandomTaxonomy(std::move(sets.items), request.fanout, random);
      break;
    }
    case ItemOrder::kTogether:
      taxonomy = TogetherTaxonomy(std::move(sets), request.fanout);
      break;
  }
  taxonomy.SetOrigin(origin);
  return taxonomy;
}

}  // namespace

Result<std::string> BuildTaxonomyText(std::string_view text, const std::string& name,
                                      const BuildTaxonomyRequest& request) {
  THICKET_TRY(MustChooseOne(request));
  if (!request.order.empty() || request.seed || !request.delimiter.empty()) {
    THICKET_ASSIGN(const Taxonomy taxonomy, BuildFromSets(text, name, request));
    return FormatTaxonomy(taxonomy);
  }
  std::vector<std::string> values;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view value = Trim(text.substr(begin, end - begin));
    if (!value.empty()) values.emplace_back(value);
    begin = end + 1;
  }
  if (values.empty() || !IsUtf8(text)) {
    return ErrorAt(ErrorCode::kData, {.file = name},
                   "must hold one value per line in UTF-8, but does not",
                   "jq -r or cut can list the values of an attribute");
  }
  if (request.fanout > 0) {
    Taxonomy taxonomy = BalancedTaxonomy(std::move(values), request.fanout);
    taxonomy.SetOrigin({request.fanout, ItemOrder::kGiven});
    return FormatTaxonomy(taxonomy);
  }
  THICKET_ASSIGN(const Recoding recoding, RecodingOf(request));
  for (size_t line = 0; line < values.size(); ++line) {
    StopPoint();
    if (FitsRecoding(recoding, values[line])) continue;
    return ErrorAt(ErrorCode::kData, {.file = name},
                   fmt::format("every value must be {}, but value {} is not",
                               RecodingExpectation(recoding), line + 1),
                   "mend it, or choose another way to build");
  }
  return FormatTaxonomy(DeriveTaxonomy(recoding, std::move(values)));
}

namespace {

Status BuildTaxonomyFileNow(const std::string& values, const std::string& output,
                            const BuildTaxonomyRequest& request, const Progress& progress) {
  THICKET_TRY(MustChooseOne(request));
  FilePlan plan;
  plan.Read(values, "the values");
  plan.Write(output, "the taxonomy");
  THICKET_TRY(plan.Check());
  THICKET_ASSIGN(const std::string text,
                 ReadAll(values, {.what = "a list of values", .progress = &progress}));
  std::string taxonomy;
  {
    const Phase phase("taxonomies", 1);
    THICKET_ASSIGN(taxonomy, BuildTaxonomyText(text, values, request));
  }
  const mode_t mode = request.order == ItemOrderName(ItemOrder::kTogether) ? 0600 : 0644;
  THICKET_ASSIGN(auto file, AtomicFile::Create(output, mode & ~progress.file_mask()));
  THICKET_TRY(file->Write(taxonomy));
  THICKET_TRY(file->Close());
  CommitScope commit;
  THICKET_TRY(file->Commit());
  commit.Done();
  return {};
}

}  // namespace

Status BuildTaxonomyFile(const std::string& values, const std::string& output,
                         const BuildTaxonomyRequest& request, Progress& progress) {
  return Supervised(progress,
                    [&] { return BuildTaxonomyFileNow(values, output, request, progress); });
}

}  // namespace thicket
