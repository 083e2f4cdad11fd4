#include "survey/survey.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "base/phase.h"
#include "base/text.h"
#include "io/csv/csv_rows.h"
#include "io/file/latin1.h"
#include "io/json/json_scan.h"
#include "survey/survey_formats.h"
#include "taxonomy/date.h"

namespace thicket {

namespace {

namespace fs = std::filesystem;

constexpr size_t kEnoughForSets = size_t{1} << 16;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

// How many digits the text ends with, if only letters stand before them; else 0.
size_t CodeDigits(std::string_view text) {
  size_t letters = 0;
  while (letters < text.size() && IsLetter(text[letters])) ++letters;
  const std::string_view rest = text.substr(letters);
  if (letters == 0 || !std::all_of(rest.begin(), rest.end(), IsDigit)) return 0;
  return rest.size();
}

bool IsDate(std::string_view text) { return text.size() >= 7 && ParseDate(text); }

// Formats that are told without a look at the content as text.
std::optional<Format> FormatOfStore(const std::string& path) {
  if (path == "-") return std::nullopt;
  if (path.starts_with("postgresql://") || path.starts_with("postgres://")) {
    return Format::kPostgresql;
  }
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return Format::kTables;
  if (!fs::exists(path, ignored)) {
    const bool connection = path.find('=') != std::string::npos;
    return connection ? std::optional(Format::kPostgresql) : std::nullopt;
  }
  // A SQLite file without tables is empty.
  const std::string extension = fs::path(path).extension().string();
  const bool named = extension == ".db" || extension == ".sqlite" || extension == ".sqlite3";
  if (named && fs::is_empty(path, ignored)) return Format::kSqlite;
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;
  static constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::array<char, kMagic.size()> start{};
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  if (std::string_view(start.data(), start.size()) == kMagic) return Format::kSqlite;
  return std::nullopt;
}

Format FormatOfText(std::string path, std::string_view content) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) path.resize(path.size() - packed.size());
  }
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".jsonl" || extension == ".ndjson") return Format::kJsonl;
  if (extension == ".csv" || extension == ".tsv") return Format::kCsv;
  if (extension == ".xml") return Format::kXml;
  const std::string_view text = Trim(content);
  if (text.empty()) return Format::kJsonl;
  if (text.front() == '<') return Format::kXml;
  if (text.front() == '[') return Format::kJson;
  if (text.front() != '{') return extension == ".json" ? Format::kJson : Format::kCsv;
  // One object per line, if the first line is one and something follows; one object alone is a document.
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) return extension == ".json" ? Format::kJson : Format::kJsonl;
  return FindJsonFault(Trim(text.substr(0, end))) ? Format::kJson : Format::kJsonl;
}

Status SurveyStream(SurveyInput& input, const std::string& path, Survey& survey) {
  // The first line decides about the format; a source may hand out a few bytes at first. XML may be one long line.
  const auto decided = [&] {
    const std::string_view text = Trim(input.window.text());
    return text.starts_with('<') || text.find('\n') != std::string_view::npos;
  };
  while (input.more && !decided()) THICKET_TRY(input.Fill());
  if (input.window.text().starts_with(kByteOrderMark)) input.window.Drop(kByteOrderMark.size());
  survey.format = FormatOfText(path, input.window.text());
  if (survey.format == Format::kCsv && IsQuerylog(input.window.text())) {
    survey.format = Format::kQuerylog;
  } else if (survey.format == Format::kCsv) {
    // Sets are told from a table by many lines.
    while (input.more && input.window.text().size() < kEnoughForSets) THICKET_TRY(input.Fill());
    if (const std::optional<char> delimiter = FindSets(input.window.text())) {
      survey.format = Format::kTransactions;
      survey.sets.delimiter = *delimiter;
    }
  }
  switch (survey.format) {
    case Format::kCsv:
      return SurveyCsv(input, survey);
    case Format::kXml:
      return SurveyXml(input, survey);
    case Format::kTransactions:
      return SurveySets(input, survey);
    case Format::kQuerylog:
      return SurveyQuerylog(input, survey);
    case Format::kJson:
      return SurveyJson(input, survey);
    default:
      return SurveyJsonl(input, survey);
  }
}

}  // namespace

void AttributeSurvey::Add(std::string_view text, uint64_t record) {
  ++present;
  if (holders_.size() >= kMostCounted) return;
  ++counted_;
  const uint64_t hash = Hash(text);
  const auto [found, added] = holders_.try_emplace(hash);
  forms.Add(text, hash, added);
  Holder& holder = found->second;
  ++holder.vertices;
  if (!added) {
    if (holder.record == record) return;
    holder.record = record;
    holder.several = true;
    ++held_;
    return;
  }
  holder.record = record;
  ++held_;
  if (!IsPlaceholder(text)) Examine(text);
  identifiers_.Add(text);
  if (listed()) {
    values_.emplace_back(text);
  } else {
    values_.clear();
  }
}

uint64_t AttributeSurvey::singles() const {
  return static_cast<uint64_t>(std::count_if(holders_.begin(), holders_.end(),
                                             [](const auto& one) { return !one.second.several; }));
}

double AttributeSurvey::greatest_share() const {
  uint64_t most = 0;
  for (const auto& [hash, holder] : holders_) most = std::max(most, holder.vertices);
  return counted_ == 0 ? 0 : static_cast<double>(most) / static_cast<double>(counted_);
}

void AttributeSurvey::Examine(std::string_view text) {
  const bool first = !std::exchange(examined_, true);
  const std::optional<double> number = ParseNumber(text);
  numbers = numbers && number.has_value();
  integers = integers && number && *number == std::floor(*number);
  if (number) {
    least = first ? *number : std::min(least, *number);
    greatest = first ? *number : std::max(greatest, *number);
  }
  digits = digits && !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
  leading_zero = leading_zero || (text.size() > 1 && text.front() == '0' && IsDigit(text[1]));
  star = star || text == "*";
  shortest = first ? text.size() : std::min(shortest, text.size());
  longest = std::max(longest, text.size());
  dates = dates && IsDate(text);
  const size_t code_digits = CodeDigits(text);
  codes = codes && code_digits >= 2;
  least_digits = first ? code_digits : std::min(least_digits, code_digits);
}

void AttributeSurvey::Settle(char decimal) {
  const ValueForms::Numbers of_numbers = forms.numbers(decimal);
  const std::optional<std::string> format = forms.date_format();
  // Eight digits may be either, and so many dates are none by chance.
  dates = format.has_value();
  numbers = of_numbers.fits && !dates;
  integers = numbers && of_numbers.integers;
  least = of_numbers.least;
  greatest = of_numbers.greatest;
  odd = dates ? forms.odd_dates() : numbers ? of_numbers.odd : 0;
}

AttributeSurvey& ClassSurvey::Attribute(std::string_view name) {
  for (const auto& attribute : attributes) {
    if (attribute->name == name) return *attribute;
  }
  attributes.push_back(std::make_unique<AttributeSurvey>(name));
  return *attributes.back();
}

ClassSurvey& ClassSurvey::Child(std::string_view name) {
  for (const auto& child : children) {
    if (child->key == name) return *child;
  }
  children.push_back(std::make_unique<ClassSurvey>());
  children.back()->key = name;
  return *children.back();
}

void ClassSurvey::MeetNull(std::string_view name) {
  if (std::find(nulls.begin(), nulls.end(), name) == nulls.end()) nulls.emplace_back(name);
}

void ClassSurvey::MeetLength(uint64_t length) {
  if (length == 0) return;
  shortest = shortest == 0 ? length : std::min(shortest, length);
  longest = std::max(longest, length);
}

bool ClassSurvey::AreTuples() const {
  constexpr uint64_t kLongestTuple = 3;
  constexpr uint64_t kFewestTuples = 2;
  return plain && !objects && !odd && shortest == longest && shortest > 1 &&
         longest <= kLongestTuple && vertices >= kFewestTuples * longest &&
         attributes.size() == 1 && attributes.front()->numbers;
}

bool ClassSurvey::HasAttribute(std::string_view name) const {
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const auto& attribute) { return attribute->name == name; });
}

bool ClassSurvey::HasChild(std::string_view name) const {
  return std::any_of(children.begin(), children.end(),
                     [&](const auto& child) { return child->key == name; });
}

const TableJoins::Second* TableJoins::FindSecond(std::string_view column) const {
  for (const Second& second : seconds) {
    if (second.column == column) return &second;
  }
  return nullptr;
}

namespace {

Result<Survey> SurveySource(Source& source, const std::string& path, const SurveyOptions& options,
                            TextEncoding encoding = TextEncoding::kUtf8) {
  Survey survey;
  survey.encoding = encoding;
  Progress own;
  Latin1Source decoded(source);
  const bool latin1 = encoding == TextEncoding::kLatin1;
  SurveyInput input(path, latin1 ? static_cast<Source&>(decoded) : source,
                    options.progress != nullptr ? *options.progress : own);
  const Phase phase("read", source.stored_bytes());
  THICKET_TRY(SurveyStream(input, path, survey));
  THICKET_TRY(FinishSurvey(input.name(), survey));
  return survey;
}

// Whether CSV was read as UTF-8 and is none.
bool MayBeLatin1(const Error& error) { return error.hint == kMayBeLatin1; }

}  // namespace

namespace {

template <typename Visit>
void ForEachAttribute(ClassSurvey& of_class, const Visit& visit) {
  for (const auto& attribute : of_class.attributes) visit(*attribute);
  for (const auto& child : of_class.children) ForEachAttribute(*child, visit);
}

// Decides what nearly all values of each attribute are, once all of them are known.
void SettleForms(Survey& survey) {
  if (survey.format == Format::kCsv || survey.format == Format::kTables) {
    bool commas = false;
    bool points = false;
    ForEachAttribute(survey.root, [&](const AttributeSurvey& attribute) {
      commas = commas || attribute.forms.has_commas();
      points = points || (attribute.forms.numbers('.').fits && attribute.forms.has_points());
    });
    survey.decimal = commas && !points ? ',' : '.';
  }
  ForEachAttribute(survey.root,
                   [&](AttributeSurvey& attribute) { attribute.Settle(survey.decimal); });
}

}  // namespace

Status FinishSurvey(const std::string& name, Survey& survey) {
  if (survey.records == 0) {
    return ErrorAt(ErrorCode::kData, {.file = name}, "must hold records, but holds none", "");
  }
  // What --with-class adds is no attribute of the data, and no policy may name it.
  auto& attributes = survey.root.attributes;
  attributes.erase(
      std::remove_if(attributes.begin(), attributes.end(),
                     [](const auto& attribute) { return attribute->name == kClassKey; }),
      attributes.end());
  SettleForms(survey);
  return {};
}

Result<Survey> SurveyData(const std::string& path, const SurveyOptions& options) {
  if (const auto format = FindDocumentFormat(path)) return SurveyDocuments(*format, path, options);
  if (const auto format = FormatOfStore(path)) {
    Survey survey;
    survey.format = *format;
    Status status = SurveyTables(path, options, survey);
    if (!status.ok() && MayBeLatin1(status.error())) {
      survey = Survey();
      survey.format = *format;
      survey.encoding = TextEncoding::kLatin1;
      status = SurveyTables(path, options, survey);
    }
    THICKET_TRY(std::move(status));
    SettleForms(survey);
    return survey;
  }
  THICKET_ASSIGN(const std::unique_ptr<Source> source, Source::Open(path));
  Result<Survey> survey = SurveySource(*source, path, options);
  // What comes through a pipe cannot be read again.
  if (survey.ok() || !MayBeLatin1(survey.error()) || path == "-") return survey;
  THICKET_ASSIGN(const std::unique_ptr<Source> again, Source::Open(path));
  return SurveySource(*again, path, options, TextEncoding::kLatin1);
}

Result<Survey> SurveyText(std::string_view text, const std::string& name,
                          const SurveyOptions& options) {
  const std::unique_ptr<Source> source = Source::FromText(text);
  return SurveySource(*source, name, options);
}

}  // namespace thicket
