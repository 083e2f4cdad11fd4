#include "engine/survey.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "base/text.h"
#include "io/csv_row.h"
#include "io/json_record.h"
#include "io/json_scan.h"
#include "io/source.h"
#include "io/window.h"
#include "policy/policy.h"
#include "taxonomy/recoding.h"

namespace thicket {

namespace {

using simdjson::SUCCESS;
using simdjson::ondemand::json_type;
using JsonValue = simdjson::ondemand::value;
using JsonObject = simdjson::ondemand::object;

// Data deeper than this is not described by hand.
constexpr size_t kDeepestSurveyed = 32;

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

bool IsDate(std::string_view text) {
  Recoding recoding;
  recoding.kind = Recoding::Kind::kDate;
  recoding.units = {DateUnit::kMonth};
  return text.size() >= 7 && FitsRecoding(recoding, text);
}

// Fills a Survey from parsed JSON. False means that the text is malformed.
class JsonSurveyor {
 public:
  bool Object(JsonObject object, ClassSurvey& into, size_t level) {
    ++into.vertices;
    into.objects = true;
    for (auto field : object) {
      std::string_view key;
      JsonValue value;
      if (field.unescaped_key().get(key) != SUCCESS || !JsonRecords::IsText(key)) return false;
      const std::string name(key);
      if (field.value().get(value) != SUCCESS || !Member(value, name, into, level)) return false;
    }
    return true;
  }

 private:
  bool Member(JsonValue value, const std::string& name, ClassSurvey& into, size_t level) {
    json_type type{};
    if (value.type().get(type) != SUCCESS) return false;
    switch (type) {
      case json_type::null:
        into.MeetNull(name);
        return true;
      case json_type::object: {
        ClassSurvey& child = into.Child(name);
        return Element(value, type, child, level + 1);
      }
      case json_type::array:
        return Array(value, into.Child(name), level + 1);
      default:
        return Scalar(value, type, into.Attribute(name));
    }
  }

  bool Array(JsonValue value, ClassSurvey& child, size_t level) {
    child.array = true;
    simdjson::ondemand::array array;
    if (value.get_array().get(array) != SUCCESS) return false;
    for (auto item : array) {
      JsonValue element;
      json_type type{};
      if (item.get(element) != SUCCESS || element.type().get(type) != SUCCESS) return false;
      if (!Element(element, type, child, level)) return false;
    }
    return true;
  }

  bool Element(JsonValue value, json_type type, ClassSurvey& child, size_t level) {
    if (type == json_type::object && level <= kDeepestSurveyed) {
      JsonObject object;
      return value.get_object().get(object) == SUCCESS && Object(object, child, level);
    }
    ++child.vertices;
    if (type == json_type::object || type == json_type::array) {
      child.odd = true;
      return true;
    }
    child.plain = true;
    if (type == json_type::null) return true;
    return Scalar(value, type, child.Attribute(""));
  }

  static bool Scalar(JsonValue value, json_type type, AttributeSurvey& attribute) {
    std::string_view text;
    if (type == json_type::string) {
      if (value.get_string().get(text) != SUCCESS || !JsonRecords::IsText(text)) return false;
    } else {
      text = Trim(value.raw_json_token());
    }
    attribute.Add(text);
    return true;
  }
};

// Where in a document the records are: the keys that lead to them, or nothing.
class RecordFinder {
 public:
  static std::optional<std::string> Find(simdjson::dom::element document) {
    std::string path;
    if (!Search(document, 0, path)) return std::nullopt;
    return path;
  }

 private:
  static bool IsRecordArray(simdjson::dom::element element) {
    simdjson::dom::array array;
    if (element.get(array) != SUCCESS) return false;
    return array.begin() != array.end() && (*array.begin()).is_object();
  }

  // An object with one member per record: at least two members, all of them objects, the first two of them alike.
  static bool IsKeyed(simdjson::dom::object object) {
    if (object.size() < 2) return false;
    for (const auto member : object) {
      if (!member.value.is_object()) return false;
    }
    simdjson::dom::object first = (*object.begin()).value;
    simdjson::dom::object second = (*++object.begin()).value;
    size_t common = 0;
    for (const auto member : first) common += second[member.key].error() == SUCCESS ? 1 : 0;
    return common > 0 && 2 * common >= std::max(first.size(), second.size());
  }

  static bool Search(simdjson::dom::element element, size_t level, std::string& path) {
    if (IsRecordArray(element)) return true;
    simdjson::dom::object object;
    if (level > 4 || element.get(object) != SUCCESS) return false;
    if (IsKeyed(object)) return true;
    // Arrays before objects, and the longest array first: metadata is short.
    std::vector<std::pair<size_t, std::string_view>> candidates;
    for (const auto member : object) {
      if (member.key.find('.') != std::string_view::npos || member.key.empty()) continue;
      simdjson::dom::array array;
      if (member.value.get(array) == SUCCESS) {
        candidates.emplace_back(array.size() + 1, member.key);
      } else if (member.value.is_object()) {
        candidates.emplace_back(0, member.key);
      }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [size, key] : candidates) {
      const size_t length = path.size();
      path += (path.empty() ? "" : ".") + std::string(key);
      if (Search(object[key], level + 1, path)) return true;
      path.resize(length);
    }
    return false;
  }
};

class Surveyor {
 public:
  Surveyor(const std::string& path, Source& source)
      : name_(path == "-" ? "standard input" : path), window_(source, progress_) {}

  Result<Survey> Run(const std::string& path) {
    // The first line decides about the format; a source may hand out a few bytes at first.
    while (more_ && Trim(window_.text()).find('\n') == std::string_view::npos) THICKET_TRY(Fill());
    if (window_.text().starts_with(kByteOrderMark)) window_.Drop(kByteOrderMark.size());
    survey_.format = GuessFormat(path);
    Status status = survey_.format == Format::kCsv     ? Csv()
                    : survey_.format == Format::kJsonl ? Jsonl()
                                                       : Json();
    THICKET_TRY(std::move(status));
    if (survey_.records > 0) return std::move(survey_);
    return Error{ErrorCode::kData, name_ + ": must hold records, but holds none", "", ""};
  }

 private:
  Status Fill() {
    THICKET_ASSIGN(more_, window_.Fill());
    return {};
  }

  Format GuessFormat(std::string path) const {
    for (const std::string_view packed : {".gz", ".zst"}) {
      if (path.ends_with(packed)) path.resize(path.size() - packed.size());
    }
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension == ".jsonl" || extension == ".ndjson") return Format::kJsonl;
    if (extension == ".csv" || extension == ".tsv") return Format::kCsv;
    const std::string_view text = Trim(window_.text());
    if (text.empty()) return Format::kJsonl;
    if (text.front() == '[') return Format::kJson;
    if (text.front() != '{') return extension == ".json" ? Format::kJson : Format::kCsv;
    // One object per line, if the first line is one and something follows; one object alone is a document.
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return extension == ".json" ? Format::kJson : Format::kJsonl;
    return FindJsonFault(Trim(text.substr(0, end))) ? Format::kJson : Format::kJsonl;
  }

  // Whether enough records were read.
  bool Enough() {
    if (survey_.records < kMostSurveyed) return false;
    survey_.partial = true;
    return true;
  }

  Status Jsonl() {
    simdjson::ondemand::parser parser;
    for (uint64_t line_number = 1;; ++line_number) {
      size_t end = window_.text().find('\n');
      while (end == std::string_view::npos && more_) {
        THICKET_TRY(Fill());
        end = window_.text().find('\n');
      }
      const std::string_view line = window_.text().substr(0, end);
      const std::string_view json = Trim(line);
      if (!json.empty()) {
        if (Enough()) return {};
        const size_t readable = window_.readable() - static_cast<size_t>(json.data() - line.data());
        simdjson::ondemand::document document;
        JsonObject object;
        const bool good =
            json.front() == '{' &&
            parser.iterate(json.data(), json.size(), readable).get(document) == SUCCESS &&
            document.get_object().get(object) == SUCCESS && json_.Object(object, survey_.root, 0) &&
            JsonRecords::AtEnd(document);
        if (!good) return BadLine(json, line_number);
        ++survey_.records;
      }
      if (end == std::string_view::npos) return {};
      window_.Drop(end + 1);
    }
  }

  Error BadLine(std::string_view json, uint64_t line_number) const {
    if (const auto fault = FindJsonFault(json)) {
      return NotJson(name_, {line_number, PositionOf(json, fault->offset).column}, fault->what,
                     fault->hint);
    }
    return {ErrorCode::kData,
            fmt::format("{}:{}: a record must be an object, but is {}", name_, line_number,
                        json.front() == '{' ? "not one" : JsonKind(json)),
            "", ""};
  }

  Status Json() {
    while (more_) THICKET_TRY(Fill());
    const std::string_view text = window_.text();
    if (Trim(text).empty()) return {};
    if (const auto fault = FindJsonFault(text)) {
      return NotJson(name_, PositionOf(text, fault->offset), fault->what, fault->hint);
    }
    // The structure from a tree, then the values with their own texts from a stream.
    {
      simdjson::dom::parser tree;
      simdjson::dom::element document;
      if (tree.parse(text.data(), text.size()).get(document) != SUCCESS) return TooLarge();
      const auto at = RecordFinder::Find(document);
      if (!at) {
        return Error{ErrorCode::kData,
                     name_ +
                         ": must hold an array of objects, or an object with one object per "
                         "record, but holds neither",
                     "write one record per line and name the file .jsonl", ""};
      }
      survey_.at = *at;
    }
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    JsonValue value;
    if (parser.iterate(text.data(), text.size(), window_.readable()).get(document) != SUCCESS ||
        document.get_value().get(value) != SUCCESS) {
      return TooLarge();
    }
    for (std::string_view rest = survey_.at; !rest.empty();) {
      const size_t dot = rest.find('.');
      if (value.find_field_unordered(rest.substr(0, dot)).get(value) != SUCCESS) return TooLarge();
      rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    }
    return ReadRecords(value) ? Status() : NotObjects();
  }

  bool ReadRecords(JsonValue value) {
    simdjson::ondemand::array array;
    JsonObject object;
    if (value.get_array().get(array) == SUCCESS) {
      for (auto item : array) {
        if (Enough()) return true;
        JsonObject record;
        if (item.get_object().get(record) != SUCCESS || !json_.Object(record, survey_.root, 0)) {
          return false;
        }
        ++survey_.records;
      }
      return true;
    }
    if (value.get_object().get(object) != SUCCESS) return false;
    for (auto field : object) {
      if (Enough()) return true;
      JsonObject record;
      if (field.value().get_object().get(record) != SUCCESS ||
          !json_.Object(record, survey_.root, 0)) {
        return false;
      }
      ++survey_.records;
    }
    return true;
  }

  Error TooLarge() const {
    return {ErrorCode::kData,
            name_ + ": a JSON document must be shorter than 4 GiB and not too deep",
            "write one record per line and name the file .jsonl", ""};
  }

  Error NotObjects() const {
    return {ErrorCode::kData,
            fmt::format("{}: record {}: a record must be an object, but is not", name_,
                        survey_.records + 1),
            "", ""};
  }

  Status Csv() {
    CsvRow row;
    char delimiter = 0;
    std::vector<std::string> columns;
    uint64_t line_number = 1;
    while (true) {
      const std::string_view text = window_.text();
      if (text.empty() && !more_) return {};
      const bool whole_line = !more_ || text.find('\n') != std::string_view::npos;
      if (delimiter == 0 && whole_line) delimiter = FindDelimiter(text);
      const auto outcome =
          whole_line ? row.Parse(text, delimiter, !more_) : CsvRow::Outcome::kIncomplete;
      if (outcome == CsvRow::Outcome::kIncomplete) {
        THICKET_TRY(Fill());
        continue;
      }
      if (outcome == CsvRow::Outcome::kBad) {
        return Error{ErrorCode::kData,
                     fmt::format("{}:{}: must be CSV, but {}", name_, line_number + row.lines(),
                                 row.fault()),
                     "quote fields as RFC 4180 says: \"...\", with quotes inside doubled", ""};
      }
      if (outcome == CsvRow::Outcome::kRow) {
        if (columns.empty()) {
          THICKET_TRY(CsvHeader(row, columns));
        } else {
          if (Enough()) return {};
          THICKET_TRY(CsvRecord(row, columns, line_number));
        }
      }
      line_number += row.lines();
      window_.Drop(row.bytes());
    }
  }

  Status CsvHeader(const CsvRow& row, std::vector<std::string>& columns) {
    for (const std::string_view name : row.fields()) {
      if (!IsUtf8(name)) return NotUtf8(1);
      if (std::find(columns.begin(), columns.end(), name) != columns.end()) {
        return Error{ErrorCode::kData,
                     name_ + ":1: every column must have a name of its own, but two have the same",
                     "", ""};
      }
      columns.emplace_back(name);
      survey_.root.MeetNull(name);
    }
    survey_.root.objects = true;
    return {};
  }

  Status CsvRecord(const CsvRow& row, const std::vector<std::string>& columns, uint64_t line) {
    if (row.fields().size() != columns.size()) {
      return Error{ErrorCode::kData,
                   fmt::format("{}:{}: every row must have as many fields as the header, {}, but "
                               "this one has {}",
                               name_, line, columns.size(), row.fields().size()),
                   "", ""};
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      if (row.fields()[i].empty()) continue;
      if (!IsUtf8(row.fields()[i])) return NotUtf8(line);
      survey_.root.Attribute(columns[i]).Add(row.fields()[i]);
    }
    ++survey_.root.vertices;
    ++survey_.records;
    return {};
  }

  Error NotUtf8(uint64_t line) const {
    return {ErrorCode::kData, fmt::format("{}:{}: must be UTF-8, but a byte is not", name_, line),
            "convert the file, for example with iconv", ""};
  }

  std::string name_;
  Progress progress_;
  Window window_;
  bool more_ = true;
  JsonSurveyor json_;
  Survey survey_;
};

}  // namespace

void AttributeSurvey::Add(std::string_view text) {
  ++present;
  if (hashes_.size() >= kMostCounted) return;
  if (!hashes_.insert(std::hash<std::string_view>()(text)).second) return;
  Examine(text);
  if (listed()) {
    values_.emplace_back(text);
  } else {
    values_.clear();
  }
}

void AttributeSurvey::Examine(std::string_view text) {
  const bool first = hashes_.size() == 1;
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

bool ClassSurvey::HasAttribute(std::string_view name) const {
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const auto& attribute) { return attribute->name == name; });
}

bool ClassSurvey::HasChild(std::string_view name) const {
  return std::any_of(children.begin(), children.end(),
                     [&](const auto& child) { return child->key == name; });
}

Result<Survey> SurveyData(const std::string& path) {
  THICKET_ASSIGN(const std::unique_ptr<Source> source, Source::Open(path));
  THICKET_ASSIGN(Survey survey, Surveyor(path, *source).Run(path));
  // What --with-class adds is no attribute of the data, and no policy may name it.
  auto& attributes = survey.root.attributes;
  attributes.erase(
      std::remove_if(attributes.begin(), attributes.end(),
                     [](const auto& attribute) { return attribute->name == kClassKey; }),
      attributes.end());
  return survey;
}

}  // namespace thicket
