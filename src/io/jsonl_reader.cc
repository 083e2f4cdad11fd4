#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "base/text.h"
#include "io/json_record.h"
#include "io/json_scan.h"
#include "io/readers.h"
#include "io/window.h"

namespace thicket {

namespace {

using simdjson::SUCCESS;

static_assert(Window::kPadding >= simdjson::SIMDJSON_PADDING);

class JsonlReader {
 public:
  JsonlReader(Source& source, Progress& progress, DatasetSink& sink)
      : window_(source, progress), sink_(&sink), records_(sink) {}

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
      if (!more) return {};
      if (window_.text().size() > kLongestRecord) {
        return Error{ErrorCode::kData,
                     fmt::format("{}:{}: a line must be shorter than 1 GiB, but is longer",
                                 sink_->dataset().source, line_ + 1),
                     "in jsonl every record is one line; for one large document set format: json",
                     ""};
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
      THICKET_TRY(ReadLine(line));
      window_.Drop(end == std::string_view::npos ? text.size() : end + 1);
    }
  }

  Status ReadLine(std::string_view line) {
    const std::string_view json = Trim(line);
    if (json.empty()) return {};
    Status status =
        Parse(json, window_.readable() - static_cast<size_t>(json.data() - line.data()));
    if (status.ok()) return {};
    if (json.front() != '{' || records_.malformed()) return Locate(line, json, status.error());
    return status;
  }

  Status Parse(std::string_view json, size_t readable) {
    if (json.size() > parser_.capacity() &&
        parser_.allocate(std::bit_ceil(std::max<size_t>(json.size(), 4096))) != SUCCESS) {
      return Error{
          ErrorCode::kIo,
          fmt::format("{}:{}: not enough memory to read it", sink_->dataset().source, line_),
          "use a machine with more memory", ""};
    }
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
      return {ErrorCode::kData, fmt::format("{}:{}: {}", source, line_, parse_error.message),
              "look for the place with a JSON checker", ""};
    }
    return {
        ErrorCode::kData,
        fmt::format("{}:{}: a record must be an object, but is {}", source, line_, JsonKind(json)),
        json.front() == '[' ? "if the file is one document, set format: json"
                            : "each line must hold one object, {...}",
        ""};
  }

  Window window_;
  DatasetSink* sink_;
  JsonRecords records_;
  simdjson::ondemand::parser parser_;
  uint32_t line_ = 0;
};

}  // namespace

Status ReadJsonl(Source& source, Progress& progress, DatasetSink& sink) {
  progress.Begin("read", source.stored_bytes());
  THICKET_TRY(JsonlReader(source, progress, sink).Run());
  progress.End();
  return {};
}

}  // namespace thicket
