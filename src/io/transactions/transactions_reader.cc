#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "io/file/window.h"
#include "io/one_way.h"
#include "io/readers.h"

namespace thicket {

namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kSameBlanks =
    "blanks around items must be the same throughout, but differ here";
constexpr std::string_view kSameQuotes =
    "items must stand in quotes or without throughout, but do not here";
constexpr std::string_view kSameEnds =
    "lines must end in the same way throughout, but this one does not";

class TransactionsReader {
 public:
  TransactionsReader(Source& source, Progress& progress, DatasetSink& sink)
      : window_(source, progress), sink_(&sink) {
    items_ = sink_->Find(0, sink_->schema().classes[kItem].at);
  }

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
        ++line_;
        return Wrong("a line must be shorter than 1 GiB, but is longer",
                     "write one set per line, its items separated by blanks");
      }
    }
  }

 private:
  static constexpr ClassId kItem = 1;

  // All complete lines of the window, and the rest too if there is no more to come.
  Status ReadLines(bool last) {
    while (true) {
      const std::string_view text = window_.text();
      const size_t end = text.find('\n');
      if (end == std::string_view::npos && (!last || text.empty())) return {};
      std::string_view line = text.substr(0, end);
      const bool carriage_return = !line.empty() && line.back() == '\r';
      if (carriage_return) line.remove_suffix(1);
      ++line_;
      THICKET_TRY(ReadLine(line));
      const bool has_line_end = end != std::string_view::npos;
      if (has_line_end || carriage_return)
        Look(line_ends_.Meet(carriage_return ? 1 : 0), kSameEnds);
      window_.Drop(end == std::string_view::npos ? text.size() : end + 1);
    }
  }

  // An empty line is an empty set.
  Status ReadLine(std::string_view line) {
    if (!simdjson::validate_utf8(line.data(), line.size())) {
      return Wrong("must be UTF-8, but a byte is not", "convert the file, for example with iconv");
    }
    THICKET_TRY(sink_->BeginRecord(line_));
    sink_->Meet(*items_);
    sink_->MeetArray(kItem);
    int64_t index = 0;
    while (true) {
      const size_t begin = std::min(line.find_first_not_of(kBlanks), line.size());
      LookAtBlanks(line.substr(0, begin), index == 0, begin == line.size());
      if (begin == line.size()) break;
      line.remove_prefix(begin);
      std::string_view item;
      const std::string_view rest = line;
      if (line.front() == '"') {
        if (!TakeQuoted(line, item)) {
          return Wrong(
              fmt::format(
                  "an item that begins with a quote must end with one, but item {} does not",
                  index + 1),
              "write \"\" for a quote within quotes, and a blank after the last one");
        }
      } else {
        item = line.substr(0, line.find_first_of(kBlanks));
        line.remove_prefix(item.size());
      }
      LookAtItem(item, rest.front() == '"');
      THICKET_TRY(AddItem(item, index++));
    }
    return sink_->EndRecord();
  }

  // "a ""b""" is an item with blanks, quotes or nothing in it. False if there is no end.
  bool TakeQuoted(std::string_view& line, std::string_view& item) {
    unquoted_.clear();
    for (size_t i = 1; i < line.size(); ++i) {
      if (line[i] != '"') {
        unquoted_ += line[i];
      } else if (i + 1 < line.size() && line[i + 1] == '"') {
        unquoted_ += line[i++];
      } else {
        line.remove_prefix(i + 1);
        item = unquoted_;
        return line.empty() || kBlanks.find(line.front()) != std::string_view::npos;
      }
    }
    return false;
  }

  // Published data is written one way throughout: blanks, quotes and line ends.
  void Look(bool same, std::string_view rule) {
    if (!same) sink_->TellApart("", rule);
  }
  void LookAtBlanks(std::string_view blanks, bool first, bool last) {
    OneWay& way = first && last ? blanks_of_empty_
                  : first       ? blanks_before_
                  : last        ? blanks_after_
                                : blanks_;
    Look(way.Meet(blanks) && IsIndentation(blanks), kSameBlanks);
  }
  void LookAtItem(std::string_view item, bool quoted) {
    if (!NeedsQuotes(item)) Look(quotes_.Meet(quoted ? 1 : 0), kSameQuotes);
  }

  Status AddItem(std::string_view item, int64_t index) {
    sink_->MeetShape(kItem, true, index);
    if (!sink_->OpenVertex(kItem, index)) return sink_->Full();
    if (!item.empty()) sink_->SetValue(0, ValueKind::kString, item);
    sink_->CloseVertex();
    return {};
  }

  Error Wrong(std::string_view what, std::string hint) const {
    return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source, .line = line_}, what,
                   std::move(hint));
  }

  Window window_;
  DatasetSink* sink_;
  DatasetSink::Key* items_;
  std::string unquoted_;
  uint32_t line_ = 0;
  OneForm line_ends_;
  OneForm quotes_;
  // Between two items, before the first, after the last, and in a line without items.
  OneWay blanks_;
  OneWay blanks_before_;
  OneWay blanks_after_;
  OneWay blanks_of_empty_;
};

}  // namespace

Status ReadTransactions(Source& source, Progress& progress, DatasetSink& sink) {
  if (!HoldsSets(sink.schema())) return NotSets();
  progress.Begin("read", source.stored_bytes());
  THICKET_TRY(TransactionsReader(source, progress, sink).Run());
  progress.End();
  return {};
}

bool NeedsQuotes(std::string_view item) {
  return item.empty() || item.front() == '"' || item.starts_with(kByteOrderMark) ||
         item.find_first_of(kBlanks) != std::string_view::npos;
}

Error NotSets() {
  return ErrorAt(
      ErrorCode::kUsage, {.path = "input.format"},
      "transactions are sets: a record without attributes and one class below it "
      "with exactly one quasi-identifier or sensitive attribute, but the policy has others",
      "take the others out of the policy, or use format: jsonl or json");
}

}  // namespace thicket
