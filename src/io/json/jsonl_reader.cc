#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "base/text.h"
#include "io/file/window.h"
#include "io/json/json_appearance.h"
#include "io/json/json_record.h"
#include "io/json/json_scan.h"
#include "io/readers.h"

namespace thicket {

namespace {

using simdjson::SUCCESS;

// More blanks than this between two records are not kept.
constexpr size_t kMostBetween = 4096;
constexpr std::string_view kSameBetween =
    "records must stand on lines of their own, with the same line ends and blanks around all of "
    "them, but do not";

static_assert(Window::kPadding >= simdjson::SIMDJSON_PADDING);

class JsonlReader {
 public:
  JsonlReader(Source& source, const JsonLayout& layout, Progress& progress, DatasetSink& sink)
      : window_(source, progress),
        sink_(&sink),
        records_(layout, sink),
        appearance_(layout, records_.choices(), sink) {}

  Status Run() {
    while (true) {
      THICKET_ASSIGN(const bool more, window_.Fill());
      if (line_ == 0) {
        if (more && window_.text().size() < kByteOrderMark.size()) continue;
        if (window_.text().substr(0, kByteOrderMark.size()) == kByteOrderMark) {
          window_.Drop(kByteOrderMark.size());
        }
      }
      THICKET_TRY(ReadLines(!more));
      if (!more) {
        EndBetween();
        records_.Finish();
        return {};
      }
      if (window_.text().size() > kLongestRecord) {
        return ErrorAt(
            ErrorCode::kData, {.file = sink_->dataset().source, .line = line_ + 1},
            "a line must be shorter than 1 GiB, but is longer",
            "in jsonl every record is one line; for one large document set format: json");
      }
    }
  }

 private:
  // All complete lines of the window, and the rest too if there is no more to come.
  Status ReadLines(bool last) {
    while (true) {
      const std::string_view text = window_.text();
      const size_t end = text.find('\n');
      if (end == std::string_view::npos && (!last || text.empty())) return {};
      const std::string_view line = text.substr(0, end);
      ++line_;
      has_line_end_ = end != std::string_view::npos;
      THICKET_TRY(ReadLine(line));
      window_.Drop(end == std::string_view::npos ? text.size() : end + 1);
    }
  }

  Status ReadLine(std::string_view line) {
    const std::string_view json = Trim(line);
    if (json.empty()) {
      Between(line);
      return {};
    }
    const auto blanks = static_cast<size_t>(json.data() - line.data());
    Status status = Parse(json, window_.readable() - blanks);
    if (status.ok()) {
      LookAt(line, blanks, json);
      return {};
    }
    if (json.front() != '{' || records_.malformed()) return Locate(line, json, status.error());
    return status;
  }

  Status Parse(std::string_view json, size_t readable) {
    MakeRoom(parser_, std::bit_ceil(std::max<size_t>(json.size(), 4096)));
    simdjson::ondemand::document document;
    simdjson::ondemand::object record;
    if (json.front() != '{') return records_.Malformed();
    if (parser_.iterate(json.data(), json.size(), readable).get(document) != SUCCESS ||
        document.get_object().get(record) != SUCCESS) {
      return records_.Malformed();
    }
    THICKET_TRY(records_.Read(record, line_, 1));
    if (!JsonRecords::AtEnd(document)) return records_.Malformed();
    return {};
  }

  // How published records and what stands between them are written: the same between any two.
  void LookAt(std::string_view line, size_t blanks, std::string_view json) {
    if (!sink_->published()) return;
    appearance_.LookAt(json);
    between_ += line.substr(0, blanks);
    if (!begun_) {
      first_ = between_;
    } else if (!separator_.Meet(between_)) {
      sink_->TellApart("", kSameBetween);
    }
    begun_ = true;
    between_.clear();
    Between(line.substr(blanks + json.size()));
  }

  // Blanks at the end of a record's line, or in a line without a record.
  void Between(std::string_view blanks) {
    if (!sink_->published() || between_.size() > kMostBetween) return;
    between_ += blanks;
    if (has_line_end_) between_ += '\n';
  }

  // What stands before the first record and after the last one is what stands between others, cut by its line end.
  void EndBetween() {
    if (!sink_->published() || !begun_) return;
    const std::string& usual = separator_.way() ? *separator_.way() : between_;
    const size_t line_end = usual.rfind('\n') + 1;  // npos + 1 is 0
    const std::string_view after = std::string_view(usual).substr(0, line_end);
    const std::string_view before = std::string_view(usual).substr(line_end);
    // An empty line may end a file.
    std::string_view end = between_;
    for (const std::string_view empty : {"\n\n", "\n\r\n"}) {
      if (end.ends_with(empty)) end.remove_suffix(empty.size() - 1);
    }
    const bool same_end =
        end.empty() || end == after || end == "\n" || end == usual.substr(0, usual.find('\n'));
    const bool tame = IsIndentation(usual) && IsIndentation(first_);
    if (!same_end || !tame || (separator_.way() && first_ != before)) {
      sink_->TellApartAt(sink_->dataset().source, kSameBetween);
    }
  }

  // What exactly is wrong with a line that could not be parsed.
  Error Locate(std::string_view line, std::string_view json, const Error& parse_error) const {
    const std::string& source = sink_->dataset().source;
    const auto fault = FindJsonFault(json);
    if (fault) {
      const auto blanks = static_cast<size_t>(json.data() - line.data());
      const TextPosition position = {line_, PositionOf(line, blanks + fault->offset).column};
      const bool early = fault->offset == json.size();
      return NotJson(source, position, fault->what,
                     early ? "the line may be cut off; for one document over several lines set "
                             "format: json"
                           : fault->hint);
    }
    if (json.front() == '{') {
      return ErrorAt(ErrorCode::kData, {.file = source, .line = line_}, parse_error.message,
                     "look for the place with a JSON checker");
    }
    return ErrorAt(ErrorCode::kData, {.file = source, .line = line_},
                   fmt::format("a record must be an object, but is {}", JsonKind(json)),
                   json.front() == '[' ? "if the file is one document, set format: json"
                                       : "each line must hold one object, {...}");
  }

  Window window_;
  DatasetSink* sink_;
  JsonRecords records_;
  JsonAppearance appearance_;
  simdjson::ondemand::parser parser_;
  uint32_t line_ = 0;
  bool has_line_end_ = false;
  // Published data: whether a record was read, the blanks before the first one, those since the last one, and those
  // between any two.
  bool begun_ = false;
  std::string first_;
  std::string between_;
  OneWay separator_;
};

}  // namespace

Status ReadJsonl(Source& source, Progress& progress, DatasetSink& sink) {
  progress.Begin("read", source.stored_bytes());
  THICKET_ASSIGN(const JsonLayout layout, JsonLayout::Of(sink.schema(), sink.vertices_move()));
  THICKET_TRY(JsonlReader(source, layout, progress, sink).Run());
  progress.End();
  return {};
}

}  // namespace thicket
