#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
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
constexpr std::string_view kNoEmptyItem =
    "an item must stand between two delimiters, but nothing does";
constexpr std::string_view kSameEnds =
    "lines must end in the same way throughout, but this one does not";

class TransactionsReader {
 public:
  // `delimiter` stands between items; 0: blanks do.
  TransactionsReader(char delimiter, Source& source, Progress& progress, DatasetSink& sink)
      : window_(source, progress), sink_(&sink), delimiter_(delimiter) {
    items_ = sink_->Find(0, sink_->schema().classes[kItem].at);
    separators_ = delimiter_ == 0 ? std::string(kBlanks) : std::string(1, delimiter_);
  }

  Status Run() {
    THICKET_TRY(ReadAll());
    if (repeated_ > 0) {
      sink_->dataset().warnings.push_back(
          {fmt::format("{}:{}: an item counts once in a set, but is there again here{}",
                       sink_->dataset().source, first_repeated_,
                       repeated_ == 1 ? "" : fmt::format(" ({} times)", WithCommas(repeated_)))});
    }
    return {};
  }

 private:
  static constexpr ClassId kItem = 1;

  Status ReadAll() {
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
    index_ = 0;
    has_missing_ = false;
    THICKET_TRY(delimiter_ == 0 ? ReadBetweenBlanks(line) : ReadBetweenDelimiters(line));
    return sink_->EndRecord();
  }

  Status ReadBetweenBlanks(std::string_view line) {
    while (true) {
      const size_t begin = std::min(line.find_first_not_of(kBlanks), line.size());
      LookAtBlanks(line.substr(0, begin), index_ == 0, begin == line.size());
      if (begin == line.size()) return {};
      line.remove_prefix(begin);
      THICKET_TRY(ReadItem(line));
    }
  }

  // An item is whatever stands between two delimiters, with its blanks. Where nothing does, lines were made equally long, and it
  // is no item.
  Status ReadBetweenDelimiters(std::string_view line) {
    while (!line.empty()) {
      if (line.front() == delimiter_) {
        Look(false, kNoEmptyItem);
      } else {
        THICKET_TRY(ReadItem(line));
        if (line.empty()) return {};
      }
      line.remove_prefix(1);
      if (line.empty()) Look(false, kNoEmptyItem);
    }
    return {};
  }

  // Takes an item from the front of the line.
  Status ReadItem(std::string_view& line) {
    const bool quoted = line.front() == '"';
    std::string_view item;
    if (quoted) {
      if (!TakeQuoted(line, item)) {
        return Wrong(
            fmt::format("an item that begins with a quote must end with one, but item {} does not",
                        index_ + 1),
            delimiter_ == 0 ? "write \"\" for a quote within quotes, and a blank after the last one"
                            : "write \"\" for a quote within quotes, and the delimiter after the "
                              "last one");
      }
    } else {
      item = line.substr(0, line.find_first_of(separators_));
      line.remove_prefix(item.size());
    }
    LookAtItem(item, quoted);
    return AddItem(item);
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
        return line.empty() || separators_.find(line.front()) != std::string::npos;
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
    if (!NeedsQuotes(item, delimiter_)) Look(quotes_.Meet(quoted ? 1 : 0), kSameQuotes);
  }

  Status AddItem(std::string_view item) {
    const Symbol symbol =
        item.empty() ? kMissing : sink_->Intern(kItem, 0, ValueKind::kString, item);
    if (sink_->reading_as() == ReadAs::kOriginal && IsRepeated(symbol)) {
      if (repeated_++ == 0) first_repeated_ = line_;
      return {};
    }
    sink_->MeetShape(kItem, true, index_);
    if (!sink_->OpenVertex(kItem, index_)) return sink_->Full();
    ++index_;
    if (symbol != kMissing) sink_->SetSymbol(0, symbol);
    sink_->CloseVertex();
    return {};
  }

  // Whether the line had the item before.
  bool IsRepeated(Symbol symbol) {
    if (symbol == kMissing) return std::exchange(has_missing_, true);
    if (last_line_.size() <= symbol) last_line_.resize(2 * symbol + 1, 0);
    return std::exchange(last_line_[symbol], line_) == line_;
  }

  Error Wrong(std::string_view what, std::string hint) const {
    return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source, .line = line_}, what,
                   std::move(hint));
  }

  Window window_;
  DatasetSink* sink_;
  DatasetSink::Key* items_;
  char delimiter_;
  std::string separators_;
  std::string unquoted_;
  uint32_t line_ = 0;
  // Of the item being read, among those of its line.
  int64_t index_ = 0;
  bool has_missing_ = false;
  // By symbol: the last line that had the item.
  std::vector<uint32_t> last_line_;
  uint64_t repeated_ = 0;
  uint32_t first_repeated_ = 0;
  OneForm line_ends_;
  OneForm quotes_;
  // Between two items, before the first, after the last, and in a line without items.
  OneWay blanks_;
  OneWay blanks_before_;
  OneWay blanks_after_;
  OneWay blanks_of_empty_;
};

}  // namespace

Status ReadTransactions(const InputPolicy& input, Source& source, Progress& progress,
                        DatasetSink& sink) {
  if (!HoldsSets(sink.schema())) return NotSets();
  progress.Begin("read", source.stored_bytes());
  THICKET_TRY(TransactionsReader(input.delimiter, source, progress, sink).Run());
  progress.End();
  return {};
}

bool NeedsQuotes(std::string_view item, char delimiter) {
  if (item.empty() || item.front() == '"' || item.starts_with(kByteOrderMark)) return true;
  return delimiter == 0 ? item.find_first_of(kBlanks) != std::string_view::npos
                        : item.find(delimiter) != std::string_view::npos;
}

Error NotSets() {
  return ErrorAt(
      ErrorCode::kUsage, {.path = "input.format"},
      "transactions are sets: a record without attributes and one class below it "
      "with exactly one quasi-identifier or sensitive attribute, but the policy has others",
      "take the others out of the policy, or use format: jsonl or json");
}

}  // namespace thicket
