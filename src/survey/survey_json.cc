#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "io/json/json_record.h"
#include "io/json/json_scan.h"
#include "record/vertex_path.h"
#include "survey/survey_formats.h"

namespace thicket {

namespace {

using simdjson::SUCCESS;
using simdjson::ondemand::json_type;
using JsonValue = simdjson::ondemand::value;
using JsonObject = simdjson::ondemand::object;

// Fills a Survey from parsed JSON. False means that the text is malformed.
class JsonSurveyor {
 public:
  bool Record(JsonObject object, ClassSurvey& root) {
    ++record_;
    return Object(object, root, 0);
  }

 private:
  bool Object(JsonObject object, ClassSurvey& into, size_t level) {
    ++into.vertices;
    into.objects = true;
    for (auto field : object) {
      std::string_view key;
      JsonValue value;
      if (field.unescaped_key().get(key) != SUCCESS || !JsonRecords::IsText(key)) return false;
      const std::string name = StepOf(key);
      if (field.value().get(value) != SUCCESS || !Member(value, name, into, level)) return false;
    }
    return true;
  }

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
    uint64_t length = 0;
    for (auto item : array) {
      JsonValue element;
      json_type type{};
      if (item.get(element) != SUCCESS || element.type().get(type) != SUCCESS) return false;
      if (!Element(element, type, child, level)) return false;
      ++length;
    }
    child.MeetLength(length);
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

  bool Scalar(JsonValue value, json_type type, AttributeSurvey& attribute) const {
    std::string_view text;
    if (type == json_type::string) {
      if (value.get_string().get(text) != SUCCESS || !JsonRecords::IsText(text)) return false;
    } else {
      text = Trim(value.raw_json_token());
    }
    attribute.Add(text, record_);
    return true;
  }

  uint64_t record_ = 0;
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

class JsonSurvey {
 public:
  JsonSurvey(SurveyInput& input, Survey& survey) : input_(&input), survey_(&survey) {}

  Status Jsonl() {
    simdjson::ondemand::parser parser;
    for (uint64_t line_number = 1;; ++line_number) {
      size_t end = input_->window.text().find('\n');
      while (end == std::string_view::npos && input_->more) {
        THICKET_TRY(input_->Fill());
        end = input_->window.text().find('\n');
      }
      const std::string_view line = input_->window.text().substr(0, end);
      const std::string_view json = Trim(line);
      if (!json.empty()) {
        if (Enough(*survey_)) return {};
        const size_t readable =
            input_->window.readable() - static_cast<size_t>(json.data() - line.data());
        MakeRoom(parser, std::bit_ceil(std::max<size_t>(json.size(), 4096)));
        simdjson::ondemand::document document;
        JsonObject object;
        const bool good =
            json.front() == '{' &&
            parser.iterate(json.data(), json.size(), readable).get(document) == SUCCESS &&
            document.get_object().get(object) == SUCCESS && json_.Record(object, survey_->root) &&
            JsonRecords::AtEnd(document);
        if (!good) return BadLine(json, line_number);
        ++survey_->records;
      }
      if (end == std::string_view::npos) return {};
      input_->window.Drop(end + 1);
    }
  }

  Status Json() {
    while (input_->more) THICKET_TRY(input_->Fill());
    const std::string_view text = input_->window.text();
    if (Trim(text).empty()) return {};
    if (const auto fault = FindJsonFault(text)) {
      return NotJson(input_->name(), PositionOf(text, fault->offset), fault->what, fault->hint);
    }
    // The structure from a tree, then the values with their own texts from a stream.
    {
      simdjson::dom::parser tree;
      simdjson::dom::element document;
      if (tree.parse(text.data(), text.size()).get(document) != SUCCESS) return TooLarge();
      const auto at = RecordFinder::Find(document);
      if (!at) {
        return ErrorAt(ErrorCode::kData, {.file = input_->name()},
                       "must hold an array of objects, or an object with one object per "
                       "record, but holds neither",
                       "write one record per line and name the file .jsonl");
      }
      survey_->at = *at;
    }
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    JsonValue value;
    MakeRoom(parser, text.size());
    if (parser.iterate(text.data(), text.size(), input_->window.readable()).get(document) !=
            SUCCESS ||
        document.get_value().get(value) != SUCCESS) {
      return TooLarge();
    }
    for (std::string_view rest = survey_->at; !rest.empty();) {
      const size_t dot = rest.find('.');
      if (value.find_field_unordered(rest.substr(0, dot)).get(value) != SUCCESS) return TooLarge();
      rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    }
    return ReadRecords(value) ? Status() : NotObjects();
  }

 private:
  Error BadLine(std::string_view json, uint64_t line_number) const {
    if (const auto fault = FindJsonFault(json)) {
      return NotJson(input_->name(), {line_number, PositionOf(json, fault->offset).column},
                     fault->what, fault->hint);
    }
    return ErrorAt(ErrorCode::kData, {.file = input_->name(), .line = line_number},
                   fmt::format("a record must be an object, but is {}",
                               json.front() == '{' ? "not one" : JsonKind(json)),
                   "");
  }

  bool ReadRecords(JsonValue value) {
    simdjson::ondemand::array array;
    JsonObject object;
    if (value.get_array().get(array) == SUCCESS) {
      for (auto item : array) {
        if (Enough(*survey_)) return true;
        JsonObject record;
        if (item.get_object().get(record) != SUCCESS || !json_.Record(record, survey_->root)) {
          return false;
        }
        ++survey_->records;
      }
      return true;
    }
    if (value.get_object().get(object) != SUCCESS) return false;
    for (auto field : object) {
      if (Enough(*survey_)) return true;
      JsonObject record;
      if (field.value().get_object().get(record) != SUCCESS ||
          !json_.Record(record, survey_->root)) {
        return false;
      }
      ++survey_->records;
    }
    return true;
  }

  Error TooLarge() const {
    return ErrorAt(ErrorCode::kData, {.file = input_->name()},
                   "a JSON document must be shorter than 4 GiB and not too deep",
                   "write one record per line and name the file .jsonl");
  }

  Error NotObjects() const {
    return ErrorAt(ErrorCode::kData, {.file = input_->name(), .record = survey_->records + 1},
                   "a record must be an object, but is not", "");
  }

  SurveyInput* input_;
  Survey* survey_;
  JsonSurveyor json_;
};

}  // namespace

Status SurveyJsonl(SurveyInput& input, Survey& survey) { return JsonSurvey(input, survey).Jsonl(); }

Status SurveyJson(SurveyInput& input, Survey& survey) { return JsonSurvey(input, survey).Json(); }

}  // namespace thicket
