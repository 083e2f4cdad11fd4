#include "io/link_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>

#include "base/stop.h"
#include "base/text.h"
#include "io/file/source.h"
#include "io/file/window.h"

namespace thicket {

namespace {

constexpr std::string_view kHeader = "published,original";
constexpr std::string_view kHint = "give the file that anonymize --link wrote with this data";
constexpr size_t kWrittenAtOnce = size_t{1} << 16;
// Two numbers are shorter.
constexpr size_t kLongestRow = 1024;
constexpr RecordId kNoRecord = ~RecordId{0};

class LinkReader {
 public:
  LinkReader(std::string name, size_t published, size_t original)
      : name_(std::move(name)),
        original_of_(published, kNoRecord),
        published_line_(published, 0),
        original_line_(original, 0) {}

  Status Take(std::string_view line) {
    ++line_;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line_ == 1) {
      if (line == kHeader) return {};
      return Wrong(fmt::format("must name the columns {}, but does not", kHeader));
    }
    if (line.empty()) return {};
    const size_t comma = line.find(',');
    if (comma == std::string_view::npos || line.find(',', comma + 1) != std::string_view::npos) {
      return Wrong("must have two record numbers with a comma between them, but has not");
    }
    THICKET_ASSIGN(const uint64_t published,
                   Number(line.substr(0, comma), "published", original_of_.size()));
    THICKET_ASSIGN(const uint64_t original,
                   Number(line.substr(comma + 1), "original", original_line_.size()));
    THICKET_TRY(Once(published_line_[published - 1],
                     "every published record must be here once, but this one is"));
    THICKET_TRY(Once(original_line_[original - 1],
                     "no original record may stand behind two published ones, but this one is"));
    original_of_[published - 1] = static_cast<RecordId>(original - 1);
    return {};
  }

  Result<std::vector<RecordId>> Finish() && {
    if (line_ == 0) {
      ++line_;
      return Wrong(fmt::format("must name the columns {}, but is empty", kHeader));
    }
    const auto missing = std::count(original_of_.begin(), original_of_.end(), kNoRecord);
    if (missing == 0) return std::move(original_of_);
    const auto first = std::find(original_of_.begin(), original_of_.end(), kNoRecord);
    return ErrorAt(ErrorCode::kData, {.file = name_},
                   fmt::format("every published record must be here once, but {} of {} {} not "
                               "(the first is record {})",
                               WithCommas(static_cast<uint64_t>(missing)),
                               WithCommas(original_of_.size()), missing == 1 ? "is" : "are",
                               WithCommas(static_cast<uint64_t>(first - original_of_.begin()) + 1)),
                   std::string(kHint));
  }

 private:
  Error Wrong(std::string_view what, std::string_view path = {}) const {
    return ErrorAt(ErrorCode::kData, {.file = name_, .line = line_, .path = std::string(path)},
                   what, std::string(kHint));
  }

  Result<uint64_t> Number(std::string_view text, std::string_view column, uint64_t most) const {
    uint64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = failed == std::errc() && end == text.data() + text.size();
    if (is_number && number >= 1 && number <= most) return number;
    return Wrong(
        fmt::format("must be the number of a record, from 1 to {}, but is not", WithCommas(most)),
        column);
  }

  // `seen`: the line in which the record stands, 0 as long as it does not.
  Status Once(uint64_t& seen, std::string_view rule) const {
    if (seen != 0) return Wrong(fmt::format("{} in line {}, too", rule, seen));
    seen = line_;
    return {};
  }

  std::string name_;
  uint64_t line_ = 0;
  std::vector<RecordId> original_of_;
  std::vector<uint64_t> published_line_;
  std::vector<uint64_t> original_line_;
};

}  // namespace

Status WriteLink(AtomicFile& file, std::span<const RecordId> certificate) {
  std::string text(kHeader);
  text += '\n';
  uint64_t published = 0;
  for (const RecordId source : certificate) {
    StopPoint();
    fmt::format_to(std::back_inserter(text), "{},{}\n", ++published, uint64_t{source} + 1);
    if (text.size() < kWrittenAtOnce) continue;
    THICKET_TRY(file.Write(text));
    text.clear();
  }
  return file.Write(text);
}

Result<std::vector<RecordId>> ReadLink(const std::string& path, size_t published, size_t original,
                                       Progress& progress) {
  THICKET_ASSIGN(const std::unique_ptr<Source> source, Source::Open(path));
  LinkReader reader(source->name(), published, original);
  progress.Begin("read link", source->stored_bytes());
  Window window(*source, progress);
  bool begins = true;
  for (bool more = true; more;) {
    THICKET_ASSIGN(more, window.Fill());
    if (begins && more && window.text().size() < kByteOrderMark.size()) continue;
    if (begins && window.text().starts_with(kByteOrderMark)) window.Drop(kByteOrderMark.size());
    begins = false;
    while (!window.text().empty()) {
      const size_t end = window.text().find('\n');
      const bool whole = end != std::string_view::npos;
      if (!whole && more && window.text().size() < kLongestRow) break;
      THICKET_TRY(reader.Take(window.text().substr(0, end)));
      window.Drop(whole ? end + 1 : window.text().size());
    }
  }
  progress.End();
  return std::move(reader).Finish();
}

}  // namespace thicket
