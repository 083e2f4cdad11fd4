#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "base/silent_progress.h"
#include "base/text.h"
#include "io/documents.h"
#include "io/file/window.h"
#include "io/json/json_appearance.h"
#include "io/json/json_record.h"
#include "io/json/json_scan.h"
#include "io/readers.h"

namespace thicket {

namespace {

using simdjson::SUCCESS;
using simdjson::ondemand::json_type;
using JsonValue = simdjson::ondemand::value;

constexpr size_t kBytesBetweenChecks = size_t{1} << 20;
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kSameBetween =
    "the same must stand between any two records, and no more blanks than a line end and "
    "indentation around them, but does not";

constexpr std::string_view kSameDocument =
    "the same must stand around the record of every document throughout, but does not here";

class JsonReader {
 public:
  JsonReader(const InputPolicy& input, const JsonLayout& layout, Progress& progress,
             DatasetSink& sink)
      : progress_(&progress),
        sink_(&sink),
        records_(layout, sink),
        appearance_(layout, records_.choices(), sink) {
    for (std::string_view rest = input.at; !rest.empty();) {
      const size_t dot = rest.find('.');
      steps_.emplace_back(rest.substr(0, dot));
      rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    }
  }

  // From now on every text is a document of a folder. Without steps the document itself is a record.
  void ReadDocuments() { documents_ = true; }
  // After the last text.
  void Finish() { records_.Finish(); }

  // `readable` bytes may be read from the beginning of the text on.
  Status Run(std::string_view text, size_t readable) {
    const std::string_view json = Trim(text);
    if (json.empty() && documents_) {
      return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source},
                     "must hold a JSON document, but is empty", "remove the file, or complete it");
    }
    if (json.empty()) return {};
    reported_ = checked_ = last_end_ = 0;
    records_before_ = number_;
    // The parser notes where every token stands, and has a copy of the strings.
    THICKET_TRY(CheckMemory(*progress_, sink_->dataset().source, json.size()));
    json_ = json;
    Status status = Parse(readable - static_cast<size_t>(json.data() - text.data()));
    if (status.ok()) EndAppearance(text);
    if (status.ok() || !records_.malformed()) return status;
    const auto fault = FindJsonFault(text);
    if (!fault)
      return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source}, status.error().message,
                     "look for the place with a JSON checker");
    return NotJson(sink_->dataset().source, PositionOf(text, fault->offset), fault->what,
                   fault->hint);
  }

 private:
  Status Parse(size_t readable) {
    simdjson::ondemand::document document;
    JsonValue value;
    if (json_.front() != '{' && json_.front() != '[') {
      if (FindJsonFault(json_)) return records_.Malformed();
      return NotRecords("", JsonKind(json_));
    }
    MakeRoom(parser_, json_.size());
    if (parser_.iterate(json_.data(), json_.size(), readable).get(document) != SUCCESS ||
        document.get_value().get(value) != SUCCESS) {
      return records_.Malformed();
    }
    THICKET_TRY(Descend(value, 0));
    if (!JsonRecords::AtEnd(document)) return records_.Malformed();
    return {};
  }

  // "result.people", the first `count` keys on the way to the records.
  std::string PathOf(size_t count) const {
    std::string path;
    for (size_t i = 0; i < count; ++i) path += (i == 0 ? "" : ".") + steps_[i];
    return path;
  }

  Error NotRecords(const std::string& path, std::string_view type) const {
    return ErrorAt(
        ErrorCode::kData, {.file = sink_->dataset().source, .path = path},
        fmt::format(
            "must be an array of records or an object with one member per record, but is {}", type),
        "say in input.at which keys lead to the records");
  }

  Status Descend(JsonValue value, size_t step) {
    json_type type{};
    if (value.type().get(type) != SUCCESS) return records_.Malformed();
    if (step == steps_.size()) {
      if (documents_ && steps_.empty()) return ReadRecord(value, 0);
      if (type == json_type::array) return ReadArray(value, step + 1);
      if (type == json_type::object) return ReadMembers(value, step + 1);
      return NotRecords(PathOf(step), JsonKind(Trim(value.raw_json_token())));
    }
    if (step >= kMostJsonLevels) return records_.Malformed();
    simdjson::ondemand::object object;
    if (type != json_type::object || value.get_object().get(object) != SUCCESS) {
      return Missing(step, {});
    }
    bool found = false;
    std::vector<std::string> arrays;
    for (auto field : object) {
      std::string_view name;
      JsonValue member;
      if (field.unescaped_key().get(name) != SUCCESS) return records_.Malformed();
      if (field.value().get(member) != SUCCESS || !JsonRecords::IsText(name))
        return records_.Malformed();
      if (name == steps_[step]) {
        if (found) {
          return ErrorAt(
              ErrorCode::kData, {.file = sink_->dataset().source, .path = PathOf(step + 1)},
              "a key must occur once, but occurs twice", "remove one of the two, or join them");
        }
        found = true;
        THICKET_TRY(Descend(member, step + 1));
      } else {
        const std::string path = PathOf(step);
        if (member.type().get(type) != SUCCESS) return records_.Malformed();
        if (type == json_type::array && arrays.size() < 2) arrays.emplace_back(name);
        sink_->CountOutside(path.empty() ? std::string(name) : path + "." + std::string(name));
        THICKET_TRY(records_.Walk(member, step + 2));
      }
    }
    if (!found) return Missing(step, arrays);
    return {};
  }

  // `arrays`: the keys beside it that hold arrays, at most two. Only the key of a single one can be meant without being
  // the name of a person: the others may be, where the object's members are the records.
  Error Missing(size_t step, const std::vector<std::string>& arrays) const {
    const bool certain = step + 1 == steps_.size() && arrays.size() == 1;
    const auto nearest = certain ? Nearest(steps_[step], arrays) : std::nullopt;
    return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source, .path = PathOf(step + 1)},
                   "the key that input.at names must be in the document, but is not",
                   nearest ? fmt::format("did you mean {}?", *nearest)
                           : "say in input.at which keys lead to the records");
  }

  Status ReadArray(JsonValue value, size_t level) {
    simdjson::ondemand::array array;
    if (value.get_array().get(array) != SUCCESS) return records_.Malformed();
    for (auto item : array) {
      JsonValue element;
      if (item.get(element) != SUCCESS) return records_.Malformed();
      THICKET_TRY(ReadRecord(element, level));
    }
    return {};
  }

  Status ReadMembers(JsonValue value, size_t level) {
    sink_->dataset().shape.keyed = true;
    simdjson::ondemand::object object;
    if (value.get_object().get(object) != SUCCESS) return records_.Malformed();
    for (auto field : object) {
      JsonValue element;
      if (field.unescaped_key().get(member_name_) != SUCCESS) return records_.Malformed();
      if (field.value().get(element) != SUCCESS || !JsonRecords::IsText(member_name_)) {
        return records_.Malformed();
      }
      THICKET_TRY(ReadRecord(element, level));
    }
    return {};
  }

  Status ReadRecord(JsonValue value, size_t level) {
    if (progress_->cancelled()) return Interrupted();
    ++number_;
    json_type type{};
    simdjson::ondemand::object record;
    if (value.type().get(type) != SUCCESS) return records_.Malformed();
    const std::string_view token = value.raw_json_token();
    if (type != json_type::object) {
      // The rest of the text may be malformed, and then that is what is wrong.
      if (FindJsonFault(json_)) return records_.Malformed();
      return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source, .record = number_},
                     fmt::format("a record must be an object, but is {}", JsonKind(token)),
                     documents_ && steps_.empty()
                         ? "each file must hold one object, {...}; say in input.at which keys lead "
                           "to several"
                     : sink_->dataset().shape.keyed
                         ? "say in input.at which keys lead to the records"
                         : "each element must be one object, {...}");
    }
    const auto offset = static_cast<size_t>(token.data() - json_.data());
    if (offset - checked_ > kBytesBetweenChecks) {
      THICKET_TRY(CheckMemory(*progress_, sink_->dataset().source));
      checked_ = offset;
    }
    progress_->Advance(offset - reported_);
    reported_ = offset;
    if (value.get_object().get(record) != SUCCESS) return records_.Malformed();
    THICKET_TRY(records_.Read(record, number_, level + 1));
    if (sink_->dataset().shape.keyed) THICKET_TRY(sink_->SetMemberName(member_name_));
    if (sink_->published()) LookAt(offset);
    return {};
  }

  // How a published record and what stands before it are written. The record begins at the offset and is valid.
  void LookAt(size_t offset) {
    std::string between(json_.substr(last_end_, offset - last_end_));
    if (sink_->dataset().shape.keyed) {
      const std::string name = fmt::format("\"{}\"", number_);
      const size_t at = between.find(name);
      // The running number is all that may differ.
      if (at == std::string::npos) {
        sink_->TellApart("", kSameBetween);
      } else {
        between.replace(at, name.size(), "#");
      }
    }
    if (documents_ && number_ == records_before_ + 1) {
      if (!document_before_.Meet(between)) sink_->TellApart("", kSameDocument);
      before_ = std::move(between);
    } else if (documents_) {
      sink_->TellApart("", kOneRecordPerDocument);
    } else if (number_ == 1) {
      before_ = std::move(between);
    } else if (!separator_.Meet(between)) {
      sink_->TellApart("", kSameBetween);
    }
    last_end_ = offset + appearance_.LookAt(json_.substr(offset));
  }

  // What stands around all records: no more blanks than a line end and indentation in one place.
  void EndAppearance(std::string_view text) {
    if (!sink_->published() || number_ == records_before_) return;
    const auto begin = static_cast<size_t>(json_.data() - text.data());
    if (documents_) {
      const std::string ends =
          fmt::format("{}[{}", text.substr(0, begin), text.substr(begin + last_end_));
      if (!document_ends_.Meet(ends)) sink_->TellApart("", kSameDocument);
    }
    // Between brackets, so that blanks of two pieces do not become one.
    const std::string around =
        fmt::format("{}[{}]{}[{}", text.substr(0, begin), before_, separator_.way().value_or(""),
                    text.substr(begin + last_end_));
    for (size_t at = 0; at < around.size();) {
      const size_t from = std::min(around.find_first_of(kBlanks, at), around.size());
      at = std::min(around.find_first_not_of(kBlanks, from), around.size());
      if (IsIndentation(std::string_view(around).substr(from, at - from))) continue;
      sink_->TellApartAt(sink_->dataset().source, kSameBetween);
      return;
    }
  }

  Progress* progress_;
  DatasetSink* sink_;
  JsonRecords records_;
  simdjson::ondemand::parser parser_;
  std::vector<std::string> steps_;
  std::string_view json_;
  std::string_view member_name_;
  size_t reported_ = 0;
  size_t checked_ = 0;
  uint32_t number_ = 0;
  // Documents of a folder: how many records came before this one; published ones, what stands around the record.
  bool documents_ = false;
  uint32_t records_before_ = 0;
  OneWay document_before_;
  OneWay document_ends_;
  // Published data: what stands before the first record and between any two, and where the last record ended.
  JsonAppearance appearance_;
  std::string before_;
  OneWay separator_;
  size_t last_end_ = 0;
};

// Reads all of the source, without a byte-order mark.
Status FillWindow(Window& window, const std::string& source) {
  bool more = true;
  while (more) {
    THICKET_ASSIGN(more, window.Fill());
    if (window.text().size() >= simdjson::SIMDJSON_MAXSIZE_BYTES) {
      return ErrorAt(ErrorCode::kData, {.file = source},
                     "a JSON document must be shorter than 4 GiB, but is longer",
                     "write one record per line and set format: jsonl");
    }
  }
  if (window.text().substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    window.Drop(kByteOrderMark.size());
  }
  return {};
}

class JsonDocuments final : public DocumentReader {
 public:
  JsonDocuments(const InputPolicy& input, JsonLayout layout, Progress& progress, DatasetSink& sink)
      : layout_(std::move(layout)),
        progress_(&progress),
        silent_(progress),
        sink_(&sink),
        reader_(input, layout_, silent_, sink) {
    reader_.ReadDocuments();
  }

  Status Read(Source& source) override {
    Window window(source, silent_);
    THICKET_TRY(FillWindow(window, sink_->dataset().source));
    THICKET_TRY(reader_.Run(window.text(), window.readable()));
    progress_->Advance(source.bytes_taken());
    return {};
  }
  Status Finish() override {
    reader_.Finish();
    return {};
  }

 private:
  JsonLayout layout_;
  Progress* progress_;
  // Files are counted, not what is in them.
  SilentProgress silent_;
  DatasetSink* sink_;
  JsonReader reader_;
};

}  // namespace

Result<std::unique_ptr<DocumentReader>> OpenJsonDocuments(const InputPolicy& input,
                                                          Progress& progress, DatasetSink& sink) {
  THICKET_ASSIGN(JsonLayout layout, JsonLayout::Of(sink.schema(), sink.vertices_move()));
  return std::unique_ptr<DocumentReader>(
      std::make_unique<JsonDocuments>(input, std::move(layout), progress, sink));
}

Status ReadJson(const InputPolicy& input, Source& source, Progress& progress, DatasetSink& sink) {
  sink.dataset().has_lines = false;
  // How much there is to read is known when all of it is in memory.
  SilentProgress silent(progress);
  Window window(source, silent);
  THICKET_TRY(FillWindow(window, sink.dataset().source));
  progress.Begin("read", window.text().size());
  THICKET_ASSIGN(const JsonLayout layout, JsonLayout::Of(sink.schema(), sink.vertices_move()));
  JsonReader reader(input, layout, progress, sink);
  THICKET_TRY(reader.Run(window.text(), window.readable()));
  reader.Finish();
  progress.End();
  return {};
}

}  // namespace thicket
